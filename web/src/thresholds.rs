//! The thresholds as sliders: the statuses follow, on the passes as they are. No judge is asked again.

use claimgauge_core::{
    decide::Status,
    profile::{Minimum, Profile, Thresholds},
};
use leptos::prelude::*;

use crate::{gauge::two, judging::Asked, running, state::State};

/// One of the four numbers, with its name.
#[derive(Clone, Copy)]
struct Level {
    id: &'static str,
    status: Status,
    of: &'static str,
    part: fn(&mut Minimum) -> &mut f64,
}

#[rustfmt::skip]
const LEVELS: [Level; 4] = [
    Level { id: "verified-full", status: Status::Verified, of: CONFIDENCE, part: |least| &mut least.full },
    Level { id: "verified-delta", status: Status::Verified, of: DELTA, part: |least| &mut least.delta },
    Level { id: "plausible-full", status: Status::Plausible, of: CONFIDENCE, part: |least| &mut least.full },
    Level { id: "plausible-delta", status: Status::Plausible, of: DELTA, part: |least| &mut least.delta },
];

const CONFIDENCE: &str = "least confidence with the evidence";
const DELTA: &str = "least delta";

impl Level {
    fn value(self, mut now: Thresholds) -> f64 {
        let Thresholds {
            verified,
            plausible,
        } = &mut now;
        *(self.part)(match self.status {
            Status::Verified => verified,
            _ => plausible,
        })
    }

    /// VERIFIED never asks for less than PLAUSIBLE: the one that is moved takes the other along.
    fn set(self, now: &mut Thresholds, value: f64) {
        let verified = (self.part)(&mut now.verified);
        let plausible = (self.part)(&mut now.plausible);
        match self.status {
            Status::Verified => (*verified, *plausible) = (value, plausible.min(value)),
            _ => (*verified, *plausible) = (verified.max(value), value),
        }
    }
}

/// The thresholds that count: the sliders', else the profile's.
fn effective(state: State) -> Option<Thresholds> {
    let own = Profile::named(&state.profile.get())?.thresholds;
    Some(state.thresholds.get().unwrap_or(own))
}

/// Has the outcome decided again whenever its thresholds are no longer those that count. While that is
/// on its way only the last thresholds wait.
pub(crate) fn follow(state: State) {
    let asked = StoredValue::new(None::<(u32, Thresholds)>);
    Effect::new(move |_| {
        let (Some(thresholds), Some(outcome)) = (effective(state), state.outcome.get()) else {
            return;
        };
        // Of another profile's scrub nothing can be said by its passes.
        let same = state
            .profile
            .with(|profile| *profile == outcome.inputs.profile);
        let on_its_way =
            |(run, by): (u32, Thresholds)| run == outcome.run && by != outcome.thresholds;
        let waits = asked.get_value().is_some_and(on_its_way);
        if same && !waits && outcome.thresholds != thresholds {
            asked.set_value(Some((outcome.run, thresholds)));
            let decide = Asked::Decide {
                run: outcome.run,
                json: outcome.json.clone(),
                thresholds,
            };
            running::say(state, &decide);
        }
    });
}

/// The sliders.
pub(crate) fn sliders(state: State) -> AnyView {
    let rows: Vec<AnyView> = LEVELS.map(|level| slider(state, level)).into();
    let own = move || state.thresholds.with(Option::is_none);
    let words = move || {
        let profile = state.profile.get();
        if own() {
            format!("These are the thresholds of the profile {profile}.")
        } else {
            format!(
                "These are your own, over those of the profile {profile}; a new run uses them too."
            )
        }
    };
    view! {
        <section class="panel levels" aria-labelledby="levels-title">
            <header class="with-switch">
                <div>
                    <h3 id="levels-title">"Move the thresholds"</h3>
                    <p class="aside">"The verdicts follow at once, on what the judge said already. "{words}</p>
                </div>
                <button
                    type="button"
                    class="quiet small"
                    disabled=own
                    on:click=move |_| state.thresholds.set(None)
                >
                    "Back to the profile’s"
                </button>
            </header>
            <div class="sliders">{rows}</div>
        </section>
    }
    .into_any()
}

fn slider(state: State, level: Level) -> AnyView {
    let value = move || effective(state).map_or(0.0, |now| level.value(now));
    let moved = move |text: String| {
        let Some((mut now, value)) = effective(state).zip(text.parse::<f64>().ok()) else {
            return;
        };
        level.set(&mut now, value.clamp(0.0, 1.0));
        let profile = Profile::named(&state.profile.get_untracked());
        let own = profile.is_some_and(|profile| profile.thresholds == now);
        state.thresholds.set((!own).then_some(now));
    };
    view! {
        <label class="slider" for=level.id>
            <span><b>{level.status.label()}</b>" "{level.of}</span>
            <output for=level.id>{move || two(value())}</output>
            <input
                id=level.id
                type="range"
                min="0"
                max="1"
                step="0.01"
                prop:value=move || value().to_string()
                on:input:target=move |event| moved(event.target().value())
            />
        </label>
    }
    .into_any()
}
