//! What stands in a line: its sentences, and the entries in its brackets.

use super::{
    Frame, Reader, Unit,
    brackets::{MARKS, Mark, grouping},
    lines::key,
};

impl Reader<'_, '_> {
    /// Reads what stands in a line, opening units at sentences and at entries in brackets.
    pub(super) fn content(&mut self, start: usize, end: usize) {
        let mut from = start;
        let mut at = start;
        // Brackets of this line that hold no entries.
        let mut plain = 0_usize;
        let bytes = self.text.as_bytes();
        let mut bracketed = self.bracketed();
        while at < end {
            let mark = MARKS[usize::from(bytes[at])];
            if matches!(mark, Mark::Letter | Mark::Line | Mark::None) {
                at += 1;
                continue;
            }
            let mut cut = true;
            if let Some(close) = self.closes(mark, at) {
                self.enter(from, at, close);
            } else if bracketed == Some(at) {
                self.leave(from, at);
            } else if mark == Mark::Open {
                plain += 1;
                cut = false;
            } else if mark == Mark::Close {
                plain = plain.saturating_sub(1);
                cut = false;
            } else if plain == 0
                && bracketed.is_some()
                && mark == Mark::Part
                && !grouping(bytes, at)
            {
                self.end_entry(from, at);
            } else if bracketed.is_none() && self.ends_sentence(from, at) {
                self.end_sentence(from, at, end);
            } else {
                cut = false;
            }
            at += 1;
            if cut {
                bracketed = self.bracketed();
                from = at;
            }
        }
        self.feed(from, end);
        if self.text[..end].ends_with('?')
            && let Some(unit) = self.current
        {
            self.units[unit].question = true;
        }
    }

    /// Where the bracket that opens at `at` closes, if it holds entries.
    fn closes(&self, mark: Mark, at: usize) -> Option<usize> {
        if mark != Mark::Open {
            return None;
        }
        let found = self.structural.binary_search_by_key(&at, |&(open, _)| open);
        found.ok().map(|found| self.structural[found].1)
    }

    /// Begins the entries of the bracket at `at`: what stands before it is their parent.
    fn enter(&mut self, from: usize, at: usize, close: usize) {
        self.feed(from, at);
        let unit = self.current.unwrap_or_else(|| self.open(at, false));
        self.flush();
        self.push(Frame {
            unit,
            indent: -100,
            close: Some(close),
        });
        self.current = None;
    }

    /// Ends the entries of the bracket that closes at `at`: what follows is of their parent again.
    fn leave(&mut self, from: usize, at: usize) {
        self.feed(from, at);
        self.close();
        while let Some(frame) = self.frames.pop() {
            if frame.close == Some(at) {
                self.current = Some(frame.unit);
                break;
            }
        }
    }

    fn end_entry(&mut self, from: usize, at: usize) {
        self.feed(from, at);
        self.close();
        while self
            .frames
            .last()
            .is_some_and(|frame| frame.close.is_none())
        {
            self.frames.pop();
        }
    }

    fn ends_sentence(&self, from: usize, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let next = bytes.get(at + 1).copied().unwrap_or(b'\n');
        matches!(bytes[at], b'.' | b'!' | b'?' | b';')
            && next.is_ascii_whitespace()
            && !abbreviation(&self.low[from..at])
    }

    /// Ends the sentence before the mark at `at`, and begins the next one where the line goes on.
    fn end_sentence(&mut self, from: usize, at: usize, end: usize) {
        let next = at + 1;
        self.feed(from, next);
        let Some(unit) = self.current else {
            return;
        };
        let parent = self.units[unit].parent;
        // An entry's later sentences stand beside its first, not beside other entries.
        let entry = Some(self.units[unit].group) == parent;
        let group = if entry { unit } else { self.units[unit].group };
        self.units[unit].question |= self.text.as_bytes()[at] == b'?';
        self.close();
        if next < end {
            self.units.push(Unit {
                parent,
                group,
                start: next,
                end: next,
                pair: key(self.text[next..end].trim_start()).is_some(),
                ..Unit::default()
            });
            self.current = Some(self.units.len() - 1);
        }
    }
}

fn abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or(before);
    matches!(
        word,
        "e.g" | "i.e" | "vs" | "etc" | "cf" | "no" | "mr" | "dr" | "approx"
    )
}
