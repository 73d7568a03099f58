//! The report of a verification, and its Markdown.
//!
//! A report is data: JSON is its source, and everything that is shown is drawn from it. Values that are
//! not known are `null`, never left out. `O`, the unit of the scrub's offsets, is bytes here and UTF-16
//! units for JavaScript ([`Report::into_utf16`]).
//!
//! ```
//! use claimgauge_core::evidence::{ClaimInput, Request, SpanInput};
//! use claimgauge_core::verification::{Stop, Verification};
//!
//! let mut verification = Verification::new(Request {
//!     evidence: vec![SpanInput::from("The port is 8080")],
//!     claims: vec![ClaimInput::from("The port is 8080")],
//!     ..Request::default()
//! })?;
//! verification.stop(Stop::Cancelled);
//! let report = verification.report();
//!
//! // Nobody was asked, and nothing is guessed.
//! let finding = &report.claims[0];
//! assert_eq!((finding.status.label(), finding.delta), ("INCONCLUSIVE", None));
//! assert!(report.to_markdown().starts_with("### Strawberry Verification Report"));
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::{
    Error, ErrorCode,
    answer::{Answer, Failure},
    decide::{Flag, Recommendation, Rule, Status, Tally},
    evidence::Span,
    judgement::{Basis, Verdict},
    number::{fixed2, shown},
    profile::{SkipReason, Trigger},
    scrub::{ByteOffset, Mode, Offset, Replacement, Scrubbed, Utf16Offset, Why, hidden},
};

/// What came of a verification. `O` is the unit of the scrub's offsets.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report<O = ByteOffset> {
    /// The profile's name.
    pub profile: String,
    /// What decided which claims were verified.
    pub trigger: Trigger,
    /// What to do.
    pub recommendation: Recommendation,
    /// Why, in words.
    pub rationale: String,
    /// How many claims of each status.
    pub summary: Summary,
    /// What came of each claim, in the request's order.
    pub claims: Vec<Finding>,
    /// Claims that were not verified, and why.
    pub skipped: Vec<Skipped>,
    /// The evidence as given.
    pub evidence: Vec<Span>,
    /// What the scrub took out of it.
    pub scrub: Scrubbed<O>,
    /// What was asked.
    pub cost: Cost,
    /// The version that made the report.
    pub version: String,
}

/// How many claims of each status.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Claims of the request.
    pub claims: usize,
    /// VERIFIED.
    pub verified: usize,
    /// PLAUSIBLE.
    pub plausible: usize,
    /// SUSPICIOUS.
    pub suspicious: usize,
    /// UNSUPPORTED.
    pub unsupported: usize,
    /// INCONCLUSIVE.
    pub inconclusive: usize,
    /// Not verified.
    pub skipped: usize,
}

/// What came of one claim.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The claim's id.
    pub id: String,
    /// The claim, its secrets hidden.
    pub text: String,
    /// The conclusion.
    pub status: Status,
    /// Full minus scrubbed confidence, in [-1, 1], to 6 decimals.
    pub delta: Option<f64>,
    /// The scrubbed pass; absent where it was not asked.
    pub scrubbed: Option<PassReport>,
    /// The full pass; absent where it was not asked.
    pub full: Option<PassReport>,
    /// What a reader should know.
    pub flags: Vec<Flag>,
    /// The row of the status table that decided.
    pub rule: Rule,
    /// One sentence, with the numbers.
    pub why: String,
    /// What to do.
    pub action: String,
    /// How many of the claim's terms the scrub removed.
    pub removed: Removal,
    /// Signs of confabulation.
    pub indicators: Vec<Indicator>,
    /// The claim's numbers, names and quotes, and whether the evidence holds each.
    pub atoms: Vec<Atom>,
    /// The other nulls that were asked.
    pub nulls: Vec<Null>,
}

impl Finding {
    /// Whether it was the judge that left the claim without a conclusion: more evidence would not help.
    pub fn is_open_by_judge(&self) -> bool {
        let by_judge = |flag: &Flag| {
            matches!(
                flag,
                Flag::JudgeFailed | Flag::MixedBasis | Flag::NoConfidence | Flag::Stopped
            )
        };
        self.status == Status::Inconclusive && self.flags.iter().any(by_judge)
    }
}

/// How many of a claim's terms the scrub removed.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Removal {
    /// Terms that are gone.
    pub gone: usize,
    /// Terms that the claim has.
    pub of: usize,
}

/// What came of one pass.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PassReport {
    /// The answer; absent where the pass failed.
    pub verdict: Option<Verdict>,
    /// How sure the judge is of it, in [0, 1].
    pub confidence: Option<f64>,
    /// Where the confidence came from.
    pub basis: Option<Basis>,
    /// P(ENTAILED), in [0, 1].
    pub support: Option<f64>,
    /// The judge's own sentence; absent where it gave none.
    pub reasoning: Option<String>,
    /// How often it was asked.
    pub attempts: u32,
    /// Every reply, as it came.
    pub raw: Vec<String>,
    /// Why the pass failed.
    pub error: Option<Failure>,
}

/// A sign of confabulation.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum Indicator {
    /// The claim has no atom.
    GenericPattern,
    /// The delta is not above zero.
    NamesAddNothing,
    /// The judge believes it with no evidence at all.
    ObviousWithoutEvidence,
    /// The delta is below what PLAUSIBLE asks for.
    ScrubbedAsGood,
}

/// A number, name or quote of a claim, as the second opinion finds it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Atom {
    /// As the claim spells it.
    pub text: String,
    /// What it is.
    pub kind: AtomKind,
    /// Whether the full evidence holds it.
    pub grounded: bool,
    /// The span that does.
    pub span: Option<String>,
    /// The value that the evidence has where the claim has this one.
    pub rival: Option<String>,
}

/// What an atom is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum AtomKind {
    /// A date or a time of day.
    Date,
    /// `user_id`, `VARCHAR`, a plain word that is used as a name.
    Identifier,
    /// A proper name.
    Name,
    /// A number, with its unit.
    Number,
    /// A file, an endpoint or an address.
    Path,
    /// Several words between quotes.
    Quote,
    /// A version.
    Version,
}

/// Another null than the one that decided.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Null {
    /// What the evidence was made into.
    pub mode: Mode,
    /// What the judge said.
    pub pass: PassReport,
    /// Full confidence minus this one's.
    pub delta: Option<f64>,
}

/// A claim that was not verified.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Skipped {
    /// The claim's id.
    pub claim: String,
    /// Why.
    pub reason: SkipReason,
}

/// What was asked.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Requests that were answered or failed.
    pub calls: u64,
    /// Tokens read, as far as judges said.
    pub prompt_tokens: u64,
    /// Tokens written, as far as judges said.
    pub completion_tokens: u64,
}

impl Report {
    /// The report with the scrub's offsets in UTF-16 units.
    pub fn into_utf16(self) -> Report<Utf16Offset> {
        Report {
            profile: self.profile,
            trigger: self.trigger,
            recommendation: self.recommendation,
            rationale: self.rationale,
            summary: self.summary,
            claims: self.claims,
            skipped: self.skipped,
            evidence: self.evidence,
            scrub: self.scrub.into_utf16(),
            cost: self.cost,
            version: self.version,
        }
    }
}

impl<O: Offset> Report<O> {
    /// The report as Markdown, for people and pull requests: secrets hidden, cells escaped.
    pub fn to_markdown(&self) -> String {
        let line = |finding: &Finding| Line {
            text: finding.text.clone(),
            status: finding.status,
            delta: finding.delta,
            scrubbed: finding.scrubbed.as_ref().map(Sure::of),
            full: finding.full.as_ref().map(Sure::of),
        };
        let secrets = self.scrub.replacements.iter();
        let secrets = secrets.filter(|replacement| replacement.why == Why::Secret);
        let outline = Outline {
            profile: self.profile.clone(),
            trigger: self.trigger,
            recommendation: self.recommendation,
            rationale: self.rationale.clone(),
            summary: self.summary,
            claims: self.claims.iter().map(line).collect(),
            evidence: self.evidence.clone(),
            scrub: Replaced {
                replacements: secrets.cloned().collect(),
            },
        };
        outline.to_markdown()
    }
}

/// A report as far as its Markdown reads it; whatever else it holds is left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outline<O = Utf16Offset> {
    profile: String,
    trigger: Trigger,
    recommendation: Recommendation,
    rationale: String,
    summary: Summary,
    claims: Vec<Line>,
    evidence: Vec<Span>,
    scrub: Replaced<O>,
}

#[derive(Clone, Debug, Deserialize)]
struct Replaced<O> {
    replacements: Vec<Replacement<O>>,
}

/// A claim's row.
#[derive(Clone, Debug, Deserialize)]
struct Line {
    text: String,
    status: Status,
    delta: Option<f64>,
    scrubbed: Option<Sure>,
    full: Option<Sure>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Sure {
    confidence: Option<f64>,
}

impl Sure {
    fn of(pass: &PassReport) -> Self {
        Self {
            confidence: pass.confidence,
        }
    }
}

impl<O: Offset> Outline<O> {
    /// Refuses figures that no report has.
    ///
    /// # Errors
    /// `invalid_value` for a confidence outside [0, 1] or a delta outside [-1, 1].
    pub fn check(&self) -> Result<(), Error> {
        for (at, line) in self.claims.iter().enumerate() {
            let sure = |pass: Option<Sure>| pass.and_then(|pass| pass.confidence);
            for (field, least, value) in [
                ("scrubbed.confidence", 0.0, sure(line.scrubbed)),
                ("full.confidence", 0.0, sure(line.full)),
                ("delta", -1.0, line.delta),
            ] {
                if let Some(value) = value.filter(|value| !(least..=1.0).contains(value)) {
                    return Err(Error::new(
                        ErrorCode::InvalidValue,
                        format!("report.claims.{at}.{field}"),
                        format!(
                            "Expected a number from {least} to 1, received {}",
                            shown(value)
                        ),
                    ));
                }
            }
        }
        Ok(())
    }

    /// As [`Report::to_markdown`].
    pub fn to_markdown(&self) -> String {
        let mut out = String::new();
        self.write_markdown(&mut out)
            .expect("a String takes every write");
        out
    }

    fn write_markdown(&self, out: &mut String) -> core::fmt::Result {
        let general = self.profile == "strawberry";
        if general {
            out.push_str("### Strawberry Verification Report\n\n");
            out.push_str("**Verification Method:** Confidence Delta (Native)\n");
        } else {
            out.push_str("### Grounding Verification Report\n\n");
            writeln!(out, "**Profile:** {}", inline(&self.profile))?;
            writeln!(out, "**Trigger:** {}", self.trigger.name())?;
        }
        writeln!(out, "**Claims Analyzed:** {}", self.claims.len())?;

        out.push_str("\n---\n\n#### Evidence Spans\n\n");
        out.push_str("| Span | Content Summary | Source |\n");
        out.push_str("|------|-----------------|--------|\n");
        for span in hidden(&self.scrub.replacements, &self.evidence) {
            let source = span.source.as_deref().unwrap_or(MISSING);
            writeln!(
                out,
                "| {} | {} | {} |",
                cell(&span.id),
                cell(&span.text),
                cell(source)
            )?;
        }

        out.push_str("\n---\n\n#### Claim Verification\n\n");
        out.push_str("| Claim | Scrubbed Conf | Full Conf | Delta | Status |\n");
        out.push_str("|-------|---------------|-----------|-------|--------|\n");
        for finding in &self.claims {
            let confidence = |pass: Option<Sure>| number(pass.and_then(|pass| pass.confidence));
            writeln!(
                out,
                "| {} | {} | {} | {} | {} |",
                cell(&finding.text),
                confidence(finding.scrubbed),
                confidence(finding.full),
                number(finding.delta),
                finding.status.label(),
            )?;
        }

        if !general {
            out.push_str("\n---\n\n#### Verification Summary\n\n");
            for (status, count, meaning) in self.summary.rows() {
                if count > 0 || status != Status::Inconclusive {
                    writeln!(out, "- **{}:** {count} claims ({meaning})", status.label())?;
                }
            }
        }

        let label = self.recommendation.label();
        writeln!(out, "\n---\n\n### RECOMMENDATION: {label}")?;
        writeln!(out, "\n**Rationale:** {}", inline(&self.rationale))
    }
}

impl Summary {
    pub(crate) fn new(tally: &Tally, skipped: usize) -> Self {
        Self {
            claims: tally.claims,
            verified: tally.of(Status::Verified),
            plausible: tally.of(Status::Plausible),
            suspicious: tally.of(Status::Suspicious),
            unsupported: tally.of(Status::Unsupported),
            inconclusive: tally.of(Status::Inconclusive),
            skipped,
        }
    }

    #[rustfmt::skip]
    fn rows(&self) -> [(Status, usize, &'static str); 5] {
        [
            (Status::Verified, self.verified, "evidence essential"),
            (Status::Plausible, self.plausible, "proceed with caution"),
            (Status::Suspicious, self.suspicious, "may be confabulating"),
            (Status::Unsupported, self.unsupported, "insufficient evidence"),
            (Status::Inconclusive, self.inconclusive, "judge failed"),
        ]
    }
}

impl Cost {
    pub(crate) fn add(&mut self, answer: &Answer) {
        // The largest whole number that JavaScript has; whatever a judge may say that it counted.
        const MOST: u64 = (1 << 53) - 1;
        let add = |sum: &mut u64, more: Option<u64>| {
            *sum = sum.saturating_add(more.unwrap_or(0)).min(MOST);
        };
        for reply in answer.replies() {
            let usage = reply.usage.unwrap_or_default();
            self.calls += 1;
            add(&mut self.prompt_tokens, usage.prompt_tokens);
            add(&mut self.completion_tokens, usage.completion_tokens);
        }
    }
}

/// What the recommendation table looks at.
pub(crate) fn tally(claims: &[Finding], skipped: &[Skipped], more_evidence: bool) -> Tally {
    let low = |skipped: &&Skipped| skipped.reason == SkipReason::LowConfidence;
    let mut tally = Tally {
        claims: claims.len() + skipped.len(),
        skipped_low: skipped.iter().filter(low).count(),
        more_evidence,
        ..Tally::default()
    };
    for finding in claims {
        tally.by_status[finding.status as usize] += 1;
        tally.conflicts += usize::from(finding.flags.contains(&Flag::Conflict));
        tally.needs_more += usize::from(finding.flags.contains(&Flag::NeedsMoreEvidence));
    }
    tally
}

/// Why the recommendation is what it is, naming the claims.
pub(crate) fn rationale(
    recommendation: Recommendation,
    tally: &Tally,
    claims: &[Finding],
    skipped: &[Skipped],
) -> String {
    let of = |wanted: &dyn Fn(&Finding) -> bool| -> Vec<&str> {
        let wanted = claims.iter().filter(|finding| wanted(finding));
        wanted.map(|finding| finding.id.as_str()).collect()
    };
    let with = |status| of(&|finding| finding.status == status);
    let flagged = |flag| of(&|finding| finding.flags.contains(&flag));
    let is_low = |skipped: &&Skipped| skipped.reason == SkipReason::LowConfidence;

    let mut said = Sentences(String::new());
    match recommendation {
        Recommendation::Stop => {
            said.of(
                &with(Status::Unsupported),
                "The evidence does not support {}.",
            );
        }
        Recommendation::GatherMoreEvidence => {
            said.of(
                &flagged(Flag::NeedsMoreEvidence),
                "The evidence does not say enough about {}.",
            );
            let low = skipped.iter().filter(is_low);
            let low: Vec<&str> = low.map(|skipped| skipped.claim.as_str()).collect();
            said.of(
                &low,
                "Confidence in {} is low: gather evidence before verifying.",
            );
            if tally.more_evidence {
                said.of(
                    &with(Status::Suspicious),
                    "More evidence can be had, and what was given did not carry {}.",
                );
            }
        }
        Recommendation::ProceedWithWarnings => {
            let decided = |by_delta: bool| {
                of(&|finding| {
                    finding.status == Status::Suspicious
                        && (finding.rule == Rule::DeltaSmall) == by_delta
                })
            };
            said.of(
                &decided(true),
                "The evidence was not what convinced the judge of {}.",
            );
            said.of(
                &decided(false),
                "The passes do not agree enough to rest on {}.",
            );
            said.of(
                &flagged(Flag::Conflict),
                "The passes contradict each other on {}: please confirm.",
            );
        }
        Recommendation::Proceed => {}
    }
    let open = |by_judge: bool| {
        of(&|finding| {
            finding.status == Status::Inconclusive && finding.is_open_by_judge() == by_judge
        })
    };
    said.of(
        &open(true),
        "No conclusion could be drawn on {}: check the judge and run again.",
    );
    said.of(&open(false), "No conclusion could be drawn on {}.");
    said.of(
        &with(Status::Plausible),
        "Proceed with caution on {} (PLAUSIBLE).",
    );
    said.of(
        &with(Status::Verified),
        "The evidence was essential for {} (VERIFIED).",
    );
    let others = skipped.iter().filter(|skipped| !is_low(skipped));
    let others: Vec<String> = others
        .map(|skipped| format!("{} ({})", skipped.claim, skipped.reason.name()))
        .collect();
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    said.of(
        &others,
        match claims.is_empty() {
            true => "Nothing was verified; skipped: {}.",
            false => "Skipped: {}.",
        },
    );
    if said.0.is_empty() {
        said.0.push_str("There is no claim to verify.");
    }
    said.0
}

/// Sentences with a space between them.
struct Sentences(String);

impl Sentences {
    /// Says something of `names`, which stand where the sentence has `{}`: at most ten of them, comma-separated.
    /// Nothing is said of none.
    fn of(&mut self, names: &[&str], sentence: &str) {
        const MOST: usize = 10;
        let Self(text) = self;
        if names.is_empty() {
            return;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        let (before, behind) = sentence.split_once("{}").unwrap_or((sentence, ""));
        text.push_str(before);
        text.push_str(&names[..names.len().min(MOST)].join(", "));
        if names.len() > MOST {
            text.push_str(&format!(" and {} more", names.len() - MOST));
        }
        text.push_str(behind);
    }
}

const MISSING: &str = "n/a";

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| MISSING.to_owned(), fixed2)
}

/// A table cell: one line of at most 120 characters.
fn cell(text: &str) -> String {
    const MOST: usize = 120;
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if let Some((end, _)) = line.char_indices().nth(MOST) {
        line.truncate(end);
        line.push('…');
    }
    inline(&line)
}

/// Text that Markdown shows as it is: no markup, no link, no mention comes out of it.
fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '\\' | '|' | '`' | '[' | ']' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\n' | '\r' => out.push(' '),
            // Renderers link what looks like an address even without markup.
            ':' if text[at..].starts_with("://") => out.push_str("&#58;"),
            '.' if ends_with_www(&text[..at]) => out.push_str("&#46;"),
            '@' => out.push_str("@\u{200b}"),
            c => out.push(c),
        }
    }
    out
}

fn ends_with_www(text: &str) -> bool {
    let tail = text
        .len()
        .checked_sub(3)
        .and_then(|start| text.get(start..));
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case("www"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_one_escaped_line() {
        #[rustfmt::skip]
        let rows = [
            ("a|b", "a\\|b"),
            ("a\n\n b", "a b"),
            ("`x` \\ y", "\\`x\\` \\\\ y"),
            ("<img src=x>", "&lt;img src=x&gt;"),
            ("![p](u)", "!\\[p\\](u)"),
            ("https://a.example", "https&#58;//a.example"),
            ("www.a.example", "www&#46;a.example"),
            ("@team", "@\u{200b}team"),
            ("users.email: VARCHAR(255)", "users.email: VARCHAR(255)"),
        ];
        for (text, want) in rows {
            assert_eq!(cell(text), want);
        }
        let long = cell(&"é".repeat(121));
        assert_eq!(long.chars().count(), 121);
        assert!(long.ends_with('…'));
        assert_eq!(cell(&"é".repeat(120)).chars().count(), 120);
    }

    #[test]
    fn many_names_are_cut() {
        let ids: Vec<String> = (0..13).map(|at| format!("C{at}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let mut said = Sentences(String::new());
        said.of(&[], "Nothing of {}.");
        said.of(&ids, "All of {}.");
        assert!(said.0.starts_with("All of C0, C1,"), "{}", said.0);
        assert!(said.0.ends_with("C9 and 3 more."), "{}", said.0);
    }
}
