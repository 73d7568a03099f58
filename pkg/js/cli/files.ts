// What the command line reads: files, FIFOs and the standard input, as text and as JSON.
import { constants, createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

import { ClaimgaugeError } from "../error.js";
import { JsonGuard } from "../json-guard.js";
import { checks } from "../module.js";
import { UsageError } from "./exit.js";

export async function readJson(file: string): Promise<unknown> {
  return parseJson(await readText(file, looksLikeJson(file)), file);
}

/** Refuses what no JSON of ours is while it comes in: what stands behind it is not waited for. */
export function looksLikeJson(file: string): (chunk: Uint8Array) => void {
  const guard = new JsonGuard();
  return (chunk) => {
    const found = guard.take(chunk);
    if (found !== undefined) throw new UsageError(`${nameOf(file)}: line ${found.line}: ${found.wrong}`);
  };
}

/** Parses what stands in a file, from this line on; an error says where. */
export async function parseJson(text: string, file: string, firstLine = 1): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch (error) {
    await checks.load();
    const broken = checks.call((module) => module.jsonError(text)) as { line: number; column: number; message: string } | null;
    const why = broken?.message ?? (error as Error).message;
    const place = firstLine === 1 ? "" : `line ${firstLine}: `;
    throw new UsageError(`${nameOf(file)}: ${place}not JSON: ${why}`);
  }
}

/** In bytes: evidence may have 64 MB, of which JSON makes more. A device never ends. */
const MOST_INPUT = 128 * 1024 * 1024;

/** How long, in milliseconds, a FIFO is waited for that nobody has opened to write. */
const NO_WRITER = 10_000;

/** How long, in milliseconds, before a FIFO is looked at again. */
const FIFO_PAUSE = 10;

/** A file as text; `look` is shown each piece as it comes, and may refuse it. */
export async function readText(file: string, look: (chunk: Uint8Array) => void = () => {}): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  let size = 0;
  try {
    for await (const chunk of await chunksOf(file, MOST_INPUT)) {
      size += chunk.length;
      if (size > MOST_INPUT) throw tooLarge(file);
      look(chunk);
      parts.push(decoder.decode(chunk, { stream: true }));
    }
    return parts.join("") + decoder.decode();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why = {
      EACCES: "it may not be read",
      EISDIR: "it is a folder",
      // An argument that is not UTF-8 names another file by now.
      ENOENT: file.includes("\ufffd") ? "there is no such file; where its name is not UTF-8, hand it in on the standard input" : "there is no such file",
      ERR_ENCODING_INVALID_ENCODED_DATA: "not UTF-8",
    };
    throw new UsageError(`${nameOf(file)}: ${why[code as keyof typeof why] ?? message}`);
  }
}

function tooLarge(file: string): UsageError {
  const most = `${MOST_INPUT / 1024 / 1024} MB`;
  return new UsageError(`${nameOf(file)}: larger than ${most} (Split it; many requests are for claimgauge batch, which takes files of any size.)`);
}

/** What a file holds, piece by piece; one that is known to hold more than `most` bytes is refused. */
export async function chunksOf(file: string, most = Infinity): Promise<AsyncIterable<Uint8Array>> {
  if (file === "-") return process.stdin;
  const found = await stat(file);
  if (found.size > most) throw tooLarge(file);
  return found.isFIFO() ? fifo(file) : createReadStream(file);
}

/** Opens without waiting, as a FIFO without a writer would hold the program up for ever, out of reach of a signal. */
async function* fifo(file: string): AsyncIterable<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const start = Date.now();
    for (let isWritten = false; ; ) {
      const { bytesRead, buffer } = await handle.read().catch((error: NodeJS.ErrnoException) => {
        // There is a writer, who has not written anything yet.
        if (error.code === "EAGAIN") return { bytesRead: -1, buffer: Buffer.alloc(0) };
        throw error;
      });
      if (bytesRead === 0 && isWritten) return;
      isWritten ||= bytesRead !== 0;
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      else if (!isWritten && Date.now() - start > NO_WRITER) throw new UsageError(`${nameOf(file)}: nobody writes to this FIFO`);
      else await sleep(FIFO_PAUSE);
    }
  } finally {
    await handle.close();
  }
}

/** What is wrong with a file's content names the file, and the line where it is one of many in it. */
export async function inFile<T>(
  file: string | null,
  act: () => T | Promise<T>,
  { parts = {}, line = null }: { parts?: Record<string, string | undefined>; line?: number | null } = {},
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    // What fails inside is no fault of the file.
    if (!(error instanceof ClaimgaugeError) || error.code === "internal") throw error;
    const [part = ""] = /^\w*/.exec(error.path) ?? [];
    const own = Object.hasOwn(parts, part) ? parts[part] : undefined;
    const places = own === undefined ? [file === null ? "" : `${nameOf(file)}: `, line === null ? "" : `line ${line}: `] : [`${own}: `];
    throw new UsageError(places.join("") + sentence(error));
  }
}

export function nameOf(file: string): string {
  return file === "-" ? "the standard input" : file;
}

/** An error of Claimgauge in one sentence. */
export function sentence({ code, message, path, hint }: { code: string; message: string; path: string | null; hint: string | null }): string {
  return `${path ? `${path}: ` : ""}${message}${hint ? ` (${hint})` : ""} [${code}]`;
}
