// Any number of requests, judged as a provider's batch: plan, have it answered, merge.
import { existsSync } from "node:fs";
import { join } from "node:path";

import { mergeBatch, ANSWERS, REPORTS, type Summary } from "../batch/merge.js";
import type { BatchDialect } from "../batch/forms.js";
import type { Manifest, Prices } from "../batch/manifest.js";
import { planBatch } from "../batch/plan.js";
import { INTERRUPTED, PASSED, USAGE, command, type Values } from "./command.js";
import { EXIT, UsageError } from "./exit.js";
import { chunksOf, nameOf } from "./files.js";
import { interruptible } from "./interrupt.js";
import { decimal, whole } from "./judge.js";
import { print, printJson, progress, tell } from "./terminal.js";

const OPTIONS = {
  out: { type: "string", value: "FOLDER", help: "plan: where the plan is made" },
  judge: { type: "string", value: "JUDGE", help: "plan: openai (default), openai-responses or anthropic, whose batch form the plan has" },
  model: { type: "string", value: "NAME", help: "plan: the model that is asked" },
  temperature: { type: "string", value: "T", help: "plan: sent only where it is given" },
  group: { type: "string", value: "N", help: "plan: ask about up to so many claims in one request (default: 1)" },
  prices: { type: "string", value: "READ/WRITTEN", help: "plan: money for a million tokens, such as 0.15/0.60, for the estimate" },
  json: { type: "boolean", help: "print the manifest or the summary as JSON" },
} as const;

type Given = Values<typeof OPTIONS>;

const DIALECTS: Record<string, BatchDialect> = { anthropic: "anthropic", openai: "openai", "openai-responses": "openai_responses" };

const VERBS: Record<string, (values: Given, target: string, more: string[]) => Promise<number>> = { plan, merge };

export const batch = command({
  name: "batch",
  operand: "plan FILE|- | merge FOLDER [ANSWERS…]",
  operandRequired: true,
  operandsMore: true,
  about: "plan turns JSON lines of requests, of any number, into files that a provider takes as batches.",
  options: OPTIONS,
  samples: [["What a provider takes as a batch", "claimgauge batch plan requests.jsonl --judge openai --model small --out plan"]],
  exits: [PASSED, USAGE, ["3", "questions are left, which the follow-up asks"], INTERRUPTED],
  async act(values, verb, [target, ...more]) {
    const act = Object.hasOwn(VERBS, verb as string) ? VERBS[verb as string] : undefined;
    if (act === undefined) throw new UsageError(`There is no batch ${verb}: use ${Object.keys(VERBS).join(", ")}; see claimgauge batch --help`);
    if (target === undefined) throw new UsageError(`batch ${verb} needs ${verb === "plan" ? "a file, or - for the standard input" : "the plan's folder"}; see claimgauge batch --help`);
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
  const input = (await chunksOf(file)) as AsyncIterable<Uint8Array>;
  const { result } = await interruptible((signal) =>
    planBatch({
      name: nameOf(file), input, folder: out, judge: { dialect, model, temperature }, group, prices, signal,
      onProgress: (done, total) => progress("Planning", Math.round(done / 1e6), Math.round(total / 1e6), "MB"),
    }),
  );
  await (values.json ? printJson(result) : print(planned(result, out)));
  return EXIT.passed;
}

async function merge(values: Given, folder: string, answers: string[]): Promise<number> {
  const { result } = await interruptible((signal) =>
    mergeBatch({
      folder, answers: answers.length > 0 ? answers : [join(folder, ANSWERS)].filter((path) => existsSync(path)), outputs: [], signal,
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
    `${count(input.requests, "request")} with ${count(input.claims, "claim")}: ${count(planned, "question")}${planned === questions ? "" : `, as ${count(questions - planned, "other")} are the same`}.`,
    `About ${number(promptTokens)} tokens to read and ${number(completionTokens)} to write${money === null ? "" : `: about ${number(money)} in the prices' money`}.`,
    `${count(files.length, "file")} to send, ${number(Math.ceil(bytes / 1e6))} MB: ${join(folder, files.length === 1 ? (files[0]?.name ?? "") : "requests-*.jsonl")}`,
    "",
  ].join("\n");
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
          `${count(incomplete, "report")} ${incomplete === 1 ? "is" : "are"} not whole yet: ${count(followUp.planned, "question")} to ask in ${join(folder, followUp.folder)}`,
          ...Object.entries(followUp.reasons).map(([reason, times]) => `  ${number(times)}: ${reason}`),
        ]),
    "",
  ].join("\n");
}

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

function count(value: number, thing: string): string {
  return `${number(value)} ${thing}${value === 1 ? "" : "s"}`;
}

/** What a file system refuses is told as what it is, with the file's name. */
async function withFiles<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (typeof code !== "string" || !/^E[A-Z]+$/.test(code)) throw error;
    throw new UsageError(`${path ?? "A file"}: ${code === "ENOSPC" ? "no space is left there" : message}; the same command goes on from here`);
  }
}

