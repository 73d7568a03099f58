//! Takes a key out of what a server says.

use alloc::{string::String, vec::Vec};

use serde_json::{Map, Value};

use crate::{json, reply::logprobs::TokenLogprob};

/// Replaces `key`, which is ASCII, in every text of `value`.
pub(super) fn redact(value: &mut Value, key: &str) {
    match value {
        Value::String(text) => {
            if let Some(redacted) = without(text, key) {
                *text = redacted;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redact(item, key)),
        Value::Object(fields) => {
            let fields = core::mem::replace(fields, Map::new());
            *value = Value::Object(
                fields
                    .into_iter()
                    .map(|(name, mut value)| {
                        redact(&mut value, key);
                        (without(&name, key).unwrap_or(name), value)
                    })
                    .collect(),
            );
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether `key` stands in a text of which these are the tokens.
pub(super) fn spell(tokens: &[TokenLogprob], key: &str) -> bool {
    let texts: Vec<&str> = tokens.iter().map(|one| &*one.token).collect();
    without(&texts.concat(), key).is_some()
}

/// The text without the key; nothing where it has none.
fn without(text: &str, key: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut kept, mut at) = (0, 0);
    while at < bytes.len() {
        match length(&bytes[at..], key) {
            Some(length) => {
                out.push_str(&text[kept..at]);
                out.push_str("[REDACTED]");
                at += length;
                kept = at;
            }
            None => at += slashes(&bytes[at..]).max(1),
        }
    }
    (kept > 0).then(|| {
        out.push_str(&text[kept..]);
        out
    })
}

/// How long the key is that a text begins with, in whatever case and broken by whatever white space. Each of its characters
/// may be escaped as JSON has it, also in JSON that is itself a text of JSON, as replies are, or as HTML has it.
fn length(text: &[u8], key: &str) -> Option<usize> {
    let mut at = 0;
    let mut last = 0;
    for byte in key.bytes() {
        loop {
            let escaped = slashes(&text[at..]);
            let (found, length) = character(&text[at + escaped..], escaped > 0);
            if found.eq_ignore_ascii_case(&byte) && length > 0 {
                at += escaped + length;
            } else if byte == b'\\' && (escaped > 0 || last == byte) {
                // A row of backslashes in the key is a longer one where it is escaped.
                at += escaped;
            } else if at > 0 && length > 0 && found.is_ascii_whitespace() {
                at += escaped + length;
                continue;
            } else {
                return None;
            }
            break;
        }
        last = byte;
    }
    Some(at)
}

/// The character that a text begins with, and its length; 0 at the end. `is_escaped` where backslashes stand before it.
fn character(text: &[u8], is_escaped: bool) -> (u8, usize) {
    let Some(&first) = text.first() else {
        return (0, 0);
    };
    let (found, length) = match first {
        b'n' | b'r' | b't' if is_escaped => (b' ', 1),
        b'u' if is_escaped => match json::digits(&text[1..]) {
            Some(unit) => (u8::try_from(unit).unwrap_or_default(), 5),
            None => (first, 1),
        },
        _ => (first, 1),
    };
    let named = match found {
        b'&' => entity(&text[length..]),
        _ => None,
    };
    named.map_or((found, length), |(named, behind)| (named, length + behind))
}

/// What an HTML entity stands for, of which this is what follows its &; and how long it is. Its & may be one, too.
fn entity(text: &[u8]) -> Option<(u8, usize)> {
    let mut named = None;
    let mut at = 0;
    while text[at..].starts_with(b"amp;") {
        at += 4;
        named = Some((b'&', at));
    }
    let rest = &text[at..];
    const LONGEST: usize = 8;
    let Some(end) = rest.iter().take(LONGEST).position(|byte| *byte == b';') else {
        return named;
    };
    let found = match &rest[..end] {
        b"lt" => b'<',
        b"gt" => b'>',
        b"quot" => b'"',
        b"apos" => b'\'',
        [b'#', digits @ ..] => {
            let digits = core::str::from_utf8(digits).ok()?;
            let number = match digits.strip_prefix(['x', 'X']) {
                Some(digits) => u8::from_str_radix(digits, 16),
                None => digits.parse(),
            };
            number.ok()?
        }
        _ => return named,
    };
    Some((found, at + end + 1))
}

fn slashes(text: &[u8]) -> usize {
    text.iter().take_while(|byte| **byte == b'\\').count()
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use serde_json::json;

    use super::*;

    #[test]
    fn a_key_is_found_however_it_is_written() {
        let key = r"aB3/d&E6\\x-9u002f";
        let json = format!("{}", json!(key));
        let inner = json.trim_matches('"');
        let coded = |text: &str| -> String {
            let codes = text
                .chars()
                .map(|char| format!("\\u{:04X}", u32::from(char)));
            codes.collect()
        };
        let twice = format!("{}", json!(inner.replace('/', "\\/")));
        let entities = key.replace('&', "&amp;").replace('/', "&#47;");
        let broken = key.replace("E6", "E\r\n\t6");
        for written in [
            key,
            inner,
            &inner.replace('/', "\\/"),
            &inner.replace('&', "\\u0026").replace('-', "\\u002d"),
            &coded(key),
            twice.trim_matches('"'),
            &key.to_lowercase(),
            &key.to_uppercase(),
            &entities,
            &entities.replace("&#47;", "&#x2F;"),
            &entities.replace('&', "&amp;"),
            &entities.replace('&', "\\u0026"),
            &broken,
            &broken.replace('\r', "\\r").replace('\n', "\\n"),
            &broken.replace('\r', "\\u000d").replace('\n', "&#10;"),
        ] {
            for (before, behind) in [("", ""), ("ä\\n", "\\"), ("aB3/", "ü"), ("\\u00e4", "aB3")]
            {
                let text = format!("{before}{written}{behind}");
                let found = without(&text, key);
                assert_eq!(found, Some(format!("{before}[REDACTED]{behind}")), "{text}");
            }
        }
        for other in [
            "",
            "\\",
            "aB3",
            r"aB3/d&E6x-9u002f",
            r"aB3/d&#x26E6\\x-9u002f",
            r"aB3/d&ampE6\\x-9u002f",
            r"aB3/d&E_6\\x-9u002f",
            r"aB3u002fd&E6\\x-9u002f",
        ] {
            assert_eq!(without(other, key), None, "{other}");
        }
    }

    #[test]
    fn a_key_is_found_anywhere_in_a_value() {
        let mut value = json!({ "a": ["key-1234", 1, null, { "key-1234": "not key-1234!" }] });
        redact(&mut value, "key-1234");
        let want = json!({ "a": ["[REDACTED]", 1, null, { "[REDACTED]": "not [REDACTED]!" }] });
        assert_eq!(value.to_string(), want.to_string());
    }

    #[test]
    fn time_is_linear_in_the_text() {
        // Each would take minutes if it were looked through from every place.
        for text in [
            "\\".repeat(8_000_000),
            "a\\".repeat(4_000_000),
            "a ".repeat(4_000_000),
            format!("aaaaaaaa{}", " ".repeat(8_000_000)),
            format!("a&{}", "amp;".repeat(2_000_000)),
        ] {
            assert_eq!(without(&text, "aaaaaaaab"), None);
        }
    }
}
