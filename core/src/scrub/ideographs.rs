//! Names in Han, kana and hangul. Nothing shows where a word of these ends, so they have no atoms: what a
//! claim names is looked for as it is written.

use alloc::{string::String, vec::Vec};

use super::{
    lexicon::{NameId, Stretch},
    scanner::{Scan, TokenKind},
};
use crate::sort::sort;

/// In bytes. What is longer is a sentence.
const LONGEST: usize = 96;

/// What claims name.
#[derive(Default)]
pub(super) struct Ideographs {
    /// Sorted when the claims are in.
    names: Vec<(String, NameId)>,
    /// How long they are, the longest first.
    lengths: Vec<usize>,
}

impl Ideographs {
    pub(super) fn add(&mut self, surface: &str, name: NameId) {
        if surface.len() <= LONGEST {
            self.names.push((surface.into(), name));
            self.lengths.push(surface.len());
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
        let mut done = 0;
        for at in 0..scan.tokens.len() {
            if scan.kind(at) != Some(TokenKind::IDEOGRAPHS) {
                continue;
            }
            let token = scan.start(at);
            for (offset, _) in scan.word(at).char_indices() {
                let start = token + offset;
                if start < done {
                    continue;
                }
                if let Some((length, name)) = self.longest(scan.text, start, scan.word(at)) {
                    done = start + length;
                    stretches.push(Stretch::new(start, done, name));
                }
            }
        }
    }

    /// The longest that stands at `start`, which is inside `token`, and its length.
    fn longest(&self, text: &str, start: usize, token: &str) -> Option<(usize, NameId)> {
        self.lengths.iter().find_map(|length| {
            let (own, rest) = text[start..].split_at_checked(*length)?;
            let at = self
                .names
                .binary_search_by(|(name, _)| name.as_str().cmp(own));
            // A single character is a part of many words; in Japanese one of Han is a word between kana.
            let alone = || {
                let before = text[..start].chars().next_back();
                !before.is_some_and(goes_on) && !rest.starts_with(goes_on)
            };
            let fits =
                own == token || own.chars().nth(1).is_some() || own.starts_with(is_han) && alone();
            at.ok()
                .filter(|_| fits)
                .map(|at| (*length, self.names[at].1))
        })
    }
}

fn is_han(char: char) -> bool {
    matches!(char, '\u{3400}'..='\u{9fff}')
}

/// Whether a word of Han that a character is in goes on with this one, which is none that says what the
/// character names: a table, a column.
fn goes_on(char: char) -> bool {
    is_han(char) && !matches!(char, '表' | '列')
}
