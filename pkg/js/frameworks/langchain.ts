// For LangChain.js: a chat model as a judge, and a middleware that checks an agent's answer. What is used of LangChain is
// written down here, so that nothing of it is needed: chat models and agents of version 1 fit.
import { ClaimgaugeError, JudgeError } from "../error.js";
import { callback, checkOptions, oneOf, type Option } from "../options.js";
import type { Judge, JudgeAnswer, SpanInput } from "../types.js";
import { ANSWER_OPTIONS, checkAnswer, spanOf, type AnswerOptions, type CheckedAnswer } from "./answer.js";

/** A chat model, as LangChain's integrations make them. */
export interface LangChainModel {
  // LangChain's own types of what is asked and how, which differ between its versions.
  invoke(messages: any, options?: any): Promise<LangChainMessage>;
  _llmType?(): string;
  model?: unknown;
  modelName?: unknown;
  temperature?: unknown;
}

/** A message of a conversation. */
export interface LangChainMessage {
  content: unknown;
  type?: string;
  name?: string | undefined;
  /** Of a tool's message: whether it failed. */
  status?: unknown;
  response_metadata?: object | undefined;
  usage_metadata?: { input_tokens?: number; output_tokens?: number } | undefined;
}

const MODEL: Option = {
  expected: "chat model of LangChain",
  fits: (value) => typeof (value as Partial<LangChainModel> | null)?.invoke === "function",
  required: true,
};

/** A chat model of LangChain as a judge. How it is asked (temperature, tokens, retries) is for the model to know. */
export function langChain(model: LangChainModel): Judge {
  checkOptions({ model }, { model: MODEL });
  const kind = model._llmType?.() ?? "chat model";
  const name = [model.model, model.modelName].find((one) => typeof one === "string") ?? "";
  const temperature = typeof model.temperature === "number" ? model.temperature : null;
  return {
    name: `${kind} ${name}`.trim(),
    basis: "verbal",
    // Of a model without a name nobody knows what its answers depend on.
    parameters: name === "" ? null : { kind, name, temperature },
    async judge({ messages }, { signal }): Promise<JudgeAnswer> {
      const { content, response_metadata: metadata, usage_metadata: usage } = await model.invoke(messages.map(({ role, content }) => ({ role, content })), { signal });
      const reason = reasonOf(metadata);
      if (REFUSED.has(reason)) throw new JudgeError({ code: "judge_refused", message: "The model's provider filtered its answer" });
      return {
        text: textOf(content),
        cut: CUT.has(reason),
        usage: { promptTokens: usage?.input_tokens ?? null, completionTokens: usage?.output_tokens ?? null },
      };
    },
  };
}

/** Why a model ended, as the providers of LangChain's integrations say it. */
const CUT = new Set(["length", "max_tokens"]);
const REFUSED = new Set(["content_filter", "refusal", "safety"]);

function reasonOf(metadata: object | undefined): string {
  const { finish_reason, finishReason, stop_reason } = (metadata ?? {}) as Record<string, unknown>;
  return String(finish_reason ?? finishReason ?? stop_reason ?? "").toLowerCase();
}

export interface CheckAnswersOptions extends AnswerOptions {
  /** What it may rest on; what tools gave in the conversation where absent. */
  evidence?: ((messages: readonly LangChainMessage[]) => SpanInput[] | Promise<SpanInput[]>) | null | undefined;
  /** `annotate`, where absent, puts the result into the answer's metadata; `throw` lets no answer pass that is to STOP. */
  onStop?: "annotate" | "throw" | null | undefined;
}

/** What `createMiddleware` takes. */
export interface LangChainMiddleware {
  name: string;
  // The state of an agent, which has a type of its own.
  afterAgent(state: any): Promise<{ messages: any[] } | undefined>;
}

/**
 * For `createMiddleware`: at an agent's end its last message is held against what tools gave, and what came of it stands in
 * the message's `response_metadata.claimgauge`.
 */
export function checkAnswers(options: CheckAnswersOptions): LangChainMiddleware {
  checkOptions(options, { ...ANSWER_OPTIONS, evidence: callback, onStop: oneOf("annotate", "throw") });
  return {
    name: "claimgauge",
    async afterAgent({ messages }: { messages: readonly LangChainMessage[] }) {
      const last = messages.at(-1);
      const text = last?.type === "ai" ? textOf(last.content) : "";
      if (last === undefined || text === "") return undefined;
      const answer = await checkAnswer(text, await (options.evidence ?? toolResults)(messages), options);
      if (options.onStop === "throw" && answer.checked && answer.recommendation === "STOP") {
        throw new ClaimgaugeError({ code: "claims_unsupported", message: answer.rationale });
      }
      return { messages: [annotated(last, answer)] };
    },
  };
}

/** The same message, of the same class and id: it takes the other's place. */
function annotated(message: LangChainMessage, claimgauge: CheckedAnswer): LangChainMessage {
  const Message = message.constructor as new (fields: object) => LangChainMessage;
  const fields = Object.entries(message).filter(([name]) => !name.startsWith("lc_"));
  return new Message({ ...Object.fromEntries(fields), response_metadata: { ...message.response_metadata, claimgauge } });
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part === "string" ? part : part?.type === "text" ? part.text ?? "" : "")).join("");
}

/** What tools gave, one span each; a call that failed gave nothing. */
function toolResults(messages: readonly LangChainMessage[]): SpanInput[] {
  return messages
    .filter(({ type, status }) => type === "tool" && status !== "error")
    .map(({ content, name }) => spanOf(textOf(content) || content, name))
    .filter((span) => typeof span === "object" && span.text !== "");
}
