//! From names to texts: which stretches go, in which order they are numbered, what survives.

use alloc::{
    collections::{BTreeMap, BTreeSet, BinaryHeap},
    string::String,
    vec::Vec,
};
use core::cmp::Reverse;

use super::{
    ByteOffset, Leak, LeakLevel, Options, Removed, Replacement, Scrubbed, SpanField, Why, fields,
    harvest::{Harvest, Mark},
    lexicon::{Name, NameId, Rank},
    placeholders::Numbering,
    scanner::Scan,
};
use crate::{
    evidence::{Claim, Span},
    profile::{Kind, Profile},
};

pub(super) struct Render<'a> {
    spans: &'a [Span],
    claims: &'a [Claim],
    options: &'a Options<'a>,
    harvest: Harvest<'a>,
    numbering: Numbering,
    /// The placeholder of each name that has one.
    placeholders: BTreeMap<NameId, (Kind, String)>,
    /// The names of claims that went, and the ids of the spans that they went from.
    gone: BTreeMap<NameId, BTreeSet<&'a str>>,
    result: Scrubbed,
}

/// A stretch that may go.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Candidate {
    start: usize,
    end: usize,
    name: NameId,
    /// Whether it is what others left of a longer stretch.
    rest: bool,
}

impl<'a> Render<'a> {
    pub(super) fn new(
        profile: &'a Profile,
        spans: &'a [Span],
        claims: &'a [Claim],
        options: &'a Options<'a>,
    ) -> Self {
        Self {
            spans,
            claims,
            options,
            harvest: Harvest::new(profile, options.hide_secrets),
            numbering: Numbering::default(),
            placeholders: BTreeMap::new(),
            gone: BTreeMap::new(),
            result: Scrubbed {
                mode: options.mode,
                spans: Vec::with_capacity(spans.len()),
                replacements: Vec::new(),
                leaks: Vec::new(),
                removed: Vec::new(),
            },
        }
    }

    pub(super) fn run(mut self) -> Scrubbed {
        for (kind, name) in self.options.glossary {
            self.harvest.glossary(*kind, name);
        }
        for claim in self.claims {
            self.harvest.claim(&claim.text);
            self.numbering.reserve(&claim.text);
        }
        let texts: Vec<(&'a Span, SpanField, &'a str)> = self
            .spans
            .iter()
            .flat_map(|span| fields(span).map(move |(field, text)| (span, field, text)))
            .collect();
        let mut read = Vec::with_capacity(texts.len());
        for (_, _, text) in &texts {
            let scan = Scan::new(text);
            let marks = self.harvest.evidence(&scan);
            self.numbering.reserve(text);
            read.push((scan, marks));
        }
        self.keep_previous();
        for ((span, field, _), (scan, marks)) in texts.iter().zip(&read) {
            let text = self.text(span, *field, scan, marks);
            match field {
                SpanField::Text => self.result.spans.push(Span {
                    id: span.id.clone(),
                    text,
                    source: None,
                }),
                SpanField::Source => {
                    if let Some(span) = self.result.spans.last_mut() {
                        span.source = Some(text);
                    }
                }
            }
        }
        self.count_removed();
        self.result
    }

    /// Names of an earlier scrub keep their placeholders, and no new name gets one of those.
    fn keep_previous(&mut self) {
        let previous = self.options.previous.map(|previous| &previous.replacements);
        for replacement in previous.into_iter().flatten() {
            self.numbering.reserve(&replacement.placeholder);
            if let Some(name) = self.harvest.lexicon.find(&replacement.text) {
                self.placeholders
                    .entry(name)
                    .or_insert_with(|| (replacement.kind, replacement.placeholder.clone()));
            }
        }
    }

    fn text(
        &mut self,
        span: &'a Span,
        field: SpanField,
        scan: &Scan<'_>,
        marks: &[Mark],
    ) -> String {
        let mut candidates: Vec<Candidate> = marks
            .iter()
            .map(|mark| Candidate {
                start: mark.start,
                end: mark.end,
                name: mark.name,
                rest: false,
            })
            .collect();
        let names = &self.harvest.lexicon.names;
        let mut others = Vec::new();
        self.harvest.lexicon.hits(scan, |hit| {
            let candidate = Candidate {
                start: hit.start,
                end: hit.end,
                name: hit.name,
                rest: false,
            };
            match names[hit.name].everywhere {
                true => candidates.push(candidate),
                false => others.push(candidate),
            }
        });
        let chosen = resolve(&candidates, names);
        self.note_gone(span, &candidates, &chosen);
        self.note_leaks(span, scan, candidates.iter().chain(&others), &chosen);

        let mut text = String::with_capacity(scan.text.len());
        let mut done = 0;
        for stretch in chosen {
            let surface = &scan.text[stretch.start..stretch.end];
            let Some(id) = self.name_of(stretch, surface) else {
                continue;
            };
            text.push_str(&scan.text[done..stretch.start]);
            let name = &self.harvest.lexicon.names[id];
            let (kind, placeholder) = self
                .placeholders
                .entry(id)
                .or_insert_with(|| (name.kind, self.numbering.next(name.kind)));
            text.push_str(placeholder);
            if self.options.replacements {
                self.result.replacements.push(Replacement {
                    span: span.id.clone(),
                    field,
                    start: ByteOffset(stretch.start),
                    end: ByteOffset(stretch.end),
                    kind: *kind,
                    placeholder: placeholder.clone(),
                    text: surface.into(),
                    why: name.why,
                });
            }
            done = stretch.end;
        }
        text.push_str(&scan.text[done..]);
        text
    }

    /// The name of a stretch. A rest is a name of its own, if it holds more than marks.
    fn name_of(&mut self, stretch: Candidate, surface: &str) -> Option<NameId> {
        if !stretch.rest {
            return Some(stretch.name);
        }
        let whole = &self.harvest.lexicon.names[stretch.name];
        let rest = Name::new(whole.kind, Rank::Guess, whole.why, false);
        self.harvest.lexicon.add(surface, rest)
    }

    /// Notes which names of claims are gone from a span.
    fn note_gone(&mut self, span: &'a Span, candidates: &[Candidate], chosen: &[Candidate]) {
        for candidate in candidates
            .iter()
            .filter(|candidate| is_covered(candidate, chosen))
        {
            if self.harvest.claims_naming(candidate.name).next().is_some() {
                let spans = self.gone.entry(candidate.name).or_default();
                spans.insert(&span.id);
            }
        }
    }

    /// Notes what survives of names of claims: themselves where longer stretches cut them, the
    /// stems of files, and longer words that begin with one (`ubuntu1`).
    fn note_leaks<'c>(
        &mut self,
        span: &'a Span,
        scan: &Scan<'_>,
        candidates: impl Iterator<Item = &'c Candidate>,
        chosen: &[Candidate],
    ) {
        if self.claims.is_empty() {
            return;
        }
        let mut survivors = BTreeSet::new();
        for candidate in candidates.filter(|candidate| !is_covered(candidate, chosen)) {
            let term = &scan.text[candidate.start..candidate.end];
            survivors.insert((candidate.name, term, false));
        }
        for (start, end, name) in self.harvest.lexicon.numbered(scan) {
            let part = Candidate {
                start,
                end,
                name,
                rest: false,
            };
            if !is_covered(&part, chosen) {
                survivors.insert((name, &scan.text[start..end], true));
            }
        }
        for (name, term, part) in survivors {
            let naming = self.harvest.claims_naming(name).map(|claim| {
                let level = match self.claims[claim].text.contains(term) {
                    _ if part => LeakLevel::Part,
                    true => LeakLevel::Whole,
                    false => LeakLevel::Form,
                };
                (claim, level)
            });
            let deriving = self.harvest.claims_deriving(name);
            for (claim, level) in naming.chain(deriving.map(|claim| (claim, LeakLevel::Derived))) {
                self.result.leaks.push(Leak {
                    claim: self.claims[claim].id.clone(),
                    term: term.into(),
                    span: span.id.clone(),
                    level,
                });
            }
        }
    }

    /// Counts the names of each claim that went from the spans that it rests on.
    fn count_removed(&mut self) {
        let removed = self.claims.iter().zip(&self.harvest.claims);
        self.result.removed = removed
            .map(|(claim, names)| {
                let went = |name: &&NameId| {
                    self.gone
                        .get(*name)
                        .is_some_and(|spans| match &claim.cites {
                            Some(cites) => cites.iter().any(|id| spans.contains(id.as_str())),
                            None => true,
                        })
                };
                Removed {
                    claim: claim.id.clone(),
                    gone: names.iter().filter(went).count(),
                    of: names.len(),
                }
            })
            .collect();
    }
}

/// Whether one of the chosen stretches holds the whole of it.
fn is_covered(candidate: &Candidate, chosen: &[Candidate]) -> bool {
    let next = chosen.partition_point(|stretch| stretch.end <= candidate.start);
    chosen
        .get(next)
        .is_some_and(|stretch| stretch.start <= candidate.start && candidate.end <= stretch.end)
}

/// Which of overlapping stretches go: secrets, then the longest, then by [`precedence`], then the
/// first. Of one that loses, what the others leave of its ends goes, too. In text order.
fn resolve(candidates: &[Candidate], names: &[Name]) -> Vec<Candidate> {
    let ranked = |candidate: Candidate| {
        let name = &names[candidate.name];
        let secret = name.why == Why::Secret;
        let length = candidate.end - candidate.start;
        let first = Reverse((precedence(name), candidate.start, candidate.name));
        (secret, length, first, candidate)
    };
    let mut heap: BinaryHeap<_> = candidates.iter().map(|one| ranked(*one)).collect();
    let mut chosen: BTreeMap<usize, Candidate> = BTreeMap::new();
    while let Some((.., candidate)) = heap.pop() {
        let Candidate { start, end, .. } = candidate;
        let last = chosen.range(..end).next_back().map(|(_, last)| *last);
        let Some(last) = last.filter(|last| last.end > start) else {
            chosen.insert(start, candidate);
            continue;
        };
        let first = match chosen.range(..=start).next_back() {
            Some((_, first)) if first.end > start => first.start,
            _ => chosen
                .range(start..)
                .next()
                .map_or(end, |(start, _)| *start),
        };
        for (from, to) in [(start, first), (last.end, end)] {
            if from < to {
                heap.push(ranked(Candidate {
                    start: from,
                    end: to,
                    rest: true,
                    ..candidate
                }));
            }
        }
    }
    chosen.into_values().collect()
}

/// Rule 5 after the longest match: what made it a name, then what it is.
fn precedence(name: &Name) -> (usize, usize) {
    let reason = REASONS.iter().position(|whys| whys.contains(&name.why));
    let form = FORMS.iter().position(|kind| *kind == name.kind);
    let form = form.unwrap_or(match name.kind {
        Kind::Num => FORMS.len() + 1,
        _ => FORMS.len(),
    });
    (reason.unwrap_or(REASONS.len()), form)
}

static REASONS: [&[Why]; 4] = [
    &[Why::Secret],
    &[Why::Glossary],
    &[Why::Claim],
    &[Why::Structure, Why::Shape],
];

/// Structured forms in their order; names come behind them, numbers last.
static FORMS: [Kind; 7] = [
    Kind::Url,
    Kind::Cve,
    Kind::Secret,
    Kind::Endpoint,
    Kind::Path,
    Kind::Version,
    Kind::Date,
];
