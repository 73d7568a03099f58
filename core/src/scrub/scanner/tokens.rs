//! What a text is taken apart into: tokens, and the atoms of words.

use crate::scrub::{
    look::{Look, Makeup},
    words::{Class, List},
};

/// A stretch of text of one class. It ends where the next one begins. Texts have many, so they are
/// kept small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(super) start: u32,
    /// The first of its atoms; they end where the next token's begin.
    pub(super) first_atom: u32,
    pub(crate) kind: TokenKind,
    pub(crate) look: Look,
    pub(super) class: Class,
    /// The classes of a word's characters.
    pub(crate) makeup: Makeup,
}

impl Token {
    /// The lists that a word is in.
    pub(crate) fn lists(&self) -> List {
        self.class.lists()
    }

    /// Whether it is a word of letters in small, with a first capital, or in capitals.
    pub(crate) fn is_letters(&self) -> bool {
        match self.look {
            Look::Small => true,
            Look::Capital | Look::Capitals => self.makeup.is_letters(),
            _ => false,
        }
    }

    /// Whether it is a word of ASCII small letters and nothing else.
    pub(crate) fn is_plain(&self) -> bool {
        self.look == Look::Small
    }
}

/// What a token is: of one punctuation character its byte where that is ASCII, else 0; of all others one
/// of the constants, none of which is a mark. As a byte it is compared at once.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct TokenKind(pub(crate) u8);

impl TokenKind {
    /// Chinese, Japanese and Korean writing: never part of a name, always a boundary.
    pub(crate) const IDEOGRAPHS: Self = Self(0x80);
    pub(crate) const NEWLINE: Self = Self(b'\n');
    /// Digits with inner points or groups of thousands: `4.50`, `1,000`, `3.4.0`.
    pub(crate) const NUMBER: Self = Self(b'0');
    /// `[TABLE_1]` or `[REDACTED]`: already scrubbed, never touched.
    pub(crate) const PLACEHOLDER: Self = Self(0x81);
    pub(crate) const SPACE: Self = Self(b' ');
    pub(crate) const WORD: Self = Self(b'a');

    pub(crate) fn is_mark(self) -> bool {
        !matches!(
            self,
            Self::IDEOGRAPHS
                | Self::NEWLINE
                | Self::NUMBER
                | Self::PLACEHOLDER
                | Self::SPACE
                | Self::WORD
        )
    }
}

/// The smallest piece of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atom {
    /// Hash of its folded letters, in halves so that no room is lost.
    pub(super) hash: [u32; 2],
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) token: u32,
}

impl Atom {
    pub(crate) fn hash(&self) -> u64 {
        u64::from(self.hash[0]) | u64::from(self.hash[1]) << 32
    }

    pub(crate) fn start(&self) -> usize {
        self.start as usize
    }

    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }

    pub(crate) fn token(&self) -> usize {
        self.token as usize
    }
}
