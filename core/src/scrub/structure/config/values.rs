//! Keys and their values: what each is, and lists and maps of them.

use super::{KEY, VALUES, is_reserved};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::{Look, look},
        structure::{
            Reader,
            prose::{self, Rows, kinds_in},
            shapes,
        },
        words::{self, COMMON, LANGUAGE, NOT_NAMES, SMALL_TYPE, TYPE_WORDS, Words, any_of},
    },
};

/// What lists of names are called, beside the plurals of cues.
const LISTS: Rows = &[
    (any_of!("Args"), &[Param]),
    (any_of!("env envVars environment"), &[Config]),
    (any_of!("grants includedPermissions verbs"), &[Perm]),
    (any_of!("indexes indices"), &[Index]),
    (any_of!("seeds snapshots"), &[Table]),
    (any_of!("fks foreignKeys"), &[Constraint]),
    (any_of!("models"), &[Table, Class]),
];

/// Whether the bracket at `open` is closed where the line ends, and only simple values are between: what is
/// written without quotes may be a variable but in YAML.
pub(super) fn is_list(reader: &Reader<'_, '_>, open: usize, end: usize, yaml: bool) -> bool {
    let close = list_end(reader, open, end, yaml);
    close.is_some_and(|close| reader.skip_space(close + 1) >= end)
}

/// Where a list of simple values ends, before `end`.
pub(super) fn list_end(
    reader: &Reader<'_, '_>,
    open: usize,
    end: usize,
    yaml: bool,
) -> Option<usize> {
    let simple = |at: usize| {
        reader.is_number(at)
            || reader.is_any(at, b" ,")
            || yaml && (reader.is_word(at) || reader.is_any(at, b"-."))
            || reader.says(at, any_of!("false true"))
    };
    let mut at = open + 1;
    while at < end && !reader.is_mark(at, b']') {
        at = match prose::quotation(reader, at) {
            Some((_, to)) => to + 1,
            None if simple(at) => at + 1,
            None => return None,
        };
    }
    (at > open + 1 && reader.is_mark(at, b']')).then_some(at)
}

/// Whether the brace at `open` is closed where the line ends: `{ room = 1, side = "left" }`.
pub(super) fn is_map(reader: &Reader<'_, '_>, open: usize, end: usize) -> bool {
    let code = |at: usize| reader.is_any(at, b"({};") || reader.is_scrubbed(at);
    end > open + 1 && reader.is_mark(end - 1, b'}') && !(open + 1..end - 1).any(code)
}

/// The settings between the braces of such a line.
pub(super) fn members(reader: &mut Reader<'_, '_>, open: usize, end: usize) {
    let mut at = open + 1;
    while at < end {
        let to = key_end(reader, at);
        let sign = reader.skip_space(to);
        let from = reader.skip_space(sign + 1);
        let value = || {
            prose::quotation(reader, from).or_else(|| {
                let to = item_end(reader, from);
                (to > from).then_some((from, to))
            })
        };
        // Looked for only behind a sign: else each token of a long one would be read to its end.
        let signed = to > at && reader.is_any(sign, b"=:");
        if let Some((from, value_end)) = signed.then(value).flatten() {
            if !is_reserved(reader.text(at, to)) {
                push_key(reader, at, to);
            }
            let typed = reader.is(at, "type");
            match typed && reader.is_in(from, TYPE_WORDS) {
                true => at = reader.push_type(from),
                false if typed && reader.is_in(from, SMALL_TYPE.or(LANGUAGE)) => at = value_end,
                false => {
                    push_value(reader, None, from, value_end);
                    at = value_end;
                }
            }
        } else {
            at = to.max(at + 1);
        }
    }
}

/// `TIDE_MODE=fast` wherever it stands: the value of the variable at `at`.
#[inline(never)]
pub(in crate::scrub::structure) fn variable(reader: &mut Reader<'_, '_>, at: usize) {
    let apart = at == 0 || reader.is_any(at - 1, b" \"`'");
    let from = at + 2;
    let to = item_end(reader, from);
    let called = reader.is_any(to, b"([=") || reader.is_scrubbed(to);
    if apart && to > from && !called {
        push_key(reader, at, at + 1);
        push_value(reader, key_kinds(reader.word(at)), from, to);
    }
}

/// Where a value of words, numbers and what joins them ends.
pub(super) fn item_end(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut to = at;
    while reader.is_alphanumeric(to) {
        to += 1;
        if reader.is_any(to, b"-./:") && reader.is_alphanumeric(to + 1) {
            to += 1;
        }
    }
    to
}

pub(super) fn push_item(
    reader: &mut Reader<'_, '_>,
    kinds: &'static [Kind],
    from: usize,
    to: usize,
) {
    match *kinds == *VALUES {
        true => push_value(reader, None, from, to),
        false => reader.push_name_at(from, to, kinds, Rank::Definition),
    }
}

/// The names in `["clerk", "guest"]`, whose bracket is at `open`.
pub(super) fn items(reader: &mut Reader<'_, '_>, open: usize, kinds: &'static [Kind]) {
    let mut at = open + 1;
    // What ends one list keeps all others out of it, so that no token is looked at twice.
    loop {
        if let Some((from, to)) = prose::quotation(reader, at) {
            push_item(reader, kinds, from, to);
            at = to + 1;
        } else if *kinds == *VALUES && item_end(reader, at) > at {
            let to = item_end(reader, at);
            push_item(reader, kinds, at, to);
            at = to;
        } else if reader.is_word(at) && !reader.is_mark(key_end(reader, at), b'(') {
            let to = key_end(reader, at);
            push_item(reader, kinds, at, to);
            at = to;
        } else if reader.is_any(at, b"\n ,") {
            at += 1;
        } else {
            return;
        }
    }
}

/// The type of a column.
pub(super) fn data_type(reader: &mut Reader<'_, '_>, list: Option<&'static [Kind]>, at: usize) {
    if list.is_some_and(|kinds| kinds.contains(&Col)) && reader.is_word(at) {
        reader.push_type(at);
    }
}

/// The last word of a key: `role` of `default_role`, `columns` of `keyColumns`.
pub(in crate::scrub::structure) fn last_word(key: &str) -> &str {
    let joint = |byte: u8| matches!(byte, b'_' | b'-' | b'.');
    let start = key.bytes().rposition(joint).map_or(0, |joint| joint + 1);
    let last = &key[start..];
    match last.bytes().rposition(|byte| byte.is_ascii_uppercase()) {
        Some(hump) if hump > 0 && last.as_bytes()[hump - 1].is_ascii_lowercase() => &last[hump..],
        _ => last,
    }
}

/// Keys of a database's name.
const DATABASES: &Words = any_of!("DB MONGO_DB PGDATABASE POSTGRES_DB db dbname initdb");

/// What the value of a key is by the key's last word.
pub(in crate::scrub::structure) fn key_kinds(key: &str) -> Option<&'static [Kind]> {
    // `DB_NAME`, `table_name`
    let thing = key.strip_suffix("_NAME").or(key.strip_suffix("_name"));
    let key = thing.or(key.strip_suffix("Name")).unwrap_or(key);
    let kinds: &[Kind] = match key {
        // `apps/v1` names a group.
        "apiVersion" => return None,
        "operationId" => &[Func, Id],
        _ if DATABASES.has(key) => &[Db],
        _ => prose::kinds_of(last_word(key)).filter(|(_, many)| !many)?.0,
    };
    let named = !matches!(
        kinds[0],
        Endpoint | Key | Line | Method | Param | Path | Type | Value
    );
    let said = !any_of!("host account user").has(key);
    (named && said).then_some(kinds)
}

/// What stands in the list of this key.
pub(super) fn list_kinds(key: &str) -> Option<&'static [Kind]> {
    let known = kinds_in(LISTS, key);
    if known.is_some() {
        return known;
    }
    let (kinds, many) = prose::kinds_of(last_word(key))?;
    let named = matches!(
        kinds[0],
        Algo | Class
            | Col
            | Constraint
            | Db
            | Field
            | Func
            | Index
            | Module
            | Param
            | Perm
            | Pkg
            | Role
            | Schema
            | Table
    );
    (many && named).then_some(kinds)
}

/// `ENV MODE=kiosk PORT=7070`: more than one setting on a line.
pub(super) fn pairs(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    let mut at = at;
    while at < end && reader.is_word(at) && reader.is_mark(at + 1, b'=') {
        let (from, to, next) = match prose::quotation(reader, at + 2) {
            Some((from, to)) => (from, to, to + 1),
            None => {
                let ends = |at: &usize| *at >= end || reader.is_space(*at);
                let to = (at + 2..).find(ends).unwrap_or(end);
                (at + 2, to, to)
            }
        };
        let scrubbed = reader.has_scrubbed(from, to);
        let variable = reader.is_mark(from, b'$');
        push_key(reader, at, at + 1);
        if from < to && !scrubbed && !variable {
            push_value(reader, key_kinds(reader.text(at, at + 1)), from, to);
        }
        at = reader.skip_space(next);
    }
}

pub(super) fn key_end(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut to = at;
    while reader.is_word(to) {
        to += 1;
        let joined = reader.is_any(to, b"-.");
        if !joined || !reader.is_word(to + 1) {
            break;
        }
        to += 1;
    }
    to
}

pub(super) fn push_key(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let key = reader.text(from, to);
    let kinds: &'static [Kind] = match look(key) {
        Look::Key => &[Key, Config, Id],
        _ => KEY,
    };
    // The same plain word is used for much else.
    let plain = to == from + 1 && reader.look(from).is_plain();
    match plain || is_ordinary(key) {
        true => reader.push_here(from, to, kinds, Rank::Structure),
        false => reader.push(from, to, kinds, Rank::Structure),
    }
}

pub(super) fn push_value(
    reader: &mut Reader<'_, '_>,
    kinds: Option<&'static [Kind]>,
    from: usize,
    to: usize,
) {
    let value = reader.text(from, to);
    let digit = |char: char| char.is_ascii_digit();
    // `route: relay-north` says no more than that it is a value.
    let looks_so = |kinds: &[Kind]| match kinds[0] {
        Cmd => value.contains(' '),
        Version => value.contains(digit),
        _ => !value.starts_with(digit),
    };
    if let Some(kinds) = kinds.filter(|kinds| !is_ordinary(value) && looks_so(kinds)) {
        reader.push_name_at(from, to, kinds, Rank::Definition);
    }
    // A plain word is used for much else.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
    reader.push(from, to, shapes::value_kinds(value), Rank::Structure);
    if let Some(find) = reader.finds.last_mut().filter(|_| value.bytes().all(plain)) {
        find.everywhere = false;
    }
}

/// The version in `"^2.0.1"` behind a package's name.
pub(super) fn push_version(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let version = (from..to).find(|at| reader.is_alphanumeric(*at));
    if let Some(version) = version.filter(|at| reader.word(*at).contains('.')) {
        reader.push(version, to, &[Version, Num], Rank::Structure);
    }
}

pub(super) fn is_ordinary(word: &str) -> bool {
    words::is_in(COMMON.or(NOT_NAMES).or(LANGUAGE), word)
}
