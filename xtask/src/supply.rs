//! What the project is built from: which licences it comes under, where it comes from, why it is there, and the
//! list of it that ships with a release. [`npm`] has what comes from there.

mod npm;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use spdx::{Expression, ParseMode};

use crate::step::{Failure, Outcome, ask, at, cargo, root, run, target};

/// Under which a dependency may come. deny.toml has the same list.
const LICENCES: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Where a dependency may come from.
const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// What people download holds these crates and what they are linked with.
const SHIPPED: [&str; 7] = [
    "claimgauge-batch",
    "claimgauge-checks",
    "claimgauge-component",
    "claimgauge-extra",
    "claimgauge-more",
    "claimgauge-pkg",
    "claimgauge-web",
];

/// Packages that stand beside the workspace: one is compiled with what counts coverage, one takes minutes.
const BESIDE: [&str; 2] = ["fuzz", "tests/component/wasmtime"];

/// What no source names, by the package that has it: it turns on a feature of what another one uses.
const UNNAMED: [(&str, &str); 1] = [("claimgauge-pkg", "sha2")];

/// Fails where a dependency comes under another licence, from elsewhere, or without a reason, or nothing uses it.
pub(crate) fn check() -> Outcome {
    let whole = metadata()?;
    let mut faults = npm::faults()?;
    for package in list(&whole["packages"]) {
        let (name, licence) = (text(&package["name"]), text(&package["license"]));
        match package["source"].as_str() {
            None => faults.extend(faults_of_own(package)?),
            Some(SOURCE) => {}
            Some(source) => faults.push(format!("{name} comes from {source}")),
        }
        if !is_allowed(licence) {
            faults.push(format!("{name} comes under {licence:?}"));
        }
    }
    for folder in BESIDE {
        let manifest = root().join(folder).join("Cargo.toml");
        let beside = ask_metadata(&["--no-deps", "--manifest-path", &manifest.to_string_lossy()])?;
        for package in list(&beside["packages"]) {
            faults.extend(faults_of_own(package)?);
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        faults.join("\n"),
        "use another dependency or none, or write behind it which work it does",
    ))
}

/// What is wrong with the dependencies of a package of the project's own.
fn faults_of_own(package: &Value) -> Outcome<Vec<String>> {
    let name = text(&package["name"]);
    let manifest = Path::new(text(&package["manifest_path"]));
    let lines = fs::read_to_string(manifest).map_err(at(manifest))?;
    let without = without_reason(&lines).map(|line| format!("{name}: no reason for `{line}`"));
    let mut faults: Vec<String> = without.collect();

    let folders =
        list(&package["targets"]).filter_map(|one| Path::new(text(&one["src_path"])).parent());
    let mut sources = String::new();
    for folder in folders.collect::<BTreeSet<_>>() {
        read_sources(folder, &mut sources)?;
    }
    let names: BTreeSet<&str> = names_in(&sources).collect();
    for dependency in list(&package["dependencies"]) {
        let called = dependency["rename"].as_str();
        let called = called.unwrap_or(text(&dependency["name"]));
        let is_named = names.contains(&*called.replace('-', "_"));
        if is_named == UNNAMED.contains(&(name, called)) {
            let says = if is_named { "names" } else { "does not name" };
            faults.push(format!("{name} {says} `{called}` in its sources"));
        }
    }
    Ok(faults)
}

fn read_sources(folder: &Path, sources: &mut String) -> Outcome {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        if path.is_dir() {
            read_sources(&path, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).map_err(at(&path))?;
            for elsewhere in source.lines().filter_map(module_elsewhere) {
                let elsewhere = folder.join(elsewhere);
                sources.push_str(&fs::read_to_string(&elsewhere).map_err(at(&elsewhere))?);
            }
            sources.push_str(&source);
        }
    }
    Ok(())
}

/// The file of a module that is another package's, too.
fn module_elsewhere(line: &str) -> Option<&str> {
    line.trim().strip_prefix("#[path = \"")?.strip_suffix("\"]")
}

/// The names in sources, without the lines that are comments.
fn names_in(sources: &str) -> impl Iterator<Item = &str> {
    let code = sources
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
}

/// Runs `cargo deny`; false where it is not installed, which takes minutes.
pub(crate) fn deny() -> Outcome<bool> {
    if ask(cargo().args(["deny", "--version"])).is_none() {
        return Ok(false);
    }
    run(
        cargo().args(["deny", "--offline", "check", "bans", "licenses", "sources"]),
        "look at deny.toml",
    )?;
    Ok(true)
}

/// Writes what is shipped, as CycloneDX has it, to target/sbom.cdx.json and returns the file. The same sources
/// give the same bytes.
pub(crate) fn list_of_materials() -> Outcome<PathBuf> {
    let metadata = metadata()?;
    let mut components = BTreeMap::new();
    for package in shipped(&metadata) {
        let (name, version) = (text(&package["name"]), text(&package["version"]));
        let purl = format!("pkg:cargo/{name}@{version}");
        let mut component = json!({
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": version,
            "licenses": [{ "expression": expression(text(&package["license"])) }],
            "purl": purl,
        });
        if let Some(repository) = package["repository"].as_str() {
            component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
        }
        components.insert(purl, component);
    }
    components.extend(npm::shipped()?);
    let list = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": "claimgauge",
                "name": "claimgauge",
                "version": env!("CARGO_PKG_VERSION"),
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components.into_values().collect::<Vec<_>>(),
    });
    let file = target().join("sbom.cdx.json");
    fs::create_dir_all(target()).map_err(at(&file))?;
    fs::write(&file, format!("{list:#}\n")).map_err(at(&file))?;
    Ok(file)
}

/// What cargo knows of all packages, for the machine that they are shipped for.
fn metadata() -> Outcome<Value> {
    ask_metadata(&["--locked", "--filter-platform", "wasm32-unknown-unknown"])
}

fn ask_metadata(options: &[&str]) -> Outcome<Value> {
    let hint = "look at cargo's message above";
    let mut command = cargo();
    command
        .args(["metadata", "--format-version", "1"])
        .args(options);
    let output = Command::output(&mut command)
        .map_err(|error| Failure::new(format!("cargo metadata: {error}"), hint))?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Failure::new(format!("cargo metadata says: {said}"), hint)
    })
}

/// The crates that are shipped, and all that is linked into them.
fn shipped(metadata: &Value) -> Vec<&Value> {
    let packages: BTreeMap<&str, &Value> = list(&metadata["packages"])
        .map(|package| (text(&package["id"]), package))
        .collect();
    let linked: BTreeMap<&str, Vec<&str>> = list(&metadata["resolve"]["nodes"])
        .map(|node| {
            let normal = list(&node["deps"])
                .filter(|dep| list(&dep["dep_kinds"]).any(|kind| kind["kind"].is_null()));
            (
                text(&node["id"]),
                normal.map(|dep| text(&dep["pkg"])).collect(),
            )
        })
        .collect();
    let mut open: Vec<&str> = packages
        .iter()
        .filter(|(_, package)| SHIPPED.contains(&text(&package["name"])))
        .map(|(id, _)| *id)
        .collect();
    let mut seen: BTreeSet<&str> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        let new = linked[id].iter().filter(|dep| seen.insert(dep));
        open.extend(new);
    }
    seen.into_iter().map(|id| packages[id]).collect()
}

fn is_allowed(licence: &str) -> bool {
    let allowed = |licence: &str| LICENCES.contains(&licence);
    Expression::parse_mode(licence, ParseMode::LAX).is_ok_and(|expression| {
        expression.evaluate(|required| required.license.id().is_some_and(|id| allowed(id.name)))
    })
}

/// A licence as SPDX writes it: older manifests have a stroke for "or".
fn expression(licence: &str) -> String {
    licence.replace('/', " OR ")
}

/// The dependencies of a manifest that have no comment behind them.
fn without_reason(manifest: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    manifest.lines().filter(move |line| {
        if line.starts_with('[') {
            inside = line.trim_end_matches(']').ends_with("dependencies")
                && !line.starts_with("[workspace");
        }
        inside && line.contains('=') && !line.contains('#')
    })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences() {
        for licence in [
            "MIT OR Apache-2.0",
            "Unlicense/MIT",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "MIT OR GPL-3.0-only",
        ] {
            assert!(is_allowed(licence), "{licence}");
        }
        for licence in ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "see LICENSE"] {
            assert!(!is_allowed(licence), "{licence}");
        }
    }

    #[test]
    fn reasons() {
        let manifest = "[package]\nname = \"x\"\n[dev-dependencies]\na = \"1\" # works\nb = \"2\"\n[lints]\nc = true\n";
        let found: Vec<&str> = without_reason(manifest).collect();
        assert_eq!(found, ["b = \"2\""]);
    }

    #[test]
    fn names() {
        let sources = "// clap\nuse serde_json::{Value};\n    //! walrus\nlet a = spdx::parse(b);";
        let found: Vec<&str> = names_in(sources).collect();
        assert!(found.contains(&"serde_json") && found.contains(&"spdx"));
        assert!(
            !found.contains(&"clap") && !found.contains(&"walrus") && !found.contains(&"serde")
        );
    }

    #[test]
    fn the_list_holds_what_is_linked_and_nothing_that_only_builds() {
        let metadata = metadata().expect("cargo is there");
        let names: Vec<&str> = shipped(&metadata)
            .into_iter()
            .map(|package| text(&package["name"]))
            .collect();
        for name in ["claimgauge-core", "leptos", "regex-automata", "sha2"] {
            assert!(names.contains(&name), "{name}");
        }
        for name in ["clap", "rouille", "walrus", "xtask"] {
            assert!(!names.contains(&name), "{name}");
        }
    }
}
