//! How well the built-in judge tells labelled claims, and how fast: `cargo xtask bench builtin` builds this
//! in release and runs it. Lines that start with `figure` are for the gates. A folder as the argument is
//! given the text that is timed, for the benchmark in Node; `--verbose` lists every claim that is told wrongly.
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark writes its input and looks at the clock"
)]

use std::{collections::BTreeMap, env, fs, hint::black_box, path::Path, time::Instant};

use claimgauge_core::{
    builtin,
    calibration::{Interval, Labelled, Score, calibrate},
    judgement::Verdict,
    profile::ProfileChoice,
    report::Finding,
};
use claimgauge_tests::claims::{
    BLIND, Case, KNOWN, domains, fit, is_accepted, labelled, read, read_all, samples, spans,
    verdict, verify,
};

/// The evidence that is timed.
const TIMED_BYTES: usize = 10 * 1024;
const SAMPLES: usize = 200;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let verbose = arguments.iter().any(|argument| argument == "--verbose");
    println!("A check of terms and slots, not a reading.");
    for set in KNOWN.iter().chain(&BLIND) {
        quality(set, verbose);
    }
    left_out();
    let folder = arguments
        .iter()
        .find(|argument| !argument.starts_with("--"));
    speed(folder.map(Path::new));
}

/// One claim with what came of it.
struct Told {
    case: Case,
    finding: Finding,
}

impl Told {
    fn verdict(&self) -> Verdict {
        let full = self.finding.full.as_ref();
        full.and_then(|pass| pass.verdict)
            .unwrap_or(Verdict::Unsure)
    }

    fn full_is_right(&self) -> bool {
        (self.verdict() == Verdict::Entailed) == self.case.is_supported()
    }

    fn delta_is_right(&self) -> bool {
        is_accepted(self.finding.status) == self.case.is_supported()
    }
}

fn quality(set: &str, verbose: bool) {
    let told: Vec<Told> = read(set)
        .into_iter()
        .map(|case| Told {
            finding: verify(&case),
            case,
        })
        .collect();
    println!("\n{set}: {} claims", told.len());
    by("mutation", &told, Case::mutation);
    if told.iter().any(|one| !one.case.dom.is_empty()) {
        by("domain", &told, |case| &case.dom);
    }
    by_profile(&told);
    faults(&told, verbose);
}

/// A row for each group: the verdicts of the full pass, and the shares that each pass tells right.
fn by(title: &str, told: &[Told], group: for<'a> fn(&'a Case) -> &'a str) {
    println!(
        "\n  {title:<12} {:>6} {:>24}   {:<20} {:<20}",
        "claims", "entailed/contra/unsure", "right, full pass", "right, both passes"
    );
    let mut groups: BTreeMap<&str, Vec<&Told>> = BTreeMap::new();
    for one in told {
        groups.entry(group(&one.case)).or_default().push(one);
    }
    for (name, group) in groups {
        let verdicts = Verdict::ALL.map(|verdict| {
            let same = group.iter().filter(|one| one.verdict() == verdict);
            same.count().to_string()
        });
        println!(
            "  {name:<12} {:>6} {:>24}   {:<20} {:<20}",
            group.len(),
            verdicts.join(" / "),
            share(group.iter().map(|one| one.full_is_right())),
            share(group.iter().map(|one| one.delta_is_right())),
        );
    }
}

/// How well the passes tell the labels, and which status each label got, under each profile.
fn by_profile(told: &[Told]) {
    let mut profiles: BTreeMap<&str, Vec<Labelled>> = BTreeMap::new();
    for one in told {
        let all = if profiles_of(told) > 1 {
            &["all", one.case.profile()][..]
        } else {
            &[one.case.profile()]
        };
        for name in all {
            let labelled = labelled(&one.case, &one.finding);
            profiles.entry(name).or_default().push(labelled);
        }
    }
    for (name, claims) in profiles {
        // "all" mixes profiles: only what knows no threshold is counted for it.
        let profile = if name == "all" { "strawberry" } else { name };
        let profile = ProfileChoice::Named(profile.into())
            .resolve()
            .expect("a profile");
        let seen = calibrate(&profile.thresholds, &claims);
        println!(
            "\n  {name}: {} supported, {} not",
            seen.supported, seen.unsupported
        );
        for score in &seen.scores {
            print_score(score, name == "all" && score.of != "full");
        }
        let statuses = seen.statuses.iter().map(|count| {
            format!(
                "{} {} / {}",
                count.status.label(),
                count.supported,
                count.unsupported
            )
        });
        println!(
            "    status, supported / not: {}",
            statuses.collect::<Vec<_>>().join(", ")
        );
    }
}

fn profiles_of(told: &[Told]) -> usize {
    let mut names: Vec<_> = told.iter().map(|one| one.case.profile()).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

fn print_score(score: &Score, mixed: bool) {
    let balanced = score.balanced_accuracy.filter(|_| !mixed);
    println!(
        "    {:<6} AUROC {:<20} balanced accuracy {}",
        score.of,
        interval(score.auroc),
        interval(balanced)
    );
}

/// Supported claims that are told wrongly, always; with `verbose` the others too.
fn faults(told: &[Told], verbose: bool) {
    let supported: Vec<_> = told.iter().filter(|one| one.case.is_supported()).collect();
    let wrong = |verdict| supported.iter().filter(move |one| one.verdict() == verdict);
    println!(
        "\n  false alarms on supported claims: {} contradicted, {} unsure",
        share(
            supported
                .iter()
                .map(|one| one.verdict() == Verdict::Contradicted)
        ),
        share(supported.iter().map(|one| one.verdict() == Verdict::Unsure)),
    );
    for one in wrong(Verdict::Contradicted).chain(wrong(Verdict::Unsure)) {
        print_fault(one);
    }
    if verbose {
        println!("\n  others that are told wrongly");
        for one in told
            .iter()
            .filter(|one| !one.case.is_supported() && !one.full_is_right())
        {
            print_fault(one);
        }
    }
}

fn print_fault(one: &Told) {
    let reasoning = one
        .finding
        .full
        .as_ref()
        .and_then(|pass| pass.reasoning.as_deref());
    println!(
        "    {} {:?}: {} | {}",
        one.case.id,
        one.verdict(),
        one.case.claim,
        reasoning.unwrap_or_default()
    );
}

/// Each domain judged with weights that were fitted without it.
fn left_out() {
    let cases = read_all(&KNOWN);
    println!("\nEach domain of the known sets, with weights fitted without it");
    let mut accuracies = Vec::new();
    for domain in domains(&cases)
        .into_iter()
        .filter(|domain| !domain.is_empty())
    {
        let (out, rest): (Vec<Case>, Vec<Case>) =
            cases.iter().cloned().partition(|case| case.dom == domain);
        let weights = fit(&samples(&rest));
        let mut labels = [[0.0; 2]; 2];
        for (case, (sample, _)) in out.iter().zip(samples(&out)) {
            let judged = builtin::judge(&case.spans(), &case.claim).verdict;
            let entailed = verdict(&sample, judged, &weights) == Verdict::Entailed;
            let [all, right] = &mut labels[usize::from(case.label)];
            *all += 1.0;
            *right += f64::from(u8::from(entailed == case.is_supported()));
        }
        let accuracy = labels.iter().map(|[all, right]| right / all).sum::<f64>() / 2.0;
        println!("  {domain:<12} balanced accuracy {accuracy:.3}");
        accuracies.push(accuracy);
    }
    let worst = accuracies.iter().copied().fold(1.0, f64::min);
    let mean = accuracies.iter().sum::<f64>() / accuracies.len() as f64;
    println!("  mean {mean:.3}, worst {worst:.3}");
}

/// A claim on 10 KB of evidence.
fn speed(folder: Option<&Path>) {
    let (text, claim) = timed_text();
    if let Some(folder) = folder {
        let question = serde_json::json!({ "text": text, "claim": claim });
        fs::write(folder.join("builtin.json"), question.to_string())
            .expect("the folder can be written");
    }
    let spans = spans(&[&text]);
    let mut times: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let start = Instant::now();
            black_box(builtin::reply(black_box(&spans), black_box(&claim)));
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "\nA claim on {} bytes of evidence, native: {:.3} ms",
        text.len(),
        times[SAMPLES / 2]
    );
}

/// Evidence of all domains one after another, cut at 10 KB, and a claim that is about its middle.
fn timed_text() -> (String, String) {
    let cases = read("mutbench_a");
    let mut texts: Vec<&str> = Vec::new();
    for (at, case) in cases.iter().enumerate().step_by(7) {
        let text = case.evidence[at % case.evidence.len()].as_str();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let mut text = texts.join("\n\n");
    let mut end = TIMED_BYTES.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    let held = |case: &&Case| case.is_supported() && text[end / 2..].contains(&case.evidence[0]);
    let claim = cases.iter().find(held).map(|case| case.claim.clone());
    (text, claim.expect("the text holds whole evidence"))
}

/// A share with its 95 % interval.
fn share(right: impl ExactSizeIterator<Item = bool>) -> String {
    let all = right.len() as f64;
    let right = right.filter(|right| *right).count() as f64;
    interval((all > 0.0).then(|| Interval::wilson(right, all)))
}

fn interval(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "n/a".into(),
        |Interval { value, low, high }| format!("{value:.3} [{low:.2}, {high:.2}]"),
    )
}
