//! The check of what an agent says it did.
//!
//! The agent's output and the trace are what is under test: they are read as far as a check looks at
//! them, whatever they are. Results go out as JSON text, the fastest way across for what is large, and
//! the one that keeps a name such as `__proto__` a name.

use claimgauge_convert::{Refusal, Runs, give, take, to_json};
use claimgauge_core::fields;
use claimgauge_core::metrics::Category;
use claimgauge_core::output::{
    Check, CheckResult, ClaimResult, Content, FileSeen, FormsDigest, Given, Look, Observation,
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

/// Starts a check under a number that was never used before, not even in an earlier instance.
#[wasm_bindgen(js_name = checkNew)]
pub fn check_new(
    id: u32,
    output: JsValue,
    trace: JsValue,
    options: JsValue,
) -> Result<(), Refusal> {
    let mut options: Options = take(options, &fields::CHECK, "")?;
    options.trace = match given(&trace) {
        Given::Null | Given::Undefined => None,
        trace => Some(trace),
    };
    let check = Check::new(given(&output), options)?;
    CHECKS.with(|checks| checks.keep(id, check));
    Ok(())
}

/// The next requests of one kind, at most `most`, or the result; as JSON text.
#[wasm_bindgen(js_name = checkPoll)]
pub fn check_poll(id: u32, most: u32) -> Result<String, Refusal> {
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case", tag = "kind")]
    enum Next {
        Done {
            result: Box<CheckResult>,
            /// What became of each claim, without the claim: the output in the result has it.
            claims: Vec<ClaimOutcome>,
        },
        Fit {
            requests: Vec<SchemaRequest>,
        },
        Observe {
            looks: Vec<Look>,
        },
        Wait,
    }
    #[derive(Serialize)]
    struct ClaimOutcome {
        outcome: Outcome,
        reason: Option<String>,
        hint: Option<String>,
        category: Option<Category>,
    }
    let step = check(id, |check| Ok(check.poll(most as usize)))?;
    to_json(&match step {
        Step::Done(mut result) => {
            let level = result.filesystem_validation.as_mut();
            let results = level.map(|level| std::mem::take(&mut level.claim_results));
            let without_claim = |result: ClaimResult| ClaimOutcome {
                outcome: result.outcome,
                reason: result.reason,
                hint: result.hint,
                category: result.category,
            };
            let results = results.unwrap_or_default().into_iter();
            Next::Done {
                claims: results.map(without_claim).collect(),
                result,
            }
        }
        Step::Fit(requests) => Next::Fit { requests },
        Step::Observe(looks) => Next::Observe { looks },
        Step::Wait => Next::Wait,
    })
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

/// Hands in a regular file of `size` bytes, without a walk over an object: by the thousand that is
/// what takes the time.
#[wasm_bindgen(js_name = checkFile)]
pub fn check_file(
    id: u32,
    path: &str,
    size: f64,
    sha256: Option<String>,
    bytes: Option<Vec<u8>>,
) -> Result<(), Refusal> {
    let seen = Observation::File(FileSeen {
        size: size as u64,
        sha256,
        text: bytes.map(Content),
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
