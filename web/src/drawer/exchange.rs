//! What is exported to a file, and what is read from one: JSON, Markdown or CSV.
//!
//! JSON holds all inputs; the other two hold evidence, claims and the profile for people and spreadsheets. A
//! result goes along, but is never read back: what a file says of a claim nobody has judged here.

use std::fmt::Write;

use claimgauge_core::{decide::Status, profile::Thresholds};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    inputs::{Format, Inputs, SpanText},
    talk::Outcome,
};

/// The forms of a file: its name's end, its type, and how it is written.
pub(super) type Form = (
    &'static str,
    &'static str,
    fn(&Inputs, Option<&Outcome>) -> String,
);

pub(super) const FORMS: [Form; 3] = [
    ("json", "application/json", to_json),
    ("md", "text/markdown", to_markdown),
    ("csv", "text/csv", to_csv),
];

/// The part of a report that a table shows.
#[derive(Deserialize)]
struct Report {
    claims: Vec<Judged>,
}

#[derive(Deserialize)]
struct Judged {
    status: Status,
    delta: Option<f64>,
    scrubbed: Option<Pass>,
    full: Option<Pass>,
}

#[derive(Deserialize)]
struct Pass {
    confidence: Option<f64>,
}

/// Inputs that were written elsewhere.
#[derive(Debug, PartialEq)]
pub(super) struct Given {
    pub(super) inputs: Inputs,
    /// What of them could not be taken, as a sentence after others; mostly empty.
    pub(super) without: &'static str,
}

impl From<Inputs> for Given {
    fn from(inputs: Inputs) -> Self {
        Self {
            inputs,
            without: "",
        }
    }
}

const WITHOUT_THRESHOLDS: &str = " Its thresholds were left out: each is a number from 0 to 1, and VERIFIED asks for no less than PLAUSIBLE.";

impl Given {
    /// Reads what a link or a file holds, `what` of these. Another version is told before anything else is found wrong.
    pub(super) fn read(mut json: Value, what: &str) -> Result<Self, String> {
        if let Some(format) = json.get("format").and_then(Value::as_f64)
            && format != f64::from(Format::CURRENT)
        {
            return Err(format!(
                "This {what} was written by another version of the playground: it has format {format}, and this page reads format {}.",
                Format::CURRENT
            ));
        }
        let fields = json.as_object_mut().ok_or_else(|| unreadable(what))?;
        let thresholds = fields.remove("thresholds").filter(|it| !it.is_null());
        let is_given = thresholds.is_some();
        let mut inputs: Inputs = serde_json::from_value(json).map_err(|_| unreadable(what))?;
        inputs.thresholds = thresholds.and_then(|given| serde_json::from_value(given).ok());
        let sound = |thresholds: &Thresholds| thresholds.check("thresholds").is_ok();
        inputs.thresholds = inputs.thresholds.filter(sound);
        let is_without = is_given && inputs.thresholds.is_none();
        Ok(Self {
            inputs,
            without: if is_without { WITHOUT_THRESHOLDS } else { "" },
        })
    }
}

/// What is said of a link or a file that is not as the page writes it.
pub(super) fn unreadable(what: &str) -> String {
    format!("This {what} cannot be read: it was cut or changed, or another program wrote it.")
}

fn to_json(inputs: &Inputs, outcome: Option<&Outcome>) -> String {
    let inputs = serde_json::to_string_pretty(&inputs.without_secrets()).unwrap_or_default();
    let report = outcome.map_or("null", |outcome| &outcome.json);
    format!("{{\n\"claimgauge\": {inputs},\n\"report\": {report}\n}}\n")
}

const TITLE: &str = "# Claimgauge: evidence and claims";
const EVIDENCE: &str = "## Evidence";
const CLAIMS: &str = "## Claims";
const RESULT: &str = "## Result";
const PROFILE: &str = "Profile: ";
const SOURCE: &str = "Source: ";

/// Each text stands in a fence that is longer than any in it.
fn to_markdown(inputs: &Inputs, outcome: Option<&Outcome>) -> String {
    let mut out = format!("{TITLE}\n\n{PROFILE}{}\n\n{EVIDENCE}\n", inputs.profile);
    for (span, id) in inputs.evidence.iter().zip(inputs.ids()) {
        let fence = "`".repeat(longest_fence(&span.text).max(2) + 1);
        let _ = write!(out, "\n### {id}\n\n");
        if !span.source.is_empty() {
            let _ = write!(out, "{SOURCE}{}\n\n", one_line(&span.source));
        }
        let _ = write!(out, "{fence}text\n{}\n{fence}\n", span.text);
    }
    let _ = write!(out, "\n{CLAIMS}\n\n");
    for claim in claims(inputs) {
        let _ = writeln!(out, "- {claim}");
    }
    if let Some(outcome) = outcome {
        let _ = write!(out, "\n{RESULT}\n\n{}", outcome.markdown);
    }
    out
}

fn longest_fence(text: &str) -> usize {
    let fences = text.split(|c| c != '`').map(str::len);
    fences.max().unwrap_or(0)
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn claims(inputs: &Inputs) -> impl Iterator<Item = &str> {
    let lines = inputs.claims.lines().map(str::trim);
    lines.filter(|line| !line.is_empty())
}

const HEADER: [&str; 8] = [
    "kind", "id", "source", "text", "status", "scrubbed", "full", "delta",
];

fn to_csv(inputs: &Inputs, outcome: Option<&Outcome>) -> String {
    let report = outcome.and_then(|outcome| serde_json::from_str::<Report>(&outcome.json).ok());
    let judged = report.map(|report| report.claims).unwrap_or_default();
    let mut out = String::new();
    row(&mut out, &HEADER);
    row(&mut out, &["profile", "", "", &inputs.profile]);
    for (span, id) in inputs.evidence.iter().zip(inputs.ids()) {
        row(&mut out, &["span", &id, &span.source, &span.text]);
    }
    for (at, claim) in claims(inputs).enumerate() {
        let judged = judged.get(at);
        let number = |number: Option<f64>| number.map(|it| it.to_string()).unwrap_or_default();
        let confidence = |pass: Option<&Pass>| number(pass.and_then(|pass| pass.confidence));
        row(
            &mut out,
            &[
                "claim",
                &format!("C{at}"),
                "",
                claim,
                judged.map_or("", |it| it.status.label()),
                &confidence(judged.and_then(|it| it.scrubbed.as_ref())),
                &confidence(judged.and_then(|it| it.full.as_ref())),
                &number(judged.and_then(|it| it.delta)),
            ],
        );
    }
    out
}

fn row(out: &mut String, cells: &[&str]) {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    out.push_str(&cells.join(","));
    out.push_str("\r\n");
}

/// A cell, quoted where it must be. One that a spreadsheet would take for a formula begins with an
/// apostrophe; so does one that begins so already, so that it can be told apart when it is read.
fn cell(text: &str) -> String {
    let mark = if is_formula(text) { "'" } else { "" };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{mark}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{mark}{text}")
    }
}

fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'')
        .starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
}

/// The text that a cell was made of.
fn plain(cell: String) -> String {
    match cell.strip_prefix('\'') {
        Some(rest) if is_formula(rest) => rest.to_owned(),
        _ => cell,
    }
}

/// Reads a file that this page has written; what it does not hold stays as it is in `now`.
pub(super) fn read(text: &str, now: &Inputs) -> Result<Given, String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return from_json(text);
    }
    let found = if text.starts_with(TITLE) {
        from_markdown(text)
    } else if text.starts_with("kind,id,") {
        from_csv(text)?
    } else {
        return Err(
            "This is no file that this page has exported. To use it as evidence, drop it on the page."
                .to_owned(),
        );
    };
    if found.evidence.is_empty() && found.claims.is_empty() {
        return Err("There is neither evidence nor a claim in this file.".to_owned());
    }
    let profile = match found.profile {
        none if none.is_empty() => now.profile.clone(),
        profile => profile,
    };
    Ok(Given::from(Inputs {
        evidence: found.evidence,
        claims: found.claims,
        profile,
        example: String::new(),
        recording: String::new(),
        ..now.clone()
    }))
}

fn from_json(text: &str) -> Result<Given, String> {
    let mut json: Value = serde_json::from_str(text).unwrap_or_default();
    let held = json.get_mut("claimgauge").map(Value::take);
    let given = Given::read(held.unwrap_or_default(), "file")?;
    Ok(Given {
        inputs: given.inputs.without_secrets(),
        ..given
    })
}

/// What Markdown and CSV hold.
#[derive(Default)]
struct Found {
    profile: String,
    evidence: Vec<SpanText>,
    claims: String,
}

fn from_markdown(text: &str) -> Found {
    let mut found = Found::default();
    let mut section = "";
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == RESULT {
            break;
        }
        if line == EVIDENCE || line == CLAIMS {
            section = line;
        } else if let Some(profile) = line.strip_prefix(PROFILE).filter(|_| section.is_empty()) {
            profile.trim().clone_into(&mut found.profile);
        } else if section == CLAIMS {
            if let Some(claim) = line.strip_prefix("- ") {
                found.claims.push_str(claim);
                found.claims.push('\n');
            }
        } else if section == EVIDENCE {
            let span = found.evidence.last_mut();
            if let Some(id) = line.strip_prefix("### ") {
                found.evidence.push(SpanText {
                    id: id.to_owned(),
                    ..SpanText::default()
                });
            } else if let (Some(source), Some(span)) = (line.strip_prefix(SOURCE), span) {
                source.clone_into(&mut span.source);
            } else if let Some(fence) = line.strip_suffix("text").filter(|it| is_fence(it)) {
                let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
                if let Some(span) = found.evidence.last_mut() {
                    span.text = inside.join("\n");
                }
            }
        }
    }
    found
}

fn is_fence(text: &str) -> bool {
    text.len() > 2 && text.bytes().all(|byte| byte == b'`')
}

fn from_csv(text: &str) -> Result<Found, String> {
    let mut found = Found::default();
    for (at, cells) in cells(text)?.into_iter().enumerate().skip(1) {
        let mut cells = cells.into_iter().map(plain);
        let mut next = || cells.next().unwrap_or_default();
        let (kind, id, source, text) = (next(), next(), next(), next());
        match kind.as_str() {
            "span" => found.evidence.push(SpanText { id, source, text }),
            "claim" => {
                found.claims.push_str(&one_line(&text));
                found.claims.push('\n');
            }
            "profile" => found.profile = text,
            "" => {}
            _ => {
                let kind: String = kind.chars().take(20).collect();
                return Err(format!(
                    "Row {} of this file is a \"{kind}\": a row is a span, a claim or the profile.",
                    at + 1
                ));
            }
        }
    }
    Ok(found)
}

/// The rows of a table and their cells, as RFC 4180 has them.
fn cells(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let (Some(row), is_quote) = (rows.last_mut(), c == '"') else {
            break;
        };
        match (row.last_mut(), c) {
            (Some(cell), '"') if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            (_, _) if is_quote => quoted = !quoted,
            (Some(cell), _) if quoted => cell.push(c),
            (_, ',') => row.push(String::new()),
            (_, '\n') => rows.push(vec![String::new()]),
            (_, '\r') if chars.peek() == Some(&'\n') => {}
            (Some(cell), _) => cell.push(c),
            (None, _) => {}
        }
    }
    if quoted {
        return Err("This file ends within a quoted cell: was it cut?".to_owned());
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs() -> Inputs {
        let span = |id: &str, source: &str, text: &str| SpanText {
            id: id.to_owned(),
            source: source.to_owned(),
            text: text.to_owned(),
        };
        Inputs {
            evidence: vec![
                span(
                    "S0",
                    "=HYPERLINK(\"http://x\")",
                    "a, \"b\"\n\n```\n## Claims\n- no claim\n```",
                ),
                span("x", "", "'=1+1"),
                span("y", "<b>", "\tTab"),
                span("z", "'", "''+''"),
            ],
            claims: "-1 is \"less\", [S0]\n@all\n<img src=x>\n".to_owned(),
            profile: "data".to_owned(),
            ..Inputs::default()
        }
    }

    fn outcome() -> Outcome {
        Outcome {
            json: r#"{"claims":[{"status":"VERIFIED","delta":-0.5,"scrubbed":{"confidence":0.9},"full":null}]}"#.to_owned(),
            markdown: "### Report\n\n- a\n".to_owned(),
            sights: Vec::new(),
        }
    }

    #[test]
    fn what_is_exported_can_be_imported() {
        let inputs = inputs();
        for outcome in [None, Some(outcome())] {
            for (form, _, write) in FORMS {
                let text = write(&inputs, outcome.as_ref());
                let read = read(&text, &Inputs::default());
                assert_eq!(read, Ok(inputs.clone().into()), "{form}: {text}");
            }
        }
    }

    #[test]
    fn no_cell_is_a_formula() {
        let text = to_csv(&inputs(), Some(&outcome()));
        let rows = cells(&text).unwrap();
        for cell in rows.iter().flatten() {
            assert!(
                !cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']),
                "{cell}"
            );
        }
        assert_eq!(rows[6][4..], ["VERIFIED", "0.9", "", "'-0.5"]);
    }

    #[test]
    fn no_key_leaves_with_a_file() {
        let inputs = Inputs {
            base_url: "https://me:hunter2@host/v1?key=hunter2".to_owned(),
            ..inputs()
        };
        for (form, _, write) in FORMS {
            assert!(!write(&inputs, None).contains("hunter2"), "{form}");
        }
        let foreign = r#"{"claimgauge":{"baseUrl":"https://u:p@h/"}}"#;
        let read = read(foreign, &inputs).unwrap();
        assert_eq!(read.inputs.base_url, "https://h/");
    }

    #[test]
    fn thresholds_that_are_none_are_left_out_and_named() {
        let given = |full: &str, least: &str| {
            let text = format!(
                r#"{{"claims":"a","thresholds":{{"verified":{{"full":{full},"delta":0.3}},"plausible":{{"full":{least},"delta":0.1}}}}}}"#
            );
            Given::read(serde_json::from_str(&text).unwrap(), "link").unwrap()
        };
        assert_eq!(given("0.8", "0.6").without, "");
        assert!(given("0.8", "0.6").inputs.thresholds.is_some());
        let text = Given::read(serde_json::json!({ "thresholds": "high" }), "link").unwrap();
        for given in [
            given("2", "0.6"),
            given("0.5", "0.6"),
            given("\"x\"", "0.6"),
            text,
        ] {
            assert_eq!(given.inputs.thresholds, None);
            assert!(given.without.contains("thresholds"));
        }
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let now = Inputs::default();
        for (text, why) in [
            (r#"{"claimgauge":{"format":9,"claims":{}}}"#, "format 9"),
            (r#"{"claimgauge":{"format":1e99}}"#, "another version"),
            (r#"{"claimgauge":{"claims":1}}"#, "cannot be read"),
            (r#"{"claimgauge":"#, "cannot be read"),
            ("{}", "cannot be read"),
            ("Just text", "drop it"),
            ("# Claimgauge: evidence and claims", "neither"),
            ("kind,id,source,text\nspan,\"a", "quoted"),
            ("kind,id,source,text\nspam,a", "Row 2"),
            ("", "drop it"),
        ] {
            let error = read(text, &now).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
        let deep = format!("{{\"claimgauge\":{}", "[".repeat(100_000));
        assert!(read(&deep, &now).is_err());
    }
}
