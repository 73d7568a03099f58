//! The scrub as it is typed: each placeholder is linked to what it hides, here and in the claims. Of a
//! long text what is on the screen is drawn.

use leptos::{
    ev::{Event, KeyboardEvent, MouseEvent},
    html,
    prelude::*,
};
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, HtmlElement};

use crate::{
    bound::{Item, given, list, part, switch, text},
    drawn::Show,
    fold::fold,
    hash::fnv1a,
    keep,
    scrubbing::Size,
    state::State,
};

impl Show {
    /// As it is kept.
    fn word(self) -> &'static str {
        match self {
            Self::Scrubbed => r#""scrubbed""#,
            Self::Merged => r#""merged""#,
            Self::SideBySide => r#""side_by_side""#,
        }
    }

    fn kept() -> Self {
        let kept = keep::load_text(keep::PREVIEW).unwrap_or_default();
        let mut known = SHOWS.iter().map(|(show, _)| *show);
        known.find(|show| show.word() == kept).unwrap_or_default()
    }
}

const SHOWS: [(Show, &str); 3] = [
    (Show::Scrubbed, "Scrubbed"),
    (Show::Merged, "Merged"),
    (Show::SideBySide, "Side by side"),
];

/// The panel.
#[component]
pub(crate) fn PreviewPanel(state: State) -> impl IntoView {
    let show = RwSignal::new(Show::kept());
    let choose = move |chosen| {
        show.set(chosen);
        // Where it cannot be kept, it is chosen anew at the next visit.
        let _ = keep::store_text(keep::PREVIEW, chosen.word());
    };
    let options: Vec<AnyView> = SHOWS
        .into_iter()
        .map(|(value, name)| {
            view! {
                <label class="option compact">
                    <input
                        type="radio"
                        name="preview"
                        prop:checked=switch(move || show.get() == value)
                        on:change=given(move |_| choose(value))
                    />
                    <span>{name}</span>
                </label>
            }
            .into_any()
        })
        .collect();
    // The scrub stands as long as there is one: where it was scrolled to stays.
    let instead = Memo::new(move |_| match state.shown.get() {
        None => "Scrubbing …".to_owned(),
        Some(Err(fault)) => fault,
        Some(Ok(outline)) if !outline.some => {
            "Paste evidence, and what a judge will not see shows here as you type.".to_owned()
        }
        Some(Ok(_)) => String::new(),
    });
    view! {
        <section class="panel preview" aria-labelledby="preview-title">
            <header>
                <h2 id="preview-title">"What the scrubbed pass sees"</h2>
                <p class="aside">"The judge is asked once without names: those that the claims rest on are taken out of the evidence."</p>
            </header>
            <div class="options" role="radiogroup" aria-label="How the scrub is shown">{options}</div>
            {part(move || Some(match instead.get() {
                words if words.is_empty() => scrub(state, show),
                words => view! { <p class="empty">{words}</p> }.into_any(),
            }))}
        </section>
    }
}

fn scrub(state: State, show: RwSignal<Show>) -> AnyView {
    // The placeholder that was last pointed at: all its places light up.
    let look = RwSignal::new(String::new());
    let picked = RwSignal::new(String::new());
    let naming = RwSignal::new(false);
    // It opens by itself where words are hidden, whatever brought them: they can be shown again.
    let some_named = Memo::new(move |_| state.glossary.with(|names| !names.is_empty()));
    Effect::new(move |_| {
        if some_named.get() {
            naming.set(true);
        }
    });
    let scroller = NodeRef::<html::Div>::new();
    let outline = move || state.shown.get().and_then(Result::ok);
    // Most keys change neither.
    let leaks =
        Memo::new(move |_| outline().map_or(String::new(), |outline| outline.leaks.clone()));
    let claims =
        Memo::new(move |_| outline().map_or(String::new(), |outline| outline.claims.clone()));
    let total = Memo::new(move |_| outline().map_or(0, |outline| outline.total));

    Effect::new(move |_| {
        let lit = look.get();
        // What was drawn anew meanwhile is not lit yet.
        state.window.track();
        show.track();
        request_animation_frame(move || light(&lit));
    });
    let point = move |target: Option<EventTarget>| {
        if let Some(placeholder) = mark_at(target) {
            look.set(placeholder);
        }
    };
    let click = move |event: MouseEvent| {
        if mark_at(event.target()).is_some() {
            point(event.target());
        } else {
            let (x, y) = (event.client_x(), event.client_y());
            state.later.act(state, move |later| {
                if let Some(word) = (later.word_at)(x, y) {
                    picked.set(word);
                    naming.set(true);
                }
            });
        }
    };
    let lens = move || {
        let look = look.get();
        let told = state.window.with(|window| {
            let mut hidden = window.hidden.iter();
            let known = hidden.find(|(known, _)| *known == look);
            known.map(|(_, lens)| lens.clone())
        });
        let words = || match total.get() {
            0 => {
                r#"<span class="aside">Nothing in this evidence is an identifier of this profile or named by a claim.</span>"#
            }
            _ => {
                r#"<span class="aside">Point at a placeholder to see what it hides. Click any other word to hide it too.</span>"#
            }
        };
        told.unwrap_or_else(|| words().to_owned())
    };
    view! {
        <div
            class="looking"
            on:mouseover=move |event| point(event.target())
            on:focusin=move |event| point(event.target())
            on:click=click
            on:keydown=move |event| step(&event)
        >
            <div
                node_ref=scroller
                class="scrubbed"
                class:beside=switch(move || show.get() == Show::SideBySide)
                tabindex="0"
                role="group"
                aria-label=text(move || format!(
                    "Scrubbed evidence, {} replacements. The arrow keys left and right move between placeholders.",
                    total.get()
                ))
                on:scroll=move |event: Event| scrolled(state, &event)
            >
                {pieces(state, show, scroller)}
            </div>
            <div class="lens" aria-live="polite" inner_html=text(lens)></div>
            {part(move || {
                let leaks = Some(leaks.get()).filter(|leaks| !leaks.is_empty());
                leaks.map(|leaks| view! { <div class="leaks" inner_html=leaks></div> }.into_any())
            })}
            <ul
                class="removed"
                tabindex="0"
                aria-label="The claims, with the words that are taken out"
                inner_html=text(move || claims.get())
            ></ul>
        </div>
        {own_names(state, picked, naming)}
    }
    .into_any()
}

/// The fold in which words of the reader's own are hidden. What is in it is loaded when it is opened, or when a word is
/// clicked.
fn own_names(state: State, picked: RwSignal<String>, open: RwSignal<bool>) -> AnyView {
    let body = move || {
        let later = state.later;
        later.draw(move |later| (later.own_names)(state, picked))
    };
    fold("own-names", open, "Hide other words", body)
}

/// About how large a character and a line are, in pixels.
const CHARACTER: f64 = 9.0;
const LINE: f64 = 29.0;
const HEAD: f64 = 40.0;

/// How much beside the screen is drawn, in pixels.
const AROUND: f64 = 600.0;

/// About how high a piece is in so many columns.
fn height(size: Size, columns: f64) -> f64 {
    let lines = (f64::from(size.chars) / columns).max(1.0).ceil() + 0.5 * f64::from(size.lines);
    let head = if size.head { HEAD } else { 0.0 };
    lines * LINE + head
}

fn columns(width: f64) -> f64 {
    (width / CHARACTER).max(10.0)
}

/// Asks for other pieces where some of those on the screen are not drawn.
fn scrolled(state: State, event: &Event) {
    let target = event
        .target()
        .and_then(|it| it.dyn_into::<HtmlElement>().ok());
    let (Some(it), Some(Ok(outline))) = (target, state.shown.get_untracked()) else {
        return;
    };
    let (top, room) = (f64::from(it.scroll_top()), f64::from(it.client_height()));
    let columns = columns(f64::from(it.client_width()));
    let place = |at: f64| piece_at(&outline.sizes, columns, at);
    let drawn = state
        .window
        .with_untracked(|window| window.first..window.first + window.pieces.len());
    let (first, last) = (place(top), place(top + room));
    if !drawn.contains(&first) || !drawn.contains(&last) {
        let (from, to) = (place(top - AROUND), place(top + room + AROUND) + 1);
        state.look_at(from, to);
    }
}

/// The piece that stands so far from the top.
fn piece_at(sizes: &[Size], columns: f64, at: f64) -> usize {
    let mut bottom = 0.0;
    let place = sizes.iter().position(|size| {
        bottom += height(*size, columns);
        bottom > at
    });
    place.unwrap_or(sizes.len().saturating_sub(1))
}

/// The pieces that are drawn, between as much room as the others would take.
fn pieces(state: State, show: RwSignal<Show>, scroller: NodeRef<html::Div>) -> AnyView {
    let drawn = move || {
        let window = state.window.get();
        let pieces = window.pieces.iter().cloned().enumerate();
        let items = pieces.map(|(at, piece)| {
            let place = (window.first + at).to_string();
            let texts = piece.iter().map(String::as_str);
            let number = fnv1a(texts.chain([place.as_str()]));
            let draw: Item = Box::new(move || {
                let html = text(move || piece[show.get() as usize].clone());
                view! { <div class="scrubbed-span" inner_html=html></div> }.into_any()
            });
            (number, draw)
        });
        items.collect()
    };
    let room = move |before: bool| {
        let Some(Ok(outline)) = state.shown.get() else {
            return "0px".to_owned();
        };
        let width = scroller.get().map_or(600, |it| it.client_width());
        let columns = columns(f64::from(width));
        let (first, end) = state
            .window
            .with(|window| (window.first, window.first + window.pieces.len()));
        let sizes = match before {
            true => outline.sizes.get(..first),
            false => outline.sizes.get(end..),
        };
        let heights = sizes.unwrap_or_default().iter();
        let sum: f64 = heights.map(|size| height(*size, columns)).sum();
        format!("{}px", sum as u64)
    };
    let more = Memo::new(move |_| matches!(state.shown.get(), Some(Ok(outline)) if outline.more));
    view! {
        <div style:height=text(move || room(true))></div>
        {list(drawn)}
        <div style:height=text(move || room(false))></div>
        {part(move || more.get().then(|| view! {
            <p class="cut">"… the rest is scrubbed too, and not shown here"</p>
        }.into_any()))}
    }
    .into_any()
}

/// The placeholder that an event is about.
fn mark_at(target: Option<EventTarget>) -> Option<String> {
    let element = target?.dyn_into::<Element>().ok()?;
    let mark = element.closest("[data-mark]").ok()??;
    mark.get_attribute("data-mark")
}

/// Lights every place of a placeholder, and no other.
fn light(placeholder: &str) {
    for mark in elements("[data-mark]") {
        let lit = mark.get_attribute("data-mark").as_deref() == Some(placeholder);
        // A class can always be set.
        let _ = mark.class_list().toggle_with_force("lit", lit);
    }
}

fn elements(selector: &str) -> Vec<HtmlElement> {
    let Ok(list) = document().query_selector_all(selector) else {
        return Vec::new();
    };
    let nodes = (0..list.length()).filter_map(|at| list.item(at)?.dyn_into().ok());
    nodes.collect()
}

/// The arrow keys move between placeholders, so that they are one stop on the way by Tab. Up and down
/// scroll, unless a placeholder has the focus.
fn step(event: &KeyboardEvent) {
    let marks = elements(".scrubbed [role=button]");
    let focus = document().active_element();
    let at = marks
        .iter()
        .position(|mark| Some(mark.as_ref()) == focus.as_ref());
    let next = match (event.key().as_str(), at) {
        ("ArrowRight" | "ArrowDown", Some(at)) => at + 1,
        ("ArrowLeft" | "ArrowUp", Some(at)) => at.wrapping_sub(1),
        ("ArrowRight" | "ArrowLeft", None) if is_scroller(focus.as_ref()) => 0,
        _ => return,
    };
    if let Some(next) = marks.get(next) {
        event.prevent_default();
        // A mark takes the focus as long as it stands.
        let _ = next.focus();
    }
}

fn is_scroller(element: Option<&Element>) -> bool {
    element.is_some_and(|element| element.class_list().contains("scrubbed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_on_the_screen_leads_to_its_piece() {
        let size = |chars| Size {
            chars,
            lines: 0,
            head: false,
        };
        let sizes = [size(100), size(1000), size(100)];
        let at = |top| piece_at(&sizes, 50.0, top);
        assert_eq!(at(-50.0), 0);
        assert_eq!(at(2.0 * LINE - 1.0), 0);
        assert_eq!(at(2.0 * LINE + 1.0), 1);
        assert_eq!(at(22.0 * LINE + 1.0), 2);
        assert_eq!(at(1e9), 2);
        assert_eq!(piece_at(&[], 50.0, 0.0), 0);
    }
}
