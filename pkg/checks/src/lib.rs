//! The JavaScript face of the core's judges and output checks: convert, call, convert.
//!
//! A module of its own, nearly as large as the first one: it is loaded by the first verification, for its second
//! opinion, by a judge of ours, or by the first check of an output, all of which are asynchronous.
//!
//! [`output`] has the check of what an agent did.

mod given;
pub mod output;

use claimgauge_convert::{Refusal, give, take};
use claimgauge_core::calibration::CalibrateRequest;
use claimgauge_core::prompt::Message;
use claimgauge_core::provider::{self, language_model};
use claimgauge_core::verification::Failure;
use claimgauge_core::{builtin, cache, fields};
use serde::Serialize;
use serde::de::IgnoredAny;
use wasm_bindgen::prelude::*;

/// The built-in judge's reply.
#[wasm_bindgen(js_name = builtinReply)]
pub fn builtin_reply(question: JsValue) -> Result<String, Refusal> {
    let question: builtin::ClaimOnSpans = take(question, &fields::BUILTIN, "")?;
    Ok(question.reply())
}

/// The second opinion: the atoms of each claim.
#[wasm_bindgen]
pub fn atoms(question: JsValue) -> Result<JsValue, Refusal> {
    let question: builtin::ClaimsOnSpans = take(question, &fields::CLAIMS_ON_SPANS, "")?;
    give(&question.atoms())
}

/// What to send to a judge over HTTP.
#[wasm_bindgen(js_name = providerRequest)]
pub fn provider_request(question: JsValue) -> Result<JsValue, Refusal> {
    let question: provider::Question = take(question, &fields::PROVIDER_QUESTION, "")?;
    give(&provider::request(&question)?)
}

/// What to call a browser's own language model with.
#[wasm_bindgen(js_name = languageModelCalls)]
pub fn language_model_calls(question: JsValue) -> Result<JsValue, Refusal> {
    let question: language_model::Question = take(question, &fields::LANGUAGE_MODEL_QUESTION, "")?;
    give(&language_model::calls(&question))
}

/// Whether it can be asked, by what it says of itself.
#[wasm_bindgen(js_name = languageModelIsAvailable)]
pub fn language_model_is_available(availability: &str) -> bool {
    language_model::is_available(availability)
}

/// What to make of what it threw.
#[wasm_bindgen(js_name = languageModelRead)]
pub fn language_model_read(thrown: JsValue) -> Result<JsValue, Refusal> {
    let thrown: language_model::Thrown = take(thrown, &fields::LANGUAGE_MODEL_THROWN, "")?;
    give(&language_model::read(&thrown))
}

/// What to make of what came back.
#[wasm_bindgen(js_name = providerRead)]
pub fn provider_read(response: JsValue) -> Result<JsValue, Refusal> {
    let response: provider::Response = take(response, &fields::PROVIDER_RESPONSE, "")?;
    give(&provider::read(&response))
}

/// Under which key an answer of a judge that says what its answers depend on is kept.
#[wasm_bindgen(js_name = answerKey)]
pub fn answer_key(
    judge: &str,
    parameters: &str,
    messages: JsValue,
    structured: bool,
) -> Result<String, Refusal> {
    let messages: Vec<Message> = take(messages, &fields::MESSAGES, "messages")?;
    Ok(cache::key(judge, parameters, &messages, structured))
}

/// How well a judge tells labelled claims apart.
#[wasm_bindgen]
pub fn calibrate(request: JsValue) -> Result<JsValue, Refusal> {
    let request: CalibrateRequest = take(request, &fields::CALIBRATE, "")?;
    give(&request.run()?)
}

/// Whether a failure of that code says nothing of what was asked.
#[wasm_bindgen(js_name = isOnTheWay)]
pub fn is_on_the_way(code: &str) -> bool {
    Failure::new(code, "").is_on_the_way()
}

/// Where a text stops being JSON; null where it is JSON.
#[wasm_bindgen(js_name = jsonError)]
pub fn json_error(text: &str) -> Result<JsValue, Refusal> {
    #[derive(Serialize)]
    struct Broken {
        line: usize,
        column: usize,
        message: String,
    }
    let read: Result<IgnoredAny, _> = serde_json::from_str(text);
    give(&read.err().map(|error| Broken {
        line: error.line(),
        column: error.column(),
        message: error.to_string(),
    }))
}
