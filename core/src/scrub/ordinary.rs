//! The ordinary words of English, so that a claim's others are known for names.
//!
//! The list is text; of it the compiler makes a Bloom filter, which is a fifth of its size. It says
//! yes to every word of the list and, by chance, to one in two hundred others.

use super::{
    hash::{self, Hash},
    inflection,
    structure::ends_in,
};

/// The words, one on a line, in order; what begins with `#` is a note. Made by `cargo xtask words`.
const WORDS: &[u8] = include_bytes!("ordinary.txt");

/// A power of two: ten bits for each word.
const BITS: usize = 1 << 16;

/// How many bits each word sets: the best number for that many bits a word.
const BITS_SET: u32 = 7;

/// Whether a word is in the list, or a form of one that is, or ends as only long words of English do. In
/// any case; a word that is not ASCII is not.
pub(crate) fn is_ordinary(word: &str) -> bool {
    let letters = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let small = word.to_ascii_lowercase();
    letters
        && (inflection::is_form(&small, &is_listed)
            || small.len() >= LONG && ends_in(&small, ENDINGS))
}

/// Letters of a word whose ending tells: `Ansible` is too short.
const LONG: usize = 8;

/// Endings of words that were made from others. Names seldom have them.
const ENDINGS: &str =
    "able acy ally ance ation ed ence ent ful ible ing ism ity ive less ly ment ness ous sion";

/// Whether a word in small letters is in the list itself.
pub(crate) fn is_listed(word: &str) -> bool {
    let hash = hash::of_bytes(word.as_bytes());
    (0..BITS_SET).all(|nth| {
        let bit = bit_of(hash, nth);
        FILTER[bit / 8] & 1 << (bit % 8) != 0
    })
}

/// The bits of a word, from the two halves of its hash, which is mixed once more: of a short word they
/// are much alike.
const fn bit_of(hash: u64, nth: u32) -> usize {
    let mut mixed = Hash(hash);
    mixed.mix(1);
    let (first, step) = (mixed.0 as u32, (mixed.0 >> 32) as u32 | 1);
    first.wrapping_add(step.wrapping_mul(nth)) as usize % BITS
}

static FILTER: [u8; BITS / 8] = {
    let mut filter = [0; BITS / 8];
    let mut rest = WORDS;
    while !rest.is_empty() {
        let mut end = 0;
        while rest[end] != b'\n' {
            end += 1;
        }
        let (word, tail) = rest.split_at(end);
        if end > 0 && word[0] != b'#' {
            let hash = hash::of_bytes(word);
            let mut nth = 0;
            while nth < BITS_SET {
                let bit = bit_of(hash, nth);
                filter[bit / 8] |= 1 << (bit % 8);
                nth += 1;
            }
        }
        (_, rest) = tail.split_at(1);
    }
    filter
};

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::{WORDS, is_listed, is_ordinary};

    #[test]
    fn every_word_of_the_list_is_found() {
        let words = core::str::from_utf8(WORDS).expect("the list is ASCII");
        let words = words.lines().filter(|line| !line.starts_with('#'));
        let mut count = 0;
        for word in words {
            assert!(
                is_listed(word) && is_ordinary(&word.to_uppercase()),
                "{word}"
            );
            count += 1;
        }
        assert!(count > 5000);
    }

    #[test]
    fn forms_of_words_are_ordinary_and_names_are_not() {
        for word in [
            "retrieves",
            "deprecates",
            "throttled",
            "dropped",
            "unthrottled",
            "reindexing",
            "slowest",
            "queries",
            "easily",
            "carefully",
            "misconfigured",
            "readable",
            "immutability",
        ] {
            assert!(is_ordinary(word), "{word}");
        }
        for word in [
            "ansible",
            "kubernetes",
            "tokio",
            "zod",
            "vite",
            "lodash",
            "kubectl",
            "redis",
            "nginx",
            "postgres",
            "año",
            "x1",
            "a_b",
        ] {
            assert!(!is_ordinary(word), "{word}");
        }
    }

    #[test]
    fn few_other_words_are_taken_for_ones_of_the_list() {
        let taken = (0..10_000).filter(|number| is_listed(&format!("zq{number}x")));
        assert!(taken.count() < 100);
    }
}
