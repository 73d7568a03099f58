//! A run: carries the core's questions to the judge and the answers back, and the buttons for it.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use claimgauge_core::{
    builtin,
    judgement::Basis,
    report::{PassReport, Report},
    verification::{Answer, Failure, PassRequest, Progress, Step, Stop, Verification},
};
use leptos::{prelude::*, task::spawn_local};
use web_sys::AbortController;

use crate::{
    browser,
    endpoint::{self, Said},
    finding::name,
    icon::{self, Icon},
    inputs::{Fault, Inputs, Judge},
    state::State,
};

/// How many questions are open at a time.
const CONCURRENCY: usize = 4;

/// How long the built-in judge may work before the page gets its turn, in milliseconds.
const TURN_MS: f64 = 12.0;

/// One verification on its way.
pub(crate) struct Run {
    state: State,
    verification: RefCell<Verification>,
    judge: Judge,
    inputs: Inputs,
    api_key: String,
    open: Cell<usize>,
    /// Parameters that the endpoint refused.
    without: RefCell<Vec<String>>,
    abort: AbortController,
    turn: Cell<f64>,
}

impl Run {
    pub(crate) fn new(
        state: State,
        verification: Verification,
        judge: Judge,
        inputs: Inputs,
        api_key: String,
    ) -> Rc<Self> {
        Rc::new(Self {
            state,
            verification: RefCell::new(verification),
            judge,
            inputs,
            api_key,
            open: Cell::new(0),
            without: RefCell::default(),
            abort: AbortController::new().expect("every browser with wasm has it"),
            turn: Cell::new(browser::now()),
        })
    }

    /// Asks the first questions.
    pub(crate) fn start(self: &Rc<Self>) {
        self.show_progress();
        self.ask_next();
    }

    /// Ends what is on its way. Answers that come nevertheless are dropped.
    pub(crate) fn abort(&self) {
        self.abort.abort();
    }

    /// Shows what was judged before the user had enough.
    pub(crate) fn cancelled(&self) {
        self.verification.borrow_mut().stop(Stop::Cancelled);
        let report = self.verification.borrow().report();
        self.finish(report);
    }

    fn ask_next(self: &Rc<Self>) {
        loop {
            let free = CONCURRENCY - self.open.get();
            let step = self.verification.borrow_mut().poll(free);
            match step {
                Step::Ask(requests) => {
                    for request in requests {
                        self.open.set(self.open.get() + 1);
                        let run = Rc::clone(self);
                        spawn_local(async move { run.judge(request).await });
                    }
                }
                Step::Wait => return,
                Step::Done(report) => {
                    // The machine may end a run while questions are still open.
                    self.abort.abort();
                    return self.finish(*report);
                }
            }
        }
    }

    async fn judge(self: Rc<Self>, request: PassRequest) {
        let said = match &self.judge {
            Judge::Builtin => {
                self.yield_turn().await;
                Said::Answer(Answer {
                    basis: Some(Basis::Builtin),
                    ..Answer::text(builtin::reply(&request.spans, &request.claim_text))
                })
            }
            Judge::Recorded(recording) => {
                self.yield_turn().await;
                match recording.answer(&request) {
                    Ok(answer) => Said::Answer(answer),
                    Err(failure) => Said::Failure {
                        failure,
                        stop: false,
                    },
                }
            }
            Judge::Endpoint(endpoint) => {
                endpoint::ask(endpoint, &self.without, &request, &self.abort.signal()).await
            }
        };
        if self.abort.signal().aborted() {
            return;
        }
        self.open.set(self.open.get() - 1);
        self.hand_in(&request.id, said);
        self.show_progress();
        self.ask_next();
    }

    fn hand_in(&self, id: &str, said: Said) {
        let mut verification = self.verification.borrow_mut();
        let taken = match said {
            Said::Answer(answer) => verification.handle(id, answer),
            Said::Failure { failure, stop } => {
                let taken = verification.fail(id, failure);
                if stop {
                    verification.stop(Stop::Stopped);
                    self.abort.abort();
                }
                taken
            }
            Said::Nothing => Ok(()),
        };
        if let Err(error) = taken {
            self.state.blame(Fault::from(&error));
        }
    }

    fn finish(&self, report: Report) {
        for fault in faults(&report) {
            self.state.blame(fault);
        }
        let (inputs, api_key) = (self.inputs.clone(), self.api_key.clone());
        self.state.finish(report, inputs, api_key);
    }

    fn show_progress(&self) {
        let progress = self.verification.borrow().progress();
        self.state.progress.set(Some(progress));
    }

    /// Judges that answer at once would otherwise keep the page from drawing, and from cancelling.
    async fn yield_turn(&self) {
        if browser::now() - self.turn.get() > TURN_MS {
            browser::sleep(0).await;
            self.turn.set(browser::now());
        }
    }
}

/// What went wrong with the judge, each once.
fn faults(report: &Report) -> Vec<Fault> {
    let passes = report.claims.iter().flat_map(|finding| {
        let both = finding.full.iter().chain(&finding.scrubbed);
        both.filter_map(|pass: &PassReport| pass.error.as_ref())
    });
    let mut faults: Vec<Fault> = Vec::new();
    for failure in passes {
        let fault = fault(failure);
        if faults.iter().all(|known| known.place != fault.place) {
            faults.push(fault);
        }
    }
    faults
}

fn fault(failure: &Failure) -> Fault {
    let fault = Fault::from(failure);
    if failure.code == "judge_unreadable" {
        return fault.with_hint("Its replies stand with the claim, under Replies as they came.");
    }
    fault
}

/// The buttons, and how far the run is.
#[component]
pub(crate) fn RunBar(state: State) -> impl IntoView {
    let running = Memo::new(move |_| state.progress.with(Option::is_some));
    let progress = move || {
        state
            .progress
            .get()
            .unwrap_or(Progress { done: 0, total: 0 })
    };
    let words = move || {
        let Progress { done, total } = progress();
        format!("{done} of {total} passes judged")
    };
    view! {
        <section class="run-bar" aria-label="Run">
            <div class="run-buttons">
                <button type="button" id="run" class="primary" on:click=move |_| state.start()>
                    <Icon outline=icon::RUN/>
                    {move || if running.get() { "Run again" } else { "Run both passes" }}
                </button>
                <button
                    type="button"
                    id="cancel"
                    class="quiet"
                    disabled=move || !running.get()
                    on:click=move |_| state.cancel()
                >
                    <Icon outline=icon::CANCEL/>
                    "Cancel"
                </button>
                <p class="aside keys">
                    <kbd>"Ctrl"</kbd>" "<kbd>"Enter"</kbd>" runs, "<kbd>"Esc"</kbd>" cancels"
                </p>
            </div>
            <Show when=move || running.get()>
                <div class="progress">
                    <progress
                        aria-label="Passes judged"
                        max=move || progress().total.max(1).to_string()
                        prop:value=move || progress().done as f64
                    ></progress>
                    <span>{words}</span>
                </div>
            </Show>
            // Where the bar stays at the screen's edge, results are elsewhere.
            {move || {
                let outcome = state.outcome.get().filter(|_| state.outdated.get().is_none());
                outcome.map(|outcome| view! {
                    <p class="jump">
                        <a href="#results-title">
                            {format!("See the result: {}", name(&outcome.report.recommendation).replace('_', " "))}
                        </a>
                    </p>
                })
            }}
            {move || {
                let first = state.faults.with(|faults| faults.first().map(|fault| fault.place));
                first.map(|place| view! {
                    <p class="pointer">
                        <Icon outline=icon::WARNING/>
                        <a href=format!("#{}", place.note_id())>{format!("See the message at {}", place.name())}</a>
                    </p>
                })
            }}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::Place;

    #[test]
    fn a_failure_stands_beside_the_setting_at_fault() {
        let rows = [
            (
                Failure::new("judge_unauthorized", "No").at("apiKey"),
                Place::ApiKey,
            ),
            (
                Failure::new("judge_not_json", "No").at("baseUrl"),
                Place::BaseUrl,
            ),
            (Failure::new("judge_unreadable", "No"), Place::Judge),
            (
                Failure::new("judge_not_recorded", "No").at("recording"),
                Place::Recording,
            ),
        ];
        for (failure, place) in rows {
            assert_eq!(fault(&failure).place, place, "{}", failure.code);
        }
    }
}
