// Answers in any order, sorted by what they answer.
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { ClaimgaugeError } from "../error.js";
import { Buckets, stretchOf } from "./buckets.js";
import { lineOf, readCustomId, subjectOf, withSubject, type Names, type QuestionKey, type Subject } from "./custom-id.js";
import { rankOf, saidIn, type AnswerLine, type Said } from "./forms.js";
import { hear, type KnownOfOne } from "./machine.js";
import { isBlank, linesOf, textOf } from "./lines.js";
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

function hashOf(path: string): { bytes: number; sha256: string } {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(1 << 20);
  const file = openSync(path, "r");
  try {
    for (let bytes = 0; ; ) {
      const count = readSync(file, chunk);
      if (count === 0) return { bytes, sha256: hash.digest("hex") };
      hash.update(chunk.subarray(0, count));
      bytes += count;
    }
  } finally {
    closeSync(file);
  }
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
  for (; done.file < files.length; done.file += 1, done.next = { start: 0, number: 1 }) {
    const { path } = files[done.file] as AnswersFile;
    for (const line of linesOf(path, MOST_ANSWER, done.next)) {
      done.next = { start: line.end, number: line.number + 1 };
      if (isBlank(line)) continue;
      counts.lines += 1;
      const name = (what: string) => {
        if (counts.named.length < MOST_NAMED) counts.named.push(`${path}: line ${line.number}: ${what}`);
      };
      const read = readLine(line);
      if (typeof read === "string") {
        counts.unreadable += 1;
        name(read);
        continue;
      }
      const named = readCustomId(read.custom_id);
      if (named === null || named.plan !== plan || named.line > lastLine) {
        counts.foreign += 1;
        name(named === null ? "its custom_id was not made here" : "its custom_id is of another plan");
      } else {
        buckets.add(stretchOf(stretches, named.line), named.key, line.bytes as Buffer);
      }
      await turns.take();
    }
  }
}

/** A line of answers, or what is wrong with it. */
function readLine(line: Parameters<typeof textOf>[0]): AnswerLine | string {
  try {
    const text = textOf(line, MOST_ANSWER, (message, hint) => new ClaimgaugeError({ code: "invalid_value", message, path: "", hint }));
    const read = JSON.parse(text) as unknown;
    if (typeof read !== "object" || read === null || Array.isArray(read)) return "no object";
    const answer = read as AnswerLine;
    if (typeof answer.custom_id !== "string") return "it has no custom_id";
    // What `batch run` wrote is taken as it is: then it must be that.
    if (answer.answer !== undefined || answer.failure !== undefined) hear("openai", saidIn(answer));
    return answer;
  } catch (error) {
    if (error instanceof ClaimgaugeError) return error.message;
    return line.open ? "it breaks off" : "not JSON";
  }
}

/** A line that answers a question, and whether it was said to another one that is the same. */
interface Answer {
  line: Buffer;
  cached: boolean;
}

/** What is known of the questions of one stretch. */
export class Known {
  readonly #subjects = new Map<Subject, Map<QuestionKey, Answer[]>>();
  readonly #lines = new Map<number, Set<Subject>>();

  add(key: QuestionKey, line: Buffer, cached: boolean): void {
    const subject = subjectOf(key);
    const keys = this.#subjects.get(subject) ?? new Map<QuestionKey, Answer[]>();
    keys.set(key, [...(keys.get(key) ?? []), { line, cached }]);
    if (keys.size > 1 || (keys.get(key)?.length ?? 0) > 1) return;
    this.#subjects.set(subject, keys);
    const subjects = this.#lines.get(lineOf(subject));
    if (subjects === undefined) this.#lines.set(lineOf(subject), new Set([subject]));
    else subjects.add(subject);
  }

  /** What is known of one subject, as answers to another one's questions. */
  asOf(from: Subject, to: Subject): [QuestionKey, Buffer][] {
    const found: [QuestionKey, Buffer][] = [];
    for (const [key, answers] of this.#subjects.get(from) ?? []) {
      for (const { line } of answers) found.push([withSubject(key, to), line]);
    }
    return found;
  }

  /** What was said to the questions of one request. */
  of(names: Names): { said: KnownOfOne; own: Set<string> } {
    const said: KnownOfOne = new Map();
    const own = new Set<string>();
    for (const subject of this.#lines.get(names.line) ?? []) {
      for (const [key, answers] of this.#subjects.get(subject) ?? []) {
        const id = names.id(key);
        said.set(id, best(answers));
        if (answers.some(({ cached }) => !cached)) own.add(id);
      }
    }
    return { said, own };
  }

  /** What was said to one question. */
  said(key: QuestionKey): Said | undefined {
    const answers = this.#subjects.get(subjectOf(key))?.get(key);
    return answers === undefined ? undefined : best(answers)[0];
  }

  /** Of the answers that were given for the questions themselves: how many questions they answer, and how many are too many. */
  counts(): { answered: number; doubled: number } {
    let [answered, doubled] = [0, 0];
    for (const keys of this.#subjects.values()) {
      for (const answers of keys.values()) {
        const own = answers.filter(({ cached }) => !cached).length;
        answered += Math.min(own, 1);
        doubled += Math.max(own - 1, 0);
      }
    }
    return { answered, doubled };
  }
}

/** Of several answers it does not matter in which order they came. */
function best(answers: Answer[]): [Said, boolean] {
  const read = answers.map(({ line, cached }) => ({ line, cached, said: saidIn(JSON.parse(line.toString()) as AnswerLine) }));
  if (read.length > 1) {
    read.sort((a, b) => rankOf(a.said) - rankOf(b.said) || Number(a.cached) - Number(b.cached) || Buffer.compare(a.line, b.line));
  }
  const [{ said, cached }] = read as [(typeof read)[0]];
  return [said, cached];
}
