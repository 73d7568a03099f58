//! Rounding and printing of confidences, the same on every host.

use alloc::{format, string::String};

/// `value` to 6 decimals, so that 0.85 - 0.55 is 0.30. Never -0.
pub(crate) fn round6(value: f64) -> f64 {
    micros(value) as f64 / 1e6
}

/// `value` to 2 decimals, half away from zero. Never -0.
pub(crate) fn round2(value: f64) -> f64 {
    hundredths(micros(value)) as f64 / 100.0
}

/// Two decimals, half away from zero on the value rounded to 6; a sign only when negative, and
/// -0.00 is 0.00.
pub(crate) fn fixed2(value: f64) -> String {
    let hundredths = hundredths(micros(value));
    let sign = if hundredths < 0 { "-" } else { "" };
    let size = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

/// Half away from zero.
fn hundredths(micros: i64) -> i64 {
    let size = (micros.unsigned_abs() + 5_000) / 10_000;
    micros.signum() * i64::try_from(size).unwrap_or(i64::MAX)
}

fn micros(value: f64) -> i64 {
    let scaled = value * 1e6;
    // The cast cuts towards zero and saturates.
    (if scaled < 0.0 {
        scaled - 0.5
    } else {
        scaled + 0.5
    }) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_with_two_decimals() {
        #[rustfmt::skip]
        let rows = [
            (0.65, "0.65"), (0.95 - 0.3, "0.65"), (0.285, "0.29"), (-0.285, "-0.29"),
            (0.0, "0.00"), (-0.0, "0.00"), (-0.004, "0.00"), (-0.005, "-0.01"), (1.0, "1.00"),
            (0.004_999_9, "0.01"), (0.994_999_6, "1.00"),
        ];
        for (value, want) in rows {
            assert_eq!(fixed2(value), want, "{value}");
        }
    }
}
