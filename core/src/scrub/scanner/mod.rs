//! One pass over a text: tokens, and the atoms that words are made of.
//!
//! A token is what the rules look at (a word, a number, a mark). An atom is what names are compared
//! by: `account_id`, `accountId` and "account id" are the same two atoms. Every byte of the text
//! belongs to exactly one token.

mod chars;
mod tokens;

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{
    hash::{self, Hash},
    kinds::Kinds,
    look::{self, Look, MAKEUP, Makeup},
    placeholders,
    secrets::TOLD,
    structure::RULED,
    words::{self, Class, List, SQL, WELL_KNOWN_LIKE, Words},
};
use chars::{
    BEHIND, Behind, CASE, OPENINGS, Opening, escape_length, exponent_end, is_blank, is_blank_at,
    is_hyphen, join, join_by, letter_at, number_end, opens_newline, stands_alone, word_end,
};

pub(crate) use chars::{ends_word, fold, hash_of, is_ideograph, is_joiner, is_word, plain};
pub(crate) use tokens::{Atom, Token, TokenKind};

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

    /// Whether it holds a path with a drive.
    pub(crate) fn has_drives(&self) -> bool {
        self.path_end > 0
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

/// The class of the word of this hash that stands from `at` to `end`.
#[inline(always)]
fn class_of(hash: u64, at: usize, end: usize) -> Class {
    match end - at <= words::LONGEST {
        true => words::class_of(hash),
        false => Class::NONE,
    }
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
