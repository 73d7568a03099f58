//! Paths, endpoints and what stands behind them: lines, parameters, tests.

use super::{
    Marks,
    forms::{LETTER, count_of, cut, is_file, is_top_level, last_part, opens_with},
    numbers::number,
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        structure::{Reader, Reading, code},
        words::{self, FOLDERS, HTTP_METHODS, Words, any_of},
    },
};

/// A path with what says where in the file: `src/a.rs:118:23`.
#[inline(never)]
pub(super) fn path(reader: &mut Reader<'_, '_>, from: usize, to: usize, marks: Marks) -> bool {
    // `--- a/src/cart.rs`, `diff --git a/src/cart.rs b/src/cart.rs`: the sides of a difference are one file.
    let side = || {
        let first = code::first_of_line(reader, from);
        let marked = reader.says(first, any_of!("- +")) && reader.is(first + 2, reader.word(first));
        marked || reader.is(first, "diff")
    };
    let sided = reader.is_mark(from + 1, b'/') && reader.says(from, any_of!("a b"));
    // Whether it was one of them is not known any more.
    if sided && reader.is_scrubbed(code::first_of_line(reader, from)) {
        return true;
    }
    // `package:sky/moon.dart:27:5` of Dart
    let packaged = reader.is(from, "package") && reader.is_mark(from + 1, b':');
    let from = from + 2 * usize::from(to > from + 3 && (packaged || sided && side()));
    // `example.com/shop/store.Open(…)` of a Go trace
    let called = reader.is_mark(to, b'(') && marks.has(Marks::SLASH) && to > from + 3;
    if called && reader.is_mark(to - 2, b'.') && code::is_traced(reader, from, to) {
        reader.push(from, to - 2, &[Pkg, Module, Path, Url], Rank::Shape);
        reader.push_plain(to - 1, to, &[Func, Method], Rank::Definition);
        return true;
    }
    // `tests/test_oven.py::TestOven::test_heat` of pytest
    let colons = |at: &usize| marks.has(Marks::COLON) && reader.has_marks(*at, b"::");
    let inside = (from + 3..to).find(colons);
    if let Some(inside) = inside.filter(|at| reader.is(at - 1, "py")) {
        reader.push(from, inside, &[Path], Rank::Shape);
        return tests(reader, inside + 2, to);
    }
    // `</b>` closes a tag, `#/components/schemas/Crate` points into a document.
    if reader.is_mark(from, b'/') && from > 0 && reader.says(from - 1, any_of!("# <")) {
        return false;
    }
    // The numbers at the end are lines and columns.
    let mut end = before_numbers(reader, from, to);
    // `Heater.cs:line 57`
    let lined =
        end == to && end >= from + 3 && reader.is(end - 1, "line") && reader.is_mark(end - 2, b':');
    if lined {
        end -= 2;
    }
    let text = reader.text(from, end);
    let parted = marks.has(Marks::SLASH.or(Marks::BACKSLASH));
    // `res.json(…` is a call; `merge.ts(48,17)` is a place.
    let open = reader.is_mark(to, b'(');
    let place = open && reader.is_number(to + 1) && reader.says(to + 2, any_of!(", )"));
    if open && !place && !parted {
        return false;
    }
    let kinds: Option<&'static [Kind]> = match parted {
        // `load/rain.R:12`: what has lines is a file, whatever its ending.
        true if end < to
            && !lined
            && reader.is_mark(end.wrapping_sub(2), b'.')
            && count_of(text, b':') == 0 =>
        {
            path_kinds(text).or(Some(&[Path]))
        }
        true => path_kinds(text),
        // `.env.production` of no known ending
        false => {
            // `this.h` is a member.
            let file = is_file(text) && !reader.says(from, any_of!("cls self this"));
            (file || text.starts_with(".env.")).then_some(&[Path])
        }
    };
    let Some(kinds) = kinds else {
        return false;
    };
    let method = reader
        .before(from)
        .filter(|before| HTTP_METHODS.contains(&reader.word(*before)));
    let (start, kinds): (usize, &'static [Kind]) = match method {
        Some(method) if text.starts_with('/') => (method, &[Endpoint, Path]),
        _ => (from, kinds),
    };
    reader.push(from, end, kinds, Rank::Shape);
    // `/carts/{cartId}` in a claim names the parameter, too.
    if reader.reading == Reading::Claim {
        for at in from..end {
            let braced = reader.is_mark(at, b'{') && reader.is_mark(at + 2, b'}');
            if braced && reader.is_word(at + 1) && !reader.look(at + 1).is_ordinary() {
                reader.push(at + 1, at + 2, &[Param, Var, Id], Rank::Shape);
            }
        }
    }
    if start != from {
        // Nothing but an endpoint takes its method along.
        reader.push(start, end, &[Endpoint], Rank::Shape);
        if let Some(find) = reader.finds.last_mut() {
            find.only_in_profile = true;
        }
    }
    if lined {
        return true;
    }
    // `grid/solve.py:55(solve)` of Python's profiles
    if open && end < to && reader.is_word(to + 1) && reader.is_mark(to + 2, b')') {
        reader.push_plain(to + 1, to + 2, &[Func, Method], Rank::Definition);
    }
    if place && end == to {
        reader.push_here(to + 1, to + 2, &[Line, Num], Rank::Structure);
    }
    if end == to && reader.is_mark(end, b'?') && kinds[0] == Endpoint {
        query(reader, end + 1);
    }
    let mut at = end + 1;
    if at < to {
        reader.push(at, at + 1, &[Line, Num], Rank::Structure);
        at += 2;
    }
    while at < to {
        number(reader, at);
        at += 2;
    }
    true
}

/// Where what stands from `from` up to `to` ends without the numbers behind its colons: `cart.rs:118:23`.
pub(super) fn before_numbers(reader: &Reader<'_, '_>, from: usize, to: usize) -> usize {
    let mut end = to;
    while end >= from + 3 && reader.is_number(end - 1) && reader.is_mark(end - 2, b':') {
        end -= 2;
    }
    end
}

/// `App\Models\Coupon` of PHP: a class and its namespace, behind `namespace` no class.
pub(super) fn namespaced(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    let first = from + usize::from(reader.is_mark(from, b'\\'));
    let part = |at: usize| match (at - first) % 2 {
        0 => code::is_capital(reader, at),
        _ => reader.is_mark(at, b'\\'),
    };
    if to < first + 3 || (to - first).is_multiple_of(2) || !(first..to).all(part) {
        return false;
    }
    let before = reader.before(from).map_or("", |before| reader.word(before));
    let whole = any_of!("namespace Namespace").has(before);
    // Not "Either\Or", nor a folder of Windows.
    let told = || any_of!("class extends implements instanceof new use").has(before);
    if first == from && !whole && !told() {
        return false;
    }
    let end = if whole { to } else { to - 2 };
    reader.push(first, end, &[Module, Pkg, Id], Rank::Shape);
    if !whole {
        reader.push_plain(to - 1, to, &[Class, Type], Rank::Shape);
    }
    true
}

/// `TestOven::test_heat`: a class and its method, or a function.
fn tests(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    let mut in_class = false;
    for at in (from..to).step_by(3) {
        if !reader.is_word(at) {
            break;
        }
        let class = code::is_capital(reader, at);
        let kinds: &'static [Kind] = match (class, in_class) {
            (true, _) => &[Class, Type],
            (false, true) => &[Method, Func],
            (false, false) => &[Func, Method],
        };
        in_class |= class;
        reader.push_name_at(at, at + 1, kinds, Rank::Structure);
    }
    true
}

/// `limit=50&cursor=abc` behind an endpoint.
pub(super) fn query(reader: &mut Reader<'_, '_>, at: usize) {
    const MOST_PARAMETERS: usize = 24;
    let mut at = at;
    for _ in 0..MOST_PARAMETERS {
        if !reader.is_word(at) || !reader.is_mark(at + 1, b'=') {
            return;
        }
        reader.push_name_at(at, at + 1, &[Param], Rank::Structure);
        let mut end = at + 2;
        while matches!(
            reader.scan.kind(end),
            Some(TokenKind::WORD | TokenKind::NUMBER | TokenKind(b'-' | b'.' | b'%' | b':' | b','))
        ) {
            end += 1;
        }
        reader.push_here(at + 2, end, &[Value], Rank::Structure);
        if !reader.is_mark(end, b'&') {
            return;
        }
        at = end + 1;
    }
}

/// First folders of absolute paths that are no endpoints.
const ROOTS: &Words = any_of!("bin boot dev etc home lib mnt opt proc root srv sys usr var");

pub(in crate::scrub::structure) fn path_kinds(text: &str) -> Option<&'static [Kind]> {
    let slashed = count_of(text, b'/') > 0;
    let mark = if slashed { b'/' } else { b'\\' };
    let (head, rest) = cut(text, mark).unwrap_or((text, ""));
    if rest.is_empty() {
        return is_file(text).then_some(&[Path]);
    }
    let end = text.bytes().rposition(|byte| byte != mark);
    let end = end.map_or(0, |end| end + 1);
    let last = last_part(&text[..end], mark);
    let first = match head {
        "" => cut(rest, mark).map_or(rest, |(first, _)| first),
        head => head,
    };
    let drive = head.len() == 2 && head.ends_with(':') && opens_with(head, LETTER);
    let parameter = || text.as_bytes().windows(2).any(|pair| pair == b"/:");
    if count_of(text, b':') > 0 && !drive && !parameter() {
        return None;
    }
    if matches!(head, "." | ".." | "~") || drive {
        return Some(&[Path]);
    }
    let worded = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let folder = words::is_in(FOLDERS, first);
    if head.is_empty() && slashed && worded {
        return Some(match ROOTS.has(first) || is_file(last) {
            true => &[Path],
            false if folder => &[Path, Endpoint],
            false => &[Endpoint, Path],
        });
    }
    // `github.com/acme/queue`
    if slashed && count_of(head, b'.') > 0 && is_top_level(last_part(head, b'.')) {
        return Some(&[Url, Pkg, Module]);
    }
    let shaped = || count_of(text, b'_') + count_of(text, b'-') > 0 && count_of(rest, mark) > 0;
    let named = is_file(last) || folder || end < text.len() || shaped();
    (worded && named).then_some(&[Path])
}

/// The stem of a path's file: `basket` of `src/cart/basket.py`.
pub(in crate::scrub) fn stem(path: &str) -> Option<&str> {
    let name = last_part(last_part(path, b'/'), b'\\');
    let stem = name.rsplit_once('.').map(|(stem, _)| stem)?;
    is_file(name).then_some(stem)
}

/// What a claim's run with points and hyphens is: a host's name by its end.
pub(in crate::scrub::structure) fn host_kinds(text: &str) -> &'static [Kind] {
    let last = last_part(text, b'.');
    match is_top_level(last) {
        true => &[Url, Id],
        // `queue.max-length`
        false if last.len() < text.len() => &[Config, Id],
        false => &[Id],
    }
}
