//! The evidence: a list of spans, each with its id, its source and its text.

use leptos::{
    ev::{Event, KeyboardEvent},
    prelude::*,
};
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::{
    bound::{Item, given, list, mark, part, pressed, text},
    browser, files,
    icon::{self, Icon},
    inputs::{Place, SpanText},
    pieces::by_position,
    state::{FaultNote, State},
};

/// One span while it is edited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// Tells rows apart when others come and go.
    pub(crate) key: usize,
    pub(crate) id: RwSignal<String>,
    pub(crate) source: RwSignal<String>,
    pub(crate) text: RwSignal<String>,
    /// How many spans the pasted text seems to hold, where the user may take it apart.
    pub(crate) offer: RwSignal<usize>,
}

impl Row {
    pub(crate) fn new(key: usize, span: SpanText) -> Self {
        Self {
            key,
            id: RwSignal::new(span.id),
            source: RwSignal::new(span.source),
            text: RwSignal::new(span.text),
            offer: RwSignal::new(0),
        }
    }

    /// The row with another span in it.
    pub(crate) fn fill(self, span: SpanText) -> Self {
        let fields = [
            (self.id, span.id),
            (self.source, span.source),
            (self.text, span.text),
        ];
        for (field, value) in fields {
            if field.with_untracked(|former| *former != value) {
                field.set(value);
                self.offer.set(0);
            }
        }
        self
    }

    /// What stands in it.
    pub(crate) fn span(&self) -> SpanText {
        SpanText {
            id: self.id.get(),
            source: self.source.get(),
            text: self.text.get(),
        }
    }

    fn field(&self, name: &str) -> String {
        format!("span-{}-{name}", self.key)
    }
}

/// The list, and how to add to it.
#[component]
pub(crate) fn Evidence(state: State) -> impl IntoView {
    let add = move || {
        if let Some(row) = state.add_span() {
            browser::focus_soon(row.field("text"));
        }
    };
    let pick = move |event: Event| files::picked(&event, |picked| files::take(state, picked));
    view! {
        <section class="panel" aria-labelledby="evidence-title">
            <header>
                <h2 id="evidence-title">"Evidence"</h2>
                <p class="aside">"What the claims should rest on, in pieces called spans. The first has the id S0, unless you name it."</p>
            </header>
            <ol class="spans">
                {list(move || {
                    let rows = state.spans.get().into_iter();
                    let items = rows.map(|row| {
                        let draw: Item = Box::new(move || view! { <Span state row/> }.into_any());
                        (row.key as u64, draw)
                    });
                    items.collect()
                })}
            </ol>
            <FaultNote state place=Place::Evidence/>
            <div class="run-buttons">
                <button type="button" id="add-span" class="quiet" on:click=pressed(add)>
                    <Icon outline=icon::ADD/>
                    "Add a span"
                </button>
                <label class="quiet file">
                    <Icon outline=icon::FOLDER/>
                    "Add files"
                    <input type="file" id="add-files" multiple on:change=pick/>
                </label>
                <p class="aside keys">"Or drop them anywhere."</p>
            </div>
        </section>
    }
}

#[component]
fn Span(state: State, row: Row) -> impl IntoView {
    let at = Memo::new(move |_| state.position(row.key).unwrap_or(0));
    let place = move || Place::Span(at.get());
    let name = move || match row.id.get().trim() {
        "" => by_position(at.get()),
        id => id.to_owned(),
    };
    let is_first = move || at.get() == 0;
    let is_last = move || state.spans.with(|rows| at.get() + 1 >= rows.len());
    let remove = move || {
        let next = state.remove_span(at.get_untracked());
        browser::focus_soon(next.map_or("add-span".to_owned(), |row| row.field("text")));
    };
    // The focus goes along, to the same field of the span's new row.
    let shift = move |up: bool, field: &str| {
        let at = at.get_untracked();
        let to = if up { at.checked_sub(1) } else { Some(at + 1) };
        let last = state.spans.with_untracked(Vec::len);
        if let Some(row) = to
            .filter(|to| *to < last)
            .and_then(|to| state.move_span(at, to))
        {
            browser::focus_soon(row.field(field));
        }
    };
    let keys = move |event: KeyboardEvent| {
        let up = match event.key().as_str() {
            "ArrowUp" => true,
            "ArrowDown" => false,
            _ => return,
        };
        let target = event.target().and_then(|it| it.dyn_into::<Element>().ok());
        if let (true, Some(target)) = (event.alt_key(), target) {
            event.prevent_default();
            let id = target.id();
            shift(up, id.rsplit('-').next().unwrap_or_default());
        }
    };
    let edited = move |field: RwSignal<String>, value: String| {
        field.set(value);
        state.mend(place());
        state.mend(Place::Evidence);
    };
    let pasted = StoredValue::new(false);
    let typed = move |value: String| {
        if pasted.get_value() || row.offer.get_untracked() > 0 {
            pasted.set_value(false);
            edited(row.text, value);
            state
                .later
                .act(state, move |later| (later.offer_split)(row));
            return;
        }
        edited(row.text, value);
    };
    let split = move || {
        let at = at.get_untracked();
        state.later.act(state, move |later| {
            (later.split_span)(state, at);
            browser::focus_soon(row.field("text"));
        });
    };
    let label = move |what: &'static str| text(move || format!("{what} of span {}", name()));
    view! {
        <li class="span" on:keydown=keys>
            <div class="span-head">
                <label class="span-id">
                    <span>"Id"</span>
                    <input
                        id=row.field("id")
                        class="mono"
                        type="text"
                        spellcheck="false"
                        autocomplete="off"
                        aria-label=label("Id")
                        aria-describedby=text(move || place().note_id())
                        aria-invalid=mark(move || state.is_wrong(place()))
                        placeholder=text(move || by_position(at.get()))
                        prop:value=text(move || row.id.get())
                        on:input=given(move |value| edited(row.id, value))
                    />
                </label>
                <label class="span-source">
                    <span>"Source"</span>
                    <input
                        id=row.field("source")
                        type="text"
                        autocomplete="off"
                        aria-label=label("Source")
                        placeholder="Optional"
                        prop:value=text(move || row.source.get())
                        on:input=given(move |value| edited(row.source, value))
                    />
                </label>
                <div class="span-buttons">
                    <button
                        type="button"
                        id=row.field("up")
                        class="bare move"
                        aria-label=text(move || format!("Move span {} up", name()))
                        aria-disabled=mark(is_first)
                        title="Move up (Alt ↑)"
                        on:click=pressed(move || shift(true, "up"))
                    >
                        <Icon outline=icon::UP/>
                    </button>
                    <button
                        type="button"
                        id=row.field("down")
                        class="bare move"
                        aria-label=text(move || format!("Move span {} down", name()))
                        aria-disabled=mark(is_last)
                        title="Move down (Alt ↓)"
                        on:click=pressed(move || shift(false, "down"))
                    >
                        <Icon outline=icon::DOWN/>
                    </button>
                    <button
                        type="button"
                        id=row.field("remove")
                        class="bare"
                        aria-label=text(move || format!("Remove span {}", name()))
                        title="Remove"
                        on:click=pressed(remove)
                    >
                        <Icon outline=icon::REMOVE/>
                    </button>
                </div>
            </div>
            <textarea
                id=row.field("text")
                rows="2"
                spellcheck="false"
                aria-label=label("Text")
                placeholder="Paste evidence here"
                prop:value=text(move || row.text.get())
                on:paste=move |_| pasted.set_value(true)
                on:input=given(typed)
            ></textarea>
            <div class="offer" role="status">
                {part(move || Some(row.offer.get()).filter(|number| *number > 0).map(|number| view! {
                    <p>{format!("This text seems to hold {number} spans.")}</p>
                    <button type="button" class="quiet small split" on:click=pressed(split)>
                        "Split it"
                    </button>
                    <button type="button" class="quiet small" on:click=pressed(move || row.offer.set(0))>
                        "Leave it as it is"
                    </button>
                }.into_any()))}
            </div>
            {part(move || Some(view! { <FaultNote state place=place()/> }.into_any()))}
        </li>
    }
}
