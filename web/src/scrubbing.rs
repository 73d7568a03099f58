//! The scrub as the page shows it, made apart from the page: text of a megabyte must not stop anybody
//! from typing on. The page is told what is on its screen, and how much there is beside it.

use std::{cell::RefCell, collections::BTreeMap};

use claimgauge_core::{
    Error,
    evidence::{self, Claim, Span},
    patterns::KindName,
    profile::{Kind, Profile},
    scrub::{self, ByteOffset, Leak, LeakLevel, Replacement, Scrubbed, SpanField, Why},
};

use crate::{
    drawn::{self, Drawn},
    inputs::{Fault, Inputs},
    json::Json,
    pieces::Texts,
    wire::{Reader, Writer},
};

/// How long a piece of text is before it ends at the next line, or else the next word; at the latest at
/// twice that. In bytes.
const PIECE: usize = 600;

/// How many placeholders a piece has before it ends.
const MOST_MARKS: usize = 40;

/// How many pieces can be looked at: four megabytes.
const MOST_PIECES: usize = 6000;

/// How many leaks are listed.
const MOST_LEAKS: usize = 12;

/// How many claims are listed with what was taken out of them.
const MOST_CLAIMS: usize = 100;

/// How many forms of a name are told.
const MOST_FORMS: usize = 6;

/// What the page asks for: inputs are an object, a window is a list.
#[derive(Debug)]
pub(crate) enum Asked {
    Scrub(Box<Inputs>),
    /// The pieces from the first number up to the second.
    Window(usize, usize),
}

impl Asked {
    pub(crate) fn read(message: &str) -> Option<Self> {
        if message.starts_with('[') {
            let window = Json::read(message)?;
            let [from, to] = window.list()? else {
                return None;
            };
            return Some(Self::Window(from.number()? as usize, to.number()? as usize));
        }
        Inputs::read(message).map(|inputs| Self::Scrub(Box::new(inputs)))
    }
}

/// What the page is told: of a new scrub, or of the same one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Told {
    pub(crate) outline: Option<Outline>,
    pub(crate) window: Window,
}

/// A scrub as far as it does not depend on what is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outline {
    /// Whether there is any evidence.
    pub(crate) some: bool,
    /// Replacements in all.
    pub(crate) total: usize,
    pub(crate) sizes: Vec<Size>,
    /// Whether there is more than can be looked at.
    pub(crate) more: bool,
    /// What is still readable, as HTML; empty where nothing is.
    pub(crate) leaks: String,
    /// The claims, as HTML.
    pub(crate) claims: String,
}

/// How much of the screen a piece may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    pub(crate) chars: u32,
    pub(crate) lines: u32,
    /// Whether its span's id and source stand before it.
    pub(crate) head: bool,
}

/// The pieces that are looked at, and what their placeholders hide.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Window {
    pub(crate) first: usize,
    pub(crate) pieces: Vec<Drawn>,
    /// Each placeholder with that as HTML; those of the claims too.
    pub(crate) hidden: Vec<(String, String)>,
}

/// A part of a span's text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// The span's id and source, where it begins.
    pub(crate) head: Option<(String, Vec<Stretch>)>,
    pub(crate) text: Vec<Stretch>,
}

/// A name that is still readable: in words, where and how.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaking {
    pub(crate) term: String,
    pub(crate) words: String,
}

/// A claim, with the words behind placeholders, and how much of its names is gone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claimed {
    pub(crate) id: String,
    pub(crate) text: Vec<Stretch>,
    pub(crate) gone: usize,
    pub(crate) of: usize,
    /// Whether it cites a span that is not there: no judge is asked about it.
    pub(crate) is_astray: bool,
}

impl Claimed {
    /// Whether it quotes a secret.
    pub(crate) fn has_secret(&self) -> bool {
        let is_secret = |stretch: &Stretch| matches!(stretch, Stretch::Hidden { placeholder, .. } if placeholder.starts_with("[SECRET_"));
        self.text.iter().any(is_secret)
    }
}

/// A stretch of a span or a claim.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stretch {
    /// What both passes see.
    Kept(String),
    /// What the scrubbed pass does not.
    Hidden {
        placeholder: String,
        /// The class of its colour.
        family: String,
        text: String,
    },
    /// A name of a claim that both passes see.
    Leak(String),
    /// A name in a claim that the evidence does not have.
    Absent(String),
}

impl Stretch {
    /// What stands in the evidence.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Absent(text)
            | Self::Kept(text)
            | Self::Leak(text)
            | Self::Hidden { text, .. } => text,
        }
    }
}

/// What one placeholder hides.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hidden {
    pub(crate) family: String,
    /// What kind it is.
    pub(crate) label: String,
    /// The first forms that it stands for, each once.
    pub(crate) forms: Vec<String>,
    pub(crate) places: usize,
    pub(crate) why: String,
}

/// What begins a text that the page is told: it worked, or did not.
const SCRUBBED: char = '+';
const REFUSED: char = '-';

/// What the page is told, as text.
pub(crate) fn written(told: &Result<Told, Fault>) -> String {
    match told {
        Err(fault) => format!("{REFUSED}{fault}"),
        Ok(told) => {
            let mut to = Writer(SCRUBBED.to_string());
            told.write(&mut to);
            to.0
        }
    }
}

/// What the page was told; a fault in words.
pub(crate) fn read(text: &str) -> Option<Result<Told, String>> {
    if let Some(fault) = text.strip_prefix(REFUSED) {
        return Some(Err(fault.to_owned()));
    }
    let told = text.strip_prefix(SCRUBBED)?;
    Told::read(&mut Reader(told)).map(Ok)
}

impl Told {
    fn write(&self, to: &mut Writer) {
        to.list(self.outline.as_slice(), |to, outline| outline.write(to));
        self.window.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            outline: from.list(Outline::read)?.pop(),
            window: Window::read(from)?,
        })
    }
}

impl Outline {
    fn write(&self, to: &mut Writer) {
        to.number(self.some.into());
        to.number(self.total);
        to.list(&self.sizes, |to, size| {
            to.number(size.chars as usize);
            to.number(size.lines as usize);
            to.number(size.head.into());
        });
        to.number(self.more.into());
        to.text(&self.leaks);
        to.text(&self.claims);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            some: from.number()? > 0,
            total: from.number()?,
            sizes: from.list(|from| {
                Some(Size {
                    chars: from.number()? as u32,
                    lines: from.number()? as u32,
                    head: from.number()? > 0,
                })
            })?,
            more: from.number()? > 0,
            leaks: from.text()?,
            claims: from.text()?,
        })
    }
}

impl Window {
    fn write(&self, to: &mut Writer) {
        to.number(self.first);
        to.list(&self.pieces, |to, piece| {
            for html in piece {
                to.text(html);
            }
        });
        to.list(&self.hidden, |to, (placeholder, lens)| {
            to.text(placeholder);
            to.text(lens);
        });
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            first: from.number()?,
            pieces: from.list(|from| Some([from.text()?, from.text()?, from.text()?]))?,
            hidden: from.list(|from| Some((from.text()?, from.text()?)))?,
        })
    }
}

/// The last scrub, and the pieces of it that are looked at.
#[derive(Debug, Default)]
struct Last {
    outline: Outline,
    claims: Vec<Claimed>,
    pieces: Vec<Piece>,
    hidden: BTreeMap<String, Hidden>,
    window: (usize, usize),
}

thread_local! {
    static LAST: RefCell<Last> = RefCell::default();
}

/// How many pieces are shown before the page has said what it has room for.
const FIRST_WINDOW: usize = 8;

/// Does what the page asks for.
pub(crate) fn answer(asked: Asked) -> Result<Told, Fault> {
    LAST.with_borrow_mut(|last| match asked {
        Asked::Window(from, to) => {
            last.window = (from, to);
            Ok(Told {
                outline: None,
                window: last.window(),
            })
        }
        Asked::Scrub(inputs) => {
            // What is looked at stays, where there was anything to look at.
            let former = std::mem::take(last);
            *last = Last::of(&inputs).map_err(|error| Fault::from(&error))?;
            if former.outline.some {
                last.window = former.window;
            }
            Ok(Told {
                outline: Some(last.outline.clone()),
                window: last.window(),
            })
        }
    })
}

impl Last {
    /// Scrubs the inputs as a verification of them would.
    fn of(inputs: &Inputs) -> Result<Self, Error> {
        let request = inputs.request();
        let profile = request.profile()?;
        let names = request.glossary.unwrap_or_default();
        let glossary = evidence::glossary(&names, &profile)?;
        let spans = evidence::spans(request.evidence)?;
        let claims = evidence::claims(request.claims)?;
        let options = scrub::Options {
            glossary: &glossary,
            ..scrub::Options::default()
        };
        let scrubbed = scrub::scrub(&profile, &spans, &claims, &options);
        let mut told = told_claims(&profile, &claims, &spans, &scrubbed, &options);
        let hidden = hidden(&scrubbed);
        for stretch in told.iter_mut().flat_map(|claim| &mut claim.text) {
            if let Stretch::Hidden {
                placeholder, text, ..
            } = stretch
                && !hidden.contains_key(placeholder)
            {
                *stretch = Stretch::Absent(std::mem::take(text));
            }
        }
        Ok(Self::new(&spans, told, hidden, &scrubbed))
    }

    fn new(
        spans: &[Span],
        claims: Vec<Claimed>,
        hidden: BTreeMap<String, Hidden>,
        scrubbed: &Scrubbed,
    ) -> Self {
        let pieces = pieces(spans, scrubbed);
        let more = pieces.len() > MOST_PIECES;
        let leaks = scrubbed.leaks.iter().take(MOST_LEAKS).map(leaking);
        let leaks: Vec<Leaking> = leaks.collect();
        Self {
            outline: Outline {
                some: spans.iter().any(|span| !span.text.is_empty()),
                total: scrubbed.replacements.len(),
                sizes: pieces.iter().take(MOST_PIECES).map(Piece::size).collect(),
                more,
                leaks: drawn::leaks(&leaks, scrubbed.leaks.len()),
                claims: drawn::claims(&claims),
            },
            claims,
            pieces,
            hidden,
            window: (0, FIRST_WINDOW),
        }
    }

    fn window(&self) -> Window {
        let (from, to) = self.window;
        let end = to.min(self.pieces.len());
        let first = from.min(end);
        let pieces = &self.pieces[first..end];
        let looked_at = pieces.iter().flat_map(Piece::stretches);
        let claimed = self.claims.iter().flat_map(|claim| &claim.text);
        let marks = looked_at
            .chain(claimed)
            .filter_map(|stretch| match stretch {
                Stretch::Hidden { placeholder, .. } => Some(placeholder),
                _ => None,
            });
        // Each once.
        let mut looked_at = Texts::new();
        for placeholder in marks {
            if !looked_at.contains_key(placeholder) {
                looked_at.entry(placeholder.clone()).or_default();
            }
        }
        let hidden = looked_at.into_keys().filter_map(|placeholder| {
            let lens = drawn::lens(&placeholder, self.hidden.get(&placeholder)?);
            Some((placeholder, lens))
        });
        Window {
            first,
            pieces: pieces.iter().map(drawn::piece).collect(),
            hidden: hidden.collect(),
        }
    }
}

impl Piece {
    fn stretches(&self) -> impl Iterator<Item = &Stretch> {
        let source = self.head.iter().flat_map(|(_, source)| source);
        source.chain(&self.text)
    }

    fn size(&self) -> Size {
        let texts = || self.text.iter().map(Stretch::text);
        let chars: usize = texts().map(|text| text.chars().count()).sum();
        let lines: usize = texts().map(|text| text.matches('\n').count()).sum();
        Size {
            chars: chars as u32,
            lines: lines as u32,
            head: self.head.is_some(),
        }
    }
}

/// The first claims, with the words that the evidence has placeholders for: the claims are scrubbed by
/// the names that were found.
fn told_claims(
    profile: &Profile,
    claims: &[Claim],
    spans: &[Span],
    scrubbed: &Scrubbed,
    options: &scrub::Options<'_>,
) -> Vec<Claimed> {
    let first = &claims[..claims.len().min(MOST_CLAIMS)];
    let texts: Vec<Span> = first
        .iter()
        .map(|claim| Span {
            id: claim.id.clone(),
            text: claim.text.clone(),
            source: None,
        })
        .collect();
    let options = scrub::Options {
        previous: Some(&scrubbed.replacements),
        ..*options
    };
    let named = scrub::scrub(profile, &texts, first, &options);
    let mut replacements = named.replacements.as_slice();
    let is_there = |id: &String| spans.iter().any(|span| span.id == *id);
    let told = texts.iter().zip(first).zip(&scrubbed.removed);
    told.map(|((text, claim), removed)| Claimed {
        text: stretches(&text.text, next_of(&mut replacements, text).iter()),
        id: text.id.clone(),
        gone: removed.gone,
        of: removed.of,
        is_astray: !claim.cites.iter().flatten().all(is_there),
    })
    .collect()
}

/// The replacements of that span. They stand by span, in the spans' order.
fn next_of<'a>(
    replacements: &mut &'a [Replacement<ByteOffset>],
    span: &Span,
) -> &'a [Replacement<ByteOffset>] {
    let own = replacements
        .iter()
        .take_while(|replacement| *replacement.span == *span.id)
        .count();
    let (mine, rest) = replacements.split_at(own);
    *replacements = rest;
    mine
}

fn leaking(leak: &Leak) -> Leaking {
    Leaking {
        term: leak.term.to_string(),
        words: format!(
            " of {} is still in {}, {}",
            leak.claim,
            leak.span,
            level(leak.level)
        ),
    }
}

/// Cuts `text` at its replacements, which stand in its order and do not overlap.
pub(crate) fn stretches<'a>(
    text: &str,
    replacements: impl Iterator<Item = &'a Replacement<ByteOffset>>,
) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let mut at = 0;
    for replacement in replacements {
        let ByteOffset(start) = replacement.start;
        let ByteOffset(end) = replacement.end;
        // Only stretches that lie in this text can be shown; a longer text was cut before them.
        let (Some(kept), Some(_)) = (text.get(at..start), text.get(start..end)) else {
            break;
        };
        if !kept.is_empty() {
            stretches.push(Stretch::Kept(kept.to_owned()));
        }
        stretches.push(Stretch::Hidden {
            placeholder: replacement.placeholder.to_string(),
            family: family(&replacement.kind).to_owned(),
            text: replacement.text.to_string(),
        });
        at = end;
    }
    if let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        stretches.push(Stretch::Kept(rest.to_owned()));
    }
    stretches
}

/// All texts, in pieces. One more than can be looked at says that there are more.
fn pieces(spans: &[Span], scrubbed: &Scrubbed) -> Vec<Piece> {
    let mut replacements = scrubbed.replacements.as_slice();
    let mut pieces = Vec::new();
    for span in spans {
        let mine = next_of(&mut replacements, span);
        let of = |field| {
            mine.iter()
                .filter(move |replacement| replacement.field == field)
        };
        let source = stretches(span.source.as_deref().unwrap_or(""), of(SpanField::Source));
        let text = stretches(&span.text, of(SpanField::Text));
        let leaks = scrubbed.leaks.iter().take(MOST_LEAKS);
        let leaked: Vec<&str> = leaks
            .filter(|leak| *leak.span == *span.id)
            .map(|leak| &*leak.term)
            .collect();
        let mut head = Some((span.id.clone(), source));
        for text in split(with_leaks(text, &leaked)) {
            let head = head.take();
            pieces.push(Piece { head, text });
        }
        if pieces.len() > MOST_PIECES {
            break;
        }
    }
    pieces.truncate(MOST_PIECES + 1);
    pieces
}

/// Marks what the claims name and the scrub left.
fn with_leaks(stretches: Vec<Stretch>, leaked: &[&str]) -> Vec<Stretch> {
    leaked.iter().fold(stretches, |stretches, term| {
        let marked = stretches.into_iter().flat_map(|stretch| match stretch {
            Stretch::Kept(text) => cut_at(&text, term),
            other => vec![other],
        });
        marked.collect()
    })
}

/// A text cut where it holds `term`, in any case.
fn cut_at(text: &str, term: &str) -> Vec<Stretch> {
    let (low, term) = (text.to_ascii_lowercase(), term.to_ascii_lowercase());
    let mut cut = Vec::new();
    let mut at = 0;
    if !term.is_empty() {
        for (start, _) in low.match_indices(&*term) {
            let end = start + term.len();
            if start > at {
                cut.push(Stretch::Kept(text[at..start].to_owned()));
            }
            cut.push(Stretch::Leak(text[start..end].to_owned()));
            at = end;
        }
    }
    if at < text.len() {
        cut.push(Stretch::Kept(text[at..].to_owned()));
    }
    cut
}

/// Cuts a text into pieces, at least one: between lines or words where there are any.
fn split(stretches: Vec<Stretch>) -> Vec<Vec<Stretch>> {
    let mut pieces = Vec::new();
    let mut piece = Vec::new();
    let (mut bytes, mut marks) = (0, 0);
    for stretch in stretches {
        let Stretch::Kept(text) = &stretch else {
            if marks >= 2 * MOST_MARKS || bytes >= 2 * PIECE {
                pieces.push(std::mem::take(&mut piece));
                (bytes, marks) = (0, 0);
            }
            bytes += stretch.text().len();
            marks += 1;
            piece.push(stretch);
            continue;
        };
        let mut rest = text.as_str();
        loop {
            let room = if marks < MOST_MARKS { PIECE } else { 0 };
            let Some(end) = end_of_piece(rest, room.saturating_sub(bytes)) else {
                break;
            };
            piece.push(Stretch::Kept(rest[..end].to_owned()));
            pieces.push(std::mem::take(&mut piece));
            (bytes, marks) = (0, 0);
            rest = &rest[end..];
        }
        if !rest.is_empty() {
            bytes += rest.len();
            piece.push(Stretch::Kept(rest.to_owned()));
        }
    }
    if !piece.is_empty() || pieces.is_empty() {
        pieces.push(piece);
    }
    pieces
}

/// Where a piece ends that has room for so many bytes more; none where the text does.
fn end_of_piece(text: &str, room: usize) -> Option<usize> {
    let from = floor_char_boundary(text, room);
    let most = floor_char_boundary(text, room + PIECE);
    let rest = &text[from..most];
    let after = |mark| rest.find(mark).map(|at| from + at + 1);
    let end = after('\n').or_else(|| after(' ')).unwrap_or(most);
    (text.len() > room && end < text.len() && end > 0).then_some(end)
}

fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What the placeholders hide.
fn hidden(scrubbed: &Scrubbed) -> BTreeMap<String, Hidden> {
    let mut hidden: BTreeMap<String, Hidden> = BTreeMap::new();
    for replacement in &scrubbed.replacements {
        if !hidden.contains_key(&*replacement.placeholder) {
            let new = Hidden {
                family: family(&replacement.kind).to_owned(),
                label: replacement.kind.label().to_owned(),
                forms: Vec::new(),
                places: 0,
                why: reason(replacement.why).to_owned(),
            };
            hidden.insert(replacement.placeholder.to_string(), new);
        }
        if let Some(known) = hidden.get_mut(&*replacement.placeholder) {
            known.places += 1;
            let is_new = |form: &String| **form != *replacement.text;
            if known.forms.len() < MOST_FORMS && known.forms.iter().all(is_new) {
                known.forms.push(replacement.text.to_string());
            }
        }
    }
    hidden
}

/// Kinds that are alike have one colour; the word in the placeholder tells them apart.
fn family(kind: &KindName) -> &'static str {
    use Kind::*;
    let KindName::BuiltIn(kind) = kind else {
        return "mark value";
    };
    match kind {
        Table | Field | Col | Schema | Db | Index | Constraint | Dtype => "mark data",
        Class | Func | Method | Var | Type | Module | Pkg => "mark code",
        Path | Url | Endpoint | Line => "mark place",
        Config | Param | Cmd | Version => "mark setting",
        Cve | Vuln | Attack | Algo | Key | Secret | Perm | Role => "mark security",
        _ => "mark value",
    }
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::Claim => "a claim names it",
        Why::Glossary => "you named it",
        Why::Secret => "it is a secret, hidden in both passes",
        Why::Shape => "it looks like one",
        Why::Structure => "it stands where one stands",
    }
}

fn level(level: LeakLevel) -> &'static str {
    match level {
        LeakLevel::Whole => "as it is",
        LeakLevel::Form => "in another form",
        LeakLevel::Part => "as a part of a longer word",
        LeakLevel::Derived => "in something made from it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{Named, Place, SpanText};

    fn replacement(start: usize, text: &str, placeholder: &str) -> Replacement {
        Replacement {
            span: "S0".into(),
            field: SpanField::Text,
            start: ByteOffset(start),
            end: ByteOffset(start + text.len()),
            kind: Kind::Table.into(),
            placeholder: placeholder.into(),
            text: text.into(),
            why: Why::Claim,
        }
    }

    fn shown(stretches: &[Stretch]) -> String {
        let show = |stretch: &Stretch| match stretch {
            Stretch::Kept(text) => text.clone(),
            Stretch::Hidden { placeholder, .. } => placeholder.clone(),
            Stretch::Leak(text) => format!("!{text}!"),
            Stretch::Absent(text) => format!("?{text}?"),
        };
        stretches.iter().map(show).collect()
    }

    fn inputs(texts: &[&str], claims: &str) -> Inputs {
        let span = |text: &&str| SpanText {
            text: (*text).to_owned(),
            ..SpanText::default()
        };
        Inputs {
            evidence: texts.iter().map(span).collect(),
            claims: claims.to_owned(),
            ..Inputs::default()
        }
    }

    #[test]
    fn a_text_is_cut_at_its_replacements() {
        let replacements = [
            replacement(0, "users", "[TABLE_1]"),
            replacement(12, "Übung", "[TABLE_2]"),
        ];
        let cut = stretches("users über Übung", replacements.iter());
        assert_eq!(shown(&cut), "[TABLE_1] über [TABLE_2]");
    }

    #[test]
    fn a_text_that_ends_before_its_replacements_is_shown_as_far_as_it_goes() {
        let replacements = [
            replacement(2, "bc", "[TABLE_1]"),
            replacement(90, "x", "[TABLE_2]"),
        ];
        assert_eq!(
            shown(&stretches("a bcd", replacements.iter())),
            "a [TABLE_1]d"
        );
    }

    #[test]
    fn pieces_are_short_and_together_the_whole() {
        let texts = [
            "users have an email. ".repeat(400),
            "ä".repeat(5000),
            "users\n".repeat(3000),
            String::new(),
        ];
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let last = Last::of(&inputs(&texts, "Table users has the field email")).unwrap();
        let mut read: Vec<String> = Vec::new();
        for piece in &last.pieces {
            if let Some((id, _)) = &piece.head {
                assert_eq!(*id, format!("S{}", read.len()));
                read.push(String::new());
            }
            let text: String = piece.text.iter().map(Stretch::text).collect();
            assert!(text.len() <= 3 * PIECE, "{}", text.len());
            let marks = |stretch: &&Stretch| !matches!(stretch, Stretch::Kept(_));
            assert!(piece.text.iter().filter(marks).count() <= 2 * MOST_MARKS + 1);
            *read.last_mut().unwrap() += &text;
        }
        assert_eq!(read, texts);
        assert_eq!(last.outline.sizes.len(), last.pieces.len());
        assert!(!last.outline.more);
    }

    #[test]
    fn what_is_told_is_read_as_it_was_written() {
        let inputs = inputs(
            &["users.email is unique, ünïque 😀", "superusers"],
            "Table users has the field email\nPort 8080 is open",
        );
        let told = answer(Asked::Scrub(Box::new(inputs)));
        let text = written(&told);
        let told = told.unwrap();
        assert!(told.window.pieces.len() > 1 && !told.window.hidden.is_empty());
        assert_eq!(read(&text), Some(Ok(told)));
        let fault = Fault::new(Place::Evidence, "No").with_hint("Yes.");
        let refused = read(&written(&Err(fault)));
        assert_eq!(refused, Some(Err("No. Yes.".to_owned())));
        for trouble in ["A part could not be loaded.", "", "+1 "] {
            assert_eq!(read(trouble), None);
        }
    }

    #[test]
    fn what_is_looked_at_is_told_and_no_more() {
        let text = "users have an email.\n".repeat(400);
        let inputs = inputs(&[&text], "Table users has the field email");
        let told = answer(Asked::Scrub(Box::new(inputs))).unwrap();
        let outline = told.outline.unwrap();
        assert_eq!(told.window.pieces.len(), FIRST_WINDOW);
        assert!(outline.sizes.len() > FIRST_WINDOW);
        let mut hidden = told.window.hidden.iter();
        let users = hidden.find(|(placeholder, _)| placeholder == "[TABLE_1]");
        assert!(users.is_some_and(|(_, lens)| lens.contains(", 400 places: ")));

        let told = answer(Asked::Window(3, 5)).unwrap();
        assert_eq!((told.window.first, told.window.pieces.len()), (3, 2));
        assert!(told.outline.is_none());
        let far = answer(Asked::Window(9000, 9001)).unwrap();
        assert!(far.window.pieces.is_empty());
        assert!(!far.window.hidden.is_empty(), "the claims' names are told");
    }

    #[test]
    fn the_claims_words_lead_to_their_placeholders() {
        let inputs = inputs(
            &["users.email is unique, up to 255"],
            "Table users has the field email\nPort 8080 is open",
        );
        let last = Last::of(&inputs).unwrap();
        let claims = &last.claims;
        assert_eq!(
            shown(&last.pieces[0].text),
            "[TABLE_1].[FIELD_1] is unique, up to [NUM_1]"
        );
        assert_eq!(
            shown(&claims[0].text),
            "Table [TABLE_1] has the field [FIELD_1]"
        );
        assert_eq!((claims[0].gone, claims[0].of), (2, 2));
        assert_eq!(shown(&claims[1].text), "Port ?8080? is open");
    }

    #[test]
    fn a_claim_that_cites_no_span_that_is_there_is_not_said_to_be_sent() {
        let inputs = inputs(
            &["Port 8080 is open"],
            "Port 8080 is open [S7]\nIt is open [S0]",
        );
        let last = Last::of(&inputs).unwrap();
        let astray: Vec<_> = last.claims.iter().map(|claim| claim.is_astray).collect();
        assert_eq!(astray, [true, false]);
        let [first, second] = [0, 1].map(|at| drawn::claims(&last.claims[at..=at]));
        assert!(first.contains("cites a span that is not there"), "{first}");
        assert!(
            !first.contains("removed") && !first.contains("redacted"),
            "{first}"
        );
        assert!(
            second.contains("removed 0 of 0 terms") && second.contains("redacted"),
            "{second}"
        );
    }

    #[test]
    fn what_is_in_the_evidence_is_not_said_to_be_absent() {
        const KEY: &str = "AKIAIOSFODNN7EXAMPLE";
        let inputs = inputs(
            &["email is of type VARCHAR", &format!("The key is {KEY}")],
            &format!("Type is VARCHAR\nIt is {KEY}"),
        );
        let last = Last::of(&inputs).unwrap();
        let [word, secret] = [0, 1].map(|at| drawn::claims(&last.claims[at..=at]));
        for claim in [&word, &secret] {
            assert!(claim.contains("removed 0 of"), "{claim}");
            assert!(!claim.contains("in the evidence"), "{claim}");
            assert!(
                claim.contains("No name of it could be taken out"),
                "{claim}"
            );
        }
        assert!(!word.contains("secret"), "{word}");
        assert!(
            secret.contains("Its secret is hidden in both passes"),
            "{secret}"
        );
    }

    #[test]
    fn names_of_ones_own_are_hidden_and_said_to_be() {
        let mut inputs = inputs(&["The frobnicator runs at night"], "It runs at night");
        inputs.glossary = vec![Named {
            text: "frobnicator".to_owned(),
            kind: "CLASS".to_owned(),
        }];
        let last = Last::of(&inputs).unwrap();
        assert_eq!(shown(&last.pieces[0].text), "The [CLASS_1] runs at night");
        assert_eq!(last.hidden["[CLASS_1]"].why, "you named it");
    }

    #[test]
    fn leaks_are_marked_in_any_case() {
        let text = vec![Stretch::Kept("superUSERS and users".to_owned())];
        assert_eq!(
            shown(&with_leaks(text, &["users"])),
            "super!USERS! and !users!"
        );
    }

    #[test]
    fn each_form_of_a_name_is_told_once() {
        let last = Last::of(&inputs(&["users Users users"], "Table users is there")).unwrap();
        let hidden = &last.hidden["[TABLE_1]"];
        assert_eq!(hidden.forms, ["users", "Users"]);
        assert_eq!(hidden.places, 3);
    }
}
