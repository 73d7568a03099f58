// verify against a real model server. The model is far too small to judge well, so nothing is asked of
// its verdicts: the report must hold what the server sent, byte for byte, and count as it counted.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { startLlama } from "../support/llama.mjs";
import { install, vectors } from "./fixture.mjs";

describe("a real model server", () => {
  let project, llama;
  before(async () => {
    [project, llama] = await Promise.all([install(), startLlama()]);
  });
  after(async () => {
    await llama?.stop?.();
    await project?.remove();
  });

  test("the report holds what the server sent", async (context) => {
    if (llama.missing) {
      console.error(`\nSKIPPED: the test against a real model server. ${llama.missing}\n`);
      return context.skip(llama.missing);
    }
    const { verify } = project.require("claimgauge");
    const { openai } = project.require("claimgauge/judges");
    const sent = [];
    const judge = openai({
      baseUrl: llama.baseUrl,
      model: "SmolLM2",
      temperature: 0,
      maxTokens: 80,
      fetch: async (...args) => {
        const response = await fetch(...args);
        sent.push(await response.clone().json());
        return response;
      },
    });
    const { request } = await vectors("worked_example.json");
    // One at a time, so that the replies come in the order of the passes.
    const report = await verify(request, { judge, concurrency: 1 });

    const [claim] = report.claims;
    const sum = (count) => sent.reduce((total, { usage }) => total + usage[count], 0);
    assert.ok(sent.length >= 2);
    assert.deepEqual([...claim.full.raw, ...claim.scrubbed.raw], sent.map(({ choices }) => choices[0].message.content));
    assert.deepEqual(report.cost, {
      calls: sent.length,
      promptTokens: sum("prompt_tokens"),
      completionTokens: sum("completion_tokens"),
    });
    assert.ok(report.cost.promptTokens > 0 && report.cost.completionTokens > 0);
  });
});
