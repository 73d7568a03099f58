// Sharing and keeping: links, files, earlier runs. What comes from outside is hostile until it is read.

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { root, useBrowser } from "./support/page.mjs";

const open = useBrowser();
const folder = join(root, "target/screenshots");
await mkdir(folder, { recursive: true });
const texts = (page) => page.locator(".span textarea").evaluateAll((fields) => fields.map((it) => it.value));
const packed = (value) => `#share=1.${deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")}`;
const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

async function openDrawer(page) {
  await page.getByRole("button", { name: "Share and keep" }).click();
  await page.locator("#link").waitFor();
}

async function closed(page) {
  await page.locator("#drawer").waitFor({ state: "hidden" });
}

test("a link holds everything but keys, and opens it again", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("Größe: 255 🦀", "second");
  await app.claims("It is 255 [S0]");
  await app.profile("data");
  await app.endpoint({ baseUrl: "https://me:hunter2@api.example.com/v1?key=hunter2", key: "hunter2" });
  await openDrawer(page);
  const link = await page.locator("#link").inputValue();
  assert.match(link, /#share=1\.[\w-]+$/);

  const other = await open(t, { hash: new URL(link).hash });
  await other.page.getByText("The shared link was opened.").waitFor();
  assert.deepEqual(await texts(other.page), ["Größe: 255 🦀", "second"]);
  assert.equal(await other.page.locator("#claims").inputValue(), "It is 255 [S0]");
  assert.ok(await other.page.getByRole("radio", { name: "data" }).isChecked());
  assert.equal(await other.page.locator("#base-url").inputValue(), "https://api.example.com/v1");
  assert.equal(await other.page.locator("#api-key").inputValue(), "");
  assert.equal(new URL(other.page.url()).hash, "", "what is typed from now on is not in the address");

  await other.page.locator("#undo").click();
  assert.match((await texts(other.page))[0], /^users\.email/);
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), /hunter2/);
});

test("words that a link hides can be shown again at once", async (t) => {
  const app = await open(t);
  const { page } = app;
  const given = { format: 1, evidence: [{ text: "The frobnicator waits." }], claims: "It waits", glossary: [{ text: "frobnicator", kind: "CLASS" }] };
  await page.locator(".own-names").waitFor();
  await page.evaluate((hash) => { location.hash = hash; }, packed(given));
  const again = page.getByRole("button", { name: "Show frobnicator again" });
  await again.waitFor();
  await page.locator("#undo").click();
  await again.waitFor({ state: "detached" });
  await page.locator(".own-names > summary").click();
  await page.locator("#own-name").waitFor({ state: "detached" });
  await page.locator("#redo").click();
  await again.waitFor();
});

test("a link that is opened on a page with a key of its own does not get it", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.endpoint({ baseUrl: "https://good.example.com/v1", key: "hunter2" });
  await page.evaluate((hash) => { location.hash = hash; }, packed({ format: 1, judge: "endpoint", baseUrl: "https://evil.example.com/v1" }));
  await page.getByText("The shared link was opened.").waitFor();
  assert.equal(await page.locator("#base-url").inputValue(), "https://evil.example.com/v1");
  assert.equal(await page.locator("#api-key").inputValue(), "");
});

test("a key that another server's settings took away does not come back by undo and redo", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.endpoint({ baseUrl: "https://good.example.com/v1", key: "hunter2" });
  await page.evaluate((hash) => { location.hash = hash; }, packed({ format: 1, judge: "endpoint", baseUrl: "https://other.example.com/v1" }));
  await page.getByText("The shared link was opened.").waitFor();
  for (const [button, server] of [["#undo", "good"], ["#redo", "other"], ["#undo", "good"]]) {
    await page.locator(button).click();
    await page.waitForFunction((host) => document.querySelector("#base-url")?.value === `https://${host}.example.com/v1`, server);
    assert.equal(await page.locator("#api-key").inputValue(), "");
  }
  await page.locator("#api-key").fill("of-good");
  await page.locator("#redo").click();
  assert.equal(await page.locator("#base-url").inputValue(), "https://other.example.com/v1");
  assert.equal(await page.locator("#api-key").inputValue(), "");
});

test("links that cannot be read say why, and what was there stays", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("mine");
  const links = [
    ["#share=7.AAAA", /another version of the playground: it has format 7/],
    ["#share=<b>.AAAA", /another version/],
    [packed({ format: 9 }), /format 9/],
    [packed({ format: 1, claims: "a".repeat(9000) }).slice(0, -8), /incomplete/],
    ["#share=1.", /incomplete|cannot be read/],
    ["#share=1.!!!!", /incomplete/],
    [packed("[[["), /cannot be read/],
    [packed({ format: 1, evidence: "x" }), /cannot be read/],
    [packed("[".repeat(3_000_000)), /cannot be read/],
  ];
  for (const [hash, why] of links) {
    await page.evaluate((hash) => { location.hash = hash; }, hash);
    await page.waitForFunction(() => location.hash === "");
    await page.waitForFunction((why) => new RegExp(why).test(document.querySelector("#app .notice.warning")?.textContent), why.source);
    assert.deepEqual(await texts(page), ["mine"], hash);
    await page.locator("#clear").click();
    await page.locator("#undo").click();
  }
});

test("what a link says stays, however short before it something was typed", async (t) => {
  const app = await open(t);
  const { page } = app;
  const notice = page.locator("#app .notice");
  for (const format of [7, 8]) {
    // The second time all is loaded, so that the answer comes before the pause of the typing ends.
    await page.evaluate((hash) => {
      const field = document.querySelector(".span textarea");
      field.value = `typed before ${hash}`;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      location.hash = hash;
    }, `#share=${format}.AAAA`);
    await notice.getByText(`format ${format}`).waitFor();
    await page.waitForTimeout(300);
    assert.match(await notice.innerText(), new RegExp(`format ${format}`));
  }
});

test("a link whose thresholds are none says so, and brings the rest", async (t) => {
  const app = await open(t);
  const { page } = app;
  const good = { verified: { full: 0.9, delta: 0.2 }, plausible: { full: 0.5, delta: 0.1 } };
  const links = [
    [{ ...good, verified: { full: 2, delta: 0.2 } }, true],
    [{ ...good, plausible: { full: 0.95, delta: 0.1 } }, true],
    [{ ...good, verified: { full: "x", delta: 0.2 } }, true],
    ["high", true],
    [good, false],
  ];
  for (const [at, [thresholds, isWrong]] of links.entries()) {
    await page.evaluate((hash) => { location.hash = hash; }, packed({ format: 1, claims: `It is ${at}`, thresholds }));
    await page.waitForFunction((at) => document.querySelector("#claims").value === `It is ${at}`, at);
    const said = await page.locator("#app .notice").innerText();
    assert.match(said, /^The shared link was opened\./);
    assert.equal(/thresholds were left out: .*0 to 1, .*VERIFIED/.test(said), isWrong, said);
  }
  await page.locator(".asks", { hasText: "thresholds of your own" }).waitFor();
});

test("what was done is told until something else is", async (t) => {
  const app = await open(t);
  const { page } = app;
  const notice = page.locator("#app .notice");
  await page.locator("#clear").click();
  await notice.getByText("Cleared.").waitFor();
  await app.claims("It is so");
  await page.locator("#app .notice:empty").waitFor({ state: "attached" });
  await page.locator("#clear").click();
  await notice.getByText("Cleared.").waitFor();
  await app.run();
  await page.locator("#app .notice:empty").waitFor({ state: "attached" });
});

test("a link that grows without end is given up", async (t) => {
  // A gigabyte in a megabyte of letters would be too long; this is what 370,000 letters can hold.
  const bomb = packed(" ".repeat(280_000_000));
  assert.ok(bomb.length < 500_000);
  const app = await open(t);
  const { page } = app;
  const start = Date.now();
  await page.evaluate((hash) => { location.hash = hash; }, bomb);
  await page.getByText("This link holds more than 4 MB").waitFor({ timeout: 10_000 });
  t.diagnostic(`given up after ${Date.now() - start} ms`);
  const heap = await page.evaluate(() => performance.memory.usedJSHeapSize);
  assert.ok(heap < 100_000_000, `${heap} bytes`);
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
});

test("what is exported comes back by import, in each form", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("=1+1", HOSTILE);
  await page.locator(".span-source input").first().fill("-2, @home");
  await app.claims("+1 is \"one\" [S0]\n");
  await app.judge("Built-in");
  await app.run();
  await app.statuses();
  const files = {};
  await openDrawer(page);
  for (const end of ["json", "md", "csv"]) {
    const download = page.waitForEvent("download");
    await page.locator(`[data-export=${end}]`).click();
    files[end] = await (await download).path();
  }
  const csv = await readFile(files.csv, "utf8");
  for (const line of csv.split("\r\n")) assert.doesNotMatch(line, /(^|,)"?[=+\-@]/, line);
  assert.match(csv, /UNSUPPORTED|SUSPICIOUS|PLAUSIBLE|VERIFIED/);
  assert.ok(JSON.parse(await readFile(files.json, "utf8")).report.claims.length === 1);
  await page.locator("#drawer [data-closes]").click();

  for (const [end, path] of Object.entries(files)) {
    await page.locator("#clear").click();
    await openDrawer(page);
    await page.locator("#import").setInputFiles({ name: `x.${end}`, mimeType: "", buffer: await readFile(path) });
    await page.getByText("The file was imported.").waitFor();
    await closed(page);
    assert.deepEqual(await texts(page), ["=1+1", HOSTILE], end);
    assert.equal(await page.locator(".span-source input").first().inputValue(), "-2, @home");
    assert.equal(await page.locator("#claims").inputValue(), "+1 is \"one\" [S0]\n");
    await page.keyboard.press("Control+z");
    assert.deepEqual(await texts(page), [""], "an import is undone");
  }
  assert.equal(await page.title(), "Claimgauge playground");
});

test("a hostile file changes nothing, or only the fields", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("mine");
  await openDrawer(page);
  const bring = (name, text) => page.locator("#import").setInputFiles({ name, mimeType: "", buffer: Buffer.from(text) });
  for (const [name, text, why] of [
    ["new.json", JSON.stringify({ claimgauge: { format: 2 } }), "it has format 2"],
    ["deep.json", `{"claimgauge":${"[".repeat(200_000)}`, "cannot be read"],
    ["big.json", "x".repeat(4_000_001), "larger than 4 MB"],
    ["b.csv", "kind,id,source,text\nspan,\"", "quoted cell"],
    ["b.md", "# Something else", "no file that this page has exported"],
    ["b.json", Buffer.from([0, 159, 146, 150]), "not text"],
    ["c.json", "{nonsense", "cannot be read: it was cut or changed"],
    ["d.json", "{}", "cannot be read: it was cut or changed"],
  ]) {
    await bring(name, text);
    const fault = page.locator("#drawer .fault", { hasText: why });
    await fault.waitFor();
    // In words of a user, where the file was picked.
    assert.doesNotMatch(await fault.innerText(), /column|field/);
    const [said, picker] = await Promise.all([fault, page.locator("#import")].map((it) => it.boundingBox()));
    assert.ok(said.y - (picker.y + picker.height) < 40, `${said.y} after ${picker.y}`);
  }
  const field = HOSTILE;
  await bring("bad.json", JSON.stringify({
    claimgauge: {
      format: 1, claims: field, profile: field, recording: field, example: field, baseUrl: field, model: field,
      evidence: [{ id: field, source: field, text: field }], judge: "builtin", __proto__: { polluted: true },
    },
  }));
  await page.getByText("The file was imported.").waitFor();
  assert.deepEqual(await texts(page), [field]);
  await app.run();
  await page.locator(".fault:not(:empty), .results").first().waitFor();
  await page.waitForTimeout(300);
  await openDrawer(page);
  assert.equal(await page.title(), "Claimgauge playground");
  assert.equal(await page.locator("main img, main script, dialog img, dialog script").count(), 0);
});

test("runs are kept, opened, compared and removed", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
  await app.judge("Built-in");
  await app.claims("Table users contains field email with data type VARCHAR and length 254");
  await app.run();
  await page.locator(".results:not(.outdated)").waitFor();
  const second = await app.statuses();
  await app.endpoint({ baseUrl: "https://me:hunter2@api.example.com/v1", key: "hunter2" });

  await openDrawer(page);
  const runs = page.locator(".run");
  await runs.nth(1).waitFor();
  assert.equal(await runs.count(), 2);
  assert.match(await runs.first().innerText(), /judge: built-in/);
  for (const at of [0, 1]) await runs.nth(at).getByRole("checkbox").check();
  const rows = page.locator(".compared tbody tr");
  assert.equal(await rows.count(), 2);
  assert.match(await rows.first().innerText(), /255[\s\S]*VERIFIED[\s\S]*0\.65[\s\S]*not in it/);
  assert.ok((await rows.nth(1).innerText()).includes(second[0]));
  const heads = await page.locator(".compared thead th").allInnerTexts();
  assert.match(heads[1], /^Older[\s\S]*PROCEED, judge: recorded/);
  assert.match(heads[2], /^Newer[\s\S]*, judge: built-in/);

  await runs.nth(1).getByRole("button", { name: /^Open/ }).click();
  await closed(page);
  await page.getByText("The run was opened.").waitFor();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
  assert.equal(await page.locator(".results.outdated").count(), 0);
  assert.equal(await page.locator("#api-key").count(), 0);

  await page.reload();
  await page.locator("#run").waitFor();
  await openDrawer(page);
  await runs.nth(1).waitFor();
  await runs.first().getByRole("button", { name: /^Remove/ }).click();
  await page.getByText("The run was removed.").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".run").length === 1);
  await page.locator("#clear-runs").click();
  await page.getByRole("button", { name: "Really remove all 1?" }).click();
  await page.getByText("No run is kept yet.", { exact: true }).waitFor();
});

test("runs are kept no more when somebody says so, until they say otherwise", async (t) => {
  const app = await open(t);
  const { page } = app;
  const judged = async (claim) => {
    await app.claims(claim);
    await app.judge("Built-in");
    await app.run();
    await page.locator(".results:not(.outdated)").waitFor();
    await app.statuses();
    await openDrawer(page);
  };
  const runs = page.locator(".run");
  await judged("Port 1 is open");
  await runs.first().waitFor();
  await page.locator("#keep-runs").uncheck();
  await page.getByText("No further run is kept.").waitFor();
  await page.keyboard.press("Escape");
  await judged("Port 2 is open");
  await page.reload();
  await page.locator("#run").waitFor();
  await openDrawer(page);
  await runs.first().waitFor();
  assert.equal(await runs.count(), 1);
  assert.equal(await page.locator("#keep-runs").isChecked(), false);
  await page.locator("#keep-runs").check();
  await page.keyboard.press("Escape");
  await judged("Port 3 is open");
  await runs.nth(1).waitFor();
  assert.match(await runs.first().innerText(), /Port 3/);
});

test("no key is kept with a run", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.endpoint({ baseUrl: "http://127.0.0.1:9/v1", key: "hunter2" });
  await app.run();
  await app.statuses(60_000);
  await openDrawer(page);
  await page.locator(".run").waitFor();
  const kept = await page.evaluate(async () => {
    const database = await new Promise((resolve) => {
      const request = indexedDB.open("claimgauge.history");
      request.onsuccess = () => resolve(request.result);
    });
    const read = (store) => new Promise((resolve) => {
      const request = database.transaction(store).objectStore(store).getAll();
      request.onsuccess = () => resolve(request.result.join());
    });
    return (await read("entries")) + (await read("runs"));
  });
  assert.match(kept, /127\.0\.0\.1:9/);
  assert.doesNotMatch(kept, /hunter2/);
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1280]) {
    test(`everybody can use gallery, inputs and drawer: ${colorScheme} at ${width} pixels`, async (t) => {
      const app = await open(t, { colorScheme, reducedMotion: "reduce", viewport: { width, height: 800 } });
      const { page } = app;
      const look = async (name) => {
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
        const [all, seen] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.querySelector("dialog[open]") ?? document.documentElement;
          return [scrollWidth, clientWidth];
        });
        assert.equal(all, seen, `${name}: nothing sticks out to the side`);
        assert.deepEqual(await app.violations(), [], name);
      };
      await page.locator("#gallery").click();
      await page.locator(".gallery .example").first().waitFor();
      await look("gallery");
      await page.locator("#gallery").click();
      await app.evidence("");
      await app.pasteInto(".span textarea", "S0: The port is 8080.\nS1 (docs): It is open.");
      await page.getByRole("button", { name: "Split it" }).waitFor();
      await app.claims("The port is 8080 [S0]\nIt is open [S4]");
      await page.locator(".unknowns li").waitFor();
      await page.locator("#claims").scrollIntoViewIfNeeded();
      await look("inputs");
      await app.judge("Built-in");
      for (const claims of ["The port is 8080", "The port is 8081"]) {
        await app.claims(claims);
        await app.run();
        await page.locator(".results:not(.outdated)").waitFor();
      }
      await openDrawer(page);
      await page.locator(".run").nth(1).waitFor();
      await look("drawer");
      for (const at of [0, 1]) await page.locator(".run").nth(at).getByRole("checkbox").check();
      await page.locator(".compared").scrollIntoViewIfNeeded();
      await look("compared");
      await page.keyboard.press("Escape");
      await closed(page);
      await page.locator("#run").focus();
      await page.keyboard.press("?");
      await look("keys");
    });
  }
}
