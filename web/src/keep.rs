//! What is typed survives a reload. Keys are no part of [`Inputs`] and so never kept.

use leptos::prelude::*;

use crate::{browser, inputs::Inputs, state::State};

/// Where the browser keeps the inputs. The number is their format's.
const KEY: &str = "claimgauge.playground.1";

/// What was typed the last time, where there is anything and it can be read.
pub(crate) fn load() -> Option<Inputs> {
    let text = browser::storage()?.get_item(KEY).ok()??;
    serde_json::from_str(&text).ok()
}

/// Keeps the inputs whenever they have settled, and tells the page whether that worked: there may be
/// no room.
pub(crate) fn keep(state: State) {
    Effect::new(move |_| {
        let text = state.settled.with(serde_json::to_string);
        let kept = text
            .ok()
            .zip(browser::storage())
            .is_some_and(|(text, storage)| storage.set_item(KEY, &text).is_ok());
        state.kept.set(kept);
    });
}
