import { checkOutput as check } from "../output/index.js";
import { observe as observeFiles, observed } from "../output/observations.js";
import type { CheckOptions, CheckProgress, CheckResult, Effect, Observations, Schema, ToolTrace } from "../output/types.js";
import { INTERRUPTED, PASSED, USAGE, command } from "./command.js";
import { EXIT, UsageError } from "./exit.js";
import { inFile, readJson } from "./files.js";
import { CHECK_FORMATS, document, formatOf, isDocument } from "./formats/index.js";
import { ofCheck } from "./formats/outcome.js";
import { verdicts } from "./formats/text.js";
import { interruptible } from "./interrupt.js";
import { oneLine, print, printJson, progress, tell } from "./terminal.js";

export const checkOutput = command({
  name: "check-output",
  operand: "FILE|-",
  operandRequired: true,
  about:
    "The output is JSON, { summary, traceRef, claims?, artifacts? }. It is held against its shape, with --trace and --schema " +
    "against the schemas of what its tools gave, and with --base against the files.",
  options: {
    base: { type: "string", value: "DIR", help: "the folder that the claims are about" },
    observations: { type: "string", value: "F", help: "what observe printed on the machine with the files, instead of --base" },
    trace: { type: "string", value: "F", help: "the record of what the agent's tools did" },
    schema: { type: "string", multiple: true, value: "TOOL=F", help: "the JSON Schema of what a tool gives; again for each tool" },
    "tool-kind": {
      type: "string",
      multiple: true,
      value: "TOOL=KIND",
      help: "what a tool does: write, edit, delete, read, run or any; again for each",
    },
    specialist: { type: "string", value: "ID", help: "whose output it is; in strict mode the trace must be theirs" },
    strict: { type: "boolean", help: "the trace must account for every claim, and nothing may be inconclusive" },
    ...CHECK_FORMATS,
  },
  samples: [
    ["Against the files below a folder", "claimgauge check-output output.json --base project"],
    ["And against what the tools did", "claimgauge check-output output.json --base project --trace trace.json --strict"],
    ["With what another machine saw", "claimgauge check-output output.json --observations seen.json --junit"],
  ],
  exits: [PASSED, ["1", "the output is not valid"], USAGE, INTERRUPTED],
  async act(values, file) {
    const format = formatOf(values);
    const options: CheckOptions = {
      strict: values.strict,
      specialistId: values.specialist,
      toolKinds: Object.fromEntries(pairs("--tool-kind", values["tool-kind"])) as { [tool: string]: Effect },
    };
    if (values.base !== undefined && values.observations !== undefined) {
      throw new UsageError("Give --base or --observations, not both");
    }
    if (values.trace !== undefined) options.trace = (await readJson(values.trace)) as ToolTrace;
    const schemas: [string, Schema][] = [];
    for (const [tool, name] of pairs("--schema", values.schema)) {
      schemas.push([tool, (await readJson(name)) as Schema]);
    }
    options.tools = Object.fromEntries(schemas);
    if (values.observations !== undefined) {
      const observations = (await readJson(values.observations)) as Observations;
      options.host = await inFile(values.observations, () => observed(observations));
    } else {
      options.basePath = values.base;
    }

    const output = await readJson(file as string);
    const { result } = await interruptible((signal) => check(output, { ...options, signal, onProgress: checking }));
    if (format === "json") await printJson(result);
    else if (isDocument(format)) await print(document(format, [ofCheck(result, file === "-" ? null : file ?? null, values.base)]));
    else await print(verdicts(result));
    if (values.base === undefined && values.observations === undefined && claimsFiles(result)) {
      tell("Nothing looked at files: give --base DIR or --observations FILE to have claims about them checked");
    }
    return result.valid ? EXIT.passed : EXIT.failed;
  },
});

export const observe = command({
  name: "observe",
  operand: "FILE|-",
  operandRequired: true,
  about: "For where the files are on another machine than the check. Nothing is decided here, and no more is told than the check asks for.",
  options: { base: { type: "string", value: "DIR", help: "the folder that the output's claims are about; it is needed" } },
  samples: [["On the machine with the files", "claimgauge observe output.json --base project > seen.json"]],
  exits: [PASSED, USAGE, INTERRUPTED],
  async act({ base }, file) {
    if (base === undefined) throw new UsageError("observe needs --base");
    const output = await readJson(file as string);
    const { result } = await interruptible((signal) => observeFiles(output, base, { signal, onProgress: checking }));
    // File by file: the texts of all may be longer together than a text can be.
    await print(`{"base":${JSON.stringify(result.base)},"files":{`);
    let isFirst = true;
    for (const [path, seen] of Object.entries(result.files)) {
      await print(`${isFirst ? "" : ","}\n${JSON.stringify(path)}:${JSON.stringify(seen)}`);
      isFirst = false;
    }
    await print("\n}}\n");
    return EXIT.passed;
  },
});

/** Whether the output says something of files; a command alone needs no folder. */
function claimsFiles({ structureValidation: { output } }: CheckResult): boolean {
  return (output?.claims ?? []).some((claim) => claim.kind !== "command-executed");
}

/** `TOOL=VALUE` arguments. */
function pairs(option: string, values: string[] = []): [string, string][] {
  return values.map((value) => {
    const [, name, rest] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
    if (name === undefined || rest === undefined) {
      throw new UsageError(`${option} takes TOOL=VALUE, not "${value}"`);
    }
    return [name, rest];
  });
}

function checking({ done, total, file }: CheckProgress): void {
  const within = file === null ? "" : `, ${Math.floor((100 * file.bytes) / Math.max(file.size, 1))} % of ${oneLine(file.path)}`;
  progress("Checking", done, total, `files${within}`);
}
