//! Evidence as units (a sentence, a line, a column, a member, an entry), each under its headings
//! and parents, and what of a claim each holds.

mod brackets;
mod content;
mod lines;
mod rows;
mod spread;
mod terms;
mod unit;
mod values;
mod words;

use alloc::{vec, vec::Vec};

use super::{
    claim::Claim,
    lex::{self, Piece, Token},
    lexicon::Lexicon,
    table::Header,
};
use brackets::structural;
use lines::key;
use words::Part;

pub(super) use unit::{Other, Unit, ancestors, in_other_record};
pub(super) use words::is_replaced;

/// What is read as one text: longer spans are read in stretches, of whole lines where these are no longer.
const STRETCH: usize = 256 * 1024;
/// How deep headings, indents and brackets are followed; below, all counts as one level.
const MAX_DEPTH: usize = 64;

/// Reads one stretch.
pub(super) fn read(text: &str, low: &str, claim: &Claim<'_>, lexicon: &Lexicon) -> Vec<Unit> {
    let mut reader = Reader {
        text,
        low,
        claim,
        lexicon,
        units: vec![Unit::default()],
        frames: Vec::new(),
        structural: structural(text),
        current: None,
        tokens: Vec::new(),
        parts: Vec::new(),
        pieces: Vec::new(),
        attach: false,
        comment: false,
        remark: usize::MAX,
        prose: None,
        fresh: true,
        opening: true,
        table: None,
    };
    let mut lines = line_bounds(text).peekable();
    while let Some((start, end)) = lines.next() {
        let next = lines.peek().map_or("", |&(from, to)| &text[from..to]);
        if !reader.row(start, end, next) {
            reader.line(start, end, next.trim());
        }
    }
    reader.close();
    reader.spread();
    reader.units
}

/// The mask of what a short text (a source label) holds.
pub(super) fn label(text: &str, claim: &Claim<'_>, lexicon: &Lexicon) -> u128 {
    let text = lex::Text::new(text);
    read(&text.cased, &text.low, claim, lexicon)
        .iter()
        .fold(0, |mask, unit| mask | unit.own())
}

/// The stretches of a text, each at most `STRETCH` bytes, with offsets: whole lines, but of a line that is longer
/// its parts.
pub(super) fn stretches(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let mut end = rest.len().min(STRETCH);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        if end < rest.len() {
            end = rest[..end].rfind('\n').map_or(end, |newline| newline + 1);
        }
        let start = at;
        at += end;
        Some((start, &rest[..end]))
    })
}

fn line_bounds(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, start + line.trim_end().len())
    })
}

struct Reader<'a, 'c> {
    text: &'a str,
    low: &'a str,
    claim: &'c Claim<'c>,
    lexicon: &'c Lexicon,
    units: Vec<Unit>,
    frames: Vec<Frame>,
    structural: Vec<(usize, usize)>,
    current: Option<usize>,
    /// The tokens of the current unit that are not yet matched.
    tokens: Vec<Token>,
    parts: Vec<Part<'a>>,
    pieces: Vec<Piece>,
    /// The line before was a comment or an attribute: the next line is of the same unit.
    attach: bool,
    /// Inside `/* … */`.
    comment: bool,
    /// Where in the line a comment begins.
    remark: usize,
    /// The indent of the line before where it was prose that goes on.
    prose: Option<isize>,
    /// A block begins here.
    fresh: bool,
    /// Nothing was read yet.
    opening: bool,
    /// The table that goes on, with the units of its titles.
    table: Option<(Header, Vec<usize>)>,
}

/// Under which parent a later line stands: indentation, or an open bracket.
struct Frame {
    unit: usize,
    indent: isize,
    /// Where the bracket closes.
    close: Option<usize>,
}

impl Reader<'_, '_> {
    fn open(&mut self, at: usize, pair: bool) -> usize {
        let parent = self.frames.last().map_or(0, |frame| frame.unit);
        let own = self.units.len();
        let group = if pair { parent } else { own };
        self.units.push(Unit {
            parent: Some(parent),
            group,
            start: at,
            end: at,
            pair,
            ..Unit::default()
        });
        self.current = Some(own);
        own
    }

    /// Opens a unit under which later lines may stand.
    fn begin(&mut self, at: usize, pair: bool, indent: isize) -> usize {
        let unit = self.open(at, pair);
        self.push(Frame {
            unit,
            indent,
            close: None,
        });
        unit
    }

    /// Adds the tokens of a stretch to the current unit, or to a new one.
    fn feed(&mut self, start: usize, end: usize) {
        let stretch = self.text[start..end].trim_start();
        if stretch.is_empty() {
            return;
        }
        let unit = self
            .current
            .unwrap_or_else(|| self.begin(end - stretch.len(), key(stretch).is_some(), -50));
        self.units[unit].end = self.units[unit]
            .end
            .max(start + self.text[start..end].trim_end().len());
        let first = self.tokens.len();
        lex::tokens(
            self.text,
            self.low,
            start,
            end,
            self.lexicon,
            &mut self.tokens,
        );
        if self.remark < end {
            for token in &mut self.tokens[first..] {
                token.remark = token.start >= self.remark;
            }
        }
    }

    fn close(&mut self) {
        self.flush();
        self.current = None;
    }

    fn push(&mut self, frame: Frame) {
        if self.frames.len() < MAX_DEPTH {
            self.frames.push(frame);
        }
    }

    /// Leaves the frames that a line at `indent` is not under.
    fn pop(&mut self, at: usize, indent: isize) {
        if let Some(bracket) = self
            .frames
            .iter()
            .position(|frame| frame.close.is_some_and(|close| close < at))
        {
            self.frames.truncate(bracket);
        }
        while self
            .frames
            .last()
            .is_some_and(|frame| frame.close.is_none() && frame.indent >= indent)
        {
            self.frames.pop();
        }
    }

    /// Where the innermost open bracket closes.
    fn bracketed(&self) -> Option<usize> {
        self.frames.iter().rev().find_map(|frame| frame.close)
    }
}
