// The playground in a real Chromium: one browser for a file of tests, a fresh profile for each test.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

let axe;

export const root = fileURLToPath(new URL("../../..", import.meta.url));

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a browser, and a server where `cargo xtask test` has not, around the tests of a file. */
export function useBrowser() {
  const held = {};
  before(async () => {
    held.site = process.env.CLAIMGAUGE_SITE ?? (await serve(held));
    held.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ARGUMENTS,
    });
  });
  after(async () => {
    await held.browser?.close();
    held.server?.close();
    held.server?.closeAllConnections();
  });

  /**
   * Opens a panel of the playground and waits until it has started. When the test ends, the page must
   * not have written an error to its console; what a judge on another origin does is not the page's fault.
   * `before` is handed the page before anything is loaded; `allow` matches errors that a test provokes;
   * `hash` leads to another place than the panel's own.
   */
  return async function open(t, { panel = "app", hash, allow, before: prepare, ...options } = {}) {
    const context = await held.browser.newContext({
      viewport: { width: 1280, height: 900 },
      // Keeping the site's files would take longer than most tests.
      serviceWorkers: "block",
      ...options,
    });
    const { origin } = new URL(held.site);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => allow?.test(String(error)) || errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      if (aboutOtherOrigin(message, origin) || DRIVER.test(message.text())) return;
      if (allow?.test(message.text())) return;
      errors.push(`${message.text()} (${message.location().url})`);
    });
    t.after(async () => {
      await context.close();
      assert.deepEqual(errors, [], "the page wrote errors to its console");
    });
    await prepare?.(page);
    const { hash: place, ready, View } = PANELS[panel];
    await page.goto(held.site + (hash ?? place));
    await page.locator(ready).waitFor();
    return new View(page);
  };
}

/** What the driver itself notes. */
const DRIVER = /^Service Worker registration blocked by Playwright/;

/** Browsers note refused and failed requests themselves; those to judges are what tests provoke. */
function aboutOtherOrigin(message, origin) {
  const { url } = message.location();
  const text = message.text();
  if (text.startsWith("Failed to load resource")) return !url.startsWith(origin);
  return text.includes("blocked by CORS policy");
}

/** Runs in the page: elements whose own text has less than 4.5 to 1 against what is behind it. */
export function lowContrast() {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => {
      const s = c / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest("svg, noscript") || !element.checkVisibility()) continue;
    const [a, b] = [light(channels(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${element.className}: ${element.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return low;
}

/** What a person does on the page, and reads from it. */
export class Playground {
  constructor(page) {
    this.page = page;
  }

  async example(name) {
    await this.page.locator("#gallery").click();
    await this.page.locator(`#app [data-example="${name}"]`).click();
  }

  async evidence(...texts) {
    const { page } = this;
    const remove = page.getByRole("button", { name: /^Remove span/ });
    while ((await remove.count()) > 0) await remove.first().click();
    for (const [at, text] of texts.entries()) {
      await page.getByRole("button", { name: "Add a span" }).click();
      await page.locator(".span textarea").nth(at).fill(text);
    }
  }

  async claims(text) {
    await this.page.locator("#claims").fill(text);
  }

  /**
   * Pastes in place of what stands in a field, by the clipboard and the keys. A driver's own way to fill
   * one is an editing command that the browser needs seconds for where there are a thousand lines.
   */
  async pasteInto(selector, text) {
    await this.page.evaluate((given) => navigator.clipboard.writeText(given), text);
    await this.page.locator(selector).first().focus();
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.press("Control+V");
  }

  /** Opens what is folded on a narrow screen: "Profile" or "Judge". */
  async unfold(name) {
    const setting = this.page.locator("details.setting", { has: this.page.getByRole("heading", { name }) });
    if (!(await setting.evaluate((it) => it.open))) await setting.locator("> summary").click();
  }

  async profile(name) {
    await this.unfold("Profile");
    await this.page.getByRole("radio", { name, exact: true }).check();
  }

  /** "Built-in", "Recorded" or "Model server". */
  async judge(name) {
    await this.unfold("Judge");
    await this.page.getByRole("radio", { name, exact: true }).check();
  }

  async endpoint({ baseUrl, model = "test-model", key, dialect }) {
    await this.judge("Model server");
    if (dialect !== undefined) await this.page.locator("#interface").selectOption({ label: dialect });
    await this.page.locator("#base-url").fill(baseUrl);
    await this.page.locator("#model").fill(model);
    if (key !== undefined) await this.page.locator("#api-key").fill(key);
  }

  async run() {
    await this.page.locator("#run").click();
  }

  /**
   * Starts a run, cancels it when its progress is `progress`, and gives the milliseconds until there are
   * results, in the page's own time: a test's way to the browser and back takes as long as the whole. The
   * machine may be busy, so one of five tries that takes less than `limit` shows what it takes.
   */
  async cancelWithin(limit, progress, beforeRun) {
    const took = [];
    while (took.length < 5 && !took.some((time) => time < limit)) {
      await beforeRun();
      await this.run();
      await this.page.getByText(progress).waitFor();
      took.push(await this.page.evaluate(async () => {
        const start = performance.now();
        document.querySelector("#cancel").click();
        while (document.querySelector(".results") === null) await new Promise(requestAnimationFrame);
        return performance.now() - start;
      }));
    }
    assert.ok(took.some((time) => time < limit), `it took ${took} ms`);
  }

  /** The statuses of the claims, once the results are drawn. */
  async statuses(timeout = 30_000) {
    await this.page.locator(".results:not([aria-busy])").waitFor({ timeout });
    return this.page.locator(".finding .status").allInnerTexts();
  }

  async recommendation() {
    const text = await this.page.locator("#results-title").innerText();
    return text.replace("Recommendation:", "").trim();
  }

  /** What axe finds that keeps somebody from using the page. */
  async violations() {
    axe ??= await readFile(join(root, "tests/node_modules/axe-core/axe.min.js"), "utf8");
    // The policy lets no script of a page's own in; a driver's evaluation is none.
    await this.page.evaluate(axe);
    const { violations } = await this.page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }

  /** The report, copied as a person copies it. */
  async report() {
    await this.page.getByRole("button", { name: "Copy JSON" }).click();
    await this.page.getByText("The JSON was copied.").waitFor();
    return JSON.parse(await this.page.evaluate(() => navigator.clipboard.readText()));
  }

  /** The message beside an input, once there is one: "api-key", "base-url", "judge", … */
  async fault(name) {
    const note = this.page.locator(`#fault-${name}:not(:empty)`);
    await note.waitFor();
    return (await note.innerText()).trim();
  }
}

/** What a person does in the panel for agents' outputs, and reads from it. */
export class Outputs {
  constructor(page) {
    this.page = page;
  }

  async example(name) {
    await this.page.locator(`#outputs [data-example="${name}"]`).click();
  }

  /** Puts text, or data as JSON, into a field: "output", "trace" or "schemas". */
  async paste(field, given) {
    const text = typeof given === "string" ? given : JSON.stringify(given, null, 2);
    const area = this.page.locator(`#outputs-${field}`);
    await area.evaluate((it) => it.closest("details")?.setAttribute("open", ""));
    await area.fill(text);
  }

  /** Picks a folder of this machine by the field for browsers without a picker. */
  async folder(path) {
    await this.page.locator("#folder-field").setInputFiles(path);
  }

  async check() {
    await this.page.locator("#outputs-check").click();
  }

  /** "VALID" or "NOT VALID", once the check of the inputs as they stand is done. */
  async verdict(timeout = 30_000) {
    await this.page.locator("#outputs .results:not(.outdated)").waitFor({ timeout });
    return this.page.locator("#outputs-result").innerText();
  }

  /** What became of the claims, by what they are about. */
  async claims() {
    const rows = await this.page.locator("#outputs .claims[aria-label=Claims] .claim").all();
    const told = rows.map(async (row) => [
      (await row.locator(".path").innerText()).trim(),
      (await row.locator(".status").innerText()).trim(),
    ]);
    return Object.fromEntries(await Promise.all(told));
  }

  /** The result, copied as a person copies it. */
  async result() {
    await this.page.locator("#outputs").getByRole("button", { name: "Copy JSON" }).click();
    await this.page.getByText("The JSON was copied.").waitFor();
    return JSON.parse(await this.page.evaluate(() => navigator.clipboard.readText()));
  }

  /** The message beside an input, once there is one. */
  async fault(name) {
    const note = this.page.locator(`#outputs-${name}-fault:not(:empty)`);
    await note.waitFor();
    return (await note.innerText()).trim();
  }
}

const PANELS = {
  app: { hash: "", ready: "#run", View: Playground },
  outputs: { hash: "#outputs", ready: "#outputs-check", View: Outputs },
};

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** The built site, with the policy that `cargo xtask play` sends. */
async function serve(held) {
  const folder = process.env.CLAIMGAUGE_SITE_FOLDER ?? join(root, "target/site");
  assert.ok(existsSync(join(folder, "index.html")), `run \`cargo xtask build web\` first: no ${folder}`);
  held.server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://127.0.0.1");
    const file = normalize(join(folder, pathname === "/" ? "index.html" : pathname));
    try {
      if (!file.startsWith(folder)) throw new Error("outside");
      const body = await readFile(file);
      response.writeHead(200, {
        "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
        "Content-Security-Policy":
          "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self'; " +
          "img-src 'self' data:; connect-src *; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => held.server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${held.server.address().port}/`;
}
