//! What each program of `fuzz/` does with its bytes, and what must hold then. The suite runs the same over the
//! corpora in `fuzz/corpus`, so that no target is forgotten when what it tries changes.
//!
//! Where a target takes several texts, the byte 0xff stands between them.

use std::collections::BTreeMap;

use claimgauge_core::{
    builtin,
    evidence::{Claim, ClaimInput, Request, Span, SpanInput},
    judgement::{Basis, Verdict},
    output::{
        Base, Check, Content, Digest, FileSeen, Given, Look, Observation, Options as CheckOptions,
        SchemaAnswer, Step as CheckStep,
    },
    patterns::Pattern,
    profile::{Kind, Profile, ProfileChoice},
    prompt::{Message, Role},
    reply::{self, Reading},
    report::Report,
    scrub::{
        ByteOffset, Mode, Offset, Options, Replacement, Scrubbed, SpanField, Utf16Offset, Why,
        unscrub,
    },
    verification::{Answer, Failure, Pass, PassRequest, Sample, Step, Stop, Usage, Verification},
};
use claimgauge_patterns::Patterns;
use claimgauge_schema::{MAX_ERRORS, Options as SchemaOptions, Schema};
use serde_json::{Value, json};

use crate::{judging, properties};

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 8] = [
    ("builtin", builtin),
    ("check_output", check_output),
    ("read_reply", read_reply),
    ("request", request),
    ("schema", schema),
    ("scrub", scrub),
    ("unscrub", unscrub_any),
    ("verification", verification),
];

fn texts(data: &[u8]) -> impl Iterator<Item = String> {
    let texts = data.split(|byte| *byte == 0xff);
    texts.map(|text| String::from_utf8_lossy(text).into_owned())
}

/// Any evidence and claim: nothing panics, the order of spans does not matter, a span added turns no
/// contradiction round by itself, what the reasoning quotes is there, and a claim's atoms are read.
///
/// The texts: the claim, the span that is added, the other spans.
pub fn builtin(data: &[u8]) {
    let mut texts = texts(data);
    let claim = texts.next().unwrap_or_default();
    let mut spans: Vec<Span> = (0..)
        .zip(texts)
        .map(|(at, text)| Span {
            id: format!("S{at}"),
            source: (at % 3 == 2).then(|| text.chars().take(9).collect()),
            text,
        })
        .collect();
    if spans.is_empty() {
        return;
    }
    let added = spans.remove(0);
    judging::check(&spans, &added, &claim);
    for atom in builtin::atoms(&spans, &claim) {
        assert!(claim.contains(&atom.text), "{atom:?} {claim:?}");
        assert_eq!(atom.grounded, atom.span.is_some(), "{atom:?}");
    }
}

/// Any evidence and claims: the way back is exact, offsets are right, a second scrub changes nothing, and
/// nothing panics.
///
/// The first byte is the profile and the options; every other text is a claim.
pub fn scrub(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let mut profiles = Profile::all();
    let profile = profiles.swap_remove(usize::from(first & 0xf) % profiles.len());
    let options = Options {
        hide_secrets: first & 0x10 == 0,
        mode: match first & 0x60 {
            0x60 => Mode::RedactSpans,
            _ => Mode::Identifiers,
        },
        ..Options::default()
    };
    let (mut spans, mut claims) = (Vec::new(), Vec::new());
    for (at, text) in texts(rest).enumerate() {
        match at % 2 {
            0 => spans.push(Span {
                id: format!("S{at}"),
                source: (first & 0x80 != 0).then(|| text.chars().take(9).collect()),
                text,
            }),
            _ => claims.push(Claim {
                id: format!("C{at}"),
                text,
                cites: None,
                critical: false,
                confidence: None,
            }),
        }
    }
    properties::check(&profile, &spans, &claims, &options);
}

/// A result that no scrub made: whatever it holds, `unscrub`, `hidden` and a scrub that knows it end, and the
/// last one's way back is exact.
///
/// The texts: the text, then four to a replacement, the first of which has the offsets in its first bytes.
pub fn unscrub_any(data: &[u8]) {
    fn result<O: Offset>(texts: &[String], offset: impl Fn(u8) -> O) -> Scrubbed<O> {
        let replacements = texts[1..].chunks_exact(4).map(|parts| {
            let byte = |at: usize| parts[0].as_bytes().get(at).copied().unwrap_or(0);
            Replacement {
                span: parts[1].as_str().into(),
                field: [SpanField::Text, SpanField::Source][usize::from(byte(0) % 2)],
                start: offset(byte(1)),
                end: offset(byte(2)),
                kind: [Kind::Table, Kind::Secret][usize::from(byte(3) % 2)].into(),
                placeholder: parts[2].as_str().into(),
                text: parts[3].as_str().into(),
                why: [Why::Secret, Why::Claim][usize::from(byte(4) % 2)],
            }
        });
        Scrubbed {
            mode: Mode::Identifiers,
            spans: vec![span(texts)],
            replacements: replacements.collect(),
            leaks: Vec::new(),
            removed: Vec::new(),
        }
    }
    fn span(texts: &[String]) -> Span {
        Span {
            id: "S0".to_owned(),
            text: texts[0].clone(),
            source: texts.last().cloned(),
        }
    }
    let texts: Vec<String> = texts(data).collect();
    let narrow = result(&texts, |byte| ByteOffset(usize::from(byte)));
    let wide = result(&texts, |byte| Utf16Offset(usize::from(byte)));
    for id in [None, Some("S0"), texts.last().map(String::as_str)] {
        unscrub(&texts[0], &narrow, id);
        unscrub(&texts[0], &wide, id);
    }
    narrow.hidden(&narrow.spans);
    wide.hidden(&wide.spans);
    narrow.hide_in_claim(&texts[0]);
    narrow.clone().into_utf16();
    let options = Options {
        previous: Some(&narrow.replacements),
        ..Options::default()
    };
    properties::check(&Profile::all()[0], &[span(&texts)], &[], &options);
}

/// Any reply is read, to one claim and to several, and what is read is in range.
///
/// The texts: the reply, what was sent.
pub fn read_reply(data: &[u8]) {
    let mut texts = texts(data);
    let (reply, sent) = (texts.next().unwrap_or_default(), texts.next());
    let reading = reply::read(&reply);
    if let Reading::Judgement {
        confidence: Some(confidence),
        ..
    } = reading
    {
        assert!((0.0..=1.0).contains(&confidence), "{reading:?}");
    }
    let message = |content| Message {
        role: Role::User,
        content,
    };
    let sent: Vec<Message> = sent.map(message).into_iter().collect();
    let ids = ["C0", "C1", "C2"].map(String::from);
    let answer = Answer::text(reply);
    let readable = [&ids[..1], &ids].map(|ids| answer.is_readable(&sent, ids));
    // A verdict for each of three is one for the first.
    if sent.is_empty() && readable[0] {
        assert_ne!(reading, Reading::None);
    }
}

/// Any JSON as a request: it is refused by a path, or its claims are verified to the end.
pub fn request(data: &[u8]) {
    let read = || serde_json::from_slice::<Request>(data);
    let Ok(request) = read() else { return };
    let texts: Vec<String> = request
        .claims
        .iter()
        .map(|claim| claim.text.clone())
        .collect();
    match Verification::new(request) {
        Ok(run) => {
            let mut host = Host::new(run);
            host.finish();
            let report = host.run.report();
            assert_eq!(report.claims.len() + report.skipped.len(), texts.len());
        }
        Err(error) => assert!(!error.message().is_empty(), "{error:?}"),
    }
}

/// Any order of polls, answers, failures and stops, answers to what was never asked among them: each is
/// taken or refused, the run comes to its end, and the report is whole.
///
/// The texts: what the caller does, two bytes each; options; then claims and spans in turn.
pub fn verification(data: &[u8]) {
    let mut parts = data.split(|byte| *byte == 0xff);
    let (Some(deeds), Some(options)) = (parts.next(), parts.next()) else {
        return;
    };
    let byte = |at: usize| options.get(at).copied().unwrap_or(0);
    let mut texts = [Vec::new(), Vec::new()];
    for (at, text) in parts.enumerate() {
        texts[at % 2].push(String::from_utf8_lossy(text).into_owned());
    }
    let [claims, spans] = texts;
    let profile = ["strawberry", "code", "documentation", "data", "security"];
    let nulls = [Mode::Identifiers, Mode::RedactSpans, Mode::NoEvidence];
    let asked = (0..3).filter(|at| byte(1) >> at & 1 == 1);
    let nulls: Vec<Mode> = asked.map(|at| nulls[at]).collect();
    let passes = ["both", "as_needed"][usize::from(byte(2) % 2)];
    let request = Request {
        profile: ProfileChoice::Named(profile[usize::from(byte(0)) % profile.len()].into()),
        evidence: spans
            .iter()
            .map(|text| SpanInput::from(text.as_str()))
            .collect(),
        claims: claims
            .iter()
            .map(|text| ClaimInput::from(text.as_str()))
            .collect(),
        nulls: (!nulls.is_empty()).then_some(nulls),
        passes: serde_json::from_value(json!(passes)).ok(),
        ..Request::default()
    };
    let Ok(run) = Verification::grouped(request, 1 + usize::from(byte(3) % 4)) else {
        return;
    };
    let mut host = Host::new(run);
    for deed in deeds.chunks(2) {
        host.act(deed[0], deed.get(1).copied().unwrap_or(0));
    }
    host.finish();
    let report = host.run.report();
    assert_eq!(report.claims.len(), claims.len());
    holds_together(&report);
}

/// A caller that remembers what it was asked.
struct Host {
    run: Verification,
    open: Vec<PassRequest>,
    /// What was asked and is no longer open.
    closed: Vec<String>,
    done: usize,
    stopped: bool,
}

impl Host {
    fn new(run: Verification) -> Self {
        Self {
            run,
            open: Vec::new(),
            closed: Vec::new(),
            done: 0,
            stopped: false,
        }
    }

    /// One deed of the caller; `with` says on what and how.
    fn act(&mut self, deed: u8, with: u8) {
        let at = usize::from(with) % self.open.len().max(1);
        match deed % 10 {
            0 | 1 => self.poll(usize::from(with % 5)),
            2..=4 if !self.open.is_empty() => {
                let asked = self.open.remove(at);
                let answer = answer(&asked, deed / 10);
                self.run.handle(&asked.id, answer).expect("it is open");
                self.closed.push(asked.id);
            }
            5 if !self.open.is_empty() => {
                let asked = self.open.remove(at);
                let code = ["timeout", "unreachable", "refused", ""][usize::from(deed / 10 % 4)];
                let failure = Failure::new(code, "It did not answer");
                self.run.fail(&asked.id, failure).expect("it is open");
                self.closed.push(asked.id);
            }
            6 if !self.open.is_empty() => {
                let asked = &self.open[at];
                let atoms = |claim: &claimgauge_core::prompt::Asked| {
                    builtin::atoms(&asked.spans, &claim.text)
                };
                let atoms = asked.claims.iter().map(atoms).collect();
                let taken = self.run.handle_atoms(&asked.id, atoms).is_ok();
                assert_eq!(taken, asked.pass == Pass::Full, "{asked:?}");
            }
            // An answer to what is not open changes nothing.
            7 | 8 => {
                let known = self.closed.get(usize::from(with));
                let id = known.map_or("never", String::as_str);
                let before = self.run.report();
                let refused = [
                    self.run.handle(id, Answer::text(ENTAILED)),
                    self.run.fail(id, Failure::new("timeout", "late")),
                    self.run.handle_atoms(id, Vec::new()),
                ];
                assert!(refused.iter().all(Result::is_err), "{id}");
                assert_eq!(self.run.report(), before, "{id}");
            }
            9 if with > 200 => {
                self.run
                    .stop([Stop::Cancelled, Stop::Capped][usize::from(with % 2)]);
                self.closed
                    .extend(self.open.drain(..).map(|asked| asked.id));
                self.stopped = true;
            }
            _ => {}
        }
        let progress = self.run.progress();
        assert!(self.done <= progress.done && progress.done <= progress.total);
        self.done = progress.done;
    }

    fn poll(&mut self, most: usize) {
        match self.run.poll(most) {
            Step::Ask(requests) => {
                assert!((1..=most).contains(&requests.len()));
                for request in requests {
                    let known = self.open.iter().map(|asked| &asked.id).chain(&self.closed);
                    assert!(known.into_iter().all(|id| *id != request.id), "{request:?}");
                    self.open.push(request);
                }
            }
            Step::Wait => assert!(!self.open.is_empty() || most == 0),
            Step::Done(report) => holds_together(&report),
        }
    }

    /// Answers whatever is asked until nothing is.
    fn finish(&mut self) {
        // What fails in a row has ended the run.
        let mut polls = 10 + 10 * self.run.progress().total;
        loop {
            for asked in std::mem::take(&mut self.open) {
                let reply = builtin::reply(&asked.spans, &asked.claim_text);
                // A run that has ended takes no more answers.
                let _ = self.run.handle(&asked.id, many(&asked, &reply));
                self.closed.push(asked.id);
            }
            match self.run.poll(3) {
                Step::Ask(requests) => self.open = requests,
                Step::Wait => unreachable!("each was answered"),
                Step::Done(report) => return holds_together(&report),
            }
            polls = polls.checked_sub(1).expect("it comes to an end");
        }
    }
}

const ENTAILED: &str = r#"{"verdict":"ENTAILED","confidence":0.9}"#;

/// The same answer for every claim that is asked about.
fn many(asked: &PassRequest, one: &str) -> Answer {
    if asked.claims.len() == 1 {
        return Answer::text(one);
    }
    let value: Value = serde_json::from_str(one).unwrap_or_default();
    let answers: Vec<Value> = asked
        .claims
        .iter()
        .map(|claim| {
            let mut answer = value.clone();
            answer["id"] = json!(claim.id);
            answer
        })
        .collect();
    Answer::text(json!({ "answers": answers }).to_string())
}

/// One of several answers, good and bad.
fn answer(asked: &PassRequest, which: u8) -> Answer {
    let contradicted = r#"{"verdict":"CONTRADICTED","confidence":0.8}"#;
    let unsure = r#"{"verdict":"UNSURE","confidence":0.3}"#;
    match which % 12 {
        0 | 1 => many(asked, ENTAILED),
        2 => many(asked, contradicted),
        3 => many(asked, unsure),
        4 => many(asked, r#"{"verdict":"ENTAILED"}"#),
        // For the first claim only.
        5 => Answer::text(json!([{ "id": asked.claim, "verdict": "ENTAILED" }]).to_string()),
        6 => Answer::text("I cannot say."),
        7 => Answer {
            cut: true,
            ..Answer::text(r#"{"verdict":"ENTAILED","#)
        },
        8 => Answer {
            basis: Some(Basis::Builtin),
            ..many(asked, unsure)
        },
        9 => Answer {
            usage: Some(Usage {
                prompt_tokens: Some(1),
                completion_tokens: None,
            }),
            ..many(asked, ENTAILED)
        },
        10 => Answer {
            samples: Some(
                [ENTAILED, contradicted, unsure]
                    .map(|text| Sample {
                        text: text.to_owned(),
                        ..Sample::default()
                    })
                    .into(),
            ),
            ..Answer::default()
        },
        _ => Answer {
            cached: true,
            ..many(asked, ENTAILED)
        },
    }
}

/// The parts of a report say the same.
fn holds_together(report: &Report) {
    let summary = report.summary;
    let counted = summary.verified
        + summary.plausible
        + summary.suspicious
        + summary.unsupported
        + summary.inconclusive;
    assert_eq!(counted, report.claims.len());
    assert_eq!(summary.claims, report.claims.len() + report.skipped.len());
    for finding in &report.claims {
        let confidence = |pass: &Option<_>| {
            let pass: Option<&claimgauge_core::report::PassReport> = pass.as_ref();
            pass.and_then(|pass| Some((pass.confidence?, pass.basis)))
        };
        let both = confidence(&finding.full).zip(confidence(&finding.scrubbed));
        let same = both.filter(|(full, scrubbed)| full.1 == scrubbed.1);
        assert_eq!(finding.delta.is_some(), same.is_some(), "{finding:?}");
        let status = serde_json::to_value(finding.status).expect("a word");
        let verdict = finding.full.as_ref().and_then(|full| full.verdict);
        assert!(
            status != "VERIFIED" || verdict == Some(Verdict::Entailed),
            "{finding:?}"
        );
    }
    let text = serde_json::to_string(report).expect("a report is JSON");
    let back: Report = serde_json::from_str(&text).expect("what was written is read");
    assert_eq!(serde_json::to_string(&back).ok(), Some(text));
    assert!(report.to_markdown().contains("RECOMMENDATION"));
}

/// Any output and options: they are refused by a path, or the check comes to its end whatever the host answers.
///
/// The texts: what the host sees, a byte each; the output; the options.
pub fn check_output(data: &[u8]) {
    let mut parts = data.splitn(3, |byte| *byte == 0xff);
    let (Some(seen), Some(output), Some(options)) = (parts.next(), parts.next(), parts.next())
    else {
        return;
    };
    let output: Given = serde_json::from_slice(output).unwrap_or(Given::Undefined);
    let options: CheckOptions = serde_json::from_slice(options).unwrap_or_default();
    let options = CheckOptions {
        base: options.base.or_else(|| Some(Base::default())),
        ..options
    };
    let Ok(mut check) = Check::new(output, options) else {
        return;
    };
    let mut seen = seen.iter().copied().cycle();
    let mut next = || seen.next().unwrap_or(0);
    loop {
        let never = Observation::Missing;
        assert!(check.handle_observation("\0 never asked", &never).is_err());
        assert!(check.handle_schema(usize::MAX, SchemaAnswer::Fits).is_err());
        match check.poll(1 + usize::from(next() % 4)) {
            CheckStep::Fit(requests) => {
                for request in requests {
                    let answer = schema_answer(next());
                    let taken = check.handle_schema(request.invocation, answer.clone());
                    taken.expect("it was asked");
                }
            }
            CheckStep::Observe(looks) => {
                for look in looks {
                    let observation = observation(&look, next());
                    let taken = check.handle_observation(&look.path, &observation);
                    taken.expect("it was asked");
                }
            }
            CheckStep::Wait => unreachable!("each was answered"),
            CheckStep::Done(result) => {
                let progress = check.progress();
                assert!(progress.done == progress.total || !result.valid);
                serde_json::to_string(&result).expect("a result is JSON");
                return;
            }
        }
    }
}

fn schema_answer(byte: u8) -> SchemaAnswer {
    match byte % 5 {
        0 => SchemaAnswer::Misfits { errors: Vec::new() },
        1 => SchemaAnswer::NotJson,
        2 => SchemaAnswer::NotFound,
        _ => SchemaAnswer::Fits,
    }
}

fn observation(look: &Look, byte: u8) -> Observation {
    let text = look.path.repeat(usize::from(byte / 16)).into_bytes();
    let file = FileSeen {
        size: text.len() as u64,
        sha256: (byte & 8 == 0).then(|| Digest::of(&text)),
        text: (byte & 8 != 0).then_some(Content(text)),
        forms: None,
    };
    match byte % 8 {
        0 => Observation::Directory,
        1 => Observation::Escapes,
        2 => Observation::Link,
        3 => Observation::Missing,
        4 => Observation::Special,
        5 => Observation::Unreadable {
            why: "permission denied".into(),
        },
        _ => Observation::File(file),
    }
}

/// Any schema and value, any patterns and text: they are refused, or the answer is whole.
///
/// The texts: the schema, the value; then a text and the patterns that are looked for in it.
pub fn schema(data: &[u8]) {
    let mut texts = texts(data);
    let mut read = || serde_json::from_str::<Value>(&texts.next().unwrap_or_default()).ok();
    if let (Some(schema), Some(value)) = (read(), read())
        && let Ok(schema) = Schema::new(&schema, SchemaOptions { formats: true })
    {
        let errors = schema.errors(&value);
        assert!(errors.len() <= MAX_ERRORS);
        let answer = match errors.is_empty() {
            true => SchemaAnswer::Fits,
            false => SchemaAnswer::Misfits { errors },
        };
        assert_eq!(schema.answer(&value, false), answer);
    }
    let Some(text) = texts.next() else { return };
    let patterns: Vec<Pattern> = texts
        .map(|pattern| Pattern {
            path: "kinds".into(),
            pattern,
        })
        .collect();
    let Ok(patterns) = Patterns::new(&patterns) else {
        return;
    };
    let content = [text];
    let mut ends: BTreeMap<u32, u32> = BTreeMap::new();
    for found in patterns.matches(&content).unwrap_or_default() {
        let (start, end) = (found.start as usize, found.end as usize);
        assert!(
            content[0]
                .get(start..end)
                .is_some_and(|text| !text.is_empty())
        );
        let last = ends.insert(found.pattern, found.end);
        assert!(last.is_none_or(|last| last <= found.start));
    }
}
