//! The delta, drawn against what the profile asks for.

use claimgauge_core::profile::{Minimum, Thresholds};
use leptos::prelude::*;

/// What one gauge shows. Confidences are in [0, 1], the delta in [-1, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) scrubbed: Option<f64>,
    pub(crate) full: Option<f64>,
    pub(crate) delta: Option<f64>,
}

/// Two decimals, half away from zero, as reports print them.
pub(crate) fn two(value: f64) -> String {
    let hundredths = ((value * 1e6).round() / 1e4).round();
    // Adding zero turns -0 into 0.
    format!("{:.2}", hundredths / 100.0 + 0.0)
}

/// What the gauge shows, in words.
pub(crate) fn words(reading: &Reading, thresholds: &Thresholds) -> String {
    let say = |value: Option<f64>| value.map_or_else(|| "no number".to_owned(), two);
    let asks = |name, minimum: Minimum| {
        format!(
            "{name} asks for a delta of {} and {} with the evidence",
            two(minimum.delta),
            two(minimum.full)
        )
    };
    format!(
        "Confidence {} without the names, {} with the evidence, delta {}. {}; {}.",
        say(reading.scrubbed),
        say(reading.full),
        say(reading.delta),
        asks("VERIFIED", thresholds.verified),
        asks("PLAUSIBLE", thresholds.plausible),
    )
}

/// One row of the gauge: what a status asks for, and whether it is met.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Need {
    name: &'static str,
    minimum: Minimum,
    met: Option<bool>,
}

fn needs(reading: &Reading, thresholds: &Thresholds) -> [Need; 2] {
    let need = |name, minimum: Minimum| Need {
        name,
        minimum,
        met: reading
            .delta
            .zip(reading.full)
            .map(|(delta, full)| delta >= minimum.delta && full >= minimum.full),
    };
    [
        need("VERIFIED", thresholds.verified),
        need("PLAUSIBLE", thresholds.plausible),
    ]
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

/// An axis from 0 to 1 with both confidences and the delta between them; below it, from the scrubbed
/// confidence on, the delta that each status asks for, and a mark at the full confidence that it asks
/// for. Places are percentages, so that text keeps its size on any width.
#[component]
pub(crate) fn Gauge(reading: Reading, thresholds: Thresholds) -> impl IntoView {
    let Reading {
        scrubbed,
        full,
        delta,
    } = reading;
    let ticks: Vec<_> = [0.0, 0.25, 0.5, 0.75, 1.0]
        .into_iter()
        .map(|value| {
            let x = percent(value);
            view! {
                <line class="tick" x1=x.clone() x2=x.clone() y1="30" y2="132"></line>
                <text class="scale" x=x y="148" text-anchor=match value {
                    0.0 => "start",
                    1.0 => "end",
                    _ => "middle",
                }>{value.to_string()}</text>
            }
        })
        .collect();
    let between = scrubbed.zip(full).zip(delta).map(|((scrubbed, full), _)| {
        let class = if full < scrubbed {
            "delta falls"
        } else {
            "delta"
        };
        view! {
            <rect class=class x=percent(scrubbed.min(full)) y="35"
                width=percent((full - scrubbed).abs()) height="10"></rect>
        }
    });
    let dots = [("without", scrubbed, "64"), ("with", full, "22")]
        .into_iter()
        .filter_map(|(which, value, y)| {
            let value = value?;
            let name = if which == "with" { "full" } else { "scrubbed" };
            Some(view! {
                <circle class=which cx=percent(value) cy="40" r="7"></circle>
                <text class="reading" x=percent(value) y=y text-anchor=anchor(value)>
                    {format!("{name} {}", two(value))}
                </text>
            })
        })
        .collect::<Vec<_>>();
    let from = scrubbed.unwrap_or(0.0);
    let rows: Vec<_> = needs(&reading, &thresholds)
        .into_iter()
        .enumerate()
        .map(|(at, need)| {
            let top = 84 + at * 24;
            let (y, mark) = (top.to_string(), percent(need.minimum.full));
            let class = match need.met {
                Some(true) => "need met",
                Some(false) => "need unmet",
                None => "need",
            };
            view! {
                <g class=class>
                    <rect class="groove" x="0" y=y.clone() width="100%" height="6"></rect>
                    {scrubbed.map(|_| view! {
                        <rect class="least" x=percent(from) y=y.clone()
                            width=percent(need.minimum.delta.min(1.0 - from)) height="6"></rect>
                    })}
                    <line class="least-full" x1=mark.clone() x2=mark
                        y1=(top - 4).to_string() y2=(top + 10).to_string()></line>
                </g>
            }
        })
        .collect();
    let legend: Vec<_> = needs(&reading, &thresholds)
        .into_iter()
        .map(|need| {
            let (class, sign) = match need.met {
                Some(true) => ("met", "✓"),
                Some(false) => ("unmet", "✗"),
                None => ("", "–"),
            };
            view! {
                <li class=class>
                    <span aria-hidden="true">{sign}</span>
                    <b>{need.name}</b>
                    {format!(" delta ≥ {}, full ≥ {}", two(need.minimum.delta), two(need.minimum.full))}
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
            <svg role="img" aria-label=words(&reading, &thresholds)>
                {ticks}
                <rect class="axis" x="0" y="37" width="100%" height="6"></rect>
                {between}
                {rows}
                {dots}
            </svg>
            <ul class="needs" aria-hidden="true">{legend}</ul>
        </figure>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimgauge_core::profile::Profile;

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
            scrubbed: Some(0.3),
            full: Some(0.95),
            delta: Some(0.65),
        };
        let words = words(&reading, &strawberry());
        for part in [
            "0.30 without",
            "0.95 with",
            "delta 0.65",
            "VERIFIED asks for a delta of 0.30",
        ] {
            assert!(words.contains(part), "{words}");
        }
    }

    #[test]
    fn minimums_are_inclusive() {
        let met = |full, delta| {
            let reading = Reading {
                scrubbed: None,
                full: Some(full),
                delta: Some(delta),
            };
            needs(&reading, &strawberry()).map(|need| need.met == Some(true))
        };
        assert_eq!(met(0.8, 0.3), [true, true]);
        assert_eq!(met(0.79, 0.3), [false, true]);
        assert_eq!(met(0.8, 0.29), [false, true]);
        assert_eq!(met(0.6, 0.15), [false, true]);
        assert_eq!(met(0.59, 0.9), [false, false]);
    }

    #[test]
    fn labels_stay_inside() {
        assert_eq!(anchor(0.02), "start");
        assert_eq!(anchor(0.5), "middle");
        assert_eq!(anchor(1.0), "end");
        assert_eq!(percent(1.7), "100.000%");
    }
}
