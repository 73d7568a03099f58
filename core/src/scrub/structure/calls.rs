//! Functions that are given names in quotes: migrations, object-relational models, checks of roles.

use super::{REACH, Reader, Reading, code, config, prose, sql};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        words::{CALL, TYPE_WORDS, any_of},
    },
};

/// A function, what its argument `name` is, and what those without a name are, in order; the last
/// goes for all that follow, and for the only one there is.
type Call = (&'static str, &'static [Kind], &'static [&'static [Kind]]);

const COLUMN: &[Kind] = &[Col, Field];
const CONSTRAINT: &[Kind] = &[Constraint, Id];
const INDEX: &[Kind] = &[Index, Id];
const MEMBER: &[Kind] = &[Field, Col, Method, Func, Var];
const METHOD: &[Kind] = &[Method, Func];
const ROLE: &[Kind] = &[Role];
const TABLE: &[Kind] = &[Table];

/// By name.
#[rustfmt::skip]
static CALLS: [Call; 75] = [
    ("CheckConstraint", CONSTRAINT, &[]), ("Column", COLUMN, &[COLUMN]), ("Entity", TABLE, &[TABLE]),
    ("ForeignKeyConstraint", CONSTRAINT, &[COLUMN, &[]]),
    ("Index", INDEX, &[INDEX, COLUMN]), ("JoinColumn", COLUMN, &[COLUMN]), ("JoinTable", TABLE, &[TABLE]),
    ("PrimaryColumn", COLUMN, &[COLUMN]), ("PrimaryGeneratedColumn", COLUMN, &[]),
    ("PrimaryKeyConstraint", CONSTRAINT, &[COLUMN]), ("RolesAllowed", ROLE, &[ROLE]), ("Table", TABLE, &[TABLE, COLUMN]),
    ("UniqueConstraint", CONSTRAINT, &[COLUMN]), ("addColumn", COLUMN, &[TABLE, COLUMN]),
    ("addConstraint", CONSTRAINT, &[TABLE]), ("addIndex", INDEX, &[TABLE, COLUMN]),
    ("add_check_constraint", CONSTRAINT, &[TABLE, &[]]), ("add_column", COLUMN, &[TABLE, COLUMN]),
    ("add_foreign_key", CONSTRAINT, &[TABLE, TABLE]),
    ("add_index", INDEX, &[TABLE, COLUMN]), ("add_reference", COLUMN, &[TABLE, COLUMN]), ("alterTable", TABLE, &[TABLE]), ("alter_column", COLUMN, &[TABLE, COLUMN]),
    ("batch_alter_table", TABLE, &[TABLE]), ("bigIncrements", COLUMN, &[COLUMN]), ("bigInteger", COLUMN, &[COLUMN]),
    ("changeColumn", COLUMN, &[TABLE, COLUMN]), ("change_column", COLUMN, &[TABLE, COLUMN]),
    ("change_column_default", COLUMN, &[TABLE, COLUMN, &[]]), ("change_column_null", COLUMN, &[TABLE, COLUMN, &[]]),
    ("change_table", TABLE, &[TABLE]),
    ("constrained", TABLE, &[TABLE]),
    ("createCollection", TABLE, &[TABLE, &[]]), ("createIndex", INDEX, &[]), ("createTable", TABLE, &[TABLE]),
    ("create_check_constraint", CONSTRAINT, &[CONSTRAINT, TABLE, &[]]),
    ("create_foreign_key", CONSTRAINT, &[CONSTRAINT, TABLE, TABLE, COLUMN]), ("create_index", INDEX, &[INDEX, TABLE, COLUMN]),
    ("create_primary_key", CONSTRAINT, &[CONSTRAINT, TABLE, COLUMN]), ("create_table", TABLE, &[TABLE]),
    ("create_unique_constraint", CONSTRAINT, &[CONSTRAINT, TABLE, COLUMN]), ("dropColumn", COLUMN, &[TABLE, COLUMN]),
    ("dropTable", TABLE, &[TABLE]), ("dropTableIfExists", TABLE, &[TABLE]), ("drop_column", COLUMN, &[TABLE, COLUMN]),
    ("drop_constraint", CONSTRAINT, &[CONSTRAINT, TABLE, &[]]), ("drop_index", INDEX, &[INDEX, TABLE, &[]]),
    ("drop_table", TABLE, &[TABLE]), ("groupBy", COLUMN, &[COLUMN]), ("hasColumn", COLUMN, &[TABLE, COLUMN]),
    ("hasTable", TABLE, &[TABLE]), ("inTable", TABLE, &[TABLE]), ("increments", COLUMN, &[COLUMN]), ("into", TABLE, &[TABLE]),
    ("knex", TABLE, &[TABLE]), ("mapped_column", COLUMN, &[COLUMN]), ("mysqlTable", TABLE, &[TABLE]),
    ("nullableTimestamp", COLUMN, &[COLUMN]), ("orderBy", COLUMN, &[COLUMN]), ("pgTable", TABLE, &[TABLE]),
    ("references", COLUMN, &[COLUMN]), ("removeColumn", COLUMN, &[TABLE, COLUMN]), ("remove_column", COLUMN, &[TABLE, COLUMN]),
    ("remove_index", INDEX, &[TABLE, COLUMN]), ("remove_reference", COLUMN, &[TABLE, COLUMN]),
    ("renameColumn", COLUMN, &[TABLE, COLUMN, COLUMN]),
    ("renameTable", TABLE, &[TABLE]), ("rename_column", COLUMN, &[TABLE, COLUMN, COLUMN]), ("rename_index", INDEX, &[TABLE, INDEX, INDEX]),
    ("rename_table", TABLE, &[TABLE]),
    ("sqliteTable", TABLE, &[TABLE]), ("table", TABLE, &[TABLE]), ("unsignedInteger", COLUMN, &[COLUMN]),
    ("withColumn", COLUMN, &[COLUMN]), ("withColumnRenamed", COLUMN, &[COLUMN]),
];

/// The words of [`CALLS`] and [`DECLARED`].
pub(in crate::scrub) static CALL_WORDS: [&str; CALLS.len() + DECLARED.len()] = {
    let mut words = [""; CALLS.len() + DECLARED.len()];
    let mut at = 0;
    while at < words.len() {
        words[at] = match at < CALLS.len() {
            true => CALLS[at].0,
            false => DECLARED[at - CALLS.len()].0,
        };
        at += 1;
    }
    words
};

/// Methods of a table that is being defined: `t.string("label")`.
#[rustfmt::skip]
static TYPED: [&str; 23] = [
    "binary", "boolean", "char", "date", "dateTime", "datetime", "decimal", "double", "enum", "float", "foreignId",
    "integer", "json", "jsonb", "longText", "mediumText", "smallInteger", "string", "text", "timestamp", "tinyInteger",
    "unsignedBigInteger", "uuid",
];

/// Looks at the word at `at`, which is called.
pub(super) fn named(reader: &mut Reader<'_, '_>, at: usize) {
    let word = reader.word(at);
    let receiver = receiver(reader, at);
    if reader.is_in(at, CALL)
        && let Ok(known) = CALLS.binary_search_by_key(&word, |(name, _, _)| name)
    {
        let (_, name, mut arguments) = CALLS[known];
        // `$table->renameColumn('night', 'day')`
        let of_table =
            receiver.is_some_and(|receiver| reader.says(receiver, any_of!("batch_op t table")));
        if of_table
            && let [first, _, ..] = arguments
            && *first == TABLE
        {
            arguments = &arguments[1..];
        }
        return read(reader, at + 1, name, arguments);
    }
    // The column of a table that is being defined is the first argument.
    let member = receiver
        .is_some_and(|owner| owner + 2 == at || reader.says(owner, any_of!("t table")))
        && TYPED.binary_search(&word).is_ok();
    // `id: serial("id")`
    let typed = || {
        reader
            .before(at)
            .is_some_and(|colon| reader.is_mark(colon, b':') && colon + 1 < at)
    };
    if member || reader.is_in(at, TYPE_WORDS) && typed() {
        return read(reader, at + 1, COLUMN, &[COLUMN, &[]]);
    }
    match receiver.map_or("", |receiver| reader.word(receiver)) {
        "Schema" | "schema" if any_of!("create drop dropIfExists rename").has(word) => {
            return read(reader, at + 1, TABLE, &[TABLE]);
        }
        // `$table->index(['room', 'night'], 'booked')`
        // `{{ source('rail', 'journeys') }}`
        _ if matches!(word, "ref" | "source")
            && reader.before(at).is_some_and(|open| {
                open > 0 && reader.is_mark(open, b'{') && reader.is_mark(open - 1, b'{')
            }) =>
        {
            let arguments: &[&[Kind]] = if word == "ref" {
                &[TABLE]
            } else {
                &[sql::SCHEMA, TABLE]
            };
            return read(reader, at + 1, TABLE, arguments);
        }
        "t" | "table" if any_of!("index primary unique").has(word) => {
            return read(reader, at + 1, INDEX, &[COLUMN, INDEX]);
        }
        "t" | "table" if word == "foreign" => {
            return read(reader, at + 1, CONSTRAINT, &[COLUMN, CONSTRAINT]);
        }
        "t" | "table" if any_of!("dropForeign dropIndex dropUnique").has(word) => {
            return read(reader, at + 1, INDEX, &[INDEX]);
        }
        _ => {}
    }
    // `requireRole("harbour_master")`
    if !reader.look(at).is_plain()
        && let Some((kinds, _)) = prose::kinds_of(config::last_word(word))
        && matches!(
            kinds[0],
            Algo | Col | Db | Param | Perm | Role | Schema | Table
        )
        && word.len() > 4
    {
        read(reader, at + 1, kinds, &[kinds]);
    }
}

/// What the method at `at` belongs to: `t.string(`, `$table->string(`, `Schema::create(`.
fn receiver(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    let joined = |marks: [u8; 2]| {
        at > 2 && reader.is_mark(at - 2, marks[0]) && reader.is_mark(at - 1, marks[1])
    };
    if at > 1 && reader.is_mark(at - 1, b'.') {
        return Some(at - 2);
    }
    (joined(*b"->") || joined(*b"::")).then(|| at - 3)
}

/// `@@index([room, night])`, `@relation(fields: [guest], references: [id])` of Prisma: the columns in brackets, where
/// the bracket of the attribute is at `open`.
pub(super) fn attribute(reader: &mut Reader<'_, '_>, open: usize) {
    let mut listed = false;
    for at in open + 1..open + REACH {
        let before = reader.before(at).unwrap_or(at);
        match reader.scan.kind(at) {
            Some(TokenKind(b'[')) => listed = true,
            Some(TokenKind(b']')) => listed = false,
            // Not what says how one is sorted: `[night(sort: Desc)]`
            Some(TokenKind::WORD) if listed && reader.says(before, any_of!("[ ,")) => {
                reader.push_plain(at, at + 1, COLUMN, Rank::Definition);
            }
            Some(TokenKind(b'"')) if reader.is_mark(before, b':') => {
                let key = reader.says(before.saturating_sub(1), any_of!("map name"));
                if let Some((from, to)) = prose::quotation(reader, at).filter(|_| key) {
                    reader.push_name_at(from, to, INDEX, Rank::Definition);
                }
            }
            Some(TokenKind(b')')) if !listed => return,
            None | Some(TokenKind(b'}')) => return,
            _ => {}
        }
    }
}

/// Whether a symbol stands behind the word at `at`, without brackets: `create_table :stocks`; a name in quotes where
/// the word is no other.
fn is_given_symbol(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.scan.kind(at + 1) == Some(TokenKind::SPACE)
        && (reader.is_mark(at + 2, b':') && reader.is_word(at + 3)
            || reader.says(at + 2, any_of!("\" '")) && is_own(reader, at))
}

/// Whether the word at `at` is one of migrations alone: `create_table`, `t.string`.
fn is_own(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.word(at).contains('_') || at > 0 && reader.is_mark(at - 1, b'.')
}

/// Whether the word at `at`, which is one of [`CALL_WORDS`], is in its own role. A claim may mean a word of
/// [`DECLARED`] itself.
pub(super) fn is_of_ruby(reader: &Reader<'_, '_>, at: usize) -> bool {
    let claim = reader.reading == Reading::Claim;
    is_given_symbol(reader, at) && !(claim && declared_kinds(reader.word(at)).is_some())
}

/// Words of Ruby behind which names stand as symbols, and what those are.
#[rustfmt::skip]
static DECLARED: [(&str, &[Kind]); 16] = [
    ("after_action", METHOD), ("after_create", METHOD), ("after_save", METHOD), ("attr_accessor", MEMBER), ("attr_reader", MEMBER),
    ("attr_writer", MEMBER), ("before_action", METHOD), ("before_create", METHOD), ("before_save", METHOD), ("before_validation", METHOD),
    ("belongs_to", MEMBER), ("define_method", METHOD), ("has_and_belongs_to_many", MEMBER), ("has_many", MEMBER), ("has_one", MEMBER),
    ("helper_method", METHOD),
];

/// The same of a word that says of which type a column is: `t.integer :slots`, `t.timestamps`.
pub(super) fn is_typed(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    if word == "timestamps" && at > 1 && reader.is(at - 2, "t") {
        return true;
    }
    let listed = || word == "index" && is_own(reader, at) && reader.is_mark(at + 2, b'[');
    let typed = || word == "references" || TYPED.binary_search(&word).is_ok();
    is_given_symbol(reader, at) && typed() || listed()
}

/// `create_table :stocks`, `add_index "stocks", :item_no` of Ruby: the first name's colon or quote is at `at`.
pub(super) fn symbols(reader: &mut Reader<'_, '_>, at: usize) {
    // `t.index [:item_no, :bay]`
    let listed = at > 3 && reader.is_mark(at - 1, b'[');
    let first = at - usize::from(listed);
    let callee = first.checked_sub(2).filter(|callee| {
        reader.is_word(*callee) && reader.scan.kind(first - 1) == Some(TokenKind::SPACE)
    });
    let Some(callee) = callee else {
        return;
    };
    let word = reader.word(callee);
    let symbol = reader.is_mark(at, b':') && reader.is_word(at + 1);
    if symbol && let Some(kinds) = declared_kinds(word) {
        return declared(reader, at, kinds);
    }
    let member = callee > 0 && reader.is_mark(callee - 1, b'.');
    let typed = || word == "references" || TYPED.binary_search(&word).is_ok();
    let (name, arguments): (&[Kind], &[&'static [Kind]]) = if member && typed() {
        (COLUMN, &[COLUMN])
    } else if member && word == "index" {
        (INDEX, &[COLUMN])
    } else if reader.is_in(callee, CALL)
        && word.contains('_')
        && let Ok(known) = CALLS.binary_search_by_key(&word, |(name, _, _)| name)
    {
        (CALLS[known].1, CALLS[known].2)
    } else {
        return;
    };
    // Rails names the table first, and an index only by the way.
    let skipped = usize::from(arguments.first() == Some(&INDEX));
    let mut next = first;
    let mut last = first;
    for kinds in &arguments[skipped..] {
        let open = next;
        let listed = reader.is_mark(open, b'[');
        next += usize::from(listed);
        while next < open + REACH
            && let Some((from, to, behind)) = given(reader, next)
        {
            if !kinds.is_empty() {
                reader.push_name_at(from, to, kinds, Rank::Definition);
            }
            last = behind;
            let ends = !listed || !reader.is_mark(behind, b',');
            next = reader.skip_space(behind + 1 + usize::from(listed && ends));
            if ends {
                break;
            }
        }
    }
    // `add_index :stocks, :item_no, unique: true, name: "ix_stocks"`
    let end = reader.scan.line_end(last, REACH).unwrap_or(last + REACH);
    for key in last..end {
        let kinds = match reader.word(key) {
            "name" => name,
            "column" => COLUMN,
            "to_table" => TABLE,
            _ => continue,
        };
        let value = reader.skip_space(key + 2);
        if !reader.is_mark(key + 1, b':') {
            continue;
        }
        if let Some((from, to, _)) = given(reader, value) {
            reader.push_name_at(from, to, kinds, Rank::Definition);
        }
    }
}

/// The name at `at` as Ruby gives it, `:stocks` or `"stocks"`, and what is behind it.
fn given(reader: &Reader<'_, '_>, at: usize) -> Option<(usize, usize, usize)> {
    if reader.is_mark(at, b':') && reader.is_word(at + 1) {
        return Some((at + 1, at + 2, at + 2));
    }
    let (from, to) = prose::quotation(reader, at)?;
    is_name(reader, from, to).then_some((from, to, to + 1))
}

/// What the symbols behind a word of [`DECLARED`] are.
fn declared_kinds(word: &str) -> Option<&'static [Kind]> {
    let known = DECLARED.binary_search_by_key(&word, |(name, _)| name);
    known.ok().map(|known| DECLARED[known].1)
}

/// `attr_reader :kind, :berths`: the first symbol's colon is at `at`.
fn declared(reader: &mut Reader<'_, '_>, at: usize, kinds: &'static [Kind]) {
    const MOST_NAMES: usize = 24;
    let mut colon = at;
    for _ in 0..MOST_NAMES {
        if !reader.is_mark(colon, b':') || !reader.is_word(colon + 1) {
            return;
        }
        reader.push_plain(colon + 1, colon + 2, kinds, Rank::Definition);
        if !reader.is_mark(colon + 2, b',') {
            return;
        }
        colon = reader.skip_space(colon + 3);
    }
}

/// Reads the arguments between the brackets, the first of which is at `open`.
fn read(
    reader: &mut Reader<'_, '_>,
    open: usize,
    name: &'static [Kind],
    arguments: &[&'static [Kind]],
) {
    let mut depth = 0_usize;
    let mut nth = 0;
    let mut at = open;
    while at < open + 2 * REACH {
        let Some(kind) = reader.scan.kind(at) else {
            return;
        };
        match kind {
            TokenKind(b'(' | b'{' | b'[') => depth += 1,
            TokenKind(b')' | b'}' | b']') => {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
            TokenKind(b',') if depth == 1 => nth += 1,
            // Another call has arguments of its own.
            TokenKind::WORD | TokenKind::PLACEHOLDER
                if at > open + 1 && reader.is_mark(at + 1, b'(') =>
            {
                match code::closing(reader, at + 1) {
                    Some(close) => at = close,
                    None => return,
                }
            }
            TokenKind(b'"' | b'\'' | b'`') => {
                let Some((from, to)) = prose::quotation(reader, at) else {
                    return;
                };
                let sign = reader
                    .before(at)
                    .filter(|sign| reader.is_mark(*sign, b'=') || reader.is_mark(*sign, b':'));
                let single = nth == 0 && reader.is_mark(to + 1, b')');
                let kinds = match sign.and_then(|sign| reader.before(sign)) {
                    Some(key) if reader.is(key, "name") => Some(&name),
                    Some(key) if reader.says(key, any_of!("table tableName table_name")) => {
                        Some(&TABLE)
                    }
                    Some(key) if reader.is(key, "schema") => Some(&sql::SCHEMA),
                    Some(_) => None,
                    None if single => {
                        let column = arguments.iter().find(|kinds| **kinds == COLUMN);
                        column.or(arguments.iter().rev().find(|kinds| !kinds.is_empty()))
                    }
                    None => arguments.get(nth).or(arguments.last()),
                };
                if let Some(kinds) = kinds.filter(|kinds| !kinds.is_empty())
                    && is_name(reader, from, to)
                {
                    reader.push_name_at(from, to, kinds, Rank::Definition);
                }
                at = to;
            }
            _ => {}
        }
        at += 1;
    }
}

/// Whether a quotation is a name: `label`, `order-lines`, `berth:write`, not a sentence or a path.
fn is_name(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    let inside = |at: usize| {
        matches!(
            reader.scan.kind(at),
            Some(TokenKind::WORD | TokenKind::NUMBER | TokenKind(b'-' | b':'))
        )
    };
    reader.is_word(from) && (from..to).all(inside)
}

#[cfg(test)]
mod tests {
    use super::{CALLS, DECLARED, TYPED};

    #[test]
    fn calls_are_sorted() {
        assert!(CALLS.is_sorted_by_key(|(name, _, _)| name));
        assert!(TYPED.is_sorted());
        assert!(DECLARED.is_sorted_by_key(|(name, _)| name));
    }
}
