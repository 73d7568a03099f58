//! The second opinion: a claim's atoms, whether the evidence holds each, and what that does to findings.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests are a host: they read vectors; a suite that cannot go on is a failed test"
)]

use std::{fs, path::Path};

use claimgauge_core::{
    builtin,
    decide::{Flag, Status},
    evidence::{Claim, Request, Span},
    profile::Profile,
    report::{Atom, AtomKind, Indicator, Report},
    scrub::{Options, Why, scrub},
    verification::{Answer, Pass, Step, Verification},
};
use serde::Deserialize;
use serde_json::{Value, json};

fn spans(texts: &[&str]) -> Vec<Span> {
    let span = |(at, text): (usize, &&str)| Span {
        id: format!("S{at}"),
        text: (*text).to_owned(),
        source: None,
    };
    texts.iter().enumerate().map(span).collect()
}

fn atoms(texts: &[&str], claim: &str) -> Vec<Atom> {
    builtin::atoms(&spans(texts), claim)
}

/// Text, kind, and the span that holds it.
type Row<'a> = (&'a str, AtomKind, Option<&'a str>);

fn rows(atoms: &[Atom]) -> Vec<Row<'_>> {
    atoms
        .iter()
        .map(|atom| (atom.text.as_str(), atom.kind, atom.span.as_deref()))
        .collect()
}

#[test]
fn atoms_are_what_a_claim_can_be_held_to() {
    use AtomKind::{Date, Identifier, Name, Number, Path, Quote, Version};
    let evidence = [
        "users.email stores addresses, VARCHAR(255). The session lasts 1800 s and costs $5.",
        "Since v2.4.1 (2024-05-01), src/auth/login.ts says \"disk is  Full\" to Ada Lovelace; 50% off, 1 KB.",
    ];
    for (claim, expected) in [
        (
            "Table users has field email of type VARCHAR with length 255",
            &[
                ("users", Identifier, Some("S0")),
                ("email", Identifier, Some("S0")),
                ("VARCHAR", Identifier, Some("S0")),
                ("255", Number, Some("S0")),
            ][..],
        ),
        (
            "`users.email` is 256 long",
            &[
                ("users.email", Identifier, Some("S0")),
                ("256", Number, None),
            ],
        ),
        (
            "The session lasts 30 minutes",
            &[("30 minutes", Number, Some("S0"))],
        ),
        ("The session lasts 30 hours", &[("30 hours", Number, None)]),
        ("It costs $5", &[("$5", Number, Some("S0"))]),
        (
            "Half is 50% and 1024 bytes",
            &[
                ("50%", Number, Some("S1")),
                ("1024 bytes", Number, Some("S1")),
            ],
        ),
        (
            "Since 2.4.1 of 2024-05-01 it says \"Disk is full\"",
            &[
                ("2.4.1", Version, Some("S1")),
                ("2024-05-01", Date, Some("S1")),
                ("Disk is full", Quote, Some("S1")),
            ],
        ),
        (
            "The page says \"disk is empty\"",
            &[("disk is empty", Quote, None)],
        ),
        (
            "The file src/auth/login.ts greets Ada Lovelace and not Grace Hopper",
            &[
                ("src/auth/login.ts", Path, Some("S1")),
                ("Ada Lovelace", Name, Some("S1")),
                ("Grace Hopper", Name, None),
            ],
        ),
        ("It works as it should", &[]),
    ] {
        assert_eq!(rows(&atoms(&evidence, claim)), expected, "{claim}");
    }
}

/// How a claim writes a name, and how the evidence does.
const FORMS: [(&str, &str); 16] = [
    ("user_id", "user_id"),
    ("user_ids", "userId"),
    ("userId", "USER_ID"),
    ("user_id", "user-id"),
    ("user_id", "user id"),
    ("max_connections", "max connections"),
    ("maxConnections", "MaxConnection"),
    ("café_id", "cafe\u{301}_id"),
    ("cafe\u{301}_id", "CAFÉ_ID"),
    ("user_id", "ｕｓｅｒ＿ｉｄ"),
    ("user_id", "us\u{200b}er_id"),
    ("pass\u{ad}word_hash", "password_hash"),
    ("zone_12", "zone_１２"),
    // Others.
    ("user_id", "superuser_ident"),
    ("port_1", "port_11"),
    ("user_id", "user_name"),
];

#[test]
fn a_word_with_the_capital_of_its_sentence_is_no_atom() {
    use AtomKind::{Name, Number};
    for (claim, expected) in [
        ("Letter 3 is long", &[("3", Number, None)][..]),
        ("It fell. Room 12 is empty", &[("12", Number, None)]),
        (
            "It fell in Room 12",
            &[("Room", Name, None), ("12", Number, None)],
        ),
        ("\"Room 12 is empty", &[("12", Number, None)]),
        ("Ada is tall", &[("Ada", Name, None)]),
        (
            "It was signed by Mr. Baker",
            &[("Mr", Name, None), ("Baker", Name, None)],
        ),
    ] {
        assert_eq!(rows(&atoms(&["nothing"], claim)), expected, "{claim}");
    }
}

#[test]
fn a_name_is_grounded_in_the_forms_that_the_scrubber_takes_out() {
    let profile = Profile::named("strawberry").unwrap();
    for (name, other) in FORMS {
        let (claim, text) = (
            format!("The setting {name} is read."),
            format!("First comes {other} in the list."),
        );
        let texts = [text.as_str()];
        let atoms = atoms(&texts, &claim);
        let atom = atoms.iter().find(|atom| atom.text == name);
        let claims = [Claim {
            id: "C0".into(),
            text: claim.clone(),
            cites: None,
            critical: false,
            confidence: None,
        }];
        let scrubbed = scrub(&profile, &spans(&texts), &claims, &Options::default());
        let removed = scrubbed
            .replacements
            .iter()
            .any(|replacement| *replacement.text == *other && replacement.why == Why::Claim);
        let atom = atom.unwrap_or_else(|| panic!("{name}: {atoms:?}"));
        assert_eq!(
            atom.grounded, removed,
            "{name} in {other}: {:?}",
            scrubbed.spans
        );
    }
}

#[test]
fn a_value_that_sits_in_the_slot_is_the_rival() {
    let rivals = |texts: &[&str], claim| -> Vec<(String, Option<String>)> {
        let atoms = atoms(texts, claim).into_iter();
        atoms.map(|atom| (atom.text, atom.rival)).collect()
    };
    let found = rivals(&["heap_limit: 512\nstack_limit: 64"], "heap_limit is 64");
    assert_eq!(
        found,
        [
            ("heap_limit".into(), None),
            ("64".into(), Some("512".into()))
        ]
    );
    let found = rivals(&["heap_limit: 512\nstack_limit: 64"], "heap_limit is 512");
    assert_eq!(found, [("heap_limit".into(), None), ("512".into(), None)]);
}

/// Runs one claim with a judge that is sure of it, and the second opinion.
fn verify(evidence: &str, claim: &str, policy: Value) -> Report {
    let request: Request = serde_json::from_value(json!({
        "profile": "strawberry", "evidence": [evidence], "claims": [claim], "policy": policy,
    }))
    .unwrap();
    let mut verification = Verification::new(request).unwrap();
    loop {
        match verification.poll(1) {
            Step::Ask(requests) => {
                for request in requests {
                    let full = request.pass == Pass::Full;
                    let opinion = vec![builtin::atoms(&request.spans, &request.claim_text)];
                    let taken = verification.handle_atoms(&request.id, opinion);
                    assert_eq!(taken.is_ok(), full, "{}", request.id);
                    let says = if full {
                        r#"{"verdict":"ENTAILED","confidence":0.95}"#
                    } else {
                        r#"{"verdict":"UNSURE","confidence":0.30}"#
                    };
                    verification
                        .handle(&request.id, Answer::text(says))
                        .unwrap();
                }
            }
            Step::Wait => panic!("nothing is open"),
            Step::Done(report) => return *report,
        }
    }
}

#[test]
fn what_the_evidence_lacks_is_flagged_and_lowers_only_where_the_policy_says_so() {
    let evidence = "max_retries: 5\nmax_depth: 7";
    let (warn, cap) = (json!({}), json!({ "on_ungrounded": "cap" }));
    let rows = [
        ("max_retries is 5", &[][..], Status::Verified),
        (
            "max_retries is 6",
            &[Flag::Ungrounded, Flag::RivalValue],
            Status::Plausible,
        ),
        ("max_retries is 7", &[Flag::RivalValue], Status::Plausible),
        (
            "max_retries is 5 for Kafka",
            &[Flag::Ungrounded],
            Status::Plausible,
        ),
    ];
    for (claim, flags, capped) in rows {
        let second = |finding: &[Flag]| -> Vec<Flag> {
            let ours = [Flag::Ungrounded, Flag::RivalValue].into_iter();
            ours.filter(|flag| finding.contains(flag)).collect()
        };
        let report = verify(evidence, claim, warn.clone());
        let finding = &report.claims[0];
        assert_eq!(second(&finding.flags), flags, "{claim}");
        assert_eq!(finding.status, Status::Verified, "{claim}");
        let report = verify(evidence, claim, cap.clone());
        let finding = &report.claims[0];
        assert_eq!(second(&finding.flags), flags, "{claim}");
        assert_eq!(finding.status, capped, "{claim}");
        assert_eq!(finding.action, capped.action(), "{claim}");
        assert_eq!(
            report.summary.verified,
            usize::from(capped == Status::Verified)
        );
    }
}

#[test]
fn a_claim_without_an_atom_is_a_generic_pattern() {
    let has = |claim| {
        let report = verify("It works well.", claim, json!({}));
        report.claims[0]
            .indicators
            .contains(&Indicator::GenericPattern)
    };
    assert!(has("It works well"));
    assert!(!has("It works well on Tuesday 5"));
}

#[test]
fn a_secret_is_no_atom() {
    let report = verify(
        "password=hunter2secret9 opens it",
        "The password=hunter2secret9 opens it",
        json!({}),
    );
    let finding = &report.claims[0];
    assert!(finding.flags.contains(&Flag::SecretInClaim));
    assert!(
        finding
            .atoms
            .iter()
            .all(|atom| !atom.text.contains("hunter")),
        "{:?}",
        finding.atoms
    );
}

#[derive(Deserialize)]
struct Case {
    label: u8,
    claim: String,
    evidence: Vec<String>,
}

/// Atoms of claims that their evidence supports, and how many of them it lacks.
#[test]
fn what_is_supported_is_seldom_called_ungrounded() {
    for file in ["seedstyle40.jsonl", "mutbench_a.jsonl"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("vectors/claims")
            .join(file);
        let text = fs::read_to_string(path).unwrap();
        let cases = text
            .lines()
            .map(|line| serde_json::from_str::<Case>(line).unwrap());
        let mut flagged = [[0, 0], [0, 0]];
        for case in cases {
            let texts: Vec<&str> = case.evidence.iter().map(String::as_str).collect();
            let atoms = atoms(&texts, &case.claim);
            let lacks = atoms.iter().any(|atom| !atom.grounded);
            let rival = atoms.iter().any(|atom| atom.rival.is_some());
            let row = &mut flagged[usize::from(case.label)];
            row[usize::from(lacks || rival)] += 1;
            if case.label == 1 && (lacks || rival) {
                println!("{} {:?}", case.claim, atoms);
            }
        }
        let [unsupported, supported] = flagged;
        println!(
            "{file}: supported {supported:?}, unsupported {unsupported:?} (not flagged, flagged)"
        );
        assert!(supported[1] * 50 <= supported[0], "{file}");
        assert!(unsupported[1] * 2 >= unsupported[0], "{file}");
    }
}
