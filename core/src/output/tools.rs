//! Level 2: what tools gave fits their schemas. The schemas are the host's; the machine says which
//! output is to be held against which.

use alloc::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    format,
    string::String,
    vec::Vec,
};

use serde::{Deserialize, Deserializer, Serialize};

use super::{
    given::Given,
    result::{PluginValidation, ToolError, ToolErrorCode},
    trace::{Output, Trace},
};
use crate::{Error, ErrorCode};

/// The schema of a tool's outputs, as the options give it. In JSON a text is a reference and
/// anything else stands for the tool's own schema, which the host keeps.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ToolSchema {
    /// One of its own.
    Own,
    /// A registered one, such as `@scope/pkg/path#Name`.
    Reference(String),
}

impl<'de> Deserialize<'de> for ToolSchema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Given::deserialize(deserializer)? {
            Given::String(reference) => Self::Reference(reference),
            _ => Self::Own,
        })
    }
}

/// A reference to a schema in its parts.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SchemaRef {
    /// `@scope/pkg`, `pkg` or `.`.
    pub package_name: String,
    /// The rest before the `#`, with its slash; empty where there is none.
    pub module_path: String,
    /// What stands behind the `#`.
    pub export_name: String,
}

/// The parts of `@scope/pkg/path#Name`, `pkg/path#Name` or `./path#Name`; `None` unless there is
/// exactly one `#` with something on both sides.
///
/// ```
/// use claimgauge_core::output::parse_schema_ref;
///
/// let parsed = parse_schema_ref("@harbour/tides/schema#Level").unwrap();
/// assert_eq!(parsed.package_name, "@harbour/tides");
/// assert_eq!(parsed.module_path, "/schema");
/// assert_eq!(parsed.export_name, "Level");
/// assert_eq!(parse_schema_ref("@harbour/tides"), None);
/// ```
pub fn parse_schema_ref(text: &str) -> Option<SchemaRef> {
    let (module, export) = text.split_once('#')?;
    if module.is_empty() || export.is_empty() || export.contains('#') {
        return None;
    }
    let slashes = if module.starts_with('@') { 1 } else { 0 };
    let end = module.match_indices('/').nth(slashes);
    let (package, path) = module.split_at(end.map_or(module.len(), |(at, _)| at));
    Some(SchemaRef {
        package_name: package.into(),
        module_path: path.into(),
        export_name: export.into(),
    })
}

/// The question whether the output of an invocation fits a schema.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct SchemaRequest {
    /// The invocation's position in the trace: what the answer is handed in with.
    pub invocation: usize,
    /// Its tool.
    pub tool: String,
    /// Which schema.
    pub schema: SchemaName,
    /// False: the output as it is. True: what its text is as JSON.
    pub parsed: bool,
}

/// Where the host finds a schema.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaName {
    /// The one registered under this name.
    Registered(String),
    /// The own one of this tool.
    Tool(String),
}

/// Whether a value fits a schema.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum SchemaAnswer {
    /// It fits.
    Fits,
    /// It does not.
    Misfits {
        /// What is wrong; may be empty where that is not known.
        errors: Vec<SchemaError>,
    },
    /// Asked for the parsed form: the text is no JSON.
    NotJson,
    /// The schema is not there.
    NotFound,
}

/// One thing that does not fit a schema.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct SchemaError {
    /// Where in the value, joined by dots, empty at its root.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

/// The most errors that are told of one check; beyond them the first of each output is. A trace may
/// have a hundred thousand outputs with a hundred errors each.
const MAX_ERRORS: usize = 10_000;

/// The outputs of a trace on their way through level 2.
#[derive(Debug)]
pub(super) struct Tools {
    tasks: Vec<Task>,
    /// Errors that were kept.
    kept: usize,
    unregistered: Vec<String>,
    /// Tasks to be asked about, in order, and whether in their parsed form.
    ready: VecDeque<(usize, bool)>,
    /// Tasks that were asked about, by invocation.
    open: BTreeMap<usize, (usize, bool)>,
}

/// One output and its schema.
#[derive(Debug)]
struct Task {
    invocation: usize,
    id: String,
    tool: String,
    text: bool,
    /// The schema, or the reference that leads to none.
    schema: Result<SchemaName, String>,
    errors: Vec<SchemaError>,
}

impl Tools {
    /// Only what the agent's successful invocations gave is checked.
    pub(super) fn new(
        trace: &Trace,
        schemas: &BTreeMap<String, ToolSchema>,
        registered: &BTreeSet<String>,
    ) -> Self {
        let mut tools = Self {
            tasks: Vec::new(),
            kept: 0,
            unregistered: Vec::new(),
            ready: VecDeque::new(),
            open: BTreeMap::new(),
        };
        let mut unknown = BTreeSet::new();
        for (at, invocation) in trace.invocations.iter().enumerate() {
            let checked = invocation.execution && invocation.success;
            if !checked || invocation.output == Output::None {
                continue;
            }
            let tool = &invocation.tool;
            let Some(schema) = schemas.get(tool) else {
                if unknown.insert(tool) {
                    tools.unregistered.push(tool.clone());
                }
                continue;
            };
            let schema = match schema {
                ToolSchema::Own => Ok(SchemaName::Tool(tool.clone())),
                ToolSchema::Reference(reference) => resolve(reference, registered)
                    .map(SchemaName::Registered)
                    .ok_or_else(|| reference.clone()),
            };
            let errors = schema.as_ref().err().map(|reference| not_found(reference));
            if schema.is_ok() {
                tools.ready.push_back((tools.tasks.len(), false));
            }
            tools.tasks.push(Task {
                invocation: at,
                id: invocation.id.clone(),
                tool: tool.clone(),
                text: invocation.output == Output::Text,
                schema,
                errors: errors.into_iter().collect(),
            });
        }
        tools
    }

    /// The next questions.
    pub(super) fn poll(&mut self, most: usize) -> Vec<SchemaRequest> {
        let mut requests = Vec::new();
        while requests.len() < most
            && let Some((at, parsed)) = self.ready.pop_front()
        {
            let task = &self.tasks[at];
            let Ok(schema) = &task.schema else {
                continue;
            };
            self.open.insert(task.invocation, (at, parsed));
            requests.push(SchemaRequest {
                invocation: task.invocation,
                tool: task.tool.clone(),
                schema: schema.clone(),
                parsed,
            });
        }
        requests
    }

    pub(super) fn handle(&mut self, invocation: usize, answer: SchemaAnswer) -> Result<(), Error> {
        let (at, parsed) = self.open.remove(&invocation).ok_or_else(|| {
            let message = format!("No question about invocation {invocation} is open");
            Error::new(ErrorCode::UnknownRequest, "invocation", message)
        })?;
        let task = &mut self.tasks[at];
        match answer {
            SchemaAnswer::Fits => task.errors.clear(),
            SchemaAnswer::Misfits { errors } => {
                task.errors = errors;
                if self.kept + task.errors.len() > MAX_ERRORS {
                    task.errors.truncate(1);
                }
                self.kept += task.errors.len();
                if task.errors.is_empty() {
                    task.errors.push(SchemaError {
                        path: String::new(),
                        message: "The output does not fit its schema".into(),
                    });
                }
                if task.text && !parsed {
                    self.ready.push_back((at, true));
                }
            }
            // What was wrong with the text itself stands.
            SchemaAnswer::NotJson if parsed => {}
            SchemaAnswer::NotJson | SchemaAnswer::NotFound => {
                let name = match &task.schema {
                    Ok(SchemaName::Registered(name) | SchemaName::Tool(name)) => name,
                    Err(reference) => reference,
                };
                task.errors = Vec::from([not_found(name)]);
            }
        }
        Ok(())
    }

    pub(super) fn is_settled(&self) -> bool {
        self.ready.is_empty() && self.open.is_empty()
    }

    /// Outputs in all, and those that wait for an answer.
    pub(super) fn progress(&self) -> (usize, usize) {
        (self.tasks.len(), self.ready.len() + self.open.len())
    }

    pub(super) fn is_valid(&self) -> bool {
        self.tasks.iter().all(|task| task.errors.is_empty())
    }

    pub(super) fn validation(&self) -> PluginValidation {
        let errors = self.tasks.iter().flat_map(|task| {
            task.errors.iter().map(|error| ToolError {
                tool_name: task.tool.clone(),
                invocation_id: task.id.clone(),
                code: ToolErrorCode::SchemaValidationFailed,
                path: error.path.clone(),
                message: error.message.clone(),
            })
        });
        PluginValidation {
            valid: self.is_valid(),
            checked: self.tasks.len(),
            unregistered: self.unregistered.clone(),
            errors: errors.collect(),
        }
    }
}

/// The name under which a reference is registered: its own, or its own with "Schema" behind.
fn resolve(reference: &str, registered: &BTreeSet<String>) -> Option<String> {
    parse_schema_ref(reference)?;
    [reference.into(), format!("{reference}Schema")]
        .into_iter()
        .find(|name| registered.contains(name))
}

fn not_found(reference: &str) -> SchemaError {
    SchemaError {
        path: String::new(),
        message: format!("Schema not found: {reference}"),
    }
}
