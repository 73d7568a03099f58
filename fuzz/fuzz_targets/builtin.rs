//! Any evidence and claim: nothing panics, the order of spans does not matter, a span added turns no
//! contradiction round by itself, what the reasoning quotes is there, and a claim's atoms are read.
//!
//! Texts with the byte 0xff between them: the claim, the span that is added, the other spans.
#![no_main]

#[path = "../../tests/src/judging.rs"]
mod judging;

use claimgauge_core::{builtin, evidence::Span};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let texts = data.split(|byte| *byte == 0xff);
    let mut texts = texts.map(|text| String::from_utf8_lossy(text).into_owned());
    let claim = texts.next().unwrap_or_default();
    let mut spans: Vec<Span> = (0..)
        .zip(texts)
        .map(|(at, text)| Span {
            id: format!("S{at}"),
            source: (at % 3 == 2).then(|| text.chars().take(9).collect()),
            text,
        })
        .collect();
    if spans.is_empty() {
        return;
    }
    let added = spans.remove(0);
    judging::check(&spans, &added, &claim);
    builtin::atoms(&spans, &claim);
});
