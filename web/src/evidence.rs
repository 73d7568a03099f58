//! The evidence: a list of spans, each with its id, its source and its text.

use leptos::prelude::*;

use crate::{
    browser,
    icon::{self, Icon},
    inputs::{Place, SpanText},
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
}

impl Row {
    pub(crate) fn new(key: usize, span: SpanText) -> Self {
        Self {
            key,
            id: RwSignal::new(span.id),
            source: RwSignal::new(span.source),
            text: RwSignal::new(span.text),
        }
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
    let add = move |_| {
        let row = state.add_span();
        browser::focus_soon(row.field("text"));
    };
    view! {
        <section class="panel" aria-labelledby="evidence-title">
            <header>
                <h2 id="evidence-title">"Evidence"</h2>
                <p class="aside">"What the claims should rest on, in pieces called spans. The first has the id S0, unless you name it."</p>
            </header>
            <ol class="spans">
                <For each=move || state.spans.get() key=|row| row.key let:row>
                    <Span state row/>
                </For>
            </ol>
            <FaultNote state place=Place::Evidence/>
            <button type="button" id="add-span" class="quiet" on:click=add>
                <Icon outline=icon::ADD/>
                "Add a span"
            </button>
        </section>
    }
}

#[component]
fn Span(state: State, row: Row) -> impl IntoView {
    let at = Memo::new(move |_| state.position(row.key));
    let place = move || Place::Span(at.get().unwrap_or(usize::MAX));
    let name = move || match row.id.get().trim() {
        "" => format!("S{}", at.get().unwrap_or(0)),
        id => id.to_owned(),
    };
    let remove = move |_| {
        let next = state.remove_span(row.key);
        browser::focus_soon(next.map_or("add-span".to_owned(), |row| row.field("text")));
    };
    let edited = move |field: RwSignal<String>, value: String| {
        field.set(value);
        state.mend(place());
        state.mend(Place::Evidence);
    };
    let label = move |what: &'static str| move || format!("{what} of span {}", name());
    view! {
        <li class="span">
            <div class="span-head">
                <label class="span-id">
                    <span>"Id"</span>
                    <input
                        class="mono"
                        type="text"
                        spellcheck="false"
                        autocomplete="off"
                        aria-label=label("Id")
                        aria-describedby=move || place().note_id()
                        aria-invalid=move || state.is_wrong(place())
                        placeholder=move || format!("S{}", at.get().unwrap_or(0))
                        prop:value=move || row.id.get()
                        on:input:target=move |event| edited(row.id, event.target().value())
                    />
                </label>
                <label class="span-source">
                    <span>"Source"</span>
                    <input
                        type="text"
                        autocomplete="off"
                        aria-label=label("Source")
                        placeholder="Optional"
                        prop:value=move || row.source.get()
                        on:input:target=move |event| edited(row.source, event.target().value())
                    />
                </label>
                <button
                    type="button"
                    class="bare"
                    aria-label=move || format!("Remove span {}", name())
                    title="Remove"
                    on:click=remove
                >
                    <Icon outline=icon::REMOVE/>
                </button>
            </div>
            <textarea
                id=row.field("text")
                rows="2"
                spellcheck="false"
                aria-label=label("Text")
                placeholder="Paste evidence here"
                prop:value=move || row.text.get()
                on:input:target=move |event| edited(row.text, event.target().value())
            ></textarea>
            {move || view! { <FaultNote state place=place()/> }}
        </li>
    }
}
