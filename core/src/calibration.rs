//! How well a judge's verdicts and deltas tell supported claims from others, on claims whose labels are
//! known; and thresholds that fit it.
//!
//! Everything here is counted on the claims that are given: thresholds that were fitted to them look
//! better on them than on others. All shares are in [0, 1], with 95 % intervals.
//!
//! ```
//! use claimgauge_core::calibration::CalibrateRequest;
//!
//! // What findings say of four claims: two that the evidence supports, two that it does not.
//! let request: CalibrateRequest = serde_json::from_str(
//!     r#"{ "profile": "strawberry", "claims": [
//!         { "supported": true,  "status": "VERIFIED",    "full": { "verdict": "ENTAILED", "confidence": 0.95, "support": 0.95 } },
//!         { "supported": true,  "status": "VERIFIED",    "full": { "verdict": "ENTAILED", "confidence": 0.90, "support": 0.90 } },
//!         { "supported": false, "status": "SUSPICIOUS",  "full": { "verdict": "ENTAILED", "confidence": 0.70, "support": 0.70 } },
//!         { "supported": false, "status": "UNSUPPORTED", "full": { "verdict": "UNSURE",   "confidence": 0.60, "support": 0.50 } }
//!     ] }"#,
//! )
//! .unwrap();
//! let calibration = request.run()?;
//! let full = &calibration.scores[0];
//! // Every supported claim is ranked above every other one, yet one of the others is accepted.
//! assert_eq!(full.auroc.unwrap().value, 1.0);
//! assert_eq!(full.balanced_accuracy.unwrap().value, 0.75);
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    Error, ErrorCode,
    decide::Status,
    input::null_as_default,
    judgement::Verdict,
    number::round6,
    profile::{Minimum, ProfileChoice, Thresholds, ThresholdsInput},
    scrub::Mode,
};

/// Labelled claims, judged.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CalibrateRequest {
    /// The profile with which they were judged.
    pub profile: ProfileChoice,
    /// Thresholds instead of the profile's.
    #[serde(default)]
    pub thresholds: Option<ThresholdsInput>,
    /// The claims.
    pub claims: Vec<Labelled>,
}

/// One claim, its label, and what its finding says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labelled {
    /// Whether the evidence supports it.
    pub supported: bool,
    /// What was concluded.
    pub status: Status,
    /// The full pass; absent where it failed.
    #[serde(default)]
    pub full: Option<Seen>,
    /// The delta that decided the status.
    #[serde(default)]
    pub delta: Option<f64>,
    /// P(ENTAILED) in the pass that this delta was taken from, as far as is known.
    #[serde(default)]
    pub scrubbed: Option<f64>,
    /// The deltas of the other nulls.
    #[serde(default, deserialize_with = "null_as_default")]
    pub nulls: Vec<SeenNull>,
}

/// The full pass of a claim.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// The verdict.
    pub verdict: Verdict,
    /// How sure the judge is of it.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// P(ENTAILED), as far as is known.
    #[serde(default)]
    pub support: Option<f64>,
}

/// Another null of a claim.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenNull {
    /// What the evidence was made into.
    pub mode: Mode,
    /// Full confidence less this one's.
    #[serde(default)]
    pub delta: Option<f64>,
    /// P(ENTAILED) in this one, as far as is known.
    #[serde(default)]
    pub support: Option<f64>,
}

/// What labelled claims tell about a judge.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Calibration {
    /// How many claims are supported.
    pub supported: usize,
    /// How many are not.
    pub unsupported: usize,
    /// One for the full pass alone, one for the delta that decided, one for each other null.
    pub scores: Vec<Score>,
    /// How many claims of each status, best first.
    pub statuses: Vec<StatusCount>,
    /// Thresholds that tell these claims apart best; absent where they hold only one label.
    pub fitted: Option<Thresholds>,
}

/// How well one figure tells the labels apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Score {
    /// `full`, `delta`, or a null's mode.
    pub of: String,
    /// How many claims have the figure; the others are not in it.
    pub claims: usize,
    /// How probable it is that a supported claim has more of it than another one, ties counting half;
    /// absent where one label is missing. The full pass is ranked by its support, a delta by how much more
    /// support the full pass has than the null.
    pub auroc: Option<Interval>,
    /// The mean of the shares of either label that a cut tells right; absent where one is missing. The
    /// cut is ENTAILED for the full pass, and PLAUSIBLE's least delta, on top of that, for deltas.
    pub balanced_accuracy: Option<Interval>,
}

/// A share with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// What was counted.
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

/// The claims of one status.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StatusCount {
    /// The status.
    pub status: Status,
    /// Supported ones.
    pub supported: usize,
    /// Others.
    pub unsupported: usize,
}

impl CalibrateRequest {
    /// Counts.
    ///
    /// # Errors
    /// As [`ProfileChoice::resolve`] and [`ThresholdsInput::over`]; `invalid_value` for a figure that is
    /// not finite.
    pub fn run(self) -> Result<Calibration, Error> {
        let thresholds = self.profile.resolve_with(self.thresholds)?.thresholds;
        for (at, claim) in self.claims.iter().enumerate() {
            claim.check(at)?;
        }
        Ok(calibrate(&thresholds, &self.claims))
    }
}

impl Labelled {
    fn check(&self, at: usize) -> Result<(), Error> {
        let full = self
            .full
            .iter()
            .flat_map(|full| [full.confidence, full.support]);
        let nulls = self
            .nulls
            .iter()
            .flat_map(|null| [null.delta, null.support]);
        let own = [self.delta, self.scrubbed];
        let mut figures = full.chain(own).chain(nulls).flatten();
        match figures.all(f64::is_finite) {
            true => Ok(()),
            false => Err(Error::new(
                ErrorCode::InvalidValue,
                format!("claims.{at}"),
                "Expected numbers, received one that is not finite",
            )),
        }
    }

    fn is_entailed(&self) -> bool {
        self.full
            .is_some_and(|full| full.verdict == Verdict::Entailed)
    }

    /// What each null tells, by its name; absent where its pass failed.
    fn deltas(&self) -> impl Iterator<Item = (&'static str, Option<Told>)> {
        let own = ("delta", self.told(self.delta, self.scrubbed));
        let others = self.nulls.iter().map(|null| {
            let told = self.told(null.delta, null.support);
            (name_of(null.mode), told)
        });
        [own].into_iter().chain(others)
    }

    /// By how much the evidence raised the support, which ranks claims also where no verdict is ENTAILED;
    /// where that is not known, the delta. Only claims that the full pass finds entailed are accepted.
    fn told(&self, delta: Option<f64>, support: Option<f64>) -> Option<Told> {
        let full = self.full?;
        let delta = match full.verdict {
            Verdict::Entailed => delta?,
            _ => LEAST,
        };
        let raised = full.support.zip(support);
        Some(Told {
            supported: self.supported,
            figure: raised.map_or(delta, |(full, null)| round6(full - null)),
            held: delta,
        })
    }
}

/// Below each delta.
const LEAST: f64 = -2.0;

fn name_of(mode: Mode) -> &'static str {
    match mode {
        Mode::Identifiers => "identifiers",
        Mode::NoEvidence => "no_evidence",
        Mode::RedactSpans => "redact_spans",
    }
}

/// Counts how well the figures of `claims` tell their labels.
pub fn calibrate(thresholds: &Thresholds, claims: &[Labelled]) -> Calibration {
    let full = claims.iter().filter_map(|claim| {
        let support = claim.full?.support?;
        Some(Told {
            supported: claim.supported,
            figure: support,
            held: if claim.is_entailed() { 0.0 } else { LEAST },
        })
    });
    let mut scores = Vec::from([score("full", full.collect(), 0.0)]);
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in claims.iter().flat_map(Labelled::deltas) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let told = claims.iter().filter_map(|claim| {
            let (_, told) = claim.deltas().find(|(known, _)| *known == name)?;
            told
        });
        scores.push(score(name, told.collect(), thresholds.plausible.delta));
    }
    let count = |supported| {
        claims
            .iter()
            .filter(|claim| claim.supported == supported)
            .count()
    };
    Calibration {
        supported: count(true),
        unsupported: count(false),
        scores,
        statuses: Status::ALL.map(|status| statuses(status, claims)).to_vec(),
        fitted: fit(claims),
    }
}

fn statuses(status: Status, claims: &[Labelled]) -> StatusCount {
    let count = |supported| {
        let same = |claim: &&Labelled| claim.status == status && claim.supported == supported;
        claims.iter().filter(same).count()
    };
    StatusCount {
        status,
        supported: count(true),
        unsupported: count(false),
    }
}

/// A claim as one figure tells it.
struct Told {
    supported: bool,
    figure: f64,
    /// What is held against a cut.
    held: f64,
}

fn score(of: &str, told: Vec<Told>, least: f64) -> Score {
    Score {
        of: of.to_owned(),
        claims: told.len(),
        auroc: auroc(&told),
        balanced_accuracy: Counts::of(told.iter().map(|one| (one.supported, one.held >= least)))
            .balanced(),
    }
}

/// The share of pairs, one of either label, in which the supported one has more of the figure; with
/// Newcombe's interval, which is one also where that share is 1.
fn auroc(told: &[Told]) -> Option<Interval> {
    let mut sorted: Vec<&Told> = told.iter().collect();
    sorted.sort_by(|a, b| a.figure.total_cmp(&b.figure));
    let (mut below, mut pairs, mut supported) = (0.0, 0.0, 0.0);
    for equal in sorted.chunk_by(|a, b| a.figure == b.figure) {
        let own = equal.iter().filter(|one| one.supported).count() as f64;
        let others = equal.len() as f64 - own;
        pairs += own * (below + others / 2.0);
        below += others;
        supported += own;
    }
    if supported == 0.0 || below == 0.0 {
        return None;
    }
    let share = pairs / (supported * below);
    let n = (supported + below) / 2.0;
    let error = |at: f64| {
        let spread = 1.0 + (n - 1.0) * ((1.0 - at) / (2.0 - at) + at / (1.0 + at));
        Z * libm::sqrt(at * (1.0 - at) * spread / (supported * below))
    };
    // The shares furthest off that are not further than their own error allows.
    let end = |mut outside: f64| {
        let mut inside = share;
        for _ in 0..50 {
            let middle = (inside + outside) / 2.0;
            match libm::fabs(share - middle) <= error(middle) {
                true => inside = middle,
                false => outside = middle,
            }
        }
        inside
    };
    Some(Interval::new(share, end(0.0), end(1.0)))
}

/// Of the normal distribution, for 95 %.
const Z: f64 = 1.959_964;

impl Interval {
    fn new(value: f64, low: f64, high: f64) -> Self {
        Self {
            value: round6(value),
            low: round6(low),
            high: round6(high),
        }
    }

    /// Wilson's, of `right` among `all`.
    pub fn wilson(right: f64, all: f64) -> Self {
        let share = right / all;
        let z = Z * Z / all;
        let middle = (share + z / 2.0) / (1.0 + z);
        let half = Z * libm::sqrt(share * (1.0 - share) / all + z / (4.0 * all)) / (1.0 + z);
        Self {
            value: share,
            low: middle - half,
            high: middle + half,
        }
    }
}

/// How a cut tells the labels.
#[derive(Default)]
struct Counts {
    /// Supported claims, and those of them that are accepted.
    supported: [f64; 2],
    /// Other claims, and those of them that are not.
    others: [f64; 2],
}

impl Counts {
    fn of(told: impl Iterator<Item = (bool, bool)>) -> Self {
        let mut counts = Self::default();
        for (supported, accepted) in told {
            let [all, right] = match supported {
                true => &mut counts.supported,
                false => &mut counts.others,
            };
            *all += 1.0;
            *right += f64::from(u8::from(supported == accepted));
        }
        counts
    }

    /// The mean of both shares; its interval is made of theirs.
    fn balanced(&self) -> Option<Interval> {
        if self.supported[0] == 0.0 || self.others[0] == 0.0 {
            return None;
        }
        let [a, b] = [self.supported, self.others].map(|[all, right]| Interval::wilson(right, all));
        let far = |a: f64, b: f64| libm::sqrt(a * a + b * b) / 2.0;
        let value = (a.value + b.value) / 2.0;
        let low = value - far(a.value - a.low, b.value - b.low);
        let high = value + far(a.high - a.value, b.high - b.value);
        Some(Interval::new(value, low, high))
    }
}

/// Thresholds go in twentieths: finer ones would fit the noise.
const STEPS: u32 = 20;
/// So large a share of claims that are not supported may be called VERIFIED.
const MOST_WRONG: f64 = 0.05;

/// The thresholds that tell the labels apart best: PLAUSIBLE by balanced accuracy, VERIFIED as what
/// lets most supported claims through with at most [`MOST_WRONG`] of the others. The stricter of equals.
fn fit(claims: &[Labelled]) -> Option<Thresholds> {
    let judged: Vec<(bool, f64, f64)> = claims
        .iter()
        .filter_map(|claim| {
            let full = claim.full?;
            match claim.is_entailed() {
                true => Some((claim.supported, full.confidence?, claim.delta?)),
                false => Some((claim.supported, LEAST, LEAST)),
            }
        })
        .collect();
    let grid = (0..=STEPS).flat_map(|full| (0..=STEPS).map(move |delta| (full, delta)));
    let cuts: Vec<(Minimum, Counts)> = grid
        .map(|(full, delta)| {
            let least = Minimum {
                full: f64::from(full) / f64::from(STEPS),
                delta: f64::from(delta) / f64::from(STEPS),
            };
            let accepted = |full: f64, delta: f64| full >= least.full && delta >= least.delta;
            let told = judged
                .iter()
                .map(|(supported, full, delta)| (*supported, accepted(*full, *delta)));
            (least, Counts::of(told))
        })
        .collect();
    let share = |[all, right]: [f64; 2]| right / all;
    let mut plausible: Option<(f64, Minimum)> = None;
    for (least, counts) in &cuts {
        let value = counts.balanced()?.value;
        if plausible.is_none_or(|(best, _)| value >= best) {
            plausible = Some((value, *least));
        }
    }
    let (_, plausible) = plausible?;
    let mut verified = (-1.0, plausible);
    for (least, counts) in &cuts {
        let stricter = least.full >= plausible.full && least.delta >= plausible.delta;
        let through = share(counts.supported);
        if stricter && 1.0 - share(counts.others) <= MOST_WRONG && through >= verified.0 {
            verified = (through, *least);
        }
    }
    Some(Thresholds {
        verified: verified.1,
        plausible,
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::profile::Profile;

    fn claim(supported: bool, support: f64, delta: f64) -> Labelled {
        let entailed = support >= 0.5;
        Labelled {
            supported,
            status: match entailed {
                true => Status::Verified,
                false => Status::Unsupported,
            },
            full: Some(Seen {
                verdict: match entailed {
                    true => Verdict::Entailed,
                    false => Verdict::Contradicted,
                },
                confidence: Some(support.max(1.0 - support)),
                support: Some(support),
            }),
            delta: Some(delta),
            scrubbed: None,
            nulls: Vec::new(),
        }
    }

    fn run(claims: &[Labelled]) -> Calibration {
        calibrate(&Profile::named("strawberry").unwrap().thresholds, claims)
    }

    #[test]
    fn a_judge_that_is_right_has_one_and_an_interval_below_it() {
        let claims: Vec<Labelled> = (0..20)
            .map(|at| claim(at % 2 == 0, if at % 2 == 0 { 0.9 } else { 0.2 }, 0.5))
            .collect();
        let calibration = run(&claims);
        assert_eq!((calibration.supported, calibration.unsupported), (10, 10));
        for score in &calibration.scores {
            for interval in [score.auroc.unwrap(), score.balanced_accuracy.unwrap()] {
                assert_eq!((score.claims, interval.value), (20, 1.0), "{score:?}");
                assert!(interval.low > 0.6 && interval.low < 0.95, "{score:?}");
                assert!((interval.high - 1.0).abs() < 1e-6, "{score:?}");
            }
        }
        assert_eq!(calibration.statuses[0].supported, 10);
    }

    #[test]
    fn pairs_are_counted_and_ties_are_half() {
        let told = |figures: &[(bool, f64)]| {
            let told = figures.iter().map(|(supported, figure)| Told {
                supported: *supported,
                figure: *figure,
                held: 0.0,
            });
            auroc(&told.collect::<Vec<_>>()).map(|interval| interval.value)
        };
        assert_eq!(told(&[(true, 0.9), (false, 0.1)]), Some(1.0));
        assert_eq!(told(&[(true, 0.1), (false, 0.9)]), Some(0.0));
        assert_eq!(told(&[(true, 0.5), (false, 0.5)]), Some(0.5));
        let four = [(true, 0.9), (true, 0.3), (false, 0.5), (false, 0.3)];
        // Of four pairs two are right, one is wrong, one is a tie.
        assert_eq!(told(&four), Some(0.625));
        assert_eq!(told(&[(true, 0.9)]), None);
        assert_eq!(told(&[]), None);
    }

    #[test]
    fn more_claims_make_intervals_narrower() {
        let width = |count: usize| {
            let claims: Vec<Labelled> = (0..count)
                .map(|at| claim(at % 2 == 0, [0.9, 0.2, 0.4, 0.6][at % 4], 0.4))
                .collect();
            let auroc = run(&claims).scores[0].auroc.unwrap();
            assert!(auroc.low < auroc.value && auroc.value < auroc.high);
            auroc.high - auroc.low
        };
        assert!(width(400) < width(40) / 2.0);
    }

    #[test]
    fn failed_passes_are_in_no_figure() {
        let failed = Labelled {
            full: None,
            delta: None,
            status: Status::Inconclusive,
            ..claim(true, 0.9, 0.5)
        };
        let calibration = run(&[claim(true, 0.9, 0.5), claim(false, 0.1, 0.0), failed]);
        assert!(calibration.scores.iter().all(|score| score.claims == 2));
        assert_eq!(calibration.statuses[4].supported, 1);
    }

    #[test]
    fn fitted_thresholds_are_ones_that_a_request_takes() {
        // The evidence was used for the supported ones; the others are as sure without it.
        let mut claims = Vec::new();
        for at in 0..40 {
            let spread = f64::from(at) / 400.0;
            claims.push(claim(true, 0.85 + spread, 0.3 + spread));
            claims.push(claim(false, 0.85 + spread, 0.1 + spread));
        }
        let fitted = run(&claims).fitted.unwrap();
        fitted.check("thresholds").unwrap();
        assert!(
            fitted.plausible.delta > 0.19 && fitted.plausible.delta <= 0.3,
            "{fitted:?}"
        );
        let wrong = |least: Minimum| {
            let wrong = |one: &&Labelled| !one.supported && one.delta >= Some(least.delta);
            claims.iter().filter(wrong).count()
        };
        assert_eq!(wrong(fitted.verified), 0);
        assert_eq!(run(&claims[..1]).fitted, None);
    }

    #[test]
    fn every_null_has_its_own_score() {
        let mut one = claim(true, 0.9, 0.5);
        let mut other = claim(false, 0.9, 0.0);
        for (claim, delta) in [(&mut one, 0.0), (&mut other, 0.4)] {
            claim.nulls = vec![SeenNull {
                mode: Mode::NoEvidence,
                delta: Some(delta),
                support: None,
            }];
        }
        let scores = run(&[one, other]).scores;
        let values: Vec<(&str, f64)> = scores
            .iter()
            .map(|score| (score.of.as_str(), score.auroc.unwrap().value))
            .collect();
        assert_eq!(
            values,
            [("full", 0.5), ("delta", 1.0), ("no_evidence", 0.0)]
        );
    }

    #[test]
    fn what_the_evidence_adds_ranks_claims_also_where_none_is_found_entailed() {
        let claim = |supported, full: f64, null: f64| {
            let mut claim = claim(supported, full, 0.0);
            claim.scrubbed = Some(null);
            claim
        };
        let claims = [
            claim(true, 0.4, 0.1),
            claim(true, 0.3, 0.1),
            claim(false, 0.45, 0.4),
            claim(false, 0.2, 0.2),
        ];
        let scores = run(&claims).scores;
        assert_eq!(scores[1].auroc.unwrap().value, 1.0);
        assert_eq!(scores[1].balanced_accuracy.unwrap().value, 0.5);
        assert!(scores[0].auroc.unwrap().value < 1.0);
    }
}
