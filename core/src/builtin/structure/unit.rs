//! A unit, what of the claim it holds, and where others take the place of that.

use alloc::vec::Vec;

use crate::builtin::lex;

/// One unit with what it holds of the claim. Masks have a bit for each of the claim's terms.
#[derive(Clone, Debug, Default)]
pub(in crate::builtin) struct Unit {
    pub(super) parent: Option<usize>,
    pub(super) group: usize,
    /// Where it stands in its span, in bytes.
    pub(in crate::builtin) start: usize,
    pub(in crate::builtin) end: usize,
    /// Terms that it holds as the claim says them.
    pub(in crate::builtin) agree: u128,
    /// Terms that it holds turned round.
    pub(in crate::builtin) oppose: u128,
    /// Terms in the headings and parents above it.
    pub(in crate::builtin) above: u128,
    /// Terms in entries of the same record or sentences of the same line.
    pub(in crate::builtin) near: u128,
    /// Terms that these turn round and none of them says.
    pub(in crate::builtin) against: u128,
    /// It stands in a list whose items say nothing of each other.
    pub(in crate::builtin) listed: bool,
    /// It, or something above it, holds a placeholder.
    pub(in crate::builtin) placeholder: bool,
    pub(super) question: bool,
    /// `key: value`.
    pub(super) pair: bool,
    /// Of a cell, the title of its column.
    pub(super) title: Option<usize>,
    /// `name(…): Type`, `name(…) -> Type`.
    pub(in crate::builtin) typed: bool,
    /// It is one word that says no.
    pub(super) denies: bool,
    /// It has no word.
    pub(super) blank: bool,
    /// Where a pair's key stands, and the value of a pair or a cell.
    pub(super) key: Option<(usize, usize)>,
    pub(in crate::builtin) told: Option<(usize, usize)>,
    /// It has a pronoun in the place of whom it is about.
    pub(in crate::builtin) pronoun: bool,
    /// It stands in a comment.
    pub(in crate::builtin) remark: bool,
    /// It is the name of what it stands in: `name: api`.
    pub(super) identity: bool,
    pub(super) has_children: bool,
    /// What of a pair the claim does not speak of.
    pub(in crate::builtin) other: Other,
    /// Where a pair's or a cell's value stands, when it is a word or a few and not all the claim's.
    pub(in crate::builtin) word: Option<(usize, usize)>,
    /// Terms that a value here is the rival of.
    pub(super) rivalled: u128,
    pub(super) values: Vec<Slot>,
}

/// What of a pair the claim does not speak of, while it speaks of the rest: then what stands beside
/// the pair says nothing of it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(in crate::builtin) enum Other {
    Key,
    #[default]
    Nothing,
    Value,
}

/// A value in a unit, by place, with its neighbours' terms.
#[derive(Clone, Debug)]
pub(in crate::builtin) struct Slot {
    pub(in crate::builtin) start: usize,
    pub(in crate::builtin) end: usize,
    /// Terms of the claim that it is.
    pub(in crate::builtin) mask: u128,
    /// Terms of the claim whose rival it is.
    pub(in crate::builtin) rival: u128,
    /// Of those, terms that are years as it is one.
    pub(super) alike: u128,
    /// Terms of the claim that are of its kind and may hold or not.
    pub(super) open: u128,
    /// Terms beside whose neighbour it stands.
    pub(in crate::builtin) keyed: u128,
    /// The words before and after it: which of the claim's terms each is, none where it is another word;
    /// absent where there is none.
    pub(in crate::builtin) beside: [Option<u128>; 2],
    pub(in crate::builtin) clause: Clause,
}

/// What stands between two marks or conjunctions of a sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::builtin) struct Clause {
    pub(super) number: usize,
    /// What it holds of the claim, but values.
    pub(super) contents: u128,
    /// It has a word that is none of the claim's.
    pub(super) foreign: bool,
}

impl Unit {
    /// A whole text that says these terms.
    pub(in crate::builtin) fn whole(text: &str, agree: u128) -> Self {
        Self {
            end: text.len(),
            agree,
            ..Self::default()
        }
    }

    /// The same with its place in the original text.
    pub(in crate::builtin) fn placed(&self, text: &lex::Text<'_>) -> Self {
        Self {
            start: text.place(self.start),
            end: text.place(self.end),
            ..self.clone()
        }
    }

    pub(in crate::builtin) fn own(&self) -> u128 {
        self.agree | self.oppose
    }

    /// It holds a value that is, or could be, one of the claim's.
    pub(in crate::builtin) fn has_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// It is a pair or a cell: no sentence, so it has no verb.
    pub(in crate::builtin) fn is_fact(&self) -> bool {
        self.pair || self.title.is_some()
    }

    pub(in crate::builtin) fn reach(&self) -> u128 {
        let near = if self.other == Other::Nothing {
            self.near
        } else {
            0
        };
        self.own() | self.above | near
    }

    /// The value here that stands beside words of the claim, where what the claim has (`term`, a mask of one
    /// bit) stands beside others: "adults 12, students 7".
    pub(in crate::builtin) fn beside(&self, term: u128, contents: u128) -> Option<&Slot> {
        let (mut same, others): (Vec<&Slot>, Vec<&Slot>) =
            self.values.iter().partition(|slot| slot.mask & term != 0);
        let mut others = others
            .into_iter()
            .filter(|slot| slot.mask == 0 && slot.rival & term != 0);
        let parted = |other: &&Slot| {
            let apart = |held: &mut &Slot| {
                let mut sides = held.beside.iter().zip(&other.beside);
                sides.any(|sides| matches!(sides, (Some(0), Some(said)) if said & contents != 0))
            };
            !same.is_empty() && same.iter_mut().all(apart)
        };
        others.find(parted)
    }

    /// The value here in a clause that says all that the one with what the claim has (`term`, a mask of one
    /// bit) says of it and more, where that one is about something else: "a read costs 1, a search costs 12".
    pub(in crate::builtin) fn in_clause(&self, term: u128) -> Option<&Slot> {
        let (same, others): (Vec<&Slot>, Vec<&Slot>) =
            self.values.iter().partition(|slot| slot.mask & term != 0);
        let mut others = others
            .into_iter()
            .filter(|slot| slot.mask == 0 && slot.rival & term != 0);
        // Of many the first tells: nobody lists so many of one thing.
        let few = &same[..same.len().min(4)];
        let fuller = |other: &&Slot| {
            few.iter().all(|slot| {
                let (here, there) = (slot.clause, other.clause);
                here.foreign
                    && here.contents != 0
                    && here.contents & !there.contents == 0
                    && there.contents & !here.contents != 0
            })
        };
        others.find(|other| !few.is_empty() && fuller(other))
    }

    /// The one value here that takes the place of `term` (a mask of one bit).
    pub(in crate::builtin) fn rival(&self, term: u128, text: &str) -> Option<&Slot> {
        let rivals = self
            .values
            .iter()
            .filter(|slot| slot.mask == 0 && slot.rival & term != 0);
        // Where there is a year, no other number is one's rival.
        let years = rivals.clone().any(|slot| slot.alike & term != 0);
        let mut rivals = rivals.filter(|slot| !years || slot.alike & term != 0);
        let keyed = rivals.clone().find(|slot| slot.keyed & term != 0);
        let first = rivals.next()?;
        let same = |slot: &Slot| text[slot.start..slot.end] == text[first.start..first.end];
        keyed.or_else(|| rivals.all(same).then_some(first))
    }
}

/// The entry of another record that has the key of `units[at]`, which holds most of the claim, where what the
/// claim says and this record does not names the other one: "the stack's limit is 512" of a heap's limit. With the
/// terms that it lacks.
pub(in crate::builtin) fn in_other_record<'u>(
    units: &'u [Unit],
    at: usize,
    wanted: u128,
    low: &str,
) -> Option<(u128, &'u Unit)> {
    let unit = &units[at];
    let missing = wanted & !(unit.own() | unit.above);
    // What only an entry beside it says may be what the other record is called.
    let beside = missing & unit.reach() == missing;
    let key = |unit: &Unit| unit.key.map(|(start, end)| &low[start..end]);
    let same_key = |other: &&Unit| match unit.title {
        Some(_) => other.title == unit.title,
        None => other.key.is_some() && key(other) == key(unit),
    };
    if missing == 0 || !unit.is_fact() {
        return None;
    }
    let named = |other: &&Unit| {
        let (names, missing) = match beside {
            true => (other.above, missing),
            false => (other.above | other.near, missing & !unit.reach()),
        };
        // Nothing that the claim says names this record and not the other one.
        let ours = (unit.above | unit.near) & wanted & !(unit.own() | other.reach());
        missing & !names == 0 && ours == 0 && !other.placeholder
    };
    let mut others = units
        .iter()
        .filter(|other| other.parent != unit.parent && other.told.is_some())
        .filter(|other| other.is_fact() && same_key(other) && named(other));
    let first = others.next()?;
    let terms = |other: &Unit| unit.own() & wanted & !other.own();
    let all = others.fold(terms(first), |all, other| all & terms(other));
    (all != 0).then_some((all, first))
}

/// The units above `units[at]`, from the nearest.
pub(in crate::builtin) fn ancestors(units: &[Unit], at: usize) -> impl Iterator<Item = &Unit> {
    core::iter::successors(units[at].parent, |&at| units[at].parent).map(|at| &units[at])
}
