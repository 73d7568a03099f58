//! The status and recommendation tables.

use alloc::{format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    judgement::{Judgement, Verdict},
    profile::Thresholds,
};

/// How the open rows of the status table are read.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// What a contradicted claim becomes that the scrubbed pass found entailed.
    pub on_conflict: OnConflict,
    /// What a claim becomes of which neither pass is sure.
    pub on_unsure: OnUnsure,
    /// What atoms that the evidence lacks do.
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
