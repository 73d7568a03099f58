// Many files that grow side by side, of which each holds what belongs to one stretch of the requests.
import { closeSync, fsyncSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

import { naming, writeAll } from "./durable.js";
import type { QuestionKey } from "./machine.js";
import type { Manifest, Mark } from "./manifest.js";

/** About how much of the answers is dealt with at a time, in bytes: it is held in memory. */
const SIZE = 4 * 1024 * 1024;

const MOST = 4_096;

/** How much is held back before it is written, in bytes. */
const HELD = 4 * 1024 * 1024;

/** Where that begins: little comes into some. */
const HELD_FIRST = 64 * 1024;

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
  // Buffers are used again: what is as large as these is not collected before there are many.
  /** What is held back, as it came. */
  #held = Buffer.allocUnsafe(HELD_FIRST);
  #heldLength = 0;
  /** Of each record that is held back: its bucket, and where it ends. */
  #records: number[] = [];
  /** The same bucket by bucket. */
  #sorted = Buffer.alloc(0);
  readonly #lengths: number[];
  /** Those of which the disk may not know all. */
  readonly #unsure = new Set<number>();
  /** What was read last: another read takes its place. */
  #read = Buffer.alloc(0);

  /** Of each file what is beyond its length does not count. */
  constructor(readonly folder: string, readonly name: string, lengths: number[]) {
    this.#lengths = [...lengths];
  }

  add(bucket: number, key: QuestionKey, line: Buffer): void {
    const length = key.length + line.length + 2;
    this.#makeRoom(length);
    const held = this.#held;
    let end = this.#heldLength;
    end += held.write(key, end, "latin1");
    held[end] = TAB;
    held.set(line, end + 1);
    this.#heldLength += length;
    held[this.#heldLength - 1] = LINE_FEED;
    this.#records.push(bucket, this.#heldLength);
  }

  /** Puts all on the disk; how long each file is. */
  agree(): number[] {
    this.#flush();
    for (const bucket of this.#unsure) {
      const file = openSync(this.#path(bucket), "r+");
      try {
        naming(this.#path(bucket), () => fsyncSync(file));
      } finally {
        closeSync(file);
      }
    }
    this.#unsure.clear();
    return [...this.#lengths];
  }

  /** What was put into one: each key with its lines, until the next read. */
  read(bucket: number): [key: QuestionKey, line: Buffer][] {
    this.#flush();
    const length = this.#lengths[bucket] as number;
    if (length === 0) return [];
    this.#read = roomFor(length, this.#read);
    const bytes = this.#read;
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

  /** For one record more. */
  #makeRoom(length: number): void {
    const wanted = this.#heldLength + length;
    if (wanted > this.#held.length && wanted > HELD) this.#flush();
    const larger = roomFor(this.#heldLength + length, this.#held);
    if (larger !== this.#held) this.#held.copy(larger, 0, 0, this.#heldLength);
    this.#held = larger;
  }

  /** One bucket after another: a file is opened once. */
  #flush(): void {
    const records = this.#records;
    const sizes = this.#lengths.map(() => 0);
    for (let at = 0, start = 0; at < records.length; at += 2) {
      const [bucket, end] = [records[at] as number, records[at + 1] as number];
      (sizes[bucket] as number) += end - start;
      start = end;
    }
    let sum = 0;
    const starts = sizes.map((length) => (sum += length) - length);
    const next = [...starts];
    this.#sorted = roomFor(sum, this.#sorted);
    for (let at = 0, start = 0; at < records.length; at += 2) {
      const [bucket, end] = [records[at] as number, records[at + 1] as number];
      this.#held.copy(this.#sorted, next[bucket], start, end);
      (next[bucket] as number) += end - start;
      start = end;
    }
    starts.forEach((start, bucket) => {
      const end = next[bucket] as number;
      if (end > start) this.#append(bucket, this.#sorted.subarray(start, end));
    });
    this.#heldLength = 0;
    this.#records = [];
  }

  #append(bucket: number, bytes: Buffer): void {
    const length = this.#lengths[bucket] as number;
    const file = openSync(this.#path(bucket), length === 0 ? "w" : "r+", 0o600);
    try {
      naming(this.#path(bucket), () => writeAll(file, bytes, length));
    } finally {
      closeSync(file);
    }
    this.#lengths[bucket] = length + bytes.length;
    this.#unsure.add(bucket);
  }
}

/** A buffer of that length at least; the same one, where it is large enough. */
function roomFor(length: number, buffer: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  if (length <= buffer.length) return buffer;
  return Buffer.allocUnsafe(Math.max(length, Math.min(2 * buffer.length, HELD)));
}
