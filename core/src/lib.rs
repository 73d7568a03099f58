//! Whether a language model's claim rests on its evidence: the rules, without any I/O.
//!
//! A judge sees a claim twice, once with the evidence as it is and once without the names in it. The
//! difference of its two confidences, read by a table, is the claim's status. This crate takes the
//! names out, makes the prompts, reads the replies and decides. It asks nobody: where something from
//! outside is needed (a judge's answer, a file's hash), it says what it must know and is told.
//!
//! Deterministic, `no_std` with `alloc`, and without files, network, clock or random numbers: the same
//! request and the same answers give the same report on every host.
//!
//! # Example
//!
//! One claim, with the judge that comes with the crate. It checks terms and slots and reads no
//! sentence; any other judge is asked in its place.
//!
//! ```
//! use claimgauge_core::builtin;
//! use claimgauge_core::evidence::{ClaimInput, Request, SpanInput};
//! use claimgauge_core::verification::{Answer, Step, Verification};
//!
//! let mut verification = Verification::new(Request {
//!     profile: "documentation".into(),
//!     evidence: vec![SpanInput::from("The port is 8080, the host is localhost.")],
//!     claims: vec![ClaimInput::from("The port is 8080")],
//!     ..Request::default()
//! })?;
//! let report = loop {
//!     match verification.poll(1) {
//!         Step::Ask(questions) => {
//!             for question in questions {
//!                 let reply = builtin::reply(&question.spans, &question.claim_text);
//!                 verification.handle(&question.id, Answer::text(reply))?;
//!             }
//!         }
//!         Step::Wait => unreachable!("every question was answered"),
//!         Step::Done(report) => break report,
//!     }
//! };
//! assert_eq!(report.claims[0].status.label(), "VERIFIED");
//! assert_eq!(report.recommendation.label(), "PROCEED");
//! # Ok::<(), claimgauge_core::Error>(())
//! ```
//!
//! # What is there
//!
//! Two machines, both driven by polling. Most programs need nothing else:
//!
//! | machine | it asks for | it gives |
//! | --- | --- | --- |
//! | [`verification::Verification`] | judges' replies to prompts | a [`report::Report`] on claims |
//! | [`output::Check`] | looks at files, and whether values fit schemas | a [`output::CheckResult`] on what an agent says it did |
//!
//! What the first is made of can be called alone, each a pure function:
//!
//! | step | function | from | to |
//! | --- | --- | --- | --- |
//! | check | [`evidence::spans`], [`evidence::claims`] | what a caller gives | spans and claims with ids |
//! | scrub | [`scrub::scrub`], [`scrub::unscrub`] | spans, claims, a [`profile`] | spans with placeholders, and back |
//! | ask | [`prompt::messages`] | spans, a claim | messages |
//! | send | [`provider::request`], [`provider::read`] | messages | an HTTP request; what to make of the response |
//! | read | [`reply::read`] | a reply | a verdict and a confidence, none, or ambiguous |
//! | decide | [`decide::decide`], [`decide::recommend`] | two [`judgement`]s | a status; statuses to a recommendation |
//!
//! And beside them: [`builtin`] (a judge, and the second opinion on a claim's terms), [`injection`] (evidence
//! that talks to the judge), [`estimate`] (what a run would ask), [`cache`] (the key under which an answer
//! is kept), [`batch`] (a request whose questions and answers are lines in files), [`calibration`] (how well
//! a judge knows labelled claims), [`metrics`] (how outputs fare over
//! time), [`patterns`] (kinds of the caller's own) and [`fields`] (what requests may hold, for hosts that
//! must refuse the rest by name).
//!
//! # Alike, and not the same
//!
//! ## What the scrubbed pass is shown
//!
//! Three nulls ask three questions of one claim. Without its names: are they what convinces? Without
//! the span: is it? Without anything: does the judge believe it anyway?
//!
//! ```
//! use claimgauge_core::evidence::{self, ClaimInput, SpanInput};
//! use claimgauge_core::profile::Profile;
//! use claimgauge_core::scrub::{Mode, Options, scrub};
//!
//! let profile = Profile::named("strawberry").unwrap();
//! let spans = evidence::spans(vec![SpanInput::from("users.email is VARCHAR(255)")])?;
//! let claims = evidence::claims(vec![ClaimInput::from("users.email has length 255")])?;
//! let shown = |mode| {
//!     let options = Options { mode, ..Options::default() };
//!     let scrubbed = scrub(&profile, &spans, &claims, &options);
//!     scrubbed.spans.first().map(|span| span.text.clone())
//! };
//!
//! assert_eq!(shown(Mode::Identifiers).unwrap(), "[TABLE_1].[FIELD_1] is VARCHAR([NUM_1])");
//! assert_eq!(shown(Mode::RedactSpans).unwrap(), "[REDACTED]");
//! assert_eq!(shown(Mode::NoEvidence), None);
//! # Ok::<(), claimgauge_core::Error>(())
//! ```
//!
//! ## A small delta, and a small confidence
//!
//! A judge that is sure either way was not convinced by the evidence: SUSPICIOUS. A judge that is not
//! sure even with the evidence does not support the claim: UNSUPPORTED. The delta is no part of the
//! second, however large it is.
//!
//! ```
//! use claimgauge_core::decide::{Policy, Rule, Status, decide};
//! use claimgauge_core::judgement::{Basis, Judgement, Verdict};
//! use claimgauge_core::profile::Profile;
//!
//! let thresholds = Profile::named("strawberry").unwrap().thresholds;
//! let entailed = |confidence| Judgement {
//!     verdict: Verdict::Entailed,
//!     confidence,
//!     reasoning: String::new(),
//!     basis: Basis::Verbal,
//! };
//! let decided = |scrubbed, full| {
//!     let (scrubbed, full) = (entailed(scrubbed), entailed(full));
//!     let decision = decide(&thresholds, (&scrubbed).into(), (&full).into(), Policy::default());
//!     (decision.status, decision.delta)
//! };
//!
//! assert_eq!(decided(Some(0.93), Some(0.98)), (Status::Suspicious, Some(0.05)));
//! assert_eq!(decided(Some(0.05), Some(0.55)), (Status::Unsupported, Some(0.5)));
//!
//! // An absent confidence is not 0: of one no difference can be formed, of the other it can.
//! assert_eq!(decided(None, Some(0.95)), (Status::Inconclusive, None));
//! assert_eq!(decided(Some(0.0), Some(0.95)), (Status::Verified, Some(0.95)));
//! ```
//!
//! ## Evidence as given, and as a pass sees it
//!
//! A report's `evidence` is what the caller gave, secrets included, so that the way back is exact. What the
//! full pass sees has no secrets, and what the scrubbed pass sees has no names either. Claims are
//! never scrubbed; only a secret in one is hidden.
//!
//! ```
//! use claimgauge_core::evidence::{ClaimInput, Request, SpanInput};
//! use claimgauge_core::verification::{Pass, Step, Verification};
//!
//! let key = "AKIAIOSFODNN7EXAMPLE";
//! let mut verification = Verification::new(Request {
//!     evidence: vec![SpanInput::from(format!("users.email is read with {key}").as_str())],
//!     claims: vec![ClaimInput::from("users.email is read with a key")],
//!     ..Request::default()
//! })?;
//! let Step::Ask(questions) = verification.poll(2) else {
//!     unreachable!("both passes are asked");
//! };
//! for question in &questions {
//!     let text = &question.spans[0].text;
//!     assert!(!text.contains(key));
//!     assert_eq!(text.contains("users.email"), question.pass == Pass::Full);
//!     assert_eq!(question.claim_text, "users.email is read with a key");
//! }
//! assert!(verification.report().evidence[0].text.contains(key));
//! # Ok::<(), claimgauge_core::Error>(())
//! ```
//!
//! ## Bytes, and UTF-16 units
//!
//! Offsets are bytes here and UTF-16 units in JavaScript. The unit is in the type, so that one is never
//! taken for the other.
//!
//! ```
//! use claimgauge_core::scrub::{ByteOffset, ScrubRequest, Utf16Offset};
//!
//! let request: ScrubRequest = serde_json::from_str(
//!     r#"{ "profile": "code", "evidence": ["Größe: max_retries"], "claims": ["max_retries is set"] }"#,
//! )
//! .unwrap();
//! let scrubbed = request.run()?;
//! assert_eq!(scrubbed.replacements[0].start, ByteOffset(9));
//! assert_eq!(scrubbed.into_utf16().replacements[0].start, Utf16Offset(7));
//! # Ok::<(), claimgauge_core::Error>(())
//! ```
//!
//! # Errors
//!
//! There are three kinds, by whose fault it is:
//!
//! - The caller's: an [`Error`] with a stable [`ErrorCode`], the place in the input, a message and often a hint.
//!   Nothing has been done.
//! - The judge's or the network's: a [`verification::Failure`], handed in by the host. The claim becomes
//!   INCONCLUSIVE, and the run goes on. A reply that says nothing ([`reply::Reading::None`]) is asked for
//!   again, and then counts as one of these.
//! - This crate's: a panic, with the invariant that it broke. Nothing that comes in may cause one.
//!
//! ```
//! use claimgauge_core::ErrorCode;
//! use claimgauge_core::evidence::{self, SpanInput};
//!
//! let twice = || SpanInput { id: Some("a".into()), text: "x".into(), source: None };
//! let error = evidence::spans(vec![twice(), twice()]).unwrap_err();
//! assert_eq!((error.code(), error.path()), (ErrorCode::DuplicateId, "evidence.1.id"));
//! ```
//!
//! # Limits
//!
//! Work is linear in the input, up to a logarithm, and the input is bounded: [`evidence::MAX_CLAIMS`],
//! [`evidence::MAX_SPANS`], [`evidence::MAX_BYTES`], [`verification::MAX_GROUP`], [`patterns::MAX_PATTERNS`],
//! [`output::MAX_DEPTH`], [`output::TEXT_LIMIT`], [`estimate::MAX_PROMPTS`]. What is larger is refused as [`ErrorCode::TooLarge`].
//!
//! What the method itself cannot tell (a delta proves nothing true, and the scrub is no anonymisation)
//! stands in the book's page on limits.
//!
//! # Features, and what they cost
//!
//! There are none to turn on. What would need std is another crate, so that who does not use it does not
//! carry it: `claimgauge-patterns` runs callers' patterns, `claimgauge-schema` JSON Schemas; this crate asks its
//! host for what they find. Of its four dependencies `serde` and `serde_json` carry requests, prompts and
//! reports, `sha2` makes nonces, keys and files' hashes, and `libm` has the functions of numbers that `core` lacks.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod answer;
pub mod batch;
pub mod builtin;
pub mod cache;
pub mod calibration;
mod case;
mod conclusion;
pub mod decide;
mod error;
pub mod estimate;
pub mod evidence;
pub mod fields;
mod hearing;
pub mod injection;
mod input;
mod json;
pub mod judgement;
pub mod metrics;
mod number;
pub mod output;
pub mod patterns;
pub mod profile;
pub mod prompt;
pub mod provider;
pub mod reply;
pub mod report;
mod sampling;
pub mod scrub;
mod sort;
mod tokens;
pub mod verification;

pub use error::{Error, ErrorCode};

/// The version of this crate and of everything built from it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
