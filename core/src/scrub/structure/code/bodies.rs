//! Blocks of code, and which of them are bodies of classes.

use crate::scrub::{
    scanner::TokenKind,
    structure::{REACH, Reader},
    words::any_of,
};

/// The blocks in which a text of code is read, and which of them are bodies of classes.
#[derive(Default)]
pub(in crate::scrub::structure) struct Bodies {
    /// The bracket that opens the body of the class that was met last, and the class's name.
    pub(super) open: Option<usize>,
    pub(super) name: usize,
    /// The blocks that are open, the innermost lowest: a bit is set for a class's body.
    blocks: u64,
    /// How far the class is indented that was met last and has no brackets.
    indent: Option<usize>,
    /// The same of its methods.
    methods: Option<usize>,
}

impl Bodies {
    /// Looks at the mark at `at`.
    pub(in crate::scrub::structure) fn bracket(&mut self, at: usize, mark: u8) {
        match mark {
            b'{' => self.blocks = self.blocks << 1 | u64::from(self.open == Some(at)),
            b'}' => self.blocks >>= 1,
            _ => {}
        }
    }

    /// Whether what stands here stands in the brackets of a class, and in no others inside them.
    pub(in crate::scrub::structure) fn is_in_brackets(&self) -> bool {
        self.blocks & 1 == 1
    }

    /// Whether the function that is defined on a line with this indent is a method.
    pub(super) fn has_method(&mut self, indent: usize) -> bool {
        match self.indent {
            Some(class) if indent > class => {
                let direct = self.methods.is_none_or(|methods| indent <= methods);
                if direct {
                    self.methods = Some(indent);
                }
                direct || self.is_in_brackets()
            }
            _ => {
                self.indent = None;
                self.is_in_brackets()
            }
        }
    }
}

/// Notes where the body of a class begins whose name is at `name`, behind the word at `at`. Says whether it
/// has one in brackets.
pub(super) fn body(reader: &mut Reader<'_, '_>, at: usize, name: usize) -> bool {
    let mut depth = 0_usize;
    for open in name + 1..name + 2 * REACH {
        match reader.scan.kind(open) {
            Some(TokenKind(b'(' | b'<')) => depth += 1,
            Some(TokenKind(b')')) if depth > 0 => depth -= 1,
            // Not the sign of an arrow.
            Some(TokenKind(b'>')) if reader.is_mark(open - 1, b'-') => {}
            Some(TokenKind(b'>')) if depth > 0 => depth -= 1,
            Some(TokenKind(b')' | b'>' | b';')) => return false,
            Some(TokenKind(b'{')) if depth == 0 => {
                (reader.bodies.open, reader.bodies.name) = (Some(open), name);
                return true;
            }
            Some(TokenKind::NEWLINE) if depth == 0 => {
                let next = reader.skip_space(open + 1);
                if !reader.says(next, any_of!("{ : extends implements where")) {
                    break;
                }
            }
            None => break,
            _ => {}
        }
    }
    // `class Mill < Plant` of Ruby, `class Mill(Plant):` of Python
    if let Some(indent) = indent_of(reader, at) {
        reader.bodies.indent = Some(indent);
        reader.bodies.methods = None;
    }
    false
}

/// How far the line is indented that begins at `at` or a few words before.
pub(super) fn indent_of(reader: &Reader<'_, '_>, at: usize) -> Option<usize> {
    const MOST_WORDS: usize = 4;
    let mut first = at;
    for _ in 0..MOST_WORDS {
        match reader.before(first) {
            Some(before) if reader.is_word(before) => first = before,
            _ => break,
        }
    }
    let space = |at: usize| reader.scan.kind(at) == Some(TokenKind::SPACE);
    let before = first.checked_sub(1).filter(|before| space(*before));
    reader
        .opens_line(first)
        .then(|| before.map_or(0, |before| reader.word(before).len()))
}
