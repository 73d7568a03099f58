//! The playground: paste evidence and claims, watch the scrub, ask a judge twice, read the delta.
//!
//! A view over `claimgauge-core`: what is scrubbed, asked, retried and decided stands there. Here are
//! the panels ([`app`] lays them out), what the user typed ([`inputs`], [`state`], [`keep`]) and the
//! driver that carries the core's questions to a judge ([`run`]).
#![allow(
    unreachable_pub,
    reason = "the component macro makes its property structs pub"
)]

mod app;
mod browser;
mod claims;
mod endpoint;
mod evidence;
mod examples;
mod finding;
mod gauge;
mod icon;
mod inputs;
mod judge;
mod keep;
mod preview;
mod profile;
mod recording;
mod report;
mod run;
mod state;

/// Puts the page into the document's `main` element in place of what stands there.
pub fn start() {
    browser::show_panics();
    let Some(place) = browser::clear("app") else {
        return;
    };
    leptos::mount::mount_to(place, app::App).forget();
}
