//! Configuration: `KEY=value`, INI, TOML, YAML and JSON, tables of parameters, command lines.

use alloc::vec::Vec;

use super::{
    REACH, Reader, code,
    grammar::is_unit,
    prose::{self, Rows, kinds_in},
    shapes,
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        hash,
        lexicon::Rank,
        look::{Look, look},
        words::{
            self, COMMON, LANGUAGE, NOT_CALLED, NOT_NAMES, PROGRAM, RESERVED_LIKE, SMALL_TYPE,
            TYPE_WORDS, Words, any_of,
        },
    },
};

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
    "responses", "schema", "scripts", "security", "servers", "spec", "summary", "tags", "title", "trace", "type",
    "uniqueItems", "writeOnly",
];

/// How many are the first.
const SET: usize = 13;

/// Those of them whose values say something for people.
const TEXTS: &Words = any_of!(
    "DESCRIPTION Description INFO Info SUMMARY Summary TITLE Title description info summary title"
);

/// Those whose lists hold values.
const VALUED: &Words = any_of!("enum examples tags");

/// Keys under which packages stand with their versions.
const PACKAGES: &Words = any_of!(
    "build-dependencies dependencies dev-dependencies devDependencies optionalDependencies peerDependencies \
    workspace.dependencies"
);

/// Sections of manifests whose `name` is the package's.
const MANIFESTS: &Words = any_of!("lib package project tool.poetry");

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

/// What a resource of this `kind` or `type` has for a name.
const RESOURCES: Rows = &[
    (
        any_of!("ClusterRole ClusterRoleBinding Role RoleBinding ServiceAccount"),
        &[Role],
    ),
    (any_of!("Secret"), &[Key]),
    (any_of!("apiKey"), &[Key, Param]),
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
        reader.wide = true;
        row(reader, lines, at, end);
        reader.wide = false;
        return;
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

/// Whether a word is the name of a program that shells call.
pub(super) fn is_called(word: &str) -> bool {
    words::is_small_in(PROGRAM, word)
}

/// `flask~=3.0`, `uvicorn[standard]>=0.30,<1` on a line of its own: a package that Python needs.
fn requirement(reader: &mut Reader<'_, '_>, at: usize, end: usize) -> bool {
    // Most lines are prose.
    if reader.is_space(at + 1) {
        return false;
    }
    let to = key_end(reader, at);
    let mut sign = to;
    if reader.is_mark(to, b'[') {
        let close = (to..end).find(|at| reader.is_mark(*at, b']'));
        sign = close.map_or(to, |close| close + 1);
    }
    let version = sign + 2;
    let bound = to > at
        && reader.is_any(sign, b"!<=>~")
        && reader.is_mark(sign + 1, b'=')
        && reader.is_number(version)
        && reader.word(version).contains('.');
    if !bound {
        return false;
    }
    // A comment, or what it is needed for, may follow.
    let stop = (version..end).find(|at| reader.is_any(*at, b" #;"));
    let fits = stop.is_none_or(|at| !reader.is_space(at) || reader.is_any(at + 1, b"#;"));
    if fits {
        reader.push_name_at(at, to, PACKAGE, Rank::Definition);
        push_version(reader, version, version + 1);
    }
    fits
}

/// Whether the word at `at`, with what hyphens join to it, is a program's name.
fn is_program(reader: &Reader<'_, '_>, at: usize) -> bool {
    let joined = reader.is_mark(at + 1, b'-') || reader.is_space(at + 1);
    if !joined || !reader.is_word(at) {
        return false;
    }
    let to = key_end(reader, at);
    let text = reader.text(at, to);
    reader.is_space(to) && is_called(text)
}

/// ` |-- stops: array (nullable = true)` of the tree in which Spark prints a schema: a column and its type.
fn branch(reader: &mut Reader<'_, '_>, at: usize, end: usize) -> bool {
    let is_of_tree = |at: &usize| reader.is_any(*at, b" |-");
    let name = at + (at..end).take_while(is_of_tree).count();
    let to = key_end(reader, name);
    let kind = reader.skip_space(to + 1);
    let told = reader.is_mark(end - 1, b')') && reader.says(end - 2, any_of!("false true"));
    if !told
        || to == name
        || name < at + 3
        || !reader.is_mark(name - 2, b'-')
        || !reader.is_mark(to, b':')
    {
        return false;
    }
    // What lists and maps hold has no name of its own.
    if !reader.says(name, any_of!("element key value")) {
        reader.push_plain(name, to, &[Col, Field], Rank::Definition);
    }
    reader.push_type(kind);
    true
}

/// `required binary code (UTF8);` of Parquet: a column and its types.
fn repeated(reader: &mut Reader<'_, '_>, at: usize, end: usize) -> bool {
    if !reader.is_any(end - 1, b";{") || !reader.says(at, any_of!("optional repeated required")) {
        return false;
    }
    let kind = at + 2;
    let mut name = reader.skip_space(kind + 1);
    // `fixed_len_byte_array(16) id;`
    if reader.is_mark(kind + 1, b'(') {
        name = reader.skip_space(kind + 4);
    }
    let typed = reader.is_in(kind, TYPE_WORDS.or(SMALL_TYPE))
        || reader.says(kind, any_of!("fixed_len_byte_array group int96"))
        || code::is_sized(reader.word(kind));
    let note = reader.skip_space(name + 1);
    let fits = typed && reader.is_name(name) && reader.is_any(note, b"(;{");
    if fits {
        reader.push_plain(name, name + 1, &[Col, Field], Rank::Definition);
        if reader.is_mark(end - 1, b';') {
            reader.push_type(kind);
        }
        if reader.is_mark(note, b'(') {
            reader.push_type(note + 1);
        }
    }
    fits
}

/// `axle,tread_depth,checked_by`: whether a line heads rows with as many commas. It opens a text or stands below what
/// introduces it; one of its words is written as a name.
fn heads_rows(reader: &Reader<'_, '_>, at: usize, end: usize) -> bool {
    const LEAST: usize = 3;
    let opens = at == 0
        || reader.is_mark(at - 1, b'\n')
            && (at < 2 || reader.is_mark(at - 2, b'\n') || reader.says(at - 2, any_of!(": `")));
    let cell = |at: usize| reader.is_word(at) && (at + 1 == end || reader.is_mark(at + 1, b','));
    if !opens
        || (end - at).is_multiple_of(2)
        || end - at < 2 * LEAST - 1
        || !(at..end).step_by(2).all(cell)
    {
        return false;
    }
    let next = reader.scan.line_end(end + 1, 4 * REACH).unwrap_or(end + 1);
    let commas = (end + 1..next)
        .filter(|at| reader.is_mark(*at, b','))
        .count();
    commas == (end - at) / 2
        && (at..end)
            .step_by(2)
            .any(|at| !reader.look(at).is_ordinary())
}

/// Whether a line is of cells with bars between them.
fn is_row(reader: &Reader<'_, '_>, at: usize, end: usize) -> bool {
    (at..end).any(|at| reader.is_mark(at, b'|') && reader.is_space(at.wrapping_sub(1)))
}

/// Looks at a line as one of a help text: `Usage: …`, `Commands:`. Says whether it is.
fn usage(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) -> bool {
    let indented = reader.is_space(at.wrapping_sub(1));
    let last = end.wrapping_sub(1);
    let heads = || {
        reader.says(
            last.wrapping_sub(1),
            any_of!("COMMANDS Commands SUBCOMMANDS Subcommands commands subcommands"),
        )
    };
    if reader.is_mark(last, b':') && last - at < 6 && heads() {
        lines.help = Some(match reader.has_scrubbed(at, end) {
            true => Help::Scrubbed,
            false => Help::Commands,
        });
        return true;
    }
    let headed = reader.is_mark(at + 1, b':') && reader.says(at, any_of!("Usage usage USAGE"));
    if headed || at + 1 == end && reader.is(at, "SYNOPSIS") {
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
            let wide = reader.is_space(to) && reader.word(to).len() > 1;
            if to > at && (wide || to == end) {
                reader.push_here(at, to, &[Cmd], Rank::Definition);
            }
            true
        }
        Some(Help::Scrubbed) => true,
        None => false,
    }
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
    lines.scrubbed = reader.has_scrubbed(at, end).then_some(Head::Section);
    lines.sectioned = true;
    lines.keys = PACKAGES.has(name).then_some(PACKAGE);
    lines.manifest = MANIFESTS.has(name);
    lines.named = lines.manifest.then_some(PACKAGE);
    if lines.keys.is_none() && lines.named.is_none() {
        push_key(reader, at + 1, to);
    }
}

/// The words of a command line before its options.
#[inline(never)]
pub(super) fn command(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    // Where the program's name ends, and the last of its words.
    let (mut first, mut last) = (at, at);
    let mut to = at;
    while to < end && reader.is_word(to) && is_small(reader.word(to)) {
        // The page, path or file that it is given: `curl https://…`, `cat a/b`
        let given = reader.is_mark(to + 1, b':') && reader.is_mark(to + 2, b'/')
            || first > at && reader.is_any(to + 1, b"/.@");
        if given {
            break;
        }
        to += 1;
        while reader.is_mark(to, b'-') && reader.is_word(to + 1) {
            to += 2;
        }
        last = to;
        if first == at {
            first = to;
        }
        to = reader.skip_space(to);
    }
    if last == at {
        return;
    }
    reader.push(at, last, &[Cmd], Rank::Structure);
    // The program is a name wherever it is spoken of.
    if first < last {
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
        if to <= at + 2 || !(reader.is(to, " ") || reader.is_mark(to, b'=')) {
            at += 1;
            continue;
        }
        let from = to + 1;
        at = from;
        while at < end && (reader.is_alphanumeric(at) || reader.is_any(at, b"-./:@+%")) {
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
    let small = is_small(reader.word(from));
    let words = (from..to).all(|at| {
        reader.is_alphanumeric(at)
            || reader.is_any(at, b" -./@:_<>")
            || reader.is_mark(at, b'=') && at > first
    });
    let spaced = reader.is_space(first);
    let program = is_program(reader, from) || reader.says(from, any_of!("go make node python"));
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

/// `key = value`, `key: value`.
fn entry(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    // Most lines are prose.
    let spaced = reader.is_word(at) && reader.is_space(at + 1) && !reader.is_mark(at + 2, b'=');
    if spaced && lines.lists.is_empty() && !reader.scan.has_placeholders {
        return;
    }
    let Some(entry) = Entry::read(reader, lines, at, end) else {
        return;
    };
    entry.head(reader, lines);
    if !entry.name(reader, lines) && !entry.type_of(reader, lines) {
        entry.set(reader, lines);
    }
}

/// A line with a key and a sign.
struct Entry<'t> {
    /// Where the line begins behind white space and the mark of an item, and where it ends.
    at: usize,
    end: usize,
    indent: usize,
    /// What the list holds that the line is in.
    list: Option<&'static [Kind]>,
    indented: bool,
    /// Whether the line before is a setting.
    follows: bool,
    /// The tokens of the key.
    from: usize,
    to: usize,
    key: &'t str,
    /// Whether the key is a name of the list that the line is in.
    named: bool,
    /// Whether the key is written as the shell's variables are.
    variable: bool,
    /// Whether the key may be one of a setting by its letters: `TIDE_LEVEL: debug`, not "NOTE: …".
    small: bool,
    sign: usize,
    /// Whether the sign is `:`, and not `=`.
    colon: bool,
    /// Whether nothing is between the key and its sign.
    tight: bool,
    /// Where the value begins, if there is any.
    behind: usize,
    /// What the lines below are where the key heads a list of names.
    held: Option<&'static [Kind]>,
    value: Option<(usize, usize)>,
}

impl<'t> Entry<'t> {
    /// Reads the key, the sign and the value. A line that has other parts may be an item.
    fn read(
        reader: &mut Reader<'_, 't>,
        lines: &mut Lines,
        at: usize,
        end: usize,
    ) -> Option<Self> {
        let indent = match reader.before_line(at) {
            Some(Some(space)) => reader.word(space).len(),
            _ => 0,
        };
        let item = reader.is_mark(at.wrapping_sub(2), b'-');
        let list = lines.list(indent, item);
        if lines.is_under_scrubbed(indent, item) {
            return None;
        }
        if reader.has_scrubbed(at, end)
            && let Some(last) = reader.before(end)
            && (reader.is_mark(last, b':') || last == at)
        {
            lines.scrubbed = Some(Head::Key(indent));
            return None;
        }
        let quoted = prose::quotation(reader, at);
        // Quoted keys are the business of JSON, but for those of TOML.
        let toml = quoted.is_some_and(|(_, to)| reader.is(reader.skip_space(to + 1), "="));
        if reader.is_mark(at, b'"') && !toml {
            listed(reader, list.filter(|_| item), at, end);
            return None;
        }
        let (from, to, mut next) = match quoted {
            Some((from, to)) => (from, to, to + 1),
            None => {
                let to = key_end(reader, at);
                (at, to, to)
            }
        };
        if to <= from || to > end {
            // `- 10.0.0.0/8`, `- { name: expand, in: query }`
            let apt = |kinds: &&[Kind]| item && (**kinds == *VALUES) != reader.is_mark(at, b'{');
            listed(reader, list.filter(apt), at, end);
            return None;
        }
        let indented = reader.is_space(at.wrapping_sub(1));
        let start = at - usize::from(indented);
        let follows = lines.accepted.is_some_and(|end| end + 1 == start);
        let mut sign = reader.skip_space(next);
        // `page (integer): …`
        if lines.names_keys(indent)
            && let Some(close) = code::closing(reader, sign).filter(|close| *close < end)
        {
            (next, sign) = (close + 1, close + 1);
        }
        let equals = reader.is_mark(sign, b'=') && !reader.is_mark(sign + 1, b'=');
        let colon = reader.is_mark(sign, b':')
            && sign == next
            && (sign + 1 >= end || reader.is_space(sign + 1));
        if !(colon || equals && (quoted.is_none() || toml)) {
            // `tide.alarm.level:loud` among others
            if is_property(reader, at, b":")
                && (follows || is_property(reader, end + 1, b":="))
                && let Some((from, last)) = value(reader, to + 1, end)
            {
                push_key(reader, at, to);
                push_value(reader, None, from, last);
                lines.accepted = Some(end);
                return None;
            }
            if item && list.is_some() {
                lines.accepted = Some(end);
            }
            listed(reader, list.filter(|_| item), at, end);
            return None;
        }
        let behind = reader.skip_space(sign + 1);
        if colon && reader.is_mark(at, b'`') && reader.is_mark(behind, b'`') {
            prose::values(reader, behind);
            return None;
        }
        let list = list.filter(|kinds| **kinds != *VALUES);
        let key = reader.text(from, to);
        let capitals = words::is_all_capitals(key);
        let constant = matches!(look(key), Look::Constant | Look::Key);
        let small = constant || key.starts_with(|char: char| char.is_lowercase());
        // What its list holds, where it may head one.
        let held = match behind >= end || reader.is_any(behind, b"[#") {
            true => list_kinds(key),
            false => None,
        };
        let mut entry = Self {
            at,
            end,
            indent,
            list,
            indented,
            follows,
            from,
            to,
            key,
            named: list.is_some() && colon && !item && lines.names_keys(indent),
            variable: constant || capitals,
            small: small || indented && follows && capitals,
            sign,
            colon,
            tight: sign == next,
            behind,
            held,
            value: None,
        };
        entry.value = value(reader, behind, end).or_else(|| entry.phrase(reader, lines));
        Some(entry)
    }

    /// The value where it may have several words.
    fn phrase(&self, reader: &Reader<'_, '_>, lines: &Lines) -> Option<(usize, usize)> {
        let takes = match self.colon {
            true => self.indented && self.follows && self.small && !is_reserved(self.key),
            // `GREETING=Hello there`: the shell and the files of settings take all that stands there.
            false => {
                let tight = self.tight && self.behind == self.sign + 1;
                lines.sectioned
                    || tight && self.variable
                    || self.key.contains('.') && is_small(self.key)
            }
        };
        takes.then(|| phrase(reader, self.behind, self.end))?
    }

    /// Whether no value stands on the line.
    fn is_open(&self) -> bool {
        self.behind >= self.end
    }

    /// What the key says of itself, of a command behind it, and of the lines below.
    fn head(&self, reader: &mut Reader<'_, '_>, lines: &mut Lines) {
        let Self { key, behind, .. } = *self;
        if let Some(kinds) = self.list.filter(|_| self.named) {
            reader.push_name_at(self.from, self.to, kinds, Rank::Definition);
        }
        let runs = self.colon && any_of!("command entrypoint run script").has(key);
        if runs && is_program(reader, behind) {
            command(reader, behind, self.end);
        }
        if let Some(kinds) = self.held {
            if self.is_open() {
                lines.lists.push(List {
                    indent: self.indent,
                    keys: None,
                    kinds,
                });
            }
            if reader.is_mark(behind, b'[') {
                items(reader, behind, kinds);
            }
        }
        // `secretKeyRef:` of Kubernetes, above the name of the secret
        if self.colon && self.is_open() && any_of!("secretKeyRef secretRef").has(key) {
            lines.named = Some(&[Key]);
        }
        if self.colon && any_of!("kind type").has(key) {
            let kind = self.value.map_or("", |(from, to)| reader.text(from, to));
            lines.named = match kinds_in(RESOURCES, kind) {
                None if key == "type" => lines.named,
                None if reader.is_scrubbed(behind) => Some(&[]),
                known => known,
            };
        }
    }

    /// `- name: expand` in a list of parameters; the name of a package. Says whether the line is such a one.
    fn name(&self, reader: &mut Reader<'_, '_>, lines: &mut Lines) -> bool {
        let own = self.list.filter(|_| self.indented);
        let Some(kinds) = lines.named.or(own).filter(|_| self.key == "name") else {
            return false;
        };
        if let Some((from, to)) = self.value.filter(|_| !kinds.is_empty()) {
            reader.push_name_at(from, to, kinds, Rank::Definition);
            push_value(reader, None, from, to);
        }
        lines.named = None;
        true
    }

    /// `type: memory` is a setting; `type: object` is a schema's. Says whether the line is either.
    fn type_of(&self, reader: &mut Reader<'_, '_>, lines: &mut Lines) -> bool {
        if !self.colon || !any_of!("in type").has(self.key) {
            return false;
        }
        if let Some((from, to)) = self.value.filter(|_| self.key == "type") {
            data_type(reader, self.list, from);
            let typed = reader.is_in(from, TYPE_WORDS.or(SMALL_TYPE).or(LANGUAGE));
            let apart = lines.named.is_none() && self.list.is_none();
            if !typed && apart && reader.look(from).is_plain() {
                push_value(reader, None, from, to);
                lines.accepted = Some(self.end);
            }
        }
        true
    }

    /// The setting, if it is one.
    fn set(&self, reader: &mut Reader<'_, '_>, lines: &mut Lines) {
        let Self {
            from,
            to,
            behind,
            end,
            ..
        } = *self;
        let values = self.values(reader, lines);
        if !self.is_accepted(reader, lines, &values) {
            return;
        }
        if let Some(kinds) = lines.keys {
            reader.push_name_at(from, to, kinds, Rank::Definition);
            if let Some((from, to)) = self.value {
                push_version(reader, from, to);
            }
            return;
        }
        let of_format = is_reserved(self.key)
            || self.heads(reader) && heads_models(reader, self.held, end);
        if !of_format || !self.colon {
            push_key(reader, from, to);
        }
        match values {
            Values::List => items(reader, behind, VALUES),
            Values::Map => members(reader, behind, end),
            Values::Below => lines.lists.push(List {
                indent: self.indent,
                keys: Some(usize::MAX),
                kinds: VALUES,
            }),
            Values::One => {}
        }
        if let Some((from, to)) = self.value.filter(|_| !TEXTS.has(self.key)) {
            push_value(reader, key_kinds(self.key), from, to);
        }
        lines.accepted = Some(end);
    }

    /// How the values are written.
    fn values(&self, reader: &Reader<'_, '_>, lines: &Lines) -> Values {
        let Self { behind, end, .. } = *self;
        // Under a header that has been scrubbed stands what was left on purpose.
        let fresh = self.colon || lines.sectioned || !reader.scan.has_placeholders;
        // `tags: [a, b]`, `ports = [80, 443]`
        let list = || reader.is_mark(behind, b'[') && is_list(reader, behind, end, self.colon);
        let map = || reader.is_mark(behind, b'{') && is_map(reader, behind, end);
        match () {
            () if fresh && self.held.is_none() && list() => Values::List,
            () if fresh && map() => Values::Map,
            () if self.heads(reader) && self.held.is_none() && holds_items(reader, end) => {
                Values::Below
            }
            () => Values::One,
        }
    }

    /// Whether the key heads the lines below: `http:`
    fn heads(&self, reader: &Reader<'_, '_>) -> bool {
        let open = self.sign + 1 >= self.end || reader.is_mark(self.behind, b'#');
        self.colon && open && self.small
    }

    fn is_accepted(&self, reader: &Reader<'_, '_>, lines: &Lines, values: &Values) -> bool {
        let Self { at, end, .. } = *self;
        // `LEVEL=`
        let empty = || self.is_open() && self.tight && self.variable;
        let shaped = || !look(self.key).is_ordinary() || self.key.contains('-');
        let like = || is_deeper_or_like(reader, end) || self.follows;
        match self.value {
            _ if matches!(values, Values::List | Values::Map) => self.small,
            // A block's head, with deeper lines
            None if self.colon => {
                let below = matches!(values, Values::Below) && self.indented;
                self.heads(reader) && (is_deeper(reader, at, end) || below)
            }
            None => empty() || lines.sectioned && !self.is_open(),
            Some(_) if !self.colon || self.named => true,
            Some(_) => self.small && (shaped() || self.indented || like()),
        }
    }
}

/// How the values of a key are written.
enum Values {
    One,
    /// `[a, b]`
    List,
    /// `{ a = 1 }`
    Map,
    /// Items on the lines below.
    Below,
}

/// Whether a key that holds names of these kinds heads items which have more than a name: `columns:` of dbt.
fn heads_models(reader: &Reader<'_, '_>, held: Option<&[Kind]>, end: usize) -> bool {
    let first = reader.skip_space(end + 1) + 2;
    matches!(held, Some([Col | Field | Table, ..]))
        && holds_items(reader, end)
        && (reader.is(first, "name") || reader.is_scrubbed(first))
}

/// Whether the next line is an item of a list: `- one`.
fn holds_items(reader: &Reader<'_, '_>, end: usize) -> bool {
    let first = reader.skip_space(end + 1);
    reader.is_mark(first, b'-') && reader.is_space(first + 1)
}

/// Whether the bracket at `open` is closed where the line ends, and only simple values are between: what is
/// written without quotes may be a variable but in YAML.
fn is_list(reader: &Reader<'_, '_>, open: usize, end: usize, yaml: bool) -> bool {
    let close = list_end(reader, open, end, yaml);
    close.is_some_and(|close| reader.skip_space(close + 1) >= end)
}

/// Where a list of simple values ends, before `end`.
fn list_end(reader: &Reader<'_, '_>, open: usize, end: usize, yaml: bool) -> Option<usize> {
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
fn is_map(reader: &Reader<'_, '_>, open: usize, end: usize) -> bool {
    let code = |at: usize| reader.is_any(at, b"({};") || reader.is_scrubbed(at);
    end > open + 1 && reader.is_mark(end - 1, b'}') && !(open + 1..end - 1).any(code)
}

/// The settings between the braces of such a line.
fn members(reader: &mut Reader<'_, '_>, open: usize, end: usize) {
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
pub(super) fn variable(reader: &mut Reader<'_, '_>, at: usize) {
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
fn item_end(reader: &Reader<'_, '_>, at: usize) -> usize {
    let mut to = at;
    while reader.is_alphanumeric(to) {
        to += 1;
        if reader.is_any(to, b"-./:") && reader.is_alphanumeric(to + 1) {
            to += 1;
        }
    }
    to
}

/// The tokens of a value of several words: `Hello there friend`, `/usr/bin/x --flag y`; no code, and no sentence
/// with a comma.
fn phrase(reader: &Reader<'_, '_>, at: usize, end: usize) -> Option<(usize, usize)> {
    let (mut comma, mut said) = (false, false);
    for at in at..end {
        let joins = reader.is_any(at, b"-.,:/_=@!")
            && !(reader.is_space(at - 1) && reader.is_space(at + 1));
        if !(joins || reader.is_alphanumeric(at) || reader.is_space(at)) {
            return None;
        }
        comma |= reader.is_mark(at, b',');
        said |= reader.is_in(at, NOT_NAMES);
    }
    // `MODE=kiosk npm start`, `ENV A=1 B=2`, `x = not y`
    let mut starts = (at + 1..end).filter(|at| reader.is_space(*at - 1));
    let called = starts.any(|at| is_program(reader, at) || reader.is_mark(at + 1, b'='));
    if at >= end || comma && said || called || reader.is_in(at, LANGUAGE.or(NOT_CALLED)) {
        return None;
    }
    // `RETRIES=4 works well for most.`: what is set, and a sentence about it.
    let sentence = reader.is_mark(end - 1, b'.') && reader.look(at) != Look::Capital;
    let first = (at..end).find(|at| reader.is_space(*at));
    Some((at, first.filter(|_| sentence).unwrap_or(end)))
}

/// Whether the line that begins at `at` is a property without spaces, with one of these signs: `tide.alarm.level:loud`,
/// not `host.example:8080`.
fn is_property(reader: &Reader<'_, '_>, at: usize, signs: &[u8]) -> bool {
    let to = key_end(reader, at);
    let key = reader.text(at, to);
    reader.is_any(to, signs)
        && (reader.is_word(to + 1) || reader.is_mark(to, b'='))
        && key.contains('.')
        && is_small(key)
}

/// An item of a list of names: `- clerk`.
fn listed(reader: &mut Reader<'_, '_>, kinds: Option<&'static [Kind]>, at: usize, end: usize) {
    let (mut at, mut end) = (at, end);
    if reader.is_mark(at, b'{') {
        let key = reader.find(at, end, any_of!("name")).unwrap_or(end);
        at = reader.skip_space(key + 2);
        end = match prose::quotation(reader, at) {
            Some((_, to)) => to + 1,
            None => item_end(reader, at),
        };
    }
    if let Some(kinds) = kinds
        && let Some((from, to)) = value(reader, at, end)
    {
        push_item(reader, kinds, from, to);
    }
}

fn push_item(reader: &mut Reader<'_, '_>, kinds: &'static [Kind], from: usize, to: usize) {
    match *kinds == *VALUES {
        true => push_value(reader, None, from, to),
        false => reader.push_name_at(from, to, kinds, Rank::Definition),
    }
}

/// The names in `["clerk", "guest"]`, whose bracket is at `open`.
fn items(reader: &mut Reader<'_, '_>, open: usize, kinds: &'static [Kind]) {
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

/// Keys of a database's name.
const DATABASES: &Words = any_of!("DB MONGO_DB PGDATABASE POSTGRES_DB db dbname initdb");

/// What the value of a key is by the key's last word.
pub(super) fn key_kinds(key: &str) -> Option<&'static [Kind]> {
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
fn list_kinds(key: &str) -> Option<&'static [Kind]> {
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
fn pairs(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
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

fn key_end(reader: &Reader<'_, '_>, at: usize) -> usize {
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

/// The tokens of a simple value: one run without spaces, `10 MB`, or what is in quotes; then a comment at most.
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
    while to < end && !reader.is_space(to) {
        let code = reader.is_any(to, b"({[\"'<|&>$");
        if code || reader.is_scrubbed(to) {
            return None;
        }
        to += 1;
    }
    if to == at + 1 && reader.is_number(at) && reader.is_space(to) && is_unit(reader, to + 1) {
        to += 2;
    }
    if !rest_is_comment(to) {
        return None;
    }
    while to > at && reader.is_any(to - 1, b",;.") {
        to -= 1;
    }
    (to > at).then_some((at, to))
}

/// Whether the next line is indented more than the one that `at` is in.
fn is_deeper(reader: &Reader<'_, '_>, at: usize, end: usize) -> bool {
    let indent = |first: usize| match reader.is_space(first) {
        true => reader.word(first).len(),
        false => 0,
    };
    indent(end + 1) > indent(at.wrapping_sub(1))
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
fn push_version(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let version = (from..to).find(|at| reader.is_alphanumeric(*at));
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
    // The last word of each that is short.
    let heads = cells.iter().map(|(from, to)| {
        let short = to - from <= MOST_TOKENS && !reader.has_scrubbed(*from, *to);
        let last = (*from..*to).rfind(|at| reader.is_word(*at));
        last.filter(|_| short)
    });
    let any = |words| heads.clone().flatten().any(|head| reader.says(head, words));
    // "Name | In | Type | Default" lists parameters.
    let described = any(any_of!("Default In Required Type type"));
    let kinds = |head: Option<usize>| {
        let head = head?;
        let kinds: &[Kind] = match reader.word(head) {
            "Name" if described => &[Param, Field, Col, Var],
            "Type" | "type" => &[Dtype],
            "Default" => &[Value],
            "Method" | "Name" => return None,
            // `PRI`, `MUL` of MySQL
            "Key" if any(any_of!("Null")) => return None,
            _ => return prose::cue_kinds(reader, head),
        };
        Some(kinds)
    };
    lines.columns = heads.clone().map(kinds).collect();
}

/// A row of a table: its header says what its columns hold.
fn row(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    // MySQL rules its tables at the end, too.
    let rule =
        reader.is_mark(end + 1, b'|') || lines.columns.is_empty() && reader.is_mark(end + 1, b'+');
    if rule && reader.says(reader.skip_space(end + 2), any_of!("- : =")) {
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
            let word = reader.is_alphanumeric(first);
            // `dock-master`
            let last = key_end(reader, first).max(first + 1);
            let single = word && reader.skip_space(last) >= to;
            single.then_some((first, last))
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
        let simple = reader.is_number(at) || reader.says(at, any_of!("true false"));
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
    if opens && reader.has_scrubbed(from, to) {
        lines.objects.push((lines.depth, Member::Scrubbed));
    }
    if member == Some(Member::Scrubbed) || reader.has_scrubbed(from, to) {
        return;
    }
    // `+    "radash": "^12.1.0",` of a diff: only a package's version is a range.
    let ranged = |(at, _): &(usize, usize)| {
        reader.is_any(*at, b"^~") && reader.is_number(at + 1) && reader.word(at + 1).contains('.')
    };
    if let Some((at, end)) = value.filter(ranged) {
        reader.push_name_at(from, to, PACKAGE, Rank::Definition);
        return push_version(reader, at, end);
    }
    if opens && PACKAGES.has(key) {
        return lines.objects.push((lines.depth, Member::Keys(PACKAGE)));
    }
    let held = list_kinds(key);
    if let Some(kinds) = held.filter(|_| opens) {
        lines.objects.push((lines.depth, Member::Names(kinds)));
        items(reader, at, kinds);
    }
    // `"tags": ["x", "y"]`
    let reserved = is_reserved(key);
    let own = !reserved || VALUED.has(key);
    let many = reader.is_mark(at, b'[') && held.is_none() && own;
    if many && list_end(reader, at, reader.scan.tokens.len(), false).is_some() {
        items(reader, at, VALUES);
    }
    if key == "name"
        && let Some((from, to)) = value
        && let Some(kinds) = name_kinds(reader, member, to)
    {
        return reader.push_name_at(from, to, kinds, Rank::Definition);
    }
    if any_of!("items logicalType type values").has(key)
        && let Some((from, to)) = value
        && let Some(Member::Names(kinds)) = member
    {
        return match to > from + 1 && kinds.contains(&Col) {
            // `"logicalType": "timestamp-millis"`
            true => reader.push_here(from, to, &[Dtype], Rank::Definition),
            false => data_type(reader, Some(kinds), from),
        };
    }
    let single = key_end(reader, from) == to;
    if single && !reserved && lines.handed {
        reader.push_plain(from, to, &[Param, Config, Field], Rank::Structure);
    } else if single && !reserved {
        push_key(reader, from, to);
    }
    let valued = place_of(key).is_none_or(|place| place < SET);
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
    // A package's name is followed by its version, or by what else only manifests have.
    const NEXT: &Words =
        any_of!("dependencies devDependencies engines license private scripts version workspaces");
    let blank = |at: &usize| reader.is_any(*at, b"\n ,\"");
    let next = (end..end + 8).find(|at| !blank(at))?;
    reader.says(next, NEXT).then_some(PACKAGE)
}
