//! The playground: the page, its assets and the client as a wasm module, in target/site.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use crate::step::{Outcome, at, at_once, root, run, step, target};
use crate::{pack, split, tools, wasm};

/// A panel loads the whole of the core that it needs at once, and what it scrubs is what somebody pastes:
/// here size counts before speed, except for hashing, which may be of gigabytes. Leptos' components with
/// their types erased are smaller by another twentieth.
const FOR_SIZE: [&str; 6] = [
    "--config",
    "profile.release.package.claimgauge-core.opt-level='z'",
    "--config",
    "profile.release.package.sha2.opt-level=3",
    "--config",
    "target.wasm32-unknown-unknown.rustflags=['--cfg=erase_components', '-Clink-args=--emit-relocs']",
];

/// The one that the page loads at once: what is not needed at first is a part of it that is loaded later.
const FIRST: &str = "claimgauge-web";

/// What a panel loads when it needs JSON Schema.
const SCHEMAS: &str = "claimgauge_extra";

/// What takes longest to make first: [`SCHEMAS`]; the first panel with its scrub; then what judges, with the first
/// run, and the other panel and the drawer, when they are opened.
const MODULES: [&str; 5] = [
    SCHEMAS,
    FIRST,
    "claimgauge-judge",
    "claimgauge-outputs",
    "claimgauge-drawer",
];

/// Builds the playground and returns the folder to serve.
pub(crate) fn build() -> Outcome<PathBuf> {
    tools::for_wasm()?;
    let programs = step(
        "Compile the playground (the first time takes minutes)",
        || wasm::compile(&["claimgauge-web"], &FOR_SIZE),
    )?;
    step(
        "Write the site to target/site (the first time, more minutes than that)",
        || site(&programs),
    )
}

/// The page loads a program's `NAME.js` and `NAME_bg.wasm`; the assets lie beside them. The whole is made
/// beside the site that may be served just now, and then takes its place.
fn site(programs: &Path) -> Outcome<PathBuf> {
    let (site, new) = (target().join("site"), target().join("site.new"));
    remove(&new)?;
    fs::create_dir_all(&new).map_err(at(&new))?;
    let page = root().join("index.html");
    fs::copy(&page, new.join("index.html")).map_err(at(&page))?;
    copy_files(&root().join("web/assets"), &new)?;
    let examples = root().join("tests/vectors/examples.json");
    fs::copy(&examples, new.join("examples.json")).map_err(at(&examples))?;
    at_once(&MODULES, |name| {
        let module = match *name {
            SCHEMAS => pack::schemas()?,
            _ => programs.join(format!("{name}.wasm")),
        };
        write(name, &module, &new)
    })?;
    minify(&new)?;
    model_runner(&new.join("wllama"))?;
    list_files(&new)?;
    remove(&site)?;
    fs::rename(&new, &site).map_err(at(&new))?;
    Ok(site)
}

/// Writes a program's script and its module, or modules, into the folder `new`.
fn write(name: &str, module: &Path, new: &Path) -> Outcome {
    // A part takes from its program what the linker calls its own, such as the table of functions.
    let options = ["--target", "web", "--no-typescript", "--keep-lld-exports"];
    let folder = target().join("site.modules");
    let mut shipped = vec![new.join(format!("{name}_bg.wasm"))];
    let (module, passes) = match name {
        FIRST => {
            let linked = wasm::without_unreached(module, &folder, &format!("{name}.linked"))?;
            let parts = split::split(&linked, &folder, name, new)?;
            for (stem, part) in parts.later {
                let part = wasm::without_debug(&part, &folder, &stem)?;
                shipped.push(wasm::trap_part_on_panic(&part, new, &stem)?);
            }
            let first = wasm::without_debug(&parts.first, &folder, name)?;
            let module = wasm::trap_on_panic(&first, &folder, name)?;
            (module, &wasm::SMALLEST[..])
        }
        _ => {
            let module = wasm::trap_on_panic(module, &folder, name)?;
            (module, &wasm::SMALL[..])
        }
    };
    wasm::bindgen(&module, new, name, &options)?;
    wasm::shorten_names(&shipped[0], &new.join(format!("{name}.js")))?;
    for module in shipped {
        wasm::optimise(&module, passes)?;
        wasm::check_places(&module)?;
    }
    Ok(())
}

/// Larger files are kept for work without a network only once they were used.
const MOST_AT_ONCE: u64 = 1_500_000;

/// The worker that keeps the site's files, and the list that it reads.
const WORKER: &str = "sw.js";
const LIST: &str = "files.js";

/// Writes the list of the files at the site's top, and a version that changes when one of them does.
fn list_files(site: &Path) -> Outcome {
    let (mut first, mut later) = (Vec::new(), Vec::new());
    let mut paths = Vec::new();
    for entry in fs::read_dir(site).map_err(at(site))? {
        paths.push(entry.map_err(at(site))?.path());
    }
    paths.sort();
    let mut version = DefaultHasher::new();
    for path in paths.iter().filter(|path| path.is_file()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(path).map_err(at(path))?;
        version.write(name.as_bytes());
        version.write(&bytes);
        if name != WORKER {
            let list = if bytes.len() as u64 > MOST_AT_ONCE {
                &mut later
            } else {
                &mut first
            };
            list.push(name.into_owned());
        }
    }
    let version = format!("{:016x}", version.finish());
    let list = serde_json::json!({ "version": version, "first": first, "later": later });
    let file = site.join(LIST);
    fs::write(&file, format!("self.SITE = {list};\n")).map_err(at(&file))
}

/// Makes the site's own scripts and styles smaller, in place: their names and comments are for who reads the sources.
fn minify(site: &Path) -> Outcome {
    let mut paths = Vec::new();
    for entry in fs::read_dir(site).map_err(at(site))? {
        paths.push(entry.map_err(at(site))?.path());
    }
    paths.retain(|path| {
        path.extension()
            .is_some_and(|one| one == "js" || one == "css")
    });
    paths.sort();
    run(
        tools::npm_program("xtask", "esbuild")
            .args(["--minify", "--format=esm", "--charset=utf8"])
            .args(["--allow-overwrite", "--log-level=warning"])
            .arg(format!("--outdir={}", site.display()))
            .args(paths),
        "look at the message above; where it is not found, remove xtask/node_modules and try again",
    )
}

/// What runs model files, loaded by web/assets/model-file.js when somebody picks one.
fn model_runner(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(at(folder))?;
    let package = root().join("xtask/node_modules/@wllama/wllama/esm");
    for (from, to) in [
        ("index.min.js", "index.js"),
        ("wasm/wllama.wasm", "wllama.wasm"),
    ] {
        let from = package.join(from);
        fs::copy(&from, folder.join(to)).map_err(at(&from))?;
    }
    // Whose it is, and on what terms.
    let notice = root().join("NOTICE");
    fs::copy(&notice, folder.join("NOTICE")).map_err(at(&notice))?;
    Ok(())
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
