//! Taking identifiers out of evidence: placeholders, leaks, and the way back.
//!
//! What a claim names is taken out wherever it stands in the evidence, in every form; then what the
//! profile's kinds recognise. All forms of one name have one placeholder, in every span.
//!
//! ```
//! use claimgauge_core::scrub::{ScrubRequest, unscrub};
//!
//! let request: ScrubRequest = serde_json::from_str(
//!     r#"{
//!         "profile": "strawberry",
//!         "evidence": ["users.email is VARCHAR(255)", "The email of a user has at most 255 characters"],
//!         "claims": ["Table users contains field email with length 255"]
//!     }"#,
//! )
//! .unwrap();
//! let scrubbed = request.run()?;
//! assert_eq!(scrubbed.spans[0].text, "[TABLE_1].[FIELD_1] is VARCHAR([NUM_1])");
//! assert_eq!(scrubbed.spans[1].text, "The [FIELD_1] of a [TABLE_1] has at most [NUM_1] characters");
//!
//! // Nothing of what the claim names can be read any more, and everything can be put back.
//! assert!(scrubbed.leaks.is_empty());
//! assert_eq!((scrubbed.removed[0].gone, scrubbed.removed[0].of), (3, 3));
//! assert_eq!(unscrub(&scrubbed.spans[0].text, &scrubbed, Some("S0")), "users.email is VARCHAR(255)");
//!
//! // In any other text a placeholder becomes the first form that it stood for.
//! assert_eq!(unscrub("[FIELD_1] is a column", &scrubbed, None), "email is a column");
//! # Ok::<(), claimgauge_core::Error>(())
//! ```
//!
//! # How
//!
//! ```text
//! claims, glossary ──▶ lexicon ◀── structure, shapes ◀── spans      harvest
//!                        │
//!                        ▼
//!            candidates ──▶ resolve ──▶ number ──▶ text             render
//! ```
//!
//! Both steps walk each text once, over the same tokens; one that reads otherwise when its names are gone is read
//! again as it is then. Where stretches overlap the longest wins; then
//! the caller's glossary, claims, structured forms, names, numbers.

mod columns;
mod decompositions;
mod found;
mod harvest;
mod hash;
mod ideographs;
mod inflection;
mod kinds;
mod lexicon;
mod look;
mod ordinary;
mod placeholders;
mod render;
mod scanner;
mod secrets;
mod stretches;
mod structure;
mod unscrub;
mod words;

use alloc::{borrow::ToOwned, format, string::String, sync::Arc, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    Error, ErrorCode,
    evidence::{self, Claim, ClaimInput, Glossary, MAX_BYTES, Span, SpanInput},
    patterns::{self, KindInput, KindName, Match, Search},
    profile::{Kind, Profile, ProfileChoice},
    sort::sort,
};
use placeholders::REDACTED;
use render::Render;
use secrets::Known;

pub use columns::Columns;
pub(crate) use ordinary::is_ordinary;
pub(crate) use placeholders::at as placeholder_at;
pub(crate) use scanner::{fold, is_joiner, is_word, plain};
pub use unscrub::unscrub;

/// Most leaks of the levels `part` and `derived` in one result: many claims that name one thing, and
/// many spans with parts of it, would have one for each two.
pub const MOST_DISTANT_LEAKS: usize = 10_000;

/// How a scrub is done, beside its profile.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// What the scrubbed pass is shown.
    pub mode: Mode,
    /// Whether secrets are replaced, in the full pass too.
    pub hide_secrets: bool,
    /// Names that the caller says are identifiers.
    pub glossary: &'a [(KindName, &'a str)],
    /// What the profile's patterns match, by text. One that is no stretch of its text is passed over.
    pub matches: &'a [Match],
    /// An earlier scrub, whose names keep their placeholders.
    pub previous: Option<&'a [Replacement]>,
    /// Whether the replacements are listed. Without them there is no way back and nothing to show,
    /// and [`Scrubbed::hidden`] hides nothing.
    pub replacements: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            mode: Mode::Identifiers,
            hide_secrets: true,
            glossary: &[],
            matches: &[],
            previous: None,
            replacements: true,
        }
    }
}

/// Replaces what the profile, the claims and the glossary name in every span and source label.
///
/// Deterministic, and linear in the texts up to a logarithm. The claims themselves are not changed.
pub fn scrub(
    profile: &Profile,
    spans: &[Span],
    claims: &[Claim],
    options: &Options<'_>,
) -> Scrubbed {
    let scrubbed = Render::new(profile, spans, claims, options).run();
    match options.mode {
        Mode::Identifiers => scrubbed,
        Mode::NoEvidence => Scrubbed {
            mode: Mode::NoEvidence,
            spans: Vec::new(),
            replacements: Vec::new(),
            leaks: Vec::new(),
            removed: scrubbed.removed,
        },
        Mode::RedactSpans => Scrubbed {
            mode: Mode::RedactSpans,
            spans: redact(spans, None),
            replacements: match options.replacements {
                true => redactions(spans),
                false => Vec::new(),
            },
            leaks: Vec::new(),
            removed: scrubbed.removed,
        },
    }
}

/// The spans with `[REDACTED]` in place of the texts and source labels of those that are cited, or
/// of all where `cites` is `None`.
pub fn redact(spans: &[Span], cites: Option<&[String]>) -> Vec<Span> {
    let cited = |id: &String| cites.is_none_or(|cites| cites.contains(id));
    let redacted = |span: &Span| Span {
        id: span.id.clone(),
        text: REDACTED.to_owned(),
        source: span.source.as_ref().map(|_| REDACTED.to_owned()),
    };
    spans
        .iter()
        .map(|span| match cited(&span.id) {
            true => redacted(span),
            false => span.clone(),
        })
        .collect()
}

/// A redaction is one replacement for each text, so that it can be undone.
fn redactions(spans: &[Span]) -> Vec<Replacement> {
    let fields = spans
        .iter()
        .flat_map(|span| fields(span).map(move |field| (span, field)));
    fields
        .map(|(span, (field, text))| Replacement {
            span: span.id.as_str().into(),
            field,
            start: ByteOffset(0),
            end: ByteOffset(text.len()),
            kind: Kind::Str.into(),
            placeholder: REDACTED.into(),
            text: text.into(),
            why: Why::Structure,
        })
        .collect()
}

/// A span's texts in the order in which placeholders are numbered.
fn fields(span: &Span) -> impl Iterator<Item = (SpanField, &str)> {
    let source = span.source.as_deref().map(|text| (SpanField::Source, text));
    [(SpanField::Text, span.text.as_str())]
        .into_iter()
        .chain(source)
}

/// What a caller asks of [`scrub`], unchecked.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ScrubRequest {
    /// A built-in profile's name, or a custom one that extends it.
    pub profile: ProfileChoice,
    /// The evidence, in the order in which placeholders are numbered.
    pub evidence: Vec<SpanInput>,
    /// The claims whose names are scrubbed.
    #[serde(default)]
    pub claims: Option<Vec<ClaimInput>>,
    /// Names that are identifiers, by kind.
    #[serde(default)]
    pub glossary: Option<Glossary>,
    /// What the scrubbed pass is shown. Absent: `identifiers`.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// Whether secrets are hidden. Absent: yes.
    #[serde(default)]
    pub hide_secrets: Option<bool>,
    /// An earlier result, whose names keep their placeholders.
    #[serde(default)]
    pub previous: Option<Earlier>,
    /// Whether the replacements are listed. Absent: yes.
    #[serde(default)]
    pub replacements: Option<bool>,
    /// Kinds instead of the profile's.
    #[serde(default)]
    pub kinds: Option<Vec<KindInput>>,
    /// What the host found for [`ScrubRequest::search`].
    #[serde(skip)]
    pub matches: Option<Vec<Match>>,
}

impl ScrubRequest {
    fn profile(&self) -> Result<Profile, Error> {
        let mut profile = self.profile.resolve()?;
        if let Some(kinds) = &self.kinds {
            profile.set_kinds(kinds, "kinds")?;
        }
        Ok(profile)
    }

    /// What the host must look for and hand in as [`Self::matches`]; `None` where no kind has a
    /// pattern, or it has been done.
    ///
    /// # Errors
    /// As [`ProfileChoice::resolve`], [`evidence::spans`] and [`evidence::claims`].
    pub fn search(&self) -> Result<Option<Search>, Error> {
        let claims = self.claims.as_deref().unwrap_or_default();
        match self.matches {
            Some(_) => Ok(None),
            None => evidence::search(&self.profile()?, &self.evidence, claims),
        }
    }

    /// Checks the request and does it.
    ///
    /// # Errors
    /// As [`ProfileChoice::resolve`], [`evidence::spans`], [`evidence::claims`] and
    /// [`evidence::glossary`]; `patterns_not_loaded` where it has patterns and no [`Self::matches`];
    /// `invalid_value` where an earlier replacement's placeholder is none of its kind.
    pub fn run(self) -> Result<Scrubbed, Error> {
        let profile = self.profile()?;
        let spans = evidence::spans(self.evidence)?;
        let claims = evidence::claims(self.claims.unwrap_or_default())?;
        let names = self.glossary.unwrap_or_default();
        let glossary = evidence::glossary(&names, &profile)?;
        let matches = patterns::checked(self.matches, &profile, &claims, &spans)?;
        let previous = self.previous.map(previous).transpose()?;
        let options = Options {
            mode: self.mode.unwrap_or_default(),
            hide_secrets: self.hide_secrets.unwrap_or(true),
            glossary: &glossary,
            matches: &matches,
            previous: previous.as_deref(),
            replacements: self.replacements.unwrap_or(true),
        };
        Ok(scrub(&profile, &spans, &claims, &options))
    }
}

/// An earlier result of which the placeholders are sure to be placeholders. Only they and the names
/// are read, so the unit of its offsets does not matter.
fn previous(earlier: Earlier) -> Result<Vec<Replacement>, Error> {
    let fits = |one: &Replacement<_>| &*one.placeholder == REDACTED || one.has_own_placeholder();
    if let Some(at) = earlier.replacements.iter().position(|one| !fits(one)) {
        let wrong = &earlier.replacements[at];
        let path = format!("previous.replacements.{at}.placeholder");
        let word = wrong.kind.word();
        let message = format!("A replacement of kind {word} has a placeholder that is none");
        let hint =
            format!("Hand in an earlier result as it was, with placeholders like [{word}_1].");
        return Err(Error::new(ErrorCode::InvalidValue, path, message).with_hint(hint));
    }
    let replacements = earlier.replacements.into_iter();
    Ok(replacements.map(Replacement::without_place).collect())
}

/// What an earlier scrub gave, as far as it is read again.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Earlier<O = Utf16Offset> {
    spans: Vec<Span>,
    replacements: Vec<Replacement<O>>,
}

impl<O: Offset> Earlier<O> {
    /// As [`unscrub`].
    ///
    /// # Errors
    /// `too_large` where the names make more than 64 MiB of a text that is none of the scrubbed ones.
    pub fn unscrub(&self, text: &str, span: Option<&str>) -> Result<String, Error> {
        unscrub::originals(text, &self.spans, &self.replacements, span, MAX_BYTES).ok_or_else(
            || {
                let message =
                    format!("With its names back the text has more than {MAX_BYTES} bytes");
                Error::new(ErrorCode::TooLarge, "text", message)
                    .with_hint("Give a part of it at a time.")
            },
        )
    }
}

impl<O> From<Scrubbed<O>> for Earlier<O> {
    fn from(scrubbed: Scrubbed<O>) -> Self {
        Self {
            spans: scrubbed.spans,
            replacements: scrubbed.replacements,
        }
    }
}

impl Scrubbed {
    /// The same with offsets as JavaScript counts them.
    pub fn into_utf16(self) -> Scrubbed<Utf16Offset> {
        let mut texts = self.spans.iter().flat_map(|span| {
            fields(span).map(|(field, text)| (span.id.as_str(), field, Counter::new(text)))
        });
        let mut current = texts.next();
        let replacements = self.replacements.into_iter().map(|replacement| {
            // Both stand in the order of the texts.
            let own = |(id, field, _): &(&str, SpanField, Counter<'_>)| {
                *field == replacement.field && *id == &*replacement.span
            };
            while current.as_ref().is_some_and(|text| !own(text)) {
                current = texts.next();
            }
            let counter = current.as_mut().map(|(.., counter)| counter);
            let (start, end) = counter.map_or((0, 0), |counter| counter.pass(&replacement));
            replacement.at(Utf16Offset(start), Utf16Offset(end))
        });
        let replacements = replacements.collect();
        drop(texts);
        Scrubbed {
            mode: self.mode,
            spans: self.spans,
            replacements,
            leaks: self.leaks,
            removed: self.removed,
        }
    }
}

/// As [`Scrubbed::hidden`].
pub(crate) fn hidden<O: Offset>(replaced: &[Replacement<O>], spans: &[Span]) -> Vec<Span> {
    let replacements = replaced.iter().zip(0..);
    let mut secrets: Vec<(&str, SpanField, usize)> = replacements
        .filter(|(one, _)| one.why == Why::Secret)
        .map(|(one, at)| (&*one.span, one.field, at))
        .collect();
    sort(&mut secrets);
    let hide = |id: &str, field: SpanField, text: &str| {
        let mut hidden = String::with_capacity(text.len());
        let mut rest = text;
        let mut done = 0;
        let first = secrets.partition_point(|one| (one.0, one.1) < (id, field));
        for (_, _, at) in secrets[first..]
            .iter()
            .take_while(|one| (one.0, one.1) == (id, field))
        {
            let secret = &replaced[*at];
            let (start, end) = (secret.start.get(), secret.end.get());
            let cut = |text, from: usize, to: usize| {
                O::split(text, to.saturating_sub(from)).unwrap_or_default()
            };
            let before = cut(rest, done, start);
            hidden.push_str(before);
            hidden.push_str(&secret.placeholder);
            rest = &rest[before.len()..];
            rest = &rest[cut(rest, start, end).len()..];
            done = end;
        }
        hidden.push_str(rest);
        hidden
    };
    spans
        .iter()
        .map(|span| Span {
            id: span.id.clone(),
            text: hide(&span.id, SpanField::Text, &span.text),
            source: span
                .source
                .as_deref()
                .map(|source| hide(&span.id, SpanField::Source, source)),
        })
        .collect()
}

impl<O: Offset> Scrubbed<O> {
    /// The originals with only their secrets replaced: what the full pass is shown.
    ///
    /// `spans` are the ones that were scrubbed, in [`Mode::Identifiers`].
    pub fn hidden(&self, spans: &[Span]) -> Vec<Span> {
        hidden(&self.replacements, spans)
    }

    /// The claim with the secrets that it quotes replaced, by the placeholders that they have in the
    /// evidence where they stand there, and whether there were any.
    ///
    /// Where the scrub hid no secrets there are none to replace: ask only when it did.
    pub fn hide_in_claim(&self, claim: &str) -> (String, bool) {
        self.hide_in_claims(&[claim]).remove(0)
    }

    /// As [`Self::hide_in_claim`], for each of several claims that a judge may see together.
    pub(crate) fn hide_in_claims(&self, claims: &[&str]) -> Vec<(String, bool)> {
        let mut secrets = self
            .replacements
            .iter()
            .filter(|replacement| replacement.why == Why::Secret)
            .map(|replacement| (&*replacement.text, &*replacement.placeholder));
        Known::new(&mut secrets).hide(claims, &self.spans)
    }
}

/// Counts the UTF-16 units of an original along its scrubbed text.
struct Counter<'a> {
    rest: &'a str,
    bytes: usize,
    units: usize,
}

impl<'a> Counter<'a> {
    fn new(scrubbed: &'a str) -> Self {
        Self {
            rest: scrubbed,
            bytes: 0,
            units: 0,
        }
    }

    /// Where the next replacement is, in units.
    fn pass(&mut self, replacement: &Replacement) -> (usize, usize) {
        let kept = replacement.start.0.saturating_sub(self.bytes);
        let (kept, rest) = self.rest.split_at_checked(kept).unwrap_or((self.rest, ""));
        self.rest = rest.strip_prefix(&*replacement.placeholder).unwrap_or(rest);
        let start = self.units + utf16_length(kept);
        self.units = start + utf16_length(&replacement.text);
        self.bytes = replacement.end.0;
        (start, self.units)
    }
}

fn utf16_length(text: &str) -> usize {
    match text.is_ascii() {
        true => text.len(),
        false => text.chars().map(char::len_utf16).sum(),
    }
}

impl<O> Replacement<O> {
    /// Whether its placeholder is one, and of its kind.
    fn has_own_placeholder(&self) -> bool {
        placeholders::is_of_kind(&self.placeholder, self.kind.word())
    }

    fn at<P>(self, start: P, end: P) -> Replacement<P> {
        Replacement {
            span: self.span,
            field: self.field,
            start,
            end,
            kind: self.kind,
            placeholder: self.placeholder,
            text: self.text,
            why: self.why,
        }
    }

    fn without_place(self) -> Replacement {
        self.at(ByteOffset(0), ByteOffset(0))
    }
}

/// What the scrubbed pass is shown.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
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
    /// Tokens of claims that survived; of parts and what is derived the first
    /// [`MOST_DISTANT_LEAKS`].
    pub leaks: Vec<Leak>,
    /// How many of each claim's terms are gone, in the claims' order.
    pub removed: Vec<Removed>,
}

/// One replaced stretch.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Replacement<O = ByteOffset> {
    /// The span's id. Replacements are many and alike: they share their texts.
    pub span: Arc<str>,
    /// Which of the span's two texts.
    pub field: SpanField,
    /// Where the stretch starts in the original.
    pub start: O,
    /// Where it ends, exclusive.
    pub end: O,
    /// What it is.
    pub kind: KindName,
    /// What stands in its place.
    pub placeholder: Arc<str>,
    /// The original stretch.
    pub text: Arc<str>,
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

/// A unit of offsets.
pub trait Offset: Copy {
    /// The number of units.
    fn get(self) -> usize;

    /// The first `units` of `text`; `None` where it is shorter or they end inside a character.
    fn split(text: &str, units: usize) -> Option<&str>;
}

impl Offset for ByteOffset {
    fn get(self) -> usize {
        self.0
    }

    fn split(text: &str, units: usize) -> Option<&str> {
        text.get(..units)
    }
}

impl Offset for Utf16Offset {
    fn get(self) -> usize {
        self.0
    }

    fn split(text: &str, units: usize) -> Option<&str> {
        let mut left = units;
        for (at, char) in text.char_indices() {
            if left == 0 {
                return Some(&text[..at]);
            }
            left = left.checked_sub(char.len_utf16())?;
        }
        (left == 0).then_some(text)
    }
}
