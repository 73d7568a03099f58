//! Reading, rounding and printing of confidences, the same on every host.
//!
//! Made by hand: std reads and prints every float exactly, for which it carries 20 KB of tables and code.

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

/// A number for people: to 6 decimals.
pub(crate) fn shown(value: f64) -> String {
    const MOST: f64 = 1e12;
    if value.is_nan() {
        return "NaN".into();
    }
    if value.abs() >= MOST {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}1000000000000 or more");
    }
    let micros = micros(value);
    let sign = if micros < 0 { "-" } else { "" };
    let about = if micros as f64 / 1e6 == value {
        ""
    } else {
        "about "
    };
    let size = micros.unsigned_abs();
    let number = format!("{about}{sign}{}.{:06}", size / 1_000_000, size % 1_000_000);
    number.trim_end_matches('0').trim_end_matches('.').into()
}

/// A decimal number without a sign: `0.85`, `.5`, `1.`, `1e-3`. The nearest float where it has up to 15
/// digits; with more, the last bit may differ.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse().ok()?),
        None => (text, 0),
    };
    if digits.is_empty() || digits == "." {
        return None;
    }
    let mut exponent: i32 = exponent;
    let mut value: u64 = 0;
    // How much a digit behind the point moves it.
    let mut scale = 0;
    for byte in digits.bytes() {
        if byte == b'.' && scale == 0 {
            scale = 1;
            continue;
        }
        let digit = char::from(byte).to_digit(10)?;
        // Digits that no float holds only move the point.
        if value < u64::MAX / 20 {
            value = 10 * value + u64::from(digit);
            exponent = exponent.saturating_sub(scale);
        } else {
            exponent = exponent.saturating_add(1 - scale);
        }
    }
    Some(scaled(value as f64, exponent)).filter(|value| value.is_finite())
}

/// `value` times ten to the power of `exponent`. Powers up to 22 are exact.
fn scaled(mut value: f64, exponent: i32) -> f64 {
    let mut left = exponent.unsigned_abs();
    while left > 0 && value != 0.0 && value.is_finite() {
        let power = left.min(22);
        let factor = (0..power).fold(1.0, |factor, _| factor * 10.0);
        value = if exponent < 0 {
            value / factor
        } else {
            value * factor
        };
        left -= power;
    }
    value
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
    fn numbers_are_read_as_std_reads_them() {
        for text in [
            "0",
            "1",
            "0.85",
            ".5",
            "1.",
            "007",
            "95",
            "0.123456789012345",
            "123456789.25",
            "1e3",
            "1e-3",
            "2.5E+2",
            "1E-22",
            "1e22",
            "0e999999999",
            "0.000001",
        ] {
            assert_eq!(parse(text), text.parse().ok(), "{text}");
        }
        for text in [
            "",
            ".",
            "1.2.3",
            "-1",
            "+1",
            "1e",
            "1e+",
            "e5",
            "1e5.0",
            "1e999",
            "x",
            "1 ",
            "0x1",
            "1e99999999999",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        for at in 0..100_000 {
            let text = format!("0.{at:05}");
            assert_eq!(parse(&text), text.parse().ok());
        }
        for text in [
            "0.3333333333333333333333333",
            "12345678901234567890123",
            "0.99999999999999999999",
        ] {
            let (read, std) = (parse(text).unwrap(), text.parse::<f64>().unwrap());
            assert!((read - std).abs() <= std * f64::EPSILON, "{text}: {read}");
        }
    }

    #[test]
    fn numbers_are_shown_for_people() {
        #[rustfmt::skip]
        let rows = [
            (1.5, "1.5"), (-0.1, "-0.1"), (0.0, "0"), (-0.0, "0"), (2.0, "2"), (100.0, "100"), (f64::NAN, "NaN"),
            (1.0 / 3.0, "about 0.333333"), (-1e-9, "about 0"), (1e300, "1000000000000 or more"),
            (f64::NEG_INFINITY, "-1000000000000 or more"),
        ];
        for (value, want) in rows {
            assert_eq!(shown(value), want);
        }
    }

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
