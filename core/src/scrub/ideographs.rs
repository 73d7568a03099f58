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
                if let Some((end, name)) = self.longest(&scan.text[start..], scan.word(at)) {
                    done = start + end;
                    stretches.push(Stretch::new(start, done, name));
                }
            }
        }
    }

    /// The longest that `text`, which begins inside `token`, begins with, and its length.
    fn longest(&self, text: &str, token: &str) -> Option<(usize, NameId)> {
        self.lengths.iter().find_map(|length| {
            let own = text.get(..*length)?;
            let at = self
                .names
                .binary_search_by(|(name, _)| name.as_str().cmp(own));
            // A single character is a part of many words.
            let fits = own == token || own.chars().nth(1).is_some();
            at.ok()
                .filter(|_| fits)
                .map(|at| (*length, self.names[at].1))
        })
    }
}
