// One program at a time works in a plan's folder.
import { randomBytes } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { ClaimgaugeError } from "../error.js";

/** A lock has its owner in its name, and a number that is never used twice. */
const LOCK = /^lock-(\d{1,10})-[0-9a-f]{16}$/;

/** In it once it is taken; before that its owner may give way. */
const TAKEN = "taken\n";

/** How often it is tried where others try at the same time. */
const TRIES = 100;

/** In milliseconds: the longest pause between two tries. */
const PAUSE = 50;

/** What this process holds. Its number alone does not tell: it may have been another's, before a restart or in a container. */
const held = new Set<string>();

/**
 * Does something while nobody else does anything in the folder.
 *
 * Whoever wants to makes a lock of its own, and only then looks for others: of two, the one that is later sees the other.
 * So there are never two, and a lock whose owner is gone is nobody's any more: anyone may remove it. Where each sees the
 * other before either has taken its lock, both give way and try again.
 */
export async function locked<T>(folder: string, act: () => Promise<T>): Promise<T> {
  const lock = join(resolve(folder), `lock-${process.pid}-${randomBytes(8).toString("hex")}`);
  for (let tries = 1; ; tries += 1) {
    const other = take(lock);
    if (other === undefined) break;
    if (tries === TRIES || isTaken(other)) throw inUse(folder, other);
    await sleep(Math.random() * PAUSE);
  }
  try {
    return await act();
  } finally {
    giveUp(lock);
  }
}

/** Takes the lock, or gives way to one that there is. */
function take(lock: string): string | undefined {
  held.add(lock);
  writeFileSync(lock, "", { flag: "wx", mode: 0o600 });
  const other = others(lock).find((path) => isHeld(path) || rmSync(path, { force: true }));
  if (other === undefined) writeFileSync(lock, TAKEN);
  else giveUp(lock);
  return other;
}

function others(lock: string): string[] {
  const locks = readdirSync(dirname(lock)).filter((name) => LOCK.test(name));
  return locks.map((name) => join(dirname(lock), name)).filter((path) => path !== lock);
}

/** Not where it was given up since. */
function isTaken(lock: string): boolean {
  try {
    return readFileSync(lock, "utf8") === TAKEN;
  } catch {
    return false;
  }
}

function giveUp(lock: string): void {
  rmSync(lock, { force: true });
  held.delete(lock);
}

function isHeld(lock: string): boolean {
  const owner = ownerOf(lock);
  if (owner === process.pid) return held.has(lock);
  try {
    process.kill(owner, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function ownerOf(lock: string): number {
  return Number(LOCK.exec(basename(lock))?.[1]);
}

function inUse(folder: string, lock: string): ClaimgaugeError {
  return new ClaimgaugeError({
    code: "plan_in_use",
    message: `${folder} is in use by the process ${ownerOf(lock)}`,
    path: "",
    hint: `Wait until it is done; where that process is none of a batch, remove ${lock}.`,
  });
}
