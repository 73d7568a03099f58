// What a plan's folder says of itself.
import { join } from "node:path";

import { ClaimgaugeError } from "../error.js";
import { version } from "../methods.js";
import { hashOf, readState } from "./durable.js";
import { FORMS, type Asked } from "./forms.js";
import type { PartFile } from "./plan-files.js";

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

export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST);
  const refuse = (message: string, hint: string) => new ClaimgaugeError({ code: "no_plan", message: `${path}: ${message}`, path: MANIFEST, hint });
  let manifest: Manifest | undefined;
  try {
    manifest = readState<Manifest>(path);
  } catch (error) {
    throw refuse(`it cannot be read: ${(error as Error).message}`, "Make the plan again, in another folder.");
  }
  if (manifest === undefined) {
    throw refuse("there is no such file", "Name the folder that `claimgauge batch plan` was told with --out; a plan that was interrupted is finished by the same command.");
  }
  const { plan, judge, group, marks, files, without, input } = manifest;
  const fits =
    /^[0-9a-f]{10}$/.test(plan) && Object.hasOwn(FORMS, judge?.dialect) && typeof judge.model === "string" && Number.isSafeInteger(group) &&
    Array.isArray(marks) && Array.isArray(files) && Array.isArray(without) && typeof input?.sha256 === "string";
  if (!fits) throw refuse("it is no manifest of a plan", "Make the plan again, in another folder.");
  return manifest;
}

/** The manifest of a plan that can be gone on with: a whole one, of this version, with the requests that it was made of. */
export function readPlan(folder: string): Manifest {
  const manifest = readManifest(folder);
  const refuse = (code: string, message: string, hint: string) => new ClaimgaugeError({ code, message: `${folder}: ${message}`, path: MANIFEST, hint });
  if ("answers" in manifest) {
    throw refuse("no_plan", "it is the folder of a follow-up", "Name the folder that holds it; a follow-up's answers go to the plan's.");
  }
  if (manifest.version !== version) {
    throw refuse("other_version", `the plan was made by version ${manifest.version}, and this is ${version}`, "Use that version, or make the plan again in another folder.");
  }
  if (hashOf(join(folder, INPUT)).sha256 !== manifest.input.sha256) {
    throw refuse("input_changed", `${INPUT} is not what the plan was made of`, "Put it back, or make the plan again in another folder.");
  }
  return manifest;
}
