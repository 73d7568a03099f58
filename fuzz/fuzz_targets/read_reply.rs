#![no_main]

use claimgauge_fuzz::targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::read_reply(data));
