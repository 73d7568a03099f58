//! Documents: JSON text on its way into the core and out of it.

use std::io;

use claimgauge_core::fields::{self, Shape, Value};
use claimgauge_core::output::Given;
use claimgauge_core::{Error, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Serializer;
use serde_json::error::Category;
use serde_json::ser::Formatter;

/// Reads a document that fits `shape`. `name` is what it is called, empty for a request.
pub(crate) fn take<T: DeserializeOwned>(text: &str, shape: &Shape, name: &str) -> Result<T, Error> {
    let value: Value = read(text, name)?;
    fields::check(value, shape, name)?.read(name)
}

/// Reads what is itself under test.
pub(crate) fn given(text: &str, name: &str) -> Result<Given, Error> {
    read(text, name)
}

fn read<T: DeserializeOwned>(text: &str, name: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| {
        let said = error.to_string();
        let code = match error.classify() {
            _ if said.starts_with("recursion limit") => ErrorCode::TooDeep,
            _ if said.contains("surrogate") => ErrorCode::LoneSurrogate,
            Category::Syntax if said.starts_with("number out of range") => ErrorCode::NotFinite,
            _ => ErrorCode::InvalidValue,
        };
        Error::new(code, name, format!("It is not what JSON can say: {said}"))
    })
}

/// The text of a value.
pub(crate) fn give<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = Vec::new();
    let mut writer = Serializer::with_formatter(&mut text, Numbers);
    value
        .serialize(&mut writer)
        .expect("what the core gives is what JSON can say");
    String::from_utf8(text).expect("serde_json writes UTF-8")
}

/// The text of each value.
pub(crate) fn each<T: Serialize>(values: &[T]) -> Vec<String> {
    values.iter().map(give).collect()
}

/// A value that is a word, without its quotes.
pub(crate) fn word<T: Serialize>(value: &T) -> String {
    give(value).trim_matches('"').into()
}

/// Numbers as JavaScript writes them: 1, not 1.0. What the core rounds has no exponent.
struct Numbers;

impl Formatter for Numbers {
    fn write_f64<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write!(writer, "{value}")
    }
}
