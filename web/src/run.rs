//! The buttons of a run, and how far it is.

use claimgauge_core::verification::Progress;
use leptos::prelude::*;

use crate::{
    icon::{self, Icon},
    inputs::Inputs,
    judge, prompts,
    state::State,
};

/// The buttons, and how far the run is.
#[component]
pub(crate) fn RunBar(state: State) -> impl IntoView {
    let running = Memo::new(move |_| state.progress.with(Option::is_some));
    let progress = move || {
        state
            .progress
            .get()
            .unwrap_or(Progress { done: 0, total: 0 })
    };
    let misfits = Memo::new(move |_| state.settled.with(Inputs::recording_misfits));
    let words = move || {
        let Progress { done, total } = progress();
        format!("{done} of {total} passes judged")
    };
    view! {
        <section class="run-bar" aria-label="Run">
            <div class="run-buttons">
                <button type="button" id="run" class="primary" on:click=move |_| state.start()>
                    <Icon outline=icon::RUN/>
                    {move || if running.get() { "Run again" } else { "Run both passes" }}
                </button>
                <button
                    type="button"
                    id="cancel"
                    class="quiet"
                    disabled=move || !running.get()
                    on:click=move |_| state.cancel()
                >
                    <Icon outline=icon::CANCEL/>
                    "Cancel"
                </button>
                <p class="aside keys">
                    <kbd>"Ctrl"</kbd>" "<kbd>"Enter"</kbd>" runs, "<kbd>"Esc"</kbd>" cancels"
                </p>
            </div>
            <Show when=move || running.get()>
                <div class="progress">
                    <progress
                        aria-label="Passes judged"
                        max=move || progress().total.max(1).to_string()
                        prop:value=move || progress().done as f64
                    ></progress>
                    <span>{words}</span>
                </div>
            </Show>
            {move || misfits.get().then(|| judge::misfit(state))}
            // Where the bar stays at the screen's edge, results are elsewhere.
            {move || {
                let outcome = state.outcome.get().filter(|_| state.outdated.get().is_none());
                outcome.map(|outcome| view! {
                    <p class="jump">
                        <a href="#results-title">
                            {format!("See the result: {}", outcome.report.recommendation.label().replace('_', " "))}
                        </a>
                    </p>
                })
            }}
            {move || {
                let first = state.faults.with(|faults| faults.first().map(|fault| fault.place));
                first.map(|place| view! {
                    <p class="pointer">
                        <Icon outline=icon::WARNING/>
                        <a href=format!("#{}", place.note_id())>{format!("See the message at {}", place.name())}</a>
                    </p>
                })
            }}
        </section>
        {prompts::sending(state)}
    }
}
