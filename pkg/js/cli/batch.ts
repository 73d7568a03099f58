// Any number of requests, judged as a provider's batch: plan, have it answered, merge.
import { createReadStream, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";

import { mergeBatch, ANSWERS, REPORTS, type Summary } from "../batch/merge.js";
import type { BatchDialect } from "../batch/forms.js";
import { readManifest, type Manifest, type Prices } from "../batch/manifest.js";
import { planBatch } from "../batch/plan.js";
import { runBatch, type RunResult } from "../batch/run.js";
import { INTERRUPTED, PASSED, USAGE, command, type Values } from "./command.js";
import { EXIT, UsageError } from "./exit.js";
import { nameOf } from "./files.js";
import { interruptible } from "./interrupt.js";
import { JUDGED, askingOf, decimal, whole } from "./judge.js";
import { OBSERVED, outputsOf } from "./observed.js";
import { oneLine, print, printJson, progress, tell } from "./terminal.js";

const OPTIONS = {
  out: { type: "string", value: "FOLDER", help: "plan: where the plan is made" },
  judge: { type: "string", value: "JUDGE", help: "plan: openai (default), openai-responses or anthropic, whose batch form the plan has" },
  model: { type: "string", value: "NAME", help: "plan: the model that is asked" },
  temperature: { type: "string", value: "T", help: "plan: sent only where it is given" },
  group: { type: "string", value: "N", help: "plan: ask about up to so many claims in one request (default: 1)" },
  without: {
    type: "string",
    multiple: true,
    value: "PARAMETER",
    help: "plan: leave out a parameter, such as logprobs, with which answers are a hundred times as large; again for each",
  },
  prices: { type: "string", value: "READ/WRITTEN", help: "plan: money for a million tokens, such as 0.15/0.60, for the estimate" },
  "base-url": { type: "string", value: "URL", help: "run: where the plan's judge is, such as http://127.0.0.1:8080/v1" },
  "api-key-file": { ...JUDGED["api-key-file"], help: `run: ${JUDGED["api-key-file"].help}` },
  timeout: { type: "string", value: "SECONDS", help: "run: how long the judge may take for one answer (default: 60)" },
  concurrency: { type: "string", value: "N", help: "run: how many questions are open at a time (default: 4)" },
  "max-calls": { type: "string", value: "N", help: "run: ask at most so many questions" },
  "max-tokens": { type: "string", value: "N", help: "run: let the judge read at most so many tokens" },
  otel: { ...OBSERVED.otel, help: `merge: ${OBSERVED.otel.help}` },
  langfuse: { ...OBSERVED.langfuse, help: `merge: ${OBSERVED.langfuse.help}` },
  content: { ...OBSERVED.content, help: `merge: ${OBSERVED.content.help}` },
  json: { type: "boolean", help: "print the manifest, the result or the summary as JSON" },
} as const;

/** How many questions are open at a time unless the user says otherwise. */
const CONCURRENCY = 4;

type Given = Values<typeof OPTIONS>;

const DIALECTS: Record<string, BatchDialect> = { anthropic: "anthropic", openai: "openai", "openai-responses": "openai_responses" };

const VERBS: Record<string, (values: Given, target: string, more: string[]) => Promise<number>> = { plan, run, merge };

/** The options of each, beside those of all. */
const TAKES: Record<string, readonly (keyof typeof OPTIONS)[]> = {
  plan: ["out", "judge", "model", "temperature", "group", "without", "prices"],
  run: ["base-url", "api-key-file", "timeout", "concurrency", "max-calls", "max-tokens"],
  merge: ["otel", "langfuse", "content"],
};

export const batch = command({
  name: "batch",
  operand: "plan FILE|- | run FOLDER | merge FOLDER [ANSWERS…]",
  operandRequired: true,
  operandsMore: true,
  about:
    "plan turns JSON lines of requests, of any number, into files that a provider takes as batches. run asks the same questions of a " +
    "server that is there. merge takes the answers, in any order and from any number of files and folders, those of run where none " +
    "are named, and writes the reports in the order of the requests, and a follow-up of what must be asked again.\n\n" +
    "Each can be interrupted, or killed: the same command goes on from there.",
  options: OPTIONS,
  samples: [
    ["What a provider takes as a batch, and what it will cost", "claimgauge batch plan requests.jsonl --judge openai --model small --out plan --prices 0.15/0.60"],
    ["Without a provider: a server of your own", "claimgauge batch run plan --base-url http://127.0.0.1:8080/v1 --concurrency 16"],
    ["The reports, in plan/reports.jsonl", "claimgauge batch merge plan"],
  ],
  exits: [PASSED, USAGE, ["3", "questions are left, which the follow-up asks"], INTERRUPTED],
  async act(values, verb, [target, ...more]) {
    const act = Object.hasOwn(VERBS, verb as string) ? VERBS[verb as string] : undefined;
    if (act === undefined) throw new UsageError(`There is no batch ${verb}: use ${Object.keys(VERBS).join(", ")}; see claimgauge batch --help`);
    if (target === undefined) throw new UsageError(`batch ${verb} needs ${verb === "plan" ? "a file, or - for the standard input" : "the plan's folder"}; see claimgauge batch --help`);
    const others = Object.entries(TAKES).filter(([name]) => name !== verb).flatMap(([, options]) => options);
    const other = others.find((option) => values[option] !== undefined);
    if (other !== undefined) throw new UsageError(`batch ${verb} takes no --${other}; see claimgauge batch --help`);
    return withFiles(() => act(values, target, more));
  },
});

async function plan(values: Given, file: string, more: string[]): Promise<number> {
  if (more.length > 0) throw new UsageError("batch plan takes one file; see claimgauge batch --help");
  const { judge = "openai", model, out } = values;
  const dialect = Object.hasOwn(DIALECTS, judge) ? DIALECTS[judge] : undefined;
  if (dialect === undefined) throw new UsageError(`There is no batch form for the judge "${judge}": use ${Object.keys(DIALECTS).join(", ")}`);
  if (model === undefined || out === undefined) throw new UsageError("batch plan needs --model and --out");
  const temperature = decimal("--temperature", values.temperature) ?? null;
  const group = whole("--group", values.group, 1) ?? 1;
  const prices = pricesOf(values.prices);
  const without = [...new Set(values.without ?? [])].sort();
  const input = inputOf(file);
  const { result } = await interruptible((signal) => {
    // What waits for the standard input hears nothing else.
    addAbortSignal(signal, input);
    return planBatch({
      name: nameOf(file), input, folder: out, judge: { dialect, model, temperature }, group, without, prices, signal,
      onProgress: (done, total) => progress("Planning", Math.round(done / 1e6), Math.round(total / 1e6), "MB"),
    });
  });
  await (values.json ? printJson(result) : print(planned(result, out)));
  return EXIT.passed;
}

/** A pipe that nobody ends would be waited for, and a device ends never. */
function inputOf(file: string): Readable {
  if (file === "-") return process.stdin;
  const about = statSync(file);
  if (!about.isFile()) throw new UsageError(`${file}: it is ${about.isDirectory() ? "a folder" : "no regular file"}: name a file, or - for the standard input`);
  return createReadStream(file);
}

async function run(values: Given, folder: string, more: string[]): Promise<number> {
  if (more.length > 0) throw new UsageError("batch run takes the plan's folder; see claimgauge batch --help");
  const { judge, without } = readManifest(folder);
  const name = Object.keys(DIALECTS).find((name) => DIALECTS[name] === judge.dialect) as string;
  const temperature = judge.temperature === null ? {} : { temperature: String(judge.temperature) };
  const { "base-url": baseUrl, "api-key-file": keyFile, timeout, concurrency, "max-calls": maxCalls, "max-tokens": maxTokens } = values;
  const given = { "base-url": baseUrl, "api-key-file": keyFile, timeout, concurrency, "max-calls": maxCalls, "max-tokens": maxTokens };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const asking = await askingOf({ ...set, judge: name, model: judge.model, ...temperature }, without);
  const { result, aborted } = await interruptible((signal) =>
    runBatch({
      folder, judge: asking.judge, concurrency: asking.concurrency ?? CONCURRENCY, limits: asking.limits, signal,
      onProgress: (done, total) => progress("Asking", Math.min(done, total), total, "questions"),
    }),
  );
  await (values.json ? printJson(result) : print(ran(result, folder)));
  Object.entries(result.reasons).forEach(([reason, times]) => tell(`${number(times)}: ${reason}`));
  if (aborted) return EXIT.interrupted;
  return result.ended === "done" && result.left === 0 ? EXIT.passed : EXIT.judge;
}

async function merge(values: Given, folder: string, answers: string[]): Promise<number> {
  const outputs = outputsOf(values);
  const { result } = await interruptible((signal) =>
    mergeBatch({
      folder, answers: answers.length > 0 ? answers : [join(folder, ANSWERS)].filter((path) => existsSync(path)), outputs, signal,
      onProgress: (doing, done, total) => progress(doing, done, total, doing === "Sorting" ? "files" : "requests"),
    }),
  );
  await (values.json ? printJson(result) : print(merged(result, folder)));
  result.answers.named.forEach(tell);
  return result.complete ? EXIT.passed : EXIT.judge;
}

function pricesOf(text: string | undefined): Prices | null {
  if (text === undefined) return null;
  const match = /^(\d{1,9}(?:\.\d{1,9})?)\/(\d{1,9}(?:\.\d{1,9})?)$/.exec(text);
  if (match === null) throw new UsageError(`--prices takes two numbers such as 0.15/0.60, not "${text}"`);
  return { read: Number(match[1]), written: Number(match[2]) };
}

function planned({ input, questions, planned, files, estimate }: Manifest, folder: string): string {
  const { promptTokens, completionTokens, money } = estimate;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `${count(input.requests, "request")} with ${count(input.claims, "claim")}: ${different(questions, planned)}.`,
    `About ${number(promptTokens)} tokens to read and ${number(completionTokens)} to write${money === null ? "" : `: about ${money} in the prices' money`}.`,
    files.length === 0 ? "Nothing to send." : `${count(files.length, "file")} to send, ${size(bytes)}: ${join(folder, files.length === 1 ? (files[0]?.name ?? "") : "requests-*.jsonl")}`,
    "",
  ].join("\n");
}

const ENDS: Record<RunResult["ended"], string> = {
  done: "",
  cancelled: "It was interrupted: the same command goes on from here.",
  capped: "It reached its cap: the same command goes on from here.",
  stopped: "The judge cannot be asked: when it can, the same command goes on from here.",
};

function ran({ answered, known, left, ended }: RunResult, folder: string): string {
  const lost = left === 0 ? "" : `, ${number(left)} without an answer`;
  const told = ended === "done" ? [] : [ENDS[ended]];
  return [`${count(answered, "question")} answered, ${number(known)} known before${lost}: ${join(folder, ANSWERS)}`, ...told, ""].join("\n");
}

function merged({ requests, claims, statuses, incomplete, answers, followUp }: Summary, folder: string): string {
  const told = Object.entries(statuses).filter(([, of]) => of > 0).map(([status, of]) => `${number(of)} ${status}`);
  const odd = (["unreadable", "foreign", "doubled", "unasked"] as const).filter((kind) => answers[kind] > 0).map((kind) => `${number(answers[kind])} ${kind}`);
  return [
    `${count(requests, "report")} on ${count(claims, "claim")}: ${join(folder, REPORTS)}`,
    `${told.join(", ") || "No claim was judged"}.`,
    `${count(answers.lines, "line")} of answers${odd.length === 0 ? "" : `, of which ${odd.join(", ")}`}.`,
    ...(followUp === null
      ? ["Every question has its answer."]
      : [
          `${count(incomplete, "report")} ${incomplete === 1 ? "is" : "are"} not whole yet: ${join(folder, followUp.folder)} has ${different(followUp.questions, followUp.planned)}`,
          ...Object.entries(followUp.reasons).map(([reason, times]) => `  ${number(times)}: ${oneLine(reason)}`),
        ]),
    "",
  ].join("\n");
}

/** How many questions are asked of so many. */
function different(questions: number, planned: number): string {
  const same = questions - planned;
  return `${count(planned, "question")}${same === 0 ? "" : `, as ${count(same, "other")} ${same === 1 ? "is" : "are"} the same`}`;
}

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

function size(bytes: number): string {
  const [unit, of] = bytes < 1e6 ? ["KB", 1e3] : ["MB", 1e6];
  return `${number(Math.ceil(bytes / of))} ${unit}`;
}

function count(value: number, thing: string): string {
  return `${number(value)} ${thing}${value === 1 ? "" : "s"}`;
}

/** What a file system refuses, and what that means here. */
const REFUSED: Record<string, string> = {
  EACCES: "it may not be read or written",
  EEXIST: "it is no folder",
  EISDIR: "it is a folder",
  ENOENT: "there is no such file or folder",
  ENOSPC: "no space is left there; once there is, the same command goes on",
  ENOTDIR: "what is above it is no folder",
};

/** What a file system refuses is told as what it is, with the file's name. */
async function withFiles<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (typeof code !== "string" || !/^E[A-Z]+$/.test(code)) throw error;
    throw new UsageError(`${path?.replace(/\.half$/, "") ?? "A file"}: ${REFUSED[code] ?? message}`);
  }
}
