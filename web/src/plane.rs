//! The plane of both confidences, with the regions of the statuses and the point of a claim in it.

use claimgauge_core::{decide::Status, judgement::Verdict, profile::Thresholds};
use leptos::prelude::*;

use crate::{finding::tone, gauge::two};

/// The corners of a region: the scrubbed confidence, the full one.
type Point = (f64, f64);

/// What the passes said, as far as the plane shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) scrubbed: (Verdict, f64),
    pub(crate) full: (Verdict, f64),
}

/// A convex part of the plane that has one status.
#[derive(Clone, Debug, PartialEq)]
struct Region {
    status: Status,
    corners: Vec<Point>,
}

/// A line that bounds a region: what lies on the side where `x * across + y * up >= least` is in it.
#[derive(Clone, Copy)]
struct Bound {
    across: f64,
    up: f64,
    least: f64,
}

fn full_from(least: f64) -> Bound {
    Bound {
        across: 0.0,
        up: 1.0,
        least,
    }
}

fn delta_from(least: f64) -> Bound {
    Bound {
        across: -1.0,
        up: 1.0,
        least,
    }
}

impl Bound {
    /// What lies on the other side.
    fn below(self) -> Self {
        Self {
            across: -self.across,
            up: -self.up,
            least: -self.least,
        }
    }

    fn over(self, (x, y): Point) -> f64 {
        self.across * x + self.up * y - self.least
    }

    /// The part of a convex polygon that is in it.
    fn cut(self, corners: &[Point]) -> Vec<Point> {
        let mut kept = Vec::new();
        for (at, to) in corners.iter().enumerate() {
            let from = corners[(at + corners.len() - 1) % corners.len()];
            let (before, here) = (self.over(from), self.over(*to));
            if (before < 0.0) != (here < 0.0) {
                let part = before / (before - here);
                kept.push((
                    from.0 + (to.0 - from.0) * part,
                    from.1 + (to.1 - from.1) * part,
                ));
            }
            if here >= 0.0 {
                kept.push(*to);
            }
        }
        kept
    }
}

/// The regions after these verdicts. A test holds them against the status table.
fn regions(scrubbed: Verdict, full: Verdict, thresholds: &Thresholds) -> Vec<Region> {
    use Status::{Plausible, Suspicious, Unsupported, Verified};
    use Verdict::{Contradicted, Entailed, Unsure};
    let Thresholds {
        verified,
        plausible,
    } = thresholds;
    let enough = full_from(plausible.full);
    let sure = full_from(verified.full);
    let parts: Vec<(Status, Vec<Bound>)> = match (full, scrubbed) {
        (Contradicted, _) => vec![(Unsupported, vec![])],
        (Entailed, Entailed) => {
            let (small, large) = (delta_from(plausible.delta), delta_from(verified.delta));
            vec![
                (Unsupported, vec![enough.below()]),
                (Suspicious, vec![enough, small.below()]),
                (Plausible, vec![enough, small, sure.below()]),
                (Plausible, vec![sure, small, large.below()]),
                (Verified, vec![sure, large]),
            ]
        }
        (Entailed, Unsure) => vec![
            (Unsupported, vec![enough.below()]),
            (Plausible, vec![enough, sure.below()]),
            (Verified, vec![sure]),
        ],
        (Unsure, Unsure) => {
            let known = Bound {
                across: 1.0,
                up: 0.0,
                least: plausible.full,
            };
            vec![
                (Unsupported, vec![enough.below(), known.below()]),
                (Plausible, vec![enough]),
                (Plausible, vec![enough.below(), known]),
            ]
        }
        (Entailed, Contradicted) | (Unsure, Contradicted | Entailed) => vec![
            (Unsupported, vec![enough.below()]),
            (Suspicious, vec![enough]),
        ],
    };
    let whole = vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    parts
        .into_iter()
        .map(|(status, bounds)| Region {
            status,
            corners: bounds
                .into_iter()
                .fold(whole.clone(), |corners, bound| bound.cut(&corners)),
        })
        .filter(|region| region.area() > 1e-9)
        .collect()
}

impl Region {
    fn area(&self) -> f64 {
        let next = self.corners.iter().cycle().skip(1);
        let twice: f64 = self
            .corners
            .iter()
            .zip(next)
            .map(|(a, b)| a.0 * b.1 - b.0 * a.1)
            .sum();
        twice.abs() / 2.0
    }

    /// Lowest and highest of each coordinate.
    fn extent(&self) -> (Point, Point) {
        let far = f64::INFINITY;
        self.corners
            .iter()
            .fold(((far, far), (-far, -far)), |(low, high), (x, y)| {
                (
                    (low.0.min(*x), low.1.min(*y)),
                    (high.0.max(*x), high.1.max(*y)),
                )
            })
    }

    /// Where its name stands: in its middle, beside the point where that is there. None where there is
    /// no room.
    fn place_of_name(&self, point: Point) -> Option<Point> {
        let count = self.corners.len() as f64;
        let sum = self
            .corners
            .iter()
            .fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x, sum.1 + y));
        let middle = (sum.0 / count, sum.1 / count);
        let (low, high) = self.extent();
        let widest = self.status.label().len() as f64 * 0.033;
        if high.1 - low.1 < 0.07 || high.0 - low.0 < widest {
            return None;
        }
        let apart = |at: Point| {
            (at.0 - point.0).abs() > widest / 2.0 + 0.03 || (at.1 - point.1).abs() > 0.075
        };
        let inside = |at: &f64| (low.1 + 0.035..=high.1 - 0.035).contains(at);
        let heights = [0.0, -0.09, 0.09, -0.14, 0.14].map(|by| middle.1 + by);
        let free = heights
            .into_iter()
            .filter(inside)
            .map(|y| (middle.0, y))
            .find(|at| apart(*at));
        Some(free.unwrap_or(middle))
    }
}

/// The drawing's units: it is as wide as it is high.
const SIZE: f64 = 340.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 14.0;
const SIDE: f64 = 284.0;

fn across(value: f64) -> String {
    format!("{:.1}", LEFT + SIDE * value)
}

fn up(value: f64) -> String {
    format!("{:.1}", TOP + SIDE * (1.0 - value))
}

/// The hatching that tells a region apart without its colour; [`Hatchings`] has them.
fn hatching(status: Status) -> Option<&'static str> {
    match status {
        Status::Plausible => Some("url(#hatch-plausible)"),
        Status::Suspicious => Some("url(#hatch-suspicious)"),
        Status::Unsupported => Some("url(#hatch-unsupported)"),
        Status::Inconclusive | Status::Verified => None,
    }
}

/// Once on the page.
pub(crate) fn hatchings() -> AnyView {
    let of = |id: &'static str, class: &'static str, line: &'static str| {
        view! {
            <pattern id=id class=class width="8" height="8" patternUnits="userSpaceOnUse">
                <path d=line></path>
            </pattern>
        }
    };
    view! {
        <svg class="hatchings" width="0" height="0" aria-hidden="true" focusable="false">
            <defs>
                {of("hatch-plausible", "hatch tone-plausible", "M-2 2L2 -2M0 8L8 0M6 10L10 6")}
                {of("hatch-suspicious", "hatch tone-suspicious", "M0 8L8 0M-2 2L2 -2M6 10L10 6M0 0L8 8")}
                {of("hatch-unsupported", "hatch tone-unsupported", "M0 4H8")}
            </defs>
        </svg>
    }
    .into_any()
}

/// The plane in words.
fn words(reading: &Reading, status: Status) -> String {
    format!(
        "A plane of confidences. Across, without the names: {}. Up, with the evidence: {}. The point lies in {}.",
        two(reading.scrubbed.1),
        two(reading.full.1),
        status.label()
    )
}

/// The drawing.
pub(crate) fn plane(reading: Reading, status: Status, thresholds: &Thresholds) -> AnyView {
    let point = (reading.scrubbed.1, reading.full.1);
    let regions = regions(reading.scrubbed.0, reading.full.0, thresholds);
    let mut named: Vec<&Region> = Vec::new();
    for region in &regions {
        match named.iter_mut().find(|known| known.status == region.status) {
            Some(known) if known.area() < region.area() => *known = region,
            Some(_) => {}
            None => named.push(region),
        }
    }
    let names: Vec<AnyView> = named
        .into_iter()
        .filter_map(|region| {
            let (x, y) = region.place_of_name(point)?;
            let class = format!("name {}", tone(region.status));
            let label = region.status.label();
            Some(view! { <text class=class x=across(x) y=up(y)>{label}</text> }.into_any())
        })
        .collect();
    let drawn: Vec<AnyView> = regions
        .iter()
        .map(|region| {
            let corners: Vec<String> = region
                .corners
                .iter()
                .map(|(x, y)| format!("{},{}", across(*x), up(*y)))
                .collect();
            let corners = corners.join(" ");
            let here = if region.status == status { " here" } else { "" };
            let class = format!("region {}{here}", tone(region.status));
            let hatch = hatching(region.status)
                .map(|fill| view! { <polygon points=corners.clone() fill=fill></polygon> });
            view! { <g><polygon class=class points=corners.clone()></polygon>{hatch}</g> }
                .into_any()
        })
        .collect();
    let ticks: Vec<AnyView> = [0.0, 0.5, 1.0]
        .into_iter()
        .map(|value| {
            view! {
                <text class="scale" x=across(value) y="316" text-anchor="middle">{value.to_string()}</text>
                <text class="scale" x="38" y=up(value) dy="4" text-anchor="end">{value.to_string()}</text>
            }
            .into_any()
        })
        .collect();
    let (x, y) = (across(point.0), up(point.1));
    let (left, right, top, bottom) = (across(0.0), across(1.0), up(1.0), up(0.0));
    view! {
        <svg class="plane" viewBox=format!("0 0 {SIZE} {SIZE}") role="img" aria-label=words(&reading, status)>
            {drawn}
            <path class="diagonal" d=format!("M{left} {bottom}L{right} {top}")></path>
            <path class="frame" d=format!("M{left} {top}V{bottom}H{right}")></path>
            {ticks}
            {names}
            <path class="guide" d=format!("M{left} {y}H{x}V{bottom}")></path>
            <circle class="halo" cx=x.clone() cy=y.clone() r="10"></circle>
            <circle class=format!("point {}", tone(status)) cx=x cy=y r="7"></circle>
            <text class="axis" x=across(0.5) y="334" text-anchor="middle">"confidence without the names"</text>
            <text class="axis" transform="translate(12 156) rotate(-90)" text-anchor="middle">"with the evidence"</text>
        </svg>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use claimgauge_core::{
        decide::{Policy, decide},
        judgement::{Basis, Judgement},
        profile::Profile,
    };

    use super::*;

    fn says(verdict: Verdict, confidence: f64) -> Judgement {
        Judgement {
            verdict,
            confidence: Some(confidence),
            reasoning: String::new(),
            basis: Basis::Verbal,
        }
    }

    /// Whether a point is inside, and not near an edge.
    fn holds(region: &Region, (x, y): Point) -> bool {
        let next = region.corners.iter().cycle().skip(1);
        region
            .corners
            .iter()
            .zip(next)
            .all(|(a, b)| (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0) > -1e-12)
    }

    /// What is drawn must be what the core concludes, wherever the point lies.
    #[test]
    fn the_regions_are_those_of_the_status_table() {
        let mut thresholds: Vec<Thresholds> = Profile::all()
            .iter()
            .map(|profile| profile.thresholds)
            .collect();
        let mut flat = thresholds[0];
        flat.plausible = flat.verified;
        thresholds.push(flat);
        for thresholds in thresholds {
            for full in Verdict::ALL {
                for scrubbed in Verdict::ALL {
                    let regions = regions(scrubbed, full, &thresholds);
                    let area: f64 = regions.iter().map(Region::area).sum();
                    assert!((area - 1.0).abs() < 1e-9, "{full:?} {scrubbed:?}: {area}");
                    // Between the hundredths, where no threshold lies.
                    for x in 0..50 {
                        for y in 0..50 {
                            let point = (
                                0.0137 + f64::from(x) * 0.0197,
                                0.0131 + f64::from(y) * 0.0197,
                            );
                            let (s, f) = (says(scrubbed, point.0), says(full, point.1));
                            let want =
                                decide(&thresholds, (&s).into(), (&f).into(), Policy::default());
                            let found: Vec<Status> = regions
                                .iter()
                                .filter(|region| holds(region, point))
                                .map(|region| region.status)
                                .collect();
                            assert!(
                                !found.is_empty()
                                    && found.iter().all(|status| *status == want.status),
                                "{full:?} {scrubbed:?} {point:?}: {found:?}, not {:?}",
                                want.status
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_name_stands_in_its_region_and_beside_the_point() {
        let thresholds = Profile::all()[0].thresholds;
        for region in regions(Verdict::Entailed, Verdict::Entailed, &thresholds) {
            let (low, high) = region.extent();
            let middle = ((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0);
            for point in [middle, (0.3, 0.95), (0.93, 0.98)] {
                let Some(at) = region.place_of_name(point) else {
                    continue;
                };
                assert!(low.1 < at.1 && at.1 < high.1, "{region:?}");
            }
        }
    }
}
