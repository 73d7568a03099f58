//! Numbers: which are versions, and which say nothing.

use super::forms::{count_of, is_address};
use crate::{
    profile::Kind::*,
    scrub::{
        lexicon::Rank,
        look::Makeup,
        scanner::TokenKind,
        structure::{Reader, Reading, claim},
        words::{self, Words, any_of},
    },
};

/// `4th`, `9am` in evidence.
pub(super) fn is_counted(reader: &Reader<'_, '_>, at: usize) -> bool {
    const ENDINGS: &Words = any_of!("am nd pm rd st th");
    if !reader.scan.makeup(at).has(Makeup::DIGIT) {
        return false;
    }
    let text = reader.word(at);
    let digits = words::number_length(text);
    digits > 0 && reader.reading == Reading::Evidence && ENDINGS.has(&text[digits..])
}

/// "New in 1.3.": a version and the end of what is said, not "in 1.5 seconds".
fn is_dated(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.before(at).map_or("", |before| reader.word(before));
    let next = reader.skip_space(at + 1);
    let behind = reader.scan.kind(at + 1);
    let ends = behind.is_none_or(|kind| b"\n.,;:)".contains(&kind.0));
    // "was deprecated since 2.4 and", "works with 2.4", "as of 2.4"
    let goes_on = word != "in" && reader.says(next, any_of!("and it the this was we you"));
    let verb = reader.before(at).and_then(|word| reader.before(word));
    let verb = verb.map_or("", |verb| reader.word(verb));
    let cued = any_of!("before in since until").has(word)
        || word == "of" && matches!(verb, "as" | "As")
        || word == "with" && any_of!("compatible tested works").has(verb);
    // `.. versionadded:: 1.10`
    let directive = word == ":"
        && reader.before(at).is_some_and(|colon| {
            let name = colon.wrapping_sub(2);
            reader.says(name, any_of!("deprecated versionadded versionchanged"))
        });
    (ends || goes_on) && cued
        || ends && directive
        || matches!(word, "The" | "the") && reader.says(next, any_of!("branch release series"))
}

/// `>= 10.1`, "10.1 or newer", "10.1+": the bound of a range of versions.
fn is_bound(reader: &Reader<'_, '_>, at: usize) -> bool {
    const ORDERS: &Words = any_of!("above below earlier higher later lower newer older");
    let sign = reader.before(at).filter(|sign| reader.is_mark(*sign, b'='));
    let least = sign.is_some_and(|sign| {
        reader.says(sign.wrapping_sub(1), any_of!("> < = ~ !"))
            && !reader.is_word(reader.skip_space(at + 1))
    });
    let next = reader.skip_space(at + 1);
    let ordered =
        reader.says(next, any_of!("or and")) && reader.says(reader.skip_space(next + 1), ORDERS);
    least || ordered || next == at + 1 && reader.is_mark(next, b'+')
}

/// `## 1.8`, `- 1.13: fewer pauses`: what an entry of a changelog begins with.
fn is_entry(reader: &Reader<'_, '_>, at: usize) -> bool {
    let Some(mark) = at.checked_sub(2).filter(|mark| mark + 1 == at - 1) else {
        return false;
    };
    let headed = reader.is_mark(mark, b'#');
    let listed = reader.says(mark, any_of!("- *")) && reader.opens_line(mark);
    match reader.scan.kind(at + 1) {
        None | Some(TokenKind::NEWLINE) => headed,
        Some(TokenKind(b':')) => headed || listed,
        Some(TokenKind::SPACE) => headed && reader.says(at + 2, any_of!("( - – —")),
        _ => false,
    }
}

pub(super) fn number(reader: &mut Reader<'_, '_>, at: usize) {
    let listed = reader.reading == Reading::Evidence
        && reader.is_any(at + 1, b".)")
        && reader.is_space(at + 2)
        && reader.opens_line(at);
    if listed {
        return;
    }
    // `sdk@2.3.1`, `^8.0`
    let text = reader.word(at);
    let points = count_of(text, b'.');
    let marked = at > 0 && reader.is_any(at - 1, b"@^~")
        || points > 0
            && (is_dated(reader, at)
                || is_bound(reader, at)
                || is_entry(reader, at)
                || claim::is_release(reader, at));
    // A number is one wherever it stands; the mark of a list that reads like it is none.
    match (points > 1 || marked && points > 0) && !is_address(text) {
        true => reader.push(at, at + 1, &[Version, Num], Rank::Structure),
        false if reader.reading == Reading::Evidence => {
            reader.push_here(at, at + 1, &[Num], Rank::Shape);
        }
        false => reader.push(at, at + 1, &[Num], Rank::Shape),
    }
}
