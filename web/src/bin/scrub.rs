//! The scrub of the preview: a program that works apart from the page.

use wasm_bindgen::prelude::wasm_bindgen;

fn main() {
    claimgauge_web::start_helper();
}

/// Hears what the page says.
#[wasm_bindgen]
pub fn receive(message: &str) {
    claimgauge_web::scrub(message);
}
