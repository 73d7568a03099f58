//! Text into tokens: words with their parts, numbers with their units, versions, dates, paths.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::cmp::Ordering;

use super::{
    bound::Bound,
    lexicon::{self, Dimension, Lexicon, Numeral},
    quantity,
};
use crate::scrub;

/// A token's kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Digits and dashes or colons: a date or a time of day.
    Date,
    /// A word that multiplies, "hundred", "million", before it is read with what it multiplies.
    Multiple(f64),
    /// A number, in the unit that stands beside it.
    Number(Number),
    /// A file, an endpoint or an address.
    Path,
    /// `[TABLE_1]`, `[REDACTED]`: a name that was taken out.
    Placeholder,
    Punct(u8),
    Version,
    Word,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) unit: Option<(Dimension, f64)>,
    /// How far another may be from it and still be meant: of "2.5 million" what it is rounded by.
    pub(super) slack: f64,
}

impl Number {
    pub(super) fn plain(value: f64) -> Self {
        Self {
            value,
            unit: None,
            slack: 0.0,
        }
    }

    /// Whether both say the same; without a unit on one side the figures decide.
    pub(super) fn equals(self, other: Self) -> bool {
        match (self.unit, other.unit) {
            (Some((a, _)), Some((b, _))) => {
                let (one, two) = self.sizes(other);
                a == b
                    && (close(one, two) || a == Dimension::Bytes && self.equals_in_thousands(other))
            }
            _ => close(self.value, other.value),
        }
    }

    /// A megabyte is a million bytes as often as it is 1024 times 1024.
    fn equals_in_thousands(self, other: Self) -> bool {
        let size = |number: Self| {
            let times = number.unit.map_or(1.0, |(_, times)| times);
            number.value * lexicon::thousands(times)
        };
        close(size(self), size(other))
    }

    /// Whether `other` could stand in the slot of this one, and is not the same but for its rounding.
    pub(super) fn rivals(self, other: Self) -> bool {
        self.is_kind_of(other) && !self.is_near(other)
    }

    fn is_kind_of(self, other: Self) -> bool {
        match (self.unit, other.unit) {
            (Some((a, _)), Some((b, _))) => a == b,
            (None, Some(_)) => false,
            (_, None) => true,
        }
    }

    /// Whether both are the same but for what one of them is rounded by.
    pub(super) fn is_near(self, other: Self) -> bool {
        if self.slack == 0.0 && other.slack == 0.0 || !self.is_kind_of(other) {
            return false;
        }
        let (one, two) = self.sizes(other);
        let slack = |number: Self, size: f64| match number.value == 0.0 {
            true => 0.0,
            false => number.slack * (size / number.value).abs(),
        };
        (one - two).abs() <= slack(self, one) + slack(other, two)
    }

    /// Whether this one is another, which has no unit, in any unit of its own kind.
    pub(super) fn is_in_a_unit_of(self, bare: Self) -> bool {
        self.unit.is_some_and(|(dimension, times)| {
            let mut sizes = Lexicon::sizes(dimension);
            bare.unit.is_none() && sizes.any(|size| close(bare.value * size, self.value * times))
        })
    }

    /// Both in one unit where both have one.
    pub(super) fn sizes(self, other: Self) -> (f64, f64) {
        match (self.unit, other.unit) {
            (Some((_, times)), Some((_, over))) => (self.value * times, other.value * over),
            _ => (self.value, other.value),
        }
    }
}

fn close(a: f64, b: f64) -> bool {
    let largest = if a.abs() > b.abs() { a.abs() } else { b.abs() };
    (a - b).abs() <= largest * 1e-9
}

/// A stretch of text, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Between quotes, or touching a bracket of code.
    pub(super) marked: bool,
    /// What a value's comparison says of it.
    pub(super) bound: Bound,
    /// The value with its comparison and its unit.
    pub(super) phrase: (usize, usize),
    /// It stands in a comment.
    pub(super) remark: bool,
    /// It is of the comparison of the value behind it.
    pub(super) compares: bool,
}

impl Token {
    fn new(kind: Kind, start: usize, end: usize) -> Self {
        Self {
            kind,
            start,
            end,
            marked: false,
            bound: Bound::default(),
            phrase: (start, end),
            remark: false,
            compares: false,
        }
    }
}

/// A text as it is read: its letters as the scrubber compares those of names, so that what the scrubber would
/// take out is what is found here. Full-width forms are narrow, accents stand apart, what has no width
/// is left out.
pub(super) struct Text<'a> {
    original: &'a str,
    /// As it is read.
    pub(super) cased: Cow<'a, str>,
    /// The same in lower case, each character at its place.
    pub(super) low: String,
    /// Where each byte that is read stands in the original; empty where all stand at their own place.
    places: Vec<usize>,
}

impl<'a> Text<'a> {
    pub(super) fn new(original: &'a str) -> Self {
        if original.is_ascii() {
            return Self {
                original,
                cased: Cow::Borrowed(original),
                low: original.to_ascii_lowercase(),
                places: Vec::new(),
            };
        }
        let mut cased = String::with_capacity(original.len());
        let mut places = Vec::with_capacity(original.len() + 1);
        for (at, c) in original.char_indices() {
            match c.is_ascii() {
                true => cased.push(c),
                false => compared(c, &mut cased),
            }
            places.resize(cased.len(), at);
        }
        places.push(original.len());
        Self {
            original,
            low: lower(&cased),
            cased: Cow::Owned(cased),
            places,
        }
    }

    /// Where in the original the byte that is read at `at` stands.
    pub(super) fn place(&self, at: usize) -> usize {
        self.places.get(at).copied().unwrap_or(at)
    }

    /// The stretch of the original that is read from `start` to `end`.
    pub(super) fn original(&self, start: usize, end: usize) -> &'a str {
        &self.original[self.place(start)..self.place(end)]
    }
}

/// Adds what a character is compared as, in its own case.
fn compared(c: char, out: &mut String) {
    for plain in scrub::plain(c.encode_utf8(&mut [0; 4])) {
        let mut capital = plain.is_uppercase();
        scrub::fold(
            plain.encode_utf8(&mut [0; 4]),
            &mut |small| match core::mem::take(&mut capital) {
                true => out.extend(small.to_uppercase()),
                false => out.push(small),
            },
        );
    }
}

/// `text` in lower case, with every character at its place.
fn lower(text: &str) -> String {
    text.chars()
        .map(|c| {
            let mut small = c.to_lowercase();
            match (small.next(), small.next()) {
                (Some(one), None) if one.len_utf8() == c.len_utf8() => one,
                _ => c,
            }
        })
        .collect()
}

/// The tokens of one line (or claim) that stands at `base` in `text`; `low` is `text` in lower case.
pub(super) fn tokens(
    text: &str,
    low: &str,
    base: usize,
    end: usize,
    lexicon: &Lexicon,
    out: &mut Vec<Token>,
) {
    let bytes = text.as_bytes();
    let mut at = base;
    while at < end {
        let byte = bytes[at];
        if byte == b' ' {
            at += 1;
            continue;
        }
        let rest = &text[at..end];
        if byte == b'['
            && let Some(length) = placeholder(rest)
        {
            out.push(Token::new(Kind::Placeholder, at, at + length));
            at += length;
        } else if starts_word(rest) {
            let length = word_length(rest);
            let (word, cased) = (&low[at..at + length], &text[at..at + length]);
            let money = || text[..at].ends_with(['$', '€', '£']);
            let figure = match byte.is_ascii_digit() {
                true => quantity::in_one_word(word, cased, money, lexicon),
                false => None,
            };
            let kind = figure.or_else(|| kind(word, lexicon)).unwrap_or(Kind::Word);
            out.push(Token {
                marked: marked(text, at, at + length),
                ..Token::new(kind, at, at + length)
            });
            at += length;
        } else if byte.is_ascii() {
            if !byte.is_ascii_whitespace() && byte != 0x0b {
                out.push(Token::new(Kind::Punct(byte), at, at + 1));
            }
            at += 1;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
}

/// What a date says of the calendar.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Day {
    year: Option<u16>,
    month: Option<u16>,
    day: Option<u16>,
}

impl Day {
    pub(super) fn of_year(year: u16) -> Self {
        Self {
            year: Some(year),
            ..Self::default()
        }
    }

    fn parts(self) -> [Option<u16>; 3] {
        [self.year, self.month, self.day]
    }

    /// Whether `other` says all that this one says.
    pub(super) fn is_in(self, other: Self) -> bool {
        let mut parts = self.parts().into_iter().zip(other.parts());
        parts.all(|(one, other)| one.is_none() || one == other)
    }

    /// How this one compares with another, where both say enough.
    pub(super) fn order(self, other: Self) -> Option<Ordering> {
        self.year?;
        let parts = self.parts().into_iter().zip(other.parts());
        let mut said = parts.map(|(one, other)| one.zip(other));
        said.find_map(|both| match both {
            None => Some(None),
            Some((one, other)) if one != other => Some(Some(one.cmp(&other))),
            Some(_) => None,
        })?
    }

    /// Whether both cannot be.
    pub(super) fn differs(self, other: Self) -> bool {
        let mut parts = self.parts().into_iter().zip(other.parts());
        parts.any(|(one, other)| one.zip(other).is_some_and(|(one, other)| one != other))
    }
}

/// What a date in lower case says.
pub(super) fn calendar(text: &str) -> Option<Day> {
    in_digits(text).or_else(|| in_words(text))
}

/// A time of day, in seconds from midnight, and whether it says which half of the day is meant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) seconds: u32,
    half: bool,
}

impl Clock {
    /// Whether both may be the same, twelve hours apart, as one does not say which half of the day it means.
    pub(super) fn may_be(self, other: Self) -> bool {
        self.half != other.half && self.seconds.abs_diff(other.seconds) == 12 * 3600
    }
}

/// What a time of day in lower case says: "7:05", "07:05:30", "7:05 pm", "7 pm".
pub(super) fn clock(text: &str) -> Option<Clock> {
    let half = half_of_day(text);
    let digits = text[..half.map_or(text.len(), |(at, _)| at)].trim_end();
    let mut parts = digits.split(':');
    let mut part = |least: usize, below: u32| {
        let text = parts.next()?;
        let fits = (least..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|part| fits && *part < below)
    };
    let hour: u32 = part(1, 24)?;
    if !digits.contains(':') && half.is_none() {
        return None;
    }
    let rest: Vec<u32> = match digits.matches(':').count() {
        0 => Vec::new(),
        1 => Vec::from([part(2, 60)?]),
        2 => Vec::from([part(2, 60)?, part(2, 60)?]),
        _ => return None,
    };
    let hour = match half {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some((_, afternoon)) => hour % 12 + if afternoon { 12 } else { 0 },
    };
    let [minutes, seconds] = [0, 1].map(|at| rest.get(at).copied().unwrap_or(0));
    Some(Clock {
        seconds: hour * 3600 + minutes * 60 + seconds,
        half: half.is_some() || hour > 12 || digits.starts_with('0'),
    })
}

/// Where "am" or "pm" stands at the end of a text, and whether it is "pm".
pub(super) fn half_of_day(text: &str) -> Option<(usize, bool)> {
    [("am", false), ("a.m", false), ("pm", true), ("p.m", true)]
        .into_iter()
        .find_map(|(half, afternoon)| Some((text.strip_suffix(half)?.len(), afternoon)))
}

/// "2024-05-01", also with a time behind it.
fn in_digits(text: &str) -> Option<Day> {
    let mark = |at: usize| text.as_bytes().get(at) == Some(&b'-');
    let date = text.get(..10).filter(|_| mark(4) && mark(7))?;
    Some(Day {
        year: year(&date[..4]),
        month: date[5..7].parse().ok(),
        day: date[8..].parse().ok(),
    })
}

/// "1 may 2024", "may 1st, 2024", "1 may", "may 2024".
pub(super) fn in_words(text: &str) -> Option<Day> {
    let day = |word: &str| {
        let ordinal = |end| word.strip_suffix(end);
        let digits = ["st", "nd", "rd", "th"].into_iter().find_map(ordinal);
        let day = digits.unwrap_or(word).parse().ok();
        day.filter(|day| (1..=31).contains(day))
    };
    let mut words = text.split([' ', ',', '.']).filter(|word| !word.is_empty());
    let (one, other) = (words.next()?, words.next()?);
    let (month, other) = match month(one) {
        Some(month) => (month, other),
        None => (month(other)?, one),
    };
    let (day, year) = match words.next() {
        Some(last) => (Some(day(other)?), Some(year(last)?)),
        None => (day(other), year(other)),
    };
    let said = words.next().is_none() && (day.is_some() || year.is_some());
    said.then_some(Day {
        year,
        month: Some(month),
        day,
    })
}

/// Whether a text could be a year.
pub(super) fn is_year(digits: &str) -> bool {
    digits.len() == 4 && year(digits).is_some()
}

fn year(digits: &str) -> Option<u16> {
    let year = digits.parse().ok();
    year.filter(|year| (1000..3000).contains(year))
}

/// The number of a month by its name, in full or short.
pub(super) fn month(name: &str) -> Option<u16> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let named = |month: &&str| name.len() >= 3 && month.starts_with(name);
    (1..)
        .zip(MONTHS)
        .find(|(_, month)| named(month))
        .map(|(number, _)| number)
}

/// The length of a placeholder at the start of `rest`.
pub(super) fn placeholder(rest: &str) -> Option<usize> {
    scrub::placeholder_at(rest, 0).map(|placeholder| placeholder.end)
}

fn starts_word(rest: &str) -> bool {
    match rest.as_bytes() {
        [b'/' | b'~', ..] => rest[1..].starts_with(|c| is_word(c) || matches!(c, '/' | '{')),
        [byte, ..] if byte.is_ascii() => is_word(char::from(*byte)),
        _ => rest.starts_with(is_word),
    }
}

/// As the scrubber's words, and ideographs.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || scrub::is_word(c)
}

/// How far the word at the start of `rest` reaches: joiners belong to it where a word goes on.
fn word_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let path = rest.starts_with(['/', '~']);
    let mut address = false;
    // Digits and commas only.
    let mut figures = true;
    let mut end = 0;
    loop {
        // Most of a word needs no look at what stands beside it.
        let plain = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let run = bytes[end..].iter().take_while(plain).count();
        figures &= bytes[end..end + run].iter().all(u8::is_ascii_digit);
        end += run;
        let mut chars = rest[end..].chars();
        let Some(c) = chars.next() else { return end };
        let next = chars.next();
        let goes_on = |next: char| is_word(next) || (matches!(next, '/' | '{') && path);
        let inside = match c {
            '{' | '}' => path,
            '/' => {
                address |= rest[..=end].ends_with("://");
                next.is_some_and(|n| goes_on(n) || n == '/')
            }
            '.' | '-' | '@' | '+' => next.is_some_and(is_word),
            '~' => next.is_some_and(goes_on),
            ',' => figures && end > 0 && thousands(&bytes[end + 1..]),
            ':' => next.is_some_and(|n| is_word(n) || n == ':' || n == '/'),
            '\'' | '’' => {
                let before = rest[..end].chars().next_back();
                before.is_some_and(char::is_alphabetic) && next.is_some_and(char::is_alphabetic)
            }
            '?' | '=' | '&' | '#' => address && next.is_some_and(is_word),
            _ => is_word(c),
        };
        if !inside {
            return end;
        }
        figures &= c == ',';
        end += c.len_utf8();
    }
}

/// Whether what stands behind a comma is the next three digits of a number.
fn thousands(rest: &[u8]) -> bool {
    rest.iter()
        .take(4)
        .take_while(|b| b.is_ascii_digit())
        .count()
        == 3
}

fn marked(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let before = match start.checked_sub(1).map(|at| bytes[at]) {
        Some(0x80..) => text[..start].ends_with(['“', '‘']),
        byte => matches!(byte, Some(b'\'' | b'"' | b'`' | b'<')),
    };
    before
        || match bytes.get(end) {
            Some(0x80..) => text[end..].starts_with('”'),
            byte => matches!(byte, Some(b'`' | b'"' | b'(' | b'<' | b'>' | b'[')),
        }
}

/// What a word (in lower case) is, where it is more than a word.
fn kind(word: &str, lexicon: &Lexicon) -> Option<Kind> {
    let digits = word
        .strip_prefix('v')
        .filter(|rest| rest.contains('.'))
        .unwrap_or(word);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        let dots = digits.bytes().filter(|b| *b == b'.').count();
        let plain = digits
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'_'));
        if plain && dots <= 1 && digits.len() == word.len() {
            let value = digits.replace([',', '_'], "").parse().unwrap_or(f64::MAX);
            // "3.10" is no decimal fraction: a release after "3.9".
            let release = digits
                .strip_suffix('0')
                .is_some_and(|rest| dots == 1 && !rest.ends_with('.'));
            return Some(match release {
                true => Kind::Version,
                false => Kind::Number(Number::plain(value)),
            });
        }
        if digits
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b':' | b't' | b'z' | b'.'))
            && digits.contains(['-', ':'])
        {
            return Some(Kind::Date);
        }
        let number = digits.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        if dots <= 1
            && let Some(unit) = lexicon.unit(&digits[number.len()..])
            && let Ok(value) = number.parse()
        {
            return Some(Kind::Number(Number {
                unit: Some(unit),
                ..Number::plain(value)
            }));
        }
        let mut steps = digits.split('.');
        let major = steps
            .next()
            .is_some_and(|step| step.bytes().all(|b| b.is_ascii_digit()));
        let minor = steps
            .next()
            .is_some_and(|step| step.starts_with(|c: char| c.is_ascii_digit()));
        if major && minor && !digits.contains(['/', ':', '_']) {
            return Some(Kind::Version);
        }
    }
    match lexicon.numeral(word) {
        Some(Numeral::Value(value)) => return Some(Kind::Number(Number::plain(value))),
        Some(Numeral::Times(times)) => return Some(Kind::Multiple(times)),
        None => {}
    }
    let path = word
        .bytes()
        .rposition(|byte| byte == b'/')
        .is_some_and(|at| {
            let (folder, name) = (&word[..at], &word[at..]);
            folder.is_empty() || folder.contains('/') || name.contains('.')
        });
    (path || word.starts_with('~')).then_some(Kind::Path)
}

/// One part of a word: `getUserById` has four, `users.email` two components of one part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) first: bool,
    pub(super) last: bool,
}

/// The parts of the word `text` (in its own case), in bytes from its start.
pub(super) fn pieces(text: &str, out: &mut Vec<Piece>) {
    out.clear();
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if !text.is_empty() && text.bytes().all(plain) {
        out.push(Piece {
            start: 0,
            end: text.len(),
            first: true,
            last: true,
        });
        return;
    }
    let text = text
        .strip_suffix("'s")
        .or_else(|| text.strip_suffix("’s"))
        .unwrap_or(text);
    let bytes = text.as_bytes();
    let letter = |at: usize| match bytes.get(at) {
        Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
        Some(_) => text[at..].chars().next(),
        None => None,
    };
    let mut start = None;
    let mut first = true;
    let mut previous = ' ';
    let mut at = 0;
    while let Some(c) = letter(at) {
        let word = c != '_' && is_word(c) || c == '\'' || c == '’';
        if let Some(from) = start {
            let hump = c.is_uppercase()
                && (previous.is_lowercase()
                    || previous.is_uppercase()
                        && letter(at + c.len_utf8()).is_some_and(char::is_lowercase));
            if !word || hump || ideograph(c) || ideograph(previous) {
                let last = !word && !matches!(c, '_' | '-');
                out.push(Piece {
                    start: from,
                    end: at,
                    first,
                    last,
                });
                first = last;
                start = None;
            }
        } else if !word && !matches!(c, '_' | '-') {
            first = true;
            if let Some(piece) = out.last_mut() {
                piece.last = true;
            }
        }
        if word && start.is_none() {
            start = Some(at);
        }
        previous = c;
        at += c.len_utf8();
    }
    if let Some(from) = start {
        out.push(Piece {
            start: from,
            end: text.len(),
            first,
            last: true,
        });
    } else if let Some(piece) = out.last_mut() {
        piece.last = true;
    }
}

/// Scripts that write no spaces: each character is a part of its own.
fn ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}
