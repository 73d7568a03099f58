//! The JavaScript face of `claimgauge-core`: convert, call, convert.
//!
//! Free functions only. A verification crosses as a number of the caller's choosing, so that there is
//! nothing to free but by [`verification_dispose`], and no stale pointer: a number that is not there
//! is refused as `stale_handle`. What is refused is thrown as `{ code, path, message, hint }`; the
//! TypeScript above makes an `Error` of it.
//!
//! This is the module that everyone loads: what scrubs, decides, reads replies and verifies. The other
//! synchronous functions are in `claimgauge-more`, what only a run with a judge of ours or a check of an
//! output needs in `claimgauge-checks`, JSON Schema and patterns in `claimgauge-extra`.

use claimgauge_convert::{Refusal, Runs, give, take_fitting as take, take_optional, to_json};
use claimgauge_core::decide::DecideRequest;
use claimgauge_core::evidence::{Request, Span};
use claimgauge_core::fields;
use claimgauge_core::patterns::{Match, Search};
use claimgauge_core::prompt::Message;
use claimgauge_core::report::Report;
use claimgauge_core::scrub::{
    Columns, Earlier, Leak, Mode, Removed, ScrubRequest, Scrubbed, Utf16Offset,
};
use claimgauge_core::verification::{Answer, PassRequest, Step, Verification};
use claimgauge_core::{Error, estimate as estimating, reply};
use js_sys::{Array, Uint32Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// What is given instead of an answer where patterns must be run first: the call is to be made again
/// with the matches, as [`Match::list`] reads them.
#[derive(Serialize)]
struct Asked {
    search: Search,
}

/// Takes identifiers out of evidence. The result is [`columns`].
#[wasm_bindgen]
pub fn scrub(request: JsValue, matches: Option<Vec<u32>>) -> Result<JsValue, Refusal> {
    let mut request: ScrubRequest = take(request, &fields::SCRUB, "")?;
    request.matches = matches.as_deref().map(Match::list);
    match request.search()? {
        Some(search) => give(&Asked { search }),
        None => columns(&request.run()?.into_utf16()),
    }
}

/// A result as its text, which has no replacements and the texts of theirs instead, and their numbers.
fn columns(scrubbed: &Scrubbed<Utf16Offset>) -> Result<JsValue, Refusal> {
    #[derive(Serialize)]
    struct Rest<'a> {
        mode: Mode,
        spans: &'a [Span],
        replacements: [(); 0],
        leaks: &'a [Leak],
        removed: &'a [Removed],
        texts: Vec<&'a str>,
    }
    let Columns { texts, numbers } = Columns::new(&scrubbed.replacements);
    let rest = to_json(&Rest {
        mode: scrubbed.mode,
        spans: &scrubbed.spans,
        replacements: [],
        leaks: &scrubbed.leaks,
        removed: &scrubbed.removed,
        texts,
    });
    Ok(Array::of2(&rest.into(), &Uint32Array::from(&numbers[..])).into())
}

/// Puts the identifiers of an earlier scrub back.
#[wasm_bindgen]
pub fn unscrub(text: JsValue, scrubbed: JsValue, span: JsValue) -> Result<String, Refusal> {
    let text: String = take(text, &fields::TEXT, "text")?;
    let scrubbed: Earlier = take(scrubbed, &fields::SCRUBBED, "scrubbed")?;
    let span: Option<String> = take_optional(span, &fields::TEXT, "span")?;
    Ok(scrubbed.unscrub(&text, span.as_deref())?)
}

/// The status of one claim.
#[wasm_bindgen]
pub fn decide(request: JsValue) -> Result<JsValue, Refusal> {
    let request: DecideRequest = take(request, &fields::DECIDE, "")?;
    give(&request.run()?)
}

/// What a verification would ask, with up to `group` claims in a request.
#[wasm_bindgen]
pub fn estimate(
    request: JsValue,
    group: u32,
    matches: Option<Vec<u32>>,
) -> Result<JsValue, Refusal> {
    let mut request: Request = take(request, &fields::VERIFY, "")?;
    request.matches = matches.as_deref().map(Match::list);
    match request.search()? {
        Some(search) => give(&Asked { search }),
        None => give(&estimating::estimate(request, group as usize)?),
    }
}

/// Reads a judge's reply.
#[wasm_bindgen(js_name = readReply)]
pub fn read_reply(text: JsValue) -> Result<JsValue, Refusal> {
    let text: String = take(text, &fields::REPLY, "text")?;
    give(&reply::read(&text))
}

/// Whether a verdict on each of the claims can be read in an answer.
#[wasm_bindgen(js_name = answerReadable)]
pub fn answer_readable(
    answer: JsValue,
    messages: JsValue,
    claims: Vec<String>,
) -> Result<bool, Refusal> {
    let answer: Answer = take(answer, &fields::ANSWER, "answer")?;
    let messages: Vec<Message> = take(messages, &fields::MESSAGES, "messages")?;
    Ok(answer.is_readable(&messages, &claims))
}

thread_local! {
    static RUNS: Runs<Verification> = const { Runs::new() };
}

/// Starts a run under a number that was never used before, not even in an earlier instance.
#[wasm_bindgen(js_name = verificationNew)]
pub fn verification_new(
    id: u32,
    request: JsValue,
    group: u32,
    matches: Option<Vec<u32>>,
) -> Result<JsValue, Refusal> {
    let mut request: Request = take(request, &fields::VERIFY, "")?;
    request.matches = matches.as_deref().map(Match::list);
    if let Some(search) = request.search()? {
        return give(&Asked { search });
    }
    let verification = Verification::grouped(request, group as usize)?;
    RUNS.with(|runs| runs.keep(id, verification));
    Ok(JsValue::UNDEFINED)
}

/// The next questions, at most `most`, or the report.
#[wasm_bindgen(js_name = verificationPoll)]
pub fn verification_poll(id: u32, most: u32) -> Result<JsValue, Refusal> {
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case", tag = "kind")]
    enum Next {
        Ask { requests: Vec<PassRequest> },
        Done { report: Box<Report<Utf16Offset>> },
        Wait,
    }
    let step = run(id, |verification| Ok(verification.poll(most as usize)))?;
    give(&match step {
        Step::Ask(requests) => Next::Ask { requests },
        Step::Done(report) => Next::Done {
            report: Box::new(report.into_utf16()),
        },
        Step::Wait => Next::Wait,
    })
}

/// Hands in the second opinion on each claim of an open request.
#[wasm_bindgen(js_name = verificationAtoms)]
pub fn verification_atoms(id: u32, request: &str, atoms: JsValue) -> Result<(), Refusal> {
    let atoms = take(atoms, &fields::ATOMS, "atoms")?;
    run(id, |verification| verification.handle_atoms(request, atoms))
}

/// Hands in what the judge answered.
#[wasm_bindgen(js_name = verificationHandle)]
pub fn verification_handle(id: u32, request: &str, answer: JsValue) -> Result<(), Refusal> {
    let answer = take(answer, &fields::ANSWER, "answer")?;
    run(id, |verification| verification.handle(request, answer))
}

/// Hands in that the judge gave no answer.
#[wasm_bindgen(js_name = verificationFail)]
pub fn verification_fail(id: u32, request: &str, failure: JsValue) -> Result<(), Refusal> {
    let failure = take(failure, &fields::FAILURE, "failure")?;
    run(id, |verification| verification.fail(request, failure))
}

/// Ends a run before every claim is judged.
#[wasm_bindgen(js_name = verificationStop)]
pub fn verification_stop(id: u32, reason: JsValue) -> Result<(), Refusal> {
    let reason = take(reason, &fields::STOP, "reason")?;
    run(id, |verification| {
        verification.stop(reason);
        Ok(())
    })
}

/// How far a run is.
#[wasm_bindgen(js_name = verificationProgress)]
pub fn verification_progress(id: u32) -> Result<JsValue, Refusal> {
    give(&run(id, |verification| Ok(verification.progress()))?)
}

/// Forgets a run; one that is not there is forgotten already.
#[wasm_bindgen(js_name = verificationDispose)]
pub fn verification_dispose(id: u32) {
    RUNS.with(|runs| runs.forget(id));
}

fn run<T>(id: u32, act: impl FnOnce(&mut Verification) -> Result<T, Error>) -> Result<T, Refusal> {
    Ok(RUNS.with(|runs| runs.with(id, act))?)
}
