//! SQL: definitions, queries and grants. Keywords and type words stay; what stands in a name's
//! place is a name, however ordinary the word.

use super::{REACH, Reader, calls, code, prose, shapes};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        words::{
            self, BEHIND, DETERMINER, LANGUAGE, List, NOT_NAMES, OPENER, SQL, TYPE_WORDS, Words,
            any_of,
        },
    },
};

/// The word that opens a statement.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Opener {
    Alter,
    Comment,
    Copy,
    Create,
    Delete,
    Drop,
    Grant,
    Insert,
    Lock,
    Merge,
    Reindex,
    Revoke,
    Select,
    Truncate,
    Update,
    With,
}

/// Words that open a statement, with those one of which must follow where they are written small, as any English
/// word might be.
#[rustfmt::skip]
static OPENERS: [(&str, Opener, Option<&Words>); 16] = [
    ("alter", Opener::Alter, Some(any_of!("table schema database role index"))),
    ("comment", Opener::Comment, Some(any_of!("on"))),
    ("copy", Opener::Copy, None),
    ("create", Opener::Create, Some(any_of!("table index unique schema database view role user temporary or"))),
    ("delete", Opener::Delete, Some(any_of!("from"))),
    ("drop", Opener::Drop, Some(any_of!("table index schema database view role column"))),
    ("grant", Opener::Grant, None),
    ("insert", Opener::Insert, Some(any_of!("into"))),
    ("lock", Opener::Lock, Some(any_of!("table"))),
    ("merge", Opener::Merge, Some(any_of!("into"))),
    ("reindex", Opener::Reindex, Some(any_of!("index table"))),
    ("revoke", Opener::Revoke, None),
    ("select", Opener::Select, None),
    ("truncate", Opener::Truncate, Some(any_of!("table"))),
    ("update", Opener::Update, None),
    ("with", Opener::With, None),
];

/// A keyword and the kinds of the name behind it.
#[rustfmt::skip]
static NAMES_BEHIND: [(&str, &[Kind]); 24] = [
    ("authorization", &[Role]),
    ("collate", &[Id]),
    ("column", COLUMN),
    ("constraint", &[Constraint]),
    ("copy", TABLE),
    ("database", &[Db]),
    ("extension", &[Id]),
    ("from", TABLE),
    ("index", &[Index]),
    ("into", TABLE),
    ("join", TABLE),
    ("only", TABLE),
    ("owner", &[Role]),
    ("policy", &[Perm, Constraint]),
    ("references", TABLE),
    ("role", &[Role]),
    ("schema", SCHEMA),
    ("sequence", &[Id, Table]),
    ("table", TABLE),
    ("trigger", &[Func, Constraint]),
    ("truncate", TABLE),
    ("update", TABLE),
    ("user", &[Role]),
    ("view", TABLE),
];

/// The words of [`OPENERS`].
pub(in crate::scrub) static OPENER_WORDS: [&str; OPENERS.len()] = {
    let mut words = [""; OPENERS.len()];
    let mut at = 0;
    while at < OPENERS.len() {
        words[at] = OPENERS[at].0;
        at += 1;
    }
    words
};

/// The words of [`NAMES_BEHIND`].
pub(in crate::scrub) static BEHIND_WORDS: [&str; NAMES_BEHIND.len()] = {
    let mut words = [""; NAMES_BEHIND.len()];
    let mut at = 0;
    while at < NAMES_BEHIND.len() {
        words[at] = NAMES_BEHIND[at].0;
        at += 1;
    }
    words
};

const TABLE: &[Kind] = &[Table];
const COLUMN: &[Kind] = &[Col, Field];
pub(super) const SCHEMA: &[Kind] = &[Schema, Id];

/// Types of some databases that are other words of languages, too.
const MORE_TYPES: &Words =
    any_of!("byte bytes list long map number object short string struct super");

/// Words that open an entry of a table's definition that is no column.
const NO_COLUMN: &Words =
    any_of!("primary foreign unique constraint check key index like exclude partition");

/// Reads the statement that may begin at `at`, where a word of [`OPENERS`] stands; says where it ends. It
/// goes no further than the quotation that it is in, which ends before `limit`.
#[inline(never)]
pub(super) fn statement(reader: &mut Reader<'_, '_>, at: usize, limit: usize) -> Option<usize> {
    let word = reader.word(at);
    let (_, opener, more) = *OPENERS
        .iter()
        .find(|(opener, _, _)| word.eq_ignore_ascii_case(opener))?;
    let next = reader.skip_space(at + 1);
    // `(select …)` ends with its bracket.
    let limit = match reader.before(at) {
        Some(open) if reader.is_mark(open, b'(') => {
            code::closing(reader, open).map_or(limit, |close| close.min(limit))
        }
        _ => limit,
    };
    let shouted = words::is_all_capitals(word);
    let opens_line = reader.opens_line(at);
    if more.is_some() && reader.is_scrubbed(next) && opens_line {
        return Some(scrubbed_end(reader, at));
    }
    // `/SELECT` is a part of a path.
    let joins = |at: usize| reader.is_any(at, b"/.\\");
    if at > 0 && (joins(at - 1) || reader.is_mark(at - 1, b'*')) || joins(at + 1) {
        return None;
    }
    let goes_on = more.is_some_and(|more| reader.says_in_any_case(next, more));
    let small = opens_line && goes_on || !shouted && is_small(reader, at, opener);
    let opens = match opener {
        // Words of prose, in capitals, too; `DELETE /v1/keys` is HTTP.
        Opener::Comment | Opener::Lock | Opener::Reindex | Opener::Delete => {
            goes_on && (shouted || small)
        }
        Opener::With => small && !shouted,
        Opener::Copy => (shouted || small) && copies(reader, at),
        _ => shouted || small,
    };
    if !opens {
        return None;
    }
    if opener == Opener::Select {
        named_query(reader, at);
    }
    if is_in_prose(reader, at) {
        return reader.is_scrubbed(next).then(|| scrubbed_end(reader, at));
    }
    let mixed = shouted && has_small_words(reader, at);
    let mut sql = Statement {
        reader,
        at,
        limit,
        opens_line,
        comment: (at, at),
        opener,
        shouted,
        mixed,
        last: "",
        defines: false,
    };
    sql.reader.wide = true;
    let end = sql.read();
    reader.wide = false;
    Some(end)
}

/// Whether the word at `at` stands behind a mark as what is quoted or said does: `"select …"`, `Hibernate: select …`.
#[inline(never)]
pub(super) fn is_set_off(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader
        .before(at)
        .is_some_and(|mark| reader.says(mark, any_of!("( : \" ' `")))
}

/// Whether the small word at `at` opens a statement, as what only SQL has follows: not "select a seat
/// from the plan", "update the settings", "grant access to users".
#[inline(never)]
fn is_small(reader: &Reader<'_, '_>, at: usize, opener: Opener) -> bool {
    let next = next_of(reader, at + 1);
    match opener {
        Opener::Grant | Opener::Revoke => grants(reader, next),
        Opener::Select => selects(reader, at),
        Opener::Truncate => name_end(reader, next)
            .map(|end| reader.skip_space(end))
            .is_some_and(|end| {
                reader.says(end, any_of!("cascade restart"))
                    || reader.is_mark(end, b';') && code::ends_line(reader, end + 1)
            }),
        // `update guests g set tier = 2`
        Opener::Update => name_end(reader, next).is_some_and(|end| {
            let set = behind_alias(reader, end, any_of!("set"));
            let column = name_end(reader, next_of(reader, set + 1));
            reader.is(set, "set")
                && column.is_some_and(|end| reader.is_mark(reader.skip_space(end), b'='))
        }),
        // `with late as (select …)`
        Opener::With => {
            let name = match reader.is(next, "recursive") {
                true => next_of(reader, next + 1),
                false => next,
            };
            let word = next_of(reader, name + 1);
            let open = next_of(reader, word + 1);
            reader.is_name(name)
                && reader.is(word, "as")
                && reader.is_mark(open, b'(')
                && reader.is(next_of(reader, open + 1), "select")
        }
        _ => false,
    }
}

/// Whether `grant` goes on at `at` as `select, insert on guests to clerk;` does.
#[inline(never)]
fn grants(reader: &Reader<'_, '_>, at: usize) -> bool {
    const RIGHTS: &Words =
        any_of!("all create delete execute insert references select trigger truncate update usage");
    if !reader.says(at, RIGHTS) {
        return false;
    }
    // `select (name, mail), update on`: between them stand rights and columns in brackets.
    let mut inside = false;
    let mut right = |at: &usize| {
        let word = reader.word(*at);
        inside = match word {
            "(" => true,
            ")" => false,
            _ => inside,
        };
        inside || RIGHTS.has(word) || any_of!("privileges , )").has(word) || word == " "
    };
    let on = (at..at + REACH).find(|at| !right(at));
    let Some(on) = on.filter(|on| reader.is(*on, "on")) else {
        return false;
    };
    let mut line = (on..at + REACH).take_while(|at| !code::ends_line(reader, *at));
    let to = line.find(|at| reader.says(*at, any_of!("from to")));
    let role = to.map(|to| reader.skip_space(to + 1));
    let end = role
        .filter(|role| !is_prose(reader, *role))
        .and_then(|role| name_end(reader, role));
    end.is_some_and(|end| {
        let next = reader.skip_space(end);
        code::ends_line(reader, next) || reader.says(next, any_of!("; , with"))
    })
}

/// Whether the small `select` at `at` is SQL's: what it lists, or what stands behind its table, no sentence has.
#[inline(never)]
fn selects(reader: &Reader<'_, '_>, at: usize) -> bool {
    let (mut depth, mut words, mut from) = (0_usize, 0, at + 1);
    // Whether a sign of SQL has been seen; whether commas list no more than names.
    let (mut sign, mut lists, mut names) = (false, false, true);
    let reach = at + 4 * REACH;
    while depth > 0 || !reader.is(from, "from") {
        match reader.scan.kind(from) {
            None | Some(TokenKind(b';')) => return false,
            // `select {` of Go, `select(` of Python
            Some(TokenKind(b'{'))
                if !is_template(reader, from) && !reader.is_mark(from - 1, b'{') =>
            {
                return false;
            }
            Some(TokenKind(b'(')) if from == at + 1 => return false,
            Some(TokenKind::NEWLINE) if code::ends_line(reader, from + 1) => return false,
            Some(TokenKind(b'(')) => {
                sign |= reader.is_word(from - 1);
                depth += 1;
            }
            Some(TokenKind(b')')) if depth == 0 => return false,
            Some(TokenKind(b')')) => depth -= 1,
            Some(TokenKind(b'*')) => sign |= next_of(reader, at + 1) == from,
            Some(TokenKind(b'.')) => sign |= reader.is_name(from - 1) && reader.is_name(from + 1),
            Some(TokenKind(b',')) => (lists, words) = (true, 0),
            Some(TokenKind::WORD) if is_prose(reader, from) => return false,
            // `mail as address`
            Some(TokenKind::WORD | TokenKind::PLACEHOLDER) if !reader.is(from, "as") => {
                words += 1;
                names &= words < 3;
            }
            _ => {}
        }
        from = prose::quotation(reader, from).map_or(from, |(_, close)| close) + 1;
        if from > reach {
            return false;
        }
    }
    let table = next_of(reader, from + 1);
    if is_template(reader, table) {
        return true;
    }
    if reader.is_mark(table, b'(') {
        return reader.is(next_of(reader, table + 1), "select");
    }
    let Some(end) = name_end(reader, table).filter(|_| !is_prose(reader, table)) else {
        return false;
    };
    let listed = lists && names;
    sign |= end > table + 1 && reader.is_mark(table + 1, b'.');
    let next = behind_alias(reader, end, CLAUSES);
    // To the end of the statement, or of the sentence that it is instead.
    let goes_on = |at: &usize| {
        let stop = reader.is_mark(*at, b'.') && reader.skip_space(at + 1) > at + 1;
        let stop = stop || reader.is_mark(*at, b'.') && code::ends_line(reader, at + 1);
        !stop && !reader.is_mark(*at, b';')
    };
    let goes_on_to = |words: &Words| {
        let mut rest = (next + 1..next + REACH / 2).take_while(goes_on);
        rest.any(|at| reader.says(at, words))
    };
    match reader.word(next) {
        ";" => sign || listed || code::ends_line(reader, next + 1),
        "group" | "order" => reader.is(next_of(reader, next + 1), "by"),
        "where" => goes_on_to(any_of!("= < > ! null")) || sign,
        word if CLAUSES.has(word) => {
            sign || word == "limit"
                || (word == "join" || goes_on_to(any_of!("join")))
                    && goes_on_to(any_of!("on using"))
        }
        _ => {
            let closed = reader.says(next, any_of!(") \" ' `"));
            listed && closed
                || sign && (closed || reader.is_mark(next, b',') || code::ends_line(reader, next))
        }
    }
}

/// The words that a table of a query may have behind it.
const CLAUSES: &Words = any_of!(
    "cross except full group having inner intersect join left limit natural offset on order right union where"
);

/// What stands behind the alias that may follow at `at`, where the word is none of `others`; on the next
/// line it is one of them.
#[inline(never)]
fn behind_alias(reader: &Reader<'_, '_>, at: usize, others: &Words) -> usize {
    let line = |at: usize| {
        let next = next_of(reader, at);
        let at = reader.skip_space(at);
        match reader.says(next, others) {
            true => next,
            false => at,
        }
    };
    let next = line(at);
    let name = match reader.is(next, "as") {
        true => reader.skip_space(next + 1),
        false => next,
    };
    let alias = reader.is_name(name)
        && !reader.says(name, others)
        && (name > next || !reader.is_in(name, NOT_NAMES));
    if alias { line(name + 1) } else { next }
}

/// Where the name at `at` ends, with what qualifies it: `hotel.guests`, `"hotel"."guests"`.
#[inline(never)]
fn name_end(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    const MOST_PARTS: usize = 4;
    let mut at = at;
    for _ in 0..MOST_PARTS {
        let end = match prose::quotation(reader, at) {
            Some((_, close)) => close + 1,
            None => reader.is_name(at).then_some(at + 1)?,
        };
        if !reader.is_mark(end, b'.') {
            return Some(end);
        }
        at = end + 1;
    }
    None
}

/// Whether the word at `at` is one of a sentence, with another behind it: "the list", not the column of `a, b`.
#[inline(never)]
fn is_prose(reader: &Reader<'_, '_>, at: usize) -> bool {
    let small = reader.is_in(at, DETERMINER)
        || reader.is_in(at, NOT_NAMES) && !reader.is_in(at, LANGUAGE)
        || reader.says(at, any_of!("for of on to with"));
    let next = reader.skip_space(at + 1);
    small && next > at + 1 && reader.is_name(next) && !reader.says(next, any_of!("as from"))
}

/// Whether a template's place opens at `at`: `{{ ref('guests') }}` of dbt.
fn is_template(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_mark(at, b'{') && reader.is_mark(at + 1, b'{')
}

/// `old` of `WITH old AS (SELECT …)`, where `SELECT` is at `at`.
fn named_query(reader: &mut Reader<'_, '_>, at: usize) {
    let open = prior(reader, at);
    let word = prior(reader, open);
    let name = prior(reader, word);
    if reader.is_mark(open, b'(')
        && reader.says_in_any_case(word, any_of!("as"))
        && reader.is_word(name)
    {
        reader.push(name, name + 1, TABLE, Rank::Definition);
    }
}

/// The token before `at` that is neither space nor line end.
fn prior(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut before = reader.left(at);
    for _ in 0..REACH / 8 {
        if !reader.is_mark(before, b'\n') {
            break;
        }
        before = reader.left(before);
    }
    before
}

/// Whether a sentence speaks of the statement whose word in capitals is at `at`: `the SELECT of the report`, `never
/// DROP the ball`. Where a word is before it and none is known behind it, as it was scrubbed, it may.
fn is_in_prose(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    let small = reader.is_in(next, NOT_NAMES) && reader.word(next).starts_with(char::is_lowercase);
    let word = reader.before(at).filter(|before| {
        reader.is_scrubbed(*before)
            || reader.is_word(*before) && !words::is_all_capitals(reader.word(*before))
    });
    word.is_some_and(|word| small || reader.is_scrubbed(next) || reader.is_in(word, DETERMINER))
}

/// Where the statement ends at the latest that goes on at `at` or does not, which is not known as what
/// says so has been scrubbed: no rule looks into what may be its rest.
pub(super) fn scrubbed_end(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = at;
    while let Some(kind) = reader.scan.kind(at) {
        match kind {
            TokenKind(b'(') => depth += 1,
            TokenKind(b')') => depth = depth.saturating_sub(1),
            TokenKind(b';') => break,
            TokenKind::NEWLINE if depth == 0 => {
                let next = reader.scan.kind(reader.skip_space(at + 1));
                if matches!(next, None | Some(TokenKind::NEWLINE)) {
                    break;
                }
            }
            _ => {}
        }
        at += 1;
    }
    at + 1
}

/// Whether the statement at `at` has small words where it begins.
fn has_small_words(reader: &Reader<'_, '_>, at: usize) -> bool {
    let mut rest = (at..at + REACH)
        .take_while(|at| !matches!(reader.scan.kind(*at), None | Some(TokenKind(b';' | b'\''))));
    // What was scrubbed may have been one.
    rest.any(|at| {
        reader.is_scrubbed(at)
            || reader.is_word(at)
                && !reader.is_in(at, LANGUAGE)
                && reader.word(at).starts_with(char::is_lowercase)
    })
}

/// Whether `COPY` at `at` has a table behind it, and what an import goes on with. A message's
/// `COPY bookings, line 4` is taken at once: it is no statement.
fn copies(reader: &mut Reader<'_, '_>, at: usize) -> bool {
    let name = reader.skip_space(at + 1);
    let mut end = name;
    while reader.is_word(end) {
        end += 1;
        if !reader.is_mark(end, b'.') {
            break;
        }
        end += 1;
    }
    let next = reader.skip_space(end);
    if reader.is_mark(next, b',') && reader.is(reader.skip_space(next + 1), "line") {
        push_chain(reader, name, TABLE, Rank::Definition);
        return false;
    }
    end > name && reader.says(next, any_of!("( FROM TO"))
}

/// What a table is stored with, whose names come with the database or its disks.
const OPTIONS: &Words = any_of!("CHARSET ENGINE TABLESPACE");

/// Whether the word at `at` is such a name: `utf8mb4_bin` of `COLLATE=utf8mb4_bin`.
#[inline(never)]
pub(super) fn is_option(reader: &Reader<'_, '_>, at: usize) -> bool {
    let before = |at: usize| reader.before(at).unwrap_or(at);
    let sign = before(at);
    match reader.is_mark(sign, b'=') {
        true => reader.is(before(sign), "COLLATE") || reader.says(before(sign), OPTIONS),
        // `COLLATE utf8mb4_bin`, `CHARACTER SET utf8mb4`, `gin (code gin_trgm_ops)`
        false => {
            reader.says(sign, OPTIONS)
                || reader.is(sign, "COLLATE")
                || reader.is(sign, "SET") && reader.is(before(sign), "CHARACTER")
                || reader.word(at).ends_with("_ops") && reader.is_name(sign)
        }
    }
}

struct Statement<'r, 's, 't> {
    reader: &'r mut Reader<'s, 't>,
    at: usize,
    limit: usize,
    opener: Opener,
    /// Whether it opens in capitals.
    shouted: bool,
    /// Whether it does, and has small words, too: its names.
    mixed: bool,
    /// Whether it opens its line: else it may stand in a log or in a string.
    opens_line: bool,
    /// Where the last comment begins and ends.
    comment: (usize, usize),
    /// The last keyword.
    last: &'t str,
    /// Whether a table's definition is being read: none stands inside another.
    defines: bool,
}

impl Statement<'_, '_, '_> {
    fn read(&mut self) -> usize {
        while self.at < self.limit
            && let Some(kind) = self.reader.scan.kind(self.at)
        {
            if let Some(end) = comment_end(self.reader, self.at) {
                self.comment = (self.at, end);
                self.at = end;
                continue;
            }
            match kind {
                TokenKind(b';') => return self.at + 1,
                TokenKind::NEWLINE => match self.goes_on() {
                    Some(true) => self.at += 1,
                    Some(false) => return self.at + 1,
                    None => return scrubbed_end(self.reader, self.at),
                },
                TokenKind::WORD => self.word(),
                TokenKind(b'"' | b'`') => self.quoted(),
                // Not the index of an array: `tags[1]`.
                TokenKind(b'[')
                    if self.shouted && !self.reader.is_word(self.at.wrapping_sub(1)) =>
                {
                    self.quoted();
                }
                TokenKind(b'\'') => self.literal(),
                // `$body$` opens and closes what a function does.
                TokenKind(b'$') if self.reader.is_mark(self.at + 2, b'$') => self.at += 3,
                _ => self.at += 1,
            }
        }
        self.at
    }

    /// Whether the statement goes on behind the line end at the place; `None` where what has been scrubbed
    /// says no more whether it did.
    fn goes_on(&self) -> Option<bool> {
        let next = self.reader.skip_space(self.at + 1);
        // "a, -- the first"
        let end = match self.comment.1 == self.at {
            true => self.comment.0,
            false => self.at,
        };
        let before = self
            .reader
            .before(end)
            .map_or("", |at| self.reader.word(at));
        let open = any_of!(", ( = > <").has(before);
        let keyword = self
            .reader
            .is_in(next, LANGUAGE.or(SQL).or(BEHIND).or(OPENER));
        let word = self.reader.word(next);
        let small = !word.starts_with(char::is_uppercase) || words::is_all_capitals(word);
        match self.reader.scan.kind(next) {
            None | Some(TokenKind::NEWLINE) => Some(false),
            _ if open => Some(true),
            // Prose goes on with a capital; so may a log's next line.
            Some(TokenKind::WORD)
                if keyword && small || self.opens_line && small && next > self.at + 1 =>
            {
                Some(true)
            }
            // What has been scrubbed may have been a comment.
            Some(TokenKind::WORD) => match self.reader.before(end) {
                Some(last) if self.opens_line && self.reader.is_scrubbed(last) => None,
                _ => Some(false),
            },
            Some(TokenKind::PLACEHOLDER) if self.opens_line => None,
            _ => Some(self.opens_line),
        }
    }

    /// `WHERE type = 3`, `SET owner = 4`: whether the word at the place is compared or set, as only a column is.
    fn is_compared(&self) -> bool {
        const KEYWORD: List = LANGUAGE.or(SQL).or(BEHIND).or(OPENER);
        let (reader, at) = (&self.reader, self.at);
        if !reader.is_in(at, KEYWORD) || reader.word(at).contains('_') {
            return false;
        }
        let next = self.next(at + 1);
        let compared = reader.says(next, any_of!("= < > !"))
            || reader.says_in_any_case(next, any_of!("between in is like"));
        let values = any_of!("all any case exists false null some true");
        if !compared || reader.says_in_any_case(at, values) {
            return false;
        }
        let before = prior(reader, at);
        let listed = self.opener == Opener::Update && reader.is_mark(next, b'=');
        reader.says_in_any_case(before, any_of!("and not or set where"))
            || listed && reader.is_mark(before, b',')
    }

    fn word(&mut self) {
        if self.is_compared() {
            return self.push_name(COLUMN);
        }
        let at = self.at;
        let word = self.reader.word(at);
        let is = |words: &Words| words.has_in_any_case(word);
        let behind = self.behind(at);
        let next = self.next(at + 1);
        let grants = matches!(self.opener, Opener::Grant | Opener::Revoke);
        // `REFERENCES rooms (no)`
        let alone = self.reader.is_mark(at.wrapping_sub(1), b'(')
            && self.reader.is_mark(at + 1, b')')
            && self.reader.look(at).is_plain();
        let lists = if alone { LANGUAGE } else { LANGUAGE.or(SQL) };
        let keyword = self.reader.is_in(at, lists) || behind.is_some() || self.is_shouted(word);
        if !keyword || alone && self.reader.is_in(at, TYPE_WORDS) {
            // A role that is granted: `GRANT staff TO ann`.
            let granted = grants && self.reader.says_in_any_case(next, any_of!("from to"));
            return match granted && matches!(self.last.len(), 5 | 6) {
                true => self.push_name(&[Role]),
                false => self.name(alone),
            };
        }
        let last = core::mem::replace(&mut self.last, word);
        self.at = next;
        if is(any_of!("on")) {
            // `ON DELETE CASCADE`
            if self
                .reader
                .says_in_any_case(next, any_of!("conflict delete update"))
            {
                return self.at += 1;
            }
            // `CREATE INDEX … ON stays`, not `CREATE VIEW … JOIN stays s ON s.guest = …`
            let joined = || any_of!("as join").has_in_any_case(last);
            if grants || self.opener == Opener::Create && !joined() {
                // `ON SCHEMA depot`, `ON ALL TABLES IN SCHEMA depot`: of which kind it is is said.
                let word = self.reader.word(next);
                let named = self.next(next + 1);
                let capitals = words::is_all_capitals(word) && self.reader.is_in(next, LANGUAGE);
                let kind = self.behind(next).is_some()
                    && !self.reader.is_in(named, LANGUAGE)
                    && !self.reader.is_mark(named, b'(');
                return match capitals || kind || any_of!("all").has_in_any_case(word) {
                    true => {}
                    false => self.push_name(TABLE),
                };
            }
        }
        if grants && is(any_of!("from to")) {
            self.grantee();
            while self.reader.is_mark(self.next(self.at), b',') {
                self.at = self.next(self.next(self.at) + 1);
                self.grantee();
            }
            return;
        }
        if is(any_of!("using")) && matches!(self.opener, Opener::Delete | Opener::Merge) {
            self.push_name(TABLE);
            return self.aliases(false);
        }
        // `LANGUAGE plpgsql`, `ENGINE=InnoDB`
        let value = match self.reader.is_mark(next, b'=') {
            true => self.next(next + 1),
            false => next,
        };
        let skipped = word == "LANGUAGE" || is_option(self.reader, value);
        if skipped && self.reader.is_name(value) {
            return self.at = value + 1;
        }
        // `RETURNS trigger`, `RETURNS SETOF racks`
        if is(any_of!("returns")) {
            if self.reader.says_in_any_case(next, any_of!("setof")) {
                self.at = self.next(next + 1);
                self.push_name(TABLE);
            } else if self.reader.says_in_any_case(next, any_of!("trigger")) {
                // Whether the next line belongs to it is seen there.
                self.at += 1;
            }
            return;
        }
        // `CREATE TYPE state AS ENUM`, `ALTER COLUMN fee TYPE numeric`
        let declares = self.opener == Opener::Create || self.opener == Opener::Alter;
        if declares && (is(any_of!("type")) && (!self.shouted || word == "TYPE"))
            || self.opener == Opener::Create && word == "DOMAIN"
        {
            if self.reader.is_word(next) {
                self.at = self.reader.push_type(next);
            }
            return;
        }
        // `KEY idx_order (order_id)`, not `PRIMARY KEY (…)`.
        if is(any_of!("key"))
            && !any_of!("foreign primary").has_in_any_case(last)
            && !self.reader.is_mark(next, b'(')
        {
            return self.push_name(&[Index]);
        }
        let adds = is(any_of!("add"));
        let Some(kinds) = behind.or(adds.then_some(COLUMN)) else {
            // Whether the next line belongs to it is seen there.
            return self.at = at + 1;
        };
        // `OWNER TO keeper`, not `OWNER TO CURRENT_USER`
        if is(any_of!("owner")) && self.reader.says_in_any_case(next, any_of!("to")) {
            let owner = self.next(next + 1);
            if !self.reader.is_in(owner, SQL) {
                self.at = owner;
            }
        }
        if adds {
            if self.opener == Opener::Alter && !self.is_keyword(self.at) {
                self.column();
            }
            return;
        }
        // `GRANT UPDATE`, `FOR UPDATE`, `INSERT … AT INDEX`
        let shadowed = grants && is(any_of!("truncate update"))
            || is(any_of!("update")) && any_of!("for").has_in_any_case(last)
            || is(any_of!("index")) && self.opener == Opener::Insert;
        if !shadowed {
            self.named(word, kinds);
        }
    }

    /// What is at the place, behind a word of [`NAMES_BEHIND`].
    fn named(&mut self, word: &str, kinds: &'static [Kind]) {
        let is = |words: &Words| words.has_in_any_case(word);
        // Without `IF` it stands where a name does, and is one once a claim has named it.
        if self.reader.says_in_any_case(self.at, any_of!("exists")) {
            self.at += 1;
        } else {
            self.skip_condition();
            // One of its words was scrubbed, or a name.
            if self.reader.is_scrubbed(self.at) && self.is_condition(self.next(self.at + 1)) {
                return self.at = scrubbed_end(self.reader, self.at) - 1;
            }
            if is(any_of!("column")) && self.opener == Opener::Alter {
                return self.column();
            }
            if self.is_keyword(self.at) {
                return;
            }
            match is_template(self.reader, self.at) {
                true => self.template(),
                false => self.push_name(kinds),
            }
        }
        // `MERGE INTO racks r USING …`, not `INSERT INTO racks (no)`
        if is(any_of!("from join only update"))
            || is(any_of!("into")) && self.opener == Opener::Merge
        {
            self.aliases(is(any_of!("from")));
        }
        if is(any_of!("table")) && self.opener == Opener::Create && !self.defines {
            self.defines = true;
            // `c:v (…)`: a name may have marks inside.
            let in_run = |kind| kind != TokenKind::SPACE && shapes::is_in_run(kind);
            while self.reader.scan.kind(self.at).is_some_and(in_run) {
                self.at += 1;
            }
            self.columns();
            self.skip_options();
            self.defines = false;
        }
    }

    /// A role that is given a right, or loses it: `TO clerk`. `PUBLIC` is the keyword for all of them.
    #[inline(never)]
    fn grantee(&mut self) {
        match self
            .reader
            .says_in_any_case(self.at, any_of!("current_user public"))
        {
            true => self.at += 1,
            false => self.push_name(&[Role]),
        }
    }

    /// `c` of `JOIN crew AS c`; with `more` the other tables of `FROM crew c, ships s`, too.
    fn aliases(&mut self, more: bool) {
        loop {
            let mut at = self.reader.skip_space(self.at);
            if self.reader.says_in_any_case(at, any_of!("as")) {
                at = self.reader.skip_space(at + 1);
            }
            let goes_on = self.reader.says(at + 1, any_of!("( ."));
            if self.may_name(at) && !goes_on {
                self.reader.push(at, at + 1, TABLE, Rank::Definition);
                self.at = at + 1;
            }
            let comma = self.next(self.at);
            let name = self.next(comma + 1);
            if !more || !self.reader.is_mark(comma, b',') || !self.may_name(name) {
                return;
            }
            self.at = name;
            self.push_name(TABLE);
        }
    }

    /// `{{ source('hall', 'keys') }}`: what the call names is read as anywhere.
    #[inline(never)]
    fn template(&mut self) {
        let call = self.reader.skip_space(self.at + 2);
        let closing = code::closing(self.reader, call + 1);
        if closing.is_some() {
            calls::named(self.reader, call);
        }
        let close = self.reader.skip_space(closing.unwrap_or(call) + 1);
        self.at = match self.reader.is_mark(close, b'}') {
            true => close + 2,
            false => call,
        };
    }

    /// Whether the word at the place is none of SQL's.
    fn may_name(&self, at: usize) -> bool {
        self.reader.is_word(at)
            && !self.reader.is_in(at, LANGUAGE.or(SQL))
            && !self.is_keyword(at)
            && !self.is_shouted(self.reader.word(at))
    }

    /// `IF NOT EXISTS`, `IF EXISTS`, `CONCURRENTLY`.
    fn skip_condition(&mut self) {
        while self.is_condition(self.at) {
            self.at = self.next(self.at + 1);
        }
    }

    fn is_condition(&self, at: usize) -> bool {
        self.reader
            .says_in_any_case(at, any_of!("concurrently exists if lateral not only"))
    }

    /// What stands behind the bracket: `ENGINE=InnoDB`, up to the query of `AS SELECT …`; the table of `LIKE racks`.
    fn skip_options(&mut self) {
        let ends = |kind| matches!(kind, None | Some(TokenKind::NEWLINE | TokenKind(b';')));
        while !ends(self.reader.scan.kind(self.at)) {
            if self.reader.says_in_any_case(self.at, any_of!("as")) {
                return;
            }
            if self.reader.says_in_any_case(self.at, any_of!("like")) {
                self.at = self.next(self.at + 1);
                if self.reader.is_any(self.at, b"\"`[") || self.may_name(self.at) {
                    self.push_name(TABLE);
                }
                return;
            }
            self.at = match prose::quotation(self.reader, self.at) {
                Some((_, close)) => close + 1,
                None => self.at + 1,
            };
        }
    }

    /// The entries between the brackets of a table's definition.
    fn columns(&mut self) {
        let open = self.next(self.at);
        if !self.reader.is_mark(open, b'(') {
            return;
        }
        self.at = self.next(open + 1);
        self.entry();
        let mut depth = 1;
        while depth > 0 {
            if let Some(end) = comment_end(self.reader, self.at) {
                self.at = end;
            }
            match self.reader.scan.kind(self.at) {
                None | Some(TokenKind(b';')) => return,
                Some(TokenKind(b'(')) => depth += 1,
                Some(TokenKind(b')')) => depth -= 1,
                Some(TokenKind(b',')) if depth == 1 => {
                    self.at = self.next(self.at + 1);
                    self.entry();
                    continue;
                }
                Some(TokenKind::WORD) => {
                    self.word();
                    continue;
                }
                Some(TokenKind(b'\'')) => {
                    self.literal();
                    continue;
                }
                // In quotes no statement ends.
                Some(TokenKind(b'"' | b'`')) => {
                    let ends = |at| self.reader.is_mark(at, b';');
                    let quoted = prose::quotation(self.reader, self.at);
                    let text = quoted.filter(|(from, to)| (*from..*to).any(ends));
                    self.at = text.map_or(self.at, |(_, close)| close);
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// A column's definition, or a constraint, which is read as any words of SQL.
    fn entry(&mut self) {
        if self.is_typed() || !self.reader.says_in_any_case(self.at, NO_COLUMN) {
            self.column();
        } else if self.reader.says_in_any_case(self.at, any_of!("like")) {
            self.at = self.next(self.at + 1);
            self.push_name(TABLE);
        }
    }

    /// Whether the word at the place has a data type behind it, as a column has, whatever it is called: `key TEXT`, not
    /// `KEY date (date)`, `CONSTRAINT date CHECK (…)`.
    fn is_typed(&self) -> bool {
        let kind = self.next(self.at + 1);
        let open = self.next(self.reader.type_end(kind));
        self.reader.is_in(kind, TYPE_WORDS)
            && !(self.reader.is_mark(open, b'(') && self.reader.is_name(open + 1))
            && !self.reader.says_in_any_case(self.at, any_of!("constraint"))
    }

    /// A column's name and its type.
    fn column(&mut self) {
        self.push_name(COLUMN);
        self.at = self.next(self.at);
        let data_type = self.reader.is_in(self.at, TYPE_WORDS)
            || self.reader.is_word(self.at) && !self.reader.is_in(self.at, LANGUAGE)
            || self.reader.says_in_any_case(self.at, MORE_TYPES);
        if data_type {
            self.at = self.reader.push_type(self.at);
            self.inner_types();
        }
    }

    /// `(String)` of `Array(String)`, `<code STRING>` of `STRUCT<code STRING>`.
    fn inner_types(&mut self) {
        let mark = self.reader.scan.kind(self.at);
        let open = self.at + 1;
        let first =
            self.reader.is_word(open) && !self.reader.says_in_any_case(open, any_of!("max"));
        if !matches!(mark, Some(TokenKind(b'(' | b'<'))) || !first {
            return;
        }
        let mut depth = 1_usize;
        let mut at = open;
        while depth > 0 && at < open + REACH {
            match self.reader.scan.kind(at) {
                None | Some(TokenKind::NEWLINE | TokenKind(b';')) => break,
                Some(TokenKind(b'(' | b'<')) => depth += 1,
                Some(TokenKind(b')' | b'>')) => depth -= 1,
                Some(TokenKind::WORD) => {
                    let behind = self.reader.skip_space(at + 1);
                    match behind > at + 1 && self.reader.is_word(behind) {
                        true => self.reader.push(at, at + 1, COLUMN, Rank::Definition),
                        false => {
                            self.reader.push_type(at);
                        }
                    }
                }
                _ => {}
            }
            at += 1;
        }
        if depth == 0 {
            self.at = at;
        }
    }

    /// A bare name: a column where a condition or a list stands.
    fn name(&mut self, alone: bool) {
        let called = self.reader.is_mark(self.at + 1, b'(') || is_option(self.reader, self.at);
        // `%(year)s` of Python
        let bound = self.at.wrapping_sub(4);
        let called = called
            || self.reader.is_mark(self.at.wrapping_sub(1), b')')
                && self.reader.has_marks(bound, b"%(");
        // `nvarchar(max)`
        let called = called || alone && self.reader.word(self.at).eq_ignore_ascii_case("max");
        let type_word = self.reader.is_in(self.at, TYPE_WORDS) && !alone;
        if called || type_word || self.last.is_empty() {
            self.at += 1;
            return;
        }
        // `late` of `), late AS (SELECT …)`
        let word = self.next(self.at + 1);
        let query = self.reader.says_in_any_case(word, any_of!("as"))
            && self.reader.is_mark(self.next(word + 1), b'(');
        self.push_name(if query { TABLE } else { COLUMN });
    }

    /// A name in double quotes or backticks.
    fn quoted(&mut self) {
        self.push_name(COLUMN);
    }

    /// A text in single quotes is no name.
    fn literal(&mut self) {
        self.at = match prose::quotation(self.reader, self.at) {
            Some((_, end)) => end + 1,
            None => self.at + 1,
        };
    }

    /// The name at the place, with what qualifies it: the last part is of `kinds`. What ends an entry is no
    /// name, and left to be read.
    fn push_name(&mut self, kinds: &'static [Kind]) {
        // `COPY racks FROM '/tmp/racks.csv'`; MySQL quotes its users so.
        let text = || {
            let quoted = prose::quotation(self.reader, self.at);
            let chain = quoted.is_some_and(|(from, to)| is_qualified(self.reader, from, to));
            self.opener == Opener::Copy || kinds != TABLE || !chain
        };
        if self.reader.is_mark(self.at, b'\'') && kinds != [Role] && text() {
            return self.literal();
        }
        let end = push_chain(self.reader, self.at, kinds, Rank::Definition);
        let ends = matches!(
            self.reader.scan.kind(self.at),
            Some(TokenKind(b',' | b')' | b';'))
        );
        self.at = end.unwrap_or(self.at + usize::from(!ends));
    }

    /// The kinds of the name behind a keyword. In a statement in capitals a small `user` is a name.
    fn behind(&self, at: usize) -> Option<&'static [Kind]> {
        const VERBS: &Words = any_of!("constraint from into join references update");
        if !self.reader.is_in(at, BEHIND) {
            return None;
        }
        let word = self.reader.word(at);
        let (known, kinds) = NAMES_BEHIND
            .iter()
            .find(|(known, _)| word.eq_ignore_ascii_case(known))?;
        let keyword = !self.shouted || words::is_all_capitals(word) || VERBS.has(known);
        keyword.then_some(*kinds)
    }

    /// Whether the word is read as a keyword, also where a name is awaited.
    fn is_keyword(&self, at: usize) -> bool {
        self.reader.is_in(at, LANGUAGE) && words::is_all_capitals(self.reader.word(at))
            || self.reader.says_in_any_case(at, any_of!("select set"))
            || self.behind(at).is_some()
    }

    /// Whether a word is a keyword because names are small here and it is not: `NOTHING`, `SKIP LOCKED`.
    fn is_shouted(&self, word: &str) -> bool {
        self.mixed && words::is_all_capitals(word)
    }

    /// The next token that is neither space nor line end, nor in a comment.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn next(&self, at: usize) -> usize {
        next_of(self.reader, at).min(self.limit.max(at))
    }
}

/// The next token from `at` on that is neither space nor line end, nor in a comment.
#[cfg_attr(target_arch = "wasm32", inline(never))]
fn next_of(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut next = at;
    while next < at + MOST_SAID {
        next = match reader.scan.kind(next) {
            Some(TokenKind::SPACE | TokenKind::NEWLINE) => next + 1,
            _ => match comment_end(reader, next) {
                Some(end) => end,
                None => break,
            },
        };
    }
    next
}

/// How many tokens of comments are passed over at once, as more than one rule may look behind them.
const MOST_SAID: usize = 8 * REACH;

/// Where the comment ends that begins at `at`: `-- as weighed`, `/* in grams */`, `# of MySQL`, not `#queue`,
/// which is a table of SQL Server.
#[cfg_attr(target_arch = "wasm32", inline(never))]
fn comment_end(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    let space = |at: usize| {
        matches!(
            reader.scan.kind(at),
            None | Some(TokenKind::SPACE | TokenKind::NEWLINE)
        )
    };
    let reach = at + MOST_SAID;
    match reader.scan.kind(at)? {
        TokenKind(b'-') if reader.is_mark(at + 1, b'-') => {}
        TokenKind(b'#') if space(at + 1) && at.checked_sub(1).is_none_or(space) => {}
        TokenKind(b'/') if reader.is_mark(at + 1, b'*') => {
            let closes = |at: &usize| reader.is_mark(*at, b'*') && reader.is_mark(*at + 1, b'/');
            return (at + 2..reach).find(closes).map(|close| close + 2);
        }
        _ => return None,
    }
    (at..reach).find(|at| matches!(reader.scan.kind(*at), None | Some(TokenKind::NEWLINE)))
}

/// `[Order Details]`, as SQL Server quotes a name.
pub(super) fn bracketed(reader: &Reader<'_, '_>, at: usize) -> Option<(usize, usize)> {
    if !reader.is_mark(at, b'[') || !reader.is_word(at + 1) {
        return None;
    }
    let inside = |at: &usize| {
        matches!(
            reader.scan.kind(*at),
            Some(TokenKind::WORD | TokenKind::SPACE | TokenKind::NUMBER | TokenKind(b'.'))
        )
    };
    let close = (at + 1..at + REACH).find(|at| !inside(at))?;
    reader.is_mark(close, b']').then_some((at + 1, close))
}

/// `schema.table.column`, quoted or not, where the last part is of `kinds`; says where it ends.
pub(super) fn push_chain(
    reader: &mut Reader<'_, '_>,
    at: usize,
    kinds: &'static [Kind],
    rank: Rank,
) -> Option<usize> {
    let mut parts = [(0, 0); 4];
    let mut count = 0;
    let mut end = at;
    let mut at = at;
    while count < parts.len() {
        let (from, to, next) = match prose::quotation(reader, at).or_else(|| bracketed(reader, at))
        {
            Some((from, to)) => (from, to, to + 1),
            // What stands behind `[TABLE_1].[TABLE_2]` is read as it was.
            None if reader.is_name(at) => (at, at + 1, at + 1),
            None => break,
        };
        let mut from = from;
        if is_qualified(reader, from, to) {
            for point in (from..to).filter(|at| reader.is_mark(*at, b'.')) {
                if count + 1 < parts.len() {
                    parts[count] = (from, point);
                    count += 1;
                    from = point + 1;
                }
            }
        }
        parts[count] = (from, to);
        count += 1;
        end = next;
        if !reader.is_mark(next, b'.') {
            break;
        }
        at = next + 1;
    }
    if count == 0 {
        return None;
    }
    let above: &[&'static [Kind]] = match kinds {
        [Col | Field, ..] => &[TABLE, SCHEMA, &[Db]],
        _ => &[SCHEMA, &[Db], &[Db]],
    };
    let above = [kinds].into_iter().chain(above.iter().copied());
    for ((from, to), kinds) in parts[..count].iter().rev().zip(above) {
        reader.push(*from, *to, kinds, rank);
    }
    Some(end)
}

/// "references users(id)": the table at `at` and its columns.
pub(super) fn referenced(reader: &mut Reader<'_, '_>, at: usize) {
    reader.push_name_at(at, at + 1, &[Table, Func, Method], Rank::Structure);
    columns(reader, at + 2);
}

/// `UNIQUE KEY by_year (year)` on a line of its own: the index at `at` and its columns in brackets, if there are any.
pub(super) fn keyed(reader: &mut Reader<'_, '_>, at: usize) {
    let open = reader.skip_space(at + 1);
    if reader.is_word(at) && reader.is_mark(open, b'(') && list_end(reader, open + 1).is_some() {
        reader.push(at, at + 1, &[Index], Rank::Definition);
        columns(reader, open + 1);
    }
}

/// The bracket that closes a list of words from `at` on: `route_no, night)`.
fn list_end(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    let mut at = at;
    for _ in 0..REACH / 2 {
        let next = reader.skip_space(at + 1);
        if !reader.is_word(at) || reader.is_mark(next, b')') {
            return Some(next).filter(|_| reader.is_word(at));
        }
        if !reader.is_mark(next, b',') {
            break;
        }
        at = reader.skip_space(next + 1);
    }
    None
}

/// The columns that are listed from `at`.
fn columns(reader: &mut Reader<'_, '_>, at: usize) {
    let mut column = at;
    while reader.is_word(column) {
        reader.push_plain(column, column + 1, COLUMN, Rank::Structure);
        if !reader.is_mark(column + 1, b',') {
            return;
        }
        column = reader.skip_space(column + 2);
    }
}

/// Whether a quotation holds names that points join: `'clinic.rota'`, `` `mead-prod.weather.readings` ``.
#[inline(never)]
pub(super) fn is_qualified(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    let joins = |at: usize| match reader.scan.kind(at) {
        Some(TokenKind(b'.' | b'-')) => {
            let part = |at| reader.is_name(at) || reader.is_number(at);
            at > from && at + 1 < to && part(at - 1) && part(at + 1)
        }
        Some(TokenKind::NUMBER) => at > from && reader.is_mark(at - 1, b'-'),
        _ => reader.is_name(at),
    };
    to > from + 2 && (from..to).all(joins) && (from..to).any(|at| reader.is_mark(at, b'.'))
}

/// Whether the quotation that opens at `at` is a qualified name and no text, as a statement or a message says:
/// `FROM "clinic.rota"`, "Unknown column 'rota.weekday'", "Invalid object name 'dbo.rota'".
#[inline(never)]
pub(super) fn is_quoted_chain(
    reader: &mut Reader<'_, '_>,
    at: usize,
    (from, to): (usize, usize),
    in_statement: bool,
) -> bool {
    let Some(before) = reader.before(at).filter(|_| is_qualified(reader, from, to)) else {
        return false;
    };
    let said = reader.before(before).map_or("", |said| reader.word(said));
    match (said, reader.word(before)) {
        ("object", "name") => {
            push_chain(reader, at, TABLE, Rank::Structure);
            true
        }
        // Of MySQL, which says the table of an index.
        ("for", "key") if to == from + 3 => {
            reader.push(from, from + 1, TABLE, Rank::Structure);
            reader.push(from + 2, to, &[Index], Rank::Structure);
            true
        }
        _ => {
            in_statement && (reader.is_mark(at, b'"') || reader.is_in(before, BEHIND))
                || prose::cue_kinds(reader, before)
                    .is_some_and(|kinds| matches!(kinds[0], Table | Col | Field | Index))
        }
    }
}

/// `SET search_path TO rail, public`: the schemas that are listed from `at`.
#[inline(never)]
pub(super) fn searched(reader: &mut Reader<'_, '_>, at: usize) {
    let mut at = reader.skip_space(at);
    for _ in 0..REACH / 4 {
        let Some(end) = push_chain(reader, at, SCHEMA, Rank::Definition) else {
            return;
        };
        if !reader.is_mark(end, b',') {
            return;
        }
        at = reader.skip_space(end + 1);
    }
}

/// `Key (route_no, night)=(8841, 2)`, `constraint (FARM.PLOTS_OWNER_FK)` of a database's error message.
#[inline(never)]
pub(super) fn error_detail(reader: &mut Reader<'_, '_>, at: usize) {
    let open = reader.skip_space(at + 1);
    if !reader.is_mark(open, b'(') {
        return;
    }
    let qualified = reader.is_mark(open + 2, b'.') && reader.is_mark(open + 4, b')');
    if reader.is(at, "constraint") && qualified {
        push_chain(reader, open + 1, &[Constraint], Rank::Definition);
    }
    if !reader.is(at, "Key") {
        return;
    }
    let Some(end) = list_end(reader, open + 1).filter(|end| reader.is_mark(end + 1, b'=')) else {
        return;
    };
    for column in open + 1..end {
        if reader.is_word(column) {
            reader.push(column, column + 1, COLUMN, Rank::Definition);
        }
    }
}

/// `"stays_pkey" PRIMARY KEY, btree (…)`: what a database prints of a table. The quotation ends at `to`.
#[inline(never)]
pub(super) fn described(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let next = reader.skip_space(to + 1);
    // "(`rail`.`journeys`, CONSTRAINT …": the table whose constraint fails
    let table = prose::quotation(reader, to + 2).filter(|_| reader.is_mark(to + 1, b'.'));
    let comma = table.map_or(to, |(_, end)| end) + 1;
    if reader.is_mark(comma, b',') && reader.is(reader.skip_space(comma + 1), "CONSTRAINT") {
        push_chain(reader, from - 1, TABLE, Rank::Definition);
        return;
    }
    let kinds: &'static [Kind] = match reader.word(next) {
        "PRIMARY" | "UNIQUE" | "btree" | "hash" | "gin" | "gist" => &[Index],
        "CHECK" | "EXCLUDE" | "FOREIGN" => &[Constraint],
        _ => return,
    };
    if reader.is_mark(from - 1, b'"') || kinds == [Constraint] {
        reader.push(from, to, kinds, Rank::Definition);
    }
    // `FOREIGN KEY (room_code) REFERENCES clinic.rooms(room_code)`
    let mut at = next;
    for _ in 0..REACH {
        at += 1;
        match reader.scan.kind(at) {
            None | Some(TokenKind::NEWLINE) => return,
            Some(TokenKind::WORD) if reader.is(at, "REFERENCES") => {
                at = push_chain(reader, reader.skip_space(at + 1), TABLE, Rank::Definition)
                    .unwrap_or(at);
            }
            // (`train_no`) of MySQL
            Some(TokenKind(b'`')) if reader.is_mark(at - 1, b'(') => {
                at = push_chain(reader, at, COLUMN, Rank::Definition).unwrap_or(at);
            }
            Some(TokenKind::WORD)
                if reader.is_mark(at - 1, b'(') && reader.is_mark(at + 1, b')') =>
            {
                reader.push(at, at + 1, COLUMN, Rank::Definition);
            }
            _ => {}
        }
    }
}

/// A type word, at `at`, of which the text says that it is one: `fee::numeric`, "is of type date", `- paid_at (date)`,
/// `data_type: text`; `VARCHAR` wherever it stands.
#[inline(never)]
pub(super) fn typed(reader: &mut Reader<'_, '_>, at: usize) {
    /// What is nothing but a type, as these are written.
    const TYPES: &Words = any_of!(
        "BIGINT BIGSERIAL BOOLEAN BYTEA DATETIME DECIMAL FLOAT INT INT2 INT4 INT8 INTEGER JSONB LONGTEXT MEDIUMINT \
        MEDIUMTEXT NUMERIC NVARCHAR SMALLINT TIMESTAMP TIMESTAMPTZ TINYINT VARBINARY VARCHAR bigint bigserial bytea int2 int4 \
        int8 jsonb longtext mediumint mediumtext nvarchar smallint timestamptz tinyint varbinary varchar"
    );
    let only = reader.says(at, TYPES);
    let back = |at: usize| reader.before(at).unwrap_or(at);
    let quoted = at > 0 && reader.says(at - 1, any_of!("\" '"));
    let sign = back(at - usize::from(quoted && at > 1));
    let end = reader.type_end(at);
    // `"type": "int"`, `data_type: text`
    let key = back(sign);
    let key = key - usize::from(reader.is_mark(key, b'"') && key > 0);
    let valued = || {
        reader.says(key, any_of!("data_type dataType"))
            || reader.is(key, "type")
                && reader.says(at, any_of!("char decimal float int numeric timestamp"))
    };
    // `- paid_at (date)`, "Column paid_at: date, optional"
    let listed = || {
        !reader.look(key).is_ordinary()
            && (reader.before_line(key).is_some()
                || reader.says(back(key), any_of!("Column column")))
            && (reader.says(end, any_of!(", ( )")) || code::ends_line(reader, end))
    };
    let told = match reader.word(sign) {
        ":" if sign + 1 == at && reader.is_mark(sign.wrapping_sub(1), b':') => {
            !reader.says(end, any_of!(": ("))
        }
        ":" | "=" if valued() => true,
        ":" | "(" => listed(),
        "type" => reader.says(back(sign), any_of!("of data")),
        _ => false,
    };
    if only || told {
        reader.push_type(at);
        if let Some(find) = reader.finds.last_mut() {
            // "the boat will float"
            const ENGLISH: &Words = any_of!("DECIMAL FLOAT INTEGER NUMERIC TIMESTAMP");
            find.everywhere = only && !reader.scan.is_one_of(at, ENGLISH);
        }
    }
}

impl Reader<'_, '_> {
    /// A data type where one is declared: a name only for a profile with that kind. Says where it
    /// ends: `timestamp with time zone` is one.
    pub(super) fn push_type(&mut self, at: usize) -> usize {
        let end = self.type_end(at);
        self.push(at, end, &[Dtype], Rank::Definition);
        if let Some(find) = self.finds.last_mut() {
            find.only_in_profile = true;
        }
        end
    }

    /// Where the data type at `at` ends, which may be of several words.
    pub(super) fn type_end(&self, at: usize) -> usize {
        /// What goes on in a type, and what may end one.
        const INSIDE: &Words = any_of!("local time with without");
        const LAST: &Words = any_of!("precision unsigned varying zone");
        let (mut end, mut next) = (at + 1, at + 1);
        while self.scan.kind(next) == Some(TokenKind::SPACE) {
            let last = self.says_in_any_case(next + 1, LAST);
            if !last && !self.says_in_any_case(next + 1, INSIDE) {
                break;
            }
            next += 2;
            if last {
                end = next;
            }
        }
        end
    }

    /// Whether the word at `at` is one of `words`, in any case.
    #[inline(never)]
    pub(super) fn says_in_any_case(&self, at: usize, words: &Words) -> bool {
        words.has_in_any_case(self.word(at))
    }

    /// Whether the word at `at` is one of a data type's that begins before it: `ZONE` of `TIME WITH TIME ZONE`.
    pub(super) fn goes_on_in_type(&self, at: usize) -> bool {
        const MOST: usize = 4;
        let mut before = (1..=MOST).filter_map(|words| at.checked_sub(2 * words));
        before.any(|first| self.is_in(first, TYPE_WORDS) && self.type_end(first) > at)
    }
}
