//! Claimgauge's rules: scrubbing evidence, asking a judge twice, reading what it says, deciding.
//!
//! Deterministic, without files, network, clock or randomness. Where something from outside is
//! needed (a judge's answer, a file's hash) the crate says what it must know and is told.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod builtin;
pub mod cache;
pub mod calibration;
mod case;
mod conclusion;
pub mod decide;
mod error;
pub mod estimate;
pub mod evidence;
pub mod fields;
pub mod injection;
mod input;
mod json;
pub mod judgement;
pub mod metrics;
mod number;
pub mod output;
pub mod patterns;
pub mod profile;
pub mod prompt;
pub mod provider;
pub mod reply;
pub mod report;
mod sampling;
pub mod scrub;
mod sort;
mod tokens;
pub mod verification;

pub use error::{Error, ErrorCode};

/// The version of this crate and of everything built from it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
