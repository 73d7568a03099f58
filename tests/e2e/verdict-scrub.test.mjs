// The scrub, seen: its three views, words of one's own, what is sent before it is, and a text of any length.

import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeServer, worked } from "./support/judge-server.mjs";
import { lowContrast, useBrowser } from "./support/page.mjs";

const open = useBrowser();

const show = (page, name) => page.getByRole("radio", { name, exact: true }).check();

test("scrubbed, merged and side by side, and the choice is kept", async (t) => {
  const app = await open(t);
  const { page } = app;
  const scrubbed = page.locator(".scrubbed");
  await page.locator(".scrubbed .mark").first().waitFor();
  assert.match(await scrubbed.innerText(), /\[TABLE_1\]\.\[FIELD_1\]/);
  assert.doesNotMatch(await scrubbed.innerText(), /users/);
  await show(page, "Merged");
  assert.match(await scrubbed.innerText(), /users \[TABLE_1\]/);
  await show(page, "Side by side");
  const [full, without] = await page.locator(".scrubbed-span").first().locator(".scrubbed-text").allInnerTexts();
  assert.match(full, /^users\.email stores/);
  assert.match(without, /^\[TABLE_1\]\.\[FIELD_1\] stores/);
  await page.reload();
  await page.locator(".scrubbed .full").first().waitFor();
});

test("a placeholder lights its places, and the claim's words behind it", async (t) => {
  const app = await open(t);
  const { page } = app;
  const first = page.locator(".scrubbed .mark").first();
  await first.hover();
  await page.locator(".removed .lit").waitFor();
  assert.deepEqual(await page.locator(".removed .lit").allInnerTexts(), ["users"]);
  assert.match(await page.locator(".lens").innerText(), /\[TABLE_1\] hides\s+“?users/);
  // By keyboard: the preview is one stop, the arrows move within.
  await page.locator(".scrubbed").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.mark), "[FIELD_1]");
  await page.locator(".removed .lit", { hasText: "email" }).waitFor();
  assert.deepEqual(await page.locator(".removed .lit").allInnerTexts(), ["email"]);
});

test("a clicked word is hidden as the kind that is chosen, and shown again", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("The frobnicator sends Retry-After to each client.");
  await app.claims("Clients wait");
  const text = page.locator(".scrubbed-text");
  await text.getByText("frobnicator").waitFor();
  const click = async (word) => {
    const place = await text.evaluate((it, word) => {
      const node = [...it.childNodes].find((child) => child.data?.includes(word));
      const range = document.createRange();
      const at = node.data.indexOf(word) + 2;
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }, word);
    await page.mouse.click(place.x, place.y);
    await page.waitForFunction((word) => document.querySelector("#own-name")?.value === word, word);
  };
  await click("sends");
  await page.locator("#own-kind").selectOption("CLASS");
  await click("frobnicator");
  assert.equal(await page.locator("#own-kind").inputValue(), "CLASS", "the form is the same");
  await page.getByRole("button", { name: "Hide it" }).click();
  await page.locator('[data-mark="[CLASS_1]"]').first().waitFor();
  assert.doesNotMatch(await text.innerText(), /frobnicator/);
  await page.locator('[data-mark="[CLASS_1]"]').first().hover();
  assert.match(await page.locator(".lens").innerText(), /class, one place: you named it/);

  // Typed, by keyboard alone, and kept; what is hidden is open to be shown again.
  const fold = page.locator(".own-names > summary");
  await fold.focus();
  await page.keyboard.press("Enter");
  await page.locator("#own-name").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.locator("#own-name").focus();
  await page.keyboard.type("retry-after");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Show retry-after again" }).waitFor();
  await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("retry-after"));
  await page.reload();
  await page.getByRole("button", { name: "Show frobnicator again" }).focus();
  await page.keyboard.press("Enter");
  await text.getByText("frobnicator").waitFor();
  assert.doesNotMatch(await text.innerText(), /Retry-After/);

  // It goes with the text that it was hidden in, and comes back with it.
  const again = page.getByRole("button", { name: "Show retry-after again" });
  await page.locator("#clear").click();
  await again.waitFor({ state: "detached" });
  await page.locator("#undo").click();
  await again.waitFor();
});

test("a run hides the same words as the preview", async (t) => {
  const app = await open(t);
  const { page } = app;
  await page.locator(".own-names > summary").click();
  await page.locator("#own-name").fill("addresses");
  await page.keyboard.press("Enter");
  await page.locator(".scrubbed .mark", { hasText: "TABLE_2" }).or(page.locator('[aria-label$="hides addresses"]')).first().waitFor();
  await app.run();
  await app.statuses();
  const report = await app.report();
  const own = report.scrub.replacements.filter(({ why }) => why === "glossary");
  assert.deepEqual(own.map(({ text }) => text), ["addresses"]);
});

test("the prompts, their cost and where they go are shown before anything is sent", async (t) => {
  const server = await judgeServer(t, worked);
  const app = await open(t);
  const { page } = app;
  const summary = page.locator("#sending");
  assert.equal(await summary.innerText(), "nothing leaves this page");
  await app.endpoint({ baseUrl: server.baseUrl });
  await page.waitForFunction((host) => document.querySelector("#sending")?.innerText === `to ${host}`, server.host);
  await summary.click();
  await page.waitForFunction((host) => new RegExp(`^2 calls, about \\d+ tokens, to ${host}$`).test(document.querySelector("#sending")?.innerText), server.host);
  assert.equal(server.questions.length, 0, "it was only counted");

  const prompt = (pass) => page.getByRole("region", { name: `Prompt of the ${pass} pass` }).locator("pre");
  const shown = [await prompt("scrubbed").innerText(), await prompt("full").innerText()];
  assert.deepEqual(await page.locator(".prompts .pass h3").evaluateAll((heads) => heads.map((it) => it.firstChild.data)), ["Scrubbed pass", "Full pass"]);
  const rules = await page.locator(".prompts > pre").innerText();
  assert.match(shown[1], /users\.email/);
  assert.doesNotMatch(shown[0].split("</evidence")[0], /users/);

  await app.run();
  await app.statuses();
  const sent = server.questions.map(({ body }) => body.messages.map(({ content }) => content));
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  assert.deepEqual(
    sent.map((messages) => messages.map(plain)).toSorted(),
    shown.map((text) => [plain(rules), plain(text)]).toSorted(),
    "word for word what was shown",
  );
});

test("the prompts of any claim can be read", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.example("advisory");
  await page.locator("#sending").click();
  await page.locator("#sending-claim").selectOption("C2");
  await page.locator(".prompts pre", { hasText: "needs an authenticated user" }).first().waitFor();
  assert.match(await page.locator("#sending").innerText(), /^6 calls, about \d+ tokens, nothing leaves this page$/);
});

const LINE = "The table users_17 has a column email_address of type VARCHAR(255), see config/app.yaml line 42.\n";

test("of a long text what is on the screen is drawn, wherever one scrolls", async (t) => {
  const app = await open(t);
  const { page } = app;
  const lines = Array.from({ length: 2000 }, (_, at) => `Row ${at}: ${LINE}`);
  await app.evidence("");
  await app.claims("Table users_17 has the column email_address");
  await app.pasteInto(".span textarea", lines.join(""));
  const marks = page.locator(".scrubbed .mark");
  await page.waitForFunction(() => document.querySelector(".scrubbed")?.scrollHeight > 20_000);
  assert.ok((await marks.count()) < 400, `${await marks.count()} marks are drawn`);

  const scroller = page.locator(".scrubbed");
  for (const part of [0.5, 1, 0.2]) {
    await scroller.evaluate((it, to) => it.scrollTo(0, it.scrollHeight * to), part);
    await page.waitForFunction(() => {
      const { top, bottom, left } = document.querySelector(".scrubbed").getBoundingClientRect();
      const drawn = [...document.querySelectorAll(".scrubbed-span")].map((it) => it.getBoundingClientRect());
      return drawn.some((it) => it.top <= top + 8) && drawn.some((it) => it.bottom >= bottom - 40) && left >= 0;
    });
    assert.ok((await page.locator(".scrubbed .mark").count()) < 400);
  }
  const shown = await scroller.innerText();
  assert.match(shown, /\[TABLE_1\]/);
});

/** What the main thread does for each of sixteen keys at the end of the field with the focus, in milliseconds, and what of it is script. */
async function typed(page) {
  await page.keyboard.press("Control+End");
  const session = await page.context().newCDPSession(page);
  // The thread's own time: other suites may be busy on the machine.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name) => metrics.find((metric) => metric.name === name).value * 1000;
    return { task: of("TaskDuration"), script: of("ScriptDuration") };
  };
  const keys = [];
  let before = await spent();
  for (const key of "Sixteen keys now") {
    await page.keyboard.press(key === " " ? "Space" : key);
    // Long enough for the pause after which the inputs are kept and scrubbed.
    await page.waitForTimeout(160);
    const now = await spent();
    keys.push({ task: now.task - before.task, script: now.script - before.script });
    before = now;
  }
  const at = (name, share) => keys.map((key) => key[name]).toSorted((a, b) => a - b)[Math.floor((keys.length - 1) * share)];
  return { task: [at("task", 0.5), at("task", 0.95)], script: [at("script", 0.5), at("script", 0.95)] };
}

test("typing into 200 KB of evidence leaves the page free", async (t) => {
  const app = await open(t);
  const { page } = app;
  const text = LINE.repeat(Math.ceil(200_000 / LINE.length));
  await app.evidence("");
  await app.claims("Table users_17 has the column email_address");
  await app.pasteInto(".span textarea", text);
  await page.locator(".scrubbed .mark").first().waitFor();
  await page.locator(".span textarea").focus();
  const ours = await typed(page);

  // What the browser does by itself for a key in so long a text.
  const bare = await page.context().newPage();
  await bare.setContent("<textarea rows=20 cols=70></textarea>");
  await bare.locator("textarea").evaluate((it, text) => (it.value = text), text);
  await bare.locator("textarea").focus();
  const alone = await typed(bare);

  const shown = ([median, most]) => `${median.toFixed(1)} ms, 95 % under ${most.toFixed(1)}`;
  t.diagnostic(`a key in 200 KB, scrubbed: the page's code ${shown(ours.script)}; main thread ${shown(ours.task)}; in a bare field ${shown(alone.task)}`);
  assert.ok(ours.script[0] > 0, "there is a figure");
  assert.ok(ours.script[0] < 16, `median ${ours.script[0]} ms`);
  assert.ok(ours.script[1] < 50, `95 %: ${ours.script[1]} ms`);
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1280]) {
    test(`the scrub can be read by everybody: ${colorScheme} at ${width} pixels`, async (t) => {
      const app = await open(t, { colorScheme, viewport: { width, height: 900 }, reducedMotion: "reduce" });
      const { page } = app;
      await app.example("advisory");
      await page.locator(".own-names > summary").click();
      await page.locator("#own-name").fill("attacker");
      await page.keyboard.press("Enter");
      await page.locator(".scrubbed .mark").first().hover();
      await page.locator("#sending").click();
      await page.locator(".prompts pre").first().waitFor();
      for (const name of ["Scrubbed", "Merged", "Side by side"]) {
        await show(page, name);
        assert.deepEqual(await app.violations(), [], name);
        assert.deepEqual(await page.evaluate(lowContrast), [], name);
        const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(sizes[0] <= sizes[1], `${name}: nothing sticks out to the side`);
      }
    });
  }
}
