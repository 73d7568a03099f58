//! Secrets of the evidence in claims: in other letters, in parts, and those that only a claim tells.

use alloc::{string::String, sync::Arc, vec::Vec};

use super::{Secret, find, has_digit, has_letter, is_mixed, is_telling};
use crate::{
    evidence::Span,
    profile::Kind,
    scrub::{
        hash::{self, Table},
        kinds::Kinds,
        placeholders::{self, Numbering},
        scanner::{Scan, fold, hash_of, is_word},
    },
    sort::sort_by,
};

/// A text as names are compared, all white space one space.
struct Folded<'t> {
    text: String,
    original: &'t str,
    /// Where what each byte stands for begins in the original, and where that ends.
    places: Vec<usize>,
}

impl<'t> Folded<'t> {
    fn new(original: &'t str) -> Self {
        let mut text = String::with_capacity(original.len());
        let mut places = Vec::with_capacity(original.len() + 1);
        for (place, char) in original.char_indices() {
            if !char.is_whitespace() {
                let mut bytes = [0; 4];
                fold(char.encode_utf8(&mut bytes), &mut |char| text.push(char));
            } else if !text.ends_with(' ') {
                text.push(' ');
            }
            places.resize(text.len(), place);
        }
        places.push(original.len());
        Self {
            text,
            original,
            places,
        }
    }

    /// Whether no word goes on at a byte.
    fn is_edge(&self, at: usize) -> bool {
        let place = self.places[at];
        let char_at = |place: usize| self.original[place..].chars().next().unwrap_or(' ');
        // What has no width stands between them.
        let before = at.checked_sub(1).map_or(' ', |at| char_at(self.places[at]));
        let next = char_at(place);
        let inside = |char: char| char != '_' && is_word(char);
        let hump = next.is_uppercase() && !before.is_uppercase();
        let split = at > 0 && self.places[at - 1] == place;
        !split && (hump || !inside(before) || !inside(next))
    }

    /// The original with what `find` finds at a byte, and behind where the last ends, replaced. Of two that overlap no
    /// part stays.
    fn replaced<'s>(&self, find: &dyn Fn(usize, usize) -> Option<(usize, &'s str)>) -> String {
        let mut result = String::with_capacity(self.original.len());
        let (mut end, mut done, mut inert) = (0, 0, 0);
        for (at, _) in self.text.char_indices() {
            let place = self.places[at];
            if at < inert {
            } else if let Some(placeholder) = placeholders::at(self.original, place) {
                inert = at + placeholder.end - place;
            } else if let Some((to, placeholder)) = find(at, end).filter(|(to, _)| *to > end) {
                result.push_str(self.original.get(done..place).unwrap_or_default());
                result.push_str(placeholder);
                (end, done) = (to, self.places[to]);
            }
        }
        result.push_str(&self.original[done..]);
        result
    }
}

/// Secrets of the evidence with their placeholders.
pub(crate) struct Known<'s> {
    /// By text, each once: the folded text, its placeholder, and the longest other that it begins with, from 1.
    secrets: Vec<(String, &'s str, usize)>,
}

/// How long a part of a secret is that is hidden, too: a shorter one may be a word that stands elsewhere.
const LEAST_PART: usize = 16;

impl<'s> Known<'s> {
    /// Of equal texts the last one's placeholder counts.
    pub(in crate::scrub) fn new(secrets: &mut dyn Iterator<Item = (&'s str, &'s str)>) -> Self {
        let mut known = Vec::new();
        for (nth, (text, placeholder)) in secrets.enumerate() {
            let mut add = |text, nth| known.push((Folded::new(text).text, placeholder, nth));
            // The password of `user:password` by itself, where that has no other placeholder.
            if let Some((_, password)) = str::split_once(text, ':')
                && is_telling(password)
                && is_mixed(password)
            {
                add(password, 0);
            }
            add(text, nth + 1);
        }
        known.retain(|(text, ..)| !text.is_empty());
        sort_by(&mut known, |(a, _, nth), (b, _, other)| {
            (a, other) < (b, nth)
        });
        known.dedup_by(|(a, ..), (b, ..)| a == b);
        for at in 0..known.len() {
            // The one before it, or what that begins with.
            let mut other = at;
            while other > 0 && !known[at].0.starts_with(&known[other - 1].0) {
                other = known[other - 1].2;
            }
            known[at].2 = other;
        }
        Self { secrets: known }
    }

    /// Replaces the secrets that claims quote; also says for each whether there were any. One that is not
    /// in the evidence gets a placeholder of its own, the same in every claim, which stands nowhere else:
    /// neither in a claim nor in `spans`, the evidence as it was scrubbed.
    pub(crate) fn hide(&self, claims: &[&str], spans: &[Span]) -> Vec<(String, bool)> {
        let mut hidden: Vec<String> = claims.iter().map(|claim| self.hide_known(claim)).collect();
        let mut fresh = None;
        for claim in &mut hidden {
            let scan = Scan::new(claim);
            let secrets = find(&scan);
            if !secrets.is_empty() {
                let fresh = fresh.get_or_insert_with(|| self.fresh(claims, spans));
                *claim = fresh.hide(&scan, secrets, self);
            }
        }
        // Another claim may quote it where nothing says what it is.
        if let Some(fresh) = &fresh {
            let known = fresh.known();
            for claim in &mut hidden {
                *claim = known.hide_known(claim);
            }
        }
        // Parts come last: tokens of one kind begin alike, and each is whole until it is hidden.
        let changed = |(hidden, claim): (String, &&str)| {
            let any = hidden != **claim;
            (hidden, any)
        };
        let hidden = self.hide_parts(&hidden).into_iter();
        hidden.zip(claims).map(changed).collect()
    }

    /// The claims without the lines of a key, the parts of a token, or a half of either.
    fn hide_parts(&self, claims: &[String]) -> Vec<String> {
        let claims: Vec<Folded<'_>> = claims.iter().map(|claim| Folded::new(claim)).collect();
        // For each stretch of a claim the secret that it is in, from 1.
        let mut parts = Table::default();
        for word in claims.iter().flat_map(|claim| claim.text.split(' ')) {
            if word.len() >= LEAST_PART && has_digit(word) && has_letter(word) {
                for part in word.as_bytes().windows(LEAST_PART) {
                    parts.entry(hash::exact(part));
                }
            }
        }
        for (nth, (text, ..)) in (1..).zip(&self.secrets) {
            // Of `user:password` only the password.
            let own = text.rsplit(':').next().unwrap_or_default();
            for part in own.as_bytes().windows(LEAST_PART).map(hash::exact) {
                if parts.get(part) == Some(0) {
                    *parts.entry(part) = nth;
                }
            }
        }
        let hide = |claim: &Folded<'_>| {
            let secret = |at: usize| {
                let part = claim.text.as_bytes().get(at..at + LEAST_PART)?;
                parts.get(hash::exact(part))?.checked_sub(1)
            };
            claim.replaced(&|at, end| {
                let nth = secret(at).filter(|_| at >= end)?;
                let more = (at + 1..).take_while(|at| secret(*at).is_some()).count();
                Some((at + more + LEAST_PART, self.secrets[nth as usize].1))
            })
        };
        claims.iter().map(hide).collect()
    }

    /// The claim with what is known replaced, but in longer words that only contain it.
    fn hide_known(&self, claim: &str) -> String {
        let claim = Folded::new(claim);
        claim.replaced(&|at, _| {
            let text = &claim.text[at..];
            let edge = claim.is_edge(at);
            let mut nth = self
                .secrets
                .partition_point(|(known, ..)| edge && &**known <= text);
            let mut begins = false;
            // The longest of all that a text begins with: it begins with those in it, too.
            while nth > 0 {
                let (known, placeholder, other) = &self.secrets[nth - 1];
                let end = at + known.len();
                begins = begins || text.starts_with(&**known);
                if begins && claim.is_edge(end) {
                    return Some((end, placeholder));
                }
                nth = *other;
            }
            None
        })
    }

    /// The placeholder of one that a text is the first part of: a key without its end.
    fn begun(&self, text: &str) -> Option<&'s str> {
        let text = Folded::new(text).text;
        let nth = self.secrets.partition_point(|(known, ..)| *known < text);
        let (known, placeholder, _) = self.secrets.get(nth)?;
        (text.len() >= LEAST_PART && known.starts_with(&text)).then_some(*placeholder)
    }

    fn fresh(&self, claims: &[&str], spans: &[Span]) -> Fresh {
        let placeholders = self.secrets.iter().map(|(_, placeholder, _)| *placeholder);
        let sources = spans.iter().filter_map(|span| span.source.as_deref());
        let texts = spans.iter().map(|span| &*span.text).chain(sources);
        let mut fresh = Fresh::default();
        for text in placeholders.chain(texts).chain(claims.iter().copied()) {
            fresh.numbering.reserve(text, &Kinds::BUILT_IN);
        }
        fresh
    }
}

/// Secrets that claims quote and the evidence does not hold.
#[derive(Default)]
struct Fresh {
    numbering: Numbering,
    /// Each with its placeholder.
    secrets: Vec<(String, Arc<str>)>,
    /// The place of a text, from 1, by the hash of its folded form.
    known: Table,
}

impl Fresh {
    /// Those of them that are secrets wherever they stand.
    fn known(&self) -> Known<'_> {
        let all = self
            .secrets
            .iter()
            .map(|(text, placeholder)| (&**text, &**placeholder));
        Known::new(&mut all.filter(|(text, _)| is_telling(text)))
    }

    fn hide(&mut self, scan: &Scan<'_>, secrets: Vec<Secret>, known: &Known<'_>) -> String {
        let mut result = String::with_capacity(scan.text.len());
        let mut done = 0;
        for secret in secrets {
            let (start, end) = (secret.start(scan), scan.start(secret.to));
            if start < done {
                continue;
            }
            result.push_str(&scan.text[done..start]);
            let text = &scan.text[start..end];
            done = end;
            if let Some(placeholder) = known.begun(text) {
                result.push_str(placeholder);
                continue;
            }
            let known = self.known.entry(hash_of(text));
            if *known == 0 {
                let next = self.numbering.next(Kind::Secret.into(), &Kinds::BUILT_IN);
                self.secrets.push((text.into(), next));
                *known = self.secrets.len() as u64;
            }
            result.push_str(&self.secrets[*known as usize - 1].1);
        }
        result.push_str(&scan.text[done..]);
        result
    }
}
