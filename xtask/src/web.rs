//! The playground: the page, its assets and the client as a wasm module, in target/site.

use std::fs;
use std::path::{Path, PathBuf};

use crate::step::{Outcome, at, root, step, target};
use crate::{tools, wasm};

/// A panel loads the whole of the core that it needs at once, and what it scrubs is what somebody pastes:
/// here size counts before speed, except for hashing, which may be of gigabytes. Leptos' components with
/// their types erased are smaller by another twentieth.
const FOR_SIZE: [&str; 6] = [
    "--config",
    "profile.release.package.claimgauge-core.opt-level='z'",
    "--config",
    "profile.release.package.sha2.opt-level=3",
    "--config",
    "target.wasm32-unknown-unknown.rustflags=['--cfg=erase_components']",
];

/// The programs: the first panel with its scrub, which the page loads at once; then what judges, with the
/// first run, and the other panel, when it is opened.
const PROGRAMS: [&str; 3] = ["claimgauge-web", "claimgauge-judge", "claimgauge-outputs"];

/// What a panel loads when it needs JSON Schema.
const SCHEMAS: &str = "claimgauge_extra";

/// Builds the playground and returns the folder to serve.
pub(crate) fn build() -> Outcome<PathBuf> {
    tools::for_wasm()?;
    let first = step(
        "Compile the playground (the first time takes minutes)",
        || wasm::compile("claimgauge-web", "claimgauge-web.wasm", &FOR_SIZE),
    )?;
    let schemas = step("Compile what checks JSON Schemas", || {
        wasm::compile("claimgauge-extra", "claimgauge_extra.wasm", &[])
    })?;
    let mut modules: Vec<_> = PROGRAMS
        .map(|name| (name, first.with_file_name(format!("{name}.wasm"))))
        .into();
    modules.push((SCHEMAS, schemas));
    step("Write the site to target/site", || site(&modules))
}

/// The page loads a program's `NAME.js` and `NAME_bg.wasm`; the assets lie beside them. The whole is made
/// beside the site that may be served just now, and then takes its place.
fn site(modules: &[(&str, PathBuf)]) -> Outcome<PathBuf> {
    let (site, new) = (target().join("site"), target().join("site.new"));
    remove(&new)?;
    fs::create_dir_all(&new).map_err(at(&new))?;
    let page = root().join("index.html");
    fs::copy(&page, new.join("index.html")).map_err(at(&page))?;
    copy_files(&root().join("web/assets"), &new)?;
    let options = ["--target", "web", "--no-typescript"];
    for (name, module) in modules {
        wasm::bindgen(module, &new, name, &options)?;
        wasm::optimise(&new.join(format!("{name}_bg.wasm")), "-Oz")?;
    }
    remove(&site)?;
    fs::rename(&new, &site).map_err(at(&new))?;
    Ok(site)
}

pub(crate) fn remove(folder: &Path) -> Outcome {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(at(folder))?;
    }
    Ok(())
}

/// Copies a folder's files, and the folders in it.
fn copy_files(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to).map_err(at(to))?;
    for entry in fs::read_dir(from).map_err(at(from))? {
        let path = entry.map_err(at(from))?.path();
        let Some(name) = path.file_name() else {
            continue;
        };
        if path.is_dir() {
            copy_files(&path, &to.join(name))?;
        } else {
            fs::copy(&path, to.join(name)).map_err(at(&path))?;
        }
    }
    Ok(())
}
