// The playground against a real model server. The model is far too small to judge well, so nothing is
// asked of its verdicts: the page must hold what the server sent, byte for byte, and count as it counted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startLlama } from "../support/llama.mjs";
import { useBrowser } from "./support/page.mjs";

const open = useBrowser();

test("a real model server's replies stand in the report as they came", async (t) => {
  const llama = await startLlama();
  if (llama.missing) {
    console.error(`\nSKIPPED: the playground against a real model server. ${llama.missing}\n`);
    return t.skip(llama.missing);
  }
  t.after(() => llama.stop());
  const app = await open(t);
  const { page } = app;

  // The page sets no limit of its own; on a small machine the model must not ramble.
  await page.route(`${llama.baseUrl}/**`, (route) => {
    const sent = route.request().postDataJSON();
    if (!sent) return route.continue();
    return route.continue({ postData: JSON.stringify({ ...sent, max_tokens: 80, temperature: 0 }) });
  });
  const answers = [];
  page.on("response", (response) => {
    if (response.request().method() === "POST") answers.push(response.json());
  });

  await app.endpoint({ baseUrl: llama.baseUrl, model: "SmolLM2" });
  await app.run();
  await app.statuses(300_000);

  const sent = await Promise.all(answers);
  assert.ok(sent.length >= 2);
  const report = await app.report();
  const [claim] = report.claims;
  assert.deepEqual(
    [...claim.full.raw, ...claim.scrubbed.raw].sort(),
    sent.map(({ choices }) => choices[0].message.content).sort(),
  );
  const sum = (count) => sent.reduce((total, { usage }) => total + usage[count], 0);
  assert.deepEqual(report.cost, {
    calls: sent.length,
    promptTokens: sum("prompt_tokens"),
    completionTokens: sum("completion_tokens"),
  });
});
