// What a command writes to files.
import { fstatSync, statSync, type Stats } from "node:fs";
import { resolve } from "node:path";

import { checkIsFile } from "../batch/durable.js";
import { UsageError } from "./exit.js";
import { recordingIn } from "./judge.js";

/** What names files that are read, in whatever command it stands. */
interface Reading {
  evidence?: string[];
  "profile-file"?: string;
  thresholds?: string;
  "api-key-file"?: string;
  judge?: string;
}

/** Refuses to write over what the command reads, and where there is something else than a file. */
export function checkOutputs(outputs: string[], values: Reading, operand: string | undefined): void {
  const { evidence = [], "profile-file": profile, thresholds, "api-key-file": key, judge = "" } = values;
  const inputs = [operand, ...evidence, profile, thresholds, key, recordingIn(judge)].filter((input) => input !== undefined);
  for (const output of outputs) {
    if (inputs.some((input) => isOne(statsOf(input, true), input, output))) {
      throw new UsageError(`${output}: it is read, so that nothing else may be written there: name another file`);
    }
    if (statsOf(output) !== undefined) checkIsFile(output);
  }
}

/** Whether two names lead to one file, by a link, too. */
export function areOne(one: string, other: string): boolean {
  return isOne(statsOf(one), one, other);
}

function isOne(first: Stats | undefined, one: string, other: string): boolean {
  const second = statsOf(other);
  return first === undefined || second === undefined ? resolve(one) === resolve(other) : first.dev === second.dev && first.ino === second.ino;
}

/** What is there, or what the standard input is, if - means that. */
function statsOf(path: string, isRead = false): Stats | undefined {
  try {
    return path === "-" && isRead ? fstatSync(0) : statSync(path, { throwIfNoEntry: false });
  } catch {
    // Whoever opens it tells what is wrong.
    return undefined;
  }
}
