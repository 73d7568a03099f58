//! What only a claim's text tells: whatever in it identifies something is a name.

use alloc::string::String;

use super::{REACH, Reader, Reading, Shown, config, prose, shapes};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::Look,
        ordinary,
        scanner::{Scan, TokenKind},
        words::{
            self, COMMON, COMPOUND, CUE, DESCRIBING, DETERMINER, DOTTED, LANGUAGE, List, MONTH,
            NOT_NAMES, OPENER, SMALL_NAMES, SMALL_TYPE, TITLE, TYPE_WORDS, UNITS, VERB, Words,
            any_of,
        },
    },
};

/// Whether most of a claim's words are English, so that one which is no word of English is a name.
pub(super) fn is_english(scan: &Scan<'_>) -> bool {
    const FEWEST: usize = 4;
    let plain = scan.tokens.iter().zip(0..);
    let plain = plain.filter(|(token, _)| token.look.is_plain() && token.kind == TokenKind::WORD);
    let (mut all, mut known) = (0, 0);
    for (token, at) in plain {
        let word = scan.word(at);
        if word.chars().nth(1).is_some_and(char::is_alphabetic) {
            all += 1;
            known += usize::from(token.lists().has(KNOWN) || ordinary::is_ordinary(word));
        }
    }
    all < FEWEST || 4 * known > all
}

/// Whether a clause of its own begins at `at`, behind a mark: "- The", "⛵ mode", and with a capital "Note: The",
/// "(The".
pub(super) fn opens_clause(reader: &Reader<'_, '_>, mark: usize, at: usize) -> bool {
    let apart = mark + 1 < at;
    let capital = reader.look(at) == Look::Capital;
    // "(Most calls fail)", not "(Baker)", "owner: Baker"
    let next = reader.skip_space(at + 1);
    let said = next > at + 1 && reader.is_word(next) && reader.look(next).is_plain();
    match reader.word(mark) {
        ":" | ";" => apart && capital && said,
        "#" | "*" | "+" | ">" | "•" => apart && reader.opens_line(mark),
        "-" | "–" | "—" => {
            let parted = mark > 0 && reader.scan.kind(mark - 1) == Some(TokenKind::SPACE);
            apart && (reader.opens_line(mark) || capital && parted)
        }
        "(" | "[" | "\"" | "“" | "'" | "‘" | "«" => !apart && capital && said,
        // An emoji
        text => {
            let sign = |char: char| matches!(char, '\u{2300}'..'\u{3000}' | '\u{fe00}'..);
            apart && text.starts_with(sign)
        }
    }
}

/// A claim's text as it is read: without Markdown's emphasis, and lines that a break cuts in two are one.
/// `None` where that changes nothing.
pub(crate) fn unmarked(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    let ends_word = |char: char| char.is_alphanumeric();
    while let Some(at) = rest.find(['*', '_', '\n']) {
        let (before, behind) = rest.split_at(at);
        plain.push_str(before);
        let mark = &behind[..1];
        let inner = behind.trim_start_matches(mark);
        let marks = &behind[..behind.len() - inner.len()];
        let opens = !plain.ends_with(ends_word) && !plain.ends_with(['_', '/', '`']);
        rest = inner;
        let line = plain.strip_suffix('\r').unwrap_or(&plain);
        let breaks = mark == "\n"
            && marks.len() == 1
            && line.ends_with(ends_word)
            && inner.starts_with(char::is_lowercase);
        if breaks {
            let end = line.len();
            plain.truncate(end);
            plain.push(' ');
            continue;
        }
        // `__init__` is a name.
        let emphasis = match mark {
            "*" => marks.len() <= 3,
            "_" => marks.len() == 1,
            _ => false,
        };
        let close = inner.find(['*', '_', '\n']).filter(|close| {
            let (text, end) = inner.split_at(*close);
            let after = end.strip_prefix(marks);
            let whole = |rest: &str| !rest.starts_with(ends_word) && !rest.starts_with(mark);
            *close > 0 && !text.starts_with(' ') && !text.ends_with(' ') && after.is_some_and(whole)
        });
        match close.filter(|_| emphasis && opens) {
            Some(close) => {
                plain.push_str(&inner[..close]);
                rest = &inner[close + marks.len()..];
            }
            None => plain.push_str(marks),
        }
    }
    plain.push_str(rest);
    (plain != text).then_some(plain)
}

/// Looks at what opens a stretch without white space at `at`: beside marks that only code has, its words are names.
#[inline(never)]
pub(super) fn coded(reader: &mut Reader<'_, '_>, at: usize) {
    const JOINTS: [&str; 8] = ["->", "?.", "!.", "].", "['", "[\"", "#", "${"];
    let apart = |kind| {
        matches!(
            kind,
            TokenKind::SPACE | TokenKind::NEWLINE | TokenKind(b'(')
        )
    };
    if at > 0 && !reader.scan.kind(at - 1).is_some_and(apart) {
        return;
    }
    let inside = |kind: TokenKind| {
        let named = matches!(kind, TokenKind::WORD | TokenKind::NUMBER);
        named || b"!\"#$%&'*-.:<>?@[\\]{}".contains(&kind.0)
    };
    let mut end = at;
    while end < at + REACH && reader.scan.kind(end).is_some_and(inside) {
        end += 1;
    }
    let coded = |word: usize| {
        let before = reader.text(at, word).trim_start_matches(['"', '\'']);
        let long = before.len() > 1;
        let opened = match before {
            "$" | "$." | "%" | "*" => true,
            ":" => !reader.is_mark(word + 1, b':'),
            // `.reef.tide`, not `.env.local`
            "." => reader.is_mark(word + 1, b'.') && !reader.is(word, "env"),
            "<" => reader.is_mark(word + 1, b'>'),
            // "gate[3] is empty", not "is empty[3]."
            "" => {
                let verb = reader.skip_space(word + 4);
                reader.is_mark(word + 1, b'[')
                    && reader.is_mark(word + 3, b']')
                    && is_verb(reader, verb)
            }
            _ if before.starts_with('@') => long && before.ends_with('.'),
            _ if before.ends_with('\\') => {
                long && shapes::path_kinds(reader.text(at, end)).is_none()
            }
            _ => long && before.ends_with('['),
        };
        reader.word(word).len() > 1
            && (opened || JOINTS.iter().any(|joint| before.ends_with(joint)))
    };
    if (at..end).any(|word| reader.is_word(word) && coded(word)) {
        while reader.says(end - 1, any_of!(". ? ! :")) {
            end -= 1;
        }
        marked(reader, at, end);
    }
}

/// Looks at a code span, or at what is written as one. Letters, and words with nothing but hyphens and slashes between
/// them, are one name; else plain words are names, but for what is called, and one with those that never are.
pub(super) fn marked(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let kinds: &[Kind] = &[Id, Var, Param, Config];
    let joins = |at: usize, marks| reader.scan.tokens[at].kind.is_mark() && !reader.says(at, marks);
    let short = |at| reader.word(at).len() < 2;
    if !(from..to).any(|at| joins(at, any_of!("- /"))) || (from..to).all(short) {
        return reader.push(from, to, kinds, Rank::Guess);
    }
    // `shop.carts` is what its shape says.
    if reader.is_word(from) && !(from..to).any(|at| joins(at, any_of!("- / . :"))) {
        return;
    }
    let (mut names, mut words) = (false, false);
    for at in from..to {
        let plain = reader.look(at).is_plain() && reader.word(at).len() > 1;
        if !reader.is_word(at) || !plain || reader.is_mark(at + 1, b'(') {
            continue;
        }
        if reader.is_in(at, LANGUAGE.or(NOT_NAMES)) {
            words = true;
        } else {
            names = true;
            reader.push(at, at + 1, kinds, Rank::Guess);
        }
    }
    if names && words {
        reader.push(from, to, kinds, Rank::Guess);
    }
}

/// Whether it holds words like "has" and "the".
pub(super) fn speaks_english(scan: &Scan<'_>) -> bool {
    let function = |lists: List| lists.has(NOT_NAMES.or(VERB));
    scan.tokens.iter().any(|token| function(token.lists()))
}

/// Looks at the Han, kana or hangul at `at`: in English they are a name, elsewhere where they are quoted
/// or a cue stands beside them.
#[inline(never)]
pub(super) fn ideographs(reader: &mut Reader<'_, '_>, at: usize) {
    let before = reader.before(at);
    let next = reader.skip_space(at + 1);
    let word = |at: Option<usize>| at.map_or("", |at| reader.word(at));
    let marks = (word(before), word(Some(next)));
    // What is quoted as other texts quote is found so.
    if matches!(marks, ("\"", "\"") | ("'", "'") | ("`", "`") | ("“", "”")) {
        return;
    }
    let quoted = matches!(marks, ("「", "」") | ("『", "』") | ("《", "》"));
    let cue = before
        .and_then(|cue| prose::cue_kinds(reader, cue))
        .or_else(|| prose::cue_kinds(reader, next))
        .filter(|_| reader.speaks_english);
    // `orders_订单` is one name.
    let first = at
        .checked_sub(1)
        .filter(|at| reader.word(*at).ends_with('_'));
    let from = first.unwrap_or(at);
    let to = at + 1 + usize::from(reader.word(at + 1).starts_with('_'));
    match cue {
        Some(kinds) => reader.push(at, at + 1, kinds, Rank::Claim),
        None if quoted => reader.push(at, at + 1, &[Str], Rank::Guess),
        None if from + 1 < to => reader.push(from, to, &[Id], Rank::Shape),
        None if reader.speaks_english => reader.push(at, at + 1, &[Id], Rank::Shape),
        None => {}
    }
}

/// Looks at the words of a run that is nothing as a whole.
#[inline(never)]
pub(super) fn run(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    if is_rate(reader, from, to) {
        return;
    }
    if hyphened(reader, from, to) || slashed(reader, from, to) {
        return match told(reader, from, to) {
            Some(kinds) => reader.push(from, to, kinds, Rank::Claim),
            None => reader.push(from, to, &[Id], Rank::Shape),
        };
    }
    // `login.fen-hut.example`, `fen-hut@2`: one name, and its parts are such, too.
    let joins =
        |at: &usize| reader.scan.tokens[*at].kind.is_mark() && !reader.says(*at, any_of!("- /"));
    let hyphen = || (from..to).any(|at| reader.is_mark(at, b'-'));
    if to - from <= REACH
        && let Some(last) = (from + 1..to).rfind(joins).filter(|_| hyphen())
    {
        reader.push(
            from,
            to,
            shapes::host_kinds(reader.text(from, to)),
            Rank::Shape,
        );
        run(reader, from, last);
        return run(reader, last + 1, to);
    }
    for at in from..to {
        match reader.scan.kind(at) {
            Some(TokenKind::NUMBER) => number(reader, at),
            Some(TokenKind::WORD) => word(reader, at),
            _ => {}
        }
    }
}

/// `acme-parser`, `fr-CA`, `relay-2031`, `order-worker`; not `read-only`.
fn hyphened(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    let text = reader.text(from, to);
    let part = |part: &str| {
        let mut chars = part.chars();
        !part.is_empty() && chars.all(|char| char.is_alphanumeric() || char == '_')
    };
    // Of "3-5 times" each end is a number.
    let range = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-');
    if to <= from + 1 || !text.contains('-') || !text.split('-').all(part) || range {
        return false;
    }
    let ordinary = |part: &str| {
        let initial = reader.opens_sentence(from) && text.starts_with(part);
        let small = !part.contains(|char: char| char.is_ascii_digit() || char.is_uppercase());
        (small || initial) && is_ordinary(part)
    };
    let compound = |part: &str| words::is_in(COMPOUND.or(NOT_NAMES), part);
    let last = text.rsplit('-').next().unwrap_or_default();
    let describes = text.split('-').any(compound)
        || is_participle(last)
        || is_adjective(last) && is_said(reader, from);
    is_headed(reader, from, to) || !text.split('-').all(ordinary) || !describes
}

/// Whether the run is what the noun before it, for a thing that has a name, is called.
fn is_headed(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    let next = reader.skip_space(to);
    let title = reader
        .before(from)
        .is_some_and(|title| is_title(reader, title));
    title && (is_verb(reader, next) || ends_clause(reader, to - 1))
}

/// `km/h`, `5 req/s`: a unit of what stands before it.
fn is_rate(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    let counted = |before: usize| reader.scan.kind(before) == Some(TokenKind::NUMBER);
    let unit = |at: usize| UNITS.contains(&reader.word(at));
    to == from + 3
        && reader.is_mark(from + 1, b'/')
        && reader.before(from).is_some_and(counted)
        && (unit(from) || unit(from + 2))
}

/// `application/json`, `kiln/tokio`, "the topic tides/depth"; not `read/write`, and of `TCP/IP` and `9/10` each part by itself.
fn slashed(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    /// What media types begin with.
    const MEDIA: &Words = any_of!("application audio font image message multipart text video");
    let text = reader.text(from, to);
    let Some((first, rest)) = text.split_once('/') else {
        return false;
    };
    let part = |part: &str| {
        let mut chars = part.chars();
        !part.is_empty() && chars.all(|char| char.is_alphanumeric() || "_-+.".contains(char))
    };
    let ordinary = |part: &str| {
        is_ordinary(part)
            || words::is_in(LANGUAGE, part)
            || words::is_all_capitals(part)
            || words::number_length(part) == part.len()
    };
    // "tides/depth is published"
    let subject = || {
        let compound = |part: &str| words::is_in(COMPOUND.or(NOT_NAMES), part);
        reader.opens_sentence(from)
            && text.starts_with(char::is_lowercase)
            && is_verb(reader, reader.skip_space(to))
            && !text.split('/').any(compound)
    };
    text.split('/').all(part)
        && (MEDIA.has(first) && !words::is_in(KNOWN, rest)
            || is_headed(reader, from, to)
            || subject()
            || !text.split('/').all(ordinary))
}

fn number(reader: &mut Reader<'_, '_>, at: usize) {
    // "Redis 7.2": the version of what stands before it.
    let text = reader.word(at);
    let owner = reader
        .before(at)
        .filter(|before| before + 1 < at && reader.is_word(*before));
    let owned = owner.is_some_and(|before| {
        let word = reader.word(before);
        let proper = word.starts_with(char::is_uppercase) && !reader.opens_sentence(before);
        let parts = !PARTS.has(word) && !reader.is_in(before, KNOWN);
        // "Node.js 20"
        let dotted = before > 1 && DOTTED.contains(&reader.text(before - 2, before + 1));
        // "yarn 4 is needed", not "yarn 4 times"
        let next = reader.skip_space(at + 1);
        let counts = reader.word(next).ends_with('s') && !is_verb(reader, next);
        let program = config::is_called(word) && !counts;
        parts && (text.contains('.') || proper || dotted || program)
    });
    // "4.x"
    if reader.is_mark(at + 1, b'.') && reader.word(at + 2) == "x" {
        return reader.push(at, at + 3, &[Version, Num], Rank::Shape);
    }
    if is_default(reader, at, at + 1) {
        return reader.push(at, at + 1, &[Value, Num], Rank::Claim);
    }
    match (owned || is_release(reader, at)) && !reader.is_mark(at + 1, b'-') {
        true => reader.push(at, at + 1, &[Version, Num], Rank::Shape),
        false => reader.push(at, at + 1, &[Num], Rank::Shape),
    }
}

/// What a text has of which the number is none of a release: "section 4.3".
const PARTS: &Words = any_of!("Chapter Figure Part Section chapter clause figure part section");

/// "5.0 removes the key", "Upgrade from 4.1 to 5.0": a number with a point where only a release stands.
fn is_release(reader: &Reader<'_, '_>, at: usize) -> bool {
    const LONGEST: usize = 12;
    let acts = reader.says(
        reader.skip_space(at + 1),
        any_of!("adds changes deprecates drops fixes introduces removes renames requires supports"),
    );
    let moves = |at: usize| {
        let word = reader.word(at).to_ascii_lowercase();
        ["downgrad", "migrat", "upgrad"]
            .iter()
            .any(|verb| word.starts_with(verb))
    };
    let numbers =
        |at: &usize| !reader.is_word(*at) || reader.says(*at, any_of!("from to x")) || moves(*at);
    let before = |from: usize| {
        let mut words = (from.saturating_sub(LONGEST)..from)
            .rev()
            .take_while(numbers);
        words.any(moves)
    };
    reader.word(at).contains('.') && (acts && reader.opens_sentence(at) || before(at))
}

fn word(reader: &mut Reader<'_, '_>, at: usize) {
    let text = reader.word(at);
    if text.chars().nth(1).is_none() {
        // `PagedList<T>`
        if at > 0 && reader.is_mark(at - 1, b'<') && reader.is_mark(at + 1, b'>') {
            reader.push(at, at + 1, &[Type, Id], Rank::Claim);
        }
        return;
    }
    if is_unit(reader, at) || reader.goes_on_in_type(at) {
        return;
    }
    if let Some(kinds) = told(reader, at, at + 1) {
        return reader.push(at, at + 1, kinds, Rank::Claim);
    }
    if let Some(kinds) = placed(reader, at) {
        return reader.push(at, at + 1, kinds, Rank::Shape);
    }
    if reader.is_in(at, LANGUAGE) {
        if is_given_back(reader, at) {
            return reader.push(at, at + 1, &[Type, Class, Id], Rank::Claim);
        }
        if reader.is_in(at, TYPE_WORDS) && (words::is_all_capitals(text) || is_typed(reader, at)) {
            reader.push_data_type(at);
        }
        return;
    }
    let marked = || reader.before(at).is_some_and(|mark| !reader.is_name(mark));
    let determines = reader.look(at) == Look::Capital && reader.is_in(at, DETERMINER) && marked();
    if is_month(reader, at) || is_status(reader, at) || determines {
        return;
    }
    let opens = reader.opens_sentence(at);
    let kinds: &'static [Kind] = match reader.look(at) {
        Look::Plain | Look::Small => match plain(reader, at, opens) {
            Plain::Name(kinds) => kinds,
            Plain::IfShown(shown) => return reader.push_if_shown(at, &[Id], Rank::Guess, shown),
            Plain::Rare => {
                reader.push_if_shown(at, &[Id], Rank::Guess, Shown::Named);
                return reader.push_if_shown(at, &[Id], Rank::Guess, Shown::Proper);
            }
            Plain::Word => return,
        },
        Look::Capital if opens => match opener(reader, at) {
            Plain::Name(kinds) => kinds,
            Plain::IfShown(shown) => return reader.push_if_shown(at, &[Id], Rank::Guess, shown),
            Plain::Rare | Plain::Word => return,
        },
        Look::Capitals if reader.is_in(at, NOT_NAMES.or(OPENER)) => return,
        Look::Capital if prose::only_announces(reader, at) => return,
        Look::Capital if reader.is_built_in(at) => &[Type, Id],
        Look::Capital | Look::Capitals => &[Id],
        _ if reader.is_well_known(at) => &[Id],
        // The others are names in any text.
        _ => return shapes::word(reader, at, &[]),
    };
    reader.push(at, at + 1, kinds, Rank::Shape);
}

/// "returns a Patch": a word of a language where what a function gives back is named.
fn is_given_back(reader: &Reader<'_, '_>, at: usize) -> bool {
    let article = reader
        .before(at)
        .filter(|article| reader.says(*article, any_of!("a an")));
    let verb = article.and_then(|article| reader.before(article));
    reader.look(at) == Look::Capital
        && !reader.is_in(at, TYPE_WORDS)
        && !reader.is_built_in(at)
        && !reader.is_well_known(at)
        && ends_clause(reader, at)
        && verb.is_some_and(|verb| {
            reader.says(
                verb,
                any_of!("builds creates gives makes returns takes yields"),
            )
        })
}

/// "25 MB", "is in days", "USD 6"
fn is_unit(reader: &Reader<'_, '_>, at: usize) -> bool {
    let counts = |before: usize| {
        reader.scan.kind(before) == Some(TokenKind::NUMBER) || reader.is(before, "in")
    };
    let text = reader.word(at);
    let currency = matches!(text, "USD" | "EUR" | "GBP")
        && reader.scan.kind(reader.skip_space(at + 1)) == Some(TokenKind::NUMBER);
    currency || reader.before(at).is_some_and(counts) && UNITS.contains(&text)
}

/// "is a boolean", "stored as jsonb": a type word where it says what something is.
fn is_typed(reader: &Reader<'_, '_>, at: usize) -> bool {
    let before = reader.before(at).map_or("", |before| reader.word(before));
    let next = reader.word(reader.skip_space(at + 1));
    // An enum is a sort of types.
    any_of!("a an as is to").has(before)
        && !reader.is(at, "enum")
        && (ends_clause(reader, at) || any_of!("and or with").has(next))
}

/// A month of a date that is a name as a whole; "may" by itself is much else.
fn is_month(reader: &Reader<'_, '_>, at: usize) -> bool {
    let number = |at: usize| reader.scan.kind(at) == Some(TokenKind::NUMBER);
    reader.is_in(at, MONTH)
        && (reader.is(at, "May")
            || reader.before(at).is_some_and(number)
            || number(reader.skip_space(at + 1)))
}

/// "404 Not Found", "503 Service Unavailable": the phrase of a status is HTTP's.
fn is_status(reader: &Reader<'_, '_>, at: usize) -> bool {
    const MOST_WORDS: usize = 3;
    const PHRASES: &Words = any_of!(
        "\
        Too Acceptable Accepted Allowed Bad Conflict Content Created Entity Error Failed Forbidden Found \
        Gateway Gone Internal Large Locked Many Method Modified Moved No Not Permanently Request Requests \
        Server Service Timeout Unauthorized Unavailable Unprocessable"
    );
    if !reader.word(at).starts_with(char::is_uppercase) {
        return false;
    }
    let mut place = at;
    for _ in 0..=MOST_WORDS {
        if !reader.says(place, PHRASES) {
            return false;
        }
        let Some(before) = reader.before(place) else {
            return false;
        };
        if reader.scan.kind(before) == Some(TokenKind::NUMBER) {
            return reader.word(before).len() == 3;
        }
        place = before;
    }
    false
}

/// What the place of a word that is written like any other makes it.
fn placed(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    if !reader.look(at).is_ordinary() {
        return None;
    }
    let text = reader.word(at);
    let language = reader.is_in(at, LANGUAGE);
    // "get()", not "VARCHAR(255)" nor "file(s)".
    let called = reader.is_mark(at + 1, b'(')
        && !reader.is_in(at, TYPE_WORDS)
        && !reader.says(at + 2, any_of!("s es"));
    if called || is_macro(reader, at) {
        return Some(if is_of_table(reader, at) {
            &[Table, Id]
        } else {
            &[Func, Method, Id]
        });
    }
    let listed = at > 1 && reader.is_mark(at - 1, b'(') && reader.is_mark(at + 1, b')');
    if listed && reader.is_word(at - 2) && is_of_table(reader, at - 2) {
        return Some(&[Col, Field, Id]);
    }
    // "the decorator @cached"
    if at > 0 && reader.is_mark(at - 1, b'@') {
        return Some(&[Id]);
    }
    if language && words::is_all_capitals(text) {
        return None;
    }
    let kinds = christened(reader, at);
    if kinds.is_some() {
        return kinds;
    }
    if is_assigned(reader, at) {
        return Some(&[Config, Param, Var, Id]);
    }
    if is_given(reader, at) {
        return Some(&[Value, Var, Id]);
    }
    if is_vector(reader, at) {
        return Some(&[Attack, Id]);
    }
    // A word of another writing in Chinese or Japanese is one because it is a name.
    let ideographs = |at: Option<usize>| {
        at.is_some_and(|at| reader.scan.kind(at) == Some(TokenKind::IDEOGRAPHS))
    };
    let beside = ideographs(reader.before(at)) || ideographs(Some(reader.skip_space(at + 1)));
    if beside && !reader.speaks_english && !language && text.is_ascii() && !reader.is_well_known(at)
    {
        return Some(&[Id]);
    }
    let kinds = said(reader, at).or_else(|| titled(reader, at));
    if kinds.is_some() {
        return kinds;
    }
    if is_listed(reader, at) {
        return Some(&[Id]);
    }
    let kinds = apposed(reader, at);
    if kinds.is_some() {
        return kinds;
    }
    if is_sorted_by(reader, at) || is_key_column(reader, at) {
        return Some(&[Col, Field, Id]);
    }
    if is_filled(reader, at) {
        return Some(&[Table, Id]);
    }
    if is_account(reader, at) {
        return Some(&[Role, Id]);
    }
    owner(reader, at).or_else(|| object(reader, at))
}

/// "The index is on carts(owner)", "references carts(owner)": whether the word at `at` is a table with columns.
fn is_of_table(reader: &Reader<'_, '_>, at: usize) -> bool {
    let verb = reader.before(at).map_or("", |verb| reader.word(verb));
    let named = reader.is_word(at + 2);
    any_of!("covers on").has(verb) || named && any_of!("REFERENCES references").has(verb)
}

/// "seal!(x) expands", "Macro seal! is unsafe"
fn is_macro(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 2);
    let said = || is_verb(reader, next) || reader.says(next, any_of!("and are or"));
    reader.is_mark(at + 1, b'!') && (reader.is_mark(at + 2, b'(') || said())
}

/// "Function sift calls grind", "Table crates references trees": what a named thing has to do with.
fn object(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    #[rustfmt::skip]
    static VERBS: [(&str, &[Kind]); 16] = [
        ("assigned", &[Role, Id]), ("granted", &[Role, Id]), ("covers", &[Col, Field, Id]), ("links", &[Table, Id]),
        ("calls", &[Func, Method, Id]), ("declares", &[Method, Func, Field, Id]), ("exports", &[Func, Class, Var, Id]),
        ("depends", &[Pkg, Module, Id]), ("extends", &[Class, Type, Id]), ("imports", &[Module, Pkg, Id]),
        ("inherits", &[Role, Class, Id]),
        ("invokes", &[Func, Method, Id]), ("joins", &[Table, Id]), ("overrides", &[Method, Func, Config, Id]),
        ("references", &[Table, Id]), ("takes", &[Var, Param, Id]),
    ];
    let next = reader.skip_space(at + 1);
    let ends = ends_clause(reader, at)
        || reader.says(
            next,
            any_of!("and by for if of on once or to twice when with"),
        );
    if !ends || !reader.look(at).is_plain() {
        return None;
    }
    // "inherits from guest", "depends on oven", "is granted to guest"
    let preposition = reader
        .before(at)
        .filter(|word| reader.says(*word, any_of!("from on to with")));
    let verb = listing(reader, preposition.unwrap_or(at), &|verb| {
        VERBS.iter().any(|(known, _)| *known == verb)
    });
    // "joins stalls with guides", "links boats to berths"
    let beside = || {
        listing(reader, reader.before(preposition?)?, &|verb| {
            any_of!("joins links").has(verb)
        })
    };
    let verb = verb.or_else(beside)?;
    if reader.is(next, "of") && !reader.is(verb, "covers") {
        return None;
    }
    let (word, kinds) = VERBS
        .iter()
        .find(|(known, _)| *known == reader.word(verb))?;
    let subject = subject(reader, verb)?;
    // Tables and roles are often called by ordinary plurals, what programs do is often said of such.
    let ordinary = match kinds {
        [Table, ..] => NOT_NAMES.or(TYPE_WORDS),
        [Role, ..] => NOT_NAMES.or(CUE),
        // Nothing else is extended in a word.
        [Class, ..] => NOT_NAMES,
        _ => KNOWN.or(CUE).or(TYPE_WORDS).or(SMALL_TYPE),
    };
    let text = reader.word(at);
    let many = text.ends_with('s');
    let fits = match kinds {
        [Role | Table, ..] => true,
        [Class, ..] => !many && !any_of!("behavior behaviour functionality").has(text),
        _ => !many,
    };
    let named = !reader.is_in(at, ordinary) && fits;
    let title = reader.before(subject);
    let role = title.and_then(|title| prose::cue_kinds(reader, title)) == Some(&[Role]);
    let apt = match *word {
        "assigned" | "granted" => {
            let right = title.and_then(|title| prose::cue_kinds(reader, title));
            reader.is(preposition?, "to") && matches!(right, Some([Perm | Role]))
        }
        "covers" | "links" => {
            let part = title.and_then(|title| prose::cue_kinds(reader, title));
            matches!(part, Some([Constraint | Index | Key, ..]))
        }
        _ => !role || *word == "inherits",
    };
    let apt = apt && !reader.is_mark(subject, b'-');
    let opens = reader.opens_sentence(subject) && reader.look(subject).is_plain()
        || *word == "joins" && reader.says(subject, any_of!("query statement view"));
    (named && apt && (opens || is_named(reader, subject))).then_some(*kinds)
}

/// The name before the verb at `verb`, behind which it "is granted"; that which the sentence opens with in "Package
/// harbor imports x and depends on y", "Column pier_id in boats references piers".
fn subject(reader: &Reader<'_, '_>, verb: usize) -> Option<usize> {
    const LONGEST: usize = 16;
    let before = reader.before(verb)?;
    let opens = |title: &usize| {
        let first = reader.before(*title).filter(|the| reader.is(*the, "The"));
        is_title(reader, *title) && reader.opens_sentence(first.unwrap_or(*title))
    };
    let first = |before: usize| {
        let title = (before.saturating_sub(LONGEST)..before).rev().find(opens)?;
        let name = reader.skip_space(title + 1);
        (!reader.is_in(name, NOT_NAMES)).then_some(name)
    };
    let placed = reader
        .before(before)
        .filter(|place| reader.says(*place, any_of!("in of on")));
    match reader.word(before) {
        "is" | "was" => reader.before(before),
        "and" => first(before),
        _ => placed.and_then(first).or(Some(before)),
    }
}

/// The verb before the list that the word at `at` stands in: "takes flour, water and salt".
fn listing(reader: &Reader<'_, '_>, at: usize, is: &dyn Fn(&str) -> bool) -> Option<usize> {
    const MOST: usize = 8;
    let mut first = at;
    for _ in 0..MOST {
        let before = reader.before(first)?;
        if is(reader.word(before)) {
            return Some(before);
        }
        let joint = match reader.word(before) {
            "and" | "or" => Some(before),
            _ => reader.is_mark(before, b',').then_some(before),
        };
        first = reader.before(joint?)?;
        if reader.is_mark(first, b',') {
            first = reader.before(first)?;
        }
    }
    None
}

/// Whether the word at `at` is a name, by what it looks like or by what stands before it.
fn is_named(reader: &Reader<'_, '_>, at: usize) -> bool {
    let title = reader.before(at);
    let proper = reader.look(at) == Look::Capital && !is_ordinary(reader.word(at));
    !reader.is_word(at)
        || !reader.look(at).is_ordinary()
        || proper
        || title.is_some_and(|title| reader.says(title, any_of!(". /")) || is_title(reader, title))
        // "The orders table"
        || is_title(reader, at) && title.is_some_and(|name| !is_determiner(reader, name))
}

/// "trips has column fare", "fare is a column of trips", "the default of limit is 20": what the sentence
/// says that the name up to `to` is.
fn told(reader: &Reader<'_, '_>, at: usize, to: usize) -> Option<&'static [Kind]> {
    if is_default(reader, at, to) {
        return Some(&[Value]);
    }
    let single = to == at + 1;
    let next = reader.skip_space(to);
    let name = !single || !reader.is_in(at, NOT_NAMES) && reader.word(at).len() > 1;
    let bare = reader.opens_sentence(at) || !single || !reader.look(at).is_ordinary();
    if !name || next == to && next < reader.scan.tokens.len() {
        return None;
    }
    match reader.word(next) {
        _ if has(reader, next) => owner_of(reader, next).filter(|_| bare),
        "is" | "was" if bare && reader.says(reader.skip_space(next + 1), any_of!("a an the")) => {
            let first = reader.skip_space(reader.skip_space(next + 1) + 1);
            let (at, kinds) = cue_near(reader, first)?;
            let then = reader.word(reader.skip_space(at + 1));
            let ends =
                ends_clause(reader, at) || any_of!("for from in of on that which with").has(then);
            (ends && !matches!(kinds, [Value | Line | Num | Version, ..])).then_some(kinds)
        }
        verb => {
            let of = reader
                .before(at)
                .filter(|of| reader.says(*of, any_of!("of for")))?;
            let value = reader.before(of)?;
            let default = match reader.word(value) {
                "value" => reader.before(value)?,
                _ => value,
            };
            let plain = single && reader.look(at).is_plain();
            // "the type of berth is TEXT"
            let typed = reader.is_in(reader.skip_space(next + 1), TYPE_WORDS);
            if plain && reader.is(value, "type") && verb == "is" && typed {
                return Some(&[Col, Field, Var, Param, Id]);
            }
            let value = reader.skip_space(next + 1);
            let told =
                plain && (reader.is(default, "default") || is_default(reader, value, value + 1));
            (told && any_of!("is was equals").has(verb)).then_some(&[Param, Config, Id])
        }
    }
}

/// Whether the stretch is what "The default value of mode is" ends with, or "The value of mode is".
fn is_default(reader: &Reader<'_, '_>, at: usize, to: usize) -> bool {
    const LONGEST: usize = 16;
    let quote = |at: &usize| matches!(reader.word(*at), "`" | "\"" | "'");
    let mut before = reader.before(at);
    before = match before.filter(quote) {
        Some(quote) => reader.before(quote),
        None => before,
    };
    let verb = before.filter(|verb| matches!(reader.word(*verb), "is" | "was" | "equals"));
    let Some(verb) = verb else {
        return false;
    };
    let mut before = (verb.saturating_sub(LONGEST)..verb).rev();
    let of = before.find(|of| matches!(reader.word(*of), "of" | "for"));
    let which = of.and_then(|of| reader.before(of));
    let value = which.filter(|which| reader.word(*which) == "value");
    let default = match value {
        Some(value) => reader.before(value),
        None => which,
    };
    let number = reader.scan.kind(at) == Some(TokenKind::NUMBER);
    let word = reader.word(at);
    let by_default = default.is_some_and(|default| reader.word(default) == "default");
    // "The value of a page is"
    let one = of.is_some_and(|of| reader.before(verb) == Some(reader.skip_space(of + 1)));
    // "The default of mode is slow" tells none.
    let describes = (value.is_none() || !by_default) && reader.is_in(at, COMPOUND)
        || reader.is_in(at, NOT_NAMES.or(DESCRIBING).or(LANGUAGE))
        || is_participle(word)
        || is_adjective(word);
    let ends = ends_clause(reader, to - 1) || quote(&to) || number;
    (by_default || value.is_some() && one) && (number || !describes) && ends
}

/// Whether the verb at `at` says what a thing has.
fn has(reader: &Reader<'_, '_>, at: usize) -> bool {
    matches!(
        reader.word(at),
        "contains" | "gets" | "had" | "has" | "holds" | "includes" | "keeps" | "lacks" | "stores"
    )
}

/// "has a column fare": what it is that has this, by the verb at `verb`.
fn owner_of(reader: &Reader<'_, '_>, verb: usize) -> Option<&'static [Kind]> {
    let (cue, kinds) = cue_near(reader, reader.skip_space(verb + 1))?;
    let which = reader.before(cue).map_or("", |which| reader.word(which));
    match kinds {
        [Col | Field | Index | Constraint, ..] => Some(&[Table, Class, Id]),
        [Key, ..] if any_of!("foreign primary").has(which) => Some(&[Table, Id]),
        [Method, ..] => Some(&[Class, Type, Id]),
        [Perm, ..] => Some(&[Role, Id]),
        _ => None,
    }
}

/// The first cue of the next words from `at` on, and what it announces.
fn cue_near(reader: &Reader<'_, '_>, at: usize) -> Option<(usize, &'static [Kind])> {
    const NEAR: usize = 3;
    let words = (0..NEAR).scan(at, |place, _| {
        let at = *place;
        *place = reader.skip_space(at + 1);
        // "has 3 columns"
        let word = matches!(
            reader.scan.kind(at),
            Some(TokenKind::WORD | TokenKind::NUMBER)
        );
        word.then_some(at)
    });
    let mut cues = words.filter_map(|at| Some((at, prose::cue_kinds(reader, at)?)));
    cues.next()
}

/// "retries = 5", "sets retries to 5", "retries defaults to 5".
fn is_assigned(reader: &Reader<'_, '_>, at: usize) -> bool {
    if reader.is_in(at, NOT_NAMES) {
        return false;
    }
    let next = reader.skip_space(at + 1);
    if reader.is_mark(next, b'=') && !reader.is_mark(next + 1, b'=') {
        return true;
    }
    let behind = reader.skip_space(next + 1);
    let before = reader.before(at);
    let before_word = before.map_or("", |before| reader.word(before));
    if any_of!("Set set sets setting").has(before_word) && reader.is(next, "to") {
        return true;
    }
    let plain = reader.look(at).is_plain();
    let bare = plain && is_bare(reader, at);
    let set =
        reader.says(next, any_of!("is are be")) && reader.says(behind, any_of!("set configured"));
    let defaults = reader.is(next, "defaults") && reader.is(behind, "to");
    bare && (set || defaults)
}

/// "pace=brisk is the default", "depth = high": what the assigned name is.
fn is_given(reader: &Reader<'_, '_>, at: usize) -> bool {
    let sign = reader.before(at).filter(|sign| reader.is_mark(*sign, b'='));
    let name = sign.and_then(|sign| reader.before(sign));
    name.is_some_and(|name| reader.is_word(name)) && !reader.is_in(at, NOT_NAMES.or(LANGUAGE))
}

/// "Attack vector is network": the words of CVSS for how an attack comes.
fn is_vector(reader: &Reader<'_, '_>, at: usize) -> bool {
    let sign = reader
        .before(at)
        .filter(|sign| reader.says(*sign, any_of!("is :")));
    let vector = sign
        .and_then(|sign| reader.before(sign))
        .filter(|vector| reader.is(*vector, "vector"));
    let attack = vector.and_then(|vector| reader.before(vector));
    attack.is_some_and(|attack| reader.says(attack, any_of!("Attack attack")))
        && reader.says(at, any_of!("adjacent local network physical"))
}

/// Whether the word at `at` is one for a thing that has a name.
fn is_title(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, CUE.or(TITLE))
}

/// "a queue called letters", "The token named sweep is …", "goes by the name of sweep": whatever thing it is.
fn christened(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    let word = reader.word(at);
    let small = reader.is_in(at, NOT_NAMES);
    if !reader.look(at).is_plain() || small && !BASE_FORMS.has(word) {
        return None;
    }
    if is_renamed(reader, at) {
        return Some(&[Id]);
    }
    let before = reader.before(at)?;
    let of = match reader.word(before) {
        "of" => reader.before(before)?,
        _ => before,
    };
    let article = || reader.before(of).filter(|the| reader.is(*the, "the"));
    let name = || reader.before(article()?);
    if reader.is(of, "name") && name().is_some_and(|by| reader.says(by, any_of!("by under with"))) {
        return Some(&[Id]);
    }
    let verb = listing(reader, at, &|verb| {
        matches!(verb, "called" | "named" | "titled")
    })?;
    let mut noun = reader.before(verb)?;
    let is = reader.says(noun, any_of!("are is was were"));
    if is {
        noun = reader.before(noun)?;
    }
    // "is called twice", "are named badly", "uses named pipes", "newly named files"
    let how = word.ends_with("ly")
        || reader.is(verb, "called")
            && any_of!("back earlier early home late often soon twice").has(word);
    let other = NOT_NAMES.or(VERB).or(DETERMINER);
    let thing = reader.is_word(noun)
        && (is || !reader.is_in(noun, other) && !reader.word(noun).ends_with("ly"));
    let one = verb == before || is_many(reader.word(noun));
    let kinds = prose::cue_kinds(reader, noun).unwrap_or(&[Id]);
    (thing && one && !how).then_some(kinds)
}

/// "was renamed to atlas", "was renamed from trunk to harvest"; not "renamed to tell what it holds".
fn is_renamed(reader: &Reader<'_, '_>, at: usize) -> bool {
    let renames = |verb: &usize| reader.says(*verb, any_of!("Rename rename renamed renames"));
    let Some(preposition) = reader
        .before(at)
        .filter(|word| reader.says(*word, any_of!("from to")))
    else {
        return false;
    };
    let before = |at: usize| reader.before(at);
    let verb = before(preposition);
    // "renamed the option mode to strategy"
    let far = (0..3).try_fold(preposition, |at, _| {
        before(at).filter(|at| reader.is_word(*at))
    });
    let of_thing =
        far.is_some_and(|far| renames(&far) || before(far).is_some_and(|at| renames(&at)));
    let from = verb
        .and_then(before)
        .filter(|from| reader.is(*from, "from"));
    let next = reader.skip_space(at + 1);
    let ends = ends_clause(reader, at)
        || reader.says(next, any_of!("and because before by in on since to when"));
    ends && (verb.is_some_and(|verb| renames(&verb))
        || of_thing && reader.is(preposition, "to")
        || from.and_then(before).is_some_and(|verb| renames(&verb)))
}

/// "Queue emails is drained", "The view breeze shows …", "The sweep job runs …", "is given to group interns.": by the
/// noun beside it for a thing that has a name.
fn titled(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    let title = reader.before(at).filter(|title| title + 1 < at)?;
    let word = reader.word(at);
    if !reader.look(at).is_plain() || reader.is_in(at, NOT_NAMES) {
        return None;
    }
    let next = reader.skip_space(at + 1);
    let acts = is_verb(reader, next) || is_running(reader, next) || acts_on(reader, next);
    let determined = |noun: usize| reader.says(noun, any_of!("The the"));
    let many = is_many(word) && !word.ends_with("us");
    // Of what two words say together the verb has the number of the second.
    let apart = many && reader.word(next).ends_with('s');
    if determined(title) {
        let kinds = prose::title_kinds(reader, next)?;
        let then = reader.skip_space(next + 1);
        let finite = is_verb(reader, then);
        // "The orders queue is drained": other words may only say how it is or which sort of queue.
        let sorts = many && is_ordinary(word) && !reader.says(next, any_of!("group team"));
        let named = sorts && reader.is_in(next, TITLE) && (finite || ends_clause(reader, next))
            || finite
                && !prose::names_any(reader, next)
                && is_callable(reader, at)
                && !word.ends_with("est")
                && !word.ends_with("en")
                && !QUALITIES.has(word);
        return named.then_some(kinds);
    }
    let kinds = prose::title_kinds(reader, title)?;
    if HEADS.has(word) {
        return None;
    }
    let opens = reader.opens_sentence(title);
    if opens && is_served(reader, at, kinds) {
        return Some(kinds);
    }
    // "The service billing restarts", not "The service billing fails"
    let runs = is_running(reader, next) && reader.is_in(title, TITLE) && word.ends_with("ing");
    let callable = || is_callable(reader, at) || kinds == [Role] && is_person(reader, at);
    let apt = || (apart || runs || callable()) && !has_object(reader, at);
    // "The materialized view mist is"
    let which = reader
        .before(title)
        .map(|which| match is_adjectival(reader, which) {
            true => reader.before(which).unwrap_or(which),
            false => which,
        });
    let named = match opens {
        true => acts && apt(),
        false if acts && which.is_some_and(determined) => apt(),
        false => {
            let thing = reader.is_in(title, TITLE);
            let apt = thing || kinds == [Role] && callable();
            // "is set by the job unload"
            let placed = |the: usize| {
                let before = reader.before(the).map_or("", |before| reader.word(before));
                reader.is(the, "the") && any_of!("by from in into of on through to via").has(before)
            };
            let behind = thing && which.is_some_and(placed) && callable();
            (apt && is_bare(reader, title) || behind) && ends_clause(reader, at)
        }
    };
    named.then_some(kinds)
}

/// Whether a word that ends as verbs do has what verbs have behind them: "compresses logs", "talks to ledger".
fn acts_on(reader: &Reader<'_, '_>, at: usize) -> bool {
    let object = reader.skip_space(at + 1);
    let placed = reader.says(object, any_of!("at by for from in into on to until with"));
    takes_object(reader, at) || placed && may_be_verb(reader, at)
}

/// The same of a verb with an object: "owns the files", "retries failed jobs".
fn takes_object(reader: &Reader<'_, '_>, at: usize) -> bool {
    let plain = |at: usize| reader.look(at).is_plain() && !reader.is_in(at, NOT_NAMES);
    let mut object = reader.skip_space(at + 1);
    let determined = is_determiner(reader, object);
    if is_participle(reader.word(object)) {
        object = reader.skip_space(object + 1);
    }
    let behind = reader.skip_space(object + 1);
    let ends = ends_clause(reader, object)
        || reader.is_in(behind, NOT_NAMES) && !reader.says(behind, any_of!("are have were"));
    let many = plain(object) && is_many(reader.word(object)) && ends;
    may_be_verb(reader, at) && (determined || many)
}

fn may_be_verb(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    let plain = reader.look(at).is_plain() && !reader.is_in(at, NOT_NAMES);
    plain && is_many(word) && is_ordinary(word)
}

/// Whether the word at `at` may be what a person is called for what they do, and no part of a program.
fn is_person(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    let common = KNOWN.or(CUE).or(TITLE).or(LANGUAGE);
    word.ends_with("er") && !AGENTS.has(word) && !reader.is_in(at, common)
}

/// What parts of programs are called for what they do.
const AGENTS: &Words = any_of!(
    "adapter buffer cluster container controller counter filter folder handler header identifier layer manager number order \
    parameter pointer provider register router scheduler server trigger"
);

/// Whether the word at `at` says what only programs do.
fn is_running(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.says(at, any_of!("crashes exits polls reboots restarts retries"))
}

/// "Header trace is sent", "Endpoint health returns 200": by what is said of the word at `at` alone, as it may be one
/// of the trade's.
fn is_served(reader: &Reader<'_, '_>, at: usize, kinds: &[Kind]) -> bool {
    let verb = reader.skip_space(at + 1);
    let said = match kinds {
        [Param] => {
            let how = reader.skip_space(verb + 1);
            let sent = reader.says(
                how,
                any_of!("absent forwarded missing optional present required sent"),
            );
            is_verb(reader, verb) && sent && !reader.is_in(at, COMMON)
        }
        [Endpoint] => reader.says(verb, any_of!("answers redirects responds returns")),
        _ => false,
    };
    let word = reader.word(at);
    said && !reader.is_in(at, CUE) && !is_abstract(word)
}

/// Whether the word at `at`, beside a noun for a thing that has a name, is seldom said of such things: "harbor", not
/// "manager", "rotation", "pool".
fn is_callable(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    let common = KNOWN.or(CUE).or(TITLE).or(LANGUAGE);
    let one = word.strip_suffix('s').unwrap_or(word);
    // "courier", "visitor"; not "holder", "iterator", which English makes of verbs
    let agent = word.ends_with("er") || word.ends_with("sor") || word.ends_with("tor");
    let own = agent && ordinary::is_listed(word) && !AGENTS.has(word);
    let adjectival = match own {
        true => reader.is_in(at, DESCRIBING.or(COMPOUND)),
        false => agent || is_adjectival(reader, at),
    };
    !reader.is_in(at, common) && !adjectival && !is_abstract(word) && !SORTED.has(one)
}

/// The name before the words up to `at` that say which sort of thing it is: "the harvest query parameter".
pub(super) fn behind_sorts(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    const MOST: usize = 2;
    let mut which = at;
    for _ in 0..MOST {
        which = reader
            .before(which)
            .filter(|_| reader.is_in(which, DESCRIBING))?;
        if !reader.is_in(which, DESCRIBING) {
            break;
        }
    }
    let determined = reader
        .before(which)
        .is_some_and(|the| reader.says(the, any_of!("The the")));
    let plain = reader.look(which).is_plain() && !reader.is_in(which, DESCRIBING);
    (determined && plain && is_callable(reader, which)).then_some(which)
}

/// What a noun before them only says the sort of: "worker pool", "key fingerprint".
const SORTED: &Words = any_of!(
    "\
    agent attack bar board bus cabinet card catalog chain clock cost depth edge engine fingerprint flow fund \
    gallery graph guard handle harness health home icon id lag layer leaf load lock logic loop mail map mask mesh \
    mode pair pattern pool prompt proxy quality quota ring room scan space story structure suite syntax tree usage web window zone"
);

/// Words that say how things are and that no ending tells.
const QUALITIES: &Words = any_of!(
    "\
    black blue brown correct cron direct exact fair fake front gray green hot idle left main odd plain proper red \
    right rough sole spare stable strong tidy true vast weak white wrong"
);

/// "toString and equals are …": beside something that is written as no word is.
fn is_listed(reader: &Reader<'_, '_>, at: usize) -> bool {
    let joins = |at: usize| reader.says(at, any_of!("and or"));
    let name = |at: usize| {
        let look = reader.look(at);
        !look.is_ordinary() && look != Look::Number && !reader.is_well_known(at)
    };
    if !reader.look(at).is_plain() || reader.is_in(at, NOT_NAMES) {
        return false;
    }
    let next = reader.skip_space(at + 1);
    let before = reader.before(at).filter(|before| joins(*before));
    let behind = before.and_then(|and| reader.before(and)).is_some_and(name);
    let ahead = joins(next) && name(reader.skip_space(next + 1)) && is_bare(reader, at);
    let ends = || {
        is_verb(reader, next)
            || reader.says(next, any_of!("are have were"))
            || ends_clause(reader, at)
    };
    behind && ends() || ahead
}

/// "The keys host, port and user are required", "Labels bug and docs were added": a list behind a noun in the plural,
/// which has nothing but names between it and its verb. Not "Tests pass and builds are green".
fn apposed(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    const MOST: usize = 8;
    let plain = |at: usize| {
        reader.look(at).is_plain() && !reader.is_in(at, NOT_NAMES) && reader.word(at).len() > 1
    };
    let noun = listing(reader, at, &|word| is_many(word) && word.len() > 3).filter(|noun| {
        let determined = reader
            .before(*noun)
            .is_some_and(|which| is_determiner(reader, which) || reader.is(which, "The"));
        !reader.is_in(*noun, NOT_NAMES) && (determined || reader.opens_sentence(*noun))
    })?;
    let cue = prose::cue_kinds(reader, noun);
    let one = |ending| {
        let one = reader.word(noun).strip_suffix(ending);
        one.is_some_and(|one| words::is_in(TITLE, one))
    };
    let named = cue.is_some() || one("s") || one("es");
    let first = reader.skip_space(noun + 1);
    let (mut last, mut count, mut many, mut said) = (first, 0, 0, 0);
    loop {
        if !plain(last) || count == MOST {
            return None;
        }
        count += 1;
        many += usize::from(is_many(reader.word(last)));
        said += usize::from(is_adjectival(reader, last));
        match prose::conjunction(reader, last + 1) {
            Some(next) => last = next,
            None => break,
        }
    }
    let joined = reader
        .before(last)
        .is_some_and(|and| reader.says(and, any_of!("and or")));
    let next = reader.skip_space(last + 1);
    let verb = reader.says(next, any_of!("are have were"))
        || named && reader.says(next, any_of!("can cannot may must need should take will"));
    let alike = many == 0 || many == count || !is_many(reader.word(last));
    let acts = || words::is_in(VERB, &[reader.word(first), "s"].concat());
    let listed = joined && verb && said < count && (alike || named && !acts());
    listed.then_some(cue.unwrap_or(&[Id]))
}

/// "filters on state", "sorted by due": what rows are told apart by.
fn is_sorted_by(reader: &Reader<'_, '_>, at: usize) -> bool {
    const SORTS: &Words =
        any_of!("filter group index join key order partition select sort unique cluster");
    let verb = |at: usize| {
        let word = reader.word(at);
        let stem = word
            .strip_suffix("ed")
            .or(word.strip_suffix('s'))
            .unwrap_or(word);
        SORTS.has(stem)
    };
    let by = reader
        .before(at)
        .filter(|by| reader.says(*by, any_of!("by on")));
    let sorts = by.and_then(|by| reader.before(by)).is_some_and(verb);
    let how = any_of!("day default hand hour minute month quarter week year").has(reader.word(at));
    let column = reader.look(at).is_plain() && !how && !reader.is_in(at, NOT_NAMES);
    sorts && column && ends_clause(reader, at)
}

/// "Inserting into harbor needs …", "Rows are deleted from parcels": where rows come and go.
fn is_filled(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    let verb = |at: usize| {
        let verb = reader.word(at).to_ascii_lowercase();
        let moves = ["delet", "insert", "select"];
        // "deleted from disk"
        moves.iter().any(|stem| verb.starts_with(stem)) && (verb.ends_with("ing") || is_many(word))
    };
    let next = reader.skip_space(at + 1);
    let ends = ends_clause(reader, at)
        || reader.is_in(next, VERB.or(NOT_NAMES))
        || reader.word(next).ends_with('s');
    let from = reader
        .before(at)
        .filter(|from| reader.says(*from, any_of!("from into")));
    let moved = from.and_then(|from| reader.before(from)).filter(|_| ends);
    // "Selecting zone from stalls"
    let whose = moved.and_then(|moved| reader.before(moved));
    let named = reader.look(at).is_plain() && !reader.is_in(at, KNOWN.or(CUE).or(LANGUAGE));
    named && (moved.is_some_and(verb) || whose.is_some_and(verb))
}

/// "the guest account", "User root can …": the account that it is.
fn is_account(reader: &Reader<'_, '_>, at: usize) -> bool {
    /// Names that accounts have wherever there are any.
    const ACCOUNTS: &Words = any_of!("admin anonymous guest nobody root superuser");
    let text = reader.word(at);
    let next = reader.word(reader.skip_space(at + 1));
    let before = reader.before(at).map_or("", |before| reader.word(before));
    ACCOUNTS.has(text) && (any_of!("account user").has(next) || any_of!("Account User").has(before))
}

/// "fare is a column of trips": what a sentence says of the word that it opens with.
fn said(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    let named = !reader.is_in(at, NOT_NAMES) && prose::cue_kinds(reader, at).is_none();
    if !named || !reader.opens_sentence(at) {
        return None;
    }
    let verb = reader.skip_space(at + 1);
    let article = reader.skip_space(verb + 1);
    let determined = is_determiner(reader, article);
    let noun = match determined {
        true => reader.skip_space(article + 1),
        false => article,
    };
    let kinds = prose::cue_kinds(reader, noun);
    match reader.word(verb) {
        // "limit is a query parameter"
        "is" if determined => kinds
            .or_else(|| prose::cue_kinds(reader, reader.skip_space(noun + 1)))
            .filter(|kinds| {
                matches!(
                    kinds[0],
                    Col | Config | Constraint | Field | Param | Perm | Role | Table
                )
            }),
        _ => None,
    }
}

/// "In coupons, the column …", "the column status of tickets": whose column it is.
fn owner(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    /// How far before the preposition the column may stand, in words.
    const NEAR: usize = 3;
    let text = reader.word(at);
    let preposition = reader.before(at).filter(|before| before + 1 < at)?;
    // "Method colour of harbor is pure", not "The method of payment", "The parameter length of time"
    let member = reader.before(preposition).filter(|member| {
        reader.is(preposition, "of")
            && reader.is_word(*member)
            && !reader.is_in(*member, NOT_NAMES)
            && !HEADS.has(reader.word(*member))
    });
    // "The primary key of harbor is hull", "The index covers colour of stalls"
    let keyed = member.is_some_and(|member| {
        is_row_key(reader, member) || matches!(object(reader, member), Some([Col, ..]))
    });
    let whole: Option<&'static [Kind]> =
        match member.and_then(|member| prose::cue_kinds(reader, reader.before(member)?)) {
            _ if keyed => Some(&[Table, Id]),
            Some([Method, ..]) => Some(&[Class, Id]),
            Some([Func, ..]) => Some(&[Module, Id]),
            Some([Param, ..]) => Some(&[Func, Method, Cmd, Id]),
            _ => None,
        };
    let next = reader.skip_space(at + 1);
    let acts = ends_clause(reader, at) || is_verb(reader, next) || reader.is(next, "references");
    if whole.is_some() && acts && reader.look(at).is_plain() && is_callable(reader, at) {
        return whole;
    }
    let owning = reader.says(preposition, any_of!("from in In of on to"));
    let plural = text.ends_with('s') && !text.ends_with("ss") && !text.ends_with("us");
    if !owning || !plural || !reader.look(at).is_plain() || reader.is_in(at, NOT_NAMES) {
        return None;
    }
    let is_part = |at: usize| {
        let kinds = prose::cue_kinds(reader, at);
        matches!(kinds, Some([Col | Field | Index | Constraint, ..])) || reader.is(at, "key")
    };
    let before = (1..=NEAR).scan(preposition, |place, _| {
        *place = reader.before(*place)?;
        reader.is_word(*place).then_some(*place)
    });
    let mut next = reader.skip_space(at + 2);
    if is_determiner(reader, next) {
        next = reader.skip_space(next + 1);
    }
    let opens = reader.opens_sentence(preposition) && reader.is_mark(at + 1, b',') && is_part(next);
    (opens || acts && before.into_iter().any(is_part)).then_some(&[Table, Id])
}

/// "primary key": what tells rows apart.
fn is_row_key(reader: &Reader<'_, '_>, at: usize) -> bool {
    let which = reader.before(at);
    reader.is(at, "key")
        && which
            .is_some_and(|which| reader.says(which, any_of!("composite foreign primary unique")))
}

/// "The primary key of harbor is hull"
fn is_key_column(reader: &Reader<'_, '_>, at: usize) -> bool {
    let is = reader
        .before(at)
        .filter(|is| reader.says(*is, any_of!("is was")));
    let of = is.and_then(|is| reader.before(reader.before(is)?));
    let key = of
        .filter(|of| reader.is(*of, "of"))
        .and_then(|of| reader.before(of));
    key.is_some_and(|key| is_row_key(reader, key))
        && ends_clause(reader, at)
        && is_callable(reader, at)
}

/// What becomes of a word that nothing but its letters tells of.
enum Plain {
    Name(&'static [Kind]),
    /// It is a name where the evidence shows that.
    IfShown(Shown),
    /// It is none of English: a name where the evidence shows that in any way.
    Rare,
    Word,
}

/// A word in small letters.
fn plain(reader: &Reader<'_, '_>, at: usize, opens: bool) -> Plain {
    let text = reader.word(at);
    if text.contains(char::is_numeric) {
        return Plain::Name(match reader.is_in(at, SMALL_TYPE) {
            true => &[Type, Dtype, Id],
            false => &[Id],
        });
    }
    // "retries is set to 5": a sentence that opens with a small letter may open with a name.
    let next = reader.skip_space(at + 1);
    let acts = is_verb(reader, next) || takes_object(reader, next);
    let subject = opens && acts && prose::cue_kinds(reader, at).is_none();
    if subject && !reader.is_in(at, NOT_NAMES) {
        return Plain::Name(&[Config, Param, Pkg, Module, Id]);
    }
    // "has columns state and total": it only says what they are.
    let announces = reader.is_word(next) && !reader.is_in(next, NOT_NAMES.or(VERB));
    // "removed permission gate:open"
    let one = || prose::names_any(reader, at);
    if announces && prose::cue_kinds(reader, at).is_some() && (is_many(text) || one()) {
        return Plain::Word;
    }
    // "permission contents: read" has its own rule.
    if is_access(reader, at)
        && reader
            .before(at)
            .is_some_and(|mark| reader.is_mark(mark, b':'))
    {
        return Plain::Word;
    }
    // "tokio 1.15.2", "express ^3.12.9"
    let known = reader.is_in(at, KNOWN);
    if !known && versioned(reader, at) {
        return Plain::Name(&[Pkg, Module, Id]);
    }
    let counted = reader
        .before(at)
        .and_then(|before| reader.scan.kind(before))
        == Some(TokenKind::NUMBER);
    let title = reader.before(at).filter(|title| is_title(reader, *title));
    // "Job build runs": perhaps a name, though one of the trade's words.
    let begins = || title.is_some_and(|title| reader.opens_sentence(title));
    if known && !reader.is_in(at, NOT_NAMES) && is_verb(reader, next) && begins() {
        return Plain::IfShown(Shown::Named);
    }
    // "is called by upload": one of the trade's words, and what the evidence's code calls.
    let used = || {
        let before = reader.before(at).map_or("", |before| reader.word(before));
        any_of!("after before by call calling calls from").has(before) || reader.is(next, "calls")
    };
    if known && !reader.is_in(at, NOT_NAMES) && used() {
        return Plain::IfShown(Shown::Used);
    }
    if known || !reader.english || counted && UNITS.contains(&text) || is_cut(reader, at) {
        return Plain::Word;
    }
    if config::is_called(text) && !ordinary::is_ordinary(text) {
        return Plain::Name(&[Cmd, Id]);
    }
    // "Writing to deliveries", "covers encode": a word of English, and perhaps a table of the evidence's SQL, or
    // what its code calls; "replaces matte", whatever the evidence shows to be a name.
    if ordinary::is_ordinary(text) {
        let acts = || is_verb(reader, next) && !has_object(reader, at);
        let placed = is_bare(reader, at) || title.is_some() && acts();
        let quality =
            reader.is_in(at, DESCRIBING.or(COMPOUND)) || is_participle(text) || is_adjective(text);
        let named = placed && !opens && !quality;
        return Plain::IfShown(match named {
            true => Shown::Named,
            false => Shown::Used,
        });
    }
    // "at berth 4" is one of several, of a word that is only rare; "with npm 11" is a version.
    let before = reader.before(at).map_or("", |before| reader.word(before));
    let counted = reader.scan.kind(reader.skip_space(at + 1)) == Some(TokenKind::NUMBER)
        && !any_of!("by needs on requires runs supports uses via with").has(before);
    // "the cookie sid": behind a word for a thing it is that thing's name.
    let described = is_adjective(text) && is_said(reader, at);
    let placed =
        is_bare(reader, at) || title.is_some() || is_subject(reader, at) && !is_adjective(text);
    match placed && !counted && !described {
        true => Plain::Name(&[Id]),
        false => Plain::Rare,
    }
}

/// Whether the word at `at` says how far a permission goes: `contents: read`.
pub(super) fn is_access(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.says(at, any_of!("admin none read write"))
}

/// "Broker nightjar is small", "The nightjar host is late": where a word that is none of English names what the
/// noun beside it says.
fn is_subject(reader: &Reader<'_, '_>, at: usize) -> bool {
    let Some(before) = reader.before(at).filter(|before| reader.is_word(*before)) else {
        return false;
    };
    let next = reader.skip_space(at + 1);
    match reader.word(before) {
        "The" | "the" => reader.is_in(next, CUE.or(TITLE)) && reader.look(next).is_plain(),
        noun => {
            let opens = reader.opens_sentence(before) && reader.look(before) == Look::Capital;
            opens && is_verb(reader, next) && is_ordinary(noun) && !reader.is_in(before, DETERMINER)
        }
    }
}

/// A word that opens a sentence, with a capital for it.
fn opener(reader: &Reader<'_, '_>, at: usize) -> Plain {
    let text = reader.word(at);
    // "Status: Active" may give a value's name, "Note: When it …" does not.
    let given = reader
        .before(at)
        .is_some_and(|mark| reader.is_mark(mark, b':'));
    let known = if given { NOT_NAMES } else { KNOWN.or(CUE) };
    if reader.is_in(at, known) || is_cut(reader, at) {
        return Plain::Word;
    }
    let ordinary = is_ordinary(text) || reader.is_in(at, TITLE);
    if ordinary && (announces(reader, at) || prose::only_announces(reader, at)) {
        return Plain::Word;
    }
    if versioned(reader, at) || reader.english && (begins_name(reader, at) || !ordinary) {
        return Plain::Name(&[Id]);
    }
    match ordinary && is_participle(text) {
        true => Plain::Word,
        false => Plain::IfShown(Shown::Proper),
    }
}

/// "Flag --cold", "Route /x", "Environment variable GULL_ROOT": whether what is written as no word is stands behind
/// the word at `at`, which says what it is.
fn announces(reader: &Reader<'_, '_>, at: usize) -> bool {
    let mut next = reader.skip_space(at + 1);
    if reader.is_in(next, CUE) {
        next = reader.skip_space(next + 1);
    }
    let apart = reader.scan.kind(next - 1) == Some(TokenKind::SPACE);
    let marked = match reader.scan.kind(next) {
        Some(TokenKind::WORD) => {
            let look = reader.look(next);
            !look.is_ordinary() || reader.is_mark(next + 1, b'-')
        }
        Some(TokenKind(b'-' | b'/' | b'$' | b'@' | b'`')) => {
            reader.scan.kind(next + 1) != Some(TokenKind::SPACE)
        }
        _ => false,
    };
    apart && marked
}

/// "Acme Corp": another capital follows.
fn begins_name(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    next > at + 1
        && reader.look(next) == Look::Capital
        && !is_participle(reader.word(at))
        && prose::cue_kinds(reader, at).is_none()
}

/// Whether a number with a point follows that is no measure: "tokio 1.15", not "weighs 12.5 kg".
fn versioned(reader: &Reader<'_, '_>, at: usize) -> bool {
    let mut next = reader.skip_space(at + 1);
    while reader.says(next, any_of!("^ ~ = > <")) {
        next += 1;
    }
    let number = reader.word(next);
    let measure = || {
        let unit = reader.word(reader.skip_space(next + 1));
        UNITS.contains(&unit) || unit == "%" || ordinary::is_ordinary(reader.word(at))
    };
    next > at + 1
        && reader.scan.kind(next) == Some(TokenKind::NUMBER)
        && number.contains('.')
        && (number.matches('.').count() > 1 || !measure())
}

/// Whether a small word behind a cue is the name that it announces: "Method get returns …", "the
/// parameter since is …", not "the field value is …".
pub(super) fn is_small_name(reader: &Reader<'_, '_>, at: usize) -> bool {
    let Some(cue) = reader.before(at) else {
        return false;
    };
    let word = reader.word(at);
    let many = is_many(reader.word(cue));
    // "column cell_id of table calls"
    let table = prose::cue_kinds(reader, cue) == Some(&[Table]) && !many && word.ends_with('s');
    // "Table grants has column stage"
    let next = reader.skip_space(at + 1);
    let owns = || has(reader, next) && cue_near(reader, reader.skip_space(next + 1)).is_some();
    if table && is_bare(reader, cue) && (ends_clause(reader, at) || owns()) {
        return true;
    }
    if !SMALL_NAMES.has(word) {
        return false;
    }
    // Words that stand behind a noun in their own role, too, are names where that cannot be.
    let joins = |at: usize| reader.says(at, any_of!(", and or"));
    match word {
        // "Parameters from and to are dates"
        _ if many => joins(next),
        _ if joins(cue) => ends_clause(reader, at) || reader.says(next, any_of!("are have")),
        _ if BASE_FORMS.has(word) => is_bare(reader, cue) || has_value(reader, next),
        "first" | "last" | "next" | "once" => {
            is_bare(reader, cue) && (is_verb(reader, next) || reader.is(next, "of"))
        }
        _ => is_verb(reader, next),
    }
}

/// Of [`SMALL_NAMES`] those that no noun in the singular has behind it but as its name.
const BASE_FORMS: &Words =
    any_of!("add get give hold keep make need query return see set type use value");

/// Whether a small word before a cue is its name: "the set method", "the value column", "the view
/// permission".
pub(super) fn is_small_name_before(reader: &Reader<'_, '_>, at: usize, cue: &[Kind]) -> bool {
    let word = reader.word(at);
    match cue {
        [Method | Func, ..] => any_of!("add get set").has(word),
        [Col | Field, ..] => any_of!("query type value").has(word),
        [Perm, ..] => {
            let which = reader.before(at).map_or("", |before| reader.word(before));
            let allowed = any_of!("The a an no the").has(which)
                || which.ends_with('s') && words::is_in(VERB, which);
            let verb = BASE_FORMS.has(word) || word == "test";
            allowed && (verb || reader.is_in(at, CUE.or(LANGUAGE)) && !reader.is_in(at, NOT_NAMES))
        }
        _ => false,
    }
}

/// Whether a plain word behind a cue is what is said of the thing: "the function consumes the buffer",
/// "values given by", "the option wasn't", "the column name".
pub(super) fn is_no_name(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    let next = reader.skip_space(at + 1);
    let cue = reader.before(at);
    let determined = is_determiner(reader, next);
    let placed = reader.says(next, any_of!("as at by from in into on to with"));
    // "the users table"
    let headed = || {
        let kinds = prose::cue_kinds(reader, at);
        kinds
            .zip(cue)
            .is_some_and(|(kinds, cue)| is_cue_name(reader, cue, kinds, is_many(word)))
            && !reader.says(next, any_of!(", and or"))
    };
    // "The role permissions are …"
    let plural = is_many(word) && reader.says(next, any_of!("are have were"));
    let one = |cue: usize| reader.is_in(cue, CUE) && !is_many(reader.word(cue));
    let compound = plural && cue.is_some_and(|cue| one(cue) && !is_bare(reader, cue));
    let said = word.ends_with('s') && determined
        || word.ends_with("ed") && (determined || placed)
        || cue.is_some_and(|cue| is_adverb(reader, cue, at));
    let part = HEADS.has(word)
        && cue.is_some_and(|cue| !is_bare(reader, cue))
        && (word.starts_with("name") || !has_value(reader, next));
    let does = cue.is_some_and(|cue| {
        let kinds = prose::cue_kinds(reader, cue).unwrap_or_default();
        can_act(kinds) && one(cue) && !is_bare(reader, cue) && has_object(reader, at)
    });
    let done = || cue.is_some_and(|cue| is_done(reader, cue, at));
    is_cut(reader, at)
        || part
        || ordinary::is_ordinary(word) && (said || compound || does || done())
        || headed()
}

/// Whether the word behind the cue at `cue` says how or when something is done: "usually fails", "clears the table
/// daily"; not "family", nor "Table daily is", as what says when stands behind the verb.
fn is_adverb(reader: &Reader<'_, '_>, cue: usize, at: usize) -> bool {
    #[rustfmt::skip]
    const ENDINGS: [&str; 12] = [
        "ably", "cally", "dily", "fully", "ibly", "mply", "pily", "rily", "sily", "tily", "vily", "zily",
    ];
    const WHEN: &Words = any_of!("daily early hourly monthly nightly quarterly weekly yearly");
    let word = reader.word(at);
    if WHEN.has(word) {
        let next = reader.skip_space(at + 1);
        return !is_verb(reader, next) && !is_bare(reader, cue);
    }
    let ends = |ending: &&str| word.ends_with(*ending);
    let stem = word.strip_suffix("ly").filter(|stem| stem.len() > 3);
    stem.is_some_and(ordinary::is_ordinary) || ENDINGS.iter().any(ends)
}

/// "Tables grow slowly", "Options follow the command": whether the word at `at` may be what several things do.
pub(super) fn may_act(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    let plain = reader.reading == Reading::Claim && reader.look(at).is_plain();
    plain && is_ordinary(word) && !is_many(word)
}

/// Whether an ordinary word behind a cue may only say with it what a thing is: "a type error", "the class loader",
/// "class loading"; not "of table visits", "The table menu has a field".
pub(super) fn may_describe(reader: &Reader<'_, '_>, at: usize, cue: &[Kind]) -> bool {
    let word = reader.word(at);
    let Some(noun) = reader.before(at).filter(|noun| reader.is_in(*noun, CUE)) else {
        return false;
    };
    let verb = reader.skip_space(at + 1);
    let plain = reader.reading == Reading::Claim && reader.look(at).is_plain();
    let relates = matches!(
        reader.word(verb),
        "calls" | "declares" | "exports" | "extends" | "imports" | "joins" | "references"
    );
    let owns = || has(reader, verb) && cue_near(reader, reader.skip_space(verb + 1)).is_some();
    if !plain || !is_ordinary(word) || relates || owns() {
        return false;
    }
    let bare = is_bare(reader, noun);
    // "Module billing was removed", "The schema archived is old": what acts is no participle, and no ordinary
    // noun of its own behind an article.
    let object = reader.skip_space(verb + 1);
    // "Module parsing reads files", "Index listing speeds up reading"
    let objects = || {
        is_determiner(reader, object)
            || reader.says(
                object,
                any_of!("down how off on out over up what whether who"),
            )
            || reader.look(object).is_plain() && is_many(reader.word(object))
    };
    let acts = is_verb(reader, verb) || is_many(reader.word(verb)) && !is_many(word) && objects();
    let ends = ends_clause(reader, at);
    let (doing, done) = (word.ends_with("ing"), word.ends_with("ed"));
    let done_to = ACTIONS.has(word);
    let part = HEADS.has(word);
    // "The field missing from the table", "The role assigned is a new one"
    let takes =
        reader.is(verb, "from") || is_determiner(reader, verb) || !reader.is_in(verb, NOT_NAMES);
    if !bare && (doing && takes && !acts && !ends || done && done_to) {
        return true;
    }
    let participle = (doing || done) && !done_to;
    let apt = || word.ends_with("ly") || is_callable(reader, at);
    let typed = || matches!(cue, [Type, ..]) && is_callable(reader, at);
    if !part
        && (participle && (acts || doing && ends)
            || acts && !bare && apt()
            || acts && bare && typed())
    {
        return false;
    }
    // "of the table customer": a row is one.
    let joined = || reader.says(verb, any_of!("and or"));
    if cue == [Table] && (acts || ends || joined()) && ROWS.has(word) {
        return false;
    }
    let abstract_noun = is_abstract(word);
    let head = matches!(word, "check" | "list" | "model" | "range");
    match cue {
        [Type, Class, Dtype] => reader.before(noun).is_none_or(|of| reader.word(of) != "of"),
        [Table] => !bare && !is_many(word) || word.ends_with("ing"),
        [Func, Class, ..] => !bare,
        [Class | Constraint | Db | Module | Pkg | Schema | Type, ..] => !bare || abstract_noun,
        [Perm | Role, ..] => !bare && (abstract_noun || head),
        _ => !bare && head,
    }
}

/// "overrides defaults", "disables colour output"; not "retries defaults to 5", "hooks enables them": whether the
/// word at `at` is a verb by what stands behind it.
fn has_object(reader: &Reader<'_, '_>, at: usize) -> bool {
    let object = reader.skip_space(at + 1);
    let behind = reader.skip_space(object + 1);
    let plain = reader.is_word(object) && reader.look(object).is_plain();
    let small = reader.is_in(object, NOT_NAMES) && !is_many(reader.word(object));
    let acts = reader.is_in(object, VERB) && !reader.is_in(at, VERB);
    let ends = match is_many(reader.word(object)) {
        true => {
            let placed = reader.is_in(behind, NOT_NAMES) && !reader.is_in(object, VERB);
            ends_clause(reader, object) || placed
        }
        false => !is_verb(reader, behind) && !reader.says(behind, any_of!("are have were")),
    };
    is_many(reader.word(at)) && plain && !small && !acts && ends
}

/// Whether what is of these kinds does something by itself. Columns and tables seldom do.
fn can_act(kinds: &[Kind]) -> bool {
    matches!(
        kinds,
        [
            Class | Config | Func | Method | Module | Param | Role | Var,
            ..
        ]
    )
}

/// What is often told of in rows, a table's name in the singular.
const ROWS: &Words = any_of!(
    "account address booking customer document event invoice item job member message order parcel payment person plan \
    post product project report request session stock task team ticket user visit"
);

/// What is done with classes, modules, tables and the like: "class loading", "the role assigned".
const ACTIONS: &Words = any_of!(
    "\
    assigned changed created deleted exported granted imported installed invoked loaded passed referenced requested \
    selected specified tested updated \
    aliasing binding bundling caching casting checking generating handling importing indexing inlining loading \
    locking mapping matching mixing mocking naming nesting ordering parsing partitioning pooling pruning reloading \
    resolving scanning sharding sharing splitting testing typing versioning wrapping"
);

/// Whether a noun ends as those do that things are seldom called by: "hierarchy", "migration", "deployment"; not the short
/// ones, "region", "document".
fn is_abstract(word: &str) -> bool {
    const SHORT: usize = 8;
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    ends(&["chy", "ing", "nce", "ty"])
        || word.len() > SHORT && ends(&["ion", "ment"])
        || word.len() == SHORT && ends(&["ation"])
}

/// Whether a cue word before another is its name: "the users table", "the host setting"; not "the table
/// column", where a noun in the singular only says which sort of column.
pub(super) fn is_cue_name(reader: &Reader<'_, '_>, at: usize, cue: &[Kind], cues: bool) -> bool {
    const NAMES: &Words = any_of!(
        "account file group host model permission port release role scope token user version"
    );
    let word = reader.word(at);
    let which = reader.before(at).map_or("", |which| reader.word(which));
    let many = is_many(word);
    // "the user roles", "the role roles/reader"
    if cues && !many || prose::cue_kinds(reader, at) == Some(cue) {
        return false;
    }
    // "The crate table has column due_on"
    let next = reader.skip_space(reader.skip_space(at + 1) + 1);
    let owns = cue == [Table] && has(reader, next) && owner_of(reader, next).is_some();
    let apt = owns
        || match cue {
            [
                Cmd | Col | Config | Endpoint | Field | Param | Perm | Role | Table | Var,
                ..,
            ] => many || NAMES.has(word),
            [Class | Func | Method, ..] => many,
            _ => false,
        };
    apt && reader.look(at).is_plain() && any_of!("The the and or ,").has(which)
}

/// "has the value 5", "accepts 5 or 6": what is said of settings.
fn has_value(reader: &Reader<'_, '_>, verb: usize) -> bool {
    reader.says(verb, any_of!("accepts defaults equals has takes"))
}

/// "The clerk role lacks orders:refund", "the parameter limits access": whether the word at `at` is what the
/// thing does whose cue is before it, and no name.
pub(super) fn is_done(reader: &Reader<'_, '_>, cue: usize, at: usize) -> bool {
    let word = reader.word(at);
    let next = reader.skip_space(at + 1);
    let many = reader.word(cue).ends_with('s') && !reader.word(cue).ends_with("ss");
    // "The trips and rides tables share a key"
    let does = word.ends_with('s') && !word.ends_with("ss") && !many
        || many && !word.ends_with('s')
        || word.ends_with("ed");
    let Some(name) = reader.before(cue).filter(|_| reader.is_in(cue, CUE)) else {
        return false;
    };
    // Its name stands before the cue and is written as no word is.
    let joined = name > 1 && reader.is_word(name) && reader.is_mark(name - 1, b'-');
    let shaped = !reader.look(name).is_ordinary() && reader.look(name) != Look::Number;
    if reader.is_mark(name, b'`') || reader.is_mark(name, b'"') || joined || shaped {
        return does || !ends_clause(reader, at) && !is_verb(reader, next);
    }
    let finite = is_verb(reader, next) || reader.says(next, any_of!("are have were"));
    if !does || finite || !reader.is_word(name) {
        return false;
    }
    let opens = |at: usize| reader.opens_sentence(at);
    let kinds = prose::cue_kinds(reader, cue).unwrap_or(&[]);
    let described = describes(reader.word(name), kinds);
    if is_determiner(reader, name) || reader.is_in(name, DETERMINER) && opens(name) || described {
        // What does nothing by itself is often called by plurals.
        let object = reader.look(next).is_plain()
            && reader.is_word(next)
            && !reader.word(next).ends_with('s')
            && !reader.is_in(next, NOT_NAMES);
        return can_act(kinds) && (opens(name) || described) && object;
    }
    let which = reader.before(name);
    let determined = which.is_some_and(|which| {
        reader.is_in(which, DETERMINER) || many && reader.says(which, any_of!("and or"))
    });
    let subject = which.is_none_or(&opens) || opens(name);
    let plain = reader.look(name).is_plain() && (determined || opens(name))
        || reader.look(name) == Look::Capital && determined;
    plain && !reader.is_in(name, NOT_NAMES) && (subject || !ends_clause(reader, at))
}

/// "config key users is …": the name of a setting, not what it does.
pub(super) fn is_key(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    let named = !reader.is_in(at, NOT_NAMES) && !reader.word(at).ends_with('s');
    named || !reader.is_in(at, VERB) && is_verb(reader, next)
}

/// "the key replicas of service web", "has the keys pace and width", not "the key point": where a setting's name
/// stands.
pub(super) fn is_setting(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    let held = || {
        let key = listing(reader, at, &|word| matches!(word, "key" | "keys"));
        let which = key.and_then(|key| reader.before(key));
        let verb = which.filter(|which| reader.is(*which, "the"));
        let verb = verb.and_then(|which| reader.before(which));
        let ends = ends_clause(reader, at) || reader.says(next, any_of!("and or"));
        ends && verb.is_some_and(|verb| has(reader, verb)) && is_callable(reader, at)
    };
    !reader.is_in(at, NOT_NAMES) && (reader.says(next, any_of!("defaults equals in of")) || held())
}

/// "Setting level accepts debug and warn": what the named thing accepts, not "the port accepts
/// connections".
pub(super) fn is_accepted(reader: &Reader<'_, '_>, at: usize) -> bool {
    const LONGEST: usize = 16;
    let lists = |at: &usize| reader.says(*at, any_of!("and or , `")) || reader.look(*at).is_plain();
    let verb = (at.saturating_sub(LONGEST)..at)
        .rev()
        .take_while(lists)
        .find(|at| reader.says(*at, any_of!("accepts be either of")));
    let joins = |at: usize| reader.says(at, any_of!(", and or"));
    let next = reader.skip_space(at + 1);
    // "may be red, green or blue", "is one of north and south"
    let listed = joins(next) || reader.before(at).is_some_and(joins);
    let steps = verb.map_or(0, |verb| match reader.word(verb) {
        "of" => 3,
        "be" | "either" => 2,
        _ => 1,
    });
    let subject = verb.and_then(|verb| (0..steps).try_fold(verb, |at, _| reader.before(at)));
    // Of two ways in which a setting may be one is a value: "small or large", not "small and old".
    let titled = || {
        let title = subject.and_then(|subject| reader.before(subject));
        title.is_some_and(|title| is_title(reader, title))
    };
    let chosen = || {
        let mut behind = (at..at + LONGEST).take_while(lists);
        let last = reader.before(at);
        let or = |at| reader.is(at, "or");
        let either = verb.is_some_and(|verb| reader.is(verb, "either"));
        let done = is_participle(reader.word(at)) && !either;
        (behind.any(or) || last.is_some_and(or)) && !done && titled()
    };
    let apt = listed && (!is_adjectival(reader, at) || chosen());
    let named = subject.is_some_and(|subject| is_named(reader, subject)) && (steps == 1 || apt);
    // "accepts light and dark"
    let of_list = apt && !is_many(reader.word(at));
    let ordinary = match of_list {
        true => NOT_NAMES.or(CUE),
        false => KNOWN,
    };
    named && !reader.is_in(at, ordinary) && (ends_clause(reader, at) || joins(next))
}

/// Whether the word at `at` begins a list of names: "The parameters are width and depth", not "are old
/// and slow".
pub(super) fn begins_list(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.word(reader.skip_space(at + 1));
    reader.look(at).is_plain() && any_of!(", and or").has(next) && !is_adjectival(reader, at)
}

/// Whether a plain word may well say how something is.
pub(super) fn is_adjectival(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    reader.is_in(at, NOT_NAMES.or(DESCRIBING).or(COMPOUND))
        || is_participle(word)
        || is_adjective(word)
        || word.ends_with('y')
        || word.ends_with("er")
}

/// What things have rather than what they are called, where it is said which thing is meant.
const HEADS: &Words = any_of!(
    "\
    alias body call count definition description docstring length name names order pair pairs pointer signature"
);

/// "a nested table", "the renamed column", "an environment variable": a word before a cue that says what
/// kind of thing it is.
pub(super) fn describes(word: &str, cue: &[Kind]) -> bool {
    let able = word.ends_with("able") || word.ends_with("ible");
    let doing = word.ends_with("ing") && matches!(cue, [Func | Method | Param | Class | Role, ..]);
    words::is_small_in(DESCRIBING, word)
        || (word.ends_with("ed") || able || doing) && word.len() > 5 && ordinary::is_ordinary(word)
}

/// Whether nothing stands before a noun that says which one is meant, so that it may be a name.
fn is_bare(reader: &Reader<'_, '_>, at: usize) -> bool {
    let Some(before) = reader.before(at) else {
        return true;
    };
    if !reader.is_word(before) {
        return !matches!(reader.scan.kind(before), Some(TokenKind::NUMBER))
            && !reader.is_mark(before, b'\'');
    }
    let word = reader.word(before);
    let determined = reader.is_in(before, DETERMINER);
    // "may run sudo", "to install sudo"
    let helped = || {
        let helper = reader
            .before(before)
            .map_or("", |helper| reader.word(helper));
        any_of!("can cannot could may might must not shall should to will").has(helper)
    };
    let verb = word.ends_with('s') || is_participle(word) || helped();
    !determined
        && (reader.is_in(before, NOT_NAMES)
            || verb && (reader.is_in(before, COMMON) || ordinary::is_ordinary(word)))
}

/// Whether what stands behind a word is no noun that it belongs to.
fn ends_clause(reader: &Reader<'_, '_>, at: usize) -> bool {
    match reader.scan.kind(reader.skip_space(at + 1)) {
        None | Some(TokenKind::NEWLINE) => true,
        Some(TokenKind(mark)) => b".,;:!?)".contains(&mark),
    }
}

fn is_verb(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, VERB) && reader.look(at).is_plain()
}

fn is_determiner(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, DETERMINER) && reader.look(at).is_plain()
}

/// Whether a word ends as those do that say how something is.
pub(super) fn is_adjective(word: &str) -> bool {
    #[rustfmt::skip]
    const ENDINGS: [&str; 15] = [
        "able", "al", "ant", "ary", "ent", "ful", "ible", "ic", "ile", "ish", "ive", "less", "ory", "ous", "proof",
    ];
    word.len() > 4 && ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// Whether what stands at `at` is said of the subject: "is durable", "are durable and seasonal".
fn is_said(reader: &Reader<'_, '_>, at: usize) -> bool {
    let before = reader.before(at).map_or("", |before| reader.word(before));
    any_of!("and are be been but is not or very was were").has(before)
}

/// Whether a noun is in the plural, by its end.
fn is_many(word: &str) -> bool {
    word.ends_with('s') && !word.ends_with("ss")
}

fn is_participle(word: &str) -> bool {
    word.len() > 4 && (word.ends_with("ing") || word.ends_with("ed"))
}

/// Whether the word is the first part of one like "isn't".
fn is_cut(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.says(at + 1, any_of!("' ’")) && reader.is(at + 2, "t")
}

/// Words that are no names whatever stands beside them.
const KNOWN: List = COMMON.or(NOT_NAMES);

/// Whether a word is one of English or of the trade.
pub(super) fn is_ordinary(word: &str) -> bool {
    words::is_in(KNOWN, word) || ordinary::is_ordinary(word)
}

impl Reader<'_, '_> {
    /// A type word in its own role: a name only where the profile has a kind for it.
    fn push_data_type(&mut self, at: usize) {
        self.push(at, self.type_end(at), &[Dtype], Rank::Shape);
        if let Some(find) = self.finds.last_mut() {
            find.only_in_profile = true;
        }
    }

    /// A plain word may be a name: the evidence must tell.
    pub(super) fn push_if_shown(
        &mut self,
        at: usize,
        kinds: &'static [Kind],
        rank: Rank,
        shown: Shown,
    ) {
        self.push(at, at + 1, kinds, rank);
        if let Some(find) = self.finds.last_mut() {
            find.if_shown = Some(shown);
        }
    }
}
