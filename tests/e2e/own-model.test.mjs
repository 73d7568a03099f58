// The browser's own language model, played by a script that keeps to its published interface: pages have
// it, workers do not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./support/page.mjs";

const open = useBrowser();

/** Puts a `LanguageModel` into the page. `window.model` says how it behaves, and what it was asked. */
async function withModel(page, behaviour = {}) {
  await page.addInitScript((given) => {
    const model = { availability: "available", looked: 0, created: [], prompts: [], destroyed: 0, aborted: 0, ...given };
    window.model = model;
    const text = (full) => JSON.stringify(full ? { verdict: "ENTAILED", confidence: 0.95 } : { verdict: "UNSURE", confidence: 0.3 });
    const until = (signal) => new Promise((_, reject) => {
      const end = () => ((model.aborted += 1), reject(signal.reason));
      if (signal.aborted) end();
      else signal.addEventListener("abort", end);
    });
    window.LanguageModel = {
      availability: async () => ((model.looked += 1), model.availability),
      async create(options) {
        model.created.push(options.initialPrompts);
        return {
          async prompt(question, { responseConstraint, signal }) {
            const at = model.prompts.push({ question, schema: responseConstraint ?? null });
            if (model.throws && at > (model.answers ?? 0)) throw new DOMException("Its own words", model.throws);
            if (model.plain && responseConstraint) throw new DOMException("No schema", "NotSupportedError");
            if (model.hangs && at > model.answers) return until(signal);
            return text(question.split("</evidence")[0].includes("users.email"));
          },
          destroy: () => (model.destroyed += 1),
        };
      },
    };
  }, behaviour);
}

const asked = (app) => app.page.evaluate(() => window.model);
const builtIn = (app) => app.page.getByRole("radio", { name: "Built-in", exact: true, checked: true });
const without = (app) => app.page.getByRole("radio", { name: "This browser has no model", disabled: true });
const offered = (app) => app.page.getByRole("radio", { name: "This browser", exact: true });

test("it is offered where it may be used, and judges without a server", async (t) => {
  for (const availability of ["available", "downloadable"]) {
    const app = await open(t, { before: (page) => withModel(page, { availability }) });
    await app.judge("This browser");
    await app.run();
    assert.deepEqual(await app.statuses(), ["VERIFIED"]);
    const { created, prompts, destroyed } = await asked(app);
    assert.deepEqual([created.length, prompts.length, destroyed], [2, 2, 2]);
    assert.deepEqual(created[0].map(({ role }) => role), ["system"]);
    assert.deepEqual(prompts[0].schema.required, ["verdict", "confidence"]);
    assert.equal((await app.report()).claims[0].full.basis, "verbal");
  }
});

test("it is not offered where the browser knows of none", async (t) => {
  const app = await open(t, { before: (page) => page.addInitScript(() => delete window.LanguageModel) });
  await app.judge("Built-in");
  assert.equal(await offered(app).count(), 0);
});

test("it is not looked for before it is chosen", async (t) => {
  const app = await open(t, { before: (page) => withModel(page) });
  await app.run();
  await app.statuses();
  assert.equal((await asked(app)).looked, 0);
  await app.judge("This browser");
  await app.page.waitForFunction(() => window.model.looked > 0);
});

test("where it may not be used that is told beside the judge, and the one before is chosen again", async (t) => {
  const app = await open(t, { before: (page) => withModel(page, { availability: "unavailable" }) });
  await offered(app).click();
  assert.match(await app.fault("judge"), /no language model of its own that may be used/);
  await app.page.getByRole("radio", { name: "Recorded", exact: true, checked: true }).waitFor();
  await without(app).waitFor();
  await app.run();
  assert.equal((await app.statuses()).length, 1);
  assert.equal((await asked(app)).created.length, 0);
});

test("by keyboard it keeps the focus, and who chooses it again has it looked for again", async (t) => {
  const app = await open(t, { before: (page) => withModel(page, { availability: "unavailable" }) });
  const { page } = app;
  await app.judge("Model file");
  await page.getByRole("radio", { name: "Model file" }).focus();
  await page.keyboard.press("ArrowDown");
  await without(app).waitFor();
  await page.getByRole("radio", { name: "Model file", checked: true }).waitFor();
  assert.ok(await without(app).evaluate((it) => it === document.activeElement));
  await page.evaluate(() => (window.model.availability = "available"));
  await page.keyboard.press("Space");
  await page.getByRole("radio", { name: "This browser", exact: true, checked: true, disabled: false }).waitFor();
  await page.locator("#fault-judge:empty").waitFor({ state: "attached" });
});

test("it is not chosen any longer when it is gone at the next visit", async (t) => {
  for (const gone of [() => (window.model.availability = "unavailable"), () => delete window.LanguageModel]) {
    const app = await open(t, { before: (page) => withModel(page) });
    await app.judge("This browser");
    await app.run();
    await app.statuses();
    await app.page.addInitScript(gone);
    await app.page.reload();
    assert.match(await app.fault("judge"), /no language model of its own that may be used/);
    await builtIn(app).waitFor();
  }
});

test("a schema that it does not take is left out", async (t) => {
  const app = await open(t, { before: (page) => withModel(page, { plain: true }) });
  await app.judge("This browser");
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
});

test("what it throws is told beside the judge, with what is done", async (t) => {
  const app = await open(t, { before: (page) => withModel(page, { throws: "NotAllowedError", answers: 2 }) });
  await app.claims("Table users contains field email\nThe field email of users holds 255 characters\nusers has an index");
  await app.judge("This browser");
  await app.run();
  assert.match(await app.fault("judge"), /does not let its model be used.*Its own words/);
  const report = await app.report();
  assert.ok(report.claims.some(({ flags }) => flags.includes("judge_failed") || flags.includes("stopped")));
  assert.equal(report.claims.length, 3);
});

test("cancel ends a run of 40 claims that hangs within 100 milliseconds, and its sessions", async (t) => {
  const app = await open(t, { before: (page) => withModel(page, { hangs: true, answers: 8 }) });
  await app.claims(Array.from({ length: 40 }, (_, at) => `The field email of users holds ${at} characters`).join("\n"));
  await app.judge("This browser");
  await app.cancelWithin(100, "8 of 80 passes judged", () =>
    app.page.evaluate(() => (window.model.answers = window.model.prompts.length + 8)),
  );
  assert.equal((await app.report()).claims.length, 40);
  const { created, destroyed, aborted } = await asked(app);
  assert.deepEqual([aborted > 0, destroyed], [true, created.length]);
});
