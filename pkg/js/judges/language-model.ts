import { ClaimgaugeError, JudgeError, wordsOf } from "../error.js";
import { checks } from "../module.js";
import { atLeastOne, checkOptions } from "../options.js";
import type { Failure, Judge, JudgeAnswer, JudgeRequest } from "../types.js";

/** What a browser offers as `LanguageModel`, as far as it is used. */
export interface LanguageModelApi {
  availability(options?: object): Promise<string>;
  create(options?: object): Promise<LanguageModelSession>;
}

/** One conversation with it. */
export interface LanguageModelSession {
  prompt(text: string, options?: object): Promise<string>;
  destroy(): void;
}

export interface LanguageModelOptions {
  /** How long one reply may take, in milliseconds; 180,000 where absent. Loading the model is not limited. */
  timeoutMs?: number | null | undefined;
  /** Instead of the browser's own `LanguageModel`. */
  api?: LanguageModelApi | null | undefined;
}

/** Models on small machines are slow, and are asked one question at a time. */
const TIMEOUT_MS = 180_000;

const API = {
  expected: "what a browser has as LanguageModel",
  fits: (value: unknown) => typeof (value as LanguageModelApi)?.create === "function",
};

/**
 * The model that a browser has of its own, on the user's machine: nothing leaves it. Where the browser has
 * none, a run stops with the code `judge_missing`. The first question loads the model if need be, which takes minutes
 * and, in browsers, a click of the user's.
 */
export function languageModel(options: LanguageModelOptions = {}): Judge {
  checkOptions(options, { timeoutMs: atLeastOne, api: API });
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const refused = new Set<string>();
  return {
    name: "language-model",
    basis: "verbal",
    async judge({ messages, schema, claims }: JudgeRequest, { signal }): Promise<JudgeAnswer> {
      await checks.load();
      for (;;) {
        const without = [...refused];
        const question = { messages, structured: schema !== null, many: claims.length > 1, without };
        const calls = checks.call((module) => module.languageModelCalls(question)) as Calls;
        try {
          return { text: await ask(options.api, calls, timeoutMs, signal) };
        } catch (error) {
          if (signal.aborted) throw error;
          const thrown = { name: nameOf(error), message: wordsOf(error), without };
          const next = checks.call((module) => module.languageModelRead(thrown)) as Next;
          if (next.kind === "fail") throw new JudgeError({ ...next.failure, stop: next.stop });
          refused.add(next.parameter);
        }
      }
    },
  };
}

interface Calls {
  create: { initialPrompts: object[]; expectedOutputs: object[] };
  prompt: string;
  options: object;
}

type Next = { kind: "fail"; failure: Failure; stop: boolean } | { kind: "without"; parameter: string };

/** What the host says in the place of an exception's name. */
class Trouble extends Error {
  constructor(name: "Missing" | "TimeoutError") {
    super("");
    this.name = name;
  }
}

async function ask(given: LanguageModelApi | null | undefined, calls: Calls, timeoutMs: number, signal: AbortSignal): Promise<string> {
  const api = given ?? (globalThis as { LanguageModel?: LanguageModelApi }).LanguageModel;
  const { initialPrompts, ...expected } = calls.create;
  const availability = api === undefined ? "unavailable" : await api.availability(expected);
  if (api === undefined || !checks.call((module) => module.languageModelIsAvailable(String(availability)))) {
    throw new Trouble("Missing");
  }
  const session = await api.create({ ...expected, initialPrompts, signal });
  try {
    return await within(timeoutMs, signal, (own) => session.prompt(calls.prompt, { ...calls.options, signal: own }));
  } finally {
    session.destroy();
  }
}

/** Longer timers fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** What `act` gives, unless the time is over or `signal` aborts before, whatever it makes of its own signal. */
async function within<T>(timeoutMs: number, signal: AbortSignal, act: (own: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  let end = (_reason: unknown) => {};
  const ended = new Promise<never>((_, reject) => (end = reject));
  const cancel = () => end(signal.reason);
  const timer = setTimeout(() => end(new Trouble("TimeoutError")), Math.min(timeoutMs, LONGEST_TIMER));
  try {
    signal.throwIfAborted();
    signal.addEventListener("abort", cancel, { once: true });
    return await Promise.race([act(own.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
    own.abort();
  }
}

/** Total: anything may be thrown. */
function nameOf(thrown: unknown): string {
  try {
    return thrown instanceof Error && !(thrown instanceof ClaimgaugeError) ? String(thrown.name) : "";
  } catch {
    return "";
  }
}
