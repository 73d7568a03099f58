//! Comparing figures with the gates of `tests/gates.json`. The comparison, and the measuring of the
//! scrubber's quality, are the test crate's; here the sizes of what was built are taken, and what the
//! benchmarks printed is handed on.

use std::path::Path;
use std::process::Command;

use crate::step::{Failure, Outcome, root, run_and_read, tests_program};

/// Compares sizes and quality. A page that was not built is not measured.
pub(crate) fn test(package: &Path, component: &Path, site: Option<&Path>) -> Outcome<bool> {
    let mut found = sizes(package, component, site)?;
    if site.is_none() {
        found.push("playground_brotli:this run has not built the page".to_owned());
    }
    compare("test", &found)
}

/// The sizes that have a gate, each a `NAME=FIGURE`.
pub(crate) fn sizes(package: &Path, component: &Path, site: Option<&Path>) -> Outcome<Vec<String>> {
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
    Ok(sizes.split_whitespace().map(str::to_owned).collect())
}

/// Whether no gate of `which` is missed: of one benchmark or of the tests, by the name in `tests/gates.json`, or of
/// `all`. What was found is `NAME=FIGURE`, or `NAME:REASON` where there is no figure.
pub(crate) fn compare(which: &str, found: &[String]) -> Outcome<bool> {
    let mut command = tests_program("gates")?;
    command.arg(which).args(found);
    let (_, met) = run_and_read(&mut command, "look at the message above")?;
    Ok(met)
}
