//! Single words by their own look.

use super::{
    forms::{cut, is_of_language},
    numbers::is_counted,
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::Look,
        scanner::TokenKind,
        structure::{Reader, Reading, calls, code, config, ends_in, sql},
        words::{self, CALL, LANGUAGE, SQL, Words, any_of},
    },
};

/// Whether the word at `at` is how OAuth grants, and no token: `"grant_type": "refresh_token"`.
fn is_grant(reader: &Reader<'_, '_>, at: usize) -> bool {
    const KEYS: &Words = any_of!("grant_type grant_types");
    reader.is(at, "refresh_token") && reader.find(at.saturating_sub(12), at, KEYS).is_some()
}

/// A word by its own look. `kinds` come before what the look says.
pub(in crate::scrub::structure) fn word(
    reader: &mut Reader<'_, '_>,
    at: usize,
    kinds: &'static [Kind],
) {
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
