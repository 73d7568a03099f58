// The browser's own language model, played by an object that keeps to its published interface.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { thrownBy, usePackage, vectors } from "./fixture.mjs";

const { request } = await vectors("worked_example.json");

const ENTAILED = '{"verdict":"ENTAILED","confidence":0.95}';
const UNSURE = '{"verdict":"UNSURE","confidence":0.3}';

describe("the browser's own language model", { concurrency: true, timeout: 60_000 }, () => {
  let claimgauge, judges;
  usePackage((used) => ({ claimgauge, judges } = used));

  const fault = (name, message = "No") => Object.assign(new Error(message), { name });
  const good = (text) => (/_1\]/.test(text) ? UNSURE : ENTAILED);

  /** `prompt` is handed the text, its options and how often a prompt was asked by then. */
  function scripted({ availability = "available", create, prompt = good } = {}) {
    const seen = { created: [], prompts: [], destroyed: 0 };
    const api = {
      availability: async () => availability,
      create: async (options) => {
        seen.created.push(options);
        await create?.(options);
        return {
          prompt: async (text, options) => prompt(text, options, seen.prompts.push({ text, options })),
          destroy: () => (seen.destroyed += 1),
        };
      },
    };
    return { api, seen };
  }

  async function ask(script, { claims, timeoutMs, ...options } = {}) {
    const { api, seen } = scripted(script);
    const judge = judges.languageModel({ api, timeoutMs });
    const report = await claimgauge.verify({ ...request, ...(claims && { claims }) }, { judge, concurrency: 1, ...options });
    return { report, seen, full: report.claims[0].full };
  }

  test("gets the rules, the question and the schema, and each session ends", async () => {
    const { report, seen } = await ask();
    assert.deepEqual([report.claims[0].status, report.claims[0].full.basis], ["VERIFIED", "verbal"]);
    assert.deepEqual([seen.created.length, seen.destroyed], [2, 2]);
    const [{ initialPrompts, expectedOutputs, signal }] = seen.created;
    assert.deepEqual(initialPrompts.map(({ role }) => role), ["system"]);
    assert.match(initialPrompts[0].content, /^Judge whether evidence supports a claim/);
    assert.deepEqual([expectedOutputs[0].type, signal instanceof AbortSignal], ["text", true]);
    const [{ text, options }] = seen.prompts;
    assert.match(text, /Claim: "Table users/);
    assert.deepEqual(options.responseConstraint.required, ["verdict", "confidence"]);
  });

  test("is loaded where it can be, and missing where it cannot be used", async () => {
    for (const availability of ["downloadable", "downloading"]) {
      assert.equal((await ask({ availability })).report.claims[0].status, "VERIFIED");
    }
    const { report, seen, full } = await ask({ availability: "unavailable" }, { claims: ["users.email is 1", "users.email is 2"] });
    assert.deepEqual([full.error.code, seen.created.length], ["judge_missing", 0]);
    assert.ok(report.claims[1].flags.includes("stopped"));
    // Node has none.
    const none = await claimgauge.verify(request, { judge: judges.languageModel() });
    assert.equal(none.claims[0].full.error.code, "judge_missing");
  });

  test("a schema that it does not take is left out from then on", async () => {
    const { report, seen } = await ask({
      prompt: (text, options) => {
        if (options.responseConstraint) throw fault("NotSupportedError");
        return good(text);
      },
    });
    assert.equal(report.claims[0].status, "VERIFIED");
    assert.deepEqual(seen.prompts.map(({ options }) => "responseConstraint" in options), [true, false, false]);
  });

  test("what it throws fails the pass with its words, and what cannot get better stops the run", async () => {
    const rows = {
      NotAllowedError: ["judge_unauthorized", true],
      QuotaExceededError: ["judge_rejected", false],
      NotReadableError: ["judge_refused", false],
      UnknownError: ["judge_unavailable", false],
    };
    for (const [name, [code, stops]] of Object.entries(rows)) {
      const { report, seen, full } = await ask(
        { prompt: () => Promise.reject(fault(name, "Its own words")) },
        { claims: ["users.email is 1", "users.email is 2"] },
      );
      assert.equal(full.error.code, code);
      assert.match(full.error.message, /Its own words/);
      assert.equal(report.claims[1].flags.includes("stopped"), stops);
      assert.equal(seen.destroyed, seen.created.length, name);
    }
    const { full } = await ask({ create: () => Promise.reject(fault("NotAllowedError")) });
    assert.equal(full.error.code, "judge_unauthorized");
  });

  test("a hang ends with the time allowed, whether it heeds its signal or not", async () => {
    const started = performance.now();
    const { full, seen } = await ask({ prompt: () => new Promise(() => {}) }, { timeoutMs: 100 });
    assert.equal(full.error.code, "judge_timeout");
    assert.ok(seen.prompts[0].options.signal.aborted && performance.now() - started < 60_000);
    assert.equal(seen.destroyed, seen.created.length);
  });

  test("a signal ends it at once, and a session that comes late ends too", async () => {
    const cancel = new AbortController();
    let late;
    const { report, seen } = await ask(
      { create: () => new Promise((resolve) => ((late = resolve), cancel.abort())) },
      { signal: cancel.signal },
    );
    assert.ok(report.claims[0].flags.includes("cancelled"));
    late();
    while (seen.destroyed === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(seen.prompts.length, 0);
  });

  test("wrong options are told by name", async () => {
    const error = await thrownBy(() => judges.languageModel({ api: {} }));
    assert.deepEqual([error.code, error.path], ["invalid_type", "api"]);
  });
});
