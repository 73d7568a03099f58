//! How fast the scrubber is: `cargo xtask bench scrub` builds this in release and runs it.
//!
//! Three texts, made of the shared vectors: as they come, which is dense with names; with prose
//! between them, so that there are about 25,000 replacements to the megabyte; and mostly prose. Then
//! how the time grows from N to 4N bytes on shapes that make a careless scanner quadratic.
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its vectors and looks at the clock"
)]

use std::{fs, path::Path, sync::LazyLock, time::Instant};

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
    "Before you begin, make sure that you have enough room and that nobody else works on the same thing. ",
    "What happens then is described below, and how everything is put together afterwards.\n",
    "If something goes wrong, look there before anywhere else; most problems are explained in plain words. ",
    "These examples assume that nothing has been changed, but they work in just the same way otherwise.\n\n",
    "Note that this does not happen at once: everything is collected, and written as soon as that makes sense. ",
    "Never share it with anyone who should not be able to look at what has been put there.\n",
];

fn main() {
    let claims = claims();
    let profile = Profile::named("strawberry").expect("built in");
    let evidence = evidence();

    println!("Throughput, strawberry profile, {} claims", claims.len());
    for (name, prose) in [
        ("as it comes", 0),
        ("some prose", 25),
        ("mostly prose", 500),
    ] {
        for size in [4 * KB, MB] {
            let text = text(&evidence, prose, size);
            let spans = [span(text)];
            for replacements in [true, false] {
                let options = Options {
                    replacements,
                    ..Options::default()
                };
                let count = scrub(&profile, &spans, &claims, &Options::default())
                    .replacements
                    .len();
                let seconds = median(|| scrub(&profile, &spans, &claims, &options));
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
            median(|| scrub(&profile, &spans, &claim, &Options::default()))
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

/// How long one run takes, in seconds: the median of several samples. Each is long, as the time of
/// a thread may be counted in steps of some milliseconds.
fn median<T>(mut run: impl FnMut() -> T) -> f64 {
    const SAMPLES: usize = 5;
    const LEAST: f64 = 0.1;
    let mut times: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let started = now();
            let mut runs = 0;
            loop {
                std::hint::black_box(run());
                runs += 1;
                let time = now() - started;
                if time >= LEAST {
                    return time / f64::from(runs);
                }
            }
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Seconds of this thread's own time where the system counts it, so that what else runs on the
/// machine disturbs less; else those of the clock.
fn now() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let own = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = own.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |time| time / 1e9)
}

fn span(text: String) -> Span {
    Span {
        id: "S0".to_owned(),
        text,
        source: None,
    }
}

/// `size` bytes of evidence, each piece with prose behind it: so many percent of its length.
fn text(evidence: &[String], prose: usize, size: usize) -> String {
    let mut text = String::with_capacity(2 * size);
    let mut sentences = PROSE.iter().cycle();
    for piece in evidence.iter().cycle() {
        if text.len() >= size {
            break;
        }
        text.push_str(piece);
        text.push_str("\n\n");
        let mut silent = piece.len() * prose / 100;
        while silent > 0 {
            let sentence = sentences.next().expect("a cycle");
            text.push_str(sentence);
            silent = silent.saturating_sub(sentence.len());
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
