//! Runs, as the page has them: what it tells the program that judges, and what it makes of what that tells. A run
//! that the drawer opens is shown in the same way.

use std::{rc::Rc, sync::Arc};

use claimgauge_core::{
    decide::Recommendation,
    profile::{Profile, Thresholds},
    report::{Cost, Finding, Summary},
    verification::Progress,
};
use leptos::{prelude::*, task::spawn_local};
use serde::Deserialize;

use crate::{
    helper::Helper,
    inputs::{Fault, Inputs, JudgeKind, Place},
    judging::{Asked, Told},
    keep,
    own_model::OwnModel,
    report,
    sight::Sight,
    state::State,
    talk::{self, Origin, Standing},
};

/// The part of a report that the page shows.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Report {
    pub(crate) recommendation: Recommendation,
    pub(crate) rationale: String,
    pub(crate) summary: Summary,
    pub(crate) claims: Vec<Finding>,
    pub(crate) cost: Cost,
}

/// A report and what it was made with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) report: Report,
    /// What is read out of it.
    pub(crate) announcement: String,
    /// The whole report, as it is taken away.
    pub(crate) json: String,
    pub(crate) markdown: String,
    pub(crate) thresholds: Thresholds,
    /// What the page shows beside each finding.
    pub(crate) sights: Vec<Sight>,
    pub(crate) inputs: Inputs,
    /// The number of its run.
    pub(crate) run: u32,
    /// The key that an endpoint was asked with; in memory only.
    pub(crate) api_key: String,
}

/// Starts a run, and cancels the one that is on.
pub(crate) fn start(state: State) {
    let is_file = state.judge.get_untracked() == JudgeKind::File;
    if let Some(fault) = state.model_file.fault().filter(|_| is_file) {
        state.refused.set(true);
        state.progress.set(None);
        return state.faults.set(vec![fault]);
    }
    state.own_model.with_value(OwnModel::abort);
    state.faults.set(Vec::new());
    let inputs = untrack(|| state.inputs());
    let api_key = state.api_key.get_untracked();
    state.runs.update_value(|runs| *runs += 1);
    state
        .asked
        .set_value(Some((inputs.clone(), api_key.clone())));
    state.progress.set(Some(Progress { done: 0, total: 0 }));
    say(
        state,
        &Asked::Start {
            run: state.runs.get_value(),
            inputs,
            api_key,
            keeps: keep::keeps_runs(),
        },
    );
}

/// Ends the run that is on; what is judged by then is shown.
pub(crate) fn cancel(state: State) {
    state.own_model.with_value(OwnModel::abort);
    let is_loading =
        |progress: Option<Progress>| progress.is_some_and(|progress| progress.total == 0);
    if is_loading(state.progress.get_untracked()) {
        // What judges is on its way: nothing is judged, and nothing to wait for.
        state.asked.set_value(None);
        state.progress.set(None);
    }
    say(state, &Asked::Cancel);
}

/// Says something to the program that judges, which starts with it.
pub(crate) fn say(state: State, asked: &Asked) {
    let Ok(text) = serde_json::to_string(asked) else {
        return;
    };
    let known = state.judges.get_value();
    let judges = known.unwrap_or_else(|| {
        let started = Rc::new(Helper::new("claimgauge-judge", move |text| {
            match serde_json::from_str(text) {
                Ok(told) => hear(state, told),
                Err(_) => give_up(state, text),
            }
            Some(())
        }));
        state.judges.set_value(Some(Rc::clone(&started)));
        started
    });
    judges.say(&text);
}

/// The judges' program could not start, or has failed: what waits for it is over, and the next to need it starts
/// another one.
fn give_up(state: State, why: &str) {
    state.judges.set_value(None);
    let fault = Fault::new(Place::Judge, why)
        .with_hint("Run again; where that does not help, reload the page: what you typed is kept.");
    state.plan.set(Some(Err(fault.clone())));
    if state
        .asked
        .try_update_value(Option::take)
        .flatten()
        .is_some()
    {
        state.own_model.with_value(OwnModel::abort);
        state.progress.set(None);
        state.refused.set(true);
        state.blame(fault);
    }
}

/// Takes what the judges' program tells, unless it is about a run before the last.
fn hear(state: State, told: Told) {
    let is_on = |run: u32| run == state.runs.get_value() && state.asked.with_value(Option::is_some);
    match told {
        Told::Ask {
            run,
            question,
            asking,
        } if is_on(run) => {
            let answer = move |outcome| {
                let answered = Asked::Answered {
                    run,
                    question,
                    outcome,
                };
                say(state, &answered);
            };
            let file = state.model_file;
            state
                .own_model
                .with_value(|model| model.ask(asking, file, answer));
        }
        Told::Progress { run, done, total } if is_on(run) => {
            if done == 0 {
                state.refused.set(false);
                state.outcome.set(None);
            }
            state.progress.set(Some(Progress { done, total }));
        }
        Told::Blamed { run, fault } if is_on(run) => state.blame(fault),
        Told::Refused { run, fault } if is_on(run) => {
            state.refused.set(true);
            state.asked.set_value(None);
            state.progress.set(None);
            state.blame(fault);
        }
        Told::Decided {
            run,
            thresholds,
            markdown,
            json,
        } => {
            let outcome = state.outcome.get_untracked();
            let outcome = outcome.filter(|outcome| outcome.run == run);
            if let (Some(outcome), Some(report)) = (outcome, read(&json)) {
                state.outcome.set(Some(Arc::new(Outcome {
                    announcement: report::announcement(&report),
                    report,
                    json,
                    markdown,
                    thresholds,
                    ..(*outcome).clone()
                })));
            }
        }
        Told::Done {
            run,
            faults,
            markdown,
            json,
            sights,
        } if is_on(run) => {
            for fault in faults {
                state.blame(fault);
            }
            let outcome = talk::Outcome {
                json,
                markdown,
                sights,
            };
            finish(state, outcome);
        }
        Told::Planned(plan) => state.plan.set(Some(plan)),
        _ => {}
    }
}

/// What the run came to.
fn finish(state: State, outcome: talk::Outcome) {
    state.own_model.with_value(OwnModel::abort);
    state.progress.set(None);
    let asked = state.asked.try_update_value(Option::take).flatten();
    if let Some((inputs, api_key)) = asked {
        present(state, inputs, api_key, outcome);
    }
}

/// Shows what a run came to.
fn present(state: State, inputs: Inputs, api_key: String, outcome: talk::Outcome) {
    let talk::Outcome {
        json,
        markdown,
        sights,
    } = outcome;
    let profile = Profile::named(&inputs.profile);
    if let (Some(profile), Some(report)) = (profile, read(&json)) {
        state.outcome.set(Some(Arc::new(Outcome {
            announcement: report::announcement(&report),
            report,
            json,
            markdown,
            thresholds: inputs.thresholds.unwrap_or(profile.thresholds),
            sights,
            inputs,
            run: state.runs.get_value(),
            api_key,
        })));
    }
}

fn read(json: &str) -> Option<Report> {
    serde_json::from_str(json).ok()
}

/// Takes what the drawer asks for.
pub(crate) fn hear_drawer(state: State, asked: &str) {
    match serde_json::from_str(asked) {
        Ok(talk::Asked::Standing) => talk::to_drawer(&standing(state)),
        Ok(talk::Asked::Say { words }) => state.warn(words),
        Ok(talk::Asked::Load {
            origin,
            standing,
            without,
        }) => take(state, origin, *standing, &without),
        Err(_) => {}
    }
}

/// How the page stands.
fn standing(state: State) -> Standing {
    let outcome = state.outcome.get_untracked();
    let outcome = outcome.filter(|_| state.outdated.with_untracked(String::is_empty));
    Standing {
        inputs: untrack(|| state.inputs()).without_secrets(),
        outcome: outcome.map(|outcome| talk::Outcome {
            json: outcome.json.clone(),
            markdown: outcome.markdown.clone(),
            sights: outcome.sights.clone(),
        }),
    }
}

/// Puts what the drawer has in place of what stands there.
fn take(state: State, origin: Origin, standing: Standing, without: &str) {
    let (what, words) = match origin {
        Origin::File => ("Importing a file", "The file was imported."),
        Origin::Link => ("Opening a link", "The shared link was opened."),
        Origin::Run => ("Opening a run", "The run was opened."),
    };
    let inputs = standing.inputs.clone();
    state.take_over(what, standing.inputs);
    if let Some(outcome) = standing.outcome {
        let api_key = state.api_key.get_untracked();
        present(state, inputs, api_key, outcome);
    }
    let words = format!("{words}{without} Undo brings back what was here.");
    if without.is_empty() {
        state.tell(words);
    } else {
        state.warn(words);
    }
}

/// Goes back to the judge before where the browser's own model is chosen and may not be used.
pub(crate) fn look_for_own_model(state: State) {
    spawn_local(async move {
        let missing = OwnModel::missing().await;
        state.no_own_model.set(missing.is_some());
        let is_chosen = state.judge.get_untracked() == JudgeKind::Browser;
        if let (Some(failure), true) = (missing, is_chosen) {
            state.judge.set(state.former_judge.get_untracked());
            state.blame(Fault::from(&failure));
        }
    });
}
