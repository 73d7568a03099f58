// What the packed package is: its entries, its types, one instance, and that it stays what it is after
// thousands of calls.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { access, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { build } from "esbuild";

import { install, nodeModules, source, thrownBy, tsc } from "./fixture.mjs";

const NAMES = [
  "ClaimgaugeError", "JudgeError", "Metrics", "checkOutput", "claimsFromTools", "decide", "estimate", "init", "loadPatterns",
  "memoryCache", "parseSchemaRef", "presets", "profiles", "readReply", "scrub", "toLangfuseScores", "toMarkdown", "toOtelEvents", "unscrub",
  "verify", "version", "withVerification",
];
/** Node has files besides. */
const NODE_NAMES = [...NAMES, "directoryCache"].sort();
const JUDGES = ["anthropic", "builtin", "gemini", "languageModel", "ollama", "openai", "recorded", "sampled"];
const FRAMEWORKS = {
  "ai-sdk": ["aiSdk", "checkAnswers"],
  langchain: ["checkAnswers", "langChain"],
  mastra: ["scorerSteps"],
  "openai-agents": ["outputGuardrail", "toolOutputGuardrail"],
  promptfoo: ["assertion"],
};

/** The names under which the headings of a text are found, as hosts of repositories give them. */
const anchors = (text) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"));

describe("the package", () => {
  let project;
  before(async () => {
    project = await install({ byNpm: true });
  });
  after(() => project.remove());

  test("ESM and CommonJS are one instance", async () => {
    const { stdout, stderr } = await project.script(`
      import { createRequire } from "node:module";
      import * as esm from "claimgauge";
      import * as judges from "claimgauge/judges";
      const require = createRequire(import.meta.url);
      const same = (a, b) => Object.keys(a).every((name) => a[name] === b[name]);
      console.log(JSON.stringify({
        names: Object.keys(esm).sort(),
        judges: Object.keys(judges).sort(),
        one: same(esm, require("claimgauge")) && same(judges, require("claimgauge/judges")),
        required: Object.keys(require("claimgauge")).sort(),
        version: esm.version === require("claimgauge/package.json").version,
      }));
    `);
    assert.equal(stderr, "");
    assert.deepEqual(JSON.parse(stdout), {
      names: NODE_NAMES, judges: JUDGES, one: true, required: NODE_NAMES, version: true,
    });
  });

  test("an import reads three files, and what looks at files is loaded by its first use", async () => {
    const { stdout } = await project.script(`
      import { createRequire } from "node:module";
      import { checkOutput, directoryCache, scrub } from "claimgauge";
      import { basename } from "node:path";
      const { cache } = createRequire(import.meta.url);
      console.log(Object.keys(cache).map((path) => basename(path)).sort().join());
      const loaded = (name) => Object.keys(cache).some((path) => path.endsWith(name));
      const files = ["directory-cache.js", "node-files.js"];
      scrub({ profile: "strawberry", evidence: ["users.email"] });
      console.log(JSON.stringify(files.map(loaded)));
      const folder = directoryCache("answers");
      await folder.set("key", "answer");
      const output = { status: "SUCCESS", claims: [] };
      await checkOutput(output, { basePath: "." }).catch(() => undefined);
      console.log(JSON.stringify([...files.map(loaded), await folder.get("key")]));
    `);
    assert.equal(stdout, 'claimgauge.cjs,joined.js,node.js\n[false,false]\n[true,true,"answer"]\n');
  });

  test("the judges work without the main entry", async () => {
    const { stdout } = await project.script(`
      import { builtin } from "claimgauge/judges";
      console.log(await builtin().judge({ spans: [{ id: "S0", text: "The port is 8080" }], claimText: "The port is 8080" }));
    `);
    assert.match(stdout, /ENTAILED/);
  });

  test("the samples of the repository's README run, the first prints a report", async () => {
    const samples = [...(await source("README.md")).matchAll(/^```js\n(.*?)^```/gms)];
    assert.ok(samples.length > 1);
    for (const [at, [, sample]] of samples.entries()) {
      const { stdout, stderr } = await project.script(sample);
      assert.equal(stderr, "");
      assert.match(stdout, at === 0 ? /RECOMMENDATION: |VERIFIED|PROCEED/ : /./);
    }
  });

  test("its README is its own, and no link of a text leads to what it has not", async () => {
    assert.equal(await readFile(join(project.package, "README.md"), "utf8"), await source("pkg/README.md"));
    const texts = (await readdir(project.package, { recursive: true })).filter((file) => file.endsWith(".md"));
    assert.ok(texts.length > 6);
    for (const text of texts) {
      const links = [...(await readFile(join(project.package, text), "utf8")).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
      for (const link of links.filter((link) => !link.startsWith("https:"))) {
        const [path, anchor] = link.split("#");
        const page = join(project.package, path === "" ? text : join(dirname(text), path));
        await access(page).catch(() => assert.fail(`${text} leads to ${link}`));
        if (anchor !== undefined) assert.ok(anchors(await readFile(page, "utf8")).includes(anchor), `${text} leads to ${link}`);
      }
    }
  });

  test("holds five modules without names of functions, and what a user needs to read", async () => {
    const files = await readdir(project.package, { recursive: true });
    const modules = files.filter((file) => file.endsWith(".wasm")).sort();
    assert.deepEqual(modules, ["", "_batch", "_checks", "_extra", "_more"].map((name) => join("dist/wasm", `claimgauge${name}_bg.wasm`)).sort());
    for (const file of ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "NOTICE"]) {
      assert.ok(files.includes(file), file);
    }
    for (const name of modules) {
      const module = new WebAssembly.Module(await readFile(join(project.package, name)));
      assert.equal(WebAssembly.Module.customSections(module, "name").length, 0);
    }
  });

  test("ships programs, types, modules and texts, and nothing of what they were made from", async () => {
    const entries = await readdir(project.package, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => relative(project.package, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
    const kinds = [
      /^(package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE-APACHE|LICENSE-MIT|NOTICE)$/,
      /^docs\/[\w-]+\.md$/,
      /^dist\/(node|web)\/([a-z]+\/)*[\w-]+(\.d)?\.m?(js|ts)$/,
      /^dist\/node\/package\.json$/,
      /^dist\/wasm\/claimgauge[a-z_]*(_bg\.wasm|\.c?js|\.d\.c?ts)$/,
      /^dist\/demo\/examples(\.d\.ts|\.js)$/,
    ];
    assert.deepEqual(files.filter((file) => !kinds.some((kind) => kind.test(file))), []);
    assert.deepEqual(files.filter((file) => /\.m?ts$/.test(file) && !/\.d\.m?ts$/.test(file)), []);
    for (const kind of kinds) assert.ok(files.some((file) => kind.test(file)), String(kind));
  });

  describe("in browsers", () => {
    let web, fetched;
    const { fetch } = globalThis;
    before(async () => {
      web = await project.file("dist/web/web.js");
    });
    after(() => {
      globalThis.fetch = fetch;
    });

    test("says that it is not loaded, and loads once", async () => {
      const error = await thrownBy(() => web.scrub({ profile: "code", evidence: ["x"] }));
      assert.ok(error instanceof web.ClaimgaugeError);
      assert.equal(error.code, "not_initialised");
      assert.match(error.hint, /await init\(\)/);

      globalThis.fetch = async () => new Response("gone", { status: 404 });
      const failed = await thrownBy(() => web.init());
      assert.equal(failed.code, "load_failed");

      fetched = [];
      globalThis.fetch = async (url) => {
        fetched.push(String(url));
        return new Response(await readFile(url), { headers: { "content-type": "application/wasm" } });
      };
      await Promise.all([web.init(), web.init()]);
      await web.init();
      assert.deepEqual(fetched.map((url) => url.split("/").at(-1)).sort(), ["claimgauge_bg.wasm"]);
      assert.equal(web.scrub({ profile: "code", evidence: ["x"] }).spans[0].text, "x");
    });

    test("has the names of Node's entry, but for files", async () => {
      assert.deepEqual(Object.keys(web).sort(), NAMES);
      assert.deepEqual(Object.keys(await project.file("dist/web/judges/index.js")).sort(), JUDGES);
      for (const [name, names] of Object.entries(FRAMEWORKS)) {
        assert.deepEqual(Object.keys(await project.file(`dist/web/frameworks/${name}.js`)).sort(), names);
        assert.deepEqual(Object.keys(await project.file(`dist/node/node-${name}.mjs`)).sort(), names);
      }
    });
  });

  test("the inline entry works in one file, far from the package", async () => {
    const entry = join(project.folder, "bundled.mjs");
    await writeFile(entry, `
      import * as claimgauge from "claimgauge/inline";
      import { builtin } from "claimgauge/inline/judges";
      const request = { profile: "code", evidence: ["The port is 8080"], claims: ["The port is 8080"] };
      (async () => {
        await claimgauge.init();
        const { summary } = await claimgauge.verify(request, { judge: builtin() });
        const output = { summary: "x", traceRef: "trace:t" };
        const { valid } = await claimgauge.checkOutput(output, { tools: { wind: { type: "string" } } });
        console.log(JSON.stringify({ names: Object.keys(claimgauge).sort(), claims: summary.claims, valid }));
      })();
    `);
    const alone = await mkdtemp(join(tmpdir(), "alone-"));
    try {
      const file = join(alone, "bundle.cjs");
      const { errors } = await build({ entryPoints: [entry], outfile: file, bundle: true, platform: "node", logLevel: "silent" });
      assert.deepEqual(errors, []);
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: alone });
      assert.equal(stderr, "");
      assert.deepEqual(JSON.parse(stdout), { names: NAMES, claims: 1, valid: true });
    } finally {
      await rm(alone, { recursive: true, force: true });
    }
  });

  // A record with exactly the names that there are at run time compiles only where the types name
  // exactly these.
  const everyName = (path, names) => `
    import * as entry from "${path}";
    export const names: Record<keyof typeof entry, true> = { ${names.map((name) => `${name}: true`).join(", ")} };
  `;
  const use = `
    import {
      type CheckResult, type FileHost, type OutputClaim, type Report, type VerifyRequest, ClaimgaugeError, JudgeError,
      Metrics, checkOutput, claimsFromTools, parseSchemaRef, scrub, unscrub, verify, withVerification,
    } from "claimgauge";
    import { builtin, openai, recorded } from "claimgauge/judges";

    const request: VerifyRequest = { profile: "code", evidence: ["a", { text: "b", source: null }], claims: ["c", { text: "d", cites: ["S0"] }] };
    const report: Report = await verify(request, { judge: builtin(), signal: new AbortController().signal, limits: { maxCalls: 3 } });
    await verify(request, { judge: async ({ messages }, { signal }) => messages[1]!.content + signal.aborted });
    await verify(request, { judge: { name: "mine", basis: "sampled", judge: () => ({ text: "UNSURE 0.5" }) } });
    const scrubbed = scrub({ profile: { extends: "data", thresholds: { verified: { full: 0.9 } } }, evidence: ["x"], glossary: { TABLE: ["users"] } });
    const text: string = unscrub(scrubbed.spans[0]!.text, scrubbed, scrubbed.spans[0]?.id);
    recorded([{ claim: "C0", pass: "full", text }]);
    openai({ baseUrl: "http://127.0.0.1/v1", model: "m", fetch });
    try { throw new JudgeError({ code: "x", message: "y", stop: true }); } catch (error) {
      if (error instanceof ClaimgaugeError) { const hint: string | null = error.hint; void [hint, error.code, error.path]; }
    }
    const delta: number | null = report.claims[0]!.full?.confidence ?? null;
    void delta;
    const host: FileHost = { observe: ({ path }) => (path === "a" ? { kind: "missing" } : { kind: "file", size: 0 }) };
    const claims: OutputClaim[] = claimsFromTools([{ tool: "Write", args: { path: "a", content: text } }], { toolKinds: { Write: "write" } });
    const metrics = new Metrics();
    const result: CheckResult = await checkOutput({ summary: "x", traceRef: "trace:1", claims }, { host, metrics, tools: { t: { type: "object" } } });
    const { output, attempts } = await withVerification(async ({ errors }) => errors.length, { maxAttempts: 1 });
    const failed: number = output + attempts.length + metrics.getAggregates().errorsByCategory.hash_mismatch;
    void [failed, result.errorCategory, parseSchemaRef("a/b#C")?.exportName];
    // @ts-expect-error: there is no such option
    void checkOutput({}, { base: "." });
    // @ts-expect-error: there is no such profile
    scrub({ profile: "cod", evidence: [] });
    // @ts-expect-error: a judge is needed
    verify(request, {});
    // @ts-expect-error: there is no such option
    verify(request, { judge: builtin(), caches: null });
  `;
  const resolutions = [
    { name: "nodenext", module: "nodenext", moduleResolution: "nodenext", lib: ["es2023"], types: ["node"] },
    { name: "node16", module: "node16", moduleResolution: "node16", lib: ["es2023"], types: ["node"] },
    { name: "bundler", module: "esnext", moduleResolution: "bundler", lib: ["es2023", "dom"], types: [] },
  ];
  for (const { name, ...options } of resolutions) {
    test(`the types compile under ${name} and name what there is`, async () => {
      const files = {
        "names.mts": everyName("claimgauge", name === "bundler" ? NAMES : NODE_NAMES),
        "judges.mts": everyName("claimgauge/judges", JUDGES),
        "inline.mts": everyName("claimgauge/inline", NAMES),
        ...Object.fromEntries(Object.entries(FRAMEWORKS).map(([name, names]) => [`${name}.mts`, everyName(`claimgauge/frameworks/${name}`, names)])),
        "use.mts": use,
      };
      if (name !== "bundler") {
        files["names.cts"] = everyName("claimgauge", NODE_NAMES);
        files["judges.cts"] = everyName("claimgauge/judges", JUDGES);
      }
      for (const [file, text] of Object.entries(files)) {
        await writeFile(join(project.folder, file), text);
      }
      const config = join(project.folder, `tsconfig.${name}.json`);
      const typeRoots = [join(nodeModules, "@types")];
      const compilerOptions = {
        ...options, typeRoots, target: "es2023", strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true,
      };
      await writeFile(config, JSON.stringify({ compilerOptions, files: Object.keys(files) }));
      await tsc("-p", config);
    });
  }

  test("a name that the types have and the package has not is found", async () => {
    const config = join(project.folder, "tsconfig.wrong.json");
    await writeFile(join(project.folder, "wrong.mts"), everyName("claimgauge", NODE_NAMES.slice(1)));
    const compilerOptions = { module: "nodenext", lib: ["es2023"], types: ["node"], typeRoots: [join(nodeModules, "@types")], noEmit: true };
    await writeFile(config, JSON.stringify({ compilerOptions, files: ["wrong.mts"] }));
    const error = await thrownBy(() => tsc("-p", config));
    assert.match(error.message, /ClaimgaugeError/);
  });

  test("ten thousand calls leave the memory as it was", async () => {
    const { stdout } = await project.script(
      `
      import { decide, readReply, scrub, toMarkdown, unscrub, verify } from "claimgauge";
      import { builtin } from "claimgauge/judges";
      const request = { profile: "strawberry", evidence: ["users.email is VARCHAR(255) ".repeat(8)], claims: ["users.email has length 255"] };
      async function once() {
        const scrubbed = scrub(request);
        unscrub(scrubbed.spans[0].text, scrubbed);
        readReply('{"verdict":"ENTAILED","confidence":0.9}');
        decide({ profile: "code", scrubbed: null, full: { verdict: "UNSURE" } });
        try { scrub({ ...request, evidence: [1] }); } catch {}
        toMarkdown(await verify(request, { judge: builtin() }));
      }
      function used() {
        gc();
        const { external, heapUsed } = process.memoryUsage();
        return external + heapUsed;
      }
      for (let i = 0; i < 300; i++) await once();
      const grown = [];
      for (let round = 0; round < 3; round++) {
        const start = used();
        for (let i = 0; i < 1000; i++) await once();
        grown.push(used() - start);
      }
      console.log(Math.min(...grown));
      `,
      "--expose-gc",
    );
    // What is left behind is left in every round; what the engine keeps for itself is not.
    const grown = Number(stdout);
    assert.ok(grown < 100_000, `of three rounds of 6,000 calls each left ${grown} bytes and more behind`);
  });
});
