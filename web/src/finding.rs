//! What came of one claim.

use claimgauge_core::{
    decide::{Flag, Rule, Status},
    judgement::{Basis, Verdict},
    profile::{Minimum, Profile, Thresholds},
    report::{Atom, Finding, Indicator, PassReport, Removal},
};
use leptos::prelude::*;
use serde::Serialize;

use crate::{
    fold::fold,
    gauge::{Asks, Gauge, Reading, two},
    icon::{self, Icon},
    inputs::Fault,
    markup::unturned,
    plane,
    sight::{Excerpt, Piece, Sight},
    state::State,
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
        Flag::RivalValue => "another value stands where the claim’s should",
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

/// What is said of names, where spans were redacted whole, is so of them.
pub(crate) fn of_null(words: &str, is_redacted: bool) -> String {
    if is_redacted {
        words
            .replace("the names", "the spans")
            .replace("its names", "the spans")
    } else {
        words.to_owned()
    }
}

fn is_redacted(finding: &Finding) -> bool {
    finding.flags.contains(&Flag::RedactedSpans)
}

/// What a row of the status table looks at, in words.
fn rule_words(finding: &Finding) -> &'static str {
    let has = |flag| finding.flags.contains(&flag);
    match finding.rule {
        Rule::PassFailed if has(Flag::JudgeFailed) => "a pass failed",
        Rule::PassFailed if has(Flag::MixedBasis) => "the passes were measured in different ways",
        Rule::PassFailed => "a pass was not asked",
        Rule::Contradicted => "the full evidence contradicts the claim",
        Rule::NoConfidence => "a pass came without a confidence",
        Rule::ScrubbedContradicted => "entailed with the evidence, contradicted without the names",
        Rule::BothLow => "both passes are unsure, and neither reaches PLAUSIBLE’s confidence",
        Rule::BothUnsure => "both passes are unsure, and say so firmly",
        Rule::FullUnsure => "unsure with the evidence, though not without the names",
        Rule::FullLow => "with the evidence the judge does not reach PLAUSIBLE’s confidence",
        Rule::ScrubbedUnsure => {
            "entailed with the evidence, unsure without the names: the full confidence alone counts"
        }
        Rule::DeltaSmall => "the delta is below PLAUSIBLE’s",
        Rule::DeltaLarge => "confidence and delta reach VERIFIED’s",
        Rule::DeltaMedium => "confidence and delta reach PLAUSIBLE’s, but not both VERIFIED’s",
        _ => "it was not judged to the end",
    }
}

/// The card of the claim at `at` of the outcome. What the thresholds change follows them; the rest, and what
/// of it the reader opened, stays.
pub(crate) fn card(state: State, at: usize) -> AnyView {
    let finding = Memo::new(move |_| {
        let outcome = state.outcome.get()?;
        outcome.report.claims.get(at).cloned()
    });
    let outcome = state.outcome.get_untracked();
    let Some((first, outcome)) = finding.get_untracked().zip(outcome) else {
        return ().into_any();
    };
    let sight = outcome.sights.get(at).cloned().unwrap_or_default();
    let under = sight.under.clone();
    let judged = first.full.is_some() || first.scrubbed.is_some();
    let with = move |show: fn(Finding) -> AnyView| move || finding.get().map(show);
    let measured = move || {
        let thresholds = state.outcome.get()?.thresholds;
        finding.get().map(|finding| measured(&finding, thresholds))
    };
    let in_force = Memo::new(move |_| {
        let thresholds = state.outcome.get()?.thresholds;
        finding
            .get()
            .map(|finding| InForce(thresholds, finding.status))
    });
    let taken_out = match is_redacted(&first) {
        true => "spans redacted",
        false => "names taken out",
    };
    let title = format!("finding-{}", first.id);
    let labelled_by = title.clone();
    view! {
        <article
            class=move || finding.get().map(|finding| format!("finding {}", tone(finding.status)))
            aria-labelledby=labelled_by
        >
            {with(head)}
            <h3 id=title><span class="id mono">{first.id}</span>" "<bdi>{first.text}</bdi></h3>
            {with(why)}
            {measured}
            {judged.then(|| view! {
                <div class="passes">
                    <PassCard title="Scrubbed pass" about=taken_out pass=first.scrubbed/>
                    <PassCard title="Full pass" about="evidence as given" pass=first.full/>
                </div>
            })}
            {second_opinion(&first.atoms, &sight)}
            {move || finding.get().map(|finding| notes(finding, &sight.talking))}
            {comparison(under, outcome.inputs.profile.clone(), in_force)}
        </article>
    }
    .into_any()
}

fn head(finding: Finding) -> AnyView {
    view! {
        <header>
            <p class="status">
                <Icon outline=icon::of_status(finding.status)/>
                {finding.status.label()}
            </p>
            <p class="action">{action_words(&finding).map_or(finding.action, str::to_owned)}</p>
        </header>
    }
    .into_any()
}

/// What to do about a claim that no judge was asked about: the judge is not what is wrong.
fn action_words(finding: &Finding) -> Option<&'static str> {
    let words = finding.flags.iter().find_map(|flag| match flag {
        Flag::Cancelled => Some("Run again: it was cancelled"),
        Flag::UnknownCitation => Some("Correct the citation and run again"),
        _ => None,
    });
    words.filter(|_| finding.rule == Rule::NotJudged)
}

fn why(finding: Finding) -> AnyView {
    let rule = of_null(rule_words(&finding), is_redacted(&finding));
    view! {
        <div class="why">
            <p>{unturned(&finding.why)}</p>
            <p class="rule">
                <b>"The rule: "</b>
                {rule}". "
                <code>{name(&finding.rule)}</code>
            </p>
        </div>
    }
    .into_any()
}

/// The plane and the gauge, where there is a number to show.
fn measured(finding: &Finding, thresholds: Thresholds) -> AnyView {
    let confidence = |pass: &Option<PassReport>| pass.as_ref().and_then(|pass| pass.confidence);
    let verdict = |pass: &Option<PassReport>| pass.as_ref().and_then(|pass| pass.verdict);
    let is_redacted = is_redacted(finding);
    let reading = Reading {
        is_redacted,
        scrubbed: confidence(&finding.scrubbed),
        full: confidence(&finding.full),
        delta: finding.delta,
        asks: Asks::after(
            verdict(&finding.scrubbed),
            verdict(&finding.full),
            finding.delta,
        ),
    };
    if reading.scrubbed.or(reading.full).is_none() {
        return ().into_any();
    }
    let said = |pass| verdict(pass).zip(confidence(pass));
    // Where the confidences cannot be compared there is no such plane.
    let point = said(&finding.scrubbed)
        .zip(said(&finding.full))
        .filter(|_| finding.delta.is_some());
    let plane = point.map(|(scrubbed, full)| {
        let reading = plane::Reading {
            scrubbed,
            full,
            is_redacted,
        };
        let caption = of_null(plane::caption(&reading), is_redacted);
        (plane::plane(reading, finding.status, &thresholds), caption)
    });
    view! {
        <div class="measured">
            {plane.map(|(plane, caption)| view! {
                <figure>
                    {plane}
                    <figcaption class="aside">{caption}</figcaption>
                </figure>
            })}
            <Gauge reading thresholds/>
        </div>
    }
    .into_any()
}

/// Flags, signs and counts.
fn notes(finding: Finding, talking: &[String]) -> AnyView {
    let rule = name(&finding.rule);
    let is_redacted = is_redacted(&finding);
    // Where the scrubbed pass was not asked, nothing was redacted.
    let asked = finding.scrubbed.is_some();
    let is_so = |flag: &&Flag| asked || **flag != Flag::RedactedSpans;
    let flags = finding.flags.iter().filter(is_so);
    let flags = flags.map(|flag| (name(flag), flag_words(*flag)));
    let indicators = finding.indicators.iter();
    let indicators = indicators.map(|sign| (name(sign), indicator_words(*sign)));
    let notes: Vec<_> = flags
        .chain(indicators)
        .filter(|(name, _)| *name != rule)
        .map(|(name, words)| {
            let which = match name == "instruction_like" && !talking.is_empty() {
                true => format!(": {}", talking.join(", ")),
                false => String::new(),
            };
            view! { <li><code>{name}</code>" "{of_null(words, is_redacted)}<bdi>{which}</bdi></li> }
        })
        .collect();
    view! { <ul class="notes">{notes}<li>{terms_gone(&finding.removed)}</li></ul> }.into_any()
}

/// The thresholds that the card goes by, and what they make of the claim.
#[derive(Clone, Copy, PartialEq)]
struct InForce(Thresholds, Status);

/// What each profile's thresholds make of the same passes, beside those in force.
fn comparison(under: Vec<Status>, own: String, in_force: Memo<Option<InForce>>) -> AnyView {
    if under.is_empty() {
        return ().into_any();
    }
    let table = move || compared(&under, &own, in_force.get());
    let summary = "By the thresholds of each profile";
    fold("comparison", RwSignal::new(false), summary, table)
}

fn compared(under: &[Status], own: &str, in_force: Option<InForce>) -> AnyView {
    let profiles = Profile::all();
    // A profile's row states the profile's own: thresholds that were moved have a row to themselves.
    let moved = in_force.filter(|InForce(thresholds, _)| {
        let mut profiles = profiles.iter();
        !profiles.any(|profile| profile.name == own && profile.thresholds == *thresholds)
    });
    let mut rows: Vec<_> = profiles
        .iter()
        .zip(under)
        .map(|(profile, status)| {
            let is_this_run = profile.name == own && moved.is_none();
            row(&profile.name, profile.thresholds, *status, is_this_run)
        })
        .collect();
    rows.extend(moved.map(|InForce(moved, status)| row("moved thresholds", moved, status, true)));
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Statuses by profile">
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Profile"</th>
                        <th scope="col">"VERIFIED asks"</th>
                        <th scope="col">"PLAUSIBLE asks"</th>
                        <th scope="col">"Status"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="aside">
            "Least confidence with the evidence / least delta, on the same two passes. These are the thresholds only: each profile also takes out names of its own kinds, so its own passes may differ."
        </p>
    }
    .into_any()
}

fn row(
    name: &str,
    thresholds: Thresholds,
    status: Status,
    is_this_run: bool,
) -> impl IntoView + use<> {
    let Thresholds {
        verified,
        plausible,
    } = thresholds;
    let asks = |least: Minimum| format!("{} / {}", two(least.full), two(least.delta));
    view! {
        <tr class:own=is_this_run>
            <th scope="row">{name.to_owned()}{is_this_run.then_some(" (this run)")}</th>
            <td>{asks(verified)}</td>
            <td>{asks(plausible)}</td>
            <td class=format!("under {}", tone(status))>
                <Icon outline=icon::of_status(status)/>{status.label()}
            </td>
        </tr>
    }
}

/// The second opinion: each atom, and its places in the evidence.
fn second_opinion(atoms: &[Atom], sight: &Sight) -> AnyView {
    if atoms.is_empty() {
        return ().into_any();
    }
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
                    <span>
                        <code>{atom.text.clone()}</code>" "{unturned(&atom_words(atom))}
                        {sight.left.contains(&atom.text).then_some(", left by the scrub")}
                    </span>
                </li>
            }
        })
        .collect();
    let excerpts: Vec<_> = sight.excerpts.iter().cloned().map(excerpt).collect();
    view! {
        <div class="atoms">
            <h4>"Second opinion"<span class="aside">"what the claim names, looked up in the evidence: no reading, no judge"</span></h4>
            <ul>{rows}</ul>
            {(!excerpts.is_empty()).then(|| view! { <div class="excerpts">{excerpts}</div> })}
        </div>
    }
    .into_any()
}

/// The part of a span that speaks of the claim, with the places marked.
fn excerpt(excerpt: Excerpt) -> AnyView {
    let pieces: Vec<AnyView> = excerpt
        .pieces
        .into_iter()
        .map(|piece| match piece {
            Piece::Cut => view! { <span class="cut">" … "</span> }.into_any(),
            Piece::Found(text) => view! { <mark class="found">{text}</mark> }.into_any(),
            Piece::Rival { text, claimed } => view! {
                <mark class="rival">{text}<span class="instead">{format!(" ≠ {claimed}")}</span></mark>
            }
            .into_any(),
            Piece::Text(text) => text.into_any(),
        })
        .collect();
    view! {
        <p>
            <span class="id mono">{excerpt.span}</span>
            <span class="aside">{excerpt.source}</span>
            <span class="excerpt">{pieces}</span>
        </p>
    }
    .into_any()
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
        "The scrub removed {} of the claim’s {} {terms}.",
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
            let basis = pass.basis.map(|basis| match basis {
                Basis::Builtin => "built-in, ".to_owned(),
                Basis::Logprob => "by token probability, ".to_owned(),
                Basis::Verbal => "by its own number, ".to_owned(),
                basis => format!("{}, ", name(&basis)),
            });
            let times = asked(u64::from(pass.attempts));
            let error = pass.error.map(|failure| {
                view! {
                    <p class="pass-error">
                        <Icon outline=icon::WARNING/>
                        <span>{unturned(&Fault::from(&failure).to_string())}</span>
                    </p>
                }
            });
            let raw = pass.raw;
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
                {pass.reasoning.filter(|text| !text.is_empty()).map(|text| view! { <p class="reasoning">{unturned(&text)}</p> })}
                <p class="aside">{basis}{times}</p>
                {(!raw.is_empty()).then(|| replies(raw))}
            }
            .into_any()
        }
    };
    view! {
        <div class="pass">
            <h4>{title}<span class="aside">{about}</span></h4>
            {body}
        </div>
    }
}

/// How often the judge was asked: in the same words of a pass and of the whole run.
pub(crate) fn asked(times: u64) -> String {
    match times {
        1 => "asked once".to_owned(),
        2 => "asked twice".to_owned(),
        times => format!("asked {times} times"),
    }
}

fn replies(raw: Vec<String>) -> AnyView {
    let body = move || {
        let texts = raw.iter().map(|text| view! { <pre>{text.clone()}</pre> });
        texts.collect::<Vec<_>>().into_any()
    };
    fold("", RwSignal::new(false), "Replies as they came", body)
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
    fn where_spans_were_redacted_no_names_are_spoken_of() {
        let say = |words: &str| of_null(words, true);
        assert_eq!(
            say(flag_words(Flag::ScrubbedUnsure)),
            "without the spans the judge could not tell, as it should be"
        );
        assert_eq!(
            say(indicator_words(Indicator::NamesAddNothing)),
            "the spans added nothing"
        );
        assert_eq!(of_null("without the names", false), "without the names");
    }

    #[test]
    fn values_are_named_as_in_reports() {
        assert_eq!(name(&Flag::NeedsMoreEvidence), "needs_more_evidence");
        assert_eq!(name(&Status::Verified), "VERIFIED");
    }
}
