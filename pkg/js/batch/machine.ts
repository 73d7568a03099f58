// One request through the machine: the way of lines into the module and out of it.
import { ClaimgaugeError } from "../error.js";
import { batch, checks, extra, type Batch } from "../module.js";
import { loadPatterns } from "../patterns.js";
import type { Failure, JudgeAnswer, JudgeRequest, Report, VerifyRequest } from "../types.js";
import { checkRequest } from "../verify.js";
import { askedOf, type Asked, type BatchDialect } from "./forms.js";

export function loadMachine(): Promise<unknown> {
  return Promise.all([batch.load(), checks.load()]);
}

/** A request: the line that it is, and what the line says. */
export interface Given {
  bytes: Uint8Array;
  request: VerifyRequest;
}

/** A question that is to be asked. */
export interface Question {
  /** The ids of the claims that it is about. */
  claims: string[];
  pass: JudgeRequest["pass"];
  mode: JudgeRequest["mode"];
  attempt: number;
  promptTokens: number;
  /** What is sent, as JSON. */
  body: Buffer;
}

/** Whom a plan asks, and how. */
export interface Asking {
  judge: Asked;
  group: number;
  /** Parameters that are left out. */
  without: readonly string[];
}

/** A line that answers a question, and whether it was said to another one that is the same. */
export interface Answer {
  line: Buffer;
  shared: boolean;
}

export interface Replayed {
  /** The report's line, with its end. */
  report: Buffer;
  summary: Report["summary"];
  recommendation: Report["recommendation"];
  told: {
    /** How many questions have lines of their own that answer them, and what these cost. */
    answered: number;
    cost: Report["cost"];
    /** Why each question that is open is so. */
    reasons: string[];
    /** Parameters that the provider refuses. */
    without: string[];
  };
  /** What must be asked, or asked again, before the report is whole. */
  open: Question[];
}

/** What the request asks at first, before anything is answered. */
export async function firstQuestions(given: Given, { judge, group, without }: Asking): Promise<Question[]> {
  const asked = askedOf(judge, without);
  return questionsIn(linesOf(await call(given, (module, matches) => module.questions(given.bytes, group, asked, matches))));
}

/** Hands in all that is known, by the questions' ids; a claim of which an answer is missing is INCONCLUSIVE, with the flag `stopped`. */
export async function replay(given: Given, { judge, group, without }: Asking, known: [id: string, Answer][]): Promise<Replayed> {
  const asked = askedOf(judge, without);
  const answers = answersOf(known);
  const [report, counted, ...open] = linesOf(await call(given, (module, matches) => module.replay(given.bytes, group, asked, answers, matches)));
  const [summary, recommendation, told] = JSON.parse(`${counted}`) as [Replayed["summary"], Replayed["recommendation"], Replayed["told"]];
  return { report: report as Buffer, summary, recommendation, told, open: questionsIn(open) };
}

/** What was said to a question, read. */
export type Heard =
  | { kind: "answer"; answer: JudgeAnswer }
  | { kind: "failure"; failure: Failure }
  | { kind: "again"; reason: string; without: string | null };

/** What lines that answer the same question say of it; null where there are none. */
export function hear(dialect: BatchDialect, answers: Answer[]): Heard | null {
  const known = answersOf(answers.map((answer) => ["", answer]));
  return JSON.parse(batch.call((module) => module.hear(dialect, known))) as Heard | null;
}

/** The name of the question that a line answers. */
export function answeredBy(line: Uint8Array): string {
  return batch.call((module) => module.customId(line));
}

/** Calls the module, again with what the request's patterns match where it has some. */
async function call<T>({ bytes, request }: Given, run: (module: Batch, matches?: Uint32Array) => T): Promise<T> {
  try {
    return batch.call((module) => run(module));
  } catch (error) {
    if (!(error instanceof ClaimgaugeError) || error.code === "internal") throw error;
    if (error.code !== "patterns_not_loaded") {
      // Who looks at values instead of text says better what is wrong with them.
      await checkRequest(request);
      throw error;
    }
  }
  await loadPatterns();
  const search = JSON.parse(batch.call((module) => module.search(bytes))) as unknown;
  const matches = extra.call((module) => module.matches(search));
  return batch.call((module) => run(module, matches));
}

/** One line that says what each of the others answers, then these. */
function answersOf(known: [id: string, Answer][]): Buffer {
  const heads = JSON.stringify(known.map(([id, { shared }]) => [id, shared]));
  return Buffer.concat([Buffer.from(heads), ...known.flatMap(([, { line }]) => [LINE_END, line])]);
}

const LINE_END = Buffer.from("\n");

/** Each with its end. */
function linesOf(made: Uint8Array): Buffer[] {
  const bytes = Buffer.from(made.buffer, made.byteOffset, made.byteLength);
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, start) + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

/** The questions in pairs of lines. */
function questionsIn(lines: Buffer[]): Question[] {
  const questions: Question[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    questions.push({ ...(JSON.parse(`${lines[at]}`) as Omit<Question, "body">), body: (lines[at + 1] as Buffer).subarray(0, -1) });
  }
  return questions;
}
