//! Where the caller's patterns match: what a request with patterns asks its host.
//!
//! The syntax is that of the `regex` crate, Unicode included. Where a pattern has a group called
//! `name`, what the group holds is the name, and the rest is what stands around it:
//! `ticket (?<name>\d+)`. An engine that is linear in the text runs them, so there is no look-around
//! and no back-reference.
//!
//! ```
//! use claimgauge_core::patterns::{Pattern, Search};
//! use claimgauge_patterns::Patterns;
//!
//! let mut search = Search {
//!     patterns: vec![Pattern { path: "kinds.0.patterns.0".into(), pattern: r"[A-Z]{2,5}-\d+".into() }],
//!     texts: vec!["OPS-17 waits for OPS-4".into()],
//! };
//! let matches = Patterns::new(&search.patterns)?.matches(&search.texts)?;
//! assert_eq!((matches[1].start, matches[1].end), (17, 22));
//!
//! search.patterns[0].pattern = "[A-Z".into();
//! let error = Patterns::new(&search.patterns).unwrap_err();
//! assert_eq!(error.path(), "kinds.0.patterns.0");
//! assert_eq!(error.message(), "Unclosed character class at column 1: \"[A-Z\"");
//! # Ok::<(), claimgauge_core::Error>(())
//! ```
#![forbid(unsafe_code)]

use std::ops::Range;

use claimgauge_core::{
    Error, ErrorCode,
    patterns::{Match, Pattern, Search},
};
use regex::{Regex, RegexBuilder};
use regex_syntax::ast::{ErrorKind, Position};

/// The longest match that is a name, in bytes.
pub const MAX_MATCH: usize = 1_000;

/// Most matches of one search.
pub const MAX_MATCHES: usize = 1_000_000;

/// The largest program that a pattern may become, in bytes.
const MAX_PROGRAM: usize = 1024 * 1024;

/// How deep groups may be nested.
const MAX_DEPTH: u32 = 64;

/// The group that narrows a match to the name in it.
const GROUP: &str = "name";

/// The patterns of a search, ready to run.
#[derive(Debug)]
pub struct Patterns(Vec<Runner>);

#[derive(Debug)]
struct Runner {
    path: String,
    regex: Regex,
    /// Whether it has the group that narrows the match.
    narrows: bool,
}

/// What `search` asks: the matches of all its patterns in all its texts.
///
/// # Errors
/// As [`Patterns::new`] and [`Patterns::matches`].
pub fn answer(search: &Search) -> Result<Vec<Match>, Error> {
    Patterns::new(&search.patterns)?.matches(&search.texts)
}

impl Patterns {
    /// Reads patterns.
    ///
    /// # Errors
    /// `invalid_pattern` with the place of the pattern and the column in it: where it is none, has what
    /// no linear engine has, becomes too large a program, or is nested too deep.
    pub fn new(patterns: &[Pattern]) -> Result<Self, Error> {
        patterns
            .iter()
            .map(Runner::new)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Where the patterns match. Matches of one pattern do not overlap; those of several may. Empty
    /// ones are left out, and those that are longer than [`MAX_MATCH`].
    ///
    /// # Errors
    /// `too_large` past [`MAX_MATCHES`], `invalid_pattern` for one that goes over the same text again
    /// and again; both with the place of the pattern.
    pub fn matches(&self, texts: &[String]) -> Result<Vec<Match>, Error> {
        let Self(runners) = self;
        let mut matches = Vec::new();
        for (text, content) in texts.iter().enumerate() {
            for (pattern, runner) in runners.iter().enumerate() {
                runner.run(content, |found| {
                    // Texts and patterns are few, and no text of a request is so long.
                    matches.push(Match {
                        text: text as u32,
                        pattern: pattern as u32,
                        start: found.start as u32,
                        end: found.end as u32,
                    });
                    matches.len() <= MAX_MATCHES
                })?;
            }
        }
        Ok(matches)
    }
}

/// How much text must be seen behind a match: it may go on there.
const ROOM: usize = 256;

/// How much of a text is searched at a time behind a match, and at most. The engine by itself is linear
/// in one search only: a pattern such as `a(.*b)?` looks for its `b` up to the end after every `a`.
const LEAST_WINDOW: usize = 2 * ROOM;
const MOST_WINDOW: usize = 64 * MAX_MATCH;

impl Runner {
    fn new(pattern: &Pattern) -> Result<Self, Error> {
        let Pattern { path, pattern } = pattern;
        check_syntax(path, pattern)?;
        let regex = RegexBuilder::new(pattern)
            .size_limit(MAX_PROGRAM)
            .dfa_size_limit(MAX_PROGRAM)
            .nest_limit(MAX_DEPTH)
            .build()
            .map_err(|_| {
                refused(path, "The pattern becomes too large a program")
                    .with_hint("Let it repeat less: `\\d{1,9}` instead of `\\d{1,9999}`.")
            })?;
        Ok(Self {
            path: path.clone(),
            narrows: regex.capture_names().flatten().any(|name| name == GROUP),
            regex,
        })
    }

    /// Gives `sink` every match, by start, until it says that there are too many.
    fn run(&self, text: &str, mut sink: impl FnMut(Range<usize>) -> bool) -> Result<(), Error> {
        let mut from = 0;
        let mut window = LEAST_WINDOW;
        // How much was searched for matches that turned out to be longer than the window.
        let mut again = 0;
        while from < text.len() {
            let to = text.floor_char_boundary(from + window);
            let seen = &text[..to];
            let last = to == text.len();
            match self.regex.find_at(seen, from) {
                None if last => break,
                None if window < 2 * MAX_MATCH => window *= 2,
                None => {
                    from = text.floor_char_boundary(to - MAX_MATCH);
                    window = MOST_WINDOW.min(2 * window);
                }
                Some(found) if !last && found.end() + ROOM > to => {
                    from = found.start();
                    window *= 2;
                    again += to - from;
                    if again > 8 * text.len() + MOST_WINDOW {
                        return Err(self.goes_over_it_again());
                    }
                }
                Some(found) => {
                    let name = match self.narrows {
                        true => self.name_in(seen, found.start()),
                        false => Some(found.range()),
                    };
                    let name = name.filter(|name| !name.is_empty() && name.len() <= MAX_MATCH);
                    if !name.is_none_or(&mut sink) {
                        return Err(self.matches_too_often());
                    }
                    from = match found.is_empty() {
                        true => text.ceil_char_boundary(found.end() + 1),
                        false => found.end(),
                    };
                    window = LEAST_WINDOW;
                }
            }
        }
        Ok(())
    }

    /// The name in the match that starts at `start`.
    fn name_in(&self, text: &str, start: usize) -> Option<Range<usize>> {
        let captures = self.regex.captures_at(text, start)?;
        captures.name(GROUP).map(|name| name.range())
    }

    fn goes_over_it_again(&self) -> Error {
        let message = "The pattern goes over the same text again and again";
        refused(&self.path, message).with_hint("Bound what it repeats: `.{0,80}` instead of `.*`.")
    }

    fn matches_too_often(&self) -> Error {
        Error::new(
            ErrorCode::TooLarge,
            &self.path,
            format!("The patterns match more often than {MAX_MATCHES} times"),
        )
        .with_hint("Let it match names only.")
    }
}

fn refused(path: &str, message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidPattern, path, message)
}

/// Refuses what is no pattern, and says where in it.
fn check_syntax(path: &str, pattern: &str) -> Result<(), Error> {
    if pattern.is_empty() {
        return Err(refused(path, "The pattern is empty, so it shows no name"));
    }
    let parsed = regex_syntax::ParserBuilder::new()
        .nest_limit(MAX_DEPTH)
        .build()
        .parse(pattern);
    let (reason, at, hint) = match &parsed {
        Ok(_) => return Ok(()),
        Err(regex_syntax::Error::Parse(error)) => (
            error.kind().to_string(),
            error.span().start,
            hint(error.kind()),
        ),
        Err(regex_syntax::Error::Translate(error)) => {
            (error.kind().to_string(), error.span().start, None)
        }
        Err(error) => return Err(refused(path, error.to_string())),
    };
    let message = format!("{} at {}", capital(&reason), place(pattern, at));
    let error = refused(path, message);
    Err(match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    })
}

/// What to do instead, where that is not plain.
fn hint(kind: &ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::UnsupportedLookAround => Some(
            "Patterns run in linear time, which leaves it out. Match what stands around the name, and put \
             the name into a group: `id=(?<name>\\w+)`.",
        ),
        ErrorKind::UnsupportedBackreference => {
            Some("Patterns run in linear time, which leaves them out. Write the alternatives out.")
        }
        ErrorKind::RepetitionMissing => {
            Some("`*`, `+` and `?` themselves are written with a backslash before them.")
        }
        _ => None,
    }
}

/// Line, column and the text there.
fn place(pattern: &str, at: Position) -> String {
    const MOST: usize = 20;
    let line = match pattern.contains('\n') {
        true => format!("line {}, ", at.line),
        false => String::new(),
    };
    let rest: String = pattern[at.offset..].chars().take(MOST).collect();
    let rest = match rest.is_empty() {
        true => String::from("its end"),
        false => format!("{rest:?}"),
    };
    format!("{line}column {}: {rest}", at.column)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
