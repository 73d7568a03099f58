import { ClaimgaugeError, JudgeError, wordsOf } from "./error.js";
import type { Basis, Cache, Judge, JudgeAnswer, JudgeFunction, JudgeReply } from "./types.js";

/** What an option must be, and whether it must be there. Null and undefined are absent. */
export interface Option {
  expected: string;
  fits(value: unknown): boolean;
  required?: boolean;
}

export const text: Option = { expected: "string", fits: (value) => typeof value === "string" };
export const requiredText: Option = { ...text, required: true };
export const number: Option = { expected: "finite number", fits: (value) => Number.isFinite(value) };
export const callback: Option = { expected: "function", fits: (value) => typeof value === "function" };
export const flag: Option = { expected: "boolean", fits: (value) => typeof value === "boolean" };
export const array: Option = { expected: "array", fits: Array.isArray };
export const object: Option = { expected: "object", fits: isObject };
export const plainObject: Option = { expected: "object", fits: isPlain };
export const atLeastOne: Option = {
  expected: "whole number of at least 1",
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
};
export const notNegative: Option = {
  expected: "whole number that is not negative",
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};
export const abortSignal: Option = {
  expected: "AbortSignal",
  fits(value) {
    if (!isObject(value)) return false;
    const { addEventListener, removeEventListener } = value as Partial<AbortSignal>;
    return typeof addEventListener === "function" && typeof removeEventListener === "function";
  },
};
export const cache: Option = {
  expected: "object with get and set",
  fits(value) {
    const { get, set } = (value ?? {}) as Partial<Cache>;
    return typeof get === "function" && typeof set === "function";
  },
};
export const judge: Option = { expected: "judge or function", fits: isJudge };

/** One of these texts. */
export function oneOf(...words: string[]): Option {
  return { expected: words.map((word) => `"${word}"`).join(" or "), fits: (value) => words.includes(value as string) };
}

const BASES: { readonly [basis in Basis]: true } = { verbal: true, logprob: true, sampled: true, builtin: true, recorded: true };

const aBasis = oneOf(...Object.keys(BASES));

/** Refuses options that are unknown, absent though required, or of another type. */
export function checkOptions(options: unknown, known: Record<string, Option>, path = ""): void {
  readable(path, () => {
    if (!isPlain(options)) throw wrongType(path, "object", options);
    for (const name of Object.keys(options)) {
      if (!Object.hasOwn(known, name)) {
        throw new ClaimgaugeError({
          code: "unknown_field",
          message: `There is no option "${name.slice(0, 60)}"`,
          path: within(path, name),
          hint: `The options are: ${Object.keys(known).join(", ")}.`,
        });
      }
    }
    checkKnown(options, known, path, "option");
  });
}

/** Refuses fields that are absent though required, or of another type; others may be there. */
export function checkFields(value: unknown, known: Record<string, Option>, path: string): void {
  readable(path, () => {
    if (!isObject(value)) throw wrongType(path, "object", value);
    checkKnown(value, known, path, "field");
  });
}

/** Refuses bytes that are no longer there: their buffer went to another thread, or was made shorter. */
export function checkBytes(bytes: Uint8Array, path: string): void {
  try {
    // The methods of typed arrays look whether it is one, and in place; its length is 0 in either case.
    bytes.at(0);
  } catch {
    throw new ClaimgaugeError({
      code: "invalid_value",
      message: "The bytes are no longer there",
      path,
      hint: "Their buffer was transferred, or made shorter: hand in a copy, as `bytes.slice()` gives it, or transfer that.",
    });
  }
}

/** Whatever a getter or a proxy throws is a refusal. */
export function readable<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof ClaimgaugeError) throw thrown;
    throw new ClaimgaugeError({
      code: "invalid_value",
      message: `Reading it threw: ${wordsOf(thrown)}`,
      path,
      hint: "Hand in objects without getters and proxies.",
    });
  }
}

/** Tells the caller something by a function of theirs. What it throws ends what they asked for, as their own fault. */
export function telling<T>(told: ((progress: T) => void) | null | undefined, progress: () => T, path = "onProgress"): void {
  if (!told) return;
  const at = progress();
  try {
    told(at);
  } catch (cause) {
    const hint = "Nothing more was done then. Catch in it what it may throw; to cancel, abort the `signal`.";
    throw new ClaimgaugeError({ code: "callback_failed", message: `${path} threw: ${wordsOf(cause)}`, path, hint }, { cause });
  }
}

/** A judge as it is now, so that a getter that throws is refused before anything is asked. */
export function asJudge(judge: Judge | JudgeFunction): Judge {
  return readable("judge", () => {
    if (typeof judge === "function") return { name: judge.name, basis: "verbal", judge };
    checkKnown(judge, { basis: aBasis, calls: notNegative, single: flag }, "judge", "field");
    const { name, basis, calls, single, parameters } = judge;
    return { name, basis, calls, single, parameters, judge: (question, options) => judge.judge(question, options) };
  });
}

/** What a judge gave, as an answer. */
export function asAnswer(reply: JudgeReply | null | undefined): JudgeAnswer {
  if (reply === null || reply === undefined) {
    const hint = "An answer is a text, or { text, … }.";
    throw new JudgeError({ code: "judge_failed", message: `The judge gave ${reply}`, path: "answer", hint });
  }
  return typeof reply === "string" ? { text: reply } : reply;
}

function checkKnown(value: object, known: Record<string, Option>, path: string, what: string): void {
  for (const [name, option] of Object.entries(known)) {
    const given = (value as Record<string, unknown>)[name];
    if (given !== undefined && given !== null) {
      if (!option.fits(given)) {
        throw wrongType(within(path, name), option.expected, given);
      }
    } else if (option.required) {
      throw new ClaimgaugeError({
        code: "missing_field",
        message: `The ${what} "${name}" is missing`,
        path: within(path, name),
        hint: `Expected ${option.expected}.`,
      });
    }
  }
}

function within(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function wrongType(path: string, expected: string, value: unknown): ClaimgaugeError {
  return new ClaimgaugeError({
    code: typeof value === "number" ? "invalid_value" : "invalid_type",
    message: `Expected ${expected}, received ${received(value)}`,
    path,
    hint: value instanceof Promise ? "Await it first." : value instanceof Map ? "Make it a plain object: `Object.fromEntries(map)`." : null,
  });
}

function received(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return String(value);
  const name: unknown = typeof value === "object" ? value.constructor?.name : undefined;
  return typeof name === "string" && name !== "" && name !== "Object" ? name.slice(0, 60) : typeof value;
}

function isJudge(value: unknown): boolean {
  if (typeof value === "function") return true;
  const { name, basis, judge } = (value ?? {}) as Partial<Judge>;
  return typeof name === "string" && typeof basis === "string" && typeof judge === "function";
}

/** Whether a value is its fields and nothing else. What has a class holds more, or none: a Map, a Date, a Promise. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Plain objects of another frame have another `Object.prototype`, with nothing above it too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value has fields: an object that is no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
