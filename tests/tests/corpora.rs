//! Every target of the fuzzer over its corpus, and over what a few changes make of it: so that none is forgotten
//! when what it tries changes.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests are a host: they read files; a suite that cannot go on is a failed test"
)]

use std::{
    collections::BTreeSet,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

use claimgauge_tests::{Random, targets::TARGETS};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz")
        .join(name)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_target_holds_over_its_corpus() {
    let mut broken = Vec::new();
    for (name, target) in TARGETS {
        let texts: Vec<Vec<u8>> = files(&folder("corpus").join(name))
            .iter()
            .map(|file| fs::read(file).unwrap())
            .collect();
        assert!(texts.len() >= 3, "{name} has hardly any corpus");
        let mut random = Random::new(6);
        for text in &texts {
            broken.extend(breaks(name, target, text));
            for _ in 0..3 {
                let other = &texts[random.below(texts.len())];
                broken.extend(breaks(name, target, &changed(&mut random, text, other)));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The target and the text, where something does not hold.
fn breaks(name: &str, target: fn(&[u8]), data: &[u8]) -> Option<String> {
    let run = AssertUnwindSafe(|| target(data));
    let text = || format!("{name}: {}", data.escape_ascii());
    catch_unwind(run).err().map(|_| text())
}

/// A text with a byte that is another, or the end of another text behind its beginning.
fn changed(random: &mut Random, text: &[u8], other: &[u8]) -> Vec<u8> {
    let at = random.below(text.len());
    let mut changed = text.to_vec();
    if random.below(2) == 0 {
        changed.truncate(at);
        changed.extend_from_slice(&other[random.below(other.len())..]);
    } else if let Some(byte) = changed.get_mut(at) {
        *byte = u8::try_from(random.below(256)).unwrap();
    }
    changed
}

#[test]
fn each_target_is_a_program() {
    let programs = files(&folder("fuzz_targets"));
    let programs = programs
        .iter()
        .map(|file| file.file_stem().unwrap().to_str().unwrap());
    let targets = TARGETS.map(|(name, _)| name);
    assert_eq!(programs.collect::<BTreeSet<_>>(), BTreeSet::from(targets));
}
