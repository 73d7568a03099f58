//! Level 2 in the page: JSON Schemas, answered by a module that is loaded when the first one is given.

use std::{cell::Cell, collections::BTreeMap};

use claimgauge_core::output::{
    SchemaAnswer, SchemaName, SchemaRequest, ToolSchema, parse_schema_ref,
};
use serde_json::Value;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::folder::why;

#[wasm_bindgen(raw_module = "./claimgauge_extra.js")]
extern "C" {
    /// Fetches the module; where it is there, does nothing.
    #[wasm_bindgen(js_name = default, catch)]
    async fn load() -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = schemaNew, catch)]
    fn schema_new(id: u32, schema: &str, formats: bool) -> Result<(), JsValue>;

    #[wasm_bindgen(js_name = schemaAnswer, catch)]
    fn schema_answer(id: u32, output: &str, parsed: bool) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = schemaDispose)]
    fn schema_dispose(id: u32);
}

thread_local! {
    /// Schemas in the other module go by numbers; none is used twice.
    static LAST: Cell<u32> = const { Cell::new(0) };
}

/// The schemas of one check, by the names that they were given under: tools, and what references lead to.
#[derive(Debug, Default)]
pub(crate) struct Schemas {
    references: BTreeMap<String, String>,
    own: BTreeMap<String, Compiled>,
}

/// A schema that the other module keeps.
#[derive(Debug)]
struct Compiled(u32);

impl Drop for Compiled {
    fn drop(&mut self) {
        schema_dispose(self.0);
    }
}

impl Schemas {
    /// Reads an object of schemas and references by name.
    pub(crate) async fn new(given: BTreeMap<String, Value>) -> Result<Self, String> {
        let mut schemas = Self::default();
        for (name, schema) in given {
            if let Value::String(reference) = schema {
                schemas.references.insert(name, reference);
                continue;
            }
            let loaded = load().await;
            loaded.map_err(|thrown| {
                format!(
                    "What checks JSON Schemas could not be loaded: {}",
                    why(&thrown)
                )
            })?;
            let compiled = Compiled(LAST.replace(LAST.get() + 1));
            schema_new(compiled.0, &schema.to_string(), false)
                .map_err(|thrown| format!("The schema of {name} is refused: {}", why(&thrown)))?;
            schemas.own.insert(name, compiled);
        }
        Ok(schemas)
    }

    /// What the machine is told of tools.
    pub(crate) fn tools(&self) -> BTreeMap<String, ToolSchema> {
        let references = self.references.iter();
        let references = references.map(|(name, to)| (name, ToolSchema::Reference(to.clone())));
        let own = self.own.keys().map(|name| (name, ToolSchema::Own));
        references
            .chain(own)
            .map(|(name, schema)| (name.clone(), schema))
            .collect()
    }

    /// The names that references may lead to: those that look like one.
    pub(crate) fn registered(&self) -> impl Iterator<Item = &String> {
        self.own
            .keys()
            .filter(|name| parse_schema_ref(name).is_some())
    }

    /// Whether an output fits.
    pub(crate) fn answer(
        &self,
        request: &SchemaRequest,
        output: &Value,
    ) -> Result<SchemaAnswer, String> {
        let (SchemaName::Registered(name) | SchemaName::Tool(name)) = &request.schema;
        let Some(schema) = self.own.get(name) else {
            return Ok(SchemaAnswer::NotFound);
        };
        let answer = schema_answer(schema.0, &output.to_string(), request.parsed)
            .and_then(|answer| js_sys::JSON::stringify(&answer))
            .map_err(|thrown| why(&thrown))?;
        serde_json::from_str(&String::from(answer)).map_err(|error| error.to_string())
    }
}
