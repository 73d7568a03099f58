// The package in the bundles that users make of it, and by the eyes of those who look at packages: every entry, for every way in
// which it may be resolved.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build } from "vite";
import webpack from "webpack";

import { tarball } from "./fixture.mjs";
import { served } from "./served.mjs";

const APP = `
  import { checkOutput, init, scrub, verify } from "claimgauge";
  import { builtin } from "claimgauge/judges";
  (async () => {
    await init();
    const request = { profile: "code", evidence: ["The port is 8080"], claims: ["The port is 8080"] };
    const { spans } = scrub(request);
    globalThis.scrubbed = spans[0].text;
    globalThis.verified = async () => (await verify(request, { judge: builtin() })).claims[0].status;
    globalThis.checked = async () => (await checkOutput({ summary: "x", traceRef: "trace:t" }, { tools: { wind: { type: "string" } } })).valid;
  })();
`;
const PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><script type="module" src="./app.js"></script>';
/** What is loaded when something needs it, as text inside a program of its own. */
const LATER = ["checks", "extra"];

describe("bundles", { timeout: 240_000 }, () => {
  let site, folder;
  const bundles = {};
  before(async () => {
    site = await served((url) => bundles[new URL(url, "http://x").pathname]);
    folder = site.project.folder;
    await mkdir(join(folder, "app"));
    await writeFile(join(folder, "app/app.js"), APP);
    await writeFile(join(folder, "app/index.html"), PAGE);
  });
  after(() => site?.close());

  /** Serves what a bundler wrote, and looks at what a page of it does and fetches. */
  async function run(name) {
    const files = (await readdir(join(folder, name), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      bundles[path.slice(folder.length).replaceAll("\\", "/")] = [file.name.split(".").at(-1), await readFile(path)];
    }
    const page = await site.browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    const fetched = (end) => site.fetched.filter((url) => url.endsWith(end)).map((url) => url.split("/").at(-1));
    const later = () => LATER.filter((name) => fetched(".js").some((file) => file.includes(`claimgauge_${name}_inline`)));
    site.fetched.length = 0;
    await page.goto(`${site.origin}/${name}/index.html`);
    await page.waitForFunction(() => globalThis.scrubbed);
    const first = later();
    const found = await page.evaluate(async () => [globalThis.scrubbed, await globalThis.verified(), await globalThis.checked()]);
    await page.close();
    assert.deepEqual(errors.filter((error) => !error.includes("favicon")), []);
    assert.deepEqual(found, ["The port is [NUM_1]", "VERIFIED", true]);
    const modules = files.map((file) => file.name).filter((file) => file.endsWith(".wasm"));
    assert.equal(modules.length, 1, modules.join());
    assert.deepEqual(fetched(".wasm"), modules, "and it is loaded once");
    assert.deepEqual([first, later()], [[], LATER], "a scrub loads what it needs");
    assert.equal(new Set(site.fetched).size, site.fetched.length, "and nothing is loaded twice");
  }

  test("of webpack 5 have one module as a file, and load the others when they are needed", async () => {
    const compiler = webpack({
      mode: "production",
      context: folder,
      entry: "./app/app.js",
      // By their names, so that the test knows which is which.
      output: { path: join(folder, "webpack"), filename: "app.js", chunkFilename: "[name].js" },
      optimization: { chunkIds: "named" },
      performance: { hints: false },
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    assert.deepEqual(stats.toJson({ all: false, errors: true, warnings: true }), { errors: [], warnings: [] });
    await promisify(compiler.close.bind(compiler))();
    await writeFile(join(folder, "webpack/index.html"), PAGE);
    await run("webpack");
  });

  test("of Vite have one module as a file, and load the others when they are needed", async () => {
    await build({ root: join(folder, "app"), base: "./", logLevel: "silent", build: { outDir: join(folder, "vite"), emptyOutDir: true } });
    await run("vite");
  });
});

describe("the packed file", { timeout: 240_000 }, () => {
  let folder, file, manifest;
  before(async () => {
    file = await tarball();
    folder = await mkdtemp(join(tmpdir(), "packed-"));
    await promisify(execFile)("tar", ["-xzf", file], { cwd: folder });
    manifest = JSON.parse(await readFile(join(folder, "package/package.json"), "utf8"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test("publint finds nothing, suggestions included", async () => {
    const found = async (pkgDir, manifest) => {
      const { messages } = await publint({ pkgDir, level: "suggestion", strict: true, pack: false });
      return messages.map((message) => `${message.type}: ${formatMessage(message, manifest)}`);
    };
    assert.deepEqual(await found(join(folder, "package"), manifest), []);
    // Where there is something it is found.
    const broken = { ...manifest, exports: { ...manifest.exports, "./judges": "./dist/nowhere.js" } };
    await mkdir(join(folder, "broken"));
    await writeFile(join(folder, "broken/package.json"), JSON.stringify(broken));
    assert.match((await found(join(folder, "broken"), broken)).join(), /error: .*nowhere\.js/);
  });

  test("are the types wrong? In no entry, for no resolution", async () => {
    const { problems, entrypoints, packageName } = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(file))));
    assert.equal(packageName, "claimgauge");
    const entries = Object.keys(manifest.exports).filter((name) => name !== "./package.json");
    assert.ok(entries.length > 8 && entries.every((name) => Object.hasOwn(entrypoints, name)), Object.keys(entrypoints).join());
    // Entries for browsers are ESM alone; a CommonJS module imports them, as their types say.
    const known = new Set(["./inline", "./inline/judges", "./demo"]);
    const wrong = problems.filter(({ kind, entrypoint, resolutionKind }) => !(kind === "CJSResolvesToESM" && known.has(entrypoint) && resolutionKind === "node16-cjs"));
    assert.deepEqual(wrong, []);
    assert.equal(problems.length, known.size, "what is known is found");
  });

  test("is the same, byte for byte, wherever and whenever it is packed", async () => {
    const hashes = [];
    for (const [at, time] of [1e9, 1.5e9].entries()) {
      const copy = join(folder, `copy ${at}`);
      await cp(join(folder, "package"), copy, { recursive: true });
      for (const entry of await readdir(copy, { recursive: true })) await utimes(join(copy, entry), time, time);
      const to = join(folder, `to-${at}`);
      await mkdir(to);
      await promisify(execFile)("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", to], { cwd: copy });
      const [packed] = await readdir(to);
      hashes.push(createHash("sha256").update(await readFile(join(to, packed))).digest("hex"));
    }
    const given = createHash("sha256").update(await readFile(file)).digest("hex");
    assert.deepEqual(hashes, [given, given]);
  });
});
