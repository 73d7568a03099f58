//! What is said of a value that does not fit its table.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt;

use super::{Field, Misfit, Shape};
use crate::{Error, ErrorCode};

/// The type of a value is not the one of `shape`; `received` is JavaScript's word for it.
pub fn wrong_type(path: String, shape: &Shape, received: &str) -> Error {
    let expected = expected(shape);
    let message = format!("Expected {expected}, received {received}");
    Error::new(ErrorCode::InvalidType, path, message)
}

/// A field that a record, or a map, does not take.
pub fn unknown_field(path: String, name: &str, fields: &[Field]) -> Error {
    let message = format!("There is no field \"{}\"", Short(name));
    let error = Error::new(ErrorCode::UnknownField, path, message);
    if fields.is_empty() {
        return error;
    }
    let names = join(fields.iter().map(|field| field.name));
    error.with_hint(format!("The fields are: {names}."))
}

/// A field that must be there.
pub fn missing_field(path: String, field: &Field) -> Error {
    let message = format!("The field \"{}\" is missing", field.name);
    Error::new(ErrorCode::MissingField, path, message)
        .with_hint(format!("Expected {}.", expected(&field.shape)))
}

/// A text that is none of those that a field takes.
pub fn unknown_word(path: String, word: &str, words: &[&str]) -> Error {
    let message = format!("Unknown value \"{}\"", Short(word));
    let words = join(words.iter().copied());
    Error::new(ErrorCode::InvalidValue, path, message).with_hint(format!("Use one of: {words}."))
}

/// A number that is negative or has a fraction.
pub fn not_whole(path: String, shown: &str) -> Error {
    let message = format!("Expected a whole number that is not negative, received {shown}");
    Error::new(ErrorCode::InvalidValue, path, message)
}

/// A text that names no kind, or a number that is no place.
pub fn misfit(path: String) -> Error {
    let message = Misfit::default().to_string();
    Error::new(ErrorCode::InvalidValue, path, message)
}

/// A value that is nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
pub fn too_deep(path: String) -> Error {
    let message = format!("The value is nested deeper than {}", super::MAX_DEPTH);
    Error::new(ErrorCode::TooDeep, path, message)
}

/// A value that holds more than `limit` of something.
pub fn too_large(path: String, limit: usize, of: &str) -> Error {
    let message = format!("The value holds more than {limit} {of}");
    Error::new(ErrorCode::TooLarge, path, message).with_hint("Split the request.")
}

/// At most 60 characters of a caller's text: an error must not carry a megabyte of input.
#[derive(Clone, Copy, Debug)]
pub struct Short<'a>(pub &'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 60;
        match self.0.char_indices().nth(MOST) {
            Some((end, _)) => write!(f, "{}…", &self.0[..end]),
            None => f.write_str(self.0),
        }
    }
}

fn expected(shape: &Shape) -> &'static str {
    match shape {
        Shape::Any => "data",
        Shape::Flag => "boolean",
        Shape::List(_) => "array",
        Shape::Map(_) | Shape::Record(_) => "object",
        Shape::Number => "number",
        Shape::Kind | Shape::OneOf(_) | Shape::Reply | Shape::Text => "string",
        Shape::TextOr(_) => "string or object",
        Shape::Place | Shape::Whole => "whole number",
    }
}

fn join<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut list = String::new();
    for word in words {
        if !list.is_empty() {
            list.push_str(", ");
        }
        list.push_str(word);
    }
    list
}
