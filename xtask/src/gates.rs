//! Comparing figures with the gates of `tests/gates.json`. The comparison, and the measuring of the
//! scrubber's quality, are the test crate's; here the sizes of what was built are taken, and what the
//! benchmarks printed is handed on.

use std::path::Path;
use std::process::Command;

use crate::step::{Failure, Outcome, cargo, root, run_and_read};

/// Compares sizes and quality. A page that was not built is not measured.
pub(crate) fn test(package: &Path, component: &Path, site: Option<&Path>) -> Outcome<bool> {
    let hint = "the package and the page must be built: look at the message above";
    let (sizes, measured) = run_and_read(
        Command::new("node")
            .arg(root().join("xtask/gate-sizes.mjs"))
            .args([package, component])
            .args(site),
        hint,
    )?;
    if !measured {
        return Err(Failure::new("the sizes could not be taken", hint));
    }
    compare("test", sizes.split_whitespace())
}

/// Compares what the benchmarks printed.
pub(crate) fn bench(figures: &[String]) -> Outcome<bool> {
    compare("bench", figures.iter().map(String::as_str))
}

/// Whether no gate of `by` is missed by the figures, each a `NAME=FIGURE`.
fn compare<'a>(by: &str, figures: impl Iterator<Item = &'a str>) -> Outcome<bool> {
    let mut command = cargo();
    command
        .args(["run", "--quiet", "--package", "claimgauge-tests"])
        .args(["--bin", "gates", "--", by])
        .args(figures);
    let (_, met) = run_and_read(&mut command, "look at the message above")?;
    Ok(met)
}
