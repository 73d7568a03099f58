//! Names and all their forms: what a text is searched for.

use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};

use super::{
    Why,
    scanner::{Atom, BREAK, Hash, Scan, TokenKind, fold, is_word},
    words::{self, LANGUAGE},
};
use crate::profile::Kind;

/// Index of a name in its lexicon.
pub(crate) type NameId = usize;

/// Most atoms of one form; a longer name is several.
const MOST_ATOMS: usize = 64;

/// How well the kind of a name is known. A better one replaces a worse one.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Rank {
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
    Glossary,
    Secret,
}

/// One identifier, whatever form it takes.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) kind: Kind,
    pub(crate) rank: Rank,
    pub(crate) why: Why,
    /// Whether it is a name wherever it occurs, not only where structure shows it.
    pub(crate) everywhere: bool,
    /// Marks that belong to it on either side: `--` of a flag, `/` of a path.
    lead: String,
    tail: String,
    /// Whether it was named in capitals; else `ORDER` of SQL is no form of `orders`.
    capitals: bool,
}

impl Name {
    pub(crate) fn new(kind: Kind, rank: Rank, why: Why, everywhere: bool) -> Self {
        Self {
            kind,
            rank,
            why,
            everywhere,
            lead: String::new(),
            tail: String::new(),
            capitals: false,
        }
    }
}

/// A form of a name, found in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) name: NameId,
}

/// All names of one scrub.
pub(crate) struct Lexicon {
    pub(crate) names: Vec<Name>,
    /// The hash of a form's atoms and joins.
    forms: BTreeMap<u64, NameId>,
    /// The hash of a form's first atom: bit N-1 for a form of N atoms.
    lengths: BTreeMap<u64, u64>,
    /// Bits of first atoms, so that most words of a text are passed over at once.
    filter: Vec<u64>,
}

const FILTER_BITS: u64 = 1 << 14;

impl Default for Lexicon {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            forms: BTreeMap::new(),
            lengths: BTreeMap::new(),
            filter: vec![0; (FILTER_BITS / 64) as usize],
        }
    }
}

impl Lexicon {
    /// The name that `surface` is a form of, new or known; `None` where it holds no letter or
    /// digit. Of a name longer than [`MOST_ATOMS`] each part is a name, too.
    pub(crate) fn add(&mut self, surface: &str, name: Name) -> Option<NameId> {
        let scan = Scan::new(surface);
        let atoms = scan.atoms.as_slice();
        if atoms.len() <= MOST_ATOMS {
            return self.add_atoms(&scan, atoms, name);
        }
        let id = self.identify(&[key(atoms, atoms.last()?.hash)], name.clone());
        if name.everywhere {
            for part in atoms.chunks(MOST_ATOMS) {
                self.add_atoms(&scan, part, name.clone());
            }
        }
        Some(id)
    }

    /// The name that `surface` is a form of, where there is one.
    pub(crate) fn find(&self, surface: &str) -> Option<NameId> {
        let scan = Scan::new(surface);
        let last = scan.atoms.last()?;
        self.forms.get(&key(&scan.atoms, last.hash)).copied()
    }

    fn add_atoms(&mut self, scan: &Scan<'_>, atoms: &[Atom], mut name: Name) -> Option<NameId> {
        let (first, last) = (atoms.first()?, atoms.last()?);
        // White space and underscores are the scanner's business; other marks are the name's own.
        let marks = |text: &str| -> String {
            let own = |char: &char| !char.is_whitespace() && *char != '_';
            text.chars().filter(own).collect()
        };
        if atoms.len() == scan.atoms.len() {
            name.lead = marks(&scan.text[..first.start]);
            name.tail = marks(&scan.text[last.end..]);
        }
        // `/users` shown by its shape is a path; the word `users` is something else.
        let own = matches!(name.why, Why::Shape | Why::Structure);
        if own && atoms.len() == 1 && name.lead.contains('/') {
            name.everywhere = false;
            let mut key = Hash(first.hash);
            key.mix(BREAK);
            return Some(self.identify(&[key.0], name));
        }
        name.capitals = words::is_all_capitals(&scan.text[first.start..last.end]);
        let forms = forms(scan, atoms);
        let keys: Vec<u64> = forms.iter().map(|form| form.key).collect();
        for form in &forms {
            *self.lengths.entry(form.first).or_default() |= 1 << (form.length - 1);
            let bit = form.first % FILTER_BITS;
            self.filter[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        Some(self.identify(&keys, name))
    }

    /// The name with one of these keys, known or new. The first key is the name's own spelling.
    fn identify(&mut self, keys: &[u64], name: Name) -> NameId {
        let known = keys.iter().find_map(|key| self.forms.get(key).copied());
        let id = match known {
            Some(id) => {
                self.names[id].merge(name);
                id
            }
            None => {
                self.names.push(name);
                self.names.len() - 1
            }
        };
        for key in keys {
            self.forms.entry(*key).or_insert(id);
        }
        id
    }

    /// Every form that stands in the text, overlapping ones too, by start.
    pub(crate) fn hits(&self, scan: &Scan<'_>, mut sink: impl FnMut(Hit)) {
        if self.names.is_empty() {
            return;
        }
        for at in 0..scan.atoms.len() {
            let first = scan.atoms[at].hash;
            let bit = first % FILTER_BITS;
            if self.filter[(bit / 64) as usize] & (1 << (bit % 64)) == 0 {
                continue;
            }
            let Some(lengths) = self.lengths.get(&first) else {
                continue;
            };
            let most = (u64::BITS - lengths.leading_zeros()) as usize;
            let mut hash = Hash(first);
            for length in 1..=most.min(scan.atoms.len() - at) {
                let last = &scan.atoms[at + length - 1];
                if length > 1 {
                    if last.join == BREAK {
                        break;
                    }
                    hash.mix(last.join);
                    hash.mix(last.hash);
                }
                if lengths & (1 << (length - 1)) == 0 {
                    continue;
                }
                if let Some(name) = self.forms.get(&hash.0) {
                    let text = &scan.text[scan.atoms[at].start..last.end];
                    let keyword = words::is_all_capitals(text) && words::is_in(LANGUAGE, text);
                    if keyword && !self.names[*name].capitals {
                        continue;
                    }
                    let (start, end) = self.extend(scan, &scan.atoms[at], last, *name);
                    sink(Hit {
                        start,
                        end,
                        name: *name,
                    });
                }
            }
        }
    }

    /// Words that are a name and a number run together (`ubuntu1`): where they stand, and the name.
    pub(crate) fn numbered(&self, scan: &Scan<'_>) -> impl Iterator<Item = (usize, usize, NameId)> {
        scan.atoms.iter().filter_map(|atom| {
            let text = &scan.text[atom.start..atom.end];
            let letters = text.trim_end_matches(|char: char| char.is_ascii_digit());
            if letters.len() == text.len() || letters.len() < 2 {
                return None;
            }
            let mut hash = Hash::default();
            fold(letters, |char| hash.add(char));
            let name = self.forms.get(&hash.0)?;
            Some((atom.start, atom.end, *name))
        })
    }

    /// The stretch from one atom to another with what belongs to it on either side.
    fn extend(&self, scan: &Scan<'_>, first: &Atom, last: &Atom, name: NameId) -> (usize, usize) {
        let (head, tail) = (&scan.tokens[first.token], &scan.tokens[last.token]);
        let underscores = |text: &str| text.bytes().all(|byte| byte == b'_');
        let mut start = first.start;
        let mut end = last.end;
        // `__proto__` whole, but `users` alone in `users_`-something.
        if underscores(&scan.text[head.start..start]) {
            start = head.start;
        }
        if !scan.text[end..tail.end]
            .chars()
            .any(|char| is_word(char) && char != '_')
        {
            end = tail.end;
        }
        let name = &self.names[name];
        if scan.text[..start].ends_with(name.lead.as_str()) {
            start -= name.lead.len();
        }
        if scan.text[end..].starts_with(name.tail.as_str()) {
            end += name.tail.len();
        }
        (start, end)
    }
}

impl Name {
    fn merge(&mut self, other: Self) {
        if other.rank > self.rank {
            self.kind = other.kind;
            self.rank = other.rank;
        }
        if precedence_of(other.why) < precedence_of(self.why) {
            self.why = other.why;
        }
        self.everywhere |= other.everywhere;
        self.capitals |= other.capitals;
        if self.lead.is_empty() {
            self.lead = other.lead;
        }
        if self.tail.is_empty() {
            self.tail = other.tail;
        }
    }
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

/// One way to write a name.
struct Form {
    key: u64,
    first: u64,
    length: usize,
}

fn forms(scan: &Scan<'_>, atoms: &[Atom]) -> Vec<Form> {
    let Some(last) = atoms.last() else {
        return Vec::new();
    };
    let text = |atom: &Atom| {
        let mut folded = String::new();
        fold(&scan.text[atom.start..atom.end], |char| folded.push(char));
        folded
    };
    let number = scan.tokens[last.token].kind == TokenKind::Number;
    let others = if number {
        Vec::new()
    } else {
        other_numbers(&text(last))
    };
    let own = atoms.last().map(|atom| atom.hash);
    let mut result: Vec<Form> = own
        .into_iter()
        .chain(others.iter().map(|word| hash_of(word)))
        .map(|ending| Form {
            key: key(atoms, ending),
            first: if atoms.len() == 1 {
                ending
            } else {
                atoms[0].hash
            },
            length: atoms.len(),
        })
        .collect();
    // `accountid` for `accountId`: the same letters without their humps.
    let one_word = atoms
        .iter()
        .all(|atom| atom.token == last.token && scan.tokens[atom.token].kind == TokenKind::Word);
    if atoms.len() > 1 && one_word {
        let joined: String = atoms.iter().map(text).collect();
        let hash = hash_of(&joined);
        result.push(Form {
            key: hash,
            first: hash,
            length: 1,
        });
    }
    result
}

/// The hash of a form whose last atom's is `ending`.
fn key(atoms: &[Atom], ending: u64) -> u64 {
    let last = atoms.len() - 1;
    let hash = |at: usize| if at == last { ending } else { atoms[at].hash };
    let mut key = Hash(hash(0));
    for (at, atom) in atoms.iter().enumerate().skip(1) {
        key.mix(atom.join);
        key.mix(hash(at));
    }
    key.0
}

pub(crate) fn hash_of(folded: &str) -> u64 {
    let mut hash = Hash::default();
    folded.chars().for_each(|char| hash.add(char));
    hash.0
}

/// A word's plurals and singulars, whether it is one or many. Non-words among them (`statuse`)
/// match nothing and do no harm.
fn other_numbers(word: &str) -> Vec<String> {
    const HISSING: [&str; 5] = ["s", "x", "z", "ch", "sh"];
    let hisses = |word: &str| HISSING.iter().any(|end| word.ends_with(end));
    let mut others = Vec::new();
    if word.chars().nth(1).is_none() || word.ends_with(|char: char| char.is_ascii_digit()) {
        return others;
    }
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => {
            others.push([stem, "ies"].concat());
        }
        _ if hisses(word) => others.push([word, "es"].concat()),
        _ => others.push([word, "s"].concat()),
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        others.push([stem, "y"].concat());
    }
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 1);
    if let Some(stem) = stem.filter(|stem| !stem.ends_with(['s', 'u', 'i'])) {
        others.push(stem.into());
        others.extend(
            stem.strip_suffix('e')
                .filter(|stem| hisses(stem))
                .map(Into::into),
        );
    }
    others
}
