//! What a run would send, before it does: counted, and word for word. Made apart from the page.

use claimgauge_core::{estimate::planned, prompt::Message, verification::Pass};
use serde::{Deserialize, Serialize};

use crate::inputs::{Fault, Inputs};

/// The questions that a run would ask if each reply could be read.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Plan {
    pub(crate) calls: usize,
    /// About how many tokens they hold together.
    pub(crate) tokens: usize,
    /// The ids of the first claims.
    pub(crate) claims: Vec<String>,
    /// The claim of which the questions are shown.
    pub(crate) claim: usize,
    pub(crate) questions: Vec<Question>,
}

/// One of them.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Question {
    pub(crate) pass: Pass,
    pub(crate) tokens: usize,
    pub(crate) messages: Vec<Message>,
}

/// How many claims can be picked.
const MOST_CLAIMS: usize = 100;

/// How many bytes of questions are written before the rest is counted by what they came to.
const MOST_BYTES: usize = 8 << 20;

impl Plan {
    /// Of these inputs, with the questions about the claim at `claim`.
    pub(crate) fn of(inputs: &Inputs, claim: usize) -> Result<Self, Fault> {
        let claims = inputs.claim_ids();
        let claim = claim.min(claims.len().saturating_sub(1));
        let request = inputs.complete_request()?;
        // Each claim is asked about twice.
        let calls = 2 * request.claims.len();
        let mut plan = Self {
            calls,
            claims: claims.into_iter().take(MOST_CLAIMS).collect(),
            claim,
            ..Self::default()
        };
        let wanted = plan.claims.get(claim).cloned().unwrap_or_default();
        let (mut written, mut bytes) = (0, 0);
        for asked in planned(request, 1).map_err(|error| Fault::from(&error))? {
            plan.tokens += asked.prompt_tokens;
            written += 1;
            let texts = asked.messages.iter().map(|message| message.content.len());
            bytes += texts.sum::<usize>();
            if asked.claims == [wanted.as_str()] {
                plan.questions.push(Question {
                    pass: asked.pass,
                    tokens: asked.prompt_tokens,
                    messages: asked.messages,
                });
            }
            if bytes > MOST_BYTES && !plan.questions.is_empty() {
                break;
            }
        }
        if written > 0 && written < calls {
            plan.tokens = plan.tokens / written * calls;
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use claimgauge_core::estimate::estimate;

    use super::*;
    use crate::inputs::SpanText;

    fn inputs(span: String, claims: &str) -> Inputs {
        Inputs {
            evidence: vec![SpanText {
                text: span,
                ..SpanText::default()
            }],
            claims: claims.to_owned(),
            ..Inputs::default()
        }
    }

    #[test]
    fn it_is_the_cores_estimate_with_the_words_of_one_claim() {
        let inputs = inputs(
            "Port 80 is open.".to_owned(),
            "Port 80 is open\nPort 81 is open",
        );
        let want = estimate(inputs.request(), 1).unwrap();
        let plan = Plan::of(&inputs, 1).unwrap();
        assert_eq!((plan.calls, plan.tokens), (want.calls, want.prompt_tokens));
        assert_eq!(plan.claims, ["C0", "C1"]);
        let passes: Vec<Pass> = plan.questions.iter().map(|asked| asked.pass).collect();
        assert_eq!(passes, [Pass::Full, Pass::Scrubbed]);
        for (asked, want) in plan.questions.iter().zip(&want.requests[2..]) {
            assert_eq!(asked.messages, want.messages);
        }
    }

    #[test]
    fn many_large_questions_are_counted_by_the_first() {
        let inputs = inputs(
            "Port 80 is open. ".repeat(40_000),
            &"Port 80 is open\n".repeat(60),
        );
        let plan = Plan::of(&inputs, 0).unwrap();
        assert_eq!(plan.calls, 120);
        let pair: usize = plan.questions.iter().map(|asked| asked.tokens).sum();
        let pairs = plan.tokens / pair;
        assert!((55..=65).contains(&pairs), "{pairs} of 60");
    }
}
