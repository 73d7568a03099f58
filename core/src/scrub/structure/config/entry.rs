//! Settings, one to a line: `key = value`, `key: value`.

use super::{
    Head, Lines, List, VALUES,
    commands::{command, is_program},
    is_reserved, is_small,
    values::{
        data_type, is_list, is_map, item_end, items, key_end, key_kinds, list_kinds, members,
        push_item, push_key, push_value, push_version,
    },
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::{Look, look},
        structure::{
            Reader, code,
            grammar::is_unit,
            prose::{self, Rows, kinds_in},
        },
        words::{self, LANGUAGE, NOT_CALLED, NOT_NAMES, SMALL_TYPE, TYPE_WORDS, Words, any_of},
    },
};

/// Those of them whose values say something for people.
const TEXTS: &Words = any_of!(
    "DESCRIPTION Description INFO Info SUMMARY Summary TITLE Title description info summary title"
);

/// What a resource of this `kind` or `type` has for a name.
const RESOURCES: Rows = &[
    (
        any_of!("ClusterRole ClusterRoleBinding Role RoleBinding ServiceAccount"),
        &[Role],
    ),
    (any_of!("Secret"), &[Key]),
    (any_of!("apiKey"), &[Key, Param]),
];

/// `key = value`, `key: value`.
pub(super) fn entry(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) {
    // Most lines are prose.
    let spaced = reader.is_word(at) && reader.is_space(at + 1) && !reader.is_mark(at + 2, b'=');
    if spaced && lines.lists.is_empty() && !reader.scan.has_placeholders {
        return;
    }
    // What is in a list rests on its head.
    let listed = !lines.lists.is_empty();
    reader.widely(listed, |reader| {
        let Some(entry) = Entry::read(reader, lines, at, end) else {
            return;
        };
        entry.head(reader, lines);
        if !entry.name(reader, lines) && !entry.type_of(reader, lines) {
            entry.set(reader, lines);
        }
    });
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
    fn read(reader: &mut Reader<'_, 't>, lines: &mut Lines, at: usize, end: usize) -> Option<Self> {
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
        let of_format =
            is_reserved(self.key) || self.heads(reader) && heads_models(reader, self.held, end);
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
