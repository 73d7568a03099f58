//! What came of a run: the recommendation, a card for each claim, and copies to take away.

use std::time::Duration;

use claimgauge_core::{
    decide::{Flag, Recommendation, Status},
    report::Finding,
};
use leptos::prelude::*;

use crate::{
    bound::{part, text},
    copy::{Copies, Form},
    finding::{asked, card},
    icon::{self, Icon},
    plane,
    running::{Outcome, Report},
    state::State,
    thresholds,
};

/// How many cards are drawn before the browser shows anything: with what stands above it, one fills a screen.
const FIRST: usize = 1;

/// The others follow, so many at a time.
const AT_ONCE: usize = 3;

/// How many cards there are at first, and more with each press of "Show more".
const PAGE: usize = 20;

/// The panel.
#[component]
pub(crate) fn Results(state: State) -> impl IntoView {
    let announcement = move || {
        let outcome = state.outcome.get();
        outcome.map_or(String::new(), |outcome| outcome.announcement.clone())
    };
    // Runs are numbered from 1 on.
    let run = Memo::new(move |_| {
        let outcome = state.outcome.get();
        outcome.map_or(0, |outcome| outcome.run as usize)
    });
    view! {
        <p class="hidden-label" role="status" aria-live="polite">{text(announcement)}</p>
        {part(move || match run.get() {
            1.. => Some(state.later.draw(move |later| (later.results)(state))),
            0 if state.progress.with(Option::is_some) => None,
            0 => Some(view! {
                <section class="panel results-empty" aria-label="Results">
                    <p>
                        "Run both passes to see, for each claim, how sure a judge is with the evidence and without its names. The difference is what the evidence was worth."
                    </p>
                </section>
            }.into_any()),
        })}
    }
}

/// What is read out of a report.
pub(crate) fn announcement(report: &Report) -> String {
    let title = title(report.recommendation, &report.claims);
    format!("{title} {}", report.rationale)
}

/// What to do, as a heading.
pub(crate) fn heading(recommendation: Recommendation, claims: &[Finding]) -> String {
    let title = title(recommendation, claims);
    title.trim_end_matches('.').to_ascii_uppercase()
}

/// Where claims are open for another reason than the evidence, that is what to mend.
fn title(recommendation: Recommendation, claims: &[Finding]) -> &'static str {
    match recommendation {
        Recommendation::GatherMoreEvidence => {
            what_is_missing(claims).unwrap_or("Gather more evidence.")
        }
        Recommendation::Proceed => "Proceed.",
        Recommendation::ProceedWithWarnings => "Proceed with warnings.",
        Recommendation::Stop => "Stop.",
    }
}

/// What leaves claims open, where it is not the evidence.
fn what_is_missing(claims: &[Finding]) -> Option<&'static str> {
    let has = |flag| claims.iter().any(|finding| finding.flags.contains(&flag));
    let is_open = |finding: &Finding| finding.status == Status::Inconclusive;
    if has(Flag::NeedsMoreEvidence) || !claims.iter().any(is_open) {
        None
    } else if claims.iter().any(Finding::is_open_by_judge) {
        claims.iter().all(is_open).then_some("Check the judge.")
    } else if has(Flag::UnknownCitation) {
        Some("Correct the citation.")
    } else {
        has(Flag::Cancelled).then_some("Run again.")
    }
}

/// The class and the icon: where it is to proceed with caution, those of what asks for it.
fn look(report: &Report) -> (&'static str, &'static str) {
    let class = match report.recommendation {
        Recommendation::GatherMoreEvidence => "banner tone-inconclusive",
        Recommendation::Proceed if report.summary.plausible > 0 => {
            return ("banner tone-plausible", icon::of_status(Status::Plausible));
        }
        Recommendation::Proceed => "banner tone-verified",
        Recommendation::ProceedWithWarnings => "banner tone-suspicious",
        Recommendation::Stop => "banner tone-unsupported",
    };
    (class, icon::of_recommendation(report.recommendation))
}

/// The outcome of one run: what the thresholds change follows them.
pub(crate) fn shown(state: State) -> AnyView {
    thresholds::follow(state);
    let outdated = state.outdated;
    let Some(outcome) = state.outcome.get_untracked() else {
        return ().into_any();
    };
    let mut sights = outcome.sights.iter();
    let is_measured = sights.any(|sight| !sight.under.is_empty());
    let total = outcome.report.claims.len();
    let most = RwSignal::new(PAGE);
    let wanted = Memo::new(move |_| total.min(most.get()));
    let drawn = RwSignal::new(total.min(FIRST));
    let places = move || 0..drawn.get();
    let missing = move || drawn.get() < wanted.get();
    Effect::new(move |_| {
        if missing() {
            let next = wanted.get_untracked().min(drawn.get_untracked() + AT_ONCE);
            after_frame(move || {
                let _ = drawn.try_set(next);
            });
        }
    });
    view! {
        <section
            class="results"
            class:outdated=move || outdated.with(|why| !why.is_empty())
            aria-busy=move || missing().then_some("true")
            aria-labelledby="results-title"
        >
            {plane::hatchings()}
            {move || Some(outdated.get()).filter(|why| !why.is_empty()).map(|why| view! {
                <p class="stale" role="status"><Icon outline=icon::WARNING/>{why}</p>
            })}
            {move || state.outcome.get().map(|outcome| banner(&outcome.report))}
            <For each=places key=|at| *at let:at>{card(state, at)}</For>
            {move || (total > most.get()).then(|| view! {
                <button type="button" class="quiet" on:click=move |_| most.update(|most| *most += PAGE)>
                    {format!("Show more of the {total} claims")}
                </button>
            })}
            {is_measured.then(|| thresholds::sliders(state))}
            <Copies forms=forms(state)/>
        </section>
    }
    .into_any()
}

/// Does something once the browser has drawn what there is, and heard what the user did meanwhile. The page may
/// have changed by then.
fn after_frame(act: impl FnOnce() + 'static) {
    request_animation_frame(move || set_timeout(act, Duration::ZERO));
}

fn banner(report: &Report) -> AnyView {
    let (class, outline) = look(report);
    let summary = &report.summary;
    let counts: Vec<_> = [
        (summary.verified, "VERIFIED"),
        (summary.plausible, "PLAUSIBLE"),
        (summary.suspicious, "SUSPICIOUS"),
        (summary.unsupported, "UNSUPPORTED"),
        (summary.inconclusive, "INCONCLUSIVE"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, label)| view! { <li><b>{count}</b>" "{label}</li> })
    .collect();
    let cost = report.cost;
    let asked = format!("judge {} in all", asked(cost.calls));
    let spent = match cost.prompt_tokens + cost.completion_tokens {
        0 => asked,
        _ => format!(
            "{asked}, {} tokens read, {} written",
            cost.prompt_tokens, cost.completion_tokens
        ),
    };
    view! {
        <div class=class>
            <Icon outline/>
            <div>
                <h2 id="results-title">
                    <span class="hidden-label">"Recommendation: "</span>
                    {heading(report.recommendation, &report.claims)}
                </h2>
                <p>{rationale(report)}</p>
                <ul class="counts">
                    {counts}
                    <li class="aside">{spent}</li>
                    <li><a href="#preview-title">"See the scrub"</a></li>
                </ul>
            </div>
        </div>
    }
    .into_any()
}

/// Why it is recommended: the claims that it names lead to their cards, as far as there are any at first.
fn rationale(report: &Report) -> Vec<AnyView> {
    let shown = |id: &str| report.claims.iter().take(PAGE).any(|claim| claim.id == id);
    let words = report.rationale.split_inclusive(' ');
    let linked = words.map(|word| {
        let (id, rest) = word.split_at(word.trim_end_matches([' ', ',', '.', ':']).len());
        match shown(id) {
            true => view! { <a href=format!("#finding-{id}")>{id.to_owned()}</a>{rest.to_owned()} }
                .into_any(),
            false => word.to_owned().into_any(),
        }
    });
    linked.collect()
}

/// The report as a table to read, and as data with offsets as JavaScript counts them.
fn forms(state: State) -> Vec<Form> {
    let of = move |write: fn(&Outcome) -> &String| {
        let outcome = state.outcome.get_untracked();
        outcome
            .map(|outcome| write(&outcome).clone())
            .unwrap_or_default()
    };
    vec![
        (
            "Markdown",
            Box::new(move || of(|outcome| &outcome.markdown)),
        ),
        ("JSON", Box::new(move || of(|outcome| &outcome.json))),
    ]
}

#[cfg(test)]
mod tests {
    use claimgauge_core::{
        evidence::{ClaimInput, Request, SpanInput},
        verification::{Answer, Pass, Step, Stop, Verification},
    };

    use super::*;

    /// The heading of a run over these claims, cancelled after so many of them.
    fn headed(claims: &[&str], says: &str, most: usize) -> String {
        let claim = |text: &&str| ClaimInput {
            cites: text.split_once(" of ").map(|(_, id)| vec![id.to_owned()]),
            ..ClaimInput::from(*text)
        };
        let mut verification = Verification::new(Request {
            evidence: vec![SpanInput::from("Port 8080 is open")],
            claims: claims.iter().map(claim).collect(),
            ..Request::default()
        })
        .unwrap();
        let report = loop {
            match verification.poll(1) {
                Step::Ask(requests) => {
                    let request = &requests[0];
                    if verification.progress().done >= 2 * most {
                        verification.stop(Stop::Cancelled);
                        continue;
                    }
                    let says = match request.pass {
                        Pass::Full => says,
                        _ => r#"{"verdict":"UNSURE","confidence":0.9}"#,
                    };
                    let answer = Answer::text(says);
                    verification.handle(&request.id, answer).unwrap();
                }
                Step::Wait => unreachable!("every request was answered"),
                Step::Done(report) => break report,
            }
        };
        heading(report.recommendation, &report.claims)
    }

    #[test]
    fn the_heading_names_what_is_missing() {
        const YES: &str = r#"{"verdict":"ENTAILED","confidence":0.95}"#;
        const UNSURE: &str = r#"{"verdict":"UNSURE","confidence":0.95}"#;
        const BOTH: [&str; 2] = ["Port 8080 is open", "Port 8080 is used"];
        const ASTRAY: [&str; 2] = ["Port 8080 is one of S7", "Port 8080 is another of S8"];
        let rows = [
            (BOTH, YES, 2, "PROCEED"),
            (BOTH, YES, 1, "RUN AGAIN"),
            (BOTH, YES, 0, "RUN AGAIN"),
            (BOTH, UNSURE, 2, "GATHER MORE EVIDENCE"),
            // The one that was judged needs it.
            (BOTH, UNSURE, 1, "GATHER MORE EVIDENCE"),
            (BOTH, "I cannot say", 2, "CHECK THE JUDGE"),
            (BOTH, "I cannot say", 1, "CHECK THE JUDGE"),
            (ASTRAY, YES, 2, "CORRECT THE CITATION"),
            ([BOTH[0], ASTRAY[0]], YES, 2, "CORRECT THE CITATION"),
            ([BOTH[0], ASTRAY[0]], YES, 0, "CORRECT THE CITATION"),
            ([BOTH[0], ASTRAY[0]], "I cannot say", 2, "CHECK THE JUDGE"),
        ];
        for (claims, says, most, want) in rows {
            assert_eq!(
                headed(&claims, says, most),
                want,
                "{claims:?} {says} {most}"
            );
        }
    }
}
