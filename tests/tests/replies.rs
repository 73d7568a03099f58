//! Reading replies: `vectors/replies*.json`, and what must hold for any.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the suite is the host: it takes the time, and stops where it cannot go on"
)]

use std::{fmt::Write, time::Instant};

use claimgauge_core::{
    judgement::Verdict,
    reply::{Reading, ReplyContext, read, read_with},
};
use claimgauge_tests::Random;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Case {
    name: String,
    reply: String,
    #[serde(default)]
    sent: Vec<String>,
    #[serde(default)]
    cut: bool,
    want: serde_json::Map<String, Value>,
}

impl Case {
    fn read(&self, reply: &str) -> Reading {
        let sent: Vec<&str> = self.sent.iter().map(String::as_str).collect();
        let context = ReplyContext {
            sent: &sent,
            cut: self.cut,
        };
        read_with(reply, &context)
    }
}

fn cases() -> Vec<Case> {
    let handed: Vec<Case> = serde_json::from_str(include_str!("../vectors/replies.json")).unwrap();
    let more: Vec<Case> =
        serde_json::from_str(include_str!("../vectors/replies_more.json")).unwrap();
    let exam: Vec<Case> =
        serde_json::from_str(include_str!("../vectors/replies_exam.json")).unwrap();
    assert_eq!(handed.len(), 40);
    handed.into_iter().chain(more).chain(exam).collect()
}

#[test]
fn every_reply_is_read_as_it_says() {
    let mut wrong = String::new();
    for case in cases() {
        let got = serde_json::to_value(case.read(&case.reply)).unwrap();
        for (key, want) in &case.want {
            let same = match (want.as_f64(), got[key].as_f64()) {
                (Some(want), Some(got)) => (want - got).abs() < 1e-12,
                _ => *want == got[key],
            };
            if !same {
                writeln!(wrong, "{}: {key} should be {want}, got {got}", case.name).unwrap();
            }
        }
        if case.want["kind"] != "judgement" {
            for key in ["verdict", "confidence", "reasoning"] {
                assert_eq!(got[key], Value::Null, "{}", case.name);
            }
            assert_eq!(got["revised"], false, "{}", case.name);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_complete_object_is_not_read_as_something_else_while_it_arrives() {
    for verdict in Verdict::ALL {
        let label = verdict.label();
        let whole = format!(
            r#"{{"verdict":"{label}","confidence":0.75,"reasoning":"S0 says {{\"a\": 1}}, so."}}"#
        );
        for (end, _) in whole.char_indices() {
            match read(&whole[..end]) {
                Reading::Judgement {
                    verdict: got,
                    confidence,
                    ..
                } => {
                    assert_eq!(got, verdict, "{}", &whole[..end]);
                    assert!(
                        matches!(confidence, None | Some(0.0 | 0.7 | 0.75)),
                        "{confidence:?}"
                    );
                }
                Reading::None => {}
                Reading::Ambiguous => panic!("{}", &whole[..end]),
            }
        }
    }
}

#[test]
fn no_reply_panics_and_every_confidence_is_in_range() {
    let cases = cases();
    let mut random = Random::new(7);
    let parts = [
        "{", "}", "\"", "'", "verdict", ":", ",", "ENTAILED", "0.9", "<think>", "</think>", "\\",
        "[", "]", "é", "😀", "//", "\n", "%", "“",
    ];
    for _ in 0..5_000 {
        let case = &cases[random.below(cases.len())];
        let mut reply: Vec<char> = case.reply.chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(reply.len() + 1);
            if random.below(3) == 0 {
                reply.truncate(at);
            } else {
                let part = parts[random.below(parts.len())].chars();
                reply.splice(at..at, part);
            }
        }
        let reply: String = reply.into_iter().collect();
        if let Reading::Judgement {
            confidence: Some(value),
            ..
        } = read(&reply)
        {
            assert!((0.0..=1.0).contains(&value), "{value} from {reply}");
        }
    }
}

#[test]
fn long_and_hostile_replies_are_read_in_linear_time() {
    let shapes = [
        "{",
        "[",
        "\"",
        "{\"a\":",
        "{\"a\":\"",
        "{a:'",
        "<think>",
        "</think>",
        "<",
        "/*",
        "\\",
        "{\"k\":\"\"# x\n{",
        "verdict: ",
        "ENTAILED ",
        "{\"verdict\":\"ENTAILED\"}",
        "{\"verdict\":",
        "'",
        "`",
        "<|channel|>",
        "{\"arguments\":{",
        "confidence ",
        "{\"a\":\"{",
        "{\\\"a\\\":1}",
        "{\\\"a\\\":",
        "{verdict:NO,a:\"{b:'\"}",
        "verdict:\n",
        "verdict:\n\n\n",
        "ENTAILED.",
        "ENTAILED. ",
        "ENTAILED.5",
        "{\"a\":\"{\"b\":{",
        "{a:\"x \"{\"b\":{ c\"}",
        "\"{\"b\":",
    ];
    let time = |shape: &str, bytes: usize| {
        let reply = shape.repeat(bytes / shape.len());
        let start = Instant::now();
        std::hint::black_box(read_with(
            &reply,
            &ReplyContext {
                sent: &[&reply],
                cut: false,
            },
        ));
        start.elapsed().as_secs_f64()
    };
    for shape in shapes {
        let (small, large) = (time(shape, 64 << 10), time(shape, 256 << 10));
        let ratio = large / small.max(1e-6);
        println!(
            "{shape:?}: t(4N)/t(N) {ratio:.1}, 256 KiB in {:.0} ms",
            large * 1e3
        );
        // Quadratic work on 256 KiB takes minutes; the bound is far from both.
        assert!(large < 20.0, "{shape:?} took {large:.1} s");
    }
}

#[test]
fn what_stands_before_a_cut_object_does_not_matter() {
    let cut = "{\"verdict\":\"ENTAILED\",\"reasoning\":\"x\n{\"verdict\":\"CONTRADICTED\"}";
    for before in [
        "{".to_owned() + &"a: 1, ".repeat(400) + "}\n",
        "x\n".repeat(5000),
        String::new(),
    ] {
        let Reading::Judgement { verdict, .. } = read(&(before + cut)) else {
            panic!("a judgement");
        };
        assert_eq!(verdict, Verdict::Contradicted);
    }
}

#[test]
fn deep_nesting_ends() {
    for open in ["[", "{\"a\":", "{\"arguments\":", "[{\"a\":["] {
        let deep = open.repeat(100_000) + r#"{"verdict":"ENTAILED","confidence":0.9}"#;
        std::hint::black_box(read(&deep));
    }
}

#[test]
fn wrappers_that_never_close_end() {
    for open in ["{\"input\":\"", "{'arguments':'"] {
        let start = Instant::now();
        assert_eq!(read(&open.repeat(20_000)), Reading::None);
        let seconds = start.elapsed().as_secs_f64();
        // One level of recursion for each wrapper exhausts the stack, or takes minutes.
        assert!(seconds < 20.0, "{open} took {seconds:.1} s");
    }
}

#[test]
fn an_answer_behind_objects_that_never_close_is_not_the_one_before_them() {
    let reply = r#"{"verdict":"ENTAILED","confidence":0.9}"#.to_owned()
        + &"{'a':'x ".repeat(100)
        + r#"{"verdict":"CONTRADICTED","confidence":0.9}"#;
    let read = read(&reply);
    let stale = matches!(
        read,
        Reading::Judgement {
            verdict: Verdict::Entailed,
            ..
        }
    );
    assert!(!stale, "{read:?}");
}

/// Ways in which models write an object; `V` and `C` stand for the verdict and the confidence.
const SHAPES: [(&str, &str); 24] = [
    (
        "strict",
        r#"{"verdict":"V","confidence":C,"reasoning":"r"}"#,
    ),
    ("trailing comma", r#"{"verdict":"V","confidence":C,}"#),
    ("single quotes", "{'verdict':'V','confidence':C}"),
    (
        "an apostrophe in single quotes",
        "{'verdict':'V','confidence':C,'reasoning':'it doesn't say'}",
    ),
    (
        "Python literals",
        "{'verdict':'V','confidence':C,'seen':None,'sure':True}",
    ),
    ("curly quotes", "{“verdict”:“V”,“confidence”:C}"),
    (
        "comment",
        "{\"verdict\":\"V\", // it's so\n\"confidence\":C}",
    ),
    (
        "hash comment",
        "{\"verdict\":\"V\", # it's so\n\"confidence\":C}",
    ),
    (
        "raw newline",
        "{\"reasoning\":\"a\nb\",\"verdict\":\"V\",\"confidence\":C}",
    ),
    ("unquoted keys", r#"{verdict: "V", confidence: C}"#),
    (
        "quotes inside",
        r#"{"verdict":"V","confidence":C,"reasoning":"it says "x" here"}"#,
    ),
    (
        "quotes at the end",
        r#"{"verdict":"V","confidence":C,"reasoning":"it says "x""}"#,
    ),
    (
        "an inch",
        r#"{"verdict":"V","confidence":C,"reasoning":"a 5" disk"}"#,
    ),
    (
        "an object inside a string",
        r#"{"verdict":"V","confidence":C,"reasoning":"S0 is {"port": 80}"}"#,
    ),
    (
        "tool call",
        r#"<tool_call>{"name":"g","arguments":{"verdict":"V","confidence":C}}</tool_call>"#,
    ),
    (
        "tool call as text",
        r#"{"name":"g","arguments":"{\"verdict\":\"V\",\"confidence\":C}"}"#,
    ),
    ("nested", r#"{"result":{"verdict":"V","confidence":C}}"#),
    ("array of one", r#"[{"verdict":"V","confidence":C}]"#),
    ("label", r#"{"verdict":{"label":"V"},"confidence":C}"#),
    ("JSON text", r#""{\"verdict\":\"V\",\"confidence\":C}""#),
    (
        "JSON text over lines",
        r#""{\n  \"verdict\": \"V\",\n  \"confidence\": C\n}""#,
    ),
    ("escaped", r#"{\"verdict\":\"V\",\"confidence\":C}"#),
    ("missing comma", "{\"verdict\":\"V\"\n\"confidence\":C}"),
    ("NaN elsewhere", r#"{"x":NaN,"verdict":"V","confidence":C}"#),
];

/// What stands between two objects, and around both.
const BETWEEN: [(&str, &str, &str); 5] = [
    ("", "\n", ""),
    ("", " ", ""),
    ("", "\n\nOn reflection:\n\n", ""),
    ("```json\n", "\n```\nNo, wait.\n```json\n", "\n```"),
    ("", "\nI didn't see it. It's:\n", ""),
];

/// Objects that are cut short, of another verdict than what follows.
const CUT: [(&str, &str); 7] = [
    ("in a key", r#"{"verdict":"ENTAILED","confi"#),
    ("behind a comma", r#"{"verdict":"ENTAILED","#),
    ("behind a value", r#"{"verdict":"ENTAILED""#),
    (
        "behind a number",
        r#"{"verdict":"ENTAILED","confidence":0.9"#,
    ),
    (
        "in the reasoning",
        r#"{"verdict":"ENTAILED","confidence":0.9,"reasoning":"The cat"#,
    ),
    (
        "in the reasoning, single quotes",
        "{'verdict':'ENTAILED','confidence':0.9,'reasoning':'The cat",
    ),
    ("in reasoning that comes first", r#"{"reasoning":"The cat"#),
];

fn shaped(shape: &str, verdict: &str, confidence: &str) -> String {
    shape.replace('V', verdict).replace('C', confidence)
}

/// Notes what is not read as UNSURE with 0.3.
fn hold(wrong: &mut String, what: &[&str], reply: &str, want_revised: Option<bool>) {
    let fits = match read(reply) {
        Reading::Judgement {
            verdict,
            confidence,
            revised,
            ..
        } => {
            verdict == Verdict::Unsure
                && confidence == Some(0.3)
                && want_revised.is_none_or(|want| want == revised)
        }
        _ => false,
    };
    if !fits {
        writeln!(wrong, "{what:?}: {:?}\n    {reply:?}", read(reply)).unwrap();
    }
}

#[test]
fn the_last_complete_object_wins_however_both_are_written() {
    let mut wrong = String::new();
    for (first, earlier) in SHAPES {
        for (second, later) in SHAPES {
            for (before, between, after) in BETWEEN {
                let reply = [
                    before,
                    &shaped(earlier, "ENTAILED", "0.9"),
                    between,
                    &shaped(later, "UNSURE", "0.3"),
                    after,
                ]
                .concat();
                hold(&mut wrong, &[first, second, between], &reply, Some(true));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{wrong}",
        wrong.lines().count() / 2
    );
}

#[test]
fn what_is_cut_short_takes_no_complete_object_along() {
    let mut wrong = String::new();
    for (where_cut, cut) in CUT {
        for (name, shape) in SHAPES {
            let complete = shaped(shape, "UNSURE", "0.3");
            for (before, between, after) in BETWEEN {
                let reply = [before, cut, between, &complete, after].concat();
                if name == "escaped" && between == " " {
                    // The words of a string that is open could quote it just so.
                    continue;
                }
                hold(&mut wrong, &[where_cut, name, between], &reply, None);
            }
            for (before, between, _) in &BETWEEN[..4] {
                let reply = [*before, &complete, *between, cut].concat();
                hold(&mut wrong, &[name, where_cut, between], &reply, Some(false));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{wrong}",
        wrong.lines().count() / 2
    );
}
