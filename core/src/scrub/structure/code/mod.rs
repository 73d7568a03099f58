//! Code of several languages, and the traces that it leaves: what is defined, called, imported.

mod bodies;
mod definitions;
mod imports;
mod plans;
mod traces;
mod uses;
mod variables;

use super::{REACH, Reader, calls, config, prose, sql};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::Look,
        scanner::TokenKind,
        words::{CODE, LANGUAGE, NOT_NAMES, Words, any_of},
    },
};
use bodies::body;
use definitions::{declare, function, mapped, may_be_type, model, table_name};
use imports::{FETCHERS, exported, import, missing, module_in_quotes, packages};
use plans::{is_step, plan, planned, searches};
use traces::{frame, stands_in};
use uses::{call, capital};
use variables::{
    bind, bind_marked, declaration, each, field, inner, lambda, local, member, optional, scoped,
    shell, variable,
};

pub(super) use bodies::Bodies;
pub(super) use definitions::is_sized;
pub(super) use imports::is_standard_at;
pub(super) use traces::{is_traced, margin, received, thrown};
pub(super) use uses::type_place;
pub(super) use variables::{assignment, closure};

const CLASS: &[Kind] = &[Class, Type];
const FUNC: &[Kind] = &[Func, Method];
const METHOD: &[Kind] = &[Method, Func];
const MODULE: &[Kind] = &[Module, Pkg, Id];
const PACKAGE: &[Kind] = &[Pkg, Module, Id];
const TYPE: &[Kind] = &[Type, Class];

/// A type of GraphQL, which has fields.
const MODEL: &[Kind] = &[Type, Class, Dtype];
const MEMBER: &[Kind] = &[Var, Field, Col];
const VAR: &[Kind] = &[Var];

/// What a word does where code has it.
#[derive(Clone, Copy)]
enum Role {
    Auto,
    As,
    At,
    Capital,
    Catch,
    Class,
    Table,
    Do,
    Extension,
    Fetch,
    Function,
    Impl,
    Import,
    Export,
    In,
    Input,
    Keyed,
    Lambda,
    Mapped,
    Model,
    Modifier,
    Module,
    Object,
    Param,
    Planned,
    Relative,
    Require,
    Resource,
    Scan,
    Search,
    SearchPath,
    Step,
    TableName,
    Trait,
    Type,
    Unbound,
    Variable,
}

/// The words that [`word`] looks for, and their roles; what English has most often is first.
#[rustfmt::skip]
static ROLES: [(&Words, Role); 37] = [
    (any_of!("in"), Role::In),
    (any_of!("as"), Role::As),
    (any_of!("at"), Role::At),
    (any_of!("from import mod namespace package use using"), Role::Import),
    (any_of!("export"), Role::Export),
    (any_of!("ReferenceError"), Role::Unbound),
    (any_of!("add get install"), Role::Fetch),
    (any_of!("do"), Role::Do),
    (any_of!("except extends implements instanceof new raise throw throws"), Role::Capital),
    (any_of!("const let val var"), Role::Variable),
    (any_of!("def fn fun func function"), Role::Function),
    (any_of!("class record struct"), Role::Class),
    (any_of!("final private protected public readonly static"), Role::Modifier),
    (any_of!("type"), Role::Type),
    (any_of!("param"), Role::Param),
    (any_of!("enum interface trait"), Role::Trait),
    (any_of!("input message scalar union"), Role::Input),
    (any_of!("object protocol"), Role::Object),
    (any_of!("model"), Role::Model),
    (any_of!("Table table"), Role::Table),
    (any_of!("module"), Role::Module),
    (any_of!("catch"), Role::Catch),
    (any_of!("impl"), Role::Impl),
    (any_of!("map"), Role::Mapped),
    (any_of!("require"), Role::Require),
    (any_of!("resource"), Role::Resource),
    (any_of!("extension"), Role::Extension),
    (any_of!("lambda"), Role::Lambda),
    (any_of!("auto"), Role::Auto),
    (any_of!("__tablename__ db_table"), Role::TableName),
    (any_of!("require_relative"), Role::Relative),
    (any_of!("Scan"), Role::Scan),
    (any_of!("lookup scan"), Role::Step),
    (any_of!("SCAN SEARCH"), Role::Search),
    (any_of!("Cond Filter Key"), Role::Planned),
    (any_of!("KEY"), Role::Keyed),
    (any_of!("search_path"), Role::SearchPath),
];

/// The words of [`ROLES`].
pub(in crate::scrub) static CODE_WORDS: [&str; 78] = {
    let mut words = [""; 78];
    let (mut row, mut known) = (0, 0);
    while row < ROLES.len() {
        known = ROLES[row].0.copy_to(&mut words, known);
        row += 1;
    }
    assert!(known == words.len());
    words
};

impl Reader<'_, '_> {
    /// The plain word at `at` is a name where code uses it, too, from now on.
    #[inline(never)]
    fn push_bound(&mut self, at: usize, kinds: &'static [Kind], rank: Rank) {
        self.push_plain(at, at + 1, kinds, rank);
        self.note_local(at, kinds);
    }

    /// Whether the statement at `at` ends, or its line.
    #[inline(never)]
    fn ends_statement(&self, at: usize) -> bool {
        matches!(
            self.scan.kind(at),
            None | Some(TokenKind::NEWLINE | TokenKind(b';'))
        )
    }
}

/// Whether what follows a word makes it one of code, wherever it stands.
pub(super) fn hangs_on_word(next: Option<TokenKind>) -> bool {
    matches!(next, Some(TokenKind(b'(' | b':' | b'?' | b'!')))
}

/// Looks at the word at `at`, which may open its line. Else it is one of [`CODE_WORDS`], or has a first
/// capital, or what follows it [`hangs_on_word`].
#[inline(never)]
pub(super) fn word(reader: &mut Reader<'_, '_>, at: usize, opens_line: bool) {
    let behind = reader.scan.kind(at + 1).map_or(0, |kind| kind.0);
    if behind == b'(' {
        calls::named(reader, at);
        closure(reader, at + 2);
    }
    if reader.is_in(at, CODE) && keyword(reader, at, opens_line) {
        return;
    }
    if opens_line {
        if reader.word(at) == "for" {
            each(reader, at);
        }
        assignment(reader, at);
        scoped(reader, at);
        shell(reader, at);
        local(reader, at);
        field(reader, at);
    }
    match behind {
        b'(' => call(reader, at),
        b':' | b'?' | b'!' if opens_line => member(reader, at),
        b':' => inner(reader, at),
        _ => {}
    }
    if behind == b'?' {
        optional(reader, at);
    }
    if reader.look(at) == Look::Capital {
        type_place(reader, at);
    }
}

/// `@Autowired private Drawer drawer;`: whether nothing but annotations stands before `at` on its line.
#[inline(never)]
fn is_annotated(reader: &Reader<'_, '_>, at: usize) -> bool {
    let Some(before) = reader.before(at).filter(|before| before + 1 < at) else {
        return false;
    };
    let ends = reader.is_mark(before, b')') || reader.is_mark(before.wrapping_sub(1), b'@');
    let first = if ends { first_of_line(reader, at) } else { at };
    reader.is_mark(first, b'@') && is_capital(reader, first + 1)
}

/// Whether the word is one of [`CODE_WORDS`] in its own role.
fn keyword(reader: &mut Reader<'_, '_>, at: usize, opens_line: bool) -> bool {
    let word = reader.word(at).as_bytes();
    let Some((_, role)) = ROLES.iter().find(|(words, _)| words.has_bytes(word)) else {
        return false;
    };
    let next = reader.skip_space(at + 1);
    let before = at.wrapping_sub(1);
    match role {
        // `[cup for cup in cups]`
        Role::In
            if reader.is(at.wrapping_sub(4), "for")
                && reader.word(at - 2).len() > 1
                && reader.is(at.wrapping_sub(6), reader.word(at - 2))
                && (reader.is_any(at.wrapping_sub(7), b"[{")
                    || reader.is_word(at.wrapping_sub(8))) =>
        {
            bind(reader, at - 6);
            bind(reader, at - 2);
        }
        Role::In => return stands_in(reader, at, next),
        // `with open(path) as file:`, `except OSError as error:`
        Role::As
            if reader.is_word(next)
                && reader.is_mark(next + 1, b':')
                && ends_line(reader, next + 2)
                && reader.says(first_of_line(reader, at), any_of!("async except with")) =>
        {
            bind(reader, next);
        }
        // `foreach ($boats as $no => $boat)` of PHP
        Role::As if reader.is_mark(next, b'$') => {
            for mark in at.saturating_sub(3)..next + 8 {
                bind_marked(reader, mark);
            }
        }
        Role::At if opens_line => frame(reader, next),
        // "cannot import name 'Mill' from 'dock'"
        Role::Import if reader.is(next, "name") && reader.says_before(at, any_of!("cannot")) => {
            missing(reader, reader.skip_space(next + 1));
        }
        Role::Import if opens_line || is_public(reader, at) => import(reader, at, next),
        Role::Export if opens_line && exported(reader, next) => {}
        Role::Require if reader.is_mark(at + 1, b'(') => module_in_quotes(reader, at + 2),
        Role::Fetch | Role::Require if reader.says_before(at, FETCHERS) => packages(reader, next),
        Role::Do if reader.is_mark(next, b'|') => closure(reader, next),
        Role::Capital => capital(reader, next, CLASS),
        Role::Variable => variable(reader, next),
        // `auto& row = rows[0];` of C++
        Role::Auto if reader.is_any(next, b"&*") => assignment(reader, reader.skip_space(next + 1)),
        // Not `auto = true`
        Role::Auto if !reader.is_any(next, b"=:") => assignment(reader, next),
        Role::Function => function(reader, at, next),
        Role::Class => declare(reader, next, CLASS),
        // Not `public.owls`
        Role::Modifier if next > at + 1 && (opens_line || is_annotated(reader, at)) => {
            declaration(reader, at);
        }
        // `:param str width: …` of Sphinx
        Role::Param | Role::Type if reader.is_mark(before, b':') && reader.opens_line(before) => {
            let colon = reader.find(next + 1, next + REACH / 8, any_of!(":"));
            if let Some(colon) = colon.filter(|colon| reader.is_word(colon - 1)) {
                reader.push_plain(colon - 1, colon, &[Var, Param], Rank::Structure);
            }
        }
        // `@param width`, `@param {number} width`
        Role::Param if reader.is_mark(before, b'@') => {
            let close = reader.find(next, next + REACH / 4, any_of!("}"));
            let name = match close.filter(|_| reader.is_mark(next, b'{')) {
                Some(close) => reader.skip_space(close + 1),
                None => next,
            };
            if reader.is_word(name) && reader.word(name).len() > 1 {
                reader.push_plain(name, name + 1, &[Var, Param], Rank::Structure);
            }
        }
        Role::Type if reader.says_next(next + 1, any_of!("{ @")) => {
            declare(reader, next, MODEL);
        }
        // "ReferenceError: heat is not defined"
        Role::Unbound if reader.is_mark(at + 1, b':') => {
            let name = reader.skip_space(at + 2);
            if reader.says_next(name + 1, any_of!("is"))
                && !reader.is_in(name, NOT_NAMES.or(LANGUAGE))
            {
                bind(reader, name);
            }
        }
        Role::Trait | Role::Type => declare(reader, next, TYPE),
        Role::Input => {
            let open = reader.skip_space(next + 1);
            let opens = || reader.says(open, any_of!("{ =")) || reader.is_mark(open, b'\n');
            if opens_line && may_be_type(reader, next) && opens() {
                declare(reader, next, MODEL);
            }
        }
        // "'Mill' object has no attribute 'heat'"
        Role::Object if reader.is(next, "has") && reader.is_mark(at.wrapping_sub(2), b'\'') => {
            capital(reader, at.wrapping_sub(3), CLASS);
        }
        Role::Object if may_be_type(reader, next) && body(reader, at, next) => {
            declare(reader, next, CLASS);
        }
        // `table plants {` of DBML
        Role::Model => model(reader, next),
        // Not `table thead {` of a style sheet.
        Role::Table if opens_line && !reader.says(next, any_of!("tbody td tfoot th thead tr")) => {
            model(reader, next);
        }
        // `module Mill` of Ruby
        Role::Module if opens_line && may_be_type(reader, next) && ends_line(reader, next + 1) => {
            reader.push(next, next + 1, MODULE, Rank::Definition);
            body(reader, at, next);
        }
        Role::Catch
            if reader.is_mark(next, b'(')
                && (opens_line || reader.says_before(at, any_of!("}"))) =>
        {
            let close = closing(reader, next).unwrap_or(next);
            if reader.is_word(close - 1) && !is_capital(reader, close - 1) {
                bind(reader, close - 1);
            }
        }
        Role::Impl => {
            let name = reader.skip_space(behind_generics(reader, next));
            body(reader, at, name);
            declare(reader, name, TYPE);
            // `impl Ripen for Plum`
            let by = reader.skip_space(behind_generics(reader, name + 1));
            if reader.is(by, "for") {
                capital(reader, reader.skip_space(by + 1), TYPE);
            }
        }
        Role::Mapped if reader.is_mark(at + 1, b'(') && reader.is_mark(before, b'@') => {
            let table = reader.is_mark(before.wrapping_sub(1), b'@');
            mapped(reader, at + 2, if table { &[Table] } else { &[Col, Field] });
        }
        Role::Resource if opens_line => resource(reader, next),
        Role::Extension if may_be_type(reader, next) && body(reader, at, next) => {
            capital(reader, next, TYPE);
        }
        Role::Lambda if reader.is_word(next) => lambda(reader, at, next),
        Role::TableName => table_name(reader, at),
        Role::Relative => mapped(reader, next, &[Path, Module]),
        Role::Scan => plan(reader, next),
        // `-> Table scan on members` of MySQL
        Role::Step
            if is_step(reader, at) && reader.says_before(at, any_of!("Index Table range row")) =>
        {
            plan(reader, next);
        }
        Role::Search if searches(reader, at, opens_line) => {
            reader.push_plain(next, next + 1, &[Table], Rank::Definition);
        }
        Role::Planned => return reader.is_mark(at + 1, b':') && planned(reader, at),
        Role::Keyed if opens_line || reader.says_before(at, any_of!("FULLTEXT UNIQUE")) => {
            sql::keyed(reader, next);
        }
        Role::SearchPath
            if reader.says(next, any_of!("TO ="))
                || reader.is(next, "to") && reader.is(before.wrapping_sub(1), "set") =>
        {
            sql::searched(reader, next + 1);
        }
        _ => return false,
    }
    true
}

/// Whether what begins at `at` is said to be public: `pub mod`, `pub(crate) use`.
fn is_public(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.before(at).is_some_and(|before| {
        reader.is(before, "pub")
            || reader.is_mark(before, b')') && reader.is(before.wrapping_sub(3), "pub")
    })
}

/// `resource "aws_iam_role" "worker"` of Terraform: what the last word of the type says.
fn resource(reader: &mut Reader<'_, '_>, at: usize) {
    let Some((from, to)) = prose::quotation(reader, at) else {
        return;
    };
    let kinds = config::key_kinds(reader.text(from, to)).unwrap_or(&[Id]);
    if let Some((from, to)) = prose::quotation(reader, reader.skip_space(to + 1)) {
        reader.push_name_at(from, to, kinds, Rank::Definition);
    }
}

/// Whether nothing but white space is left of the line at `at`.
pub(super) fn ends_line(reader: &Reader<'_, '_>, at: usize) -> bool {
    matches!(
        reader.scan.kind(reader.skip_space(at)),
        None | Some(TokenKind::NEWLINE)
    )
}

/// What follows generic parameters that may begin at `at`.
pub(super) fn behind_generics(reader: &Reader<'_, '_>, at: usize) -> usize {
    if !reader.is_mark(at, b'<') {
        return at;
    }
    let mut depth = 0_usize;
    for close in at..at + REACH {
        match reader.scan.kind(close) {
            Some(TokenKind(b'<')) => depth += 1,
            Some(TokenKind(b'>')) if !reader.is_mark(close - 1, b'-') => depth -= 1,
            None => break,
            _ => {}
        }
        if depth == 0 {
            return close + 1;
        }
    }
    at
}

/// The bracket that closes the one at `open`.
pub(super) fn closing(reader: &Reader<'_, '_>, open: usize) -> Option<usize> {
    if !reader.is_mark(open, b'(') {
        return None;
    }
    let mut depth = 0_usize;
    for at in open..open + 2 * REACH {
        match reader.scan.kind(at)? {
            TokenKind(b'(') => depth += 1,
            TokenKind(b')') => {
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

#[inline(never)]
pub(super) fn is_capital(reader: &Reader<'_, '_>, at: usize) -> bool {
    matches!(reader.look(at), Look::Capital | Look::Pascal)
}

/// The first token of the line that `at` is in, behind white space, as far as a rule looks.
pub(super) fn first_of_line(reader: &Reader<'_, '_>, at: usize) -> usize {
    reader.skip_space(line_of(reader, at))
}

/// Whether the line that `at` is in is a statement by its first word and its look, not one of prose: `if rows is None:`,
/// an indented `return rows or 0`, `least = rows or 0`, `sell(rows or 0)`.
#[inline(never)]
pub(super) fn is_in_statement(reader: &Reader<'_, '_>, at: usize) -> bool {
    let first = first_of_line(reader, at);
    let indented = reader.is_space(first.wrapping_sub(1));
    let end = reader.scan.line_end(at, REACH).unwrap_or(at);
    let closed = || reader.says(end - 1, any_of!("; : {"));
    match reader.word(first) {
        "if" | "elif" | "while" => {
            closed() || indented && reader.find(at, end, any_of!(":")).is_some()
        }
        "with" => closed(),
        "assert" | "del" | "return" => indented && !reader.is_mark(end - 1, b'.') || closed(),
        _ => {
            // Not "item(s) in"
            let calls = || {
                reader.is_mark(first + 1, b'(')
                    && !reader.is(first + 2, "s")
                    && reader.says(end - 1, any_of!(") ;"))
            };
            reader.is_space(first + 1) && reader.is_mark(first + 2, b'=') || calls()
        }
    }
}

/// Where the line begins that `at` is in.
#[inline(never)]
fn line_of(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut first = at;
    while first > at.saturating_sub(REACH) && !reader.is_mark(first - 1, b'\n') {
        first -= 1;
    }
    first
}
