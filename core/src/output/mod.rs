//! Checking what an agent says it did, in three levels, as a machine that asks and is told.
//!
//! Level 1 is the shape of the output. Level 2 holds what tools gave against their schemas. Level 3
//! holds the claims against the files. They run in order and stop at the first that fails.
//!
//! Deterministic: no files, no schemas, no clock. The caller supplies both the look at the disk and
//! the answer whether a value fits a schema. The one rule of use is *ask, answer*: each request that
//! [`Check::poll`] gives is answered once, by [`Check::handle_schema`] or
//! [`Check::handle_observation`], in any order; [`Step::Done`] carries the result.
//!
//! ```
//! use claimgauge_core::output::{Base, Check, Digest, FileSeen, Given, Observation, Options, Step};
//!
//! let output: Given = serde_json::from_str(
//!     r#"{
//!         "summary": "Wrote the note.",
//!         "traceRef": "trace:1",
//!         "claims": [{
//!             "kind": "file-write",
//!             "filePath": "./note.txt",
//!             "contentHash": "sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"
//!         }]
//!     }"#,
//! )
//! .unwrap();
//! let options = Options {
//!     base: Some(Base::default()),
//!     ..Options::default()
//! };
//!
//! let mut check = Check::new(output, options)?;
//! let result = loop {
//!     match check.poll(16) {
//!         Step::Observe(looks) => {
//!             for look in looks {
//!                 assert_eq!(look.path, "note.txt");
//!                 let seen = Observation::File(FileSeen {
//!                     size: 3,
//!                     sha256: Some(Digest::of(b"abc")),
//!                     ..FileSeen::default()
//!                 });
//!                 check.handle_observation(&look.path, &seen)?;
//!             }
//!         }
//!         Step::Fit(_) => unreachable!("there is no trace"),
//!         Step::Wait => unreachable!("every request was answered"),
//!         Step::Done(result) => break result,
//!     }
//! };
//! assert!(result.valid);
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

mod anchors;
mod content;
mod digest;
mod files;
mod given;
mod paths;
mod reader;
mod result;
mod structure;
mod tools;
mod trace;

use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet},
    string::String,
    sync::Arc,
    vec::Vec,
};

use serde::Deserialize;

pub use anchors::{Anchor, LongSnippet, MAX_SNIPPET, Snippet};
pub use content::Content;
pub use digest::{Digest, Forms, FormsDigest};
pub use files::{FileSeen, Look, Observation, Observations, Want};
pub use given::{Given, MAX_DEPTH};
pub use paths::Base;
pub use reader::StructureError;
pub use result::{
    CheckResult, ClaimResult, Conflict, FilesystemValidation, Outcome, PluginValidation, Run,
    StructureValidation, ToolError, ToolErrorCode,
};
pub use structure::{Artifact, ArtifactKind, Claim, Region, SpecialistOutput};
pub use tools::{
    SchemaAnswer, SchemaError, SchemaName, SchemaRef, SchemaRequest, ToolSchema, parse_schema_ref,
};
pub use trace::{Effect, ToolKinds};

use files::{Files, Rules};
use result::Parts;
use structure::TRACE_PREFIX;
use tools::Tools;
use trace::{Deeds, Trace};

use crate::{Error, metrics::Category, verification::Progress};

/// The most bytes of a file that is searched for snippets, unless the options say otherwise.
pub const TEXT_LIMIT: u64 = 64 * 1024 * 1024;

/// How an output is checked.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Options {
    /// Whether the trace must account for every claim, and nothing may be inconclusive.
    pub strict: Option<bool>,
    /// The record of what the agent's tools did. Without one there is no level 2.
    pub trace: Option<Given>,
    /// Tools and the schemas of what they give.
    pub tools: Option<BTreeMap<String, ToolSchema>>,
    /// The names of the schemas that references may lead to.
    pub schemas: Option<BTreeSet<String>>,
    /// What tools do, beside those whose effect is known. "shell": "any" lets every command account
    /// for every claim.
    pub tool_kinds: Option<ToolKinds>,
    /// Whose trace it must be, in strict mode.
    pub specialist_id: Option<String>,
    /// The folder that claims are about. Without one, claims about files are inconclusive.
    pub base: Option<Base>,
    /// Bounds.
    pub limits: Option<Limits>,
}

/// Bounds of a check.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Limits {
    /// The most bytes of a file that is searched for snippets. Absent: [`TEXT_LIMIT`].
    pub text_bytes: Option<u64>,
}

/// The check of one output.
#[derive(Debug)]
pub struct Check {
    structure: Result<SpecialistOutput, Vec<StructureError>>,
    /// The output held nothing that its shape does not have.
    is_whole: bool,
    rules: Rules,
    /// Level 2; absent without a trace.
    tools: Option<Tools>,
    /// Level 3; absent without claims.
    files: Option<Files>,
}

/// What the caller does next.
#[derive(Debug)]
pub enum Step {
    /// Answer whether each of these outputs fits its schema.
    Fit(Vec<SchemaRequest>),
    /// Look at each of these paths.
    Observe(Vec<Look>),
    /// Hand in an answer: nothing more can be asked before.
    Wait,
    /// Nothing is left to ask.
    Done(Box<CheckResult>),
}

impl Check {
    /// Checks the shape of the output and gets ready to ask. Whatever the output is, it is no error;
    /// [`Given::Undefined`] stands for none at all.
    ///
    /// # Errors
    /// `missing_field` and `invalid_type`, with the path, for a trace that is none.
    pub fn new(output: Given, options: Options) -> Result<Self, Error> {
        let strict = options.strict.unwrap_or(false);
        let trace = options.trace.map(Trace::read).transpose()?;
        let (structure, is_whole) = structure::read(output, strict);
        let structure = structure.and_then(|output| {
            let trace = trace.as_ref().filter(|_| strict);
            match trace.and_then(|trace| {
                foreign(&output.trace_ref, trace, options.specialist_id.as_deref())
            }) {
                Some(error) => Err(Vec::from([error])),
                None => Ok(output),
            }
        });

        let anywhere = Base::default();
        let base = options.base.as_ref().unwrap_or(&anywhere);
        let kinds = options.tool_kinds.unwrap_or_default();
        let deeds = trace
            .as_ref()
            .filter(|_| strict)
            .map(|trace| Deeds::new(trace, &kinds, base));
        let rules = Rules {
            strict,
            text_limit: options
                .limits
                .and_then(|limits| limits.text_bytes)
                .unwrap_or(TEXT_LIMIT),
            base: options.base,
            deeds,
        };
        let claims = claims(&structure);
        let schemas = options.tools.unwrap_or_default();
        let registered = options.schemas.unwrap_or_default();
        Ok(Self {
            tools: trace
                .filter(|_| structure.is_ok())
                .map(|trace| Tools::new(&trace, &schemas, &registered)),
            files: (!claims.is_empty()).then(|| Files::new(claims, &rules)),
            is_whole,
            rules,
            structure,
        })
    }

    /// Whether the output held nothing that its shape does not have: the output of the result is then
    /// the one that was given.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The next requests of one kind, at most `most`, or the result.
    pub fn poll(&mut self, most: usize) -> Step {
        if let Some(tools) = &mut self.tools {
            let requests = tools.poll(most);
            if !requests.is_empty() {
                return Step::Fit(requests);
            }
            if !tools.is_settled() {
                return Step::Wait;
            }
        }
        if let Some(files) = self.files.as_mut().filter(|_| tools_fit(&self.tools)) {
            let looks = files.poll(most, &self.rules);
            if !looks.is_empty() {
                return Step::Observe(looks);
            }
            if !files.is_settled() {
                return Step::Wait;
            }
        }
        Step::Done(Box::new(self.result()))
    }

    /// Hands in whether the output of the invocation at this position of the trace fits.
    ///
    /// # Errors
    /// `unknown_request` where nothing about it is open.
    pub fn handle_schema(&mut self, invocation: usize, answer: SchemaAnswer) -> Result<(), Error> {
        match &mut self.tools {
            Some(tools) => tools.handle(invocation, answer),
            None => Err(unknown("invocation")),
        }
    }

    /// Hands in what is at the path of a [`Look`].
    ///
    /// # Errors
    /// `unknown_request` where nothing about it is open.
    pub fn handle_observation(&mut self, path: &str, seen: &Observation) -> Result<(), Error> {
        match &mut self.files {
            Some(files) => files.handle(path, seen, claims(&self.structure), &self.rules),
            None => Err(unknown("path")),
        }
    }

    /// How far the check is, in outputs of tools and files.
    pub fn progress(&self) -> Progress {
        let (tools, tools_open) = self.tools.as_ref().map_or((0, 0), Tools::progress);
        let (files, files_open) = self.files.as_ref().map_or((0, 0), Files::progress);
        let total = tools + files;
        Progress {
            done: total - tools_open - files_open,
            total,
        }
    }

    fn result(&self) -> CheckResult {
        let claims = claims(&self.structure);
        let reached = self.structure.is_ok() && tools_fit(&self.tools);
        let base = self.rules.base.clone().unwrap_or_default();
        let deeds = self.rules.deeds.as_ref().filter(|_| reached);
        Parts {
            structure: self.structure.clone(),
            plugin: self.tools.as_ref().map(Tools::validation),
            filesystem: self
                .files
                .as_ref()
                .filter(|_| reached)
                .map(|files| files.validation(claims, self.rules.strict)),
            unclaimed: deeds.map_or_else(Vec::new, |deeds| deeds.unclaimed(claims, &base)),
            strict: self.rules.strict,
        }
        .into()
    }
}

fn claims(structure: &Result<SpecialistOutput, Vec<StructureError>>) -> &[Arc<Claim>] {
    let claims = structure
        .as_ref()
        .ok()
        .map(|output| output.claims.as_deref());
    claims.flatten().unwrap_or_default()
}

fn tools_fit(tools: &Option<Tools>) -> bool {
    tools.as_ref().is_none_or(Tools::is_valid)
}

/// What is wrong with an output beside this trace. An id may itself begin with the prefix.
fn foreign(trace_ref: &str, trace: &Trace, specialist: Option<&str>) -> Option<StructureError> {
    let named = trace_ref.strip_prefix(TRACE_PREFIX);
    let message = if named != Some(&*trace.id) && trace_ref != trace.id {
        "traceRef does not name the given trace"
    } else if specialist.is_some_and(|specialist| specialist != trace.specialist) {
        "traceRef names the trace of another specialist"
    } else {
        return None;
    };
    Some(StructureError {
        path: "traceRef".into(),
        message: message.into(),
        category: Category::InvalidType,
    })
}

fn unknown(path: &str) -> Error {
    Error::new(crate::ErrorCode::UnknownRequest, path, "Nothing was asked")
}
