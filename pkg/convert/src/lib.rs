//! What the npm package's binding crates share: the way of values into the core and out of it.
//!
//! [`take`] checks and reads what comes in, [`give`] and [`to_json`] are the two ways out, [`Refusal`]
//! is an error on its way to JavaScript, and [`Runs`] keeps the machines that cross as numbers.

mod check;
mod runs;
mod value;

use claimgauge_core::fields::Shape;
use claimgauge_core::{Error, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

pub use runs::Runs;

/// Reads a value that fits `shape`. `name` is what it is called, empty for a request.
///
/// # Errors
/// What does not fit, by its path.
pub fn take<T: DeserializeOwned>(value: JsValue, shape: &Shape, name: &str) -> Result<T, Refusal> {
    let value = check::check(&value, shape, name)?;
    T::deserialize(value).map_err(|misfit| misfit.at(name))
}

/// Reads a value that may be absent.
///
/// # Errors
/// As [`take`].
pub fn take_optional<T: DeserializeOwned>(
    value: JsValue,
    shape: &Shape,
    name: &str,
) -> Result<Option<T>, Refusal> {
    if value.is_null() || value.is_undefined() {
        return Ok(None);
    }
    take(value, shape, name).map(Some)
}

/// Plain objects, and null for what is absent.
///
/// # Errors
/// None that can be: serde's way of writing has a place for them.
pub fn give<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, Refusal> {
    value
        .serialize(&Serializer::json_compatible())
        .map_err(|error| Error::new(ErrorCode::InvalidValue, "", error.to_string()).into())
}

/// JSON text: the fastest way across for what is large, and the one that keeps a name such as
/// `__proto__` a name.
///
/// # Errors
/// As [`give`].
pub fn to_json<T: Serialize>(value: &T) -> Result<String, Refusal> {
    serde_json::to_string(value)
        .map_err(|error| Error::new(ErrorCode::InvalidValue, "", error.to_string()).into())
}

/// An error on its way to JavaScript.
#[derive(Debug)]
pub struct Refusal(Error);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl From<Refusal> for JsValue {
    fn from(refusal: Refusal) -> Self {
        give(&refusal.0).unwrap_or_else(|_| refusal.0.message().into())
    }
}
