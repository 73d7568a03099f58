//! A result that no scrub made: whatever it holds, `unscrub`, `hidden` and a scrub that knows it end,
//! and the last one's way back is exact.
//!
//! Texts with the byte 0xff between them: the text, then four to a replacement, the first of which
//! has the offsets in its first bytes.
#![no_main]

#[path = "../../tests/src/properties.rs"]
mod properties;

use claimgauge_core::{
    evidence::Span,
    profile::{Kind, Profile},
    scrub::{
        ByteOffset, Mode, Offset, Options, Replacement, Scrubbed, SpanField, Utf16Offset, Why,
        unscrub,
    },
};
use libfuzzer_sys::fuzz_target;

fn result<O: Offset>(texts: &[String], offset: impl Fn(u8) -> O) -> Scrubbed<O> {
    let replacements = texts[1..].chunks_exact(4).map(|parts| {
        let byte = |at: usize| parts[0].as_bytes().get(at).copied().unwrap_or(0);
        Replacement {
            span: parts[1].as_str().into(),
            field: [SpanField::Text, SpanField::Source][usize::from(byte(0) % 2)],
            start: offset(byte(1)),
            end: offset(byte(2)),
            kind: [Kind::Table, Kind::Secret][usize::from(byte(3) % 2)].into(),
            placeholder: parts[2].as_str().into(),
            text: parts[3].as_str().into(),
            why: [Why::Secret, Why::Claim][usize::from(byte(4) % 2)],
        }
    });
    Scrubbed {
        mode: Mode::Identifiers,
        spans: vec![span(texts)],
        replacements: replacements.collect(),
        leaks: Vec::new(),
        removed: Vec::new(),
    }
}

fn span(texts: &[String]) -> Span {
    Span {
        id: "S0".to_owned(),
        text: texts[0].clone(),
        source: texts.last().cloned(),
    }
}

fuzz_target!(|data: &[u8]| {
    let texts = data.split(|byte| *byte == 0xff);
    let texts: Vec<String> = texts
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect();
    let narrow = result(&texts, |byte| ByteOffset(usize::from(byte)));
    let wide = result(&texts, |byte| Utf16Offset(usize::from(byte)));
    for id in [None, Some("S0"), texts.last().map(String::as_str)] {
        unscrub(&texts[0], &narrow, id);
        unscrub(&texts[0], &wide, id);
    }
    narrow.hidden(&narrow.spans);
    wide.hidden(&wide.spans);
    narrow.hide_in_claim(&texts[0]);
    narrow.clone().into_utf16();
    let options = Options {
        previous: Some(&narrow.replacements),
        ..Options::default()
    };
    properties::check(&Profile::all()[0], &[span(&texts)], &[], &options);
});
