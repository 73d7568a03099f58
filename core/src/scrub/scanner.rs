//! One pass over a text: tokens, and the atoms that words are made of.
//!
//! A token is what the rules look at (a word, a number, a mark). An atom is what names are compared
//! by: `account_id`, `accountId` and "account id" are the same two atoms. Every byte of the text
//! belongs to exactly one token.

use alloc::{string::String, vec::Vec};
use core::cmp::Ordering;

use super::{
    decompositions::parts,
    hash::{self, Hash},
    kinds::Kinds,
    look::{self, Look, MAKEUP, Makeup},
    placeholders,
    secrets::TOLD,
    structure::{self, RULED},
    words::{self, Class, List, SQL, WELL_KNOWN_LIKE, Words},
};
use crate::case::small;

/// A text taken apart.
pub(crate) struct Scan<'t> {
    pub(crate) text: &'t str,
    pub(crate) tokens: Vec<Token>,
    pub(crate) atoms: Vec<Atom>,
    /// Words with humps as one atom each, which is how they are met where nobody wrote the humps; and
    /// words with the letter of an escape before them, which may be no escape.
    pub(crate) wholes: Vec<Atom>,
    /// The tokens that a rule of structure may begin at, by their numbers: a line's first, and all that
    /// are more than an ordinary word, white space or a mark that says nothing. Some white space, too, and
    /// some twice.
    pub(crate) ruled: Vec<u32>,
    /// The tokens that most are not: words with more than small letters, words that tell of a secret,
    /// hyphens and slashes.
    pub(crate) odd: Vec<u32>,
    /// The first atoms of words with a first capital and no other.
    pub(crate) capitals: Vec<Atom>,
    /// Words with digits.
    pub(crate) with_digits: Vec<u32>,
    pub(crate) newlines: Vec<u32>,
    /// Where words with more than letters stood last, by their hash: they are met again and again.
    met: Vec<Met>,
    /// The quote that is open on this line; 0 where none is.
    quote: u8,
    /// Where the last path with a drive ends: its backslashes are no escapes.
    path_end: usize,
    /// Whether any token is a placeholder.
    pub(crate) has_placeholders: bool,
}

/// How many words are remembered. Shorter texts meet few of them twice.
const MOST_MET: usize = 512;

/// Where a word stood last.
#[derive(Clone, Copy, Default)]
struct Met {
    /// Its token from 1; 0 where there is none.
    token: u32,
    /// Whether it is one of [`Scan::wholes`].
    humped: bool,
}

/// A stretch of text of one class. It ends where the next one begins. Texts have many, so they are
/// kept small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    start: u32,
    /// The first of its atoms; they end where the next token's begin.
    first_atom: u32,
    pub(crate) kind: TokenKind,
    pub(crate) look: Look,
    class: Class,
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
    hash: [u32; 2],
    start: u32,
    end: u32,
    token: u32,
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

/// Atoms of one name: nothing (a hump), `_`, `-` or white space between them.
pub(crate) const LOOSE: u64 = 0;
/// Atoms that no name spans.
pub(crate) const BREAK: u64 = 1;

/// Most marks between two atoms of one name (`://` and the like).
const MOST_JOIN_BYTES: usize = 8;

/// Places are kept in four bytes; nothing behind is looked at. Requests are far smaller.
const LONGEST_TEXT: usize = u32::MAX as usize;

impl<'t> Scan<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self::with(text, &Kinds::BUILT_IN)
    }

    /// As [`Self::new`], where there are these kinds of placeholders.
    pub(crate) fn with(text: &'t str, kinds: &Kinds) -> Self {
        let text = &text[..text.floor_char_boundary(LONGEST_TEXT)];
        let mut scan = Self {
            text,
            // As many as there can be: what is not used is never touched, and none is moved.
            tokens: Vec::with_capacity(text.len()),
            wholes: Vec::new(),
            ruled: Vec::with_capacity(text.len() / 4 + 1),
            odd: Vec::with_capacity(text.len() / 16),
            // Behind them, so that it may grow where it is.
            atoms: Vec::with_capacity(text.len() / 6 + 1),
            capitals: Vec::new(),
            with_digits: Vec::new(),
            newlines: Vec::new(),
            met: Vec::new(),
            quote: 0,
            path_end: 0,
            has_placeholders: false,
        };
        let mut at = scan.open_line(0);
        while at < text.len() {
            at = scan.push_token(at, kinds);
        }
        scan
    }

    /// Reads the token at `at`; says where it ends.
    fn push_token(&mut self, at: usize, kinds: &Kinds) -> usize {
        let bytes = self.text.as_bytes();
        match OPENINGS[usize::from(bytes[at])] {
            Opening::Letter => self.push_letters(at),
            Opening::Blank if !opens_newline(bytes, at) => self.push_blanks(at),
            Opening::Blank => self.push_newline(at, at + 2),
            Opening::Newline => self.push_newline(at, at + 1),
            Opening::Mark => self.push(at, at + 1, TokenKind(bytes[at])),
            Opening::Escape => self.push_escape(at),
            Opening::RuledMark => {
                self.note_quote(at);
                self.note_ruled();
                self.push(at, at + 1, TokenKind(bytes[at]))
            }
            Opening::Joint => {
                if matches!(bytes[at], b'-' | b'/') {
                    self.note_odd();
                }
                if !is_blank_at(bytes, at + 1) {
                    self.note_ruled();
                }
                self.push(at, at + 1, TokenKind(bytes[at]))
            }
            Opening::Digit => self.push_number(at),
            Opening::Underscore => self.push_ascii_word(at),
            Opening::Bracket => {
                self.note_ruled();
                match placeholders::at(self.text, at).filter(|one| one.is_of(kinds)) {
                    Some(placeholder) => {
                        self.has_placeholders = true;
                        self.push(at, placeholder.end, TokenKind::PLACEHOLDER)
                    }
                    None => self.push(at, at + 1, TokenKind(b'[')),
                }
            }
            Opening::Wide => self.push_wide(at),
        }
    }

    /// Notes where quotes open and close.
    fn note_quote(&mut self, at: usize) {
        let bytes = self.text.as_bytes();
        let before = at.wrapping_sub(1);
        let mark = bytes[at];
        if !matches!(mark, b'"' | b'\'' | b'`') || bytes.get(before) == Some(&b'\\') {
            return;
        }
        if self.quote == mark {
            self.quote = 0;
        } else if self.quote == 0 && (mark != b'\'' || ends_word(bytes, before)) {
            self.quote = mark;
        }
    }

    /// A backslash, or what it or the character of escapes begins: a line's end or a tab as strings hold
    /// them, a colour of a terminal. That is as white space; outside of quotes it may be a path's
    /// (`src\new`), so there it joins what a backslash joins.
    fn push_escape(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let behind = |at: usize, mark: u8| bytes.get(at) == Some(&mark);
        let before = at.wrapping_sub(1);
        let letter = bytes.get(at.wrapping_sub(2));
        let drive = behind(before, b':')
            && letter.is_some_and(u8::is_ascii_alphabetic)
            && ends_word(bytes, at.wrapping_sub(3));
        if drive && !behind(at + 1, b'\\') && at >= self.path_end {
            let quote = |at: &usize| matches!(bytes[*at], b'"' | b'\'' | b'`');
            let ends = |at: &usize| is_blank_at(bytes, *at) || quote(at);
            self.path_end = (at..bytes.len()).find(ends).unwrap_or(bytes.len());
        }
        let length = match at < self.path_end || behind(before, b'\\') {
            true => 1,
            false => escape_length(&self.text[at..]),
        };
        let end = at + length;
        if length == 2 {
            let start = at + 1;
            let word = word_end(self.text, start);
            if word > end {
                self.wholes.push(Atom {
                    hash: halves(hash_of(&self.text[start..word])),
                    start: start as u32,
                    end: word as u32,
                    token: self.tokens.len() as u32 + 1,
                });
            }
        }
        // What a placeholder stands for may have been a word.
        let apart = || ends_word(bytes, end) && !behind(end, b'[');
        if length > 2 || length == 2 && (self.quote != 0 || apart()) {
            let end = self.push_space(at, end);
            self.note_ruled();
            return end;
        }
        if !is_blank_at(bytes, end) {
            self.note_ruled();
        }
        self.push(at, end, TokenKind(bytes[at]))
    }

    /// A line's end.
    fn push_newline(&mut self, at: usize, end: usize) -> usize {
        self.quote = 0;
        self.newlines.push(self.tokens.len() as u32);
        self.push(at, end, TokenKind::NEWLINE);
        self.open_line(end)
    }

    /// White space, if there is any at `at`.
    fn push_blanks(&mut self, at: usize) -> usize {
        self.push_space(at, at)
    }

    /// What is as white space from `start` to `at`, and the white space there, if there is any.
    fn push_space(&mut self, start: usize, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let blank = |byte: &u8| OPENINGS[usize::from(*byte)] == Opening::Blank;
        let mut end = at;
        while bytes.get(end).is_some_and(blank) && !opens_newline(bytes, end) {
            end += 1;
        }
        match end == start {
            true => end,
            false => self.push(start, end, TokenKind::SPACE),
        }
    }

    /// What is next, behind white space at most, may be a line's first.
    fn open_line(&mut self, at: usize) -> usize {
        let end = self.push_blanks(at);
        self.note_ruled();
        end
    }

    /// Notes that the next token is one of [`Self::ruled`].
    fn note_ruled(&mut self) {
        self.ruled.push(self.tokens.len() as u32);
    }

    /// Notes that the next token is one of [`Self::odd`].
    fn note_odd(&mut self) {
        self.odd.push(self.tokens.len() as u32);
    }

    /// A token without atoms.
    fn push(&mut self, at: usize, end: usize, kind: TokenKind) -> usize {
        self.push_looked_at(at, end, kind, Look::Plain, Class::NONE, Makeup::default())
    }

    /// A token whose atoms are pushed next.
    fn push_looked_at(
        &mut self,
        at: usize,
        end: usize,
        kind: TokenKind,
        look: Look,
        class: Class,
        makeup: Makeup,
    ) -> usize {
        self.tokens.push(Token {
            start: at as u32,
            first_atom: self.atoms.len() as u32,
            kind,
            look,
            class,
            makeup,
        });
        end
    }

    /// A word that begins with a letter of ASCII. Most are small behind it and one atom.
    fn push_letters(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut chunk = hash::chunk(bytes, at);
        let capital = chunk as u8 & CASE == 0;
        chunk |= u64::from(CASE);
        let mut end = at;
        let mut hash = Hash(0);
        loop {
            let length = hash::small_letters(chunk);
            if length == 0 {
                break;
            }
            hash.mix(chunk & hash::first_bytes(length));
            end += length;
            if length < 8 {
                break;
            }
            chunk = hash::chunk(bytes, end);
        }
        let behind = bytes
            .get(end)
            .map_or(Behind::Blank, |byte| BEHIND[usize::from(*byte)]);
        if behind == Behind::Word {
            return self.push_ascii_word(at);
        }
        let mut word = Token {
            start: at as u32,
            first_atom: self.atoms.len() as u32,
            kind: TokenKind::WORD,
            look: Look::Small,
            class: class_of(hash.0, at, end),
            makeup: Makeup::SMALL,
        };
        let atom = Atom {
            hash: halves(hash.0),
            start: at as u32,
            end: end as u32,
            token: self.tokens.len() as u32,
        };
        self.atoms.push(atom);
        if capital {
            self.note_odd();
            self.note_ruled();
            (word.look, word.makeup) = match end - at {
                1 => (Look::Capitals, Makeup::CAPITAL),
                _ => (Look::Capital, Makeup::CAPITAL.and(Makeup::SMALL)),
            };
            if word.look == Look::Capital {
                self.capitals.push(atom);
            }
        } else {
            let lists = word.lists();
            if lists.has(TOLD) {
                self.note_odd();
            }
            if lists.has(RULED) || !stands_alone(bytes, end, behind) {
                self.note_ruled();
            }
        }
        // Most are followed by one space, which is read with them.
        let next = bytes.get(end + 1).map(|next| OPENINGS[usize::from(*next)]);
        if behind == Behind::Space && next.is_some_and(|next| next != Opening::Blank) {
            let space = Token {
                start: end as u32,
                first_atom: self.atoms.len() as u32,
                kind: TokenKind::SPACE,
                look: Look::Plain,
                class: Class::NONE,
                makeup: Makeup::default(),
            };
            self.tokens.push(word);
            self.tokens.push(space);
            return end + 1;
        }
        self.tokens.push(word);
        end
    }

    /// A word that begins with ASCII.
    fn push_ascii_word(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let ends =
            |byte: &u8| Makeup(MAKEUP[usize::from(*byte)]).has(Makeup::OTHER.and(Makeup::WIDE));
        let rest = bytes[at..].iter();
        let end = at + rest.take_while(|byte| !ends(byte)).count();
        let word = &bytes[at..end];
        let version =
            matches!(word, [b'v' | b'V', ..]) && word.iter().any(|byte| byte.is_ascii_digit());
        // Behind ASCII it may go on.
        match version || bytes.get(end).is_some_and(|byte| !byte.is_ascii()) {
            true => self.push_word(at, word_end(self.text, at)),
            false => self.push_hashed_word(at, end, hash::of_bytes(word)),
        }
    }

    /// Any word.
    fn push_word(&mut self, at: usize, end: usize) -> usize {
        self.push_hashed_word(at, end, hash_of(&self.text[at..end]))
    }

    fn push_hashed_word(&mut self, at: usize, end: usize, hash: u64) -> usize {
        self.note_ruled();
        if self.push_met(at, end, hash) {
            return end;
        }
        let makeup = Makeup::of(&self.text[at..end]);
        self.note_digits(makeup);
        let class = match makeup.has(Makeup::WIDE) {
            true => Class::NONE,
            false => class_of(hash, at, end),
        };
        let look = look::look_of(&self.text[at..end], makeup);
        let wholes = self.wholes.len();
        self.note_odd();
        self.push_looked_at(at, end, TokenKind::WORD, look, class, makeup);
        self.push_atoms(at, end, hash, class.lists(), makeup);
        self.note_capital();
        if let Some(met) = self.met.get_mut(hash as usize % MOST_MET) {
            *met = Met {
                token: self.tokens.len() as u32,
                humped: self.wholes.len() > wholes,
            };
        }
        end
    }

    /// A word that has been met, just as it is: what was seen of it is taken over.
    fn push_met(&mut self, at: usize, end: usize, hash: u64) -> bool {
        if self.met.is_empty() {
            if self.text.len() < MOST_MET {
                return false;
            }
            self.met.resize(MOST_MET, Met::default());
        }
        let Met { token, humped } = self.met[hash as usize % MOST_MET];
        let Some(known) = (token as usize).checked_sub(1) else {
            return false;
        };
        let bytes = self.text.as_bytes();
        let start = self.start(known);
        if bytes[start..self.end(known)] != bytes[at..end] {
            return false;
        }
        let Token {
            look,
            class,
            makeup,
            ..
        } = self.tokens[known];
        let first = self.tokens[known].first_atom as usize;
        self.note_digits(makeup);
        self.note_odd();
        self.push_looked_at(at, end, TokenKind::WORD, look, class, makeup);
        let here = self.tokens.len() as u32 - 1;
        let moved = (at - start) as u32;
        let mut next = first;
        while let Some(atom) = self.atoms.get(next).filter(|atom| atom.token() == known) {
            self.atoms.push(Atom {
                start: atom.start + moved,
                end: atom.end + moved,
                token: here,
                ..*atom
            });
            next += 1;
        }
        if humped {
            self.wholes.push(self.atom(at, end, hash));
        }
        self.note_capital();
        true
    }

    /// Notes that the next token is a word with digits where its makeup says so.
    fn note_digits(&mut self, makeup: Makeup) {
        if makeup.has(Makeup::DIGIT) {
            self.with_digits.push(self.tokens.len() as u32);
        }
    }

    /// Notes the last token as one of [`Self::capitals`] where it is.
    fn note_capital(&mut self) {
        let last = self.tokens.len() - 1;
        if self.look(last) == Look::Capital {
            let atom = self.first_atom(last).copied();
            self.capitals.extend(atom);
        }
    }

    /// A word that begins with a digit; a [`TokenKind::NUMBER`] where it is nothing else.
    fn push_number(&mut self, at: usize) -> usize {
        let end = exponent_end(self.text.as_bytes(), number_end(self.text, at));
        if !ends_word(self.text.as_bytes(), end) {
            let word = word_end(self.text, end);
            if word > end {
                return self.push_word(at, word);
            }
        }
        self.note_ruled();
        self.push(at, end, TokenKind::NUMBER);
        self.push_hashed(at, end, hash::of_bytes(&self.text.as_bytes()[at..end]));
        end
    }

    /// What does not begin with ASCII.
    fn push_wide(&mut self, at: usize) -> usize {
        let Some(char) = self.text[at..].chars().next() else {
            return self.text.len();
        };
        if is_ideograph(char) {
            let rest = self.text[at..]
                .chars()
                .take_while(|char| is_ideograph(*char));
            let length: usize = rest.map(char::len_utf8).sum();
            return self.push(at, at + length, TokenKind::IDEOGRAPHS);
        }
        if char.is_alphanumeric() {
            return self.push_word(at, word_end(self.text, at));
        }
        let end = at + char.len_utf8();
        if is_blank(char) {
            self.push(at, end, TokenKind::SPACE);
            return self.open_line(end);
        }
        self.note_ruled();
        match is_hyphen(char) {
            true => {
                self.note_odd();
                self.push(at, end, TokenKind(b'-'))
            }
            false => self.push(at, end, TokenKind(0)),
        }
    }

    /// Where token `at` starts; the text's end past the last.
    pub(crate) fn start(&self, at: usize) -> usize {
        self.tokens
            .get(at)
            .map_or(self.text.len(), |token| token.start as usize)
    }

    /// Where token `at` ends.
    pub(crate) fn end(&self, at: usize) -> usize {
        self.start(at + 1)
    }

    /// The first token that starts at or behind a place.
    pub(crate) fn token_at(&self, place: usize) -> usize {
        self.tokens
            .partition_point(|token| (token.start as usize) < place)
    }

    /// The text of token `at`, empty past either end.
    #[inline(never)]
    pub(crate) fn word(&self, at: usize) -> &'t str {
        let token = self.tokens.get(at);
        let word = token.and_then(|token| self.text.get(token.start as usize..self.end(at)));
        word.unwrap_or_default()
    }

    /// As [`Self::word`], in bytes, of which any may be the first: cheaper.
    #[inline(always)]
    fn bytes_of(&self, at: usize) -> &'t [u8] {
        match self.tokens.get(at) {
            Some(token) => &self.text.as_bytes()[token.start as usize..self.end(at)],
            None => &[],
        }
    }

    /// Whether the text of token `at` is `word`.
    pub(crate) fn is_word(&self, at: usize, word: &str) -> bool {
        self.bytes_of(at) == word.as_bytes()
    }

    /// Whether the text of token `at` is one of `words`.
    #[inline(never)]
    pub(crate) fn is_one_of(&self, at: usize, words: &Words) -> bool {
        words.has_bytes(self.bytes_of(at))
    }

    /// The text of the tokens from `from` up to, not including, `to`; empty where there are none.
    #[inline(never)]
    pub(crate) fn text_of(&self, from: usize, to: usize) -> &'t str {
        let there = from < to && to <= self.tokens.len();
        let text = || self.text.get(self.start(from)..self.start(to));
        there.then(text).flatten().unwrap_or_default()
    }

    pub(crate) fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    // Rules ask this in hundreds of places: as a call it keeps the module small. Native code is faster without.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(crate) fn is_mark(&self, at: usize, mark: u8) -> bool {
        self.kind(at) == Some(TokenKind(mark))
    }

    pub(crate) fn is_space(&self, at: usize) -> bool {
        self.is_mark(at, TokenKind::SPACE.0)
    }

    /// Where the line ends, or the text, if that is one of the `far` tokens from `from` on.
    pub(crate) fn line_end(&self, from: usize, far: usize) -> Option<usize> {
        let ends = |at: &usize| matches!(self.kind(*at), None | Some(TokenKind::NEWLINE));
        (from..from + far).find(ends)
    }

    /// The lists that the word at `at` is in.
    pub(crate) fn lists(&self, at: usize) -> List {
        self.tokens.get(at).map_or(List::NONE, Token::lists)
    }

    /// The classes of characters of the word at `at`.
    pub(crate) fn makeup(&self, at: usize) -> Makeup {
        self.tokens
            .get(at)
            .map_or(Makeup::default(), |token| token.makeup)
    }

    /// How the word at `at` is written.
    pub(crate) fn look(&self, at: usize) -> Look {
        self.tokens.get(at).map_or(Look::Plain, |token| token.look)
    }

    /// The atoms of the tokens from `from` up to, not including, `to`.
    #[inline(never)]
    pub(crate) fn atoms_of(&self, from: usize, to: usize) -> &[Atom] {
        let atoms = self.atoms_before(from)..self.atoms_before(to);
        self.atoms.get(atoms).unwrap_or_default()
    }

    /// How many atoms stand before token `at`.
    pub(crate) fn atoms_before(&self, at: usize) -> usize {
        self.tokens
            .get(at)
            .map_or(self.atoms.len(), |token| token.first_atom as usize)
    }

    /// The first atom of token `at`.
    pub(crate) fn first_atom(&self, at: usize) -> Option<&Atom> {
        let atom = self.atoms.get(self.tokens.get(at)?.first_atom as usize)?;
        (atom.token() == at).then_some(atom)
    }

    /// The atoms of a word: parts at `_`, at humps, and a number apart from its unit.
    fn push_atoms(&mut self, start: usize, end: usize, hash: u64, lists: List, makeup: Makeup) {
        let word = &self.text[start..end];
        if makeup.has(Makeup::DIGIT) {
            // `2031-04-09T06:12`: the day and the hour.
            if let [b'0'..=b'9', b'0'..=b'9', b'T', b'0'..=b'9', b'0'..=b'9'] = word.as_bytes() {
                self.push_atom(start, start + 2, start);
                return self.push_atom(start + 3, end, start + 3);
            }
            if is_version(word) {
                // `v2.1` is 2.1.
                return self.push_atom(start, end, start + 1);
            }
            let digits = words::number_length(word);
            // In any case, as `12d` may be a part of what is written `12D` elsewhere.
            if digits > 0 && words::is_unit_in_any_case(&word[digits..]) {
                self.push_atom(start, start + digits, start);
                return self.push_atom(start + digits, end, start + digits);
            }
        }
        let whole = !makeup.has(Makeup::UNDERSCORE) && !makeup.has(Makeup::WIDE) && {
            let capitals = makeup.has(Makeup::SMALL) && makeup.has(Makeup::CAPITAL);
            !capitals || is_plural_acronym(word)
        };
        // `CURRENT_USER` holds no user.
        let keyword = lists.has(SQL) && !makeup.has(Makeup::SMALL);
        if whole || keyword || lists.has(WELL_KNOWN_LIKE) && words::is_well_known(word) {
            return self.push_hashed(start, end, hash);
        }
        // What begins with a digit has no humps, nor has what has no small letters: `0AF3B7C2` is
        // `0af3b7c2`.
        let mut number = word.as_bytes()[0].is_ascii_digit();
        let humped = makeup.has(Makeup::SMALL) || makeup.has(Makeup::WIDE);
        let mut from = start;
        let mut humps = false;
        let mut before = Makeup::OTHER;
        let mut at = start;
        while at < end {
            let (class, length) = letter_at(&self.text[..end], at);
            let next = at + length;
            if class.has(Makeup::UNDERSCORE) {
                self.push_atom(from, at, from);
                from = next;
                number = self.text[from..end].starts_with(|char: char| char.is_ascii_digit());
            } else if class.has(Makeup::CAPITAL)
                && humped
                && !number
                && !before.has(Makeup::UNDERSCORE)
            {
                // `MAX_SIZEs` has no hump before its last two letters.
                let rest = &self.text[next..end];
                let goes_on = || {
                    let plural = rest == "s" || rest.starts_with("s_");
                    letter_at(rest, 0).0.has(Makeup::SMALL) && !plural
                };
                if !before.has(Makeup::CAPITAL) || goes_on() {
                    humps |= from < at;
                    self.push_atom(from, at, from);
                    from = at;
                }
            }
            if class != Makeup::default() {
                before = class;
            }
            at = next;
        }
        match from == start {
            true => self.push_hashed(start, end, hash),
            false => self.push_atom(from, end, from),
        }
        if humps {
            self.wholes.push(self.atom(start, end, hash));
        }
    }

    fn push_atom(&mut self, start: usize, end: usize, hash_from: usize) {
        if start < end {
            self.push_hashed(start, end, hash_of(&self.text[hash_from..end]));
        }
    }

    fn push_hashed(&mut self, start: usize, end: usize, hash: u64) {
        self.atoms.push(self.atom(start, end, hash));
    }

    /// An atom of the token that is being read.
    fn atom(&self, start: usize, end: usize, hash: u64) -> Atom {
        Atom {
            hash: halves(hash),
            start: start as u32,
            end: end as u32,
            token: self.tokens.len() as u32 - 1,
        }
    }

    /// What stands between two atoms that follow each other: [`LOOSE`], [`BREAK`], or a hash of the
    /// marks.
    pub(crate) fn join(&self, before: &Atom, atom: &Atom) -> u64 {
        let bytes = self.text.as_bytes();
        match (before.end() + 1).cmp(&atom.start()) {
            Ordering::Less => join(&self.text[before.end()..atom.start()]),
            Ordering::Equal => join_by(bytes[before.end()]),
            Ordering::Greater => LOOSE,
        }
    }
}

fn halves(hash: u64) -> [u32; 2] {
    [hash as u32, (hash >> 32) as u32]
}

/// The character that a terminal's commands begin with.
const ESCAPE: u8 = 0x1b;

/// The length of the escape that a text begins with: `\n`, `\t`, or a terminal's colour (`\x1b[31m`); 1
/// where it is none.
fn escape_length(text: &str) -> usize {
    const CHARACTERS: [&[u8]; 5] = [&[ESCAPE], b"\\e", b"\\033", b"\\x1b", b"\\u001b"];
    let bytes = text.as_bytes();
    if let [b'\\', b'n' | b'r' | b't', ..] = bytes {
        return 2;
    }
    let colour = CHARACTERS.iter().find_map(|character| {
        let (head, rest) = bytes.split_at_checked(character.len())?;
        let rest = rest.strip_prefix(b"[")?;
        let number = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
        let numbers = rest.iter().take_while(number).count();
        let closed = rest.get(numbers).is_some_and(u8::is_ascii_alphabetic);
        let is_one = head.eq_ignore_ascii_case(character)
            && closed
            && placeholders::at(text, head.len()).is_none();
        is_one.then_some(head.len() + numbers + 2)
    });
    colour.unwrap_or(1)
}

/// The class of the letter at `at`, none of what has no width, and its length.
fn letter_at(text: &str, at: usize) -> (Makeup, usize) {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => (Makeup(MAKEUP[usize::from(*byte)]), 1),
        _ => wide_letter(&text[at..]),
    }
}

fn wide_letter(text: &str) -> (Makeup, usize) {
    let Some(char) = text.chars().next() else {
        return (Makeup::OTHER, 1);
    };
    let class = match char {
        _ if is_joiner(char) => Makeup::default(),
        _ if is_underscore(char) => Makeup::UNDERSCORE,
        _ if char.is_uppercase() => Makeup::CAPITAL,
        _ if char.is_lowercase() => Makeup::SMALL,
        _ => Makeup::WIDE,
    };
    (class, char.len_utf8())
}

/// What a single mark makes of two atoms.
fn join_by(mark: u8) -> u64 {
    match mark {
        b'_' | b'-' => LOOSE,
        _ if mark.is_ascii_whitespace() => LOOSE,
        _ => {
            let mut hash = Hash(BREAK + 1);
            hash.mix(u64::from(mark));
            hash.0
        }
    }
}

/// What two atoms are joined by that more than one byte stands between.
fn join(between: &str) -> u64 {
    let bytes = between.as_bytes();
    let loose = match bytes {
        _ if !between.is_ascii() => {
            let mut visible = between.chars().filter(|char| !is_joiner(*char));
            let loose = |char| {
                is_hyphen(char) || is_underscore(char) || is_blank(char) || "- ".contains(char)
            };
            visible.next().is_none_or(loose) && visible.next().is_none()
        }
        _ => {
            bytes.len() <= MOST_JOIN_BYTES
                && bytes.iter().all(u8::is_ascii_whitespace)
                && bytes.iter().filter(|byte| **byte == b'\n').count() < 2
        }
    };
    if loose {
        return LOOSE;
    }
    if bytes.len() > MOST_JOIN_BYTES || bytes.contains(&b'[') || !between.is_ascii() {
        return BREAK;
    }
    // A doubled mark is the mark: `\\` in a string is one backslash.
    let mut hash = Hash(BREAK + 1);
    let mut before = 0;
    for byte in bytes.iter().copied().filter(|byte| *byte != b'_') {
        if byte != before {
            hash.mix(u64::from(byte));
        }
        before = byte;
    }
    hash.0
}

/// The hash of a text as names are compared.
pub(crate) fn hash_of(text: &str) -> u64 {
    if text.is_ascii() {
        return hash::of_bytes(text.as_bytes());
    }
    let mut folded = String::with_capacity(text.len());
    fold(text, &mut |char| folded.push(char));
    hash::of_bytes(folded.as_bytes())
}

/// Gives `sink` the letters of `text` as names are compared: small, accents apart, full-width
/// forms narrow, what has no width left out, letters that are others in capitals or at a word's end as
/// those.
pub(crate) fn fold(text: &str, sink: &mut dyn FnMut(char)) {
    let mut before = ' ';
    for char in text.chars().filter(|char| !is_joiner(*char)) {
        match small(narrow(char)) {
            'ß' => {
                sink('s');
                sink('s');
            }
            'ς' => sink('σ'),
            // The point of `İ`, which in small letters has a mark of its own.
            '\u{307}' if matches!(before, 'i' | 'I') => {}
            small if small.is_ascii() => sink(small),
            small => decompose(small, sink),
        }
        before = char;
    }
}

/// A text as a claim's is read: full-width forms narrow, every hyphen the usual one, without what has
/// no width.
pub(crate) fn plain(text: &str) -> impl Iterator<Item = char> {
    let visible = text.chars().filter(|char| !is_joiner(*char));
    visible.map(|char| match narrow(char) {
        char if is_hyphen(char) => '-',
        char if is_blank(char) => ' ',
        char => char,
    })
}

fn narrow(char: char) -> char {
    match u32::from(char) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(char),
        _ => char,
    }
}

/// Hyphens that are not ASCII: the typographer's, the one that breaks no line, the full-width one.
fn is_hyphen(char: char) -> bool {
    matches!(char, '\u{2010}' | '\u{2011}' | '\u{ff0d}')
}

/// Spaces that are not ASCII: those that break no line, narrow and wide ones.
fn is_blank(char: char) -> bool {
    matches!(
        char,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

fn is_underscore(char: char) -> bool {
    matches!(char, '_' | '\u{ff3f}')
}

fn decompose(char: char, sink: &mut dyn FnMut(char)) {
    match parts(char) {
        Some([base, mark]) => {
            decompose(base, sink);
            sink(mark);
        }
        None => sink(char),
    }
}

/// The class of the word of this hash that stands from `at` to `end`.
#[inline(always)]
fn class_of(hash: u64, at: usize, end: usize) -> Class {
    match end - at <= words::LONGEST {
        true => words::class_of(hash),
        false => Class::NONE,
    }
}

/// The bit that tells a small letter of ASCII from its capital.
const CASE: u8 = b'a' ^ b'A';

/// What a token may be, by its first byte.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Opening {
    Blank,
    Bracket,
    Digit,
    /// What an escape begins with.
    Escape,
    /// A mark that joins what stands on both sides of it.
    Joint,
    Letter,
    /// A mark that no rule begins at, but where it opens a line.
    Mark,
    Newline,
    /// A mark that rules begin at.
    RuledMark,
    Underscore,
    /// Not ASCII.
    Wide,
}

static OPENINGS: [Opening; 256] = {
    let mut openings = [Opening::Mark; 256];
    let mut byte = 0;
    while byte < 256 {
        openings[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' => Opening::Blank,
            b'[' => Opening::Bracket,
            b'0'..=b'9' => Opening::Digit,
            b'A'..=b'Z' | b'a'..=b'z' => Opening::Letter,
            b'\n' => Opening::Newline,
            b'\\' | ESCAPE => Opening::Escape,
            b'-' | b'/' | b'.' | b':' | b'~' | b'@' => Opening::Joint,
            b'{' | b'}' | b']' | b'"' | b'`' | b'\'' | 0 => Opening::RuledMark,
            b'_' => Opening::Underscore,
            128.. => Opening::Wide,
            _ => Opening::Mark,
        };
        byte += 1;
    }
    openings
};

/// Whether ASCII that is in no word stands at `at`, or the text's end.
pub(crate) fn ends_word(bytes: &[u8], at: usize) -> bool {
    let other = |byte: &u8| MAKEUP[usize::from(*byte)] == Makeup::OTHER.0;
    bytes.get(at).is_none_or(other)
}

/// Whether nothing hangs on a word that ends at `end`: white space follows, a mark that neither joins
/// nor calls, or the point of a sentence. Where that is not seen at once it does not.
fn stands_alone(bytes: &[u8], end: usize, behind: Behind) -> bool {
    match behind {
        Behind::Space | Behind::Blank | Behind::Apart => true,
        Behind::Point => is_blank_at(bytes, end + 1),
        Behind::Joined | Behind::Word => false,
    }
}

/// Whether a line ends at `at` as on Windows: that is one token as well.
fn opens_newline(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n')
}

/// Whether white space stands at `at`, or the text's end.
fn is_blank_at(bytes: &[u8], at: usize) -> bool {
    let blank = |byte: &u8| {
        matches!(
            OPENINGS[usize::from(*byte)],
            Opening::Blank | Opening::Newline
        )
    };
    bytes.get(at).is_none_or(blank)
}

/// What the byte behind a word is to it.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Behind {
    /// A mark that neither joins nor calls.
    Apart,
    /// Other white space, or the text's end.
    Blank,
    Joined,
    Point,
    Space,
    /// It may be a part of the word.
    Word,
}

static BEHIND: [Behind; 256] = {
    let mut behind = [Behind::Joined; 256];
    let mut byte = 0;
    while byte < 256 {
        behind[byte] = match OPENINGS[byte] {
            _ if MAKEUP[byte] != Makeup::OTHER.0 => Behind::Word,
            _ if byte == b' ' as usize => Behind::Space,
            _ if byte == b'.' as usize => Behind::Point,
            Opening::Blank | Opening::Newline => Behind::Blank,
            Opening::Mark | Opening::RuledMark if structure::stands_alone_before(byte as u8) => {
                Behind::Apart
            }
            _ => Behind::Joined,
        };
        byte += 1;
    }
    behind
};

/// Digits, and more digits after a point or as groups of three after a comma, or the other way round.
fn number_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or(&[]);
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let first = digits(at);
    let mut end = at + first;
    while bytes.get(end) == Some(&b',') && first <= 3 && digits(end + 1) == 3 {
        end += 4;
    }
    while bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    // `1.299,00`: groups of three after points, and a fraction after a comma.
    if bytes.get(end) == Some(&b',') && first <= 3 && end > at + first {
        let group = |group: &[u8]| {
            group.len() == 4 && group[0] == b'.' && group[1..].iter().all(u8::is_ascii_digit)
        };
        let next = end + 1 + digits(end + 1);
        let closed = bytes.get(next) != Some(&b',') && ends_word(bytes, next);
        if bytes[at + first..end].chunks(4).all(group) && matches!(next - end, 2 | 3) && closed {
            return next;
        }
    }
    end
}

/// Where the exponent ends that follows a number, as in `6.02e23`, `1e-9`; `end` itself where none does. Longer ones
/// are hashes.
fn exponent_end(bytes: &[u8], end: usize) -> usize {
    const MOST_DIGITS: usize = 3;
    let Some([b'e' | b'E', rest @ ..]) = bytes.get(end..) else {
        return end;
    };
    let sign = usize::from(matches!(rest, [b'+' | b'-', ..]));
    let digits = rest[sign..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let behind = end + 1 + sign + digits;
    match (1..=MOST_DIGITS).contains(&digits) && ends_word(bytes, behind) {
        true => behind,
        false => end,
    }
}

/// Where the word ends that `at` is in; `at` itself where no word character stands there.
fn word_end(text: &str, at: usize) -> usize {
    let mut end = at;
    let mut chars = text[at..].char_indices();
    // What has no width is part of the word only where the word goes on behind it.
    for (offset, char) in chars.by_ref() {
        if is_word(char) {
            end = at + offset + char.len_utf8();
        } else if !is_joiner(char) || end == at {
            break;
        }
    }
    // `v2.1`: the points of a version.
    let digits = text[at..end].strip_prefix(['v', 'V']);
    if digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    }) {
        let version = number_end(text, at + 1);
        if !text[version..].starts_with(is_word) {
            return version;
        }
    }
    end
}

/// Letters, digits, `_` and the marks that combine with them; not ideographs.
pub(crate) fn is_word(char: char) -> bool {
    match char.is_ascii() {
        true => char.is_ascii_alphanumeric() || char == '_',
        false => is_wide_word(char),
    }
}

#[inline(never)]
fn is_wide_word(char: char) -> bool {
    let combining = match u32::from(char) {
        // The dot and the stroke that the scripts of India have at one place of their blocks.
        code @ 0x900..=0xd7f => matches!(code & 0x7f, 0x3c | 0x4d),
        // What joins and what tells tones in Sinhala, Thai, Lao, Burmese and Khmer.
        0xdca | 0xe47..=0xe4e | 0xec8..=0xece | 0x1037 | 0x1039..=0x103a | 0x17c9..=0x17d3 => true,
        0x300..=0x36f | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x20d0..=0x20ff | 0xfe20..=0xfe2f => {
            true
        }
        _ => false,
    };
    combining || char == '\u{ff3f}' || char.is_alphanumeric() && !is_ideograph(char)
}

/// Characters without width that hide inside a name: soft hyphens, joiners, what turns a text round, what
/// chooses a glyph.
#[inline(never)]
pub(crate) fn is_joiner(char: char) -> bool {
    matches!(
        char,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
    )
}

/// Han, kana, hangul.
#[inline(never)]
pub(crate) fn is_ideograph(char: char) -> bool {
    matches!(u32::from(char),
        0x1100..=0x11ff | 0x2e80..=0x2fdf | 0x3005..=0x3007 | 0x3040..=0x31ff | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff | 0xa960..=0xa97f | 0xac00..=0xd7ff | 0xf900..=0xfaff
        | 0xff66..=0xffdc | 0x20000..=0x3ffff)
}

/// `v2.1`.
fn is_version(word: &str) -> bool {
    let digits = word.strip_prefix(['v', 'V']);
    digits.is_some_and(|digits| {
        digits.contains('.')
            && digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

/// `IDs`, `SDKs`: one atom, not a hump before the last two letters.
fn is_plural_acronym(word: &str) -> bool {
    let capitals = word.strip_suffix('s');
    capitals.is_some_and(|capitals| capitals.len() > 1 && words::is_all_capitals(capitals))
}
