//! Functions that are given names in quotes: migrations, object-relational models, checks of roles.

use super::{REACH, Reader, Reading, config, prose};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        words::{CALL, TYPE_WORDS},
    },
};

/// A function, what its argument `name` is, and what those without a name are, in order; the last
/// goes for all that follow, and for the only one there is.
type Call = (&'static str, &'static [Kind], &'static [&'static [Kind]]);

const COLUMN: &[Kind] = &[Col];
const CONSTRAINT: &[Kind] = &[Constraint];
const INDEX: &[Kind] = &[Index];
const MEMBER: &[Kind] = &[Field, Col, Method, Func, Var];
const METHOD: &[Kind] = &[Method, Func];
const ROLE: &[Kind] = &[Role];
const TABLE: &[Kind] = &[Table];

/// By name.
#[rustfmt::skip]
static CALLS: [Call; 65] = [
    ("CheckConstraint", CONSTRAINT, &[]), ("Column", COLUMN, &[COLUMN]), ("Entity", TABLE, &[TABLE]),
    ("Index", INDEX, &[INDEX, COLUMN]), ("JoinColumn", COLUMN, &[COLUMN]), ("JoinTable", TABLE, &[TABLE]),
    ("PrimaryColumn", COLUMN, &[COLUMN]), ("PrimaryGeneratedColumn", COLUMN, &[]), ("RolesAllowed", ROLE, &[ROLE]), ("Table", TABLE, &[TABLE, COLUMN]),
    ("UniqueConstraint", CONSTRAINT, &[COLUMN]), ("addColumn", COLUMN, &[TABLE, COLUMN]),
    ("addConstraint", CONSTRAINT, &[TABLE]), ("addIndex", INDEX, &[TABLE, COLUMN]), ("add_column", COLUMN, &[TABLE, COLUMN]),
    ("add_foreign_key", CONSTRAINT, &[TABLE, TABLE]),
    ("add_index", INDEX, &[TABLE, COLUMN]), ("add_reference", COLUMN, &[TABLE, COLUMN]), ("alterTable", TABLE, &[TABLE]), ("alter_column", COLUMN, &[TABLE, COLUMN]),
    ("batch_alter_table", TABLE, &[TABLE]), ("bigIncrements", COLUMN, &[COLUMN]), ("bigInteger", COLUMN, &[COLUMN]),
    ("changeColumn", COLUMN, &[TABLE, COLUMN]), ("change_column", COLUMN, &[TABLE, COLUMN]), ("constrained", TABLE, &[TABLE]),
    ("createTable", TABLE, &[TABLE]),
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
    ("remove_index", INDEX, &[TABLE, COLUMN]), ("renameColumn", COLUMN, &[TABLE, COLUMN, COLUMN]),
    ("renameTable", TABLE, &[TABLE]), ("rename_column", COLUMN, &[TABLE, COLUMN, COLUMN]), ("rename_table", TABLE, &[TABLE]),
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
static TYPED: [&str; 17] = [
    "binary", "boolean", "char", "date", "dateTime", "datetime", "decimal", "double", "enum", "float", "foreignId",
    "integer", "json", "jsonb", "string", "text", "timestamp",
];

/// Looks at the word at `at`, which is called.
pub(super) fn named(reader: &mut Reader<'_, '_>, at: usize) {
    let word = reader.word(at);
    if reader.is_in(at, CALL)
        && let Ok(known) = CALLS.binary_search_by_key(&word, |(name, _, _)| name)
    {
        let (_, name, arguments) = CALLS[known];
        return read(reader, at + 1, name, arguments);
    }
    // The column of a table that is being defined is the first argument.
    let member = at > 0 && reader.is_mark(at - 1, b'.') && TYPED.binary_search(&word).is_ok();
    // `id: serial("id")`
    let typed = || {
        reader
            .before(at)
            .is_some_and(|colon| reader.is_mark(colon, b':'))
    };
    if member || reader.is_in(at, TYPE_WORDS) && typed() {
        return read(reader, at + 1, COLUMN, &[COLUMN, &[]]);
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

/// Whether a symbol stands behind the word at `at`, without brackets: `create_table :stocks`.
fn is_given_symbol(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.scan.kind(at + 1) == Some(TokenKind::SPACE)
        && reader.is_mark(at + 2, b':')
        && reader.is_word(at + 3)
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

/// The same of a word that says of which type a column is: `t.integer :slots`.
pub(super) fn is_typed(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    is_given_symbol(reader, at) && (word == "references" || TYPED.binary_search(&word).is_ok())
}

/// `create_table :stocks`, `add_index :stocks, :item_no` of Ruby: the first symbol's colon is at `at`.
pub(super) fn symbols(reader: &mut Reader<'_, '_>, at: usize) {
    let callee = at.checked_sub(2).filter(|callee| {
        reader.is_word(*callee)
            && reader.is_word(at + 1)
            && reader.scan.kind(at - 1) == Some(TokenKind::SPACE)
    });
    let Some(callee) = callee else {
        return;
    };
    let word = reader.word(callee);
    if let Some(kinds) = declared_kinds(word) {
        return declared(reader, at, kinds);
    }
    let typed = is_typed(reader, callee) && callee > 0 && reader.is_mark(callee - 1, b'.');
    let known = CALLS.binary_search_by_key(&word, |(name, _, _)| name);
    let (name, arguments): (&[Kind], &[&'static [Kind]]) = match known {
        _ if typed => (COLUMN, &[COLUMN]),
        Ok(known) if word.contains('_') => (CALLS[known].1, CALLS[known].2),
        _ => return,
    };
    // Rails names the table first, and an index only by the way.
    let skipped = usize::from(arguments.first() == Some(&INDEX));
    let mut colon = at;
    for kinds in &arguments[skipped..] {
        if !reader.is_mark(colon, b':') || !reader.is_word(colon + 1) {
            return;
        }
        reader.push_name_at(colon + 1, colon + 2, kinds, Rank::Definition);
        colon = reader.skip_space(colon + 3);
    }
    // `add_index :stocks, :item_no, unique: true, name: "ix_stocks"`
    let key = |at: &usize| reader.is(*at, "name") && reader.is_mark(at + 1, b':');
    let mut line = (colon..colon + REACH).take_while(|at| !reader.is_mark(*at, b'\n'));
    let own = line.find(key).map(|key| reader.skip_space(key + 2));
    if let Some((from, to)) = own.and_then(|own| prose::quotation(reader, own)) {
        reader.push_name_at(from, to, name, Rank::Definition);
    }
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
                return;
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
                    Some(key) if reader.says(key, "table tableName table_name") => Some(&TABLE),
                    Some(_) => None,
                    None if single => arguments.iter().rev().find(|kinds| !kinds.is_empty()),
                    None => arguments.get(nth).or(arguments.last()),
                };
                if let Some(kinds) = kinds
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
