//! How fast the shape of an output is checked, natively: `cargo xtask bench output` builds this in release
//! and runs it. Lines that start with `figure` are for the gates. A folder as the argument is given the
//! output, for the benchmark in Node.
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark writes its input and looks at the clock"
)]

use std::{env, fs, hint::black_box, path::Path, time::Instant};

use claimgauge_core::output::{Check, Digest, Given, Options, Step};
use serde_json::{Value, json};

const CLAIMS: usize = 100;
const SAMPLES: usize = 1000;
/// Values that wait for their turn: few enough to be in the processor's cache, as they are for a host.
const RUNS: usize = 5;

fn main() {
    let output = output();
    let text = output.to_string();
    if let Some(folder) = env::args().nth(1) {
        let file = Path::new(&folder).join("output.json");
        fs::write(file, &text).expect("the folder can be written");
    }
    let given = || -> Given { serde_json::from_value(output.clone()).expect("any value") };

    let (mut checked, mut read) = (Vec::new(), Vec::new());
    for _ in 0..SAMPLES {
        let values = [(); RUNS].map(|()| given());
        checked.push(timed(|| values.into_iter().for_each(check)));
        read.push(timed(|| {
            for _ in 0..RUNS {
                check(serde_json::from_str(black_box(&text)).expect("any value"));
            }
        }));
    }
    let [checked, read] = [checked, read].map(median);
    println!("An output of {CLAIMS} claims, {} bytes as JSON", text.len());
    println!("  from a value to a result        {checked:>9.2} µs");
    println!("  from JSON text to a result      {read:>9.2} µs");
    println!("figure output_native={checked}");
}

/// Claims of all kinds, as an agent that did much has them.
fn output() -> Value {
    let claims: Vec<Value> = (0..CLAIMS)
        .map(|at| {
            let path = format!("src/part-{}/file-{at}.ts", at % 7);
            let hash = Digest::of(path.as_bytes());
            let anchor = json!({
                "beforeSnippet": format!("export function before{at}() {{\n  return {at};\n}}\n"),
                "afterSnippet": format!("export function after{at}() {{\n  return {at};\n}}\n"),
                "contentHash": hash,
            });
            match at % 5 {
                0 => json!({ "kind": "file-write", "filePath": path, "contentHash": hash }),
                1 => json!({ "kind": "file-edit", "filePath": path, "anchor": anchor, "editedRegion": { "start": at, "end": at + 3 } }),
                2 => json!({ "kind": "code-inserted", "filePath": path, "anchor": anchor }),
                3 => json!({ "kind": "file-delete", "filePath": path }),
                _ => json!({ "kind": "command-executed", "command": format!("npm test -- part-{at}"), "exitCode": 0 }),
            }
        })
        .collect();
    json!({ "summary": "Did a hundred things.", "traceRef": "trace:run-1", "claims": claims })
}

/// Without a base nothing is asked about files: what is left is the shape, and a result.
fn check(output: Given) {
    let mut check = Check::new(output, Options::default()).expect("no option is wrong");
    match check.poll(1) {
        Step::Done(result) => assert!(black_box(result).valid),
        step => panic!("nothing is to be asked: {step:?}"),
    }
}

/// Microseconds of one of the runs. By the clock: a sample is so short that few are disturbed.
fn timed(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1e6 / RUNS as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
