//! The machine driven with options as JavaScript has them: schemas by value.

use std::collections::BTreeMap;

use claimgauge_core::{
    Error,
    output::{
        Base, Check, CheckResult, Given, Look, Observation, Options, SchemaAnswer, SchemaName,
        SchemaRequest, Step,
    },
};
use claimgauge_schema::Schema;
use serde_json::Value;

use crate::disk::Host;

pub(crate) fn check(
    input: Option<Value>,
    options: &Value,
    host: &Host,
) -> Result<CheckResult, Error> {
    drive(input, options, host.base(), &mut |look| host.observe(look))
}

/// Runs a check, with whatever looks at the files.
pub(crate) fn drive(
    input: Option<Value>,
    options: &Value,
    base: Base,
    observe: &mut dyn FnMut(&Look) -> Observation,
) -> Result<CheckResult, Error> {
    let schemas = Schemas::new(options)?;
    let output = match input {
        Some(input) => serde_json::from_value(input).unwrap(),
        None => Given::Undefined,
    };
    let mut fields = options.as_object().cloned().unwrap_or_default();
    // What a host keeps to itself.
    for key in ["formats", "subtaskId"] {
        fields.remove(key);
    }
    if let Some(registered) = fields.get_mut("schemas") {
        *registered = registered.as_object().unwrap().keys().cloned().collect();
    }
    let options: Options = serde_json::from_value(fields.into()).unwrap();
    let trace = schemas.trace.clone();
    let mut check = Check::new(
        output,
        Options {
            base: Some(base),
            ..options
        },
    )?;
    loop {
        match check.poll(3) {
            Step::Fit(requests) => {
                for request in requests {
                    let output = &trace["invocations"][request.invocation]["output"];
                    check.handle_schema(request.invocation, schemas.answer(&request, output))?;
                }
            }
            Step::Observe(looks) => {
                for look in looks {
                    check.handle_observation(&look.path, &observe(&look))?;
                }
            }
            Step::Wait => panic!("everything was answered"),
            Step::Done(result) => {
                let progress = check.progress();
                assert!(progress.done == progress.total || !result.valid);
                return Ok(*result);
            }
        }
    }
}

struct Schemas {
    trace: Value,
    own: BTreeMap<String, Schema>,
    registered: BTreeMap<String, Schema>,
}

impl Schemas {
    fn new(options: &Value) -> Result<Self, Error> {
        let formats = options.get("formats") == Some(&Value::Bool(true));
        let read = |key: &str| {
            let schemas = options.get(key).and_then(Value::as_object);
            schemas
                .into_iter()
                .flatten()
                .filter(|(_, schema)| !schema.is_string())
                .map(|(name, schema)| {
                    let schema = Schema::new(schema, claimgauge_schema::Options { formats })?;
                    Ok((name.clone(), schema))
                })
                .collect::<Result<_, Error>>()
        };
        Ok(Self {
            trace: options.get("trace").cloned().unwrap_or_default(),
            own: read("tools")?,
            registered: read("schemas")?,
        })
    }

    fn answer(&self, request: &SchemaRequest, output: &Value) -> SchemaAnswer {
        let schema = match &request.schema {
            SchemaName::Registered(name) => self.registered.get(name),
            SchemaName::Tool(tool) => self.own.get(tool),
        };
        schema.map_or(SchemaAnswer::NotFound, |schema| {
            schema.answer(output, request.parsed)
        })
    }
}
