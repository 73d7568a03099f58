//! What each provider's interface looks like: what requests hold, and where in a response the reply, its
//! tokens and the usage stand.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Question;
use crate::{
    answer::Usage,
    json::Json,
    prompt::{Bounds, Role},
    reply::logprobs::{Alternative, TokenLogprob},
};

/// An interface that providers offer. Serialises in snake_case.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
    /// Ollama's own chat.
    Ollama,
    /// OpenAI's chat completions, which llama.cpp, vLLM, LM Studio and many others speak too.
    #[default]
    Openai,
    /// OpenAI's responses.
    OpenaiResponses,
}

/// The description of one dialect.
pub(super) struct Description {
    dialect: Dialect,
    /// Parameters that a server may refuse and that the request can do without.
    pub(super) optional: &'static [&'static str],
    pub(super) body: Body,
    pub(super) reply: fn(&Value) -> Reply,
}

/// Makes a request's body of a question and of which parameters may be sent.
type Body = for<'a> fn(&'a Question, &dyn Fn(&str) -> bool) -> Json<'a>;

/// What a response holds.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Reply {
    /// Absent where the response has no place for one.
    pub(super) text: Option<String>,
    /// What the model said instead of answering.
    pub(super) refusal: Option<String>,
    pub(super) cut: bool,
    pub(super) logprobs: Option<Vec<TokenLogprob>>,
    pub(super) usage: Option<Usage>,
}

pub(super) fn describe(dialect: Dialect) -> &'static Description {
    DESCRIPTIONS
        .iter()
        .find(|description| description.dialect == dialect)
        .expect("every dialect has its description, as a test checks")
}

static DESCRIPTIONS: [Description; 5] = [
    Description {
        dialect: Dialect::Openai,
        optional: &[
            "response_format",
            "top_logprobs",
            "logprobs",
            "temperature",
            "max_tokens",
        ],
        body: |question, sent| {
            let mut fields = Vec::from([
                ("model", Json::Text(question.model())),
                ("messages", messages(question)),
            ]);
            if question.structured && sent("response_format") {
                let schema = Json::object([
                    ("name", Json::Text("judgement")),
                    ("schema", question.schema(Bounds::Given)),
                ]);
                let format = [("type", Json::Text("json_schema")), ("json_schema", schema)];
                fields.push(("response_format", Json::object(format)));
            }
            if sent("logprobs") && sent("top_logprobs") {
                fields.push(("logprobs", Json::Flag(true)));
                fields.push(("top_logprobs", Json::Whole(TOP_LOGPROBS)));
            }
            fields.extend(limits(question, sent, "temperature", "max_tokens"));
            fields.push(("stream", Json::Flag(false)));
            Json::Object(fields)
        },
        reply: |body| {
            let choice = &body["choices"][0];
            let message = &choice["message"];
            Reply {
                text: text_of(&message["content"])
                    .or_else(|| tool_input(&message["tool_calls"][0]["function"]["arguments"]))
                    .or_else(|| message.is_object().then(String::new)),
                refusal: words(&message["refusal"]),
                cut: ended(
                    &choice["finish_reason"],
                    &["length", "content_filter", "error"],
                ),
                logprobs: tokens(&choice["logprobs"]["content"]),
                usage: usage(&body["usage"], &["prompt_tokens"], &["completion_tokens"]),
            }
        },
    },
    Description {
        dialect: Dialect::OpenaiResponses,
        optional: &[
            "text.format",
            "top_logprobs",
            "logprobs",
            "include",
            "temperature",
            "max_output_tokens",
        ],
        body: |question, sent| {
            let mut fields = Vec::from([
                ("model", Json::Text(question.model())),
                ("input", messages(question)),
                ("store", Json::Flag(false)),
            ]);
            if question.structured && sent("text.format") {
                let format = Json::object([
                    ("type", Json::Text("json_schema")),
                    ("name", Json::Text("judgement")),
                    ("schema", question.schema(Bounds::Given)),
                    ("strict", Json::Flag(false)),
                ]);
                fields.push(("text", Json::object([("format", format)])));
            }
            if ["include", "logprobs", "top_logprobs"]
                .into_iter()
                .all(sent)
            {
                let what = Json::Text("message.output_text.logprobs");
                fields.push(("include", Json::list([what])));
                fields.push(("top_logprobs", Json::Whole(TOP_LOGPROBS)));
            }
            fields.extend(limits(question, sent, "temperature", "max_output_tokens"));
            Json::Object(fields)
        },
        reply: |body| {
            let output = items(&body["output"]).filter(|item| item["type"] == "message");
            let parts: Vec<&Value> = output
                .flat_map(|message| items(&message["content"]))
                .collect();
            let said = || parts.iter().filter(|part| part["type"] == "output_text");
            Reply {
                text: join(said().filter_map(|part| part["text"].as_str())),
                refusal: parts.iter().find_map(|part| words(&part["refusal"])),
                cut: body["incomplete_details"]["reason"].is_string(),
                logprobs: said().find_map(|part| tokens(&part["logprobs"])),
                usage: usage(&body["usage"], &["input_tokens"], &["output_tokens"]),
            }
        },
    },
    Description {
        dialect: Dialect::Anthropic,
        optional: &["output_config", "tool_choice", "tools", "temperature"],
        body: |question, sent| {
            let mut fields = Vec::from([
                ("model", Json::Text(question.model())),
                (
                    "max_tokens",
                    Json::Whole(question.endpoint.max_tokens.unwrap_or(MAX_TOKENS)),
                ),
                ("system", Json::Text(question.of(Role::System))),
                (
                    "messages",
                    Json::list([message("user", question.of(Role::User))]),
                ),
            ]);
            if question.structured && sent("output_config") {
                // It refuses bounds on numbers.
                let format = Json::object([
                    ("type", Json::Text("json_schema")),
                    ("schema", question.schema(Bounds::Left)),
                ]);
                fields.push(("output_config", Json::object([("format", format)])));
            } else if question.structured && sent("tools") && sent("tool_choice") {
                // Models that have no structured output take a tool that they must call.
                let tool = Json::object([
                    ("name", Json::Text(TOOL)),
                    ("description", Json::Text("Hands in the judgement.")),
                    ("input_schema", question.schema(Bounds::Given)),
                ]);
                let choice =
                    Json::object([("type", Json::Text("tool")), ("name", Json::Text(TOOL))]);
                fields.push(("tools", Json::list([tool])));
                fields.push(("tool_choice", choice));
            }
            if let Some(temperature) = question
                .endpoint
                .temperature
                .filter(|_| sent("temperature"))
            {
                fields.push(("temperature", Json::Number(temperature)));
            }
            Json::Object(fields)
        },
        reply: |body| {
            let parts = || items(&body["content"]);
            let texts = parts().filter(|part| part["type"] == "text");
            let tool = parts().find(|part| part["type"] == "tool_use");
            let refused = body["stop_reason"] == "refusal";
            Reply {
                text: tool
                    .and_then(|tool| tool_input(&tool["input"]))
                    .or_else(|| join(texts.filter_map(|part| part["text"].as_str())))
                    .or_else(|| body["content"].is_array().then(String::new)),
                refusal: refused.then(|| "stop_reason: refusal".to_owned()),
                cut: ended(
                    &body["stop_reason"],
                    &["max_tokens", "model_context_window_exceeded", "pause_turn"],
                ),
                logprobs: None,
                usage: usage(
                    &body["usage"],
                    &[
                        "input_tokens",
                        "cache_creation_input_tokens",
                        "cache_read_input_tokens",
                    ],
                    &["output_tokens"],
                ),
            }
        },
    },
    Description {
        dialect: Dialect::Gemini,
        optional: &["responseJsonSchema", "temperature", "maxOutputTokens"],
        body: |question, sent| {
            let part = |text| Json::list([Json::object([("text", Json::Text(text))])]);
            let mut config = Vec::new();
            if question.structured && sent("responseJsonSchema") {
                config.push(("responseMimeType", Json::Text("application/json")));
                config.push(("responseJsonSchema", question.schema(Bounds::Given)));
            }
            config.extend(limits(question, sent, "temperature", "maxOutputTokens"));
            let system = [("parts", part(question.of(Role::System)))];
            let user = [
                ("role", Json::Text("user")),
                ("parts", part(question.of(Role::User))),
            ];
            Json::object([
                ("systemInstruction", Json::object(system)),
                ("contents", Json::list([Json::object(user)])),
                ("generationConfig", Json::Object(config)),
            ])
        },
        reply: |body| {
            let candidate = &body["candidates"][0];
            let parts = items(&candidate["content"]["parts"]);
            let said = parts.filter(|part| part["thought"] != true);
            let blocked = words(&body["promptFeedback"]["blockReason"]);
            Reply {
                text: join(said.filter_map(|part| part["text"].as_str()))
                    .or_else(|| candidate.is_object().then(String::new)),
                refusal: blocked.or_else(|| {
                    words(&candidate["finishReason"]).filter(|reason| {
                        ["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"]
                            .contains(&reason.as_str())
                    })
                }),
                cut: candidate["finishReason"]
                    .as_str()
                    .is_some_and(|reason| !["STOP", "FINISH_REASON_UNSPECIFIED"].contains(&reason)),
                logprobs: None,
                usage: usage(
                    &body["usageMetadata"],
                    &["promptTokenCount"],
                    &["candidatesTokenCount", "thoughtsTokenCount"],
                ),
            }
        },
    },
    Description {
        dialect: Dialect::Ollama,
        optional: &["format", "top_logprobs", "logprobs"],
        body: |question, sent| {
            let mut fields = Vec::from([
                ("model", Json::Text(question.model())),
                ("messages", messages(question)),
                ("stream", Json::Flag(false)),
            ]);
            if question.structured && sent("format") {
                fields.push(("format", question.schema(Bounds::Given)));
            }
            if sent("logprobs") && sent("top_logprobs") {
                fields.push(("logprobs", Json::Flag(true)));
                fields.push(("top_logprobs", Json::Whole(TOP_LOGPROBS)));
            }
            let options = limits(question, sent, "temperature", "num_predict");
            if !options.is_empty() {
                fields.push(("options", Json::Object(options)));
            }
            Json::Object(fields)
        },
        reply: |body| Reply {
            text: text_of(&body["message"]["content"]),
            refusal: None,
            cut: body["done_reason"] == "length",
            logprobs: tokens(&body["logprobs"]),
            usage: usage(body, &["prompt_eval_count"], &["eval_count"]),
        },
    },
];

/// As many alternatives as providers list at most.
const TOP_LOGPROBS: u32 = 20;
/// The most tokens of a reply where a provider demands a number: a judgement, and what a model may
/// think before it.
const MAX_TOKENS: u32 = 4096;
/// The tool that a model is made to call where it has no structured output.
const TOOL: &str = "judge";

fn messages(question: &Question) -> Json<'_> {
    Json::list(question.messages.iter().map(|said| {
        let role = match said.role {
            Role::System => "system",
            Role::User => "user",
        };
        message(role, &said.content)
    }))
}

fn message<'a>(role: &'a str, content: &'a str) -> Json<'a> {
    Json::object([("role", Json::Text(role)), ("content", Json::Text(content))])
}

/// The two parameters that every provider has, under its own names and only where they are set.
fn limits<'a>(
    question: &Question,
    sent: &dyn Fn(&str) -> bool,
    temperature: &'a str,
    max_tokens: &'a str,
) -> Vec<(&'a str, Json<'a>)> {
    let endpoint = &question.endpoint;
    let warmth = endpoint.temperature.filter(|_| sent(temperature));
    let most = endpoint.max_tokens.filter(|_| sent(max_tokens));
    let mut fields = Vec::new();
    fields.extend(warmth.map(|value| (temperature, Json::Number(value))));
    fields.extend(most.map(|value| (max_tokens, Json::Whole(value))));
    fields
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A text that is not empty.
fn words(value: &Value) -> Option<String> {
    value
        .as_str()
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

/// Whether a reply ended for one of these reasons: before its end.
fn ended(reason: &Value, early: &[&str]) -> bool {
    reason
        .as_str()
        .is_some_and(|reason| early.contains(&reason))
}

/// A message's content: text, or a list of parts with text.
fn text_of(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let spoken = parts.iter().filter(|part| {
                part["type"]
                    .as_str()
                    .is_none_or(|kind| matches!(kind, "text" | "output_text"))
            });
            join(spoken.filter_map(|part| part["text"].as_str()))
        }
        _ => None,
    }
}

/// What a tool was called with: an object, or its JSON.
fn tool_input(input: &Value) -> Option<String> {
    match input {
        Value::String(text) => Some(text.clone()),
        Value::Object(_) => Some(format!("{input}")),
        _ => None,
    }
}

fn join<'a>(texts: impl Iterator<Item = &'a str>) -> Option<String> {
    texts.fold(None, |joined: Option<String>, text| {
        Some(joined.unwrap_or_default() + text)
    })
}

fn tokens(list: &Value) -> Option<Vec<TokenLogprob>> {
    let read = |value: &Value| {
        Some(Alternative {
            token: value["token"].as_str()?.to_owned(),
            logprob: value["logprob"].as_f64()?,
        })
    };
    let tokens: Vec<TokenLogprob> = items(list)
        .map_while(|value| {
            let own = read(value)?;
            Some(TokenLogprob {
                token: own.token,
                logprob: own.logprob,
                top: items(&value["top_logprobs"]).filter_map(read).collect(),
            })
        })
        .collect();
    (!tokens.is_empty()).then_some(tokens)
}

/// Token counts: providers split some of them up.
fn usage(counts: &Value, prompt: &[&str], completion: &[&str]) -> Option<Usage> {
    let sum = |keys: &[&str]| {
        let counted = keys.iter().filter_map(|key| counts[*key].as_u64());
        counted.fold(None, |sum: Option<u64>, count| {
            Some(sum.unwrap_or(0).saturating_add(count))
        })
    };
    let usage = Usage {
        prompt_tokens: sum(prompt),
        completion_tokens: sum(completion),
    };
    (usage != Usage::default()).then_some(usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_its_description() {
        for dialect in [
            Dialect::Anthropic,
            Dialect::Gemini,
            Dialect::Ollama,
            Dialect::Openai,
            Dialect::OpenaiResponses,
        ] {
            assert_eq!(describe(dialect).dialect, dialect);
        }
    }
}
