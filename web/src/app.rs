//! The page: what it is for, the panels, and the keys that work everywhere.

use claimgauge_core::VERSION;
use leptos::{
    ev::{self, KeyboardEvent},
    prelude::*,
};

use crate::{
    browser,
    claims::Claims,
    evidence::Evidence,
    examples::{self, ExampleMenu},
    inputs::Inputs,
    judge::JudgePicker,
    preview::PreviewPanel,
    profile::ProfilePicker,
    report::Results,
    run::RunBar,
    state::State,
};

/// The id of the element that the panel is mounted in.
pub(crate) const PLACE: &str = "app";

/// Everything inside it.
#[component]
pub(crate) fn App() -> impl IntoView {
    let first = || {
        let worked = examples::all().into_iter().next();
        worked.map_or_else(Inputs::default, |example| example.inputs())
    };
    let state = State::new(first);
    let keys = window_event_listener(ev::keydown, move |event: KeyboardEvent| {
        if !browser::is_open(PLACE) {
            return;
        }
        match event.key().as_str() {
            "Enter" if event.ctrl_key() || event.meta_key() => {
                event.prevent_default();
                state.start();
            }
            "Escape" => state.cancel(),
            _ => {}
        }
    });
    on_cleanup(move || keys.remove());
    view! {
        <div class="intro">
            <p class="lead">
                "A language model may be right because of your evidence, or in spite of it. Claimgauge asks a judge twice whether the evidence supports a claim: once with all of it (the full pass), once with the telling names taken out (the scrubbed pass). What its confidence loses is what the evidence was worth."
            </p>
            <ExampleMenu state/>
        </div>
        <div class="columns">
            <div class="column">
                <Evidence state/>
                <Claims state/>
                <ProfilePicker state/>
                <JudgePicker state/>
            </div>
            <div class="column">
                <RunBar state/>
                <Results state/>
                <PreviewPanel state/>
            </div>
        </div>
        <footer>
            <p>
                {format!("Claimgauge {VERSION}. ")}
                {move || if state.kept.get() {
                    "What you type stays in this browser and survives a reload; keys are never kept."
                } else {
                    "What you type could not be kept for a reload: it is too large, or the browser does not allow it."
                }}
            </p>
        </footer>
    }
}
