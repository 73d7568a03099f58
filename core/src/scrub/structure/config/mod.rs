//! Configuration: `KEY=value`, INI, TOML, YAML and JSON, tables of parameters, command lines.

mod commands;
mod entry;
mod json;
mod tables;
mod values;

use alloc::vec::Vec;

use super::{Reader, prose};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        hash,
        lexicon::Rank,
        look::Look,
        words::{self, LANGUAGE, NOT_CALLED, RESERVED_LIKE, Words, any_of},
    },
};
use commands::{is_program, requirement, usage};
use entry::entry;
use tables::{branch, header, heads_rows, is_row, repeated, row};
use values::{key_end, list_kinds, pairs, push_key, push_value};

pub(in crate::scrub) use commands::PROGRAMS;
pub(super) use commands::{command, is_called, span};
pub(super) use json::json;
pub(super) use values::{key_kinds, last_word, variable};

/// Keys of OpenAPI, JSON Schema, package files and policies in their own role. The values of the first are settings in
/// JSON, too.
#[rustfmt::skip]
pub(in crate::scrub) static RESERVED_LIST: &[&str] = &[
    "default", "example", "exclusiveMaximum", "exclusiveMinimum", "maxItems", "maxLength", "maximum", "minItems",
    "minLength", "minimum", "multipleOf", "operationId", "pattern",
    "$ref", "Action", "Condition", "Effect", "NotAction", "Principal", "Resource", "Sid", "Statement", "Version",
    "additionalProperties", "allOf", "anyOf", "apiVersion", "artifactId", "author", "components", "containsNull",
    "content", "delete", "dependencies", "description", "devDependencies", "engines", "enum", "examples", "format",
    "get", "groupId", "head", "headers", "in", "info", "items", "kind", "license", "logicalType", "main", "metadata",
    "method", "name", "nullable", "oneOf", "openapi", "optionalDependencies", "options", "parameters", "patch",
    "paths", "peerDependencies", "post", "properties", "put", "readOnly", "ref", "requestBody", "required",
    "responses", "schema", "schemas", "scripts", "security", "servers", "spec", "summary", "tags", "title", "trace", "type",
    "uniqueItems", "writeOnly",
];

/// Keys under which packages stand with their versions.
const PACKAGES: &Words = any_of!(
    "build-dependencies dependencies dev-dependencies devDependencies optionalDependencies peerDependencies \
    workspace.dependencies"
);

/// Sections of manifests whose `name` is the package's.
const MANIFESTS: &Words = any_of!("lib package project tool.poetry");
const KEY: &[Kind] = &[Config, Field];
const PACKAGE: &[Kind] = &[Pkg, Module];
const VALUES: &[Kind] = &[Value];

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
    /// Whether the section is one of a package.
    manifest: bool,
    /// Whether a section was opened: what follows is settings.
    sectioned: bool,
    /// Whether commands, or how a command is used, stand on the lines that follow.
    help: Option<Help>,
    /// Whether a fenced block of a shell is open.
    shell: bool,
    /// Where the last line ends that was a setting.
    accepted: Option<usize>,
    /// Whether JSON is open that a shell hands on in quotes.
    handed: bool,
    /// What heads the lines that follow and has been scrubbed.
    scrubbed: Option<Head>,
}

/// What heads lines that are settings.
#[derive(Clone, Copy)]
enum Head {
    /// `[cache]`
    Section,
    /// A key with deeper lines, by its indent.
    Key(usize),
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
    /// What a key said that has been scrubbed.
    Scrubbed,
}

/// What the lines under a heading of a help text hold.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Help {
    Commands,
    /// What a heading said that has been scrubbed.
    Scrubbed,
    Usage,
}

impl Lines {
    /// Takes notice of a quote: `-d '{"level": 3}'`. Says whether what it opens is to be looked into.
    pub(super) fn quote(&mut self, reader: &Reader<'_, '_>, at: usize) -> bool {
        let object = |at: usize| {
            let first = reader.skip_space(at + 1);
            reader.says(at, any_of!("{ [")) && reader.says(first, any_of!("\" {"))
        };
        if reader.is_mark(at, b'\'') {
            self.handed = object(at + 1);
        }
        self.handed
    }

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

    /// Whether the word at `at` is a key of a manifest: `edition = "2021"`.
    pub(super) fn is_of_manifest(&self, reader: &Reader<'_, '_>, at: usize) -> bool {
        self.manifest && reader.is_mark(reader.skip_space(at + 1), b'=')
    }

    /// Whether the head of a line of this indent has been scrubbed: what it held is not known any more.
    fn is_under_scrubbed(&mut self, indent: usize, item: bool) -> bool {
        self.scrubbed = self.scrubbed.filter(|head| match head {
            Head::Section => true,
            Head::Key(own) => indent > *own || indent == *own && item,
        });
        self.scrubbed.is_some()
    }

    /// Whether a key of this indent is a name of the innermost list.
    fn names_keys(&self, indent: usize) -> bool {
        let list = self.lists.last();
        list.is_some_and(|list| list.keys == Some(indent))
    }
}

/// Whether a key is one of a format's own.
pub(super) fn is_reserved(key: &str) -> bool {
    place_of(key).is_some()
}

/// The same of the word at `at`.
pub(super) fn is_reserved_at(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, RESERVED_LIKE) && is_reserved(reader.word(at))
}

/// The place of a key in [`RESERVED_LIST`], where it is in its own case.
#[inline(never)]
fn place_of(key: &str) -> Option<usize> {
    static WORDS: [u32; RESERVED_LIST.len()] = words::exact(RESERVED_LIST);
    let hash = hash::exact(key.as_bytes()) as u32;
    let place = || WORDS.iter().position(|word| *word == hash);
    words::is_in(RESERVED_LIKE, key).then(place)?
}

/// Looks at the line whose first token that is no white space is `at`, and which ends at `end`.
#[inline(never)]
pub(super) fn line(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    let first = reader.scan.kind(at).map_or(0, |kind| kind.0);
    if first == b'|' && branch(reader, at, end) {
        return;
    }
    if first == b'|' || !lines.columns.is_empty() && is_row(reader, at, end) {
        return reader.widely(true, |reader| row(reader, lines, at, end));
    }
    // What a database prints has no bar at the edges.
    if reader.is_mark(end + 1, b'-') && reader.is_mark(end + 2, b'-') && is_row(reader, at, end) {
        return header(reader, lines, at, end);
    }
    if heads_rows(reader, at, end) {
        for at in (at..end).step_by(2) {
            reader.push_plain(at, at + 1, &[Col, Field], Rank::Definition);
        }
        return;
    }
    let rule = matches!(first, b'-' | b'+') && reader.says(at + 1, any_of!("- ="));
    if !rule {
        lines.columns.clear();
    }
    if usage(reader, lines, at, end) {
        return;
    }
    match first {
        b'`' if reader.is_mark(at + 1, b'`') && reader.is_mark(at + 2, b'`') => {
            let language = reader.word(at + 3);
            lines.shell = any_of!("bash console sh shell zsh").has(language);
        }
        b'#' => heading(reader, lines, at, end),
        b';' | b'/' | b'*' => {}
        b'<' => element(reader, at + 3),
        b'>' if !reader.is_space(at + 1) => {}
        // A line that is quoted
        b'>' => {
            let item = reader.is_mark(at + 2, b'-') && reader.is_space(at + 3);
            entry(reader, lines, at + 2 + 2 * usize::from(item), end);
        }
        b'[' => section(reader, lines, at, end),
        b'$' if reader.is_space(at + 1) => command(reader, at + 2, end),
        b'-' if reader.is_space(at + 1) && reader.is(at, "-") => {
            entry(reader, lines, at + 2, end);
        }
        _ => worded(reader, lines, at, end),
    }
}

/// `## Roles`: what the list under it holds. A list that another one opened is at its end.
fn heading(reader: &Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    while lines.lists.pop_if(|list| list.indent == 0).is_some() {}
    let last = end - usize::from(reader.is_mark(end - 1, b':')) - 1;
    let marks = (at..last.saturating_sub(1)).all(|at| reader.is_mark(at, b'#'));
    let apart = last > at + 1 && reader.is_space(last - 1);
    if marks
        && apart
        && let Some(kinds) = list_kinds(reader.word(last))
    {
        lines.lists.push(List {
            indent: 0,
            keys: None,
            kinds,
        });
    }
}

/// A line that no mark says anything of.
fn worded(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    let first = reader.skip_space(at + 1);
    let told = reader.look(at) == Look::Capitals || reader.is_in(at, LANGUAGE);
    if told && reader.is(at, "RUN") {
        return command(reader, first, end);
    }
    if told && reader.says(at, any_of!("ARG ENV export set")) {
        entry(reader, lines, first, end);
        return pairs(reader, first, end);
    }
    let indented = reader.is_space(at.wrapping_sub(1));
    let program = (indented || lines.shell) && is_program(reader, at);
    if program || lines.shell && reader.is_word(at) && is_small(reader.word(at)) {
        command(reader, at, end);
    } else if !requirement(reader, at, end) && !repeated(reader, at, end) {
        entry(reader, lines, at, end);
        directive(reader, at, end);
    }
}

/// Whether a word has no capitals.
#[inline(never)]
fn is_small(word: &str) -> bool {
    !word.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// `<add key="shape" value="round" />`: a setting, whose attributes begin at `at`.
fn element(reader: &mut Reader<'_, '_>, at: usize) {
    if reader.says(at, any_of!("key name"))
        && let Some((from, to)) = prose::quotation(reader, at + 2)
        && reader.is(to + 2, "value")
        && let Some((first, last)) = prose::quotation(reader, to + 4)
    {
        push_key(reader, from, to);
        push_value(reader, key_kinds(reader.text(from, to)), first, last);
    }
}

/// `[cache]`, `[[plugins]]` on a line of its own.
fn section(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    // One of several has keys on the line below: nor is a link of a wiki one.
    let first = reader.skip_space(end + 1);
    let sign = reader.skip_space(key_end(reader, first));
    let listed =
        reader.is_mark(at + 1, b'[') && reader.is_mark(end - 2, b']') && reader.is_mark(sign, b'=');
    let (at, end) = match listed {
        true => (at + 1, end - 1),
        false => (at, end),
    };
    let is_part = |at: &usize| reader.is_name(*at) || reader.is_any(*at, b".-");
    let words = (at + 1..end).take_while(is_part);
    let to = at + 1 + words.count();
    if to == at + 1 || !reader.is_mark(to, b']') || reader.skip_space(to + 1) < end {
        return;
    }
    let name = reader.text(at + 1, to);
    lines.sectioned = true;
    lines.keys = PACKAGES.has(name).then_some(PACKAGE);
    let scrubbed = reader.has_scrubbed(at, end);
    lines.scrubbed = scrubbed.then_some(Head::Section);
    lines.named = MANIFESTS.has(name).then_some(PACKAGE);
    lines.manifest = scrubbed || lines.named.is_some();
    if lines.keys.is_none() && lines.named.is_none() {
        push_key(reader, at + 1, to);
    }
}

/// `client_max_body_size 20m;` of a server's settings.
fn directive(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    const MOST_VALUES: usize = 3;
    // `worker_connections 512; # of each`
    let said = (at + 2..end).find(|at| reader.is_mark(*at, b'#') && reader.is_space(*at - 1));
    let end = said.map_or(end, |said| said - 1);
    let closed = end > at + 3 && reader.is_mark(end - 1, b';');
    if !closed || !reader.is_word(at) || reader.is_in(at, LANGUAGE.or(NOT_CALLED)) {
        return;
    }
    let plain = reader.look(at).is_plain();
    if !(plain || reader.look(at) == Look::Snake) || !reader.is_space(at + 1) {
        return;
    }
    let inside = at + 2..end;
    let code = |at: usize| reader.is_any(at, b"(={\"'<") || reader.is_scrubbed(at);
    let spaces = inside.clone().filter(|at| reader.is_space(*at)).count();
    if spaces >= MOST_VALUES
        || plain && spaces > 0 && !reader.is_number(at + 2)
        || inside.clone().any(code)
    {
        return;
    }
    reader.push_name_at(at, at + 1, &[Config], Rank::Structure);
    let mut from = at + 2;
    for to in inside {
        if to + 1 == end || reader.is_space(to) {
            push_value(reader, None, from, to);
            from = to + 1;
        }
    }
}
