//! The labelled scrubs, and what holds for every scrub.
//!
//! How the labels are read stands in [`check`]; nothing here shares code with the scrubber.
#![allow(
    clippy::disallowed_methods,
    reason = "a suite looks at the clock, and at how many rounds are asked for"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    time::Instant,
};

use claimgauge_core::{
    evidence::{Claim, ClaimInput, Glossary, Span, SpanInput},
    patterns::{KindInput, KindName},
    profile::{Kind, Profile},
    scrub::{LeakLevel, Mode, Options, ScrubRequest, Scrubbed, redact, scrub, unscrub},
};
use claimgauge_tests::{
    Random,
    cases::LABELLED,
    checker::{holds_token, without_placeholders},
    properties,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    profile: String,
    #[serde(default)]
    claims: Vec<ClaimInput>,
    evidence: Vec<SpanInput>,
    #[serde(default)]
    glossary: Option<Glossary>,
    gone: Vec<String>,
    kept: Vec<String>,
    kinds: BTreeMap<String, KindName>,
    #[serde(default)]
    same: Vec<Vec<String>>,
    #[serde(default)]
    exact: Option<String>,
    #[serde(default)]
    mode: Option<Mode>,
    /// Kinds instead of the profile's.
    #[serde(default)]
    own: Option<Vec<KindInput>>,
    /// What was scrubbed before, in the same profile.
    #[serde(default)]
    previous: Option<Before>,
    /// S0's whole text as the full pass reads it.
    #[serde(default)]
    hidden: Option<String>,
    /// All leaks: what survives, and how.
    #[serde(default)]
    leaks: Option<Vec<(String, LeakLevel)>>,
    /// For each claim how many of its terms went, of how many.
    #[serde(default)]
    removed: Option<Vec<(usize, usize)>>,
}

#[derive(Deserialize)]
struct Before {
    claims: Vec<ClaimInput>,
    evidence: Vec<SpanInput>,
}

impl Case {
    fn request(&self) -> ScrubRequest {
        let previous = self.previous.as_ref().map(|before| {
            let first = self.asked(&before.evidence, &before.claims);
            let first = first.run().expect("the cases are well formed");
            first.into_utf16().into()
        });
        ScrubRequest {
            mode: self.mode,
            previous,
            ..self.asked(&self.evidence, &self.claims)
        }
    }

    fn asked(&self, evidence: &[SpanInput], claims: &[ClaimInput]) -> ScrubRequest {
        ScrubRequest {
            profile: self.profile.as_str().into(),
            evidence: evidence.to_vec(),
            claims: Some(claims.to_vec()),
            glossary: self.glossary.clone(),
            kinds: self.own.clone(),
            ..ScrubRequest::default()
        }
    }

    fn scrub(&self) -> Scrubbed {
        self.request().run().expect("the cases are well formed")
    }
}

fn cases_of(file: &str, text: &str) -> Vec<Case> {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn cases() -> Vec<Case> {
    let files = LABELLED.iter();
    files
        .flat_map(|(file, text)| cases_of(file, text))
        .collect()
}

/// Everything that is wrong with a scrub of this case.
fn check(case: &Case, scrubbed: &Scrubbed) -> Vec<String> {
    let mut wrong = Vec::new();
    let texts: Vec<&str> = scrubbed
        .spans
        .iter()
        .flat_map(|span| [Some(span.text.as_str()), span.source.as_deref()])
        .flatten()
        .collect();
    for gone in &case.gone {
        if texts
            .iter()
            .any(|text| holds_token(&without_placeholders(text), gone))
        {
            wrong.push(format!("{gone:?} is still there"));
        }
    }
    for kept in &case.kept {
        if !texts.iter().any(|text| text.contains(kept)) {
            wrong.push(format!("{kept:?} was lost"));
        }
    }
    for (surface, kind) in &case.kinds {
        match covering(scrubbed, surface) {
            Some(found) if found.0 == *kind => {}
            Some(found) => wrong.push(format!("{surface:?} is {:?}, not {kind:?}", found.0)),
            None => wrong.push(format!("{surface:?} is not covered")),
        }
    }
    for group in &case.same {
        let placeholders: BTreeSet<Option<String>> = group
            .iter()
            .map(|surface| covering(scrubbed, surface).map(|found| found.1))
            .collect();
        if placeholders.len() != 1 || placeholders.contains(&None) {
            wrong.push(format!("{group:?} are {placeholders:?}"));
        }
    }
    if let Some(exact) = &case.exact
        && scrubbed.spans[0].text != *exact
    {
        wrong.push(format!("expected {exact:?}"));
    }
    if let Some(expected) = &case.hidden {
        let hidden = &scrubbed.hidden(&spans_of(case))[0].text;
        if hidden != expected {
            wrong.push(format!("the full pass reads {hidden:?}"));
        }
    }
    if let Some(expected) = &case.leaks {
        let leaks = scrubbed.leaks.iter();
        let leaks: Vec<_> = leaks.map(|leak| (leak.term.clone(), leak.level)).collect();
        if leaks != *expected {
            wrong.push(format!("leaks are {leaks:?}"));
        }
    }
    if let Some(expected) = &case.removed {
        let removed = scrubbed.removed.iter();
        let removed: Vec<_> = removed.map(|one| (one.gone, one.of)).collect();
        if removed != *expected {
            wrong.push(format!("removed are {removed:?}"));
        }
    }
    if !wrong.is_empty() {
        wrong.extend(texts.iter().map(|text| format!("  {text}")));
    }
    wrong
}

/// The kind and placeholder of the shortest stretch that holds the surface as a whole token.
fn covering(scrubbed: &Scrubbed, surface: &str) -> Option<(KindName, String)> {
    let surface = surface
        .trim_matches(['"', '\'', '`', '$'])
        .trim_end_matches("()");
    scrubbed
        .replacements
        .iter()
        .filter(|replacement| holds_token(&replacement.text, surface))
        .min_by_key(|replacement| replacement.text.len())
        .map(|replacement| {
            (
                replacement.kind.clone(),
                replacement.placeholder.to_string(),
            )
        })
}

#[test]
fn labelled_cases_come_out_right() {
    let mut all = Vec::new();
    for (file, text) in LABELLED {
        let cases = cases_of(file, text);
        assert!(!cases.is_empty(), "{file} has no cases");
        let wrong = cases.iter().filter_map(|case| {
            let wrong = check(case, &case.scrub());
            (!wrong.is_empty()).then(|| format!("{}:\n    {}", case.id, wrong.join("\n    ")))
        });
        let wrong: Vec<String> = wrong.collect();
        let right = cases.len() - wrong.len();
        println!(
            "{file}: {right} of {} labelled scrubs are right",
            cases.len()
        );
        all.extend(wrong);
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

fn spans_of(case: &Case) -> Vec<Span> {
    claimgauge_core::evidence::spans(case.evidence.clone()).expect("well formed")
}

fn claims_of(case: &Case) -> Vec<Claim> {
    claimgauge_core::evidence::claims(case.claims.clone()).expect("well formed")
}

#[test]
fn every_case_keeps_the_properties_in_every_profile() {
    for case in cases() {
        for profile in Profile::all() {
            properties::check(
                &profile,
                &spans_of(&case),
                &claims_of(&case),
                &Options::default(),
            );
        }
    }
}

#[test]
fn lines_that_end_as_on_windows_are_read_as_others() {
    let carriage = |text: &str| text.replace('\n', "\r\n");
    let mut wrong = Vec::new();
    for mut case in cases() {
        let unix = case.scrub();
        for span in &mut case.evidence {
            span.text = carriage(&span.text);
        }
        for (unix, windows) in unix.spans.iter().zip(case.scrub().spans) {
            if carriage(&unix.text) != windows.text {
                wrong.push(format!("{}:\n{}\n{}", case.id, unix.text, windows.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// What stands on a line that has been scrubbed says no more what it headed, opened or went on with: whatever
/// part of a text goes, what is left is read as it was.
#[test]
fn a_second_scrub_changes_nothing_whichever_names_and_kinds_go() {
    let texts: Vec<String> = cases()
        .iter()
        .flat_map(spans_of)
        .map(|span| span.text)
        .collect();
    let kinds: Vec<Kind> = Profile::all()
        .into_iter()
        .flat_map(|profile| profile.kinds)
        .collect();
    let asked = env::var("CLAIMGAUGE_ROUNDS").ok();
    let rounds = asked
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(10_000);
    let mut random = Random::new(17);
    let mut broken = Vec::new();
    for _ in 0..rounds {
        let mut profile = Profile::all().swap_remove(random.below(5));
        if random.below(2) == 0 {
            profile.kinds = kinds
                .iter()
                .copied()
                .filter(|_| random.below(3) == 0)
                .collect();
        }
        let mut text = String::new();
        for _ in 0..1 + random.below(3) {
            let lines: Vec<&str> = texts[random.below(texts.len())].lines().collect();
            let first = random.below(lines.len());
            let last = first + random.below(lines.len() + 1 - first);
            text.push_str(&lines[first..last].join("\n"));
            text.push_str(["\n", "\n\n", " "][random.below(3)]);
        }
        let words: Vec<&str> = text
            .split(|char: char| !char.is_alphanumeric() && char != '_')
            .collect();
        let claims = (0..random.below(3)).map(|at| Claim {
            id: format!("C{at}"),
            text: format!("The table `{}` is here", words[random.below(words.len())]),
            cites: None,
            critical: false,
            confidence: None,
        });
        let claims: Vec<Claim> = claims.collect();
        let spans = spans(&[&text]);
        let once = scrub(&profile, &spans, &claims, &Options::default());
        let again = scrub(&profile, &once.spans, &claims, &Options::default());
        if again.spans != once.spans {
            let claims: Vec<&String> = claims.iter().map(|claim| &claim.text).collect();
            let (once, again) = (&once.spans[0].text, &again.spans[0].text);
            broken.push(format!(
                "{:?} {claims:?}\n{text}\n-> {once}\n-> {again}",
                profile.kinds
            ));
        }
    }
    assert!(
        broken.is_empty(),
        "{} broken: {}",
        broken.len(),
        broken.join("\n\n")
    );
}

/// Headings, keywords and calls that say how the lines below are read, which have no kind of their own here:
/// once they are scrubbed, those lines have none either.
#[test]
fn lines_below_what_was_scrubbed_stay_as_they_were() {
    use Kind::*;
    #[rustfmt::skip]
    let cases: [(&[Kind], &str, &str); 8] = [
        (&[Config], "The field `dependencies` is here", "{\n  \"dependencies\": {\n    \"left-pad\": \"^1.2.0\"\n  }\n}"),
        (&[Config], "The field `dependencies` is here", "[dependencies]\nleft-pad = \"1\"\n"),
        (&[Role], "The field `permissions` is here", "roles:\n  permissions:\n    - berth_open\n"),
        (&[Role], "The field `name` is here", "| role name | since |\n| --- | --- |\n| mate | 2031 |\n"),
        (&[Col], "The field `sealed_box` is here", "addColumn(\n  \"bales\",\n  sealed_box(\n    \"wet\"))\n"),
        (&[Class], "The field `Barge` is here", "object Barge {\n  Moor(rope) {\n  }\n}\n"),
        (&[Func], "The field `view` is here", "create view late as\nselect id\nfrom loans as l where due(l)\n"),
        (&[Var, Func], "The field `x` is here", "`CREATE TAB :stays (\n  stay_no BIGINT,\n  phone(VARCHAR(20)Age"),
    ];
    let mut changed = Vec::new();
    for (kinds, claim, text) in cases {
        let mut profile = Profile::all().swap_remove(0);
        profile.kinds = kinds.to_vec();
        let claims = claimgauge_core::evidence::claims(vec![claim.into()]).expect("well formed");
        let once = scrub(&profile, &spans(&[text]), &claims, &Options::default());
        let again = scrub(&profile, &once.spans, &claims, &Options::default());
        if again.spans != once.spans {
            changed.push((once.spans[0].text.clone(), again.spans[0].text.clone()));
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}

fn request(profile: &str, evidence: &[&str], claims: &[&str]) -> ScrubRequest {
    ScrubRequest {
        profile: profile.into(),
        evidence: evidence.iter().map(|text| (*text).into()).collect(),
        claims: Some(claims.iter().map(|text| (*text).into()).collect()),
        ..ScrubRequest::default()
    }
}

fn spans(texts: &[&str]) -> Vec<Span> {
    let inputs = texts.iter().map(|text| (*text).into()).collect();
    claimgauge_core::evidence::spans(inputs).expect("well formed")
}

#[test]
fn the_worked_example_hides_what_its_claim_names() {
    let scrubbed = request(
        "strawberry",
        &[
            "users.email stores user email addresses, VARCHAR(255)",
            "email column, type VARCHAR, max length 255",
        ],
        &["Table users contains field email with data type VARCHAR and length 255"],
    )
    .run()
    .expect("well formed");
    let texts: Vec<&str> = scrubbed
        .spans
        .iter()
        .map(|span| span.text.as_str())
        .collect();
    assert_eq!(
        texts,
        [
            "[TABLE_1].[FIELD_1] stores [TABLE_1] [FIELD_1] addresses, VARCHAR([NUM_1])",
            "[FIELD_1] column, type VARCHAR, max length [NUM_1]",
        ]
    );
    assert_eq!(scrubbed.leaks, []);
    assert_eq!((scrubbed.removed[0].gone, scrubbed.removed[0].of), (3, 3));
}

#[test]
fn leaks_say_what_survives_and_how() {
    let evidence = ["The file src/cart/basket.py fills a basket on host ubuntu1, ubuntu is old."];
    let claims = ["src/cart/basket.py runs on host `ubuntu`"];
    let scrubbed = request("security", &evidence, &claims)
        .run()
        .expect("well formed");
    let leaks: Vec<(&str, LeakLevel)> = scrubbed
        .leaks
        .iter()
        .map(|leak| (leak.term.as_str(), leak.level))
        .collect();
    assert_eq!(
        leaks,
        [("basket", LeakLevel::Derived), ("ubuntu1", LeakLevel::Part)]
    );
    assert_eq!(scrubbed.leaks[0].claim, "C0");
    assert_eq!(scrubbed.leaks[0].span, "S0");
    for (name, longer) in [
        ("user_id", "user_id1"),
        ("userId", "userId2"),
        ("user_id", "newUserId12"),
        ("users", "users2"),
    ] {
        let claim = format!("field `{name}` is present");
        let evidence = [&*format!("It is {longer}, not {longer}x or {longer}_3x.")];
        let scrubbed = request("security", &evidence, &[&claim]).run();
        let leaks = scrubbed.expect("well formed").leaks;
        assert_eq!(leaks.len(), 1, "{longer} {leaks:?}");
        assert_eq!(leaks[0].level, LeakLevel::Part);
        assert!(longer.ends_with(&*leaks[0].term), "{leaks:?}");
    }
}

#[test]
fn secrets_go_in_both_passes_and_in_the_claim() {
    let text =
        "DB_PASSWORD=hunter22xyz and monkey=banana12, at postgres://app:s3cr3t-x@db.example/x";
    let claim = "The password is hunter22xyz";
    for profile in Profile::all() {
        let scrubbed = request(&profile.name, &[text], &[claim])
            .run()
            .expect("well formed");
        let hidden = scrubbed.hidden(&spans(&[text]));
        let shown = &hidden[0].text;
        assert!(
            !shown.contains("hunter22xyz") && !shown.contains("s3cr3t-x"),
            "{shown}"
        );
        assert!(
            shown.contains("monkey=banana12") && shown.contains("@db.example"),
            "{shown}"
        );
        let (hidden, any) = scrubbed.hide_in_claim(claim);
        assert!(any);
        let placeholder = hidden
            .strip_prefix("The password is ")
            .expect("the rest stays");
        assert!(shown.contains(placeholder), "{shown} {placeholder}");
        assert_eq!(
            scrubbed.hide_in_claim("no secret"),
            ("no secret".to_owned(), false)
        );
    }
    let none = request("code", &["nothing here"], &[])
        .run()
        .expect("well formed");
    let (hidden, any) = none.hide_in_claim("It is set by password=hunter22xyz");
    assert_eq!(
        (hidden.as_str(), any),
        ("It is set by password=[SECRET_1]", true)
    );
    let mut open = request("code", &[text], &[]);
    open.hide_secrets = Some(false);
    let open = open.run().expect("well formed");
    assert_eq!(open.hidden(&spans(&[text]))[0].text, text);
}

#[test]
fn what_only_looks_like_a_secret_stays() {
    let text = "public_key=AAAAB3NzaC1 sha256: e3b0c44298fc1c149afbf4c8996fb924 token: string \
        password: ${DB_PASSWORD} password = get_password() id 9f1c2d3e-aaaa-4bbb-8ccc-0123456789ab \
        the password: required, token = self.token";
    let scrubbed = request("code", &[text], &[]).run().expect("well formed");
    assert_eq!(scrubbed.hidden(&spans(&[text]))[0].text, text);
}

#[test]
fn names_of_an_earlier_scrub_keep_their_placeholders() {
    let first = request("data", &["Table trips"], &["Table trips has column fare"]);
    let first = first.run().expect("well formed");
    assert_eq!(first.spans[0].text, "Table [TABLE_1]");
    let mut second = request(
        "data",
        &["Table buses is new", "Table trips is old"],
        &["Table trips has column fare", "Table buses is new"],
    );
    second.previous = Some(first.into_utf16().into());
    let second = second.run().expect("well formed");
    assert_eq!(second.spans[0].text, "Table [TABLE_2] is new");
    assert_eq!(second.spans[1].text, "Table [TABLE_1] is old");
}

/// What the fuzzer found: texts where two names come near to one spelling, and functions that are never
/// closed, in a text whose secrets are not hidden.
#[test]
fn a_spelling_has_one_placeholder_and_keeps_it() {
    let found: [(&str, &[&str], &[&str], bool); 4] = [
        ("data", &["XxX\rxXX\rxXX\rxXxX"], &[], true),
        ("code", &["\"//1"], &["n\"/://1\"1", "\"//kc"], true),
        (
            "security",
            &["0-T/s/s/s?/s/?s//?0-Te", "T/s/", "?s/s!-e/s?/s"],
            &["?s?s?", "!-e/s?//s?s//?0"],
            true,
        ),
        (
            "code",
            &[
                "\u{2}�fn(n\nT�s]8s��))))))\u{2}�fn(n\nT�\"�fn(n\nT�s.8s��))))))\u{2}�fn(n\nT�s.(n\nT�s]8s��))))))\
                 \u{2}�fn(\nnT�\"�fn(n\nTs8.��s�))))))\u{2}�fn(n\nTS288s�))8s�)))))��\u{5}\0\0\0ns.8s�);))))��\u{5}\0\0\0n�",
            ],
            &[],
            false,
        ),
    ];
    for (profile, texts, claims, hide_secrets) in found {
        let profile = Profile::named(profile).expect("built in");
        let claims = claims.iter().map(|claim| (*claim).into()).collect();
        let claims = claimgauge_core::evidence::claims(claims).expect("well formed");
        let mut spans = spans(texts);
        for span in &mut spans {
            span.source = Some(span.text.chars().take(9).collect());
        }
        let options = Options {
            hide_secrets,
            ..Options::default()
        };
        properties::check(&profile, &spans, &claims, &options);
    }
}

#[test]
fn redaction_can_be_undone_and_no_evidence_is_none() {
    let texts = ["Table users", "has 7 rows"];
    let mut redacted = request("data", &texts, &["Table users"]);
    redacted.mode = Some(Mode::RedactSpans);
    let redacted = redacted.run().expect("well formed");
    for (span, text) in redacted.spans.iter().zip(texts) {
        assert_eq!(span.text, "[REDACTED]");
        assert_eq!(unscrub(&span.text, &redacted, Some(&span.id)), text);
    }
    assert_eq!(unscrub("see [REDACTED]", &redacted, None), "see [REDACTED]");
    let mut none = request("data", &texts, &["Table users"]);
    none.mode = Some(Mode::NoEvidence);
    assert_eq!(none.run().expect("well formed").spans, []);
    let cited = redact(&spans(&texts), Some(&["S1".to_owned()]));
    assert_eq!(cited[0].text, "Table users");
    assert_eq!(cited[1].text, "[REDACTED]");
}

#[test]
fn a_judges_words_get_the_first_forms_back() {
    let scrubbed = request("data", &["users, USERS"], &["Table users"])
        .run()
        .expect("well formed");
    let words = "[TABLE_1] is there, [TABLE_2] and [REDACTED] are not";
    assert_eq!(
        unscrub(words, &scrubbed, None),
        "users is there, [TABLE_2] and [REDACTED] are not"
    );
}

/// Shapes that make a careless scanner quadratic. Prints how the time grows from N to 4N bytes.
#[test]
fn adversarial_shapes_finish() {
    const SMALL: usize = 50_000;
    let profile = Profile::named("strawberry").expect("built in");
    let claims = claimgauge_core::evidence::claims(vec![
        "Table users has field a_a_a of length 255, see `a a a a a a`".into(),
    ]);
    let claims = claims.expect("well formed");
    #[rustfmt::skip]
    let shapes = [
        "a", "A", "aA", "_", "1", "1.", "/", "a/", "a-", "\"", "'a ", "`a", "[", "[TABLE_", "(", "a(", "a:", "é", "a a ",
        "https://", "a://b:c@", "password=", "-----BEGIN PRIVATE KEY-----", "| a ", "k: v\n", "table a, ", "def f(a, ",
        "SELECT a, ", "CREATE TABLE a (", "model a {\n", "\n",
    ];
    for shape in shapes {
        let mut times = [0.0; 2];
        for (time, length) in times.iter_mut().zip([SMALL, 4 * SMALL]) {
            let spans = [Span {
                id: "S0".to_owned(),
                text: shape.repeat(length / shape.len()),
                source: None,
            }];
            let started = Instant::now();
            let scrubbed = scrub(&profile, &spans, &claims, &Options::default());
            *time = started.elapsed().as_secs_f64();
            assert_eq!(
                unscrub(&scrubbed.spans[0].text, &scrubbed, None),
                spans[0].text
            );
        }
        println!(
            "{shape:?}: {:.1} ms, t(4N)/t(N) {:.1}",
            times[1] * 1e3,
            times[1] / times[0]
        );
    }
}
