//! What a token looks like: URLs, paths, versions, dates, qualified names, humps and underscores.

use super::{REACH, Reader, Reading, calls, claim, code, config, prose, sql};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::{Look, Makeup},
        scanner::TokenKind,
        words::{
            self, ALGORITHMS, CALL, DOTTED, EXTENSIONS, FOLDERS, HTTP_METHODS, LANGUAGE, MONTH,
            SQL, UNITS, Words, any_of,
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
    // Most are of one token.
    if !reader.scan.tokens[at].kind.is_mark() && !reader.scan.kind(at + 1).is_some_and(is_in_run) {
        classify(reader, at, at + 1, Marks::NONE);
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
fn url(reader: &mut Reader<'_, '_>, at: usize, end: usize) -> Option<usize> {
    let scheme = (at + 1..end).find(|at| {
        reader.is_mark(*at, b':')
            && reader.is_mark(*at + 1, b'/')
            && reader.is_mark(*at + 2, b'/')
            && reader.is_word(*at - 1)
    })?;
    let mut last = scheme + 3;
    let mut open = 0_usize;
    let mut scrubbed = false;
    while let Some(kind) = reader.scan.kind(last) {
        match kind {
            TokenKind::SPACE | TokenKind::NEWLINE | TokenKind::IDEOGRAPHS => break,
            TokenKind::PLACEHOLDER => scrubbed = true,
            TokenKind(b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b'\\' | b'^' | 0) => break,
            TokenKind(b'(') => open += 1,
            TokenKind(b')') if open == 0 => break,
            TokenKind(b')') => open -= 1,
            _ => {}
        }
        last += 1;
    }
    while last > scheme + 3
        && matches!(
            reader.scan.kind(last - 1),
            Some(TokenKind(
                b'.' | b',' | b';' | b':' | b'!' | b'?' | b']' | b'}' | b'*'
            ))
        )
    {
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
        // `file:///app/dist/quotes.mjs:18:20`
        None if reader.is(scheme - 1, "file") => {
            while last > scheme + 5
                && reader.scan.kind(last - 1) == Some(TokenKind::NUMBER)
                && reader.is_mark(last - 2, b':')
            {
                last -= 2;
            }
            reader.push(scheme - 1, last, &[Url, Path], Rank::Shape);
            if reader.is_mark(last, b':') && reader.scan.kind(last + 1) == Some(TokenKind::NUMBER) {
                reader.push(last + 1, last + 2, &[Line, Num], Rank::Structure);
            }
        }
        None => reader.push(scheme - 1, last, &[Url], Rank::Shape),
    }
    if reader.says(scheme - 1, DATABASES) {
        let host = userinfo.unwrap_or(scheme + 2);
        let path = (host + 1..last).find(|at| reader.is_mark(*at, b'/'));
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
    // Most runs are one word of letters and nothing else.
    if single && token.is_plain() && reader.reading == Reading::Evidence {
        let algorithm = token.lists().has(ALGORITHMS) && is_algorithm(reader.word(from));
        if algorithm {
            reader.push(from, to, &[Algo], Rank::Shape);
        }
        return;
    }
    // What is left beside a placeholder was left on purpose: a second scrub changes nothing.
    if reader.has_scrubbed(from, to) {
        return;
    }
    // A word of letters alone is none of the forms that stand for themselves.
    let letters = single && token.kind == TokenKind::WORD && !token.lists().has(ALGORITHMS);
    let letters = letters && token.makeup.is_letters();
    if letters && reader.reading == Reading::Evidence {
        return word(reader, from, &[]);
    }
    let text = reader.text(from, to);
    // A number alone is no other form than a version, which has two points.
    let points = || text.bytes().filter(|byte| *byte == b'.').count();
    let evidence = reader.reading == Reading::Evidence;
    if single && evidence && token.kind == TokenKind::NUMBER && points() < 2 {
        return number(reader, from);
    }
    if marks.has(Marks::COLON) && reader.is(from, "arn") {
        return resource(reader, from, to);
    }
    if !letters && let Some(kinds) = whole(reader, from, text, marks) {
        if !kinds.is_empty() || reader.reading == Reading::Claim {
            let kinds = if kinds.is_empty() { &[Id] } else { kinds };
            reader.push(from, to, kinds, Rank::Shape);
        }
        if kinds != [Perm] {
            return;
        }
    }
    // `Harbour.enter/1`
    let counted = marks.has(Marks::SLASH)
        && marks.has(Marks::POINT)
        && reader.scan.kind(to - 1) == Some(TokenKind::NUMBER)
        && text.starts_with(|char: char| char.is_ascii_uppercase());
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
    let port = marks.has(Marks::COLON)
        && marks.has(Marks::POINT)
        && reader.reading == Reading::Claim
        && to > from + 3
        && reader.scan.kind(to - 1) == Some(TokenKind::NUMBER)
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
    if reader.reading == Reading::Claim {
        return claim::run(reader, from, to);
    }
    if marks.has(Marks::HYPHEN) && is_kebab(text) {
        if is_versioned(reader, to) {
            return reader.push(from, to, &[Pkg, Module, Id], Rank::Shape);
        }
        // `quay-web-2`
        let numbered = text.ends_with(|char: char| char.is_ascii_digit());
        if numbered && text.matches('-').count() > 1 {
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
                    && reader.word(at).contains('.') =>
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
fn cut(text: &str, mark: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == mark)?;
    Some((&text[..at], &text[at + 1..]))
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
    if is_version(text) && !is_address(text) {
        return &[Version, Value];
    }
    &[Value]
}

fn is_uuid(text: &str) -> bool {
    let groups = text.split('-').map(|group| {
        let hex = group.bytes().all(|byte| byte.is_ascii_hexdigit());
        if hex { group.len() } else { 0 }
    });
    text.len() == 36 && groups.eq([8, 4, 4, 4, 12])
}

fn is_cve(text: &str) -> bool {
    if !matches!(text.as_bytes(), [b'C' | b'c', b'V' | b'v', ..]) {
        return false;
    }
    let mut parts = text.splitn(3, '-');
    let number = |part: Option<&str>, least: usize| {
        part.is_some_and(|part| {
            part.len() >= least && part.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    parts
        .next()
        .is_some_and(|word| word.eq_ignore_ascii_case("CVE"))
        && number(parts.next(), 4)
        && number(parts.next(), 4)
}

/// `GHSA-2f7q-8xxm-w3vr`, `CWE-502`, `RUSTSEC-2021-0001`.
fn is_advisory(text: &str) -> bool {
    const PREFIXES: [&str; 9] = [
        "CWE", "GHSA", "RUSTSEC", "OSV", "PYSEC", "CAPEC", "USN", "DSA", "RHSA",
    ];
    let Some((prefix, rest)) = cut(text, b'-') else {
        return false;
    };
    PREFIXES.contains(&prefix)
        && rest.bytes().any(|byte| byte.is_ascii_alphanumeric())
        && rest
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':'))
}

/// `2031-04-09`, `06:12:44`, `09:14`, `2031-04-09T06:12:44.5Z`, `01:00-04:30`, `11/Jun/2031:08:20:41`,
/// `9/4/2031`, `09.04.2031`.
fn is_date(text: &str) -> bool {
    if !matches!(text.as_bytes(), [b'0'..=b'9', ..]) {
        return false;
    }
    if let Some((day, rest)) = text.split_once('/')
        && let Some((month, year)) = rest.split_once('/')
    {
        let year = year
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b':');
        if words::is_in(MONTH, month) {
            return year && day.bytes().all(|byte| byte.is_ascii_digit());
        }
    }
    // The year is last: with points, too, where day and month have two digits.
    let mut lengths = text.split(['/', '-', '.']).map(|part| {
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        if digits { part.len() } else { 0 }
    });
    let slashed = text.contains('/');
    let fits = |length| length == Some(2) || slashed && length == Some(1);
    if fits(lengths.next()) && fits(lengths.next()) && lengths.eq([4]) {
        return true;
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let marks = text
        .bytes()
        .filter(|byte| matches!(byte, b'-' | b':' | b'/'))
        .count();
    let shape = text.bytes().all(|byte| {
        byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'/' | b'.' | b'T' | b'Z' | b'+')
    });
    if !shape || digits < 3 || marks == 0 {
        return false;
    }
    let bytes = text.as_bytes();
    let two = |at: usize| {
        bytes
            .get(at..at + 2)
            .is_some_and(|pair| pair.iter().all(u8::is_ascii_digit))
    };
    let time = |at: usize| two(at) && bytes.get(at + 2) == Some(&b':') && two(at + 3);
    let month = bytes.len() == 7
        && two(0)
        && two(2)
        && bytes[4] == b'-'
        && matches!(&bytes[5..], b"10" | b"11" | b"12" | [b'0', b'1'..=b'9']);
    let day = bytes.len() >= 10
        && two(0)
        && two(2)
        && bytes[4] == bytes[7]
        && matches!(bytes[4], b'-' | b'/')
        && two(5)
        && two(8);
    time(0) || day || month || bytes.len() == 4 && bytes[1] == b':' && two(2)
}

/// `3.4.0`, `v2.1`, `3.0.0-rc.1`, `1.2.3+build.5`, `3.4.x`; two numbers alone are an ordinary number.
fn is_version(text: &str) -> bool {
    let begins = matches!(text.as_bytes(), [b'0'..=b'9' | b'v' | b'V', ..]);
    if !begins || !text.as_bytes().contains(&b'.') {
        return false;
    }
    let (prefix, rest) = match text.strip_prefix(['v', 'V']) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let any = rest.strip_suffix(".x");
    let rest = any.unwrap_or(rest);
    let core_length = rest
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || *byte == b'.')
        .count();
    let (core, tail) = rest.split_at(core_length);
    let points = core.bytes().filter(|byte| *byte == b'.').count();
    let mut parts = core.as_bytes().split(|byte| *byte == b'.');
    let numbers = parts.all(|part| !part.is_empty());
    let tagged = tail.starts_with(['-', '+'])
        && tail
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(&byte));
    numbers
        && (tail.is_empty() || tagged && points > 0)
        && (points > 1 || any.is_some() || points > 0 && (prefix || tagged))
}

/// `10.0.0.7`, `0.0.0.0`: an address of a host. A version of four numbers begins with one digit: `6.1.4.1`.
fn is_address(text: &str) -> bool {
    const MOST_DIGITS: usize = 3;
    let bytes = text.as_bytes();
    let points = bytes.iter().filter(|byte| **byte == b'.').count();
    let first = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let large = first > 1 || bytes.starts_with(b"0");
    points == 3
        && (1..=MOST_DIGITS).contains(&first)
        && large
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// `UTF-8`, `ISO-8601`: well known.
fn is_standard(text: &str) -> bool {
    let parts = cut(text, b'-');
    parts.is_some_and(|(word, number)| {
        number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-')
            && words::STANDARDS.binary_search(&word).is_ok()
    })
}

/// `ABC-123`
fn is_ticket(text: &str) -> bool {
    let parts = cut(text, b'-');
    parts.is_some_and(|(word, number)| {
        words::is_all_capitals(word)
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn is_email(text: &str) -> bool {
    let Some((user, host)) = cut(text, b'@') else {
        return false;
    };
    let fits = |part: &str, more: &[u8]| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || more.contains(&byte))
    };
    let ending = host.rsplit_once('.').map_or("", |(_, ending)| ending);
    let worded = ending.len() > 1 && ending.bytes().all(|byte| byte.is_ascii_alphabetic());
    fits(user, b"._%+-") && fits(host, b".-") && worded
}

/// `@scope/name` of npm.
fn is_scoped(text: &str) -> bool {
    let parts = text.strip_prefix('@').and_then(|text| text.split_once('/'));
    let fits = |part: &str| {
        part.starts_with(|char: char| char.is_ascii_lowercase() || char.is_ascii_digit())
            && part.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte)
            })
    };
    parts.is_some_and(|(scope, name)| fits(scope) && fits(name))
}

/// `roles/storage.objectViewer`, `projects/x/roles/y` of Google Cloud.
fn is_granted(text: &str) -> bool {
    let role = text.strip_prefix("roles/");
    let own = || {
        const OWN: &[u8] = b"/roles/";
        let mut places = text.as_bytes().windows(OWN.len());
        let at = places.position(|place| place == OWN)?;
        Some(&text[at + OWN.len()..])
    };
    role.or_else(own).is_some_and(|role| {
        !role.is_empty()
            && !is_file(role)
            && role
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    })
}

/// `X-Api-Key`
fn is_header(text: &str) -> bool {
    text.strip_prefix("X-").is_some_and(|name| {
        name.split('-')
            .all(|part| part.starts_with(|char: char| char.is_ascii_uppercase()))
    })
}

/// `acme-parser`, `quay-web-2`: small letters and hyphens.
fn is_kebab(text: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.starts_with(|char: char| char.is_ascii_lowercase()) && text.split('-').all(part)
}

/// Whether a version follows what ends at `at`: "acme-parser before 4.2.1", `acme-parser 4.2`.
fn is_versioned(reader: &Reader<'_, '_>, at: usize) -> bool {
    const MOST_TOKENS: usize = 5;
    let between = |at: &usize| {
        matches!(
            reader.word(*at),
            " " | "before"
                | "version"
                | "versions"
                | "until"
                | "through"
                | "<"
                | "="
                | ">"
                | "~"
                | "^"
        )
    };
    let next = (at..at + MOST_TOKENS).find(|at| !between(at));
    next.is_some_and(|next| {
        let text = reader.word(next);
        next > at
            && text.contains('.')
            && matches!(
                reader.scan.kind(next),
                Some(TokenKind::NUMBER | TokenKind::WORD)
            )
            && text
                .trim_start_matches(['v', 'V'])
                .starts_with(|char: char| char.is_ascii_digit())
    })
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

/// Parts of an algorithm's name behind the first: sizes, modes, paddings. Sorted.
#[rustfmt::skip]
static MODES: [&str; 34] = [
    "128", "192", "224", "256", "384", "512", "521", "aead", "cbc", "ccm", "cfb", "ctr", "ecb", "gcm", "gmac", "hellman", "hmac", "mgf1",
    "oaep", "ofb", "pkcs1", "pkcs5", "pkcs7", "poly1305", "pss", "sha1", "sha2", "sha256", "sha3", "sha384", "sha512",
    "siv", "wrap", "xts",
];

fn is_mode(part: &str) -> bool {
    MODES.iter().any(|mode| mode.eq_ignore_ascii_case(part))
}

/// `bcrypt`, `SHA-1`, `AES-256-GCM`, `HMAC-SHA256`, `aes-256-cbc`.
pub(super) fn is_algorithm(text: &str) -> bool {
    let joint = |byte: u8| matches!(byte, b'-' | b'_');
    let head = &text[..text.bytes().position(joint).unwrap_or(text.len())];
    // `TLS_AES_256_GCM_SHA384`
    if let "TLS" | "SSL" = head {
        let named = |part: &str| words::is_in(ALGORITHMS, part) && part.len() > 1;
        let parts = || text.split('_');
        let known = parts().filter(|part| named(part) || is_mode(part)).count();
        // `TLS_RSA_KEY_FILE` is a setting.
        return known > 1 && parts().any(named);
    }
    if !words::is_in(ALGORITHMS, head) {
        return false;
    }
    // `P-256`
    let long = head.len() > 1;
    let capital = long && !head.bytes().any(|byte| byte.is_ascii_lowercase());
    let modes = || {
        head != text && text.len() > head.len() && {
            let mut rest = text[head.len() + 1..].split(['-', '_']);
            rest.all(is_mode)
        }
    };
    let whole = long && head == text && !any_of!("sha des Des dsa Diffie").has(text);
    whole || capital && head != text || modes()
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
    let name = |part: &str| {
        part.len() > 1
            && part.starts_with(|char: char| char.is_ascii_alphabetic())
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-*.".contains(&byte))
    };
    let Some((scope, action)) = cut(text, b':') else {
        return false;
    };
    let small = scope.starts_with(|char: char| char.is_ascii_lowercase());
    small && name(scope) && (name(action) || action == "*") && !is_other_pair(scope, action)
}

/// `sha256:9f2c…`, `nginx:latest`, `tcp:sql.example`: what else has two names and one colon.
fn is_other_pair(scope: &str, action: &str) -> bool {
    any_of!("mailto md5 sha1 sha256 sha512 tcp udp xmlns xsi").has(scope)
        || any_of!("alpine latest slim stable").has(action)
}

/// `Microsoft.Storage/storageAccounts/read` of Azure.
fn is_operation(text: &str) -> bool {
    let Some((provider, rest)) = cut(text, b'/') else {
        return false;
    };
    let capital = |part: &str| {
        part.starts_with(|char: char| char.is_ascii_uppercase())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let named =
        cut(provider, b'.').is_some_and(|(first, second)| capital(first) && capital(second));
    if !named {
        return false;
    }
    let action = rest.rsplit('/').next().unwrap_or_default();
    any_of!("* action delete read write").has(action) && rest != action
}

/// A path with what says where in the file: `src/a.rs:118:23`.
fn path(reader: &mut Reader<'_, '_>, from: usize, to: usize, marks: Marks) -> bool {
    // `--- a/src/cart.rs`, `diff --git a/src/cart.rs b/src/cart.rs`: the sides of a difference are one file.
    let side = || {
        let first = code::first_of_line(reader, from);
        let marked = reader.says(first, any_of!("- +")) && reader.is(first + 2, reader.word(first));
        marked || reader.is(first, "diff")
    };
    let sided =
        reader.is_mark(from + 1, b'/') && to > from + 3 && reader.says(from, any_of!("a b"));
    let from = from + 2 * usize::from(sided && side());
    // `example.com/shop/store.Open(…)` of a Go trace
    let called = reader.is_mark(to, b'(') && marks.has(Marks::SLASH) && to > from + 3;
    if called && reader.is_mark(to - 2, b'.') && code::is_traced(reader, from, to) {
        reader.push(from, to - 2, &[Pkg, Module, Path, Url], Rank::Shape);
        reader.push_plain(to - 1, to, &[Func, Method], Rank::Definition);
        return true;
    }
    // `tests/test_oven.py::TestOven::test_heat` of pytest
    let colons = |at: usize| reader.is_mark(at, b':') && reader.is_mark(at + 1, b':');
    let inside = (from + 3..to).find(|at| marks.has(Marks::COLON) && colons(*at));
    if let Some(inside) = inside.filter(|at| reader.is(at - 1, "py")) {
        reader.push(from, inside, &[Path], Rank::Shape);
        return tests(reader, inside + 2, to);
    }
    // `runner.rb:9:in` of Ruby
    let to = match reader.word(to - 1) {
        "in" if to > from + 4
            && reader.is_mark(to - 2, b':')
            && reader.scan.kind(to - 3) == Some(TokenKind::NUMBER) =>
        {
            to - 2
        }
        _ => to,
    };
    // The numbers at the end are lines and columns.
    let mut end = to;
    while end >= from + 3
        && reader.scan.kind(end - 1) == Some(TokenKind::NUMBER)
        && reader.is_mark(end - 2, b':')
    {
        end -= 2;
    }
    let text = reader.text(from, end);
    // `</b>` closes a tag, `#/components/schemas/Crate` points into a document.
    if text.starts_with('/') && from > 0 && reader.says(from - 1, any_of!("# <")) {
        return false;
    }
    // `Heater.cs:line 57`
    if end == to && end >= from + 3 && reader.is(end - 1, "line") && reader.is_mark(end - 2, b':') {
        end -= 2;
    }
    let text = reader.text(from, end);
    // `res.json(…` is a call; `merge.ts(48,17)` is a place.
    let place = reader.is_mark(to, b'(')
        && reader.scan.kind(to + 1) == Some(TokenKind::NUMBER)
        && reader.says(to + 2, any_of!(", )"));
    if reader.is_mark(to, b'(') && !place && !text.contains(['/', '\\']) {
        return false;
    }
    let kinds: Option<&'static [Kind]> = match marks.has(Marks::SLASH.or(Marks::BACKSLASH)) {
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
    if end < to && reader.is(to - 1, "line") {
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

/// `App\Models\Coupon` of PHP: a class and its namespace, behind `namespace` no class.
fn namespaced(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    let first = from + usize::from(reader.is_mark(from, b'\\'));
    let part = |at: usize| match (at - first) % 2 {
        0 => matches!(reader.look(at), Look::Capital | Look::Pascal),
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
        let class = matches!(reader.look(at), Look::Capital | Look::Pascal);
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
static ROOTS: [&str; 14] = [
    "bin", "boot", "dev", "etc", "home", "lib", "mnt", "opt", "proc", "root", "srv", "sys", "usr",
    "var",
];

pub(super) fn path_kinds(text: &str) -> Option<&'static [Kind]> {
    let separator = if text.contains('/') { '/' } else { '\\' };
    let mut segments = text.split(separator);
    let head = segments.next()?;
    let last = text.trim_end_matches(separator).rsplit(separator).next()?;
    let first = if head.is_empty() {
        text[1..].split(separator).next()?
    } else {
        head
    };
    let drive = head.len() == 2 && head.ends_with(':') && head.as_bytes()[0].is_ascii_alphabetic();
    let many = text[head.len()..].len() > 1;
    if !many {
        return is_file(text).then_some(&[Path]);
    }
    if text.contains(':') && !drive && !text.contains("/:") {
        return None;
    }
    if matches!(head, "." | ".." | "~") || drive {
        return Some(&[Path]);
    }
    let worded = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    if head.is_empty() && separator == '/' && worded {
        if ROOTS.contains(&first) || is_file(last) {
            return Some(&[Path]);
        }
        return Some(match words::is_in(FOLDERS, first) {
            true => &[Path, Endpoint],
            false => &[Endpoint, Path],
        });
    }
    // `github.com/acme/queue`
    if separator == '/'
        && head
            .rsplit_once('.')
            .is_some_and(|(_, last)| is_top_level(last))
    {
        return Some(&[Url, Pkg, Module]);
    }
    let folder = words::is_in(FOLDERS, first);
    let shaped = text.contains(['_', '-']) && text.matches(separator).count() > 1;
    (worded && (is_file(last) || folder || text.ends_with(separator) || shaped)).then_some(&[Path])
}

/// The stem of a path's file: `basket` of `src/cart/basket.py`.
pub(in crate::scrub) fn stem(path: &str) -> Option<&str> {
    let name = path.rsplit(['/', '\\']).next()?;
    let stem = name.rsplit_once('.').map(|(stem, _)| stem)?;
    is_file(name).then_some(stem)
}

/// What a claim's run with points and hyphens is: a host's name by its end.
pub(super) fn host_kinds(text: &str) -> &'static [Kind] {
    let last = text.rsplit('.').next().unwrap_or_default();
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
    let Some(point) = name.bytes().rposition(|byte| byte == b'.') else {
        return false;
    };
    let (stem, ending) = (&name[..point], &name[point + 1..]);
    let fits =
        |byte: u8| byte.is_ascii_alphanumeric() || b"._-@+{}".contains(&byte) || !byte.is_ascii();
    (stem.len() > 1 || ending.len() > 1)
        && EXTENSIONS.binary_search(&ending).is_ok()
        && stem.bytes().all(fits)
        && !DOTTED.contains(&name)
}

/// `--older-than`, `-v`.
fn flag(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    // `**--quiet**` of Markdown
    let mut to = to;
    while to > from + 1 && reader.is_mark(to - 1, b'*') {
        to -= 1;
    }
    let text = reader.text(from, to);
    let short = text
        .strip_prefix('-')
        .filter(|name| name.len() == 1 && name.is_ascii());
    // `curl -d grant_type=password`, not `docker run -d`
    let sends = || {
        let before = from.saturating_sub(REACH)..from;
        before
            .into_iter()
            .any(|at| reader.says(at, any_of!("curl http wget")))
    };
    if any_of!("--data --data-urlencode --form").has(text) || any_of!("-F -d").has(text) && sends()
    {
        let given = reader.skip_space(to);
        let quoted = reader.says(given, any_of!("' \""));
        query(reader, given + usize::from(quoted));
    }
    if short.is_some_and(|name| name.starts_with(|char: char| char.is_ascii_alphabetic())) {
        reader.push_here(from, to, &[Param], Rank::Structure);
        return true;
    }
    let Some(name) = text.strip_prefix("--") else {
        return false;
    };
    let fits = name.starts_with(|char: char| char.is_ascii_alphabetic())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    // Wherever a flag stands its hyphens show it; the word of its name is used for much else.
    if fits && to == from + 3 && reader.reading == Reading::Evidence {
        reader.push_here(from, to, &[Param, Config, Id], Rank::Structure);
    } else if fits {
        reader.push(from, to, &[Param, Config, Id], Rank::Structure);
    }
    fits
}

/// `PageCache#evict`, as documents of Java, JavaScript and Ruby write a method.
fn instance_method(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    let class = matches!(reader.look(from), Look::Capital | Look::Pascal);
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

/// `a.b`, `a::b`, `a.b.C.d`: each part is a name of its own.
fn qualified(reader: &mut Reader<'_, '_>, from: usize, to: usize) -> bool {
    if to - from < 3 {
        return false;
    }
    let colons = (from..to).any(|at| reader.is_mark(at, b':') && reader.is_mark(at + 1, b':'));
    let step = if colons { 3 } else { 2 };
    let joint = |at: usize| match colons {
        true => reader.is_mark(at, b':') && reader.is_mark(at + 1, b':'),
        false => reader.is_mark(at, b'.'),
    };
    let part = |at: usize| reader.is_word(at);
    let count = (to - from).div_ceil(step);
    let fits = count > 1
        && (to - from) % step == 1
        && (0..count).all(|nth| {
            let at = from + nth * step;
            part(at) && (at + 1 >= to || joint(at + 1))
        });
    if !fits {
        return false;
    }
    let parts = |nth: usize| from + nth * step;
    let called = reader.is_mark(to, b'(');
    let text = reader.text(from, to);
    let point = text.bytes().rposition(|byte| byte == b'.');
    let small_last = point.map_or(text, |point| &text[point + 1..]);
    if DOTTED.contains(&text) {
        if reader.reading == Reading::Claim {
            reader.push(from, to, &[Id], Rank::Shape);
        }
        return true;
    }
    // `e.g.`, `i.e.`, `a.m.`
    if !called && (0..count).all(|nth| reader.word(parts(nth)).len() < 2) {
        return true;
    }
    if !colons && !called && is_top_level(small_last) && !text.contains('_') {
        reader.push(from, to, &[Url], Rank::Shape);
        return true;
    }
    // `quilld.service` of systemd
    if count == 2 && !colons && !called && is_unit(reader, to - 1) {
        if !reader.scan.has_placeholders {
            reader.push_plain(from, from + 1, &[Id], Rank::Structure);
        }
        return true;
    }
    let scan = reader.scan;
    let evidence = reader.reading == Reading::Evidence;
    let used = evidence
        && reader
            .before(from)
            .is_some_and(|before| reader.says(before, any_of!("use mod import")));
    let capital = |nth: usize| {
        let word = scan.word(parts(nth));
        word.starts_with(char::is_uppercase)
            && word.chars().any(char::is_lowercase)
            && scan.kind(parts(nth)) == Some(TokenKind::WORD)
    };
    let first_class = (0..count).find(|nth| capital(*nth));
    let of_method = called && first_class == Some(count - 1) && is_method(reader, to - 1);
    // `await fan.RunAsync(speed)` of C#
    let awaited = called
        && first_class == Some(count - 1)
        && reader
            .before(from)
            .is_some_and(|before| reader.is(before, "await"));
    // `heat = var.heat`, `[local.heat]` of Terraform
    let given = || {
        let before = reader.before(from).map_or("", |before| reader.word(before));
        evidence && !called && any_of!("= { ( [ ,").has(before)
    };
    let itself = matches!(
        reader.word(from),
        "this" | "self" | "super" | "cls" | "crate" | "Self" | "exports" | "module"
    ) || reader.says(from, any_of!("local var")) && given();
    // `JSON.parse`, `Math.max`, `console.log` come with the language.
    let provided = reader.word(from);
    if evidence
        && called
        && count == 2
        && (reader.is_built_in(from)
            || any_of!("JSON console process Console System").has(provided))
    {
        return true;
    }
    // `t.integer :slots` of Ruby
    if evidence && count == 2 && calls::is_typed(reader, to - 1) {
        return true;
    }
    // `main.heat(…)` of Go, or what a trace of it calls so: what is before the point is a package.
    let traced = evidence && called && code::is_traced(reader, from, to);
    if called && count == 2 && (traced || reader.is(from, "main")) {
        reader.push_plain(from, from + 1, &[Pkg, Module, Id], Rank::Definition);
        reader.push_plain(to - 1, to, &[Func, Method], Rank::Definition);
        return true;
    }
    // "Type shipping::Label": a cue says what the last part is.
    let cue = reader
        .before(from)
        .filter(|_| !evidence)
        .and_then(|cue| prose::cue_kinds(reader, cue))
        .filter(|kinds| matches!(kinds[0], Class | Type | Func | Method));
    // `using City.Rail;` of C#: a namespace, which is one name. `System.Text` comes with the language.
    let namespace = evidence && !colons && reader.is_mark(to, b';');
    if namespace
        && let Some(using) = reader.before(from)
        && reader.is(using, "using")
        && reader.opens_line(using)
    {
        if !reader.says(from, any_of!("Microsoft System")) {
            reader.push(from, to, &[Module, Pkg, Id], Rank::Definition);
        }
        return true;
    }
    // `DataTypes.DATEONLY` of Sequelize
    if evidence && count == 2 && reader.is(from, "DataTypes") {
        reader.push_type(to - 1);
        return true;
    }
    // `process.env.PORT`: the constant is a name of its own.
    let constant = evidence && matches!(reader.look(to - 1), Look::Constant | Look::Key);
    for nth in 0..count {
        let at = parts(nth);
        let last = nth + 1 == count;
        // `crate::error`, `Order.class`
        if !reader.is_word(at) || nth == 0 && itself || last && reader.is(at, "class") {
            continue;
        }
        // `hashlib.sha256`, `JSON.parse`
        if evidence && is_algorithm_at(reader, at) {
            reader.push(at, at + 1, &[Algo], Rank::Shape);
        }
        if evidence && words::is_all_capitals(reader.word(at)) && reader.is_in(at, LANGUAGE.or(SQL))
        {
            continue;
        }
        // `IO.puts(…)`
        if evidence
            && called
            && !last
            && reader.look(at) == Look::Capitals
            && reader.word(at).len() > 1
        {
            continue;
        }
        if constant && last {
            word(reader, at, &[]);
            continue;
        }
        if let Some(kinds) = cue.filter(|_| last) {
            reader.push(at, at + 1, kinds, Rank::Claim);
            continue;
        }
        let after_class = first_class.is_some_and(|class| class < nth);
        let before_class = first_class.is_some_and(|class| class > nth);
        let kinds: &'static [Kind] = match () {
            () if capital(nth)
                && last
                && called
                && (after_class || awaited || is_method(reader, at)) =>
            {
                &[Method, Func]
            }
            () if capital(nth) && last && after_class && !evidence => {
                // `StockService.Pick`: the evidence may know it as a method.
                reader.push(at, at + 1, &[Class, Type], Rank::Shape);
                continue;
            }
            () if capital(nth) => &[Class, Type],
            () if last && called => match colons && !after_class {
                true => &[Func, Method],
                false => &[Method, Func],
            },
            () if colons && after_class => &[Method, Func],
            () if evidence && (colons || before_class) && code::is_standard(reader.word(from)) => {
                continue;
            }
            () if colons && last && !used && evidence => &[Func, Method, Module, Id],
            () if colons => &[Module, Pkg, Id],
            () if after_class => &[Method, Func, Field, Col],
            // `t.mu.Lock()`
            () if before_class && (count > 2 && of_method || awaited) => &[Var],
            () if before_class && first_class > Some(1) => {
                // A package's parts are one name.
                if nth == 0 {
                    let end = parts(first_class.unwrap_or(1)) - step + 1;
                    reader.push(at, end, &[Pkg, Module, Id], Rank::Structure);
                }
                continue;
            }
            // `_taken.Contains(…)`
            () if before_class && reader.word(at).starts_with('_') => &[Var],
            () if before_class => &[Module, Pkg, Var],
            () if called || itself => &[Var],
            () if reader.reading == Reading::Claim => {
                // The evidence may know better.
                reader.push(at, at + 1, named_by_place(count, nth), Rank::Shape);
                continue;
            }
            () => by_place(count, nth),
        };
        let by_its_place = kinds == by_place(count, nth);
        if by_its_place && evidence && is_said_in_json(reader, from, to) {
            reader.push_here(at, at + 1, kinds, Rank::Structure);
            continue;
        }
        // What the name hangs on is a variable where code uses it.
        if nth == 0 && (kinds == [Var] || by_its_place) {
            reader.note_used(at);
        }
        let alias = reader.word(at).len() < 2;
        if evidence && (kinds == [Var] || alias) {
            reader.push_here(at, at + 1, kinds, Rank::Structure);
        } else if is_built_in(reader, at) {
            continue;
        } else if evidence && called && last {
            reader.push_plain(at, at + 1, kinds, Rank::Structure);
        } else {
            reader.push(at, at + 1, kinds, Rank::Structure);
        }
        // A variable is one where it stands; the words of its name are used for much else.
        if by_its_place {
            reader.push_here(at, at + 1, &[Var], Rank::Structure);
        }
    }
    // Beside `parcels.read` that a claim names `parcels.write` is a permission, too.
    if evidence && !called {
        reader.push(from, to, &[Perm], Rank::Structure);
        if let Some(find) = reader.finds.last_mut() {
            find.if_named = true;
        }
    }
    if first_class.is_none() && !colons && !called && !itself && !constant {
        let kinds: &'static [Kind] = match count > 2 && reader.says(to - 1, PERMITTED) {
            true => &[Config, Perm],
            false if evidence => &[Config],
            false => &[Config, Perm],
        };
        // The evidence may know it as a value: `size = "t3.small"`.
        let rank = if evidence {
            Rank::Structure
        } else {
            Rank::Shape
        };
        reader.push(from, to, kinds, rank);
        if let Some(find) = reader.finds.last_mut() {
            find.only_in_profile = true;
        }
    }
    true
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
    let key = |key| reader.says(key, any_of!("grant_type grant_types"));
    reader.is(at, "refresh_token") && (at.saturating_sub(12)..at).any(key)
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

fn is_built_in(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.reading == Reading::Evidence && reader.is_built_in(at)
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
    // `kPa`, `Mbit`; most are longer than a unit.
    let unit = || reader.word(at).len() < 5 && UNITS.contains(&reader.word(at));
    let known = reader.is_well_known(at)
        || unit()
        || reader.is_built_in(at) && reader.reading == Reading::Evidence
        || reader.is_in(at, LANGUAGE.or(SQL));
    let underscored = reader.scan.makeup(at).has(Makeup::UNDERSCORE);
    // `foreign_key: { to_table: :users }` of Rails, `- accepted_values:` of dbt, `tableName: 'cups'` of Sequelize
    let keyed = || {
        const KEYS: &Words = any_of!("accepted_values allowNull foreign_key tableName to_table");
        reader.is_mark(at + 1, b':') && reader.says(at, KEYS)
    };
    // `db_table = "cups"` of Django
    let option = || {
        const OPTIONS: &Words =
            any_of!("app_label db_table unique_together verbose_name verbose_name_plural");
        reader.says(at, OPTIONS) && reader.is_mark(reader.skip_space(at + 1), b'=')
    };
    // The heads of MySQL's plans, the grants of OAuth.
    let head = || {
        const HEADS: &Words =
            any_of!("client_credentials grant_type grant_types key_len possible_keys select_type");
        reader.says(at, HEADS) || is_grant(reader, at)
    };
    let of_language = reader.reading == Reading::Evidence
        && (keyed()
            || underscored && (is_of_language(reader.word(at)) || option() || head())
            || sql::is_option(reader, at)
            || look == Look::Camel && config::is_reserved_at(reader, at));
    if known || of_language {
        return;
    }
    let column = look == Look::Key
        && matches!(
            reader.word(at),
            "foreign_key" | "partition_key" | "primary_key" | "sort_key" | "unique_key"
        );
    let look = if column { Look::Snake } else { look };
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
        Look::Constant if called => &[Func, Method, Id],
        Look::Constant => &[Config, Id, Var, Col],
        Look::Snake | Look::Camel if called => &[Func, Method, Id],
        // `load(max_length=80)`
        Look::Snake if is_argument(reader, at) => &[Param, Var, Id],
        Look::Snake => match reader.word(at).split_once('_') {
            Some(("idx" | "ix", _)) => &[Index, Id, Col, Var, Param, Config],
            Some(("ck" | "fk" | "pk" | "uq", _)) => &[Constraint, Id, Col, Var, Param, Config],
            _ => &[Id, Col, Var, Param, Config],
        },
        Look::Camel => &[Id, Var, Col, Param, Config],
        Look::Pascal => &[Class, Type],
    };
    reader.push(at, at + 1, kinds, Rank::Shape);
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
    let before = reader.before(at).filter(|before| before + 1 < at);
    before.is_some_and(|before| reader.says(before, any_of!("call called calling calls invokes")))
}

/// Whether the word names an argument of a call.
fn is_argument(reader: &Reader<'_, '_>, at: usize) -> bool {
    let opens = |at: usize| reader.is_mark(at, b'(') || reader.is_mark(at, b',');
    reader.is_mark(at + 1, b'=') && reader.before(at).is_some_and(opens)
}

/// "New in 1.3.": a version and the end of what is said, not "in 1.5 seconds".
fn is_dated(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.before(at).map_or("", |before| reader.word(before));
    let ends = match reader.scan.kind(at + 1) {
        None | Some(TokenKind::NEWLINE) => true,
        Some(TokenKind(mark)) => b".,;:)".contains(&mark),
    };
    // `.. versionadded:: 1.10`
    let directive = word == ":"
        && reader.before(at).is_some_and(|colon| {
            colon > 1 && reader.says(colon - 2, any_of!("deprecated versionadded versionchanged"))
        });
    ends && (any_of!("before in since until").has(word) || directive)
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
        && reader.opens_line(at)
        && (reader.is_mark(at + 1, b'.') || reader.is_mark(at + 1, b')'))
        && matches!(reader.scan.kind(at + 2), Some(TokenKind::SPACE));
    if listed {
        return;
    }
    // `sdk@2.3.1`, `^8.0`
    let text = reader.word(at);
    let points = text.bytes().filter(|byte| *byte == b'.').count();
    let before = at
        .checked_sub(1)
        .and_then(|before| reader.scan.kind(before));
    let marked = matches!(before, Some(TokenKind(b'@' | b'^' | b'~')));
    let marked = marked
        || points > 0 && (is_dated(reader, at) || is_bound(reader, at) || is_entry(reader, at));
    // A number is one wherever it stands; the mark of a list that reads like it is none.
    match (points > 1 || marked && points > 0) && !is_address(text) {
        true => reader.push(at, at + 1, &[Version, Num], Rank::Structure),
        false if reader.reading == Reading::Evidence => {
            reader.push_here(at, at + 1, &[Num], Rank::Shape);
        }
        false => reader.push(at, at + 1, &[Num], Rank::Shape),
    }
}
