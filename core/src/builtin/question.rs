//! What the built-in judge is asked, as hosts hand it in.

use alloc::{string::String, vec::Vec};

use serde::Deserialize;

use super::{atoms, reply};
use crate::{evidence::Span, report::Atom};

/// One claim on spans: the fields of [`crate::fields::BUILTIN`].
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimOnSpans {
    /// The evidence of that pass.
    pub spans: Vec<Span>,
    /// The claim's text.
    pub claim_text: String,
}

impl ClaimOnSpans {
    /// As [`reply`].
    pub fn reply(&self) -> String {
        reply(&self.spans, &self.claim_text)
    }
}

/// Several claims on the same spans: the fields of [`crate::fields::CLAIMS_ON_SPANS`].
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimsOnSpans {
    /// The evidence of the full pass.
    pub spans: Vec<Span>,
    /// The claims' texts.
    pub claim_texts: Vec<String>,
}

impl ClaimsOnSpans {
    /// The [`atoms`] of each claim.
    pub fn atoms(&self) -> Vec<Vec<Atom>> {
        let claims = self.claim_texts.iter();
        claims.map(|claim| atoms(&self.spans, claim)).collect()
    }
}
