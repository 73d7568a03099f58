// Where the package runs and what it survives: worker threads, instances that fail in each of its modules, and input without end.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Worker } from "node:worker_threads";

import { thrownBy, usePackage } from "./fixture.mjs";

/** The smallest module with a trap: one function, `unreachable`. */
const TRAP = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11]);

describe("the package at run time", { timeout: 240_000 }, () => {
  let project, claimgauge, judges;
  usePackage((used) => ({ project, claimgauge, judges } = used));

  const REQUEST = { profile: "code", evidence: ["The port is 8080"], claims: ["The port is 8080"] };
  const OUTPUT = { summary: "x", traceRef: "trace:t" };

  /** What each module is needed for, by a call that is synchronous once it is loaded. */
  async function calls() {
    const { batch, checks, extra } = project.require("./node_modules/claimgauge/dist/node/module.js");
    await Promise.all([batch.load(), checks.load(), extra.load()]);
    const question = { spans: [{ id: "S0", text: "The port is 8080" }], claimText: "The port is 8080" };
    const own = { ...REQUEST, kinds: [{ kind: "TICKET", patterns: ["PORT-\\d+"] }], evidence: ["PORT-7 is open"] };
    const report = await claimgauge.verify(REQUEST, { judge: judges.builtin() });
    return {
      main: () => claimgauge.scrub(REQUEST),
      more: () => claimgauge.toMarkdown(report),
      checks: () => checks.call((module) => module.builtinReply(question)),
      extra: () => claimgauge.scrub(own),
      batch: () => batch.call((module) => module.answered(Buffer.from('{"custom_id":"cg-0123456789-1-0-full-1"}'), "0123456789")),
    };
  }

  test("runs in worker threads, several at a time, and one that is ended takes nothing along", async () => {
    const file = join(project.folder, "worker.mjs");
    await writeFile(file, `
      import { parentPort } from "node:worker_threads";
      import { scrub, verify } from "claimgauge";
      import { builtin } from "claimgauge/judges";
      parentPort.on("message", async (port) => {
        const request = { profile: "code", evidence: ["The port is " + port], claims: ["The port is 8080"] };
        const { claims } = await verify(request, { judge: builtin() });
        parentPort.postMessage([port, claims[0].status, scrub(request).spans[0].text]);
      });
    `);
    const workers = Array.from({ length: 3 }, () => new Worker(file));
    const answer = (worker, port) =>
      new Promise((resolve, reject) => {
        worker.once("message", resolve).once("error", reject);
        worker.postMessage(port);
      });
    const [ended, ...others] = workers;
    const first = answer(ended, 1);
    await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 5))]);
    await ended.terminate();
    const ports = [8080, 9090];
    const found = await Promise.all(others.map((worker, at) => answer(worker, ports[at])));
    assert.deepEqual(found, [[8080, "VERIFIED", "The port is [NUM_1]"], [9090, "UNSUPPORTED", "The port is 9090"]]);
    assert.equal(claimgauge.scrub(REQUEST).spans[0].text, "The port is [NUM_1]");
    await Promise.all(others.map((worker) => worker.terminate()));
  });

  test("a trap in any module costs one call, and the next has a fresh instance", async () => {
    const modules = project.require("./node_modules/claimgauge/dist/node/module.js");
    const trap = new WebAssembly.Instance(new WebAssembly.Module(TRAP)).exports.t;
    for (const [name, call] of Object.entries(await calls())) {
      const before = call();
      const error = await thrownBy(() => modules[name].call(() => trap()));
      assert.ok(error instanceof claimgauge.ClaimgaugeError && error.cause instanceof WebAssembly.RuntimeError, name);
      assert.deepEqual([error.code, error.path], ["internal", ""], name);
      const { Instance } = WebAssembly;
      let made = 0;
      WebAssembly.Instance = class extends Instance {
        constructor(...args) {
          super(...args);
          made += 1;
        }
      };
      try {
        assert.deepEqual([call(), made], [before, 1], name);
        assert.deepEqual([call(), made], [before, 1], name);
      } finally {
        WebAssembly.Instance = Instance;
      }
    }
  });

  test("a run that was open in an instance that failed ends with an error, and does not hang", async () => {
    const { main } = project.require("./node_modules/claimgauge/dist/node/module.js");
    const trap = new WebAssembly.Instance(new WebAssembly.Module(TRAP)).exports.t;
    let asked = 0;
    const judge = async () => {
      asked += 1;
      if (asked === 1) await thrownBy(() => main.call(() => trap()));
      return '{"verdict":"ENTAILED","confidence":0.9}';
    };
    const error = await thrownBy(() => claimgauge.verify(REQUEST, { judge, concurrency: 1 }));
    assert.ok(error instanceof claimgauge.ClaimgaugeError, String(error));
    assert.equal((await claimgauge.verify(REQUEST, { judge: judges.builtin() })).claims[0].status, "VERIFIED");
  });

  test("an exhausted stack leaves no module broken behind", async () => {
    for (const [name, call] of Object.entries(await calls())) {
      const before = call();
      const thrown = [];
      const dive = () => {
        try {
          dive();
        } catch {
          // Here, near the end of the stack, the call fails in one place or another.
          try {
            call();
          } catch (error) {
            thrown.push(error);
            throw error;
          }
        }
      };
      try {
        dive();
      } catch {
        // Where it ended is looked at below.
      }
      assert.ok(thrown.length > 0 && thrown.every((error) => error instanceof Error), name);
      assert.deepEqual(call(), before, name);
    }
  });

  test("what holds itself, and what is 100,000 levels deep, is refused by every function that takes data", async () => {
    const cyclic = {};
    cyclic.self = cyclic;
    let deep = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const judge = judges.builtin();
    const scrubbed = claimgauge.scrub(REQUEST);
    const takes = {
      scrub: (value) => claimgauge.scrub({ ...REQUEST, evidence: [value] }),
      verify: (value) => claimgauge.verify({ ...REQUEST, claims: [value] }, { judge }),
      estimate: (value) => claimgauge.estimate({ ...REQUEST, glossary: value }),
      decide: (value) => claimgauge.decide({ profile: "code", full: value, scrubbed: null }),
      unscrub: (value) => claimgauge.unscrub("x", { ...scrubbed, replacements: [value] }),
      toMarkdown: (value) => claimgauge.toMarkdown({ claims: [value] }),
      recorded: (value) => judges.recorded([value]),
      checkOutput: (value) => claimgauge.checkOutput(OUTPUT, { tools: { wind: value } }),
      claimsFromTools: (value) => claimgauge.claimsFromTools([{ tool: "fs:write", args: value }]),
    };
    for (const [name, take] of Object.entries(takes)) {
      for (const value of [cyclic, deep]) {
        const error = await thrownBy(() => take(value));
        assert.ok(error instanceof claimgauge.ClaimgaugeError, `${name}: ${error}`);
        assert.notEqual(error.code, "internal", name);
        assert.ok(error.message.length < 500, name);
      }
    }
    // An output is what is checked: that it is none is the result, and no error.
    for (const value of [cyclic, deep]) assert.equal((await claimgauge.checkOutput({ ...OUTPUT, claims: [value] })).valid, false);
    assert.equal(claimgauge.scrub(REQUEST).spans[0].text, "The port is [NUM_1]");
  });
});
