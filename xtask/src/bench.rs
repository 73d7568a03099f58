//! `cargo xtask bench`: how fast things are.

use crate::step::{Outcome, cargo, run, step};

/// Builds the scrubber's benchmark in release and runs it.
pub(crate) fn scrub() -> Outcome {
    step("Benchmark: scrub", || {
        run(
            cargo().args([
                "run",
                "--release",
                "--package",
                "claimgauge-tests",
                "--bin",
                "bench_scrub",
            ]),
            "look at what the compiler says above",
        )
    })
}
