//! The logistic model's weights. Made by `cargo xtask weights` from the claims in `seedstyle40`, `mutbench_a`, `blind`.

use super::Features;

/// One for each of [`FEATURE_NAMES`](super::FEATURE_NAMES).
pub const WEIGHTS: Features = [
    2.91,  // bias
    -3.10, // uncovered
    -4.30, // names_missing
    -2.99, // names_elsewhere
    -1.79, // words_missing
    -0.62, // forms_missing
    -1.83, // words_elsewhere
    -0.71, // unanchored
    -0.41, // beside
    -4.85, // clash
];
