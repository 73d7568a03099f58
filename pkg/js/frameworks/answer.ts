// What the frameworks have in common: an answer in words that is held against evidence.
import { ClaimgaugeError } from "../error.js";
import { callback, judge, plainObject } from "../options.js";
import { wellFormed } from "../text.js";
import type { ClaimInput, Finding, Judge, JudgeFunction, Recommendation, Report, SpanInput, VerifyOptions, VerifyRequest } from "../types.js";
import { verify } from "../verify.js";

export interface AnswerOptions {
  judge: Judge | JudgeFunction;
  /** What verify is told besides claims and evidence; the profile is `documentation` where absent. */
  request?: Omit<VerifyRequest, "claims" | "evidence" | "profile"> & Partial<Pick<VerifyRequest, "profile">> | null | undefined;
  verify?: Omit<VerifyOptions, "judge"> | null | undefined;
  /** What an answer claims; each of its sentences where absent. */
  claims?: ((text: string) => ClaimInput[] | Promise<ClaimInput[]>) | null | undefined;
  onReport?: ((report: Report) => void) | null | undefined;
}

export const ANSWER_OPTIONS = {
  judge: { ...judge, required: true },
  request: plainObject,
  verify: plainObject,
  claims: callback,
  onReport: callback,
};

/** What came of it, or why it could not be checked. */
export type CheckedAnswer =
  | { checked: false; reason: "no_claims" | "no_evidence" }
  /** The answer or its evidence is not what a request takes, such as too long: that must not cost the answer. */
  | { checked: false; reason: "refused"; code: string; message: string }
  | { checked: true; recommendation: Recommendation; rationale: string; claims: Pick<Finding, "delta" | "id" | "status" | "text" | "why">[] };

export async function checkAnswer(text: string, evidence: SpanInput[], options: AnswerOptions): Promise<CheckedAnswer> {
  if (evidence.length === 0) return { checked: false, reason: "no_evidence" };
  const claims = await (options.claims ?? sentences)(text);
  if (claims.length === 0) return { checked: false, reason: "no_claims" };
  const request = { profile: "documentation" as const, ...options.request, claims, evidence };
  const report = await verify(request, { ...options.verify, judge: options.judge }).catch(refused);
  if (report instanceof ClaimgaugeError) return { checked: false, reason: "refused", code: report.code, message: report.message };
  options.onReport?.(report);
  const findings = report.claims.map(({ id, text, status, delta, why }) => ({ id, text, status, delta, why }));
  return { checked: true, recommendation: report.recommendation, rationale: report.rationale, claims: findings };
}

/** What an answer caused is no failure of whoever asked for it; a wrong option is. */
function refused(thrown: unknown): ClaimgaugeError {
  if (thrown instanceof ClaimgaugeError && (thrown.code === "internal" || /^(claims|evidence)\b/.test(thrown.path))) return thrown;
  throw thrown;
}

/** What a tool gave, as evidence: nobody has looked at it before. */
export function spanOf(given: unknown, source: string | null | undefined): SpanInput {
  const text = typeof given === "string" ? given : JSON.stringify(given) ?? "";
  return { text: wellFormed(text), source: source ? wellFormed(source) : null };
}

/** The share of claims that rest on the evidence; 0 where none was looked at. */
export function shareOf(claims: Pick<Finding, "status">[]): number {
  const resting = claims.filter(({ status }) => status === "VERIFIED" || status === "PLAUSIBLE");
  return resting.length / Math.max(claims.length, 1);
}

/** The sentences of a text in words or Markdown that state something. */
function sentences(text: string): string[] {
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  const lines = wellFormed(text).replace(/^```.*?^```/gms, "").split("\n").filter((line) => !line.startsWith("#"));
  const found = lines.flatMap((line) => [...segmenter.segment(line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ""))].map(({ segment }) => segment.trim()));
  return found.filter((sentence) => /\p{L}/u.test(sentence) && !sentence.endsWith("?") && !sentence.endsWith(":"));
}
