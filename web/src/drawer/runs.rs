//! Earlier runs: a list to open them from, and two of them side by side.

use leptos::{prelude::*, task::spawn_local};

use super::{State, load};
use crate::{
    gauge::two,
    history::{self, Entry, Line},
    icon::{self, Icon},
    keep,
    talk::{Origin, Standing},
};

/// What the browser has kept.
type Kept = Vec<(f64, Entry)>;

/// The panel.
#[component]
pub(super) fn Runs(state: State) -> impl IntoView {
    let kept = RwSignal::new(None::<Result<Kept, ()>>);
    let chosen = RwSignal::new(Vec::<f64>::new());
    let refresh = move || {
        spawn_local(async move {
            let listed = history::list().await.map_err(|_| ());
            if let Ok(listed) = &listed {
                let is_there = |key: &f64| listed.iter().any(|(known, _)| known == key);
                chosen.update(|chosen| chosen.retain(is_there));
            }
            kept.set(Some(listed));
        });
    };
    Effect::new(move |_| {
        state.opened.track();
        refresh();
    });

    let open = move |key: f64| {
        spawn_local(async move {
            match history::open(key).await {
                Ok(Some(run)) => load(
                    Origin::Run,
                    Standing {
                        inputs: run.inputs,
                        outcome: Some(run.outcome),
                    },
                    "",
                ),
                _ => state.told.set("This run is not there any more.".to_owned()),
            }
        });
    };
    let remove = move |key: f64| {
        spawn_local(async move {
            let gone = history::remove(key).await.is_ok();
            state
                .told
                .set(if gone { "The run was removed." } else { FAILED }.to_owned());
            refresh();
        });
    };
    let keeps = RwSignal::new(keep::keeps_runs());
    let keep_runs = move |on: bool| {
        keeps.set(on);
        let words = match (keep::set_keeps_runs(on), on) {
            (false, _) => "This browser does not remember what is set here.",
            (true, true) => "Runs are kept from now on.",
            (true, false) => {
                "No further run is kept. Those that are here stay until they are removed."
            }
        };
        state.told.set(words.to_owned());
    };
    let sure = RwSignal::new(false);
    let clear = move |_| {
        if !sure.get_untracked() {
            sure.set(true);
            return;
        }
        sure.set(false);
        spawn_local(async move {
            let gone = history::clear().await.is_ok();
            state.told.set(
                if gone {
                    "All runs were removed."
                } else {
                    FAILED
                }
                .to_owned(),
            );
            refresh();
        });
    };
    let choose = move |key: f64| {
        chosen.update(
            |chosen| match chosen.iter().position(|known| *known == key) {
                Some(at) => {
                    chosen.remove(at);
                }
                None => {
                    chosen.push(key);
                    if chosen.len() > 2 {
                        chosen.remove(0);
                    }
                }
            },
        );
    };
    let list = move |kept: Kept| {
        let rows: Vec<_> = kept
            .into_iter()
            .map(|(key, entry)| {
                let title = format!("{}, {}", time(entry.time), recommended(&entry));
                let claims = match entry.total {
                    1 => "1 claim".to_owned(),
                    total => format!("{total} claims"),
                };
                let about = format!("{claims}, {}, judge: {}", entry.profile, entry.judge);
                let first = entry.claims.into_iter().next().map(|line| line.text);
                view! {
                    <li class="run">
                        <label>
                            <input
                                type="checkbox"
                                prop:checked=move || chosen.with(|chosen| chosen.contains(&key))
                                on:change=move |_| choose(key)
                            />
                            <span>
                                <b>{title.clone()}</b>
                                <span class="aside">{about}</span>
                                <span class="aside first">{first}</span>
                            </span>
                        </label>
                        <button
                            type="button"
                            class="quiet small"
                            aria-label=format!("Open the run of {title}")
                            on:click=move |_| open(key)
                        >
                            "Open"
                        </button>
                        <button
                            type="button"
                            class="bare"
                            aria-label=format!("Remove the run of {title}")
                            title="Remove"
                            on:click=move |_| remove(key)
                        >
                            <Icon outline=icon::REMOVE/>
                        </button>
                    </li>
                }
            })
            .collect();
        view! { <ul class="runs" aria-label="Runs, the last one first">{rows}</ul> }
    };
    let comparison = move || {
        let (kept, chosen) = (kept.get()?.ok()?, chosen.get());
        let picked: Vec<Entry> = kept
            .into_iter()
            .rev()
            .filter_map(|(key, entry)| chosen.contains(&key).then_some(entry))
            .collect();
        match <[Entry; 2]>::try_from(picked) {
            Ok([older, newer]) => Some(view! { <Comparison older newer/> }),
            Err(_) => None,
        }
    };
    view! {
        <section aria-labelledby="runs-title">
            <h3 id="runs-title">"Earlier runs"</h3>
            <p class="aside">"The last 50, in this browser only. Choose two to compare them."</p>
            <label class="keep-runs">
                <input
                    type="checkbox"
                    id="keep-runs"
                    prop:checked=move || keeps.get()
                    on:change:target=move |event| keep_runs(event.target().checked())
                />
                "Keep each run that comes to its end"
            </label>
            {move || match kept.get() {
                None => view! { <p class="aside">"Looking …"</p> }.into_any(),
                Some(Err(())) => view! { <p class="aside">{FAILED}</p> }.into_any(),
                Some(Ok(kept)) if kept.is_empty() => view! {
                    <p class="aside">"No run is kept yet."</p>
                }.into_any(),
                Some(Ok(kept)) => {
                    let number = kept.len();
                    view! {
                        {list(kept)}
                        <button type="button" id="clear-runs" class="quiet small" on:click=clear>
                            {move || if sure.get() {
                                format!("Really remove all {number}?")
                            } else {
                                "Remove all".to_owned()
                            }}
                        </button>
                    }.into_any()
                }
            }}
            <div role="status">{comparison}</div>
        </section>
    }
}

const FAILED: &str = "This browser keeps no runs for the page.";

/// Two runs, claim by claim.
#[component]
fn Comparison(older: Entry, newer: Entry) -> impl IntoView {
    let cell = |line: Option<Line>| match line {
        None => view! { <td><span class="aside">"not in it"</span></td> }.into_any(),
        Some(line) => {
            let status = line.status.label();
            let class = format!("chip tone-{}", status.to_lowercase());
            let delta = line
                .delta
                .map_or("no delta".to_owned(), |delta| format!("Δ {}", two(delta)));
            view! { <td><span class=class>{status}</span>" "<span class="delta">{delta}</span></td> }.into_any()
        }
    };
    let heads = [("Older", &older), ("Newer", &newer)].map(|(which, run)| {
        let (day, hour) = day_and_time(run.time);
        let came = format!("{}, judge: {}", recommended(run), run.judge);
        view! {
            <th scope="col">
                {which}" "
                <span class="aside"><span>{day}</span>" "<span>{hour}</span></span>
                <span class="aside">{came}</span>
            </th>
        }
    });
    let rows: Vec<_> = side_by_side(&older.claims, &newer.claims)
        .into_iter()
        .map(|(text, before, after)| {
            let status = |line: &Option<Line>| line.as_ref().map(|line| line.status);
            let differs = before.is_some() && after.is_some() && status(&before) != status(&after);
            view! {
                <tr class:differs=differs>
                    <th scope="row"><bdi>{text}</bdi>{differs.then_some(" (another status)")}</th>
                    {cell(before)}
                    {cell(after)}
                </tr>
            }
        })
        .collect();
    view! {
        <div class="compared" tabindex="0" role="group" aria-label="Two runs, side by side">
            <table>
                <caption>"Two runs"</caption>
                <thead><tr><th scope="col">"Claim"</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

/// Each claim with what both runs make of it; one that is there twice is met twice.
fn side_by_side(older: &[Line], newer: &[Line]) -> Vec<(String, Option<Line>, Option<Line>)> {
    let mut rest: Vec<Option<&Line>> = newer.iter().map(Some).collect();
    let mut rows: Vec<_> = older
        .iter()
        .map(|before| {
            let same =
                |line: &&mut Option<&Line>| line.is_some_and(|line| line.text == before.text);
            let after = rest.iter_mut().find(same).and_then(Option::take);
            (before.text.clone(), Some(before.clone()), after.cloned())
        })
        .collect();
    let left = rest.into_iter().flatten();
    rows.extend(left.map(|line| (line.text.clone(), None, Some(line.clone()))));
    rows
}

/// What came of a run.
fn recommended(run: &Entry) -> String {
    run.recommendation.replace('_', " ")
}

/// A moment, by the user's clock.
fn time(milliseconds: f64) -> String {
    let (day, time) = day_and_time(milliseconds);
    format!("{day} {time}")
}

fn day_and_time(milliseconds: f64) -> (String, String) {
    let date = js_sys::Date::new(&milliseconds.into());
    let day = format!(
        "{}-{:02}-{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date()
    );
    let time = format!(
        "{:02}:{:02}:{:02}",
        date.get_hours(),
        date.get_minutes(),
        date.get_seconds()
    );
    (day, time)
}

#[cfg(test)]
mod tests {
    use claimgauge_core::decide::Status;

    use super::*;

    #[test]
    fn claims_meet_by_their_text() {
        let line = |text: &str, status| Line::new(text, status, Some(0.5));
        let older = [
            line("a", Status::Verified),
            line("b", Status::Plausible),
            line("a", Status::Suspicious),
        ];
        let newer = [line("a", Status::Unsupported), line("c", Status::Verified)];
        let rows = side_by_side(&older, &newer);
        let told: Vec<_> = rows
            .iter()
            .map(|(text, before, after)| {
                let status = |line: &Option<Line>| line.as_ref().map(|line| line.status);
                (text.as_str(), status(before), status(after))
            })
            .collect();
        assert_eq!(
            told,
            [
                ("a", Some(Status::Verified), Some(Status::Unsupported)),
                ("b", Some(Status::Plausible), None),
                ("a", Some(Status::Suspicious), None),
                ("c", None, Some(Status::Verified)),
            ]
        );
    }
}
