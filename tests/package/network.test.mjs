// What the package reaches for: nothing on a network, and of its own files no other module than is needed.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { served } from "./served.mjs";

/** Whatever leaves the process or reads a module is told, and nothing leaves it. */
const WATCH = `
  const told = (what) => process.stdout.write(what + "\\n");
  const refuse = (name) => () => {
    told("network: " + name);
    throw new Error("no network here");
  };
  for (const [module, names] of Object.entries({
    "node:child_process": ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"],
    "node:dgram": ["createSocket"],
    "node:dns": ["lookup", "resolve"],
    "node:worker_threads": ["Worker"],
  })) for (const name of names) require(module)[name] = refuse(module + " " + name);
  require("node:net").Socket.prototype.connect = refuse("connect");
  const fs = require("node:fs");
  const { readFileSync } = fs;
  fs.readFileSync = (path, ...more) => {
    const [module] = /[^/\\\\]+\\.wasm$/.exec(String(path)) ?? [];
    if (module !== undefined) told("module: " + module);
    return readFileSync(path, ...more);
  };
`;

const AWAY = "http://127.0.0.1:50999/away";
const REQUEST = '{ profile: "code", evidence: ["The port is 8080"], claims: ["The port is 8080"] }';
/** What is done, in this order, and the modules that it needs for the first time. */
const DEEDS = [
  [`claimgauge.scrub(${REQUEST})`, ["claimgauge_bg.wasm"]],
  ['claimgauge.decide({ profile: "code", scrubbed: null, full: { verdict: "ENTAILED", confidence: 0.9 } })', []],
  ['claimgauge.readReply("UNSURE 0.5")', []],
  ["claimgauge.profiles()", ["claimgauge_more_bg.wasm"]],
  [`await claimgauge.verify(${REQUEST}, { judge: builtin() })`, ["claimgauge_checks_bg.wasm"]],
  ['await claimgauge.checkOutput({ summary: "x", traceRef: "trace:t" }, {})', []],
  ["await claimgauge.loadPatterns()", ["claimgauge_extra_bg.wasm"]],
];

describe("the network", { timeout: 120_000 }, () => {
  let site;
  const pages = {};
  before(async () => {
    site = await served((url) => pages[url]);
  });
  after(() => site?.close());

  test("in Node nothing is reached for, and each module is read once, when it is needed", async () => {
    const { project } = site;
    const run = (body) =>
      project.script(`
        import { createRequire } from "node:module";
        const require = createRequire(import.meta.url);
        ${WATCH}
        const [claimgauge, { builtin }] = [await import("claimgauge"), await import("claimgauge/judges")];
        ${body}
      `);
    const { stdout, stderr } = await run(DEEDS.map(([deed], at) => `${deed};\nconsole.log("did ${at}");`).join("\n"));
    assert.equal(stderr, "");
    const want = DEEDS.flatMap(([, modules], at) => [...modules.map((name) => `module: ${name}`), `did ${at}`]);
    assert.deepEqual(stdout.trimEnd().split("\n"), want);

    const { stdout: seen } = await run(`await fetch("${AWAY}").catch(() => {});`);
    assert.match(seen, /^network: connect$/m, "what goes elsewhere is seen");
  });

  test("on a page nothing is reached for but its own files, each once, and one module", async () => {
    const body = DEEDS.map(([deed], at) => `${deed};\nconsole.log("did ${at}");`).join("\n");
    pages["/all"] = ["html", '<!doctype html><title>t</title><link rel="icon" href="data:,"><script type="module" src="/all.js"></script>'];
    pages["/all.js"] = ["js", `
      import * as claimgauge from "/dist/web/web.js";
      import { builtin } from "/dist/web/judges/index.js";
      await claimgauge.init();
      ${body}
      window.done = true;
    `];
    pages["/out"] = ["html", pages["/all"][1].replace("/all.js", "/out.js")];
    pages["/out.js"] = ["js", `await fetch("${AWAY}").catch(() => {});\nwindow.done = true;`];

    const visit = async (path) => {
      // Without a policy, which would keep what is looked for here from happening.
      const context = await site.browser.newContext({ bypassCSP: true });
      const requests = [];
      context.on("request", (request) => requests.push(request.url()));
      const page = await context.newPage();
      const errors = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      await page.goto(site.origin + path);
      await page.waitForFunction(() => window.done);
      await context.close();
      assert.deepEqual(errors, []);
      return requests;
    };
    const requests = await visit("/all");
    assert.deepEqual(requests.filter((url) => !url.startsWith(`${site.origin}/`)), []);
    const files = requests.map((url) => url.slice(site.origin.length)).filter((url) => !url.startsWith("/all"));
    assert.equal(new Set(files).size, files.length, files.join());
    for (const file of files) {
      assert.match(file, /^\/dist\/(web|wasm)\//);
      await readFile(join(site.project.package, file));
    }
    assert.deepEqual(files.filter((file) => file.endsWith(".wasm")), ["/dist/wasm/claimgauge_bg.wasm"]);
    assert.ok((await visit("/out")).includes(AWAY), "what goes elsewhere is seen");
  });
});
