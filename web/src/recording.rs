//! A judge that answers from a list of replies written down before.

use claimgauge_core::{
    evidence::{ClaimInput, SpanInput},
    judgement::Basis,
    verification::{Answer, Failure, Pass, PassRequest},
};
use serde::{Deserialize, Serialize};

use crate::{hash::fnv1a, json::Json, pieces::by_position};

/// Replies by claim and pass.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recording {
    entries: Vec<Entry>,
    /// The ids of claims whose replies were written for other text.
    misfits: Vec<String>,
}

/// One reply.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// The claim's id, "C0" for the first.
    pub(crate) claim: String,
    pub(crate) pass: Pass,
    /// The judge's reply, as it came.
    pub(crate) text: String,
    /// Where its confidence came from. Absent: `recorded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) basis: Option<Basis>,
    /// The [`fingerprint`] of the claim and the evidence that it was written for. Absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) of: Option<String>,
}

/// Tells a claim with the spans that it rests on from any other: sixteen hexadecimal digits of FNV-1a.
pub(crate) fn fingerprint(claim: &ClaimInput, spans: &[SpanInput]) -> String {
    let cited = |(at, span): &(usize, &SpanInput)| {
        let cites = claim.cites.as_ref();
        cites.is_none_or(|cites| {
            let id = span.id.clone().unwrap_or_else(|| by_position(*at));
            cites.contains(&id)
        })
    };
    let spans = spans.iter().enumerate().filter(cited);
    let texts = spans.flat_map(|(_, span)| [span.source.as_deref().unwrap_or(""), &span.text]);
    let texts = [claim.text.as_str()].into_iter().chain(texts);
    format!("{:016x}", fnv1a(texts.map(str::trim)))
}

/// Whether a recording has replies that were written for other text than this. One that cannot be read says so when
/// it is to answer.
pub(crate) fn misfits(recording: &str, claims: &[ClaimInput], spans: &[SpanInput]) -> bool {
    let read = Json::read(recording);
    let entries = read.as_ref().and_then(Json::list).unwrap_or_default();
    let text = |entry: &'_ Json, name: &str| entry.field(name)?.text().map(str::to_owned);
    let bound: Vec<_> = entries
        .iter()
        .filter_map(|entry| Some((text(entry, "claim")?, text(entry, "of")?)))
        .collect();
    let bound: Vec<_> = bound.iter().map(|(claim, of)| (&**claim, &**of)).collect();
    !unfit(&bound, claims, spans).is_empty()
}

/// The claims of which a reply was written for other text. `bound` are claims' ids, each with the [`fingerprint`] of
/// what a reply was written for.
fn unfit(bound: &[(&str, &str)], claims: &[ClaimInput], spans: &[SpanInput]) -> Vec<String> {
    let claims = claims.iter().enumerate().filter_map(|(at, claim)| {
        let id = format!("C{at}");
        let mut of = bound.iter().filter(|(claim, _)| *claim == id).peekable();
        of.peek()?;
        let now = fingerprint(claim, spans);
        of.any(|(_, of)| *of != now).then_some(id)
    });
    claims.collect()
}

impl Recording {
    /// Reads a list of entries; what is wrong is said with its line and column.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("There is no recording yet".to_owned());
        }
        let entries = serde_json::from_str(text)
            .map_err(|error| format!("The recording cannot be read: {error}"))?;
        Ok(Self {
            entries,
            misfits: Vec::new(),
        })
    }

    /// Looks which claims it was written for.
    pub(crate) fn fit(mut self, claims: &[ClaimInput], spans: &[SpanInput]) -> Self {
        let entries = self.entries.iter();
        let bound = entries.filter_map(|entry| Some((&*entry.claim, &**entry.of.as_ref()?)));
        self.misfits = unfit(&bound.collect::<Vec<_>>(), claims, spans);
        self
    }

    /// Whether a claim's replies were written for other text.
    #[cfg(test)]
    fn misfits(&self) -> bool {
        !self.misfits.is_empty()
    }

    /// The recorded answer to `request`.
    pub(crate) fn answer(&self, request: &PassRequest) -> Result<Answer, Failure> {
        if self.misfits.contains(&request.claim) {
            let claim = &request.claim;
            let message = format!(
                "The recorded replies to {claim} were given to another claim or other evidence"
            );
            return Err(Failure::new("judge_not_recorded", message)
                .at("recording")
                .with_hint("Load the example again, or ask the built-in judge."));
        }
        let fits = |entry: &&Entry| entry.claim == request.claim && entry.pass == request.pass;
        match self.entries.iter().find(fits) {
            Some(entry) => Ok(Answer {
                basis: Some(entry.basis.unwrap_or(Basis::Recorded)),
                ..Answer::text(entry.text.clone())
            }),
            None => {
                let pass = serde_json::to_string(&request.pass).unwrap_or_default();
                Err(Failure::new(
                    "judge_not_recorded",
                    format!("The recording has no {pass} pass of {}", request.claim),
                )
                .at("recording")
                .with_hint(
                    "Claims are numbered from C0; each needs a \"scrubbed\" and a \"full\" pass.",
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_says_where_it_is_wrong() {
        assert!(Recording::read(" ").unwrap_err().contains("no recording"));
        let error = Recording::read("[\n{\"claim\":\"C0\",\"pass\":\"both\",\"text\":\"\"}]");
        assert!(error.unwrap_err().contains("line 2"));
        let error = Recording::read(r#"[{"claim":"C0","pass":"full","text":"","speed":1}]"#);
        assert!(error.unwrap_err().contains("speed"));
    }

    #[test]
    fn replies_written_for_other_text_are_not_given() {
        let (claim, spans) = (ClaimInput::from("It is so"), [SpanInput::from("So it is.")]);
        let of = fingerprint(&claim, &spans);
        let read = |of: &str| {
            let text =
                format!(r#"[{{"claim":"C0","pass":"full","text":"ENTAILED 0.9","of":"{of}"}}]"#);
            Recording::read(&text).unwrap()
        };
        assert!(
            !read(&of)
                .fit(std::slice::from_ref(&claim), &spans)
                .misfits()
        );
        let others = [
            (
                ClaimInput::from("It is not so"),
                SpanInput::from("So it is."),
            ),
            (claim.clone(), SpanInput::from("So it was.")),
        ];
        for (claim, span) in others {
            assert!(read(&of).fit(&[claim], &[span]).misfits());
        }
        let unbound = Recording::read(r#"[{"claim":"C0","pass":"full","text":"UNSURE 0.9"}]"#);
        assert!(!unbound.unwrap().fit(&[claim], &spans).misfits());
    }

    #[test]
    fn a_claim_is_bound_to_the_spans_that_it_cites() {
        let claim = ClaimInput {
            cites: Some(vec!["S1".to_owned()]),
            ..ClaimInput::from("It is so")
        };
        let spans = |first: &str, second: &str| [SpanInput::from(first), SpanInput::from(second)];
        let of = fingerprint(&claim, &spans("a", "b"));
        assert_eq!(of, fingerprint(&claim, &spans("c", "b")));
        assert_ne!(of, fingerprint(&claim, &spans("a", "c")));
    }

    #[test]
    fn a_reply_is_found_by_claim_and_pass() {
        let recording = Recording::read(
            r#"[{"claim":"C0","pass":"full","text":"ENTAILED 0.9"},
                {"claim":"C0","pass":"scrubbed","text":"UNSURE 0.3","basis":"verbal"}]"#,
        )
        .unwrap();
        let mut request = PassRequest {
            id: "C0/full/1".to_owned(),
            claim: "C0".to_owned(),
            pass: Pass::Full,
            mode: None,
            attempt: 1,
            messages: Vec::new(),
            prompt_tokens: 0,
            schema: None,
            spans: Vec::new(),
            claim_text: String::new(),
            claims: Vec::new(),
        };
        let full = recording.answer(&request).unwrap();
        assert_eq!(
            (full.text.as_str(), full.basis),
            ("ENTAILED 0.9", Some(Basis::Recorded))
        );
        request.pass = Pass::Scrubbed;
        assert_eq!(
            recording.answer(&request).unwrap().basis,
            Some(Basis::Verbal)
        );
        request.claim = "C1".to_owned();
        let failure = recording.answer(&request).unwrap_err();
        assert_eq!(failure.path.as_deref(), Some("recording"));
        assert!(failure.message.contains("C1"));
    }
}
