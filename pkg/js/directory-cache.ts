import { createHash, randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { ClaimgaugeError } from "./error.js";
import type { Cache } from "./types.js";

/** See `directoryCache` of the package, which loads this. */
export function directoryCache(folder: string): Cache {
  if (typeof folder !== "string" || folder === "") {
    throw new ClaimgaugeError({ code: "invalid_type", message: "Expected a folder's path", path: "folder" });
  }
  // Now, as answers that cannot be kept are told by nobody later.
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK);
  } catch (error) {
    const message = `No answers can be kept in ${JSON.stringify(folder)}: ${(error as Error).message}`;
    const hint = "Name a folder, or one that can be made.";
    throw new ClaimgaugeError({ code: "invalid_value", message, path: "folder", hint }, { cause: error });
  }
  const pathOf = (key: string) => join(folder, /^[0-9a-f]{64}$/.test(key) ? key : checksum(key));
  return {
    async get(key) {
      const path = pathOf(key);
      // A pipe would be waited for.
      const isFile = await stat(path).then((about) => about.isFile(), () => false);
      const text = isFile ? await readFile(path, "utf8").catch(() => "") : "";
      const answer = text.slice(CHECKSUM + 1);
      return text.slice(0, CHECKSUM) === checksum(answer) ? answer : undefined;
    },
    async set(key, answer) {
      await mkdir(folder, { recursive: true });
      const path = pathOf(key);
      // Nobody reads half a file: it gets its name when it is whole.
      const half = `${path}.${randomUUID()}`;
      try {
        await writeFile(half, `${checksum(answer)}\n${answer}`, { mode: 0o600 });
        await rename(half, path);
      } catch (error) {
        await rm(half, { force: true });
        throw error;
      }
    },
  };
}

/** Node's own way to make the folders above, too, never ends where a file system makes none, as that of /proc. */
function makeFolder(folder: string): void {
  const above = dirname(folder);
  if (above !== folder && !existsSync(above)) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // It may have been there, or another process has made it.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

const CHECKSUM = 64;

function checksum(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
