// How it looks: pictures in both themes on a wide and a narrow screen, and what must hold in them.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { lowContrast, root, useBrowser } from "./support/page.mjs";

const open = useBrowser();
const folder = join(root, "target/screenshots");
await mkdir(folder, { recursive: true });

const LOOKS = ["light", "dark"].flatMap((colorScheme) => [360, 1280].map((width) => ({ colorScheme, width })));

for (const look of LOOKS) {
  const { colorScheme, width } = look;
  test(`${colorScheme} at ${width} pixels`, async (t) => {
    const { app, shot } = await pictured(t, look);
    await shot("start");
    await app.run();
    await app.statuses();
    await app.page.locator(".scrubbed .mark").first().focus();
    await shot("worked");
    if (width === 1280) await picture(app.page, `readme-${colorScheme}`);

    for (const name of ["advisory", "known-anyway", "half-said", "unreadable"]) {
      await app.example(name);
      await app.run();
      await app.statuses();
      if (name === "unreadable") await app.page.locator(".finding details summary").first().click();
      await shot(name);
    }

    await app.claims("Something else");
    await app.page.locator(".outdated .stale").waitFor();
    await shot("changed");

    await app.endpoint({ baseUrl: "api.example.com", key: "k" });
    await app.run();
    await app.fault("base-url");
    await shot("fault");
  });

  test(`agents' outputs: ${colorScheme} at ${width} pixels`, async (t) => {
    const { app, shot } = await pictured(t, look, "outputs");
    await app.verdict();
    await shot("changes");
    assert.deepEqual(await app.page.evaluate(lowContrast), [], "changes");
    for (const name of ["shape", "tools"]) {
      await app.example(name);
      await app.page.locator("#outputs .claims[aria-label=Errors]").waitFor();
      await app.verdict();
      await shot(name);
      assert.deepEqual(await app.page.evaluate(lowContrast), [], name);
    }
    await app.page.locator("#outputs-strict").check();
    await app.paste("output", "{");
    await app.check();
    await app.fault("output");
    await shot("fault");
  });
}

/** The page as it looks so, and what makes a picture of all of it. */
async function pictured(t, { colorScheme, width }, panel) {
  const app = await open(t, { panel, colorScheme, reducedMotion: "reduce", viewport: { width, height: 900 } });
  const shot = async (name) => {
    const sizes = await app.page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.equal(sizes[0], sizes[1], `${name}: nothing sticks out to the side`);
    const path = join(folder, `${panel ? `${panel}-` : ""}${name}-${width}-${colorScheme}.png`);
    await app.page.screenshot({ path, fullPage: true });
  };
  return { app, shot };
}

/** The page from its top to the end of the first plane, as docs/playground.png shows it. */
async function picture(page, name) {
  const plane = page.locator(".measured").first();
  const end = await plane.evaluate((it) => it.getBoundingClientRect().bottom + scrollY);
  const height = Math.round(end) + 8;
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width: 1280, height } });
}

for (const width of [360, 1280]) {
  test(`text is as large as the browser is told, and nothing sticks out: ${width} pixels`, async (t) => {
    const sizes = (page) => page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const body = getComputedStyle(document.body).fontSize;
      return { body, out: scrollWidth - clientWidth };
    });
    const larger = async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Page.enable");
      await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
    };
    const app = await open(t, { viewport: { width, height: 900 }, before: larger });
    await app.example("advisory");
    assert.deepEqual(await sizes(app.page), { body: "32px", out: 0 });
    await app.run();
    await app.statuses();
    assert.deepEqual(await sizes(app.page), { body: "32px", out: 0 }, "with a result");
    assert.equal(await app.page.locator(".gauge text").first().evaluate((it) => getComputedStyle(it).fontSize), "24px");

    const outputs = await open(t, { panel: "outputs", viewport: { width, height: 900 }, before: larger });
    await outputs.check();
    await outputs.verdict();
    await outputs.page.locator(".session").waitFor();
    assert.deepEqual(await sizes(outputs.page), { body: "32px", out: 0 }, "agents’ outputs");
  });
}

test("on a narrow screen each example says what it teaches", async (t) => {
  const { page } = await open(t, { viewport: { width: 360, height: 640 } });
  await page.locator("#gallery").click();
  await page.locator('#app [data-example="worked"]').waitFor();
  const widths = await page.locator("#app .example .lesson").evaluateAll((lines) =>
    lines.map((it) => it.getBoundingClientRect().width),
  );
  assert.ok(widths.length >= 12 && widths.every((width) => width > 250), `${widths}`);
});

test("on a narrow screen the buttons are in reach of every input, and lead to the result", async (t) => {
  const app = await open(t, { viewport: { width: 360, height: 640 }, reducedMotion: "reduce" });
  const { page } = app;
  const inView = (locator) =>
    locator.evaluate((it) => {
      const { top, bottom } = it.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  const places = await page.locator(".span-head").first().locator("input, button").evaluateAll((fields) =>
    fields.map((it) => it.getBoundingClientRect()).map(({ top, bottom, left }) => ({ top, bottom, left })),
  );
  places.slice(1).forEach(({ top, left }, at) => {
    const before = places[at];
    assert.ok(top >= before.bottom || (top >= before.top && left > before.left), `field ${at + 1} of a span: the focus goes as the eye does`);
  });
  for (const name of ["Profile", "Judge"]) await app.unfold(name);
  for (const input of [".span textarea", "#claims", "[name=profile]", "[name=judge]"]) {
    await page.locator(input).first().focus();
    assert.ok(await inView(page.locator("#run")), input);
    assert.ok(await inView(page.locator("#cancel")), input);
  }
  await app.run();
  await page.getByRole("link", { name: "Result: PROCEED" }).click();
  assert.ok(await inView(page.locator("#results-title")));
});

test("on a narrow screen the buttons take two rows at most", async (t) => {
  const app = await open(t, { viewport: { width: 360, height: 640 }, reducedMotion: "reduce" });
  const { page } = app;
  const bar = page.locator(".run-bar");
  const lines = async (state) => {
    const { height } = await bar.boundingBox();
    assert.ok(height < 100, `${state}: ${height} pixels`);
  };
  for (const example of ["known-anyway", "unreadable"]) {
    await app.example(example);
    await app.run();
    await app.statuses();
    await lines(example);
  }
  await app.claims("No reply was recorded to this");
  await page.locator(".misfit").waitFor();
  await app.run();
  await app.fault("recording");
  await page.locator(".results:not(.outdated)").waitFor();
  await lines("a recording of other text");
  await bar.getByRole("link", { name: "Message at the recording" }).waitFor();
});

test("text has enough contrast in both themes", async (t) => {
  for (const colorScheme of ["light", "dark"]) {
    const app = await open(t, { colorScheme });
    await app.example("advisory");
    await app.run();
    await app.statuses();
    const low = await app.page.evaluate(lowContrast);
    assert.deepEqual(low, [], colorScheme);
  }
});
