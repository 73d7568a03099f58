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

/// How long the key is that a text begins with. Each of its characters may be escaped as JSON has it, also in JSON that
/// is itself a text of JSON, as replies are.
fn length(text: &[u8], key: &str) -> Option<usize> {
    let mut at = 0;
    let mut last = 0;
    for byte in key.bytes() {
        let escaped = slashes(&text[at..]);
        at += escaped;
        if escaped > 0 && json::unit(&text[at - 1..]) == Some(byte.into()) {
            at += 5;
        } else if text.get(at) == Some(&byte) {
            at += 1;
        } else if byte != b'\\' || (escaped == 0 && last != byte) {
            // A row of backslashes in the key is a longer one where it is escaped.
            return None;
        }
        last = byte;
    }
    Some(at)
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
        for written in [
            key,
            inner,
            &inner.replace('/', "\\/"),
            &inner.replace('&', "\\u0026").replace('-', "\\u002d"),
            &coded(key),
            twice.trim_matches('"'),
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
        for text in ["\\".repeat(8_000_000), "a\\".repeat(4_000_000)] {
            assert_eq!(without(&text, "aaaaaaaab"), None);
        }
    }
}
