import { atLeastOne, checkOptions, notNegative, object, plainObject } from "../options.js";
import { stopIf, unlessAborted } from "./cancel.js";
import { CHECK_OPTIONS, checkOutput } from "./check.js";
import type { CheckOptions, CheckResult, ToolTrace } from "./types.js";

/** What a run is told. */
export interface Attempt {
  /** 1 for the first. */
  attempt: number;
  /** What was wrong the last time: a headline and a line for each error; empty the first time. */
  errors: string[];
  /** The last result; null the first time. */
  previous: CheckResult | null;
  /** Aborts when the caller's signal does. */
  signal: AbortSignal;
}

export interface RetryOptions extends Omit<CheckOptions, "trace"> {
  /** The trace, or what gives it after each run. */
  trace?: ToolTrace | ((attempt: number) => ToolTrace | null | undefined) | null | undefined;
  /** Runs in all; 2 where absent. */
  maxAttempts?: number | null | undefined;
  /** Milliseconds before the second run, doubled for each further one; 1000 and at most 30000 where absent. Between half of that and all of it is waited. */
  backoff?: { initialMs?: number | null | undefined; maxMs?: number | null | undefined } | null | undefined;
}

/** The last run, and what was wrong with each. */
export interface Verified<T> {
  valid: boolean;
  /** What the last run gave. */
  output: T;
  /** Its result. */
  result: CheckResult;
  /** Every run's errors, in order; empty for one that is valid. */
  attempts: { attempt: number; valid: boolean; errors: string[] }[];
}

/**
 * Runs a specialist and checks its output; where that fails, runs it again with the errors handed to
 * it. What `run` throws is thrown.
 */
export async function withVerification<T>(
  run: (attempt: Attempt) => T | Promise<T>,
  options: RetryOptions = {},
): Promise<Verified<T>> {
  checkOptions({ run }, { run: { expected: "function", fits: (value) => typeof value === "function", required: true } });
  checkOptions(options, { ...CHECK_OPTIONS, trace: traceOrFunction, maxAttempts: atLeastOne, backoff: plainObject });
  checkOptions(options.backoff ?? {}, { initialMs: notNegative, maxMs: notNegative }, "backoff");
  const { maxAttempts, backoff, trace, ...checkOptionsOnly } = options;
  const most = maxAttempts ?? MAX_ATTEMPTS;
  const signal = options.signal ?? new AbortController().signal;

  const attempts: Verified<T>["attempts"] = [];
  let previous: CheckResult | null = null;
  for (let attempt = 1; ; attempt += 1) {
    stopIf(signal);
    const output = await unlessAborted(run({ attempt, errors: previous?.errors ?? [], previous, signal }), signal);
    const told = typeof trace === "function" ? trace(attempt) : trace;
    const result = await checkOutput(output, { ...checkOptionsOnly, trace: told });
    attempts.push({ attempt, valid: result.valid, errors: result.errors });
    if (result.valid || attempt >= most) {
      return { valid: result.valid, output, result, attempts };
    }
    previous = result;
    await pause(delay(attempt, backoff), signal);
  }
}

const MAX_ATTEMPTS = 2;
const INITIAL_MS = 1000;
const MAX_MS = 30_000;
/** A timer takes no longer time, and would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

const traceOrFunction = {
  expected: "trace or function",
  fits: (value: unknown) => typeof value === "function" || object.fits(value),
};

/** Between half of the backoff and all of it: many that failed together must not come back together. */
function delay(attempt: number, backoff: RetryOptions["backoff"]): number {
  const full = Math.min((backoff?.initialMs ?? INITIAL_MS) * 2 ** (attempt - 1), backoff?.maxMs ?? MAX_MS, LONGEST_MS);
  return full * (0.5 + Math.random() / 2);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await unlessAborted(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))), signal);
  } finally {
    clearTimeout(timer);
  }
}
