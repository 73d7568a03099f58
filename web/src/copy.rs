//! Taking a result away.

use leptos::{html, prelude::*, task::spawn_local};

use crate::{
    browser,
    icon::{self, Icon},
};

/// A form in which a result is taken away: its name, and how it is written.
pub(crate) type Form = (&'static str, Box<dyn Fn() -> String>);

/// A button for each form, and a field to copy from by hand where the browser does not let a page
/// do it.
#[component]
pub(crate) fn Copies(forms: Vec<Form>) -> impl IntoView {
    let told = RwSignal::new(String::new());
    let by_hand = RwSignal::new(None::<String>);
    let field = NodeRef::<html::Textarea>::new();
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            field.select();
            // A field that cannot take the focus can still be clicked.
            let _ = field.focus();
        }
    });
    let buttons: Vec<_> = forms
        .into_iter()
        .map(|(name, write)| {
            let copy = move |_| {
                let text = write();
                spawn_local(async move {
                    if browser::copy(&text).await {
                        by_hand.set(None);
                        told.set(format!("The {name} was copied."));
                    } else {
                        by_hand.set(Some(text));
                        told.set(format!(
                            "The {name} is below, selected: copy it from there."
                        ));
                    }
                });
            };
            view! {
                <button type="button" class="quiet small" on:click=copy>
                    <Icon outline=icon::COPY/>
                    {format!("Copy {name}")}
                </button>
            }
        })
        .collect();
    view! {
        <div class="copies">
            {buttons}
            <p class="aside" role="status">{move || told.get()}</p>
        </div>
        {move || by_hand.get().map(|text| view! {
            <textarea node_ref=field class="mono by-hand" rows="8" readonly aria-label="Text to copy" prop:value=text></textarea>
        })}
    }
}
