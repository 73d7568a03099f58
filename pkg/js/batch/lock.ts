// One program at a time works in a plan's folder.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { ClaimgaugeError } from "../error.js";

const LOCK = "lock";

/** In milliseconds: what is still empty after that was left by a process that was killed as it wrote. */
const WRITTEN_WITHIN = 1_000;

/** What this process holds. Its number alone does not tell: it may have been another's, before a restart or in a container. */
const held = new Set<string>();

/** Does something while nobody else does anything in the folder. */
export async function locked<T>(folder: string, act: () => Promise<T>): Promise<T> {
  const lock = resolve(folder, LOCK);
  while (!take(lock)) {
    if (isHeld(lock)) throw inUse(folder, lock);
    clear(lock);
  }
  held.add(lock);
  try {
    return await act();
  } finally {
    held.delete(lock);
    // Also what a process left behind that was killed as it cleared a lock away.
    for (const path of [gone(lock), lock]) rmSync(path, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function isHeld(lock: string): boolean {
  const owner = ownerOf(lock);
  if (owner === process.pid) return held.has(lock);
  if (owner !== 0) return isAlive(owner);
  const { mtimeMs = 0 } = statSync(lock, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs < WRITTEN_WITHIN;
}

/** Zero where none is written. */
function ownerOf(lock: string): number {
  try {
    return Math.max(Number.parseInt(readFileSync(lock, "utf8"), 10) || 0, 0);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return 0;
    throw error;
  }
}

function isAlive(owner: number): boolean {
  try {
    process.kill(owner, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Of several that clear it away one renames it. */
function clear(lock: string): void {
  try {
    renameSync(lock, gone(lock));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  rmSync(gone(lock), { force: true });
}

function gone(lock: string): string {
  return `${lock}.gone`;
}

function inUse(folder: string, lock: string): ClaimgaugeError {
  return new ClaimgaugeError({
    code: "plan_in_use",
    message: `${folder} is in use by the process ${ownerOf(lock)}`,
    path: join(folder, LOCK),
    hint: "Wait until it is done; where that process is none of a batch, remove this file.",
  });
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
