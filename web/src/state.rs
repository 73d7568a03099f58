//! What the page holds: the inputs as signals, what was computed from them, and the run.

use std::{rc::Rc, sync::Arc, time::Duration};

use claimgauge_core::{
    Error,
    evidence::{self, Claim, Span},
    profile::{Profile, Thresholds},
    provider::Dialect,
    report::Report,
    scrub::{self, Mode, Scrubbed},
    verification::Progress,
};
use leptos::prelude::*;

use crate::{
    evidence::Row,
    icon::{self, Icon},
    inputs::{Fault, Inputs, JudgeKind, Place, SpanText},
    keep,
    run::Run,
};

/// How long typing must pause before the scrub follows, in milliseconds.
const PAUSE_MS: u64 = 90;

/// Signals only, so it is copied into every component.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) spans: RwSignal<Vec<Row>>,
    pub(crate) claims: RwSignal<String>,
    pub(crate) profile: RwSignal<String>,
    pub(crate) judge: RwSignal<JudgeKind>,
    pub(crate) recording: RwSignal<String>,
    pub(crate) dialect: RwSignal<Dialect>,
    pub(crate) base_url: RwSignal<String>,
    pub(crate) model: RwSignal<String>,
    /// In memory only.
    pub(crate) api_key: RwSignal<String>,

    /// The inputs as they were at the last pause in typing.
    pub(crate) settled: RwSignal<Inputs>,
    /// Whether the browser could keep them.
    pub(crate) kept: RwSignal<bool>,
    /// What stood there before an example was loaded.
    pub(crate) replaced: RwSignal<Option<Inputs>>,
    pub(crate) scrub: Memo<Result<Arc<Preview>, Fault>>,

    pub(crate) faults: RwSignal<Vec<Fault>>,
    /// Present while a run is on.
    pub(crate) progress: RwSignal<Option<Progress>>,
    pub(crate) outcome: RwSignal<Option<Arc<Outcome>>>,
    /// Why the outcome is not that of the inputs as they stand, where it is not.
    pub(crate) outdated: Memo<Option<&'static str>>,
    /// Whether the last start was refused because of an input.
    refused: RwSignal<bool>,
    run: StoredValue<Option<Rc<Run>>, LocalStorage>,
    next_key: StoredValue<usize>,
    /// Keeps the rows' signals as long as the page lives: made in a button's handler they would go
    /// with the button.
    owner: StoredValue<Owner>,
}

/// The scrub of the settled inputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Preview {
    pub(crate) spans: Vec<Span>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) scrubbed: Scrubbed,
}

/// A report and what it was made with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) report: Report,
    pub(crate) thresholds: Thresholds,
    pub(crate) inputs: Inputs,
    /// The key that an endpoint was asked with; in memory only.
    api_key: String,
}

impl State {
    /// What was kept from the last visit, else `first`.
    pub(crate) fn new(first: impl FnOnce() -> Inputs) -> Self {
        let inputs = keep::load(keep::CLAIMS).unwrap_or_else(first);
        let settled = RwSignal::new(inputs.clone());
        let faults = RwSignal::new(Vec::new());
        let outcome = RwSignal::new(None::<Arc<Outcome>>);
        let refused = RwSignal::new(false);
        let api_key = RwSignal::new(String::new());
        let outdated = move |_: Option<&_>| {
            let changed = |then: &Arc<Outcome>| {
                let asked = then.inputs.judge == JudgeKind::Endpoint;
                settled.with(|now| then.inputs != *now)
                    || asked && api_key.with(|now| then.api_key != *now)
            };
            match outcome.with(|outcome| outcome.as_ref().map(changed))? {
                true => Some("Something was changed since this run."),
                false if refused.get() && faults.with(|faults: &Vec<Fault>| !faults.is_empty()) => {
                    Some("A new run could not start: this is the one before it.")
                }
                false => None,
            }
        };
        let state = Self {
            spans: RwSignal::default(),
            claims: RwSignal::default(),
            profile: RwSignal::default(),
            judge: RwSignal::default(),
            recording: RwSignal::default(),
            dialect: RwSignal::default(),
            base_url: RwSignal::default(),
            model: RwSignal::default(),
            api_key,
            settled,
            kept: RwSignal::new(true),
            replaced: RwSignal::new(None),
            scrub: Memo::new(move |_| settled.with(Preview::of).map(Arc::new)),
            faults,
            progress: RwSignal::new(None),
            outcome,
            outdated: Memo::new(outdated),
            refused,
            run: StoredValue::new_local(None),
            next_key: StoredValue::new(0),
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
        };
        state.fill(inputs);
        state.settle_when_typing_pauses();
        Effect::new(move |_| {
            let kept = state
                .settled
                .with(|inputs| keep::store(keep::CLAIMS, inputs));
            state.kept.set(kept);
        });
        state
    }

    /// The inputs as they stand.
    pub(crate) fn inputs(&self) -> Inputs {
        Inputs {
            evidence: self.spans.get().iter().map(Row::span).collect(),
            claims: self.claims.get(),
            profile: self.profile.get(),
            judge: self.judge.get(),
            recording: self.recording.get(),
            dialect: self.dialect.get(),
            base_url: self.base_url.get(),
            model: self.model.get(),
        }
    }

    /// Loads an example. The address and model of a judge are the user's own and stay.
    pub(crate) fn load(&self, example: Inputs) {
        let before = untrack(|| self.inputs());
        let loaded = Inputs {
            dialect: before.dialect,
            base_url: before.base_url.clone(),
            model: before.model.clone(),
            ..example
        };
        self.cancel();
        self.outcome.set(None);
        self.replaced
            .set(Some(before).filter(|before| *before != loaded));
        self.settled.set(loaded.clone());
        self.fill(loaded);
    }

    /// Brings back what stood there before an example was loaded.
    pub(crate) fn bring_back(&self) {
        if let Some(before) = self.replaced.get_untracked() {
            self.load(before.clone());
            self.dialect.set(before.dialect);
            self.base_url.set(before.base_url);
            self.model.set(before.model);
            self.replaced.set(None);
        }
    }

    pub(crate) fn add_span(&self) -> Row {
        let row = self.row(SpanText::default());
        self.spans.update(|rows| rows.push(row));
        row
    }

    /// Takes a span away; the one that is now in its place, else the last.
    pub(crate) fn remove_span(&self, key: usize) -> Option<Row> {
        let at = self.position(key)?;
        self.spans.update(|rows| {
            rows.remove(at);
        });
        self.faults.set(Vec::new());
        self.spans
            .with_untracked(|rows| rows.get(at).or(rows.last()).copied())
    }

    pub(crate) fn position(&self, key: usize) -> Option<usize> {
        self.spans
            .with(|rows| rows.iter().position(|row| row.key == key))
    }

    /// Whether an input is at fault.
    pub(crate) fn is_wrong(&self, place: Place) -> Option<&'static str> {
        self.faults
            .with(|faults| faults.iter().any(|fault| fault.place == place))
            .then_some("true")
    }

    /// An input was changed: what was wrong with it may be so no longer.
    pub(crate) fn mend(&self, place: Place) {
        let wrong = self
            .faults
            .with_untracked(|faults| faults.iter().any(|fault| fault.place == place));
        if wrong {
            self.faults
                .update(|faults| faults.retain(|fault| fault.place != place));
        }
    }

    /// Adds a fault unless its place has one.
    pub(crate) fn blame(&self, fault: Fault) {
        self.faults.update(|faults| {
            if faults.iter().all(|known| known.place != fault.place) {
                faults.push(fault);
            }
        });
    }

    /// Starts a run, and cancels the one that is on.
    pub(crate) fn start(&self) {
        self.drop_run();
        self.faults.set(Vec::new());
        let inputs = untrack(|| self.inputs());
        let api_key = self.api_key.get_untracked();
        let prepared = inputs.prepare(&api_key);
        self.refused.set(prepared.is_err());
        match prepared {
            Ok((verification, judge)) => {
                self.outcome.set(None);
                let run = Run::new(*self, verification, judge, inputs, api_key);
                self.run.set_value(Some(Rc::clone(&run)));
                run.start();
            }
            Err(fault) => self.blame(fault),
        }
    }

    /// Ends the run that is on; what is judged by then is shown.
    pub(crate) fn cancel(&self) {
        if let Some(run) = self.drop_run() {
            run.cancelled();
        }
    }

    /// What the run came to. Nothing of a run that is no longer this page's comes here.
    pub(crate) fn finish(&self, report: Report, inputs: Inputs, api_key: String) {
        self.run.set_value(None);
        self.progress.set(None);
        let Some(profile) = Profile::named(&inputs.profile) else {
            return;
        };
        self.outcome.set(Some(Arc::new(Outcome {
            report,
            thresholds: profile.thresholds,
            inputs,
            api_key,
        })));
    }

    fn drop_run(&self) -> Option<Rc<Run>> {
        let run = self.run.try_update_value(Option::take).flatten()?;
        run.abort();
        self.progress.set(None);
        Some(run)
    }

    fn fill(&self, inputs: Inputs) {
        let rows = inputs.evidence.into_iter();
        self.spans.set(rows.map(|span| self.row(span)).collect());
        self.claims.set(inputs.claims);
        self.profile.set(inputs.profile);
        self.judge.set(inputs.judge);
        self.recording.set(inputs.recording);
        self.dialect.set(inputs.dialect);
        self.base_url.set(inputs.base_url);
        self.model.set(inputs.model);
        self.faults.set(Vec::new());
    }

    fn row(&self, span: SpanText) -> Row {
        let key = self.next_key.get_value();
        self.next_key.set_value(key + 1);
        self.owner.get_value().with(|| Row::new(key, span))
    }

    fn settle_when_typing_pauses(self) {
        let pause = StoredValue::new(None::<TimeoutHandle>);
        Effect::watch(
            move || self.inputs(),
            move |inputs, _, _| {
                if let Some(running) = pause.try_update_value(Option::take).flatten() {
                    running.clear();
                }
                let inputs = inputs.clone();
                let settle = move || {
                    if self.settled.with_untracked(|settled| *settled != inputs) {
                        self.settled.set(inputs.clone());
                    }
                };
                let timer = set_timeout_with_handle(settle, Duration::from_millis(PAUSE_MS));
                pause.set_value(timer.ok());
            },
            false,
        );
    }
}

impl Preview {
    fn of(inputs: &Inputs) -> Result<Self, Fault> {
        let request = inputs.request();
        let scrubbed = || -> Result<Self, Error> {
            let profile = request.profile()?;
            let spans = evidence::spans(request.evidence)?;
            let claims = evidence::claims(request.claims)?;
            let options = scrub::Options {
                mode: Mode::Identifiers,
                hide_secrets: true,
                glossary: &[],
                matches: &[],
                previous: None,
                replacements: true,
            };
            let scrubbed = scrub::scrub(&profile, &spans, &claims, &options);
            Ok(Self {
                spans,
                claims,
                scrubbed,
            })
        };
        scrubbed().map_err(|error| Fault::from(&error))
    }
}

/// The message about an input, beside it. There is always an element, so that screen readers tell
/// what comes into it.
#[component]
pub(crate) fn FaultNote(state: State, place: Place) -> impl IntoView {
    let fault = move || {
        state.faults.with(|faults| {
            let own = faults.iter().find(|fault| fault.place == place);
            own.map(ToString::to_string)
        })
    };
    view! {
        <div id=place.note_id() class="fault" role="alert">
            {move || {
                fault().map(|text| view! { <Icon outline=icon::WARNING/><p>{text}</p> })
            }}
        </div>
    }
}
