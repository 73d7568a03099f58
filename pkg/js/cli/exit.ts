import { STATUSES } from "../report.js";
import type { Finding, Report, Status } from "../types.js";

export const EXIT = { passed: 0, failed: 1, usage: 2, judge: 3, interrupted: 130 };

/** What is wrong with the command line, with a file, or with the place that output goes to. */
export class UsageError extends Error {}

/** Whether a claim fails, as `--fail-on` says; one that the judge left open does not. */
export function failsBy(claim: Finding, failOn: Status | undefined): boolean {
  return failOn !== undefined && !notJudged(claim) && STATUSES.indexOf(claim.status) <= STATUSES.indexOf(failOn);
}

/** What a report means to whoever ran the command. */
export function exitCode(report: Report, failOn: Status | undefined): number {
  if (report.recommendation === "STOP" || report.claims.some((claim) => failsBy(claim, failOn))) return EXIT.failed;
  return report.claims.some(notJudged) ? EXIT.judge : EXIT.passed;
}

/** Of several: that something failed says more than that something was not judged. */
export function worstOf(codes: number[]): number {
  const order = [EXIT.failed, EXIT.judge, EXIT.usage];
  return order.find((code) => codes.includes(code)) ?? EXIT.passed;
}

/** Whether it was the judge that left a claim without a conclusion, not the request. */
export function notJudged(claim: Finding): boolean {
  return claim.status === "INCONCLUSIVE" && !claim.flags.includes("unknown_citation");
}
