// A folder of its own for one check: "base" in it, and what lies outside.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Makes the folder; `remove` takes it away. */
export function folder({ files = [], outside = [], base_link = false } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "claimgauge-output-")));
  const base = join(root, "base");
  mkdirSync(base);
  return {
    root,
    base,
    /** Puts the entries there and returns the path by which the base is given. */
    fill() {
      files.forEach((entry) => make(base, entry));
      outside.forEach((entry) => make(root, entry));
      if (!base_link) return base;
      symlinkSync("base", join(root, "base-link"));
      return join(root, "base-link");
    },
    write(path, content) {
      const file = join(base, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function make(below, { path, text = "", base64, fill, link_to, fifo, dir, mode }) {
  const at = join(below, path);
  mkdirSync(dirname(at), { recursive: true });
  if (link_to !== undefined) symlinkSync(link_to, at);
  else if (fifo) execFileSync("mkfifo", [at]);
  else if (dir) mkdirSync(at, { recursive: true });
  else if (fill) writeFileSync(at, fill.text.repeat(fill.times));
  else writeFileSync(at, base64 === undefined ? text : Buffer.from(base64, "base64"));
  if (mode !== undefined) chmodSync(at, Number.parseInt(mode, 8));
}

export function sha256(content) {
  return createHash("sha256").update(content).digest("hex");
}

/** An output with these claims. */
export function outputOf(...claims) {
  return { summary: "Did it.", traceRef: "trace:t", claims };
}

export function written(filePath, content) {
  return { kind: "file-write", filePath, contentHash: sha256(content) };
}
