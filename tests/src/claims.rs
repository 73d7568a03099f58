//! The sets of labelled claims, what the built-in judge makes of them through the whole method, and the
//! fit of its weights.

use std::{collections::BTreeSet, fs, path::Path};

use claimgauge_core::{
    builtin::{self, FEATURE_NAMES, Features},
    calibration::{Labelled, Seen},
    decide::Status,
    evidence::{ClaimInput, Request, Span, SpanInput},
    judgement::{Basis, Verdict},
    profile::{ProfileChoice, Trigger},
    report::Finding,
    verification::{Answer, Step, Verification},
};
use serde::Deserialize;

/// The sets to which the weights are fitted; the rules were developed on them as well.
pub const KNOWN: [&str; 3] = ["seedstyle40", "mutbench_a", "blind"];
/// The sets that were written before any rule was made for them, the first by someone who had not seen the rules.
pub const BLIND: [&str; 4] = ["blind_two", "blind_three", "blind_four", "blind_five"];

/// One labelled claim.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name.
    pub id: String,
    /// What its evidence is about; empty where the set has only one claim on each.
    #[serde(default)]
    pub dom: String,
    /// How the claim was made from a true one.
    #[serde(default)]
    pub r#mut: String,
    /// Whether the evidence supports it (`sup`), contradicts it (`contra`) or says nothing of it (`unrel`).
    pub kind: String,
    /// 1 where the evidence supports it.
    pub label: u8,
    /// The claim.
    pub claim: String,
    /// The texts of the spans.
    pub evidence: Vec<String>,
}

impl Case {
    /// Whether the evidence supports the claim.
    pub fn is_supported(&self) -> bool {
        self.label == 1
    }

    /// The evidence as spans.
    pub fn spans(&self) -> Vec<Span> {
        spans(&self.evidence)
    }

    /// How the claim was made: the mutation, or the kind where the set names none.
    pub fn mutation(&self) -> &str {
        if self.r#mut.is_empty() {
            &self.kind
        } else {
            &self.r#mut
        }
    }

    /// The profile with which claims of this domain are verified.
    pub fn profile(&self) -> &'static str {
        match self.dom.as_str() {
            "sql" | "csv" | "csvtable" => "data",
            "cargo" | "code" | "deps" | "gostruct" | "graphql" | "maven" | "proto"
            | "rustconst" | "trace" => "code",
            "cve" | "perm" | "iam" => "security",
            "api" | "changelog" | "ci" | "cli" | "config" | "cron" | "doc" | "docker"
            | "headers" | "incident" | "k8s" | "man" | "nginx" | "notes" | "phpini" | "prom"
            | "release" | "rest" | "rfc" | "sshd" | "systemd" | "terraform" => "documentation",
            _ => "strawberry",
        }
    }
}

/// The set of that name in `tests/vectors/claims`.
///
/// # Panics
/// Where there is none, or a line is no labelled claim.
#[allow(clippy::disallowed_methods, reason = "the vectors are files")]
pub fn read(set: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("vectors/claims/{set}.jsonl"));
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let case = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    text.lines().map(case).collect()
}

/// The claims of several sets, in order.
pub fn read_all(sets: &[&str]) -> Vec<Case> {
    sets.iter().flat_map(|set| read(set)).collect()
}

/// Texts as spans.
pub fn spans<S: AsRef<str>>(texts: &[S]) -> Vec<Span> {
    let number = |(at, text): (usize, &S)| Span {
        id: format!("S{at}"),
        text: text.as_ref().into(),
        source: None,
    };
    texts.iter().enumerate().map(number).collect()
}

/// The names of the domains.
pub fn domains(cases: &[Case]) -> BTreeSet<&str> {
    cases.iter().map(|case| case.dom.as_str()).collect()
}

/// Both passes over one claim, the built-in judge answering.
///
/// # Panics
/// Where the case is no valid request.
pub fn verify(case: &Case) -> Finding {
    let mut run = Verification::new(Request {
        profile: ProfileChoice::Named(case.profile().into()),
        evidence: case
            .evidence
            .iter()
            .map(|text| SpanInput::from(text.as_str()))
            .collect(),
        claims: vec![ClaimInput::from(case.claim.as_str())],
        trigger: Some(Trigger::Always),
        ..Request::default()
    })
    .expect("a valid request");
    loop {
        match run.poll(4) {
            Step::Ask(requests) => {
                for asked in requests {
                    let answer = Answer {
                        basis: Some(Basis::Builtin),
                        ..Answer::text(builtin::reply(&asked.spans, &asked.claim_text))
                    };
                    run.handle(&asked.id, answer).expect("it was asked");
                }
            }
            Step::Wait => unreachable!("each question was answered"),
            Step::Done(mut report) => return report.claims.remove(0),
        }
    }
}

/// A finding with its label, for [`claimgauge_core::calibration::calibrate`].
pub fn labelled(case: &Case, finding: &Finding) -> Labelled {
    Labelled {
        supported: case.is_supported(),
        status: finding.status,
        full: finding.full.as_ref().and_then(|pass| {
            Some(Seen {
                verdict: pass.verdict?,
                confidence: pass.confidence,
                support: pass.support,
            })
        }),
        delta: finding.delta,
        scrubbed: finding.scrubbed.as_ref().and_then(|pass| pass.support),
        nulls: Vec::new(),
    }
}

/// Whether both passes together accept the claim.
pub fn is_accepted(status: Status) -> bool {
    matches!(status, Status::Verified | Status::Plausible)
}

/// What the fit is given: each claim's features, and 1 for a supported one.
pub fn samples(cases: &[Case]) -> Vec<(Features, f64)> {
    let sample = |case: &Case| {
        (
            builtin::features(&case.spans(), &case.claim),
            f64::from(case.label),
        )
    };
    cases.iter().map(sample).collect()
}

/// The weights that gradient descent on the log loss gives. Both labels count alike; weights are drawn to
/// [`PRIOR`] by [`DECAY`], so that what the claims do not show keeps it; and none but the first is above 0:
/// nothing that is missing speaks for a claim.
pub fn fit(samples: &[(Features, f64)]) -> Features {
    const DECAY: f64 = 0.002;
    const PRIOR: f64 = -1.0;
    const STEPS: usize = 3000;
    let positives = samples.iter().map(|(_, label)| label).sum::<f64>();
    #[allow(clippy::cast_precision_loss, reason = "hundreds")]
    let count = samples.len() as f64;
    let mut weights = Features::default();
    for _ in 0..STEPS {
        let mut gradient = weights.map(|weight| (weight - PRIOR) * DECAY);
        for (features, label) in samples {
            let share = if *label > 0.5 {
                positives
            } else {
                count - positives
            };
            let error = (builtin::logistic(features, &weights) - label) / (2.0 * share);
            for (slope, feature) in gradient.iter_mut().zip(features) {
                *slope += error * feature;
            }
        }
        for (weight, slope) in weights.iter_mut().zip(gradient) {
            *weight -= slope;
        }
        for weight in &mut weights[1..] {
            *weight = weight.min(0.0);
        }
    }
    weights
}

/// The file of the core that holds `weights`.
pub fn weights_file(weights: &Features) -> String {
    let rows: String = FEATURE_NAMES
        .iter()
        .zip(weights)
        .map(|(name, weight)| format!("    {:<6} // {name}\n", format!("{weight:.2},")))
        .collect();
    let sets = KNOWN.map(|set| format!("`{set}`")).join(", ");
    format!(
        "//! The logistic model's weights. Made by `cargo xtask weights` from the claims in {sets}.\n\n\
         use super::Features;\n\n\
         /// One for each of [`FEATURE_NAMES`](super::FEATURE_NAMES).\n\
         pub const WEIGHTS: Features = [\n{rows}];\n"
    )
}

/// The verdict that the full pass would have with other weights.
pub fn verdict(sample: &Features, judged: Verdict, weights: &Features) -> Verdict {
    match judged {
        Verdict::Contradicted => judged,
        _ if builtin::logistic(sample, weights) >= 0.5 => Verdict::Entailed,
        _ => Verdict::Unsure,
    }
}
