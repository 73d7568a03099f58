// The component gives what the npm package gives, byte for byte, on all vectors: in wasmtime, driven by the host in
// Python that docs/component.md shows, with `cargo xtask test --all` by one in Rust, too, and in Node, as jco makes
// JavaScript of it.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { transpileBytes } from "../../pkg/component/node_modules/@bytecodealliance/jco-transpile/dist/index.js";
import { install, source, thrownBy, vectors } from "../package/fixture.mjs";
import { folder } from "../package/output-folder.mjs";

const { CLAIMGAUGE_COMPONENT: component, CLAIMGAUGE_PYTHON: python, CLAIMGAUGE_WASMTIME: wasmtime } = process.env;

describe("component", { timeout: 600_000 }, () => {
  let project, claimgauge, where, js, host;
  before(async () => {
    project = await install();
    claimgauge = project.require("claimgauge");
    await claimgauge.loadPatterns();
    where = await mkdtemp(join(tmpdir(), "claimgauge-component-"));
    const { files } = await transpileBytes(await readFile(component), { name: "claimgauge" });
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(where, name)), { recursive: true });
      await writeFile(join(where, name), content);
    }
    await writeFile(join(where, "package.json"), '{ "type": "module" }');
    js = await import(pathToFileURL(join(where, "claimgauge.js")));
    host = join(where, "host.py");
    await writeFile(host, (await source("docs/component.md")).match(/```python\n(.*?)```/s)[1]);
  });
  after(async () => {
    await rm(where, { recursive: true, force: true });
    await project.remove();
  });

  test("component: the documented host in Python prints what it says", async () => {
    const said = (await source("docs/component.md")).match(/```text\n(.*?)```/s)[1];
    const { stdout } = await promisify(execFile)(python, [host, component]);
    assert.equal(stdout, said);
  });

  /** What JavaScript made of the component gives, as the host in Python prints it. */
  function inNode([where, ...rest]) {
    try {
      if (where === "verify") return { result: verify(rest[0]) };
      const [name, args] = rest;
      const result = js[where][name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())](...args);
      return { result: result ?? null };
    } catch (error) {
      // What the component refuses is thrown as the record that it is.
      if (error instanceof Error) throw error;
      return { refused: { ...error, hint: error.hint ?? null } };
    }
  }

  /** A whole verification with the built-in judge: the same loop as in Python. */
  function verify(request) {
    const run = js.verifying.Verification.start(JSON.stringify(request), 1);
    for (;;) {
      const step = run.poll(16);
      if (step.tag === "done") return step.val;
      for (const question of step.val.map((text) => JSON.parse(text))) {
        const { id, pass, attempt, spans, claims } = question;
        const claimTexts = claims.map(({ text }) => text);
        if (pass === "full" && attempt === 1) run.handleAtoms(id, js.judging.atoms(JSON.stringify({ spans, claimTexts })));
        const text = js.judging.builtinReply(JSON.stringify({ spans, claimText: claimTexts[0] }));
        run.handle(id, JSON.stringify({ text, basis: "builtin" }));
      }
    }
  }

  /** What the package says to the same call. */
  async function wanted([where, ...rest]) {
    try {
      if (where === "verify") {
        return { result: JSON.stringify(await claimgauge.verify(rest[0], { judge: builtin() })) };
      }
      const [name, [text]] = rest;
      const result = {
        scrub: () => claimgauge.scrub(JSON.parse(text)),
        decide: () => claimgauge.decide(JSON.parse(text)),
        estimate: () => claimgauge.estimate(JSON.parse(text)),
        "read-reply": () => claimgauge.readReply(text),
        profiles: () => claimgauge.profiles(),
        presets: () => claimgauge.presets(),
      }[name]();
      return { result: JSON.stringify(result) };
    } catch (error) {
      if (!(error instanceof claimgauge.ClaimgaugeError)) throw error;
      const { code, path, message, hint } = error;
      return { refused: { code, path, message, hint } };
    }
  }

  const builtin = () => project.require("claimgauge/judges").builtin();

  /** Every call of the vectors, and random ones. */
  async function calls() {
    const calls = [["deciding", "profiles", []], ["deciding", "presets", []]];
    const json = (interface_, name, request, ...rest) => calls.push([interface_, name, [JSON.stringify(request), ...rest]]);
    const cases = ["scrub", "scrub_more", "scrub_names", "scrub_exam", "scrub_exam2"];
    for (const name of cases) {
      for (const { profile, claims, evidence, glossary, mode } of await vectors(`${name}.json`)) {
        json("scrubbing", "scrub", { profile, claims, evidence, glossary, mode });
      }
    }
    for (const line of (await readFile(process.env.CLAIMGAUGE_CALLS, "utf8")).trim().split("\n")) {
      const { call, request } = JSON.parse(line);
      if (call === "scrub") json("scrubbing", "scrub", request);
      if (call === "decide") json("deciding", "decide", request);
      if (call === "readReply") calls.push(["deciding", "read-reply", [request]]);
      if (call === "verify") calls.push(["verify", request]);
    }
    for (const name of ["replies.json", "replies_more.json"]) {
      for (const { reply } of await vectors(name)) calls.push(["deciding", "read-reply", [reply]]);
    }
    for (const { profile, scrubbed, full } of await vectors("decisions.json")) {
      json("deciding", "decide", { profile, scrubbed, full });
    }
    for (const { request } of await vectors("examples.json")) {
      if (!request) continue;
      json("deciding", "estimate", request, 1);
      calls.push(["verify", request]);
    }
    const own = { kinds: ["TABLE", { kind: "TICKET", patterns: ["[A-Z]{2,5}-\\d+"] }], thresholds: { verified: { delta: 0.3, full: 0.8 }, plausible: { delta: 0.1, full: 0.5 } } };
    for (const request of [
      { profile: { ...own, extends: "code" }, evidence: ["OPS-17 waits 🎉 for OPS-4"], claims: ["OPS-17 waits"] },
      { profile: "code", kinds: [{ kind: "TICKET", patterns: ["[A-Z]{2,5}-\\d+"] }], evidence: ["OPS-17 waits 🎉 for OPS-4"] },
      { profile: "code", kinds: [{ kind: "TICKET", patterns: ["\\b\\p{Greek}+-(?<name>\\p{Nd}+)", "(?i)straße \\p{Lu}\\w+"] }], evidence: ["λόγος-١٢ in der STRASSE Übersee, Straße Ärger"] },
      { profile: "code", kinds: [{ kind: "TICKET", patterns: ["[A-Z"] }], evidence: ["x"] },
      { profile: "code", evidence: ["x"], extra: 1 },
      { profile: "code", evidence: [1] },
      { profile: "cod", evidence: ["x"] },
      { profile: 1, evidence: ["x"] },
      { profile: "code" },
      { profile: "code", evidence: [{ id: "S0", text: "x", source: null }, { id: "S0", text: "y" }] },
      { profile: "code", evidence: ["x"], mode: "none" },
      { profile: "code", evidence: ["x"], hideSecrets: "yes" },
      { profile: "code", evidence: ["x"], previous: { mode: "identifiers", spans: [], replacements: [{ start: -1 }], leaks: [], removed: [] } },
      [],
      "text",
      null,
    ]) {
      json("scrubbing", "scrub", request);
    }
    return calls;
  }

  test("component: wasmtime and jco give the package's bytes on all vectors", async () => {
    const all = await calls();
    assert.ok(all.length > 3300, `${all.length} calls`);
    const elsewhere = [inHost(python, [fileURLToPath(new URL("host.py", import.meta.url)), host, component], all)];
    if (wasmtime) elsewhere.push(inHost(wasmtime, [component], all));
    const want = [];
    for (const call of all) want.push(await wanted(call));
    for (const [at, call] of all.entries()) {
      assert.deepEqual(inNode(call), want[at], JSON.stringify(call).slice(0, 400));
    }
    assert.ok(want.filter(({ refused }) => refused).length > 10);
    for (const given of await Promise.all(elsewhere)) {
      assert.equal(given.length, all.length);
      for (const [at, got] of given.entries()) assert.deepEqual(got, want[at], JSON.stringify(all[at]).slice(0, 400));
    }
  });

  /** What the component gives in a host of its own, which is handed a call a line. */
  async function inHost(program, args, all) {
    const child = spawn(program, args);
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (part) => (text[name] += part));
    child.stdin.end(all.map((call) => `${JSON.stringify(call)}\n`).join(""));
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.equal(code, 0, text.stderr);
    return text.stdout.trim().split("\n").map((line) => JSON.parse(line));
  }

  test("component: an output is checked by what the host saw", async () => {
    let ran = 0;
    for (const { input, options, setup, want } of await vectors("outputs.json")) {
      if ("parsed" in want || input?.events || want.refused || options?.tools || options?.schemas) continue;
      const place = folder(setup);
      try {
        const fill = (value) => value && JSON.parse(JSON.stringify(value).replaceAll("{{base}}", place.base).replaceAll("{{outside}}", place.root));
        const [output, given] = [fill(input), fill(options) ?? {}];
        const basePath = place.fill();
        const result = await claimgauge.checkOutput(output, { ...given, basePath });
        assert.deepEqual(timeless(JSON.parse(await check(output, given, basePath))), timeless(JSON.parse(JSON.stringify(result))));
        ran += 1;
      } finally {
        place.remove();
      }
    }
    assert.ok(ran > 50, `${ran} cases`);
  });

  /** A check in the component; what it asks is looked at by the package's own host. */
  async function check(output, { trace, strict, toolKinds, specialistId }, basePath) {
    const { openFolder } = await project.file("dist/node/output/folder.js").then((module) => module.default);
    const folder = openFolder(basePath);
    const options = { strict, toolKinds, specialistId, base: folder.base };
    const text = (value) => (value === undefined ? undefined : JSON.stringify(value));
    const run = js.checking.Check.start(text(output), text(trace), JSON.stringify(options));
    for (;;) {
      const step = run.poll(64);
      if (step.tag === "done") return step.val;
      for (const look of step.val.map((one) => JSON.parse(one))) {
        const { text: bytes, ...seen } = await folder.observe(look, { signal: new AbortController().signal, onBytes() {} });
        run.handleObservation(look.path, JSON.stringify(seen), bytes);
      }
    }
  }

  test("component: what is no document is refused, and the next call works", async () => {
    for (const [text, code] of [
      ["{", "invalid_value"],
      ['{"profile":"code","profile":"strawberry","evidence":["x"],"a":"\\udc00"}', "lone_surrogate"],
      ['{"profile":1e999}', "not_finite"],
      ["[".repeat(100_000), "too_deep"],
      [`{"profile":"code","evidence":${"[".repeat(90)}${"]".repeat(90)}}`, "invalid_type"],
    ]) {
      const refused = await thrownBy(() => js.scrubbing.scrub(text));
      assert.equal(refused.code, code, refused.message);
    }
    assert.throws(() => js.verifying.Verification.start("{}", 1));
    const run = js.verifying.Verification.start('{"profile":"code","evidence":["x"],"claims":["x"]}', 1);
    assert.equal((await thrownBy(() => run.handle("nothing", '{"text":""}'))).code, "unknown_request");
    run.stop('"cancelled"');
    assert.equal(JSON.parse(run.poll(1).val).claims.length, 1);
  });
});

/** How long levels took depends on the machine. */
function timeless(result) {
  return JSON.parse(JSON.stringify(result, (key, value) => (/duration/i.test(key) ? 0 : value)));
}
