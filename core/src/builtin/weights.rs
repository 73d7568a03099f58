//! The logistic model's weights. Made by `cargo xtask weights` from the claims in `seedstyle40`, `mutbench_a`, `blind`.

use super::Features;

/// One for each of [`FEATURE_NAMES`](super::FEATURE_NAMES).
pub const WEIGHTS: Features = [
    2.92,  // bias
    -3.12, // uncovered
    -4.31, // names_missing
    -3.06, // names_elsewhere
    -1.72, // words_missing
    -0.59, // forms_missing
    -1.83, // words_elsewhere
    -0.74, // unanchored
    -0.44, // beside
    -4.86, // clash
];
