//! A value from outside of which nothing is known: read as far as any shape here looks into it.

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;

/// How deep a value is read. What lies deeper is left out: no shape looks there, and a value that is
/// nested a hundred thousand deep must not cost a stack of that depth.
pub const MAX_DEPTH: usize = 8;

/// Any value at all: what JSON can say, and what a host's language can say beside it.
///
/// Deserialises from every value, never deeper than [`MAX_DEPTH`], and without the keys that no
/// output and no trace has; a host that builds one itself keeps to that too.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// An array.
    Array(Vec<Given>),
    /// True or false.
    Boolean(bool),
    /// Text with half of a surrogate pair, as a host's language may have it, and U+FFFD in its place. It
    /// can be read, but it is not what was given: it names no file and proves nothing.
    Halved(String),
    /// Not a number, though of that type.
    Nan,
    /// The null of JSON.
    Null,
    /// A finite number.
    Number(Number),
    /// An object's keys, as [`Given::key`] has them. Where one stands twice, the later is meant.
    Object(Vec<(&'static str, Given)>),
    /// What JSON cannot say, by the word for its type, such as `function`.
    Other(&'static str),
    /// Text.
    String(String),
    /// No value: the same as an absent key.
    Undefined,
}

impl Given {
    /// The keys that outputs and traces have, sorted. Other keys are never looked at.
    #[rustfmt::skip]
    pub const KEYS: [&'static str; 35] = [
        "afterSnippet", "anchor", "args", "artifacts", "beforeSnippet", "claims", "command", "content",
        "contentHash", "editedRegion", "end", "evidenceRefs", "exitCode", "file", "filePath", "head",
        "invocationId", "invocations", "kind", "label", "length", "meta", "output", "path", "purpose",
        "sha256", "sourceTool", "specialistId", "start", "status", "summary", "tail", "tool", "traceId",
        "traceRef",
    ];

    /// The key of this name, if any output or trace has it.
    pub fn key(name: &str) -> Option<&'static str> {
        Self::KEYS
            .binary_search(&name)
            .ok()
            .map(|at| Self::KEYS[at])
    }

    /// The word for its type in messages.
    pub fn type_word(&self) -> &'static str {
        match self {
            Self::Array(_) => "array",
            Self::Boolean(_) => "boolean",
            Self::Halved(_) => "half of a surrogate pair",
            Self::Nan => "nan",
            Self::Null => "null",
            Self::Number(_) => "number",
            Self::Object(_) => "object",
            Self::Other(word) => word,
            Self::String(_) => "string",
            Self::Undefined => "undefined",
        }
    }
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Level(0).deserialize(deserializer)
    }
}

/// Reads one value that lies so deep.
#[derive(Clone, Copy)]
struct Level(usize);

impl Level {
    fn below(self) -> Option<Self> {
        (self.0 < MAX_DEPTH).then_some(Self(self.0 + 1))
    }
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Given;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Given, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Given;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Given, E> {
        Ok(Given::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Given, E> {
        Ok(Given::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Given, E> {
        Ok(Given::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Given, E> {
        Ok(Number::from_f64(value).map_or(Given::Nan, Given::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Given, E> {
        Ok(Given::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Given, E> {
        Ok(Given::String(value))
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<Given, E> {
        Ok(Given::Object(Vec::new()))
    }

    fn visit_none<E>(self) -> Result<Given, E> {
        Ok(Given::Null)
    }

    fn visit_unit<E>(self) -> Result<Given, E> {
        Ok(Given::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Given, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Given, D::Error> {
        self.deserialize(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Given, A::Error> {
        let mut items = Vec::new();
        match self.below() {
            Some(below) => {
                while let Some(item) = seq.next_element_seed(below)? {
                    items.push(item);
                }
            }
            None => while seq.next_element::<IgnoredAny>()?.is_some() {},
        }
        Ok(Given::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Given, A::Error> {
        let mut fields = Vec::new();
        match self.below() {
            Some(below) => {
                while let Some(Key(key)) = map.next_key()? {
                    match key {
                        Some(key) => fields.push((key, map.next_value_seed(below)?)),
                        None => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
            }
            None => while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {},
        }
        Ok(Given::Object(fields))
    }
}

/// A key of an object; none where nobody looks for it.
struct Key(Option<&'static str>);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_str<E>(self, name: &str) -> Result<Key, E> {
                Ok(Key(Given::key(name)))
            }
        }

        deserializer.deserialize_identifier(Name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found() {
        assert!(Given::KEYS.is_sorted());
        for key in Given::KEYS {
            assert_eq!(Given::key(key), Some(key));
        }
        assert_eq!(Given::key("__proto__"), None);
    }

    #[test]
    fn only_what_can_be_looked_at_is_read() {
        let text = r#"{"a":[{"path":1}],"path":[null,true,"x",-1,1.5,{"tool":{}}]}"#;
        let given: Given = serde_json::from_str(text).unwrap();
        let Given::Object(fields) = given else {
            panic!("an object");
        };
        let [("path", Given::Array(items))] = &fields[..] else {
            panic!("one key: {fields:?}");
        };
        let words: Vec<&str> = items.iter().map(Given::type_word).collect();
        assert_eq!(
            words,
            ["null", "boolean", "string", "number", "number", "object"]
        );
    }
}
