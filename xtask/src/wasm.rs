//! From a crate to a small wasm module with its JavaScript.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Outcome, cargo, root, run, target};
use crate::tools;

/// Compiles a package in release and returns the module that cargo wrote.
pub(crate) fn compile(package: &str, file: &str) -> Outcome<PathBuf> {
    run(
        cargo().args([
            "build",
            "--release",
            "--target",
            "wasm32-unknown-unknown",
            "-p",
            package,
        ]),
        "look at the compiler's message above",
    )?;
    let cargo_target = env::var_os("CARGO_TARGET_DIR").map_or_else(target, |dir| root().join(dir));
    Ok(cargo_target
        .join("wasm32-unknown-unknown/release")
        .join(file))
}

/// Writes a module's JavaScript, and the module that fits it, as `NAME.js` and `NAME_bg.wasm`.
///
/// `options` are wasm-bindgen's own: the target, whether types are written.
pub(crate) fn bindgen(module: &Path, folder: &Path, name: &str, options: &[&str]) -> Outcome {
    run(
        tools::wasm_bindgen()
            .arg(module)
            .arg("--out-dir")
            .arg(folder)
            .args([
                "--out-name",
                name,
                "--remove-name-section",
                "--remove-producers-section",
            ])
            .args(options),
        "look at the message above; where it names a schema version, Cargo.toml and \
         xtask/Cargo.toml must name the same version of wasm-bindgen",
    )
}

/// Makes a module smaller in place and prints its sizes. No feature flags: the module names what it
/// uses, and with all features on wasm-opt writes types that Node 20 refuses.
pub(crate) fn optimise(module: &Path, level: &str) -> Outcome {
    run(
        tools::npm_program("xtask", "wasm-opt")
            .arg(level)
            .arg(module)
            .arg("-o")
            .arg(module),
        "remove xtask/node_modules and try again",
    )?;
    run(
        Command::new("node")
            .arg(root().join("xtask/sizes.mjs"))
            .arg(module),
        "the module is not valid for this Node: look at wasm-opt's version and flags",
    )
}
