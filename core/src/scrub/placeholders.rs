//! `[KIND_N]`: reading placeholders, and numbering new ones past those that are there already.

use alloc::string::{String, ToString};

use super::hash::Table;
use crate::profile::Kind;

/// What stands for a whole span that was taken out.
pub(crate) const REDACTED: &str = "[REDACTED]";

/// A placeholder in a text.
pub(crate) struct Placeholder {
    pub(crate) end: usize,
    /// `None` for `[REDACTED]` and for a number that no numbering can reach.
    pub(crate) name: Option<(Kind, u32)>,
}

/// The placeholder that begins at byte `at`.
pub(crate) fn at(text: &str, at: usize) -> Option<Placeholder> {
    /// The longest word of a kind, `_`, and more digits than any text has placeholders.
    const LONGEST: usize = 32;
    let rest = text[at..].strip_prefix('[')?;
    if text[at..].starts_with(REDACTED) {
        return Some(Placeholder {
            end: at + REDACTED.len(),
            name: None,
        });
    }
    let length = rest
        .bytes()
        .take(LONGEST)
        .position(|byte| !(byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'))?;
    if rest.as_bytes()[length] != b']' {
        return None;
    }
    let (word, number) = rest[..length].rsplit_once('_')?;
    let kind = Kind::from_word(word)?;
    let canonical = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    if number.is_empty() || !canonical {
        return None;
    }
    Some(Placeholder {
        end: at + 1 + length + 1,
        name: number.parse().ok().map(|number| (kind, number)),
    })
}

/// Every placeholder of a text with where it starts, left to right.
pub(crate) fn all(text: &str) -> impl Iterator<Item = (usize, Placeholder)> {
    let mut from = 0;
    core::iter::from_fn(move || {
        loop {
            let start = from + text[from..].find('[')?;
            match at(text, start) {
                Some(placeholder) => {
                    from = placeholder.end;
                    return Some((start, placeholder));
                }
                None => from = start + 1,
            }
        }
    })
}

/// Gives out numbers from 1 for each kind, never one that is taken.
pub(crate) struct Numbering {
    /// Kinds and numbers, as [`key`] puts them together.
    taken: Table,
    last: [u32; Kind::COUNT],
}

impl Default for Numbering {
    fn default() -> Self {
        Self {
            taken: Table::default(),
            last: [0; Kind::COUNT],
        }
    }
}

impl Numbering {
    /// Takes the numbers of all placeholders in `text`.
    pub(crate) fn reserve(&mut self, text: &str) {
        for (kind, number) in all(text).filter_map(|(_, placeholder)| placeholder.name) {
            *self.taken.entry(key(kind, number)) = 1;
        }
    }

    pub(crate) fn next(&mut self, kind: Kind) -> String {
        let last = &mut self.last[kind as usize];
        loop {
            *last += 1;
            if self.taken.get(key(kind, *last)).is_none() {
                return ["[", kind.word(), "_", &last.to_string(), "]"].concat();
            }
        }
    }
}

fn key(kind: Kind, number: u32) -> u64 {
    (kind as u64 + 1) << 32 | u64::from(number)
}
