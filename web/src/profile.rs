//! The choice of a profile, with what it asks for.

use claimgauge_core::profile::{Kind, Profile, Thresholds};
use leptos::prelude::*;

use crate::{
    bound::{given, switch, text},
    browser,
    gauge::two,
    markup::Markup,
    state::State,
};

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
                        prop:checked=switch(move || name.with_value(|name| state.profile.get() == *name))
                        on:change=given(move |name| {
                            state.profile.set(name);
                            // Who picks a profile picks its thresholds.
                            state.thresholds.set(None);
                        })
                    />
                    <span>{profile.name}</span>
                </label>
            }
        })
        .collect();
    let asks = move || {
        let own = state.thresholds.get();
        let profile = Profile::named(&state.profile.get());
        profile.map_or(String::new(), |profile| asked(&profile, own))
    };
    view! {
        <section class="panel" aria-labelledby="profile-title">
            // Folded where what follows would be far below.
            <details class="setting" open=browser::is_wide()>
                <summary>
                    <h2 id="profile-title">"Profile"</h2>
                    <span class="chosen">{text(move || state.profile.get())}</span>
                </summary>
                <p class="aside">"What kind of evidence it is: which names go, and how much must depend on them."</p>
                <div class="options" role="radiogroup" aria-labelledby="profile-title">
                    {options}
                </div>
                <div class="asks" inner_html=text(asks)></div>
            </details>
        </section>
    }
}

/// What a profile asks for, by its own thresholds or others, and what it scrubs.
fn asked(profile: &Profile, own: Option<Thresholds>) -> String {
    let mut to = Markup::default();
    to.html(
        r#"<table><caption class="hidden-label">Least confidence with the evidence, and least delta</caption><thead><tr><th scope="col">asks for</th><th scope="col">with evidence</th><th scope="col">delta</th></tr></thead><tbody>"#,
    );
    let thresholds = own.unwrap_or(profile.thresholds);
    for (status, minimum) in [
        ("VERIFIED", thresholds.verified),
        ("PLAUSIBLE", thresholds.plausible),
    ] {
        to.html(r#"<tr><th scope="row">"#);
        to.html(status);
        to.html("</th>");
        for least in [minimum.full, minimum.delta] {
            to.html("<td>");
            to.text(&two(least));
            to.html("</td>");
        }
        to.html("</tr>");
    }
    to.html(r#"</tbody></table><p class="aside">"#);
    if own.is_some() {
        to.html("These are thresholds of your own. ");
    }
    to.html(
        r#"With evidence: the least confidence. Delta: the least of it that must be lost without the names.</p><p class="aside">Scrubs what the claims name, and each "#,
    );
    let kinds: Vec<&str> = profile.kinds.iter().copied().map(Kind::label).collect();
    to.text(&listed(&kinds));
    to.html(".</p>");
    to.0
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
