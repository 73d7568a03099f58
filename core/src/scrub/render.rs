//! From names to texts: which stretches go, in which order they are numbered, what survives.

use alloc::{string::String, sync::Arc, vec, vec::Vec};
use core::{cmp::Reverse, ops::Range};

use super::{
    ByteOffset, Leak, LeakLevel, MOST_DISTANT_LEAKS, Options, Removed, Replacement, Scrubbed,
    SpanField, Why, fields,
    found::FoundByText,
    harvest::{Harvest, Marked, Named, Pairs, of_name},
    hash::{self, Table},
    kinds::{KindId, Kinds},
    lexicon::{Entry, Name, NameId, Rank, Stretch},
    placeholders::Numbering,
    scanner::{Scan, hash_of, is_ideograph, is_word},
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
    gone: Pairs,
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
                let marked = self.harvest.evidence(&scan, &self.found.next_text());
                if scan.has_placeholders {
                    self.numbering.reserve(text, &self.kinds);
                }
                read.push((at, field, scan, marked));
            }
        }
        self.harvest.end();
        self.keep_previous();
        for (at, field, scan, marked) in read {
            let text = self.text(at, field, &scan, marked);
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

    /// The scrubbed text.
    fn text(
        &mut self,
        span: usize,
        field: SpanField,
        scan: &Scan<'_>,
        Marked { marks, bases }: Marked,
    ) -> String {
        let names = &self.harvest.lexicon.names;
        let mut hits = Vec::with_capacity(2 * marks.len());
        // Forms of names that are none here; they may be leaks.
        let mut others = Vec::new();
        self.harvest.lexicon.hits(
            scan,
            &mut |hit| match names[hit.name() as usize].everywhere {
                true => hits.push(hit),
                false => others.push(hit),
            },
        );
        let mut candidates = merge(marks, hits);
        let mut chosen = resolve(&candidates, names);
        self.take_rests(scan, &bases, &mut chosen);
        if !self.claims.is_empty() {
            candidates.append(&mut others);
            self.note_claimed(span, scan, &candidates, &chosen);
        }
        drop(candidates);
        self.replace(span, field, scan, &chosen)
    }

    /// Takes the names that only show when others are gone: of a word that one was cut out of, the
    /// rest may be another by itself (`OldGitHub` without `Old`).
    fn take_rests(&mut self, scan: &Scan<'_>, bases: &[Range<usize>], chosen: &mut Vec<Stretch>) {
        /// So that no text can be made that is read over and over.
        const MOST_ROUNDS: usize = 8;
        for _ in 0..MOST_ROUNDS {
            let mut more = Vec::new();
            for part in self.reads_otherwise(scan, bases, chosen) {
                self.read_again(scan, chosen, part, &mut more);
            }
            let lexicon = &self.harvest.lexicon;
            for (from, to) in rests_of_words(scan, chosen) {
                let rest = Scan::with(&scan.text[from..to], &self.kinds);
                lexicon.hits(&rest, &mut |hit| {
                    if lexicon.names[hit.name() as usize].everywhere {
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

    /// The parts of the text that may be read as others when the chosen stretches are gone: around what lines below rest
    /// on, a secret, what a claim took with its quote or line end, or the drive of a path that goes on.
    fn reads_otherwise(
        &self,
        scan: &Scan<'_>,
        bases: &[Range<usize>],
        chosen: &[Stretch],
    ) -> Vec<Range<usize>> {
        let names = &self.harvest.lexicon.names;
        let own = |one: &Stretch| {
            let name = &names[one.name() as usize];
            let surface = || scan.text[one.start()..one.end()].bytes();
            name.kind == Kind::Secret.into()
                || name.claimed && surface().any(|byte| b"\"'`\n()[]{}".contains(&byte))
                || scan.has_drives()
                    && scan.text.as_bytes()[one.end()..]
                        .iter()
                        .take(2)
                        .any(|byte| *byte == b'\\')
        };
        let mut parts: Vec<Range<usize>> = Vec::new();
        for one in chosen {
            let inside = parts.last().is_some_and(|last| one.end() <= last.end);
            if inside || !touches_one(one, bases) && !own(one) {
                continue;
            }
            let part = part_around(scan.text, one);
            match parts.last_mut() {
                Some(last) if part.start <= last.end => last.end = part.end,
                _ => parts.push(part),
            }
        }
        parts
    }

    /// Adds what a part of the text shows when the chosen stretches are gone.
    fn read_again(
        &mut self,
        scan: &Scan<'_>,
        chosen: &[Stretch],
        part: Range<usize>,
        more: &mut Vec<Stretch>,
    ) {
        let first = chosen.partition_point(|one| one.start() < part.start);
        let inside = chosen[first..]
            .iter()
            .take_while(|one| one.end() <= part.end);
        let mut text = String::with_capacity(part.len());
        // Where each placeholder begins and ends, and where what follows it stands.
        let mut gone = Vec::new();
        let mut done = part.start;
        for stretch in inside {
            let surface = &scan.text[stretch.start()..stretch.end()];
            if let Some(name) = self.name_of(*stretch, surface) {
                text.push_str(&scan.text[done..stretch.start()]);
                let start = text.len();
                let kind = self.harvest.lexicon.names[name as usize].kind;
                text.push_str(&["[", self.kinds.word(kind), "_1]"].concat());
                done = stretch.end();
                gone.push((start, text.len(), done));
            }
        }
        text.push_str(&scan.text[done..part.end]);
        let marks = self.harvest.rest(&Scan::with(&text, &self.kinds));
        more.extend(marks.into_iter().filter_map(|mark| {
            let next = gone.partition_point(|(start, ..)| *start < mark.end());
            let (_, end, place) = match next.checked_sub(1) {
                Some(last) => gone[last],
                None => (0, 0, part.start),
            };
            let start = place + mark.start().checked_sub(end)?;
            Some(Stretch::new(start, start + mark.length(), mark.name()))
        }));
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
        if !stretch.is_rest() {
            return Some(stretch.name());
        }
        let whole = &self.harvest.lexicon.names[stretch.name() as usize];
        let rest = Entry {
            kind: whole.kind,
            rank: Rank::Guess,
            why: whole.why,
            everywhere: false,
        };
        let lexicon = &mut self.harvest.lexicon;
        let ideographs = || surface.contains(is_ideograph);
        let name = lexicon.add(surface, rest);
        name.or_else(|| ideographs().then(|| lexicon.add_found(surface, rest)))
    }

    /// Notes which names of claims are gone from a span, and what survives of them: themselves where longer
    /// stretches cut them, the stems of files, and longer words that begin with one (`ubuntu1`). What went as a
    /// secret is hidden from both passes and carries no test.
    fn note_claimed(
        &mut self,
        span: usize,
        scan: &Scan<'_>,
        candidates: &[Stretch],
        chosen: &[Stretch],
    ) {
        let lexicon = &self.harvest.lexicon;
        let names = &lexicon.names;
        self.gone_from.resize(names.len(), 0);
        let mut survivors = Vec::new();
        let mut behind = 0;
        let parts = lexicon.numbered(scan);
        let parts = parts.iter().map(|part| (part, true));
        let wholes = candidates.iter().map(|candidate| (candidate, false));
        for (stretch, part) in wholes.chain(parts) {
            let name = stretch.name();
            if !names[name as usize].claimed {
                continue;
            }
            let cover = cover(stretch, chosen, &mut behind);
            let secret = |stretch: &Stretch| names[stretch.name() as usize].why == Why::Secret;
            if !is_covered(scan, stretch, cover) {
                let term = &scan.text[stretch.start()..stretch.end()];
                survivors.push((name, term, part));
            } else if !part && !cover.iter().all(secret) {
                let last = core::mem::replace(&mut self.gone_from[name as usize], span + 1);
                if last != span + 1 {
                    self.gone.push((name, span));
                }
            }
        }
        sort(&mut survivors);
        survivors.dedup();
        for (name, term, part) in survivors {
            let naming = of_name(&self.harvest.naming, name).iter();
            let deriving = of_name(&self.harvest.derived, name).iter();
            let derived = deriving.map(|pair| (pair, true));
            for ((_, claim), derived) in naming.map(|pair| (pair, false)).chain(derived) {
                let claim = &self.claims[*claim];
                let level = match (derived, part) {
                    (true, _) => LeakLevel::Derived,
                    (_, true) => LeakLevel::Part,
                    _ if claim.text.contains(term) => LeakLevel::Whole,
                    _ => LeakLevel::Form,
                };
                if matches!(level, LeakLevel::Part | LeakLevel::Derived) {
                    // Those that follow are no nearer.
                    if self.distant_leaks == MOST_DISTANT_LEAKS {
                        break;
                    }
                    self.distant_leaks += 1;
                }
                self.result.leaks.push(Leak {
                    claim: claim.id.clone(),
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
        // The position of each span from 1, by its id's hash.
        let mut places = Table::default();
        if self.claims.iter().any(|claim| claim.cites.is_some()) {
            for (at, span) in (1..).zip(self.spans) {
                *places.entry(hash::exact(span.id.as_bytes())) = at;
            }
        }
        let place = |id: &String| {
            let at = places.get(hash::exact(id.as_bytes()))? as usize - 1;
            (self.spans[at].id == *id).then_some(at)
        };
        for (claim, names) in self.claims.iter().zip(&self.harvest.claims) {
            let cites = claim.cites.as_ref().map(|cites| {
                let mut cites: Vec<usize> = cites.iter().filter_map(place).collect();
                sort(&mut cites);
                cites
            });
            let went = |named: &&Named| {
                let places = of_name(&self.gone, named.name);
                match &cites {
                    None => !places.is_empty(),
                    // The fewer are looked up among the more: a claim may have many names and cite many spans.
                    Some(cites) if places.len() < cites.len() => places
                        .iter()
                        .any(|(_, place)| cites.binary_search(place).is_ok()),
                    Some(cites) => cites
                        .iter()
                        .any(|cite| places.binary_search(&(named.name, *cite)).is_ok()),
                }
            };
            let mut gone: Vec<NameId> = names.iter().filter(went).map(|named| named.term).collect();
            sort(&mut gone);
            gone.dedup();
            self.result.removed.push(Removed {
                claim: claim.id.clone(),
                gone: gone.len(),
                // Each term is a name of the claim's, too.
                of: names
                    .iter()
                    .filter(|named| named.name == named.term)
                    .count(),
            });
        }
    }
}

/// Those of the chosen stretches that overlap a candidate. How many are behind it is kept for the next,
/// which most often follows it.
fn cover<'s>(candidate: &Stretch, chosen: &'s [Stretch], behind: &mut usize) -> &'s [Stretch] {
    let is_behind = |at: usize| chosen[at].end() <= candidate.start();
    while *behind > 0 && !is_behind(*behind - 1) {
        *behind -= 1;
    }
    while *behind < chosen.len() && is_behind(*behind) {
        *behind += 1;
    }
    let mut end = *behind;
    while end < chosen.len() && chosen[end].start() < candidate.end() {
        end += 1;
    }
    &chosen[*behind..end]
}

/// Whether the stretches that overlap a candidate leave nothing of it but marks.
fn is_covered(scan: &Scan<'_>, candidate: &Stretch, cover: &[Stretch]) -> bool {
    let mut from = candidate.start();
    for stretch in cover {
        if holds_a_word(scan, from, stretch.start()) {
            return false;
        }
        from = stretch.end();
    }
    !cover.is_empty() && !holds_a_word(scan, from, candidate.end())
}

/// Whether more than marks stands there.
fn holds_a_word(scan: &Scan<'_>, from: usize, to: usize) -> bool {
    from < to && scan.text[from..to].contains(is_word)
}

/// What is read with a stretch: some of the text before and behind it, to the next blank lines.
fn part_around(text: &str, one: &Stretch) -> Range<usize> {
    const NEAR: usize = 512;
    let before = text.floor_char_boundary(one.start().saturating_sub(NEAR));
    let behind = text.ceil_char_boundary(one.end().saturating_add(NEAR));
    let blank = |ends: &[u8]| ends == b"\n\n";
    let start = text.as_bytes()[..before].windows(2).rposition(blank);
    let end = text.as_bytes()[behind..].windows(2).position(blank);
    start.map_or(0, |at| at + 2)..end.map_or(text.len(), |at| behind + at)
}

/// Whether a stretch overlaps any of the places, which are in order.
fn touches_one(one: &Stretch, bases: &[Range<usize>]) -> bool {
    let next = bases.partition_point(|basis| basis.end <= one.start());
    bases.get(next).is_some_and(|basis| basis.start < one.end())
}

/// What is left between chosen stretches where one of them ends or begins inside a token.
fn rests_of_words(scan: &Scan<'_>, chosen: &[Stretch]) -> Vec<(usize, usize)> {
    let mut rests = Vec::new();
    let (mut token, mut from, mut cut) = (0, 0, false);
    // Whether a place is inside a token, or a word goes on there. Each place is behind the one before.
    let mut cuts = |place: usize| {
        while scan.start(token) < place {
            token += 1;
        }
        scan.start(token) != place || scan.text[..place].ends_with(['\'', '’'])
    };
    let end = scan.text.len();
    for (start, end) in chosen
        .iter()
        .map(|one| (one.start(), one.end()))
        .chain([(end, end)])
    {
        let cut_behind = cuts(start);
        if from < start && (cut || cut_behind) {
            rests.push((from, start));
        }
        cut = cuts(end);
        from = end;
    }
    rests
}

/// Which of overlapping stretches go: secrets, then the longest, then by [`precedence`], then the
/// first. Of one that loses, what the others leave of its ends goes, too. In text order, as the
/// candidates are.
fn resolve(candidates: &[Stretch], names: &[Name]) -> Vec<Stretch> {
    let mut chosen = Vec::new();
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
    let (mut best, mut longest) = (group[0], 0);
    for one in group {
        longest = longest.max(one.length());
        if rating(*one, names) > rating(best, names) {
            best = *one;
        }
    }
    // Most often the best one holds all others.
    if best.start() == start && best.end() == end {
        return chosen.push(best);
    }
    let first = chosen.len();
    let mut waiting = Waiting {
        group,
        names,
        lasts: vec![0; 2 * (longest + 1)],
        longest,
        befores: Vec::with_capacity(2 * group.len()),
        rests: Vec::new(),
        free: 0,
    };
    for one in group {
        waiting.befores.push(0);
        waiting.push(*one, waiting.befores.len());
    }
    let mut cover = Cover::new(start, end);
    let mut next = Vec::new();
    while waiting.take_best(&mut next) {
        for place in &next {
            let stretch = waiting.take(*place);
            let Some((before, after)) = cover.taken_in(stretch.start(), stretch.end()) else {
                cover.take(stretch.start(), stretch.end());
                chosen.push(stretch);
                continue;
            };
            for (start, end) in [(stretch.start(), before), (after, stretch.end())] {
                if start < end {
                    waiting.push_rest(stretch.rest(start, end));
                }
            }
        }
    }
    sort_runs(&mut chosen[first..], &|a, b| a < b);
}

/// The stretches of a group by whether they are a secret's and by their length: what is left of one is shorter
/// than that was, so the best ones are taken from the top down, and memory is read in its order. Each is told by
/// its place from 1: of the group's own, and behind them of what is left of some.
struct Waiting<'g> {
    group: &'g [Stretch],
    names: &'g [Name],
    /// For each length, of secrets behind all others, the last one that waits.
    lasts: Vec<u32>,
    longest: usize,
    /// For each the one that waited before it.
    befores: Vec<u32>,
    rests: Vec<Stretch>,
    /// The last of the rests that wait no more, in the same way: their room is for others.
    free: u32,
}

impl Waiting<'_> {
    fn stretch(&self, place: u32) -> Stretch {
        let at = place as usize - 1;
        let own = self.group.get(at);
        *own.unwrap_or_else(|| &self.rests[at - self.group.len()])
    }

    fn push(&mut self, stretch: Stretch, place: usize) {
        let secret = self.names[stretch.name() as usize].why == Why::Secret;
        let last = &mut self.lasts[stretch.length() + usize::from(secret) * (self.longest + 1)];
        self.befores[place - 1] = core::mem::replace(last, place as u32);
    }

    fn push_rest(&mut self, rest: Stretch) {
        let mut place = self.free as usize;
        if place == 0 {
            self.rests.push(rest);
            self.befores.push(0);
            place = self.befores.len();
        }
        self.free = self.befores[place - 1];
        self.rests[place - 1 - self.group.len()] = rest;
        self.push(rest, place);
    }

    /// Takes the places of those that are the best by secret and length, in their order; false where none waits.
    fn take_best(&mut self, best: &mut Vec<u32>) -> bool {
        best.clear();
        while self.lasts.pop_if(|last| *last == 0).is_some() {}
        let mut place = self.lasts.pop().unwrap_or_default();
        while place != 0 {
            best.push(place);
            place = self.befores[place as usize - 1];
        }
        best.reverse();
        let rated = |place: &u32| {
            let stretch = self.stretch(*place);
            (rating(stretch, self.names), Reverse(stretch))
        };
        sort_runs(best, &|a, b| rated(a) > rated(b));
        !best.is_empty()
    }

    /// What waited at a place, which is free from now on.
    fn take(&mut self, place: u32) -> Stretch {
        let stretch = self.stretch(place);
        if place as usize > self.group.len() {
            self.befores[place as usize - 1] = core::mem::replace(&mut self.free, place);
        }
        stretch
    }
}

/// How good a stretch is, the best the greatest: whether it is a secret, how long it is, its precedence. Where
/// that is the same, the first one is the best.
fn rating(stretch: Stretch, names: &[Name]) -> u64 {
    let name = &names[stretch.name() as usize];
    let secret = u64::from(name.why == Why::Secret);
    secret << 40 | (stretch.length() as u64) << 8 | (0xff - precedence(name)) as u64
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

/// Rule 5 after the longest match, the best the least: what made it a name, then what it is.
fn precedence(name: &Name) -> usize {
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
    16 * reason + usize::from(form)
}

/// The place of each kind: behind what a pattern of the caller's shows, structured forms in their
/// order, names behind them, numbers last.
static FORMS: [u8; KindId::COUNT] = {
    const ORDER: [Kind; 7] = [
        Kind::Url,
        Kind::Cve,
        Kind::Secret,
        Kind::Endpoint,
        Kind::Path,
        Kind::Version,
        Kind::Date,
    ];
    let mut forms = [ORDER.len() as u8 + 1; KindId::COUNT];
    let mut at = 0;
    while at < ORDER.len() {
        forms[ORDER[at] as usize] = at as u8 + 1;
        at += 1;
    }
    forms[Kind::Num as usize] = ORDER.len() as u8 + 2;
    forms
};
