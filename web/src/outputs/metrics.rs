//! The checks that were asked for since the page was opened, added up and drawn.

use claimgauge_core::metrics::{Aggregates, ErrorCounts, LevelCounts, Metrics};
use leptos::prelude::*;

use super::state::State;

/// Errors by the name that they have in results, with words for people.
fn categories(counts: &ErrorCounts) -> [(usize, &'static str, &'static str); 8] {
    [
        (counts.missing_field, "missing_field", "a key is missing"),
        (
            counts.invalid_type,
            "invalid_type",
            "a value is of the wrong type",
        ),
        (
            counts.schema_mismatch,
            "schema_mismatch",
            "a tool’s output does not fit",
        ),
        (
            counts.file_not_found,
            "file_not_found",
            "a file is not there",
        ),
        (
            counts.hash_mismatch,
            "hash_mismatch",
            "a file has another content",
        ),
        (
            counts.anchor_mismatch,
            "anchor_mismatch",
            "an edit is not there",
        ),
        (
            counts.filesystem_mismatch,
            "filesystem_mismatch",
            "a file, path or trace says otherwise",
        ),
        (counts.unknown, "unknown", "anything else"),
    ]
}

/// The panel.
#[component]
pub(crate) fn Session(state: State) -> impl IntoView {
    let sums = Memo::new(move |_| state.metrics.with(Metrics::aggregates));
    let some = Memo::new(move |_| sums.with(|sums| sums.total_checks > 0));
    view! {
        <Show when=move || some.get()>
            <section class="panel session" aria-labelledby="session-title">
                <header class="with-switch">
                    <div>
                        <h2 id="session-title">"This session"</h2>
                        <p class="aside">{move || sums.with(summary)}</p>
                    </div>
                    <button type="button" class="quiet small" on:click=move |_| state.metrics.update(Metrics::clear)>
                        "Clear"
                    </button>
                </header>
                {move || sums.with(charts)}
            </section>
        </Show>
    }
}

fn summary(sums: &Aggregates) -> String {
    let outputs = sums.outputs;
    format!(
        "{} of {} {} passed, {}. Only checks that you start count.",
        outputs.passed,
        outputs.total,
        if outputs.total == 1 {
            "output"
        } else {
            "outputs"
        },
        percent(outputs.pass_rate)
    )
}

fn charts(sums: &Aggregates) -> impl IntoView + use<> {
    let levels = [
        ("1 Shape", sums.by_level.structure),
        ("2 Tools", sums.by_level.tool_output),
        ("3 Files", sums.by_level.filesystem),
    ];
    let levels: Vec<_> = levels
        .into_iter()
        .map(|(name, counts)| {
            let rate = share(counts.passed, counts.total);
            let ran = counts.total > 0;
            view! {
                <tr>
                    <th scope="row">{name}</th>
                    <td class="drawn"><Bar class="passed" share=rate track=ran && rate < 1.0/></td>
                    <td>{level_words(&counts)}</td>
                </tr>
            }
        })
        .collect();
    let all = categories(&sums.errors_by_category);
    let top = all.iter().map(|(count, ..)| *count).max().unwrap_or(0);
    let errors: Vec<_> = all
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, name, about)| {
            view! {
                <tr>
                    <th scope="row"><code title=about>{name}</code></th>
                    <td class="drawn"><Bar class="failed" share=share(count, top) track=false/></td>
                    <td>{count}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <table class="chart">
            <caption>"Pass rate by level"</caption>
            <tbody>{levels}</tbody>
        </table>
        {(!errors.is_empty()).then(|| view! {
            <table class="chart">
                <caption>"Errors by category "<span class="aside">"the first one of each failed level"</span></caption>
                <tbody>{errors}</tbody>
            </table>
        })}
    }
}

fn level_words(counts: &LevelCounts) -> String {
    match counts.total {
        0 => "not run".to_owned(),
        total => format!(
            "{} ({} of {total})",
            percent(share(counts.passed, total)),
            counts.passed
        ),
    }
}

fn share(part: usize, of: usize) -> f64 {
    if of == 0 {
        0.0
    } else {
        part as f64 / of as f64
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// The words beside it say the same.
#[component]
fn Bar(class: &'static str, share: f64, track: bool) -> impl IntoView {
    view! {
        <span class=format!("bar {class}") class:track=track aria-hidden="true">
            <span class="fill" style:width=format!("{:.1}%", share * 100.0)></span>
        </span>
    }
}
