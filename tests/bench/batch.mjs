// Batches at their size: a million claims are planned, answered on a bad day and merged, until nothing is left to ask.
// Prints how many claims a second of processor time each step deals with, and the most memory that any of them took.
import { spawn } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, readdir, rm, stat } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { answer, requestsOf } from "../package/batch-engine.mjs";

const [package_, folder] = process.argv.slice(2);
const claims = Number(process.env.CLAIMGAUGE_CLAIMS || 1_000_000);
const root = fileURLToPath(new URL("../..", import.meta.url));
const at = (...path) => join(folder, "batch", ...path);
const usages = [];

await rm(at(), { recursive: true, force: true });
await mkdir(at(), { recursive: true });
const out = createWriteStream(at("requests.jsonl"));
for await (const request of requestsOf(root, claims)) {
  if (!out.write(`${JSON.stringify(request)}\n`)) await once(out, "drain");
}
await new Promise((resolve) => out.end(resolve));

const figures = {};
figures.batch_plan = claims / (await measured("plan", [at("requests.jsonl"), "--model", "m", "--out", at("plan")]));
let from = at("plan");
for (let round = 1; ; round += 1) {
  const counts = await answer(from, at("answers"), round === 1 ? { unread: 10, files: 5 } : { seed: round, lost: 0, doubled: 0, broken: 0 });
  console.log(`round ${round}: ${JSON.stringify(counts)}`);
  const seconds = await measured("merge", [at("plan"), at("answers")]);
  figures.batch_merge ??= claims / seconds;
  const summary = JSON.parse(await readFile(at("plan/summary.json"), "utf8"));
  console.log(`  ${summary.incomplete} reports are not whole, ${JSON.stringify(summary.answers)}`);
  if (summary.complete) break;
  from = at("plan", summary.followUp.folder);
}
await checkReports();
figures.batch_memory = Math.max(...usages.map(({ maxRSS }) => maxRSS)) / 1024;
for (const name of ["requests.jsonl", "answers", "plan/reports.jsonl"]) console.log(`${name}: ${((await sizeOf(at(name))) / 1e6).toFixed(0)} MB`);
for (const [name, figure] of Object.entries(figures)) console.log(`figure ${name}=${figure.toFixed(0)}`);
await rm(at(), { recursive: true });

/** Runs a step in a process of its own; how many seconds of processor time it took. */
async function measured(step, args) {
  const env = { ...process.env, USAGE_FILE: at("usage.json"), NODE_OPTIONS: `--require ${JSON.stringify(fileURLToPath(new URL("usage.cjs", import.meta.url)))}` };
  const start = performance.now();
  const child = spawn(process.execPath, [join(package_, "dist/node/cli/main.js"), "batch", step, ...args, "--json"], { env, stdio: ["ignore", "ignore", "ignore"] });
  const [code] = await once(child, "close");
  if (code !== 0 && code !== 3) throw new Error(`batch ${step} ended with ${code}`);
  const usage = JSON.parse(await readFile(at("usage.json"), "utf8"));
  usages.push(usage);
  const seconds = (usage.userCPUTime + usage.systemCPUTime) / 1e6;
  console.log(`${step}: ${seconds.toFixed(1)} s of processor time, ${((performance.now() - start) / 1000).toFixed(1)} s, ${(usage.maxRSS / 1024).toFixed(0)} MB`);
  return seconds;
}

/** As many reports as requests, each on its own claim, and none without a verdict. */
async function checkReports() {
  const reports = createInterface({ input: createReadStream(at("plan/reports.jsonl")) })[Symbol.asyncIterator]();
  for await (const request of requestsOf(root, claims)) {
    const report = JSON.parse((await reports.next()).value);
    const [{ text, status }] = report.claims;
    if (text !== request.claims[0] || status === "INCONCLUSIVE") throw new Error(`${status}: ${text}, wanted ${request.claims[0]}`);
  }
  if (!(await reports.next()).done) throw new Error("There are more reports than requests");
}

async function sizeOf(path) {
  const about = await stat(path);
  if (about.isFile()) return about.size;
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}
