//! Batches in the core: what a request asks, what lines of answers say, and that a replay is what a run would have been.
#![allow(
    clippy::unwrap_used,
    reason = "a suite that cannot go on is a failed test"
)]

use claimgauge_core::{
    ErrorCode,
    batch::{self, Asked, Heard, Known, Line, Names, Replayed, answered, hear},
    builtin::SecondOpinion,
    decide::{Flag, Status},
    evidence::Request,
    provider::Dialect,
    report::Report,
    verification::{Answer, Pass, PassRequest, Step, Stop, Usage, Verification},
};
use claimgauge_patterns::answer;
use serde_json::{Value, json};

const SURE: &str = r#"{"verdict":"ENTAILED","confidence":0.95}"#;
const UNSURE: &str = r#"{"verdict":"UNSURE","confidence":0.3}"#;

const PLAN: &str = "0123456789";
const LINE: u64 = 12;

fn asked(group: usize, without: &[&str]) -> Asked {
    let endpoint =
        json!({ "dialect": "openai", "baseUrl": "https://batch.invalid/v1", "model": "m" });
    let asked = json!({ "plan": PLAN, "group": group, "endpoint": endpoint, "without": without });
    serde_json::from_value(asked).unwrap()
}

fn request(claims: usize) -> Value {
    let claims: Vec<String> = (0..claims)
        .map(|at| format!("port{at} is 808{at}"))
        .collect();
    json!({ "profile": "documentation", "evidence": ["port0 is 8080, port1 is 8081"], "claims": claims })
}

/// As a host reads it, with what its patterns match.
fn read(value: &Value) -> Request {
    let mut request: Request = serde_json::from_value(value.clone()).unwrap();
    request.matches = request
        .search()
        .unwrap()
        .map(|search| answer(&search).unwrap());
    request
}

fn openai(text: &str) -> Value {
    let message = json!({ "message": { "content": text }, "finish_reason": "stop" });
    let usage = json!({ "prompt_tokens": 900, "completion_tokens": 20 });
    let body = json!({ "choices": [message], "usage": usage });
    json!({ "custom_id": "x", "response": { "status_code": 200, "body": body }, "error": null })
}

fn failed(status: u16, message: &str) -> Value {
    let body = json!({ "error": { "message": message } });
    json!({ "custom_id": "x", "response": { "status_code": status, "body": body } })
}

fn reply(pass: Pass, claims: usize) -> String {
    let judgement = if pass == Pass::Full { SURE } else { UNSURE };
    if claims == 1 {
        return judgement.to_owned();
    }
    let answers: Vec<Value> = (0..claims)
        .map(|at| {
            let mut entry: Value = serde_json::from_str(judgement).unwrap();
            entry["id"] = json!(format!("C{at}"));
            entry
        })
        .collect();
    json!({ "answers": answers }).to_string()
}

fn said(question: &PassRequest) -> String {
    reply(question.pass, question.claims.len())
}

/// The lines of a test, by the questions' keys; those of `shared` were said to another question.
#[derive(Default)]
struct Lines(Vec<(String, String, bool)>);

impl Lines {
    fn add(&mut self, key: &str, line: &Value, shared: bool) {
        self.0.push((key.to_owned(), line.to_string(), shared));
    }

    fn replay(&self, value: &Value, group: usize, without: &[&str]) -> Replayed {
        let mut known = Known::new();
        for (key, text, shared) in &self.0 {
            let (text, shared) = (text.as_bytes(), *shared);
            known
                .entry(serde_json::from_value(json!(key)).unwrap())
                .or_default()
                .push(Line { text, shared });
        }
        let second = SecondOpinion::new();
        batch::replay(read(value), LINE, &asked(group, without), &known, &second).unwrap()
    }
}

/// A run to its end, and the lines that a provider would have answered with.
fn run(value: &Value, group: usize) -> (Report, Lines) {
    let request = read(value);
    let names = Names::new(PLAN, LINE, &request);
    let mut verification = Verification::grouped(request, group).unwrap();
    let (mut lines, second) = (Lines::default(), SecondOpinion::new());
    loop {
        match verification.poll(usize::MAX) {
            Step::Done(report) => return (*report, lines),
            Step::Wait => verification.stop(Stop::Stopped),
            Step::Ask(questions) => {
                for question in questions {
                    if question.pass == Pass::Full {
                        let claims = question.claims.iter();
                        let atoms = claims.map(|claim| second.atoms(&question.spans, &claim.text));
                        verification
                            .handle_atoms(&question.id, atoms.collect())
                            .unwrap();
                    }
                    let text = said(&question);
                    let (others, judging) =
                        (question.claims.len() - 1, (question.pass, question.mode));
                    let name = names.name(&question.claim, others, judging, question.attempt);
                    let key = name.unwrap().key().to_string();
                    lines.add(&key, &openai(&text), false);
                    let usage = Usage {
                        prompt_tokens: Some(900),
                        completion_tokens: Some(20),
                    };
                    let answer = Answer {
                        usage: Some(usage),
                        ..Answer::text(text)
                    };
                    verification.handle(&question.id, answer).unwrap();
                }
            }
        }
    }
}

#[test]
fn a_replay_is_what_a_run_would_have_been() {
    let mut nulls = request(2);
    nulls["nulls"] = json!(["identifiers", "no_evidence"]);
    let mut as_needed = request(2);
    as_needed["passes"] = json!("as_needed");
    let ticket = json!({
        "profile": "documentation",
        "evidence": ["The ticket is ACME-1234."],
        "claims": ["The ticket is ACME-1234"],
        "kinds": [{ "kind": "TICKET", "patterns": [r"[A-Z]+-\d+"] }],
    });
    for value in [request(1), request(2), nulls, as_needed, ticket, request(0)] {
        for group in [1, 2] {
            let (report, lines) = run(&value, group);
            let Replayed {
                report: again,
                open,
                told,
            } = lines.replay(&value, group, &[]);
            assert_eq!(again, report);
            assert_eq!((open.len(), told.answered), (0, lines.0.len()));
            assert_eq!((told.cost, told.reasons), (report.cost, Vec::new()));
        }
    }
}

#[test]
fn nothing_known_asks_what_is_asked_at_first() {
    for (value, group, count) in [(request(1), 1, 2), (request(2), 1, 4), (request(2), 2, 2)] {
        let questions = batch::questions(read(&value), LINE, &asked(group, &[])).unwrap();
        assert_eq!(questions.len(), count);
        let replayed = Lines::default().replay(&value, group, &[]);
        assert_eq!(replayed.open, questions);
        for finding in &replayed.report.claims {
            assert_eq!(finding.status, Status::Inconclusive);
            assert_eq!(finding.flags, [Flag::Stopped]);
        }
        assert_eq!(replayed.told.reasons.len(), count);
        let body: Value = serde_json::from_str(&questions[0].body).unwrap();
        assert_eq!(
            (&body["model"], body["messages"].as_array().unwrap().len()),
            (&json!("m"), 2)
        );
        assert!(
            questions
                .iter()
                .all(|question| question.prompt_tokens > 100)
        );
    }
}

#[test]
fn what_another_has_paid_costs_nothing_more_and_stands_in_the_report() {
    let (report, mut lines) = run(&request(1), 1);
    lines.0[0].2 = true;
    let replayed = lines.replay(&request(1), 1, &[]);
    assert_eq!(replayed.report, report);
    assert_eq!((replayed.told.answered, replayed.told.cost.calls), (1, 1));
    assert_eq!(replayed.told.cost.prompt_tokens, 900);
}

#[test]
fn what_cannot_be_read_is_asked_again_with_the_simplified_prompt() {
    let mut lines = Lines::default();
    lines.add("12-0-full-1", &openai("I would rather not say."), false);
    lines.add("12-0-scrubbed-1", &openai(UNSURE), false);
    let replayed = lines.replay(&request(1), 1, &[]);
    let [question] = replayed.open.as_slice() else {
        panic!("{:?}", replayed.open)
    };
    assert_eq!(question.name.to_string(), "cg-0123456789-12-0-full-2");
    assert_eq!(replayed.told.reasons, ["The reply before held no verdict"]);
    lines.add("12-0-full-2", &openai("ENTAILED 0.9"), false);
    assert_eq!(lines.replay(&request(1), 1, &[]).open.len(), 0);
}

#[test]
fn a_parameter_that_is_refused_is_left_out_of_all_that_is_open() {
    let mut lines = Lines::default();
    lines.add(
        "12-0-full-1",
        &failed(400, "Unsupported parameter: 'top_logprobs'"),
        false,
    );
    let replayed = lines.replay(&request(1), 1, &[]);
    assert_eq!(replayed.told.without, ["top_logprobs"]);
    assert_eq!(replayed.open.len(), 2);
    assert!(
        replayed
            .open
            .iter()
            .all(|open| !open.body.contains("top_logprobs"))
    );
    let told = lines.replay(&request(1), 1, &["top_logprobs"]).told;
    assert!(told.without.is_empty() || told.without == ["top_logprobs"]);
}

#[test]
fn each_line_says_what_becomes_of_its_question() {
    let anthropic = |result: Value| json!({ "custom_id": "x", "result": result });
    let errored = |kind: &str| {
        anthropic(
            json!({ "type": "errored", "error": { "type": "error", "error": { "type": kind, "message": "no" } } }),
        )
    };
    let message = json!({ "type": "message", "content": [{ "type": "text", "text": SURE }], "stop_reason": "end_turn" });
    let bare = json!({ "custom_id": "x", "response": openai(SURE)["response"]["body"] });
    let odd_status = json!({ "custom_id": "x", "response": { "status_code": 7, "body": openai(SURE)["response"]["body"] } });
    let rows = [
        (Dialect::Openai, openai(SURE), "answer"),
        (Dialect::Openai, bare, "answer"),
        (Dialect::Openai, odd_status, "answer"),
        (
            Dialect::Openai,
            json!({ "answer": { "text": SURE } }),
            "answer",
        ),
        (
            Dialect::Openai,
            json!({ "failure": { "code": "judge_refused", "message": "no" } }),
            "failure",
        ),
        (Dialect::Openai, failed(400, "too long"), "failure"),
        (Dialect::Openai, failed(401, "no such key"), "again"),
        (Dialect::Openai, failed(429, "slowly"), "again"),
        (Dialect::Openai, failed(500, "broken"), "again"),
        (
            Dialect::Openai,
            json!({ "response": null, "error": { "code": "batch_expired" } }),
            "again",
        ),
        (
            Dialect::Openai,
            json!({ "response": { "body": "<html>" } }),
            "again",
        ),
        (Dialect::Openai, json!({ "response": {} }), "again"),
        (Dialect::Openai, json!({ "answer": 7 }), "again"),
        (Dialect::Openai, json!({ "response": 7 }), "again"),
        (
            Dialect::Anthropic,
            anthropic(json!({ "type": "succeeded", "message": message })),
            "answer",
        ),
        (
            Dialect::Anthropic,
            anthropic(json!({ "type": "expired" })),
            "again",
        ),
        (Dialect::Anthropic, anthropic(json!(7)), "again"),
        (
            Dialect::Anthropic,
            errored("invalid_request_error"),
            "failure",
        ),
        (Dialect::Anthropic, errored("overloaded_error"), "again"),
        (Dialect::Anthropic, errored("something new"), "again"),
    ];
    for (dialect, line, want) in rows {
        let text = line.to_string();
        let heard = hear(
            dialect,
            &[Line {
                text: text.as_bytes(),
                shared: false,
            }],
        )
        .unwrap();
        assert_eq!(
            serde_json::to_value(&heard).unwrap()["kind"],
            want,
            "{line}"
        );
    }
    assert_eq!(hear(Dialect::Openai, &[]), None);
}

#[test]
fn half_of_a_surrogate_pair_spoils_no_line() {
    let line = openai("half ENTAILED 0.9").to_string();
    let line = line.replace("half", "\\ud83d");
    let one = Line {
        text: line.as_bytes(),
        shared: false,
    };
    let Some(Heard::Answer { answer }) = hear(Dialect::Openai, &[one]) else {
        panic!("no answer");
    };
    assert_eq!(answer.text, "\u{fffd} ENTAILED 0.9");
}

#[test]
fn of_several_lines_the_one_that_settles_the_question_counts() {
    let lines = [
        failed(429, "slowly"),
        failed(400, "too long"),
        openai(SURE),
        openai(UNSURE),
    ]
    .map(|line| line.to_string());
    let line = |at: usize, shared| Line {
        text: lines[at].as_bytes(),
        shared,
    };
    let text = |heard: Option<Heard>| match heard {
        Some(Heard::Answer { answer }) => answer.text,
        other => format!("{other:?}"),
    };
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let heard = hear(Dialect::Openai, &order.map(|at| line(at, false)));
        assert_eq!(text(heard), SURE);
    }
    let heard = hear(Dialect::Openai, &[line(0, false), line(1, false)]);
    assert!(matches!(heard, Some(Heard::Failure { .. })));
    // One's own goes before a shared one; of equals the order does not decide.
    for (own, other) in [(2, 3), (3, 2)] {
        let heard = hear(Dialect::Openai, &[line(other, true), line(own, false)]);
        assert_eq!(text(heard), [SURE, UNSURE][own - 2]);
        let (one, two) = (line(own, false), line(other, false));
        assert_eq!(
            hear(Dialect::Openai, &[one, two]),
            hear(Dialect::Openai, &[two, one])
        );
    }
}

#[test]
fn a_line_names_its_question_or_says_what_is_wrong() {
    let named = |line: &[u8]| match answered(line, PLAN) {
        Ok(key) => Ok(key.to_string()),
        Err(error) => Err(error.message().to_owned()),
    };
    assert_eq!(
        named(br#" {"custom_id":"cg-0123456789-12-0-full-1","result":{"type":"canceled"}} "#)
            .as_deref(),
        Ok("12-0-full-1")
    );
    for (line, want) in [
        (
            &b"{\"custom_id\":\"x"[..],
            "not JSON: it breaks off at column 15",
        ),
        (b"", "not JSON: it breaks off"),
        (b"\xff", "not JSON: expected value at column 1"),
        (
            b"{'custom_id':1}",
            "not JSON: key must be a string at column 2",
        ),
        (
            b"[\"x\",null,null,null]",
            "no provider's answer: it is no object",
        ),
        (b"{}", "it has no custom_id"),
        (b"{\"custom_id\":7}", "it has no custom_id"),
        (b"7", "no provider's answer: it is no object"),
        (
            b"{\"custom_id\":\"x\",\"response\":7}",
            "no provider's answer: its response is of another kind",
        ),
        (
            b"{\"custom_id\":\"x\",\"answer\":7}",
            "no provider's answer: its answer is of another kind",
        ),
        (
            b"{\"custom_id\":\"x\",\"failure\":{}}",
            "no provider's answer: its failure is of another kind",
        ),
    ] {
        let error = named(line).unwrap_err();
        assert!(
            error.starts_with(want),
            "{}: {error}",
            String::from_utf8_lossy(line)
        );
    }
}

#[test]
fn a_name_is_read_as_it_was_written_and_no_other_is() {
    let named = |name: &str| {
        let line = json!({ "custom_id": name, "response": null }).to_string();
        answered(line.as_bytes(), PLAN).map(|key| format!("cg-{PLAN}-{key}"))
    };
    for key in [
        "1-0-full-1",
        "1-0-null_no_evidence-1",
        "12-3-null_identifiers-3",
        "12-3-null_redact_spans-1",
        "4294967296-999999-scrubbed-9-99",
    ] {
        let name = format!("cg-{PLAN}-{key}");
        assert_eq!(named(&name).as_ref(), Ok(&name));
        assert!(name.len() <= 64);
    }
    for (name, want) in [
        ("cg-0123456780-1-0-full-1", "another plan"),
        ("cg-012345678-1-0-full-1", "not made here"),
        ("cg-0123456789-01-0-full-1", "not made here"),
        ("cg-0123456789-+1-0-full-1", "not made here"),
        ("cg-0123456789-1-0-full-1-0", "not made here"),
        ("cg-0123456789-1-0-full-1-2-3", "not made here"),
        ("cg-0123456789-1-0-null-1", "not made here"),
        ("cg-0123456789-1-0-full-1 ", "not made here"),
        ("cg-0123456789-1-0-full", "not made here"),
        ("__proto__", "not made here"),
    ] {
        let error = named(name).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ForeignAnswer, "{name}");
        assert!(error.message().ends_with(want), "{name}: {error}");
    }
}

#[test]
fn what_a_request_needs_is_not_left_out() {
    assert_eq!(asked(1, &["logprobs", "response_format"]).check(), Ok(()));
    let error = asked(1, &["logprobs", "messages"]).check().unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (ErrorCode::InvalidValue, "without")
    );
    assert!(error.to_string().contains("\"messages\""), "{error}");
    assert!(error.hint().unwrap().contains("logprobs"), "{error}");
}

#[test]
fn a_request_is_an_object() {
    let read = |text: &str| batch::request(text.as_bytes());
    assert!(read(r#"{"profile":"code","evidence":["x"],"claims":["x"]}"#).is_ok());
    for text in [r#" ["code",["x"],["x"]]"#, "7", "{"] {
        assert_eq!(
            read(text).unwrap_err().code(),
            ErrorCode::InvalidValue,
            "{text}"
        );
    }
}

#[test]
fn a_request_whose_patterns_nobody_ran_is_refused() {
    let value = json!({
        "profile": "documentation",
        "evidence": ["ACME-1"],
        "claims": ["ACME-1"],
        "kinds": [{ "kind": "TICKET", "patterns": [r"[A-Z]+-\d+"] }],
    });
    let request: Request = serde_json::from_value(value).unwrap();
    let error = batch::questions(request, LINE, &asked(1, &[])).unwrap_err();
    assert_eq!(error.code(), ErrorCode::PatternsNotLoaded);
}
