// The documentation as `cargo xtask build docs` writes it, in a real Chromium, without any header from its server: each
// page has its policy in itself.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { root } from "./support/page.mjs";

const TYPES = { ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".png": "image/png", ".svg": "image/svg+xml", ".wasm": "application/wasm" };
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const folder = process.env.CLAIMGAUGE_DOCS ?? join(root, "target/docs");
const shots = join(root, "target/screenshots");

describe("the documentation", { timeout: 480_000 }, () => {
  let server, site, browser, axe, pages;
  before(async () => {
    assert.ok(existsSync(join(folder, "index.html")), `run \`cargo xtask build docs\` first: no ${folder}`);
    axe = await readFile(join(root, "tests/node_modules/axe-core/axe.min.js"), "utf8");
    pages = (await readdir(folder)).filter((name) => name.endsWith(".html"));
    server = createServer(async ({ url }, response) => {
      const { pathname } = new URL(url, "http://127.0.0.1");
      const body = await readFile(join(folder, normalize(pathname))).catch(() => undefined);
      response.writeHead(body === undefined ? 404 : 200, { "content-type": TYPES[extname(pathname)] ?? "text/plain" });
      response.end(body);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    site = `http://127.0.0.1:${server.address().port}/`;
    await mkdir(shots, { recursive: true });
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  /** Opens a page. It must have loaded nothing from elsewhere and written no error when the test ends. */
  async function open(t, path, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) errors.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(site)) errors.push(`asked for ${request.url()}`);
    });
    t.after(async () => {
      await context.close();
      assert.deepEqual(errors, [], path);
    });
    await page.goto(site + path);
    return page;
  }

  const shown = (page) => page.waitForFunction(() => [...document.querySelectorAll("claimgauge-demo")].every((it) => it.shadowRoot?.querySelector(".finding")));

  test("what is written in place of a demo is what the demo shows", async (t) => {
    for (const path of ["start", "method", "verdicts", "limits", "demo"].map((name) => `${name}.html`)) {
      const page = await open(t, path);
      await shown(page);
      const demos = await page.evaluate(() =>
        [...document.querySelectorAll("claimgauge-demo")].map((it) => {
          const texts = (selector) => [...it.shadowRoot.querySelectorAll(selector)].map((one) => one.textContent.trim());
          return {
            instead: it.textContent,
            claims: texts(".claim"),
            statuses: texts(".status b"),
            judgements: texts(".judgement"),
            delta: texts(".delta-value"),
          };
        }));
      assert.ok(demos.length > 0, path);
      for (const { instead, claims, statuses, judgements, delta } of demos) {
        const words = instead.replace(/\s+/g, " ");
        assert.deepEqual(words.match(/\b(VERIFIED|PLAUSIBLE|SUSPICIOUS|UNSUPPORTED|INCONCLUSIVE)\b/g), statuses);
        const quoted = /"(.*?)"/.exec(words)[1];
        assert.ok(claims.some((claim) => claim.includes(quoted)), quoted);
        const said = [...words.matchAll(/(?:UNSURE|ENTAILED|CONTRADICTED) \d\.\d\d/g)].map(String);
        if (said.length > 0) {
          assert.deepEqual(judgements.map((one) => one.replace(/ \w+$/, "")), said);
          assert.deepEqual(delta, [`Δ ${/Delta (-?\d\.\d\d)/.exec(words)[1]}`]);
        }
      }
    }
  });

  test("the sample of a demo with data of its own shows them", async (t) => {
    const page = await open(t, "demo.html");
    const sample = await page.locator("pre", { hasText: "application/json" }).innerText();
    const [, json] = /<script[^>]*>(.*?)<\/script>/s.exec(sample);
    await page.evaluate((data) => document.querySelector("main").append(Object.assign(document.createElement("claimgauge-demo"), { data })), JSON.parse(json));
    await page.locator(".finding.unsupported").waitFor();
  });

  test("without scripts it is the same text, with words in place of the demos", async (t) => {
    const page = await open(t, "method.html", { javaScriptEnabled: false });
    assert.ok(await page.getByText("Scrubbed pass: UNSURE 0.30.").isVisible());
  });

  test("the pages lead to each other", async (t) => {
    const page = await open(t, "index.html");
    const links = await page.locator('nav[aria-label="Pages"] a').evaluateAll((all) => all.map((it) => it.getAttribute("href")).filter((href) => !href.startsWith("#")));
    assert.deepEqual([...links].sort(), pages.filter((name) => name !== "embed.html").map((name) => `./${name}`).sort());
    // A path in the repository's text is a title here.
    await page.locator("#main").getByRole("link", { name: "The method", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "The method" }).waitFor();
    assert.equal(await page.locator("nav [aria-current]").innerText(), "The method");
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByRole("heading", { level: 1, name: "Verdicts" }).waitFor();
    await page.getByRole("link", { name: "Before" }).click();
    await page.getByRole("heading", { level: 1, name: "The method" }).waitFor();
  });

  test("a frame shows the example that its address names", async (t) => {
    const page = await open(t, "embed.html?example=known-anyway&theme=dark&onclick=x");
    await page.locator(".finding.suspicious").waitFor();
    assert.equal(await page.locator("claimgauge-demo").evaluate((it) => it.outerHTML.split(">")[0]), '<claimgauge-demo example="known-anyway" theme="dark"');
    await page.evaluate(() => (location.hash = "example=worked&editable"));
    await page.locator(".finding.verified").waitFor();
    assert.equal(await page.locator("textarea").count(), 3);
    await page.evaluate(() => (location.hash = "example=<img src=x>"));
    await page.getByText("There is no example").waitFor();
    assert.equal(await page.locator("img").count(), 0);
  });

  test("every page fits a phone, keeps its policy and has no title that is empty", async (t) => {
    for (const path of pages) {
      const page = await open(t, path, { viewport: { width: 360, height: 900 } });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, path);
      assert.equal(await page.locator("th:empty").count(), 0, path);
      // A column that is squeezed makes its rows so tall that nothing of them can be read.
      const tallest = await page.evaluate(() => Math.max(0, ...[...document.querySelectorAll("tr")].map((row) => row.offsetHeight)));
      assert.ok(tallest < 450, `${path}: a row of ${tallest} pixels`);
      await page.close();
    }
  });

  for (const colorScheme of ["light", "dark"]) {
    for (const width of [360, 1280]) {
      test(`no barrier, nothing sticks out: ${colorScheme} at ${width} pixels`, async (t) => {
        for (const path of ["index.html", "method.html", "verdicts.html", "comparison.html", "embed.html?example=half-said"]) {
          const page = await open(t, path, { colorScheme, viewport: { width, height: 900 } });
          await shown(page);
          await page.screenshot({ path: join(shots, `docs-${path.split(".")[0]}-${width}-${colorScheme}.png`), fullPage: true });
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, path);
          await page.evaluate(axe);
          const violations = await page.evaluate(async () => (await window.axe.run()).violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)));
          assert.deepEqual(violations, [], path);
        }
      });
    }
  }
});
