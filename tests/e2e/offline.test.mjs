// Without a network, after a failure, and by keys alone.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { judgeServer, says } from "./support/judge-server.mjs";
import { useBrowser } from "./support/page.mjs";

const open = useBrowser();

/** Resolves when the page's files are kept. */
const kept = (page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
  });

test("once loaded, the page works without a network, also what was not opened before", async (t) => {
  const app = await open(t, { serviceWorkers: "allow" });
  const { page } = app;
  await kept(page);
  await page.context().setOffline(true);
  await page.reload();
  await page.locator("#run").waitFor();
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
  await app.example("wrong-number");
  await app.run();
  assert.deepEqual(await app.statuses(), ["UNSUPPORTED"]);
  await page.getByRole("button", { name: "Share and keep" }).click();
  await page.locator("#link").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Agents’ outputs" }).click();
  await page.locator("#outputs-check").waitFor();
});

test("what is asked of judges passes by what keeps the files", async (t) => {
  const server = await judgeServer(t, (question, response) => says(response, '{"verdict":"ENTAILED","confidence":0.9}'));
  const app = await open(t, { serviceWorkers: "allow" });
  const { page } = app;
  await kept(page);
  const passed = [];
  page.on("response", (response) => passed.push([new URL(response.url()).host, response.fromServiceWorker()]));
  await app.endpoint({ baseUrl: server.baseUrl });
  await app.run();
  await app.statuses();
  assert.equal(server.questions.length, 2);
  assert.deepEqual(passed.filter(([host]) => host === server.host).map(([, kept]) => kept), [false, false], "what a judge says does not come from what keeps the files");
  const cached = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map((request) => request.url);
  });
  assert.ok(cached.length > 8);
  const { origin } = new URL(page.url());
  for (const url of cached) assert.ok(url.startsWith(origin), url);
});

test("a new version is offered, and taken when the user says so", async (t) => {
  const app = await open(t, { serviceWorkers: "block" });
  const site = new URL(app.page.url());
  // The same site, whose style changes between two visits.
  let version = "";
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url, site));
    let body = Buffer.from(await answer.arrayBuffer());
    if (request.url === "/files.js") body = Buffer.from(body.toString().replace('"version": "', '"version":"').replace('"version":"', `"version":"${version}`));
    if (request.url === "/style.css") body = Buffer.concat([body, Buffer.from(`:root { --version: "${version}"; }`)]);
    const headers = ["content-type", "content-security-policy"].map((name) => [name, answer.headers.get(name)]);
    response.writeHead(answer.status, Object.fromEntries(headers)).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const context = await app.page.context().browser().newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  const style = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--version"));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.locator("#run").waitFor();
  await kept(page);
  await page.locator("#claims").fill("It is kept");
  await page.waitForFunction(() => localStorage.getItem("claimgauge.playground.1")?.includes("It is kept"));

  version = "new";
  await page.reload();
  await page.locator("#update").waitFor();
  assert.equal(await style(), '""', "the old version, whole");
  await Promise.all([page.waitForEvent("load"), page.locator("#update-now").click()]);
  await page.locator("#run").waitFor();
  assert.equal(await style(), '"new"');
  assert.equal(await page.locator("#claims").inputValue(), "It is kept");
  const names = await page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("claimgauge ")));
  assert.equal(names.length, 1, `${names}`);
});

test("a program that fails leaves what was typed to be copied", async (t) => {
  const app = await open(t, { allow: /^/ });
  const { page } = app;
  await app.evidence("My evidence");
  await app.claims("My claim");
  await app.judge("Model server");
  await page.locator("#api-key").fill("hunter2");
  // What was typed is kept a moment later.
  await page.waitForFunction(() => localStorage.getItem("claimgauge.playground.1")?.includes("My claim"));
  await page.evaluate(async () => {
    // The program that runs, whose memory is spoilt: the next thing that it does is a trap.
    const { default: running } = await import("./claimgauge-web.js");
    const { memory } = await running();
    new Uint8Array(memory.buffer).fill(0xff);
  });
  await page.locator("#claims").press("End");
  await page.keyboard.type("!");
  await page.locator("#rescue").waitFor();
  const text = await page.locator("#rescue-text").inputValue();
  assert.match(text, /Text of span S0:\nMy evidence\n/);
  assert.match(text, /Claims, one a line:\nMy claim/);
  assert.doesNotMatch(text, /hunter2/);
  assert.match(await page.locator("#trouble").innerText(), /a fault of its own/);
  await page.locator("#rescue-copy").click();
  await page.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  await page.locator("#rescue-reload").click();
  await page.locator("#run").waitFor();
  assert.match(await page.locator("#claims").inputValue(), /^My claim/);
});

test("a drawer that cannot be loaded says so, and is tried again", async (t) => {
  const app = await open(t, { allow: /Failed to load resource|Failed to fetch/ });
  const { page } = app;
  // Its script, which browsers would not load again from the same address, and then its module.
  const programs = [/claimgauge-drawer\.js/, /claimgauge-drawer_bg\.wasm/];
  for (const program of programs) await page.route(program, (route) => route.abort());
  await page.getByRole("button", { name: "Share and keep" }).click();
  const drawer = page.locator("#drawer");
  for (const program of programs) {
    await drawer.getByText("This part could not be loaded").waitFor();
    assert.ok(await page.locator("#trouble").isHidden());
    await page.unroute(program);
    await drawer.getByRole("button", { name: "Try again" }).click();
  }
  await page.locator("#link").waitFor();
});

test("a panel that cannot be loaded says so in its place, and is tried again", async (t) => {
  const app = await open(t, { allow: /Failed to load resource|Failed to fetch/ });
  const { page } = app;
  await page.route(/claimgauge-outputs/, (route) => route.abort());
  await page.getByRole("link", { name: "Agents’ outputs" }).click();
  const panel = page.locator("#outputs");
  await panel.getByText("This part could not be loaded").waitFor();
  await page.getByRole("link", { name: "Claims" }).click();
  await page.locator("#run").waitFor();
  assert.ok(await page.locator("#trouble").isHidden(), "the page works on");
  await page.getByRole("link", { name: "Agents’ outputs" }).click();
  await panel.getByText("This part could not be loaded").waitFor();
  await page.unroute(/claimgauge-outputs/);
  await panel.getByRole("button", { name: "Try again" }).click();
  await page.locator("#outputs-check").waitFor();
});

test("a shared link whose reader cannot be loaded is opened when it is tried again", async (t) => {
  const app = await open(t, { allow: /Failed to load resource|Failed to fetch/ });
  const { page } = app;
  await page.getByRole("button", { name: "Share and keep" }).click();
  const link = await page.locator("#link").inputValue();
  const other = await page.context().newPage();
  await other.route(/claimgauge-drawer/, (route) => route.abort());
  await other.goto(link);
  await other.locator("#drawer").getByText("This part could not be loaded").waitFor();
  assert.ok(await other.locator("#trouble").isHidden());
  await other.unroute(/claimgauge-drawer/);
  await other.getByRole("button", { name: "Try again" }).click();
  await other.getByText("The shared link was opened.").waitFor();
});

test("a drawer that fails takes nothing else along", async (t) => {
  const app = await open(t, { allow: /^/ });
  const { page } = app;
  await app.claims("My claim");
  const drawer = page.getByRole("button", { name: "Share and keep" });
  await drawer.click();
  await page.locator("#link").waitFor();
  await page.locator("#keep-runs").waitFor();
  await page.evaluate(async () => {
    const { default: running } = await import("./claimgauge-drawer.js");
    const { memory } = await running();
    new Uint8Array(memory.buffer).fill(0xff);
    // At once: whatever the drawer does by itself would fail before a click that comes later, and take the button away.
    document.getElementById("keep-runs").click();
  });
  await page.locator("#drawer").getByText("This part has run into a fault of its own").waitFor();
  assert.ok(await page.locator("#rescue").isHidden());
  await page.keyboard.press("Escape");
  await app.claims("My other claim");
  await app.judge("Built-in");
  await app.run();
  assert.equal((await app.statuses()).length, 1);
  await drawer.click();
  await page.locator("#drawer").getByText("This part has run into a fault of its own").waitFor();
  assert.ok(await page.locator("#rescue").isHidden());
  assert.ok(await page.locator("#trouble").isHidden());
});

test("the keys are listed by one of them, and a dialog has them for itself", async (t) => {
  const app = await open(t);
  const { page } = app;
  await page.locator("#run").focus();
  await page.keyboard.press("?");
  await page.locator("#keys").getByRole("heading", { name: "Keys" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.waitForTimeout(200);
  assert.equal(await page.locator(".results").count(), 0, "no run behind a dialog");
  await page.keyboard.press("Escape");
  await page.locator("#keys").waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.activeElement.id), "run");

  await page.locator("#claims").focus();
  await page.keyboard.type("?");
  assert.equal(await page.locator("#keys").isVisible(), false, "a question mark is text in a field");
  await page.keyboard.press("Control+Enter");
  await app.statuses();
});

test("on a phone each card of the gallery says what comes out, and all of what it teaches", async (t) => {
  const app = await open(t, { viewport: { width: 360, height: 740 } });
  const { page } = app;
  await page.locator("#gallery").click();
  const cards = page.locator(".gallery .example");
  await cards.first().waitFor();
  assert.ok((await cards.count()) >= 12, `${await cards.count()}`);
  for (const card of await cards.all()) {
    assert.ok((await card.locator(".chip").count()) > 0);
    assert.ok(await card.locator(".lesson").evaluate((it) => it.scrollWidth <= it.clientWidth), "it is not cut");
  }
  await page.locator('.gallery [data-example="agent-output"]').click();
  await page.locator("#outputs-check").waitFor();
  assert.equal(new URL(page.url()).hash, "#outputs");
  await page.locator("#outputs .results").waitFor();
});
