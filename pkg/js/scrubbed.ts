import type { Main } from "./module.js";
import { isObject } from "./options.js";
import type { Scrubbed, VerifyRequest } from "./types.js";

/** A search, or the result of a scrub: its replacements cross as numbers, each of their texts once. */
export function scrubBy(module: Main, request: unknown, matches?: Uint32Array): unknown {
  const answer = module.scrub(request, matches);
  return Array.isArray(answer) ? scrubbed(answer[0] as string, answer[1] as Uint32Array) : answer;
}

/** What of a verification's request a scrub takes; what its scrubbed pass is shown is for the first null to say. */
export function scrubRequestOf(request: unknown): unknown {
  if (!isObject(request)) return request;
  const { thresholds, nulls, passes, policy, moreEvidence, trigger, context, ...scrubbing } = request as Partial<VerifyRequest>;
  return Array.isArray(nulls) && nulls.length > 0 ? { mode: nulls[0], ...scrubbing } : scrubbing;
}

/** Claims of which nothing was taken out: their scrubbed pass is shown redacted evidence instead. */
export function redactedInstead({ mode, removed }: Scrubbed): string[] {
  return mode === "identifiers" ? removed.filter(({ gone }) => gone === 0).map(({ claim }) => claim) : [];
}

/** How many numbers a replacement is, in the order of its fields. */
const WIDTH = 8;

/** A result from its text, which has the texts of replacements apart, and their numbers. */
function scrubbed(text: string, numbers: Uint32Array): Scrubbed {
  const { texts, ...result } = JSON.parse(text) as Scrubbed & { texts: string[] };
  const number = (at: number) => numbers[at] as number;
  const named = <T extends string>(at: number) => texts[number(at)] as T;
  for (let at = 0; at < numbers.length; at += WIDTH) {
    result.replacements.push({
      span: named(at),
      field: named(at + 1),
      start: number(at + 2),
      end: number(at + 3),
      kind: named(at + 4),
      placeholder: named(at + 5),
      text: named(at + 6),
      why: named(at + 7),
    });
  }
  return result;
}
