//! `cargo xtask bench`: how good and how fast things are.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::step::{self, Failure, Outcome, at, cargo, root, run_and_read, step, target};
use crate::{gates, pack, tools};

/// Where the scripts lie, and where the packages that the scrubber is compared with are named.
const BENCH: &str = "tests/bench";

/// What they are compared with from PyPI.
const REQUIREMENTS: &str = "tests/bench/requirements.txt";

/// The scrubber: its quality, its speed natively and through the npm package, its peers' on the same
/// text. Whether no gate is missed.
pub(crate) fn scrub(verbose: bool) -> Outcome<bool> {
    let folder = target().join("bench");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let mut figures = Vec::new();
    step("Quality of the scrubber", || {
        let verbose = verbose.then_some("--verbose");
        measure(binary("check_scrub", &[]).args(verbose), &mut figures)
    })?;
    step("Speed of the scrubber, native", || {
        let mut command = binary("bench_scrub", &["--release"]);
        measure(command.arg(&folder), &mut figures)
    })?;
    let package = pack::build()?;
    peers(&folder)?;
    step(
        "Speed of the scrubber through npm, and of its peers",
        || {
            let mut command = script("scrub.mjs", &package, &folder)?;
            measure(&mut command, &mut figures)
        },
    )?;
    step("Gates on speed", || gates::bench(&figures))
}

/// The built-in judge: its quality on the labelled claims, and how long a claim on 10 KB takes it through the
/// npm package. Whether no gate is missed.
pub(crate) fn builtin(verbose: bool) -> Outcome<bool> {
    let folder = target().join("bench");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let mut figures = Vec::new();
    step("Quality of the built-in judge", || {
        let verbose = verbose.then_some("--verbose");
        let mut command = binary("bench_builtin", &["--release"]);
        measure(command.arg(&folder).args(verbose), &mut figures)
    })?;
    let package = pack::build()?;
    step("Speed of the built-in judge through npm", || {
        let mut command = script("builtin.mjs", &package, &folder)?;
        measure(&mut command, &mut figures)
    })?;
    step("Gates on speed", || gates::bench(&figures))
}

/// Fits the built-in judge's weights anew and writes them to the core.
pub(crate) fn weights() -> Outcome {
    let hint = "look at the message above";
    let (text, succeeded) = run_and_read(&mut binary("fit_builtin", &["--release"]), hint)?;
    if !succeeded {
        return Err(Failure::new("the weights could not be fitted", hint));
    }
    let file = root().join("core/src/builtin/weights.rs");
    fs::write(&file, text).map_err(at(&file))
}

/// The check of outputs: the shape natively and through the npm package, large files and many small ones.
/// Whether no gate is missed.
pub(crate) fn output() -> Outcome<bool> {
    let folder = target().join("bench");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let mut figures = Vec::new();
    step("Speed of the check of outputs, native", || {
        let mut command = binary("bench_output", &["--release"]);
        measure(command.arg(&folder), &mut figures)
    })?;
    let package = pack::build()?;
    step("Speed of the check of outputs through npm", || {
        let mut command = script("output.mjs", &package, &folder)?;
        measure(&mut command, &mut figures)
    })?;
    step("Gates on speed", || gates::bench(&figures))
}

/// Batches of a million claims, or as many as `CLAIMGAUGE_CLAIMS` says: processor time and memory. Whether no gate
/// is missed.
pub(crate) fn batch() -> Outcome<bool> {
    let folder = target().join("bench");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let mut figures = Vec::new();
    let package = pack::build()?;
    step(
        "Plan, answer and merge (10 GB on the disk, and minutes)",
        || {
            let mut command = script("batch.mjs", &package, &folder)?;
            measure(&mut command, &mut figures)
        },
    )?;
    step("Gates on speed and memory", || gates::bench(&figures))
}

/// A real judge on labelled claims. What it answered stays in a folder, so that an interrupted run goes on.
pub(crate) fn judge() -> Outcome {
    let folder = target().join("bench/judge");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let package = pack::build()?;
    step(
        "Judge labelled claims (500 MB the first time, and hours on a small machine)",
        || {
            let mut command = script("judge.mjs", &package, &folder)?;
            step::run(
                &mut command,
                "look at the message above; the same command goes on from there",
            )
        },
    )
}

/// Runs a benchmark and takes the lines `figure NAME=FIGURE` from what it prints.
fn measure(command: &mut Command, figures: &mut Vec<String>) -> Outcome {
    let hint = "look at the message above";
    let (text, succeeded) = run_and_read(command, hint)?;
    if !succeeded {
        return Err(Failure::new("a benchmark did not end well", hint));
    }
    let found = text.lines().filter_map(|line| line.strip_prefix("figure "));
    figures.extend(found.map(str::to_owned));
    Ok(())
}

/// A script in Node that measures the package.
fn script(name: &str, package: &Path, folder: &Path) -> Outcome<Command> {
    tools::node()?;
    let mut command = Command::new("node");
    command
        .arg(root().join(BENCH).join(name))
        .arg(package)
        .arg(folder);
    Ok(command)
}

fn binary(name: &str, options: &[&str]) -> Command {
    let mut command = cargo();
    command
        .args(["run", "--quiet", "--package", "claimgauge-tests"])
        .args(options)
        .args(["--bin", name, "--"]);
    command
}

/// Installs the peers: from npm beside their package.json, from PyPI in an environment of their own.
/// Where there is no Python, or no package to be had, the rest is measured all the same.
fn peers(folder: &Path) -> Outcome {
    step("Install the peers from npm", || tools::npm_packages(BENCH))?;
    let installed = step("Install the peers from PyPI (60 MB the first time)", || {
        tools::python_packages(&folder.join("venv"), REQUIREMENTS)
    });
    if let Err(failure) = installed {
        eprintln!("\nNot compared with the peers from PyPI.\n{failure}");
    }
    Ok(())
}
