import { toMarkdown } from "../methods.js";
import type { Report } from "../types.js";
import { JUDGE, PASSED, USAGE, command } from "./command.js";
import { UsageError, exitCode, worstOf } from "./exit.js";
import { inFile, looksLikeJson, nameOf, parseJson, readText } from "./files.js";
import { FORMATS, Reports, formatOf } from "./formats/index.js";
import { asLines } from "./requests.js";
import { FAILED, FAIL_ON, status, tellFailures } from "./verify.js";

export const report = command({
  name: "report",
  operand: "FILE|-",
  operandRequired: true,
  about:
    "Reads what verify --json printed, one report or a report a line, and prints it in any of the formats. Nothing is judged again; " +
    "the exit code is what it would have been.",
  options: { ...FORMATS, ...FAIL_ON },
  samples: [
    ["A kept report, for a pull request", "claimgauge report report.json --markdown"],
    ["For code scanning", "claimgauge report report.json --sarif > claims.sarif"],
    ["For a build server, stricter than when it was made", "claimgauge report reports.jsonl --junit --fail-on PLAUSIBLE"],
  ],
  exits: [PASSED, FAILED, USAGE, JUDGE],
  async act(values, operand) {
    const file = operand as string;
    const failOn = status(values["fail-on"]);
    const format = formatOf(values);
    const given = await readText(file, looksLikeJson(file));
    const lines = asLines(file, given);
    const kept = lines ?? [{ line: given, number: null }];
    const printed = new Reports(format, lines !== undefined, failOn);
    const codes = [];
    for (const { line, number } of kept) {
      const report = (await parseJson(line, file, number ?? 1)) as Report;
      await inFile(file, () => toMarkdown(report), { line: number });
      codes.push(exitCode(report, failOn));
      await printed.add(report, { file: file === "-" ? null : file, line: () => number });
      tellFailures(report, failOn);
    }
    if (codes.length === 0) throw new UsageError(`${nameOf(file)}: there is no report in it`);
    await printed.end();
    return worstOf(codes);
  },
});
