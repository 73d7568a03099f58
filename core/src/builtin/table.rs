//! Tables: lines that a header above divides into columns, by bars, commas, tabs or gaps.

use alloc::vec::Vec;

/// How the cells of a line are told apart.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Style {
    /// `| a | b |`
    Bars,
    /// `a,b` with this byte between them.
    Mark(u8),
    /// Two spaces or more.
    Gaps,
}

/// A stretch of a line, in bytes from the line's start.
pub(super) type Cell = (usize, usize);

/// The header of a table.
#[derive(Debug)]
pub(super) struct Header {
    style: Style,
    pub(super) cells: Vec<Cell>,
}

/// Fewest columns of a table without rules; two columns are as often something else.
const FEWEST: usize = 3;

/// The header that `line` is, by the look of it and of the line after it.
pub(super) fn header(line: &str, next: &str) -> Option<Header> {
    let header = |style| Header {
        style,
        cells: cells(line, style),
    };
    let seen = Seen::new(line);
    if seen.bars && is_rule(next) {
        return Some(header(Style::Bars)).filter(|header| header.cells.len() >= 2);
    }
    seen.styles().map(header).find(|header| {
        if header.cells.len() < FEWEST {
            return false;
        }
        let title = |&(start, end): &Cell| is_title(&line[start..end]);
        let rule = header.style == Style::Gaps && is_rule(next);
        match header.cells.iter().all(title) {
            true => rule || header.row(next).is_some(),
            false => title(&header.cells[0]) && header.is_series(line, next),
        }
    })
}

/// Whether a line only parts a header from its rows.
pub(super) fn is_rule(line: &str) -> bool {
    (line.contains("--") || line.contains("=="))
        && line
            .bytes()
            .all(|b| matches!(b, b'-' | b'=' | b'|' | b':' | b'+' | b' ' | b'\t'))
}

/// Whether a cell could name a column.
fn is_title(cell: &str) -> bool {
    let cell = cell.trim_matches('"');
    cell.starts_with(char::is_alphabetic)
        && cell.split_whitespace().count() <= 4
        && !cell.contains(['(', ')', '{', '}', '[', ']', '=', ':', '.', '"', '<', '>'])
}

/// What a line has that could divide it: the look at it that most lines get.
#[derive(Default)]
struct Seen {
    bars: bool,
    commas: usize,
    semicolons: usize,
    tabs: usize,
    gaps: bool,
}

impl Seen {
    fn new(line: &str) -> Self {
        let mut seen = Self {
            bars: line.contains('|'),
            ..Self::default()
        };
        let mut space = false;
        for byte in line.trim_ascii().bytes() {
            match byte {
                b'\t' => seen.tabs += 1,
                b',' => seen.commas += 1,
                b';' => seen.semicolons += 1,
                _ => {}
            }
            seen.gaps |= space && byte == b' ';
            space = byte == b' ';
        }
        seen
    }

    /// In which styles there could be enough columns.
    fn styles(&self) -> impl Iterator<Item = Style> {
        let marks = [
            (b',', self.commas),
            (b';', self.semicolons),
            (b'\t', self.tabs),
        ];
        let marks = marks
            .into_iter()
            .filter(|(_, count)| count + 1 >= FEWEST)
            .map(|(mark, _)| Style::Mark(mark));
        let gaps = self.gaps || self.tabs > 0;
        marks.chain(gaps.then_some(Style::Gaps))
    }
}

impl Header {
    /// Whether behind the first title there are only numbers, as of trains or years, that do not look like what
    /// stands in the row beneath.
    fn is_series(&self, line: &str, next: &str) -> bool {
        let Some(row) = self.row(next) else {
            return false;
        };
        let titles = || {
            self.cells[1..]
                .iter()
                .map(|&(start, end)| &line[start..end])
        };
        let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let year = |text: &str| number(text) && text.len() == 4 && text.starts_with(['1', '2']);
        let figure = |text: &str| {
            text.bytes()
                .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
        };
        let mut values = row[1..].iter().map(|&(_, (start, end))| &next[start..end]);
        titles().all(year) || titles().all(number) && !values.any(figure)
    }

    /// The cells of a line of this table, each with its column; none where the line is of no table.
    pub(super) fn row(&self, line: &str) -> Option<Vec<(usize, Cell)>> {
        let cells = cells(line, self.style);
        if cells.len() == self.cells.len() {
            return Some(cells.into_iter().enumerate().collect());
        }
        let enough = cells.len() >= 2 && cells.len() < self.cells.len();
        match self.style {
            Style::Bars if line.contains('|') => Some(
                cells
                    .into_iter()
                    .enumerate()
                    .take(self.cells.len())
                    .collect(),
            ),
            // With a cell left empty: by what each stands under.
            Style::Gaps if enough => cells
                .into_iter()
                .map(|cell| Some((self.under(cell)?, cell)))
                .collect(),
            _ => None,
        }
    }

    /// The column whose title stands over a cell.
    fn under(&self, (start, end): Cell) -> Option<usize> {
        // The cells of a line stand in order.
        let at = self.cells.partition_point(|&(_, to)| to <= start);
        self.cells
            .get(at)
            .is_some_and(|&(from, _)| from < end)
            .then_some(at)
    }
}

fn cells(line: &str, style: Style) -> Vec<Cell> {
    let mut cells = Vec::new();
    let bytes = line.as_bytes();
    let mut from = 0;
    let mut quoted = false;
    let mut at = 0;
    while at < bytes.len() {
        quoted ^= bytes[at] == b'"' && matches!(style, Style::Mark(_));
        let length = match style {
            Style::Bars => usize::from(bytes[at] == b'|' && (at == 0 || bytes[at - 1] != b'\\')),
            Style::Mark(mark) => usize::from(bytes[at] == mark && !quoted),
            Style::Gaps if bytes[at..].starts_with(b"  ") || bytes[at] == b'\t' => bytes[at..]
                .iter()
                .take_while(|b| b.is_ascii_whitespace())
                .count(),
            Style::Gaps => 0,
        };
        if length > 0 {
            cells.push((from, at));
            from = at + length;
        }
        at += length.max(1);
    }
    cells.push((from, bytes.len()));
    // What stands outside of the outer bars, or before an indent, is no cell.
    let outer = |&(start, end): &Cell| style != Style::Bars || start > 0 && end < bytes.len();
    let open = style == Style::Bars && !line.trim().starts_with('|');
    let full = |&(start, end): &Cell| style != Style::Gaps || start < end;
    let mut kept: Vec<Cell> = cells
        .into_iter()
        .filter(|cell| (open || outer(cell)) && full(cell))
        .collect();
    for cell in &mut kept {
        let text = &line[cell.0..cell.1];
        cell.0 += text.len() - text.trim_start().len();
        cell.1 = cell.0 + text.trim().len();
    }
    kept
}
