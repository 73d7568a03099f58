//! Stretches of a text, brought into its order.

use alloc::vec::Vec;

use super::lexicon::Stretch;
use crate::sort::sort_by;

/// Both in the order of the text, each once.
pub(super) fn merge(mut ones: Vec<Stretch>, mut others: Vec<Stretch>) -> Vec<Stretch> {
    sort_nearly_sorted(&mut ones);
    sort_nearly_sorted(&mut others);
    if ones.is_empty() {
        others.dedup();
        return others;
    }
    let mut merged = Vec::with_capacity(ones.len() + others.len());
    let mut rest = others.as_slice();
    for one in &ones {
        let own = place(one);
        while let [other, behind @ ..] = rest
            && (other.start() < one.start() || place(other) < own)
        {
            merged.push(*other);
            rest = behind;
        }
        merged.push(*one);
    }
    merged.extend_from_slice(rest);
    merged.dedup();
    merged
}

/// Rules find things a little ahead of their turn, so that most stretches stand where they belong or
/// near it.
fn sort_nearly_sorted(stretches: &mut [Stretch]) {
    /// Most steps back for each stretch, on the whole.
    const STEPS: usize = 16;
    let mut left = STEPS * stretches.len();
    for from in 1..stretches.len() {
        let stretch = stretches[from];
        if stretches[from - 1].start() < stretch.start() {
            continue;
        }
        let own = place(&stretch);
        let mut at = from;
        while at > 0 && place(&stretches[at - 1]) > own {
            stretches[at] = stretches[at - 1];
            at -= 1;
        }
        stretches[at] = stretch;
        match left.checked_sub(from - at) {
            Some(rest) => left = rest,
            None => return sort_by(stretches, |a, b| place(a) < place(b)),
        }
    }
}

/// What stretches are ordered by: where they start, then where they end.
fn place(stretch: &Stretch) -> (u64, u64) {
    let place = (stretch.start() as u64) << 32 | stretch.end() as u64;
    (
        place,
        u64::from(stretch.name) << 1 | u64::from(stretch.rest),
    )
}
