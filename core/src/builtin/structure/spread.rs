//! What stands above each unit and round it, handed down when all are read.

use alloc::{vec, vec::Vec};

use super::{Other, Reader};

impl Reader<'_, '_> {
    /// Hands down what stands above each unit, and round what stands beside it.
    pub(super) fn spread(&mut self) {
        self.settle();
        let repeated = self.repeated();
        // What the units say themselves, before they have their columns' titles.
        let groups = self.groups(&repeated);
        self.name_columns();
        let (scalars, identity) = self.scalars(self.claim.masks.values, &repeated);
        self.hand_down(&groups, &scalars, identity);
    }

    /// Questions say nothing; parents know that they are.
    fn settle(&mut self) {
        for at in 0..self.units.len() {
            if self.units[at].question {
                (self.units[at].agree, self.units[at].oppose) = (0, 0);
            }
            if let Some(parent) = self.units[at].parent {
                self.units[parent].has_children = true;
            }
        }
    }

    /// What each group says: entries and a line's first sentence whole, of other sentences what they name.
    fn groups(&self, repeated: &[bool]) -> Vec<Group> {
        let telling = self.claim.masks.names | self.claim.masks.values;
        let mut groups = vec![Group::default(); self.units.len()];
        for (at, unit) in self.units.iter().enumerate() {
            let mut says = |group: usize| {
                groups[group].told |= unit.agree;
                groups[group].turned |= unit.oppose;
            };
            if (unit.is_fact() || unit.group == at) && !repeated[at] {
                says(unit.group);
            }
            // The first sentence of a line that is also an entry stands among both.
            if unit.group != at {
                says(at);
            }
            groups[unit.group].named |= unit.agree & telling;
            groups[unit.group].hidden |= unit.placeholder;
        }
        groups
    }

    /// Gives each unit what stands over it and beside it: a parent stands before its children.
    fn hand_down(&mut self, groups: &[Group], scalars: &[(u128, u128)], identity: u128) {
        let (values, numbers) = (self.claim.masks.values, self.claim.masks.numbers);
        let mut over = vec![Over::default(); self.units.len()];
        for at in 0..self.units.len() {
            let Some(parent) = self.units[at].parent else {
                continue;
            };
            let (front, beside) = self.units.split_at_mut(at);
            let (parent_unit, unit) = (&front[parent], &mut beside[0]);
            let mut above = over[parent];
            above.said |= parent_unit.own();
            above.turned |= parent_unit.oppose & !parent_unit.agree;
            if parent != 0 {
                let (agree, oppose) = scalars[parent_unit.group];
                above.around.0 |= agree;
                above.around.1 |= oppose;
            }
            over[at] = above;
            unit.rivalled = unit
                .values
                .iter()
                .filter(|slot| slot.mask == 0)
                .fold(0, |mask, slot| mask | slot.rival | slot.open);
            // A value that has a rival here is not brought from elsewhere.
            unit.above |= above.said & !(unit.rivalled & numbers);
            let group = groups[unit.group];
            // Whom "she" means, the first sentence says.
            let about = if unit.pronoun { values } else { u128::MAX };
            unit.near = group.told | group.named & about | above.around.0 | identity;
            // What stands beside a sentence stands beside the entries in its brackets.
            if parent_unit.parent != Some(parent_unit.group) {
                unit.near |= parent_unit.near;
            }
            unit.near &= !unit.rivalled;
            unit.against = (group.turned | above.around.1 | above.turned) & !unit.near;
            unit.listed |= parent_unit.listed;
            unit.placeholder |= parent_unit.placeholder | group.hidden;
        }
    }

    /// Which entries that hold something of the claim have the key of the one before among these: each is about
    /// something of its own.
    fn repeated(&self) -> Vec<bool> {
        let mut repeated = vec![false; self.units.len()];
        let mut last = vec![0; self.units.len()];
        for (at, unit) in self.units.iter().enumerate() {
            let Some(key) = unit.key.filter(|_| unit.pair && unit.own() != 0) else {
                continue;
            };
            let before = core::mem::replace(&mut last[unit.group], at);
            let letters = |(start, end): (usize, usize)| &self.low[start..end];
            if self.units[before].key.map(letters) == Some(letters(key)) {
                (repeated[before], repeated[at]) = (true, true);
            }
        }
        repeated
    }

    /// Gives each cell the title of its column, as an entry has its key.
    fn name_columns(&mut self) {
        let (contents, values) = (self.claim.masks.contents, self.claim.masks.values);
        let on = self.lexicon.on;
        for at in 0..self.units.len() {
            let Some(title) = self.units[at].title.filter(|&title| title != at) else {
                continue;
            };
            if self.units[at].blank {
                continue;
            }
            let (agree, oppose) = (self.units[title].agree, self.units[title].oppose);
            let unit = &mut self.units[at];
            let stated = unit.own() != 0;
            unit.other = match ((agree | oppose) & contents != 0, stated) {
                (true, false) if unit.word.is_some() && !unit.denies => Other::Value,
                _ => Other::Nothing,
            };
            let turned = unit.denies && self.claim.patterns(on).is_empty();
            // As an entry: a title whose one word the claim has its "not" before is turned round as a whole.
            let (agree, oppose) = match (turned, oppose) {
                (false, _) => (agree, oppose),
                (true, 0) => (0, agree),
                (true, _) => (agree | oppose, 0),
            };
            // A number over a column names it: it is none of the cell's own values.
            unit.above |= agree & values;
            unit.agree |= agree & !values;
            unit.oppose |= oppose;
        }
    }

    /// What the entries of each group that are no parents say, without values; and what the whole
    /// text's name is: what its first block calls itself.
    fn scalars(&self, values: u128, repeated: &[bool]) -> (Vec<(u128, u128)>, u128) {
        // A switch is on or off by itself.
        let switch = self.claim.patterns(self.lexicon.on);
        let switch = switch.iter().fold(0, |mask, pattern| mask | pattern.mask);
        let mut scalars = vec![(0, 0); self.units.len()];
        let mut identity = 0;
        let first = self
            .units
            .iter()
            .position(|unit| unit.parent == Some(0) && unit.pair && unit.has_children);
        for (at, unit) in self.units.iter().enumerate() {
            if unit.pair && !unit.has_children && !repeated[at] {
                let denies = unit.own() & switch != 0;
                scalars[unit.group].0 |= unit.agree & !(values | switch);
                scalars[unit.group].1 |= if denies { 0 } else { unit.oppose };
                if unit.identity && unit.parent == first && first.is_some() {
                    identity |= unit.agree & !values;
                }
            }
        }
        (scalars, identity)
    }
}

/// What the units of a group say.
#[derive(Clone, Copy, Default)]
struct Group {
    told: u128,
    /// What of the claim they turn round.
    turned: u128,
    /// What they name, further sentences as well.
    named: u128,
    /// One of them holds a placeholder.
    hidden: bool,
}

/// What stands over a unit.
#[derive(Clone, Copy, Default)]
struct Over {
    said: u128,
    /// What of it the claim says turned round.
    turned: u128,
    /// What the entries beside it say, and turn round.
    around: (u128, u128),
}
