//! The documentation against the code that it speaks of.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the suite is the host: it reads the pages, and stops where it cannot go on"
)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use claimgauge_tests::tables::{PAGES, printed};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_tables_are_those_of_the_core() {
    for page in PAGES {
        let text = read(page);
        assert!(text.contains("<!-- table: "), "{page} has no table");
        assert!(
            printed(&text).unwrap() == text,
            "{page}: run `cargo run -p claimgauge-tests --bin docs_tables`"
        );
    }
}

#[test]
fn a_table_that_is_not_there_or_has_no_end_is_refused() {
    for page in [
        "<!-- table: nothing -->\n<!-- end of table -->",
        "<!-- table: presets -->\n| preset |",
        "<!-- table: presets",
    ] {
        assert!(printed(page).is_err(), "{page}");
    }
}

/// The functions, types and constants that ARCHITECTURE.md names in code, as `module::name` or `name()`.
fn named(text: &str) -> BTreeSet<(&str, &str)> {
    let is_path = |word: &&str| {
        let parts: Vec<&str> = word.split("::").collect();
        let plain = |part: &&str| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        parts.len() > 1 && parts.iter().all(plain)
    };
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "_:".contains(c)));
    words
        .filter(is_path)
        .filter_map(|word| word.rsplit_once("::"))
        .collect()
}

/// All Rust of the folders that the text speaks of.
fn sources() -> Vec<(PathBuf, String)> {
    let mut folders = ["core", "pkg", "web", "xtask"]
        .map(|name| root().join(name))
        .to_vec();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && !["node_modules", "dist", "target"].contains(&&*name) {
                folders.push(path);
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(&path).unwrap();
                sources.push((path, text));
            }
        }
    }
    sources
}

/// Whether `name` is defined in what `owner` names: a module's file or folder, or a file that implements a type.
fn is_defined(owner: &str, name: &str, sources: &[(PathBuf, String)]) -> bool {
    let last = owner.rsplit("::").next().unwrap_or(owner);
    let defines = |text: &str, what: &str| {
        ["fn ", "struct ", "enum ", "static ", "const ", "trait "]
            .iter()
            .any(|keyword| {
                let at = format!("{keyword}{what}");
                text.match_indices(&at).any(|(from, found)| {
                    let next = text[from + found.len()..].chars().next();
                    next.is_some_and(|c| !c.is_alphanumeric() && c != '_')
                })
            })
    };
    let of_type = |text: &str| {
        let mut heads = text.lines().filter(|line| line.starts_with("impl"));
        heads.any(|head| {
            head.split(|c: char| !c.is_alphanumeric())
                .any(|word| word == last)
        })
    };
    sources.iter().any(|(path, text)| {
        let in_module = path.file_stem().is_some_and(|stem| stem == last)
            || path.parent().is_some_and(|folder| folder.ends_with(last));
        defines(text, name) && (in_module || of_type(text))
    })
}

#[test]
fn what_the_architecture_names_is_there() {
    let (text, sources) = (read("ARCHITECTURE.md"), sources());
    let named = named(&text);
    assert!(named.len() > 10, "{named:?}");
    for (owner, name) in named {
        assert!(is_defined(owner, name, &sources), "{owner}::{name}");
    }
    assert!(!is_defined("scrub", "scrubbed_at_all", &sources));
    assert!(!is_defined("decide", "unscrub", &sources));
}

#[test]
fn the_files_that_the_texts_name_are_there() {
    for page in [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "README.md",
        "SECURITY.md",
    ] {
        let text = read(page);
        let code = text.split('`').skip(1).step_by(2);
        let looks = |word: &&str| {
            let of_ours = [
                "core/", "pkg/", "web/", "tests/", "xtask/", "fuzz/", "docs/",
            ];
            of_ours.iter().any(|folder| word.starts_with(folder))
                && !word.contains(|c: char| c.is_whitespace() || "*{<".contains(c))
        };
        for path in code.filter(looks) {
            assert!(root().join(path).exists(), "{page} names {path}");
        }
    }
}

#[test]
fn samples_that_could_run_are_run() {
    let suites = ["tests/package", "tests/component"].map(|folder| root().join(folder));
    let suites = suites
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let suites = suites.map(|entry| entry.unwrap().path());
    let suites: String = suites
        .filter(|path| path.extension().is_some_and(|name| name == "mjs"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let mut pages = 0;
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let (Some(name), true) = (
            path.file_stem(),
            path.extension().is_some_and(|name| name == "md"),
        ) else {
            continue;
        };
        let (name, text) = (name.to_string_lossy(), fs::read_to_string(&path).unwrap());
        if ["js", "python", "sh", "yaml"]
            .iter()
            .any(|it| text.contains(&format!("\n```{it}\n")))
        {
            let known = suites.contains(&format!("docs/{name}.md"))
                || suites.contains(&format!("\"{name}\""));
            assert!(known, "no suite runs the samples of docs/{name}.md");
            pages += 1;
        }
    }
    assert!(pages > 6, "{pages}");
}
