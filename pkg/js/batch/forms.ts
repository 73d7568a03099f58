// What providers take as batches and give back: one row each.
import type { Dialect } from "../judges/http.js";
import { wellFormed } from "../text.js";
import type { Failure, JudgeAnswer } from "../types.js";

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

/** A batch is sent by somebody else. */
const NOWHERE = "https://batch.invalid/v1";

/** The same as the core takes it, with the parameters that are left out. */
export function askedOf({ dialect, model, temperature }: Asked, without: readonly string[]): string {
  return JSON.stringify({ endpoint: { dialect, baseUrl: NOWHERE, model, temperature }, without });
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

/** What was said to a question, before anybody reads it. */
export type Said =
  | { response: { status: number; body: string } }
  | { answer: JudgeAnswer }
  | { failure: Failure }
  /** Nothing about the question itself. */
  | { nothing: { reason: string } };

export function saidIn(line: AnswerLine): Said {
  if (line.answer !== undefined) return { answer: line.answer };
  if (line.failure !== undefined) return { failure: line.failure };
  return line.result === undefined ? ofOpenAi(line) : ofAnthropic(line.result);
}

function ofOpenAi({ response, error }: AnswerLine): Said {
  if (response === null || response === undefined) return { nothing: { reason: words(error?.message ?? error?.code, "The line holds no response") } };
  // Some servers write the response's body where the response should stand.
  const body = response.body === undefined && "choices" in response ? response : response.body;
  const status = response.status_code;
  const isStatus = Number.isInteger(status) && (status as number) >= 100 && (status as number) < 1000;
  return { response: { status: isStatus ? (status as number) : 200, body: typeof body === "string" ? wellFormed(body) : (JSON.stringify(body) ?? "") } };
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

function ofAnthropic(result: AnswerLine["result"]): Said {
  if (result?.type === "succeeded") return { response: { status: 200, body: JSON.stringify(result.message) ?? "" } };
  if (result?.type !== "errored") return { nothing: { reason: `The request is ${words(result?.type, "without a result")}` } };
  const error = result.error?.error ?? result.error;
  const type = words(error?.type, "");
  const status = Object.hasOwn(STATUS_OF, type) ? (STATUS_OF[type] as number) : 500;
  return { response: { status, body: JSON.stringify({ error }) } };
}

function words(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? wellFormed(value.slice(0, 200)) : otherwise;
}
