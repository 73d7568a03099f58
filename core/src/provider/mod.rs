//! Judges over HTTP, as pure functions: what to send, and what to make of what came back.
//!
//! The host sends, waits and measures time; what is retried, when, and what a failure means is
//! decided here, so that every host does the same. What a provider's interface looks like is one
//! description each, in a table.
//!
//! ```
//! use claimgauge_core::prompt::{Form, messages};
//! use claimgauge_core::provider::{Endpoint, Next, Question, Response, read, request};
//!
//! let endpoint: Endpoint = serde_json::from_str(
//!     r#"{ "dialect": "openai", "baseUrl": "http://127.0.0.1:8080/v1", "model": "small" }"#,
//! )
//! .unwrap();
//! let sent = request(&Question {
//!     endpoint,
//!     messages: messages(&[], "The port is 8080", Form::Json),
//!     structured: true,
//!     many: false,
//!     without: vec![],
//! })?;
//! assert_eq!(sent.url, "http://127.0.0.1:8080/v1/chat/completions");
//!
//! // Busy: ask again after what the server says.
//! let busy = Response { status: Some(429), retry_after: Some("2".into()), tries: 1, ..Response::default() };
//! assert_eq!(read(&busy), Next::Retry { after_ms: 2000 });
//!
//! // A refused key helps no other question either.
//! let refused = Response { status: Some(401), body: "{}".into(), tries: 1, ..Response::default() };
//! assert!(matches!(read(&refused), Next::Fail { stop: true, .. }));
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

mod address;
mod dialect;
pub mod language_model;
mod quoted;

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Error, ErrorCode,
    answer::{Answer, Failure, TIMEOUT},
    input::null_as_default,
    json::{self, Json},
    prompt::{Bounds, Message, ReplySchema, Role},
    reply::logprobs::TokenLogprob,
};
pub use dialect::Dialect;
use dialect::{Description, describe};

/// How often one request is sent at most, the parameters dropped on the way not counted.
pub const MAX_TRIES: u32 = 4;

/// How often at most where no answer came in the time allowed: each try costs all of it.
pub const MAX_HANGS: u32 = 2;

/// Where a judge is and what it is called.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Endpoint {
    /// The interface that it offers. Absent: OpenAI's chat completions.
    #[serde(default, deserialize_with = "null_as_default")]
    pub dialect: Dialect,
    /// Up to and without what the dialect adds: `https://api.example.com/v1`. Empty: the provider's
    /// own service, for a dialect that has one home.
    #[serde(default, deserialize_with = "null_as_default")]
    pub base_url: String,
    /// Absent where the server asks for none.
    #[serde(default)]
    pub api_key: Option<String>,
    /// The model's name on that server.
    pub model: String,
    /// Sent only where it is set.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// Most tokens of a reply; sent only where it is set.
    #[serde(default)]
    pub max_tokens: Option<u32>,
}

/// One question to an endpoint.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Question {
    /// Whom to ask.
    pub endpoint: Endpoint,
    /// The prompt.
    pub messages: Vec<Message>,
    /// Whether the reply must fit [`ReplySchema`].
    #[serde(default, deserialize_with = "null_as_default")]
    pub structured: bool,
    /// Whether it is about several claims, and the reply must have an answer for each.
    #[serde(default, deserialize_with = "null_as_default")]
    pub many: bool,
    /// Parameters that the endpoint refused before.
    #[serde(default, deserialize_with = "null_as_default")]
    pub without: Vec<String>,
}

impl Question {
    /// What a structured reply must fit.
    fn schema(&self, bounds: Bounds) -> Json<'static> {
        let schema = match self.many {
            true => ReplySchema::Many,
            false => ReplySchema::One,
        };
        schema.as_json(bounds)
    }

    fn model(&self) -> &str {
        self.endpoint.model()
    }

    /// What is said in that role.
    fn of(&self, role: Role) -> &str {
        let mut messages = self.messages.iter();
        let message = messages.find(|message| message.role == role);
        message.map_or("", |message| &message.content)
    }
}

/// What the host sends, with the method POST.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct HttpRequest {
    /// Where to.
    pub url: String,
    /// Names and values.
    pub headers: Vec<(&'static str, String)>,
    /// JSON.
    pub body: String,
}

/// What came of sending it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Response {
    /// The dialect of the endpoint that was asked.
    #[serde(deserialize_with = "null_as_default")]
    pub dialect: Dialect,
    /// The HTTP status; absent where none came.
    pub status: Option<u16>,
    /// What went wrong on the way.
    pub trouble: Option<Trouble>,
    /// The header `Retry-After`.
    pub retry_after: Option<String>,
    /// As much of the body as came.
    #[serde(deserialize_with = "null_as_default")]
    pub body: String,
    /// How often the request has been sent by now, this time included.
    #[serde(deserialize_with = "null_as_default")]
    pub tries: u32,
    /// A random number in [0, 1) of the host's, which spreads retries.
    #[serde(deserialize_with = "null_as_default")]
    pub jitter: f64,
    /// Parameters that were left out this time.
    #[serde(deserialize_with = "null_as_default")]
    pub without: Vec<String>,
    /// The key that was sent: a server may quote it, and it must stand in no report.
    pub api_key: Option<String>,
    /// Whether a page sent it, which may ask only servers that allow it.
    #[serde(deserialize_with = "null_as_default")]
    pub in_page: bool,
}

/// What goes wrong between a host and an endpoint.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// The connection ended before the body did.
    Cut,
    /// The body is larger than any judgement.
    Large,
    /// No answer in the time allowed.
    Timeout,
    /// No connection: a wrong address, a server that is down, or a browser that may not ask it.
    Unreachable,
}

/// What the host does next.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Next {
    /// Hand the answer in.
    Answer {
        /// What the judge answered.
        answer: Answer,
    },
    /// Hand the failure in.
    Fail {
        /// What happened.
        failure: Failure,
        /// Whether no other request can fare better: stop the run.
        stop: bool,
    },
    /// Send the request again after a while.
    Retry {
        /// How long to wait, in milliseconds.
        #[serde(rename = "afterMs")]
        after_ms: u64,
    },
    /// Send it again without a parameter that the endpoint refused.
    Without {
        /// Its name.
        parameter: &'static str,
    },
}

/// The HTTP request that asks `question`.
///
/// # Errors
/// `invalid_value` at `endpoint.baseUrl`, `endpoint.apiKey` or `endpoint.model`.
pub fn request(question: &Question) -> Result<HttpRequest, Error> {
    let endpoint = &question.endpoint;
    let url = endpoint.url()?;
    let headers = endpoint.headers()?;
    let sent = |parameter: &str| !question.without.iter().any(|refused| refused == parameter);
    let body = (describe(endpoint.dialect).body)(question, &sent);
    Ok(HttpRequest {
        url,
        headers,
        body: serde_json::to_string(&body)
            .map_err(|error| invalid("endpoint", &format!("{error}")))?,
    })
}

/// Parameters that a request can do without.
pub(crate) fn optional(dialect: Dialect) -> &'static [&'static str] {
    describe(dialect).optional
}

/// What to do about `response`.
pub fn read(response: &Response) -> Next {
    let key = response.api_key.as_deref().map(str::trim);
    next(response, key.filter(|key| is_secret(key)))
}

/// What is shorter, or a short word, may stand in any text, and hides nothing.
fn is_secret(key: &str) -> bool {
    let is_word = || key.bytes().all(|byte| byte.is_ascii_alphabetic());
    key.len() >= 8 || (key.len() >= 6 && !is_word())
}

fn next(response: &Response, key: Option<&str>) -> Next {
    if let Some(trouble) = response.trouble {
        let useless = match trouble {
            Trouble::Large => true,
            Trouble::Timeout => response.tries >= MAX_HANGS,
            Trouble::Cut | Trouble::Unreachable => false,
        };
        let asked = response.retry_after.as_deref().and_then(seconds);
        let retry = again(response, asked).filter(|_| !useless);
        return retry.unwrap_or_else(|| fail(trouble.failure(response.in_page)));
    }
    let mut body = parse(&response.body);
    if let (Ok(body), Some(key)) = (&mut body, key) {
        quoted::redact(body, key);
    }
    judge(response, body.as_ref(), key)
}

/// What to do about a response that came once and is kept: its body may be JSON that was read already.
pub(crate) fn read_once(dialect: Dialect, status: u16, body: Value) -> Next {
    let (text, object) = match body {
        Value::Null => (String::new(), None),
        Value::Object(_) => (String::new(), Some(body)),
        Value::String(text) => (text, None),
        other => (format!("{other}"), None),
    };
    let response = Response {
        dialect,
        status: Some(status),
        body: text,
        tries: 1,
        ..Response::default()
    };
    match object {
        Some(body) => judge(&response, Ok(&body), None),
        None => next(&response, None),
    }
}

/// What a response with a status says; `key` stands nowhere in its body any more.
fn judge(response: &Response, body: Result<&Value, &Malformed>, key: Option<&str>) -> Next {
    let asked = response.retry_after.as_deref().and_then(seconds);
    let status = response.status.unwrap_or(0);
    let description = describe(response.dialect);
    let mut problem = body.ok().and_then(Problem::of_error);
    if (200..300).contains(&status) && problem.is_none() {
        return match body {
            Ok(body) => answer(body, description, key),
            Err(Malformed::Cut) => again(response, asked)
                .unwrap_or_else(|| fail(Trouble::Cut.failure(response.in_page))),
            Err(Malformed::NotJson) => fail(not_json(response)),
        };
    }

    problem = problem.or_else(|| body.ok().and_then(Problem::of_body));
    let problem = problem.unwrap_or_default();
    if matches!(status, 400 | 422)
        && let Some(parameter) = refused_parameter(&problem, description, &response.without)
    {
        return Next::Without { parameter };
    }
    let means = problem.status().unwrap_or(status);
    if matches!(means, 408 | 409 | 429 | 500..=599)
        && let Some(retry) = again(response, asked.or(problem.retry_after))
    {
        return retry;
    }
    let row = STATUSES
        .iter()
        .find(|row| row.statuses.contains(&means))
        .expect("the last row covers every status");
    let home = response.dialect.home().filter(|_| row.path == "baseUrl");
    let said = match problem.message.as_str() {
        "" => String::new(),
        message => format!(": {}", cut(message)),
    };
    Next::Fail {
        failure: Failure::new(row.code, format!("{} (HTTP {status}){said}", row.message))
            .at(row.path)
            .with_hint(&home.map_or_else(|| row.hint.to_owned(), usual)),
        stop: row.stop,
    }
}

/// Another try, where one is left.
fn again(response: &Response, asked: Option<u64>) -> Option<Next> {
    (response.tries < MAX_TRIES).then(|| Next::Retry {
        after_ms: wait(response, asked),
    })
}

/// What an HTTP status means.
struct StatusRow {
    statuses: core::ops::RangeInclusive<u16>,
    code: &'static str,
    /// The setting at fault.
    path: &'static str,
    message: &'static str,
    hint: &'static str,
    stop: bool,
}

#[rustfmt::skip]
static STATUSES: [StatusRow; 8] = [
    StatusRow {
        statuses: 300..=399, code: "judge_redirected", path: "baseUrl",
        message: "The server sends requests to another address, which is not asked", hint: "Write the address that it leads to, if you trust it.", stop: true,
    },
    StatusRow {
        statuses: 401..=401, code: "judge_unauthorized", path: "apiKey",
        message: "The judge refused the key", hint: "Check the key and that it is for this server.", stop: true,
    },
    StatusRow {
        statuses: 402..=402, code: "judge_quota", path: "apiKey",
        message: "The account has no credit left", hint: "Add credit or use another key.", stop: true,
    },
    StatusRow {
        statuses: 403..=403, code: "judge_unauthorized", path: "apiKey",
        message: "The judge does not allow this", hint: "Check what the key may be used for.", stop: true,
    },
    StatusRow {
        statuses: 404..=404, code: "judge_not_found", path: "baseUrl",
        message: "There is no such address or model", hint: "Base URLs usually end in /v1; check the model's name too.", stop: true,
    },
    StatusRow {
        statuses: 429..=429, code: "judge_rate_limited", path: "",
        message: "The judge is asked too often", hint: "Wait, or lower the concurrency.", stop: false,
    },
    StatusRow {
        statuses: 500..=599, code: "judge_unavailable", path: "baseUrl",
        message: "The judge's server failed", hint: "Try again later.", stop: false,
    },
    StatusRow {
        statuses: 0..=u16::MAX, code: "judge_rejected", path: "",
        message: "The judge did not take the request", hint: "What it says is quoted above.", stop: false,
    },
];

impl Trouble {
    fn failure(self, in_page: bool) -> Failure {
        let (code, message, hint) = match self {
            Self::Cut => (
                "judge_cut",
                "The judge's answer broke off before its end",
                "Try again; a proxy on the way may limit how much it passes.",
            ),
            Self::Large => (
                "judge_too_large",
                "The judge's answer is larger than any judgement",
                "Is this the interface that was chosen?",
            ),
            Self::Timeout => (
                TIMEOUT,
                "The judge did not answer in time",
                "Allow more time, or use a faster model.",
            ),
            Self::Unreachable => (
                "judge_unreachable",
                "The judge cannot be reached",
                match in_page {
                    true => {
                        "Check the address, that the server runs, and that it allows this page (CORS)."
                    }
                    false => "Check the address and that the server runs.",
                },
            ),
        };
        Failure::new(code, message).at("baseUrl").with_hint(hint)
    }
}

/// A body that cannot be read.
enum Malformed {
    /// JSON that breaks off.
    Cut,
    /// Something else.
    NotJson,
}

fn parse(body: &str) -> Result<Value, Malformed> {
    let body = body.trim_start_matches('\u{feff}');
    match json::read(body.as_bytes()) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Err(error) if error.is_eof() && body.trim_start().starts_with('{') => Err(Malformed::Cut),
        _ => Err(Malformed::NotJson),
    }
}

fn answer(body: &Value, description: &Description, key: Option<&str>) -> Next {
    let mut reply = (description.reply)(body);
    // Token by token the key still stands there.
    let spelt = |tokens: &Vec<TokenLogprob>| key.is_some_and(|key| quoted::spell(tokens, key));
    reply.logprobs = reply.logprobs.filter(|tokens| !spelt(tokens));
    if let Some(refusal) = reply.refusal {
        return fail(Failure::new(
            "judge_refused",
            format!("The model declined to judge: {}", cut(&refusal)),
        ));
    }
    let Some(text) = reply.text else {
        return fail(
            Failure::new("judge_empty", "The judge's answer holds no reply")
                .at("baseUrl")
                .with_hint("Is this the interface that was chosen?"),
        );
    };
    Next::Answer {
        answer: Answer {
            cut: reply.cut,
            logprobs: reply.logprobs,
            usage: reply.usage,
            ..Answer::text(text)
        },
    }
}

/// An endpoint's own word on what went wrong.
#[derive(Debug, Default)]
struct Problem {
    codes: Vec<String>,
    message: String,
    /// The parameter at fault, where it has a place of its own.
    parameter: String,
    /// How many seconds to wait, where the body says it instead of a header.
    retry_after: Option<u64>,
}

/// Codes, or starts of messages, that say more than the HTTP status they come with, and the status
/// that says the same.
const PLAINER: [(&str, u16); 4] = [
    ("API_KEY_INVALID", 401),
    ("Your credit balance is too low", 402),
    ("billing_error", 402),
    ("insufficient_quota", 402),
];

impl Problem {
    /// What stands under `error`: an object, or a text alone.
    fn of_error(body: &Value) -> Option<Self> {
        match &body["error"] {
            Value::Null | Value::Bool(false) => None,
            Value::String(text) if text.is_empty() => None,
            Value::Object(_) => Self::of_body(&body["error"]),
            other => Some(Self {
                message: plain(other),
                ..Self::default()
            }),
        }
    }

    /// What stands beside nothing else: `message` or `detail`, and codes as texts or numbers.
    fn of_body(body: &Value) -> Option<Self> {
        let mut keys = ["message", "detail"].iter();
        let message = keys.find_map(|key| body.get(*key));
        let details = || body["details"].as_array().into_iter().flatten();
        let mut codes = Vec::from(["code", "type", "status"].map(|key| plain(&body[key])));
        codes.extend(details().map(|detail| plain(&detail["reason"])));
        let mut delays = details().filter_map(|detail| detail["retryDelay"].as_str());
        Some(Self {
            codes,
            message: message.map(plain).unwrap_or_default(),
            parameter: plain(&body["param"]),
            retry_after: delays.find_map(|delay| seconds(delay.strip_suffix('s')?)),
        })
    }

    /// The status that says what the endpoint means, where its own is less plain.
    fn status(&self) -> Option<u16> {
        let says = |words: &str| {
            self.message.starts_with(words) || self.codes.iter().any(|code| code == words)
        };
        let row = PLAINER.iter().find(|(words, _)| says(words));
        row.map(|(_, status)| *status)
    }
}

/// `37` or `37.5` as whole seconds, rounded up.
fn seconds(text: &str) -> Option<u64> {
    let text = text.trim();
    let (whole, parts) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let more = parts.bytes().any(|digit| digit != b'0');
    (digits(whole) && digits(parts)).then(|| {
        let whole = whole.parse().unwrap_or(u64::MAX);
        whole.saturating_add(more.into())
    })
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => format!("{other}"),
    }
}

/// The first parameter that the endpoint complains of and that can be left out.
fn refused_parameter(
    problem: &Problem,
    description: &Description,
    without: &[String],
) -> Option<&'static str> {
    let mut optional = description.optional.iter();
    optional
        .find(|name| {
            (problem.message.contains(**name) || problem.parameter.contains(**name))
                && !without.iter().any(|dropped| dropped == *name)
        })
        .copied()
}

/// How long to wait before the next try: what the server asks for, else half a second that doubles.
/// At most a minute.
fn wait(response: &Response, asked: Option<u64>) -> u64 {
    const FIRST_MS: u64 = 500;
    const MOST_MS: u64 = 60_000;
    if let Some(seconds) = asked {
        return seconds.saturating_mul(1000).min(MOST_MS);
    }
    let doubled = FIRST_MS << response.tries.saturating_sub(1).min(8);
    let jitter = response.jitter.clamp(0.0, 1.0);
    let spread = doubled / 2 + (doubled as f64 / 2.0 * jitter) as u64;
    spread.min(MOST_MS)
}

fn not_json(response: &Response) -> Failure {
    let start = response.body.trim_start();
    let what = if start.starts_with('<') {
        "a web page"
    } else if start.is_empty() {
        "nothing"
    } else {
        "something that is not JSON"
    };
    Failure::new("judge_not_json", format!("The server answered with {what}"))
        .at("baseUrl")
        .with_hint(&match response.dialect.home() {
            Some(home) => usual(home),
            None => "Base URLs usually end in /v1.".to_owned(),
        })
}

fn usual(home: &str) -> String {
    format!("For this interface the base URL is usually {home}; check the model's name too.")
}

fn fail(failure: Failure) -> Next {
    Next::Fail {
        failure,
        stop: false,
    }
}

fn invalid(path: &str, message: &str) -> Error {
    Error::new(ErrorCode::InvalidValue, path, message)
}

/// At most 300 characters of what a server says.
fn cut(text: &str) -> String {
    const MOST: usize = 300;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn question(base_url: &str) -> Question {
        Question {
            endpoint: Endpoint {
                dialect: Dialect::Openai,
                base_url: base_url.to_owned(),
                api_key: Some("k-1".to_owned()),
                model: "m".to_owned(),
                temperature: None,
                max_tokens: None,
            },
            messages: Vec::from([
                Message {
                    role: Role::System,
                    content: "Judge.".to_owned(),
                },
                Message {
                    role: Role::User,
                    content: "Is it so?".to_owned(),
                },
            ]),
            structured: true,
            many: false,
            without: Vec::new(),
        }
    }

    fn response(status: u16, body: &str) -> Response {
        Response {
            status: Some(status),
            body: body.to_owned(),
            tries: 1,
            ..Response::default()
        }
    }

    fn failure(next: Next) -> (String, bool) {
        match next {
            Next::Fail { failure, stop } => (failure.code, stop),
            other => panic!("no failure: {other:?}"),
        }
    }

    #[test]
    fn a_request_holds_what_is_set_and_nothing_else() {
        let sent = request(&question("http://127.0.0.1:1/v1/")).unwrap();
        assert_eq!(sent.url, "http://127.0.0.1:1/v1/chat/completions");
        assert_eq!(sent.headers[1], ("authorization", "Bearer k-1".to_string()));
        assert!(!sent.body.contains("temperature"));
        assert!(sent.body.contains("json_schema"));

        let mut plain = question("https://a.example/v1/chat/completions");
        plain.without.push("response_format".to_owned());
        plain.endpoint.api_key = Some("  ".to_owned());
        let sent = request(&plain).unwrap();
        assert_eq!(sent.url, "https://a.example/v1/chat/completions");
        assert_eq!(sent.headers.len(), 1);
        assert!(!sent.body.contains("json_schema"));
    }

    #[test]
    fn a_bad_setting_is_named() {
        for base in [
            "",
            "a.example",
            "ftp://a",
            "https://user:pw@a.example",
            "http://",
            "http:///x",
            "https://a b",
            "https://a?x",
        ] {
            let error = request(&question(base)).unwrap_err();
            assert_eq!(error.path(), "endpoint.baseUrl", "{base}");
        }
        for base in [
            "HTTPS://user:hunter2@a.example",
            "user:hunter2@a.example/v1",
            "ftp://user:hunter2@a",
            "https://user:hunter2@a b",
            "a.example?key=hunter2",
            "a.example/v1#hunter2",
            "Https://a?hunter2",
        ] {
            let error = request(&question(base)).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
        for scheme in ["HTTP", "https", "Https"] {
            let sent = request(&question(&format!("{scheme}://a.example/v1"))).unwrap();
            assert_eq!(
                sent.url,
                format!("{scheme}://a.example/v1/chat/completions")
            );
        }
        let none = request(&question(" ")).unwrap_err();
        assert_eq!(none.message(), "No base URL is given yet");
        let mut bad = question("https://a.example");
        bad.endpoint.api_key = Some("a\nb".to_owned());
        assert_eq!(request(&bad).unwrap_err().path(), "endpoint.apiKey");
        bad = question("https://a.example");
        bad.endpoint.model.clear();
        assert_eq!(request(&bad).unwrap_err().path(), "endpoint.model");
    }

    #[test]
    fn an_answer_is_read_from_its_envelope() {
        let body = r#"{"choices":[{"message":{"content":"UNSURE 0.5"},"finish_reason":"length"}],
            "usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}"#;
        let Next::Answer { answer } = read(&response(200, body)) else {
            panic!("no answer");
        };
        assert_eq!(answer.text, "UNSURE 0.5");
        assert!(answer.cut);
        assert_eq!(answer.usage.unwrap().prompt_tokens, Some(7));

        let parts = r#"{"choices":[{"message":{"content":[{"type":"text","text":"UN"},{"text":"SURE"}]}}]}"#;
        let Next::Answer { answer } = read(&response(200, parts)) else {
            panic!("no answer");
        };
        assert_eq!(answer.text, "UNSURE");
    }

    /// Dialect, a response's body, the reply's text, whether it was cut, prompt and completion tokens.
    #[rustfmt::skip]
    static BODIES: [(Dialect, &str, &str, bool, u64, u64); 8] = [
        (Dialect::Openai, r#"{"choices":[{"message":{"content":[{"type":"thinking","text":"ENTAILED?"},{"type":"text","text":"UNSURE 0.5"}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#,
            "UNSURE 0.5", false, 7, 3),
        (Dialect::Openai, r#"{"choices":[{"message":{"content":null,"reasoning_content":"ENTAILED","tool_calls":[{"function":{"arguments":"{\"verdict\":\"UNSURE\"}"}}]},"finish_reason":"length"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#,
            r#"{"verdict":"UNSURE"}"#, true, 7, 3),
        (Dialect::OpenaiResponses, r#"{"output":[{"type":"reasoning","content":[{"type":"reasoning_text","text":"ENTAILED"}]},{"type":"message","content":[{"type":"output_text","text":"UNSURE 0.5"}]}],"usage":{"input_tokens":7,"output_tokens":3}}"#,
            "UNSURE 0.5", false, 7, 3),
        (Dialect::Anthropic, r#"{"content":[{"type":"thinking","thinking":"ENTAILED"},{"type":"text","text":"UNSURE 0.5"}],"stop_reason":"max_tokens","usage":{"input_tokens":2,"cache_read_input_tokens":5,"output_tokens":3}}"#,
            "UNSURE 0.5", true, 7, 3),
        (Dialect::Anthropic, r#"{"content":[{"type":"tool_use","name":"judge","input":{"verdict":"UNSURE"}}],"stop_reason":"tool_use","usage":{"input_tokens":7,"output_tokens":3}}"#,
            r#"{"verdict":"UNSURE"}"#, false, 7, 3),
        (Dialect::Gemini, r#"{"candidates":[{"content":{"parts":[{"text":"ENTAILED","thought":true},{"text":"UNSURE 0.5"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":1,"thoughtsTokenCount":2}}"#,
            "UNSURE 0.5", false, 7, 3),
        (Dialect::Gemini, r#"{"candidates":[{"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":7,"thoughtsTokenCount":3}}"#,
            "", true, 7, 3),
        (Dialect::Ollama, r#"{"message":{"content":"UNSURE 0.5","thinking":"ENTAILED"},"done_reason":"stop","prompt_eval_count":7,"eval_count":3}"#,
            "UNSURE 0.5", false, 7, 3),
    ];

    #[test]
    fn every_dialect_is_read_where_its_reply_stands() {
        for (dialect, body, text, was_cut, prompt, completion) in BODIES {
            let response = Response {
                dialect,
                ..response(200, body)
            };
            let Next::Answer { answer } = read(&response) else {
                panic!("no answer in {body}");
            };
            assert_eq!(
                (answer.text.as_str(), answer.cut),
                (text, was_cut),
                "{body}"
            );
            let usage = answer.usage.unwrap();
            assert_eq!(usage.prompt_tokens, Some(prompt), "{body}");
            assert_eq!(usage.completion_tokens, Some(completion), "{body}");
        }
    }

    #[test]
    fn every_dialect_is_asked_at_its_address_with_its_key() {
        #[rustfmt::skip]
        let rows = [
            (Dialect::Openai, "/chat/completions", "authorization", "Bearer k-1", "response_format"),
            (Dialect::OpenaiResponses, "/responses", "authorization", "Bearer k-1", "format"),
            (Dialect::Anthropic, "/messages", "x-api-key", "k-1", "output_config"),
            (Dialect::Gemini, "/models/m:generateContent", "x-goog-api-key", "k-1", "responseJsonSchema"),
            (Dialect::Ollama, "/api/chat", "authorization", "Bearer k-1", "format"),
        ];
        for (dialect, path, header, key, structured) in rows {
            let mut question = question("https://a.example");
            question.endpoint.dialect = dialect;
            let sent = request(&question).unwrap();
            assert_eq!(sent.url, format!("https://a.example{path}"));
            assert!(
                sent.headers.contains(&(header, key.to_string())),
                "{sent:?}"
            );
            let body: Value = serde_json::from_str(&sent.body).unwrap();
            assert!(
                sent.body.contains(structured) && sent.body.contains("Is it so?"),
                "{body}"
            );
            assert!(!sent.body.contains("temperature"), "{body}");
            assert!(sent.body.find("\"verdict\":{") < sent.body.find("\"confidence\":{"));

            for parameter in describe(dialect).optional {
                question.without.push((*parameter).to_owned());
            }
            let plain = request(&question).unwrap().body;
            assert!(
                !plain.contains("json_schema") && !plain.contains("logprobs"),
                "{plain}"
            );
            assert!(!plain.contains("\"properties\""), "{plain}");
        }
    }

    #[test]
    fn a_refused_structure_falls_back_to_a_tool() {
        let mut question = question("https://a.example");
        question.endpoint.dialect = Dialect::Anthropic;
        let mut refused = response(
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"output_config: Extra inputs are not permitted"}}"#,
        );
        refused.dialect = Dialect::Anthropic;
        assert_eq!(
            read(&refused),
            Next::Without {
                parameter: "output_config"
            }
        );
        question.without.push("output_config".to_owned());
        assert!(request(&question).unwrap().body.contains("tool_choice"));
    }

    #[test]
    fn a_provider_with_one_home_needs_no_address() {
        for (dialect, url) in [
            (
                Dialect::Anthropic,
                Some("https://api.anthropic.com/v1/messages"),
            ),
            (
                Dialect::Gemini,
                Some("https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"),
            ),
            (Dialect::Ollama, Some("http://127.0.0.1:11434/api/chat")),
            (Dialect::Openai, None),
            (Dialect::OpenaiResponses, None),
        ] {
            let mut question = question("");
            question.endpoint.dialect = dialect;
            let sent = request(&question).ok().map(|sent| sent.url);
            assert_eq!(sent.as_deref(), url);
        }
    }

    #[test]
    fn bounds_are_left_out_where_they_are_refused() {
        let mut question = question("https://a.example");
        for (dialect, bounds) in [(Dialect::Anthropic, false), (Dialect::Gemini, true)] {
            question.endpoint.dialect = dialect;
            let body = request(&question).unwrap().body;
            assert_eq!(body.contains("\"maximum\":1"), bounds, "{body}");
        }
    }

    #[test]
    fn what_a_provider_says_counts_more_than_its_status() {
        #[rustfmt::skip]
        let rows = [
            (Dialect::Gemini, 400, r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}"#, "judge_unauthorized"),
            (Dialect::Anthropic, 400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#, "judge_quota"),
            (Dialect::Openai, 429, r#"{"error":{"type":"insufficient_quota","message":"You exceeded your current quota"}}"#, "judge_quota"),
        ];
        for (dialect, status, body, code) in rows {
            let response = Response {
                dialect,
                ..response(status, body)
            };
            assert_eq!(failure(read(&response)), (code.to_string(), true), "{body}");
        }
    }

    #[test]
    fn a_blocked_prompt_is_a_refusal() {
        for (dialect, body) in [
            (
                Dialect::Gemini,
                r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#,
            ),
            (
                Dialect::Anthropic,
                r#"{"content":[],"stop_reason":"refusal"}"#,
            ),
            (
                Dialect::OpenaiResponses,
                r#"{"output":[{"type":"message","content":[{"type":"refusal","refusal":"No."}]}]}"#,
            ),
        ] {
            let response = Response {
                dialect,
                ..response(200, body)
            };
            assert_eq!(failure(read(&response)).0, "judge_refused", "{body}");
        }
    }

    #[test]
    fn token_probabilities_are_read() {
        let body = r#"{"choices":[{"message":{"content":"UNSURE"},"logprobs":{"content":[{"token":"UNSURE","logprob":-0.1,"top_logprobs":[{"token":"UNSURE","logprob":-0.1},{"token":"ENT","logprob":-2.5}]}]}}]}"#;
        let Next::Answer { answer } = read(&response(200, body)) else {
            panic!("no answer");
        };
        let tokens = answer.logprobs.unwrap();
        assert_eq!(
            (tokens[0].token.as_str(), tokens[0].top.len()),
            ("UNSURE", 2)
        );
    }

    #[test]
    fn a_key_that_a_server_quotes_is_hidden() {
        let mut echo = response(
            200,
            r#"{"choices":[{"message":{"content":"UNSURE secret-key-1"}}]}"#,
        );
        echo.api_key = Some(" secret-key-1 ".to_owned());
        let Next::Answer { answer } = read(&echo) else {
            panic!("no answer");
        };
        assert_eq!(answer.text, "UNSURE [REDACTED]");

        let mut refused = response(401, "");
        refused.body = format!(
            r#"{{"error":{{"message":"{}secret-key-1"}}}}"#,
            "x".repeat(295)
        );
        refused.api_key = echo.api_key;
        let Next::Fail { failure, .. } = read(&refused) else {
            panic!("no failure");
        };
        assert!(!failure.message.contains("secret"), "{}", failure.message);
    }

    #[test]
    fn a_key_that_a_server_escapes_is_hidden() {
        #[rustfmt::skip]
        let rows = [
            ("aB3/dE6", 401, r#"{"error":{"message":"Invalid key: aB3\/dE6"}}"#),
            ("aB3/dE6+gH9", 400, r#"{"error":{"message":"Invalid key: aB3\/dE6\u002bgH9"}}"#),
            ("aB3&dE6<gH9", 403, r#"{"error":"Invalid key: aB3\u0026dE6\u003CgH9"}"#),
            ("sk-abc123", 200, r#"{"choices":[{"message":{"content":"UNSURE sk\u002dabc123"}}]}"#),
            ("aB3/dE6+gH9", 200, r#"{"choices":[{"message":{"content":"{\"verdict\":\"UNSURE\",\"reasoning\":\"aB3\\\/dE6\\u002bgH9\"}"}}]}"#),
            ("aB3/dE6+gH9", 200, r#"{"choices":[{"message":{"content":"","refusal":"aB3\/dE6+gH9"}}]}"#),
            ("sk-abc123", 200, r#"{"choices":[{"message":{"tool_calls":[{"function":{"arguments":{"sk-abc123":"sk\u002dabc123"}}}]}}]}"#),
            ("sk-abc123", 200, r#"{"choices":[{"message":{"content":"UNSURE"},"logprobs":{"content":[{"token":"sk-ab","logprob":0},{"token":"c123","logprob":0}]}}]}"#),
        ];
        for (key, status, body) in rows {
            let mut echo = response(status, body);
            echo.api_key = Some(key.to_owned());
            let next = format!("{:?}", read(&echo));
            for part in [key, "aB3", "sk-", "c123"] {
                assert!(!next.contains(part), "{next}");
            }
        }
        let mut word = response(401, r#"{"error":"ollama serves no key"}"#);
        word.api_key = Some("ollama".to_owned());
        assert!(format!("{:?}", read(&word)).contains("ollama serves"));
    }

    #[test]
    fn half_of_a_surrogate_pair_spoils_no_answer() {
        let body = r#"{"choices":[{"message":{"content":"\ud800 ENTAILED 0.9 \\ud800 \ud83d\ude00 \ude00\\"}}]}"#;
        let Next::Answer { answer } = read(&response(200, body)) else {
            panic!("no answer");
        };
        assert_eq!(
            answer.text,
            "\u{fffd} ENTAILED 0.9 \\ud800 \u{1f600} \u{fffd}\\"
        );
        let cut = r#"{"choices":[{"message":{"content":"\ud800"#;
        assert!(matches!(read(&response(200, cut)), Next::Retry { .. }));
        assert_eq!(
            failure(read(&response(200, r#"{"a":"\ud800\x"}"#))).0,
            "judge_not_json"
        );
    }

    #[test]
    fn only_a_page_is_told_of_what_pages_may_ask() {
        for in_page in [false, true] {
            let trouble = Some(Trouble::Unreachable);
            let away = Response {
                in_page,
                trouble,
                tries: MAX_TRIES,
                ..Response::default()
            };
            let Next::Fail { failure, .. } = read(&away) else {
                panic!("no failure");
            };
            assert_eq!(failure.hint.unwrap().contains("CORS"), in_page);
        }
    }

    #[test]
    fn a_redirect_is_not_followed_and_an_endless_body_is_not_asked_for_again() {
        assert_eq!(
            failure(read(&response(307, ""))),
            ("judge_redirected".to_owned(), true)
        );
        let mut large = response(200, "");
        large.trouble = Some(Trouble::Large);
        assert_eq!(failure(read(&large)).0, "judge_too_large");
    }

    #[test]
    fn a_reply_that_ended_early_is_cut_whatever_ended_it() {
        #[rustfmt::skip]
        let rows = [
            (Dialect::Openai, r#"{"choices":[{"message":{"content":"ENTAILED"},"finish_reason":"content_filter"}]}"#, true),
            (Dialect::Openai, r#"{"choices":[{"message":{"content":"ENTAILED"},"finish_reason":"error"}]}"#, true),
            (Dialect::Openai, r#"{"choices":[{"message":{"content":"ENTAILED"},"finish_reason":"stop"}],"error":""}"#, false),
            (Dialect::OpenaiResponses, r#"{"output":[{"type":"message","content":[{"type":"output_text","text":"ENTAILED"}]}],"incomplete_details":{"reason":"content_filter"}}"#, true),
            (Dialect::Anthropic, r#"{"content":[{"type":"text","text":"ENTAILED"}],"stop_reason":"model_context_window_exceeded"}"#, true),
            (Dialect::Anthropic, r#"{"content":[{"type":"text","text":"ENTAILED"}],"stop_reason":"end_turn"}"#, false),
            (Dialect::Gemini, r#"{"candidates":[{"content":{"parts":[{"text":"ENTAILED"}]},"finishReason":"RECITATION"}]}"#, true),
            (Dialect::Gemini, r#"{"candidates":[{"content":{"parts":[{"text":"ENTAILED"}]},"finishReason":"STOP"}]}"#, false),
        ];
        for (dialect, body, cut) in rows {
            let response = Response {
                dialect,
                ..response(200, &format!("\u{feff}{body}"))
            };
            let Next::Answer { answer } = read(&response) else {
                panic!("{body}");
            };
            assert_eq!((&*answer.text, answer.cut), ("ENTAILED", cut), "{body}");
        }
    }

    #[test]
    fn what_hangs_is_tried_twice() {
        let tried = |trouble, tries| {
            read(&Response {
                trouble: Some(trouble),
                tries,
                ..Response::default()
            })
        };
        for (trouble, most) in [
            (Trouble::Timeout, 2),
            (Trouble::Cut, 4),
            (Trouble::Unreachable, 4),
        ] {
            let next = tried(trouble, most - 1);
            assert!(matches!(next, Next::Retry { .. }), "{trouble:?}: {next:?}");
            let next = tried(trouble, most);
            assert!(matches!(next, Next::Fail { .. }), "{trouble:?}: {next:?}");
        }
    }

    #[test]
    fn what_may_pass_is_tried_again_and_what_cannot_is_not() {
        let last = |status, body| {
            let mut last = response(status, body);
            last.tries = MAX_TRIES;
            last
        };
        for status in [408, 409, 429, 500, 503] {
            let next = read(&response(status, ""));
            assert!(matches!(next, Next::Retry { .. }), "{status}: {next:?}");
            let next = read(&last(status, ""));
            assert!(
                matches!(next, Next::Fail { stop: false, .. }),
                "{status}: {next:?}"
            );
        }
        #[rustfmt::skip]
        let rows = [
            (401, r#"{"error":{"message":"bad key"}}"#, "judge_unauthorized", true),
            (402, "", "judge_quota", true),
            (429, r#"{"error":{"code":"insufficient_quota","message":"pay"}}"#, "judge_quota", true),
            (404, "<html>", "judge_not_found", true),
            (400, r#"{"error":"no"}"#, "judge_rejected", false),
            (200, r#"{"error":{"message":"overloaded"}}"#, "judge_rejected", false),
            (200, "<!doctype html>", "judge_not_json", false),
            (200, "", "judge_not_json", false),
            (200, "{}", "judge_empty", false),
            (200, r#"{"choices":[{"message":{"refusal":"I will not"}}]}"#, "judge_refused", false),
        ];
        for (status, body, code, stop) in rows {
            assert_eq!(
                failure(read(&response(status, body))),
                (code.to_string(), stop),
                "{body}"
            );
        }
        let cut = r#"{"choices":[{"mess"#;
        assert!(matches!(read(&response(200, cut)), Next::Retry { .. }));
        assert_eq!(failure(read(&last(200, cut))).0, "judge_cut");
    }

    #[test]
    fn a_refused_parameter_is_dropped_once() {
        let body = r#"{"error":{"message":"Unsupported parameter: 'response_format'"}}"#;
        let mut refused = response(400, body);
        assert_eq!(
            read(&refused),
            Next::Without {
                parameter: "response_format"
            }
        );
        refused.without.push("response_format".to_owned());
        assert_eq!(failure(read(&refused)).0, "judge_rejected");

        let named = r#"{"error":{"message":"Not supported with this model.","param":"include"}}"#;
        let mut named = response(400, named);
        named.dialect = Dialect::OpenaiResponses;
        assert_eq!(
            read(&named),
            Next::Without {
                parameter: "include"
            }
        );
    }

    #[test]
    fn waits_follow_the_server_or_double() {
        let mut late = response(429, "");
        #[rustfmt::skip]
        let rows = [
            ("2", 2000), (" 0.5 ", 1000), ("1.5", 2000), ("0", 0), ("3.0", 3000), ("99999999999999", 60_000), ("1e99", 250),
            ("99999999999999999999999", 60_000), ("-5", 250), ("+5", 250), (".5", 250), ("5.", 250), ("soon", 250), ("", 250),
        ];
        for (asked, after_ms) in rows {
            late.retry_after = Some(asked.to_owned());
            assert_eq!(read(&late), Next::Retry { after_ms }, "{asked:?}");
        }
        let mut waits = Vec::new();
        for tries in 1..=3 {
            late.tries = tries;
            waits.push(wait(&late, None));
        }
        assert_eq!(waits, [250, 500, 1000]);
        late.jitter = 1.0;
        assert_eq!(wait(&late, None), 2000);
    }

    #[test]
    fn a_wait_may_stand_in_the_body() {
        for (delay, after_ms) in [
            ("7s", 7000),
            ("7.2s", 8000),
            ("7.000s", 7000),
            ("soon", 250),
        ] {
            let body = format!(
                r#"{{"error":{{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{{"retryDelay":"{delay}"}}]}}}}"#
            );
            assert_eq!(read(&response(429, &body)), Next::Retry { after_ms });
        }
        let header = Response {
            retry_after: Some("1".to_owned()),
            ..response(429, r#"{"error":{"details":[{"retryDelay":"7s"}]}}"#)
        };
        assert_eq!(read(&header), Next::Retry { after_ms: 1000 });
    }
}
