//! What came of a run: the recommendation, a card for each claim, and copies to take away.

use std::time::Duration;

use claimgauge_core::{
    decide::{Recommendation, Status},
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
    format!("{} {}", title(report), report.rationale)
}

/// What to do, as a heading.
pub(crate) fn heading(report: &Report) -> String {
    title(report).trim_end_matches('.').to_ascii_uppercase()
}

/// Where the judge leaves every claim open, the evidence is not what is missing.
fn title(report: &Report) -> &'static str {
    if !report.claims.is_empty() && report.claims.iter().all(Finding::is_open_by_judge) {
        return "Check the judge.";
    }
    match report.recommendation {
        Recommendation::GatherMoreEvidence => "Gather more evidence.",
        Recommendation::Proceed => "Proceed.",
        Recommendation::ProceedWithWarnings => "Proceed with warnings.",
        Recommendation::Stop => "Stop.",
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
                    {heading(report)}
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
