//! The playground: paste evidence and claims, watch the scrub, ask a judge twice, read the delta.
//!
//! A view over `claimgauge-core`: what is scrubbed, asked, retried and decided stands there. Here are
//! the panels ([`app`] lays them out) and what the user typed ([`inputs`], [`state`], [`keep`]). The
//! scrub for the preview ([`scrubbing`]) and the driver that carries the core's questions to a judge
//! ([`judging`]) work in workers ([`helper`]): the page is never kept from drawing. What judges is a program
//! of its own, which is loaded with the first run.
//!
//! A second panel, [`outputs`], checks what agents say they did. It is a program of its own, which
//! the page loads when the panel is opened: whoever only judges claims does not wait for it. So is the
//! [`drawer`], which holds links, files and the [`history`] of runs, and [`talk`]s with the page.
#![allow(
    unreachable_pub,
    reason = "the component macro makes its property structs pub"
)]

mod app;
mod bound;
mod browser;
mod claims;
mod copy;
mod drawer;
mod drawn;
mod drop;
mod endpoint;
mod evidence;
mod examples;
mod files;
mod finding;
mod fold;
mod gauge;
mod glossary;
mod hash;
mod helper;
mod history;
mod icon;
mod inputs;
mod json;
mod judge;
mod judging;
mod keep;
mod later;
mod markup;
mod model_file;
mod outputs;
mod own_model;
mod pieces;
mod plane;
mod planning;
mod preview;
mod profile;
mod prompts;
mod recording;
mod report;
mod run;
mod running;
mod scrubbing;
mod sight;
mod state;
mod talk;
mod thresholds;
mod undo;
mod wire;

pub use later::{Functions, Load, functions};

use leptos::prelude::*;
#[cfg(target_family = "wasm")]
use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

/// A third of the code that std's allocator is, and no slower.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: WasmDynamicTalc = new_wasm_dynamic_allocator();

/// Whether this is the page, not a worker beside it.
pub fn is_page() -> bool {
    browser::is_page()
}

/// Mounts the panel of claims and evidence. `load` is how its later part comes.
pub fn start(load: Load) {
    mount(app::PLACE, move || view! { <app::App load/> });
}

/// Mounts the panel that checks agents' outputs.
pub fn start_outputs() {
    mount(outputs::PLACE, outputs::App);
}

/// Mounts what is shared, exported and kept, in its drawer.
pub fn start_drawer() {
    mount(drawer::PLACE, drawer::App);
}

/// Scrubs for the preview: hears inputs, or what of their scrub is looked at, and tells what the page
/// shows of it.
pub fn scrub(message: &str) {
    if let Some(asked) = scrubbing::Asked::read(message) {
        helper::tell_text(&scrubbing::written(&scrubbing::answer(asked)));
    }
}

/// Judges: hears what to run, tells what comes of it.
pub fn judge(message: &str) {
    if let Ok(asked) = serde_json::from_str(message) {
        judging::receive(asked);
    }
}

/// Puts a panel into the element of that id in place of what stands there.
fn mount<V: IntoView + 'static>(id: &str, panel: impl FnOnce() -> V + 'static) {
    if let Some(place) = browser::clear(id) {
        leptos::mount::mount_to(place, panel).forget();
    }
}
