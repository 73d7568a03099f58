//! Writes the tables of the documentation anew: `cargo run -p claimgauge-tests --bin docs_tables`.
#![allow(clippy::disallowed_methods, reason = "the pages are files")]

use std::{error::Error, fs, path::Path};

use claimgauge_tests::tables::{PAGES, printed};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for page in PAGES {
        let file = root.join(page);
        fs::write(&file, printed(&fs::read_to_string(&file)?)?)?;
    }
    Ok(())
}
