//! The plane of both confidences, with the regions of the statuses and the point of a claim in it.

use claimgauge_core::{decide::Status, judgement::Verdict, profile::Thresholds};
use leptos::prelude::*;

use crate::{
    finding::{of_null, tone},
    gauge::two,
};

/// The corners of a region: the scrubbed confidence, the full one.
type Point = (f64, f64);

/// What the passes said, as far as the plane shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) scrubbed: (Verdict, f64),
    pub(crate) full: (Verdict, f64),
    /// Whether the scrubbed pass got the spans redacted whole.
    pub(crate) is_redacted: bool,
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

    fn middle(&self) -> Point {
        let count = self.corners.len() as f64;
        let sum = self
            .corners
            .iter()
            .fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x, sum.1 + y));
        (sum.0 / count, sum.1 / count)
    }

    /// Whether a point is inside: the corners stand against the clock.
    fn holds(&self, (x, y): Point) -> bool {
        let next = self.corners.iter().cycle().skip(1);
        self.corners
            .iter()
            .zip(next)
            .all(|(a, b)| (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0) > -1e-12)
    }

    /// Where its name stands: as near to its middle as the point and its lines leave room, else on the
    /// lines. None where it does not fit in.
    fn place_of_name(&self, point: Point) -> Option<Point> {
        let half = (self.status.label().len() as f64 * 0.0175, 0.032);
        let middle = self.middle();
        let fits = |(x, y): &Point| {
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            corners
                .into_iter()
                .all(|(across, up)| self.holds((x + across * half.0, y + up * half.1)))
        };
        let free = |(x, y): &Point| {
            let (right, below) = (x - half.0 > point.0 + 0.03, y + half.1 < point.1 - 0.03);
            let (left, above) = (x + half.0 < point.0 - 0.03, y - half.1 > point.1 + 0.03);
            // The lines go from the point to the left and down.
            above || right || left && below
        };
        let steps = || (0..=80).map(|step| f64::from(step) / 80.0);
        let places: Vec<Point> = steps()
            .flat_map(|x| steps().map(move |y| (x, y)))
            .chain([middle])
            .filter(fits)
            .collect();
        let nearest = |places: &mut dyn Iterator<Item = Point>| {
            let far = |at: &Point| (at.0 - middle.0).powi(2) + (at.1 - middle.1).powi(2);
            places.min_by(|a, b| far(a).total_cmp(&far(b)))
        };
        let clear = |(x, y): &Point| {
            (x - point.0).abs() > half.0 + 0.04 || (y - point.1).abs() > half.1 + 0.04
        };
        nearest(&mut places.iter().copied().filter(free))
            .or_else(|| nearest(&mut places.iter().copied().filter(clear)))
            .or_else(|| {
                let far = |at: &Point| (at.0 - point.0).powi(2) + (at.1 - point.1).powi(2);
                let places = places.iter().copied();
                places.max_by(|a, b| far(a).total_cmp(&far(b)))
            })
    }
}

/// The edges of regions that are drawn as one, without what lies between two of them.
fn outline(parts: &[&Region]) -> Vec<[Point; 2]> {
    let edges = |part: &Region| {
        let next = part.corners.iter().cycle().skip(1);
        let edges = part.corners.iter().zip(next).map(|(a, b)| [*a, *b]);
        edges.collect::<Vec<_>>()
    };
    let mut kept = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        for [a, b] in edges(part) {
            let (x, y) = (b.0 - a.0, b.1 - a.1);
            let length = x * x + y * y;
            if length < 1e-12 {
                continue;
            }
            // How far along the edge, where it is on its line.
            let place = |(px, py): Point| {
                let (px, py) = (px - a.0, py - a.1);
                ((px * y - py * x).abs() < 1e-9).then_some((px * x + py * y) / length)
            };
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let between = others
                .flat_map(|(_, other)| edges(other))
                .filter_map(|[c, d]| {
                    let (c, d) = (place(c)?, place(d)?);
                    Some((c.min(d).max(0.0), c.max(d).min(1.0)))
                })
                .find(|(from, to)| to - from > 1e-9);
            let (from, to) = between.unwrap_or((1.0, 1.0));
            let along = |part: f64| (a.0 + x * part, a.1 + y * part);
            for (start, end) in [(0.0, from), (to, 1.0)] {
                if end - start > 1e-9 {
                    kept.push([along(start), along(end)]);
                }
            }
        }
    }
    kept
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

/// A line through points, as a path has it.
fn line(points: &[Point]) -> String {
    let points = points
        .iter()
        .map(|(x, y)| format!("{} {}", across(*x), up(*y)));
    format!("M{}", points.collect::<Vec<_>>().join("L"))
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

/// What its directions mean after these verdicts.
pub(crate) fn caption(reading: &Reading) -> &'static str {
    use Verdict::{Contradicted, Entailed, Unsure};
    match (reading.full.0, reading.scrubbed.0) {
        (Contradicted, _) => {
            "High: sure that the evidence contradicts the claim. Wherever the point lies, that is UNSUPPORTED."
        }
        (Entailed, Entailed) => {
            "High: sure with the evidence. Left: not sure without its names. A claim that rests on the evidence stands high and left. On the dotted line both are the same."
        }
        (Entailed, Unsure) => {
            "High: sure with the evidence. Without the names the judge could not tell, so the height alone counts."
        }
        (Entailed, Contradicted) => {
            "High: sure with the evidence. Without the names the judge read the opposite, so the height alone counts, and not for much."
        }
        (Unsure, Unsure) => {
            "The judge could not tell, with the evidence or without its names. The higher or further right the point, the surer it is that it cannot."
        }
        (Unsure, _) => {
            "The judge could not tell with the evidence, though it could without the names. The higher the point, the surer it is that it cannot."
        }
    }
}

/// The plane in words.
fn words(reading: &Reading, status: Status) -> String {
    format!(
        "A plane of confidences. Across, {}: {}. Up, with the evidence: {}. The point lies in {}.",
        of_null("without the names", reading.is_redacted),
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
    // Regions of one status are one: no line is drawn between them.
    let mut areas: Vec<(Status, Vec<&Region>)> = Vec::new();
    for region in &regions {
        match areas.iter_mut().find(|(known, _)| *known == region.status) {
            Some((_, parts)) => parts.push(region),
            None => areas.push((region.status, vec![region])),
        }
    }
    // The outline of the one with the point lies above the others.
    areas.sort_by_key(|(known, _)| *known == status);
    let drawn: Vec<AnyView> = areas
        .iter()
        .map(|(status, parts)| {
            let closed = parts.iter().map(|part| line(&part.corners) + "Z");
            let closed: String = closed.collect();
            let class = format!("region {}", tone(*status));
            let hatch =
                hatching(*status).map(|fill| view! { <path d=closed.clone() fill=fill></path> });
            view! { <g><path class=class d=closed.clone()></path>{hatch}</g> }.into_any()
        })
        .collect();
    let outlines: Vec<AnyView> = areas
        .iter()
        .map(|(known, parts)| {
            let here = if *known == status { " here" } else { "" };
            let class = format!("edge {}{here}", tone(*known));
            let edges: String = outline(parts).iter().map(|edge| line(edge)).collect();
            view! { <path class=class d=edges></path> }.into_any()
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
    // Where the height alone counts, it has nothing to say.
    let compared = (reading.scrubbed.0, reading.full.0) == (Verdict::Entailed, Verdict::Entailed);
    let diagonal = compared.then(|| {
        view! { <path class="diagonal" d=format!("M{left} {bottom}L{right} {top}")></path> }
    });
    view! {
        <svg class="plane" viewBox=format!("0 0 {SIZE} {SIZE}") role="img" aria-label=words(&reading, status)>
            {drawn}
            {outlines}
            {diagonal}
            <path class="frame" d=format!("M{left} {top}V{bottom}H{right}")></path>
            {ticks}
            <path class="guide" d=format!("M{left} {y}H{x}V{bottom}")></path>
            {names}
            <circle class="halo" cx=x.clone() cy=y.clone() r="10"></circle>
            <circle class=format!("point {}", tone(status)) cx=x cy=y r="7"></circle>
            <text class="axis" x=across(0.5) y="334" text-anchor="middle">
                {of_null("confidence without the names", reading.is_redacted)}
            </text>
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
                                .filter(|region| region.holds(point))
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

    /// Beside each edge that is drawn, the status is there on one side alone.
    #[test]
    fn no_line_is_drawn_inside_a_status() {
        for thresholds in Profile::all().iter().map(|profile| profile.thresholds) {
            for full in Verdict::ALL {
                for scrubbed in Verdict::ALL {
                    let regions = regions(scrubbed, full, &thresholds);
                    for status in Status::ALL {
                        let is_own = |region: &&Region| region.status == status;
                        let parts: Vec<&Region> = regions.iter().filter(is_own).collect();
                        let edges = outline(&parts);
                        assert_eq!(edges.is_empty(), parts.is_empty());
                        for [a, b] in edges {
                            let (x, y) = (b.0 - a.0, b.1 - a.1);
                            let side = |by: f64| {
                                let far = by * 1e-4 / x.hypot(y);
                                let at = ((a.0 + b.0) / 2.0 - y * far, (a.1 + b.1) / 2.0 + x * far);
                                parts.iter().any(|part| part.holds(at))
                            };
                            assert_ne!(side(1.0), side(-1.0), "{full:?} {scrubbed:?} {status:?}");
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
            for point in [region.middle(), (0.3, 0.95), (0.93, 0.98)] {
                let Some(at) = region.place_of_name(point) else {
                    continue;
                };
                assert!(region.holds(at), "{region:?}");
                let apart = (at.0 - point.0).abs() > 0.06 || (at.1 - point.1).abs() > 0.06;
                assert!(apart, "{region:?} {point:?} {at:?}");
            }
        }
        let large = regions(Verdict::Entailed, Verdict::Entailed, &thresholds);
        let named = large
            .iter()
            .filter(|region| region.place_of_name((0.5, 0.5)).is_some());
        assert!(named.count() >= 4, "there is room for each name");
    }
}
