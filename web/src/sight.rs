//! What the page shows beside a report: where the evidence holds what a claim names, and what the other
//! profiles' thresholds would make of the same passes. Made apart from the page.

use std::collections::BTreeMap;

use claimgauge_core::{
    decide::{Flag, Policy, Status},
    evidence::Span,
    injection::instruction_like,
    profile::Profile,
    report::{Atom, Finding, Report},
    scrub::{Replacement, SpanField},
};
use serde::{Deserialize, Serialize};

/// Of one claim.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Sight {
    /// The status by the thresholds of each built-in profile, in their order; none where there is no confidence to be held
    /// against them.
    pub(crate) under: Vec<Status>,
    pub(crate) excerpts: Vec<Excerpt>,
    /// The atoms that the scrub left where they stand, by their text: both passes read them.
    #[serde(default)]
    pub(crate) left: Vec<String>,
    /// The spans that read like instructions to the judge, where the report says that there are any.
    #[serde(default)]
    pub(crate) talking: Vec<String>,
}

/// The part of a span in which something of the claim stands.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Excerpt {
    pub(crate) span: String,
    pub(crate) source: Option<String>,
    pub(crate) pieces: Vec<Piece>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) enum Piece {
    /// Text that is left out.
    Cut,
    /// What the claim names.
    Found(String),
    /// A value that stands where the claim has another one.
    Rival {
        text: String,
        claimed: String,
    },
    Text(String),
}

/// Most excerpts of a claim, and most marks in one.
const MOST_EXCERPTS: usize = 6;
const MOST_MARKS: usize = 12;

/// A span that is no longer is shown whole; of others so much on each side of a mark. In bytes.
const WHOLE: usize = 500;
const AROUND: usize = 80;

/// What is to be seen of each claim of a report. `cites` are the spans that each rests on.
pub(crate) fn of(report: &Report, cites: &[Option<Vec<String>>]) -> Vec<Sight> {
    let profiles = Profile::all();
    let replacements = &report.scrub.replacements;
    let names = Names::of(replacements);
    let mut hidden: BTreeMap<&str, Vec<&Replacement>> = BTreeMap::new();
    for replacement in replacements {
        if replacement.field == SpanField::Text {
            let in_span = hidden.entry(&replacement.span).or_default();
            in_span.push(replacement);
        }
    }
    let spans = report.evidence.iter();
    let spans: Vec<Lowered<'_>> = spans
        .map(|span| Lowered {
            span,
            low: span.text.to_ascii_lowercase(),
            hidden: hidden.remove(&*span.id).unwrap_or_default(),
        })
        .collect();
    let claims = report.claims.iter().enumerate();
    claims
        .map(|(at, finding)| {
            let cited = |lowered: &&Lowered<'_>| {
                let cites = cites.get(at).and_then(Option::as_ref);
                cites.is_none_or(|cites| cites.contains(&lowered.span.id))
            };
            let status =
                |profile: &Profile| finding.status_by(&profile.thresholds, Policy::default());
            let full = finding.full.as_ref();
            let is_measured = full.is_some_and(|full| full.confidence.is_some());
            let profiles = profiles.iter().filter(|_| is_measured);
            Sight {
                under: profiles.map(status).collect(),
                excerpts: excerpts(&finding.atoms, &names, spans.iter().filter(cited)),
                left: left(finding, &spans),
                talking: match finding.flags.contains(&Flag::InstructionLike) {
                    true => talking(spans.iter().filter(cited)),
                    false => Vec::new(),
                },
            }
        })
        .collect()
}

/// A span, its text with small letters, and what the scrub took out of that, in order.
struct Lowered<'a> {
    span: &'a Span,
    low: String,
    hidden: Vec<&'a Replacement>,
}

/// The forms that the scrub knows a name in, with small letters: those that have one placeholder.
#[derive(Default)]
struct Names<'a> {
    placeholders: BTreeMap<String, &'a str>,
    forms: BTreeMap<&'a str, Vec<String>>,
}

impl<'a> Names<'a> {
    fn of(replacements: &'a [Replacement]) -> Self {
        let mut names = Self::default();
        for Replacement {
            placeholder, text, ..
        } in replacements
        {
            let form = text.to_ascii_lowercase();
            if !names.placeholders.contains_key(&form) {
                let forms = names.forms.entry(placeholder).or_default();
                forms.push(form.clone());
                names.placeholders.insert(form, placeholder);
            }
        }
        names
    }

    fn forms(&self, name: &str) -> &[String] {
        let placeholder = self.placeholders.get(&name.to_ascii_lowercase());
        let forms = placeholder.and_then(|placeholder| self.forms.get(placeholder));
        forms.map_or(&[], Vec::as_slice)
    }
}

fn talking<'a>(spans: impl Iterator<Item = &'a Lowered<'a>>) -> Vec<String> {
    let spans = spans.map(|lowered| lowered.span);
    let talking = spans.filter(|span| instruction_like(&span.text));
    talking.map(|span| span.id.clone()).collect()
}

/// The atoms of which the scrub left every place in the span that holds them. Of spans that were redacted whole nothing
/// is left.
fn left(finding: &Finding, spans: &[Lowered<'_>]) -> Vec<String> {
    if finding.flags.contains(&Flag::RedactedSpans) {
        return Vec::new();
    }
    let is_left = |atom: &&Atom| {
        let holds = |lowered: &&Lowered<'_>| Some(&lowered.span.id) == atom.span.as_ref();
        spans.iter().find(holds).is_some_and(|lowered| {
            let mut places = Vec::new();
            mark(&lowered.low, &atom.text, None, &mut places);
            let is_hidden = |place: &Mark<'_>| {
                let hidden = &lowered.hidden;
                let next = hidden.partition_point(|gone| gone.end.0 <= place.start);
                hidden
                    .get(next)
                    .is_some_and(|gone| gone.start.0 < place.end)
            };
            !places.is_empty() && !places.iter().any(is_hidden)
        })
    };
    let atoms = finding.atoms.iter().filter(is_left);
    atoms.map(|atom| atom.text.clone()).collect()
}

/// Those with a rival first: where there are more than are shown, it is they that the reader needs.
fn excerpts<'a>(
    atoms: &[Atom],
    names: &Names<'_>,
    spans: impl Iterator<Item = &'a Lowered<'a>>,
) -> Vec<Excerpt> {
    let marked = spans.map(|lowered| (lowered.span, marks(&lowered.low, atoms, names)));
    let mut marked: Vec<_> = marked.filter(|(_, marks)| !marks.is_empty()).collect();
    marked.sort_by_key(|(_, marks)| !marks.iter().any(|mark| mark.rival_of.is_some()));
    marked
        .into_iter()
        .take(MOST_EXCERPTS)
        .map(|(span, marks)| Excerpt {
            span: span.id.clone(),
            source: span.source.clone(),
            pieces: pieces(&span.text, &marks),
        })
        .collect()
}

/// A stretch of a text, and the claim's value where it is a rival.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark<'a> {
    start: usize,
    end: usize,
    rival_of: Option<&'a str>,
}

/// Where a text with small letters holds the atoms or their rivals, in order and without overlaps. Rivals
/// come before what else would stand in the same place, or be too many.
fn marks<'a>(low: &str, atoms: &'a [Atom], names: &Names<'_>) -> Vec<Mark<'a>> {
    let mut marks = Vec::new();
    for atom in atoms {
        if let Some(rival) = &atom.rival {
            mark(low, rival, Some(&*atom.text), &mut marks);
        }
        if !atom.grounded {
            continue;
        }
        let mut found = mark(low, &atom.text, None, &mut marks);
        for form in names.forms(&atom.text).iter().take(MOST_MARKS) {
            found |= mark(low, form, None, &mut marks);
        }
        if !found {
            // Another form of it: its words stand apart, or in another order.
            for word in atom.text.split(|c: char| !c.is_alphanumeric()) {
                if word.len() > 1 {
                    mark(low, word, None, &mut marks);
                }
            }
        }
    }
    marks.sort_by_key(|mark| (mark.rival_of.is_none(), mark.start, usize::MAX - mark.end));
    let mut kept: Vec<Mark<'a>> = Vec::new();
    for mark in marks {
        let apart = |other: &Mark<'_>| mark.end <= other.start || other.end <= mark.start;
        if kept.len() < MOST_MARKS && kept.iter().all(apart) {
            kept.push(mark);
        }
    }
    kept.sort_by_key(|mark| mark.start);
    kept
}

/// Marks each place of `name` as a whole word, whatever the case; whether there was one.
fn mark<'a>(low: &str, name: &str, rival_of: Option<&'a str>, marks: &mut Vec<Mark<'a>>) -> bool {
    let name = name.to_ascii_lowercase();
    let before = marks.len();
    if !name.is_empty() {
        let places = low.match_indices(&*name).map(|(start, _)| start);
        let whole = places.filter(|start| {
            let left = low[..*start].chars().next_back();
            let right = low[start + name.len()..].chars().next();
            let apart = |beside: Option<char>, edge: Option<char>| {
                !beside.is_some_and(char::is_alphanumeric)
                    || !edge.is_some_and(char::is_alphanumeric)
            };
            apart(left, name.chars().next()) && apart(right, name.chars().next_back())
        });
        marks.extend(whole.take(MOST_MARKS).map(|start| Mark {
            start,
            end: start + name.len(),
            rival_of,
        }));
    }
    marks.len() > before
}

/// The text cut at its marks, without what is far from any of them.
fn pieces(text: &str, marks: &[Mark<'_>]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for mark in marks {
        let near = if text.len() <= WHOLE {
            text.len()
        } else {
            AROUND
        };
        between(text, at, mark.start, near, pieces.is_empty(), &mut pieces);
        let inside = text[mark.start..mark.end].to_owned();
        pieces.push(match mark.rival_of {
            Some(claimed) => Piece::Rival {
                text: inside,
                claimed: claimed.to_owned(),
            },
            None => Piece::Found(inside),
        });
        at = mark.end;
    }
    if text.len() <= WHOLE || text.len() - at <= AROUND {
        push(&text[at..], &mut pieces);
    } else {
        push(&text[at..boundary(text, at + AROUND)], &mut pieces);
        pieces.push(Piece::Cut);
    }
    pieces
}

/// What stands between two marks, or before the first: its middle is left out where it is long.
fn between(text: &str, from: usize, to: usize, near: usize, first: bool, pieces: &mut Vec<Piece>) {
    let head = if first { 0 } else { near };
    if to - from <= head.saturating_add(near) {
        push(&text[from..to], pieces);
        return;
    }
    push(&text[from..boundary(text, from + head)], pieces);
    pieces.push(Piece::Cut);
    push(&text[boundary(text, to - near)..to], pieces);
}

fn push(text: &str, pieces: &mut Vec<Piece>) {
    if !text.is_empty() {
        pieces.push(Piece::Text(text.to_owned()));
    }
}

/// The last place that is not after `at` and not inside a character.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use claimgauge_core::{report::AtomKind, scrub::ScrubRequest};

    use super::*;

    fn atom(text: &str, rival: Option<&str>) -> Atom {
        Atom {
            text: text.to_owned(),
            kind: AtomKind::Identifier,
            grounded: rival.is_none(),
            span: rival.is_none().then(|| "S0".to_owned()),
            rival: rival.map(str::to_owned),
        }
    }

    /// `<found>` and `{rival≠claimed}` in the text, `…` where it is cut.
    fn shown(text: &str, atoms: &[Atom]) -> String {
        shown_by(text, atoms, &Names::default())
    }

    fn shown_by(text: &str, atoms: &[Atom], names: &Names<'_>) -> String {
        let show = |piece: &Piece| match piece {
            Piece::Cut => "…".to_owned(),
            Piece::Found(text) => format!("<{text}>"),
            Piece::Rival { text, claimed } => format!("{{{text}≠{claimed}}}"),
            Piece::Text(text) => text.clone(),
        };
        let marks = marks(&text.to_ascii_lowercase(), atoms, names);
        pieces(text, &marks).iter().map(show).collect()
    }

    #[test]
    fn names_are_found_as_whole_words_in_any_case() {
        let atoms = [atom("Users", None), atom("255", None)];
        assert_eq!(
            shown("users.email of superusers, VARCHAR(255), 2550", &atoms),
            "<users>.email of superusers, VARCHAR(<255>), 2550"
        );
    }

    #[test]
    fn a_name_in_another_form_is_found_by_its_words() {
        let atoms = [atom("user_id", None)];
        assert_eq!(
            shown("the user has an id", &atoms),
            "the <user> has an <id>"
        );
    }

    #[test]
    fn a_name_is_found_in_every_form_that_the_scrub_knows() {
        let request = r#"{
            "profile": "strawberry",
            "evidence": ["users.email is VARCHAR(255)", "The email of a user"],
            "claims": ["Table users has field email with data type VARCHAR"]
        }"#;
        let request: ScrubRequest = serde_json::from_str(request).unwrap();
        let scrubbed = request.run().unwrap();
        let names = Names::of(&scrubbed.replacements);
        let atoms = [atom("Users", None), atom("VARCHAR", None)];
        assert_eq!(
            shown_by("users.email of a user, VARCHAR(255)", &atoms, &names),
            "<users>.email of a <user>, <VARCHAR>(255)"
        );
    }

    #[test]
    fn a_rival_says_what_the_claim_has() {
        let atoms = [atom("500 requests", Some("100"))];
        assert_eq!(
            shown("The API allows 100 requests", &atoms),
            "The API allows {100≠500 requests} requests"
        );
    }

    #[test]
    fn a_rival_is_shown_whatever_else_there_is() {
        let atoms = [atom("port", None), atom("81", Some("80"))];
        let text = format!("{}80", "port ".repeat(MOST_MARKS));
        let shown = shown(&text, &atoms);
        assert!(shown.ends_with("{80≠81}"), "{shown}");
        assert_eq!(shown.matches('<').count(), MOST_MARKS - 1);

        let atoms = [atom("port 80 tcp", None), atom("81", Some("80"))];
        assert!(super::tests::shown("port 80 tcp", &atoms).contains("{80≠81}"));

        let mut spans: Vec<Span> = Vec::new();
        for id in 0..=MOST_EXCERPTS {
            let text = if id == MOST_EXCERPTS { "80" } else { "port" };
            spans.push(Span {
                id: format!("S{id}"),
                source: None,
                text: text.to_owned(),
            });
        }
        let lower = |span| Lowered {
            span,
            low: span.text.clone(),
            hidden: Vec::new(),
        };
        let lowered: Vec<Lowered<'_>> = spans.iter().map(lower).collect();
        let finding = excerpts(
            &[atom("port", None), atom("81", Some("80"))],
            &Names::default(),
            lowered.iter(),
        );
        assert_eq!((finding.len(), &*finding[0].span), (MOST_EXCERPTS, "S6"));
    }

    #[test]
    fn of_a_long_text_what_is_near_is_shown() {
        let far = "ä".repeat(400);
        let text = format!("{far} port 80 {far} port 90 {far}");
        let cut = shown(&text, &[atom("80", None), atom("90", None)]);
        assert!(cut.starts_with('…') && cut.ends_with('…'), "{cut}");
        assert_eq!(cut.matches('…').count(), 3);
        assert!(cut.contains("port <80> ä") && cut.contains("ä port <90>"));
        assert!(cut.len() < 4 * AROUND + 80, "{cut}");
    }
}
