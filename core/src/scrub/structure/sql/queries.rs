//! Queries: what stands in prose and what does not, aliases, and names that statements give to queries.

use super::{TABLE, statement::next_of};
use crate::scrub::{
    lexicon::Rank,
    scanner::TokenKind,
    structure::{REACH, Reader, code, prose},
    words::{self, DETERMINER, LANGUAGE, NOT_NAMES, Words, any_of},
};

/// Whether the small `select` at `at` is SQL's: what it lists, or what stands behind its table, no sentence has.
#[inline(never)]
pub(super) fn selects(reader: &Reader<'_, '_>, at: usize) -> bool {
    let (mut depth, mut words, mut from) = (0_usize, 0, at + 1);
    // Whether a sign of SQL has been seen; whether commas list no more than names.
    let (mut sign, mut lists, mut names) = (false, false, true);
    let reach = at + 4 * REACH;
    while depth > 0 || !reader.is(from, "from") {
        match reader.scan.kind(from) {
            None | Some(TokenKind(b';')) => return false,
            // `select {` of Go, `select(` of Python
            Some(TokenKind(b'{'))
                if !is_template(reader, from) && !reader.is_mark(from - 1, b'{') =>
            {
                return false;
            }
            Some(TokenKind(b'(')) if from == at + 1 => return false,
            Some(TokenKind::NEWLINE) if code::ends_line(reader, from + 1) => return false,
            Some(TokenKind(b'(')) => {
                sign |= reader.is_word(from - 1);
                depth += 1;
            }
            Some(TokenKind(b')')) if depth == 0 => return false,
            Some(TokenKind(b')')) => depth -= 1,
            Some(TokenKind(b'*')) => sign |= next_of(reader, at + 1) == from,
            Some(TokenKind(b'.')) => sign |= reader.is_name(from - 1) && reader.is_name(from + 1),
            Some(TokenKind(b',')) => (lists, words) = (true, 0),
            Some(TokenKind::WORD) if is_prose(reader, from) => return false,
            // `mail as address`
            Some(TokenKind::WORD | TokenKind::PLACEHOLDER) if !reader.is(from, "as") => {
                words += 1;
                names &= words < 3;
            }
            _ => {}
        }
        from = prose::quotation(reader, from).map_or(from, |(_, close)| close) + 1;
        if from > reach {
            return false;
        }
    }
    let table = next_of(reader, from + 1);
    if is_template(reader, table) {
        return true;
    }
    if reader.is_mark(table, b'(') {
        return reader.is(next_of(reader, table + 1), "select");
    }
    let Some(end) = name_end(reader, table).filter(|_| !is_prose(reader, table)) else {
        return false;
    };
    let listed = lists && names;
    sign |= end > table + 1 && reader.is_mark(table + 1, b'.');
    let next = behind_alias(reader, end, CLAUSES);
    // To the end of the statement, or of the sentence that it is instead.
    let goes_on = |at: &usize| {
        let stop = reader.is_mark(*at, b'.') && reader.skip_space(at + 1) > at + 1;
        let stop = stop || reader.is_mark(*at, b'.') && code::ends_line(reader, at + 1);
        !stop && !reader.is_mark(*at, b';')
    };
    let goes_on_to = |words: &Words| {
        let mut rest = (next + 1..next + REACH / 2).take_while(goes_on);
        rest.any(|at| reader.says(at, words))
    };
    match reader.word(next) {
        ";" => sign || listed || code::ends_line(reader, next + 1),
        "group" | "order" => reader.is(next_of(reader, next + 1), "by"),
        "where" => goes_on_to(any_of!("= < > ! null")) || sign,
        word if CLAUSES.has(word) => {
            sign || word == "limit"
                || (word == "join" || goes_on_to(any_of!("join")))
                    && goes_on_to(any_of!("on using"))
        }
        _ => {
            let closed = reader.says(next, any_of!(") \" ' `"));
            listed && closed
                || sign && (closed || reader.is_mark(next, b',') || code::ends_line(reader, next))
        }
    }
}

/// The words that a table of a query may have behind it.
const CLAUSES: &Words = any_of!(
    "cross except full group having inner intersect join left limit natural offset on order right union where"
);

/// What stands behind the alias that may follow at `at`, where the word is none of `others`; on the next
/// line it is one of them.
#[inline(never)]
pub(super) fn behind_alias(reader: &Reader<'_, '_>, at: usize, others: &Words) -> usize {
    let line = |at: usize| {
        let next = next_of(reader, at);
        let at = reader.skip_space(at);
        match reader.says(next, others) {
            true => next,
            false => at,
        }
    };
    let next = line(at);
    let name = match reader.is(next, "as") {
        true => reader.skip_space(next + 1),
        false => next,
    };
    let alias = reader.is_name(name)
        && !reader.says(name, others)
        && (name > next || !reader.is_in(name, NOT_NAMES));
    if alias { line(name + 1) } else { next }
}

/// Where the name at `at` ends, with what qualifies it: `hotel.guests`, `"hotel"."guests"`.
#[inline(never)]
pub(super) fn name_end(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    const MOST_PARTS: usize = 4;
    let mut at = at;
    for _ in 0..MOST_PARTS {
        let end = match prose::quotation(reader, at) {
            Some((_, close)) => close + 1,
            None => reader.is_name(at).then_some(at + 1)?,
        };
        if !reader.is_mark(end, b'.') {
            return Some(end);
        }
        at = end + 1;
    }
    None
}

/// Whether the word at `at` is one of a sentence, with another behind it: "the list", not the column of `a, b`.
#[inline(never)]
pub(super) fn is_prose(reader: &Reader<'_, '_>, at: usize) -> bool {
    let small = reader.is_in(at, DETERMINER)
        || reader.is_in(at, NOT_NAMES) && !reader.is_in(at, LANGUAGE)
        || reader.says(at, any_of!("for of on to with"));
    let next = reader.skip_space(at + 1);
    small && next > at + 1 && reader.is_name(next) && !reader.says(next, any_of!("as from"))
}

/// Whether a template's place opens at `at`: `{{ ref('guests') }}` of dbt.
pub(super) fn is_template(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_mark(at, b'{') && reader.is_mark(at + 1, b'{')
}

/// `old` of `WITH old AS (SELECT …)`, where `SELECT` is at `at`.
pub(super) fn named_query(reader: &mut Reader<'_, '_>, at: usize) {
    let open = prior(reader, at);
    let word = prior(reader, open);
    let name = prior(reader, word);
    if reader.is_mark(open, b'(')
        && reader.says_in_any_case(word, any_of!("as"))
        && reader.is_word(name)
    {
        reader.push(name, name + 1, TABLE, Rank::Definition);
    }
}

/// The token before `at` that is neither space nor line end.
pub(super) fn prior(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut before = reader.left(at);
    for _ in 0..REACH / 8 {
        if !reader.is_mark(before, b'\n') {
            break;
        }
        before = reader.left(before);
    }
    before
}

/// Whether a sentence speaks of the statement whose word in capitals is at `at`: `the SELECT of the report`, `never
/// DROP the ball`. Where a word is before it and none is known behind it, as it was scrubbed, it may.
pub(super) fn is_in_prose(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    let small = reader.is_in(next, NOT_NAMES) && reader.word(next).starts_with(char::is_lowercase);
    let word = reader.before(at).filter(|before| {
        reader.is_scrubbed(*before)
            || reader.is_word(*before) && !words::is_all_capitals(reader.word(*before))
    });
    word.is_some_and(|word| small || reader.is_scrubbed(next) || reader.is_in(word, DETERMINER))
}

/// Whether the statement at `at` has small words where it begins.
pub(super) fn has_small_words(reader: &Reader<'_, '_>, at: usize) -> bool {
    let mut rest = (at..at + REACH)
        .take_while(|at| !matches!(reader.scan.kind(*at), None | Some(TokenKind(b';' | b'\''))));
    // What was scrubbed may have been one.
    rest.any(|at| {
        reader.is_scrubbed(at)
            || reader.is_word(at)
                && !reader.is_in(at, LANGUAGE)
                && reader.word(at).starts_with(char::is_lowercase)
    })
}
