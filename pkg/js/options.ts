import { ClaimgaugeError, wordsOf } from "./error.js";
import type { Cache, Judge } from "./types.js";

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

/** Refuses options that are unknown, absent though required, or of another type. */
export function checkOptions(options: unknown, known: Record<string, Option>, path = ""): void {
  try {
    check(options, known, path);
  } catch (thrown) {
    if (thrown instanceof ClaimgaugeError) throw thrown;
    throw new ClaimgaugeError({
      code: "invalid_value",
      message: `Reading it threw: ${wordsOf(thrown)}`,
      path,
      hint: "Hand in options without getters and proxies.",
    });
  }
}

function check(options: unknown, known: Record<string, Option>, path: string): void {
  if (!isObject(options)) {
    throw wrongType(path, "object", options);
  }
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) {
      throw new ClaimgaugeError({
        code: "unknown_field",
        message: `There is no option "${name.slice(0, 60)}"`,
        path: at(name),
        hint: `The options are: ${Object.keys(known).join(", ")}.`,
      });
    }
  }
  for (const [name, option] of Object.entries(known)) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined && value !== null) {
      if (!option.fits(value)) {
        throw wrongType(at(name), option.expected, value);
      }
    } else if (option.required) {
      throw new ClaimgaugeError({
        code: "missing_field",
        message: `The option "${name}" is missing`,
        path: at(name),
        hint: `Expected ${option.expected}.`,
      });
    }
  }
}

function wrongType(path: string, expected: string, value: unknown): ClaimgaugeError {
  return new ClaimgaugeError({
    code: typeof value === "number" ? "invalid_value" : "invalid_type",
    message: `Expected ${expected}, received ${received(value)}`,
    path,
  });
}

function received(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" ? String(value) : typeof value;
}

function isJudge(value: unknown): boolean {
  if (typeof value === "function") return true;
  const { name, basis, judge } = (value ?? {}) as Partial<Judge>;
  return typeof name === "string" && typeof basis === "string" && typeof judge === "function";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
