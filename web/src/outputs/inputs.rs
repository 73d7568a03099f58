//! What the user gives to a check, as plain data, and how it is read.

use std::{collections::BTreeMap, ops::Range};

use claimgauge_core::{
    Error,
    output::{Base, Given, ToolKinds},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::locate;

/// Everything typed or chosen, except the folder.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Inputs {
    /// What the agent says it did: JSON.
    pub(crate) output: String,
    /// What its tools did: JSON, or nothing.
    pub(crate) trace: String,
    /// Schemas by tool: JSON, or nothing.
    pub(crate) schemas: String,
    /// What tools do, by tool: JSON, or nothing.
    pub(crate) tool_kinds: String,
    /// Where the folder was when the agent worked in it, for claims with absolute paths.
    pub(crate) base_path: String,
    pub(crate) strict: bool,
    /// The example that it was made of, where no folder was picked instead.
    pub(crate) example: Option<String>,
}

/// The inputs that can be at fault.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Field {
    Folder,
    Output,
    Schemas,
    ToolKinds,
    Trace,
}

impl Field {
    /// The id of its element.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Folder => "outputs-folder",
            Self::Output => "outputs-output",
            Self::Schemas => "outputs-schemas",
            Self::ToolKinds => "outputs-kinds",
            Self::Trace => "outputs-trace",
        }
    }

    /// The id of the message about it.
    pub(crate) fn note_id(self) -> String {
        format!("{}-fault", self.id())
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Folder => "the folder",
            Self::Output => "the output",
            Self::Schemas => "the schemas",
            Self::ToolKinds => "what the tools do",
            Self::Trace => "the trace",
        }
    }
}

/// What is wrong with an input, and where in its text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Fault {
    pub(crate) field: Field,
    pub(crate) message: String,
    pub(crate) range: Option<Range<usize>>,
}

impl Fault {
    pub(crate) fn new(field: Field, message: impl Into<String>) -> Self {
        Self {
            field,
            message: message.into(),
            range: None,
        }
    }
}

/// Inputs that could be read.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) output: Given,
    pub(crate) trace: Option<Given>,
    pub(crate) schemas: BTreeMap<String, Value>,
    pub(crate) tool_kinds: ToolKinds,
    /// What tools gave, by their invocation; empty unless there are schemas.
    pub(crate) tool_outputs: Vec<Value>,
}

impl Inputs {
    pub(crate) fn read(&self) -> Result<Read, Fault> {
        if self.output.trim().is_empty() {
            return Err(Fault::new(
                Field::Output,
                "There is no output yet. Paste what the agent returned, or pick an example.",
            ));
        }
        let schemas: BTreeMap<String, Value> =
            json_unless_empty(Field::Schemas, &self.schemas)?.unwrap_or_default();
        if !schemas.is_empty() && self.trace.trim().is_empty() {
            return Err(Fault::new(
                Field::Schemas,
                "Schemas are held against what tools gave, and there is no trace. Paste one, or take the schemas out.",
            ));
        }
        Ok(Read {
            output: json(Field::Output, &self.output)?,
            trace: json_unless_empty(Field::Trace, &self.trace)?,
            tool_outputs: if schemas.is_empty() {
                Vec::new()
            } else {
                json::<ToolOutputs>(Field::Trace, &self.trace)
                    .map(ToolOutputs::into_values)
                    // A trace that is none is told by the check itself, with its path.
                    .unwrap_or_default()
            },
            schemas,
            tool_kinds: json_unless_empty(Field::ToolKinds, &self.tool_kinds)?.unwrap_or_default(),
        })
    }

    /// What the machine refuses: a trace that is none.
    pub(crate) fn fault_of(&self, error: &Error) -> Fault {
        let path = error.path().strip_prefix("trace").unwrap_or_default();
        let steps = path.split('.').filter(|step| !step.is_empty());
        let place = if path.is_empty() {
            String::new()
        } else {
            format!(" ({})", &path[1..])
        };
        Fault {
            field: Field::Trace,
            message: format!("This is no trace: {}{place}.", error.message()),
            range: Some(locate::locate(&self.trace, steps).range),
        }
    }

    /// The folder as claims name it.
    pub(crate) fn base(&self) -> Base {
        let path = self.base_path.trim();
        let drive = |path: &str| path.as_bytes().get(1) == Some(&b':');
        Base {
            paths: Some(path.to_owned())
                .filter(|path| !path.is_empty())
                .into_iter()
                .collect(),
            windows: drive(path),
        }
    }
}

/// The part of a trace that schemas are held against.
#[derive(Deserialize)]
struct ToolOutputs {
    invocations: Vec<Invocation>,
}

#[derive(Deserialize)]
struct Invocation {
    #[serde(default)]
    output: Value,
}

impl ToolOutputs {
    fn into_values(self) -> Vec<Value> {
        self.invocations.into_iter().map(|one| one.output).collect()
    }
}

fn json_unless_empty<T: DeserializeOwned>(field: Field, text: &str) -> Result<Option<T>, Fault> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    json(field, text).map(Some)
}

fn json<T: DeserializeOwned>(field: Field, text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| {
        let at = locate::at_line(text, error.line(), error.column());
        let hint = if text.trim_start().starts_with("```") {
            " Leave the ``` lines around it out."
        } else {
            ""
        };
        Fault {
            field,
            message: format!("This cannot be read as JSON: {}.{hint}", plainly(&error)),
            range: Some(locate::character(text, at)),
        }
    })
}

/// What is wrong, and where, in words for people.
fn plainly(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.replace("EOF while parsing", "it ends inside")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs() -> Inputs {
        Inputs {
            output: r#"{"summary":"x","traceRef":"trace:1"}"#.to_owned(),
            ..Inputs::default()
        }
    }

    #[test]
    fn each_fault_names_its_input_and_place() {
        assert!(inputs().read().is_ok());
        let none = Inputs::default().read().unwrap_err();
        assert_eq!((none.field, none.range), (Field::Output, None));

        let broken = Inputs {
            output: "{\n  \"summary\": }".to_owned(),
            ..inputs()
        };
        let fault = broken.read().unwrap_err();
        assert_eq!(fault.field, Field::Output);
        assert_eq!(&broken.output[fault.range.unwrap()], "}");

        let fenced = Inputs {
            output: "```json\n{}\n```".to_owned(),
            ..inputs()
        };
        assert!(fenced.read().unwrap_err().message.contains("``` lines"));

        let alone = Inputs {
            schemas: r#"{"t":{}}"#.to_owned(),
            ..inputs()
        };
        assert_eq!(alone.read().unwrap_err().field, Field::Schemas);
        let kinds = |tool_kinds: &str| {
            let tool_kinds = tool_kinds.to_owned();
            let read = Inputs {
                tool_kinds,
                ..inputs()
            }
            .read();
            read.map(|read| read.tool_kinds.len())
                .map_err(|fault| fault.field)
        };
        assert_eq!(kinds(r#"{"Write":"write","Bash":"run"}"#), Ok(2));
        assert_eq!(kinds(r#"{"Write":"writes"}"#), Err(Field::ToolKinds));
        let torn = Inputs {
            trace: "[".to_owned(),
            ..inputs()
        };
        assert_eq!(torn.read().unwrap_err().field, Field::Trace);
    }

    #[test]
    fn what_tools_gave_is_read_only_for_schemas() {
        let traced = Inputs {
            trace: r#"{"invocations":[{"output":{"a":1}},{"tool":"t"}]}"#.to_owned(),
            ..inputs()
        };
        assert!(traced.read().unwrap().tool_outputs.is_empty());
        let checked = Inputs {
            schemas: r#"{"t":true}"#.to_owned(),
            ..traced
        };
        let read = checked.read().unwrap();
        assert_eq!(
            read.tool_outputs,
            [serde_json::json!({"a": 1}), Value::Null]
        );
    }

    #[test]
    fn a_drive_makes_a_windows_path() {
        let base = |path: &str| {
            Inputs {
                base_path: path.to_owned(),
                ..inputs()
            }
            .base()
        };
        assert_eq!(base(" ").paths, Vec::<String>::new());
        assert_eq!(base("/srv/app").paths, ["/srv/app"]);
        assert!(!base("/srv/app").windows);
        assert!(base("C:\\work").windows);
    }
}
