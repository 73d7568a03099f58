//! Text into tokens: words with their parts, numbers with their units, versions, dates, paths.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::lexicon::{Dimension, Lexicon};
use crate::scrub;

/// A token's kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Digits and dashes or colons: a date or a time of day.
    Date,
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
}

impl Number {
    /// Whether both say the same; without a unit on one side the figures decide.
    pub(super) fn equals(self, other: Self) -> bool {
        match (self.unit, other.unit) {
            (Some((a, times)), Some((b, over))) => {
                a == b && close(self.value * times, other.value * over)
            }
            _ => close(self.value, other.value),
        }
    }

    /// Whether `other` could stand in the slot of this one.
    pub(super) fn rivals(self, other: Self) -> bool {
        match (self.unit, other.unit) {
            (Some((a, _)), Some((b, _))) => a == b,
            (None, Some(_)) => false,
            (_, None) => true,
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
            |small| match core::mem::take(&mut capital) {
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
            out.push(Token {
                kind: Kind::Placeholder,
                start: at,
                end: at + length,
                marked: false,
            });
            at += length;
        } else if starts_word(rest) {
            let length = word_length(rest);
            let marked = marked(text, at, at + length);
            let token = Token {
                kind: kind(&low[at..at + length], lexicon),
                start: at,
                end: at + length,
                marked,
            };
            out.push(token);
            at += length;
        } else if byte.is_ascii() {
            if !byte.is_ascii_whitespace() && byte != 0x0b {
                out.push(Token {
                    kind: Kind::Punct(byte),
                    start: at,
                    end: at + 1,
                    marked: false,
                });
            }
            at += 1;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
}

/// Gives numbers the unit in the word that follows, or in the key that they are the value of, and
/// takes such a following word out.
pub(super) fn units(text: &str, low: &str, tokens: &mut Vec<Token>, lexicon: &Lexicon) {
    join(text, low, tokens, lexicon);
    // What is kept moves forward in place.
    let mut kept = 0;
    let mut at = 0;
    while at < tokens.len() {
        let mut token = tokens[at];
        at += 1;
        if let Kind::Number(ref mut number) = token.kind
            && let Some((start, words)) = minus(text, low, &tokens[..kept], token.start)
        {
            number.value = -number.value;
            token.start = start;
            kept -= words;
        }
        if let Kind::Number(ref mut number) = token.kind
            && number.unit.is_none()
        {
            let skip = usize::from(
                tokens
                    .get(at)
                    .is_some_and(|t| matches!(t.kind, Kind::Punct(b'#' | b'-'))),
            );
            let before = tokens[..kept]
                .iter()
                .rev()
                .find(|t| !matches!(t.kind, Kind::Punct(b'"' | b'\'' | b'=' | b':')));
            // "thirty (30) days": said twice, the unit is of both.
            let again = tokens.get(at..at + 3).and_then(|next| match next {
                [
                    open,
                    Token {
                        kind: Kind::Number(same),
                        ..
                    },
                    close,
                ] if open.kind == Kind::Punct(b'(')
                    && close.kind == Kind::Punct(b')')
                    && same.value == number.value =>
                {
                    Some(3)
                }
                _ => None,
            });
            if let Some(length) = again {
                (token.start, token.end) = (tokens[at + 1].start, tokens[at + 1].end);
                at += length;
            }
            let dollar = tokens[..kept]
                .last()
                .filter(|t| t.kind == Kind::Punct(b'$'));
            let next = tokens.get(at + skip).filter(|t| t.kind == Kind::Word);
            if let Some(unit) = next.and_then(|t| lexicon.unit(&low[t.start..t.end])) {
                number.unit = Some(unit);
                at += skip + 1;
            } else if let Some(unit) = times(low, &tokens[at..], lexicon) {
                number.unit = Some(unit);
                at += 2;
            } else if let Some(percent) = tokens.get(at).filter(|t| t.kind == Kind::Punct(b'%')) {
                number.unit = lexicon.unit("%");
                token.end = percent.end;
                at += 1;
            } else if dollar.is_some() {
                number.unit = lexicon.unit("$");
            } else if let Some(key) = before.filter(|t| t.kind == Kind::Word && t.end < token.start)
            {
                let assigned = low[key.end..token.start].contains(['=', ':']);
                let last = assigned.then(|| key.start + last_part(&text[key.start..key.end]));
                // A short key is a name: "d: 5", "min: 5".
                let last = last.filter(|last| *last > key.start || key.end - key.start >= 4);
                number.unit = last.and_then(|last| lexicon.unit(&low[last..key.end]));
            }
        }
        tokens[kept] = token;
        kept += 1;
    }
    tokens.truncate(kept);
}

/// The sign of a number: where it begins, and how many of the tokens `before` it are. A stroke behind other words is
/// none: `kill -9`, "pages 3 -5".
fn minus(text: &str, low: &str, before: &[Token], number: usize) -> Option<(usize, usize)> {
    const SAYING: [&str; 12] = [
        "are", "at", "be", "below", "by", "from", "is", "of", "than", "to", "was", "were",
    ];
    let signed = text[..number]
        .strip_suffix('-')
        .or_else(|| text[..number].strip_suffix('\u{2212}'));
    let Some(lead) = signed else {
        let word = before.last()?;
        let says = word.kind == Kind::Word && &low[word.start..word.end] == "minus";
        return says.then_some((word.start, 1));
    };
    let words = before
        .iter()
        .rev()
        .take_while(|token| token.end > lead.len())
        .count();
    let separated = matches!(
        lead.bytes().last(),
        None | Some(b'\n' | b',' | b';' | b'=' | b'(' | b'[' | b'"' | b'\'')
    );
    let said = || {
        let word = before.get(before.len().checked_sub(words + 1)?)?;
        let apart = word.end < lead.len() && lead.ends_with(char::is_whitespace);
        let says = match word.kind {
            Kind::Punct(mark) => matches!(mark, b':' | b'=' | b',' | b'|' | b'(' | b'['),
            _ => SAYING.contains(&&low[word.start..word.end]),
        };
        Some(apart && says)
    };
    (separated || said().unwrap_or(before.len() == words)).then_some((lead.len(), words))
}

/// Makes one token of a date in words, "1 May 2024", and of a number in groups, "10 000 litres".
fn join(text: &str, low: &str, tokens: &mut Vec<Token>, lexicon: &Lexicon) {
    let mut kept = 0;
    let mut at = 0;
    while at < tokens.len() {
        let mut token = tokens[at];
        let rest = &tokens[at..];
        let joined = date_in_words(text, low, rest).or_else(|| grouped(low, rest, lexicon));
        let (kind, length) = joined.unwrap_or((token.kind, 1));
        (token.kind, token.end) = (kind, tokens[at + length - 1].end);
        tokens[kept] = token;
        kept += 1;
        at += length;
    }
    tokens.truncate(kept);
}

/// A date at the start of `tokens`, with how many of them it is.
fn date_in_words(text: &str, low: &str, tokens: &[Token]) -> Option<(Kind, usize)> {
    let [first, second, ..] = tokens else {
        return None;
    };
    let digit = |token: &Token| text.as_bytes()[token.start].is_ascii_digit();
    let capital = |token: &Token| text.as_bytes()[token.start].is_ascii_uppercase();
    if digit(first) == digit(second) {
        return None;
    }
    let upto = |length: usize| {
        let last = tokens.get(length - 1)?;
        in_words(&low[first.start..last.end]).map(|_| (Kind::Date, length))
    };
    let comma = tokens.get(2).is_some_and(|t| t.kind == Kind::Punct(b','));
    let whole = upto(3 + usize::from(comma));
    // "5 may be", "may 5" are no dates.
    whole.or_else(|| upto(2).filter(|_| capital(first) || capital(second)))
}

/// A number in groups of three digits before a unit, with how many tokens it is.
fn grouped(low: &str, tokens: &[Token], lexicon: &Lexicon) -> Option<(Kind, usize)> {
    const MOST: usize = 4;
    let digits = |token: &Token| {
        let text = &low[token.start..token.end];
        text.bytes()
            .all(|b| b.is_ascii_digit())
            .then_some(text.len())
    };
    if !(1..=3).contains(&tokens.first().and_then(digits)?) {
        return None;
    }
    let next = |pair: &&[Token]| {
        let between = &low[pair[0].end..pair[1].start];
        between == " " && digits(&pair[1]) == Some(3)
    };
    let length = 1 + tokens.windows(2).take(MOST).take_while(next).count();
    let unit = tokens.get(length).filter(|t| t.kind == Kind::Word)?;
    lexicon.unit(&low[unit.start..unit.end])?;
    let text = low[tokens[0].start..tokens[length - 1].end].replace(' ', "");
    let value = text.parse().ok().filter(|_| length > 1)?;
    Some((Kind::Number(Number { value, unit: None }), length))
}

/// The unit by which code multiplies: `45 * time.Second`.
fn times(low: &str, next: &[Token], lexicon: &Lexicon) -> Option<(Dimension, f64)> {
    let [sign, word, ..] = next else { return None };
    let named = sign.kind == Kind::Punct(b'*') && word.kind == Kind::Word;
    let name = low[word.start..word.end].rsplit(['.', ':']).next()?;
    lexicon.unit(name).filter(|_| named)
}

/// Where the last part of a key begins: `seconds` in `max_seconds`, `max-seconds`, `maxSeconds`.
fn last_part(key: &str) -> usize {
    let mark = key.rfind(['_', '-', '.']).map_or(0, |at| at + 1);
    let hump = key.rfind(char::is_uppercase).unwrap_or(0);
    let small = key[..hump].ends_with(char::is_lowercase);
    if small { mark.max(hump) } else { mark }
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
fn in_words(text: &str) -> Option<Day> {
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

fn year(digits: &str) -> Option<u16> {
    let year = digits.parse().ok();
    year.filter(|year| (1000..3000).contains(year))
}

/// The number of a month by its name, in full or short.
fn month(name: &str) -> Option<u16> {
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

/// What a word (in lower case) is.
fn kind(word: &str, lexicon: &Lexicon) -> Kind {
    let digits = word
        .strip_prefix('v')
        .filter(|rest| rest.contains('.'))
        .unwrap_or(word);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        let dots = digits.bytes().filter(|b| *b == b'.').count();
        let plain = digits
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
        if plain && dots <= 1 && digits.len() == word.len() {
            let value = digits.replace(',', "").parse().unwrap_or(f64::MAX);
            // "3.10" is no decimal fraction: a release after "3.9".
            return match digits
                .strip_suffix('0')
                .is_some_and(|rest| dots == 1 && !rest.ends_with('.'))
            {
                true => Kind::Version,
                false => Kind::Number(Number { value, unit: None }),
            };
        }
        if digits
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b':' | b't' | b'z' | b'.'))
            && digits.contains(['-', ':'])
        {
            return Kind::Date;
        }
        let number = digits.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        if dots <= 1
            && let Some(unit) = lexicon.unit(&digits[number.len()..])
            && let Ok(value) = number.parse()
        {
            return Kind::Number(Number {
                value,
                unit: Some(unit),
            });
        }
        let mut steps = digits.split('.');
        let major = steps
            .next()
            .is_some_and(|step| step.bytes().all(|b| b.is_ascii_digit()));
        let minor = steps
            .next()
            .is_some_and(|step| step.starts_with(|c: char| c.is_ascii_digit()));
        if major && minor && !digits.contains(['/', ':', '_']) {
            return Kind::Version;
        }
    }
    if let Some(value) = lexicon.numeral(word) {
        return Kind::Number(Number { value, unit: None });
    }
    let path = word
        .bytes()
        .rposition(|byte| byte == b'/')
        .is_some_and(|at| {
            let (folder, name) = (&word[..at], &word[at..]);
            folder.is_empty() || folder.contains('/') || name.contains('.')
        });
    if path || word.starts_with('~') {
        return Kind::Path;
    }
    Kind::Word
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
