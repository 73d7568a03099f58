//! The language model that a browser has of its own, `LanguageModel`: what to ask it, and what its
//! exceptions mean.
//!
//! It is no endpoint: the page calls it. What it is called with is made here all the same, and what it
//! throws is read here, so that every host does the same.
//!
//! ```
//! use claimgauge_core::prompt::{Form, messages};
//! use claimgauge_core::provider::language_model::{Question, calls, is_available};
//!
//! assert!(is_available("available") && !is_available("unavailable"));
//! let question = Question { messages: messages(&[], "It is so", Form::Json), ..Question::default() };
//! let calls = calls(&question);
//! assert_eq!(calls.create.initial_prompts.len(), 1);
//! assert!(calls.prompt.ends_with("Claim: \"It is so\""));
//! ```

use alloc::{format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{Next, cut};
use crate::{
    answer::Failure,
    input::null_as_default,
    prompt::{Message, ReplySchema, Role},
};

/// One question to the browser's model.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The prompt.
    pub messages: Vec<Message>,
    /// Whether the reply must fit [`ReplySchema`].
    #[serde(default, deserialize_with = "null_as_default")]
    pub structured: bool,
    /// Whether it is about several claims, and the reply must have an answer for each.
    #[serde(default, deserialize_with = "null_as_default")]
    pub many: bool,
    /// Options that the model refused before.
    #[serde(default, deserialize_with = "null_as_default")]
    pub without: Vec<String>,
}

/// What the host calls: `LanguageModel.create(create)`, then the session's `prompt(prompt, options)`. To
/// both options it adds its signal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calls {
    /// The options of a session.
    pub create: Create,
    /// What is asked.
    pub prompt: String,
    /// How it is to be answered.
    pub options: PromptOptions,
}

/// The options of a session; those of `availability` too, but for the prompts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Create {
    /// The rules.
    pub initial_prompts: Vec<Message>,
    /// What it must be able to write.
    pub expected_outputs: [Expected; 1],
}

/// A kind of content in some languages.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Expected {
    r#type: &'static str,
    languages: [&'static str; 1],
}

/// The options of a prompt.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptOptions {
    /// What the reply must fit; absent where it is not held to anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_constraint: Option<ReplySchema>,
    /// The prompt says already what the reply looks like.
    pub omit_response_constraint_input: bool,
}

/// What came of a call instead of a reply.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Thrown {
    /// The exception's name, or what the host says in its place: [`MISSING`], [`TIMEOUT`].
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// Its message.
    #[serde(deserialize_with = "null_as_default")]
    pub message: String,
    /// Options that were left out this time.
    #[serde(deserialize_with = "null_as_default")]
    pub without: Vec<String>,
}

/// Whether a model of which the browser says this can be asked, now or once it is loaded.
pub fn is_available(availability: &str) -> bool {
    matches!(availability, "available" | "downloadable" | "downloading")
}

/// There is no such model, or [`is_available`] says no.
pub const MISSING: &str = "Missing";

/// There was no answer in the time allowed.
pub const TIMEOUT: &str = "TimeoutError";

/// How to ask `question`.
pub fn calls(question: &Question) -> Calls {
    let of = |role| question.messages.iter().filter(move |one| one.role == role);
    let constraint = match question.many {
        true => ReplySchema::Many,
        false => ReplySchema::One,
    };
    let constrained = question.structured && !question.without.iter().any(|one| one == CONSTRAINT);
    Calls {
        create: Create {
            initial_prompts: of(Role::System).cloned().collect(),
            expected_outputs: [Expected {
                r#type: "text",
                languages: ["en"],
            }],
        },
        prompt: of(Role::User).map(|one| &*one.content).collect(),
        options: PromptOptions {
            response_constraint: constrained.then_some(constraint),
            omit_response_constraint_input: constrained,
        },
    }
}

/// The option that not every model takes.
const CONSTRAINT: &str = "responseConstraint";

/// What to do about an exception.
pub fn read(thrown: &Thrown) -> Next {
    let first = !thrown.without.iter().any(|one| one == CONSTRAINT);
    if thrown.name == "NotSupportedError" && first {
        return Next::Without {
            parameter: CONSTRAINT,
        };
    }
    let row = EXCEPTIONS
        .iter()
        .find(|row| row.name.is_empty() || row.name == thrown.name)
        .expect("the last row covers every name");
    let said = match &*thrown.message {
        "" => String::new(),
        message => format!(": {}", cut(message)),
    };
    let failure = Failure::new(row.code, format!("{}{said}", row.message));
    Next::Fail {
        failure: failure.with_hint(row.hint),
        stop: row.stop,
    }
}

/// What an exception means.
struct Row {
    /// Empty for every other one.
    name: &'static str,
    code: &'static str,
    message: &'static str,
    hint: &'static str,
    stop: bool,
}

#[rustfmt::skip]
static EXCEPTIONS: [Row; 7] = [
    Row {
        name: MISSING, code: "judge_missing",
        message: "This browser has no language model of its own that may be used", hint: "Choose another judge.", stop: true,
    },
    Row {
        name: TIMEOUT, code: super::TIMEOUT,
        message: "The browser's model did not answer in time", hint: "Give less evidence, or choose a faster judge.", stop: false,
    },
    Row {
        name: "NotAllowedError", code: "judge_unauthorized",
        message: "The browser does not let its model be used here", hint: "It is loaded after a click only, and in a frame with permission only.", stop: true,
    },
    Row {
        name: "QuotaExceededError", code: "judge_rejected",
        message: "The evidence is longer than the browser's model reads", hint: "Give less evidence, or let claims cite the spans that they rest on.", stop: false,
    },
    Row {
        name: "NotSupportedError", code: "judge_rejected",
        message: "The browser's model does not take the question", hint: "It may not know the language.", stop: false,
    },
    Row {
        name: "NotReadableError", code: "judge_refused",
        message: "The browser kept its model's reply back", hint: "Its filters do so; another judge may answer.", stop: false,
    },
    Row {
        name: "", code: "judge_unavailable",
        message: "The browser's model failed", hint: "Try again, or choose another judge.", stop: false,
    },
];

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;

    use super::*;

    fn question() -> Question {
        let message = |role, content: &str| Message {
            role,
            content: content.to_owned(),
        };
        Question {
            messages: Vec::from([message(Role::System, "Judge."), message(Role::User, "So?")]),
            structured: true,
            many: false,
            without: Vec::new(),
        }
    }

    #[test]
    fn the_rules_go_first_and_the_reply_is_held_to_its_schema() {
        let calls = serde_json::to_value(calls(&question())).unwrap();
        assert_eq!(calls["create"]["initialPrompts"][0]["role"], "system");
        assert_eq!(calls["create"]["initialPrompts"][0]["content"], "Judge.");
        assert_eq!(
            calls["create"]["initialPrompts"][1],
            serde_json::Value::Null
        );
        assert_eq!(calls["prompt"], "So?");
        let required = &calls["options"]["responseConstraint"]["required"];
        assert_eq!(required[0], "verdict");
    }

    #[test]
    fn a_constraint_that_is_refused_is_left_out_once() {
        let mut thrown = Thrown {
            name: "NotSupportedError".to_owned(),
            ..Thrown::default()
        };
        let next = read(&thrown);
        assert_eq!(
            next,
            Next::Without {
                parameter: CONSTRAINT
            }
        );
        thrown.without.push(CONSTRAINT.to_owned());
        assert!(matches!(read(&thrown), Next::Fail { stop: false, .. }));

        let mut plain = question();
        plain.without.push(CONSTRAINT.to_owned());
        assert_eq!(calls(&plain).options.response_constraint, None);
    }

    #[test]
    fn exceptions_are_failures_with_the_browsers_words() {
        #[rustfmt::skip]
        let rows = [
            (MISSING, "judge_missing", true), (TIMEOUT, "judge_timeout", false),
            ("NotAllowedError", "judge_unauthorized", true), ("QuotaExceededError", "judge_rejected", false),
            ("NotReadableError", "judge_refused", false), ("OperationError", "judge_unavailable", false),
            ("", "judge_unavailable", false),
        ];
        for (name, code, stops) in rows {
            let thrown = Thrown {
                name: name.to_owned(),
                message: "Its words".to_owned(),
                ..Thrown::default()
            };
            let Next::Fail { failure, stop } = read(&thrown) else {
                panic!("{name}");
            };
            assert_eq!((&*failure.code, stop), (code, stops), "{name}");
            assert!(failure.message.ends_with(": Its words"), "{name}");
        }
    }
}
