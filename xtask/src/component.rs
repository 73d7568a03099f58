//! The WebAssembly component: the core for hosts that are not JavaScript, as target/component/claimgauge.wasm.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::step::{Outcome, cargo, once, root, run, step, target};
use crate::{pack, tools, wasm};

/// What `pip` installs to run it outside JavaScript.
pub(crate) const HOST: &str = "tests/component/requirements.txt";

/// One file has all of it, the engines for patterns and JSON Schema too: here the core is as small as it can be.
const SMALLER_CORE: [&str; 2] = [
    "--config",
    "profile.release.package.claimgauge-core.opt-level='z'",
];

/// Builds the component and returns its file.
pub(crate) fn build() -> Outcome<PathBuf> {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    once(&BUILT, make)
}

fn make() -> Outcome<PathBuf> {
    tools::for_wasm()?;
    tools::npm_packages("pkg/component")?;
    let module = step("Compile the component's module", || {
        let options = [&pack::SMALL_CORE[..], &SMALLER_CORE].concat();
        let folder = wasm::compile(&["claimgauge-component"], &options)?;
        Ok(folder.join("claimgauge_component.wasm"))
    })?;
    step("Make the component of it", || {
        let folder = target().join("component");
        let component = folder.join("claimgauge.wasm");
        let core = wasm::trap_on_panic(&module, &folder, "core")?;
        wasm::optimise(&core, &wasm::SMALL)?;
        run(
            Command::new("node")
                .arg(root().join("pkg/component/component.mjs"))
                .args([&core, &component]),
            "pkg/wit and pkg/component must fit each other: look at the message above",
        )?;
        wasm::check_places(&component)?;
        Ok(component)
    })
}

/// The interpreter of an environment that has what runs components.
pub(crate) fn python() -> Outcome<PathBuf> {
    let folder = target().join("component/python");
    step("Install wasmtime from PyPI", || {
        tools::python_packages(&folder, HOST)
    })?;
    Ok(folder.join("bin/python"))
}

/// A host on the wasmtime crate, which takes minutes to compile.
pub(crate) fn wasmtime() -> Outcome<PathBuf> {
    let folder = target().join("wasmtime");
    step("Compile a host on the wasmtime crate", || {
        run(
            cargo()
                .args(["build", "--locked", "--manifest-path"])
                .arg(root().join("tests/component/wasmtime/Cargo.toml"))
                .arg("--target-dir")
                .arg(&folder),
            "look at the compiler's message above",
        )
    })?;
    Ok(folder.join("debug/claimgauge-wasmtime"))
}
