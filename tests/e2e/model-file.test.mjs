// A model file from the user's disk, run in the page. The file is made here and its answers are known, so that the whole
// way is tried: llama.cpp's module, grammar, token probabilities, verdict.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { LOGITS, tinyModel } from "../support/gguf.mjs";
import { useBrowser } from "./support/page.mjs";

const open = useBrowser();

/** The module is 10 MB, and a machine with other work is slow. */
const PATIENCE = 120_000;

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "model-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function file(name, bytes) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const pick = (app, path) => app.page.locator("#model-file").setInputFiles(path);
const loaded = (app) => app.page.getByText("is loaded.").waitFor({ timeout: PATIENCE });
const modules = (page) => {
  const urls = [];
  page.on("request", (request) => /wllama|model-file/.test(request.url()) && urls.push(request.url()));
  return urls;
};

test("it judges by the probabilities of its tokens, and is loaded when a file is picked", async (t) => {
  let urls;
  const app = await open(t, { before: (page) => (urls = modules(page)) });
  await app.judge("Model file");
  await app.run();
  assert.match(await app.fault("judge"), /There is no model file yet.*Pick a file/);
  assert.deepEqual(urls, [], "nothing is loaded before");

  await pick(app, await file("tiny.gguf", tinyModel()));
  await loaded(app);
  assert.ok(urls.length > 0 && urls.every((url) => url.startsWith(new URL(app.page.url()).origin)), urls.join());
  await app.run();
  // It says the same of any evidence.
  assert.deepEqual(await app.statuses(PATIENCE), ["SUSPICIOUS"]);
  const [claim] = (await app.report()).claims;
  const weights = Object.values(LOGITS).map(Math.exp);
  const sure = Math.exp(LOGITS.ENTAILED) / weights.reduce((sum, weight) => sum + weight);
  for (const pass of [claim.scrubbed, claim.full]) {
    assert.deepEqual([pass.verdict, pass.basis, pass.attempts], ["ENTAILED", "logprob", 1]);
    assert.ok(Math.abs(pass.confidence - sure) < 1e-3, `${pass.confidence}, expected ${sure}`);
  }
  assert.ok(claim.delta === 0);

  await app.page.getByRole("button", { name: "Unload it" }).click();
  await app.run();
  assert.match(await app.fault("judge"), /There is no model file yet/);
});

test("a file that is none, or is damaged, is told in words", async (t) => {
  const app = await open(t);
  await app.judge("Model file");
  await pick(app, await file("notes.gguf", "Not a model"));
  assert.match(await app.fault("judge"), /notes\.gguf is no GGUF file/);
  await pick(app, await file("half.gguf", tinyModel().subarray(0, 9000)));
  await app.page.getByText("half.gguf cannot be loaded").waitFor({ timeout: PATIENCE });
  await pick(app, await file("tiny.gguf", tinyModel()));
  await loaded(app);
  await app.page.setViewportSize({ width: 360, height: 800 });
  const [wide, view] = await app.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.equal(wide, view, "nothing sticks out to the side");
});

test("one that is too large is refused before it is read", async (t) => {
  const app = await open(t);
  await app.judge("Model file");
  await app.page.locator("#model-file").waitFor({ state: "attached" });
  await app.page.evaluate(() => {
    const size = 5 * 1024 ** 3;
    const large = Object.defineProperty(new File(["GGUF"], "large.gguf"), "size", { value: size });
    const field = document.querySelector("#model-file");
    Object.defineProperty(field, "files", { value: { 0: large, length: 1, item: () => large } });
    field.dispatchEvent(new Event("change"));
  });
  assert.match(await app.fault("judge"), /large\.gguf has 5\.0 GB; a page has room for less than 4 GB/);
});

test("loading can be stopped, and a run cancelled", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.judge("Model file");
  const held = [];
  await page.route("**/wllama.wasm", (route) => held.push(route));
  await pick(app, await file("tiny.gguf", tinyModel()));
  await page.getByRole("button", { name: "Stop loading" }).click();
  await page.getByRole("button", { name: "Stop loading" }).waitFor({ state: "detached" });
  await page.unroute("**/wllama.wasm");
  await Promise.all(held.map((route) => route.abort().catch(() => {})));

  await pick(app, await file("tiny.gguf", tinyModel()));
  await loaded(app);
  await app.claims(Array.from({ length: 40 }, (_, at) => `The field email of users holds ${at} characters`).join("\n"));
  await app.run();
  await page.getByText(/[1-9] of 80 passes judged/).waitFor({ timeout: PATIENCE });
  await page.locator("#cancel").click();
  await app.statuses();
  const { claims } = await app.report();
  assert.equal(claims.length, 40);
  assert.ok(claims.some(({ flags }) => flags.includes("cancelled")));
  // The model is there for the next run.
  await app.claims("The field email of users holds 255 characters");
  await app.run();
  await page.locator(".results:not(.outdated)").waitFor({ timeout: PATIENCE });
});
