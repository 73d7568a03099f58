//! What only a claim's text tells: whatever in it identifies something is a name.

use alloc::string::String;

use super::grammar::{
    KNOWN, all_parts, ends_clause, ends_in, has_object, is_abstract, is_adjective, is_bare, is_cut,
    is_many, is_ordinary, is_participle, is_said, is_title, is_unit, is_verb, led_by,
    opens_with_capital, takes_object,
};
use super::placed::{OF_TRADE, is_callable, is_default, placed, told};
use super::{REACH, Reader, Shown, config, prose, shapes};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::{Look, Makeup},
        ordinary,
        scanner::{Scan, TokenKind},
        words::{
            self, COMPOUND, CUE, DESCRIBING, DETERMINER, DOTTED, LANGUAGE, List, MONTH, NOT_NAMES,
            OPENER, SMALL_TYPE, TITLE, TYPE_WORDS, VERB, Words, any_of,
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

/// A claim's text as it is read: without Markdown's emphasis, and lines that a break cuts in two are one.
/// `None` where that changes nothing.
pub(crate) fn unmarked(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    let ends_word = |char: char| char.is_alphanumeric();
    let find = |text: &str| text.bytes().position(|byte| b"*_\n".contains(&byte));
    while let Some(at) = find(rest) {
        let (before, behind) = rest.split_at(at);
        plain.push_str(before);
        let mark = &behind[..1];
        let count = behind
            .bytes()
            .take_while(|byte| *byte == mark.as_bytes()[0]);
        let (marks, inner) = behind.split_at(count.count());
        let opens = !plain.ends_with(ends_word) && !ends_in(&plain, "_ / `");
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
        let close = find(inner).filter(|close| {
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
    const JOINTS: &str = "-> ?. !. ]. [' [\" # ${";
    if at > 0 && !reader.is_any(at - 1, b" \n(") {
        return;
    }
    let inside = |at| reader.is_alphanumeric(at) || reader.is_any(at, b"!\"#$%&'*-.:<>?@[\\]{}");
    // Most words stand alone.
    if !inside(at + 1) {
        return;
    }
    let mut end = at;
    while end < at + REACH && inside(end) {
        end += 1;
    }
    // "*.till.example"
    if reader.is_mark(at, b'*')
        && reader.is_mark(at + 1, b'.')
        && reader.is_word(at + 2)
        && reader.is_mark(at + 3, b'.')
    {
        while reader.says(end - 1, any_of!(". ? ! :")) {
            end -= 1;
        }
        let kinds = shapes::host_kinds(reader.text(at + 2, end));
        return reader.push(at + 2, end, kinds, Rank::Shape);
    }
    let mut open = at;
    while open < end && reader.is_any(open, b"\"'") {
        open += 1;
    }
    let coded = |word: usize| {
        let before = reader.text(open, word);
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
        reader.word(word).len() > 1 && (opened || ends_in(before, JOINTS))
    };
    if (at..end).any(|word| reader.is_word(word) && coded(word)) {
        while reader.is_any(end - 1, b".?!:") {
            end -= 1;
        }
        marked(reader, at, end);
    }
}

/// Looks at a code span, or at what is written as one. Letters, and words with nothing but hyphens and slashes between
/// them, are one name; else plain words are names, but for what is called, and one with those that never are.
pub(super) fn marked(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let kinds: &[Kind] = &[Id, Var, Param, Config];
    let joins =
        |at: usize, marks| reader.scan.tokens[at].kind.is_mark() && !reader.is_any(at, marks);
    let short = |at| reader.word(at).len() < 2;
    if !(from..to).any(|at| joins(at, b"-/")) || (from..to).all(short) {
        return reader.push(from, to, kinds, Rank::Guess);
    }
    // `shop.carts` is what its shape says.
    if reader.is_word(from) && !(from..to).any(|at| joins(at, b"-/.:")) {
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
    let before = reader.left(at);
    let next = reader.skip_space(at + 1);
    let (open, close) = (reader.word(before), reader.word(next));
    // What is quoted as other texts quote is found so.
    if reader.is_any(before, b"\"'`") && open == close || open == "“" && close == "”" {
        return;
    }
    let quoted = any_of!("「 『 《").has(open) && any_of!("」 』 》").has(close);
    let cue = prose::cue_kinds(reader, before)
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
    if to == from + 1 {
        return one(reader, from);
    }
    if is_rate(reader, from, to) {
        return;
    }
    if hyphened(reader, from, to) || slashed(reader, from, to) || is_vector(reader.text(from, to)) {
        return match told(reader, from, to) {
            Some(kinds) => reader.push(from, to, kinds, Rank::Claim),
            None => reader.push(from, to, &[Id], Rank::Shape),
        };
    }
    let hyphens = has_mark(reader, from, to, b'-');
    // `orchard/till:4.2`: an image, and its tag.
    let tag = (from + 1..to - 1).find(|at| reader.is_mark(*at, b':'));
    let image = |tag: &usize| reader.look(from).is_plain() && has_mark(reader, from, *tag, b'/');
    if to - from <= REACH
        && let Some(tag) = tag.filter(image)
    {
        reader.push(from, to, &[Id], Rank::Shape);
        reader.push(from, tag, &[Id], Rank::Shape);
        return run(reader, tag + 1, to);
    }
    // `login.fen-hut.example`, `fen-hut@2`: one name, and its parts are such, too.
    let joins = |at: &usize| reader.scan.tokens[*at].kind.is_mark() && !reader.is_any(*at, b"-/");
    if to - from <= REACH
        && let Some(last) = (from + 1..to).rfind(joins).filter(|_| hyphens)
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
        one(reader, at);
    }
}

fn has_mark(reader: &Reader<'_, '_>, from: usize, to: usize, mark: u8) -> bool {
    (from..to).any(|at| reader.is_mark(at, mark))
}

fn one(reader: &mut Reader<'_, '_>, at: usize) {
    if reader.is_number(at) {
        number(reader, at);
    } else if reader.is_word(at) {
        word(reader, at);
    }
}

/// `acme-parser`, `fr-CA`, `relay-2031`, `order-worker`; not `read-only`.
fn hyphened(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    // Of "3-5 times" each end is a number.
    let named = || (from..to).any(|at| !reader.is_number(at) && !reader.is_mark(at, b'-'));
    if !has_mark(reader, from, to, b'-') || !are_words(reader, from, to, b'-', b"") || !named() {
        return false;
    }
    let text = reader.text(from, to);
    // Of `python-3.11` each part is what it is.
    if text.bytes().any(|byte| b".,".contains(&byte)) {
        return false;
    }
    let opens = reader.opens_sentence(from);
    let ordinary = |part: &str| {
        let small = !opens_with_capital(part) || opens && text.starts_with(part);
        small && is_ordinary(part)
    };
    let last = reader.word(to - 1);
    let describes = has_compound(text, "-")
        || is_participle(last)
        || is_adjective(last) && is_said(reader, from);
    // "deny-all blocks ingress"
    let acts = opens && !opens_with_capital(text) && permits(reader, reader.skip_space(to));
    acts || is_headed(reader, from, to) || !all_parts(text, "-", &ordinary) || !describes
}

/// Whether the parts of a run between these marks are words and numbers with no marks but `inner` among them.
fn are_words(reader: &Reader<'_, '_>, from: usize, to: usize, mark: u8, inner: &[u8]) -> bool {
    let mut empty = true;
    for at in from..to {
        let joint = reader.is_mark(at, mark);
        let inside = reader.is_any(at, inner) || !reader.scan.tokens[at].kind.is_mark();
        if joint && empty || !joint && !inside {
            return false;
        }
        empty = joint;
    }
    !empty
}

/// Whether one of them is a word that stands in compounds: "read-only".
fn has_compound(text: &str, marks: &str) -> bool {
    !all_parts(text, marks, &|part| {
        !words::is_in(COMPOUND.or(NOT_NAMES), part)
    })
}

/// Whether the run is what the noun before it, for a thing that has a name, is called.
fn is_headed(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    let next = reader.skip_space(to);
    let title = reader.left(from);
    if is_title(reader, title) || reader.says(title, any_of!("action path")) {
        return is_verb(reader, next) || permits(reader, next) || ends_clause(reader, to - 1);
    }
    // "The alert high-load fires", where nothing can only say how it is; not "The staff on-site is small", "The page
    // sign-up is slow"
    let noun = reader.word(title);
    let particle = any_of!("back by down end in off on out over through up");
    reader.is_word(title)
        && !reader.says(to - 1, particle)
        && is_verb(reader, next)
        && !reader.is_in(title, NOT_NAMES.or(VERB).or(DETERMINER))
        && !reader.is_in(from, NOT_NAMES)
        && !is_participle(noun)
        && !is_many(noun)
        && (reader.opens_sentence(title) || reader.says(reader.left(title), any_of!("The the")))
}

/// "Policy allow-dns lets pods talk": whether the word at `at` is what rules do.
fn permits(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.says(at, any_of!("blocks denies lets permits"))
}

/// `km/h`, `5 req/s`: a unit of what stands before it.
fn is_rate(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    to == from + 3
        && reader.is_mark(from + 1, b'/')
        && reader.is_number(reader.left(from))
        && (is_unit(reader, from) || is_unit(reader, from + 2))
}

/// `CVSS:3.1/AV:N/AC:L`: metrics with a value each.
fn is_vector(text: &str) -> bool {
    const LONGEST: usize = 4;
    let loud = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'0'..=b'9' | b'.');
    let short = |text: &str| (1..=LONGEST).contains(&text.len()) && text.bytes().all(loud);
    let metric = |metric: &str| {
        shapes::cut(metric, b':').is_some_and(|(name, value)| short(name) && short(value))
    };
    opens_with_capital(text) && text.as_bytes().contains(&b'/') && all_parts(text, "/", &metric)
}

/// `application/json`, `kiln/tokio`, "the topic tides/depth"; not `read/write`, and of `TCP/IP` and `9/10` each part by itself.
fn slashed(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    /// What media types begin with.
    const MEDIA: &Words = any_of!("application audio font image message multipart text video");
    let text = reader.text(from, to);
    let Some((first, rest)) = shapes::cut(text, b'/') else {
        return false;
    };
    let ordinary = |part: &str| {
        is_ordinary(part)
            || words::is_in(LANGUAGE, part)
            || words::is_all_capitals(part)
            || words::number_length(part) == part.len()
    };
    // "tides/depth is published"
    let subject = || {
        reader.opens_sentence(from)
            && text.starts_with(char::is_lowercase)
            && is_verb(reader, reader.skip_space(to))
            && !has_compound(text, "/")
    };
    // "is orchard/till", "runs as team/baker"; not "is read/write", "a client/server system"
    let object = || {
        const PAIRED: &Words = any_of!(
            "abort buy consumer decode disable fail fallback finish logout loss max minor pull release remove replica sell \
            slave stderr stop subscribe uninstall unlock"
        );
        let next = reader.skip_space(to);
        let closes = ends_clause(reader, to - 1) || reader.is_in(next, VERB.or(NOT_NAMES));
        let trade = |at| reader.is_in(at, OF_TRADE) && !reader.is_in(at, NOT_NAMES.or(COMPOUND));
        let own = |at: usize| is_callable(reader, at) && !reader.says(at, PAIRED);
        let part =
            |at: usize| reader.is_word(at) && reader.look(at).is_plain() && (own(at) || trade(at));
        !reader.opens_sentence(from)
            && !is_many(reader.word(from))
            && is_bare(reader, from)
            && closes
            && own(to - 1)
            && (from..to).step_by(2).all(part)
    };
    are_words(reader, from, to, b'/', b"-+.")
        && (MEDIA.has(first) && !words::is_in(KNOWN, rest)
            || is_headed(reader, from, to)
            || subject()
            || object()
            || !all_parts(text, "/", &ordinary))
}

fn number(reader: &mut Reader<'_, '_>, at: usize) {
    // "Redis 7.2": the version of what stands before it.
    let text = reader.word(at);
    let owner = reader
        .before(at)
        .filter(|before| before + 1 < at && reader.is_word(*before));
    let owned = owner.is_some_and(|before| {
        let word = reader.word(before);
        let proper = opens_with_capital(word) && !reader.opens_sentence(before);
        // "Visual Studio Code 1.90"
        let first = reader.before(before);
        let title = proper && first.is_some_and(|first| opens_with_capital(reader.word(first)));
        let parts = !PARTS.has(word) && (title || !reader.is_in(before, KNOWN));
        // "Node.js 20"
        let dotted = before > 1 && DOTTED.contains(&reader.text(before - 2, before + 1));
        // "yarn 4 is needed", not "yarn 4 times"
        let next = reader.skip_space(at + 1);
        let counts = reader.word(next).ends_with('s') && !is_verb(reader, next);
        let program = config::is_called(word) && !counts;
        parts && (text.contains('.') || proper || dotted || program)
    });
    // "4.x"
    if reader.is_mark(at + 1, b'.') && reader.is(at + 2, "x") {
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

/// "5.0 removes the key", "removed in 5.0", "Upgrade from 4.1 to 5.0", "versions below 4.0": a number with a point where only a release
/// stands.
pub(super) fn is_release(reader: &Reader<'_, '_>, at: usize) -> bool {
    const LONGEST: usize = 20;
    const HEADS: &Words =
        any_of!("Release Releases Version Versions release releases version versions");
    const MOVES: &Words = any_of!(
        "\
        downgrade downgraded downgrades downgrading migrate migrated migrates migrating migration upgrade upgraded \
        upgrades upgrading"
    );
    const RANGE: &Words = any_of!(
        "\
        above after and before below between but earlier from including later newer not older or since than through \
        to until up x"
    );
    if !reader.word(at).contains('.') {
        return false;
    }
    let behind = reader.skip_space(at + 1);
    let acts = reader.says(
        behind,
        any_of!("adds changes deprecates drops fixes introduces removes renames requires supports"),
    );
    // Not "a new version (4.5 MB)", "releases above 2.5 bar".
    let bounded = reader.is_any(at.wrapping_sub(1), b"<=>") || reader.says(reader.left(at), RANGE);
    let counts = reader.is_word(behind) && !reader.is_in(behind, NOT_NAMES.or(VERB));
    // "was removed in 4.0"
    let done = [
        any_of!("added changed deprecated dropped fixed introduced released removed renamed"),
        any_of!("in since"),
    ];
    if acts && reader.opens_sentence(at) || !counts && led_by(reader, at, &done).is_some() {
        return true;
    }
    for at in (at.saturating_sub(LONGEST)..at).rev() {
        let begins = bounded && !counts && reader.says(at, HEADS);
        if begins || reader.says_in_any_case(at, MOVES) {
            return true;
        }
        let ends = reader.is_mark(at, b'.') && !reader.is_word(at + 1);
        let other = reader.is_word(at) && !reader.says(at, RANGE);
        if ends || other || reader.is_any(at, b",;\n") {
            return false;
        }
    }
    false
}

fn word(reader: &mut Reader<'_, '_>, at: usize) {
    let text = reader.word(at);
    if text.chars().nth(1).is_none() {
        // "C++", "C#", "½"
        let signs = match reader.is_mark(at + 1, b'#') {
            true => 1,
            false => 2 * usize::from(reader.text(at + 1, at + 3) == "++"),
        };
        if signs > 0 && text.starts_with(|char: char| char.is_ascii_uppercase()) {
            reader.push(at, at + 1 + signs, &[Id], Rank::Shape);
        } else if text.starts_with(char::is_numeric) {
            reader.push(at, at + 1, &[Num], Rank::Shape);
        }
        // `PagedList<T>`
        if at > 0 && reader.is_mark(at - 1, b'<') && reader.is_mark(at + 1, b'>') {
            reader.push(at, at + 1, &[Type, Id], Rank::Claim);
        }
        return;
    }
    // "the", "gets"
    if reader.is_in(at, NOT_NAMES) && reader.look(at).is_plain() {
        if let Some(kinds) = placed(reader, at) {
            reader.push(at, at + 1, kinds, Rank::Shape);
        }
        return;
    }
    if is_measure(reader, at) || reader.goes_on_in_type(at) {
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
    let marked = || {
        reader
            .before(at)
            .is_some_and(|before| !reader.is_name(before))
    };
    let determines = reader.look(at) == Look::Capital && reader.is_in(at, DETERMINER) && marked();
    if is_month(reader, at) || is_status(reader, at) || determines {
        return;
    }
    let opens = reader.opens_sentence(at);
    let what = match reader.look(at) {
        Look::Plain | Look::Small => plain(reader, at, opens),
        Look::Capital if opens => opener(reader, at),
        Look::Capitals if reader.is_in(at, NOT_NAMES.or(OPENER)) => return,
        // "CREATE ROLE clerk"
        Look::Capitals if reader.is_in(at, CUE) && follows_opener(reader, at) => return,
        Look::Capital if prose::only_announces(reader, at) => return,
        Look::Capital if reader.is_built_in(at) => Plain::Name(&[Type, Id]),
        Look::Capital | Look::Capitals => Plain::Name(&[Id]),
        _ if reader.is_well_known(at) => Plain::Name(&[Id]),
        // The others are names in any text.
        _ => return shapes::word(reader, at, &[]),
    };
    match what {
        Plain::Name(kinds) => reader.push(at, at + 1, kinds, Rank::Shape),
        Plain::IfShown(shown) => reader.push_if_shown(at, &[Id], Rank::Guess, shown),
        Plain::Rare => {
            reader.push_if_shown(at, &[Id], Rank::Guess, Shown::Named);
            reader.push_if_shown(at, &[Id], Rank::Guess, Shown::Proper);
        }
        Plain::Word => {}
    }
}

/// Whether the word at `at` stands behind one that opens a statement of SQL.
fn follows_opener(reader: &Reader<'_, '_>, at: usize) -> bool {
    let opener = reader.before(at).filter(|verb| reader.is_in(*verb, OPENER));
    opener.is_some_and(|verb| reader.look(verb) == Look::Capitals)
}

/// "returns a Patch": a word of a language where what a function gives back is named.
fn is_given_back(reader: &Reader<'_, '_>, at: usize) -> bool {
    let gives = [
        any_of!("builds creates gives makes returns takes yields"),
        any_of!("a an"),
    ];
    reader.look(at) == Look::Capital
        && !reader.is_in(at, TYPE_WORDS)
        && !reader.is_built_in(at)
        && !reader.is_well_known(at)
        && ends_clause(reader, at)
        && led_by(reader, at, &gives).is_some()
}

/// "25 MB", "is in days", "USD 6"
fn is_measure(reader: &Reader<'_, '_>, at: usize) -> bool {
    let before = reader.left(at);
    let counts = reader.is_number(before) || reader.is(before, "in");
    let currency =
        reader.says(at, any_of!("EUR GBP USD")) && reader.is_number(reader.skip_space(at + 1));
    currency || counts && is_unit(reader, at)
}

/// "is a boolean", "stored as jsonb": a type word where it says what something is.
fn is_typed(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    // An enum is a sort of types.
    reader.says(reader.left(at), any_of!("a an as is to"))
        && !reader.is(at, "enum")
        && (ends_clause(reader, at) || reader.says(next, any_of!("and or with")))
}

/// A month of a date that is a name as a whole; "may" by itself is much else.
fn is_month(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, MONTH)
        && (reader.is(at, "May")
            || reader.is_number(reader.left(at))
            || reader.is_number(reader.skip_space(at + 1)))
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
    if !opens_with_capital(reader.word(at)) {
        return false;
    }
    let mut place = at;
    for _ in 0..=MOST_WORDS {
        if !reader.says(place, PHRASES) {
            return false;
        }
        place = reader.left(place);
        if reader.is_number(place) {
            return reader.word(place).len() == 3;
        }
    }
    false
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

/// A word in small letters, none of [`NOT_NAMES`].
fn plain(reader: &Reader<'_, '_>, at: usize, opens: bool) -> Plain {
    let text = reader.word(at);
    if reader.scan.makeup(at).has(Makeup::DIGIT) {
        return Plain::Name(match reader.is_in(at, SMALL_TYPE) {
            true => &[Type, Dtype, Id],
            false => &[Id],
        });
    }
    // "retries is set to 5": a sentence that opens with a small letter may open with a name.
    let next = reader.skip_space(at + 1);
    let subject = opens
        && (is_verb(reader, next) || takes_object(reader, next))
        && prose::cue_kinds(reader, at).is_none();
    // "build fails", "caching is controlled by", which leave their article out
    let done = || {
        let said = match is_abstract(text) {
            true => !reader.says(
                next,
                any_of!("calls depends extends imports inherits references"),
            ),
            false => reader.says(next, any_of!("fails runs stops works")),
        };
        said && is_ordinary(text)
    };
    if subject && !done() {
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
    if is_access(reader, at) && reader.is_mark(reader.left(at), b':') {
        return Plain::Word;
    }
    // "tokio 1.15.2", "express ^3.12.9"
    let known = reader.is_in(at, KNOWN);
    if !known && versioned(reader, at) {
        return Plain::Name(&[Pkg, Module, Id]);
    }
    let before = reader.left(at);
    let counted = reader.is_number(before);
    let title = is_title(reader, before);
    // "Job build runs": perhaps a name, though one of the trade's words.
    if known && is_verb(reader, next) && title && reader.opens_sentence(before) {
        return Plain::IfShown(Shown::Named);
    }
    // "is called by upload": one of the trade's words, and what the evidence's code calls.
    let calls = any_of!("after before by call calling calls from");
    if known && (reader.says(before, calls) || reader.is(next, "calls")) {
        return Plain::IfShown(Shown::Used);
    }
    if known || !reader.english || counted && is_unit(reader, at) || is_cut(reader, at) {
        return Plain::Word;
    }
    if config::is_called(text) && !ordinary::is_ordinary(text) {
        return Plain::Name(&[Cmd, Id]);
    }
    // "Writing to deliveries", "covers encode": a word of English, and perhaps a table of the evidence's SQL, or
    // what its code calls; "replaces matte", whatever the evidence shows to be a name.
    if ordinary::is_ordinary(text) {
        let acts = || is_verb(reader, next) && !has_object(reader, at);
        let placed = is_bare(reader, at) || title && acts();
        let quality =
            reader.is_in(at, DESCRIBING.or(COMPOUND)) || is_participle(text) || is_adjective(text);
        let named = placed && !opens && !quality;
        return Plain::IfShown(match named {
            true => Shown::Named,
            false => Shown::Used,
        });
    }
    // "at berth 4" is one of several, of a word that is only rare; "with npm 11" is a version.
    let versions = any_of!("by needs on requires runs supports uses via with");
    let counted = reader.is_number(reader.skip_space(at + 1)) && !reader.says(before, versions);
    // "the cookie sid": behind a word for a thing it is that thing's name.
    let described = is_adjective(text) && is_said(reader, at);
    let placed = is_bare(reader, at) || title || is_subject(reader, at) && !is_adjective(text);
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
    /// Articles before nouns, which have a capital in German; "La Paz" is a name.
    const GERMAN: &Words = any_of!("Das Der Des Die Ein Eine");
    const OTHERS: &Words =
        any_of!("As De Een El Gli Het Il La Las Le Les Lo Los Os Um Uma Un Una Une");
    let text = reader.word(at);
    if GERMAN.has(text) || OTHERS.has(text) && !begins_name(reader, at) {
        return Plain::Word;
    }
    // "Status: Active" may give a value's name, "Note: When it …" does not.
    let given = reader.is_mark(reader.left(at), b':');
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
    let apart = reader.is_space(next - 1);
    let shaped = !reader.look(next).is_ordinary() || reader.is_mark(next + 1, b'-');
    let marked = reader.is_word(next) && shaped
        || reader.is_any(next, b"-/$@`") && !reader.is_space(next + 1);
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
    while reader.is_any(next, b"^~=><") {
        next += 1;
    }
    let number = reader.word(next);
    let measure = || {
        let unit = reader.skip_space(next + 1);
        is_unit(reader, unit)
            || reader.is_mark(unit, b'%')
            || ordinary::is_ordinary(reader.word(at))
    };
    next > at + 1
        && reader.is_number(next)
        && number.contains('.')
        && (number.matches('.').count() > 1 || !measure())
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
