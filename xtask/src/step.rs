//! Running things: each step says what it does and how long it took, and a failure says what failed
//! and what to do.

use std::env;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// What a command of this crate comes to.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// What failed and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) what: String,
    pub(crate) hint: String,
}

impl Failure {
    pub(crate) fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        let (what, hint) = (what.into(), hint.into());
        Self { what, hint }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FAILED: {}\n  What to do: {}", self.what, self.hint)
    }
}

/// Does `work` under a heading and prints how long it took, whether it failed or not.
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    println!("\n==> {name}");
    let start = Instant::now();
    let result = work();
    println!("    took {:.1} s: {name}", start.elapsed().as_secs_f64());
    result
}

/// Builds something when it is first asked for: several steps of a run, one after the other, have need of it.
pub(crate) fn once(
    built: &OnceLock<PathBuf>,
    build: impl FnOnce() -> Outcome<PathBuf>,
) -> Outcome<PathBuf> {
    match built.get() {
        Some(path) => Ok(path.clone()),
        None => build().map(|path| built.get_or_init(|| path).clone()),
    }
}

/// Does `work` with each of `items`, as many at a time as there are cores: most of what makes a module keeps one core
/// busy. What takes longest should be first.
pub(crate) fn at_once<T: Sync>(items: &[T], work: impl Fn(&T) -> Outcome + Sync) -> Outcome {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let begun = AtomicUsize::new(0);
    let worker = || {
        while let Some(item) = items.get(begun.fetch_add(1, Ordering::Relaxed)) {
            // What is begun is ended, and no more is begun.
            work(item).inspect_err(|_| begun.store(items.len(), Ordering::Relaxed))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let mut ended = workers.into_iter().map(|worker| worker.join());
        ended.try_for_each(|ended| ended.expect("what panics ends the run"))
    })
}

/// Runs a command with its output shown as it comes.
pub(crate) fn run(command: &mut Command, hint: &str) -> Outcome {
    let line = shown(command);
    println!("    $ {line}");
    let status = telling(&in_short(&line), || command.status())
        .map_err(|error| not_started(command, &error, hint))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(
        format!("`{}` ended with {status}", shown(command)),
        hint,
    ))
}

/// A command line's first words, and the last file that it names; of what is kept of a module, the module's name.
fn in_short(line: &str) -> String {
    const MODULE: &str = ".wasm";
    let name = |word: &'_ str| {
        let name = word.rsplit('/').next().unwrap_or_default();
        let end = name.find(MODULE).map(|at| at + MODULE.len());
        name[..end.unwrap_or(name.len())].to_owned()
    };
    let mut words = line.split(' ');
    let mut short: Vec<_> = words.by_ref().take(2).map(name).collect();
    short.extend(words.rfind(|word| word.contains('/')).map(name));
    short.join(" ")
}

/// Does `work`, and says every half minute that it goes on: compilers and optimisers are silent for minutes.
fn telling<T>(about: &str, work: impl FnOnce() -> T) -> T {
    const PAUSE: Duration = Duration::from_secs(30);
    let start = Instant::now();
    let (done, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                println!("    … {} s: {about}", start.elapsed().as_secs());
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Runs a command and returns what it wrote to stdout, shown as it comes, and whether it succeeded.
pub(crate) fn run_and_read(command: &mut Command, hint: &str) -> Outcome<(String, bool)> {
    println!("    $ {}", shown(command));
    let failed = |command: &Command, error| not_started(command, &error, hint);
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(command, error))?;
    let mut text = String::new();
    let stdout = child.stdout.take().expect("stdout was asked for as a pipe");
    for line in BufReader::new(stdout).split(b'\n') {
        let line = line.map_err(|error| failed(command, error))?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        text.push_str(&line);
        text.push('\n');
    }
    let status = child.wait().map_err(|error| failed(command, error))?;
    Ok((text, status.success()))
}

/// Runs a command without showing its output; `None` when it cannot be started or fails.
pub(crate) fn ask(command: &mut Command) -> Option<String> {
    let Output { status, stdout, .. } = command.stdin(Stdio::null()).output().ok()?;
    status
        .success()
        .then(|| String::from_utf8_lossy(&stdout).trim().to_owned())
}

/// The inner cargo. What the outer `cargo run` tells about xtask must not reach the build scripts of
/// other crates.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new("cargo");
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH"].contains(&&*text)
            || text.starts_with("CARGO_PKG_")
        {
            command.env_remove(name);
        }
    }
    command.current_dir(root());
    command
}

/// A program of the tests' crate. Built as a part of the workspace, as the suites are: by itself the core and all
/// that it depends on would be compiled once more, with fewer features.
pub(crate) fn tests_program(name: &str) -> Outcome<Command> {
    run(
        cargo()
            .args(["build", "--quiet", "--workspace", "--exclude", "xtask"])
            .args(["--bin", name]),
        "look at the compiler's message above",
    )?;
    let mut command = Command::new(cargo_target().join("debug").join(name));
    command.current_dir(root());
    Ok(command)
}

/// A file operation's failure, with the place.
pub(crate) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Failure + '_ {
    move |error| {
        Failure::new(
            format!("{}: {error}", path.display()),
            "look whether it exists, may be written, and the disk has room",
        )
    }
}

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder of the repository")
}

/// Where cargo keeps what it makes.
pub(crate) fn cargo_target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(target, |folder| root().join(folder))
}

/// Where the commands put what they make, wherever cargo keeps its own.
pub(crate) fn target() -> PathBuf {
    root().join("target")
}

fn not_started(command: &Command, error: &std::io::Error, hint: &str) -> Failure {
    Failure::new(
        format!("`{}` could not be run: {error}", shown(command)),
        hint,
    )
}

/// The command line as one would type it, with paths from the repository's root.
fn shown(command: &Command) -> String {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let line = words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ");
    line.replace(&format!("{}/", root().display()), "")
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn work_at_once_is_all_done_or_has_failed() {
        let done = Mutex::new(Vec::new());
        let work = |item: &u32| {
            done.lock().expect("nobody panicked").push(*item);
            match item {
                7 => Err(Failure::new("seven", "none")),
                _ => {
                    thread::sleep(Duration::from_millis(1));
                    Ok(())
                }
            }
        };
        assert!(at_once(&[1, 2, 3, 4, 5], work).is_ok());
        let mut all = std::mem::take(&mut *done.lock().expect("nobody panicked"));
        all.sort_unstable();
        assert_eq!(all, [1, 2, 3, 4, 5]);

        let failed = at_once(&[vec![7], vec![0; 500]].concat(), work);
        assert_eq!(failed.expect_err("one failed").what, "seven");
        assert!(done.lock().expect("nobody panicked").len() < 501);
        assert!(at_once(&[], work).is_ok());
    }

    #[test]
    fn something_is_built_once() {
        let built = OnceLock::new();
        assert!(once(&built, || Err(Failure::new("no", "none"))).is_err());
        for path in ["a", "b"] {
            let first = once(&built, || Ok(path.into())).expect("it is built");
            assert_eq!(first, Path::new("a"));
        }
    }

    #[test]
    fn a_command_line_in_short() {
        for (line, short) in [
            (
                "xtask/node_modules/.bin/wasm-opt -Oz a/b.wasm -o c/d.wasm --x",
                "wasm-opt -Oz d.wasm",
            ),
            (
                "bin/wasm-opt -Oz b.wasm -o c/b.wasm-Oz--x.out",
                "wasm-opt -Oz b.wasm",
            ),
            ("cargo build --release", "cargo build"),
            ("node", "node"),
        ] {
            assert_eq!(in_short(line), short);
        }
    }
}
