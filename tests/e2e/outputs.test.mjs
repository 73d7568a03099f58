// The panel that checks agents' outputs, with real folders.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { useBrowser } from "./support/page.mjs";

const open = useBrowser();
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const write = (filePath, text) => ({ kind: "file-write", filePath, contentHash: `sha256:${sha256(text)}` });
const output = (...claims) => ({ summary: "Done.", traceRef: "trace:1", claims });

/** A folder on this machine with these files, gone when the test ends. */
async function folderOf(t, files) {
  const folder = await mkdtemp(join(tmpdir(), "claimgauge-"));
  t.after(() => rm(folder, { recursive: true }));
  const project = join(folder, "project");
  await mkdir(project);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  return project;
}

const FILES = {
  "a.txt": "one\ntwo\n",
  "src/deep/b.ts": "let port = 8080;\nlisten(port);\n",
  "src/crlf.txt": "x\r\ny\r\n",
  "ünïcode 😀.md": "# Hi\n",
};

const CLAIMS = output(
  write("a.txt", FILES["a.txt"]),
  write("./src/../a2.txt", "gone"),
  {
    kind: "file-edit",
    filePath: "src/deep/b.ts",
    anchor: { beforeSnippet: "let port = 80;", afterSnippet: "listen(port);\n", contentHash: "0" },
  },
  { kind: "code-inserted", filePath: "src/deep/b.ts/x", anchor: { beforeSnippet: "a", afterSnippet: "b", contentHash: "0" } },
  write("src/crlf.txt", "x\ny\n"),
  write("ünïcode 😀.md", FILES["ünïcode 😀.md"]),
  { kind: "file-delete", filePath: "src/deep" },
  { kind: "file-delete", filePath: "nothing/here" },
  write("src", "a folder"),
  write("../outside.txt", "x"),
  { kind: "command-executed", command: "npm test", exitCode: 0 },
);

const OUTCOMES = {
  "a.txt": "passed",
  "./src/../a2.txt": "failed",
  "src/deep/b.ts": "passed",
  "src/deep/b.ts/x": "failed",
  "src/crlf.txt": "failed",
  "ünïcode 😀.md": "passed",
  "src/deep": "failed",
  "nothing/here": "passed",
  src: "failed",
  "../outside.txt": "failed",
  "npm test → 0": "trusted",
};

test("at first sight an example shows claims that pass and claims that fail, without a folder", async (t) => {
  const app = await open(t, { panel: "outputs" });
  assert.equal(await app.verdict(), "NOT VALID");
  const outcomes = Object.values(await app.claims());
  for (const ended of ["passed", "failed", "trusted"]) assert.ok(outcomes.includes(ended), ended);

  // Strict holds the command against the trace.
  const about = app.page.locator("#outputs .examples .about");
  await app.page.locator("#outputs-strict").check();
  assert.match(await about.innerText(), /^An agent says that it changed six files/);
  await app.page.locator("#outputs .stale").waitFor();
  await app.check();
  await app.verdict();
  assert.equal((await app.claims())["npm test → 0"], "failed");

  // What it says of the example is gone with its text.
  await app.page.locator("#outputs-output").fill("{");
  assert.equal(await about.innerText(), "Pick one, or put your own output below.");
});

test("an output of one's own is not held against the example's folder and trace, which come back with its text", async (t) => {
  const app = await open(t, { panel: "outputs" });
  const { page } = app;
  await app.verdict();
  const folder = page.locator(".folder-name");
  const trace = page.locator("#outputs-trace");
  const [given, traced] = [await page.locator("#outputs-output").inputValue(), await trace.inputValue()];
  assert.ok(traced.length > 0);
  await app.paste("output", output(write("src/limits.ts", "mine")));
  await page.getByText("No folder yet").waitFor();
  assert.equal(await trace.inputValue(), "");
  await app.check();
  assert.equal(await app.verdict(), "VALID");
  assert.deepEqual(await app.claims(), { "src/limits.ts": "inconclusive" });
  await page.reload();
  await page.getByText("No folder yet").waitFor();

  await app.paste("output", given);
  await folder.getByText("built-in example").waitFor();
  assert.equal(await trace.inputValue(), traced);

  await app.folder(await folderOf(t, FILES));
  await folder.getByText("project").waitFor();
  await app.paste("output", output(write("a.txt", FILES["a.txt"])));
  await page.waitForFunction(() => document.querySelector("#outputs-trace").value === "");
  assert.match(await folder.innerText(), /project/, "a folder that was picked stays");
  await page.getByRole("button", { name: "Remove the folder" }).click();
  await page.getByText("No folder yet").waitFor();
  await page.waitForFunction(() => document.activeElement.id === "pick-folder");

  // Another example does not take what was pasted away for good.
  await app.example("shape");
  await page.getByRole("button", { name: "Bring back what was there" }).click();
  assert.match(await page.locator("#outputs-output").inputValue(), /a\.txt/);
});

test("a real folder, picked by the field for folders, is checked and nothing is sent", async (t) => {
  const project = await folderOf(t, FILES);
  const app = await open(t, { panel: "outputs" });
  await app.verdict();
  const sent = [];
  app.page.on("request", (request) => sent.push(request.url()));
  await app.paste("output", CLAIMS);
  await app.folder(project);
  await app.page.getByText("project, 4 files").waitFor();
  await app.check();
  assert.equal(await app.verdict(), "NOT VALID");
  assert.deepEqual(await app.claims(), OUTCOMES);
  const { claimResults } = (await app.result()).filesystemValidation;
  assert.deepEqual(claimResults.map((one) => one.index), [...CLAIMS.claims.keys()]);
  assert.match(claimResults[4].hint, /CRLF/);
  assert.match(claimResults[9].reason, /escapes/);
  assert.deepEqual(sent, [], "the page asked the network for nothing");
});

test("a real folder that is dropped is checked", async (t) => {
  const project = await folderOf(t, FILES);
  const app = await open(t, { panel: "outputs" });
  const { page } = app;
  await app.paste("output", CLAIMS);
  const cdp = await page.context().newCDPSession(page);
  await page.locator("#outputs-folder").scrollIntoViewIfNeeded();
  const box = await page.locator("#outputs-folder").boundingBox();
  const drag = { x: box.x + 20, y: box.y + 20, data: { items: [], files: [project], dragOperationsMask: 1 } };
  for (const type of ["dragEnter", "dragOver", "drop"]) await cdp.send("Input.dispatchDragEvent", { type, ...drag });
  await page.locator(".folder-name", { hasText: "project" }).waitFor();
  await app.check();
  await app.verdict();
  assert.deepEqual(await app.claims(), OUTCOMES);
});

test("a folder from the browser's picker is checked", async (t) => {
  const app = await open(t, { panel: "outputs" });
  const { page } = app;
  // Nobody can press the button of the system's own dialog here; what it gives is the same kind of handle.
  await page.evaluate(async (files) => {
    const root = await navigator.storage.getDirectory();
    const project = await root.getDirectoryHandle("project", { create: true });
    for (const [path, text] of Object.entries(files)) {
      const parts = path.split("/");
      let at = project;
      for (const part of parts.slice(0, -1)) at = await at.getDirectoryHandle(part, { create: true });
      const file = await at.getFileHandle(parts.at(-1), { create: true });
      const stream = await file.createWritable();
      await stream.write(text);
      await stream.close();
    }
    window.showDirectoryPicker = async () => project;
  }, FILES);
  await app.paste("output", CLAIMS);
  await page.locator("#pick-folder").click();
  await page.locator(".folder-name", { hasText: "project" }).waitFor();
  await app.check();
  await app.verdict();
  assert.deepEqual(await app.claims(), OUTCOMES);
});

test("a picker that is closed changes nothing; one that refuses is told", async (t) => {
  const app = await open(t, { panel: "outputs" });
  const { page } = app;
  const pick = async (name) => {
    await page.evaluate((error) => {
      window.showDirectoryPicker = async () => {
        throw new DOMException("No.", error);
      };
    }, name);
    await page.locator("#pick-folder").click();
  };
  await pick("AbortError");
  assert.ok(await page.locator("#outputs-folder-fault:empty").isHidden());
  await pick("SecurityError");
  assert.match(await app.fault("folder"), /cannot be opened: No\./);
});

test("claims with absolute paths are read below the folder's own path", async (t) => {
  const project = await folderOf(t, FILES);
  const app = await open(t, { panel: "outputs" });
  await app.paste("output", output(write("/home/agent/project/a.txt", FILES["a.txt"])));
  await app.folder(project);
  await app.check();
  assert.equal(await app.verdict(), "NOT VALID");
  await app.page.getByLabel("Path of the folder where the agent ran").fill("/home/agent/project");
  await app.check();
  assert.equal(await app.verdict(), "VALID");
});

test("without a folder claims about files stay open, and the page says so", async (t) => {
  const app = await open(t, { panel: "outputs" });
  await app.page.evaluate(() => {
    localStorage.setItem("claimgauge.outputs.1", JSON.stringify({ output: "" }));
  });
  await app.page.reload();
  await app.paste("output", output(write("a.txt", "x")));
  await app.check();
  assert.equal(await app.verdict(), "VALID");
  assert.deepEqual(await app.claims(), { "a.txt": "inconclusive" });
  await app.page.getByText("No folder was picked: claims about files stay open.").waitFor();
});

test("each error of the first level is marked in what was pasted, and leads there", async (t) => {
  const app = await open(t, { panel: "outputs" });
  await app.example("shape");
  assert.equal(await app.verdict(), "NOT VALID");
  const { page } = app;
  const errors = page.locator("#outputs .claims[aria-label=Errors] .claim");
  const marked = Object.fromEntries(
    await Promise.all(
      (await errors.all()).map(async (row) => [
        await row.locator(".path").innerText(),
        await row.locator("mark").innerText(),
      ]),
    ),
  );
  assert.deepEqual(marked, {
    summary: '""',
    traceRef: '"limits-1"',
    "claims.0.contentHash": '{ "kind": "file-write", "filePath": "src/limits.ts" }',
    "claims.1.kind": '"file-moved"',
    "claims.2.exitCode": '"0"',
  });
  await errors.filter({ hasText: "claims.1.kind" }).getByRole("button", { name: "line 6" }).click();
  const selected = await page.evaluate(() => {
    const { value, selectionStart, selectionEnd, id } = document.activeElement;
    return [id, value.slice(selectionStart, selectionEnd)];
  });
  assert.deepEqual(selected, ["outputs-output", '"file-moved"']);
});

test("text that is no JSON is told with its place", async (t) => {
  const app = await open(t, { panel: "outputs" });
  await app.verdict();
  await app.paste("output", '{\n  "summary": "😀" "x"\n}');
  await app.check();
  assert.match(await app.fault("output"), /cannot be read as JSON: .*line 2/);
  assert.equal(await app.page.locator("#outputs-output").getAttribute("aria-invalid"), "true");
  await app.page.getByRole("button", { name: "Show the place" }).click();
  const selected = await app.page.evaluate(() => {
    const { value, selectionStart, selectionEnd } = document.activeElement;
    return value.slice(selectionStart, selectionEnd);
  });
  assert.equal(selected, '"');
  await app.paste("output", "```json\n{}\n```");
  await app.check();
  assert.match(await app.fault("output"), /Leave the ``` lines/);
  await app.paste("output", '{ "summary": ');
  await app.check();
  assert.match(await app.fault("output"), /cannot be read as JSON: it ends inside a value at line 1/);
  await app.paste("trace", '{"traceId":"1","specialistId":"s","invocations":[{"tool":1}]}');
  await app.paste("output", output());
  await app.check();
  assert.match(await app.fault("trace"), /no trace: .*invocations\.0/);
});

test("a schema is what loads the module for schemas, and an output that does not fit is marked in the trace", async (t) => {
  const asked = [];
  const app = await open(t, {
    panel: "outputs",
    before: (page) => page.on("request", (request) => asked.push(new URL(request.url()).pathname)),
  });
  await app.verdict();
  assert.ok(!asked.includes("/claimgauge_extra_bg.wasm"));
  assert.ok(!asked.includes("/claimgauge-web_bg.wasm"), "the other panel is not loaded");
  await app.example("tools");
  assert.equal(await app.verdict(), "NOT VALID");
  assert.ok(asked.includes("/claimgauge_extra_bg.wasm"));
  const error = app.page.locator("#outputs .claims[aria-label=Errors] .claim");
  assert.match(await error.locator(".path").innerText(), /^tides:lookup, output\.levels\.0\.metres$/);
  assert.equal(await error.locator("mark").innerText(), '"unknown"');
  await app.page.getByText("Not reached.").waitFor();

  await app.paste("schemas", { "tides:lookup": "sea/tides#Level", "sea/tides#Level": { type: "object" } });
  await app.check();
  assert.equal(await app.verdict(), "VALID");
  assert.equal((await app.result()).pluginValidation.checked, 2);

  await app.paste("schemas", { "tides:lookup": "sea/tides#None" });
  await app.check();
  await app.verdict();
  assert.match((await app.result()).errors[1], /Schema not found: sea\/tides#None/);

  await app.paste("schemas", { "tides:lookup": { type: "nonsense" } });
  await app.check();
  assert.match(await app.fault("schemas"), /schema of tides:lookup is refused/);
});

test("a large file is hashed in chunks with progress, and Escape ends it at once", async (t) => {
  const size = 96 * 1024 * 1024;
  const project = await folderOf(t, { "big.bin": Buffer.alloc(size, 7) });
  const app = await open(t, { panel: "outputs" });
  const { page } = app;
  await app.verdict();
  await app.paste("output", output({ kind: "file-write", filePath: "big.bin", contentHash: sha256(Buffer.alloc(size, 7)) }));
  await app.folder(project);
  await app.check();
  await page.locator(".reached", { hasText: /now big\.bin: \d+ of 101 MB/ }).waitFor();
  const started = Date.now();
  await page.keyboard.press("Escape");
  await page.locator("#outputs-cancel:disabled").waitFor();
  const took = Date.now() - started;
  assert.equal(await page.locator("#outputs .results.outdated").count(), 1, "the former result, as a former one");

  // A cancelled check does not go on to the file's end, however slow the machine is.
  const again = Date.now();
  await app.check();
  assert.equal(await app.verdict(120_000), "VALID");
  const whole = Date.now() - again;
  assert.ok(took < Math.max(500, whole / 2), `cancelled in ${took} ms, the whole takes ${whole}`);
});

test("a check of many claims is cancelled right after it was started", async (t) => {
  const app = await open(t, { panel: "outputs" });
  const { page } = app;
  await app.verdict();
  await app.paste("output", JSON.stringify(output(...Array.from({ length: 26_000 }, (_, at) => write(`f${at}.txt`, "x")))));
  // Both presses are there before the page gets to do anything else.
  await page.evaluate(() => {
    document.querySelector("#outputs-check").click();
    setTimeout(() => document.querySelector("#outputs-cancel").click());
  });
  await page.locator("#outputs-cancel:disabled").waitFor();
  assert.equal(await page.locator("#outputs .results.outdated").count(), 1, "there is no new result");
});

test("what tools do is said by their names, for a strict check", async (t) => {
  const app = await open(t, { panel: "outputs" });
  await app.verdict();
  await app.paste("output", output(write("a.txt", FILES["a.txt"])));
  const invocation = { invocationId: "i", tool: "Write", purpose: "execution", status: "success", args: { path: "a.txt" } };
  await app.paste("trace", { traceId: "1", specialistId: "s", invocations: [invocation] });
  await app.folder(await folderOf(t, FILES));
  await app.page.locator("#outputs-strict").check();
  await app.check();
  assert.equal(await app.verdict(), "NOT VALID");
  await app.paste("kinds", { Write: "write" });
  await app.check();
  assert.equal(await app.verdict(), "VALID");
  await app.paste("kinds", { Write: "writes" });
  await app.check();
  assert.match(await app.fault("kinds"), /writes/);
});

test("text that turns what is around it is told of where it was pasted", async (t) => {
  const app = await open(t, { panel: "outputs" });
  await app.paste("output", output(write("exe.\u202Etxt", "x")));
  const note = app.page.locator("#outputs .odd");
  assert.match(await note.innerText(), /^Line 7 holds \\u202e/);
  await note.getByRole("button", { name: "Show the place" }).click();
  const selected = await app.page.evaluate(() => {
    const { value, selectionStart, selectionEnd } = document.activeElement;
    return value.slice(selectionStart, selectionEnd);
  });
  assert.equal(selected, "\u202E");
  await app.paste("output", output());
  await note.waitFor({ state: "detached" });
});

test("claims that contradict each other are named by their lines, and lead there", async (t) => {
  const app = await open(t, { panel: "outputs" });
  await app.verdict();
  await app.folder(await folderOf(t, { "b.txt": "y" }));
  await app.paste("output", output(write("a.txt", "x"), write("b.txt", "y"), { kind: "file-delete", filePath: "a.txt" }));
  await app.check();
  const note = app.page.locator("#outputs .banner li", { hasText: "contradict" });
  assert.match(await note.innerText(), /^The claims at line 6, line 16 contradict each other about a\.txt\.$/);
  await note.getByRole("button", { name: "line 16" }).click();
  const selected = await app.page.evaluate(() => {
    const { value, selectionStart, selectionEnd } = document.activeElement;
    return value.slice(selectionStart, selectionEnd);
  });
  assert.equal(selected, '"file-delete"');
});

test("hostile names are shown as text, with what cannot be seen written out", async (t) => {
  const app = await open(t, { panel: "outputs" });
  await app.verdict();
  const names = ["<img src=x onerror=alert(1)>", "exe.\u202Etxt", "a\nb", "__proto__", "\u05d0\u05d1/a.txt", "x".repeat(4000)];
  await app.paste("output", output(...names.map((name) => write(name, "x"))));
  await app.check();
  await app.verdict();
  const shown = Object.keys(await app.claims());
  assert.deepEqual(
    shown.sort(),
    ["<img src=x onerror=alert(1)>", "exe.\\u202etxt", "a\\u000ab", "__proto__", "\u05d0\u05d1/a.txt", "x".repeat(4000)].sort(),
  );
  assert.equal(await app.page.locator("#outputs img").count(), 0);
  const sides = await app.page.locator(".claim .path").evaluateAll((paths) => paths.map((it) => getComputedStyle(it).direction));
  assert.deepEqual([...new Set(sides)], ["ltr"], "a path reads from its start");
  assert.equal(await app.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
});

test("the session's checks are added up and drawn, and an example that is only shown is none", async (t) => {
  const app = await open(t, { panel: "outputs" });
  const session = app.page.locator(".session");
  await app.verdict();
  assert.equal(await session.count(), 0, "nobody has checked anything");
  await app.check();
  await session.getByText("0 of 1 output passed, 0 %. Only checks that you start count.").waitFor();
  await app.example("shape");
  await app.page.locator("#outputs .claims[aria-label=Errors]").waitFor();
  await app.verdict();
  assert.equal(await session.getByText("0 of 1 output passed, 0 %.").count(), 1);
  await app.check();
  await session.getByText("0 of 2 outputs passed, 0 %.").waitFor();
  const rows = await session.locator("tbody tr").allInnerTexts();
  const words = rows.map((row) => row.replace(/\s+/g, " ").trim());
  assert.ok(words.includes("1 Shape 50 % (1 of 2)"), words.join("; "));
  assert.ok(words.some((row) => /^(missing_field|invalid_type) 1$/.test(row)), words.join("; "));
  await session.getByRole("button", { name: "Clear" }).click();
  await session.waitFor({ state: "detached" });
});

test("what is pasted survives a reload, and the two panels leave each other alone", async (t) => {
  const app = await open(t, { panel: "outputs" });
  const { page } = app;
  await app.verdict();
  await app.paste("output", output());
  await page.locator("#outputs-strict").check();
  await page.reload();
  await page.locator("#outputs-check").waitFor();
  assert.equal(await page.locator("#outputs-output").inputValue(), JSON.stringify(output(), null, 2));
  assert.ok(await page.locator("#outputs-strict").isChecked());

  await page.getByRole("link", { name: "Claims", exact: true }).click();
  await page.locator("#run").waitFor();
  assert.ok(await page.locator("#outputs-check").isHidden());
  await page.keyboard.press("Control+Enter");
  await page.locator("#app .results").waitFor();
  assert.equal(await page.locator("#outputs .results").count(), 0, "the hidden panel checked nothing");
  await page.goBack();
  await page.locator("#outputs-check").waitFor();
});
