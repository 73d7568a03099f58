//! The delta, drawn against what the profile asks for.

use claimgauge_core::{
    judgement::Verdict,
    profile::{Minimum, Thresholds},
};
use leptos::prelude::*;

/// What one gauge shows. Confidences are in [0, 1], the delta in [-1, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) scrubbed: Option<f64>,
    pub(crate) full: Option<f64>,
    pub(crate) delta: Option<f64>,
    pub(crate) asks: Asks,
}

/// Which thresholds decide.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Asks {
    /// Both: both passes found the claim entailed.
    Both,
    /// The full confidence: a scrubbed pass that could not tell is what the method hopes for.
    FullOnly,
    /// None: the verdicts decide.
    Nothing,
}

/// Two decimals, half away from zero, as reports print them.
pub(crate) fn two(value: f64) -> String {
    let hundredths = ((value * 1e6).round() / 1e4).round();
    // Adding zero turns -0 into 0.
    format!("{:.2}", hundredths / 100.0 + 0.0)
}

/// What the gauge shows, in words.
pub(crate) fn words(reading: &Reading) -> String {
    let say = |value: Option<f64>| value.map_or_else(|| "no number".to_owned(), two);
    format!(
        "Confidence {} without the names, {} with the evidence, delta {}.",
        say(reading.scrubbed),
        say(reading.full),
        say(reading.delta),
    )
}

/// What one status asks for, and whether that is met: nobody can say where no threshold is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Need {
    name: &'static str,
    minimum: Minimum,
    met: Option<bool>,
}

fn needs(reading: &Reading, thresholds: &Thresholds) -> [Need; 2] {
    let need = |name, minimum: Minimum| {
        let full = reading.full.map(|full| full >= minimum.full);
        let delta = reading.delta.map(|delta| delta >= minimum.delta);
        Need {
            name,
            minimum,
            met: match reading.asks {
                Asks::Both => full.zip(delta).map(|(full, delta)| full && delta),
                Asks::FullOnly => full,
                Asks::Nothing => None,
            },
        }
    };
    [
        need("VERIFIED", thresholds.verified),
        need("PLAUSIBLE", thresholds.plausible),
    ]
}

impl Asks {
    /// What the status table asks for after these verdicts.
    pub(crate) fn after(scrubbed: Option<Verdict>, full: Option<Verdict>) -> Self {
        match (scrubbed, full) {
            (Some(Verdict::Entailed), Some(Verdict::Entailed)) => Self::Both,
            (Some(Verdict::Unsure), Some(Verdict::Entailed)) => Self::FullOnly,
            _ => Self::Nothing,
        }
    }

    fn words(self, minimum: Minimum) -> String {
        let (full, delta) = (two(minimum.full), two(minimum.delta));
        match self {
            Self::Both => format!(" asks for a delta of {delta} and {full} in full"),
            Self::FullOnly => {
                format!(" asks for {full} in full; no delta, as the scrubbed pass could not tell")
            }
            Self::Nothing => format!(" would ask for a delta of {delta} and {full} in full"),
        }
    }
}

fn percent(value: f64) -> String {
    format!("{:.3}%", value.clamp(0.0, 1.0) * 100.0)
}

/// Where a label's text starts from, so that it stays inside the drawing.
fn anchor(value: f64) -> &'static str {
    match value {
        value if value < 0.2 => "start",
        value if value > 0.8 => "end",
        _ => "middle",
    }
}

/// An axis from 0 to 1 with both confidences and the delta between them; below it, for each status, the
/// delta that it asks for, from the scrubbed confidence on, and a mark at the full confidence. Places
/// are percentages, so that text keeps its size on any width.
#[component]
pub(crate) fn Gauge(reading: Reading, thresholds: Thresholds) -> impl IntoView {
    let Reading {
        scrubbed,
        full,
        delta,
        asks,
    } = reading;
    let ticks: Vec<_> = [0.0, 0.25, 0.5, 0.75, 1.0]
        .into_iter()
        .map(|value| {
            let x = percent(value);
            let side = match value {
                0.0 => "start",
                1.0 => "end",
                _ => "middle",
            };
            view! {
                <line class="tick" x1=x.clone() x2=x.clone() y1="26" y2="54"></line>
                <text class="scale" x=x y="86" text-anchor=side>{value.to_string()}</text>
            }
        })
        .collect();
    let between = scrubbed.zip(full).map(|(scrubbed, full)| {
        view! {
            <rect class="delta" x=percent(scrubbed.min(full)) y="35"
                width=percent((full - scrubbed).abs()) height="10"></rect>
        }
    });
    let dots: Vec<_> = [
        ("without", "scrubbed", scrubbed, "66"),
        ("with", "full", full, "20"),
    ]
    .into_iter()
    .filter_map(|(class, name, value, y)| {
        let value = value?;
        Some(view! {
            <circle class=class cx=percent(value) cy="40" r="7"></circle>
            <text class="reading" x=percent(value) y=y text-anchor=anchor(value)>
                {format!("{name} {}", two(value))}
            </text>
        })
    })
    .collect();
    let needs: Vec<_> = needs(&reading, &thresholds)
        .into_iter()
        .map(|need| {
            let (class, sign) = match need.met {
                Some(true) => ("met", "✓"),
                Some(false) => ("unmet", "✗"),
                None => ("idle", "–"),
            };
            let said = match need.met {
                Some(true) => ": met",
                Some(false) => ": not met",
                None => "",
            };
            // Where no delta is asked for, its bar is there all the same, without the colour.
            let least_class = if asks == Asks::Both { "least" } else { "least idle" };
            let least = scrubbed.map(|from| {
                let width = need.minimum.delta.min(1.0 - from);
                view! {
                    <rect class=least_class x=percent(from) y="4" width=percent(width) height="6"></rect>
                }
            });
            let mark = percent(need.minimum.full);
            view! {
                <li class=class>
                    <p>
                        <span class="sign" aria-hidden="true">{sign}</span>
                        <b>{need.name}</b>
                        {asks.words(need.minimum)}
                        <span class="hidden-label">{said}</span>
                    </p>
                    <svg class="need" aria-hidden="true">
                        <rect class="groove" x="0" y="4" width="100%" height="6"></rect>
                        {least}
                        <line class="least-full" x1=mark.clone() x2=mark y1="0" y2="14"></line>
                    </svg>
                </li>
            }
        })
        .collect();
    view! {
        <figure class="gauge">
            <figcaption>
                <span class="delta-value">
                    <span class="sign">"Δ"</span>
                    {delta.map_or_else(|| "n/a".to_owned(), two)}
                </span>
                <span class="aside">"full minus scrubbed confidence"</span>
            </figcaption>
            <svg role="img" aria-label=words(&reading)>
                {ticks}
                <rect class="groove" x="0" y="37" width="100%" height="6"></rect>
                {between}
                {dots}
            </svg>
            <ul class="needs">{needs}</ul>
        </figure>
    }
}

#[cfg(test)]
mod tests {
    use claimgauge_core::{
        decide::{Policy, Status, decide},
        judgement::{Basis, Judgement},
        profile::Profile,
    };

    use super::*;

    fn strawberry() -> Thresholds {
        Profile::named("strawberry").unwrap().thresholds
    }

    #[test]
    fn numbers_print_as_in_reports() {
        #[rustfmt::skip]
        let rows = [
            (0.65, "0.65"), (0.95 - 0.3, "0.65"), (0.285, "0.29"), (-0.285, "-0.29"),
            (0.0, "0.00"), (-0.0, "0.00"), (-0.004, "0.00"), (-0.005, "-0.01"), (1.0, "1.00"),
        ];
        for (value, want) in rows {
            assert_eq!(two(value), want, "{value}");
        }
    }

    #[test]
    fn the_drawing_has_its_words() {
        let reading = Reading {
            scrubbed: None,
            full: Some(0.95),
            delta: None,
            asks: Asks::Nothing,
        };
        assert_eq!(
            words(&reading),
            "Confidence no number without the names, 0.95 with the evidence, delta no number."
        );
    }

    #[test]
    fn minimums_are_inclusive() {
        let met = |full, delta| {
            let reading = Reading {
                scrubbed: None,
                full: Some(full),
                delta: Some(delta),
                asks: Asks::Both,
            };
            needs(&reading, &strawberry()).map(|need| need.met == Some(true))
        };
        assert_eq!(met(0.8, 0.3), [true, true]);
        assert_eq!(met(0.79, 0.3), [false, true]);
        assert_eq!(met(0.8, 0.29), [false, true]);
        assert_eq!(met(0.6, 0.15), [false, true]);
        assert_eq!(met(0.59, 0.9), [false, false]);
    }

    /// What the gauge says is met must be the status that the core concludes.
    #[test]
    fn the_gauge_agrees_with_the_status_table() {
        for (f, s) in (0..=20).flat_map(|f| (0..=20).map(move |s| (f, s))) {
            for full in Verdict::ALL {
                for scrubbed in Verdict::ALL {
                    let says = |verdict, confidence: i32| Judgement {
                        verdict,
                        confidence: Some(f64::from(confidence) / 20.0),
                        reasoning: String::new(),
                        basis: Basis::Verbal,
                    };
                    let (scrubbed, full) = (says(scrubbed, s), says(full, f));
                    let decision = decide(
                        &strawberry(),
                        (&scrubbed).into(),
                        (&full).into(),
                        Policy::default(),
                    );
                    let asks = Asks::after(Some(scrubbed.verdict), Some(full.verdict));
                    let reading = Reading {
                        scrubbed: scrubbed.confidence,
                        full: full.confidence,
                        delta: decision.delta,
                        asks,
                    };
                    let met = needs(&reading, &strawberry()).map(|need| need.met);
                    let want = match decision.status {
                        _ if asks == Asks::Nothing => [None, None],
                        Status::Verified => [Some(true), Some(true)],
                        Status::Plausible => [Some(false), Some(true)],
                        _ => [Some(false), Some(false)],
                    };
                    assert_eq!(met, want, "{scrubbed:?} {full:?}");
                }
            }
        }
    }

    #[test]
    fn labels_stay_inside() {
        assert_eq!(anchor(0.02), "start");
        assert_eq!(anchor(0.5), "middle");
        assert_eq!(anchor(1.0), "end");
        assert_eq!(percent(1.7), "100.000%");
    }
}
