// Files that outlive the process: what is told as written is on the disk, and no file is seen half.
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

import { ClaimgaugeError } from "../error.js";

/** How much is held back before it is written, in bytes. */
const HELD = 1 << 20;

/** Does something with an open file. What the system refuses then names no file: of that it knows the number alone. */
export function naming<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) Object.assign(error, { path });
    throw error;
  }
}

/** Refuses what is there and no file. A pipe that is opened waits for who reads it, and hears no interrupt. */
export function checkIsFile(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isFile() === false) throw taken(path, there.isDirectory() ? "is a folder" : "is a device or a pipe");
}

export function taken(path: string, why: string): ClaimgaugeError {
  return new ClaimgaugeError({ code: "output_taken", message: `${path} ${why}`, path: "", hint: "Name another file." });
}

/** Writes all of it, however little the system takes at a time; at the file's end, or from `start` on. */
export function writeAll(file: number, bytes: Uint8Array, start: number | null = null): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, start === null ? null : start + done);
  }
}

/** Writes a file whole: it gets its name when it is on the disk. */
export function writeWhole(path: string, content: string): void {
  const half = `${path}.half`;
  const file = openSync(half, "w", 0o600);
  try {
    naming(path, () => {
      writeAll(file, Buffer.from(content));
      fsyncSync(file);
    });
  } finally {
    closeSync(file);
  }
  rename(half, path);
}

/** Renames, and waits until the folder knows it. */
export function rename(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

export function syncFolder(folder: string): void {
  // Windows opens no folders, and needs none of this.
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** How long a file is, and its hash. */
export function hashOf(path: string): { bytes: number; sha256: string } {
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

/** A file's content as JSON; undefined where there is none. What does not fit was not written here: `hint` says what to do about it. */
export function readState<T extends object>(path: string, fits: (value: Partial<T>) => boolean, hint: string): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (typeof value === "object" && value !== null && fits(value)) return value as T;
  throw new ClaimgaugeError({ code: "damaged_file", message: `${path}: it is not what was written there`, path: "", hint });
}

/** A file that grows at its end, from a length that is known to be good. */
export class Appended {
  readonly #file: number;
  #length: number;
  #held = Buffer.alloc(0);
  #heldLength = 0;

  /** `onWrite` is shown what goes to the file, in its order. */
  constructor(readonly path: string, length: number, readonly onWrite: (bytes: Buffer) => void = () => {}) {
    this.#file = openSync(path, length === 0 ? "w+" : "r+", 0o600);
    // What was written after the last agreed place is written again.
    ftruncateSync(this.#file, length);
    this.#length = length;
  }

  /** With what is held back. */
  get length(): number {
    return this.#length + this.#heldLength;
  }

  add(bytes: Buffer): void {
    if (this.#heldLength + bytes.length > HELD) this.flush();
    if (bytes.length > HELD) {
      this.#write(bytes);
      return;
    }
    if (this.#held.length === 0) this.#held = Buffer.allocUnsafe(HELD);
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength += bytes.length;
  }

  flush(): void {
    if (this.#heldLength === 0) return;
    const bytes = this.#held.subarray(0, this.#heldLength);
    this.#heldLength = 0;
    this.#write(bytes);
  }

  /** What stands there. */
  read(start: number, length: number): Buffer {
    if (start >= this.#length) return Buffer.from(this.#held.subarray(start - this.#length, Math.min(start - this.#length + length, this.#heldLength)));
    if (start + length > this.#length) this.flush();
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(this.#file, bytes, 0, length, start));
  }

  /** Waits until all of it is on the disk. */
  sync(): void {
    this.flush();
    naming(this.path, () => fsyncSync(this.#file));
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }

  #write(bytes: Buffer): void {
    naming(this.path, () => writeAll(this.#file, bytes, this.#length));
    this.onWrite(bytes);
    this.#length += bytes.length;
  }
}
