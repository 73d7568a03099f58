//! The JavaScript face of `claimgauge-schema` and `claimgauge-patterns`: convert, call, convert.
//!
//! Schemas and values come in as JSON text: that is what they are in the end, and its reader knows how
//! deep it may go. A schema stays here under a number of the caller's choosing until it is disposed of.
//! What is refused is thrown as `{ code, path, message, hint }`. A search for patterns comes as the
//! module of the core gave it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use claimgauge_convert::{Refusal, give};
use claimgauge_core::output::{SchemaAnswer, SchemaError};
use claimgauge_core::patterns::{Match, Search};
use claimgauge_core::{Error, ErrorCode};
use claimgauge_patterns as patterns;
use claimgauge_schema::{MAX_DEPTH, Options, Schema};
use serde_json::Value;
use wasm_bindgen::prelude::*;

thread_local! {
    /// The schemas that were not disposed of yet.
    static SCHEMAS: RefCell<BTreeMap<u32, Schema>> = const { RefCell::new(BTreeMap::new()) };
}

/// Keeps a schema under a number that was never used before, not even in an earlier instance.
#[wasm_bindgen(js_name = schemaNew)]
pub fn schema_new(id: u32, schema: &str, formats: bool) -> Result<(), Refusal> {
    let schema =
        read(schema).map_err(|message| Error::new(ErrorCode::SchemaRefused, "", message))?;
    let schema = Schema::new(&schema, Options { formats })?;
    SCHEMAS.with_borrow_mut(|schemas| schemas.insert(id, schema));
    Ok(())
}

/// Whether a tool's output fits; `parsed` asks about what its text is as JSON.
#[wasm_bindgen(js_name = schemaAnswer)]
pub fn schema_answer(id: u32, output: &str, parsed: bool) -> Result<JsValue, Refusal> {
    let answer = SCHEMAS.with_borrow(|schemas| {
        let schema = schemas.get(&id).ok_or_else(|| {
            Error::new(ErrorCode::StaleHandle, "", "There is no such schema")
                .with_hint("It was lost when the module failed: start the check again.")
        })?;
        Ok::<_, Error>(match read(output) {
            Ok(output) => schema.answer(&output, parsed),
            Err(message) => SchemaAnswer::Misfits {
                errors: vec![SchemaError {
                    path: String::new(),
                    message,
                }],
            },
        })
    })?;
    give(&answer)
}

/// Forgets a schema; one that is not there is forgotten already.
#[wasm_bindgen(js_name = schemaDispose)]
pub fn schema_dispose(id: u32) {
    let schema = SCHEMAS.with_borrow_mut(|schemas| schemas.remove(&id));
    drop(schema);
}

/// Where the patterns of a request match, as [`Match::list`] reads it.
#[wasm_bindgen]
pub fn matches(search: JsValue) -> Result<Vec<u32>, Refusal> {
    let search: Search = serde_wasm_bindgen::from_value(search)
        .map_err(|error| Error::new(ErrorCode::InvalidValue, "search", error.to_string()))?;
    Ok(Match::numbers(&patterns::answer(&search)?))
}

fn read(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| {
        let error = error.to_string();
        if error.starts_with("recursion limit") {
            return format!("It is nested deeper than {MAX_DEPTH}");
        }
        format!("It is not what JSON can say: {error}")
    })
}
