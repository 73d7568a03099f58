//! What stands where a name stands, or looks like one.
//!
//! One walk over the tokens. At each token the rules of prose, SQL, code and configuration look at
//! what follows, never further than a fixed number of tokens, so the whole is linear. A rule says
//! what a stretch may be as a list of kinds; the first one that the profile scrubs is meant.

mod claim;
mod code;
mod config;
mod prose;
pub(super) mod shapes;
mod sql;

use alloc::vec::Vec;

use super::{
    lexicon::Rank,
    scanner::{Scan, TokenKind},
};
use crate::profile::Kind;

/// Whose text is read. A claim names things; evidence may only use words.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Reading {
    Claim,
    Evidence,
}

/// A stretch that is a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Find {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// What it may be, best first.
    pub(crate) kinds: &'static [Kind],
    pub(crate) rank: Rank,
    /// Whether the same word is this name elsewhere, too.
    pub(crate) everywhere: bool,
    /// Whether a claim that holds it names it only where the profile has one of the kinds.
    pub(crate) only_in_profile: bool,
    /// Whether it is a name only where the evidence writes it with a capital inside a sentence.
    pub(crate) if_proper: bool,
}

/// The names of a text, in no order; stretches may overlap.
pub(crate) fn finds(scan: &Scan<'_>, reading: Reading) -> Vec<Find> {
    let mut reader = Reader {
        scan,
        reading,
        finds: Vec::new(),
    };
    let mut lines = config::Lines::default();
    let (mut run_end, mut quote_end, mut statement_end) = (0, 0, 0);
    for at in 0..scan.tokens.len() {
        let kind = scan.tokens[at].kind;
        let evidence = reading == Reading::Evidence;
        if evidence
            && kind != TokenKind::Space
            && kind != TokenKind::Newline
            && reader.opens_line(at)
        {
            config::line(&mut reader, &mut lines, at);
        }
        if at >= run_end {
            run_end = shapes::run(&mut reader, at);
        }
        match kind {
            TokenKind::Word if !reader.is_rest_of_name(at, at + 1) => {
                prose::cue(&mut reader, at);
                if evidence && at >= statement_end {
                    if let Some(end) = sql::statement(&mut reader, at) {
                        statement_end = end;
                    } else {
                        code::word(&mut reader, at);
                        sql::error_detail(&mut reader, at);
                    }
                }
            }
            TokenKind::Number if evidence => code::margin(&mut reader, at),
            TokenKind::Mark(_) if at >= quote_end => {
                if let Some((from, to)) = prose::quote(&mut reader, at) {
                    quote_end = to + 1;
                    if evidence {
                        config::json(&mut reader, from, to);
                    }
                }
            }
            _ => {}
        }
    }
    reader.finds
}

/// The words that a text writes with a capital inside a sentence, by the hash of their atom.
pub(crate) fn proper_words(scan: &Scan<'_>) -> impl Iterator<Item = u64> {
    let reader = Reader {
        scan,
        reading: Reading::Evidence,
        finds: Vec::new(),
    };
    (0..scan.tokens.len()).filter_map(move |at| {
        let word = scan.kind(at) == Some(TokenKind::Word)
            && shapes::look(scan.word(at)) == shapes::Look::Capital
            && !reader.opens_sentence(at);
        let atom = scan.atoms_of(at, at + 1).first()?;
        word.then_some(atom.hash)
    })
}

/// How far a rule looks for what closes what it opened, in tokens.
const REACH: usize = 64;

struct Reader<'s, 't> {
    scan: &'s Scan<'t>,
    reading: Reading,
    finds: Vec<Find>,
}

impl<'t> Reader<'_, 't> {
    /// The tokens from `from` up to `to` may be one of `kinds`.
    fn push(&mut self, from: usize, to: usize, kinds: &'static [Kind], rank: Rank) {
        if from < to {
            let start = self.scan.tokens[from].start;
            let end = self.scan.tokens[to - 1].end;
            self.push_bytes(start, end, kinds, rank);
        }
    }

    fn push_bytes(&mut self, start: usize, end: usize, kinds: &'static [Kind], rank: Rank) {
        self.finds.push(Find {
            start,
            end,
            kinds,
            rank,
            everywhere: true,
            only_in_profile: false,
            if_proper: false,
        });
    }

    /// As [`Self::push`], but the word is a name nowhere else for it.
    fn push_here(&mut self, from: usize, to: usize, kinds: &'static [Kind], rank: Rank) {
        self.push(from, to, kinds, rank);
        if let Some(find) = self.finds.last_mut() {
            find.everywhere = false;
        }
    }

    fn text(&self, from: usize, to: usize) -> &'t str {
        match (
            self.scan.tokens.get(from),
            to.checked_sub(1)
                .and_then(|last| self.scan.tokens.get(last)),
        ) {
            (Some(first), Some(last)) if from < to => &self.scan.text[first.start..last.end],
            _ => "",
        }
    }

    fn word(&self, at: usize) -> &'t str {
        self.scan.word(at)
    }

    fn is_word(&self, at: usize) -> bool {
        self.scan.kind(at) == Some(TokenKind::Word)
    }

    fn is_mark(&self, at: usize, mark: u8) -> bool {
        self.scan.is_mark(at, mark)
    }

    /// The next token that is not a space; line ends count.
    fn skip_space(&self, at: usize) -> usize {
        match self.scan.kind(at) {
            Some(TokenKind::Space) => at + 1,
            _ => at,
        }
    }

    /// The token before `at` that is not a space.
    fn before(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        match self.scan.kind(before) {
            Some(TokenKind::Space) => before.checked_sub(1),
            _ => Some(before),
        }
    }

    /// Whether only white space stands before `at` on its line.
    fn opens_line(&self, at: usize) -> bool {
        self.before(at)
            .is_none_or(|before| self.scan.kind(before) == Some(TokenKind::Newline))
    }

    /// Whether a sentence begins at `at`.
    fn opens_sentence(&self, at: usize) -> bool {
        let Some(before) = self.before(at) else {
            return true;
        };
        match self.scan.kind(before) {
            Some(TokenKind::Newline) => true,
            Some(TokenKind::Mark(b'.' | b'!' | b'?')) => before + 1 < at,
            _ => false,
        }
    }

    /// Whether the tokens touch something that was scrubbed, or hang on it by one mark: they are the
    /// rest of a name and were left on purpose, so a second scrub leaves them, too.
    fn is_rest_of_name(&self, from: usize, to: usize) -> bool {
        let scrubbed = |at: Option<usize>| {
            at.and_then(|at| self.scan.kind(at)) == Some(TokenKind::Placeholder)
        };
        let joint = |at: Option<usize>| {
            let mark = at.and_then(|at| self.scan.kind(at));
            matches!(mark, Some(TokenKind::Mark(mark)) if b"./:\\@-+~#%*".contains(&mark))
        };
        let (before, after) = (from.checked_sub(1), Some(to));
        scrubbed(before)
            || scrubbed(after)
            || joint(before) && scrubbed(from.checked_sub(2))
            || joint(after) && scrubbed(Some(to + 1))
    }
}
