//! What a token looks like: URLs, paths, versions, dates, qualified names, humps and underscores.

use super::{REACH, Reader, Reading, calls, claim, code, config, ends_in, prose, sql};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::{Look, MAKEUP, Makeup, count},
        scanner::TokenKind,
        words::{
            self, ALGORITHMS, CALL, DOTTED, FOLDERS, HTTP_METHODS, LANGUAGE, MONTH, SQL, Words,
            any_of,
        },
    },
};

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

/// What stands before a mark and behind it. Runs are short: looking for it as std does takes longer to
/// begin than to end.
#[inline(never)]
pub(super) fn cut(text: &str, mark: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == mark)?;
    Some((&text[..at], &text[at + 1..]))
}

/// The parts of a text between some marks.
fn parts<'t>(text: &'t str, marks: &'static [u8]) -> Parts<'t> {
    Parts(Some(text), marks)
}

/// What is left of the text, and the marks.
struct Parts<'t>(Option<&'t str>, &'static [u8]);

impl<'t> Iterator for Parts<'t> {
    type Item = &'t str;

    #[inline(never)]
    fn next(&mut self) -> Option<&'t str> {
        let text = self.0?;
        let end = text.bytes().position(|byte| self.1.contains(&byte));
        self.0 = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    }
}

/// How often a mark stands in a text.
#[inline(never)]
pub(super) fn count_of(text: &str, mark: u8) -> usize {
    count(text, &|byte| *byte == mark)
}

/// What stands behind the last mark, or the whole text.
#[inline(never)]
fn last_part(text: &str, mark: u8) -> &str {
    let at = text.bytes().rposition(|byte| byte == mark);
    &text[at.map_or(0, |at| at + 1)..]
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

const LETTER: Makeup = Makeup::SMALL.and(Makeup::CAPITAL);
const SMALL_OR_DIGIT: Makeup = Makeup::SMALL.and(Makeup::DIGIT);
const LETTER_OR_DIGIT: Makeup = LETTER.and(Makeup::DIGIT);

/// Whether all characters of a text are of some classes or one of `more`.
#[inline(never)]
fn is_of(text: &str, classes: Makeup, more: &[u8]) -> bool {
    text.bytes()
        .all(|byte| Makeup(MAKEUP[usize::from(byte)]).has(classes) || more.contains(&byte))
}

/// The same of a text that has any.
fn is_some_of(text: &str, classes: Makeup, more: &[u8]) -> bool {
    !text.is_empty() && is_of(text, classes, more)
}

/// Whether a text begins with a character of some classes.
fn opens_with(text: &str, classes: Makeup) -> bool {
    is_some_of(text.get(..1).unwrap_or_default(), classes, &[])
}

/// Whether a text begins as a form does in which 0 stands for any digit.
#[inline(never)]
fn begins(text: &str, form: &str) -> bool {
    let fits = |(byte, form): (u8, u8)| byte == form || form == b'0' && byte.is_ascii_digit();
    text.len() >= form.len() && text.bytes().zip(form.bytes()).all(fits)
}

fn is_uuid(text: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}

fn is_cve(text: &str) -> bool {
    let number = |part: &str| part.len() >= 4 && is_of(part, Makeup::DIGIT, &[]);
    cut(text, b'-').is_some_and(|(word, rest)| {
        word.eq_ignore_ascii_case("CVE")
            && cut(rest, b'-').is_some_and(|(year, rest)| number(year) && number(rest))
    })
}

/// `GHSA-2f7q-8xxm-w3vr`, `CWE-502`, `RUSTSEC-2021-0001`.
fn is_advisory(text: &str) -> bool {
    const PREFIXES: &Words = any_of!("CAPEC CWE DSA GHSA OSV PYSEC RHSA RUSTSEC USN");
    cut(text, b'-').is_some_and(|(prefix, rest)| {
        PREFIXES.has(prefix)
            && is_of(rest, LETTER_OR_DIGIT, b"-:")
            && !is_of(rest, Makeup::default(), b"-:")
    })
}

/// `2031-04-09`, `06:12:44`, `09:14`, `2031-04-09T06:12:44.5Z`, `01:00-04:30`, `11/Jun/2031:08:20:41`,
/// `9/4/2031`, `09.04.2031`.
fn is_date(text: &str) -> bool {
    // The year is last: with points, too, where day and month have two digits.
    #[rustfmt::skip]
    const WHOLE: [&str; 7] = [
        "0:00", "0/0/0000", "00/0/0000", "0/00/0000", "00/00/0000", "00-00-0000", "00.00.0000",
    ];
    const BEGINNINGS: [&str; 3] = ["00:00", "0000-00-00", "0000/00/00"];
    if !opens_with(text, Makeup::DIGIT) {
        return false;
    }
    if let Some((day, rest)) = cut(text, b'/')
        && let Some((month, year)) = cut(rest, b'/')
        && words::is_in(MONTH, month)
    {
        return is_of(year, Makeup::DIGIT, b":") && is_of(day, Makeup::DIGIT, &[]);
    }
    let is_whole = |form: &str| form.len() == text.len() && begins(text, form);
    // `2031-04`
    let month = is_whole("0000-00") && ("01"..="12").contains(&&text[5..]);
    month
        || WHOLE.iter().any(|form| is_whole(form))
        || is_of(text, Makeup::DIGIT, b"-:/.TZ+")
            && BEGINNINGS.iter().any(|form| begins(text, form))
}

/// `3.4.0`, `v2.1`, `3.0.0-rc.1`, `1.2.3+build.5`, `3.4.x`, `3.13.0rc2`; two numbers alone are an ordinary number.
fn is_version(text: &str) -> bool {
    let prefix = matches!(text.as_bytes(), [b'v' | b'V', ..]);
    let rest = &text[usize::from(prefix)..];
    let any = rest.strip_suffix(".x");
    // `3.13.0rc2`, `4.0.0.dev3` of Python
    let stem = rest.trim_end_matches(|char: char| char.is_ascii_digit());
    let stages = ["a", "b", "rc", ".dev", ".post"];
    let stage = stages.iter().find_map(|stage| stem.strip_suffix(stage));
    let staged = stage.filter(|_| stem.len() < rest.len());
    let rest = any.or(staged).unwrap_or(rest);
    let in_core = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let core = rest.bytes().position(|byte| !in_core(byte));
    let (core, tail) = rest.split_at(core.unwrap_or(rest.len()));
    let points = count_of(core, b'.');
    let tagged =
        matches!(tail.as_bytes(), [b'-' | b'+', ..]) && is_of(tail, LETTER_OR_DIGIT, b".-+");
    let mut parts = core.as_bytes().split(|byte| *byte == b'.');
    parts.all(|part| !part.is_empty())
        && (tail.is_empty() || tagged && points > 0)
        && (points > 1 || any.is_some() || points > 0 && (prefix || tagged || staged.is_some()))
}

/// `10.0.0.7`, `0.0.0.0`: an address of a host. A version of four numbers begins with one digit: `6.1.4.1`.
fn is_address(text: &str) -> bool {
    let first = cut(text, b'.').map_or("", |(first, _)| first);
    count_of(text, b'.') == 3
        && (first == "0" || matches!(first.len(), 2 | 3))
        && is_of(text, Makeup::DIGIT, b".")
}

/// `UTF-8`, `ISO-8601`: well known.
fn is_standard(text: &str) -> bool {
    const WORDS: &Words = any_of!("AES ANSI ASCII CP IEC IEEE ISO RFC SHA UTF WCAG WIN");
    cut(text, b'-')
        .is_some_and(|(word, number)| WORDS.has(word) && is_of(number, Makeup::DIGIT, b"-"))
}

/// `ABC-123`
fn is_ticket(text: &str) -> bool {
    cut(text, b'-').is_some_and(|(word, number)| {
        words::is_all_capitals(word) && is_some_of(number, Makeup::DIGIT, &[])
    })
}

fn is_email(text: &str) -> bool {
    cut(text, b'@').is_some_and(|(user, host)| {
        let ending = last_part(host, b'.');
        is_some_of(user, LETTER_OR_DIGIT, b"._%+-")
            && is_of(host, LETTER_OR_DIGIT, b".-")
            && ending.len() < host.len()
            && ending.len() > 1
            && is_of(ending, LETTER, &[])
    })
}

/// `@scope/name` of npm.
fn is_scoped(text: &str) -> bool {
    let parts = text.strip_prefix('@').and_then(|text| cut(text, b'/'));
    let fits = |part: &str| opens_with(part, SMALL_OR_DIGIT) && is_of(part, SMALL_OR_DIGIT, b"-_.");
    parts.is_some_and(|(scope, name)| fits(scope) && fits(name))
}

/// `roles/storage.objectViewer`, `projects/x/roles/y` of Google Cloud.
fn is_granted(text: &str) -> bool {
    let role = last_part(text, b'/');
    let of = text.strip_suffix(role).unwrap_or_default();
    (of == "roles/" || of.ends_with("/roles/"))
        && is_some_of(role, LETTER_OR_DIGIT, b"._-")
        && !is_file(role)
}

/// `X-Api-Key`
fn is_header(text: &str) -> bool {
    let name = text.strip_prefix("X-");
    name.is_some_and(|name| parts(name, b"-").all(|part| opens_with(part, Makeup::CAPITAL)))
}

/// `acme-parser`, `quay-web-2`: small letters and hyphens.
fn is_kebab(text: &str) -> bool {
    let part = |part| is_some_of(part, SMALL_OR_DIGIT, &[]);
    opens_with(text, Makeup::SMALL) && parts(text, b"-").all(part)
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

/// Parts of an algorithm's name behind the first: sizes, modes, paddings.
const MODES: &Words = any_of!(
    "128 192 224 256 384 512 521 aead cbc ccm cfb ctr ecb gcm gmac hellman hmac mgf1 oaep ofb pkcs1 pkcs5 pkcs7 poly1305 \
    pss sha1 sha2 sha256 sha3 sha384 sha512 siv wrap xts"
);

fn is_mode(part: &str) -> bool {
    MODES.has_in_any_case(part)
}

/// `bcrypt`, `SHA-1`, `AES-256-GCM`, `HMAC-SHA256`, `aes-256-cbc`.
pub(super) fn is_algorithm(text: &str) -> bool {
    let mut behind = parts(text, b"-_");
    let head = behind.next().unwrap_or_default();
    // `TLS_AES_256_GCM_SHA384`
    if let "TLS" | "SSL" = head {
        let (mut named, mut modes) = (0, 0);
        for part in parts(text, b"_") {
            match words::is_in(ALGORITHMS, part) && part.len() > 1 {
                true => named += 1,
                false => modes += usize::from(is_mode(part)),
            }
        }
        // `TLS_RSA_KEY_FILE` is a setting.
        return named > 0 && named + modes > 1;
    }
    if !words::is_in(ALGORITHMS, head) {
        return false;
    }
    // `P-256`
    let long = head.len() > 1;
    match head == text {
        true => long && !any_of!("sha des Des dsa Diffie").has(text),
        false => {
            long && is_of(head, Makeup::CAPITAL.and(Makeup::DIGIT), &[]) || behind.all(is_mode)
        }
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

/// `s3:PutObject`, `secrets:list`: two names and one colon.
fn is_permission(text: &str) -> bool {
    let name = |part: &str| part.len() > 1 && is_of(part, LETTER_OR_DIGIT, b"_-*.");
    cut(text, b':').is_some_and(|(scope, action)| {
        opens_with(scope, Makeup::SMALL)
            && name(scope)
            && (action == "*" || opens_with(action, LETTER) && name(action))
            && !is_other_pair(scope, action)
    })
}

/// `sha256:9f2c…`, `nginx:latest`, `tcp:sql.example`: what else has two names and one colon.
fn is_other_pair(scope: &str, action: &str) -> bool {
    any_of!("mailto md5 sha1 sha256 sha512 tcp udp xmlns xsi").has(scope)
        || any_of!("alpine latest slim stable").has(action)
}

/// `Microsoft.Storage/storageAccounts/read` of Azure.
fn is_operation(text: &str) -> bool {
    let capital =
        |part: &str| opens_with(part, Makeup::CAPITAL) && is_of(part, LETTER_OR_DIGIT, &[]);
    cut(text, b'/').is_some_and(|(provider, rest)| {
        let action = last_part(rest, b'/');
        cut(provider, b'.').is_some_and(|(first, second)| capital(first) && capital(second))
            && any_of!("* action delete read write").has(action)
            && rest != action
    })
}

/// A path with what says where in the file: `src/a.rs:118:23`.
#[inline(never)]
fn path(reader: &mut Reader<'_, '_>, from: usize, to: usize, marks: Marks) -> bool {
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
    // `runner.rb:9:in` of Ruby
    let traced = to > from + 4
        && reader.is(to - 1, "in")
        && reader.is_mark(to - 2, b':')
        && reader.is_number(to - 3);
    let to = if traced { to - 2 } else { to };
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
fn before_numbers(reader: &Reader<'_, '_>, from: usize, to: usize) -> usize {
    let mut end = to;
    while end >= from + 3 && reader.is_number(end - 1) && reader.is_mark(end - 2, b':') {
        end -= 2;
    }
    end
}

/// `App\Models\Coupon` of PHP: a class and its namespace, behind `namespace` no class.
fn namespaced(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
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
fn query(reader: &mut Reader<'_, '_>, at: usize) {
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

pub(super) fn path_kinds(text: &str) -> Option<&'static [Kind]> {
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
pub(super) fn host_kinds(text: &str) -> &'static [Kind] {
    let last = last_part(text, b'.');
    match is_top_level(last) {
        true => &[Url, Id],
        // `queue.max-length`
        false if last.len() < text.len() => &[Config, Id],
        false => &[Id],
    }
}

/// The last part of a host's name.
fn is_top_level(part: &str) -> bool {
    any_of!("com de dev eu example io net org uk").has(part)
}

/// A name with a known ending.
fn is_file(name: &str) -> bool {
    let ending = last_part(name, b'.');
    let Some(stem) = name
        .strip_suffix(ending)
        .and_then(|stem| stem.strip_suffix('.'))
    else {
        return false;
    };
    (stem.len() > 1 || ending.len() > 1)
        && words::is_extension(ending)
        && is_of(stem, LETTER_OR_DIGIT.and(Makeup::WIDE), b"._-@+{}")
        && !DOTTED.contains(&name)
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

/// Reads the name that stands from `from` up to `to`; says whether it is one.
fn qualified(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    let Some(name) = Qualified::read(reader, from, to) else {
        return method_of_ruby(reader, from, to);
    };
    if name.is_one(reader) || name.is_told(reader) {
        return true;
    }
    for nth in 0..name.count {
        name.part(reader, nth);
    }
    name.whole(reader);
    true
}

/// `Depot::Ledger.open(…)` of Ruby: its method is seen where it is called.
fn method_of_ruby(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    let called = to > from + 5
        && reader.is_mark(from + 1, b':')
        && reader.is_word(to - 1)
        && reader.is_mark(to - 2, b'.')
        && reader.is_mark(to - 4, b':')
        && qualified(reader, from, to - 2);
    if called && reader.is_mark(to, b'(') {
        reader.push_plain(to - 1, to, &[Method, Func], Rank::Structure);
    }
    called
}

struct Qualified {
    from: usize,
    to: usize,
    /// Whether colons join the parts, and not points.
    colons: bool,
    /// How many parts there are.
    count: usize,
    evidence: bool,
    called: bool,
    /// The first part that looks like a class.
    first_class: Option<usize>,
    /// Whether it begins with what no text has named: `self`, `crate`.
    itself: bool,
    /// `await fan.RunAsync(speed)` of C#
    awaited: bool,
    /// `process.env.PORT`: the last part is a name of its own.
    constant: bool,
}

/// What a part is.
enum Part {
    /// No name, or one that is seen elsewhere.
    Nothing,
    /// The evidence may know better.
    Maybe(&'static [Kind]),
    Name(&'static [Kind]),
    /// One of those before a class, which are one name.
    OfPackage,
}

impl Qualified {
    fn read(reader: &Reader<'_, '_>, from: usize, to: usize) -> Option<Self> {
        let evidence = reader.reading == Reading::Evidence;
        let colons = reader.is_mark(from + 1, b':');
        let called = reader.is_mark(to, b'(');
        let mut name = Self {
            from,
            to,
            colons,
            count: 0,
            evidence,
            called,
            first_class: None,
            itself: false,
            awaited: false,
            constant: false,
        };
        let length = to - from;
        name.count = length.div_ceil(name.step());
        let joint = |at: usize| match colons {
            true => reader.has_marks(at, b"::"),
            false => reader.is_mark(at, b'.'),
        };
        let fits = |nth| {
            reader.is_word(name.at(nth)) && (nth == 0 || joint(name.at(nth - 1) + 1))
        };
        if length < 3 || length % name.step() != 1 || !(0..name.count).all(fits) {
            return None;
        }
        let before = name.before(reader);
        // `heat = var.heat`, `[local.heat]` of Terraform
        let given = || evidence && !called && any_of!("= { ( [ ,").has(before);
        name.first_class = (0..name.count).find(|nth| name.is_class(reader, *nth));
        name.itself = reader.says(
            from,
            any_of!("this self super cls crate Self exports module"),
        ) || reader.says(from, any_of!("local var")) && given();
        name.awaited = name.is_class_called() && before == "await";
        name.constant = evidence && matches!(reader.look(to - 1), Look::Constant | Look::Key);
        Some(name)
    }

    /// How many tokens there are from part to part.
    fn step(&self) -> usize {
        if self.colons { 3 } else { 2 }
    }

    /// The token of a part.
    fn at(&self, nth: usize) -> usize {
        self.from + nth * self.step()
    }

    /// The word before.
    fn before<'t>(&self, reader: &Reader<'_, 't>) -> &'t str {
        reader.before(self.from).map_or("", |at| reader.word(at))
    }

    fn is_class(&self, reader: &Reader<'_, '_>, nth: usize) -> bool {
        let at = self.at(nth);
        let small = Makeup::SMALL.and(Makeup::WIDE);
        reader.scan.makeup(at).has(small) && reader.word(at).starts_with(char::is_uppercase)
    }

    /// Whether the first class is the last part, and called.
    fn is_class_called(&self) -> bool {
        self.called && self.first_class == Some(self.count - 1)
    }

    /// Reads what is one name, or none.
    fn is_one(&self, reader: &mut Reader<'_, '_>) -> bool {
        let Self { from, to, .. } = *self;
        let text = reader.text(from, to);
        if DOTTED.contains(&text) {
            if !self.evidence {
                reader.push(from, to, &[Id], Rank::Shape);
            }
            return true;
        }
        // `e.g.`, `i.e.`, `a.m.`
        if !self.called && (0..self.count).all(|nth| reader.word(self.at(nth)).len() < 2) {
            return true;
        }
        if self.colons || self.called {
            return false;
        }
        if is_top_level(last_part(text, b'.')) && count_of(text, b'_') == 0 {
            reader.push(from, to, &[Url], Rank::Shape);
            return true;
        }
        // `quilld.service` of systemd
        let unit = self.count == 2 && is_unit(reader, to - 1);
        if unit && !reader.scan.has_placeholders {
            reader.push_plain(from, from + 1, &[Id], Rank::Structure);
        }
        unit
    }

    /// Reads what its first part, or what stands beside it, tells of the whole.
    fn is_told(&self, reader: &mut Reader<'_, '_>) -> bool {
        let Self {
            from, to, evidence, ..
        } = *self;
        let two = self.count == 2;
        // `JSON.parse`, `Math.max`, `console.log` come with the language.
        let provided = || {
            reader.is_built_in(from)
                || reader.says(from, any_of!("JSON console process Console System"))
        };
        // `t.integer :slots` of Ruby
        let typed = || calls::is_typed(reader, to - 1);
        if evidence && two && (self.called && provided() || typed()) {
            return true;
        }
        // `main.heat(…)` of Go, or what a trace of it calls so: what is before the point is a package.
        let of_go = || evidence && code::is_traced(reader, from, to) || reader.is(from, "main");
        if self.called && two && of_go() {
            reader.push_plain(from, from + 1, &[Pkg, Module, Id], Rank::Definition);
            reader.push_plain(to - 1, to, &[Func, Method], Rank::Definition);
            return true;
        }
        // `using City.Rail;` of C#: a namespace, which is one name. `System.Text` comes with the language.
        let using = reader.before(from).filter(|at| reader.is(*at, "using"));
        let namespace = evidence && !self.colons && reader.is_mark(to, b';');
        if namespace && using.is_some_and(|using| reader.opens_line(using)) {
            if !reader.says(from, any_of!("Microsoft System")) {
                reader.push(from, to, &[Module, Pkg, Id], Rank::Definition);
            }
            return true;
        }
        // `DataTypes.DATEONLY` of Sequelize
        let of_sequelize = evidence && two && reader.is(from, "DataTypes");
        if of_sequelize {
            reader.push_type(to - 1);
        }
        of_sequelize
    }

    fn part(&self, reader: &mut Reader<'_, '_>, nth: usize) {
        let at = self.at(nth);
        let last = nth + 1 == self.count;
        if self.is_known(reader, nth) {
            return;
        }
        // `hashlib.sha256`, `JSON.parse`
        if self.evidence && is_algorithm_at(reader, at) {
            reader.push(at, at + 1, &[Algo], Rank::Shape);
        }
        if self.evidence && self.is_in_capitals(reader, nth) {
            return;
        }
        if self.constant && last {
            return word(reader, at, &[]);
        }
        if last && let Some(kinds) = self.cued(reader) {
            return reader.push(at, at + 1, kinds, Rank::Claim);
        }
        match self.kinds(reader, nth) {
            Part::Nothing => {}
            Part::Maybe(kinds) => reader.push(at, at + 1, kinds, Rank::Shape),
            Part::Name(kinds) => self.push(reader, nth, kinds),
            Part::OfPackage if nth == 0 => {
                let end = self.at(self.first_class.unwrap_or(1)) - self.step() + 1;
                reader.push(at, end, &[Pkg, Module, Id], Rank::Structure);
            }
            Part::OfPackage => {}
        }
    }

    /// Whether a part comes with a language or a framework: `crate::error`, `Order.class`.
    fn is_known(&self, reader: &Reader<'_, '_>, nth: usize) -> bool {
        let at = self.at(nth);
        let exported = || nth == 1 && reader.is(at, "exports") && reader.is(self.from, "module");
        // `models.CASCADE` of Django
        let of_django = || {
            self.evidence
                && reader.is(at, "models")
                && matches!(reader.look(self.to - 1), Look::Capitals | Look::Constant)
        };
        // `logging.getLogger(…)` where it is imported
        let imported = || reader.bound(at) == Some(&[]);
        self.itself && (nth == 0 || exported())
            || nth + 1 == self.count && reader.is(at, "class")
            || nth == 0 && (of_django() || imported())
    }

    /// `HTTP.get`, `IO.puts(…)`
    fn is_in_capitals(&self, reader: &Reader<'_, '_>, nth: usize) -> bool {
        let at = self.at(nth);
        let word = reader.word(at);
        let calls = self.called && nth + 1 < self.count;
        words::is_all_capitals(word) && reader.is_in(at, LANGUAGE.or(SQL))
            || calls && reader.look(at) == Look::Capitals && word.len() > 1
    }

    /// "Type shipping::Label": a cue of a claim says what the last part is.
    fn cued(&self, reader: &Reader<'_, '_>) -> Option<&'static [Kind]> {
        let cue = reader.before(self.from).filter(|_| !self.evidence)?;
        prose::cue_kinds(reader, cue)
            .filter(|kinds| matches!(kinds[0], Class | Type | Func | Method))
    }

    /// What a part is by the classes beside it, its place and its look.
    fn kinds(&self, reader: &Reader<'_, '_>, nth: usize) -> Part {
        let Self {
            colons,
            called,
            awaited,
            evidence,
            first_class,
            ..
        } = *self;
        let at = self.at(nth);
        let last = nth + 1 == self.count;
        let after_class = first_class.is_some_and(|class| class < nth);
        let before_class = first_class.is_some_and(|class| class > nth);
        if self.is_class(reader, nth) {
            return match () {
                () if last && called && (after_class || awaited || is_method(reader, at)) => {
                    Part::Name(&[Method, Func])
                }
                // `StockService.Pick`: the evidence may know it as a method.
                () if last && after_class && !evidence => Part::Maybe(&[Class, Type]),
                () => Part::Name(&[Class, Type]),
            };
        }
        let standard = || evidence && code::is_standard(reader.word(self.from));
        let used = || any_of!("use mod import").has(self.before(reader));
        // `t.mu.Lock()`
        let of_method =
            || self.count > 2 && self.is_class_called() && is_method(reader, self.to - 1);
        Part::Name(match () {
            () if last && called && colons && !after_class => &[Func, Method],
            () if last && called || colons && after_class => &[Method, Func],
            () if (colons || before_class) && standard() => return Part::Nothing,
            () if colons && last && evidence && !used() => &[Func, Method, Module, Id],
            () if colons => &[Module, Pkg, Id],
            () if after_class => &[Method, Func, Field, Col],
            () if before_class && (of_method() || awaited) => &[Var],
            () if before_class && first_class > Some(1) => return Part::OfPackage,
            // `_taken.Contains(…)`
            () if before_class && reader.word(at).starts_with('_') => &[Var],
            () if before_class => &[Module, Pkg, Var],
            () if called || self.itself => &[Var],
            () if !evidence => return Part::Maybe(named_by_place(self.count, nth)),
            () => by_place(self.count, nth),
        })
    }

    fn push(&self, reader: &mut Reader<'_, '_>, nth: usize, kinds: &'static [Kind]) {
        let Self { from, to, .. } = *self;
        let at = self.at(nth);
        let by_its_place = kinds == by_place(self.count, nth);
        if by_its_place && self.evidence && is_said_in_json(reader, from, to) {
            return reader.push_here(at, at + 1, kinds, Rank::Structure);
        }
        // What the name hangs on is a variable where code uses it.
        if nth == 0 && (kinds == [Var] || by_its_place) {
            reader.note_used(at);
        }
        let alias = reader.word(at).len() < 2;
        if self.evidence && (kinds == [Var] || alias) {
            reader.push_here(at, at + 1, kinds, Rank::Structure);
        } else if self.evidence && reader.is_built_in(at) {
            return;
        } else if self.evidence && self.called && nth + 1 == self.count {
            reader.push_plain(at, at + 1, kinds, Rank::Structure);
        } else {
            reader.push(at, at + 1, kinds, Rank::Structure);
        }
        // A variable is one where it stands; the words of its name are used for much else.
        if by_its_place {
            reader.push_here(at, at + 1, &[Var], Rank::Structure);
        }
    }

    /// What the name is as a whole: a permission or a setting.
    fn whole(&self, reader: &mut Reader<'_, '_>) {
        let Self {
            from, to, evidence, ..
        } = *self;
        if self.called {
            return;
        }
        // Beside `parcels.read` that a claim names `parcels.write` is a permission, too.
        if evidence {
            reader.push(from, to, &[Perm], Rank::Structure);
            if let Some(find) = reader.finds.last_mut() {
                find.if_named = true;
            }
        }
        if self.first_class.is_some() || self.colons || self.itself || self.constant {
            return;
        }
        let permitted = self.count > 2 && reader.says(to - 1, PERMITTED);
        let kinds: &'static [Kind] = match evidence && !permitted {
            true => &[Config],
            false => &[Config, Perm],
        };
        // The evidence may know it as a value: `size = "t3.small"`.
        let rank = match evidence {
            true => Rank::Structure,
            false => Rank::Shape,
        };
        reader.push(from, to, kinds, rank);
        if let Some(find) = reader.finds.last_mut() {
            find.only_in_profile = true;
        }
    }
}

/// `"origin": "harbour.pilots"`: whether it is a string of JSON whose key says of no table or column. What its parts
/// are is not known.
fn is_said_in_json(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    let quoted = from > 3 && reader.is_mark(from - 1, b'"') && reader.is_mark(to, b'"');
    let Some(colon) = reader.before(from - usize::from(quoted)).filter(|_| quoted) else {
        return false;
    };
    let key = colon.saturating_sub(2);
    reader.is_mark(colon, b':')
        && reader.is_mark(key + 1, b'"')
        && !config::key_kinds(reader.word(key))
            .is_some_and(|kinds| kinds.contains(&Table) || kinds.contains(&Col))
}

/// Whether the word at `at` is the ending of a unit: what runs units is near, or was before it was scrubbed.
fn is_unit(reader: &Reader<'_, '_>, at: usize) -> bool {
    const NEAR: usize = 24;
    const RUN: &Words = any_of!("daemon journalctl systemctl systemd");
    let runs = |at: usize| reader.says(at, RUN) || reader.is_scrubbed(at);
    reader.says(at, any_of!("mount service socket target timer"))
        && (at.saturating_sub(NEAR)..at + NEAR).any(runs)
}

/// What a permission of Google Cloud ends with: `storage.objects.get`.
const PERMITTED: &Words = any_of!(
    "\
    actAs admin call create delete execute export get getIamPolicy invoke list publish read setIamPolicy \
    update use watch write"
);

/// `store.Load(…)` of Go: one capital, and no error or model whose class would be in a module.
fn is_method(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.look(at) == Look::Capital && !reader.is_built_in(at)
}

/// Whether a word is a name that the language itself gives: `__init__`.
pub(super) fn is_of_language(word: &str) -> bool {
    word.len() > 4 && word.starts_with("__") && word.ends_with("__")
}

/// Whether the word at `at` is how OAuth grants, and no token: `"grant_type": "refresh_token"`.
fn is_grant(reader: &Reader<'_, '_>, at: usize) -> bool {
    const KEYS: &Words = any_of!("grant_type grant_types");
    reader.is(at, "refresh_token") && reader.find(at.saturating_sub(12), at, KEYS).is_some()
}

/// The same for a claim: whatever the profile, each part is a name.
fn named_by_place(count: usize, nth: usize) -> &'static [Kind] {
    match count - nth {
        1 => &[Col, Field, Config, Var, Perm],
        2 => &[Table, Config, Module, Perm],
        3 => &[Schema, Config, Module, Perm],
        _ => &[Db, Config, Module, Perm],
    }
}

/// The parts of `schema.table.column`, from the last.
fn by_place(count: usize, nth: usize) -> &'static [Kind] {
    match count - nth {
        1 => &[Col, Field],
        2 => &[Table],
        3 => &[Schema],
        _ => &[Db],
    }
}

/// A word by its own look. `kinds` come before what the look says.
pub(super) fn word(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    let look = reader.look(at);
    if is_counted(reader, at) {
        return reader.push_here(at, at + 1, &[Num], Rank::Shape);
    }
    // `create_table :racks` of Ruby
    if look.is_ordinary() || reader.is_in(at, CALL) && calls::is_of_ruby(reader, at) {
        return;
    }
    if is_given(reader, at, look) {
        return;
    }
    const KEYS: &Words = any_of!(
        "\
        foreign_key partition_key primary_key sort_key unique_key \
        cacheKey foreignKey partitionKey primaryKey sortKey uniqueKey"
    );
    let look = match look {
        Look::Key if reader.says(at, KEYS) => Look::Snake,
        look => look,
    };
    // `fetch<Dish>(id)`, "never calls round_down"
    let open = code::behind_generics(reader, at + 1);
    let line = |at: usize| reader.scan.kind(at) != Some(TokenKind::NEWLINE);
    let called =
        reader.is_mark(open, b'(') && (at + 1..open).all(line) || is_said_called(reader, at);
    let kinds: &'static [Kind] = match look {
        Look::Capital | Look::Capitals | Look::Plain | Look::Small => return,
        Look::Number => &[Value, Num],
        Look::Key => &[Key, Config, Id, Var, Col],
        _ if !kinds.is_empty() => kinds,
        Look::Pascal => &[Class, Type],
        _ if called => &[Func, Method, Id],
        Look::Constant => &[Config, Id, Var, Col],
        // `apiToken`, not `primaryKey`, `resetPassword`
        Look::Camel if names_credential(reader.word(at)) && !reader.says(at, KEYS) => {
            &[Id, Key, Var, Col, Param, Config]
        }
        Look::Camel => &[Id, Var, Col, Param, Config],
        // `load(max_length=80)`
        Look::Snake if is_argument(reader, at) => &[Param, Var, Id],
        Look::Snake => match cut(reader.word(at), b'_') {
            Some(("idx" | "ix", _)) => &[Index, Id, Col, Var, Param, Config],
            Some(("ck" | "fk" | "pk" | "uq", _)) => &[Constraint, Id, Col, Var, Param, Config],
            _ => &[Id, Col, Var, Param, Config],
        },
    };
    reader.push(at, at + 1, kinds, Rank::Shape);
}

/// Whether a word with humps is the name of a key or token, and not what is done with one.
fn names_credential(word: &str) -> bool {
    const DONE: &Words = any_of!(
        "change check create delete find forgot generate get has hash is load make new parse read reset revoke rotate \
        send set sign update use validate verify write"
    );
    let hump = word.bytes().position(|byte| byte.is_ascii_uppercase());
    ends_in(word, "Key Token Secret Password Passphrase Credentials")
        && hump.is_some_and(|hump| !DONE.has(&word[..hump]))
}

/// Whether a word that looks like a name is none of the text's own: a unit, or one that a language or a framework gives.
fn is_given(reader: &Reader<'_, '_>, at: usize, look: Look) -> bool {
    /// Of Ruby, the heads of MySQL's plans, the grants of OAuth.
    const WORDS: &Words = any_of!(
        "client_credentials grant_type grant_types key_len possible_keys require_relative select_type"
    );
    /// `foreign_key: { to_table: :users }` of Rails, `- accepted_values:` of dbt, `tableName: 'cups'` of Sequelize
    const KEYS: &Words =
        any_of!("accepted_values allowNull data_type foreign_key tableName to_table");
    /// `db_table = "cups"` of Django: of the others it would be a variable that is set behind a space.
    const SET: &Words =
        any_of!("app_label db_table unique_together verbose_name verbose_name_plural");
    let word = reader.word(at);
    let next = reader.skip_space(at + 1);
    // `kPa`, `Mbit`; most are longer than a unit.
    let unit = word.len() < 5 && words::is_unit(word);
    if unit || reader.is_well_known(at) || reader.is_in(at, LANGUAGE.or(SQL)) {
        return true;
    }
    reader.reading == Reading::Evidence
        && (reader.is_built_in(at)
            || WORDS.has(word)
            || SET.has(word) && reader.is_any(next, b":=")
            || KEYS.has(word) && (reader.is_mark(next, b':') || reader.is_mark(at + 1, b'='))
            || is_of_language(word)
            || is_grant(reader, at)
            || sql::is_option(reader, at)
            || look == Look::Camel && config::is_reserved_at(reader, at))
}

/// `4th`, `9am` in evidence.
fn is_counted(reader: &Reader<'_, '_>, at: usize) -> bool {
    const ENDINGS: &Words = any_of!("am nd pm rd st th");
    if !reader.scan.makeup(at).has(Makeup::DIGIT) {
        return false;
    }
    let text = reader.word(at);
    let digits = words::number_length(text);
    digits > 0 && reader.reading == Reading::Evidence && ENDINGS.has(&text[digits..])
}

/// Whether the words before say that what stands at `at` is called.
fn is_said_called(reader: &Reader<'_, '_>, at: usize) -> bool {
    at > 0
        && reader.is_space(at - 1)
        && reader.says_before(at, any_of!("call called calling calls invokes"))
}

/// Whether the word names an argument of a call.
fn is_argument(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_mark(at + 1, b'=') && reader.says_before(at, any_of!("( ,"))
}

/// "New in 1.3.": a version and the end of what is said, not "in 1.5 seconds".
fn is_dated(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.before(at).map_or("", |before| reader.word(before));
    let next = reader.skip_space(at + 1);
    let behind = reader.scan.kind(at + 1);
    let ends = behind.is_none_or(|kind| b"\n.,;:)".contains(&kind.0));
    // "was deprecated since 2.4 and", "works with 2.4", "as of 2.4"
    let goes_on = word != "in" && reader.says(next, any_of!("and it the this was we you"));
    let verb = reader.before(at).and_then(|word| reader.before(word));
    let verb = verb.map_or("", |verb| reader.word(verb));
    let cued = any_of!("before in since until").has(word)
        || word == "of" && matches!(verb, "as" | "As")
        || word == "with" && any_of!("compatible tested works").has(verb);
    // `.. versionadded:: 1.10`
    let directive = word == ":"
        && reader.before(at).is_some_and(|colon| {
            let name = colon.wrapping_sub(2);
            reader.says(name, any_of!("deprecated versionadded versionchanged"))
        });
    (ends || goes_on) && cued
        || ends && directive
        || matches!(word, "The" | "the") && reader.says(next, any_of!("branch release series"))
}

/// `>= 10.1`, "10.1 or newer", "10.1+": the bound of a range of versions.
fn is_bound(reader: &Reader<'_, '_>, at: usize) -> bool {
    const ORDERS: &Words = any_of!("above below earlier higher later lower newer older");
    let sign = reader.before(at).filter(|sign| reader.is_mark(*sign, b'='));
    let least = sign.is_some_and(|sign| {
        reader.says(sign.wrapping_sub(1), any_of!("> < = ~ !"))
            && !reader.is_word(reader.skip_space(at + 1))
    });
    let next = reader.skip_space(at + 1);
    let ordered =
        reader.says(next, any_of!("or and")) && reader.says(reader.skip_space(next + 1), ORDERS);
    least || ordered || next == at + 1 && reader.is_mark(next, b'+')
}

/// `## 1.8`, `- 1.13: fewer pauses`: what an entry of a changelog begins with.
fn is_entry(reader: &Reader<'_, '_>, at: usize) -> bool {
    let Some(mark) = at.checked_sub(2).filter(|mark| mark + 1 == at - 1) else {
        return false;
    };
    let headed = reader.is_mark(mark, b'#');
    let listed = reader.says(mark, any_of!("- *")) && reader.opens_line(mark);
    match reader.scan.kind(at + 1) {
        None | Some(TokenKind::NEWLINE) => headed,
        Some(TokenKind(b':')) => headed || listed,
        Some(TokenKind::SPACE) => headed && reader.says(at + 2, any_of!("( - – —")),
        _ => false,
    }
}

fn number(reader: &mut Reader<'_, '_>, at: usize) {
    let listed = reader.reading == Reading::Evidence
        && reader.is_any(at + 1, b".)")
        && reader.is_space(at + 2)
        && reader.opens_line(at);
    if listed {
        return;
    }
    // `sdk@2.3.1`, `^8.0`
    let text = reader.word(at);
    let points = count_of(text, b'.');
    let marked = at > 0 && reader.is_any(at - 1, b"@^~")
        || points > 0
            && (is_dated(reader, at)
                || is_bound(reader, at)
                || is_entry(reader, at)
                || claim::is_release(reader, at));
    // A number is one wherever it stands; the mark of a list that reads like it is none.
    match (points > 1 || marked && points > 0) && !is_address(text) {
        true => reader.push(at, at + 1, &[Version, Num], Rank::Structure),
        false if reader.reading == Reading::Evidence => {
            reader.push_here(at, at + 1, &[Num], Rank::Shape);
        }
        false => reader.push(at, at + 1, &[Num], Rank::Shape),
    }
}
