// Evidence and claims as they are put in: reordered, pasted at once, dropped, cited, undone, kept.

import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./support/page.mjs";

const open = useBrowser();

const ids = (app) =>
  app.page.locator(".span-id input").evaluateAll((fields) => fields.map((it) => it.value || it.placeholder));
const texts = (app) => app.page.locator(".span textarea").evaluateAll((fields) => fields.map((it) => it.value));
const focused = (app) => app.page.evaluate(() => document.activeElement.ariaLabel);

/** Drops files, as [name, bytes or text], on an element. */
async function drop(app, selector, files) {
  await app.page.locator(selector).evaluate((target, files) => {
    const data = new DataTransfer();
    for (const [name, content] of files) {
      data.items.add(new File([Array.isArray(content) ? new Uint8Array(content) : content], name));
    }
    for (const type of ["dragover", "drop"]) {
      target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    }
  }, files);
}

test("spans are moved by buttons and by keys, the focus goes along, and what is cited keeps its id", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("first", "second", "third");
  await app.claims("It is so [S1]");
  await page.getByRole("button", { name: "Move span S1 up" }).click();
  assert.deepEqual(await texts(app), ["second", "first", "third"]);
  assert.deepEqual(await ids(app), ["S1", "S0", "S2"]);
  await page.waitForFunction(() => document.activeElement.ariaLabel === "Move span S1 up");
  assert.equal(await page.getByRole("button", { name: "Move span S1 up" }).getAttribute("aria-disabled"), "true");
  await page.keyboard.press("Enter");
  assert.deepEqual(await texts(app), ["second", "first", "third"], "the first one stays");

  await page.locator(".span textarea").first().focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.waitForFunction(() => document.activeElement.ariaLabel === "Text of span S1");
  await page.keyboard.press("Alt+ArrowDown");
  await page.waitForFunction(() => document.querySelectorAll(".span textarea")[2].value === "second");
  await page.waitForFunction(() => document.activeElement === document.querySelectorAll(".span textarea")[2]);
  assert.deepEqual(await ids(app), ["S0", "S2", "S1"]);

  await page.getByRole("button", { name: "Remove span S2" }).click();
  await page.getByRole("button", { name: "Add a span" }).click();
  const now = await ids(app);
  assert.equal(new Set(now).size, 3, `no two spans have one id: ${now}`);
});

test("a pasted text that holds several spans can be split, and the split undone", async (t) => {
  const app = await open(t);
  const { page } = app;
  const pasted = {
    "S0: The port is 8080.\nS1 (docs): It is open.\n\nS2: And more": ["The port is 8080.", "It is open.", "And more"],
    "# Limits\n100 a minute\n## Retries\nfive": ["100 a minute", "five"],
    '[{"id":"a","text":"one","source":"x"},{"id":"b","text":"<b>two</b>"}]': ["one", "<b>two</b>"],
  };
  for (const [text, spans] of Object.entries(pasted)) {
    await app.evidence("");
    await app.pasteInto(".span textarea", text);
    await page.getByText(`This text seems to hold ${spans.length} spans.`).waitFor();
    await page.getByRole("button", { name: "Split it" }).click();
    assert.deepEqual(await texts(app), spans);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.deepEqual(await texts(app), [text]);
    await page.getByRole("button", { name: "Redo" }).click();
    assert.deepEqual(await texts(app), spans);
  }
  assert.deepEqual(await ids(app), ["a", "b"]);

  await app.evidence("");
  await app.pasteInto(".span textarea", "S0: one\nS1: two");
  await page.getByRole("button", { name: "Leave it as it is" }).click();
  assert.equal(await page.getByRole("button", { name: "Split it" }).count(), 0);
  await app.pasteInto(".span textarea", "Just one.\nOn two lines.");
  assert.equal(await page.getByRole("button", { name: "Split it" }).count(), 0);
});

test("claims keep citing the same text when a span is split or files come; a piece keeps its span's source", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("", "It is open.");
  await app.claims("It is so [S1]");
  await app.pasteInto(".span textarea", "# Limits\n100 a minute\n## Retries\nfive\n## Later");
  await page.locator(".span-source input").first().fill("guide.md");
  await page.getByRole("button", { name: "Split it" }).click();
  assert.deepEqual(await texts(app), ["100 a minute", "five", "Later", "It is open."]);
  const sources = await page.locator(".span-source input").evaluateAll((fields) => fields.map((it) => it.value));
  assert.deepEqual(sources, ["guide.md, Limits", "guide.md, Retries", "guide.md", ""]);
  const split = await ids(app);
  assert.deepEqual([split[0], split[3], new Set(split).size], ["S0", "S1", 4]);

  await app.evidence("", "It is open.");
  await drop(app, "#claims", [["notes.md", "The port is 8080."]]);
  await page.getByText("One file was added.").waitFor();
  assert.deepEqual(await texts(app), ["", "It is open.", "The port is 8080."]);
  assert.deepEqual(await ids(app), ["S0", "S1", "S2"]);
});

test("dropped files become spans; what is no text is told, and no name does harm", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("");
  const name = `<img src=x onerror=document.title='owned'>\u202egpj.txt`;
  await drop(app, "#claims", [
    ["notes.md", "The port is 8080."],
    [name, "<script>document.title='owned'</script>"],
    ["photo.png", [0x89, 0x50, 0x4e, 0x47, 0, 1, 2]],
    ["big.log", "x".repeat(4_000_001)],
  ]);
  await page.getByText("2 files were added.").waitFor();
  const notice = await page.locator("#app .notice.warning").innerText();
  assert.match(notice, /photo\.png was left out: it is not text in UTF-8/);
  assert.match(notice, /big\.log was left out: it is larger than 4 MB/);
  assert.deepEqual(await texts(app), ["The port is 8080.", "<script>document.title='owned'</script>"]);
  const sources = await page.locator(".span-source input").evaluateAll((fields) => fields.map((it) => it.value));
  assert.deepEqual(sources, ["notes.md", name.replace("\u202e", "\ufffd")]);
  assert.equal(await page.title(), "Claimgauge playground");
  assert.equal(await page.locator("main img, main script").count(), 0);

  await page.locator("#add-files").setInputFiles({ name: "more.txt", mimeType: "text/plain", buffer: Buffer.from("more") });
  await page.getByText("One file was added.").waitFor();
  assert.equal(await page.locator("#app .notice.warning").count(), 0, "all of it was done");
  assert.equal((await texts(app)).length, 3);
});

test("a citation of a span that is not there is told at its line", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("The port is 8080.");
  await app.claims("The port is 8080 [S0]\nIt is open [S4]\n");
  const note = page.locator(".unknowns li");
  await note.waitFor();
  assert.match(await note.innerText(), /Line 2 cites S4, and no span has that id/);
  await note.getByRole("button").click();
  const selected = await page.locator("#claims").evaluate((it) => it.value.slice(it.selectionStart, it.selectionEnd));
  assert.equal(selected, "It is open [S4]");
  await page.locator(".span-id input").first().fill("S4");
  await page.getByText("Line 1 cites S0").waitFor();
  await app.claims("It is open [S4]");
  await page.locator(".unknowns:empty").waitFor({ state: "attached" });
});

test("what was done is undone and done again, by buttons and by keys", async (t) => {
  const app = await open(t);
  const { page } = app;
  const first = await texts(app);
  assert.equal(await page.locator("#undo").getAttribute("aria-disabled"), "true");
  await page.locator("#clear").click();
  assert.deepEqual(await texts(app), [""]);
  assert.equal(await page.locator("#claims").inputValue(), "");
  await page.keyboard.press("Control+z");
  // What undoes comes with the first use.
  await page.locator("#app .notice", { hasText: "Clearing undone" }).waitFor();
  assert.deepEqual(await texts(app), first);
  await page.keyboard.press("Control+Shift+Z");
  assert.deepEqual(await texts(app), [""]);
  await page.locator("#undo").click();

  await app.example("wrong-number");
  await page.getByRole("button", { name: "Remove span S1" }).click();
  assert.equal((await texts(app)).length, 1);
  for (let times = 0; times < 2; times += 1) await page.locator("#undo").click();
  assert.deepEqual(await texts(app), first);

  // In a text field the keys are the field's own.
  await page.locator("#claims").focus();
  await page.keyboard.type("x");
  await page.keyboard.press("Control+z");
  assert.deepEqual(await texts(app), first);
});

test("everything that was put in survives a reload, in its order", async (t) => {
  const app = await open(t);
  const { page } = app;
  await app.evidence("first", "second");
  await page.locator(".span-id input").nth(1).fill("docs");
  await page.locator(".span-source input").nth(1).fill("a book");
  await page.getByRole("button", { name: "Move span docs up" }).click();
  await app.claims("It is so [docs]");
  await page.waitForFunction(() => localStorage.getItem("claimgauge.playground.1")?.includes("It is so [docs]"));
  await page.reload();
  await page.locator("#run").waitFor();
  assert.deepEqual(await texts(app), ["second", "first"]);
  assert.deepEqual(await ids(app), ["docs", "S1"]);
  assert.equal(await page.locator(".span-source input").first().inputValue(), "a book");
});

test("a browser that keeps nothing is told of, and the page works", async (t) => {
  const app = await open(t, {
    before: (page) =>
      page.addInitScript(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException("full", "QuotaExceededError");
        };
        Object.defineProperty(globalThis, "indexedDB", { get: () => undefined });
      }),
  });
  await app.claims("The port is 8080");
  await app.page.getByText("could not be kept for a reload").waitFor();
  await app.run();
  assert.equal((await app.statuses()).length, 1);
});
