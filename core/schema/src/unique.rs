//! Whether all values differ, in time that no values can make quadratic: the library's own hashes of
//! `[[1], [2]]` and `[[1, 2]]` are the same, so a few thousand such items would be compared each with each.

use std::cmp::Ordering;

use serde_json::{Number, Value};

pub(crate) fn are_unique(items: &[Value]) -> bool {
    let mut sorted: Vec<&Value> = items.iter().collect();
    sorted.sort_unstable_by(|left, right| compare(left, right));
    sorted
        .windows(2)
        .all(|pair| compare(pair[0], pair[1]) != Ordering::Equal)
}

/// An order of all values in which only equal ones are equal: numbers by what they are, not how they
/// are written, objects without regard to the order of their keys.
fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Number(left), Value::Number(right)) => numbers(left, right),
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Array(left), Value::Array(right)) => {
            let items = left.iter().zip(right);
            let length = left.len().cmp(&right.len());
            length.then_with(|| first(items.map(|(left, right)| compare(left, right))))
        }
        (Value::Object(left), Value::Object(right)) => {
            let fields = left.iter().zip(right);
            let length = left.len().cmp(&right.len());
            length.then_with(|| {
                first(fields.map(|((key, field), (other, value))| {
                    key.cmp(other).then_with(|| compare(field, value))
                }))
            })
        }
        _ => rank(left).cmp(&rank(right)),
    }
}

/// The first difference.
fn first(mut compared: impl Iterator<Item = Ordering>) -> Ordering {
    compared
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

/// Whole numbers are compared as such; one with a fraction is so small that no whole one near it is rounded.
fn numbers(left: &Number, right: &Number) -> Ordering {
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => {
            let [left, right] = [left, right].map(|number| number.as_f64().unwrap_or(f64::NAN));
            left.total_cmp(&right)
        }
    }
}

fn integer(number: &Number) -> Option<i128> {
    const LARGE: f64 = 1e30;
    let float = || {
        let float = number.as_f64()?;
        (float.fract() == 0.0 && float.abs() < LARGE).then_some(float as i128)
    };
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(float)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_values_are_found_however_they_are_written() {
        #[rustfmt::skip]
        let rows = [
            (json!([]), true),
            (json!([1, 2, "1", [1], null, false, {}, []]), true),
            (json!([1, 1.0]), false),
            (json!([0, -0.0]), false),
            (json!([0.5, 1, 0.5]), false),
            (json!([9_007_199_254_740_993_u64, 9_007_199_254_740_992_u64]), true),
            (json!([1e300, 1e301, 1]), true),
            (json!([{ "a": 1, "b": 2 }, { "b": 2.0, "a": 1 }]), false),
            (json!([{ "a": 1 }, { "b": 1 }, { "a": 1, "b": 1 }]), true),
            (json!([[[1], [2]], [[1, 2]]]), true),
        ];
        for (value, want) in rows {
            let items = value.as_array().expect("an array");
            assert_eq!(are_unique(items), want, "{value}");
        }
    }
}
