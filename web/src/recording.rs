//! A judge that answers from a list of replies written down before.

use claimgauge_core::{
    judgement::Basis,
    verification::{Answer, Failure, Pass, PassRequest},
};
use serde::{Deserialize, Serialize};

/// Replies by claim and pass.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recording(Vec<Entry>);

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
}

impl Recording {
    /// Reads a list of entries; what is wrong is said with its line and column.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("There is no recording yet".to_owned());
        }
        serde_json::from_str(text)
            .map(Self)
            .map_err(|error| format!("The recording cannot be read: {error}"))
    }

    /// The recorded answer to `request`.
    pub(crate) fn answer(&self, request: &PassRequest) -> Result<Answer, Failure> {
        let fits = |entry: &&Entry| entry.claim == request.claim && entry.pass == request.pass;
        match self.0.iter().find(fits) {
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
