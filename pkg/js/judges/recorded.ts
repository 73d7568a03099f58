import { ClaimgaugeError, JudgeError } from "../error.js";
import { array, checkOptions, readable, requiredText, text } from "../options.js";
import type { Basis, Judge, JudgeRequest, TokenLogprob } from "../types.js";

/** A reply that was recorded earlier. */
export interface Recording {
  /** The claim's id. */
  claim: string;
  pass: JudgeRequest["pass"];
  /** The reply, as it came. */
  text: string;
  /** Where its confidence came from; `recorded` where absent. */
  basis?: Basis | null | undefined;
  /** The reply's tokens with their probabilities. */
  logprobs?: TokenLogprob[] | null | undefined;
}

const PASSES = ["scrubbed", "full", "null"];

/**
 * Answers from recordings, by claim and pass. Of several recordings for one pass the second answers
 * its second attempt, and so on; the last one answers all that follow. A pass without one fails.
 */
export function recorded(recordings: Recording[]): Judge {
  const byPass = new Map<string, Recording[]>();
  for (const recording of readable("recordings", () => checked(recordings))) {
    const key = keyOf(recording.claim, recording.pass);
    byPass.set(key, [...(byPass.get(key) ?? []), recording]);
  }
  return {
    name: "recorded",
    basis: "recorded",
    single: true,
    judge({ claim, pass, attempt }) {
      const found = byPass.get(keyOf(claim, pass)) ?? [];
      const recording = found[attempt - 1] ?? found.at(-1);
      if (recording === undefined) {
        throw new JudgeError({
          code: "recording_missing",
          message: `There is no recording of the ${pass} pass of claim "${claim}"`,
          hint: "Recordings are found by the claim's id and the pass.",
        });
      }
      return { text: recording.text, basis: recording.basis ?? "recorded", logprobs: recording.logprobs ?? null };
    },
  };
}

function keyOf(claim: string, pass: string): string {
  return `${pass} ${claim}`;
}

function checked(recordings: Recording[]): Recording[] {
  if (!Array.isArray(recordings)) {
    throw new ClaimgaugeError({
      code: "invalid_type",
      message: `Expected array, received ${typeof recordings}`,
      path: "recordings",
      hint: "A recording is { claim, pass, text, basis?, logprobs? }.",
    });
  }
  const pass = {
    expected: PASSES.map((name) => `"${name}"`).join(" or "),
    fits: (value: unknown) => PASSES.includes(value as string),
    required: true,
  };
  const known = { claim: requiredText, pass, text: requiredText, basis: text, logprobs: array };
  return Array.from(recordings, (recording, at) => {
    checkOptions(recording, known, `recordings.${at}`);
    return { ...recording };
  });
}
