//! The search through all spans: for the unit that holds most of a claim, for the slot in each span that the claim
//! names, and for what speaks against it there.

use alloc::vec::Vec;

use super::{
    Clash, Finding, Found, MOST_FOUND, Place,
    claim::{Claim, Masks, Term},
    lex,
    lexicon::Lexicon,
    structure::{self, Other, Unit},
};
use crate::evidence::Span;

/// How many units are kept for what two spans say together.
const MOST_HELD: usize = 4096;

/// What the spans hold of a claim, and what speaks against it.
pub(super) fn search(spans: &[Span], claim: &Claim<'_>, lexicon: &Lexicon) -> Finding {
    let mut search = Search {
        spans,
        claim,
        lexicon,
        finding: Finding::default(),
        best_fit: Fit::default(),
        several: false,
        best_clash: None,
        told: None,
        slots: Vec::new(),
        held: Vec::new(),
    };
    for index in 0..spans.len() {
        search.span(index);
    }
    search.join();
    search.decide()
}

struct Search<'s, 'c, 'a> {
    spans: &'s [Span],
    claim: &'c Claim<'a>,
    lexicon: &'c Lexicon,
    finding: Finding,
    best_fit: Fit,
    /// Units of several spans hold as much.
    several: bool,
    best_clash: Option<Clash>,
    /// The last span of which a unit was weighed against the best one.
    told: Option<usize>,
    slots: Vec<Slot>,
    /// What each span holds in one unit, for what two spans say together.
    held: Vec<(usize, u128)>,
}

/// A unit where it stands.
struct Spot<'t> {
    units: &'t [Unit],
    at: usize,
    text: &'t lex::Text<'t>,
    span: usize,
    /// Where its stretch begins in the span.
    base: usize,
}

impl Spot<'_> {
    fn unit(&self) -> &Unit {
        &self.units[self.at]
    }

    fn place(&self) -> Place {
        Place {
            unit: self.unit().placed(self.text),
            span: self.span,
            base: self.base,
        }
    }
}

/// The unit of a span that the claim's terms other than values name, so far.
struct Slot {
    rank: Rank,
    place: Place,
    clash: Option<Clash>,
}

/// How well a unit is the slot: by the terms that name it, by the claim's values over it and in it, by
/// whether it has values, by whether the claim has its key and another value, and last by whether it agrees.
type Rank = (f64, f64, f64, bool, bool, bool);

/// How well a unit holds the claim: its score, and then all that the features see of it.
type Fit = (f64, u128, u128, bool, bool, bool);

impl Search<'_, '_, '_> {
    /// Looks through a span.
    fn span(&mut self, index: usize) {
        let (span, claim, lexicon) = (&self.spans[index], self.claim, self.lexicon);
        let label = span
            .source
            .as_deref()
            .map_or(0, |source| structure::label(source, claim, lexicon));
        let mut seen = label;
        let mut slot: Option<Slot> = None;
        for (base, text) in structure::stretches(&span.text) {
            let mut best_at = None;
            let text = lex::Text::new(text);
            let mut units = structure::read(&text.cased, &text.low, claim, lexicon);
            for at in 0..units.len() {
                units[at].above |= label;
                let own = units[at].own();
                seen |= own;
                if own == 0 {
                    continue;
                }
                let last = self.held.last();
                if !units[at].listed && last != Some(&(index, own)) && self.held.len() < MOST_HELD {
                    self.held.push((index, own));
                }
                let spot = Spot {
                    units: &units,
                    at,
                    text: &text,
                    span: index,
                    base,
                };
                self.name_slot(&spot, &mut slot);
                if self.weigh(&spot) {
                    best_at = Some(at);
                }
            }
            if self.best_clash.is_none()
                && let Some(at) = best_at
            {
                self.best_clash = other_record(claim, &units, at, &text);
            }
        }
        self.slots.extend(slot);
        self.finding.seen |= seen;
        self.finding.seen_in.push(seen);
    }

    /// Takes a unit for the span's slot where the claim's terms name it better than the one so far.
    fn name_slot(&self, spot: &Spot<'_>, slot: &mut Option<Slot>) {
        let (claim, unit) = (self.claim, spot.unit());
        let Masks { values, names, .. } = claim.masks;
        let named = score_named(claim, unit, !values, names);
        // What a comment says comes after what code does.
        let remark = if unit.remark {
            claim.weight(values) + 1.0
        } else {
            0.0
        };
        let own = claim.weight(unit.own() & values);
        let bound = own - claim.weight(unit.oppose & !unit.agree) - remark;
        let under = claim.weight(unit.above & values);
        let (held_values, other) = (unit.has_values(), unit.other == Other::Value);
        let rank = |agrees: bool| -> Rank { (named, under, bound, held_values, other, agrees) };
        let better = |rank: Rank| slot.as_ref().is_none_or(|slot| rank > slot.rank);
        if !better(rank(true)) {
            return;
        }
        let clash = clash(claim, spot);
        // What holds no value of the claim's, nor another in its place, is no slot of it.
        let tells = clash.is_some() || values == 0 || (unit.own() | unit.above) & values != 0;
        let rank = rank(clash.is_none());
        if tells && better(rank) {
            *slot = Some(Slot {
                rank,
                place: spot.place(),
                clash,
            });
        }
    }

    /// Takes a unit for the best where it holds more of the claim than the one so far: whether it does. Of equals, the
    /// same one in whatever order the spans stand.
    fn weigh(&mut self, spot: &Spot<'_>) -> bool {
        let (claim, unit, index) = (self.claim, spot.unit(), spot.span);
        let score = score(claim, unit, u128::MAX);
        let (held, fact) = (unit.own() | unit.above, unit.is_fact());
        let value = unit.other == Other::Value;
        let fit: Fit = (score, unit.reach(), held, fact, value, !unit.pronoun);
        self.several = match &self.finding.best {
            Some(best) if fit == self.best_fit => self.several || best.span != index,
            _ => self.several && fit < self.best_fit,
        };
        let better = fit > self.best_fit;
        let open = self.best_clash.is_some();
        let tied = fit == self.best_fit && (open || self.told != Some(index));
        if !better && !tied {
            return false;
        }
        let against = clash(claim, spot);
        if better || against.is_none() {
            self.told = Some(index);
        }
        // Of equals one that nothing speaks against; of those of several spans the first by its letters.
        let best = self.finding.best.as_ref();
        let best = best.map_or("", |best| best.text(self.spans));
        let first = open || spot.text.original(unit.start, unit.end) < best;
        let taken = better || against.is_none() && first;
        if taken {
            self.best_fit = fit;
            self.finding.best = Some(spot.place());
            self.best_clash = against;
        }
        taken
    }

    /// Finds another span that gives all that is missing, and more than one term: it goes with the best.
    fn join(&mut self) {
        let names = self.claim.masks.names;
        let Some(best) = &self.finding.best else {
            return;
        };
        let reach = best.unit.reach();
        let missing = self.finding.seen & !reach;
        let whole = |&&(span, own): &&(usize, u128)| {
            (self.several || span != best.span)
                && !best.unit.pronoun
                && own & missing == missing
                && missing.count_ones() >= 2
                && own & reach & names == 0
        };
        let joined = self
            .held
            .iter()
            .find(whole)
            .map(|(span, _)| (*span, missing));
        self.finding.joined = joined;
        self.finding.reach = reach | joined.map_or(0, |(_, terms)| terms);
    }

    /// Says what speaks against the claim: its slot, or else what holds most of it, which may not either, whatever
    /// another place says.
    fn decide(mut self) -> Finding {
        let slot = self.deciding();
        let mut finding = self.finding;
        let seen = finding.seen;
        // A word is known for another only where the claim's stands in another slot.
        let known =
            |clash: &Clash| !matches!(clash, Clash::Word { terms, .. } if terms & !seen != 0);
        let best = finding.best.clone().zip(self.best_clash);
        finding.clash = slot.into_iter().chain(best).find(|(_, clash)| known(clash));
        finding
    }

    /// What the slots of the spans, one of each, say against the claim: that of the span which holds most of it, and
    /// those that fit better. So no span that is added, however well it fits, takes back what another says.
    fn deciding(&mut self) -> Option<(Place, Clash)> {
        let (slots, spans) = (core::mem::take(&mut self.slots), self.spans);
        let best = self.finding.best.as_ref().map(|best| best.span);
        let ranks = || slots.iter().map(|slot| slot.rank);
        let highest = ranks().reduce(|one, other| if other > one { other } else { one })?;
        let own = slots.iter().find(|slot| Some(slot.place.span) == best);
        let least = own.map_or(highest, |slot| slot.rank);
        let against = slots
            .into_iter()
            .filter(|slot| slot.rank >= least && slot.clash.is_some());
        let before = |one: &Slot, other: &Slot| {
            one.rank > other.rank
                || one.rank == other.rank && one.place.text(spans) < other.place.text(spans)
        };
        let first = against.reduce(|one, other| if before(&other, &one) { other } else { one })?;
        Some((first.place, first.clash?))
    }
}

/// How much of `wanted` a unit holds; what stands above or beside it counts a little less.
fn score(claim: &Claim<'_>, unit: &Unit, wanted: u128) -> f64 {
    let (own, above) = (unit.own(), unit.above & !unit.own());
    let near = unit.reach() & !(own | above);
    claim.weight(own & wanted)
        + 0.95 * claim.weight(above & wanted)
        + 0.8 * claim.weight(near & wanted)
}

/// How well the terms that name a slot fit a unit: what stands in the unit itself decides.
fn score_named(claim: &Claim<'_>, unit: &Unit, naming: u128, names: u128) -> f64 {
    let (own, above) = (unit.own(), unit.above & !unit.own());
    let near = unit.near & !(own | above);
    claim.weight((own | above) & naming)
        + 0.9 * claim.weight(near & naming & names)
        + 0.5 * claim.weight(near & naming & !names)
}

/// What in the unit that a claim names speaks against it.
fn clash(claim: &Claim<'_>, spot: &Spot<'_>) -> Option<Clash> {
    let (unit, text) = (spot.unit(), spot.text);
    let Masks { values, names, .. } = claim.masks;
    let (reach, all) = (unit.reach(), claim.mask(|_| true));
    let naming = all & !values;
    if let Some(clash) = word_clash(claim, unit, text, names) {
        return Some(clash);
    }
    let fits = claim.weight(reach & naming) >= 0.6 * claim.weight(naming);
    // A sentence is about what it says itself.
    let itself = claim.weight((unit.own() | unit.above) & naming);
    let fits = fits && (unit.is_fact() || itself >= 0.4 * claim.weight(naming));
    if unit.placeholder || !fits || names & !reach != 0 || unit.own() & naming == 0 {
        return None;
    }
    for bit in 0..claim.terms.len() {
        let term = 1_u128 << bit;
        if term & values & unit.own() != 0
            && let Some(rival) = unit
                .beside(term, claim.masks.contents)
                .or_else(|| unit.in_clause(term))
        {
            let found = Found::new(text, (rival.start, rival.end), unit);
            return Some(Clash::Rival { term, found });
        }
        if term & values & !(unit.own() | unit.above) == 0 {
            continue;
        }
        // A heading's number is often no more than its own; its version or path is the subject.
        let heading = || {
            let number = claim.in_mask(term).any(Term::is_plain_number);
            let mut over = structure::ancestors(spot.units, spot.at)
                .filter(|_| !number && term & !unit.near != 0);
            over.find_map(|unit| Some((unit.rival(term, &text.cased)?, unit)))
        };
        let own = unit.rival(term, &text.cased).map(|rival| (rival, unit));
        if let Some((rival, unit)) = own.or_else(heading) {
            let found = Found::new(text, (rival.start, rival.end), unit);
            return Some(Clash::Rival { term, found });
        }
    }
    let opposed = (unit.oppose | unit.against) & !unit.agree;
    (opposed != 0).then_some(Clash::Polarity(opposed))
}

/// What another record, which the claim names, has in the place of the value that the claim gives it.
fn other_record(
    claim: &Claim<'_>,
    units: &[Unit],
    at: usize,
    text: &lex::Text<'_>,
) -> Option<Clash> {
    let wanted = claim.masks.contents & !claim.verbs(&units[at]);
    let (terms, other) = structure::in_other_record(units, at, wanted, &text.low)?;
    let told = other
        .told
        .filter(|(start, end)| end - start <= MOST_FOUND)?;
    Some(Clash::Word {
        terms,
        found: Found::new(text, told, other),
    })
}

/// The word in the slot that all other terms name, where the claim has another one.
fn word_clash(claim: &Claim<'_>, unit: &Unit, text: &lex::Text<'_>, names: u128) -> Option<Clash> {
    let word = unit
        .word
        .filter(|_| unit.other == Other::Value || unit.typed)?;
    let contents = claim.masks.contents & !claim.verbs(unit);
    let held = (unit.own() | unit.above) & contents;
    let missing = contents & !held;
    let sure = held & names != 0 || held.count_ones() >= 2;
    (!unit.placeholder && sure && (1..=2).contains(&missing.count_ones())).then(|| Clash::Word {
        terms: missing,
        found: Found::new(text, word, unit),
    })
}
