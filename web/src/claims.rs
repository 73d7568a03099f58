//! The claims: one a line, with the spans that it cites at its end.

use claimgauge_core::evidence::ClaimInput;
use leptos::prelude::*;

use crate::{
    bound::{given, mark, part, pressed, text},
    browser,
    inputs::Place,
    state::{FaultNote, State},
};

/// Reads one claim from each line that has words. `[S0]`, `[S0][S1]` or `[S0, S1]` at the end of a
/// line are citations where `ids` has such a span or they look like the ids that spans get by
/// position; any other bracket belongs to the sentence.
pub(crate) fn read(text: &str, ids: &[&str]) -> Vec<ClaimInput> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let (text, cites) = split_citations(line, ids);
            ClaimInput {
                cites: (!cites.is_empty()).then_some(cites),
                ..ClaimInput::from(text.as_str())
            }
        })
        .collect()
}

/// Whether a claim cites one of these spans.
pub(crate) fn cites_any(text: &str, ids: &[String]) -> bool {
    cites(text, ids, true)
}

/// Whether a claim cites a span that is not there.
fn cites_unknown(text: &str, ids: &[String]) -> bool {
    cites(text, ids, false)
}

fn cites(text: &str, ids: &[String], known: bool) -> bool {
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    read(text, &names).iter().any(|claim| {
        let mut cited = claim.cites.iter().flatten();
        cited.any(|id| ids.contains(id) == known)
    })
}

/// A citation of a span that is not there.
#[derive(Clone, Debug, PartialEq)]
struct Unknown {
    id: String,
    /// The number of its line, from 1, and where that begins and ends in UTF-16 units.
    line: usize,
    from: u32,
    to: u32,
}

/// The first citations of spans that are not there.
fn unknown(text: &str, ids: &[String]) -> Vec<Unknown> {
    let known: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut from = 0;
    let mut unknown = Vec::new();
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let to = from + line.trim_end().encode_utf16().count() as u32;
        let (_, cites) = split_citations(line.trim(), &known);
        let missing = cites.into_iter().filter(|id| !known.contains(&id.as_str()));
        unknown.extend(missing.map(|id| Unknown {
            id,
            line: at + 1,
            from,
            to,
        }));
        if unknown.len() > MOST_UNKNOWN {
            break;
        }
        from += line.encode_utf16().count() as u32;
    }
    unknown
}

/// How many of them are told.
const MOST_UNKNOWN: usize = 4;

fn split_citations(line: &str, ids: &[&str]) -> (String, Vec<String>) {
    let (mut sentence, stop) = match line.strip_suffix('.') {
        Some(rest) if rest.ends_with(']') => (rest, "."),
        _ => (line, ""),
    };
    let mut groups = Vec::new();
    while let Some((before, group)) = last_group(sentence) {
        let items: Vec<&str> = group.split(',').map(str::trim).collect();
        if !items.iter().all(|item| is_id(item, ids)) {
            break;
        }
        groups.push(items);
        sentence = before.trim_end();
    }
    if groups.is_empty() || sentence.is_empty() {
        return (line.to_owned(), Vec::new());
    }
    let mut cites: Vec<String> = Vec::new();
    for item in groups.into_iter().rev().flatten() {
        if !cites.iter().any(|cite| cite == item) {
            cites.push(item.to_owned());
        }
    }
    let stop = if sentence.ends_with('.') { "" } else { stop };
    (format!("{sentence}{stop}"), cites)
}

/// The text before a last bracket, and what is in it.
fn last_group(text: &str) -> Option<(&str, &str)> {
    text.strip_suffix(']')?.rsplit_once('[')
}

fn is_id(item: &str, ids: &[&str]) -> bool {
    let by_position = || {
        item.strip_prefix('S').is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    ids.contains(&item) && !item.is_empty() || by_position()
}

/// The text field.
#[component]
pub(crate) fn Claims(state: State) -> impl IntoView {
    view! {
        <section class="panel" aria-labelledby="claims-title">
            <header>
                <h2 id="claims-title">"Claims"</h2>
                <p class="aside">
                    "One a line; the first is C0, the next C1. End a line with "<code>"[S0]"</code>" to say that it rests on span S0."
                </p>
            </header>
            <label class="hidden-label" for="claims">"Claims, one a line"</label>
            <textarea
                id="claims"
                rows="3"
                spellcheck="false"
                aria-describedby=Place::Claims.note_id()
                aria-invalid=mark(move || state.is_wrong(Place::Claims))
                prop:value=text(move || state.claims.get())
                on:input=given(move |value| {
                    state.claims.set(value);
                    state.mend(Place::Claims);
                })
            ></textarea>
            <FaultNote state place=Place::Claims/>
            <Unknowns state/>
        </section>
    }
}

/// The place for what is cited and not there.
#[component]
fn Unknowns(state: State) -> impl IntoView {
    let some = Memo::new(move |_| {
        state
            .settled
            .with(|inputs| cites_unknown(&inputs.claims, &inputs.ids()))
    });
    view! {
        <div class="unknowns">
            {part(move || some.get().then(|| state.later.draw(move |later| (later.unknowns)(state))))}
        </div>
    }
}

/// What is cited and not there, each with a button that leads to its line.
pub(crate) fn unknowns(state: State) -> AnyView {
    let unknowns = Memo::new(move |_| {
        state
            .settled
            .with(|inputs| unknown(&inputs.claims, &inputs.ids()))
    });
    let note = |one: Unknown| {
        let Unknown { id, line, from, to } = one;
        view! {
            <li>
                <button type="button" class="link" on:click=pressed(move || browser::select("claims", from, to))>
                    {format!("Line {line}")}
                </button>
                " cites "<bdi>{id}</bdi>", and no span has that id."
            </li>
        }
    };
    let list = move || {
        let unknowns = unknowns.get();
        let more = unknowns.len() > MOST_UNKNOWN;
        let notes: Vec<_> = unknowns.into_iter().take(MOST_UNKNOWN).map(note).collect();
        view! { <ul>{notes}{more.then(|| view! { <li>"… and more."</li> })}</ul> }
    };
    view! { <div role="status">{list}</div> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> (String, Vec<String>) {
        let claim = read(line, &["S0", "docs"]).remove(0);
        (claim.text, claim.cites.unwrap_or_default())
    }

    #[test]
    fn citations_stand_at_the_end() {
        #[rustfmt::skip]
        let rows: [(&str, &str, &[&str]); 12] = [
            ("The port is 8080", "The port is 8080", &[]),
            ("The port is 8080 [S0]", "The port is 8080", &["S0"]),
            ("The port is 8080 [S0].", "The port is 8080.", &["S0"]),
            ("The port is 8080. [S0]", "The port is 8080.", &["S0"]),
            ("The port is 8080 [S0][S1]", "The port is 8080", &["S0", "S1"]),
            ("The port is 8080 [S0, S1] [S0]", "The port is 8080", &["S0", "S1"]),
            ("It says so [docs]", "It says so", &["docs"]),
            ("Each item is a[1]", "Each item is a[1]", &[]),
            ("The list is [1, 2]", "The list is [1, 2]", &[]),
            ("The set is []", "The set is []", &[]),
            ("[S0] is a span", "[S0] is a span", &[]),
            ("[S0]", "[S0]", &[]),
        ];
        for (line, text, cites) in rows {
            assert_eq!(
                one(line),
                (
                    text.to_owned(),
                    cites.iter().map(|id| (*id).to_owned()).collect()
                ),
                "{line}"
            );
        }
    }

    #[test]
    fn what_is_cited_and_not_there_is_told_with_its_line() {
        let ids = ["S0".to_owned(), "docs".to_owned()];
        let text = "Ü 🦀 [S0]\n\nB [S3, docs] \r\n [S9]\nC [S7][S3]";
        let told: Vec<_> = unknown(text, &ids)
            .into_iter()
            .map(|one| (one.id, one.line, one.from, one.to))
            .collect();
        assert_eq!(
            told,
            [
                ("S3".to_owned(), 3, 11, 23),
                ("S7".to_owned(), 5, 32, 42),
                ("S3".to_owned(), 5, 32, 42)
            ]
        );
        assert!(cites_any(text, &ids));
        assert!(!cites_any("A [S4]", &ids));
        assert!(cites_unknown(text, &ids));
        assert!(!cites_unknown("A [S0] [docs]", &ids));
        assert!(unknown(&"x [S5]\n".repeat(5000), &ids).len() <= MOST_UNKNOWN + 1);
    }

    #[test]
    fn lines_without_words_are_no_claims() {
        let claims = read("\n  A \r\n\t\nB", &[]);
        let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
        assert_eq!(texts, ["A", "B"]);
    }
}
