//! What an agent says it did, held against a folder: nothing leaves the page.
//!
//! A view over `claimgauge_core::output`: what is asked, found and decided stands there. Here are the
//! fields ([`fields`], [`inputs`], [`state`]), the folder and the schemas that answer the core's
//! questions ([`folder`], [`schemas`], [`run`]), and what came of it ([`result`], [`metrics`]).

mod example;
mod fields;
mod folder;
mod inputs;
mod locate;
mod metrics;
mod result;
mod run;
mod schemas;
mod state;

use claimgauge_core::VERSION;
use leptos::{
    ev::{self, KeyboardEvent},
    prelude::*,
};
use web_sys::DataTransfer;

use self::{
    example::EXAMPLES,
    fields::{FolderPicker, Output, Trace},
    folder::Folder,
    metrics::Session,
    result::Results,
    run::Reached,
    state::State,
};
use crate::{
    browser,
    drop::DropTarget,
    icon::{self, Icon},
};

/// The id of the element that the panel is mounted in.
pub(crate) const PLACE: &str = "outputs";

/// Everything inside it.
#[component]
pub(crate) fn App() -> impl IntoView {
    let state = State::new();
    show_named(state);
    window_event_listener(ev::hashchange, move |_| show_named(state));
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

    let dropped = move |data: Option<DataTransfer>| match data.as_ref().and_then(Folder::dropped) {
        Some(folder) => state.pick(folder),
        None => state.refuse_drop(),
    };
    view! {
        <DropTarget takes=|_| true dropped>
            <div class="intro">
                <p class="lead">
                    "An agent says what it did: files written, edited, deleted, commands run. Paste its output, name the folder it worked in, and each claim is checked here: first the shape of the output, then what its tools gave, then the files themselves. Files are read and hashed in this page; nothing is uploaded."
                </p>
                <ExampleMenu state/>
            </div>
            <div class="columns">
                <div class="column">
                    <Output state/>
                    <FolderPicker state/>
                    <Trace state/>
                </div>
                <div class="column">
                    <CheckBar state/>
                    <Results state/>
                    <Session state/>
                </div>
            </div>
            <footer>
                <p>
                    {format!("Claimgauge {VERSION}. ")}
                    {move || if state.kept.get() {
                        "What you paste stays in this browser and survives a reload; a picked folder does not."
                    } else {
                        "What you pasted could not be kept for a reload: it is too large, or the browser does not allow it."
                    }}
                </p>
            </footer>
        </DropTarget>
    }
}

/// Shows the example that the address names, and takes its name out: a reload keeps what was changed since.
fn show_named(state: State) {
    let place = browser::place();
    let name = place.strip_prefix("#outputs/");
    if let Some(example) = name.and_then(example::Example::named) {
        state.load(example);
        browser::set_place("#outputs");
    }
}

/// A button for each example.
#[component]
fn ExampleMenu(state: State) -> impl IntoView {
    let buttons: Vec<_> = EXAMPLES
        .iter()
        .map(|example| {
            view! {
                <li>
                    <button
                        type="button"
                        class="example"
                        data-example=example.name
                        title=example.about
                        aria-current=move || {
                            let shown = state.example_shown();
                            shown.is_some_and(|shown| shown.name == example.name).then_some("true")
                        }
                        on:click=move |_| state.load(example)
                    >
                        {example.title}
                    </button>
                </li>
            }
        })
        .collect();
    let about = move || {
        let example = state.example_shown();
        example.map_or("Pick one, or put your own output below.", |one| one.about)
    };
    view! {
        <nav class="examples" aria-label="Examples of outputs">
            <p class="examples-title">"Examples"</p>
            <ul>{buttons}</ul>
            <p class="about" role="status">
                {about}
                {move || state.replaced.with(Option::is_some).then(|| view! {
                    " "
                    <button type="button" class="link" on:click=move |_| state.bring_back()>
                        "Bring back what was there"
                    </button>
                })}
            </p>
        </nav>
    }
}

/// The buttons, and how far the check is.
#[component]
fn CheckBar(state: State) -> impl IntoView {
    let running = Memo::new(move |_| state.reached.with(Option::is_some));
    let reached = move || state.reached.get().unwrap_or_default();
    // Files differ in size by orders of magnitude: the one that is read counts by its bytes.
    let share = move || {
        let Reached { done, file, .. } = reached();
        done as f64 + file.map_or(0.0, |(_, bytes, size)| bytes / size.max(1.0))
    };
    // How much there is to check is told once the schemas are read.
    let is_starting = Memo::new(move |_| reached().total == 0);
    let starting = move || match is_starting.get() {
        true if state.schemas.with(|schemas| schemas.trim().is_empty()) => "Starting …",
        true => "Loading what checks schemas …",
        false => "",
    };
    view! {
        <section class="run-bar" aria-label="Check">
            <div class="run-buttons">
                <button type="button" id="outputs-check" class="primary" on:click=move |_| state.start()>
                    <Icon outline=icon::RUN/>
                    {move || if running.get() { "Check again" } else { "Check" }}
                </button>
                <button
                    type="button"
                    id="outputs-cancel"
                    class="quiet"
                    disabled=move || !running.get()
                    on:click=move |_| state.cancel()
                >
                    <Icon outline=icon::CANCEL/>
                    "Cancel"
                </button>
                <p class="aside keys">
                    <kbd>"Ctrl"</kbd>" "<kbd>"Enter"</kbd>" checks, "<kbd>"Esc"</kbd>" cancels"
                </p>
            </div>
            <Show when=move || running.get()>
                <div class="progress">
                    <progress
                        aria-label="Checked"
                        max=move || reached().total.max(1).to_string()
                        value=move || (!is_starting.get()).then(share)
                    ></progress>
                    <span role="status">{starting}</span>
                    <span class="reached">{move || words(&reached())}</span>
                </div>
            </Show>
            // Where the bar stays at the screen's edge, results are elsewhere.
            {move || {
                let outcome = state.outcome.get().filter(|_| !state.outdated.get());
                outcome.map(|outcome| view! {
                    <p class="jump">
                        <a href="#outputs-result">
                            {if outcome.result.valid { "Result: valid" } else { "Result: not valid" }}
                        </a>
                    </p>
                })
            }}
            {move || state.fault.get().map(|fault| view! {
                <p class="pointer">
                    <Icon outline=icon::WARNING/>
                    <a href=format!("#{}", fault.field.note_id())>{format!("Message at {}", fault.field.name())}</a>
                </p>
            })}
        </section>
    }
}

fn words(reached: &Reached) -> String {
    let Reached { done, total, file } = reached;
    match file {
        _ if *total == 0 => String::new(),
        Some((path, bytes, size)) => {
            let mega = |bytes: f64| bytes / 1e6;
            format!(
                "{done} of {total}, now {}: {:.0} of {:.0} MB",
                result::visible(path),
                mega(*bytes),
                mega(*size)
            )
        }
        None => format!("{done} of {total}"),
    }
}
