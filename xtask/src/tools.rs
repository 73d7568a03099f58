//! What must be installed, and installing it: Rust targets and components, Node, packages from npm, a
//! browser.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{self, Failure, Outcome, ask, at, root, run};

/// The oldest Node that runs the tools and the package.
const NODE: (u32, u32) = (20, 19);

/// Names under which a Chromium is found, in the order of preference.
const BROWSERS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// Sees to all that a wasm build needs.
pub(crate) fn for_wasm() -> Outcome {
    step::step("Look for the tools of a wasm build", || {
        node()?;
        rust_target("wasm32-unknown-unknown")?;
        link()?;
        npm_packages("xtask")
    })
}

/// Fails unless a Node that is new enough is there.
pub(crate) fn node() -> Outcome {
    let hint = format!(
        "install Node {}.{} or newer with npm (nodejs.org, or the system's package manager)",
        NODE.0, NODE.1
    );
    let Some(version) = ask(Command::new("node").arg("--version")) else {
        return Err(Failure::new("Node was not found", hint));
    };
    let mut parts = version
        .trim_start_matches('v')
        .split('.')
        .map(|part| part.parse().ok());
    let found = (
        parts.next().flatten().unwrap_or(0),
        parts.next().flatten().unwrap_or(0),
    );
    if found < NODE {
        return Err(Failure::new(format!("Node {version} is too old"), hint));
    }
    if ask(Command::new("npm").arg("--version")).is_none() {
        return Err(Failure::new("npm was not found beside Node", hint));
    }
    println!("    Node {version}");
    Ok(())
}

/// Adds a compilation target to the toolchain in use unless it is there.
pub(crate) fn rust_target(target: &str) -> Outcome {
    let libraries = ask(Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .current_dir(root()));
    if libraries.is_some_and(|path| Path::new(&path).is_dir()) {
        println!("    Rust target {target}");
        return Ok(());
    }
    run(
        Command::new("rustup")
            .args(["target", "add", target])
            .current_dir(root()),
        &format!("install the Rust target {target}; with rustup: `rustup target add {target}`"),
    )
}

/// Adds a component to the toolchain in use unless `there` says that it is there.
pub(crate) fn rust_component(component: &str, there: bool) -> Outcome {
    if there {
        return Ok(());
    }
    run(
        Command::new("rustup")
            .args(["component", "add", component])
            .current_dir(root()),
        &format!("install it; with rustup: `rustup component add {component}`"),
    )
}

/// Links this binary under the names of the tools that it plays.
pub(crate) fn link() -> Outcome {
    let xtask = env::current_exe().map_err(at(Path::new("xtask")))?;
    let folder = bin();
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    for name in ["wasm-bindgen", "wasm-bindgen-test-runner"] {
        let link = folder.join(name).with_extension(env::consts::EXE_EXTENSION);
        if fs::read_link(&link).is_ok_and(|to| to == xtask) {
            continue;
        }
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link).map_err(at(&link))?;
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(&xtask, &link).map_err(at(&link))?;
        #[cfg(not(unix))]
        fs::copy(&xtask, &link).map(drop).map_err(at(&link))?;
    }
    Ok(())
}

/// The generator that [`link`] put in place.
pub(crate) fn wasm_bindgen() -> Command {
    Command::new(bin().join("wasm-bindgen"))
}

/// Installs exactly what the folder's package-lock.json names, unless that is what is installed. Nothing that the
/// packages bring along for their installation is run.
pub(crate) fn npm_packages(folder: &str) -> Outcome {
    install(&root().join(folder), &[])
}

/// The same in another folder than the one with the package-lock.json, without what is optional.
pub(crate) fn npm_packages_in(folder: &Path, from: &str) -> Outcome {
    fs::create_dir_all(folder).map_err(at(folder))?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        let from = root().join(from).join(name);
        fs::copy(&from, folder.join(name)).map_err(at(&from))?;
    }
    install(folder, &["--omit=optional"])
}

fn install(folder: &Path, options: &[&str]) -> Outcome {
    let lock = folder.join("package-lock.json");
    let wanted = fs::read(&lock).map_err(at(&lock))?;
    let stamp = folder.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run(
        Command::new("npm")
            .args(["ci", "--ignore-scripts", "--no-progress"])
            .args(options)
            .current_dir(folder),
        "look at npm's message above; the packages come from the network at the first start",
    )?;
    fs::create_dir_all(folder.join("node_modules")).map_err(at(folder))?;
    fs::write(&stamp, wanted).map_err(at(&stamp))
}

/// A program that came with the packages of a folder.
pub(crate) fn npm_program(folder: &str, name: &str) -> Command {
    Command::new(root().join(folder).join("node_modules/.bin").join(name))
}

/// A virtual environment with exactly what a file of requirements names, unless that is what it has.
pub(crate) fn python_packages(venv: &Path, requirements: &str) -> Outcome {
    let requirements = root().join(requirements);
    let wanted = fs::read(&requirements).map_err(at(&requirements))?;
    let stamp = venv.join("installed.txt");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    if venv.exists() {
        fs::remove_dir_all(venv).map_err(at(venv))?;
    }
    let python = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    run(
        Command::new(python).args(["-m", "venv"]).arg(venv),
        "install Python 3.11 or newer with venv (on Debian: python3-venv), or name one in PYTHON",
    )?;
    let installed = run(
        Command::new(venv.join("bin/python"))
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "-r",
            ])
            .arg(&requirements),
        "look at pip's message above; the packages come from the network at the first start",
    );
    if installed.is_err() {
        fs::remove_dir_all(venv).map_err(at(venv))?;
        return installed;
    }
    fs::write(&stamp, wanted).map_err(at(&stamp))
}

/// The browser of the tests: what `CHROMIUM` names, one that is found, or Debian's, installed when
/// that is allowed.
pub(crate) fn chromium() -> Outcome<PathBuf> {
    if let Some(named) = env::var_os("CHROMIUM") {
        return Ok(named.into());
    }
    if let Some(found) = BROWSERS.iter().find_map(|name| in_path(name)) {
        return Ok(found);
    }
    let hint = "install Chromium (on Debian: `apt-get install chromium`), or name one in CHROMIUM";
    let root_user = ask(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    if !root_user || in_path("apt-get").is_none() {
        return Err(Failure::new("no Chromium was found", hint));
    }
    let apt = |args: &[&str]| {
        run(
            Command::new("apt-get")
                .args(args)
                .env("DEBIAN_FRONTEND", "noninteractive"),
            hint,
        )
    };
    apt(&["update", "-qq"])?;
    // Without a font every letter in a screenshot is a box; what else Debian recommends is for desktops.
    apt(&[
        "install",
        "-y",
        "-qq",
        "--no-install-recommends",
        "chromium",
        "fonts-liberation",
    ])?;
    in_path("chromium").ok_or_else(|| Failure::new("the installed Chromium was not found", hint))
}

fn bin() -> PathBuf {
    step::target().join("tools/bin")
}

fn in_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}
