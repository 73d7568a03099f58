// estimate: what it says beforehand is what verify then asks; and both figures for tokens, the likely and
// the least, hold against a real model's tokeniser.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { startLlama } from "../support/llama.mjs";
import { thrownBy, usePackage, vectors } from "./fixture.mjs";

const { request } = await vectors("worked_example.json");

describe("estimate", () => {
  let claimgauge, judges;
  usePackage((used) => ({ claimgauge, judges } = used));

  test("says what verify asks, word for word", async () => {
    const asked = [];
    const judge = ({ claims, pass, mode, promptTokens, messages }) => {
      const ids = claims.map((claim) => claim.id);
      asked.push({ claims: ids, pass, mode, promptTokens, messages });
      const answer = { verdict: "UNSURE", confidence: 0.5 };
      return JSON.stringify(ids.length === 1 ? answer : ids.map((id) => ({ id, ...answer })));
    };
    const three = ["users.email has length 1", "users.email has length 2", "users.email has length 3"];
    const rows = [{}, { nulls: ["redact_spans", "no_evidence"] }, { claims: [] }, { claims: three }, { claims: three, group: 2 }];
    for (const { group, ...more } of rows) {
      asked.length = 0;
      const about = { ...request, ...more };
      const { calls, promptTokens, tokenError, requests } = claimgauge.estimate(about, { judge, group });
      const report = await claimgauge.verify(about, { judge, group, concurrency: 1 });
      assert.deepEqual(requests, asked);
      assert.deepEqual([calls, report.cost.calls], [asked.length, asked.length]);
      assert.equal(promptTokens, asked.reduce((sum, one) => sum + one.promptTokens, 0));
      assert.ok(tokenError > 0 && tokenError < 1);
    }
  });

  test("counts every pass that may be needed, and what a judge asks more than once", () => {
    const both = claimgauge.estimate(request);
    assert.deepEqual(claimgauge.estimate({ ...request, passes: "as_needed" }), both);
    const judge = { name: "thrice", basis: "sampled", calls: 3, judge: () => "" };
    const thrice = claimgauge.estimate(request, { judge });
    assert.deepEqual([thrice.calls, thrice.promptTokens], [both.calls * 3, both.promptTokens * 3]);
    assert.deepEqual(thrice.requests, both.requests);
  });

  test("prompts that no memory holds are refused, and runs that are under way go on", async () => {
    let answer = () => {};
    const answered = new Promise((resolve) => (answer = () => resolve("UNSURE 0.5")));
    const running = claimgauge.verify(request, { judge: () => answered });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const evidence = ["lorem ipsum ".repeat(900_000)];
    const many = { profile: "documentation", evidence, claims: Array.from({ length: 500 }, (_, at) => `The port is ${at}`) };
    const error = await thrownBy(() => claimgauge.estimate(many));
    assert.deepEqual([error.code, error.path, /fewer claims/.test(error.hint)], ["too_large", "claims", true]);
    assert.equal(claimgauge.estimate({ ...many, claims: many.claims.slice(0, 2) }).calls, 4);
    answer();
    assert.equal((await running).claims[0].full.verdict, "UNSURE");
  });

  test("wrong input and wrong options are told by name", async () => {
    const rows = [
      [{ ...request, profile: "cod" }, {}, "unknown_profile", "profile"],
      [{ ...request, claim: [] }, {}, "unknown_field", "claim"],
      [request, { groups: 4 }, "unknown_field", "groups"],
      [request, { group: 0 }, "invalid_value", "group"],
      [request, { group: 65 }, "invalid_value", "group"],
      [request, { group: "8" }, "invalid_type", "group"],
      [request, { judge: "builtin" }, "invalid_type", "judge"],
    ];
    for (const [about, options, code, path] of rows) {
      const error = await thrownBy(() => claimgauge.estimate(about, options));
      assert.deepEqual([error.code, error.path], [code, path], error.message);
    }
  });

  describe("against a real tokeniser", () => {
    let llama;
    before(async () => {
      llama = await startLlama();
    });
    after(() => llama?.stop?.());

    /** Skips, loudly, where the server cannot be had. */
    const real = (name, act) =>
      test(name, async (context) => {
        if (llama.missing) {
          console.error(`\nSKIPPED: ${name}. ${llama.missing}\n`);
          return context.skip(llama.missing);
        }
        return act();
      });

    /** Verifies with a judge that says what the tokeniser counted; that is quicker than reading is. */
    async function tokenise(about) {
      let read = 0;
      const judge = async ({ messages }) => {
        const counts = messages.map(({ content }) => post("/tokenize", { content }).then(({ tokens }) => tokens.length));
        const promptTokens = (await Promise.all(counts)).reduce((sum, count) => sum + count);
        read += promptTokens;
        return { text: "UNSURE 0.5", usage: { promptTokens } };
      };
      return { report: await claimgauge.verify(about, { judge }), read };
    }
    const post = (path, body) =>
      fetch(new URL(path, llama.baseUrl), { method: "POST", body: JSON.stringify(body) }).then((response) => response.json());

    real("the server's own count is what its tokeniser says, and a frame", async () => {
      const judge = judges.openai({ baseUrl: llama.baseUrl, model: "SmolLM2", temperature: 0, maxTokens: 1 });
      const { cost } = await claimgauge.verify(request, { judge, limits: { maxCalls: 1 } });
      const [{ messages }] = claimgauge.estimate(request).requests;
      const counts = await Promise.all(messages.map(({ content }) => post("/tokenize", { content })));
      const frame = cost.promptTokens - counts.reduce((sum, { tokens }) => sum + tokens.length, 0);
      assert.ok(frame >= 0 && frame < 20, `${frame} tokens around the messages`);
    });

    real("the tokens of seedstyle40's prompts are within the error that is told", async () => {
      const lines = (await vectors("claims/seedstyle40.jsonl")).trim().split("\n");
      let [likely, found] = [0, 0];
      for (const { evidence, claim } of lines.map((line) => JSON.parse(line))) {
        const about = { profile: "strawberry", evidence, claims: [claim] };
        const { promptTokens, tokenError } = claimgauge.estimate(about);
        const { read } = await tokenise(about);
        [likely, found] = [likely + promptTokens, found + read];
        assert.ok(Math.abs(read / promptTokens - 1) <= tokenError, `${claim}: ${promptTokens} said, ${read} read`);
      }
      assert.ok(Math.abs(found / likely - 1) <= 0.15, `${likely} said, ${found} read`);
    });

    const ODD = {
      base64: Buffer.from(Array.from({ length: 900 }, (_, at) => (at * at * 31 + at * 7) % 256)).toString("base64"),
      "minified JSON": JSON.stringify(Array.from({ length: 60 }, (_, at) => ({ id: at, ok: at % 2 === 0, next: null }))),
      "nulls in JSON": JSON.stringify(Array(250).fill(null)),
      Chinese: "数据库连接池的最大连接数默认为一百，超时时间为三十秒。".repeat(20),
      "white space": ` ${" \t\n".repeat(300)}`,
      "a repeated letter": "a".repeat(3000),
      "a repeated sign": "=".repeat(3000),
      "a repeated digit": "0".repeat(1500),
      "long words": "internationalization responsibilities characteristics ".repeat(40),
    };
    real("what the server read whole is never taken for cut", async () => {
      for (const [name, text] of Object.entries(ODD)) {
        const { report } = await tokenise({ profile: "strawberry", evidence: [text], claims: ["The port is 8080"] });
        const [{ full, scrubbed }] = report.claims;
        assert.deepEqual([full.error, scrubbed.error], [null, null], name);
      }
    });
  });
});
