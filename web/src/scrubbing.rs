//! The scrub as the page shows it, made apart from the page: text of a megabyte must not stop anybody
//! from typing on.

use std::collections::BTreeMap;

use claimgauge_core::{
    Error,
    evidence::{self, Claim, Span},
    patterns::KindName,
    profile::Kind,
    scrub::{self, ByteOffset, Leak, LeakLevel, Mode, Replacement, Scrubbed, SpanField, Why},
};
use serde::{Deserialize, Serialize};

use crate::inputs::{Fault, Inputs};

/// How many places and how many bytes of text are drawn before the rest is cut off: a megabyte of
/// marks would stall the page, and nobody reads it here.
const MOST_PLACES: usize = 400;
const MOST_BYTES: usize = 60_000;

/// How many leaks are listed.
const MOST_LEAKS: usize = 12;

/// How many claims are listed with what was taken out of them.
const MOST_CLAIMS: usize = 100;

/// What the page shows of a scrub.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Shown {
    /// Whether there is any evidence.
    pub(crate) some: bool,
    pub(crate) spans: Vec<Drawn>,
    /// Spans that are not drawn.
    pub(crate) spans_left: usize,
    /// Replacements in all.
    pub(crate) total: usize,
    /// What the drawn placeholders hide.
    pub(crate) hidden: BTreeMap<String, Hidden>,
    pub(crate) leaks: Vec<Leaking>,
    /// Leaks in all.
    pub(crate) leaks_total: usize,
    pub(crate) removed: Vec<Removed>,
}

/// A name that is still readable: in words, where and how.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Leaking {
    pub(crate) term: String,
    pub(crate) words: String,
}

/// How much of a claim's names is gone.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Removed {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) gone: usize,
    pub(crate) of: usize,
}

/// A stretch of a span.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) enum Stretch {
    /// What both passes see.
    Kept(String),
    /// What the scrubbed pass does not.
    Hidden {
        placeholder: String,
        /// The class of its colour.
        family: String,
        text: String,
    },
}

/// One span, cut into stretches as far as it is drawn.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Drawn {
    pub(crate) id: String,
    pub(crate) source: Vec<Stretch>,
    pub(crate) text: Vec<Stretch>,
    /// Whether there is more of it.
    pub(crate) more: bool,
}

/// What one placeholder hides.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Hidden {
    pub(crate) family: String,
    /// What kind it is.
    pub(crate) label: String,
    /// The first forms that it stands for, each once.
    pub(crate) forms: Vec<String>,
    pub(crate) places: usize,
    pub(crate) why: String,
}

/// How many forms of a name are told.
const MOST_FORMS: usize = 6;

impl Shown {
    /// Scrubs the inputs as a verification of them would.
    pub(crate) fn of(inputs: &Inputs) -> Result<Self, Fault> {
        scrubbed(inputs).map_err(|error| Fault::from(&error))
    }

    fn new(spans: &[Span], claims: &[Claim], scrubbed: &Scrubbed) -> Self {
        let drawn = drawn(spans, scrubbed);
        let removed = scrubbed.removed.iter().zip(claims).take(MOST_CLAIMS);
        Self {
            some: spans.iter().any(|span| !span.text.is_empty()),
            spans_left: spans.len() - drawn.len(),
            total: scrubbed.replacements.len(),
            hidden: hidden(&drawn, scrubbed),
            spans: drawn,
            leaks: scrubbed
                .leaks
                .iter()
                .take(MOST_LEAKS)
                .map(leaking)
                .collect(),
            leaks_total: scrubbed.leaks.len(),
            removed: removed
                .map(|(removed, claim)| Removed {
                    id: claim.id.clone(),
                    text: claim.text.clone(),
                    gone: removed.gone,
                    of: removed.of,
                })
                .collect(),
        }
    }
}

fn scrubbed(inputs: &Inputs) -> Result<Shown, Error> {
    let request = inputs.request();
    let profile = request.profile()?;
    let names = request.glossary.unwrap_or_default();
    let glossary = evidence::glossary(&names, &profile)?;
    let spans = evidence::spans(request.evidence)?;
    let claims = evidence::claims(request.claims)?;
    let options = scrub::Options {
        mode: Mode::Identifiers,
        hide_secrets: true,
        glossary: &glossary,
        matches: &[],
        previous: None,
        replacements: true,
    };
    let scrubbed = scrub::scrub(&profile, &spans, &claims, &options);
    Ok(Shown::new(&spans, &claims, &scrubbed))
}

fn leaking(leak: &Leak) -> Leaking {
    Leaking {
        term: leak.term.to_string(),
        words: format!(
            " of {} is still in {}, {}",
            leak.claim,
            leak.span,
            level(leak.level)
        ),
    }
}

/// Cuts `text` at its replacements, which stand in its order and do not overlap.
pub(crate) fn stretches<'a>(
    text: &str,
    replacements: impl Iterator<Item = &'a Replacement<ByteOffset>>,
) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let mut at = 0;
    for replacement in replacements {
        let ByteOffset(start) = replacement.start;
        let ByteOffset(end) = replacement.end;
        // Only stretches that lie in this text can be shown; a longer text was cut before them.
        let (Some(kept), Some(_)) = (text.get(at..start), text.get(start..end)) else {
            break;
        };
        if !kept.is_empty() {
            stretches.push(Stretch::Kept(kept.to_owned()));
        }
        stretches.push(Stretch::Hidden {
            placeholder: replacement.placeholder.to_string(),
            family: family(&replacement.kind).to_owned(),
            text: replacement.text.to_string(),
        });
        at = end;
    }
    if let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        stretches.push(Stretch::Kept(rest.to_owned()));
    }
    stretches
}

/// The spans as far as they are drawn.
fn drawn(spans: &[Span], scrubbed: &Scrubbed) -> Vec<Drawn> {
    let (mut places, mut bytes) = (MOST_PLACES, MOST_BYTES);
    let mut replacements = scrubbed.replacements.as_slice();
    let mut drawn = Vec::new();
    for span in spans {
        // Replacements stand by span, in the spans' order.
        let own = replacements
            .iter()
            .take_while(|replacement| *replacement.span == *span.id)
            .count();
        let (mine, rest) = replacements.split_at(own);
        replacements = rest;
        let of = |field| {
            mine.iter()
                .filter(move |replacement| replacement.field == field)
        };

        let in_text: Vec<_> = of(SpanField::Text).collect();
        let shown = in_text.len().min(places);
        let mut end = floor_char_boundary(&span.text, bytes);
        if let Some(first_left) = in_text.get(shown) {
            end = end.min(first_left.start.0);
        }
        let text = stretches(
            &span.text[..end],
            in_text
                .into_iter()
                .take_while(|replacement| replacement.end.0 <= end),
        );
        places -= shown;
        bytes -= end;
        drawn.push(Drawn {
            id: span.id.clone(),
            source: stretches(span.source.as_deref().unwrap_or(""), of(SpanField::Source)),
            text,
            more: end < span.text.len(),
        });
        if bytes == 0 || places == 0 {
            break;
        }
    }
    drawn
}

fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What the placeholders that are drawn hide.
fn hidden(drawn: &[Drawn], scrubbed: &Scrubbed) -> BTreeMap<String, Hidden> {
    let stretches = drawn
        .iter()
        .flat_map(|span| span.source.iter().chain(&span.text));
    let mut hidden: BTreeMap<String, Option<Hidden>> = stretches
        .filter_map(|stretch| match stretch {
            Stretch::Hidden { placeholder, .. } => Some((placeholder.clone(), None)),
            Stretch::Kept(_) => None,
        })
        .collect();
    for replacement in &scrubbed.replacements {
        let Some(known) = hidden.get_mut(&*replacement.placeholder) else {
            continue;
        };
        let known = known.get_or_insert_with(|| Hidden {
            family: family(&replacement.kind).to_owned(),
            label: replacement.kind.label().to_owned(),
            forms: Vec::new(),
            places: 0,
            why: reason(replacement.why).to_owned(),
        });
        known.places += 1;
        let is_new = |form: &String| **form != *replacement.text;
        if known.forms.len() < MOST_FORMS && known.forms.iter().all(is_new) {
            known.forms.push(replacement.text.to_string());
        }
    }
    let told = hidden.into_iter();
    told.filter_map(|(placeholder, hidden)| Some((placeholder, hidden?)))
        .collect()
}

/// Kinds that are alike have one colour; the word in the placeholder tells them apart.
fn family(kind: &KindName) -> &'static str {
    use Kind::*;
    let KindName::BuiltIn(kind) = kind else {
        return "mark value";
    };
    match kind {
        Table | Field | Col | Schema | Db | Index | Constraint | Dtype => "mark data",
        Class | Func | Method | Var | Type | Module | Pkg => "mark code",
        Path | Url | Endpoint | Line => "mark place",
        Config | Param | Cmd | Version => "mark setting",
        Cve | Vuln | Attack | Algo | Key | Secret | Perm | Role => "mark security",
        _ => "mark value",
    }
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::Claim => "a claim names it",
        Why::Glossary => "the glossary names it",
        Why::Secret => "it is a secret, hidden in both passes",
        Why::Shape => "it looks like one",
        Why::Structure => "it stands where one stands",
    }
}

fn level(level: LeakLevel) -> &'static str {
    match level {
        LeakLevel::Whole => "as it is",
        LeakLevel::Form => "in another form",
        LeakLevel::Part => "as a part of a longer word",
        LeakLevel::Derived => "in something made from it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replacement(start: usize, text: &str, placeholder: &str) -> Replacement {
        Replacement {
            span: "S0".into(),
            field: SpanField::Text,
            start: ByteOffset(start),
            end: ByteOffset(start + text.len()),
            kind: Kind::Table.into(),
            placeholder: placeholder.into(),
            text: text.into(),
            why: Why::Claim,
        }
    }

    fn shown(stretches: &[Stretch]) -> String {
        let show = |stretch: &Stretch| match stretch {
            Stretch::Kept(text) => text.clone(),
            Stretch::Hidden { placeholder, .. } => placeholder.clone(),
        };
        stretches.iter().map(show).collect()
    }

    fn scrub(texts: &[&str], replacements: Vec<Replacement>) -> (Vec<Span>, Scrubbed) {
        let span = |(at, text): (usize, &&str)| Span {
            id: format!("S{at}"),
            text: (*text).to_owned(),
            source: None,
        };
        let spans: Vec<Span> = texts.iter().enumerate().map(span).collect();
        let scrubbed = Scrubbed {
            mode: Mode::Identifiers,
            spans: spans.clone(),
            replacements,
            leaks: Vec::new(),
            removed: Vec::new(),
        };
        (spans, scrubbed)
    }

    #[test]
    fn a_text_is_cut_at_its_replacements() {
        let replacements = [
            replacement(0, "users", "[TABLE_1]"),
            replacement(12, "Übung", "[TABLE_2]"),
        ];
        let cut = stretches("users über Übung", replacements.iter());
        assert_eq!(shown(&cut), "[TABLE_1] über [TABLE_2]");
    }

    #[test]
    fn a_text_that_ends_before_its_replacements_is_shown_as_far_as_it_goes() {
        let replacements = [
            replacement(2, "bc", "[TABLE_1]"),
            replacement(90, "x", "[TABLE_2]"),
        ];
        assert_eq!(
            shown(&stretches("a bcd", replacements.iter())),
            "a [TABLE_1]d"
        );
    }

    #[test]
    fn what_is_drawn_has_a_limit_and_says_so() {
        let text = "ä".repeat(MOST_BYTES);
        let (spans, scrubbed) = scrub(&[&text, "more"], Vec::new());
        let drawn = drawn(&spans, &scrubbed);
        assert_eq!(drawn.len(), 1);
        assert!(drawn[0].more);
        assert_eq!(shown(&drawn[0].text).len(), MOST_BYTES);

        let text = "x ".repeat(MOST_PLACES + 5);
        let replacements = (0..MOST_PLACES + 5)
            .map(|at| replacement(at * 2, "x", "[TABLE_1]"))
            .collect();
        let (spans, scrubbed) = scrub(&[&text], replacements);
        let drawn = super::drawn(&spans, &scrubbed);
        assert!(drawn[0].more);
        assert_eq!(
            shown(&drawn[0].text),
            "[TABLE_1] ".repeat(MOST_PLACES),
            "nothing after the last drawn place is shown, as it may hold a name"
        );
    }

    #[test]
    fn each_form_of_a_name_is_told_once() {
        let (spans, scrubbed) = scrub(
            &["users Users users"],
            vec![
                replacement(0, "users", "[TABLE_1]"),
                replacement(6, "Users", "[TABLE_1]"),
                replacement(12, "users", "[TABLE_1]"),
            ],
        );
        let shown = Shown::new(&spans, &[], &scrubbed);
        let hidden = &shown.hidden["[TABLE_1]"];
        assert_eq!(hidden.forms, ["users", "Users"]);
        assert_eq!(hidden.places, 3);
        assert_eq!(shown.hidden.len(), 1);
    }
}
