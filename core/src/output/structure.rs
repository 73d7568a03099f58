//! Level 1: what an agent says it did has the shape that it must have.

use alloc::{string::String, sync::Arc, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::{
    anchors::{Anchor, LongSnippet, Snippet},
    given::Given,
    reader::{Object, Reader, StructureError},
};

/// What a `traceRef` starts with.
pub(super) const TRACE_PREFIX: &str = "trace:";

/// Most UTF-16 units in an artifact's content; in strict mode, bytes of UTF-8.
const MAX_CONTENT: usize = 1024;

/// What an agent says it did.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SpecialistOutput {
    /// In words, at least one character.
    pub summary: String,
    /// "trace:" and the id of the trace.
    pub trace_ref: String,
    /// What can be checked. A result names each claim again, so they are shared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<Arc<Claim>>>,
    /// What the agent hands on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<Vec<Artifact>>,
}

/// One thing that an agent says it did.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(
    rename_all = "kebab-case",
    rename_all_fields = "camelCase",
    tag = "kind"
)]
pub enum Claim {
    /// Code was put into a file.
    CodeInserted {
        /// The file.
        file_path: String,
        /// What stands around the code.
        anchor: Anchor,
    },
    /// A command ran to its end.
    CommandExecuted {
        /// As it was typed.
        command: String,
        /// What it ended with.
        exit_code: Number,
    },
    /// A file is gone.
    FileDelete {
        /// The file.
        file_path: String,
    },
    /// A part of a file was changed.
    FileEdit {
        /// The file.
        file_path: String,
        /// What stands around the change.
        anchor: Anchor,
        /// The lines that were changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        edited_region: Option<Region>,
    },
    /// A file was written.
    FileWrite {
        /// The file.
        file_path: String,
        /// SHA-256 of its bytes in hex, with or without "sha256:".
        content_hash: String,
    },
}

impl Claim {
    /// Its kind, as outputs name it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::CodeInserted { .. } => "code-inserted",
            Self::CommandExecuted { .. } => "command-executed",
            Self::FileDelete { .. } => "file-delete",
            Self::FileEdit { .. } => "file-edit",
            Self::FileWrite { .. } => "file-write",
        }
    }

    /// The file that it is about; none for a command.
    pub fn file_path(&self) -> Option<&str> {
        match self {
            Self::CodeInserted { file_path, .. }
            | Self::FileDelete { file_path }
            | Self::FileEdit { file_path, .. }
            | Self::FileWrite { file_path, .. } => Some(file_path),
            Self::CommandExecuted { .. } => None,
        }
    }
}

/// The lines of an edit.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Region {
    /// The first one.
    pub start: Number,
    /// The last one.
    pub end: Number,
}

/// Something that an agent hands on.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// What it is.
    pub kind: ArtifactKind,
    /// Its name.
    pub label: String,
    /// At most 1024 UTF-16 units; in strict mode, bytes of UTF-8.
    pub content: String,
    /// Its hash, as the agent says.
    pub content_hash: String,
    /// The tool that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_tool: Option<String>,
}

/// What an artifact is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArtifactKind {
    /// Some code.
    CodeSnippet,
    /// Some data.
    Data,
    /// Some prose.
    Summary,
}

const ARTIFACT_KINDS: [(&str, ArtifactKind); 3] = [
    ("code-snippet", ArtifactKind::CodeSnippet),
    ("summary", ArtifactKind::Summary),
    ("data", ArtifactKind::Data),
];

/// The output without unknown keys, or everything that is wrong with it; and whether there were none.
pub(super) fn read(
    given: Given,
    strict: bool,
) -> (Result<SpecialistOutput, Vec<StructureError>>, bool) {
    let mut reader = Reader::default();
    let output = reader.present(given, |reader, value| output(reader, value, strict));
    let is_whole = reader.took_everything();
    (output.ok_or_else(|| reader.into_errors()), is_whole)
}

fn output(reader: &mut Reader, value: Given, strict: bool) -> Option<SpecialistOutput> {
    let mut fields = reader.object(value)?;
    let summary = reader.required(&mut fields, "summary", summary);
    let trace_ref = reader.required(&mut fields, "traceRef", trace_ref);
    let claims = reader.optional(&mut fields, "claims", |reader, value| {
        reader.list(value, claim)
    });
    let artifacts = reader.optional(&mut fields, "artifacts", |reader, value| {
        reader.list(value, |reader, value| artifact(reader, value, strict))
    });
    Some(SpecialistOutput {
        summary: summary?,
        trace_ref: trace_ref?,
        claims: claims?,
        artifacts: artifacts?,
    })
}

fn summary(reader: &mut Reader, value: Given) -> Option<String> {
    let text = reader.prose(value)?;
    if text.is_empty() {
        return reader.invalid("Summary is required");
    }
    Some(text)
}

fn trace_ref(reader: &mut Reader, value: Given) -> Option<String> {
    let text = reader.string(value)?;
    if !text.starts_with(TRACE_PREFIX) {
        return reader.invalid("traceRef must start with \"trace:\"");
    }
    Some(text)
}

fn claim(reader: &mut Reader, value: Given) -> Option<Arc<Claim>> {
    const KINDS: [(&str, ReadClaim); 5] = [
        ("file-write", file_write),
        ("file-edit", file_edit),
        ("code-inserted", code_inserted),
        ("file-delete", file_delete),
        ("command-executed", command_executed),
    ];

    let mut fields = reader.object(value)?;
    let read = reader.required(&mut fields, "kind", |reader, value| {
        let kind = reader.string(value)?;
        match KINDS.iter().find(|(name, _)| *name == kind) {
            Some((_, read)) => Some(read),
            None => reader.invalid("Unknown claim kind"),
        }
    })?;
    read(reader, fields).map(Arc::new)
}

type ReadClaim = fn(&mut Reader, Object) -> Option<Claim>;

fn file_write(reader: &mut Reader, mut fields: Object) -> Option<Claim> {
    let file_path = reader.required(&mut fields, "filePath", Reader::string);
    let content_hash = reader.required(&mut fields, "contentHash", Reader::string);
    Some(Claim::FileWrite {
        file_path: file_path?,
        content_hash: content_hash?,
    })
}

fn file_edit(reader: &mut Reader, mut fields: Object) -> Option<Claim> {
    let file_path = reader.required(&mut fields, "filePath", Reader::string);
    let anchor = reader.required(&mut fields, "anchor", anchor);
    let edited_region = reader.optional(&mut fields, "editedRegion", region);
    Some(Claim::FileEdit {
        file_path: file_path?,
        anchor: anchor?,
        edited_region: edited_region?,
    })
}

fn code_inserted(reader: &mut Reader, mut fields: Object) -> Option<Claim> {
    let file_path = reader.required(&mut fields, "filePath", Reader::string);
    let anchor = reader.required(&mut fields, "anchor", anchor);
    Some(Claim::CodeInserted {
        file_path: file_path?,
        anchor: anchor?,
    })
}

fn file_delete(reader: &mut Reader, mut fields: Object) -> Option<Claim> {
    let file_path = reader.required(&mut fields, "filePath", Reader::string)?;
    Some(Claim::FileDelete { file_path })
}

fn command_executed(reader: &mut Reader, mut fields: Object) -> Option<Claim> {
    let command = reader.required(&mut fields, "command", Reader::string);
    let exit_code = reader.required(&mut fields, "exitCode", Reader::number);
    Some(Claim::CommandExecuted {
        command: command?,
        exit_code: exit_code?,
    })
}

fn anchor(reader: &mut Reader, value: Given) -> Option<Anchor> {
    let mut fields = reader.object(value)?;
    let before_snippet = reader.required(&mut fields, "beforeSnippet", snippet);
    let after_snippet = reader.required(&mut fields, "afterSnippet", snippet);
    let content_hash = reader.required(&mut fields, "contentHash", Reader::string);
    Some(Anchor {
        before_snippet: before_snippet?,
        after_snippet: after_snippet?,
        content_hash: content_hash?,
    })
}

fn snippet(reader: &mut Reader, value: Given) -> Option<Snippet> {
    let Given::Object(_) = value else {
        return reader.string(value).map(Snippet::Text);
    };
    let mut fields = reader.object(value)?;
    let sha256 = reader.required(&mut fields, "sha256", Reader::string);
    let length = reader.required(&mut fields, "length", whole);
    let head = reader.required(&mut fields, "head", Reader::string);
    let tail = reader.required(&mut fields, "tail", Reader::string);
    Some(Snippet::Long(LongSnippet {
        sha256: sha256?,
        length: length?,
        head: head?,
        tail: tail?,
    }))
}

fn region(reader: &mut Reader, value: Given) -> Option<Region> {
    let mut fields = reader.object(value)?;
    let start = reader.required(&mut fields, "start", Reader::number);
    let end = reader.required(&mut fields, "end", Reader::number);
    Some(Region {
        start: start?,
        end: end?,
    })
}

fn artifact(reader: &mut Reader, value: Given, strict: bool) -> Option<Artifact> {
    let mut fields = reader.object(value)?;
    let kind = reader.required(&mut fields, "kind", |reader, value| {
        reader.word(value, &ARTIFACT_KINDS)
    });
    let label = reader.required(&mut fields, "label", Reader::prose);
    let content = reader.required(&mut fields, "content", |reader, value| {
        content(reader, value, strict)
    });
    let content_hash = reader.required(&mut fields, "contentHash", Reader::string);
    let source_tool = reader.optional(&mut fields, "sourceTool", Reader::string);
    Some(Artifact {
        kind: kind?,
        label: label?,
        content: content?,
        content_hash: content_hash?,
        source_tool: source_tool?,
    })
}

fn content(reader: &mut Reader, value: Given, strict: bool) -> Option<String> {
    let text = reader.prose(value)?;
    let length = if strict {
        text.len()
    } else {
        text.encode_utf16().count()
    };
    if length > MAX_CONTENT {
        return reader.invalid("Artifact content must be < 1KB");
    }
    Some(text)
}

fn whole(reader: &mut Reader, value: Given) -> Option<u64> {
    let number = reader.number(value)?;
    let whole = number.as_u64();
    if whole.is_none() {
        return reader.invalid("Expected a whole number that is not negative");
    }
    whole
}
