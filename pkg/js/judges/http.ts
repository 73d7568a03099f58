import { ClaimgaugeError, JudgeError } from "../error.js";
import { checks, more } from "../module.js";
import { atLeastOne, callback, number, requiredText, text } from "../options.js";
import type { Failure, Judge, JudgeAnswer, JudgeRequest } from "../types.js";

/** What every judge over HTTP takes. */
export interface HttpOptions {
  /** Up to and without what the interface adds: `https://api.example.com/v1`. */
  baseUrl: string;
  /** Leave it out where the server asks for none. */
  apiKey?: string | null | undefined;
  /** The model's name on that server. */
  model: string;
  /** Sent only where it is set. */
  temperature?: number | null | undefined;
  /** Most tokens of a reply; sent only where it is set or the provider demands it. */
  maxTokens?: number | null | undefined;
  /** How long one try may take, in milliseconds; 60,000 where absent. */
  timeoutMs?: number | null | undefined;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch | null | undefined;
}

/** An interface that the core describes. */
export type Dialect = "anthropic" | "gemini" | "ollama" | "openai" | "openai_responses";

const TIMEOUT_MS = 60_000;

/** What {@link HttpOptions} holds, to be checked. */
export const HTTP_OPTIONS = {
  baseUrl: text,
  apiKey: text,
  model: requiredText,
  temperature: number,
  maxTokens: atLeastOne,
  timeoutMs: atLeastOne,
  fetch: callback,
};

/**
 * A model behind one of the interfaces that the core describes. Busy or broken servers are asked again,
 * up to four times in all, those that do not answer in time twice; a parameter that the server refuses is left out from then on; a refused key
 * stops the run. Token probabilities, where the server gives them, are the confidence. What stands in `without` is left
 * out from the first question on.
 */
export function httpJudge(
  dialect: Dialect,
  options: Omit<HttpOptions, "baseUrl"> & { baseUrl?: string | null | undefined },
  without: readonly string[] = [],
): Judge {
  const { apiKey, model, temperature, maxTokens } = options;
  const endpoint = { dialect, baseUrl: options.baseUrl ?? "", apiKey, model, temperature, maxTokens };
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  // A wrong setting is told now, not by every question.
  checkEndpoint(endpoint);

  const refused = new Set(without);
  return {
    name: `${dialect}:${model}`,
    basis: "verbal",
    parameters: { dialect, baseUrl: endpoint.baseUrl, model, temperature: temperature ?? null, maxTokens: maxTokens ?? null },
    async judge({ messages, schema, claims }: JudgeRequest, { signal }): Promise<JudgeAnswer> {
      await checks.load();
      for (let tries = 1; ; tries += 1) {
        const without = [...refused];
        const question = { endpoint, messages, structured: schema !== null, many: claims.length > 1, without };
        const request = checks.call((module) => module.providerRequest(question)) as HttpRequest;
        const response = await exchange(send, request, timeoutMs, signal);
        const sent = { dialect, tries, jitter: Math.random(), without, apiKey, inPage };
        const next = checks.call((module) => module.providerRead({ ...response, ...sent })) as Next;
        switch (next.kind) {
          case "answer":
            return next.answer;
          case "fail":
            throw new JudgeError({ ...next.failure, stop: next.stop });
          case "retry":
            await sleep(next.afterMs, signal);
            break;
          case "without":
            refused.add(next.parameter);
            // The server took nothing amiss but the parameter.
            tries -= 1;
        }
      }
    },
  };
}

/** Whether servers must allow what is sent: the browser holds pages and their workers to that. */
const inPage = "location" in globalThis;

/** Longer timers fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** In bytes: a judgement is a few hundred, and token probabilities are some thousand for each token. */
const MOST_BODY = 16 * 1024 * 1024;

interface HttpRequest {
  url: string;
  headers: [string, string][];
  body: string;
}

/** What came of sending a request. */
interface HttpResponse {
  status?: number;
  retryAfter?: string | null;
  body: string;
  trouble?: "cut" | "large" | "timeout" | "unreachable";
}

type Next =
  | { kind: "answer"; answer: JudgeAnswer }
  | { kind: "fail"; failure: Failure; stop: boolean }
  | { kind: "retry"; afterMs: number }
  | { kind: "without"; parameter: string };

/** An error names the option at fault. */
function checkEndpoint(endpoint: object): void {
  try {
    more.call((module) => module.endpointCheck(endpoint));
  } catch (error) {
    if (!(error instanceof ClaimgaugeError) || !error.path.startsWith("endpoint.")) {
      throw error;
    }
    const { code, message, path, hint } = error;
    throw new ClaimgaugeError({ code, message, path: path.slice("endpoint.".length), hint });
  }
}

async function exchange(
  send: typeof fetch,
  request: HttpRequest,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const controller = new AbortController();
  const cancel = () => controller.abort(signal.reason);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, Math.min(timeoutMs, LONGEST_TIMER));
  // A caller's own `fetch` may not hear the signal, nor its body end.
  const ended = new Promise<never>((_, reject) => controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true }));
  ended.catch(() => {});
  let head: { status?: number; retryAfter?: string | null } = {};
  try {
    signal.addEventListener("abort", cancel, { once: true });
    signal.throwIfAborted();
    const sent = send(request.url, {
      method: "POST",
      headers: request.headers,
      body: request.body,
      // Neither the key nor the evidence goes to a host that the user did not name.
      redirect: "manual",
      signal: controller.signal,
    });
    const response = await Promise.race([sent, ended]);
    // A browser does not tell which redirect it was.
    const status = response.type === "opaqueredirect" ? 302 : response.status;
    head = { status, retryAfter: inSeconds(response.headers.get("retry-after")) };
    const body = await Promise.race([read(response), ended]);
    return body === null ? { ...head, body: "", trouble: "large" } : { ...head, body };
  } catch (error) {
    if (signal.aborted) throw error;
    const began = head.status !== undefined;
    return { ...head, body: "", trouble: timedOut ? "timeout" : began ? "cut" : "unreachable" };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  }
}

/** The body as text; null where it is larger than any judgement. */
async function read(response: Response): Promise<string | null> {
  if (!response.body) return response.text();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > MOST_BODY) {
      reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** `Retry-After` may be a date of HTTP; how far off it is, only a host with a clock can say. Engines read much more as one. */
function inSeconds(retryAfter: string | null): string | null {
  if (retryAfter === null || !/^\s*(mon|tue|wed|thu|fri|sat|sun)/i.test(retryAfter)) return retryAfter;
  // The oldest form names no zone, and means this one.
  const date = Date.parse(/gmt|utc|[+-]\d{4}\s*$/i.test(retryAfter) ? retryAfter : `${retryAfter} GMT`);
  return Number.isNaN(date) ? null : String(Math.max(0, Math.ceil((date - Date.now()) / 1000)));
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", cancel);
      resolve();
    }, milliseconds);
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
  });
}
