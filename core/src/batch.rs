//! One request of a batch: what it asks, and what comes of the lines that answer it.
//!
//! A batch is one more host of [`Verification`]: its questions and their answers are lines in files, and days may lie
//! between them. So a request is not kept open until it is answered, but begun anew and handed all that is known.
//! Finding the lines is the host's; whatever is made of them is decided here.
//!
//! ```
//! use claimgauge_core::batch::{self, Asked, Known, Line};
//! use claimgauge_core::builtin::SecondOpinion;
//! use claimgauge_core::evidence::Request;
//!
//! let request = || -> Request {
//!     serde_json::from_str(
//!         r#"{ "profile": "code", "evidence": ["Retries are 3"], "claims": ["Retries are 3"] }"#,
//!     )
//!     .unwrap()
//! };
//! let asked: Asked = serde_json::from_str(
//!     r#"{ "endpoint": { "baseUrl": "https://batch.invalid/v1", "model": "small" }, "without": [] }"#,
//! )
//! .unwrap();
//! assert_eq!(batch::questions(request(), 1, &asked)?.len(), 2);
//!
//! let line = br#"{ "custom_id": "mine", "answer": { "text": "ENTAILED 0.95" } }"#;
//! assert_eq!(batch::custom_id(line)?, "mine");
//! let line = Line { text: line, shared: false };
//! let known = Known::from([("C0/full/1".to_owned(), vec![line])]);
//! let replayed = batch::replay(request(), 1, &asked, &known, &SecondOpinion::new())?;
//! // The other pass is open.
//! assert_eq!(replayed.told.reasons, ["There is no answer to the scrubbed pass"]);
//! assert_eq!(replayed.open.len(), 1);
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

use alloc::{
    borrow::ToOwned,
    boxed::Box,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, error::Category, json};

use crate::{
    Error, ErrorCode,
    builtin::SecondOpinion,
    evidence::Request,
    provider::{self, Dialect, Endpoint, Next},
    report::{Cost, Report},
    scrub::Mode,
    verification::{Answer, Failure, Pass, PassRequest, Step, Stop, Verification},
};

/// Whom the questions are for.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Where they go, in the end.
    pub endpoint: Endpoint,
    /// Parameters that it refused.
    pub without: Vec<String>,
}

/// A question that is to be asked. Serialises without its body.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// The ids of the claims that it is about.
    pub claims: Vec<String>,
    /// Which judging of them.
    pub pass: Pass,
    /// What the evidence was made into; absent for the full pass.
    pub mode: Option<Mode>,
    /// 1 for the full prompt, 2 and 3 for the simplified one.
    pub attempt: u32,
    /// About how many tokens it has.
    pub prompt_tokens: usize,
    /// What is sent, as JSON.
    #[serde(skip)]
    pub body: String,
}

impl Question {
    fn new(question: PassRequest, asked: &Asked) -> Result<Self, Error> {
        let request = provider::request(&provider::Question {
            endpoint: asked.endpoint.clone(),
            structured: question.schema.is_some(),
            many: question.claims.len() > 1,
            messages: question.messages,
            without: asked.without.clone(),
        })?;
        Ok(Self {
            claims: question.claims.into_iter().map(|claim| claim.id).collect(),
            pass: question.pass,
            mode: question.mode,
            attempt: question.attempt,
            prompt_tokens: question.prompt_tokens,
            body: request.body,
        })
    }
}

/// A line of answers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Line<'a> {
    /// The line, as whoever answered wrote it.
    pub text: &'a [u8],
    /// Whether it answers another question that is the same: that one has paid for it.
    pub shared: bool,
}

/// The lines that answer the questions of one request, by the questions' ids.
pub type Known<'a> = BTreeMap<String, Vec<Line<'a>>>;

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Heard {
    /// The judge's answer.
    Answer {
        /// What it says.
        answer: Box<Answer>,
    },
    /// There will be none.
    Failure {
        /// Why.
        failure: Failure,
    },
    /// It is to be asked again.
    Again {
        /// Why.
        reason: String,
        /// The parameter that the provider refuses.
        without: Option<&'static str>,
    },
}

impl Heard {
    /// Of several answers to one question the lowest counts: what must be asked again gives way to what is final.
    fn rank(&self) -> u8 {
        match self {
            Self::Answer { .. } => 0,
            Self::Failure { .. } => 1,
            Self::Again { .. } => 2,
        }
    }

    fn again(reason: String) -> Self {
        let without = None;
        Self::Again { reason, without }
    }
}

/// A request with all that is known of it.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Claims of which an answer is missing are INCONCLUSIVE in it, with the flag `stopped`. Its cost is that of its
    /// claims, whoever has paid.
    pub report: Report,
    /// What must be asked, or asked again, before the report is whole.
    pub open: Vec<Question>,
    /// The rest of what there is to tell.
    pub told: Told,
}

/// What a host that makes many reports counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Told {
    /// How many questions have lines of their own that answer them.
    pub answered: usize,
    /// What these have cost.
    pub cost: Cost,
    /// Why each question that is open is so.
    pub reasons: Vec<String>,
    /// Parameters that the provider refuses.
    pub without: Vec<&'static str>,
}

/// What a request asks before anything is answered.
///
/// # Errors
/// As [`Verification::grouped`] and [`provider::request`].
pub fn questions(request: Request, group: usize, asked: &Asked) -> Result<Vec<Question>, Error> {
    let mut verification = Verification::grouped(request, group)?;
    let mut questions = Vec::new();
    while let Some(question) = verification.next_planned() {
        questions.push(Question::new(question, asked)?);
    }
    Ok(questions)
}

/// The report of a request as far as its answers are `known`, and what is still to be asked.
///
/// # Errors
/// As [`questions`].
pub fn replay(
    request: Request,
    group: usize,
    asked: &Asked,
    known: &Known<'_>,
    second: &SecondOpinion,
) -> Result<Replayed, Error> {
    let mut verification = Verification::grouped(request, group)?;
    let (mut told, mut open) = (Told::default(), Vec::new());
    let report = loop {
        match verification.poll(usize::MAX) {
            Step::Done(report) => break *report,
            Step::Wait => verification.stop(Stop::Stopped),
            Step::Ask(questions) => {
                for question in questions {
                    ground(&mut verification, &question, second)?;
                    let lines = known.get(&question.id).map_or(&[][..], Vec::as_slice);
                    if !told.settle(&mut verification, &question, lines, asked)? {
                        open.push(question);
                    }
                }
            }
        }
    };
    let mut asked = asked.clone();
    let refused = told.without.iter().map(|&parameter| parameter.to_owned());
    asked.without.extend(refused);
    let open = open.into_iter().map(|one| Question::new(one, &asked));
    Ok(Replayed {
        report,
        open: open.collect::<Result<_, _>>()?,
        told,
    })
}

impl Told {
    /// Hands in what `lines` say of a question; whether that settles it.
    fn settle(
        &mut self,
        verification: &mut Verification,
        question: &PassRequest,
        lines: &[Line<'_>],
        asked: &Asked,
    ) -> Result<bool, Error> {
        self.answered += usize::from(lines.iter().any(|line| !line.shared));
        match best(asked.endpoint.dialect, lines) {
            Some((Heard::Answer { answer }, shared)) => {
                if !shared && !answer.cached {
                    self.cost.add(&answer);
                }
                verification.handle(&question.id, *answer)?;
                return Ok(true);
            }
            Some((Heard::Failure { failure }, shared)) => {
                self.cost.calls += u64::from(!shared);
                verification.fail(&question.id, failure)?;
                return Ok(true);
            }
            Some((Heard::Again { reason, without }, _)) => {
                self.reasons.push(reason);
                self.without.extend(without);
            }
            None if question.attempt > 1 => {
                let reason = "The reply before held no verdict";
                self.reasons.push(reason.to_owned());
            }
            None => {
                let pass = match question.pass {
                    Pass::Full => "full",
                    Pass::Null => "null",
                    Pass::Scrubbed => "scrubbed",
                };
                let reason = format!("There is no answer to the {pass} pass");
                self.reasons.push(reason);
            }
        }
        Ok(false)
    }
}

/// Gives the second opinion, as every host does before it asks about the evidence as it is for the first time.
fn ground(
    verification: &mut Verification,
    question: &PassRequest,
    second: &SecondOpinion,
) -> Result<(), Error> {
    if question.pass != Pass::Full || question.attempt > 1 {
        return Ok(());
    }
    let claims = question.claims.iter();
    let atoms = claims.map(|claim| second.atoms(&question.spans, &claim.text));
    verification.handle_atoms(&question.id, atoms.collect())
}

/// The name of the question that a line answers. Only whoever hears the line reads all of it.
///
/// # Errors
/// `invalid_value` with what is wrong with a line that answers nothing: it is no JSON, has no name, or nothing
/// that a provider writes.
pub fn custom_id(line: &[u8]) -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Object {}

    #[derive(Deserialize)]
    struct Named {
        custom_id: Option<Value>,
        #[serde(rename = "response")]
        _response: Option<Object>,
        #[serde(rename = "answer")]
        _answer: Option<Answer>,
        #[serde(rename = "failure")]
        _failure: Option<Failure>,
    }
    let refused = |message: &str| Error::new(ErrorCode::InvalidValue, "", message);
    let named: Named = serde_json::from_slice(line).map_err(|error| {
        refused(&match error.classify() {
            Category::Data => format!("no provider's answer: {error}"),
            _ => format!("not JSON: {error}"),
        })
    })?;
    let is_object = line.trim_ascii_start().starts_with(b"{");
    match named.custom_id {
        Some(Value::String(name)) if is_object => Ok(name),
        _ => Err(refused("it has no custom_id")),
    }
}

/// What lines that answer the same question say of it; nothing where there are none.
pub fn hear(dialect: Dialect, lines: &[Line<'_>]) -> Option<Heard> {
    best(dialect, lines).map(|(heard, _)| heard)
}

/// What counts of several lines, and whether that one is shared. Their order does not matter.
fn best(dialect: Dialect, lines: &[Line<'_>]) -> Option<(Heard, bool)> {
    let heard = lines.iter().map(|line| (hear_line(dialect, line), *line));
    let best = heard.min_by(|(a, one), (b, other)| {
        let order = (a.rank(), one.shared).cmp(&(b.rank(), other.shared));
        order.then_with(|| one.text.cmp(other.text))
    })?;
    Some((best.0, best.1.shared))
}

fn hear_line(dialect: Dialect, line: &Line<'_>) -> Heard {
    let read = serde_json::from_slice(line.text).ok();
    let Some(said) = read.and_then(Said::new) else {
        return Heard::again("The line cannot be read".to_owned());
    };
    let (status, body) = match said {
        Said::Response { status, body } => (status, body),
        Said::Answer(answer) => return Heard::Answer { answer },
        Said::Failure(failure) => return Heard::Failure { failure },
        Said::Nothing(reason) => return Heard::again(reason),
    };
    match provider::read_once(dialect, status, body) {
        Next::Answer { answer } => Heard::Answer {
            answer: Box::new(answer),
        },
        Next::Fail { failure, stop } if stop || failure.is_on_the_way() => {
            Heard::again(failure.message)
        }
        Next::Fail { failure, .. } => Heard::Failure { failure },
        Next::Retry { .. } => {
            Heard::again(format!("The provider was busy or failed (HTTP {status})"))
        }
        Next::Without { parameter } => Heard::Again {
            reason: format!("The provider refuses the parameter {parameter}"),
            without: Some(parameter),
        },
    }
}

/// What a line says, before it is asked what that means.
enum Said {
    /// What a host has read already, and kept.
    Answer(Box<Answer>),
    Failure(Failure),
    /// Nothing about the question itself.
    Nothing(String),
    /// A provider's response, to be read.
    Response {
        status: u16,
        body: Value,
    },
}

impl Said {
    /// Nothing for what no provider writes, and no host.
    fn new(mut line: Value) -> Option<Self> {
        let mut take = |key: &str| {
            line.get_mut(key)
                .map(Value::take)
                .filter(|it| !it.is_null())
        };
        if let Some(answer) = take("answer") {
            return Some(Self::Answer(serde_json::from_value(answer).ok()?));
        }
        if let Some(failure) = take("failure") {
            return Some(Self::Failure(serde_json::from_value(failure).ok()?));
        }
        match take("result") {
            Some(result) => Some(Self::of_anthropic(result)),
            None => Self::of_openai(take("response"), take("error")),
        }
    }

    /// The form of OpenAI, and of those who speak it.
    fn of_openai(response: Option<Value>, error: Option<Value>) -> Option<Self> {
        let Some(mut response) = response else {
            let error = error.unwrap_or_default();
            let why = [&error["message"], &error["code"]];
            let why = why.into_iter().find(|why| !why.is_null());
            let otherwise = "The line holds no response";
            return Some(Self::Nothing(words(why, otherwise)));
        };
        let fields = response.as_object_mut()?;
        let status = fields.get("status_code").and_then(Value::as_u64);
        let status = status.and_then(|status| u16::try_from(status).ok());
        let status = status.filter(|status| (100..1000).contains(status));
        let body = match fields.remove("body") {
            // Some servers write the response's body where the response should stand.
            None if fields.contains_key("choices") => response,
            body => body.unwrap_or_default(),
        };
        Some(Self::Response {
            status: status.unwrap_or(200),
            body,
        })
    }

    fn of_anthropic(mut result: Value) -> Self {
        match result["type"].as_str() {
            Some("succeeded") => {
                let body = result["message"].take();
                Self::Response { status: 200, body }
            }
            Some("errored") => {
                let error = &result["error"];
                let error = error.get("error").unwrap_or(error);
                let kind = error["type"].as_str();
                let row = STATUSES.iter().find(|(name, _)| kind == Some(name));
                Self::Response {
                    status: row.map_or(500, |(_, status)| *status),
                    body: json!({ "error": error }),
                }
            }
            _ => {
                let what = words(result.get("type"), "without a result");
                Self::Nothing(format!("The request is {what}"))
            }
        }
    }
}

/// What Anthropic's errors are called, and the HTTP status that says the same.
const STATUSES: [(&str, u16); 10] = [
    ("invalid_request_error", 400),
    ("authentication_error", 401),
    ("billing_error", 402),
    ("permission_error", 403),
    ("not_found_error", 404),
    ("request_too_large", 413),
    ("rate_limit_error", 429),
    ("api_error", 500),
    ("timeout_error", 504),
    ("overloaded_error", 529),
];

/// The beginning of a text, where there is one.
fn words(value: Option<&Value>, otherwise: &str) -> String {
    const MOST: usize = 200;
    match value.and_then(Value::as_str) {
        Some(text) if !text.is_empty() => text[..text.floor_char_boundary(MOST)].to_string(),
        _ => otherwise.to_owned(),
    }
}
