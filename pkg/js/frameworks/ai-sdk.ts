// For Vercel's AI SDK: any of its language models as a judge, and a middleware that checks answers. What is used of the
// SDK is written down here, so that nothing of it is needed: models of versions 5 to 7 fit, and the middleware is one of 7.
import { ClaimgaugeError, JudgeError } from "../error.js";
import { callback, checkOptions, number, oneOf, type Option } from "../options.js";
import type { Judge, JudgeAnswer, SpanInput } from "../types.js";
import { ANSWER_OPTIONS, checkAnswer, spanOf, type AnswerOptions } from "./answer.js";

/** A language model of the SDK, as its providers make them. */
export interface AiSdkModel {
  readonly provider: string;
  readonly modelId: string;
  // The SDK's own type of options, which differs between its versions.
  doGenerate(options: any): PromiseLike<AiSdkGenerated>;
}

/** What a model gave. */
export interface AiSdkGenerated {
  content: readonly { type: string }[];
  /** A word, or since version 6 one with the provider's own. */
  finishReason: string | { unified: string };
  usage?: { inputTokens?: AiSdkTokens; outputTokens?: AiSdkTokens } | undefined;
}

/** A number, or since version 6 one in parts. */
export type AiSdkTokens = number | { total?: number | undefined } | undefined;

export interface AiSdkJudgeOptions {
  /** Sent only where it is given. */
  temperature?: number | null | undefined;
}

const MODEL: Option = {
  expected: "language model of the AI SDK",
  fits: (value) => typeof (value as Partial<AiSdkModel> | null)?.doGenerate === "function",
  required: true,
};

/** A language model of the AI SDK as a judge. */
export function aiSdk(model: AiSdkModel, options: AiSdkJudgeOptions = {}): Judge {
  checkOptions({ model }, { model: MODEL });
  checkOptions(options, { temperature: number });
  const { provider, modelId } = model;
  const temperature = options.temperature ?? undefined;
  return {
    name: `${provider} ${modelId}`,
    basis: "verbal",
    parameters: { provider, modelId, temperature: temperature ?? null },
    async judge({ messages, schema }, { signal }): Promise<JudgeAnswer> {
      const prompt = messages.map(({ role, content }) => ({ role, content: role === "system" ? content : [{ type: "text", text: content }] }));
      const responseFormat = schema === null ? { type: "text" } : { type: "json", schema };
      const { content, finishReason, usage } = await model.doGenerate({
        prompt,
        responseFormat,
        abortSignal: signal,
        ...(temperature !== undefined && { temperature }),
      });
      const reason = reasonOf(finishReason);
      if (reason === "content-filter") throw new JudgeError({ code: "judge_refused", message: "The model's provider filtered its answer" });
      return {
        text: textOf(content),
        cut: reason === "length",
        usage: { promptTokens: tokens(usage?.inputTokens), completionTokens: tokens(usage?.outputTokens) },
      };
    },
  };
}

export interface CheckAnswersOptions extends AnswerOptions {
  /** What it may rest on; what tools gave in the conversation where absent. */
  evidence?: ((prompt: readonly AiSdkMessage[]) => SpanInput[] | Promise<SpanInput[]>) | null | undefined;
  /** `annotate`, where absent, puts the result into the answer's metadata; `throw` lets no answer pass that is to STOP. */
  onStop?: "annotate" | "throw" | null | undefined;
}

/** A message of the conversation. */
export interface AiSdkMessage {
  readonly role: string;
  readonly content: unknown;
}

/** Of a stream. */
interface Part {
  type: string;
  delta?: unknown;
}

interface Params {
  prompt: readonly AiSdkMessage[];
}

/** A middleware of version 7. */
export interface AiSdkMiddleware {
  readonly specificationVersion: "v4";
  wrapGenerate<R extends AiSdkGenerated>(options: { doGenerate(): PromiseLike<R>; params: Params }): Promise<R>;
  wrapStream<R extends { stream: ReadableStream }>(options: { doStream(): PromiseLike<R>; params: Params }): Promise<R>;
}

/**
 * A middleware for `wrapLanguageModel`: an answer in words is held against what tools gave, and what came of it stands in
 * its `providerMetadata.claimgauge`. Calls of tools are not answers. Of a stream the words are on their way before
 * they can be checked: its last part has the result, or it ends with the error.
 */
export function checkAnswers(options: CheckAnswersOptions): AiSdkMiddleware {
  checkOptions(options, { ...ANSWER_OPTIONS, evidence: callback, onStop: oneOf("annotate", "throw") });
  return {
    specificationVersion: "v4",
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const isAnswer = !result.content.some(({ type }) => type === "tool-call");
      return isAnswer ? annotated(result, await checked(textOf(result.content), params, options)) : result;
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream();
      let text = "";
      let isAnswer = true;
      const check = new TransformStream<Part, Part>({
        async transform(part, out) {
          if (part.type === "text-delta" && typeof part.delta === "string") text += part.delta;
          isAnswer &&= part.type !== "tool-call";
          const isLast = part.type === "finish" && isAnswer;
          out.enqueue(isLast ? annotated(part, await checked(text, params, options)) : part);
        },
      });
      return { ...result, stream: (result.stream as ReadableStream<Part>).pipeThrough(check) };
    },
  };
}

async function checked(text: string, { prompt }: Params, options: CheckAnswersOptions): Promise<object | undefined> {
  if (text === "") return undefined;
  const answer = await checkAnswer(text, await (options.evidence ?? toolResults)(prompt), options);
  if (options.onStop === "throw" && answer.checked && answer.recommendation === "STOP") {
    throw new ClaimgaugeError({ code: "claims_unsupported", message: answer.rationale });
  }
  return answer;
}

function annotated<R extends object>(result: R, claimgauge: object | undefined): R {
  if (claimgauge === undefined) return result;
  const { providerMetadata } = result as { providerMetadata?: object };
  return { ...result, providerMetadata: { ...providerMetadata, claimgauge } };
}

function textOf(content: AiSdkGenerated["content"]): string {
  return content.map((part) => (part.type === "text" ? (part as { text?: string }).text ?? "" : "")).join("");
}

function reasonOf(reason: AiSdkGenerated["finishReason"]): string {
  return typeof reason === "string" ? reason : reason?.unified;
}

function tokens(count: AiSdkTokens): number | null {
  return (typeof count === "number" ? count : count?.total) ?? null;
}

/** What tools gave, one span each. */
function toolResults(prompt: readonly AiSdkMessage[]): SpanInput[] {
  const parts = prompt.flatMap(({ role, content }) => (role === "tool" && Array.isArray(content) ? content : [])) as ToolResult[];
  return parts.flatMap(({ type, toolName, output }) => {
    const value = type === "tool-result" && output?.type !== "execution-denied" ? output?.value : undefined;
    if (value === undefined) return [];
    return [spanOf(value, toolName)];
  });
}

interface ToolResult {
  type: string;
  toolName?: string;
  output?: { type: string; value?: unknown };
}
