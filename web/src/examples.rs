//! Examples to start from, read from the vectors that the suites read too.

use leptos::prelude::*;
use serde::Deserialize;

use crate::{
    inputs::{Inputs, JudgeKind, SpanText},
    recording::{self, Entry},
    state::State,
};

const EXAMPLES: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/vectors/examples.json"
));

/// A request, whom to ask, and what comes of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Example {
    /// A word for links and tests.
    pub(crate) name: String,
    pub(crate) title: String,
    /// One sentence on what it shows.
    pub(crate) about: String,
    request: Text,
    judge: JudgeKind,
    /// For the recorded judge.
    #[serde(default)]
    recording: Vec<Entry>,
    /// What the suites expect of it.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests compare with it"))]
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

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(test), expect(dead_code, reason = "only tests compare with it"))]
struct Expected {
    recommendation: String,
    /// One for each claim.
    statuses: Vec<String>,
}

/// All of them, the worked example first.
pub(crate) fn all() -> Vec<Example> {
    // INVARIANT: the file is part of the crate, and a test reads it.
    serde_json::from_str(EXAMPLES).expect("examples.json is read by a test")
}

/// The recordings that examples bring, as the page shows them.
pub(crate) fn recordings() -> Vec<String> {
    let recordings = all().into_iter().map(|example| example.inputs().recording);
    recordings.filter(|text| !text.is_empty()).collect()
}

impl Example {
    /// What the page shows when the example is picked.
    pub(crate) fn inputs(&self) -> Inputs {
        let inputs = Inputs {
            evidence: self.request.evidence.clone(),
            claims: self.request.claims.iter().map(line).collect(),
            profile: self.request.profile.clone(),
            judge: self.judge,
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

/// A button for each.
#[component]
pub(crate) fn ExampleMenu(state: State) -> impl IntoView {
    let picked = RwSignal::new(None::<String>);
    let buttons: Vec<_> = all()
        .into_iter()
        .map(|example| {
            let inputs = example.inputs();
            let about = example.about.clone();
            view! {
                <li>
                    <button
                        type="button"
                        class="example"
                        data-example=example.name
                        title=example.about
                        on:click=move |_| {
                            state.load(inputs.clone());
                            picked.set(Some(about.clone()));
                        }
                    >
                        {example.title}
                    </button>
                </li>
            }
        })
        .collect();
    let undo = move |_| {
        state.bring_back();
        picked.set(None);
    };
    view! {
        <nav class="examples" aria-label="Examples">
            <p class="examples-title">"Examples"</p>
            <ul>{buttons}</ul>
            <p class="about" role="status">
                {move || picked.get().unwrap_or_else(|| "Pick one, or put your own text below.".to_owned())}
                {move || state.replaced.with(Option::is_some).then(|| view! {
                    " "
                    <button type="button" class="link" on:click=undo>"Bring back what was there"</button>
                })}
            </p>
        </nav>
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
                            Judge::Endpoint(_) | Judge::Browser => {
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
