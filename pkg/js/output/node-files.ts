// Looks at the files of a folder, for Node. Links are followed by hand, so that one that leads out is
// found also where nothing is behind it; what is opened is looked at again before it is read.
import { createHash, hash, type Hash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import {
  close, closeSync, constants, fstatSync, lstatSync, openSync, read, readSync, readlinkSync, realpathSync, statSync,
  type Stats,
} from "node:fs";
import { dirname, isAbsolute, parse, resolve, sep } from "node:path";
import { promisify } from "node:util";

import { ClaimgaugeError } from "../error.js";
import { checks } from "../module.js";
import { halved, isWhole } from "./given.js";
import type { Base, FileHost, FileSeen, Forms, Look, LookContext, Observation } from "./types.js";

/** Files up to so many bytes are read at once; larger ones in chunks, while other things run. */
const SMALL = 64 * 1024;

const CHUNK = 512 * 1024;

/** More links on one path are a circle. */
const MAX_LINKS = 40;

/** Never waits for a writer of a FIFO, never follows a link that took a file's place. Windows has neither. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Small files are read one after the other, each into this. */
const small = Buffer.alloc(SMALL + 1);

/** What looks at the folder of this path. */
export function folder(basePath: string): FileHost {
  if (!isWhole(basePath)) throw halved("basePath");
  const given = resolve(basePath);
  let real: string;
  try {
    // An empty path would be the current folder, which nobody named.
    if (basePath === "") throw new Error("it has no name");
    real = realpathSync.native(given);
    if (!statSync(real).isDirectory()) throw new Error("it is no folder");
  } catch (cause) {
    throw new ClaimgaugeError(
      { code: "invalid_value", message: `The folder cannot be looked at: ${why(cause)}`, path: "basePath" },
      { cause },
    );
  }
  return new Folder(given, real);
}

class Folder implements FileHost {
  readonly base: Base;
  readonly #real: string;
  /** Folders on whose way there was no link when they were last looked at. */
  readonly #straight = new Set<string>();

  constructor(given: string, real: string) {
    this.#real = real;
    this.base = { paths: [given, real], windows: process.platform === "win32" };
  }

  observe(look: Look, context: LookContext): Observation | Promise<Observation> {
    try {
      return look.want === "entry" ? entry(this.#real, look.path) : this.#quick(look) ?? this.#file(look, context);
    } catch (thrown) {
      return asObservation(thrown);
    }
  }

  /**
   * A small file in a folder to which no link led before, where the system tells the path of what is
   * open. That path decides, whatever became of the folder; anything but the expected file is left to
   * `#file`, which trusts nothing that was seen earlier.
   */
  #quick({ path, want, textLimit }: Look): FileSeen | undefined {
    if (!this.#straight.has(parentOf(path)) || want === "forms") return undefined;
    const at = below(this.#real, path);
    let fd: number | undefined;
    try {
      // A device or a FIFO must not even be opened.
      const stats = lstatSync(at);
      const most = want === "text" ? Math.min(SMALL, textLimit) : SMALL;
      if (!stats.isFile() || stats.size > most) return undefined;
      fd = openSync(at, OPEN_FLAGS);
      // What took its place since then has other bytes, or the same, which is all that is claimed.
      return openedAs(fd) === at ? readSmall(fd, stats.size, want) : undefined;
    } catch {
      return undefined;
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  #file(look: Look, context: LookContext): Observation | Promise<Observation> {
    const base = this.#real;
    const found = follow(base, look.path);
    const other = kindOf(found.stats);
    if (other !== undefined) return other;
    if (found.path === below(base, look.path)) this.#straight.add(parentOf(look.path));

    const fd = openSync(found.path, OPEN_FLAGS);
    let size: number;
    try {
      if (!isStill(fd, base, look.path, found.path)) {
        throw new Seen({ kind: "unreadable", why: "it was replaced while it was looked at" });
      }
      const opened = fstatSync(fd);
      const now = kindOf(opened);
      if (now !== undefined) throw new Seen(now);
      size = opened.size;
      if (look.want === "text" && size > look.textLimit) throw new Seen({ kind: "file", size });
      if (size <= SMALL) {
        const seen = readSmall(fd, size, look.want);
        closeSync(fd);
        return seen;
      }
    } catch (thrown) {
      closeSync(fd);
      throw thrown;
    }
    return readLarge(fd, size, look, context).catch(asObservation).finally(() => closing(fd));
  }
}

/** Thrown where a path leads to no file that may be looked at. */
class Seen {
  constructor(readonly observation: Observation) {}
}

function asObservation(thrown: unknown): Observation {
  if (thrown instanceof Seen) return thrown.observation;
  const { code } = thrown as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR" ? { kind: "missing" } : { kind: "unreadable", why: why(thrown) };
}

function entry(base: string, path: string): Observation {
  if (path === "") return { kind: "directory" };
  let parent: string;
  try {
    parent = follow(base, parentOf(path)).path;
  } catch (thrown) {
    const circle = thrown instanceof Seen && thrown.observation.kind === "link";
    throw circle ? new Seen({ kind: "unreadable", why: "too many links" }) : thrown;
  }
  const stats = lstatSync(below(parent, path.slice(path.lastIndexOf("/") + 1)));
  if (stats.isSymbolicLink()) return { kind: "link" };
  return kindOf(stats) ?? { kind: "file", size: stats.size };
}

/** Whether what was opened is what the path led to: a folder on the way may have become a link meanwhile. */
function isStill(fd: number, base: string, path: string, found: string): boolean {
  const opened = process.platform === "linux" ? openedAs(fd) : undefined;
  // Where the system tells the path of what is open, that is the answer: paths that are looked at again may be exchanged
  // again. Inside of the base it may still be this file, where the system takes several names for one.
  if (opened !== undefined && (opened === found || !isInside(opened, base))) return opened === found;
  const again = follow(base, path);
  if (again.path !== found) return false;
  const [there, here] = [lstatSync(found, { bigint: true }), fstatSync(fd, { bigint: true })];
  return there.ino === here.ino && there.dev === here.dev;
}

function openedAs(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** Reads a file that is open and so large. */
function readSmall(fd: number, size: number, want: Look["want"]): FileSeen {
  // One more byte than there should be is asked for: a file that grew shows.
  let length = 0;
  for (let got = -1; got !== 0 && length < Math.max(size, 1); length += got) {
    got = readSync(fd, small, length, size + 1 - length, null);
  }
  const bytes = small.subarray(0, length);
  if (want === "hash" && length === size) {
    return { kind: "file", size, sha256: hash("sha256", bytes) };
  }
  const digest = new Digest(want);
  digest.update(bytes);
  return digest.finish(length, size);
}

/** Reads the next chunk while the last one is hashed. */
async function readLarge(fd: number, size: number, look: Look, { signal, onBytes }: LookContext): Promise<FileSeen> {
  const digest = new Digest(look.want);
  const buffers = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)] as const;
  const next = (turn: number) => reading(fd, buffers[turn % 2 === 0 ? 0 : 1], 0, CHUNK, null);
  let length = 0;
  let pending = next(0);
  try {
    for (let turn = 0; ; turn += 1) {
      const { bytesRead, buffer } = await pending;
      length += bytesRead;
      if (bytesRead === 0 || length > size) break;
      if (signal.aborted) throw new Seen({ kind: "unreadable", why: "it was cancelled" });
      pending = next(turn + 1);
      digest.update(buffer.subarray(0, bytesRead));
      onBytes(length, size);
    }
    return digest.finish(length, size);
  } finally {
    // The descriptor may only be closed when nobody reads from it.
    await pending.catch(() => {});
    digest.dispose();
  }
}

const reading = promisify(read);
const closing = promisify(close);

/** What is asked about the bytes of a file, chunk by chunk. */
class Digest {
  readonly #hash: Hash = createHash("sha256");
  readonly #text: Buffer[] | undefined;
  readonly #forms: number | undefined;

  constructor(want: Look["want"]) {
    if (want === "text") this.#text = [];
    if (want === "forms") {
      const id = (this.#forms = ++forms);
      checks.call((module) => module.formsNew(id));
    }
  }

  update(chunk: Buffer): void {
    this.#hash.update(chunk);
    // The buffer is used again for the next chunk.
    this.#text?.push(Buffer.from(chunk));
    const id = this.#forms;
    if (id !== undefined) checks.call((module) => module.formsUpdate(id, chunk));
  }

  finish(length: number, size: number): FileSeen {
    if (length !== size) {
      throw new Seen({ kind: "unreadable", why: "it changed while it was read" });
    }
    const seen: FileSeen = { kind: "file", size, sha256: this.#hash.digest("hex") };
    if (this.#text !== undefined) seen.text = Buffer.concat(this.#text);
    const id = this.#forms;
    if (id !== undefined) seen.forms = checks.call((module) => module.formsFinish(id)) as Forms;
    this.dispose();
    return seen;
  }

  dispose(): void {
    const id = this.#forms;
    if (id !== undefined) checks.call((module) => module.formsDispose(id));
  }
}

/** Never used twice: see the runs of `verify`. */
let forms = 0;

/** Bytes as an observation in JSON has them. */
export function asJson(bytes: Uint8Array): string | { hex: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString("utf8") : { hex: buffer.toString("hex") };
}

/**
 * Where a path leads, its last link followed too, and what is there. Each part of it lies inside the base. A link may say
 * where that is by way of the folders above the base; what else is outside is not walked through, as that would tell of it.
 */
function follow(base: string, path: string): { path: string; stats: Stats } {
  let at = base;
  let stats: Stats | undefined;
  const rest = path === "" ? [] : path.split("/").reverse();
  /** How many of the path's own parts were left when one was last begun; above them lie those of links. */
  let own = rest.length;
  for (let links = 0, part = rest.pop(); part !== undefined; part = rest.pop()) {
    const escapes = !isInside(at, base);
    if (rest.length < own) {
      own = rest.length;
      if (escapes) throw new Seen({ kind: "escapes" });
    }
    if (part === "..") {
      if (escapes && !isInside(base, at)) throw new Seen({ kind: "escapes" });
      if (stats?.isDirectory() === false) throw new Seen({ kind: "missing" });
      at = dirname(at);
      stats = undefined;
      continue;
    }
    const next = below(at, part);
    try {
      stats = lstatSync(next);
    } catch (thrown) {
      throw escapes ? new Seen({ kind: "escapes" }) : thrown;
    }
    if (!stats.isSymbolicLink()) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new Seen({ kind: escapes ? "escapes" : "link" });
    const target = readlinkSync(next);
    const root = isAbsolute(target) ? parse(target).root : "";
    if (root !== "") at = root;
    const parts = target.slice(root.length).split(sep);
    rest.push(...parts.filter((one) => one !== "" && one !== ".").reverse());
    stats = undefined;
  }
  if (!isInside(at, base)) throw new Seen({ kind: "escapes" });
  return { path: at, stats: stats ?? lstatSync(at) };
}

function isInside(path: string, base: string): boolean {
  return path === base || path.startsWith(base.endsWith(sep) ? base : base + sep);
}

/** The folder of a path below the base; empty for the base itself. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function below(parent: string, name: string): string {
  return parent.endsWith(sep) ? parent + name : parent + sep + name;
}

/** What is no regular file. */
function kindOf(stats: Stats): Observation | undefined {
  if (stats.isFile()) return undefined;
  return { kind: stats.isDirectory() ? "directory" : "special" };
}

/** The cause without the path, which may lie outside. */
function why(thrown: unknown): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (typeof code !== "string") return String(message);
  const words = /^[A-Z0-9_]+: ([^,]+)/.exec(message)?.[1];
  return words ?? code;
}
