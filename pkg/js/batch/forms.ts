// What providers take as batches and give back: one row each.
import { checks } from "../module.js";
import type { Dialect } from "../judges/http.js";
import type { Failure, JudgeAnswer, JudgeRequest } from "../types.js";
import { failed } from "../verify.js";
import type { Outcome } from "./machine.js";

/** The interfaces that have a batch form. */
export type BatchDialect = Extract<Dialect, "anthropic" | "openai" | "openai_responses">;

interface Form {
  /** Most requests in one file. */
  lines: number;
  /** Most bytes in one file. */
  bytes: number;
  /** A line's beginning, up to the request's body, which ends the line with a brace. */
  head(customId: string): string;
}

/** Of 200 and 256 MB what a few bytes around the lines leave, a megabyte being the smaller one. */
const [MB_200, MB_256] = [200_000_000, 256_000_000 - 1_000];

const openai = (url: string): Form => ({
  lines: 50_000,
  bytes: MB_200,
  head: (customId) => `{"custom_id":"${customId}","method":"POST","url":"${url}","body":`,
});

export const FORMS: Record<BatchDialect, Form> = {
  anthropic: { lines: 100_000, bytes: MB_256, head: (customId) => `{"custom_id":"${customId}","params":` },
  openai: openai("/v1/chat/completions"),
  openai_responses: openai("/v1/responses"),
};

/** Who is asked, as the manifest has it. */
export interface Asked {
  dialect: BatchDialect;
  model: string;
  temperature: number | null;
}

/** What is sent for a question, as JSON. */
export function bodyOf({ dialect, model, temperature }: Asked, question: JudgeRequest, without: readonly string[]): string {
  const endpoint = { dialect, baseUrl: NOWHERE, model, temperature };
  const { messages, schema, claims } = question;
  const asked = { endpoint, messages, structured: schema !== null, many: claims.length > 1, without };
  return (checks.call((module) => module.providerRequest(asked)) as { body: string }).body;
}

/** A batch is sent by somebody else. */
const NOWHERE = "https://batch.invalid/v1";

/** What became of one question, as an answers' line says it. */
export type Heard =
  | { kind: "outcome"; outcome: Outcome }
  /** Nothing was said about the question itself: it is asked again. */
  | { kind: "again"; reason: string; without: string | null };

/** Reads a line of answers: one of a provider's, or one that `batch run` wrote. */
export function hear(dialect: BatchDialect, line: AnswerLine): Heard {
  if (line.answer !== undefined) return answered(line.answer);
  if (line.failure !== undefined) return { kind: "outcome", outcome: { failure: line.failure, stop: false } };
  const response = line.result === undefined ? ofOpenAi(line) : ofAnthropic(line.result);
  if ("reason" in response) return { kind: "again", reason: response.reason, without: null };
  // The last of no tries: whatever another try might mend is left to the next round.
  const read = { ...response, dialect, tries: 1, jitter: 0, without: [], apiKey: null };
  const next = checks.call((module) => module.providerRead(read)) as Next;
  switch (next.kind) {
    case "answer":
      return answered(next.answer);
    case "without":
      return { kind: "again", reason: `The provider refuses the parameter ${next.parameter}`, without: next.parameter };
    case "retry":
      return { kind: "again", reason: `The provider was busy or failed (HTTP ${response.status})`, without: null };
    case "fail": {
      const { code, message } = next.failure;
      const again = next.stop || checks.call((module) => module.isOnTheWay(code));
      return again ? { kind: "again", reason: message, without: null } : { kind: "outcome", outcome: { failure: next.failure, stop: false } };
    }
  }
}

/** A line of answers, as far as it is looked at: any of it may be something else. */
export interface AnswerLine {
  custom_id?: unknown;
  /** OpenAI's, and that of those who speak it. */
  response?: { status_code?: unknown; body?: unknown } | null;
  error?: { code?: unknown; message?: unknown } | null;
  /** Anthropic's. */
  result?: { type?: unknown; message?: unknown; error?: { type?: unknown; error?: { type?: unknown } } } | null;
  /** `batch run`'s. */
  answer?: JudgeAnswer;
  failure?: Failure;
}

type Next =
  | { kind: "answer"; answer: JudgeAnswer }
  | { kind: "fail"; failure: Failure; stop: boolean }
  | { kind: "retry"; afterMs: number }
  | { kind: "without"; parameter: string };

type Response = { status: number; body: string } | { reason: string };

function answered(answer: JudgeAnswer): Heard {
  return { kind: "outcome", outcome: { answer: { ...answer, basis: answer.basis ?? "verbal" } } };
}

function ofOpenAi({ response, error }: AnswerLine): Response {
  if (response === null || response === undefined) return { reason: words(error?.message ?? error?.code, "The line holds no response") };
  // Some servers write the response's body where the response should stand.
  const body = response.body === undefined && "choices" in response ? response : response.body;
  const status = typeof response.status_code === "number" ? response.status_code : 200;
  return { status, body: typeof body === "string" ? body : (JSON.stringify(body) ?? "") };
}

/** What Anthropic's errors are called, and the HTTP status that says the same. */
const STATUS_OF: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

function ofAnthropic(result: AnswerLine["result"]): Response {
  if (result?.type === "succeeded") return { status: 200, body: JSON.stringify(result.message) ?? "" };
  if (result?.type !== "errored") return { reason: `The request is ${words(result?.type, "without a result")}` };
  const error = result.error?.error ?? result.error;
  const type = words(error?.type, "");
  const status = Object.hasOwn(STATUS_OF, type) ? (STATUS_OF[type] as number) : 500;
  return { status, body: JSON.stringify({ error }) };
}

function words(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value.slice(0, 200) : otherwise;
}

/** A failure of our own judges, as `batch run` met it. */
export function failureOf(thrown: unknown): { failure: Failure; stop: boolean } {
  return failed(thrown);
}
