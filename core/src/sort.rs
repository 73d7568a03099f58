//! Sorting in little code: std's sorts are fast, and 4 KB each for every type that is sorted.

use alloc::vec::Vec;

/// Sorts in place; the order of equals is any. For lists that are short, or where the time does not count.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, |a, b| a < b);
}

/// Sorts by what is `less`.
pub(crate) fn sort_by<T>(items: &mut [T], less: impl Fn(&T, &T) -> bool) {
    let length = items.len();
    heap_sort(length, &mut By { items, less });
}

/// What can be sorted by the places of its items: one sort for all types.
trait Sortable {
    fn is_less(&self, one: usize, other: usize) -> bool;
    fn swap(&mut self, one: usize, other: usize);
}

struct By<'i, T, F> {
    items: &'i mut [T],
    less: F,
}

impl<T, F: Fn(&T, &T) -> bool> Sortable for By<'_, T, F> {
    fn is_less(&self, one: usize, other: usize) -> bool {
        (self.less)(&self.items[one], &self.items[other])
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.items.swap(one, other);
    }
}

fn heap_sort(length: usize, items: &mut dyn Sortable) {
    if (1..length).all(|at| !items.is_less(at, at - 1)) {
        return;
    }
    // A heap of the whole first, then of less and less of it, the largest going behind it each time.
    for step in (0..length + length / 2).rev() {
        let (mut at, end) = match step.checked_sub(length) {
            Some(top) => (top, length),
            None => {
                items.swap(0, step);
                (0, step)
            }
        };
        loop {
            let mut child = 2 * at + 1;
            if child >= end {
                break;
            }
            if child + 1 < end && items.is_less(child, child + 1) {
                child += 1;
            }
            if !items.is_less(at, child) {
                break;
            }
            items.swap(at, child);
            at = child;
        }
    }
}

/// Sorts what consists of few stretches that are sorted, by what is `less`: they are merged two by two, and
/// memory is read in its order. Equals keep theirs.
pub(crate) fn sort_runs<T: Copy>(items: &mut [T], less: &dyn Fn(&T, &T) -> bool) {
    let is_start = |at: &usize| less(&items[*at], &items[*at - 1]);
    let mut ends: Vec<usize> = (1..items.len()).filter(is_start).collect();
    ends.push(items.len());
    let mut merged = Vec::new();
    while ends.len() > 1 {
        merged.clear();
        merged.reserve(items.len());
        let mut start = 0;
        let mut pairs = 0;
        for at in (0..ends.len()).step_by(2) {
            let (middle, end) = (ends[at], ends[(at + 1).min(ends.len() - 1)]);
            let (mut ones, mut others) = (&items[start..middle], &items[middle..end]);
            while let ([one, ones_left @ ..], [other, others_left @ ..]) = (ones, others) {
                let next = match less(other, one) {
                    true => {
                        others = others_left;
                        other
                    }
                    false => {
                        ones = ones_left;
                        one
                    }
                };
                merged.push(*next);
            }
            merged.extend_from_slice(ones);
            merged.extend_from_slice(others);
            start = end;
            ends[pairs] = end;
            pairs += 1;
        }
        ends.truncate(pairs);
        items.copy_from_slice(&merged);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_std_does() {
        let mut seed = 1_u32;
        for length in 0..200 {
            let numbers = (0..length).map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                seed >> 26
            });
            let mut items: Vec<u32> = numbers.collect();
            let mut want = items.clone();
            want.sort_unstable();
            let mut others = items.clone();
            sort(&mut items);
            assert_eq!(items, want);
            sort_runs(&mut others, &|a, b| a < b);
            assert_eq!(others, want);
        }
    }
}
