//! Time and results grow with the input and not faster, whatever repeats.

use claimgauge_core::{
    builtin,
    evidence::{Claim, Span},
    profile::Profile,
    prompt::{Message, Role},
    scrub::{LeakLevel, MOST_DISTANT_LEAKS, Options, Scrubbed, scrub, unscrub},
    verification::{Answer, Verification},
};
use claimgauge_tests::growth::{MOST_GROWTH, growth};
use serde_json::{Value, json};

fn span(at: usize, text: impl Into<String>) -> Span {
    Span {
        id: format!("S{at}"),
        text: text.into(),
        source: None,
    }
}

fn claim(at: usize, text: impl Into<String>) -> Claim {
    Claim {
        id: format!("C{at}"),
        text: text.into(),
        cites: None,
        critical: false,
        confidence: None,
    }
}

fn scrubbed(spans: &[Span], claims: &[Claim]) -> Scrubbed {
    let profile = Profile::named("strawberry").expect("built in");
    scrub(&profile, spans, claims, &Options::default())
}

#[test]
fn what_repeats_is_read_once() {
    let shapes = [
        "\\",
        "-",
        ".",
        "~",
        "@",
        ":",
        "*",
        "-.",
        "a\u{202e}",
        "a、",
        "a\u{200b}",
        "\u{200b}",
        "a的",
        "v1、",
        "a/b:",
        "e\u{301}",
        "👩‍💻",
        "password: \"a-",
        "eyJa-",
        "-----BEGIN PRIVATE KEY-----\n",
    ]
    .map(|shape| ("", shape, ""));
    // What begins the text, what repeats behind it, and what ends it.
    let framed = [("x: {", "1:", "1}")];
    for (start, shape, end) in shapes.into_iter().chain(framed) {
        let ratio = growth(6_000, |size| {
            let text = format!("{start}{}{end}", shape.repeat(size / shape.len()));
            let spans = [span(0, text.as_str())];
            let result = scrubbed(&spans, &[claim(0, text)]);
            let back = unscrub(&result.spans[0].text, &result, None);
            assert_eq!(back, spans[0].text);
        });
        assert!(ratio < MOST_GROWTH, "{shape:?} {ratio}");
    }
}

#[test]
fn claims_and_evidence_are_not_multiplied() {
    type Run<'a> = (&'a str, usize, &'a dyn Fn(usize));
    let runs: [Run<'_>; 4] = [
        ("claims that open with one word", 800, &|count| {
            let claims: Vec<Claim> = (0..count).map(|at| claim(at, "Zaqwor is fast")).collect();
            scrubbed(&[span(0, "in Zaqwor the ".repeat(count))], &claims);
        }),
        (
            "names of one claim and the spans that it cites",
            1_000,
            &|count| {
                let names: String = (0..count).map(|at| format!("`name_{at}` ")).collect();
                let spans: Vec<Span> = (0..count).map(|at| span(at, "nothing")).collect();
                let cites = spans.iter().map(|span| span.id.clone()).collect();
                let claim = Claim {
                    cites: Some(cites),
                    ..claim(0, names)
                };
                scrubbed(&spans, &[claim]);
            },
        ),
        ("claims and secrets", 200, &|count| {
            let secrets: String = (0..count)
                .map(|at| format!("password=hunter{at}xyz\n"))
                .collect();
            let claims: Vec<Value> = (0..count)
                .map(|at| json!(format!("The port is {at}")))
                .collect();
            let request = json!({ "profile": "code", "evidence": [secrets], "claims": claims });
            let request = serde_json::from_value(request).expect("well formed");
            Verification::new(request).expect("well formed");
        }),
        ("claims and what is left of their names", 200, &|count| {
            let claims: Vec<Claim> = (0..count)
                .map(|at| claim(at, "The host `ubuntu` runs src/cart/basket.py"))
                .collect();
            let spans: Vec<Span> = (0..count)
                .map(|at| span(at, "The ubuntu1 has a basket"))
                .collect();
            scrubbed(&spans, &claims);
        }),
    ];
    for (what, small, run) in runs {
        let ratio = growth(small, run);
        assert!(ratio < MOST_GROWTH, "{what} {ratio}");
    }
}

#[test]
fn a_reply_is_read_in_the_time_that_its_length_takes() {
    let ids: Vec<String> = (0..64).map(|at| format!("C{at}")).collect();
    let one = |at: usize| format!(r#"{{"id":"C{}","verdict":"ENTAILED"}} "#, at % 64);
    type Shape<'a> = (&'a str, usize, &'a dyn Fn(usize) -> (String, String));
    // What was sent, and the reply to it.
    let shapes: [Shape<'_>; 4] = [
        ("answers and a prompt that looks like them", 100, &|count| {
            let sent = r#"{"id":"C0","verdict": "#.repeat(count);
            (sent, (0..count).map(one).collect())
        }),
        ("answers in one object", 1_000, &|count| {
            let answers: Vec<String> = (0..count).map(one).collect();
            (
                String::new(),
                format!(r#"{{"answers":[{}]}}"#, answers.join(",")),
            )
        }),
        ("braces", 2_000, &|count| (String::new(), "{".repeat(count))),
        ("objects that never close", 2_000, &|count| {
            (String::new(), r#"{"id":"#.repeat(count))
        }),
    ];
    for (what, small, shape) in shapes {
        let ratio = growth(small, |size| {
            let (sent, reply) = shape(size);
            let messages = [Message {
                role: Role::User,
                content: sent,
            }];
            Answer::text(reply).is_readable(&messages, &ids);
        });
        assert!(ratio < MOST_GROWTH, "{what} {ratio}");
    }
}

#[test]
fn a_judging_takes_the_time_that_its_evidence_takes() {
    let claim = "Table users contains field email with data type VARCHAR and length 255 in 1.2.3";
    // What begins the text, and what repeats behind it.
    let shapes = [
        ("", "users.email stores 255 addresses. "),
        ("", "max_retries: 5\n"),
        ("", "key: 1 "),
        ("", "key: 1  "),
        ("", "key:\n"),
        ("", " key:\n"),
        ("key: 1", " "),
        ("key: 1", "    x"),
        ("", "x"),
        ("", "users.email_"),
        ("", "user's"),
        ("", "a."),
        ("", "etc. "),
        ("", "("),
        ("", "(a,\n"),
        ("", "[A"),
        ("", "{\n{\n}\n"),
        ("", "key: {\n"),
        ("", "255 "),
        ("", "255, 7 "),
        ("", "the 255 of it and 7 of users "),
        ("", "111,"),
        ("", "= = "),
        ("", "is to 7"),
        ("", "not "),
        ("https://a/", "=&?#"),
        ("https://a", "?a=b&c#d"),
        ("", "a  b  c\n1  2  3\n"),
        ("", "# users 255\n"),
        ("", "# 3.4.5\nThe table users contains the field email\n"),
        ("| a | b |\n|---|---|\n", "| users | 7 |\n"),
        ("a,b,c\n", "users,email,7\n"),
        ("", "- users\n  - email\n"),
        ("/*", " 255\n"),
        ("", "\"the email\" "),
        ("", "é255 "),
        ("", "e\u{301}\u{200b}"),
        ("", "日本語"),
        ("", "[TABLE_1]."),
    ];
    for (start, shape) in shapes {
        let ratio = growth(16_000, |size| {
            let text = format!("{start}{}", shape.repeat(size / shape.len()));
            builtin::atoms(&[span(0, text)], claim);
        });
        assert!(ratio < MOST_GROWTH, "{shape:?} {ratio}");
    }
}

#[test]
fn a_judging_multiplies_nothing() {
    type Run<'a> = (&'a str, usize, &'a dyn Fn(usize));
    let table = |columns: usize, cells: usize| {
        let (titles, row) = ("a  ".repeat(columns), "1  ".repeat(cells));
        format!("{}\n{}\n", titles.trim_end(), row.trim_end())
    };
    let runs: [Run<'_>; 10] = [
        ("columns of a table and cells of a row", 1_000, &|count| {
            builtin::judge(&[span(0, table(count, count - 1))], "The users are 7");
        }),
        (
            "values of a heading and what stands under it",
            500,
            &|count| {
                let heading = format!("# Release {}\n", "1.2.3 ".repeat(count));
                let text = heading + &"The email of users is added\n".repeat(count);
                builtin::judge(&[span(0, text)], "The email of users is added in 9.9.9");
            },
        ),
        ("values of a sentence", 1_000, &|count| {
            let text = "mail 255 ".repeat(count) + "users 255 " + &"users 7 ".repeat(count);
            builtin::judge(&[span(0, text)], "The users are 255");
        }),
        ("spans that say the same", 500, &|count| {
            let spans: Vec<Span> = (0..count).map(|at| span(at, "max_retries: 5")).collect();
            builtin::atoms(&spans, "max_retries is 7 and `max_retries` is 5");
        }),
        ("quotations and spans", 200, &|count| {
            let spans: Vec<Span> = (0..count).map(|at| span(at, "it says so ")).collect();
            builtin::atoms(&spans, &"\"it said\" ".repeat(count));
        }),
        (
            "what a claim is longer than is read of one",
            4_000,
            &|count| {
                let text = "the email of users ".repeat(count);
                builtin::atoms(&[span(0, text.as_str())], &text);
            },
        ),
        ("a claim's long name and its beginnings", 4_000, &|count| {
            let name = "a_".repeat(200) + "b";
            builtin::judge(&[span(0, "a_".repeat(count))], &name);
        }),
        (
            "values of code and of the comment beside it",
            500,
            &|count| {
                let text = format!("x = {}# {}", "1, ".repeat(count), "2s, ".repeat(count));
                builtin::judge(&[span(0, text)], "x is 7");
            },
        ),
        ("halves of what restricts a claim", 2_000, &|count| {
            let claim = format!("Retries {}", "all ".repeat(count));
            builtin::judge(&[span(0, "Retries are 3")], &claim);
        }),
        ("halves of what restricts evidence", 2_000, &|count| {
            let text = format!("Retries {}", "either ".repeat(count));
            builtin::judge(&[span(0, text)], "Retries are 3");
        }),
    ];
    for (what, small, run) in runs {
        let ratio = growth(small, run);
        assert!(ratio < MOST_GROWTH, "{what} {ratio}");
    }
}

#[test]
fn leaks_of_parts_are_no_more_than_a_result_can_hold() {
    let claims: Vec<Claim> = (0..200)
        .map(|at| claim(at, "The host `ubuntu` runs src/cart/basket.py"))
        .collect();
    let spans: Vec<Span> = (0..200)
        .map(|at| span(at, "The ubuntu1 has a basket"))
        .collect();
    let leaks = scrubbed(&spans, &claims).leaks;
    assert_eq!(leaks.len(), MOST_DISTANT_LEAKS);
    let distant = |level| matches!(level, LeakLevel::Part | LeakLevel::Derived);
    assert!(leaks.iter().all(|leak| distant(leak.level)));
}

#[test]
fn a_name_is_gone_from_the_spans_that_its_claim_cites_or_not() {
    let spans = [
        span(0, "users and email"),
        span(1, "users"),
        span(2, "nothing"),
    ];
    let gone = |cites: &[&str]| {
        let claim = Claim {
            cites: Some(cites.iter().map(|id| (*id).to_owned()).collect()),
            ..claim(0, "Table `users` has `email`")
        };
        scrubbed(&spans, &[claim]).removed[0].gone
    };
    let none: [&str; 0] = [];
    assert_eq!(gone(&["S0"]), 2);
    assert_eq!(gone(&["S1"]), 1);
    assert_eq!(gone(&["S2", "S1"]), 1);
    assert_eq!(gone(&["S2", "S1", "S0", "S0"]), 2);
    assert_eq!(gone(&["S2"]), 0);
    assert_eq!(gone(&none), 0);
}
