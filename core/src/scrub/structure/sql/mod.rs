//! SQL: definitions, queries and grants. Keywords and type words stay; what stands in a name's
//! place is a name, however ordinary the word.

mod names;
mod openers;
mod queries;
mod statement;

use super::{REACH, Reader, code, prose};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        words::{self, TYPE_WORDS, Words, any_of},
    },
};
use names::list_end;
use openers::{OPENERS, Opener};
use queries::{
    behind_alias, has_small_words, is_in_prose, is_prose, name_end, named_query, selects,
};
use statement::{Statement, next_of};

pub(super) use names::{is_qualified, is_quoted_chain, keyed, push_chain, referenced, searched};
pub(in crate::scrub) use openers::{BEHIND_WORDS, OPENER_WORDS};
pub(super) use statement::bracketed;

const TABLE: &[Kind] = &[Table];
const COLUMN: &[Kind] = &[Col, Field];
pub(super) const SCHEMA: &[Kind] = &[Schema, Id];

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
    let end = reader.widely(true, |reader| {
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
        sql.read()
    });
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

/// Whether the word at `at` stands in the brackets of a cast, and in no others inside them.
fn is_cast(reader: &Reader<'_, '_>, at: usize) -> bool {
    let mut closed = 0;
    for at in (at.saturating_sub(REACH / 2)..at).rev() {
        match reader.scan.kind(at) {
            Some(TokenKind(b')')) => closed += 1,
            Some(TokenKind(b'(')) if closed > 0 => closed -= 1,
            Some(TokenKind(b'(')) => {
                return reader.says(at.wrapping_sub(1), any_of!("CAST TRY_CAST cast try_cast"));
            }
            _ => {}
        }
    }
    false
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
        // `cast(paid_at as date)`, `convert(int, seats)`
        "as" | "AS" => is_cast(reader, sign),
        "(" if reader.says(sign.wrapping_sub(1), any_of!("CONVERT convert")) => {
            reader.is_mark(end, b',')
        }
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
