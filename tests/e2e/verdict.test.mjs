// The verdict, seen: the plane, the thresholds that move it, the places in the evidence, and recordings that do not
// answer for other text.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { lowContrast, root, useBrowser } from "./support/page.mjs";

const open = useBrowser();

/** Moves a slider as a keyboard does. */
async function slide(page, id, value) {
  await page.locator(`#${id}`).fill(String(value));
}

async function judged(app, example) {
  if (example !== undefined) await app.example(example);
  await app.run();
  return app.statuses();
}

/** Runs in the page: the page's own words that are drawn from right to left. */
function mirrored() {
  const quotes = "svg, pre, bdi, code, mark, q, s, .id, .source, .excerpts p > .aside, .scrubbed-text, textarea, option";
  const nodes = document.createTreeWalker(document.querySelector("#app"), NodeFilter.SHOW_TEXT);
  const turned = [];
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const { data, parentElement } = node;
    const words = [...data.matchAll(/[a-z]{3}/g)].map(({ index }) => index);
    if (words.length === 0 || parentElement.closest(quotes) || !parentElement.checkVisibility()) continue;
    // Of what was pasted, all but the words that the page puts into it.
    if (parentElement.closest(".words, .excerpt") && !parentElement.closest(".aside, .instead")) continue;
    const left = (at) => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    };
    if ([words[0], words.at(-1)].some((at) => left(at + 1) <= left(at))) turned.push(data);
  }
  return turned;
}

test("what turns text around it turns none of the page's own words", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("exe.\u202Etxt holds 5 lines, gateway_7 and port 8080", "The server\u2067 has 6 lines.");
  await page.locator(".span-source input").first().fill("guide \u202Efdp");
  await app.judge("Built-in");
  await app.claims("The file exe.\u202Etxt holds 7 lines\nThe server has 6 lines \u202Eand nothing [S0]\nIt is so [S\u202E9]");
  await page.locator(".removed li").nth(2).waitFor();
  assert.deepEqual(await page.evaluate(mirrored), []);
  await judged(app);
  await page.evaluate(() => document.querySelectorAll(".results details").forEach((it) => { it.open = true; }));
  await page.locator(".atom").first().waitFor();
  assert.deepEqual(await page.evaluate(mirrored), []);
  assert.match(await page.locator(".reasoning").allInnerTexts().then((all) => all.join("\n")), /\\u202e/);
});

test("text that is written from right to left stands so in its fields, and its head does not", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("השרת מאזין בפורט 8080.");
  await page.locator(".span-source input").first().fill("מדריך");
  await app.claims("השרת מאזין בפורט 8080");
  await page.locator(".scrubbed-head", { hasText: "מדריך" }).waitFor();
  const sides = await page.evaluate(() => {
    // How far the first word of a text is from its box's left edge, as a share of what it is wide.
    const start = (element) => {
      const range = document.createRange();
      const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      range.setStart(node, 0);
      range.setEnd(node, 1);
      const box = element.getBoundingClientRect();
      return (range.getBoundingClientRect().left - box.left) / box.width;
    };
    const left = (selector) => document.querySelector(selector).getBoundingClientRect().left;
    return {
      text: start(document.querySelector(".scrubbed-text")),
      head: left(".scrubbed-head .id") < left(".scrubbed-head .source"),
      fields: [".span textarea", "#claims", ".span-source input"].map((field) => getComputedStyle(document.querySelector(field)).unicodeBidi),
    };
  });
  assert.ok(sides.text > 0.5, `${sides.text}`);
  assert.ok(sides.head, "the id stands before the source");
  assert.deepEqual(sides.fields, ["plaintext", "plaintext", "plaintext"]);
});

test("the plane says in words and shows where the point lies", async (t) => {
  const app = await open(t);
  const { page } = app;
  await judged(app);
  const plane = page.getByRole("img", { name: /^A plane of confidences/ });
  assert.match(
    await plane.getAttribute("aria-label"),
    /without the names: 0\.30\. .*with the evidence: 0\.95\. The point lies in VERIFIED\./,
  );
  const names = await plane.locator(".name").allTextContents();
  assert.deepEqual(names.toSorted(), ["PLAUSIBLE", "UNSUPPORTED", "VERIFIED"], "after an unsure scrubbed pass");
  // The point is where the numbers say, and on the region of its status.
  const place = await plane.evaluate((svg) => {
    const point = svg.querySelector(".point");
    const [x, y] = [point.cx.baseVal.value, point.cy.baseVal.value];
    const on = [...svg.querySelectorAll(".region")].filter((region) => {
      const at = svg.createSVGPoint();
      [at.x, at.y] = [x, y];
      return region.isPointInFill(at);
    });
    return { x, y, on: on.map((region) => region.getAttribute("class")) };
  });
  assert.ok(Math.abs(place.x - (46 + 284 * 0.3)) < 0.2 && Math.abs(place.y - (14 + 284 * 0.05)) < 0.2, JSON.stringify(place));
  assert.equal(place.on.length, 1);
  assert.match(place.on[0], /tone-verified/);
  assert.match(await plane.locator(".edge.here").getAttribute("class"), /tone-verified/);

  await judged(app, "known-anyway");
  assert.deepEqual(
    (await plane.locator(".name").allTextContents()).toSorted(),
    ["PLAUSIBLE", "SUSPICIOUS", "UNSUPPORTED", "VERIFIED"],
  );
  assert.equal(await plane.locator(".region").count(), 4, "what has one status is one region");
  const order = await plane.evaluate((svg) => [...svg.children].map((it) => it.getAttribute("class")));
  assert.ok(order.indexOf("guide") < order.findIndex((it) => it?.startsWith("name ")), "no line strikes a name through");
  assert.match(await page.locator(".rule").innerText(), /the delta is below PLAUSIBLE’s\. delta_small/);
});

test("where the spans were redacted, nothing is said of names", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("email is of type VARCHAR", "The key is AKIAIOSFODNN7EXAMPLE");
  await app.claims("Type is VARCHAR\nIt is AKIAIOSFODNN7EXAMPLE");
  await app.judge("Built-in");
  const told = page.locator(".removed li");
  await told.nth(1).waitFor();
  for (const words of await told.allInnerTexts()) {
    assert.match(words, /removed 0 of .*No name of it could be taken out: the scrubbed pass gets the spans redacted/s);
    assert.doesNotMatch(words, /in the evidence/);
  }
  assert.match(await told.nth(1).innerText(), /Its secret is hidden in both passes/);
  await judged(app);
  const card = page.locator(".finding").first();
  assert.match(await card.innerText(), /Scrubbed pass\s*spans redacted/);
  assert.doesNotMatch(await card.innerText(), /names taken out|the names|its names/);
  assert.match(await card.locator(".why").innerText(), /the spans/);
  assert.match(await card.locator(".gauge [role=img]").getAttribute("aria-label"), /without the spans/);
});

test("what reads like instructions is named by its span", async (t) => {
  const app = await open(t);
  await judged(app, "injection");
  assert.match(await app.page.locator(".finding .notes").first().innerText(), /instruction_like a span reads like instructions to the judge: S\d/);
});

test("beside each other, the plane and the delta begin at one height", async (t) => {
  const app = await open(t);
  const { page } = app;
  for (const example of ["worked", "known-anyway", "advisory"]) {
    await judged(app, example);
    const apart = await page.locator(".measured").evaluateAll((rows) => rows.map((row) => {
      const frame = row.querySelector(".plane .frame").getBoundingClientRect().top;
      const words = document.createRange();
      words.selectNodeContents(row.querySelector(".gauge figcaption"));
      return Math.abs(frame - words.getBoundingClientRect().top);
    }));
    assert.ok(apart.every((pixels) => pixels < 12), `${example}: ${apart} pixels`);
  }
});

test("without two numbers there is no plane", async (t) => {
  const app = await open(t);
  assert.deepEqual(await judged(app, "unreadable"), ["INCONCLUSIVE"]);
  assert.equal(await app.page.locator(".plane").count(), 0);
});

test("thresholds move the statuses, and nobody is asked again", async (t) => {
  const app = await open(t);
  const { page } = app;
  assert.deepEqual(await judged(app, "known-anyway"), ["SUSPICIOUS"]);
  const before = await app.report();
  const status = (word) => page.locator(".finding .status", { hasText: word }).waitFor();

  await slide(page, "plausible-delta", 0.04);
  await status("PLAUSIBLE");
  await slide(page, "verified-delta", 0.05);
  await status("VERIFIED");
  assert.equal(await app.recommendation(), "PROCEED");
  await page.getByText("your own, over those of the profile documentation").waitFor();
  assert.match(await page.locator(".plane").getAttribute("aria-label"), /lies in VERIFIED/);

  // What is copied is what is shown, of the same replies.
  const after = await app.report();
  assert.equal(after.claims[0].status, "VERIFIED");
  assert.deepEqual(after.claims[0].full, before.claims[0].full);
  assert.deepEqual(after.cost, before.cost);
  assert.equal(await page.locator(".outdated").count(), 0);

  // VERIFIED cannot ask for less than PLAUSIBLE: one takes the other along.
  await slide(page, "plausible-full", 0.99);
  await status("UNSUPPORTED");
  assert.equal(await page.locator("#verified-full").inputValue(), "0.99");

  // A new run, and a reload, use them too.
  await app.run();
  assert.deepEqual(await app.statuses(), ["UNSUPPORTED"]);
  await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("0.99"));
  await page.reload();
  assert.deepEqual(await judged(app), ["UNSUPPORTED"]);

  await page.getByRole("button", { name: "Back to the profile’s" }).click();
  await status("SUSPICIOUS");
});

test("a slider that is dragged keeps what was opened, and the last place counts", async (t) => {
  const app = await open(t);
  const { page } = app;
  await judged(app, "advisory");
  await page.locator(".finding details summary", { hasText: "Replies as they came" }).first().click();
  const slider = page.locator("#verified-full");
  await slider.focus();
  for (let press = 0; press < 8; press++) await page.keyboard.press("ArrowRight");
  assert.equal(await slider.inputValue(), "0.98");
  await page.waitForFunction(() => [...document.querySelectorAll(".finding .status")].filter((it) => it.innerText.includes("PLAUSIBLE")).length === 2);
  assert.deepEqual(await app.statuses(), ["PLAUSIBLE", "PLAUSIBLE", "UNSUPPORTED"]);
  assert.ok(await slider.evaluate((it) => document.activeElement === it));
  assert.ok(await page.locator(".finding details[open] pre").first().isVisible());
});

test("the five profiles' thresholds are compared on the same passes", async (t) => {
  const app = await open(t);
  const { page } = app;
  await judged(app, "half-said");
  await page.getByText("By the thresholds of each profile").click();
  await page.locator(".comparison tbody").waitFor();
  const rows = await page.locator(".comparison tbody tr").allInnerTexts();
  const read = rows.map((row) => row.split(/\t|\n/).map((cell) => cell.trim()));
  assert.deepEqual(read, [
    ["strawberry", "0.80 / 0.30", "0.60 / 0.15", "PLAUSIBLE"],
    ["code", "0.80 / 0.30", "0.60 / 0.15", "PLAUSIBLE"],
    ["documentation (this run)", "0.75 / 0.25", "0.55 / 0.10", "PLAUSIBLE"],
    ["data", "0.85 / 0.35", "0.70 / 0.20", "SUSPICIOUS"],
    ["security", "0.90 / 0.40", "0.75 / 0.25", "UNSUPPORTED"],
  ]);
  assert.match(await page.locator(".comparison").innerText(), /These are the thresholds only/);
});

test("thresholds that were moved have a row of their own among the profiles'", async (t) => {
  const app = await open(t);
  const { page } = app;
  await judged(app);
  await page.getByText("By the thresholds of each profile").click();
  const row = (text) => page.locator(".comparison tbody tr", { hasText: text });
  const cells = async (text) => (await row(text).innerText()).split(/\t|\n/).map((cell) => cell.trim());
  assert.deepEqual(await cells("this run"), ["strawberry (this run)", "0.80 / 0.30", "0.60 / 0.15", "VERIFIED"]);

  await slide(page, "verified-full", 1);
  await row("moved thresholds").waitFor();
  assert.deepEqual(await cells("this run"), ["moved thresholds (this run)", "1.00 / 0.30", "0.60 / 0.15", "PLAUSIBLE"]);
  assert.deepEqual(await app.statuses(), ["PLAUSIBLE"]);
  assert.deepEqual(await cells("strawberry"), ["strawberry", "0.80 / 0.30", "0.60 / 0.15", "VERIFIED"]);
  assert.equal(await page.locator(".comparison .own").count(), 1, "one is this run's");

  await page.getByRole("button", { name: "Back to the profile’s" }).click();
  await row("moved thresholds").waitFor({ state: "detached" });
  assert.equal((await cells("this run"))[0], "strawberry (this run)");
});

test("a card says how many terms the scrub removed, as a sentence", async (t) => {
  const app = await open(t);
  await judged(app);
  const notes = await app.page.locator(".finding .notes li").allInnerTexts();
  assert.match(notes.at(-1), /^The scrub removed (\d+) of the claim’s \1 terms\.$/);
});

test("what the claim names is marked in the evidence, and what stands in its place", async (t) => {
  const app = await open(t);
  const { page } = app;
  await judged(app);
  const found = await page.locator(".excerpts mark.found").allInnerTexts();
  for (const word of ["users", "user", "email", "255"]) assert.ok(found.includes(word), `${word} in ${found}`);
  // The scrub counts three terms where this finds four: it says of which the scrub took nothing.
  assert.deepEqual(
    (await page.locator(".atom").allInnerTexts()).map((text) => text.trim()),
    ["users in S0", "email in S0", "VARCHAR in S0, left by the scrub", "255 in S0"],
  );

  await judged(app, "wrong-number");
  assert.match(await page.locator(".excerpts mark.rival").innerText(), /^100\b.* ≠ 500/);
});

test("a recording does not answer for other text, and the built-in judge is offered", async (t) => {
  const app = await open(t);
  const { page } = app;
  const notice = page.locator(".misfit");
  assert.equal(await notice.count(), 0);
  await app.claims("Table orders contains field total with data type DECIMAL");
  await notice.waitFor();
  assert.deepEqual(await judged(app), ["INCONCLUSIVE"]);
  assert.match(await app.fault("recording"), /given to another claim or other evidence/);
  assert.doesNotMatch(await page.locator(".banner").innerText(), /VERIFIED/);

  await notice.getByRole("button", { name: "Switch to the built-in judge" }).click();
  await notice.waitFor({ state: "detached" });
  await app.run();
  await page.locator(".results:not(.outdated)").waitFor();
  assert.deepEqual(await app.statuses(), ["UNSUPPORTED"]);

  const worked = JSON.parse(await readFile(join(root, "tests/vectors/examples.json"), "utf8"))[0];
  await app.example("worked");
  await app.evidence("users.name stores names, VARCHAR(80)");
  await notice.waitFor();
  // The same text typed again is what the replies were given to.
  await app.example("worked");
  await app.claims(`\n${worked.request.claims[0].text}`);
  await notice.waitFor({ state: "detached" });
  assert.deepEqual(await judged(app), ["VERIFIED"]);
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1280]) {
    test(`the verdict can be read by everybody: ${colorScheme} at ${width} pixels`, async (t) => {
      const app = await open(t, { colorScheme, viewport: { width, height: 900 }, reducedMotion: "reduce" });
      const { page } = app;
      for (const example of ["known-anyway", "wrong-number"]) {
        await judged(app, example);
        for (const summary of await page.locator(".comparison summary").all()) await summary.click();
        await page.locator(".comparison tbody").first().waitFor();
        assert.deepEqual(await app.violations(), [], example);
        assert.deepEqual(await page.evaluate(lowContrast), [], example);
        const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(sizes[0] <= sizes[1], `${example}: nothing sticks out to the side`);
      }
    });
  }
}
