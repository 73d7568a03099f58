//! What comes from npm: each lock holds every package to one content, and names no other place to take it from than
//! the registry that npm is set to. Nothing that a package brings along runs while it is installed
//! (`tools::npm_packages`).

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{is_allowed, text};
use crate::step::{Failure, Outcome, at, root};

/// What the built site carries, and whose lock has it.
const SHIPPED: (&str, &str) = ("xtask/package-lock.json", "node_modules/@wllama/wllama");

/// What is wrong with the project's package-lock.json files.
pub(super) fn faults() -> Outcome<Vec<String>> {
    let mut locks = Vec::new();
    find_locks(root(), &mut locks)?;
    let (mut faults, mut count) = (Vec::new(), 0);
    for lock in &locks {
        let name = lock
            .strip_prefix(root())
            .unwrap_or(lock)
            .display()
            .to_string();
        let packages = packages(lock)?;
        count += packages.len();
        faults.extend(faults_in(&packages).map(|fault| format!("{name}: {fault}")));
    }
    println!(
        "    {count} packages from npm in {} locks, each by its hash",
        locks.len()
    );
    Ok(faults)
}

/// What people download of npm's packages, as CycloneDX has it, by its name there.
pub(super) fn shipped() -> Outcome<Option<(String, Value)>> {
    let (lock, path) = SHIPPED;
    let lock = root().join(lock);
    let packages = packages(&lock)?;
    let package = &packages.get(path).cloned().unwrap_or_default();
    let (version, licence) = (text(&package["version"]), text(&package["license"]));
    let hash = sha512(text(&package["integrity"]));
    let (Some(hash), true) = (hash, is_allowed(licence)) else {
        return Err(Failure::new(
            format!(
                "{} has no {path} under a licence that is allowed",
                lock.display()
            ),
            "what the site carries must be in the lock, with its hash and licence",
        ));
    };
    let name = path.trim_start_matches("node_modules/");
    let purl = format!("pkg:npm/{}@{version}", name.replace('@', "%40"));
    let (group, short) = name.split_once('/').unwrap_or(("", name));
    let component = json!({
        "type": "library",
        "bom-ref": purl,
        "group": group,
        "name": short,
        "version": version,
        "hashes": [{ "alg": "SHA-512", "content": hash }],
        "licenses": [{ "expression": licence }],
        "purl": purl,
    });
    Ok(Some((purl, component)))
}

fn find_locks(folder: &Path, locks: &mut Vec<PathBuf>) -> Outcome {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == "package-lock.json" {
            locks.push(path);
        } else if path.is_dir()
            && !path.is_symlink()
            && !["node_modules", "target", ".git"].contains(&&*name)
        {
            find_locks(&path, locks)?;
        }
    }
    locks.sort();
    Ok(())
}

/// The packages of a lock by their place, and the folder's own manifest by the empty one.
fn packages(lock: &Path) -> Outcome<Map<String, Value>> {
    let bytes = fs::read(lock).map_err(at(lock))?;
    let read: Option<Value> = serde_json::from_slice(&bytes).ok();
    let packages = read.and_then(|mut lock| match lock["packages"].take() {
        Value::Object(packages) => Some(packages),
        _ => None,
    });
    packages.ok_or_else(|| {
        Failure::new(
            format!("{} is no lock with packages", lock.display()),
            "let npm write it: `npm install --package-lock-only` in its folder",
        )
    })
}

fn faults_in(packages: &Map<String, Value>) -> impl Iterator<Item = String> {
    packages.iter().flat_map(|(path, package)| {
        if path.is_empty() {
            return loose(package);
        }
        let mut faults = Vec::new();
        if sha512(text(&package["integrity"])).is_none() {
            faults.push(format!("{path} has no SHA-512"));
        }
        // npm leaves out the registry's own places here: .npmrc has it so.
        if let Some(elsewhere) = package["resolved"].as_str() {
            faults.push(format!("{path} comes from {elsewhere}"));
        }
        faults
    })
}

/// What the folder asks for without saying which.
fn loose(manifest: &Value) -> Vec<String> {
    let kinds = ["dependencies", "devDependencies"];
    let asked = kinds.iter().filter_map(|kind| manifest[kind].as_object());
    let loose = asked.flatten().filter(|(_, version)| {
        let version = text(version).rsplit('@').next().unwrap_or_default();
        !version.starts_with(|first: char| first.is_ascii_digit())
    });
    loose
        .map(|(name, version)| format!("{name} is asked for as {version}: name one version"))
        .collect()
}

/// The hexadecimal digits of what stands in a lock as `sha512-BASE64`.
fn sha512(integrity: &str) -> Option<String> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = integrity.strip_prefix("sha512-")?.strip_suffix("==")?;
    let mut bits = String::new();
    for digit in digits.bytes() {
        let value = DIGITS.iter().position(|one| *one == digit)?;
        bits.push_str(&format!("{value:06b}"));
    }
    let nibbles = bits.as_bytes().chunks_exact(4).take(128);
    let hex: String = nibbles
        .filter_map(|four| {
            let four = std::str::from_utf8(four).ok()?;
            char::from_digit(u32::from_str_radix(four, 2).ok()?, 16)
        })
        .collect();
    (hex.len() == 128).then_some(hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes() {
        // Of "abc".
        let base64 = "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==";
        let hex = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
            2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";
        assert_eq!(sha512(base64).as_deref(), Some(hex));
        for wrong in [
            "",
            "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
            "sha512-3a81==",
            "sha512-?",
        ] {
            assert_eq!(sha512(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_a_lock_may_not_have() {
        let lock = json!({
            "": { "devDependencies": { "a": "1.0.0", "b": "^1.0.0", "c": "npm:d@2.0.0", "e": "github:e/e" } },
            "node_modules/a": { "version": "1.0.0" },
            "node_modules/e": {
                "integrity": "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==",
                "resolved": "git+ssh://git@github.com/e/e.git",
            },
        });
        let faults: Vec<String> = faults_in(lock.as_object().expect("an object")).collect();
        let about = [
            "b is asked",
            "e is asked",
            "node_modules/a has no",
            "node_modules/e comes",
        ];
        assert_eq!(faults.len(), about.len(), "{faults:?}");
        for (fault, about) in faults.iter().zip(about) {
            assert!(fault.starts_with(about), "{fault}");
        }
    }
}
