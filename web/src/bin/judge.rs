//! Runs and their judges: a program that works apart from the page, started with the first run.

use wasm_bindgen::prelude::wasm_bindgen;

fn main() {}

/// Hears what the page says.
#[wasm_bindgen]
pub fn receive(message: &str) {
    claimgauge_web::judge(message);
}
