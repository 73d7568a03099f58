//! Names of several parts, and lists of columns.

use super::{COLUMN, SCHEMA, TABLE, statement::bracketed};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        structure::{REACH, Reader, prose},
        words::BEHIND,
    },
};

/// `schema.table.column`, quoted or not, where the last part is of `kinds`; says where it ends.
pub(in crate::scrub::structure) fn push_chain(
    reader: &mut Reader<'_, '_>,
    at: usize,
    kinds: &'static [Kind],
    rank: Rank,
) -> Option<usize> {
    let mut parts = [(0, 0); 4];
    let mut count = 0;
    let mut end = at;
    let mut at = at;
    while count < parts.len() {
        let (from, to, next) = match prose::quotation(reader, at).or_else(|| bracketed(reader, at))
        {
            Some((from, to)) => (from, to, to + 1),
            // What stands behind `[TABLE_1].[TABLE_2]` is read as it was.
            None if reader.is_name(at) => (at, at + 1, at + 1),
            None => break,
        };
        let mut from = from;
        if is_qualified(reader, from, to) {
            for point in (from..to).filter(|at| reader.is_mark(*at, b'.')) {
                if count + 1 < parts.len() {
                    parts[count] = (from, point);
                    count += 1;
                    from = point + 1;
                }
            }
        }
        parts[count] = (from, to);
        count += 1;
        end = next;
        if !reader.is_mark(next, b'.') {
            break;
        }
        at = next + 1;
    }
    if count == 0 {
        return None;
    }
    let above: &[&'static [Kind]] = match kinds {
        [Col | Field, ..] => &[TABLE, SCHEMA, &[Db]],
        _ => &[SCHEMA, &[Db], &[Db]],
    };
    let above = [kinds].into_iter().chain(above.iter().copied());
    for ((from, to), kinds) in parts[..count].iter().rev().zip(above) {
        reader.push(*from, *to, kinds, rank);
    }
    Some(end)
}

/// "references users(id)": the table at `at` and its columns.
pub(in crate::scrub::structure) fn referenced(reader: &mut Reader<'_, '_>, at: usize) {
    reader.push_name_at(at, at + 1, &[Table, Func, Method], Rank::Structure);
    columns(reader, at + 2);
}

/// `UNIQUE KEY by_year (year)` on a line of its own: the index at `at` and its columns in brackets, if there are any.
pub(in crate::scrub::structure) fn keyed(reader: &mut Reader<'_, '_>, at: usize) {
    let open = reader.skip_space(at + 1);
    if reader.is_word(at) && reader.is_mark(open, b'(') && list_end(reader, open + 1).is_some() {
        reader.push(at, at + 1, &[Index], Rank::Definition);
        columns(reader, open + 1);
    }
}

/// The bracket that closes a list of words from `at` on: `route_no, night)`.
pub(super) fn list_end(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    let mut at = at;
    for _ in 0..REACH / 2 {
        let next = reader.skip_space(at + 1);
        if !reader.is_word(at) || reader.is_mark(next, b')') {
            return Some(next).filter(|_| reader.is_word(at));
        }
        if !reader.is_mark(next, b',') {
            break;
        }
        at = reader.skip_space(next + 1);
    }
    None
}

/// The columns that are listed from `at`.
fn columns(reader: &mut Reader<'_, '_>, at: usize) {
    let mut column = at;
    while reader.is_word(column) {
        reader.push_plain(column, column + 1, COLUMN, Rank::Structure);
        if !reader.is_mark(column + 1, b',') {
            return;
        }
        column = reader.skip_space(column + 2);
    }
}

/// Whether a quotation holds names that points join: `'clinic.rota'`, `` `mead-prod.weather.readings` ``.
#[inline(never)]
pub(in crate::scrub::structure) fn is_qualified(
    reader: &Reader<'_, '_>,
    from: usize,
    to: usize,
) -> bool {
    let joins = |at: usize| match reader.scan.kind(at) {
        Some(TokenKind(b'.' | b'-')) => {
            let part = |at| reader.is_name(at) || reader.is_number(at);
            at > from && at + 1 < to && part(at - 1) && part(at + 1)
        }
        Some(TokenKind::NUMBER) => at > from && reader.is_mark(at - 1, b'-'),
        _ => reader.is_name(at),
    };
    to > from + 2 && (from..to).all(joins) && (from..to).any(|at| reader.is_mark(at, b'.'))
}

/// Whether the quotation that opens at `at` is a qualified name and no text, as a statement or a message says:
/// `FROM "clinic.rota"`, "Unknown column 'rota.weekday'", "Invalid object name 'dbo.rota'".
#[inline(never)]
pub(in crate::scrub::structure) fn is_quoted_chain(
    reader: &mut Reader<'_, '_>,
    at: usize,
    (from, to): (usize, usize),
    in_statement: bool,
) -> bool {
    let Some(before) = reader.before(at).filter(|_| is_qualified(reader, from, to)) else {
        return false;
    };
    let said = reader.before(before).map_or("", |said| reader.word(said));
    match (said, reader.word(before)) {
        // "Cannot insert duplicate key in object 'dbo.rota'"
        ("object", "name") | (_, "object") => {
            push_chain(reader, at, TABLE, Rank::Structure);
            true
        }
        // Of MySQL, which says the table of an index.
        ("for", "key") if to == from + 3 => {
            reader.push(from, from + 1, TABLE, Rank::Structure);
            reader.push(from + 2, to, &[Index], Rank::Structure);
            true
        }
        _ => {
            in_statement && (reader.is_mark(at, b'"') || reader.is_in(before, BEHIND))
                || prose::cue_kinds(reader, before)
                    .is_some_and(|kinds| matches!(kinds[0], Table | Col | Field | Index))
        }
    }
}

/// `SET search_path TO rail, public`: the schemas that are listed from `at`.
#[inline(never)]
pub(in crate::scrub::structure) fn searched(reader: &mut Reader<'_, '_>, at: usize) {
    let mut at = reader.skip_space(at);
    for _ in 0..REACH / 4 {
        let Some(end) = push_chain(reader, at, SCHEMA, Rank::Definition) else {
            return;
        };
        if !reader.is_mark(end, b',') {
            return;
        }
        at = reader.skip_space(end + 1);
    }
}
