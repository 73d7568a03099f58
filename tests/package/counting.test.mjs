// What `cargo xtask bench tokens` counts with: a verification's calls and the words of its prompts, none twice.
import assert from "node:assert/strict";
import { test } from "node:test";

import { countingServer } from "../support/counting.mjs";
import { install, vectors } from "./fixture.mjs";

test("the counting server counts what an estimate plans, and schemas apart", async () => {
  const project = await install();
  const words = (text) => text.split(/\s+/).filter(Boolean).length;
  const server = await countingServer(() => '{"verdict":"ENTAILED","confidence":0.9}', words);
  try {
    const { verify, estimate } = project.require("claimgauge");
    const { openai } = project.require("claimgauge/judges");
    const { request } = await vectors("worked_example.json");
    const { calls, requests } = estimate(request);
    const planned = requests.flatMap(({ messages }) => messages).reduce((sum, { content }) => sum + words(content), 0);
    await verify(request, { judge: openai({ baseUrl: server.baseUrl, model: "scripted" }) });
    assert.equal(server.sum.calls, calls);
    assert.equal(server.sum.prompt, planned);
    assert.ok(server.sum.schemas > 0);
  } finally {
    await server.close();
    await project.remove();
  }
});
