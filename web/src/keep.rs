//! What is typed survives a reload. Keys are in no value that is kept.

use serde::{Serialize, de::DeserializeOwned};

use crate::browser;

/// Where the browser keeps the inputs of each panel. The number is their format's.
pub(crate) const CLAIMS: &str = "claimgauge.playground.1";
pub(crate) const OUTPUTS: &str = "claimgauge.outputs.1";
/// How the scrub is shown.
pub(crate) const PREVIEW: &str = "claimgauge.preview.1";
/// Whether runs are kept.
const RUNS: &str = "claimgauge.runs.1";

/// Whether runs are kept: unless somebody has said no.
pub(crate) fn keeps_runs() -> bool {
    load(RUNS).unwrap_or(true)
}

/// Keeps runs from now on, or no more; whether the browser remembers that.
pub(crate) fn set_keeps_runs(keeps: bool) -> bool {
    store(RUNS, &keeps)
}

/// What was typed the last time, where there is anything and it can be read.
pub(crate) fn load<T: DeserializeOwned>(key: &str) -> Option<T> {
    serde_json::from_str(&load_text(key)?).ok()
}

/// The same, as text.
pub(crate) fn load_text(key: &str) -> Option<String> {
    browser::storage()?.get_item(key).ok()?
}

/// Keeps a panel's inputs; whether that worked: there may be no room.
pub(crate) fn store(key: &str, inputs: &impl Serialize) -> bool {
    let text = serde_json::to_string(inputs);
    text.is_ok_and(|text| store_text(key, &text))
}

/// The same, of inputs that are JSON already.
pub(crate) fn store_text(key: &str, inputs: &str) -> bool {
    browser::storage().is_some_and(|storage| storage.set_item(key, inputs).is_ok())
}
