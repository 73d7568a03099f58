//! What the npm package's binding crates share: the way of values into the core and out of it.
//!
//! [`take`] checks and reads what comes in, [`give`] and [`to_json`] are the two ways out, [`Refusal`]
//! is an error on its way to JavaScript, and [`Runs`] keeps the machines that cross as numbers.

mod check;
mod json;
mod runs;

use claimgauge_core::fields::Shape;
use claimgauge_core::{Error, ErrorCode};
use js_sys::JSON;
use serde::Serialize;
use serde::de::DeserializeOwned;
#[cfg(target_family = "wasm")]
use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};
use wasm_bindgen::prelude::*;

use json::Writer;

pub use runs::Runs;

/// A third of the code that std's allocator is, and no slower.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: WasmDynamicTalc = new_wasm_dynamic_allocator();

/// Reads a value that fits `shape`. `name` is what it is called, empty for a request.
///
/// # Errors
/// What does not fit, by its path.
pub fn take<T: DeserializeOwned>(value: JsValue, shape: &Shape, name: &str) -> Result<T, Refusal> {
    Ok(check::check(&value, shape, name)?.read(name)?)
}

/// The same for a type that takes all that fits `shape`, with less code: see [`read_fitting`](claimgauge_core::fields::Value::read_fitting).
///
/// # Errors
/// As [`take`].
pub fn take_fitting<T: DeserializeOwned>(
    value: JsValue,
    shape: &Shape,
    name: &str,
) -> Result<T, Refusal> {
    Ok(check::check(&value, shape, name)?.read_fitting())
}

/// Reads a value that may be absent, of such a type.
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
    take_fitting(value, shape, name).map(Some)
}

/// Plain objects, and null for what is absent. An object that is made call by call is dearer than its text.
///
/// # Errors
/// `too_large` where the text is longer than JavaScript has texts, about 500 MB.
pub fn give<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, Refusal> {
    let text = to_json(value);
    // What was written is JSON: only a text that is too long for the engine cannot be read again.
    JSON::parse(&text).map_err(|_| {
        let message = format!(
            "The result has {} MB, more than JavaScript can hold",
            text.len() >> 20
        );
        Error::new(ErrorCode::TooLarge, "", message)
            .with_hint("Give fewer claims, or less evidence, at once.")
            .into()
    })
}

/// JSON text: the fastest way across, and the one that keeps a name such as `__proto__` a name.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = String::new();
    match value.serialize(Writer(&mut text)) {
        Ok(()) => text,
    }
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
