#!/usr/bin/env node
// The command line: reads files, asks the judge, prints. What it prints as its answer goes to stdout,
// what it says about that to stderr.
import { readFile } from "node:fs/promises";
import { parseArgs, type ParseArgsConfig } from "node:util";

import { openai, recorded, builtin, type Recording } from "./judges/index.js";
import { call } from "./module.js";
import * as claimgauge from "./node.js";
import type { Finding, Judge, Progress, Report, ScrubRequest, Status, VerifyRequest } from "./types.js";

const EXIT = { passed: 0, failed: 1, usage: 2, judge: 3, interrupted: 130 };

/** Worst first. */
const STATUSES: Status[] = ["INCONCLUSIVE", "UNSUPPORTED", "SUSPICIOUS", "PLAUSIBLE", "VERIFIED"];

const HELP = `Usage: claimgauge <command> FILE.json|- [options]

Commands:
  verify FILE   judge the claims of a request { profile, evidence, claims, … }
  scrub FILE    take the identifiers out of { profile, evidence, claims?, … }
                FILE is - for the standard input.

Options:
  --profile NAME     strawberry, code, documentation, data or security, instead of the request's
  --json             print the whole result as JSON
  -h, --help         print this
  -V, --version      print the version

Options of verify:
  --judge JUDGE      builtin (default), openai, or recorded:FILE.json
  --base-url URL     where openai is, such as http://127.0.0.1:8080/v1
  --model NAME       the model that openai is asked for
  --api-key-file F   a file that holds openai's key; else the environment's CLAIMGAUGE_API_KEY
  --timeout SECONDS  how long openai may take for one answer (default: 60)
  --concurrency N    how many questions are open at a time (default: 4)
  --max-calls N      ask at most so many questions
  --markdown         print the report as Markdown
  --fail-on STATUS   exit with 1 if a claim has this status or a worse one

Exit codes:
  0  passed
  1  the recommendation is STOP, or a status is at or below --fail-on
  2  bad usage or bad input
  3  the judge or the network failed
  130  interrupted
`;

/** What is wrong with the command line or with a file. */
class UsageError extends Error {}

const COMMON = {
  profile: { type: "string" },
  json: { type: "boolean" },
} as const;

const VERIFY = {
  ...COMMON,
  judge: { type: "string" },
  "base-url": { type: "string" },
  model: { type: "string" },
  "api-key-file": { type: "string" },
  timeout: { type: "string" },
  concurrency: { type: "string" },
  "max-calls": { type: "string" },
  markdown: { type: "boolean" },
  "fail-on": { type: "string" },
} as const;

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
  const judge = await judgeOf(values);
  const options = {
    judge,
    concurrency: whole("--concurrency", values.concurrency, 1),
    limits: { maxCalls: whole("--max-calls", values["max-calls"], 0) },
  };
  const request = (await input(file, values.profile)) as VerifyRequest;

  const interrupt = new AbortController();
  const interrupted = () => interrupt.abort();
  process.once("SIGINT", interrupted);
  let report: Report;
  try {
    report = await inFile(file, () =>
      claimgauge.verify(request, { ...options, signal: interrupt.signal, onProgress: progress }),
    );
  } finally {
    process.off("SIGINT", interrupted);
    clearProgress();
  }

  if (values.json) {
    print(`${JSON.stringify(report, null, 2)}\n`);
  } else if (values.markdown) {
    print(claimgauge.toMarkdown(report));
  } else {
    print(summary(report));
  }
  tellFailures(report);
  return interrupt.signal.aborted ? EXIT.interrupted : exitCode(report, failOn);
}

async function scrub(args: string[]): Promise<number> {
  const { file, values } = parse(args, COMMON);
  const request = (await input(file, values.profile)) as ScrubRequest;
  const scrubbed = await inFile(file, () => claimgauge.scrub(request));
  if (values.json) {
    print(`${JSON.stringify(scrubbed, null, 2)}\n`);
    return EXIT.passed;
  }
  for (const { id, text, source } of scrubbed.spans) {
    print(`${source === null ? id : `${id} (${source})`}: ${text}\n`);
  }
  for (const leak of scrubbed.leaks) {
    tell(`Leak (${leak.level}): "${leak.term}" of ${leak.claim} is left in ${leak.span}`);
  }
  return EXIT.passed;
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
      `${paint(claim.status)} ${claim.id}: ${oneLine(claim.text)}`,
      `  scrubbed ${scrubbed}, full ${full}, delta ${number(claim.delta)}. ${claim.why}`,
    ].join("\n");
  });
  const skipped = report.skipped.map(({ claim, reason }) => `SKIPPED ${claim}: ${reason}`);
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
  [name in keyof T]?: T[name]["type"] extends "boolean" ? boolean : string;
};

function parse<T extends NonNullable<ParseArgsConfig["options"]>>(args: string[], options: T): { file: string; values: Values<T> } {
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const hint = args.some((arg) => arg.startsWith("--api-key"))
      ? " A key is never an argument: put it into CLAIMGAUGE_API_KEY or a file."
      : "";
    throw new UsageError(`${(error as Error).message}.${hint}`);
  }
  const [file, ...more] = parsed.positionals;
  if (file === undefined || more.length > 0) {
    throw new UsageError("Name one file, or - for the standard input; see claimgauge --help");
  }
  return { file, values: parsed.values as Values<T> };
}

async function judgeOf(values: Values<typeof VERIFY>): Promise<Judge> {
  const name = values.judge ?? "builtin";
  const foreign = (["base-url", "model", "api-key-file", "timeout"] as const).find((option) => values[option] !== undefined);
  if (foreign !== undefined && name !== "openai") {
    throw new UsageError(`--${foreign} is for --judge openai`);
  }
  if (name === "builtin") {
    return builtin();
  }
  if (name.startsWith("recorded:")) {
    const file = name.slice("recorded:".length);
    const recordings = (await readJson(file)) as Recording[];
    return inFile(file, () => recorded(recordings));
  }
  if (name !== "openai") {
    throw new UsageError(`There is no judge "${name}": use builtin, openai or recorded:FILE.json`);
  }
  const { "base-url": baseUrl, model } = values;
  if (baseUrl === undefined || model === undefined) {
    throw new UsageError("--judge openai needs --base-url and --model");
  }
  const keyFile = values["api-key-file"];
  const apiKey = keyFile === undefined ? process.env["CLAIMGAUGE_API_KEY"] : (await readText(keyFile)).trim();
  const seconds = whole("--timeout", values.timeout, 1);
  return openai({ baseUrl, model, apiKey, timeoutMs: seconds && seconds * 1000 });
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

/** The request in a file, with the profile that the command line names. */
async function input(file: string, profile: string | undefined): Promise<unknown> {
  const request = await readJson(file);
  const isObject = typeof request === "object" && request !== null && !Array.isArray(request);
  return isObject && profile !== undefined ? { ...request, profile } : request;
}

async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const broken = call((module) => module.jsonError(text)) as { line: number; column: number; message: string } | null;
    const why = broken?.message ?? (error as Error).message;
    throw new UsageError(`${nameOf(file)}: no JSON: ${why}`);
  }
}

async function readText(file: string): Promise<string> {
  const bytes = file === "-" ? await stdin() : await readFile(file).catch((error: NodeJS.ErrnoException) => {
    const why = { ENOENT: "there is no such file", EACCES: "it may not be read", EISDIR: "it is a folder" };
    throw new UsageError(`${file}: ${why[error.code as keyof typeof why] ?? error.message}`);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${nameOf(file)}: not UTF-8`);
  }
}

async function stdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What is wrong with a file's content names the file. */
async function inFile<T>(file: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof claimgauge.ClaimgaugeError)) throw error;
    throw new UsageError(`${nameOf(file)}: ${sentence(error)}`);
  }
}

function nameOf(file: string): string {
  return file === "-" ? "the standard input" : file;
}

function oneLine(text: string): string {
  // Control characters could redraw the terminal.
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

const COLOURS = { VERIFIED: 32, PLAUSIBLE: 36, SUSPICIOUS: 33, UNSUPPORTED: 31, INCONCLUSIVE: 35 };

function paint(status: Status): string {
  const padded = status.padEnd("INCONCLUSIVE".length);
  return process.stdout.isTTY && !process.env["NO_COLOR"] ? `\x1b[${COLOURS[status]}m${padded}\x1b[0m` : padded;
}

function progress({ done, total }: Progress): void {
  if (process.stderr.isTTY) process.stderr.write(`\rJudging: ${done} of ${total} passes`);
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
    const known = error instanceof UsageError || error instanceof claimgauge.ClaimgaugeError;
    const message = error instanceof claimgauge.ClaimgaugeError ? sentence(error) : String((error as Error)?.message);
    tell(known ? message : `This is a bug, please report it: ${(error as Error)?.stack ?? message}`);
    process.exitCode = error instanceof claimgauge.ClaimgaugeError && error.code === "internal" ? EXIT.failed : EXIT.usage;
  },
);
