//! The choice of a profile, with what it asks for.

use claimgauge_core::profile::{Kind, Profile};
use leptos::prelude::*;

use crate::{browser, gauge::two, state::State};

/// The five profiles.
#[component]
pub(crate) fn ProfilePicker(state: State) -> impl IntoView {
    let options: Vec<_> = Profile::all()
        .into_iter()
        .map(|profile| {
            let name = StoredValue::new(profile.name.clone());
            view! {
                <label class="option">
                    <input
                        type="radio"
                        name="profile"
                        value=profile.name.clone()
                        prop:checked=move || name.with_value(|name| state.profile.get() == *name)
                        on:change=move |_| {
                            state.profile.set(name.get_value());
                            // Who picks a profile picks its thresholds.
                            state.thresholds.set(None);
                        }
                    />
                    <span>{profile.name}</span>
                </label>
            }
        })
        .collect();
    let asks = move || {
        let profile = Profile::named(&state.profile.get())?;
        let row = |status, minimum: claimgauge_core::profile::Minimum| {
            view! {
                <tr>
                    <th scope="row">{status}</th>
                    <td>{two(minimum.full)}</td>
                    <td>{two(minimum.delta)}</td>
                </tr>
            }
        };
        let own = state.thresholds.get();
        let thresholds = own.unwrap_or(profile.thresholds);
        let kinds: Vec<&str> = profile.kinds.iter().copied().map(Kind::label).collect();
        Some(view! {
            <div class="asks">
                <table>
                    <caption class="hidden-label">"Least confidence with the evidence, and least delta"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"asks for"</th>
                            <th scope="col"><abbr title="least confidence of the full pass">"with evidence"</abbr></th>
                            <th scope="col"><abbr title="least gain over the scrubbed pass">"delta"</abbr></th>
                        </tr>
                    </thead>
                    <tbody>
                        {row("VERIFIED", thresholds.verified)}
                        {row("PLAUSIBLE", thresholds.plausible)}
                    </tbody>
                </table>
                <p class="aside">
                    {own.map(|_| "These are thresholds of your own. ")}
                    "With evidence: the least confidence. Delta: the least of it that must be lost without the names."
                </p>
                <p class="aside">
                    {format!("Scrubs what the claims name, and each {}.", listed(&kinds))}
                </p>
            </div>
        })
    };
    view! {
        <section class="panel" aria-labelledby="profile-title">
            // Folded where what follows would be far below.
            <details class="setting" open=browser::is_wide()>
                <summary>
                    <h2 id="profile-title">"Profile"</h2>
                    <span class="chosen">{move || state.profile.get()}</span>
                </summary>
                <p class="aside">"What kind of evidence it is: which names go, and how much must depend on them."</p>
                <div class="options" role="radiogroup" aria-labelledby="profile-title">
                    {options}
                </div>
                {asks}
            </details>
        </section>
    }
}

/// "a, b and c".
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn lists_read_as_prose() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
