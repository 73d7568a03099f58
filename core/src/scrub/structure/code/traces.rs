//! Stack traces and diagnostics: the functions and lines that they name.

use super::{CLASS, FUNC, METHOD, closing, definitions::parameters, ends_line};
use crate::{
    profile::Kind::*,
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        structure::{REACH, Reader},
        words::any_of,
    },
};

/// The function that a trace names behind `in`, which is at `at`.
pub(super) fn stands_in(reader: &mut Reader<'_, '_>, at: usize, next: usize) -> bool {
    let Some(before) = reader.before(at) else {
        return false;
    };
    // `runner.rb:9:in `start'`
    let quoted = before + 1 == at
        && reader.is_mark(before, b':')
        && reader.says(next, any_of!("` '"))
        && reader.is_mark(next + 2, b'\'');
    // `File "…", line 88, in load_basket`, `#1  0x4011c9 in load_basket (…`
    let line = reader.is_mark(before, b',') && reader.is(before.wrapping_sub(3), "line");
    if !quoted && !line && !reader.word(before).starts_with("0x") {
        return false;
    }
    let name = next + usize::from(quoted);
    // `#0 0x4f in heat src/oven.cc:9:2`
    let framed = !line && reader.is_space(name + 1);
    let ends = quoted || framed || ends_line(reader, name + 1) || reader.is_mark(name + 2, b'(');
    if reader.is_word(name) && ends {
        reader.push(name, name + 1, FUNC, Rank::Definition);
    }
    // "in `start': undefined method `dial' for nil"
    let mark = reader.find(name + 1, name + REACH / 4, any_of!("`"));
    let mark = mark.filter(|mark| reader.says_before(*mark, any_of!("method")));
    if let Some(name) = mark.map(|mark| mark + 1).filter(|at| reader.is_word(*at)) {
        reader.push_plain(name, name + 1, METHOD, Rank::Definition);
    }
    true
}

/// `(*Oven).Heat` of a Go trace, whose point is at `at`: a method, called or not.
#[inline(never)]
pub(in crate::scrub::structure) fn received(reader: &mut Reader<'_, '_>, at: usize) -> bool {
    let typed = reader.is_mark(at.wrapping_sub(1), b')')
        && reader.is_word(at.wrapping_sub(2))
        && reader.is_mark(at.wrapping_sub(3), b'*');
    if typed && reader.is_word(at + 1) {
        reader.push_plain(at + 1, at + 2, METHOD, Rank::Structure);
    }
    typed
}

/// Looks at the number at `at`: `118 |` in the margin of a diagnostic.
#[inline(never)]
pub(in crate::scrub::structure) fn margin(reader: &mut Reader<'_, '_>, at: usize) {
    if reader.opens_line(at) && reader.says_next(at + 1, any_of!("|")) {
        reader.push_here(at, at + 1, &[Line, Num], Rank::Structure);
    }
}

/// Whether the call whose bracket is at `open` is one of a Go trace: the line below says where it stands.
pub(in crate::scrub::structure) fn is_traced(
    reader: &Reader<'_, '_>,
    at: usize,
    open: usize,
) -> bool {
    if !reader.opens_line(at) {
        return false;
    }
    let end = closing(reader, open).map_or(open, |close| close + 1);
    let below = end + 1;
    let placed =
        |at: usize| reader.is(at, "go") && reader.scan.kind(at + 2) == Some(TokenKind::NUMBER);
    let line_end = || reader.scan.line_end(below, REACH).unwrap_or(below + REACH);
    reader.is_mark(end, b'\n')
        && reader.scan.kind(below) == Some(TokenKind::SPACE)
        && (below..line_end()).any(placed)
}

/// `at async handleRequest (src/server/http.js:66:5)`, `at Dock.Moor(Ship ship) in Dock.cs:line 9`.
pub(super) fn frame(reader: &mut Reader<'_, '_>, at: usize) {
    let open = reader.find(at, at + REACH, any_of!("("));
    if let Some(open) = open.filter(|open| reader.is_word(open - 1))
        && let Some(close) = closing(reader, open)
        && reader.says_next(close + 1, any_of!("in"))
    {
        return parameters(reader, open, close);
    }

    let (at, kinds) = match reader.word(at) {
        "async" => (reader.skip_space(at + 1), FUNC),
        "new" => (reader.skip_space(at + 1), CLASS),
        _ => (at, FUNC),
    };
    let open = reader.skip_space(at + 1);
    // Not "at noon (or later)"
    let placed = || {
        let place = |at: &usize| reader.is_any(*at, b":<") || reader.says(*at, any_of!("native"));
        closing(reader, open).is_some_and(|close| (open..close).any(|at| place(&at)))
    };
    if reader.is_word(at) && open > at + 1 && reader.is_mark(open, b'(') && placed() {
        reader.push(at, at + 1, kinds, Rank::Definition);
    }
}

/// `heat@src/oven.js:9:2`, `async*heat@https://till.example/oven.js:9:2` of Firefox and Safari: where the place begins.
#[inline(never)]
pub(in crate::scrub::structure) fn thrown(
    reader: &mut Reader<'_, '_>,
    at: usize,
    end: usize,
) -> usize {
    let counted = |colon: usize| reader.is_mark(colon, b':') && reader.is_number(colon + 1);
    let name = at + 2 * usize::from(reader.is_mark(at + 1, b'*'));
    // `<anonymous>@src/oven.js:9:2`
    let unnamed = reader.is_mark(at, b'@') && reader.says(at.wrapping_sub(1), any_of!("< >"));
    let named = reader.is_word(name) && reader.is_mark(name + 1, b'@');
    if !(named || unnamed) || end < at + 8 || !counted(end - 2) || !counted(end - 4) {
        return at;
    }
    if unnamed {
        return at + 1;
    }
    reader.push_plain(name, name + 1, FUNC, Rank::Definition);
    name + 2
}
