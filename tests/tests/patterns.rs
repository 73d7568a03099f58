//! Kinds of the caller's own: through the scrub and the run, with the engine that runs patterns.
#![allow(clippy::disallowed_methods, reason = "a suite looks at the clock")]

use std::time::Instant;

use claimgauge_core::{
    Error, ErrorCode,
    evidence::Request,
    patterns::{MAX_PATTERN_BYTES, MAX_PATTERNS, Match, Pattern, Search},
    scrub::{ScrubRequest, Scrubbed, unscrub},
    verification::{Answer, Step, Verification},
};
use claimgauge_patterns::{MAX_MATCH, Patterns, answer};
use claimgauge_tests::growth::{MOST_GROWTH, growth};
use serde_json::{Value, json};

const TICKET: &str = r"[A-Z]{2,5}-\d+";

fn request(value: Value) -> ScrubRequest {
    serde_json::from_value(value).expect("the requests are well formed")
}

fn scrub(value: Value) -> Result<Scrubbed, Error> {
    let mut request = request(value);
    if let Some(search) = request.search()? {
        request.matches = Some(answer(&search)?);
    }
    request.run()
}

/// A strawberry scrub with these kinds beside tables and numbers.
fn with_kinds(kinds: &Value, claims: Value, evidence: Value) -> Scrubbed {
    let mut list = vec![json!("TABLE"), json!("NUM")];
    list.extend(
        kinds
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![kinds.clone()]),
    );
    let profile = json!({ "extends": "strawberry", "kinds": list });
    scrub(json!({ "profile": profile, "claims": claims, "evidence": evidence }))
        .expect("the patterns are well formed")
}

fn tickets(claims: Value, evidence: Value) -> Scrubbed {
    with_kinds(
        &json!({ "kind": "TICKET", "patterns": [TICKET] }),
        claims,
        evidence,
    )
}

fn texts(scrubbed: &Scrubbed) -> Vec<&str> {
    scrubbed.spans.iter().map(|span| &*span.text).collect()
}

/// What one pattern matches in a text.
fn matched(pattern: &str, text: &str) -> Vec<String> {
    let search = Search {
        patterns: vec![Pattern {
            path: "kinds.0.patterns.0".to_owned(),
            pattern: pattern.to_owned(),
        }],
        texts: vec![text.to_owned()],
    };
    let matches = answer(&search).expect("the pattern is well formed");
    let stretch = |found: &Match| text[found.start as usize..found.end as usize].to_owned();
    matches.iter().map(stretch).collect()
}

fn refusal(pattern: &str) -> Error {
    let pattern = Pattern {
        path: "profile.kinds.2.patterns.0".to_owned(),
        pattern: pattern.to_owned(),
    };
    Patterns::new(&[pattern]).expect_err("it is no pattern")
}

#[test]
fn a_kind_of_the_callers_own_has_placeholders_of_its_own() {
    let evidence = json!([
        { "text": "OPS-17 waits for OPS-4; ops-17 is old.", "source": "board OPS-4" },
        "OPS-4 is closed",
    ]);
    let scrubbed = tickets(json!([]), evidence);
    assert_eq!(
        texts(&scrubbed),
        [
            "[TICKET_1] waits for [TICKET_2]; [TICKET_1] is old.",
            "[TICKET_2] is closed"
        ],
    );
    assert_eq!(
        scrubbed.spans[0].source.as_deref(),
        Some("board [TICKET_2]")
    );
    let kinds = serde_json::to_value(&scrubbed.replacements).expect("it is data");
    for replacement in kinds.as_array().expect("a list") {
        assert_eq!(replacement["kind"], "TICKET");
        assert_eq!(replacement["why"], "shape");
    }
}

#[test]
fn what_a_claim_names_by_a_pattern_is_counted_and_goes_in_every_form() {
    let scrubbed = tickets(
        json!(["OPS-17 is closed"]),
        json!(["ops-17 was closed, OPS_17 too"]),
    );
    assert_eq!(texts(&scrubbed), ["[TICKET_1] was closed, [TICKET_1] too"]);
    assert_eq!(scrubbed.leaks, []);
    assert_eq!((scrubbed.removed[0].gone, scrubbed.removed[0].of), (1, 1));
    assert_eq!(json!(scrubbed.replacements[0].why), "claim");
    // Where the claim alone has the spelling that the pattern shows.
    let kind = json!({ "kind": "BIRD", "patterns": ["(?i)bird (?<name>[a-z]+)"] });
    let scrubbed = with_kinds(
        &kind,
        json!(["The bird kestrel sings"]),
        json!(["Kestrels sing"]),
    );
    assert_eq!(texts(&scrubbed), ["[BIRD_1] sing"]);
}

#[test]
fn the_group_called_name_is_the_name() {
    assert_eq!(
        matched(r"ticket (?<name>\d+)", "ticket 12, ticket 7"),
        ["12", "7"]
    );
    assert_eq!(
        matched(r"ticket (?P<name>\d+)?", "ticket 12, ticket "),
        ["12"]
    );
    assert_eq!(matched(r"ticket (\d+)", "ticket 12"), ["ticket 12"]);
}

#[test]
fn a_built_in_kind_may_have_patterns_too() {
    let kinds = json!([{ "kind": "TABLE", "patterns": [r"tbl\w+"] }]);
    let scrubbed = with_kinds(
        &kinds,
        json!([]),
        json!(["tblx joins tbly; SELECT a FROM users"]),
    );
    assert_eq!(
        texts(&scrubbed),
        ["[TABLE_1] joins [TABLE_2]; SELECT a FROM [TABLE_3]"]
    );
}

#[test]
fn a_glossary_may_name_a_kind_of_the_callers_own() {
    let ask = |kind: Value| {
        scrub(json!({
            "profile": "code", "kinds": [kind],
            "glossary": { "TEAM": ["harbour"] }, "evidence": ["The harbour owns it"],
        }))
    };
    let scrubbed = ask(json!({ "kind": "TEAM" })).expect("the kind is there");
    assert_eq!(texts(&scrubbed), ["The [TEAM_1] owns it"]);
    let error = ask(json!("TABLE")).unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (ErrorCode::UnknownKind, "glossary.TEAM")
    );
}

/// The longest match, then glossary, claim, the caller's pattern, the built-in forms.
#[test]
fn overlaps_follow_the_one_precedence() {
    let url = json!({ "kind": "HOST", "patterns": [r"[a-z]+\.example"] });
    let whole = with_kinds(
        &json!(["URL", url]),
        json!([]),
        json!(["see https://a.example/x"]),
    );
    assert_eq!(texts(&whole), ["see [URL_1]"], "the longer one wins");

    let day = json!({ "kind": "SPRINT", "patterns": [r"\d{4}-\d\d-\d\d"] });
    let same = with_kinds(&json!(["DATE", day]), json!([]), json!(["due 2031-04-09"]));
    assert_eq!(
        texts(&same),
        ["due [SPRINT_1]"],
        "the caller's pattern before a built-in form"
    );

    let claimed = with_kinds(
        &day,
        json!(["It is due 2031-04-09"]),
        json!(["due 2031-04-09"]),
    );
    assert_eq!(texts(&claimed), ["due [SPRINT_1]"]);
    assert_eq!(json!(claimed.replacements[0].why), "claim");

    let crossing = json!([
        { "kind": "LEFT", "patterns": ["abc-de"] },
        { "kind": "RIGHT", "patterns": ["e-fghijkl"] },
    ]);
    let scrubbed = with_kinds(&crossing, json!([]), json!(["x abc-de-fghijkl y"]));
    assert_eq!(
        texts(&scrubbed),
        ["x [LEFT_1][RIGHT_1] y"],
        "what is left of the shorter one goes, too"
    );

    let secret = with_kinds(
        &json!({ "kind": "BLOB", "patterns": [r"\S{20,}"] }),
        json!([]),
        json!(["x=ghp_0123456789abcdefghijklmnopqrstuvwxyz"]),
    );
    assert!(
        texts(&secret)[0].ends_with("[SECRET_1]"),
        "{:?}",
        texts(&secret)
    );
}

#[test]
fn numbers_step_past_placeholders_that_are_there_already() {
    let scrubbed = tickets(
        json!(["[TICKET_3] is one"]),
        json!(["[TICKET_1] and OPS-17 and OPS-18 and OPS-19"]),
    );
    assert_eq!(
        texts(&scrubbed),
        ["[TICKET_1] and [TICKET_2] and [TICKET_4] and [TICKET_5]"],
    );
    assert_eq!(
        unscrub("[TICKET_2], not [TICKET_1]", &scrubbed, None),
        "OPS-17, not [TICKET_1]"
    );
    // Where there is no such kind it is text.
    let other = scrub(json!({ "profile": "strawberry", "evidence": ["[TICKET_1] and userId"] }));
    assert!(!texts(&other.expect("well formed"))[0].contains("[TICKET_1]"));
}

/// Patterns of many shapes, on texts with everything in them: back it comes, and a second scrub
/// changes nothing.
#[test]
fn what_was_scrubbed_comes_back_and_stays() {
    let patterns = [
        TICKET,
        r"\w+",
        r"[^a]+",
        "..",
        ".",
        r"\S+@\S+",
        r"\bOPS",
        r"(?i)ops",
        r"\d*",
        r"x*",
        "$",
        r"\p{Han}{2}",
        r"[A-Z]+_\d+",
        r"(?<name>\d)\d*",
        r"\[|\]",
        r"é|e\u{301}",
        r"(?s).*",
        "🚚",
    ];
    let evidence = [
        "OPS-17 waits for [TICKET_1] and [TABLE_2], [REDACTED], ops-17.",
        "北京市 owns 订单 🚚🚚; caf\u{e9} cafe\u{301} a@b.example",
        "[[TICKET_1]] [TICKET_01] [TICKET_] [A_1]OPS-1[B_1] \u{feff}x",
        "",
        "a",
    ];
    for pattern in patterns {
        let kind = json!({ "kind": "TICKET", "patterns": [pattern] });
        let scrubbed = with_kinds(&kind, json!(["OPS-17 is in 北京市"]), json!(evidence));
        for (span, original) in scrubbed.spans.iter().zip(evidence) {
            let back = unscrub(&span.text, &scrubbed, Some(&span.id));
            assert_eq!(back, original, "{pattern}: {:?}", span.text);
        }
        let again = with_kinds(&kind, json!([]), json!(texts(&scrubbed)));
        assert_eq!(texts(&again), texts(&scrubbed), "{pattern}");
    }
}

#[test]
fn random_texts_come_back() {
    const PIECES: [&str; 24] = [
        "OPS-17",
        "ops-17",
        "OPS",
        "-",
        " ",
        " ",
        "[TICKET_1]",
        "[TICKET_",
        "]",
        "[TABLE_2]",
        "users",
        "userId",
        "=",
        "7",
        "表",
        "é",
        "e\u{301}",
        "🚚",
        "a@b.example",
        "https://a.example/x",
        "2031-04-09",
        "password=hunter2hunter",
        "\n",
        "src/a.rs",
    ];
    const PATTERNS: [&str; 8] = [
        TICKET,
        r"\w+",
        r"[^-]{2,9}",
        r"\S+",
        r"(?<name>.)-",
        r"\p{Han}|🚚",
        r"s",
        r"(?s)...",
    ];
    let mut state = 7_u64;
    let mut below = |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    for _ in 0..3_000 {
        let mut text = |most| -> String {
            (0..below(most))
                .map(|_| PIECES[below(PIECES.len())])
                .collect()
        };
        let (evidence, claim) = ([text(20), text(9)], text(6) + "x");
        let kinds: Vec<Value> = (0..1 + below(3))
            .map(|at| json!({ "kind": format!("K{at}"), "patterns": [PATTERNS[below(PATTERNS.len())]] }))
            .collect();
        let scrubbed = with_kinds(&json!(kinds), json!([claim]), json!(evidence));
        for (span, original) in scrubbed.spans.iter().zip(&evidence) {
            let back = unscrub(&span.text, &scrubbed, Some(&span.id));
            assert_eq!(&back, original, "{kinds:?}: {:?}", span.text);
        }
        // One form has one placeholder, and a placeholder one kind.
        let mut forms = std::collections::BTreeMap::new();
        for replacement in &scrubbed.replacements {
            let known = forms
                .entry(&replacement.text)
                .or_insert(&replacement.placeholder);
            assert_eq!(*known, &replacement.placeholder, "{kinds:?}: {evidence:?}");
            assert!(
                replacement
                    .placeholder
                    .starts_with(&format!("[{}_", replacement.kind.word()))
            );
        }
    }
}

#[test]
fn an_earlier_scrub_keeps_its_placeholders() {
    let profile = json!({ "extends": "code", "kinds": [{ "kind": "TICKET", "patterns": [TICKET, r"\p{Han}+"] }] });
    let first =
        scrub(json!({ "profile": profile, "evidence": ["OPS-17, 北京"] })).expect("well formed");
    assert_eq!(texts(&first), ["[TICKET_1], [TICKET_2]"]);
    let mut next = request(json!({ "profile": profile, "evidence": ["OPS-3, 北京, OPS-17"] }));
    next.previous = Some(first.clone().into_utf16().into());
    let search = next
        .search()
        .expect("well formed")
        .expect("there is a pattern");
    next.matches = Some(answer(&search).expect("well formed"));
    assert_eq!(
        texts(&next.run().expect("well formed")),
        ["[TICKET_3], [TICKET_2], [TICKET_1]"]
    );
    // Also where the profile does not have the kind any more.
    let mut other = request(
        json!({ "profile": "code", "evidence": ["OPS-17 [TICKET_9]"], "claims": ["OPS-17 is it"] }),
    );
    other.previous = Some(first.into_utf16().into());
    assert_eq!(
        texts(&other.run().expect("well formed")),
        ["[TICKET_1] [TICKET_9]"]
    );
}

#[test]
fn matches_are_what_the_engine_finds_wherever_they_stand() {
    let names: Vec<String> = (0..10_000).map(|at| format!("OPS-{at}")).collect();
    assert_eq!(matched(TICKET, &names.join(" , ")), names);
    let engine = regex::Regex::new("<[^>]*>").expect("well formed");
    // Windows end somewhere: no name is cut there, none is missed, none is found twice.
    for gap in [
        1, 250, 500, 700, 999, 1_000, 1_500, 1_995, 1_998, 4_000, 70_000,
    ] {
        for fill in [" ", "é", "x", "表"] {
            let fill = fill.repeat(gap / fill.len() + 1);
            let text = format!("{fill} <ab> {fill} <{}> {fill} <c>", "y".repeat(900));
            let want: Vec<String> = engine
                .find_iter(&text)
                .map(|found| found.as_str().to_owned())
                .collect();
            assert_eq!(matched("<[^>]*>", &text), want, "{gap}");
        }
    }
    let long = "x".repeat(MAX_MATCH + 1);
    assert_eq!(matched(r"\w+", &format!("a {long} b")), ["a", "b"]);
    assert_eq!(matched(r"\w+", &long[1..]), [&long[1..]]);
    // The end of a window is not the end of the text.
    let runs = "x".repeat(1_990) + &"y".repeat(100);
    assert_eq!(matched(r"x{5}$|y{5}$", &runs), ["yyyyy"]);
}

#[test]
fn what_is_empty_is_no_name() {
    assert_eq!(matched("a*", "baab"), ["aa"]);
    assert_eq!(matched(r"\b|$|^", "é x 表"), [""; 0]);
    assert_eq!(matched(r"(?<name>)x", "xx"), [""; 0]);
}

#[test]
fn bad_patterns_say_where() {
    #[rustfmt::skip]
    let rows = [
        ("", "The pattern is empty, so it shows no name", ""),
        ("ab[A-Z", "Unclosed character class at column 3: \"[A-Z\"", ""),
        ("é(x", "Unclosed group at column 2: \"(x\"", ""),
        ("x)", "Unopened group at column 2: \")\"", ""),
        ("*x", "Repetition operator missing expression at column 1: \"*x\"", "backslash"),
        ("x\\", "Incomplete escape sequence, reached end of pattern prematurely at column 2: \"\\\\\"", ""),
        ("[z-a]", "Invalid character class range, the start must be <= the end at column 2: \"z-a]\"", ""),
        ("a{3,1}", "Invalid repetition count range, the start must be <= the end at column 2: \"{3,1}\"", ""),
        ("\\p{Klingon}", "Unicode property not found at column 1: \"\\\\p{Klingon}\"", ""),
        ("(?x)a\n  (?<=b)c", "Look-around, including look-ahead and look-behind, is not supported at line 2, column 3: \"(?<=b)c\"", "(?<name>"),
        ("a(?=b)", "Look-around, including look-ahead and look-behind, is not supported at column 2: \"(?=b)\"", "linear time"),
        ("(a)\\1", "Backreferences are not supported at column 4: \"\\\\1\"", "linear time"),
        ("((a{1000}){1000}){1000}", "The pattern becomes too large a program", "repeat less"),
    ];
    for (pattern, message, hint) in rows {
        let error = refusal(pattern);
        assert_eq!(error.code(), ErrorCode::InvalidPattern, "{pattern}");
        assert_eq!(error.path(), "profile.kinds.2.patterns.0");
        assert_eq!(error.message(), message);
        assert!(error.hint().unwrap_or_default().contains(hint), "{error}");
        assert_eq!(error.hint().is_none(), hint.is_empty(), "{error}");
    }
    let deep = refusal(&("(".repeat(70) + "a" + &")".repeat(70)));
    assert!(
        deep.message()
            .starts_with("Exceed the maximum number of nested parentheses"),
        "{deep}"
    );
}

#[test]
fn what_is_wrong_with_a_profile_names_the_field() {
    let own = |kind: &str| json!([{ "kind": kind, "patterns": ["x"] }]);
    let many = |count: usize| json!({ "kind": "X", "patterns": vec!["x"; count] });
    let words: Vec<Value> = (0..65)
        .map(|at| json!({ "kind": format!("K{at}") }))
        .collect();
    use ErrorCode::*;
    #[rustfmt::skip]
    let rows = [
        (json!({ "kinds": [] }), InvalidValue, "profile.kinds"),
        (json!({ "kinds": ["TABLE", "TICKET"] }), UnknownKind, "profile.kinds.1"),
        (json!({ "kinds": ["TABLE", "table"] }), UnknownKind, "profile.kinds.1"),
        (json!({ "kinds": own("ticket") }), InvalidValue, "profile.kinds.0.kind"),
        (json!({ "kinds": own("") }), InvalidValue, "profile.kinds.0.kind"),
        (json!({ "kinds": own("1ST") }), InvalidValue, "profile.kinds.0.kind"),
        (json!({ "kinds": own("A-B") }), InvalidValue, "profile.kinds.0.kind"),
        (json!({ "kinds": own("É") }), InvalidValue, "profile.kinds.0.kind"),
        (json!({ "kinds": own("REDACTED") }), InvalidValue, "profile.kinds.0.kind"),
        (json!({ "kinds": own(&"X".repeat(25)) }), InvalidValue, "profile.kinds.0.kind"),
        (json!({ "kinds": [many(MAX_PATTERNS), many(1)] }), TooLarge, "profile.kinds.1.patterns"),
        (json!({ "kinds": [{ "kind": "X", "patterns": ["x", "x".repeat(MAX_PATTERN_BYTES + 1)] }] }), TooLarge, "profile.kinds.0.patterns.1"),
        (json!({ "kinds": words }), TooLarge, "profile.kinds"),
        (json!({ "kinds": [{ "kind": "X", "patterns": ["x", "("] }] }), InvalidPattern, "profile.kinds.0.patterns.1"),
        (json!({ "extends": "kode" }), UnknownProfile, "profile.extends"),
        (json!({ "thresholds": { "verified": { "full": 1.1 } } }), InvalidThreshold, "profile.thresholds.verified.full"),
        (json!({ "thresholds": { "plausible": { "delta": 0.31 } } }), InvalidThreshold, "profile.thresholds.verified.delta"),
    ];
    for (mut profile, code, path) in rows {
        if profile.get("extends").is_none() {
            profile["extends"] = json!("code");
        }
        let error = scrub(json!({ "profile": profile, "evidence": ["x"] })).unwrap_err();
        assert_eq!((error.code(), error.path()), (code, path), "{error}");
    }
    let longest = "X".repeat(24);
    let kinds = json!([{ "kind": longest, "patterns": ["abc"] }, "TABLE"]);
    let scrubbed = scrub(json!({ "profile": "code", "kinds": kinds, "evidence": ["abc"] }))
        .expect("well formed");
    assert_eq!(texts(&scrubbed), [format!("[{longest}_1]")]);
    let again = scrub(json!({ "profile": "code", "kinds": kinds, "evidence": texts(&scrubbed) }))
        .expect("well formed");
    assert_eq!(texts(&again), texts(&scrubbed));
}

#[test]
fn a_request_with_patterns_waits_for_its_matches() {
    let value = json!({
        "profile": { "extends": "code", "kinds": [{ "kind": "TICKET", "patterns": [TICKET] }] },
        "claims": ["OPS-17 is closed"], "evidence": [{ "text": "OPS-17: closed", "source": "board" }],
    });
    let error = request(value.clone()).run().unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (ErrorCode::PatternsNotLoaded, "profile.kinds.0.patterns.0")
    );

    let mut asked: Request = serde_json::from_value(value.clone()).expect("well formed");
    let error = Verification::new(asked.clone()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::PatternsNotLoaded);
    let search = asked
        .search()
        .expect("well formed")
        .expect("there is a pattern");
    assert_eq!(
        search.texts,
        ["OPS-17 is closed", "OPS-17: closed", "board"]
    );
    asked.matches = Some(answer(&search).expect("well formed"));
    assert_eq!(asked.search(), Ok(None));

    let mut verification = Verification::new(asked).expect("the matches are in");
    let report = loop {
        match verification.poll(2) {
            Step::Ask(requests) => {
                for request in requests {
                    let hidden = request.spans[0].text.contains("[TICKET_1]");
                    let says = if hidden { "UNSURE 0.3" } else { "ENTAILED 0.9" };
                    verification
                        .handle(&request.id, Answer::text(says))
                        .expect("it is open");
                }
            }
            Step::Wait => unreachable!("every request was answered"),
            Step::Done(report) => break report,
        }
    };
    assert_eq!(report.claims[0].status.label(), "VERIFIED");
    assert_eq!(report.claims[0].removed.gone, 1);

    // A host that hands in something else is told so.
    let found = |text, pattern, start, end| Match {
        text,
        pattern,
        start,
        end,
    };
    for (at, bad) in [
        found(3, 0, 0, 1),
        found(0, 1, 0, 1),
        found(0, 0, 2, 1),
        found(0, 0, 0, 99),
    ]
    .into_iter()
    .enumerate()
    {
        let mut request = request(value.clone());
        request.matches = Some(vec![found(0, 0, 0, 6), bad]);
        let error = request.run().unwrap_err();
        assert_eq!(
            (error.code(), error.path()),
            (ErrorCode::InvalidValue, "matches.1"),
            "{at}"
        );
    }
    let mut request = request(
        json!({ "profile": "code", "kinds": [{ "kind": "X", "patterns": ["x"] }], "evidence": ["é"] }),
    );
    request.matches = Some(vec![found(0, 0, 1, 2)]);
    assert_eq!(request.run().unwrap_err().path(), "matches.0");
}

/// The engine by itself takes quadratic time for some of these, one that goes back exponential.
#[test]
fn time_grows_with_the_text_and_not_faster() {
    type Text = fn(usize) -> String;
    let rows: [(&str, Text); 7] = [
        (r"(a+)+$", |size| "a".repeat(size) + "b"),
        (r"(a|aa)+$", |size| "a".repeat(size) + "b"),
        (r"[A-Z](.*[^A-Z])?", |size| "A".repeat(size)),
        (r"a(?s:.)*?b|a", |size| "a".repeat(size)),
        (r"\w+\s\w+@", |size| "ab ".repeat(size / 3)),
        (r"\bé*x?", |size| "é ".repeat(size / 3)),
        (r".{1,500}z", |size| "y".repeat(size)),
    ];
    for (pattern, text) in rows {
        let ratio = growth(10_000, |size| {
            let search = Search {
                patterns: vec![Pattern {
                    path: "p".to_owned(),
                    pattern: pattern.to_owned(),
                }],
                texts: vec![text(size)],
            };
            std::hint::black_box(answer(&search)).expect("within the limits");
        });
        assert!(ratio < MOST_GROWTH, "{pattern}: {ratio:.1}");
    }
}

#[test]
fn a_megabyte_that_would_take_an_engine_with_a_stack_for_ever() {
    let start = Instant::now();
    assert_eq!(matched(r"(a+)+$", &("a".repeat(1_000_000) + "b")), [""; 0]);
    assert_eq!(matched(r"(x+x+)+y", &"x".repeat(1_000_000)), [""; 0]);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn what_goes_over_the_text_again_and_again_is_refused() {
    // The match ends where the window does, and with more to see it does not.
    let pattern = r"a(?:[^z]*$)?";
    let text = "a".repeat(300_000) + "z" + &"a".repeat(10);
    let search = Search {
        patterns: vec![Pattern {
            path: "kinds.0.patterns.0".to_owned(),
            pattern: pattern.to_owned(),
        }],
        texts: vec![text],
    };
    let error = answer(&search).unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (ErrorCode::InvalidPattern, "kinds.0.patterns.0")
    );
    let every = Search {
        patterns: vec![Pattern {
            path: "kinds.0.patterns.0".to_owned(),
            pattern: ".".to_owned(),
        }],
        texts: vec!["x".repeat(1_000_001)],
    };
    let error = answer(&every).unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (ErrorCode::TooLarge, "kinds.0.patterns.0")
    );
}
