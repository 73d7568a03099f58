//! What came of one claim.

use claimgauge_core::{
    decide::{Flag, Status},
    judgement::Verdict,
    profile::Thresholds,
    report::{Atom, Finding, Indicator, PassReport, Removal},
};
use leptos::prelude::*;
use serde::Serialize;

use crate::{
    gauge::{Asks, Gauge, Reading, two},
    icon::{self, Icon},
};

/// The class that gives a status its colour.
pub(crate) fn tone(status: Status) -> &'static str {
    match status {
        Status::Inconclusive => "tone-inconclusive",
        Status::Plausible => "tone-plausible",
        Status::Suspicious => "tone-suspicious",
        Status::Unsupported => "tone-unsupported",
        Status::Verified => "tone-verified",
    }
}

/// The name that a value has in reports.
pub(crate) fn name(value: &impl Serialize) -> String {
    serde_json::to_string(value)
        .unwrap_or_default()
        .trim_matches('"')
        .to_owned()
}

fn flag_words(flag: Flag) -> &'static str {
    match flag {
        Flag::Anomalous => "more names made the judge less sure",
        Flag::BothLow => "neither pass reached the least confidence",
        Flag::Cancelled => "the run was cancelled before this claim was judged",
        Flag::Capped => "the run hit its cap before this claim was judged",
        Flag::Conflict => "the passes contradict each other: please confirm",
        Flag::InstructionLike => "a span reads like instructions to the judge",
        Flag::JudgeFailed => "a pass failed",
        Flag::Leak => "a name of the claim survived the scrub",
        Flag::MixedBasis => "the confidences were measured in different ways",
        Flag::NeedsMoreEvidence => "the evidence does not say enough",
        Flag::NoConfidence => "a pass came without a confidence",
        Flag::PriorLeak => "the judge was confident without the names",
        Flag::RedactedSpans => "no name to take out, so the spans were redacted whole",
        Flag::RivalValue => "another value stands where the claim's should",
        Flag::ScrubbedUnsure => "without the names the judge could not tell, as it should be",
        Flag::SecretInClaim => "the claim quotes a secret, which was hidden",
        Flag::Stopped => "the run was stopped before this claim was judged",
        Flag::Ungrounded => "a number or name of the claim is not in the evidence",
        Flag::UnknownCitation => "the claim cites a span that is not there",
        _ => "",
    }
}

fn indicator_words(indicator: Indicator) -> &'static str {
    match indicator {
        Indicator::GenericPattern => "the claim names nothing that could be checked",
        Indicator::NamesAddNothing => "the names added nothing",
        Indicator::ObviousWithoutEvidence => "the judge believes it with no evidence at all",
        Indicator::ScrubbedAsGood => "the scrubbed evidence served as well as the full",
        _ => "",
    }
}

/// The card of one claim.
#[component]
pub(crate) fn FindingCard(finding: Finding, thresholds: Thresholds) -> impl IntoView {
    let confidence = |pass: &Option<PassReport>| pass.as_ref().and_then(|pass| pass.confidence);
    let verdict = |pass: &Option<PassReport>| pass.as_ref().and_then(|pass| pass.verdict);
    let reading = Reading {
        scrubbed: confidence(&finding.scrubbed),
        full: confidence(&finding.full),
        delta: finding.delta,
        asks: Asks::after(
            verdict(&finding.scrubbed),
            verdict(&finding.full),
            finding.delta,
        ),
    };
    let measured = reading.scrubbed.or(reading.full).is_some();
    let rule = name(&finding.rule);
    let judged = finding.full.is_some() || finding.scrubbed.is_some();
    let notes: Vec<_> = finding
        .flags
        .iter()
        .map(|flag| (name(flag), flag_words(*flag)))
        .chain(
            finding
                .indicators
                .iter()
                .map(|indicator| (name(indicator), indicator_words(*indicator))),
        )
        .filter(|(name, _)| *name != rule)
        .map(|(name, words)| view! { <li><code>{name}</code>" "{words}</li> })
        .collect();
    let title = format!("finding-{}", finding.id);
    let labelled_by = title.clone();
    view! {
        <article class=format!("finding {}", tone(finding.status)) aria-labelledby=labelled_by>
            <header>
                <p class="status">
                    <Icon outline=icon::of_status(finding.status)/>
                    {finding.status.label()}
                </p>
                <p class="action">{finding.action}</p>
            </header>
            <h3 id=title><span class="id mono">{finding.id}</span>" "{finding.text}</h3>
            <p class="why">{finding.why}</p>
            {measured.then(|| view! { <Gauge reading thresholds/> })}
            {judged.then(|| view! {
                <div class="passes">
                    <PassCard title="Scrubbed pass" about="names taken out" pass=finding.scrubbed/>
                    <PassCard title="Full pass" about="evidence as given" pass=finding.full/>
                </div>
            })}
            <Atoms atoms=finding.atoms/>
            <ul class="notes">
                <li>"Decided by the rule "<code>{rule}</code></li>
                {notes}
                <li>
                    {terms_gone(&finding.removed)}
                </li>
            </ul>
        </article>
    }
}

/// The second opinion.
#[component]
fn Atoms(atoms: Vec<Atom>) -> impl IntoView {
    let rows: Vec<_> = atoms
        .iter()
        .map(|atom| {
            let (tone, outline) = match (&atom.rival, atom.grounded) {
                (Some(_), _) => ("atom rival", icon::WARNING),
                (None, true) => ("atom found", icon::CHECK),
                (None, false) => ("atom missing", icon::QUESTION),
            };
            view! {
                <li class=tone>
                    <Icon outline/>
                    <span><code>{atom.text.clone()}</code>" "{atom_words(atom)}</span>
                </li>
            }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="atoms" aria-label="Second opinion">
                <h4>"Second opinion"<span class="aside">"a check of terms and slots, not a reading"</span></h4>
                <ul>{rows}</ul>
            </section>
        }
    })
}

fn atom_words(atom: &Atom) -> String {
    match (&atom.rival, &atom.span) {
        (Some(rival), _) => format!("where the evidence has {rival}"),
        (None, Some(span)) => format!("in {span}"),
        (None, None) => "not in the evidence".to_owned(),
    }
}

fn terms_gone(removed: &Removal) -> String {
    let terms = if removed.of == 1 { "term" } else { "terms" };
    format!(
        "The scrub removed {} of the claim's {} {terms}",
        removed.gone, removed.of
    )
}

#[component]
fn PassCard(title: &'static str, about: &'static str, pass: Option<PassReport>) -> impl IntoView {
    let body = match pass {
        None => view! { <p class="aside">"Not asked."</p> }.into_any(),
        Some(pass) => {
            let verdict = pass.verdict.map(|verdict| {
                view! { <p class=verdict_tone(verdict)>{verdict.label()}</p> }
            });
            let confidence = pass.confidence;
            let basis = pass.basis.map(|basis| format!("{}, ", name(&basis)));
            let times = match pass.attempts {
                1 => "asked once".to_owned(),
                n => format!("asked {n} times"),
            };
            let error = pass.error.map(|failure| {
                view! {
                    <p class="pass-error">
                        <Icon outline=icon::WARNING/>
                        <span>{crate::inputs::Fault::from(&failure).to_string()}</span>
                    </p>
                }
            });
            let raw: Vec<_> = pass
                .raw
                .into_iter()
                .map(|text| view! { <pre>{text}</pre> })
                .collect();
            view! {
                {verdict}
                {confidence.map(|value| view! {
                    <p class="confidence">
                        <span class="bar" aria-hidden="true">
                            <span class="fill" style:width=format!("{:.1}%", value.clamp(0.0, 1.0) * 100.0)></span>
                        </span>
                        <span>{two(value)}</span>
                    </p>
                })}
                {error}
                {pass.reasoning.filter(|text| !text.is_empty()).map(|text| view! { <p class="reasoning">{text}</p> })}
                <p class="aside">{basis}{times}</p>
                {(!raw.is_empty()).then(|| view! {
                    <details>
                        <summary>"Replies as they came"</summary>
                        {raw}
                    </details>
                })}
            }
            .into_any()
        }
    };
    view! {
        <section class="pass" aria-label=title>
            <h4>{title}<span class="aside">{about}</span></h4>
            {body}
        </section>
    }
}

fn verdict_tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Contradicted => "verdict contradicted",
        Verdict::Entailed => "verdict entailed",
        Verdict::Unsure => "verdict unsure",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_named_as_in_reports() {
        assert_eq!(name(&Flag::NeedsMoreEvidence), "needs_more_evidence");
        assert_eq!(name(&Status::Verified), "VERIFIED");
    }
}
