//! What code imports, and what a command fetches.

use super::{CLASS, FUNC, MODULE, PACKAGE, TYPE, ends_line, is_capital, uses::capital};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        structure::{REACH, Reader, prose, shapes},
        words::{NOT_NAMES, Words, any_of},
    },
};

/// Modules that come with a language, by the first part of their names. Sorted.
#[rustfmt::skip]
static STANDARD: &[&str] = &[
    "__future__", "abc", "alloc", "argparse", "array", "asyncio", "base64", "bufio", "bytes", "collections", "concurrent",
    "contextlib", "copy", "core", "crypto", "csv", "dataclasses", "datetime", "decimal", "encoding", "enum", "errors",
    "fmt", "fs", "functools", "glob", "hashlib", "heapq", "hmac", "html", "http", "https", "inspect", "io", "itertools",
    "java", "javax", "json", "kotlin", "logging", "math", "multiprocessing", "net", "node", "operator", "os", "path",
    "pathlib", "pickle", "queue", "random", "re", "reflect", "secrets", "shutil", "signal", "socket", "sort", "sqlite3",
    "statistics", "std", "strconv", "string", "strings", "struct", "subprocess", "sync", "sys", "tempfile", "testing",
    "textwrap", "threading", "time", "traceback", "typing", "unittest", "url", "urllib", "util", "uuid", "warnings", "zlib",
];

/// Programs that fetch packages.
pub(super) const FETCHERS: &Words =
    any_of!("apk apt brew bun cargo composer gem go npm pip pnpm uv yarn");

/// The packages that a command names, up to the line's end.
pub(super) fn packages(reader: &mut Reader<'_, '_>, at: usize) {
    let mut at = at;
    for _ in 0..REACH {
        let first = at;
        while matches!(
            reader.scan.kind(at),
            Some(TokenKind::WORD | TokenKind(b'-' | b'.' | b'/' | b'@'))
        ) && !(at > first && reader.is_mark(at, b'@'))
        {
            at += 1;
        }
        let flag = reader.is_mark(first, b'-') || reader.is_mark(first, b'.');
        if !flag {
            reader.push_name_at(first, at, PACKAGE, Rank::Structure);
        }
        while !matches!(
            reader.scan.kind(at),
            None | Some(TokenKind::SPACE | TokenKind::NEWLINE)
        ) {
            at += 1;
        }
        if reader.scan.kind(at) != Some(TokenKind::SPACE) {
            return;
        }
        at += 1;
        let goes_on = reader.is_word(at) && !reader.is_in(at, NOT_NAMES)
            || reader.is_mark(at, b'-')
            || reader.is_mark(at, b'@');
        if !goes_on {
            return;
        }
    }
}

/// `import a.b`, `from a.b import C, d`, `import x from 'y'`, `use a::b`.
pub(super) fn import(reader: &mut Reader<'_, '_>, at: usize, next: usize) {
    let keyword = reader.word(at);
    if reader.says(next, any_of!("\" '")) {
        return module_in_quotes(reader, next);
    }
    if keyword == "import" && reader.is_mark(next, b'(') {
        return imports(reader, next);
    }
    // `from .errors import …`, `from . import …`
    let mut first = next;
    while reader.is_mark(first, b'.') {
        first += 1;
    }
    let (next, relative) = (first, first > next);
    // The dotted name; a class at its end is left to its shape.
    let mut to = next;
    while reader.is_word(to) {
        to += 1;
        if !reader.is_mark(to, b'.') || !reader.is_word(to + 1) {
            break;
        }
        to += 1;
    }
    // `use session::{login, Token};`
    if keyword == "use"
        && let Some(open) = (next..next + REACH)
            .find(|at| !reader.is_word(*at) && !reader.is_any(*at, b":\\"))
            .filter(|open| reader.is_mark(*open, b'{'))
        && !is_standard(reader.word(next))
    {
        if open == next + 3 && !reader.says(next, any_of!("crate self super")) {
            reader.push_plain(next, next + 1, MODULE, Rank::Structure);
        }
        return imported(reader, open, open + REACH);
    }
    if matches!(keyword, "import" | "use") {
        aliases(reader, next, keyword);
    }
    let word = reader.word(reader.skip_space(to));
    if keyword == "import"
        && !ends_line(reader, to)
        && let Some(from) = source(reader, next)
    {
        // The module whole, by a name for it.
        if reader.is_word(next) && !is_capital(reader, next) && !reader.is(next, "type") {
            reader.push_bound(next, PACKAGE, Rank::Structure);
        }
        imported(reader, next, from);
        return module_in_quotes(reader, reader.skip_space(from + 1));
    }
    let standard = is_standard_at(reader, next) && keyword != "package" && !relative;
    let ends = any_of!("; import as , {").has(word) || ends_line(reader, to);
    let module = to > next && ends && !is_capital(reader, to - 1);
    if module && !standard {
        let kinds = if keyword == "package" {
            PACKAGE
        } else {
            MODULE
        };
        reader.push_plain(next, to, kinds, Rank::Structure);
    } else if module && to == next + 1 {
        // `logging` of `import logging` is none of ours from now on; not `path` of `import os.path`.
        reader.note_local(next, &[]);
    }
    if keyword == "from" && word == "import" {
        let first = reader.skip_space(reader.skip_space(to) + 1);
        match standard {
            true => aliases(reader, first, keyword),
            false => imported(reader, first, next + REACH),
        }
    }
}

/// Whether what stands behind `export` is imported: `{ Lamp, dim as fade } from './lamp'`.
pub(super) fn exported(reader: &mut Reader<'_, '_>, next: usize) -> bool {
    let open = untyped(reader, next);
    let close = reader.find(open, open + REACH, any_of!("}"));
    let from = close.map(|close| reader.skip_space(close + 1));
    let Some(from) = from.filter(|from| reader.is_mark(open, b'{') && is_source(reader, *from))
    else {
        return false;
    };
    imported(reader, next, from);
    module_in_quotes(reader, reader.skip_space(from + 1));
    true
}

/// Where `from` stands before a module in quotes, in the statement that goes on at `at`.
fn source(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    let ends = |at: usize| matches!(reader.scan.kind(at), None | Some(TokenKind(b';')));
    let end = (at..at + REACH).find(|at| ends(*at) || is_source(reader, *at));
    end.filter(|at| is_source(reader, *at))
}

/// Whether `from` stands at `at`, and a module in quotes behind it.
fn is_source(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is(at, "from") && reader.says_next(at + 1, any_of!("\" '"))
}

/// What stands at `at`, or behind `type` there.
fn untyped(reader: &Reader<'_, '_>, at: usize) -> usize {
    match reader.word(at) {
        "type" => reader.skip_space(at + 1),
        _ => at,
    }
}

/// `import numpy as npx, tide.low as ebb`, `use std::io as stream;`: the names by which code uses modules, the first of
/// which is at `at`.
fn aliases(reader: &mut Reader<'_, '_>, at: usize, keyword: &str) {
    const MOST: usize = 8;
    let mut at = at;
    for nth in 0..MOST {
        let is_path = |at: usize| reader.is_name(at) || reader.says(at, any_of!(". :"));
        let end = (at..at + REACH).find(|at| !is_path(*at)).unwrap_or(at);
        let name = reader.skip_space(reader.skip_space(end) + 1);
        let ends = reader.says(name + 1, any_of!(", ;"))
            || keyword != "use" && ends_line(reader, name + 1);
        if end == at || !ends || !reader.is(reader.skip_space(end), "as") || !reader.is_word(name) {
            return;
        }
        if nth > 0 && keyword == "import" {
            reader.push_plain(at, end, MODULE, Rank::Structure);
        }
        match is_capital(reader, name) {
            true => capital(reader, name, CLASS),
            false => {
                reader.push_bound(name, MODULE, Rank::Structure);
            }
        }
        at = reader.skip_space(name + 2);
    }
}

/// What is imported by name: `C, d as e`, in brackets or to the line's end.
fn imported(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    let open = untyped(reader, at);
    let close = match reader.word(open) {
        "{" => b'}',
        "(" => b')',
        _ => b'\n',
    };
    for name in open..end {
        let word = reader.word(name);
        if reader.is_mark(name, close) || matches!(word, "" | ";" | "#") {
            return;
        }
        let listed = !any_of!("as type import from default").has(word);
        if !reader.is_word(name) || !listed {
            continue;
        }
        match is_capital(reader, name) {
            // `import type { Lamp } from`
            true if open > at => capital(reader, name, TYPE),
            true => capital(reader, name, CLASS),
            // Whether it is called is seen where it is.
            false => {
                reader.push_bound(name, FUNC, Rank::Shape);
            }
        }
    }
}

/// "'Mill' from 'dock'": what could not be imported, whose quote is at `at`, and its module.
pub(super) fn missing(reader: &mut Reader<'_, '_>, at: usize) {
    let Some((name, close)) = prose::quotation(reader, at) else {
        return;
    };
    match is_capital(reader, name) {
        true => capital(reader, name, CLASS),
        false => {
            reader.push_bound(name, FUNC, Rank::Shape);
        }
    }
    let from = reader.skip_space(close + 1);
    if reader.is(from, "from") {
        module_in_quotes(reader, reader.skip_space(from + 1));
    }
}

/// `import ( "fmt" … )`: a path on each line.
fn imports(reader: &mut Reader<'_, '_>, open: usize) {
    const MOST_TOKENS: usize = 512;
    for at in open..open + MOST_TOKENS {
        match reader.scan.kind(at) {
            None | Some(TokenKind(b')')) => return,
            Some(TokenKind(b'"')) => module_in_quotes(reader, at),
            _ => {}
        }
    }
}

/// Whether the name that begins at `at` is of a module that comes with a language; not `net.plaza.core` of Java.
pub(in crate::scrub::structure) fn is_standard_at(reader: &Reader<'_, '_>, at: usize) -> bool {
    let long = || (1..4).all(|nth| nth % 2 == 0 || reader.is_mark(at + nth, b'.'));
    is_standard(reader.word(at)) && !(reader.says(at, any_of!("io net")) && long())
}

/// Whether the first part of a module's name says that it comes with a language.
pub(in crate::scrub::structure) fn is_standard(first: &str) -> bool {
    STANDARD.binary_search(&first).is_ok()
}

pub(super) fn module_in_quotes(reader: &mut Reader<'_, '_>, at: usize) {
    if let Some((from, to)) = prose::quotation(reader, at)
        && !reader.has_scrubbed(from, to)
    {
        let name = reader.text(from, to);
        let head = shapes::cut(name, b'/').map_or(name, |(head, _)| head);
        let host = shapes::count_of(head, b'.') > 0;
        let kinds: &'static [Kind] = match shapes::path_kinds(name) {
            Some(_) if name.starts_with('.') || !host => &[Path, Module],
            _ => PACKAGE,
        };
        if !is_standard(reader.word(from)) {
            reader.push_plain(from, to, kinds, Rank::Structure);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::STANDARD;

    #[test]
    fn standard_modules_are_sorted() {
        assert!(STANDARD.is_sorted());
    }
}
