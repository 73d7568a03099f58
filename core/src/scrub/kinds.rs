//! Kinds as one scrub counts them: the built-in ones, and behind them the caller's own.

use alloc::vec::Vec;

use crate::{
    patterns::{KindName, MAX_OWN_KINDS},
    profile::Kind,
};

/// A kind by its number. Names have one each, so it is small.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct KindId(u8);

impl KindId {
    /// How many there may be.
    pub(crate) const COUNT: usize = Kind::COUNT + MAX_OWN_KINDS;

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl From<Kind> for KindId {
    fn from(kind: Kind) -> Self {
        Self(kind as u8)
    }
}

/// The kinds of a scrub.
#[derive(Default)]
pub(crate) struct Kinds {
    /// The caller's own, by their numbers past the last built-in one.
    own: Vec<KindName>,
}

impl Kinds {
    /// Those that Claimgauge knows, and no other.
    pub(crate) const BUILT_IN: Self = Self { own: Vec::new() };

    /// The number of a kind, new or known. Past [`MAX_OWN_KINDS`] of the caller's own, which no
    /// request has, all are identifiers that no other kind fits.
    pub(crate) fn add(&mut self, name: &KindName) -> KindId {
        if let Some(known) = self.of_word(name.word()) {
            return known;
        }
        if self.own.len() == MAX_OWN_KINDS {
            return Kind::Id.into();
        }
        self.own.push(name.clone());
        KindId((Kind::COUNT + self.own.len() - 1) as u8)
    }

    /// The kind of a placeholder's word.
    pub(crate) fn of_word(&self, word: &str) -> Option<KindId> {
        let own = || {
            let at = self.own.iter().position(|own| own.word() == word)?;
            Some(KindId((Kind::COUNT + at) as u8))
        };
        Kind::from_word(word).map(KindId::from).or_else(own)
    }

    pub(crate) fn name(&self, id: KindId) -> KindName {
        match id.index().checked_sub(Kind::COUNT) {
            Some(own) => self.own[own].clone(),
            None => Kind::nth(id.index()).into(),
        }
    }

    pub(crate) fn word(&self, id: KindId) -> &str {
        match id.index().checked_sub(Kind::COUNT) {
            Some(own) => self.own[own].word(),
            None => Kind::nth(id.index()).word(),
        }
    }
}
