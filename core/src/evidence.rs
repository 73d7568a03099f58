//! Spans, claims, the request that carries them, and its limits.
//!
//! What a caller gives ([`SpanInput`], [`ClaimInput`]) is checked once, and from then on is a [`Span`] or a
//! [`Claim`]: with an id that no other has, not empty, within the limits.
//!
//! ```
//! use claimgauge_core::ErrorCode;
//! use claimgauge_core::evidence::{self, ClaimInput, SpanInput};
//!
//! let spans = evidence::spans(vec![SpanInput::from("The port is 8080"), SpanInput::from("It is open")])?;
//! let ids: Vec<&str> = spans.iter().map(|span| span.id.as_str()).collect();
//! assert_eq!(ids, ["S0", "S1"]);
//!
//! let sure = ClaimInput { confidence: Some(1.5), ..ClaimInput::from("The port is 8080") };
//! let error = evidence::claims(vec![sure]).unwrap_err();
//! assert_eq!((error.code(), error.path()), (ErrorCode::InvalidValue, "claims.0.confidence"));
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    Error, ErrorCode,
    decide::Policy,
    error::quoted,
    input::{check_unit, text_or},
    patterns::{KindInput, KindName, Match, Search},
    profile::{Context, Kind, Profile, ProfileChoice, ThresholdsInput, Trigger},
    scrub::Mode,
    sort::sort,
};

/// Most claims in one request.
pub const MAX_CLAIMS: usize = 10_000;
/// Most spans in one request.
pub const MAX_SPANS: usize = 100_000;
/// Most bytes of all texts and source labels of one request together.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// One piece of evidence.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// "S0", "S1", … or the caller's own; unique in its request.
    pub id: String,
    /// The evidence itself.
    pub text: String,
    /// Where it is from.
    #[serde(default)]
    pub source: Option<String>,
}

/// One atomic, falsifiable sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// "C0", "C1", … or the caller's own; unique in its request.
    pub id: String,
    /// The sentence.
    pub text: String,
    /// The ids of the spans that it rests on; all spans where it names none.
    pub cites: Option<Vec<String>>,
    /// Whether it matters enough for the trigger `on_critical_claim`.
    pub critical: bool,
    /// How sure the author is, in [0, 1]; what `on_medium_confidence` reads.
    pub confidence: Option<f64>,
}

/// Names that the caller says are identifiers, by kind: `{ TABLE: ["users"] }`.
pub type Glossary = BTreeMap<String, Vec<String>>;

/// A span as a request gives it: its text alone, or with an id and a source.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanInput {
    /// Absent: "S" and the span's position.
    pub id: Option<String>,
    /// The evidence itself.
    pub text: String,
    /// Where it is from.
    pub source: Option<String>,
}

/// A claim as a request gives it: its text alone, or with more.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimInput {
    /// Absent: "C" and the claim's position.
    pub id: Option<String>,
    /// The sentence.
    pub text: String,
    /// Ids of the spans that it rests on; a list without any cites none, as where it is absent.
    pub cites: Option<Vec<String>>,
    /// Whether it is critical.
    pub critical: bool,
    /// The author's own confidence in [0, 1].
    pub confidence: Option<f64>,
}

/// What `verify` is asked.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Request {
    /// A built-in profile's name, or a custom one that extends it.
    pub profile: ProfileChoice,
    /// The evidence, in the order in which placeholders are numbered.
    pub evidence: Vec<SpanInput>,
    /// The claims.
    pub claims: Vec<ClaimInput>,
    /// Thresholds over the profile's.
    #[serde(default)]
    pub thresholds: Option<ThresholdsInput>,
    /// Kinds instead of the profile's.
    #[serde(default)]
    pub kinds: Option<Vec<KindInput>>,
    /// Names that are identifiers, by kind.
    #[serde(default)]
    pub glossary: Option<Glossary>,
    /// Which nulls to ask; the first decides the status. Absent: `identifiers` alone.
    #[serde(default)]
    pub nulls: Option<Vec<Mode>>,
    /// Whether the scrubbed pass is asked where it cannot change the status.
    #[serde(default)]
    pub passes: Option<Passes>,
    /// Whether secrets are hidden in both passes. Absent: yes.
    #[serde(default)]
    pub hide_secrets: Option<bool>,
    /// How the open rows of the status table are read.
    #[serde(default)]
    pub policy: Option<Policy>,
    /// Whether the caller can get more evidence.
    #[serde(default)]
    pub more_evidence: Option<bool>,
    /// Which claims are verified at all. Absent: every one.
    #[serde(default)]
    pub trigger: Option<Trigger>,
    /// What the trigger looks at beside the claims.
    #[serde(default)]
    pub context: Option<Context>,
    /// What the host found for [`Request::search`].
    #[serde(skip)]
    pub matches: Option<Vec<Match>>,
}

/// Which passes are asked.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Passes {
    /// The full pass first, the scrubbed one only where it can still change the status.
    AsNeeded,
    /// Both, always.
    #[default]
    Both,
}

/// Gives each span its id and refuses what is too large or named twice.
///
/// # Errors
/// `too_large`, `duplicate_id`, each with the path of the span.
pub fn spans(inputs: Vec<SpanInput>) -> Result<Vec<Span>, Error> {
    limit("evidence", inputs.len(), MAX_SPANS, "spans")?;
    let bytes = inputs
        .iter()
        .map(|span| span.text.len() + span.source.as_ref().map_or(0, String::len));
    limit("evidence", bytes.sum(), MAX_BYTES, "bytes")?;
    let spans: Vec<Span> = inputs
        .into_iter()
        .enumerate()
        .map(|(at, input)| Span {
            id: input.id.unwrap_or_else(|| format!("S{at}")),
            text: input.text,
            source: input.source,
        })
        .collect();
    unique("evidence", spans.iter().map(|span| span.id.as_str()))?;
    Ok(spans)
}

/// Gives each claim its id and refuses what is too large, named twice or out of range.
///
/// # Errors
/// `too_large`, `duplicate_id`, `invalid_value`, each with the path of the claim.
pub fn claims(inputs: Vec<ClaimInput>) -> Result<Vec<Claim>, Error> {
    limit("claims", inputs.len(), MAX_CLAIMS, "claims")?;
    limit(
        "claims",
        inputs.iter().map(|claim| claim.text.len()).sum(),
        MAX_BYTES,
        "bytes",
    )?;
    let mut claims = Vec::with_capacity(inputs.len());
    for (at, input) in inputs.into_iter().enumerate() {
        if input.text.trim().is_empty() {
            return Err(Error::new(
                ErrorCode::InvalidValue,
                format!("claims.{at}.text"),
                "A claim without words cannot be judged",
            )
            .with_hint("Leave the entry out."));
        }
        if let Some(confidence) = input.confidence {
            check_unit(&format!("claims.{at}.confidence"), confidence)?;
        }
        claims.push(Claim {
            id: claim_id(input.id, at),
            text: input.text,
            cites: input.cites.filter(|ids| !ids.is_empty()),
            critical: input.critical,
            confidence: input.confidence,
        });
    }
    unique("claims", claims.iter().map(|claim| claim.id.as_str()))?;
    Ok(claims)
}

/// What the claim at `at` is called: what its request says, or by its place.
pub(crate) fn claim_id(own: Option<String>, at: usize) -> String {
    own.unwrap_or_else(|| format!("C{at}"))
}

/// Checks a glossary's keys and turns them into kinds: built-in ones, and the profile's own.
///
/// # Errors
/// `unknown_kind` for a key that names none.
pub fn glossary<'a>(
    glossary: &'a Glossary,
    profile: &Profile,
) -> Result<Vec<(KindName, &'a str)>, Error> {
    let mut terms = Vec::new();
    for (word, names) in glossary {
        let kind = KindName::from_word(word)
            .filter(|kind| matches!(kind, KindName::BuiltIn(_)) || profile.has_own(kind));
        let kind = kind.ok_or_else(|| {
            let mut known: Vec<&str> = Kind::all().map(Kind::word).collect();
            known.extend(profile.patterns.iter().map(|own| own.kind.word()));
            let path = format!("glossary.{word}");
            Error::not_one_of(ErrorCode::UnknownKind, path, "kind", word, known)
        })?;
        terms.extend(names.iter().map(|name| (kind.clone(), name.as_str())));
    }
    Ok(terms)
}

/// What the host must look for before a request can be dealt with; `None` where that is nothing.
pub(crate) fn search(
    profile: &Profile,
    evidence: &[SpanInput],
    claimed: &[ClaimInput],
) -> Result<Option<Search>, Error> {
    if profile.patterns.iter().all(|kind| kind.patterns.is_empty()) {
        return Ok(None);
    }
    let spans = spans(evidence.to_vec())?;
    let claims = claims(claimed.to_vec())?;
    Ok(Search::new(profile, &claims, &spans))
}

impl Request {
    /// The profile with the request's thresholds and kinds laid over it.
    ///
    /// # Errors
    /// `unknown_profile`, `unknown_kind`, `invalid_threshold`, `invalid_value`, `too_large`.
    pub fn profile(&self) -> Result<Profile, Error> {
        let mut profile = self.profile.resolve_with(self.thresholds)?;
        if let Some(kinds) = &self.kinds {
            profile.set_kinds(kinds, "kinds")?;
        }
        Ok(profile)
    }

    /// What the host must look for and hand in as [`Self::matches`]; `None` where no kind has a
    /// pattern, or it has been done.
    ///
    /// # Errors
    /// As [`Self::profile`], [`spans`] and [`claims`].
    pub fn search(&self) -> Result<Option<Search>, Error> {
        match self.matches {
            Some(_) => Ok(None),
            None => search(&self.profile()?, &self.evidence, &self.claims),
        }
    }
}

fn limit(path: &str, size: usize, most: usize, unit: &str) -> Result<(), Error> {
    if size <= most {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::TooLarge,
        path,
        format!("{size} {unit} are more than the limit of {most}"),
    )
    .with_hint("Split the request."))
}

fn unique<'a>(list: &str, ids: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut ids: Vec<(&str, usize)> = ids.zip(0..).collect();
    sort(&mut ids);
    let pairs = ids.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    if let Some((id, at)) = pairs.map(|pair| pair[1]).min_by_key(|(_, at)| *at) {
        return Err(Error::new(
            ErrorCode::DuplicateId,
            format!("{list}.{at}.id"),
            format!("The id {} is given twice", quoted(id)),
        )
        .with_hint("Ids left out are numbered by position; give each its own."));
    }
    Ok(())
}

impl From<&str> for SpanInput {
    fn from(text: &str) -> Self {
        Self {
            id: None,
            text: text.into(),
            source: None,
        }
    }
}

impl From<&str> for ClaimInput {
    fn from(text: &str) -> Self {
        Self {
            id: None,
            text: text.into(),
            cites: None,
            critical: false,
            confidence: None,
        }
    }
}

impl<'de> Deserialize<'de> for SpanInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            #[serde(default)]
            id: Option<String>,
            text: String,
            #[serde(default)]
            source: Option<String>,
        }
        text_or(deserializer, |fields: Fields| Self {
            id: fields.id,
            text: fields.text,
            source: fields.source,
        })
    }
}

impl<'de> Deserialize<'de> for ClaimInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            #[serde(default)]
            id: Option<String>,
            text: String,
            #[serde(default)]
            cites: Option<Vec<String>>,
            #[serde(default)]
            critical: Option<bool>,
            #[serde(default)]
            confidence: Option<f64>,
        }
        text_or(deserializer, |fields: Fields| Self {
            id: fields.id,
            text: fields.text,
            cites: fields.cites,
            critical: fields.critical.unwrap_or(false),
            confidence: fields.confidence,
        })
    }
}
