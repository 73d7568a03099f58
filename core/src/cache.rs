//! Under which key an answer is kept, so that a question that is asked again costs nothing.
//!
//! The key is of what decides an answer: judge, parameters and messages. It is not of the claim's
//! id or the pass. So one answer serves every request that asks the same, and another temperature asks anew.
//! Failures are never kept, nor is a reply without a verdict ([`Answer::is_readable`](crate::verification::Answer::is_readable)).

use alloc::string::String;
use core::fmt::Write;

use sha2::{Digest, Sha256};

use crate::prompt::{Message, Role};

/// The key of the answer that `judge`, with `parameters`, gives to `messages`: the SHA-256 over all of
/// them, in 64 hex digits.
///
/// `parameters` is whatever else decides the answer, such as address, model and temperature, as one
/// text. `structured` tells whether the reply is held to a schema. Changing any part of any of them
/// changes the key.
///
/// ```
/// use claimgauge_core::cache::key;
///
/// assert_eq!(key("m", "{}", &[], true).len(), 64);
/// assert_ne!(key("m", "{}", &[], true), key("m{", "}", &[], true));
/// ```
pub fn key(judge: &str, parameters: &str, messages: &[Message], structured: bool) -> String {
    let mut hash = Sha256::new();
    // Lengths first, so that no two lists of texts make the same bytes.
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    part(judge);
    part(parameters);
    part(if structured { "structured" } else { "plain" });
    for message in messages {
        part(match message.role {
            Role::System => "system",
            Role::User => "user",
        });
        part(&message.content);
    }
    let mut key = String::with_capacity(64);
    for byte in hash.finalize() {
        write!(key, "{byte:02x}").expect("a String takes every write");
    }
    key
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, collections::BTreeSet, vec::Vec};

    use super::*;

    #[test]
    fn every_part_changes_the_key() {
        let message = |role, content: &str| Message {
            role,
            content: content.to_owned(),
        };
        let both = || Vec::from([message(Role::System, "rules"), message(Role::User, "claim")]);
        let split = [message(Role::System, "rulesclaim")];
        let keys = [
            key("judge", "{}", &both(), true),
            key("judge2", "{}", &both(), true),
            key("judge", "{\"model\":\"m\"}", &both(), true),
            key("judge", "{}", &both(), false),
            key("judge", "{}", &both()[..1], true),
            key("judge", "{}", &split, true),
            key("judge", "{}", &[message(Role::User, "rules")], true),
        ];
        let different: BTreeSet<_> = keys.iter().collect();
        assert_eq!(different.len(), keys.len());
        assert_eq!(keys[0], key("judge", "{}", &both(), true));
    }
}
