//! JSON that is written, with its keys in order: judges that are held to a schema write an object in
//! the order of its keys. And whether a text is JSON.

use alloc::{string::String, vec::Vec};

use serde::{Serialize, Serializer, de::DeserializeOwned, ser::SerializeMap};

/// A JSON value whose keys keep their order.
#[derive(Clone, Debug)]
pub(crate) enum Json<'a> {
    /// An object that is always the same.
    Fixed(&'static [(&'static str, Json<'static>)]),
    Flag(bool),
    List(Vec<Json<'a>>),
    Number(f64),
    Object(Vec<(&'a str, Json<'a>)>),
    Text(&'a str),
    Whole(u32),
    /// A list of texts that is always the same.
    Words(&'static [&'static str]),
}

impl<'a> Json<'a> {
    pub(crate) fn list(items: impl IntoIterator<Item = Json<'a>>) -> Self {
        Self::List(items.into_iter().collect())
    }

    pub(crate) fn object(fields: impl IntoIterator<Item = (&'a str, Json<'a>)>) -> Self {
        Self::Object(fields.into_iter().collect())
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fixed(fields) => serialize_object(fields, serializer),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::List(items) => items.serialize(serializer),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Object(fields) => serialize_object(fields, serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Whole(whole) => serializer.serialize_u32(*whole),
            Self::Words(words) => words.serialize(serializer),
        }
    }
}

fn serialize_object<S: Serializer>(
    fields: &[(&str, Json<'_>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(fields.len()))?;
    for (key, value) in fields {
        map.serialize_entry(key, value)?;
    }
    map.end()
}

/// Writes a text as JSON has it.
pub(crate) fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' => {
                out.push_str("\\u00");
                for digit in [u32::from(char) >> 4, u32::from(char) & 15] {
                    out.extend(char::from_digit(digit, 16));
                }
            }
            char => out.push(char),
        }
    }
    out.push('"');
}

/// Writes an object whose values are texts.
pub(crate) fn push_texts<'a>(
    out: &mut String,
    fields: impl IntoIterator<Item = (&'static str, &'a str)>,
) {
    let mut before = '{';
    for (key, value) in fields {
        out.push(before);
        push_text(out, key);
        out.push(':');
        push_text(out, value);
        before = ',';
    }
    out.push('}');
}

/// Writes a list of what `push` writes.
pub(crate) fn list<T>(items: impl IntoIterator<Item = T>, push: impl Fn(&mut String, T)) -> String {
    let mut out = String::from("[");
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        push(&mut out, item);
    }
    out.push(']');
    out
}

/// Reads JSON of others. It may escape half of a surrogate pair, of a character that was cut: that is U+FFFD.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    let read = serde_json::from_slice(text);
    match read.is_err().then(|| whole(text)).flatten() {
        Some(whole) => serde_json::from_slice(&whole),
        None => read,
    }
}

/// JSON without escapes of half a surrogate pair; nothing where it has none.
fn whole(text: &[u8]) -> Option<Vec<u8>> {
    let mut mended = None;
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| find(rest, b'\\')) {
        at += next;
        at += match (unit(&text[at..]), text.get(at + 6..).and_then(unit)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(0xd800..0xe000), _) => {
                let mended: &mut Vec<u8> = mended.get_or_insert_with(|| text.to_vec());
                mended[at..at + 6].copy_from_slice(b"\\ufffd");
                6
            }
            // Whatever is escaped, it may be a backslash.
            _ => 2,
        };
    }
    mended
}

fn find(text: &[u8], byte: u8) -> Option<usize> {
    text.iter().position(|one| *one == byte)
}

/// The UTF-16 unit of an escape that a text begins with.
pub(crate) fn unit(text: &[u8]) -> Option<u32> {
    digits(text.strip_prefix(b"\\u")?)
}

/// The same of what follows an escape's `\u`.
pub(crate) fn digits(text: &[u8]) -> Option<u32> {
    let digits = text.get(..4)?;
    digits.iter().try_fold(0, |unit, digit| {
        Some(unit * 16 + char::from(*digit).to_digit(16)?)
    })
}

/// Whether a text is JSON as it stands and nothing else, nested at most 128 deep.
pub(crate) fn is_valid(text: &str) -> bool {
    let mut reader = Reader(text.as_bytes());
    reader.value(0).is_some() && {
        reader.space();
        reader.0.is_empty()
    }
}

/// How long the JSON value is that a text begins with, if it does; and how many bytes were read to know it.
pub(crate) fn value_length(text: &str) -> (Option<usize>, usize) {
    let mut reader = Reader(text.as_bytes());
    let is_value = reader.value(0).is_some();
    let read = text.len() - reader.0.len();
    (is_value.then_some(read), read)
}

/// What is left to read. What is not JSON is `None`.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    const MAX_DEPTH: usize = 128;

    fn value(&mut self, depth: usize) -> Option<()> {
        self.space();
        match *self.0.first()? {
            b'{' | b'[' if depth == Self::MAX_DEPTH => None,
            b'{' => self.items(b'}', |reader| {
                reader.space();
                reader.string()?;
                reader.space();
                reader.one_of(b":")?;
                reader.value(depth + 1)
            }),
            b'[' => self.items(b']', |reader| reader.value(depth + 1)),
            b'"' => self.string(),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.number(),
        }
    }

    /// The items of an object or a list, from its first bracket to its last.
    fn items(&mut self, end: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take();
        self.space();
        if self.one_of(&[end]).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            self.space();
            if self.one_of(&[b',', end])? == end {
                return Some(());
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.one_of(b"\"")?;
        loop {
            match self.take()? {
                b'"' => return Some(()),
                b'\\' => {
                    let escaped = self.one_of(b"\"\\/bfnrtu")?;
                    if escaped == b'u' {
                        let digits = self.0.split_at_checked(4)?;
                        self.0 = digits.1;
                        digits.0.iter().all(u8::is_ascii_hexdigit).then_some(())?;
                    }
                }
                0..0x20 => return None,
                _ => {}
            }
        }
    }

    fn number(&mut self) -> Option<()> {
        self.one_of(b"-");
        if self.one_of(b"0").is_none() {
            self.digits()?;
        }
        if self.one_of(b".").is_some() {
            self.digits()?;
        }
        if self.one_of(b"eE").is_some() {
            self.one_of(b"+-");
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let count = self
            .0
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        self.0 = &self.0[count..];
        (count > 0).then_some(())
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(word)?;
        Some(())
    }

    fn space(&mut self) {
        while self.one_of(b" \n\r\t").is_some() {}
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let next = self
            .0
            .first()
            .copied()
            .filter(|byte| bytes.contains(byte))?;
        self.take();
        Some(next)
    }

    fn take(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_as_serde_json_writes_them() {
        let text: String = (0..0x500)
            .filter_map(char::from_u32)
            .chain("𝒳\u{2028}".chars())
            .collect();
        let mut out = String::new();
        push_text(&mut out, &text);
        assert_eq!(out, serde_json::to_string(&text).unwrap());
    }

    #[test]
    fn what_is_json_is_so_for_serde_json_too() {
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        let (deep, deeper) = (nested(128), nested(129));
        for text in [
            "",
            " ",
            "{}",
            "[]",
            "[1]",
            " { \"a\" : [ true , false , null ] } ",
            "\"x\"",
            "\"\\u00e9\\n\"",
            "\"\\u00e\"",
            "\"\\x\"",
            "\"a\nb\"",
            "\"",
            "{\"a\":}",
            "{\"a\" 1}",
            "{a:1}",
            "[1,]",
            "{\"a\":1,}",
            "[,1]",
            "1",
            "-1",
            "01",
            "-",
            "1.",
            ".5",
            "1.5e3",
            "1e+",
            "1E-2",
            "+1",
            "NaN",
            "tru",
            "true false",
            "{} x",
            "{\"a\":{\"b\":[{}]}}",
            "[1 2]",
            "\u{feff}{}",
            "[\"é𝒳\"]",
            "-0.0e0",
            "1e5x",
            &deep,
            &deeper,
        ] {
            let serde = serde_json::from_str::<serde::de::IgnoredAny>(text);
            // It ignores without looking how deep it is.
            let valid = serde.is_ok() && text != deeper;
            assert_eq!(is_valid(text), valid, "{text}");
        }
    }
}
