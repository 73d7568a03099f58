//! What the programs do with their bytes is shared with the suite.
#[path = "../../tests/src/judging.rs"]
pub mod judging;
#[path = "../../tests/src/properties.rs"]
pub mod properties;
#[path = "../../tests/src/targets.rs"]
pub mod targets;
