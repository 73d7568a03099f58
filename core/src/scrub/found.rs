//! What the caller's patterns match, text by text.

use alloc::vec::Vec;

use super::kinds::{KindId, Kinds};
use crate::{patterns::Match, profile::Profile};

/// A stretch of a text that a pattern matches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: KindId,
}

/// The matches, handed out in the order of the texts.
pub(super) struct FoundByText<'a> {
    matches: &'a [Match],
    /// The kind of each pattern.
    kinds: Vec<KindId>,
    /// The text that is next.
    text: u32,
}

impl<'a> FoundByText<'a> {
    pub(super) fn new(profile: &Profile, matches: &'a [Match], kinds: &mut Kinds) -> Self {
        let mut kind_of = Vec::new();
        for own in &profile.patterns {
            let kind = kinds.add(&own.kind);
            kind_of.extend(own.patterns.iter().map(|_| kind));
        }
        Self {
            matches,
            kinds: kind_of,
            text: 0,
        }
    }

    /// The stretches of the next text.
    pub(super) fn next_text(&mut self) -> Vec<Found> {
        let own = self
            .matches
            .iter()
            .take_while(|found| found.text <= self.text);
        let (own, rest) = self.matches.split_at(own.count());
        self.matches = rest;
        self.text += 1;
        let found = own.iter().filter_map(|found| {
            Some(Found {
                start: found.start as usize,
                end: found.end as usize,
                kind: *self.kinds.get(found.pattern as usize)?,
            })
        });
        found.collect()
    }
}
