//! What code binds: variables, members, what a loop or a closure is given.

use super::{
    CLASS, FUNC, MEMBER, VAR, behind_generics, closing,
    definitions::{is_type, parameters},
    ends_line, first_of_line,
    imports::is_standard,
    is_capital,
    uses::capital,
};
use crate::{
    profile::Kind::*,
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        structure::{REACH, Reader, config},
        words::{NOT_NAMES, Words, any_of},
    },
};

/// Words before a member's type.
const MODIFIERS: &Words = any_of!("const final private protected public readonly static volatile");

/// `const reduced =`, `let mut head:`, `const { a, b } =`.
pub(super) fn variable(reader: &mut Reader<'_, '_>, at: usize) {
    let at = match reader.word(at) {
        "mut" => reader.skip_space(at + 1),
        _ => at,
    };
    if reader.says(at, any_of!("{ [ (")) {
        let close = (at + 1..).find(|at| !is_of_pattern(reader, *at));
        let Some(close) = close.filter(|close| {
            let sign = reader.skip_space(close + 1);
            reader.says(*close, any_of!("} ] )"))
                && (reader.is_mark(sign, b'=') || reader.is_mark(sign, b':'))
        }) else {
            return;
        };
        let value = reader.skip_space(reader.skip_space(close + 1) + 1);
        for name in at..close {
            match is_capital(reader, name) {
                true if reader.is(value, "require") => capital(reader, name, CLASS),
                false if reader.is_word(name) => bind(reader, name),
                _ => {}
            }
        }
        return;
    }
    // `let Some(lid) =`
    let inner = at + 2;
    let wrapped = is_capital(reader, at)
        && reader.is_mark(at + 1, b'(')
        && reader.is_word(inner)
        && reader.is_mark(inner + 1, b')');
    let at = if wrapped { inner } else { at };
    let mut sign = reader.skip_space(at + 1 + usize::from(wrapped));
    if !reader.is_word(at) {
        return;
    }
    // `var upper, lower int` of Go
    if reader.is_mark(sign, b',') && reader.is(at.wrapping_sub(2), "var") {
        let mut last = at;
        while reader.is_mark(sign, b',') && reader.is_word(reader.skip_space(sign + 1)) {
            last = reader.skip_space(sign + 1);
            sign = reader.skip_space(last + 1);
        }
        let kind = element(reader, sign);
        if is_type(reader, sign) && ends_line(reader, kind + 1) || reader.is_mark(sign, b'=') {
            for name in at..=last {
                if reader.is_word(name) {
                    bind(reader, name);
                }
            }
        }
        return;
    }
    let value = reader.skip_space(sign + 1);
    match reader.word(sign) {
        // `const std::string& key`
        ":" if reader.is_mark(sign + 1, b':') => {}
        "=" | ":" if arrow(reader, at, sign) => {}
        // `const fs = require('fs')`
        "=" if reader.is(value, "require") && is_standard(reader.word(value + 3)) => {
            reader.note_local(at, &[]);
        }
        "=" | ":" | ";" => {
            bind(reader, at);
            closure(reader, value);
        }
        // `for (const pot of pots)`
        "in" | "of" if at > 2 && reader.is_mark(at - 3, b'(') => {
            bind(reader, at);
            walked(reader, sign);
        }
        // `var total int`, `var lines []Line`, not "let alone Norway"
        _ => {
            let kind = element(reader, sign);
            let own = is_capital(reader, kind) && reader.is(at.wrapping_sub(2), "var");
            let ends = || ends_line(reader, kind + 1) || reader.says_next(kind + 1, any_of!("="));
            if is_type(reader, sign) || own && ends() {
                capital(reader, kind, CLASS);
                bind(reader, at);
            }
        }
    }
}

/// `for jug in jugs:`, `for i, jug := range jugs {`, `for row := 0; …`, `for (Jug jug : jugs) {` where a line begins.
pub(super) fn each(reader: &mut Reader<'_, '_>, at: usize) {
    let mut name = reader.skip_space(at + 1);
    let mut sign = reader.skip_space(name + 1);
    let kind = name + 1;
    if reader.is_mark(name, b'(') && (is_capital(reader, kind) || is_type(reader, kind)) {
        name = reader.skip_space(behind_generics(reader, kind + 1));
        sign = reader.skip_space(name + 1);
        if reader.is_mark(sign, b':') && walked(reader, sign) {
            capital(reader, kind, CLASS);
            bind(reader, name);
        // `for (int row = 0; …`
        } else if reader.is_word(name) && reader.is_mark(sign, b'=') {
            bind(reader, name);
        }
        return;
    }
    // `for (row in rows) {` of Kotlin
    if reader.is_mark(name, b'(') {
        name += 1;
        sign = reader.skip_space(name + 1);
    }
    let first = name;
    if reader.is_mark(name + 1, b',') {
        name = reader.skip_space(name + 2);
        sign = reader.skip_space(name + 1);
        // `for (at, jug) in jugs {`
        if reader.is_mark(first - 1, b'(') && reader.is_mark(sign, b')') {
            sign = reader.skip_space(sign + 1);
        }
    }
    let mut short = reader.has_marks(sign, b":=");
    if short {
        sign = reader.skip_space(sign + 2);
        short = reader.find(sign, sign + REACH, any_of!(";")).is_some();
    }
    let walks = matches!(reader.word(sign), "in" | "range")
        && (walked(reader, sign) || is_shell_loop(reader, sign));
    if walks || short {
        for name in [first, name] {
            if reader.word(name).len() > 1 {
                bind(reader, name);
            }
        }
    }
}

/// `for row in *.csv; do`: whether a loop of a shell has this `in`.
fn is_shell_loop(reader: &Reader<'_, '_>, at: usize) -> bool {
    let end = (at..at + REACH).find(|at| reader.ends_statement(*at));
    let word = end.map_or(at, |end| reader.skip_space(end + 1));
    reader.is(word, "do") && ends_line(reader, word + 1)
}

/// What a loop walks, behind its word: whether the loop's body follows it, or a part of it is what is walked.
fn walked(reader: &mut Reader<'_, '_>, word: usize) -> bool {
    let name = reader.skip_space(word + 1);
    let behind = reader.skip_space(name + 1);
    let opens = match reader.word(behind) {
        "{" | ")" => true,
        // A line of prose may end with a colon, too.
        ":" => {
            !reader.is_mark(behind + 1, b'\n')
                || reader.scan.kind(behind + 2) == Some(TokenKind::SPACE)
        }
        _ => false,
    };
    if opens && reader.is_word(name) && reader.word(name).len() > 1 {
        bind(reader, name);
    }
    opens
        || reader.is_word(name) && reader.says(name + 1, any_of!("( ."))
        || reader.is_number(name)
            && reader.has_marks(name + 1, b"..")
            && reader.find(name, name + REACH / 4, any_of!("{")).is_some()
}

/// Whether names to be bound may have this among them: `{ a, b: c = 3, ...rest }`. However long a name is, it
/// ends no list.
fn is_of_pattern(reader: &Reader<'_, '_>, at: usize) -> bool {
    matches!(
        reader.scan.kind(at),
        Some(
            TokenKind::WORD
                | TokenKind::NUMBER
                | TokenKind::IDEOGRAPHS
                | TokenKind::SPACE
                | TokenKind::NEWLINE
                | TokenKind::PLACEHOLDER
                | TokenKind(b',' | b':' | b'.' | b'=' | b'"' | b'\'')
        )
    )
}

/// `const findDepot = (all) => …`: the name of a function, behind which stands the sign.
fn arrow(reader: &mut Reader<'_, '_>, at: usize, sign: usize) -> bool {
    let mut open = reader.skip_space(sign + 1);
    if reader.is(open, "async") {
        open = reader.skip_space(open + 1);
    }
    let named = reader.is(open, "function");
    open = behind_generics(reader, open);
    let close = closing(reader, open);
    let points = |at: usize| reader.has_marks(at, b"=>");
    let arrow = has_arrow(reader, close.unwrap_or(open));
    let whole = close.is_some() || points(reader.skip_space(open + 1));
    if !(named || arrow && whole) {
        return false;
    }
    reader.push_plain(at, at + 1, FUNC, Rank::Definition);
    closure(reader, open);
    true
}

/// Whether an arrow stands behind `from` in the same statement: `(rows: Row[]): Promise<Row> =>`.
#[inline(never)]
fn has_arrow(reader: &Reader<'_, '_>, from: usize) -> bool {
    let points = |at: usize| reader.has_marks(at, b"=>");
    let ends = |at: usize| reader.ends_statement(at) || reader.says(at, any_of!("\" '"));
    let end = (from..from + 24).find(|at| points(*at) || ends(*at));
    end.is_some_and(points)
}

/// `found = …`, `found := …`, `a, b = …` where a line begins, as it does at `at`.
pub(in crate::scrub::structure) fn assignment(reader: &mut Reader<'_, '_>, at: usize) {
    const MOST_NAMES: usize = 8;
    let mut names = [at; MOST_NAMES];
    let mut count = 1;
    let mut end = at + 1;
    while count < MOST_NAMES && reader.is_mark(end, b',') {
        let mut next = reader.skip_space(end + 1);
        if reader.is_mark(next, b'*') {
            next += 1;
        }
        if !reader.is_word(next) {
            return;
        }
        names[count] = next;
        count += 1;
        end = next + 1;
    }
    let mut sign = reader.skip_space(end);
    // `foam <- swirl(pot)` of R, not "client <- server"
    if reader.has_marks(sign, b"<-") {
        let value = reader.skip_space(sign + 2);
        let called = reader.is_mark(value + 1, b'(');
        if called || reader.scan.kind(value) == Some(TokenKind::NUMBER) {
            bind(reader, at);
        }
        return;
    }
    if !(reader.is_mark(sign, b'=') || reader.is_mark(sign, b':')) {
        return;
    }
    // `syntax = "proto3";` is a statement.
    let value = reader.skip_space(sign + 1);
    if reader.is(at, "syntax") && reader.says(value + 1, any_of!("proto2 proto3")) {
        return;
    }
    if reader.is_mark(sign, b':') && sign > end {
        sign += 1;
    }
    let assigns = reader.is_mark(sign, b'=')
        && sign > end
        && reader.scan.kind(sign + 1) == Some(TokenKind::SPACE);
    if !assigns {
        return;
    }
    // A column of an object-relational model.
    const MODELS: &Words = any_of!("Column db fields mapped_column models relationship");
    if reader.scan.kind(at.wrapping_sub(1)) == Some(TokenKind::SPACE)
        && reader.says(sign + 2, MODELS)
    {
        reader.push_plain(at, at + 1, &[Col, Field, Var], Rank::Definition);
    }
    for name in &names[..count] {
        bind(reader, *name);
    }
}

/// `local level = 3` of Lua, `my $level = …`, `my ($level, %rooms) = @_;` of Perl.
pub(super) fn scoped(reader: &mut Reader<'_, '_>, at: usize) {
    let next = reader.skip_space(at + 1);
    match reader.word(at) {
        "local" => assignment(reader, next),
        "my" | "our" if reader.says(next, any_of!("$ % @")) => bind_marked(reader, next),
        "my" | "our" => {
            for mark in next..closing(reader, next).unwrap_or(next) {
                bind_marked(reader, mark);
            }
        }
        _ => {}
    }
}

/// The variable of Perl whose mark is at `at`, if there is one.
pub(super) fn bind_marked(reader: &mut Reader<'_, '_>, at: usize) {
    if reader.says(at, any_of!("$ % @")) && reader.is_word(at + 1) {
        bind(reader, at + 1);
    }
}

/// `total=$(…)`, `name="$1"`, `local depth=1` of a shell, and `total=0` where `$total` is near.
pub(super) fn shell(reader: &mut Reader<'_, '_>, at: usize) {
    let mut name = at;
    let declares = reader.says(at, any_of!("declare export local readonly typeset"));
    if declares {
        name = reader.skip_space(at + 1);
        // `declare -r depth=1`
        if reader.is_mark(name, b'-') {
            name = reader.skip_space(name + 2);
        }
    }
    let value = name + 2 + usize::from(reader.is_mark(name + 2, b'"'));
    let used = |next: usize| {
        let open = next - usize::from(reader.is_mark(next - 1, b'{'));
        reader.is(next, reader.word(name)) && reader.is_mark(open - 1, b'$')
    };
    if reader.is_word(name)
        && reader.is_mark(name + 1, b'=')
        && (declares || reader.says(value, any_of!("$ `")) || (value..name + REACH).any(used))
    {
        bind(reader, name);
    }
}

/// What a function without a name takes, where it may begin at `at`: `|row|`, `row => row.id`, `(row, no) -> …`.
#[inline(never)]
pub(in crate::scrub::structure) fn closure(reader: &mut Reader<'_, '_>, at: usize) {
    const FAR: usize = 24;
    const MOST_NAMES: usize = 4;
    let points = |reader: &Reader<'_, '_>, at: usize| {
        reader.says(at, any_of!("- =")) && reader.is_mark(at + 1, b'>')
    };
    let mut at = at;
    while matches!(reader.word(at), "async" | "move") {
        at = reader.skip_space(at + 1);
    }
    // `fold(0, |sum, row| …)`
    let second = reader.skip_space(at + 2);
    if reader.is_mark(at + 1, b',') && reader.says(second, any_of!("| (")) {
        at = second;
    }
    match reader.scan.kind(at) {
        Some(TokenKind(b'|')) => {
            let ends = |at: &usize| {
                let kind = reader.scan.kind(*at);
                matches!(kind, None | Some(TokenKind::NEWLINE | TokenKind(b'|')))
            };
            let close = (at + 1..at + FAR).find(ends);
            if let Some(close) = close.filter(|close| reader.is_mark(*close, b'|')) {
                parameters(reader, at, close);
            }
        }
        Some(TokenKind(b'(')) => {
            // `(row): Row => …`
            if let Some(close) = closing(reader, at)
                && (points(reader, reader.skip_space(close + 1))
                    || reader.is_mark(close + 1, b':') && has_arrow(reader, close))
            {
                parameters(reader, at, close);
            }
        }
        Some(TokenKind::WORD) => {
            let mut last = at;
            for _ in 0..MOST_NAMES {
                if reader.is_mark(last + 1, b',') {
                    last = reader.skip_space(last + 2);
                }
            }
            let arrow = reader.skip_space(last + 1);
            if !points(reader, arrow) {
                return;
            }
            for name in at..=last {
                // "(left -> right)" is prose: a function uses what it takes.
                let uses = |next: usize| reader.is(next, reader.word(name));
                if reader.is_word(name)
                    && !is_capital(reader, name)
                    && reader.word(name).len() > 1
                    && (arrow + 2..arrow + REACH).any(uses)
                {
                    bind(reader, name);
                }
            }
        }
        _ => {}
    }
}

/// `key=lambda row: row.id` of Python: what stands between the word at `at` and the colon.
pub(super) fn lambda(reader: &mut Reader<'_, '_>, at: usize, next: usize) {
    let passed = reader.says_before(at, any_of!("( , = : [ { return"));
    let is_list = |at: usize| {
        let kind = reader.scan.kind(at);
        matches!(
            kind,
            Some(
                TokenKind::WORD
                    | TokenKind::NUMBER
                    | TokenKind::SPACE
                    | TokenKind(b',' | b'*' | b'=')
            )
        )
    };
    let close = (next..next + REACH / 2).find(|at| !is_list(*at));
    if let Some(colon) = close.filter(|close| passed && reader.is_mark(*close, b':')) {
        parameters(reader, next - 1, colon);
    }
}

/// A variable. A plain word is one where it is bound, and where code uses it from then on.
pub(super) fn bind(reader: &mut Reader<'_, '_>, at: usize) {
    match reader.look(at).is_plain() {
        true => {
            reader.push_here(at, at + 1, VAR, Rank::Structure);
            reader.note_local(at, VAR);
        }
        false => reader.push(at, at + 1, VAR, Rank::Structure),
    }
}

/// `card: RateCard,`, `name: str = …`, `email: String!`, where a line begins: a member with a type.
pub(super) fn member(reader: &mut Reader<'_, '_>, at: usize) {
    let mut colon = at + 1;
    if matches!(reader.word(colon), "?" | "!") {
        colon += 1;
    }
    let mut first = reader.skip_space(colon + 1);
    if !reader.is_mark(colon, b':') || first == colon + 1 {
        return;
    }
    while matches!(reader.word(first), "&" | "*" | "[") {
        first += 1;
    }
    // `owner: Mapped[str]` of SQLAlchemy
    if reader.is(first, "Mapped") && reader.is_mark(first + 1, b'[') {
        return reader.push_plain(at, at + 1, &[Col, Field, Var], Rank::Definition);
    }
    let typed = is_type(reader, first);
    if !(typed || is_capital(reader, first)) {
        return;
    }
    let Some(end) = reader.scan.line_end(first, REACH) else {
        return;
    };
    let closed = reader.says(end - 1, any_of!(", ; !"));
    let valued = reader.says_next(first + 1, any_of!("="));
    let indented = reader.scan.kind(at.wrapping_sub(1)) == Some(TokenKind::SPACE);
    let bare = typed && indented && (valued || end == first + 1);
    let reserved = || config::is_reserved_at(reader, at) || reader.is(at, "data_type");
    if closed || bare && !reserved() {
        reader.push_bound(at, MEMBER, Rank::Structure);
    }
}

/// `lines []Line`, `closed bool` in the body of a struct of Go, where a line begins.
pub(super) fn field(reader: &mut Reader<'_, '_>, at: usize) {
    if !reader.bodies.is_in_brackets() {
        return;
    }
    let first = reader.skip_space(at + 1);
    let open = reader.bodies.open.unwrap_or(at);
    if first == at + 1 || !reader.says_before(open, any_of!("struct")) {
        return;
    }
    let kind = element(reader, first);
    let end = kind + 1 + 2 * usize::from(reader.is_mark(kind + 1, b'.'));
    let tagged = reader.says_next(end, any_of!("`"));
    let typed = kind > first || is_type(reader, kind) || is_capital(reader, end - 1);
    if reader.is_word(kind) && typed && (tagged || ends_line(reader, end)) {
        reader.widely(true, |reader| {
            capital(reader, kind, CLASS);
            reader.push_bound(at, MEMBER, Rank::Structure);
        });
    }
}

/// The type in `[]*Line`, `map[string]Line`, which begins at `at`.
#[inline(never)]
fn element(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut kind = at;
    while kind < at + REACH / 4
        && (reader.says(kind, any_of!("[ ] * map")) || reader.is_mark(kind + 1, b']'))
    {
        kind += 1;
    }
    kind
}

/// `degrees: u16` between brackets.
pub(super) fn inner(reader: &mut Reader<'_, '_>, at: usize) {
    let kind = reader.skip_space(at + 2);
    // `interface Berth { owner: Skipper; }`
    let own =
        reader.bodies.is_in_brackets() && is_capital(reader, kind) && !reader.says(at, MODIFIERS);
    let typed = reader.is_mark(at + 1, b':') && kind > at + 2 && (own || is_type(reader, kind));
    let ends = reader.says_next(kind + 1, any_of!(", ) } ;"));
    // "// TODO: Remove it"
    let noted = || reader.says(first_of_line(reader, at), any_of!("/ * #"));
    let goes_on = || reader.says_next(kind + 1, any_of!("| [ <"));
    let ends = ends || own && (ends_line(reader, kind + 1) || goes_on()) && !noted();
    if typed && ends && !config::is_reserved_at(reader, at) {
        reader.widely(own, |reader| {
            capital(reader, kind, CLASS);
            reader.push_bound(at, MEMBER, Rank::Structure);
        });
    }
}

/// `options?: …` anywhere.
pub(super) fn optional(reader: &mut Reader<'_, '_>, at: usize) {
    // Not `stamp.ts?:14:9` of a trace
    let marked = reader.has_marks(at + 1, b"?:") && !reader.is_number(at + 3);
    if marked {
        reader.push_plain(at, at + 1, &[Param, Var, Field, Col], Rank::Structure);
    }
}

/// `Ship ship = …;`, `int rowNo;` where a line begins.
pub(super) fn local(reader: &mut Reader<'_, '_>, at: usize) {
    // `std::vector<int> bolts_;`
    let first = at;
    let mut at = at;
    while at < first + REACH && reader.has_marks(at + 1, b"::") && reader.is_word(at + 3) {
        at += 3;
    }
    let mut name = reader.skip_space(behind_generics(reader, at + 1));
    // `repeated Berth berths = 2;` of Protocol Buffers
    let labelled = reader.says(at, any_of!("optional repeated"));
    // `unsigned int total = …`, `char *buf = …`, `char line[80];` of C
    while reader.is_mark(name, b'*')
        || (is_type(reader, name) || labelled && is_capital(reader, name))
            && reader.is_word(reader.skip_space(name + 1))
    {
        name = reader.skip_space(name + 1);
    }
    let sign = reader.skip_space(name + 1);
    let assigns = reader.is_word(name) && reader.says(sign, any_of!("= ; ["));
    if !assigns {
        return;
    }
    let capital = is_capital(reader, at) && !reader.is_in(at, NOT_NAMES);
    if !capital
        && !labelled
        && at == first
        && !is_type(reader, at)
        && !reader.says(at, any_of!("map unsigned"))
    {
        return;
    }
    let Some(end) = reader.scan.line_end(sign, 2 * REACH) else {
        return;
    };
    if name > at + 1 && reader.says(end - 1, any_of!("; {")) {
        declaration(reader, at);
    }
}

/// The types and the name of `private final Map<String, Ship> shipsByCode = …`; of a method's
/// head only the types.
pub(super) fn declaration(reader: &mut Reader<'_, '_>, at: usize) {
    let mut name = None;
    let mut end = at;
    while end < at + REACH {
        match reader.scan.kind(end) {
            Some(TokenKind::WORD) => name = Some(end),
            Some(TokenKind::SPACE | TokenKind(b'<' | b'>' | b',' | b'.' | b'[' | b']' | b'?')) => {}
            Some(TokenKind::NUMBER) if reader.is_mark(end - 1, b'[') => {}
            // Of a pointer, not of what stands out in prose.
            Some(TokenKind(b'*'))
                if reader.says_next(end + 1, any_of!("*"))
                    || reader.is_word(reader.skip_space(end + 1)) => {}
            _ => break,
        }
        end += 1;
    }
    let Some(name) = name.filter(|name| *name > at) else {
        return;
    };
    for part in at..name {
        capital(reader, part, CLASS);
    }
    let member = reader.says(end, any_of!("= ; :"));
    let listed = reader.says(name, any_of!("class interface enum record"));
    if member && !listed && !reader.says(name, MODIFIERS) {
        reader.push_bound(name, MEMBER, Rank::Structure);
        closure(reader, reader.skip_space(end + 1));
    }
}
