//! Brackets: which of them hold entries, and what may part these.

use alloc::vec::Vec;

use crate::builtin::lex;

/// For each opening bracket that holds entries, where it closes: it spans lines, or has a comma or
/// semicolon of its own and letters.
pub(super) fn structural(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut open: Vec<Bracket> = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match MARKS[usize::from(*byte)] {
            Mark::Open => match lex::placeholder(&text[at..]) {
                Some(length) => at += length - 1,
                None => open.push(Bracket::new(at, *byte)),
            },
            Mark::Close => {
                let closed = open.pop_if(|top| top.closes == *byte);
                if let Some(closed) = &closed
                    && closed.split
                    && closed.letters
                {
                    found.push((closed.at, at));
                }
                if let (Some(closed), Some(top)) = (closed, open.last_mut()) {
                    top.letters |= closed.letters;
                }
            }
            Mark::Part if *byte == b',' && grouping(bytes, at) => {}
            Mark::Part | Mark::Line => {
                if let Some(top) = open.last_mut() {
                    top.split = true;
                }
            }
            Mark::Letter => {
                if let Some(top) = open.last_mut() {
                    top.letters = true;
                }
            }
            Mark::End | Mark::None => {}
        }
        at += 1;
    }
    found.sort_unstable();
    found
}

/// An open bracket.
struct Bracket {
    at: usize,
    closes: u8,
    /// It has a comma, semicolon or line's end of its own.
    split: bool,
    letters: bool,
}

impl Bracket {
    fn new(at: usize, opens: u8) -> Self {
        let closes = match opens {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        Self {
            at,
            closes,
            split: false,
            letters: false,
        }
    }
}

/// What a byte may part.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Mark {
    None,
    Letter,
    Line,
    Open,
    Close,
    /// `,` or `;`: entries.
    Part,
    /// `.`, `!` or `?`: sentences.
    End,
}

pub(super) static MARKS: [Mark; 256] = {
    let mut marks = [Mark::None; 256];
    let mut at = 0;
    while at < 256 {
        marks[at] = match at as u8 {
            b'(' | b'[' | b'{' => Mark::Open,
            b')' | b']' | b'}' => Mark::Close,
            b',' | b';' => Mark::Part,
            b'.' | b'!' | b'?' => Mark::End,
            b'\n' => Mark::Line,
            b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => Mark::Letter,
            _ => Mark::None,
        };
        at += 1;
    }
    marks
};

/// Whether the comma at `at` stands inside a number.
pub(super) fn grouping(bytes: &[u8], at: usize) -> bool {
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    digit(at.checked_sub(1)) && digit(Some(at + 1)) && digit(Some(at + 3)) && !digit(Some(at + 4))
}

/// Whether a bracket is still open at the end of a text.
pub(super) fn leaves_open(text: &str) -> bool {
    let depth = text.bytes().fold(0_i32, |depth, byte| match byte {
        b'(' | b'[' | b'{' => depth + 1,
        b')' | b']' | b'}' => (depth - 1).max(0),
        _ => depth,
    });
    depth > 0
}
