//! The fields of every request, as tables, so that a host can refuse what does not fit before it
//! converts anything, and can say where.
//!
//! A host whose values are data already hands them to [`check`]; one whose values may be anything, as
//! JavaScript's, walks over them itself and says the same things of them, by [`refuse`].

mod check;
pub mod refuse;
mod value;

pub use check::{MAX_DEPTH, MAX_UNITS, MAX_VALUES, check};
pub(crate) use value::TEXT_OR;
pub use value::{Misfit, Value};

/// What a value must be. A table knows types and names, no rule of the method.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// Anything that is data.
    Any,
    /// True or false.
    Flag,
    /// Text that names a kind, built in or the caller's own.
    Kind,
    /// A list of one shape.
    List(&'static Shape),
    /// An object with keys of the caller's own and values of one shape.
    Map(&'static Shape),
    /// A finite number.
    Number,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A whole number that can be a place in a text on this machine.
    Place,
    /// An object with these fields and no other.
    Record(&'static [Field]),
    /// What a judge said: text, in which half of a surrogate pair is U+FFFD. It is what is under test, and may
    /// have been cut anywhere.
    Reply,
    /// Text.
    Text,
    /// Text, or the other shape.
    TextOr(&'static Shape),
    /// A whole number that is not negative.
    Whole,
}

/// One field of a [`Shape::Record`]. One that is not required may be absent or null.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it must be.
    pub shape: Shape,
}

use Shape::{Any, Flag, Kind, List, Map, Number, OneOf, Place, Record, Reply, Text, TextOr, Whole};

const fn must(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        required: true,
        shape,
    }
}

const fn may(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        required: false,
        shape,
    }
}

/// [`crate::evidence::Request`].
pub static VERIFY: Shape = Record(&[
    must("profile", PROFILE),
    must("evidence", EVIDENCE),
    must("claims", CLAIMS),
    may("thresholds", THRESHOLDS),
    may("kinds", KINDS),
    may("glossary", GLOSSARY),
    may("nulls", List(&MODE)),
    may("passes", OneOf(&["as_needed", "both"])),
    may("hideSecrets", Flag),
    may("policy", POLICY),
    may("moreEvidence", Flag),
    may("trigger", TRIGGER),
    may(
        "context",
        Record(&[
            may("confidence", Number),
            may("conflict", Flag),
            may("cached", Flag),
            may("exploratory", Flag),
            may("timeSensitive", Flag),
        ]),
    ),
]);

/// [`crate::scrub::ScrubRequest`].
pub static SCRUB: Shape = Record(&[
    must("profile", PROFILE),
    must("evidence", EVIDENCE),
    may("claims", CLAIMS),
    may("kinds", KINDS),
    may("glossary", GLOSSARY),
    may("mode", MODE),
    may("hideSecrets", Flag),
    may("previous", SCRUBBED_SHAPE),
    may("replacements", Flag),
]);

const SCRUBBED_SHAPE: Shape = Record(&[
    must("mode", MODE),
    must("spans", List(&SPAN)),
    must("replacements", List(&REPLACEMENT)),
    must(
        "leaks",
        List(&Record(&[
            must("claim", Text),
            must("term", Text),
            must("span", Text),
            must("level", OneOf(&["whole", "form", "part", "derived"])),
        ])),
    ),
    must(
        "removed",
        List(&Record(&[
            must("claim", Text),
            must("gone", Whole),
            must("of", Whole),
        ])),
    ),
]);

/// What an earlier scrub gave, handed in again.
pub static SCRUBBED: Shape = SCRUBBED_SHAPE;

/// [`crate::decide::DecideRequest`].
pub static DECIDE: Shape = Record(&[
    must("profile", PROFILE),
    may("scrubbed", JUDGEMENT),
    may("full", JUDGEMENT),
    may("policy", POLICY),
    may("thresholds", THRESHOLDS),
]);

/// [`crate::profile::ChosenProfile`].
pub static CHOSEN_PROFILE: Shape =
    Record(&[must("profile", PROFILE), may("thresholds", THRESHOLDS)]);

/// [`crate::verification::Answer`].
pub static ANSWER: Shape = Record(&[
    must("text", Reply),
    may("basis", BASIS),
    may("cut", Flag),
    may("logprobs", List(&TOKEN)),
    may("usage", USAGE),
    may(
        "samples",
        List(&Record(&[
            must("text", Reply),
            may("cut", Flag),
            may("usage", USAGE),
        ])),
    ),
    may("cached", Flag),
]);

/// [`crate::verification::Failure`].
pub static FAILURE: Shape = Record(&[
    must("code", Text),
    must("message", Text),
    may("path", Text),
    may("hint", Text),
]);

/// A list of [`crate::report::Atom`]s for each claim.
pub static ATOMS: Shape = List(&List(&Record(&[
    must("text", Text),
    must(
        "kind",
        OneOf(&[
            "date",
            "identifier",
            "name",
            "number",
            "path",
            "quote",
            "version",
        ]),
    ),
    must("grounded", Flag),
    may("span", Text),
    may("rival", Text),
])));

/// [`crate::verification::Stop`].
pub static STOP: Shape = OneOf(&["cancelled", "capped", "stopped"]);

/// [`crate::builtin::ClaimOnSpans`]: the part of a [`crate::verification::PassRequest`] that the built-in judge reads.
pub static BUILTIN: Shape = Record(&[must("spans", List(&SPAN)), must("claimText", Text)]);

/// [`crate::builtin::ClaimsOnSpans`]: the part of one that the second opinion reads, with the text of each claim.
pub static CLAIMS_ON_SPANS: Shape =
    Record(&[must("spans", List(&SPAN)), must("claimTexts", List(&Text))]);

/// [`crate::provider::Endpoint`].
pub static ENDPOINT: Shape = ENDPOINT_SHAPE;

const ENDPOINT_SHAPE: Shape = Record(&[
    may("dialect", DIALECT),
    may("baseUrl", Text),
    may("apiKey", Text),
    must("model", Text),
    may("temperature", Number),
    may("maxTokens", Whole),
]);

/// [`crate::provider::Question`].
pub static PROVIDER_QUESTION: Shape = Record(&[
    must("endpoint", ENDPOINT_SHAPE),
    must("messages", MESSAGES_SHAPE),
    may("structured", Flag),
    may("many", Flag),
    may("without", List(&Text)),
]);

/// [`crate::provider::language_model::Question`].
pub static LANGUAGE_MODEL_QUESTION: Shape = Record(&[
    must("messages", MESSAGES_SHAPE),
    may("structured", Flag),
    may("many", Flag),
    may("without", List(&Text)),
]);

/// [`crate::provider::language_model::Thrown`].
pub static LANGUAGE_MODEL_THROWN: Shape = Record(&[
    may("name", Text),
    may("message", Text),
    may("without", List(&Text)),
]);

/// The messages of a prompt.
pub static MESSAGES: Shape = MESSAGES_SHAPE;

const MESSAGES_SHAPE: Shape = List(&Record(&[
    must("role", OneOf(&["system", "user"])),
    must("content", Text),
]));

/// [`crate::calibration::CalibrateRequest`].
pub static CALIBRATE: Shape = Record(&[
    must("profile", PROFILE),
    may("thresholds", THRESHOLDS),
    must(
        "claims",
        List(&Record(&[
            must("supported", Flag),
            must("status", STATUS),
            may(
                "full",
                Record(&[
                    must("verdict", VERDICT),
                    may("confidence", Number),
                    may("support", Number),
                ]),
            ),
            may("delta", Number),
            may("scrubbed", Number),
            may(
                "nulls",
                List(&Record(&[
                    must("mode", MODE),
                    may("delta", Number),
                    may("support", Number),
                ])),
            ),
        ])),
    ),
]);

/// [`crate::provider::Response`].
pub static PROVIDER_RESPONSE: Shape = Record(&[
    may("dialect", DIALECT),
    may("status", Whole),
    may(
        "trouble",
        OneOf(&["cut", "large", "timeout", "unreachable"]),
    ),
    may("retryAfter", Text),
    must("body", Text),
    must("tries", Whole),
    must("jitter", Number),
    may("without", List(&Text)),
    may("apiKey", Text),
    may("inPage", Flag),
]);

/// [`crate::output::Options`]. What is under test (the trace) is read by the check itself.
pub static CHECK: Shape = Record(&[
    may("strict", Flag),
    may("trace", Any),
    may("tools", Map(&Any)),
    may("schemas", List(&Text)),
    may(
        "toolKinds",
        Map(&OneOf(&["any", "delete", "edit", "read", "run", "write"])),
    ),
    may("specialistId", Text),
    may(
        "base",
        Record(&[may("paths", List(&Text)), may("windows", Flag)]),
    ),
    may("limits", Record(&[may("textBytes", Whole)])),
]);

/// [`crate::output::SchemaAnswer`].
pub static SCHEMA_ANSWER: Shape = Record(&[
    must("kind", OneOf(&["fits", "misfits", "not_json", "not_found"])),
    may(
        "errors",
        List(&Record(&[must("path", Text), must("message", Text)])),
    ),
]);

/// [`crate::output::Observation`].
pub static OBSERVATION: Shape = Record(&[
    must(
        "kind",
        OneOf(&[
            "directory",
            "escapes",
            "file",
            "link",
            "missing",
            "special",
            "unreadable",
        ]),
    ),
    may("why", Text),
    may("size", Whole),
    may("sha256", Text),
    // Text, { hex }, or the bytes as they are.
    may("text", Any),
    may(
        "forms",
        Record(&[
            must("lineEnding", List(&Text)),
            must("bom", List(&Text)),
            must("both", List(&Text)),
        ]),
    ),
]);

/// [`crate::output::Run`].
pub static RUN: Shape = Record(&[
    must("specialistId", Text),
    may("subtaskId", Text),
    must("timestamp", Number),
    must("durationsMs", List(&Number)),
]);

/// [`crate::metrics::Event`].
pub static EVENT: Shape = METRICS_EVENT;

const METRICS_EVENT: Shape = Record(&[
    must("specialistId", Text),
    may("subtaskId", Text),
    must("level", Whole),
    must("status", OneOf(&["passed", "failed"])),
    may("errorCategory", CATEGORY),
    may("errorDetails", Text),
    must("durationMs", Number),
    must("timestamp", Number),
    may(
        "claims",
        Record(&[
            must("passed", Whole),
            must("failed", Whole),
            must("inconclusive", Whole),
            must("trusted", Whole),
            must("superseded", Whole),
        ]),
    ),
]);

/// [`crate::metrics::Metrics`].
pub static METRICS: Shape = Record(&[must("events", List(&METRICS_EVENT))]);

/// A text.
pub static TEXT: Shape = Text;

/// What a judge said, alone.
pub static REPLY: Shape = Reply;

/// A report of ours, which may be from another version.
pub static REPORT: Shape = Any;

const PROFILE: Shape = TextOr(&Record(&[
    must("extends", Text),
    may("name", Text),
    may("kinds", KINDS),
    may("thresholds", THRESHOLDS),
    may("trigger", TRIGGER),
]));

const EVIDENCE: Shape = List(&TextOr(&Record(&[
    may("id", Text),
    must("text", Text),
    may("source", Text),
])));

const CLAIMS: Shape = List(&TextOr(&Record(&[
    may("id", Text),
    must("text", Text),
    may("cites", List(&Text)),
    may("critical", Flag),
    may("confidence", Number),
])));

const SPAN: Shape = Record(&[must("id", Text), must("text", Text), may("source", Text)]);

const REPLACEMENT: Shape = Record(&[
    must("span", Text),
    must("field", OneOf(&["text", "source"])),
    must("start", Place),
    must("end", Place),
    must("kind", Kind),
    must("placeholder", Text),
    must("text", Text),
    must(
        "why",
        OneOf(&["claim", "glossary", "structure", "shape", "secret"]),
    ),
]);

const THRESHOLDS: Shape = Record(&[may("verified", MINIMUM), may("plausible", MINIMUM)]);

const MINIMUM: Shape = Record(&[may("full", Number), may("delta", Number)]);

const KINDS: Shape = List(&TextOr(&Record(&[
    must("kind", Text),
    may("patterns", List(&Text)),
])));

const GLOSSARY: Shape = Map(&List(&Text));

const MODE: Shape = OneOf(&["identifiers", "redact_spans", "no_evidence"]);

const TRIGGER: Shape = OneOf(&[
    "always",
    "manual",
    "on_conflict",
    "on_critical_claim",
    "on_medium_confidence",
]);

const POLICY: Shape = Record(&[
    may("on_conflict", OneOf(&["unsupported", "suspicious"])),
    may("on_unsure", OneOf(&["plausible", "unsupported"])),
    may("on_ungrounded", OneOf(&["warn", "cap"])),
]);

const DIALECT: Shape = OneOf(&[
    "anthropic",
    "gemini",
    "ollama",
    "openai",
    "openai_responses",
]);

const USAGE: Shape = Record(&[may("promptTokens", Whole), may("completionTokens", Whole)]);

const TOKEN: Shape = Record(&[
    must("token", Reply),
    must("logprob", Number),
    may("top", List(&ALTERNATIVE)),
]);

const ALTERNATIVE: Shape = Record(&[must("token", Reply), must("logprob", Number)]);

const BASIS: Shape = OneOf(&["builtin", "logprob", "recorded", "sampled", "verbal"]);

const CATEGORY: Shape = OneOf(&[
    "anchor_mismatch",
    "file_not_found",
    "filesystem_mismatch",
    "hash_mismatch",
    "invalid_type",
    "missing_field",
    "schema_mismatch",
    "unknown",
]);

const VERDICT: Shape = OneOf(&["ENTAILED", "CONTRADICTED", "UNSURE"]);

const STATUS: Shape = OneOf(&[
    "VERIFIED",
    "PLAUSIBLE",
    "SUSPICIOUS",
    "UNSUPPORTED",
    "INCONCLUSIVE",
]);

const JUDGEMENT: Shape = Record(&[
    must("verdict", VERDICT),
    may("confidence", Number),
    may("reasoning", Text),
    may("basis", BASIS),
]);
