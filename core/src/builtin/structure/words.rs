//! A unit's words, taken apart: which are turned round, which are values, where a pair's value begins.

use alloc::vec::Vec;

use super::{Reader, terms::IDENTITY, values::Written};
use crate::builtin::{
    bound,
    claim::Value,
    lex::{self, Kind},
    lexicon::{Look, Role},
    quantity, restrict,
};

/// A part of a word in the current unit.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) stem: &'a str,
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) negated: bool,
    /// It is of a number or the like, which is compared as such.
    pub(super) value: bool,
    /// It is one of the claim's terms that mean something by themselves.
    pub(super) content: bool,
    /// The terms that it is, or begins.
    pub(super) mask: u128,
    /// It only joins others.
    pub(super) joins: bool,
    /// A mark stands before it.
    pub(super) parted: bool,
    /// It is a word that carries meaning.
    pub(super) tells: bool,
}

impl Reader<'_, '_> {
    /// Matches the current unit's tokens against the claim.
    pub(super) fn flush(&mut self) {
        let Some(unit) = self.current else {
            self.tokens.clear();
            return;
        };
        let mut tokens = core::mem::take(&mut self.tokens);
        quantity::units(self.text, self.low, &mut tokens, self.lexicon);
        self.parts.clear();
        // Where a pair's value begins among the parts, and whether its key says more than "name".
        let mut separator = None;
        let mut telling = false;
        let mut stretch: Option<(usize, usize)> = None;
        let mut values = Vec::new();
        let mut negation = false;
        let mut after_negated = false;
        let mut upper = false;
        let mut parted = false;
        let mut denial = false;
        let mut before = "";
        let on = self.lexicon.on;
        let punct = |at: usize| {
            tokens
                .get(at)
                .is_some_and(|t| matches!(t.kind, Kind::Punct(_)))
        };
        let last_word = (0..tokens.len()).rev().find(|&at| !punct(at));
        let words = (0..tokens.len()).filter(|&at| !punct(at)).count();
        self.units[unit].denies = words == 1;
        self.units[unit].blank = words == 0;
        for (at, token) in tokens.iter().enumerate() {
            let low = &self.low[token.start..token.end];
            if token.kind == Kind::Placeholder {
                self.units[unit].placeholder = true;
            }
            let typed = matches!(token.kind, Kind::Punct(b':' | b'>'))
                && at > 0
                && matches!(tokens[at - 1].kind, Kind::Punct(b')' | b'-'));
            self.units[unit].typed |= typed;
            let parts = match token.kind {
                Kind::Punct(b':' | b'=') => true,
                Kind::Punct(b'>') => tokens[0].kind == Kind::Punct(b'<'),
                _ => false,
            };
            if parts && self.units[unit].pair || typed {
                if separator.is_none() {
                    self.units[unit].key = stretch.take();
                }
                separator = separator.or(Some(self.parts.len()));
            }
            if matches!(token.kind, Kind::Punct(_) | Kind::Placeholder) {
                parted |= matches!(
                    token.kind,
                    Kind::Punct(b',' | b';' | b':' | b'.' | b'(' | b')' | b'|')
                );
                continue;
            }
            stretch = Some((stretch.map_or(token.start, |(from, _)| from), token.end));
            if let Some(value) = Value::read(token, self.text, self.low, self.lexicon) {
                // The number of a clause is no value of anything in it.
                let numbering = at == 0
                    && matches!(token.kind, Kind::Number(_))
                    && tokens.get(1).is_some_and(|next| {
                        next.kind == Kind::Word
                            && self.text[next.start..].starts_with(char::is_uppercase)
                    });
                let at = self.parts.len();
                values.push(Written {
                    token,
                    value,
                    parts: at..at,
                    upper,
                    numbering,
                });
            }
            upper = matches!(low.as_bytes(), b"through" | b"to" | b"until" | b"inclusive");
            self.units[unit].pronoun |= is_pronoun(low);
            let look = self.lexicon.look(low);
            let role = look.role;
            negation |= is_replaced(core::mem::replace(&mut before, low), low);
            // An entry's value that says no turns its key round.
            let last = Some(at) == last_word;
            let directive = tokens.len() <= 4 && low == "off"
                || tokens.len() <= 3 && matches!(low, "no" | "false" | "never");
            let off = last
                && at > 0
                && says_no(low)
                && (punct(at - 1) && separator.is_some() || directive);
            self.units[unit].denies = self.units[unit].denies && says_no(low);
            // Where the claim speaks of on or off itself, the value says it and the key does not.
            if off && let Some(key) = self.parts.last_mut() {
                if key.stem == on {
                    key.negated = !key.negated;
                } else {
                    denial = self.claim.patterns(on).is_empty();
                }
            }
            let next = tokens
                .iter()
                .skip(at + 1)
                .map(|next| &self.low[next.start..next.end]);
            if restrict::denies(low, next.clone().next().unwrap_or("")) {
                negation = !negation;
                continue;
            }
            if role == Role::Negation && !(low == "nothing" && last) {
                if next.clone().next().is_some_and(restrict::lifts) {
                    continue;
                }
                negation = !off && !bound::is_bound(next);
                continue;
            }
            if matches!(low.as_bytes(), b"and" | b"or" | b"nor") {
                negation = after_negated;
            }
            lex::pieces(&self.text[token.start..token.end], &mut self.pieces);
            let mut first_content = true;
            let mut denied = false;
            for piece in &self.pieces {
                let word = &low[piece.start..piece.end];
                let Look {
                    role: part_role,
                    stem,
                    opposite,
                    ..
                } = if word.len() == low.len() {
                    look
                } else {
                    self.lexicon.look(word)
                };
                // `no-cache`: what stands behind is turned round.
                let negated = opposite ^ denied ^ (negation && first_content && role != Role::Stop);
                denied = part_role == Role::Negation;
                telling |= separator.is_none() && part_role == Role::Content;
                let value = !matches!(token.kind, Kind::Word | Kind::Path);
                self.parts.push(Part {
                    content: false,
                    mask: 0,
                    joins: role == Role::Stop && !matches!(low.as_bytes(), b"and" | b"or" | b"but"),
                    parted: core::mem::take(&mut parted),
                    tells: part_role == Role::Content && !value,
                    value,
                    stem,
                    first: piece.first,
                    last: piece.last,
                    negated,
                });
                first_content = false;
            }
            if let Some(last) = values.last_mut()
                && last.token.start == token.start
            {
                last.parts.end = self.parts.len();
            }
            if role != Role::Stop {
                after_negated = negation;
                negation = false;
            }
        }
        self.match_parts(unit);
        if denial {
            self.deny(unit);
        }
        let held = self.units[unit].own();
        let clauses = self.clauses(values.len());
        self.units[unit].remark = !tokens.is_empty() && tokens.iter().all(|token| token.remark);
        // What code says comes before what a comment beside it does.
        let code = |written: &&Written<'_>| !written.token.remark;
        let live = values.iter().filter(code).count();
        let comments = values.iter().filter(|written| !code(written));
        for written in values.iter().filter(code).chain(comments) {
            let clause = clauses.get(written.parts.start).copied();
            let comment = written.token.remark && live > 0;
            self.match_value(
                unit,
                written,
                clause.unwrap_or_default(),
                comment.then_some(values.as_slice()),
            );
        }
        self.tokens = tokens;
        self.tokens.clear();
        let value = &self.parts[separator.unwrap_or(0).min(self.parts.len())..];
        let unsaid = value.iter().any(|part| !part.content && part.stem != on);
        self.units[unit].told = stretch;
        let few = (1..=4).contains(&value.len()) && value.iter().all(|part| !part.value);
        self.units[unit].word = stretch.filter(|_| few && unsaid);
        let key = &self.parts[..separator.unwrap_or(0)];
        self.units[unit].identity = matches!(key, [key] if IDENTITY.iter().any(|word| self.lexicon.canon(word).0 == key.stem));
        if let Some(separator) = separator.filter(|_| telling) {
            self.units[unit].other = self.other(unit, separator, held);
        }
    }
}

/// Whether what comes next is what something is not: "instead of gzip", "rather than gzip".
pub(in crate::builtin) fn is_replaced(before: &str, word: &str) -> bool {
    matches!((before, word), ("instead", "of") | ("rather", "than"))
}

/// Whether a value says no.
fn says_no(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        b"false" | b"off" | b"disabled" | b"no" | b"none" | b"never"
    )
}

/// Whether a word stands in the place of whom a sentence is about.
fn is_pronoun(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        b"he" | b"she" | b"it" | b"they" | b"his" | b"her"
    )
}
