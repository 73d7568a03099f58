// What must not spoil a batch: answers of any shape, a full disk, two programs at once, folders of somebody else.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { openaiLine, questions, requests, verdictOn } from "./batch-engine.mjs";
import { install, thrownBy } from "./fixture.mjs";
import { say, serve } from "./scripted.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const jsonl = (values) => values.map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`).join("");
const text = (path) => readFile(path, "utf8");
const json = async (path) => JSON.parse(await text(path));

describe("faults of batches", { timeout: 120_000 }, () => {
  let project, given, at, part;
  let runs = 0;
  before(async () => {
    project = await install();
    project.require("claimgauge");
    given = await requests(root, 10);
    part = (name) => project.require(join(project.package, "dist/node", `${name}.js`));
  });
  after(() => project.remove());
  beforeEach(async () => {
    runs += 1;
    at = (...path) => join(project.folder, `faults ${runs}`, ...path);
    await mkdir(at(), { recursive: true });
  });

  const quiet = () => ({ signal: new AbortController().signal, onProgress() {} });
  const plan = (values = given, options = {}) =>
    part("batch/plan").planBatch({
      name: "x", input: [Buffer.from(typeof values === "string" ? values : jsonl(values))], folder: at("plan"), judge: { dialect: "openai", model: "m", temperature: null },
      group: 1, without: [], prices: null, ...quiet(), ...options,
    });
  const merge = async (lines, options = {}) => {
    if (lines !== undefined) await writeFile(at("answers.jsonl"), typeof lines === "string" ? lines : jsonl(lines));
    return part("batch/merge").mergeBatch({ folder: at("plan"), answers: lines === undefined ? [] : [at("answers.jsonl")], outputs: [], ...quiet(), ...options });
  };
  const judge = (act = ({ messages }) => ({ text: verdictOn(messages.at(-1).content) })) => ({ name: "scripted", basis: "verbal", judge: act });
  const run = (options = {}) => part("batch/run").runBatch({ folder: at("plan"), judge: judge(), concurrency: 2, limits: {}, ...quiet(), ...options });
  const planned = async (folder = "plan") => {
    const all = [];
    for await (const question of questions(at(folder))) all.push(question);
    return all;
  };
  const said = ({ custom_id }, status_code, body = { error: { message: "no" } }, first = {}) => ({ ...first, custom_id, response: { status_code, body }, error: null });

  test("of several answers the one that settles the question counts", async () => {
    await plan(given.slice(0, 1));
    const [full, scrubbed] = await planned();
    // By their bytes the first of each pair would come first.
    const summary = await merge([said(full, 200, {}), openaiLine(full), said(scrubbed, 500), said(scrubbed, 400, undefined, { id: "z" })]);
    assert.deepEqual([summary.complete, summary.followUp, summary.answers.doubled], [true, null, 2]);
  });

  test("an answer serves the questions that are the same, and no others about the same claim", async () => {
    const [{ evidence, claims: [a] }, { claims: [b] }, { claims: [c] }] = given;
    await plan([{ profile: "strawberry", evidence, claims: [a, b] }, { profile: "strawberry", evidence, claims: [a, c] }], { group: 2 });
    const verdicts = (of) => JSON.stringify({ answers: Object.entries(of).map(([id, verdict]) => ({ id, verdict, confidence: 0.9 })) });
    const answers = (await planned()).map((question) => {
      if (!question.custom_id.includes("-full-")) return openaiLine(question);
      return question.custom_id.includes("-1-0-full-") ? openaiLine(question, verdicts({ C1: "ENTAILED" })) : said(question, 400);
    });
    const { followUp } = await merge(answers);
    assert.ok((await text(at("plan", followUp.folder, "same.txt"))) !== "", "the two ask the same again");
    for (const question of await planned(`plan/${followUp.folder}`)) {
      answers.push(openaiLine(question, '{"verdict":"CONTRADICTED","confidence":0.9}'));
    }
    await merge(answers);
    const [first, second] = (await text(at("plan/reports.jsonl"))).trim().split("\n").map((line) => JSON.parse(line));
    assert.equal(first.claims[1].full.verdict, "ENTAILED");
    assert.notEqual(second.claims[1].full?.verdict, "ENTAILED");
  });

  test("a line of answers, whatever it holds, leaves the rest alone", async () => {
    await plan();
    const asked = await planned();
    const odd = [
      ...["x", 5, true].map((response, index) => ({ custom_id: asked[index + 1].custom_id, response })),
      said(asked[4], 200, "\ud800"),
      { custom_id: asked[5].custom_id, response: null, error: { message: `${"x".repeat(199)}\u{1f600}` } },
      { custom_id: asked[6].custom_id, answer: 7 },
    ];
    const lines = [`\ufeff${openaiLine(asked[0])}`, ...odd, ...asked.slice(7).map((question) => openaiLine(question))];
    const summary = await merge(lines);
    assert.deepEqual([summary.requests, summary.answers.unreadable, summary.followUp.planned], [10, 4, 6]);
    await mkdir(at("plan/answers"));
    await writeFile(at("plan/answers/odd.jsonl"), jsonl(lines));
    const result = await run();
    assert.deepEqual([result.ended, result.left, result.answered], ["done", 0, 6]);
  });

  test("reasons have any name, and there are not too many of them", async () => {
    const names = ["__proto__", "constructor", "\u001b[31mred"];
    await plan();
    const asked = await planned();
    const lines = names.map((message, index) => ({ custom_id: asked[index].custom_id, response: null, error: { message } }));
    const { followUp } = await merge(lines);
    assert.deepEqual(names.map((name) => Object.hasOwn(followUp.reasons, name) && followUp.reasons[name]), [1, 1, 1]);
    const { stdout } = await project.cli(["batch", "merge", at("plan"), at("answers.jsonl")]);
    assert.match(stdout, /1: __proto__\n/);
    assert.doesNotMatch(stdout, /\u001b/);
    const { reasons } = await run({ judge: judge(({ claims, pass }) => Promise.reject(new Error(`${claims[0].text} ${pass}`))), concurrency: 20 });
    assert.ok(Object.keys(reasons).length > 1);
    const { count } = part("batch/tally");
    const told = {};
    for (let index = 0; index < 100; index += 1) count(told, `${index}`);
    assert.deepEqual([Object.keys(told).length, told.Others], [21, 80]);
  });

  test("forty thousand answers to one question take no time", () => {
    const { Known } = part("batch/answers");
    const known = new Known("openai");
    const line = Buffer.from("{}");
    const start = performance.now();
    for (let index = 0; index < 40_000; index += 1) known.add("1-0-full-1", line, true);
    assert.ok(performance.now() - start < 1_000);
  });

  /** Does something while `write` is how files are written. */
  const writing = async (write, act) => {
    const fs = project.require("node:fs");
    const { writeSync } = fs;
    fs.writeSync = (file, data, ...rest) => write(writeSync, file, data, ...rest);
    try {
      return await act();
    } finally {
      fs.writeSync = writeSync;
    }
  };

  test("what the disk does not take ends a run before more is paid for", async () => {
    await plan();
    let asked = 0;
    const counting = judge(({ messages }) => ((asked += 1), { text: verdictOn(messages.at(-1).content) }));
    let isFull = true;
    // There is room for half a line, and later for the next one.
    const full = (writeSync, file, data, ...rest) => {
      if (!isFull || !`${data}`.includes("custom_id")) return writeSync(file, data, ...rest);
      isFull = false;
      writeSync(file, data, 0, 20);
      throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    };
    const error = await writing(full, () => thrownBy(() => run({ judge: counting })));
    assert.equal(error.code, "ENOSPC");
    assert.ok(asked <= 4, `${asked} were asked`);
    const { answered, known, left } = await run();
    assert.deepEqual([answered + known, left], [20, 0]);
    const kept = (await text(at("plan/answers/run.jsonl"))).trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual([kept.length, new Set(kept.map(({ custom_id }) => custom_id)).size], [20, 20]);
  });

  test("a file is whole, even where little of it is written at a time", async () => {
    const little = (writeSync, file, data, start = 0, length = data.length, position = null) =>
      writeSync(file, typeof data === "string" ? Buffer.from(data) : data, start, Math.min(length, 100), position);
    const { Observed } = part("cli/observed");
    await writing(little, async () => {
      part("batch/durable").writeWhole(at("whole"), "a".repeat(5_000));
      const observed = new Observed([{ path: at("observed"), kind: "", linesOf: () => "b".repeat(5_000) }]);
      observed.add({}, {});
      observed.end();
    });
    assert.deepEqual([await text(at("whole")), await text(at("observed"))], ["a".repeat(5_000), "b".repeat(5_000)]);
  });

  test("one program at a time works in a plan's folder", async () => {
    await plan();
    const both = await Promise.allSettled([run(), run()]);
    assert.deepEqual(both.map(({ status, reason }) => reason?.code ?? status).sort(), ["fulfilled", "plan_in_use"]);
    const { pid } = spawnSync(process.execPath, ["--version"]);
    for (const [owner, code] of [[process.ppid, "plan_in_use"], [pid, undefined], [process.pid, undefined]]) {
      const lock = at(`plan/lock-${owner}-0123456789abcdef`);
      await writeFile(lock, "taken\n");
      for (const act of [run, () => merge([]), plan]) {
        const error = await act().then(() => undefined, (error) => error);
        assert.equal(error?.code, code, `${owner}`);
        if (code !== undefined) assert.match(error.message, new RegExp(`is in use by the process ${owner}$`));
      }
      assert.equal(existsSync(lock), code !== undefined);
      await rm(lock, { force: true });
    }
  });

  test("of many that take a folder at once, one has it at a time, whatever killed ones left behind", async () => {
    await mkdir(at("plan"));
    await writeFile(at("taker.mjs"), `
      import { mkdirSync, rmdirSync, writeFileSync, existsSync } from "node:fs";
      import { createRequire } from "node:module";
      import { setTimeout as sleep } from "node:timers/promises";
      const [plan, inside, go, gone] = process.argv.slice(2);
      const { locked } = createRequire(import.meta.url)(${JSON.stringify(join(project.package, "dist/node/batch/lock.js"))});
      while (!existsSync(go)) await sleep(5);
      for (let done = 0; done < 20; ) {
        try {
          await locked(plan, async () => {
            // Fails where somebody else is inside.
            mkdirSync(inside);
            for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
            // As if one had been killed here: all that wait judge it at the same time.
            writeFileSync(plan + "/lock-" + gone + "-" + Math.random().toString(16).slice(2).padEnd(16, "0").slice(0, 16), "taken\\n");
            rmdirSync(inside);
          });
          done += 1;
        } catch (error) {
          if (error.code !== "plan_in_use") throw error;
          await sleep(Math.random() * 5);
        }
      }
    `);
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const takers = Array.from({ length: 8 }, () => spawn(process.execPath, [at("taker.mjs"), at("plan"), at("inside"), at("go"), `${pid}`], { stdio: ["ignore", "ignore", "pipe"] }));
    const ends = takers.map(async (taker) => {
      let stderr = "";
      taker.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
      const [code] = await once(taker, "close");
      return `${code} ${stderr}`;
    });
    await writeFile(at("go"), "");
    assert.deepEqual(await Promise.all(ends), takers.map(() => "0 "));
    assert.ok(existsSync(at("plan")) && !existsSync(at("inside")));
  });

  test("of a request with many claims the next ones begin a stretch of their own", async () => {
    const [{ evidence }] = given;
    const claims = Array.from({ length: 600 }, (_, index) => `users.field${index} has length ${index}`);
    const manifest = await plan([1, 2, 3, 4].map((index) => ({ profile: "strawberry", evidence: [`${evidence[0]} ${"again ".repeat(index)}`], claims })));
    assert.deepEqual(manifest.marks.map(({ line }) => line), [1, 2, 3, 4]);
  });

  test("a parameter that was refused once is left out in every later round", async () => {
    await plan(given.slice(0, 1));
    const asked = await planned();
    const refusal = { error: { message: "Unsupported parameter: 'response_format'", param: "response_format", code: "unsupported_parameter" } };
    const lines = asked.map((question) => said(question, 400, refusal, { id: "z" }));
    assert.equal((await merge(lines)).followUp.folder, "follow-up-1");
    assert.equal((await merge([...lines, ...asked.map((question) => said(question, 500))])).followUp.folder, "follow-up-2");
    const again = await planned("plan/follow-up-2");
    assert.deepEqual(again.map(({ body }) => "response_format" in body), [false, false]);
  });

  test("run leaves out what the plan leaves out", async () => {
    await plan(given.slice(0, 1), { without: ["logprobs"] });
    const server = await serve((request, response) => say(response, verdictOn(request.json.messages.at(-1).content)));
    try {
      assert.equal((await project.cli(["batch", "run", at("plan"), "--base-url", server.baseUrl])).code, 0);
      assert.deepEqual(server.requests.map(({ json }) => ["logprobs" in json, "response_format" in json]), [[false, true], [false, true]]);
    } finally {
      await server.close();
    }
  });

  test("a plan that waits for its input hears an interrupt", async () => {
    const child = spawn(process.execPath, [join(project.package, "dist/node/cli/main.js"), "batch", "plan", "-", "--model", "m", "--out", at("plan")]);
    child.stdin.write(jsonl(given));
    const ended = once(child, "close");
    while (!existsSync(at("plan/input.jsonl.half")) || statSync(at("plan/input.jsonl.half")).size === 0) await sleep(20);
    child.kill("SIGINT");
    const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
    assert.deepEqual(await ended, [130, null]);
    clearTimeout(timer);
    assert.deepEqual(await readdir(at("plan")), []);
  });

  test("an interrupt is heard among answers of which none is of use", async () => {
    await plan();
    const error = await thrownBy(() => merge("x\n".repeat(60_000), { signal: AbortSignal.abort() }));
    assert.equal(error.code, "cancelled");
    const { answers } = await merge("x\n".repeat(60_000));
    assert.deepEqual([answers.lines, answers.unreadable, answers.named.length], [60_000, 60_000, 20]);
  });

  test("a plan is not made over files that are no plan's", async () => {
    await mkdir(at("plan"));
    const code = (values) => plan(values).then(() => "made", (error) => error.code);
    for (const name of ["requests-00001.jsonl", "same.txt", "input.jsonl", "reports.jsonl", "summary.json", "merging", "running"]) {
      await writeFile(at("plan", name), "mine\n");
      assert.equal(await code(), "folder_taken", name);
      assert.equal(await text(at("plan", name)), "mine\n");
      await rm(at("plan", name));
    }
    await writeFile(at("plan/requests-00001.jsonl"), jsonl(given));
    const { code: ended } = await project.cli(["batch", "plan", at("plan/requests-00001.jsonl"), "--model", "m", "--out", at("plan")]);
    assert.deepEqual([ended, await text(at("plan/requests-00001.jsonl"))], [2, jsonl(given)]);
    await rm(at("plan/requests-00001.jsonl"));
    await writeFile(at("plan/input.jsonl"), jsonl(given));
    assert.equal(await code(), "made");
  });

  test("what somebody put into a follow-up's folder stays", async () => {
    await plan();
    await merge([]);
    await writeFile(at("plan/follow-up-1/mine.jsonl"), "mine\n");
    const made = await text(at("plan/follow-up-1/requests-00001.jsonl"));
    await rm(at("plan/merged.json"));
    assert.equal((await merge([])).followUp.folder, "follow-up-1");
    assert.equal(await text(at("plan/follow-up-1/mine.jsonl")), "mine\n");
    assert.equal(await text(at("plan/follow-up-1/requests-00001.jsonl")), made);
  });

  test("once all is answered nothing of a follow-up is left to send", async () => {
    // The third question is asked in the first round alone; in the follow-up the same is asked of two requests.
    await plan([given[0], { ...given[0], claims: [given[0].claims[0], given[1].claims[0]] }]);
    const asked = await planned();
    await merge([]);
    await writeFile(at("plan/follow-up-1/mine.jsonl"), "mine\n");
    assert.deepEqual((await readdir(at("plan/follow-up-1"))).sort(), ["manifest.json", "mine.jsonl", "requests-00001.jsonl", "same.txt"]);
    const some = asked.slice(0, 1).map((question) => openaiLine(question));
    assert.equal((await merge(some)).followUp.folder, "follow-up-2");
    const all = asked.map((question) => openaiLine(question));
    assert.equal((await merge(all)).complete, true);
    const reports = await text(at("plan/reports.jsonl"));
    // What others put there stays, and what a later merge needs.
    assert.deepEqual((await readdir(at("plan/follow-up-1"))).sort(), ["manifest.json", "mine.jsonl", "same.txt"]);
    assert.equal(existsSync(at("plan/follow-up-2/requests-00001.jsonl")), false);
    await rm(at("plan/merged.json"));
    await merge(all);
    assert.equal(await text(at("plan/reports.jsonl")), reports);
    await plan(given.slice(0, 1), { folder: at("alone") });
    await merge([], { folder: at("alone") });
    assert.ok(existsSync(at("alone/follow-up-1")));
    const alone = await planned("alone");
    await merge(alone.map((question) => openaiLine(question)), { folder: at("alone") });
    assert.equal(existsSync(at("alone/follow-up-1")), false);
  });

  test("a plan is gone on with only where it is whole, of this version, and no follow-up", async () => {
    const manifest = await plan();
    await merge([]);
    const refused = async (code, message, folder = at("plan")) => {
      for (const act of [run, (options) => merge([], options)]) {
        const error = await thrownBy(() => act({ folder }));
        assert.equal(error.code, code);
        assert.match(error.message, message);
      }
    };
    await refused("no_plan", /is the folder of a follow-up$/, at("plan/follow-up-1"));
    await writeFile(at("plan/input.jsonl"), jsonl(given.slice(1)));
    await refused("input_changed", /input\.jsonl is not what the plan was made of$/);
    await writeFile(at("plan/input.jsonl"), jsonl(given));
    await writeFile(at("plan/manifest.json"), JSON.stringify({ ...manifest, version: "0.0.1" }));
    await refused("other_version", /was made by version 0\.0\.1, and this is \d/);
  });

  test("what was changed by hand is told", async () => {
    const manifest = await plan();
    const refused = async (act, path) => {
      const error = await thrownBy(act);
      assert.equal(error.code, "plan_changed");
      assert.ok(error.message.endsWith(`${path} is not what the plan made`) && error.hint, error.message);
    };
    for (const change of [{ group: 2 }, { questions: 19 }, { marks: [] }, { judge: { ...manifest.judge, model: "n" } }, { files: [] }]) {
      await writeFile(at("plan/manifest.json"), JSON.stringify({ ...manifest, ...change }));
      await refused(() => merge([]), "manifest.json");
      await refused(run, "manifest.json");
    }
    await refused(() => plan(), "manifest.json");
    // Where nothing is changed but spaces, nothing is.
    await writeFile(at("plan/manifest.json"), JSON.stringify(manifest));
    const sent = await text(at("plan/requests-00001.jsonl"));
    await writeFile(at("plan/requests-00001.jsonl"), sent.replace("port", "Port").replace("user", "User"));
    await refused(() => plan(), "requests-00001.jsonl");
    await rm(at("plan/requests-00001.jsonl"));
    await refused(() => plan(), "requests-00001.jsonl");
    await writeFile(at("plan/requests-00001.jsonl"), sent);
    assert.deepEqual(await plan(), manifest);
    await writeFile(at("plan/same.txt"), "1-0-full-1 2-0-full-1\n");
    await refused(() => merge([]), "same.txt");
    await writeFile(at("plan/same.txt"), "");
    await merge([]);
    const followUp = await json(at("plan/follow-up-1/manifest.json"));
    await writeFile(at("plan/follow-up-1/manifest.json"), JSON.stringify({ ...followUp, without: ["seed"] }));
    await refused(() => merge(["x"]), "follow-up-1/manifest.json");
  });

  test("a file that holds something else than was written there is told, with what to do", async () => {
    await plan();
    const lines = (await planned()).map((question) => openaiLine(question));
    await merge(lines);
    const reports = await text(at("plan/reports.jsonl"));
    const garbage = ["", "{", "7", "null", "[]", "{}", '{"of":"x","summary":7}'];
    for (const content of garbage) {
      await writeFile(at("plan/merged.json"), content);
      const { code, stderr } = await project.cli(["batch", "merge", at("plan"), at("answers.jsonl")]);
      assert.equal(code, 2, content);
      assert.match(stderr, /merged\.json: it is not what was written there \(Remove .*merged\.json: the merge is done again then\.\) \[damaged_file\]/);
      await rm(at("plan/merged.json"));
      await mkdir(at("plan/merging"), { recursive: true });
      await writeFile(at("plan/merging/state.json"), content);
      assert.equal((await thrownBy(() => merge(lines))).code, "damaged_file");
      await rm(at("plan/merging"), { recursive: true });
      assert.equal((await merge(lines)).complete, true);
      assert.equal(await text(at("plan/reports.jsonl")), reports);
      await writeFile(at("plan/manifest.json"), content);
      assert.equal((await thrownBy(() => merge(lines))).code, "damaged_file");
      await rm(at("plan/manifest.json"));
      await writeFile(at("plan/plan-state.json"), content);
      assert.equal((await thrownBy(() => plan())).code, "damaged_file");
      await rm(at("plan"), { recursive: true });
      await plan();
    }
  });

  test("a pipe is no file of requests", { skip: process.platform === "win32" && "there are none" }, async () => {
    execFileSync("mkfifo", [at("pipe")]);
    const { code, stderr } = await project.cli(["batch", "plan", at("pipe"), "--model", "m", "--out", at("plan")]);
    assert.equal(code, 2);
    assert.match(stderr, /pipe: it is no regular file: name a file, or - for the standard input/);
    assert.equal(existsSync(at("plan")), false);
  });

  test("what the disk refuses names the file", async () => {
    const refuse = (part) => (writeSync, file, data, ...rest) => {
      if (!`${data}`.includes(part)) return writeSync(file, data, ...rest);
      throw Object.assign(new Error("no space left"), { code: "ENOSPC", syscall: "write" });
    };
    const pathOf = async (part, act) => (await writing(refuse(part), () => thrownBy(act))).path;
    assert.equal(await pathOf("strawberry", plan), at("plan/input.jsonl.half"));
    assert.deepEqual(await readdir(at("plan")), []);
    assert.equal(await pathOf("custom_id", plan), at("plan/requests-00001.jsonl"));
    await plan();
    const lines = (await planned()).map((question) => openaiLine(question));
    await writeFile(at("answers.jsonl"), jsonl(lines));
    assert.equal(await pathOf("req-cg-", () => merge(lines)), at("plan/merging/answers-0001"));
  });

  test("what is left counts the questions that were not handed out", async () => {
    await plan();
    const { answered, left, ended } = await run({ limits: { maxCalls: 6 }, concurrency: 1 });
    assert.deepEqual([answered, left, ended], [6, 14, "capped"]);
  });

  test("files for tools that watch are two, and none of them the plan's", async () => {
    const { outputsOf } = part("cli/observed");
    assert.throws(() => outputsOf({ otel: "./x", langfuse: "x" }), /take two files/);
    for (const option of ["otel", "langfuse"]) assert.throws(() => outputsOf({ [option]: "-" }), /take files/);
    await plan();
    await merge([]);
    await symlink(at("plan"), at("link"));
    for (const path of ["plan/reports.jsonl", "plan/../plan/manifest.json", "link/manifest.json", "answers.jsonl"]) {
      const before = await text(at(path));
      const error = await thrownBy(() => merge([], { outputs: [{ path: at(path), kind: "", linesOf: () => "x\n" }] }));
      assert.equal(error.code, "output_taken");
      assert.equal(await text(at(path)), before);
    }
    for (const path of ["plan/merging/state.json", "plan/follow-up-1/same.txt", "link/lock-1-0123456789abcdef"]) {
      const error = await thrownBy(() => merge([], { outputs: [{ path: at(path), kind: "", linesOf: () => "x\n" }] }));
      assert.equal(error.code, "output_taken");
    }
  });

  test("a merge that was killed behind its last step leaves nothing that counts", async () => {
    await plan();
    const lines = (await planned()).map((question) => openaiLine(question));
    const summary = await merge(lines);
    const reports = await text(at("plan/reports.jsonl"));
    const { of } = JSON.parse(await text(at("plan/merged.json")));
    for (const removed of [null, "plan/reports.jsonl"]) {
      await mkdir(at("plan/merging"));
      await writeFile(at("plan/merging/state.json"), JSON.stringify({ answers: of, isFinishing: true, pending: {}, summary: {} }));
      if (removed !== null) await rm(at(removed));
      assert.deepEqual(await merge(lines), summary);
      assert.equal(await text(at("plan/reports.jsonl")), reports);
      assert.equal(existsSync(at("plan/merging")), false);
    }
  });

  test("reports that are no longer whole are made again", async () => {
    await plan();
    const lines = (await planned()).map((question) => openaiLine(question));
    const summary = await merge(lines);
    const reports = await text(at("plan/reports.jsonl"));
    for (const left of ["", reports.slice(0, -1), `${reports}\n`]) {
      await writeFile(at("plan/reports.jsonl"), left);
      await writeFile(at("plan/summary.json"), "{");
      assert.deepEqual(await merge(lines), summary);
      assert.equal(await text(at("plan/reports.jsonl")), reports);
      assert.deepEqual(await json(at("plan/summary.json")), summary);
    }
    await writeFile(at("plan/summary.json"), "{");
    await merge(lines);
    assert.deepEqual(await json(at("plan/summary.json")), summary);
  });

  test("a folder without answers is none to merge", async () => {
    await plan();
    await mkdir(at("empty"));
    const { code, stderr } = await project.cli(["batch", "merge", at("plan"), at("empty")]).catch((error) => error);
    assert.equal(code, 2);
    assert.match(stderr, /empty: no file of answers \(\.jsonl\) is in it .*\[no_answers\]/);
    assert.equal(existsSync(at("plan/reports.jsonl")), false);
  });

  test("a file for tools that watch can be written before anything is merged", async () => {
    await plan();
    await mkdir(at("folder"));
    const error = await thrownBy(() => merge([], { outputs: [{ path: at("folder"), kind: "", linesOf: () => "x\n" }] }));
    assert.deepEqual([error.code, error.message], ["output_taken", `${at("folder")} is a folder`]);
    const device = await thrownBy(() => merge([], { outputs: [{ path: "/dev/null", kind: "", linesOf: () => "x\n" }] }));
    assert.deepEqual([device.code, device.message], ["output_taken", "/dev/null is a device or a pipe"]);
    assert.equal(existsSync(at("plan/reports.jsonl")), false);
    const { stderr } = await project.cli(["batch", "merge", at("plan"), at("answers.jsonl"), "--otel", at("nowhere/x")]);
    assert.match(stderr, /nowhere\/x: there is no such file or folder\n$/);
  });

  test("what is left to ask is told with how often the same is asked", async () => {
    await plan([given[0], given[0]]);
    await merge([]);
    const { stdout } = await project.cli(["batch", "merge", at("plan"), at("answers.jsonl")]);
    assert.match(stdout, /2 reports are not whole yet: \S.*follow-up-1 has 2 questions, as 2 others are the same\n/);
    assert.match((await project.cli(["batch", "plan", "-", "--model", "m", "--out", at("empty")], { input: "" })).stdout, /Nothing to send\.\n$/);
  });

  test("other prices give another estimate for the same plan", async () => {
    const first = await plan();
    const second = await plan(given, { prices: { read: 1, written: 2 } });
    assert.deepEqual([first.estimate.money, second.estimate.money > 0], [null, true]);
    assert.deepEqual(await json(at("plan/manifest.json")), second);
    assert.deepEqual(await plan(), second);
  });
});
