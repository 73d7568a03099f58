//! Where in pasted JSON a value stands, so that what is wrong can be shown in its place.

use std::ops::Range;

/// What an error's path leads to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Located {
    /// The bytes of the value.
    pub(crate) range: Range<usize>,
    /// Whether it is the value itself; else it is the innermost value around that is there.
    pub(crate) exact: bool,
}

/// Finds the value at a path of keys and positions. The text is JSON: it was read before. Where a key
/// stands twice the later one is meant, as it is when it is read.
pub(crate) fn locate<'a>(text: &str, path: impl IntoIterator<Item = &'a str>) -> Located {
    let mut cursor = Cursor { text, at: 0 };
    cursor.space();
    let root = cursor.value();
    locate_in(text, root, path)
}

/// The same below the value in that range.
pub(crate) fn locate_in<'a>(
    text: &str,
    root: Range<usize>,
    path: impl IntoIterator<Item = &'a str>,
) -> Located {
    let mut range = root;
    for step in path {
        let Some(below) = below(text, &range, step) else {
            return Located {
                range,
                exact: false,
            };
        };
        range = below;
    }
    Located { range, exact: true }
}

/// The items of the list at a path, in one go; none where no list is there.
pub(crate) fn list<'a>(text: &str, path: impl IntoIterator<Item = &'a str>) -> Vec<Range<usize>> {
    let Located { range, exact } = locate(text, path);
    let mut cursor = Cursor {
        text,
        at: range.start,
    };
    match cursor.next() {
        Some(b'[') if exact => cursor.items(range.end).collect(),
        _ => Vec::new(),
    }
}

/// The value under a key, or at a position, of the value in that range.
fn below(text: &str, range: &Range<usize>, step: &str) -> Option<Range<usize>> {
    let mut cursor = Cursor {
        text,
        at: range.start,
    };
    match cursor.next()? {
        b'[' => {
            let wanted: usize = step.parse().ok()?;
            cursor.items(range.end).nth(wanted)
        }
        b'{' => {
            let mut found = None;
            while let Some(key) = cursor.item(range.end) {
                // The colon, then the value.
                cursor.space();
                cursor.next();
                cursor.space();
                let value = cursor.value();
                if is_key(&text[key], step) {
                    found = Some(value);
                }
            }
            found
        }
        _ => None,
    }
}

fn is_key(quoted: &str, key: &str) -> bool {
    if quoted.contains('\\') {
        return serde_json::from_str::<String>(quoted).is_ok_and(|read| read == key);
    }
    quoted.trim_matches('"') == key
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// The next item of a list, or key of an object, that ends at `end`; commas are passed over.
    fn item(&mut self, end: usize) -> Option<Range<usize>> {
        self.space();
        if self.peek() == Some(b',') {
            self.at += 1;
            self.space();
        }
        (self.at + 1 < end).then(|| self.value())
    }

    fn items(&mut self, end: usize) -> impl Iterator<Item = Range<usize>> {
        std::iter::from_fn(move || self.item(end))
    }

    /// Passes over one value, however deep it is.
    fn value(&mut self) -> Range<usize> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                Some(b'"') => self.string(),
                Some(b'[' | b'{') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b']' | b'}') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b']' | b'}') | None => break,
                Some(_) if depth > 0 => self.at += 1,
                Some(_) => self.scalar(),
            }
            if depth == 0 {
                break;
            }
        }
        start..self.at
    }

    fn string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.next() {
            match byte {
                b'\\' => self.at += 1,
                b'"' => break,
                _ => {}
            }
        }
    }

    fn scalar(&mut self) {
        let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b']' | b'}');
        while self.peek().is_some_and(|byte| !ends(byte)) {
            self.at += 1;
        }
    }
}

/// The byte at a line and a column as a reader of JSON names them: both from 1, the column in bytes.
pub(crate) fn at_line(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    floor(text, start + column.saturating_sub(1))
}

/// The character at a byte, or the last one where the text ends there.
pub(crate) fn character(text: &str, at: usize) -> Range<usize> {
    let start = match text[at..].chars().next() {
        Some(_) => at,
        None => text.char_indices().next_back().map_or(0, |(at, _)| at),
    };
    let length = text[start..].chars().next().map_or(0, char::len_utf8);
    start..start + length
}

/// A piece of a text around a range: whole lines, or as much of them as can be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Excerpt {
    /// The line on which the range begins, from 1.
    pub(crate) line: usize,
    pub(crate) before: String,
    pub(crate) marked: String,
    pub(crate) after: String,
}

/// How much of a line is shown on either side, and how much of the range itself, in bytes.
const AROUND: usize = 90;
const MOST: usize = 420;

/// Cuts out a range with what stands beside it on its lines.
pub(crate) fn excerpt(text: &str, range: &Range<usize>) -> Excerpt {
    let line_start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |at| range.end + at);
    let start = ceil(text, line_start.max(range.start.saturating_sub(AROUND)));
    let end = floor(text, line_end.min(range.end + AROUND));
    let shown = floor(text, range.end.min(range.start + MOST));
    let cut = |is: bool| if is { "…" } else { "" };
    // What the first line is indented by, the others are at least: it says nothing.
    let indent = &text[line_start..range.start];
    let indent = &indent[..indent.len() - indent.trim_start().len()];
    let (before, after) = (&text[start..range.start], &text[range.end..end]);
    let dedent = |text: &str| text.replace(&format!("\n{indent}"), "\n");
    Excerpt {
        line: text[..range.start].matches('\n').count() + 1,
        before: format!(
            "{}{}",
            cut(start > line_start),
            before.strip_prefix(indent).unwrap_or(before)
        ),
        marked: format!(
            "{}{}",
            dedent(&text[range.start..shown]),
            cut(shown < range.end)
        ),
        after: format!("{after}{}", cut(end < line_end)),
    }
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// A range in the units in which a page counts.
pub(crate) fn utf16(text: &str, range: &Range<usize>) -> Range<u32> {
    let count = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    let start = count(&text[..range.start]);
    start..start.saturating_add(count(&text[range.clone()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_in_its_place() {
        let text = r#" { "summary" : "a \" } ] b", "claims":[ {"kind":"file-write"} , {"filePath":["x",[1,{}],true]}, 12],
            "e":{}, "l":[], "\u0061":1, "two":1, "two":{"in":null} } "#;
        #[rustfmt::skip]
        let rows = [
            ("summary", r#""a \" } ] b""#, true),
            ("claims.0.kind", r#""file-write""#, true),
            ("claims.0.contentHash", r#"{"kind":"file-write"}"#, false),
            ("claims.1.filePath.1", "[1,{}]", true),
            ("claims.1.filePath.2", "true", true),
            ("claims.2", "12", true),
            ("claims.3", r#"[ {"kind":"file-write"} , {"filePath":["x",[1,{}],true]}, 12]"#, false),
            ("e.x", "{}", false),
            ("l.0", "[]", false),
            ("a", "1", true),
            ("two.in", "null", true),
            ("summary.x", r#""a \" } ] b""#, false),
        ];
        for (path, want, exact) in rows {
            let found = locate(text, path.split('.'));
            assert_eq!((&text[found.range], found.exact), (want, exact), "{path}");
        }
        assert_eq!(&text[locate(text, []).range], text.trim());
    }

    #[test]
    fn all_items_are_found_in_one_go() {
        let text = r#" {"a":[ {"b":[1]}, 2 ,"]"], "n":{}}"#;
        let items = list(text, ["a"]).into_iter().map(|range| &text[range]);
        assert_eq!(items.collect::<Vec<_>>(), [r#"{"b":[1]}"#, "2", r#""]""#]);
        assert!(list(text, ["n"]).is_empty());
        assert!(list(text, ["x"]).is_empty());
    }

    #[test]
    fn every_value_of_a_document_is_where_a_reader_finds_it() {
        let text = r#"[{"a":[1,-2.5e3,"é\\",{"b":[[],{}]}],"c":"\"" }, false]"#;
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut paths = vec![(Vec::new(), &value)];
        while let Some((path, value)) = paths.pop() {
            let found = locate(text, path.iter().map(String::as_str));
            assert!(found.exact, "{path:?}");
            let read: serde_json::Value = serde_json::from_str(&text[found.range]).unwrap();
            assert_eq!(&read, value, "{path:?}");
            let step = |key: String| [path.clone(), vec![key]].concat();
            if let Some(list) = value.as_array() {
                paths.extend(
                    list.iter()
                        .enumerate()
                        .map(|(at, item)| (step(at.to_string()), item)),
                );
            }
            if let Some(object) = value.as_object() {
                paths.extend(object.iter().map(|(key, item)| (step(key.clone()), item)));
            }
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let text = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(locate(&text, []).range, 0..text.len());
    }

    #[test]
    fn an_excerpt_has_its_lines_without_their_indent() {
        let text = "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": \"x\"\n}";
        let of = |path: &str| excerpt(text, &locate(text, path.split('.')).range);
        assert_eq!(
            of("c"),
            Excerpt {
                line: 5,
                before: "\"c\": ".to_owned(),
                marked: "\"x\"".to_owned(),
                after: String::new(),
            }
        );
        assert_eq!(of("a").marked, "{\n  \"b\": 1\n}");
        assert_eq!((of("a").after.as_str(), of("a").line), (",", 2));
        let list = "[\n  {\n    \"b\": 1\n  }\n]";
        let item = excerpt(list, &locate(list, ["0"]).range);
        assert_eq!(item.marked, "{\n  \"b\": 1\n}");
        assert_eq!(item.before, "");
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let text = format!("[\"{}\",\"é\",\"{}\"]", "é".repeat(500), "é".repeat(500));
        let one = excerpt(&text, &locate(&text, ["1"]).range);
        assert_eq!(one.marked, "\"é\"");
        assert!(one.before.starts_with('…') && one.after.ends_with('…'));
        let long = excerpt(&text, &locate(&text, ["0"]).range);
        assert!(long.marked.len() < MOST + 8 && long.marked.ends_with('…'));
    }

    #[test]
    fn a_page_counts_in_utf16() {
        let text = "[\"😀\",1]";
        assert_eq!(utf16(text, &locate(text, ["1"]).range), 6..7);
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        assert_eq!(at_line("ab\ncd", 2, 1), 3);
        assert_eq!(at_line("ab\ncd", 2, 9), 5);
        assert_eq!(at_line("", 1, 0), 0);
    }
}
