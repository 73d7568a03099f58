//! What only a claim's text tells: whatever in it identifies something is a name.

use super::Reader;
use crate::{
    profile::Kind::*,
    scrub::{
        lexicon::Rank,
        scanner::TokenKind,
        words::{self, COMMON, LANGUAGE, NOT_NAMES},
    },
};

/// Looks at one token of a claim.
pub(super) fn token(reader: &mut Reader<'_, '_>, at: usize) {
    match reader.scan.kind(at) {
        Some(TokenKind::Number) => reader.push(at, at + 1, &[Num], Rank::Shape),
        Some(TokenKind::Word) => word(reader, at),
        _ => {}
    }
}

fn word(reader: &mut Reader<'_, '_>, at: usize) {
    let text = reader.word(at);
    if text.len() < 2 || words::is_in(LANGUAGE, text) {
        return;
    }
    let digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let capital = text.starts_with(char::is_uppercase) && !reader.opens_sentence(at);
    let ordinary = words::is_in(COMMON, text) || words::is_in(NOT_NAMES, text);
    if digit || capital && !(ordinary && false) {
        reader.push(at, at + 1, &[Id], Rank::Shape);
    }
}
