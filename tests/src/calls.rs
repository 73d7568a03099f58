//! Random calls of the core's faces, the same in every run, and what native code makes of them.

use claimgauge_core::{
    Error, builtin,
    decide::DecideRequest,
    evidence::Request,
    fields::{self, Shape},
    judgement::{Basis, Verdict},
    reply,
    scrub::ScrubRequest,
    verification::{Answer, Pass, Step, Verification},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use crate::{
    Random,
    generator::{self, Asked},
};

/// A call by its name in JavaScript.
#[derive(Debug)]
pub struct Call {
    /// `scrub`, `decide`, `readReply` or `verify`.
    pub name: &'static str,
    /// What is handed in: data, or the text of a reply.
    pub request: Value,
}

impl Call {
    /// A random scrub, all of whose fields fit.
    pub fn scrub(random: &mut Random) -> Self {
        let asked = Asked::next(random);
        let glossary = asked.glossary.iter();
        let glossary = glossary.map(|(kind, name)| (kind.word().to_owned(), json!([name])));
        let mut request = evidence(&asked);
        request.insert("glossary".into(), Value::Object(glossary.collect()));
        request.insert("mode".into(), json!(asked.mode));
        request.insert("hideSecrets".into(), json!(asked.hide_secrets));
        Self {
            name: "scrub",
            request: Value::Object(request),
        }
    }

    /// A random decision, of which some do not fit.
    pub fn decide(random: &mut Random) -> Self {
        let mut request = Map::new();
        let profile = Asked::next(random).profile.name;
        request.insert("profile".into(), json!(profile));
        fill(random, &mut request, &fields::DECIDE, &[]);
        Self {
            name: "decide",
            request: Value::Object(request),
        }
    }

    /// A random reply, most of which are broken.
    pub fn read_reply(random: &mut Random) -> Self {
        Self {
            name: "readReply",
            request: Value::String(reply_text(random)),
        }
    }

    /// A random verification by the built-in judge, of which some do not fit.
    pub fn verify(random: &mut Random) -> Self {
        let mut asked = Asked::next(random);
        // A claim of other pieces is never supported.
        if let Some(claim) = asked.claims.first_mut()
            && random.below(2) == 0
        {
            claim.text.clone_from(&asked.spans[0].text);
        }
        let mut request = evidence(&asked);
        // What a caller's patterns match is tried elsewhere.
        fill(
            random,
            &mut request,
            &fields::VERIFY,
            &["kinds", "glossary"],
        );
        Self {
            name: "verify",
            request: Value::Object(request),
        }
    }

    /// What the core says, as JavaScript is given it.
    ///
    /// # Errors
    /// What the core refuses.
    pub fn run(&self) -> Result<Value, Error> {
        match self.name {
            "scrub" => {
                let request: ScrubRequest = self.take(&fields::SCRUB)?;
                Ok(give(&request.run()?.into_utf16()))
            }
            "decide" => {
                let request: DecideRequest = self.take(&fields::DECIDE)?;
                Ok(give(&request.run()?))
            }
            "readReply" => Ok(give(&reply::read(
                self.request.as_str().unwrap_or_default(),
            ))),
            _ => verified(self.take(&fields::VERIFY)?),
        }
    }

    fn take<T: DeserializeOwned>(&self, shape: &Shape) -> Result<T, Error> {
        let value = serde_json::from_value(self.request.clone()).expect("it is data");
        fields::check(value, shape, "")?.read("")
    }
}

fn give<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("what the core gives is data")
}

/// A whole verification by the built-in judge.
fn verified(request: Request) -> Result<Value, Error> {
    let mut run = Verification::new(request)?;
    loop {
        let questions = match run.poll(16) {
            Step::Ask(questions) => questions,
            Step::Done(report) => return Ok(give(&report.into_utf16())),
            Step::Wait => unreachable!("every question was answered"),
        };
        for question in questions {
            if question.pass == Pass::Full && question.attempt == 1 {
                let claims = question.claims.iter();
                let atoms = claims.map(|claim| builtin::atoms(&question.spans, &claim.text));
                run.handle_atoms(&question.id, atoms.collect())?;
            }
            let answer = Answer {
                basis: Some(Basis::Builtin),
                ..Answer::text(builtin::reply(&question.spans, &question.claim_text))
            };
            run.handle(&question.id, answer)?;
        }
    }
}

fn evidence(asked: &Asked) -> Map<String, Value> {
    let claims = asked.claims.iter();
    let claims = claims.map(|claim| json!({ "id": claim.id, "text": claim.text }));
    let mut request = Map::new();
    request.insert("profile".into(), json!(asked.profile.name));
    request.insert("evidence".into(), json!(asked.spans));
    request.insert("claims".into(), claims.collect());
    request
}

/// Adds fields of a record at random, but those that are there and those that are left out.
fn fill(random: &mut Random, request: &mut Map<String, Value>, shape: &Shape, without: &[&str]) {
    let Shape::Record(fields) = shape else {
        return;
    };
    for field in *fields {
        let is_open = !request.contains_key(field.name) && !without.contains(&field.name);
        if is_open && random.below(2) == 0 {
            request.insert(field.name.into(), fitting(random, &field.shape));
        }
    }
}

const NUMBERS: [f64; 14] = [
    0.0,
    1.0,
    0.5,
    0.95,
    0.1,
    0.2,
    0.3,
    0.7,
    0.85,
    0.123_456_789,
    0.6,
    0.4,
    1.5,
    -0.25,
];

/// What fits a shape, but one of many that does not.
fn fitting(random: &mut Random, shape: &Shape) -> Value {
    if random.below(60) == 0 {
        let misfits = [
            json!(null),
            json!(true),
            json!(7),
            json!("x"),
            json!([]),
            json!({ "x": 1 }),
        ];
        return misfits[random.below(misfits.len())].clone();
    }
    match *shape {
        Shape::Flag => json!(random.below(2) == 0),
        Shape::List(of) => (0..random.below(3)).map(|_| fitting(random, of)).collect(),
        Shape::Map(of) => {
            let keys = ["TABLE", "field", "x"].into_iter().take(random.below(4));
            keys.map(|key| (key.to_owned(), fitting(random, of)))
                .collect()
        }
        Shape::Number => json!(NUMBERS[random.below(NUMBERS.len())]),
        Shape::OneOf(words) => json!(words[random.below(words.len())]),
        Shape::Record(fields) => {
            let mut record = Map::new();
            for field in fields {
                if field.required || random.below(4) > 0 {
                    record.insert(field.name.into(), fitting(random, &field.shape));
                }
            }
            Value::Object(record)
        }
        Shape::TextOr(other) if random.below(2) == 0 => fitting(random, other),
        Shape::Kind => json!("TABLE"),
        Shape::Place | Shape::Whole => json!(random.below(100)),
        _ => json!(generator::text(random, 6, false)),
    }
}

/// A reply as a judge gives it, cut and with pieces put in; or nothing but pieces.
fn reply_text(random: &mut Random) -> String {
    let verdict = Verdict::ALL[random.below(Verdict::ALL.len())].label();
    let confidence = NUMBERS[random.below(NUMBERS.len())];
    let whole = [
        format!(r#"{{"verdict":"{verdict}","confidence":{confidence},"reasoning":"S0 says so."}}"#),
        format!("**Verdict:** {verdict}\n**Confidence:** {confidence}\nS0 says so."),
        format!("<think>{verdict}?</think>{verdict} ({confidence})"),
        String::new(),
    ];
    let mut reply: Vec<char> = whole[random.below(whole.len())].chars().collect();
    for _ in 0..random.below(4) {
        let at = random.below(reply.len() + 1);
        if random.below(4) == 0 {
            reply.truncate(at);
        } else {
            reply.splice(at..at, generator::text(random, 4, false).chars());
        }
    }
    reply.into_iter().collect()
}
