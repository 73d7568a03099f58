// The files of a plan that grow while it is made: requests in parts that a provider takes, and which questions are the
// same as an earlier one.
import { createHash, type Hash } from "node:crypto";
import { join } from "node:path";

import { ClaimgaugeError } from "../error.js";
import { customId, readCustomId, type Names, type QuestionKey } from "./custom-id.js";
import { Appended } from "./durable.js";
import { FORMS, type Asked } from "./forms.js";
import { linesOf } from "./lines.js";
import type { Question } from "./machine.js";
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

export class PlanFiles {
  readonly #seen = new Seen();
  readonly #form;
  readonly #same: Appended;
  #state: PlanFilesState;
  #part: Appended;
  #hash: Hash = createHash("sha256");
  #closed = false;
  #last: { number: number; part: Appended } | undefined;

  /** Goes on from a state that {@link agree} gave. */
  constructor(readonly folder: string, readonly plan: string, readonly asked: Asked, state: PlanFilesState) {
    this.#form = FORMS[asked.dialect];
    this.#state = { ...state, done: [...state.done], without: [...state.without] };
    this.#part = new Appended(this.#path(state.done.length), state.bytes);
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
  add(names: Names, questions: Question[], where: (message: string, hint: string) => ClaimgaugeError): void {
    for (const question of questions) {
      this.#state.questions += 1;
      const { body } = question;
      const fingerprint = fingerprintOf(body);
      const earlier = this.#seen.find(fingerprint, (location) => this.#bodyAt(location, body.length).equals(body));
      if (earlier !== undefined) {
        this.#addSame(names.key(question), earlier);
        continue;
      }
      const head = Buffer.from(this.#form.head(customId(this.plan, names.key(question))));
      const line = Buffer.concat([head, body, LINE_END]);
      if (line.length > this.#form.bytes) {
        throw where(`A question of ${line.length} bytes is more than a batch takes`, "Cite only the spans that the claim rests on.");
      }
      this.#makeRoom(line.length);
      this.#seen.add(fingerprint, this.#state.done.length * PART + this.#part.length);
      this.#part.add(line);
      this.#hash.update(line);
      this.#state.lines += 1;
      this.#state.bytes += line.length;
      this.#state.planned += 1;
      this.#state.promptTokens += question.promptTokens;
    }
  }

  /** From now on a parameter that the provider refuses is left out. */
  leaveOut(parameter: string): void {
    if (!this.#state.without.includes(parameter)) this.#state.without.push(parameter);
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
    this.#part = new Appended(this.#path(this.#state.done.length), 0);
  }

  #endPart(): void {
    this.#part.sync();
    const { lines, bytes, done } = this.#state;
    done.push({ name: partName(done.length), lines, bytes, sha256: this.#hash.digest("hex") });
    this.#state.lines = 0;
    this.#state.bytes = 0;
    this.#hash = createHash("sha256");
  }

  /** The whole names: another question about the same claim may be about other claims too. */
  #addSame(key: QuestionKey, earlier: Location): void {
    const line = JSON.parse(this.#lineAt(earlier)) as { custom_id: string };
    this.#same.add(Buffer.from(`${readCustomId(line.custom_id)?.key} ${key}\n`));
  }

  #lineAt(location: Location): string {
    const [part, start] = [Math.floor(location / PART), location % PART];
    for (let length = 1 << 14; ; length *= 4) {
      const bytes = this.#opened(part).read(start, length);
      const end = bytes.indexOf(10);
      if (end !== -1) return bytes.toString("utf8", 0, end);
    }
  }

  /** So much of the body as could be the same, and a byte more. */
  #bodyAt(location: Location, length: number): Buffer {
    const [part, start] = [Math.floor(location / PART), location % PART];
    const longestHead = this.#form.head("").length + 64;
    const bytes = this.#opened(part).read(start, longestHead + length + LINE_END.length);
    const end = bytes.indexOf(10);
    const head = this.#headOf(bytes);
    return bytes.subarray(head, end === -1 ? bytes.length : end - 1);
  }

  /** How long a line's head is. */
  #headOf(line: Buffer): number {
    const mark = this.#form.head("").split('""').at(-1) as string;
    return line.indexOf(mark) + mark.length;
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
      const body = bytes.subarray(this.#headOf(bytes), -1);
      this.#seen.add(fingerprintOf(body), part * PART + start);
      if (isOpen) this.#hash.update(bytes).update("\n");
    }
  }
}

export const PART_NAME = /^requests-\d{5,}\.jsonl$/;

export function partName(part: number): string {
  return `requests-${String(part + 1).padStart(5, "0")}.jsonl`;
}

function fingerprintOf(body: Buffer): number {
  return createHash("sha1").update(body).digest().readUInt32LE(0);
}
