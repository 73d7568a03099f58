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
//!     r#"{
//!         "plan": "3f9a2c1b07", "group": 1, "without": [],
//!         "endpoint": { "baseUrl": "https://batch.invalid/v1", "model": "small" }
//!     }"#,
//! )
//! .unwrap();
//! let questions = batch::questions(request(), 12, &asked)?;
//! let names: Vec<String> = questions.iter().map(|asked| asked.name.to_string()).collect();
//! assert_eq!(names, ["cg-3f9a2c1b07-12-0-full-1", "cg-3f9a2c1b07-12-0-scrubbed-1"]);
//!
//! let line = br#"{ "custom_id": "cg-3f9a2c1b07-12-0-full-1", "answer": { "text": "ENTAILED 0.95" } }"#;
//! let key = batch::answered(line, "3f9a2c1b07")?;
//! let line = Line { text: line, shared: false };
//! let known = Known::from([(key, vec![line])]);
//! let replayed = batch::replay(request(), 12, &asked, &known, &SecondOpinion::new())?;
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

use core::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, IgnoredAny},
};
use serde_json::{Value, error::Category, json};

use crate::{
    Error, ErrorCode,
    builtin::SecondOpinion,
    error::quoted,
    evidence::{self, Request},
    json::read,
    provider::{self, Dialect, Endpoint, Next},
    report::{Cost, Report},
    scrub::Mode,
    verification::{Answer, Failure, Pass, PassRequest, Step, Stop, Verification},
};

/// Whom the questions are for, and how they are asked.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The plan's digits, with which the questions' names begin.
    pub plan: String,
    /// Up to how many claims a question is about.
    pub group: usize,
    /// Where they go, in the end.
    pub endpoint: Endpoint,
    /// Parameters that it refused.
    pub without: Vec<String>,
}

impl Asked {
    /// Refuses what a request cannot do without, before anything is planned.
    ///
    /// # Errors
    /// `invalid_value` at `without`.
    pub fn check(&self) -> Result<(), Error> {
        let optional = provider::optional(self.endpoint.dialect);
        match self
            .without
            .iter()
            .find(|name| !optional.contains(&name.as_str()))
        {
            Some(name) => Err(Error::not_one_of(
                ErrorCode::InvalidValue,
                "without",
                "parameter to leave out",
                name,
                optional.iter().copied(),
            )),
            None => Ok(()),
        }
    }
}

/// Which question of its plan one is. As text it is `LINE-CLAIM-PASS-ATTEMPT`, such as `12-0-full-1`.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Key {
    line: u64,
    claim: usize,
    pass: &'static str,
    attempt: u32,
    others: usize,
}

/// The passes' names in a key; of the nulls that decide nothing each has its own.
const PASSES: [(&str, Pass, Option<Mode>); 5] = [
    ("full", Pass::Full, None),
    ("scrubbed", Pass::Scrubbed, None),
    ("null_identifiers", Pass::Null, Some(Mode::Identifiers)),
    ("null_no_evidence", Pass::Null, Some(Mode::NoEvidence)),
    ("null_redact_spans", Pass::Null, Some(Mode::RedactSpans)),
];

impl Key {
    /// The request's line in the input, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Nothing for what no key is written as.
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let line = number(parts.next()?, 10)?;
        let claim = usize::try_from(number(parts.next()?, 6)?).ok()?;
        let name = parts.next()?;
        let (pass, ..) = *PASSES.iter().find(|(pass, ..)| *pass == name)?;
        let attempt = u32::try_from(number(parts.next()?, 1)?).ok()?;
        let others = match parts.next() {
            Some(text) => usize::try_from(number(text, 2).filter(|others| *others > 0)?).ok()?,
            None => 0,
        };
        parts.next().is_none().then_some(Self {
            line,
            claim,
            pass,
            attempt,
            others,
        })
    }
}

/// Digits, as a number is written: what begins with a zero is another one's name.
fn number(text: &str, most: usize) -> Option<u64> {
    let is_whole = (1..=most).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_digit());
    (is_whole && (text == "0" || !text.starts_with('0')))
        .then(|| text.parse().ok())
        .flatten()
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            claim,
            pass,
            attempt,
            others,
        } = self;
        write!(f, "{line}-{claim}-{pass}-{attempt}")?;
        match others {
            0 => Ok(()),
            others => write!(f, "-{others}"),
        }
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::read(&text).ok_or_else(|| D::Error::custom("no key of a question"))
    }
}

/// The name by which a question goes to a provider, and its answer comes back: `cg-PLAN-LINE-CLAIM-PASS-ATTEMPT`, and
/// how many claims more it is about where there are any. It fits every provider's rule: 1 to 64 letters, digits,
/// hyphens and underscores.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Name {
    plan: String,
    key: Key,
}

const MARK: &str = "cg-";

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{MARK}{}-{}", self.plan, self.key)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Names the questions of one request.
#[derive(Debug)]
pub struct Names<'a> {
    plan: &'a str,
    line: u64,
    /// Where each claim stands in the request.
    claims: BTreeMap<String, usize>,
}

impl<'a> Names<'a> {
    /// Of the request in a `line` of the input.
    pub fn new(plan: &'a str, line: u64, request: &Request) -> Self {
        let ids = request.claims.iter().enumerate();
        let claims = ids.map(|(at, claim)| (evidence::claim_id(claim.id.clone(), at), at));
        Self {
            plan,
            line,
            claims: claims.collect(),
        }
    }

    /// What a question is called that is about so many `others` beside its first claim.
    ///
    /// # Errors
    /// `unknown_request` where the request has no such claim, or there is no such pass.
    pub fn name(
        &self,
        claim: &str,
        others: usize,
        (pass, mode): (Pass, Option<Mode>),
        attempt: u32,
    ) -> Result<Name, Error> {
        let at = self.claims.get(claim);
        let null = mode.filter(|_| pass == Pass::Null);
        let row = PASSES.iter().find(|row| (row.1, row.2) == (pass, null));
        let (Some(&at), Some((pass, ..))) = (at, row) else {
            let message = format!(
                "The request has no such pass of the claim {}",
                quoted(claim)
            );
            return Err(Error::new(ErrorCode::UnknownRequest, "claims", message));
        };
        let key = Key {
            line: self.line,
            claim: at,
            pass,
            attempt,
            others,
        };
        let plan = self.plan.to_owned();
        Ok(Name { plan, key })
    }

    fn of(&self, question: &PassRequest) -> Result<Name, Error> {
        let others = question.claims.len() - 1;
        let judging = (question.pass, question.mode);
        self.name(&question.claim, others, judging, question.attempt)
    }
}

impl Name {
    /// The part that tells it from the plan's other questions.
    pub fn key(&self) -> Key {
        self.key
    }
}

/// A question that is to be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What it is called.
    pub name: Name,
    /// About how many tokens it has.
    pub prompt_tokens: usize,
    /// What is sent, as JSON.
    pub body: String,
}

impl Question {
    fn new(name: Name, question: PassRequest, asked: &Asked) -> Result<Self, Error> {
        let request = provider::request(&provider::Question {
            endpoint: asked.endpoint.clone(),
            structured: question.schema.is_some(),
            many: question.claims.len() > 1,
            messages: question.messages,
            without: asked.without.clone(),
        })?;
        Ok(Self {
            name,
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

/// The lines that answer the questions of one request.
pub type Known<'a> = BTreeMap<Key, Vec<Line<'a>>>;

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

/// The request that a line of the input holds.
///
/// # Errors
/// `invalid_value` for what is no JSON, or no request.
pub fn request(line: &[u8]) -> Result<Request, Error> {
    let refused = |message: String| Error::new(ErrorCode::InvalidValue, "", message);
    // A list of the fields' values would do as well.
    if line.trim_ascii_start().starts_with(b"[") {
        return Err(refused("A request is an object".to_owned()));
    }
    serde_json::from_slice(line).map_err(|error| refused(error.to_string()))
}

/// What the request in a `line` of the input asks before anything is answered.
///
/// # Errors
/// As [`Verification::grouped`] and [`provider::request`].
pub fn questions(request: Request, line: u64, asked: &Asked) -> Result<Vec<Question>, Error> {
    let names = Names::new(&asked.plan, line, &request);
    let mut verification = Verification::grouped(request, asked.group)?;
    let mut questions = Vec::new();
    while let Some(question) = verification.next_planned() {
        questions.push(Question::new(names.of(&question)?, question, asked)?);
    }
    Ok(questions)
}

/// The report of the request in a `line` of the input as far as its answers are `known`, and what is still to be asked.
///
/// # Errors
/// As [`questions`].
pub fn replay(
    request: Request,
    line: u64,
    asked: &Asked,
    known: &Known<'_>,
    second: &SecondOpinion,
) -> Result<Replayed, Error> {
    let names = Names::new(&asked.plan, line, &request);
    let mut verification = Verification::grouped(request, asked.group)?;
    let (mut told, mut open) = (Told::default(), Vec::new());
    let report = loop {
        match verification.poll(usize::MAX) {
            Step::Done(report) => break *report,
            Step::Wait => verification.stop(Stop::Stopped),
            Step::Ask(questions) => {
                for question in questions {
                    ground(&mut verification, &question, second)?;
                    let name = names.of(&question)?;
                    let lines = known.get(&name.key).map_or(&[][..], Vec::as_slice);
                    if !told.settle(&mut verification, &question, lines, asked)? {
                        open.push((name, question));
                    }
                }
            }
        }
    };
    let mut asked = asked.clone();
    let refused = told.without.iter().map(|&parameter| parameter.to_owned());
    asked.without.extend(refused);
    let open = open
        .into_iter()
        .map(|(name, question)| Question::new(name, question, &asked));
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

/// The question of a plan that a line answers. Only whoever hears the line reads all of it.
///
/// # Errors
/// `invalid_value` with what is wrong with a line that answers nothing: it is no JSON, has no name, or nothing
/// that a provider writes; `foreign_answer` where it answers a question of another plan, or of none.
pub fn answered(line: &[u8], plan: &str) -> Result<Key, Error> {
    let name = custom_id(line)?;
    let foreign = |message: &str| Error::new(ErrorCode::ForeignAnswer, "custom_id", message);
    let digits = |plan: &str| plan.len() == 10 && !plan.contains(|c: char| !is_hex(c));
    let (other, key) = name
        .strip_prefix(MARK)
        .and_then(|rest| rest.split_once('-'))
        .filter(|(plan, _)| digits(plan))
        .and_then(|(plan, key)| Some((plan, Key::read(key)?)))
        .ok_or_else(|| foreign("its custom_id was not made here"))?;
    if other == plan {
        Ok(key)
    } else {
        Err(foreign("its custom_id is of another plan"))
    }
}

fn is_hex(c: char) -> bool {
    matches!(c, '0'..='9' | 'a'..='f')
}

fn custom_id(line: &[u8]) -> Result<String, Error> {
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
    if !line.trim_ascii_start().starts_with(b"{")
        && serde_json::from_slice::<IgnoredAny>(line).is_ok()
    {
        return Err(refused("no provider's answer: it is no object"));
    }
    let named: Named =
        serde_json::from_slice(line).map_err(|error| refused(&unread(line, &error)))?;
    match named.custom_id {
        Some(Value::String(name)) => Ok(name),
        _ => Err(refused("it has no custom_id")),
    }
}

/// Why a line cannot be read, in words that know nothing of our types.
fn unread(line: &[u8], error: &serde_json::Error) -> String {
    let column = error.column();
    match error.classify() {
        Category::Eof => format!("not JSON: it breaks off at column {column}"),
        Category::Data => {
            let line: Value = serde_json::from_slice(line).unwrap_or_default();
            let unfit = ["response", "answer", "failure"]
                .into_iter()
                .find(|field| !fits(field, &line[*field]));
            match unfit {
                Some(field) => format!("no provider's answer: its {field} is of another kind"),
                None => format!("no provider's answer: {error}"),
            }
        }
        _ => {
            let why = error.to_string();
            let place = format!(" at line {} column {column}", error.line());
            let why = why.strip_suffix(&place).unwrap_or(&why);
            format!("not JSON: {why} at column {column}")
        }
    }
}

/// Whether a field of a line is what whoever writes it would write.
fn fits(field: &str, value: &Value) -> bool {
    match field {
        _ if value.is_null() => true,
        "answer" => Answer::deserialize(value).is_ok(),
        "failure" => Failure::deserialize(value).is_ok(),
        _ => value.is_object(),
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
    let Some(said) = read(line.text).ok().and_then(Said::new) else {
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
