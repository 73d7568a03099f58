//! Which of the claim's words a unit holds, as the claim says them or turned round.

use super::{
    Other, Reader,
    words::{Part, Read},
};

/// Keys of what a record is called.
const IDENTITY: [&str; 3] = ["name", "title", "id"];

impl Reader<'_, '_> {
    /// What a unit holds of the claim, by its parts and what its words tell.
    pub(super) fn hold(&mut self, unit: usize, read: &Read<'_>) {
        self.match_parts(unit);
        if read.denial {
            self.deny(unit);
        }
        let held = self.units[unit].own();
        self.match_values(unit, &read.values);
        self.tell(unit, read, held);
    }

    /// Says what stands in a pair; `words` is what the unit holds but values.
    fn tell(&mut self, unit: usize, read: &Read<'_>, words: u128) {
        let (on, separator) = (self.lexicon.on, read.separator.unwrap_or(0));
        let value = &self.parts[separator.min(self.parts.len())..];
        let unsaid = value.iter().any(|part| !part.content && part.stem != on);
        let few = (1..=4).contains(&value.len()) && value.iter().all(|part| !part.value);
        let key = &self.parts[..separator];
        let is_identity = |key: &Part<'_>| {
            let mut known = IDENTITY.iter();
            known.any(|word| self.lexicon.canon(word).0 == key.stem)
        };
        let identity = matches!(key, [key] if is_identity(key));
        let told = &mut self.units[unit];
        told.told = read.stretch;
        told.word = read.stretch.filter(|_| few && unsaid);
        told.identity = identity;
        if let Some(separator) = read.separator.filter(|_| read.telling) {
            self.units[unit].other = self.other(unit, separator, words);
        }
    }

    fn match_parts(&mut self, unit: usize) {
        let values = self.claim.masks.values;
        let contents = self.claim.masks.contents;
        for at in 0..self.parts.len() {
            let part = self.parts[at];
            for pattern in self.claim.patterns(part.stem) {
                let run = &self.parts[at..];
                let Some(end) = run.get(pattern.rest.len()) else {
                    continue;
                };
                let same = run[1..]
                    .iter()
                    .zip(&pattern.rest)
                    .all(|(part, stem)| part.stem == *stem);
                if !same || (pattern.whole && !(part.first && end.last)) {
                    continue;
                }
                let mask = if part.value {
                    pattern.mask & !values
                } else {
                    pattern.mask
                };
                let turned = run[..=pattern.rest.len()]
                    .iter()
                    .fold(false, |turned, part| turned ^ part.negated);
                self.parts[at].content |= mask & contents != 0;
                self.parts[at].mask |= mask;
                if turned == pattern.negated {
                    self.units[unit].agree |= mask;
                } else {
                    self.units[unit].oppose |= mask;
                }
            }
        }
    }

    /// Turns an entry round as a whole: whichever word of its key the claim has its "not" before.
    fn deny(&mut self, unit: usize) {
        let values = self.claim.masks.values;
        let unit = &mut self.units[unit];
        if unit.oppose != 0 {
            unit.agree |= core::mem::take(&mut unit.oppose);
            return;
        }
        let masks = self.parts.iter().rev().map(|part| part.mask & !values);
        unit.oppose = masks.into_iter().find(|mask| *mask != 0).unwrap_or(0);
        unit.agree &= !unit.oppose;
    }

    /// What of a pair, whose value begins at part `separator`, the claim leaves out.
    fn other(&self, unit: usize, separator: usize, words: u128) -> Other {
        let (key, value) = self.parts.split_at(separator);
        let on = self.lexicon.on;
        let said = |parts: &[Part<'_>]| parts.iter().any(|part| part.content);
        let stated = said(value) || self.units[unit].own() & !words != 0;
        // A number is a rival by its kind; a switch says its key; an identifier needs no key.
        let word = self.units[unit].word.is_some() && value.iter().all(|part| part.stem != on);
        let named = self.units[unit].own() & self.claim.masks.names != 0;
        match (said(key), stated) {
            (true, false) if word => Other::Value,
            (false, true) if !named => Other::Key,
            _ => Other::Nothing,
        }
    }
}
