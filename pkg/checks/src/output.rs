//! The check of what an agent says it did.
//!
//! The agent's output and the trace are what is under test: they are read as far as a check looks at
//! them, whatever they are. What comes by the hundred crosses as text, in and out: that is the fastest
//! way across, and it keeps a name such as `__proto__` a name.

use std::borrow::Cow;

use claimgauge_convert::{Refusal, Runs, give, take, to_json};
use claimgauge_core::fields;
use claimgauge_core::metrics::Category;
use claimgauge_core::output::{
    Check, CheckResult, Content, FileSeen, FormsDigest, Given, Look, MAX_DEPTH, Observation,
    Options, Outcome, Run, SchemaRequest, Step,
};
use claimgauge_core::{Error, ErrorCode};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::given::given;

thread_local! {
    static CHECKS: Runs<Check> = const { Runs::new() };
    static FORMS: Runs<FormsDigest> = const { Runs::new() };
}

/// The keys that the reader of an output or a trace looks for, and how deep; as JSON text.
#[wasm_bindgen(js_name = givenKeys)]
pub fn given_keys() -> String {
    #[derive(Serialize)]
    struct Known {
        keys: &'static [&'static str],
        depth: usize,
    }
    to_json(&Known {
        keys: &Given::KEYS,
        depth: MAX_DEPTH,
    })
}

/// Starts a check under a number that was never used before, not even in an earlier instance. The
/// output and the trace are in the two pieces that [`given`] reads.
#[wasm_bindgen(js_name = checkNew)]
pub fn check_new(
    id: u32,
    codes: &[f64],
    texts: &[u8],
    trace_codes: &[f64],
    trace_texts: &[u8],
    options: JsValue,
) -> Result<(), Refusal> {
    let mut options: Options = take(options, &fields::CHECK, "")?;
    options.trace = match given(trace_codes, trace_texts)? {
        Given::Null | Given::Undefined => None,
        trace => Some(trace),
    };
    let check = Check::new(given(codes, texts)?, options)?;
    CHECKS.with(|checks| checks.keep(id, check));
    Ok(())
}

/// The next requests of one kind, at most `most`, or the result; as JSON text.
#[wasm_bindgen(js_name = checkPoll)]
pub fn check_poll(id: u32, most: u32) -> Result<String, Refusal> {
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case", tag = "kind")]
    enum Next<'a> {
        Done(Done<'a>),
        Fit { requests: Vec<SchemaRequest> },
        Observe { looks: Vec<Look> },
        Wait,
    }
    check(id, |check| {
        Ok(match check.poll(most as usize) {
            Step::Done(mut result) => {
                let done = Done::new(&mut result, check.is_whole());
                to_json(&Next::Done(done))
            }
            Step::Fit(requests) => to_json(&Next::Fit { requests }),
            Step::Observe(looks) => to_json(&Next::Observe { looks }),
            Step::Wait => to_json(&Next::Wait),
        })
    })
}

/// A result without what the caller has already: half of it would be the output, twice.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Done<'a> {
    result: &'a CheckResult,
    /// The checked output is the one that was given.
    as_given: bool,
    /// The ways in which claims ended.
    endings: Vec<Ending>,
    /// How each claim ended, by its position in `endings`.
    claims: Vec<usize>,
}

/// So many endings are looked at for one that is the same.
const NEIGHBOURS: usize = 8;

#[derive(Eq, PartialEq, Serialize)]
struct Ending {
    outcome: Outcome,
    reason: Option<Cow<'static, str>>,
    hint: Option<Cow<'static, str>>,
    category: Option<Category>,
}

impl<'a> Done<'a> {
    fn new(result: &'a mut CheckResult, as_given: bool) -> Self {
        let as_given = as_given && result.structure_validation.valid;
        if as_given {
            result.structure_validation.output = None;
        }
        let level = result.filesystem_validation.as_mut();
        let results = level.map_or_else(Vec::new, |level| std::mem::take(&mut level.claim_results));
        let mut endings = Vec::new();
        let claims = results.into_iter().map(|result| {
            let ending = Ending {
                outcome: result.outcome,
                reason: result.reason,
                hint: result.hint,
                category: result.category,
            };
            // Neighbours tend to end alike; looking through all of them would take ever longer.
            let mut known = endings.iter().rev().take(NEIGHBOURS);
            match known.position(|known| *known == ending) {
                Some(back) => endings.len() - 1 - back,
                None => {
                    endings.push(ending);
                    endings.len() - 1
                }
            }
        });
        Self {
            claims: claims.collect(),
            result,
            as_given,
            endings,
        }
    }
}

/// Hands in whether the output of an invocation fits its schema.
#[wasm_bindgen(js_name = checkSchema)]
pub fn check_schema(id: u32, invocation: u32, answer: JsValue) -> Result<(), Refusal> {
    let answer = take(answer, &fields::SCHEMA_ANSWER, "answer")?;
    check(id, |check| check.handle_schema(invocation as usize, answer))
}

/// Hands in what is at a path; the bytes of a file beside it, where they were asked for.
#[wasm_bindgen(js_name = checkObservation)]
pub fn check_observation(
    id: u32,
    path: &str,
    seen: JsValue,
    bytes: Option<Vec<u8>>,
) -> Result<(), Refusal> {
    let mut seen: Observation = take(seen, &fields::OBSERVATION, "observation")?;
    if let (Observation::File(file), Some(bytes)) = (&mut seen, bytes) {
        file.text = Some(Content(bytes));
    }
    check(id, |check| check.handle_observation(path, &seen))
}

/// Hands in regular files that were hashed, as JSON of `[path, size, sha256]` for each: by the
/// thousand a call across and a walk over an object for each would be what takes the time.
#[wasm_bindgen(js_name = checkHashes)]
pub fn check_hashes(id: u32, files: &[u8]) -> Result<(), Refusal> {
    let files: Vec<(String, u64, String)> = serde_json::from_slice(files)
        .map_err(|error| Error::new(ErrorCode::InvalidValue, "files", error.to_string()))?;
    check(id, |check| {
        files.into_iter().try_for_each(|(path, size, sha256)| {
            let seen = Observation::File(FileSeen {
                size,
                sha256: Some(sha256),
                ..FileSeen::default()
            });
            check.handle_observation(&path, &seen)
        })
    })
}

/// Hands in a regular file with its bytes, without a walk over an object.
#[wasm_bindgen(js_name = checkText)]
pub fn check_text(id: u32, path: &str, sha256: String, bytes: Vec<u8>) -> Result<(), Refusal> {
    let seen = Observation::File(FileSeen {
        size: bytes.len() as u64,
        sha256: Some(sha256),
        text: Some(Content(bytes)),
        forms: None,
    });
    check(id, |check| check.handle_observation(path, &seen))
}

/// How far a check is.
#[wasm_bindgen(js_name = checkProgress)]
pub fn check_progress(id: u32) -> Result<JsValue, Refusal> {
    give(&check(id, |check| Ok(check.progress()))?)
}

/// The events of a check that is done.
#[wasm_bindgen(js_name = checkEvents)]
pub fn check_events(id: u32, run: JsValue) -> Result<JsValue, Refusal> {
    let run: Run = take(run, &fields::RUN, "run")?;
    match check(id, |check| Ok(check.poll(0)))? {
        Step::Done(result) => give(&result.events(&run)),
        _ => Err(Error::new(ErrorCode::UnknownRequest, "", "The check is not done").into()),
    }
}

/// Forgets a check; one that is not there is forgotten already.
#[wasm_bindgen(js_name = checkDispose)]
pub fn check_dispose(id: u32) {
    CHECKS.with(|checks| checks.forget(id));
}

/// Takes the next chunk of a file of which the hashes in other forms are asked.
#[wasm_bindgen(js_name = formsUpdate)]
pub fn forms_update(id: u32, chunk: &[u8]) -> Result<(), Refusal> {
    let update = |forms: &mut FormsDigest| {
        forms.update(chunk);
        Ok(())
    };
    Ok(FORMS.with(|forms| forms.with(id, update))?)
}

/// Starts to hash a file in its other forms, under a number as a check has one.
#[wasm_bindgen(js_name = formsNew)]
pub fn forms_new(id: u32) {
    FORMS.with(|forms| forms.keep(id, FormsDigest::default()));
}

/// The hashes in other forms.
#[wasm_bindgen(js_name = formsFinish)]
pub fn forms_finish(id: u32) -> Result<JsValue, Refusal> {
    let finish = |forms: &mut FormsDigest| Ok(std::mem::take(forms).finish());
    give(&FORMS.with(|forms| forms.with(id, finish))?)
}

/// Forgets the hashes of a file.
#[wasm_bindgen(js_name = formsDispose)]
pub fn forms_dispose(id: u32) {
    FORMS.with(|forms| forms.forget(id));
}

fn check<T>(id: u32, act: impl FnOnce(&mut Check) -> Result<T, Error>) -> Result<T, Refusal> {
    Ok(CHECKS.with(|checks| checks.with(id, act))?)
}
