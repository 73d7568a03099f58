// Checking outputs: the shared cases on real folders, schemas of all kinds, claims from tool calls,
// metrics, running again.
import assert from "node:assert/strict";
import { chownSync, lstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { type } from "arktype";
import * as valibot from "valibot";
import { z as zod4 } from "zod";
import { z as zod3 } from "zod3";

import { install, source, thrownBy, vectors } from "./fixture.mjs";
import { folder, outputOf, sha256, written } from "./output-folder.mjs";

describe("output", { timeout: 120_000 }, () => {
  let project, claimgauge, elsewhere;
  before(async () => {
    project = await install();
    claimgauge = project.require("claimgauge");
    elsewhere = (await project.file("dist/node/output/observations.js")).default;
  });
  after(() => project.remove());

  test("output: all cases, here and by observations from elsewhere", async () => {
    const cases = await vectors("outputs.json");
    assert.equal(cases.length, 91);
    let ran = 0;
    for (const one of cases) {
      const where = folder(one.setup);
      try {
        const text = JSON.stringify(one).replaceAll("{{base}}", where.base).replaceAll("{{outside}}", where.root);
        await run(JSON.parse(text), where);
        ran += 1;
      } catch (error) {
        throw new Error(`${one.id}: ${error.message}`, { cause: error });
      } finally {
        where.remove();
      }
    }
    assert.equal(ran, 91);
  });

  async function run({ input, options, want, skip_as_root }, where) {
    if ("parsed" in want) {
      assert.deepEqual(claimgauge.parseSchemaRef(input), want.parsed);
      return;
    }
    if (Array.isArray(input?.events)) {
      compareMetrics(input.events, want);
      return;
    }
    const basePath = where.fill();
    const check = () => checkHereAndElsewhere(input, options, want, { where, basePath });
    // Root is refused nothing.
    await (skip_as_root && process.geteuid() === 0 ? asNobody(where, check) : check());
  }

  async function checkHereAndElsewhere(input, options, want, { where, basePath }) {
    let result;
    try {
      result = await claimgauge.checkOutput(input, { ...options, basePath });
    } catch (error) {
      assert.ok(error instanceof claimgauge.ClaimgaugeError && want.refused, error.stack);
      return;
    }
    compare(result, want);
    const seen = JSON.parse(JSON.stringify(await elsewhere.observe(input, basePath)));
    assert.deepEqual(await claimgauge.checkOutput(input, { ...options, host: elsewhere.observed(seen) }), result);
    for (const path of want.absent_after ?? []) {
      for (const below of [where.root, where.base]) {
        assert.throws(() => lstatSync(join(below, path)), { code: "ENOENT" });
      }
    }
  }

  /** Runs as a user who may read only what everyone may. The folders are theirs; the files stay as they are. */
  async function asNobody(where, act) {
    const NOBODY = 65_534;
    for (const path of [where.root, where.base]) chownSync(path, NOBODY, NOBODY);
    process.seteuid(NOBODY);
    try {
      await act();
    } finally {
      process.seteuid(0);
    }
  }

  const READ = [
    "valid", "level", "claimless", "output", "claims", "paths", "errors_contain", "contains", "lacks", "refused",
    "no_filesystem", "unregistered", "unclaimed", "absent_after", "parsed", "aggregates", "specialists", "recent",
  ];

  function compare(result, want) {
    // A key that is not here would go unchecked.
    for (const key of Object.keys(want)) assert.ok(READ.includes(key), key);
    const text = JSON.stringify(result);
    for (const key of ["valid", "level", "claimless"]) {
      if (key in want) assert.equal(result[key], want[key], text);
    }
    if (want.refused) assert.equal(result.valid, false);
    assert.equal(result.valid, result.errors.length === 0);
    assert.equal(result.valid, !("errorCategory" in result));
    if ("output" in want) assert.deepEqual(result.structureValidation.output, want.output);
    if (want.claims) {
      const results = result.filesystemValidation.claimResults;
      assert.equal(results.length, want.claims.length);
      results.forEach((got, at) => {
        assert.equal(got.index, at);
        compareClaim(got, want.claims[at]);
      });
    }
    if (want.paths) {
      assert.deepEqual(result.structureValidation.errors.map(({ path }) => path).sort(), want.paths.toSorted());
    }
    for (const part of want.errors_contain ?? []) assert.ok(result.errors.some((line) => line.includes(part)), text);
    for (const part of want.contains ?? []) assert.ok(text.includes(part), `${part} is not in ${text}`);
    for (const part of want.lacks ?? []) assert.ok(!text.includes(part), `${part} is in ${text}`);
    if (want.no_filesystem) assert.ok(!("filesystemValidation" in result));
    if ("unregistered" in want) assert.equal(result.pluginValidation.unregistered.length, want.unregistered);
    if (want.unclaimed) assert.deepEqual(result.unclaimed, want.unclaimed);
  }

  function compareClaim(got, want) {
    const text = JSON.stringify(got);
    assert.ok(want.outcome.split("|").includes(got.outcome), text);
    if (typeof want.reason_contains === "string") assert.ok(got.reason.includes(want.reason_contains), text);
    else if ("reason_contains" in want) assert.equal(got.reason, null);
    if (want.has_reason) assert.ok(got.reason.length > 0);
    if (want.hint) assert.ok(got.hint.includes(want.hint === "bom" ? "BOM" : "CRLF / line ending"), text);
    if (want.kind) assert.equal(got.claim.kind, want.kind);
    if (want.path) assert.equal(got.claim.filePath, want.path);
  }

  function compareMetrics(events, want) {
    const metrics = new claimgauge.Metrics();
    for (const entry of events) {
      if (entry.clear) metrics.clear();
      else for (let left = entry.repeat ?? 1; left > 0; left -= 1) metrics.record(entry.event ?? entry);
    }
    if (want.aggregates) assertHolds(metrics.getAggregates(), want.aggregates);
    if (want.specialists) assert.deepEqual(Object.keys(metrics.getAggregates().bySpecialist), want.specialists);
    if (want.recent) {
      const recent = metrics.getRecentEvents(want.recent.limit);
      assert.equal(recent.length, want.recent.count);
      if (want.recent.durations) assert.deepEqual(recent.map(({ durationMs }) => durationMs), want.recent.durations);
    }
  }

  function assertHolds(got, want) {
    if (typeof want !== "object" || want === null) return assert.equal(got, want);
    for (const [key, value] of Object.entries(want)) assertHolds(got[key], value);
  }

  const traceOf = (output, more = {}) => ({
    traceId: "t",
    specialistId: "sailor",
    invocations: [{ invocationId: "i", tool: "wind", purpose: "execution", status: "success", output, ...more }],
  });
  const claimless = { summary: "Looked.", traceRef: "trace:t" };

  const standard = {
    "zod 4": zod4.object({ knots: zod4.number().min(0), gusts: zod4.array(zod4.number()) }),
    "zod 3": zod3.object({ knots: zod3.number().min(0), gusts: zod3.array(zod3.number()) }),
    valibot: valibot.object({ knots: valibot.pipe(valibot.number(), valibot.minValue(0)), gusts: valibot.array(valibot.number()) }),
    arktype: type({ knots: "number >= 0", gusts: "number[]" }),
    "JSON Schema": {
      type: "object",
      required: ["knots", "gusts"],
      properties: { knots: { type: "number", minimum: 0 }, gusts: { type: "array", items: { type: "number" } } },
    },
  };
  for (const [name, schema] of Object.entries(standard)) {
    test(`output: tools' outputs against ${name}`, async () => {
      for (const [options, reference] of [
        [{ tools: { wind: schema } }, "its own"],
        [{ tools: { wind: "@harbour/wind/now#Wind" }, schemas: { "@harbour/wind/now#WindSchema": schema } }, "by reference"],
      ]) {
        for (const good of [{ knots: 7, gusts: [9] }, '{"knots":7,"gusts":[]}']) {
          const { valid, pluginValidation } = await claimgauge.checkOutput(claimless, { ...options, trace: traceOf(good) });
          assert.deepEqual([valid, pluginValidation.checked], [true, 1], reference);
        }
        const bad = await claimgauge.checkOutput(claimless, { ...options, trace: traceOf({ knots: -1, gusts: [1, "2"] }) });
        assert.deepEqual([bad.valid, bad.level, bad.errorCategory], [false, 2, "schema_mismatch"]);
        const errors = bad.pluginValidation.errors;
        assert.deepEqual(errors.map(({ path }) => path).sort(), ["gusts.1", "knots"]);
        for (const { toolName, invocationId, code, message } of errors) {
          assert.deepEqual([toolName, invocationId, code], ["wind", "i", "SCHEMA_VALIDATION_FAILED"]);
          assert.notEqual(message, "");
        }
        const text = await claimgauge.checkOutput(claimless, { ...options, trace: traceOf("calm") });
        assert.equal(text.valid, false);
      }
    });
  }

  test("output: schemas may answer later, throw, and say anything", async () => {
    const own = (validate) => ({ "~standard": { version: 1, vendor: "own", validate } });
    const check = (validate) => claimgauge.checkOutput(claimless, { trace: traceOf(1), tools: { wind: own(validate) } });
    assert.ok((await check(async (value) => ({ value }))).valid);
    const thrown = await check(() => { throw new Error("no"); });
    assert.deepEqual(thrown.errors.slice(1), ["wind: The schema threw: no"]);
    const odd = await check(() => ({ issues: [{ message: "a\ud800", path: [{ key: "x" }, Symbol("y"), 0] }] }));
    assert.deepEqual(odd.pluginValidation.errors.map(({ path, message }) => [path, message]), [["x.Symbol(y).0", "a\ufffd"]]);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    const stuck = await thrownBy(() =>
      claimgauge.checkOutput(claimless, { trace: traceOf(1), tools: { wind: own(() => new Promise(() => {})) }, signal: abort.signal }),
    );
    assert.equal(stuck.code, "cancelled");
    const many = await check(() => ({ issues: Array.from({ length: 5000 }, () => ({ message: "x".repeat(9000) })) }));
    assert.equal(many.pluginValidation.errors.length, 100);
    assert.ok(many.pluginValidation.errors[0].message.length < 500);
  });

  test("output: what is no schema, or leads elsewhere, is refused when given", async () => {
    let deep = {};
    for (let level = 0; level < 100_000; level += 1) deep = { not: deep };
    const cyclic = { properties: {} };
    cyclic.properties.self = cyclic;
    const rows = [
      [{ properties: { a: { $ref: "https://schemas.example/a.json" } } }, "tools.wind.properties.a.$ref"],
      [{ $ref: "file:///etc/passwd" }, "tools.wind.$ref"],
      [{ $ref: "#" }, "tools.wind.$ref"],
      [{ type: "text" }, "tools.wind.type"],
      [{ pattern: "(?=a)b" }, "tools.wind.pattern"],
      [{ $schema: "http://json-schema.org/draft-04/schema#" }, "tools.wind.$schema"],
      [deep, "tools.wind"], [cyclic, "tools.wind"], [7, "tools.wind"], [null, "tools.wind"], [() => true, "tools.wind"],
    ];
    for (const [schema, path] of rows) {
      const error = await thrownBy(() => claimgauge.checkOutput(claimless, { tools: { wind: schema } }));
      assert.ok(error instanceof claimgauge.ClaimgaugeError, error.stack);
      assert.deepEqual([error.code, error.path], ["schema_refused", path]);
    }
    const evil = { tools: { wind: { pattern: "^(a+)+$" } }, trace: traceOf(`${"a".repeat(100_000)}b`) };
    assert.equal((await claimgauge.checkOutput(claimless, evil)).valid, false);
    const tree = { $ref: "#/$defs/n", $defs: { n: { type: "object", properties: { n: { $ref: "#/$defs/n" } } } } };
    let nested = 1;
    for (let level = 0; level < 90; level += 1) nested = { n: nested };
    const bad = await claimgauge.checkOutput(claimless, { tools: { wind: tree }, trace: traceOf(nested) });
    assert.equal(bad.pluginValidation.errors.length, 1);
  });

  test("output: formats count where they are asked for", async () => {
    const options = { tools: { wind: { format: "date" } }, trace: traceOf("yesterday") };
    assert.ok((await claimgauge.checkOutput(claimless, options)).valid);
    assert.equal((await claimgauge.checkOutput(claimless, { ...options, formats: true })).valid, false);
  });

  test("output: what is not needed by every call loads when it is first needed", async () => {
    const { stdout, stderr } = await project.script(`
      import { createRequire } from "node:module";
      import { checkOutput, Metrics, scrub, verify } from "claimgauge";
      import { builtin, openai, recorded } from "claimgauge/judges";
      const { cache } = createRequire(import.meta.url);
      const loaded = () => Object.keys(cache).flatMap((file) => /claimgauge_(\\w+)\\.cjs$/.exec(file)?.[1] ?? []).join();
      const request = { profile: "code", evidence: ["x"], claims: ["x is y"] };
      scrub(request);
      console.log(loaded() || "nothing");
      new Metrics().getAggregates();
      openai({ baseUrl: "http://127.0.0.1/v1", model: "m" });
      console.log(loaded());
      await verify(request, { judge: recorded([]) });
      await verify(request, { judge: builtin() });
      const own = { "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) } };
      await checkOutput({ summary: "x", traceRef: "trace:t" }, { tools: { wind: own } });
      console.log(loaded());
      await checkOutput({ summary: "x", traceRef: "trace:t" }, { tools: { wind: true } });
      console.log(loaded());
    `);
    assert.equal(stderr, "");
    assert.equal(stdout, "nothing\nmore\nmore,checks\nmore,checks,extra\n");
  });

  test("output: in browsers a host looks, and each module is loaded when it is first needed", async () => {
    const { fetch } = globalThis;
    const { instantiate } = WebAssembly;
    const loaded = [];
    let fails = false;
    globalThis.fetch = async (url) => new Response(await readFile(url), { headers: { "content-type": "application/wasm" } });
    WebAssembly.instantiate = async (bytes, imports) => {
      if (fails) throw new WebAssembly.CompileError("not allowed here");
      const made = await instantiate(bytes, imports);
      loaded.push(Object.keys(made.instance.exports));
      return made;
    };
    const has = (...names) => assert.deepEqual(loaded.map((all) => names.find((name) => all.includes(name))), names);
    try {
      const web = await project.file("dist/web/web.js");
      await web.init();
      has("toMarkdown");
      const deleted = outputOf({ kind: "file-delete", filePath: "a" });
      fails = true;
      const gone = await thrownBy(() => web.checkOutput(deleted));
      assert.equal(gone.code, "load_failed");
      assert.match(gone.message, /claimgauge_checks_bg\.wasm cannot be loaded: not allowed here/);
      assert.match(gone.hint, /'wasm-unsafe-eval'/);
      fails = false;
      assert.ok((await web.checkOutput(deleted, { host: { observe: () => ({ kind: "missing" }) } })).valid);
      assert.equal((await thrownBy(() => web.checkOutput(deleted, { basePath: "." }))).path, "basePath");
      has("toMarkdown", "checkNew");
      const options = { trace: traceOf(1), tools: { wind: { type: "string" } } };
      const results = await Promise.all([web.checkOutput(claimless, options), web.checkOutput(claimless, options)]);
      assert.deepEqual(results.map(({ level }) => level), [2, 2]);
      has("toMarkdown", "checkNew", "schemaNew");
    } finally {
      globalThis.fetch = fetch;
      WebAssembly.instantiate = instantiate;
    }
  });

  test("output: options that are unknown or wrong are refused by name", async () => {
    const rows = [
      [{ bsePath: "/" }, "unknown_field", "bsePath"],
      [{ limits: { texts: 1 } }, "unknown_field", "limits.texts"],
      [{ limits: { textBytes: -1 } }, "invalid_value", "limits.textBytes"],
      [{ basePath: 7 }, "invalid_value", "basePath"],
      [{ basePath: "/nowhere/at/all" }, "invalid_value", "basePath"],
      [{ basePath: "" }, "invalid_value", "basePath"],
      [{ basePath: "a\0b" }, "invalid_value", "basePath"],
      [{ basePath: "/", host: { observe() {} } }, "invalid_value", "host"],
      [{ host: {} }, "invalid_type", "host"],
      [{ strict: "yes" }, "invalid_type", "strict"],
      [{ toolKinds: { Write: "writes" } }, "invalid_value", "toolKinds.Write"],
      [{ toolKinds: new Map([["Write", "writes"]]) }, "invalid_type", "toolKinds"],
      [{ schemas: new Map() }, "invalid_type", "schemas"],
      [{ tools: new Set() }, "invalid_type", "tools"],
      [Promise.resolve({ basePath: "/nowhere/at/all" }), "invalid_type", ""],
      [new Date(), "invalid_type", ""],
      [{ metrics: {} }, "invalid_type", "metrics"],
      [{ trace: { traceId: "t" } }, "missing_field", "trace.specialistId"],
      [{ trace: [] }, "invalid_type", "trace"],
      [7, "invalid_value", ""],
    ];
    for (const [options, code, path] of rows) {
      const error = await thrownBy(() => claimgauge.checkOutput(claimless, options));
      assert.ok(error instanceof claimgauge.ClaimgaugeError, error.stack);
      assert.deepEqual([error.code, error.path], [code, path], error.message);
    }
    assert.ok((await claimgauge.checkOutput(claimless, { basePath: null, tools: null, signal: undefined })).valid);
  });

  test("output: the result has the output without what its shape has not, never the caller's own object", async () => {
    const claim = { kind: "file-write", filePath: "a", contentHash: "b" };
    const edit = { kind: "file-edit", filePath: "ü🎉", anchor: { beforeSnippet: "é\u2028", afterSnippet: "\0", contentHash: "" } };
    const region = { start: 1e21, end: -0.5 };
    const rows = [
      [{ ...claimless, claims: [claim, edit] }, { ...claimless, claims: [claim, edit] }],
      [{ ...claimless, more: 1, claims: [{ ...claim, extra: {} }] }, { ...claimless, claims: [claim] }],
      // Keys that other shapes have.
      [{ ...claimless, claims: [{ ...claim, command: "x", anchor: edit.anchor }] }, { ...claimless, claims: [claim] }],
      [{ ...claimless, path: "x", tool: [] }, claimless],
      [{ ...claimless, claims: undefined, artifacts: [] }, { ...claimless, artifacts: [] }],
      [{ ...claimless, claims: [{ ...edit, editedRegion: region }] }, { ...claimless, claims: [{ ...edit, editedRegion: region }] }],
      [{ ...claimless, claims: [{ kind: "command-executed", command: "x", exitCode: -0 }] }, { ...claimless, claims: [{ kind: "command-executed", command: "x", exitCode: 0 }] }],
      // Half of a surrogate pair, with and without its other half behind it.
      [{ ...claimless, summary: "a\ud83c", claims: [{ ...claim, filePath: "\u{1f389}b" }] }, { ...claimless, summary: "a\ufffd", claims: [{ ...claim, filePath: "\u{1f389}b" }] }],
      [JSON.parse('{"summary":"x","traceRef":"trace:t","__proto__":{"claims":[]}}'), { summary: "x", traceRef: "trace:t" }],
    ];
    for (const [given, want] of rows) {
      const before = structuredClone(given);
      const { structureValidation, filesystemValidation } = await claimgauge.checkOutput(given);
      const { output } = structureValidation;
      assert.deepEqual(output, want);
      assert.notEqual(output, given);
      for (const [at, { claim }] of (filesystemValidation?.claimResults ?? []).entries()) {
        assert.equal(claim, output.claims[at]);
        assert.notEqual(claim, given.claims[at]);
        claim.filePath = "changed";
      }
      assert.deepEqual(given, before);
    }
  });

  test("output: without a base or a host, claims about files are inconclusive", async () => {
    const result = await claimgauge.checkOutput(outputOf(written("a", "a"), { kind: "command-executed", command: "ls", exitCode: 0 }));
    assert.deepEqual(result.filesystemValidation.claimResults.map(({ outcome }) => outcome), ["inconclusive", "trusted"]);
    assert.equal(result.valid, true);
  });

  test("output: a host of one's own looks at files, at once or later", async () => {
    const looks = [];
    const files = { a: "alpha\n", b: Buffer.from([0xff, 0x0a]) };
    const host = {
      observe(look) {
        looks.push(look);
        const content = files[look.path];
        if (content === undefined) return { kind: "missing" };
        const seen = { kind: "file", size: content.length, sha256: sha256(content), text: content };
        return look.path === "a" ? seen : Promise.resolve(seen);
      },
    };
    const anchor = { beforeSnippet: "al", afterSnippet: "ha", contentHash: sha256("p") };
    const output = outputOf({ kind: "file-edit", filePath: "a", anchor }, written("b", files.b), written("c", "c"));
    const { claimResults } = (await claimgauge.checkOutput(output, { host })).filesystemValidation;
    assert.deepEqual(claimResults.map(({ outcome }) => outcome), ["passed", "passed", "failed"]);
    assert.deepEqual(looks.map(({ path, want }) => [path, want]), [["a", "text"], ["b", "hash"], ["c", "hash"]]);

    for (const [bad, code] of [[{ kind: "fil" }, "invalid_value"], [null, "invalid_type"], [Promise.resolve({ kind: "file" }), "invalid_value"]]) {
      const error = await thrownBy(() => claimgauge.checkOutput(outputOf(written("a", "")), { host: { observe: () => bad } }));
      assert.ok(error instanceof claimgauge.ClaimgaugeError, error.stack);
      assert.equal(error.code, code);
      assert.match(error.path, /^observation/);
    }
    const broken = await claimgauge.checkOutput(outputOf(written("a", "")), { host: { observe() { throw new Error("disk is gone"); } } });
    assert.match(broken.filesystemValidation.claimResults[0].reason, /disk is gone/);
  });

  test("output: claims from tool calls hold in the files, in strict mode too", async () => {
    const where = folder();
    const text = "one\r\ntwo 🎉\r\nthree\r\n".repeat(300);
    const after = text.replace("two 🎉", "2 🎉🎉");
    const long = "x".repeat(3000) + "é".repeat(3000);
    where.write("edited.txt", after);
    where.write("start.txt", `new${text}`);
    where.write("whole.txt", "brand new");
    where.write("long.txt", long);
    where.write("text.txt", `before ${"middle ".repeat(20)} after`);
    where.write("gone-part.txt", "ab");
    where.write("found.txt", `intro\nset in its place\n${text}`);
    const calls = [
      { tool: "fs:edit", args: { path: "edited.txt" }, before: text, after },
      { tool: "Edit", args: { file: "start.txt", new_string: "new" }, before: text, after: `new${text}` },
      { tool: "fs:edit", args: { path: "whole.txt" }, before: "old", after: "brand new" },
      { tool: "fs:edit", args: { path: "long.txt" }, before: "", after: long },
      { tool: "fs:edit", args: { path: "text.txt", newText: "middle ".repeat(20) } },
      { tool: "fs:edit", args: { path: "gone-part.txt" }, before: "acb", after: "ab" },
      { tool: "fs:edit", args: { path: "found.txt", search: "OLD\n", replace: "set in its place\n" }, after: `intro\nset in its place\n${text}` },
      { tool: "fs:edit", args: { path: "found.txt", newText: "set in its place\n", replace: true }, after: `intro\nset in its place\n${text}` },
      { tool: "fs:write", args: { path: "whole-2.txt", content: "w" } },
      { tool: "fs:write", args: { path: "never.txt", content: "w" }, status: "failed" },
      { tool: "fs:delete", args: { filePath: "gone.txt" } },
      { tool: "fs:read", args: { path: "edited.txt" } },
      { tool: "Bash", args: { command: " make " }, status: "failed", output: { exitCode: 2 } },
      { tool: "Bash", args: { command: "who knows" } },
      { tool: "search", args: {} },
    ];
    where.write("whole-2.txt", "w");
    const toolKinds = { Edit: "edit", Bash: "run" };
    const claims = claimgauge.claimsFromTools(calls, { toolKinds });
    assert.deepEqual(claims.map(({ kind }) => kind), [...Array(8).fill("file-edit"), "file-write", "file-delete", "command-executed"]);
    const invocations = calls.map(({ tool, args, status = "success", output }, at) => ({
      invocationId: `i${at}`, tool, args, purpose: "execution", status, output,
    }));
    const trace = { traceId: "t", specialistId: "s", invocations };
    const result = await claimgauge.checkOutput(outputOf(...claims), { basePath: where.base, strict: true, trace, toolKinds });
    assert.deepEqual(result.errors, []);
    assert.equal(claims[0].anchor.beforeSnippet.endsWith("one\r\n"), true);
    where.remove();

    for (const [call, path] of [
      [{ tool: "fs:write", args: { path: "a" } }, "calls.0.args.content"],
      [{ tool: "fs:write", args: { content: "a" } }, "calls.0.args.path"],
      [{ tool: "fs:edit", args: { path: "a", newText: "" } }, "calls.0.after"],
      [{ tool: "shell:exec", args: {} }, "calls.0.args.command"],
      [{ args: {} }, "calls.0.tool"],
      [null, "calls.0"],
    ]) {
      const error = await thrownBy(() => claimgauge.claimsFromTools([call]));
      assert.deepEqual([error.code, error.path], ["missing_field", path]);
    }
  });

  test("output: metrics are recorded, saved, merged and compared", async () => {
    const metrics = new claimgauge.Metrics();
    const options = { metrics, specialistId: "__proto__", subtaskId: "7" };
    await claimgauge.checkOutput(claimless, options);
    await claimgauge.checkOutput({}, options);
    await claimgauge.checkOutput(claimless, { ...options, trace: traceOf(1), tools: { wind: { type: "string" } } });
    const { totalChecks, outputs, bySpecialist, errorsByCategory } = metrics.getAggregates();
    assert.deepEqual([totalChecks, outputs.total, outputs.failed], [4, 3, 2]);
    assert.ok(Object.hasOwn(bySpecialist, "__proto__"));
    assert.deepEqual(Object.getOwnPropertyDescriptor(bySpecialist, "__proto__").value, { total: 4, passed: 2, failed: 2 });
    assert.deepEqual([errorsByCategory.missing_field, errorsByCategory.schema_mismatch], [1, 1]);

    const saved = JSON.parse(JSON.stringify(metrics.snapshot()));
    const loaded = new claimgauge.Metrics(saved);
    assert.deepEqual(loaded.getAggregates(), metrics.getAggregates());
    loaded.merge(metrics);
    assert.equal(loaded.getAggregates().totalChecks, 8);
    const { checks } = metrics.compare(loaded);
    assert.deepEqual([checks.a.total, checks.b.total, checks.difference], [4, 8, 0]);
    assert.ok(checks.interval[0] < 0 && checks.interval[1] > 0);
    assert.deepEqual(metrics.getRecentEvents(0), []);
    metrics.getRecentEvents()[0].status = "changed";
    assert.equal(metrics.getRecentEvents()[0].status, "passed");
    for (const event of [{}, { ...saved.events[0], durationMs: -1 }, { ...saved.events[0], level: 4 }, { ...saved.events[0], x: 1 }]) {
      assert.ok((await thrownBy(() => metrics.record(event))) instanceof claimgauge.ClaimgaugeError);
    }
    assert.equal(metrics.getAggregates().totalChecks, 4);
    metrics.clear();
    assert.equal(metrics.getAggregates().totalChecks, 0);
  });

  test("output: the README's sample prints what the README says", async () => {
    const [, [, sample]] = (await source("README.md")).matchAll(/^```js\n(.*?)^```/gms);
    const { stdout, stderr } = await project.script(sample);
    assert.equal(stderr, "");
    assert.match(stdout, /^true\n\[\n {2}'Level 3 \(filesystem\) validation failed',\n {2}'file-write: Content hash mismatch'\n\]\n$/);
  });

  test("output: thousands of checks leave the memory as it was", async () => {
    const { stdout } = await project.script(
      `
      import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
      import { checkOutput, claimsFromTools, Metrics } from "claimgauge";
      const basePath = mkdtempSync(${JSON.stringify(tmpdir())} + "/claimgauge-output-");
      writeFileSync(basePath + "/a.txt", "one two three");
      const metrics = new Metrics();
      const claims = claimsFromTools([
        { tool: "fs:write", args: { path: "b.txt", content: "b" } },
        { tool: "fs:edit", args: { path: "a.txt", newText: "two" } },
      ]);
      const invocations = [{ invocationId: "i", tool: "t", purpose: "execution", status: "success", output: { a: 1 } }];
      const trace = { traceId: "t", specialistId: "s", invocations };
      const tools = { t: { type: "object" } };
      async function once() {
        await checkOutput({ summary: "x", traceRef: "trace:t", claims }, { basePath, metrics, trace, tools });
        await checkOutput({ claims }).catch(() => {});
        await checkOutput({}, { trace: [] }).catch(() => {});
        await checkOutput({}, { tools: { t: {}, u: 7 } }).catch(() => {});
        metrics.getAggregates();
      }
      function used() {
        gc();
        const { external, heapUsed } = process.memoryUsage();
        return external + heapUsed;
      }
      // The ring of the metrics is full first.
      for (let i = 0; i < 400; i++) await once();
      const start = used();
      for (let i = 0; i < 400; i++) await once();
      console.log(used() - start);
      rmSync(basePath, { recursive: true });
      `,
      "--expose-gc",
    );
    const grown = Number(stdout);
    assert.ok(grown < 500_000, `1,600 checks left ${grown} bytes behind`);
  });

  test("output: withVerification runs again with the errors, and says what became of each run", async () => {
    const where = folder();
    const told = [];
    const run = ({ attempt, errors, previous, signal }) => {
      told.push([attempt, errors, previous?.valid ?? null, signal.aborted]);
      if (attempt === 2) where.write("a.txt", "a");
      return outputOf(written("a.txt", "a"));
    };
    const options = { basePath: where.base, backoff: { initialMs: 1 } };
    const second = await claimgauge.withVerification(run, options);
    assert.deepEqual([second.valid, second.result.valid, second.output.summary], [true, true, "Did it."]);
    const failed = ["Level 3 (filesystem) validation failed", "file-write: File does not exist"];
    assert.deepEqual(told, [[1, [], null, false], [2, failed, false, false]]);
    assert.deepEqual(second.attempts, [{ attempt: 1, valid: false, errors: failed }, { attempt: 2, valid: true, errors: [] }]);

    let runs = 0;
    const never = await claimgauge.withVerification(() => void (runs += 1), { ...options, maxAttempts: 3 });
    assert.deepEqual([runs, never.valid, never.attempts.length, never.output], [3, false, 3, undefined]);
    const traces = [];
    await claimgauge.withVerification(() => claimless, { strict: true, trace: (attempt) => (traces.push(attempt), traceOf(1)) });
    assert.deepEqual(traces, [1]);

    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    const start = performance.now();
    const error = await thrownBy(() => claimgauge.withVerification(() => ({}), { signal: abort.signal, backoff: { initialMs: 20_000 } }));
    assert.deepEqual([error.code, performance.now() - start < 15_000], ["cancelled", true]);
    const stuck = new AbortController();
    setTimeout(() => stuck.abort(), 20);
    const waiting = await thrownBy(() => claimgauge.withVerification(() => new Promise(() => {}), { signal: stuck.signal }));
    assert.equal(waiting.code, "cancelled");
    const thrown = await thrownBy(() => claimgauge.withVerification(() => { throw new TypeError("mine"); }));
    assert.equal(thrown.message, "mine");
    const unknown = await thrownBy(() => claimgauge.withVerification(() => ({}), { maxAtempts: 1 }));
    assert.equal(unknown.path, "maxAtempts");
    where.remove();
  });
});
