//! Reading a judge's reply.
//!
//! A reply is read as a person would read it, and never more: an object with a verdict, or a plain
//! verdict where there is no object. What is not an answer is none; what could be two is ambiguous.
//!
//! ```
//! use claimgauge_core::judgement::Verdict;
//! use claimgauge_core::reply::{Reading, read};
//!
//! let Reading::Judgement { verdict, confidence, .. } = read("Sure:\n{verdict: 'NO', confidence: 95%,}")
//! else {
//!     panic!("a judgement");
//! };
//! assert_eq!((verdict, confidence), (Verdict::Contradicted, Some(0.95)));
//!
//! assert_eq!(read("<think>Surely ENTAILED"), Reading::None);
//! assert_eq!(read("ENTAILED or UNSURE, hard to say"), Reading::Ambiguous);
//! ```

mod label;
pub mod logprobs;
mod many;
mod object;
mod plain;
mod reasoning;

use alloc::{borrow::Cow, string::String, vec::Vec};

use serde::{Serialize, Serializer};

use crate::{case::small_text, json, judgement::Verdict};
use object::{Object, Value};

pub(crate) use many::{Entry, read_many};

/// What a reply says.
///
/// Serialises as `{ kind, verdict, confidence, reasoning, revised }`. Exhaustive on purpose: a caller
/// must meet each of the three.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// Two answers that differ, with nothing to choose between them.
    Ambiguous,
    /// One answer.
    Judgement {
        /// The verdict.
        verdict: Verdict,
        /// How sure the judge is of it, in [0, 1]; absent where no number in that range stands.
        confidence: Option<f64>,
        /// The judge's own words.
        reasoning: Option<String>,
        /// Whether an earlier object said something else.
        revised: bool,
    },
    /// No answer.
    None,
}

impl Serialize for Reading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Flat<'a> {
            kind: &'static str,
            verdict: Option<Verdict>,
            confidence: Option<f64>,
            reasoning: Option<&'a str>,
            revised: bool,
        }
        let without = |kind| Flat {
            kind,
            verdict: None,
            confidence: None,
            reasoning: None,
            revised: false,
        };
        match self {
            Self::Ambiguous => without("ambiguous"),
            Self::Judgement {
                verdict,
                confidence,
                reasoning,
                revised,
            } => Flat {
                kind: "judgement",
                verdict: Some(*verdict),
                confidence: *confidence,
                reasoning: reasoning.as_deref(),
                revised: *revised,
            },
            Self::None => without("none"),
        }
        .serialize(serializer)
    }
}

/// What is known about a reply beside its text.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplyContext<'a> {
    /// What was sent: an object that stands there word for word is no answer.
    pub sent: &'a [&'a str],
    /// Whether the provider says that the reply was cut by length: then only a complete object
    /// counts.
    pub cut: bool,
}

/// Reads a reply of which nothing but the text is known.
pub fn read(text: &str) -> Reading {
    read_with(text, &ReplyContext::default())
}

/// Reads a reply.
pub fn read_with(text: &str, context: &ReplyContext<'_>) -> Reading {
    let answer = reasoning::drop(text);
    let mut objects = Objects::find(&answer, context);
    if !objects.has_verdict
        && objects.stretches.is_empty()
        && let Some(unescaped) = unescape(&answer)
    {
        let inside = Objects::find(&unescaped, context);
        if inside.has_verdict {
            objects = inside;
        }
    }
    if objects.has_verdict {
        objects.reading(context)
    } else if context.cut {
        Reading::None
    } else {
        plain::read(&objects.blank(&answer))
    }
}

/// The objects of a reply that matter.
#[derive(Default)]
struct Objects {
    /// Whether any object has the key at all, be its value an answer or not.
    has_verdict: bool,
    /// Answers of complete objects, in order.
    complete: Vec<Answer>,
    /// The answer of the last object that is cut short.
    partial: Option<Answer>,
    /// Where objects stand.
    stretches: Vec<(usize, usize)>,
}

/// What one object says.
struct Answer {
    /// Absent where the object has two verdicts that differ.
    verdict: Option<Verdict>,
    confidence: Option<f64>,
    reasoning: Option<String>,
    /// Where the object stands.
    stretch: (usize, usize),
}

impl Objects {
    /// More answers than that, and only the last ones are kept: the last one wins anyway.
    const MOST: usize = 64;

    fn find(text: &str, context: &ReplyContext<'_>) -> Self {
        let mut found = Self::default();
        let looked_at_all = each_object(text, |object, stretch| {
            let holders = holders(object, 0);
            let (start, end) = stretch;
            let whole = object.complete && (holders.is_some() || is_strict(&text[start..end]));
            if object.fields.is_empty() {
                return whole;
            }
            if object.complete && found.stretches.last().is_none_or(|last| last.1 <= start) {
                found.stretches.push(stretch);
            }
            let Some(holders) = holders else {
                return whole;
            };
            found.has_verdict = true;
            let Some(mut answer) = Answer::of(&holders) else {
                return whole;
            };
            answer.stretch = stretch;
            if !object.complete {
                found.partial = Some(answer);
                return whole;
            }
            if found.complete.len() == Self::MOST {
                found.complete.remove(0);
            }
            found.complete.push(answer);
            whole
        });
        if !looked_at_all {
            // What follows could be the answer, and is not looked at: there is none.
            return Self {
                has_verdict: true,
                ..Self::default()
            };
        }
        let own = |answer: &Answer| {
            let (start, end) = answer.stretch;
            !stands_in(context.sent, &text[start..end])
        };
        found.complete.retain(own);
        found.partial = found.partial.filter(own);
        found
    }

    fn reading(mut self, context: &ReplyContext<'_>) -> Reading {
        let last = match self.complete.pop() {
            Some(last) => last,
            None => match self.partial {
                Some(partial) if !context.cut => partial,
                _ => return Reading::None,
            },
        };
        let Some(verdict) = last.verdict else {
            return Reading::Ambiguous;
        };
        Reading::Judgement {
            verdict,
            confidence: last.confidence,
            reasoning: last.reasoning,
            revised: self
                .complete
                .iter()
                .any(|earlier| earlier.verdict != Some(verdict)),
        }
    }

    /// The text without its objects.
    fn blank(&self, text: &str) -> String {
        let mut rest = String::new();
        let mut from = 0;
        for &(start, end) in &self.stretches {
            rest.push_str(&text[from..start]);
            rest.push('\n');
            from = end;
        }
        rest.push_str(&text[from..]);
        rest
    }
}

/// Objects that never close are read over and over; so many times the text and no more.
const MOST_WASTE: usize = 32;

/// Shows `visit` the objects of a text, each with where it stands. What is behind an object of which it
/// says that it was taken whole comes next, else what is inside: a repair may have read an answer as a
/// part of a string. Whether all of the text was looked at.
fn each_object(text: &str, mut visit: impl FnMut(&Object, (usize, usize)) -> bool) -> bool {
    let mut wasted = 0;
    let mut from = 0;
    while let Some(at) = text[from..].find('{') {
        let start = from + at;
        let (object, end) = Object::parse(text, start);
        if visit(&object, (start, end)) {
            from = end;
            continue;
        }
        from = start + 1;
        wasted += end - start;
        if wasted > MOST_WASTE * text.len() {
            return false;
        }
    }
    true
}

/// Keys that only wrap what a tool was called with.
const WRAPPERS: [&str; 5] = ["arguments", "function", "input", "parameters", "tool_calls"];
/// How many of them are opened: each may hold the next as text, which is read anew.
const MOST_WRAPPERS: usize = 4;

/// The objects with a verdict: this one, or those one level below it, wrappers not counted. Absent
/// where there is none. `depth` is how many wrappers stand around it.
fn holders(object: &Object, depth: usize) -> Option<Vec<Cow<'_, Object>>> {
    if object.get("verdict").next().is_some() {
        return Some(Vec::from([Cow::Borrowed(object)]));
    }
    let mut found = Vec::new();
    for (key, value) in &object.fields {
        let inner: Cow<'_, Object> = match value.single() {
            Value::Object(inner) => Cow::Borrowed(inner),
            Value::Text { text, .. } if text.trim_start().starts_with('{') => {
                let start = text.find('{').unwrap_or(0);
                Cow::Owned(Object::parse(text, start).0)
            }
            _ => continue,
        };
        if inner.get("verdict").next().is_some() {
            found.push(inner);
        } else if depth < MOST_WRAPPERS && WRAPPERS.contains(&small_text(key).as_str()) {
            let below = holders(&inner, depth + 1).into_iter().flatten();
            found.extend(below.map(|object| Cow::Owned(object.into_owned())));
        }
    }
    (!found.is_empty()).then_some(found)
}

impl Answer {
    /// What the holders of verdicts say together; absent where no verdict of theirs is an answer.
    fn of(holders: &[Cow<'_, Object>]) -> Option<Self> {
        let mut verdicts = holders
            .iter()
            .flat_map(|object| object.get("verdict"))
            .filter_map(verdict);
        let first = verdicts.next()?;
        let same = verdicts.all(|verdict| verdict == first);
        let last = holders.last()?;
        let confidence = last.get("confidence").last();
        let reasoning = REASONING.iter().find_map(|key| last.get(key).last());
        Some(Self {
            verdict: same.then_some(first),
            confidence: confidence.and_then(confidence_of),
            reasoning: reasoning.and_then(|value| match value {
                Value::Text { text, .. } => Some(text.clone()),
                _ => None,
            }),
            stretch: (0, 0),
        })
    }
}

/// Keys of the judge's own words, in the order in which they are looked for.
const REASONING: [&str; 4] = ["reasoning", "explanation", "reason", "rationale"];

fn verdict(value: &Value) -> Option<Verdict> {
    match value.single() {
        Value::Text {
            text,
            complete: true,
        }
        | Value::Word(text) => label::verdict(text),
        Value::Object(object) => {
            let mut inner = ["label", "verdict", "value"]
                .iter()
                .flat_map(|key| object.get(key));
            match inner.next()?.single() {
                Value::Text {
                    text,
                    complete: true,
                }
                | Value::Word(text) => label::verdict(text),
                _ => None,
            }
        }
        _ => None,
    }
}

fn confidence_of(value: &Value) -> Option<f64> {
    match value.single() {
        Value::Text { text, .. } | Value::Word(text) => label::confidence(text),
        _ => None,
    }
}

/// Whether it is JSON as it stands, with nothing repaired.
fn is_strict(object: &str) -> bool {
    json::is_valid(object)
}

/// Whether the object was only repeated from the prompt, as it stands or escaped in its JSON.
fn stands_in(sent: &[&str], object: &str) -> bool {
    if sent.is_empty() {
        return false;
    }
    let mut escaped = String::new();
    json::push_text(&mut escaped, object);
    let escaped = escaped
        .get(1..escaped.len().saturating_sub(1))
        .unwrap_or_default();
    sent.iter()
        .any(|sent| sent.contains(object) || sent.contains(escaped))
}

/// The text with one level of escaping undone, where an escaped quote says that there is one.
fn unescape(text: &str) -> Option<String> {
    if !text.contains("\\\"") {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => break,
            },
            c => c,
        });
    }
    Some(out)
}
