//! What a check ends with, and the reasons that it gives.

use alloc::{borrow::Cow, format, string::String, sync::Arc, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{
    reader::StructureError,
    structure::{Claim, SpecialistOutput},
};
use crate::metrics::{Category, ClaimCounts, Event, Level, Status};

/// The result of all three levels.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckResult {
    /// Whether no level failed.
    pub valid: bool,
    /// The level that failed, or the last.
    pub level: Level,
    /// Level 1.
    pub structure_validation: StructureValidation,
    /// Level 2; absent without a trace, or where level 1 failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin_validation: Option<PluginValidation>,
    /// Level 3; absent without claims, or where an earlier level failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filesystem_validation: Option<FilesystemValidation>,
    /// Files that the trace changed and no claim names; only in strict mode.
    pub unclaimed: Vec<String>,
    /// Whether the output claims nothing.
    pub claimless: bool,
    /// The category of the first error; absent where the output is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_category: Option<Category>,
    /// The headline, then a line for each error; empty where the output is valid.
    pub errors: Vec<String>,
}

/// Level 1.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct StructureValidation {
    /// Whether the output has its shape.
    pub valid: bool,
    /// The output without unknown keys; null where it has not its shape.
    pub output: Option<SpecialistOutput>,
    /// Everything that is wrong, in the order of the shape.
    pub errors: Vec<StructureError>,
}

/// Level 2.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct PluginValidation {
    /// Whether every output fits its schema.
    pub valid: bool,
    /// Outputs whose tool has a schema.
    pub checked: usize,
    /// Tools without one, each once, in the order of the trace.
    pub unregistered: Vec<String>,
    /// Everything that does not fit, in the order of the trace.
    pub errors: Vec<ToolError>,
}

/// One error of level 2.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolError {
    /// The tool.
    pub tool_name: String,
    /// The invocation's id in the trace.
    pub invocation_id: String,
    /// What kind of error it is.
    pub code: ToolErrorCode,
    /// Where in the output, joined by dots, empty at its root.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

/// The kinds of errors of level 2.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ToolErrorCode {
    /// The output does not fit the schema, or there is none to fit.
    SchemaValidationFailed,
}

/// Level 3.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FilesystemValidation {
    /// Whether no claim failed; in strict mode, nor is inconclusive.
    pub valid: bool,
    /// One for each claim, in order.
    pub claim_results: Vec<ClaimResult>,
    /// Claims that contradict each other. They alone fail nothing.
    pub conflicts: Vec<Conflict>,
}

/// What became of one claim.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ClaimResult {
    /// Its position in the output.
    pub index: usize,
    /// The claim.
    pub claim: Arc<Claim>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why; null where it passed or is trusted.
    pub reason: Option<Cow<'static, str>>,
    /// What may explain it, such as other line ends.
    pub hint: Option<Cow<'static, str>>,
    /// The kind of reason; null where it passed, is trusted or superseded.
    pub category: Option<Category>,
}

/// How a claim ended.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is not so.
    Failed,
    /// It cannot be told.
    Inconclusive,
    /// It is so.
    Passed,
    /// A later claim is about the same file. Decides nothing.
    Superseded,
    /// Nothing can show it, and it is taken as told. Decides nothing.
    Trusted,
}

/// A file that one output both leaves there and deletes.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Conflict {
    /// The file, as the last claim has it, relative to the base.
    pub path: String,
    /// The positions of the claims about it.
    pub claims: Vec<usize>,
}

/// Why a claim did not pass.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Reason {
    Directory,
    Escapes,
    ExitCode,
    HashMismatch,
    LinkLoop,
    NoAnchor,
    NoAnchorAnyMore,
    NoAfter,
    NoBase,
    NoBefore,
    NoExitCode,
    NoInvocation,
    NotFound,
    NotRead,
    NoTrace,
    Special,
    StillExists,
    Superseded,
    TooLarge,
    TooManyPlaces,
    Unreadable,
    WrongOrder,
}

/// A reason, the outcome that it gives a claim, its category and its text. In the order of the enum.
#[rustfmt::skip]
const REASONS: [(Reason, Outcome, Option<Category>, &str); 22] = {
    use Category::{AnchorMismatch, FileNotFound, FilesystemMismatch, HashMismatch, Unknown};
    use Outcome::{Failed, Inconclusive, Superseded};
    [
        (Reason::Directory, Failed, Some(Unknown), "Not a regular file"),
        (Reason::Escapes, Failed, Some(FilesystemMismatch), "Path escapes base directory"),
        (Reason::ExitCode, Failed, Some(FilesystemMismatch), "Exit code mismatch"),
        (Reason::HashMismatch, Failed, Some(HashMismatch), "Content hash mismatch"),
        (Reason::LinkLoop, Inconclusive, Some(Unknown), "The path is a loop of links"),
        (Reason::NoAnchor, Failed, Some(AnchorMismatch), "Neither anchor found in file"),
        (Reason::NoAnchorAnyMore, Failed, Some(AnchorMismatch), "Neither anchor found in file (file may have been edited again)"),
        (Reason::NoAfter, Failed, Some(AnchorMismatch), "After anchor not found in file"),
        (Reason::NoBase, Inconclusive, Some(Unknown), "No base directory to look in"),
        (Reason::NoBefore, Failed, Some(AnchorMismatch), "Before anchor not found in file"),
        (Reason::NoExitCode, Inconclusive, Some(Unknown), "No exit code in trace"),
        (Reason::NoInvocation, Failed, Some(FilesystemMismatch), "No matching invocation in trace"),
        (Reason::NotFound, Failed, Some(FileNotFound), "File does not exist"),
        (Reason::NotRead, Inconclusive, Some(Unknown), "File was not read"),
        (Reason::NoTrace, Inconclusive, Some(Unknown), "No trace to check against"),
        (Reason::Special, Inconclusive, Some(Unknown), "Not a regular file"),
        (Reason::StillExists, Failed, Some(FilesystemMismatch), "File still exists"),
        (Reason::Superseded, Superseded, None, "A later claim is about the same file"),
        (Reason::TooLarge, Inconclusive, Some(Unknown), "File too large to search"),
        (Reason::TooManyPlaces, Inconclusive, Some(Unknown), "Anchors found in too many places"),
        (Reason::Unreadable, Inconclusive, Some(Unknown), "File could not be read"),
        (Reason::WrongOrder, Failed, Some(AnchorMismatch), "Anchors found in the wrong order"),
    ]
};

impl Reason {
    fn row(self) -> &'static (Reason, Outcome, Option<Category>, &'static str) {
        &REASONS[self as usize]
    }
}

/// How a claim ended, before it is put into words.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Verdict {
    pub(super) outcome: Outcome,
    reason: Option<Reason>,
    /// What stands behind the reason's text.
    detail: Option<String>,
    hint: Option<&'static str>,
}

impl Verdict {
    pub(super) const PASSED: Self = Self::without_reason(Outcome::Passed);
    pub(super) const TRUSTED: Self = Self::without_reason(Outcome::Trusted);

    const fn without_reason(outcome: Outcome) -> Self {
        Self {
            outcome,
            reason: None,
            detail: None,
            hint: None,
        }
    }

    pub(super) fn detail(mut self, detail: String) -> Self {
        self.detail = Some(detail).filter(|detail| !detail.is_empty());
        self
    }

    pub(super) fn hint(mut self, hint: Option<&'static str>) -> Self {
        self.hint = hint;
        self
    }

    pub(super) fn into_result(self, index: usize, claim: Arc<Claim>) -> ClaimResult {
        let row = self.reason.map(Reason::row);
        ClaimResult {
            index,
            claim,
            outcome: self.outcome,
            reason: row.map(|&(_, _, _, text)| match &self.detail {
                Some(detail) => format!("{text}: {detail}").into(),
                None => text.into(),
            }),
            hint: self.hint.map(Cow::Borrowed),
            category: row.and_then(|&(_, _, category, _)| category),
        }
    }
}

impl From<Reason> for Verdict {
    fn from(reason: Reason) -> Self {
        let &(_, outcome, _, _) = reason.row();
        Self {
            reason: Some(reason),
            ..Self::without_reason(outcome)
        }
    }
}

impl From<Result<(), Reason>> for Verdict {
    fn from(result: Result<(), Reason>) -> Self {
        result.map_or_else(Self::from, |()| Self::PASSED)
    }
}

/// What is put together to a [`CheckResult`].
pub(super) struct Parts {
    pub(super) structure: Result<SpecialistOutput, Vec<StructureError>>,
    pub(super) plugin: Option<PluginValidation>,
    pub(super) filesystem: Option<FilesystemValidation>,
    pub(super) unclaimed: Vec<String>,
    pub(super) strict: bool,
}

impl From<Parts> for CheckResult {
    fn from(parts: Parts) -> Self {
        let (level, errors) = parts.errors();
        let (output, structure_errors) = match parts.structure {
            Ok(output) => (Some(output), Vec::new()),
            Err(errors) => (None, errors),
        };
        let claims = output.as_ref().map(|output| output.claims.as_deref());
        let (error_category, lines): (Vec<Category>, Vec<String>) = errors.into_iter().unzip();
        let headline = (!lines.is_empty()).then(|| {
            let (number, name) = (level.number(), level.name());
            format!("Level {number} ({name}) validation failed")
        });
        Self {
            valid: lines.is_empty(),
            level,
            claimless: claims.is_some_and(|claims| claims.is_none_or(<[Arc<Claim>]>::is_empty)),
            structure_validation: StructureValidation {
                valid: output.is_some(),
                output,
                errors: structure_errors,
            },
            plugin_validation: parts.plugin,
            filesystem_validation: parts.filesystem,
            unclaimed: parts.unclaimed,
            error_category: error_category.first().copied(),
            errors: headline.into_iter().chain(lines).collect(),
        }
    }
}

impl Parts {
    /// The first level that failed and its errors in words, or the last level and none.
    fn errors(&self) -> (Level, Vec<(Category, String)>) {
        if let Err(errors) = &self.structure {
            let line =
                |error: &StructureError| (error.category, place(&error.path, &error.message));
            return (Level::Structure, errors.iter().map(line).collect());
        }
        if let Some(plugin) = self.plugin.as_ref().filter(|plugin| !plugin.valid) {
            let line = |error: &ToolError| {
                let line = format!(
                    "{}: {}",
                    error.tool_name,
                    place(&error.path, &error.message)
                );
                (Category::SchemaMismatch, line)
            };
            return (Level::ToolOutput, plugin.errors.iter().map(line).collect());
        }
        let results = self
            .filesystem
            .iter()
            .flat_map(|level| &level.claim_results);
        let errors = results
            .filter(|result| decides(result.outcome, self.strict))
            .map(|result| {
                let reason = result.reason.as_deref().unwrap_or_default();
                let line = format!("{}: {reason}", result.claim.kind());
                (result.category.unwrap_or(Category::Unknown), line)
            });
        (Level::Filesystem, errors.collect())
    }
}

/// Whether a claim that ends so makes its output invalid.
pub(super) fn decides(outcome: Outcome, strict: bool) -> bool {
    match outcome {
        Outcome::Failed => true,
        Outcome::Inconclusive => strict,
        Outcome::Passed | Outcome::Superseded | Outcome::Trusted => false,
    }
}

fn place(path: &str, message: &str) -> String {
    if path.is_empty() {
        message.into()
    } else {
        format!("{path}: {message}")
    }
}

/// What the host knows of a check and the core cannot: who, when, how long.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Run {
    /// Whose output it is.
    pub specialist_id: String,
    /// Which task it was.
    #[serde(default)]
    pub subtask_id: Option<String>,
    /// When the check ended, in milliseconds of the host's clock.
    pub timestamp: f64,
    /// How long each level took, in milliseconds.
    pub durations_ms: [f64; 3],
}

impl CheckResult {
    /// One event for each level that ran; level 2 only where an output was checked.
    pub fn events(&self, run: &Run) -> Vec<Event> {
        let plugin = self.plugin_validation.as_ref();
        let filesystem = self.filesystem_validation.as_ref();
        let ran = [
            true,
            plugin.is_some_and(|level| level.checked > 0),
            filesystem.is_some(),
        ];
        Level::ALL
            .into_iter()
            .zip(ran)
            .filter(|&(_, ran)| ran)
            .map(|(level, _)| {
                let failed = !self.valid && level == self.level;
                Event {
                    specialist_id: run.specialist_id.clone(),
                    subtask_id: run.subtask_id.clone(),
                    level,
                    status: if failed {
                        Status::Failed
                    } else {
                        Status::Passed
                    },
                    error_category: self.error_category.filter(|_| failed),
                    error_details: self.errors.get(1).filter(|_| failed).cloned(),
                    duration_ms: run.durations_ms[level.number() - 1],
                    timestamp: run.timestamp,
                    claims: filesystem
                        .filter(|_| level == Level::Filesystem)
                        .map(|level| {
                            level
                                .claim_results
                                .iter()
                                .map(|r| r.outcome)
                                .collect::<ClaimCounts>()
                        }),
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_stands_in_its_row() {
        for (at, (reason, outcome, category, text)) in REASONS.iter().enumerate() {
            assert_eq!(*reason as usize, at);
            assert!(!text.is_empty());
            assert_eq!(
                category.is_none(),
                *outcome == Outcome::Superseded,
                "{reason:?}"
            );
            assert_eq!(
                *category == Some(Category::Unknown) && *reason != Reason::Directory,
                *outcome == Outcome::Inconclusive,
                "{reason:?}"
            );
        }
        assert_eq!(Reason::WrongOrder as usize, REASONS.len() - 1);
    }
}
