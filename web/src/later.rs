//! What the page does not need at first: runs and what comes of them, the settings of judges that are asked
//! elsewhere, examples, files. It is a part of the page's own program, so that it shares all that the page has:
//! `web/src/main.rs` names the way into it, `xtask/src/split.rs` takes what only that reaches out of the module, and it
//! comes with the first use of any of it.

use std::{future::Future, pin::Pin};

use leptos::{prelude::*, task::spawn_local};
use web_sys::File;

use crate::{
    bound::{part, pressed},
    browser, claims,
    evidence::Row,
    examples, files, glossary,
    inputs::{Fault, Inputs, Place},
    judge, model_file, pieces, prompts, report, run, running,
    state::{self, State},
};

/// Its functions. The page calls none of them but through this: what only they call is in the part.
#[derive(Clone, Copy)]
pub struct Functions {
    pub(crate) start: fn(State),
    pub(crate) cancel: fn(State),
    pub(crate) hear_drawer: fn(State, &str),
    pub(crate) look_for_own_model: fn(State),
    pub(crate) add_files: fn(State, Vec<File>, u32),
    pub(crate) offer_split: fn(Row),
    pub(crate) split_span: fn(State, usize),
    pub(crate) results: fn(State) -> AnyView,
    pub(crate) prompts: fn(State, RwSignal<Option<String>>) -> AnyView,
    pub(crate) gallery: fn(State, RwSignal<bool>) -> AnyView,
    pub(crate) lesson: fn(&Inputs) -> Option<String>,
    pub(crate) endpoint: fn(State) -> AnyView,
    pub(crate) model_file: fn(State) -> AnyView,
    pub(crate) own_model: fn() -> AnyView,
    pub(crate) unknowns: fn(State) -> AnyView,
    pub(crate) own_names: fn(State, RwSignal<String>) -> AnyView,
    pub(crate) word_at: fn(i32, i32) -> Option<String>,
    pub(crate) undo: fn(State),
    pub(crate) redo: fn(State),
    pub(crate) misfit: fn(State) -> AnyView,
    pub(crate) progress: fn(State) -> AnyView,
    pub(crate) jump: fn(State) -> Option<AnyView>,
}

/// How they are loaded; nothing where they cannot be.
pub type Load = fn() -> Pin<Box<dyn Future<Output = Option<Functions>>>>;

/// The functions, for what is loaded alone.
pub fn functions() -> Functions {
    Functions {
        start: running::start,
        cancel: running::cancel,
        hear_drawer: running::hear_drawer,
        look_for_own_model: running::look_for_own_model,
        add_files: files::add,
        offer_split: pieces::offer_split,
        split_span: pieces::split_span,
        results: report::shown,
        prompts: prompts::prompts,
        gallery: examples::gallery,
        lesson: examples::lesson,
        endpoint: judge::endpoint_settings,
        model_file: model_file::settings,
        own_model: judge::own_model,
        unknowns: claims::unknowns,
        own_names: glossary::own_names,
        word_at: glossary::word_at,
        undo: state::undo,
        redo: state::redo,
        misfit: judge::misfit,
        progress: run::progress,
        jump: run::jump,
    }
}

const MISSING: &str = "A part of the page could not be loaded";
const HINT: &str = "Is there a network? Then try again.";

/// Whether it is there.
#[derive(Clone, Copy)]
pub(crate) struct Later {
    load: Load,
    functions: RwSignal<Option<Functions>>,
    missing: RwSignal<bool>,
}

impl Later {
    pub(crate) fn new(load: Load) -> Self {
        Self {
            load,
            functions: RwSignal::new(None),
            missing: RwSignal::new(false),
        }
    }

    /// Its functions, where they are there already.
    pub(crate) fn now(self) -> Option<Functions> {
        self.functions.get_untracked()
    }

    /// The same, for what is drawn anew when they have come.
    pub(crate) fn here(self) -> Option<Functions> {
        self.functions.get()
    }

    /// Does something with it, at once or when it has come; where it cannot be loaded, it is said at the judge.
    pub(crate) fn act(self, state: State, act: impl FnOnce(Functions) + 'static) {
        self.need(Box::new(move |found| match found {
            Some(functions) => act(functions),
            None => {
                state.progress.set(None);
                state.blame(Fault::new(Place::Judge, MISSING).with_hint(HINT));
            }
        }));
    }

    /// Draws something of it, at once or when it has come.
    pub(crate) fn draw(self, draw: impl Fn(Functions) -> AnyView + Send + 'static) -> AnyView {
        self.need(Box::new(|_| ()));
        let drawn = move || match self.functions.get() {
            Some(functions) => draw(functions),
            None => self.on_its_way(),
        };
        part(move || Some(drawn())).into_any()
    }

    fn on_its_way(self) -> AnyView {
        if !self.missing.get() {
            return view! { <p class="loading" role="status">"Loading …"</p> }.into_any();
        }
        view! {
            <p class="loading" role="alert">
                {format!("{MISSING}. {HINT} ")}
                <button type="button" class="link" on:click=pressed(move || self.need(Box::new(|_| ())))>"Try again"</button>
            </p>
        }
        .into_any()
    }

    fn need(self, then: Box<dyn FnOnce(Option<Functions>)>) {
        if let Some(functions) = self.now() {
            return then(Some(functions));
        }
        self.missing.set(false);
        spawn_local(async move {
            // Nothing of it is drawn before it looks as it should.
            let styles = browser::load_result_styles();
            let found = (self.load)().await;
            let found = styles.await.and(found);
            self.missing.set(found.is_none());
            if self.now().is_none() {
                self.functions.set(found);
            }
            then(found);
        });
    }
}
