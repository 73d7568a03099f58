//! The status table against `vectors/decisions.json`, and which claims a trigger skips.
#![allow(
    clippy::unwrap_used,
    reason = "a suite that cannot go on is a failed test"
)]

use claimgauge_core::{
    decide::{DecideRequest, Decision, Flag, Status},
    evidence::Claim,
    profile::{SkipReason, Trigger},
};
use claimgauge_tests::contexts::{CACHED, CONFLICT, QUIET, TIME_SENSITIVE};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Row {
    profile: String,
    scrubbed: Value,
    full: Value,
    #[serde(default)]
    policy: Value,
    delta: Option<f64>,
    status: Status,
    flags: Vec<Flag>,
}

impl Row {
    fn decide(&self) -> Decision {
        let request = json!({
            "profile": self.profile,
            "scrubbed": self.scrubbed,
            "full": self.full,
            "policy": self.policy,
        });
        let request: DecideRequest = serde_json::from_value(request).unwrap();
        request.run().unwrap()
    }
}

#[test]
fn every_row_is_decided_as_it_says() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../vectors/decisions.json")).unwrap();
    assert_eq!(rows.len(), 220);
    for (at, row) in rows.iter().enumerate() {
        let got = row.decide();
        assert_eq!(got.status, row.status, "row {at}: {got:?}");
        assert_eq!(got.delta, row.delta, "row {at}: {got:?}");
        assert_eq!(got.flags, row.flags, "row {at}: {got:?}");
        assert_eq!(got.action, row.status.action());
    }
}

#[test]
fn a_confidence_outside_its_range_is_refused_by_name() {
    for (confidence, path) in [(1.5, "full.confidence"), (-0.1, "full.confidence")] {
        let request: DecideRequest = serde_json::from_value(json!({
            "profile": "code",
            "full": { "verdict": "ENTAILED", "confidence": confidence },
        }))
        .unwrap();
        assert_eq!(request.run().unwrap_err().path(), path);
    }
}

#[test]
fn what_a_plausible_claim_is_short_of_is_named() {
    for (scrubbed, full, asked) in [
        (0.2, 0.7, "VERIFIED asks for 0.80 full at least."),
        (0.7, 0.9, "VERIFIED asks for a delta of 0.30 at least."),
        (
            0.5,
            0.7,
            "VERIFIED asks for 0.80 full and a delta of 0.30 at least.",
        ),
    ] {
        let request: DecideRequest = serde_json::from_value(json!({
            "profile": "strawberry",
            "scrubbed": { "verdict": "ENTAILED", "confidence": scrubbed },
            "full": { "verdict": "ENTAILED", "confidence": full },
        }))
        .unwrap();
        let got = request.run().unwrap();
        assert_eq!(got.status, Status::Plausible);
        assert!(got.why.ends_with(asked), "{}", got.why);
    }
}

#[test]
fn triggers_skip_by_their_rows() {
    let claim = |confidence, critical| Claim {
        id: "C0".to_owned(),
        text: "It is so".to_owned(),
        cites: None,
        critical,
        confidence,
    };
    use {SkipReason::*, Trigger::*};
    #[rustfmt::skip]
    let rows = [
        (Always, claim(Some(0.95), false), TIME_SENSITIVE, None),
        (Manual, claim(None, false), QUIET, None),
        (Manual, claim(None, false), TIME_SENSITIVE, Some(TimeSensitive)),
        (OnMediumConfidence, claim(Some(0.9), false), QUIET, Some(HighConfidence)),
        (OnMediumConfidence, claim(Some(0.9), false), CACHED, Some(Cached)),
        (OnMediumConfidence, claim(Some(0.89), false), CACHED, None),
        (OnMediumConfidence, claim(Some(0.6), false), QUIET, None),
        (OnMediumConfidence, claim(Some(0.59), false), QUIET, Some(LowConfidence)),
        (OnMediumConfidence, claim(None, false), QUIET, None),
        (OnCriticalClaim, claim(None, true), QUIET, None),
        (OnCriticalClaim, claim(None, false), QUIET, Some(NotCritical)),
        (OnConflict, claim(None, true), QUIET, Some(NoConflict)),
        (OnConflict, claim(None, true), CONFLICT, None),
    ];
    for (trigger, claim, context, want) in rows {
        assert_eq!(
            trigger.skips(&claim, &context),
            want,
            "{trigger:?} {claim:?} {context:?}"
        );
    }
}
