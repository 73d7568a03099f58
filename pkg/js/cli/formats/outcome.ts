// What the formats for other tools have in common: suites of outcomes, from reports and from checks.
import { join, isAbsolute } from "node:path";

import type { CheckResult, ClaimResult } from "../../output/types.js";
import type { Finding, Report, Status } from "../../types.js";
import { failsBy } from "../exit.js";
import type { Place } from "../requests.js";
import { about } from "./text.js";

export interface Outcome {
  name: string;
  /** How it ended, in one word. */
  status: string;
  /** `error`: nobody knows; `failure`: it does not hold. */
  level: "error" | "failure" | "note" | "pass" | "skipped" | "warning";
  message: string;
  place: Place | null;
}

export interface Suite {
  name: string;
  /** What to do about all of it. */
  headline: string;
  outcomes: Outcome[];
}

/** What a report came from. */
export interface Source {
  file: string | null;
  line(claim?: string): number | null;
}

const LEVELS: Record<Status, Outcome["level"]> = {
  INCONCLUSIVE: "error",
  UNSUPPORTED: "failure",
  SUSPICIOUS: "warning",
  PLAUSIBLE: "note",
  VERIFIED: "pass",
};

export function ofReport(report: Report, { file, line }: Source, failOn: Status | undefined): Suite {
  const place = (claim: string) => (file === null ? null : { file, line: line(claim) });
  const level = (claim: Finding) => (claim.status !== "INCONCLUSIVE" && failsBy(claim, failOn) ? "failure" : LEVELS[claim.status]);
  const judged = report.claims.map((claim) => ({
    name: `${claim.id}: ${claim.text}`,
    status: claim.status,
    level: level(claim),
    message: `${claim.why} ${claim.action}.`,
    place: place(claim.id),
  }));
  const skipped = report.skipped.map(({ claim, reason }) => ({
    name: claim,
    status: "SKIPPED",
    level: "skipped" as const,
    message: reason,
    place: place(claim),
  }));
  const at = line();
  return {
    name: file === null ? "claimgauge" : at === null ? file : `${file}:${at}`,
    headline: `${report.recommendation}: ${report.rationale}`,
    outcomes: [...judged, ...skipped],
  };
}

const OUTCOMES: Record<ClaimResult["outcome"], Outcome["level"]> = {
  failed: "failure",
  inconclusive: "error",
  superseded: "pass",
  trusted: "pass",
  passed: "pass",
};

/** `base` is the folder that paths are relative to. */
export function ofCheck(result: CheckResult, file: string | null, base: string | undefined): Suite {
  const inBase = (path: string) => ({ file: base === undefined || isAbsolute(path) ? path : join(base, path), line: null });
  const own = file === null ? null : { file, line: null };
  const structure = result.structureValidation.errors.map(({ path, message }) =>
    failed(path === "" ? "output" : path, message, own),
  );
  const tools = (result.pluginValidation?.errors ?? []).map(({ toolName, invocationId, path, message }) =>
    failed(`${toolName} ${invocationId}`, path === "" ? message : `${path}: ${message}`, own),
  );
  const claims = (result.filesystemValidation?.claimResults ?? []).map(({ index, claim, outcome, reason, hint }) => ({
    name: `claims.${index} ${claim.kind} ${about(claim)}`,
    status: outcome.toUpperCase(),
    level: OUTCOMES[outcome],
    message: `${reason ?? outcome}${hint === null ? "" : ` (${hint})`}`,
    place: "filePath" in claim ? inBase(claim.filePath) : own,
  }));
  const unclaimed = result.unclaimed.map((path) => ({
    name: path,
    status: "UNCLAIMED",
    level: "warning" as const,
    message: "The trace changed this file and no claim names it",
    place: inBase(path),
  }));
  return {
    name: file ?? "claimgauge",
    headline: result.valid ? "VALID" : `INVALID: ${result.errors[0] ?? ""}`,
    outcomes: [...structure, ...tools, ...claims, ...unclaimed],
  };
}

function failed(name: string, message: string, place: Place | null): Outcome {
  return { name, status: "FAILED", level: "failure", message, place };
}
