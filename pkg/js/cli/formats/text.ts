// For people: a few lines for each claim.
import type { CheckResult, OutputClaim } from "../../output/types.js";
import { two } from "../../text.js";
import type { Report } from "../../types.js";
import { oneLine, paint } from "../terminal.js";

export function summary(report: Report): string {
  const lines = report.claims.map((claim) => {
    const [scrubbed, full] = [two(claim.scrubbed?.confidence), two(claim.full?.confidence)];
    return [
      `${paint(claim.status)} ${oneLine(claim.id)}: ${oneLine(claim.text)}`,
      `  scrubbed ${scrubbed}, full ${full}, delta ${two(claim.delta)}. ${oneLine(claim.why)}`,
    ].join("\n");
  });
  const skipped = report.skipped.map(({ claim, reason }) => `SKIPPED ${oneLine(claim)}: ${reason}`);
  return [...lines, ...skipped, "", `${report.recommendation}: ${oneLine(report.rationale)}`, ""].join("\n");
}

export function verdicts(result: CheckResult): string {
  const claims = (result.filesystemValidation?.claimResults ?? []).map(({ index, claim, outcome, reason, hint }) => {
    const why = reason === null ? "" : `: ${reason}${hint === null ? "" : ` (${hint})`}`;
    return `${outcome.toUpperCase().padEnd("INCONCLUSIVE".length)} claims.${index} ${claim.kind} ${oneLine(about(claim))}${oneLine(why)}`;
  });
  const unclaimed = result.unclaimed.map((path) => `UNCLAIMED    ${oneLine(path)}`);
  const notes = result.claimless && result.valid ? ["The output claims nothing."] : [];
  const errors = result.level === 3 ? result.errors.slice(0, 1) : result.errors;
  const end = result.valid ? ["VALID"] : [`INVALID: ${errors.map(oneLine).join("\n  ")}`];
  return [...claims, ...unclaimed, ...notes, ...end, ""].join("\n");
}

/** What a claim is about. */
export function about(claim: OutputClaim): string {
  return "filePath" in claim ? claim.filePath : claim.command;
}
