// Lines of files that may be larger than memory.
import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";

import { ClaimgaugeError } from "../error.js";

/** How much is read at a time, in bytes. */
const CHUNK = 1 << 20;

const LINE_FEED = 10;

/** One line, without its end. */
export interface Line {
  /** Until the next line is asked for; null where it is longer than allowed. */
  bytes: Buffer | null;
  /** From 1. */
  number: number;
  /** Where it begins in the file. */
  start: number;
  /** Where the next one does. */
  end: number;
  /** Whether it is the last one and does not end: whoever wrote it may have been killed. */
  open: boolean;
}

/** The lines of a file from a place on, of which no more than one and a chunk are held. */
export function* linesOf(path: string, most: number, from: { start: number; number: number } = { start: 0, number: 1 }): Generator<Line> {
  const file = openSync(path, "r");
  try {
    let buffer = Buffer.allocUnsafe(2 * CHUNK);
    let held = 0;
    let { start, number } = from;
    let position = start;
    // Of a line that is too long nothing is kept.
    let dropping = false;
    for (;;) {
      if (buffer.length - held < CHUNK) buffer = Buffer.concat([buffer.subarray(0, held)], 2 * buffer.length);
      const count = readSync(file, buffer, held, CHUNK, position);
      if (count === 0) break;
      let searched = held;
      held += count;
      position += count;
      let done = 0;
      for (let end = buffer.indexOf(LINE_FEED, searched); end !== -1 && end < held; end = buffer.indexOf(LINE_FEED, searched)) {
        const next = position - held + end + 1;
        yield { bytes: dropping || end - done > most ? null : buffer.subarray(done, end), number, start, end: next, open: false };
        dropping = false;
        number += 1;
        done = end + 1;
        searched = done;
        start = next;
      }
      held -= done;
      buffer.copyWithin(0, done, done + held);
      if (held > most || dropping) {
        dropping = true;
        held = 0;
      }
    }
    if (held > 0 || dropping) yield { bytes: dropping || held > most ? null : buffer.subarray(0, held), number, start, end: position, open: true };
  } finally {
    closeSync(file);
  }
}

/** A line that can be read, without a byte order mark; `refuse` says where it stands. */
export function utf8Of({ bytes }: Line, most: number, refuse: (message: string, hint: string) => ClaimgaugeError): Buffer {
  if (bytes === null) throw refuse(`The line is longer than ${Math.round(most / 1e6)} MB`, "Take less into one line.");
  if (!isUtf8(bytes)) throw refuse("The line is not UTF-8", "Write the file as UTF-8.");
  return bytes.subarray(bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0);
}

const MARK = Buffer.from("\ufeff");

/** Whether there is nothing in it. */
export function isBlank({ bytes }: Line): boolean {
  return bytes !== null && bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
