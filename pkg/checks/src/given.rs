//! Reads what is itself under test: an agent's output, a trace. It crosses in two pieces that the
//! TypeScript writes, numbers and text: a call across for each key and value would be most of the time
//! that a check takes.

use claimgauge_core::output::Given;
use claimgauge_core::{Error, ErrorCode};

/// What the codes from [`FIRST_WORD`] on stand for: what JSON cannot say, as messages call it. The
/// TypeScript has the same list.
const WORDS: [&str; 11] = [
    "another value",
    "bigint",
    "date",
    "function",
    "infinity",
    "map",
    "more than can be read",
    "promise",
    "set",
    "symbol",
    "what cannot be read",
];

const FIRST_WORD: usize = 10;

/// The largest whole number up to which every one is exact.
const MAX_WHOLE: f64 = (1u64 << 53) as f64;

/// Reads a value. Only what the TypeScript did not write is an error.
pub(crate) fn given(codes: &[f64], texts: &[u8]) -> Result<Given, Error> {
    let read = || {
        let mut reader = Reader {
            codes: codes.iter(),
            texts: std::str::from_utf8(texts).ok()?,
        };
        reader.value()
    };
    read().ok_or_else(|| Error::new(ErrorCode::InvalidValue, "", "Not a value that was written"))
}

struct Reader<'a> {
    codes: std::slice::Iter<'a, f64>,
    texts: &'a str,
}

impl Reader<'_> {
    fn value(&mut self) -> Option<Given> {
        Some(match self.whole()? {
            0 => Given::Undefined,
            1 => Given::Null,
            2 => Given::Boolean(false),
            3 => Given::Boolean(true),
            4 => Given::Nan,
            5 => number(*self.codes.next()?)?,
            6 => Given::String(self.text()?.into()),
            7 => Given::Array(
                (0..self.whole()?)
                    .map(|_| self.value())
                    .collect::<Option<_>>()?,
            ),
            8 => Given::Object(
                (0..self.whole()?)
                    .map(|_| self.field())
                    .collect::<Option<_>>()?,
            ),
            9 => Given::Halved(self.text()?.into()),
            word => Given::Other(WORDS.get(word - FIRST_WORD)?),
        })
    }

    fn field(&mut self) -> Option<(&'static str, Given)> {
        let key = Given::KEYS.get(self.whole()?)?;
        Some((key, self.value()?))
    }

    fn whole(&mut self) -> Option<usize> {
        self.codes.next().map(|&code| code as usize)
    }

    /// The next text, by its length in UTF-16 units.
    fn text(&mut self) -> Option<&str> {
        let units = self.whole()?;
        let end = match self.texts.get(..units) {
            Some(text) if text.is_ascii() => units,
            _ => bytes(self.texts, units),
        };
        let (text, rest) = self.texts.split_at_checked(end)?;
        self.texts = rest;
        Some(text)
    }
}

/// How many bytes so many UTF-16 units at the start of a text are.
fn bytes(text: &str, units: usize) -> usize {
    let mut left = units;
    let start = text.chars().take_while(|character| {
        let more = left > 0;
        left = left.saturating_sub(character.len_utf16());
        more
    });
    start.map(char::len_utf8).sum()
}

fn number(number: f64) -> Option<Given> {
    Some(Given::Number(
        if number.fract() == 0.0 && number.abs() <= MAX_WHOLE {
            (number as i64).into()
        } else {
            serde_json::Number::from_f64(number)?
        },
    ))
}
