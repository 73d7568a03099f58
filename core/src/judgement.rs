//! What a judge says of one claim in one pass.
//!
//! `confidence` is how sure the judge is that its verdict is right; [`Judgement::support`] is how likely it
//! finds the claim entailed. For ENTAILED they are the same, for CONTRADICTED one is the other's complement.
//!
//! ```
//! use claimgauge_core::judgement::{Basis, Judgement, Verdict};
//!
//! let says = |verdict, confidence| Judgement {
//!     verdict,
//!     confidence,
//!     reasoning: String::new(),
//!     basis: Basis::Verbal,
//! };
//! assert_eq!(says(Verdict::Entailed, Some(0.9)).support(), Some(0.9));
//! assert_eq!(says(Verdict::Contradicted, Some(0.9)).support(), Some(0.1));
//! // Sure that it cannot tell: that says nothing for the claim and nothing against it.
//! assert_eq!(says(Verdict::Unsure, Some(0.9)).support(), Some(0.5));
//! assert_eq!(says(Verdict::Entailed, None).support(), None);
//! ```

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::{input::null_as_default, number::round6};

/// The three answers of a judge. Serialises as `ENTAILED`, `CONTRADICTED`, `UNSURE`.
///
/// Exhaustive on purpose: a fourth answer would be another method.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// The evidence says the opposite.
    Contradicted,
    /// The evidence says so.
    Entailed,
    /// Neither.
    Unsure,
}

impl Verdict {
    /// All three, in the order in which prompts and schemas name them.
    pub const ALL: [Self; 3] = [Self::Entailed, Self::Contradicted, Self::Unsure];

    /// The label as prompts, replies and reports write it.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Contradicted => "CONTRADICTED",
            Self::Entailed => "ENTAILED",
            Self::Unsure => "UNSURE",
        }
    }
}

/// Where a confidence came from. A delta across two different bases is refused.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The built-in judge's logistic model.
    Builtin,
    /// The probability of the verdict's label, from token probabilities.
    Logprob,
    /// A recording that does not say where its confidence came from.
    Recorded,
    /// The median over several samples.
    Sampled,
    /// A number that the model wrote.
    #[default]
    Verbal,
}

/// A verdict with its confidence.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Judgement {
    /// The answer.
    pub verdict: Verdict,
    /// How sure the judge is that `verdict` is right, in [0, 1]; absent where it gave no number.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// One sentence of the judge's own, empty where it gave none.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reasoning: String,
    /// Where the confidence came from.
    #[serde(default, deserialize_with = "null_as_default")]
    pub basis: Basis,
}

impl Judgement {
    /// P(ENTAILED) as far as one verdict and its confidence tell it: the confidence for ENTAILED,
    /// its complement for CONTRADICTED, one half for UNSURE. In [0, 1]; absent without a confidence.
    pub fn support(&self) -> Option<f64> {
        let confidence = self.confidence?;
        Some(match self.verdict {
            Verdict::Contradicted => round6(1.0 - confidence),
            Verdict::Entailed => confidence,
            Verdict::Unsure => 0.5,
        })
    }
}
