//! A unit's values: which the claim has, which are rivals of those, and what stands beside them.

use alloc::vec::Vec;
use core::ops::Range;

use super::{
    Reader,
    unit::{Clause, Slot},
};
use crate::builtin::{bound::Relation, claim::Value, lex::Token};

/// How many values of a unit are kept with their places: nobody tells more apart in one sentence.
const MAX_VALUES: usize = 64;

/// A value as a unit has it written.
pub(super) struct Written<'a> {
    pub(super) token: &'a Token,
    pub(super) value: Value<'a>,
    /// Which of the unit's parts it is.
    pub(super) parts: Range<usize>,
    /// Whether it ends a range.
    pub(super) upper: bool,
    /// Whether it only numbers what follows.
    pub(super) numbering: bool,
}

impl Reader<'_, '_> {
    /// Matches a unit's values: what code says comes before what a comment beside it does.
    pub(super) fn match_values(&mut self, unit: usize, values: &[Written<'_>]) {
        let clauses = self.clauses(values.len());
        let code = |written: &&Written<'_>| !written.token.remark;
        let live = values.iter().filter(code).count();
        let comments = values.iter().filter(|written| !code(written));
        for written in values.iter().filter(code).chain(comments) {
            let clause = clauses.get(written.parts.start).copied();
            let comment = written.token.remark && live > 0;
            self.match_value(
                unit,
                written,
                clause.unwrap_or_default(),
                comment.then_some(values),
            );
        }
    }

    /// For each part its clause, with what of the claim that clause holds, where there are several values
    /// to tell apart.
    fn clauses(&self, values: usize) -> Vec<Clause> {
        if values < 2 || self.claim.masks.values == 0 {
            return Vec::new();
        }
        let mut clauses: Vec<Clause> = Vec::new();
        let mut number = 0;
        let mut clause = Clause::default();
        let mut ends = Vec::new();
        for part in &self.parts {
            let joint = matches!(part.stem, "and" | "but" | "while" | "whereas");
            if part.parted || joint {
                ends.push(core::mem::take(&mut clause));
                number += 1;
            }
            clause.number = number;
            clause.contents |= part.mask & self.claim.masks.contents & !self.claim.masks.values;
            clause.foreign |= part.tells && part.mask == 0;
            clauses.push(clause);
        }
        ends.push(clause);
        for clause in &mut clauses {
            *clause = ends[clause.number];
        }
        clauses
    }

    /// The value of a comment beside code is given all `values` of the unit.
    fn match_value(
        &mut self,
        unit: usize,
        written: &Written<'_>,
        clause: Clause,
        values: Option<&[Written<'_>]>,
    ) {
        let value = written.value;
        let (mut slot, compared) = self.compare(written, clause);
        // "Two" is as often no value, "two years" is one.
        let number_word = matches!(value, Value::Number(number, text)
            if number.unit.is_none()
                && text.starts_with(char::is_alphabetic)
                && !text.contains(' '));
        let unit = &mut self.units[unit];
        if let Some(values) = values {
            // A line may have as many values as its comment: what is beyond the first of them explains nothing.
            let code = values.iter().filter(|other| !other.token.remark);
            let mut code = code.take(MAX_VALUES);
            let explains = code.any(|code| value.explains(code.value));
            slot.yield_to(&mut unit.values, explains);
        }
        unit.agree |= slot.mask | if slot.mask == 0 { 0 } else { compared };
        if !number_word
            && (slot.mask | slot.rival | slot.open) != 0
            && unit.values.len() < MAX_VALUES
        {
            unit.values.push(slot);
        }
    }

    /// What a value is to each of the claim's; and what compares these, where it compares this one as well.
    fn compare(&self, written: &Written<'_>, clause: Clause) -> (Slot, u128) {
        let (value, Range { start: at, end: to }) = (written.value, written.parts.clone());
        let before = at
            .checked_sub(1)
            .and_then(|at| self.parts.get(at))
            .map_or("", |part| part.stem);
        let after = self.parts.get(to).map_or("", |part| part.stem);
        let mut slot = Slot {
            start: written.token.phrase.0,
            end: written.token.phrase.1,
            mask: 0,
            rival: 0,
            alike: 0,
            open: 0,
            keyed: 0,
            beside: self.beside(at, to),
            clause,
        };
        let mut compared = 0;
        for (bit, term) in (0_u32..).zip(&self.claim.terms) {
            let Some(wanted) = term.value else { continue };
            // The end of a range that is affected is not where something was fixed.
            let [left, right] = term.beside;
            let keyed =
                (!left.is_empty() && left == before) || (!right.is_empty() && right == after);
            let relation = match wanted.relation(term.bound, value, written.token.bound) {
                // "More than 8 guests" holds of "12 guests".
                Relation::Within if keyed => Relation::Same,
                relation => relation,
            };
            if relation == Relation::Same && !(written.upper && self.claim.change) {
                slot.mask |= 1 << bit;
                if term.bound.side == written.token.bound.side {
                    compared |= term.compared;
                }
            } else if !written.numbering && relation == Relation::Rival {
                slot.rival |= 1 << bit;
                if keyed {
                    slot.keyed |= 1 << bit;
                }
                if wanted.is_year() && value.is_year() {
                    slot.alike |= 1 << bit;
                }
            } else if matches!(relation, Relation::Open | Relation::Within) {
                slot.open |= 1 << bit;
            }
        }
        (slot, compared)
    }

    /// The words beside the parts from `at` to `to`, over those that only join; none where another value is joined
    /// to it: of "at 7 and 9" both are what stands there.
    fn beside(&self, at: usize, to: usize) -> [Option<u128>; 2] {
        let open = |at: usize| self.parts.get(at).is_some_and(|part| !part.parted);
        let word = |parts: &mut dyn Iterator<Item = usize>| {
            let mut parts = parts.map(|at| &self.parts[at]).filter(|part| !part.joins);
            let first = parts.next()?;
            let listed =
                matches!(first.stem, "and" | "or") && parts.next().is_some_and(|part| part.value);
            (!first.value && !listed).then_some(first.mask)
        };
        [
            word(&mut (0..at).rev().take_while(|&at| open(at + 1))),
            word(&mut (to..self.parts.len()).take_while(|&at| open(at))),
        ]
    }
}

impl Slot {
    /// A comment's value is no rival of the claim's where there is code beside it, nor is it the claim's where code
    /// has another: `timeout = 60 # was 30`. What it explains it may say: `ttl = 3600 # an hour`.
    fn yield_to(&mut self, live: &mut [Self], explains: bool) {
        let rivalled = live
            .iter()
            .filter(|slot| slot.mask == 0)
            .fold(0, |mask, slot| mask | slot.rival);
        let contested = self.mask & rivalled;
        for slot in live {
            slot.open |= slot.rival & contested;
            slot.rival &= !contested;
        }
        self.open |= self.rival;
        self.rival = 0;
        if !explains {
            self.open |= contested;
            self.mask &= !contested;
        }
    }
}
