//! Everything that must hold, in steps: a step that fails does not stop the others.
//!
//! The last line is `N passed, N failed, N skipped`: the sums of what the runners of the tests
//! reported, plus one failed for each other check that did not hold and one skipped for each that
//! could not be made.

use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::time::Instant;
use std::{fmt, fs, thread};

use crate::step::{self, Failure, Outcome, ask, at, cargo, root, run_and_read, target};
use crate::{component, docs, gates, pack, serve, supply, tools, web};

/// In the order in which they run: what is quick and often wrong first.
const STEPS: [Step; 10] = [
    check("format", "Formatting (rustfmt)", format),
    check("supply", "What the project is built from", supply),
    check("lint", "Lints (clippy)", lint),
    check("docs", "The libraries' documentation (rustdoc)", docs),
    tests("rust", "Rust tests", rust),
    check("wasm32", "The core for wasm32", wasm32),
    check("bare-metal", "The core without std", bare_metal),
    tests("package", "The packed npm package", package),
    tests(
        "e2e",
        "The playground and the documentation in Chromium",
        e2e,
    ),
    check(
        "gates",
        "The gates on sizes and on the scrubber's quality",
        gates,
    ),
];

/// What the sample for Ray in docs/batches.md runs on.
const RAY: &str = "tests/package/requirements-ray.txt";

/// The page that this run has built.
static SITE: OnceLock<PathBuf> = OnceLock::new();

type Run = fn(Asked<'_>) -> Outcome<Counts>;

/// What of a step is to be done.
#[derive(Clone, Copy)]
struct Asked<'a> {
    /// Only the tests whose names contain this.
    tests: Option<&'a str>,
    /// What is too heavy for each run, too.
    all: bool,
}

struct Step {
    name: &'static str,
    about: &'static str,
    runs_tests: bool,
    run: Run,
}

/// What the runners reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Counts {
    const NONE: Self = Self {
        passed: 0,
        failed: 0,
        skipped: 0,
    };
    const FAILED: Self = Self {
        failed: 1,
        ..Self::NONE
    };
    const SKIPPED: Self = Self {
        skipped: 1,
        ..Self::NONE
    };
}

/// Runs all steps, or the one of that name, or the tests whose names contain `filter`; with `all` also what is too
/// heavy for each run.
pub(crate) fn run(filter: Option<&str>, all: bool) -> ExitCode {
    let one_step = STEPS.iter().any(|step| Some(step.name) == filter);
    let tests = filter.filter(|_| !one_step);
    let wanted = |step: &&Step| match filter {
        None => true,
        Some(name) if one_step => step.name == name,
        Some(_) => step.runs_tests,
    };

    let mut sum = Counts::NONE;
    let mut lines = Vec::new();
    for step in STEPS.iter().filter(wanted) {
        let start = Instant::now();
        let counts =
            step::step(step.about, || (step.run)(Asked { tests, all })).unwrap_or_else(|failure| {
                eprintln!("\n{failure}");
                Counts::FAILED
            });
        let how = match counts {
            Counts { failed: 1.., .. } => "FAILED",
            Counts::SKIPPED => "SKIPPED",
            _ => "ok",
        };
        let seconds = start.elapsed().as_secs_f64();
        lines.push(format!(
            "{:<12}{how:<9}{seconds:>7.1} s   {counts}",
            step.name
        ));
        sum += counts;
    }
    if tests.is_some() && sum == Counts::NONE {
        eprintln!("\nNo test's name contains {:?}.", tests.unwrap_or_default());
        sum.failed = 1;
    }

    println!("\n{}\n\n{sum}", lines.join("\n"));
    if sum.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

const fn check(name: &'static str, about: &'static str, run: Run) -> Step {
    let runs_tests = false;
    Step {
        name,
        about,
        runs_tests,
        run,
    }
}

const fn tests(name: &'static str, about: &'static str, run: Run) -> Step {
    let runs_tests = true;
    Step {
        name,
        about,
        runs_tests,
        run,
    }
}

fn format(_: Asked<'_>) -> Outcome<Counts> {
    tools::rust_component("rustfmt", ask(cargo().args(["fmt", "--version"])).is_some())?;
    step::run(
        cargo().args(["fmt", "--all", "--check"]),
        "run `cargo fmt --all`",
    )?;
    Ok(Counts::NONE)
}

/// The list of what is shipped is written, too. `cargo deny` would take longer to install than all of this.
fn supply(_: Asked<'_>) -> Outcome<Counts> {
    supply::check()?;
    let list = supply::list_of_materials()?;
    println!("    {}", list.display());
    if !supply::deny()? {
        println!("    cargo deny is not installed: bans were not looked at");
    }
    Ok(Counts::NONE)
}

/// xtask by itself: its dependencies would otherwise be built again with the features that the
/// other packages ask for.
fn lint(_: Asked<'_>) -> Outcome<Counts> {
    tools::rust_component(
        "clippy",
        ask(cargo().args(["clippy", "--version"])).is_some(),
    )?;
    tools::rust_target("wasm32-unknown-unknown")?;
    for which in [
        &["--workspace", "--exclude", "xtask", "--all-targets"][..],
        &["-p", "xtask", "--all-targets"],
        &[
            "-p",
            "claimgauge-core",
            "--target",
            "wasm32-unknown-unknown",
        ],
    ] {
        step::run(
            cargo()
                .arg("clippy")
                .args(which)
                .args(["--", "-D", "warnings"]),
            "mend what clippy names, or allow it at its place with the reason",
        )?;
    }
    Ok(Counts::NONE)
}

/// A name in the documentation that leads nowhere is an error.
fn docs(_: Asked<'_>) -> Outcome<Counts> {
    step::run(
        cargo()
            .args(["doc", "--no-deps", "-p", "claimgauge-core"])
            .args(["-p", "claimgauge-patterns", "-p", "claimgauge-schema"])
            .env("RUSTDOCFLAGS", "-D warnings"),
        "mend what rustdoc names",
    )?;
    Ok(Counts::NONE)
}

fn rust(Asked { tests, .. }: Asked<'_>) -> Outcome<Counts> {
    let mut sum = Counts::NONE;
    for which in [&["--workspace", "--exclude", "xtask"][..], &["-p", "xtask"]] {
        let mut command = cargo();
        command
            .args(["test", "--no-fail-fast"])
            .args(which)
            .args(tests);
        sum += counted(&mut command, tests, cargo_counts)?;
    }
    Ok(sum)
}

/// What the package's modules show as well, minutes later.
fn wasm32(_: Asked<'_>) -> Outcome<Counts> {
    tools::rust_target("wasm32-unknown-unknown")?;
    step::run(
        cargo()
            .args(["check", "-p", "claimgauge-core"])
            .args(["--target", "wasm32-unknown-unknown"]),
        "the core must build where there is no operating system",
    )?;
    Ok(Counts::NONE)
}

/// A target for which no std exists: what uses it, in the core or below, fails here. The core library is
/// built from source, in a folder of its own: the switch would have the host's build scripts run again.
fn bare_metal(_: Asked<'_>) -> Outcome<Counts> {
    let sysroot = ask(Command::new("rustc")
        .args(["--print", "sysroot"])
        .current_dir(root()));
    let source =
        PathBuf::from(sysroot.unwrap_or_default()).join("lib/rustlib/src/rust/library/core");
    if let Err(failure) = tools::rust_component("rust-src", source.is_dir()) {
        eprintln!("\nSKIPPED: the check of the core without std.\n{failure}");
        return Ok(Counts::SKIPPED);
    }
    step::run(
        cargo()
            .args([
                "check",
                "-p",
                "claimgauge-core",
                "-Z",
                "build-std=core,alloc",
            ])
            .args(["--target", "thumbv7em-none-eabi", "--target-dir"])
            .arg(target().join("bare-metal"))
            .env("RUSTC_BOOTSTRAP", "1"),
        "the core and what it depends on must do without std: look at the features in core/Cargo.toml",
    )?;
    Ok(Counts::NONE)
}

/// The tests get the packed file in `CLAIMGAUGE_TARBALL`, what native code makes of random calls in
/// `CLAIMGAUGE_CALLS`, the list of what is shipped in `CLAIMGAUGE_MATERIALS`, the component in `CLAIMGAUGE_COMPONENT`,
/// the browser in `CHROMIUM`,
/// and in `CLAIMGAUGE_PYTHON`, with `--all` in `CLAIMGAUGE_WASMTIME`, too, what runs it elsewhere.
fn package(Asked { tests, all }: Asked<'_>) -> Outcome<Counts> {
    let mut files = test_files("tests/package")?;
    files.extend(test_files("tests/component")?);
    let tarball = pack::pack()?;
    let calls = step::step("Make random calls natively", random_calls)?;
    let component = component::build()?;
    let python = component::python()?;
    let chromium = step::step("Look for Chromium", tools::chromium)?;
    let frameworks = target().join("frameworks");
    step::step(
        "Install the frameworks that are large (400 MB the first time)",
        || tools::npm_packages_in(&frameworks, "tests/frameworks"),
    )?;
    let ray = all.then(ray).flatten();
    let materials = supply::list_of_materials()?;
    let mut given = vec![
        ("CLAIMGAUGE_TARBALL", tarball.as_path()),
        ("CLAIMGAUGE_CALLS", calls.as_path()),
        ("CLAIMGAUGE_MATERIALS", materials.as_path()),
        ("CLAIMGAUGE_COMPONENT", component.as_path()),
        ("CLAIMGAUGE_PYTHON", python.as_path()),
        ("CHROMIUM", chromium.as_path()),
        ("CLAIMGAUGE_FRAMEWORKS", frameworks.as_path()),
    ];
    given.extend(ray.as_deref().map(|ray| ("CLAIMGAUGE_RAY", ray)));
    let wasmtime = all.then(component::wasmtime).transpose()?;
    given.extend(
        wasmtime
            .iter()
            .map(|host| ("CLAIMGAUGE_WASMTIME", host.as_path())),
    );
    // As many files at a time as there are cores, one more than Node would run: much of it waits.
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    node_tests(files, tests, &given, Some(at_once))
}

/// The interpreter of an environment that has Ray, where it can be had: the test says what is missing.
fn ray() -> Option<PathBuf> {
    let folder = target().join("package/ray");
    let install = || tools::python_packages(&folder, RAY);
    match step::step("Install Ray from PyPI (600 MB on the disk)", install) {
        Ok(()) => Some(folder.join("bin/python")),
        Err(failure) => {
            eprintln!("\n{failure}");
            None
        }
    }
}

fn random_calls() -> Outcome<PathBuf> {
    let file = target().join("random-calls.jsonl");
    let out = fs::File::create(&file).map_err(at(&file))?;
    step::run(
        step::tests_program("random_calls")?.stdout(out),
        "look at what it says above",
    )?;
    Ok(file)
}

/// The tests get the served page's address in `CLAIMGAUGE_SITE`, the documentation's folder in `CLAIMGAUGE_DOCS` and
/// the browser in `CHROMIUM`.
fn e2e(Asked { tests, .. }: Asked<'_>) -> Outcome<Counts> {
    let files = test_files("tests/e2e")?;
    let folder = web::build()?;
    let site = serve::start(&folder, serve::Port::Asked(0))?;
    SITE.get_or_init(|| folder);
    let docs = docs::build()?;
    let chromium = step::step("Look for Chromium", tools::chromium)?;
    let given = [
        ("CLAIMGAUGE_SITE", Path::new(&site.address)),
        ("CLAIMGAUGE_DOCS", &docs),
        ("CHROMIUM", &chromium),
    ];
    node_tests(files, tests, &given, None)
}

/// The package is built again, which takes no time where it is the last one; the page is measured where
/// this run has built it.
fn gates(_: Asked<'_>) -> Outcome<Counts> {
    let met = gates::test(
        &pack::build()?,
        &component::build()?,
        SITE.get().map(PathBuf::as_path),
    )?;
    Ok(if met { Counts::NONE } else { Counts::FAILED })
}

fn node_tests(
    files: Vec<PathBuf>,
    tests: Option<&str>,
    given: &[(&str, &Path)],
    files_at_once: Option<usize>,
) -> Outcome<Counts> {
    tools::node()?;
    tools::npm_packages("tests")?;
    let mut command = Command::new("node");
    command.args(["--test", "--test-reporter=spec", "--test-timeout=600000"]);
    if let Some(count) = files_at_once {
        command.arg(format!("--test-concurrency={count}"));
    }
    if let Some(part) = tests {
        command.arg(format!("--test-name-pattern={}", literal(part)));
    }
    command
        .args(files)
        .envs(given.iter().copied())
        .current_dir(root());
    counted(&mut command, tests, node_counts)
}

/// Every `*.test.mjs` in a folder. They are named one by one, as what `node --test` makes of a folder
/// differs from version to version.
fn test_files(folder: &str) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(at(&folder))? {
            let path = entry.map_err(at(&folder))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".test.mjs") {
                files.push(path);
            }
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Failure::new(
            format!("{folder} has no *.test.mjs"),
            "put tests there, or take the step out of xtask/src/test.rs",
        ));
    }
    Ok(files)
}

/// Runs a runner and reads its counts. One that fails without a failed test (it did not compile, it
/// crashed) counts as one failed; one that ran no test though all were asked for has failed too.
fn counted(
    command: &mut Command,
    tests: Option<&str>,
    read: fn(&str) -> Counts,
) -> Outcome<Counts> {
    let hint = "look at the first failure above";
    let (text, succeeded) = run_and_read(command, hint)?;
    let mut counts = read(&text);
    if tests.is_some() {
        // Node 20 reports the tests that were not asked for as skipped.
        counts.skipped = 0;
    }
    if !succeeded && counts.failed == 0 {
        eprintln!(
            "\n{}",
            Failure::new("the test runner ended before its tests did", hint)
        );
        counts.failed = 1;
    }
    if counts == Counts::NONE && tests.is_none() {
        return Err(Failure::new(
            "no test was found",
            "put tests where this step looks for them",
        ));
    }
    Ok(counts)
}

/// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; …`, once for each
/// test binary.
fn cargo_counts(text: &str) -> Counts {
    let mut sum = Counts::NONE;
    for line in text
        .lines()
        .filter_map(|line| line.strip_prefix("test result: "))
    {
        let number = |what: &str| {
            let before = line.split(what).next().unwrap_or_default();
            before
                .rsplit(' ')
                .next()
                .and_then(|word| word.parse().ok())
                .unwrap_or(0)
        };
        sum += Counts {
            passed: number(" passed;"),
            failed: number(" failed;"),
            skipped: number(" ignored;"),
        };
    }
    sum
}

/// `ℹ pass 3`, one line for each kind, at the end.
fn node_counts(text: &str) -> Counts {
    let number = |what: &str| {
        let mut numbers = text
            .lines()
            .filter_map(|line| line.strip_prefix("ℹ ")?.strip_prefix(what));
        numbers
            .next_back()
            .and_then(|rest| rest.trim().parse().ok())
            .unwrap_or(0)
    };
    Counts {
        passed: number("pass "),
        failed: number("fail ") + number("cancelled "),
        skipped: number("skipped ") + number("todo "),
    }
}

/// A pattern for Node that matches exactly this text.
fn literal(text: &str) -> String {
    let escaped = |c: char| {
        if "\\^$.|?*+()[]{}/".contains(c) {
            format!("\\{c}")
        } else {
            c.into()
        }
    };
    text.chars().map(escaped).collect()
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_cargo() {
        let text = "running 3 tests\n\
            test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s\n\
            test result: ok. 10 passed; 0 failed; 4 ignored; 0 measured; 7 filtered out; finished in 0.1s\n";
        assert_eq!(
            cargo_counts(text),
            Counts {
                passed: 12,
                failed: 1,
                skipped: 4
            }
        );
        assert_eq!(cargo_counts("error: could not compile"), Counts::NONE);
    }

    #[test]
    fn counts_of_node() {
        let text = "✔ a (1ms)\nℹ tests 7\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\n\
            ℹ skipped 1\nℹ todo 1\nℹ duration_ms 9\n";
        assert_eq!(
            node_counts(text),
            Counts {
                passed: 3,
                failed: 2,
                skipped: 2
            }
        );
    }

    #[test]
    fn a_filter_is_no_pattern() {
        assert_eq!(literal("a.b (c)"), "a\\.b \\(c\\)");
    }
}
