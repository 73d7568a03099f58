//! The words that say what the name beside them is, and what they say.

use super::has_capital;
use crate::{
    profile::Kind::{self, *},
    scrub::{
        hash,
        structure::Reader,
        words::{
            self, ATTACK, COMMON, CUE, DETERMINER, List, MONTH, NOT_NAMES, TITLE, VALUE_CUE, VERB,
            WEAKNESS, Words, any_of,
        },
    },
};
use Names::{After, Any, Before, Number, Shaped};

/// What a word says of the name beside it.
#[derive(Clone, Copy)]
pub(super) struct Cue {
    pub(super) kinds: &'static [Kind],
    /// What a claim may name with it.
    pub(super) names: Names,
}

/// Which words a cue in a claim makes a name.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Names {
    /// Any word after it, or else before it: "table users", "the users table".
    Any,
    /// Any word after it.
    After,
    /// Any word before it, where the profile has a kind for it, and what looks like an identifier after it.
    Before,
    /// Numbers and versions after it.
    Number,
    /// Only what looks like an identifier, after it: the word is too common otherwise.
    Shaped,
}

/// Plurals are found by their singular.
#[rustfmt::skip]
const CUES: [(&str, Cue); 75] = [
    ("account", Cue { kinds: &[Role], names: Shaped }),
    ("algorithm", Cue { kinds: &[Algo], names: After }),
    ("argument", Cue { kinds: &[Param, Var], names: Any }),
    ("attribute", Cue { kinds: &[Field, Col, Var], names: Shaped }),
    ("bucket", Cue { kinds: &[Id], names: After }),
    ("cipher", Cue { kinds: &[Algo], names: After }),
    ("class", Cue { kinds: &[Class, Type], names: Any }),
    ("column", Cue { kinds: &[Col, Field], names: Any }),
    ("command", Cue { kinds: &[Cmd], names: Before }),
    ("constant", Cue { kinds: &[Var], names: After }),
    ("constraint", Cue { kinds: &[Constraint], names: Any }),
    ("crate", Cue { kinds: &[Pkg, Module], names: Any }),
    ("database", Cue { kinds: &[Db], names: Any }),
    ("decorator", Cue { kinds: &[Func, Class, Id], names: Any }),
    ("default", Cue { kinds: &[Value], names: Number }),
    ("dependency", Cue { kinds: &[Pkg, Module], names: Shaped }),
    ("directive", Cue { kinds: &[Config], names: Any }),
    ("endpoint", Cue { kinds: &[Endpoint], names: Before }),
    ("enum", Cue { kinds: &[Type, Class], names: Any }),
    ("exception", Cue { kinds: &[Class, Type], names: Shaped }),
    ("field", Cue { kinds: &[Field, Col, Var], names: Any }),
    ("file", Cue { kinds: &[Path], names: Shaped }),
    ("flag", Cue { kinds: &[Param, Config], names: Any }),
    ("function", Cue { kinds: &[Func, Method], names: Any }),
    ("group", Cue { kinds: &[Role], names: Before }),
    ("header", Cue { kinds: &[Param], names: Before }),
    ("host", Cue { kinds: &[Id], names: Shaped }),
    ("index", Cue { kinds: &[Index], names: Shaped }),
    ("interface", Cue { kinds: &[Type, Class], names: After }),
    ("key", Cue { kinds: &[Key, Config], names: Shaped }),
    ("library", Cue { kinds: &[Pkg, Module], names: Shaped }),
    ("line", Cue { kinds: &[Line, Num], names: Number }),
    ("macro", Cue { kinds: &[Func], names: Shaped }),
    ("maximum", Cue { kinds: &[Value], names: Number }),
    ("method", Cue { kinds: &[Method, Func], names: Any }),
    ("minimum", Cue { kinds: &[Value], names: Number }),
    ("model", Cue { kinds: &[Class, Table], names: After }),
    ("module", Cue { kinds: &[Module, Pkg], names: Any }),
    ("namespace", Cue { kinds: &[Module, Schema], names: After }),
    ("option", Cue { kinds: &[Config, Param], names: Any }),
    ("package", Cue { kinds: &[Pkg, Module], names: Any }),
    ("param", Cue { kinds: &[Param, Var], names: Any }),
    ("parameter", Cue { kinds: &[Param, Var], names: Any }),
    ("permission", Cue { kinds: &[Perm], names: Any }),
    ("port", Cue { kinds: &[Value, Num], names: Number }),
    ("privilege", Cue { kinds: &[Perm], names: Any }),
    ("procedure", Cue { kinds: &[Func], names: Shaped }),
    ("property", Cue { kinds: &[Field, Var, Config], names: After }),
    ("relation", Cue { kinds: &[Table], names: Shaped }),
    ("release", Cue { kinds: &[Version, Num], names: Number }),
    ("role", Cue { kinds: &[Role], names: Any }),
    ("route", Cue { kinds: &[Endpoint], names: Shaped }),
    ("schema", Cue { kinds: &[Schema], names: Any }),
    ("scope", Cue { kinds: &[Perm], names: Any }),
    ("secret", Cue { kinds: &[Key], names: Shaped }),
    ("section", Cue { kinds: &[Config], names: Any }),
    ("setting", Cue { kinds: &[Config], names: Any }),
    ("struct", Cue { kinds: &[Class, Type], names: Any }),
    ("subcommand", Cue { kinds: &[Cmd], names: Any }),
    ("switch", Cue { kinds: &[Param, Config], names: Shaped }),
    ("table", Cue { kinds: &[Table], names: Any }),
    ("token", Cue { kinds: &[Key], names: Shaped }),
    ("trait", Cue { kinds: &[Type, Class], names: Any }),
    ("trigger", Cue { kinds: &[Func], names: Shaped }),
    ("type", Cue { kinds: &[Type, Class, Dtype], names: After }),
    ("user", Cue { kinds: &[Role], names: Shaped }),
    ("utility", Cue { kinds: &[Cmd], names: Shaped }),
    ("value", Cue { kinds: &[Value], names: After }),
    ("var", Cue { kinds: &[Var, Config], names: Shaped }),
    ("variable", Cue { kinds: &[Var, Config], names: Any }),
    ("vector", Cue { kinds: &[Attack], names: Shaped }),
    ("version", Cue { kinds: &[Version, Num], names: Number }),
    ("view", Cue { kinds: &[Table], names: Shaped }),
    ("vulnerability", Cue { kinds: &[Vuln], names: Shaped }),
    ("weakness", Cue { kinds: &[Vuln], names: Shaped }),
];

/// What they announce.
static MEANINGS: [Cue; CUES.len()] = {
    let mut cues = [CUES[0].1; CUES.len()];
    let mut at = 0;
    while at < CUES.len() {
        cues[at] = CUES[at].1;
        at += 1;
    }
    cues
};

/// The words of [`CUES`].
pub(in crate::scrub) static CUE_WORDS: [&str; CUES.len()] = {
    let mut words = [""; CUES.len()];
    let mut at = 0;
    while at < CUES.len() {
        words[at] = CUES[at].0;
        at += 1;
    }
    words
};

/// What a cue word (or its plural) at `at` announces.
pub(in crate::scrub::structure) fn cue_kinds(
    reader: &Reader<'_, '_>,
    at: usize,
) -> Option<&'static [Kind]> {
    find_cue(reader, at).map(|(cue, _)| cue.kinds)
}

/// What the noun at `at` for a thing that has a name announces, where it is in the singular.
pub(in crate::scrub::structure) fn title_kinds(
    reader: &Reader<'_, '_>,
    at: usize,
) -> Option<&'static [Kind]> {
    match find_cue(reader, at) {
        Some((cue, many)) => {
            (!many && cue.names != Number && cue.kinds != [Value]).then_some(cue.kinds)
        }
        None => reader.is_in(at, TITLE).then_some(&[Id]),
    }
}

/// Whether the cue at `at` makes any word before it a name.
pub(in crate::scrub::structure) fn names_any(reader: &Reader<'_, '_>, at: usize) -> bool {
    find_cue(reader, at).is_some_and(|(cue, _)| cue.names == Any)
}

/// Whether the cue at `at`, with a capital, is no part of a name: "Class Mill and Method sift", not "User Service".
pub(in crate::scrub::structure) fn only_announces(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    // "Acme Class", though not behind what opens a sentence. In German any noun has a capital.
    let before = reader.left(at);
    let beside = reader.is_word(before)
        && (!reader.is_in(before, COMMON.or(NOT_NAMES).or(DETERMINER).or(VERB))
            || before + 1 < at && has_capital(reader, before) && !reader.opens_sentence(before));
    let named = next > at + 1
        && !reader.is_in(next, NOT_NAMES.or(VERB).or(CUE))
        && (reader.is_word(next) || reader.is_any(next, b"`\""));
    let cue = find_cue(reader, at);
    let title = reader.is_in(at, TITLE);
    // "The Entity class Voucher"
    let sort = (title || cue.is_some())
        && reader.is_in(next, CUE)
        && has_capital(reader, reader.skip_space(next + 1));
    let capital = has_capital(reader, next);
    let one = |(cue, many): (&Cue, bool)| !many && (cue.announces() || !capital);
    // "Entity Voucher", not "Event Store"
    let stored = any_of!(
        "Actor Contract Delegate Entity Extension Mixin Protocol Record Resource Template Typealias"
    );
    let titled = title && (!capital || reader.says(at, stored));
    !beside && (sort || named && (titled || cue.is_some_and(one)))
}

/// What a cue word announces, and whether it is in the plural.
pub(in crate::scrub::structure) fn kinds_of(word: &str) -> Option<(&'static [Kind], bool)> {
    let cue = words::is_in(CUE, word).then(|| look_up(word))?;
    cue.map(|(cue, many)| (cue.kinds, many))
}

/// Words, and what each of them says that a name is.
pub(in crate::scrub::structure) type Rows = &'static [(&'static Words, &'static [Kind])];

/// What the row with this word says.
#[inline(never)]
pub(in crate::scrub::structure) fn kinds_in(rows: Rows, word: &str) -> Option<&'static [Kind]> {
    let row = rows.iter().find(|(words, _)| words.has(word));
    row.map(|(_, kinds)| *kinds)
}

/// The cue at `at`, and whether it is in the plural.
pub(super) fn find_cue(reader: &Reader<'_, '_>, at: usize) -> Option<(&'static Cue, bool)> {
    match reader.is_in(at, CUE) {
        true => look_up(reader.word(at)),
        false => None,
    }
}

fn look_up(word: &str) -> Option<(&'static Cue, bool)> {
    let word = word.as_bytes();
    if let Some(cue) = cue_of(hash::of_bytes(word)) {
        return Some((cue, false));
    }
    // "tables", "classes", "properties"
    let [one @ .., b's' | b'S'] = word else {
        return None;
    };
    let mut cue = cue_of(hash::of_bytes(one));
    if let [short @ .., b'e' | b'E'] = one {
        cue = cue.or_else(|| cue_of(hash::of_bytes(short)));
        if let [stem @ .., b'i' | b'I'] = short {
            cue = cue.or_else(|| cue_of(hash::of_bytes(&[stem, b"y"].concat())));
        }
    }
    Some((cue?, true))
}

/// The cue whose word has this hash.
#[inline(never)]
fn cue_of(hash: u64) -> Option<&'static Cue> {
    let mut slot = slot_of(hash);
    loop {
        let at = usize::from(SLOTS[slot]).checked_sub(1)?;
        if HASHES[at] == hash as u32 {
            return Some(&MEANINGS[at]);
        }
        slot = (slot + 1) % SLOTS.len();
    }
}

/// The place of each cue from 1, by the hash of its word; 0 where the slot is free.
static SLOTS: [u8; 256] = {
    let mut slots = [0; 256];
    let mut at = 0;
    while at < CUES.len() {
        let mut slot = slot_of(hash::of_bytes(CUES[at].0.as_bytes()));
        while slots[slot] != 0 {
            slot = (slot + 1) % slots.len();
        }
        at += 1;
        slots[slot] = at as u8;
    }
    slots
};

const fn slot_of(hash: u64) -> usize {
    (hash >> 32) as usize % 256
}

/// What tells the word of each cue from others.
static HASHES: [u32; CUES.len()] = {
    let mut hashes = [0; CUES.len()];
    let mut at = 0;
    while at < CUES.len() {
        hashes[at] = hash::of_bytes(CUES[at].0.as_bytes()) as u32;
        at += 1;
    }
    hashes
};

/// The lists of the words that [`cue`] looks at.
pub(in crate::scrub::structure) const CUED: List =
    CUE.or(VALUE_CUE).or(MONTH).or(ATTACK).or(WEAKNESS);

#[cfg(test)]
mod tests {
    use super::{CUES, MEANINGS, look_up};
    use crate::scrub::words::tests::plural_of;

    #[test]
    fn cues_are_found_in_the_singular_and_the_plural() {
        for (at, (word, _)) in CUES.iter().enumerate() {
            let found = |word: &str| {
                let cue = look_up(word);
                cue.map(|(cue, many)| (core::ptr::eq(cue, &MEANINGS[at]), many))
            };
            assert_eq!(found(&word.to_uppercase()), Some((true, false)));
            assert_eq!(found(&plural_of(word)), Some((true, true)));
        }
        for (many, one) in [
            ("tables", "table"),
            ("CLASSES", "class"),
            ("indexes", "index"),
            ("Properties", "property"),
            ("databases", "database"),
        ] {
            let found = look_up(many).map(|(cue, many)| (cue.kinds, many));
            let cue = look_up(one).map(|(cue, _)| (cue.kinds, true));
            assert_eq!(found, cue, "{many}");
        }
        assert!(look_up("").is_none() && look_up("s").is_none() && look_up("tabless").is_none());
    }
}
