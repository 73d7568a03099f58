//! Code of several languages, and the traces that it leaves: what is defined, called, imported.

use super::{ORDINARY_IN_CODE, REACH, Reader, calls, config, prose, shapes, sql};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::Look,
        scanner::TokenKind,
        words::{
            self, CODE, LANGUAGE, NOT_CALLED, NOT_NAMES, PROVIDED, SMALL_TYPE, TYPE_WORDS, VERB,
            Words, any_of,
        },
    },
};

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
    Variable,
}

/// The words that [`word`] looks for, and their roles; what English has most often is first.
#[rustfmt::skip]
static ROLES: [(&Words, Role); 35] = [
    (any_of!("in"), Role::In),
    (any_of!("as"), Role::As),
    (any_of!("at"), Role::At),
    (any_of!("from import mod namespace package use using"), Role::Import),
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
pub(in crate::scrub) static CODE_WORDS: [&str; 76] = {
    let mut words = [""; 76];
    let (mut row, mut known) = (0, 0);
    while row < ROLES.len() {
        known = ROLES[row].0.copy_to(&mut words, known);
        row += 1;
    }
    assert!(known == words.len());
    words
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
const FETCHERS: &Words = any_of!("apk apt brew bun cargo composer gem go npm pip pnpm uv yarn");

/// Types that are no names where they stand alone, either: `Odd(u8)`, `(void)`.
const NEVER_NAMES: &Words =
    any_of!("f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize void");

/// Words before a parameter's name or type that are neither.
const PARAMETER_WORDS: &Words = any_of!(
    "\
    const crossinline final inout internal mut noinline open out override params private protected public readonly \
    ref val var vararg"
);

/// The blocks in which a text of code is read, and which of them are bodies of classes.
#[derive(Default)]
pub(super) struct Bodies {
    /// The bracket that opens the body of the class that was met last, and the class's name.
    open: Option<usize>,
    name: usize,
    /// The blocks that are open, the innermost lowest: a bit is set for a class's body.
    blocks: u64,
    /// How far the class is indented that was met last and has no brackets.
    indent: Option<usize>,
    /// The same of its methods.
    methods: Option<usize>,
}

impl Bodies {
    /// Looks at the mark at `at`.
    pub(super) fn bracket(&mut self, at: usize, mark: u8) {
        match mark {
            b'{' => self.blocks = self.blocks << 1 | u64::from(self.open == Some(at)),
            b'}' => self.blocks >>= 1,
            _ => {}
        }
    }

    /// Whether what stands here stands in the brackets of a class, and in no others inside them.
    pub(super) fn is_in_brackets(&self) -> bool {
        self.blocks & 1 == 1
    }

    /// Whether the function that is defined on a line with this indent is a method.
    fn has_method(&mut self, indent: usize) -> bool {
        match self.indent {
            Some(class) if indent > class => {
                let direct = self.methods.is_none_or(|methods| indent <= methods);
                if direct {
                    self.methods = Some(indent);
                }
                direct || self.is_in_brackets()
            }
            _ => {
                self.indent = None;
                self.is_in_brackets()
            }
        }
    }
}

/// Words before a member's type.
const MODIFIERS: &Words = any_of!("const final private protected public readonly static volatile");

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
        Role::Import if opens_line || is_public(reader, at) => import(reader, at, next),
        Role::Require if reader.is_mark(at + 1, b'(') => module_in_quotes(reader, at + 2),
        Role::Fetch | Role::Require if reader.says_before(at, FETCHERS) => packages(reader, next),
        Role::Do if reader.is_mark(next, b'|') => closure(reader, next),
        Role::Capital => capital(reader, next, CLASS),
        Role::Variable => variable(reader, next),
        // `auto& row = rows[0];` of C++
        Role::Auto if reader.is_any(next, b"&*") => assignment(reader, reader.skip_space(next + 1)),
        Role::Auto => assignment(reader, next),
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
        Role::Trait | Role::Type => declare(reader, next, TYPE),
        Role::Input => {
            let open = reader.skip_space(next + 1);
            let opens = || reader.says(open, any_of!("{ =")) || reader.is_mark(open, b'\n');
            if opens_line && may_be_type(reader, next) && opens() {
                declare(reader, next, MODEL);
            }
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

/// The function that a trace names behind `in`, which is at `at`.
fn stands_in(reader: &mut Reader<'_, '_>, at: usize, next: usize) -> bool {
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
    let ends = quoted || ends_line(reader, name + 1) || reader.is_mark(name + 2, b'(');
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

/// `SCAN racks`, `SEARCH racks USING …` of SQLite's plan, where the word is at `at`.
#[inline(never)]
fn searches(reader: &Reader<'_, '_>, at: usize, opens_line: bool) -> bool {
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
fn plan(reader: &mut Reader<'_, '_>, at: usize) {
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
fn is_step(reader: &Reader<'_, '_>, at: usize) -> bool {
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
fn planned(reader: &mut Reader<'_, '_>, at: usize) -> bool {
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

/// `(*Oven).Heat` of a Go trace, whose point is at `at`: a method, called or not.
#[inline(never)]
pub(super) fn received(reader: &mut Reader<'_, '_>, at: usize) -> bool {
    let typed = reader.is_mark(at.wrapping_sub(1), b')')
        && reader.is_word(at.wrapping_sub(2))
        && reader.is_mark(at.wrapping_sub(3), b'*');
    if typed && reader.is_word(at + 1) {
        reader.push_plain(at + 1, at + 2, METHOD, Rank::Structure);
    }
    typed
}

/// The packages that a command names, up to the line's end.
fn packages(reader: &mut Reader<'_, '_>, at: usize) {
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

/// Looks at the number at `at`: `118 |` in the margin of a diagnostic.
#[inline(never)]
pub(super) fn margin(reader: &mut Reader<'_, '_>, at: usize) {
    if reader.opens_line(at) && reader.says_next(at + 1, any_of!("|")) {
        reader.push_here(at, at + 1, &[Line, Num], Rank::Structure);
    }
}

/// `class Row`, and `class row` where code goes on behind it.
fn declare(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    let qualified = reader.is_mark(at + 1, b'.') || reader.has_marks(at + 1, b"::");
    if reader.is_name(at) && at > 1 {
        body(reader, at - 2, at);
    }
    if !reader.is_word(at) || qualified {
        return;
    }
    let word = reader.word(at);
    let sign = reader.skip_space(at + 1);
    // Not "a struct that implements".
    let code = reader.says(sign, any_of!("{ ( : < = @"))
        || reader.says(sign, any_of!("extends implements")) && !reader.is_in(at, NOT_NAMES);
    let opens = word.starts_with(char::is_uppercase) && !words::is_all_capitals(word);
    if opens && (code || !reader.is_in(at, NOT_NAMES)) || code && !reader.is_in(at, LANGUAGE) {
        reader.push(at, at + 1, kinds, Rank::Definition);
    }
    // `class Prescription(Base):`, `class Till < Device` of Ruby, `class Gull : Bird` of Kotlin
    let below = sign > at + 1
        && (reader.is_mark(sign, b'<') && !reader.is_mark(sign + 3, b'>')
            || reader.is_mark(sign, b':'));
    let parent = match closing(reader, at + 1) {
        Some(close) => close - 1,
        None if below => reader.skip_space(sign + 1),
        None => return,
    };
    if reader.says(parent, any_of!("ApplicationRecord Base Model")) {
        reader.push(at, at + 1, &[Class, Type, Table], Rank::Definition);
    }
    if parent == sign + 1 || parent == sign + 2 {
        capital(reader, parent, kinds);
    }
}

/// `model Appointment { slotCode String … }`: a table and its columns.
fn model(reader: &mut Reader<'_, '_>, at: usize) {
    const MOST_LINES: usize = 64;
    let open = reader.skip_space(at + 1);
    if !reader.is_word(at) || !reader.is_mark(open, b'{') {
        return;
    }
    reader.push(at, at + 1, &[Table, Class, Type], Rank::Definition);
    let mut line = open + 1;
    for nth in 0..MOST_LINES {
        let Some(end) = reader.scan.line_end(line, REACH) else {
            return;
        };
        // `model Parcel { weight Int }`
        let closes = nth == 0 && reader.find(line, end, any_of!("}")).is_some();
        let opened = closes || nth == 0 && reader.is_word(reader.skip_space(line));
        let name = reader.skip_space(if opened { line } else { end + 1 });
        let kind = reader.skip_space(name + 1);
        // Another model begins: this one is not closed.
        if reader.is_mark(name, b'}') || reader.is(name, "model") {
            return;
        }
        if reader.is_word(name) && reader.is_word(kind) {
            reader.push_plain(name, name + 1, &[Col, Field, Var], Rank::Definition);
            let row = kind..reader.scan.line_end(kind, REACH).unwrap_or(kind);
            let attribute = |at: usize| reader.is_mark(at - 1, b'@') && reader.is(at, "relation");
            // `owner Guest @relation(…)`, `number String @db.VarChar(12)`
            match row.clone().any(attribute) {
                true => capital(reader, kind, &[Table, Class, Type]),
                false => {
                    reader.push_type(kind);
                }
            }
            for at in row {
                if reader.is(at, "db")
                    && reader.is_mark(at - 1, b'@')
                    && reader.is_mark(at + 1, b'.')
                {
                    reader.push_type(at + 2);
                }
            }
        }
        if closes {
            return;
        }
        if !opened {
            line = end + 1;
        }
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
        && !reader.is_scrubbed(from)
    {
        reader.push(from, to, kinds, Rank::Definition);
    }
}

fn capital(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    let fits = is_capital(reader, at) && !reader.is_in(at, NOT_NAMES) && !reader.is_built_in(at);
    if reader.is_word(at) && fits && !reader.is_mark(at + 1, b'.') {
        reader.push(at, at + 1, kinds, Rank::Structure);
    }
}

/// Notes where the body of a class begins whose name is at `name`, behind the word at `at`. Says whether it
/// has one in brackets.
fn body(reader: &mut Reader<'_, '_>, at: usize, name: usize) -> bool {
    let mut depth = 0_usize;
    for open in name + 1..name + 2 * REACH {
        match reader.scan.kind(open) {
            Some(TokenKind(b'(' | b'<')) => depth += 1,
            Some(TokenKind(b')')) if depth > 0 => depth -= 1,
            // Not the sign of an arrow.
            Some(TokenKind(b'>')) if reader.is_mark(open - 1, b'-') => {}
            Some(TokenKind(b'>')) if depth > 0 => depth -= 1,
            Some(TokenKind(b')' | b'>' | b';')) => return false,
            Some(TokenKind(b'{')) if depth == 0 => {
                (reader.bodies.open, reader.bodies.name) = (Some(open), name);
                return true;
            }
            Some(TokenKind::NEWLINE) if depth == 0 => {
                let next = reader.skip_space(open + 1);
                if !reader.says(next, any_of!("{ : extends implements where")) {
                    break;
                }
            }
            None => break,
            _ => {}
        }
    }
    // `class Mill < Plant` of Ruby, `class Mill(Plant):` of Python
    if let Some(indent) = indent_of(reader, at) {
        reader.bodies.indent = Some(indent);
        reader.bodies.methods = None;
    }
    false
}

/// How far the line is indented that begins at `at` or a few words before.
fn indent_of(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    const MOST_WORDS: usize = 4;
    let mut first = at;
    for _ in 0..MOST_WORDS {
        match reader.before(first) {
            Some(before) if reader.is_word(before) => first = before,
            _ => break,
        }
    }
    let space = |at: usize| reader.scan.kind(at) == Some(TokenKind::SPACE);
    let before = first.checked_sub(1).filter(|before| space(*before));
    reader
        .opens_line(first)
        .then(|| before.map_or(0, |before| reader.word(before).len()))
}

/// Whether the call whose bracket is at `open` is one of a Go trace: the line below says where it stands.
pub(super) fn is_traced(reader: &Reader<'_, '_>, at: usize, open: usize) -> bool {
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

/// Whether nothing but white space is left of the line at `at`.
pub(super) fn ends_line(reader: &Reader<'_, '_>, at: usize) -> bool {
    matches!(
        reader.scan.kind(reader.skip_space(at)),
        None | Some(TokenKind::NEWLINE)
    )
}

/// The name behind `def`, which is at `keyword`, and its parameters.
fn function(reader: &mut Reader<'_, '_>, keyword: usize, at: usize) {
    let mut at = at;
    let indent = indent_of(reader, keyword);
    let mut method = match indent {
        Some(indent) => reader.bodies.has_method(indent),
        None => reader.bodies.is_in_brackets(),
    };
    // `def self.open(key)` of Ruby
    let ruby = reader.is(keyword, "def") && indent.is_some();
    if ruby && reader.is(at, "self") && reader.is_mark(at + 1, b'.') {
        at += 2;
    }
    // The receiver of a Go method.
    if reader.is_mark(at, b'(') {
        let Some(close) = closing(reader, at) else {
            return;
        };
        parameters(reader, at, close);
        at = reader.skip_space(close + 1);
        method = true;
    }
    let asks = usize::from(ruby && reader.says(at + 1, any_of!("? !")));
    let open = behind_generics(reader, at + 1 + asks);
    // `def total` of Ruby, `def total: Int` of Scala take nothing.
    let bare = ruby && (ends_line(reader, open) || reader.says_next(open, any_of!("; = :")));
    if !reader.is_word(at) || !reader.is_mark(open, b'(') && !bare {
        return;
    }
    let first = (open + 1..open + 8).find(|at| reader.is_word(*at) && !reader.is(*at, "mut"));
    method |= first.is_some_and(|at| reader.says(at, any_of!("self cls this")));
    let kinds = if method { METHOD } else { FUNC };
    if !shapes::is_of_language(reader.word(at)) {
        reader.push_bound(at, kinds, Rank::Definition);
        described(reader, at, kinds);
    }
    if let Some(close) = closing(reader, open) {
        parameters(reader, open, close);
    }
}

/// `// dial gives up` above `func dial(`: a comment that says of the function whose name is at `at` what it does.
fn described(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    // Most have no comment above them.
    let above = line_of(reader, line_of(reader, at).saturating_sub(1));
    if !reader.says_next(above, any_of!("/ * # @ [")) {
        return;
    }
    let word = reader.word(at);
    let named = (at.saturating_sub(2 * REACH)..at).rev().find(|name| {
        let mark = || reader.before(*name).unwrap_or(*name);
        // Not an imperative, as in "// sort rows".
        reader.is(*name, word)
            && reader.is_in(reader.skip_space(name + 1), VERB)
            && reader.says(mark(), any_of!("/ * #"))
    });
    if let Some(name) = named {
        reader.push_here(name, name + 1, kinds, Rank::Structure);
    }
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

/// `(cart: Cart, percent: number)`, `(int rowNo)`, `(path string)`.
fn parameters(reader: &mut Reader<'_, '_>, open: usize, close: usize) {
    let mut from = open + 1;
    for to in open + 1..=close {
        let ends = to == close || reader.is_mark(to, b',');
        if !ends {
            continue;
        }
        // `struct buoy *head` of C, `by amount: Int` of Swift
        const TAGS: &Words = any_of!("enum struct union");
        let tagged = reader.find(from, to, TAGS).is_some();
        let mut words = (from..to).filter(|at| {
            let word = reader.word(*at);
            let next = reader.skip_space(at + 1);
            // `val name: String` of Kotlin, `val int` of Go
            let typed = || reader.says_next(next + 1, any_of!(":"));
            let label = reader.is_in(*at, NOT_NAMES) && typed();
            let modifies = reader.is_word(next)
                && (!any_of!("val var").has(word) || typed())
                && (PARAMETER_WORDS.has(word) || TAGS.has(word) || label);
            // `(void)`, `Odd(u8)`, `std::string_view name`, `vector<int> rows`
            let none = next == to && NEVER_NAMES.has(word);
            let outer = reader.has_marks(at + 1, b"::");
            let opened = || is_generic(reader, from, *at);
            // `@Param("title") String name`
            let inner = reader.is_any(at - 1, b"<@\"") || reader.is_mark(at + 1, b'>') && opened();
            reader.is_word(*at)
                && !(modifies || none || outer || inner)
                && !any_of!("self cls mut this").has(word)
        });
        let scrubbed = reader.has_scrubbed(from, to);
        let (first, second) = (words.next().filter(|_| !scrubbed), words.next());
        let Some(first) = first else {
            from = to + 1;
            continue;
        };
        let colon = reader.says_next(first + 1, any_of!(":"));
        let (name, kind) = match second {
            // `int rowNo`, `Cart cart`: the name is last; `path string`, `cart Cart`: first.
            Some(second)
                if !colon
                    && (!is_type(reader, second) || reader.word(first).ends_with("_t"))
                    && (tagged
                        || is_type(reader, first)
                        || is_capital(reader, first)
                        // `const T& name`
                        || matches!(reader.word(first).as_bytes(), [b'A'..=b'Z'])
                        // `std::string_view name`
                        || reader.is_mark(first - 1, b':')) =>
            {
                (second, Some(first))
            }
            second => (first, second),
        };
        // Of a word that is both, `Basket basket`, the type is meant.
        if let Some(kind) = kind {
            for part in kind..to {
                if part == kind || reader.is_mark(part - 1, b'<') {
                    capital(reader, part, CLASS);
                }
            }
        }
        // A letter is one where a type says so.
        let named = reader.word(name).len() > 1 || kind.is_some();
        if named && !is_capital(reader, name) {
            bind(reader, name);
        }
        from = to + 1;
    }
}

/// Whether the word at `at` is a type that comes with a language.
fn is_type(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, TYPE_WORDS)
        || reader.is_built_in(at)
        || reader.is_in(at, SMALL_TYPE) && reader.look(at).is_plain()
        || reader.word(at).ends_with("_t")
        || is_sized(reader.word(at))
}

/// `int32`, `uint8`, `sfixed64`: types that say how long they are.
pub(super) fn is_sized(word: &str) -> bool {
    // Most words end otherwise.
    matches!(word.as_bytes(), [.., b'0'..=b'9'])
        && any_of!(
            "\
            fixed32 fixed64 int8 int16 int32 int64 int128 sfixed32 sfixed64 sint32 sint64 uint8 uint16 uint32 uint64 \
            uint128"
        )
        .has(word)
}

#[inline(never)]
pub(super) fn is_capital(reader: &Reader<'_, '_>, at: usize) -> bool {
    matches!(reader.look(at), Look::Capital | Look::Pascal)
}

/// Whether the name at `at` is written as a type's, or was before it was scrubbed.
fn may_be_type(reader: &Reader<'_, '_>, at: usize) -> bool {
    is_capital(reader, at) || reader.is_scrubbed(at)
}

/// `const reduced =`, `let mut head:`, `const { a, b } =`.
fn variable(reader: &mut Reader<'_, '_>, at: usize) {
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
    let sign = reader.skip_space(at + 1 + usize::from(wrapped));
    if !reader.is_word(at) {
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

/// `for jug in jugs:`, `for i, jug := range jugs {`, `for (Jug jug : jugs) {` where a line begins.
fn each(reader: &mut Reader<'_, '_>, at: usize) {
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
    }
    if reader.has_marks(sign, b":=") {
        sign = reader.skip_space(sign + 2);
    }
    if matches!(reader.word(sign), "in" | "range")
        && (walked(reader, sign) || is_shell_loop(reader, sign))
    {
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
    opens || reader.is_word(name) && reader.says(name + 1, any_of!("( ."))
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
pub(super) fn assignment(reader: &mut Reader<'_, '_>, at: usize) {
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
fn scoped(reader: &mut Reader<'_, '_>, at: usize) {
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
fn bind_marked(reader: &mut Reader<'_, '_>, at: usize) {
    if reader.says(at, any_of!("$ % @")) && reader.is_word(at + 1) {
        bind(reader, at + 1);
    }
}

/// `total=$(…)`, `name="$1"`, `local depth=1` of a shell, and `total=0` where `$total` is near.
fn shell(reader: &mut Reader<'_, '_>, at: usize) {
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
pub(super) fn closure(reader: &mut Reader<'_, '_>, at: usize) {
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
fn lambda(reader: &mut Reader<'_, '_>, at: usize, next: usize) {
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
fn bind(reader: &mut Reader<'_, '_>, at: usize) {
    match reader.look(at).is_plain() {
        true => {
            reader.push_here(at, at + 1, VAR, Rank::Structure);
            reader.note_local(at, VAR);
        }
        false => reader.push(at, at + 1, VAR, Rank::Structure),
    }
}

/// `card: RateCard,`, `name: str = …`, `email: String!`, where a line begins: a member with a type.
fn member(reader: &mut Reader<'_, '_>, at: usize) {
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
fn field(reader: &mut Reader<'_, '_>, at: usize) {
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
        reader.wide = true;
        capital(reader, kind, CLASS);
        reader.push_bound(at, MEMBER, Rank::Structure);
        reader.wide = false;
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
fn inner(reader: &mut Reader<'_, '_>, at: usize) {
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
        reader.wide = own;
        capital(reader, kind, CLASS);
        reader.push_bound(at, MEMBER, Rank::Structure);
        reader.wide = false;
    }
}

/// `options?: …` anywhere.
fn optional(reader: &mut Reader<'_, '_>, at: usize) {
    // Not `stamp.ts?:14:9` of a trace
    let marked = reader.has_marks(at + 1, b"?:") && !reader.is_number(at + 3);
    if marked {
        reader.push_plain(at, at + 1, &[Param, Var, Field, Col], Rank::Structure);
    }
}

/// `Ship ship = …;`, `int rowNo;` where a line begins.
fn local(reader: &mut Reader<'_, '_>, at: usize) {
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
fn declaration(reader: &mut Reader<'_, '_>, at: usize) {
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

/// `import a.b`, `from a.b import C, d`, `import x from 'y'`, `use a::b`.
fn import(reader: &mut Reader<'_, '_>, at: usize, next: usize) {
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
            .find(|at| !reader.is_word(*at) && !reader.is_mark(*at, b':'))
            .filter(|open| reader.is_mark(*open, b'{'))
        && !is_standard(reader.word(next))
    {
        return imported(reader, open, open + REACH);
    }
    if matches!(keyword, "import" | "use") {
        aliases(reader, next, keyword);
    }
    let word = reader.word(reader.skip_space(to));
    let quoted = |at: usize| reader.is(at, "from") && reader.says_next(at + 1, any_of!("\" '"));
    if keyword == "import"
        && let Some(from) = (next..next + REACH)
            .find(|at| matches!(reader.scan.kind(*at), None | Some(TokenKind(b';'))) || quoted(*at))
            .filter(|from| quoted(*from))
    {
        // The module whole, by a name for it.
        if reader.is_word(next) && !is_capital(reader, next) && !reader.is(next, "type") {
            reader.push_bound(next, PACKAGE, Rank::Structure);
        }
        imported(reader, next, from);
        return module_in_quotes(reader, reader.skip_space(from + 1));
    }
    let standard = is_standard(reader.word(next)) && keyword != "package" && !relative;
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
    let close = match reader.word(at) {
        "{" => b'}',
        "(" => b')',
        _ => b'\n',
    };
    for name in at..end {
        let word = reader.word(name);
        if reader.is_mark(name, close) || matches!(word, "" | ";" | "#") {
            return;
        }
        let listed = !any_of!("as type import from default").has(word);
        if !reader.is_word(name) || !listed {
            continue;
        }
        match is_capital(reader, name) {
            true => capital(reader, name, CLASS),
            // Whether it is called is seen where it is.
            false => {
                reader.push_bound(name, FUNC, Rank::Shape);
            }
        }
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

/// Whether the first part of a module's name says that it comes with a language.
pub(super) fn is_standard(first: &str) -> bool {
    STANDARD.binary_search(&first).is_ok()
}

fn module_in_quotes(reader: &mut Reader<'_, '_>, at: usize) {
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

/// `at async handleRequest (src/server/http.js:66:5)`.
fn frame(reader: &mut Reader<'_, '_>, at: usize) {
    let (at, kinds) = match reader.word(at) {
        "async" => (reader.skip_space(at + 1), FUNC),
        "new" => (reader.skip_space(at + 1), CLASS),
        _ => (at, FUNC),
    };
    let open = reader.skip_space(at + 1);
    if reader.is_word(at) && open > at + 1 && reader.is_mark(open, b'(') {
        reader.push(at, at + 1, kinds, Rank::Definition);
    }
}

/// `load(…)`, `.load(…)`, and methods where they are defined.
fn call(reader: &mut Reader<'_, '_>, at: usize) {
    let word = reader.word(at);
    let after_point = reader.is_mark(at.wrapping_sub(1), b'.');
    let method = || reader.bodies.is_in_brackets() && defined(reader, at).is_some();
    let provided = reader.is_in(at, PROVIDED) && !method();
    // `-module(kitchen).` of Erlang
    if reader.is_mark(at.wrapping_sub(1), b'-') && reader.opens_line(at - 1) {
        if word == "module" && reader.is_word(at + 2) {
            reader.push_name_at(at + 2, at + 3, MODULE, Rank::Definition);
        }
        return;
    }
    // `constructor(queue) {` has no name of its own.
    if word == "constructor" && method() {
        let close = closing(reader, at + 1).unwrap_or(at + 1);
        return parameters(reader, at + 1, close);
    }
    let marked = at > 1 && reader.is_mark(at - 1, b'@');
    if marked && (reader.is_mark(at - 2, b'@') || reader.is(at, "relation")) {
        return calls::attribute(reader, at + 1);
    }
    if reader.is_in(at, NOT_CALLED.or(TYPE_WORDS)) && (provided || !reader.is_in(at, PROVIDED))
        || !after_point && provided
        || reader.is_built_in(at)
        || shapes::is_of_language(word)
        || word.chars().nth(1).is_none()
        || matches!(word.as_bytes(), [b'0'..=b'9', ..])
    {
        return;
    }
    let before = reader.before(at);
    if reader.is_word(at + 2)
        && before.is_some_and(|verb| reader.says_in_any_case(verb, any_of!("references")))
    {
        return sql::referenced(reader, at);
    }
    // "file(s)" and `count(*)` call nothing of ours.
    if reader.says(at + 2, any_of!("s es *")) && reader.is_mark(at + 3, b')') {
        return;
    }
    let qualified = after_point && reader.is_word(at.wrapping_sub(2));
    let defined = if after_point {
        None
    } else {
        defined(reader, at)
    };
    // A constructor is called as its class.
    let method = defined == Some(METHOD)
        && reader.bodies.is_in_brackets()
        && reader.word(reader.bodies.name) != word;
    // `{ Cast(knots); }` of C#: a class would have `new` before it.
    let stated = || {
        closing(reader, at + 1).is_some_and(|close| reader.is_mark(close + 1, b';'))
            && (reader.opens_line(at) || reader.says_before(at, any_of!("{ } ;")))
            && reader.word(reader.bodies.name) != word
    };
    let kinds = match reader.look(at) {
        Look::Capitals | Look::Constant => return,
        Look::Capital | Look::Pascal if !after_point && !method && !stated() => CLASS,
        _ if qualified => return,
        _ if after_point => METHOD,
        _ => defined.unwrap_or(FUNC),
    };
    let rank = match defined {
        Some(_) => Rank::Definition,
        None => Rank::Structure,
    };
    reader.push_plain(at, at + 1, kinds, rank);
    // `sleep(backoff)`: what is given is a name, bound wherever it may be.
    let given = at + 2;
    let plain = reader.is_word(given)
        && reader.look(given).is_plain()
        && !reader.is_in(given, ORDINARY_IN_CODE)
        && !reader.says(given, NEVER_NAMES);
    // "retry(twice) when asked"
    let behind = reader.skip_space(given + 2);
    let said =
        reader.is_word(behind) || reader.is_mark(behind, b'.') && ends_line(reader, behind + 1);
    if defined.is_none() && plain && reader.is_mark(given + 1, b')') && !said {
        reader.push_here(given, given + 1, &[Var, Param], Rank::Structure);
        reader.note_used(given);
    }
    if rank == Rank::Definition
        && let Some(close) = closing(reader, at + 1)
    {
        described(reader, at, kinds);
        // `Money fareOf(Leg leg) {`
        if let Some(given) = before {
            capital(reader, given, CLASS);
        }
        parameters(reader, at + 1, close);
    }
}

/// What a call's look defines: at most modifiers and a type before it, and a block behind it or, in
/// an interface, nothing. What is indented is a method.
fn defined(reader: &Reader<'_, '_>, at: usize) -> Option<&'static [Kind]> {
    let close = closing(reader, at + 1)?;
    if reader.is_mark(at.wrapping_sub(1), b'@') {
        return None;
    }
    let typed = |at: usize| {
        // `T` is a type, too.
        let mut letters = reader.word(at).bytes();
        is_type(reader, at)
            || is_capital(reader, at)
            || reader.is_mark(at, b'>')
            || letters.all(|letter| letter.is_ascii_uppercase())
    };
    let declared = reader.is_mark(close + 1, b';') && reader.before(at).is_some_and(typed);
    let ends = |at: &usize| reader.ends_statement(*at) || reader.is_mark(*at, b'{');
    let end = (close + 1..close + 16).find(ends);
    let block =
        end.is_some_and(|end| reader.is_mark(end, b'{')) || opens_next_line(reader, close + 1);
    let in_class = reader.bodies.is_in_brackets();
    let mut first = at;
    while let Some(before) = reader.before(first) {
        let kind = reader.scan.kind(before);
        // `class Mill { grind() {} }`, `@Input() set label(value) {`
        let opens = in_class && matches!(kind, Some(TokenKind(b'{' | b'}' | b';' | b')')));
        // `-  async seal(letter) {` of a diff
        let sided = || reader.says(before, any_of!("- +")) && reader.opens_line(before);
        if kind == Some(TokenKind::NEWLINE) || opens || sided() {
            break;
        }
        let modifier = reader.is_word(before) && !reader.is_in(before, NOT_CALLED)
            || reader.says(before, any_of!("async > < [ ] @ * # & ?"));
        if !modifier || at - before > 24 {
            return None;
        }
        first = before;
    }
    // `Load(id string) (Row, error)` of Go
    let alone = || first == at && !reader.says(close + 1, any_of!(", . )"));
    if in_class && !reader.is_mark(first, b'*') && (heads_method(reader, close + 1) || alone()) {
        return Some(METHOD);
    }
    let indented = reader.scan.kind(first.wrapping_sub(1)) == Some(TokenKind::SPACE);
    match indented {
        true => (block || declared).then_some(METHOD),
        false => (block && first < at).then_some(FUNC),
    }
}

/// Whether what stands behind a bracket, at `at`, goes on from the head of a method: `{`, `;`, `: Tide;`,
/// `const override;`.
fn heads_method(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at);
    reader.says(
        next,
        any_of!("{ ; : = const noexcept override throws where"),
    ) || reader.has_marks(next, b"->")
        || opens_next_line(reader, next)
}

/// Whether a block begins the line behind the one that ends at `at`.
fn opens_next_line(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_mark(at, b'\n') && reader.says_next(at + 1, any_of!("{"))
}

/// A word with a first capital, at `at`, where only a type stands: `cart: Cart,`, `-> Money {`, `Promise<Quote>`, `[]Route`.
#[inline(never)]
pub(super) fn type_place(reader: &mut Reader<'_, '_>, at: usize) {
    // `@Inject Ledger ledger;`
    if is_annotated(reader, at) {
        local(reader, at);
    }
    let mark = |at: usize| reader.scan.kind(at).map_or(0, |kind| kind.0);
    let behind = mark(reader.skip_space(at + 1));
    // In a body a field may have no more: `owner: Person`, `notes: [Note!]!`.
    let alone = b"\n!]".contains(&behind) && reader.bodies.is_in_brackets();
    // Most words have none of these behind them.
    if !alone && !b"{)>;=,|[?</:]".contains(&behind) {
        return tag(reader, at);
    }
    let Some(before) = reader.before(at) else {
        return;
    };
    let left = mark(before);
    // `def berth(no: int) -> Berth:`, `list[Berth]` of Python
    const GENERICS: &Words =
        any_of!("Iterable Iterator List Optional Sequence Set Type list set tuple type");
    let python = match behind {
        b':' => {
            reader.has_marks(before.wrapping_sub(1), b"->")
                && reader.is_mark(reader.left(before - 1), b')')
        }
        b']' => left == b'[' && reader.says(before.wrapping_sub(1), GENERICS),
        _ => false,
    };
    let listed = || left == b'[' && reader.says_before(before, any_of!(":"));
    let adjacent = before + 1 == at;
    // `Result<Badge, …`, `Promise<Menu | …`
    let first = || {
        // `useState<Row[]>(…)`
        let listed = || reader.is_mark(at + 1, b'[') && reader.is_mark(at + 3, b'>');
        left == b'<' && adjacent && before > 0 && (is_capital(reader, before - 1) || listed())
    };
    // `-> (Badge, Money)`
    let given = || match left {
        // `Err(Full)`
        b'(' if before > 0 && reader.is(before - 1, "Err") => true,
        b'(' | b',' => is_given(reader, before),
        // `(*Cellar, error) {` of Go
        b'*' => adjacent && before > 0 && is_given(reader, before - 1),
        _ => false,
    };
    let settled = matches!(left, b':' | b']') || first() || given();
    let closes = match behind {
        b'{' | b')' | b'>' | b';' | b'=' => true,
        _ if python => true,
        // `<Panel />`
        b'/' => {
            left == b'<' && adjacent && reader.says(reader.skip_space(at + 1) + 1, any_of!(">"))
        }
        b',' | b'|' | b'[' | b'?' | b'<' => settled,
        _ => alone && (left == b':' || listed()),
    };
    let opens = || match left {
        _ if python => true,
        // `name: Type`, with the colon on the name.
        b':' => before > 0 && (reader.is_word(before - 1) || reader.is_mark(before - 1, b')')),
        b'>' => before > 0 && reader.is_mark(before - 1, b'-'),
        b'<' | b'&' | b'*' => true,
        b',' | b'|' if behind == b'>' => is_generic(reader, before.saturating_sub(8), before),
        b',' | b'(' => given(),
        // `func (c *Cart) Total() Money {` of Go
        b')' => behind == b'{',
        b'[' => alone,
        // `[]Shelf`, `map[string]Shelf`
        b']' => {
            let map = || before > 2 && reader.is(before - 3, "map");
            adjacent && before > 0 && (reader.is_mark(before - 1, b'[') || map())
        }
        // `ticket := Ticket{…`
        _ => !adjacent && reader.is_mark(at + 1, b'{') && reader.says(before, any_of!("= return")),
    };
    let known = || reader.is_in(at, NOT_NAMES) || reader.is_built_in(at);
    if closes && opens() && !known() {
        reader.wide = alone;
        reader.push_plain(at, at + 1, CLASS, Rank::Structure);
        reader.wide = false;
    }
}

/// `<Panel title="Tides">` of JSX.
fn tag(reader: &mut Reader<'_, '_>, at: usize) {
    let opens = at > 0 && reader.is_mark(at - 1, b'<') && !reader.is_word(at.wrapping_sub(2));
    if opens && reader.scan.kind(at + 1) == Some(TokenKind::SPACE) && reader.is_mark(at + 3, b'=') {
        capital(reader, at, CLASS);
    }
}

/// Whether the bracket or the comma at `at` is of several types that a function gives.
fn is_given(reader: &Reader<'_, '_>, at: usize) -> bool {
    let mut places = (at.saturating_sub(8)..=at).rev();
    let Some(open) = places.find(|open| reader.is_mark(*open, b'(')) else {
        return false;
    };
    reader.before(open).is_some_and(|sign| {
        let block = || closing(reader, open).map(|close| reader.skip_space(close + 1));
        // `func Open(path string) (*Cellar, error) {`
        reader.is_mark(sign, b')') && block().is_some_and(|at| reader.is_mark(at, b'{'))
            || reader.is_mark(sign, b'>') && sign > 0 && reader.is_mark(sign - 1, b'-')
    })
}

/// Whether what stands at `to` is a parameter of a type that begins behind `from`: `HashMap<u64, Money>`.
fn is_generic(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    reader.find(from, to, any_of!("<")).is_some()
}

#[cfg(test)]
mod tests {
    use super::STANDARD;

    #[test]
    fn standard_modules_are_sorted() {
        assert!(STANDARD.is_sorted());
    }
}
