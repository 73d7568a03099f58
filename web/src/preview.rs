//! The scrub as it is typed: each placeholder highlighted, and linked to what it hides.

use std::sync::Arc;

use claimgauge_core::{
    patterns::KindName,
    profile::Kind,
    scrub::{ByteOffset, LeakLevel, Replacement, Scrubbed, SpanField, Why},
};
use leptos::{
    either::{Either, EitherOf3},
    ev::KeyboardEvent,
    prelude::*,
};

use crate::{
    browser,
    icon::{self, Icon},
    state::{Preview, State},
};

/// How many places and how many bytes of text are drawn before the rest is cut off: a megabyte of
/// marks would stall the page, and nobody reads it here.
const MOST_PLACES: usize = 400;
const MOST_BYTES: usize = 60_000;

/// How many leaks are listed.
const MOST_LEAKS: usize = 12;

/// A stretch of a span.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stretch {
    /// What both passes see.
    Kept(String),
    /// What the scrubbed pass does not.
    Hidden {
        placeholder: String,
        kind: KindName,
        text: String,
    },
}

/// One span, cut into stretches as far as it is drawn.
#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    id: String,
    source: Vec<Stretch>,
    text: Vec<Stretch>,
    /// Whether there is more of it.
    more: bool,
}

/// What one placeholder hides.
#[derive(Clone, Debug, PartialEq)]
struct Hidden {
    placeholder: String,
    kind: KindName,
    /// The forms that it stands for, each once.
    forms: Vec<String>,
    places: usize,
    why: Why,
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
            kind: replacement.kind.clone(),
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
fn drawn(preview: &Preview) -> Vec<Drawn> {
    let (mut places, mut bytes) = (MOST_PLACES, MOST_BYTES);
    let mut replacements = preview.scrubbed.replacements.as_slice();
    let mut drawn = Vec::new();
    for span in &preview.spans {
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

fn hidden(scrubbed: &Scrubbed, placeholder: &str) -> Option<Hidden> {
    let mut places = scrubbed
        .replacements
        .iter()
        .filter(|replacement| *replacement.placeholder == *placeholder);
    let first = places.next()?;
    let mut hidden = Hidden {
        placeholder: placeholder.to_owned(),
        kind: first.kind.clone(),
        forms: vec![first.text.to_string()],
        places: 1,
        why: first.why,
    };
    for replacement in places {
        hidden.places += 1;
        if hidden.forms.iter().all(|form| **form != *replacement.text) {
            hidden.forms.push(replacement.text.to_string());
        }
    }
    Some(hidden)
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

/// The panel.
#[component]
pub(crate) fn PreviewPanel(state: State) -> impl IntoView {
    let original = RwSignal::new(false);
    // Which placeholder is looked at: all its places light up.
    let looked_at = RwSignal::new(None::<String>);
    let body = move || match state.scrub.get() {
        Err(fault) => EitherOf3::A(view! { <p class="empty">{fault.to_string()}</p> }),
        Ok(preview) if preview.spans.iter().all(|span| span.text.is_empty()) => {
            EitherOf3::B(view! {
                <p class="empty">"Paste evidence, and what a judge will not see shows here as you type."</p>
            })
        }
        Ok(preview) => EitherOf3::C(view! { <Scrub preview looked_at original/> }),
    };
    view! {
        <section class="panel preview" aria-labelledby="preview-title">
            <header class="with-switch">
                <div>
                    <h2 id="preview-title">"What the scrubbed pass sees"</h2>
                    <p class="aside">"The judge is asked once without names: those that the claims rest on are taken out of the evidence."</p>
                </div>
                <button
                    type="button"
                    class="quiet small"
                    aria-pressed=move || original.get().to_string()
                    on:click=move |_| original.update(|on| *on = !*on)
                >
                    "Show originals"
                </button>
            </header>
            {body}
        </section>
    }
}

#[component]
fn Scrub(
    preview: Arc<Preview>,
    looked_at: RwSignal<Option<String>>,
    original: RwSignal<bool>,
) -> impl IntoView {
    let drawn = drawn(&preview);
    let spans_left = preview.spans.len() - drawn.len();
    let scrubbed = &preview.scrubbed;
    let total = scrubbed.replacements.len();
    let leaks = scrubbed.leaks.clone();
    let removed: Vec<_> = scrubbed
        .removed
        .iter()
        .zip(&preview.claims)
        .take(100)
        .map(|(removed, claim)| {
            let whole = removed.gone == removed.of && removed.of > 0;
            let note = (removed.gone == 0).then_some(
                "Nothing of it is in the evidence: the scrubbed pass gets the spans redacted.",
            );
            view! {
                <li>
                    <span class="id mono">{claim.id.clone()}</span>
                    <span class="terms" class:whole=whole>
                        {format!("removed {} of {} {}", removed.gone, removed.of, if removed.of == 1 { "term" } else { "terms" })}
                    </span>
                    <span class="words">{claim.text.clone()}</span>
                    {note.map(|note| view! { <span class="aside">{note}</span> })}
                </li>
            }
        })
        .collect();

    let shown = move || hidden(&preview.scrubbed, looked_at.read().as_ref()?);
    let mut next = 0;
    let mut marks = |stretches: Vec<Stretch>| -> Vec<AnyView> {
        let views = stretches.into_iter().map(|stretch| match stretch {
            Stretch::Kept(text) => text.into_any(),
            Stretch::Hidden {
                placeholder,
                kind,
                text,
            } => {
                let number = next;
                next += 1;
                view! { <Mark placeholder kind text number looked_at original/> }.into_any()
            }
        });
        views.collect()
    };
    let spans: Vec<_> = drawn
        .into_iter()
        .map(|span| {
            let source = marks(span.source);
            let text = marks(span.text);
            view! {
                <div class="scrubbed-span">
                    <p class="scrubbed-head">
                        <span class="id mono">{span.id}</span>
                        <span class="source">{source}</span>
                    </p>
                    <p class="scrubbed-text">
                        {text}
                        {span.more.then(|| view! { <span class="cut">" … the rest is scrubbed too, and not drawn here"</span> })}
                    </p>
                </div>
            }
        })
        .collect();
    let walk = move |event: KeyboardEvent| step(&event);
    view! {
        <div
            class="scrubbed"
            role="group"
            aria-label=format!("Scrubbed evidence, {total} replacements. Arrow keys move between placeholders.")
            on:keydown=walk
        >
            {spans}
            {(spans_left > 0).then(|| view! { <p class="cut">{format!("… and {spans_left} more spans")}</p> })}
        </div>
        <div class="lens" aria-live="polite">
            {move || match shown() {
                Some(hidden) => Either::Left(view! { <Lens hidden/> }),
                None if total > 0 => Either::Right(
                    "Point at a placeholder, or move to it by keyboard, to see what it hides.",
                ),
                None => Either::Right("Nothing in this evidence is an identifier of this profile or named by a claim."),
            }}
        </div>
        {(!leaks.is_empty()).then(|| {
            let more = leaks.len().saturating_sub(MOST_LEAKS);
            let items: Vec<_> = leaks.into_iter().take(MOST_LEAKS).map(|leak| view! {
                <li>
                    <code>{leak.term}</code>
                    {format!(" of {} is still in {}, {}", leak.claim, leak.span, level(leak.level))}
                </li>
            }).collect();
            view! {
                <div class="leaks">
                    <h3><Icon outline=icon::WARNING/>"Still readable"</h3>
                    <ul>{items}</ul>
                    {(more > 0).then(|| view! { <p class="aside">{format!("and {more} more")}</p> })}
                </div>
            }
        })}
        <ul class="removed">{removed}</ul>
    }
}

/// One placeholder in its place.
#[component]
fn Mark(
    placeholder: String,
    kind: KindName,
    text: String,
    number: usize,
    looked_at: RwSignal<Option<String>>,
    original: RwSignal<bool>,
) -> impl IntoView {
    let label = format!("{placeholder} hides {text}");
    let here = StoredValue::new(placeholder);
    let look = move || looked_at.set(Some(here.get_value()));
    let lit = move || looked_at.with(|other| here.with_value(|here| other.as_ref() == Some(here)));
    let inner = here.with_value(|here| here.trim_matches(['[', ']']).to_owned());
    view! {
        // A button element would let a line break stand between it and the text that it touches.
        <span
            role="button"
            id=format!("mark-{number}")
            class=family(&kind)
            class:lit=lit
            class:original=move || original.get()
            tabindex=if number == 0 { "0" } else { "-1" }
            aria-label=label
            on:focus=move |_| look()
            on:mouseenter=move |_| look()
            on:click=move |_| look()
        >
            {move || if original.get() { text.clone() } else { inner.clone() }}
        </span>
    }
}

/// What a placeholder hides, and why.
#[component]
fn Lens(hidden: Hidden) -> impl IntoView {
    let forms: Vec<_> = hidden
        .forms
        .iter()
        .take(6)
        .map(|form| view! { <q>{shortened(form)}</q>" " })
        .collect();
    let places = match hidden.places {
        1 => "one place".to_owned(),
        n => format!("{n} places"),
    };
    view! {
        <span class=family(&hidden.kind)>{hidden.placeholder.trim_matches(['[', ']']).to_owned()}</span>
        " hides "
        <span class="forms">{forms}</span>
        <span class="aside">{format!("{}, {places}: {}.", hidden.kind.label(), reason(hidden.why))}</span>
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The arrow keys move between placeholders, so that they are one stop on the way by Tab.
fn step(event: &KeyboardEvent) {
    let by: isize = match event.key().as_str() {
        "ArrowRight" | "ArrowDown" => 1,
        "ArrowLeft" | "ArrowUp" => -1,
        _ => return,
    };
    let at = document()
        .active_element()
        .and_then(|element| element.id().strip_prefix("mark-")?.parse::<isize>().ok());
    if let Some(next) = at.and_then(|at| browser::element(&format!("mark-{}", at + by))) {
        event.prevent_default();
        // A mark takes the focus as long as it stands.
        let _ = next.focus();
    }
}

#[cfg(test)]
mod tests {
    use claimgauge_core::evidence::Span;

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

    fn preview(texts: &[&str], replacements: Vec<Replacement>) -> Preview {
        let span = |(at, text): (usize, &&str)| Span {
            id: format!("S{at}"),
            text: (*text).to_owned(),
            source: None,
        };
        let spans: Vec<Span> = texts.iter().enumerate().map(span).collect();
        Preview {
            scrubbed: Scrubbed {
                mode: claimgauge_core::scrub::Mode::Identifiers,
                spans: spans.clone(),
                replacements,
                leaks: Vec::new(),
                removed: Vec::new(),
            },
            spans,
            claims: Vec::new(),
        }
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
        let drawn = drawn(&preview(&[&text, "more"], Vec::new()));
        assert_eq!(drawn.len(), 1);
        assert!(drawn[0].more);
        assert_eq!(shown(&drawn[0].text).len(), MOST_BYTES);

        let text = "x ".repeat(MOST_PLACES + 5);
        let replacements = (0..MOST_PLACES + 5)
            .map(|at| replacement(at * 2, "x", "[TABLE_1]"))
            .collect();
        let drawn = super::drawn(&preview(&[&text], replacements));
        assert!(drawn[0].more);
        assert_eq!(
            shown(&drawn[0].text),
            "[TABLE_1] ".repeat(MOST_PLACES),
            "nothing after the last drawn place is shown, as it may hold a name"
        );
    }

    #[test]
    fn each_form_of_a_name_is_told_once() {
        let preview = preview(
            &["users Users users"],
            vec![
                replacement(0, "users", "[TABLE_1]"),
                replacement(6, "Users", "[TABLE_1]"),
                replacement(12, "users", "[TABLE_1]"),
            ],
        );
        let hidden = hidden(&preview.scrubbed, "[TABLE_1]").unwrap();
        assert_eq!(hidden.forms, ["users", "Users"]);
        assert_eq!(hidden.places, 3);
        assert_eq!(super::hidden(&preview.scrubbed, "[TABLE_9]"), None);
    }
}
