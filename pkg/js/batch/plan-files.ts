// The files of a plan that grow while it is made: requests in parts that a provider takes, and which questions are the
// same as an earlier one.
import { createHash, type Hash } from "node:crypto";
import { join } from "node:path";

import { ClaimgaugeError } from "../error.js";
import { Appended } from "./durable.js";
import { FORMS, type Asked } from "./forms.js";
import { linesOf } from "./lines.js";
import { answeredBy, type Question, type QuestionKey } from "./machine.js";
import { Seen } from "./seen.js";

/** Where a line begins: the part's number times 2^32, and the place in it. */
export type Location = number;

const PART = 2 ** 32;

/** A part that is done. */
export interface PartFile {
  name: string;
  lines: number;
  bytes: number;
  sha256: string;
}

/** As far as the files were agreed on. */
export interface PlanFilesState {
  done: PartFile[];
  lines: number;
  bytes: number;
  sameBytes: number;
  /** Questions, those that were planned already among them. */
  questions: number;
  planned: number;
  promptTokens: number;
  without: string[];
}

export const NOTHING_PLANNED: PlanFilesState = {
  done: [], lines: 0, bytes: 0, sameBytes: 0, questions: 0, planned: 0, promptTokens: 0, without: [],
};

/** Rows of `QUESTION QUESTION`: the later one is asked as the earlier one. */
export const SAME = "same.txt";

const LINE_END = Buffer.from("}\n");
const NOTHING = Buffer.alloc(0);

export class PlanFiles {
  readonly #seen = new Seen();
  readonly #form;
  /** What a line's head ends with, before the body. */
  readonly #mark: string;
  readonly #seed: number;
  readonly #same: Appended;
  #state: PlanFilesState;
  #part: Appended;
  #hash: Hash = createHash("sha256");
  #closed = false;
  #last: { number: number; part: Appended } | undefined;

  /** Goes on from a state that {@link agree} gave. */
  constructor(readonly folder: string, readonly plan: string, readonly asked: Asked, state: PlanFilesState) {
    this.#form = FORMS[asked.dialect];
    this.#mark = this.#form.head("").split('""').at(-1) as string;
    this.#seed = Number.parseInt(plan, 16) | 1;
    this.#state = { ...state, done: [...state.done], without: [...state.without] };
    this.#part = this.#begin(state.bytes);
    this.#same = new Appended(join(folder, SAME), state.sameBytes);
    for (let part = 0; part <= state.done.length; part += 1) this.#recall(part);
  }

  /** Parameters that are left out. */
  get without(): readonly string[] {
    return this.#state.without;
  }

  /** How many questions there were, those that are the same as others among them. */
  get questions(): number {
    return this.#state.questions;
  }

  /** Plans what a request asks. `where` says which, if it cannot be planned. */
  add(questions: Question[], where: (message: string, hint: string) => ClaimgaugeError): void {
    for (const { key, name, promptTokens, body } of questions) {
      this.#state.questions += 1;
      const fingerprint = fingerprintOf(body, this.#seed);
      let earlier: Buffer = NOTHING;
      const isSame = (location: Location) => this.#bodyOf((earlier = this.#lineAt(location, body.length))).equals(body);
      if (this.#seen.find(fingerprint, isSame) !== undefined) {
        this.#same.add(Buffer.from(`${this.#keyOf(earlier)} ${key}\n`));
        continue;
      }
      const head = Buffer.from(this.#form.head(name));
      const bytes = head.length + body.length + LINE_END.length;
      if (bytes > this.#form.bytes) {
        throw where(`A question of ${bytes} bytes is more than a batch takes`, "Cite only the spans that the claim rests on.");
      }
      this.#makeRoom(bytes);
      this.#seen.add(fingerprint, this.#state.done.length * PART + this.#part.length);
      for (const part of [head, body, LINE_END]) this.#part.add(part);
      this.#state.lines += 1;
      this.#state.bytes += bytes;
      this.#state.planned += 1;
      this.#state.promptTokens += promptTokens;
    }
  }

  /** From now on a parameter that the provider refuses is left out. */
  leaveOut(parameter: string): void {
    if (!this.#state.without.includes(parameter)) this.#state.without = [...this.#state.without, parameter];
  }

  /** Puts all of it on the disk; the state from which another run can go on. */
  agree(): PlanFilesState {
    this.#part.sync();
    this.#same.sync();
    return { ...this.#state, done: [...this.#state.done], sameBytes: this.#same.length, without: [...this.#state.without] };
  }

  /** Ends it: every part is done. */
  finish(): PlanFilesState {
    if (this.#state.lines > 0) this.#endPart();
    const state = this.agree();
    this.close();
    return state;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#part.close();
    this.#same.close();
    this.#last?.part.close();
  }

  #path(part: number): string {
    return join(this.folder, partName(part));
  }

  #makeRoom(bytes: number): void {
    if (this.#state.lines < this.#form.lines && this.#state.bytes + bytes <= this.#form.bytes) return;
    this.#endPart();
    this.#part.close();
    this.#part = this.#begin(0);
  }

  /** The part that grows: its hash is that of what is written. */
  #begin(bytes: number): Appended {
    this.#hash = createHash("sha256");
    return new Appended(this.#path(this.#state.done.length), bytes, (written) => this.#hash.update(written));
  }

  #endPart(): void {
    this.#part.sync();
    const { lines, bytes, done } = this.#state;
    done.push({ name: partName(done.length), lines, bytes, sha256: this.#hash.digest("hex") });
    this.#state.lines = 0;
    this.#state.bytes = 0;
  }

  /** So much of a line as it could have with a body of this length, and a byte more. */
  #lineAt(location: Location, length: number): Buffer {
    const [part, start] = [Math.floor(location / PART), location % PART];
    const longestHead = this.#form.head("").length + 64;
    const bytes = this.#opened(part).read(start, longestHead + length + LINE_END.length);
    const end = bytes.indexOf(10);
    return end === -1 ? bytes : bytes.subarray(0, end);
  }

  /** A line is its head, its body and a brace. */
  #bodyOf(line: Buffer): Buffer {
    return line.subarray(line.indexOf(this.#mark) + this.#mark.length, -1);
  }

  /** What the line's question is called. Its body is no concern of that. */
  #keyOf(line: Buffer): QuestionKey {
    const named = line.subarray(0, line.indexOf(','));
    return answeredBy(Buffer.concat([named, LINE_END]), this.plan);
  }

  #opened(part: number): Appended {
    if (part === this.#state.done.length) return this.#part;
    if (this.#last?.number !== part) {
      this.#last?.part.close();
      this.#last = { number: part, part: new Appended(this.#path(part), (this.#state.done[part] as PartFile).bytes) };
    }
    return this.#last.part;
  }

  /** Learns again what an earlier run planned. */
  #recall(part: number): void {
    const isOpen = part === this.#state.done.length;
    for (const { bytes, start } of linesOf(this.#path(part), this.#form.bytes)) {
      if (bytes === null) continue;
      this.#seen.add(fingerprintOf(this.#bodyOf(bytes), this.#seed), part * PART + start);
      if (isOpen) this.#hash.update(bytes).update("\n");
    }
  }
}

export const PART_NAME = /^requests-\d{5,}\.jsonl$/;

export function partName(part: number): string {
  return `requests-${String(part + 1).padStart(5, "0")}.jsonl`;
}

/** Word by word, as FNV does it byte by byte. The seed is the plan's, so that no request can be made for its questions to meet. */
function fingerprintOf(body: Buffer, seed: number): number {
  const words = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let hash = seed ^ body.length;
  const mix = (word: number) => {
    hash = Math.imul(hash ^ word, 0x01000193);
    // Of a product the high digits know of all, and the low ones of the low ones.
    hash ^= hash >>> 15;
  };
  let at = 0;
  for (; at + 4 <= body.length; at += 4) mix(words.getInt32(at, true));
  for (; at < body.length; at += 1) mix(words.getUint8(at));
  return hash >>> 0;
}
