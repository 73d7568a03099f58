//! What stands in quotes.

use super::is_digit;
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        look::Look,
        scanner::TokenKind,
        secrets::is_escaped,
        structure::{REACH, Reader, Reading, claim, config, grammar, sql},
        words::{self, ATTACK, LANGUAGE, MONTH, Phrase, SMALL_TYPE, WEAKNESS, any_of},
    },
};

/// The tokens inside a quotation that opens at `at`.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(in crate::scrub::structure) fn quotation(
    reader: &Reader<'_, '_>,
    at: usize,
) -> Option<(usize, usize)> {
    match reader.scan.kind(at)? {
        TokenKind(mark @ (b'"' | b'`' | b'\'' | 0)) => quoted(reader, at, mark),
        _ => None,
    }
}

#[inline(never)]
fn quoted(reader: &Reader<'_, '_>, at: usize, mark: u8) -> Option<(usize, usize)> {
    /// What closes what others than those of ASCII open; the last ones only in claims. In German what opens in
    /// English closes.
    const PAIRS: [(&str, &str); 8] = [
        ("“", "”"),
        ("„", "“”"),
        ("‘", "’"),
        ("‚", "‘’"),
        ("«", "»"),
        ("‹", "›"),
        ("「", "」"),
        ("『", "』"),
    ];
    let open = reader.word(at);
    let mut close = open;
    if mark == 0 {
        let known = match reader.reading {
            Reading::Claim => &PAIRS[..],
            Reading::Evidence => &PAIRS[..6],
        };
        close = known.iter().find(|(known, _)| *known == open)?.1;
    }
    let is_inside_word = |at: usize| reader.is_alphanumeric(at) || reader.is_scrubbed(at);
    let single = matches!(open, "'" | "‘" | "‚");
    if single && is_inside_word(at.wrapping_sub(1)) {
        return None;
    }
    // `downcase' in the messages of older programs
    let leaning = (mark == b'`' && reader.is_word(at + 1) && reader.is_mark(at + 2, b'\''))
        .then_some((at + 1, at + 2))
        .filter(|_| !is_inside_word(at + 3));
    let end = (at + REACH).min(reader.scan.tokens.len());
    for (last, token) in (at + 1..end).zip(&reader.scan.tokens[at + 1..]) {
        match token.kind {
            TokenKind::NEWLINE => return leaning,
            TokenKind(other) if other == mark => {}
            _ => continue,
        }
        let closes = (mark != 0 || close.contains(reader.word(last)))
            && !(single && is_inside_word(last + 1))
            && !is_escaped(reader.scan, last);
        if closes {
            // In French a space stands inside of each.
            let spaced = usize::from(reader.is_space(at + 1));
            let stands = spaced == 0 || matches!(open, "«" | "‹") && reader.is_space(last - 1);
            let (from, to) = (at + 1 + spaced, last - spaced);
            return (from < to && stands).then_some((from, to));
        }
    }
    leaning
}

/// Looks at the mark at `at` as what opens a quotation. Says which tokens are inside.
#[inline(never)]
pub(in crate::scrub::structure) fn quote(
    reader: &mut Reader<'_, '_>,
    at: usize,
    in_statement: bool,
) -> Option<(usize, usize)> {
    let (from, to) = quotation(reader, at)?;
    if reader.has_scrubbed(from, to) || sql::is_quoted_chain(reader, at, (from, to), in_statement) {
        return Some((from, to));
    }
    let text = reader.text(from, to);
    let code = reader.is_mark(at, b'`');
    let single = to == from + 1;
    // `Row.parse` in a code span is what its shape says.
    if code && !single && !text.contains(' ') {
        if reader.reading == Reading::Claim {
            claim::marked(reader, from, to);
        }
        return Some((from, to));
    }
    // A key is what stands behind it.
    let key = reader.is_mark(at, b'"') && reader.is_mark(to + 1, b':') && !text.contains(' ');
    if key && reader.reading == Reading::Evidence {
        return Some((from, to));
    }
    let look = reader.look(from);
    let plain = single && (look.is_plain() || look == Look::Capital);
    let number = is_digit(text);
    let kinds: &'static [Kind] = match (code, single) {
        (true, true) if number => &[Value, Num],
        (true, true) => &[Id, Var, Param, Config],
        (true, false) => &[Cmd],
        (false, _) => &[Str, Value],
    };
    match reader.reading {
        Reading::Claim => {
            reader.push(from, to, kinds, Rank::Guess);
            // Without its options a command is one, too.
            if code && !single {
                config::span(reader, from, to);
            }
        }
        Reading::Evidence if code && !single => config::span(reader, from, to),
        Reading::Evidence if code => {
            // What is a keyword of SQL alone names much else.
            let noun = any_of!("group index key limit offset order schema view").has(text);
            // "expected `u32`, found `u64`"
            let sized =
                text.ends_with("size") || text.ends_with(|char: char| char.is_ascii_digit());
            let sized = sized && reader.is_in(from, SMALL_TYPE);
            if single && !sized && (!plain || noun || !words::is_in(LANGUAGE, text)) {
                reader.push_plain(from, to, kinds, Rank::Guess);
            }
        }
        Reading::Evidence if plain => reader.push_here(from, to, &[Str], Rank::Guess),
        Reading::Evidence => reader.push(from, to, &[Str], Rank::Guess),
    }
    Some((from, to))
}

/// "12 May 2031", "March 2031", "April 9, 2031".
pub(super) fn month(reader: &mut Reader<'_, '_>, at: usize) {
    if !reader.is_in(at, MONTH) || !grammar::opens_with_capital(reader.word(at)) {
        return;
    }
    let length = |at: usize| match reader.is_number(at) {
        true => reader.word(at).len(),
        false => 0,
    };
    let is_number = |at: usize, most: usize| (1..=most).contains(&length(at));
    let before = reader.before(at);
    let day = before.filter(|day| day + 1 < at && is_number(*day, 2));
    let mut to = at + 1;
    let next = reader.skip_space(to);
    if next > to && is_number(next, 4) {
        to = next + 1;
        // Behind a year it is a time that follows a comma.
        let day = length(next) < 3;
        let comma = day && reader.is_mark(to, b',') && length(to + 2) == 4;
        if comma && reader.is_space(to + 1) {
            to += 3;
        }
    }
    if day.is_some() || to > at + 1 {
        let from = day.unwrap_or(at);
        reader.push(from, to, &[Date, Num], Rank::Shape);
    }
}

/// Whether the name of an attack or weakness begins with the word at `at`.
pub(super) fn attack(reader: &mut Reader<'_, '_>, at: usize) -> bool {
    let lists = reader.scan.lists(at);
    lists.has(WEAKNESS) && phrase(reader, at, Phrase::is_weakness, &[Vuln, Attack])
        || lists.has(ATTACK) && phrase(reader, at, Phrase::is_attack, &[Attack, Vuln])
}

/// Whether a word that is this one in some case is it in its own.
fn spelt(word: &str, own: &str) -> bool {
    !word.eq_ignore_ascii_case(own) || word == own
}

/// The phrase at `at`, its words joined by spaces or hyphens, where `is` says that it is one, or many of one.
fn phrase(
    reader: &mut Reader<'_, '_>,
    at: usize,
    is: fn(Phrase) -> bool,
    kinds: &'static [Kind],
) -> bool {
    let mut phrase = Phrase::new();
    let mut last = at;
    for _ in 0..Phrase::MOST_WORDS {
        let word = reader.word(last).as_bytes();
        let mut one = phrase;
        phrase.push(word);
        let many = match word {
            [stem @ .., b'i', b'e', b's'] => {
                one.push(&[stem, b"y"].concat());
                is(one)
            }
            [stem @ .., b's'] => {
                one.push(stem);
                is(one)
            }
            _ => false,
        };
        if many || is(phrase) {
            // "DoS", not "dos" nor "DOS"
            let fits = last > at || spelt(reader.word(at), "DoS");
            if fits {
                reader.push(at, last + 1, kinds, Rank::Structure);
            }
            return fits;
        }
        if !reader.is_any(last + 1, b" -") {
            break;
        }
        last += 2;
    }
    false
}
