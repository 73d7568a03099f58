//! The JavaScript face of one request of a batch: text in, text out.
//!
//! A batch has a million requests, and a value that crosses field by field costs more than all that is done with it. So
//! a request comes as the line that it is, and what is made of it goes out as lines: for each question one that
//! describes it and one with the body to be sent, as neither holds a line's end.
//!
//! What is refused here is refused once more by the ordinary call, which says it better.

use std::collections::BTreeMap;

use claimgauge_convert::{Refusal, to_json};
use claimgauge_core::builtin;
use claimgauge_core::evidence::Request;
use claimgauge_core::provider::{self, Endpoint, Next, Question, Response};
use claimgauge_core::scrub::Mode;
use claimgauge_core::verification::{Answer, Failure, Pass, PassRequest, Step, Stop, Verification};
use claimgauge_core::{Error, ErrorCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

/// Whom the questions are for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    endpoint: Endpoint,
    /// Parameters that it refused.
    without: Vec<String>,
}

/// What is known of a question, and whether it was said to another one that is the same, and so cost nothing.
type Known = (Said, bool);

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Said {
    /// A provider's response, to be read.
    Response {
        status: u16,
        body: String,
    },
    Answer(Answer),
    Failure(Failure),
    /// Nothing about the question itself.
    Nothing {
        reason: String,
    },
}

/// What became of a question.
#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
enum Heard {
    Answer {
        answer: Box<Answer>,
    },
    Failure {
        failure: Failure,
    },
    /// It is to be asked again.
    Again {
        reason: String,
        /// The parameter that the provider refuses.
        without: Option<&'static str>,
    },
}

/// What a question is, beside its body.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Described<'a> {
    claims: Vec<&'a str>,
    pass: Pass,
    mode: Option<Mode>,
    attempt: u32,
    prompt_tokens: usize,
}

/// The questions that a request asks at first.
#[wasm_bindgen]
pub fn questions(request: &str, group: u32, asked: &str) -> Result<String, Refusal> {
    let mut verification = begin(request, group)?;
    let asked: Asked = read(asked)?;
    let mut lines = String::new();
    if let Step::Ask(questions) = verification.poll(usize::MAX) {
        for question in &questions {
            describe(question, &asked, &mut lines)?;
        }
    }
    Ok(lines)
}

/// The report of a request with what is known of its questions, by their ids; then what became of those that were
/// asked and are known, and the questions that are open.
#[wasm_bindgen]
pub fn replay(request: &str, group: u32, asked: &str, known: &str) -> Result<String, Refusal> {
    #[derive(Default, Serialize)]
    struct Told {
        /// The ids of the questions of which something is known.
        known: Vec<String>,
        /// Why questions are open of which something is known, and parameters that were refused.
        reasons: Vec<String>,
        without: Vec<&'static str>,
    }
    let mut verification = begin(request, group)?;
    let mut asked: Asked = read(asked)?;
    let mut known: BTreeMap<String, Known> = read(known)?;
    let dialect = asked.endpoint.dialect;
    let (mut told, mut open) = (Told::default(), Vec::new());
    let report = loop {
        let questions = match verification.poll(usize::MAX) {
            Step::Done(report) => break report,
            Step::Wait => {
                verification.stop(Stop::Stopped);
                continue;
            }
            Step::Ask(questions) => questions,
        };
        for question in questions {
            ground(&mut verification, &question)?;
            let Some((said, cached)) = known.remove(&question.id) else {
                open.push(question);
                continue;
            };
            told.known.push(question.id.clone());
            match hear_said(said, dialect) {
                Heard::Answer { mut answer } => {
                    answer.cached |= cached;
                    verification.handle(&question.id, *answer)?;
                }
                Heard::Failure { failure } => verification.fail(&question.id, failure)?,
                Heard::Again { reason, without } => {
                    told.reasons.push(reason);
                    told.without.extend(without);
                    open.push(question);
                }
            }
        }
    };
    asked
        .without
        .extend(told.without.iter().map(|name| (*name).to_owned()));
    let mut lines = to_json(&report.into_utf16())?;
    lines.push('\n');
    lines.push_str(&to_json(&told)?);
    lines.push('\n');
    for question in &open {
        describe(question, &asked, &mut lines)?;
    }
    Ok(lines)
}

/// What a provider's response says of the question.
#[wasm_bindgen]
pub fn hear(dialect: &str, said: &str) -> Result<String, Refusal> {
    let dialect = read(&format!("\"{dialect}\""))?;
    to_json(&hear_said(read(said)?, dialect))
}

fn begin(request: &str, group: u32) -> Result<Verification, Refusal> {
    let request: Request = read(request)?;
    if request.search()?.is_some() {
        let message = "What runs patterns is not here";
        return Err(Error::new(ErrorCode::PatternsNotLoaded, "", message).into());
    }
    Ok(Verification::grouped(request, group as usize)?)
}

/// Gives the second opinion, as a host does before it asks about the evidence as it is for the first time.
fn ground(verification: &mut Verification, question: &PassRequest) -> Result<(), Refusal> {
    if question.pass != Pass::Full || question.attempt > 1 {
        return Ok(());
    }
    let claims = question.claims.iter();
    let atoms = claims.map(|claim| builtin::atoms(&question.spans, &claim.text));
    let atoms = atoms.collect();
    Ok(verification.handle_atoms(&question.id, atoms)?)
}

fn hear_said(said: Said, dialect: provider::Dialect) -> Heard {
    let (status, body) = match said {
        Said::Response { status, body } => (status, body),
        Said::Answer(answer) => {
            return Heard::Answer {
                answer: Box::new(answer),
            };
        }
        Said::Failure(failure) => return Heard::Failure { failure },
        Said::Nothing { reason } => {
            let without = None;
            return Heard::Again { reason, without };
        }
    };
    // The first of several tries: what another one might mend is left to the next round.
    let response = Response {
        dialect,
        status: Some(status),
        body,
        tries: 1,
        ..Response::default()
    };
    match provider::read(&response) {
        Next::Answer { answer } => Heard::Answer {
            answer: Box::new(answer),
        },
        Next::Fail { failure, stop } if stop || failure.is_on_the_way() => Heard::Again {
            reason: failure.message,
            without: None,
        },
        Next::Fail { failure, .. } => Heard::Failure { failure },
        Next::Retry { .. } => Heard::Again {
            reason: format!("The provider was busy or failed (HTTP {status})"),
            without: None,
        },
        Next::Without { parameter } => Heard::Again {
            reason: format!("The provider refuses the parameter {parameter}"),
            without: Some(parameter),
        },
    }
}

/// Adds the two lines of a question.
fn describe(question: &PassRequest, asked: &Asked, lines: &mut String) -> Result<(), Refusal> {
    let described = Described {
        claims: question.claims.iter().map(|claim| &*claim.id).collect(),
        pass: question.pass,
        mode: question.mode,
        attempt: question.attempt,
        prompt_tokens: question.prompt_tokens,
    };
    let request = provider::request(&Question {
        endpoint: asked.endpoint.clone(),
        messages: question.messages.clone(),
        structured: question.schema.is_some(),
        many: question.claims.len() > 1,
        without: asked.without.clone(),
    })?;
    lines.push_str(&to_json(&described)?);
    lines.push('\n');
    lines.push_str(&request.body);
    lines.push('\n');
    Ok(())
}

/// Reads JSON.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str(text)
        .map_err(|error| Error::new(ErrorCode::InvalidValue, "", error.to_string()).into())
}
