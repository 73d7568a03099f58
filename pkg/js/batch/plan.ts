// From requests of any number to what a provider takes as a batch.
import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { ClaimgaugeError } from "../error.js";
import { version } from "../methods.js";
import { hashOf, naming, readState, rename, writeAll, writeWhole } from "./durable.js";
import { askedOf, type Asked } from "./forms.js";
import { locked } from "./lock.js";
import { checkAsked, firstQuestions, loadMachine } from "./machine.js";
import { INPUT, MANIFEST, checkFile, checkSeal, costOf, readManifest, writeManifest, type Manifest, type Mark, type Prices } from "./manifest.js";
import { REPORTS, RUN_WORK, SUMMARY, WORK } from "./merge.js";
import { NOTHING_PLANNED, PART_NAME, PlanFiles, SAME, type PlanFilesState } from "./plan-files.js";
import { requestsOf } from "./requests.js";
import { Turns, interrupted } from "./turns.js";

export interface PlanOptions {
  /** What errors call the input. */
  name: string;
  input: AsyncIterable<Uint8Array>;
  /** Where the plan is made. */
  folder: string;
  judge: Asked;
  /** Up to how many claims a question is about. */
  group: number;
  /** Parameters that are left out. */
  without: string[];
  prices: Prices | null;
  signal: AbortSignal;
  onProgress(doneBytes: number, totalBytes: number): void;
}

/** How far a plan is that is being made. */
interface PlanState {
  plan: string;
  input: Manifest["input"];
  next: { start: number; number: number };
  files: PlanFilesState;
  marks: Mark[];
  /** One of the lines was no request: nothing can come of it, and other requests may take its place. */
  isRefused?: true;
}

const STATE = "plan-state.json";

/** About how many questions come between two marks: a merge holds at least the answers to so many. */
const MARK_EVERY = 1_000;

/**
 * Plans all that is asked at first, in the order of the input. Deterministic: the same input and judge give the same
 * bytes. Interrupted and started again it goes on where it was.
 */
export async function planBatch(options: PlanOptions): Promise<Manifest> {
  await loadMachine();
  const { judge, group, without } = options;
  checkAsked(askedOf({ plan: "", judge, group, without }));
  mkdirSync(options.folder, { recursive: true });
  return locked(options.folder, () => make(options));
}

async function make(options: PlanOptions): Promise<Manifest> {
  const { folder, judge, group, without, name, prices, signal, onProgress } = options;
  const found = existsSync(join(folder, MANIFEST)) ? readManifest(folder) : stateIn(folder);
  const refused = found !== undefined && "isRefused" in found ? found : undefined;
  const known = refused === undefined ? found : undefined;
  if (refused !== undefined) clear(folder);
  if (known === undefined) refuseFilesIn(folder);
  const taken = await takeIn(options, known?.input.sha256, refused?.input.sha256);
  const plan = planOf(taken.sha256, judge, group, without);
  if (known !== undefined && known.plan !== plan) throw otherPlan(folder);
  if (known !== undefined && "estimate" in known) return priced(folder, known, prices);

  const state: PlanState = known ?? { plan, input: { requests: 0, claims: 0, lines: 0, ...taken }, next: { start: 0, number: 1 }, files: { ...NOTHING_PLANNED, without }, marks: [] };
  // From here on the files in the folder are known to be a plan's.
  const keep = (state: PlanState) => writeWhole(join(folder, STATE), JSON.stringify(state));
  if (known === undefined) keep(state);
  const files = new PlanFiles(folder, plan, judge, state.files);
  const agree = () => keep({ ...state, files: files.agree() });
  const turns = new Turns(signal, agree, () => onProgress(state.next.start, taken.bytes));
  try {
    const asked = askedOf({ plan, judge, group, without });
    for (const one of requestsOf(folder, name, state.next)) {
      const { line, start, end, within, refuse } = one;
      await within(async () => {
        const { claims, questions } = await firstQuestions(one, asked);
        const last = state.marks.at(-1);
        if (last === undefined || files.questions - last.questions >= MARK_EVERY) state.marks.push({ line, start, questions: files.questions });
        files.add(questions, refuse);
        state.input.claims += claims;
      });
      state.input.requests += 1;
      state.input.lines = line;
      state.next = { start: end, number: line + 1 };
      await turns.take();
    }
    return finish(folder, state, files.finish(), judge, group, prices);
  } catch (error) {
    if (error instanceof ClaimgaugeError && error.code !== "cancelled") {
      files.close();
      keep({ ...state, isRefused: true });
      clear(folder);
    }
    throw error;
  } finally {
    files.close();
  }
}

function stateIn(folder: string): PlanState | undefined {
  const fits = ({ plan, input, next, files, marks }: Partial<PlanState>) =>
    typeof plan === "string" && typeof input?.sha256 === "string" && typeof next?.start === "number" && Array.isArray(files?.done) && Array.isArray(marks);
  return readState<PlanState>(join(folder, STATE), fits, "Name another folder with --out.");
}

/** Removes what was planned; the requests stay until others come. */
function clear(folder: string): void {
  for (const name of readdirSync(folder)) if (name === SAME || PART_NAME.test(name)) rmSync(join(folder, name));
}

function finish(folder: string, { plan, input, marks }: PlanState, files: PlanFilesState, judge: Asked, group: number, prices: Prices | null): Manifest {
  const { done, questions, planned, without } = files;
  const estimate = costOf(planned, files.promptTokens, prices);
  const manifest = writeManifest<Manifest>(folder, { plan, version, judge, group, input, questions, planned, files: done, without, estimate, marks, sameSha256: hashOf(join(folder, SAME)).sha256 });
  rmSync(join(folder, STATE), { force: true });
  return manifest;
}

/** A plan that is made already, with what it costs by other prices. */
function priced(folder: string, manifest: Manifest, prices: Prices | null): Manifest {
  checkSeal(folder, manifest);
  for (const file of [...manifest.files, { name: SAME, sha256: manifest.sameSha256 }]) checkFile(folder, file);
  if (prices === null) return manifest;
  return writeManifest(folder, { ...manifest, estimate: costOf(manifest.planned, manifest.estimate.promptTokens, prices) });
}

/** Where no plan was begun, nothing is written over. */
function refuseFilesIn(folder: string): void {
  const name = readdirSync(folder).find((name) => [SAME, REPORTS, SUMMARY, WORK, RUN_WORK].includes(name) || PART_NAME.test(name));
  if (name !== undefined) throw notOurs(folder, name);
}

function notOurs(folder: string, name: string): ClaimgaugeError {
  return new ClaimgaugeError({ code: "folder_taken", message: `${folder} holds ${name}, and no plan`, path: "", hint: "Name another folder with --out." });
}

/** Whatever the questions depend on. */
function planOf(sha256: string, judge: Asked, group: number, without: string[]): string {
  return createHash("sha256").update(JSON.stringify([version, sha256, judge, group, without])).digest("hex").slice(0, 10);
}

/**
 * Keeps a copy of the input, unless there is one of that hash: the plan is of no use without it. It may take the place of
 * one that was refused.
 */
async function takeIn({ folder, input, signal }: PlanOptions, kept: string | undefined, refused: string | undefined): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  const half = join(folder, `${INPUT}.half`);
  const file = kept === undefined ? openSync(half, "w", 0o600) : undefined;
  let bytes = 0;
  try {
    for await (const chunk of input) {
      if (signal.aborted) throw interrupted();
      hash.update(chunk);
      bytes += chunk.length;
      if (file !== undefined) naming(half, () => writeAll(file, chunk));
    }
    if (file !== undefined) naming(half, () => fsyncSync(file));
  } catch (error) {
    if (file !== undefined) rmSync(half, { force: true });
    throw signal.aborted ? interrupted() : error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
  const sha256 = hash.digest("hex");
  const path = join(folder, INPUT);
  if (file !== undefined) {
    if (existsSync(path) && ![sha256, refused].includes(hashOf(path).sha256)) {
      rmSync(half);
      throw notOurs(folder, INPUT);
    }
    rename(half, path);
  } else if (sha256 !== kept) throw otherPlan(folder);
  return { bytes, sha256 };
}

function otherPlan(folder: string): ClaimgaugeError {
  return new ClaimgaugeError({
    code: "other_plan",
    message: `${folder} holds a plan of other requests, for another judge, or by another version`,
    path: "",
    hint: "Name another folder with --out.",
  });
}
