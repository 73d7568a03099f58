//! From a crate to a small wasm module with its JavaScript.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Outcome, at, cargo, root, run, target};
use crate::tools;

/// Compiles a package in release and returns the module that cargo wrote. `options` are cargo's own.
pub(crate) fn compile(package: &str, file: &str, options: &[&str]) -> Outcome<PathBuf> {
    run(
        cargo()
            .args([
                "build",
                "--release",
                "--target",
                "wasm32-unknown-unknown",
                "-p",
                package,
            ])
            .args(options),
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
///
/// It takes ten seconds and more, so the last result is kept. It lies where npm removes it when it
/// installs another wasm-opt.
pub(crate) fn optimise(module: &Path, level: &str) -> Outcome {
    let folder = root().join("xtask/node_modules/.optimised");
    let name = module.file_name().unwrap_or_default().to_string_lossy();
    let input = folder.join(format!("{name}{level}.in"));
    let output = folder.join(format!("{name}{level}.out"));
    fs::create_dir_all(&folder).map_err(at(&folder))?;

    let bytes = fs::read(module).map_err(at(module))?;
    if fs::read(&input).is_ok_and(|last| last == bytes) {
        println!("    the module is the last one: its optimised form is taken again");
    } else {
        // The input is written last and removed first: while it is there, the output is its own.
        if input.exists() {
            fs::remove_file(&input).map_err(at(&input))?;
        }
        run(
            tools::npm_program("xtask", "wasm-opt")
                .arg(level)
                .arg(module)
                .arg("-o")
                .arg(&output),
            "remove xtask/node_modules and try again",
        )?;
        fs::write(&input, bytes).map_err(at(&input))?;
    }
    fs::copy(&output, module).map_err(at(&output))?;
    run(
        Command::new("node")
            .arg(root().join("xtask/sizes.mjs"))
            .arg(module),
        "the module is not valid for this Node: look at wasm-opt's version and flags",
    )
}
