//! Plans of queries, as databases explain them.

use super::{closing, ends_line, first_of_line};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        structure::{REACH, Reader, sql},
        words::{self, LANGUAGE, NOT_NAMES, any_of},
    },
};

/// `SCAN racks`, `SEARCH racks USING …` of SQLite's plan, where the word is at `at`.
#[inline(never)]
pub(super) fn searches(reader: &Reader<'_, '_>, at: usize, opens_line: bool) -> bool {
    let name = reader.skip_space(at + 1);
    let step = is_step(reader, at);
    let whole = || {
        reader.is(at, "SCAN")
            && ends_line(reader, name + 1)
            && (step || is_among_steps(reader, at, name + 1))
    };
    (opens_line || step)
        && reader.is_word(name)
        && (reader.says_next(name + 1, any_of!("USING")) || whole())
}

/// `Seq Scan on stays`, `Index Scan using stays_pkey on stays` of a query's plan.
pub(super) fn plan(reader: &mut Reader<'_, '_>, at: usize) {
    let mut at = at;
    let using: (&str, &[Kind]) = ("using", &[Index]);
    for (word, kinds) in [using, ("on", &[Table]), using] {
        if reader.word(at) == word {
            let name = reader.skip_space(at + 1);
            let end = sql::push_chain(reader, name, kinds, Rank::Definition);
            at = reader.skip_space(end.unwrap_or(name));
        }
    }
}

/// Whether the line is a step of a plan: `-> Index lookup on …`, `|--SCAN racks`.
#[inline(never)]
pub(super) fn is_step(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.has_marks(first_of_line(reader, at), b"->")
        || reader.has_marks(at.wrapping_sub(2), b"--")
}

/// Whether the line above the word at `at`, or the one below that which ends at `end`, is a step of SQLite's plan, too.
fn is_among_steps(reader: &Reader<'_, '_>, at: usize, end: usize) -> bool {
    let step = |at: usize| reader.says(at, any_of!("SCAN SEARCH"));
    at > 1 && step(first_of_line(reader, at - 2)) || step(reader.skip_space(end) + 1)
}

/// The columns of `Filter: (vintage > 2019)`, `Sort Key: vintage, bottled_on DESC` of a plan, where `Filter` or
/// `Key` is at `at`; says whether there are any. What is said otherwise has words side by side: "Sort Key: the key
/// to sort by".
#[inline(never)]
pub(super) fn planned(reader: &mut Reader<'_, '_>, at: usize) -> bool {
    let open = reader.skip_space(at + 2);
    let before = reader.before(at).map_or("", |before| reader.word(before));
    let key = reader.is(at, "Key");
    let end = match key {
        true if any_of!("Group Sort").has(before) => {
            (open..open + REACH).find(|at| ends_line(reader, *at))
        }
        false if reader.is_mark(open, b'(') => closing(reader, open),
        _ => None,
    };
    let Some(end) = end else {
        return false;
    };
    let word = |reader: &Reader<'_, '_>, at: usize| {
        reader.is_word(at) && !words::is_all_capitals(reader.word(at))
    };
    let beside = |at: usize| {
        let own = |at: usize| word(reader, at) && !reader.says(at, any_of!("and or not"));
        own(at) && reader.is(at + 1, " ") && own(at + 2)
    };
    let compared = reader.find(open, end, any_of!("= < > ~ IS")).is_some();
    if !key && !compared || (open..end).any(beside) {
        return false;
    }
    // Not `text` of `'red'::text`, nor a function.
    let bare = |reader: &Reader<'_, '_>, at: usize| {
        !reader.says(at - 1, any_of!(". : ' \"")) && !reader.says(at + 1, any_of!(". ("))
    };
    for at in open..end {
        if word(reader, at) && !reader.is_in(at, NOT_NAMES.or(LANGUAGE)) && bare(reader, at) {
            reader.push_plain(at, at + 1, &[Col, Field], Rank::Definition);
        }
    }
    true
}
