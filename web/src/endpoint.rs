//! Asking a model server by fetch. What is sent, what is retried and what a failure
//! means is the core's ([`claimgauge_core::provider`]).

use std::cell::RefCell;

use claimgauge_core::{
    provider::{self, Endpoint, HttpRequest, Next, Question, Response, Trouble},
    verification::{Answer, Failure, PassRequest},
};
use gloo_net::http;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortSignal, ReadableStreamDefaultReader, ReferrerPolicy, RequestCache, RequestCredentials,
    RequestRedirect, ResponseType,
};

use crate::browser;

/// How long an answer may take, in milliseconds. Small models on small machines are slow.
const TIMEOUT_MS: u32 = 180_000;

/// More is no answer of a judge.
const MOST_BODY: usize = 16 * 1024 * 1024;

/// What came of asking.
pub(crate) enum Said {
    Answer(Answer),
    Failure {
        failure: Failure,
        /// Whether no other question can fare better.
        stop: bool,
    },
    /// The run was cancelled meanwhile.
    Nothing,
}

/// Asks until there is an answer or no use in asking. `without` holds the parameters that the
/// endpoint is known to refuse.
pub(crate) async fn ask(
    endpoint: &Endpoint,
    without: &RefCell<Vec<String>>,
    request: &PassRequest,
    cancel: &AbortSignal,
) -> Said {
    let mut tries = 0;
    loop {
        let question = Question {
            endpoint: endpoint.clone(),
            messages: request.messages.clone(),
            structured: request.schema.is_some(),
            many: false,
            without: without.borrow().clone(),
        };
        let http = match provider::request(&question) {
            Ok(http) => http,
            Err(error) => {
                let code = "judge_rejected";
                let failure = Failure::new(code, error.message()).at(error.path());
                return Said::Failure {
                    failure,
                    stop: true,
                };
            }
        };
        tries += 1;
        let response = send(&http, cancel).await;
        if cancel.aborted() {
            return Said::Nothing;
        }
        match provider::read(&Response {
            dialect: endpoint.dialect,
            api_key: endpoint.api_key.clone(),
            tries,
            jitter: browser::jitter(),
            without: question.without,
            in_page: true,
            ..response
        }) {
            Next::Answer { answer } => return Said::Answer(answer),
            Next::Fail { failure, stop } => return Said::Failure { failure, stop },
            Next::Retry { after_ms } => {
                browser::sleep(after_ms).await;
                if cancel.aborted() {
                    return Said::Nothing;
                }
            }
            Next::Without { parameter } => {
                without.borrow_mut().push(parameter.to_owned());
                tries -= 1;
            }
        }
    }
}

/// Sends once. No cookies, no referrer, no cache: the endpoint gets what the request holds.
async fn send(request: &HttpRequest, cancel: &AbortSignal) -> Response {
    let timeout = AbortSignal::timeout_with_u32(TIMEOUT_MS);
    let signals = js_sys::Array::of2(cancel, &timeout);
    let signal = AbortSignal::any(&signals);
    let trouble = |otherwise| Response {
        trouble: Some(if timeout.aborted() {
            Trouble::Timeout
        } else {
            otherwise
        }),
        ..Response::default()
    };

    let mut builder = http::Request::post(&request.url)
        .abort_signal(Some(&signal))
        .cache(RequestCache::NoStore)
        // Neither the key nor the evidence goes to a host that the user did not name.
        .redirect(RequestRedirect::Manual)
        .credentials(RequestCredentials::Omit)
        .referrer_policy(ReferrerPolicy::NoReferrer);
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    let Ok(ready) = builder.body(JsValue::from_str(&request.body)) else {
        return trouble(Trouble::Unreachable);
    };
    let Ok(response) = ready.send().await else {
        return trouble(Trouble::Unreachable);
    };
    // A browser does not tell which redirect it was.
    let redirected = response.type_() == ResponseType::Opaqueredirect;
    match body(&response).await {
        Ok(body) => Response {
            status: Some(if redirected { 302 } else { response.status() }),
            retry_after: response.headers().get("retry-after"),
            body,
            ..Response::default()
        },
        Err(why) => trouble(why),
    }
}

/// Reads a body as far as one may go: a server that does not end must not fill the page's memory.
async fn body(response: &http::Response) -> Result<String, Trouble> {
    let Some(stream) = response.body() else {
        return Ok(String::new());
    };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    loop {
        let read = JsFuture::from(reader.read()).await;
        let chunk = read.and_then(|read| Reflect::get(&read, &"value".into()));
        let chunk = chunk.map_err(|_| Trouble::Cut)?;
        if chunk.is_undefined() {
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
        let chunk = Uint8Array::from(chunk);
        if bytes.len() + chunk.length() as usize > MOST_BODY {
            // The connection goes with the stream; whether it was still there does not matter.
            let _ = JsFuture::from(reader.cancel()).await;
            return Err(Trouble::Large);
        }
        let at = bytes.len();
        bytes.resize(at + chunk.length() as usize, 0);
        chunk.copy_to(&mut bytes[at..]);
    }
}

/// The host that a base URL names, with its port: whom the evidence goes to.
pub(crate) fn host(base_url: &str) -> Option<&str> {
    let (_, rest) = parts(base_url)?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    (!host.is_empty()).then_some(host)
}

/// Whether a base URL is encrypted, and what stands behind its scheme, which is in any case.
fn parts(base_url: &str) -> Option<(bool, &str)> {
    let (scheme, rest) = base_url.trim().split_once("://")?;
    let is = |name| scheme.eq_ignore_ascii_case(name);
    (is("https") || is("http")).then_some((is("https"), rest))
}

/// Whether what is sent there leaves the machine unencrypted.
pub(crate) fn is_open_to_others(base_url: &str) -> bool {
    let is_encrypted = parts(base_url).is_some_and(|(is_encrypted, _)| is_encrypted);
    let Some(host) = host(base_url).filter(|_| !is_encrypted) else {
        return false;
    };
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, _)) => name,
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_local = name == "localhost" || name.ends_with(".localhost") || name == "::1";
    !is_local && !name.starts_with("127.")
}

#[cfg(test)]
mod tests {
    use super::{host, is_open_to_others};

    #[test]
    fn only_this_machine_is_asked_by_http_without_a_word() {
        for base in [
            "http://127.0.0.1:8080/v1",
            "http://localhost:11434",
            "http://[::1]:8080/v1",
            "https://api.example.com/v1",
            "api.example.com",
        ] {
            assert!(!is_open_to_others(base), "{base}");
        }
        for base in [
            "http://api.example.com/v1",
            " http://10.0.0.7:8080",
            "HTTP://api.example.com/v1",
            "http://[2001:db8::1]/",
        ] {
            assert!(is_open_to_others(base), "{base}");
        }
    }

    #[test]
    fn the_host_is_what_the_browser_will_ask() {
        assert_eq!(host("https://api.example.com/v1"), Some("api.example.com"));
        assert_eq!(host(" http://127.0.0.1:8080"), Some("127.0.0.1:8080"));
        assert_eq!(
            host("https://good.example@evil.example/"),
            Some("evil.example")
        );
        assert_eq!(
            host("https://evil.example\\@good.example/"),
            Some("evil.example")
        );
        assert_eq!(host("api.example.com"), None);
        assert_eq!(host("https://"), None);
    }
}
