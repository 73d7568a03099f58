//! What a judge never needs to see.

use super::scanner::Scan;
use alloc::{string::String, vec::Vec};

/// A secret in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Secret {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is one wherever it occurs: a short password may be an ordinary word.
    pub(super) everywhere: bool,
}

/// The secrets of a text, by start.
pub(super) fn find(_scan: &Scan<'_>) -> Vec<Secret> {
    Vec::new()
}

/// Replaces each quoted secret; also says whether there was one.
pub(super) fn hide<'s>(
    claim: &str,
    secrets: impl Iterator<Item = (&'s str, &'s str)>,
) -> (String, bool) {
    let mut hidden = String::from(claim);
    let mut any = false;
    for (secret, placeholder) in secrets {
        if !secret.is_empty() && hidden.contains(secret) {
            hidden = hidden.replace(secret, placeholder);
            any = true;
        }
    }
    (hidden, any)
}
