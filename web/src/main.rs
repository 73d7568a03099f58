//! The playground: the first panel, and in a worker the scrub of its preview.
//!
//! Both are needed at once and have much in common, so that one program is a tenth less to load than two.

use wasm_bindgen::prelude::wasm_bindgen;

fn main() {
    if claimgauge_web::is_page() {
        claimgauge_web::start();
    }
}

/// In the worker: hears what the page says.
#[wasm_bindgen]
pub fn receive(message: &str) {
    claimgauge_web::scrub(message);
}
