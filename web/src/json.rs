//! JSON as the page reads and writes it: what it keeps, and what it hands to its worker. serde's readers of the same
//! values are a tenth of what the page loads at first; they read what comes later.

/// A value. Numbers have the precision of fifteen digits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

/// How deep values may lie in each other.
const MOST_DEPTH: usize = 32;

impl Json {
    /// The value that a text holds, if that is JSON and nothing else.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.space();
        (reader.at == text.len()).then_some(value)
    }

    /// The field of that name, where this is an object that has it.
    pub(crate) fn field(&self, name: &str) -> Option<&Self> {
        let Self::Object(fields) = self else {
            return None;
        };
        let field = fields.iter().find(|(known, _)| known == name);
        field.map(|(_, value)| value)
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }
}

/// JSON that is being written.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) String);

impl Writer {
    /// Writes a part of the JSON itself.
    pub(crate) fn json(&mut self, json: &'static str) {
        self.0.push_str(json);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.0.push('"');
        let mut rest = text;
        let escaped = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
        while let Some(plain) = rest.bytes().position(escaped) {
            self.0.push_str(&rest[..plain]);
            match rest.as_bytes()[plain] {
                b'\n' => self.json("\\n"),
                byte if byte < b' ' => {
                    self.json(if byte < 16 { "\\u000" } else { "\\u001" });
                    self.0.extend(char::from_digit(u32::from(byte) % 16, 16));
                }
                byte => {
                    self.0.push('\\');
                    self.0.push(char::from(byte));
                }
            }
            rest = &rest[plain + 1..];
        }
        self.0.push_str(rest);
        self.0.push('"');
    }

    /// Writes a field that is a text.
    pub(crate) fn field(&mut self, name: &str, text: &str) {
        self.comma();
        self.text(name);
        self.json(":");
        self.text(text);
    }

    /// Parts what comes next from what stands before it in its list or object.
    pub(crate) fn comma(&mut self) {
        if !self.0.ends_with(['[', '{']) {
            self.json(",");
        }
    }

    /// Writes a number from 0 to 1, to fifteen decimals: that many are read.
    pub(crate) fn share(&mut self, share: f64) {
        const ONE: u64 = 1_000_000_000_000_000;
        let size = (share * ONE as f64 + 0.5) as u64;
        let digits = format!("{}.{:015}", size / ONE, size % ONE);
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        self.0.push_str(digits);
    }
}

/// A text, and how far it is read. What is not JSON is `None`.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.next(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn take(&mut self, word: &str) -> Option<()> {
        let is_there = self.text.get(self.at..)?.starts_with(word);
        is_there.then(|| self.at += word.len())
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > MOST_DEPTH {
            return None;
        }
        self.space();
        match self.next()? {
            b'{' => {
                let mut fields = Vec::new();
                self.items(b'}', &mut |reader| {
                    reader.space();
                    let name = reader.string()?;
                    reader.space();
                    reader.take(":")?;
                    fields.push((name, reader.value(depth + 1)?));
                    Some(())
                })?;
                Some(Json::Object(fields))
            }
            b'[' => {
                let mut items = Vec::new();
                self.items(b']', &mut |reader| {
                    items.push(reader.value(depth + 1)?);
                    Some(())
                })?;
                Some(Json::List(items))
            }
            b'"' => self.string().map(Json::Text),
            b'n' => self.take("null").map(|()| Json::Null),
            b't' => self.take("true").map(|()| Json::Bool(true)),
            b'f' => self.take("false").map(|()| Json::Bool(false)),
            _ => self.number().map(Json::Number),
        }
    }

    /// What stands between brackets, with commas between.
    fn items(&mut self, end: u8, item: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        self.space();
        if self.next()? == end {
            self.at += 1;
            return Some(());
        }
        loop {
            item(self)?;
            self.space();
            let next = self.next()?;
            self.at += 1;
            match next {
                b',' => {}
                next if next == end => return Some(()),
                _ => return None,
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut read = String::new();
        loop {
            let rest = self.text.get(self.at..)?;
            let ends = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
            let plain = rest.bytes().position(ends)?;
            read.push_str(rest.get(..plain)?);
            self.at += plain + 1;
            match rest.as_bytes()[plain] {
                b'"' => return Some(read),
                b'\\' => read.push(self.escaped()?),
                _ => return None,
            }
        }
    }

    fn escaped(&mut self) -> Option<char> {
        let escape = self.next()?;
        self.at += 1;
        Some(match escape {
            b'"' | b'\\' | b'/' => char::from(escape),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                if !(0xd800..0xdc00).contains(&unit) {
                    return char::from_u32(unit);
                }
                self.take("\\u")?;
                let low = self.unit()?;
                let is_low = (0xdc00..0xe000).contains(&low);
                let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low & 0x3ff);
                char::from_u32(code).filter(|_| is_low)?
            }
            _ => return None,
        })
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        let digit = |unit: u32, digit: char| Some(unit * 16 + digit.to_digit(16)?);
        digits.chars().try_fold(0, digit)
    }

    fn number(&mut self) -> Option<f64> {
        let sign = self.take("-").map_or(1.0, |()| -1.0);
        let (whole, _) = self.digits(0.0)?;
        let (mut number, mut places) = (whole, 0);
        if self.take(".").is_some() {
            (number, places) = self.digits(whole)?;
        }
        if matches!(self.next(), Some(b'e' | b'E')) {
            self.at += 1;
            let down = self.take("-").is_some();
            if !down {
                let _ = self.take("+");
            }
            let (power, _) = self.digits(0.0)?;
            // No number has more digits; casting keeps it in bounds.
            let power = power as i32;
            places = if down {
                places.saturating_add(power)
            } else {
                places.saturating_sub(power)
            };
        }
        // Powers of ten are exact as far as there are fifteen digits, and so is one division by them.
        let mut power = 1.0;
        for _ in 0..places.unsigned_abs().min(400) {
            power *= 10.0;
        }
        let size = if places < 0 {
            number * power
        } else {
            number / power
        };
        Some(sign * size)
    }

    /// The digits from here on, behind those of `before`, and how many they are: at least one.
    fn digits(&mut self, before: f64) -> Option<(f64, i32)> {
        let (mut number, mut count) = (before, 0);
        while let Some(digit @ b'0'..=b'9') = self.next() {
            number = number * 10.0 + f64::from(digit - b'0');
            count += 1;
            self.at += 1;
        }
        (count > 0).then_some((number, count))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{Json, Writer};

    /// The value as serde has it.
    fn as_serde(json: Json) -> Value {
        match json {
            Json::Null => Value::Null,
            Json::Bool(value) => value.into(),
            Json::Number(number) => number.into(),
            Json::Text(text) => text.into(),
            Json::List(items) => items.into_iter().map(as_serde).collect(),
            Json::Object(fields) => {
                let fields = fields
                    .into_iter()
                    .map(|(name, value)| (name, as_serde(value)));
                Value::Object(fields.collect())
            }
        }
    }

    #[test]
    fn it_reads_what_serde_reads() {
        for text in [
            r#" { "a" : [ 1.5 , -0.25, 12e2, 5E-1, 0.95 ] , "b":{}, "c":[], "d":null, "e":true,"f":false } "#,
            r#""a\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00 ä 😀""#,
            "[[[\"x\"]]]",
            "0.123456789012345",
        ] {
            let read = Json::read(text).map(as_serde);
            assert_eq!(read, serde_json::from_str(text).ok(), "{text}");
            assert!(read.is_some(), "{text}");
        }
    }

    #[test]
    fn what_it_writes_is_read() {
        for text in [
            "",
            "a\"\\/b\u{8}\u{c}\n\r\t\0\u{1f}\u{7f} ä 😀",
            "\n",
            "plain",
        ] {
            let mut to = Writer::default();
            to.text(text);
            assert_eq!(serde_json::from_str(&to.0).ok(), Some(text.to_owned()));
            assert_eq!(Json::read(&to.0), Some(Json::Text(text.to_owned())));
        }
        for share in [
            0.0,
            1.0,
            0.85,
            0.1 + 0.2,
            0.005,
            1e-9,
            0.999_999_999_999_999,
        ] {
            let mut to = Writer::default();
            to.share(share);
            let read: f64 = serde_json::from_str(&to.0).unwrap();
            assert!((read - share).abs() < 1e-15, "{share} {}", to.0);
            assert_eq!(Json::read(&to.0), Some(Json::Number(read)));
        }
        let mut to = Writer::default();
        to.share(0.85);
        assert_eq!(to.0, "0.85");
    }

    #[test]
    fn what_is_no_json_is_refused() {
        let deep = "[".repeat(100);
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "{\"a\"}",
            "{\"a\":}",
            "\"a",
            "\"\n\"",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "nul",
            "-",
            "1.",
            "1e",
            "[1] 2",
            "\"\\u12\"",
            &deep,
        ] {
            assert_eq!(Json::read(text), None, "{text}");
        }
    }
}
