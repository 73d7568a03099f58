//! What English makes of a word, by its own letters and by the words beside it.

use super::{Reader, shapes};
use crate::scrub::{
    look::Look,
    ordinary,
    words::{
        self, COMMON, COMPOUND, CUE, DESCRIBING, DETERMINER, List, NOT_NAMES, QUALITY, TITLE, VERB,
        Words, any_of,
    },
};

/// Whether a clause of its own begins at `at`, behind a mark: "- The", "⛵ mode", and with a capital "Note: The",
/// "(The".
pub(super) fn opens_clause(reader: &Reader<'_, '_>, mark: usize, at: usize) -> bool {
    let apart = mark + 1 < at;
    let capital = reader.look(at) == Look::Capital;
    // "(Most calls fail)", not "(Baker)", "owner: Baker"
    let next = reader.skip_space(at + 1);
    let said = next > at + 1 && reader.is_word(next) && reader.look(next).is_plain();
    if reader.is_any(mark, b":;") {
        apart && capital && said
    } else if reader.says(mark, any_of!("# * + > •")) {
        apart && reader.opens_line(mark)
    } else if reader.says(mark, any_of!("- – —")) {
        let parted = mark > 0 && reader.is_space(mark - 1);
        apart && (reader.opens_line(mark) || capital && parted)
    } else if reader.says(mark, any_of!("( [ \" “ ' ‘ «")) {
        !apart && capital && said
    } else {
        // An emoji
        let sign = |char: char| matches!(char, '\u{2300}'..'\u{3000}' | '\u{fe00}'..);
        apart && reader.word(mark).starts_with(sign)
    }
}

/// Where the words begin that stand before `at`, each of them one of its own: "Attack vector is".
pub(super) fn led_by(reader: &Reader<'_, '_>, at: usize, words: &[&Words]) -> Option<usize> {
    let mut at = at;
    for words in words.iter().rev() {
        at = reader.before(at)?;
        if !reader.says(at, words) {
            return None;
        }
    }
    Some(at)
}

/// Whether something holds of each part of a text, between any of these marks, which are ASCII.
#[inline(never)]
pub(super) fn all_parts(text: &str, marks: &str, is: &dyn Fn(&str) -> bool) -> bool {
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        if marks.as_bytes().contains(&byte) {
            if !is(&text[start..at]) {
                return false;
            }
            start = at + 1;
        }
    }
    is(&text[start..])
}

/// Whether a word has one of these endings, which have spaces between them.
pub(in crate::scrub) fn ends_in(word: &str, endings: &str) -> bool {
    let mut rest = endings;
    while let Some((ending, tail)) = shapes::cut(rest, b' ') {
        if word.ends_with(ending) {
            return true;
        }
        rest = tail;
    }
    word.ends_with(rest)
}

/// Whether a word begins with a capital.
#[inline(never)]
pub(super) fn opens_with_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// Whether the word at `at` is a unit.
#[inline(never)]
pub(super) fn is_unit(reader: &Reader<'_, '_>, at: usize) -> bool {
    words::is_unit(reader.word(at))
}

/// The word before the list that the word at `at` stands in, where `is` holds of it: "takes" of "takes flour, water and
/// salt".
pub(super) fn listing(
    reader: &Reader<'_, '_>,
    at: usize,
    is: &dyn Fn(&str) -> bool,
) -> Option<usize> {
    const MOST: usize = 8;
    let mut first = at;
    for _ in 0..MOST {
        let before = reader.before(first)?;
        if is(reader.word(before)) {
            return Some(before);
        }
        if !reader.says(before, any_of!("and or ,")) {
            return None;
        }
        first = reader.before(before)?;
        if reader.is_mark(first, b',') {
            first = reader.before(first)?;
        }
    }
    None
}

/// Whether the verb at `at` says what a thing has.
pub(super) fn has(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.says(
        at,
        any_of!("contains gets had has holds includes keeps lacks stores"),
    )
}

/// Whether the word at `at` is one for a thing that has a name.
pub(super) fn is_title(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, CUE.or(TITLE))
}

/// Whether a word that ends as verbs do has what verbs have behind them: "compresses logs", "talks to ledger".
pub(super) fn acts_on(reader: &Reader<'_, '_>, at: usize) -> bool {
    let object = reader.skip_space(at + 1);
    let placed = reader.says(object, any_of!("at by for from in into on to until with"));
    takes_object(reader, at) || placed && may_be_verb(reader, at)
}

/// The same of a verb with an object: "owns the files", "retries failed jobs".
pub(super) fn takes_object(reader: &Reader<'_, '_>, at: usize) -> bool {
    let plain = |at: usize| reader.look(at).is_plain() && !reader.is_in(at, NOT_NAMES);
    let mut object = reader.skip_space(at + 1);
    let determined = is_determiner(reader, object);
    if is_participle(reader.word(object)) {
        object = reader.skip_space(object + 1);
    }
    let behind = reader.skip_space(object + 1);
    let ends = ends_clause(reader, object)
        || reader.is_in(behind, NOT_NAMES) && !reader.says(behind, any_of!("are have were"));
    let many = plain(object) && is_many(reader.word(object)) && ends;
    may_be_verb(reader, at) && (determined || many)
}

fn may_be_verb(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    let plain = reader.look(at).is_plain() && !reader.is_in(at, NOT_NAMES);
    plain && is_many(word) && is_ordinary(word)
}

/// Whether the word behind the cue at `cue` says how or when something is done: "usually fails", "clears the table
/// daily"; not "family", nor "Table daily is", as what says when stands behind the verb.
pub(super) fn is_adverb(reader: &Reader<'_, '_>, cue: usize, at: usize) -> bool {
    const ENDINGS: &str = "ably cally dily fully ibly mply pily rily sily tily vily zily";
    const WHEN: &Words = any_of!("daily early hourly monthly nightly quarterly weekly yearly");
    let word = reader.word(at);
    if WHEN.has(word) {
        let next = reader.skip_space(at + 1);
        return !is_verb(reader, next) && !is_bare(reader, cue);
    }
    let stem = word.strip_suffix("ly").filter(|stem| stem.len() > 3);
    stem.is_some_and(ordinary::is_ordinary) || ends_in(word, ENDINGS)
}

/// "overrides defaults", "disables colour output", "controls how often"; not "retries defaults to 5", "hooks enables
/// them": whether the word at `at` is a verb by what stands behind it.
pub(super) fn has_object(reader: &Reader<'_, '_>, at: usize) -> bool {
    let object = reader.skip_space(at + 1);
    let behind = reader.skip_space(object + 1);
    let plain = reader.is_word(object) && reader.look(object).is_plain();
    let small = reader.is_in(object, NOT_NAMES) && !is_many(reader.word(object));
    let acts = reader.is_in(object, VERB) && !reader.is_in(at, VERB);
    let ends = match is_many(reader.word(object)) {
        true => {
            let placed = reader.is_in(behind, NOT_NAMES) && !reader.is_in(object, VERB);
            ends_clause(reader, object) || placed
        }
        false => !is_verb(reader, behind) && !reader.says(behind, any_of!("are have were")),
    };
    // "controls how many"
    let asks = reader.says(object, any_of!("how what whether which who"));
    is_many(reader.word(at)) && (asks || plain && !small && !acts && ends)
}

/// Whether a noun ends as those do that things are seldom called by: "hierarchy", "migration", "deployment"; not the short
/// ones, "region", "document".
pub(super) fn is_abstract(word: &str) -> bool {
    const SHORT: usize = 8;
    ends_in(word, "chy ing nce ty")
        || word.len() > SHORT && ends_in(word, "ion ment")
        || word.len() == SHORT && word.ends_with("ation")
}

/// "has the value 5", "accepts 5 or 6": what is said of settings.
pub(super) fn has_value(reader: &Reader<'_, '_>, verb: usize) -> bool {
    reader.says(verb, any_of!("accepts defaults equals has takes"))
}

/// Whether a plain word may well say how something is.
pub(super) fn is_adjectival(reader: &Reader<'_, '_>, at: usize) -> bool {
    let word = reader.word(at);
    reader.is_in(at, NOT_NAMES.or(DESCRIBING).or(QUALITY).or(COMPOUND))
        || is_participle(word)
        || is_adjective(word)
        || ends_in(word, "y er")
}

/// Whether nothing stands before a noun that says which one is meant, so that it may be a name.
pub(super) fn is_bare(reader: &Reader<'_, '_>, at: usize) -> bool {
    let Some(before) = reader.before(at) else {
        return true;
    };
    if !reader.is_word(before) {
        return !reader.is_number(before) && !reader.is_mark(before, b'\'');
    }
    let word = reader.word(before);
    let determined = reader.is_in(before, DETERMINER);
    // "may run sudo", "to install sudo"
    let verb = word.ends_with('s') || is_participle(word) || is_helped(reader, before);
    !determined
        && (reader.is_in(before, NOT_NAMES)
            || verb && (reader.is_in(before, COMMON) || ordinary::is_ordinary(word)))
}

/// Whether what stands before a word says that it is a verb, where it may be one: "can run", "to install".
pub(super) fn is_helped(reader: &Reader<'_, '_>, at: usize) -> bool {
    let helps = any_of!("can cannot could may might must not shall should to will");
    reader.says(reader.left(at), helps)
}

/// Whether what stands behind a word is no noun that it belongs to.
pub(super) fn ends_clause(reader: &Reader<'_, '_>, at: usize) -> bool {
    let next = reader.skip_space(at + 1);
    next >= reader.scan.tokens.len() || reader.is_any(next, b"\n.,;:!?)")
}

pub(super) fn is_verb(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, VERB) && reader.look(at).is_plain()
}

pub(super) fn is_determiner(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.is_in(at, DETERMINER) && reader.look(at).is_plain()
}

/// Whether a word ends as those do that say how something is.
pub(super) fn is_adjective(word: &str) -> bool {
    const ENDINGS: &str = "able al ant ary ent ful ible ic ile ish ive less ory ous proof";
    word.len() > 4 && ends_in(word, ENDINGS)
}

/// Whether what stands at `at` is said of the subject: "is durable", "are durable and seasonal".
pub(super) fn is_said(reader: &Reader<'_, '_>, at: usize) -> bool {
    let said = any_of!("and are be been but is not or very was were");
    reader.says(reader.left(at), said)
}

/// Whether a noun is in the plural, by its end.
pub(super) fn is_many(word: &str) -> bool {
    word.ends_with('s') && !word.ends_with("ss")
}

pub(super) fn is_participle(word: &str) -> bool {
    word.len() > 4 && (word.ends_with("ed") || word.ends_with("ing"))
}

/// Whether the word is the first part of one like "isn't".
pub(super) fn is_cut(reader: &Reader<'_, '_>, at: usize) -> bool {
    reader.says(at + 1, any_of!("' ’")) && reader.is(at + 2, "t")
}

/// Words that are no names whatever stands beside them.
pub(super) const KNOWN: List = COMMON.or(NOT_NAMES);

/// Whether a word is one of English or of the trade.
pub(super) fn is_ordinary(word: &str) -> bool {
    words::is_in(KNOWN, word) || ordinary::is_ordinary(word)
}
