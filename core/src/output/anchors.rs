//! Whether a file's text shows an edit: the snippets around it, their order, the hash of what lies
//! between them. Bytes are compared, with LF for each CRLF on both sides.

use alloc::{borrow::Cow, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{
    digest::{self, Digest},
    result::Reason,
};

/// The longest snippet, in bytes, that is better given as text.
pub const MAX_SNIPPET: usize = 4096;

/// How much of a long snippet stands in its head, and in its tail, in bytes at most.
const EDGE: usize = 256;

/// Bytes that may be hashed for each byte of the text, while a place is looked for. A search that
/// needs more meets the same few bytes at thousands of places.
const HASHED_PER_BYTE: usize = 16;

/// Bytes that may be hashed in any case, so that a short text is searched through.
const HASHED_AT_LEAST: usize = 1024 * 1024;

/// What one more hash costs beside its bytes: its padding.
const PADDING: usize = 128;

/// Most places of one snippet that strict mode tries.
const MAX_PLACES: usize = 65_536;

/// What stands around a change.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Anchor {
    /// The text before it.
    pub before_snippet: Snippet,
    /// The text behind it.
    pub after_snippet: Snippet,
    /// The hash of what lies between them, or of the whole file. Only strict mode looks at it.
    pub content_hash: String,
}

/// A piece of a file's text.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Snippet {
    /// Its hash and its edges.
    Long(LongSnippet),
    /// Itself.
    Text(String),
}

/// A long piece of text by its hash. Everything is said of the text with LF for each CRLF.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct LongSnippet {
    /// SHA-256 of its UTF-8, in hex.
    pub sha256: String,
    /// Bytes of its UTF-8.
    pub length: u64,
    /// How it begins; not empty.
    pub head: String,
    /// How it ends; not empty.
    pub tail: String,
}

impl Snippet {
    /// The snippet of a text: itself up to [`MAX_SNIPPET`] bytes, longer ones by their hash.
    pub fn new(text: &str) -> Self {
        if text.len() <= MAX_SNIPPET {
            return Self::Text(text.into());
        }
        let text = text.replace("\r\n", "\n");
        let start = (0..=EDGE).rev().find(|&at| text.is_char_boundary(at));
        let end =
            (text.len().saturating_sub(EDGE)..=text.len()).find(|&at| text.is_char_boundary(at));
        Self::Long(LongSnippet {
            sha256: Digest::of(text.as_bytes()),
            length: text.len() as u64,
            head: text[..start.unwrap_or_default()].into(),
            tail: text[end.unwrap_or_default()..].into(),
        })
    }
}

/// What a file's text says of an edit; `none` is the reason where it holds neither snippet.
pub(super) fn seen(anchor: &Anchor, text: &[u8], none: Reason) -> Result<(), Reason> {
    let text = Lines::new(text);
    let found = |snippet| Places::new(snippet, &text.lf).next().is_some();
    if found(&anchor.before_snippet) || found(&anchor.after_snippet) {
        Ok(())
    } else {
        Err(none)
    }
}

/// The same in strict mode: both snippets, in order, and the hash of the region or of the file.
pub(super) fn proved(
    anchor: &Anchor,
    text: &[u8],
    sha256: &str,
    none: Reason,
) -> Result<(), Reason> {
    let text = Lines::new(text);
    let before = Found::new(Places::new(&anchor.before_snippet, &text.lf).map(|(_, end)| end));
    let after = Found::new(Places::new(&anchor.after_snippet, &text.lf).map(|(start, _)| start));
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (None, None) => return Err(none),
        (None, Some(_)) => return Err(Reason::NoBefore),
        (Some(_), None) => return Err(Reason::NoAfter),
    };
    if before.first > after.last {
        return Err(Reason::WrongOrder);
    }
    let wanted = &anchor.content_hash;
    if digest::same(wanted, sha256) {
        return Ok(());
    }
    let mut search = region(&text.lf, &before.places, &after.places, wanted);
    if search == Search::Missing && !text.dropped.is_empty() {
        let raw = |places: &[usize]| -> Vec<usize> {
            places.iter().map(|&place| text.raw_place(place)).collect()
        };
        search = region(text.raw, &raw(&before.places), &raw(&after.places), wanted);
    }
    match search {
        Search::Found => Ok(()),
        Search::Missing if before.more || after.more => Err(Reason::TooManyPlaces),
        Search::Missing => Err(Reason::HashMismatch),
        Search::TooMany => Err(Reason::TooManyPlaces),
    }
}

/// A text with LF for each CRLF, and the way back.
struct Lines<'t> {
    raw: &'t [u8],
    lf: Cow<'t, [u8]>,
    /// Where the LFs stand, in `lf`, before which a CR was dropped.
    dropped: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(raw: &'t [u8]) -> Self {
        let mut dropped = Vec::new();
        let lf = match lf(raw, |place| dropped.push(place)) {
            Some(lf) => Cow::Owned(lf),
            None => Cow::Borrowed(raw),
        };
        Self { raw, lf, dropped }
    }

    /// The place in `raw` of a place in `lf`.
    fn raw_place(&self, place: usize) -> usize {
        place + self.dropped.partition_point(|&dropped| dropped < place)
    }
}

/// The bytes with LF for each CRLF; `None` where there is no CRLF. Says where it dropped a CR.
fn lf(bytes: &[u8], mut dropped: impl FnMut(usize)) -> Option<Vec<u8>> {
    let mut lf = None;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
            let lf = lf.get_or_insert_with(|| bytes[..at].to_vec());
            dropped(lf.len());
        } else if let Some(lf) = &mut lf {
            lf.push(byte);
        }
    }
    lf
}

fn snippet_bytes(text: &str) -> Cow<'_, [u8]> {
    lf(text.as_bytes(), |_| {}).map_or(Cow::Borrowed(text.as_bytes()), Cow::Owned)
}

/// Where a snippet stands in a text, from its start to its end.
struct Places<'a> {
    text: &'a [u8],
    starts: Occurrences<'a>,
    length: usize,
    /// The hash and the tail of a long snippet.
    long: Option<(&'a str, Cow<'a, [u8]>)>,
    /// Bytes that may still be compared or hashed.
    budget: usize,
}

impl<'a> Places<'a> {
    fn new(snippet: &'a Snippet, text: &'a [u8]) -> Self {
        let (start, length, long) = match snippet {
            Snippet::Text(whole) => {
                let whole = snippet_bytes(whole);
                let length = whole.len();
                (whole, length, None)
            }
            Snippet::Long(long) => {
                let length = usize::try_from(long.length).unwrap_or(usize::MAX);
                let (head, tail) = (snippet_bytes(&long.head), snippet_bytes(&long.tail));
                let length = if tail.is_empty() { 0 } else { length };
                (head, length, Some((&*long.sha256, tail)))
            }
        };
        // What is empty is everywhere, and no evidence.
        let possible = length <= text.len() && length >= start.len();
        let haystack = if possible { text } else { &[] };
        Self {
            text,
            starts: Occurrences::new(start, haystack),
            length,
            long,
            budget: budget(text),
        }
    }

    fn is_here(&mut self, piece: &[u8]) -> bool {
        let Some((sha256, tail)) = &self.long else {
            return true;
        };
        let mut affords = |bytes| match self.budget.checked_sub(bytes) {
            Some(left) => {
                self.budget = left;
                true
            }
            None => false,
        };
        affords(tail.len())
            && piece.ends_with(tail)
            && affords(piece.len())
            && digest::same(&Digest::of(piece), sha256)
    }
}

impl Iterator for Places<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let text = self.text;
        loop {
            let start = self.starts.next()?;
            let end = start + self.length;
            let piece = text.get(start..end)?;
            if self.is_here(piece) {
                return Some((start, end));
            }
        }
    }
}

/// Every place of some bytes in others, overlapping ones too, in one pass (Knuth, Morris, Pratt).
struct Occurrences<'a> {
    needle: Cow<'a, [u8]>,
    /// For each beginning of the needle, the longest shorter one that it ends with.
    fallback: Vec<usize>,
    haystack: &'a [u8],
    at: usize,
    matched: usize,
}

impl<'a> Occurrences<'a> {
    fn new(needle: Cow<'a, [u8]>, haystack: &'a [u8]) -> Self {
        let haystack = if needle.is_empty() { &[] } else { haystack };
        let mut fallback = Vec::from([0]);
        if !haystack.is_empty() {
            let mut matched = 0;
            for at in 1..needle.len() {
                while matched > 0 && needle[at] != needle[matched] {
                    matched = fallback[matched - 1];
                }
                matched += usize::from(needle[at] == needle[matched]);
                fallback.push(matched);
            }
        }
        Self {
            needle,
            fallback,
            haystack,
            at: 0,
            matched: 0,
        }
    }
}

impl Iterator for Occurrences<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while let Some(&byte) = self.haystack.get(self.at) {
            self.at += 1;
            while self.matched > 0 && byte != self.needle[self.matched] {
                self.matched = self.fallback[self.matched - 1];
            }
            self.matched += usize::from(byte == self.needle[self.matched]);
            if self.matched == self.needle.len() {
                self.matched = self.fallback[self.matched - 1];
                return Some(self.at - self.needle.len());
            }
        }
        None
    }
}

/// The places of a snippet that is there at all, in order.
struct Found {
    first: usize,
    last: usize,
    /// The first ones.
    places: Vec<usize>,
    /// Whether there are others.
    more: bool,
}

impl Found {
    fn new(mut all: impl Iterator<Item = usize>) -> Option<Self> {
        let first = all.next()?;
        let mut found = Self {
            first,
            last: first,
            places: Vec::from([first]),
            more: false,
        };
        for place in all {
            found.last = place;
            if found.places.len() < MAX_PLACES {
                found.places.push(place);
            } else {
                found.more = true;
            }
        }
        Some(found)
    }
}

fn budget(text: &[u8]) -> usize {
    HASHED_PER_BYTE
        .saturating_mul(text.len())
        .max(HASHED_AT_LEAST)
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Search {
    Found,
    Missing,
    TooMany,
}

/// Whether any region from one of `starts` to one of `ends` has the hash. Neighbours are tried
/// before pairs that lie further apart; both lists are in order.
fn region(bytes: &[u8], starts: &[usize], ends: &[usize], wanted: &str) -> Search {
    if !digest::is_sha256(wanted) {
        return Search::Missing;
    }
    let mut budget = budget(bytes);
    for neighbours in [true, false] {
        for (at, &start) in starts.iter().enumerate() {
            let next = starts.get(at + 1).copied().unwrap_or(usize::MAX);
            let most = if neighbours { next } else { usize::MAX };
            let first = ends.partition_point(|&end| end < start);
            let mut digest = Digest::default();
            let mut hashed = start;
            for &end in ends[first..].iter().take_while(|&&end| end < most) {
                let cost = end - hashed + PADDING;
                if cost > budget {
                    return Search::TooMany;
                }
                budget -= cost;
                digest.update(&bytes[hashed..end]);
                hashed = end;
                if digest::same(&digest.clone().finish(), wanted) {
                    return Search::Found;
                }
            }
        }
    }
    Search::Missing
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    fn anchor(before: &str, after: &str, hash: &str) -> Anchor {
        Anchor {
            before_snippet: Snippet::Text(before.into()),
            after_snippet: Snippet::Text(after.into()),
            content_hash: hash.into(),
        }
    }

    fn prove(anchor: &Anchor, text: &str) -> Result<(), Reason> {
        let sha256 = Digest::of(text.as_bytes());
        proved(anchor, text.as_bytes(), &sha256, Reason::NoAnchor)
    }

    #[test]
    fn occurrences_are_those_of_a_plain_search() {
        for haystack in ["", "a", "aaaa", "abababa", "aabaabaaab", "xyz"] {
            for needle in ["", "a", "aa", "aba", "aab", "abababab", "z"] {
                let mut want: Vec<usize> = haystack
                    .as_bytes()
                    .windows(needle.len().max(1))
                    .enumerate()
                    .filter(|(_, window)| *window == needle.as_bytes())
                    .map(|(at, _)| at)
                    .collect();
                if needle.is_empty() {
                    want.clear();
                }
                let got: Vec<usize> =
                    Occurrences::new(needle.as_bytes().into(), haystack.as_bytes()).collect();
                assert_eq!(got, want, "{needle:?} in {haystack:?}");
            }
        }
    }

    #[test]
    fn one_snippet_is_enough_but_an_empty_one_is_none() {
        let rows = [
            ("one\n", "four\n", true),
            ("four\n", "two\r\n", true),
            ("", "one", true),
            ("four", "", false),
            ("", "", false),
            ("\r\n", "", true),
        ];
        for (before, after, want) in rows {
            let got = seen(
                &anchor(before, after, ""),
                b"one\r\ntwo\nthree",
                Reason::NoAnchor,
            );
            assert_eq!(got.is_ok(), want, "{before:?} {after:?}");
        }
    }

    #[test]
    fn strict_mode_tells_what_is_missing() {
        let text = "one\ntwo\nthree\n";
        let hash = Digest::of(b"two\n");
        let rows = [
            (anchor("one\n", "three\n", &hash), Ok(())),
            (
                anchor(
                    "one\n",
                    "three\n",
                    &format!("SHA256:{}", hash.to_uppercase()),
                ),
                Ok(()),
            ),
            (
                anchor("one\n", "three\n", &Digest::of(text.as_bytes())),
                Ok(()),
            ),
            (anchor("one\n", "two\n", &Digest::of(b"")), Ok(())),
            (anchor("four", "five", &hash), Err(Reason::NoAnchor)),
            (anchor("four", "three\n", &hash), Err(Reason::NoBefore)),
            (anchor("one\n", "four", &hash), Err(Reason::NoAfter)),
            (anchor("one\n", "", &hash), Err(Reason::NoAfter)),
            (anchor("three\n", "one\n", &hash), Err(Reason::WrongOrder)),
            (anchor("one\n", "one\n", &hash), Err(Reason::WrongOrder)),
            (anchor("one\n", "three\n", "abc"), Err(Reason::HashMismatch)),
        ];
        for (anchor, want) in rows {
            assert_eq!(prove(&anchor, text), want, "{anchor:?}");
        }
    }

    #[test]
    fn any_pair_of_places_may_be_meant() {
        let text = "( a ) b ( c ) d ( e )";
        for inner in [
            " a ",
            " c ",
            " e ",
            " a ) b ( c ",
            " c ) d ( e ",
            " a ) b ( c ) d ( e ",
        ] {
            let anchor = anchor("(", ")", &Digest::of(inner.as_bytes()));
            assert_eq!(prove(&anchor, text), Ok(()), "{inner}");
        }
        let anchor = anchor("(", ")", &Digest::of(b" b "));
        assert_eq!(prove(&anchor, text), Err(Reason::HashMismatch));
    }

    #[test]
    fn a_region_may_be_hashed_with_either_line_end() {
        let text = "one\r\ntwo\r\nthree\r\n";
        for inner in ["two\r\n", "two\n"] {
            let anchor = anchor("one\n", "three\n", &Digest::of(inner.as_bytes()));
            assert_eq!(prove(&anchor, text), Ok(()), "{inner:?}");
        }
        let anchor = anchor("one", "three", &Digest::of(b"\r\ntwo\r\n"));
        assert_eq!(prove(&anchor, text), Ok(()));
    }

    #[test]
    fn a_long_snippet_is_found_by_its_hash() {
        let piece: String = (0..900).map(|line| format!("line {line} é\r\n")).collect();
        let snippet = Snippet::new(&piece);
        let Snippet::Long(long) = &snippet else {
            panic!("{} bytes are long", piece.len());
        };
        assert_eq!(long.length, piece.replace("\r\n", "\n").len() as u64);
        assert!(long.head.len() <= EDGE && piece.replace("\r\n", "\n").starts_with(&long.head));
        assert!(long.tail.len() <= EDGE && piece.replace("\r\n", "\n").ends_with(&long.tail));

        let holds = |snippet: &Snippet, text: &str| {
            let anchor = Anchor {
                before_snippet: snippet.clone(),
                ..anchor("", "", "")
            };
            seen(&anchor, text.as_bytes(), Reason::NoAnchor).is_ok()
        };
        let text = format!("before\n{piece}after\n");
        assert!(holds(&snippet, &text));
        assert!(holds(&snippet, &text.replace("\r\n", "\n")));
        assert!(!holds(&snippet, &text.replace("line 450", "line 45O")));

        let with = |change: fn(&mut LongSnippet)| {
            let mut long = long.clone();
            change(&mut long);
            Snippet::Long(long)
        };
        assert!(holds(
            &with(|long| long.sha256 = format!("Sha256:{}", long.sha256)),
            &text
        ));
        for wrong in [
            with(|long| long.head.clear()),
            with(|long| long.tail.clear()),
            with(|long| long.length += 1),
            with(|long| long.length = 0),
            with(|long| long.length = u64::MAX),
            with(|long| long.sha256 = "0".repeat(64)),
        ] {
            assert!(!holds(&wrong, &text), "{wrong:?}");
        }
    }

    #[test]
    fn a_search_over_everything_ends() {
        let text = "a".repeat(200_000);
        let hash = Digest::of(b"b");
        assert_eq!(
            prove(&anchor("a", "a", &hash), &text),
            Err(Reason::TooManyPlaces)
        );

        let long = Snippet::Long(LongSnippet {
            sha256: hash,
            length: 100_000,
            head: "a".into(),
            tail: "a".into(),
        });
        let anchor = Anchor {
            before_snippet: long,
            ..anchor("", "", "")
        };
        assert!(seen(&anchor, text.as_bytes(), Reason::NoAnchor).is_err());
    }
}
