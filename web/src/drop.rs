//! A place that files are dropped on.

use leptos::prelude::*;
use web_sys::{DataTransfer, DragEvent};

use crate::bound::switch;

/// Shows that it would take what is dragged over it, and hands `dropped` what is dropped. What it does not take
/// is the browser's, which opens a file unless the page says that it wants it.
#[component]
pub(crate) fn DropTarget(
    #[prop(default = "drop-target")] class: &'static str,
    takes: fn(&DragEvent) -> bool,
    dropped: impl Fn(Option<DataTransfer>) + 'static,
    children: Children,
) -> impl IntoView {
    let over = RwSignal::new(false);
    let drag = move |event: DragEvent| {
        if takes(&event) {
            event.prevent_default();
            over.set(true);
        }
    };
    let drop = move |event: DragEvent| {
        over.set(false);
        if takes(&event) {
            event.prevent_default();
            dropped(event.data_transfer());
        }
    };
    view! {
        <div
            class=class
            class:over=switch(move || over.get())
            on:dragover=drag
            on:dragleave=move |_| over.set(false)
            on:drop=drop
        >
            {children()}
        </div>
    }
}
