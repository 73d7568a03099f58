//! Runs, apart from the page: carries the core's questions to the judge and the answers back.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use claimgauge_core::{
    builtin,
    decide::Policy,
    judgement::Basis,
    profile::Thresholds,
    report::{Finding, PassReport, Report},
    scrub::Utf16Offset,
    verification::{Answer, Failure, Pass, PassRequest, Progress, Step, Stop, Verification},
};
use serde::{Deserialize, Serialize};
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use crate::{
    browser,
    endpoint::{self, Said},
    helper::tell,
    history::{self, Entry, Line},
    inputs::{Fault, Inputs, Judge},
    model_file,
    own_model::{Asking, Outcome, Page},
    planning::Plan,
    report,
    sight::{self, Sight},
    talk,
};

/// What the page asks for.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Asked {
    /// What became of a question to a model that the page has.
    Answered {
        run: u32,
        question: u32,
        outcome: Outcome,
    },
    /// End the run that is on, and show what is judged by then.
    Cancel,
    /// Decide a report again by other thresholds.
    Decide {
        run: u32,
        json: String,
        thresholds: Thresholds,
    },
    /// Tell what a run would ask about the claim at that place.
    Plan { inputs: Inputs, claim: usize },
    /// End the run that is on, and start this one.
    Start {
        run: u32,
        inputs: Inputs,
        api_key: String,
        /// Whether the run is kept when it has come to its end.
        keeps: bool,
    },
}

/// What the page is told. Each carries the number of its run: the page may be at another by then.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Told {
    /// A question to a model that the page has and its workers do not.
    Ask {
        run: u32,
        question: u32,
        asking: Asking,
    },
    Blamed {
        run: u32,
        fault: Fault,
    },
    /// A report by other thresholds.
    Decided {
        run: u32,
        thresholds: Thresholds,
        markdown: String,
        json: String,
    },
    Done {
        run: u32,
        faults: Vec<Fault>,
        markdown: String,
        json: String,
        sights: Vec<Sight>,
    },
    Planned(Result<Plan, Fault>),
    Progress {
        run: u32,
        done: usize,
        total: usize,
    },
    /// It could not start.
    Refused {
        run: u32,
        fault: Fault,
    },
}

thread_local! {
    static RUN: RefCell<Option<Rc<Run>>> = const { RefCell::new(None) };
}

/// Does what the page asks for.
pub(crate) fn receive(asked: Asked) {
    match asked {
        Asked::Answered {
            run,
            question,
            outcome,
        } => {
            let current = RUN.with_borrow(|current| current.clone());
            if let Some(current) = current.filter(|current| current.number == run) {
                current.page.answered(question, outcome);
            }
        }
        Asked::Cancel => {
            if let Some(former) = end_run() {
                former.cancelled();
            }
        }
        Asked::Decide {
            run,
            json,
            thresholds,
        } => decide_again(run, &json, thresholds),
        Asked::Plan { inputs, claim } => tell(&Told::Planned(Plan::of(&inputs, claim))),
        Asked::Start {
            run,
            inputs,
            api_key,
            keeps,
        } => {
            end_run();
            match inputs.prepare(&api_key) {
                Ok((verification, judge)) => {
                    let run = Run::new(run, verification, judge, inputs, keeps);
                    RUN.set(Some(Rc::clone(&run)));
                    run.start();
                }
                Err(fault) => {
                    if let Some(fault) = inputs.fault_beside(&fault) {
                        tell(&Told::Blamed { run, fault });
                    }
                    tell(&Told::Refused { run, fault });
                }
            }
        }
    }
}

/// Ends the run that is on, and gives it.
fn end_run() -> Option<Rc<Run>> {
    let former = RUN.take();
    if let Some(former) = &former {
        former.abort();
    }
    former
}

/// The report as the page has it, by other thresholds.
fn decide_again(run: u32, json: &str, thresholds: Thresholds) {
    let report: Result<Report<Utf16Offset>, _> = serde_json::from_str(json);
    if let Ok(mut report) = report {
        report.decide_again(&thresholds, Policy::default(), false);
        tell(&Told::Decided {
            run,
            thresholds,
            markdown: report.to_markdown(),
            json: serde_json::to_string_pretty(&report).unwrap_or_default(),
        });
    }
}

/// How many questions are open at a time.
const CONCURRENCY: usize = 4;

/// How long the built-in judge may work before it listens, in milliseconds.
const TURN_MS: f64 = 12.0;

/// One verification on its way.
struct Run {
    number: u32,
    verification: RefCell<Verification>,
    judge: Judge,
    /// The spans that each claim rests on.
    cites: Vec<Option<Vec<String>>>,
    /// Kept with the run when it has come to its end.
    inputs: Inputs,
    keeps: bool,
    open: Cell<usize>,
    /// Parameters that the judge refused.
    without: RefCell<Vec<String>>,
    page: Page,
    abort: AbortController,
    turn: Cell<f64>,
}

impl Run {
    fn new(
        number: u32,
        verification: Verification,
        judge: Judge,
        inputs: Inputs,
        keeps: bool,
    ) -> Rc<Self> {
        Rc::new(Self {
            number,
            verification: RefCell::new(verification),
            judge,
            cites: inputs.cites(),
            inputs,
            keeps,
            open: Cell::new(0),
            without: RefCell::default(),
            page: Page::new(number),
            abort: AbortController::new().expect("every browser with wasm has it"),
            turn: Cell::new(browser::now()),
        })
    }

    /// Asks the first questions.
    fn start(self: &Rc<Self>) {
        self.show_progress();
        self.ask_next();
    }

    /// Ends what is on its way. Answers that come nevertheless are dropped.
    fn abort(&self) {
        self.abort.abort();
    }

    /// Shows what was judged before the user had enough.
    fn cancelled(&self) {
        self.verification.borrow_mut().stop(Stop::Cancelled);
        let report = self.verification.borrow().report();
        self.finish(report, false);
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
                    return self.finish(*report, true);
                }
            }
        }
    }

    async fn judge(self: Rc<Self>, request: PassRequest) {
        if request.pass == Pass::Full && request.attempt == 1 {
            self.yield_turn().await;
            self.ground(&request);
        }
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
            Judge::Browser => self.page.ask(&self.without, &request).await,
            Judge::File => model_file::ask(&self.page, &self.without, &request).await,
        };
        if self.abort.signal().aborted() {
            return;
        }
        self.open.set(self.open.get() - 1);
        self.hand_in(&request.id, said);
        self.show_progress();
        self.ask_next();
    }

    /// Gives the second opinion; a run that was stopped meanwhile needs none.
    fn ground(&self, request: &PassRequest) {
        let mut verification = self.verification.borrow_mut();
        let claims = request.claims.iter();
        let atoms = claims.map(|claim| builtin::atoms(&request.spans, &claim.text));
        let _ = verification.handle_atoms(&request.id, atoms.collect());
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
            tell(&Told::Blamed {
                run: self.number,
                fault: Fault::from(&error),
            });
        }
    }

    fn finish(&self, report: Report, is_whole: bool) {
        let faults = faults(&report);
        let entry = (is_whole && self.keeps).then(|| self.entry(&report));
        let markdown = report.to_markdown();
        let sights = sight::of(&report, &self.cites);
        let json = serde_json::to_string_pretty(&report.into_utf16()).unwrap_or_default();
        if let Some(entry) = entry {
            let run = history::Run {
                inputs: self.inputs.without_secrets(),
                outcome: talk::Outcome {
                    json: json.clone(),
                    markdown: markdown.clone(),
                    sights: sights.clone(),
                },
            };
            spawn_local(async move {
                // A browser that keeps nothing says so where runs are listed.
                let _ = history::add(&entry, &run).await;
            });
        }
        tell(&Told::Done {
            run: self.number,
            faults,
            markdown,
            json,
            sights,
        });
    }

    fn entry(&self, report: &Report) -> Entry {
        let line = |finding: &Finding| Line::new(&finding.text, finding.status, finding.delta);
        let judge = match &self.judge {
            Judge::Builtin => "built-in",
            Judge::Recorded(_) => "recorded",
            Judge::Endpoint(endpoint) => &endpoint.model,
            Judge::Browser => "the browser's own",
            Judge::File => "a model file",
        };
        let entry = Entry {
            time: browser::date(),
            profile: self.inputs.profile.clone(),
            judge: judge.to_owned(),
            recommendation: report::heading(report.recommendation, &report.claims),
            claims: Vec::new(),
            total: 0,
        };
        entry.with_claims(report.claims.iter().map(line))
    }

    fn show_progress(&self) {
        let Progress { done, total } = self.verification.borrow().progress();
        let run = self.number;
        tell(&Told::Progress { run, done, total });
    }

    /// Judges that answer at once would otherwise keep a cancel from being heard.
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
    let unread = passes.clone().filter(|failure| is_unreadable(failure));
    let unread = unread.count();
    let mut faults: Vec<Fault> = Vec::new();
    for failure in passes {
        let fault = fault(failure, unread);
        if faults.iter().all(|known| known.place != fault.place) {
            faults.push(fault);
        }
    }
    faults
}

/// Beside the judge's settings, what is wrong with a pass; `unread` passes have no reply that could be read.
fn fault(failure: &Failure, unread: usize) -> Fault {
    let fault = Fault::from(failure);
    match unread {
        _ if !is_unreadable(failure) => fault,
        1 => fault.with_hint(
            "That is one pass; its replies stand at the claim, under \"Replies as they came\".",
        ),
        _ => fault.with_hint(&format!(
            "The same is true of {unread} passes in all; their replies stand at each claim, under \"Replies as they came\"."
        )),
    }
}

fn is_unreadable(failure: &Failure) -> bool {
    failure.code == "judge_unreadable"
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
            assert_eq!(fault(&failure, 1).place, place, "{}", failure.code);
        }
    }

    #[test]
    fn passes_without_a_verdict_are_counted() {
        let failure = Failure::new("judge_unreadable", "No verdict could be read in 3 replies");
        let said = |unread| fault(&failure, unread).to_string();
        assert!(said(1).contains("3 replies. That is one pass; its replies"));
        assert!(said(2).contains("3 replies. The same is true of 2 passes in all; their replies"));
    }
}
