// Answers in any order, sorted by what they answer.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { ClaimgaugeError } from "../error.js";
import { Buckets, stretchOf } from "./buckets.js";
import { hashOf } from "./durable.js";
import { answeredBy, lineOf, type Answer, type QuestionKey } from "./machine.js";
import { isBlank, linesOf, utf8Of, type Line } from "./lines.js";
import type { Mark } from "./manifest.js";
import type { Turns } from "./turns.js";

/** In bytes: a judgement is a few hundred, and token probabilities are some thousand for each token. */
const MOST_ANSWER = 16 * 1024 * 1024;

/** So many lines that cannot be used are named. */
const MOST_NAMED = 20;

export interface AnswersFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** What became of the lines. */
export interface AnswerCounts {
  lines: number;
  /** No JSON, cut, not UTF-8, too long, or without a `custom_id`. */
  unreadable: number;
  /** Of another plan, or of nothing that this one has. */
  foreign: number;
  /** A second answer to the same question. */
  doubled: number;
  /** To a question that nobody has, as an earlier answer settled it. */
  unasked: number;
  /** Where the first of those stand that cannot be used. */
  named: string[];
}

export const NO_ANSWERS: AnswerCounts = { lines: 0, unreadable: 0, foreign: 0, doubled: 0, unasked: 0, named: [] };

/** The files of answers, those of folders too, each content once and in an order that does not depend on how they were named. */
export function answersFiles(paths: string[]): AnswersFile[] {
  if (paths.length === 0) {
    // A merge that was done with answers would be done over without any.
    throw new ClaimgaugeError({ code: "no_answers", message: "No answers are named, and `run` has written none", path: "", hint: "Name the files of answers, or the folder that holds them." });
  }
  const files = paths.flatMap((path) => {
    const about = stat(path);
    if (about.isFile()) return [path];
    if (!about.isDirectory()) throw refuse(path, "it is neither a file nor a folder", "Write the answers to a file first.");
    const names = readdirSync(path).filter((name) => name.endsWith(".jsonl"));
    // A pipe would be waited for.
    return names.map((name) => join(path, name)).filter((file) => stat(file).isFile());
  });
  // A merge that was done would be done over, and every question be asked again.
  if (files.length === 0) throw refuse(paths.join(", "), "no file of answers (.jsonl) is in it", "Put the answers there first.");
  const known = files.sort().map((path) => ({ path, ...hashOf(path) }));
  const contents = new Map(known.reverse().map((file) => [file.sha256, file]));
  return [...contents.values()].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
}

function stat(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    const gone = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw refuse(path, gone ? "there is no such file or folder" : (error as Error).message, "Name the files of answers, or the folder that holds them.");
  }
}

function refuse(path: string, message: string, hint: string): ClaimgaugeError {
  return new ClaimgaugeError({ code: "no_answers", message: `${path}: ${message}`, path: "", hint });
}

/** How far the answers are sorted. */
export interface Sorted {
  file: number;
  next: { start: number; number: number };
}

/** Puts each answer where its request is. */
export async function sort(
  files: AnswersFile[],
  { plan, stretches, lastLine }: { plan: string; stretches: Mark[]; lastLine: number },
  buckets: Buckets,
  done: Sorted,
  counts: AnswerCounts,
  turns: Turns,
): Promise<void> {
  const sortLine = (line: Line, path: string) => {
    counts.lines += 1;
    const refuse = (kind: "unreadable" | "foreign", what: string) => {
      counts[kind] += 1;
      if (counts.named.length < MOST_NAMED) counts.named.push(`${path}: line ${line.number}: ${what}`);
    };
    const answer = answerIn(line, plan);
    if ("refused" in answer) return refuse(answer.refused, answer.what);
    if (lineOf(answer.key) > lastLine) return refuse("foreign", "its custom_id is of another plan");
    buckets.add(stretchOf(stretches, lineOf(answer.key)), answer.key, answer.bytes);
  };
  for (; done.file < files.length; done.file += 1, done.next = { start: 0, number: 1 }) {
    const { path } = files[done.file] as AnswersFile;
    for (const line of linesOf(path, MOST_ANSWER, done.next)) {
      done.next = { start: line.end, number: line.number + 1 };
      if (!isBlank(line)) sortLine(line, path);
      // Also after what is of no use: a file may hold nothing else.
      await turns.take();
    }
  }
}

/** A line and the question that it answers, or what is wrong with it. */
function answerIn(line: Line, plan: string): { bytes: Buffer; key: QuestionKey } | { refused: "unreadable" | "foreign"; what: string } {
  try {
    const bytes = utf8Of(line, MOST_ANSWER, (message, hint) => new ClaimgaugeError({ code: "invalid_value", message, path: "", hint }));
    return { bytes, key: answeredBy(bytes, plan) };
  } catch (error) {
    if (!(error instanceof ClaimgaugeError) || error.code === "internal") throw error;
    return { refused: error.code === "foreign_answer" ? "foreign" : "unreadable", what: error.message };
  }
}

/** What is known of the questions of one stretch. */
export class Known {
  readonly #answers = new Map<QuestionKey, Answer[]>();
  /** The questions of each request, by its line. */
  readonly #lines = new Map<number, QuestionKey[]>();

  add(key: QuestionKey, line: Buffer, shared: boolean): void {
    const answer = { line, shared };
    const answers = this.#answers.get(key);
    if (answers !== undefined) {
      answers.push(answer);
      return;
    }
    this.#answers.set(key, [answer]);
    const keys = this.#lines.get(lineOf(key));
    if (keys === undefined) this.#lines.set(lineOf(key), [key]);
    else keys.push(key);
  }

  /** What answers one question. */
  to(key: QuestionKey): Answer[] {
    return this.#answers.get(key) ?? [];
  }

  /** What answers the questions of one request. */
  of(line: number): [QuestionKey, Answer][] {
    const keys = this.#lines.get(line) ?? [];
    return keys.flatMap((key) => this.to(key).map((answer): [QuestionKey, Answer] => [key, answer]));
  }

  /** Of the answers that were given for the questions themselves: how many questions they answer, and how many are too many. */
  counts(): { answered: number; doubled: number } {
    let [answered, doubled] = [0, 0];
    for (const answers of this.#answers.values()) {
      const own = answers.filter(({ shared }) => !shared).length;
      answered += Math.min(own, 1);
      doubled += Math.max(own - 1, 0);
    }
    return { answered, doubled };
  }
}
