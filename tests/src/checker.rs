//! An independent reading of what a scrub did: what leaked, what was scrubbed too much, and which
//! kinds are wrong.
//!
//! It looks at the texts before and after and at the reported stretches, and shares neither code nor
//! lists with the scrubber, so that a fault in one is not a fault in both. What it calls a leak is
//! narrower than what the scrubber must hide: a plain word used as a name looks like any other, and
//! is held by the labelled cases.

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use claimgauge_core::{
    evidence::{Claim, Span},
    profile::Kind,
    scrub::{Replacement, Scrubbed, SpanField},
};

/// What stands in for a placeholder: a boundary that is no part of any token.
const GAP: char = '\u{0}';

static COMMON_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| words(include_str!("../vectors/common_words.txt")));
static LANGUAGE_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| words(include_str!("../vectors/language_words.txt")));

/// Units with capitals or marks, and what else stands behind a number.
#[rustfmt::skip]
const UNITS: [&str; 26] = [
    "B", "C", "EUR", "F", "GB", "GHz", "GiB", "Hz", "K", "KB", "KiB", "MB", "MHz", "MiB", "Mbit", "TB", "USD", "UTC", "W",
    "dB", "kB", "kHz", "kW", "kWh", "mAh", "Ω",
];

/// Months with their capital.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A token of a claim that can still be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Leak {
    /// The token as the claim spells it.
    pub token: String,
    /// The claim's text.
    pub claim: String,
    /// The scrubbed text or source label that holds it.
    pub text: String,
}

/// An ordinary word that was replaced.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OverScrubbed {
    /// The word.
    pub word: String,
    /// The stretch that covers it.
    pub stretch: String,
    /// The stretch's placeholder.
    pub placeholder: String,
    /// The evidence.
    pub text: String,
}

/// So many of all.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Share<T> {
    /// Those that count.
    pub found: Vec<T>,
    /// How many there are to look at.
    pub of: usize,
}

impl<T> Default for Share<T> {
    fn default() -> Self {
        let found = Vec::new();
        Self { found, of: 0 }
    }
}

impl<T> Share<T> {
    /// In percent; none of none is 0.
    pub fn percent(&self) -> f64 {
        100.0 * self.found.len() as f64 / self.of.max(1) as f64
    }

    /// Adds what was found elsewhere.
    pub fn add(&mut self, other: Self) {
        self.found.extend(other.found);
        self.of += other.of;
    }
}

/// The claims' identifying tokens that the evidence holds, and those of them that survived.
pub fn leaks(claims: &[Claim], before: &[Span], after: &[Span]) -> Share<Leak> {
    let before: Vec<&str> = texts(before).collect();
    let after: Vec<(&str, String)> = texts(after)
        .map(|text| (text, without_placeholders(text)))
        .collect();
    let mut share = Share::default();
    for claim in claims {
        for token in identifying_tokens(&without_placeholders(&claim.text)) {
            if !before.iter().any(|text| holds_token(text, &token)) {
                continue;
            }
            share.of += 1;
            if let Some((text, _)) = after.iter().find(|(_, bare)| holds_token(bare, &token)) {
                share.found.push(Leak {
                    token,
                    claim: claim.text.clone(),
                    text: (*text).to_owned(),
                });
            }
        }
    }
    share
}

/// The ordinary words of the evidence's texts, and those of them that a replaced stretch covers.
pub fn over_scrubbed(
    claims: &[Claim],
    before: &[Span],
    scrubbed: &Scrubbed,
) -> Share<OverScrubbed> {
    let named = Named::in_claims(claims);
    let mut share = Share::default();
    for span in before {
        let replaced: Vec<_> = scrubbed
            .replacements
            .iter()
            .filter(|stretch| *stretch.span == *span.id && stretch.field == SpanField::Text)
            .collect();
        for range in ordinary_words(&span.text) {
            let word = &span.text[range.clone()];
            if named.any_form_of(word) {
                continue;
            }
            share.of += 1;
            let covering = replaced
                .iter()
                .find(|stretch| stretch.start.0 < range.end && range.start < stretch.end.0);
            if let Some(stretch) = covering {
                share.found.push(OverScrubbed {
                    word: word.to_owned(),
                    stretch: stretch.text.to_string(),
                    placeholder: stretch.placeholder.to_string(),
                    text: span.text.clone(),
                });
            }
        }
    }
    share
}

/// Whether the reported stretches, put into the evidence, give the scrubbed texts: only then do they
/// tell what [`over_scrubbed`] must know.
pub fn stretches_add_up(before: &[Span], scrubbed: &Scrubbed) -> bool {
    let applied = |span: &Span, field: SpanField, text: &str| {
        let mut made = String::new();
        let mut done = 0;
        for stretch in &scrubbed.replacements {
            if *stretch.span == *span.id && stretch.field == field {
                let between = text.get(done..stretch.start.0)?;
                (*text.get(stretch.start.0..stretch.end.0)? == *stretch.text).then_some(())?;
                made.push_str(between);
                made.push_str(&stretch.placeholder);
                done = stretch.end.0;
            }
        }
        Some(made + text.get(done..)?)
    };
    before.len() == scrubbed.spans.len()
        && before.iter().zip(&scrubbed.spans).all(|(before, after)| {
            let source = before.source.as_deref();
            let source = source.map(|text| applied(before, SpanField::Source, text));
            applied(before, SpanField::Text, &before.text).as_ref() == Some(&after.text)
                && source.is_none_or(|source| source == after.source)
        })
}

/// The shortest replaced stretch that holds the surface as a whole token. Quotes, `()` and `$` are no
/// part of a surface.
pub fn covering<'a>(scrubbed: &'a Scrubbed, surface: &str) -> Option<&'a Replacement> {
    let surface = surface
        .trim_matches(['"', '\'', '`', '$'])
        .trim_end_matches("()");
    scrubbed
        .replacements
        .iter()
        .filter(|replacement| holds_token(&replacement.text, surface))
        .min_by_key(|replacement| replacement.text.len())
}

/// Whether a scrubbed text or source label still holds the token: the rule of the labels `gone`.
pub fn survives(token: &str, after: &[Span]) -> bool {
    texts(after).any(|text| holds_token(&without_placeholders(text), token))
}

/// The texts and source labels of spans.
pub fn texts(spans: &[Span]) -> impl Iterator<Item = &str> {
    spans
        .iter()
        .flat_map(|span| [Some(span.text.as_str()), span.source.as_deref()])
        .flatten()
}

/// The tokens of a claim that cannot be ordinary words: what it quotes, and what has a digit, `_`, an
/// inner capital, an inner `.`, `/` or `:`, or a capital elsewhere than at the sentence's start. Of a
/// token that is joined by such marks, those parts too that are such tokens by themselves. Words of a
/// language or a protocol are none.
pub fn identifying_tokens(claim: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut add = |token: &str| {
        let new = !tokens.iter().any(|known| known == token);
        if new && !LANGUAGE_WORDS.contains(token.to_lowercase().as_str()) {
            tokens.push(token.to_owned());
        }
    };
    quoted(claim).into_iter().for_each(&mut add);
    // A claim without small letters has its ordinary words in capitals, too.
    let loud = !claim.contains(char::is_lowercase);
    let common = |token: &str| loud && COMMON_WORDS.contains(token.to_lowercase().as_str());
    let mut starts_sentence = true;
    let mut counted = false;
    let mut rest = claim;
    while !rest.is_empty() {
        let ends = |char: char| char.is_whitespace() || "()[]{}<>,;=\"`“”|".contains(char);
        let (piece, behind) = rest.split_once(ends).unwrap_or((rest, ""));
        rest = behind;
        let token = bare(piece);
        if token.is_empty() {
            continue;
        }
        let first_capital = token.starts_with(char::is_uppercase);
        // The unit of a number is no name, nor is a currency, nor the month of a date by itself.
        let unit = counted && is_unit(token);
        let next = rest.split_whitespace().next().unwrap_or_default();
        let counts = next.starts_with(|char: char| char.is_ascii_digit());
        let currency = counts && matches!(token, "EUR" | "GBP" | "USD");
        let month = (counted || counts) && is_month(token);
        counted = token.ends_with(char::is_numeric);
        if unit || currency || month {
            continue;
        }
        let made = looks_made(token) || first_capital && !starts_sentence;
        if made && !common(token) {
            add(token);
            // A version's numbers by themselves are those of anything.
            let joined = token.contains(char::is_alphabetic);
            let parts = token
                .split(['.', '/', ':'])
                .filter(|part| joined && *part != token);
            for part in parts {
                if looks_made(part) || part.starts_with(char::is_uppercase) {
                    add(part);
                }
            }
        }
        starts_sentence = piece.ends_with(['.', '!', '?', ':']);
    }
    tokens
}

/// `kWh`, `mm²`, `km/h`; of `req/s` and `h/week` one part is a unit.
fn is_unit(token: &str) -> bool {
    let known = |part: &str| UNITS.contains(&part) || part.len() <= 2;
    let small = |part: &str| part.chars().all(char::is_lowercase);
    let token = token.trim_start_matches('°').trim_end_matches('²');
    let parts = || token.split('/');
    parts().any(known) && parts().all(|part| UNITS.contains(&part) || small(part))
}

/// `March`, `Mar`.
fn is_month(token: &str) -> bool {
    let cut = |month: &&str| token.len() >= 3 && month.starts_with(token);
    MONTHS.iter().any(cut)
}

/// A digit, `_`, an inner capital or an inner `.`, `/`, `:`.
fn looks_made(token: &str) -> bool {
    let joins = |char: char| matches!(char, '.' | '/' | ':');
    token.contains(|char: char| char == '_' || char.is_numeric())
        || token.chars().skip(1).any(char::is_uppercase)
        || token.trim_matches(joins).contains(joins)
}

/// A token without the marks around it and without a possessive's end.
fn bare(piece: &str) -> &str {
    let marks = [
        '.', ':', '!', '?', '\'', '‘', '’', '$', '%', '€', '…', '*', '-', '–', '—',
    ];
    let token = piece.trim_matches(marks);
    let possessive = token
        .strip_suffix("'s")
        .or_else(|| token.strip_suffix("’s"));
    possessive.unwrap_or(token)
}

/// What stands between quotes. A `'` inside a word is an apostrophe.
fn quoted(text: &str) -> Vec<&str> {
    const PAIRS: [(char, char); 5] = [('"', '"'), ('`', '`'), ('“', '”'), ('‘', '’'), ('\'', '\'')];
    let mut found = Vec::new();
    for (open, close) in PAIRS {
        let mut rest = 0..text.len();
        while let Some(at) = text[rest.clone()].find(open) {
            let start = rest.start + at + open.len_utf8();
            rest.start = start;
            if text[..start - open.len_utf8()].ends_with(is_word) {
                continue;
            }
            let end = text[start..].match_indices(close).find(|(at, _)| {
                let after = &text[start + at + close.len_utf8()..];
                !after.starts_with(is_word)
            });
            if let Some((length, _)) = end {
                let inner = text[start..start + length].trim();
                if inner.contains(is_word) {
                    found.push(inner);
                }
                rest.start = start + length + close.len_utf8();
            }
        }
    }
    found
}

/// Where a text's ordinary words stand: letters-only, lower-case, common, with nothing but marks of a
/// sentence around them.
fn ordinary_words(text: &str) -> Vec<Range<usize>> {
    let marks = ['.', ',', ';', ':', '!', '?', '(', ')', '"', '\''];
    let mut found = Vec::new();
    let mut end = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let start = end;
        end += piece.len();
        let word = piece.trim_end().trim_matches(marks);
        if COMMON_WORDS.contains(word) {
            let at = start + piece.find(word).unwrap_or_default();
            found.push(at..at + word.len());
        }
    }
    found
}

/// The words that claims name, each in the form that all its forms share.
struct Named(HashSet<String>);

impl Named {
    fn in_claims(claims: &[Claim]) -> Self {
        let mut stems = HashSet::new();
        for claim in claims {
            for token in claim.text.split(|char: char| !char.is_alphabetic()) {
                stems.insert(stem(&token.to_lowercase()));
                stems.extend(camel_parts(token).map(|part| stem(&part.to_lowercase())));
            }
        }
        Self(stems)
    }

    fn any_form_of(&self, word: &str) -> bool {
        self.0.contains(&stem(word))
    }
}

/// `getUserById` has the parts get, User, By, Id.
fn camel_parts(token: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let starts = token
        .char_indices()
        .filter(|(at, char)| *at > 0 && char.is_uppercase())
        .map(|(at, _)| at)
        .chain([token.len()]);
    starts.map(move |end| {
        let part = &token[start..end];
        start = end;
        part
    })
}

/// What is left of a word without the endings of plurals and of verbs: `deletes`, `deleted` and
/// `deleting` have the stem of `delete`, `queries` has that of `query`.
fn stem(word: &str) -> String {
    let ends = |ending: &&str| word.len() >= ending.len() + 3 && word.ends_with(ending);
    let ending = ["ing", "ed", "es", "s"].into_iter().find(ends);
    let ending = ending.filter(|_| !word.ends_with("ss")).unwrap_or_default();
    let mut stem = word[..word.len() - ending.len()].to_owned();
    let mut last = stem.chars().rev();
    let (last, before) = (last.next(), last.next());
    match last {
        Some('e') => drop(stem.pop()),
        Some('y') => stem.replace_range(stem.len() - 1.., "i"),
        Some('l' | 's') => {}
        _ if last == before && !ending.is_empty() => drop(stem.pop()),
        _ => {}
    }
    stem
}

/// Each placeholder becomes a boundary that is no part of any token.
pub fn without_placeholders(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        result.push_str(&rest[..open]);
        rest = &rest[open..];
        let close = rest
            .find(']')
            .filter(|close| is_placeholder(&rest[1..*close]));
        let length = close.map_or(1, |close| close + 1);
        result.push(if close.is_some() { GAP } else { '[' });
        rest = &rest[length..];
    }
    result + rest
}

fn is_placeholder(inner: &str) -> bool {
    let numbered = inner.rsplit_once('_').is_some_and(|(kind, number)| {
        Kind::from_word(kind).is_some()
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    numbered || inner == "REDACTED"
}

/// Whether `token` stands in `text` as a whole token, in any case.
pub fn holds_token(text: &str, token: &str) -> bool {
    let (text, token) = (text.to_lowercase(), token.to_lowercase());
    text.match_indices(&token).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + token.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// Letters, digits and `_`, but no script that is written without spaces: CJK, kana, hangul.
fn is_word(char: char) -> bool {
    let boundary = matches!(u32::from(char), 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7af);
    char == '_' || char.is_alphanumeric() && !boundary
}

/// The words of a list; lines that start with `#` are about it.
fn words(list: &'static str) -> HashSet<&'static str> {
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect()
}

#[cfg(test)]
mod tests {
    use claimgauge_core::scrub::ScrubRequest;

    use super::*;

    fn claims(text: &str) -> Vec<Claim> {
        claimgauge_core::evidence::claims(vec![text.into()]).expect("well formed")
    }

    fn span(text: &str) -> Span {
        Span {
            id: "S0".to_owned(),
            text: text.to_owned(),
            source: None,
        }
    }

    /// A scrub of one span, with the stretches between the two texts' placeholders made by hand.
    fn scrub(text: &str, stretches: &[(&str, &str)]) -> Scrubbed {
        let mut scrubbed = ScrubRequest {
            profile: "strawberry".into(),
            evidence: vec!["nothing".into()],
            ..ScrubRequest::default()
        }
        .run()
        .expect("well formed");
        let mut after = text.to_owned();
        scrubbed.replacements.clear();
        for (stretch, placeholder) in stretches {
            let start = text.find(stretch).expect("a stretch of the text");
            after = after.replacen(stretch, placeholder, 1);
            scrubbed.replacements.push(Replacement {
                span: "S0".into(),
                field: SpanField::Text,
                start: claimgauge_core::scrub::ByteOffset(start),
                end: claimgauge_core::scrub::ByteOffset(start + stretch.len()),
                kind: Kind::Id.into(),
                placeholder: (*placeholder).into(),
                text: (*stretch).into(),
                why: claimgauge_core::scrub::Why::Claim,
            });
        }
        scrubbed.spans = vec![span(&after)];
        scrubbed
    }

    #[test]
    fn identifying_tokens_are_what_no_ordinary_word_can_be() {
        let of = |claim| identifying_tokens(claim).join(" | ");
        assert_eq!(
            of("Table users contains field email with data type VARCHAR and length 255"),
            "255"
        );
        assert_eq!(
            of("orders.customer_id is set."),
            "orders.customer_id | customer_id"
        );
        assert_eq!(
            of("Redis keeps it. Then Redis's `max mem` is 5%, says teamId."),
            "max mem | Redis | 5 | teamId"
        );
        assert_eq!(
            of("It's the shop's 'Free delivery' banner"),
            "Free delivery | Free"
        );
        assert_eq!(
            of("POST /api/v2 takes JSON in src/app.ts"),
            "/api/v2 | v2 | src/app.ts"
        );
        assert_eq!(of("plain words, nothing else: none"), "");
    }

    #[test]
    fn a_leak_is_found_as_a_whole_token_in_any_case() {
        let before = [span("max_size is 10, in Redis")];
        let leaked = |after: &str| {
            let found = leaks(&claims("In Redis MAX_SIZE is 10"), &before, &[span(after)]).found;
            found.into_iter().map(|leak| leak.token).collect::<Vec<_>>()
        };
        assert_eq!(leaked("[FIELD_1] is [NUM_1], in [ID_1]"), [""; 0]);
        assert_eq!(
            leaked("max_size is 10, in redis"),
            ["Redis", "MAX_SIZE", "10"]
        );
        assert_eq!(leaked("max_size2 is [NUM_10], in redis_10"), [""; 0]);
        assert_eq!(leaked("[NUM_1]10\u{65e5}redis"), ["Redis", "10"]);
        assert_eq!(leaked("a [10] that is no placeholder"), ["10"]);
    }

    #[test]
    fn what_the_evidence_never_held_is_no_token_to_lose() {
        let share = leaks(
            &claims("The port is 8080"),
            &[span("nothing")],
            &[span("nothing")],
        );
        assert_eq!((share.found.len(), share.of), (0, 0));
    }

    #[test]
    fn an_ordinary_word_that_was_replaced_is_found() {
        let text = "The tokens are read once; deleted members stay locked. xyzzy is_valid";
        let share = over_scrubbed(
            &claims("Deleting a token is final"),
            &[span(text)],
            &scrub(
                text,
                &[
                    ("tokens", "[ID_1]"),
                    ("members stay", "[ID_2]"),
                    ("xyzzy", "[ID_3]"),
                ],
            ),
        );
        // are, read, once, members, stay, locked: the claim names token, delete and is.
        assert_eq!(share.of, 6);
        let words: Vec<_> = share
            .found
            .iter()
            .map(|found| found.word.as_str())
            .collect();
        assert_eq!(words, ["members", "stay"]);
        assert_eq!(share.found[0].placeholder, "[ID_2]");
    }

    #[test]
    fn stretches_that_do_not_give_the_scrubbed_text_are_found() {
        let text = "users has 10 rows";
        let mut scrubbed = scrub(text, &[("users", "[TABLE_1]"), ("10", "[NUM_1]")]);
        assert!(stretches_add_up(&[span(text)], &scrubbed));
        scrubbed.replacements.pop();
        assert!(!stretches_add_up(&[span(text)], &scrubbed));
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["delete", "deletes", "deleted", "deleting"][..],
            &["query", "queries", "queried", "querying"],
            &["stop", "stops", "stopped", "stopping"],
            &["class", "classes"],
        ] {
            assert!(
                forms.iter().all(|form| stem(form) == stem(forms[0])),
                "{forms:?}"
            );
        }
        assert_ne!(stem("read"), stem("ready"));
    }
}
