//! Code of several languages, and the traces that it leaves: what is defined, called, imported.

use super::{REACH, Reader, prose, shapes};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::Look,
        scanner::TokenKind,
        words::{self, CODE, COMMON, LANGUAGE, List, NOT_CALLED, NOT_NAMES, TYPE_WORDS},
    },
};

/// Words too common to be names wherever they occur.
const ORDINARY: List = COMMON.or(NOT_NAMES).or(LANGUAGE);

const CLASS: &[Kind] = &[Class, Type];
const FUNC: &[Kind] = &[Func, Method];
const METHOD: &[Kind] = &[Method, Func];
const MODULE: &[Kind] = &[Module, Pkg, Id];
const TYPE: &[Kind] = &[Type, Class];
const VAR: &[Kind] = &[Var];

/// The words that [`word`] looks for.
#[rustfmt::skip]
pub(in crate::scrub) static CODE_WORDS: &[&str] = &[
    "__tablename__", "at", "class", "const", "db_table", "def", "enum", "except", "extends", "fn", "from", "fun",
    "func", "function", "impl", "implements", "import", "in", "instanceof", "interface", "let", "map", "mod", "model",
    "namespace", "new", "package", "raise", "record", "require", "struct", "throws", "trait", "type", "use", "using",
    "val", "var",
];

/// Looks at the word at `at`, which may open its line.
pub(super) fn word(reader: &mut Reader<'_, '_>, at: usize, opens_line: bool) {
    if !reader.is_in(at, CODE) || !keyword(reader, at, opens_line) {
        call(reader, at);
        if opens_line {
            assignment(reader, at);
        }
        type_place(reader, at);
    }
}

/// Whether the word is one of [`CODE_WORDS`] in its own role.
fn keyword(reader: &mut Reader<'_, '_>, at: usize, opens_line: bool) -> bool {
    let next = reader.skip_space(at + 1);
    match reader.word(at) {
        "model" => model(reader, next),
        "__tablename__" | "db_table" => table_name(reader, at),
        "map" if reader.is_mark(at + 1, b'(') && at > 0 && reader.is_mark(at - 1, b'@') => {
            let table = at > 1 && reader.is_mark(at - 2, b'@');
            mapped(reader, at + 2, if table { &[Table] } else { &[Col, Field] });
        }
        "class" | "struct" | "interface" | "trait" | "enum" | "record" => {
            declare(reader, next, CLASS)
        }
        "type" | "impl" => declare(reader, next, TYPE),
        "extends" | "implements" | "new" | "throws" | "raise" | "except" | "instanceof" => {
            capital(reader, next, CLASS);
        }
        "fn" | "def" | "func" | "function" | "fun" => function(reader, next),
        "const" | "let" | "var" | "val" => variable(reader, next),
        "import" | "use" | "from" | "package" | "mod" | "namespace" | "using" if opens_line => {
            import(reader, at, next);
        }
        "require" if reader.is_mark(at + 1, b'(') => module_in_quotes(reader, at + 2),
        "at" if opens_line => frame(reader, next),
        "in" if reader
            .before(at)
            .is_some_and(|before| reader.is_mark(before, b',')) =>
        {
            // `File "…", line 88, in load_basket`
            let ends = matches!(reader.scan.kind(next + 1), None | Some(TokenKind::Newline));
            if reader.is_word(next) && ends {
                reader.push(next, next + 1, FUNC, Rank::Definition);
            }
        }
        _ => return false,
    }
    true
}

/// Looks at the number at `at`: `118 |` in the margin of a diagnostic.
pub(super) fn margin(reader: &mut Reader<'_, '_>, at: usize) {
    if reader.opens_line(at) && reader.is_mark(reader.skip_space(at + 1), b'|') {
        reader.push_here(at, at + 1, &[Line, Num], Rank::Structure);
    }
}

/// `class Row`, and `class row` where code goes on behind it.
fn declare(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    let qualified = reader.is_mark(at + 1, b'.') || reader.is_mark(at + 2, b':');
    if !reader.is_word(at) || qualified || reader.is_rest_of_name(at, at + 1) {
        return;
    }
    let word = reader.word(at);
    let code = matches!(
        reader.word(reader.skip_space(at + 1)),
        "{" | "(" | ":" | "<" | "=" | "extends" | "implements"
    );
    let opens = word.starts_with(char::is_uppercase) && !words::is_all_capitals(word);
    if opens && (code || !reader.is_in(at, NOT_NAMES)) || code && !reader.is_in(at, LANGUAGE) {
        reader.push(at, at + 1, kinds, Rank::Definition);
    }
    // `class Prescription(Base):`
    if reader.is_mark(at + 1, b'(') && reader.is_mark(at + 3, b')') {
        capital(reader, at + 2, kinds);
    }
}

/// `model Appointment { slotCode String … }`: a table and its columns.
fn model(reader: &mut Reader<'_, '_>, at: usize) {
    const MOST_LINES: usize = 64;
    let open = reader.skip_space(at + 1);
    if !reader.is_word(at) || !reader.is_mark(open, b'{') || reader.is_rest_of_name(at, at + 1) {
        return;
    }
    reader.push(at, at + 1, &[Table, Class, Type], Rank::Definition);
    let mut line = open + 1;
    for _ in 0..MOST_LINES {
        let Some(end) =
            (line..line + REACH).find(|at| reader.scan.kind(*at) == Some(TokenKind::Newline))
        else {
            return;
        };
        let name = reader.skip_space(end + 1);
        let kind = reader.skip_space(name + 1);
        // Another model begins: this one is not closed.
        if reader.is_mark(name, b'}') || reader.word(name) == "model" {
            return;
        }
        if reader.is_word(name) && reader.is_word(kind) && !reader.is_rest_of_name(name, name + 1) {
            match reader.is_in(name, ORDINARY) {
                true => reader.push_here(name, name + 1, &[Col, Field, Var], Rank::Definition),
                false => reader.push(name, name + 1, &[Col, Field, Var], Rank::Definition),
            }
            reader.push_type(kind);
        }
        line = end + 1;
    }
}

/// `__tablename__ = "prescriptions"`
fn table_name(reader: &mut Reader<'_, '_>, at: usize) {
    let sign = reader.skip_space(at + 1);
    if reader.is_mark(sign, b'=') {
        mapped(reader, reader.skip_space(sign + 1), &[Table]);
    }
}

/// The name in quotes that a model is stored under.
fn mapped(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    if let Some((from, to)) = prose::quotation(reader, at)
        && !reader.is_rest_of_name(from, to)
        && reader.scan.kind(from) != Some(TokenKind::Placeholder)
    {
        reader.push(from, to, kinds, Rank::Definition);
    }
}

fn capital(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    let fits = is_capital(reader, at)
        && !reader.is_in(at, NOT_NAMES.or(TYPE_WORDS))
        && !reader.is_built_in(at);
    if reader.is_word(at)
        && fits
        && !reader.is_rest_of_name(at, at + 1)
        && !reader.is_mark(at + 1, b'.')
    {
        reader.push(at, at + 1, kinds, Rank::Structure);
    }
}

/// The name behind `def`, and its parameters.
fn function(reader: &mut Reader<'_, '_>, at: usize) {
    let mut at = at;
    let mut method = false;
    // The receiver of a Go method.
    if reader.is_mark(at, b'(') {
        let Some(close) = closing(reader, at) else {
            return;
        };
        parameters(reader, at, close);
        at = reader.skip_space(close + 1);
        method = true;
    }
    let mut open = at + 1;
    // Generic parameters.
    if reader.is_mark(open, b'<') {
        let close = (open..open + REACH).find(|at| reader.is_mark(*at, b'>'));
        open = close.map_or(open, |close| close + 1);
    }
    if !reader.is_word(at) || !reader.is_mark(open, b'(') || reader.is_rest_of_name(at, at + 1) {
        return;
    }
    let first = (open + 1..open + 8).find(|at| reader.is_word(*at) && reader.word(*at) != "mut");
    method |= first.is_some_and(|at| matches!(reader.word(at), "self" | "cls" | "this"));
    let kinds = if method { METHOD } else { FUNC };
    match reader.is_in(at, ORDINARY) {
        true => reader.push_here(at, at + 1, kinds, Rank::Definition),
        false => reader.push(at, at + 1, kinds, Rank::Definition),
    }
    if let Some(close) = closing(reader, open) {
        parameters(reader, open, close);
    }
}

/// The bracket that closes the one at `open`.
fn closing(reader: &Reader<'_, '_>, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in open..open + 2 * REACH {
        match reader.scan.kind(at)? {
            TokenKind::Mark(b'(') => depth += 1,
            TokenKind::Mark(b')') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// `(cart: Cart, percent: number)`, `(int rowNo)`, `(path string)`.
fn parameters(reader: &mut Reader<'_, '_>, open: usize, close: usize) {
    let mut from = open + 1;
    for to in open + 1..=close {
        let ends = to == close || reader.is_mark(to, b',');
        if !ends {
            continue;
        }
        let mut words = (from..to).filter(|at| {
            reader.is_word(*at)
                && !matches!(
                    reader.word(*at),
                    "self" | "cls" | "mut" | "this" | "final" | "const" | "ref"
                )
        });
        let scrubbed = (from..to).any(|at| reader.scan.kind(at) == Some(TokenKind::Placeholder));
        let (first, second) = (words.next().filter(|_| !scrubbed), words.next());
        let Some(first) = first else {
            from = to + 1;
            continue;
        };
        let is_type = |at: usize| {
            reader.is_in(at, TYPE_WORDS)
                || matches!(
                    reader.word(at),
                    "String"
                        | "string"
                        | "str"
                        | "number"
                        | "long"
                        | "short"
                        | "byte"
                        | "void"
                        | "any"
                        | "error"
                        | "usize"
                        | "u8"
                        | "u16"
                        | "u32"
                        | "u64"
                        | "i32"
                        | "i64"
                        | "f64"
                )
        };
        let colon = reader.is_mark(reader.skip_space(first + 1), b':');
        let (name, kind) = match second {
            // `int rowNo`, `Cart cart`: the name is last; `path string`, `cart Cart`: first.
            Some(second)
                if !colon && !is_type(second) && (is_type(first) || is_capital(reader, first)) =>
            {
                (second, Some(first))
            }
            second => (first, second),
        };
        if !reader.is_rest_of_name(name, name + 1)
            && reader.word(name).len() > 1
            && !is_capital(reader, name)
        {
            bind(reader, name);
        }
        if let Some(kind) = kind {
            capital(reader, kind, CLASS);
        }
        from = to + 1;
    }
}

fn is_capital(reader: &Reader<'_, '_>, at: usize) -> bool {
    matches!(reader.look(at), Look::Capital | Look::Pascal)
}

/// `const reduced =`, `let mut head:`.
fn variable(reader: &mut Reader<'_, '_>, at: usize) {
    let at = match reader.word(at) {
        "mut" => reader.skip_space(at + 1),
        _ => at,
    };
    let next = reader.word(reader.skip_space(at + 1));
    if reader.is_word(at) && matches!(next, "=" | ":" | ";") && !reader.is_rest_of_name(at, at + 1)
    {
        bind(reader, at);
    }
}

/// `found = …`, `found := …` where a line begins, as it does at `at`.
fn assignment(reader: &mut Reader<'_, '_>, at: usize) {
    let mut sign = reader.skip_space(at + 1);
    if reader.is_mark(sign, b':') && sign > at + 1 {
        sign += 1;
    }
    let assigns = reader.is_mark(sign, b'=')
        && sign > at + 1
        && reader.scan.kind(sign + 1) == Some(TokenKind::Space);
    if !assigns || reader.is_rest_of_name(at, at + 1) {
        return;
    }
    // A column of an object-relational model.
    const MODELS: [&str; 6] = [
        "Column",
        "db",
        "fields",
        "mapped_column",
        "models",
        "relationship",
    ];
    if reader.scan.kind(at.wrapping_sub(1)) == Some(TokenKind::Space)
        && MODELS.contains(&reader.word(sign + 2))
    {
        match reader.is_in(at, ORDINARY) {
            true => reader.push_here(at, at + 1, &[Col, Field, Var], Rank::Definition),
            false => reader.push(at, at + 1, &[Col, Field, Var], Rank::Definition),
        }
    }
    bind(reader, at);
}

fn bind(reader: &mut Reader<'_, '_>, at: usize) {
    match reader.is_in(at, ORDINARY) {
        true => reader.push_here(at, at + 1, VAR, Rank::Structure),
        false => reader.push(at, at + 1, VAR, Rank::Structure),
    }
}

/// `import a.b`, `from a.b import C, d`, `import x from 'y'`, `use a::b`.
fn import(reader: &mut Reader<'_, '_>, at: usize, next: usize) {
    let python = reader.word(at) == "from";
    let go_or_script = matches!(reader.scan.kind(next), Some(TokenKind::Mark(b'"' | b'\'')));
    if go_or_script {
        return module_in_quotes(reader, next);
    }
    // The dotted name; a class at its end is left to its shape.
    let mut to = next;
    while reader.is_word(to) {
        to += 1;
        if !reader.is_mark(to, b'.') || !reader.is_word(to + 1) {
            break;
        }
        to += 1;
    }
    let word = reader.word(reader.skip_space(to));
    let from_quotes = (to..to + REACH)
        .take_while(|at| !matches!(reader.scan.kind(*at), None | Some(TokenKind::Newline)))
        .find(|at| reader.word(*at) == "from");
    if reader.word(at) == "import"
        && let Some(from) = from_quotes
    {
        return module_in_quotes(reader, reader.skip_space(from + 1));
    }
    let ends = matches!(word, "" | "\n" | ";" | "import" | "as" | "," | "{");
    if to > next && ends && !is_capital(reader, to - 1) && !reader.is_rest_of_name(next, to) {
        match to == next + 1 && reader.is_in(next, ORDINARY) {
            true => reader.push_here(next, to, MODULE, Rank::Structure),
            false => reader.push(next, to, MODULE, Rank::Structure),
        }
    }
    if python && word == "import" {
        let mut name = reader.skip_space(reader.skip_space(to) + 1);
        while reader.is_word(name) {
            if is_capital(reader, name) {
                capital(reader, name, CLASS);
            }
            let comma = reader.skip_space(name + 1);
            if !reader.is_mark(comma, b',') {
                break;
            }
            name = reader.skip_space(comma + 1);
        }
    }
}

fn module_in_quotes(reader: &mut Reader<'_, '_>, at: usize) {
    if let Some((from, to)) = prose::quotation(reader, at)
        && !(from..to).any(|at| reader.scan.kind(at) == Some(TokenKind::Placeholder))
    {
        let kinds: &'static [Kind] = match shapes::path_kinds(reader.text(from, to)) {
            Some(_) => &[Path, Module],
            None => MODULE,
        };
        reader.push(from, to, kinds, Rank::Structure);
    }
}

/// `at async handleRequest (src/server/http.js:66:5)`.
fn frame(reader: &mut Reader<'_, '_>, at: usize) {
    let (at, kinds) = match reader.word(at) {
        "async" => (reader.skip_space(at + 1), FUNC),
        "new" => (reader.skip_space(at + 1), CLASS),
        _ => (at, FUNC),
    };
    let open = reader.skip_space(at + 1);
    if reader.is_word(at)
        && open > at + 1
        && reader.is_mark(open, b'(')
        && !reader.is_rest_of_name(at, at + 1)
    {
        reader.push(at, at + 1, kinds, Rank::Definition);
    }
}

/// `load(…)`, `.load(…)`, and methods where they are defined.
fn call(reader: &mut Reader<'_, '_>, at: usize) {
    if !reader.is_mark(at + 1, b'(') {
        return;
    }
    let word = reader.word(at);
    let after_point = at > 0 && reader.is_mark(at - 1, b'.');
    if reader.is_rest_of_name(at, at + 1)
        || reader.is_in(at, NOT_CALLED.or(TYPE_WORDS))
        || reader.is_built_in(at)
        || word.chars().nth(1).is_none()
        || word.starts_with(|char: char| char.is_ascii_digit())
    {
        return;
    }
    // "file(s)" and `count(*)` call nothing of ours.
    if matches!(reader.word(at + 2), "s" | "es" | "*") && reader.is_mark(at + 3, b')') {
        return;
    }
    let qualified =
        after_point && at > 1 && matches!(reader.scan.kind(at - 2), Some(TokenKind::Word));
    let kinds = match reader.look(at) {
        Look::Capitals | Look::Constant => return,
        Look::Capital | Look::Pascal if !after_point => CLASS,
        _ if qualified => return,
        _ if after_point => METHOD,
        _ => match is_member(reader, at) {
            true => METHOD,
            false => FUNC,
        },
    };
    let rank = if kinds == METHOD && !after_point {
        Rank::Definition
    } else {
        Rank::Structure
    };
    match reader.is_in(at, ORDINARY) {
        true => reader.push_here(at, at + 1, kinds, rank),
        false => reader.push(at, at + 1, kinds, rank),
    }
    if rank == Rank::Definition
        && let Some(close) = closing(reader, at + 1)
    {
        parameters(reader, at + 1, close);
    }
}

/// Whether a call's look is a member's definition: indented, at most modifiers and a type before
/// it, a block behind it.
fn is_member(reader: &Reader<'_, '_>, at: usize) -> bool {
    let Some(close) = closing(reader, at + 1) else {
        return false;
    };
    let block = (close + 1..close + 16)
        .take_while(|at| {
            !matches!(
                reader.scan.kind(*at),
                None | Some(TokenKind::Newline | TokenKind::Mark(b';'))
            )
        })
        .any(|at| reader.is_mark(at, b'{'));
    let mut first = at;
    while let Some(before) = reader.before(first) {
        if reader.scan.kind(before) == Some(TokenKind::Newline) {
            let indented = reader.scan.kind(before + 1) == Some(TokenKind::Space);
            return block && indented;
        }
        let modifier = reader.is_word(before) && !reader.is_in(before, NOT_CALLED)
            || matches!(
                reader.word(before),
                "async" | ">" | "<" | "[" | "]" | "@" | "*"
            );
        if !modifier || at - before > 24 {
            return false;
        }
        first = before;
    }
    false
}

/// A capital word where only a type stands: `cart: Cart,`, `-> Money {`, `Promise<Quote>`.
pub(super) fn type_place(reader: &mut Reader<'_, '_>, at: usize) {
    if reader.look(at) != Look::Capital || reader.is_in(at, ORDINARY) || reader.is_built_in(at) {
        return;
    }
    let Some(before) = reader.before(at) else {
        return;
    };
    let behind = reader.word(reader.skip_space(at + 1));
    let closes = matches!(
        behind,
        "," | ")" | "{" | "=" | ";" | ">" | "|" | "[" | "?" | "<"
    );
    let opens = match reader.word(before) {
        // `name: Type`, with the colon on the name.
        ":" => before > 0 && (reader.is_word(before - 1) || reader.is_mark(before - 1, b')')),
        ">" => before > 0 && reader.is_mark(before - 1, b'-'),
        "<" | "&" | "*" => true,
        _ => false,
    };
    let code = matches!(behind, "{" | ")" | ">" | ";" | "=");
    if opens
        && closes
        && (code || reader.word(before) == ":")
        && !reader.is_rest_of_name(at, at + 1)
    {
        reader.push(at, at + 1, CLASS, Rank::Structure);
    }
}
