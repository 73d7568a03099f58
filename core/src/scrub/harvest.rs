//! What is a name: from the glossary, the claims and the evidence into one lexicon.

use alloc::{string::String, vec::Vec};
use core::{cmp::Reverse, ops::Range};

use super::{
    Why,
    found::Found,
    hash::Filter,
    ideographs::Ideographs,
    kinds::KindId,
    lexicon::{Entry, Lexicon, NameId, Rank, Stretch},
    ordinary::is_ordinary,
    placeholders::REDACTED,
    scanner::{Scan, TokenKind, hash_of, is_ideograph, plain},
    secrets::{self, Secret},
    stretches::merge,
    structure::{self, Find, Reading, Shown, shapes},
    words::{self, COMMON, CUE, NOT_NAMES, QUALITY, Words, any_of},
};
use crate::{
    profile::{Kind, Profile},
    sort::{sort, sort_by},
};

/// What a text shows.
pub(super) struct Marked {
    /// Names.
    pub(super) marks: Vec<Stretch>,
    /// Where words stand on which the lines below rest.
    pub(super) bases: Vec<Range<usize>>,
}

pub(super) struct Harvest {
    /// The kinds that the profile scrubs.
    kinds: KindSet,
    hide_secrets: bool,
    pub(super) lexicon: Lexicon,
    /// Each claim's names, sorted, in the claims' order.
    pub(super) claims: Vec<Vec<Named>>,
    /// Names with the claims that name them.
    pub(super) naming: Pairs,
    /// The stems of the files that claims name. They are not scrubbed for it.
    pub(super) derived: Pairs,
    /// Plain words of claims, by their atom's hash: names if the evidence shows that. Sorted when
    /// the claims are in.
    openers: Vec<Opener>,
    /// Their atoms' hashes.
    awaited: Filter,
    ideographs: Ideographs,
}

/// A name in a claim.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Named {
    pub(super) name: NameId,
    /// The name itself, or the longer one that it is only a part of: the path of an endpoint.
    pub(super) term: NameId,
}

impl Named {
    fn alone(name: NameId) -> Self {
        Self { name, term: name }
    }
}

/// Names with positions of claims, or of spans. Sorted when the last is in.
pub(super) type Pairs = Vec<(NameId, usize)>;

struct Opener {
    word: u64,
    claim: usize,
    shown: Shown,
    entry: Entry,
    /// Absent when it has been made a name.
    surface: Option<String>,
}

/// A set of built-in kinds.
#[derive(Clone, Copy)]
struct KindSet(u64);

impl KindSet {
    const fn of(kinds: &[Kind]) -> Self {
        let mut set = 0;
        let mut at = 0;
        while at < kinds.len() {
            set |= 1 << kinds[at] as u64;
            at += 1;
        }
        Self(set)
    }

    /// The first of `kinds` that is in the set.
    fn first(self, kinds: &[Kind]) -> Option<Kind> {
        kinds.iter().copied().find(|kind| self.has(*kind))
    }

    fn has(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u64 != 0
    }
}

impl Harvest {
    pub(super) fn new(profile: &Profile, hide_secrets: bool) -> Self {
        Self {
            kinds: KindSet::of(&profile.kinds),
            hide_secrets,
            lexicon: Lexicon::default(),
            claims: Vec::new(),
            naming: Vec::new(),
            derived: Vec::new(),
            openers: Vec::new(),
            awaited: Filter::default(),
            ideographs: Ideographs::default(),
        }
    }

    pub(super) fn glossary(&mut self, kind: KindId, name: &str) {
        let entry = Entry {
            kind,
            rank: Rank::Glossary,
            why: Why::Glossary,
            everywhere: true,
        };
        if self.lexicon.add(name, entry).is_none() && name.contains(is_ideograph) {
            let added = self.lexicon.add_found(name, entry);
            self.ideographs.add(name, added);
        }
    }

    /// Takes what a claim names.
    pub(super) fn claim(&mut self, scan: &Scan<'_>, found: &[Found]) {
        let claim = self.claims.len();
        let mut places = Vec::new();
        let mut read = |scan: &Scan<'_>| {
            structure::finds(scan, Reading::Claim, &mut |find| {
                let name = self.named(scan, claim, find);
                places.extend(name.map(|name| (find.from, Reverse(find.to), name)));
            });
        };
        let text = scan.text.is_ascii().then_some(scan.text);
        let plain: String = text.map_or_else(|| plain(scan.text).collect(), String::from);
        match structure::unmarked(&plain) {
            None if text.is_some() => read(scan),
            unmarked => read(&Scan::new(&unmarked.unwrap_or(plain))),
        }
        let mut names = terms(places);
        let found = self.found(scan, found, Why::Claim);
        names.extend(found.iter().map(|stretch| Named::alone(stretch.name())));
        // What is a name by itself is no part of another.
        sort_by(&mut names, |a, b| {
            (a.name, a.term != a.name) < (b.name, b.term != b.name)
        });
        names.dedup_by_key(|named| named.name);
        for Named { name, .. } in &names {
            self.lexicon.names[*name as usize].claimed = true;
            self.naming.push((*name, claim));
        }
        self.claims.push(names);
        // What only a claim shows to be a secret is one in the evidence, too, where it can be nothing else.
        for (secret, entry) in self.secrets(scan) {
            if secret.everywhere && secrets::is_mixed(scan.text_of(secret.from, secret.to)) {
                secret.add_to(&mut self.lexicon, scan, entry);
            }
        }
    }

    /// The secrets of a text, with what they are as names, where they are to be hidden.
    fn secrets(&self, scan: &Scan<'_>) -> impl Iterator<Item = (Secret, Entry)> + use<> {
        let wanted = self.hide_secrets || self.kinds.has(Kind::Secret);
        let why = match self.hide_secrets {
            true => Why::Secret,
            false => Why::Shape,
        };
        let secrets = if wanted {
            secrets::find(scan)
        } else {
            Vec::new()
        };
        secrets.into_iter().map(move |secret| {
            let entry = Entry {
                kind: Kind::Secret.into(),
                rank: Rank::Secret,
                why,
                everywhere: secret.everywhere,
            };
            (secret, entry)
        })
    }

    /// Takes one thing that a claim names.
    fn named(&mut self, scan: &Scan<'_>, claim: usize, find: &Find) -> Option<NameId> {
        // `has the value "calm"`, where no value is a kind
        let quote = |mark| find.from > 0 && scan.is_mark(find.from - 1, mark);
        let quoted = quote(b'"') || quote(b'\'');
        let kind = match self.named_kind(find)? {
            Kind::Id if quoted && find.kinds == [Kind::Value] => Kind::Str,
            kind => kind,
        };
        let surface = scan.text_of(find.from, find.to);
        let entry = Entry {
            kind: kind.into(),
            // What the claim calls it is none of the profile's kinds: the evidence may know one.
            rank: match self.kinds.has(kind) {
                true => find.rank,
                false => find.rank.min(Rank::Shape),
            },
            why: Why::Claim,
            everywhere: true,
        };
        if let Some(shown) = find.if_shown {
            let word = hash_of(surface);
            self.awaited.note(word);
            self.openers.push(Opener {
                word,
                claim,
                shown,
                entry,
                surface: Some(surface.into()),
            });
            return None;
        }
        let mut name = self.lexicon.add_tokens(scan, find.from, find.to, entry);
        let ideographs =
            (find.from..find.to).any(|at| scan.kind(at) == Some(TokenKind::IDEOGRAPHS));
        if name.is_none() && ideographs {
            let added = self.lexicon.add_found(surface, entry);
            self.ideographs.add(surface, added);
            name = Some(added);
        }
        // "version 2" is `v2`, too; the point of `v2.1` shows what that is.
        if let Some(name) = name.filter(|_| find.kinds[0] == Kind::Version) {
            self.lexicon.add_alias(name, &["v", surface].concat());
        }
        // "email" is "e-mail", too: behind the letter another word begins.
        if let Some(rest) = surface.strip_prefix(['e', 'E'])
            && find.to == find.from + 1
            && name.is_some()
            && is_ordinary(rest)
        {
            self.lexicon.add(&["e-", rest].concat(), entry);
        }
        if let Some(stem) = shapes::stem(surface).filter(|stem| !words::is_in(COMMON, stem)) {
            let entry = Entry {
                kind: kind.into(),
                rank: Rank::Guess,
                why: Why::Shape,
                everywhere: false,
            };
            if let Some(name) = self.lexicon.add(stem, entry) {
                self.lexicon.names[name as usize].claimed = true;
                self.derived.push((name, claim));
            }
        }
        name
    }

    /// Ends the claims: what follows is evidence.
    pub(super) fn end_claims(&mut self) {
        sort_by(&mut self.openers, |a, b| {
            (a.word, a.shown, a.claim) < (b.word, b.shown, b.claim)
        });
        self.ideographs.end();
    }

    /// Takes the plain words of claims that this text writes with a capital, or as a key or the like.
    fn openers(&mut self, scan: &Scan<'_>) {
        if self.openers.is_empty() {
            return;
        }
        for atom in &scan.capitals {
            let word = atom.hash();
            let awaited = self.awaited.may_have(word) && self.awaits(word, Shown::Proper);
            if awaited && structure::is_proper(scan, atom.token()) {
                self.opener(word, Shown::Proper);
            }
        }
        if self.openers.iter().all(|one| one.shown != Shown::Named) {
            return;
        }
        // Of words that say how things are.
        for atom in &scan.atoms {
            let quality = scan.lists(atom.token()).has(QUALITY);
            let awaited =
                || self.awaited.may_have(atom.hash()) && self.awaits(atom.hash(), Shown::Named);
            if quality && awaited() && is_marked(scan, atom.token()) {
                self.opener(atom.hash(), Shown::Named);
            }
        }
    }

    /// Whether a word is a plain one of claims that is a name if this shows it.
    fn awaits(&self, word: u64, shown: Shown) -> bool {
        let own = |opener: &Opener| (opener.word, opener.shown);
        self.openers
            .binary_search_by_key(&(word, shown), own)
            .is_ok()
    }

    /// Takes a plain word of claims for which the evidence shows what it is.
    fn opener(&mut self, word: u64, shown: Shown) {
        if shown == Shown::Used {
            self.opener(word, Shown::Proper);
        }
        let wanted = (word, shown);
        let first = self
            .openers
            .partition_point(|opener| (opener.word, opener.shown) < wanted);
        let same = self.openers[first..]
            .iter_mut()
            .take_while(|opener| (opener.word, opener.shown) == wanted);
        // All of them are taken at the word's first place, so that the others cost nothing.
        for opener in same.take_while(|opener| opener.surface.is_some()) {
            let Some(surface) = opener.surface.take() else {
                continue;
            };
            let names = &mut self.claims[opener.claim];
            if let Some(name) = self.lexicon.add(&surface, opener.entry)
                && let Err(place) = names.binary_search_by_key(&name, |named| named.name)
            {
                names.insert(place, Named::alone(name));
                self.lexicon.names[name as usize].claimed = true;
                self.naming.push((name, opener.claim));
            }
        }
    }

    /// Takes what the caller's patterns match, and says where. What is scrubbed already stays, and what
    /// touches it, which was left on purpose.
    fn found(&mut self, scan: &Scan<'_>, found: &[Found], why: Why) -> Vec<Stretch> {
        let scrubbed = |found: &Found| {
            let (from, to) = (scan.token_at(found.start), scan.token_at(found.end));
            (from.saturating_sub(1)..=to).any(|at| scan.kind(at) == Some(TokenKind::PLACEHOLDER))
        };
        let mut marks = Vec::with_capacity(found.len());
        for found in found {
            let Some(surface) = scan.text.get(found.start..found.end) else {
                continue;
            };
            if surface.is_empty() || scan.has_placeholders && scrubbed(found) {
                continue;
            }
            let entry = Entry {
                kind: found.kind,
                rank: Rank::Pattern,
                why,
                everywhere: true,
            };
            let name = self.lexicon.add_found(surface, entry);
            marks.push(Stretch::new(found.start, found.end, name));
        }
        marks
    }

    /// Takes what a text of the evidence shows to be names, and says where.
    pub(super) fn evidence(&mut self, scan: &Scan<'_>, found: &[Found]) -> Marked {
        self.openers(scan);
        let found = self.found(scan, found, Why::Shape);
        let mut shown = Vec::new();
        let mut marked = self.shown(scan, Some(&mut shown));
        sort(&mut shown);
        shown.dedup();
        for (word, shown) in shown {
            self.opener(word, shown);
        }
        marked.marks = merge(found, marked.marks);
        marked
    }

    /// The same of one that is read as it is when its names are gone: what shows only then is a name nowhere else.
    pub(super) fn rest(&mut self, scan: &Scan<'_>) -> Vec<Stretch> {
        let Marked { mut marks, .. } = self.shown(scan, None);
        let names = &self.lexicon.names;
        self.lexicon.hits(scan, &mut |hit| {
            if names[hit.name() as usize].everywhere {
                marks.push(hit);
            }
        });
        marks
    }

    /// Takes what its own structure and shapes show, and notes what they show of plain words of claims.
    fn shown(&mut self, scan: &Scan<'_>, mut shown: Option<&mut Vec<(u64, Shown)>>) -> Marked {
        let fresh = shown.is_some();
        let mut secrets = Vec::new();
        let mut marks = Vec::with_capacity(scan.tokens.len() / 8);
        self.ideographs.find(scan, &mut marks);
        let own_secrets = self.secrets(scan);
        let lexicon = &mut self.lexicon;
        let mark = |lexicon: &mut Lexicon, marks: &mut Vec<Stretch>, from, to, mut entry: Entry| {
            entry.everywhere &= fresh;
            let name = lexicon.add_tokens(scan, from, to, entry);
            marks.extend(name.map(|name| Stretch::new(scan.start(from), scan.start(to), name)));
        };
        for (secret, entry) in own_secrets {
            let name = secret.add_to(lexicon, scan, entry);
            let (start, end) = (secret.start(scan), scan.start(secret.to));
            secrets.extend(name.map(|name| Stretch::new(start, end, name)));
        }
        let left = Left::of(scan);
        let kinds = self.kinds;
        let awaited = &self.awaited;
        let mut bases = Vec::new();
        structure::finds(scan, Reading::Evidence, &mut |find| {
            if find.kinds.is_empty() {
                return bases.push(scan.start(find.from)..scan.start(find.to));
            }
            let scrubbed = match find.wide {
                true => &left.rests,
                false => &left.lines,
            };
            let place = scrubbed.partition_point(|place| place.end <= find.from);
            let scrubbed = scrubbed
                .get(place)
                .is_some_and(|place| place.start < find.to);
            if scrubbed && !stands_for_itself(scan, find) {
                return;
            }
            if let Some(shown) = &mut shown
                && let [one] = scan.atoms_of(find.from, find.to)
                && awaited.may_have(one.hash())
                && (!find.if_named || is_announced(scan, find))
            {
                let is = |kind| find.kinds.contains(&kind);
                let table = find.rank == Rank::Definition && find.everywhere && is(Kind::Table);
                shown.push((one.hash(), Shown::Named));
                if table || is(Kind::Func) && scan.is_mark(find.to, b'(') {
                    shown.push((one.hash(), Shown::Used));
                }
            }
            let Some(kind) = kinds.first(find.kinds) else {
                return;
            };
            let named = || {
                let word = scan.first_atom(find.from);
                let known = word.and_then(|word| lexicon.claimed(word.hash()));
                known.is_some_and(|known| find.to == find.from + 1 || known == kind.into())
            };
            if find.if_named && !named() {
                return;
            }
            let why = match find.rank {
                Rank::Shape => Why::Shape,
                _ => Why::Structure,
            };
            let entry = Entry {
                kind: kind.into(),
                rank: find.rank,
                why,
                everywhere: find.everywhere && !is_small(scan, find),
            };
            mark(lexicon, &mut marks, find.from, find.to, entry);
        });
        Marked {
            marks: merge(secrets, marks),
            bases,
        }
    }

    /// Ends the harvest: who names what may be asked from now on.
    pub(super) fn end(&mut self) {
        sort(&mut self.naming);
        sort(&mut self.derived);
    }

    /// The kind of what a claim names: one of the profile's, else one that every profile has.
    /// `None` for what is a name only in a profile that has a kind for it.
    fn named_kind(&self, find: &Find) -> Option<Kind> {
        const ALWAYS: KindSet = KindSet::of(&[Kind::Num, Kind::Str, Kind::Date, Kind::Id]);
        // A date that a claim names is one, also where others count as numbers.
        if find.kinds[0] == Kind::Date {
            return Some(Kind::Date);
        }
        let kind = self.kinds.first(find.kinds);
        kind.or_else(|| ALWAYS.first(find.kinds))
            .or_else(|| (!find.only_in_profile).then_some(Kind::Id))
    }
}

/// "the archive schema": whether the word beside a find says that it is a name, and no other noun; not "the error type". Of
/// a word that says how things are that is the one before: "a column active.", not "the active column".
fn is_announced(scan: &Scan<'_>, find: &Find) -> bool {
    let ends = || {
        let next = scan.kind(find.to);
        next.is_none_or(|next| next.is_mark() || next == TokenKind::NEWLINE)
    };
    let cued = |at: usize| scan.lists(at).has(CUE);
    !find.kinds.contains(&Kind::Dtype)
        && match scan.lists(find.from).has(QUALITY) {
            true => find.from > 1 && cued(find.from - 2) && ends(),
            false => cued(find.to + 1),
        }
}

/// `strict: false`, `"strict"`, `--strict`, `| strict |`: whether marks set the token apart as they do a name.
fn is_marked(scan: &Scan<'_>, at: usize) -> bool {
    let marked =
        |at: usize, marks: &[u8]| scan.kind(at).is_some_and(|kind| marks.contains(&kind.0));
    let space = |at: usize| usize::from(scan.is_space(at));
    let next = at + 1 + space(at + 1);
    let before = at.wrapping_sub(1);
    let first = before.wrapping_sub(space(before));
    marked(at + 1, b":=`\"'")
        || marked(before, b"-`\"'$@,")
        || marked(next, b"=|")
        || marked(first, b"|")
}

/// Whether it is a letter or a word as "from", "which": it is a name where it stands as one, and elsewhere
/// the word that everybody writes.
fn is_small(scan: &Scan<'_>, find: &Find) -> bool {
    const NOUNS: &Words = any_of!("query set type value values");
    let [one] = scan.atoms_of(find.from, find.to) else {
        return false;
    };
    let noun = || NOUNS.has(scan.word(one.token()));
    one.end() == one.start() + 1 || scan.lists(one.token()).has(NOT_NAMES) && !noun()
}

/// Whether it is what it is by its own letters and marks, whatever stands beside it, and white space keeps
/// what is scrubbed away from it: had it been there, an earlier scrub had taken it.
fn stands_for_itself(scan: &Scan<'_>, find: &Find) -> bool {
    const REACH: usize = 64;
    let own = match find.kinds[0] {
        // `src/a.ts:12`
        Kind::Line => find.from > 0 && scan.is_mark(find.from - 1, b':'),
        Kind::Id => find.rank == Rank::Shape && find.to > find.from + 1,
        Kind::Cve
        | Kind::Vuln
        | Kind::Url
        | Kind::Path
        | Kind::Endpoint
        | Kind::Version
        | Kind::Date
        | Kind::Num => find.rank == Rank::Shape,
        _ => false,
    };
    let mut before = (0..find.from).rev().map(|at| scan.kind(at)).take(REACH);
    let mut behind = (find.to..).map(|at| scan.kind(at)).take(REACH);
    let ends = |kind: &Option<TokenKind>| {
        matches!(
            kind,
            None | Some(TokenKind::SPACE | TokenKind::NEWLINE | TokenKind::PLACEHOLDER)
        )
    };
    let apart = |end: Option<Option<TokenKind>>, whole: bool| match end {
        Some(kind) => kind != Some(TokenKind::PLACEHOLDER),
        None => whole,
    };
    own && apart(before.find(ends), find.from < REACH) && apart(behind.find(ends), false)
}

/// What is left of a text that has been scrubbed was left on purpose: only what is named, what is secret and what
/// stands for itself goes from it, so that a second scrub changes nothing. Places are told by their tokens.
#[derive(Default)]
struct Left {
    /// The lines that hold a placeholder.
    lines: Vec<Range<usize>>,
    /// They, and the lines that follow up to one that is blank and in no brackets.
    rests: Vec<Range<usize>>,
}

impl Left {
    fn of(scan: &Scan<'_>) -> Self {
        let mut left = Self::default();
        if !scan.has_placeholders {
            return left;
        }
        // Where the line begins, and how many brackets are open of what was scrubbed.
        let (mut start, mut depth) = (0, 0_usize);
        for line in scan
            .tokens
            .split_inclusive(|token| token.kind == TokenKind::NEWLINE)
        {
            let end = start + line.len();
            let (mut blank, mut own) = (true, false);
            let goes_on = left.rests.last().is_some_and(|rest| rest.end == start);
            for (at, token) in (start..).zip(line) {
                match token.kind {
                    // `[REDACTED]` is what somebody else took out.
                    TokenKind::PLACEHOLDER => own |= !scan.is_word(at, REDACTED),
                    TokenKind(b'(' | b'{') => depth += 1,
                    TokenKind(b')' | b'}') => depth = depth.saturating_sub(1),
                    _ => {}
                }
                blank &= matches!(token.kind, TokenKind::SPACE | TokenKind::NEWLINE);
            }
            if own {
                left.lines.push(start..end);
            }
            match left.rests.last_mut().filter(|_| goes_on) {
                Some(rest) if !blank || depth > 0 => rest.end = end,
                _ if own => left.rests.push(start..end),
                _ => depth = 0,
            }
            start = end;
        }
        left
    }
}

/// The names that stand in a claim, each with the longest one that it stands in.
fn terms(mut places: Vec<(usize, Reverse<usize>, NameId)>) -> Vec<Named> {
    sort(&mut places);
    let mut outer: Option<(usize, NameId)> = None;
    let named = places
        .into_iter()
        .map(|(_, Reverse(to), name)| match outer {
            Some((end, term)) if to <= end => Named { name, term },
            _ => {
                outer = Some((to, name));
                Named::alone(name)
            }
        });
    named.collect()
}

/// Those of sorted pairs that are a name's.
pub(super) fn of_name(pairs: &Pairs, name: NameId) -> &[(NameId, usize)] {
    let behind = &pairs[pairs.partition_point(|(known, _)| *known < name)..];
    &behind[..behind.partition_point(|(known, _)| *known == name)]
}
