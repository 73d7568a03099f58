//! The language model that a browser has of its own. Pages have it and their workers do not: the
//! program that judges asks the page ([`Page`]), and the page asks the model ([`OwnModel`]).

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use claimgauge_core::{
    provider::{
        Next,
        language_model::{self, MISSING, Question, TIMEOUT, Thrown},
    },
    verification::{Answer, Failure, PassRequest},
};
use js_sys::{Function, JSON, Promise, Reflect};
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, AbortSignal};

use crate::{browser, endpoint::Said, helper::tell, judging::Told, model_file::ModelFile};

/// How long a reply may take, in milliseconds. Loading the model is not limited.
const TIMEOUT_MS: u64 = 180_000;

/// One question, as the page passes it on: options are JSON.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Calls {
    create: String,
    prompt: String,
    options: String,
}

/// A question, and to which of the page's models.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Asking {
    /// The body of a chat completion.
    ModelFile(String),
    OwnModel(Calls),
}

/// What came of it: a reply, or the name and message of what was thrown.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Reply(String),
    Thrown { name: String, message: String },
}

/// The page, as a run asks it.
pub(crate) struct Page {
    run: u32,
    questions: Cell<u32>,
    /// Who waits for what was asked, by its number.
    waiting: RefCell<BTreeMap<u32, Function>>,
    outcomes: RefCell<BTreeMap<u32, Outcome>>,
}

impl Page {
    pub(crate) fn new(run: u32) -> Self {
        Self {
            run,
            questions: Cell::new(0),
            waiting: RefCell::default(),
            outcomes: RefCell::default(),
        }
    }

    /// Asks until there is a reply or no use in asking.
    pub(crate) async fn ask(&self, without: &RefCell<Vec<String>>, request: &PassRequest) -> Said {
        loop {
            let question = Question {
                messages: request.messages.clone(),
                structured: request.schema.is_some(),
                many: false,
                without: without.borrow().clone(),
            };
            let calls = language_model::calls(&question);
            let json = |options: Result<String, _>| options.unwrap_or_default();
            let asking = Asking::OwnModel(Calls {
                create: json(serde_json::to_string(&calls.create)),
                prompt: calls.prompt.clone(),
                options: json(serde_json::to_string(&calls.options)),
            });
            let (name, message) = match self.outcome(asking).await {
                Outcome::Reply(text) => return Said::Answer(Answer::text(text)),
                Outcome::Thrown { name, message } => (name, message),
            };
            match language_model::read(&Thrown {
                name,
                message,
                without: question.without,
            }) {
                Next::Fail { failure, stop } => return Said::Failure { failure, stop },
                Next::Without { parameter } => without.borrow_mut().push(parameter.to_owned()),
                // It says neither.
                Next::Answer { .. } | Next::Retry { .. } => return Said::Nothing,
            }
        }
    }

    /// Asks once.
    pub(crate) async fn outcome(&self, asking: Asking) -> Outcome {
        let question = self.questions.get();
        self.questions.set(question + 1);
        tell(&Told::Ask {
            run: self.run,
            question,
            asking,
        });
        let answered = Promise::new(&mut |resolve, _| {
            self.waiting.borrow_mut().insert(question, resolve);
        });
        // It is never rejected.
        let _ = JsFuture::from(answered).await;
        let outcome = self.outcomes.borrow_mut().remove(&question);
        outcome.unwrap_or_else(|| thrown(MISSING, ""))
    }

    /// Takes what became of a question.
    pub(crate) fn answered(&self, question: u32, outcome: Outcome) {
        let waiting = self.waiting.borrow_mut().remove(&question);
        if let Some(resolve) = waiting {
            self.outcomes.borrow_mut().insert(question, outcome);
            // What resolves a promise does not throw.
            let _ = resolve.call0(&JsValue::UNDEFINED);
        }
    }
}

/// The model, as the page asks it for one run after the other.
#[derive(Clone, Default)]
pub(crate) struct OwnModel(Rc<RefCell<Option<AbortController>>>);

impl OwnModel {
    /// Whether the browser knows of such models at all.
    pub(crate) fn is_known() -> bool {
        Reflect::has(&js_sys::global(), &"LanguageModel".into()).unwrap_or(false)
    }

    /// What a run would fail with where the browser has none that may be used.
    pub(crate) async fn missing() -> Option<Failure> {
        let create = serde_json::to_string(&language_model::calls(&Question::default()).create);
        let options = create.ok().and_then(|create| JSON::parse(&create).ok());
        if let Some(options) = options
            && is_available(&options).await
        {
            return None;
        }
        let name = MISSING.to_owned();
        match language_model::read(&Thrown {
            name,
            ..Thrown::default()
        }) {
            Next::Fail { failure, .. } => Some(failure),
            _ => None,
        }
    }

    /// Asks, this model or that of the file, and hands what becomes of it to `answer` unless that is no longer
    /// wanted.
    pub(crate) fn ask(
        &self,
        asking: Asking,
        file: ModelFile,
        answer: impl FnOnce(Outcome) + 'static,
    ) {
        let Some(signal) = self.signal() else {
            return;
        };
        spawn_local(async move {
            let said = match asking {
                Asking::ModelFile(body) => file.complete(&body, &signal).await,
                Asking::OwnModel(calls) => ask(&calls, &signal).await,
            };
            let outcome = match said {
                Ok(text) => Outcome::Reply(text),
                Err(thrown) => thrown,
            };
            if !signal.aborted() {
                answer(outcome);
            }
        });
    }

    /// Ends what is on its way.
    pub(crate) fn abort(&self) {
        if let Some(abort) = self.0.take() {
            abort.abort();
        }
    }

    fn signal(&self) -> Option<AbortSignal> {
        let mut abort = self.0.borrow_mut();
        if abort.is_none() {
            *abort = AbortController::new().ok();
        }
        abort.as_ref().map(AbortController::signal)
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = LanguageModel, catch)]
    fn availability(options: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = LanguageModel, catch)]
    fn create(options: &JsValue) -> Result<JsValue, JsValue>;

    type Session;

    #[wasm_bindgen(method, catch)]
    fn prompt(this: &Session, text: &str, options: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn destroy(this: &Session) -> Result<(), JsValue>;
}

async fn is_available(options: &JsValue) -> bool {
    let said = settled(availability(options)).await;
    said.is_ok_and(|said| language_model::is_available(&said.as_string().unwrap_or_default()))
}

async fn ask(calls: &Calls, signal: &AbortSignal) -> Result<String, Outcome> {
    let with_signal = |options: &str| {
        let options = JSON::parse(options)?;
        Reflect::set(&options, &"signal".into(), signal)?;
        Ok(options)
    };
    let options = with_signal(&calls.create).map_err(|error| said_of(&error))?;
    if !is_available(&options).await {
        return Err(thrown(MISSING, ""));
    }
    let session = settled(create(&options))
        .await
        .map_err(|error| said_of(&error))?;
    let session: Session = session.unchecked_into();
    let text = match with_signal(&calls.options) {
        Ok(options) => in_time(session.prompt(&calls.prompt, &options)).await,
        Err(error) => Err(said_of(&error)),
    };
    // Whether it was still there does not matter.
    let _ = session.destroy();
    Ok(text?.as_string().unwrap_or_default())
}

/// What a call gives, unless the time is over before.
async fn in_time(call: Result<JsValue, JsValue>) -> Result<JsValue, Outcome> {
    let late = browser::after(TIMEOUT_MS);
    let call = call.map_err(|error| said_of(&error))?;
    let first = Promise::race(&js_sys::Array::of2(&call, &late));
    match JsFuture::from(first).await {
        Ok(value) if value.is_undefined() => Err(thrown(TIMEOUT, "")),
        Ok(value) => Ok(value),
        Err(error) => Err(said_of(&error)),
    }
}

/// What a call gives, whether it is a promise or not.
async fn settled(call: Result<JsValue, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(Promise::resolve(&call?)).await
}

fn thrown(name: &str, message: &str) -> Outcome {
    Outcome::Thrown {
        name: name.to_owned(),
        message: message.to_owned(),
    }
}

/// The name and the message of an exception; anything may be thrown.
fn said_of(error: &JsValue) -> Outcome {
    let text = |key: &str| {
        let value = Reflect::get(error, &key.into()).ok()?;
        value.as_string()
    };
    thrown(
        &text("name").unwrap_or_default(),
        &text("message").unwrap_or_default(),
    )
}
