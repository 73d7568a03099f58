//! Tables: of Markdown, of CSV, and as databases and Spark print them.

use alloc::vec::Vec;

use super::{
    Lines,
    values::{is_ordinary, key_end},
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        structure::{REACH, Reader, code, prose, sql},
        words::{SMALL_TYPE, TYPE_WORDS, any_of},
    },
};

/// ` |-- stops: array (nullable = true)` of the tree in which Spark prints a schema: a column and its type.
pub(super) fn branch(reader: &mut Reader<'_, '_>, at: usize, end: usize) -> bool {
    let is_of_tree = |at: &usize| reader.is_any(*at, b" |-");
    let name = at + (at..end).take_while(is_of_tree).count();
    let to = key_end(reader, name);
    let kind = reader.skip_space(to + 1);
    let told = reader.is_mark(end - 1, b')') && reader.says(end - 2, any_of!("false true"));
    if !told
        || to == name
        || name < at + 3
        || !reader.is_mark(name - 2, b'-')
        || !reader.is_mark(to, b':')
    {
        return false;
    }
    // What lists and maps hold has no name of its own.
    if !reader.says(name, any_of!("element key value")) {
        reader.push_plain(name, to, &[Col, Field], Rank::Definition);
    }
    reader.push_type(kind);
    true
}

/// `required binary code (UTF8);` of Parquet: a column and its types.
pub(super) fn repeated(reader: &mut Reader<'_, '_>, at: usize, end: usize) -> bool {
    if !reader.is_any(end - 1, b";{") || !reader.says(at, any_of!("optional repeated required")) {
        return false;
    }
    let kind = at + 2;
    let mut name = reader.skip_space(kind + 1);
    // `fixed_len_byte_array(16) id;`
    if reader.is_mark(kind + 1, b'(') {
        name = reader.skip_space(kind + 4);
    }
    let typed = reader.is_in(kind, TYPE_WORDS.or(SMALL_TYPE))
        || reader.says(kind, any_of!("fixed_len_byte_array group int96"))
        || code::is_sized(reader.word(kind));
    let note = reader.skip_space(name + 1);
    let fits = typed && reader.is_name(name) && reader.is_any(note, b"(;{");
    if fits {
        reader.push_plain(name, name + 1, &[Col, Field], Rank::Definition);
        if reader.is_mark(end - 1, b';') {
            reader.push_type(kind);
        }
        if reader.is_mark(note, b'(') {
            reader.push_type(note + 1);
        }
    }
    fits
}

/// `axle,tread_depth,checked_by`: whether a line heads rows with as many commas. It opens a text or stands below what
/// introduces it; one of its words is written as a name.
pub(super) fn heads_rows(reader: &Reader<'_, '_>, at: usize, end: usize) -> bool {
    const LEAST: usize = 3;
    let opens = at == 0
        || reader.is_mark(at - 1, b'\n')
            && (at < 2 || reader.is_mark(at - 2, b'\n') || reader.says(at - 2, any_of!(": `")));
    let cell = |at: usize| reader.is_word(at) && (at + 1 == end || reader.is_mark(at + 1, b','));
    if !opens
        || (end - at).is_multiple_of(2)
        || end - at < 2 * LEAST - 1
        || !(at..end).step_by(2).all(cell)
    {
        return false;
    }
    let next = reader.scan.line_end(end + 1, 4 * REACH).unwrap_or(end + 1);
    let commas = (end + 1..next)
        .filter(|at| reader.is_mark(*at, b','))
        .count();
    commas == (end - at) / 2
        && (at..end)
            .step_by(2)
            .any(|at| !reader.look(at).is_ordinary())
}

/// Whether a line is of cells with bars between them.
pub(super) fn is_row(reader: &Reader<'_, '_>, at: usize, end: usize) -> bool {
    (at..end).any(|at| reader.is_mark(at, b'|') && reader.is_space(at.wrapping_sub(1)))
}

/// The cells of a row, with bars between them and maybe around them.
fn cells(reader: &Reader<'_, '_>, at: usize, end: usize) -> Vec<(usize, usize)> {
    let mut cells = Vec::new();
    let first = at + usize::from(reader.is_mark(at, b'|'));
    let mut from = first;
    for to in first..end {
        if reader.is_mark(to, b'|') {
            cells.push((from, to));
            from = to + 1;
        }
    }
    if reader.skip_space(from) < end {
        cells.push((from, end));
    }
    cells
}

/// The header of a table says what its columns hold.
pub(super) fn header(reader: &Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    const MOST_TOKENS: usize = 6;
    let cells = cells(reader, at, end);
    // The last word of each that is short.
    let heads = cells.iter().map(|(from, to)| {
        let short = to - from <= MOST_TOKENS && !reader.has_scrubbed(*from, *to);
        let last = (*from..*to).rfind(|at| reader.is_word(*at));
        last.filter(|_| short)
    });
    let any = |words| heads.clone().flatten().any(|head| reader.says(head, words));
    // "Name | In | Type | Default" lists parameters.
    let described = any(any_of!("Default In Required Type type"));
    let kinds = |head: Option<usize>| {
        let head = head?;
        let kinds: &[Kind] = match reader.word(head) {
            "Name" if described => &[Param, Field, Col, Var],
            "Type" | "type" => &[Dtype],
            "Default" => &[Value],
            "Method" | "Name" => return None,
            // `PRI`, `MUL` of MySQL
            "Key" if any(any_of!("Null")) => return None,
            _ => return prose::cue_kinds(reader, head),
        };
        Some(kinds)
    };
    lines.columns = heads.clone().map(kinds).collect();
}

/// A row of a table: its header says what its columns hold.
pub(super) fn row(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    // MySQL rules its tables at the end, too.
    let rule =
        reader.is_mark(end + 1, b'|') || lines.columns.is_empty() && reader.is_mark(end + 1, b'+');
    if rule && reader.says(reader.skip_space(end + 2), any_of!("- : =")) {
        return header(reader, lines, at, end);
    }
    for ((from, to), kinds) in cells(reader, at, end).into_iter().zip(&lines.columns) {
        let Some(kinds) = *kinds else { continue };
        let first = reader.skip_space(from);
        if *kinds == [Dtype] {
            let first = first + usize::from(reader.is_mark(first, b'`'));
            if reader.is_in(first, TYPE_WORDS) {
                reader.push_type(first);
            }
            continue;
        }
        let content = prose::quotation(reader, first).or_else(|| {
            let word = reader.is_alphanumeric(first);
            // `dock-master`
            let last = key_end(reader, first).max(first + 1);
            let single = word && reader.skip_space(last) >= to;
            single.then_some((first, last))
        });
        if let Some((from, to)) = content {
            // `boats.hull`
            if matches!(kinds[0], Table | Col | Field) && sql::is_qualified(reader, from, to) {
                sql::push_chain(reader, from, kinds, Rank::Definition);
                continue;
            }
            let text = reader.text(from, to);
            let kinds: &'static [Kind] = match text.starts_with('-') {
                true => &[Param, Config, Id],
                false => kinds,
            };
            match is_ordinary(text) {
                true => reader.push_here(from, to, kinds, Rank::Definition),
                false => reader.push(from, to, kinds, Rank::Definition),
            }
        }
    }
}
