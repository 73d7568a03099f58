//! A tolerant reader of JSON-like objects: what models write when they mean JSON.
//!
//! Strict JSON is read as it is. Beyond it: trailing and missing commas, single and curly quotes,
//! quotes inside strings, unquoted keys and words, comments, raw newlines, a missing close.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::starts::{behind, behind_space, length};

/// An object as far as it could be read.
#[derive(Debug, Default)]
pub(super) struct Object {
    /// Keys in order, also repeated ones.
    pub(super) fields: Vec<(String, Value)>,
    /// Whether its close was found.
    pub(super) complete: bool,
    /// Whether a string of it quotes an object in its words, without escaping it.
    pub(super) quotes: bool,
}

#[derive(Debug)]
pub(super) enum Value {
    List(Vec<Value>),
    Object(Box<Object>),
    Text {
        text: String,
        /// Whether its closing quote was found.
        complete: bool,
    },
    /// Anything without quotes: a number, a literal, a label.
    Word(String),
}

impl Object {
    /// Reads the object whose brace is at `start`, and gives where it ends.
    pub(super) fn parse(text: &str, start: usize) -> (Self, usize) {
        let mut reader = Reader {
            text,
            at: start,
            quotations: 0,
            quotes: false,
        };
        let mut object = reader.object(0);
        object.quotes = reader.quotes;
        (object, reader.at)
    }

    /// The values of a key, whatever its case, in order.
    pub(super) fn get<'a>(&'a self, key: &str) -> impl Iterator<Item = &'a Value> {
        self.fields
            .iter()
            .filter(move |(known, _)| known.trim().eq_ignore_ascii_case(key))
            .map(|(_, value)| value)
    }

    pub(super) fn last<'a>(&'a self, key: &str) -> Option<&'a Value> {
        self.get(key).last()
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.last(key).is_some()
    }
}

impl Value {
    /// The value itself, or the only one of a list of one.
    pub(super) fn single(&self) -> &Self {
        match self {
            Self::List(items) => match items.as_slice() {
                [item] => item.single(),
                _ => self,
            },
            _ => self,
        }
    }

    /// What stands there, with quotes or without.
    pub(super) fn text(&self) -> Option<&str> {
        match self.single() {
            Self::Text { text, .. } | Self::Word(text) => Some(text),
            Self::List(_) | Self::Object(_) => None,
        }
    }
}

/// Deeper values end the object there.
const MAX_DEPTH: usize = 16;
/// Keys are short: how far a look ahead goes.
const MAX_KEY: usize = 64;

/// So many objects are looked for in the strings of one, and each goes no further: models quote a line
/// of the evidence.
const MAX_QUOTATIONS: usize = 16;
const MAX_QUOTATION: usize = 1024;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// How often a string was looked through for the end of an object that it quotes.
    quotations: usize,
    /// Whether one was found in the words of a string.
    quotes: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// A string before a colon.
    Key,
    /// A string in a list.
    Item,
    /// A string after a colon.
    Field,
}

impl<'a> Reader<'a> {
    fn object(&mut self, depth: usize) -> Object {
        let mut object = Object::default();
        self.at += '{'.len_utf8();
        loop {
            self.skip(&[',']);
            match self.peek() {
                None => return object,
                Some('}') => {
                    self.at += 1;
                    object.complete = true;
                    return object;
                }
                Some(_) => {}
            }
            let Some(key) = self.key() else {
                return object;
            };
            let value = self.value(Place::Field, depth + 1);
            let open = value.as_ref().is_none_or(Value::is_open);
            let value = value.unwrap_or(Value::Word(String::new()));
            object.fields.push((key, value));
            if open {
                return object;
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        self.at += '['.len_utf8();
        loop {
            self.skip(&[',']);
            match self.peek()? {
                ']' => {
                    self.at += 1;
                    return Some(items);
                }
                '}' => return Some(items),
                _ => items.push(self.value(Place::Item, depth + 1)?),
            }
        }
    }

    fn key(&mut self) -> Option<String> {
        let key = match self.peek()? {
            c if quote(c).is_some() => self.string(Place::Key).0,
            c if is_word(c) => {
                let word = self.rest();
                let end = length(word, &is_word);
                self.at += end;
                word[..end].into()
            }
            _ => return None,
        };
        self.skip(&[]);
        if !matches!(self.peek()?, ':' | '=') {
            return None;
        }
        self.at += 1;
        Some(key)
    }

    fn value(&mut self, place: Place, depth: usize) -> Option<Value> {
        self.skip(&[]);
        if depth > MAX_DEPTH {
            return None;
        }
        Some(match self.peek()? {
            '{' => Value::Object(Box::new(self.object(depth))),
            '[' => Value::List(self.list(depth)?),
            '}' | ']' | ',' => Value::Word(String::new()),
            c if quote(c).is_some() => {
                let (text, complete) = self.string(place);
                Value::Text { text, complete }
            }
            _ => self.word(),
        })
    }

    /// Up to the end of the line, of the value or to a comment.
    fn word(&mut self) -> Value {
        let rest = self.rest();
        let mut end = rest.len();
        for (at, c) in rest.char_indices() {
            let comma = c == ',' && !self.decimal_comma(at);
            let comment = c == '#' || rest[at..].starts_with("//") || rest[at..].starts_with("/*");
            if comma || comment || matches!(c, '}' | ']' | '\n' | '\r') {
                end = at;
                break;
            }
        }
        self.at += end;
        Value::Word(rest[..end].trim().into())
    }

    /// Whether the comma at `at` of the rest stands between digits and no key follows: `0,85`.
    fn decimal_comma(&self, at: usize) -> bool {
        let rest = self.rest().as_bytes();
        let digit = |at: Option<usize>| {
            at.and_then(|at| rest.get(at))
                .is_some_and(u8::is_ascii_digit)
        };
        digit(at.checked_sub(1)) && digit(at.checked_add(1))
    }

    /// A string and whether its closing quote was found.
    fn string(&mut self, place: Place) -> (String, bool) {
        let opening = self.peek().and_then(quote).unwrap_or(&['"']);
        self.at += self.peek().map_or(0, char::len_utf8);
        let mut out = String::new();
        while let Some(c) = self.peek() {
            let from = self.at;
            self.at += c.len_utf8();
            if c == '\\' {
                self.escape(&mut out);
            } else if c == '{'
                && place != Place::Key
                && let Some(end) = self.quotation(opening, place)
            {
                // What a string begins with may be all of it.
                self.quotes |= out.contains(char::is_alphanumeric);
                out.push_str(&self.text[from..end]);
                self.at = end;
            } else if opening.contains(&c) && self.closes(place) {
                return (out, true);
            } else {
                out.push_str(&self.text[from..self.at]);
            }
            if place == Place::Key && out.len() > MAX_KEY {
                return (out, false);
            }
        }
        (out, false)
    }

    fn escape(&mut self, out: &mut String) {
        let Some(c) = self.peek() else {
            return;
        };
        self.at += c.len_utf8();
        match c {
            'b' | 'f' => out.push(' '),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => {
                let high = self.unit();
                let pair = high.filter(|unit| (0xD800..0xDC00).contains(unit));
                let low = pair.and_then(|_| {
                    let rest = self.rest().strip_prefix("\\u")?;
                    self.at = self.text.len() - rest.len();
                    self.unit()
                });
                let units = high.into_iter().chain(low);
                out.extend(
                    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)),
                );
            }
            other => out.push(other),
        }
    }

    /// Four hex digits.
    fn unit(&mut self) -> Option<u16> {
        let digits = self.rest().get(..4)?;
        let unit = u16::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(unit)
    }

    /// Whether the quote just read closes its string, going by what follows it: models forget to
    /// escape the quotes inside.
    fn closes(&self, place: Place) -> bool {
        let rest = behind_space(self.rest());
        match (place, rest.chars().next()) {
            (Place::Key, Some(c)) => matches!(c, ':' | '='),
            (_, None | Some('}' | ']')) => true,
            (Place::Item, Some(',')) => true,
            (Place::Field, Some(',')) => key_follows(&rest[1..]),
            (_, Some('/')) => rest.starts_with("//") || rest.starts_with("/*"),
            (_, Some('#')) => true,
            // A missing comma.
            (Place::Field, Some(c)) if quote(c).is_some() => {
                self.rest().starts_with(char::is_whitespace) && key_follows(rest)
            }
            _ => false,
        }
    }

    /// Where the object ends whose brace was just read, if the string quotes it without escaping its quotes:
    /// the string's own close must come behind it.
    fn quotation(&mut self, opening: &[char], place: Place) -> Option<usize> {
        let start = self.at;
        let rest = self.rest();
        if !behind_space(rest).starts_with(opening) || !key_follows(rest) {
            return None;
        }
        self.quotations += 1;
        if self.quotations > MAX_QUOTATIONS {
            return None;
        }
        let near = |text: &'a str| text.char_indices().take(MAX_QUOTATION);
        let mut open = 1_usize;
        let (close, _) = near(rest).find(|(_, c)| {
            open = match c {
                '{' => open + 1,
                '}' => open - 1,
                _ => open,
            };
            open == 0
        })?;
        let end = start + close + '}'.len_utf8();
        let behind = &self.text[end..];
        let (quote, c) = near(behind).find(|(_, c)| opening.contains(c))?;
        // It is quoted in the string's own quotes, or the string ends behind it.
        self.at = end + quote + c.len_utf8();
        let closes = behind[..quote].trim().is_empty() || self.closes(place);
        self.at = start;
        closes.then_some(end)
    }

    /// Skips white space, comments and what else is named.
    fn skip(&mut self, also: &[char]) {
        loop {
            let rest = self.rest();
            let skipped = behind(rest, &|c| c.is_whitespace() || also.contains(&c));
            self.at += rest.len() - skipped.len();
            let comment = if skipped.starts_with("//") || skipped.starts_with('#') {
                skipped.find('\n')
            } else if skipped.starts_with("/*") {
                skipped.find("*/").map(|end| end + 2)
            } else {
                return;
            };
            self.at += comment.unwrap_or(skipped.len());
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }
}

impl Value {
    /// Whether the value was not read to its end.
    fn is_open(&self) -> bool {
        match self {
            Self::Object(object) => !object.complete,
            Self::Text { complete, .. } => !complete,
            Self::List(_) | Self::Word(_) => false,
        }
    }
}

/// Whether a key with its colon, or the object's close, comes next.
fn key_follows(text: &str) -> bool {
    let text = behind_space(text);
    let end = text
        .char_indices()
        .nth(MAX_KEY)
        .map_or(text.len(), |(at, _)| at);
    let head = &text[..end];
    let Some(first) = head.chars().next() else {
        return true;
    };
    if matches!(first, '}' | ']' | ',' | '#') || head.starts_with("//") || head.starts_with("/*") {
        return true;
    }
    let after = match quote(first) {
        Some(closing) => {
            let inside = &head[first.len_utf8()..];
            let closes = |c| closing.contains(&c);
            let closed = behind(inside, &|c| !closes(c));
            if closed.is_empty() {
                // Cut inside a key.
                return text.len() == head.len();
            }
            behind(closed, &closes)
        }
        None if is_word(first) => behind(head, &is_word),
        None => return false,
    };
    let after = behind_space(after);
    after.is_empty() && text.len() == head.len() || after.starts_with([':', '='])
}

/// The quotes that close what this one opens.
fn quote(c: char) -> Option<&'static [char]> {
    match c {
        '"' => Some(&['"', '”']),
        '“' | '”' | '„' | '«' | '»' => Some(&['”', '“', '"', '»', '«']),
        '\'' | '‘' | '’' => Some(&['\'', '’']),
        '`' => Some(&['`']),
        _ => None,
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '$')
}
