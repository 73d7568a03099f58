//! The words that the judge knows: all of them general, none of one domain.

use alloc::{collections::BTreeMap, vec::Vec};

/// What a word contributes to a claim.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Role {
    /// Nothing.
    Stop,
    /// It turns the next content word round.
    Negation,
    /// A noun before or after which a name stands ("column email", "the orders table").
    Class,
    /// A noun or verb that many true sentences add to what their evidence says.
    Generic,
    /// It carries meaning.
    Content,
}

/// Words that join others.
const STOP: &str = "a an the this that these those it its their his her our your they we you he she \
    is are was were be been being am do does did has have had having will would shall should can could may might must \
    of in on at to for by with from into onto over under per as and or nor but if then than so such when while where which who whose whom \
    there here also too very only just both each every all any some other another same own out up down off again more less \
    about after before during between through via because until using use used uses one time longer new s t what how";

/// Words of negation; those that end in "n't" count too.
const NEGATION: &str = "not no never cannot without neither none";

/// Class nouns.
const CLASS: &str = "column field table parameter role function method class module package file header flag option \
    setting variable index endpoint command library crate plugin queue topic bucket event property attribute \
    schema type database branch tag key container host";

/// Generic nouns and verbs.
const GENERIC: &str = "contain contains hold data value version release status code project name named call called score \
    length size number amount level factor rate attempt item entry part result kind way case user-defined define defined set \
    support provide let make give take happen exist available listen store save read-in return respond allow \
    apply become get work run need require depend default stand show say mean state field unit system point since";

/// Words that say the same; one after `!` says the opposite of its row.
const SAME: &[&str] = &[
    "enable enabled true on activate active !disable !disabled !false !deactivate !inactive",
    "add introduce !remove !removed",
    "require mandatory need must !optional",
    "minimum min least !maximum !max !most",
    "include contain !exclude",
    "allow permit grant !deny !forbid !prohibit !disallow",
    "public !private",
    "increase raise-up !decrease",
    "fix patch resolve correct",
    "respond response answer reply return",
    "expire expiry ttl lifetime valid validity",
    "replace instead supersede",
    "throw raise",
    "development dev",
    "production prod",
    "environment environ env",
    "configuration config conf cfg",
    "parameter param argument arg",
    "directory dir folder",
    "page pagination paginate paging",
    "password passwd pwd",
    "repository repo",
    "message msg",
    "address addr",
    "begin start launch",
    "end finish terminate",
    "login signin logon",
    "send emit dispatch publish",
    "reference references refer",
    "delete erase",
    "create creation",
    "connect connection conn",
    "identifier id",
    "database db",
    "execute execution exec",
    "authenticate authentication auth",
    "authorise authorize authorization authorisation",
];

/// Words that are values of one closed list: in the same slot they exclude each other. Those that are
/// also ordinary words count in capitals only.
const LISTS: &[&str] = &[
    "char varchar TEXT integer int bigint smallint decimal numeric boolean bool FLOAT DOUBLE REAL DATE timestamp \
     timestamptz JSON jsonb uuid serial bigserial BLOB bytea",
    "GET POST PUT PATCH DELETE HEAD OPTIONS",
];

/// Units: words, dimension, how many of the base unit.
const UNITS: &[(&str, Dimension, f64)] = &[
    ("ns nanosecond nanoseconds", Dimension::Time, 1e-9),
    ("us microsecond microseconds", Dimension::Time, 1e-6),
    ("ms millis millisecond milliseconds", Dimension::Time, 0.001),
    ("s sec secs second seconds", Dimension::Time, 1.0),
    ("min mins minute minutes", Dimension::Time, 60.0),
    ("h hr hrs hour hours", Dimension::Time, 3600.0),
    ("d day days", Dimension::Time, 86_400.0),
    ("week weeks", Dimension::Time, 604_800.0),
    ("month months", Dimension::Months, 1.0),
    ("year years", Dimension::Months, 12.0),
    ("byte bytes", Dimension::Bytes, 1.0),
    ("kb kib kilobyte kilobytes", Dimension::Bytes, 1024.0),
    ("mb mib megabyte megabytes", Dimension::Bytes, 1_048_576.0),
    (
        "gb gib gigabyte gigabytes",
        Dimension::Bytes,
        1_073_741_824.0,
    ),
    (
        "tb tib terabyte terabytes",
        Dimension::Bytes,
        1_099_511_627_776.0,
    ),
    ("% percent", Dimension::Percent, 1.0),
    ("$ usd dollar dollars", Dimension::Dollars, 1.0),
    ("€ eur euro euros", Dimension::Euros, 1.0),
];

/// Numbers written as words.
const NUMERALS: &str = "zero _ two three four five six seven eight nine ten eleven twelve";

/// What a number counts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Dimension {
    Bytes,
    Dollars,
    Euros,
    Months,
    Percent,
    Time,
}

/// The tables by stem, built once for a judging.
pub(super) struct Lexicon {
    roles: BTreeMap<&'static str, Role>,
    same: BTreeMap<&'static str, (&'static str, bool)>,
    lists: BTreeMap<&'static str, u8>,
    units: BTreeMap<&'static str, (Dimension, f64)>,
    numerals: Vec<&'static str>,
}

impl Lexicon {
    pub(super) fn new() -> Self {
        let mut roles = BTreeMap::new();
        for (words, role) in [
            (GENERIC, Role::Generic),
            (CLASS, Role::Class),
            (STOP, Role::Stop),
            (NEGATION, Role::Negation),
        ] {
            for word in words.split_whitespace() {
                // A function word is known by its letters, so that "user" is not taken for "use".
                let by_stem = matches!(role, Role::Generic | Role::Class);
                roles.insert(if by_stem { stem(word) } else { word }, role);
            }
        }
        let mut same = BTreeMap::new();
        for row in SAME {
            let mut first = "";
            for word in row.split_whitespace() {
                let opposite = word.starts_with('!');
                let word = stem(word.trim_start_matches('!'));
                if first.is_empty() {
                    first = word;
                }
                same.entry(word).or_insert((first, opposite));
            }
        }
        let numbered = (0_u8..).zip(LISTS);
        let lists =
            numbered.flat_map(|(list, words)| words.split(' ').map(move |word| (word, list)));
        let units = UNITS.iter().flat_map(|&(words, dimension, factor)| {
            words
                .split(' ')
                .map(move |word| (word, (dimension, factor)))
        });
        Self {
            roles,
            same,
            lists: lists.filter(|(word, _)| !word.is_empty()).collect(),
            units: units.collect(),
            numerals: NUMERALS.split(' ').collect(),
        }
    }

    /// The role of a word in lower case.
    pub(super) fn role(&self, word: &str) -> Role {
        let known = self.roles.get(word).or_else(|| self.roles.get(stem(word)));
        match known {
            Some(role) => *role,
            None if word.ends_with("n't") => Role::Negation,
            None => Role::Content,
        }
    }

    /// The stem that stands for all words of the same meaning, and whether this one is the opposite.
    pub(super) fn canon<'a>(&self, word: &'a str) -> (&'a str, bool) {
        let stem = stem(word);
        self.same.get(stem).copied().unwrap_or((stem, false))
    }

    /// The closed list to which a word belongs as a value.
    pub(super) fn list(&self, word: &str) -> Option<u8> {
        self.lists.get(word).copied()
    }

    pub(super) fn unit(&self, word: &str) -> Option<(Dimension, f64)> {
        self.units.get(word).copied()
    }

    pub(super) fn numeral(&self, word: &str) -> Option<f64> {
        let at = self.numerals.iter().position(|numeral| *numeral == word)?;
        u8::try_from(at).ok().map(f64::from)
    }
}

const SUFFIXES: &[&str] = &[
    "ation", "ition", "ment", "ency", "ance", "ence", "able", "ible", "ing", "ion", "ed",
];

/// The part of a word that its forms share; always a prefix, so that nothing is allocated.
pub(super) fn stem(word: &str) -> &str {
    if word.len() < 4 || !word.is_ascii() {
        return word;
    }
    let mut stem = word;
    if let Some(rest) = stem.strip_suffix("es").filter(|rest| {
        ["s", "x", "z", "ch", "sh", "i"]
            .iter()
            .any(|end| rest.ends_with(end))
    }) {
        stem = rest.strip_suffix('i').unwrap_or(rest);
    } else if !["ss", "us", "is"].iter().any(|end| stem.ends_with(end)) {
        stem = stem.strip_suffix('s').unwrap_or(stem);
    }
    let shorter = SUFFIXES.iter().find_map(|suffix| stem.strip_suffix(suffix));
    if let Some(rest) = shorter.filter(|rest| rest.len() >= 3) {
        stem = rest;
        let bytes = stem.as_bytes();
        if let [.., a, b] = bytes
            && a == b
            && !b"aeiouls".contains(b)
        {
            stem = &stem[..stem.len() - 1];
        }
    }
    match stem.strip_suffix(['e', 'y']) {
        Some(rest) if rest.len() >= 3 => rest,
        _ => stem,
    }
}
