//! Prints the built-in judge's weights as the fit gives them: `cargo xtask weights` writes this to the core.

use claimgauge_tests::claims::{KNOWN, fit, read_all, samples, weights_file};

fn main() {
    print!("{}", weights_file(&fit(&samples(&read_all(&KNOWN)))));
}
