//! The JavaScript face of what no scrub, decision or verification needs: convert, call, convert.
//!
//! A small module of its own. Its functions are synchronous, as those of the first module are: in Node the
//! first call loads it, in browsers `init` does, beside the first.

pub mod metrics;

use claimgauge_convert::{Refusal, give, take};
use claimgauge_core::fields;
use claimgauge_core::output::{self, Digest, Snippet};
use claimgauge_core::profile::{ChosenProfile, PRESETS, Profile};
use claimgauge_core::provider::Endpoint;
use claimgauge_core::report::Outline;
use wasm_bindgen::prelude::*;

/// A report as Markdown.
#[wasm_bindgen(js_name = toMarkdown)]
pub fn to_markdown(report: JsValue) -> Result<String, Refusal> {
    let report: Outline = take(report, &fields::REPORT, "report")?;
    report.check()?;
    Ok(report.to_markdown())
}

/// The built-in profiles.
#[wasm_bindgen]
pub fn profiles() -> Result<JsValue, Refusal> {
    give(&Profile::all())
}

/// The profile that a request means, with its thresholds.
#[wasm_bindgen]
pub fn profile(chosen: JsValue) -> Result<JsValue, Refusal> {
    let chosen: ChosenProfile = take(chosen, &fields::CHOSEN_PROFILE, "")?;
    give(&chosen.resolve()?)
}

/// Profiles and triggers for known uses.
#[wasm_bindgen]
pub fn presets() -> Result<JsValue, Refusal> {
    give(&PRESETS)
}

/// Refuses settings of a judge over HTTP that lead nowhere.
#[wasm_bindgen(js_name = endpointCheck)]
pub fn endpoint_check(endpoint: JsValue) -> Result<(), Refusal> {
    let endpoint: Endpoint = take(endpoint, &fields::ENDPOINT, "endpoint")?;
    Ok(endpoint.check()?)
}

/// The parts of a reference to a schema; null where it is none.
#[wasm_bindgen(js_name = parseSchemaRef)]
pub fn parse_reference(text: JsValue) -> Result<JsValue, Refusal> {
    let text: String = take(text, &fields::TEXT, "text")?;
    give(&output::parse_schema_ref(&text))
}

/// A piece of a file's text as anchors have it: a long one by its hash.
#[wasm_bindgen]
pub fn snippet(text: JsValue) -> Result<JsValue, Refusal> {
    let text: String = take(text, &fields::TEXT, "text")?;
    give(&Snippet::new(&text))
}

/// SHA-256 in hex.
#[wasm_bindgen]
pub fn sha256(bytes: &[u8]) -> String {
    Digest::of(bytes)
}
