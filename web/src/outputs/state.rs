//! What the panel holds: the inputs as signals, the folder, the check that runs, and what it came to.

use std::{cell::Cell, ops::Range, rc::Rc, sync::Arc};

use claimgauge_core::{
    metrics::Metrics,
    output::{CheckResult, Run},
};
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;

use super::{
    example::{EXAMPLES, Example},
    folder::Folder,
    inputs::{Fault, Field, Inputs},
    locate,
    run::{self, Checked, Reached},
};
use crate::{browser, keep};

/// Signals only, so it is copied into every component.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) output: RwSignal<String>,
    pub(crate) trace: RwSignal<String>,
    pub(crate) schemas: RwSignal<String>,
    pub(crate) tool_kinds: RwSignal<String>,
    pub(crate) base_path: RwSignal<String>,
    pub(crate) strict: RwSignal<bool>,
    pub(crate) example: RwSignal<Option<String>>,
    pub(crate) folder: RwSignal<Option<Folder>, LocalStorage>,
    /// Changes with each folder that is picked: an older result is not about it.
    picks: RwSignal<usize>,

    /// Whether the browser could keep the inputs.
    pub(crate) kept: RwSignal<bool>,
    /// What stood there before an example was loaded.
    pub(crate) replaced: RwSignal<Option<Inputs>>,

    pub(crate) fault: RwSignal<Option<Fault>>,
    /// Present while a check is on.
    pub(crate) reached: RwSignal<Option<Reached>>,
    pub(crate) outcome: RwSignal<Option<Arc<Outcome>>>,
    pub(crate) outdated: Memo<bool>,
    /// Of the checks that were asked for since the page was opened.
    pub(crate) metrics: RwSignal<Metrics>,
    /// Says to the check that is on that nobody waits any more.
    over: StoredValue<Rc<Cell<bool>>, LocalStorage>,
}

/// Whether a check is one of the session's: those that the panel makes by itself, to show an example, are not.
#[derive(Clone, Copy, PartialEq)]
enum IsCounted {
    No,
    Yes,
}

/// A result and what it was made with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) result: CheckResult,
    pub(crate) inputs: Inputs,
    pub(crate) has_folder: bool,
    pick: usize,
}

impl State {
    /// What was kept from the last visit, else the first example, checked.
    pub(crate) fn new() -> Self {
        let kept = keep::load::<Inputs>(keep::OUTPUTS);
        let is_first = kept.is_none();
        let state = Self::blank();
        state.fill(kept.unwrap_or_else(|| EXAMPLES[0].inputs()));
        Effect::new(move |_| {
            state.kept.set(keep::store(keep::OUTPUTS, &state.inputs()));
        });
        if is_first {
            state.check(IsCounted::No);
        }
        state
    }

    fn blank() -> Self {
        let [output, trace, schemas, tool_kinds, base_path] =
            std::array::from_fn(|_| RwSignal::default());
        let (strict, example) = (RwSignal::new(false), RwSignal::new(None));
        let picks = RwSignal::new(0);
        let outcome = RwSignal::new(None::<Arc<Outcome>>);
        let mut state = Self {
            output,
            trace,
            schemas,
            tool_kinds,
            base_path,
            strict,
            example,
            folder: RwSignal::new_local(None),
            picks,
            kept: RwSignal::new(true),
            replaced: RwSignal::new(None),
            fault: RwSignal::new(None),
            reached: RwSignal::new(None),
            outcome,
            outdated: Memo::new(|_| false),
            metrics: RwSignal::default(),
            over: StoredValue::new_local(Rc::default()),
        };
        let as_then = state;
        state.outdated = Memo::new(move |_| {
            let outcome = outcome.get();
            outcome.is_some_and(|then| then.pick != picks.get() || !as_then.holds(&then.inputs))
        });
        state
    }

    /// Whether the inputs are these; compared in place, as they may be large.
    fn holds(&self, inputs: &Inputs) -> bool {
        self.output.with(|text| *text == inputs.output)
            && self.trace.with(|text| *text == inputs.trace)
            && self.schemas.with(|text| *text == inputs.schemas)
            && self.tool_kinds.with(|text| *text == inputs.tool_kinds)
            && self.base_path.with(|text| *text == inputs.base_path)
            && self.strict.get() == inputs.strict
    }

    /// The example that stands there as it was given: of other inputs its words say nothing. Strict is for the reader
    /// to try.
    pub(crate) fn example_shown(&self) -> Option<&'static Example> {
        let example = Example::named(self.example.get().as_deref()?)?;
        let given = Inputs {
            strict: self.strict.get(),
            ..example.inputs()
        };
        self.holds(&given).then_some(example)
    }

    /// The inputs as they stand.
    fn inputs(&self) -> Inputs {
        Inputs {
            output: self.output.get(),
            trace: self.trace.get(),
            schemas: self.schemas.get(),
            tool_kinds: self.tool_kinds.get(),
            base_path: self.base_path.get(),
            strict: self.strict.get(),
            example: self.example.get(),
        }
    }

    /// The example that they are of: as long as the output is its own.
    fn example_of(inputs: &Inputs) -> Option<&'static Example> {
        let example = Example::named(inputs.example.as_deref()?)?;
        (example.output == inputs.output).then_some(example)
    }

    /// Another output was not made in an example's folder, nor with its tools: they go with its text, and come back with
    /// it. What the user put in their place stays.
    pub(crate) fn part_from_example(&self) {
        let inputs = untrack(|| self.inputs());
        let folder = self.folder.get_untracked();
        if let Some(example) = Self::example_of(&inputs) {
            if folder.is_none() {
                self.use_folder(Some(example.folder()));
            }
            if inputs.trace.is_empty() && inputs.schemas.is_empty() {
                self.trace.set(example.trace.to_owned());
                self.schemas.set(example.schemas.to_owned());
            }
            return;
        }
        let is_given = |part: fn(&Example) -> &'static str, text: &str| {
            EXAMPLES.iter().any(|one| part(one) == text)
        };
        if is_given(|one| one.output, &inputs.output) {
            return;
        }
        if folder.is_some_and(|folder| folder.is_built()) {
            self.use_folder(None);
        }
        if is_given(|one| one.trace, &inputs.trace) {
            self.trace.set(String::new());
        }
        if is_given(|one| one.schemas, &inputs.schemas) {
            self.schemas.set(String::new());
        }
    }

    fn fill(&self, inputs: Inputs) {
        self.use_folder(Self::example_of(&inputs).map(Example::folder));
        self.output.set(inputs.output);
        self.trace.set(inputs.trace);
        self.schemas.set(inputs.schemas);
        self.tool_kinds.set(inputs.tool_kinds);
        self.base_path.set(inputs.base_path);
        self.strict.set(inputs.strict);
        self.example.set(inputs.example);
        self.fault.set(None);
    }

    /// Shows an example and checks it.
    pub(crate) fn load(&self, example: &Example) {
        let before = untrack(|| self.inputs());
        self.replaced.update(|replaced| {
            // From one example to the next, the user's own text stays to be brought back.
            if Self::example_of(&before).is_none() && !before.output.is_empty() {
                *replaced = Some(before);
            }
        });
        self.fill(example.inputs());
        self.check(IsCounted::No);
    }

    /// Brings back what stood there before an example was loaded.
    pub(crate) fn bring_back(&self) {
        if let Some(before) = self.replaced.try_update(Option::take).flatten() {
            self.cancel();
            self.outcome.set(None);
            self.fill(before);
        }
    }

    /// Takes a folder that the user picked.
    pub(crate) fn pick(&self, folder: Folder) {
        self.example.set(None);
        self.mend(Field::Folder);
        self.use_folder(Some(folder));
    }

    /// Takes the folder away: claims about files stay open.
    pub(crate) fn remove_folder(&self) {
        self.example.set(None);
        self.use_folder(None);
    }

    fn use_folder(&self, folder: Option<Folder>) {
        self.folder.set(folder);
        self.picks.update(|picks| *picks += 1);
    }

    /// An input was changed: what was wrong with it may be so no longer.
    pub(crate) fn mend(&self, field: Field) {
        let is_mended = |fault: &Option<Fault>| fault.as_ref().is_some_and(|f| f.field == field);
        if self.fault.with_untracked(is_mended) {
            self.fault.set(None);
        }
    }

    pub(crate) fn blame(&self, field: Field, message: String) {
        self.fault.set(Some(Fault::new(field, message)));
    }

    pub(crate) fn refuse_drop(&self) {
        self.blame(
            Field::Folder,
            "What was dropped is no folder. Drop the folder that the agent worked in.".to_owned(),
        );
    }

    /// Starts a check, and cancels the one that is on.
    pub(crate) fn start(&self) {
        self.check(IsCounted::Yes);
    }

    fn check(&self, is_counted: IsCounted) {
        self.cancel();
        self.fault.set(None);
        let over = Rc::new(Cell::new(false));
        self.over.set_value(Rc::clone(&over));
        let (state, inputs) = (*self, untrack(|| self.inputs()));
        let folder = self.folder.get_untracked();
        let pick = self.picks.get_untracked();
        self.reached.set(Some(Reached::default()));
        spawn_local(async move {
            let on_progress = |reached| {
                if !over.get() {
                    state.reached.set(Some(reached));
                }
                !over.get()
            };
            let checked = run::check(&inputs, folder.as_ref(), &on_progress).await;
            if over.get() {
                return;
            }
            state.reached.set(None);
            match checked {
                Ok(Some(checked)) => {
                    if is_counted == IsCounted::Yes {
                        state.count(&checked);
                    }
                    state.finish(checked.result, inputs, folder.is_some(), pick);
                }
                Ok(None) => {}
                Err(fault) => {
                    state.outcome.set(None);
                    state.fault.set(Some(fault));
                }
            }
        });
    }

    /// Ends the check that is on. Half a check says nothing, so nothing is shown.
    pub(crate) fn cancel(&self) {
        self.over.with_value(|over| over.set(true));
        self.reached.set(None);
    }

    fn count(&self, checked: &Checked) {
        let Checked {
            result,
            durations_ms,
        } = checked;
        let run = Run {
            specialist_id: "playground".to_owned(),
            subtask_id: None,
            timestamp: browser::date(),
            durations_ms: *durations_ms,
        };
        self.metrics.update(|metrics| {
            for event in result.events(&run) {
                // Refused only where the browser's clock went backwards: then it says nothing.
                let _ = metrics.record(event);
            }
        });
    }

    fn finish(&self, result: CheckResult, inputs: Inputs, has_folder: bool, pick: usize) {
        self.outcome.set(Some(Arc::new(Outcome {
            result,
            inputs,
            has_folder,
            pick,
        })));
    }
}

/// Selects a stretch of what stands in a field, and moves there.
pub(crate) fn select(field: Field, range: &Range<usize>) {
    let Some(area) = browser::element(field.id())
        .and_then(|element| element.dyn_into::<HtmlTextAreaElement>().ok())
    else {
        return;
    };
    // It may lie in a fold.
    if let Some(fold) = area.closest("details").ok().flatten() {
        let _ = fold.set_attribute("open", "");
    }
    let text = area.value();
    let Some(before) = text.get(..range.start).filter(|_| range.end <= text.len()) else {
        return;
    };
    let units = locate::utf16(&text, range);
    // Neither fails for a field that takes text.
    let _ = area.focus();
    let _ = area.set_selection_range(units.start, units.end);
    let lines = |text: &str| text.matches('\n').count() as f64;
    let share = lines(before) / (lines(&text) + 1.0);
    let top = share * f64::from(area.scroll_height()) - f64::from(area.client_height()) / 2.0;
    area.set_scroll_top(top.max(0.0) as i32);
}
