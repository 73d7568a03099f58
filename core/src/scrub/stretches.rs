//! Stretches of a text, brought into its order.

use alloc::vec::Vec;

use super::lexicon::Stretch;
use crate::sort::sort;

/// Both in the order of the text, each once.
pub(super) fn merge(mut ones: Vec<Stretch>, mut others: Vec<Stretch>) -> Vec<Stretch> {
    sort_nearly_sorted(&mut ones);
    sort_nearly_sorted(&mut others);
    if ones.len() < others.len() {
        core::mem::swap(&mut ones, &mut others);
    }
    // Where both are in one list the greater ones go behind all that are left.
    let mut left = ones.len();
    ones.extend_from_slice(&others);
    while let Some(other) = others.last() {
        let at = left + others.len() - 1;
        if left > 0 && ones[left - 1] > *other {
            left -= 1;
            ones[at] = ones[left];
        } else {
            ones[at] = *other;
            others.pop();
        }
    }
    ones.dedup();
    ones
}

/// Rules find things a little ahead of their turn, so that most stretches stand where they belong or
/// near it.
fn sort_nearly_sorted(stretches: &mut [Stretch]) {
    /// Most steps back for each stretch, on the whole.
    const STEPS: usize = 16;
    let mut left = STEPS * stretches.len();
    for from in 1..stretches.len() {
        let stretch = stretches[from];
        let mut at = from;
        while at > 0 && stretches[at - 1] > stretch {
            stretches[at] = stretches[at - 1];
            at -= 1;
        }
        stretches[at] = stretch;
        match left.checked_sub(from - at) {
            Some(rest) => left = rest,
            None => return sort(stretches),
        }
    }
}
