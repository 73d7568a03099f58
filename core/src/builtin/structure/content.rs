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
            let next = bytes.get(at + 1).copied().unwrap_or(b'\n');
            let opens = (mark == Mark::Open)
                .then(|| {
                    self.structural
                        .binary_search_by_key(&at, |&(open, _)| open)
                        .ok()
                })
                .flatten();
            if let Some(found) = opens {
                self.feed(from, at);
                let unit = self.current.unwrap_or_else(|| self.open(at, false));
                self.flush();
                self.push(Frame {
                    unit,
                    indent: -100,
                    close: Some(self.structural[found].1),
                });
                bracketed = self.bracketed();
                self.current = None;
                from = at + 1;
            } else if bracketed == Some(at) {
                self.feed(from, at);
                self.close();
                while let Some(frame) = self.frames.pop() {
                    if frame.close == Some(at) {
                        self.current = Some(frame.unit);
                        break;
                    }
                }
                bracketed = self.bracketed();
                from = at + 1;
            } else if mark == Mark::Open {
                plain += 1;
            } else if mark == Mark::Close {
                plain = plain.saturating_sub(1);
            } else if plain == 0
                && bracketed.is_some()
                && mark == Mark::Part
                && !grouping(bytes, at)
            {
                self.feed(from, at);
                self.close();
                while self
                    .frames
                    .last()
                    .is_some_and(|frame| frame.close.is_none())
                {
                    self.frames.pop();
                }
                from = at + 1;
            } else if bracketed.is_none()
                && matches!(bytes[at], b'.' | b'!' | b'?' | b';')
                && next.is_ascii_whitespace()
                && !abbreviation(&self.low[from..at])
            {
                self.feed(from, at + 1);
                if let Some(unit) = self.current {
                    let parent = self.units[unit].parent;
                    // An entry's later sentences stand beside its first, not beside other entries.
                    let entry = Some(self.units[unit].group) == parent;
                    let group = if entry { unit } else { self.units[unit].group };
                    self.units[unit].question |= bytes[at] == b'?';
                    self.close();
                    if at + 1 < end {
                        self.units.push(Unit {
                            parent,
                            group,
                            start: at + 1,
                            end: at + 1,
                            pair: key(self.text[at + 1..end].trim_start()).is_some(),
                            ..Unit::default()
                        });
                        self.current = Some(self.units.len() - 1);
                    }
                }
                from = at + 1;
            }
            at += 1;
        }
        self.feed(from, end);
        if self.text[..end].ends_with('?')
            && let Some(unit) = self.current
        {
            self.units[unit].question = true;
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
