// The answers to a plan, sorted on the disk so that one stretch of the requests after another can be dealt with.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { Known, sort, type AnswerCounts, type AnswersFile, type Sorted } from "./answers.js";
import { Buckets, stretchOf, stretches } from "./buckets.js";
import { linesOf } from "./lines.js";
import { lineOf, type QuestionKey } from "./machine.js";
import type { Manifest, Mark } from "./manifest.js";
import { SAME } from "./plan-files.js";
import type { Turns } from "./turns.js";

/** How long the sorted files are, as far as they were agreed on. */
export interface Lengths {
  answers: number[];
  same: number[];
  shared: number[];
}

export class Store {
  readonly stretches: Mark[];
  readonly #answers: Buckets;
  /** Which question is the same as which later one, where the earlier one is. */
  readonly #same: Buckets;
  /** Answers to earlier questions, where those are that share them. */
  readonly #shared: Buckets;

  constructor(work: string, readonly manifest: Manifest, answerBytes: number, lengths?: Lengths) {
    this.stretches = stretches(manifest, answerBytes);
    const none = this.stretches.map(() => 0);
    this.#answers = new Buckets(work, "answers", lengths?.answers ?? none);
    this.#same = new Buckets(work, "same", lengths?.same ?? none);
    this.#shared = new Buckets(work, "shared", lengths?.shared ?? none);
  }

  agree(): Lengths {
    return { answers: this.#answers.agree(), same: this.#same.agree(), shared: this.#shared.agree() };
  }

  sort(files: AnswersFile[], done: Sorted, counts: AnswerCounts, turns: Turns): Promise<void> {
    const { plan, input } = this.manifest;
    return sort(files, { plan, stretches: this.stretches, lastLine: input.lines }, this.#answers, done, counts, turns);
  }

  /** Takes in which questions of the plan, and of these follow-ups, are the same. */
  sortSame(folder: string, rounds: string[]): void {
    for (const round of ["", ...rounds]) {
      const path = join(folder, round, SAME);
      if (!existsSync(path)) continue;
      for (const { bytes } of linesOf(path, 1_000)) {
        const [earlier, later] = (bytes?.toString("latin1") ?? "").split(" ");
        if (earlier && later) this.#same.add(this.of(earlier), earlier, Buffer.from(later));
      }
    }
  }

  /** In which stretch a question is. */
  of(key: QuestionKey): number {
    return stretchOf(this.stretches, lineOf(key));
  }

  /**
   * What is known of a stretch, and which later questions are the same as its own. Those in later stretches are given
   * what is known, unless they were before.
   */
  enter(stretch: number, isShared = false): { known: Known; same: [QuestionKey, QuestionKey][] } {
    const known = new Known();
    for (const [key, line] of this.#answers.read(stretch)) known.add(key, line, false);
    for (const [key, line] of this.#shared.read(stretch)) known.add(key, line, true);
    const same = this.#same.read(stretch).map(([earlier, line]): [QuestionKey, QuestionKey] => [earlier, line.toString("latin1")]);
    for (const [earlier, later] of same) {
      for (const { line } of known.to(earlier)) {
        if (this.of(later) === stretch) known.add(later, line, true);
        else if (!isShared) this.share(later, line);
      }
    }
    return { known, same };
  }

  /** Gives an answer to a question of a later stretch. */
  share(key: QuestionKey, line: Buffer): void {
    this.#shared.add(this.of(key), key, line);
  }
}

/** The follow-ups in a plan's folder. */
export function roundsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^follow-up-\d{1,6}$/.test(name)).sort();
}
