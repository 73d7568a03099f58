//! What an answer says: its replies read in the light of what was sent, several of them counted, and token
//! probabilities in place of a written confidence.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use crate::{
    answer::{Answer, Failure, Sample, Usage},
    judgement::{Basis, Judgement, Verdict},
    prompt::Message,
    reply::{
        self, Entry, Reading, ReplyContext,
        logprobs::{LabelProbabilities, Spelled},
    },
    sampling, tokens,
};

/// In bytes. A longer reply is no judgement, not even one of [`MAX_GROUP`](crate::verification::MAX_GROUP) claims with a model's thoughts.
pub(crate) const MOST_REPLY: usize = 1024 * 1024;

/// How much of such a reply the report keeps, in bytes.
const KEPT_OF_LONG_REPLY: usize = 1024;

/// A judge that read less than this share of the least that was sent has not seen the evidence.
const LEAST_READ: f64 = 0.6;

impl Answer {
    /// Whether a verdict can be read in it for each of `claims`, by their ids, in reply to `messages`:
    /// only such an answer is worth keeping.
    pub fn is_readable(&self, messages: &[Message], claims: &[String]) -> bool {
        let judged = |heard: &Heard| matches!(heard, Heard::Judged { .. });
        match claims {
            [] | [_] => judged(&hear(self, messages)),
            _ => hear_many(self, messages, claims).iter().all(judged),
        }
    }
}

/// What an answer says.
#[derive(Clone)]
pub(crate) enum Heard {
    /// Nothing: the judge has not seen all that was sent.
    Cut,
    Judged {
        judgement: Judgement,
        /// P(ENTAILED), where token probabilities tell it.
        entailed: Option<f64>,
    },
    /// No verdict, or two.
    Nothing,
    /// More than any judgement.
    TooLong,
}

/// Why none of an answer's replies is read, if so.
fn unheard(answer: &Answer, sent: &[Message]) -> Option<Heard> {
    if answer.texts().any(|text| text.len() > MOST_REPLY) {
        return Some(Heard::TooLong);
    }
    let usages = match &answer.samples {
        Some(samples) => samples.iter().map(|sample| sample.usage).collect(),
        None => Vec::from([answer.usage]),
    };
    let cut = usages.into_iter().any(|usage| read_too_little(usage, sent));
    cut.then_some(Heard::Cut)
}

/// A reply as the report has it.
pub(crate) fn kept(text: &str) -> String {
    match text.len() > MOST_REPLY {
        true => start(text),
        false => text.to_owned(),
    }
}

/// A failure as the report has it: the words of a judge may be as long as any.
pub(crate) fn told(failure: Failure) -> Failure {
    let cut = |text: String| match text.len() > KEPT_OF_LONG_REPLY {
        true => start(&text),
        false => text,
    };
    Failure {
        code: failure.code,
        message: cut(failure.message),
        path: failure.path.map(cut),
        hint: failure.hint.map(cut),
    }
}

/// As much of a text as is kept where it is too long.
fn start(text: &str) -> String {
    format!("{}…", &text[..text.floor_char_boundary(KEPT_OF_LONG_REPLY)])
}

pub(crate) fn hear(answer: &Answer, sent: &[Message]) -> Heard {
    if let Some(heard) = unheard(answer, sent) {
        return heard;
    }
    let texts = contents(sent);
    let replies = answer.replies();
    let mut judgements = Vec::new();
    for reply in &replies {
        let reading = reply::read_with(&reply.text, &context(reply, &texts));
        judgements.extend(judgement(reading));
    }
    let tokens = answer.logprobs.as_deref().unwrap_or_default();
    judged(answer, judgements, replies.len(), &|verdict| {
        LabelProbabilities::read(tokens, verdict)
    })
}

/// What an answer says of each of several claims. Where token probabilities are given, they must tell
/// of each verdict: the passes of a claim have one basis.
pub(crate) fn hear_many(answer: &Answer, sent: &[Message], ids: &[String]) -> Vec<Heard> {
    if let Some(heard) = unheard(answer, sent) {
        return ids.iter().map(|_| heard.clone()).collect();
    }
    let texts = contents(sent);
    let replies = answer.replies();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let read = |reply: &Sample| reply::read_many(&reply.text, &context(reply, &texts), &ids);
    let entries: Vec<Vec<Option<Entry>>> = replies.iter().map(read).collect();
    let tokens = Spelled::new(answer.logprobs.as_deref().unwrap_or_default());
    let told = answer
        .logprobs
        .as_ref()
        .is_some_and(|tokens| !tokens.is_empty());
    let mut all = Vec::with_capacity(ids.len());
    for at in 0..ids.len() {
        let entries = || entries.iter().filter_map(|reply| reply[at].as_ref());
        let readings = entries().map(|entry| entry.reading.clone());
        let judgements = readings.filter_map(judgement).collect();
        let heard = judged(answer, judgements, replies.len(), &|verdict| {
            let entry = entries().next()?;
            tokens.label_nth(verdict, entry.nth, entry.of)
        });
        all.push(match heard {
            Heard::Judged { entailed: None, .. } if told => Heard::Nothing,
            heard => heard,
        });
    }
    all
}

/// One judgement from those of the replies, of which there are so many; `labels` finds the
/// probabilities of the verdict among the reply's tokens.
fn judged(
    answer: &Answer,
    judgements: Vec<Judgement>,
    replies: usize,
    labels: &dyn Fn(Verdict) -> Option<LabelProbabilities>,
) -> Heard {
    if answer.samples.is_some() {
        return match sampling::vote(judgements, replies) {
            Some(judgement) => Heard::Judged {
                judgement,
                entailed: None,
            },
            None => Heard::Nothing,
        };
    }
    let Some(mut judgement) = judgements.into_iter().next() else {
        return Heard::Nothing;
    };
    let labels = labels(judgement.verdict);
    judgement.basis = answer.basis.unwrap_or_default();
    if let Some(labels) = labels {
        judgement.basis = Basis::Logprob;
        judgement.confidence = Some(labels.of(judgement.verdict));
    }
    Heard::Judged {
        judgement,
        entailed: labels.map(|labels| labels.of(Verdict::Entailed)),
    }
}

fn contents(sent: &[Message]) -> Vec<&str> {
    let contents = sent.iter().map(|message| message.content.as_str());
    contents.collect()
}

/// What is known of one reply beside its text.
fn context<'a>(reply: &Sample, sent: &'a [&str]) -> ReplyContext<'a> {
    ReplyContext {
        sent,
        cut: reply.cut,
    }
}

fn judgement(reading: Reading) -> Option<Judgement> {
    match reading {
        Reading::Judgement {
            verdict,
            confidence,
            reasoning,
            revised: _,
        } => Some(Judgement {
            verdict,
            confidence,
            reasoning: reasoning.unwrap_or_default(),
            basis: Basis::default(),
        }),
        Reading::None | Reading::Ambiguous => None,
    }
}

fn read_too_little(usage: Option<Usage>, sent: &[Message]) -> bool {
    // Servers that do not count write 0.
    let read = usage.and_then(|usage| usage.prompt_tokens);
    read.filter(|read| *read > 0)
        .is_some_and(|read| (read as f64) < LEAST_READ * tokens::least(sent))
}
