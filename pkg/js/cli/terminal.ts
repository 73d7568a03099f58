// What is printed and told. The answer goes to stdout, what is said about it to stderr.
import type { Status } from "../types.js";
import { UsageError } from "./exit.js";

/** Where what is written could not be: told once, by whoever waits for it. */
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

let isClosed = false;

/** Whether whoever read the output went away, as `head` does when it has enough: no failure, but the end. */
export function readerIsGone(): boolean {
  return isClosed;
}

/** Prints, and waits until it is out. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error?: NodeJS.ErrnoException | null) => {
      isClosed ||= error?.code === "EPIPE";
      if (!error || isClosed) return resolve();
      const why = error.code === "ENOSPC" ? "no space is left there" : error.message;
      reject(new UsageError(`The output cannot be written: ${why}`));
    });
  });
}

export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value, null, 2)}\n`);
}

export function tell(text: string): void {
  process.stderr.write(`claimgauge: ${oneLine(text)}\n`);
}

export function oneLine(text: string): string {
  // Control characters could redraw the terminal, and those of direction turn a name around.
  return text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
}

/** A text of many lines without what could redraw the terminal, or show letters in another order. */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e]/gu, "\ufffd");
}

const COLOURS = { VERIFIED: 32, PLAUSIBLE: 36, SUSPICIOUS: 33, UNSUPPORTED: 31, INCONCLUSIVE: 35 };

export function paint(status: Status): string {
  const padded = status.padEnd("INCONCLUSIVE".length);
  return process.stdout.isTTY && !process.env["NO_COLOR"] ? `\x1b[${COLOURS[status]}m${padded}\x1b[0m` : padded;
}

const BAR = 24;

/** Draws how far it is, on a terminal. */
export function progress(doing: string, done: number, total: number, of: string): void {
  if (!process.stderr.isTTY) return;
  const full = Math.floor((BAR * done) / Math.max(total, 1));
  process.stderr.write(`\r\x1b[K${doing} [${"#".repeat(full)}${"-".repeat(BAR - full)}] ${done} of ${total} ${of}`);
}

export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
}
