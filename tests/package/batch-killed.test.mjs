// Batches that are killed twenty times each, at moments that a seed picks, and started again: the bytes are those of a run
// that nobody killed, and a judge is asked nothing twice but what was under way.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { answer, chances, requests, verdictOn } from "./batch-engine.mjs";
import { install } from "./fixture.mjs";
import { say, serve } from "./scripted.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A busy machine may do with fewer. */
const KILLS = Number(process.env.CLAIMGAUGE_KILLS || 20);

describe("batches that are killed", { timeout: 900_000 }, () => {
  let project, at, took;
  before(async () => {
    project = await install();
    at = (...path) => join(project.folder, ...path);
    const lines = (await requests(root, 1_000)).map((value) => `${JSON.stringify(value)}\n`);
    await writeFile(at("requests.jsonl"), lines.join(""));
    await writeFile(at("few.jsonl"), lines.slice(0, 60).join(""));
    await run(["batch", "plan", "requests.jsonl", "--model", "m", "--out", "whole"]);
  });
  after(() => project.remove());

  /** Runs a command; where `end` is a time, it is killed then. Whether it ended by itself. */
  const run = (args, end) =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, CLAIMGAUGE_API_KEY: "", SOURCE_DATE_EPOCH: "1700000000" };
      const child = spawn(process.execPath, [join(project.package, "dist/node/cli/main.js"), ...args], { cwd: project.folder, env, stdio: ["ignore", "ignore", "pipe"] });
      const start = performance.now();
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
      const timer = end === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), end);
      child.on("error", reject).on("close", (code, signal) => {
        clearTimeout(timer);
        took = performance.now() - start;
        if (code === 2 || (code === null && signal !== "SIGKILL")) return reject(new Error(`${code} ${signal} ${stderr}`));
        resolve(signal === null);
      });
    });

  /**
   * Kills a command so often, and until one was killed that had got somewhere, as `far` tells, then lets it end. A run
   * that ends before it is killed does not count: the next ones are killed earlier, and `reset` makes that there is
   * something to do again. After one that got nowhere the next are killed later: the machine may be slower by now.
   */
  const killed = async (args, seed, { far, reset }) => {
    const chance = chances(seed);
    let [usual, furthest, kills] = [took, 0, 0];
    for (let moment = 0; kills < KILLS || furthest === 0; moment += 1) {
      if (await run(args, usual * chance(moment))) {
        usual = Math.min(usual, took);
        await reset();
      } else {
        kills += 1;
        const got = await far();
        if (got === 0) usual *= 1.05;
        furthest = Math.max(furthest, got);
      }
      assert.ok(moment < 20 * KILLS, `${kills} runs were killed, and the furthest had got to ${furthest}`);
    }
    await run(args);
    return kills;
  };

  /** What a file of state says; 0 where there is none. */
  const stateOf = (path, read) => readFile(path, "utf8").then((text) => read(JSON.parse(text)), () => 0);

  test("plan", async () => {
    const args = ["batch", "plan", "requests.jsonl", "--model", "m", "--out", "killed"];
    const far = () => stateOf(at("killed/plan-state.json"), (state) => state.next.start);
    await killed(args, 1, { far, reset: () => rm(at("killed"), { recursive: true }) });
    assert.deepEqual(await tree(at("killed")), await tree(at("whole")));
  });

  test("merge, with what is written for tools that watch", async () => {
    await answer(at("whole"), at("answers"), { unread: 20 });
    await cp(at("whole"), at("merged"), { recursive: true });
    const args = (folder) => ["batch", "merge", folder, "answers", "--otel", `${folder}/events.jsonl`, "--langfuse", `${folder}/scores.jsonl`];
    await run(args("whole"));
    const far = () => stateOf(at("merged/merging/state.json"), (state) => state.summary.requests);
    await killed(args("merged"), 2, { far, reset: () => rm(at("merged/merged.json")) });
    const [made, whole] = [await tree(at("merged")), await tree(at("whole"))];
    // Which files they were is what tells the two merges apart.
    for (const files of [made, whole]) files.delete("merged.json");
    const followUp = "follow-up-1/manifest.json";
    for (const files of [made, whole]) files.set(followUp, files.get(followUp).replace(/"(answers|seal)": "[0-9a-f]{16}"/g, ""));
    assert.deepEqual([...made.keys()], [...whole.keys()]);
    for (const [name, text] of whole) assert.ok(made.get(name) === text, name);
  });

  test("run, and what it kept is enough for the reports", async () => {
    const server = await serve((request, response) => say(response, verdictOn(request.json.messages.at(-1).content)));
    try {
      for (const folder of ["asked", "straight"]) {
        await run(["batch", "plan", "few.jsonl", "--model", "m", "--out", folder]);
      }
      const args = (folder) => ["batch", "run", folder, "--base-url", server.baseUrl, "--concurrency", "4"];
      await run(args("straight"));
      const planned = server.requests.length;
      // What it keeps is never done again, so what is asked twice is counted over all of it.
      let resets = 0;
      const reset = async () => {
        resets += 1;
        await rm(at("asked/answers"), { recursive: true });
      };
      const far = async () => (await readFile(at("asked/answers/run.jsonl")).catch(() => "")).length;
      const kills = await killed(args("asked"), 3, { far, reset });
      const again = server.requests.length - (2 + resets) * planned;
      assert.ok(again >= 0 && again <= kills * 4, `${again} questions were asked again`);
      for (const folder of ["asked", "straight"]) await run(["batch", "merge", folder]);
      assert.ok((await readFile(at("asked/reports.jsonl"))).equals(await readFile(at("straight/reports.jsonl"))));
    } finally {
      await server.close();
    }
  });
});

/** The files of a folder as text, by their path in it. */
async function tree(folder) {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  const paths = names.map((one) => join(one.parentPath ?? one.path, one.name)).sort();
  return new Map(await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path, "latin1")])));
}
