//! The built-in judge: a check of terms and slots, not a reading.
//!
//! It knows no model and asks nobody. A claim is taken apart into terms (its numbers, names and
//! words); evidence into units (a sentence, a line, a column, a member, an entry) under their
//! headings and parents. ENTAILED is said where one unit with what stands above and beside it holds
//! the terms; CONTRADICTED where the unit that the claim's other terms name holds a rival value or
//! says it turned round; UNSURE everywhere else, naming what is missing. A placeholder is nothing: it
//! confirms no name, and no slot that holds one contradicts.
//!
//! Before all that, a claim that a span is word for word is ENTAILED, unless it is a question or holds a
//! placeholder. And where only the claim or only the evidence has a word that restricts it ("except", "if", "only"),
//! the claim is not ENTAILED, whatever terms both have.
//!
//! A table's cell is a unit under its row's first cell and its column's title.
//!
//! What it does not see: a synonym that is not in its short list, what a verb does to whom, what only
//! follows from two facts.
//!
//! ```
//! use claimgauge_core::builtin;
//! use claimgauge_core::evidence::{self, SpanInput};
//! use claimgauge_core::judgement::Verdict;
//!
//! let spans = evidence::spans(vec![SpanInput::from("The API allows 100 requests per minute")])?;
//! let verdict = |claim| builtin::judge(&spans, claim).verdict;
//! assert_eq!(verdict("The API allows 100 requests per minute"), Verdict::Entailed);
//! assert_eq!(verdict("The API allows 500 requests per minute"), Verdict::Contradicted);
//! assert_eq!(verdict("The API is fast"), Verdict::Unsure);
//!
//! // The second opinion: the claim's terms, and whether the evidence holds each.
//! let atoms = builtin::atoms(&spans, "The API allows 500 requests per minute");
//! assert!(atoms.iter().any(|atom| atom.text.contains("500") && !atom.grounded));
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

mod atoms;
mod bound;
mod claim;
mod lex;
mod lexicon;
mod quantity;
mod question;
mod restrict;
mod search;
mod structure;
mod table;
#[allow(clippy::approx_constant, reason = "a fitted weight may be any number")]
mod weights;

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::json;

pub use self::atoms::{SecondOpinion, atoms};
pub use self::question::{ClaimOnSpans, ClaimsOnSpans};
pub use self::weights::WEIGHTS;
use self::{
    claim::{Claim, Term},
    lexicon::{Lexicon, Role},
    restrict::Restriction,
    structure::{Other, Unit},
};
use crate::{
    evidence::Span,
    judgement::{Basis, Judgement, Verdict},
    number::round2,
};

/// What the logistic model sees of a claim and its evidence, in the order of [`WEIGHTS`].
pub type Features = [f64; 10];

/// Names of the [`Features`].
pub const FEATURE_NAMES: [&str; 10] = [
    "bias",
    "uncovered",
    "names_missing",
    "names_elsewhere",
    "words_missing",
    "forms_missing",
    "words_elsewhere",
    "unanchored",
    "beside",
    "clash",
];

/// The most that the answer UNSURE is sure of: what no term says, another wording may.
const UNSURE_MOST: f64 = 0.4;
/// How likely a claim is supported, at most, where a word restricts it or its evidence alone.
const OPEN: f64 = 0.4;
/// No check of terms is surer than this, nor surer of the opposite than its complement.
const MOST: f64 = 0.97;

/// Judges `claim` against `spans`.
///
/// The basis is [`Basis::Builtin`], the confidence in [0, 1] that the verdict is right (at most 0.4
/// for UNSURE, at most 0.97 for all), the reasoning one sentence that names a span and the words
/// that decided. Linear in the evidence; of a claim the first 4 KB and 120 terms are read, and a
/// longer one is UNSURE, unless a span is that claim word for word.
pub fn judge(spans: &[Span], claim: &str) -> Judgement {
    let (text, lexicon) = (lex::Text::new(claim), Lexicon::new());
    let (said, claim) = (claim, claim::read(&text, &lexicon));
    let finding = Finding::new(spans, said, &claim, &lexicon);
    let mut support = logistic(&finding.features(&claim), &WEIGHTS).clamp(1.0 - MOST, MOST);
    if finding.restriction.is_some() {
        support = support.min(OPEN);
    }
    let (verdict, confidence) = if finding.verbatim {
        (Verdict::Entailed, MOST)
    } else if claim.cut || claim.terms.is_empty() {
        (Verdict::Unsure, 0.0)
    } else if finding.clash.is_some() {
        (Verdict::Contradicted, 1.0 - support)
    } else if support >= 0.5 {
        (Verdict::Entailed, support)
    } else {
        (Verdict::Unsure, UNSURE_MOST * (1.0 - support))
    };
    Judgement {
        verdict,
        // As it is shown: what a reader subtracts gives the delta.
        confidence: Some(round2(confidence)),
        reasoning: finding.reasoning(verdict, spans, &claim, &lexicon),
        basis: Basis::Builtin,
    }
}

/// What [`judge`] says as the JSON reply of a model: `verdict`, `confidence`, `reasoning`.
pub fn reply(spans: &[Span], claim: &str) -> String {
    let judgement = judge(spans, claim);
    json!({
        "verdict": judgement.verdict,
        "confidence": judgement.confidence,
        "reasoning": judgement.reasoning,
    })
    .to_string()
}

/// What the logistic model is given for `claim` against `spans`: for the fit of its weights.
pub fn features(spans: &[Span], claim: &str) -> Features {
    let (text, lexicon) = (lex::Text::new(claim), Lexicon::new());
    let (said, claim) = (claim, claim::read(&text, &lexicon));
    Finding::new(spans, said, &claim, &lexicon).features(&claim)
}

/// The logistic function of the weighted features: how likely the claim is supported, in [0, 1].
pub fn logistic(features: &Features, weights: &Features) -> f64 {
    let sum: f64 = features.iter().zip(weights).map(|(x, w)| x * w).sum();
    1.0 / (1.0 + libm::exp(-sum))
}

/// A unit in its span.
#[derive(Clone, Debug)]
struct Place {
    unit: Unit,
    span: usize,
    /// Where the unit's stretch begins in the span.
    base: usize,
}

impl Place {
    fn text<'s>(&self, spans: &'s [Span]) -> &'s str {
        &spans[self.span].text[self.base + self.unit.start..self.base + self.unit.end]
    }
}

/// Why a claim is contradicted.
#[derive(Clone, Debug)]
enum Clash {
    /// The slot holds `found` instead of the term in the mask.
    Rival { term: u128, found: Found },
    /// The terms in the mask are said turned round.
    Polarity(u128),
    /// The slot holds the word `found` instead of the terms in the mask, which stand elsewhere.
    Word { terms: u128, found: Found },
}

/// What stands in a slot, as the evidence writes it.
#[derive(Clone, Debug)]
struct Found {
    text: String,
    /// The unit that holds it, which may stand above the slot's or in another record.
    within: (usize, usize),
}

impl Found {
    fn new(text: &lex::Text<'_>, (start, end): (usize, usize), unit: &Unit) -> Self {
        Self {
            text: text.original(start, end).into(),
            within: (text.place(unit.start), text.place(unit.end)),
        }
    }
}

/// Longest value that is told as what was found, in bytes.
const MOST_FOUND: usize = 80;

/// What the evidence holds of a claim.
#[derive(Debug, Default)]
struct Finding {
    /// Terms that stand anywhere.
    seen: u128,
    /// Terms that stand in each span or its label.
    seen_in: Vec<u128>,
    /// The unit that holds most of the claim.
    best: Option<Place>,
    /// Terms in reach of the best unit, with those that one other span gives whole.
    reach: u128,
    clash: Option<(Place, Clash)>,
    /// A span that gives what the best unit lacks, and the terms that it gives.
    joined: Option<(usize, u128)>,
    /// What restricts the claim or its evidence alone.
    restriction: Option<Restriction>,
    /// A span is the claim word for word.
    verbatim: bool,
}

impl Finding {
    /// `said` is the claim as it was written.
    fn new(spans: &[Span], said: &str, claim: &Claim<'_>, lexicon: &Lexicon) -> Self {
        let mut finding = search::search(spans, claim, lexicon);
        // No more of a claim than its terms are read of.
        let read = claim::start(said).to_lowercase();
        finding.restrict(spans, &read, claim, lexicon);
        finding.word_for_word(spans, said, claim);
        finding
    }

    /// Looks at what restricts the claim or what was found alone; what it leaves open does not speak against the claim.
    fn restrict(&mut self, spans: &[Span], said: &str, claim: &Claim<'_>, lexicon: &Lexicon) {
        let empty = |word: &str| lexicon.role(word) != Role::Content;
        let stated = |word: &str| empty(word) || !claim.patterns(lexicon.canon(word).0).is_empty();
        let between = |place: &Place| {
            restrict::between(said, &place.text(spans).to_lowercase(), &stated, &empty)
        };
        self.restriction = self.best.as_ref().and_then(between);
        let Some((place, clash)) = &self.clash else {
            return;
        };
        let restriction = between(place);
        let open = |found: &Restriction| match clash {
            Clash::Polarity(_) => found.excepts,
            _ => found.excepts && found.whole,
        };
        if restriction.as_ref().is_some_and(open) {
            (self.restriction, self.clash) = (restriction, None);
        }
    }

    /// What a span says word for word it says, however it is built; a question and a placeholder say nothing.
    fn word_for_word(&mut self, spans: &[Span], said: &str, claim: &Claim<'_>) {
        if claim.placeholder || said.trim_end().ends_with('?') {
            return;
        }
        let words = || said.split_whitespace();
        if !said.contains(char::is_alphanumeric) {
            return;
        }
        let Some(span) = spans
            .iter()
            .position(|span| span.text.split_whitespace().eq(words()))
        else {
            return;
        };
        let all = claim.mask(|_| true);
        self.best = Some(Place {
            unit: Unit::whole(&spans[span].text, all),
            span,
            base: 0,
        });
        (self.seen, self.reach, self.clash) = (self.seen | all, all, None);
        (self.restriction, self.joined, self.verbatim) = (None, None, true);
        self.seen_in[span] |= all;
    }

    fn features(&self, claim: &Claim<'_>) -> Features {
        let all = claim.mask(|_| true);
        let hard = claim.mask(|term| term.name || term.value.is_some());
        let count = |mask: u128, most: f64| f64::from(mask.count_ones()).min(most);
        let best = self.best.as_ref().map(|best| &best.unit);
        let verbs = best.map_or(0, |unit| claim.verbs(unit)) & !self.seen;
        let (all, contents) = (all & !verbs, claim.masks.contents & !verbs);
        // The pair that fits best has another value than what the claim says.
        let other = self
            .best
            .as_ref()
            .is_some_and(|best| best.unit.other == Other::Value);
        let other = f64::from(u8::from(other && contents & !self.reach != 0));
        let total = claim.weight(all).max(1e-9);
        let best = self
            .best
            .as_ref()
            .map_or(0, |best| best.unit.own() | best.unit.above);
        // Where what identifies stands in its place, a verb may well be put another way.
        let exact =
            claim.mask(|term| term.value.is_some() || term.name && claim::identifier(term.text));
        let anchored = exact != 0 && exact & !self.reach == 0;
        let missing = contents & !hard & !self.seen;
        let forms = claim.mask(|term| anchored && term.inflected);
        let forms = if missing & !forms == 0 { missing } else { 0 };
        [
            1.0,
            1.0 - claim.weight(self.reach | forms) / total,
            count(hard & !self.seen, 2.0),
            (count(hard & self.seen & !self.reach, 2.0) + other).min(2.0),
            count(missing & !forms, 3.0),
            count(forms, 3.0),
            count(contents & !hard & self.seen & !self.reach, 3.0),
            f64::from(u8::from(!anchored && contents & !hard & !self.reach != 0)),
            claim.weight(self.reach & !best) / total,
            f64::from(u8::from(self.clash.is_some())),
        ]
    }

    fn reasoning(
        &self,
        verdict: Verdict,
        spans: &[Span],
        claim: &Claim<'_>,
        lexicon: &Lexicon,
    ) -> String {
        const WHAT: &str = "a check of terms and slots, not a reading";
        let said = match (verdict, &self.clash, &self.best) {
            (Verdict::Entailed, _, Some(best)) if self.verbatim => {
                format!("{} is the claim word for word", quote(best, spans, "").0)
            }
            _ if claim.cut => "The claim is longer than what is read of one".into(),
            _ if claim.terms.is_empty() => "The claim has no term that evidence could hold".into(),
            (Verdict::Contradicted, Some((place, clash)), _) => {
                against(place, clash, spans, claim, lexicon)
            }
            (Verdict::Entailed, _, Some(best)) => self.holds(best, spans, claim, lexicon),
            (_, _, Some(best)) => {
                let (quote, _) = quote(best, spans, "");
                match &self.restriction {
                    Some(Restriction { word, claimed, .. }) => {
                        let word = word.replace('~', " … ");
                        match claimed {
                            true => {
                                format!("{quote} does not say \"{word}\", which the claim does")
                            }
                            false => format!("{quote} says \"{word}\", which the claim does not"),
                        }
                    }
                    None => {
                        let all = claim.mask(|_| true);
                        let missing = words(claim.in_mask(!self.reach & all));
                        format!("{quote} comes closest and does not hold {missing}")
                    }
                }
            }
            (_, _, None) => {
                let all = claim.mask(|_| true);
                format!("No span holds any of {}", words(claim.in_mask(all)))
            }
        };
        format!("{said} ({WHAT}).")
    }

    /// What of the claim stands in the words that are quoted, round them, and in another span.
    fn holds(&self, best: &Place, spans: &[Span], claim: &Claim<'_>, lexicon: &Lexicon) -> String {
        let (quote, shown) = quote(best, spans, "");
        let (span, joined) = self.joined.unwrap_or_default();
        let held = self.reach & structure::label(&shown, claim, lexicon);
        let round = self.reach & !held & !joined;
        let list = |mask: u128| words(claim.in_mask(mask & self.reach));
        let mut said = match (held, round) {
            (0, _) => format!("{quote} has {} round it", list(round)),
            (_, 0) => format!("{quote} holds {}", list(held)),
            _ => format!(
                "{quote} holds {} and has {} round it",
                list(held),
                list(round)
            ),
        };
        if joined & !held != 0 {
            said += &format!(", and {} holds {}", spans[span].id, list(joined & !held));
        }
        said
    }
}

/// What in its evidence speaks against a claim.
fn against(
    place: &Place,
    clash: &Clash,
    spans: &[Span],
    claim: &Claim<'_>,
    lexicon: &Lexicon,
) -> String {
    let list = |mask: u128| words(claim.in_mask(mask));
    match clash {
        Clash::Rival { term, found } | Clash::Word { terms: term, found } => {
            let mut place = place.clone();
            (place.unit.start, place.unit.end) = found.within;
            let (quote, _) = quote(&place, spans, &found.text);
            let (found, _) = line(&found.text, MOST_FOUND);
            format!("{quote} has {found} where the claim has {}", list(*term))
        }
        Clash::Polarity(terms) => {
            let (quote, shown) = quote(place, spans, "");
            match terms & structure::label(&shown, claim, lexicon) {
                0 => format!(
                    "{quote} has what says the opposite of the claim round it, at {}",
                    list(*terms)
                ),
                held => format!("{quote} says the opposite of the claim at {}", list(held)),
            }
        }
    }
}

/// A span's id and the beginning of the unit, or as much of it as `wanted` stands in; and what is quoted.
fn quote(place: &Place, spans: &[Span], wanted: &str) -> (String, String) {
    const MOST: usize = 80;
    let span = &spans[place.span];
    let unit = place.text(spans);
    let (mut shown, mut cut) = line(unit, MOST);
    let mut lead = "";
    if !shown.contains(&line(wanted, MOST).0)
        && let Some(at) = unit.find(wanted)
    {
        let ahead = unit[..at]
            .char_indices()
            .rev()
            .take(MOST - wanted.len().min(MOST));
        let word = |&(_, c): &(usize, char)| c.is_whitespace();
        let from = ahead.take(MOST / 2).filter(word).last();
        lead = "…";
        (shown, cut) = line(&unit[from.map_or(at, |(from, _)| from)..], MOST);
    }
    let more = if cut { "…" } else { "" };
    (format!("{} (\"{lead}{shown}{more}\")", span.id), shown)
}

/// The first characters of a text with one space between words, and whether there are more.
fn line(text: &str, most: usize) -> (String, bool) {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() > 4 * most {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(most + 1));
    }
    let short: String = line.chars().take(most).collect();
    let cut = short.len() < line.len();
    (short, cut)
}

/// Terms as the claim writes them, each once.
fn words<'c, 'a: 'c>(terms: impl Iterator<Item = &'c Term<'a>>) -> String {
    let mut list: Vec<&str> = Vec::new();
    for term in terms.take(24) {
        if !list.contains(&term.phrase) {
            list.push(term.phrase);
        }
    }
    list.join(", ")
}
