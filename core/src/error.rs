//! The one error of the crate: a stable code, a place, a message and a hint.

use alloc::{borrow::ToOwned, format, string::String};
use core::fmt;

use serde::Serialize;

/// What was refused, where, why, and what to do about it.
///
/// Serialises as `{ code, path, message, hint }`; `path` is dot-joined (`evidence.2.id`), empty at
/// the root, and `hint` is `null` where the message says it all.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Error {
    code: ErrorCode,
    path: String,
    message: String,
    hint: Option<String>,
}

impl Error {
    /// An error of `code` at `path`.
    pub fn new(code: ErrorCode, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code,
            path: path.into(),
            message: message.into(),
            hint: None,
        }
    }

    /// Adds what the caller can do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The place in the input, dot-joined, empty at the root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What was wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, where there is more to say than the message does.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// A value that is not one of `allowed`, with the allowed ones in the hint.
    pub(crate) fn not_one_of<'a>(
        code: ErrorCode,
        path: impl Into<String>,
        what: &str,
        got: &str,
        allowed: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut list = String::new();
        for name in allowed {
            if !list.is_empty() {
                list.push_str(", ");
            }
            list.push_str(name);
        }
        Self::new(code, path, format!("Unknown {what} {}", quoted(got)))
            .with_hint(format!("Use one of: {list}."))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Error {}

/// The kinds of refusal. Each serialises as its snake_case name; a name never changes its meaning.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// A value that holds itself.
    Cyclic,
    /// Two spans, or two claims, have one id.
    DuplicateId,
    /// An answer to a question of another batch, or of none.
    ForeignAnswer,
    /// A pattern that is none, needs what no linear engine has, or is too complex.
    InvalidPattern,
    /// Thresholds outside [0, 1] or in the wrong order.
    InvalidThreshold,
    /// A value of another type than its field takes.
    InvalidType,
    /// A value that its field does not take.
    InvalidValue,
    /// Text with half of a surrogate pair, which no UTF-8 can hold.
    LoneSurrogate,
    /// A required field is absent.
    MissingField,
    /// NaN or an infinity.
    NotFinite,
    /// A request with patterns, and nothing that runs them.
    PatternsNotLoaded,
    /// A JSON Schema that is none, needs what is not in it, or is too complex.
    SchemaRefused,
    /// A run that was disposed of, or was lost when its instance failed.
    StaleHandle,
    /// A value nested deeper than any request is.
    TooDeep,
    /// An input larger than its limit.
    TooLarge,
    /// A field that the request does not have.
    UnknownField,
    /// A kind of identifier that no profile has.
    UnknownKind,
    /// A profile that is not there.
    UnknownProfile,
    /// An answer for a request that was never made or is already answered.
    UnknownRequest,
}

/// At most 60 characters of `text` in quotes: an error must not carry a megabyte of input.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{}\"", text.to_owned()),
    }
}
