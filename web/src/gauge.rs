//! The delta, drawn against what the profile asks for.

use claimgauge_core::{
    judgement::Verdict,
    profile::{Minimum, Thresholds},
};
use leptos::{either::Either, prelude::*};

use crate::finding::of_null;

/// What one gauge shows. Confidences are in [0, 1], the delta in [-1, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    /// Whether the scrubbed pass got the spans redacted whole.
    pub(crate) is_redacted: bool,
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
    /// None, and why not.
    Nothing(&'static str),
}

/// Two decimals, half away from zero, as reports print them, but with a true minus sign.
pub(crate) fn two(value: f64) -> String {
    // As a whole number: what std prints fractions with is kilobytes of tables.
    let hundredths = ((value * 1e6).round() / 1e4).round() as i64;
    let sign = if hundredths < 0 { "−" } else { "" };
    let size = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

/// What the gauge shows, in words.
pub(crate) fn words(reading: &Reading) -> String {
    let say = |value: Option<f64>| value.map_or_else(|| "no number".to_owned(), two);
    format!(
        "Confidence {} {}, {} with the evidence, delta {}.",
        say(reading.scrubbed),
        of_null("without the names", reading.is_redacted),
        say(reading.full),
        say(reading.delta),
    )
}

/// What one status asks for, and whether that is met.
#[derive(Clone, Debug, PartialEq)]
struct Need {
    name: &'static str,
    words: String,
    /// The least confidence with the evidence.
    full: f64,
    delta: Option<Band>,
    met: bool,
}

/// The least delta, from the scrubbed confidence on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Band {
    from: f64,
    to: f64,
}

/// What each status asks for; nothing where no threshold is asked for.
fn needs(reading: &Reading, thresholds: &Thresholds) -> Vec<Need> {
    let need = |(name, minimum): (_, Minimum)| {
        let enough = reading.full? >= minimum.full;
        let full = two(minimum.full);
        match reading.asks {
            Asks::Both => {
                let from = reading.scrubbed?;
                let band = Band {
                    from,
                    to: from + minimum.delta,
                };
                Some(Need {
                    name,
                    words: format!(
                        " asks for a delta of {} and {full} with the full evidence{}",
                        two(minimum.delta),
                        band.words()
                    ),
                    full: minimum.full,
                    delta: Some(band),
                    met: enough && reading.delta? >= minimum.delta,
                })
            }
            Asks::FullOnly => Some(Need {
                name,
                words: format!(" asks for {full} with the full evidence"),
                full: minimum.full,
                delta: None,
                met: enough,
            }),
            Asks::Nothing(_) => None,
        }
    };
    [
        ("VERIFIED", thresholds.verified),
        ("PLAUSIBLE", thresholds.plausible),
    ]
    .into_iter()
    .filter_map(need)
    .collect()
}

impl Band {
    /// Whether no confidence could be that high. Deltas are rounded to six decimals, so less than
    /// that is no excess.
    fn out_of_reach(self) -> bool {
        self.to > 1.0 + 1e-6
    }

    fn words(self) -> String {
        if self.out_of_reach() {
            format!(
                "; from {} that would need {}: out of reach",
                two(self.from),
                two(self.to)
            )
        } else {
            String::new()
        }
    }
}

impl Asks {
    /// What the status table asks for after these verdicts. A delta is there when both passes gave a
    /// confidence that can be compared.
    pub(crate) fn after(
        scrubbed: Option<Verdict>,
        full: Option<Verdict>,
        delta: Option<f64>,
    ) -> Self {
        use Verdict::{Contradicted, Entailed, Unsure};
        match (delta, scrubbed, full) {
            (None, ..) | (_, None, _) | (_, _, None) => {
                Self::Nothing("it takes a confidence from both passes, measured in the same way")
            }
            (_, _, Some(Contradicted)) => Self::Nothing("the full evidence contradicts the claim"),
            (_, _, Some(Unsure)) => {
                Self::Nothing("the judge could not tell even with the full evidence")
            }
            (_, Some(Contradicted), _) => {
                Self::Nothing("without the names the judge read the opposite")
            }
            (_, Some(Unsure), _) => Self::FullOnly,
            (_, Some(Entailed), _) => Self::Both,
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

/// The radius of the full dot: smaller than the hole of the scrubbed ring where both would be one blob on a narrow
/// screen.
fn full_radius(scrubbed: Option<f64>, full: Option<f64>) -> &'static str {
    let close = scrubbed
        .zip(full)
        .is_some_and(|(scrubbed, full)| (full - scrubbed).abs() < 0.08);
    if close { "0.3125rem" } else { "0.4375rem" }
}

/// An axis from 0 to 1 with both confidences and the delta between them; below it, for each status, what
/// it asks for: the delta as a band from the scrubbed confidence on, the full confidence as a tick, and as a band up to
/// the highest where no delta is asked for.
/// Places are percentages across and in the text's own measure down, so that text keeps its size on any width, and has
/// room where it is larger.
#[component]
pub(crate) fn Gauge(reading: Reading, thresholds: Thresholds) -> impl IntoView {
    let Reading {
        scrubbed,
        full,
        delta,
        asks,
        is_redacted,
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
                <line class="tick" x1=x.clone() x2=x.clone() y1="1.625rem" y2="3.375rem"></line>
                <text class="scale" x=x y="5.375rem" text-anchor=side>{value.to_string()}</text>
            }
        })
        .collect();
    let between = scrubbed.zip(full).map(|(scrubbed, full)| {
        view! {
            <rect class="delta" x=percent(scrubbed.min(full)) y="2.1875rem"
                width=percent((full - scrubbed).abs()) height="0.625rem"></rect>
        }
    });
    let dots: Vec<_> = [
        ("without", "scrubbed", scrubbed, "0.4375rem", "4.125rem"),
        ("with", "full", full, full_radius(scrubbed, full), "1.25rem"),
    ]
    .into_iter()
    .filter_map(|(class, name, value, radius, label_y)| {
        let value = value?;
        Some(view! {
            <circle class=class cx=percent(value) cy="2.5rem" r=radius></circle>
            <text class="reading" x=percent(value) y=label_y text-anchor=anchor(value)>
                {format!("{name} {}", two(value))}
            </text>
        })
    })
    .collect();
    let needs = needs(&reading, &thresholds);
    let any = |met| needs.iter().any(|need| need.met == met);
    let (met, unmet) = (any(true), any(false));
    view! {
        <figure
            class="gauge"
            class:unread=matches!(asks, Asks::Nothing(_))
            class:unasked=asks == Asks::FullOnly
        >
            <Caption delta asks is_redacted/>
            <svg role="img" aria-label=words(&reading)>
                {ticks}
                <rect class="groove" x="0" y="2.3125rem" width="100%" height="0.375rem"></rect>
                {between}
                {dots}
            </svg>
            {(!needs.is_empty()).then(|| {
                let rows: Vec<_> = needs.into_iter().map(|need| view! { <NeedRow need/> }).collect();
                view! {
                    <ul class="needs">{rows}</ul>
                    <Legend asks met unmet/>
                }
            })}
        </figure>
    }
}

/// The delta: large where it is read, smaller where it is not asked for, else in passing, with the reason.
#[component]
fn Caption(delta: Option<f64>, asks: Asks, is_redacted: bool) -> impl IntoView {
    let of_null = |why| of_null(why, is_redacted);
    match (delta, asks) {
        (Some(delta), Asks::Nothing(why)) => Either::Left(view! {
            <figcaption class="aside">
                {format!("Delta {}, not read here: {}.", two(delta), of_null(why))}
            </figcaption>
        }),
        (None, Asks::Nothing(why)) => Either::Left(view! {
            <figcaption class="aside">{format!("No delta: {}.", of_null(why))}</figcaption>
        }),
        (delta, _) => Either::Right(view! {
            <figcaption>
                <span class="delta-value">
                    <span class="sign">"Δ"</span>
                    {delta.map_or_else(|| "n/a".to_owned(), two)}
                </span>
                <span class="aside">
                    "delta: full minus scrubbed confidence"
                    {(asks == Asks::FullOnly)
                        .then_some(". No delta is asked for, since the scrubbed pass could not tell.")}
                </span>
            </figcaption>
        }),
    }
}

#[component]
fn NeedRow(need: Need) -> impl IntoView {
    let (class, sign, said) = if need.met {
        ("met", "✓", ": met")
    } else {
        ("unmet", "✗", ": not met")
    };
    let (extent, band) = match need.delta {
        Some(band) => ("least", band),
        // Without a delta the band is what is enough of the confidence.
        None => (
            "enough",
            Band {
                from: need.full,
                to: 1.0,
            },
        ),
    };
    let width = percent(band.to.min(1.0) - band.from);
    let beyond = band.out_of_reach().then(|| {
        view! {
            <svg x="100%" width="1" height="14" overflow="visible">
                <path class="beyond" d="M-7 0 L2 7 L-7 14 Z"></path>
            </svg>
        }
    });
    let mark = percent(need.full);
    view! {
        <li class=class>
            <p>
                <span class="sign" aria-hidden="true">{sign}</span>
                <b>{need.name}</b>
                {need.words}
                <span class="hidden-label">{said}</span>
            </p>
            <svg class="need" aria-hidden="true">
                <rect class="groove" x="0" y="4" width="100%" height="6"></rect>
                <rect class=extent x=percent(band.from) y="4" width=width height="6"></rect>
                {beyond}
                <line class="least-full" x1=mark.clone() x2=mark y1="0" y2="14"></line>
            </svg>
        </li>
    }
}

/// What band and tick mean. The band's key has the colour of the met bands, the grey of the others, or half of each where
/// there are both.
#[component]
fn Legend(asks: Asks, met: bool, unmet: bool) -> impl IntoView {
    let band = match asks {
        Asks::FullOnly => "Band: the confidence that is enough, grey where it is not met. ",
        _ => "Band: the least delta, from the scrubbed confidence on, grey where it is not met. ",
    };
    view! {
        <p class="legend aside">
            <span>
                <span class="key band" class:met=met class:unmet=unmet aria-hidden="true"></span>
                {band}
            </span>
            <span>
                <span class="key tick" aria-hidden="true"></span>
                "Tick: the least confidence with the full evidence."
            </span>
        </p>
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

    /// VERIFIED and PLAUSIBLE.
    fn met(reading: &Reading) -> Vec<bool> {
        let needs = needs(reading, &strawberry());
        needs.iter().map(|need| need.met).collect()
    }

    #[test]
    fn numbers_print_as_in_reports() {
        #[rustfmt::skip]
        let rows = [
            (0.65, "0.65"), (0.95 - 0.3, "0.65"), (0.285, "0.29"), (-0.285, "−0.29"),
            (0.0, "0.00"), (-0.0, "0.00"), (-0.004, "0.00"), (-0.005, "−0.01"), (1.0, "1.00"),
        ];
        for (value, want) in rows {
            assert_eq!(two(value), want, "{value}");
        }
    }

    #[test]
    fn the_drawing_has_its_words() {
        let reading = Reading {
            is_redacted: false,
            scrubbed: None,
            full: Some(0.95),
            delta: None,
            asks: Asks::after(None, Some(Verdict::Entailed), None),
        };
        assert_eq!(
            words(&reading),
            "Confidence no number without the names, 0.95 with the evidence, delta no number."
        );
        let redacted = Reading {
            is_redacted: true,
            ..reading
        };
        assert!(words(&redacted).contains("without the spans"));
    }

    #[test]
    fn minimums_are_inclusive() {
        let at = |full, delta| {
            let reading = Reading {
                is_redacted: false,
                scrubbed: Some(full - delta),
                full: Some(full),
                delta: Some(delta),
                asks: Asks::Both,
            };
            met(&reading)
        };
        assert_eq!(at(0.8, 0.3), [true, true]);
        assert_eq!(at(0.79, 0.3), [false, true]);
        assert_eq!(at(0.8, 0.29), [false, true]);
        assert_eq!(at(0.6, 0.15), [false, true]);
        assert_eq!(at(0.59, 0.9), [false, false]);
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
                    let reading = Reading {
                        is_redacted: false,
                        scrubbed: scrubbed.confidence,
                        full: full.confidence,
                        delta: decision.delta,
                        asks: Asks::after(
                            Some(scrubbed.verdict),
                            Some(full.verdict),
                            decision.delta,
                        ),
                    };
                    let want: &[bool] = match decision.status {
                        _ if matches!(reading.asks, Asks::Nothing(_)) => &[],
                        Status::Verified => &[true, true],
                        Status::Plausible => &[false, true],
                        _ => &[false, false],
                    };
                    let reachable = |need: &Need| !need.delta.is_some_and(Band::out_of_reach);
                    assert!(
                        needs(&reading, &strawberry())
                            .iter()
                            .all(|need| !need.met || reachable(need)),
                        "{scrubbed:?} {full:?}"
                    );
                    assert_eq!(met(&reading), want, "{scrubbed:?} {full:?}");
                }
            }
        }
    }

    #[test]
    fn only_what_is_asked_for_is_said_and_drawn() {
        let said = |verdict, scrubbed: f64| {
            let reading = Reading {
                is_redacted: false,
                scrubbed: Some(scrubbed),
                full: Some(0.98),
                delta: Some(0.98 - scrubbed),
                asks: Asks::after(
                    Some(verdict),
                    Some(Verdict::Entailed),
                    Some(0.98 - scrubbed),
                ),
            };
            let first = needs(&reading, &strawberry()).into_iter().next();
            first.map(|need| (need.words, need.delta.is_some()))
        };
        let both = " asks for a delta of 0.30 and 0.80 with the full evidence";
        #[rustfmt::skip]
        let rows = [
            (Verdict::Unsure, 0.3, Some((" asks for 0.80 with the full evidence".to_owned(), false))),
            (Verdict::Entailed, 0.7, Some((both.to_owned(), true))),
            (Verdict::Entailed, 0.93, Some((format!("{both}; from 0.93 that would need 1.23: out of reach"), true))),
            (Verdict::Contradicted, 0.3, None),
        ];
        for (verdict, scrubbed, want) in rows {
            assert_eq!(said(verdict, scrubbed), want, "{verdict:?} {scrubbed}");
        }
    }

    #[test]
    fn dots_that_nearly_coincide_stay_apart() {
        assert_eq!(full_radius(Some(0.93), Some(0.98)), "0.3125rem");
        assert_eq!(full_radius(Some(0.3), Some(0.95)), "0.4375rem");
        assert_eq!(full_radius(None, Some(0.95)), "0.4375rem");
    }

    #[test]
    fn labels_stay_inside() {
        assert_eq!(anchor(0.02), "start");
        assert_eq!(anchor(0.5), "middle");
        assert_eq!(anchor(1.0), "end");
        assert_eq!(percent(1.7), "100.000%");
    }
}
