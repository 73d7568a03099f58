//! The choice of a judge, its settings, and whom the evidence goes to.

use claimgauge_core::provider::Dialect;
use leptos::{either::Either, prelude::*};

use crate::{
    bound::{given, mark, part, pressed, switch, text},
    browser, endpoint,
    icon::{self, Icon},
    inputs::{JudgeKind, Place},
    own_model::OwnModel,
    state::{FaultNote, State},
};

const JUDGES: [(JudgeKind, &str); 4] = [
    (JudgeKind::Builtin, "Built-in"),
    (JudgeKind::Recorded, "Recorded"),
    (JudgeKind::Endpoint, "Model server"),
    (JudgeKind::File, "Model file"),
];

/// Where the browser knows of such models; whether it has one is asked when it is chosen.
const OWN_MODEL: (JudgeKind, &str) = (JudgeKind::Browser, "This browser");

/// What it is called once it was found to have none.
const NO_OWN_MODEL: &str = "This browser has no model";

/// The interfaces of model servers, the one that most offer first.
const INTERFACES: [(Dialect, &str); 5] = [
    (Dialect::Openai, "OpenAI chat completions, and compatible"),
    (Dialect::OpenaiResponses, "OpenAI responses"),
    (Dialect::Anthropic, "Anthropic messages"),
    (Dialect::Gemini, "Gemini generateContent"),
    (Dialect::Ollama, "Ollama chat"),
];

/// The id of what is folded on a narrow screen.
const SETTINGS: &str = "judge-settings";

/// The judges.
#[component]
pub(crate) fn JudgePicker(state: State) -> impl IntoView {
    let option = move |(kind, name): (JudgeKind, &'static str)| {
        let is_missing = move || kind == JudgeKind::Browser && state.no_own_model.get();
        view! {
            <label class="option">
                <input
                    type="radio"
                    name="judge"
                    // It keeps the focus, and who chooses it has it looked for again.
                    aria-disabled=mark(is_missing)
                    prop:checked=switch(move || state.judge.get() == kind)
                    on:change=given(move |_| {
                        state.former_judge.set(state.judge.get_untracked());
                        state.judge.set(kind);
                        state.faults.set(Vec::new());
                    })
                />
                <span>{text(move || if is_missing() { NO_OWN_MODEL } else { name }.to_owned())}</span>
            </label>
        }
    };
    let own_model = OwnModel::is_known().then_some(OWN_MODEL);
    let options: Vec<_> = JUDGES.into_iter().chain(own_model).map(option).collect();
    let chosen = Memo::new(move |_| {
        let kind = state.judge.get();
        let mut known = JUDGES.into_iter().chain([OWN_MODEL]);
        let name = known.find(|(known, _)| *known == kind);
        name.map_or("", |(_, name)| name).to_owned()
    });
    let settings = move || {
        chosen.track();
        Some(match state.judge.get_untracked() {
            JudgeKind::Builtin => about(
                "A small model of word overlap, in this page. It needs no key, nothing leaves the page, and it is no match for a language model.",
            ),
            JudgeKind::Recorded => view! { <RecordedSettings state/> }.into_any(),
            JudgeKind::Endpoint => state.later.draw(move |later| (later.endpoint)(state)),
            JudgeKind::Browser => state.later.draw(move |later| (later.own_model)()),
            JudgeKind::File => state.later.draw(move |later| (later.model_file)(state)),
        })
    };
    // Folded where what follows would be far below, unless something in it is wrong.
    let wrong = Memo::new(move |_| {
        let settings = [
            Place::ApiKey,
            Place::BaseUrl,
            Place::Judge,
            Place::Model,
            Place::Recording,
        ];
        settings.into_iter().any(|place| state.is_wrong(place))
    });
    // It opens by itself and does not close: what is mended is still being looked at.
    Effect::new(move |_| {
        if let (true, Some(settings)) = (wrong.get(), browser::element(SETTINGS)) {
            // An attribute of that name can always be set.
            let _ = settings.set_attribute("open", "");
        }
    });
    view! {
        <section class="panel" aria-labelledby="judge-title">
            <details id=SETTINGS class="setting" open=browser::is_wide()>
                <summary>
                    <h2 id="judge-title">"Judge"</h2>
                    <span class="chosen">{text(move || chosen.get())}</span>
                </summary>
                <p class="aside">"Who is asked twice whether the evidence supports each claim."</p>
                <div class="options" role="radiogroup" aria-labelledby="judge-title">
                    {options}
                </div>
                {part(settings)}
                <FaultNote state place=Place::Judge/>
            </details>
        </section>
    }
}

/// The host that evidence and claims would go to, where one is named.
fn host(state: State) -> Option<String> {
    let host = |base: &str| endpoint::host(base).map(str::to_owned);
    state
        .base_url
        .with(|base| match (base.trim(), state.dialect.get().home()) {
            ("", Some(home)) => host(home),
            (base, _) => host(base),
        })
}

/// Says that the recording is of other text, and offers whom to ask instead.
pub(crate) fn misfit(state: State) -> AnyView {
    let ask_builtin = move || {
        state.judge.set(JudgeKind::Builtin);
        state.faults.set(Vec::new());
    };
    view! {
        <p class="misfit" role="status">
            <Icon outline=icon::WARNING/>
            <span>
                "The recorded replies were given to another claim or other evidence: they say nothing of this. "
                <button type="button" class="link" on:click=pressed(ask_builtin)>"Switch to the built-in judge"</button>
            </span>
        </p>
    }
    .into_any()
}

/// Whom a run would send to, in words.
pub(crate) fn destination(state: State) -> String {
    match state.judge.get() {
        JudgeKind::Builtin | JudgeKind::File | JudgeKind::Recorded => {
            "nothing leaves this page".to_owned()
        }
        JudgeKind::Browser => "nothing leaves this machine".to_owned(),
        JudgeKind::Endpoint => match host(state) {
            Some(host) => format!("to {host}"),
            None => "nowhere yet: the base URL names no server".to_owned(),
        },
    }
}

fn about(judge: &'static str) -> AnyView {
    view! { <p class="destination">{judge}</p> }.into_any()
}

/// What is said of the browser's own model.
pub(crate) fn own_model() -> AnyView {
    about(
        "The language model that this browser has of its own. It needs no key, and nothing leaves this machine. The first run may have to load it, which takes minutes and gigabytes.",
    )
}

#[component]
fn RecordedSettings(state: State) -> impl IntoView {
    let own = Memo::new(move |_| state.example.with(String::is_empty));
    let wrong = Memo::new(move |_| state.is_wrong(Place::Recording));
    view! {
        {about("Replays replies that were written down before. Nothing leaves the page.")}
        // Folded where it came with an example, unless it is at fault.
        <details class="recording" prop:open=switch(move || own.get() || wrong.get())>
            <summary>
                {text(move || if own.get() { "Recording (JSON)" } else { "Recording of this example (JSON)" }.to_owned())}
            </summary>
            <textarea
                id="recording"
                class="mono"
                rows="4"
                spellcheck="false"
                aria-label="Recording (JSON)"
                placeholder="[{ \"claim\": \"C0\", \"pass\": \"full\", \"text\": \"…\" }]"
                aria-describedby=Place::Recording.note_id()
                aria-invalid=mark(move || state.is_wrong(Place::Recording))
                prop:value=text(move || state.recording.get())
                on:input=given(move |value| {
                    state.recording.set(value);
                    state.example.set(String::new());
                    state.mend(Place::Recording);
                })
            ></textarea>
        </details>
        <FaultNote state place=Place::Recording/>
    }
}

/// The settings of a model server.
pub(crate) fn endpoint_settings(state: State) -> AnyView {
    let home = move || state.dialect.get().home();
    let key = move || match state.dialect.get() {
        Dialect::Anthropic | Dialect::Gemini => "Key",
        _ => "Key (optional)",
    };
    let is_bare = Memo::new(move |_| {
        let has_key = state.api_key.with(|key| !key.trim().is_empty());
        has_key
            && state
                .base_url
                .with(|base| endpoint::is_open_to_others(base))
    });
    let options: Vec<_> = INTERFACES
        .into_iter()
        .enumerate()
        .map(|(at, (dialect, name))| {
            view! {
                <option value=at.to_string() prop:selected=switch(move || state.dialect.get() == dialect)>{name}</option>
            }
        })
        .collect();
    let choose = move |at: String| {
        let chosen = at.parse().ok().and_then(|at: usize| INTERFACES.get(at));
        if let Some((dialect, _)) = chosen {
            state.dialect.set(*dialect);
            state.mend(Place::BaseUrl);
        }
    };
    view! {
        <label class="field">
            <span>"Interface"</span>
            <select id="interface" on:change=given(choose)>
                {options}
            </select>
        </label>
        <Setting state place=Place::BaseUrl id="base-url" label="Base URL" value=state.base_url
            kind="url" placeholder=Signal::derive(move || home().unwrap_or("http://127.0.0.1:8080/v1"))/>
        <Setting state place=Place::Model id="model" label="Model" value=state.model
            kind="text" placeholder="As the server calls it"/>
        <Setting state place=Place::ApiKey id="api-key" label=Signal::derive(key) value=state.api_key
            kind="password" placeholder="Kept in memory only"/>
        {part(move || is_bare.get().then(|| view! {
            <p class="misfit" role="status">
                <Icon outline=icon::WARNING/>
                "By http the key goes unencrypted: whoever is on the way can read it. Does the server take https?"
            </p>
        }.into_any()))}
        <p class="destination" id="destination">
            {move || match host(state) {
                Some(host) => Either::Left(view! {
                    "Evidence and claims go to "<strong>{host}</strong>", twice for each claim."
                }),
                None => Either::Right(
                    "Evidence and claims go to the server that you name here, and to nobody else.",
                ),
            }}
        </p>
    }
    .into_any()
}

#[component]
fn Setting(
    state: State,
    place: Place,
    id: &'static str,
    #[prop(into)] label: Signal<&'static str>,
    value: RwSignal<String>,
    kind: &'static str,
    #[prop(into)] placeholder: Signal<&'static str>,
) -> impl IntoView {
    view! {
        <label class="field">
            <span>{text(move || label.get().to_owned())}</span>
            <input
                id=id
                type=kind
                placeholder=text(move || placeholder.get().to_owned())
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                aria-describedby=place.note_id()
                aria-invalid=mark(move || state.is_wrong(place))
                prop:value=text(move || value.get())
                on:input=given(move |given| {
                    value.set(given);
                    state.mend(place);
                })
            />
        </label>
        <FaultNote state place/>
    }
}
