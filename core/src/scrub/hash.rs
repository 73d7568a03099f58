//! Hashes of names and words, and the one table that they are looked up in.
//!
//! Two names that collide would share a placeholder and still come back exactly, so 64 bits need no
//! second look at the letters.

use alloc::{vec, vec::Vec};

/// A hash that is added to.
#[derive(Clone, Copy)]
pub(crate) struct Hash(pub(crate) u64);

impl Hash {
    pub(crate) const fn mix(&mut self, value: u64) {
        // An odd factor whose bits look random; the upper half of the product is the better one.
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }
}

/// The hash of a text, ASCII letters taken as small: eight bytes at a time, as each word of a text
/// is hashed.
pub(crate) const fn of_bytes(text: &[u8]) -> u64 {
    hashed::<true>(text)
}

/// The hash of a text as it is written.
pub(crate) const fn exact(text: &[u8]) -> u64 {
    hashed::<false>(text)
}

const fn hashed<const SMALL: bool>(text: &[u8]) -> u64 {
    let mut hash = Hash(0);
    let mut rest = text;
    while let Some((chunk, tail)) = rest.split_first_chunk() {
        let chunk = u64::from_le_bytes(*chunk);
        hash.mix(if SMALL { small(chunk) } else { chunk });
        rest = tail;
    }
    if !rest.is_empty() {
        let chunk = up_to_seven(rest);
        hash.mix(if SMALL { small(chunk) } else { chunk });
    }
    hash.0
}

/// One to seven bytes as a number, the first the lowest. Loads overlap instead of looping.
const fn up_to_seven(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return first as u64 | (last as u64) << (8 * (length - 4));
    }
    let middle = length / 2;
    bytes[0] as u64
        | (bytes[middle] as u64) << (8 * middle)
        | (bytes[length - 1] as u64) << (8 * (length - 1))
}

/// Eight ASCII bytes with their letters small; other bytes as they are.
const fn small(bytes: u64) -> u64 {
    bytes | between(bytes, b'A', b'Z') >> 2
}

const EACH: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * EACH;

/// The high bit of each of eight bytes that is ASCII and not outside of `first` to `last`.
const fn between(bytes: u64, first: u8, last: u8) -> u64 {
    let low = bytes & !HIGH;
    let from_first = low + (0x80 - first as u64) * EACH;
    let past_last = low + (0x7f - last as u64) * EACH;
    (from_first ^ past_last) & !bytes & HIGH
}

/// Eight bytes of a text from `at` on, the first the lowest; zeros behind its end.
pub(crate) fn chunk(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None if rest.is_empty() => 0,
        None => up_to_seven(rest),
    }
}

/// With how many small letters of ASCII eight bytes begin.
pub(crate) fn small_letters(chunk: u64) -> usize {
    (!between(chunk, b'a', b'z') & HIGH).trailing_zeros() as usize / 8
}

/// How many of eight bytes stand before the first space.
pub(crate) fn before_space(chunk: u64) -> usize {
    between(chunk, b' ', b' ').trailing_zeros() as usize / 8
}

/// All bits of the first `length` of eight bytes, one at least.
pub(crate) fn first_bytes(length: usize) -> u64 {
    u64::MAX >> (64 - 8 * length)
}

/// Bits of some hashes, so that most others are passed over at once.
#[derive(Clone, Copy, Default)]
pub(crate) struct Filter([u64; 16]);

impl Filter {
    pub(crate) fn note(&mut self, hash: u64) {
        let (word, bit) = Self::bit(hash);
        self.0[word] |= bit;
    }

    /// Whether the hash may have been noted.
    #[inline(always)]
    pub(crate) fn may_have(&self, hash: u64) -> bool {
        let (word, bit) = Self::bit(hash);
        self.0[word] & bit != 0
    }

    fn bit(hash: u64) -> (usize, u64) {
        (hash as usize / 64 % 16, 1 << (hash % 64))
    }
}

/// Some numbers below `64 * N`, and how many of them are less than each: what is known of them is kept in lists
/// without gaps.
pub(crate) struct Places<const N: usize> {
    /// A bit for each number.
    taken: [u64; N],
    /// How many are less than each 64th.
    before: [u16; N],
}

impl<const N: usize> Places<N> {
    /// Those whose bits are set.
    pub(crate) const fn of(taken: [u64; N]) -> Self {
        let mut before = [0; N];
        let mut at = 1;
        while at < N {
            before[at] = before[at - 1] + taken[at - 1].count_ones() as u16;
            at += 1;
        }
        Self { taken, before }
    }

    /// Which one from 0 a number is, if it is one of them.
    #[inline(always)]
    pub(crate) fn find(&self, number: usize) -> Option<usize> {
        let (taken, bit) = (self.taken.get(number / 64)?, 1 << (number % 64));
        let less = usize::from(*self.before.get(number / 64)?);
        (taken & bit != 0).then(|| less + (taken & (bit - 1)).count_ones() as usize)
    }
}

/// A map from hashes to numbers: open addressing, at most half full.
#[derive(Default)]
pub(crate) struct Table {
    /// Key and value; the key 0 is a free slot.
    slots: Vec<(u64, u64)>,
    used: usize,
    /// What places depend on beside the key. It changes with the content at each growth, so that no
    /// text can be made whose names all want one place.
    seed: u64,
}

impl Table {
    const LEAST: usize = 512;

    pub(crate) fn get(&self, key: u64) -> Option<u64> {
        if self.slots.is_empty() {
            return None;
        }
        let (known, value) = self.slots[self.find(key)];
        (known != 0).then_some(value)
    }

    /// The value of a key, 0 where it is new.
    pub(crate) fn entry(&mut self, key: u64) -> &mut u64 {
        if 2 * self.used >= self.slots.len() {
            self.grow();
        }
        let at = self.find(key);
        if self.slots[at].0 == 0 {
            self.slots[at].0 = key.max(1);
            self.used += 1;
        }
        &mut self.slots[at].1
    }

    /// The slot of a key, or the free one that it belongs in.
    fn find(&self, key: u64) -> usize {
        let key = key.max(1);
        let mask = self.slots.len() - 1;
        let mut place = Hash(key);
        place.mix(self.seed);
        let mut at = place.0 as usize & mask;
        let other = |slot: &(u64, u64)| slot.0 != key && slot.0 != 0;
        while self.slots.get(at).is_some_and(other) {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(Self::LEAST);
        let old = core::mem::replace(&mut self.slots, vec![(0, 0); size]);
        self.seed = old.iter().fold(self.seed, |seed, (key, _)| {
            let mut seed = Hash(seed);
            seed.mix(*key);
            seed.0
        });
        for (key, value) in old.into_iter().filter(|(key, _)| *key != 0) {
            let at = self.find(key);
            self.slots[at] = (key, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{Table, of_bytes};

    #[test]
    fn case_does_not_count_and_all_else_does() {
        let text: Vec<u8> = (0..=255).collect();
        for from in 0..256 {
            for length in 0..(256 - from).min(20) {
                let piece = &text[from..from + length];
                assert_eq!(of_bytes(piece), of_bytes(&piece.to_ascii_lowercase()));
                for at in 0..length {
                    let mut other = piece.to_vec();
                    other[at] ^= 1;
                    assert_ne!(of_bytes(piece), of_bytes(&other), "{piece:?} {other:?}");
                }
            }
        }
        assert_ne!(of_bytes(b"ab"), of_bytes(b"abc"));
    }

    #[test]
    fn a_table_keeps_what_it_is_given() {
        let mut table = Table::default();
        assert_eq!(table.get(7), None);
        for key in 1..5000 {
            *table.entry(key << 40) = key;
        }
        for key in 1..5000 {
            assert_eq!(table.get(key << 40), Some(key));
            assert_eq!(table.get(key), None);
        }
    }
}
