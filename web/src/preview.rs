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
    glossary,
    hash::fnv1a,
    icon, keep,
    markup::Markup,
    scrubbing::{Claimed, Hidden, Leaking, Piece, Size, Stretch},
    state::State,
};

/// How the scrub is shown.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Show {
    /// As the judge gets it.
    #[default]
    Scrubbed,
    /// What was there, and the placeholder beside it.
    Merged,
    SideBySide,
}

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
                        prop:checked=move || show.get() == value
                        on:change=move |_| choose(value)
                    />
                    <span>{name}</span>
                </label>
            }
            .into_any()
        })
        .collect();
    // The scrub stands as long as there is one: where it was scrolled to stays.
    let empty = Memo::new(move |_| match state.shown.get() {
        None => Some("Scrubbing …".to_owned()),
        Some(Err(fault)) => Some(fault),
        Some(Ok(outline)) if !outline.some => {
            Some("Paste evidence, and what a judge will not see shows here as you type.".to_owned())
        }
        Some(Ok(_)) => None,
    });
    view! {
        <section class="panel preview" aria-labelledby="preview-title">
            <header>
                <h2 id="preview-title">"What the scrubbed pass sees"</h2>
                <p class="aside">"The judge is asked once without names: those that the claims rest on are taken out of the evidence."</p>
            </header>
            <div class="options" role="radiogroup" aria-label="How the scrub is shown">{options}</div>
            {move || match empty.get() {
                Some(words) => view! { <p class="empty">{words}</p> }.into_any(),
                None => scrub(state, show),
            }}
        </section>
    }
}

/// What is pointed at.
#[derive(Clone, Debug, PartialEq)]
enum Look {
    Nothing,
    /// A placeholder: all its places light up.
    Mark(String),
}

fn scrub(state: State, show: RwSignal<Show>) -> AnyView {
    let look = RwSignal::new(Look::Nothing);
    let picked = RwSignal::new(String::new());
    let scroller = NodeRef::<html::Div>::new();
    let outline = move || state.shown.get().and_then(Result::ok);
    // Most keys change neither.
    let leaking = Memo::new(move |_| {
        let outline = outline()?;
        Some((outline.leaks.clone(), outline.leaks_total))
    });
    let claimed = Memo::new(move |_| Some(outline()?.claims.clone()));
    let total = Memo::new(move |_| outline().map_or(0, |outline| outline.total));

    Effect::new(move |_| {
        let lit = match look.get() {
            Look::Mark(placeholder) => Some(placeholder),
            Look::Nothing => None,
        };
        // What was drawn anew meanwhile is not lit yet.
        state.window.track();
        show.track();
        request_animation_frame(move || light(lit.as_deref()));
    });
    let point = move |target: Option<EventTarget>| {
        if let Some(placeholder) = mark_at(target) {
            look.set(Look::Mark(placeholder));
        }
    };
    let click = move |event: MouseEvent| {
        if mark_at(event.target()).is_some() {
            point(event.target());
        } else if let Some(word) = glossary::word_at(event.client_x(), event.client_y()) {
            picked.set(word);
        }
    };
    let lens = move || {
        let mut to = Markup::default();
        let look = look.get();
        let is_told = state.window.with(|window| match &look {
            Look::Mark(placeholder) => match window.hidden.get(placeholder) {
                Some(hidden) => lens(&mut to, placeholder, hidden),
                None => false,
            },
            Look::Nothing => false,
        });
        if !is_told {
            to.html(match total.get() {
                0 => {
                    r#"<span class="aside">Nothing in this evidence is an identifier of this profile or named by a claim.</span>"#
                }
                _ => {
                    r#"<span class="aside">Point at a placeholder to see what it hides. Click any other word to hide it too.</span>"#
                }
            });
        }
        to.0
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
                class:beside=move || show.get() == Show::SideBySide
                tabindex="0"
                role="group"
                aria-label=move || format!(
                    "Scrubbed evidence, {} replacements. The arrow keys left and right move between placeholders.",
                    total.get()
                )
                on:scroll=move |event: Event| scrolled(state, &event)
            >
                {pieces(state, show, scroller)}
            </div>
            <div class="lens" aria-live="polite" inner_html=lens></div>
            {move || {
                let leaks = leaking.get().map(|(first, total)| leaks(&first, total));
                leaks.filter(|leaks| !leaks.is_empty()).map(|leaks| view! { <div class="leaks" inner_html=leaks></div> })
            }}
            <ul
                class="removed"
                tabindex="0"
                aria-label="The claims, with the words that are taken out"
                inner_html=move || claims(&claimed.get().unwrap_or_default())
            ></ul>
        </div>
        {glossary::own_names(state, picked)}
    }
    .into_any()
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
        pieces
            .map(|(at, piece)| (window.first + at, piece))
            .collect::<Vec<_>>()
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
        <div style:height=move || room(true)></div>
        <For
            each=drawn
            key=move |(at, piece)| (*at, hash(piece))
            children=move |(_, drawn)| {
                view! { <div class="scrubbed-span" inner_html=move || piece(&drawn, show.get())></div> }.into_any()
            }
        />
        <div style:height=move || room(false)></div>
        {move || more.get().then(|| view! {
            <p class="cut">"… the rest is scrubbed too, and not shown here"</p>
        })}
    }
    .into_any()
}

/// Tells pieces apart.
fn hash(piece: &Piece) -> u64 {
    let head = piece.head.as_ref();
    let source = head.iter().flat_map(|(_, source)| source);
    let texts = source.chain(&piece.text).flat_map(|stretch| {
        let what = match stretch {
            Stretch::Hidden { placeholder, .. } => placeholder,
            Stretch::Leak(_) => "leak",
            Stretch::Absent(_) | Stretch::Kept(_) => "",
        };
        [what, stretch.text()]
    });
    fnv1a(texts.chain(head.map(|(id, _)| id.as_str())))
}

/// A part of a span's text.
fn piece(piece: &Piece, show: Show) -> String {
    let mut to = Markup::default();
    let inline = if show == Show::SideBySide {
        Show::Scrubbed
    } else {
        show
    };
    if let Some((id, source)) = &piece.head {
        to.html(r#"<p class="scrubbed-head"><span class="id mono">"#);
        to.text(id);
        to.html(r#"</span><span class="source">"#);
        marks(&mut to, source, inline);
        to.html("</span></p>");
    }
    if show == Show::SideBySide {
        to.html(r#"<p class="scrubbed-text full">"#);
        for stretch in &piece.text {
            original(&mut to, stretch);
        }
        to.html("</p>");
    }
    to.html(r#"<p class="scrubbed-text">"#);
    marks(&mut to, &piece.text, inline);
    to.html("</p>");
    to.0
}

fn marks(to: &mut Markup, stretches: &[Stretch], show: Show) {
    for stretch in stretches {
        let Stretch::Hidden {
            placeholder,
            family,
            text,
        } = stretch
        else {
            original(to, stretch);
            continue;
        };
        // A button element would let a line break stand between it and the text that it touches.
        to.html(r#"<span role="button" tabindex="-1" class=""#);
        to.text(family);
        to.html(r#"" data-mark=""#);
        to.text(placeholder);
        if show == Show::Merged {
            // It reads as it stands.
            to.html(r#""><s>"#);
            to.text(text);
            to.html("</s> ");
        } else {
            to.html(r#"" aria-label=""#);
            to.text(placeholder);
            to.html(" hides ");
            to.text(text);
            to.html(r#"">"#);
        }
        to.text(placeholder);
        to.html("</span>");
    }
}

/// A stretch of the evidence as given.
fn original(to: &mut Markup, stretch: &Stretch) {
    match stretch {
        Stretch::Absent(text) | Stretch::Kept(text) => to.text(text),
        Stretch::Leak(text) => {
            to.html(r#"<mark class="leak" title="A claim’s name that is still readable">"#);
            to.text(text);
            to.html("</mark>");
        }
        Stretch::Hidden {
            placeholder,
            family,
            text,
        } => {
            to.html(r#"<span class=""#);
            to.text(family);
            to.html(r#" original" data-mark=""#);
            to.text(placeholder);
            to.html(r#"" title=""#);
            to.text(placeholder);
            to.html(r#"">"#);
            to.text(text);
            to.html("</span>");
        }
    }
}

/// What a placeholder hides, and why. There is always something to tell.
fn lens(to: &mut Markup, placeholder: &str, hidden: &Hidden) -> bool {
    to.html(r#"<span class=""#);
    to.text(&hidden.family);
    to.html(r#"">"#);
    to.text(placeholder);
    to.html(r#"</span> hides <span class="forms">"#);
    for form in &hidden.forms {
        to.html("<q>");
        to.text(&shortened(form));
        to.html("</q> ");
    }
    to.html(r#"</span><span class="aside">"#);
    to.text(&hidden.label);
    match hidden.places {
        1 => to.html(", one place: "),
        n => {
            to.html(", ");
            to.text(&n.to_string());
            to.html(" places: ");
        }
    }
    to.text(&hidden.why);
    to.html(".</span>");
    true
}

/// What is still readable; nothing where nothing is.
fn leaks(leaks: &[Leaking], total: usize) -> String {
    let mut to = Markup::default();
    if leaks.is_empty() {
        return to.0;
    }
    to.html(r#"<h3><svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d=""#);
    to.html(icon::WARNING);
    to.html(r#""></path></svg>Still readable</h3><ul>"#);
    for Leaking { term, words } in leaks {
        to.html("<li><code>");
        to.text(term);
        to.html("</code>");
        to.text(words);
        to.html("</li>");
    }
    to.html("</ul>");
    if total > leaks.len() {
        to.html(r#"<p class="aside">and "#);
        to.text(&(total - leaks.len()).to_string());
        to.html(" more</p>");
    }
    to.0
}

/// The claims, with the words behind placeholders.
fn claims(claims: &[Claimed]) -> String {
    let mut to = Markup::default();
    for claim in claims {
        let (gone, of) = (claim.gone, claim.of);
        to.html(r#"<li><span class="id mono">"#);
        to.text(&claim.id);
        to.html(match gone == of && of > 0 {
            true => r#"</span><span class="terms whole">removed "#,
            false => r#"</span><span class="terms">removed "#,
        });
        to.text(&gone.to_string());
        to.html(" of ");
        to.text(&of.to_string());
        to.html(if of == 1 { " term" } else { " terms" });
        to.html(r#"</span><span class="words">"#);
        for stretch in &claim.text {
            let is_absent = matches!(stretch, Stretch::Absent(_));
            if is_absent {
                to.html(r#"<span class="absent">"#);
            }
            original(&mut to, stretch);
            if is_absent {
                to.html(r#"<span class="aside"> (not in the evidence)</span></span>"#);
            }
        }
        to.html("</span>");
        if gone == 0 {
            to.html(r#"<span class="aside">Nothing of it is in the evidence: the scrubbed pass gets the spans redacted.</span>"#);
        }
        to.html("</li>");
    }
    to.0
}

fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The placeholder that an event is about.
fn mark_at(target: Option<EventTarget>) -> Option<String> {
    let element = target?.dyn_into::<Element>().ok()?;
    let mark = element.closest("[data-mark]").ok()??;
    mark.get_attribute("data-mark")
}

/// Lights every place of a placeholder, and no other.
fn light(placeholder: Option<&str>) {
    for mark in elements("[data-mark]") {
        let here = mark.get_attribute("data-mark");
        let lit = here.is_some() && here.as_deref() == placeholder;
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

    #[test]
    fn pieces_that_read_alike_and_hide_otherwise_differ() {
        let hidden = |placeholder: &str| Piece {
            head: None,
            text: vec![Stretch::Hidden {
                placeholder: placeholder.to_owned(),
                family: String::new(),
                text: "users".to_owned(),
            }],
        };
        let kept = Piece {
            head: None,
            text: vec![Stretch::Kept("users".to_owned())],
        };
        assert_ne!(hash(&hidden("[TABLE_1]")), hash(&hidden("[TABLE_2]")));
        assert_ne!(hash(&hidden("[TABLE_1]")), hash(&kept));
        assert_eq!(hash(&kept), hash(&kept.clone()));
    }
}
