//! The panel that checks agents' outputs: a module of its own, loaded when the panel is opened.

fn main() {
    claimgauge_web::start_outputs();
}
