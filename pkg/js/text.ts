// What texts and numbers of other people need before they are handed on or shown.

import { wordsOf } from "./error.js";

/** What a value is as JSON, or why it is none: it may hold itself, have no end, or be no data. */
export function toJson(value: unknown): { json: string } | { wrong: string } {
  try {
    const json = JSON.stringify(value);
    return json === undefined ? { wrong: typeof value } : { json };
  } catch (thrown) {
    // The engine says of both that something is exceeded.
    const isLong = thrown instanceof RangeError && /length/.test(thrown.message);
    if (isLong) return { wrong: "it is too long" };
    return { wrong: thrown instanceof RangeError ? "it is nested too deep" : wordsOf(thrown).split("\n", 1)[0] ?? "" };
  }
}

/** As text of whole characters, whatever was put there. */
export function wellFormed(value: unknown): string {
  return String(value).replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Two decimals, half away from zero on the value rounded to 6, as reports print them. */
export function two(value: number | null | undefined): string {
  if (value === null || value === undefined) return "n/a";
  const hundredths = Math.round(Math.round(Math.abs(value) * 1e6) / 1e4);
  return `${value < 0 && hundredths > 0 ? "-" : ""}${(hundredths / 100).toFixed(2)}`;
}
