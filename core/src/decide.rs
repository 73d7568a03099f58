//! The status and recommendation tables.
//!
//! [`decide`] reads the status table's first row that fits, [`recommend`] the recommendation
//! table's. Both are pure: the same judgements give the same conclusion. `docs/verdicts.md` has every row with
//! an example, printed by them.
//!
//! ```
//! use claimgauge_core::decide::{Policy, Rule, Status, decide};
//! use claimgauge_core::judgement::{Basis, Judgement, Verdict};
//! use claimgauge_core::profile::Profile;
//!
//! let thresholds = Profile::named("strawberry").unwrap().thresholds;
//! let says = |verdict, confidence| Judgement {
//!     verdict,
//!     confidence: Some(confidence),
//!     reasoning: String::new(),
//!     basis: Basis::Verbal,
//! };
//!
//! // With the names the judge is sure, without them it is not: the evidence carried the claim.
//! let full = says(Verdict::Entailed, 0.95);
//! let scrubbed = says(Verdict::Entailed, 0.40);
//! let decision = decide(&thresholds, (&scrubbed).into(), (&full).into(), Policy::default());
//! assert_eq!(decision.status, Status::Verified);
//! assert_eq!(decision.delta, Some(0.55));
//!
//! // As sure without them: whatever convinced the judge, it was not the evidence.
//! let decision = decide(&thresholds, (&full).into(), (&full).into(), Policy::default());
//! assert_eq!(decision.status, Status::Suspicious);
//! assert_eq!(decision.rule, Rule::DeltaSmall);
//! ```

use alloc::{format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    Error,
    input::{check_unit, null_as_default},
    judgement::{Judgement, Verdict},
    number::{fixed2, round6},
    profile::{ProfileChoice, Thresholds, ThresholdsInput},
};

/// The status of a claim of which one pass gave `scrubbed` and the other `full`.
///
/// [`Outcome::NotAsked`] counts as a failure where the full pass alone does not settle the status
/// (see [`settled_by_full`]).
pub fn decide(
    thresholds: &Thresholds,
    scrubbed: Outcome<'_>,
    full: Outcome<'_>,
    policy: Policy,
) -> Decision {
    let case = Case {
        thresholds,
        scrubbed,
        full,
        policy,
    };
    let row = STATUS_ROWS
        .iter()
        .find(|row| (row.when)(&case))
        .expect("the last row always fits");
    let status = (row.status)(&case);
    Decision {
        status,
        delta: case.delta(),
        flags: (row.flags)(&case),
        rule: row.rule,
        why: (row.why)(&case),
        action: status.action(),
    }
}

/// Whether the scrubbed pass can no longer change the status: after a full pass that failed, that
/// contradicts the claim, or that is less sure of it than PLAUSIBLE asks for.
pub fn settled_by_full(thresholds: &Thresholds, full: Outcome<'_>) -> bool {
    match full {
        Outcome::Failed => true,
        Outcome::NotAsked => false,
        Outcome::Judged(full) => match full.verdict {
            Verdict::Contradicted => true,
            Verdict::Entailed => full
                .confidence
                .is_some_and(|value| value < thresholds.plausible.full),
            Verdict::Unsure => false,
        },
    }
}

/// What is to be done about all claims together.
pub fn recommend(tally: &Tally) -> Recommendation {
    RECOMMENDATION_ROWS
        .iter()
        .find(|row| (row.when)(tally))
        .expect("the last row always fits")
        .recommendation
}

/// How the open rows of the status table are read.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// What a contradicted claim becomes that the scrubbed pass found entailed.
    #[serde(deserialize_with = "null_as_default")]
    pub on_conflict: OnConflict,
    /// What a claim becomes of which neither pass is sure.
    #[serde(deserialize_with = "null_as_default")]
    pub on_unsure: OnUnsure,
    /// What atoms that the evidence lacks do.
    #[serde(deserialize_with = "null_as_default")]
    pub on_ungrounded: OnUngrounded,
}

/// See [`Policy::on_conflict`].
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OnConflict {
    /// SUSPICIOUS.
    Suspicious,
    /// UNSUPPORTED.
    #[default]
    Unsupported,
}

/// See [`Policy::on_unsure`].
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OnUnsure {
    /// PLAUSIBLE.
    #[default]
    Plausible,
    /// UNSUPPORTED.
    Unsupported,
}

/// See [`Policy::on_ungrounded`].
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OnUngrounded {
    /// VERIFIED is lowered to PLAUSIBLE.
    Cap,
    /// They are told, and that is all.
    #[default]
    Warn,
}

/// What came of one pass.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// The judge failed.
    Failed,
    /// The judge answered.
    Judged(&'a Judgement),
    /// The other pass had settled the status.
    NotAsked,
}

impl<'a> From<&'a Judgement> for Outcome<'a> {
    fn from(judgement: &'a Judgement) -> Self {
        Self::Judged(judgement)
    }
}

impl<'a> From<Option<&'a Judgement>> for Outcome<'a> {
    fn from(judgement: Option<&'a Judgement>) -> Self {
        judgement.map_or(Self::Failed, Self::Judged)
    }
}

/// What is concluded about one claim.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// No delta can honestly be formed.
    Inconclusive,
    /// The evidence does not support the claim.
    Unsupported,
    /// The evidence was not what convinced the judge.
    Suspicious,
    /// Supported, with room for doubt.
    Plausible,
    /// Supported, and the evidence was essential.
    Verified,
}

impl Status {
    /// All five, best first.
    pub const ALL: [Self; 5] = [
        Self::Verified,
        Self::Plausible,
        Self::Suspicious,
        Self::Unsupported,
        Self::Inconclusive,
    ];

    /// The status as reports write it.
    pub fn label(self) -> &'static str {
        STATUSES[self as usize].1
    }

    /// What to do about a claim of this status.
    pub fn action(self) -> &'static str {
        STATUSES[self as usize].2
    }
}

#[rustfmt::skip]
static STATUSES: [(Status, &str, &str); 5] = [
    (Status::Inconclusive, "INCONCLUSIVE", "Check the judge and run again"),
    (Status::Unsupported, "UNSUPPORTED", "Stop: gather more evidence or ask the user"),
    (Status::Suspicious, "SUSPICIOUS", "Add a warning and investigate"),
    (Status::Plausible, "PLAUSIBLE", "Proceed with caution, note uncertainty"),
    (Status::Verified, "VERIFIED", "Proceed with confidence"),
];

/// What a reader should know beside the status. Serialises as its snake_case name.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// The delta is negative, or only the full pass is unsure.
    Anomalous,
    /// Neither pass reached the least confidence.
    BothLow,
    /// The run was cancelled before this claim was judged.
    Cancelled,
    /// The run hit its cap before this claim was judged.
    Capped,
    /// The passes contradict each other; the user must confirm.
    Conflict,
    /// A span reads like instructions to the judge.
    InstructionLike,
    /// A pass failed.
    JudgeFailed,
    /// Tokens of the claim survived the scrub.
    Leak,
    /// The passes' confidences come from different bases.
    MixedBasis,
    /// Neither pass is sure.
    NeedsMoreEvidence,
    /// A pass has no confidence.
    NoConfidence,
    /// The scrubbed pass was confident without the names.
    PriorLeak,
    /// The scrub removed nothing of the claim, so its spans were redacted.
    RedactedSpans,
    /// Another value sits where the claim's should.
    RivalValue,
    /// The scrubbed pass was unsure, as it should be.
    ScrubbedUnsure,
    /// The claim quotes a secret, which was hidden.
    SecretInClaim,
    /// The run was stopped before this claim was judged.
    Stopped,
    /// An atom of the claim is not in the evidence.
    Ungrounded,
    /// The claim cites a span that is not there.
    UnknownCitation,
}

/// The row of the status table that decided. Serialises as its snake_case name.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "each is described by its row in the table below"
)]
pub enum Rule {
    PassFailed,
    Contradicted,
    NoConfidence,
    ScrubbedContradicted,
    BothLow,
    BothUnsure,
    FullUnsure,
    FullLow,
    ScrubbedUnsure,
    DeltaSmall,
    DeltaLarge,
    DeltaMedium,
    /// Not a row: the claim was never judged; its flag says why.
    NotJudged,
}

/// The status of one claim and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decision {
    /// The conclusion.
    pub status: Status,
    /// `full.confidence - scrubbed.confidence` in [-1, 1], to 6 decimals.
    pub delta: Option<f64>,
    /// What a reader should know beside it.
    pub flags: Vec<Flag>,
    /// The row that decided.
    pub rule: Rule,
    /// One sentence, with the numbers.
    pub why: String,
    /// What to do.
    pub action: &'static str,
}

impl Decision {
    /// Takes up the second opinion on a judged claim: whether an atom of it is `ungrounded`, and whether
    /// a `rival` sits where the claim's value should, which counts where the full pass says ENTAILED.
    ///
    /// Neither raises a status; `policy` may lower VERIFIED.
    pub fn ground(&mut self, ungrounded: bool, rival: bool, policy: Policy) {
        let found = [(ungrounded, Flag::Ungrounded), (rival, Flag::RivalValue)];
        let found = found.into_iter().filter(|(holds, _)| *holds);
        let known = self.flags.len();
        self.flags.extend(found.map(|(_, flag)| flag));
        let lowers = self.flags.len() > known && policy.on_ungrounded == OnUngrounded::Cap;
        if lowers && self.status == Status::Verified {
            self.status = Status::Plausible;
            self.action = self.status.action();
            self.why.push_str(
                " The policy lowers it, as the evidence does not hold what the claim names where it should.",
            );
        }
    }
}

/// What the npm call `decide` takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecideRequest {
    /// The profile whose thresholds are read.
    pub profile: ProfileChoice,
    /// What the scrubbed pass gave; absent where it failed.
    #[serde(default)]
    pub scrubbed: Option<Judgement>,
    /// What the full pass gave; absent where it failed.
    #[serde(default)]
    pub full: Option<Judgement>,
    /// How the open rows are read.
    #[serde(default)]
    pub policy: Option<Policy>,
    /// Thresholds over the profile's.
    #[serde(default)]
    pub thresholds: Option<ThresholdsInput>,
}

impl DecideRequest {
    /// Checks the request and decides.
    ///
    /// # Errors
    /// `unknown_profile`, `invalid_threshold`, `invalid_value` for a confidence outside [0, 1].
    pub fn run(&self) -> Result<Decision, Error> {
        let thresholds = self.profile.resolve_with(self.thresholds)?.thresholds;
        for (path, pass) in [
            ("scrubbed.confidence", &self.scrubbed),
            ("full.confidence", &self.full),
        ] {
            if let Some(confidence) = pass.as_ref().and_then(|pass| pass.confidence) {
                check_unit(path, confidence)?;
            }
        }
        Ok(decide(
            &thresholds,
            self.scrubbed.as_ref().into(),
            self.full.as_ref().into(),
            self.policy.unwrap_or_default(),
        ))
    }
}

/// What the rows of the status table look at.
struct Case<'a> {
    thresholds: &'a Thresholds,
    scrubbed: Outcome<'a>,
    full: Outcome<'a>,
    policy: Policy,
}

struct StatusRow {
    rule: Rule,
    when: fn(&Case<'_>) -> bool,
    status: fn(&Case<'_>) -> Status,
    flags: fn(&Case<'_>) -> Vec<Flag>,
    why: fn(&Case<'_>) -> String,
}

/// First row that fits.
static STATUS_ROWS: [StatusRow; 12] = [
    StatusRow {
        rule: Rule::PassFailed,
        when: |case| case.failed() || case.bases_differ(),
        status: |_| Status::Inconclusive,
        flags: |case| {
            one(if case.failed() {
                Flag::JudgeFailed
            } else {
                Flag::MixedBasis
            })
        },
        why: |case| {
            if case.failed() {
                let failed = |outcome| !matches!(outcome, Outcome::Judged(_));
                let which = match (failed(case.scrubbed), failed(case.full)) {
                    (true, true) => "Both passes",
                    (true, false) => "The scrubbed pass",
                    (false, _) => "The full pass",
                };
                format!("{which} failed, so no delta can be formed.")
            } else {
                "The passes' confidences come from different bases, so their difference means \
                 nothing."
                    .into()
            }
        },
    },
    StatusRow {
        rule: Rule::Contradicted,
        when: |case| case.full_verdict() == Some(Verdict::Contradicted),
        status: |case| {
            if case.conflict() && case.policy.on_conflict == OnConflict::Suspicious {
                Status::Suspicious
            } else {
                Status::Unsupported
            }
        },
        flags: |case| only_if(case.conflict(), Flag::Conflict),
        why: |case| {
            let but = if case.conflict() {
                ", though the scrubbed pass found it entailed: please confirm"
            } else {
                ""
            };
            let sure = case
                .full_confidence()
                .map_or(String::new(), |value| format!(" ({})", fixed2(value)));
            format!("The full evidence contradicts the claim{sure}{but}.")
        },
    },
    StatusRow {
        rule: Rule::NoConfidence,
        when: |case| case.confidence_missing(),
        status: |_| Status::Inconclusive,
        flags: |_| one(Flag::NoConfidence),
        why: |case| {
            let which = match (case.scrubbed_confidence(), case.full_confidence()) {
                (None, None) => "No pass gave",
                (None, _) => "The scrubbed pass did not give",
                (_, _) => "The full pass did not give",
            };
            format!("{which} a confidence, so no delta can be formed.")
        },
    },
    StatusRow {
        rule: Rule::ScrubbedContradicted,
        when: |case| {
            case.full_verdict() == Some(Verdict::Entailed)
                && case.scrubbed_verdict() == Some(Verdict::Contradicted)
        },
        status: |case| {
            if case.full_low() {
                Status::Unsupported
            } else {
                Status::Suspicious
            }
        },
        flags: |_| one(Flag::Conflict),
        why: |case| {
            format!(
                "The full pass finds the claim entailed ({}), the scrubbed pass contradicted ({}): \
                 please confirm.",
                case.f(),
                case.s()
            )
        },
    },
    StatusRow {
        rule: Rule::BothLow,
        when: |case| case.both_unsure() && case.scrubbed_low() && case.full_low(),
        status: |_| Status::Unsupported,
        flags: |_| one(Flag::BothLow),
        why: |case| {
            format!(
                "Neither pass is sure, and both are below the least confidence of {} ({} scrubbed, \
                 {} full).",
                case.least(),
                case.s(),
                case.f()
            )
        },
    },
    StatusRow {
        rule: Rule::BothUnsure,
        when: |case| case.both_unsure(),
        status: |case| match case.policy.on_unsure {
            OnUnsure::Plausible => Status::Plausible,
            OnUnsure::Unsupported => Status::Unsupported,
        },
        flags: |_| one(Flag::NeedsMoreEvidence),
        why: |case| {
            format!(
                "Both passes are sure only that the evidence does not say ({} scrubbed, {} full).",
                case.s(),
                case.f()
            )
        },
    },
    StatusRow {
        rule: Rule::FullUnsure,
        when: |case| case.full_verdict() == Some(Verdict::Unsure),
        status: |case| {
            if case.full_low() {
                Status::Unsupported
            } else {
                Status::Suspicious
            }
        },
        flags: |_| one(Flag::Anomalous),
        why: |case| {
            format!(
                "The judge is unsure with the full evidence ({}) but was not without the names ({}).",
                case.f(),
                case.s()
            )
        },
    },
    StatusRow {
        rule: Rule::FullLow,
        when: |case| case.full_low(),
        status: |_| Status::Unsupported,
        flags: |case| only_if(case.scrubbed_low(), Flag::BothLow),
        why: |case| {
            format!(
                "With the full evidence the judge is only {} sure, below the least confidence of {}.",
                case.f(),
                case.least()
            )
        },
    },
    StatusRow {
        rule: Rule::ScrubbedUnsure,
        when: |case| case.scrubbed_verdict() == Some(Verdict::Unsure),
        status: |case| {
            if case.full_high() {
                Status::Verified
            } else {
                Status::Plausible
            }
        },
        flags: |_| one(Flag::ScrubbedUnsure),
        why: |case| {
            format!(
                "Without the names the judge could not tell; with them it is {} sure.",
                case.f()
            )
        },
    },
    StatusRow {
        rule: Rule::DeltaSmall,
        when: |case| case.delta_below(case.thresholds.plausible.delta),
        status: |_| Status::Suspicious,
        flags: |case| {
            let mut flags = only_if(case.delta_below(0.0), Flag::Anomalous);
            let prior = case.scrubbed_confidence() >= Some(case.thresholds.verified.full);
            flags.extend(only_if(prior, Flag::PriorLeak));
            flags
        },
        why: |case| {
            format!(
                "The judge is {} sure with the evidence and {} without the names, a delta of {} only: the \
                 evidence was not what convinced the judge.",
                case.f(),
                case.s(),
                case.d()
            )
        },
    },
    StatusRow {
        rule: Rule::DeltaLarge,
        when: |case| case.full_high() && !case.delta_below(case.thresholds.verified.delta),
        status: |_| Status::Verified,
        flags: |_| Vec::new(),
        why: |case| {
            format!(
                "The judge is {} sure with the evidence and {} without the names: a delta of {}.",
                case.f(),
                case.s(),
                case.d()
            )
        },
    },
    StatusRow {
        rule: Rule::DeltaMedium,
        when: |_| true,
        status: |_| Status::Plausible,
        flags: |_| Vec::new(),
        why: |case| {
            let asked = case.thresholds.verified;
            let mut least = Vec::new();
            if !case.full_high() {
                least.push(format!("{} full", fixed2(asked.full)));
            }
            if case.delta_below(asked.delta) {
                least.push(format!("a delta of {}", fixed2(asked.delta)));
            }
            format!(
                "The judge is {} sure with the evidence and {} without the names, a delta of {}: VERIFIED \
                 asks for {} at least.",
                case.f(),
                case.s(),
                case.d(),
                least.join(" and ")
            )
        },
    },
];

impl Case<'_> {
    fn failed(&self) -> bool {
        match (self.scrubbed, self.full) {
            (_, Outcome::Failed | Outcome::NotAsked) | (Outcome::Failed, _) => true,
            (Outcome::NotAsked, full) => !settled_by_full(self.thresholds, full),
            (Outcome::Judged(_), Outcome::Judged(_)) => false,
        }
    }

    fn bases_differ(&self) -> bool {
        match (self.scrubbed, self.full) {
            (Outcome::Judged(scrubbed), Outcome::Judged(full)) => scrubbed.basis != full.basis,
            _ => false,
        }
    }

    fn delta(&self) -> Option<f64> {
        if self.bases_differ() {
            return None;
        }
        Some(round6(
            self.full_confidence()? - self.scrubbed_confidence()?,
        ))
    }

    fn delta_below(&self, least: f64) -> bool {
        self.delta().is_some_and(|delta| delta < least)
    }

    fn conflict(&self) -> bool {
        self.scrubbed_verdict() == Some(Verdict::Entailed)
    }

    fn both_unsure(&self) -> bool {
        self.full_verdict() == Some(Verdict::Unsure)
            && self.scrubbed_verdict() == Some(Verdict::Unsure)
    }

    fn confidence_missing(&self) -> bool {
        let asked = matches!(self.scrubbed, Outcome::Judged(_));
        self.full_confidence().is_none() || (asked && self.scrubbed_confidence().is_none())
    }

    fn full_low(&self) -> bool {
        self.full_confidence()
            .is_some_and(|value| value < self.thresholds.plausible.full)
    }

    fn full_high(&self) -> bool {
        self.full_confidence()
            .is_some_and(|value| value >= self.thresholds.verified.full)
    }

    fn scrubbed_low(&self) -> bool {
        self.scrubbed_confidence()
            .is_some_and(|value| value < self.thresholds.plausible.full)
    }

    fn full_verdict(&self) -> Option<Verdict> {
        self.full.judgement().map(|judgement| judgement.verdict)
    }

    fn scrubbed_verdict(&self) -> Option<Verdict> {
        self.scrubbed.judgement().map(|judgement| judgement.verdict)
    }

    fn full_confidence(&self) -> Option<f64> {
        self.full.judgement()?.confidence
    }

    fn scrubbed_confidence(&self) -> Option<f64> {
        self.scrubbed.judgement()?.confidence
    }

    // The numbers of the sentences.

    fn f(&self) -> String {
        number(self.full_confidence())
    }

    fn s(&self) -> String {
        number(self.scrubbed_confidence())
    }

    fn d(&self) -> String {
        number(self.delta())
    }

    fn least(&self) -> String {
        fixed2(self.thresholds.plausible.full)
    }
}

impl<'a> Outcome<'a> {
    /// The judgement, where there is one.
    pub fn judgement(self) -> Option<&'a Judgement> {
        match self {
            Self::Judged(judgement) => Some(judgement),
            Self::Failed | Self::NotAsked => None,
        }
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".into(), fixed2)
}

fn one(flag: Flag) -> Vec<Flag> {
    only_if(true, flag)
}

fn only_if(holds: bool, flag: Flag) -> Vec<Flag> {
    holds.then_some(flag).into_iter().collect()
}

/// What is to be done. Serialises in SCREAMING_SNAKE_CASE.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Recommendation {
    /// Find more evidence first.
    GatherMoreEvidence,
    /// Go on.
    Proceed,
    /// Go on, and say what is doubtful.
    ProceedWithWarnings,
    /// Do not go on.
    Stop,
}

impl Recommendation {
    /// The recommendation as reports write it.
    pub fn label(self) -> &'static str {
        match self {
            Self::GatherMoreEvidence => "GATHER_MORE_EVIDENCE",
            Self::Proceed => "PROCEED",
            Self::ProceedWithWarnings => "PROCEED_WITH_WARNINGS",
            Self::Stop => "STOP",
        }
    }
}

/// What the recommendation table looks at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Claims of the request, skipped ones included.
    pub claims: usize,
    /// Findings by status, in the order of [`Status`].
    pub by_status: [usize; 5],
    /// Findings with the flag `conflict`.
    pub conflicts: usize,
    /// Findings with the flag `needs_more_evidence`.
    pub needs_more: usize,
    /// Claims skipped as `low_confidence`.
    pub skipped_low: usize,
    /// Whether the caller says that more evidence can be had.
    pub more_evidence: bool,
}

impl Tally {
    /// How many findings have that status.
    pub fn of(&self, status: Status) -> usize {
        self.by_status[status as usize]
    }
}

struct RecommendationRow {
    when: fn(&Tally) -> bool,
    recommendation: Recommendation,
}

/// First row that fits.
static RECOMMENDATION_ROWS: [RecommendationRow; 6] = [
    RecommendationRow {
        when: |tally| tally.claims == 0,
        recommendation: Recommendation::GatherMoreEvidence,
    },
    RecommendationRow {
        when: |tally| tally.of(Status::Unsupported) > 0,
        recommendation: Recommendation::Stop,
    },
    RecommendationRow {
        when: |tally| tally.of(Status::Inconclusive) + tally.needs_more + tally.skipped_low > 0,
        recommendation: Recommendation::GatherMoreEvidence,
    },
    RecommendationRow {
        when: |tally| tally.of(Status::Suspicious) > 0 && tally.more_evidence,
        recommendation: Recommendation::GatherMoreEvidence,
    },
    RecommendationRow {
        when: |tally| tally.of(Status::Suspicious) + tally.conflicts > 0,
        recommendation: Recommendation::ProceedWithWarnings,
    },
    RecommendationRow {
        when: |_| true,
        recommendation: Recommendation::Proceed,
    },
];

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::{judgement::Basis, profile::Profile};

    /// Every pair of outcomes on a grid that meets every threshold from both sides.
    fn cases() -> Vec<(Option<Judgement>, Option<Judgement>)> {
        let mut passes = Vec::from([None]);
        for verdict in Verdict::ALL {
            for basis in [Basis::Verbal, Basis::Logprob] {
                for confidence in [
                    None,
                    Some(0.1),
                    Some(0.5),
                    Some(0.6),
                    Some(0.7),
                    Some(0.8),
                    Some(0.95),
                ] {
                    passes.push(Some(Judgement {
                        verdict,
                        confidence,
                        reasoning: String::new(),
                        basis,
                    }));
                }
            }
        }
        passes
            .iter()
            .flat_map(|scrubbed| {
                passes
                    .iter()
                    .map(move |full| (scrubbed.clone(), full.clone()))
            })
            .collect()
    }

    #[test]
    fn every_state_has_a_row_and_no_row_is_dead() {
        let thresholds = Profile::named("strawberry").unwrap().thresholds;
        let mut used = BTreeSet::new();
        for (scrubbed, full) in cases() {
            let outcomes = (scrubbed.as_ref().into(), full.as_ref().into());
            let decision = decide(&thresholds, outcomes.0, outcomes.1, Policy::default());
            assert!(decision.why.ends_with('.'), "{decision:?}");
            assert!(!decision.why.contains("n/a"), "{decision:?}");
            used.insert(decision.rule as usize);
        }
        assert_eq!(used.len(), STATUS_ROWS.len());
        for (at, row) in STATUS_ROWS.iter().enumerate() {
            assert_eq!(
                row.rule as usize, at,
                "rows stand in the order of their rules"
            );
        }
    }

    #[test]
    fn what_the_full_pass_settles_no_scrubbed_pass_changes() {
        let thresholds = Profile::named("strawberry").unwrap().thresholds;
        for (scrubbed, full) in cases() {
            let full = Outcome::from(full.as_ref());
            if !settled_by_full(&thresholds, full) || scrubbed.is_none() {
                continue;
            }
            let alone = decide(&thresholds, Outcome::NotAsked, full, Policy::default());
            let both = decide(
                &thresholds,
                scrubbed.as_ref().into(),
                full,
                Policy::default(),
            );
            // A scrubbed pass of another basis or without a confidence would only have spoilt it.
            if both.status != Status::Inconclusive {
                assert_eq!(alone.status, both.status, "{scrubbed:?} {full:?}");
            }
        }
    }

    #[test]
    fn a_delta_is_rounded_before_it_is_compared() {
        let thresholds = Profile::named("strawberry").unwrap().thresholds;
        let says = |confidence| Judgement {
            verdict: Verdict::Entailed,
            confidence: Some(confidence),
            reasoning: String::new(),
            basis: Basis::Verbal,
        };
        let decision = decide(
            &thresholds,
            (&says(0.55)).into(),
            (&says(0.85)).into(),
            Policy::default(),
        );
        assert_eq!(
            (decision.delta, decision.status),
            (Some(0.3), Status::Verified)
        );
    }

    #[test]
    fn every_row_of_the_recommendation_table_decides_something() {
        let tally = |by_status: [usize; 5]| Tally {
            claims: 1,
            by_status,
            ..Tally::default()
        };
        let suspicious = tally([0, 0, 1, 0, 0]);
        use Recommendation::*;
        #[rustfmt::skip]
        let rows = [
            (Tally::default(), GatherMoreEvidence),
            (tally([1, 1, 0, 0, 0]), Stop),
            (tally([1, 0, 1, 0, 0]), GatherMoreEvidence),
            (Tally { needs_more: 1, ..tally([0, 0, 0, 1, 0]) }, GatherMoreEvidence),
            (Tally { skipped_low: 1, ..tally([0; 5]) }, GatherMoreEvidence),
            (Tally { more_evidence: true, ..suspicious }, GatherMoreEvidence),
            (suspicious, ProceedWithWarnings),
            (Tally { conflicts: 1, ..tally([0, 0, 0, 1, 0]) }, ProceedWithWarnings),
            (tally([0, 0, 0, 1, 1]), Proceed),
            (tally([0; 5]), Proceed),
        ];
        for (tally, want) in rows {
            assert_eq!(recommend(&tally), want, "{tally:?}");
        }
    }
}
