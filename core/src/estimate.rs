//! What a verification would ask, before anything is asked.
//!
//! Tokens are about right, by runs of letters: see [`Estimate::token_error`]. The texts are exact.
//!
//! ```
//! use claimgauge_core::estimate::estimate;
//! use claimgauge_core::evidence::Request;
//!
//! let request = || -> Request {
//!     serde_json::from_str(
//!         r#"{ "profile": "code", "evidence": ["Retries are 3, the limit is 10"],
//!              "claims": ["Retries are 3", "The limit is 10"] }"#,
//!     )
//!     .unwrap()
//! };
//! let (alone, grouped) = (estimate(request(), 1)?, estimate(request(), 2)?);
//! // Two passes each; in a group both claims share a request, and its evidence.
//! assert_eq!((alone.calls, grouped.calls), (4, 2));
//! assert!(grouped.prompt_tokens < alone.prompt_tokens);
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

use alloc::{format, string::String, vec::Vec};
use core::iter;

use serde::Serialize;

use crate::{
    Error, ErrorCode,
    evidence::{MAX_BYTES, Passes, Request},
    prompt::Message,
    scrub::Mode,
    tokens,
    verification::{Pass, PassRequest, Verification},
};

/// Most bytes of all prompts of an [`estimate`] together: evidence of the largest size, for one claim's two passes. Each
/// pass holds the evidence anew, and memory ends soon after.
pub const MAX_PROMPTS: usize = 3 * MAX_BYTES;

/// What a verification would cost, and every word that it would send.
///
/// Replies that cannot be read are asked again, which is not in it; with `passes: "as_needed"` some
/// requests may turn out not to be needed, and all are in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Estimate {
    /// How many requests.
    pub calls: usize,
    /// About how many tokens they hold together.
    pub prompt_tokens: usize,
    /// How far the true count of ordinary text may be from it, as a share of it. Encoded bytes, and
    /// scripts that a model's tokeniser was not made for, may have twice as many and more.
    pub token_error: f64,
    /// The requests, in the order in which they would be asked.
    pub requests: Vec<Planned>,
}

/// One request that would be asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Planned {
    /// The ids of the claims that it is about.
    pub claims: Vec<String>,
    /// Which judging.
    pub pass: Pass,
    /// What the evidence is made into; absent for the full pass.
    pub mode: Option<Mode>,
    /// About how many tokens.
    pub prompt_tokens: usize,
    /// The text that would be sent.
    pub messages: Vec<Message>,
}

/// Plans the verification of `request`, with up to `group` claims in one request each pass.
///
/// # Errors
/// As [`Verification::grouped`], and `too_large` where the prompts have more than [`MAX_PROMPTS`] bytes.
pub fn estimate(request: Request, group: usize) -> Result<Estimate, Error> {
    let mut requests: Vec<Planned> = Vec::new();
    let mut bytes = 0;
    for one in planned(request, group)? {
        let texts = one.messages.iter().map(|message| message.content.len());
        bytes += texts.sum::<usize>();
        if bytes > MAX_PROMPTS {
            let most = MAX_PROMPTS >> 20;
            let message = format!("The prompts have more than {most} MiB of text together");
            return Err(
                Error::new(ErrorCode::TooLarge, "claims", message).with_hint(
                    "Estimate fewer claims or less evidence at once, or more claims in a group; \
                 `claimgauge batch plan` takes any number of requests.",
                ),
            );
        }
        requests.push(one);
    }
    Ok(Estimate {
        calls: requests.len(),
        prompt_tokens: requests.iter().map(|request| request.prompt_tokens).sum(),
        token_error: tokens::LIKELY_ERROR,
        requests,
    })
}

/// The requests of an [`estimate`] one after the other, where all of them are too much to hold at once.
///
/// # Errors
/// As [`Verification::grouped`].
pub fn planned(mut request: Request, group: usize) -> Result<impl Iterator<Item = Planned>, Error> {
    request.passes = Some(Passes::Both);
    let mut verification = Verification::grouped(request, group)?;
    Ok(iter::from_fn(move || verification.next_planned()).map(Planned::from))
}

impl From<PassRequest> for Planned {
    fn from(request: PassRequest) -> Self {
        Self {
            claims: request.claims.into_iter().map(|claim| claim.id).collect(),
            pass: request.pass,
            mode: request.mode,
            prompt_tokens: request.prompt_tokens,
            messages: request.messages,
        }
    }
}
