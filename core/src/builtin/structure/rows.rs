//! Rows of a table: a cell under its row's first cell and its column's title.

use alloc::vec::Vec;

use super::Reader;
use crate::builtin::table;

impl Reader<'_, '_> {
    /// Reads a line that begins a table or goes on with one: whether it does.
    pub(super) fn row(&mut self, start: usize, end: usize, next: &str) -> bool {
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
}
