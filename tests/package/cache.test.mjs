// What is known already is not asked again: within one run, from a Map, from memory, from a folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { thrownBy, usePackage, vectors } from "./fixture.mjs";

const ENTAILED = '{"verdict":"ENTAILED","confidence":0.95}';
const UNSURE = '{"verdict":"UNSURE","confidence":0.3}';
const usage = { promptTokens: 900, completionTokens: 20 };

const { request } = await vectors("worked_example.json");

describe("answers that are known", () => {
  let project, claimgauge, judges, folder;
  usePackage((used) => ({ project, claimgauge, judges } = used));
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "answers gäuge-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** A judge that says what its answers depend on, and counts how often it is asked. */
  function judge({ parameters = { model: "m" }, name = "mine", says = ({ pass }) => (pass === "full" ? ENTAILED : UNSURE) } = {}) {
    const asked = [];
    return {
      asked,
      name,
      basis: "verbal",
      parameters,
      async judge(question) {
        asked.push(question);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { text: says(question, asked.length), usage };
      },
    };
  }
  const verify = (judge, more = {}) => claimgauge.verify(more.about ?? request, { judge, ...more.options });
  const withoutCost = ({ cost: _, ...report }) => report;

  test("identical questions of one run are asked once", async () => {
    const twice = { ...request, claims: [request.claims[0], request.claims[0], { text: request.claims[0], cites: null }] };
    const knows = judge();
    const report = await verify(knows, { about: twice });
    assert.deepEqual([knows.asked.length, report.cost], [2, { calls: 2, promptTokens: 1800, completionTokens: 40 }]);
    assert.deepEqual(report.claims.map(({ status }) => status), Array(3).fill("VERIFIED"));
    assert.deepEqual(report.claims[2].full.raw, [ENTAILED]);
    // A judge that does not say what its answers depend on may answer by the claim's id.
    const other = judge({ parameters: null });
    await verify(other, { about: twice });
    assert.equal(other.asked.length, 6);
  });

  test("another attempt is another question", async () => {
    const twice = { ...request, claims: [request.claims[0], request.claims[0]] };
    const mumbles = judge({ says: () => "I cannot say" });
    const { claims } = await verify(mumbles, { about: twice });
    assert.deepEqual([claims[1].full.error.code, claims[1].full.attempts], ["judge_unreadable", 3]);
    assert.equal(mumbles.asked.length, 6);
  });

  const caches = {
    "a Map": () => new Map(),
    memory: () => claimgauge.memoryCache(),
    "a folder": () => claimgauge.directoryCache(join(folder, "new", "cache")),
    "one that takes its time": () => {
      const kept = new Map();
      const later = (act) => new Promise((resolve) => setTimeout(() => resolve(act()), 2));
      return { get: (key) => later(() => kept.get(key) ?? null), set: (key, answer) => later(() => kept.set(key, answer)) };
    },
  };
  for (const [name, make] of Object.entries(caches)) {
    test(`${name}: a second run costs nothing and gives the same report`, async () => {
      const cache = make();
      const first = judge();
      const asked = await verify(first, { options: { cache } });
      const second = judge();
      const known = await verify(second, { options: { cache } });
      assert.deepEqual([first.asked.length, second.asked.length], [2, 0]);
      assert.deepEqual(known.cost, { calls: 0, promptTokens: 0, completionTokens: 0 });
      assert.deepEqual(withoutCost(known), withoutCost(asked));

      // Another model, another name, other evidence: other answers.
      for (const other of [judge({ parameters: { model: "n" } }), judge({ name: "other" })]) {
        await verify(other, { options: { cache } });
        assert.equal(other.asked.length, 2);
      }
      const changed = judge();
      await verify(changed, { about: { ...request, evidence: ["users.email is VARCHAR(255)."] }, options: { cache } });
      assert.equal(changed.asked.length, 2);
    });
  }

  test("an interrupted run goes on where it was, also without a call to spend", async () => {
    const claims = Array.from({ length: 6 }, (_, at) => `users.email has length ${at + 250}`);
    const about = { ...request, claims };
    const cache = new Map();
    const first = judge();
    const capped = await verify(first, { about, options: { cache, concurrency: 1, limits: { maxCalls: 5 } } });
    assert.deepEqual([first.asked.length, capped.claims.filter(({ flags }) => flags.includes("capped")).length], [5, 4]);
    const free = judge();
    const known = await verify(free, { about, options: { cache, limits: { maxCalls: 0 } } });
    assert.equal(free.asked.length, 0);
    assert.deepEqual(known.claims.map(({ status }) => status), capped.claims.map(({ status }) => status));
    const rest = judge();
    const whole = await verify(rest, { about, options: { cache } });
    assert.deepEqual([rest.asked.length, whole.cost.calls], [7, 7]);
    assert.ok(whole.claims.every(({ flags }) => !flags.includes("capped")));
  });

  test("failures, replies without a verdict and cut prompts are never kept", async () => {
    const rows = [
      () => { throw new claimgauge.JudgeError({ code: "judge_timeout", message: "Late" }); },
      () => "I cannot say",
      () => "",
      () => 5,
    ];
    for (const says of rows) {
      const cache = new Map();
      await verify(judge({ says }), { options: { cache } });
      assert.equal(cache.size, 0, String(says));
    }
    const cache = new Map();
    const cut = { ...judge(), judge: () => ({ text: ENTAILED, usage: { promptTokens: 40 } }) };
    assert.equal((await verify(cut, { options: { cache } })).claims[0].full.error.message, "prompt cut by the server");
    assert.equal(cache.size, 0);
    // The one reply of three that can be read is.
    const third = judge({ says: (_, count) => (count < 3 ? "I cannot say" : UNSURE) });
    await verify(third, { options: { cache, concurrency: 1, limits: { maxCalls: 3 } } });
    assert.equal(cache.size, 1);
  });

  test("what is damaged is as good as absent", async () => {
    const cache = claimgauge.directoryCache(join(folder, "damaged"));
    await verify(judge(), { options: { cache } });
    const files = await readdir(join(folder, "damaged"));
    assert.equal(files.length, 2);
    assert.ok(files.every((file) => /^[0-9a-f]{64}$/.test(file)), files.join());
    const damage = {
      "a changed verdict": (text) => text.replace("ENTAILED", "CONTRADICTED").replace("UNSURE", "CONTRADICTED"),
      "half of it": (text) => text.slice(0, text.length / 2),
      nothing: () => "",
      "other text": () => "ENTAILED 1",
    };
    for (const [name, change] of Object.entries(damage)) {
      for (const file of files) {
        const path = join(folder, "damaged", file);
        await writeFile(path, change(await readFile(path, "utf8")));
      }
      const again = judge();
      const { claims } = await verify(again, { options: { cache } });
      assert.deepEqual([again.asked.length, claims[0].status], [2, "VERIFIED"], name);
    }
    assert.deepEqual((await readdir(join(folder, "damaged"))).sort(), files.sort(), "no half files are left");

    for (const nonsense of ["", "null", "[]", "{}", '{"text":5}', '{"text":"I cannot say"}', `{"text":"UNSURE 0.5","new":1}`, 7]) {
      const again = judge();
      const { claims } = await verify(again, { options: { cache: { get: () => nonsense, set() {} } } });
      assert.deepEqual([again.asked.length, claims[0].status], [2, "VERIFIED"], String(nonsense));
    }
  });

  test("a pipe in the folder is not waited for", { skip: process.platform === "win32" && "there are none" }, async () => {
    const cache = claimgauge.directoryCache(join(folder, "piped"));
    await verify(judge(), { options: { cache } });
    for (const file of await readdir(join(folder, "piped"))) {
      await rm(join(folder, "piped", file));
      execFileSync("mkfifo", [join(folder, "piped", file)]);
    }
    const again = judge();
    const { claims } = await verify(again, { options: { cache } });
    assert.deepEqual([again.asked.length, claims[0].status], [2, "VERIFIED"]);
  });

  test("a cache that fails costs a question, never a run", async () => {
    const fail = () => { throw new Error("disk full"); };
    const folder = join(project.folder, "taken");
    const gone = claimgauge.directoryCache(folder);
    await rm(folder, { recursive: true });
    await writeFile(folder, "A file by now");
    const broken = [{ get: fail, set: fail }, { get: async () => fail(), set: async () => fail() }, gone];
    for (const cache of broken) {
      const asks = judge();
      const { claims } = await verify(asks, { options: { cache } });
      assert.deepEqual([asks.asked.length, claims[0].status], [2, "VERIFIED"]);
    }
    // /proc makes no folders, and says of those that it does not make that there is none above.
    const file = join(project.package, "package.json");
    for (const folder of ["", file, join(file, "below"), ...(process.platform === "linux" ? ["/proc/claimgauge/answers"] : [])]) {
      assert.equal((await thrownBy(() => claimgauge.directoryCache(folder))).path, "folder");
    }
  });

  test("a cache keeps no key and no evidence", async () => {
    const cache = new Map();
    const openai = (baseUrl) => judges.openai({
      baseUrl,
      apiKey: "sk-very-secret",
      model: "m",
      fetch: async () => new Response(JSON.stringify({ choices: [{ message: { content: ENTAILED } }] })),
    });
    const first = await verify(openai("https://a.example"), { options: { cache } });
    assert.deepEqual([first.cost.calls, cache.size], [2, 2]);
    assert.doesNotMatch(JSON.stringify([...cache]), /very-secret|users|email/);
    assert.equal((await verify(openai("https://a.example"), { options: { cache } })).cost.calls, 0);
    assert.equal((await verify(openai("https://b.example"), { options: { cache } })).cost.calls, 2);
  });

  test("memory keeps the newest ten thousand", () => {
    const cache = claimgauge.memoryCache();
    for (let at = 0; at <= 10_000; at += 1) cache.set(`${at}`, "x");
    assert.deepEqual([cache.get("0"), cache.get("1"), cache.get("10000")], [undefined, "x", "x"]);
  });
});
