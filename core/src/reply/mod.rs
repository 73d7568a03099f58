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
mod starts;

use alloc::{borrow::Cow, string::String, vec::Vec};

use serde::{Serialize, Serializer};

use crate::{case::small_text, json, judgement::Verdict};
use object::{Object, Value};
use starts::behind_space;

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
    let objects = Objects::find(&answer, context);
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
    /// Whether any object has the key at all, be its value an answer or not; an echo of the schema is none.
    has_verdict: bool,
    /// Answers of complete objects, in order.
    complete: Vec<Answer>,
    /// The answer of the last object that is cut short.
    partial: Option<Answer>,
    /// Where objects stand.
    stretches: Vec<(usize, usize)>,
}

/// What one object says.
#[derive(Default)]
struct Answer {
    verdicts: Verdicts,
    confidence: Option<f64>,
    reasoning: Option<String>,
    /// Whether its verdict is the schema's list of them.
    echo: bool,
    /// The object as it stands.
    text: String,
}

/// The verdicts that were found in one place.
#[derive(Clone, Copy, Default, PartialEq)]
struct Verdicts {
    first: Option<Verdict>,
    /// Whether another one is not the first.
    differ: bool,
}

impl Verdicts {
    fn add(&mut self, verdict: Verdict) {
        let first = *self.first.get_or_insert(verdict);
        self.differ |= first != verdict;
    }
}

impl Objects {
    /// More answers than that, and only the last ones are kept: the last one wins anyway.
    const MOST: usize = 64;

    fn find(text: &str, context: &ReplyContext<'_>) -> Self {
        let mut found = Self::default();
        let looked_at_all = each_object(text, &mut |candidate| found.take(candidate));
        if !looked_at_all {
            // What follows could be the answer, and is not looked at: there is none.
            return Self {
                has_verdict: true,
                ..Self::default()
            };
        }
        let own = |answer: &Answer| !stands_in(context.sent, &answer.text);
        found.complete.retain(own);
        found.partial = found.partial.filter(own);
        found
    }

    /// Keeps what a candidate says; whether it was taken whole.
    fn take(&mut self, candidate: &Candidate<'_>) -> bool {
        let object = &candidate.object;
        let mut answer = Answer::default();
        let has_verdict = each_holder(object, 0, &mut |holder| answer.add(holder));
        // What its strings quote is no answer, also where it has none itself.
        let whole =
            object.complete && (has_verdict || object.quotes || json::is_valid(candidate.text()));
        if object.fields.is_empty() {
            return whole;
        }
        let (start, end) = candidate.stretch;
        // Also of one that is cut short: what its string was about to say is no answer.
        let known = || core::iter::once("confidence").chain(REASONING);
        let own = object.complete || known().any(|key| object.last(key).is_some());
        let end = match candidate.source {
            Cow::Borrowed(_) if !own => start + own_lines(candidate.text()),
            _ => end,
        };
        if self.stretches.last().is_none_or(|last| last.1 <= start) {
            self.stretches.push((start, end));
        }
        if answer.verdicts.first.is_none() {
            self.has_verdict |= has_verdict && !answer.echo;
            return whole;
        }
        self.has_verdict = true;
        answer.text = candidate.text().into();
        if !object.complete {
            self.partial = Some(answer);
            return whole;
        }
        if self.complete.len() == Self::MOST {
            self.complete.remove(0);
        }
        self.complete.push(answer);
        whole
    }

    fn reading(mut self, context: &ReplyContext<'_>) -> Reading {
        let last = match self.complete.pop() {
            Some(last) => last,
            None => match self.partial {
                Some(partial) if !context.cut => partial,
                _ => return Reading::None,
            },
        };
        let differs = |earlier: &Answer| earlier.verdicts != last.verdicts;
        let revised = self.complete.iter().any(differs);
        last.reading(revised)
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

/// How much of what was read for an object is of it where it may be quoted and cut: words on a line of their own, and
/// what follows, are the reply's.
fn own_lines(text: &str) -> usize {
    let says = |char: char| char.is_alphabetic() || matches!(char, '*' | '#');
    let lines = text.split_inclusive('\n').enumerate();
    lines
        .take_while(|(nth, line)| *nth == 0 || !line.trim_start().starts_with(says))
        .map(|(_, line)| line.len())
        .sum()
}

/// An object that may hold an answer.
struct Candidate<'a> {
    object: Object,
    /// What it was read from: the reply from its brace on, or some of that with one level of escaping undone.
    source: Cow<'a, str>,
    /// How much of `source` it takes.
    length: usize,
    /// Where it stands in the reply.
    stretch: (usize, usize),
    /// How many bytes were read for it.
    work: usize,
}

impl<'a> Candidate<'a> {
    /// Reads the object whose brace is at `start`.
    fn at(text: &'a str, start: usize) -> Self {
        let rest = &text[start..];
        if is_escaped(rest) {
            return Self::escaped(rest, start);
        }
        let (object, length) = Object::parse(rest, 0);
        Self {
            object,
            source: Cow::Borrowed(rest),
            length,
            stretch: (start, start + length),
            work: length,
        }
    }

    /// The same of an object that is escaped. No more is unescaped than twice what it takes: a reply may
    /// hold many of them.
    fn escaped(rest: &str, start: usize) -> Self {
        let mut most = 256;
        loop {
            let (source, read) = unescape(rest, most);
            let (object, length) = Object::parse(&source, 0);
            let all = source.len() < most || read == rest.len();
            if all || object.complete && length <= source.len() / 2 {
                return Self {
                    object,
                    length,
                    stretch: (start, start + unescape(rest, length).1),
                    work: source.len(),
                    source: Cow::Owned(source),
                };
            }
            most *= 2;
        }
    }

    fn text(&self) -> &str {
        &self.source[..self.length]
    }

    /// Whether it was cut short, and took the close of a later object: one with a verdict begins inside
    /// of it and ends no sooner. `work` grows by what was read to know it, to not much more than `most`.
    fn took_a_close(&self, work: &mut usize, most: usize) -> bool {
        if !self.object.complete || json::is_valid(self.text()) {
            return false;
        }
        // The string goes on in which the other is quoted.
        let behind = behind_space(&self.source[self.length..]);
        if let Some(behind) = behind.strip_prefix(['"', '\''])
            && behind_space(behind).starts_with(['}', ','])
        {
            return false;
        }
        let braces = self.text().match_indices('{').skip(1);
        for (at, _) in braces {
            let (inner, end) = Object::parse(&self.source, at);
            *work += end - at;
            if *work > most {
                return false;
            }
            if end >= self.length && inner.complete && each_holder(&inner, 0, &mut |_| ()) {
                return true;
            }
        }
        false
    }
}

/// Objects that never close are read over and over; so many times the text and no more.
const MOST_WORK: usize = 32;

/// Shows `visit` the objects of a text. What is behind an object of which it says that it was taken whole
/// comes next, else what is inside: a repair may have read an answer as a part of a string. Whether all of
/// the text was looked at.
fn each_object(text: &str, visit: &mut dyn FnMut(&Candidate<'_>) -> bool) -> bool {
    let most = MOST_WORK * text.len();
    let mut work = 0;
    let mut from = 0;
    // Up to where an object goes that was not taken whole: what it holds may be a string's.
    let mut open = 0;
    while let Some(at) = text[from..].find('{') {
        let start = from + at;
        from = start + 1;
        if start < open && is_escaped(&text[start..]) && !begins(&text[..start]) {
            continue;
        }
        let mut candidate = Candidate::at(text, start);
        let (_, end) = candidate.stretch;
        if candidate.took_a_close(&mut work, most) {
            candidate.object.complete = false;
        }
        if work > most {
            return false;
        }
        if visit(&candidate) {
            from = end;
            continue;
        }
        open = open.max(end);
        work += candidate.work;
        if work > most {
            return false;
        }
    }
    true
}

/// Whether the object's first quote is escaped.
fn is_escaped(object: &str) -> bool {
    let mut rest = behind_space(&object[1..]);
    while let Some(after) = ["\\n", "\\r", "\\t"]
        .iter()
        .find_map(|space| rest.strip_prefix(space))
    {
        rest = behind_space(after);
    }
    rest.starts_with("\\\"") || rest.starts_with("\\'")
}

/// Whether what follows stands at the head of a line or of a string.
fn begins(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with(['\n', '"', '\'', '`'])
}

/// Keys that only wrap what a tool was called with.
const WRAPPERS: [&str; 5] = ["arguments", "function", "input", "parameters", "tool_calls"];
/// How many of them are opened: each may hold the next as text, which is read anew.
const MOST_WRAPPERS: usize = 4;

/// Shows `visit` the objects with a verdict: this one, or those one level below it, wrappers not counted.
/// Whether there is any. `depth` is how many wrappers stand around it.
fn each_holder(object: &Object, depth: usize, visit: &mut dyn FnMut(&Object)) -> bool {
    if object.has("verdict") {
        visit(object);
        return true;
    }
    let mut any = false;
    for (key, value) in &object.fields {
        let parsed;
        let inner = match value.single() {
            Value::Object(inner) => inner,
            Value::Text { text, .. } if behind_space(text).starts_with('{') => {
                let start = text.find('{').unwrap_or(0);
                parsed = Object::parse(text, start).0;
                &parsed
            }
            _ => continue,
        };
        let is_wrapper = || WRAPPERS.contains(&small_text(key).as_str());
        if inner.has("verdict") || depth < MOST_WRAPPERS && is_wrapper() {
            any |= each_holder(inner, depth + 1, visit);
        }
    }
    any
}

impl Answer {
    /// Takes up what a holder of verdicts says.
    fn add(&mut self, holder: &Object) {
        let mut inner = None;
        for said in holder.get("verdict") {
            if let Some(verdict) = verdict(said) {
                self.verdicts.add(verdict);
            }
            match said.single() {
                Value::Object(object) => inner = Some(object),
                said => self.echo |= said.text().is_some_and(plain::is_echo),
            }
        }
        // What is not beside the verdict may be inside, beside its label.
        let last = |key| holder.last(key).or_else(|| inner?.last(key));
        self.confidence = last("confidence").and_then(confidence_of);
        let reasoning = REASONING.iter().find_map(|key| last(key));
        self.reasoning = match reasoning {
            Some(Value::Text { text, .. }) => Some(text.clone()),
            _ => None,
        };
    }

    /// What it comes to; no answer where no verdict of the object is one.
    fn reading(self, revised: bool) -> Reading {
        match self.verdicts {
            Verdicts { first: None, .. } => Reading::None,
            Verdicts { differ: true, .. } => Reading::Ambiguous,
            Verdicts {
                first: Some(verdict),
                ..
            } => Reading::Judgement {
                verdict,
                confidence: self.confidence,
                reasoning: self.reasoning,
                revised,
            },
        }
    }
}

/// Keys of the judge's own words, in the order in which they are looked for.
const REASONING: [&str; 4] = ["reasoning", "explanation", "reason", "rationale"];

fn verdict(value: &Value) -> Option<Verdict> {
    let mut keys = ["label", "verdict", "value"].iter();
    let said = match value.single() {
        Value::Object(object) => keys.find_map(|key| object.get(key).next())?.single(),
        said => said,
    };
    match said {
        Value::Text {
            text,
            complete: true,
        }
        | Value::Word(text) => label::verdict(text),
        _ => None,
    }
}

fn confidence_of(value: &Value) -> Option<f64> {
    label::confidence(value.text()?)
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

/// The text with one level of escaping undone, up to a quote that has none or to `most` bytes of it; and how
/// many bytes of `text` that took.
fn unescape(text: &str, most: usize) -> (String, usize) {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == '"' || out.len() >= most {
            return (out, at);
        }
        out.push(match c {
            '\\' => match chars.next() {
                Some((_, 'n')) => '\n',
                Some((_, 't')) => '\t',
                Some((_, 'r')) => '\r',
                Some((_, other)) => other,
                None => break,
            },
            c => c,
        });
    }
    (out, text.len())
}
