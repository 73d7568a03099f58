//! Any evidence and claims: the way back is exact, offsets are right, a second scrub changes
//! nothing, and nothing panics.
//!
//! The first byte is the profile and the options; the rest is texts with the byte 0xff between them,
//! of which every other one is a claim.
#![no_main]

#[path = "../../tests/src/properties.rs"]
mod properties;

use claimgauge_core::{
    evidence::{Claim, Span},
    profile::Profile,
    scrub::{Mode, Options},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let mut profiles = Profile::all();
    let profile = profiles.swap_remove(usize::from(first & 0xf) % profiles.len());
    let options = Options {
        hide_secrets: first & 0x10 == 0,
        mode: match first & 0x60 {
            0x60 => Mode::RedactSpans,
            _ => Mode::Identifiers,
        },
        ..Options::default()
    };
    let (mut spans, mut claims) = (Vec::new(), Vec::new());
    for (at, text) in rest.split(|byte| *byte == 0xff).enumerate() {
        let text = String::from_utf8_lossy(text).into_owned();
        match at % 2 {
            0 => spans.push(Span {
                id: format!("S{at}"),
                source: (first & 0x80 != 0).then(|| text.chars().take(9).collect()),
                text,
            }),
            _ => claims.push(Claim {
                id: format!("C{at}"),
                text,
                cites: None,
                critical: false,
                confidence: None,
            }),
        }
    }
    properties::check(&profile, &spans, &claims, &options);
});
