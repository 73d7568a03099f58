// Files that outlive the process: what is told as written is on the disk, and no file is seen half.
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** How much is held back before it is written, in bytes. */
const HELD = 1 << 20;

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
    writeAll(file, Buffer.from(content));
    fsyncSync(file);
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

/** A file's content as JSON; undefined where there is none. */
export function readState<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A file that grows at its end, from a length that is known to be good. */
export class Appended {
  readonly #file: number;
  #length: number;
  #held: Buffer[] = [];
  #heldLength = 0;

  constructor(path: string, length: number, readonly most = HELD) {
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
    this.#held.push(bytes);
    this.#heldLength += bytes.length;
    if (this.#heldLength >= this.most) this.flush();
  }

  flush(): void {
    if (this.#heldLength === 0) return;
    const bytes = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held, this.#heldLength);
    writeAll(this.#file, bytes, this.#length);
    this.#length += bytes.length;
    this.#held = [];
    this.#heldLength = 0;
  }

  /** What stands there. */
  read(start: number, length: number): Buffer {
    if (start + length > this.#length) this.flush();
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(this.#file, bytes, 0, length, start));
  }

  /** Waits until all of it is on the disk. */
  sync(): void {
    this.flush();
    fsyncSync(this.#file);
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}
