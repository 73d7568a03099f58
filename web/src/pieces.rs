//! Several spans in one text: told apart by labels, by Markdown headings, or as JSON.

use std::collections::BTreeMap;

use leptos::prelude::*;
use serde::Deserialize;

use crate::{evidence::Row, inputs::SpanText, state::State};

/// The spans that a text seems to hold: at least two, or what JSON lists.
pub(crate) fn pieces(text: &str) -> Option<Vec<SpanText>> {
    let text = text.trim();
    if text.starts_with(['[', '{']) {
        return from_json(text);
    }
    [by_marks(text, label), by_headings(text)]
        .into_iter()
        .find(|spans| spans.len() > 1)
}

/// Says how many spans a row's text seems to hold.
pub(crate) fn offer_split(row: Row) {
    let found = row.text.with_untracked(|text| pieces(text));
    row.offer.set(found.map_or(0, |spans| spans.len()));
}

/// Puts the spans that one seems to hold in its place.
pub(crate) fn split_span(state: State, at: usize) {
    let row = state.spans.with_untracked(|rows| rows.get(at).copied());
    let found = row.and_then(|row| row.text.with_untracked(|text| pieces(text)));
    let Some(mut spans) = found else {
        return;
    };
    let told = format!("Split into {} spans.", spans.len());
    state.step("Splitting a span", |inputs| {
        inputs.fix_ids();
        inputs.evidence[at].lend_to(&mut spans);
        inputs.evidence.splice(at..=at, spans);
        settle_ids(&mut inputs.evidence);
    });
    state.tell(told);
}

impl SpanText {
    /// Puts what this span says of itself before what its pieces say: its id is the first one's.
    pub(crate) fn lend_to(&self, pieces: &mut [Self]) {
        let (id, source) = (self.id.trim(), self.source.trim());
        if let Some(first) = pieces.first_mut().filter(|first| first.id.is_empty()) {
            first.id = id.to_owned();
        }
        for piece in pieces.iter_mut().filter(|_| !source.is_empty()) {
            piece.source = match piece.source.as_str() {
                "" => source.to_owned(),
                own => format!("{source}, {own}"),
            };
        }
    }
}

/// Texts by name, as the core has a glossary. Each further kind of map is another kilobyte, so where names are all
/// that counts this stands in for a set.
pub(crate) type Texts = BTreeMap<String, Vec<String>>;

/// Gives each span an id that no other has: one that is there already is taken from the later span, and where
/// the id by position is another's name, the next free number stands instead.
pub(crate) fn settle_ids(spans: &mut [SpanText]) {
    let mut taken = Texts::new();
    for span in spans.iter_mut() {
        let id = span.id.trim();
        if taken.contains_key(id) {
            span.id.clear();
        } else if !id.is_empty() {
            taken.entry(id.to_owned()).or_default();
        }
    }
    let mut next = spans.len();
    for (at, span) in spans.iter_mut().enumerate() {
        if span.id.trim().is_empty() && taken.contains_key(&by_position(at)) {
            while taken.contains_key(&by_position(next)) {
                next += 1;
            }
            span.id = by_position(next);
            taken.entry(span.id.clone()).or_default();
        }
    }
}

/// The id of a span without a name.
pub(crate) fn by_position(at: usize) -> String {
    format!("S{at}")
}

/// One span as others write it.
#[derive(Deserialize)]
struct Listed {
    id: Option<String>,
    source: Option<String>,
    text: String,
}

/// A request or a report.
#[derive(Deserialize)]
struct Holder {
    #[serde(alias = "spans")]
    evidence: Vec<Listed>,
}

/// An array of spans or of texts, an object that has one as its evidence, or one span after the other.
fn from_json(text: &str) -> Option<Vec<SpanText>> {
    let texts = || serde_json::from_str::<Vec<String>>(text).ok();
    let listed = serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(text).map(|Holder { evidence }| evidence))
        .or_else(|_| {
            serde_json::Deserializer::from_str(text)
                .into_iter::<Listed>()
                .collect()
        });
    let spans: Vec<SpanText> = match listed {
        Ok(listed) => listed.into_iter().map(SpanText::from).collect(),
        Err(_) => texts()?.into_iter().map(SpanText::of).collect(),
    };
    (!spans.is_empty()).then_some(spans)
}

impl From<Listed> for SpanText {
    fn from(listed: Listed) -> Self {
        Self {
            id: listed.id.unwrap_or_default(),
            source: listed.source.unwrap_or_default(),
            text: listed.text,
        }
    }
}

impl SpanText {
    fn of(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }
}

/// A new span begins at each line that has a mark; what stands before the first is one, too.
fn by_marks(text: &str, mark: fn(&str) -> Option<SpanText>) -> Vec<SpanText> {
    let mut spans = vec![SpanText::default()];
    for line in text.lines() {
        match (mark(line), spans.last_mut()) {
            (Some(span), _) => spans.push(span),
            (None, Some(span)) => {
                span.text.push_str(line);
                span.text.push('\n');
            }
            (None, None) => {}
        }
    }
    for span in &mut spans {
        span.text = span.text.trim().to_owned();
    }
    // A label that has no text yet stays: claims may cite it.
    spans.retain(|span| *span != SpanText::default());
    spans
}

/// `S0: text` or `S0 (source): text`.
fn label(line: &str) -> Option<SpanText> {
    let rest = line.trim_start().strip_prefix('S')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = rest.split_at(digits);
    let rest = rest.trim_start();
    let (source, rest) = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?,
        None => ("", rest),
    };
    let text = rest.strip_prefix(':')?;
    (1..7).contains(&digits).then(|| SpanText {
        id: format!("S{number}"),
        source: source.trim().to_owned(),
        text: format!("{}\n", text.trim_start()),
    })
}

/// One span for each heading that has text below it; its source is the heading, after those above it that
/// have none. Headings at the end with nothing below them are text themselves.
fn by_headings(text: &str) -> Vec<SpanText> {
    let mut spans = vec![SpanText::default()];
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.trim_start().starts_with("```");
        let heading = heading(line).filter(|_| !in_code);
        let Some(span) = spans.last_mut() else {
            continue;
        };
        match heading {
            None => {
                span.text.push_str(line);
                span.text.push('\n');
            }
            Some(title) if span.text.trim().is_empty() => {
                if !span.source.is_empty() {
                    span.source.push_str(", ");
                }
                span.source.push_str(title);
            }
            Some(title) => spans.push(SpanText {
                source: title.to_owned(),
                ..SpanText::default()
            }),
        }
    }
    for span in &mut spans {
        span.text = span.text.trim().to_owned();
        if span.text.is_empty() {
            span.text = std::mem::take(&mut span.source);
        }
    }
    spans.retain(|span| !span.text.is_empty());
    spans
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    ((1..7).contains(&level) && title.starts_with(' ')).then(|| title.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each as "id|source|text".
    fn told(text: &str) -> Vec<String> {
        let spans = pieces(text).unwrap_or_default();
        let told = spans
            .iter()
            .map(|span| format!("{}|{}|{}", span.id, span.source, span.text));
        told.collect()
    }

    #[test]
    fn labels() {
        assert_eq!(
            told(
                "S0: The port is 8080.\nIt is open.\n\n  S1 (docs, p. 2): 100 requests\nS12:\nlast"
            ),
            [
                "S0||The port is 8080.\nIt is open.",
                "S1|docs, p. 2|100 requests",
                "S12||last"
            ]
        );
        assert_eq!(told("See\nS0: a\nS1: b")[0], "||See");
        assert_eq!(told("S0: a\nS1 (docs):\nS2:")[1..], ["S1|docs|", "S2||"]);
        for one in [
            "S0: one",
            "S: a\nSun: b",
            "S3 and more\nS4 too",
            "Sx0: a\nS(: b",
            "",
        ] {
            assert!(told(one).is_empty(), "{one}");
        }
    }

    #[test]
    fn headings() {
        assert_eq!(
            told("# Guide\n## Limits\n100 a minute\n### Retries\n```sh\n# no heading\n```\nfive\n"),
            [
                "|Guide, Limits|100 a minute",
                "|Retries|```sh\n# no heading\n```\nfive"
            ]
        );
        assert_eq!(told("# One\ntext\n# Two\n## Three")[1..], ["||Two, Three"]);
        assert!(told("# One\ntext").is_empty());
        assert!(told("#a\ntext\n#b\ntext").is_empty());
    }

    #[test]
    fn json() {
        let spans = ["a|docs|one", "||two"];
        let list = r#"[{"id":"a","text":"one","source":"docs","more":1},{"text":"two","id":null}]"#;
        assert_eq!(told(list), spans);
        assert_eq!(
            told(&format!(r#"{{"claims":[],"evidence":{list}}}"#)),
            spans
        );
        assert_eq!(told(&format!(r#"{{"spans":{list}}}"#)), spans);
        assert_eq!(
            told("{\"id\":\"a\",\"source\":\"docs\",\"text\":\"one\"}\n{\"text\":\"two\"}"),
            spans
        );
        assert_eq!(told(r#"["one","two"]"#), ["||one", "||two"]);
        for other in ["[]", "[1]", "{}", "{\"a\":", "[{\"id\":\"x\"}]", "[text]"] {
            assert!(told(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn no_two_spans_have_one_id() {
        let ids = |given: &[&str]| {
            let span = |id: &&str| SpanText {
                id: (*id).to_owned(),
                ..SpanText::default()
            };
            let mut spans: Vec<SpanText> = given.iter().map(span).collect();
            settle_ids(&mut spans);
            spans.into_iter().map(|span| span.id).collect::<Vec<_>>()
        };
        assert_eq!(ids(&["", "a", ""]), ["", "a", ""]);
        assert_eq!(ids(&["S1", ""]), ["S1", "S2"]);
        assert_eq!(ids(&["S0", "S0", "S2", "S0"]), ["S0", "", "S2", ""]);
        assert_eq!(ids(&["S1", "S1", ""]), ["S1", "S3", ""]);
        assert_eq!(ids(&["S3", "S0", "x", "x"]), ["S3", "S0", "x", "S4"]);
    }
}
