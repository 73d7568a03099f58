//! How good the scrubber is, by the checker that shares nothing with it: `cargo xtask bench scrub`
//! prints this before it measures how fast it is. `--verbose` prints each fault.

use std::{collections::BTreeMap, env};

use claimgauge_tests::{
    cases::{Quality, Wrong, quality},
    checker::{Leak, OverScrubbed, Share},
};

fn main() {
    let quality = quality();
    println!("Quality, on the labelled scrubs and the sets of claims");
    summary(&quality);
    if env::args().any(|argument| argument == "--verbose") {
        faults(&quality);
    }
}

fn summary(quality: &Quality) {
    let line = |what: &str, found: usize, of: usize, percent: f64| {
        println!("  {what:<52} {found:>5} of {of:>6}  {percent:>7.2} %");
    };
    let Quality {
        leaks,
        over_scrubbed,
        kinds,
        ..
    } = quality;
    line(
        "leaks: claims' tokens that survive",
        leaks.found.len(),
        leaks.of,
        leaks.percent(),
    );
    line(
        "over-scrub: ordinary words replaced",
        over_scrubbed.found.len(),
        over_scrubbed.of,
        over_scrubbed.percent(),
    );
    line(
        "kinds that are right",
        kinds.of - kinds.found.len(),
        kinds.of,
        100.0 - kinds.percent(),
    );
    for (what, share) in [
        ("labels `gone` that survive", &quality.gone),
        ("labels `kept` that were lost", &quality.kept),
        (
            "scrubs whose stretches do not give their text",
            &quality.stretches,
        ),
    ] {
        line(what, share.found.len(), share.of, share.percent());
    }
}

/// Each fault with how often it was met, the most frequent first.
fn faults(quality: &Quality) {
    print("Leaks", &quality.leaks, |Leak { token, claim, text }| {
        format!("{token:?} of {claim:?} in {text:?}")
    });
    let words = &quality.over_scrubbed;
    print(
        "Words scrubbed too much",
        words,
        |OverScrubbed {
             word,
             stretch,
             placeholder,
             text,
         }| { format!("{word:?} in {stretch:?}, {placeholder}, of {text:?}") },
    );
    for (title, share) in [
        ("Wrong kinds", &quality.kinds),
        ("Labels `gone` that survive", &quality.gone),
        ("Labels `kept` that were lost", &quality.kept),
        ("Stretches that do not give the text", &quality.stretches),
    ] {
        print(title, share, |Wrong { case, what }| {
            format!("{case}: {what}")
        });
    }
}

fn print<T>(title: &str, share: &Share<T>, shown: impl Fn(&T) -> String) {
    println!("\n{title}: {}", share.found.len());
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for found in &share.found {
        *times.entry(shown(found)).or_default() += 1;
    }
    let mut lines: Vec<_> = times.into_iter().collect();
    lines.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    for (line, times) in lines {
        println!("  {times:>4} times {line}");
    }
}
