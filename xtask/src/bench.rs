//! `cargo xtask bench`: how good and how fast things are, beside the gates of `tests/gates.json`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{self, Failure, Outcome, at, cargo, root, run_and_read, step, target};
use crate::{component, gates, pack, tools, web};

/// Where the scripts lie, and where the packages that the scrubber is compared with are named.
const BENCH: &str = "tests/bench";

/// Where the largest of them is named, with what else the suites test with and is large.
const FRAMEWORKS: &str = "tests/frameworks";

/// What they are compared with from PyPI.
const REQUIREMENTS: &str = "tests/bench/requirements.txt";

/// What compares itself with gates, by the name that tests/gates.json has for it; what takes long is last.
const MEASURED: [(&str, Measure); 5] = [
    ("tokens", tokens),
    ("builtin", builtin),
    ("scrub", scrub),
    ("output", output),
    ("batch", batch),
];

/// Measures, and adds to what was found.
type Measure = fn(&mut Found, verbose: bool) -> Outcome;

/// `NAME=FIGURE` for each gate that was measured, `NAME:REASON` for one that was not.
type Found = Vec<String>;

/// Measures everything that has a gate, and prints all gates in one table. What fails does not stop the rest, and is
/// the reason that stands beside its gates. Whether nothing failed and no gate is missed.
pub(crate) fn all(verbose: bool) -> Outcome<bool> {
    let mut found = Found::new();
    let mut failed = false;
    let mut note = |found: &mut Found, name: &str, outcome: Outcome| {
        if let Err(failure) = outcome {
            eprintln!("\n{failure}");
            found.push(format!("{name}:{}", failure.what));
            failed = true;
        }
    };
    let outcome = sizes(&mut found);
    note(&mut found, "test", outcome);
    for (name, measure) in MEASURED {
        let outcome = measure(&mut found, verbose);
        note(&mut found, name, outcome);
    }
    let met = step("All gates", || gates::compare("all", &found))?;
    Ok(met && !failed)
}

/// Measures one of them, and prints its gates. Whether none is missed.
pub(crate) fn one(name: &str, verbose: bool) -> Outcome<bool> {
    let mut found = Found::new();
    for (_, measure) in MEASURED.iter().filter(|(measured, _)| *measured == name) {
        measure(&mut found, verbose)?;
    }
    step("Gates", || gates::compare(name, &found))
}

/// What people download.
fn sizes(found: &mut Found) -> Outcome {
    let (package, component) = (pack::build()?, component::build()?);
    let site = web::build()?;
    found.extend(gates::sizes(&package, &component, Some(&site))?);
    Ok(())
}

/// The scrubber: its quality, its speed natively and through the npm package, its peers' on the same text.
fn scrub(found: &mut Found, verbose: bool) -> Outcome {
    let folder = folder()?;
    step("Quality of the scrubber", || {
        let verbose = verbose.then_some("--verbose");
        measure(binary("check_scrub", &[]).args(verbose), found)
    })?;
    step("Speed of the scrubber, native", || {
        let mut command = binary("bench_scrub", &["--release"]);
        measure(command.arg(&folder), found)
    })?;
    let package = pack::build()?;
    peers(&folder)?;
    step(
        "Speed of the scrubber through npm, and of its peers",
        || measure(&mut script("scrub.mjs", &package, &folder)?, found),
    )
}

/// The built-in judge: its quality on the labelled claims, and how long a claim on 10 KB takes it through the
/// npm package.
fn builtin(found: &mut Found, verbose: bool) -> Outcome {
    let folder = folder()?;
    step("Quality of the built-in judge", || {
        let verbose = verbose.then_some("--verbose");
        let mut command = binary("bench_builtin", &["--release"]);
        measure(command.arg(&folder).args(verbose), found)
    })?;
    let package = pack::build()?;
    step("Speed of the built-in judge through npm", || {
        measure(&mut script("builtin.mjs", &package, &folder)?, found)
    })
}

/// The check of outputs: the shape natively and through the npm package, large files and many small ones.
fn output(found: &mut Found, _: bool) -> Outcome {
    let folder = folder()?;
    step("Speed of the check of outputs, native", || {
        let mut command = binary("bench_output", &["--release"]);
        measure(command.arg(&folder), found)
    })?;
    let package = pack::build()?;
    step("Speed of the check of outputs through npm", || {
        measure(&mut script("output.mjs", &package, &folder)?, found)
    })
}

/// What a claim costs of a judge: calls and prompt tokens, the package's and its peers', counted by the server that
/// they ask.
fn tokens(found: &mut Found, _: bool) -> Outcome {
    let frameworks = target().join("frameworks");
    let package = pack::build()?;
    step("Install the peers from npm", || tools::npm_packages(BENCH))?;
    let installed = step("Install promptfoo (400 MB the first time)", || {
        tools::npm_packages("tests")?;
        tools::npm_packages_in(&frameworks, FRAMEWORKS)
    });
    if let Err(failure) = installed {
        eprintln!("\nNot compared with promptfoo.\n{failure}");
    }
    step("Calls and prompt tokens a claim", || {
        measure(&mut script("tokens.mjs", &package, &frameworks)?, found)
    })
}

/// Batches of a million claims, or as many as `CLAIMGAUGE_CLAIMS` says: processor time and memory.
fn batch(found: &mut Found, _: bool) -> Outcome {
    let folder = folder()?;
    let package = pack::build()?;
    step(
        "Plan, answer and merge (10 GB on the disk, and minutes)",
        || measure(&mut script("batch.mjs", &package, &folder)?, found),
    )
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

/// Runs a benchmark and takes the lines `figure NAME=FIGURE` and `no figure NAME:REASON` from what it prints, also of
/// one that then fails.
fn measure(command: &mut Command, found: &mut Found) -> Outcome {
    let hint = "look at the message above";
    let (text, succeeded) = run_and_read(command, hint)?;
    let lines = text.lines().filter_map(|line| {
        let line = line.strip_prefix("no ").unwrap_or(line);
        line.strip_prefix("figure ")
    });
    found.extend(lines.map(str::to_owned));
    if !succeeded {
        return Err(Failure::new("a benchmark did not end well", hint));
    }
    Ok(())
}

/// Where the benchmarks put what they make.
fn folder() -> Outcome<PathBuf> {
    let folder = target().join("bench");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    Ok(folder)
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
