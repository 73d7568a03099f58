//! How fast the scrubber is: `cargo xtask bench scrub` builds this in release and runs it.
//!
//! Two texts, made of the shared vectors: one as they are, dense with names, and one in which prose
//! stands between them, with 25,000 replacements to the megabyte, as guides and logs have. Then how
//! the time grows from N to 4N bytes on shapes that make a careless scanner quadratic.
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its vectors and looks at the clock"
)]

use std::{fs, path::Path, time::Instant};

use claimgauge_core::{
    evidence::{Claim, Span},
    profile::Profile,
    scrub::{Options, scrub},
};
use serde_json::Value;

const KB: usize = 1 << 10;
const MB: usize = 1 << 20;

/// What a guide says between its names: nothing here is replaced.
static PROSE: &[&str] = &[
    "Before you begin, make sure that the service is running and that you can reach it from your machine. ",
    "This page describes what happens when a request is sent, and how the answer is put together.\n",
    "If something goes wrong, look at the log first; most problems are explained there in plain words. ",
    "The examples below assume a fresh installation, but they work in the same way on an older one.\n\n",
    "Note that changes are not applied at once: they are collected and written when the batch is full. ",
    "Do not share this file with anyone who should not be able to read what is stored in the system.\n",
];

fn main() {
    let claims = claims();
    let profile = Profile::named("strawberry").expect("built in");
    let evidence = evidence();

    println!("Throughput, strawberry profile, {} claims", claims.len());
    for (name, every) in [("as it comes", usize::MAX), ("with prose between", 1)] {
        for size in [4 * KB, MB] {
            let text = text(&evidence, every, size);
            let spans = [span(text)];
            for replacements in [true, false] {
                let options = Options {
                    replacements,
                    ..Options::default()
                };
                let count = scrub(&profile, &spans, &claims, &Options::default())
                    .replacements
                    .len();
                let seconds = median(|| scrub(&profile, &spans, &claims, &options), size);
                println!(
                    "  {:>4} KB {name:<20} {:>6} replacements a MB, listed: {:<5} {:>7.1} MB/s {:>9.1} µs",
                    size / KB,
                    count * MB / size,
                    replacements,
                    size as f64 / seconds / 1e6,
                    seconds * 1e6,
                );
            }
        }
    }

    println!("Scaling, t(4N)/t(N), N = 256 KB");
    let claim = claimgauge_core::evidence::claims(vec![
        "Table users has field a_a_a of length 255, see `a a a a a a`".into(),
    ]);
    let claim = claim.expect("well formed");
    for shape in SHAPES {
        let time = |size: usize| {
            let spans = [span(shape.repeat(size / shape.len()))];
            median(
                || scrub(&profile, &spans, &claim, &Options::default()),
                size,
            )
        };
        let (small, large) = (time(MB / 4), time(MB));
        println!(
            "  {shape:<32?} {:>6.1} MB/s {:>6.2}",
            MB as f64 / large / 1e6,
            large / small
        );
    }
}

/// The first is one token.
static SHAPES: [&str; 10] = [
    "a",
    "aA",
    "1.",
    "a/",
    "a a ",
    "[TABLE_",
    "https://a:b@",
    "password=",
    "def f(a, ",
    "CREATE TABLE a (",
];

/// The median of several runs, in seconds.
fn median<T>(mut run: impl FnMut() -> T, size: usize) -> f64 {
    let runs = (8 * MB / size).clamp(9, 400);
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let started = Instant::now();
            std::hint::black_box(run());
            started.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn span(text: String) -> Span {
    Span {
        id: "S0".to_owned(),
        text,
        source: None,
    }
}

/// `size` bytes of evidence with `prose` sentences behind each piece.
fn text(evidence: &[String], prose: usize, size: usize) -> String {
    let mut text = String::with_capacity(2 * size);
    let mut sentences = PROSE.iter().cycle();
    for piece in evidence.iter().cycle() {
        if text.len() >= size {
            break;
        }
        text.push_str(piece);
        text.push('\n');
        if prose != usize::MAX {
            let length = piece.len() * prose;
            let mut said = 0;
            while said < length {
                let sentence = sentences.next().expect("a cycle");
                text.push_str(sentence);
                said += sentence.len();
            }
        }
    }
    let mut end = size;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

fn vectors(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("vectors")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The evidence of all vectors, each text once.
fn evidence() -> Vec<String> {
    let cases: Vec<Value> = serde_json::from_str(&vectors("scrub.json")).expect("JSON");
    let lines = [
        vectors("claims/seedstyle40.jsonl"),
        vectors("claims/mutbench_a.jsonl"),
    ]
    .concat();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let mut texts: Vec<String> = Vec::new();
    for case in cases.into_iter().chain(lines) {
        for span in case["evidence"].as_array().into_iter().flatten() {
            let text = span.as_str().or_else(|| span["text"].as_str());
            let text = text.expect("a text").to_owned();
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    texts
}

fn claims() -> Vec<Claim> {
    let claims = vectors("claims/seedstyle40.jsonl")
        .lines()
        .take(10)
        .map(|line| {
            let case: Value = serde_json::from_str(line).expect("JSON");
            case["claim"].as_str().expect("a text").into()
        })
        .collect();
    claimgauge_core::evidence::claims(claims).expect("well formed")
}
