//! What the user gives, as plain data: kept between visits, and read into a request.

use std::fmt;

use claimgauge_core::{
    Error,
    evidence::{Glossary, Request, SpanInput},
    profile::{Minimum, Thresholds},
    provider::{self, Dialect, Endpoint, Question},
    verification::{Failure, Verification},
};
use serde::{Deserialize, Serialize};

use crate::{
    claims,
    json::{Json, Writer},
    pieces,
    recording::{self, Recording},
};

/// Everything typed or chosen, except keys: the one form in which it is kept between visits, shared by a
/// link, exported and kept with a run. A field that is added has a default, so that what was written
/// without it can still be read; any other change is a new [`Format`].
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Inputs {
    pub(crate) format: Format,
    pub(crate) evidence: Vec<SpanText>,
    /// One a line.
    pub(crate) claims: String,
    /// A built-in profile's name.
    pub(crate) profile: String,
    /// Instead of the profile's.
    pub(crate) thresholds: Option<Thresholds>,
    /// Words that are identifiers whatever the profile recognises.
    pub(crate) glossary: Vec<Named>,
    pub(crate) judge: JudgeKind,
    /// JSON, as [`Recording`] reads it.
    pub(crate) recording: String,
    /// The example that the recording came with; empty once either is the user's own.
    pub(crate) example: String,
    /// Of the model server.
    pub(crate) dialect: Dialect,
    pub(crate) base_url: String,
    pub(crate) model: String,
}

/// The version of [`Inputs`]: no other is read.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(try_from = "u32")]
pub(crate) struct Format(u32);

impl Format {
    pub(crate) const CURRENT: u32 = 1;
}

impl Default for Format {
    fn default() -> Self {
        Self(Self::CURRENT)
    }
}

impl TryFrom<u32> for Format {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        match number {
            Self::CURRENT => Ok(Self(number)),
            _ => Err(format!(
                "it has format {number}, and this playground reads format {}",
                Self::CURRENT
            )),
        }
    }
}

/// One span as it is typed.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct SpanText {
    pub(crate) id: String,
    pub(crate) source: String,
    pub(crate) text: String,
}

/// A word that is to be scrubbed, and as what.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Named {
    pub(crate) text: String,
    /// The word in its placeholder, such as `TABLE`.
    pub(crate) kind: String,
}

/// Who is asked.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JudgeKind {
    #[default]
    Builtin,
    Recorded,
    Endpoint,
    /// The browser's own language model.
    Browser,
    /// A model file from the user's disk.
    File,
}

/// A judge that is ready to be asked.
#[derive(Clone, Debug)]
pub(crate) enum Judge {
    Builtin,
    Recorded(Recording),
    Endpoint(Endpoint),
    Browser,
    File,
}

/// What is wrong, and with which input.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Fault {
    pub(crate) place: Place,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// The inputs that can be at fault.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) enum Place {
    ApiKey,
    BaseUrl,
    Claims,
    /// The evidence as a whole.
    Evidence,
    /// What the judge says, whatever its settings.
    Judge,
    Model,
    Recording,
    /// One span, by its position.
    Span(usize),
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            format: Format::default(),
            evidence: Vec::new(),
            claims: String::new(),
            profile: "strawberry".to_owned(),
            thresholds: None,
            glossary: Vec::new(),
            judge: JudgeKind::default(),
            recording: String::new(),
            example: String::new(),
            dialect: Dialect::default(),
            base_url: String::new(),
            model: String::new(),
        }
    }
}

impl Inputs {
    /// The request that these inputs make. Each span keeps its place, also an empty one, so that a
    /// position in an error is a position on the page.
    pub(crate) fn request(&self) -> Request {
        let ids: Vec<&str> = self.evidence.iter().map(|span| span.id.trim()).collect();
        Request {
            profile: self.profile.as_str().into(),
            claims: claims::read(&self.claims, &ids),
            evidence: self.evidence.iter().map(SpanText::input).collect(),
            thresholds: self.thresholds.map(Into::into),
            glossary: Some(self.glossary()),
            ..Request::default()
        }
    }

    /// Reads what [`Serialize`] writes, as [`Deserialize`] would, and less of it is loaded.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let Json::Object(fields) = Json::read(text)? else {
            return None;
        };
        let mut inputs = Self::default();
        for (name, value) in &fields {
            let text = || value.text().map(str::to_owned);
            match name.as_str() {
                "format" => {
                    let format = value.number()?;
                    (format == f64::from(Format::CURRENT)).then_some(())?;
                }
                "evidence" => {
                    inputs.evidence = value
                        .list()?
                        .iter()
                        .map(SpanText::read)
                        .collect::<Option<_>>()?;
                }
                "claims" => inputs.claims = text()?,
                "profile" => inputs.profile = text()?,
                "thresholds" if *value != Json::Null => {
                    inputs.thresholds = Some(read_thresholds(value)?);
                }
                "glossary" => {
                    inputs.glossary = value
                        .list()?
                        .iter()
                        .map(Named::read)
                        .collect::<Option<_>>()?;
                }
                "judge" => inputs.judge = named(&JUDGES, value)?,
                "recording" => inputs.recording = text()?,
                "example" => inputs.example = text()?,
                "dialect" => inputs.dialect = named(&DIALECTS, value)?,
                "baseUrl" => inputs.base_url = text()?,
                "model" => inputs.model = text()?,
                _ => {}
            }
        }
        Some(inputs)
    }

    /// Writes what [`Serialize`] would, as JSON, and less of it is loaded.
    pub(crate) fn written(&self) -> String {
        // All of them: a field that is added is not left out.
        let Self {
            format: _,
            evidence,
            claims,
            profile,
            thresholds: _,
            glossary,
            judge,
            recording,
            example,
            dialect,
            base_url,
            model,
        } = self;
        let mut to = Writer::default();
        to.json(r#"{"format":1,"evidence":["#);
        for SpanText { id, source, text } in evidence {
            to.comma();
            to.json("{");
            to.field("id", id);
            to.field("source", source);
            to.field("text", text);
            to.json("}");
        }
        to.json("]");
        to.field("claims", claims);
        to.field("profile", profile);
        if let Some(Thresholds {
            verified,
            plausible,
        }) = self.sound_thresholds()
        {
            to.json(r#","thresholds":{"verified":{"full":"#);
            to.share(verified.full);
            to.json(r#","delta":"#);
            to.share(verified.delta);
            to.json(r#"},"plausible":{"full":"#);
            to.share(plausible.full);
            to.json(r#","delta":"#);
            to.share(plausible.delta);
            to.json("}}");
        }
        to.json(r#","glossary":["#);
        for Named { text, kind } in glossary {
            to.comma();
            to.json("{");
            to.field("text", text);
            to.field("kind", kind);
            to.json("}");
        }
        to.json("]");
        to.field("judge", name_of(&JUDGES, *judge));
        to.field("recording", recording);
        to.field("example", example);
        to.field("dialect", name_of(&DIALECTS, *dialect));
        to.field("baseUrl", base_url);
        to.field("model", model);
        to.json("}");
        to.0
    }

    /// The thresholds instead of the profile's: what was kept or shared may be of any origin.
    pub(crate) fn sound_thresholds(&self) -> Option<Thresholds> {
        let sound = |thresholds: &Thresholds| thresholds.check("thresholds").is_ok();
        self.thresholds.filter(sound)
    }

    /// The ids of the claims, in order.
    pub(crate) fn claim_ids(&self) -> Vec<String> {
        let claims = self.request().claims.len();
        (0..claims).map(|at| format!("C{at}")).collect()
    }

    /// The spans that each claim rests on.
    pub(crate) fn cites(&self) -> Vec<Option<Vec<String>>> {
        let claims = self.request().claims.into_iter();
        claims.map(|claim| claim.cites).collect()
    }

    /// The words to be scrubbed, by kind.
    pub(crate) fn glossary(&self) -> Glossary {
        let mut glossary = Glossary::new();
        for Named { text, kind } in &self.glossary {
            glossary.entry(kind.clone()).or_default().push(text.clone());
        }
        glossary
    }

    /// Whether a judge would be asked the same: thresholds are only read when it has answered.
    pub(crate) fn asks_as(&self, other: &Self) -> bool {
        let Self {
            format: _,
            example: _,
            thresholds: _,
            evidence,
            claims,
            profile,
            glossary,
            judge,
            recording,
            dialect,
            base_url,
            model,
        } = self;
        *evidence == other.evidence
            && *claims == other.claims
            && *profile == other.profile
            && *glossary == other.glossary
            && *judge == other.judge
            && *recording == other.recording
            && *dialect == other.dialect
            && *base_url == other.base_url
            && *model == other.model
    }

    /// The ids of the spans, given or by position.
    pub(crate) fn ids(&self) -> Vec<String> {
        let spans = self.evidence.iter().enumerate();
        spans
            .map(|(at, span)| match span.id.trim() {
                "" => pieces::by_position(at),
                id => id.to_owned(),
            })
            .collect()
    }

    /// Writes out the ids by position where claims cite spans: each keeps its id when it moves.
    pub(crate) fn fix_ids(&mut self) {
        let ids = self.ids();
        if claims::cites_any(&self.claims, &ids) {
            for (span, id) in self.evidence.iter_mut().zip(ids) {
                span.id = id;
            }
        }
    }

    /// How much text it holds.
    pub(crate) fn bytes(&self) -> usize {
        let spans = self.evidence.iter();
        let evidence = spans.map(|span| span.id.len() + span.source.len() + span.text.len());
        evidence.sum::<usize>() + self.claims.len() + self.recording.len()
    }

    /// The same without what may be secret in the address of a server: a name and a password before the
    /// host, and what follows a question mark. Only what this gives leaves the page's memory.
    pub(crate) fn without_secrets(&self) -> Self {
        Self {
            base_url: bare_address(&self.base_url),
            ..self.clone()
        }
    }

    /// Takes away evidence and claims, and the words that were hidden in them; a recorded judge has nothing to say
    /// of what comes next.
    pub(crate) fn clear(&mut self) {
        self.evidence = vec![SpanText::default()];
        self.claims.clear();
        self.glossary.clear();
        self.recording.clear();
        self.example.clear();
        if self.judge == JudgeKind::Recorded {
            self.judge = JudgeKind::default();
        }
    }

    /// What is wrong with the other settings of a server whose model is at fault: the core looks no further than
    /// that.
    pub(crate) fn fault_beside(&self, fault: &Fault) -> Option<Fault> {
        if fault.place != Place::Model {
            return None;
        }
        let named = Self {
            model: "any".to_owned(),
            ..self.clone()
        };
        named.judge("").err()
    }

    /// A verification that has not asked anything yet, and whom it will ask.
    pub(crate) fn prepare(&self, api_key: &str) -> Result<(Verification, Judge), Fault> {
        let request = self.complete_request()?;
        let judge = self.judge(api_key)?;
        let verification = Verification::new(request).map_err(|error| Fault::from(&error))?;
        Ok((verification, judge))
    }

    /// The request, where there is evidence and a claim.
    pub(crate) fn complete_request(&self) -> Result<Request, Fault> {
        if self.evidence.iter().all(|span| span.text.trim().is_empty()) {
            return Err(Fault::new(Place::Evidence, "There is no evidence yet")
                .with_hint("Paste some, or pick an example."));
        }
        let request = self.request();
        if request.claims.is_empty() {
            return Err(Fault::new(Place::Claims, "There is no claim yet")
                .with_hint("Write one sentence that the evidence should support."));
        }
        Ok(request)
    }

    fn fit(&self, recording: Recording) -> Recording {
        let request = self.request();
        recording.fit(&request.claims, &request.evidence)
    }

    /// Whether the recording that is to answer was written for other text than this.
    pub(crate) fn recording_misfits(&self) -> bool {
        self.judge == JudgeKind::Recorded && {
            let request = self.request();
            recording::misfits(&self.recording, &request.claims, &request.evidence)
        }
    }

    fn judge(&self, api_key: &str) -> Result<Judge, Fault> {
        match self.judge {
            JudgeKind::Builtin => Ok(Judge::Builtin),
            JudgeKind::Browser => Ok(Judge::Browser),
            JudgeKind::File => Ok(Judge::File),
            JudgeKind::Recorded => Recording::read(&self.recording)
                .map(|recording| Judge::Recorded(self.fit(recording)))
                .map_err(|message| {
                    Fault::new(Place::Recording, &message).with_hint(
                        "A recording is a list: [{ \"claim\": \"C0\", \"pass\": \"full\", \"text\": \"ENTAILED 0.9\" }].",
                    )
                }),
            JudgeKind::Endpoint => {
                let endpoint = Endpoint {
                    base_url: self.base_url.trim().to_owned(),
                    api_key: Some(api_key.trim().to_owned()).filter(|key| !key.is_empty()),
                    model: self.model.trim().to_owned(),
                    dialect: self.dialect,
                    temperature: None,
                    max_tokens: None,
                };
                // Settings that cannot be sent are told before anything is.
                let trial = Question {
                    endpoint,
                    messages: Vec::new(),
                    structured: false,
                    many: false,
                    without: Vec::new(),
                };
                match provider::request(&trial) {
                    Ok(_) => Ok(Judge::Endpoint(trial.endpoint)),
                    Err(error) => Err(Fault::from(&error)),
                }
            }
        }
    }
}

/// What each judge is called where inputs are kept.
const JUDGES: [(&str, JudgeKind); 5] = [
    ("builtin", JudgeKind::Builtin),
    ("recorded", JudgeKind::Recorded),
    ("endpoint", JudgeKind::Endpoint),
    ("browser", JudgeKind::Browser),
    ("file", JudgeKind::File),
];

/// What each dialect is called there.
const DIALECTS: [(&str, Dialect); 5] = [
    ("anthropic", Dialect::Anthropic),
    ("gemini", Dialect::Gemini),
    ("ollama", Dialect::Ollama),
    ("openai", Dialect::Openai),
    ("openai_responses", Dialect::OpenaiResponses),
];

fn named<T: Copy>(names: &[(&str, T)], value: &Json) -> Option<T> {
    let name = value.text()?;
    let known = names.iter().find(|(known, _)| *known == name)?;
    Some(known.1)
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    let known = names.iter().find(|(_, known)| *known == value);
    known.map_or("", |(name, _)| name)
}

fn read_thresholds(value: &Json) -> Option<Thresholds> {
    let minimum = |name: &str| {
        let minimum = value.field(name)?;
        Some(Minimum {
            full: minimum.field("full")?.number()?,
            delta: minimum.field("delta")?.number()?,
        })
    };
    Some(Thresholds {
        verified: minimum("verified")?,
        plausible: minimum("plausible")?,
    })
}

impl Named {
    fn read(value: &Json) -> Option<Self> {
        let text = |name: &str| value.field(name)?.text().map(str::to_owned);
        Some(Self {
            text: text("text")?,
            kind: text("kind")?,
        })
    }
}

fn bare_address(address: &str) -> String {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = match address.split_once("//") {
        Some((scheme, rest)) => (format!("{scheme}//"), rest),
        None => (String::new(), address),
    };
    let authority = rest.split('/').next().unwrap_or_default();
    let hidden = authority.rfind('@').map_or(0, |at| at + 1);
    format!("{scheme}{}", &rest[hidden..])
}

impl SpanText {
    /// What is missing is empty.
    fn read(value: &Json) -> Option<Self> {
        let text = |name: &str| match value.field(name) {
            Some(value) => value.text().map(str::to_owned),
            None => Some(String::new()),
        };
        let is_object = matches!(value, Json::Object(_));
        is_object.then_some(Self {
            id: text("id")?,
            source: text("source")?,
            text: text("text")?,
        })
    }

    fn input(&self) -> SpanInput {
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        SpanInput {
            id: given(&self.id),
            text: self.text.clone(),
            source: given(&self.source),
        }
    }
}

impl Fault {
    pub(crate) fn new(place: Place, message: &str) -> Self {
        Self {
            place,
            message: message.to_owned(),
            hint: None,
        }
    }

    pub(crate) fn with_hint(mut self, hint: &str) -> Self {
        self.hint = Some(hint.to_owned());
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        f.write_str(if self.message.ends_with(['.', '!', '?', '…']) {
            ""
        } else {
            "."
        })?;
        self.hint
            .as_ref()
            .map_or(Ok(()), |hint| write!(f, " {hint}"))
    }
}

impl From<&Error> for Fault {
    fn from(error: &Error) -> Self {
        Self {
            place: Place::of(error.path()),
            message: error.message().to_owned(),
            hint: error.hint().map(str::to_owned),
        }
    }
}

impl From<&Failure> for Fault {
    fn from(failure: &Failure) -> Self {
        Self {
            place: failure.path.as_deref().map_or(Place::Judge, Place::of),
            message: failure.message.clone(),
            hint: failure.hint.clone(),
        }
    }
}

impl Place {
    /// The input that a path of the core's means.
    fn of(path: &str) -> Self {
        let path = path.strip_prefix("endpoint.").unwrap_or(path);
        let mut parts = path.split('.');
        match parts.next().unwrap_or_default() {
            "apiKey" => Self::ApiKey,
            "baseUrl" => Self::BaseUrl,
            "claims" => Self::Claims,
            "evidence" => match parts.next().and_then(|at| at.parse().ok()) {
                Some(at) => Self::Span(at),
                None => Self::Evidence,
            },
            "model" => Self::Model,
            "recording" => Self::Recording,
            _ => Self::Judge,
        }
    }

    /// What the page calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ApiKey => "the key",
            Self::BaseUrl => "the base URL",
            Self::Claims => "the claims",
            Self::Evidence => "the evidence",
            Self::Judge => "the judge",
            Self::Model => "the model",
            Self::Recording => "the recording",
            Self::Span(_) => "a span",
        }
    }

    /// The id of the element that holds its message.
    pub(crate) fn note_id(self) -> String {
        let name = match self {
            Self::ApiKey => "api-key",
            Self::BaseUrl => "base-url",
            Self::Claims => "claims",
            Self::Evidence => "evidence",
            Self::Judge => "judge",
            Self::Model => "model",
            Self::Recording => "recording",
            Self::Span(at) => return format!("fault-span-{at}"),
        };
        format!("fault-{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs() -> Inputs {
        Inputs {
            evidence: vec![SpanText {
                id: "S0".to_owned(),
                text: "The port is 8080.".to_owned(),
                ..SpanText::default()
            }],
            claims: "The port is 8080 [S0]\n".to_owned(),
            ..Inputs::default()
        }
    }

    fn place(inputs: &Inputs, key: &str) -> Place {
        inputs.prepare(key).map(|_| ()).unwrap_err().place
    }

    #[test]
    fn each_fault_names_its_input() {
        assert!(inputs().prepare("").is_ok());

        let mut empty = inputs();
        empty.evidence[0].text = " \n".to_owned();
        assert_eq!(place(&empty, ""), Place::Evidence);

        let mut mute = inputs();
        mute.claims = "\n \n".to_owned();
        assert_eq!(place(&mute, ""), Place::Claims);

        let mut twice = inputs();
        twice.evidence.push(twice.evidence[0].clone());
        assert_eq!(place(&twice, ""), Place::Span(1));

        let mut recorded = inputs();
        recorded.judge = JudgeKind::Recorded;
        recorded.recording = "[{".to_owned();
        assert_eq!(place(&recorded, ""), Place::Recording);

        let mut asked = inputs();
        asked.judge = JudgeKind::Endpoint;
        asked.base_url = "http://127.0.0.1:8080/v1".to_owned();
        assert_eq!(place(&asked, ""), Place::Model);
        asked.model = "m".to_owned();
        asked.base_url = "127.0.0.1:8080".to_owned();
        assert_eq!(place(&asked, ""), Place::BaseUrl);
        asked.base_url = "http://127.0.0.1:8080/v1".to_owned();
        assert_eq!(place(&asked, "a b"), Place::ApiKey);
        assert!(asked.prepare(" k ").is_ok());
    }

    #[test]
    fn a_server_with_neither_address_nor_model_lacks_both() {
        let mut asked = inputs();
        asked.judge = JudgeKind::Endpoint;
        let beside = |inputs: &Inputs| {
            let fault = inputs.prepare("").map(|_| ()).unwrap_err();
            let beside = inputs.fault_beside(&fault);
            (fault.place, beside.map(|fault| fault.place))
        };
        assert_eq!(beside(&asked), (Place::Model, Some(Place::BaseUrl)));
        asked.base_url = "http://127.0.0.1:8080/v1".to_owned();
        assert_eq!(beside(&asked), (Place::Model, None));
        asked.base_url.clear();
        asked.model = "m".to_owned();
        assert_eq!(beside(&asked), (Place::BaseUrl, None));
    }

    #[test]
    fn what_was_hidden_in_ones_text_is_cleared_with_it() {
        let mut cleared = inputs();
        cleared.profile = "code".to_owned();
        cleared.judge = JudgeKind::Endpoint;
        cleared.glossary = vec![Named {
            text: "port".to_owned(),
            kind: "ID".to_owned(),
        }];
        cleared.clear();
        let left = Inputs {
            evidence: vec![SpanText::default()],
            profile: "code".to_owned(),
            judge: JudgeKind::Endpoint,
            ..Inputs::default()
        };
        assert_eq!(cleared, left);
    }

    #[test]
    fn what_was_kept_by_another_version_is_read_as_far_as_it_goes() {
        let kept: Inputs =
            serde_json::from_str(r#"{"claims":"It is so","later":1,"evidence":[{"text":"x"}]}"#)
                .unwrap();
        assert_eq!(kept.claims, "It is so");
        assert_eq!(kept.profile, "strawberry");
        assert_eq!(kept.evidence[0].text, "x");
    }

    #[test]
    fn the_small_reader_reads_what_serde_reads() {
        let mut full = Inputs {
            thresholds: Some(Thresholds {
                verified: Minimum {
                    full: 0.85,
                    delta: 0.35,
                },
                plausible: Minimum {
                    full: 0.6,
                    delta: 0.05,
                },
            }),
            glossary: ["frob\"nicator\n", "{"]
                .map(|text| Named {
                    text: text.to_owned(),
                    kind: "CLASS".to_owned(),
                })
                .into(),
            recording: "[{}]".to_owned(),
            example: "worked".to_owned(),
            base_url: "http://127.0.0.1:8080/v1".to_owned(),
            model: "m".to_owned(),
            ..inputs()
        };
        for (at, (_, judge)) in JUDGES.iter().enumerate() {
            full.judge = *judge;
            full.dialect = DIALECTS[at].1;
            for text in [serde_json::to_string(&full).unwrap(), full.written()] {
                assert_eq!(Inputs::read(&text).as_ref(), Some(&full), "{text}");
                assert_eq!(
                    serde_json::from_str(&text).ok(),
                    Some(full.clone()),
                    "{text}"
                );
            }
        }
        for text in [
            r#"{"claims":"It is so","later":1,"evidence":[{"text":"x"}],"thresholds":null}"#,
            "{}",
            r#"{"format":7}"#,
            r#"{"claims":1}"#,
            r#"{"evidence":[1]}"#,
            r#"{"judge":"nobody"}"#,
            r#"{"glossary":[{"text":"x"}]}"#,
            "no",
        ] {
            assert_eq!(
                Inputs::read(text),
                serde_json::from_str(text).ok(),
                "{text}"
            );
        }
    }

    #[test]
    fn another_format_is_refused_in_words() {
        let error = serde_json::from_str::<Inputs>(r#"{"format":7}"#).unwrap_err();
        assert!(error.to_string().contains("it has format 7"), "{error}");
        for written in [
            serde_json::to_string(&Inputs::default()).unwrap(),
            Inputs::default().written(),
        ] {
            assert!(written.starts_with(r#"{"format":1,"#), "{written}");
        }
    }

    #[test]
    fn an_address_is_kept_without_its_secrets() {
        for (typed, kept) in [
            ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
            ("https://me:pass@host/v1/a@b?key=k#k", "https://host/v1/a@b"),
            ("https://a@b@host", "https://host"),
            ("me:pass@host/v1", "host/v1"),
            ("//me@host", "//host"),
            ("", ""),
        ] {
            assert_eq!(bare_address(typed), kept, "{typed}");
        }
    }

    #[test]
    fn a_fault_reads_as_sentences() {
        let fault = Fault::new(Place::Claims, "There is no claim yet").with_hint("Write one.");
        assert_eq!(fault.to_string(), "There is no claim yet. Write one.");
    }
}
