//! How fast the scrubber is: `cargo xtask bench scrub` builds this in release and runs it. Lines that
//! start with `figure` are for the gates. A folder as the argument is given the texts, for the benchmark
//! in Node.
//!
//! Three texts, made of the shared vectors: as they come, which is dense with names; with prose
//! between them, so that there are about 25,000 replacements to the megabyte; and mostly prose. Then
//! how the time grows from N to 4N bytes on shapes that make a careless scanner quadratic.
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its vectors and looks at the clock"
)]

use std::{env, fs, path::Path, sync::LazyLock, time::Instant};

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

/// How much prose stands between the names, in percent of their length: about 25,000 replacements to
/// the megabyte. The gates are measured on it.
const SOME_PROSE: usize = 34;

fn main() {
    let claims = claims();
    let evidence = evidence();
    if let Some(folder) = env::args().nth(1) {
        write(Path::new(&folder), &evidence, &claims).expect("the folder can be written");
    }
    throughput(&evidence, &claims);
    scaling();
}

fn throughput(evidence: &[String], claims: &[Claim]) {
    let profile = Profile::named("strawberry").expect("built in");
    println!(
        "Throughput, native, strawberry profile, {} claims",
        claims.len()
    );
    for (name, prose) in [
        ("as it comes", 0),
        ("some prose", SOME_PROSE),
        ("mostly prose", 500),
    ] {
        for size in [4 * KB, MB] {
            let spans = [span(text(evidence, prose, size))];
            let count = scrub(&profile, &spans, claims, &Options::default())
                .replacements
                .len();
            let run = |replacements| {
                let options = Options {
                    replacements,
                    ..Options::default()
                };
                std::hint::black_box(scrub(&profile, &spans, claims, &options));
            };
            let [listed, bare] = medians([&|| run(true), &|| run(false)]);
            for (replacements, seconds) in [(true, listed), (false, bare)] {
                println!(
                    "  {:>4} KB {name:<20} {:>6} replacements a MB, listed: {replacements:<5} {:>7.1} MB/s {:>9.1} µs",
                    size / KB,
                    count * MB / size,
                    size as f64 / seconds / 1e6,
                    seconds * 1e6,
                );
            }
            if (size, prose) == (MB, SOME_PROSE) {
                println!("figure native={}", size as f64 / listed / 1e6);
            }
        }
    }
}

fn scaling() {
    println!("Scaling, t(4N)/t(N), N = 256 KB");
    let profile = Profile::named("strawberry").expect("built in");
    let claim = claimgauge_core::evidence::claims(vec![
        "Table users has field a_a_a of length 255, see `a a a a a a`".into(),
    ]);
    let claim = claim.expect("well formed");
    let mut worst = 0.0_f64;
    for shape in SHAPES {
        let text = |size: usize| [span(shape.repeat(size / shape.len()))];
        let (small, large) = (text(MB / 4), text(MB));
        let run = |spans: &[Span]| {
            std::hint::black_box(scrub(&profile, spans, &claim, &Options::default()));
        };
        let [small, large] = medians([&|| run(&small), &|| run(&large)]);
        worst = worst.max(large / small);
        println!(
            "  {:<20} {:>7.1} MB/s {:>6.2}",
            format!("{shape:?}"),
            MB as f64 / large / 1e6,
            large / small
        );
    }
    println!("figure scaling={worst}");
}

/// Writes what the benchmark in Node reads: the same texts and claims, and the SQL among the evidence.
fn write(folder: &Path, evidence: &[String], claims: &[Claim]) -> std::io::Result<()> {
    fs::write(folder.join("text.txt"), text(evidence, SOME_PROSE, MB))?;
    fs::write(folder.join("small.txt"), text(evidence, SOME_PROSE, 4 * KB))?;
    let is_sql = |text: &&String| text.starts_with("CREATE ") || text.starts_with("ALTER ");
    let sql: Vec<String> = evidence.iter().filter(is_sql).cloned().collect();
    fs::write(folder.join("sql.txt"), text(&sql, 0, MB / 4))?;
    let claims: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
    fs::write(
        folder.join("claims.json"),
        serde_json::json!(claims).to_string(),
    )
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

/// How long one run of each takes, in seconds: the medians of several samples, for which they take
/// turns. Each sample is long, as the time of a thread may be counted in steps of some milliseconds.
fn medians<const N: usize>(runs: [&dyn Fn(); N]) -> [f64; N] {
    const SAMPLES: usize = 7;
    let mut times = [const { Vec::new() }; N];
    for _ in 0..SAMPLES {
        for (times, run) in times.iter_mut().zip(runs) {
            times.push(sample(run));
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn sample(run: &dyn Fn()) -> f64 {
    const LEAST: f64 = 0.1;
    let started = now();
    let mut runs = 0;
    loop {
        run();
        runs += 1;
        let time = now() - started;
        if time >= LEAST {
            return time / f64::from(runs);
        }
    }
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

/// `size` bytes of evidence with prose between its pieces: so many percent of their length.
fn text(evidence: &[String], prose: usize, size: usize) -> String {
    let mut text = String::with_capacity(2 * size);
    let mut sentences = PROSE.iter().cycle().peekable();
    let mut silent = 0;
    for piece in evidence.iter().cycle() {
        if text.len() >= size {
            break;
        }
        text.push_str(piece);
        text.push_str("\n\n");
        silent += piece.len() * prose / 100;
        while let Some(sentence) = sentences.next_if(|sentence| sentence.len() <= silent) {
            text.push_str(sentence);
            silent -= sentence.len();
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
            // A placeholder would say that all of the mixture has been scrubbed.
            if !texts.contains(&text) && !text.contains("_1]") {
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
