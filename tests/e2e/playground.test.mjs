// The playground as a person uses it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root, useBrowser } from "./support/page.mjs";

const open = useBrowser();
const examples = JSON.parse(await readFile(join(root, "tests/vectors/examples.json"), "utf8"));

test("the worked example is there at first sight, and its recording gives VERIFIED", async (t) => {
  const app = await open(t);
  assert.equal(await app.page.locator("#claims").inputValue(), `${examples[0].request.claims[0].text}\n`);
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
  assert.equal(await app.recommendation(), "PROCEED");
  const report = await app.report();
  assert.equal(report.claims[0].delta, 0.65);
  assert.equal(report.claims[0].full.raw[0], examples[0].recording[1].text);

  const gauge = await app.page.locator(".gauge [role=img]").getAttribute("aria-label");
  assert.match(gauge, /0\.30 without the names, 0\.95 with the evidence, delta 0\.65/);

  await app.page.getByRole("button", { name: "Copy Markdown" }).click();
  await app.page.getByText("The Markdown was copied.").waitFor();
  const markdown = await app.page.evaluate(() => navigator.clipboard.readText());
  assert.match(markdown, /^### Strawberry Verification Report\n/);
  assert.match(markdown, /\| 0\.30 \| 0\.95 \| 0\.65 \| VERIFIED \|/);
});

test("each example comes out as it says", async (t) => {
  const app = await open(t);
  for (const example of examples) {
    await app.example(example.name);
    await app.run();
    assert.deepEqual(await app.statuses(), example.expected.statuses, example.name);
    // More evidence would not help a judge that says nothing: there the page speaks of the judge.
    const heading = example.name === "unreadable" ? "CHECK_THE_JUDGE" : example.expected.recommendation;
    assert.equal((await app.recommendation()).replaceAll(" ", "_"), heading);
    // It looks as the worst of what it lets pass, and what it says of claims leads to them.
    if (heading === "PROCEED") await app.page.locator(`.banner.tone-${example.expected.statuses.includes("PLAUSIBLE") ? "plausible" : "verified"}`).waitFor();
    const links = app.page.locator(".banner p a");
    const named = await links.evaluateAll((all) => all.map((it) => document.querySelector(it.hash)?.innerText.startsWith(it.innerText)));
    assert.ok(named.length > 0 && named.every(Boolean), example.name);
  }
});

test("pasted text is scrubbed as it is typed, and each placeholder leads to what it hides", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("The table orders has a column total.", "orders.total is DECIMAL(10, 2).");
  await app.claims("Table orders has the column total [S0]");
  const orders = page.getByRole("button", { name: /hides orders$/ });
  await orders.first().waitFor();
  assert.doesNotMatch(await page.locator(".scrubbed").innerText(), /orders|total/);
  assert.equal(await orders.count(), 2, "one for each place");
  await orders.first().hover();
  assert.match(await page.locator(".lens").innerText(), /hides\s+orders\s+table, 2 places: a claim names it/);
  assert.equal(await page.locator(".scrubbed .mark.lit").count(), 2, "all its places light up");

  await orders.first().focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".lens").innerText(), /hides\s+total\s/);

  await page.getByRole("radio", { name: "Merged" }).check();
  assert.match(await page.locator(".scrubbed").innerText(), /orders/);
  assert.match(await page.locator(".removed").innerText(), /removed (\d+) of \1 terms/);
});

test("after an example was cleared one's own text is judged, and undoing brings the example back", async (t) => {
  const app = await open(t);
  const { page } = app;
  const caption = page.locator("#app .examples .about");
  const blank = "Pick one, or put your own text below.";
  const { lesson } = examples.find(({ name }) => name === "advisory");
  const judge = page.locator("[name=judge]:checked + span");
  await app.example("advisory");
  assert.ok((await caption.innerText()).startsWith(lesson));
  assert.equal(await judge.innerText(), "Recorded");

  await page.locator("#clear").click();
  assert.equal(await caption.innerText(), blank);
  assert.equal(await judge.innerText(), "Built-in");
  await page.locator("#undo").click();
  assert.equal(await caption.innerText(), lesson);
  assert.equal(await judge.innerText(), "Recorded");
  // Of other claims or evidence it says nothing.
  for (const field of ["#claims", ".span textarea"]) {
    const text = await page.locator(field).first().inputValue();
    await page.locator(field).first().fill(`${text} and more`);
    await page.getByText(blank).waitFor();
    await page.locator(field).first().fill(text);
    await page.getByText(lesson).waitFor();
  }
  // Of what another judge says, neither.
  await app.judge("Built-in");
  await page.getByText(`By its own judge: ${lesson}`).waitFor();
  await app.judge("Recorded");
  await page.getByText(lesson, { exact: true }).waitFor();
  await app.run();
  assert.deepEqual(await app.statuses(), examples.find(({ name }) => name === "advisory").expected.statuses);

  await page.locator("#clear").click();
  await page.locator(".span textarea").fill("The server listens on port 8080 by default.");
  await app.claims("The server listens on port 9090 by default");
  await app.run();
  assert.deepEqual(await app.statuses(), ["UNSUPPORTED"]);

  // A judge that can judge any text stays.
  await app.judge("Model server");
  await page.locator("#clear").click();
  assert.equal(await judge.innerText(), "Model server");
});

test("what is typed after everything was cleared is scrubbed and shown again", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("");
  await app.pasteInto(".span textarea", `${"The table orders has a column total.\n".repeat(800)}And here it ends.`);
  await app.claims("Table orders has the column total");
  // What is looked at is far from the beginning.
  await page.waitForFunction(() => {
    const scroller = document.querySelector(".scrubbed");
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
    return scroller?.innerText.includes("here it ends");
  });
  await page.locator("#clear").click();
  await page.locator(".scrubbed .mark").first().waitFor({ state: "detached" });
  await page.locator(".span textarea").fill("The table orders has a column total.");
  await app.claims("Table orders has the column total");
  await page.getByRole("button", { name: /hides orders$/ }).first().waitFor();
});

test("the built-in judge answers without a key and without the network", async (t) => {
  const app = await open(t);
  const requests = [];
  // Other text under the recorded judge has a notice, which is loaded.
  await app.judge("Built-in");
  await app.evidence("The server listens on port 8080 by default.");
  await app.claims("The server listens on port 9090 by default");
  app.page.on("request", (request) => requests.push(request.url()));
  await app.run();
  assert.deepEqual(await app.statuses(), ["UNSUPPORTED"]);
  assert.equal(await app.recommendation(), "STOP");
  assert.equal((await app.report()).claims[0].full.basis, "builtin");
  assert.match(await app.page.locator(".pass").first().innerText(), /built-in, asked once/);
  const opinion = app.page.locator(".atoms");
  assert.match(await opinion.innerText(), /9090\s+where the evidence has 8080/);
  const asked = requests.map((url) => new URL(url).pathname);
  const first = ["/results.css", "/claimgauge-web_split_later.wasm", "/worker.js", "/claimgauge-judge.js", "/claimgauge-judge_bg.wasm"];
  assert.deepEqual(asked, first, "what the page does not need before, and a program of its own, once");

  await app.claims("The server listens on port 8080 by default");
  await app.run();
  await app.page.locator(".results:not(.outdated)").waitFor();
  assert.equal(requests.length, first.length, "nothing else, ever");
});

test("what is missing is said beside the field, and nothing typed is lost", async (t) => {
  const app = await open(t);
  await app.claims("");
  await app.run();
  assert.match(await app.fault("claims"), /no claim yet/);
  assert.equal(await app.page.locator("#claims").getAttribute("aria-invalid"), "true");
  await app.claims("It is so");
  await app.page.locator("#fault-claims:empty").waitFor({ state: "attached" });

  await app.page.getByLabel("Id of span S1").fill("S0");
  await app.run();
  assert.match(await app.fault("span-1"), /"S0" is given twice/);

  await app.page.getByLabel("Id of span").nth(1).fill("S1");
  const recording = app.page.locator("#recording");
  assert.ok(!(await recording.isVisible()), "an example's own recording is folded");
  await app.page.getByText("Recording of this example").click();
  await recording.fill("[{");
  await app.run();
  assert.match(await app.fault("recording"), /cannot be read: .* line 1/);
  assert.equal(await app.page.locator("#recording").inputValue(), "[{");
});

test("a gauge shows what is asked for, and no more", async (t) => {
  const app = await open(t);
  const { page } = app;
  const gauge = page.locator(".gauge");
  const needs = gauge.locator(".needs");
  await app.run();
  await app.statuses();
  assert.match(await needs.innerText(), /VERIFIED asks for 0\.80 with the full evidence/);
  assert.equal(await gauge.locator(".least").count(), 0, "no delta is asked for, and none is drawn");
  assert.equal(await gauge.locator(".enough").count(), 2, "what is enough of the confidence is");
  assert.match(await gauge.innerText(), /No delta is asked for, since the scrubbed pass could not tell/);

  await app.example("known-anyway");
  await app.run();
  await app.statuses();
  assert.match(await needs.innerText(), /from 0\.93 that would need 1\.18: out of reach/);
  assert.equal(await gauge.locator(".beyond").count(), 2);
  const heights = (part) => gauge.locator(`[role=img] ${part}`).evaluateAll((parts) =>
    parts.map((it) => it.getBBox()).map(({ y, height }) => y + height / 2),
  );
  const [bar] = await heights(".groove");
  assert.deepEqual(await heights("circle"), [bar, bar], "both dots lie on the bar, close as they are");
  assert.match(await gauge.innerText(), /Band: the least delta/);
  const starts = await gauge.locator(".legend > span").first().evaluate((line) => {
    const words = document.createRange();
    words.selectNodeContents([...line.childNodes].find((it) => it.data?.trim()));
    return [...words.getClientRects()].map(({ left }) => Math.round(left));
  });
  assert.ok(starts.length > 1 && new Set(starts).size === 1, `the legend's lines hang: ${starts}`);

  await app.example("half-said");
  await app.run();
  await app.statuses();
  const bands = await gauge.locator(".least").evaluateAll((bands) => bands.map((it) => getComputedStyle(it).fill));
  const key = await gauge.locator(".key.band").evaluate((it) => getComputedStyle(it).backgroundImage);
  assert.equal(new Set(bands).size, 2, "one is met, one is not");
  for (const colour of bands) assert.ok(key.includes(colour), `${colour} in the legend's ${key}`);

  await app.example("advisory");
  await app.run();
  await app.statuses();
  const contradicted = gauge.last();
  assert.match(await contradicted.innerText(), /Delta 0\.51, not read here: the full evidence contradicts the claim/);
  assert.equal(await contradicted.locator(".needs, .delta-value").count(), 0);
  const captions = await page.locator(".measured > figure:not(.gauge) > figcaption").allInnerTexts();
  assert.match(captions.at(-1), /^High: sure that the evidence contradicts the claim/);
});

test("a result that is not that of the inputs is dimmed, and says why", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.run();
  await app.statuses();
  const banner = page.locator(".banner");
  const opacity = () => banner.evaluate((it) => Number(getComputedStyle(it).opacity));
  assert.equal(await opacity(), 1);

  await app.claims("Another claim");
  const note = page.locator(".outdated .stale");
  await note.waitFor();
  assert.equal((await note.innerText()).trim(), "Something was changed since this run.");
  assert.ok((await note.boundingBox()).y < (await banner.boundingBox()).y, "it stands above the old verdict");
  assert.ok((await opacity()) < 1);

  await app.run();
  await page.locator(".results:not(.outdated)").waitFor();
  assert.equal(await opacity(), 1);

  const claims = await page.locator("#claims").inputValue();
  await app.claims("");
  await app.run();
  await app.fault("claims");
  assert.ok((await opacity()) < 1, "a refused start leaves an old result");
  await app.claims(claims);
  await page.locator(".results:not(.outdated)").waitFor();
});

test("where the judge is the trouble, the banner says so, and asks for evidence only where another claim may need it", async (t) => {
  const app = await open(t);
  const banner = app.page.locator(".banner");
  await app.example("unreadable");
  await app.run();
  assert.deepEqual(await app.statuses(), ["INCONCLUSIVE"]);
  assert.equal(await app.recommendation(), "CHECK THE JUDGE");
  assert.match(await banner.innerText(), /on C0: check the judge and run again\./);
  assert.doesNotMatch(await banner.innerText(), /evidence/i);
  // There is no confidence that thresholds could be held against.
  assert.equal(await app.page.locator(".levels, .comparison").count(), 0);
  // Each pass counts its own replies, the banner those of both.
  assert.match(await banner.innerText(), /judge asked 6 times in all/);
  assert.match(await app.page.locator(".pass").first().innerText(), /in 3 replies[^]*asked 3 times/);
  assert.match(await app.fault("judge"), /in 3 replies\. The same is true of 2 passes in all;/);

  await app.example("advisory");
  const [first] = (await app.page.locator("#claims").inputValue()).split("\n");
  await app.claims(`${first}\nNo reply was recorded to this`);
  await app.run();
  await app.page.locator(".results:not(.outdated)").waitFor();
  assert.deepEqual(await app.statuses(), ["VERIFIED", "INCONCLUSIVE"]);
  assert.equal(await app.recommendation(), "GATHER MORE EVIDENCE");
  assert.match(await banner.innerText(), /on C1: check the judge and run again\./);
});

test("a reload keeps what was typed, but no key", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("First span.", "Second span.");
  await app.claims("It is the first [S0]");
  await app.profile("security");
  await app.endpoint({ baseUrl: "http://127.0.0.1:9/v1", model: "m-1", key: "secret-key" });
  await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("m-1"));
  assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage }))).includes("secret-key"));

  await page.reload();
  await page.locator("#run").waitFor();
  assert.equal(await page.locator(".span textarea").nth(1).inputValue(), "Second span.");
  assert.equal(await page.locator("#claims").inputValue(), "It is the first [S0]");
  assert.ok(await page.getByRole("radio", { name: "security" }).isChecked());
  assert.equal(await page.locator("#model").inputValue(), "m-1");
  assert.equal(await page.locator("#api-key").inputValue(), "");
});

test("an example that replaced one's own text can be undone", async (t) => {
  const app = await open(t);
  await app.claims("My own claim");
  await app.example("advisory");
  assert.match(await app.page.locator("#claims").inputValue(), /CVE-2021-44228/);
  await app.page.getByRole("button", { name: "Bring back what was there" }).click();
  assert.equal(await app.page.locator("#claims").inputValue(), "My own claim");
});

test("a megabyte of evidence neither freezes the page nor breaks it", async (t) => {
  const app = await open(t);
  const line = "The table users has a column email_7 of VARCHAR(255); see https://example.com/a/b?c=1.\n";
  const text = line.repeat(Math.ceil(1_000_000 / line.length));
  await app.evidence("");
  await app.claims("Table users has email_7");
  await app.judge("Built-in");
  const start = Date.now();
  await app.page.locator(".span textarea").first().evaluate((field, text) => {
    field.value = text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, text);
  await app.page.waitForFunction(() => document.querySelector(".scrubbed")?.scrollHeight > 100_000, null, { timeout: 20_000 });
  const seconds = (Date.now() - start) / 1000;
  t.diagnostic(`1 MB: pasted, scrubbed and drawn in ${seconds.toFixed(2)} s`);
  assert.ok(seconds < 8, `${seconds} s`);
  await app.run();
  assert.equal((await app.statuses()).length, 1);
});

test("hostile text stays text", async (t) => {
  const app = await open(t);
  const bad = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
  await app.evidence(bad);
  await app.claims(bad);
  await app.judge("Built-in");
  await app.run();
  await app.statuses();
  assert.equal(await app.page.title(), "Claimgauge playground");
  assert.equal(await app.page.locator("main img, main script").count(), 0);
});

test("the keyboard alone runs and cancels", async (t) => {
  const app = await open(t);
  await app.page.locator("#claims").focus();
  await app.page.keyboard.press("Control+Enter");
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
  assert.equal(await app.page.evaluate(() => document.activeElement.id), "claims", "the focus stays");
});

test("where the browser does not let a page copy, the report is there to be copied by hand", async (t) => {
  const app = await open(t);
  await app.page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  });
  await app.run();
  await app.statuses();
  await app.page.getByRole("button", { name: "Copy Markdown" }).click();
  const field = app.page.getByLabel("Text to copy");
  await field.waitFor();
  assert.match(await field.inputValue(), /^### Strawberry Verification Report/);
  assert.ok(await field.evaluate((it) => document.activeElement === it && it.selectionEnd === it.value.length));
});

test("a playground that cannot be loaded says so", async (t) => {
  const app = await open(t);
  const page = await app.page.context().newPage();
  await page.route("**/*_bg.wasm", (route) => route.abort());
  await page.goto(app.page.url());
  const trouble = page.locator("#trouble");
  await trouble.waitFor();
  assert.match(await trouble.innerText(), /could not be loaded\. Is there a network\?/);
  // What works is not told to be missing.
  await page.unroute("**/*_bg.wasm");
  await page.getByRole("link", { name: "Agents’ outputs" }).click();
  await page.locator("#outputs-check").waitFor();
  await trouble.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Claims" }).click();
  await page.locator("#run").waitFor();
  assert.ok(await trouble.isHidden());
});

test("a browser without WebAssembly is told to be what is missing", async (t) => {
  const app = await open(t);
  const page = await app.page.context().newPage();
  await page.addInitScript(() => delete globalThis.WebAssembly);
  await page.goto(app.page.url());
  await page.locator("#trouble", { hasText: "WebAssembly switched off" }).waitFor();
  assert.doesNotMatch(await page.locator("#trouble").innerText(), /network/);
});

test("a part of the page that cannot be loaded says so, and is tried again", async (t) => {
  const app = await open(t, { allow: /Failed to load resource|Failed to fetch/ });
  const { page } = app;
  const part = "**/*_later.wasm";
  await page.route(part, (route) => route.abort());
  await app.run();
  assert.match(await app.fault("judge"), /A part of the page could not be loaded/);
  assert.ok(await page.locator("#cancel").isDisabled(), "nothing runs");
  await page.locator("#gallery").click();
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute(part);
  await again.click();
  await page.locator('#app [data-example="worked"]').waitFor();
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
});

test("a judge's program that cannot be loaded ends the run, and is tried again", async (t) => {
  const app = await open(t, { allow: /Failed to load resource|Failed to fetch/ });
  const { page } = app;
  for (const file of ["worker.js", "claimgauge-judge.js", "claimgauge-judge_bg.wasm"]) {
    await page.route(`**/${file}`, (route) => route.abort());
    await app.run();
    assert.match(await app.fault("judge"), /could not be loaded: is there a network\?[^]* Run again;/, file);
    assert.ok(await page.locator("#cancel").isDisabled(), "nothing runs");
    assert.ok(await page.locator("#trouble").isHidden());
    await page.unroute(`**/${file}`);
  }
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
  assert.equal(await page.locator("#fault-judge").innerText(), "");
});

test("a run whose judge is still on its way says so, and can be cancelled", async (t) => {
  const app = await open(t);
  const { page } = app;
  const held = [];
  await page.route("**/claimgauge-judge_bg.wasm", (route) => held.push(route));
  await app.run();
  await page.locator(".progress [role=status]").getByText("Loading the judge …").waitFor();
  assert.equal(await page.locator(".progress progress").evaluate((it) => it.position), -1, "nobody knows how far it is");
  await page.locator("#cancel").click();
  await page.locator(".progress").waitFor({ state: "detached" });
  await app.run();
  for (const route of held) await route.continue();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
});

test("a message's link leads to the field that it is about", async (t) => {
  const app = await open(t, { viewport: { width: 360, height: 640 } });
  const { page } = app;
  await app.claims("");
  await app.run();
  await page.getByRole("link", { name: "Message at the claims" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "claims");
  const seen = await page.locator("#claims, #fault-claims, .run-bar").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top));
  assert.ok(seen[0] >= 0 && seen.every((top) => top <= seen[2]), seen.join(", "));
});

test("a claim that no judge was asked about says what to do about it", async (t) => {
  const app = await open(t);
  await app.judge("Built-in");
  await app.claims("The table users has an email [S99]");
  await app.run();
  assert.deepEqual(await app.statuses(), ["INCONCLUSIVE"]);
  assert.equal(await app.page.locator(".finding .action").innerText(), "Correct the citation and run again");
  assert.equal(await app.recommendation(), "CORRECT THE CITATION");
  assert.match(await app.page.locator(".removed").innerText(), /not sent[^]*It cites a span that is not there/);
});

test("thousands of claims are scrubbed when they are pasted", async (t) => {
  const app = await open(t);
  const lines = Array.from({ length: 2000 }, (_, at) => `Table users_${at} has ${at} rows in config_${at}.yaml`);
  const started = Date.now();
  await app.pasteInto("#claims", lines.join("\n"));
  await app.page.getByText("C99", { exact: true }).waitFor();
  const took = Date.now() - started;
  assert.ok(took < 5000, `it took ${took} ms`);
});
