// From a plan and answers in any order to reports, and to what must be asked again.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, rmdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";

import { version } from "../methods.js";
import type { Recommendation, Report, Status } from "../types.js";
import { Known, NO_ANSWERS, answersFiles, type AnswerCounts, type AnswersFile, type Sorted } from "./answers.js";
import { Appended, checkIsFile, readState, rename, taken, writeWhole } from "./durable.js";
import { askedOf } from "./forms.js";
import { loadMachine, replay, type Replayed } from "./machine.js";
import { locked } from "./lock.js";
import { INPUT, MANIFEST, checkSeal, costOf, readPlan, writeManifest, type Manifest } from "./manifest.js";
import { NOTHING_PLANNED, PART_NAME, PlanFiles, SAME, partName, type PlanFilesState } from "./plan-files.js";
import { requestsOf, type RequestLine } from "./requests.js";
import { Store, roundsIn, type Lengths } from "./store.js";
import { count } from "./tally.js";
import { Turns } from "./turns.js";

export interface MergeOptions {
  folder: string;
  /** Files, and folders of files. */
  answers: string[];
  /** More that is written of each report, by the file's path. */
  outputs: Output[];
  signal: AbortSignal;
  onProgress(doing: string, done: number, total: number): void;
}

/** What is written of each report beside it. */
export interface Output {
  path: string;
  /** What it is, options included. */
  kind: string;
  /** `time` in milliseconds. */
  linesOf(report: Report, request: unknown, time: number): string;
}

export interface Summary {
  plan: string;
  version: string;
  /** Whether every question has its answer. */
  complete: boolean;
  requests: number;
  /** Of which not every question has its answer. */
  incomplete: number;
  claims: number;
  statuses: Record<Status, number>;
  recommendations: Record<Recommendation, number>;
  /** What was asked: a question that several requests share has cost once. */
  cost: Report["cost"];
  answers: AnswerCounts;
  /** What must be asked, or asked again; null where that is nothing. */
  followUp: { folder: string; questions: number; planned: number; reasons: Record<string, number> } | null;
}

export const REPORTS = "reports.jsonl";
export const SUMMARY = "summary.json";

/** Where `batch run` writes answers, and where they are looked for when none are named. */
export const ANSWERS = "answers";

/** Where a merge works. */
export const WORK = "merging";
/** Where a run works. */
export const RUN_WORK = "running";
const STATE = "state.json";

/** A follow-up says which answers it came of. */
interface FollowUpManifest extends Omit<Manifest, "sameSha256"> {
  answers: string;
}

/** How far a merge is. */
interface MergeState {
  answers: string;
  /** Follow-ups that were there when it began. */
  rounds: string[];
  followUp: string;
  sorted: Sorted;
  lengths?: Lengths;
  sameIsSorted: boolean;
  stretch: number;
  /** How many of the stretch's answers were asked for. */
  asked: number;
  /** Whether the stretch's answers went to those that share them. */
  isShared: boolean;
  next: { start: number; number: number };
  written: number[];
  pending: PlanFilesState;
  summary: Summary;
  isFinishing: boolean;
  /** When it began, in milliseconds: the time of what is written for tools that watch. */
  time: number;
}

/**
 * Writes the report of each request, in the order of the input, from whatever answers there are. What comes of it
 * depends on the plan, its follow-ups and the answers alone, not on their order or on how often it was interrupted.
 */
export async function mergeBatch(options: MergeOptions): Promise<Summary> {
  await loadMachine();
  const { folder, outputs } = options;
  const manifest = readPlan(folder);
  return locked(folder, async () => {
    const files = answersFiles(options.answers);
    refuseOwn(folder, outputs, [...ownFiles(manifest).map((name) => join(folder, name)), ...files.map(({ path }) => path)]);
    const identity = identityOf(manifest, files, outputs);
    const merged = mergedIn(folder);
    if (merged?.of === identity) {
      // One that was killed behind its last step left what it worked with.
      if (workIn(folder)?.answers === identity) rmSync(join(folder, WORK), { recursive: true, force: true });
      if (writtenIn(folder, outputs).every((bytes, at) => bytes === merged.written?.[at])) {
        writeSummary(folder, merged.summary);
        return merged.summary;
      }
    }
    return new Merge(options, manifest, files, identity).run();
  });
}

function ownFiles({ files }: Manifest): string[] {
  return [MANIFEST, INPUT, SAME, REPORTS, SUMMARY, SUMMARY_STATE, ...files.map(({ name }) => name)];
}

/** What the plan's folder holds beside files of its own. */
const OWN_NAMES = new RegExp(`^(?:${[WORK, RUN_WORK, "follow-up-", "lock-", `${ANSWERS}$`].join("|")})`);

/** What a merge needs, or writes itself, is not written over. */
function refuseOwn(folder: string, outputs: Output[], own: string[]): void {
  const places = new Set(own.map(placeOf));
  for (const { path } of outputs) {
    const place = placeOf(path);
    if (places.has(place) || OWN_NAMES.test(relative(realpathSync(folder), place))) throw taken(path, "is the plan's own, or holds answers");
    // It would be told of when all is done, or be replaced.
    checkIsFile(path);
  }
}

/** Where a file is or would be, whatever links lead to its folder. */
function placeOf(path: string): string {
  const [folder, name] = [dirname(resolve(path)), basename(path)];
  return join(existsSync(folder) ? realpathSync(folder) : folder, name);
}

/** How far a merge is that was interrupted. */
function workIn(folder: string): MergeState | undefined {
  const work = join(folder, WORK);
  return readState<MergeState>(join(work, STATE), ({ answers }) => typeof answers === "string", `Remove ${work}: the merge begins anew then.`);
}

/** Which merge the summary is of. */
const SUMMARY_STATE = "merged.json";

interface Merged {
  of: string;
  summary: Summary;
  /** How long the reports are, and each file for tools that watch. */
  written?: number[];
}

function writtenIn(folder: string, outputs: Output[]): (number | undefined)[] {
  return [join(folder, REPORTS), ...outputs.map(({ path }) => path)].map((path) => statSync(path, { throwIfNoEntry: false })?.size);
}

function writeSummary(folder: string, summary: Summary): void {
  writeWhole(join(folder, SUMMARY), `${JSON.stringify(summary, null, 2)}\n`);
}

function mergedIn(folder: string): Merged | undefined {
  const path = join(folder, SUMMARY_STATE);
  return readState(path, ({ of, summary }) => typeof of === "string" && Array.isArray(summary?.answers?.named), `Remove ${path}: the merge is done again then.`);
}

function identityOf({ plan }: Manifest, files: AnswersFile[], outputs: Output[]): string {
  const parts = [version, plan, files.map((file) => file.sha256), outputs.map(({ path, kind }) => [path, kind])];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

class Merge {
  readonly #work: string;
  readonly #state: MergeState;
  readonly #store: Store;
  readonly #turns: Turns;
  #outputs: Appended[] = [];
  #pending: PlanFiles | undefined;
  #show = () => {};
  #askedWithout: readonly string[] | undefined;
  #askedBytes: Uint8Array = Buffer.alloc(0);

  constructor(readonly options: MergeOptions, readonly manifest: Manifest, readonly files: AnswersFile[], identity: string) {
    const { folder, signal } = options;
    this.#work = join(folder, WORK);
    mkdirSync(this.#work, { recursive: true });
    const kept = workIn(folder);
    this.#state = kept?.answers === identity ? kept : this.#begin(identity);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    this.#store = new Store(this.#work, manifest, bytes, this.#state.lengths);
    this.#turns = new Turns(signal, () => this.#agree(), () => this.#show());
  }

  async run(): Promise<Summary> {
    if (!this.#state.isFinishing) {
      await this.#sort();
      await this.#sweep();
    }
    return this.#finish();
  }

  #begin(answers: string): MergeState {
    rmSync(this.#work, { recursive: true, force: true });
    mkdirSync(this.#work, { recursive: true });
    const rounds = roundsIn(this.options.folder);
    const own = rounds.find((name) => this.#answersOf(name) === answers);
    const last = Math.max(0, ...rounds.map((name) => Number(name.split("-")[2])));
    return {
      answers,
      rounds: rounds.filter((name) => name !== own),
      followUp: own ?? `follow-up-${last + 1}`,
      sorted: { file: 0, next: { start: 0, number: 1 } },
      sameIsSorted: false,
      stretch: 0,
      asked: 0,
      isShared: false,
      next: { start: 0, number: 1 },
      written: [0, ...this.options.outputs.map(() => 0)],
      pending: { ...NOTHING_PLANNED, without: this.#withoutOf(rounds.filter((name) => name !== own)) },
      summary: {
        plan: this.manifest.plan,
        version,
        complete: true,
        requests: 0,
        incomplete: 0,
        claims: 0,
        statuses: { VERIFIED: 0, PLAUSIBLE: 0, SUSPICIOUS: 0, UNSUPPORTED: 0, INCONCLUSIVE: 0 },
        recommendations: { PROCEED: 0, PROCEED_WITH_WARNINGS: 0, GATHER_MORE_EVIDENCE: 0, STOP: 0 },
        cost: { calls: 0, promptTokens: 0, completionTokens: 0 },
        answers: { ...NO_ANSWERS, named: [] },
        followUp: null,
      },
      isFinishing: false,
      time: timeNow(),
    };
  }

  #answersOf(round: string): string | undefined {
    return this.#manifestOf(round)?.answers;
  }

  /** What the provider refused before is not sent to it again. */
  #withoutOf(rounds: string[]): string[] {
    return [...new Set([this.manifest, ...rounds.map((name) => this.#manifestOf(name))].flatMap((of) => of?.without ?? []))];
  }

  #manifestOf(round: string): FollowUpManifest | undefined {
    const folder = join(this.options.folder, round);
    const hint = `Remove ${folder}, if nothing was sent of it; or put back what it held.`;
    const manifest = readState<FollowUpManifest>(join(folder, MANIFEST), ({ answers, files, without }) => typeof answers === "string" && Array.isArray(files) && Array.isArray(without), hint);
    if (manifest !== undefined) checkSeal(folder, manifest);
    return manifest;
  }

  #agree(): void {
    const state = this.#state;
    state.lengths = this.#store.agree();
    this.#outputs.forEach((output, at) => {
      output.sync();
      state.written[at] = output.length;
    });
    if (this.#pending !== undefined) state.pending = this.#pending.agree();
    writeWhole(join(this.#work, STATE), JSON.stringify(state));
  }

  /** Puts answers, and which questions are the same, where their requests are. */
  async #sort(): Promise<void> {
    const { sorted, summary, rounds } = this.#state;
    this.#show = () => this.options.onProgress("Sorting", sorted.file, this.files.length);
    if (sorted.file < this.files.length) {
      await this.#store.sort(this.files, sorted, summary.answers, this.#turns);
      this.#agree();
    }
    if (this.#state.sameIsSorted) return;
    this.#store.sortSame(this.options.folder, rounds);
    this.#state.sameIsSorted = true;
    this.#agree();
  }

  /** Makes the reports, one stretch of the requests after another. */
  async #sweep(): Promise<void> {
    const { folder, outputs, onProgress } = this.options;
    const state = this.#state;
    const paths = [join(this.#work, REPORTS), ...outputs.map(({ path }) => `${path}.half`)];
    this.#outputs = paths.map((path, at) => new Appended(path, state.written[at] ?? 0));
    const next = join(this.#work, "follow-up");
    mkdirSync(next, { recursive: true });
    this.#pending = new PlanFiles(next, this.manifest.plan, this.manifest.judge, state.pending);
    this.#show = () => onProgress("Merging", state.summary.requests, this.manifest.input.requests);
    try {
      let known: Known | undefined;
      for (const one of requestsOf(folder, join(folder, INPUT), state.next)) {
        while (known === undefined || this.#store.of(`${one.line}`) !== state.stretch) {
          if (known !== undefined) this.#leave(known);
          // Not both at a time: each is as large as anything here.
          known = undefined;
          known = this.#enter();
        }
        await this.#report(one, known);
        state.next = { start: one.end, number: one.line + 1 };
        await this.#turns.take();
      }
      while (state.stretch < this.#store.stretches.length) {
        known ??= this.#enter();
        this.#leave(known);
        known = undefined;
      }
      state.pending = this.#pending.finish();
      this.#pending = undefined;
      state.isFinishing = true;
      this.#agree();
    } finally {
      this.#outputs.forEach((output) => output.close());
      this.#outputs = [];
      this.#pending?.close();
      this.#pending = undefined;
    }
  }

  /** What is known of the stretch that comes next. */
  #enter(): Known {
    const { known } = this.#store.enter(this.#state.stretch, this.#state.isShared);
    this.#state.isShared = true;
    return known;
  }

  #leave(known: Known): void {
    const { doubled, answered } = known.counts();
    const { answers } = this.#state.summary;
    answers.doubled += doubled;
    answers.unasked += answered - this.#state.asked;
    this.#state.asked = 0;
    this.#state.stretch += 1;
    this.#state.isShared = false;
  }

  async #report(one: RequestLine, known: Known): Promise<void> {
    const pending = this.#pending as PlanFiles;
    const replayed = await one.within(() => replay(one, this.#asked(pending.without), known.of(one.line)));
    const { report, told, open } = replayed;
    this.#outputs[0]?.add(report);
    if (this.options.outputs.length > 0) {
      const [value, request] = [JSON.parse(`${report}`) as Report, await one.request()];
      this.options.outputs.forEach((output, at) => this.#outputs[at + 1]?.add(Buffer.from(output.linesOf(value, request, this.#state.time))));
    }
    told.without.forEach((parameter) => pending.leaveOut(parameter));
    pending.add(open, one.refuse);
    this.#state.asked += told.answered;
    tally(this.#state.summary, replayed);
  }

  /** Whom the questions are for. It is the same for a million requests, unless one of them was refused a parameter. */
  #asked(without: readonly string[]): Uint8Array {
    if (this.#askedWithout !== without) {
      this.#askedBytes = askedOf({ ...this.manifest, without });
      this.#askedWithout = without;
    }
    return this.#askedBytes;
  }

  /** Each step may have been done by a run that was killed in the next one. */
  #finish(): Summary {
    const { folder, outputs } = this.options;
    const { summary, pending, followUp, answers } = this.#state;
    if (pending.questions > 0) {
      this.#writeFollowUp(pending, followUp, answers);
      summary.followUp = { ...(summary.followUp ?? { reasons: {} }), folder: followUp, questions: pending.questions, planned: pending.planned };
    }
    summary.complete = pending.questions === 0;
    moveIfThere(join(this.#work, REPORTS), join(folder, REPORTS));
    for (const { path } of outputs) moveIfThere(`${path}.half`, path);
    if (summary.complete) this.#clearFollowUps();
    writeSummary(folder, summary);
    // The last: where it is, all else is done.
    writeWhole(join(folder, SUMMARY_STATE), JSON.stringify({ of: answers, summary, written: writtenIn(folder, outputs) }));
    rmSync(this.#work, { recursive: true, force: true });
    return summary;
  }

  /**
   * Nothing of an earlier follow-up is to be sent any more. Which of its questions are the same stays, as its answers
   * are among those that a merge is given; what others put there does, too.
   */
  #clearFollowUps(): void {
    const { folder } = this.options;
    for (const name of roundsIn(folder)) {
      const round = join(folder, name);
      for (const part of this.#manifestOf(name)?.files ?? []) if (PART_NAME.test(part.name)) rmSync(join(round, part.name), { force: true });
      const same = join(round, SAME);
      if ((statSync(same, { throwIfNoEntry: false })?.size ?? 0) > 0) continue;
      for (const path of [same, join(round, MANIFEST)]) rmSync(path, { force: true });
      if (readdirSync(round).length === 0) rmdirSync(round);
    }
  }

  #writeFollowUp(files: PlanFilesState, name: string, answers: string): void {
    const made = join(this.#work, "follow-up");
    const wanted = join(this.options.folder, name);
    if (!existsSync(made)) return;
    const { plan, judge, group, input } = this.manifest;
    const { done, questions, planned, without } = files;
    const estimate = costOf(planned, files.promptTokens, null);
    writeManifest<FollowUpManifest>(made, { plan, version, judge, group, input, questions, planned, files: done, without, estimate, marks: [], answers });
    mkdirSync(wanted, { recursive: true });
    // One with fewer parts takes the place of an earlier one; what others put there stays.
    const earlier = this.#manifestOf(name)?.files.length ?? 0;
    for (let part = done.length; part < earlier; part += 1) rmSync(join(wanted, partName(part)), { force: true });
    for (const file of [...done.map((part) => part.name), SAME, MANIFEST]) moveIfThere(join(made, file), join(wanted, file));
  }
}

/** As builds that are to be the same again are told it, or the clock's. */
function timeNow(): number {
  const epoch = Number(process.env["SOURCE_DATE_EPOCH"] || NaN);
  return Number.isSafeInteger(epoch) ? epoch * 1000 : Date.now();
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) rename(from, to);
}

function tally(all: Summary, { summary, recommendation, told }: Replayed): void {
  all.requests += 1;
  all.claims += summary.claims;
  for (const status of Object.keys(all.statuses) as Status[]) all.statuses[status] += summary[status.toLowerCase() as Lowercase<Status>];
  all.recommendations[recommendation] += 1;
  all.cost.calls += told.cost.calls;
  all.cost.promptTokens += told.cost.promptTokens;
  all.cost.completionTokens += told.cost.completionTokens;
  if (told.reasons.length === 0) return;
  all.incomplete += 1;
  all.followUp ??= { folder: "", questions: 0, planned: 0, reasons: {} };
  for (const reason of told.reasons) count(all.followUp.reasons, reason);
}
