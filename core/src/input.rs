//! What the requests' types share in reading what comes in.

use alloc::format;
use core::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::{Error, ErrorCode, fields::TEXT_OR, number::shown};

/// Refuses a number outside [0, 1].
pub(crate) fn check_unit(path: &str, value: f64) -> Result<(), Error> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::InvalidValue,
        path,
        format!("Expected a number from 0 to 1, received {}", shown(value)),
    ))
}

/// Reads null as the default: hosts write what is absent as null.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Reads a plain string as `T::from`, a map as `F` and then `build`.
pub(crate) fn text_or<'de, D, F, T>(deserializer: D, build: fn(F) -> T) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    F: Deserialize<'de>,
    T: for<'a> From<&'a str>,
{
    struct TextOr<F, T>(fn(F) -> T);

    impl<'de, F, T> Visitor<'de> for TextOr<F, T>
    where
        F: Deserialize<'de>,
        T: for<'a> From<&'a str>,
    {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text or an object with a text")
        }

        fn visit_str<E>(self, text: &str) -> Result<T, E> {
            Ok(T::from(text))
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            F::deserialize(MapAccessDeserializer::new(map)).map(self.0)
        }

        fn visit_newtype_struct<D: Deserializer<'de>>(self, record: D) -> Result<T, D::Error> {
            F::deserialize(record).map(self.0)
        }
    }

    if deserializer.is_human_readable() {
        deserializer.deserialize_any(TextOr(build))
    } else {
        deserializer.deserialize_newtype_struct(TEXT_OR, TextOr(build))
    }
}
