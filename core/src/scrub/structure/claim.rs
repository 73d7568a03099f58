//! What only a claim's text tells: whatever in it identifies something is a name.

use super::{Reader, prose, shapes};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::Look,
        scanner::TokenKind,
        words::{self, COMMON, LANGUAGE, NOT_NAMES},
    },
};

/// Looks at the words of a run that is nothing as a whole.
pub(super) fn run(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    if hyphened(reader, from, to) {
        return reader.push(from, to, &[Id], Rank::Shape);
    }
    for at in from..to {
        match reader.scan.kind(at) {
            Some(TokenKind::Number) => number(reader, at),
            Some(TokenKind::Word) => word(reader, at),
            _ => {}
        }
    }
}

/// `acme-parser`, `fr-CA`, `relay-2031`, not `read-only`.
fn hyphened(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    let text = reader.text(from, to);
    let name = text.split('-').all(|part| {
        !part.is_empty()
            && part
                .chars()
                .all(|char| char.is_alphanumeric() || char == '_')
    });
    let ordinary = |part: &str| {
        let initial = reader.opens_sentence(from) && text.starts_with(part);
        let small = !part.contains(|char: char| char.is_ascii_digit() || char.is_uppercase());
        (small || initial) && is_ordinary(part)
    };
    to > from + 1 && name && text.contains('-') && !text.split('-').all(ordinary)
}

fn number(reader: &mut Reader<'_, '_>, at: usize) {
    // "Redis 7.2": the version of what stands before it.
    let text = reader.word(at);
    let owner = reader
        .before(at)
        .filter(|before| before + 1 < at && reader.is_word(*before));
    let owned = owner.is_some_and(|before| {
        let word = reader.word(before);
        let proper = word.starts_with(char::is_uppercase) && !reader.opens_sentence(before);
        !is_ordinary(word) && (text.contains('.') || proper)
    });
    match owned {
        true => reader.push(at, at + 1, &[Version, Num], Rank::Shape),
        false => reader.push(at, at + 1, &[Num], Rank::Shape),
    }
}

fn word(reader: &mut Reader<'_, '_>, at: usize) {
    let text = reader.word(at);
    if text.chars().nth(1).is_none() || words::is_in(LANGUAGE, text) {
        return;
    }
    let opens = reader.opens_sentence(at);
    let kinds: &'static [Kind] = match reader.look(at) {
        Look::Plain | Look::Small if text.contains(|char: char| char.is_ascii_digit()) => &[Id],
        // "tokio 1.15.2"
        Look::Plain | Look::Small if opens && names_subject(reader, at) => {
            &[Config, Param, Pkg, Module, Id]
        }
        Look::Plain | Look::Small if is_ordinary(text) => return,
        Look::Plain | Look::Small if versioned(reader, at) => &[Pkg, Module, Id],
        Look::Plain | Look::Small => return,
        Look::Capital if opens && is_ordinary(text) => return,
        Look::Capital if opens && !versioned(reader, at) && !begins_name(reader, at) => {
            return reader.push_if_proper(at);
        }
        Look::Capitals if words::is_in(NOT_NAMES, text) => return,
        Look::Capital | Look::Capitals => &[Id],
        _ if reader.is_well_known(at) => &[Id],
        // The others are names in any text.
        _ => return shapes::word(reader, at, &[]),
    };
    reader.push(at, at + 1, kinds, Rank::Shape);
}

/// "retries is set to 5": a sentence that opens with a small letter opens with a name.
fn names_subject(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    !words::is_in(NOT_NAMES, word) && prose::cue_kinds(reader, at).is_none()
}

/// "Acme Corp": another capital follows.
fn begins_name(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    next > at + 1
        && reader.look(next) == Look::Capital
        && !reader.word(at).ends_with("ing")
        && prose::cue_kinds(reader, at).is_none()
}

/// Whether a number with a point follows.
fn versioned(reader: &Reader<'_, '_>, at: usize) -> bool {
    let mut next = reader.skip_space(at + 1);
    while matches!(reader.word(next), "^" | "~" | "=" | ">" | "<") {
        next += 1;
    }
    next > at + 1
        && reader.scan.kind(next) == Some(TokenKind::Number)
        && reader.word(next).contains('.')
}

fn is_ordinary(word: &str) -> bool {
    words::is_in(COMMON, word) || words::is_in(NOT_NAMES, word)
}

impl Reader<'_, '_> {
    /// A capital that opens a sentence may be a name: the evidence must tell.
    fn push_if_proper(&mut self, at: usize) {
        self.push(at, at + 1, &[Id], Rank::Shape);
        if let Some(find) = self.finds.last_mut() {
            find.if_proper = true;
        }
    }
}
