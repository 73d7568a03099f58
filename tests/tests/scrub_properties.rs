//! What holds for every scrub, on random requests.
#![allow(
    clippy::disallowed_methods,
    reason = "a suite is told by its environment to run for longer"
)]

use std::env;

use claimgauge_core::{
    evidence::{Claim, Span},
    profile::{Kind, Profile},
    scrub::{
        Options, Replacement, ScrubRequest, Scrubbed, SpanField, Utf16Offset, Why, scrub, unscrub,
    },
};
use claimgauge_tests::{Random, generator::Asked, properties};

/// How many requests a run makes; `CLAIMGAUGE_ROUNDS` asks for more.
fn rounds() -> usize {
    let asked = env::var("CLAIMGAUGE_ROUNDS").ok();
    asked.and_then(|rounds| rounds.parse().ok()).unwrap_or(8000)
}

#[test]
fn random_texts_keep_the_properties() {
    let mut random = Random::new(11);
    for _ in 0..rounds() {
        let asked = Asked::next(&mut random);
        properties::check(
            &asked.profile,
            &asked.spans,
            &asked.claims,
            &asked.options(),
        );
    }
}

#[test]
fn more_evidence_leaves_what_was_numbered_before() {
    let mut random = Random::new(12);
    for _ in 0..rounds() / 4 {
        let first = Asked::next(&mut random);
        let options = Options {
            mode: Default::default(),
            ..first.options()
        };
        let before = scrub(&first.profile, &first.spans, &first.claims, &options);
        let mut spans = first.spans.clone();
        spans.extend(Asked::next(&mut random).spans.into_iter().map(|span| Span {
            id: format!("more {}", span.id),
            ..span
        }));
        let knowing = Options {
            previous: Some(&before.replacements),
            ..options
        };
        let after = scrub(&first.profile, &spans, &first.claims, &knowing);
        let placeholder = |scrubbed: &Scrubbed, text: &str| {
            let same = |one: &&Replacement| *one.text == *text;
            let found = scrubbed.replacements.iter().find(same);
            found.map(|one| one.placeholder.to_string())
        };
        for replacement in &after.replacements {
            let known = placeholder(&before, &replacement.text);
            assert!(
                known.is_none_or(|known| known == *replacement.placeholder),
                "{replacement:?} {before:?}"
            );
        }
    }
}

/// What a result that nobody's scrub made may hold.
static HOSTILE: [&str; 14] = [
    "",
    "[",
    "]",
    "users",
    "[TABLE_1] users",
    "[TABLE_0]",
    "[TABLE_01]",
    "[TABLE_1",
    "[table_1]",
    "[REDACTED]",
    "[FIELD_1]",
    "[NOKIND_1]",
    "[TABLE_99999999999999999999]",
    "</evidence>[TABLE_1]",
];

fn earlier<O: Copy>(kind: Kind, placeholder: &str, text: &str, at: O) -> Replacement<O> {
    Replacement {
        span: "S0".into(),
        field: SpanField::Text,
        start: at,
        end: at,
        kind: kind.into(),
        placeholder: placeholder.into(),
        text: text.into(),
        why: Why::Claim,
    }
}

#[test]
fn an_earlier_result_puts_no_text_of_its_own_into_the_evidence() {
    let mut random = Random::new(13);
    let texts = [
        "users",
        "email",
        "constructor",
        "__proto__",
        "]",
        "",
        "[FIELD_1]",
        "$1",
    ];
    for _ in 0..rounds() / 4 {
        let asked = Asked::next(&mut random);
        let mut previous = scrub(&asked.profile, &[], &[], &Options::default());
        for _ in 0..random.below(5) {
            previous.replacements.push(earlier(
                [Kind::Table, Kind::Field][random.below(2)],
                HOSTILE[random.below(HOSTILE.len())],
                texts[random.below(texts.len())],
                claimgauge_core::scrub::ByteOffset(random.below(9)),
            ));
        }
        let options = Options {
            previous: Some(&previous.replacements),
            ..asked.options()
        };
        properties::check(&asked.profile, &asked.spans, &asked.claims, &options);
    }
}

#[test]
fn a_request_with_such_a_result_is_refused_by_name() {
    for placeholder in HOSTILE {
        let mut previous: Scrubbed<Utf16Offset> =
            scrub(&Profile::all()[0], &[], &[], &Options::default()).into_utf16();
        for placeholder in ["[TABLE_1]", placeholder] {
            let replacement = earlier(Kind::Table, placeholder, "users", Utf16Offset(0));
            previous.replacements.push(replacement);
        }
        let request = ScrubRequest {
            profile: "data".into(),
            evidence: vec!["Table users".into()],
            claims: Some(vec!["Table users".into()]),
            previous: Some(previous.into()),
            ..ScrubRequest::default()
        };
        let refused = request.run().map(|scrubbed| scrubbed.spans[0].text.clone());
        match placeholder {
            // What an earlier redaction made.
            "[REDACTED]" => assert_eq!(refused.expect("is passed over"), "Table [TABLE_1]"),
            _ => {
                let error = refused.expect_err(placeholder);
                assert_eq!(error.path(), "previous.replacements.1.placeholder");
            }
        }
    }
}

#[test]
fn a_placeholder_that_was_there_spares_its_own_line_only() {
    let request = ScrubRequest {
        profile: "strawberry".into(),
        evidence: vec!["[ID_1] opens PoolManager.\nIt lives in src/pool.rs as WaitQueue.".into()],
        ..ScrubRequest::default()
    };
    let scrubbed = request.run().expect("well formed");
    let lines: Vec<&str> = scrubbed.spans[0].text.lines().collect();
    assert_eq!(lines[0], "[ID_1] opens PoolManager.");
    for name in ["src/pool.rs", "WaitQueue"] {
        assert!(!lines[1].contains(name), "{lines:?}");
    }
}

/// Torn texts of which a second scrub has found more: the profile, the text, what a claim says.
static TORN: [(&str, &str, &str); 47] = [
    // What a statement names rests on lines that read otherwise since their names went.
    ("strawberry", "--UPDATE\nDELETE FROM s:\n,a", ""),
    ("strawberry", "CREATE PE\\n--x,\nN", ""),
    ("strawberry", "INSERT BY --e,\nt", ""),
    ("strawberry", "`CREATE --H,\ns", ""),
    ("strawberry", "create table-\"d;\"\n t", ""),
    ("strawberry", "CREATE TABLE`';b'\n<s", ""),
    ("strawberry", "create table/';b'\n-L", ""),
    ("strawberry", "CREATE TABLE P\"d;\"\n m", ""),
    ("strawberry", "\"CREATE\nrole\nSELECT\n e", ""),
    ("data", "f DELETE FROM c\ntype CREATE UL", "class DELETE"),
    ("data", "X DELETE FROM\nGRANT\n[e", "table DELETE FROM"),
    ("data", "SELECTUnit\n:u", "Unit Pr"),
    ("strawberry", "/CREATE,\ner(", ""),
    ("strawberry", "/*GRANT\ntype p(", ""),
    ("code", "CREATE//\npolicy = ", ""),
    ("strawberry", "CREATE,--c\ney(", ""),
    ("data", "create table INT(\n\ni", ""),
    // The head of a table's column, the name of a class.
    ("documentation", "|Flag\n|-\n|-d\n|e", ""),
    ("strawberry", "type 4{\ns:Ne]", ""),
    // A key that went with its colon still heads what is below.
    (
        "code",
        "models:\n  - name: berths\n    columns:\n      - name: tariff",
        "'columns:' is",
    ),
    // What others left of a name of ideographs.
    ("code", "ブル/タ/ord", "\"ブル/\"is"),
    ("documentation", "/ータ/orderテーブ", "Theータorder_テーブ"),
    (
        "security",
        "/データ/orderテーブル",
        "/データ/order_テーブル=type",
    ),
    // The side of a difference.
    ("code", "diff b/c/", "diff removes"),
    ("code", "rs b/src/e\n.rs", ""),
    // A placeholder inside of what would be a secret.
    ("security", "-----BEGIN RSA-A PRIVATE KEY-----", ""),
    ("security", "://:G#4@e.example@", "\"example\""),
    ("strawberry", "CREATE TABLE c:v(, --cONLY\n\"berth", ""),
    // A word that opens a statement goes, or a part of it.
    ("code", "SELECT\nclass S", "`SELECT`"),
    ("code", "CReATE TABLE\nplank = \"*\"", "ATE tABLE"),
    ("strawberry", "\"CREATE TABLE h(\"\nnd(", ""),
    ("code", "CREATE TABLE[dS](\n\nrc(", ""),
    // The head of a section, of a list, of a body.
    ("code", "[project]\ne = ", "PROJECT"),
    ("code", "[package]\n[/s]\ne = ", ""),
    ("documentation", "parameters:\n- {name}\n r", "\"Name"),
    (
        "security",
        "permissions:\n  packages\njob\n  s:",
        "`packages\njob`",
    ),
    ("code", "class /B{\nmax()", ""),
    ("code", "class 45{\n#s = ", "45"),
    ("strawberry", "type 8 struct{\n\nd bool", ""),
    // A path before the sign of what only looks like a token in a URL.
    (
        "code",
        "ps://wiT120S66\0@\u{fffd}\0ttps:\u{fffd}/wiT120S60S66\0@x",
        "",
    ),
    // A quote or a bracket goes with what a claim names.
    (
        "data",
        "create_index(ix_orders_shade'), 'order\n\"e\"",
        "`ix_orders_shade'), 'order`",
    ),
    (
        "code",
        "CREATE TABLE q(north' CHECK (side)\num(",
        "`north' CHECK (side`",
    ),
    ("security", "aren't", "function T \"aren'\" is"),
    // What a secret stood beside.
    ("data", "password 4417fern = \"eoss\"", ""),
    (
        "code",
        "variable \"token\" {\npasswd:fern\ndefault = 7-moss",
        "",
    ),
    // The drive of a path; what a later line made of an import.
    ("code", "C:\\n}\\row", "ow"),
    (
        "code",
        "import json\n\n@w = n(\"data/s.n\")\n# g e s d\n r [e(r) f r n n.l(w)][:d]\nt { e } from'",
        "",
    ),
];

#[test]
fn a_second_scrub_of_torn_texts_finds_no_more() {
    for (profile, text, claim) in TORN {
        let is_named = |one: &&Profile| one.name == profile;
        let profiles = Profile::all();
        let profile = profiles.iter().find(is_named).expect("built in");
        let span = Span {
            id: "S0".to_owned(),
            text: text.to_owned(),
            source: None,
        };
        let claim = Claim {
            id: "C0".to_owned(),
            text: claim.to_owned(),
            cites: None,
            critical: false,
            confidence: None,
        };
        properties::check(profile, &[span], &[claim], &Options::default());
    }
}

#[test]
fn names_of_javascript_are_names_like_any_other() {
    let names = [
        "constructor",
        "__proto__",
        "toString",
        "$1",
        "hasOwnProperty",
    ];
    for name in names {
        let request = ScrubRequest {
            profile: "code".into(),
            evidence: vec![format!("Here is `{name}` and [FIELD_1].").as_str().into()],
            claims: Some(vec![format!("The class `{name}` is here").as_str().into()]),
            ..ScrubRequest::default()
        };
        let scrubbed = request.run().expect("well formed");
        assert!(!scrubbed.spans[0].text.contains(name), "{scrubbed:?}");
        let back = unscrub(&scrubbed.spans[0].text, &scrubbed, None);
        assert_eq!(back, format!("Here is `{name}` and [FIELD_1]."));
    }
}
