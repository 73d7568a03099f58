//! Icons: outlines on a grid of 20, in the colour of the text beside them.

use claimgauge_core::decide::{Recommendation, Status};
use leptos::prelude::*;

pub(crate) const ADD: &str = "M10 4v12M4 10h12";
pub(crate) const CANCEL: &str = "M5.5 5.5h9v9h-9z";
pub(crate) const COPY: &str = "M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7";
pub(crate) const DOWN: &str = "M10 4v12M5 11l5 5l5-5";
pub(crate) const FOLDER: &str = "M2.5 4.5h5l1.8 2H17.5v9.5h-15z";
pub(crate) const REMOVE: &str = "M5.5 5.5l9 9M14.5 5.5l-9 9";
pub(crate) const RUN: &str = "M6 3.8v12.4L16.2 10z";
pub(crate) const UNDO: &str = "M7.5 4L3.5 8l4 4M4 8h8a4 4 0 0 1 0 8h-4";
pub(crate) const REDO: &str = "M12.5 4l4 4l-4 4M16 8H8a4 4 0 0 0 0 8h4";
pub(crate) const SHARE: &str = "M10 12V3M6.5 6L10 2.5L13.5 6M5.5 9.5h-2v7h13v-7h-2";
pub(crate) const UP: &str = "M10 16V4M5 9l5-5l5 5";
pub(crate) const WARNING: &str = "M10 2.4L18.4 17H1.6zM10 8v4.2M10 14.4v.3";

pub(crate) const CHECK: &str =
    "M10 1.7a8.3 8.3 0 1 0 0 16.6a8.3 8.3 0 1 0 0-16.6M6.2 10.3l2.7 2.7l5-5.6";
pub(crate) const QUESTION: &str = "M10 1.7a8.3 8.3 0 1 0 0 16.6a8.3 8.3 0 1 0 0-16.6M7.7 7.8a2.3 2.3 0 1 1 3.3 2.1c-.7.4-1 .8-1 1.7M10 14v.3";
const SEARCH: &str = "M8.5 2.5a6 6 0 1 0 0 12a6 6 0 1 0 0-12M13 13l4.7 4.7";
pub(crate) const STOP: &str =
    "M6.6 1.8h6.8l4.8 4.8v6.8l-4.8 4.8H6.6l-4.8-4.8V6.6zM7 7l6 6M13 7l-6 6";
/// A later one stands before it.
pub(crate) const LAYERS: &str = "M3 7.5h9.5V17H3zM7 7.5V3.5h10V13h-4.5";
pub(crate) const SKIPPED: &str = "M10 1.7a8.3 8.3 0 1 0 0 16.6a8.3 8.3 0 1 0 0-16.6M6 10h8";
/// Taken as told.
pub(crate) const SPEECH: &str = "M2.5 3.5h15v10H10l-4 3.5v-3.5H2.5z";

const WAVE: &str =
    "M10 1.7a8.3 8.3 0 1 0 0 16.6a8.3 8.3 0 1 0 0-16.6M5.8 10.9c1.4-2 2.8-2 4.2-.9s2.8 1.1 4.2-.9";

/// The icon of that outline; words stand beside it, so it is hidden from screen readers.
#[component]
pub(crate) fn Icon(outline: &'static str) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
            <path d=outline></path>
        </svg>
    }
}

pub(crate) fn of_status(status: Status) -> &'static str {
    match status {
        Status::Inconclusive => QUESTION,
        Status::Plausible => WAVE,
        Status::Suspicious => WARNING,
        Status::Unsupported => STOP,
        Status::Verified => CHECK,
    }
}

pub(crate) fn of_recommendation(recommendation: Recommendation) -> &'static str {
    match recommendation {
        Recommendation::GatherMoreEvidence => SEARCH,
        Recommendation::Proceed => CHECK,
        Recommendation::ProceedWithWarnings => WARNING,
        Recommendation::Stop => STOP,
    }
}
