//! The buttons of a run, and how far it is.

use claimgauge_core::verification::Progress;
use leptos::prelude::*;

use crate::{
    bound::{part, pressed, switch, text},
    icon::{self, Icon},
    inputs::Inputs,
    prompts, report,
    state::State,
};

/// The buttons, and how far the run is.
#[component]
pub(crate) fn RunBar(state: State) -> impl IntoView {
    let running = Memo::new(move |_| state.progress.with(Option::is_some));
    let misfits = Memo::new(move |_| state.settled.with(Inputs::recording_misfits));
    view! {
        <section class="run-bar" aria-label="Run">
            <div class="run-buttons">
                <button type="button" id="run" class="primary" on:click=pressed(move || state.start())>
                    <Icon outline=icon::RUN/>
                    {text(move || if running.get() { "Start over" } else { "Run both passes" }.to_owned())}
                </button>
                <button
                    type="button"
                    id="cancel"
                    class="quiet"
                    prop:disabled=switch(move || !running.get())
                    on:click=pressed(move || state.cancel())
                >
                    <Icon outline=icon::CANCEL/>
                    "Cancel"
                </button>
                <p class="aside keys">
                    <kbd>"Ctrl"</kbd>" "<kbd>"Enter"</kbd>" runs, "<kbd>"Esc"</kbd>" cancels"
                </p>
            </div>
            {part(move || running.get().then(|| state.later.draw(move |later| (later.progress)(state))))}
            // Before there is a result, what leads to it is not there either.
            {part(move || state.later.here().and_then(|later| (later.jump)(state)))}
            {part(move || {
                let first = state.faults.with(|faults| faults.first().map(|fault| fault.place));
                first.map(|place| view! {
                    <p class="pointer">
                        <Icon outline=icon::WARNING/>
                        <a href=format!("#{}", place.note_id())>{format!("Message at {}", place.name())}</a>
                    </p>
                }.into_any())
            })}
        </section>
        // Beside the bar: at the screen's edge it would take too much of that.
        {part(move || misfits.get().then(|| state.later.draw(move |later| (later.misfit)(state))))}
        {prompts::sending(state)}
    }
}

/// How far the run is.
pub(crate) fn progress(state: State) -> AnyView {
    let progress = move || {
        state
            .progress
            .get()
            .unwrap_or(Progress { done: 0, total: 0 })
    };
    // How many passes there are is told by what judges.
    let is_loading = Memo::new(move |_| progress().total == 0);
    let loading = move || match is_loading.get() {
        true => "Loading the judge …".to_owned(),
        false => String::new(),
    };
    let words = move || match progress() {
        Progress { total: 0, .. } => String::new(),
        Progress { done, total } => format!("{done} of {total} passes judged"),
    };
    view! {
        <div class="progress">
            <progress
                aria-label="Passes judged"
                max=text(move || progress().total.max(1).to_string())
                value=move || (!is_loading.get()).then(|| progress().done.to_string())
            ></progress>
            <span role="status">{text(loading)}</span>
            <span>{text(words)}</span>
        </div>
    }
    .into_any()
}

/// The way to the result: where the bar stays at the screen's edge, it is elsewhere.
pub(crate) fn jump(state: State) -> Option<AnyView> {
    let outcome = state
        .outcome
        .get()
        .filter(|_| state.outdated.with(String::is_empty))?;
    // A message takes the rest of the row.
    let words = match state.faults.with(Vec::is_empty) {
        true => {
            let report = &outcome.report;
            let heading = report::heading(report.recommendation, &report.claims);
            format!("Result: {heading}")
        }
        false => "Result".to_owned(),
    };
    let jump = view! { <p class="jump"><a href="#results-title">{words}</a></p> };
    Some(jump.into_any())
}
