// A plan's questions, asked one by one where no batch service is: bounded, journalled, and gone on with later.
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";

import { JudgeError } from "../error.js";
import { checks } from "../module.js";
import type { Judge, JudgeAnswer, JudgeRequest, VerifyOptions } from "../types.js";
import { Budget, Judging, Run, TOO_DEAR, answerOf, failed } from "../verify.js";
import { Known, NO_ANSWERS, answersFiles } from "./answers.js";
import { syncFolder, writeAll } from "./durable.js";
import { locked } from "./lock.js";
import { hear, loadMachine, namesOf, type Named, type QuestionKey } from "./machine.js";
import { INPUT, readPlan, type Manifest } from "./manifest.js";
import { ANSWERS, RUN_WORK } from "./merge.js";
import { requestsOf, type RequestLine } from "./requests.js";
import { Store, roundsIn } from "./store.js";
import { count } from "./tally.js";
import { Turns } from "./turns.js";

export interface RunOptions {
  folder: string;
  judge: Judge;
  concurrency: number;
  limits: VerifyOptions["limits"];
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

export interface RunResult {
  /** Asked now, and answered. */
  answered: number;
  /** Answered before. */
  known: number;
  /** Not answered. */
  left: number;
  /** Why, and how often. */
  reasons: Record<string, number>;
  ended: "done" | "cancelled" | "capped" | "stopped";
}

/** About how many bytes an answer has, as long as none is known. */
const ANSWER_BYTES = 600;

/** So many requests in a row that are lost on the way end a run, each already tried again. */
const MOST_LOST = 5;

/** The answers are kept as they come; another run, after whatever ended this one, asks what is left. */
export async function runBatch(options: RunOptions): Promise<RunResult> {
  await loadMachine();
  const manifest = readPlan(options.folder);
  return locked(options.folder, async () => {
    const work = join(options.folder, RUN_WORK);
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    const runner = new Runner(options, manifest, work);
    try {
      return await runner.run();
    } finally {
      runner.close();
      rmSync(work, { recursive: true, force: true });
    }
  });
}

class Runner {
  readonly #manifest: Manifest;
  readonly #store: Store;
  readonly #files;
  readonly #journal: Journal;
  readonly #judging = new Judging();
  readonly #budget: Budget;
  readonly #result: RunResult = { answered: 0, known: 0, left: 0, reasons: {}, ended: "done" };
  #known: Known | undefined;
  /** Which questions of the stretch have later ones that are the same, and the reverse. */
  #later = new Map<QuestionKey, QuestionKey[]>();
  #earlier = new Map<QuestionKey, QuestionKey>();
  readonly #asked = new Map<QuestionKey, Promise<void>>();
  /** Questions that were handed out and not settled. */
  #open = 0;
  #waiting: (() => void)[] = [];
  #running = 0;
  #lostInARow = 0;
  /** Questions that were handed out and got no answer. */
  #lost = 0;
  /** How many of the plan's questions are not handed out yet. */
  #unasked: number;

  constructor(readonly options: RunOptions, manifest: Manifest, work: string) {
    const { folder, judge, limits } = options;
    this.#manifest = manifest;
    this.#unasked = manifest.questions;
    const answers = join(folder, ANSWERS);
    mkdirSync(answers, { recursive: true });
    this.#journal = new Journal(join(answers, "run.jsonl"));
    this.#files = answersFiles([answers]);
    const bytes = this.#files.reduce((sum, file) => sum + file.bytes, 0);
    this.#store = new Store(work, this.#manifest, Math.max(bytes, this.#manifest.questions * ANSWER_BYTES));
    this.#budget = new Budget(judge, limits);
  }

  close(): void {
    this.#journal.close();
  }

  async run(): Promise<RunResult> {
    const { folder, signal, onProgress, concurrency } = this.options;
    const show = () => onProgress(this.#result.answered + this.#result.known, this.#manifest.questions);
    const turns = new Turns(signal, () => this.#journal.sync(), show);
    await this.#store.sort(this.#files, { file: 0, next: { start: 0, number: 1 } }, { ...NO_ANSWERS, named: [] }, turns);
    this.#store.sortSame(folder, roundsIn(folder));

    const cancel = () => {
      this.#end("cancelled");
      this.#judging.end(signal.reason);
    };
    signal.addEventListener("abort", cancel, { once: true });
    const active = new Set<Promise<void>>();
    let stretch = -1;
    try {
      for (const one of requestsOf(folder, join(folder, INPUT))) {
        if (this.#result.ended !== "done") break;
        while (stretch < this.#store.of(`${one.line}`)) {
          await Promise.all(active);
          this.#enter((stretch += 1));
        }
        const judged = this.#judge(one).finally(() => active.delete(judged));
        active.add(judged);
        // Whoever waits for it is told: that may be a turn later.
        judged.catch(() => {});
        await turns.take();
        // Enough are open: the next request waits until one of them is done.
        while (this.#open >= concurrency && active.size > 0) await Promise.race(active);
        show();
      }
      await Promise.all(active);
    } catch (error) {
      this.#end("stopped");
      throw error;
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#judging.end();
      await Promise.allSettled(active);
      this.#journal.sync();
    }
    this.#result.left = this.#lost + this.#unasked;
    return this.#result;
  }

  #enter(stretch: number): void {
    const { known, same } = this.#store.enter(stretch);
    this.#known = known;
    this.#asked.clear();
    this.#earlier = new Map(same.map(([earlier, later]) => [later, earlier]));
    this.#later = new Map();
    for (const [earlier, later] of same) {
      const all = this.#later.get(earlier);
      if (all === undefined) this.#later.set(earlier, [later]);
      else all.push(later);
    }
  }

  /** Asks what a request wants to know, until it wants nothing more or one answer cannot be had. */
  async #judge(one: RequestLine): Promise<void> {
    const { plan, group } = this.#manifest;
    const run = new Run();
    try {
      await one.within(async () => run.start(await one.request(), group));
      for (let isFirst = true; ; isFirst = false) {
        const step = run.poll(Infinity);
        if (step.kind !== "ask") return;
        if (isFirst) this.#unasked -= step.requests.length;
        const names = namesOf(one, plan, step.requests);
        const settle = async (question: JudgeRequest, at: number) => {
          const outcome = await this.#outcome(names[at] as Named, question);
          if (outcome !== undefined) run.settle({ id: question.id, ...outcome });
        };
        // All of them, as what comes after an error would have nothing to be settled in.
        const settled = await Promise.allSettled(step.requests.map(settle));
        for (const one of settled) if (one.status === "rejected") throw one.reason;
      }
    } finally {
      run.dispose();
    }
  }

  async #outcome(named: Named, question: JudgeRequest) {
    const { key } = named;
    const earlier = this.#earlier.get(key);
    let known = this.#outcomeOf(key);
    if (known === undefined && earlier !== undefined) {
      // It may be under way as an earlier one's question.
      await this.#asked.get(earlier);
      known = this.#outcomeOf(key);
    }
    if (known !== undefined) {
      this.#result.known += 1;
      return known;
    }
    const asked = this.#ask(named, question);
    this.#asked.set(key, asked.then(() => {}, () => {}));
    return asked;
  }

  /** What is known already; nothing where it must be asked, or asked again. */
  #outcomeOf(key: QuestionKey) {
    const heard = hear(this.#manifest.judge.dialect, key, this.#known?.to(key) ?? []);
    if (heard?.kind === "answer") return { answer: heard.answer };
    return heard?.kind === "failure" ? { failure: heard.failure, stop: false } : undefined;
  }

  async #ask(named: Named, question: JudgeRequest) {
    this.#open += 1;
    try {
      await this.#turn();
      if (this.#result.ended !== "done") return this.#lose(null);
      const { judge } = this.options;
      let answer: JudgeAnswer;
      try {
        answer = await this.#budget.pay(question, () => answerOf(judge, question, this.#judging));
      } catch (thrown) {
        return this.#failed(named, thrown);
      }
      this.#keep(named, { answer });
      return { answer };
    } finally {
      this.#open -= 1;
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Waits until the question may be open beside the others. */
  async #turn(): Promise<void> {
    while (this.#running >= this.options.concurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }

  #failed(named: Named, thrown: unknown) {
    if (thrown === TOO_DEAR) {
      this.#end("capped");
      return this.#lose(null);
    }
    if (this.options.signal.aborted) return this.#lose(null);
    const { failure, stop } = failed(thrown);
    const isLost = stop || !(thrown instanceof JudgeError) || checks.call((module) => module.isOnTheWay(failure.code));
    if (!isLost) {
      // The judge has spoken: it will not answer this one.
      this.#keep(named, { failure });
      return { failure, stop: false };
    }
    this.#lostInARow += 1;
    if (stop || this.#lostInARow >= MOST_LOST) this.#end("stopped");
    return this.#lose(failure.message);
  }

  #end(why: RunResult["ended"]): void {
    if (this.#result.ended === "done") this.#result.ended = why;
  }

  #lose(reason: string | null): undefined {
    this.#lost += 1;
    if (reason !== null) count(this.#result.reasons, reason);
  }

  /** What cannot be kept ends the run: nobody pays for answers that are lost. */
  #keep({ key, name }: Named, said: { answer: JudgeAnswer } | { failure: object }): void {
    this.#lostInARow = 0;
    const line = Buffer.from(JSON.stringify({ custom_id: name, ...said }));
    try {
      this.#journal.add(line);
    } catch (error) {
      this.#end("stopped");
      throw error;
    }
    this.#result.answered += 1;
    for (const later of this.#later.get(key) ?? []) {
      if (this.#store.of(later) === this.#store.of(key)) this.#known?.add(later, line, true);
      else this.#store.share(later, line);
    }
  }
}

/** How long, in milliseconds, an answer may be known to nobody but the operating system. */
const SYNC_EVERY = 1_000;

/** A file of answers that grows line by line. */
class Journal {
  readonly #file: number;
  #synced = Date.now();

  constructor(path: string) {
    const isNew = !existsSync(path);
    this.#file = openSync(path, "a+", 0o600);
    if (isNew) syncFolder(join(path, ".."));
    // A line that was cut when its writer was killed is asked again.
    ftruncateSync(this.#file, lastLineEnd(this.#file, fstatSync(this.#file).size));
  }

  add(line: Buffer): void {
    const { size } = fstatSync(this.#file);
    try {
      writeAll(this.#file, Buffer.concat([line, Buffer.from("\n")]));
    } catch (error) {
      // Half a line would spoil the one that comes after it.
      ftruncateSync(this.#file, size);
      throw error;
    }
    if (Date.now() - this.#synced > SYNC_EVERY) this.sync();
  }

  sync(): void {
    fsyncSync(this.#file);
    this.#synced = Date.now();
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Where the last line that ends does so. */
function lastLineEnd(file: number, size: number): number {
  const chunk = Buffer.alloc(1 << 16);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const count = readSync(file, chunk, 0, end - start, start);
    const at = chunk.subarray(0, count).lastIndexOf(10);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}
