//! What checks of outputs add up to. A collection is plain data that its caller keeps.

use claimgauge_convert::{Refusal, give, take, to_json};
use claimgauge_core::fields;
use claimgauge_core::metrics::{Event, Metrics};
use wasm_bindgen::prelude::*;

/// The event, if it is one.
#[wasm_bindgen(js_name = metricsEvent)]
pub fn metrics_event(event: JsValue) -> Result<JsValue, Refusal> {
    let event: Event = take(event, &fields::EVENT, "event")?;
    let mut metrics = Metrics::default();
    metrics.record(event)?;
    give(&metrics.recent(1).collect::<Vec<_>>())
}

/// What a snapshot of metrics adds up to, as JSON text.
#[wasm_bindgen(js_name = metricsAggregates)]
pub fn metrics_aggregates(snapshot: JsValue) -> Result<String, Refusal> {
    Ok(to_json(&metrics(snapshot, "snapshot")?.aggregates()))
}

/// How another snapshot fares beside one.
#[wasm_bindgen(js_name = metricsCompare)]
pub fn metrics_compare(snapshot: JsValue, other: JsValue) -> Result<JsValue, Refusal> {
    let other = metrics(other, "other")?;
    give(&metrics(snapshot, "snapshot")?.compare(&other))
}

/// Two snapshots in one.
#[wasm_bindgen(js_name = metricsMerge)]
pub fn metrics_merge(snapshot: JsValue, other: JsValue) -> Result<JsValue, Refusal> {
    let mut merged = metrics(snapshot, "snapshot")?;
    merged.merge(metrics(other, "other")?);
    give(&merged)
}

fn metrics(snapshot: JsValue, name: &str) -> Result<Metrics, Refusal> {
    take(snapshot, &fields::METRICS, name)
}
