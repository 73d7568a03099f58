//! Any reply of a judge is read, and what is read is in range.
#![no_main]

use claimgauge_core::reply::{self, Reading};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let reading = reply::read(text);
    if let Reading::Judgement {
        confidence: Some(confidence),
        ..
    } = reading
    {
        assert!((0.0..=1.0).contains(&confidence), "{reading:?}");
    }
});
