//! What the project is built from: which licences it comes under, where it comes from, why it is there, and the
//! list of it that ships with a release.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use spdx::{Expression, ParseMode};

use crate::step::{Failure, Outcome, ask, at, cargo, run, target};

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

/// Fails where a dependency comes under another licence, from elsewhere, or without a reason.
pub(crate) fn check() -> Outcome {
    let metadata = metadata()?;
    let mut faults = Vec::new();
    for package in list(&metadata["packages"]) {
        let name = text(&package["name"]);
        match package["source"].as_str() {
            // The project's own.
            None => {
                let manifest = Path::new(text(&package["manifest_path"]));
                let lines = fs::read_to_string(manifest).map_err(at(manifest))?;
                let without = without_reason(&lines);
                faults.extend(without.map(|line| format!("{name}: no reason for `{line}`")));
            }
            Some(SOURCE) => {}
            Some(source) => faults.push(format!("{name} comes from {source}")),
        }
        let licence = text(&package["license"]);
        if !is_allowed(licence) {
            faults.push(format!("{name} comes under {licence:?}"));
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        faults.join("\n"),
        "use another dependency, or write behind it which work it does",
    ))
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
    let list = json!({
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
    let hint = "look at cargo's message above";
    let mut command = cargo();
    command
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(["--filter-platform", "wasm32-unknown-unknown"]);
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
