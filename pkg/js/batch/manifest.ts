// What a plan's folder says of itself.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { ClaimgaugeError } from "../error.js";
import { version } from "../methods.js";
import { hashOf, readState, writeWhole } from "./durable.js";
import { FORMS, type Asked } from "./forms.js";
import { SAME, type PartFile } from "./plan-files.js";

export const MANIFEST = "manifest.json";

/** The requests, as they came. */
export const INPUT = "input.jsonl";

export interface Manifest {
  /** What every question's name begins with. */
  plan: string;
  /** The package that made it. */
  version: string;
  judge: Asked;
  /** How many claims a question may be about. */
  group: number;
  /** `lines` with those that are blank. */
  input: { requests: number; claims: number; lines: number; bytes: number; sha256: string };
  /** What is asked; `planned` of it, as the rest is the same as an earlier question. */
  questions: number;
  planned: number;
  /** To be sent. */
  files: PartFile[];
  /** Parameters that are left out. */
  without: string[];
  estimate: CostEstimate;
  /** Every so many questions: where a request begins, and how many questions come before it. */
  marks: Mark[];
  /** Of {@link SAME}. */
  sameSha256: string;
  /** Of all the rest: what was changed by hand is told. */
  seal: string;
}

export interface Mark {
  line: number;
  start: number;
  questions: number;
}

/** What the plan costs if every reply can be read. */
export interface CostEstimate {
  calls: number;
  /** About how many tokens the questions have. */
  promptTokens: number;
  /** How far that may be off for ordinary text, as a share of it. */
  tokenError: number;
  /** About how many tokens the replies have. */
  completionTokens: number;
  /** In whatever money the prices are; null where none were given. */
  money: number | null;
}

/** Money for a million tokens: read, and written. */
export interface Prices {
  read: number;
  written: number;
}

/** A judgement with one sentence, as models write it. */
const REPLY_TOKENS = 60;

/** Of ordinary text, as the core reckons. */
const TOKEN_ERROR = 0.3;

export function costOf(calls: number, promptTokens: number, prices: Prices | null): CostEstimate {
  const completionTokens = calls * REPLY_TOKENS;
  const money = prices === null ? null : (promptTokens * prices.read + completionTokens * prices.written) / 1e6;
  return { calls, promptTokens, tokenError: TOKEN_ERROR, completionTokens, money: money === null ? null : Number(money.toPrecision(3)) };
}

/** Writes a manifest with its seal. */
export function writeManifest<M extends { seal: string }>(folder: string, made: Omit<M, "seal">): M {
  const manifest = { ...made, seal: sealOf(made) } as M;
  writeWhole(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
  return manifest;
}

function sealOf(manifest: object): string {
  const { seal: _, ...rest } = manifest as { seal?: string };
  return createHash("sha256").update(JSON.stringify(rest)).digest("hex").slice(0, 16);
}

function fits({ plan, judge, group, marks, files, without, input }: Partial<Manifest>): boolean {
  return (
    /^[0-9a-f]{10}$/.test(`${plan}`) && judge !== undefined && Object.hasOwn(FORMS, judge?.dialect) && typeof judge.model === "string" && Number.isSafeInteger(group) &&
    Array.isArray(marks) && Array.isArray(files) && Array.isArray(without) && typeof input?.sha256 === "string"
  );
}

export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST);
  const manifest = readState<Manifest>(path, fits, AGAIN);
  if (manifest !== undefined) return manifest;
  throw new ClaimgaugeError({
    code: "no_plan",
    message: `${path}: there is no such file`,
    path: "",
    hint: "Name the folder that `claimgauge batch plan` was told with --out; a plan that was interrupted is finished by the same command.",
  });
}

const AGAIN = "Put it back, or make the plan again in another folder.";

/** The manifest of a plan that can be gone on with: a whole one, of this version, with the requests that it was made of. */
export function readPlan(folder: string): Manifest {
  const manifest = readManifest(folder);
  const refuse = (code: string, message: string, hint: string) => new ClaimgaugeError({ code, message: `${folder}: ${message}`, path: "", hint });
  if ("answers" in manifest) {
    throw refuse("no_plan", "it is the folder of a follow-up", "Name the folder that holds it; a follow-up's answers go to the plan's.");
  }
  if (manifest.version !== version) {
    throw refuse("other_version", `the plan was made by version ${manifest.version}, and this is ${version}`, "Use that version, or make the plan again in another folder.");
  }
  checkSeal(folder, manifest);
  checkFile(folder, { name: SAME, sha256: manifest.sameSha256 });
  if (hashOf(join(folder, INPUT)).sha256 !== manifest.input.sha256) {
    throw refuse("input_changed", `${INPUT} is not what the plan was made of`, AGAIN);
  }
  return manifest;
}

/** Refuses a manifest that was changed by hand. */
export function checkSeal(folder: string, manifest: { seal: string }): void {
  if (manifest.seal !== sealOf(manifest)) throw changed(join(folder, MANIFEST));
}

/** Refuses a file of a plan that is not as it was made. */
export function checkFile(folder: string, { name, sha256 }: { name: string; sha256: string }): void {
  const path = join(folder, name);
  if (!existsSync(path) || hashOf(path).sha256 !== sha256) throw changed(path);
}

function changed(path: string): ClaimgaugeError {
  return new ClaimgaugeError({ code: "plan_changed", message: `${path} is not what the plan made`, path: "", hint: AGAIN });
}
