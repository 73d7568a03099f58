//! The playground: the first panel, and in a worker the scrub of its preview.
//!
//! Both are needed at once and have much in common, so that one program is a tenth less to load than two.

use claimgauge_web::Functions;
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use wasm_bindgen::prelude::wasm_bindgen;

fn main() {
    if claimgauge_web::is_page() {
        claimgauge_web::start(|| Box::pin(async { later().await.ok() }));
    }
}

/// What only this reaches is a part that is loaded later. It stands here, and not in the library, as every program
/// that has the way into it has the part, too.
#[wasm_split(later, fallible, wasm_split_path = leptos::wasm_split)]
fn later() -> Result<Functions, SplitLoaderError> {
    Ok(claimgauge_web::functions())
}

/// In the worker: hears what the page says.
#[wasm_bindgen]
pub fn receive(message: &str) {
    claimgauge_web::scrub(message);
}
