// One request through the machine: the way of lines into the module and out of it.
import { ClaimgaugeError } from "../error.js";
import { batch, extra, type Batch } from "../module.js";
import { loadPatterns } from "../patterns.js";
import type { Failure, JudgeAnswer, JudgeRequest, Report, VerifyRequest } from "../types.js";
import { checkRequest } from "../verify.js";
import type { BatchDialect } from "./forms.js";

export function loadMachine(): Promise<void> {
  return batch.load();
}

/** A question in its plan, as the core writes it; the request's line comes first: `12-0-full-1`. */
export type QuestionKey = string;

export function lineOf(key: QuestionKey): number {
  return Number.parseInt(key, 10);
}

/** A request: the line that it is, where that stands, and what it says. */
export interface Given {
  bytes: Uint8Array;
  line: number;
  /** Refused where it says nothing that can be read. */
  request(): Promise<VerifyRequest>;
}

/** What a question is called. */
export interface Named {
  key: QuestionKey;
  /** Its `custom_id`. */
  name: string;
}

/** A question that is to be asked. */
export interface Question extends Named {
  promptTokens: number;
  /** What is sent, as JSON. */
  body: Buffer;
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

/** Refuses to leave out what no request can do without. */
export function checkAsked(asked: Uint8Array): void {
  batch.call((module) => module.check(asked));
}

/** How many claims the request has, and what it asks at first, before anything is answered. */
export async function firstQuestions(given: Given, asked: Uint8Array): Promise<{ claims: number; questions: Question[] }> {
  const [claims, ...questions] = linesOf(await call(given, (module, matches) => module.questions(given.bytes, given.line, asked, matches)));
  return { claims: Number(claims), questions: questionsIn(questions) };
}

/** Hands in all that is known; a claim of which an answer is missing is INCONCLUSIVE, with the flag `stopped`. */
export async function replay(given: Given, asked: Uint8Array, known: [QuestionKey, Answer][]): Promise<Replayed> {
  const answers = answersOf(known);
  const [report, counted, ...open] = linesOf(await call(given, (module, matches) => module.replay(given.bytes, given.line, asked, answers, matches)));
  const [summary, recommendation, told] = JSON.parse(`${counted}`) as [Replayed["summary"], Replayed["recommendation"], Replayed["told"]];
  return { report: report as Buffer, summary, recommendation, told, open: questionsIn(open) };
}

/** What was said to a question, read. */
export type Heard =
  | { kind: "answer"; answer: JudgeAnswer }
  | { kind: "failure"; failure: Failure }
  | { kind: "again"; reason: string; without: string | null };

/** What lines that answer a question say of it; null where there are none. */
export function hear(dialect: BatchDialect, key: QuestionKey, answers: Answer[]): Heard | null {
  const known = answersOf(answers.map((answer) => [key, answer]));
  return JSON.parse(batch.call((module) => module.hear(dialect, known))) as Heard | null;
}

/** The question of a plan that a line answers. */
export function answeredBy(line: Uint8Array, plan: string): QuestionKey {
  return batch.call((module) => module.answered(line, plan));
}

/** What questions are called that a verification asks of a request. */
export function namesOf({ bytes, line }: Given, plan: string, questions: JudgeRequest[]): Named[] {
  const asked = questions.map(({ claim, claims, pass, mode, attempt }) => ({ claim, others: claims.length - 1, pass, mode, attempt }));
  return JSON.parse(batch.call((module) => module.names(bytes, line, plan, Buffer.from(JSON.stringify(asked))))) as Named[];
}

/** Calls the module, again with what the request's patterns match where it has some. */
async function call<T>({ bytes, request }: Given, run: (module: Batch, matches?: Uint32Array) => T): Promise<T> {
  try {
    return batch.call((module) => run(module));
  } catch (error) {
    if (!(error instanceof ClaimgaugeError) || error.code === "internal") throw error;
    if (error.code !== "patterns_not_loaded") {
      // Who looks at values instead of text says better what is wrong with them.
      await checkRequest(await request());
      throw error;
    }
  }
  await loadPatterns();
  const search = JSON.parse(batch.call((module) => module.search(bytes))) as unknown;
  const matches = extra.call((module) => module.matches(search));
  return batch.call((module) => run(module, matches));
}

/** One line that says what each of the others answers, then these. */
function answersOf(known: [QuestionKey, Answer][]): Buffer {
  const heads = JSON.stringify(known.map(([key, { shared }]) => [key, shared]));
  const answers = Buffer.allocUnsafe(heads.length + known.reduce((sum, [, { line }]) => sum + 1 + line.length, 0));
  let end = answers.write(heads, 0, "latin1");
  for (const [, { line }] of known) {
    answers[end] = LINE_FEED;
    answers.set(line, end + 1);
    end += 1 + line.length;
  }
  return answers;
}

const LINE_FEED = 10;

/** Each with its end. */
function linesOf(made: Uint8Array): Buffer[] {
  const bytes = Buffer.from(made.buffer, made.byteOffset, made.byteLength);
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start) + 1;
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
