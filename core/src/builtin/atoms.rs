//! The second opinion: a claim's atoms, and whether the evidence holds each.
//!
//! It stands in every finding, whatever the judge. An atom is what a claim can be held to: a number with
//! its unit, a date, a version, a path, a quotation, an identifier, a proper name.

use alloc::{string::String, vec::Vec};

use super::{
    Clash, Finding,
    claim::{self, Claim, Term, Value, identifier},
    lex,
    lexicon::Lexicon,
};
use crate::{
    evidence::Span,
    report::{Atom, AtomKind},
    scrub,
};

/// The atoms of `claim`, in its order, each with the first of `spans` that holds it in any form.
///
/// Where the slot that the claim names holds another value than the claim's, that value is the atom's
/// `rival`. Linear in the evidence; of a claim the first 4 KB and 120 terms are read.
pub fn atoms(spans: &[Span], claim: &str) -> Vec<Atom> {
    SecondOpinion::new().atoms(spans, claim)
}

/// What finds the atoms of many claims: making its tables takes as long as a short claim.
pub struct SecondOpinion {
    lexicon: Lexicon,
}

impl SecondOpinion {
    /// Makes the tables.
    #[expect(clippy::new_without_default, reason = "there is no choice to default")]
    pub fn new() -> Self {
        let lexicon = Lexicon::new();
        Self { lexicon }
    }

    /// As [`atoms`].
    pub fn atoms(&self, spans: &[Span], claim: &str) -> Vec<Atom> {
        let (text, lexicon) = (lex::Text::new(claim), &self.lexicon);
        let read = claim::read(&text, lexicon);
        let finding = Finding::new(spans, claim, &read, lexicon);
        let stretches = stretches(&text.cased, &read, lexicon);
        let quotes = stretches.iter().any(|one| one.kind == AtomKind::Quote);
        // What a quotation is looked for in.
        let folded: Vec<String> = match quotes {
            true => spans.iter().map(|span| folded(&span.text)).collect(),
            false => Vec::new(),
        };
        let atom = |stretch: &Stretch<'_>| Atom {
            text: text.original(stretch.start, stretch.end()).into(),
            ..finding.atom(stretch, spans, &folded)
        };
        stretches.iter().map(atom).collect()
    }
}

/// An atom in its claim.
struct Stretch<'a> {
    text: &'a str,
    start: usize,
    kind: AtomKind,
    /// The terms that it is made of.
    terms: u128,
}

impl<'a> Stretch<'a> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Goes on up to the end of `next`.
    fn join(&mut self, claim: &'a str, next: &Stretch<'a>) {
        self.text = &claim[self.start..next.end().max(self.end())];
        self.terms |= next.terms;
    }
}

impl Finding {
    fn atom(&self, stretch: &Stretch<'_>, spans: &[Span], texts: &[String]) -> Atom {
        // The words of a quotation stand in a row, whatever the white space and the case.
        let quotation = (stretch.kind == AtomKind::Quote).then(|| folded(stretch.text));
        let says = |at: usize| {
            let said = quotation.as_deref();
            said.is_none_or(|said| texts[at].contains(said))
        };
        let holds = |at: &usize| self.seen_in[*at] & stretch.terms == stretch.terms && says(*at);
        let best = self.best.as_ref().map(|best| best.span);
        let every = (0..spans.len()).filter(|at| Some(*at) != best);
        let span = best.into_iter().chain(every).find(holds);
        let rival = match &self.clash {
            Some((_, Clash::Rival { term, found })) if term & stretch.terms != 0 => {
                Some(found.text.clone())
            }
            _ => None,
        };
        Atom {
            text: stretch.text.into(),
            kind: stretch.kind,
            grounded: span.is_some(),
            span: span.map(|at| spans[at].id.clone()),
            rival,
        }
    }
}

/// The claim's stretches that are atoms: quotations whole, and terms outside them.
fn stretches<'a>(text: &'a str, claim: &Claim<'a>, lexicon: &Lexicon) -> Vec<Stretch<'a>> {
    let mut found: Vec<Stretch<'a>> = quotations(claim::start(text));
    let mut last: Option<Stretch<'a>> = None;
    for (bit, term) in claim.terms.iter().enumerate() {
        let Some(next) = stretch(text, bit, term, lexicon) else {
            continue;
        };
        let quotation = found.iter_mut().find(|quote| {
            quote.kind == AtomKind::Quote && quote.start <= next.start && next.end() <= quote.end()
        });
        if let Some(quotation) = quotation {
            quotation.terms |= next.terms;
            continue;
        }
        match &mut last {
            Some(last) if goes_on(text, last, &next) => last.join(text, &next),
            _ => found.extend(last.replace(next)),
        }
    }
    found.extend(last);
    found.sort_by_key(|stretch| stretch.start);
    found
}

fn stretch<'a>(
    text: &'a str,
    bit: usize,
    term: &Term<'a>,
    lexicon: &Lexicon,
) -> Option<Stretch<'a>> {
    let kind = match term.value {
        Some(Value::Date(_)) => AtomKind::Date,
        Some(Value::Number(..)) => AtomKind::Number,
        Some(Value::Path(_)) => AtomKind::Path,
        Some(Value::Version(_)) => AtomKind::Version,
        Some(Value::Listed(..)) => AtomKind::Identifier,
        None if !term.name => return None,
        None if identifier(term.text) || term.text.starts_with(char::is_lowercase) => {
            AtomKind::Identifier
        }
        None => AtomKind::Name,
    };
    // A term is a part of the claim's own text.
    let start = (term.text.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    // "Section 4 was removed": a word with a capital because it opens a sentence.
    let before = text[..start].trim_end_matches([' ', '"', '(']);
    // Not behind "Mr.", "No."
    let short = before
        .rsplit(' ')
        .next()
        .is_some_and(|word| word.len() < "Prof.".len());
    let opens = before.is_empty() || before.ends_with(['.', '!', '?', '\n']) && !short;
    if kind == AtomKind::Name && opens && Lexicon::is_ordinary(term.text) {
        return None;
    }
    let unit = match kind {
        AtomKind::Number => unit(&text[start + term.text.len()..], lexicon),
        _ => 0,
    };
    let dollar = usize::from(kind == AtomKind::Number && text[..start].ends_with('$'));
    Some(Stretch {
        text: text.get(start - dollar..start + term.text.len() + unit)?,
        start: start - dollar,
        kind,
        terms: 1 << bit,
    })
}

/// The length of the unit behind a number, with what joins it.
fn unit(rest: &str, lexicon: &Lexicon) -> usize {
    let word = rest.trim_start_matches([' ', '-']);
    let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let low = word[..letters].to_ascii_lowercase();
    match rest.len() - word.len() {
        joint @ 0..=1 if letters > 0 && lexicon.unit(&low).is_some() => joint + letters,
        _ => 0,
    }
}

/// Whether `next` is of the same name as `last`: `users.email`, `New York`.
fn goes_on(text: &str, last: &Stretch<'_>, next: &Stretch<'_>) -> bool {
    let Some(between) = text.get(last.end()..next.start) else {
        return true;
    };
    let names = [last.kind, next.kind] == [AtomKind::Name; 2];
    let marks = !between.is_empty() && between.len() <= 3;
    let joins = |c: char| matches!(c, '.' | ':' | '/' | '-' | '_' | '@' | '#');
    (names && between == " ")
        || last.kind == next.kind && (between.is_empty() || marks && between.chars().all(joins))
}

/// Longest quotation, in bytes.
const MOST: usize = 400;

/// Quotations of several words; one word between quotes is a term as it is.
fn quotations(text: &str) -> Vec<Stretch<'_>> {
    let mut found = Vec::new();
    let mut rest = 0;
    for (at, open) in text.char_indices() {
        let close = match open {
            '"' | '`' => open,
            '“' => '”',
            '‘' => '’',
            '«' => '»',
            // Else it is an apostrophe.
            '\'' if !text[..at].ends_with(char::is_alphanumeric) => open,
            _ => continue,
        };
        if at < rest {
            continue;
        }
        let start = at + open.len_utf8();
        let inside = text[start..]
            .char_indices()
            .take_while(|(at, _)| *at <= MOST);
        let ends = |(at, c): &(usize, char)| {
            let after = &text[start + at + c.len_utf8()..];
            *c == close && !(close == '\'' && after.starts_with(char::is_alphanumeric))
        };
        let Some((length, _)) = inside.into_iter().find(ends) else {
            continue;
        };
        rest = start + length + close.len_utf8();
        let inside = &text[start..start + length];
        if found.len() < claim::MAX_TERMS && inside.trim().contains(char::is_whitespace) {
            found.push(Stretch {
                text: inside,
                start,
                kind: AtomKind::Quote,
                terms: 0,
            });
        }
    }
    found
}

/// A text in small letters with one space between words.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        scrub::fold(word, &mut |small| folded.push(small));
    }
    folded
}
