//! Examples to start from: the first is part of the page, the others are loaded when the gallery is opened.

use std::cell::RefCell;

use leptos::{prelude::*, task::spawn_local};
use serde::Deserialize;

use crate::{
    bound::{part, pressed, text},
    browser,
    icon::{self, Icon},
    inputs::{Inputs, JudgeKind, SpanText},
    recording::{self, Entry},
    state::State,
};

/// What everyone sees first: the first one of all, as it is kept once it was looked at. A test compares them.
const FIRST: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/first.json"));

/// Where all of them lie beside the page. They are vectors that the suites read too.
const ALL: &str = "./examples.json";

/// A request, whom to ask, and what comes of it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Example {
    /// A word for links and tests.
    name: String,
    title: String,
    /// What it teaches, in one line.
    lesson: String,
    request: Text,
    judge: JudgeKind,
    /// For the recorded judge.
    #[serde(default)]
    recording: Vec<Entry>,
    expected: Expected,
}

/// The part of a request that a person types. A test holds it against the whole.
#[derive(Clone, Debug, Deserialize)]
struct Text {
    profile: String,
    evidence: Vec<SpanText>,
    claims: Vec<ClaimText>,
}

#[derive(Clone, Debug, Deserialize)]
struct ClaimText {
    text: String,
    #[serde(default)]
    cites: Vec<String>,
}

/// What comes out, which a test runs.
#[derive(Clone, Debug, Deserialize)]
struct Expected {
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests compare with it"))]
    recommendation: String,
    /// One for each claim.
    statuses: Vec<String>,
}

/// What the page shows at the first visit.
pub(crate) fn first() -> Inputs {
    // INVARIANT: the file is part of the crate, and a test reads it.
    Inputs::read(FIRST).expect("first.json is read by a test")
}

impl Example {
    /// What the page shows when the example is picked.
    fn inputs(&self) -> Inputs {
        let inputs = Inputs {
            evidence: self.request.evidence.clone(),
            claims: self.request.claims.iter().map(line).collect(),
            profile: self.request.profile.clone(),
            judge: self.judge,
            example: self.name.clone(),
            ..Inputs::default()
        };
        let recording = self.bound(&inputs);
        Inputs {
            recording,
            ..inputs
        }
    }

    /// The recording, which answers for the example's own claims and evidence alone.
    fn bound(&self, inputs: &Inputs) -> String {
        if self.recording.is_empty() {
            return String::new();
        }
        let request = inputs.request();
        let entries = self.recording.iter().cloned().map(|mut entry| {
            let at = entry.claim.strip_prefix('C').and_then(|at| at.parse().ok());
            let claim = at.and_then(|at: usize| request.claims.get(at));
            entry.of = claim.map(|claim| recording::fingerprint(claim, &request.evidence));
            entry
        });
        serde_json::to_string_pretty(&entries.collect::<Vec<Entry>>()).unwrap_or_default()
    }
}

/// The claim as it is typed.
fn line(claim: &ClaimText) -> String {
    match claim.cites.as_slice() {
        [] => format!("{}\n", claim.text),
        cites => format!("{} [{}]\n", claim.text, cites.join(", ")),
    }
}

/// The button that opens the gallery, and what the example that stands there teaches, once it was loaded: undoing
/// brings one back, clearing or changing takes it away.
#[component]
pub(crate) fn Gallery(state: State) -> impl IntoView {
    let open = RwSignal::new(false);
    let about = move || {
        let lesson = |now: &Inputs| (state.later.now()?.lesson)(now);
        match state.settled.with(lesson) {
            Some(lesson) => lesson,
            None => "Pick one, or put your own text below.".to_owned(),
        }
    };
    let undo = move || {
        state.bring_back();
        browser::focus_soon("gallery".to_owned());
    };
    view! {
        <nav class="examples" aria-label="Examples">
            <button
                type="button"
                id="gallery"
                class="quiet"
                aria-expanded=text(move || open.get().to_string())
                on:click=pressed(move || open.update(|open| *open = !*open))
            >
                <Icon outline=icon::LAYERS/>
                "Examples"
            </button>
            <p class="about" role="status">
                {text(about)}
                {part(move || state.replaced.with(Option::is_some).then(|| view! {
                    " "
                    <button type="button" class="link" on:click=pressed(undo)>"Bring back what was there"</button>
                }.into_any()))}
            </p>
            {part(move || open.get().then(|| state.later.draw(move |later| (later.gallery)(state, open))))}
        </nav>
    }
}

thread_local! {
    /// Those that were loaded, for the next time.
    static LOADED: RefCell<Vec<Example>> = const { RefCell::new(Vec::new()) };
}

/// What the example teaches that stands there, where it was loaded: of other evidence or claims it says nothing.
pub(crate) fn lesson(now: &Inputs) -> Option<String> {
    LOADED.with_borrow(|loaded| {
        let example = loaded.iter().find(|example| example.name == now.example)?;
        let given = example.inputs();
        let is_there = given.evidence == now.evidence && given.claims == now.claims;
        let words = match given.judge == now.judge {
            true => example.lesson.clone(),
            // What it teaches is what its own judge says.
            false => format!("By its own judge: {}", example.lesson),
        };
        is_there.then_some(words)
    })
}

/// A card for each example.
pub(crate) fn gallery(state: State, open: RwSignal<bool>) -> AnyView {
    let all = RwSignal::new(LOADED.with_borrow(Clone::clone));
    if all.with_untracked(Vec::is_empty) {
        spawn_local(async move {
            let loaded = browser::fetch(ALL).await;
            match loaded.and_then(|text| serde_json::from_str::<Vec<Example>>(&text).ok()) {
                Some(examples) => {
                    LOADED.set(examples.clone());
                    // The gallery may be closed by now.
                    let _ = all.try_set(examples);
                }
                None => {
                    let words = "The examples could not be loaded. Is there a network?";
                    state.warn(words.to_owned());
                }
            }
        });
    }
    let pick = move |example: &Example| {
        state.load(example.inputs());
        open.set(false);
        browser::focus_soon("gallery".to_owned());
    };
    let drawn = move || {
        let cards: Vec<_> = all
            .get()
            .into_iter()
            .map(|example| {
                let is_here = state.example.with_untracked(|name| *name == example.name);
                view! { <Card example is_here pick/> }
            })
            .collect();
        let is_there = !cards.is_empty();
        view! {
            <ul class="gallery">
                {cards}
                {is_there.then(|| view! {
                    <li>
                        <a class="example" href="#outputs/changes" data-example="agent-output">
                            <b>"What an agent says it did"</b>
                            <span class="chip tone-unsupported">"NOT VALID"</span>
                            <span class="lesson">"Six files and a command, held against the folder: two changes are there."</span>
                        </a>
                    </li>
                })}
            </ul>
        }
    };
    drawn.into_any()
}

#[component]
fn Card(example: Example, is_here: bool, pick: impl Fn(&Example) + 'static) -> impl IntoView {
    let mut statuses = example.expected.statuses.clone();
    statuses.dedup();
    let chips: Vec<_> = statuses
        .into_iter()
        .map(|status| {
            let class = format!("chip tone-{}", status.to_lowercase());
            view! { <span class=class>{status}</span> }
        })
        .collect();
    let (name, title, lesson) = (
        example.name.clone(),
        example.title.clone(),
        example.lesson.clone(),
    );
    view! {
        <li>
            <button
                type="button"
                class="example"
                data-example=name
                aria-current=is_here.then_some("true")
                on:click=move |_| pick(&example)
            >
                <b>{title}</b>
                {chips}
                <span class="lesson">{lesson}</span>
            </button>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use claimgauge_core::{
        builtin,
        decide::Status,
        evidence::Request,
        judgement::Basis,
        report::Report,
        verification::{Answer, Step},
    };

    use super::*;
    use crate::inputs::Judge;

    const EXAMPLES: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/vectors/examples.json"
    ));

    fn all() -> Vec<Example> {
        serde_json::from_str(EXAMPLES).unwrap()
    }

    #[test]
    fn the_first_is_the_first_of_all() {
        assert_eq!(first(), all()[0].inputs());
    }

    #[test]
    fn each_lesson_is_one_line() {
        let all = all();
        assert!(all.len() >= 11, "{}", all.len());
        for example in all {
            let Example {
                name,
                title,
                lesson,
                ..
            } = example;
            assert!(title.chars().count() <= 34, "{name}: {title}");
            assert!(lesson.chars().count() <= 140, "{name}: {lesson}");
        }
    }

    fn report(example: &Example) -> Report {
        let (mut verification, judge) = example.inputs().prepare("").unwrap();
        loop {
            match verification.poll(4) {
                Step::Done(report) => return *report,
                Step::Wait => unreachable!("every question was answered"),
                Step::Ask(requests) => {
                    for request in requests {
                        let answer = match &judge {
                            Judge::Builtin => Answer {
                                basis: Some(Basis::Builtin),
                                ..Answer::text(builtin::reply(&request.spans, &request.claim_text))
                            },
                            Judge::Recorded(recording) => recording.answer(&request).unwrap(),
                            Judge::Endpoint(_) | Judge::Browser | Judge::File => {
                                panic!("an example asks nobody outside")
                            }
                        };
                        verification.handle(&request.id, answer).unwrap();
                    }
                }
            }
        }
    }

    #[test]
    fn every_example_comes_out_as_it_says() {
        let mut seen = BTreeSet::new();
        for example in all() {
            let report = report(&example);
            let statuses: Vec<_> = report
                .claims
                .iter()
                .map(|claim| claim.status.label())
                .collect();
            assert_eq!(statuses, example.expected.statuses, "{}", example.name);
            assert_eq!(
                report.recommendation.label(),
                example.expected.recommendation,
                "{}",
                example.name
            );
            seen.extend(report.claims.iter().map(|claim| claim.status));
        }
        assert_eq!(
            seen,
            BTreeSet::from(Status::ALL),
            "each status has an example"
        );
    }

    /// The other suites read the file as requests of the core.
    #[test]
    fn a_picked_example_makes_the_request_that_it_states() {
        let stated: Vec<serde_json::Value> = serde_json::from_str(EXAMPLES).unwrap();
        for (example, stated) in all().iter().zip(stated) {
            let stated: Request = serde_json::from_value(stated["request"].clone()).unwrap();
            let made = example.inputs().request();
            assert_eq!(made.profile, stated.profile, "{}", example.name);
            assert_eq!(made.claims, stated.claims, "{}", example.name);
            assert_eq!(made.evidence, stated.evidence, "{}", example.name);
        }
    }
}
