// How fast the packed package's scrub is in Node, and how much faster than its peers: each figure is a
// median over rounds in which all take turns, so that what else runs on the machine meets them alike.
// Arguments: the package's folder, the folder with the texts and the Python environment.
//
// Lines that start with `figure`, or `no figure` and why, are for the gates.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

import { alternation } from "./alternation.mjs";

const [npmPackage, folder] = process.argv.slice(2);
const ROUNDS = 7;
const require = createRequire(import.meta.url);
const entry = join(npmPackage, "dist/node/node.js");
const { scrub } = require(entry);
const file = (name) => join(folder, name);
const read = (name) => readFileSync(file(name), "utf8");
const claims = JSON.parse(read("claims.json"));
const text = read("text.txt");
const sql = read("sql.txt");
const small = read("small.txt");
const request = (text, replacements) => ({ profile: "strawberry", evidence: [text], claims, replacements });

console.log("Through the npm call, in Node");
throughput();
latency();
start();
console.log("Peers, on the same text in the same rounds");
peersInJavaScript();
await peersInPython();

function throughput() {
  const { length } = scrub(request(text, true)).replacements;
  const [bare, listed] = rounds([() => scrub(request(text, false)), () => scrub(request(text, true))]).map(median);
  line("1 MB, `replacements: false`", megabytes(text) / bare, "MB/s", "wasm_texts");
  line(`1 MB, ${length} replacements listed`, megabytes(text) / listed, "MB/s", "wasm_listed");
}

function latency() {
  const { length } = scrub(request(small, true)).replacements;
  const calls = 100;
  const [seconds] = rounds([() => repeat(calls, () => scrub(request(small, true)))]).map(median);
  line(`4 KB, ${length} replacements listed`, (seconds / calls) * 1e6, "µs", "call");
}

/** By the clock, as other threads compile: an import and the first call, each in a process of its own. */
function start() {
  const ours = `const { scrub } = await import(${JSON.stringify(pathToFileURL(join(npmPackage, "dist/node/node.mjs")))});
    scrub(${JSON.stringify(request(small, true))});`;
  const minijinja = `const { Environment } = await import(${JSON.stringify(pathToFileURL(require.resolve("minijinja-js")))});
    new Environment().renderStr("Hello {{ name }}", { name: "you" });`;
  const taken = (script) => {
    const timed = `const started = performance.now(); ${script} console.log(performance.now() - started);`;
    return Number(execFileSync(process.execPath, ["--input-type=module", "--eval", timed], { encoding: "utf8" }));
  };
  const times = [[], [], []];
  for (let round = 0; round < 2 * ROUNDS + 1; round++) {
    [ours, minijinja, ""].forEach((script, which) => times[which].push(taken(script)));
  }
  const [own, peer, empty] = times.map(median);
  line("fresh process, import and first 4 KB scrub", own, "ms");
  line("fresh process, minijinja-js, import and first render", peer, "ms");
  line("fresh process, nothing", empty, "ms");
  line("  ours to minijinja-js's", median(times[0].map((time, round) => time / times[1][round])), "times", "start");
}

function peersInJavaScript() {
  const { SyncRedactor } = require("redact-pii");
  const redactor = new SyncRedactor();
  const runs = [() => scrub(request(text, false)), () => redactor.redact(text), () => text.replace(alternation, "[ID]")];
  const [own, redactPii, bare] = rounds(runs);
  compare("redact-pii", redactPii, own, text, "to_redact_pii");
  compare("alternation of 25 patterns", bare, own, text, "to_alternation");
}

async function peersInPython() {
  const python = file("venv/bin/python");
  if (!existsSync(python)) {
    const why = "Presidio and sqlglot could not be installed: pip's message stands above";
    for (const gate of ["to_presidio", "to_sqlglot"]) console.log(`no figure ${gate}:${why}`);
    return;
  }
  const child = spawn(python, [new URL("peers.py", import.meta.url).pathname], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (peer, name) => {
    child.stdin.write(`${peer} ${file(name)}\n`);
    return (await answers.next()).value;
  };
  for (const [peer, name, taken, gate, count] of [
    ["presidio", "text.txt", text, "to_presidio", 3],
    ["sqlglot", "sql.txt", sql, "to_sqlglot", ROUNDS],
  ]) {
    const [own, theirs] = [[], []];
    let answer;
    for (let round = 0; round < count; round++) {
      own.push(timed(() => scrub(request(taken, false))));
      answer = await ask(peer, name);
      theirs.push(Number(answer));
    }
    if (theirs.every(Number.isFinite)) {
      compare(peer, theirs, own, taken, gate);
    } else {
      console.log(`no figure ${gate}:${peer} does not run here: ${answer}`);
    }
  }
  child.stdin.end();
}

function compare(peer, theirs, own, text, gate) {
  line(peer, megabytes(text) / median(theirs), "MB/s");
  line("  ours", megabytes(text) / median(own), "MB/s");
  line("  ours to theirs", median(theirs.map((time, round) => time / own[round])), "times", gate);
}

/** The seconds of each run in each round; the first round, which compiles, is left out. */
function rounds(runs) {
  const times = runs.map(() => []);
  for (let round = 0; round <= ROUNDS; round++) {
    runs.forEach((run, which) => {
      const time = timed(run);
      if (round > 0) {
        times[which].push(time);
      }
    });
  }
  return times;
}

function timed(run) {
  const started = now();
  run();
  return now() - started;
}

/** Seconds of this thread's own time where the system counts it, else those of the clock. */
function now() {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e9;
  } catch {
    return performance.now() / 1e3;
  }
}

function repeat(times, run) {
  for (let i = 0; i < times; i++) {
    run();
  }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

function megabytes(text) {
  return Buffer.byteLength(text) / 1e6;
}

function line(what, figure, unit, gate) {
  console.log(`  ${what.padEnd(54)} ${figure.toFixed(2).padStart(9)} ${unit}`);
  if (gate) {
    console.log(`figure ${gate}=${figure}`);
  }
}
