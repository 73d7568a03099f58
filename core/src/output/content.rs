//! The bytes of a file in an observation: text where they are text.

use alloc::{string::String, vec::Vec};
use core::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor},
};

use super::digest;

/// Bytes. In JSON the text that they are, or `{ "hex": "…" }` where they are no UTF-8.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Content(pub Vec<u8>);

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Content({} bytes)", self.0.len())
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Hex {
    hex: String,
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match core::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Hex {
                hex: digest::hex(&self.0),
            }
            .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl<'de> Visitor<'de> for Bytes {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text, bytes or { hex }")
            }

            fn visit_str<E>(self, text: &str) -> Result<Content, E> {
                Ok(Content(text.as_bytes().to_vec()))
            }

            fn visit_string<E>(self, text: String) -> Result<Content, E> {
                Ok(Content(text.into_bytes()))
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Content, E> {
                Ok(Content(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Content, E> {
                Ok(Content(bytes))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Content, A::Error> {
                let Hex { hex } =
                    Hex::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                digest::from_hex(&hex)
                    .map(Content)
                    .ok_or_else(|| Error::custom("hex holds pairs of hex digits"))
            }
        }

        deserializer.deserialize_any(Bytes)
    }
}
