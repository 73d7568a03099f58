// A report that is handed in: it may have been kept, and anybody may have written it.
import { array, checkFields, number, object, oneOf, readable, requiredText, text, type Option } from "./options.js";
import type { Report, Status } from "./types.js";

/** Worst first. */
export const STATUSES: Status[] = ["INCONCLUSIVE", "UNSUPPORTED", "SUSPICIOUS", "PLAUSIBLE", "VERIFIED"];

const required = (option: Option): Option => ({ ...option, required: true });

const REPORT = { profile: requiredText, recommendation: requiredText, rationale: requiredText, claims: required(array), skipped: required(array) };
const FINDING = {
  id: requiredText,
  text: requiredText,
  status: required(oneOf(...STATUSES)),
  rule: requiredText,
  why: requiredText,
  action: requiredText,
  flags: required(array),
  nulls: required(array),
  full: object,
  scrubbed: object,
  delta: number,
};
const PASS = { confidence: number, support: number, reasoning: text, error: object };
const FAILURE = { code: requiredText, message: requiredText, path: text, hint: text };
const SKIPPED = { claim: requiredText, reason: requiredText };

/** Refuses what is no report. It may have fields that are not known here: another version may have made it. */
export function checkReport(report: unknown): asserts report is Report {
  readable("report", () => {
    checkFields(report, REPORT, "report");
    const { claims, skipped } = report as Report;
    skipped.forEach((one, at) => checkFields(one, SKIPPED, `report.skipped.${at}`));
    claims.forEach((claim, at) => checkFinding(claim, `report.claims.${at}`));
  });
}

function checkFinding(claim: Report["claims"][number], path: string): void {
  checkFields(claim, FINDING, path);
  claim.flags.forEach((flag, at) => checkFields({ [at]: flag }, { [at]: requiredText }, `${path}.flags`));
  checkPass(claim.full, `${path}.full`);
  checkPass(claim.scrubbed, `${path}.scrubbed`);
  claim.nulls.forEach((one, at) => {
    checkFields(one, { pass: required(object) }, `${path}.nulls.${at}`);
    checkPass(one.pass, `${path}.nulls.${at}.pass`);
  });
}

/** A pass that was not made is null. */
function checkPass(pass: Report["claims"][number]["full"], path: string): void {
  if (pass === null || pass === undefined) return;
  checkFields(pass, PASS, path);
  if (pass.error) checkFields(pass.error, FAILURE, `${path}.error`);
}
