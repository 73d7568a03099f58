//! The check of a value that is data.

use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::{fmt, iter};

use super::{
    Field, Shape, Value,
    refuse::{self, Short},
    value::whole,
};
use crate::{Error, evidence::MAX_BYTES, patterns::KindName};

/// How deep a value may be nested. A report is nested seven deep, and no request deeper.
pub const MAX_DEPTH: usize = 64;

/// How many values a value may hold.
pub const MAX_VALUES: usize = 10_000_000;

/// How many UTF-16 units all texts may have together: a report holds its evidence more than once.
pub const MAX_UNITS: usize = 4 * MAX_BYTES;

/// Takes what fits `shape`, without its fields that are null, and refuses what does not. `name` is what the
/// value is called at its root, empty for a request.
///
/// ```
/// use claimgauge_core::fields::{self, Value};
///
/// let claims = Value::List(vec![Value::Number(1.0)]);
/// let request = Value::Record(vec![("claims".into(), claims)]);
/// let error = fields::check(request, &fields::VERIFY, "").unwrap_err();
/// assert_eq!(error.path(), "claims.0");
/// assert_eq!(error.message(), "Expected string or object, received number");
/// ```
///
/// # Errors
/// `invalid_type`, `invalid_value`, `missing_field`, `unknown_field`, `too_deep` and `too_large`, by the path.
pub fn check(value: Value, shape: &Shape, name: &str) -> Result<Value, Error> {
    Walk::default().value(value, shape, &Place::root(name))
}

/// Where the walk is: a chain from the value up to its root.
struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    key: Key<'a>,
}

enum Key<'a> {
    Index(usize),
    Name(&'a str),
}

/// What the walk has seen so far.
#[derive(Default)]
struct Walk {
    values: usize,
    units: usize,
}

impl Walk {
    fn value(&mut self, value: Value, shape: &Shape, place: &Place<'_>) -> Result<Value, Error> {
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(refuse::too_large(place.to_string(), MAX_VALUES, "values"));
        }
        match (shape, value) {
            (Shape::Kind, Value::Text(word)) if KindName::from_word(&word).is_none() => {
                Err(refuse::misfit(place.to_string()))
            }
            (Shape::Place, Value::Number(number)) if whole(number).is_some_and(is_far) => {
                Err(refuse::misfit(place.to_string()))
            }
            (Shape::Any, Value::List(items)) => self.list(items, &Shape::Any, place),
            (Shape::Any, Value::Record(fields)) => self.map(fields, &Shape::Any, place),
            (Shape::List(item), Value::List(items)) => self.list(items, item, place),
            (Shape::Map(item), Value::Record(fields)) => self.map(fields, item, place),
            (Shape::Record(known), Value::Record(fields)) => self.record(fields, known, place),
            (Shape::TextOr(other), value @ Value::Record(_)) => self.value(value, other, place),
            (Shape::OneOf(words), Value::Text(word)) => {
                if words.contains(&word.as_str()) {
                    Ok(Value::Text(word))
                } else {
                    Err(refuse::unknown_word(place.to_string(), &word, words))
                }
            }
            (
                Shape::Any | Shape::Kind | Shape::Reply | Shape::Text | Shape::TextOr(_),
                Value::Text(text),
            ) => self.text(text, place),
            (Shape::Place | Shape::Whole, Value::Number(number)) => match whole(number) {
                Some(_) => Ok(Value::Number(number)),
                None => Err(refuse::not_whole(place.to_string(), &number.to_string())),
            },
            (Shape::Any, value @ (Value::Flag(_) | Value::Null | Value::Number(_)))
            | (Shape::Flag, value @ Value::Flag(_))
            | (Shape::Number, value @ Value::Number(_)) => Ok(value),
            (shape, value) => Err(refuse::wrong_type(
                place.to_string(),
                shape,
                received(&value),
            )),
        }
    }

    fn list(
        &mut self,
        items: Vec<Value>,
        shape: &Shape,
        place: &Place<'_>,
    ) -> Result<Value, Error> {
        place.check_depth()?;
        let items = items.into_iter().enumerate();
        let checked = items.map(|(at, item)| self.value(item, shape, &place.with(Key::Index(at))));
        checked.collect::<Result<_, _>>().map(Value::List)
    }

    fn map(
        &mut self,
        fields: Vec<(String, Value)>,
        shape: &Shape,
        place: &Place<'_>,
    ) -> Result<Value, Error> {
        place.check_depth()?;
        let checked = fields.into_iter().map(|(name, value)| {
            let inner = place.with(Key::Name(&name));
            // A name that no object of JavaScript can hold is refused everywhere.
            if name == "__proto__" {
                return Err(refuse::unknown_field(inner.to_string(), &name, &[]));
            }
            let value = self.value(value, shape, &inner)?;
            Ok((name, value))
        });
        checked.collect::<Result<_, _>>().map(Value::Record)
    }

    fn record(
        &mut self,
        fields: Vec<(String, Value)>,
        known: &[Field],
        place: &Place<'_>,
    ) -> Result<Value, Error> {
        place.check_depth()?;
        let mut seen = vec![false; known.len()];
        let mut record = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            let inner = place.with(Key::Name(&name));
            let Some(at) = known.iter().position(|field| field.name == name) else {
                return Err(refuse::unknown_field(inner.to_string(), &name, known));
            };
            if value == Value::Null && !known[at].required {
                continue;
            }
            seen[at] = true;
            let value = self.value(value, &known[at].shape, &inner)?;
            record.push((name, value));
        }
        let missing = known
            .iter()
            .zip(seen)
            .find(|(field, seen)| field.required && !seen);
        match missing {
            Some((field, _)) => {
                let path = place.with(Key::Name(field.name)).to_string();
                Err(refuse::missing_field(path, field))
            }
            None => Ok(Value::Record(record)),
        }
    }

    fn text(&mut self, text: String, place: &Place<'_>) -> Result<Value, Error> {
        // A text has no more units than bytes.
        self.units = self.units.saturating_add(if text.is_ascii() {
            text.len()
        } else {
            text.encode_utf16().count()
        });
        if self.units > MAX_UNITS {
            let path = place.to_string();
            return Err(refuse::too_large(path, MAX_UNITS, "UTF-16 units of text"));
        }
        Ok(Value::Text(text))
    }
}

/// Whether no text on this machine is so long.
fn is_far(place: u64) -> bool {
    usize::try_from(place).is_err()
}

fn received(value: &Value) -> &'static str {
    match value {
        Value::Flag(_) => "boolean",
        Value::List(_) => "array",
        Value::Null => "null",
        Value::Number(_) => "number",
        Value::Record(_) => "object",
        Value::Text(_) => "string",
    }
}

impl<'a> Place<'a> {
    fn root(name: &'a str) -> Self {
        Self {
            parent: None,
            key: Key::Name(name),
        }
    }

    fn with(&'a self, key: Key<'a>) -> Self {
        Self {
            parent: Some(self),
            key,
        }
    }

    fn check_depth(&self) -> Result<(), Error> {
        let above = iter::successors(self.parent, |place| place.parent);
        if above.count() < MAX_DEPTH {
            Ok(())
        } else {
            Err(refuse::too_deep(self.to_string()))
        }
    }
}

/// Dot-joined, as in `evidence.2.id`.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
            if parent.parent.is_some() || !matches!(parent.key, Key::Name("")) {
                f.write_str(".")?;
            }
        }
        match self.key {
            Key::Index(index) => index.fmt(f),
            Key::Name(name) => Short(name).fmt(f),
        }
    }
}
