//! Reads what is itself under test: an agent's output, a trace. Whatever it is, it is no error; what
//! no shape looks at is not read.

use claimgauge_core::output::{Given, MAX_DEPTH};
use js_sys::{Array, JsString, Reflect};
use wasm_bindgen::prelude::*;

/// How many values are read: a small value in JavaScript that holds itself many times over is endless
/// written out.
const MAX_VALUES: usize = 5_000_000;

/// The largest whole number up to which every one is exact.
const MAX_WHOLE: f64 = (1u64 << 53) as f64;

/// Reads a value as far as any shape looks into it.
pub(crate) fn given(value: &JsValue) -> Given {
    Reader { left: MAX_VALUES }.value(value, 0)
}

struct Reader {
    left: usize,
}

impl Reader {
    fn value(&mut self, value: &JsValue, depth: usize) -> Given {
        if self.left == 0 {
            return Given::Other("more than can be read");
        }
        self.left -= 1;
        // In the order of how often they come: each question is a call across.
        if let Some(text) = value.as_string() {
            Given::String(text)
        } else if value.is_object() {
            // A proxy or a getter may throw.
            self.object(value, depth)
                .unwrap_or(Given::Other("what cannot be read"))
        } else if let Some(number) = value.as_f64() {
            whole_or_not(number)
        } else if value.is_undefined() {
            Given::Undefined
        } else if value.is_null() {
            Given::Null
        } else if let Some(flag) = value.as_bool() {
            Given::Boolean(flag)
        } else {
            Given::Other(word(value))
        }
    }

    fn object(&mut self, value: &JsValue, depth: usize) -> Result<Given, JsValue> {
        if is_array(value)? {
            return self.array(value.unchecked_ref(), depth);
        }
        let keys = keys(value)?;
        // Keys that no shape has cost time too, each time that their object is met.
        self.left = self.left.saturating_sub(keys.length() as usize);
        if keys.length() == 0 {
            // What has a class of its own shows no keys; others need not be asked for theirs.
            let class = class(value)?;
            if let Some((_, word)) = CLASSES.iter().find(|(name, _)| class == *name) {
                return Ok(Given::Other(word));
            }
        }
        let mut fields = Vec::new();
        if depth < MAX_DEPTH {
            for key in keys {
                let Some(name) = key.as_string().as_deref().and_then(Given::key) else {
                    continue;
                };
                let field = Reflect::get(value, &key)?;
                fields.push((name, self.value(&field, depth + 1)));
            }
        }
        Ok(Given::Object(fields))
    }

    fn array(&mut self, array: &Array, depth: usize) -> Result<Given, JsValue> {
        if depth >= MAX_DEPTH {
            return Ok(Given::Array(Vec::new()));
        }
        let length = array.length();
        // A sparse array is as long as it says.
        if length as usize > self.left {
            return Ok(Given::Other("more than can be read"));
        }
        let items = (0..length).map(|at| Ok(self.value(&Reflect::get_u32(array, at)?, depth + 1)));
        items.collect::<Result<_, _>>().map(Given::Array)
    }
}

fn whole_or_not(number: f64) -> Given {
    if number.is_nan() {
        Given::Nan
    } else if number.fract() == 0.0 && number.abs() <= MAX_WHOLE {
        Given::Number((number as i64).into())
    } else {
        let read = serde_json::Number::from_f64(number);
        read.map_or(Given::Other("infinity"), Given::Number)
    }
}

/// What is neither JSON nor an object of its fields, and how messages call it.
const CLASSES: [(&str, &str); 4] = [
    ("[object Date]", "date"),
    ("[object Map]", "map"),
    ("[object Promise]", "promise"),
    ("[object Set]", "set"),
];

fn word(value: &JsValue) -> &'static str {
    if value.is_function() {
        "function"
    } else if value.is_bigint() {
        "bigint"
    } else if value.is_symbol() {
        "symbol"
    } else {
        "another value"
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> Result<bool, JsValue>;

    #[wasm_bindgen(catch, js_namespace = Object, js_name = keys)]
    fn keys(value: &JsValue) -> Result<Array, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["Object", "prototype", "toString"], js_name = call)]
    fn class(value: &JsValue) -> Result<JsString, JsValue>;
}
