//! Configuration: `KEY=value`, INI, TOML, YAML and JSON, tables of parameters, command lines.

use alloc::vec::Vec;

use super::{REACH, Reader, prose, shapes};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        hash,
        lexicon::Rank,
        look::{Look, look},
        scanner::TokenKind,
        words::{
            self, COMMON, LANGUAGE, NOT_CALLED, NOT_NAMES, PROGRAM, RESERVED_LIKE, TYPE_WORDS,
        },
    },
};

/// Keys of OpenAPI, JSON Schema, package files and policies in their own role.
#[rustfmt::skip]
pub(in crate::scrub) static RESERVED_LIST: &[&str] = &[
    "$ref", "Action", "Condition", "Effect", "NotAction", "Principal", "Resource", "Sid", "Statement", "Version",
    "additionalProperties", "allOf", "anyOf", "apiVersion", "author", "components", "content", "default", "delete",
    "dependencies", "description", "devDependencies", "engines", "enum", "example", "examples", "format", "get", "head",
    "headers", "in", "info", "items", "kind", "license", "main", "maximum", "metadata", "method", "minimum", "name", "oneOf",
    "openapi", "operationId", "optionalDependencies", "options", "parameters", "patch", "paths", "peerDependencies", "post",
    "properties", "put", "ref", "required", "responses", "schema", "scripts", "security", "servers", "spec", "summary",
    "tags", "title", "trace", "type",
];

/// Those of them whose values say something for people.
static TEXTS: [&str; 4] = ["description", "info", "summary", "title"];

/// Keys under which packages stand with their versions.
static PACKAGES: [&str; 7] = [
    "build-dependencies",
    "dependencies",
    "dev-dependencies",
    "devDependencies",
    "optionalDependencies",
    "peerDependencies",
    "workspace.dependencies",
];

/// Sections of manifests whose `name` is the package's.
static MANIFESTS: [&str; 4] = ["package", "project", "tool.poetry", "lib"];

/// What lists of names are called, beside the plurals of cues.
#[rustfmt::skip]
static LISTS: [(&str, &[Kind]); 13] = [
    ("env", &[Config]), ("environment", &[Config]), ("envVars", &[Config]),
    ("grants", &[Perm]), ("includedPermissions", &[Perm]), ("indexes", &[Index]), ("indices", &[Index]),
    ("seeds", &[Table]), ("snapshots", &[Table]), ("verbs", &[Perm]), ("foreignKeys", &[Constraint]),
    ("fks", &[Constraint]), ("models", &[Table, Class]),
];

/// What a resource of this `kind` or `type` has for a name.
#[rustfmt::skip]
static RESOURCES: [(&str, &[Kind]); 7] = [
    ("ClusterRole", &[Role]), ("ClusterRoleBinding", &[Role]), ("Role", &[Role]), ("RoleBinding", &[Role]),
    ("Secret", &[Key]), ("ServiceAccount", &[Role]), ("apiKey", &[Key, Param]),
];

/// Programs that are called from a shell.
#[rustfmt::skip]
pub(in crate::scrub) static PROGRAMS: &[&str] = &[
    "ansible-playbook", "apt", "apt-get", "aws", "az", "brew", "bun", "bundle", "cargo", "composer", "curl", "deno", "dnf",
    "docker", "docker-compose", "dotnet", "gcloud", "gem", "gh", "git", "gradle", "helm", "journalctl", "kubectl", "mvn",
    "npm", "npx", "pip", "pip3", "pnpm", "podman", "poetry", "psql", "python3", "rsync", "rustup", "ssh", "sudo",
    "systemctl", "terraform", "uv", "uvx", "wget", "yarn",
];

const KEY: &[Kind] = &[Config, Field];
const PACKAGE: &[Kind] = &[Pkg, Module];

/// What a walk over lines remembers.
#[derive(Default)]
pub(super) struct Lines {
    /// The kinds that the header of the current table gives its columns.
    columns: Vec<Option<&'static [Kind]>>,
    /// Lists of names that are open.
    lists: Vec<List>,
    /// The same of JSON, each with how deep its key stands.
    objects: Vec<(usize, Member)>,
    /// How deep brackets are.
    depth: usize,
    /// What the keys of the section are.
    keys: Option<&'static [Kind]>,
    /// What the next `name` is.
    named: Option<&'static [Kind]>,
    /// Whether a section was opened: what follows is settings.
    sectioned: bool,
    /// Whether commands, or how a command is used, stand on the lines that follow.
    help: Option<Help>,
    /// Whether a fenced block of a shell is open.
    shell: bool,
}

/// A list of names of YAML.
#[derive(Clone, Copy)]
struct List {
    /// The indent of its key.
    indent: usize,
    /// The indent of the keys in it that are names, where they are no items.
    keys: Option<usize>,
    kinds: &'static [Kind],
}

/// What stands in an object or list of JSON.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Member {
    /// Keys that are names.
    Keys(&'static [Kind]),
    /// Objects that have names.
    Names(&'static [Kind]),
}

/// What the lines under a heading of a help text hold.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Help {
    Commands,
    Usage,
}

impl Lines {
    /// Takes notice of a bracket.
    pub(super) fn bracket(&mut self, mark: u8) {
        match mark {
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                let depth = self.depth;
                while self.objects.pop_if(|(open, _)| *open >= depth).is_some() {}
            }
            _ => {}
        }
    }

    /// What the innermost list of names that a line of this indent is in holds.
    fn list(&mut self, indent: usize, item: bool) -> Option<&'static [Kind]> {
        let outside = |list: &mut List| list.indent > indent || list.indent == indent && !item;
        while self.lists.pop_if(outside).is_some() {}
        let list = self.lists.last_mut()?;
        // Items have keys of their own, which are no names.
        let keys = if item { usize::MAX } else { indent };
        list.keys.get_or_insert(keys);
        Some(list.kinds)
    }

    /// Whether a key of this indent is a name of the innermost list.
    fn names_keys(&self, indent: usize) -> bool {
        let list = self.lists.last();
        list.is_some_and(|list| list.keys == Some(indent))
    }
}

/// Whether a key is one of a format's own.
pub(super) fn is_reserved(key: &str) -> bool {
    words::is_in(RESERVED_LIKE, key) && is_written_so(key)
}

/// The same of the word at `at`.
pub(super) fn is_reserved_at(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, RESERVED_LIKE) && is_written_so(reader.word(at))
}

/// Whether a key that is one of [`RESERVED_LIST`] in some case is one in its own.
fn is_written_so(key: &str) -> bool {
    static WORDS: [u32; RESERVED_LIST.len()] = words::exact(RESERVED_LIST);
    WORDS.contains(&(hash::exact(key.as_bytes()) as u32))
}

/// Looks at the line whose first token that is no white space is `at`, and which ends at `end`.
#[inline(never)]
pub(super) fn line(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    if reader.is_mark(at, b'|') || !lines.columns.is_empty() && is_row(reader, at, end) {
        return row(reader, lines, at, end);
    }
    // What a database prints has no bar at the edges.
    if reader.is_mark(end + 1, b'-') && reader.is_mark(end + 2, b'-') && is_row(reader, at, end) {
        return header(reader, lines, at, end);
    }
    let rule = reader.is_mark(at, b'-') && reader.is_mark(at + 1, b'-');
    if !rule || lines.columns.is_empty() {
        lines.columns.clear();
    }
    if usage(reader, lines, at, end) {
        return;
    }
    match reader.word(at) {
        "`" if reader.is_mark(at + 1, b'`') && reader.is_mark(at + 2, b'`') => {
            let language = reader.word(at + 3);
            lines.shell = matches!(language, "bash" | "console" | "sh" | "shell" | "zsh");
        }
        "#" | ";" | "/" | "*" | "<" | ">" => {}
        "[" => section(reader, lines, at, end),
        "$" => command(reader, reader.skip_space(at + 1), end),
        "RUN" => command(reader, reader.skip_space(at + 1), end),
        "-" if reader.scan.kind(at + 1) == Some(TokenKind::SPACE) => {
            entry(reader, lines, at + 2, end);
        }
        "export" | "set" | "ARG" | "ENV" => {
            let first = reader.skip_space(at + 1);
            entry(reader, lines, first, end);
            pairs(reader, first, end);
        }
        word => {
            let indented = reader.scan.kind(at.wrapping_sub(1)) == Some(TokenKind::SPACE);
            let program = (indented || lines.shell) && is_program(reader, at);
            match program || lines.shell && word.chars().all(char::is_lowercase) {
                true => command(reader, at, end),
                false => {
                    entry(reader, lines, at, end);
                    directive(reader, at, end);
                }
            }
        }
    }
}

/// Whether a word is the name of a program that shells call.
pub(super) fn is_called(word: &str) -> bool {
    words::is_small_in(PROGRAM, word)
}

/// Whether the word at `at`, with what hyphens join to it, is a program's name.
fn is_program(reader: &Reader<'_, '_>, at: usize) -> bool {
    let joined = reader.is_mark(at + 1, b'-') || reader.scan.kind(at + 1) == Some(TokenKind::SPACE);
    if !joined || !reader.is_word(at) {
        return false;
    }
    let to = key_end(reader, at);
    let text = reader.text(at, to);
    reader.scan.kind(to) == Some(TokenKind::SPACE) && is_called(text)
}

/// Whether a line is of cells with bars between them.
fn is_row(reader: &Reader<'_, '_>, at: usize, end: usize) -> bool {
    (at..end).any(|at| {
        reader.is_mark(at, b'|') && reader.scan.kind(at.wrapping_sub(1)) == Some(TokenKind::SPACE)
    })
}

/// Looks at a line as one of a help text: `Usage: …`, `Commands:`. Says whether it is.
fn usage(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) -> bool {
    let indented = reader.scan.kind(at.wrapping_sub(1)) == Some(TokenKind::SPACE);
    let last = end.wrapping_sub(1);
    let heads = || {
        matches!(
            reader.word(last.wrapping_sub(1)),
            "COMMANDS" | "Commands" | "SUBCOMMANDS" | "Subcommands" | "commands" | "subcommands"
        )
    };
    if reader.is_mark(last, b':') && last - at < 6 && heads() {
        lines.help = Some(Help::Commands);
        return true;
    }
    let headed =
        reader.is_mark(at + 1, b':') && matches!(reader.word(at), "Usage" | "usage" | "USAGE");
    if headed || at + 1 == end && reader.word(at) == "SYNOPSIS" {
        let next = reader.skip_space(at + 2);
        match next >= end {
            true => lines.help = Some(Help::Usage),
            false => command(reader, next, end),
        }
        return true;
    }
    if !indented {
        lines.help = None;
    }
    match lines.help {
        Some(Help::Usage) => {
            lines.help = None;
            command(reader, at, end);
            true
        }
        Some(Help::Commands) => {
            let to = key_end(reader, at);
            let wide = reader.scan.kind(to) == Some(TokenKind::SPACE) && reader.word(to).len() > 1;
            if to > at && (wide || to == end) {
                reader.push_here(at, to, &[Cmd], Rank::Definition);
            }
            true
        }
        None => false,
    }
}

/// `[cache]` on a line of its own.
fn section(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    let words = (at + 1..end).take_while(|at| {
        matches!(
            reader.scan.kind(*at),
            Some(TokenKind::WORD | TokenKind(b'.' | b'-'))
        )
    });
    let to = at + 1 + words.count();
    if to == at + 1 || !reader.is_mark(to, b']') || reader.skip_space(to + 1) < end {
        return;
    }
    let name = reader.text(at + 1, to);
    lines.sectioned = true;
    lines.keys = PACKAGES.contains(&name).then_some(PACKAGE);
    lines.named = MANIFESTS.contains(&name).then_some(PACKAGE);
    if lines.keys.is_none() && lines.named.is_none() {
        push_key(reader, at + 1, to);
    }
}

/// The words of a command line before its options.
#[inline(never)]
pub(super) fn command(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    let mut to = at;
    let mut last = at;
    let mut first = None;
    while to < end && reader.is_word(to) {
        let small = reader.word(to).chars().all(|char| !char.is_uppercase());
        if !small {
            break;
        }
        to += 1;
        while reader.is_mark(to, b'-') && reader.is_word(to + 1) {
            to += 2;
        }
        last = to;
        first = first.or(Some(to));
        to = reader.skip_space(to);
    }
    if last == at {
        return;
    }
    reader.push(at, last, &[Cmd], Rank::Structure);
    // The program is a name wherever it is spoken of.
    if let Some(first) = first.filter(|first| *first < last) {
        reader.push_name_at(at, first, &[Cmd], Rank::Structure);
    }
    options(reader, last, end);
}

/// `--region eu-north-1`, `--region=eu-north-1`: the values of options.
fn options(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    let mut at = at;
    while at + 2 < end {
        let flag = reader.is_mark(at, b'-') && reader.is_mark(at + 1, b'-');
        let to = if flag { key_end(reader, at + 2) } else { at };
        if to <= at + 2 || !matches!(reader.word(to), " " | "=") {
            at += 1;
            continue;
        }
        let from = to + 1;
        at = from;
        while at < end
            && matches!(
                reader.scan.kind(at),
                Some(
                    TokenKind::WORD
                        | TokenKind::NUMBER
                        | TokenKind(b'-' | b'.' | b'/' | b':' | b'@' | b'+' | b'%')
                )
            )
        {
            at += 1;
        }
        let word = reader.word(from);
        let named = word.starts_with(char::is_alphanumeric)
            && !words::is_all_capitals(word)
            && !reader.is_in(from, NOT_NAMES);
        if named {
            push_value(reader, None, from, at);
        }
    }
}

/// A code span of several words: a command up to its options.
#[inline(never)]
pub(super) fn span(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let first = key_end(reader, from);
    let small = reader.word(from).chars().all(|char| !char.is_uppercase());
    let word = |at: &usize| {
        matches!(
            reader.scan.kind(*at),
            Some(
                TokenKind::WORD
                    | TokenKind::NUMBER
                    | TokenKind::SPACE
                    | TokenKind(b'-' | b'.' | b'/' | b'@' | b':' | b'_' | b'<' | b'>')
            )
        )
    };
    let words = (from..to).all(|at| word(&at) || reader.is_mark(at, b'=') && at > first);
    let spaced = reader.scan.kind(first) == Some(TokenKind::SPACE);
    let program =
        is_program(reader, from) || matches!(reader.word(from), "go" | "make" | "node" | "python");
    let spoken = reader.is_in(from, NOT_NAMES.or(LANGUAGE));
    if spaced && (program || small && words && !spoken) {
        command(reader, from, to);
    }
}

/// `client_max_body_size 20m;` of a server's settings.
fn directive(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    const MOST_VALUES: usize = 3;
    let closed = end > at + 3 && reader.is_mark(end - 1, b';');
    if !closed || !reader.is_word(at) || reader.is_in(at, LANGUAGE.or(NOT_CALLED)) {
        return;
    }
    let plain = reader.look(at).is_plain();
    if !(plain || reader.look(at) == Look::Snake)
        || reader.scan.kind(at + 1) != Some(TokenKind::SPACE)
    {
        return;
    }
    let mut runs = [(0, 0); MOST_VALUES];
    let mut count = 0;
    let mut from = at + 2;
    for to in at + 2..end {
        let code = matches!(
            reader.scan.kind(to),
            Some(TokenKind(b'(' | b'=' | b'{' | b'"' | b'\'' | b'<') | TokenKind::PLACEHOLDER)
        );
        if code {
            return;
        }
        let ends = to + 1 == end || reader.scan.kind(to) == Some(TokenKind::SPACE);
        if ends && count == MOST_VALUES {
            return;
        }
        if ends {
            runs[count] = (from, to);
            count += 1;
            from = to + 1;
        }
    }
    if plain
        && count > 1
        && !reader
            .scan
            .kind(at + 2)
            .is_some_and(|kind| kind == TokenKind::NUMBER)
    {
        return;
    }
    reader.push_name_at(at, at + 1, &[Config], Rank::Structure);
    for (from, to) in &runs[..count] {
        push_value(reader, None, *from, *to);
    }
}

/// `key = value`, `key: value`.
fn entry(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    let indent = match reader.before_line(at) {
        Some(Some(space)) => reader.word(space).len(),
        _ => 0,
    };
    let item = reader.is_mark(at.wrapping_sub(2), b'-');
    let list = lines.list(indent, item);
    // Quoted keys are the business of JSON.
    if reader.is_mark(at, b'"') {
        return listed(reader, list.filter(|_| item), at, end);
    }
    let quoted = prose::quotation(reader, at);
    let (from, to, next) = match quoted {
        Some((from, to)) => (from, to, to + 1),
        None => {
            let to = key_end(reader, at);
            (at, to, to)
        }
    };
    if to <= from || to > end {
        return;
    }
    let sign = reader.skip_space(next);
    let equals = reader.is_mark(sign, b'=') && !reader.is_mark(sign + 1, b'=');
    let colon = reader.is_mark(sign, b':')
        && sign == next
        && (sign + 1 >= end || reader.scan.kind(sign + 1) == Some(TokenKind::SPACE));
    if !(colon || equals && quoted.is_none()) {
        return listed(reader, list.filter(|_| item), at, end);
    }
    let key = reader.text(from, to);
    let behind = reader.skip_space(sign + 1);
    if colon && reader.is_mark(at, b'`') && reader.is_mark(behind, b'`') {
        return prose::values(reader, behind);
    }
    let value = value(reader, behind, end);
    let look = look(key);
    let small = key.starts_with(|char: char| char.is_lowercase());
    let indented = reader.scan.kind(at.wrapping_sub(1)) == Some(TokenKind::SPACE);
    let shaped = !look.is_ordinary() || key.contains('-');
    let named = list.filter(|_| colon && !item && lines.names_keys(indent));
    if let Some(kinds) = named {
        reader.push_name_at(from, to, kinds, Rank::Definition);
    }
    let opens = reader.is_mark(behind, b'[');
    if (behind >= end || opens)
        && let Some(kinds) = list_kinds(key)
    {
        if behind >= end {
            lines.lists.push(List {
                indent,
                keys: None,
                kinds,
            });
        }
        if opens {
            items(reader, behind, kinds);
        }
    }
    if colon && (key == "kind" || key == "type") {
        let kind = value.map_or("", |(from, to)| reader.text(from, to));
        let known = RESOURCES.iter().find(|(known, _)| *known == kind);
        lines.named = known
            .map(|(_, kinds)| *kinds)
            .or(lines.named.filter(|_| key == "type"));
    }
    // `- name: expand` in a list of parameters; the name of a package.
    if key == "name"
        && let Some(kinds) = list.filter(|_| indented).or(lines.named)
    {
        if let Some((from, to)) = value {
            reader.push_name_at(from, to, kinds, Rank::Definition);
            push_value(reader, None, from, to);
        }
        lines.named = None;
        return;
    }
    if colon && (key == "in" || key == "type") {
        if let Some((from, _)) = value.filter(|_| key == "type") {
            data_type(reader, list, from);
        }
        return;
    }
    let accepted = match value {
        // A block's head: `http:` with deeper lines.
        None if colon => small && sign + 1 >= end && is_deeper(reader, at, end),
        None => equals && lines.sectioned && behind < end,
        Some(_) if equals => true,
        Some(_) => small && (shaped || indented || is_deeper_or_like(reader, end)),
    };
    if !accepted {
        return;
    }
    if let Some(kinds) = lines.keys {
        reader.push_name_at(from, to, kinds, Rank::Definition);
        if let Some((from, to)) = value {
            push_version(reader, from, to);
        }
        return;
    }
    if !is_reserved(key) {
        push_key(reader, from, to);
    }
    if let Some((from, to)) = value.filter(|_| !TEXTS.contains(&key)) {
        push_value(reader, key_kinds(key), from, to);
    }
}

/// An item of a list of names: `- clerk`.
fn listed(reader: &mut Reader<'_, '_>, kinds: Option<&'static [Kind]>, at: usize, end: usize) {
    if let Some(kinds) = kinds
        && let Some((from, to)) = value(reader, at, end)
    {
        reader.push_name_at(from, to, kinds, Rank::Definition);
    }
}

/// The names in `["clerk", "guest"]`, whose bracket is at `open`.
fn items(reader: &mut Reader<'_, '_>, open: usize, kinds: &'static [Kind]) {
    let mut at = open + 1;
    while at < open + 2 * REACH {
        if let Some((from, to)) = prose::quotation(reader, at) {
            reader.push_name_at(from, to, kinds, Rank::Definition);
            at = to + 1;
        } else if reader.is_word(at) {
            let to = key_end(reader, at);
            reader.push_name_at(at, to, kinds, Rank::Definition);
            at = to;
        } else if matches!(
            reader.scan.kind(at),
            Some(TokenKind::SPACE | TokenKind::NEWLINE | TokenKind(b','))
        ) {
            at += 1;
        } else {
            return;
        }
    }
}

/// The type of a column.
fn data_type(reader: &mut Reader<'_, '_>, list: Option<&'static [Kind]>, at: usize) {
    if list.is_some_and(|kinds| kinds.contains(&Col)) && reader.is_word(at) {
        reader.push_type(at);
    }
}

/// The last word of a key: `role` of `default_role`, `columns` of `keyColumns`.
pub(super) fn last_word(key: &str) -> &str {
    let joint = |byte: u8| matches!(byte, b'_' | b'-' | b'.');
    let start = key.bytes().rposition(joint).map_or(0, |joint| joint + 1);
    let last = &key[start..];
    match last.bytes().rposition(|byte| byte.is_ascii_uppercase()) {
        Some(hump) if hump > 0 && last.as_bytes()[hump - 1].is_ascii_lowercase() => &last[hump..],
        _ => last,
    }
}

/// What the value of a key is by the key's last word.
pub(super) fn key_kinds(key: &str) -> Option<&'static [Kind]> {
    // `DB_NAME`, `table_name`
    let thing = key.strip_suffix("_NAME").or(key.strip_suffix("_name"));
    let key = thing.or(key.strip_suffix("Name")).unwrap_or(key);
    let kinds: &[Kind] = match key {
        "operationId" => &[Func, Id],
        "DB" | "PGDATABASE" | "POSTGRES_DB" | "MONGO_DB" | "db" | "dbname" | "initdb" => &[Db],
        _ => prose::kinds_of(last_word(key)).filter(|(_, many)| !many)?.0,
    };
    let named = !matches!(kinds[0], Key | Line | Method | Path | Type | Value);
    let said = !matches!(key, "host" | "account" | "user");
    (named && said).then_some(kinds)
}

/// What stands in the list of this key.
fn list_kinds(key: &str) -> Option<&'static [Kind]> {
    if let Some((_, kinds)) = LISTS.iter().find(|(known, _)| *known == key) {
        return Some(kinds);
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
fn pairs(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    let mut at = at;
    while at < end && reader.is_word(at) && reader.is_mark(at + 1, b'=') {
        let (from, to, next) = match prose::quotation(reader, at + 2) {
            Some((from, to)) => (from, to, to + 1),
            None => {
                let ends =
                    |at: &usize| *at >= end || reader.scan.kind(*at) == Some(TokenKind::SPACE);
                let to = (at + 2..).find(ends).unwrap_or(end);
                (at + 2, to, to)
            }
        };
        let scrubbed = (from..to).any(|at| reader.scan.kind(at) == Some(TokenKind::PLACEHOLDER));
        let variable = reader.is_mark(from, b'$');
        push_key(reader, at, at + 1);
        if from < to && !scrubbed && !variable {
            push_value(reader, key_kinds(reader.text(at, at + 1)), from, to);
        }
        at = reader.skip_space(next);
    }
}

fn key_end(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut to = at;
    while reader.is_word(to) {
        to += 1;
        let joined = matches!(reader.scan.kind(to), Some(TokenKind(b'-' | b'.')));
        if !joined || !reader.is_word(to + 1) {
            break;
        }
        to += 1;
    }
    to
}

/// The tokens of a simple value: one run without spaces, or what is in quotes; then a comment at most.
fn value(reader: &Reader<'_, '_>, at: usize, end: usize) -> Option<(usize, usize)> {
    if at >= end {
        return None;
    }
    let rest_is_comment = |at: usize| {
        let mut at = reader.skip_space(at);
        if reader.is_mark(at, b',') {
            at = reader.skip_space(at + 1);
        }
        at >= end || reader.is_mark(at, b'#') || reader.is_mark(at, b';')
    };
    if let Some((from, to)) = prose::quotation(reader, at) {
        return rest_is_comment(to + 1).then_some((from, to));
    }
    let mut to = at;
    while to < end && reader.scan.kind(to) != Some(TokenKind::SPACE) {
        let code = matches!(
            reader.scan.kind(to),
            Some(TokenKind(
                b'(' | b'{' | b'[' | b'"' | b'\'' | b'<' | b'|' | b'&' | b'>' | b'$'
            ))
        );
        if code || reader.scan.kind(to) == Some(TokenKind::PLACEHOLDER) {
            return None;
        }
        to += 1;
    }
    if !rest_is_comment(to) {
        return None;
    }
    while to > at
        && matches!(
            reader.scan.kind(to - 1),
            Some(TokenKind(b',' | b';' | b'.'))
        )
    {
        to -= 1;
    }
    (to > at).then_some((at, to))
}

/// Whether the next line is indented more than the one that `at` is in.
fn is_deeper(reader: &Reader<'_, '_>, at: usize, end: usize) -> bool {
    let indent = |first: usize| match reader.scan.kind(first) {
        Some(TokenKind::SPACE) => reader.word(first).len(),
        _ => 0,
    };
    let own = match at.checked_sub(1) {
        Some(before) => indent(before),
        None => 0,
    };
    indent(end + 1) > own
}

/// Whether the next line is of the same build: `key:`.
fn is_deeper_or_like(reader: &Reader<'_, '_>, end: usize) -> bool {
    let first = reader.skip_space(end + 1);
    let to = key_end(reader, first);
    to > first && reader.is_mark(to, b':')
}

fn push_key(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
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

fn push_value(reader: &mut Reader<'_, '_>, kinds: Option<&'static [Kind]>, from: usize, to: usize) {
    let value = reader.text(from, to);
    let number = value.starts_with(|char: char| char.is_ascii_digit());
    let bare = value.bytes().all(|byte| byte.is_ascii_alphabetic());
    let said = bare && is_ordinary(value);
    if let Some(kinds) = kinds.filter(|kinds| !said && (!number || kinds.contains(&Version))) {
        reader.push_name_at(from, to, kinds, Rank::Definition);
    }
    let plain = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
    match plain {
        true => reader.push_here(from, to, shapes::value_kinds(value), Rank::Structure),
        false => reader.push(from, to, shapes::value_kinds(value), Rank::Structure),
    }
}

/// The version in `"^2.0.1"` behind a package's name.
fn push_version(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let version = (from..to).find(|at| {
        matches!(
            reader.scan.kind(*at),
            Some(TokenKind::NUMBER | TokenKind::WORD)
        )
    });
    if let Some(version) = version.filter(|at| reader.word(*at).contains('.')) {
        reader.push(version, to, &[Version, Num], Rank::Structure);
    }
}

fn is_ordinary(word: &str) -> bool {
    words::is_in(COMMON.or(NOT_NAMES).or(LANGUAGE), word)
}

/// The cells of a row, with bars between them and maybe around them.
fn cells(reader: &Reader<'_, '_>, at: usize, end: usize) -> Vec<(usize, usize)> {
    let mut cells = Vec::new();
    let first = at + usize::from(reader.is_mark(at, b'|'));
    let mut from = first;
    for to in first..end {
        if reader.is_mark(to, b'|') {
            cells.push((from, to));
            from = to + 1;
        }
    }
    if reader.skip_space(from) < end {
        cells.push((from, end));
    }
    cells
}

/// The header of a table says what its columns hold.
fn header(reader: &Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    const MOST_TOKENS: usize = 6;
    let cells = cells(reader, at, end);
    let words = |(from, to): &(usize, usize)| {
        let last = (*from..*to).rfind(|at| reader.is_word(*at));
        (last, to - from <= MOST_TOKENS)
    };
    let is = |cell: &(usize, usize), known: &[&str]| {
        let (last, short) = words(cell);
        short && last.is_some_and(|last| known.contains(&reader.word(last)))
    };
    // "Name | In | Type | Default" lists parameters.
    let described = cells
        .iter()
        .any(|cell| is(cell, &["Default", "In", "Required", "Type", "type"]));
    let kinds = |cell: &(usize, usize)| {
        if is(cell, &["Name"]) {
            return described.then_some(&[Param, Field, Col, Var] as &[Kind]);
        }
        if is(cell, &["Type", "type"]) {
            return Some(&[Dtype]);
        }
        if is(cell, &["Default"]) {
            return Some(&[Value]);
        }
        if is(cell, &["Method"]) {
            return None;
        }
        let (last, short) = words(cell);
        prose::cue_kinds(reader, last.filter(|_| short)?)
    };
    lines.columns = cells.iter().map(kinds).collect();
}

/// A row of a table: its header says what its columns hold.
fn row(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    let ruled = reader.is_mark(end + 1, b'|')
        && matches!(reader.word(reader.skip_space(end + 2)), "-" | ":");
    if ruled {
        return header(reader, lines, at, end);
    }
    for ((from, to), kinds) in cells(reader, at, end).into_iter().zip(&lines.columns) {
        let Some(kinds) = *kinds else { continue };
        let first = reader.skip_space(from);
        if *kinds == [Dtype] {
            let first = first + usize::from(reader.is_mark(first, b'`'));
            if reader.is_in(first, TYPE_WORDS) {
                reader.push_type(first);
            }
            continue;
        }
        let content = prose::quotation(reader, first).or_else(|| {
            let word = matches!(
                reader.scan.kind(first),
                Some(TokenKind::WORD | TokenKind::NUMBER)
            );
            let single = word && reader.skip_space(first + 1) >= to;
            single.then_some((first, first + 1))
        });
        if let Some((from, to)) = content {
            let text = reader.text(from, to);
            let kinds: &'static [Kind] = match text.starts_with('-') {
                true => &[Param, Config, Id],
                false => kinds,
            };
            match is_ordinary(text) {
                true => reader.push_here(from, to, kinds, Rank::Definition),
                false => reader.push(from, to, kinds, Rank::Definition),
            }
        }
    }
}

/// `"key": value` of JSON, on lines of its own or not.
#[inline(never)]
pub(super) fn json(reader: &mut Reader<'_, '_>, lines: &mut Lines, from: usize, to: usize) {
    if !reader.is_mark(from - 1, b'"') || !reader.is_mark(to + 1, b':') {
        return;
    }
    let key = reader.text(from, to);
    let at = reader.skip_space(to + 2);
    let value = prose::quotation(reader, at).or_else(|| {
        let simple = match reader.scan.kind(at)? {
            TokenKind::NUMBER => true,
            TokenKind::WORD => matches!(reader.word(at), "true" | "false"),
            _ => false,
        };
        simple.then_some((at, at + 1))
    });
    let member = lines.objects.last().map(|(_, member)| *member);
    if let Some(Member::Keys(kinds)) = member {
        reader.push_name_at(from, to, kinds, Rank::Definition);
        if let Some((from, to)) = value {
            push_version(reader, from, to);
        }
        return;
    }
    let opens = reader.is_mark(at, b'[') || reader.is_mark(at, b'{');
    if opens && PACKAGES.contains(&key) {
        return lines.objects.push((lines.depth, Member::Keys(PACKAGE)));
    }
    if let Some(kinds) = list_kinds(key).filter(|_| opens) {
        lines.objects.push((lines.depth, Member::Names(kinds)));
        items(reader, at, kinds);
    }
    if key == "name"
        && let Some((from, to)) = value
        && let Some(kinds) = name_kinds(reader, member, to)
    {
        return reader.push_name_at(from, to, kinds, Rank::Definition);
    }
    if key == "type"
        && let Some((from, _)) = value
        && let Some(Member::Names(kinds)) = member
    {
        return data_type(reader, Some(kinds), from);
    }
    let reserved = is_reserved(key);
    let single = key_end(reader, from) == to;
    if single && !reserved {
        push_key(reader, from, to);
    }
    let valued = !reserved
        || matches!(
            key,
            "default" | "example" | "maximum" | "minimum" | "operationId"
        );
    if let Some((from, to)) = value.filter(|_| valued)
        && !reader.text(from, to).contains(' ')
    {
        push_value(reader, key_kinds(key), from, to);
    }
}

/// What the `name` of an object of JSON is, whose value ends at `end`.
fn name_kinds(
    reader: &Reader<'_, '_>,
    member: Option<Member>,
    end: usize,
) -> Option<&'static [Kind]> {
    if let Some(Member::Names(kinds)) = member {
        return Some(kinds);
    }
    // A package's name is followed by its version.
    let blank = |at: &usize| {
        matches!(
            reader.scan.kind(*at),
            Some(TokenKind::SPACE | TokenKind::NEWLINE | TokenKind(b',' | b'"'))
        )
    };
    let next = (end..end + 8).find(|at| !blank(at))?;
    (reader.word(next) == "version").then_some(PACKAGE)
}
