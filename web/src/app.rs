//! The page: what it is for, the panels, and the keys that work everywhere.

use claimgauge_core::VERSION;
use leptos::{
    ev::{self, KeyboardEvent},
    prelude::*,
};
use web_sys::DataTransfer;

use crate::{
    bound::{mark, pressed, switch, text},
    browser,
    claims::Claims,
    drop::DropTarget,
    evidence::Evidence,
    examples::{self, Gallery},
    files,
    icon::{self, Icon},
    judge::JudgePicker,
    later::Load,
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
pub(crate) fn App(load: Load) -> impl IntoView {
    let state = State::new(examples::first, load);
    state.talk_to_drawer();
    let keys = window_event_listener(ev::keydown, move |event| act(state, &event));
    on_cleanup(move || keys.remove());

    let dropped = move |data: Option<DataTransfer>| {
        if let Some(files) = data.and_then(|data| data.files()) {
            files::take(state, &files);
        }
    };
    view! {
        <DropTarget takes=files::are_dragged dropped>
            <div class="intro">
                <p class="lead">
                    "A language model may be right because of your evidence, or in spite of it. Claimgauge asks a judge twice whether the evidence supports a claim: once as it stands (the full pass), once with the telling names taken out (the scrubbed pass). The confidence that is lost is what the evidence was worth."
                </p>
                <Gallery state/>
                <Tools state/>
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
                <p role="status">
                    {text(move || format!("Claimgauge {VERSION}. {}", if state.kept.get() {
                        "What you type stays in this browser and survives a reload; keys are never kept."
                    } else {
                        "What you type could not be kept for a reload: it is too large, or the browser does not allow it. Export it under Share and keep."
                    }))}
                </p>
            </footer>
        </DropTarget>
    }
}

/// What keys do wherever the focus is. In a text field undoing is the browser's own.
fn act(state: State, event: &KeyboardEvent) {
    if !browser::is_open(PLACE) || browser::has_open_dialog() {
        return;
    }
    let with_control = event.ctrl_key() || event.meta_key();
    match event.key().as_str() {
        "Enter" if with_control => state.start(),
        "z" | "Z" if with_control && !browser::is_typing() => {
            if event.shift_key() {
                state.redo();
            } else {
                state.undo();
            }
        }
        "y" if with_control && !browser::is_typing() => state.redo(),
        "Escape" => return state.cancel(),
        _ => return,
    }
    event.prevent_default();
}

/// Undo and redo, a fresh start, and what leads away from the page.
#[component]
fn Tools(state: State) -> impl IntoView {
    view! {
        <div class="tools" role="group" aria-label="Everything on this page">
            <button
                type="button"
                id="undo"
                class="quiet small"
                title="Ctrl Z"
                aria-disabled=mark(move || !state.can_undo.get())
                on:click=pressed(move || state.undo())
            >
                <Icon outline=icon::UNDO/>
                "Undo"
            </button>
            <button
                type="button"
                id="redo"
                class="quiet small"
                title="Ctrl Shift Z"
                aria-disabled=mark(move || !state.can_redo.get())
                on:click=pressed(move || state.redo())
            >
                <Icon outline=icon::REDO/>
                "Redo"
            </button>
            <button type="button" id="clear" class="quiet small" on:click=pressed(move || state.clear())>
                <Icon outline=icon::REMOVE/>
                "Clear"
            </button>
            // boot.js opens it.
            <button type="button" class="quiet small" data-opens="drawer" aria-haspopup="dialog">
                <Icon outline=icon::SHARE/>
                "Share and keep"
            </button>
            <p class="notice" class:warning=switch(move || state.warns.get()) role="status">{text(move || state.notice.get())}</p>
        </div>
    }
}
