import { verify as judge } from "../verify.js";
import type { Report, Status, VerifyRequest } from "../types.js";
import { INTERRUPTED, JUDGE, PASSED, USAGE, command } from "./command.js";
import { STATUSES } from "../report.js";
import { EXIT, UsageError, exitCode, failsBy, worstOf } from "./exit.js";
import { nameOf, sentence } from "./files.js";
import { FORMATS, Reports, formatOf } from "./formats/index.js";
import { interruptible } from "./interrupt.js";
import { JUDGED, askingOf } from "./judge.js";
import { OBSERVED, Observed, outputsOf } from "./observed.js";
import { checkOutputs } from "./outputs.js";
import { REQUEST, checkAll, readRequests } from "./requests.js";
import { progress, readerIsGone, tell } from "./terminal.js";

export const FAIL_ON = {
  "fail-on": { type: "string", value: "STATUS", help: "exit with 1 if a claim has this status or a worse one" },
} as const;

export const FAILED = ["1", "the recommendation is STOP, or a status is at or below --fail-on"] as const;

export const verify = command({
  name: "verify",
  operand: "[FILE|-]",
  about:
    "The request is JSON, { profile, evidence, claims, … }, or JSON lines with a request each; or Markdown, with lists under the " +
    "headings Evidence and Claims, whose front matter may have a verification block (enabled, profile, trigger, customThresholds), " +
    "as skill files have it. Without a file, claims and evidence are options.\n\n" +
    "A claim is judged twice, with the evidence's identifiers and without; the difference says whether the claim rests on the evidence.",
  options: { ...REQUEST, ...FORMATS, ...FAIL_ON, ...OBSERVED, ...JUDGED },
  samples: [
    ["A request with the built-in judge, for a start", "claimgauge verify request.json"],
    ["Without a file of its own", 'claimgauge verify --claim "The port is 8080" --evidence server.md --profile documentation'],
    ["A server of your own; what it answered is not asked again", "claimgauge verify request.json --judge openai --base-url http://127.0.0.1:8080/v1 --model small --cache answers"],
    ["Many requests, a report a line", "claimgauge verify requests.jsonl --json > reports.jsonl"],
    ["A skill's own wish, its claims, and a file that is evidence", "claimgauge verify SKILL.md --evidence server.md"],
    ["In a GitHub workflow", "claimgauge verify request.json --github --fail-on SUSPICIOUS"],
  ],
  exits: [PASSED, FAILED, USAGE, JUDGE, INTERRUPTED],
  async act(values, file) {
    const failOn = status(values["fail-on"]);
    const format = formatOf(values);
    const outputs = outputsOf(values);
    checkOutputs(outputs.map(({ path }) => path), values, file);
    const asking = await askingOf(values);
    const { requests, areLines } = await readRequests(file, values);
    const count = areLines ? await checkAll(requests) : [...requests].length;

    if (file === undefined && !values.evidence?.length) tell("There is no evidence: --evidence names a file of it");

    const printed = new Reports(format, areLines, failOn);
    const observed = new Observed(outputs);
    const codes: number[] = [];
    const { aborted } = await interruptible(async (signal) => {
      for (const one of requests) {
        const doing = areLines ? `Request ${codes.length + 1} of ${count}` : "Judging";
        const options = {
          ...asking,
          signal,
          onProgress: ({ done, total }: { done: number; total: number }) => progress(doing, done, total, "passes"),
        };
        const request = await one.request();
        const report = await one.within(() => judge(request as VerifyRequest, options));
        codes.push(exitCode(report, failOn));
        pay(asking.limits, report);
        await printed.add(report, one);
        observed.add(report, request);
        tellFailures(report, failOn);
        if (signal.aborted || readerIsGone() || isStopped(report)) break;
      }
    });
    await printed.end();
    observed.end();
    const left = count - codes.length;
    if (left > 0) {
      const why = readerIsGone() ? "nobody reads the output any more" : aborted ? "it was interrupted" : "the judge has failed";
      tell(`${left} of ${count} requests in ${nameOf(file ?? "-")} ${left === 1 ? "was" : "were"} not judged: ${why}`);
      if (readerIsGone()) codes.push(EXIT.usage);
    }
    return aborted ? EXIT.interrupted : worstOf(codes);
  },
});

export function status(name: string | undefined): Status | undefined {
  if (name !== undefined && !STATUSES.includes(name as Status)) {
    throw new UsageError(`--fail-on takes one of ${STATUSES.join(", ")}, not "${name}"`);
  }
  return name as Status | undefined;
}

/** Limits are those of the whole run. */
function pay(limits: { maxCalls: number | undefined; maxPromptTokens: number | undefined }, { cost }: Report): void {
  if (limits.maxCalls !== undefined) limits.maxCalls = Math.max(limits.maxCalls - cost.calls, 0);
  if (limits.maxPromptTokens !== undefined) limits.maxPromptTokens = Math.max(limits.maxPromptTokens - cost.promptTokens, 0);
}

function isStopped({ claims }: Report): boolean {
  return claims.some(({ flags }) => flags.includes("stopped"));
}

/** Whether it is `--fail-on` that makes the run fail, and why passes failed: each reason once. */
export function tellFailures(report: Report, failOn: Status | undefined): void {
  const failing = report.claims.filter((claim) => failsBy(claim, failOn)).length;
  if (failing > 0 && report.recommendation !== "STOP") {
    tell(`--fail-on ${failOn}: ${failing} of ${report.claims.length} claims ${failing === 1 ? "has" : "have"} this status or a worse one`);
  }
  const passes = report.claims.flatMap((claim) => [claim.full, claim.scrubbed, ...claim.nulls.map((one) => one.pass)]);
  const reasons = passes.flatMap((pass) => (pass?.error ? [sentence(pass.error)] : []));
  new Set(reasons).forEach(tell);
}
