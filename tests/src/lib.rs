//! What the suites and the benchmarks share.

pub mod calls;
pub mod cases;
pub mod checker;
pub mod claims;
pub mod contexts;
pub mod gates;
pub mod generator;
pub mod growth;
pub mod judging;
pub mod properties;
pub mod tables;
pub mod targets;

/// Numbers that look random and are the same in every run (SplitMix64).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence that `seed` starts.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number below `bound`; 0 where the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^= value >> 31;
        usize::try_from(value % bound.max(1) as u64).unwrap_or(0)
    }
}
