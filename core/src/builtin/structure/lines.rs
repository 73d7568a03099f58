//! A line by the look of it: a heading, an entry, a list's item, a comment, or prose that goes on.

use super::{Frame, Reader, brackets::leaves_open};

impl Reader<'_, '_> {
    pub(super) fn line(&mut self, start: usize, end: usize, next: &str) {
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
