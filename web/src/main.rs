//! The playground.

fn main() {
    claimgauge_web::start();
}
