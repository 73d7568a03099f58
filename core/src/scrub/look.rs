//! How a word is written.

use super::words::{self, Words, any_of};

/// How a word is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Look {
    Camel,
    /// A first capital and nothing else.
    Capital,
    /// All capitals.
    Capitals,
    Constant,
    /// A constant that is the name of a key or token.
    Key,
    /// A number with a unit, or in another base.
    Number,
    Pascal,
    /// Letters without a capital, digits, or no word at all.
    Plain,
    /// ASCII small letters and nothing else: a plain word, too.
    Small,
    Snake,
}

impl Look {
    /// Whether the word is written as any word of prose is.
    pub(crate) fn is_plain(self) -> bool {
        matches!(self, Self::Plain | Self::Small)
    }

    /// Whether the word is written as words of prose are: it may still be all capitals.
    pub(crate) fn is_ordinary(self) -> bool {
        matches!(
            self,
            Self::Capital | Self::Capitals | Self::Plain | Self::Small
        )
    }
}

/// Which classes of characters a word has, as bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Makeup(pub(crate) u8);

impl Makeup {
    pub(crate) const SMALL: Self = Self(1);
    pub(crate) const CAPITAL: Self = Self(1 << 1);
    pub(crate) const DIGIT: Self = Self(1 << 2);
    pub(crate) const UNDERSCORE: Self = Self(1 << 3);
    /// Not ASCII.
    pub(crate) const WIDE: Self = Self(1 << 4);
    /// ASCII that is in no word.
    pub(crate) const OTHER: Self = Self(1 << 5);

    pub(crate) fn of(text: &str) -> Self {
        let bits = text.bytes().map(|byte| MAKEUP[usize::from(byte)]);
        Self(bits.fold(0, |all, bit| all | bit))
    }

    /// Whether there are neither digits nor underscores.
    pub(crate) fn is_letters(self) -> bool {
        !self.has(Self::DIGIT) && !self.has(Self::UNDERSCORE)
    }

    /// The classes of both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether there is any of these classes.
    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The class of each byte.
pub(crate) static MAKEUP: [u8; 256] = {
    let mut makeup = [Makeup::OTHER.0; 256];
    let mut byte = 0;
    while byte < 256 {
        let class = match byte as u8 {
            b'a'..=b'z' => Makeup::SMALL,
            b'A'..=b'Z' => Makeup::CAPITAL,
            b'0'..=b'9' => Makeup::DIGIT,
            b'_' => Makeup::UNDERSCORE,
            128.. => Makeup::WIDE,
            _ => Makeup::OTHER,
        };
        makeup[byte] = class.0;
        byte += 1;
    }
    makeup
};

/// How many bytes of a text are of a class.
#[inline(never)]
pub(crate) fn count(text: &str, is: &dyn Fn(&u8) -> bool) -> usize {
    text.bytes().filter(is).count()
}

/// How `word` is written.
pub(crate) fn look(word: &str) -> Look {
    look_of(word, Makeup::of(word))
}

/// As [`look`], of a word whose makeup is known.
pub(crate) fn look_of(word: &str, makeup: Makeup) -> Look {
    if makeup == Makeup::SMALL {
        return Look::Small;
    }
    if makeup == Makeup::default() {
        return Look::Plain;
    }
    if word.as_bytes()[0].is_ascii_digit() {
        return look_of_number(word);
    }
    let wide = makeup.has(Makeup::WIDE);
    let has =
        |class: Makeup, is: fn(char) -> bool| makeup.has(class) || wide && word.chars().any(is);
    let small = has(Makeup::SMALL, char::is_lowercase);
    let capital = has(Makeup::CAPITAL, char::is_uppercase);
    let inner = match makeup.has(Makeup::UNDERSCORE) {
        true => without_margins(word),
        false => word,
    };
    if makeup.has(Makeup::UNDERSCORE) {
        if inner.as_bytes().contains(&b'_') && (small || capital) {
            return look_of_joined(word, small);
        }
        if word.starts_with("__") && small {
            return Look::Snake;
        }
    }
    if !capital {
        return Look::Plain;
    }
    if !small {
        return Look::Capitals;
    }
    humps(inner)
}

/// The word without the underscores that it begins and ends with.
fn without_margins(word: &str) -> &str {
    let other = |byte: u8| byte != b'_';
    let from = word.bytes().position(other).unwrap_or(word.len());
    let to = word.bytes().rposition(other).map_or(from, |last| last + 1);
    &word[from..to]
}

fn look_of_number(word: &str) -> Look {
    let digits = words::number_length(word);
    let hex = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    let based = hex.is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    // `0b101`, `0o17`, `1_000_000`
    let other = word.strip_prefix("0b").or_else(|| word.strip_prefix("0o"));
    let digits_only = |word: &str| {
        word.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_')
    };
    let based = based || digits_only(other.unwrap_or(word));
    match based || has_units(word, digits) {
        true => Look::Number,
        false => Look::Plain,
    }
}

/// Whether each number of a word has its unit behind it: `30s`, `1m30s`. The first is so many digits long.
fn has_units(word: &str, digits: usize) -> bool {
    let mut rest = word.get(digits..).unwrap_or_default();
    while !rest.is_empty() {
        let length = rest.bytes().position(|byte| byte.is_ascii_digit());
        let (unit, next) = rest.split_at(length.unwrap_or(rest.len()));
        if !words::is_unit(unit) {
            return false;
        }
        if next.is_empty() {
            return true;
        }
        rest = next.trim_start_matches(|char: char| char.is_ascii_digit());
    }
    false
}

/// Of words joined by underscores.
fn look_of_joined(word: &str, small: bool) -> Look {
    const KEYS: &Words = any_of!("key token secret password passwd passphrase credentials pwd");
    let number = |byte: &u8| byte.is_ascii_digit() || *byte == b'_';
    let end = word.len() - word.bytes().rev().take_while(|byte| number(byte)).count();
    let joint = |byte: u8| byte == b'_';
    let end = match word[end..].bytes().position(joint) {
        Some(joint) => end + joint,
        None => word.len(),
    };
    let part = |end: usize| {
        let start = word[..end].bytes().rposition(joint);
        &word[start.map_or(0, |joint| joint + 1)..end]
    };
    // `AWS_ACCESS_KEY_ID`
    let last = match part(end) {
        id if id.eq_ignore_ascii_case("id") && id.len() < end => part(end - id.len() - 1),
        last => last,
    };
    // `proxy_pass` passes something on.
    let key = KEYS.has_in_any_case(last) || matches!(last, "PASS" | "PAT" | "PW");
    match (key, small) {
        (true, _) => Look::Key,
        (false, true) => Look::Snake,
        (false, false) => Look::Constant,
    }
}

/// Of a word with small letters and capitals.
fn humps(word: &str) -> Look {
    let (mut first, mut before, mut humps) = (None, false, 0);
    let (mut count, mut leading) = (0_usize, 0);
    for capital in word.chars().map(char::is_uppercase) {
        if capital && !before && first.is_some() {
            humps += 1;
        }
        if capital && leading == count {
            leading += 1;
        }
        first = first.or(Some(capital));
        before = capital;
        count += 1;
    }
    // `HTTPServer`, not `IDs` and not `Word`.
    let acronym_then_word = leading > 2 && count - leading > 1;
    match (first, humps) {
        (Some(true), 0) if acronym_then_word => Look::Pascal,
        (Some(true), 0) => Look::Capital,
        (Some(true), _) => Look::Pascal,
        _ => Look::Camel,
    }
}
