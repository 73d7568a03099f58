//! The npm package: its binding crates, its TypeScript and the files beside them.
//!
//! It is staged in target/npm/package, complete:
//!
//! ```text
//! package.json       pkg/package.json without what only its makers need
//! README.md          pkg/README.md
//! docs/*.md, SECURITY.md, CHANGELOG.md, LICENSE-*, NOTICE
//! dist/wasm/         claimgauge_bg.wasm, once; claimgauge.cjs for Node, claimgauge.js for browsers;
//!                    the same of claimgauge_more, claimgauge_checks and claimgauge_extra, which are
//!                    loaded when they are first needed, and for Node of claimgauge_batch; NAME_inline.js is the module as text,
//!                    as browsers load all but the first
//! dist/node/         pkg/js by tsconfig.node.json: CommonJS, and ESM that re-exports it; joined.js is all that the
//!                    entry loads at once
//! dist/web/          pkg/js by tsconfig.web.json: ESM
//! dist/demo/         the examples that `claimgauge/demo` knows by name
//! ```
//!
//! A source in pkg/js imports the glue as `../wasm/claimgauge.cjs` or `../wasm/claimgauge.js`: that
//! is where it lies in the package, and the `rootDirs` of the two configurations make it so for the
//! compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use crate::step::{Failure, Outcome, at, at_once, once, root, run, step, target};
use crate::{tools, wasm};

/// Builds the package and returns the folder in which it is staged.
pub(crate) fn build() -> Outcome<PathBuf> {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    once(&BUILT, stage)
}

fn stage() -> Outcome<PathBuf> {
    check_version()?;
    tools::for_wasm()?;
    let small = MODULES.map(|module| module.package);
    let small = small.into_iter().filter(|package| *package != SCHEMAS);
    let small = step("Compile for the npm package", || {
        wasm::compile(&small.collect::<Vec<_>>(), &SMALL_CORE)
    })?;
    step("Stage the npm package in target/npm/package", || {
        let package = target().join("npm/package");
        if package.exists() {
            fs::remove_dir_all(&package).map_err(at(&package))?;
        }
        at_once(&MODULES, |module| {
            let compiled = match module.package {
                SCHEMAS => schemas()?,
                package => small.join(compiled_name(package)),
            };
            module.glue(&compiled, &package.join("dist/wasm"))
        })?;
        examples(&package.join("dist/demo"))?;
        typescript()?;
        manifest(&package)?;
        join(&package.join("dist/node"))?;
        texts(&package)?;
        check_entries(&package)?;
        Ok(package)
    })
}

/// Compiles what checks JSON Schemas and finds patterns, for the page, too. With the options of the others it would be
/// larger; one core is busy with it for long, so it is asked for where there is work for the others.
pub(crate) fn schemas() -> Outcome<PathBuf> {
    let folder = wasm::compile(&[SCHEMAS], &[])?;
    Ok(folder.join(compiled_name(SCHEMAS)))
}

/// What cargo calls a package's module.
fn compiled_name(package: &str) -> String {
    format!("{}.wasm", package.replace('-', "_"))
}

const SCHEMAS: &str = "claimgauge-extra";

/// What a user reads. The repository's own README leads to files that only the repository has.
fn texts(package: &Path) -> Outcome {
    copy(&root().join("pkg/README.md"), &package.join("README.md"))?;
    for name in TEXTS {
        copy(&root().join(name), &package.join(name))?;
    }
    let (docs, shipped) = (root().join("docs"), package.join("docs"));
    fs::create_dir_all(&shipped).map_err(at(&shipped))?;
    for entry in fs::read_dir(&docs).map_err(at(&docs))? {
        let name = entry.map_err(at(&docs))?.file_name();
        if name.to_string_lossy().ends_with(".md") {
            copy(&docs.join(&name), &shipped.join(&name))?;
        }
    }
    Ok(())
}

const TEXTS: [&str; 5] = [
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "NOTICE",
];

/// Builds the package, packs it and returns the file.
pub(crate) fn pack() -> Outcome<PathBuf> {
    let package = build()?;
    let folder = target().join("npm");
    let file = folder.join(format!("claimgauge-{}.tgz", env!("CARGO_PKG_VERSION")));
    step("Pack it", || {
        run(
            Command::new("npm")
                .args([
                    "pack",
                    "--ignore-scripts",
                    "--loglevel=warn",
                    "--pack-destination",
                ])
                .arg(&folder)
                .current_dir(&package),
            "look at npm's message above",
        )?;
        let bytes = fs::metadata(&file).map_err(at(&file))?.len();
        println!("    {}: {:.1} KB", file.display(), bytes as f64 / 1000.0);
        Ok(())
    })?;
    Ok(file)
}

/// One version: what Cargo says is what npm says.
fn check_version() -> Outcome {
    let source = root().join("pkg/package.json");
    let version = read(&source)?["version"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    if version != env!("CARGO_PKG_VERSION") {
        return Err(Failure::new(
            format!(
                "pkg/package.json has version {version:?}, Cargo.toml has {:?}",
                env!("CARGO_PKG_VERSION")
            ),
            "give both the same version",
        ));
    }
    Ok(())
}

/// Everyone loads the core before anything else: an eighth slower, it is a tenth smaller.
///
/// LLVM puts a function with one caller into it, up to a size of thousands of instructions. Engines compile a function
/// anew once so much of it has run, which of a large one is soon: of a first scrub that was more than all the rest,
/// and is a fifth of it where functions stay apart. That bound is fixed, so all costs that it is held against are ten
/// times LLVM's own, and with them the bound for functions with several callers. Those that ask to be put in, as most
/// of std's do, may be three times as large as others, not six times: so the module is smaller, and as fast.
pub(crate) const SMALL_CORE: [&str; 4] = [
    "--config",
    "profile.release.package.claimgauge-core.opt-level='s'",
    "--config",
    "target.wasm32-unknown-unknown.rustflags=['-Cllvm-args=-inline-threshold=500 -inline-instr-cost=50 -inline-call-penalty=250 \
     -inlinehint-threshold=1500', '-Clink-args=--emit-relocs']",
];

/// A binding crate and what its files in the package are called.
struct Module {
    package: &'static str,
    name: &'static str,
    /// Whether browsers have it, too.
    in_browsers: bool,
}

/// The one that everyone loads.
const FIRST: &str = "claimgauge";

/// That one, and those that are loaded when something needs them; the largest first.
const MODULES: [Module; 5] = [
    Module {
        package: SCHEMAS,
        name: "claimgauge_extra",
        in_browsers: true,
    },
    Module {
        package: "claimgauge-batch",
        name: "claimgauge_batch",
        in_browsers: false,
    },
    Module {
        package: "claimgauge-checks",
        name: "claimgauge_checks",
        in_browsers: true,
    },
    Module {
        package: "claimgauge-pkg",
        name: FIRST,
        in_browsers: true,
    },
    Module {
        package: "claimgauge-more",
        name: "claimgauge_more",
        in_browsers: true,
    },
];

impl Module {
    /// Both glue files beside the one module that they share.
    fn glue(&self, module: &Path, folder: &Path) -> Outcome {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let name = self.name;
        let module = wasm::trap_on_panic(module, &target().join("npm/glue"), name)?;
        let mut modules = Vec::new();
        let kinds = [("nodejs", "cjs", "d.cts"), ("web", "js", "d.ts")];
        for &(kind, script, types) in &kinds[..1 + usize::from(self.in_browsers)] {
            let made = target().join("npm/glue").join(kind);
            // After a trap the loader makes a new instance from the same module.
            let mut options = vec!["--target", kind, "--experimental-reset-state-function"];
            if kind == "web" && name != FIRST {
                // A bundler copies every file that a script names: these come to browsers as text alone.
                options.push("--omit-default-module-path");
            }
            wasm::bindgen(&module, &made, name, &options)?;
            for (from, to) in [("js", script), ("d.ts", types)] {
                let (from, to) = (format!("{name}.{from}"), format!("{name}.{to}"));
                copy(&made.join(from), &folder.join(to))?;
            }
            let made = made.join(format!("{name}_bg.wasm"));
            modules.push(fs::read(&made).map_err(at(&made))?);
        }
        if modules.iter().any(|made| *made != modules[0]) {
            return Err(Failure::new(
                "the modules for Node and for browsers differ",
                "wasm-bindgen made them equal so far: ship both, or find the option that differs",
            ));
        }
        let shipped = folder.join(format!("{name}_bg.wasm"));
        fs::write(&shipped, &modules[0]).map_err(at(&shipped))?;
        wasm::check_places(&shipped)?;
        if !self.in_browsers {
            // Nobody loads it over a network.
            return Ok(());
        }
        wasm::optimise(&shipped, &wasm::SMALL)?;
        inline(&shipped, &folder.join(format!("{name}_inline")))
    }
}

/// A module as text in JavaScript, with its types, for bundles that carry it.
fn inline(module: &Path, script: &Path) -> Outcome {
    let bytes = fs::read(module).map_err(at(module))?;
    let text = format!("export default \"{}\";\n", base64(&bytes));
    let types = "declare const base64: string;\nexport default base64;\n";
    for (extension, text) in [("js", text.as_str()), ("d.ts", types)] {
        let file = script.with_extension(extension);
        fs::write(&file, text).map_err(at(&file))?;
    }
    Ok(())
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| three.get(at).copied().map_or(0, u32::from);
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            text.push(match digit <= three.len() {
                true => char::from(DIGITS[(bits >> (18 - 6 * digit)) as usize & 63]),
                false => '=',
            });
        }
    }
    text
}

/// The examples that the suites and the playground have too, as a module that is loaded when one is named.
fn examples(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(at(folder))?;
    let examples = read(&root().join("tests/vectors/examples.json"))?;
    let script = format!("export default {examples};\n");
    let types =
        "declare const examples: { name: string; lesson: string }[];\nexport default examples;\n";
    for (name, text) in [("examples.js", script.as_str()), ("examples.d.ts", types)] {
        let file = folder.join(name);
        fs::write(&file, text).map_err(at(&file))?;
    }
    Ok(())
}

/// pkg/js twice: for Node and for browsers.
fn typescript() -> Outcome {
    tools::npm_packages("pkg")?;
    for config in ["tsconfig.node.json", "tsconfig.web.json"] {
        run(
            tools::npm_program("pkg", "tsc")
                .arg("-p")
                .arg(root().join("pkg").join(config)),
            "look at the compiler's message above",
        )?;
    }
    Ok(())
}

/// What Node loads at once becomes one file.
fn join(folder: &Path) -> Outcome {
    run(
        Command::new("node")
            .arg(root().join("xtask/join.mjs"))
            .arg(folder),
        "look at the message above: the package is loaded for this, so it may not work at all",
    )
}

/// The package.json that is shipped. npm edits it: the order of `exports` means something, and npm
/// keeps it.
fn manifest(package: &Path) -> Outcome {
    copy(
        &root().join("pkg/package.json"),
        &package.join("package.json"),
    )?;
    // Without it Node would take the CommonJS files for ESM, as the package is a module.
    let format = package.join("dist/node/package.json");
    fs::write(&format, "{ \"type\": \"commonjs\" }\n").map_err(at(&format))?;
    run(
        Command::new("npm")
            .args(["pkg", "delete", "devDependencies", "scripts", "private"])
            .current_dir(package),
        "look at npm's message above",
    )
}

/// Every file that the shipped package.json names must be there.
fn check_entries(package: &Path) -> Outcome {
    let manifest = read(&package.join("package.json"))?;
    let mut named = Vec::new();
    for key in ["main", "module", "types", "bin", "exports"] {
        strings(&manifest[key], &mut named);
    }
    let missing: Vec<_> = named
        .iter()
        .filter(|name| !name.contains('*') && !package.join(name).is_file())
        .collect();
    if named.is_empty() || !missing.is_empty() {
        return Err(Failure::new(
            format!("package.json names files that the package does not have: {missing:?}"),
            "mend `exports`, `types` or `bin` in pkg/package.json, or the source in pkg/js",
        ));
    }
    Ok(())
}

fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
        Value::Object(values) => values.values().for_each(|value| strings(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn read(path: &Path) -> Outcome<Value> {
    let text = fs::read_to_string(path).map_err(at(path))?;
    serde_json::from_str(&text).map_err(|error| {
        Failure::new(
            format!("{}: {error}", path.display()),
            "mend the JSON at that place",
        )
    })
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(drop).map_err(at(from))
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_padded() {
        let rows = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ];
        for (text, want) in rows {
            assert_eq!(base64(text.as_bytes()), want);
        }
        assert_eq!(base64(&[0xff, 0xef, 0xbf]), "/++/");
    }
}
