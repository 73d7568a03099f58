//! What is folded away: its body is drawn only while it is open. A page of findings has twice as much
//! folded as it shows.

use leptos::{ev::Event, prelude::*};
use wasm_bindgen::JsCast;

use crate::bound::{part, switch};

/// Details whose body is drawn while they are open, as `open` tells and is told.
pub(crate) fn fold(
    class: &'static str,
    open: RwSignal<bool>,
    summary: impl IntoView,
    body: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    // Told again what it knows, it does not draw its body anew.
    let is_open = Memo::new(move |_| open.get());
    let toggled = move |event: Event| {
        let details = event
            .target()
            .and_then(|it| it.dyn_into::<web_sys::Element>().ok());
        open.set(details.is_some_and(|details| details.has_attribute("open")));
    };
    view! {
        <details class=class prop:open=switch(move || is_open.get()) on:toggle=toggled>
            <summary>{summary.into_any()}</summary>
            {part(move || is_open.get().then(&body))}
        </details>
    }
    .into_any()
}
