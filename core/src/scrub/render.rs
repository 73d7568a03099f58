//! From names to texts: which stretches go, in which order they are numbered, what survives.

use alloc::{string::String, sync::Arc, vec, vec::Vec};

use super::{
    ByteOffset, Leak, LeakLevel, MOST_DISTANT_LEAKS, Options, Removed, Replacement, Scrubbed,
    SpanField, Why, fields,
    found::FoundByText,
    harvest::{Harvest, Named},
    hash::Table,
    kinds::{KindId, Kinds},
    lexicon::{Entry, Name, NameId, Rank, Stretch},
    look::{MAKEUP, Makeup},
    placeholders::Numbering,
    scanner::{Scan, hash_of, is_word},
    stretches::merge,
};
use crate::{
    evidence::{Claim, Span},
    profile::{Kind, Profile},
    sort::{sort, sort_runs},
};

/// What a name was given.
#[derive(Clone)]
struct Given {
    kind: KindId,
    placeholder: Arc<str>,
    /// The form that was replaced last.
    surface: Arc<str>,
}

pub(super) struct Render<'a> {
    spans: &'a [Span],
    claims: &'a [Claim],
    options: &'a Options<'a>,
    kinds: Kinds,
    found: FoundByText<'a>,
    harvest: Harvest,
    numbering: Numbering,
    /// The placeholder of each name; none where it has none yet.
    placeholders: Vec<Option<Given>>,
    /// The name from 1 that a spelling was first replaced as, by its hash.
    spellings: Table,
    /// Where an earlier scrub replaced a text, from 1, by the text's hash and by the name from 1 that
    /// it is here; and the hashes of its placeholders that names have here.
    earlier: Table,
    earlier_names: Table,
    taken_over: Table,
    /// The names of claims that went, each with the position of a span that it went from.
    gone: Vec<(NameId, usize)>,
    /// For each name the last span from 1 that it went from: there it is gone once.
    gone_from: Vec<usize>,
    /// How many leaks were noted that are no form of the name itself.
    distant_leaks: usize,
    result: Scrubbed,
}

impl<'a> Render<'a> {
    pub(super) fn new(
        profile: &'a Profile,
        spans: &'a [Span],
        claims: &'a [Claim],
        options: &'a Options<'a>,
    ) -> Self {
        let mut kinds = Kinds::default();
        let found = FoundByText::new(profile, options.matches, &mut kinds);
        let previous = options.previous.unwrap_or_default();
        for replacement in previous {
            kinds.add(&replacement.kind);
        }
        Self {
            spans,
            claims,
            options,
            kinds,
            found,
            harvest: Harvest::new(profile, options.hide_secrets),
            numbering: Numbering::default(),
            placeholders: Vec::new(),
            spellings: Table::default(),
            earlier: Table::default(),
            earlier_names: Table::default(),
            taken_over: Table::default(),
            gone: Vec::new(),
            gone_from: Vec::new(),
            distant_leaks: 0,
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
            self.harvest.glossary(self.kinds.add(kind), name);
        }
        for claim in self.claims {
            let scan = Scan::with(&claim.text, &self.kinds);
            self.harvest.claim(&scan, &self.found.next_text());
            self.numbering.reserve(&claim.text, &self.kinds);
        }
        self.harvest.end_claims();
        let mut read = Vec::with_capacity(self.spans.len());
        for (at, span) in self.spans.iter().enumerate() {
            for (field, text) in fields(span) {
                let scan = Scan::with(text, &self.kinds);
                let marks = self.harvest.evidence(&scan, &self.found.next_text());
                if scan.has_placeholders {
                    self.numbering.reserve(text, &self.kinds);
                }
                read.push((at, field, scan, marks));
            }
        }
        self.harvest.end();
        self.keep_previous();
        for (at, field, scan, marks) in read {
            let text = self.text(at, field, &scan, marks);
            match field {
                SpanField::Text => self.result.spans.push(Span {
                    id: self.spans[at].id.clone(),
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

    /// Names of an earlier scrub keep their placeholders, and no new name gets one of those. Which
    /// name gets which is settled when it is met: the surface decides before what it may be read as.
    fn keep_previous(&mut self) {
        for (at, replacement) in (1..).zip(self.options.previous.unwrap_or_default()) {
            // Anyone may have written it: only what this could have made is taken over.
            if !replacement.has_own_placeholder() {
                continue;
            }
            self.numbering
                .reserve(&replacement.placeholder, &self.kinds);
            let first = |table: &mut Table, key| {
                let first = table.entry(key);
                if *first == 0 {
                    *first = at;
                }
            };
            first(&mut self.earlier, hash_of(&replacement.text));
            if let Some(name) = self.harvest.lexicon.find(&replacement.text) {
                first(&mut self.earlier_names, 1 + u64::from(name));
            }
        }
    }

    /// An earlier placeholder, where no other name has it by now.
    fn kept(&mut self, earlier: &Replacement, surface: &str) -> Option<Given> {
        let taken = self.taken_over.entry(hash_of(&earlier.placeholder));
        if core::mem::replace(taken, 1) != 0 {
            return None;
        }
        let kind = self.kinds.add(&earlier.kind);
        Some(Given {
            kind,
            placeholder: earlier.placeholder.clone(),
            surface: surface.into(),
        })
    }

    /// What a name gets that has no placeholder yet: that of an earlier scrub for the same surface,
    /// else for the same name, else the next one.
    fn give(&mut self, name: NameId, kind: KindId, surface: &str) -> Given {
        let kept = self.options.previous.and_then(|previous| {
            let known = [
                self.earlier.get(hash_of(surface)),
                self.earlier_names.get(1 + u64::from(name)),
            ];
            known
                .into_iter()
                .flatten()
                .find_map(|at| self.kept(&previous[at as usize - 1], surface))
        });
        kept.unwrap_or_else(|| Given {
            kind,
            placeholder: self.numbering.next(kind, &self.kinds),
            surface: surface.into(),
        })
    }

    /// The place of a name's placeholder.
    fn placeholder_of(&mut self, name: NameId) -> &mut Option<Given> {
        let at = name as usize;
        if at >= self.placeholders.len() {
            let names = self.harvest.lexicon.names.len();
            self.placeholders.resize(names, None);
        }
        &mut self.placeholders[at]
    }

    /// The scrubbed text. `marks` are the stretches that structure and shapes show.
    fn text(
        &mut self,
        span: usize,
        field: SpanField,
        scan: &Scan<'_>,
        marks: Vec<Stretch>,
    ) -> String {
        let names = &self.harvest.lexicon.names;
        let mut hits = Vec::with_capacity(2 * marks.len());
        // Forms of names that are none here; they may be leaks.
        let mut others = Vec::new();
        self.harvest.lexicon.hits(scan, &mut |hit| {
            let name = &names[hit.name as usize];
            if name.everywhere {
                hits.push(hit);
            } else if name.claimed {
                others.push(hit);
            }
        });
        let mut candidates = merge(marks, hits);
        let mut chosen = resolve(&candidates, names);
        self.take_rests(scan, &mut chosen);
        if !self.claims.is_empty() {
            candidates.retain(|candidate| names[candidate.name as usize].claimed);
            self.note_gone(span, scan, &candidates, &chosen);
            candidates.append(&mut others);
            self.note_leaks(span, scan, &candidates, &chosen);
        }
        self.replace(span, field, scan, &chosen)
    }

    /// Takes the names that only show when others are gone: of a word that one was cut out of, the
    /// rest may be another by itself (`OldGitHub` without `Old`).
    fn take_rests(&self, scan: &Scan<'_>, chosen: &mut Vec<Stretch>) {
        /// So that no text can be made that is read over and over.
        const MOST_ROUNDS: usize = 8;
        let lexicon = &self.harvest.lexicon;
        for _ in 0..MOST_ROUNDS {
            let mut more = Vec::new();
            for (from, to) in rests_of_words(scan, chosen) {
                let rest = Scan::with(&scan.text[from..to], &self.kinds);
                lexicon.hits(&rest, &mut |hit| {
                    if lexicon.names[hit.name as usize].everywhere {
                        more.push(hit.moved_by(from));
                    }
                });
            }
            if more.is_empty() {
                return;
            }
            let more = resolve(&merge(more, Vec::new()), &lexicon.names);
            *chosen = merge(core::mem::take(chosen), more);
        }
    }

    /// The text with placeholders for the chosen stretches, which are in its order.
    fn replace(
        &mut self,
        span: usize,
        field: SpanField,
        scan: &Scan<'_>,
        chosen: &[Stretch],
    ) -> String {
        // Placeholders are a little longer than most names.
        const MORE: usize = 6;
        let mut text = String::with_capacity(scan.text.len() + MORE * chosen.len());
        let mut done = 0;
        let id_of_span: Arc<str> = self.spans[span].id.as_str().into();
        if self.options.replacements {
            self.result.replacements.reserve(chosen.len());
        }
        for stretch in chosen {
            let surface = &scan.text[stretch.start()..stretch.end()];
            let Some(id) = self.name_of(*stretch, surface) else {
                continue;
            };
            text.push_str(&scan.text[done..stretch.start()]);
            let Name { kind, why, .. } = self.harvest.lexicon.names[id as usize];
            let id = self.given_to(id, kind, surface);
            let Some(Some(given)) = self.placeholders.get(id as usize) else {
                continue;
            };
            text.push_str(&given.placeholder);
            if self.options.replacements {
                self.result.replacements.push(Replacement {
                    span: id_of_span.clone(),
                    field,
                    start: ByteOffset(stretch.start()),
                    end: ByteOffset(stretch.end()),
                    kind: self.kinds.name(given.kind),
                    placeholder: given.placeholder.clone(),
                    text: given.surface.clone(),
                    why,
                });
            }
            done = stretch.end();
        }
        text.push_str(&scan.text[done..]);
        text
    }

    /// The name whose placeholder a spelling has, and which has it now: that of its first place, as two names
    /// may come to be spelled alike.
    fn given_to(&mut self, id: NameId, kind: KindId, surface: &str) -> NameId {
        // The next form is most often the same.
        if let Some(Some(given)) = self.placeholders.get(id as usize)
            && *given.surface == *surface
        {
            return id;
        }
        let first = self.spellings.entry(hash_of(surface));
        if *first == 0 {
            *first = u64::from(id) + 1;
        }
        let id = *first as NameId - 1;
        match self.placeholder_of(id) {
            Some(given) if *given.surface == *surface => {}
            Some(given) => given.surface = surface.into(),
            None => *self.placeholder_of(id) = Some(self.give(id, kind, surface)),
        }
        id
    }

    /// The name of a stretch. A rest is a name of its own, if it holds more than marks.
    fn name_of(&mut self, stretch: Stretch, surface: &str) -> Option<NameId> {
        if !stretch.rest {
            return Some(stretch.name);
        }
        let whole = &self.harvest.lexicon.names[stretch.name as usize];
        let rest = Entry {
            kind: whole.kind,
            rank: Rank::Guess,
            why: whole.why,
            everywhere: false,
        };
        self.harvest.lexicon.add(surface, rest)
    }

    /// Notes which names of claims are gone from a span. What went as a secret is hidden from both
    /// passes and carries no test.
    fn note_gone(
        &mut self,
        span: usize,
        scan: &Scan<'_>,
        candidates: &[Stretch],
        chosen: &[Stretch],
    ) {
        let names = &self.harvest.lexicon.names;
        let secret = |stretch: &Stretch| names[stretch.name as usize].why == Why::Secret;
        let mut behind = 0;
        let gone = candidates.iter().filter(|candidate| {
            let cover = cover(candidate, chosen, &mut behind);
            is_covered(scan, candidate, cover) && !cover.iter().all(secret)
        });
        self.gone_from.resize(names.len(), 0);
        for name in gone.map(|candidate| candidate.name) {
            let last = &mut self.gone_from[name as usize];
            if *last != span + 1 {
                *last = span + 1;
                self.gone.push((name, span));
            }
        }
    }

    /// Notes what survives of names of claims: themselves where longer stretches cut them, the
    /// stems of files, and longer words that begin with one (`ubuntu1`).
    fn note_leaks(
        &mut self,
        span: usize,
        scan: &Scan<'_>,
        candidates: &[Stretch],
        chosen: &[Stretch],
    ) {
        let lexicon = &self.harvest.lexicon;
        let parts = lexicon.numbered(scan);
        let parts = parts.filter(|part| lexicon.names[part.name as usize].claimed);
        let mut behind = 0;
        let mut survivors: Vec<(NameId, &str, bool)> = candidates
            .iter()
            .map(|candidate| (*candidate, false))
            .chain(parts.map(|part| (part, true)))
            .filter(|(candidate, _)| {
                let cover = cover(candidate, chosen, &mut behind);
                !is_covered(scan, candidate, cover)
            })
            .map(|(candidate, part)| {
                let term = &scan.text[candidate.start()..candidate.end()];
                (candidate.name, term, part)
            })
            .collect();
        sort(&mut survivors);
        survivors.dedup();
        for (name, term, part) in survivors {
            let naming = self.harvest.claims_naming(name).map(|claim| {
                let level = match part {
                    true => LeakLevel::Part,
                    false if self.claims[claim].text.contains(term) => LeakLevel::Whole,
                    false => LeakLevel::Form,
                };
                (claim, level)
            });
            let deriving = self.harvest.claims_deriving(name);
            for (claim, level) in naming.chain(deriving.map(|claim| (claim, LeakLevel::Derived))) {
                if matches!(level, LeakLevel::Part | LeakLevel::Derived) {
                    // Those that follow are no nearer.
                    if self.distant_leaks == MOST_DISTANT_LEAKS {
                        break;
                    }
                    self.distant_leaks += 1;
                }
                self.result.leaks.push(Leak {
                    claim: self.claims[claim].id.clone(),
                    term: term.into(),
                    span: self.spans[span].id.clone(),
                    level,
                });
            }
        }
    }

    /// Counts the names of each claim that went from the spans that it rests on.
    fn count_removed(&mut self) {
        sort(&mut self.gone);
        self.gone.dedup();
        let mut places: Vec<(&str, usize)> = Vec::new();
        if self.claims.iter().any(|claim| claim.cites.is_some()) {
            let ids = self.spans.iter().map(|span| span.id.as_str());
            places.extend(ids.zip(0..));
            sort(&mut places);
        }
        let place = |id: &String| {
            let at = places.binary_search_by_key(&id.as_str(), |(id, _)| *id);
            at.ok().map(|at| places[at].1)
        };
        let places_of = |name| {
            let behind = &self.gone[self.gone.partition_point(|(gone, _)| *gone < name)..];
            &behind[..behind.partition_point(|(gone, _)| *gone == name)]
        };
        // The fewer are looked up among the more: a claim may have many names and cite many spans.
        let went_from_one = |name, cites: &[usize]| {
            let places = places_of(name);
            match places.len() < cites.len() {
                true => places
                    .iter()
                    .any(|(_, place)| cites.binary_search(place).is_ok()),
                false => cites
                    .iter()
                    .any(|cite| places.binary_search(&(name, *cite)).is_ok()),
            }
        };
        let removed = self.claims.iter().zip(&self.harvest.claims);
        self.result.removed = removed
            .map(|(claim, names)| {
                let cites = claim.cites.as_ref();
                let cites = cites.map(|cites| {
                    let mut cites: Vec<usize> = cites.iter().filter_map(place).collect();
                    sort(&mut cites);
                    cites
                });
                let went = |named: &&Named| match &cites {
                    Some(cites) => went_from_one(named.name, cites),
                    None => !places_of(named.name).is_empty(),
                };
                let count = |terms: &mut Vec<NameId>| {
                    sort(terms);
                    terms.dedup();
                    terms.len()
                };
                let term = |named: &Named| named.term;
                Removed {
                    claim: claim.id.clone(),
                    gone: count(&mut names.iter().filter(went).map(term).collect()),
                    of: count(&mut names.iter().map(term).collect()),
                }
            })
            .collect();
    }
}

/// Those of the chosen stretches that overlap a candidate. How many are behind it is kept for the next,
/// which most often follows it.
fn cover<'s>(candidate: &Stretch, chosen: &'s [Stretch], behind: &mut usize) -> &'s [Stretch] {
    let is_behind = |stretch: &Stretch| stretch.end() <= candidate.start();
    if *behind > 0 && !is_behind(&chosen[*behind - 1]) {
        *behind = chosen.partition_point(is_behind);
    }
    let rest = &chosen[*behind..];
    let more = rest.iter().take_while(|stretch| is_behind(stretch)).count();
    *behind += more;
    let rest = &rest[more..];
    let over = |stretch: &&Stretch| stretch.start() < candidate.end();
    &rest[..rest.iter().take_while(over).count()]
}

/// Whether the stretches that overlap a candidate leave nothing of it but marks.
fn is_covered(scan: &Scan<'_>, candidate: &Stretch, cover: &[Stretch]) -> bool {
    let mut from = candidate.start();
    let mut bare = |to: usize, next: usize| {
        let rest = scan.text.get(from..to).unwrap_or_default();
        from = next;
        !rest.contains(is_word)
    };
    !cover.is_empty()
        && cover
            .iter()
            .all(|stretch| bare(stretch.start(), stretch.end()))
        && bare(candidate.end(), candidate.end())
}

/// What is left between chosen stretches where one of them ends or begins inside a token.
fn rests_of_words<'s>(
    scan: &'s Scan<'_>,
    chosen: &'s [Stretch],
) -> impl Iterator<Item = (usize, usize)> {
    let bytes = scan.text.as_bytes();
    let cuts_token = |place: usize| match seam(bytes, place) {
        Seam::Between => false,
        Seam::Inside => true,
        Seam::Unknown => scan.start(scan.token_at(place)) != place,
    };
    let starts = chosen.iter().map(Stretch::start).chain([bytes.len()]);
    let ends = [0].into_iter().chain(chosen.iter().map(Stretch::end));
    let rests = ends.zip(starts).filter(|(from, to)| from < to);
    rests.filter(move |(from, to)| cuts_token(*from) || cuts_token(*to))
}

/// What the bytes around a place say of it: whether it is inside a token.
enum Seam {
    Between,
    Inside,
    Unknown,
}

fn seam(bytes: &[u8], place: usize) -> Seam {
    let makeup = |at: usize| {
        bytes
            .get(at)
            .map_or(Makeup::OTHER.0, |byte| MAKEUP[usize::from(*byte)])
    };
    let is = |at: usize, class: Makeup| Makeup(makeup(at)).has(class);
    let (before, behind) = (place.wrapping_sub(1), place);
    match (is(before, Makeup::OTHER), is(behind, Makeup::OTHER)) {
        (true, true) => Seam::Between,
        (false, false) if is(before, Makeup::WIDE) || is(behind, Makeup::WIDE) => Seam::Unknown,
        (false, false) => Seam::Inside,
        // The point of a number has digits on both sides.
        (true, false) => between_digits(bytes, before),
        (false, true) => between_digits(bytes, behind),
    }
}

/// What the mark at `at` says of a place beside it.
fn between_digits(bytes: &[u8], at: usize) -> Seam {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let digit = |at: usize| byte(at).is_ascii_digit();
    match byte(at) {
        b'.' | b',' if digit(at.wrapping_sub(1)) && digit(at + 1) => Seam::Unknown,
        _ => Seam::Between,
    }
}

/// Which of overlapping stretches go: secrets, then the longest, then by [`precedence`], then the
/// first. Of one that loses, what the others leave of its ends goes, too. In text order, as the
/// candidates are.
fn resolve(candidates: &[Stretch], names: &[Name]) -> Vec<Stretch> {
    let mut chosen = Vec::with_capacity(candidates.len() / 2 + 1);
    let mut rest = candidates;
    while let Some(first) = rest.first() {
        // What overlaps, directly or through others, is decided together.
        let mut end = first.end();
        let mut count = 1;
        while let Some(next) = rest.get(count).filter(|next| next.start() < end) {
            end = end.max(next.end());
            count += 1;
        }
        let (group, others) = rest.split_at(count);
        rest = others;
        match group {
            [one] => chosen.push(*one),
            _ => resolve_group(group, end, names, &mut chosen),
        }
    }
    chosen
}

/// Decides between stretches that overlap; `end` is where the last one ends.
fn resolve_group(group: &[Stretch], end: usize, names: &[Name], chosen: &mut Vec<Stretch>) {
    let start = group[0].start();
    let ranks = group.iter().map(|one| Rating::of(*one, names));
    let Some(best) = ranks.clone().max() else {
        return;
    };
    // Most often the best one holds all others.
    let best = best.stretch();
    if best.start() == start && best.end() == end {
        return chosen.push(best);
    }
    let first = chosen.len();
    let longest = ranks.clone().map(Rating::length).max();
    let mut waiting = Waiting::new(longest.unwrap_or_default(), group.len());
    ranks.for_each(|rating| waiting.push(rating));
    let mut cover = Cover::new(start, end);
    let mut next = Vec::new();
    while waiting.take_best(&mut next) {
        for stretch in next.iter().map(|rating| rating.stretch()) {
            let Some((before, after)) = cover.taken_in(stretch.start(), stretch.end()) else {
                cover.take(stretch.start(), stretch.end());
                chosen.push(stretch);
                continue;
            };
            for (start, end) in [(stretch.start(), before), (after, stretch.end())] {
                if start < end {
                    let mut rest = Stretch::new(start, end, stretch.name);
                    rest.rest = true;
                    waiting.push(Rating::of(rest, names));
                }
            }
        }
    }
    sort_runs(&mut chosen[first..], |a, b| a < b);
}

/// Ratings by their first part, whether it is a secret and how long: what is left of a stretch is shorter
/// than that was, so the best ones are taken from the top down, and memory is read in its order.
struct Waiting {
    /// For each first part the last one that waits, by its place from 1.
    lasts: Vec<u32>,
    all: Vec<Rating>,
    /// For each of `all` the one that waited before it, in the same way.
    befores: Vec<u32>,
    /// The last of those that wait no more, in the same way: their room is for what is left of them.
    free: u32,
    longest: usize,
}

impl Waiting {
    /// For `count` stretches of at most `longest` bytes and what may be left of them.
    fn new(longest: usize, count: usize) -> Self {
        Self {
            lasts: vec![0; 2 * (longest + 1)],
            all: Vec::with_capacity(count),
            befores: Vec::with_capacity(count),
            free: 0,
            longest,
        }
    }

    fn push(&mut self, rating: Rating) {
        let secret = usize::from(rating.is_secret());
        let last = &mut self.lasts[secret * (self.longest + 1) + rating.length()];
        match (self.free as usize).checked_sub(1) {
            Some(at) => {
                let free = core::mem::replace(&mut self.befores[at], *last);
                self.all[at] = rating;
                *last = core::mem::replace(&mut self.free, free);
            }
            None => {
                self.befores.push(*last);
                self.all.push(rating);
                *last = self.all.len() as u32;
            }
        }
    }

    /// Takes those that are the best by their first part, in their order; false where none waits.
    fn take_best(&mut self, best: &mut Vec<Rating>) -> bool {
        best.clear();
        while self.lasts.pop_if(|last| *last == 0).is_some() {}
        let Some(last) = self.lasts.pop() else {
            return false;
        };
        let mut before = last;
        while let Some(at) = (before as usize).checked_sub(1) {
            best.push(self.all[at]);
            before = self.befores[at];
            if before == 0 {
                self.befores[at] = core::mem::replace(&mut self.free, last);
            }
        }
        best.reverse();
        sort_runs(best, |a, b| a > b);
        true
    }
}

/// A stretch and how good it is, as one number, the best the greatest: from the highest bit whether
/// it is a secret, its length, and then, the least the best, its precedence, its place, its name.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
struct Rating(u128);

impl Rating {
    fn of(stretch: Stretch, names: &[Name]) -> Self {
        let name = &names[stretch.name as usize];
        let (reason, form) = precedence(name);
        let least = |value: usize| u128::from(!(value as u32));
        let secret = u128::from(name.why == Why::Secret);
        let length = stretch.end() - stretch.start();
        Self(
            secret << 121
                | (length as u128) << 89
                | (least(16 * reason + form) & 0xff) << 81
                | least(stretch.start()) << 49
                | least(stretch.name as usize) << 17
                | u128::from(stretch.rest),
        )
    }

    fn is_secret(self) -> bool {
        self.0 >> 121 != 0
    }

    fn length(self) -> usize {
        (self.0 >> 89) as u32 as usize
    }

    fn stretch(self) -> Stretch {
        let part = |shift: u32| (self.0 >> shift) as u32;
        let start = !part(49) as usize;
        let mut stretch = Stretch::new(start, start + self.length(), !part(17));
        stretch.rest = self.0 & 1 != 0;
        stretch
    }
}

/// Which bytes of a group are taken: a bit for each, looked at 64 at a time.
struct Cover {
    start: usize,
    taken: Vec<u64>,
}

impl Cover {
    fn new(start: usize, end: usize) -> Self {
        let taken = vec![0; (end - start).div_ceil(64)];
        Self { start, taken }
    }

    /// Where the first taken part of a stretch begins and the last one ends; `None` where all of it
    /// is free.
    fn taken_in(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let (from, to) = (start - self.start, end - self.start);
        let taken = |at: &usize| self.taken[*at] & mask(*at, from, to);
        let mut words = from / 64..to.div_ceil(64);
        let first = words.clone().find(|at| taken(at) != 0)?;
        let last = words.rfind(|at| taken(at) != 0)?;
        let begins = 64 * first + taken(&first).trailing_zeros() as usize;
        let ends = 64 * (last + 1) - taken(&last).leading_zeros() as usize;
        Some((self.start + begins, self.start + ends))
    }

    fn take(&mut self, start: usize, end: usize) {
        let (from, to) = (start - self.start, end - self.start);
        for at in from / 64..to.div_ceil(64) {
            self.taken[at] |= mask(at, from, to);
        }
    }
}

/// Those bits of the 64 of word `at` that are between `from` and `to`.
fn mask(at: usize, from: usize, to: usize) -> u64 {
    let below = |end: usize| match end.saturating_sub(64 * at) {
        bits @ 0..64 => (1 << bits) - 1,
        _ => u64::MAX,
    };
    below(to) & !below(from)
}

/// Rule 5 after the longest match: what made it a name, then what it is.
fn precedence(name: &Name) -> (usize, usize) {
    let reason = match name.why {
        Why::Secret => 0,
        Why::Glossary => 1,
        Why::Claim => 2,
        Why::Structure | Why::Shape => 3,
    };
    let form = match name.rank {
        Rank::Pattern => 0,
        _ => FORMS[name.kind.index()],
    };
    (reason, form)
}

/// The place of each kind: behind what a pattern of the caller's shows, structured forms in their
/// order, names behind them, numbers last.
static FORMS: [usize; KindId::COUNT] = {
    const ORDER: [Kind; 7] = [
        Kind::Url,
        Kind::Cve,
        Kind::Secret,
        Kind::Endpoint,
        Kind::Path,
        Kind::Version,
        Kind::Date,
    ];
    let mut forms = [ORDER.len() + 1; KindId::COUNT];
    let mut at = 0;
    while at < ORDER.len() {
        forms[ORDER[at] as usize] = at + 1;
        at += 1;
    }
    forms[Kind::Num as usize] = ORDER.len() + 2;
    forms
};
