//! What came of a check: each level, and each claim with its place in what was pasted.

use std::{ops::Range, sync::Arc};

use claimgauge_core::{
    metrics::{Category, Level},
    output::{CheckResult, ClaimResult, FilesystemValidation, Outcome as Ended, ToolError},
};
use leptos::prelude::*;
use serde::Deserialize;

use super::{
    inputs::{Field, Inputs},
    locate::{self, Excerpt, Located},
    state::{Outcome, State, select},
};
use crate::{
    copy::{Copies, Form},
    icon::{self, Icon},
    markup::{turns, written_out},
};

/// How many claims or errors are drawn at first, and with each press of "Show more".
const PAGE: usize = 50;

/// Text from outside with what cannot be seen, or turns the line around, written out.
pub(crate) fn visible(text: &str) -> String {
    let is_unseen =
        |character: char| turns(character) || has_no_width(character) || character.is_control();
    written_out(text, is_unseen)
}

fn has_no_width(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{feff}')
}

/// A place in what was pasted.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    field: Field,
    range: Range<usize>,
    excerpt: Excerpt,
}

/// What of a trace is needed to find a place in it.
#[derive(Deserialize)]
struct Trace {
    invocations: Vec<Invocation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    invocation_id: String,
    tool: String,
}

impl Place {
    fn new(field: Field, text: &str, located: Located) -> Self {
        Self {
            field,
            excerpt: locate::excerpt(text, &located.range),
            range: located.range,
        }
    }

    /// Where an error of level 1 stands.
    fn in_output(inputs: &Inputs, path: &str) -> Self {
        let steps = path.split('.').filter(|step| !step.is_empty());
        let text = &inputs.output;
        Self::new(Field::Output, text, locate::locate(text, steps))
    }

    /// What the tool gave, as far as the error's path leads into it.
    fn in_trace(inputs: &Inputs, trace: &Trace, error: &ToolError) -> Option<Self> {
        let text = &inputs.trace;
        let at = trace.invocations.iter().position(|one| {
            one.invocation_id == error.invocation_id && one.tool == error.tool_name
        })?;
        let at = at.to_string();
        let steps = ["invocations", &at, "output"].into_iter();
        let below = error.path.split('.').filter(|step| !step.is_empty());
        let located = locate::locate(text, steps.chain(below));
        Some(Self::new(Field::Trace, text, located))
    }

    /// The part of a claim that was wrong. `claims` are the places of all of them: the way to each from
    /// the start would be long.
    fn of_claim(inputs: &Inputs, claims: &[Range<usize>], claim: &ClaimResult) -> Self {
        let text = &inputs.output;
        let whole = claims.get(claim.index).cloned().unwrap_or_default();
        let part = match claim.category {
            Some(Category::HashMismatch) => "contentHash",
            Some(Category::AnchorMismatch) => "anchor",
            Some(Category::FileNotFound) => "filePath",
            Some(Category::FilesystemMismatch) if claim.claim.file_path().is_none() => "exitCode",
            Some(Category::FilesystemMismatch) => "filePath",
            _ => "kind",
        };
        Self::new(Field::Output, text, locate::locate_in(text, whole, [part]))
    }
}

/// The panel.
#[component]
pub(crate) fn Results(state: State) -> impl IntoView {
    let announcement = move || {
        let outcome = state.outcome.get()?;
        let result = &outcome.result;
        let (heading, headline) = (heading(result), headline(result));
        Some(format!("{heading}. {headline} {}", counted(result)))
    };
    view! {
        <p class="hidden-label" role="status" aria-live="polite">{announcement}</p>
        {move || match state.outcome.get() {
            Some(outcome) => view! { <Shown state outcome/> }.into_any(),
            None if state.reached.with(Option::is_some) => ().into_any(),
            None => view! {
                <section class="panel results-empty" aria-label="Result">
                    <p>"Check the output to see, for each level and each claim, whether it holds."</p>
                </section>
            }
            .into_any(),
        }}
    }
}

fn heading(result: &CheckResult) -> &'static str {
    if result.valid { "VALID" } else { "NOT VALID" }
}

/// Why it is so.
fn headline(result: &CheckResult) -> String {
    if result.valid {
        return "No level failed.".to_owned();
    }
    let title = title(result.level).to_lowercase();
    format!("Level {}, {title}, failed.", result.level.number())
}

fn title(level: Level) -> &'static str {
    match level {
        Level::Structure => "Shape of the output",
        Level::ToolOutput => "Outputs of the tools",
        Level::Filesystem => "Claims and files",
    }
}

/// "2 passed, 1 failed": the claims by how they ended.
fn counted(result: &CheckResult) -> String {
    let level = result.filesystem_validation.as_ref();
    let counts = level.map(|level| {
        let of = |ended: Ended| {
            let is = |claim: &&ClaimResult| claim.outcome == ended;
            level.claim_results.iter().filter(is).count()
        };
        let words = ENDS.map(|ended| (of(ended), word(ended)));
        let words = words.into_iter().filter(|(count, _)| *count > 0);
        let words: Vec<_> = words.map(|(n, word)| format!("{n} {word}")).collect();
        format!("Claims: {}.", words.join(", "))
    });
    counts.unwrap_or_default()
}

/// In the order in which they are counted and listed.
const ENDS: [Ended; 5] = [
    Ended::Failed,
    Ended::Inconclusive,
    Ended::Passed,
    Ended::Trusted,
    Ended::Superseded,
];

fn word(ended: Ended) -> &'static str {
    match ended {
        Ended::Failed => "failed",
        Ended::Inconclusive => "inconclusive",
        Ended::Passed => "passed",
        Ended::Superseded => "superseded",
        Ended::Trusted => "trusted",
    }
}

fn tone(ended: Ended) -> &'static str {
    match ended {
        Ended::Failed => "tone-unsupported",
        Ended::Inconclusive => "tone-suspicious",
        Ended::Passed => "tone-verified",
        Ended::Superseded | Ended::Trusted => "tone-inconclusive",
    }
}

fn outline(ended: Ended) -> &'static str {
    match ended {
        Ended::Failed => icon::STOP,
        Ended::Inconclusive => icon::QUESTION,
        Ended::Passed => icon::CHECK,
        Ended::Superseded => icon::LAYERS,
        Ended::Trusted => icon::SPEECH,
    }
}

#[component]
fn Shown(state: State, outcome: Arc<Outcome>) -> impl IntoView {
    let result = &outcome.result;
    let (tone, outline) = if result.valid {
        ("banner tone-verified", icon::CHECK)
    } else {
        ("banner tone-unsupported", icon::STOP)
    };
    let notes = notes(&outcome).into_iter();
    let notes = notes.map(|note| view! { <li>{note}</li> }.into_any());
    let notes: Vec<_> = conflicts(&outcome).into_iter().chain(notes).collect();
    let levels = Level::ALL.map(|level| {
        let (ended, words) = level_state(&outcome, level);
        view! { <LevelRow level ended words/> }
    });
    view! {
        <section
            class="results"
            class:outdated=move || state.outdated.get()
            aria-labelledby="outputs-result"
        >
            {move || state.outdated.get().then(|| view! {
                <p class="stale" role="status">
                    <Icon outline=icon::WARNING/>
                    "Something was changed since this check."
                </p>
            })}
            <div class=tone>
                <Icon outline/>
                <div>
                    <h2 id="outputs-result">{heading(result)}</h2>
                    <p>{headline(result)}</p>
                    <p class="counts">{counted(result)}</p>
                    <ul class="aside">{notes}</ul>
                </div>
            </div>
            <ol class="levels" aria-label="Levels">{levels.into_iter().collect::<Vec<_>>()}</ol>
            <Copies forms=forms(&outcome)/>
            <Errors outcome=Arc::clone(&outcome)/>
            <Claims outcome=Arc::clone(&outcome)/>
        </section>
    }
}

fn forms(outcome: &Arc<Outcome>) -> Vec<Form> {
    let outcome = Arc::clone(outcome);
    let json = move || serde_json::to_string_pretty(&outcome.result).unwrap_or_default();
    vec![("JSON", Box::new(json))]
}

/// What else is to be said of the whole.
fn notes(outcome: &Outcome) -> Vec<String> {
    let Outcome {
        result, has_folder, ..
    } = outcome;
    let mut notes = Vec::new();
    if result.claimless {
        notes.push("The output claims nothing, so nothing could be checked.".to_owned());
    }
    let level = result.filesystem_validation.as_ref();
    if level.is_some() && !has_folder {
        notes.push("No folder was picked: claims about files stay open.".to_owned());
    }
    if !result.unclaimed.is_empty() {
        let paths: Vec<_> = result.unclaimed.iter().map(|path| visible(path)).collect();
        notes.push(format!(
            "Changed in the trace and claimed nowhere: {}.",
            paths.join(", ")
        ));
    }
    notes
}

/// Claims that cannot all be true, by the lines that their cards name.
fn conflicts(outcome: &Outcome) -> Vec<AnyView> {
    let Some(level) = &outcome.result.filesystem_validation else {
        return Vec::new();
    };
    if level.conflicts.is_empty() {
        return Vec::new();
    }
    let inputs = &outcome.inputs;
    let places = locate::list(&inputs.output, ["claims"]);
    let rows = level.conflicts.iter().map(|conflict| {
        let claims = level.claim_results.iter();
        let claims = claims.filter(|claim| conflict.claims.contains(&claim.index));
        let jumps: Vec<_> = claims
            .enumerate()
            .map(|(at, claim)| {
                let place = Place::of_claim(inputs, &places, claim);
                let comma = (at > 0).then_some(", ");
                view! { {comma}<Jump place/> }
            })
            .collect();
        view! { <li>"The claims at "{jumps}" contradict each other about "<bdi>{visible(&conflict.path)}</bdi>"."</li> }
            .into_any()
    });
    rows.collect()
}

/// How a level ended; `None` where it did not run.
fn level_state(outcome: &Outcome, level: Level) -> (Option<bool>, String) {
    let result = &outcome.result;
    let not_reached = || (None, "Not reached.".to_owned());
    let errors = |n: usize| format!("{n} {}.", if n == 1 { "error" } else { "errors" });
    match level {
        Level::Structure => match result.structure_validation.errors.len() {
            0 => (Some(true), "The output has its shape.".to_owned()),
            n => (Some(false), errors(n)),
        },
        Level::ToolOutput => match &result.plugin_validation {
            None if !result.structure_validation.valid => not_reached(),
            None => (None, "Not run: there is no trace.".to_owned()),
            Some(level) if !level.valid => (Some(false), errors(level.errors.len())),
            Some(level) => {
                let without: Vec<_> = level
                    .unregistered
                    .iter()
                    .map(|tool| visible(tool))
                    .collect();
                let without = match without.as_slice() {
                    [] => String::new(),
                    tools => format!(" Without a schema: {}.", tools.join(", ")),
                };
                match level.checked {
                    0 => (None, format!("Nothing to hold against a schema.{without}")),
                    1 => (Some(true), format!("One output fits its schema.{without}")),
                    n => (
                        Some(true),
                        format!("{n} outputs fit their schemas.{without}"),
                    ),
                }
            }
        },
        Level::Filesystem => match &result.filesystem_validation {
            Some(FilesystemValidation { valid, .. }) => (Some(*valid), counted(result)),
            None if result.level == Level::Filesystem => (None, "No claims.".to_owned()),
            None => not_reached(),
        },
    }
}

#[component]
fn LevelRow(level: Level, ended: Option<bool>, words: String) -> impl IntoView {
    let (tone, outline, said) = match ended {
        Some(true) => ("tone-verified", icon::CHECK, "passed"),
        Some(false) => ("tone-unsupported", icon::STOP, "failed"),
        None => ("tone-inconclusive", icon::SKIPPED, "not run"),
    };
    view! {
        <li class=tone>
            <Icon outline/>
            <div>
                <p><b>{format!("{} {}", level.number(), title(level))}</b><span class="hidden-label">{format!(": {said}")}</span></p>
                <p class="aside">{words}</p>
            </div>
        </li>
    }
}

/// What is wrong at levels 1 and 2.
#[component]
fn Errors(outcome: Arc<Outcome>) -> impl IntoView {
    let result = &outcome.result;
    let inputs = &outcome.inputs;
    let trace = serde_json::from_str(&inputs.trace).ok();
    let trace: Option<Trace> = trace.filter(|_| result.plugin_validation.is_some());
    let shape = result.structure_validation.errors.iter().map(|error| {
        let at = if error.path.is_empty() {
            "the output"
        } else {
            &error.path
        };
        let place = Place::in_output(inputs, &error.path);
        (at.to_owned(), error.message.clone(), Some(place))
    });
    let plugin = result.plugin_validation.iter();
    let tools = plugin.flat_map(|level| &level.errors).map(|error| {
        let dot = if error.path.is_empty() { "" } else { "." };
        let at = format!("{}, output{dot}{}", error.tool_name, error.path);
        let trace = trace.as_ref();
        let place = trace.and_then(|trace| Place::in_trace(inputs, trace, error));
        (at, error.message.clone(), place)
    });
    let all: Vec<_> = shape.chain(tools).take(PAGE).collect();
    let total = result.structure_validation.errors.len()
        + result
            .plugin_validation
            .as_ref()
            .map_or(0, |level| level.errors.len());
    let more = total - all.len();
    let rows: Vec<_> = all
        .into_iter()
        .map(|(at, message, place)| {
            view! {
                <li class="claim tone-unsupported">
                    <div class="claim-head">
                        <Icon outline=icon::STOP/>
                        <bdi class="mono path">{visible(&at)}</bdi>
                        {place.as_ref().map(|place| view! { <Jump place=place.clone()/> })}
                    </div>
                    <p class="why">{visible(&message)}</p>
                    {place.map(|place| view! { <Quote excerpt=place.excerpt/> })}
                </li>
            }
        })
        .collect();
    (total > 0).then(|| {
        view! {
            <ul class="claims" aria-label="Errors">{rows}</ul>
            {(more > 0).then(|| view! { <p class="aside">{format!("and {more} more errors")}</p> })}
        }
    })
}

/// Every claim: first those that count against the output.
#[component]
fn Claims(outcome: Arc<Outcome>) -> impl IntoView {
    let level = outcome.result.filesystem_validation.as_ref();
    let claims = level.map_or(&[][..], |level| &level.claim_results);
    let mut order: Vec<usize> = (0..claims.len()).collect();
    let rank = |at: &usize| ENDS.iter().position(|end| *end == claims[*at].outcome);
    order.sort_by_key(|at| rank(at).map(|rank| rank.min(2)));
    let total = order.len();
    let most = RwSignal::new(PAGE);
    let places = locate::list(&outcome.inputs.output, ["claims"]);
    let inputs = Arc::clone(&outcome);
    let rows = move || {
        let level = inputs.result.filesystem_validation.as_ref();
        let claims = level.map_or(&[][..], |level| &level.claim_results);
        order
            .iter()
            .take(most.get())
            .filter_map(|at| claims.get(*at))
            .map(|claim| claim_row(&inputs.inputs, &places, claim))
            .collect::<Vec<_>>()
    };
    (total > 0).then(|| view! {
        <ul class="claims" aria-label="Claims">{rows}</ul>
        {move || (total > most.get()).then(|| view! {
            <button type="button" class="quiet" on:click=move |_| most.update(|most| *most += PAGE)>
                {format!("Show more of the {total} claims")}
            </button>
        })}
    })
}

fn claim_row(inputs: &Inputs, places: &[Range<usize>], result: &ClaimResult) -> AnyView {
    let ended = result.outcome;
    let place = Place::of_claim(inputs, places, result);
    let quoted = matches!(ended, Ended::Failed | Ended::Inconclusive);
    let about = match &*result.claim {
        claimgauge_core::output::Claim::CommandExecuted { command, exit_code } => {
            format!("{command} → {exit_code}")
        }
        claim => claim.file_path().unwrap_or_default().to_owned(),
    };
    let why = match ended {
        Ended::Trusted => Some("Taken as told: only a strict check with a trace can show it."),
        _ => result.reason.as_deref(),
    };
    view! {
        <li class=format!("claim {}", tone(ended))>
            <div class="claim-head">
                <p class="status">
                    <Icon outline=outline(ended)/>
                    {word(ended)}
                </p>
                <span class="claim-kind">{result.claim.kind()}</span>
                <bdi class="mono path">{visible(&about)}</bdi>
                <Jump place=place.clone()/>
            </div>
            {why.map(|why| view! { <p class="why">{visible(why)}</p> })}
            {result.hint.as_ref().map(|hint| view! { <p class="aside">{format!("Possible cause: {}", visible(hint))}</p> })}
            {quoted.then(|| view! { <Quote excerpt=place.excerpt/> })}
        </li>
    }
    .into_any()
}

/// Leads to a place in the field that it was pasted into.
#[component]
fn Jump(place: Place) -> impl IntoView {
    let line = place.excerpt.line;
    let what = match place.field {
        Field::Trace => "trace, line",
        _ => "line",
    };
    view! {
        <button
            type="button"
            class="link jump-to"
            on:click=move |_| select(place.field, &place.range)
        >
            {format!("{what} {line}")}
        </button>
    }
}

/// What was pasted, with the place marked.
#[component]
fn Quote(excerpt: Excerpt) -> impl IntoView {
    view! {
        <pre class="quote">{shown_lines(&excerpt.before)}<mark>{shown_lines(&excerpt.marked)}</mark>{shown_lines(&excerpt.after)}</pre>
    }
}

/// As [`visible`], with its lines.
fn shown_lines(text: &str) -> String {
    let lines: Vec<_> = text
        .split('\n')
        .map(|line| visible(line.trim_end_matches('\r')))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("a\u{202e}txt.exe"), "a\\u202etxt.exe");
        assert_eq!(visible("a\nb\u{0}"), "a\\u000ab\\u0000");
        assert_eq!(visible("übung/<b>.ts"), "übung/<b>.ts");
        assert_eq!(shown_lines("a\r\n\u{200b}b"), "a\n\\u200bb");
    }
}
