//! The JavaScript face of `claimgauge_core::batch`: convert, call, convert.
//!
//! A batch has a million requests, and a value that crosses field by field costs more than all that is done with it. So
//! a request comes as the bytes of the line that it is, and what is made of it goes out as lines: for each question one
//! that describes it and one with the body to be sent, as neither holds a line's end.
//!
//! A request with patterns is refused as `patterns_not_loaded`: [`search`] says what to look for, and the call is to be
//! made again with the matches.

use claimgauge_convert::{Refusal, to_json};
use claimgauge_core::batch::{self, Asked, Key, Known, Line, Name, Names, Question, Replayed};
use claimgauge_core::builtin::SecondOpinion;
use claimgauge_core::evidence::Request;
use claimgauge_core::patterns::Match;
use claimgauge_core::scrub::Mode;
use claimgauge_core::verification::Pass;
use claimgauge_core::{Error, ErrorCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

thread_local! {
    static SECOND: SecondOpinion = SecondOpinion::new();
}

/// What the patterns of a request are to be looked for in, as JSON; null where it has none.
#[wasm_bindgen]
pub fn search(request: &[u8]) -> Result<String, Refusal> {
    Ok(to_json(&batch::request(request)?.search()?))
}

/// Refuses parameters that no request can do without.
#[wasm_bindgen]
pub fn check(asked: &[u8]) -> Result<(), Refusal> {
    let asked: Asked = read(asked)?;
    Ok(asked.check()?)
}

/// How many claims the request in a `line` of the input has, and the questions that it asks at first.
#[wasm_bindgen]
pub fn questions(
    request: &[u8],
    line: u32,
    asked: &[u8],
    matches: Option<Vec<u32>>,
) -> Result<Vec<u8>, Refusal> {
    let request = with(request, matches)?;
    let mut lines = format!("{}\n", request.claims.len());
    push(
        &batch::questions(request, line.into(), &read(asked)?)?,
        &mut lines,
    );
    Ok(lines.into_bytes())
}

/// The report of a request with what is known of its questions, what there is to count, and the questions that are
/// open.
#[wasm_bindgen]
pub fn replay(
    request: &[u8],
    line: u32,
    asked: &[u8],
    answers: &[u8],
    matches: Option<Vec<u32>>,
) -> Result<Vec<u8>, Refusal> {
    let request = with(request, matches)?;
    let (asked, known) = (read(asked)?, known(answers)?);
    let Replayed { report, open, told } =
        SECOND.with(|second| batch::replay(request, line.into(), &asked, &known, second))?;
    let report = report.into_utf16();
    let mut lines = to_json(&report);
    lines.push('\n');
    lines.push_str(&to_json(&(report.summary, report.recommendation, told)));
    lines.push('\n');
    push(&open, &mut lines);
    Ok(lines.into_bytes())
}

/// What lines that answer the same question say of it, as JSON; null where there are none.
#[wasm_bindgen]
pub fn hear(dialect: &str, answers: &[u8]) -> Result<String, Refusal> {
    let known = known(answers)?;
    let lines: Vec<Line<'_>> = known.into_values().flatten().collect();
    let dialect = read(format!("\"{dialect}\"").as_bytes())?;
    Ok(to_json(&batch::hear(dialect, &lines)))
}

/// The key of the question of a plan that a line answers; refused where it answers none.
#[wasm_bindgen]
pub fn answered(line: &[u8], plan: &str) -> Result<String, Refusal> {
    Ok(batch::answered(line, plan)?.to_string())
}

/// The keys and names of questions that a request asks, given as a verification asks them.
#[wasm_bindgen]
pub fn names(request: &[u8], line: u32, plan: &str, questions: &[u8]) -> Result<String, Refusal> {
    let request = batch::request(request)?;
    let names = Names::new(plan, line.into(), &request);
    let questions: Vec<Judging> = read(questions)?;
    let named = questions.iter().map(|question| {
        let (claim, others) = (&question.claim, question.others);
        let judging = (question.pass, question.mode);
        let name = names.name(claim, others, judging, question.attempt)?;
        Ok(Named {
            key: name.key(),
            name,
        })
    });
    Ok(to_json(&named.collect::<Result<Vec<_>, Error>>()?))
}

#[derive(Deserialize)]
struct Judging {
    claim: String,
    others: usize,
    pass: Pass,
    mode: Option<Mode>,
    attempt: u32,
}

#[derive(Serialize)]
struct Named {
    key: Key,
    name: Name,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Described<'a> {
    key: Key,
    name: &'a Name,
    prompt_tokens: usize,
}

/// Adds two lines for each question.
fn push(questions: &[Question], lines: &mut String) {
    for Question {
        name,
        prompt_tokens,
        body,
    } in questions
    {
        let described = Described {
            key: name.key(),
            name,
            prompt_tokens: *prompt_tokens,
        };
        for line in [&to_json(&described), body] {
            lines.push_str(line);
            lines.push('\n');
        }
    }
}

/// Lines that answer questions, after one that holds for each the question's key and whether it is shared.
fn known(answers: &[u8]) -> Result<Known<'_>, Refusal> {
    let mut lines = answers.split(|&byte| byte == b'\n');
    let heads: Vec<(Key, bool)> = read(lines.next().unwrap_or_default())?;
    let mut known = Known::new();
    for ((question, shared), text) in heads.into_iter().zip(lines) {
        known
            .entry(question)
            .or_default()
            .push(Line { text, shared });
    }
    Ok(known)
}

fn with(request: &[u8], matches: Option<Vec<u32>>) -> Result<Request, Refusal> {
    let mut request = batch::request(request)?;
    request.matches = matches.as_deref().map(Match::list);
    Ok(request)
}

/// Reads JSON.
fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(json)
        .map_err(|error| Error::new(ErrorCode::InvalidValue, "", error.to_string()).into())
}
