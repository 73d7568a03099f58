//! Sorting in little code: std's sorts are fast, and 4 KB each for every type that is sorted.

/// Sorts in place; the order of equals is any. For lists that are short, or where the time does not count.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, |a, b| a < b);
}

/// Sorts by what is `less`.
pub(crate) fn sort_by<T>(items: &mut [T], less: impl Fn(&T, &T) -> bool) {
    if items.is_sorted_by(|a, b| !less(b, a)) {
        return;
    }
    // A heap of the whole first, then of less and less of it, the largest going behind it each time.
    let length = items.len();
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
            if child + 1 < end && less(&items[child], &items[child + 1]) {
                child += 1;
            }
            if !less(&items[at], &items[child]) {
                break;
            }
            items.swap(at, child);
            at = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

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
            sort(&mut items);
            assert_eq!(items, want);
        }
    }
}
