//! The playground: the page, its assets and the client as a wasm module, in target/site.

use std::fs;
use std::path::{Path, PathBuf};

use crate::step::{Outcome, at, root, step, target};
use crate::{tools, wasm};

/// The page loads the whole core at once, and what it scrubs is what somebody pastes: here size counts
/// before speed. Leptos' components with their types erased are smaller by another twentieth.
const FOR_SIZE: [&str; 4] = [
    "--config",
    "profile.release.package.claimgauge-core.opt-level='z'",
    "--config",
    "target.wasm32-unknown-unknown.rustflags=['--cfg=erase_components']",
];

/// Builds the playground and returns the folder to serve.
pub(crate) fn build() -> Outcome<PathBuf> {
    tools::for_wasm()?;
    let module = step(
        "Compile the playground (the first time takes minutes)",
        || wasm::compile("claimgauge-web", "claimgauge-web.wasm", &FOR_SIZE),
    )?;
    step("Write the site to target/site", || site(&module))
}

/// The page loads `./claimgauge-web.js`, which loads the module; the assets lie beside them. The whole
/// is made beside the site that may be served just now, and then takes its place.
fn site(module: &Path) -> Outcome<PathBuf> {
    let (site, new) = (target().join("site"), target().join("site.new"));
    remove(&new)?;
    fs::create_dir_all(&new).map_err(at(&new))?;
    let page = root().join("index.html");
    fs::copy(&page, new.join("index.html")).map_err(at(&page))?;
    copy_files(&root().join("web/assets"), &new)?;
    let options = ["--target", "web", "--no-typescript"];
    wasm::bindgen(module, &new, "claimgauge-web", &options)?;
    wasm::optimise(&new.join("claimgauge-web_bg.wasm"), "-Oz")?;
    remove(&site)?;
    fs::rename(&new, &site).map_err(at(&new))?;
    Ok(site)
}

fn remove(folder: &Path) -> Outcome {
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
