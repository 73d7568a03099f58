//! What a judge answered, or why it did not, as the host hands it in.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{input::null_as_default, judgement::Basis, reply::logprobs::TokenLogprob};

/// The code of a hang.
pub(crate) const TIMEOUT: &str = "judge_timeout";

/// The codes of failures that say nothing of the question: any other would have failed as well.
const ON_THE_WAY: [&str; 6] = [
    "judge_cut",
    "judge_not_json",
    "judge_rate_limited",
    TIMEOUT,
    "judge_unavailable",
    "judge_unreachable",
];

/// What a judge answered.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Answer {
    /// The reply, as it came.
    pub text: String,
    /// Where its confidence comes from. Absent: `verbal`.
    pub basis: Option<Basis>,
    /// Whether the provider says that the reply was cut by length.
    #[serde(deserialize_with = "null_as_default")]
    pub cut: bool,
    /// The reply's tokens with their probabilities, where the provider gives them: then the
    /// confidence is the probability of the verdict, whatever number the model wrote.
    pub logprobs: Option<Vec<TokenLogprob>>,
    /// What the provider counted.
    pub usage: Option<Usage>,
    /// Several replies to the same question, which are read instead of `text`: the verdict of most, a
    /// tie being UNSURE, with the median of their confidences; the basis is `sampled`.
    pub samples: Option<Vec<Sample>>,
    /// Whether it was known already, and so cost nothing.
    #[serde(deserialize_with = "null_as_default")]
    pub cached: bool,
}

impl Answer {
    /// An answer of which only the text is known.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// The texts of the replies that it holds.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let samples = self.samples.iter().flatten();
        let single = self.samples.is_none().then_some(&*self.text);
        samples.map(|sample| &*sample.text).chain(single)
    }

    /// The replies that it holds.
    pub(crate) fn replies(&self) -> Vec<Sample> {
        match &self.samples {
            Some(samples) => samples.clone(),
            None => Vec::from([Sample {
                text: self.text.clone(),
                cut: self.cut,
                usage: self.usage,
            }]),
        }
    }
}

/// One of several replies to the same question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Sample {
    /// The reply, as it came.
    pub text: String,
    /// Whether the provider says that the reply was cut by length.
    #[serde(deserialize_with = "null_as_default")]
    pub cut: bool,
    /// What the provider counted.
    pub usage: Option<Usage>,
}

/// Tokens that a provider counted.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Usage {
    /// Tokens that it read; absent where it did not say.
    pub prompt_tokens: Option<u64>,
    /// Tokens that it wrote; absent where it did not say.
    pub completion_tokens: Option<u64>,
}

/// Why a judge gave no answer.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// A stable code, snake_case.
    pub code: String,
    /// What happened.
    pub message: String,
    /// The setting at fault, such as `apiKey`; absent where none is.
    #[serde(default)]
    pub path: Option<String>,
    /// What to do about it.
    #[serde(default)]
    pub hint: Option<String>,
}

impl Failure {
    /// A failure of `code`.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            path: None,
            hint: None,
        }
    }

    /// Whether it happened between the host and the judge, and so says nothing of the question.
    pub fn is_on_the_way(&self) -> bool {
        ON_THE_WAY.contains(&self.code.as_str())
    }

    /// Adds the setting at fault; an empty one says that none is.
    #[must_use]
    pub fn at(mut self, path: &str) -> Self {
        self.path = (!path.is_empty()).then(|| path.to_owned());
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: &str) -> Self {
        self.hint = Some(hint.to_owned());
        self
    }
}
