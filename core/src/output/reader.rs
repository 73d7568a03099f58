//! Reads typed values out of given ones and keeps every error with its place, not only the first.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::given::Given;
use crate::metrics::Category;

/// One error of level 1.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct StructureError {
    /// Where: keys and positions joined by dots, empty at the root.
    pub path: String,
    /// What is wrong there.
    pub message: String,
    /// Its kind.
    pub category: Category,
}

/// The most errors that are told of one value: an output of millions of wrong ones must not become more
/// text than a host can hold.
const MAX_ERRORS: usize = 100_000;

/// Collects the errors of one reading. A `None` from any method means that an error was kept.
#[derive(Debug, Default)]
pub(super) struct Reader {
    place: Vec<Step>,
    errors: Vec<StructureError>,
    /// Fields of the objects that were read, less those that were taken.
    left: usize,
}

/// The fields of an object that are not read yet.
pub(super) struct Object(Vec<(&'static str, Given)>);

#[derive(Clone, Copy, Debug)]
enum Step {
    Index(usize),
    Key(&'static str),
}

impl Reader {
    /// What was wrong.
    pub(super) fn into_errors(self) -> Vec<StructureError> {
        self.errors
    }

    /// Whether every field of every object was taken: nothing was left out.
    pub(super) fn took_everything(&self) -> bool {
        self.left == 0
    }

    /// A value that must be there.
    pub(super) fn required<T>(
        &mut self,
        object: &mut Object,
        key: &'static str,
        read: impl FnOnce(&mut Self, Given) -> Option<T>,
    ) -> Option<T> {
        self.inside(Step::Key(key), |reader| {
            let value = reader.take(object, key);
            reader.present(value, read)
        })
    }

    /// A value that may be absent: `Some(None)` then.
    #[expect(clippy::option_option, reason = "absent and wrong are two things")]
    pub(super) fn optional<T>(
        &mut self,
        object: &mut Object,
        key: &'static str,
        read: impl FnOnce(&mut Self, Given) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.take(object, key) {
            Given::Undefined => Some(None),
            value => self.inside(Step::Key(key), |reader| read(reader, value).map(Some)),
        }
    }

    /// Reads a value, or says that it is required.
    pub(super) fn present<T>(
        &mut self,
        value: Given,
        read: impl FnOnce(&mut Self, Given) -> Option<T>,
    ) -> Option<T> {
        match value {
            Given::Undefined => self.error(Category::MissingField, "Required"),
            value => read(self, value),
        }
    }

    pub(super) fn object(&mut self, value: Given) -> Option<Object> {
        match value {
            Given::Object(fields) => {
                self.left += fields.len();
                Some(Object(fields))
            }
            other => self.wrong_type("object", &other),
        }
    }

    /// A list, read item by item; `None` where any item is wrong.
    pub(super) fn list<T>(
        &mut self,
        value: Given,
        mut read: impl FnMut(&mut Self, Given) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Given::Array(items) = value else {
            return self.wrong_type("array", &value);
        };
        let count = items.len();
        let read: Vec<T> = items
            .into_iter()
            .enumerate()
            .filter_map(|(at, item)| {
                self.inside(Step::Index(at), |reader| reader.present(item, &mut read))
            })
            .collect();
        (read.len() == count).then_some(read)
    }

    pub(super) fn string(&mut self, value: Given) -> Option<String> {
        match value {
            Given::String(text) => Some(text),
            other => self.wrong_type("string", &other),
        }
    }

    /// Text that is only read: what is not whole in it does no harm.
    pub(super) fn prose(&mut self, value: Given) -> Option<String> {
        match value {
            Given::Halved(text) => Some(text),
            value => self.string(value),
        }
    }

    pub(super) fn number(&mut self, value: Given) -> Option<Number> {
        match value {
            Given::Number(number) => Some(number),
            other => self.wrong_type("number", &other),
        }
    }

    /// One of the words of a table, and what it stands for.
    pub(super) fn word<T: Copy>(&mut self, value: Given, table: &[(&str, T)]) -> Option<T> {
        let word = self.string(value)?;
        if let Some((_, meant)) = table.iter().find(|(name, _)| *name == word) {
            return Some(*meant);
        }
        let names: Vec<String> = table.iter().map(|(name, _)| format!("'{name}'")).collect();
        let (names, word) = (names.join(" | "), brief(&word));
        self.invalid(format!(
            "Invalid enum value. Expected {names}, received '{word}'"
        ))
    }

    /// Keeps an error that is no missing key.
    pub(super) fn invalid<T>(&mut self, message: impl Into<String>) -> Option<T> {
        self.error(Category::InvalidType, message)
    }

    fn take(&mut self, object: &mut Object, key: &'static str) -> Given {
        let value = object.take(key);
        self.left -= usize::from(!matches!(value, Given::Undefined));
        value
    }

    fn wrong_type<T>(&mut self, expected: &str, value: &Given) -> Option<T> {
        let received = value.type_word();
        self.invalid(format!("Expected {expected}, received {received}"))
    }

    fn error<T>(&mut self, category: Category, message: impl Into<String>) -> Option<T> {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(StructureError {
                path: self.path(),
                message: message.into(),
                category,
            });
        }
        None
    }

    fn inside<T>(&mut self, step: Step, read: impl FnOnce(&mut Self) -> T) -> T {
        self.place.push(step);
        let read = read(self);
        self.place.pop();
        read
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for (at, step) in self.place.iter().enumerate() {
            if at > 0 {
                path.push('.');
            }
            match step {
                Step::Key(key) => path.push_str(key),
                Step::Index(index) => {
                    write!(path, "{index}").expect("a String takes what is written");
                }
            }
        }
        path
    }
}

impl Object {
    /// The fields of a value that need not be an object: none then.
    pub(super) fn of(value: Given) -> Self {
        match value {
            Given::Object(fields) => Self(fields),
            _ => Self(Vec::new()),
        }
    }

    /// The value of a key; `Undefined` where it is absent.
    pub(super) fn take(&mut self, key: &str) -> Given {
        debug_assert!(Given::key(key).is_some(), "{key} is never read");
        let Self(fields) = self;
        let place = fields.iter().rposition(|(name, _)| *name == key);
        place.map_or(Given::Undefined, |at| {
            core::mem::replace(&mut fields[at].1, Given::Undefined)
        })
    }

    /// The value of a key if it is text.
    pub(super) fn take_string(&mut self, key: &str) -> Option<String> {
        match self.take(key) {
            Given::String(text) => Some(text),
            _ => None,
        }
    }
}

/// The beginning of a word: a message must not carry a megabyte of input.
fn brief(word: &str) -> String {
    const MOST: usize = 40;
    match word.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
