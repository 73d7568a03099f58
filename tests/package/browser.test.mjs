// The package in a real Chromium, as a plain page loads it: without a bundler, under a content security
// policy that allows wasm and no evaluation of text.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { vectors } from "./fixture.mjs";
import { served } from "./served.mjs";

/** The one module that is a file; the others come as text. */
const MODULE = "/dist/wasm/claimgauge_bg.wasm";

const PAGE = '<!doctype html><meta charset="utf-8"><title>t</title><script type="module" src="/main.js"></script>';
const MAIN = `
  import { init, toMarkdown, verify } from "/dist/web/web.js";
  import { recorded } from "/dist/web/judges/index.js";

  try {
    const { request, recording } = await (await fetch("/example.json")).json();
    const early = await verify(request, { judge: recorded(recording) }).catch((error) => error.code);
    await Promise.all([init(), init()]);
    const markdown = toMarkdown(await verify(request, { judge: recorded(recording) }));
    window.result = { early, markdown };
  } catch (error) {
    window.result = { error: String(error) };
  }
`;

const PATTERNS = `
  import { init, loadPatterns, scrub } from "/dist/web/web.js";

  try {
    await init();
    const kinds = [{ kind: "TICKET", patterns: ["[A-Z]{2,5}-\\\\d+"] }];
    const text = () => scrub({ profile: "code", kinds, evidence: ["OPS-17 is closed"] }).spans[0].text;
    let early;
    try { text(); } catch (error) { early = error.code; }
    await Promise.all([loadPatterns(), loadPatterns()]);
    window.result = { early, text: text() };
  } catch (error) {
    window.result = { error: String(error) };
  }
`;

describe("the package in a browser", { timeout: 60_000 }, () => {
  let site;
  before(async () => {
    const example = JSON.stringify(await vectors("worked_example.json"));
    const made = { "/": ["html", PAGE], "/main.js": ["js", MAIN], "/patterns": ["html", PAGE.replace("main", "patterns")], "/patterns.js": ["js", PATTERNS], "/example.json": ["json", example] };
    site = await served((url) => made[url]);
  });
  after(() => site?.close());

  test("loads its module once, from its own place, and judges", async () => {
    const page = await site.browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    const requested = [];
    page.on("request", (request) => requested.push(new URL(request.url()).origin));
    await page.goto(`${site.origin}/`);
    await page.waitForFunction(() => window.result);
    const result = await page.evaluate(() => window.result);
    assert.deepEqual(errors, []);
    assert.deepEqual(result, { early: "not_initialised", markdown: await vectors("worked_example.strawberry.md") });
    assert.deepEqual(site.fetched.filter((url) => url.endsWith(".wasm")), [MODULE]);
    assert.deepEqual([...new Set(requested)], [site.origin]);
  });

  test("loads what runs patterns when it is asked to, once", async () => {
    site.fetched.length = 0;
    const page = await site.browser.newPage();
    await page.goto(`${site.origin}/patterns`);
    await page.waitForFunction(() => window.result);
    const result = await page.evaluate(() => window.result);
    assert.deepEqual(result, { early: "patterns_not_loaded", text: "[TICKET_1] is closed" });
    assert.deepEqual(site.fetched.filter((url) => url.endsWith(".wasm")), [MODULE]);
    const text = site.fetched.filter((url) => url.includes("extra_inline"));
    assert.equal(text.length, 1, text.join());
  });
});
