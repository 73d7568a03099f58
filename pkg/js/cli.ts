#!/usr/bin/env node
// The command line: reads files, asks the judge, prints. What it prints as its answer goes to stdout,
// what it says about that to stderr.
import { setMaxListeners } from "node:events";
import { constants, createReadStream } from "node:fs";
import { open, stat, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, type ParseArgsConfig } from "node:util";

import { bench as benchCases, parseCases, stratified, table, type LabelledClaim } from "./bench.js";
import {
  anthropic,
  builtin,
  gemini,
  ollama,
  openai,
  recorded,
  sampled,
  type ProviderOptions,
  type Recording,
} from "./judges/index.js";
import { checks } from "./module.js";
import * as claimgauge from "./node.js";
import { observe as observeFiles, observed } from "./output/observations.js";
import type { CheckOptions, CheckProgress, CheckResult, Effect, Observations, Schema, ToolTrace } from "./output/types.js";
import { loadAndCall } from "./patterns.js";
import { scrubBy } from "./scrubbed.js";
import type { Finding, Judge, Mode, Progress, Report, Scrubbed, Status, VerifyRequest } from "./types.js";

const EXIT = { passed: 0, failed: 1, usage: 2, judge: 3, interrupted: 130 };

/** Worst first. */
const STATUSES: Status[] = ["INCONCLUSIVE", "UNSUPPORTED", "SUSPICIOUS", "PLAUSIBLE", "VERIFIED"];

const MODES: Mode[] = ["identifiers", "redact_spans", "no_evidence"];

const HELP = `Usage: claimgauge <command> FILE.json|- [options]

Commands:
  verify FILE   judge the claims of a request { profile, evidence, claims, … }
  scrub FILE    take the identifiers out of { profile, evidence, claims?, … }
  check-output FILE
                check what an agent says it did: { summary, traceRef, claims, … }
  observe FILE  print what check-output needs to know of the files, where they are
  bench FILE    judge labelled claims, lines of { claim, evidence, label }, and tell how well the judge
                and its deltas know the labels: 1 where the evidence supports the claim, else 0

FILE is - for the standard input.

Options:
  --profile NAME     strawberry, code, documentation, data or security, instead of the request's
  --profile-file F   a profile of your own: { extends, kinds?, thresholds?, … }
  --json             print the whole result as JSON
  -h, --help         print this
  -V, --version      print the version

Options of verify and bench:
  --judge JUDGE      builtin (default), openai, openai-responses, anthropic, gemini, ollama, or
                     recorded:FILE.json
  --base-url URL     where the judge is, such as http://127.0.0.1:8080/v1; anthropic, gemini and ollama
                     have an address of their own
  --model NAME       the model that is asked
  --api-key-file F   a file that holds the judge's key; else the environment's CLAIMGAUGE_API_KEY
  --timeout SECONDS  how long the judge may take for one answer (default: 60)
  --temperature T    0 for the same answers again; sent only where it is given
  --samples N        ask each question so often, and let most of the replies decide
  --cache FOLDER     keep answers there, and ask nothing that is known
  --concurrency N    how many questions are open at a time (default: 4)
  --group N          ask about up to so many claims in one request (default: 1)
  --max-calls N      ask at most so many questions
  --max-tokens N     let the judge read at most so many tokens
  --thresholds F     a file with { verified, plausible }, as bench --fit writes it

Options of verify:
  --markdown         print the report as Markdown
  --fail-on STATUS   exit with 1 if a claim has this status or a worse one

Options of bench:
  --null MODE        identifiers (default), redact_spans or no_evidence; again for each; the first decides
  --sample N         only so many of the claims, of every kind and label its share
  --fit F            write thresholds that fit this judge to a file

Options of check-output:
  --base DIR         the folder that the claims are about; observe needs it too
  --observations F   what observe printed on the machine with the files, instead of --base
  --trace F          the record of what the agent's tools did
  --schema TOOL=F    the JSON Schema of what a tool gives; again for each tool
  --tool-kind TOOL=KIND
                     what a tool does: write, edit, delete, read, run or any; again for each
  --specialist ID    whose output it is; in strict mode the trace must be theirs
  --strict           the trace must account for every claim, and nothing may be inconclusive

Exit codes:
  0  passed
  1  the recommendation is STOP, a status is at or below --fail-on, or an output is not valid
  2  bad usage or bad input
  3  the judge or the network failed
  130  interrupted
`;

/** What is wrong with the command line or with a file. */
class UsageError extends Error {}

const COMMON = {
  profile: { type: "string" },
  "profile-file": { type: "string" },
  json: { type: "boolean" },
} as const;

const JUDGED = {
  ...COMMON,
  judge: { type: "string" },
  "base-url": { type: "string" },
  model: { type: "string" },
  "api-key-file": { type: "string" },
  timeout: { type: "string" },
  temperature: { type: "string" },
  concurrency: { type: "string" },
  group: { type: "string" },
  "max-calls": { type: "string" },
  "max-tokens": { type: "string" },
  samples: { type: "string" },
  cache: { type: "string" },
  thresholds: { type: "string" },
} as const;

const VERIFY = {
  ...JUDGED,
  markdown: { type: "boolean" },
  "fail-on": { type: "string" },
} as const;

const BENCH = {
  ...JUDGED,
  null: { type: "string", multiple: true },
  sample: { type: "string" },
  fit: { type: "string" },
} as const;

const CHECK = {
  base: { type: "string" },
  observations: { type: "string" },
  trace: { type: "string" },
  schema: { type: "string", multiple: true },
  "tool-kind": { type: "string", multiple: true },
  specialist: { type: "string" },
  strict: { type: "boolean" },
  json: { type: "boolean" },
} as const;

const OBSERVE = { base: { type: "string" } } as const;

async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === undefined || command === "help" || args.includes("--help") || args.includes("-h")) {
    print(HELP);
    return command === undefined ? EXIT.usage : EXIT.passed;
  }
  switch (command) {
    case "verify":
      return verify(rest);
    case "scrub":
      return scrub(rest);
    case "check-output":
      return checkOutput(rest);
    case "observe":
      return observe(rest);
    case "bench":
      return bench(rest);
    case "--version":
    case "-V":
      print(`${claimgauge.version}\n`);
      return EXIT.passed;
    default:
      throw new UsageError(`There is no command "${command}"; see claimgauge --help`);
  }
}

async function verify(args: string[]): Promise<number> {
  const { file, values } = parse(args, VERIFY);
  const failOn = status(values["fail-on"]);
  const options = await askingOf(values);
  const request = (await input(file, values)) as VerifyRequest;

  const { result: report, aborted } = await interruptible((signal) =>
    inRequest(file, values, () => claimgauge.verify(request, { ...options, signal, onProgress: progress })),
  );

  if (values.json) {
    print(`${JSON.stringify(report, null, 2)}\n`);
  } else if (values.markdown) {
    print(claimgauge.toMarkdown(report));
  } else {
    print(summary(report));
  }
  tellFailures(report);
  return aborted ? EXIT.interrupted : exitCode(report, failOn);
}

async function bench(args: string[]): Promise<number> {
  const { file, values } = parse(args, BENCH);
  const options = await askingOf(values);
  const nulls = (values.null ?? []).map((mode) => {
    if (!MODES.includes(mode as Mode)) throw new UsageError(`--null takes one of ${MODES.join(", ")}, not "${mode}"`);
    return mode as Mode;
  });
  const request = (await laidOver({ profile: "strawberry", nulls }, values)) as Omit<VerifyRequest, "evidence" | "claims">;
  const all = await readText(file).then((text) => inFile(file, () => parseCases(text)));
  const count = whole("--sample", values.sample, 1);
  const cases = count === undefined ? all : stratified(all, count, kindOf);

  const { result, aborted } = await interruptible((signal) =>
    inRequest(file, values, () => benchCases(cases, request, { ...options, signal, onClaim: benching(cases.length) })),
  );
  // First, so that a file that cannot be written does not take it along.
  print(values.json ? `${JSON.stringify(result, null, 2)}\n` : table(result));
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
}

/** What tells kinds of labelled claims apart: the label, and whatever else a set says of them. */
function kindOf({ label, kind, mut }: LabelledClaim): string {
  return `${Number(label)} ${String(kind ?? "")} ${String(mut ?? "")}`;
}

/** Whom to ask, and how. */
async function askingOf(values: Values<typeof JUDGED>) {
  return {
    judge: await judgeOf(values),
    concurrency: whole("--concurrency", values.concurrency, 1),
    group: whole("--group", values.group, 1),
    cache: values.cache === undefined ? undefined : claimgauge.directoryCache(values.cache),
    limits: {
      maxCalls: whole("--max-calls", values["max-calls"], 0),
      maxPromptTokens: whole("--max-tokens", values["max-tokens"], 0),
    },
  };
}

async function scrub(args: string[]): Promise<number> {
  const { file, values } = parse(args, COMMON);
  const request = await input(file, values);
  const scrubbed = await inRequest(file, values, () =>
    loadAndCall<Scrubbed>((module, matches) => scrubBy(module, request, matches)),
  );
  if (values.json) {
    print(`${JSON.stringify(scrubbed, null, 2)}\n`);
    return EXIT.passed;
  }
  for (const { id, text, source } of scrubbed.spans) {
    const name = source === null ? id : `${id} (${source})`;
    print(`${oneLine(name)}: ${text.replace(/[^\P{Cc}\n\t]/gu, "\ufffd")}\n`);
  }
  for (const leak of scrubbed.leaks) {
    tell(`Leak (${leak.level}): "${leak.term}" of ${leak.claim} is left in ${leak.span}`);
  }
  return EXIT.passed;
}

async function checkOutput(args: string[]): Promise<number> {
  const { file, values } = parse(args, CHECK);
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

  const output = await readJson(file);
  const { result } = await interruptible((signal) =>
    claimgauge.checkOutput(output, { ...options, signal, onProgress: checking }),
  );
  print(values.json ? `${JSON.stringify(result, null, 2)}\n` : verdicts(result));
  if (values.base === undefined && values.observations === undefined && claimsFiles(result)) {
    tell("Nothing looked at files: give --base DIR or --observations FILE to have claims about them checked");
  }
  return result.valid ? EXIT.passed : EXIT.failed;
}

function claimsFiles({ structureValidation: { output } }: CheckResult): boolean {
  return (output?.claims ?? []).some((claim) => claim.kind !== "command-executed");
}

async function observe(args: string[]): Promise<number> {
  const { file, values } = parse(args, OBSERVE);
  const { base } = values;
  if (base === undefined) throw new UsageError("observe needs --base");
  const output = await readJson(file);
  const { result } = await interruptible((signal) => observeFiles(output, base, { signal, onProgress: checking }));
  // File by file: the texts of all may be longer together than a text can be.
  print(`{"base":${JSON.stringify(result.base)},"files":{`);
  Object.entries(result.files).forEach(([path, seen], at) => {
    print(`${at === 0 ? "" : ","}\n${JSON.stringify(path)}:${JSON.stringify(seen)}`);
  });
  print("\n}}\n");
  return EXIT.passed;
}

/** Ctrl-C cancels what runs; whether it did is told. */
async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<{ result: T; aborted: boolean }> {
  const interrupt = new AbortController();
  // Every open question listens: many of them are no leak.
  setMaxListeners(0, interrupt.signal);
  const interrupted = () => interrupt.abort();
  process.once("SIGINT", interrupted);
  try {
    const result = await run(interrupt.signal);
    return { result, aborted: interrupt.signal.aborted };
  } finally {
    process.off("SIGINT", interrupted);
    clearProgress();
  }
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

function verdicts(result: CheckResult): string {
  const claims = (result.filesystemValidation?.claimResults ?? []).map(({ index, claim, outcome, reason, hint }) => {
    const about = "filePath" in claim ? claim.filePath : claim.command;
    const why = reason === null ? "" : `: ${reason}${hint === null ? "" : ` (${hint})`}`;
    return `${outcome.toUpperCase().padEnd("INCONCLUSIVE".length)} claims.${index} ${claim.kind} ${oneLine(about)}${oneLine(why)}`;
  });
  const unclaimed = result.unclaimed.map((path) => `UNCLAIMED    ${oneLine(path)}`);
  const notes = result.claimless && result.valid ? ["The output claims nothing."] : [];
  const errors = result.level === 3 ? result.errors.slice(0, 1) : result.errors;
  const end = result.valid ? ["VALID"] : [`INVALID: ${errors.map(oneLine).join("\n  ")}`];
  return [...claims, ...unclaimed, ...notes, ...end, ""].join("\n");
}

function exitCode(report: Report, failOn: Status | undefined): number {
  if (report.recommendation === "STOP") return EXIT.failed;
  if (report.claims.some(notJudged)) return EXIT.judge;
  const worst = (claim: Finding) => STATUSES.indexOf(claim.status) <= STATUSES.indexOf(failOn as Status);
  return failOn !== undefined && report.claims.some(worst) ? EXIT.failed : EXIT.passed;
}

/** Whether it was the judge that left a claim without a conclusion, not the request. */
function notJudged(claim: Finding): boolean {
  return claim.status === "INCONCLUSIVE" && !claim.flags.includes("unknown_citation");
}

function summary(report: Report): string {
  const lines = report.claims.map((claim) => {
    const [scrubbed, full] = [number(claim.scrubbed?.confidence), number(claim.full?.confidence)];
    return [
      `${paint(claim.status)} ${oneLine(claim.id)}: ${oneLine(claim.text)}`,
      `  scrubbed ${scrubbed}, full ${full}, delta ${number(claim.delta)}. ${claim.why}`,
    ].join("\n");
  });
  const skipped = report.skipped.map(({ claim, reason }) => `SKIPPED ${oneLine(claim)}: ${reason}`);
  return [...lines, ...skipped, "", `${report.recommendation}: ${oneLine(report.rationale)}`, ""].join("\n");
}

/** Two decimals, half away from zero, as in the Markdown. */
function number(value: number | null | undefined): string {
  if (value === null || value === undefined) return "n/a";
  const hundredths = Math.round(Math.round(Math.abs(value) * 1e6) / 1e4);
  return `${value < 0 && hundredths > 0 ? "-" : ""}${(hundredths / 100).toFixed(2)}`;
}

/** Why passes failed: each reason once. */
function tellFailures(report: Report): void {
  const passes = report.claims.flatMap((claim) => [claim.full, claim.scrubbed, ...claim.nulls.map((one) => one.pass)]);
  const reasons = passes.flatMap((pass) => (pass?.error ? [sentence(pass.error)] : []));
  new Set(reasons).forEach(tell);
}

function sentence({ code, message, path, hint }: { code: string; message: string; path: string | null; hint: string | null }): string {
  return `${path ? `${path}: ` : ""}${message}${hint ? ` (${hint})` : ""} [${code}]`;
}

type Values<T extends NonNullable<ParseArgsConfig["options"]>> = {
  [name in keyof T]?: T[name]["type"] extends "boolean" ? boolean : T[name] extends { multiple: true } ? string[] : string;
};

function parse<T extends NonNullable<ParseArgsConfig["options"]>>(args: string[], options: T): { file: string; values: Values<T> } {
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const hint = args.some((arg) => arg.startsWith("--api-key"))
      ? " A key is never an argument: put it into CLAIMGAUGE_API_KEY or a file."
      : "";
    // Node advises on arguments that begin with a dash, which is not what was meant.
    const why = (error as Error).message.replace(/\. To specify a positional argument.*|\.$/s, "");
    throw new UsageError(`${why}; see claimgauge --help.${hint}`);
  }
  const [file, ...more] = parsed.positionals;
  if (file === undefined || more.length > 0) {
    throw new UsageError("Name one file, or - for the standard input; see claimgauge --help");
  }
  return { file, values: parsed.values as Values<T> };
}

/** What speaks HTTP, and whether it must be told where. */
const PROVIDERS: Record<string, { judge: (options: ProviderOptions & { baseUrl: string }) => Judge; needsUrl?: true }> = {
  anthropic: { judge: anthropic },
  gemini: { judge: gemini },
  ollama: { judge: ollama },
  openai: { judge: openai, needsUrl: true },
  "openai-responses": { judge: (options) => openai({ ...options, api: "responses" }), needsUrl: true },
};

async function judgeOf(values: Values<typeof JUDGED>): Promise<Judge> {
  const name = values.judge ?? "builtin";
  const provider = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  const foreign = (["base-url", "model", "api-key-file", "timeout", "temperature", "samples"] as const).find((option) => values[option] !== undefined);
  if (foreign !== undefined && provider === undefined) {
    throw new UsageError(`--${foreign} is for --judge ${Object.keys(PROVIDERS).join(", ")}`);
  }
  if (name === "builtin") {
    return builtin();
  }
  if (name.startsWith("recorded:")) {
    const file = name.slice("recorded:".length);
    const recordings = (await readJson(file)) as Recording[];
    return inFile(file, () => recorded(recordings));
  }
  if (provider === undefined) {
    throw new UsageError(`There is no judge "${name}": use builtin, ${Object.keys(PROVIDERS).join(", ")} or recorded:FILE.json`);
  }
  const { "base-url": baseUrl, model } = values;
  if (model === undefined || (provider.needsUrl && baseUrl === undefined)) {
    throw new UsageError(`--judge ${name} needs ${provider.needsUrl ? "--base-url and " : ""}--model`);
  }
  const keyFile = values["api-key-file"];
  const apiKey = keyFile === undefined ? process.env["CLAIMGAUGE_API_KEY"] : (await readText(keyFile)).trim();
  const seconds = whole("--timeout", values.timeout, 1);
  const samples = whole("--samples", values.samples, 1);
  const temperature = decimal("--temperature", values.temperature);
  const judge = provider.judge({ baseUrl: baseUrl ?? "", model, apiKey, temperature, timeoutMs: seconds && seconds * 1000 });
  return samples === undefined ? judge : sampled(judge, { samples });
}

function status(name: string | undefined): Status | undefined {
  if (name !== undefined && !STATUSES.includes(name as Status)) {
    throw new UsageError(`--fail-on takes one of ${STATUSES.join(", ")}, not "${name}"`);
  }
  return name as Status | undefined;
}

function whole(option: string, value: string | undefined, least: number): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value) || Number(value) < least) {
    throw new UsageError(`${option} takes a whole number of at least ${least}, not "${value}"`);
  }
  return Number(value);
}

function decimal(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(value)) {
    throw new UsageError(`${option} takes a number such as 0.7, not "${value}"`);
  }
  return Number(value);
}

/** The request in a file, with what the command line says instead. */
async function input(file: string, values: Values<typeof JUDGED>): Promise<unknown> {
  const request = await readJson(file);
  const isObject = typeof request === "object" && request !== null && !Array.isArray(request);
  return isObject ? laidOver(request, values) : request;
}

async function laidOver(request: object, values: Values<typeof JUDGED>): Promise<object> {
  const { profile, "profile-file": profileFile, thresholds } = values;
  if (profile !== undefined && profileFile !== undefined) {
    throw new UsageError("Give --profile or --profile-file, not both");
  }
  return {
    ...request,
    ...(profile !== undefined && { profile }),
    ...(profileFile !== undefined && { profile: await readJson(profileFile) }),
    ...(thresholds !== undefined && { thresholds: await readJson(thresholds) }),
  };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    await checks.load();
    const broken = checks.call((module) => module.jsonError(text)) as { line: number; column: number; message: string } | null;
    const why = broken?.message ?? (error as Error).message;
    throw new UsageError(`${nameOf(file)}: not JSON: ${why}`);
  }
}

/** In bytes: no request is as large, and a device never ends. */
const MOST_INPUT = 256 * 1024 * 1024;

/** How long, in milliseconds, a FIFO is waited for that nobody has opened to write. */
const NO_WRITER = 10_000;

/** How long, in milliseconds, before a FIFO is looked at again. */
const FIFO_PAUSE = 10;

async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof UsageError) throw error;
    const why = { ENOENT: "there is no such file", EACCES: "it may not be read", EISDIR: "it is a folder" };
    throw new UsageError(`${nameOf(file)}: ${why[error.code as keyof typeof why] ?? error.message}`);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${nameOf(file)}: not UTF-8`);
  }
}

async function readBytes(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await chunksOf(file)) {
    size += (chunk as Buffer).length;
    if (size > MOST_INPUT) throw new UsageError(`${nameOf(file)}: larger than ${MOST_INPUT / 1024 / 1024} MB`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

async function chunksOf(file: string): Promise<AsyncIterable<unknown>> {
  if (file === "-") return process.stdin;
  return (await stat(file)).isFIFO() ? fifo(file) : createReadStream(file);
}

/** Opens without waiting, as a FIFO without a writer would hold the program up for ever, out of reach of a signal. */
async function* fifo(file: string): AsyncIterable<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const start = Date.now();
    for (let isWritten = false; ; ) {
      const { bytesRead, buffer } = await handle.read().catch((error: NodeJS.ErrnoException) => {
        // There is a writer, who has not written anything yet.
        if (error.code === "EAGAIN") return { bytesRead: -1, buffer: Buffer.alloc(0) };
        throw error;
      });
      if (bytesRead === 0 && isWritten) return;
      isWritten ||= bytesRead !== 0;
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      else if (!isWritten && Date.now() - start > NO_WRITER) throw new UsageError(`${nameOf(file)}: nobody writes to this FIFO`);
      else await sleep(FIFO_PAUSE);
    }
  } finally {
    await handle.close();
  }
}

/** What is wrong with a file's content names the file. */
async function inFile<T>(file: string, act: () => T | Promise<T>, parts: Record<string, string | undefined> = {}): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof claimgauge.ClaimgaugeError)) throw error;
    const [part = ""] = /^\w*/.exec(error.path) ?? [];
    const place = (Object.hasOwn(parts, part) ? parts[part] : undefined) ?? file;
    throw new UsageError(`${nameOf(place)}: ${sentence(error)}`);
  }
}

/** As `inFile`; the profile and the thresholds may be in files of their own. */
function inRequest<T>(file: string, values: Values<typeof JUDGED>, act: () => Promise<T>): Promise<T> {
  return inFile(file, act, { profile: values["profile-file"], thresholds: values.thresholds });
}

function nameOf(file: string): string {
  return file === "-" ? "the standard input" : file;
}

function oneLine(text: string): string {
  // Control characters could redraw the terminal, and those of direction turn a name around.
  return text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
}

const COLOURS = { VERIFIED: 32, PLAUSIBLE: 36, SUSPICIOUS: 33, UNSUPPORTED: 31, INCONCLUSIVE: 35 };

function paint(status: Status): string {
  const padded = status.padEnd("INCONCLUSIVE".length);
  return process.stdout.isTTY && !process.env["NO_COLOR"] ? `\x1b[${COLOURS[status]}m${padded}\x1b[0m` : padded;
}

function progress({ done, total }: Progress): void {
  if (process.stderr.isTTY) process.stderr.write(`\rJudging: ${done} of ${total} passes`);
}

function benching(total: number): (done: number) => void {
  return (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\rJudging: ${done} of ${total} claims`);
  };
}

function checking({ done, total, file }: CheckProgress): void {
  if (!process.stderr.isTTY) return;
  const within = file === null ? "" : `, ${Math.floor((100 * file.bytes) / Math.max(file.size, 1))} % of ${oneLine(file.path)}`;
  process.stderr.write(`\r\x1b[KChecking: ${done} of ${total}${within}`);
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
}

function print(text: string): void {
  process.stdout.write(text);
}

function tell(text: string): void {
  process.stderr.write(`claimgauge: ${oneLine(text)}\n`);
}

// A reader that stops early, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    if (error instanceof claimgauge.ClaimgaugeError && error.code === "cancelled") {
      process.exitCode = EXIT.interrupted;
      return;
    }
    const known = error instanceof UsageError || error instanceof claimgauge.ClaimgaugeError;
    const message = error instanceof claimgauge.ClaimgaugeError ? sentence(error) : String((error as Error)?.message);
    tell(known ? message : `This is a bug, please report it: ${(error as Error)?.stack ?? message}`);
    process.exitCode = error instanceof claimgauge.ClaimgaugeError && error.code === "internal" ? EXIT.failed : EXIT.usage;
  },
);
