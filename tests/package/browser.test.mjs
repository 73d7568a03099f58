// The package in a real Chromium, as a plain page loads it: without a bundler, under a content security
// policy that allows wasm and no evaluation of text.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { after, before, describe, test } from "node:test";

import { chromium } from "playwright-core";

import { install, vectors } from "./fixture.mjs";

const TYPES = { html: "text/html", js: "text/javascript", json: "application/json", wasm: "application/wasm" };
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

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
  let project, server, browser;
  const fetched = [];
  before(async () => {
    project = await install();
    const example = JSON.stringify(await vectors("worked_example.json"));
    const made = { "/": ["html", PAGE], "/main.js": ["js", MAIN], "/patterns": ["html", PAGE.replace("main", "patterns")], "/patterns.js": ["js", PATTERNS], "/example.json": ["json", example] };
    server = createServer(async ({ url }, response) => {
      fetched.push(url);
      const [type, content] = made[url] ?? [
        url.split(".").at(-1),
        await readFile(join(project.package, normalize(url))).catch(() => undefined),
      ];
      response.writeHead(content === undefined ? 404 : 200, { "content-type": TYPES[type] ?? "text/plain", "content-security-policy": POLICY });
      response.end(content);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    await project?.remove();
  });

  test("loads its module once, from its own place, and judges", async () => {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    const requested = [];
    page.on("request", (request) => requested.push(new URL(request.url()).origin));
    const { port } = server.address();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction(() => window.result);
    const result = await page.evaluate(() => window.result);
    assert.deepEqual(errors, []);
    assert.deepEqual(result, { early: "not_initialised", markdown: await vectors("worked_example.strawberry.md") });
    assert.equal(fetched.filter((url) => url.endsWith(".wasm")).length, 3);
    assert.deepEqual([...new Set(requested)], [`http://127.0.0.1:${port}`]);
  });

  test("loads what runs patterns when it is asked to, once", async () => {
    fetched.length = 0;
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/patterns`);
    await page.waitForFunction(() => window.result);
    const result = await page.evaluate(() => window.result);
    assert.deepEqual(result, { early: "patterns_not_loaded", text: "[TICKET_1] is closed" });
    assert.equal(fetched.filter((url) => url.endsWith(".wasm")).length, 3);
  });
});
