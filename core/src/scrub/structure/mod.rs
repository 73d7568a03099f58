//! What stands where a name stands, or looks like one.
//!
//! One walk over the tokens. At each token the rules of prose, SQL, code and configuration look at
//! what follows, never further than a fixed number of tokens, so the whole is linear. A rule says
//! what a stretch may be as a list of kinds; the first one that the profile scrubs is meant.
//!
//! Each rule stays a function of its own in the machine code (`inline(never)`): in one they would be so large
//! that an engine of wasm compiles longer than it scrubs.

mod calls;
mod claim;
mod code;
mod config;
mod cued;
mod grammar;
mod placed;
mod prose;
pub(super) mod shapes;
mod sql;

use alloc::vec::Vec;

use super::{
    hash::Filter,
    lexicon::Rank,
    look::Look,
    scanner::{Atom, Scan, Token, TokenKind},
    words::{
        self, ALGORITHMS, ATTACK, BEHIND, BUILT_IN_LIKE, CODE, COMMON, CUE, LANGUAGE, List, MONTH,
        NOT_NAMES, OPENER, SMALL_TYPE, TYPE_WORDS, VALUE_CUE, WEAKNESS, WELL_KNOWN_LIKE, Words,
        any_of,
    },
};
use crate::profile::Kind;

pub(super) use calls::CALL_WORDS;
pub(super) use claim::unmarked;
pub(super) use code::CODE_WORDS;
pub(super) use config::{PROGRAMS, RESERVED_LIST};
pub(super) use grammar::ends_in;
pub(super) use prose::CUE_WORDS;
pub(super) use sql::{BEHIND_WORDS, OPENER_WORDS};

/// Whose text is read. A claim names things; evidence may only use words.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Reading {
    Claim,
    Evidence,
}

/// A stretch that is a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Find {
    /// Its first token.
    pub(crate) from: usize,
    /// The token behind its last.
    pub(crate) to: usize,
    /// What it may be, best first; nothing where lines below rest on it and it is no name.
    pub(crate) kinds: &'static [Kind],
    pub(crate) rank: Rank,
    /// Whether the same word is this name elsewhere, too.
    pub(crate) everywhere: bool,
    /// Whether a claim that holds it names it only where the profile has one of the kinds.
    pub(crate) only_in_profile: bool,
    /// Whether it only says what a name of a claim is.
    pub(crate) if_named: bool,
    /// What the evidence must show for it to be a name at all.
    pub(crate) if_shown: Option<Shown>,
    /// Whether it rests on the lines before its own, too.
    pub(crate) wide: bool,
}

/// What the evidence may show of a plain word in a claim.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Shown {
    /// A capital inside a sentence, or a use.
    Proper,
    /// A table's name, or a call.
    Used,
    /// A name, by its structure.
    Named,
}

/// Gives `sink` the names of a text, in no order; stretches may overlap.
pub(crate) fn finds(scan: &Scan<'_>, reading: Reading, sink: &mut dyn FnMut(&Find)) {
    let mut walk = Walk {
        reader: Reader::new(scan, reading),
        lines: config::Lines::default(),
        line: 0,
        line_end: end_of_line(scan, 0),
        opens_line: true,
        run_end: 0,
        quote_end: 0,
        statement_end: 0,
    };
    // Of a claim all tokens are looked at.
    let count = match reading {
        Reading::Claim => scan.tokens.len(),
        Reading::Evidence => scan.ruled.len(),
    };
    let mut done = 0;
    // The first atom that is looked at neither with its token nor between two.
    let mut atom = 0;
    for nth in 0..count {
        let at = match reading {
            Reading::Claim => nth,
            Reading::Evidence => scan.ruled[nth] as usize,
        };
        if at < done {
            continue;
        }
        let before = scan.atoms_before(at);
        if atom < before && !walk.reader.locals.is_empty() {
            walk.reader.locals(&scan.atoms[atom..before], sink);
        }
        walk.token(at);
        walk.reader.give(sink);
        done = at + 1;
        atom = scan.atoms_before(done);
    }
    walk.reader.locals(&scan.atoms[atom..], sink);
    let used = scan.atoms_before(walk.reader.used);
    walk.reader.locals(&scan.atoms[..used], sink);
}

/// A walk over the tokens of a text.
struct Walk<'s, 't> {
    reader: Reader<'s, 't>,
    lines: config::Lines,
    /// How many of the text's line ends are behind, and the token that is the next.
    line: usize,
    line_end: usize,
    /// Whether only white space stands before on this line.
    opens_line: bool,
    run_end: usize,
    quote_end: usize,
    statement_end: usize,
}

impl Walk<'_, '_> {
    /// Looks at the token at `at` with the rules that may begin there.
    fn token(&mut self, at: usize) {
        let scan = self.reader.scan;
        let Some(token) = scan.tokens.get(at) else {
            return;
        };
        while at > self.line_end {
            self.line += 1;
            self.line_end = end_of_line(scan, self.line);
            self.opens_line = true;
        }
        if matches!(token.kind, TokenKind::SPACE | TokenKind::NEWLINE) {
            return;
        }
        let opened = core::mem::take(&mut self.opens_line);
        // What only joins the words of a run has been read with them.
        if at < self.run_end && !opened && shapes::only_joins(token.kind) {
            return;
        }
        let evidence = self.reader.reading == Reading::Evidence;
        if !evidence {
            claim::coded(&mut self.reader, at);
        } else {
            if opened {
                config::line(&mut self.reader, &mut self.lines, at, self.line_end);
            } else if is_ordinary_word(scan, at, token) {
                // It costs nothing more.
                if token.look == Look::Capital && at >= self.statement_end {
                    code::type_place(&mut self.reader, at);
                } else if self.reader.may_be_local(at, token) {
                    self.reader.local(at);
                }
                return;
            }
            if self.reader.may_be_local(at, token) {
                self.reader.local(at);
            }
        }
        // Nor is a plain word that stands alone looked at for its shape.
        let shapeless = evidence
            && token.is_plain()
            && !token.lists().has(ALGORITHMS)
            && !scan.kind(at + 1).is_some_and(shapes::is_in_run);
        if at >= self.run_end && !shapeless && shapes::opens_run(token.kind) {
            self.run_end = shapes::run(&mut self.reader, at);
        }
        match token.kind {
            TokenKind::WORD => self.word(at, token, opened),
            TokenKind::NUMBER if evidence => code::margin(&mut self.reader, at),
            // `[ID_1] TABLE`: the word that opened a statement.
            TokenKind::PLACEHOLDER
                if opened && scan.lists(self.reader.skip_space(at + 1)).has(BEHIND) =>
            {
                self.statement_end = sql::scrubbed_end(&self.reader, at);
            }
            TokenKind::IDEOGRAPHS if !evidence => claim::ideographs(&mut self.reader, at),
            TokenKind(mark) if at >= self.quote_end => self.mark(at, mark, opened),
            _ => {}
        }
    }

    fn word(&mut self, at: usize, token: &Token, opened: bool) {
        let reader = &mut self.reader;
        let lists = token.lists();
        let limit = match at < self.quote_end {
            true => self.quote_end - 1,
            false => usize::MAX,
        };
        if lists.has(prose::CUED) {
            prose::cue(reader, at, limit);
        }
        let claim = reader.reading == Reading::Claim;
        if !claim && lists.has(TYPE_WORDS) {
            sql::typed(reader, at);
        }
        if claim || at < self.statement_end {
            return;
        }
        if matches!(token.look, Look::Constant | Look::Key) && reader.is_mark(at + 1, b'=') {
            config::variable(reader, at);
        }
        // In small letters it opens a line, as any English word may, or what a mark sets off.
        let opens = lists.has(OPENER)
            && (opened || token.look == Look::Capitals || sql::is_set_off(reader, at));
        let end = opens.then(|| sql::statement(reader, at, limit));
        if let Some(end) = end.flatten() {
            self.statement_end = end;
            if end > self.line_end + 1 {
                let words = (at..)
                    .take_while(|at| reader.is_in(*at, OPENER.or(BEHIND)) || reader.is_space(*at));
                reader.note_basis(at, at + words.count());
            }
            return;
        }
        let capital = token.look == Look::Capital;
        let opened = opened && !self.lines.is_of_manifest(reader, at);
        if opened || capital || lists.has(CODE) || code::hangs_on_word(reader.scan.kind(at + 1)) {
            code::word(reader, at, opened);
        }
        if capital || lists.has(BEHIND) {
            sql::error_detail(reader, at);
        }
    }

    fn mark(&mut self, at: usize, mark: u8, opened: bool) {
        let reader = &mut self.reader;
        let evidence = reader.reading == Reading::Evidence;
        self.lines.bracket(mark);
        reader.bodies.bracket(at, mark);
        // `$picked = …` of PHP, `@picked = …` of Ruby, `#picked = …` in a class of JavaScript
        let marks = match mark {
            b'$' | b'@' => opened,
            b'#' => reader.bodies.is_in_brackets(),
            _ => false,
        };
        if evidence && marks && reader.is_word(at + 1) {
            reader.widely(mark == b'#', |reader| code::assignment(reader, at + 1));
        }
        // `+    total = …` of a diff, not `- total = 3` of a list
        if evidence
            && opened
            && matches!(mark, b'+' | b'-')
            && matches!(reader.scan.kind(at + 1), Some(TokenKind::SPACE))
            && reader.word(at + 1).len() > 1
        {
            code::assignment(reader, at + 2);
        }
        match mark {
            b':' | b'"' | b'\'' if evidence => calls::symbols(reader, at),
            b'{' if evidence => code::closure(reader, reader.skip_space(at + 1)),
            _ => {}
        }
        if matches!(mark, b'"' | b'`' | b'\'' | 0)
            && !(evidence && self.lines.quote(reader, at) && mark == b'\'')
            && let Some((from, to)) = prose::quote(reader, at, at < self.statement_end)
            && !(mark == b'`' && is_torn(reader, from, to))
        {
            self.quote_end = to + 1;
            if evidence {
                config::json(reader, &mut self.lines, from, to);
                if at >= self.statement_end {
                    sql::described(reader, from, to);
                }
            }
        }
    }
}

/// Whether a code span holds one end of another quotation, so that what it holds may be scrubbed with its own end.
fn is_torn(reader: &Reader<'_, '_>, from: usize, to: usize) -> bool {
    let quotes = (from..to).filter(|at| reader.is_mark(*at, b'"'));
    quotes.count() % 2 == 1
}

/// The token that ends a line; the one behind the last ends the last.
fn end_of_line(scan: &Scan<'_>, line: usize) -> usize {
    let end = scan.newlines.get(line);
    end.map_or(scan.tokens.len(), |end| *end as usize)
}

/// The lists that a rule looks a single word up in, wherever it stands.
pub(super) const RULED: List = ALGORITHMS
    .or(MONTH)
    .or(ATTACK)
    .or(WEAKNESS)
    .or(CUE)
    .or(VALUE_CUE)
    .or(OPENER)
    .or(CODE)
    .or(TYPE_WORDS);

/// Whether the token at `at` is a word of letters that no rule begins at, but where it opens a line.
fn is_ordinary_word(scan: &Scan<'_>, at: usize, token: &Token) -> bool {
    let alone = || match scan.kind(at + 1) {
        None | Some(TokenKind::SPACE | TokenKind::NEWLINE) => true,
        // The point of a sentence.
        Some(TokenKind(b'.')) => matches!(
            scan.kind(at + 2),
            None | Some(TokenKind::SPACE | TokenKind::NEWLINE)
        ),
        Some(kind) => kind.is_mark() && stands_alone_before(kind.0),
    };
    token.kind == TokenKind::WORD && !token.lists().has(RULED) && alone() && token.is_letters()
}

/// Whether a word before this mark is a run of its own and calls nothing.
pub(super) const fn stands_alone_before(mark: u8) -> bool {
    !matches!(mark, b'(' | b'?') && !shapes::joins_run(mark)
}

/// Whether the word at `at` has a capital inside a sentence.
pub(crate) fn is_proper(scan: &Scan<'_>, at: usize) -> bool {
    if scan.look(at) != Look::Capital {
        return false;
    }
    let reader = Reader::new(scan, Reading::Evidence);
    let scrubbed =
        |at: Option<usize>| at.and_then(|at| scan.kind(at)) == Some(TokenKind::PLACEHOLDER);
    // Beside what was scrubbed a word may be a part of one, and may open a sentence.
    !reader.opens_sentence(at) && !scrubbed(reader.before(at)) && !scrubbed(Some(at + 1))
}

/// Words too common to be names wherever they occur.
const ORDINARY: List = COMMON.or(NOT_NAMES).or(LANGUAGE);

/// Words that code uses for more than its own variables.
const ORDINARY_IN_CODE: List = NOT_NAMES.or(LANGUAGE).or(TYPE_WORDS);

/// How far a rule looks for what closes what it opened, in tokens.
const REACH: usize = 64;

struct Reader<'s, 't> {
    scan: &'s Scan<'t>,
    reading: Reading,
    /// Whether it is a claim in English.
    english: bool,
    /// Whether it is a claim with words that only English has.
    speaks_english: bool,
    /// What the rules found at the token that is looked at.
    finds: Vec<Find>,
    /// Plain words that code binds, by the hash of their atom, and what they are. Sorted.
    locals: Vec<(u64, &'static [Kind])>,
    locals_filter: Filter,
    /// The last token where code used a plain word as a variable that nothing had bound before.
    used: usize,
    bodies: code::Bodies,
    /// Whether what is read now rests on the lines before its own.
    wide: bool,
}

impl<'s, 't> Reader<'s, 't> {
    fn new(scan: &'s Scan<'t>, reading: Reading) -> Self {
        Self {
            scan,
            reading,
            english: reading == Reading::Claim && claim::is_english(scan),
            speaks_english: reading == Reading::Claim && claim::speaks_english(scan),
            finds: Vec::new(),
            locals: Vec::new(),
            locals_filter: Filter::default(),
            used: 0,
            bodies: code::Bodies::default(),
            wide: false,
        }
    }

    /// Reads what rests on the lines before its own, where `wide`.
    fn widely<T>(&mut self, wide: bool, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.wide;
        self.wide |= wide;
        let read = read(self);
        self.wide = before;
        read
    }

    /// Notes that lines below are read as they are for what stands from `from` up to `to`.
    fn note_basis(&mut self, from: usize, to: usize) {
        self.push(from, to, &[], Rank::Unknown);
    }

    /// Hands over what was found.
    fn give(&mut self, sink: &mut dyn FnMut(&Find)) {
        if self.finds.is_empty() {
            return;
        }
        for find in &self.finds {
            sink(find);
        }
        self.finds.clear();
    }

    /// The tokens from `from` up to `to` may be one of `kinds`.
    fn push(&mut self, from: usize, to: usize, kinds: &'static [Kind], rank: Rank) {
        if from < to {
            self.finds.push(Find {
                from,
                to: to.min(self.scan.tokens.len()),
                kinds,
                rank,
                everywhere: true,
                only_in_profile: false,
                if_named: false,
                if_shown: None,
                wide: self.wide,
            });
        }
    }

    /// As [`Self::push`], but the word is a name nowhere else for it.
    fn push_here(&mut self, from: usize, to: usize, kinds: &'static [Kind], rank: Rank) {
        self.push(from, to, kinds, rank);
        if let Some(find) = self.finds.last_mut() {
            find.everywhere = false;
        }
    }

    /// As [`Self::push`]; an ordinary word is the name nowhere else for it.
    fn push_name_at(&mut self, from: usize, to: usize, kinds: &'static [Kind], rank: Rank) {
        match to == from + 1 && self.is_in(from, ORDINARY) {
            true => self.push_here(from, to, kinds, rank),
            false => self.push(from, to, kinds, rank),
        }
    }

    /// As [`Self::push`]; a plain word, which may be any, is the name nowhere else for it.
    fn push_plain(&mut self, from: usize, to: usize, kinds: &'static [Kind], rank: Rank) {
        match to == from + 1 && self.look(from).is_plain() {
            true => self.push_here(from, to, kinds, rank),
            false => self.push_name_at(from, to, kinds, rank),
        }
    }

    /// From now on the plain word at `at` is a name where code uses it.
    fn note_local(&mut self, at: usize, kinds: &'static [Kind]) {
        const MOST: usize = 256;
        let atom = self.scan.first_atom(at);
        let Some(hash) = atom
            .map(|atom| atom.hash())
            .filter(|_| self.look(at).is_plain())
        else {
            return;
        };
        match self.locals.binary_search_by_key(&hash, |(hash, _)| *hash) {
            Err(place) if self.locals.len() < MOST => {
                self.locals.insert(place, (hash, kinds));
                self.locals_filter.note(hash);
            }
            Ok(place) => {
                let known = &mut self.locals[place].1;
                // `class Rising(hours: Int)`: what is given is a field, too. And `queue = load()` is of our own, whatever
                // is imported.
                if known.is_empty() || *known == [Kind::Var] && kinds.contains(&Kind::Var) {
                    *known = kinds;
                }
            }
            Err(_) => {}
        }
    }

    /// The plain word at `at`, which code uses as a variable, is one wherever code uses it, before this place, too:
    /// `fare(trip)`, and below it `trip.zone`.
    fn note_used(&mut self, at: usize) {
        let known = self.locals.len();
        // `>org.shelf<`, `"org.shelf"` are no code.
        let quoted = at > 0 && self.says(at - 1, any_of!("\" ' >"));
        // What is left in a text that was scrubbed was left on purpose.
        let fresh = self.reading == Reading::Evidence && !self.scan.has_placeholders;
        // `row.id for row in rows`, though `row` is a word of SQL
        let walked = || {
            let word = self.word(at);
            let bound = |of| self.is(of, "for") && self.is(of + 2, word) && self.is(of + 4, "in");
            (at..at + REACH / 4).any(bound)
        };
        if fresh && !quoted && (!self.is_in(at, ORDINARY_IN_CODE) || walked()) {
            self.note_local(at, &[Kind::Var]);
        }
        if self.locals.len() > known {
            self.used = at;
        }
    }

    /// Whether the token at `at` may be a word that code has bound before.
    #[inline(always)]
    fn may_be_local(&self, at: usize, token: &Token) -> bool {
        token.kind == TokenKind::WORD
            && token.look.is_plain()
            && !self.locals.is_empty()
            && self
                .scan
                .first_atom(at)
                .is_some_and(|atom| self.locals_filter.may_have(atom.hash()))
    }

    /// Looks at ordinary words, by their atoms, as ones that code has bound before.
    fn locals(&mut self, atoms: &[Atom], sink: &mut dyn FnMut(&Find)) {
        let scan = self.scan;
        for atom in atoms {
            let at = atom.token();
            if self.locals_filter.may_have(atom.hash()) && self.may_be_local(at, &scan.tokens[at]) {
                self.local(at);
                self.give(sink);
            }
        }
    }

    /// Looks at the word at `at` as one that code has bound before.
    fn local(&mut self, at: usize) {
        if let Some(kinds) = self.bound(at).filter(|kinds| !kinds.is_empty())
            && self.is_operand(at)
        {
            let in_body = self.bodies.is_in_brackets();
            self.widely(in_body, |reader| {
                reader.push_here(at, at + 1, kinds, Rank::Structure);
            });
        }
    }

    /// What the word at `at` is where code has bound it before; nothing of our own, where it comes with the language.
    fn bound(&self, at: usize) -> Option<&'static [Kind]> {
        let hash = self.scan.first_atom(at)?.hash();
        let place = self.locals.binary_search_by_key(&hash, |(hash, _)| *hash);
        place.ok().map(|place| self.locals[place].1)
    }

    /// Whether the word at `at` stands where code uses a value: `= row`, `row.id`, `(row)`,
    /// `return row`.
    fn is_operand(&self, at: usize) -> bool {
        const BEFORE: &Words = any_of!("await if in not of raise return throw while with yield");
        const JOINS: &Words = any_of!(
            "and as assert del elif else if in instanceof is not or return while with ? : ("
        );
        let mark = |at: Option<usize>| {
            let kind = at.and_then(|at| self.scan.kind(at));
            kind.map_or(b'\n', |kind| kind.0)
        };
        let (before, behind) = (self.before(at), self.skip_space(at + 1));
        let (left, right) = (mark(before), mark(Some(behind)));
        let operator = |mark: u8| b"=<>+*/%|&!{}[]".contains(&mark);
        let less = left == b'-'
            && before.is_some_and(|at| {
                self.scan.kind(at + 1) == Some(TokenKind::SPACE) && !self.opens_line(at)
            });
        let accessed = behind == at + 1
            && (right == b'(' || right == b'.' && self.is_word(at + 2) || right == b'[');
        let between = || {
            let mut before = (at.saturating_sub(REACH / 4)..at).rev();
            let open = before.find(|open| self.is_any(*open, b"()\n"));
            open.is_some_and(|open| self.is_mark(open, b'(') && open > 0 && self.is_word(open - 1))
        };
        // `f(n)`, not "(n) is the last"
        let opened = |open: usize| self.word(at).len() > 1 || open > 0 && self.is_word(open - 1);
        let passed = left == b'(' && matches!(right, b')' | b',') && before.is_some_and(opened)
            || left == b',' && (right == b')' || right == b',' && between());
        let ends = matches!(right, b'\n' | b';' | b':' | b')' | b',');
        let returned = ends && before.is_some_and(|before| self.says(before, BEFORE));
        // `return rows or 0`, `if rows and late:`, `return late ? rows : 0`
        let joined = || {
            before.is_some_and(|before| self.says(before, JOINS))
                && (ends || self.says(behind, JOINS))
                && code::is_in_statement(self, at)
        };
        // `rows ?? 0`, `rows ?: 0`, `late ?? rows`
        let absent = behind > at + 1 && right == b'?' && self.says(behind + 1, any_of!("? :"))
            || left == b'?' && at > 3 && self.is_mark(at - 3, b'?') && self.is_space(at - 4);
        // `rows`, `rows as u32` on a line of its own that gives it back
        let given = || {
            let end = match self.is(behind, "as") && self.is_in(behind + 2, SMALL_TYPE) {
                true => behind + 3,
                false => behind,
            };
            left == b'\n'
                && before.is_some_and(|before| before + 1 < at)
                && self.is_mark(end, b'\n')
                && self.says(self.skip_space(end + 1), any_of!("} end"))
        };
        // `[row.id for row in rows]`
        let walks = self.word(behind) == "in"
            && self.word(at).len() > 1
            && before.is_some_and(|at| self.is(at, "for"));
        // `[row.id for row in rows if row.late]`
        let walked = matches!(self.word(behind), "for" | "if")
            && before.is_some_and(|of| {
                self.is(of, "in") && of > 3 && self.is_word(of - 2) && self.is(of - 4, "for")
            });
        // `append(dst, more...)` of Go
        let variadic = self.has_marks(behind, b"...");
        let spread = left == b'.' && at > 1 && self.is_mark(at - 2, b'.')
            || variadic && self.is_mark(behind + 3, b')');
        let subtracted = right == b'-' && behind > at + 1;
        // `return nil, err`
        let last = || {
            let line = (at.saturating_sub(REACH / 4)..at).rev();
            let mut line = line.take_while(|at| self.scan.kind(*at) != Some(TokenKind::NEWLINE));
            left == b',' && matches!(right, b'\n' | b';') && line.any(|at| self.is(at, "return"))
        };
        // `$picked` of PHP, `this.#picked` of JavaScript
        let marked = at > 0 && self.is_any(at - 1, b"$#");
        // `@done="stir"` of Vue
        let handed = left == b'"'
            && right == b'"'
            && at > 3
            && self.is_mark(at - 2, b'=')
            && self.says(at - 4, any_of!("@ :"));
        // `{ rows, late: rows + 1 }`
        let keyed = || {
            let mut before = (at.saturating_sub(REACH / 2)..at).rev();
            let open = before.find(|open| self.is_any(*open, b"(){}\n"));
            open.is_some_and(|open| self.is_mark(open, b'{'))
        };
        accessed
            || left == b',' && right == b':' && keyed()
            || marked
            || handed
            || passed
            || returned
            || walks
            || walked
            || spread
            || less
            || subtracted
            || operator(left)
            || operator(right)
            || absent
            || last()
            || joined()
            || given()
    }

    fn text(&self, from: usize, to: usize) -> &'t str {
        self.scan.text_of(from, to)
    }

    #[inline(always)]
    fn word(&self, at: usize) -> &'t str {
        self.scan.word(at)
    }

    /// Whether the word at `at` is one of `words`. For where it is seldom asked.
    fn says(&self, at: usize, words: &Words) -> bool {
        self.scan.is_one_of(at, words)
    }

    /// Whether these marks stand at `at`, each right behind the other.
    #[inline(never)]
    fn has_marks(&self, at: usize, marks: &[u8]) -> bool {
        let mut marks = marks.iter().enumerate();
        marks.all(|(nth, mark)| self.is_mark(at.wrapping_add(nth), *mark))
    }

    /// Whether what stands before `at` is one of `words`, spaces aside.
    #[inline(never)]
    fn says_before(&self, at: usize, words: &Words) -> bool {
        self.before(at)
            .is_some_and(|before| self.says(before, words))
    }

    /// The same of what stands at `at`, or behind a space there.
    #[inline(never)]
    fn says_next(&self, at: usize, words: &Words) -> bool {
        self.says(self.skip_space(at), words)
    }

    /// The first place from `from` on, before `to`, at which one of `words` stands.
    #[inline(never)]
    fn find(&self, from: usize, to: usize, words: &Words) -> Option<usize> {
        (from..to).find(|at| self.says(*at, words))
    }

    // Rules ask these in hundreds of places: as calls they keep the module small. Native code is faster without.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn is(&self, at: usize, word: &str) -> bool {
        self.scan.is_word(at, word)
    }

    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn is_word(&self, at: usize) -> bool {
        self.scan.kind(at) == Some(TokenKind::WORD)
    }

    /// Whether a name stands at `at`, or what has been put in the place of one.
    fn is_name(&self, at: usize) -> bool {
        self.is_word(at) || self.is_scrubbed(at)
    }

    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn is_scrubbed(&self, at: usize) -> bool {
        self.scan.kind(at) == Some(TokenKind::PLACEHOLDER)
    }

    /// Whether anything from `from` up to `to` has been scrubbed.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn has_scrubbed(&self, from: usize, to: usize) -> bool {
        self.scan.has_placeholders && (from..to).any(|at| self.is_scrubbed(at))
    }

    fn is_mark(&self, at: usize, mark: u8) -> bool {
        self.scan.is_mark(at, mark)
    }

    /// Whether one of these marks stands at `at`; white space is one, too.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn is_any(&self, at: usize, marks: &[u8]) -> bool {
        self.scan
            .kind(at)
            .is_some_and(|kind| marks.contains(&kind.0))
    }

    fn is_space(&self, at: usize) -> bool {
        self.scan.is_space(at)
    }

    fn is_number(&self, at: usize) -> bool {
        self.is_mark(at, TokenKind::NUMBER.0)
    }

    /// Whether a word or a number stands at `at`.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn is_alphanumeric(&self, at: usize) -> bool {
        self.is_word(at) || self.is_number(at)
    }

    /// Whether the word at `at` is in one of the lists.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn is_in(&self, at: usize, lists: List) -> bool {
        self.scan.lists(at).has(lists)
    }

    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn look(&self, at: usize) -> Look {
        self.scan.look(at)
    }

    /// Whether the word at `at` is well known, in its case.
    fn is_well_known(&self, at: usize) -> bool {
        self.is_in(at, WELL_KNOWN_LIKE) && words::is_well_known(self.word(at))
    }

    /// Whether the word at `at` comes with a language, in its case.
    fn is_built_in(&self, at: usize) -> bool {
        self.is_in(at, BUILT_IN_LIKE) && words::is_built_in(self.word(at))
    }

    /// The next token that is not a space; line ends count.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn skip_space(&self, at: usize) -> usize {
        match self.scan.kind(at) {
            Some(TokenKind::SPACE) => at + 1,
            _ => at,
        }
    }

    /// The token before `at` that is not a space.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn before(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        match self.scan.kind(before) {
            Some(TokenKind::SPACE) => before.checked_sub(1),
            _ => Some(before),
        }
    }

    /// The same; where there is none, a place at which nothing stands, nor before it.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn left(&self, at: usize) -> usize {
        self.before(at).unwrap_or(usize::MAX / 2)
    }

    /// Whether `at`, with a hyphen before it at most, opens its line; the white space before, if any.
    fn before_line(&self, at: usize) -> Option<Option<usize>> {
        let mut first = at;
        if at > 1 && self.is_mark(at - 2, b'-') {
            first = at - 2;
        }
        let space = first
            .checked_sub(1)
            .filter(|at| self.scan.kind(*at) == Some(TokenKind::SPACE));
        self.opens_line(first).then_some(space)
    }

    /// Whether only white space stands before `at` on its line, or the mark of one that is quoted.
    fn opens_line(&self, at: usize) -> bool {
        let ends = |before: Option<usize>| {
            before.is_none_or(|before| self.scan.kind(before) == Some(TokenKind::NEWLINE))
        };
        match self.before(at) {
            Some(mark) if self.is_mark(mark, b'>') => ends(self.before(mark)),
            before => ends(before),
        }
    }

    /// Whether a sentence begins at `at`.
    #[inline(never)]
    fn opens_sentence(&self, at: usize) -> bool {
        let Some(before) = self.before(at) else {
            return true;
        };
        match self.scan.kind(before) {
            Some(TokenKind::NEWLINE) => true,
            Some(TokenKind(b'.')) => before + 1 < at && !self.is_address(before),
            Some(TokenKind(b'!' | b'?')) => before + 1 < at,
            Some(kind) if self.reading == Reading::Claim && kind.is_mark() => {
                grammar::opens_clause(self, before, at)
            }
            _ => false,
        }
    }

    /// "Mr. Smith": whether the point at `at` is that of a form of address.
    fn is_address(&self, at: usize) -> bool {
        at > 0 && self.says(at - 1, any_of!("Dr Mr Mrs Ms Prof"))
    }
}
