//! Functions that are given names in quotes: migrations, object-relational models, checks of roles.

use super::{REACH, Reader, Reading, code, config, prose, sql};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        words::{CALL, TYPE_WORDS, Words, any_of},
    },
};

/// Functions, what their argument `name` is, and what those without a name are, in order; the last
/// goes for all that follow, and for the only one there is.
type Calls = (&'static Words, &'static [Kind], &'static [&'static [Kind]]);

const COLUMN: &[Kind] = &[Col, Field];
const CONSTRAINT: &[Kind] = &[Constraint, Id];
const INDEX: &[Kind] = &[Index, Id];
const MEMBER: &[Kind] = &[Field, Col, Method, Func, Var];
const METHOD: &[Kind] = &[Method, Func];
const ROLE: &[Kind] = &[Role];
const TABLE: &[Kind] = &[Table];

#[rustfmt::skip]
static CALLS: [Calls; 26] = [
    (any_of!("\
        Column JoinColumn PrimaryColumn bigIncrements bigInteger groupBy increments mapped_column \
        nullableTimestamp orderBy references unsignedInteger withColumn withColumnRenamed"), COLUMN, &[COLUMN]),
    (any_of!("change_column_default change_column_null"), COLUMN, &[TABLE, COLUMN, &[]]),
    (any_of!("renameColumn rename_column"), COLUMN, &[TABLE, COLUMN, COLUMN]),
    (any_of!("\
        addColumn add_column add_reference alter_column changeColumn change_column dropColumn drop_column \
        hasColumn removeColumn remove_column remove_reference"), COLUMN, &[TABLE, COLUMN]),
    (any_of!("PrimaryGeneratedColumn"), COLUMN, &[]),
    (any_of!("ForeignKey"), CONSTRAINT, &[TABLE, &[]]),
    (any_of!("ForeignKeyConstraint"), CONSTRAINT, &[COLUMN, &[]]),
    (any_of!("PrimaryKeyConstraint UniqueConstraint"), CONSTRAINT, &[COLUMN]),
    (any_of!("create_check_constraint drop_constraint"), CONSTRAINT, &[CONSTRAINT, TABLE, &[]]),
    (any_of!("create_primary_key create_unique_constraint"), CONSTRAINT, &[CONSTRAINT, TABLE, COLUMN]),
    (any_of!("create_foreign_key"), CONSTRAINT, &[CONSTRAINT, TABLE, TABLE, COLUMN]),
    (any_of!("add_check_constraint"), CONSTRAINT, &[TABLE, &[]]),
    (any_of!("add_foreign_key"), CONSTRAINT, &[TABLE, TABLE]),
    (any_of!("addConstraint"), CONSTRAINT, &[TABLE]),
    (any_of!("CheckConstraint"), CONSTRAINT, &[]),
    (any_of!("Index"), INDEX, &[INDEX, COLUMN]),
    (any_of!("drop_index"), INDEX, &[INDEX, TABLE, &[]]),
    (any_of!("create_index"), INDEX, &[INDEX, TABLE, COLUMN]),
    (any_of!("addIndex add_index remove_index"), INDEX, &[TABLE, COLUMN]),
    (any_of!("rename_index"), INDEX, &[TABLE, INDEX, INDEX]),
    (any_of!("createIndex"), INDEX, &[]),
    (any_of!("RolesAllowed"), ROLE, &[ROLE]),
    (any_of!("ManyToManyField OneToOneField"), TABLE, &[TABLE, &[]]),
    (any_of!("createCollection"), TABLE, &[TABLE, &[]]),
    (any_of!("Table"), TABLE, &[TABLE, COLUMN]),
    (any_of!("\
        Entity JoinTable alterTable batch_alter_table change_table constrained createTable create_table \
        dropTable dropTableIfExists drop_table hasTable inTable into knex mysqlTable pgTable renameTable \
        rename_table sqliteTable table"), TABLE, &[TABLE]),
];

/// Methods of a table that is being defined.
static OF_TABLE: [Calls; 3] = [
    // `$table->index(['room', 'night'], 'booked')`
    (any_of!("index primary unique"), INDEX, &[COLUMN, INDEX]),
    (any_of!("foreign"), CONSTRAINT, &[COLUMN, CONSTRAINT]),
    (any_of!("dropForeign dropIndex dropUnique"), INDEX, &[INDEX]),
];

/// More of them, by the type of the column that they define: `t.string("label")`.
const TYPED: &Words = any_of!(
    "\
    binary boolean char date dateTime datetime decimal double enum float foreignId integer json jsonb longText mediumText \
    smallInteger string text timestamp tinyInteger unsignedBigInteger uuid"
);

/// Words of Ruby behind which names stand as symbols, and what those are.
static DECLARED: [(&Words, &[Kind]); 2] = [
    (
        any_of!(
            "\
            after_action after_create after_save before_action before_create before_save before_validation \
            define_method helper_method"
        ),
        METHOD,
    ),
    (
        any_of!(
            "attr_accessor attr_reader attr_writer belongs_to has_and_belongs_to_many has_many has_one"
        ),
        MEMBER,
    ),
];

/// The words of [`CALLS`] and [`DECLARED`].
pub(in crate::scrub) static CALL_WORDS: [&str; 94] = {
    let mut words = [""; 94];
    let (mut row, mut known) = (0, 0);
    while row < CALLS.len() + DECLARED.len() {
        let list = match row < CALLS.len() {
            true => CALLS[row].0,
            false => DECLARED[row - CALLS.len()].0,
        };
        known = list.copy_to(&mut words, known);
        row += 1;
    }
    assert!(known == words.len());
    words
};

/// What is known of a function in one of these tables.
fn row_of(calls: &[Calls], word: &str) -> Option<(&'static [Kind], &'static [&'static [Kind]])> {
    let (_, name, arguments) = calls.iter().find(|(words, _, _)| words.has(word))?;
    Some((name, arguments))
}

/// Looks at the word at `at`, which is called.
pub(super) fn named(reader: &mut Reader<'_, '_>, at: usize) {
    let word = reader.word(at);
    let receiver = receiver(reader, at);
    let of = |owners: &Words| receiver.is_some_and(|owner| reader.says(owner, owners));
    let of_table = of(any_of!("t table"));
    // The column of a table that is being defined is the first argument.
    let member = || {
        let adjacent = receiver.is_some_and(|owner| owner + 2 == at);
        (adjacent || of_table) && TYPED.has(word)
    };
    // `id: serial("id")`
    let typed = || {
        let colon = reader.before(at).filter(|colon| colon + 1 < at);
        reader.is_in(at, TYPE_WORDS) && colon.is_some_and(|colon| reader.is_mark(colon, b':'))
    };
    // `{{ source('rail', 'journeys') }}`
    let in_template = || {
        let open = reader.before(at).filter(|open| *open > 0);
        open.is_some_and(|open| reader.is_mark(open, b'{') && reader.is_mark(open - 1, b'{'))
    };
    let known = if reader.is_in(at, CALL)
        && let Some((name, arguments)) = row_of(&CALLS, word)
    {
        match arguments {
            // `$table->renameColumn('night', 'day')`
            [TABLE, rest @ ..] if !rest.is_empty() && (of_table || of(any_of!("batch_op"))) => {
                Some((name, rest))
            }
            _ => Some((name, arguments)),
        }
    } else if member() || typed() {
        Some((COLUMN, [COLUMN, &[]].as_slice()))
    } else if of(any_of!("Schema schema")) && any_of!("create drop dropIfExists rename").has(word) {
        Some((TABLE, [TABLE].as_slice()))
    } else if any_of!("ref source").has(word) && in_template() {
        let arguments = [sql::SCHEMA, TABLE].as_slice();
        Some((TABLE, &arguments[usize::from(word == "ref")..]))
    } else if of_table {
        row_of(&OF_TABLE, word)
    } else {
        None
    };
    if let Some((name, arguments)) = known {
        return read(reader, at + 1, name, arguments);
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
    let joined = |marks: &[u8]| at > 2 && reader.has_marks(at - 2, marks);
    if at > 1 && reader.is_mark(at - 1, b'.') {
        return Some(at - 2);
    }
    (joined(b"->") || joined(b"::")).then(|| at - 3)
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

/// Whether a method of a table that is being defined adds a column.
fn is_of_column(word: &str) -> bool {
    word == "references" || TYPED.has(word)
}

/// The same of a word that says of which type a column is: `t.integer :slots`, `t.timestamps`.
pub(super) fn is_typed(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    if word == "timestamps" && at > 1 && reader.is(at - 2, "t") {
        return true;
    }
    let listed = || word == "index" && is_own(reader, at) && reader.is_mark(at + 2, b'[');
    is_given_symbol(reader, at) && is_of_column(word) || listed()
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
    let (name, arguments): (&[Kind], &[&'static [Kind]]) = if member && is_of_column(word) {
        (COLUMN, &[COLUMN])
    } else if member && word == "index" {
        (INDEX, &[COLUMN])
    } else if reader.is_in(callee, CALL)
        && word.contains('_')
        && let Some(known) = row_of(&CALLS, word)
    {
        known
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
    let row = DECLARED.iter().find(|(words, _)| words.has(word));
    row.map(|(_, kinds)| *kinds)
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
