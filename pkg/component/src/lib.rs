//! The face of `claimgauge-core` for hosts of WebAssembly components: read, call, write.
//!
//! The interfaces are those of `../wit/claimgauge.wit`. There is no logic here, and no import: what a
//! verification or a check must know it says, and is told.

mod document;

use std::cell::RefCell;

use claimgauge_core::calibration::CalibrateRequest;
use claimgauge_core::decide::DecideRequest;
use claimgauge_core::evidence::Request;
use claimgauge_core::output::{
    self, Content, Digest, FormsDigest, Given, Observation, Options, Run, Snippet,
};
use claimgauge_core::profile::{PRESETS, Profile};
use claimgauge_core::prompt::Message;
use claimgauge_core::report::Outline;
use claimgauge_core::scrub::{Earlier, ScrubRequest};
use claimgauge_core::verification::{self, Answer};
use claimgauge_core::{
    Error, ErrorCode, builtin, cache, estimate as estimating, fields, provider, reply,
};

use bindings::claimgauge::verify::types::Refusal;
use bindings::exports::claimgauge::verify::{checking, deciding, judging, scrubbing, verifying};
use document::{each, give, given, take};

/// What wit-bindgen makes of the interfaces.
#[allow(
    missing_docs,
    unreachable_pub,
    unsafe_code,
    clippy::all,
    reason = "generated code, which crosses into the host"
)]
mod bindings {
    wit_bindgen::generate!({ path: "../wit", world: "claimgauge" });
    use super::Component;
    export!(Component);
}

type Json = String;

struct Component;

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self {
            code: document::word(&error.code()),
            path: error.path().into(),
            message: error.message().into(),
            hint: error.hint().map(Into::into),
        }
    }
}

impl scrubbing::Guest for Component {
    fn scrub(request: Json) -> Result<Json, Refusal> {
        let mut request: ScrubRequest = take(&request, &fields::SCRUB, "")?;
        if let Some(search) = request.search()? {
            request.matches = Some(claimgauge_patterns::answer(&search)?);
        }
        Ok(give(&request.run()?.into_utf16()))
    }

    fn unscrub(text: String, scrubbed: Json, span: Option<String>) -> Result<String, Refusal> {
        let scrubbed: Earlier = take(&scrubbed, &fields::SCRUBBED, "scrubbed")?;
        Ok(scrubbed.unscrub(&text, span.as_deref())?)
    }
}

impl deciding::Guest for Component {
    fn decide(request: Json) -> Result<Json, Refusal> {
        let request: DecideRequest = take(&request, &fields::DECIDE, "")?;
        Ok(give(&request.run()?))
    }

    fn read_reply(text: String) -> Json {
        give(&reply::read(&text))
    }

    fn estimate(request: Json, group: u32) -> Result<Json, Refusal> {
        let request = verify_request(&request)?;
        Ok(give(&estimating::estimate(request, group as usize)?))
    }

    fn profiles() -> Json {
        give(&Profile::all())
    }

    fn presets() -> Json {
        give(&PRESETS)
    }

    fn calibrate(request: Json) -> Result<Json, Refusal> {
        let request: CalibrateRequest = take(&request, &fields::CALIBRATE, "")?;
        Ok(give(&request.run()?))
    }
}

impl judging::Guest for Component {
    fn builtin_reply(question: Json) -> Result<String, Refusal> {
        let question: builtin::ClaimOnSpans = take(&question, &fields::BUILTIN, "")?;
        Ok(question.reply())
    }

    fn atoms(question: Json) -> Result<Json, Refusal> {
        let question: builtin::ClaimsOnSpans = take(&question, &fields::CLAIMS_ON_SPANS, "")?;
        Ok(give(&question.atoms()))
    }

    fn provider_request(question: Json) -> Result<Json, Refusal> {
        let question: provider::Question = take(&question, &fields::PROVIDER_QUESTION, "")?;
        Ok(give(&provider::request(&question)?))
    }

    fn provider_read(response: Json) -> Result<Json, Refusal> {
        let response: provider::Response = take(&response, &fields::PROVIDER_RESPONSE, "")?;
        Ok(give(&provider::read(&response)))
    }

    fn answer_readable(answer: Json, messages: Json, claims: Vec<String>) -> Result<bool, Refusal> {
        let answer: Answer = take(&answer, &fields::ANSWER, "answer")?;
        let messages: Vec<Message> = take(&messages, &fields::MESSAGES, "messages")?;
        Ok(answer.is_readable(&messages, &claims))
    }

    fn answer_key(
        judge: String,
        parameters: String,
        messages: Json,
        structured: bool,
    ) -> Result<String, Refusal> {
        let messages: Vec<Message> = take(&messages, &fields::MESSAGES, "messages")?;
        Ok(cache::key(&judge, &parameters, &messages, structured))
    }
}

fn verify_request(request: &str) -> Result<Request, Error> {
    let mut request: Request = take(request, &fields::VERIFY, "")?;
    if let Some(search) = request.search()? {
        request.matches = Some(claimgauge_patterns::answer(&search)?);
    }
    Ok(request)
}

struct Verification(RefCell<verification::Verification>);

impl verifying::Guest for Component {
    type Verification = Verification;

    fn to_markdown(report: Json) -> Result<String, Refusal> {
        let report: Outline = take(&report, &fields::REPORT, "report")?;
        Ok(report.to_markdown())
    }
}

impl verifying::GuestVerification for Verification {
    fn start(request: Json, group: u32) -> Result<verifying::Verification, Refusal> {
        let request = verify_request(&request)?;
        let run = verification::Verification::grouped(request, group as usize)?;
        Ok(verifying::Verification::new(Self(RefCell::new(run))))
    }

    fn poll(&self, most: u32) -> verifying::Step {
        use verification::Step;
        match self.0.borrow_mut().poll(most as usize) {
            Step::Ask(requests) => verifying::Step::Ask(each(&requests)),
            Step::Done(report) => verifying::Step::Done(give(&report.into_utf16())),
            Step::Wait => verifying::Step::Wait,
        }
    }

    fn handle(&self, request: String, answer: Json) -> Result<(), Refusal> {
        let answer = take(&answer, &fields::ANSWER, "answer")?;
        Ok(self.0.borrow_mut().handle(&request, answer)?)
    }

    fn handle_atoms(&self, request: String, atoms: Json) -> Result<(), Refusal> {
        let atoms = take(&atoms, &fields::ATOMS, "atoms")?;
        Ok(self.0.borrow_mut().handle_atoms(&request, atoms)?)
    }

    fn fail(&self, request: String, failure: Json) -> Result<(), Refusal> {
        let failure = take(&failure, &fields::FAILURE, "failure")?;
        Ok(self.0.borrow_mut().fail(&request, failure)?)
    }

    fn stop(&self, reason: Json) -> Result<(), Refusal> {
        self.0
            .borrow_mut()
            .stop(take(&reason, &fields::STOP, "reason")?);
        Ok(())
    }

    fn progress(&self) -> Json {
        give(&self.0.borrow().progress())
    }
}

struct Check(RefCell<output::Check>);

struct Forms(RefCell<FormsDigest>);

impl checking::Guest for Component {
    type Check = Check;
    type Forms = Forms;

    fn sha256(bytes: Vec<u8>) -> String {
        Digest::of(&bytes)
    }

    fn snippet(text: String) -> Json {
        give(&Snippet::new(&text))
    }

    fn parse_schema_ref(text: String) -> Json {
        give(&output::parse_schema_ref(&text))
    }
}

impl checking::GuestCheck for Check {
    fn start(
        output: Option<Json>,
        trace: Option<Json>,
        options: Json,
    ) -> Result<checking::Check, Refusal> {
        let mut options: Options = take(&options, &fields::CHECK, "")?;
        options.trace = trace.map(|trace| given(&trace, "trace")).transpose()?;
        let output = match output {
            Some(output) => given(&output, "output")?,
            None => Given::Undefined,
        };
        let check = output::Check::new(output, options)?;
        Ok(checking::Check::new(Self(RefCell::new(check))))
    }

    fn poll(&self, most: u32) -> checking::Step {
        use output::Step;
        match self.0.borrow_mut().poll(most as usize) {
            Step::Done(result) => checking::Step::Done(give(&result)),
            Step::Fit(requests) => checking::Step::Fit(each(&requests)),
            Step::Observe(looks) => checking::Step::Observe(each(&looks)),
            Step::Wait => checking::Step::Wait,
        }
    }

    fn handle_observation(
        &self,
        path: String,
        seen: Json,
        bytes: Option<Vec<u8>>,
    ) -> Result<(), Refusal> {
        let mut seen: Observation = take(&seen, &fields::OBSERVATION, "observation")?;
        if let (Observation::File(file), Some(bytes)) = (&mut seen, bytes) {
            file.text = Some(Content(bytes));
        }
        Ok(self.0.borrow_mut().handle_observation(&path, &seen)?)
    }

    fn handle_schema(&self, invocation: u32, answer: Json) -> Result<(), Refusal> {
        let answer = take(&answer, &fields::SCHEMA_ANSWER, "answer")?;
        let mut check = self.0.borrow_mut();
        Ok(check.handle_schema(invocation as usize, answer)?)
    }

    fn progress(&self) -> Json {
        give(&self.0.borrow().progress())
    }

    fn events(&self, run: Json) -> Result<Json, Refusal> {
        let run: Run = take(&run, &fields::RUN, "run")?;
        match self.0.borrow_mut().poll(0) {
            output::Step::Done(result) => Ok(give(&result.events(&run))),
            _ => Err(Error::new(ErrorCode::UnknownRequest, "", "The check is not done").into()),
        }
    }
}

impl checking::GuestForms for Forms {
    fn new() -> Self {
        Self(RefCell::default())
    }

    fn update(&self, chunk: Vec<u8>) {
        self.0.borrow_mut().update(&chunk);
    }

    fn finish(&self) -> Json {
        give(&self.0.take().finish())
    }
}
