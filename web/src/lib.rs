//! The playground: paste evidence and claims, watch the scrub, ask a judge twice, read the delta.
//!
//! A view over `claimgauge-core`: what is scrubbed, asked, retried and decided stands there. Here are
//! the panels ([`app`] lays them out), what the user typed ([`inputs`], [`state`], [`keep`]) and the
//! driver that carries the core's questions to a judge ([`run`]).
//!
//! A second panel, [`outputs`], checks what agents say they did. It is a program of its own, which
//! the page loads when the panel is opened: whoever only judges claims does not wait for it.
#![allow(
    unreachable_pub,
    reason = "the component macro makes its property structs pub"
)]

mod app;
mod browser;
mod claims;
mod copy;
mod endpoint;
mod evidence;
mod examples;
mod finding;
mod gauge;
mod icon;
mod inputs;
mod judge;
mod keep;
mod outputs;
mod preview;
mod profile;
mod recording;
mod report;
mod run;
mod state;

/// Mounts the panel of claims and evidence.
pub fn start() {
    mount(app::PLACE, app::App);
}

/// Mounts the panel that checks agents' outputs.
pub fn start_outputs() {
    mount(outputs::PLACE, outputs::App);
}

/// Puts a panel into the element of that id in place of what stands there.
fn mount<V: leptos::prelude::IntoView + 'static>(id: &str, panel: fn() -> V) {
    browser::show_panics();
    if let Some(place) = browser::clear(id) {
        leptos::mount::mount_to(place, panel).forget();
    }
}
