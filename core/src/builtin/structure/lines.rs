//! A line by the look of it: a heading, an entry, a list's item, a comment, or prose that goes on.

use super::{Reader, brackets::leaves_open};

impl Reader<'_, '_> {
    pub(super) fn line(&mut self, start: usize, end: usize, next: &str) {
        let text = &self.text[start..end];
        let lead = text.trim_start();
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
        let line = Line::new(lead, self.is_comment(lead, fresh));
        self.remark = match line.is_remark(next) {
            true => start,
            false => trailing_comment(text).map_or(usize::MAX, |at| start + at),
        };
        let mut indent = isize::try_from(text.len() - lead.len()).unwrap_or(isize::MAX);
        let goes_on = self.prose == Some(indent) && line.may_go_on();
        let attached = self.attach && self.current.is_some();
        // Of the frames those that an entry of this line stands under.
        let mut depth = self.frames.len().saturating_sub(1);
        if !goes_on && !attached {
            let level = line.level(fresh, opening, next.is_empty());
            indent = level.unwrap_or(indent);
            self.close();
            self.pop(start, indent);
            depth = self.frames.len();
            let unit = self.begin(start, line.pair && line.bullet == 0, indent);
            self.units[unit].listed = line.bullet > 0;
        }
        self.attach = line.comment;
        self.prose = (line.is_open() && indent >= 0).then_some(indent);
        let mut from = end - lead.len() + line.bullet;
        let end = line.element.map_or(end, |length| from + length);
        while line.pair
            && let Some(cut) = next_entry(&self.text[from..end])
            && !leaves_open(&self.text[from..from + cut])
        {
            self.content(from, from + cut);
            self.close();
            self.frames.truncate(depth);
            from += cut;
            self.begin(from, true, indent);
        }
        self.content(from, end);
    }

    /// Whether a line is a comment or an attribute, of which the line under it is the rest.
    fn is_comment(&mut self, lead: &str, fresh: bool) -> bool {
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
        comment
    }
}

/// What a line is by the look of it.
struct Line<'a> {
    /// It without its indent.
    lead: &'a str,
    /// A comment or an attribute.
    comment: bool,
    /// Of a heading, how many marks it has.
    heading: usize,
    /// `[section]`
    section: bool,
    /// The length of a list marker with its space.
    bullet: usize,
    /// Where what it says ends, if it is an element.
    element: Option<usize>,
    pair: bool,
}

impl<'a> Line<'a> {
    fn new(lead: &'a str, comment: bool) -> Self {
        let hashes = lead.bytes().take_while(|b| *b == b'#').count();
        let marked = !comment && lead[hashes..].starts_with(' ');
        let heading = if marked { hashes } else { 0 };
        let bullet = if comment { 0 } else { bullet(lead) };
        let element = element(&lead[bullet..]);
        Self {
            lead,
            comment,
            heading,
            section: lead.starts_with('[')
                && lead.ends_with(']')
                && !lead.contains(['"', ',', '{']),
            bullet,
            element,
            pair: (key(&lead[bullet..]).is_some() || element.is_some()) && heading == 0,
        }
    }

    /// Whether it says nothing but a comment.
    fn is_remark(&self, next: &str) -> bool {
        let code = matches!(self.lead.as_bytes(), [b'#', b'[' | b'!', ..] | [b'@', ..]);
        // What stands over an entry is a comment or a title, and looks alike.
        let over = self.heading == 1 && key(next).is_some();
        over || self.comment && !code
    }

    /// Whether it may be the rest of the prose above.
    fn may_go_on(&self) -> bool {
        self.bullet == 0
            && self.heading == 0
            && self.lead.starts_with(char::is_lowercase)
            && !begins_with_code(self.lead)
            && key(self.lead).is_none()
    }

    /// Whether it may be prose that goes on in the next line.
    fn is_open(&self) -> bool {
        let ends = ['.', '!', '?', ':', ';', '{', '}', ',', ')', '>'];
        !self.lead.ends_with(ends)
            && !self.pair
            && !self.comment
            && self.heading == 0
            && !self.section
    }

    /// What a title has for an indent: less than all that it may stand over.
    fn level(&self, fresh: bool, opening: bool, last: bool) -> Option<isize> {
        let plain = self.bullet == 0 && !self.comment;
        if self.heading > 0 {
            Some(isize::try_from(self.heading).unwrap_or(6).min(6) - 10)
        } else if self.section {
            Some(-3)
        } else if opening && last && plain && headline(self.lead) {
            Some(-11)
        } else if fresh && !last && plain && title(self.lead) {
            Some(-1)
        } else {
            None
        }
    }
}

/// The key of `key: value` or `key = value`: at most four words.
pub(super) fn key(lead: &str) -> Option<&str> {
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

/// Where the few words of an element end that stands whole in its line: `<port>80</port>`.
fn element(lead: &str) -> Option<usize> {
    let name = lead.strip_prefix('<')?;
    let whole = name.starts_with(char::is_alphabetic) && lead.ends_with('>');
    let close = lead.rfind("</").filter(|_| whole)?;
    let text = &lead[lead.find('>').filter(|open| *open < close)? + 1..close];
    let few = (1..=4).contains(&text.split_whitespace().count());
    (few && !text.contains('<')).then_some(close)
}

/// Whether the first line of a text, with nothing under it, is its title.
fn headline(lead: &str) -> bool {
    lead.split_whitespace().count() <= 6
        && lead.starts_with(char::is_alphabetic)
        && !lead.contains(['{', '[', '=', ';', '<', '.', ':'])
}

/// Whether a line at the start of a block is its title.
fn title(lead: &str) -> bool {
    lead.split_whitespace().count() <= 4
        && !lead.ends_with(['.', ';', ',', '{', '(', '[', '}', ')'])
        && key(lead).is_none()
        && !begins_with_code(lead)
}

/// Whether a line's first word is no word of prose: `find(id)`, `a=1`.
fn begins_with_code(lead: &str) -> bool {
    let first = lead.split_whitespace().next().unwrap_or("");
    first.contains(['(', '{', '=', '_', '<'])
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
