//! Parts of a program that are loaded when they are first needed. In the sources `wasm_split` names the functions
//! that lead into a part; what only they reach, code and data, is taken out of the module that the linker wrote.

use std::fs;
use std::path::{Path, PathBuf};

use wasm_split_cli_support::{Options, transform};

use crate::step::{Failure, Outcome, at};

/// The script that loads parts, which the program's own script imports.
const LOADER: &str = "claimgauge-parts.js";

/// A program in parts: the module that is loaded first, and the others by the names that their files get.
pub(crate) struct Parts {
    pub(crate) first: PathBuf,
    pub(crate) later: Vec<(String, PathBuf)>,
}

/// Takes a program apart, in `folder`, and writes the script that loads its parts into `site`.
pub(crate) fn split(module: &Path, folder: &Path, name: &str, site: &Path) -> Outcome<Parts> {
    let bytes = fs::read(module).map_err(at(module))?;
    let first = folder.join(format!("{name}.first.wasm"));
    let script = format!("./{name}.js");
    let mut options = Options::new(&bytes);
    options.output_dir = folder;
    options.main_out_path = &first;
    let specifier = format!("./{LOADER}");
    options.link_name = &specifier;
    options.main_module = &script;
    let split = transform(options).map_err(|error| {
        Failure::new(
            format!("{}: {error:#}", module.display()),
            "the module must be linked with its relocations: look at FOR_SIZE in xtask/src/web.rs",
        )
    })?;
    let loader = folder.join(LOADER);
    let mut text = fs::read_to_string(&loader).map_err(at(&loader))?;
    let mut later = Vec::new();
    for part in split.split_modules {
        let file = part.file_name().unwrap_or_default().to_string_lossy();
        // They stand among the files of other programs.
        let stem = format!("{name}_{}", file.trim_end_matches(".wasm"));
        text = text.replace(&format!("\"./{file}\""), &format!("\"./{stem}.wasm\""));
        later.push((stem, part));
    }
    let loader = site.join(LOADER);
    fs::write(&loader, text).map_err(at(&loader))?;
    Ok(Parts { first, later })
}
