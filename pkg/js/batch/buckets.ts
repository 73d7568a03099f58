// Many files that grow side by side, of which each holds what belongs to one stretch of the requests.
import { closeSync, fsyncSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

import type { QuestionKey } from "./custom-id.js";
import { writeAll } from "./durable.js";
import type { Manifest, Mark } from "./manifest.js";

/** About how much of the answers is dealt with at a time, in bytes: it is held in memory. */
const SIZE = 4 * 1024 * 1024;

const MOST = 4_096;

/** How much is held back before it is written, in bytes. */
const HELD = 8 * 1024 * 1024;

/** Stretches of the requests with about as many questions each, where each begins. */
export function stretches({ marks, questions }: Manifest, answerBytes: number): Mark[] {
  const count = Math.min(Math.max(Math.ceil(answerBytes / SIZE), 1), MOST);
  const chosen: Mark[] = [];
  for (const mark of marks) {
    if (mark.questions >= (chosen.length * questions) / count) chosen.push(mark);
  }
  return chosen.length === 0 ? [{ line: 1, start: 0, questions: 0 }] : chosen;
}

/** In which stretch a line is. */
export function stretchOf(stretches: Mark[], line: number): number {
  let [low, high] = [0, stretches.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((stretches[middle] as Mark).line <= line) low = middle;
    else high = middle;
  }
  return low;
}

const TAB = 9;
const LINE_FEED = 10;

export class Buckets {
  readonly #held: Buffer[][];
  readonly #lengths: number[];
  #heldLength = 0;
  /** Those of which the disk may not know all. */
  readonly #unsure = new Set<number>();

  /** Of each file what is beyond its length does not count. */
  constructor(readonly folder: string, readonly name: string, lengths: number[]) {
    this.#lengths = [...lengths];
    this.#held = lengths.map(() => []);
  }

  add(bucket: number, key: QuestionKey, line: Buffer): void {
    const record = Buffer.allocUnsafe(key.length + line.length + 2);
    record.write(key, 0, "latin1");
    record[key.length] = TAB;
    line.copy(record, key.length + 1);
    record[record.length - 1] = LINE_FEED;
    (this.#held[bucket] as Buffer[]).push(record);
    this.#heldLength += record.length;
    if (this.#heldLength >= HELD) this.#flush();
  }

  /** Puts all on the disk; how long each file is. */
  agree(): number[] {
    this.#flush();
    for (const bucket of this.#unsure) {
      const file = openSync(this.#path(bucket), "r+");
      try {
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    }
    this.#unsure.clear();
    return [...this.#lengths];
  }

  /** What was put into one: each key with its lines. */
  read(bucket: number): [key: QuestionKey, line: Buffer][] {
    this.#flush();
    const length = this.#lengths[bucket] as number;
    if (length === 0) return [];
    const bytes = Buffer.allocUnsafe(length);
    const file = openSync(this.#path(bucket), "r");
    try {
      for (let done = 0; done < length; ) {
        const count = readSync(file, bytes, done, length - done, done);
        if (count === 0) throw new Error(`${this.#path(bucket)} is shorter than it was`);
        done += count;
      }
    } finally {
      closeSync(file);
    }
    const records: [string, Buffer][] = [];
    for (let start = 0; start < length; ) {
      const tab = bytes.indexOf(TAB, start);
      const end = bytes.indexOf(LINE_FEED, tab);
      records.push([bytes.toString("latin1", start, tab), bytes.subarray(tab + 1, end)]);
      start = end + 1;
    }
    return records;
  }

  #path(bucket: number): string {
    return join(this.folder, `${this.name}-${String(bucket + 1).padStart(4, "0")}`);
  }

  #flush(): void {
    this.#held.forEach((records, bucket) => {
      if (records.length === 0) return;
      const bytes = Buffer.concat(records);
      const length = this.#lengths[bucket] as number;
      const file = openSync(this.#path(bucket), length === 0 ? "w" : "r+", 0o600);
      try {
        writeAll(file, bytes, length);
      } finally {
        closeSync(file);
      }
      this.#lengths[bucket] = length + bytes.length;
      this.#held[bucket] = [];
      this.#unsure.add(bucket);
    });
    this.#heldLength = 0;
  }
}
