//! Whether a value fits a JSON Schema: what the check of an output asks its host at level 2.
//!
//! Drafts 2020-12 (where no `$schema` says otherwise) and 7. A schema is complete in itself: a `$ref`
//! leads into it or to the drafts' own schemas, nothing is fetched. Patterns run on an engine that is
//! linear in its input, so look-around and back-references are refused. Formats are annotations
//! unless [`Options::formats`] is set. The work is bounded, whatever the schema and the value: a schema
//! that applies too many schemas to one value is refused, a value that takes too many steps does not fit.
//!
//! ```
//! use claimgauge_schema::{Options, Schema};
//! use serde_json::json;
//!
//! let schema = Schema::new(
//!     &json!({ "properties": { "knots": { "type": "number", "minimum": 0 } } }),
//!     Options::default(),
//! )?;
//! assert!(schema.errors(&json!({ "knots": 7 })).is_empty());
//! let errors = schema.errors(&json!({ "knots": -2 }));
//! assert_eq!(errors[0].path, "knots");
//! assert_eq!(errors[0].message, "-2 is less than the minimum of 0");
//! # Ok::<(), claimgauge_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod applied;
mod metered;
mod unique;

use std::fmt::{self, Write};

use claimgauge_core::{
    Error, ErrorCode,
    output::{SchemaAnswer, SchemaError},
};
use jsonschema::{
    Draft, PatternOptions, Retrieve, Uri, ValidationError, Validator,
    error::ValidationErrorKind,
    paths::{Location, LocationSegment},
};
use serde_json::Value;

use applied::{Applied, Refused};
use metered::{Metered, Seen, within};

/// How deep schemas and values may be nested.
pub const MAX_DEPTH: usize = 128;

/// The most errors that are told of one value.
pub const MAX_ERRORS: usize = 100;

/// The longest message, in bytes. The value that is wrong may be a megabyte.
const MAX_MESSAGE: usize = 400;

/// The largest program that a pattern may become, in bytes.
const MAX_PATTERN: usize = 1024 * 1024;

/// The steps that a value may take: so many, and so many more for each value in it. A second or less.
const STEPS: u64 = 20_000_000;
const STEPS_EACH: u64 = 200;

/// The steps in which what is wrong with a value is told: each error takes memory, and time for its place.
const ERROR_STEPS: u64 = 40_000;

/// So many schemas may be applied to a value in one step, as some do not look at it.
const SCHEMAS_A_STEP: u64 = 16;

/// How deep values may be nested, times how deep the schemas in each other that apply to one of them: a
/// stack of 1 MB, as WebAssembly has, holds twice as much.
const MAX_FRAMES: usize = 3000;

/// How a schema is read.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Options {
    /// Whether `format` is held against the value.
    pub formats: bool,
}

/// A schema, ready to be held against values.
#[derive(Debug)]
pub struct Schema {
    validator: Validator<Metered>,
    /// Steps that each value costs before the schema looks at it.
    each: u64,
    /// How deep values may be nested.
    deepest: usize,
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// `schema_refused`, with the place in the schema: where it is no schema of a known draft, refers
    /// to what is not in it or to itself without a step into the value, applies too many schemas to one
    /// value, has a pattern that cannot run in linear time, or is nested deeper than [`MAX_DEPTH`].
    pub fn new(schema: &Value, options: Options) -> Result<Self, Error> {
        if size(schema, MAX_DEPTH).is_none() {
            let message = format!("The schema is nested deeper than {MAX_DEPTH}");
            return Err(refusal("", message));
        }
        check_drafts(schema)?;
        let Applied { schemas, depth } = applied::applied(schema).map_err(too_much)?;
        let validator = jsonschema::options_for::<Metered>()
            .with_retriever(Nowhere)
            .with_pattern_options(PatternOptions::regex().size_limit(MAX_PATTERN))
            .should_validate_formats(options.formats)
            .build(schema)
            .map_err(|error| refused(schema, &error))?;
        Ok(Self {
            validator,
            each: 1 + schemas / SCHEMAS_A_STEP,
            deepest: MAX_DEPTH.min(MAX_FRAMES / depth),
        })
    }

    /// Everything that does not fit, at most [`MAX_ERRORS`]; the first or none by name where telling
    /// them takes too long.
    pub fn errors(&self, value: &Value) -> Vec<SchemaError> {
        let deepest = self.deepest;
        let Some(size) = size(value, deepest) else {
            let message = format!("The value is nested deeper than {deepest}");
            return vec![whole(message)];
        };
        let steps = STEPS + STEPS_EACH * size;
        match within(steps, self.each, || self.validator.is_valid(Seen(value))) {
            Some(true) => Vec::new(),
            Some(false) => self.misfits(value),
            None => {
                let message = format!("The schema needs more than {steps} steps for this value");
                vec![whole(message)]
            }
        }
    }

    /// What is wrong with a value that does not fit.
    fn misfits(&self, value: &Value) -> Vec<SchemaError> {
        let all = || {
            let errors = self.validator.iter_errors(Seen(value)).take(MAX_ERRORS);
            errors.map(|error| told(&error)).collect()
        };
        let first = || {
            let error = self.validator.validate(Seen(value)).err();
            error.iter().map(told).collect()
        };
        within(ERROR_STEPS, self.each, all)
            .or_else(|| within(ERROR_STEPS, self.each, first))
            .unwrap_or_else(|| vec![whole("The value does not fit its schema")])
    }

    /// The answer to a question about a tool's output. `parsed` asks about what its text is as JSON.
    pub fn answer(&self, output: &Value, parsed: bool) -> SchemaAnswer {
        let read: Value;
        let value = match output {
            Value::String(text) if parsed => match serde_json::from_str(text) {
                Ok(value) => {
                    read = value;
                    &read
                }
                Err(_) => return SchemaAnswer::NotJson,
            },
            _ if parsed => return SchemaAnswer::NotJson,
            value => value,
        };
        match self.errors(value) {
            errors if errors.is_empty() => SchemaAnswer::Fits,
            errors => SchemaAnswer::Misfits { errors },
        }
    }
}

/// Fetches nothing.
struct Nowhere;

impl Retrieve for Nowhere {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err("nothing is fetched".into())
    }
}

fn refusal(path: impl Into<String>, message: impl Into<String>) -> Error {
    Error::new(ErrorCode::SchemaRefused, path, message)
}

/// Refuses what says to be of another draft.
fn check_drafts(schema: &Value) -> Result<(), Error> {
    for (path, value) in Walk::new(schema) {
        let Some(Value::String(uri)) = value.get("$schema") else {
            continue;
        };
        let draft = Draft::from_schema_uri(uri);
        if !matches!(draft, Draft::Draft7 | Draft::Draft202012) {
            let path = joined(&path, "$schema");
            let message = format!("Unknown draft {}", cut(uri.clone()));
            return Err(refusal(path, message).with_hint("Use draft 2020-12 or draft 7."));
        }
    }
    Ok(())
}

/// What leads to more than can be applied to one value.
fn too_much((path, refused): (String, Refused)) -> Error {
    match refused {
        Refused::Circle => refusal(path, "The reference leads back to itself"),
        Refused::TooMany => {
            let (most, deepest) = (applied::MOST, applied::DEEPEST);
            let message = format!(
                "More than {most} schemas apply to one value, or they lie more than {deepest} deep in each other"
            );
            refusal(path, message).with_hint("A schema counts as often as references lead to it.")
        }
    }
}

/// What the library says against a schema, with its place.
fn refused(schema: &Value, error: &ValidationError<'_>) -> Error {
    if let ValidationErrorKind::Referencing(jsonschema::ReferencingError::Unretrievable {
        uri,
        ..
    }) = error.kind()
    {
        let wanted = uri.split('#').next().unwrap_or_default();
        let place = Walk::new(schema).find_map(|(path, value)| {
            ["$ref", "$dynamicRef"].into_iter().find_map(|key| {
                let reference = value.get(key)?.as_str()?;
                let document = reference.split('#').next().unwrap_or_default();
                let meant =
                    !document.is_empty() && wanted.ends_with(document.trim_start_matches("./"));
                meant.then(|| joined(&path, key))
            })
        });
        let message = format!("Nothing is fetched: {}", cut(uri.clone()));
        return refusal(place.unwrap_or_default(), message)
            .with_hint("Put what the reference leads to into the schema, under $defs.");
    }
    refusal(dotted(error.instance_path()), message(error))
}

/// Every object of a value with its path, in no order of meaning.
struct Walk<'v>(Vec<(String, &'v Value)>);

impl<'v> Walk<'v> {
    fn new(value: &'v Value) -> Self {
        Self(vec![(String::new(), value)])
    }
}

impl<'v> Iterator for Walk<'v> {
    type Item = (String, &'v Value);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (path, value) = self.0.pop()?;
            match value {
                Value::Array(items) => {
                    let items = items.iter().enumerate();
                    self.0
                        .extend(items.map(|(at, item)| (joined(&path, &at.to_string()), item)));
                }
                Value::Object(fields) => {
                    self.0.extend(
                        fields
                            .iter()
                            .map(|(key, field)| (joined(&path, key), field)),
                    );
                    return Some((path, value));
                }
                _ => {}
            }
        }
    }
}

/// How many values a value is; `None` where it is too deep.
fn size(value: &Value, deepest: usize) -> Option<u64> {
    let mut level = vec![value];
    let mut size = 0;
    for _ in 0..=deepest {
        size += level.len() as u64;
        level = level
            .into_iter()
            .flat_map(|value| -> Box<dyn Iterator<Item = &Value>> {
                match value {
                    Value::Array(items) => Box::new(items.iter()),
                    Value::Object(fields) => Box::new(fields.values()),
                    _ => Box::new(std::iter::empty()),
                }
            })
            .collect();
        if level.is_empty() {
            return Some(size);
        }
    }
    None
}

/// An error of the whole value.
fn whole(message: impl Into<String>) -> SchemaError {
    SchemaError {
        path: String::new(),
        message: message.into(),
    }
}

fn told(error: &ValidationError<'_>) -> SchemaError {
    SchemaError {
        path: dotted(error.instance_path()),
        message: message(error),
    }
}

/// What an error says; without the value where that makes it too long.
fn message(error: &ValidationError<'_>) -> String {
    let mut short = Short(String::new());
    match write!(short, "{error}") {
        Ok(()) => short.0,
        Err(fmt::Error) => cut(error.masked().to_string()),
    }
}

/// Text that takes no more than a message may have: the value that is wrong is not written out.
struct Short(String);

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let Self(short) = self;
        if short.len() + text.len() > MAX_MESSAGE {
            return Err(fmt::Error);
        }
        short.push_str(text);
        Ok(())
    }
}

fn cut(mut text: String) -> String {
    if text.len() > MAX_MESSAGE {
        let end = (0..=MAX_MESSAGE)
            .rev()
            .find(|&at| text.is_char_boundary(at));
        text.truncate(end.unwrap_or_default());
        text.push('…');
    }
    text
}

fn joined(path: &str, key: &str) -> String {
    let dot = if path.is_empty() { "" } else { "." };
    format!("{path}{dot}{key}")
}

fn dotted(location: &Location) -> String {
    let mut path = String::new();
    for segment in location {
        if !path.is_empty() {
            path.push('.');
        }
        match segment {
            LocationSegment::Property(key) => path.push_str(&key),
            LocationSegment::Index(at) => {
                write!(path, "{at}").expect("a String takes what is written");
            }
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema(value: Value) -> Schema {
        Schema::new(&value, Options::default()).unwrap()
    }

    fn fits(schema: &Schema, value: Value) -> bool {
        schema.errors(&value).is_empty()
    }

    #[test]
    fn every_error_has_its_place() {
        let schema = schema(json!({
            "type": "object",
            "required": ["knots"],
            "properties": {
                "gusts": { "items": { "type": "integer" } },
                "a/b": { "const": 1 },
            },
        }));
        let errors = schema.errors(&json!({ "gusts": [1, "two", 3.5], "a/b": 2 }));
        let mut paths: Vec<&str> = errors.iter().map(|error| &*error.path).collect();
        paths.sort_unstable();
        assert_eq!(paths, ["", "a/b", "gusts.1", "gusts.2"]);
        assert!(
            errors.iter().any(|error| error.message.contains("knots")),
            "{errors:?}"
        );
    }

    #[test]
    fn both_drafts_are_read() {
        let tuple = json!([1, "a"]);
        let items = json!([{ "type": "string" }]);
        let seven = json!({ "$schema": "http://json-schema.org/draft-07/schema#", "items": items });
        assert!(!fits(&schema(seven), tuple.clone()));
        let prefix = json!({ "prefixItems": items });
        assert!(!fits(&schema(prefix.clone()), tuple.clone()));
        let mut named = prefix;
        named["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        assert!(!fits(&schema(named), tuple));
        assert!(fits(&schema(json!(true)), json!(1)));
        assert!(!fits(&schema(json!(false)), json!(1)));
    }

    #[test]
    fn formats_are_annotations_unless_asked() {
        let value = json!({ "format": "date" });
        assert!(fits(&schema(value.clone()), json!("yesterday")));
        let strict = Schema::new(&value, Options { formats: true }).unwrap();
        assert!(!fits(&strict, json!("yesterday")));
        assert!(fits(&strict, json!("2026-02-11")));
    }

    #[test]
    fn references_lead_into_the_schema() {
        let tree = schema(json!({
            "$ref": "#/$defs/node",
            "$defs": { "node": {
                "type": "object",
                "properties": { "children": { "items": { "$ref": "#/$defs/node" } } },
            } },
        }));
        assert!(fits(&tree, json!({ "children": [{ "children": [] }] })));
        assert!(!fits(&tree, json!({ "children": [{ "children": [1] }] })));
        let own = schema(json!({
            "$id": "https://schemas.example/root.json",
            "properties": { "a": { "$ref": "knots.json" } },
            "$defs": { "k": { "$id": "knots.json", "type": "number" } },
        }));
        assert!(!fits(&own, json!({ "a": "b" })));
        let meta = schema(json!({ "$ref": "https://json-schema.org/draft/2020-12/schema" }));
        assert!(fits(&meta, json!({ "type": "string" })));
        assert!(!fits(&meta, json!({ "type": "text" })));
    }

    #[test]
    fn what_cannot_be_held_against_values_is_refused() {
        let mut deep = json!({});
        for _ in 0..=MAX_DEPTH {
            deep = json!({ "not": deep });
        }
        #[rustfmt::skip]
        let rows = [
            (json!({ "properties": { "a": { "$ref": "https://schemas.example/knots.json" } } }), "properties.a.$ref"),
            (json!({ "$ref": "file:///etc/passwd" }), "$ref"),
            (json!({ "$ref": "./knots.json#/a" }), "$ref"),
            (json!({ "$dynamicRef": "https://schemas.example/knots.json#x" }), "$dynamicRef"),
            (json!({ "$ref": "#/$defs/absent" }), ""),
            (json!({ "$ref": "#" }), "$ref"),
            (json!({ "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } }), "$defs.a.$ref"),
            (json!({ "$schema": "http://json-schema.org/draft-04/schema#" }), "$schema"),
            (json!({ "$schema": "https://json-schema.org/draft/2019-09/schema" }), "$schema"),
            (json!({ "$schema": "https://schemas.example/meta" }), "$schema"),
            (json!({ "properties": { "a": { "type": "text" } } }), "properties.a.type"),
            (json!("a text"), ""),
            (json!(null), ""),
            (json!({ "pattern": "(?=a)b" }), "pattern"),
            (json!({ "pattern": "(" }), "pattern"),
            (json!({ "pattern": "((a{1000}){1000}){1000}" }), "pattern"),
            (deep, ""),
            (json!({ "anyOf": [{ "$ref": "#" }, { "type": "string" }] }), "anyOf"),
            (json!({ "$defs": { "a": { "$anchor": "a", "not": { "if": { "$ref": "#a" } } } } }), "$defs.a.not"),
            (doubled(28, json!(true)), "$ref"),
            (doubled(100, json!({ "type": "string" })), "$ref"),
            (chained(100_000), "$ref"),
            (covered(60), "anyOf"),
        ];
        for (value, path) in rows {
            let error = Schema::new(&value, Options::default()).unwrap_err();
            assert_eq!(error.code(), ErrorCode::SchemaRefused, "{value}");
            assert_eq!(error.path(), path, "{error}");
            assert!(!error.message().is_empty());
        }
    }

    /// Each schema leads to the next one twice.
    fn doubled(levels: usize, last: Value) -> Value {
        let mut defs = serde_json::Map::new();
        for level in 0..levels {
            let next = json!({ "$ref": format!("#/$defs/a{}", level + 1) });
            defs.insert(format!("a{level}"), json!({ "allOf": [next, next] }));
        }
        defs.insert(format!("a{levels}"), last);
        json!({ "$ref": "#/$defs/a0", "$defs": defs })
    }

    /// Each leads to the next one, without an end that a stack would hold.
    fn chained(levels: usize) -> Value {
        let next = |level| json!({ "$ref": format!("#/$defs/a{}", level + 1) });
        let mut defs: serde_json::Map<_, _> = (0..levels)
            .map(|level| (format!("a{level}"), next(level)))
            .collect();
        defs.insert(format!("a{levels}"), json!(true));
        json!({ "$ref": "#/$defs/a0", "$defs": defs })
    }

    /// On each level what is in it is looked at twice.
    fn covered(levels: usize) -> Value {
        (0..levels).fold(
            json!({ "type": "number" }),
            |inner, _| json!({ "anyOf": [inner], "unevaluatedProperties": false }),
        )
    }

    /// The schema's own branches each go down, and each fails at its end.
    fn branching() -> Schema {
        let branch = |key| json!({ "properties": { "a": { "$ref": "#" } }, "required": [key] });
        schema(json!({ "anyOf": [branch("q"), branch("z")] }))
    }

    fn nested(levels: usize) -> Value {
        (0..levels).fold(json!({}), |inner, _| json!({ "a": inner }))
    }

    #[test]
    fn a_value_that_each_branch_follows_comes_to_an_end() {
        for levels in [1, 14, 30, MAX_DEPTH - 1] {
            let errors = branching().errors(&nested(levels));
            assert!(!errors.is_empty(), "{levels}");
            assert!(errors.len() <= MAX_ERRORS);
        }
        let mut fit = json!({ "q": 1 });
        for _ in 1..MAX_DEPTH {
            fit = json!({ "z": 1, "a": fit });
        }
        assert!(fits(&branching(), fit));
    }

    #[test]
    fn branches_that_lead_around_come_to_an_end() {
        let mut defs = serde_json::Map::new();
        for level in 0..40 {
            let next = json!({ "$ref": format!("#/$defs/a{}", (level + 1) % 40) });
            let branch = |key| json!({ "properties": { "a": next }, "unevaluatedProperties": { "not": next }, "required": [key] });
            defs.insert(
                format!("a{level}"),
                json!({ "anyOf": [branch("q"), branch("z")] }),
            );
        }
        let endless = schema(json!({ "$ref": "#/$defs/a0", "$defs": defs }));
        let errors = endless.errors(&nested(100));
        assert!(!errors.is_empty());
    }

    #[test]
    fn what_takes_too_many_steps_is_not_told_as_an_answer() {
        let numbers = schema(json!({ "items": { "type": "number" } }));
        let value: Value = (0..1000).collect();
        let valid = || numbers.validator.is_valid(Seen(&value));
        assert_eq!(within(100, 1, valid), None);
        assert_eq!(within(10_000, 1, valid), Some(true));
        assert_eq!(within(10_000, 100, valid), None);
    }

    #[test]
    fn wide_unions_and_large_values_are_within_the_steps() {
        let kinds: Vec<Value> = (0..200)
            .map(
                |kind| json!({ "properties": { "kind": { "const": kind } }, "required": ["kind"] }),
            )
            .collect();
        let union = schema(json!({ "items": { "anyOf": kinds } }));
        let items: Vec<Value> = (0..20_000).map(|at| json!({ "kind": at % 200 })).collect();
        assert!(fits(&union, json!(items)));
        let tree = schema(json!({
            "$ref": "#/$defs/node",
            "$defs": { "node": {
                "oneOf": [
                    { "type": "number" },
                    { "required": ["left", "right"], "properties": {
                        "left": { "$ref": "#/$defs/node" }, "right": { "$ref": "#/$defs/node" },
                    } , "type": "object" },
                    { "required": ["not"], "properties": { "not": { "$ref": "#/$defs/node" } }, "type": "object" },
                ],
            } },
        }));
        let sum = (0..16).fold(
            json!(1),
            |inner, _| json!({ "left": inner, "right": inner }),
        );
        assert!(fits(&tree, sum));
    }

    #[test]
    fn schemas_deep_in_each_other_go_less_deep_into_the_value() {
        let chain = (0..50).fold(
            json!({ "properties": { "a": { "$ref": "#/$defs/r" } }, "required": ["q"] }),
            |inner, _| json!({ "anyOf": [inner] }),
        );
        let chain = schema(json!({ "$ref": "#/$defs/r", "$defs": { "r": chain } }));
        let [error] = &chain.errors(&nested(120))[..] else {
            panic!("it is not followed");
        };
        assert!(error.message.starts_with("The value is nested deeper than"));
    }

    /// An engine that goes back would never get to the end of this.
    #[test]
    fn a_pathological_pattern_comes_to_an_end() {
        let evil = schema(json!({ "pattern": "^(a+)+$" }));
        assert!(!fits(&evil, json!("a".repeat(100_000) + "b")));
    }

    #[test]
    fn messages_stay_short_and_errors_few() {
        let schema = schema(json!({ "items": { "type": "string" } }));
        let large = json!([["x".repeat(100_000)]]);
        let [error] = &schema.errors(&large)[..] else {
            panic!("one item is wrong");
        };
        assert!(
            error.message.len() <= MAX_MESSAGE + '…'.len_utf8(),
            "{}",
            error.message.len()
        );
        let many: Value = (0..5_000).collect();
        assert_eq!(schema.errors(&many).len(), MAX_ERRORS);
    }

    #[test]
    fn a_deep_value_is_not_followed() {
        let tree = schema(json!({ "items": { "$ref": "#" } }));
        let mut value = json!([]);
        for _ in 0..MAX_DEPTH {
            value = json!([value]);
        }
        assert!(fits(&tree, value.clone()));
        assert_eq!(tree.errors(&json!([value])).len(), 1);
    }

    #[test]
    fn text_is_asked_about_as_it_is_and_as_json() {
        let number = schema(json!({ "type": "number" }));
        assert!(matches!(
            number.answer(&json!("1"), false),
            SchemaAnswer::Misfits { .. }
        ));
        assert_eq!(number.answer(&json!("1"), true), SchemaAnswer::Fits);
        assert_eq!(number.answer(&json!("one"), true), SchemaAnswer::NotJson);
        assert_eq!(number.answer(&json!([1]), true), SchemaAnswer::NotJson);
        assert!(matches!(
            number.answer(&json!("[1]"), true),
            SchemaAnswer::Misfits { .. }
        ));
    }
}
