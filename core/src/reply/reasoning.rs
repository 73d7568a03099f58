//! What a model thinks before it answers: a verdict there is no answer.

use alloc::{borrow::Cow, string::String};

use super::starts::{behind_space, length};
use crate::json;

const TAGS: [&str; 6] = [
    "think",
    "thinking",
    "reasoning",
    "thought",
    "thoughts",
    "seed:think",
];

/// What tags stand between; only the first kind has attributes.
const BRACKETS: [(char, char); 3] = [('<', '>'), ('[', ']'), ('◁', '▷')];

/// Names of tags in the other brackets, which prose uses too.
const BARE: &str = "think";

/// The text without its reasoning: tagged stretches, everything before a closing tag that nothing
/// opened, and channels other than the final one.
pub(super) fn drop(text: &str) -> Cow<'_, str> {
    // A complete object may speak of such tags.
    if !text.contains(opens) || is_object(text) {
        return Cow::Borrowed(text);
    }
    match final_channel(text) {
        Some(last) => Cow::Owned(drop_tagged(&last)),
        None => Cow::Owned(drop_tagged(text)),
    }
}

fn opens(c: char) -> bool {
    BRACKETS.iter().any(|(open, _)| *open == c)
}

fn is_object(text: &str) -> bool {
    behind_space(text).starts_with('{') && json::is_valid(text)
}

/// What stands in final channels, where the text has channels.
fn final_channel(text: &str) -> Option<String> {
    const CHANNEL: &str = "<|channel|>";
    const MESSAGE: &str = "<|message|>";
    const ENDS: [&str; 4] = ["<|end|>", "<|return|>", "<|start|>", "<|call|>"];

    let (_, channels) = text.split_once(CHANNEL)?;
    let mut out = String::new();
    for channel in channels.split(CHANNEL) {
        let Some((name, message)) = channel.split_once(MESSAGE) else {
            continue;
        };
        // The name may be followed by whom the message is for, and by its form: `final <|constrain|>json`.
        let name = name.trim_start().split([' ', '<']).next();
        if name.is_some_and(|name| name.trim_end().eq_ignore_ascii_case("final")) {
            let end = ENDS.iter().filter_map(|end| message.find(end)).min();
            out.push_str(&message[..end.unwrap_or(message.len())]);
            out.push('\n');
        }
    }
    Some(out)
}

/// Braces of what is no object are read over and over; so many times the text and no more.
const MOST_WORK: usize = 32;

fn drop_tagged(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // How many reasoning tags are open.
    let mut depth = 0_usize;
    let mut work = 0;
    while let Some(at) = rest.find(|c| c == '{' || opens(c)) {
        let (before, from) = rest.split_at(at);
        if depth == 0 {
            out.push_str(before);
        }
        if from.starts_with('{') && work < MOST_WORK * text.len() {
            let (object, read) = json::value_length(from);
            work += read;
            if let Some(length) = object {
                // Its strings may speak of such tags.
                let (object, after) = from.split_at(length);
                if depth == 0 {
                    out.push_str(object);
                }
                rest = after;
                continue;
            }
        }
        match tag(from) {
            Some((Tag::Open, length)) => {
                depth += 1;
                rest = &from[length..];
            }
            Some((Tag::Close, length)) => {
                if depth == 0 {
                    out.clear();
                }
                depth = depth.saturating_sub(1);
                rest = &from[length..];
            }
            None => {
                let open = from.chars().next().map_or(0, char::len_utf8);
                let (open, after) = from.split_at(open);
                if depth == 0 {
                    out.push_str(open);
                }
                rest = after;
            }
        }
    }
    if depth == 0 {
        out.push_str(rest);
    }
    out
}

enum Tag {
    Open,
    Close,
}

/// The reasoning tag at the start of `text`, attributes allowed, and its length.
fn tag(text: &str) -> Option<(Tag, usize)> {
    const LONGEST: usize = 200;
    let first = text.chars().next()?;
    let (_, close) = BRACKETS.iter().find(|(open, _)| *open == first)?;
    let inside = &text[first.len_utf8()..];
    let (kind, inside) = match inside.strip_prefix('/') {
        Some(inside) => (Tag::Close, inside),
        None => (Tag::Open, inside),
    };
    let name = |c: char| c.is_ascii_alphabetic() || c == ':';
    let (name, after) = inside.split_at(length(inside, &name));
    let known = match first {
        '<' => TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name)),
        _ => name.eq_ignore_ascii_case(BARE) && after.starts_with(*close),
    };
    if !known {
        return None;
    }
    let mut ends = after.char_indices().take(LONGEST);
    let (end, _) = ends.find(|(_, c)| c == close)?;
    let (attributes, after) = after.split_at(end);
    let plain =
        attributes.is_empty() || attributes.starts_with(|c: char| c.is_whitespace() || c == '/');
    let length = text.len() - after.len() + close.len_utf8();
    plain.then_some((kind, length))
}
