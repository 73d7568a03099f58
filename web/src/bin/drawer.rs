//! The drawer, where the page is shared and kept: a module of its own, loaded when it is opened.

fn main() {
    claimgauge_web::start_drawer();
}
