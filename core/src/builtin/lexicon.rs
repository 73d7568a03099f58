//! The words that the judge knows: all of them general, none of one domain.

use alloc::{vec, vec::Vec};

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
    about after before during between through via because until unless using use used uses one time longer new s t what how";

/// Words of negation; those that end in "n't" count too.
const NEGATION: &str = "not no never cannot without neither none nothing";

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
    "enable enabled true on activate active !disable !disabled !false !off !deactivate !inactive",
    "add introduce !remove !removed",
    "require mandatory need must !optional",
    "minimum min least !maximum !max !most",
    "include contain !exclude",
    "allow permit grant !deny !forbid !forbidden !prohibit !disallow !ban",
    "public !private",
    "increase raise-up !decrease",
    "fix patch resolve correct",
    "respond response answer reply return",
    "expire expiry ttl lifetime valid validity",
    "replace instead rather supersede",
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
    "send sent emit dispatch publish",
    "reference references refer",
    "delete erase",
    "create creation",
    "connect connection conn",
    "identifier id",
    "database db",
    "execute execution exec",
    "authenticate authentication auth",
    "authorise authorize authorization authorisation",
    // Forms that no ending tells.
    "begin began begun",
    "break broke broken",
    "build built",
    "buy bought",
    "choose chose chosen",
    "come came",
    "die died death",
    "draw drew drawn",
    "drive drove driven",
    "fall fell fallen",
    "find found",
    "get got",
    "give gave given",
    "go went gone",
    "grow grew grown",
    "hold held",
    "keep kept",
    "know knew known",
    "leave left",
    "lose lost",
    "make made",
    "meet met",
    "pay paid",
    "rise rose risen",
    "run ran",
    "see saw seen",
    "sell sold",
    "speak spoke spoken",
    "spend spent",
    "take took taken",
    "teach taught",
    "think thought",
    "sow sown",
    "show shown",
    "wear wore worn",
    "freeze froze frozen",
    "eat ate eaten",
    "drink drank drunk",
    "sing sang sung",
    "sink sank sunk",
    "swim swam swum",
    "fly flew flown",
    "blow blew blown",
    "bring brought",
    "catch caught",
    "feel felt",
    "fight fought",
    "forget forgot forgotten",
    "hide hid hidden",
    "ride rode ridden",
    "seek sought",
    "steal stole stolen",
    "strike struck",
    "sweep swept",
    "wake woke woken",
    "weave wove woven",
    "win won",
    "write wrote written",
];

/// Words that are values of one closed list: in the same slot they exclude each other. Those that are
/// also ordinary words count in capitals only.
const LISTS: &[&str] = &[
    "char varchar TEXT integer int bigint smallint decimal numeric boolean bool FLOAT DOUBLE REAL DATE timestamp \
     timestamptz JSON jsonb uuid serial bigserial BLOB bytea",
    "GET POST PUT PATCH DELETE HEAD OPTIONS",
];

/// Participles that no ending tells.
const PARTICIPLES: &str = "sent run kept held made set given taken written built found put paid sold known left lost met \
    drawn driven chosen shown done";

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
    ("kb kib ki kilobyte kilobytes", Dimension::Bytes, 1024.0),
    (
        "mb mib mi megabyte megabytes",
        Dimension::Bytes,
        1_048_576.0,
    ),
    (
        "gb gib gi gigabyte gigabytes",
        Dimension::Bytes,
        1_073_741_824.0,
    ),
    (
        "tb tib ti terabyte terabytes",
        Dimension::Bytes,
        1_099_511_627_776.0,
    ),
    ("mg milligram milligrams", Dimension::Mass, 0.001),
    ("g gram grams", Dimension::Mass, 1.0),
    ("kg kilogram kilograms", Dimension::Mass, 1000.0),
    ("tonne tonnes", Dimension::Mass, 1_000_000.0),
    (
        "mm millimetre millimetres millimeter millimeters",
        Dimension::Length,
        0.001,
    ),
    (
        "cm centimetre centimetres centimeter centimeters",
        Dimension::Length,
        0.01,
    ),
    ("metre metres meter meters", Dimension::Length, 1.0),
    (
        "km kilometre kilometres kilometer kilometers",
        Dimension::Length,
        1000.0,
    ),
    (
        "ml millilitre millilitres milliliter milliliters",
        Dimension::Volume,
        0.001,
    ),
    ("l litre litres liter liters", Dimension::Volume, 1.0),
    ("% percent", Dimension::Percent, 1.0),
    ("$ usd dollar dollars", Dimension::Dollars, 1.0),
    ("€ eur euro euros", Dimension::Euros, 1.0),
];

/// Numbers written as words: the first ones, where "one" is as often no number, and the tens.
const NUMERALS: &str = "zero _ two three four five six seven eight nine ten eleven twelve thirteen fourteen \
    fifteen sixteen seventeen eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";

/// Words that multiply the number before them.
const MULTIPLES: [(&str, f64); 6] = [
    ("dozen", 12.0),
    ("hundred", 100.0),
    ("thousand", 1e3),
    ("million", 1e6),
    ("billion", 1e9),
    ("trillion", 1e12),
];

/// What a word says of a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numeral {
    Value(f64),
    /// It multiplies the number before it.
    Times(f64),
}

/// What a number counts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Dimension {
    Bytes,
    Dollars,
    Euros,
    Length,
    Mass,
    Months,
    Percent,
    Time,
    Volume,
}

/// What is known of a word.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    role: Option<Role>,
    /// The first word of its row of [`SAME`], and whether it says the opposite of it.
    same: Option<(&'static str, bool)>,
}

/// A word, looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    pub(super) role: Role,
    /// The stem that stands for all words of the same meaning.
    pub(super) stem: &'a str,
    /// Whether it says the opposite of that.
    pub(super) opposite: bool,
    /// Whether it stands in a row of words that say the same.
    pub(super) known: bool,
}

/// Values by word: a table with room, so that most words that it lacks are missed at the first look.
struct Words<V> {
    known: Vec<(&'static str, V)>,
    /// Where each is among `known`, and 1; 0 where there is none.
    slots: Vec<u16>,
    /// For each first letter, the lengths of the words that begin with it, a bit each.
    lengths: [u32; 32],
}

impl<V: Copy + Default> Words<V> {
    /// With room for `1 << bits` words, of which a quarter may be taken.
    fn new(bits: u32) -> Self {
        Self {
            known: Vec::with_capacity(1 << (bits - 2)),
            slots: vec![0; 1 << bits],
            lengths: [0; 32],
        }
    }

    /// Where a word is, or would be.
    fn place(&self, word: &str) -> usize {
        let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        let hash = word.bytes().fold(0x811c_9dc5, mix);
        let mut at = (hash ^ (hash >> 15)) as usize;
        loop {
            at &= self.slots.len() - 1;
            match self.slots[at] {
                0 => return at,
                one if self.known[usize::from(one) - 1].0 == word => return at,
                _ => at += 1,
            }
        }
    }

    /// The first letter of a word as an index, and the bit of its length.
    fn shape(word: &str) -> (usize, u32) {
        let first = word.bytes().next().unwrap_or(0);
        (usize::from(first & 31), 1 << word.len().min(31))
    }

    fn get(&self, word: &str) -> Option<V> {
        let (first, length) = Self::shape(word);
        if self.lengths[first] & length == 0 {
            return None;
        }
        let one = self.slots[self.place(word)];
        let (_, value) = self.known.get(usize::from(one).checked_sub(1)?)?;
        Some(*value)
    }

    fn at(&mut self, word: &'static str) -> &mut V {
        let (first, length) = Self::shape(word);
        self.lengths[first] |= length;
        let place = self.place(word);
        if self.slots[place] == 0 {
            self.known.push((word, V::default()));
            self.slots[place] = u16::try_from(self.known.len()).unwrap_or(0);
        }
        let one = usize::from(self.slots[place]);
        &mut self.known[one - 1].1
    }
}

/// The tables, built once for a judging.
pub(super) struct Lexicon {
    entries: Words<Entry>,
    lists: Words<u8>,
    units: Words<Option<(Dimension, f64)>>,
    numerals: Words<Option<Numeral>>,
    /// The stem of all that is switched on.
    pub(super) on: &'static str,
}

impl Lexicon {
    pub(super) fn new() -> Self {
        let mut entries: Words<Entry> = Words::new(11);
        for (words, role) in [
            (GENERIC, Role::Generic),
            (CLASS, Role::Class),
            (STOP, Role::Stop),
            (NEGATION, Role::Negation),
        ] {
            for word in words.split_ascii_whitespace() {
                // A function word is known by its letters, so that "user" is not taken for "use".
                let by_stem = matches!(role, Role::Generic | Role::Class);
                entries.at(if by_stem { stem(word) } else { word }).role = Some(role);
            }
        }
        for row in SAME {
            let mut first = "";
            for word in row.split_ascii_whitespace() {
                let opposite = word.starts_with('!');
                let word = stem(word.trim_start_matches('!'));
                if first.is_empty() {
                    first = word;
                }
                entries.at(word).same.get_or_insert((first, opposite));
            }
        }
        let mut lists = Words::new(7);
        for (list, words) in (0_u8..).zip(LISTS) {
            for word in words.split_ascii_whitespace() {
                *lists.at(word) = list;
            }
        }
        let mut units = Words::new(9);
        for (words, dimension, factor) in UNITS {
            for word in words.split_ascii_whitespace() {
                *units.at(word) = Some((*dimension, *factor));
            }
        }
        let mut numerals = Words::new(7);
        for (value, word) in (0_u8..).zip(NUMERALS.split_ascii_whitespace()) {
            *numerals.at(word) = Some(Numeral::Value(f64::from(value)));
        }
        for (tens, word) in (2_u8..).zip(TENS.split_ascii_whitespace()) {
            *numerals.at(word) = Some(Numeral::Value(f64::from(tens) * 10.0));
        }
        for (word, times) in MULTIPLES {
            *numerals.at(word) = Some(Numeral::Times(times));
        }
        let on = entries.get(stem("enable")).and_then(|entry| entry.same);
        Self {
            entries,
            lists,
            units,
            numerals,
            on: on.map_or("", |(on, _)| on),
        }
    }

    /// Looks up a word in lower case.
    pub(super) fn look<'a>(&self, word: &'a str) -> Look<'a> {
        let stem = stem(word);
        let by_stem = self.entries.get(stem).unwrap_or_default();
        let by_letters = if stem.len() == word.len() {
            by_stem
        } else {
            self.entries.get(word).unwrap_or_default()
        };
        let role = by_letters.role.or(by_stem.role);
        let (stem, opposite) = by_stem.same.unwrap_or((stem, false));
        Look {
            role: match role {
                Some(role) => role,
                None if word.ends_with("n't") => Role::Negation,
                None => Role::Content,
            },
            stem,
            opposite,
            known: by_stem.same.is_some(),
        }
    }

    /// The role of a word in lower case.
    pub(super) fn role(&self, word: &str) -> Role {
        self.look(word).role
    }

    /// The stem that stands for all words of the same meaning, and whether this one is the opposite.
    pub(super) fn canon<'a>(&self, word: &'a str) -> (&'a str, bool) {
        let look = self.look(word);
        (look.stem, look.opposite)
    }

    /// The closed list to which a word belongs as a value.
    pub(super) fn list(&self, word: &str) -> Option<u8> {
        self.lists.get(word)
    }

    /// Whether a word that stands behind "is" says what is done with something.
    pub(super) fn is_participle(word: &str) -> bool {
        word.ends_with("ed")
            || PARTICIPLES
                .split_ascii_whitespace()
                .any(|known| known == word)
    }

    /// Whether a word, in any case, is one of English.
    pub(super) fn is_ordinary(word: &str) -> bool {
        crate::scrub::is_ordinary(word)
    }

    pub(super) fn unit(&self, word: &str) -> Option<(Dimension, f64)> {
        self.units.get(word).flatten()
    }

    /// All units of a dimension: how many of the base unit each is.
    pub(super) fn sizes(dimension: Dimension) -> impl Iterator<Item = f64> {
        let of =
            move |(_, kind, size): &(&str, Dimension, f64)| (*kind == dimension).then_some(*size);
        UNITS.iter().filter_map(of)
    }

    /// The number that a word is, "five", "forty-five", or by which it multiplies the one before it.
    pub(super) fn numeral(&self, word: &str) -> Option<Numeral> {
        let Some(dash) = word.bytes().position(|byte| byte == b'-') else {
            return self.numerals.get(word).flatten();
        };
        let tens = self.value(&word[..dash]).filter(|tens| *tens >= 20.0)?;
        let digit = match &word[dash + 1..] {
            "one" => 1.0,
            digit => self.value(digit).filter(|digit| *digit < 10.0)?,
        };
        Some(Numeral::Value(tens + digit))
    }

    /// The number that a word is.
    pub(super) fn value(&self, word: &str) -> Option<f64> {
        match self.numerals.get(word)? {
            Some(Numeral::Value(value)) => Some(value),
            _ => None,
        }
    }
}

/// A number of bytes that is a power of 1024 as the same power of a thousand.
pub(super) fn thousands(bytes: f64) -> f64 {
    let (mut left, mut size) = (bytes, 1.0);
    while left >= 1024.0 {
        (left, size) = (left / 1024.0, size * 1000.0);
    }
    size * left
}

/// The part of a word that its forms share; always a prefix, so that nothing is allocated.
pub(super) fn stem(word: &str) -> &str {
    let ends = word
        .bytes()
        .next_back()
        .is_some_and(|last| matches!(last, b's' | b'd' | b'g' | b't' | b'n' | b'y' | b'e'));
    // "ids", but not "was".
    if let [a, b, b's'] = word.as_bytes()
        && a.is_ascii_alphabetic()
        && b.is_ascii_alphabetic()
        && !matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b's')
    {
        return &word[..2];
    }
    if word.len() < 4 || !ends || !word.is_ascii() {
        return word;
    }
    let inflected = singular(word);
    let mut stem = inflected;
    let ending = ending(stem.as_bytes());
    if ending > 0 && stem.len() >= ending + 3 {
        stem = &stem[..stem.len() - ending];
        if let [.., a, b] = stem.as_bytes()
            && a == b
            && !matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'l' | b's')
        {
            stem = &stem[..stem.len() - 1];
        }
    }
    // "carried" is of "carry".
    if inflected.ends_with("ied") {
        stem = stem.strip_suffix('i').unwrap_or(stem);
    }
    match stem.as_bytes() {
        [_, _, _, .., b'e' | b'y'] => &stem[..stem.len() - 1],
        _ => stem,
    }
}

/// A noun without the ending of its plural.
fn singular(word: &str) -> &str {
    let ending = match word.as_bytes() {
        [.., b'i', b'e', b's'] => 3,
        [.., b's' | b'x' | b'z', b'e', b's'] | [.., b'c' | b's', b'h', b'e', b's'] => 2,
        [.., b's' | b'u' | b'i', b's'] => 0,
        [.., b's'] => 1,
        _ => 0,
    };
    &word[..word.len() - ending]
}

/// The length of the ending that a stem is without.
fn ending(word: &[u8]) -> usize {
    match word {
        [.., b'a' | b'i', b't', b'i', b'o', b'n'] => 5,
        // "frequenc" is what is left of "frequencies".
        [.., b'i', b'o', b'n'] | [.., b'i', b'n', b'g'] | [.., b'e', b'n', b'c'] => 3,
        [.., b'a' | b'e', b'n', b'c', b'e']
        | [.., b'a' | b'i', b'b', b'l', b'e']
        | [.., b'm', b'e', b'n', b't']
        | [.., b'e', b'n', b'c', b'y'] => 4,
        [.., b'e', b'd'] => 2,
        _ => 0,
    }
}
