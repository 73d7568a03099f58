//! The record of what an agent's tools did, as far as checks look at it.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};

use serde::Deserialize;

use super::{
    given::Given,
    paths::{self, Base},
    reader::{Object, Reader},
    result::{Reason, Verdict},
    structure::Claim,
};
use crate::{Error, ErrorCode, metrics::Category};

/// What a tool does.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Anything to any file, by commands.
    Any,
    /// Removes a file.
    Delete,
    /// Changes a part of a file.
    Edit,
    /// Reads a file.
    Read,
    /// Runs a command.
    Run,
    /// Writes a file.
    Write,
}

/// What the tools do whose effect need not be said.
const TOOLS: [(&str, Effect); 5] = [
    ("fs:delete", Effect::Delete),
    ("fs:edit", Effect::Edit),
    ("fs:read", Effect::Read),
    ("fs:write", Effect::Write),
    ("shell:exec", Effect::Run),
];

/// The key among the tool kinds that speaks for all tools that run commands.
const EVERY_SHELL: &str = "shell";

/// Where an invocation's path may stand among its arguments; the first that is text counts.
const PATH_ARGUMENTS: [&str; 3] = ["path", "filePath", "file"];

/// What the host says of tools: their effects by their names.
pub type ToolKinds = BTreeMap<String, Effect>;

#[derive(Debug)]
pub(super) struct Trace {
    pub(super) id: String,
    pub(super) specialist: String,
    pub(super) invocations: Vec<Invocation>,
}

#[derive(Debug)]
pub(super) struct Invocation {
    pub(super) id: String,
    pub(super) tool: String,
    /// The agent did it; a verifier did not.
    pub(super) execution: bool,
    pub(super) success: bool,
    pub(super) output: Output,
    path: Option<String>,
    command: Option<String>,
    exit_code: Option<f64>,
}

/// What an invocation gave, as far as it decides how it is checked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Output {
    None,
    Text,
    Value,
}

impl Trace {
    /// Reads the keys that checks look at; the host gives a trace, so what is wrong is refused.
    pub(super) fn read(given: Given) -> Result<Self, Error> {
        let mut reader = Reader::default();
        let trace = reader.present(given, trace);
        trace.ok_or_else(|| refusal(reader))
    }
}

fn refusal(reader: Reader) -> Error {
    const SHAPE: &str = "A trace is { traceId, specialistId, invocations: [\u{2026}] }: calls alone are its `invocations`.";
    let Some(first) = reader.into_errors().into_iter().next() else {
        return Error::new(ErrorCode::InvalidValue, "trace", "Not a trace").with_hint(SHAPE);
    };
    let code = match first.category {
        Category::MissingField => ErrorCode::MissingField,
        _ => ErrorCode::InvalidType,
    };
    let dot = if first.path.is_empty() { "" } else { "." };
    let of_itself = first.path.is_empty();
    let error = Error::new(code, format!("trace{dot}{}", first.path), first.message);
    match of_itself {
        true => error.with_hint(SHAPE),
        false => error,
    }
}

fn trace(reader: &mut Reader, value: Given) -> Option<Trace> {
    let mut fields = reader.object(value)?;
    let id = reader.required(&mut fields, "traceId", Reader::string);
    let specialist = reader.required(&mut fields, "specialistId", Reader::string);
    let invocations = reader.required(&mut fields, "invocations", |reader, value| {
        reader.list(value, invocation)
    });
    Some(Trace {
        id: id?,
        specialist: specialist?,
        invocations: invocations?,
    })
}

fn invocation(reader: &mut Reader, value: Given) -> Option<Invocation> {
    const PURPOSES: [(&str, bool); 2] = [("execution", true), ("verification", false)];
    const STATUSES: [(&str, bool); 4] = [
        ("success", true),
        ("failed", false),
        ("timeout", false),
        ("error", false),
    ];

    let mut fields = reader.object(value)?;
    let id = reader.required(&mut fields, "invocationId", Reader::string);
    let tool = reader.required(&mut fields, "tool", Reader::string);
    let execution = reader.required(&mut fields, "purpose", |reader, value| {
        reader.word(value, &PURPOSES)
    });
    let success = reader.required(&mut fields, "status", |reader, value| {
        reader.word(value, &STATUSES)
    });
    let output = fields.take("output");
    let kind = match output {
        Given::Null | Given::Undefined => Output::None,
        Given::Halved(_) | Given::String(_) => Output::Text,
        _ => Output::Value,
    };
    let exit_code = exit_code(output).or_else(|| evidence_exit_code(fields.take("evidenceRefs")));
    let mut args = Object::of(fields.take("args"));
    Some(Invocation {
        id: id?,
        tool: tool?,
        execution: execution?,
        success: success?,
        output: kind,
        path: PATH_ARGUMENTS.iter().find_map(|key| args.take_string(key)),
        command: args.take_string("command"),
        exit_code,
    })
}

fn exit_code(value: Given) -> Option<f64> {
    match Object::of(value).take("exitCode") {
        Given::Number(number) => number.as_f64(),
        _ => None,
    }
}

fn evidence_exit_code(value: Given) -> Option<f64> {
    let Given::Array(references) = value else {
        return None;
    };
    references
        .into_iter()
        .find_map(|reference| exit_code(Object::of(reference).take("meta")))
}

/// What the agent's invocations did, by what claims ask about.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    /// What was done to which file.
    done: BTreeSet<(Effect, String)>,
    /// The files that were changed, once each, in order: how they are named, and their keys.
    changed: Vec<(String, String)>,
    /// The exit code of each command's last run, where one is told.
    commands: BTreeMap<String, Option<f64>>,
    /// A command ran that may have done anything.
    anything: bool,
}

impl Deeds {
    pub(super) fn new(trace: &Trace, kinds: &ToolKinds, base: &Base) -> Self {
        let every_shell = kinds.get(EVERY_SHELL) == Some(&Effect::Any);
        let mut deeds = Self::default();
        let mut seen = BTreeSet::new();
        for invocation in trace.invocations.iter().filter(|one| one.execution) {
            let effect = effect(&invocation.tool, kinds);
            let runs = matches!(effect, None | Some(Effect::Any | Effect::Run));
            if let Some(command) = invocation.command.as_deref().filter(|_| runs) {
                let command = command.trim().to_string();
                deeds.commands.insert(command, invocation.exit_code);
            }
            let Some(effect) = effect.filter(|_| invocation.success) else {
                continue;
            };
            deeds.anything |= effect == Effect::Any || effect == Effect::Run && every_shell;
            let Some(path) = &invocation.path else {
                continue;
            };
            let (name, key) = match paths::locate(path, base) {
                Ok(inside) => (inside.path, inside.key),
                Err(_) => (path.clone(), path.clone()),
            };
            let changes = matches!(effect, Effect::Delete | Effect::Edit | Effect::Write);
            if changes && seen.insert(key.clone()) {
                deeds.changed.push((name, key.clone()));
            }
            deeds.done.insert((effect, key));
        }
        deeds
    }

    /// Whether an invocation could have done what the claim says of the file with this key.
    pub(super) fn could_have(&self, claim: &Claim, key: &str) -> bool {
        let effect = match claim {
            Claim::CodeInserted { .. } | Claim::FileEdit { .. } => Effect::Edit,
            Claim::CommandExecuted { .. } => Effect::Run,
            Claim::FileDelete { .. } => Effect::Delete,
            Claim::FileWrite { .. } => Effect::Write,
        };
        self.anything || self.done.contains(&(effect, key.to_string()))
    }

    /// Whether the command's last run ended as claimed.
    pub(super) fn ran(&self, command: &str, exit_code: f64) -> Verdict {
        match self.commands.get(command.trim()) {
            None => Reason::NoInvocation.into(),
            Some(None) => Reason::NoExitCode.into(),
            Some(Some(told)) if *told == exit_code => Verdict::PASSED,
            Some(Some(_)) => Reason::ExitCode.into(),
        }
    }

    /// The changed files that no claim names, in the order of the trace.
    pub(super) fn unclaimed(&self, claims: &[Arc<Claim>], base: &Base) -> Vec<String> {
        let paths = claims.iter().filter_map(|claim| claim.file_path());
        let claimed: BTreeSet<String> = paths.map(|path| paths::key(path, base)).collect();
        let changed = self.changed.iter();
        changed
            .filter(|(_, key)| !claimed.contains(key))
            .map(|(name, _)| name.clone())
            .collect()
    }
}

fn effect(tool: &str, kinds: &ToolKinds) -> Option<Effect> {
    let known = || TOOLS.iter().find(|(name, _)| *name == tool);
    kinds
        .get(tool)
        .copied()
        .or_else(|| known().map(|&(_, effect)| effect))
}
