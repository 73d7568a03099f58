// What the tools answer: what to do first, then as much of the rest as fits.
import type { CheckResult } from "../output/types.js";
import type { Report, Scrubbed } from "../types.js";
import { STATUSES } from "../cli/exit.js";

/** Most bytes of an answer: a model reads all of it. */
export const MOST_ANSWER = 20_000;

/** What is given to the host, as data and as text. */
export interface ToolResult {
  [key: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
}

export function resultOf(answer: object): ToolResult {
  return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer as Record<string, unknown> };
}

export function sizeOf(answer: object): number {
  return Buffer.byteLength(JSON.stringify(resultOf(answer)));
}

/** As much as fits: the answer with the most entries of a list, of so many. */
export function fitting<T extends object>(total: number, make: (count: number) => T): T {
  let [fits, tooMany] = [0, total + 1];
  while (tooMany - fits > 1) {
    const count = Math.floor((fits + tooMany) / 2);
    if (sizeOf(make(count)) < MOST_ANSWER) fits = count;
    else tooMany = count;
  }
  return make(fits);
}

export function short(text: string, most: number): string {
  const whole = Array.from(text.slice(0, 2 * most));
  return whole.length > most ? `${whole.slice(0, most - 1).join("")}…` : text;
}

/** The worst claims come first: when not all fit, those must be seen. */
export function ofReport(report: Report, whole: boolean): object {
  const claims = [...report.claims].sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));
  const findings = claims.map(({ id, status, text, why, action, delta, flags, atoms }) => ({
    id: short(id, 60),
    status,
    text: short(text, 160),
    why: short(why, 240),
    action,
    delta,
    flags,
    missing: atoms.filter(({ grounded }) => !grounded).slice(0, 5).map((atom) => short(atom.text, 60)),
  }));
  return fitting(findings.length, (count) => ({
    verdict: claims[0]?.status ?? "NOTHING_JUDGED",
    recommendation: report.recommendation,
    rationale: short(report.rationale, 600),
    summary: report.summary,
    claims: findings.slice(0, count),
    omitted: findings.length - count,
    ...(whole && { report }),
  }));
}

export function ofScrub({ spans, leaks, removed }: Scrubbed, whole: boolean): object {
  if (whole) return { leaks, spans, removed, omitted: 0 };
  const told = leaks.slice(0, 20).map((leak) => ({ ...leak, term: short(leak.term, 60) }));
  return fitting(spans.length, (count) => ({
    leaks: told,
    spans: spans.slice(0, count).map(({ id, text, source }) => ({ id: short(id, 60), text: short(text, 4000), source: source && short(source, 120) })),
    removed: removed.slice(0, 20).map((one) => ({ ...one, claim: short(one.claim, 60) })),
    omitted: spans.length - count,
  }));
}

const OUTCOMES = ["failed", "inconclusive", "trusted", "superseded", "passed"];

export function ofCheck(result: CheckResult, whole: boolean): object {
  const claims = [...(result.filesystemValidation?.claimResults ?? [])]
    .sort((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome))
    .map(({ index, claim, outcome, reason, hint }) => {
      const about = "filePath" in claim ? claim.filePath : claim.command;
      return { index, kind: claim.kind, about: short(about, 200), outcome, reason: reason && short(reason, 200), hint };
    });
  const errors = result.errors.slice(0, 20).map((error) => short(error, 200));
  return fitting(claims.length, (count) => ({
    verdict: result.valid ? "VALID" : "INVALID",
    recommendation: result.valid ? "PROCEED" : "STOP",
    level: result.level,
    errors,
    claims: claims.slice(0, count),
    unclaimed: result.unclaimed.slice(0, 20).map((path) => short(path, 200)),
    claimless: result.claimless,
    omitted: claims.length - count,
    ...(whole && { result }),
  }));
}
