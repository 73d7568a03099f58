//! The JavaScript face of `claimgauge-core`.
