//! Several claims in one request: what is asked together, and what becomes of each.
#![allow(
    clippy::unwrap_used,
    reason = "a suite that cannot go on is a failed test"
)]

use claimgauge_core::{
    ErrorCode,
    decide::Status,
    estimate::estimate,
    evidence::Request,
    judgement::Basis,
    reply::logprobs::{Alternative, TokenLogprob},
    report::Report,
    verification::{Answer, Failure, Pass, PassRequest, Sample, Step, Verification},
};
use serde_json::{Value, json};

fn request(value: &Value) -> Request {
    serde_json::from_value(value.clone()).unwrap()
}

fn claims(count: usize) -> Value {
    let claims: Vec<String> = (0..count)
        .map(|at| format!("users.field{at} has length {at}00"))
        .collect();
    json!({
        "profile": "strawberry",
        "evidence": ["users.field0 has length 000, users.field1 has length 100"],
        "claims": claims,
    })
}

fn with(mut value: Value, key: &str, field: Value) -> Value {
    value[key] = field;
    value
}

/// What `judge` was asked, as `pass claim+claim`, and the report.
fn run(
    value: &Value,
    group: usize,
    mut judge: impl FnMut(&PassRequest) -> Result<Answer, Failure>,
) -> (Vec<String>, Report) {
    let mut verification = Verification::grouped(request(value), group).unwrap();
    let mut asked = Vec::new();
    loop {
        match verification.poll(4) {
            Step::Ask(requests) => {
                for request in requests {
                    let ids: Vec<&str> = request
                        .claims
                        .iter()
                        .map(|claim| claim.id.as_str())
                        .collect();
                    asked.push(format!("{:?} {}", request.pass, ids.join("+")));
                    match judge(&request) {
                        Ok(answer) => verification.handle(&request.id, answer).unwrap(),
                        Err(failure) => verification.fail(&request.id, failure).unwrap(),
                    }
                }
            }
            Step::Wait => panic!("nothing is open"),
            Step::Done(report) => return (asked, *report),
        }
    }
}

fn says(pass: Pass) -> (&'static str, f64) {
    match pass {
        Pass::Full => ("ENTAILED", 0.95),
        _ => ("UNSURE", 0.3),
    }
}

/// The reply to a question about one claim or about several, but for those that `skip` names.
fn reply(request: &PassRequest, skip: &[&str]) -> String {
    let (verdict, confidence) = says(request.pass);
    if request.claims.len() == 1 {
        return json!({ "verdict": verdict, "confidence": confidence }).to_string();
    }
    let answers: Vec<Value> = request
        .claims
        .iter()
        .rev()
        .filter(|claim| !skip.contains(&claim.id.as_str()))
        .map(|claim| json!({ "id": claim.id, "verdict": verdict, "confidence": confidence }))
        .collect();
    json!({ "answers": answers }).to_string()
}

#[test]
fn claims_on_the_same_spans_are_asked_together() {
    let (asked, report) = run(&claims(5), 2, |request| {
        Ok(Answer::text(reply(request, &[])))
    });
    assert_eq!(
        asked,
        [
            "Full C0+C1",
            "Scrubbed C0+C1",
            "Full C2+C3",
            "Scrubbed C2+C3",
            "Full C4",
            "Scrubbed C4",
        ]
    );
    assert_eq!(report.cost.calls, 6);
    for finding in &report.claims {
        assert_eq!(
            (finding.status, finding.delta),
            (Status::Verified, Some(0.65)),
            "{finding:?}"
        );
    }
}

#[test]
fn only_what_rests_on_the_same_spans_in_the_same_way_is_together() {
    let value = json!({
        "profile": "strawberry",
        "evidence": ["users.email has length 255", "orders.total is 12"],
        "claims": [
            { "text": "users.email has length 255", "cites": ["S0", "S1"] },
            { "text": "orders.total is 12", "cites": ["S1"] },
            { "text": "users.email has length 254", "cites": ["S1", "S0", "S0"] },
            // Nothing of it is in the evidence: its spans are redacted for the scrubbed pass.
            { "text": "nothing happens here", "cites": ["S0", "S1"] },
        ],
    });
    let (asked, _) = run(&value, 8, |request| Ok(Answer::text(reply(request, &[]))));
    assert_eq!(
        asked,
        [
            "Full C0+C2+C3",
            "Scrubbed C0+C2",
            "Full C1",
            "Scrubbed C1",
            "Scrubbed C3"
        ]
    );
}

#[test]
fn a_claim_that_the_reply_leaves_out_is_asked_about_alone() {
    let (asked, report) = run(&claims(3), 3, |request| {
        let skip: &[&str] = if request.pass == Pass::Full {
            &["C1"]
        } else {
            &[]
        };
        Ok(Answer::text(reply(request, skip)))
    });
    assert_eq!(asked, ["Full C0+C1+C2", "Scrubbed C0+C1+C2", "Full C1"]);
    assert!(
        report
            .claims
            .iter()
            .all(|finding| finding.status == Status::Verified)
    );
    let full = report.claims[1].full.as_ref().unwrap();
    assert_eq!(
        (full.attempts, full.raw.len()),
        (2, 2),
        "every reply is kept"
    );
}

#[test]
fn a_reply_that_is_no_object_is_made_good_by_single_questions() {
    let (asked, report) = run(&claims(2), 2, |request| {
        Ok(Answer::text(match request.claims.len() {
            1 => reply(request, &[]),
            _ => "ENTAILED 0.9".to_owned(),
        }))
    });
    assert_eq!(asked.len(), 6);
    assert!(
        report
            .claims
            .iter()
            .all(|finding| finding.status == Status::Verified)
    );
}

#[test]
fn a_group_that_fails_is_asked_about_one_by_one_and_loses_nobody() {
    let (_, report) = run(&claims(3), 3, |request| {
        if request.claims.len() > 1 {
            return Err(Failure::new("judge_failed", "too long"));
        }
        match (request.claim.as_str(), request.pass) {
            ("C1", Pass::Full) => Err(Failure::new("judge_failed", "no")),
            _ => Ok(Answer::text(reply(request, &[]))),
        }
    });
    let statuses: Vec<Status> = report.claims.iter().map(|finding| finding.status).collect();
    assert_eq!(
        statuses,
        [Status::Verified, Status::Inconclusive, Status::Verified]
    );
}

#[test]
fn nonsense_about_a_claim_alone_ends_after_three_more_attempts() {
    let (asked, report) = run(&claims(2), 2, |request| {
        let deaf = request.claim == "C0" && request.claims.len() == 1;
        Ok(Answer::text(match deaf {
            true => "I cannot say".to_owned(),
            false => reply(request, &["C0"]),
        }))
    });
    assert_eq!(asked.iter().filter(|asked| *asked == "Full C0").count(), 3);
    assert_eq!(report.claims[0].status, Status::Inconclusive);
    assert_eq!(report.claims[1].status, Status::Verified);
}

#[test]
fn scrubbed_passes_that_are_needed_are_asked_together() {
    let value = with(claims(3), "passes", json!("as_needed"));
    let (asked, report) = run(&value, 3, |request| {
        let text = reply(request, &[]);
        Ok(Answer::text(match request.pass {
            Pass::Full => text.replacen("ENTAILED", "CONTRADICTED", 1),
            _ => text,
        }))
    });
    // Replies come in reverse: the one that is contradicted is C2.
    assert_eq!(asked, ["Full C0+C1+C2", "Scrubbed C0+C1"]);
    assert_eq!(report.claims[2].status, Status::Unsupported);
}

#[test]
fn samples_vote_on_each_claim() {
    let (_, report) = run(&claims(2), 2, |request| {
        let sample = |text: String| Sample {
            text,
            ..Sample::default()
        };
        let whole = reply(request, &[]);
        let changed = whole.replacen("ENTAILED", "CONTRADICTED", 1);
        Ok(Answer {
            samples: Some(vec![sample(whole.clone()), sample(changed), sample(whole)]),
            ..Answer::default()
        })
    });
    for finding in &report.claims {
        let full = finding.full.as_ref().unwrap();
        assert_eq!(
            (finding.status, full.basis),
            (Status::Verified, Some(Basis::Sampled))
        );
    }
}

/// The reply in tokens, each verdict with its probability.
fn tokens(text: &str) -> Vec<TokenLogprob> {
    let token = |token: &str, top: Vec<Alternative>| TokenLogprob {
        token: token.to_owned(),
        logprob: -0.1,
        top,
    };
    let top = |token: &str, probability: f64| Alternative {
        token: token.to_owned(),
        logprob: probability.ln(),
    };
    let mut tokens = Vec::new();
    for (at, piece) in text.split("\"verdict\":\"").enumerate() {
        let rest = match at {
            0 => piece,
            _ => {
                tokens.push(token("\"verdict\":\"", vec![]));
                let end = piece.find('"').unwrap();
                let probability = if at == 1 { 0.9 } else { 0.7 };
                let own = &piece[..end];
                tokens.push(token(
                    own,
                    vec![
                        top(own, probability),
                        top("CONTRADICTED", 1.0 - probability),
                    ],
                ));
                &piece[end..]
            }
        };
        tokens.push(token(rest, vec![]));
    }
    tokens
}

#[test]
fn token_probabilities_are_those_of_the_claims_own_verdict() {
    let value = with(claims(2), "passes", json!("as_needed"));
    let (_, report) = run(&value, 2, |request| {
        let text = reply(request, &[]);
        let logprobs = Some(tokens(&text));
        Ok(Answer {
            logprobs,
            ..Answer::text(text)
        })
    });
    let confidence = |at: usize| report.claims[at].full.as_ref().unwrap().confidence.unwrap();
    // The reply answers C1 first.
    assert!(
        confidence(1) > confidence(0),
        "{} {}",
        confidence(1),
        confidence(0)
    );
    assert!(
        report
            .claims
            .iter()
            .all(|one| one.full.as_ref().unwrap().basis == Some(Basis::Logprob))
    );
}

#[test]
fn probabilities_that_cannot_be_told_apart_are_asked_for_again() {
    let (asked, report) = run(&claims(2), 2, |request| {
        let text = reply(request, &[]);
        let logprobs = match request.claims.len() {
            1 => Some(tokens(&text)),
            _ => Some(tokens("{\"answers\":[]}")),
        };
        Ok(Answer {
            logprobs,
            ..Answer::text(text)
        })
    });
    assert_eq!(asked.len(), 6);
    for finding in &report.claims {
        let bases = [&finding.full, &finding.scrubbed].map(|pass| pass.as_ref().unwrap().basis);
        assert_eq!(
            bases,
            [Some(Basis::Logprob); 2],
            "the passes have one basis"
        );
    }
}

#[test]
fn what_is_worth_keeping_answers_every_claim() {
    let mut verification = Verification::grouped(request(&claims(2)), 2).unwrap();
    let Step::Ask(requests) = verification.poll(1) else {
        panic!("nothing is asked");
    };
    let ids = ["C0".to_owned(), "C1".to_owned()];
    let readable = |text: String| Answer::text(text).is_readable(&requests[0].messages, &ids);
    assert!(readable(reply(&requests[0], &[])));
    assert!(!readable(reply(&requests[0], &["C1"])));
    assert!(!readable("ENTAILED".to_owned()));
}

#[test]
fn groups_save_tokens_and_an_estimate_says_how_many() {
    let each = estimate(request(&claims(8)), 1).unwrap();
    let grouped = estimate(request(&claims(8)), 4).unwrap();
    assert_eq!((each.calls, grouped.calls), (16, 4));
    assert!(grouped.prompt_tokens * 2 < each.prompt_tokens);
    assert_eq!(grouped.requests[0].claims, ["C0", "C1", "C2", "C3"]);
}

#[test]
fn a_group_has_a_size() {
    for size in [0, 65] {
        let error = Verification::grouped(request(&claims(1)), size).unwrap_err();
        assert_eq!(
            (error.code(), error.path()),
            (ErrorCode::InvalidValue, "group")
        );
    }
}

/// Whether each claim got a verdict from a reply to all of them; alone none does.
fn answered(ids: &[&str], reply: &str) -> Vec<bool> {
    let claims: Vec<Value> = ids
        .iter()
        .map(|id| json!({ "id": id, "text": "Table users has 7 rows" }))
        .collect();
    let value = json!({ "profile": "strawberry", "evidence": ["Table users has 7 rows"], "claims": claims });
    let (_, report) = run(&value, 64, |request| {
        let together = request.claims.len() > 1;
        Ok(Answer::text(if together { reply } else { "nothing" }))
    });
    let findings = report.claims.iter();
    findings
        .map(|finding| {
            finding
                .full
                .as_ref()
                .is_some_and(|pass| pass.verdict.is_some())
        })
        .collect()
}

#[test]
fn no_claim_gets_a_verdict_that_names_another_or_none() {
    let says = |id: &str| format!(r#"{{"id":{id},"verdict":"ENTAILED","confidence":0.9}}"#);
    let list = |entries: &[String]| format!(r#"{{"answers":[{}]}}"#, entries.join(","));
    let bare = r#"{"verdict":"ENTAILED","confidence":0.9}"#.to_owned();
    let two = r#"{"id":"C0","id":"C1","verdict":"ENTAILED","confidence":0.9}"#.to_owned();
    #[rustfmt::skip]
    let rows = [
        (["C0", " C0"], list(&[says("\" C0\"")]), [false, true]),
        (["C0", " C0"], list(&[says("\"C0\"")]), [true, false]),
        (["C0", "C1"], list(&[says("\" C0 \"")]), [true, false]),
        (["answers", "C1"], list(std::slice::from_ref(&bare)), [false, false]),
        (["answers", "C1"], list(&[bare, says("\"C1\"")]), [false, true]),
        (["null", "C1"], list(&[says("null")]), [false, false]),
        (["1", "__proto__"], list(&[says("1"), says("\"__proto__\"")]), [true, true]),
        (["C0", "C1"], list(&[two]), [false, false]),
        (["C0", "C1"], format!(r#"{{"C0":{}}}"#, r#"{"verdict":"ENTAILED","confidence":0.9}"#), [true, false]),
    ];
    for (ids, reply, expected) in rows {
        assert_eq!(answered(&ids, &reply), expected, "{ids:?} {reply}");
    }
}
