// How fast the packed package checks outputs in Node: one large file, thousands of small ones, the shape
// alone. What is compared takes turns, so that what else runs on the machine meets both alike.
// Arguments: the package's folder, the folder with the output.
//
// Lines that start with `figure`, or `no figure` and why, are for the gates.
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [npmPackage, folder] = process.argv.slice(2);
const { checkOutput } = createRequire(import.meta.url)(join(npmPackage, "dist/node/node.js"));
const basePath = mkdtempSync(join(folder, "files-"));
const outputOf = (claims) => ({ summary: "Wrote them.", traceRef: "trace:run-1", claims });
const writeClaim = (filePath, contentHash) => ({ kind: "file-write", filePath, contentHash });

try {
  await large();
  await small();
  await shape();
} finally {
  rmSync(basePath, { recursive: true });
}

/** One file beside what `openssl` takes, by the clock: here a chunk is read while the last one is hashed. */
async function large() {
  const path = join(basePath, "large");
  const chunk = randomBytes(1 << 20);
  const file = openSync(path, "w");
  for (let at = 0; at < 1024; at += 1) {
    chunk.writeUInt32LE(at);
    writeSync(file, chunk);
  }
  closeSync(file);
  console.log("1 GiB, hashed");
  const { sha256 } = openssl(path);
  if (sha256 === undefined) {
    console.log("no figure output_hash:there is no openssl to compare with");
    return;
  }
  const output = outputOf([writeClaim("large", sha256)]);
  const [theirs, ours] = [[], []];
  for (let round = 0; round < 7; round += 1) {
    theirs.push(openssl(path).time);
    const start = performance.now();
    await passes(output);
    ours.push(performance.now() - start);
  }
  rmSync(path);
  line("openssl dgst -sha256", (1 << 30) / median(theirs) / 1e3, "MB/s");
  line("checkOutput", (1 << 30) / median(ours) / 1e3, "MB/s");
  line("speed, of openssl's", ratio(theirs, ours), "times", "output_hash");
}

/** What openssl says of a file, and how many milliseconds it took. */
function openssl(path) {
  const start = performance.now();
  const { stdout } = spawnSync("openssl", ["dgst", "-sha256", path], { encoding: "utf8" });
  return { sha256: /[0-9a-f]{64}/.exec(stdout ?? "")?.[0], time: performance.now() - start };
}

/** Many small files beside the shortest loop that hashes them. */
async function small() {
  const claims = [];
  for (let at = 0; at < 10_000; at += 1) {
    const content = `${at} `.repeat(20 + (at % 300));
    const path = `part-${at % 50}/file-${at}.txt`;
    mkdirSync(join(basePath, path, ".."), { recursive: true });
    writeFileSync(join(basePath, path), content);
    claims.push(writeClaim(path, createHash("sha256").update(content).digest("hex")));
  }
  const output = outputOf(claims);
  const loop = () => {
    for (const { filePath, contentHash } of claims) {
      const sha256 = createHash("sha256").update(readFileSync(join(basePath, filePath))).digest("hex");
      if (sha256 !== contentHash) throw new Error(`${filePath} has another hash`);
    }
  };
  console.log("10,000 claims on small files");
  const [theirs, ours] = await rounds(11, [loop, () => passes(output)]);
  line("loop of readFileSync and createHash", median(theirs), "ms");
  line("checkOutput", median(ours), "ms");
  line("time, of the loop's", ratio(ours, theirs), "times", "output_files");
  line("longest time without a pause", median(await stretches(() => passes(output))), "ms", "output_pause");
  line("from the signal's time to the end", median(await cancelled(output)), "ms");
}

/** The shape of an output alone: without a base nothing is asked about files. */
async function shape() {
  const text = readFileSync(join(folder, "output.json"), "utf8");
  const output = JSON.parse(text);
  const runs = 300;
  const parse = () => repeat(10 * runs, () => JSON.parse(text));
  const check = async () => {
    for (let left = runs; left > 0; left -= 1) await passes(output, {});
  };
  console.log(`The shape of an output of ${output.claims.length} claims, ${text.length} bytes as JSON`);
  const [theirs, ours] = await rounds(15, [parse, check]);
  line("JSON.parse", (median(theirs) / (10 * runs)) * 1e3, "µs");
  line("from an object to a result", (median(ours) / runs) * 1e3, "µs", "output_shape");
  line("time, of JSON.parse's", 10 * ratio(ours, theirs), "times", "output_shape_ratio");
}

async function passes(output, options = { basePath }) {
  const { valid, errors } = await checkOutput(output, options);
  if (!valid) throw new Error(errors.join("\n"));
}

/** The longest of the times, in each of several runs, for which nothing else ran. In the thread's own time. */
async function stretches(run) {
  const longest = [];
  for (let round = 0; round < 9; round += 1) {
    let [most, last, isOver] = [0, own(), false];
    const watch = () => {
      const now = own();
      most = Math.max(most, now - last);
      last = now;
      if (!isOver) setImmediate(watch);
    };
    setImmediate(watch);
    await run();
    isOver = true;
    longest.push(Math.max(most, own() - last));
  }
  return longest;
}

/** How long after a signal's time a check ends, for signals all over its time. By the clock. */
async function cancelled(output) {
  const times = [];
  for (let delay = 5; delay < 85; delay += 5) {
    const due = performance.now() + delay;
    const error = await checkOutput(output, { basePath, signal: AbortSignal.timeout(delay) }).catch((thrown) => thrown);
    // On a fast machine the check may be over first.
    if (error.code === "cancelled") times.push(performance.now() - due);
  }
  return times;
}

/** The times of what takes turns, without the first round. */
async function rounds(count, runs) {
  const times = runs.map(() => []);
  for (let round = 0; round <= count; round += 1) {
    for (const [which, run] of runs.entries()) {
      const start = processor();
      await run();
      if (round > 0) times[which].push(processor() - start);
    }
  }
  return times;
}

/** Milliseconds of processor time of all threads. */
function processor() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** Milliseconds of this thread's own time where the system counts it, else those of the clock. */
function own() {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

function ratio(left, right) {
  return median(left.map((time, round) => time / right[round]));
}

function repeat(times, run) {
  for (let i = 0; i < times; i += 1) {
    run();
  }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

function line(what, figure, unit, gate) {
  console.log(`  ${what.padEnd(54)} ${figure.toFixed(2).padStart(9)} ${unit}`);
  if (gate) {
    console.log(`figure ${gate}=${figure}`);
  }
}
