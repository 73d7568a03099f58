//! What the page holds: the inputs as signals, what was computed from them, and the run.

use std::{cell::Cell, rc::Rc, sync::Arc, time::Duration};

use claimgauge_core::{profile::Thresholds, provider::Dialect, verification::Progress};
use leptos::prelude::*;

use crate::{
    bound::part,
    evidence::Row,
    helper::Helper,
    icon::{self, Icon},
    inputs::{Fault, Format, Inputs, JudgeKind, Named, Place, SpanText},
    keep,
    later::{Later, Load},
    model_file::ModelFile,
    own_model::OwnModel,
    pieces::settle_ids,
    planning::Plan,
    running::Outcome,
    scrubbing::{self, Outline, Window},
    talk,
    undo::{Timeline, What},
};

/// How long typing must pause before the scrub follows, in milliseconds.
const PAUSE_MS: u64 = 90;

/// Signals only, so it is copied into every component.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) spans: RwSignal<Vec<Row>>,
    pub(crate) claims: RwSignal<String>,
    pub(crate) profile: RwSignal<String>,
    pub(crate) thresholds: RwSignal<Option<Thresholds>>,
    pub(crate) glossary: RwSignal<Vec<Named>>,
    pub(crate) judge: RwSignal<JudgeKind>,
    pub(crate) recording: RwSignal<String>,
    pub(crate) example: RwSignal<String>,
    pub(crate) dialect: RwSignal<Dialect>,
    pub(crate) base_url: RwSignal<String>,
    pub(crate) model: RwSignal<String>,
    /// In memory only.
    pub(crate) api_key: RwSignal<String>,
    /// In memory only, too.
    pub(crate) model_file: ModelFile,

    /// The inputs as they were at the last pause in typing.
    pub(crate) settled: RwSignal<Inputs>,
    /// Whether the browser could keep them.
    pub(crate) kept: RwSignal<bool>,
    /// What stood there before an example was loaded.
    pub(crate) replaced: RwSignal<Option<Inputs>>,
    /// What has just been done for the user, or could not be.
    pub(crate) notice: RwSignal<String>,
    /// Whether that is of something that could not be done.
    pub(crate) warns: RwSignal<bool>,
    /// Whether there is a step back.
    pub(crate) can_undo: Memo<bool>,
    /// Whether there is one ahead.
    pub(crate) can_redo: Memo<bool>,
    timeline: RwSignal<Timeline>,
    /// The scrub of the settled inputs; absent until the first one is there.
    pub(crate) shown: RwSignal<Option<Result<Arc<Outline>, String>>>,
    /// The part of it that is looked at.
    pub(crate) window: RwSignal<Arc<Window>>,

    /// What a run would send, where somebody asked.
    pub(crate) plan: RwSignal<Option<Result<Plan, Fault>>>,

    pub(crate) faults: RwSignal<Vec<Fault>>,
    /// What is not loaded at first.
    pub(crate) later: Later,
    /// Present while a run is on.
    pub(crate) progress: RwSignal<Option<Progress>>,
    pub(crate) outcome: RwSignal<Option<Arc<Outcome>>>,
    /// Why the outcome is not that of the inputs as they stand; empty where it is, or there is none.
    pub(crate) outdated: Memo<String>,
    /// Whether the last start was refused because of an input.
    pub(crate) refused: RwSignal<bool>,
    /// The number of the last run, and what it was started with while it is on.
    pub(crate) runs: StoredValue<u32>,
    pub(crate) asked: StoredValue<Option<(Inputs, String)>>,
    pub(crate) judges: StoredValue<Option<Rc<Helper>>, LocalStorage>,
    scrubs: StoredValue<Option<Rc<Helper>>, LocalStorage>,
    pub(crate) own_model: StoredValue<OwnModel, LocalStorage>,
    /// Whether it was looked for, and there is none that may be used.
    pub(crate) no_own_model: RwSignal<bool>,
    /// Whom the reader had chosen before the judge: chosen again where there is no such model.
    pub(crate) former_judge: RwSignal<JudgeKind>,
    next_key: StoredValue<usize>,
    /// Keeps the rows' signals as long as the page lives: made in a button's handler they would go
    /// with the button.
    owner: StoredValue<Owner>,
}

impl State {
    /// What was kept from the last visit, else `first`.
    pub(crate) fn new(first: impl FnOnce() -> Inputs, load: Load) -> Self {
        let inputs = keep::load_text(keep::CLAIMS)
            .and_then(|kept| Inputs::read(&kept))
            .unwrap_or_else(first);
        let settled = RwSignal::new(inputs.clone());
        let timeline = RwSignal::new(Timeline::new(inputs.clone()));
        let can_travel = move || timeline.with(|timeline| settled.with(|now| timeline.can(now)));
        let faults = RwSignal::new(Vec::new());
        let outcome = RwSignal::new(None::<Arc<Outcome>>);
        let refused = RwSignal::new(false);
        let api_key = RwSignal::new(String::new());
        let outdated = move |_: Option<&_>| {
            let changed = |then: &Arc<Outcome>| {
                let asked = then.inputs.judge == JudgeKind::Endpoint;
                settled.with(|now| !then.inputs.asks_as(now))
                    || asked && api_key.with(|now| then.api_key != *now)
            };
            let why = match outcome.with(|outcome| outcome.as_ref().map(changed)) {
                Some(true) => "Something was changed since this run.",
                Some(false)
                    if refused.get() && faults.with(|faults: &Vec<Fault>| !faults.is_empty()) =>
                {
                    "A new run could not start: this is the one before it."
                }
                _ => "",
            };
            why.to_owned()
        };
        let state = Self {
            spans: RwSignal::default(),
            claims: RwSignal::default(),
            profile: RwSignal::default(),
            thresholds: RwSignal::default(),
            glossary: RwSignal::default(),
            judge: RwSignal::default(),
            recording: RwSignal::default(),
            example: RwSignal::default(),
            dialect: RwSignal::default(),
            base_url: RwSignal::default(),
            model: RwSignal::default(),
            api_key,
            model_file: ModelFile::new(),
            settled,
            kept: RwSignal::new(true),
            replaced: RwSignal::new(None),
            notice: RwSignal::default(),
            warns: RwSignal::new(false),
            can_undo: Memo::new(move |_| can_travel().0),
            can_redo: Memo::new(move |_| can_travel().1),
            timeline,
            shown: RwSignal::new(None),
            window: RwSignal::default(),
            scrubs: StoredValue::new_local(None),
            plan: RwSignal::new(None),
            faults,
            later: Later::new(load),
            progress: RwSignal::new(None),
            outcome,
            outdated: Memo::new(outdated),
            refused,
            runs: StoredValue::new(0),
            asked: StoredValue::new(None),
            judges: StoredValue::new_local(None),
            own_model: StoredValue::new_local(OwnModel::default()),
            no_own_model: RwSignal::new(false),
            former_judge: RwSignal::new(JudgeKind::default()),
            next_key: StoredValue::new(0),
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
        };
        state.fill(inputs);
        state.settle_when_typing_pauses();
        state.keep_and_scrub();
        state.look_for_own_model_when_chosen();
        state
    }

    /// The inputs as they stand.
    pub(crate) fn inputs(&self) -> Inputs {
        Inputs {
            format: Format::default(),
            evidence: self.spans.get().iter().map(Row::span).collect(),
            claims: self.claims.get(),
            profile: self.profile.get(),
            thresholds: self.thresholds.get(),
            glossary: self.glossary.get(),
            judge: self.judge.get(),
            recording: self.recording.get(),
            example: self.example.get(),
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
        self.drop_run();
        self.outcome.set(None);
        self.replaced
            .set(Some(before).filter(|before| *before != loaded));
        self.step("Loading an example", |inputs| *inputs = loaded);
    }

    /// Brings back what stood there before an example was loaded.
    pub(crate) fn bring_back(&self) {
        if let Some(before) = self.replaced.get_untracked() {
            self.drop_run();
            self.outcome.set(None);
            self.replaced.set(None);
            self.step("Bringing back what was there", |inputs| *inputs = before);
        }
    }

    /// Takes over what somebody else may have written.
    pub(crate) fn take_over(&self, what: What, given: Inputs) {
        self.drop_run();
        self.outcome.set(None);
        self.replaced.set(None);
        self.step(what, |inputs| *inputs = given);
    }

    /// Hears what the drawer asks for.
    pub(crate) fn talk_to_drawer(self) {
        talk::hear_drawer(move |asked| {
            self.later
                .act(self, move |later| (later.hear_drawer)(self, &asked));
        });
    }

    /// Says what was done. What was typed before that is settled first, so that its pause does not end in
    /// taking this away.
    pub(crate) fn tell(&self, words: String) {
        self.settle();
        self.warns.set(false);
        self.notice.set(words);
    }

    /// Says what could not be done.
    pub(crate) fn warn(&self, words: String) {
        self.tell(words);
        self.warns.set(true);
    }

    /// Takes away evidence, claims and what belongs to them; the settings stay.
    pub(crate) fn clear(&self) {
        self.drop_run();
        self.outcome.set(None);
        self.replaced.set(None);
        self.step("Clearing", Inputs::clear);
        self.tell("Cleared.".to_owned());
    }

    /// Changes the inputs in a way that can be undone as one.
    pub(crate) fn step(&self, what: What, change: impl FnOnce(&mut Inputs)) {
        let before = untrack(|| self.inputs());
        let mut after = before.clone();
        change(&mut after);
        self.took(what, before, after);
    }

    fn took(&self, what: What, before: Inputs, after: Inputs) {
        self.timeline
            .update(|timeline| timeline.step(what, before, after.clone()));
        self.notice.set(String::new());
        self.replace(after);
    }

    pub(crate) fn undo(self) {
        self.later.act(self, move |later| (later.undo)(self));
    }

    pub(crate) fn redo(self) {
        self.later.act(self, move |later| (later.redo)(self));
    }

    fn travel(&self, go: fn(&mut Timeline, Inputs) -> Option<(What, Inputs)>, how: &str) {
        let now = untrack(|| self.inputs());
        let step = self.timeline.try_update(|timeline| go(timeline, now));
        match step.flatten() {
            Some((what, inputs)) => {
                self.replaced.set(None);
                self.replace(inputs);
                self.tell(format!("{what} {how}."));
            }
            None => self.tell(format!("There is nothing to be {how}.")),
        }
    }

    /// Puts these inputs in place of those that are there, as undoing does. A key that was typed for one
    /// server goes to no other.
    fn replace(&self, inputs: Inputs) {
        let is_same_server = untrack(|| {
            self.base_url.with(|url| *url == inputs.base_url)
                && self.dialect.get() == inputs.dialect
        });
        if !is_same_server {
            self.api_key.set(String::new());
        }
        self.settled.set(inputs.clone());
        self.fill(inputs);
    }

    pub(crate) fn add_span(&self) -> Option<Row> {
        self.add_spans("Adding a span", vec![SpanText::default()]);
        self.spans.with_untracked(|rows| rows.last().copied())
    }

    /// Puts spans after those that are there; a single one that is empty makes room for them.
    pub(crate) fn add_spans(&self, what: What, spans: Vec<SpanText>) {
        self.step(what, |inputs| {
            inputs.fix_ids();
            let evidence = &mut inputs.evidence;
            if spans.iter().any(|span| !span.text.is_empty()) {
                evidence.retain(|span| *span != SpanText::default());
            }
            evidence.extend(spans);
            settle_ids(evidence);
        });
    }

    /// Takes a span away; the one that is now in its place, else the last.
    pub(crate) fn remove_span(&self, at: usize) -> Option<Row> {
        self.step("Removing a span", |inputs| {
            inputs.fix_ids();
            inputs.evidence.remove(at);
        });
        self.spans
            .with_untracked(|rows| rows.get(at).or(rows.last()).copied())
    }

    /// Moves a span to another place; what stands there.
    pub(crate) fn move_span(&self, at: usize, to: usize) -> Option<Row> {
        self.step("Moving a span", |inputs| {
            inputs.fix_ids();
            let span = inputs.evidence.remove(at);
            inputs.evidence.insert(to, span);
        });
        self.spans.with_untracked(|rows| rows.get(to).copied())
    }

    pub(crate) fn position(&self, key: usize) -> Option<usize> {
        self.spans
            .with(|rows| rows.iter().position(|row| row.key == key))
    }

    /// Whether an input is at fault.
    pub(crate) fn is_wrong(&self, place: Place) -> bool {
        self.faults
            .with(|faults| faults.iter().any(|fault| fault.place == place))
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

    /// Whether the browser's own model may be used is looked at once it is chosen: browsers note in their console
    /// what they find missing.
    fn look_for_own_model_when_chosen(self) {
        let is_chosen = Memo::new(move |_| self.judge.get() == JudgeKind::Browser);
        Effect::new(move |_| {
            if is_chosen.get() {
                self.later
                    .act(self, move |later| (later.look_for_own_model)(self));
            }
        });
    }

    /// Starts a run, and cancels the one that is on.
    pub(crate) fn start(&self) {
        let state = *self;
        self.notice.set(String::new());
        if let Some(later) = self.later.now() {
            return (later.start)(state);
        }
        self.progress.set(Some(Progress { done: 0, total: 0 }));
        self.later.act(state, move |later| {
            // Unless it was cancelled meanwhile.
            if state.progress.with_untracked(Option::is_some) {
                (later.start)(state);
            }
        });
    }

    /// Ends the run that is on; what is judged by then is shown.
    pub(crate) fn cancel(&self) {
        if self.progress.with_untracked(Option::is_some) {
            match self.later.now() {
                Some(later) => (later.cancel)(*self),
                None => self.progress.set(None),
            }
        }
    }

    /// Ends the run that is on, and shows nothing of it.
    fn drop_run(&self) {
        self.cancel();
        self.runs.update_value(|runs| *runs += 1);
        self.asked.set_value(None);
        self.progress.set(None);
    }

    /// Keeps the inputs whenever they have settled, and has them scrubbed. While a scrub is being
    /// made, only the last inputs wait for theirs.
    fn keep_and_scrub(self) {
        let (busy, waiting) = (
            Rc::new(Cell::new(false)),
            Rc::new(Cell::new(None::<String>)),
        );
        let say_next = {
            let (busy, waiting) = (Rc::clone(&busy), Rc::clone(&waiting));
            move || {
                if busy.get() {
                    return;
                }
                if let (Some(inputs), Some(helper)) = (waiting.take(), self.scrubs.get_value()) {
                    busy.set(true);
                    helper.say(&inputs);
                }
            }
        };
        let go_on = say_next.clone();
        let hear = move |told: &str| {
            let shown = match scrubbing::read(told)? {
                Ok(told) => {
                    let window = Arc::new(told.window);
                    // Most of what is typed into a long text changes nothing that is drawn.
                    if self.window.with_untracked(|former| *former != window) {
                        self.window.set(window);
                    }
                    told.outline.map(|outline| Ok(Arc::new(outline)))
                }
                Err(fault) => Some(Err(fault)),
            };
            if shown.is_none() {
                return Some(());
            }
            busy.set(false);
            if self.shown.with_untracked(|former| *former != shown) {
                self.shown.set(shown);
            }
            go_on();
            Some(())
        };
        let scrubs = Helper::new("claimgauge-web", hear);
        self.scrubs.set_value(Some(Rc::new(scrubs)));
        Effect::new(move |_| {
            let kept = self.settled.with(Inputs::without_secrets).written();
            self.kept.set(keep::store_text(keep::CLAIMS, &kept));
            waiting.set(Some(self.settled.with(Inputs::written)));
            say_next();
        });
    }

    /// Has other pieces of the scrub shown: from one number up to the other.
    pub(crate) fn look_at(&self, from: usize, to: usize) {
        if let Some(scrubs) = self.scrubs.get_value() {
            scrubs.say(&format!("[{from},{to}]"));
        }
    }

    /// Rows stay with their place, so that the focus stays where it is.
    fn fill(&self, inputs: Inputs) {
        let rows = self.spans.get_untracked();
        let thresholds = inputs.sound_thresholds();
        let spans = inputs.evidence.into_iter().enumerate();
        let filled = spans.map(|(at, span)| match rows.get(at) {
            Some(row) => row.fill(span),
            None => self.row(span),
        });
        self.spans.set(filled.collect());
        self.claims.set(inputs.claims);
        self.profile.set(inputs.profile);
        self.thresholds.set(thresholds);
        self.glossary.set(inputs.glossary);
        self.judge.set(inputs.judge);
        self.former_judge.set(JudgeKind::default());
        self.recording.set(inputs.recording);
        self.example.set(inputs.example);
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

    fn settle(&self) {
        let inputs = untrack(|| self.inputs());
        if self.settled.with_untracked(|settled| *settled != inputs) {
            // What was done before is not told beside what is typed since.
            self.notice.set(String::new());
            self.settled.set(inputs);
        }
    }

    fn settle_when_typing_pauses(self) {
        let pause = StoredValue::new(None::<TimeoutHandle>);
        Effect::watch(
            move || self.track_inputs(),
            move |(), _, _| {
                if let Some(running) = pause.try_update_value(Option::take).flatten() {
                    running.clear();
                }
                let timer =
                    set_timeout_with_handle(move || self.settle(), Duration::from_millis(PAUSE_MS));
                pause.set_value(timer.ok());
            },
            false,
        );
    }

    /// Runs what surrounds it again when an input changes. The inputs themselves are not copied: that would
    /// be at each key.
    fn track_inputs(&self) {
        for row in self.spans.get() {
            row.id.track();
            row.source.track();
            row.text.track();
        }
        for text in [
            self.claims,
            self.profile,
            self.recording,
            self.example,
            self.base_url,
            self.model,
        ] {
            text.track();
        }
        self.thresholds.track();
        self.glossary.track();
        self.judge.track();
        self.dialect.track();
    }
}

/// One step back.
pub(crate) fn undo(state: State) {
    state.travel(Timeline::undo, "undone");
}

/// One step ahead.
pub(crate) fn redo(state: State) {
    state.travel(Timeline::redo, "done again");
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
            {part(move || {
                fault().map(|text| view! { <Icon outline=icon::WARNING/><p>{text}</p> }.into_any())
            })}
        </div>
    }
}
