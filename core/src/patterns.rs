//! Kinds of the caller's own, and patterns that show where the names of a kind stand.
//!
//! There is no engine for patterns in here. A request that has any says what to look for, as a
//! [`Search`], and is handed what was found, as [`Match`]es, before anything else is done with it.
//!
//! ```
//! use claimgauge_core::patterns::Match;
//! use claimgauge_core::scrub::ScrubRequest;
//!
//! let mut request: ScrubRequest = serde_json::from_str(
//!     r#"{
//!         "profile": { "extends": "code", "kinds": [{ "kind": "TICKET", "patterns": ["[A-Z]+-[0-9]+"] }] },
//!         "evidence": ["See OPS-17."]
//!     }"#,
//! )
//! .unwrap();
//! let search = request.search()?.expect("there is a pattern");
//! assert_eq!(search.patterns[0].pattern, "[A-Z]+-[0-9]+");
//! assert_eq!(search.texts, ["See OPS-17."]);
//!
//! // What an engine finds of the first pattern in the first text, in bytes.
//! request.matches = Some(vec![Match { text: 0, pattern: 0, start: 4, end: 10 }]);
//! assert_eq!(request.run()?.spans[0].text, "See [TICKET_1].");
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

use alloc::{borrow::ToOwned, boxed::Box, format, string::String, vec::Vec};

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::{
    Error, ErrorCode,
    error::quoted,
    evidence::{Claim, Span},
    input::text_or,
    profile::{Kind, Profile},
};

/// Most patterns of one profile.
pub const MAX_PATTERNS: usize = 64;
/// Most bytes of one pattern.
pub const MAX_PATTERN_BYTES: usize = 1_000;
/// Most kinds of the caller's own in one profile.
pub const MAX_OWN_KINDS: usize = 64;
/// Most letters of the word of a kind of the caller's own.
pub const MAX_WORD: usize = 24;

/// A kind as requests and results name it. Serialises as the word of its placeholder.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(untagged)]
pub enum KindName {
    /// One that Claimgauge knows.
    BuiltIn(Kind),
    /// One of the caller's own.
    Own(OwnKind),
}

/// A kind of the caller's own: a word that can stand in a placeholder.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct OwnKind(Box<str>);

impl KindName {
    /// The kind of that word; `None` where it can stand in no placeholder.
    ///
    /// ```
    /// use claimgauge_core::{patterns::KindName, profile::Kind};
    ///
    /// assert_eq!(KindName::from_word("TABLE"), Some(Kind::Table.into()));
    /// assert_eq!(KindName::from_word("TICKET").unwrap().word(), "TICKET");
    /// assert_eq!(KindName::from_word("ticket"), None);
    /// assert_eq!(KindName::from_word("REDACTED"), None);
    /// ```
    pub fn from_word(word: &str) -> Option<Self> {
        let own = || {
            let fits = word.len() <= MAX_WORD
                && word.starts_with(|first: char| first.is_ascii_uppercase())
                && word
                    .bytes()
                    .all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
                && word != "REDACTED";
            fits.then(|| Self::Own(OwnKind(word.into())))
        };
        Kind::from_word(word).map(Self::BuiltIn).or_else(own)
    }

    /// The word between the brackets of a placeholder: `TICKET` in `[TICKET_1]`.
    pub fn word(&self) -> &str {
        match self {
            Self::BuiltIn(kind) => kind.word(),
            Self::Own(OwnKind(word)) => word,
        }
    }

    /// What the kind is, in words.
    pub fn label(&self) -> &str {
        match self {
            Self::BuiltIn(kind) => kind.label(),
            Self::Own(_) => "kind of your own",
        }
    }
}

impl From<Kind> for KindName {
    fn from(kind: Kind) -> Self {
        Self::BuiltIn(kind)
    }
}

impl<'de> Deserialize<'de> for KindName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Self::from_word(&word)
            .ok_or_else(|| D::Error::custom(format!("{} is no kind", quoted(&word))))
    }
}

/// A kind as a profile lists it: the word of a built-in one, or a word with patterns.
#[derive(Clone, Debug, PartialEq)]
pub struct KindInput {
    /// The word of its placeholders.
    pub kind: String,
    /// What shows its names. Absent where the word stands alone: then the kind is a built-in one.
    pub patterns: Option<Vec<String>>,
}

impl From<&str> for KindInput {
    fn from(word: &str) -> Self {
        Self {
            kind: word.to_owned(),
            patterns: None,
        }
    }
}

impl<'de> Deserialize<'de> for KindInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            kind: String,
            #[serde(default)]
            patterns: Option<Vec<String>>,
        }
        text_or(deserializer, |fields: Fields| Self {
            kind: fields.kind,
            patterns: Some(fields.patterns.unwrap_or_default()),
        })
    }
}

impl KindInput {
    /// The kind that is meant; `path` is where it stands.
    pub(crate) fn resolve(&self, path: &str) -> Result<KindName, Error> {
        match (KindName::from_word(&self.kind), &self.patterns) {
            (Some(kind @ KindName::BuiltIn(_)), _) | (Some(kind), Some(_)) => Ok(kind),
            (None, Some(_)) => Err(Error::new(
                ErrorCode::InvalidValue,
                format!("{path}.kind"),
                format!("{} can stand in no placeholder", quoted(&self.kind)),
            )
            .with_hint(format!(
                "Use capital letters, digits and underscores, a letter first, at most {MAX_WORD}, not REDACTED."
            ))),
            (_, None) => {
                let known = Kind::all().map(Kind::word);
                Err(Error::not_one_of(ErrorCode::UnknownKind, path, "kind", &self.kind, known))
            }
        }
    }
}

/// A kind and the patterns that show its names.
#[derive(Clone, Debug, PartialEq)]
pub struct KindPatterns {
    /// The kind.
    pub kind: KindName,
    /// Its patterns; none where only a glossary names it.
    pub patterns: Vec<String>,
    /// Where it stands in the request.
    pub path: String,
}

impl KindPatterns {
    /// Refuses patterns that are too many, `before` being in other kinds, or too long.
    pub(crate) fn check(&self, before: usize) -> Result<(), Error> {
        let path = &self.path;
        if before + self.patterns.len() > MAX_PATTERNS {
            let message = format!("There are more than {MAX_PATTERNS} patterns");
            return Err(
                Error::new(ErrorCode::TooLarge, format!("{path}.patterns"), message)
                    .with_hint("Join some with `|`."),
            );
        }
        let long = |pattern: &String| pattern.len() > MAX_PATTERN_BYTES;
        match self.patterns.iter().position(long) {
            Some(at) => Err(Error::new(
                ErrorCode::TooLarge,
                format!("{path}.patterns.{at}"),
                format!(
                    "{} bytes are more than the limit of {MAX_PATTERN_BYTES}",
                    self.patterns[at].len()
                ),
            )
            .with_hint("Split it: a kind may have several patterns.")),
            None => Ok(()),
        }
    }
}

/// What a host is to look for, and where.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// All patterns of the profile.
    pub patterns: Vec<Pattern>,
    /// The texts: the claims, then each span's text and its source label where it has one.
    pub texts: Vec<String>,
}

/// One pattern.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Where it stands in the request.
    pub path: String,
    /// The pattern itself.
    pub pattern: String,
}

/// A stretch of a text that a pattern matches. By text, in no other order.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Match {
    /// The position of the text in [`Search::texts`].
    pub text: u32,
    /// The position of the pattern in [`Search::patterns`].
    pub pattern: u32,
    /// Where it starts, in bytes.
    pub start: u32,
    /// Where it ends, exclusive, in bytes.
    pub end: u32,
}

impl Match {
    /// As hosts pass matches on: four numbers each.
    pub fn numbers(matches: &[Self]) -> Vec<u32> {
        let numbers = |found: &Self| [found.text, found.pattern, found.start, found.end];
        matches.iter().flat_map(numbers).collect()
    }

    /// What [`Self::numbers`] wrote.
    pub fn list(numbers: &[u32]) -> Vec<Self> {
        let (matches, _) = numbers.as_chunks();
        let read = |&[text, pattern, start, end]: &[u32; 4]| Self {
            text,
            pattern,
            start,
            end,
        };
        matches.iter().map(read).collect()
    }
}

impl Search {
    /// What `profile` looks for in these claims and spans; `None` where it has no pattern.
    pub fn new(profile: &Profile, claims: &[Claim], spans: &[Span]) -> Option<Self> {
        let patterns: Vec<Pattern> = profile
            .patterns
            .iter()
            .flat_map(|kind| {
                kind.patterns
                    .iter()
                    .enumerate()
                    .map(|(at, pattern)| Pattern {
                        path: format!("{}.patterns.{at}", kind.path),
                        pattern: pattern.clone(),
                    })
            })
            .collect();
        (!patterns.is_empty()).then(|| Self {
            patterns,
            texts: texts(claims, spans).cloned().collect(),
        })
    }
}

/// What is searched, in the order in which matches stand.
fn texts<'a>(claims: &'a [Claim], spans: &'a [Span]) -> impl Iterator<Item = &'a String> {
    let claims = claims.iter().map(|claim| &claim.text);
    let spans = spans
        .iter()
        .flat_map(|span| [Some(&span.text), span.source.as_ref()]);
    claims.chain(spans.flatten())
}

/// The matches that a host handed in; those of a profile without patterns are none.
///
/// # Errors
/// `patterns_not_loaded` where there are patterns and nothing has run them, `invalid_value` with the
/// position of a match that is none of these texts'.
pub(crate) fn checked(
    given: Option<Vec<Match>>,
    profile: &Profile,
    claims: &[Claim],
    spans: &[Span],
) -> Result<Vec<Match>, Error> {
    let count: usize = profile
        .patterns
        .iter()
        .map(|kind| kind.patterns.len())
        .sum();
    let with_some = |kind: &&KindPatterns| !kind.patterns.is_empty();
    let Some(first) = profile.patterns.iter().find(with_some) else {
        return Ok(Vec::new());
    };
    let Some(given) = given else {
        return Err(Error::new(
            ErrorCode::PatternsNotLoaded,
            format!("{}.patterns.0", first.path),
            "The request has patterns, and nothing has run them",
        )
        .with_hint("Hand in the matches of its search."));
    };
    let texts: Vec<&String> = texts(claims, spans).collect();
    let fits = |found: &Match| {
        let text = texts.get(found.text as usize);
        let stretch = text.and_then(|text| text.get(found.start as usize..found.end as usize));
        stretch.is_some() && (found.pattern as usize) < count
    };
    let unsorted = given.windows(2).position(|two| two[0].text > two[1].text);
    let wrong = given.iter().position(|found| !fits(found));
    match wrong.or(unsorted.map(|at| at + 1)) {
        Some(at) => Err(Error::new(
            ErrorCode::InvalidValue,
            format!("matches.{at}"),
            "It is no stretch of a text of the request, or stands behind one of a later text",
        )),
        None => Ok(given),
    }
}
