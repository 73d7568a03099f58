//! Words of a claim in plain English stay, whatever thing that may have a name stands beside them: what is done with
//! it, how it is, what it has. Nothing here shares code or word lists with the scrubber.

use claimgauge_core::{
    evidence::{ClaimInput, SpanInput},
    profile::Profile,
    scrub::ScrubRequest,
};

/// Things that have names, beside which any word may be one.
const THINGS: [&str; 16] = [
    "column",
    "database",
    "field",
    "function",
    "method",
    "module",
    "option",
    "package",
    "parameter",
    "permission",
    "role",
    "schema",
    "setting",
    "table",
    "trait",
    "variable",
];

/// Of these, those that are seldom called by how they are.
const MADE: [&str; 8] = [
    "database", "function", "method", "module", "package", "role", "table", "trait",
];

/// Things that work by themselves.
const WORKING: [&str; 8] = [
    "cluster", "job", "pipeline", "node", "queue", "service", "stream", "worker",
];

/// The texts that differ from the claims that they are both evidence and claim of.
fn changed(profile: &str, claims: &[String]) -> Vec<String> {
    let scrubbed = |claim: &String| {
        let request = ScrubRequest {
            profile: profile.into(),
            evidence: vec![SpanInput::from(claim.as_str())],
            claims: Some(vec![ClaimInput::from(claim.as_str())]),
            ..ScrubRequest::default()
        };
        let scrubbed = request.run().expect("well formed");
        scrubbed.spans[0].text.clone()
    };
    let texts = claims.iter().map(|claim| (claim, scrubbed(claim)));
    texts
        .filter(|(claim, text)| *claim != text)
        .map(|(_, text)| text)
        .collect()
}

fn stay(claims: &[String]) {
    assert!(!claims.is_empty());
    let changed = changed("strawberry", claims);
    assert_eq!(changed, Vec::<String>::new(), "of {}", claims.len());
}

/// Each word with each thing, in each sentence: `{w}` stands for the word, `{n}` for the thing, `{nn}` for several.
fn sentences(words: &[&str], things: &[&str], patterns: &[&str]) -> Vec<String> {
    let of = |word: &str, thing: &str| {
        let all = patterns.iter().map(|pattern| {
            let plural = match thing.strip_suffix('y') {
                Some(stem) => format!("{stem}ies"),
                None => format!("{thing}s"),
            };
            let text = pattern.replace("{nn}", &plural).replace("{n}", thing);
            text.replace("{w}", word)
        });
        all.collect::<Vec<_>>()
    };
    let pairs = words
        .iter()
        .flat_map(|word| things.iter().map(move |thing| (*word, *thing)));
    pairs.flat_map(|(word, thing)| of(word, thing)).collect()
}

#[test]
fn claims_in_plain_english_name_nothing() {
    let claims: Vec<String> = include_str!("../vectors/plain_claims.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    assert!(claims.len() > 200);
    for profile in Profile::all() {
        let changed = changed(&profile.name, &claims);
        assert_eq!(changed, Vec::<String>::new(), "{}", profile.name);
    }
}

#[test]
fn what_is_done_with_things_is_no_name() {
    let verbs = [
        "archive", "cache", "compress", "convert", "encrypt", "export", "import", "load", "lock",
        "merge", "migrate", "purge", "rename", "rotate", "scan", "validate",
    ];
    let patterns = [
        "The job can {w} {nn}.",
        "Admins may {w} {nn} at night.",
        "Use it to {w} {nn}.",
        "It does not {w} {nn}.",
        "You must create and {w} {nn} first.",
        "Jobs {w} {nn} every night.",
        "They {w} {nn}.",
    ];
    stay(&sentences(&verbs, &THINGS, &patterns));
}

#[test]
fn what_things_do_is_no_name() {
    let verbs = [
        "blocks", "crashes", "expires", "grows", "locks", "loads", "scales", "shrinks", "splits",
        "waits",
    ];
    let patterns = [
        "Each {n} {w} when it is full.",
        "Every {n} {w}.",
        "If the {n} {w}, the job fails.",
        "When a {n} {w}, the job fails.",
    ];
    stay(&sentences(&verbs, &THINGS, &patterns));
}

#[test]
fn how_things_are_is_no_name() {
    let words = [
        "broken",
        "concurrent",
        "duplicate",
        "idle",
        "incomplete",
        "initial",
        "invalid",
        "legacy",
        "negative",
        "obsolete",
        "recursive",
        "redundant",
        "remote",
        "slow",
        "stale",
        "unsafe",
        "upstream",
        "volatile",
    ];
    let indefinite = [
        "Each {w} {n} is skipped.",
        "It removes {w} {nn}.",
        "Every {w} {n} was removed.",
    ];
    stay(&sentences(&words, &THINGS, &indefinite));
    stay(&sentences(&words, &MADE, &["The {w} {n} is removed."]));
}

#[test]
fn what_things_have_is_no_name() {
    let words = [
        "age",
        "cost",
        "growth",
        "health",
        "load",
        "size",
        "state",
        "throughput",
        "usage",
    ];
    let patterns = ["It measures {n} {w}.", "The job depends on {n} {w}."];
    stay(&sentences(&words, &WORKING, &patterns));
    stay(&sentences(
        &words,
        &["database", "role", "schema", "table"],
        &patterns,
    ));
    let parts = ["logs", "images", "threads", "workers", "versions"];
    stay(&sentences(
        &parts,
        &WORKING,
        &["It takes them from {n} {w}."],
    ));
}

#[test]
fn what_is_done_with_compounds_is_no_name() {
    let verbs = [
        "caches", "checks", "exports", "measures", "prints", "rebuilds", "rotates", "scans",
        "strips", "wraps",
    ];
    let objects = [
        "column names",
        "config files",
        "field values",
        "function calls",
        "log files",
        "module paths",
        "package versions",
        "table sizes",
        "table statistics",
        "user data",
        "each column name",
        "old table rows",
        "the schema version",
        "the table size",
    ];
    let patterns = [
        "The job {w} {n}.",
        "A worker {w} {n}.",
        "It {w} {n}.",
        "The old parser {w} {n}.",
        "This {w} {n}.",
    ];
    stay(&sentences(&verbs, &objects, &patterns));
}

/// What the words above are in their own place.
#[test]
fn the_same_words_are_names_where_they_stand_as_such() {
    // By profiles that take none of them by itself.
    let named = [
        (
            "code",
            "The users table has an active column",
            "CREATE TABLE users (active BOOLEAN);",
            "active",
        ),
        (
            "data",
            "tsconfig has a strict option",
            "{\"strict\": true}",
            "strict",
        ),
        (
            "code",
            "The CLI has a verbose flag",
            "--verbose says more",
            "verbose",
        ),
        (
            "security",
            "The legacy schema was dropped",
            "DROP SCHEMA legacy CASCADE;",
            "legacy",
        ),
        (
            "strawberry",
            "The active column is boolean",
            "users has a column active.",
            "active",
        ),
        (
            "strawberry",
            "Table archive has column size",
            "archive keeps a size",
            "size",
        ),
        (
            "strawberry",
            "The orders and archive tables are large",
            "See archive.",
            "archive",
        ),
        (
            "strawberry",
            "Service account exporter may read it",
            "exporter may write",
            "exporter",
        ),
        (
            "strawberry",
            "Role admins have full access",
            "GRANT ALL ON x TO admins",
            "admins",
        ),
        (
            "strawberry",
            "Jobs are read from queue emails",
            "queue: emails",
            "emails",
        ),
        (
            "strawberry",
            "The review queue holds failed jobs",
            "It waits for review.",
            "review",
        ),
    ];
    for (profile, claim, evidence, name) in named {
        let request = ScrubRequest {
            profile: profile.into(),
            evidence: vec![SpanInput::from(evidence)],
            claims: Some(vec![ClaimInput::from(claim)]),
            ..ScrubRequest::default()
        };
        let scrubbed = request.run().expect("well formed");
        assert!(
            !scrubbed.spans[0].text.contains(name),
            "{claim}: {}",
            scrubbed.spans[0].text
        );
    }
}
