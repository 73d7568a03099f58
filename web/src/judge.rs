//! The choice of a judge, its settings, and whom the evidence goes to.

use leptos::{
    either::{Either, EitherOf3},
    prelude::*,
};

use crate::{
    endpoint, examples,
    inputs::{JudgeKind, Place},
    state::{FaultNote, State},
};

const JUDGES: [(JudgeKind, &str); 3] = [
    (JudgeKind::Builtin, "Built-in"),
    (JudgeKind::Recorded, "Recorded"),
    (JudgeKind::Endpoint, "OpenAI-compatible"),
];

/// The three judges.
#[component]
pub(crate) fn JudgePicker(state: State) -> impl IntoView {
    let options: Vec<_> = JUDGES
        .into_iter()
        .map(|(kind, name)| {
            view! {
                <label class="option">
                    <input
                        type="radio"
                        name="judge"
                        prop:checked=move || state.judge.get() == kind
                        on:change=move |_| {
                            state.judge.set(kind);
                            state.faults.set(Vec::new());
                        }
                    />
                    <span>{name}</span>
                </label>
            }
        })
        .collect();
    let kind = Memo::new(move |_| state.judge.get());
    let settings = move || match kind.get() {
        JudgeKind::Builtin => EitherOf3::A(view! {
            <p class="destination">
                "A small model of word overlap, in this page. It needs no key, nothing leaves the page, and it is no match for a language model."
            </p>
        }),
        JudgeKind::Recorded => EitherOf3::B(view! { <RecordedSettings state/> }),
        JudgeKind::Endpoint => EitherOf3::C(view! { <EndpointSettings state/> }),
    };
    view! {
        <section class="panel" aria-labelledby="judge-title">
            <header>
                <h2 id="judge-title">"Judge"</h2>
                <p class="aside">"Who is asked twice whether the evidence supports each claim."</p>
            </header>
            <div class="options" role="radiogroup" aria-labelledby="judge-title">
                {options}
            </div>
            {settings}
            <FaultNote state place=Place::Judge/>
        </section>
    }
}

#[component]
fn RecordedSettings(state: State) -> impl IntoView {
    let recordings = examples::recordings();
    let own = Memo::new(move |_| state.recording.with(|text| !recordings.contains(text)));
    let wrong = Memo::new(move |_| state.is_wrong(Place::Recording).is_some());
    view! {
        <p class="destination">"Replays replies that were written down before. Nothing leaves the page."</p>
        // Folded where it came with an example, unless it is at fault.
        <details class="recording" open=move || own.get() || wrong.get()>
            <summary>
                {move || if own.get() { "Recording (JSON)" } else { "Recording of this example (JSON)" }}
            </summary>
            <textarea
                id="recording"
                class="mono"
                rows="4"
                spellcheck="false"
                aria-label="Recording (JSON)"
                placeholder="[{ \"claim\": \"C0\", \"pass\": \"full\", \"text\": \"…\" }]"
                aria-describedby=Place::Recording.note_id()
                aria-invalid=move || state.is_wrong(Place::Recording)
                prop:value=move || state.recording.get()
                on:input:target=move |event| {
                    state.recording.set(event.target().value());
                    state.mend(Place::Recording);
                }
            ></textarea>
        </details>
        <FaultNote state place=Place::Recording/>
    }
}

#[component]
fn EndpointSettings(state: State) -> impl IntoView {
    let host = move || {
        state
            .base_url
            .with(|base| endpoint::host(base).map(str::to_owned))
    };
    view! {
        <Setting state place=Place::BaseUrl id="base-url" label="Base URL" value=state.base_url
            kind="url" placeholder="http://127.0.0.1:8080/v1"/>
        <Setting state place=Place::Model id="model" label="Model" value=state.model
            kind="text" placeholder="As the server calls it"/>
        <Setting state place=Place::ApiKey id="api-key" label="Key (optional)" value=state.api_key
            kind="password" placeholder="Kept in memory only, gone on reload"/>
        <p class="destination" id="destination">
            {move || match host() {
                Some(host) => Either::Left(view! {
                    "Evidence and claims go to "<strong>{host}</strong>", twice for each claim."
                }),
                None => Either::Right(
                    "Evidence and claims go to the server that you name here, and to nobody else.",
                ),
            }}
        </p>
    }
}

#[component]
fn Setting(
    state: State,
    place: Place,
    id: &'static str,
    label: &'static str,
    value: RwSignal<String>,
    kind: &'static str,
    placeholder: &'static str,
) -> impl IntoView {
    view! {
        <label class="field">
            <span>{label}</span>
            <input
                id=id
                type=kind
                placeholder=placeholder
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                aria-describedby=place.note_id()
                aria-invalid=move || state.is_wrong(place)
                prop:value=move || value.get()
                on:input:target=move |event| {
                    value.set(event.target().value());
                    state.mend(place);
                }
            />
        </label>
        <FaultNote state place/>
    }
}
