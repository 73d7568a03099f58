//! A model file from the user's disk. The page runs it (`web/assets/model-file.js`, loaded with the first file) and
//! answers as a server that speaks OpenAI's chat completions would: what it is asked, and what its answers mean, is
//! the core's.

use std::cell::RefCell;

use claimgauge_core::{
    provider::{self, Dialect, Endpoint, MAX_TRIES, Next, Question, Response},
    verification::{Failure, PassRequest},
};
use js_sys::{Function, Promise, Reflect};
use leptos::{either::Either, prelude::*, task::spawn_local};
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue, closure::Closure, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, File};

use crate::{
    endpoint::Said,
    inputs::{Fault, JudgeKind, Place},
    own_model::{Asking, Outcome, Page},
    state::State,
};

/// Most tokens of a reply: a small model rambles, and nobody else stops it.
const LONGEST: u32 = 400;

/// Asks the page for the model's answer.
pub(crate) async fn ask(
    page: &Page,
    without: &RefCell<Vec<String>>,
    request: &PassRequest,
) -> Said {
    let question = Question {
        endpoint: Endpoint {
            dialect: Dialect::Openai,
            // It is asked for nothing but the body.
            base_url: "http://localhost".to_owned(),
            api_key: None,
            model: "model-file".to_owned(),
            temperature: Some(0.0),
            max_tokens: Some(LONGEST),
        },
        messages: request.messages.clone(),
        structured: request.schema.is_some(),
        many: false,
        without: without.borrow().clone(),
    };
    let failed = |message: &str| Said::Failure {
        failure: Failure::new("judge_failed", message),
        stop: false,
    };
    let http = match provider::request(&question) {
        Ok(http) => http,
        Err(error) => return failed(error.message()),
    };
    let body = match page.outcome(Asking::ModelFile(http.body)).await {
        Outcome::Reply(body) => body,
        Outcome::Thrown { message, .. } => return failed(&message),
    };
    match provider::read(&Response {
        status: Some(200),
        body,
        // Asked again it would say the same.
        tries: MAX_TRIES,
        ..Response::default()
    }) {
        Next::Answer { answer } => Said::Answer(answer),
        Next::Fail { failure, stop } => Said::Failure { failure, stop },
        Next::Retry { .. } | Next::Without { .. } => Said::Nothing,
    }
}

/// The model, as the page holds it.
#[derive(Clone, Copy)]
pub(crate) struct ModelFile {
    status: RwSignal<Status>,
    /// The number of the last file that was picked.
    picks: StoredValue<u32>,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum Status {
    #[default]
    None,
    /// How much of it has been read, from 0 to 1.
    Loading {
        file: String,
        share: f64,
    },
    Loaded(About),
}

/// What is known of a model.
#[derive(Clone, Debug, Deserialize, PartialEq)]
struct About {
    name: String,
    threads: u32,
    /// Whether the page was served in a way that allows more than one.
    isolated: bool,
}

#[wasm_bindgen]
extern "C" {
    /// In boot.js: imports the module.
    #[wasm_bindgen(js_name = modelFile, catch)]
    fn import() -> Result<Promise, JsValue>;

    type Module;

    #[wasm_bindgen(method)]
    fn load(this: &Module, file: &File, progress: &Function) -> Promise;

    #[wasm_bindgen(method)]
    fn complete(this: &Module, body: &str, signal: &AbortSignal) -> Promise;

    #[wasm_bindgen(method)]
    fn unload(this: &Module) -> Promise;
}

impl ModelFile {
    pub(crate) fn new() -> Self {
        Self {
            status: RwSignal::default(),
            picks: StoredValue::new(0),
        }
    }

    /// Why it cannot be asked, where it cannot.
    pub(crate) fn fault(self) -> Option<Fault> {
        let message = self.status.with_untracked(|status| match status {
            Status::None => Some("There is no model file yet"),
            Status::Loading { .. } => Some("The model file is being loaded"),
            Status::Loaded(_) => None,
        });
        message.map(|message| {
            Fault::new(Place::Judge, message)
                .with_hint("Pick a file in GGUF and wait until it is loaded.")
        })
    }

    /// The response to a chat completion's body.
    pub(crate) async fn complete(
        self,
        body: &str,
        signal: &AbortSignal,
    ) -> Result<String, Outcome> {
        let answer = async {
            let module = module().await?;
            JsFuture::from(module.complete(body, signal)).await
        };
        match answer.await {
            Ok(text) => Ok(text.as_string().unwrap_or_default()),
            Err(error) => Err(Outcome::Thrown {
                name: String::new(),
                message: words(&error),
            }),
        }
    }

    /// Loads a file in place of the one before; `refused` is told why it cannot be.
    fn pick(self, file: File, refused: impl Fn(&str) + 'static) {
        let pick = self.next();
        let name = file.name();
        self.status.set(Status::Loading {
            file: name.clone(),
            share: 0.0,
        });
        spawn_local(async move {
            let is_last = move || self.picks.get_value() == pick;
            let progress = Closure::<dyn Fn(f64)>::new(move |share| {
                if is_last() {
                    let file = name.clone();
                    self.status.set(Status::Loading { file, share });
                }
            });
            let loaded = async {
                let module = module().await?;
                let progress = progress.as_ref().unchecked_ref();
                JsFuture::from(module.load(&file, progress)).await
            };
            let loaded = loaded.await;
            if !is_last() {
                return;
            }
            let about = loaded.map(|about| about.as_string().unwrap_or_default());
            match about.as_deref().map(serde_json::from_str) {
                Ok(Ok(about)) => self.status.set(Status::Loaded(about)),
                Ok(Err(error)) => {
                    self.status.set(Status::None);
                    refused(&error.to_string());
                }
                Err(error) => {
                    self.status.set(Status::None);
                    refused(&words(error));
                }
            }
        });
    }

    /// Ends the loading of a file, or frees the one that is loaded.
    fn drop(self) {
        self.next();
        self.status.set(Status::None);
        spawn_local(async {
            if let Ok(module) = module().await {
                // What it frees it frees whether it says so or not.
                let _ = JsFuture::from(module.unload()).await;
            }
        });
    }

    fn next(self) -> u32 {
        let pick = self.picks.get_value() + 1;
        self.picks.set_value(pick);
        pick
    }
}

async fn module() -> Result<Module, JsValue> {
    Ok(JsFuture::from(import()?).await?.unchecked_into())
}

/// What an exception says; anything may be thrown.
fn words(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok();
    let message = message.and_then(|message| message.as_string());
    message.unwrap_or_else(|| "The model failed".to_owned())
}

/// Where a file is picked, and what became of it.
pub(crate) fn settings(state: State) -> AnyView {
    let model = state.model_file;
    let pick = move |input: web_sys::HtmlInputElement| {
        let file = input.files().and_then(|files| files.get(0));
        // The same file may be picked again.
        input.set_value("");
        let Some(file) = file else {
            return;
        };
        state.mend(Place::Judge);
        model.pick(file, move |why| {
            if state.judge.get_untracked() == JudgeKind::File {
                state.blame(Fault::new(Place::Judge, why));
            }
        });
    };
    let drop_button = move |words: &'static str| {
        view! { <button type="button" class="quiet small" on:click=move |_| model.drop()>{words}</button> }
    };
    let loading = move || match model.status.get() {
        Status::Loading { file, share } => Some(view! {
            <div class="progress">
                <progress max="1" value=share.to_string() aria-label=format!("Loading {file}")></progress>
                <span>{format!("{:.0} %", share * 100.0)}</span>
                {drop_button("Stop loading")}
            </div>
        }),
        Status::None | Status::Loaded(_) => None,
    };
    let loaded = move || match model.status.get() {
        Status::Loaded(about) => Some(view! {
            <p>
                <strong>{about.name}</strong>" is loaded. "
                {match about.threads {
                    1 if !about.isolated => Either::Left(
                        "It has one thread, as this page was not served cross-origin isolated: that is slow. ",
                    ),
                    1 => Either::Left("It has one thread. "),
                    n => Either::Right(format!("It has {n} threads. ")),
                }}
                {drop_button("Unload it")}
            </p>
        }),
        Status::None | Status::Loading { .. } => None,
    };
    view! {
        <label class="field">
            <span>"A model file (GGUF) from your disk"</span>
            <input
                id="model-file"
                type="file"
                accept=".gguf"
                aria-describedby=Place::Judge.note_id()
                on:change:target=move |event| pick(event.target())
            />
        </label>
        {loading}
        // Read out when it is there, and not at each step on the way.
        <div role="status">{loaded}</div>
        <p class="destination">
            "Runs in this page, by llama.cpp as WebAssembly. It needs no key, and nothing leaves this machine. It takes a file of less than 4 GB, the memory for it, and patience: a small model needs seconds for each answer, others minutes."
        </p>
    }
    .into_any()
}
