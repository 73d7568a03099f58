// For promptfoo: an assertion that holds an output against its evidence. Nothing of promptfoo is needed.
import { callback, checkOptions } from "../options.js";
import type { SpanInput } from "../types.js";
import { ANSWER_OPTIONS, checkAnswer, spanOf, shareOf, type AnswerOptions } from "./answer.js";

export interface AssertionOptions extends AnswerOptions {
  /** What an output may rest on; the variables `evidence` and `context` of its test where absent. */
  evidence?: ((context: AssertionContext) => SpanInput[] | Promise<SpanInput[]>) | null | undefined;
}

/** What an assertion is handed beside the output. */
export interface AssertionContext {
  vars?: { [name: string]: unknown };
}

/** How an output did. */
export interface Grading {
  pass: boolean;
  /** The share of claims that rest on the evidence. */
  score: number;
  reason: string;
  componentResults?: Grading[];
}

/**
 * An assertion of the type `javascript`. It passes where the recommendation is to PROCEED, with warnings or without; an output
 * that could not be checked does not pass.
 */
export function assertion(options: AssertionOptions): (output: unknown, context: AssertionContext) => Promise<Grading> {
  checkOptions(options, { ...ANSWER_OPTIONS, evidence: callback });
  return async (output, context) => {
    const text = typeof output === "string" ? output : JSON.stringify(output) ?? "";
    const answer = await checkAnswer(text, await (options.evidence ?? variables)(context), options);
    if (!answer.checked) return { pass: false, score: 0, reason: `Not checked: ${answer.reason === "refused" ? answer.message : answer.reason}` };
    const parts = answer.claims.map((claim) => {
      const score = shareOf([claim]);
      return { pass: score > 0, score, reason: `${claim.status}: ${claim.text}: ${claim.why}` };
    });
    const pass = answer.recommendation === "PROCEED" || answer.recommendation === "PROCEED_WITH_WARNINGS";
    return { pass, score: shareOf(answer.claims), reason: `${answer.recommendation}: ${answer.rationale}`, componentResults: parts };
  };
}

/** A text or a list of them, or of spans. */
function variables({ vars = {} }: AssertionContext): SpanInput[] {
  return ["evidence", "context"].flatMap((name) => {
    const given = vars[name];
    const list = Array.isArray(given) ? given : given === undefined || given === null || given === "" ? [] : [given];
    return list.map((one) => (typeof one === "object" && one !== null && typeof one.text === "string" ? one : spanOf(one, name)));
  });
}
