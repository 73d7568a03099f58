//! What came of a run: the recommendation, a card for each claim, and copies to take away.

use std::sync::Arc;

use claimgauge_core::decide::{Flag, Recommendation, Status};
use leptos::prelude::*;

use crate::{
    copy::{Copies, Form},
    finding::{FindingCard, name},
    icon::{self, Icon},
    state::{Outcome, Report, State},
};

/// How many cards are drawn at first, and with each press of "Show more".
const PAGE: usize = 20;

/// The panel.
#[component]
pub(crate) fn Results(state: State) -> impl IntoView {
    let announcement = move || {
        state.outcome.get().map(|outcome| {
            let report = &outcome.report;
            let advice = advice(report).unwrap_or_default();
            format!(
                "{} {} {advice}",
                title(report.recommendation),
                report.rationale
            )
        })
    };
    let outdated = state.outdated;
    view! {
        <p class="hidden-label" role="status" aria-live="polite">{announcement}</p>
        {move || match state.outcome.get() {
            Some(outcome) => view! { <Shown outcome outdated/> }.into_any(),
            None if state.progress.with(Option::is_some) => ().into_any(),
            None => view! {
                <section class="panel results-empty" aria-label="Results">
                    <p>
                        "Run both passes to see, for each claim, how sure a judge is with the evidence and without its names. The difference is what the evidence was worth."
                    </p>
                </section>
            }.into_any(),
        }}
    }
}

fn title(recommendation: Recommendation) -> &'static str {
    match recommendation {
        Recommendation::GatherMoreEvidence => "Gather more evidence.",
        Recommendation::Proceed => "Proceed.",
        Recommendation::ProceedWithWarnings => "Proceed with warnings.",
        Recommendation::Stop => "Stop.",
    }
}

fn tone(recommendation: Recommendation) -> &'static str {
    match recommendation {
        Recommendation::GatherMoreEvidence => "banner tone-inconclusive",
        Recommendation::Proceed => "banner tone-verified",
        Recommendation::ProceedWithWarnings => "banner tone-suspicious",
        Recommendation::Stop => "banner tone-unsupported",
    }
}

/// What to do where the judge is the trouble: the recommendation speaks of the evidence alone.
fn advice(report: &Report) -> Option<String> {
    let by_judge = |flag: &Flag| {
        matches!(
            flag,
            Flag::JudgeFailed | Flag::MixedBasis | Flag::NoConfidence
        )
    };
    let finding = report.claims.iter().find(|finding| {
        finding.status == Status::Inconclusive && finding.flags.iter().any(by_judge)
    })?;
    Some(format!("{}.", finding.action))
}

#[component]
fn Shown(outcome: Arc<Outcome>, outdated: Memo<Option<&'static str>>) -> impl IntoView {
    let report = &outcome.report;
    let recommendation = report.recommendation;
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
    let spent = match cost.prompt_tokens + cost.completion_tokens {
        0 => format!("{} calls", cost.calls),
        _ => format!(
            "{} calls, {} tokens read, {} written",
            cost.calls, cost.prompt_tokens, cost.completion_tokens
        ),
    };

    let total = report.claims.len();
    let most = RwSignal::new(PAGE);
    let thresholds = outcome.thresholds;
    let findings = Arc::clone(&outcome);
    let cards = move || {
        let shown: Vec<_> = findings
            .report
            .claims
            .iter()
            .take(most.get())
            .cloned()
            .collect();
        let cards = shown
            .into_iter()
            .map(|finding| view! { <FindingCard finding thresholds/> });
        cards.collect::<Vec<_>>()
    };
    view! {
        <section
            class="results"
            class:outdated=move || outdated.get().is_some()
            aria-labelledby="results-title"
        >
            {move || outdated.get().map(|why| view! {
                <p class="stale" role="status"><Icon outline=icon::WARNING/>{why}</p>
            })}
            <div class=tone(recommendation)>
                <Icon outline=icon::of_recommendation(recommendation)/>
                <div>
                    <h2 id="results-title">
                        <span class="hidden-label">"Recommendation: "</span>
                        {name(&recommendation).replace('_', " ")}
                    </h2>
                    <p>{report.rationale.clone()}</p>
                    {advice(report).map(|advice| view! { <p class="advice">{advice}</p> })}
                    <ul class="counts">{counts}<li class="aside">{spent}</li></ul>
                </div>
            </div>
            <Copies forms=forms(&outcome)/>
            {cards}
            {move || (total > most.get()).then(|| view! {
                <button type="button" class="quiet" on:click=move |_| most.update(|most| *most += PAGE)>
                    {format!("Show more of the {total} claims")}
                </button>
            })}
        </section>
    }
}

/// The report as a table to read, and as data with offsets as JavaScript counts them.
fn forms(outcome: &Arc<Outcome>) -> Vec<Form> {
    let (markdown, json) = (Arc::clone(outcome), Arc::clone(outcome));
    vec![
        ("Markdown", Box::new(move || markdown.markdown.clone())),
        ("JSON", Box::new(move || json.json.clone())),
    ]
}
