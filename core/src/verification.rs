//! The two passes over every claim, as a machine that asks for answers and is handed them.
//!
//! Deterministic: no network, no clock. The caller supplies the judge. The one rule of use is *ask,
//! answer*: each request that [`Verification::poll`] gives is answered once, by
//! [`Verification::handle`] or [`Verification::fail`], in any order; [`Step::Done`] carries the
//! report.
//!
//! ```
//! use claimgauge_core::evidence::{ClaimInput, Request, SpanInput};
//! use claimgauge_core::verification::{Answer, Pass, Step, Verification};
//!
//! let mut verification = Verification::new(Request {
//!     evidence: vec![SpanInput::from("users.email is VARCHAR(255)")],
//!     claims: vec![ClaimInput::from("users.email has length 255")],
//!     ..Request::default()
//! })
//! .unwrap();
//!
//! let report = loop {
//!     match verification.poll(4) {
//!         Step::Ask(requests) => {
//!             for request in requests {
//!                 let says = match request.pass {
//!                     Pass::Full => r#"{"verdict":"ENTAILED","confidence":0.95}"#,
//!                     _ => r#"{"verdict":"UNSURE","confidence":0.30}"#,
//!                 };
//!                 verification.handle(&request.id, Answer::text(says)).unwrap();
//!             }
//!         }
//!         Step::Wait => unreachable!("every request was answered"),
//!         Step::Done(report) => break report,
//!     }
//! };
//! assert_eq!(report.claims[0].status.label(), "VERIFIED");
//! assert_eq!(report.claims[0].delta, Some(0.65));
//! assert_eq!(report.recommendation.label(), "PROCEED");
//! ```

use alloc::{borrow::ToOwned, boxed::Box, format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    Error, ErrorCode, VERSION,
    answer::TIMEOUT,
    conclusion,
    decide::{Decision, Flag, Outcome, Policy, Rule, Status, recommend, settled_by_full},
    error::quoted,
    evidence::{self, Claim, Passes, Request, Span},
    hearing::{Heard, MOST_REPLY, hear, hear_many, kept, told},
    injection::instruction_like,
    judgement::Judgement,
    number::round6,
    patterns,
    profile::{Profile, Trigger},
    prompt::{Asked, Form, Message, ReplySchema, messages, messages_for_many},
    report::{
        self, Atom, Cost, Finding, Indicator, Null, PassReport, Removal, Report, Skipped, Summary,
    },
    scrub::{self, LeakLevel, Mode, Scrubbed, Why},
    sort::{sort, sort_by},
    tokens,
};

pub use crate::answer::{Answer, Failure, Sample, Usage};

/// How often one pass is asked: once with the full prompt, twice with the simplified one.
const MAX_ATTEMPTS: u32 = 3;

/// Most claims that are asked about in one request.
pub const MAX_GROUP: usize = 64;

/// So many requests in a row that fail on the way to the judge, each already tried again, end a run.
const MAX_FAILURES_IN_A_ROW: u32 = 5;

/// One that hung counts as so many of them: it has cost its whole time, twice.
const FAILURES_OF_A_HANG: u32 = 2;

/// The run over one request.
#[derive(Debug)]
pub struct Verification {
    profile: Profile,
    trigger: Trigger,
    policy: Policy,
    passes: Passes,
    more_evidence: bool,
    evidence: Vec<Span>,
    scrub: Scrubbed,
    /// The evidence with its secrets hidden.
    full: Vec<Span>,
    /// Whether the judge sees spans by their positions, as their ids say what the scrub takes away.
    by_position: bool,
    runs: Vec<Run>,
    skipped: Vec<Skipped>,
    /// Passes that are to be asked, the next one last; those of one request together.
    ready: Vec<Vec<Place>>,
    /// Requests that were asked and not answered, by their id, with what was sent.
    open: Vec<(String, Vec<Place>, Vec<Message>)>,
    cost: Cost,
    stopped: Option<Stop>,
    /// Requests that failed on the way to the judge since the last one that was answered.
    failures_in_a_row: u32,
}

/// What the caller does next.
#[derive(Debug)]
pub enum Step {
    /// Ask a judge each of these.
    Ask(Vec<PassRequest>),
    /// Hand in an answer: nothing more can be asked before.
    Wait,
    /// Nothing is left to ask.
    Done(Box<Report>),
}

/// One question to a judge.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PassRequest {
    /// What the answer is handed in with.
    pub id: String,
    /// The claim's id; the first one's where there are several.
    pub claim: String,
    /// Which judging this is.
    pub pass: Pass,
    /// What the evidence was made into; absent for the full pass.
    pub mode: Option<Mode>,
    /// 1 for the full prompt, 2 and 3 for the simplified one.
    pub attempt: u32,
    /// The prompt.
    pub messages: Vec<Message>,
    /// About how many tokens it has; see [`Estimate`](crate::estimate::Estimate) for how far off.
    pub prompt_tokens: usize,
    /// What the reply must fit; absent with the simplified prompt.
    pub schema: Option<ReplySchema>,
    /// The evidence of this pass, as the prompt holds it.
    pub spans: Vec<Span>,
    /// The claim, as the prompt holds it; the first one where there are several.
    pub claim_text: String,
    /// Every claim that is asked about, in order.
    pub claims: Vec<Asked>,
}

/// The judgings of one claim.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pass {
    /// With the evidence as given.
    Full,
    /// With another null than the one that decides the status.
    Null,
    /// With the null that decides the status.
    Scrubbed,
}

/// Why a run ends before every claim is judged.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The user cancelled it.
    Cancelled,
    /// It reached the caller's cap.
    Capped,
    /// The judge cannot go on, such as a refused key.
    Stopped,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Progress {
    /// Passes that are answered or failed for good.
    pub done: usize,
    /// Passes in all, as far as is known now.
    pub total: usize,
}

impl Verification {
    /// Checks the request, scrubs its evidence and gets ready to ask.
    ///
    /// # Errors
    /// `unknown_profile`, `unknown_kind`, `invalid_threshold`, `invalid_value`, `duplicate_id`,
    /// `too_large`, each with the path of what is wrong; `patterns_not_loaded` where the request has
    /// patterns and no [`matches`](Request::matches).
    pub fn new(request: Request) -> Result<Self, Error> {
        Self::grouped(request, 1)
    }

    /// As [`Self::new`], with up to `group` claims that rest on the same spans in one request each pass.
    ///
    /// A claim that such a request did not settle is asked about by itself.
    ///
    /// # Errors
    /// As [`Self::new`], and `invalid_value` where `group` is not in 1..=[`MAX_GROUP`].
    pub fn grouped(request: Request, group: usize) -> Result<Self, Error> {
        if !(1..=MAX_GROUP).contains(&group) {
            let message = format!("A group has 1 to {MAX_GROUP} claims, received {group}");
            return Err(Error::new(ErrorCode::InvalidValue, "group", message));
        }
        let profile = request.profile()?;
        let context = request.context.unwrap_or_default();
        context.check()?;
        let nulls = nulls(request.nulls)?;
        let evidence = evidence::spans(request.evidence)?;
        let claims = evidence::claims(request.claims)?;
        let glossary = request.glossary.unwrap_or_default();
        let glossary = evidence::glossary(&glossary, &profile)?;
        let matches = patterns::checked(request.matches, &profile, &claims, &evidence)?;

        let hide_secrets = request.hide_secrets.unwrap_or(true);
        let options = scrub::Options {
            mode: Mode::Identifiers,
            hide_secrets,
            glossary: &glossary,
            matches: &matches,
            previous: None,
            replacements: true,
        };
        let scrub = scrub::scrub(&profile, &evidence, &claims, &options);
        let full = scrub.hidden(&evidence);
        let by_position = ids_tell(&profile, &evidence, &claims, options);

        let trigger = request.trigger.unwrap_or_default();
        let consulted = request.trigger.is_some();
        let mut verification = Self {
            trigger,
            policy: request.policy.unwrap_or_default(),
            passes: request.passes.unwrap_or_default(),
            more_evidence: request.more_evidence.unwrap_or(false),
            runs: Vec::with_capacity(claims.len()),
            skipped: Vec::new(),
            ready: Vec::new(),
            open: Vec::new(),
            cost: Cost::default(),
            stopped: None,
            failures_in_a_row: 0,
            profile,
            evidence,
            scrub,
            full,
            by_position,
        };
        let flags = flags_of_evidence(&claims, &verification.evidence, &verification.scrub);
        let texts: Vec<&str> = claims.iter().map(|claim| &*claim.text).collect();
        let texts = match hide_secrets {
            true => verification.scrub.hide_in_claims(&texts),
            false => texts
                .iter()
                .map(|text| ((*text).to_owned(), false))
                .collect(),
        };
        for (at, ((claim, text), flags)) in claims.into_iter().zip(texts).zip(flags).enumerate() {
            match trigger.skips(&claim, &context).filter(|_| consulted) {
                Some(reason) => verification.skipped.push(Skipped {
                    claim: claim.id,
                    reason,
                }),
                None => verification.add(claim, text, at, &nulls, flags),
            }
        }
        verification.ready = verification.bundled(group);
        Ok(verification)
    }

    /// The next questions, at most `most`, or the report.
    pub fn poll(&mut self, most: usize) -> Step {
        let mut requests = Vec::new();
        while requests.len() < most
            && let Some(places) = self.ready.pop()
        {
            let request = self.question(&places);
            let open = (request.id.clone(), places, request.messages.clone());
            self.open.push(open);
            requests.push(request);
        }
        if !requests.is_empty() {
            Step::Ask(requests)
        } else if self.ready.is_empty() && (self.open.is_empty() || self.stopped.is_some()) {
            Step::Done(Box::new(self.report()))
        } else {
            Step::Wait
        }
    }

    /// The next question of a plan: nobody will answer it, so that it need not be kept.
    pub(crate) fn next_planned(&mut self) -> Option<PassRequest> {
        let Step::Ask(mut requests) = self.poll(1) else {
            return None;
        };
        self.open.clear();
        requests.pop()
    }

    /// Hands in what the judge answered to the request `id`.
    ///
    /// # Errors
    /// `unknown_request` where no such request is open.
    pub fn handle(&mut self, id: &str, answer: Answer) -> Result<(), Error> {
        let (places, sent) = self.close(id)?;
        if !answer.cached {
            self.cost.add(&answer);
            self.failures_in_a_row = 0;
        }
        for place in &places {
            let task = self.task_mut(*place);
            task.attempts += 1;
            task.alone += u32::from(places.len() == 1);
            task.raw.extend(answer.texts().map(kept));
        }
        match places.as_slice() {
            [place] => {
                let next = self.settle(*place, hear(&answer, &sent));
                self.ask_soon(next.into_iter().collect());
            }
            _ => {
                let ids: Vec<String> = places
                    .iter()
                    .map(|(run, _)| self.runs[*run].claim.id.clone())
                    .collect();
                let heard = hear_many(&answer, &sent, &ids);
                let mut next: Vec<Place> = Vec::new();
                for (place, heard) in places.into_iter().zip(heard) {
                    match heard {
                        Heard::Judged { .. } => next.extend(self.settle(place, heard)),
                        Heard::Cut | Heard::Nothing | Heard::TooLong => {
                            self.ask_soon(Vec::from([place]))
                        }
                    }
                }
                let alike = |a: &Place, b: &Place| self.task(*a).mode == self.task(*b).mode;
                let next: Vec<Vec<Place>> = next.chunk_by(alike).map(<[Place]>::to_vec).collect();
                for places in next {
                    self.ask_soon(places);
                }
            }
        }
        Ok(())
    }

    /// Takes what was heard of one pass, and gives the pass that is to be asked for it.
    fn settle(&mut self, place: Place, heard: Heard) -> Option<Place> {
        match heard {
            Heard::Cut => {
                let failure = Failure::new("judge_failed", "prompt cut by the server")
                    .with_hint("It counted far fewer prompt tokens than were sent: allow the model a longer context.");
                self.finish(place, State::Failed(failure))
            }
            Heard::TooLong => {
                let message = format!("The reply is longer than {} MB", MOST_REPLY >> 20);
                let failure = Failure::new("judge_too_large", message)
                    .with_hint("Such a reply is not read, and only its beginning is kept.");
                self.finish(place, State::Failed(failure))
            }
            Heard::Judged {
                judgement,
                entailed,
            } => {
                self.task_mut(place).entailed = entailed;
                self.finish(place, State::Judged(judgement))
            }
            Heard::Nothing if self.task(place).alone < MAX_ATTEMPTS => Some(place),
            Heard::Nothing => {
                let failure = Failure::new(
                    "judge_unreadable",
                    format!("No verdict could be read in {MAX_ATTEMPTS} replies"),
                );
                self.finish(place, State::Failed(failure))
            }
        }
    }

    /// Hands in that the judge gave no answer to the request `id`: the pass has failed.
    ///
    /// When five requests in a row fail on the way to the judge, or three hang, whatever they ask, the
    /// run stops: the next [`poll`](Self::poll) gives the report with what is done.
    ///
    /// # Errors
    /// `unknown_request` where no such request is open.
    pub fn fail(&mut self, id: &str, failure: Failure) -> Result<(), Error> {
        let (places, _) = self.close(id)?;
        self.cost.calls += 1;
        self.failures_in_a_row = match weight(&failure) {
            0 => 0,
            weight => self.failures_in_a_row + weight,
        };
        let failure = told(failure);
        for place in &places {
            self.task_mut(*place).attempts += 1;
            let next = match places.len() {
                1 => self.finish(*place, State::Failed(failure.clone())),
                // What many are too much for, one may not be.
                _ => Some(*place),
            };
            self.ask_soon(next.into_iter().collect());
        }
        if self.failures_in_a_row >= MAX_FAILURES_IN_A_ROW {
            self.stopped.get_or_insert(Stop::Stopped);
            self.ready.clear();
        }
        Ok(())
    }

    /// Hands in the second opinion: for each claim of the open request `id`, which is one of the full
    /// pass, the atoms that [`builtin::atoms`](crate::builtin::atoms) finds in the request's spans.
    ///
    /// A host that wants it in the findings does so before it asks the judge.
    ///
    /// # Errors
    /// `unknown_request` where no such request is open.
    pub fn handle_atoms(&mut self, id: &str, atoms: Vec<Vec<Atom>>) -> Result<(), Error> {
        let is_it = |(open, places, _): &&(String, Vec<Place>, _)| {
            open == id && places.iter().all(|(_, task)| *task == FULL)
        };
        let (_, places, _) = self.open.iter().find(is_it).ok_or_else(|| {
            let message = format!("No request {} of a full pass is open", quoted(id));
            Error::new(ErrorCode::UnknownRequest, "id", message)
        })?;
        for ((run, _), atoms) in places.iter().zip(atoms) {
            self.runs[*run].atoms = Some(atoms);
        }
        Ok(())
    }

    /// Ends the run: nothing more is asked, open requests need no answer, and claims that are not
    /// judged become INCONCLUSIVE with the flag of `stop`.
    pub fn stop(&mut self, stop: Stop) {
        self.stopped.get_or_insert(stop);
        self.ready.clear();
        self.open.clear();
    }

    /// How far the run is.
    pub fn progress(&self) -> Progress {
        let tasks = || self.runs.iter().flat_map(|run| &run.tasks);
        let settled = |task: &&Task| !matches!(task.state, State::Pending);
        Progress {
            done: tasks().filter(settled).count(),
            total: tasks().count(),
        }
    }

    /// The report as things stand.
    pub fn report(&self) -> Report {
        let claims: Vec<Finding> = self.runs.iter().map(|run| self.finding(run)).collect();
        let tally = report::tally(&claims, &self.skipped, self.more_evidence);
        let recommendation = recommend(&tally);
        Report {
            profile: self.profile.name.clone(),
            trigger: self.trigger,
            recommendation,
            rationale: report::rationale(recommendation, &tally, &claims, &self.skipped),
            summary: Summary::new(&tally, self.skipped.len()),
            claims,
            skipped: self.skipped.clone(),
            evidence: self.evidence.clone(),
            scrub: self.scrub.clone(),
            cost: self.cost,
            version: VERSION.to_owned(),
        }
    }
}

/// One claim and its passes.
#[derive(Debug)]
struct Run {
    claim: Claim,
    /// The claim as judges see it: its secrets hidden.
    text: String,
    /// Where the claim stands in the scrub's `removed`.
    at: usize,
    /// Flags that do not depend on any answer.
    flags: Vec<Flag>,
    /// The full pass, the scrubbed one, then the other nulls; empty where nothing is asked.
    tasks: Vec<Task>,
    /// The second opinion, where the host gave it.
    atoms: Option<Vec<Atom>>,
}

const FULL: usize = 0;
const SCRUBBED: usize = 1;

#[derive(Debug)]
struct Task {
    pass: Pass,
    mode: Option<Mode>,
    state: State,
    attempts: u32,
    /// How many of them were about this claim alone.
    alone: u32,
    raw: Vec<String>,
    /// P(ENTAILED), where token probabilities tell it.
    entailed: Option<f64>,
}

#[derive(Clone, Debug)]
enum State {
    Failed(Failure),
    Judged(Judgement),
    NotAsked,
    Pending,
}

/// A pass: the run's index and the task's.
type Place = (usize, usize);

impl Verification {
    /// Takes up the claim at `at` of the request, with its text as judges see it and whether that hides a
    /// secret, and what [`flags_of_evidence`] gives it.
    fn add(
        &mut self,
        claim: Claim,
        (text, secret): (String, bool),
        at: usize,
        nulls: &[Mode],
        evidence: Option<Vec<Flag>>,
    ) {
        let mut flags = Vec::new();
        if secret {
            flags.push(Flag::SecretInClaim);
        }
        let mut tasks = Vec::new();
        if let Some(evidence) = evidence {
            tasks.push(Task::new(Pass::Full, None));
            let removed = &self.scrub.removed[at];
            for (order, mode) in nulls.iter().enumerate() {
                let mut mode = *mode;
                // Identifiers that are not there cannot carry the test.
                if mode == Mode::Identifiers && removed.gone == 0 {
                    mode = Mode::RedactSpans;
                    flags.push(Flag::RedactedSpans);
                }
                let pass = if order == 0 {
                    Pass::Scrubbed
                } else {
                    Pass::Null
                };
                // Redaction in the place of identifiers may be asked for by itself too.
                if tasks.iter().any(|task| task.is(pass, mode)) {
                    continue;
                }
                tasks.push(Task::new(pass, Some(mode)));
            }
            flags.extend(evidence);
        } else {
            flags.push(Flag::UnknownCitation);
        }

        let run = self.runs.len();
        for task in 0..tasks.len() {
            if task != SCRUBBED || self.passes == Passes::Both {
                self.ready.push(Vec::from([(run, task)]));
            }
        }
        self.runs.push(Run {
            claim,
            text,
            at,
            flags,
            tasks,
            atoms: None,
        });
    }

    /// What [`Self::add`] has made ready, first things first, as it is asked: with up to `most` passes of claims
    /// that rest on the same spans together.
    fn bundled(&self, most: usize) -> Vec<Vec<Place>> {
        let places: Vec<Place> = self.ready.iter().flatten().copied().collect();
        let alike: Vec<_> = places
            .iter()
            .map(|place| {
                let task = self.task(*place);
                (cited(&self.runs[place.0].claim), task.pass, task.mode)
            })
            .collect();
        // By where they stand in `places`.
        let mut order: Vec<usize> = (0..places.len()).collect();
        let before: &dyn Fn(&usize, &usize) -> bool = &|a, b| (&alike[*a], a) < (&alike[*b], b);
        sort_by(&mut order, before);
        let mut bundles: Vec<Vec<usize>> = Vec::new();
        for at in order {
            match bundles.last_mut() {
                Some(last) if last.len() < most && alike[last[0]] == alike[at] => last.push(at),
                _ => bundles.push(Vec::from([at])),
            }
        }
        sort_by(&mut bundles, |a, b| b[0] < a[0]);
        let bundles = bundles.into_iter();
        bundles
            .map(|bundle| bundle.into_iter().map(|at| places[at]).collect())
            .collect()
    }

    /// The question of one pass, at its next attempt, or of several claims' passes that have the same spans.
    fn question(&self, places: &[Place]) -> PassRequest {
        let first = places[0];
        let spans = self.spans_of(first);
        let claims: Vec<Asked> = places.iter().map(|place| self.asked(*place)).collect();
        let task = self.task(first);
        let others = places.len() - 1;
        let attempt = match others {
            0 => task.alone + 1,
            _ => 1,
        };
        let Asked { id, text } = claims[0].clone();
        let numbered = self.by_position.then(|| self.numbered(&spans));
        let shown = numbered.as_deref().unwrap_or(&spans);
        let (messages, schema) = match (others, attempt) {
            (0, 1) => (messages(shown, &text, Form::Json), Some(ReplySchema::One)),
            (0, _) => (messages(shown, &text, Form::Simplified), None),
            _ => (messages_for_many(shown, &claims), Some(ReplySchema::Many)),
        };
        let pass = match (task.pass, task.mode) {
            (Pass::Full, _) => "full",
            (Pass::Scrubbed, _) => "scrubbed",
            (Pass::Null, Some(Mode::Identifiers)) => "null.identifiers",
            (Pass::Null, Some(Mode::RedactSpans)) => "null.redact_spans",
            (Pass::Null, _) => "null.no_evidence",
        };
        let others = match others {
            0 => String::new(),
            others => format!("+{others}"),
        };
        PassRequest {
            id: format!("{id}/{pass}/{attempt}{others}"),
            claim: id,
            pass: task.pass,
            mode: task.mode,
            attempt,
            prompt_tokens: tokens::likely(&messages),
            messages,
            schema,
            spans,
            claim_text: text,
            claims,
        }
    }

    fn asked(&self, (run, _): Place) -> Asked {
        let run = &self.runs[run];
        Asked {
            id: run.claim.id.clone(),
            text: run.text.clone(),
        }
    }

    /// The evidence as a pass sees it.
    fn spans_of(&self, place: Place) -> Vec<Span> {
        let cites = cited(&self.runs[place.0].claim);
        let cited = |spans: &[Span]| -> Vec<Span> {
            let wanted = |span: &&Span| match &cites {
                Some(cites) => cites.binary_search(&&*span.id).is_ok(),
                None => true,
            };
            spans.iter().filter(wanted).cloned().collect()
        };
        match self.task(place).mode {
            None => cited(&self.full),
            Some(Mode::Identifiers) => cited(&self.scrub.spans),
            Some(Mode::NoEvidence) => Vec::new(),
            Some(Mode::RedactSpans) => scrub::redact(&cited(&self.full), None),
        }
    }

    /// Spans with their positions in the evidence for ids.
    fn numbered(&self, spans: &[Span]) -> Vec<Span> {
        let mut spans = spans.to_vec();
        let mut rest = spans.iter_mut().peekable();
        for (at, one) in self.evidence.iter().enumerate() {
            if let Some(span) = rest.next_if(|span| span.id == one.id) {
                span.id = format!("S{at}");
            }
        }
        spans
    }

    fn close(&mut self, id: &str) -> Result<(Vec<Place>, Vec<Message>), Error> {
        let Some(at) = self.open.iter().position(|(open, ..)| open == id) else {
            return Err(Error::new(
                ErrorCode::UnknownRequest,
                "id",
                format!("No request {} is open", quoted(id)),
            )
            .with_hint("Each request is answered once, and none after the run was stopped."));
        };
        let (_, places, messages) = self.open.swap_remove(at);
        Ok((places, messages))
    }

    /// Settles a pass and, after the full one, whether the scrubbed one is asked: then gives that.
    fn finish(&mut self, place: Place, state: State) -> Option<Place> {
        self.task_mut(place).state = state;
        let (run, task) = place;
        if task != FULL || self.passes != Passes::AsNeeded {
            return None;
        }
        let full = self.runs[run].tasks[FULL].outcome();
        if settled_by_full(&self.profile.thresholds, full) {
            self.runs[run].tasks[SCRUBBED].state = State::NotAsked;
            return None;
        }
        Some((run, SCRUBBED))
    }

    /// Asks these, in one request, before what is ready, unless the run was stopped.
    fn ask_soon(&mut self, places: Vec<Place>) {
        if self.stopped.is_none() && !places.is_empty() {
            self.ready.push(places);
        }
    }

    fn task(&self, (run, task): Place) -> &Task {
        &self.runs[run].tasks[task]
    }

    fn task_mut(&mut self, (run, task): Place) -> &mut Task {
        &mut self.runs[run].tasks[task]
    }

    fn finding(&self, run: &Run) -> Finding {
        let nulls: Vec<Null> = run
            .tasks
            .iter()
            .skip(SCRUBBED + 1)
            .filter_map(|task| self.null(run, task))
            .collect();
        let removed = &self.scrub.removed[run.at];
        let mut finding = Finding {
            id: run.claim.id.clone(),
            text: run.text.clone(),
            status: Status::Inconclusive,
            delta: None,
            scrubbed: run.tasks.get(SCRUBBED).and_then(Task::report),
            full: run.tasks.get(FULL).and_then(Task::report),
            flags: Vec::new(),
            rule: Rule::NotJudged,
            why: String::new(),
            action: String::new(),
            removed: Removal {
                gone: removed.gone,
                of: removed.of,
            },
            indicators: Vec::new(),
            atoms: run.atoms.clone().unwrap_or_default(),
            nulls,
        };
        match self.unjudged(run) {
            Some(decision) => finding.take(decision),
            None => finding.conclude(&self.profile.thresholds, self.policy, &run.flags),
        }
        finding.flags.extend(&run.flags);
        finding.indicators = self.indicators(run, finding.delta);
        finding
    }

    /// What is said of a claim that was not judged to the end.
    fn unjudged(&self, run: &Run) -> Option<Decision> {
        let unjudged = |flag: Option<Flag>, why: &str| Decision {
            status: Status::Inconclusive,
            delta: None,
            flags: flag.into_iter().collect(),
            rule: Rule::NotJudged,
            why: why.to_owned(),
            action: Status::Inconclusive.action(),
        };
        let [full, scrubbed, ..] = run.tasks.as_slice() else {
            // The flag is among the run's own.
            let why = "The claim cites a span that is not there, so it was not judged.";
            return Some(unjudged(None, why));
        };
        let pending = |task: &Task| matches!(task.state, State::Pending);
        if !pending(full) && !pending(scrubbed) {
            return None;
        }
        let (flag, why) = match self.stopped {
            Some(Stop::Capped) => (
                Flag::Capped,
                "The run reached its cap before this claim was judged.",
            ),
            Some(Stop::Stopped) => (
                Flag::Stopped,
                "The run was stopped before this claim was judged.",
            ),
            Some(Stop::Cancelled) | None => (
                Flag::Cancelled,
                "The run was cancelled before this claim was judged.",
            ),
        };
        Some(unjudged(Some(flag), why))
    }

    fn null(&self, run: &Run, task: &Task) -> Option<Null> {
        let judged = |task: &Task| task.outcome().judgement().cloned();
        let delta = match (judged(task), judged(run.tasks.get(FULL)?)) {
            (Some(null), Some(full)) if null.basis == full.basis => null
                .confidence
                .zip(full.confidence)
                .map(|(null, full)| round6(full - null)),
            _ => None,
        };
        Some(Null {
            mode: task.mode?,
            pass: task.report()?,
            delta,
        })
    }

    fn indicators(&self, run: &Run, delta: Option<f64>) -> Vec<Indicator> {
        let thresholds = &self.profile.thresholds;
        let obvious = run.tasks.iter().any(|task| {
            task.mode == Some(Mode::NoEvidence)
                && task.outcome().judgement().is_some_and(|null| {
                    conclusion::is_obvious(Some(null.verdict), null.confidence, thresholds)
                })
        });
        let generic = run.atoms.as_ref().is_some_and(Vec::is_empty);
        conclusion::indicators(obvious, generic, delta, thresholds)
    }
}

impl Task {
    fn new(pass: Pass, mode: Option<Mode>) -> Self {
        Self {
            pass,
            mode,
            state: State::Pending,
            attempts: 0,
            alone: 0,
            raw: Vec::new(),
            entailed: None,
        }
    }

    fn is(&self, pass: Pass, mode: Mode) -> bool {
        self.pass == pass && self.mode == Some(mode)
    }

    fn outcome(&self) -> Outcome<'_> {
        match &self.state {
            State::Failed(_) | State::Pending => Outcome::Failed,
            State::Judged(judgement) => Outcome::Judged(judgement),
            State::NotAsked => Outcome::NotAsked,
        }
    }

    /// What the report says of the pass; nothing where it was not asked.
    fn report(&self) -> Option<PassReport> {
        let (judgement, error) = match &self.state {
            State::Failed(failure) => (None, Some(failure.clone())),
            State::Judged(judgement) => (Some(judgement), None),
            State::NotAsked => return None,
            State::Pending if self.attempts == 0 => return None,
            State::Pending => (None, None),
        };
        Some(PassReport {
            verdict: judgement.map(|judgement| judgement.verdict),
            confidence: judgement.and_then(|judgement| judgement.confidence),
            basis: judgement.map(|judgement| judgement.basis),
            support: self.entailed.or_else(|| judgement?.support()),
            reasoning: judgement
                .map(|judgement| judgement.reasoning.clone())
                .filter(|reasoning| !reasoning.is_empty()),
            attempts: self.attempts,
            raw: self.raw.clone(),
            error,
        })
    }
}

/// How much a failure does towards the end of a run.
fn weight(failure: &Failure) -> u32 {
    match &*failure.code {
        TIMEOUT => FAILURES_OF_A_HANG,
        _ => failure.is_on_the_way().into(),
    }
}

/// Whether the ids of the spans hold what a claim names, or a secret: the judge would read there what the scrub has
/// taken out of the texts.
fn ids_tell(
    profile: &Profile,
    evidence: &[Span],
    claims: &[Claim],
    options: scrub::Options<'_>,
) -> bool {
    let is_position = |id: &str| {
        let number = id.strip_prefix('S');
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let own = evidence.iter().filter(|span| !is_position(&span.id));
    let ids: Vec<Span> = own
        .map(|span| Span {
            id: span.id.clone(),
            text: span.id.clone(),
            source: None,
        })
        .collect();
    if ids.is_empty() {
        return false;
    }
    // The caller's patterns were looked for in other texts.
    let options = scrub::Options {
        matches: &[],
        ..options
    };
    let scrub = scrub::scrub(profile, &ids, claims, &options);
    scrub.removed.iter().any(|removed| removed.gone > 0)
        || !scrub.leaks.is_empty()
        || scrub.replacements.iter().any(|one| one.why == Why::Secret)
}

/// For each claim the flags that its evidence gives it; `None` where it cites a span that is not there.
fn flags_of_evidence(
    claims: &[Claim],
    evidence: &[Span],
    scrub: &Scrubbed,
) -> Vec<Option<Vec<Flag>>> {
    let (mut ids, mut talking, mut leaking) = (Vec::new(), Vec::new(), Vec::new());
    for span in evidence {
        ids.push(&*span.id);
        if instruction_like(&span.text) {
            talking.push(&*span.id);
        }
    }
    for leak in &scrub.leaks {
        // Those that the scrub answers for.
        if matches!(leak.level, LeakLevel::Whole | LeakLevel::Form) {
            leaking.push(&*leak.claim);
        }
    }
    let (ids, talking, leaking) = (sorted(ids), sorted(talking), sorted(leaking));
    let flags = |claim: &Claim| {
        let is_in = |ids: &[&str], id: &str| ids.binary_search(&id).is_ok();
        let cites = claim.cites.iter().flatten();
        if !cites.clone().all(|id| is_in(&ids, id)) {
            return None;
        }
        let mut flags = Vec::new();
        if is_in(&leaking, &claim.id) {
            flags.push(Flag::Leak);
        }
        let talks = match claim.cites {
            Some(_) => cites.clone().any(|id| is_in(&talking, id)),
            None => !talking.is_empty(),
        };
        if talks {
            flags.push(Flag::InstructionLike);
        }
        Some(flags)
    };
    claims.iter().map(flags).collect()
}

/// The ids of the spans that a claim cites, in order and each once.
fn cited(claim: &Claim) -> Option<Vec<&str>> {
    let cites = claim.cites.as_ref()?;
    Some(sorted(cites.iter().map(String::as_str).collect()))
}

/// In order and each once.
fn sorted(mut ids: Vec<&str>) -> Vec<&str> {
    sort(&mut ids);
    ids.dedup();
    ids
}

/// The nulls that are asked: the first decides the status.
fn nulls(asked: Option<Vec<Mode>>) -> Result<Vec<Mode>, Error> {
    let asked = asked.unwrap_or_default();
    for (at, mode) in asked.iter().enumerate() {
        if asked[..at].contains(mode) {
            return Err(Error::new(
                ErrorCode::InvalidValue,
                format!("nulls.{at}"),
                "This null is asked for twice",
            ));
        }
    }
    Ok(if asked.is_empty() {
        Vec::from([Mode::default()])
    } else {
        asked
    })
}
