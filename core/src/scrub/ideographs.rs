//! Names in Han, kana and hangul. Nothing shows where a word of these ends, so they have no atoms: what a
//! claim names is looked for as it is written.

use alloc::vec::Vec;

use super::{
    lexicon::{NameId, Stretch},
    scanner::{Scan, is_ideograph, is_joiner},
};
use crate::sort::sort;

/// In bytes. What is longer is a sentence.
const LONGEST: usize = 96;

/// What claims name.
#[derive(Default)]
pub(super) struct Ideographs {
    /// Composed. Sorted when the claims are in.
    names: Vec<(Vec<char>, NameId)>,
    /// How long they are, the longest first.
    lengths: Vec<usize>,
}

impl Ideographs {
    pub(super) fn add(&mut self, surface: &str, name: NameId) {
        if surface.len() <= LONGEST {
            let Composed { chars, .. } = Composed::of(surface);
            self.lengths.push(chars.len());
            self.names.push((chars, name));
        }
    }

    /// Ends the claims.
    pub(super) fn end(&mut self) {
        sort(&mut self.names);
        sort(&mut self.lengths);
        self.lengths.dedup();
        self.lengths.reverse();
    }

    /// Where they stand in a text, from left to right, the longest first.
    pub(super) fn find(&self, scan: &Scan<'_>, stretches: &mut Vec<Stretch>) {
        if self.names.is_empty() {
            return;
        }
        let text = Composed::of(scan.text);
        let mut at = 0;
        while let Some(char) = text.chars.get(at) {
            let longest = || self.longest(&text.chars, at, scan.has_placeholders);
            let found = is_ideograph(*char).then(longest);
            let Some((length, name)) = found.flatten() else {
                at += 1;
                continue;
            };
            let (start, _) = text.places[at];
            at += length;
            let (_, end) = text.places[at - 1];
            stretches.push(Stretch::new(start, end, name));
        }
    }

    /// The longest that stands at `at`, and its length.
    fn longest(&self, text: &[char], at: usize, scrubbed: bool) -> Option<(usize, NameId)> {
        self.lengths.iter().find_map(|length| {
            let (own, rest) = text[at..].split_at_checked(*length)?;
            let known = self
                .names
                .binary_search_by(|(name, _)| name.as_slice().cmp(own));
            let beside = [at.checked_sub(1).map(|at| text[at]), rest.first().copied()];
            let none = |is: fn(char) -> bool| !beside.into_iter().flatten().any(is);
            // A single character is a part of many words; in Japanese one of Han is a word between kana.
            let single = none(is_ideograph) || is_han(own[0]) && none(goes_on);
            // Beside what was scrubbed it was a part of a word, and was left on purpose.
            let left = scrubbed && !none(|char| matches!(char, '[' | ']'));
            let fits = own.len() > 1 || single && !left;
            known
                .ok()
                .filter(|_| fits)
                .map(|at| (*length, self.names[at].1))
        })
    }
}

/// A text's characters as names are compared, and where each begins and ends: without what has no width, and
/// one where a mark, or the parts of a syllable, make one.
#[derive(Default)]
struct Composed {
    chars: Vec<char>,
    places: Vec<(usize, usize)>,
}

impl Composed {
    fn of(text: &str) -> Self {
        let mut all = Self::default();
        let visible = text.char_indices().filter(|(_, char)| !is_joiner(*char));
        for (start, char) in visible {
            let end = start + char.len_utf8();
            let char = whole(char);
            let last = all.chars.last_mut().zip(all.places.last_mut());
            let one = last.and_then(|(last, place)| Some((compose(*last, char)?, last, place)));
            if let Some((composed, last, place)) = one {
                *last = composed;
                place.1 = end;
            } else {
                all.chars.push(char);
                all.places.push((start, end));
            }
        }
        all
    }
}

/// Half-width katakana and their marks as the usual ones.
fn whole(char: char) -> char {
    const FIRST: u32 = 0xff66;
    /// The low byte of each.
    const KANA: [u8; 58] = *b"\xf2\xa1\xa3\xa5\xa7\xa9\xe3\xe5\xe7\xc3\xfc\xa2\xa4\xa6\xa8\xaa\xab\xad\xaf\xb1\xb3\xb5\xb7\xb9\xbb\xbd\xbf\xc1\xc4\xc6\xc8\xca\xcb\xcc\xcd\xce\xcf\xd2\xd5\xd8\xdb\xde\xdf\xe0\xe1\xe2\xe4\xe6\xe8\xe9\xea\xeb\xec\xed\xef\xf3\x99\x9a";
    let place = u32::from(char).wrapping_sub(FIRST) as usize;
    let kana = KANA.get(place).map(|low| 0x3000 | u32::from(*low));
    kana.and_then(char::from_u32).unwrap_or(char)
}

/// The kana that a mark makes another of, and the syllables of hangul, as Unicode composes them.
fn compose(base: char, mark: char) -> Option<char> {
    /// How many vowels there are, and how many ends of a syllable with none.
    const VOWELS: u32 = 21;
    const ENDS: u32 = 28;
    let code = u32::from(base);
    // Hiragana, and katakana behind it.
    let kana = match code {
        0x3041..=0x309e => code - 0x3040,
        0x30a1..=0x30fe => code - 0x30a0,
        _ => 0,
    };
    let composed = match (u32::from(mark), code) {
        (0x3099, _) => match kana {
            0x0b..=0x21 if kana % 2 == 1 => code + 1,
            0x24 | 0x26 | 0x28 | 0x2f | 0x32 | 0x35 | 0x38 | 0x3b | 0x5d => code + 1,
            0x06 => code + 0x4e,
            0x4f..=0x52 if code >= 0x30a0 => code + 8,
            _ => return None,
        },
        (0x309a, _) if matches!(kana, 0x2f | 0x32 | 0x35 | 0x38 | 0x3b) => code + 2,
        (vowel @ 0x1161..=0x1175, 0x1100..=0x1112) => {
            0xac00 + ((code - 0x1100) * VOWELS + vowel - 0x1161) * ENDS
        }
        (end @ 0x11a8..=0x11c2, 0xac00..=0xd7a3) if (code - 0xac00).is_multiple_of(ENDS) => {
            code + end - 0x11a7
        }
        _ => return None,
    };
    char::from_u32(composed)
}

fn is_han(char: char) -> bool {
    matches!(char, '\u{3400}'..='\u{9fff}')
}

/// Whether a word of Han that a character is in goes on with this one, which is none that says what the
/// character names: a table, a column.
fn goes_on(char: char) -> bool {
    is_han(char) && !matches!(char, '表' | '列')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_one() {
        for (apart, composed) in [
            ("テ\u{3099}ータ", "データ"),
            ("ハ\u{309a}ン", "パン"),
            ("う\u{3099}", "ゔ"),
            ("ワ\u{3099}", "ヷ"),
            ("と\u{3099}ち", "どち"),
            ("か\u{3099}", "が"),
            ("ｶﾞﾗｽ", "ガラス"),
            ("ﾊﾟﾝｰｦﾝ", "パンーヲン"),
            ("あ\u{3099}", "あ\u{3099}"),
            ("わ\u{3099}", "わ\u{3099}"),
            ("\u{1100}\u{1169}\u{1100}\u{1162}\u{11a8}", "고객"),
            ("각\u{11a8}", "각\u{11a8}"),
            ("東\u{200b}京", "東京"),
        ] {
            let chars: Vec<char> = composed.chars().collect();
            assert_eq!(Composed::of(apart).chars, chars, "{composed}");
            let end = Composed::of(apart).places.last().map(|place| place.1);
            assert_eq!(end, Some(apart.len()), "{composed}");
        }
    }
}
