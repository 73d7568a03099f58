//! What a token looks like: URLs, paths, versions, dates, qualified names, humps and underscores.

mod forms;
mod numbers;
mod paths;
mod qualified;
mod word;

use super::{REACH, Reader, Reading, claim, code};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::{Look, Makeup},
        scanner::TokenKind,
        words::{self, ALGORITHMS, Words, any_of},
    },
};
use forms::{
    LETTER, LETTER_OR_DIGIT, is_address, is_advisory, is_cve, is_date, is_email, is_granted,
    is_header, is_kebab, is_of, is_operation, is_permission, is_scoped, is_standard, is_ticket,
    is_uuid, is_version, opens_with,
};
use numbers::number;
use paths::{before_numbers, namespaced, path, query};
use qualified::qualified;

pub(super) use forms::{count_of, cut, is_algorithm, is_of_language};
pub(in crate::scrub) use paths::stem;
pub(super) use paths::{host_kinds, path_kinds};
pub(super) use word::word;

/// What may be inside a run beside words and numbers.
pub(super) const RUN_MARKS: &[u8] = b"./:\\@-+~#%*";

/// Which marks a run has, as bits.
#[derive(Clone, Copy, Default)]
struct Marks(u16);

impl Marks {
    const AT: Self = Self::of(b'@');
    const BACKSLASH: Self = Self::of(b'\\');
    const COLON: Self = Self::of(b':');
    const HASH: Self = Self::of(b'#');
    const HYPHEN: Self = Self::of(b'-');
    const POINT: Self = Self::of(b'.');
    const SLASH: Self = Self::of(b'/');
    const NONE: Self = Self(0);
    /// What it belongs to is a part of the run: a word, a number, a placeholder.
    const PART: Self = Self(1 << 13);
    /// It begins as a version does.
    const VERSION: Self = Self(1 << 14);
    /// It begins with a word that is, or may begin with, the name of an algorithm.
    const ALGORITHM: Self = Self(1 << 15);

    const fn of(mark: u8) -> Self {
        let mut at = 0;
        while at < RUN_MARKS.len() {
            if RUN_MARKS[at] == mark {
                return Self(1 << at);
            }
            at += 1;
        }
        Self(0)
    }

    const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What each kind of token is in a run: the bit of its mark, or that it is a part; none where it ends the
/// run.
static IN_RUN: [Marks; 256] = {
    let mut marks = [Marks::NONE; 256];
    let mut at = 0;
    while at < RUN_MARKS.len() {
        marks[RUN_MARKS[at] as usize] = Marks::of(RUN_MARKS[at]);
        at += 1;
    }
    marks[TokenKind::WORD.0 as usize] = Marks::PART;
    marks[TokenKind::NUMBER.0 as usize] = Marks::PART;
    marks[TokenKind::PLACEHOLDER.0 as usize] = Marks::PART;
    marks
};

/// Whether a mark may be inside a run.
pub(super) const fn joins_run(mark: u8) -> bool {
    IN_RUN[mark as usize].0 & !Marks::PART.0 != 0
}

/// Whether a mark joins the words of a run and is nothing to any other rule.
pub(super) fn only_joins(kind: TokenKind) -> bool {
    matches!(kind.0, b'.' | b'/' | b'\\' | b'-' | b'~' | b'@')
}

/// Whether a run may begin with such a token.
pub(super) fn opens_run(kind: TokenKind) -> bool {
    match kind {
        TokenKind::WORD | TokenKind::NUMBER | TokenKind::PLACEHOLDER => true,
        TokenKind(mark) => matches!(mark, b'.' | b'/' | b'\\' | b'~' | b'-' | b'@'),
    }
}

/// Reads the run of tokens without white space that begins at `at`; says where it ends.
#[inline(never)]
pub(super) fn run(reader: &mut Reader<'_, '_>, at: usize) -> usize {
    // `...rows.late`: what is spread is read by itself.
    let spread = reader.has_marks(at, b"...") && reader.is_word(at + 3);
    let at = at + 3 * usize::from(spread);
    // Most are of one token, and most of these are words that say nothing by their look.
    let token = &reader.scan.tokens[at];
    if !token.kind.is_mark() && !reader.scan.kind(at + 1).is_some_and(is_in_run) {
        let silent = token.kind == TokenKind::WORD
            && token.look.is_ordinary()
            && !token.makeup.has(Makeup::DIGIT)
            && !token.lists().has(ALGORITHMS);
        if !silent || reader.reading == Reading::Claim {
            classify(reader, at, at + 1, Marks::NONE);
        }
        return at + 1;
    }
    let (mut end, mut marks) = end_of_run(reader, at);
    let thrown = marks.has(Marks::AT) && marks.has(Marks::SLASH) && marks.has(Marks::COLON);
    let at = if thrown {
        code::thrown(reader, at, end)
    } else {
        at
    };
    if marks.has(Marks::COLON)
        && marks.has(Marks::SLASH)
        && let Some(url_end) = url(reader, at, end)
    {
        return url_end;
    }
    // What closes a sentence is not the run's.
    let closes = |kind: TokenKind| kind.is_mark() && !matches!(kind.0, b'/' | b'*' | b'}');
    let whole = end;
    while end > at + 1 && reader.scan.kind(end - 1).is_some_and(closes) {
        end -= 1;
    }
    // `**telemetry.host**` of Markdown
    while reader.is_word(at)
        && end > at + 1
        && at > 0
        && reader.is_mark(at - 1, b'*')
        && reader.is_mark(end - 1, b'*')
    {
        end -= 1;
    }
    if end < whole && end == at + 1 {
        marks = reader
            .scan
            .kind(at)
            .map_or(Marks::NONE, |kind| IN_RUN[usize::from(kind.0)]);
    }
    classify(reader, at, end, marks);
    // Behind a mark there was nothing but marks: each would look at all that follow it.
    match end == at + 1 && reader.scan.tokens[at].kind.is_mark() {
        true => whole,
        false => end,
    }
}

/// Whether such a token is in the run that it follows.
pub(super) fn is_in_run(kind: TokenKind) -> bool {
    IN_RUN[usize::from(kind.0)].0 != 0
}

/// Where the run ends, and which marks are in it.
fn end_of_run(reader: &Reader<'_, '_>, at: usize) -> (usize, Marks) {
    let parts = |at: usize| matches!(reader.scan.kind(at), Some(TokenKind(b'/' | b'\\')));
    let mut marks = Marks::NONE;
    let mut end = at;
    loop {
        match reader.scan.kind(end) {
            Some(TokenKind(b':')) if end >= at + 3 && has_line(reader, end) => {
                return (end + 2, marks.or(Marks::COLON));
            }
            Some(kind) if is_in_run(kind) => marks = marks.or(IN_RUN[usize::from(kind.0)]),
            // `/carts/{cartId}`
            Some(TokenKind(b'{')) if marks.has(Marks::SLASH) && reader.is_mark(end - 1, b'/') => {}
            Some(TokenKind(b'}')) if marks.has(Marks::SLASH) && reader.is_word(end - 1) => {}
            // `docs/使い方.md`, not "/v1/users接口"
            Some(TokenKind::IDEOGRAPHS)
                if marks.has(Marks::SLASH.or(Marks::BACKSLASH))
                    && parts(end - 1)
                    && (parts(end + 1)
                        || reader.is_mark(end + 1, b'.') && reader.is_word(end + 2)) => {}
            _ => return (end.max(at + 1), marks),
        }
        end += 1;
    }
}

/// Whether the line in a file is behind the colon at `at`, and something right behind that: `src/wire.py:17:from`, as
/// `grep` writes, `bin/quilt:9:in` of Ruby.
fn has_line(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_number(at + 1)
        && reader.is_mark(at + 2, b':')
        && reader.scan.kind(at + 3).is_some_and(is_in_run)
        && !reader.is_number(at + 3)
        && (reader.is(at + 3, "in")
            || reader.is_mark(at - 2, b'.') && words::is_extension(reader.word(at - 1)))
}

/// `scheme://…`, to where it ends.
#[inline(never)]
fn url(reader: &mut Reader<'_, '_>, at: usize, end: usize) -> Option<usize> {
    let scheme =
        (at + 1..end).find(|at| reader.has_marks(*at, b"://") && reader.is_word(*at - 1))?;
    let mut last = scheme + 3;
    let mut open = 0_usize;
    let mut scrubbed = false;
    while let Some(kind) = reader.scan.kind(last) {
        match kind {
            TokenKind::SPACE | TokenKind::NEWLINE | TokenKind::IDEOGRAPHS => break,
            TokenKind::PLACEHOLDER => scrubbed = true,
            TokenKind(b'(') => open += 1,
            TokenKind(b')') if open == 0 => break,
            TokenKind(b')') => open -= 1,
            TokenKind(mark) if b"\"'`<>|\\^\0".contains(&mark) => break,
            _ => {}
        }
        last += 1;
    }
    let closes = |kind: TokenKind| b".,;:!?]}*".contains(&kind.0);
    while last > scheme + 3 && reader.scan.kind(last - 1).is_some_and(closes) {
        last -= 1;
    }
    if scrubbed {
        return Some(last);
    }
    // Credentials are the business of the secrets; what follows them is the URL.
    let authority = (scheme + 3..last)
        .take_while(|at| !reader.is_mark(*at, b'/') && !reader.is_mark(*at, b'?'));
    let userinfo = authority.filter(|at| reader.is_mark(*at, b'@')).last();
    match userinfo {
        Some(userinfo) => {
            word(reader, scheme + 3, &[]);
            reader.push(userinfo + 1, last, &[Url], Rank::Shape);
        }
        // `file:///app/dist/quotes.mjs:18:20`, `https://till.example/js/stamp.js:14:9`
        None => {
            let place = before_numbers(reader, scheme + 3, last);
            let end = place - usize::from(reader.is_mark(place - 1, b'?'));
            let file = reader.is(scheme - 1, "file");
            let named = reader.is_mark(end - 2, b'.')
                && words::is_extension(reader.word(end - 1))
                && reader.find(scheme + 3, end, any_of!("/")).is_some();
            let line = reader.is_mark(place, b':') && reader.is_number(place + 1);
            if line && (file || named) {
                reader.push(place + 1, place + 2, &[Line, Num], Rank::Structure);
            }
            if file {
                last = place;
                reader.push(scheme - 1, last, &[Url, Path], Rank::Shape);
            } else {
                reader.push(scheme - 1, last, &[Url], Rank::Shape);
            }
        }
    }
    if reader.says(scheme - 1, DATABASES) {
        let host = userinfo.unwrap_or(scheme + 2);
        let path = reader.find(host + 1, last, any_of!("/"));
        if let Some(name) = path.map(|at| at + 1).filter(|at| reader.is_word(*at)) {
            reader.push(name, name + 1, &[Db], Rank::Structure);
        }
    }
    Some(last)
}

/// Schemes of URLs whose path is a database.
const DATABASES: &Words = any_of!("mariadb mongodb mssql mysql postgres postgresql srv");

fn classify(reader: &mut Reader<'_, '_>, from: usize, to: usize, marks: Marks) {
    let token = &reader.scan.tokens[from];
    let single = to == from + 1;
    let evidence = reader.reading == Reading::Evidence;
    // What is left beside a placeholder was left on purpose: a second scrub changes nothing.
    if reader.has_scrubbed(from, to) {
        return;
    }
    // A word of letters alone is none of the forms that stand for themselves.
    let letters = single && token.kind == TokenKind::WORD && !token.lists().has(ALGORITHMS);
    let letters = letters && token.makeup.is_letters();
    if letters && evidence {
        return word(reader, from, &[]);
    }
    let text = reader.text(from, to);
    // A number alone is no other form than a version, which has two points.
    let points = || count_of(text, b'.') + usize::from(token.makeup.has(Makeup::SMALL));
    if single && evidence && token.kind == TokenKind::NUMBER && points() < 2 {
        return number(reader, from);
    }
    if marks.has(Marks::COLON) && reader.is(from, "arn") {
        return resource(reader, from, to);
    }
    if !letters && let Some(kinds) = whole(reader, from, text, marks) {
        match kinds {
            [] if evidence => {}
            [] => reader.push(from, to, &[Id], Rank::Shape),
            kinds => reader.push(from, to, kinds, Rank::Shape),
        }
        if kinds != [Perm] {
            return;
        }
    }
    let numbered = reader.is_number(to - 1);
    // `Harbour.enter/1`
    let counted = numbered
        && marks.has(Marks::SLASH)
        && marks.has(Marks::POINT)
        && opens_with(text, Makeup::CAPITAL);
    if counted && cut(text, b'/').is_some_and(|(_, rest)| rest == reader.word(to - 1)) {
        number(reader, to - 1);
        return classify(reader, from, to - 2, Marks::POINT);
    }
    if marks.has(Marks::BACKSLASH) && namespaced(reader, from, to) {
        return;
    }
    let pathlike = Marks::SLASH.or(Marks::BACKSLASH).or(Marks::POINT);
    if marks.has(pathlike) && path(reader, from, to, marks) {
        return;
    }
    // `db.host:5432`
    let port = numbered
        && marks.has(Marks::COLON)
        && marks.has(Marks::POINT)
        && !evidence
        && to > from + 3
        && reader.is_mark(to - 2, b':');
    if port {
        number(reader, to - 1);
        return classify(reader, from, to - 2, marks.without(Marks::COLON));
    }
    let first = token.kind;
    if first == TokenKind(b'.') && code::received(reader, from) {
        return;
    }
    if first == TokenKind(b'-') && flag(reader, from, to) {
        return;
    }
    if marks.has(Marks::POINT.or(Marks::COLON)) && qualified(reader, from, to) {
        return;
    }
    if marks.has(Marks::HASH) && instance_method(reader, from, to) {
        return;
    }
    if !evidence {
        return claim::run(reader, from, to);
    }
    if marks.has(Marks::HYPHEN) && is_kebab(text) {
        if is_versioned(reader, to) {
            return reader.push(from, to, &[Pkg, Module, Id], Rank::Shape);
        }
        // `quay-web-2`
        let numbered = matches!(text.as_bytes(), [.., b'0'..=b'9']);
        if numbered && count_of(text, b'-') > 1 {
            reader.push(from, to, &[Id], Rank::Shape);
        }
    }
    // Piece by piece: `key:value`, `a-b`, `and/or`.
    for at in from..to {
        match reader.scan.kind(at) {
            Some(TokenKind::WORD) if !single && is_algorithm_at(reader, at) => {
                reader.push(at, at + 1, &[Algo], Rank::Shape);
            }
            Some(TokenKind::WORD) => word(reader, at, &[]),
            // `debian:12.5-slim`
            Some(TokenKind::NUMBER)
                if at > from
                    && reader.is_mark(at - 1, b':')
                    && reader.is_mark(at + 1, b'-')
                    && count_of(reader.word(at), b'.') > 0 =>
            {
                reader.push(at, at + 1, &[Version, Num], Rank::Shape);
            }
            Some(TokenKind::NUMBER) => number(reader, at),
            _ => {}
        }
    }
}

/// Whether a run has a form.
type Form = fn(&str) -> bool;

/// Forms that are recognised as a whole, in the order in which they are tried, and marks one of
/// which each of them has.
#[rustfmt::skip]
static WHOLE: [(Form, Marks, &[Kind]); 15] = [
    (is_uuid, Marks::HYPHEN, &[Id]),
    (is_cve, Marks::HYPHEN, &[Cve, Id]),
    (is_advisory, Marks::HYPHEN, &[Vuln, Cve, Id]),
    (is_date, Marks::VERSION, &[Date, Num]),
    (is_address, Marks::VERSION, &[Num]),
    (is_version, Marks::VERSION, &[Version, Num]),
    (is_email, Marks::AT, &[Id]),
    (is_scoped, Marks::AT, &[Pkg, Module, Id]),
    (is_granted, Marks::SLASH, &[Role]),
    (is_header, Marks::HYPHEN, &[Key, Param]),
    (is_algorithm, Marks::ALGORITHM, &[Algo]),
    (is_permission, Marks::COLON, &[Perm]),
    (is_operation, Marks::SLASH, &[Perm]),
    (is_standard, Marks::HYPHEN, &[]),
    (is_ticket, Marks::HYPHEN, &[Id]),
];

/// The marks of which each form has one.
const OF_WHOLE: Marks = {
    let mut marks = Marks::NONE;
    let mut at = 0;
    while at < WHOLE.len() {
        marks = marks.or(WHOLE[at].1);
        at += 1;
    }
    marks
};

fn whole(
    reader: &Reader<'_, '_>,
    from: usize,
    text: &str,
    marks: Marks,
) -> Option<&'static [Kind]> {
    /// Nothing that is recognised as a whole is longer.
    const LONGEST: usize = 254;
    if text.len() > LONGEST {
        return None;
    }
    let mut marks = marks;
    if matches!(text.as_bytes(), [b'0'..=b'9' | b'v' | b'V', ..]) {
        marks = marks.or(Marks::VERSION);
    }
    if may_be_algorithm(reader, from) {
        marks = marks.or(Marks::ALGORITHM);
    }
    if !marks.has(OF_WHOLE) {
        return None;
    }
    WHOLE
        .iter()
        .find(|(is, needed, _)| marks.has(*needed) && is(text))
        .map(|(_, _, kinds)| *kinds)
}

/// What the value of a setting may be, by its look.
pub(super) fn value_kinds(text: &str) -> &'static [Kind] {
    if text.contains("://") {
        return &[Url, Value];
    }
    // `path: /healthz`
    if text.starts_with('/') && matches!(path_kinds(text), Some([Endpoint, ..])) {
        return &[Endpoint, Value];
    }
    match is_version(text) && !is_address(text) {
        true => &[Version, Value],
        false => &[Value],
    }
}

/// Whether a version follows what ends at `at`: "acme-parser before 4.2.1", `acme-parser 4.2`.
fn is_versioned(reader: &Reader<'_, '_>, at: usize) -> bool {
    const MOST_TOKENS: usize = 5;
    const BETWEEN: &Words = any_of!("before version versions until through < = > ~ ^");
    let between = |at: usize| reader.is(at, " ") || reader.says(at, BETWEEN);
    let mut next = at;
    while next < at + MOST_TOKENS && between(next) {
        next += 1;
    }
    let text = reader.word(next);
    let numbered = matches!(
        text.as_bytes(),
        [b'0'..=b'9', ..] | [b'v' | b'V', b'0'..=b'9', ..]
    );
    next > at && numbered && count_of(text, b'.') > 0
}

/// `arn:aws:iam::123456789012:role/berth-reader`
fn resource(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    reader.push(from, to, &[Id], Rank::Shape);
    let role = (from..to)
        .find(|at| reader.says(*at, any_of!("role user group")) && reader.is_mark(at + 1, b'/'));
    if let Some(role) = role {
        reader.push(role + 2, to, &[Role], Rank::Structure);
    }
}

/// The same of the word at `at`.
fn is_algorithm_at(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    may_be_algorithm(reader, at) && is_algorithm(word)
}

/// Whether the word at `at` may be one, or begin with one.
fn may_be_algorithm(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, ALGORITHMS) || reader.scan.makeup(at).has(Makeup::UNDERSCORE)
}

/// `  -max-conns int` in the help of a program of Go, above what it says of it.
fn is_helped(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    const VALUES: &Words = any_of!("bool duration float int string uint value");
    let kind = reader.skip_space(to);
    let end = to.max(usize::from(reader.says(kind, VALUES)) * (kind + 1));
    let indent = |at: usize| match reader.is_space(at) {
        true => reader.word(at).len(),
        false => 0,
    };
    let own = indent(from.wrapping_sub(1));
    own > 0
        && reader.is_word(from + 1)
        && reader.is_mark(end, b'\n')
        && indent(end + 1) > own
        && reader.opens_line(from)
}

/// `--older-than`, `-v`.
fn flag(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    // `**--quiet**` of Markdown
    let mut to = to;
    while to > from + 1 && reader.is_mark(to - 1, b'*') {
        to -= 1;
    }
    let text = reader.text(from, to);
    // `curl -d grant_type=password`, not `docker run -d`
    let sends = || {
        let before = from.saturating_sub(REACH);
        reader
            .find(before, from, any_of!("curl http wget"))
            .is_some()
    };
    if any_of!("--data --data-urlencode --form").has(text) || any_of!("-F -d").has(text) && sends()
    {
        let given = reader.skip_space(to);
        let quoted = reader.says(given, any_of!("' \""));
        query(reader, given + usize::from(quoted));
    }
    let hyphens = text.bytes().take_while(|byte| *byte == b'-').count();
    let name = &text[hyphens..];
    let named = || opens_with(name, LETTER) && is_of(name, LETTER_OR_DIGIT, b"-_.");
    let short = name.len() == 1;
    let fits = match hyphens {
        1 if short => is_of(name, LETTER, &[]),
        1 => named() && is_helped(reader, from, to),
        2 => named(),
        _ => false,
    };
    if !fits {
        return false;
    }
    // Wherever a flag stands its hyphens show it; the word of its name is used for much else.
    match to - from {
        2 if short => reader.push_here(from, to, &[Param], Rank::Structure),
        3 if reader.reading == Reading::Evidence => {
            reader.push_here(from, to, &[Param, Config, Id], Rank::Structure);
        }
        _ => reader.push(from, to, &[Param, Config, Id], Rank::Structure),
    }
    true
}

/// `PageCache#evict`, as documents of Java, JavaScript and Ruby write a method.
fn instance_method(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    let class = code::is_capital(reader, from);
    let fits = to == from + 3
        && class
        && reader.is_mark(from + 1, b'#')
        && reader.is_word(from + 2)
        && matches!(
            reader.look(from + 2),
            Look::Camel | Look::Plain | Look::Small | Look::Snake
        );
    if fits {
        reader.push_name_at(from, from + 1, &[Class, Type], Rank::Structure);
        reader.push_name_at(from + 2, to, &[Method, Func], Rank::Structure);
    }
    fits
}
