//! The scrub as it is typed: each placeholder highlighted, and linked to what it hides.

use std::sync::Arc;

use leptos::{
    either::{Either, EitherOf3},
    ev::KeyboardEvent,
    prelude::*,
};

use crate::{
    browser,
    icon::{self, Icon},
    scrubbing::{Hidden, Shown, Stretch},
    state::State,
};

/// The panel.
#[component]
pub(crate) fn PreviewPanel(state: State) -> impl IntoView {
    let original = RwSignal::new(false);
    // Which placeholder is looked at: all its places light up.
    let looked_at = RwSignal::new(None::<String>);
    let body = move || match state.shown.get() {
        None => EitherOf3::B(view! { <p class="empty">"Scrubbing …"</p> }),
        Some(Err(fault)) => EitherOf3::A(view! { <p class="empty">{fault.to_string()}</p> }),
        Some(Ok(shown)) if !shown.some => EitherOf3::B(view! {
            <p class="empty">"Paste evidence, and what a judge will not see shows here as you type."</p>
        }),
        Some(Ok(shown)) => EitherOf3::C(view! { <Scrub shown looked_at original/> }),
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
    shown: Arc<Shown>,
    looked_at: RwSignal<Option<String>>,
    original: RwSignal<bool>,
) -> impl IntoView {
    let Shown {
        spans: drawn,
        spans_left,
        total,
        hidden,
        leaks,
        leaks_total,
        removed,
        ..
    } = (*shown).clone();
    let removed: Vec<_> = removed
        .into_iter()
        .map(|removed| {
            let whole = removed.gone == removed.of && removed.of > 0;
            let note = (removed.gone == 0).then_some(
                "Nothing of it is in the evidence: the scrubbed pass gets the spans redacted.",
            );
            view! {
                <li>
                    <span class="id mono">{removed.id}</span>
                    <span class="terms" class:whole=whole>
                        {format!("removed {} of {} {}", removed.gone, removed.of, if removed.of == 1 { "term" } else { "terms" })}
                    </span>
                    <span class="words">{removed.text}</span>
                    {note.map(|note| view! { <span class="aside">{note}</span> })}
                </li>
            }
        })
        .collect();

    let lens = move || {
        let placeholder = looked_at.get()?;
        let hidden = hidden.get(&placeholder)?.clone();
        Some((placeholder, hidden))
    };
    let mut next = 0;
    let mut marks = |stretches: Vec<Stretch>| -> Vec<AnyView> {
        let views = stretches.into_iter().map(|stretch| match stretch {
            Stretch::Kept(text) => text.into_any(),
            Stretch::Hidden {
                placeholder,
                family,
                text,
            } => {
                let number = next;
                next += 1;
                view! { <Mark placeholder family text number looked_at original/> }.into_any()
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
            {move || match lens() {
                Some((placeholder, hidden)) => Either::Left(view! { <Lens placeholder hidden/> }),
                None if total > 0 => Either::Right(
                    "Point at a placeholder, or move to it by keyboard, to see what it hides.",
                ),
                None => Either::Right("Nothing in this evidence is an identifier of this profile or named by a claim."),
            }}
        </div>
        {(!leaks.is_empty()).then(|| {
            let more = leaks_total - leaks.len();
            let items: Vec<_> = leaks.into_iter().map(|leak| view! {
                <li><code>{leak.term}</code>{leak.words}</li>
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
    family: String,
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
            class=family
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
fn Lens(placeholder: String, hidden: Hidden) -> impl IntoView {
    let forms: Vec<_> = hidden
        .forms
        .iter()
        .map(|form| view! { <q>{shortened(form)}</q>" " })
        .collect();
    let places = match hidden.places {
        1 => "one place".to_owned(),
        n => format!("{n} places"),
    };
    view! {
        <span class=hidden.family>{placeholder.trim_matches(['[', ']']).to_owned()}</span>
        " hides "
        <span class="forms">{forms}</span>
        <span class="aside">{format!("{}, {places}: {}.", hidden.label, hidden.why)}</span>
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
