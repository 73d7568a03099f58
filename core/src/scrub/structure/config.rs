//! Configuration: `KEY=value`, INI, TOML, YAML and JSON, tables of parameters, command lines.

use alloc::vec::Vec;

use super::{Reader, prose};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::{Look, look},
        scanner::TokenKind,
        words::{self, COMMON, LANGUAGE, NOT_NAMES},
    },
};

/// Keys of OpenAPI, JSON Schema and package files in their own role. Sorted.
#[rustfmt::skip]
static RESERVED: [&str; 49] = [
    "additionalProperties", "allOf", "anyOf", "author", "components", "content", "default", "delete", "dependencies", "description",
    "devDependencies", "engines", "enum", "example", "examples", "format", "get", "head", "headers", "in", "info", "items",
    "license", "main", "maximum", "method", "minimum", "name", "oneOf", "openapi", "operationId", "options", "parameters", "patch", "paths",
    "post", "properties", "put", "ref", "required", "responses", "schema", "scripts", "security", "servers", "summary", "tags",
    "title", "type",
];

const KEY: &[Kind] = &[Config, Field];
const VALUE: &[Kind] = &[Value];

/// What a walk over lines remembers.
#[derive(Default)]
pub(super) struct Lines {
    /// The kinds that the header of the current table gives its columns.
    columns: Vec<Option<&'static [Kind]>>,
    /// How many more lines may be a list of parameters.
    parameters: usize,
}

/// A list of parameters is seldom longer.
const PARAMETER_LINES: usize = 200;

/// Looks at the line whose first token that is no white space is `at`.
pub(super) fn line(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize) {
    let end = line_end(reader, at);
    if reader.is_mark(at, b'|') {
        return row(reader, lines, at, end);
    }
    lines.columns.clear();
    lines.parameters = lines.parameters.saturating_sub(1);
    match reader.word(at) {
        "#" | ";" | "/" | "*" | "<" | ">" => {}
        "[" => section(reader, at, end),
        "$" => command(reader, reader.skip_space(at + 1), end),
        "Usage" | "usage" | "USAGE" if reader.is_mark(at + 1, b':') => {
            command(reader, reader.skip_space(at + 2), end);
        }
        "-" if reader.scan.kind(at + 1) == Some(TokenKind::Space) => {
            entry(reader, lines, at + 2, end)
        }
        "export" | "set" | "ENV" => entry(reader, lines, reader.skip_space(at + 1), end),
        _ => entry(reader, lines, at, end),
    }
}

fn line_end(reader: &Reader<'_, '_>, at: usize) -> usize {
    let ends = |at: &usize| matches!(reader.scan.kind(*at), None | Some(TokenKind::Newline));
    (at..).find(ends).unwrap_or(at)
}

/// `[cache]` on a line of its own.
fn section(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    let words = (at + 1..end).take_while(|at| {
        matches!(
            reader.scan.kind(*at),
            Some(TokenKind::Word | TokenKind::Mark(b'.' | b'-'))
        )
    });
    let to = at + 1 + words.count();
    if to > at + 1 && reader.is_mark(to, b']') && reader.skip_space(to + 1) >= end {
        push_key(reader, at + 1, to);
    }
}

/// The words of a command line before its options.
fn command(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    let mut to = at;
    let mut last = at;
    while to < end && reader.is_word(to) {
        let small = reader.word(to).chars().all(|char| !char.is_uppercase());
        if !small {
            break;
        }
        to += 1;
        while reader.is_mark(to, b'-') && reader.is_word(to + 1) {
            to += 2;
        }
        last = to;
        to = reader.skip_space(to);
    }
    if last > at && !reader.is_rest_of_name(at, last) {
        reader.push(at, last, &[Cmd], Rank::Structure);
    }
}

/// `key = value`, `key: value`.
fn entry(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    let quoted = prose::quotation(reader, at);
    let (from, to, next) = match quoted {
        Some((from, to)) => (from, to, to + 1),
        None => {
            let to = key_end(reader, at);
            (at, to, to)
        }
    };
    if to <= from || to > end {
        return;
    }
    let sign = reader.skip_space(next);
    let equals = reader.is_mark(sign, b'=') && !reader.is_mark(sign + 1, b'=');
    let colon = reader.is_mark(sign, b':')
        && sign == next
        && (sign + 1 >= end || reader.scan.kind(sign + 1) == Some(TokenKind::Space));
    if !(colon || equals && quoted.is_none()) {
        return;
    }
    let key = reader.text(from, to);
    let value = value(reader, reader.skip_space(sign + 1), end);
    let look = look(key);
    let small = key.starts_with(|char: char| char.is_lowercase());
    let indented = reader.scan.kind(at.wrapping_sub(1)) == Some(TokenKind::Space);
    let shaped = !look.is_ordinary() || key.contains('-');
    if colon && key == "parameters" {
        lines.parameters = PARAMETER_LINES;
    }
    // `- name: expand` in a list of parameters.
    if colon && key == "name" && lines.parameters > 0 {
        if let Some((from, to)) = value {
            reader.push(from, to, &[Param], Rank::Definition);
        }
        return;
    }
    if quoted.is_none() && colon && (key == "in" || key == "type") {
        return;
    }
    let accepted = match value {
        // A block's head: `http:` with deeper lines.
        None => colon && small && sign + 1 >= end && is_deeper(reader, at, end),
        Some(_) if equals => true,
        Some(_) => {
            quoted.is_some() || small && (shaped || indented || is_deeper_or_like(reader, end))
        }
    };
    if !accepted || reader.is_rest_of_name(from, to) {
        return;
    }
    if RESERVED.binary_search(&key).is_err() {
        push_key(reader, from, to);
    }
    if let Some((from, to)) = value {
        push_value(reader, from, to);
    }
}

fn key_end(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut to = at;
    while reader.is_word(to) {
        to += 1;
        let joined = matches!(reader.scan.kind(to), Some(TokenKind::Mark(b'-' | b'.')));
        if !joined || !reader.is_word(to + 1) {
            break;
        }
        to += 1;
    }
    to
}

/// The tokens of a simple value: one run without spaces, or what is in quotes; then a comment at most.
fn value(reader: &Reader<'_, '_>, at: usize, end: usize) -> Option<(usize, usize)> {
    if at >= end {
        return None;
    }
    let rest_is_comment = |at: usize| {
        let mut at = reader.skip_space(at);
        if reader.is_mark(at, b',') {
            at = reader.skip_space(at + 1);
        }
        at >= end || reader.is_mark(at, b'#') || reader.is_mark(at, b';')
    };
    if let Some((from, to)) = prose::quotation(reader, at) {
        return rest_is_comment(to + 1).then_some((from, to));
    }
    let mut to = at;
    while to < end && reader.scan.kind(to) != Some(TokenKind::Space) {
        let code = matches!(
            reader.scan.kind(to),
            Some(TokenKind::Mark(
                b'(' | b'{' | b'[' | b'"' | b'\'' | b'<' | b'|' | b'&' | b'>' | b'$'
            ))
        );
        if code || reader.scan.kind(to) == Some(TokenKind::Placeholder) {
            return None;
        }
        to += 1;
    }
    if !rest_is_comment(to) {
        return None;
    }
    while to > at
        && matches!(
            reader.scan.kind(to - 1),
            Some(TokenKind::Mark(b',' | b';' | b'.'))
        )
    {
        to -= 1;
    }
    (to > at).then_some((at, to))
}

/// Whether the next line is indented more than the one that `at` is in.
fn is_deeper(reader: &Reader<'_, '_>, at: usize, end: usize) -> bool {
    let indent = |first: usize| match reader.scan.kind(first) {
        Some(TokenKind::Space) => reader.word(first).len(),
        _ => 0,
    };
    let own = match at.checked_sub(1) {
        Some(before) => indent(before),
        None => 0,
    };
    indent(end + 1) > own
}

/// Whether the next line is of the same build: `key:`.
fn is_deeper_or_like(reader: &Reader<'_, '_>, end: usize) -> bool {
    let first = reader.skip_space(end + 1);
    let to = key_end(reader, first);
    to > first && reader.is_mark(to, b':')
}

fn push_key(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let key = reader.text(from, to);
    let kinds: &'static [Kind] = match look(key) {
        Look::Key => &[Key, Config, Id],
        _ => KEY,
    };
    match is_ordinary(key) {
        true => reader.push_here(from, to, kinds, Rank::Structure),
        false => reader.push(from, to, kinds, Rank::Structure),
    }
}

fn push_value(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let value = reader.text(from, to);
    let plain = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
    match plain {
        true => reader.push_here(from, to, VALUE, Rank::Structure),
        false => reader.push(from, to, VALUE, Rank::Structure),
    }
}

fn is_ordinary(word: &str) -> bool {
    words::is_in(COMMON, word) || words::is_in(NOT_NAMES, word) || words::is_in(LANGUAGE, word)
}

/// A row of a Markdown table: its header says what its columns hold.
fn row(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    let mut cells = Vec::new();
    let mut from = at + 1;
    for to in at + 1..end {
        if reader.is_mark(to, b'|') {
            cells.push((from, to));
            from = to + 1;
        }
    }
    let ruled = reader.is_mark(end + 1, b'|')
        && matches!(reader.word(reader.skip_space(end + 2)), "-" | ":");
    if ruled {
        let kinds = |(from, to): &(usize, usize)| {
            let first = reader.skip_space(*from);
            let single = reader.skip_space(first + 1) >= *to;
            single.then(|| prose::cue_kinds(reader, first))?
        };
        lines.columns = cells.iter().map(kinds).collect();
        return;
    }
    for ((from, to), kinds) in cells.into_iter().zip(&lines.columns) {
        let Some(kinds) = *kinds else { continue };
        let first = reader.skip_space(from);
        let content = prose::quotation(reader, first).or_else(|| {
            let word = matches!(
                reader.scan.kind(first),
                Some(TokenKind::Word | TokenKind::Number)
            );
            let single = word && reader.skip_space(first + 1) >= to;
            single.then_some((first, first + 1))
        });
        if let Some((from, to)) = content
            && !reader.is_rest_of_name(from, to)
        {
            let text = reader.text(from, to);
            match is_ordinary(text) {
                true => reader.push_here(from, to, kinds, Rank::Definition),
                false => reader.push(from, to, kinds, Rank::Definition),
            }
        }
    }
}

/// `"key": value` inside JSON that is not one entry a line.
pub(super) fn json(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    if !reader.is_mark(from - 1, b'"') || !reader.is_mark(to + 1, b':') {
        return;
    }
    let key = reader.text(from, to);
    let single = key_end(reader, from) == to;
    if single && RESERVED.binary_search(&key).is_err() && !reader.is_rest_of_name(from, to) {
        push_key(reader, from, to);
    }
    let at = reader.skip_space(to + 2);
    if let Some((from, to)) = prose::quotation(reader, at) {
        if !reader.text(from, to).contains(' ') {
            push_value(reader, from, to);
        }
    } else if reader.scan.kind(at) == Some(TokenKind::Number) {
        push_value(reader, at, at + 1);
    }
}
#[cfg(test)]
mod tests {
    use super::RESERVED;

    #[test]
    fn reserved_keys_are_sorted() {
        assert!(RESERVED.is_sorted());
    }
}
