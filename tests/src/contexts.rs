//! What a trigger may look at beside the claim, one thing at a time.

use claimgauge_core::profile::Context;

/// Nothing is known.
pub const QUIET: Context = Context {
    confidence: None,
    conflict: None,
    cached: None,
    exploratory: None,
    time_sensitive: None,
};

/// The source is cached.
pub const CACHED: Context = Context {
    cached: Some(true),
    ..QUIET
};

/// Sources disagree.
pub const CONFLICT: Context = Context {
    conflict: Some(true),
    ..QUIET
};

/// The question is exploratory.
pub const EXPLORATORY: Context = Context {
    exploratory: Some(true),
    ..QUIET
};

/// An answer is needed at once.
pub const TIME_SENSITIVE: Context = Context {
    time_sensitive: Some(true),
    ..QUIET
};
