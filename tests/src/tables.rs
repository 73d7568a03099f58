//! The tables of the documentation that are printed from the core, so that a page and the code cannot differ.
//!
//! A page marks where a table stands, by `<!-- table: NAME -->` and `<!-- end of table -->`. The program
//! `docs_tables` writes what is between them; a test holds it against what would be written.

use std::fmt::Display;

use claimgauge_core::{
    decide::{Decision, Outcome, Policy, Recommendation, Rule, Status, Tally, decide, recommend},
    evidence::Claim,
    judgement::{Basis, Judgement, Verdict},
    profile::{Context, Kind, PRESETS, Profile, Thresholds, Trigger},
};
use serde::Serialize;

use crate::contexts::{CACHED, CONFLICT, EXPLORATORY, QUIET, TIME_SENSITIVE};

/// The pages that have such tables, from the repository's root.
pub const PAGES: [&str; 2] = ["docs/profiles.md", "docs/verdicts.md"];

const BEGIN: &str = "<!-- table: ";
const BEGUN: &str = " -->\n";
const END: &str = "<!-- end of table -->";

/// A page with its tables printed anew.
///
/// # Errors
/// In words, where a table has no end or a name that there is none of.
pub fn printed(page: &str) -> Result<String, String> {
    let mut parts = page.split(BEGIN);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part
            .split_once(BEGUN)
            .ok_or("A table's first line does not end in -->")?;
        let (_, after) = rest
            .split_once(END)
            .ok_or_else(|| format!("The table {name} has no end"))?;
        let table = table(name).ok_or_else(|| format!("There is no table {name}"))?;
        out.push_str(&format!("{BEGIN}{name}{BEGUN}\n{table}\n{END}{after}"));
    }
    Ok(out)
}

fn table(name: &str) -> Option<String> {
    Some(match name {
        "thresholds" => thresholds(),
        "same-passes" => same_passes(),
        "kinds" => kinds(),
        "profiles-of-kinds" => profiles_of_kinds(),
        "presets" => presets(),
        "triggers" => triggers(),
        "actions" => actions(),
        "rules" => rules(),
        "sentences" => sentences(),
        "recommendations" => recommendations(),
        _ => return None,
    })
}

fn thresholds() -> String {
    let row = |profile: &Profile| {
        let Thresholds {
            verified,
            plausible,
        } = profile.thresholds;
        let values = [
            verified.full,
            verified.delta,
            plausible.full,
            plausible.delta,
        ];
        let mut cells = vec![profile.name.clone()];
        cells.extend(values.map(|value| format!("{value:.2}")));
        cells.push(code(profile.trigger.name()));
        cells
    };
    lines(
        &[
            "profile",
            "VERIFIED: full",
            "delta",
            "PLAUSIBLE: full",
            "delta",
            "default trigger",
        ],
        Profile::all().iter().map(row),
    )
}

/// Pairs of passes (scrubbed, full) that fall on different sides of the profiles' thresholds.
#[rustfmt::skip]
const PAIRS: [(Pass, Pass); 6] = [
    ((Verdict::Unsure, 0.30), (Verdict::Entailed, 0.95)),
    ((Verdict::Unsure, 0.40), (Verdict::Entailed, 0.78)),
    ((Verdict::Entailed, 0.45), (Verdict::Entailed, 0.82)),
    ((Verdict::Entailed, 0.55), (Verdict::Entailed, 0.76)),
    ((Verdict::Entailed, 0.62), (Verdict::Entailed, 0.74)),
    ((Verdict::Entailed, 0.93), (Verdict::Entailed, 0.98)),
];

fn same_passes() -> String {
    let profiles = Profile::all();
    let mut titles = vec!["scrubbed", "full", "delta"];
    titles.extend(profiles.iter().map(|profile| profile.name.as_str()));
    let row = |(scrubbed, full): &(Pass, Pass)| {
        let decided = |profile: &Profile| {
            let (scrubbed, full) = (judgement(*scrubbed), judgement(*full));
            let (scrubbed, full) = (Outcome::from(&scrubbed), Outcome::from(&full));
            decide(&profile.thresholds, scrubbed, full, Policy::default())
        };
        let mut cells = vec![
            said(*scrubbed),
            said(*full),
            format!("{:.2}", full.1 - scrubbed.1),
        ];
        let statuses = profiles.iter().map(decided);
        cells.extend(statuses.map(|decision| decision.status.label().to_owned()));
        cells
    };
    lines(&titles, PAIRS.iter().map(row))
}

fn kinds() -> String {
    let row = |profile: &Profile| {
        let kinds = profile.kinds.iter();
        let kinds: Vec<String> = kinds
            .map(|kind| format!("{} {}", kind.label(), code(kind.word())))
            .collect();
        vec![profile.name.clone(), kinds.join(", ")]
    };
    lines(&["profile", "kinds"], Profile::all().iter().map(row))
}

fn profiles_of_kinds() -> String {
    let profiles = Profile::all();
    let row = |kind: Kind| {
        let those = profiles.iter().filter(|profile| profile.scrubs(kind));
        let those: Vec<&str> = those.map(|profile| profile.name.as_str()).collect();
        let those = match those.is_empty() {
            true => "none of its own: what a claim or a glossary names".to_owned(),
            false => those.join(", "),
        };
        vec![
            code(&format!("[{}_1]", kind.word())),
            kind.label().to_owned(),
            those,
        ]
    };
    lines(&["placeholder", "kind", "profiles"], Kind::all().map(row))
}

fn presets() -> String {
    let row = |preset: &claimgauge_core::profile::Preset| {
        let cells = [
            code(preset.name),
            preset.profile.to_owned(),
            code(preset.trigger.name()),
        ];
        cells.to_vec()
    };
    lines(&["preset", "profile", "trigger"], PRESETS.iter().map(row))
}

const TRIGGERS: [Trigger; 5] = [
    Trigger::Always,
    Trigger::Manual,
    Trigger::OnMediumConfidence,
    Trigger::OnCriticalClaim,
    Trigger::OnConflict,
];

fn triggers() -> String {
    let plain = Claim {
        id: "C0".to_owned(),
        text: "It is so".to_owned(),
        cites: None,
        critical: false,
        confidence: None,
    };
    let sure = |confidence| Claim {
        confidence: Some(confidence),
        ..plain.clone()
    };
    let critical = Claim {
        critical: true,
        ..plain.clone()
    };
    let cases = [
        ("confidence 0.90, HIGH", sure(0.9), QUIET),
        ("confidence 0.89, MEDIUM", sure(0.89), QUIET),
        ("confidence 0.60, MEDIUM", sure(0.6), QUIET),
        ("confidence 0.59, LOW", sure(0.59), QUIET),
        ("no confidence known", plain.clone(), QUIET),
        ("HIGH, from a cached source", sure(0.9), CACHED),
        ("an exploratory question", plain.clone(), EXPLORATORY),
        ("an answer is needed at once", plain.clone(), TIME_SENSITIVE),
        ("the claim is critical", critical, QUIET),
        ("sources disagree", plain, CONFLICT),
    ];
    let row = |(what, claim, context): (&str, Claim, Context)| {
        let mut cells = vec![what.to_owned()];
        cells.extend(
            TRIGGERS.map(|trigger| match trigger.skips(&claim, &context) {
                None => "yes".to_owned(),
                Some(reason) => code(reason.name()),
            }),
        );
        cells
    };
    let mut titles = vec!["claim or context".to_owned()];
    titles.extend(TRIGGERS.map(|trigger| code(trigger.name())));
    lines(&titles, cases.into_iter().map(row))
}

fn actions() -> String {
    let row = |status: Status| vec![bold(status), status.action().to_owned()];
    lines(&["status", "action"], Status::ALL.into_iter().map(row))
}

/// A verdict and a confidence.
type Pass = (Verdict, f64);

/// A row of the status table: what it asks, and passes that it decides under `strawberry`.
struct Example {
    rule: Rule,
    when: &'static str,
    scrubbed: Option<Judgement>,
    full: Option<Judgement>,
}

impl Example {
    fn decide(&self) -> Decision {
        let thresholds = Profile::named("strawberry").expect("built in").thresholds;
        let (scrubbed, full) = (self.scrubbed.as_ref(), self.full.as_ref());
        let decision = decide(&thresholds, scrubbed.into(), full.into(), Policy::default());
        assert_eq!(decision.rule, self.rule, "the example is another row's");
        decision
    }
}

fn examples() -> Vec<Example> {
    let example = |rule, when, scrubbed: Pass, full: Pass| Example {
        rule,
        when,
        scrubbed: Some(judgement(scrubbed)),
        full: Some(judgement(full)),
    };
    let silent = Judgement {
        confidence: None,
        ..judgement((Verdict::Unsure, 0.0))
    };
    use Verdict::*;
    vec![
        Example {
            scrubbed: None,
            ..example(
                Rule::PassFailed,
                "a pass failed, or the bases differ",
                (Unsure, 0.3),
                (Entailed, 0.95),
            )
        },
        example(
            Rule::Contradicted,
            "full CONTRADICTED",
            (Unsure, 0.4),
            (Contradicted, 0.9),
        ),
        Example {
            scrubbed: Some(silent),
            ..example(
                Rule::NoConfidence,
                "a pass has no confidence",
                (Unsure, 0.3),
                (Entailed, 0.95),
            )
        },
        example(
            Rule::ScrubbedContradicted,
            "full ENTAILED, scrubbed CONTRADICTED",
            (Contradicted, 0.7),
            (Entailed, 0.95),
        ),
        example(
            Rule::BothLow,
            "both UNSURE, both below PLAUSIBLE's full",
            (Unsure, 0.3),
            (Unsure, 0.5),
        ),
        example(
            Rule::BothUnsure,
            "both UNSURE",
            (Unsure, 0.7),
            (Unsure, 0.9),
        ),
        example(
            Rule::FullUnsure,
            "full UNSURE, scrubbed was not",
            (Entailed, 0.8),
            (Unsure, 0.7),
        ),
        example(
            Rule::FullLow,
            "full below PLAUSIBLE's full",
            (Entailed, 0.3),
            (Entailed, 0.55),
        ),
        example(
            Rule::ScrubbedUnsure,
            "full ENTAILED, scrubbed UNSURE",
            (Unsure, 0.9),
            (Entailed, 0.95),
        ),
        example(
            Rule::DeltaSmall,
            "delta below PLAUSIBLE's delta",
            (Entailed, 0.93),
            (Entailed, 0.98),
        ),
        example(
            Rule::DeltaLarge,
            "full and delta reach VERIFIED's",
            (Entailed, 0.4),
            (Entailed, 0.95),
        ),
        example(
            Rule::DeltaMedium,
            "otherwise",
            (Entailed, 0.55),
            (Entailed, 0.72),
        ),
    ]
}

/// Each row by an example under `strawberry`.
fn rules() -> String {
    let row = |(at, example): (usize, Example)| {
        let said = |pass: &Option<Judgement>| match pass {
            None => "failed".to_owned(),
            Some(pass) => match pass.confidence {
                None => format!("{} n/a", pass.verdict.label()),
                Some(confidence) => said((pass.verdict, confidence)),
            },
        };
        vec![
            (at + 1).to_string(),
            code(&name(&example.rule)),
            example.when.to_owned(),
            said(&example.scrubbed),
            said(&example.full),
            bold(example.decide().status),
        ]
    };
    lines(
        &["#", "rule", "when", "scrubbed", "full", "status"],
        examples().into_iter().enumerate().map(row),
    )
}

/// What a finding says of the same examples.
fn sentences() -> String {
    let row = |example: Example| {
        let decision = example.decide();
        let flags = decision.flags.iter().map(|flag| code(&name(flag)));
        let flags: Vec<String> = flags.collect();
        vec![code(&name(&decision.rule)), flags.join(", "), decision.why]
    };
    lines(
        &["rule", "flags", "what the finding says"],
        examples().into_iter().map(row),
    )
}

fn recommendations() -> String {
    use Status::*;
    let of = |statuses: &[Status]| {
        let mut tally = Tally {
            claims: statuses.len(),
            ..Tally::default()
        };
        for status in statuses {
            tally.by_status[*status as usize] += 1;
        }
        tally
    };
    let cases = [
        ("the request has no claims", of(&[])),
        (
            "one is UNSUPPORTED, whatever the others are",
            of(&[Verified, Unsupported, Inconclusive]),
        ),
        (
            "one is INCONCLUSIVE",
            of(&[Verified, Inconclusive, Suspicious]),
        ),
        (
            "one has the flag `needs_more_evidence`",
            Tally {
                needs_more: 1,
                ..of(&[Verified, Plausible])
            },
        ),
        (
            "one was skipped as `low_confidence`",
            Tally {
                skipped_low: 1,
                ..of(&[Verified])
            },
        ),
        (
            "one is SUSPICIOUS, and the request says `moreEvidence`",
            Tally {
                more_evidence: true,
                ..of(&[Verified, Suspicious])
            },
        ),
        ("one is SUSPICIOUS", of(&[Verified, Suspicious])),
        (
            "one has the flag `conflict`",
            Tally {
                conflicts: 1,
                ..of(&[Verified, Verified])
            },
        ),
        ("otherwise", of(&[Verified, Plausible])),
    ];
    let row = |(what, tally): (&str, Tally)| {
        let recommendation: Recommendation = recommend(&tally);
        vec![what.to_owned(), recommendation.label().to_owned()]
    };
    lines(&["when", "recommendation"], cases.into_iter().map(row))
}

fn judgement((verdict, confidence): Pass) -> Judgement {
    Judgement {
        verdict,
        confidence: Some(confidence),
        reasoning: String::new(),
        basis: Basis::Verbal,
    }
}

fn said((verdict, confidence): Pass) -> String {
    format!("{} {confidence:.2}", verdict.label())
}

/// As reports write it.
fn name(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("a name");
    value.as_str().expect("a name").to_owned()
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn bold(status: Status) -> String {
    format!("**{}**", status.label())
}

fn lines<T: Display>(titles: &[T], rows: impl Iterator<Item = Vec<String>>) -> String {
    let titles: Vec<String> = titles.iter().map(T::to_string).collect();
    let rule = vec!["---".to_owned(); titles.len()];
    let all = [titles, rule].into_iter().chain(rows);
    all.map(|cells| format!("| {} |\n", cells.join(" | ")))
        .collect()
}
