//! `[KIND_N]`: reading placeholders, and numbering new ones past those that are there already.

use alloc::{string::String, sync::Arc};

use super::{
    hash::Table,
    kinds::{KindId, Kinds},
};

/// What stands for a whole span that was taken out.
pub(crate) const REDACTED: &str = "[REDACTED]";

/// What is written like a placeholder.
pub(crate) struct Placeholder<'t> {
    pub(crate) end: usize,
    /// The word of its kind, if there is such a kind; empty for `[REDACTED]`.
    word: &'t str,
    /// `None` for `[REDACTED]` and for a number that no numbering can reach.
    number: Option<u32>,
}

impl Placeholder<'_> {
    /// Whether it is one where there are these kinds.
    pub(crate) fn is_of(&self, kinds: &Kinds) -> bool {
        self.word.is_empty() || kinds.of_word(self.word).is_some()
    }
}

/// What is written like a placeholder at byte `at`.
pub(crate) fn at(text: &str, at: usize) -> Option<Placeholder<'_>> {
    /// The longest word of a kind, `_`, and more digits than any text has placeholders.
    const LONGEST: usize = 36;
    let rest = text[at..].strip_prefix('[')?;
    if text[at..].starts_with(REDACTED) {
        return Some(Placeholder {
            end: at + REDACTED.len(),
            word: "",
            number: None,
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
    let canonical = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    if word.is_empty() || number.is_empty() || !canonical {
        return None;
    }
    Some(Placeholder {
        end: at + 1 + length + 1,
        word,
        number: number.parse().ok(),
    })
}

/// Whether a text is the placeholder of a kind with this word, and nothing else.
pub(crate) fn is_of_kind(text: &str, word: &str) -> bool {
    at(text, 0).is_some_and(|placeholder| {
        placeholder.end == text.len() && placeholder.word == word && placeholder.number.is_some()
    })
}

/// All that is written like a placeholder with where it starts, left to right.
pub(crate) fn all(text: &str) -> impl Iterator<Item = (usize, Placeholder<'_>)> {
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
    last: [u32; KindId::COUNT],
    /// Where a placeholder is written.
    text: String,
}

impl Default for Numbering {
    fn default() -> Self {
        Self {
            taken: Table::default(),
            last: [0; KindId::COUNT],
            text: String::new(),
        }
    }
}

impl Numbering {
    /// Takes the numbers of all placeholders in `text`.
    pub(crate) fn reserve(&mut self, text: &str, kinds: &Kinds) {
        for (_, placeholder) in all(text) {
            if let Some(kind) = kinds.of_word(placeholder.word)
                && let Some(number) = placeholder.number
            {
                *self.taken.entry(key(kind, number)) = 1;
            }
        }
    }

    pub(crate) fn next(&mut self, kind: KindId, kinds: &Kinds) -> Arc<str> {
        let last = &mut self.last[kind.index()];
        loop {
            *last += 1;
            if self.taken.get(key(kind, *last)).is_none() {
                self.text.clear();
                self.text.push('[');
                self.text.push_str(kinds.word(kind));
                self.text.push('_');
                push_digits(&mut self.text, *last);
                self.text.push(']');
                return self.text.as_str().into();
            }
        }
    }
}

/// As its `Display` does, which is slow for what each name has once.
fn push_digits(text: &mut String, number: u32) {
    if number > 9 {
        push_digits(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

fn key(kind: KindId, number: u32) -> u64 {
    (kind.index() as u64 + 1) << 32 | u64::from(number)
}
