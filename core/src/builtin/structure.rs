//! Evidence as units (a sentence, a line, a column, a member, an entry), each under its headings
//! and parents, and what of a claim each holds.

use alloc::{vec, vec::Vec};
use core::ops::Range;

use super::{
    bound::{self, Relation},
    claim::{Claim, Value},
    lex::{self, Kind, Piece, Token},
    lexicon::{Lexicon, Look, Role},
    quantity, restrict,
    table::{self, Header},
};

/// What is read as one text: longer spans are read in stretches, of whole lines where these are no longer.
const STRETCH: usize = 256 * 1024;
/// How deep headings, indents and brackets are followed; below, all counts as one level.
const MAX_DEPTH: usize = 64;
/// How many values of a unit are kept with their places: nobody tells more apart in one sentence.
const MAX_VALUES: usize = 64;

/// One unit with what it holds of the claim. Masks have a bit for each of the claim's terms.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    parent: Option<usize>,
    group: usize,
    /// Where it stands in its span, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Terms that it holds as the claim says them.
    pub(super) agree: u128,
    /// Terms that it holds turned round.
    pub(super) oppose: u128,
    /// Terms in the headings and parents above it.
    pub(super) above: u128,
    /// Terms in entries of the same record or sentences of the same line.
    pub(super) near: u128,
    /// Terms that these turn round and none of them says.
    pub(super) against: u128,
    /// It stands in a list whose items say nothing of each other.
    pub(super) listed: bool,
    /// It, or something above it, holds a placeholder.
    pub(super) placeholder: bool,
    question: bool,
    /// `key: value`.
    pair: bool,
    /// Of a cell, the title of its column.
    title: Option<usize>,
    /// `name(…): Type`, `name(…) -> Type`.
    pub(super) typed: bool,
    /// It is one word that says no.
    denies: bool,
    /// It has no word.
    blank: bool,
    /// Where a pair's key stands, and the value of a pair or a cell.
    key: Option<(usize, usize)>,
    pub(super) told: Option<(usize, usize)>,
    /// It has a pronoun in the place of whom it is about.
    pub(super) pronoun: bool,
    /// It stands in a comment.
    pub(super) remark: bool,
    /// It is the name of what it stands in: `name: api`.
    identity: bool,
    has_children: bool,
    /// What of a pair the claim does not speak of.
    pub(super) other: Other,
    /// Where a pair's or a cell's value stands, when it is a word or a few and not all the claim's.
    pub(super) word: Option<(usize, usize)>,
    /// Terms that a value here is the rival of.
    rivalled: u128,
    values: Vec<Slot>,
}

/// What of a pair the claim does not speak of, while it speaks of the rest: then what stands beside
/// the pair says nothing of it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Other {
    Key,
    #[default]
    Nothing,
    Value,
}

/// A value in a unit, by place, with its neighbours' terms.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Terms of the claim that it is.
    pub(super) mask: u128,
    /// Terms of the claim whose rival it is.
    pub(super) rival: u128,
    /// Of those, terms that are years as it is one.
    alike: u128,
    /// Terms of the claim that are of its kind and may hold or not.
    open: u128,
    /// Terms beside whose neighbour it stands.
    pub(super) keyed: u128,
    /// The words before and after it: which of the claim's terms each is, none where it is another word;
    /// absent where there is none.
    pub(super) beside: [Option<u128>; 2],
    pub(super) clause: Clause,
}

impl Slot {
    /// A comment's value is no rival of the claim's where there is code beside it, nor is it the claim's where code
    /// has another: `timeout = 60 # was 30`. What it explains it may say: `ttl = 3600 # an hour`.
    fn yield_to(&mut self, live: &mut [Self], explains: bool) {
        let rivalled = live
            .iter()
            .filter(|slot| slot.mask == 0)
            .fold(0, |mask, slot| mask | slot.rival);
        let contested = self.mask & rivalled;
        for slot in live {
            slot.open |= slot.rival & contested;
            slot.rival &= !contested;
        }
        self.open |= self.rival;
        self.rival = 0;
        if !explains {
            self.open |= contested;
            self.mask &= !contested;
        }
    }
}

/// A value as a unit has it written.
struct Written<'a> {
    token: &'a Token,
    value: Value<'a>,
    /// Which of the unit's parts it is.
    parts: Range<usize>,
    /// Whether it ends a range.
    upper: bool,
    /// Whether it only numbers what follows.
    numbering: bool,
}

/// What stands between two marks or conjunctions of a sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clause {
    number: usize,
    /// What it holds of the claim, but values.
    contents: u128,
    /// It has a word that is none of the claim's.
    foreign: bool,
}

impl Unit {
    /// A whole text that says these terms.
    pub(super) fn whole(text: &str, agree: u128) -> Self {
        Self {
            end: text.len(),
            agree,
            ..Self::default()
        }
    }

    /// The same with its place in the original text.
    pub(super) fn placed(&self, text: &lex::Text<'_>) -> Self {
        Self {
            start: text.place(self.start),
            end: text.place(self.end),
            ..self.clone()
        }
    }

    pub(super) fn own(&self) -> u128 {
        self.agree | self.oppose
    }

    /// It holds a value that is, or could be, one of the claim's.
    pub(super) fn has_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// It is a pair or a cell: no sentence, so it has no verb.
    pub(super) fn is_fact(&self) -> bool {
        self.pair || self.title.is_some()
    }

    pub(super) fn reach(&self) -> u128 {
        let near = if self.other == Other::Nothing {
            self.near
        } else {
            0
        };
        self.own() | self.above | near
    }

    /// The value here that stands beside words of the claim, where what the claim has (`term`, a mask of one
    /// bit) stands beside others: "adults 12, students 7".
    pub(super) fn beside(&self, term: u128, contents: u128) -> Option<&Slot> {
        let (mut same, others): (Vec<&Slot>, Vec<&Slot>) =
            self.values.iter().partition(|slot| slot.mask & term != 0);
        let mut others = others
            .into_iter()
            .filter(|slot| slot.mask == 0 && slot.rival & term != 0);
        let parted = |other: &&Slot| {
            let apart = |held: &mut &Slot| {
                let mut sides = held.beside.iter().zip(&other.beside);
                sides.any(|sides| matches!(sides, (Some(0), Some(said)) if said & contents != 0))
            };
            !same.is_empty() && same.iter_mut().all(apart)
        };
        others.find(parted)
    }

    /// The value here in a clause that says all that the one with what the claim has (`term`, a mask of one
    /// bit) says of it and more, where that one is about something else: "a read costs 1, a search costs 12".
    pub(super) fn in_clause(&self, term: u128) -> Option<&Slot> {
        let (same, others): (Vec<&Slot>, Vec<&Slot>) =
            self.values.iter().partition(|slot| slot.mask & term != 0);
        let mut others = others
            .into_iter()
            .filter(|slot| slot.mask == 0 && slot.rival & term != 0);
        // Of many the first tells: nobody lists so many of one thing.
        let few = &same[..same.len().min(4)];
        let fuller = |other: &&Slot| {
            few.iter().all(|slot| {
                let (here, there) = (slot.clause, other.clause);
                here.foreign
                    && here.contents != 0
                    && here.contents & !there.contents == 0
                    && there.contents & !here.contents != 0
            })
        };
        others.find(|other| !few.is_empty() && fuller(other))
    }

    /// The one value here that takes the place of `term` (a mask of one bit).
    pub(super) fn rival(&self, term: u128, text: &str) -> Option<&Slot> {
        let rivals = self
            .values
            .iter()
            .filter(|slot| slot.mask == 0 && slot.rival & term != 0);
        // Where there is a year, no other number is one's rival.
        let years = rivals.clone().any(|slot| slot.alike & term != 0);
        let mut rivals = rivals.filter(|slot| !years || slot.alike & term != 0);
        let keyed = rivals.clone().find(|slot| slot.keyed & term != 0);
        let first = rivals.next()?;
        let same = |slot: &Slot| text[slot.start..slot.end] == text[first.start..first.end];
        keyed.or_else(|| rivals.all(same).then_some(first))
    }
}

/// The entry of another record that has the key of `units[at]`, which holds most of the claim, where what the
/// claim says and this record does not names the other one: "the stack's limit is 512" of a heap's limit. With the
/// terms that it lacks.
pub(super) fn in_other_record<'u>(
    units: &'u [Unit],
    at: usize,
    wanted: u128,
    low: &str,
) -> Option<(u128, &'u Unit)> {
    let unit = &units[at];
    let missing = wanted & !(unit.own() | unit.above);
    // What only an entry beside it says may be what the other record is called.
    let beside = missing & unit.reach() == missing;
    let key = |unit: &Unit| unit.key.map(|(start, end)| &low[start..end]);
    let same_key = |other: &&Unit| match unit.title {
        Some(_) => other.title == unit.title,
        None => other.key.is_some() && key(other) == key(unit),
    };
    if missing == 0 || !unit.is_fact() {
        return None;
    }
    let named = |other: &&Unit| {
        let (names, missing) = match beside {
            true => (other.above, missing),
            false => (other.above | other.near, missing & !unit.reach()),
        };
        // Nothing that the claim says names this record and not the other one.
        let ours = (unit.above | unit.near) & wanted & !(unit.own() | other.reach());
        missing & !names == 0 && ours == 0 && !other.placeholder
    };
    let mut others = units
        .iter()
        .filter(|other| other.parent != unit.parent && other.told.is_some())
        .filter(|other| other.is_fact() && same_key(other) && named(other));
    let first = others.next()?;
    let terms = |other: &Unit| unit.own() & wanted & !other.own();
    let all = others.fold(terms(first), |all, other| all & terms(other));
    (all != 0).then_some((all, first))
}

/// The units above `units[at]`, from the nearest.
pub(super) fn ancestors(units: &[Unit], at: usize) -> impl Iterator<Item = &Unit> {
    core::iter::successors(units[at].parent, |&at| units[at].parent).map(|at| &units[at])
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

/// Reads one stretch; `above` is what the span's source label holds of the claim.
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

fn line_bounds(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, start + line.trim_end().len())
    })
}

/// For each opening bracket that holds entries, where it closes: it spans lines, or has a comma or
/// semicolon of its own and letters.
fn structural(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut open: Vec<Bracket> = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match MARKS[usize::from(*byte)] {
            Mark::Open => match lex::placeholder(&text[at..]) {
                Some(length) => at += length - 1,
                None => open.push(Bracket::new(at, *byte)),
            },
            Mark::Close => {
                let closed = open.pop_if(|top| top.closes == *byte);
                if let Some(closed) = &closed
                    && closed.split
                    && closed.letters
                {
                    found.push((closed.at, at));
                }
                if let (Some(closed), Some(top)) = (closed, open.last_mut()) {
                    top.letters |= closed.letters;
                }
            }
            Mark::Part if *byte == b',' && grouping(bytes, at) => {}
            Mark::Part | Mark::Line => {
                if let Some(top) = open.last_mut() {
                    top.split = true;
                }
            }
            Mark::Letter => {
                if let Some(top) = open.last_mut() {
                    top.letters = true;
                }
            }
            Mark::End | Mark::None => {}
        }
        at += 1;
    }
    found.sort_unstable();
    found
}

/// An open bracket.
struct Bracket {
    at: usize,
    closes: u8,
    /// It has a comma, semicolon or line's end of its own.
    split: bool,
    letters: bool,
}

impl Bracket {
    fn new(at: usize, opens: u8) -> Self {
        let closes = match opens {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        Self {
            at,
            closes,
            split: false,
            letters: false,
        }
    }
}

/// What a byte may part.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Mark {
    None,
    Letter,
    Line,
    Open,
    Close,
    /// `,` or `;`: entries.
    Part,
    /// `.`, `!` or `?`: sentences.
    End,
}

static MARKS: [Mark; 256] = {
    let mut marks = [Mark::None; 256];
    let mut at = 0;
    while at < 256 {
        marks[at] = match at as u8 {
            b'(' | b'[' | b'{' => Mark::Open,
            b')' | b']' | b'}' => Mark::Close,
            b',' | b';' => Mark::Part,
            b'.' | b'!' | b'?' => Mark::End,
            b'\n' => Mark::Line,
            b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => Mark::Letter,
            _ => Mark::None,
        };
        at += 1;
    }
    marks
};

/// Whether the comma at `at` stands inside a number.
fn grouping(bytes: &[u8], at: usize) -> bool {
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    digit(at.checked_sub(1)) && digit(Some(at + 1)) && digit(Some(at + 3)) && !digit(Some(at + 4))
}

/// Under which parent a later line stands: indentation, or an open bracket.
struct Frame {
    unit: usize,
    indent: isize,
    /// Where the bracket closes.
    close: Option<usize>,
}

/// A part of a word in the current unit.
#[derive(Clone, Copy)]
struct Part<'a> {
    stem: &'a str,
    first: bool,
    last: bool,
    negated: bool,
    /// It is of a number or the like, which is compared as such.
    value: bool,
    /// It is one of the claim's terms that mean something by themselves.
    content: bool,
    /// The terms that it is, or begins.
    mask: u128,
    /// It only joins others.
    joins: bool,
    /// A mark stands before it.
    parted: bool,
    /// It is a word that carries meaning.
    tells: bool,
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

impl<'a> Reader<'a, '_> {
    /// Reads a line that begins a table or goes on with one: whether it does.
    fn row(&mut self, start: usize, end: usize, next: &str) -> bool {
        let line = &self.text[start..end];
        if let Some((header, titles)) = self.table.take() {
            if table::is_rule(line) {
                self.table = Some((header, titles));
                return true;
            }
            if let Some(cells) = header.row(line) {
                self.cells(start, end, &cells, &titles);
                self.table = Some((header, titles));
                return true;
            }
        }
        // Inside brackets commas part entries.
        if self.frames.iter().any(|frame| frame.close.is_some()) {
            return false;
        }
        let Some(header) = table::header(line, next) else {
            return false;
        };
        self.close();
        self.pop(start, 0);
        let mut titles = Vec::new();
        for (column, &(from, to)) in header.cells.iter().enumerate() {
            titles.push(self.open(start + from, false));
            // "Train 701", "Year 2024": what its numbers count stands in the corner.
            if column > 0 && line[from..to].starts_with(|c: char| c.is_ascii_digit()) {
                let (corner, end) = header.cells[0];
                self.feed(start + corner, start + end);
            }
            self.feed(start + from, start + to);
            self.close();
        }
        self.table = Some((header, titles));
        self.fresh = false;
        true
    }

    /// Reads a row: its first cell is what the others are about.
    fn cells(
        &mut self,
        start: usize,
        end: usize,
        cells: &[(usize, (usize, usize))],
        titles: &[usize],
    ) {
        self.close();
        self.pop(start, 0);
        let mut row = None;
        for &(column, (from, to)) in cells {
            let cell = self.open(start + from, false);
            self.feed(start + from, start + to);
            self.close();
            let unit = &mut self.units[cell];
            unit.title = titles.get(column).copied();
            // What is shown of a cell is its row.
            (unit.start, unit.end) = (start, end);
            if let Some(row) = row {
                (unit.parent, unit.group) = (Some(row), row);
            } else {
                row = Some(cell);
            }
        }
    }

    fn line(&mut self, start: usize, end: usize, next: &str) {
        let last = next.is_empty();
        let line = &self.text[start..end];
        let mut lead = line.trim_start();
        let mut indent = isize::try_from(line.len() - lead.len()).unwrap_or(isize::MAX);
        if lead.is_empty() {
            self.prose = None;
            self.fresh = true;
            return;
        }
        if is_commented_out(lead) {
            return;
        }
        let fresh = core::mem::take(&mut self.fresh);
        let opening = core::mem::take(&mut self.opening);
        self.comment |= lead.starts_with("/*");
        let comment = self.comment
            || match lead.as_bytes() {
                [b'/', b'/', ..]
                | [b'-', b'-', b' ', ..]
                | [b';', b' ', ..]
                | [b'#', b'[' | b'!', ..]
                | [b'@', ..] => true,
                [b'#', b' ', ..] => !fresh,
                // An entry that is commented out.
                [b'#', c, ..] => c.is_ascii_alphabetic() && key(lead).is_some(),
                _ => false,
            };
        self.comment = self.comment && !lead.contains("*/");
        let hashes = lead.bytes().take_while(|b| *b == b'#').count();
        let heading = !comment && hashes > 0 && lead[hashes..].starts_with(' ');
        let code = matches!(lead.as_bytes(), [b'#', b'[' | b'!', ..] | [b'@', ..]);
        // What stands over an entry is a comment or a title, and looks alike.
        let over = heading && hashes == 1 && key(next).is_some();
        self.remark = match over || comment && !code {
            true => start,
            false => trailing_comment(line).map_or(usize::MAX, |at| start + at),
        };
        let section =
            lead.starts_with('[') && lead.ends_with(']') && !lead.contains(['"', ',', '{']);
        let bullet = if comment { 0 } else { bullet(lead) };
        let goes_on = self.prose == Some(indent)
            && bullet == 0
            && !heading
            && lead.starts_with(char::is_lowercase)
            && !begins_with_code(lead)
            && key(lead).is_none();
        let element = element(&lead[bullet..]);
        let pair = (key(&lead[bullet..]).is_some() || element.is_some()) && !heading;
        let attached = self.attach && self.current.is_some();
        // Of the frames those that an entry of this line stands under.
        let mut depth = self.frames.len().saturating_sub(1);
        if !goes_on && !attached {
            if heading {
                indent = isize::try_from(hashes).unwrap_or(6).min(6) - 10;
            } else if section {
                indent = -3;
            } else if opening && last && bullet == 0 && !comment && headline(lead) {
                indent = -11;
            } else if fresh && !last && bullet == 0 && !comment && title(lead) {
                indent = -1;
            }
            self.close();
            self.pop(start, indent);
            depth = self.frames.len();
            let unit = self.open(start, pair && bullet == 0);
            self.units[unit].listed = bullet > 0;
            self.push(Frame {
                unit,
                indent,
                close: None,
            });
        }
        self.attach = comment;
        let ends = lead.ends_with(['.', '!', '?', ':', ';', '{', '}', ',', ')', '>']);
        self.prose =
            (!ends && !pair && !comment && !heading && !section && indent >= 0).then_some(indent);
        lead = &lead[bullet..];
        let mut from = end - lead.len();
        let end = element.map_or(end, |length| from + length);
        while pair
            && let Some(cut) = next_entry(&self.text[from..end])
            && !leaves_open(&self.text[from..from + cut])
        {
            self.content(from, from + cut);
            self.close();
            self.frames.truncate(depth);
            from += cut;
            let unit = self.open(from, true);
            self.push(Frame {
                unit,
                indent,
                close: None,
            });
        }
        self.content(from, end);
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

    fn push(&mut self, frame: Frame) {
        if self.frames.len() < MAX_DEPTH {
            self.frames.push(frame);
        }
    }

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

    /// Reads what stands in a line, opening units at sentences and at entries in brackets.
    fn content(&mut self, start: usize, end: usize) {
        let mut from = start;
        let mut at = start;
        // Brackets of this line that hold no entries.
        let mut plain = 0_usize;
        let bytes = self.text.as_bytes();
        let mut bracketed = self.bracketed();
        while at < end {
            let mark = MARKS[usize::from(bytes[at])];
            if matches!(mark, Mark::Letter | Mark::Line | Mark::None) {
                at += 1;
                continue;
            }
            let next = bytes.get(at + 1).copied().unwrap_or(b'\n');
            let opens = (mark == Mark::Open)
                .then(|| {
                    self.structural
                        .binary_search_by_key(&at, |&(open, _)| open)
                        .ok()
                })
                .flatten();
            if let Some(found) = opens {
                self.feed(from, at);
                let unit = self.current.unwrap_or_else(|| self.open(at, false));
                self.flush();
                self.push(Frame {
                    unit,
                    indent: -100,
                    close: Some(self.structural[found].1),
                });
                bracketed = self.bracketed();
                self.current = None;
                from = at + 1;
            } else if bracketed == Some(at) {
                self.feed(from, at);
                self.close();
                while let Some(frame) = self.frames.pop() {
                    if frame.close == Some(at) {
                        self.current = Some(frame.unit);
                        break;
                    }
                }
                bracketed = self.bracketed();
                from = at + 1;
            } else if mark == Mark::Open {
                plain += 1;
            } else if mark == Mark::Close {
                plain = plain.saturating_sub(1);
            } else if plain == 0
                && bracketed.is_some()
                && mark == Mark::Part
                && !grouping(bytes, at)
            {
                self.feed(from, at);
                self.close();
                while self
                    .frames
                    .last()
                    .is_some_and(|frame| frame.close.is_none())
                {
                    self.frames.pop();
                }
                from = at + 1;
            } else if bracketed.is_none()
                && matches!(bytes[at], b'.' | b'!' | b'?' | b';')
                && next.is_ascii_whitespace()
                && !abbreviation(&self.low[from..at])
            {
                self.feed(from, at + 1);
                if let Some(unit) = self.current {
                    let parent = self.units[unit].parent;
                    // An entry's later sentences stand beside its first, not beside other entries.
                    let entry = Some(self.units[unit].group) == parent;
                    let group = if entry { unit } else { self.units[unit].group };
                    self.units[unit].question |= bytes[at] == b'?';
                    self.close();
                    if at + 1 < end {
                        self.units.push(Unit {
                            parent,
                            group,
                            start: at + 1,
                            end: at + 1,
                            pair: key(self.text[at + 1..end].trim_start()).is_some(),
                            ..Unit::default()
                        });
                        self.current = Some(self.units.len() - 1);
                    }
                }
                from = at + 1;
            }
            at += 1;
        }
        self.feed(from, end);
        if self.text[..end].ends_with('?')
            && let Some(unit) = self.current
        {
            self.units[unit].question = true;
        }
    }

    /// Where the innermost open bracket closes.
    fn bracketed(&self) -> Option<usize> {
        self.frames.iter().rev().find_map(|frame| frame.close)
    }

    /// Adds the tokens of a stretch to the current unit, or to a new one.
    fn feed(&mut self, start: usize, end: usize) {
        let stretch = self.text[start..end].trim_start();
        if stretch.is_empty() {
            return;
        }
        let unit = self.current.unwrap_or_else(|| {
            let unit = self.open(end - stretch.len(), key(stretch).is_some());
            self.push(Frame {
                unit,
                indent: -50,
                close: None,
            });
            unit
        });
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

    /// Matches the current unit's tokens against the claim.
    fn flush(&mut self) {
        let Some(unit) = self.current else {
            self.tokens.clear();
            return;
        };
        let mut tokens = core::mem::take(&mut self.tokens);
        quantity::units(self.text, self.low, &mut tokens, self.lexicon);
        self.parts.clear();
        // Where a pair's value begins among the parts, and whether its key says more than "name".
        let mut separator = None;
        let mut telling = false;
        let mut stretch: Option<(usize, usize)> = None;
        let mut values = Vec::new();
        let mut negation = false;
        let mut after_negated = false;
        let mut upper = false;
        let mut parted = false;
        let mut denial = false;
        let mut before = "";
        let on = self.lexicon.on;
        let punct = |at: usize| {
            tokens
                .get(at)
                .is_some_and(|t| matches!(t.kind, Kind::Punct(_)))
        };
        let last_word = (0..tokens.len()).rev().find(|&at| !punct(at));
        let words = (0..tokens.len()).filter(|&at| !punct(at)).count();
        self.units[unit].denies = words == 1;
        self.units[unit].blank = words == 0;
        for (at, token) in tokens.iter().enumerate() {
            let low = &self.low[token.start..token.end];
            if token.kind == Kind::Placeholder {
                self.units[unit].placeholder = true;
            }
            let typed = matches!(token.kind, Kind::Punct(b':' | b'>'))
                && at > 0
                && matches!(tokens[at - 1].kind, Kind::Punct(b')' | b'-'));
            self.units[unit].typed |= typed;
            let parts = match token.kind {
                Kind::Punct(b':' | b'=') => true,
                Kind::Punct(b'>') => tokens[0].kind == Kind::Punct(b'<'),
                _ => false,
            };
            if parts && self.units[unit].pair || typed {
                if separator.is_none() {
                    self.units[unit].key = stretch.take();
                }
                separator = separator.or(Some(self.parts.len()));
            }
            if matches!(token.kind, Kind::Punct(_) | Kind::Placeholder) {
                parted |= matches!(
                    token.kind,
                    Kind::Punct(b',' | b';' | b':' | b'.' | b'(' | b')' | b'|')
                );
                continue;
            }
            stretch = Some((stretch.map_or(token.start, |(from, _)| from), token.end));
            if let Some(value) = Value::read(token, self.text, self.low, self.lexicon) {
                // The number of a clause is no value of anything in it.
                let numbering = at == 0
                    && matches!(token.kind, Kind::Number(_))
                    && tokens.get(1).is_some_and(|next| {
                        next.kind == Kind::Word
                            && self.text[next.start..].starts_with(char::is_uppercase)
                    });
                let at = self.parts.len();
                values.push(Written {
                    token,
                    value,
                    parts: at..at,
                    upper,
                    numbering,
                });
            }
            upper = matches!(low.as_bytes(), b"through" | b"to" | b"until" | b"inclusive");
            self.units[unit].pronoun |= is_pronoun(low);
            let look = self.lexicon.look(low);
            let role = look.role;
            negation |= is_replaced(core::mem::replace(&mut before, low), low);
            // An entry's value that says no turns its key round.
            let last = Some(at) == last_word;
            let directive = tokens.len() <= 4 && low == "off"
                || tokens.len() <= 3 && matches!(low, "no" | "false" | "never");
            let off = last
                && at > 0
                && says_no(low)
                && (punct(at - 1) && separator.is_some() || directive);
            self.units[unit].denies = self.units[unit].denies && says_no(low);
            // Where the claim speaks of on or off itself, the value says it and the key does not.
            if off && let Some(key) = self.parts.last_mut() {
                if key.stem == on {
                    key.negated = !key.negated;
                } else {
                    denial = self.claim.patterns(on).is_empty();
                }
            }
            let next = tokens
                .iter()
                .skip(at + 1)
                .map(|next| &self.low[next.start..next.end]);
            if restrict::denies(low, next.clone().next().unwrap_or("")) {
                negation = !negation;
                continue;
            }
            if role == Role::Negation && !(low == "nothing" && last) {
                if next.clone().next().is_some_and(restrict::lifts) {
                    continue;
                }
                negation = !off && !bound::is_bound(next);
                continue;
            }
            if matches!(low.as_bytes(), b"and" | b"or" | b"nor") {
                negation = after_negated;
            }
            lex::pieces(&self.text[token.start..token.end], &mut self.pieces);
            let mut first_content = true;
            let mut denied = false;
            for piece in &self.pieces {
                let word = &low[piece.start..piece.end];
                let Look {
                    role: part_role,
                    stem,
                    opposite,
                    ..
                } = if word.len() == low.len() {
                    look
                } else {
                    self.lexicon.look(word)
                };
                // `no-cache`: what stands behind is turned round.
                let negated = opposite ^ denied ^ (negation && first_content && role != Role::Stop);
                denied = part_role == Role::Negation;
                telling |= separator.is_none() && part_role == Role::Content;
                let value = !matches!(token.kind, Kind::Word | Kind::Path);
                self.parts.push(Part {
                    content: false,
                    mask: 0,
                    joins: role == Role::Stop && !matches!(low.as_bytes(), b"and" | b"or" | b"but"),
                    parted: core::mem::take(&mut parted),
                    tells: part_role == Role::Content && !value,
                    value,
                    stem,
                    first: piece.first,
                    last: piece.last,
                    negated,
                });
                first_content = false;
            }
            if let Some(last) = values.last_mut()
                && last.token.start == token.start
            {
                last.parts.end = self.parts.len();
            }
            if role != Role::Stop {
                after_negated = negation;
                negation = false;
            }
        }
        self.match_parts(unit);
        if denial {
            self.deny(unit);
        }
        let held = self.units[unit].own();
        let clauses = self.clauses(values.len());
        self.units[unit].remark = !tokens.is_empty() && tokens.iter().all(|token| token.remark);
        // What code says comes before what a comment beside it does.
        let code = |written: &&Written<'_>| !written.token.remark;
        let live = values.iter().filter(code).count();
        let comments = values.iter().filter(|written| !code(written));
        for written in values.iter().filter(code).chain(comments) {
            let clause = clauses.get(written.parts.start).copied();
            let comment = written.token.remark && live > 0;
            self.match_value(
                unit,
                written,
                clause.unwrap_or_default(),
                comment.then_some(values.as_slice()),
            );
        }
        self.tokens = tokens;
        self.tokens.clear();
        let value = &self.parts[separator.unwrap_or(0).min(self.parts.len())..];
        let unsaid = value.iter().any(|part| !part.content && part.stem != on);
        self.units[unit].told = stretch;
        let few = (1..=4).contains(&value.len()) && value.iter().all(|part| !part.value);
        self.units[unit].word = stretch.filter(|_| few && unsaid);
        let key = &self.parts[..separator.unwrap_or(0)];
        self.units[unit].identity = matches!(key, [key] if IDENTITY.iter().any(|word| self.lexicon.canon(word).0 == key.stem));
        if let Some(separator) = separator.filter(|_| telling) {
            self.units[unit].other = self.other(unit, separator, held);
        }
    }

    /// What of a pair, whose value begins at part `separator`, the claim leaves out.
    fn other(&self, unit: usize, separator: usize, words: u128) -> Other {
        let (key, value) = self.parts.split_at(separator);
        let on = self.lexicon.on;
        let said = |parts: &[Part<'_>]| parts.iter().any(|part| part.content);
        let stated = said(value) || self.units[unit].own() & !words != 0;
        // A number is a rival by its kind; a switch says its key; an identifier needs no key.
        let word = self.units[unit].word.is_some() && value.iter().all(|part| part.stem != on);
        let named = self.units[unit].own() & self.claim.masks.names != 0;
        match (said(key), stated) {
            (true, false) if word => Other::Value,
            (false, true) if !named => Other::Key,
            _ => Other::Nothing,
        }
    }

    fn match_parts(&mut self, unit: usize) {
        let values = self.claim.masks.values;
        let contents = self.claim.masks.contents;
        for at in 0..self.parts.len() {
            let part = self.parts[at];
            for pattern in self.claim.patterns(part.stem) {
                let run = &self.parts[at..];
                let Some(end) = run.get(pattern.rest.len()) else {
                    continue;
                };
                let same = run[1..]
                    .iter()
                    .zip(&pattern.rest)
                    .all(|(part, stem)| part.stem == *stem);
                if !same || (pattern.whole && !(part.first && end.last)) {
                    continue;
                }
                let mask = if part.value {
                    pattern.mask & !values
                } else {
                    pattern.mask
                };
                let turned = run[..=pattern.rest.len()]
                    .iter()
                    .fold(false, |turned, part| turned ^ part.negated);
                self.parts[at].content |= mask & contents != 0;
                self.parts[at].mask |= mask;
                if turned == pattern.negated {
                    self.units[unit].agree |= mask;
                } else {
                    self.units[unit].oppose |= mask;
                }
            }
        }
    }

    /// Turns an entry round as a whole: whichever word of its key the claim has its "not" before.
    fn deny(&mut self, unit: usize) {
        let values = self.claim.masks.values;
        let unit = &mut self.units[unit];
        if unit.oppose != 0 {
            unit.agree |= core::mem::take(&mut unit.oppose);
            return;
        }
        let masks = self.parts.iter().rev().map(|part| part.mask & !values);
        unit.oppose = masks.into_iter().find(|mask| *mask != 0).unwrap_or(0);
        unit.agree &= !unit.oppose;
    }

    /// For each part its clause, with what of the claim that clause holds, where there are several values
    /// to tell apart.
    fn clauses(&self, values: usize) -> Vec<Clause> {
        if values < 2 || self.claim.masks.values == 0 {
            return Vec::new();
        }
        let mut clauses: Vec<Clause> = Vec::new();
        let mut number = 0;
        let mut clause = Clause::default();
        let mut ends = Vec::new();
        for part in &self.parts {
            let joint = matches!(part.stem, "and" | "but" | "while" | "whereas");
            if part.parted || joint {
                ends.push(core::mem::take(&mut clause));
                number += 1;
            }
            clause.number = number;
            clause.contents |= part.mask & self.claim.masks.contents & !self.claim.masks.values;
            clause.foreign |= part.tells && part.mask == 0;
            clauses.push(clause);
        }
        ends.push(clause);
        for clause in &mut clauses {
            *clause = ends[clause.number];
        }
        clauses
    }

    /// The value of a comment beside code is given all `values` of the unit.
    fn match_value(
        &mut self,
        unit: usize,
        written: &Written<'_>,
        clause: Clause,
        values: Option<&[Written<'_>]>,
    ) {
        let (value, Range { start: at, end: to }) = (written.value, written.parts.clone());
        let before = at
            .checked_sub(1)
            .and_then(|at| self.parts.get(at))
            .map_or("", |part| part.stem);
        let after = self.parts.get(to).map_or("", |part| part.stem);
        let mut slot = Slot {
            start: written.token.phrase.0,
            end: written.token.phrase.1,
            mask: 0,
            rival: 0,
            alike: 0,
            open: 0,
            keyed: 0,
            beside: self.beside(at, to),
            clause,
        };
        // What compares the claim's value, where it compares this one as well.
        let mut compared = 0;
        for (bit, term) in (0_u32..).zip(&self.claim.terms) {
            let Some(wanted) = term.value else { continue };
            // The end of a range that is affected is not where something was fixed.
            let [left, right] = term.beside;
            let keyed =
                (!left.is_empty() && left == before) || (!right.is_empty() && right == after);
            let relation = match wanted.relation(term.bound, value, written.token.bound) {
                // "More than 8 guests" holds of "12 guests".
                Relation::Within if keyed => Relation::Same,
                relation => relation,
            };
            if relation == Relation::Same && !(written.upper && self.claim.change) {
                slot.mask |= 1 << bit;
                if term.bound.side == written.token.bound.side {
                    compared |= term.compared;
                }
            } else if !written.numbering && relation == Relation::Rival {
                slot.rival |= 1 << bit;
                if keyed {
                    slot.keyed |= 1 << bit;
                }
                if wanted.is_year() && value.is_year() {
                    slot.alike |= 1 << bit;
                }
            } else if matches!(relation, Relation::Open | Relation::Within) {
                slot.open |= 1 << bit;
            }
        }
        // "Two" is as often no value, "two years" is one.
        let number_word = matches!(value, Value::Number(number, text)
            if number.unit.is_none()
                && text.starts_with(char::is_alphabetic)
                && !text.contains(' '));
        let unit = &mut self.units[unit];
        if let Some(values) = values {
            // A line may have as many values as its comment: what is beyond the first of them explains nothing.
            let code = values.iter().filter(|other| !other.token.remark);
            let mut code = code.take(MAX_VALUES);
            let explains = code.any(|code| value.explains(code.value));
            slot.yield_to(&mut unit.values, explains);
        }
        unit.agree |= slot.mask | if slot.mask == 0 { 0 } else { compared };
        if !number_word
            && (slot.mask | slot.rival | slot.open) != 0
            && unit.values.len() < MAX_VALUES
        {
            unit.values.push(slot);
        }
    }

    /// The words beside the parts from `at` to `to`, over those that only join; none where another value is joined
    /// to it: of "at 7 and 9" both are what stands there.
    fn beside(&self, at: usize, to: usize) -> [Option<u128>; 2] {
        let open = |at: usize| self.parts.get(at).is_some_and(|part| !part.parted);
        let word = |parts: &mut dyn Iterator<Item = usize>| {
            let mut parts = parts.map(|at| &self.parts[at]).filter(|part| !part.joins);
            let first = parts.next()?;
            let listed =
                matches!(first.stem, "and" | "or") && parts.next().is_some_and(|part| part.value);
            (!first.value && !listed).then_some(first.mask)
        };
        [
            word(&mut (0..at).rev().take_while(|&at| open(at + 1))),
            word(&mut (to..self.parts.len()).take_while(|&at| open(at))),
        ]
    }

    /// Hands down what stands above each unit, and round what stands beside it.
    fn spread(&mut self) {
        let values = self.claim.masks.values;
        let numbers = self.claim.masks.numbers;
        let names = self.claim.masks.names;
        let count = self.units.len();
        for at in 0..count {
            if self.units[at].question {
                (self.units[at].agree, self.units[at].oppose) = (0, 0);
            }
            if let Some(parent) = self.units[at].parent {
                self.units[parent].has_children = true;
            }
        }
        // What stands beside: entries and a line's first sentence whole, of other sentences what they name.
        let repeated = self.repeated();
        let mut near = vec![(0, 0); count];
        let mut named = vec![0; count];
        let mut hidden = vec![false; count];
        for (at, unit) in self.units.iter().enumerate() {
            if (unit.is_fact() || unit.group == at) && !repeated[at] {
                near[unit.group].0 |= unit.agree;
                near[unit.group].1 |= unit.oppose;
            }
            // The first sentence of a line that is also an entry stands among both.
            if unit.group != at {
                near[at].0 |= unit.agree;
                near[at].1 |= unit.oppose;
            }
            named[unit.group] |= unit.agree & (names | values);
            hidden[unit.group] |= unit.placeholder;
        }
        let said = |unit: &Unit| {
            let (told, turned) = near[unit.group];
            // Whom "she" means, the first sentence says.
            let about = if unit.pronoun { values } else { u128::MAX };
            (told | named[unit.group] & about, turned)
        };
        let said: Vec<(u128, u128)> = self.units.iter().map(said).collect();
        self.name_columns();
        let (scalars, identity) = self.scalars(values, &repeated);
        let mut over: Vec<Over> = vec![Over::default(); count];
        for at in 0..count {
            // A parent stands before its children.
            let Some(parent) = self.units[at].parent else {
                continue;
            };
            let (front, beside) = self.units.split_at_mut(at);
            let (parent_unit, unit) = (&front[parent], &mut beside[0]);
            let (told, turned) = said[at];
            // What stands beside a sentence stands beside the entries in its brackets.
            let sentence = parent_unit.parent != Some(parent_unit.group);
            let Over {
                above,
                turned: above_turned,
                around,
            } = over[parent];
            let above = parent_unit.own() | above;
            let above_turned = parent_unit.oppose & !parent_unit.agree | above_turned;
            let around = match scalars[parent_unit.group] {
                (agree, oppose) if parent != 0 => (around.0 | agree, around.1 | oppose),
                _ => around,
            };
            over[at] = Over {
                above,
                turned: above_turned,
                around,
            };
            unit.rivalled = unit
                .values
                .iter()
                .filter(|slot| slot.mask == 0)
                .fold(0, |mask, slot| mask | slot.rival | slot.open);
            // A value that has a rival here is not brought from elsewhere.
            unit.above |= above & !(unit.rivalled & numbers);
            unit.near = told | around.0 | identity | if sentence { parent_unit.near } else { 0 };
            unit.near &= !unit.rivalled;
            unit.against = (turned | around.1 | above_turned) & !unit.near;
            unit.listed |= parent_unit.listed;
            unit.placeholder |= parent_unit.placeholder | hidden[unit.group];
        }
    }

    /// Which entries that hold something of the claim have the key of the one before among these: each is about
    /// something of its own.
    fn repeated(&self) -> Vec<bool> {
        let mut repeated = vec![false; self.units.len()];
        let mut last = vec![0; self.units.len()];
        for (at, unit) in self.units.iter().enumerate() {
            let Some(key) = unit.key.filter(|_| unit.pair && unit.own() != 0) else {
                continue;
            };
            let before = core::mem::replace(&mut last[unit.group], at);
            let letters = |(start, end): (usize, usize)| &self.low[start..end];
            if self.units[before].key.map(letters) == Some(letters(key)) {
                (repeated[before], repeated[at]) = (true, true);
            }
        }
        repeated
    }

    /// Gives each cell the title of its column, as an entry has its key.
    fn name_columns(&mut self) {
        let (contents, values) = (self.claim.masks.contents, self.claim.masks.values);
        let on = self.lexicon.on;
        for at in 0..self.units.len() {
            let Some(title) = self.units[at].title.filter(|&title| title != at) else {
                continue;
            };
            if self.units[at].blank {
                continue;
            }
            let (agree, oppose) = (self.units[title].agree, self.units[title].oppose);
            let unit = &mut self.units[at];
            let stated = unit.own() != 0;
            unit.other = match ((agree | oppose) & contents != 0, stated) {
                (true, false) if unit.word.is_some() && !unit.denies => Other::Value,
                _ => Other::Nothing,
            };
            let turned = unit.denies && self.claim.patterns(on).is_empty();
            // As an entry: a title whose one word the claim has its "not" before is turned round as a whole.
            let (agree, oppose) = match (turned, oppose) {
                (false, _) => (agree, oppose),
                (true, 0) => (0, agree),
                (true, _) => (agree | oppose, 0),
            };
            // A number over a column names it: it is none of the cell's own values.
            unit.above |= agree & values;
            unit.agree |= agree & !values;
            unit.oppose |= oppose;
        }
    }

    /// What the entries of each group that are no parents say, without values; and what the whole
    /// text's name is: what its first block calls itself.
    fn scalars(&self, values: u128, repeated: &[bool]) -> (Vec<(u128, u128)>, u128) {
        // A switch is on or off by itself.
        let switch = self.claim.patterns(self.lexicon.on);
        let switch = switch.iter().fold(0, |mask, pattern| mask | pattern.mask);
        let mut scalars = vec![(0, 0); self.units.len()];
        let mut identity = 0;
        let first = self
            .units
            .iter()
            .position(|unit| unit.parent == Some(0) && unit.pair && unit.has_children);
        for (at, unit) in self.units.iter().enumerate() {
            if unit.pair && !unit.has_children && !repeated[at] {
                let denies = unit.own() & switch != 0;
                scalars[unit.group].0 |= unit.agree & !(values | switch);
                scalars[unit.group].1 |= if denies { 0 } else { unit.oppose };
                if unit.identity && unit.parent == first && first.is_some() {
                    identity |= unit.agree & !values;
                }
            }
        }
        (scalars, identity)
    }
}

/// What stands over the children of a unit.
#[derive(Clone, Copy, Default)]
struct Over {
    above: u128,
    /// What of it the claim says turned round.
    turned: u128,
    /// What the entries beside it say, and turn round.
    around: (u128, u128),
}

/// Whether what comes next is what something is not: "instead of gzip", "rather than gzip".
pub(super) fn is_replaced(before: &str, word: &str) -> bool {
    matches!((before, word), ("instead", "of") | ("rather", "than"))
}

/// Keys of what a record is called.
const IDENTITY: [&str; 3] = ["name", "title", "id"];

/// Whether a value says no.
fn says_no(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        b"false" | b"off" | b"disabled" | b"no" | b"none" | b"never"
    )
}

/// Whether a word stands in the place of whom a sentence is about.
fn is_pronoun(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        b"he" | b"she" | b"it" | b"they" | b"his" | b"her"
    )
}

/// The length of a list marker with its space.
fn bullet(lead: &str) -> usize {
    if matches!(lead.as_bytes(), [b'-' | b'*' | b'+', b' ', ..]) {
        return 2;
    }
    if lead.starts_with("• ") {
        return "• ".len();
    }
    let digits = lead.bytes().take_while(u8::is_ascii_digit).count();
    let marker = lead[digits..].starts_with(". ") || lead[digits..].starts_with(") ");
    if (1..=3).contains(&digits) && marker {
        digits + 2
    } else {
        0
    }
}

/// The key of `key: value` or `key = value`: at most four words.
fn key(lead: &str) -> Option<&str> {
    let (mut words, mut inside) = (0, false);
    let bytes = lead.as_bytes();
    for (end, byte) in bytes.iter().take(80).enumerate() {
        match byte {
            b':' | b'=' => {
                let after = bytes.get(end + 1).copied().unwrap_or(b' ');
                let parts = *byte == b'=' || after == b' ' || after == b'"';
                return (words > 0 && parts).then(|| lead[..end].trim());
            }
            b'(' | b'{' | b'[' | b'<' => return None,
            byte if byte.is_ascii_whitespace() => inside = false,
            _ if inside => {}
            _ => (words, inside) = (words + 1, true),
        }
        if words > 4 {
            return None;
        }
    }
    None
}

/// Where the few words of an element end that stands whole in its line: `<port>80</port>`.
fn element(lead: &str) -> Option<usize> {
    let name = lead.strip_prefix('<')?;
    let whole = name.starts_with(char::is_alphabetic) && lead.ends_with('>');
    let close = lead.rfind("</").filter(|_| whole)?;
    let text = &lead[lead.find('>').filter(|open| *open < close)? + 1..close];
    let few = (1..=4).contains(&text.split_whitespace().count());
    (few && !text.contains('<')).then_some(close)
}

/// Whether a line is an entry that is commented out: nothing says it.
fn is_commented_out(lead: &str) -> bool {
    let mark = |mark: &&str| lead.strip_prefix(*mark);
    let Some(entry) = ["#", "//", ";", "-- "].iter().find_map(mark) else {
        return false;
    };
    let entry = entry.trim_start();
    let value = key(entry).and_then(|key| {
        let single = !key.contains(char::is_whitespace);
        entry[key.len()..]
            .trim_start()
            .strip_prefix('=')
            .filter(|_| single)
    });
    value.is_some_and(|value| value.split_whitespace().count() == 1)
}

/// Where in a line of entries the next one begins, behind a gap: `Date: 3 May    Due: 2 June`.
fn next_entry(line: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(gap) = line[from..].find("  ") {
        let rest = line[from + gap..].trim_start();
        from = line.len() - rest.len();
        let entry = rest.starts_with(char::is_alphabetic)
            && key(rest)
                .is_some_and(|key| rest[key.len()..].starts_with(':') && !key.contains("  "));
        if entry {
            return Some(from);
        }
    }
    None
}

/// Whether a bracket is still open at the end of a text.
fn leaves_open(text: &str) -> bool {
    let depth = text.bytes().fold(0_i32, |depth, byte| match byte {
        b'(' | b'[' | b'{' => depth + 1,
        b')' | b']' | b'}' => (depth - 1).max(0),
        _ => depth,
    });
    depth > 0
}

/// Whether a line at the start of a block is its title.
fn title(lead: &str) -> bool {
    lead.split_whitespace().count() <= 4
        && !lead.ends_with(['.', ';', ',', '{', '(', '[', '}', ')'])
        && key(lead).is_none()
        && !begins_with_code(lead)
}

/// Whether the first line of a text, with nothing under it, is its title.
fn headline(lead: &str) -> bool {
    lead.split_whitespace().count() <= 6
        && lead.starts_with(char::is_alphabetic)
        && !lead.contains(['{', '[', '=', ';', '<', '.', ':'])
}

/// Whether a line's first word is no word of prose: `find(id)`, `a=1`.
fn begins_with_code(lead: &str) -> bool {
    let first = lead.split_whitespace().next().unwrap_or("");
    first.contains(['(', '{', '=', '_', '<'])
}

/// Where a comment begins behind what else a line says.
fn trailing_comment(line: &str) -> Option<usize> {
    let mark = |(at, mark): (usize, &str)| {
        let (before, after) = (&line[..at], &line[at + mark.len()..]);
        let apart = after.starts_with(' ');
        // In prose two strokes are a dash.
        let ends = mark != "--" || before.trim_end().ends_with([',', ';', ')']);
        (apart && ends && !before.trim().is_empty()).then_some(at)
    };
    let mut space = false;
    line.bytes().enumerate().find_map(|(at, byte)| {
        let apart = core::mem::replace(&mut space, matches!(byte, b' ' | b'\t'));
        let rest = &line.as_bytes()[at..];
        match byte {
            b'#' if apart => mark((at, "#")),
            b'/' if apart && rest.starts_with(b"//") => mark((at, "//")),
            b'-' if apart && rest.starts_with(b"--") => mark((at, "--")),
            _ => None,
        }
    })
}

fn abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or(before);
    matches!(
        word,
        "e.g" | "i.e" | "vs" | "etc" | "cf" | "no" | "mr" | "dr" | "approx"
    )
}

/// The mask of what a short text (a source label) holds.
pub(super) fn label(text: &str, claim: &Claim<'_>, lexicon: &Lexicon) -> u128 {
    let text = lex::Text::new(text);
    read(&text.cased, &text.low, claim, lexicon)
        .iter()
        .fold(0, |mask, unit| mask | unit.own())
}
