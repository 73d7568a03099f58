//! A unit's words, taken apart: which are turned round, which are values, where a pair's value begins.

use alloc::vec::Vec;

use super::{Reader, values::Written};
use crate::builtin::{
    bound,
    claim::Value,
    lex::{self, Kind, Token},
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
        let mut words = Words::new(self, unit, &tokens);
        words.walk();
        let (read, reader) = (words.read, words.reader);
        reader.units[unit].remark = !tokens.is_empty() && tokens.iter().all(|token| token.remark);
        reader.hold(unit, &read);
        self.tokens = tokens;
        self.tokens.clear();
    }
}

/// What a unit's words tell, beside its parts.
#[derive(Default)]
pub(super) struct Read<'t> {
    /// Where a pair's value begins among the parts.
    pub(super) separator: Option<usize>,
    /// Its key says more than "name".
    pub(super) telling: bool,
    /// Where its words stand, or those behind its key.
    pub(super) stretch: Option<(usize, usize)>,
    /// Its last word says no to all of it.
    pub(super) denial: bool,
    pub(super) values: Vec<Written<'t>>,
}

/// A walk over the tokens of a unit.
struct Words<'r, 't, 'a, 'c> {
    reader: &'r mut Reader<'a, 'c>,
    unit: usize,
    tokens: &'t [Token],
    /// The last of them that is no mark.
    last: Option<usize>,
    read: Read<'t>,
    /// The word before.
    before: &'a str,
    /// What comes next is turned round; and so was the word before what only joins.
    negation: bool,
    after_negated: bool,
    /// The word before says that a range ends here.
    upper: bool,
    /// A mark stands before what comes next.
    parted: bool,
}

impl<'r, 't, 'a: 't, 'c> Words<'r, 't, 'a, 'c> {
    fn new(reader: &'r mut Reader<'a, 'c>, unit: usize, tokens: &'t [Token]) -> Self {
        Self {
            reader,
            unit,
            tokens,
            last: tokens.iter().rposition(|token| !is_mark(token)),
            read: Read::default(),
            before: "",
            negation: false,
            after_negated: false,
            upper: false,
            parted: false,
        }
    }

    fn walk(&mut self) {
        let words = self.tokens.iter().filter(|token| !is_mark(token)).count();
        let unit = &mut self.reader.units[self.unit];
        (unit.denies, unit.blank) = (words == 1, words == 0);
        for (at, token) in self.tokens.iter().enumerate() {
            match token.kind {
                Kind::Placeholder => self.reader.units[self.unit].placeholder = true,
                Kind::Punct(mark) => self.mark(at, mark),
                _ => self.word(at, token),
            }
        }
    }

    /// A mark may part a pair's key from its value, or what has a type from this.
    fn mark(&mut self, at: usize, mark: u8) {
        let before = at.checked_sub(1).map(|at| self.tokens[at].kind);
        let typed = matches!(mark, b':' | b'>') && matches!(before, Some(Kind::Punct(b')' | b'-')));
        let parts = match mark {
            b':' | b'=' => true,
            b'>' => self.tokens[0].kind == Kind::Punct(b'<'),
            _ => false,
        };
        let unit = &mut self.reader.units[self.unit];
        unit.typed |= typed;
        if (parts && unit.pair || typed) && self.read.separator.is_none() {
            unit.key = self.read.stretch.take();
            self.read.separator = Some(self.reader.parts.len());
        }
        self.parted |= matches!(mark, b',' | b';' | b':' | b'.' | b'(' | b')' | b'|');
    }

    fn word(&mut self, at: usize, token: &'t Token) {
        let low = &self.reader.low[token.start..token.end];
        let from = self.read.stretch.map_or(token.start, |(from, _)| from);
        self.read.stretch = Some((from, token.end));
        let value = self.value(at, token);
        self.upper = matches!(low.as_bytes(), b"through" | b"to" | b"until" | b"inclusive");
        self.negation |= is_replaced(core::mem::replace(&mut self.before, low), low);
        let off = self.is_off(at, low);
        let unit = &mut self.reader.units[self.unit];
        unit.pronoun |= is_pronoun(low);
        unit.denies = unit.denies && says_no(low);
        if off {
            self.turn_key();
        }
        let look = self.reader.lexicon.look(low);
        if self.negates(at, low, look.role, off) {
            return;
        }
        if matches!(low.as_bytes(), b"and" | b"or" | b"nor") {
            self.negation = self.after_negated;
        }
        self.parts(token, low, look);
        if value && let Some(last) = self.read.values.last_mut() {
            last.parts.end = self.reader.parts.len();
        }
        if look.role != Role::Stop {
            self.after_negated = core::mem::take(&mut self.negation);
        }
    }

    /// Keeps the value that a token is: whether it is one.
    fn value(&mut self, at: usize, token: &'t Token) -> bool {
        let reader = &*self.reader;
        let Some(value) = Value::read(token, reader.text, reader.low, reader.lexicon) else {
            return false;
        };
        // The number of a clause is no value of anything in it.
        let numbering = at == 0
            && matches!(token.kind, Kind::Number(_))
            && self.tokens.get(1).is_some_and(|next| {
                next.kind == Kind::Word && reader.text[next.start..].starts_with(char::is_uppercase)
            });
        let at = reader.parts.len();
        self.read.values.push(Written {
            token,
            value,
            parts: at..at,
            upper: self.upper,
            numbering,
        });
        true
    }

    /// An entry's value that says no turns its key round.
    fn is_off(&self, at: usize, low: &str) -> bool {
        let count = self.tokens.len();
        let directive =
            count <= 4 && low == "off" || count <= 3 && matches!(low, "no" | "false" | "never");
        let told = |before: usize| is_mark(&self.tokens[before]) && self.read.separator.is_some();
        Some(at) == self.last
            && says_no(low)
            && at
                .checked_sub(1)
                .is_some_and(|before| told(before) || directive)
    }

    /// Where the claim speaks of on or off itself, the value says it and the key does not.
    fn turn_key(&mut self) {
        let on = self.reader.lexicon.on;
        let Some(key) = self.reader.parts.last_mut() else {
            return;
        };
        if key.stem == on {
            key.negated = !key.negated;
        } else {
            self.read.denial = self.reader.claim.patterns(on).is_empty();
        }
    }

    /// Whether a word only says that what comes next is not so, or is so after all.
    fn negates(&mut self, at: usize, low: &str, role: Role, off: bool) -> bool {
        let text = self.reader.low;
        let next = self.tokens[at + 1..]
            .iter()
            .map(|next| &text[next.start..next.end]);
        let following = next.clone().next();
        if restrict::denies(low, following.unwrap_or("")) {
            self.negation = !self.negation;
            return true;
        }
        // "Nothing" at the end is what something does or returns.
        if role != Role::Negation || low == "nothing" && Some(at) == self.last {
            return false;
        }
        if !following.is_some_and(restrict::lifts) {
            self.negation = !off && !bound::is_bound(next);
        }
        true
    }

    /// Takes a word apart.
    fn parts(&mut self, token: &Token, low: &'a str, look: Look<'a>) {
        let reader = &mut *self.reader;
        let value = !matches!(token.kind, Kind::Word | Kind::Path);
        let only_joins = !matches!(low.as_bytes(), b"and" | b"or" | b"but");
        let joins = look.role == Role::Stop && only_joins;
        let mut turned = self.negation && look.role != Role::Stop;
        let mut denied = false;
        lex::pieces(&reader.text[token.start..token.end], &mut reader.pieces);
        for piece in &reader.pieces {
            let word = &low[piece.start..piece.end];
            let part = match word.len() == low.len() {
                true => look,
                false => reader.lexicon.look(word),
            };
            // `no-cache`: what stands behind is turned round.
            let negated = part.opposite ^ denied ^ core::mem::take(&mut turned);
            denied = part.role == Role::Negation;
            self.read.telling |= self.read.separator.is_none() && part.role == Role::Content;
            reader.parts.push(Part {
                content: false,
                mask: 0,
                joins,
                parted: core::mem::take(&mut self.parted),
                tells: part.role == Role::Content && !value,
                value,
                stem: part.stem,
                first: piece.first,
                last: piece.last,
                negated,
            });
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

fn is_mark(token: &Token) -> bool {
    matches!(token.kind, Kind::Punct(_))
}
