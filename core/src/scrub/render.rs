//! From names to texts: which stretches go, in which order they are numbered, what survives.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use super::{
    ByteOffset, Leak, LeakLevel, Options, Removed, Replacement, Scrubbed, SpanField, Why, fields,
    harvest::{Harvest, Mark},
    lexicon::{Name, NameId},
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
#[derive(Clone, Copy, Debug)]
struct Candidate {
    start: usize,
    end: usize,
    name: NameId,
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
            })
            .collect();
        let names = &self.harvest.lexicon.names;
        self.harvest.lexicon.hits(scan, |hit| {
            if names[hit.name].everywhere {
                candidates.push(Candidate {
                    start: hit.start,
                    end: hit.end,
                    name: hit.name,
                });
            }
        });
        let chosen = resolve(candidates.clone(), names);
        self.note_survivors(span, scan, &candidates, &chosen);

        let mut text = String::with_capacity(scan.text.len());
        let mut done = 0;
        for stretch in chosen {
            text.push_str(&scan.text[done..stretch.start]);
            let name = &self.harvest.lexicon.names[stretch.name];
            let (kind, placeholder) = self
                .placeholders
                .entry(stretch.name)
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
                    text: scan.text[stretch.start..stretch.end].into(),
                    why: name.why,
                });
            }
            done = stretch.end;
        }
        text.push_str(&scan.text[done..]);
        text
    }

    /// Notes which names are gone, and which ones a longer stretch left standing.
    fn note_survivors(
        &mut self,
        span: &'a Span,
        scan: &Scan<'_>,
        candidates: &[Candidate],
        chosen: &[Candidate],
    ) {
        for candidate in candidates {
            let next = chosen.partition_point(|stretch| stretch.end <= candidate.start);
            let covered = chosen.get(next).is_some_and(|stretch| {
                stretch.start <= candidate.start && candidate.end <= stretch.end
            });
            if covered {
                if self.harvest.claims_naming(candidate.name).next().is_some() {
                    let spans = self.gone.entry(candidate.name).or_default();
                    spans.insert(&span.id);
                }
                continue;
            }
            let term = &scan.text[candidate.start..candidate.end];
            for claim in self.harvest.claims_naming(candidate.name) {
                let claim = &self.claims[claim];
                let level = match claim.text.contains(term) {
                    true => LeakLevel::Whole,
                    false => LeakLevel::Form,
                };
                let leak = Leak {
                    claim: claim.id.clone(),
                    term: term.into(),
                    span: span.id.clone(),
                    level,
                };
                if !self.result.leaks.contains(&leak) {
                    self.result.leaks.push(leak);
                }
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

/// Which of overlapping stretches go: secrets, then the longest, then by [`PRECEDENCE`], then the
/// first. In text order.
fn resolve(mut candidates: Vec<Candidate>, names: &[Name]) -> Vec<Candidate> {
    candidates.sort_by_key(|candidate| {
        let length = candidate.end - candidate.start;
        let name = &names[candidate.name];
        let secret = name.why == Why::Secret;
        (
            !secret,
            usize::MAX - length,
            precedence(name),
            candidate.start,
        )
    });
    let mut chosen: BTreeMap<usize, Candidate> = BTreeMap::new();
    for candidate in candidates {
        let before = chosen.range(..candidate.end).next_back();
        if before.is_none_or(|(_, before)| before.end <= candidate.start) {
            chosen.insert(candidate.start, candidate);
        }
    }
    chosen.into_values().collect()
}

/// Rule 5 after the longest match: what made it a name, then structured forms, names, numbers.
fn precedence(name: &Name) -> usize {
    let reason = match name.why {
        Why::Secret | Why::Glossary => return 0,
        Why::Claim => return 1,
        Why::Structure | Why::Shape => 2,
    };
    reason
        + PRECEDENCE
            .iter()
            .position(|kind| *kind == name.kind)
            .unwrap_or(NAMES)
}

/// Structured forms in their order. Names are none of these; numbers come last.
static PRECEDENCE: [Kind; 6] = [
    Kind::Url,
    Kind::Cve,
    Kind::Secret,
    Kind::Path,
    Kind::Version,
    Kind::Date,
];
const NAMES: usize = PRECEDENCE.len();
