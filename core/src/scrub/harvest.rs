//! What is a name: from the glossary, the claims and the evidence into one lexicon.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use super::{
    Why,
    lexicon::{Lexicon, Name, NameId, Rank, hash_of},
    scanner::{Scan, fold},
    secrets,
    structure::{self, Find, Reading, shapes},
    words::{self, COMMON},
};
use crate::profile::{Kind, Profile};

pub(super) struct Harvest<'a> {
    profile: &'a Profile,
    hide_secrets: bool,
    pub(super) lexicon: Lexicon,
    /// Each claim's names, in the claims' order.
    pub(super) claims: Vec<BTreeSet<NameId>>,
    naming: BTreeMap<NameId, Vec<usize>>,
    /// The stems of the files that claims name. They are not scrubbed for it.
    derived: BTreeMap<NameId, Vec<usize>>,
    /// Words that open a claim, by their atom's hash: names if the evidence says so.
    openers: BTreeMap<u64, Vec<(usize, String)>>,
}

/// A name where structure or its shape shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) name: NameId,
}

impl<'a> Harvest<'a> {
    pub(super) fn new(profile: &'a Profile, hide_secrets: bool) -> Self {
        Self {
            profile,
            hide_secrets,
            lexicon: Lexicon::default(),
            claims: Vec::new(),
            naming: BTreeMap::new(),
            derived: BTreeMap::new(),
            openers: BTreeMap::new(),
        }
    }

    pub(super) fn glossary(&mut self, kind: Kind, name: &str) {
        let entry = Name::new(kind, Rank::Glossary, Why::Glossary, true);
        self.lexicon.add(name, entry);
    }

    /// Takes what a claim names.
    pub(super) fn claim(&mut self, text: &str) {
        let scan = Scan::new(text);
        let claim = self.claims.len();
        let mut names = BTreeSet::new();
        for find in structure::finds(&scan, Reading::Claim) {
            let Some(kind) = self.named_kind(&find) else {
                continue;
            };
            let surface = &text[find.start..find.end];
            if find.if_proper {
                let mut folded = String::new();
                fold(surface, |char| folded.push(char));
                let opener = self.openers.entry(hash_of(&folded)).or_default();
                opener.push((claim, surface.into()));
                continue;
            }
            let name = Name::new(kind, find.rank, Why::Claim, true);
            names.extend(self.lexicon.add(surface, name));
            if let Some(stem) = shapes::stem(surface).filter(|stem| !words::is_in(COMMON, stem)) {
                let name = Name::new(kind, Rank::Guess, Why::Shape, false);
                if let Some(name) = self.lexicon.add(stem, name) {
                    self.derived.entry(name).or_default().push(claim);
                }
            }
        }
        for name in &names {
            self.naming.entry(*name).or_default().push(claim);
        }
        self.claims.push(names);
    }

    /// Takes the words that open a claim and that this text writes with a capital.
    fn openers(&mut self, scan: &Scan<'_>) {
        if self.openers.is_empty() {
            return;
        }
        for word in structure::proper_words(scan) {
            for (claim, surface) in self.openers.remove(&word).into_iter().flatten() {
                let name = Name::new(Kind::Id, Rank::Shape, Why::Claim, true);
                if let Some(name) = self.lexicon.add(&surface, name)
                    && self.claims[claim].insert(name)
                {
                    self.naming.entry(name).or_default().push(claim);
                }
            }
        }
    }

    /// Takes what a text of the evidence shows to be names, and says where.
    pub(super) fn evidence(&mut self, scan: &Scan<'_>) -> Vec<Mark> {
        self.openers(scan);
        let mut marks = Vec::new();
        let hides = self.hide_secrets || self.profile.scrubs(Kind::Secret);
        if hides {
            for secret in secrets::find(scan) {
                let why = if self.hide_secrets {
                    Why::Secret
                } else {
                    Why::Shape
                };
                let name = Name::new(Kind::Secret, Rank::Secret, why, secret.everywhere);
                let name = self.lexicon.add(&scan.text[secret.start..secret.end], name);
                marks.extend(name.map(|name| Mark {
                    start: secret.start,
                    end: secret.end,
                    name,
                }));
            }
        }
        for find in structure::finds(scan, Reading::Evidence) {
            let Some(kind) = find.kinds.iter().find(|kind| self.profile.scrubs(**kind)) else {
                continue;
            };
            let why = if find.rank == Rank::Shape {
                Why::Shape
            } else {
                Why::Structure
            };
            let name = Name::new(*kind, find.rank, why, find.everywhere);
            let name = self.lexicon.add(&scan.text[find.start..find.end], name);
            marks.extend(name.map(|name| Mark {
                start: find.start,
                end: find.end,
                name,
            }));
        }
        marks
    }

    /// The claims that name it, by position.
    pub(super) fn claims_naming(&self, name: NameId) -> impl Iterator<Item = usize> {
        self.naming.get(&name).into_iter().flatten().copied()
    }

    /// The claims that name a file with this stem, by position.
    pub(super) fn claims_deriving(&self, name: NameId) -> impl Iterator<Item = usize> {
        self.derived.get(&name).into_iter().flatten().copied()
    }

    /// The kind of what a claim names: one of the profile's, else one that every profile has.
    /// `None` for what is a name only in a profile that has a kind for it.
    fn named_kind(&self, find: &Find) -> Option<Kind> {
        const ALWAYS: [Kind; 4] = [Kind::Num, Kind::Str, Kind::Date, Kind::Id];
        let of_profile = find.kinds.iter().find(|kind| self.profile.scrubs(**kind));
        let common = || find.kinds.iter().find(|kind| ALWAYS.contains(kind));
        match of_profile.or_else(common) {
            Some(kind) => Some(*kind),
            None => (!find.only_in_profile).then_some(Kind::Id),
        }
    }
}
