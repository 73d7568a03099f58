// What the frameworks have in common: an answer in words that is held against evidence.
import { callback, judge, object } from "../options.js";
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
  request: object,
  verify: object,
  claims: callback,
  onReport: callback,
};

/** What came of it, or why it could not be checked. */
export type CheckedAnswer =
  | { checked: false; reason: "no_claims" | "no_evidence" }
  | { checked: true; recommendation: Recommendation; rationale: string; claims: Pick<Finding, "delta" | "id" | "status" | "text" | "why">[] };

export async function checkAnswer(text: string, evidence: SpanInput[], options: AnswerOptions): Promise<CheckedAnswer> {
  if (evidence.length === 0) return { checked: false, reason: "no_evidence" };
  const claims = await (options.claims ?? sentences)(text);
  if (claims.length === 0) return { checked: false, reason: "no_claims" };
  const request = { profile: "documentation" as const, ...options.request, claims, evidence };
  const report = await verify(request, { ...options.verify, judge: options.judge });
  options.onReport?.(report);
  const findings = report.claims.map(({ id, text, status, delta, why }) => ({ id, text, status, delta, why }));
  return { checked: true, recommendation: report.recommendation, rationale: report.rationale, claims: findings };
}

/** The sentences of a text in words or Markdown that state something. */
function sentences(text: string): string[] {
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  const lines = text.replace(/^```.*?^```/gms, "").split("\n").filter((line) => !line.startsWith("#"));
  const found = lines.flatMap((line) => [...segmenter.segment(line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ""))].map(({ segment }) => segment.trim()));
  return found.filter((sentence) => /\p{L}/u.test(sentence) && !sentence.endsWith("?") && !sentence.endsWith(":"));
}
