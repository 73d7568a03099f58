import { writeFile } from "node:fs/promises";

import { bench as benchCases, parseCases, stratified, table, type LabelledClaim } from "../bench.js";
import type { Mode, VerifyRequest } from "../types.js";
import { INTERRUPTED, JUDGE, PASSED, USAGE, command } from "./command.js";
import { EXIT, UsageError } from "./exit.js";
import { inFile, looksLikeJson, readText } from "./files.js";
import { interruptible } from "./interrupt.js";
import { JUDGED, askingOf, whole } from "./judge.js";
import { checkOutputs } from "./outputs.js";
import { REQUEST, laidOver } from "./requests.js";
import { print, printJson, progress, tell } from "./terminal.js";

const MODES: Mode[] = ["identifiers", "redact_spans", "no_evidence"];

export const bench = command({
  name: "bench",
  operand: "FILE|-",
  operandRequired: true,
  about: 'The file has lines of { "claim": "…", "evidence": ["…"], "label": 1 }: 1 where the evidence supports the claim, else 0.',
  options: {
    profile: REQUEST.profile,
    "profile-file": REQUEST["profile-file"],
    json: { type: "boolean", help: "print the whole result as JSON" },
    null: { type: "string", multiple: true, value: "MODE", help: "identifiers (default), redact_spans or no_evidence; again for each; the first decides" },
    sample: { type: "string", value: "N", help: "only so many of the claims, of every kind and label its share" },
    fit: { type: "string", value: "F", help: "write thresholds that fit this judge to a file" },
    ...JUDGED,
  },
  samples: [
    ["How well the built-in judge knows some of them", "claimgauge bench labelled.jsonl --sample 20"],
    ["Thresholds for a judge of your own", "claimgauge bench labelled.jsonl --judge openai --base-url http://127.0.0.1:8080/v1 --model small --fit thresholds.json"],
  ],
  exits: [PASSED, USAGE, JUDGE, INTERRUPTED],
  async act(values, operand) {
    const file = operand as string;
    if (values.fit === "-") throw new UsageError("--fit takes a file: the standard output has the result");
    if (values.fit !== undefined) checkOutputs([values.fit], values, file);
    const options = await askingOf(values);
    const nulls = (values.null ?? []).map((mode) => {
      if (!MODES.includes(mode as Mode)) throw new UsageError(`--null takes one of ${MODES.join(", ")}, not "${mode}"`);
      return mode as Mode;
    });
    const request = (await laidOver({ profile: "strawberry", nulls }, values)) as Omit<VerifyRequest, "evidence" | "claims">;
    const all = await readText(file, looksLikeJson(file)).then((text) => inFile(file, () => parseCases(text)));
    const count = whole("--sample", values.sample, 1);
    const cases = count === undefined ? all : stratified(all, count, kindOf);

    const onClaim = (done: number) => progress("Judging", done, cases.length, "claims");
    const parts = { profile: values["profile-file"], thresholds: values.thresholds };
    const { result, aborted } = await interruptible((signal) =>
      inFile(file, () => benchCases(cases, request, { ...options, signal, onClaim }), { parts }),
    );
    // First, so that a file that cannot be written does not take it along.
    await (values.json ? printJson(result) : print(table(result)));
    if (values.fit !== undefined && result.fitted !== null && !aborted) {
      const fit = values.fit;
      await writeFile(fit, `${JSON.stringify(result.fitted, null, 2)}\n`).catch((error: Error) => {
        throw new UsageError(`${fit}: it cannot be written: ${error.message}`);
      });
    }
    const judged = result.supported + result.unsupported;
    const left = cases.length - judged;
    if (left > 0) tell(`${left} of ${cases.length} claims ${left === 1 ? "was" : "were"} not judged: with --cache, another run goes on from here`);
    return aborted ? EXIT.interrupted : left > 0 ? EXIT.judge : EXIT.passed;
  },
});

/** What tells kinds of labelled claims apart: the label, and whatever else a set says of them. */
function kindOf({ label, kind, mut }: LabelledClaim): string {
  return `${Number(label)} ${String(kind ?? "")} ${String(mut ?? "")}`;
}
