// Answers in any order, sorted by what they answer.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { ClaimgaugeError } from "../error.js";
import { Buckets, stretchOf } from "./buckets.js";
import { lineOf, readCustomId, type Names, type QuestionKey } from "./custom-id.js";
import { hashOf } from "./durable.js";
import { saidIn, type AnswerLine, type BatchDialect, type Said } from "./forms.js";
import { hear, type Heard, type KnownOfOne } from "./machine.js";
import { isBlank, linesOf, textOf, type Line } from "./lines.js";
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
  const files = paths.flatMap((path) => {
    const about = stat(path);
    if (about.isFile()) return [path];
    if (!about.isDirectory()) throw refuse(path, "it is neither a file nor a folder", "Write the answers to a file first.");
    return readdirSync(path).filter((name) => name.endsWith(".jsonl")).map((name) => join(path, name));
  });
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
  return new ClaimgaugeError({ code: "no_answers", message: `${path}: ${message}`, path: "answers", hint });
}

/** How far the answers are sorted. */
export interface Sorted {
  file: number;
  next: { start: number; number: number };
}

/** Puts each answer where its request is. */
export async function sort(
  files: AnswersFile[],
  { plan, dialect, stretches, lastLine }: { plan: string; dialect: BatchDialect; stretches: Mark[]; lastLine: number },
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
    const read = readLine(line, dialect);
    if (typeof read === "string") return refuse("unreadable", read);
    const named = readCustomId(read.custom_id);
    if (named === null) return refuse("foreign", "its custom_id was not made here");
    if (named.plan !== plan || named.line > lastLine) return refuse("foreign", "its custom_id is of another plan");
    buckets.add(stretchOf(stretches, named.line), named.key, withoutMark(line.bytes as Buffer));
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

/** A line of answers, or what is wrong with it: whatever is taken in can be heard later. */
function readLine(line: Line, dialect: BatchDialect): AnswerLine | string {
  let answer: AnswerLine;
  try {
    const text = textOf(line, MOST_ANSWER, (message, hint) => new ClaimgaugeError({ code: "invalid_value", message, path: "", hint }));
    const read = JSON.parse(text) as unknown;
    if (typeof read !== "object" || read === null || Array.isArray(read)) return "no object";
    answer = read as AnswerLine;
  } catch (error) {
    if (error instanceof ClaimgaugeError) return error.message;
    return line.open ? "it breaks off" : "not JSON";
  }
  if (typeof answer.custom_id !== "string") return "it has no custom_id";
  try {
    hear(dialect, saidIn(answer));
    return answer;
  } catch (error) {
    return error instanceof ClaimgaugeError ? error.message : "no provider's answer";
  }
}

/** A line that is JSON, without a byte order mark: only that begins beyond ASCII. */
function withoutMark(line: Buffer): Buffer {
  return line[0] === 0xef ? line.subarray(3) : line;
}

/** A line that answers a question, and whether it was said to another one that is the same. */
interface Answer {
  line: Buffer;
  cached: boolean;
}

/** What is known of the questions of one stretch. */
export class Known {
  readonly #answers = new Map<QuestionKey, Answer[]>();
  /** The questions of each request, by its line. */
  readonly #lines = new Map<number, QuestionKey[]>();

  constructor(readonly dialect: BatchDialect) {}

  add(key: QuestionKey, line: Buffer, cached: boolean): void {
    const answer = { line, cached };
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

  /** The lines that answer one question. */
  linesOf(key: QuestionKey): Buffer[] {
    return (this.#answers.get(key) ?? []).map(({ line }) => line);
  }

  /** What was said to the questions of one request. */
  of(names: Names): { said: KnownOfOne; own: Set<string> } {
    const said: KnownOfOne = new Map();
    const own = new Set<string>();
    for (const key of this.#lines.get(names.line) ?? []) {
      const answers = this.#answers.get(key) as Answer[];
      const id = names.id(key);
      said.set(id, best(answers, this.dialect));
      if (answers.some(({ cached }) => !cached)) own.add(id);
    }
    return { said, own };
  }

  /** What was said to one question. */
  said(key: QuestionKey): Said | undefined {
    const answers = this.#answers.get(key);
    return answers === undefined ? undefined : best(answers, this.dialect)[0];
  }

  /** Of the answers that were given for the questions themselves: how many questions they answer, and how many are too many. */
  counts(): { answered: number; doubled: number } {
    let [answered, doubled] = [0, 0];
    for (const answers of this.#answers.values()) {
      const own = answers.filter(({ cached }) => !cached).length;
      answered += Math.min(own, 1);
      doubled += Math.max(own - 1, 0);
    }
    return { answered, doubled };
  }
}

/** Of several that were said to one question the lowest counts: what must be asked again gives way to what is final. */
const RANKS: Record<Heard["kind"], number> = { answer: 0, failure: 1, again: 2 };

/** Of several answers it does not matter in which order they came. */
function best(answers: Answer[], dialect: BatchDialect): [Said, boolean] {
  const read = answers.map(({ line, cached }) => ({ line, cached, said: saidIn(JSON.parse(line.toString()) as AnswerLine) }));
  const [only] = read as [(typeof read)[0]];
  if (read.length === 1) return [only.said, only.cached];
  const ranked = read.map((one) => ({ ...one, rank: RANKS[hear(dialect, one.said).kind] }));
  ranked.sort((a, b) => a.rank - b.rank || Number(a.cached) - Number(b.cached) || Buffer.compare(a.line, b.line));
  const [{ said, cached }] = ranked as [(typeof ranked)[0]];
  return [said, cached];
}
