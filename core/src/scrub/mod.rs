//! Taking identifiers out of evidence: placeholders, leaks, and the way back.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{evidence::Span, profile::Kind};

/// What the scrubbed pass is shown.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The evidence with placeholders for identifiers.
    #[default]
    Identifiers,
    /// No evidence at all: what the judge believes anyway.
    NoEvidence,
    /// The cited spans replaced whole by `[REDACTED]`.
    RedactSpans,
}

/// What a scrub made of the evidence. `O` is the unit of its offsets.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scrubbed<O = ByteOffset> {
    /// What was asked for.
    pub mode: Mode,
    /// The spans as the scrubbed pass sees them.
    pub spans: Vec<Span>,
    /// Every replaced stretch, by span in document order; a span's text before its source.
    pub replacements: Vec<Replacement<O>>,
    /// Tokens of claims that survived.
    pub leaks: Vec<Leak>,
    /// How many of each claim's terms are gone, in the claims' order.
    pub removed: Vec<Removed>,
}

/// One replaced stretch.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Replacement<O = ByteOffset> {
    /// The span's id.
    pub span: String,
    /// Which of the span's two texts.
    pub field: SpanField,
    /// Where the stretch starts in the original.
    pub start: O,
    /// Where it ends, exclusive.
    pub end: O,
    /// What it is.
    pub kind: Kind,
    /// What stands in its place.
    pub placeholder: String,
    /// The original stretch.
    pub text: String,
    /// What made it an identifier.
    pub why: Why,
}

/// The two texts of a span.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SpanField {
    /// The evidence.
    Text,
    /// The source label.
    Source,
}

/// What made a stretch an identifier.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// A claim names it.
    Claim,
    /// The caller's glossary names it.
    Glossary,
    /// It is a secret.
    Secret,
    /// It looks like one.
    Shape,
    /// It stands where one stands.
    Structure,
}

/// A token of a claim that survived in the scrubbed evidence.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Leak {
    /// The claim's id.
    pub claim: String,
    /// The surviving token as the evidence spells it.
    pub term: String,
    /// The span's id.
    pub span: String,
    /// How it survived.
    pub level: LeakLevel,
}

/// How a token survived.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LeakLevel {
    /// As it is.
    Whole,
    /// In another case, number or spelling.
    Form,
    /// As a part of a longer token.
    Part,
    /// As something made from it, such as a file's stem.
    Derived,
}

/// How many of one claim's terms the scrub removed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Removed {
    /// The claim's id.
    pub claim: String,
    /// Terms that the scrub took out of the evidence.
    pub gone: usize,
    /// Terms that the claim has.
    pub of: usize,
}

/// A place in a text, in bytes of its UTF-8.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct ByteOffset(pub usize);

/// A place in a text, in UTF-16 units, as JavaScript counts.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Utf16Offset(pub usize);
