//! A claim as terms: its numbers, names and words, each with its weight and polarity.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use core::cmp::Ordering;

use super::{
    bound::{self, Bound, Relation},
    lex::{self, Kind, Number, Piece, Token},
    lexicon::{self, Lexicon, Role},
    quantity, restrict, structure,
};

/// Most terms that a claim may have: one bit each in a mask.
pub(super) const MAX_TERMS: usize = 120;
/// Most bytes of a claim that are read.
const MAX_BYTES: usize = 4096;

/// A value, as a slot of the evidence holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Date(&'a str),
    /// A word of one closed list.
    Listed(u8, &'a str),
    Number(Number, &'a str),
    Path(&'a str),
    Version(&'a str),
}

impl<'a> Value<'a> {
    pub(super) fn read(
        token: &Token,
        cased: &str,
        low: &'a str,
        lexicon: &Lexicon,
    ) -> Option<Self> {
        let text = &low[token.start..token.end];
        match token.kind {
            Kind::Date => Some(Self::Date(text)),
            Kind::Number(number) => Some(Self::Number(number, text)),
            Kind::Path => Some(Self::Path(trim_line(text))),
            Kind::Version => Some(Self::Version(text.strip_prefix('v').unwrap_or(text))),
            Kind::Word => {
                let list = lexicon
                    .list(text)
                    .or_else(|| lexicon.list(&cased[token.start..token.end]));
                list.map(|list| Self::Listed(list, text))
            }
            Kind::Multiple(_) | Kind::Placeholder | Kind::Punct(_) => None,
        }
    }

    pub(super) fn is_year(self) -> bool {
        matches!(self, Self::Number(..)) && self.calendar().is_some()
    }

    /// What it says of the calendar: a date, or a number that could be a year.
    fn calendar(self) -> Option<lex::Day> {
        match self {
            Self::Date(text) => lex::calendar(text),
            Self::Number(number, text) if number.unit.is_none() && text.len() == 4 => {
                let year = text.parse().ok().filter(|year| (1000..3000).contains(year));
                year.map(lex::Day::of_year)
            }
            _ => None,
        }
    }

    /// Whether `found` in the evidence is this value of a claim.
    pub(super) fn equals(self, found: Value<'_>) -> bool {
        match (self, found) {
            (Self::Version(a), Value::Version(b)) | (Self::Listed(_, a), Value::Listed(_, b)) => {
                a == b
            }
            (Self::Date(a), Value::Date(b)) if a == b => true,
            (Self::Date(a), Value::Date(b)) if a.contains(':') || lex::clock(a).is_some() => {
                let times = lex::clock(a).zip(lex::clock(b));
                times.is_some_and(|(one, other)| one.seconds == other.seconds)
            }
            (Self::Date(_) | Self::Number(..), Value::Date(_)) => {
                let days = self.calendar().zip(found.calendar());
                days.is_some_and(|(one, other)| one.is_in(other))
            }
            (Self::Number(a, x), Value::Number(b, y)) => a.equals(b) || x == y && a.unit.is_none(),
            (Self::Path(a), Value::Path(b)) => {
                let rest = b.strip_suffix(a);
                rest.is_some_and(|rest| {
                    rest.is_empty() || rest.ends_with('/') || a.starts_with('/')
                })
            }
            _ => false,
        }
    }

    /// What `found` in the evidence, with its comparison, is to this value of a claim.
    pub(super) fn relation(self, bound: Bound, found: Value<'_>, other: Bound) -> Relation {
        if self.equals(found) {
            return bound.of_same(other);
        }
        match (self.rivals(found), self.order(found)) {
            (false, _) if self.is_near(found) => Relation::Open,
            (false, _) => Relation::Neither,
            (true, Some(order)) => bound.of_other(other, order),
            (true, None) => Relation::Rival,
        }
    }

    /// Whether a comment that says this value says what code has beside it: `ttl = 3600 # an hour`.
    pub(super) fn explains(self, code: Value<'_>) -> bool {
        match (self, code) {
            (Self::Number(said, _), Value::Number(code, _)) => said.is_in_a_unit_of(code),
            _ => false,
        }
    }

    /// Whether another is no rival only as one of both is not exact.
    fn is_near(self, found: Value<'_>) -> bool {
        match (self, found) {
            (Self::Number(one, _), Value::Number(other, _)) => one.is_near(other),
            _ => false,
        }
    }

    /// How this value compares with another of its kind.
    fn order(self, found: Value<'_>) -> Option<Ordering> {
        match (self, found) {
            (Self::Number(one, _), Value::Number(other, _)) => {
                let (one, other) = one.sizes(other);
                one.partial_cmp(&other)
            }
            (Self::Date(a), Value::Date(b)) if a.contains(':') || b.contains(':') => {
                let (one, other) = lex::clock(a).zip(lex::clock(b))?;
                Some(one.seconds.cmp(&other.seconds))
            }
            _ => self.calendar()?.order(found.calendar()?),
        }
    }

    /// Whether `found`, which is another value, could stand in this one's slot.
    pub(super) fn rivals(self, found: Value<'_>) -> bool {
        match (self, found) {
            (Self::Date(a), Value::Date(b)) => {
                let clocks = [a, b].map(lex::clock);
                let times = [0, 1].map(|at| [a, b][at].contains(':') || clocks[at].is_some());
                if let [Some(one), Some(other)] = clocks {
                    return !one.may_be(other);
                }
                match (self.calendar(), found.calendar()) {
                    // Of one day two times exclude each other.
                    (Some(one), Some(other)) => one.differs(other) || times == [true; 2],
                    (None, None) => times[0] == times[1],
                    _ => false,
                }
            }
            (Self::Date(_), Value::Number(..)) | (Self::Number(..), Value::Date(_)) => {
                let days = self.calendar().zip(found.calendar());
                days.is_some_and(|(one, other)| one.differs(other))
            }
            (Self::Version(_), Value::Version(_)) => true,
            // "2.50" may be a release or what "2.5" is.
            (Self::Number(number, a), Value::Version(release)) => {
                a.contains('.') && release.parse() != Ok(number.value)
            }
            (Self::Version(release), Value::Number(number, b)) => {
                b.contains('.') && release.parse() != Ok(number.value)
            }
            (Self::Listed(a, _), Value::Listed(b, _)) => a == b,
            (Self::Number(a, _), Value::Number(b, _)) => a.rivals(b),
            (Self::Path(a), Value::Path(b)) => a.rsplit('/').next() == b.rsplit('/').next(),
            _ => false,
        }
    }
}

/// `src/a.ts:14` is the file `src/a.ts`.
fn trim_line(path: &str) -> &str {
    match path.rsplit_once(':') {
        Some((file, line)) if line.bytes().all(|b| b.is_ascii_digit()) && !file.ends_with('/') => {
            file
        }
        _ => path,
    }
}

/// One term.
#[derive(Debug)]
pub(super) struct Term<'a> {
    /// As the claim writes it.
    pub(super) text: &'a str,
    /// The same with what compares it and its unit.
    pub(super) phrase: &'a str,
    /// An identifier or proper name, which nothing but itself can stand for.
    pub(super) name: bool,
    pub(super) value: Option<Value<'a>>,
    /// What compares the value.
    pub(super) bound: Bound,
    /// The terms that do: "least" in "at least 5".
    pub(super) compared: u128,
    /// It is of the comparison of the value behind it.
    compares: bool,
    /// A verb between what the claim is about and what it says of it.
    pub(super) verb: bool,
    /// A verb's or a plural's form: other words may say it.
    pub(super) inflected: bool,
    /// What it counts among the claim's terms.
    pub(super) weight: f64,
    /// The stems of the words beside it, empty where there are none: they say which slot is meant.
    pub(super) beside: [&'a str; 2],
}

impl Term<'_> {
    /// A number without a point, whose place nothing but its own unit tells.
    pub(super) fn is_plain_number(&self) -> bool {
        matches!(self.value, Some(Value::Number(_, text)) if !text.contains('.'))
    }
}

/// What a run of parts in the evidence stands for.
#[derive(Debug)]
pub(super) struct Pattern<'a> {
    /// The stems after the first.
    pub(super) rest: Vec<&'a str>,
    /// The run must be whole components: `email` is not in `email_verified`.
    pub(super) whole: bool,
    pub(super) mask: u128,
    pub(super) negated: bool,
}

/// The claim, read.
pub(super) struct Claim<'a> {
    pub(super) terms: Vec<Term<'a>>,
    /// By first stem.
    patterns: BTreeMap<String, Vec<Pattern<'a>>>,
    /// A bit for each of their first stems, so that most of the evidence's words are missed at once.
    firsts: u64,
    /// The claim says that something changed, so a value in it is no bound of a range.
    pub(super) change: bool,
    /// There was more than is read.
    pub(super) cut: bool,
    /// It is about a name that was taken out.
    pub(super) placeholder: bool,
    pub(super) masks: Masks,
}

/// Terms of each kind, asked for with each unit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Masks {
    /// What means something by itself.
    pub(super) contents: u128,
    pub(super) names: u128,
    pub(super) values: u128,
    pub(super) verbs: u128,
    /// See [`Term::is_plain_number`].
    pub(super) numbers: u128,
}

/// A word of the claim before it is weighed.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    low: &'a str,
    role: Role,
    /// It is among the words of which others say the same.
    known: bool,
    token: Token,
}

/// What is read of a claim.
pub(super) fn start(text: &str) -> &str {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Reads a claim.
pub(super) fn read<'a>(text: &'a lex::Text<'a>, lexicon: &Lexicon) -> Claim<'a> {
    let (text, low) = (&*text.cased, text.low.as_str());
    let end = start(text).len();
    let mut tokens = Vec::new();
    lex::tokens(text, low, 0, end, lexicon, &mut tokens);
    quantity::units(text, low, &mut tokens, lexicon);
    let placeholder = tokens.iter().any(|token| token.kind == Kind::Placeholder);
    let words = words(text, low, tokens, lexicon);
    let mut claim = Claim {
        terms: Vec::new(),
        patterns: BTreeMap::new(),
        firsts: 0,
        change: false,
        cut: end < text.len(),
        placeholder,
        masks: Masks::default(),
    };
    let mut negation = false;
    let mut after_negated = false;
    for at in 0..words.len() {
        let word = words[at];
        if claim.terms.len() + 8 > MAX_TERMS {
            claim.cut = true;
            break;
        }
        let named = name_by_place(&words, at);
        if negates(&words, at, named, &mut negation) {
            continue;
        }
        negation |= at > 0 && structure::is_replaced(words[at - 1].low, word.low);
        if matches!(word.low, "and" | "or" | "nor") {
            negation = after_negated;
        }
        if is_empty(&words, at, named) {
            continue;
        }
        claim.change |= lexicon.canon(word.low).0 == "fix";
        let said = Said {
            words: &words,
            at,
            named,
            negated: negation,
            beside: beside(&words, at, lexicon),
            lexicon,
        };
        match Value::read(&word.token, text, low, lexicon) {
            Some(value) => claim.push_value(&said, value, text),
            None => claim.push_word(&said),
        }
        after_negated = core::mem::take(&mut negation);
    }
    claim.masks = claim.masks();
    claim
}

/// The words among the tokens of a claim.
fn words<'a>(text: &'a str, low: &'a str, tokens: Vec<Token>, lexicon: &Lexicon) -> Vec<Word<'a>> {
    tokens
        .into_iter()
        .filter(|token| !matches!(token.kind, Kind::Punct(_) | Kind::Placeholder))
        .map(|token| {
            let low = &low[token.start..token.end];
            let look = lexicon.look(low);
            Word {
                text: &text[token.start..token.end],
                low,
                role: look.role,
                known: look.known,
                token,
            }
        })
        .collect()
}

/// Whether the word at `at` only says that what comes next is not so, or is so after all.
fn negates(words: &[Word<'_>], at: usize, named: bool, negation: &mut bool) -> bool {
    let word = words[at];
    let next = words.get(at + 1).map_or("", |next| next.low);
    if restrict::denies(word.low, next) {
        *negation = !*negation;
        return true;
    }
    // "Nothing" at the end is what something does or returns.
    let said = word.low == "nothing" && at + 1 == words.len();
    if word.role != Role::Negation || named || said {
        return false;
    }
    if !restrict::lifts(next) {
        *negation = !bound::is_bound(words[at + 1..].iter().map(|next| next.low));
    }
    true
}

/// Whether the word at `at` is no term: it only joins others or compares.
fn is_empty(words: &[Word<'_>], at: usize, named: bool) -> bool {
    let word = words[at];
    let plain = !named && !word.token.marked && !identifier(word.text);
    word.token.compares && bound::only_compares(word.low)
        || word.role == Role::Stop && plain && !switch(words, at) && !is_month(words, at)
}

/// The stems of the words beside the one at `at`.
fn beside<'a>(words: &[Word<'a>], at: usize, lexicon: &Lexicon) -> [&'a str; 2] {
    let beside = |at: Option<usize>| {
        let near = at
            .and_then(|at| words.get(at))
            .filter(|near| near.role != Role::Stop);
        near.map_or("", |near| lexicon.canon(near.low).0)
    };
    [beside(at.checked_sub(1)), beside(Some(at + 1))]
}

/// A word of the claim that is a term, where it stands.
struct Said<'w, 'a> {
    words: &'w [Word<'a>],
    at: usize,
    /// Its place says that it is a name.
    named: bool,
    negated: bool,
    beside: [&'a str; 2],
    lexicon: &'w Lexicon,
}

impl<'a> Said<'_, 'a> {
    fn word(&self) -> Word<'a> {
        self.words[self.at]
    }

    fn is_name(&self) -> bool {
        let word = self.word();
        self.named || word.token.marked || identifier(word.text) || self.is_proper()
    }

    /// Whether a capital makes it a name: at the start of a claim only that of a word which has none elsewhere, or
    /// stands before a number.
    fn is_proper(&self) -> bool {
        let word = self.word();
        let numbered = || {
            let next = self.words.get(1);
            next.is_some_and(|next| next.low.starts_with(|c: char| c.is_ascii_digit()))
        };
        word.text.starts_with(char::is_uppercase)
            && (self.at > 0
                || word.role == Role::Content && (!Lexicon::is_ordinary(word.text) || numbered()))
    }

    /// What a term that is no value weighs.
    fn weight(&self, name: bool) -> f64 {
        match self.word().role {
            _ if name => NAME,
            Role::Class => CLASS,
            _ if is_class(self.words, self.at) => CLASS,
            Role::Generic => GENERIC,
            _ => CONTENT,
        }
    }
}

impl<'a> Claim<'a> {
    /// Adds a value; `full` is the claim.
    fn push_value(&mut self, said: &Said<'_, 'a>, value: Value<'a>, full: &'a str) {
        let word = said.word();
        let compares = |term: &Term<'_>| term.compares;
        let back = self.terms.iter().rev().take_while(|term| compares(term));
        let compared =
            (0..back.count()).fold(0, |mask, back| mask | 1 << (self.terms.len() - 1 - back));
        let bit = self.term(Term {
            text: word.text,
            phrase: full
                .get(word.token.phrase.0..word.token.phrase.1)
                .unwrap_or(word.text),
            bound: word.token.bound,
            compared,
            compares: false,
            name: false,
            value: Some(value),
            verb: false,
            inflected: false,
            weight: VALUE,
            beside: said.beside,
        });
        // A number in an address or a name, or a listed word: found as a part as well.
        if matches!(value, Value::Number(..) | Value::Listed(..)) {
            self.pattern(
                said.lexicon.canon(word.low).0,
                Pattern {
                    rest: Vec::new(),
                    whole: true,
                    mask: bit,
                    negated: said.negated,
                },
            );
        }
    }

    /// Adds what a word says: a name's components, or each part of another word.
    fn push_word(&mut self, said: &Said<'_, 'a>) {
        let (word, name) = (said.word(), said.is_name());
        let term = Term {
            text: word.text,
            phrase: word.text,
            bound: Bound::default(),
            compared: 0,
            compares: word.token.compares,
            name,
            value: None,
            verb: !name && is_verb(said.words, said.at),
            inflected: !name && inflected(word.low) && !word.low.ends_with("ing"),
            weight: said.weight(name),
            beside: said.beside,
        };
        let mut pieces = Vec::new();
        lex::pieces(word.text, &mut pieces);
        let mut group: Vec<Piece> = Vec::new();
        for piece in pieces {
            group.push(piece);
            if name && !piece.last {
                continue;
            }
            if self.terms.len() >= MAX_TERMS {
                self.cut = true;
                return;
            }
            let text = &word.text[group[0].start..piece.end];
            let term = Term {
                text,
                phrase: text,
                ..term
            };
            self.push_pieces(said, &group, term);
            group.clear();
        }
    }

    /// Adds the term that is these pieces of a word.
    fn push_pieces(&mut self, said: &Said<'_, 'a>, pieces: &[Piece], term: Term<'a>) {
        let (word, lexicon) = (said.word(), said.lexicon);
        let (name, text) = (term.name, term.text);
        // An acronym may be part of a key: HTTP in `HTTP_PORT`.
        let acronym = word.text.chars().all(char::is_uppercase);
        let small = !word.text.contains(char::is_uppercase);
        let whole = name && !acronym && (identifier(word.text) || small);
        let mut negated = said.negated;
        let mut denied = false;
        let mut stems = pieces.iter().map(|piece| {
            let low = &word.low[piece.start..piece.end];
            let (stem, opposite) = lexicon.canon(low);
            negated ^= opposite ^ denied;
            denied = lexicon.role(low) == Role::Negation;
            stem
        });
        let Some(first) = stems.next() else { return };
        let rest: Vec<_> = stems.collect();
        let mask = self.term(term);
        self.pattern(
            first,
            Pattern {
                rest,
                whole,
                mask,
                negated,
            },
        );
        // "times out" is the `timeout` of a key.
        if !name
            && let Some(next) = said.words.get(said.at + 1)
            && next.token.kind == Kind::Word
        {
            let compound = format!("{}{}", text.to_lowercase().trim_end_matches('s'), next.low);
            let compound: String = lexicon::stem(&compound).into();
            let pattern = Pattern {
                rest: Vec::new(),
                whole: false,
                mask,
                negated,
            };
            self.pattern(&compound, pattern);
        }
    }

    fn term(&mut self, term: Term<'a>) -> u128 {
        self.terms.push(term);
        1 << (self.terms.len() - 1)
    }

    fn pattern(&mut self, first: &str, pattern: Pattern<'a>) {
        self.firsts |= bit_of(first);
        self.patterns.entry(first.into()).or_default().push(pattern);
    }

    fn masks(&self) -> Masks {
        Masks {
            contents: self.mask(|term| term.weight >= CONTENT),
            names: self.mask(|term| term.name),
            values: self.mask(|term| term.value.is_some()),
            verbs: self.mask(|term| term.verb),
            numbers: self.mask(Term::is_plain_number),
        }
    }

    /// What begins with a stem.
    pub(super) fn patterns(&self, first: &str) -> &[Pattern<'a>] {
        match self.firsts & bit_of(first) {
            0 => &[],
            _ => self.patterns.get(first).map_or(&[], Vec::as_slice),
        }
    }

    /// The verbs that a unit need not say: a pair or a cell says nothing with a verb.
    pub(super) fn verbs(&self, unit: &structure::Unit) -> u128 {
        if unit.is_fact() { self.masks.verbs } else { 0 }
    }

    /// The weight of all terms in `mask`.
    pub(super) fn weight(&self, mask: u128) -> f64 {
        self.in_mask(mask).map(|term| term.weight).sum()
    }

    pub(super) fn in_mask(&self, mask: u128) -> impl Iterator<Item = &Term<'a>> {
        (0_u32..)
            .zip(&self.terms)
            .filter(move |(bit, _)| mask >> bit & 1 == 1)
            .map(|(_, term)| term)
    }

    /// The mask of the terms for which `wanted` holds.
    pub(super) fn mask(&self, wanted: impl Fn(&Term<'a>) -> bool) -> u128 {
        let bits = (0_u32..).zip(&self.terms).filter(|(_, term)| wanted(term));
        bits.fold(0, |mask, (bit, _)| mask | 1 << bit)
    }
}

/// One of 64 bits, by a word's length and ends.
fn bit_of(word: &str) -> u64 {
    let [first, last] =
        [word.bytes().next(), word.bytes().next_back()].map(|b| u32::from(b.unwrap_or(0)));
    1 << ((first * 7 + last * 3 + word.len() as u32) % 64)
}

const VALUE: f64 = 1.5;
const NAME: f64 = 1.5;
const CONTENT: f64 = 1.0;
const GENERIC: f64 = 0.2;
const CLASS: f64 = 0.1;

/// Whether a word has the shape of an identifier.
pub(super) fn identifier(word: &str) -> bool {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let has = |wanted: fn(char) -> bool| word.contains(wanted);
    let inner_upper = word.chars().skip(1).any(char::is_uppercase);
    word.contains(['_', '.', ':', '/', '@'])
        || (inner_upper && has(char::is_lowercase))
        || (has(|c| c.is_ascii_digit()) && has(char::is_alphabetic))
        || (inner_upper && word.chars().count() >= 2)
}

/// Whether the word at `at` is used as a name although it is written like any other: beside a class
/// noun, before a version, alone after a preposition.
fn name_by_place(words: &[Word<'_>], at: usize) -> bool {
    let word = words[at];
    if word.token.kind != Kind::Word || word.text.starts_with(char::is_uppercase) {
        return false;
    }
    // A sentence that begins in lower case begins with a name.
    if at == 0 && matches!(word.role, Role::Content | Role::Class | Role::Generic) {
        return true;
    }
    let before = at.checked_sub(1).map(|at| words[at]);
    let after = words.get(at + 1);
    let is = |word: Option<&Word<'_>>, role| word.is_some_and(|word| word.role == role);
    let content = matches!(word.role, Role::Content | Role::Class | Role::Generic);
    let linked = |word: Option<&Word<'_>>| {
        word.is_none_or(|word| {
            matches!(word.role, Role::Stop | Role::Negation)
                || matches!(word.token.kind, Kind::Number(_) | Kind::Version)
        })
    };
    let article = |word: Option<&Word<'_>>| {
        word.is_some_and(|word| matches!(word.low, "the" | "a" | "an" | "each" | "every"))
    };
    if is(before.as_ref(), Role::Class) {
        let temporal = matches!(
            word.low,
            "after" | "before" | "since" | "until" | "during" | "all" | "new" | "time"
        );
        let verb = after.is_some_and(|word| {
            matches!(
                word.low,
                "is" | "are" | "was" | "has" | "can" | "cannot" | "must" | "may"
            )
        });
        let followed = verb || is(after, Role::Generic) || (linked(after) && !inflected(word.low));
        if (temporal && verb) || (word.role == Role::Content && followed) {
            return true;
        }
    }
    if is(after, Role::Class)
        && content
        && word.role != Role::Class
        && at > 0
        && article(before.as_ref())
    {
        return true;
    }
    if word.role != Role::Content {
        return false;
    }
    if at > 0
        && !word.token.marked
        && word.text.is_ascii()
        && word.text.len() > 2
        && !inflected(word.low)
        && !word.known
        && !Lexicon::is_ordinary(word.text)
    {
        return true;
    }
    let versioned = after.is_some_and(|next| next.token.kind == Kind::Version)
        || after.is_some_and(|next| {
            matches!(next.token.kind, Kind::Number(_)) && next.low.contains('.')
        });
    let bare = before.is_some_and(|word| {
        matches!(
            word.low,
            "in" | "with" | "to" | "from" | "by" | "of" | "for" | "on"
        )
    });
    versioned || (bare && linked(after) && !inflected(word.low))
}

/// Whether the word at `at`, which is also one that only joins others, is a month: "in May".
fn is_month(words: &[Word<'_>], at: usize) -> bool {
    let mut letters = words[at].text.chars();
    let title = letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase);
    at > 0 && title && lex::month(words[at].low).is_some()
}

/// Whether "on" or "off" at `at` says what something is: "is off", "turned on".
fn switch(words: &[Word<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| words[at].low);
    let said = before.is_some_and(|word| {
        matches!(
            word,
            "is" | "are" | "was" | "were" | "be" | "turned" | "switched" | "stays"
        )
    });
    let after = words.get(at + 1);
    let ends =
        after.is_none_or(|word| word.role == Role::Stop && !matches!(word.low, "the" | "a" | "an"));
    said && (words[at].low == "off" || words[at].low == "on" && ends)
}

/// Whether the word at `at` says what kind of thing the name after it is: "the user kim".
fn is_class(words: &[Word<'_>], at: usize) -> bool {
    let opens = at == 0 || matches!(words[at - 1].low, "the" | "a" | "an" | "each" | "every");
    let shaped = |word: &Word<'_>| {
        word.token.marked
            || identifier(word.text)
            || word.token.kind == Kind::Path
            || word.text.chars().all(char::is_uppercase)
            || word.role == Role::Content && !Lexicon::is_ordinary(word.text)
    };
    opens && words[at].role == Role::Content && words.get(at + 1).is_some_and(shaped)
}

/// Whether the word at `at` looks like a verb: an inflected word behind what the claim is about and before
/// what is said of it.
fn is_verb(words: &[Word<'_>], at: usize) -> bool {
    let (Some(before), Some(after)) = (at.checked_sub(1).map(|at| &words[at]), words.get(at + 1))
    else {
        return false;
    };
    let said = after.role == Role::Stop
        && !matches!(
            after.low,
            "is" | "are" | "was" | "were" | "has" | "have" | "can" | "may" | "must"
        )
        || !matches!(after.token.kind, Kind::Word)
        || after.text.starts_with(char::is_uppercase)
        || identifier(after.text);
    let word = words[at].low;
    let passive = matches!(before.low, "is" | "are" | "was" | "were" | "be" | "been");
    let form = before.role != Role::Stop && ["s", "ed"].iter().any(|end| word.ends_with(end));
    (form || passive && Lexicon::is_participle(word)) && said
}

/// Whether a lower-case word looks like a plural or a verb's form rather than a name.
fn inflected(word: &str) -> bool {
    ["s", "ed", "ing"].iter().any(|end| word.ends_with(end))
}
