//! Names and all their forms: what a text is searched for.

use alloc::{string::String, vec, vec::Vec};

use super::{
    Why,
    hash::{self, Hash, Table},
    kinds::KindId,
    scanner::{Atom, BREAK, LOOSE, Scan, TokenKind, ends_word, fold, hash_of, is_word},
    words::{self, LANGUAGE, Words, any_of},
};
use crate::profile::Kind;

/// Index of a name in its lexicon.
pub(crate) type NameId = u32;

/// Most atoms of one form; a longer name is several.
const MOST_ATOMS: usize = 64;

/// How well the kind of a name is known. A better one replaces a worse one.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Rank {
    /// Nothing is known of it yet.
    Unknown,
    /// It is quoted.
    Guess,
    /// From the look of the token alone.
    Shape,
    /// From where it stands.
    Structure,
    /// From where it is defined: `class X`, a column of a CREATE TABLE.
    Definition,
    /// From the word before it in a claim.
    Claim,
    /// From a pattern of the caller's.
    Pattern,
    Glossary,
    Secret,
}

/// One identifier, whatever form it takes.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) kind: KindId,
    pub(crate) rank: Rank,
    pub(crate) why: Why,
    /// Whether it is a name wherever it occurs, not only where structure shows it.
    pub(crate) everywhere: bool,
    /// Marks that belong to it on either side: `--` of a flag, `/` of a path.
    lead: String,
    tail: String,
    /// Whether it was named in small letters; else `import` of a language is no form of `Import`.
    small: bool,
    /// Whether it was named in capitals; else `ORDER` of SQL is no form of `orders`.
    capitals: bool,
    /// Whether a claim names it, or a file with this stem.
    pub(crate) claimed: bool,
}

/// What is known of a name where it is found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Entry {
    pub(crate) kind: KindId,
    pub(crate) rank: Rank,
    pub(crate) why: Why,
    pub(crate) everywhere: bool,
}

impl Entry {
    /// All of it as one number.
    fn key(self) -> u64 {
        let parts = [
            self.kind.index(),
            self.rank as usize,
            self.why as usize,
            usize::from(self.everywhere),
        ];
        parts.iter().fold(1, |key, part| key << 8 | *part as u64)
    }
}

/// A stretch of a text that is a name's. Sorted by where it starts, then by where it ends. Texts have many,
/// so they are kept small.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Stretch {
    start: u32,
    end: u32,
    /// The name, and in the lowest bit whether it is what others left of a longer stretch.
    name: u32,
}

impl Stretch {
    /// Places of a scanned text: they fit.
    pub(crate) fn new(start: usize, end: usize, name: NameId) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
            name: name << 1,
        }
    }

    pub(crate) fn start(&self) -> usize {
        self.start as usize
    }

    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }

    pub(crate) fn length(&self) -> usize {
        self.end() - self.start()
    }

    pub(crate) fn name(&self) -> NameId {
        self.name >> 1
    }

    /// Whether it is what others left of a longer stretch.
    pub(crate) fn is_rest(&self) -> bool {
        self.name & 1 != 0
    }

    /// What others left of it.
    pub(crate) fn rest(self, start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
            name: self.name | 1,
        }
    }

    /// The same of a text that this one's begins `by` bytes into.
    pub(crate) fn moved_by(self, by: usize) -> Self {
        Self {
            start: self.start + by as u32,
            end: self.end + by as u32,
            ..self
        }
    }
}

/// All names of one scrub.
#[derive(Default)]
pub(crate) struct Lexicon {
    pub(crate) names: Vec<Name>,
    /// The hash of a form's atoms and joins: the name, and [`OWN`] and [`OWN_JOINED`] above it.
    forms: Table,
    /// The hash of a form's first atom: bit N-1 for a form of N atoms.
    lengths: Table,
    /// Bits of how forms begin, with their first atom and with their first two, so that most words of a
    /// text are passed over at once.
    filter: Vec<u64>,
    /// What is noted in the filter.
    beginnings: Vec<u64>,
    forms_of_one: Forms,
    /// The name from 1 of each piece of a text that was added, by the hash of how it is written and of
    /// what is known of it: a name is met again and again, and that it is one is said once. 0 where it
    /// is none.
    added: Table,
}

/// From how many names on it is remembered what was added: shorter texts meet few of them twice.
const LEAST_NAMES: usize = 128;

/// Set at a form with which a name was added as its own spelling, so that its other forms are there,
/// too: names are met again and again.
const OWN: u64 = 1 << 32;
/// As [`OWN`], of a spelling in one word: the form without humps is there, too.
const OWN_JOINED: u64 = 1 << 33;

/// Bits of the filter for each beginning in it.
const FILTER_RATIO: usize = 32;

impl Lexicon {
    /// The name that `surface` is a form of, new or known; `None` where it holds no letter or
    /// digit. Of a name longer than [`MOST_ATOMS`] each part is a name, too.
    pub(crate) fn add(&mut self, surface: &str, entry: Entry) -> Option<NameId> {
        let scan = Scan::new(surface);
        self.add_new(&scan, 0, scan.tokens.len(), entry)
    }

    /// As [`Self::add`], of the tokens from `from` up to `to`, which stand for themselves as they do
    /// in the text. Twice as the same changes nothing.
    pub(crate) fn add_tokens(
        &mut self,
        scan: &Scan<'_>,
        from: usize,
        to: usize,
        entry: Entry,
    ) -> Option<NameId> {
        let mut key = Hash(hash::exact(
            &scan.text.as_bytes()[scan.start(from)..scan.start(to)],
        ));
        key.mix(entry.key());
        if let Some(known) = self.added.get(key.0) {
            return (known as NameId).checked_sub(1);
        }
        let name = self.add_new(scan, from, to, entry);
        if self.names.len() >= LEAST_NAMES {
            *self.added.entry(key.0) = name.map_or(0, |name| u64::from(name) + 1);
        }
        name
    }

    fn add_new(&mut self, scan: &Scan<'_>, from: usize, to: usize, entry: Entry) -> Option<NameId> {
        let atoms = scan.atoms_of(from, to);
        let (first, last) = (atoms.first()?, atoms.last()?);
        // What stands before and behind the atoms.
        let between = |from: usize, to: usize| match from < to {
            true => &scan.text[from..to],
            false => "",
        };
        let lead = between(scan.start(from), first.start());
        let tail = between(last.end(), scan.start(to));
        if atoms.len() <= MOST_ATOMS {
            return Some(self.add_atoms(scan, atoms, (lead, tail), entry));
        }
        let id = self.name_of(&[own_key(scan, atoms)]);
        self.names[id as usize].merge(entry, ("", ""), false);
        if entry.everywhere {
            for part in atoms.chunks(MOST_ATOMS) {
                self.add_atoms(scan, part, ("", ""), entry);
            }
        }
        Some(id)
    }

    /// As [`Self::add`], but what holds no letter or digit is a name, too, which nothing else finds.
    pub(crate) fn add_found(&mut self, surface: &str, entry: Entry) -> NameId {
        self.add(surface, entry).unwrap_or_else(|| {
            let id = self.name_of(&[key_of_marks(surface)]);
            self.names[id as usize].merge(entry, ("", ""), false);
            id
        })
    }

    /// The name that `surface` is a form of, where there is one.
    pub(crate) fn find(&self, surface: &str) -> Option<NameId> {
        let scan = Scan::new(surface);
        self.form(match scan.atoms.as_slice() {
            [] => key_of_marks(surface),
            [one]
                if let Some(mark) =
                    own_mark(one, &surface[..one.start()], &surface[one.end()..]) =>
            {
                marked(one.hash(), mark)
            }
            atoms => own_key(&scan, atoms),
        })
    }

    /// The name of a form.
    fn form(&self, key: u64) -> Option<NameId> {
        self.forms.get(key).map(|form| form as NameId - 1)
    }

    /// The kind of what a word of this hash is a form of, where a claim names that.
    pub(crate) fn claimed(&self, word: u64) -> Option<KindId> {
        let name = &self.names[self.form(word)? as usize];
        name.claimed.then_some(name.kind)
    }

    fn add_atoms(
        &mut self,
        scan: &Scan<'_>,
        atoms: &[Atom],
        marks: (&str, &str),
        entry: Entry,
    ) -> NameId {
        let (first, last) = (&atoms[0], &atoms[atoms.len() - 1]);
        if let [one] = atoms
            && let Some(mark) = own_mark(one, marks.0, marks.1)
        {
            let id = self.name_of(&[marked(one.hash(), mark)]);
            let named = matches!(entry.why, Why::Claim | Why::Glossary);
            if named {
                self.note_form(&Beginning::of_one(first.hash()));
            }
            let entry = Entry {
                everywhere: named,
                ..entry
            };
            self.names[id as usize].merge(entry, marks, false);
            return id;
        }
        let text = &scan.text[first.start()..last.end()];
        let capitals = words::is_all_capitals(text);
        let one_word = atoms.len() == 1
            || atoms.iter().all(|atom| atom.token() == last.token())
                && scan.tokens[last.token()].kind == TokenKind::WORD;
        let spelling = own_key(scan, atoms);
        let known = self.forms.get(spelling).unwrap_or(0);
        let complete = if one_word { OWN_JOINED } else { OWN };
        let id = match known & complete {
            0 => self.add_forms(scan, atoms, one_word, entry.why),
            _ => known as NameId - 1,
        };
        self.names[id as usize].small |= text.starts_with(char::is_lowercase);
        self.names[id as usize].merge(entry, marks, capitals);
        id
    }

    fn add_forms(&mut self, scan: &Scan<'_>, atoms: &[Atom], one_word: bool, why: Why) -> NameId {
        let mut forms = core::mem::take(&mut self.forms_of_one);
        forms.collect(scan, atoms, one_word);
        if matches!(why, Why::Claim | Why::Glossary) {
            forms.collect_rarer(scan, atoms);
        }
        for beginning in &forms.beginnings {
            self.note_form(beginning);
        }
        let id = self.name_of(&forms.keys);
        let own = self.forms.entry(forms.keys[0]);
        *own |= if one_word { OWN | OWN_JOINED } else { OWN };
        self.forms_of_one = forms;
        id
    }

    /// Makes a word another form of a name, if it is none yet.
    pub(crate) fn add_alias(&mut self, name: NameId, word: &str) {
        let key = hash_of(word);
        if self.form(key).is_none() {
            *self.forms.entry(key) = u64::from(name) + 1;
            self.note_form(&Beginning::of_one(key));
        }
    }

    /// Notes that there is a form that begins so.
    fn note_form(&mut self, form: &Beginning) {
        *self.lengths.entry(form.first) |= 1 << (form.length - 1);
        self.note_beginning(form.first);
        if form.length > 1 {
            self.note_beginning(pair(form.first, form.second));
        }
    }

    /// The name with one of these keys, known or new. The first key is the name's own spelling.
    fn name_of(&mut self, keys: &[u64]) -> NameId {
        let known = keys.iter().find_map(|key| self.form(*key));
        let id = known.unwrap_or_else(|| {
            self.names.push(Name::default());
            self.names.len() as NameId - 1
        });
        for key in keys {
            let form = self.forms.entry(*key);
            if *form == 0 {
                *form = u64::from(id) + 1;
            }
        }
        id
    }

    fn note_beginning(&mut self, beginning: u64) {
        self.beginnings.push(beginning);
        if self.beginnings.len() * FILTER_RATIO > self.filter.len() * 64 {
            return self.grow_filter();
        }
        let bit = beginning as usize & (self.filter.len() * 64 - 1);
        self.filter[bit / 64] |= 1 << (bit % 64);
    }

    fn may_begin(&self, beginning: u64) -> bool {
        // Its length is a power of two.
        let bit = beginning as usize & (self.filter.len() * 64 - 1);
        let word = self.filter.get(bit / 64);
        word.is_some_and(|word| word & (1 << (bit % 64)) != 0)
    }

    fn grow_filter(&mut self) {
        let words = (self.filter.len() * 4).max(128);
        self.filter = vec![0; words];
        for beginning in &self.beginnings {
            let bit = *beginning as usize & (words * 64 - 1);
            self.filter[bit / 64] |= 1 << (bit % 64);
        }
    }

    /// Every form that stands in the text, overlapping ones too, by start: of names that are names
    /// wherever they occur, and of those that claims name.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(crate) fn hits(&self, scan: &Scan<'_>, sink: &mut dyn FnMut(Stretch)) {
        if self.filter.is_empty() {
            return;
        }
        let mut wholes = scan.wholes.as_slice();
        let mut next = 0;
        loop {
            // Most words are passed over here.
            let whole = wholes.first().map_or(usize::MAX, Atom::start);
            let mut rest = scan.atoms[next..].iter();
            let stop = |atom: &Atom| atom.start() >= whole || self.may_begin(atom.hash());
            let Some(passed) = rest.position(stop) else {
                break;
            };
            let at = next + passed;
            next = at + 1;
            let atom = &scan.atoms[at];
            // `UserId` where the name is `userid`.
            if let [whole, rest @ ..] = wholes
                && whole.start() <= atom.start()
            {
                wholes = rest;
                if self.may_begin(whole.hash())
                    && let Some(hit) = self.hit(scan, whole.hash(), whole, whole)
                {
                    sink(hit);
                }
            }
            let first = atom.hash();
            let Some(lengths) = self.lengths.get(first) else {
                continue;
            };
            if scan.text.as_bytes().get(atom.start().wrapping_sub(1)) == Some(&b'/')
                && let Some(mut hit) = self.hit(scan, marked(first, b'/'), atom, atom)
            {
                // The slash is a part of it, whatever stands before that elsewhere.
                hit.start = hit.start.min(atom.start() as u32 - 1);
                sink(hit);
            }
            let behind = &scan.text[atom.end()..];
            if behind.starts_with(['#', '+'])
                && let Some(mark) = own_mark(atom, "", behind)
                && let Some(hit) = self.hit(scan, marked(first, mark), atom, atom)
            {
                sink(hit);
            }
            let most = (u64::BITS - lengths.leading_zeros()) as usize;
            let mut hash = Hash(first);
            for length in 1..=most.min(scan.atoms.len() - at) {
                let last = &scan.atoms[at + length - 1];
                if length == 2 && !self.may_begin(pair(first, last.hash())) {
                    break;
                }
                if length > 1 {
                    let join = scan.join(&scan.atoms[at + length - 2], last);
                    if join == BREAK {
                        break;
                    }
                    hash.mix(join);
                    hash.mix(last.hash());
                }
                if lengths & (1 << (length - 1)) == 0 {
                    continue;
                }
                if let Some(hit) = self.hit(scan, hash.0, atom, last) {
                    sink(hit);
                }
            }
        }
    }

    /// The stretch from one atom to another, if that is a form of a name.
    fn hit(&self, scan: &Scan<'_>, key: u64, first: &Atom, last: &Atom) -> Option<Stretch> {
        let name = self.form(key)?;
        let known = &self.names[name as usize];
        if !known.everywhere && !known.claimed {
            return None;
        }
        // "isn't", "the clerk's", also where the word has been scrubbed.
        let letter = last.end() == first.start() + 1;
        let apostrophe = || scan.text[..first.start()].strip_suffix(['\'', '’']);
        let of_word = |char: char| char.is_alphabetic() || char == ']';
        if letter && apostrophe().is_some_and(|word| word.ends_with(of_word)) {
            return None;
        }
        let capital = scan.text.as_bytes()[first.start()].is_ascii_uppercase();
        if capital && !known.capitals && known.kind != Kind::Dtype.into() {
            let text = &scan.text[first.start()..last.end()];
            let quoted = |mark| {
                scan.text[..first.start()].ends_with(mark)
                    && scan.text[last.end()..].starts_with(mark)
            };
            let keyword = |word| words::is_all_capitals(word) && words::is_in(LANGUAGE, word);
            // `CREATE TABLE` is no call of `create_table`.
            let capitals = || !text.bytes().any(|byte| byte.is_ascii_lowercase());
            let keywords = || capitals() && text.split(' ').all(keyword);
            let language = keyword(text) || !known.claimed && keywords();
            if language && !quoted('`') && !quoted('"') {
                return None;
            }
        }
        if !capital && !known.small && is_in_role(scan, first, last) {
            return None;
        }
        let (start, end) = known.extend(scan, first, last);
        Some(Stretch::new(start, end, name))
    }

    /// Words that are a name and a number run together (`ubuntu1`, `user_id2`).
    pub(crate) fn numbered(&self, scan: &Scan<'_>) -> Vec<Stretch> {
        /// How many parts of such a name are looked at before its last.
        const MOST_BEFORE: usize = 4;
        let mut numbered = Vec::new();
        for at in &scan.with_digits {
            let at = *at as usize;
            let atoms = scan.atoms_of(at, at + 1);
            for (nth, atom) in atoms.iter().enumerate() {
                let text = &scan.text[atom.start()..atom.end()];
                let letters = text.trim_end_matches(|char: char| char.is_ascii_digit());
                if letters.len() < 2 || letters.len() == text.len() {
                    continue;
                }
                let ending = hash_of(letters);
                for first in nth.saturating_sub(MOST_BEFORE)..=nth {
                    if let Some(name) = self.form(key(scan, &atoms[first..nth], atom, ending)) {
                        numbered.push(Stretch::new(atoms[first].start(), atom.end(), name));
                    }
                }
            }
        }
        numbered
    }
}

impl Default for Name {
    /// A name of which nothing is known yet: whatever is merged with it stands.
    fn default() -> Self {
        Self {
            kind: Kind::Id.into(),
            rank: Rank::Unknown,
            why: Why::Shape,
            everywhere: false,
            lead: String::new(),
            tail: String::new(),
            small: false,
            capitals: false,
            claimed: false,
        }
    }
}

impl Name {
    fn merge(&mut self, entry: Entry, (lead, tail): (&str, &str), capitals: bool) {
        if self.rank == Rank::Unknown || precedence_of(entry.why) < precedence_of(self.why) {
            self.why = entry.why;
        }
        if entry.rank > self.rank {
            self.kind = entry.kind;
            self.rank = entry.rank;
        }
        self.everywhere |= entry.everywhere;
        self.capitals |= capitals;
        // White space and underscores are the scanner's business; other marks are the name's own.
        let own = |char: &char| !char.is_whitespace() && *char != '_';
        if self.lead.is_empty() && !lead.is_empty() {
            self.lead = lead.chars().filter(own).collect();
        }
        if self.tail.is_empty() && !tail.is_empty() {
            self.tail = tail.chars().filter(own).collect();
        }
    }

    /// The stretch from one atom to another with what belongs to it on either side.
    fn extend(&self, scan: &Scan<'_>, first: &Atom, last: &Atom) -> (usize, usize) {
        let (mut start, mut end) = (first.start(), last.end());
        let bytes = scan.text.as_bytes();
        // Most are whole tokens, which shows without them.
        let opened = start == 0 || ends_word(bytes, start - 1);
        if !(opened && ends_word(bytes, end)) {
            // What may begin with an escape's letter begins before its token.
            let head = scan.start(first.token()).min(start);
            let tail = scan.end(last.token());
            // `__proto__` whole, but `users` alone in `users_`-something.
            if bytes[head..start].iter().all(|byte| *byte == b'_') {
                start = head;
            }
            if !scan.text[end..tail]
                .chars()
                .any(|char| is_word(char) && char != '_')
            {
                end = tail;
            }
        }
        if !self.lead.is_empty() && scan.text[..start].ends_with(self.lead.as_str()) {
            start -= self.lead.len();
        }
        if !self.tail.is_empty() && scan.text[end..].starts_with(self.tail.as_str()) {
            end += self.tail.len();
        }
        (start, end)
    }
}

/// `import { run } from …`, `public enum Tide {`: whether a word is a keyword where code has one.
fn is_in_role(scan: &Scan<'_>, first: &Atom, last: &Atom) -> bool {
    const KEYWORDS: &Words = any_of!(
        "case class const default enum export import interface let match module package return static struct switch \
        trait type use var"
    );
    let opens = || {
        let before = scan.text[..first.start()].trim_end_matches([' ', '\t']);
        // `public` may have been scrubbed.
        before.is_empty()
            || before.ends_with(['\n', '{', ';', '}', '=', ']'])
            || ["export", "public"].iter().any(|word| {
                let rest = before.strip_suffix(word);
                rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
            })
    };
    KEYWORDS.has(&scan.text[first.start()..last.end()])
        && scan.text[last.end()..].starts_with(' ')
        && opens()
}

fn precedence_of(why: Why) -> usize {
    match why {
        Why::Secret => 0,
        Why::Glossary => 1,
        Why::Claim => 2,
        Why::Structure => 3,
        Why::Shape => 4,
    }
}

/// The mark without which one atom is something else: `/users` is a path, the word `users` is not; `C++` is not `C`.
fn own_mark(atom: &Atom, lead: &str, tail: &str) -> Option<u8> {
    let letter = atom.end() == atom.start() + 1;
    match tail.as_bytes() {
        _ if lead.contains('/') => Some(b'/'),
        [mark @ b'#', ..] | [mark @ b'+', b'+', ..] if letter => Some(*mark),
        _ => None,
    }
}

/// The key of one atom with its own mark.
fn marked(atom: u64, mark: u8) -> u64 {
    let mut key = Hash(atom);
    key.mix(BREAK);
    key.mix(u64::from(mark));
    key.0
}

/// How a form begins: its first two atoms, and how many it has.
struct Beginning {
    first: u64,
    second: u64,
    length: usize,
}

impl Beginning {
    fn of_one(atom: u64) -> Self {
        Self {
            first: atom,
            second: 0,
            length: 1,
        }
    }
}

/// The first two atoms of a form, whatever joins them.
fn pair(first: u64, second: u64) -> u64 {
    first ^ second.rotate_left(1)
}

/// Takes a word in two parts.
type Sink<'s> = &'s mut dyn FnMut(&str, &str);

/// The ways to write one name. The room is used again for the next.
#[derive(Default)]
struct Forms {
    /// The key of each, the name's own spelling first.
    keys: Vec<u64>,
    beginnings: Vec<Beginning>,
    /// The last atom's letters, and another number of them.
    last: String,
    other: String,
}

impl Forms {
    fn collect(&mut self, scan: &Scan<'_>, atoms: &[Atom], one_word: bool) {
        self.keys.clear();
        self.beginnings.clear();
        self.last.clear();
        let [head @ .., last] = atoms else {
            return;
        };
        push_folded(scan, last, &mut self.last);
        self.push_ending(scan, head, last, last.hash());
        if scan.tokens[last.token()].kind != TokenKind::NUMBER {
            self.push_numbers(scan, head, last, other_numbers);
        }
        // `accountid` for `accountId`, "email" for "e-mail": the same letters without what parts them.
        let lettered = atoms[0].end() == atoms[0].start() + 1;
        if !head.is_empty() && (one_word || lettered) {
            self.push_unhumped(scan, atoms, true);
            // `USERID_V2` for `userId_v2`.
            let apart = |pair: &&[Atom]| pair[0].end() < pair[1].start();
            let parts = atoms.windows(2).filter(apart).count() + 1;
            if parts > 1 && parts < atoms.len() {
                self.push_unhumped(scan, atoms, false);
            }
        }
    }

    /// Forms that only names of claims and of the glossary are looked for in: irregular plurals, and
    /// numbers with and without their groups of thousands.
    fn collect_rarer(&mut self, scan: &Scan<'_>, atoms: &[Atom]) {
        let [head @ .., last] = atoms else {
            return;
        };
        self.push_numbers(scan, head, last, irregular_numbers);
        let first = &atoms[0];
        for groups in other_groupings(&scan.text[first.start()..first.end()]) {
            let mut key = Hash(hash_of(&groups[0]));
            let start = key.0;
            for group in &groups[1..] {
                key.mix(LOOSE);
                key.mix(hash_of(group));
            }
            for (before, atom) in atoms.iter().zip(&atoms[1..]) {
                key.mix(scan.join(before, atom));
                key.mix(atom.hash());
            }
            let second = groups.get(1).map(|group| hash_of(group));
            let second = second.or(atoms.get(1).map(Atom::hash));
            let length = groups.len() + atoms.len() - 1;
            if length <= MOST_ATOMS {
                self.push(key.0, start, second.unwrap_or(0), length);
            }
        }
    }

    fn push(&mut self, key: u64, first: u64, second: u64, length: usize) {
        self.keys.push(key);
        self.beginnings.push(Beginning {
            first,
            second,
            length,
        });
    }

    /// The form with another last atom.
    fn push_ending(&mut self, scan: &Scan<'_>, head: &[Atom], last: &Atom, ending: u64) {
        let nth = |nth: usize| head.get(nth).map_or(ending, Atom::hash);
        let key = key(scan, head, last, ending);
        self.push(key, nth(0), nth(1), head.len() + 1);
    }

    /// The forms with the last atom in its other numbers, as `numbers` gives their two parts.
    fn push_numbers(
        &mut self,
        scan: &Scan<'_>,
        head: &[Atom],
        last: &Atom,
        numbers: fn(&str, Sink<'_>),
    ) {
        let mut other = core::mem::take(&mut self.other);
        let word = core::mem::take(&mut self.last);
        numbers(&word, &mut |stem, ending| {
            other.clear();
            other.push_str(stem);
            other.push_str(ending);
            // Nothing is one `https`, and no TL many TLS.
            let many = if other.len() < word.len() {
                &word
            } else {
                &other
            };
            if ONE.has(many.as_str()) {
                return;
            }
            self.push_ending(scan, head, last, hash_of(&other));
        });
        (self.other, self.last) = (other, word);
    }

    /// The form in which what underscores keep apart is one atom each, or all of it is one.
    fn push_unhumped(&mut self, scan: &Scan<'_>, atoms: &[Atom], whole: bool) {
        let mut part = core::mem::take(&mut self.other);
        let mut form: Option<(Hash, Beginning)> = None;
        part.clear();
        for (at, atom) in atoms.iter().enumerate() {
            push_folded(scan, atom, &mut part);
            let next = atoms.get(at + 1);
            if next.is_none_or(|next| !whole && atom.end() < next.start()) {
                let hash = hash_of(&part);
                part.clear();
                match &mut form {
                    None => form = Some((Hash(hash), Beginning::of_one(hash))),
                    Some((key, beginning)) => {
                        key.mix(LOOSE);
                        key.mix(hash);
                        if beginning.length == 1 {
                            beginning.second = hash;
                        }
                        beginning.length += 1;
                    }
                }
            }
        }
        self.other = part;
        if let Some((key, beginning)) = form {
            self.keys.push(key.0);
            self.beginnings.push(beginning);
        }
    }
}

/// Adds an atom's letters as names are compared.
fn push_folded(scan: &Scan<'_>, atom: &Atom, folded: &mut String) {
    let text = &scan.text[atom.start()..atom.end()];
    match text.is_ascii() {
        true => {
            let from = folded.len();
            folded.push_str(text);
            folded[from..].make_ascii_lowercase();
        }
        false => fold(text, &mut |char| folded.push(char)),
    }
}

/// `1000` and `1,000` for each other, and for both `1 000`, as atoms.
fn other_groupings(number: &str) -> Vec<Vec<String>> {
    const GROUP: usize = 3;
    if !number.starts_with(|char: char| char.is_ascii_digit()) {
        return Vec::new();
    }
    let (whole, fraction) = match number.find('.') {
        Some(point) => number.split_at(point),
        None => (number, ""),
    };
    let digits: String = whole.chars().filter(|char| *char != ',').collect();
    let numeric = digits.bytes().all(|byte| byte.is_ascii_digit());
    if !numeric || digits.len() <= GROUP || digits.starts_with('0') {
        return Vec::new();
    }
    let mut groups = Vec::new();
    let mut rest = digits.as_str();
    while !rest.is_empty() {
        let (group, tail) = rest.split_at((rest.len() - 1) % GROUP + 1);
        groups.push(String::from(group));
        rest = tail;
    }
    let other = match whole == digits {
        true => groups.join(","),
        false => digits,
    };
    if let Some(last) = groups.last_mut() {
        last.push_str(fraction);
    }
    vec![vec![other + fraction], groups]
}

/// The hash of a form whose last atom's is `ending`.
fn key(scan: &Scan<'_>, head: &[Atom], last: &Atom, ending: u64) -> u64 {
    let Some(first) = head.first() else {
        return ending;
    };
    let mut key = Hash(first.hash());
    let mut before = first;
    for atom in &head[1..] {
        key.mix(scan.join(before, atom));
        key.mix(atom.hash());
        before = atom;
    }
    key.mix(scan.join(before, last));
    key.mix(ending);
    key.0
}

/// The hash of a form as it is written.
fn own_key(scan: &Scan<'_>, atoms: &[Atom]) -> u64 {
    match atoms {
        [head @ .., last] => key(scan, head, last, last.hash()),
        [] => 0,
    }
}

/// The key of what has no atoms.
fn key_of_marks(surface: &str) -> u64 {
    let mut key = Hash(hash::of_bytes(surface.as_bytes()));
    key.mix(BREAK);
    key.0
}

/// Words whose `s` makes no plural.
const ONE: &Words = any_of!("aws cors css dns gps https js kms nfs os rds rss sms sqs tls");

/// Gives `sink` a word's plurals and singulars, whether it is one or many, each in two parts. Non-words
/// among them (`statuse`) match nothing and do no harm.
fn other_numbers(word: &str, sink: Sink<'_>) {
    if word.chars().nth(1).is_none() || word.ends_with(|char: char| char.is_ascii_digit()) {
        return;
    }
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => sink(stem, "ies"),
        _ if hisses(word) => sink(word, "es"),
        _ => sink(word, "s"),
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        sink(stem, "y");
    }
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 1);
    if let Some(stem) = stem.filter(|stem| !stem.ends_with(['s', 'u', 'i'])) {
        sink(stem, "");
        if let Some(stem) = stem.strip_suffix('e').filter(|stem| hisses(stem)) {
            sink(stem, "");
        }
    }
}

/// Whether a word's plural has an `e`.
fn hisses(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        [.., b's' | b'x' | b'z'] | [.., b'c' | b's', b'h']
    )
}

/// Endings of the one and of the many, of words whose plural is none of the regular ones.
#[rustfmt::skip]
static IRREGULAR: [(&str, &str); 45] = [
    ("alumnus", "alumni"), ("axis", "axes"), ("basis", "bases"), ("cactus", "cacti"), ("calf", "calves"), ("child", "children"),
    ("crisis", "crises"), ("criterion", "criteria"), ("curriculum", "curricula"), ("datum", "data"), ("ex", "ices"), ("focus", "foci"),
    ("foot", "feet"), ("goose", "geese"), ("half", "halves"), ("ix", "ices"), ("knife", "knives"), ("leaf", "leaves"), ("life", "lives"),
    ("loaf", "loaves"), ("locus", "loci"), ("man", "men"), ("medium", "media"), ("mouse", "mice"), ("nucleus", "nuclei"), ("o", "oes"),
    ("oasis", "oases"), ("person", "people"), ("phenomenon", "phenomena"), ("quantum", "quanta"), ("quiz", "quizzes"), ("radius", "radii"),
    ("schema", "schemata"), ("self", "selves"), ("shelf", "shelves"), ("spectrum", "spectra"), ("stimulus", "stimuli"),
    ("stratum", "strata"), ("thesis", "theses"), ("thief", "thieves"), ("tooth", "teeth"), ("u", "us"), ("i", "is"), ("wife", "wives"), ("ysis", "yses"),
];

/// Gives `sink` the irregular plurals and singulars of a word, each in two parts.
fn irregular_numbers(word: &str, sink: Sink<'_>) {
    let mut letters = word.bytes().rev();
    let Some(last) = letters.next() else {
        return;
    };
    let before = letters.next().unwrap_or_default();
    let mut rows = BY_LAST[usize::from(last % 32)] & BY_LAST_BUT_ONE[usize::from(before % 32)];
    while rows != 0 {
        let row = rows.trailing_zeros() as usize;
        rows &= rows - 1;
        let (one, many) = IRREGULAR[row / 2];
        let (from, to) = match row & 1 {
            0 => (one, many),
            _ => (many, one),
        };
        if let Some(stem) = word.strip_suffix(from) {
            sink(stem, to);
        }
    }
}

/// For each last letter the endings with it: bit 2N for the one and 2N+1 for the many of row N.
static BY_LAST: [u128; 32] = by_letter(1);
/// The same for each last letter but one; an ending of one letter may have any before it.
static BY_LAST_BUT_ONE: [u128; 32] = by_letter(2);

/// The endings of [`IRREGULAR`] by their letter that is the `nth` from behind.
const fn by_letter(nth: usize) -> [u128; 32] {
    let mut rows = [0; 32];
    let mut bit = 0;
    while bit < 2 * IRREGULAR.len() {
        let (one, many) = IRREGULAR[bit / 2];
        let ending = if bit % 2 == 0 { one } else { many }.as_bytes();
        let mut letter = 0;
        while letter < rows.len() {
            let fits = nth > ending.len() || ending[ending.len() - nth] as usize % 32 == letter;
            rows[letter] |= (fits as u128) << bit;
            letter += 1;
        }
        bit += 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use alloc::{string::String, vec, vec::Vec};

    use super::{irregular_numbers, other_groupings};

    fn numbers(word: &str) -> Vec<String> {
        let mut numbers = Vec::new();
        irregular_numbers(word, &mut |stem, ending| {
            numbers.push([stem, ending].concat())
        });
        numbers
    }

    #[test]
    fn plurals_are_found_both_ways() {
        for (one, many) in [
            ("person", "people"),
            ("grandchild", "grandchildren"),
            ("index", "indices"),
            ("matrix", "matrices"),
            ("datum", "data"),
            ("criterion", "criteria"),
            ("analysis", "analyses"),
            ("hero", "heroes"),
            ("menu", "menus"),
            ("taxi", "taxis"),
        ] {
            for (word, other) in [(one, many), (many, one)] {
                assert!(numbers(word).iter().any(|number| number == other), "{word}");
            }
        }
        assert!(numbers("table").is_empty());
    }

    #[test]
    fn thousands_are_grouped_and_not() {
        assert_eq!(other_groupings("1000"), [vec!["1,000"], vec!["1", "000"]]);
        assert_eq!(
            other_groupings("12,345,678.5"),
            [vec!["12345678.5"], vec!["12", "345", "678.5"]]
        );
        for number in ["999", "0800", "1.5", "abc"] {
            assert!(other_groupings(number).is_empty(), "{number}");
        }
    }
}
