//! Where each provider's interface is, and the check of the settings that lead there.
//!
//! Apart from what requests and responses hold, so that a host can check its settings without all that.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use super::{Dialect, Endpoint, invalid};
use crate::{Error, error::quoted};

/// Where a dialect's requests go, and how they carry the key.
pub(super) struct Address {
    /// See [`Dialect::home`].
    home: Option<&'static str>,
    /// What follows the base URL; `{model}` stands for the model's name.
    path: &'static str,
    /// The header that carries the key, and what stands before the key in it.
    key: (&'static str, &'static str),
    /// Headers that are always sent.
    headers: &'static [(&'static str, &'static str)],
}

impl Dialect {
    /// The base URL of the provider's own service, where the dialect has one home.
    pub fn home(self) -> Option<&'static str> {
        self.address().home
    }

    pub(super) fn address(self) -> &'static Address {
        match self {
            Self::Anthropic => &ANTHROPIC,
            Self::Gemini => &GEMINI,
            Self::Ollama => &OLLAMA,
            Self::Openai => &OPENAI,
            Self::OpenaiResponses => &OPENAI_RESPONSES,
        }
    }
}

static ANTHROPIC: Address = Address {
    home: Some("https://api.anthropic.com/v1"),
    path: "/messages",
    key: ("x-api-key", ""),
    headers: &[
        ("anthropic-version", "2023-06-01"),
        // Without it a page may not ask.
        ("anthropic-dangerous-direct-browser-access", "true"),
    ],
};

static GEMINI: Address = Address {
    home: Some("https://generativelanguage.googleapis.com/v1beta"),
    path: "/models/{model}:generateContent",
    key: ("x-goog-api-key", ""),
    headers: &[],
};

static OLLAMA: Address = Address {
    home: Some("http://127.0.0.1:11434"),
    path: "/api/chat",
    key: ("authorization", "Bearer "),
    headers: &[],
};

static OPENAI: Address = Address {
    home: None,
    path: "/chat/completions",
    key: ("authorization", "Bearer "),
    headers: &[],
};

static OPENAI_RESPONSES: Address = Address {
    home: None,
    path: "/responses",
    key: ("authorization", "Bearer "),
    headers: &[],
};

impl Endpoint {
    /// Refuses settings that lead nowhere.
    ///
    /// # Errors
    /// `invalid_value` at `endpoint.baseUrl`, `endpoint.apiKey` or `endpoint.model`.
    pub fn check(&self) -> Result<(), Error> {
        self.url()?;
        self.headers()?;
        Ok(())
    }

    pub(super) fn model(&self) -> &str {
        self.model.trim()
    }

    /// Names and values.
    pub(super) fn headers(&self) -> Result<Vec<(&'static str, String)>, Error> {
        let address = self.dialect.address();
        let mut headers = Vec::from([("content-type", "application/json".to_owned())]);
        let fixed = address.headers.iter();
        headers.extend(fixed.map(|(name, value)| (*name, (*value).to_owned())));
        if let Some(key) = self.api_key.as_deref().map(str::trim)
            && !key.is_empty()
        {
            if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
                return Err(invalid(
                    "endpoint.apiKey",
                    "The key holds characters that no header can carry",
                )
                .with_hint("Copy it again, without line breaks or quotation marks."));
            }
            let (name, prefix) = address.key;
            headers.push((name, format!("{prefix}{key}")));
        }
        Ok(headers)
    }

    pub(super) fn url(&self) -> Result<String, Error> {
        let model = self.model();
        if model.is_empty() {
            return Err(invalid("endpoint.model", "No model is named")
                .with_hint("Servers list theirs, often under /v1/models."));
        }
        let base = self.base()?;
        let path = self.dialect.address().path;
        let Some((before, after)) = path.split_once("{model}") else {
            return Ok(if base.ends_with(path) {
                base.to_owned()
            } else {
                format!("{base}{path}")
            });
        };
        let model = model.strip_prefix("models/").unwrap_or(model);
        let safe = |c: char| c.is_ascii_alphanumeric() || "-_.:@".contains(c);
        if !model.chars().all(safe) {
            return Err(invalid(
                "endpoint.model",
                &format!("{} is no name of a model", quoted(model)),
            ));
        }
        Ok(format!("{base}{before}{model}{after}"))
    }

    fn base(&self) -> Result<&str, Error> {
        let given = self.base_url.trim();
        let home = self.dialect.address().home.filter(|_| given.is_empty());
        const HINT: &str = "Write it as https://api.example.com/v1.";
        if given.is_empty() && home.is_none() {
            return Err(invalid("endpoint.baseUrl", "No base URL is given yet").with_hint(HINT));
        }
        let base = home.unwrap_or(given).trim_end_matches('/');
        let host = ["https://", "http://"]
            .into_iter()
            .find_map(|scheme| {
                let (start, host) = base.split_at_checked(scheme.len())?;
                start.eq_ignore_ascii_case(scheme).then_some(host)
            })
            .unwrap_or_default();
        let bad = |c: char| c.is_whitespace() || c.is_control();
        if host.is_empty() || host.starts_with(['/', '?', '#', ':']) || base.contains(bad) {
            // Where it cannot be read, what stands before an @ or behind a ? may be a password all the same.
            let told = match given.contains(['@', '?', '#']) {
                true => "The base URL".to_owned(),
                false => quoted(given),
            };
            let message = format!("{told} is no http or https address");
            return Err(invalid("endpoint.baseUrl", &message).with_hint(HINT));
        }
        if base.contains(['?', '#']) {
            return Err(invalid(
                "endpoint.baseUrl",
                "A base URL has neither a query nor a fragment",
            )
            .with_hint("Leave out what follows ? or #."));
        }
        let mut parts = host.split('/');
        if parts
            .next()
            .is_some_and(|authority| authority.contains('@'))
        {
            return Err(invalid(
                "endpoint.baseUrl",
                "A base URL carries no user name or password",
            )
            .with_hint("Leave out what stands before the @, and give the key by itself."));
        }
        Ok(base)
    }
}
