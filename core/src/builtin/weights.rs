//! The logistic model's weights. Made by `cargo xtask weights` from the claims in `seedstyle40` and `mutbench_a`.

use super::Features;

/// One for each of [`FEATURE_NAMES`](super::FEATURE_NAMES).
pub const WEIGHTS: Features = [
    2.91,  // bias
    -3.20, // uncovered
    -4.30, // names_missing
    -3.33, // names_elsewhere
    -1.99, // words_missing
    -2.04, // words_elsewhere
    -0.19, // beside
    -5.01, // clash
];
