// How well a real judge, and the deltas with it, tell supported claims from others: labelled claims, judged
// by a small model on this machine. Takes long, and may be interrupted: what was answered is kept.
//
//   node judge.mjs PACKAGE FOLDER
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { fileURLToPath } from "node:url";

import { JUDGE, startLlama } from "../support/llama.mjs";

const [, , packed, folder] = argv;

/** Answers are kept by the address that gave them. */
const PORT = 8427;

const SETS = [
  { name: "seedstyle40", options: [] },
  { name: "mutbench_a", options: ["--sample", "60"] },
];

const NULLS = ["identifiers", "redact_spans", "no_evidence"];

const NAMES = { full: "full pass alone", delta: "delta, identifiers" };

const server = await startLlama(JUDGE, { port: PORT, threads: Math.min(2, availableParallelism()), slots: 2 });
if (server.missing) {
  console.error(`\nNothing was judged: ${server.missing}\n`);
  exit(1);
}
try {
  const fits = SETS.map(({ name }) => join(folder, `${name}.fitted.json`));
  const judged = [];
  for (const [at, set] of SETS.entries()) judged.push(await bench(set, ["--fit", fits[at]]));
  for (const [at, set] of SETS.entries()) {
    // With thresholds of the other set: on the claims that they were fitted to they look better than they are.
    const other = await bench(set, ["--thresholds", fits[1 - at]]);
    print(set.name, judged[at], other.statuses, SETS[1 - at].name);
  }
} finally {
  await server.stop();
}

async function bench({ name, options }, more) {
  const claims = fileURLToPath(new URL(`../vectors/claims/${name}.jsonl`, import.meta.url));
  const nulls = NULLS.flatMap((mode) => ["--null", mode]);
  const judge = ["--judge", "openai", "--base-url", server.baseUrl, "--model", JUDGE.name, "--temperature", "0"];
  // A loaded machine is slow, and that is no failure of the judge's.
  const asking = ["--timeout", "900", "--concurrency", "2", "--cache", join(folder, "answers"), "--json"];
  const text = await run([join(packed, "dist/node/cli/main.js"), "bench", claims, ...options, ...judge, ...nulls, ...asking, ...more]);
  return JSON.parse(text);
}

/** What a command prints; what it says about that is shown as it comes. */
function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part) => (text += part));
    child.once("error", reject).once("close", (code, signal) => {
      if (code === 0) resolve(text);
      else reject(new Error(`claimgauge bench ended with ${signal ?? code}; another run goes on from here`));
    });
  });
}

function print(name, { supported, unsupported, scores, statuses, fitted }, others, other) {
  const share = (one) => (one === null ? "n/a" : `${one.value.toFixed(3)} (${one.low.toFixed(3)} to ${one.high.toFixed(3)})`);
  const minimum = ({ full, delta }) => `full ${full.toFixed(2)}, delta ${delta.toFixed(2)}`;
  const count = (rows, status) => {
    const row = rows.find((one) => one.status === status);
    return `${row?.supported ?? 0} / ${row?.unsupported ?? 0}`;
  };
  const names = statuses.map(({ status }) => status);
  console.log(`
### ${name}: ${supported} claims that the evidence supports, ${unsupported} that it does not

| | Claims | AUROC (95 % interval) | Balanced accuracy (95 % interval) |
| --- | ---: | --- | --- |
${scores.map(({ of, claims, auroc, balancedAccuracy }) => `| ${NAMES[of] ?? `delta, ${of}`} | ${claims} | ${share(auroc)} | ${share(balancedAccuracy)} |`).join("\n")}

| Status: supported / not supported | ${names.join(" | ")} |
| --- | ${names.map(() => "---:").join(" | ")} |
| the profile's thresholds | ${names.map((status) => count(statuses, status)).join(" | ")} |
| thresholds fitted to ${other} | ${names.map((status) => count(others, status)).join(" | ")} |
${fitted === null ? "" : `\nFitted to these claims: VERIFIED ${minimum(fitted.verified)}; PLAUSIBLE ${minimum(fitted.plausible)}.`}`);
}
