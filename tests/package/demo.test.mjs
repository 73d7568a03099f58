// The element <claimgauge-demo> of the packed package: without a document, in types, and in a real Chromium under
// a content security policy that allows neither inline styles nor any style from elsewhere.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { install, nodeModules, source, tsc, vectors } from "./fixture.mjs";
import { served } from "./served.mjs";

const SCRIPT = '<script type="module" src="/dist/web/demo/index.js"></script>';

/** How long a demo may take: a machine with other work is slow. */
const PATIENCE = 20_000;

describe("the demo's entry without a browser", () => {
  let project;
  before(async () => {
    project = await install();
  });
  after(() => project?.remove());

  test("is imported where there is no document, and loads nothing", async () => {
    const { stdout, stderr } = await project.script(`
      import * as demo from "claimgauge/demo";
      globalThis.fetch = () => { throw new Error("fetched"); };
      console.log(Object.keys(demo), typeof globalThis.customElements);
    `);
    assert.equal(stdout.trim(), "[ 'ClaimgaugeDemo' ] undefined");
    assert.equal(stderr, "");
  });

  test("has types: the element by its tag, its properties and nothing else", async () => {
    await writeFile(join(project.folder, "demo.mts"), `
      import { ClaimgaugeDemo, type DemoData } from "claimgauge/demo";
      import type * as entry from "claimgauge/demo";
      export const names: Record<keyof typeof entry, true> = { ClaimgaugeDemo: true };
      const demo: ClaimgaugeDemo = document.createElement("claimgauge-demo");
      const data: DemoData = { title: "t", request: { profile: "code", evidence: ["a"], claims: ["b"] }, recording: [{ claim: "C0", pass: "full", text: "" }] };
      demo.data = data;
      demo.data = null;
      demo.judge = "builtin";
      demo.editable = true;
      demo.theme = "dark";
      demo.example = document.querySelector("claimgauge-demo")?.example ?? null;
      // @ts-expect-error: there is no such judge
      demo.judge = "openai";
      // @ts-expect-error: a request is needed
      demo.data = { title: "t" };
    `);
    const config = join(project.folder, "tsconfig.demo.json");
    for (const moduleResolution of ["bundler", "nodenext"]) {
      const compilerOptions = {
        module: moduleResolution === "bundler" ? "esnext" : "nodenext",
        moduleResolution, lib: ["es2023", "dom", "dom.iterable"], types: [], typeRoots: [join(nodeModules, "@types")], target: "es2023",
        strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true,
      };
      await writeFile(config, JSON.stringify({ compilerOptions, files: ["demo.mts"] }));
      await tsc("-p", config);
    }
  });
});

describe("the demo in a browser", { timeout: 240_000 }, () => {
  let site, examples, axe;
  let body = "";
  before(async () => {
    examples = await vectors("examples.json");
    axe = await source("tests/node_modules/axe-core/axe.min.js");
    site = await served((url) => (url === "/" ? ["html", body] : undefined));
  });
  after(() => site?.close());

  /** Opens a page with this in its body. It must have written no error to its console when the test ends. */
  async function open(t, html, options = {}) {
    const context = await site.browser.newContext({ viewport: { width: 1000, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) errors.push(message.text());
    });
    t.after(async () => {
      await context.close();
      assert.deepEqual(errors, [], "the page wrote errors to its console");
    });
    body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>t</title>${SCRIPT}<main>${html}</main>`;
    site.fetched.length = 0;
    await page.goto(`${site.origin}/`);
    return page;
  }

  const statuses = async (page) => {
    await page.locator(".finding").first().waitFor();
    return page.locator(".finding .status b").allInnerTexts();
  };
  const json = (data) => `<script type="application/json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
  const trouble = async (page) => {
    const note = page.locator(".trouble:not([hidden])").first();
    await note.waitFor();
    return note.innerText();
  };
  const REQUEST = { profile: "strawberry", evidence: [{ id: "E", text: "orders.total is an integer", source: "schema" }], claims: ["orders.total is an integer"] };

  test("each example comes to the statuses that are expected of it", async (t) => {
    const page = await open(t, examples.map(({ name }) => `<claimgauge-demo example="${name}"></claimgauge-demo>`).join(""));
    await page.waitForFunction((count) => document.querySelectorAll("claimgauge-demo").length === count && [...document.querySelectorAll("claimgauge-demo")].every((it) => it.shadowRoot?.querySelector(".finding")), examples.length);
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll("claimgauge-demo")].map((it) => [...it.shadowRoot.querySelectorAll(".finding .status b")].map((b) => b.innerText)));
    assert.deepEqual(shown, examples.map(({ expected }) => expected.statuses));
    const modules = site.fetched.filter((url) => url.endsWith(".wasm"));
    assert.equal(new Set(modules).size, modules.length, "all demos share one instance of each module");
    assert.ok(modules.length > 0 && !modules.some((url) => url.includes("extra")), modules.join());
  });

  test("shows the scrub, both judgements, the delta and why", async (t) => {
    const page = await open(t, '<claimgauge-demo example="worked"></claimgauge-demo>');
    assert.deepEqual(await statuses(page), ["VERIFIED"]);
    const { title, lesson } = examples.find(({ name }) => name === "worked");
    assert.equal(await page.locator("header").innerText(), `${title}\n\n${lesson}`);
    assert.match(await page.locator(".span-text").first().innerText(), /^TABLE_1\.FIELD_1 stores/);
    assert.match(await page.locator(".pass").first().innerText(), /Scrubbed pass.*UNSURE 0\.30 recorded/s);
    assert.match(await page.locator(".pass").last().innerText(), /Full pass.*ENTAILED 0\.95 recorded/s);
    assert.match(await page.locator(".gauge figcaption").innerText(), /Δ 0\.65/);
    assert.equal(await page.locator(".gauge svg").first().getAttribute("aria-label"), "Confidence 0.30 without the names, 0.95 with the evidence as given, delta 0.65.");
    assert.match(await page.locator(".note").innerText(), /^Recorded replies answer/);
    assert.equal(await page.locator("textarea").count(), 0);
    assert.equal(await page.locator(".told").innerText(), "", "nothing is read out that nobody asked for");
  });

  test("a judge that gives no verdict is shown with what it said, and is what to look at", async (t) => {
    const page = await open(t, '<claimgauge-demo example="unreadable"></claimgauge-demo>');
    assert.deepEqual(await statuses(page), ["INCONCLUSIVE"]);
    const { recording } = examples.find(({ name }) => name === "unreadable");
    assert.deepEqual(await page.locator(".pass pre").allInnerTexts(), recording.map(({ text }) => text));
    assert.match(await page.locator(".advice").innerText(), /^CHECK THE JUDGE .* on C0: check the judge and run again\.$/);
  });

  test("placeholders are one stop by Tab, move by arrow keys and tell what they hide", async (t) => {
    const page = await open(t, '<claimgauge-demo example="worked"></claimgauge-demo>');
    await statuses(page);
    await page.keyboard.press("Tab");
    const focused = () => page.evaluate(() => document.activeElement.shadowRoot.activeElement.getAttribute("aria-label"));
    assert.equal(await focused(), "[TABLE_1] hides users");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(), "[FIELD_1] hides email");
    assert.match(await page.locator(".lens").innerText(), /^\[FIELD_1\] hides .*email.* in 3 places: a claim names it\.$/s);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true, "the next Tab leaves the demo");
  });

  test("recorded replies are for the text that they were given to: after an edit the built-in judge answers", async (t) => {
    const page = await open(t, '<claimgauge-demo example="worked" editable></claimgauge-demo>');
    assert.deepEqual(await statuses(page), ["VERIFIED"]);
    const claim = page.getByRole("textbox", { name: "Claim C0" });
    await claim.fill("Table users contains field email with data type VARCHAR and length 500");
    await page.getByText("The recorded replies are for the text as it was").waitFor();
    await page.locator(".told:not(:empty)").waitFor();
    assert.match(await page.locator(".told").innerText(), /^Claim C0: UNSUPPORTED, delta /);
    assert.deepEqual(await page.locator(".basis").allInnerTexts(), [" builtin", " builtin"]);
    await page.getByRole("button", { name: "Take the changes back" }).click();
    await page.getByText("Recorded replies answer").waitFor();
    assert.deepEqual(await page.locator(".basis").allInnerTexts(), [" recorded", " recorded"]);
    assert.match(await claim.inputValue(), /length 255$/);

    await claim.fill("");
    assert.match(await trouble(page), /claim/i);
    await claim.fill("The length is 255");
    await page.locator(".finding").waitFor();
  });

  test("shows what decides: redaction and no evidence where the request says so, and where a claim lost nothing", async (t) => {
    const own = { ...REQUEST, claims: [...REQUEST.claims, { id: "W", text: "It is well known" }] };
    const page = await open(t, `<claimgauge-demo>${json({ request: own })}</claimgauge-demo>`);
    assert.equal((await statuses(page)).length, 2);
    assert.match(await page.locator(".preview").innerText(), /Of W nothing was taken out: there it sees \[REDACTED\] in place of each text\./);
    for (const [mode, words] of [["redact_spans", "[REDACTED] in place of each text and its source."], ["no_evidence", "No evidence at all."]]) {
      await page.evaluate((data) => (document.querySelector("claimgauge-demo").data = data), { title: mode, request: { ...REQUEST, nulls: [mode] } });
      await page.getByText(mode, { exact: true }).waitFor();
      await page.locator(".preview .instead").waitFor();
      assert.equal(await page.locator(".preview .instead").innerText(), words);
      assert.equal(await page.locator(".mark").count(), 0, mode);
    }
  });

  test("takes JSON from its child, or data from its property", async (t) => {
    const page = await open(t, `<claimgauge-demo>${json({ title: "Mine", request: REQUEST })}</claimgauge-demo>`);
    assert.deepEqual(await statuses(page), ["VERIFIED"]);
    assert.equal(await page.locator(".title").innerText(), "Mine");
    await page.evaluate(() => document.querySelector("claimgauge-demo").data = { title: "Other", request: { profile: "code", evidence: ["The port is 80"], claims: ["The port is 8080"] } });
    await page.getByText("Other", { exact: true }).waitFor();
    await page.locator(".finding.unsupported").waitFor();
    await page.evaluate(() => document.querySelector("claimgauge-demo").data = null);
    await page.getByText("Mine", { exact: true }).waitFor();
    await page.evaluate((text) => document.querySelector("claimgauge-demo script").textContent = text, JSON.stringify({ title: "Third", request: REQUEST }));
    await page.getByText("Third", { exact: true }).waitFor();
  });

  test("data that was set before the element was defined is shown", async (t) => {
    const page = await open(t, "");
    await page.evaluate(async (request) => {
      const frame = document.createElement("iframe");
      document.body.append(frame);
      const early = frame.contentDocument.createElement("claimgauge-demo");
      early.data = { title: "Early", request };
      document.querySelector("main").append(document.adoptNode(early));
    }, REQUEST);
    await page.getByText("Early", { exact: true }).waitFor();
    assert.deepEqual(await statuses(page), ["VERIFIED"]);
  });

  test("what is in the data is text, whatever it looks like", async (t) => {
    const evil = "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>\u202e";
    const request = { profile: "code", evidence: [{ id: evil, text: `${evil} port 8080`, source: evil }], claims: [{ id: evil, text: `The port is 8080 ${evil}` }] };
    const recording = ["scrubbed", "full"].map((pass) => ({ claim: evil, pass, text: JSON.stringify({ verdict: "ENTAILED", confidence: 0.9, reasoning: evil }) }));
    const page = await open(t, `<claimgauge-demo editable>${json({ title: evil, about: evil, request, recording })}</claimgauge-demo>`);
    await statuses(page);
    assert.equal(await page.locator(".title").innerText(), evil);
    assert.equal(await page.evaluate(() => document.querySelector("claimgauge-demo").shadowRoot.querySelectorAll("img, script, a").length), 0);
    assert.equal(await page.evaluate(() => window.hit), undefined);
  });

  const deep = `{"request":{"profile":"code","claims":[],"evidence":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
  const BAD = [
    ["no JSON", "{", /no JSON/],
    ["an array", "[]", /Expected object, received array/],
    ["null", "null", /Expected object, received null/],
    ["no request", "{}", /"request" is missing/],
    ["an unknown key", '{"request":{},"evil":1}', /no option "evil"/],
    ["a title that is no text", '{"request":{},"title":{}}', /title/],
    ["a request without evidence", '{"request":{"profile":"code"}}', /evidence/],
    ["an unknown profile", '{"request":{"profile":"cod","evidence":["a"],"claims":["b"]}}', /profile/],
    ["evidence that is a number", '{"request":{"profile":"code","evidence":[7],"claims":["b"]}}', /evidence\.0/],
    ["an own __proto__", '{"__proto__":{"x":1},"request":{"profile":"code","evidence":["a"],"claims":["b"]}}', /__proto__/],
    ["deep nesting", deep, /evidence|nest/i],
    ["a recording of another shape", '{"recording":[{"claim":1}],"request":{"profile":"code","evidence":["a"],"claims":["b"]}}', /recordings\.0/],
    ["half a pair", '{"request":{"profile":"code","evidence":["\\ud800"],"claims":["b"]}}', /evidence\.0/],
  ];
  test("bad data is told in words, and the fallback is shown", async (t) => {
    const page = await open(t, "<claimgauge-demo><p>Read this instead.</p></claimgauge-demo>");
    assert.match(await trouble(page), /nothing to show.*example="worked"/s);
    assert.ok(await page.getByText("Read this instead.").isVisible());
    for (const [what, text, words] of BAD) {
      await page.evaluate((text) => {
        document.querySelector("claimgauge-demo").remove();
        const demo = document.createElement("claimgauge-demo");
        const script = document.createElement("script");
        script.type = "application/json";
        script.textContent = text;
        demo.append(script);
        document.querySelector("main").append(demo);
      }, text);
      assert.match(await trouble(page), words, what);
      assert.equal(await page.locator(".finding").count(), 0, what);
    }
  });

  test("attributes change what it shows at once", async (t) => {
    const page = await open(t, '<claimgauge-demo example="worked"><p>Instead.</p></claimgauge-demo>');
    const set = (name, value) => page.evaluate(([name, value]) => (document.querySelector("claimgauge-demo")[name] = value), [name, value]);
    assert.deepEqual(await statuses(page), ["VERIFIED"]);
    assert.equal(await page.getByText("Instead.").isVisible(), false);
    await set("judge", "builtin");
    await page.getByText("The built-in judge answers").waitFor();
    await set("editable", true);
    await page.locator("textarea").first().waitFor();
    await set("editable", false);
    await page.locator("textarea").first().waitFor({ state: "detached" });
    await set("example", "no such");
    assert.match(await trouble(page), /no example "no such".*worked, /s);
    assert.ok(await page.getByText("Instead.").isVisible());
    await set("example", "wrong-number");
    await page.locator(".finding.unsupported").waitFor();
    assert.equal(await page.getByText("Instead.").isVisible(), false);
  });

  test("may be taken out and put back, with what was edited", async (t) => {
    const page = await open(t, '<claimgauge-demo example="worked" editable></claimgauge-demo>');
    await statuses(page);
    await page.getByRole("textbox", { name: "Claim C0" }).fill("The length is 255");
    await page.evaluate(() => {
      window.demo = document.querySelector("claimgauge-demo");
      window.demo.remove();
    });
    await page.evaluate(() => document.querySelector("main").append(window.demo));
    await page.getByText("The recorded replies are for the text as it was").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Claim C0" }).inputValue(), "The length is 255");
    assert.equal(await page.locator(".demo").count(), 1);
  });

  test("is light or dark as the page is, as its reader prefers, or as it is told", async (t) => {
    const dark = "rgb(23, 33, 32)";
    const light = "rgb(255, 255, 255)";
    const ground = (page) => page.locator(".demo").evaluate((it) => getComputedStyle(it).backgroundColor);
    const demo = '<claimgauge-demo example="worked"></claimgauge-demo>';
    const scheme = (content) => `<meta name="color-scheme" content="${content}">`;
    for (const [colorScheme, html, want] of [
      ["light", demo, light],
      ["dark", demo, dark],
      ["dark", scheme("light") + demo, light],
      ["dark", scheme("light dark") + demo, dark],
      ["light", demo.replace(" ", ' theme="dark" '), dark],
      ["dark", demo.replace(" ", ' theme="light" '), light],
    ]) {
      const page = await open(t, html, { colorScheme });
      await statuses(page);
      assert.equal(await ground(page), want, `${colorScheme}: ${html}`);
    }
  });

  test("nothing moves where less motion is asked for, and nothing sticks out from 320 pixels on", async (t) => {
    const page = await open(t, examples.map(({ name }) => `<claimgauge-demo example="${name}" editable></claimgauge-demo>`).join(""), {
      reducedMotion: "reduce", viewport: { width: 320, height: 700 },
    });
    await statuses(page);
    const [wide, mark] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      getComputedStyle(document.querySelector("claimgauge-demo").shadowRoot.querySelector(".mark")).transitionDuration,
    ]);
    assert.ok(wide <= 320, `${wide} pixels wide`);
    assert.equal(mark, "0s");
  });

  const shots = fileURLToPath(new URL("../../target/screenshots/", import.meta.url));
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [360, 1280]) {
      test(`axe finds nothing: ${colorScheme} at ${width} pixels`, async (t) => {
        const page = await open(t, `<h1>Demos</h1>${["worked", "known-anyway", "unreadable"].map((name) => `<claimgauge-demo example="${name}" editable></claimgauge-demo>`).join("")}<claimgauge-demo example="none"></claimgauge-demo>`, {
          colorScheme, viewport: { width, height: 900 }, reducedMotion: "reduce",
        });
        await statuses(page);
        await page.locator(".trouble:not([hidden])").waitFor();
        await page.locator(".mark").first().focus();
        await mkdir(shots, { recursive: true });
        await page.screenshot({ path: join(shots, `demo-${width}-${colorScheme}.png`), fullPage: true });
        await page.evaluate(axe);
        const violations = await page.evaluate(async () => (await window.axe.run()).violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)));
        assert.deepEqual(violations, []);
      });
    }
  }
});
