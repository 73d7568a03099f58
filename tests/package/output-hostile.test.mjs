// Files, values and schemas that are not what they should be: nothing hangs, nothing outside is told,
// the memory stays flat.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { install, revoked, thrownBy } from "./fixture.mjs";
import { folder, outputOf, sha256, written } from "./output-folder.mjs";

describe("hostile output", { timeout: 240_000 }, () => {
  let project, claimgauge, where;
  before(async () => {
    project = await install();
    claimgauge = project.require("claimgauge");
  });
  after(() => project.remove());
  beforeEach(() => (where = folder()));
  afterEach(() => where.remove());

  const gone = (filePath) => ({ kind: "file-delete", filePath });
  const edited = (filePath, beforeSnippet, afterSnippet) => ({
    kind: "file-edit", filePath, anchor: { beforeSnippet, afterSnippet, contentHash: sha256("") },
  });

  /** A trace in which one tool gave these. */
  const traced = (outputs) => ({
    traceId: "t", specialistId: "s",
    invocations: outputs.map((output, at) => ({ invocationId: `i${at}`, tool: "t", purpose: "execution", status: "success", output })),
  });

  async function results(claims, options = {}) {
    const { filesystemValidation } = await claimgauge.checkOutput(outputOf(...claims), { basePath: where.base, ...options });
    return filesystemValidation.claimResults;
  }

  async function outcomes(claims, options) {
    return (await results(claims, options)).map(({ outcome, reason }) => [outcome, reason]);
  }

  test("hostile output: FIFOs, sockets and devices are never opened", async () => {
    execFileSync("mkfifo", [join(where.base, "fifo")]);
    fs.symlinkSync("fifo", join(where.base, "to-fifo"));
    fs.symlinkSync("/dev/zero", join(where.base, "to-zero"));
    const server = net.createServer().listen(join(where.base, "socket"));
    // What is loaded at the first check is opened as well.
    await outcomes([gone("nothing")]);
    const opened = [];
    const { openSync } = fs;
    fs.openSync = (path, ...rest) => (opened.push(path), openSync(path, ...rest));
    try {
      const special = ["inconclusive", "Not a regular file"];
      const escape = ["failed", "Path escapes base directory"];
      const claims = ["fifo", "to-fifo", "socket", "to-zero", "/dev/zero", "../../dev/zero"].map((path) => written(path, ""));
      assert.deepEqual(await outcomes(claims), [special, special, special, escape, escape, escape]);
      assert.deepEqual(await outcomes([gone("fifo"), gone("socket")]), Array(2).fill(["failed", "File still exists"]));
      const anchors = [edited("fifo", "a", "b"), edited("to-zero", "a", "b")];
      assert.deepEqual(await outcomes(anchors), [special, escape]);
      assert.deepEqual(opened, []);
    } finally {
      fs.openSync = openSync;
      server.close();
    }
  });

  test("hostile output: links are followed inside, and nothing outside is told", async () => {
    fs.mkdirSync(join(where.root, "base-evil"));
    fs.writeFileSync(join(where.root, "base-evil/secret"), "secret");
    where.write("in/a.txt", "a");
    const link = (target, path) => fs.symlinkSync(target, join(where.base, path));
    link("in/a.txt", "to-a");
    link("../in", "in/up");
    link(join(where.base, "in"), "absolute");
    link("../base-evil", "evil");
    link("../base-evil/secret", "secret");
    link("../nowhere/at/all", "dangling-out");
    link("in/nothing", "dangling-in");
    link("circle-b", "circle-a");
    link("circle-a", "circle-b");
    link("../base/in", "there-and-back");
    link("../base-evil/../base/in", "by-evil");
    link("../base-evil/secret/../../base/in", "by-secret");
    link("../nothing/../base/in", "by-nothing");
    fs.mkdirSync(join(where.base, "deep/below"), { recursive: true });
    fs.writeFileSync(join(where.base, "deep/left.txt"), "left");
    link("deep/below", "to-below");
    link("in/a.txt/../a.txt", "by-file");
    const claims = ["to-a", "in/up/a.txt", "absolute/a.txt", "there-and-back/a.txt"].map((path) => written(path, "a"));
    assert.deepEqual(await outcomes(claims), Array(4).fill(["passed", null]));
    const escaping = ["by-evil/a.txt", "by-evil/none", "by-secret/a.txt", "by-nothing/a.txt", "evil/../base/in/a.txt", "evil/../base/none", "evil/secret", "secret", "dangling-out", "evil/nothing", "../base-evil/secret", join(where.root, "base-evil/secret")];
    const found = await results(escaping.map((path) => written(path, "secret")));
    for (const { outcome, reason, hint } of found) {
      assert.deepEqual([outcome, reason], ["failed", "Path escapes base directory"]);
      assert.doesNotMatch(String(hint), /evil|secret/);
    }
    assert.deepEqual(await outcomes([written("dangling-in", ""), written("circle-a", ""), written("in/a.txt/b", "")]), [
      ["failed", "File does not exist"], ["inconclusive", "The path is a loop of links"], ["failed", "File does not exist"],
    ]);
    assert.deepEqual((await outcomes([gone("dangling-out"), gone("circle-a"), gone("evil/secret"), gone("in/a.txt/b"), gone("circle-a/b")])).map(([outcome]) => outcome), [
      "failed", "failed", "failed", "passed", "inconclusive",
    ]);
    assert.deepEqual(await outcomes([written("in", ""), gone("absolute"), gone("")]), [
      ["failed", "Not a regular file"], ["failed", "File still exists"], ["failed", "File still exists"],
    ]);
    // Its text takes the link away; whoever follows it finds the file.
    assert.deepEqual(await outcomes([gone("to-below/../left.txt"), gone("to-below/../a.txt"), written("by-file", "a")]), [
      ["failed", "File still exists"], ["passed", null], ["failed", "File does not exist"],
    ]);
    // What the text of a path takes away may have led out; what does not names the file by its text.
    fs.symlinkSync(".", join(where.base, "here"));
    for (const path of ["evil/..", "evil/../in/a.txt", "secret/../in/a.txt", "dangling-out/../in/a.txt", "here/../in/a.txt", "in/up/../../evil/../in/a.txt", "evil/.", "evil/"]) {
      for (const claim of [written(path, "a"), gone(path), written(`${where.base}/${path}`, "a")]) {
        const [{ outcome, reason, hint }] = await results([claim]);
        assert.deepEqual([outcome, reason], ["failed", "Path escapes base directory"], claim.filePath);
        assert.doesNotMatch(String(hint), /evil|secret/);
      }
    }
    for (const path of ["in/../in/a.txt", "nowhere/../in/a.txt", "circle-a/../in/a.txt", "in/a.txt/../a.txt", "there-and-back/../in/a.txt"]) {
      assert.deepEqual(await outcomes([written(path, "a")]), [["passed", null]], path);
      assert.deepEqual(await outcomes([gone(path)]), [["failed", "File still exists"]], path);
    }
  });

  test("hostile output: what is swapped between the look and the read is not taken for the file", async () => {
    fs.mkdirSync(join(where.root, "outside"));
    const secret = "secret".repeat(9);
    fs.writeFileSync(join(where.root, "outside/a"), secret);
    const swaps = {
      "the file for a link": (path) => (fs.unlinkSync(path), fs.symlinkSync("../../outside/a", path)),
      "its folder for a link": (path) => {
        fs.renameSync(join(path, ".."), join(where.base, "was"));
        fs.symlinkSync("../outside", join(path, ".."));
      },
      "its folder for a link and back": (path, open) => {
        fs.renameSync(join(path, ".."), join(where.base, "was"));
        fs.symlinkSync("../outside", join(path, ".."));
        const fd = open();
        fs.unlinkSync(join(path, ".."));
        fs.renameSync(join(where.base, "was"), join(path, ".."));
        return fd;
      },
      "the file for a FIFO": (path) => (fs.unlinkSync(path), execFileSync("mkfifo", [path])),
    };
    const { openSync } = fs;
    // A file beside it that was looked at before: its folder was what it seemed then.
    for (const known of [[], [written("in/b", "b")]]) for (const [name, swap] of Object.entries(swaps)) {
      fs.rmSync(where.base, { recursive: true });
      where.write("in/a", "true");
      where.write("in/b", "b");
      let swapped = 0;
      fs.openSync = (path, ...rest) => {
        const open = () => openSync(path, ...rest);
        if (!path.endsWith("a") || swapped > 0) return open();
        swapped += 1;
        const fd = swap(path, open);
        return typeof fd === "number" ? fd : open();
      };
      try {
        const descriptors = fs.readdirSync("/proc/self/fd").length;
        const outcomes = (await results([...known, written("in/a", secret)])).map(({ outcome }) => outcome);
        assert.equal(swapped, 1, name);
        assert.deepEqual(outcomes.slice(0, -1), known.map(() => "passed"), name);
        assert.notEqual(outcomes.at(-1), "passed", name);
        assert.equal(fs.readdirSync("/proc/self/fd").length, descriptors, name);
      } finally {
        fs.openSync = openSync;
      }
    }
  });

  test("hostile output: a file that changes while it is read is not taken for either", async () => {
    const path = where.write("grows", Buffer.alloc(3_000_000));
    const onProgress = ({ file }) => file?.bytes < 2_000_000 && fs.appendFileSync(path, "more");
    const [[outcome, reason]] = await outcomes([written("grows", Buffer.alloc(3_000_000))], { onProgress });
    assert.deepEqual([outcome, reason], ["inconclusive", "File could not be read: it changed while it was read"]);
  });

  test("hostile output: names that no system should be asked for", async () => {
    const paths = ["a\0b", "CON", "a/nul.txt", "C:x", "C:\\x", "\\\\server\\share\\x", "//server/x", "..\\x", "a/../../x", `${where.base}-evil/x`];
    for (const [outcome, reason] of await outcomes(paths.map((path) => written(path, "")))) {
      assert.deepEqual([outcome, reason], ["failed", "Path escapes base directory"]);
    }
    const [[outcome]] = await outcomes([written("x".repeat(100_000), "")]);
    assert.equal(outcome, "inconclusive");
  });

  test("hostile output: hashes in all spellings, a fabricated one, line ends", async () => {
    const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00, 0x0d, 0x0a]);
    where.write("b.bin", bytes);
    where.write("c.txt", "one\r\ntwo\r\n");
    const claim = (contentHash) => ({ kind: "file-write", filePath: "b.bin", contentHash });
    for (const hash of [sha256(bytes), sha256(bytes).toUpperCase(), `sha256:${sha256(bytes)}`, `SHA256:${sha256(bytes).toUpperCase()}`]) {
      assert.deepEqual(await outcomes([claim(hash)]), [["passed", null]]);
    }
    for (const hash of ["a".repeat(64), "", "sha256:", sha256(bytes).slice(1), `md5:${sha256(bytes)}`]) {
      assert.deepEqual(await outcomes([claim(hash)]), [["failed", "Content hash mismatch"]]);
    }
    const [{ hint }] = await results([written("c.txt", "one\ntwo\n")]);
    assert.match(hint, /CRLF/);
    const big = "line\r\n".repeat(50_000);
    where.write("big.txt", big);
    assert.match((await results([written("big.txt", big.replaceAll("\r\n", "\n"))]))[0].hint, /CRLF/);
  });

  test("hostile output: write, edit and delete of one file in one output", async () => {
    const claims = [written("a", "a"), edited("./a", "a", "b"), gone("a")];
    const result = await claimgauge.checkOutput(outputOf(...claims), { basePath: where.base });
    const { claimResults, conflicts } = result.filesystemValidation;
    assert.deepEqual(claimResults.map(({ outcome }) => outcome), ["superseded", "superseded", "passed"]);
    assert.deepEqual([conflicts, result.valid], [[{ path: "a", claims: [0, 1, 2] }], true]);
  });

  test("hostile output: a file above the limit for text is hashed but not searched", async () => {
    where.write("a", "abc".repeat(100));
    const limits = { textBytes: 299 };
    assert.deepEqual(await outcomes([edited("a", "a", "b")], { limits }), [["inconclusive", "File too large to search"]]);
    assert.deepEqual(await outcomes([written("a", "abc".repeat(100))], { limits }), [["passed", null]]);
    assert.deepEqual(await outcomes([edited("a", "a", "b")], { limits: { textBytes: 300 } }), [["passed", null]]);
  });

  test("hostile output: 3 GiB are hashed in flat memory, with progress", async () => {
    const size = 3 * 1024 ** 3;
    const path = join(where.base, "sparse");
    fs.closeSync(fs.openSync(path, "w"));
    fs.truncateSync(path, size);
    const { stdout } = await project.script(`
      import { checkOutput } from "claimgauge";
      const claims = [{ kind: "file-write", filePath: "sparse", contentHash: "0".repeat(64) }];
      const seen = [];
      let most = 0;
      const memory = () => process.memoryUsage.rss();
      const start = memory();
      const onProgress = ({ file }) => { if (file) { seen.push(file.bytes); most = Math.max(most, memory()); } };
      const result = await checkOutput({ summary: "x", traceRef: "trace:t", claims }, { basePath: ${JSON.stringify(where.base)}, onProgress });
      const rising = seen.every((bytes, at) => at === 0 || bytes > seen[at - 1]);
      console.log(JSON.stringify({ grown: most - start, steps: seen.length, last: seen.at(-1), rising, errors: result.errors }));
    `);
    const { grown, steps, last, rising, errors } = JSON.parse(stdout);
    assert.deepEqual(errors.slice(1), ["file-write: Content hash mismatch"]);
    assert.deepEqual([last, rising], [size, true]);
    assert.ok(steps > 100 && grown < 64 * 1024 ** 2, `${steps} steps, ${grown} bytes more`);
  });

  test("hostile output: 10,000 claims pass, and a signal ends them", async () => {
    const claims = [];
    for (let at = 0; at < 10_000; at += 1) {
      fs.mkdirSync(join(where.base, `d${at % 50}`), { recursive: true });
      const path = `d${at % 50}/f${at}`;
      fs.writeFileSync(join(where.base, path), `file ${at}`);
      claims.push(written(path, `file ${at}`));
    }
    assert.deepEqual((await results(claims)).filter(({ outcome }) => outcome !== "passed"), []);

    const abort = new AbortController();
    setTimeout(() => abort.abort(), 5);
    const error = await thrownBy(() => results(claims, { signal: abort.signal }));
    assert.equal(error.code, "cancelled");
    assert.equal((await thrownBy(() => results(claims, { signal: AbortSignal.abort() }))).code, "cancelled");
  });

  test("hostile output: a signal ends the hash of a large file, and its descriptor is closed", async () => {
    const path = join(where.base, "sparse");
    fs.closeSync(fs.openSync(path, "w"));
    fs.truncateSync(path, 8 * 1024 ** 3);
    const abort = new AbortController();
    const open = () => fs.readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${fd}`) === path;
      } catch {
        return false;
      }
    }).length;
    let during = 0;
    const onProgress = ({ file }) => {
      if (file === null || abort.signal.aborted) return;
      during = open();
      abort.abort();
    };
    const error = await thrownBy(() => results([written("sparse", "")], { signal: abort.signal, onProgress }));
    assert.equal(error.code, "cancelled");
    for (let turn = 0; turn < 200 && open() > 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([during, open()], [1, 0]);
  });

  test("hostile output: what onProgress throws is thrown, and says nothing about a file", async () => {
    where.write("large", Buffer.alloc(3_000_000));
    where.write("small", "");
    for (const when of [({ file }) => file !== null, ({ done }) => done === 1]) {
      const onProgress = (progress) => {
        if (when(progress)) throw new RangeError("mine");
      };
      const error = await thrownBy(() => results([written("large", ""), written("small", "")], { onProgress }));
      assert.deepEqual([error.name, error.code, error.path], ["ClaimgaugeError", "callback_failed", "onProgress"]);
      assert.deepEqual([error.message, error.cause.name], ["onProgress threw: mine", "RangeError"]);
    }
  });

  test("hostile output: no more files are open than allowed", async () => {
    const claims = Array.from({ length: 12 }, (_, at) => {
      where.write(`f${at}`, Buffer.alloc(1_500_000, at));
      return written(`f${at}`, Buffer.alloc(1_500_000, at));
    });
    const inBase = () => fs.readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(where.base);
      } catch {
        return false;
      }
    }).length;
    for (const openFiles of [1, 3]) {
      let most = 0;
      const onProgress = ({ file }) => file && (most = Math.max(most, inBase()));
      assert.deepEqual((await results(claims, { limits: { openFiles }, onProgress })).filter(({ outcome }) => outcome !== "passed"), []);
      assert.ok(most >= 1 && most <= openFiles, `${most} of ${openFiles}`);
    }
  });

  test("hostile output: whatever the output is, it gives a result", async () => {
    let deep = {};
    for (let level = 0; level < 100_000; level += 1) deep = level % 2 ? [deep] : { claims: deep, anchor: deep };
    const cyclic = { summary: "x", traceRef: "trace:t", claims: [] };
    cyclic.claims.push(cyclic, cyclic.claims);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const base = { summary: "x", traceRef: "trace:t" };
    const doubled = Array.from({ length: 60 }).reduce((inner) => [inner, inner], "x");
    const rows = [
      undefined, null, true, 7, NaN, "text", 10n, Symbol("s"), () => base, [], new Map(Object.entries(base)), new Date(0), proxy, deep, cyclic,
      { ...base, claims: deep }, { ...base, summary: Infinity }, { ...base, claims: new Array(4e9) }, { ...base, claims: doubled },
      { ...base, get claims() { throw new Error("no"); } }, new Proxy(base, { ownKeys() { throw new Error("no"); } }),
      { ...base, claims: new Array(100_000).fill(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, 1]))) },
      { ...base, claims: [, 1] }, { ...base, claims: new Set() }, { ...base, claims: Promise.resolve([]) },
      JSON.parse('{"__proto__":{"summary":"x","traceRef":"trace:t"}}'),
    ];
    for (const [at, output] of rows.entries()) {
      const result = await claimgauge.checkOutput(output, { basePath: where.base });
      assert.deepEqual([result.valid, result.level, result.structureValidation.output], [false, 1, null], `row ${at}`);
      assert.ok(result.errors.length >= 2 && result.errorCategory);
    }
    class Output {
      summary = "x";
      traceRef = "trace:t";
    }
    assert.ok((await claimgauge.checkOutput(new Output())).valid);
    assert.ok((await claimgauge.checkOutput({ ...base, toString: 1, more: deep, self: cyclic })).valid);
    const large = await claimgauge.checkOutput({ ...base, summary: "s".repeat(10_000_000), artifacts: [] });
    assert.deepEqual([large.valid, large.structureValidation.output.summary.length], [true, 10_000_000]);
    const many = { ...base, claims: Array.from({ length: 100_000 }, () => ({ kind: "nope", filePath: "a" })) };
    assert.equal((await claimgauge.checkOutput(many)).structureValidation.errors.length, 100_000);
  });

  test("hostile output: what cannot be read of calls and schemas is refused with its place", async () => {
    const thrower = new Proxy({}, { get() { throw new Error("no"); }, ownKeys() { throw new Error("no"); } });
    const edit = (more, args) => ({ tool: "fs:edit", args: { path: "a", ...args }, ...more });
    const run = { tool: "shell:exec", args: { command: "make" } };
    const rows = [
      [[thrower], {}, "calls"], [[{ ...run, output: thrower }], {}, "calls"],
      [[edit({ before: 5, after: "abc" })], {}, "calls.0.before"], [[edit({ after: {} })], {}, "calls.0.after"],
      [[edit({}, { newText: 5 })], {}, "calls.0.args.newText"], [[run], { toolKinds: { x: "writes" } }, "toolKinds.x"],
    ];
    for (const [calls, options, path] of rows) {
      const error = await thrownBy(() => claimgauge.claimsFromTools(calls, options));
      assert.ok(error instanceof claimgauge.ClaimgaugeError, path);
      assert.equal(error.path, path);
    }
    assert.deepEqual(claimgauge.claimsFromTools([{ ...run, output: { exitCode: NaN } }, edit({ before: null, after: null }, { newText: "some text" })]).length, 1);
    const standard = { get "~standard"() { throw new Error("no"); } };
    for (const [options, path] of [[{ tools: thrower }, "tools"], [{ tools: { t: standard } }, "tools.t"], [{ schemas: thrower }, "schemas"]]) {
      const error = await thrownBy(() => claimgauge.checkOutput(outputOf(), options));
      assert.deepEqual([error.code, error.path], ["invalid_value", path]);
    }
  });

  test("hostile output: a host that throws in any way has seen nothing", async () => {
    const no = () => {
      throw new Error("no");
    };
    for (const observe of [no, () => Promise.reject(new Error("no")), () => ({ then: no }), () => ({ get then() { return no(); } })]) {
      const { filesystemValidation } = await claimgauge.checkOutput(outputOf(gone("a")), { host: { observe } });
      const [{ outcome, reason }] = filesystemValidation.claimResults;
      assert.deepEqual([outcome, /no$/.test(reason)], ["inconclusive", true]);
    }
    for (const text of [revoked({}), new Proxy({}, { getPrototypeOf: no })]) {
      const error = await thrownBy(() => claimgauge.checkOutput(outputOf(gone("a")), { host: { observe: () => ({ kind: "file", size: 3, text }) } }));
      assert.ok(error instanceof claimgauge.ClaimgaugeError, String(error));
      assert.deepEqual([error.code, error.path], ["invalid_value", "observation"]);
    }
  });

  test("hostile output: what ends a check is heard, however soon it comes", { timeout: 20_000 }, async () => {
    const after = async (ticks) => {
      for (let tick = 0; tick < ticks; tick += 1) await null;
    };
    for (let ticks = 0; ticks < 12; ticks += 1) {
      const check = (observe, signal) => thrownBy(() => claimgauge.checkOutput(outputOf(gone("a")), { host: { observe }, signal }));
      const wrong = await check(() => after(ticks).then(() => 1));
      const cancel = new AbortController();
      const never = () => {
        void after(ticks).then(() => cancel.abort());
        return new Promise(() => {});
      };
      const cancelled = await check(never, cancel.signal);
      assert.deepEqual([ticks, wrong.code, cancelled.code], [ticks, "invalid_type", "cancelled"]);
    }
  });

  test("hostile output: a trace that holds anything is held against schemas", async () => {
    let deep = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const cyclic = {};
    cyclic.self = cyclic;
    for (const output of [deep, cyclic, 10n, () => 1, "[".repeat(100_000), { toJSON() { throw new Error("no"); } }]) {
      const invocation = { invocationId: "i", tool: "t", purpose: "execution", status: "success", output };
      const trace = { traceId: "t", specialistId: "s", invocations: [invocation] };
      const result = await claimgauge.checkOutput({ summary: "x", traceRef: "trace:t" }, { trace, tools: { t: { type: "object" } } });
      assert.deepEqual([result.valid, result.level], [false, 2]);
    }
  });

  test("hostile output: bytes that went to another thread are refused with their place", async () => {
    const transferred = () => {
      const bytes = new Uint8Array([65, 66, 67]);
      structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
      return bytes;
    };
    const write = (more, content) => ({ tool: "fs:write", args: { path: "a", content }, ...more });
    const rows = [
      [[write({}, transferred())], "calls.0.args.content"],
      [[write({}, "x"), write({ after: transferred() }, "x")], "calls.1.after"],
      [[{ tool: "fs:edit", args: { path: "a", newText: "x" }, after: transferred() }], "calls.0.after"],
      [[write({}, new Proxy(new Uint8Array(3), {}))], "calls.0.args.content"],
    ];
    const refusals = rows.map(([calls, path]) => [() => claimgauge.claimsFromTools(calls), path]);
    const host = { observe: () => ({ kind: "file", size: 3, text: transferred() }) };
    for (const [act, path] of [...refusals, [() => claimgauge.checkOutput(outputOf(gone("a")), { host }), "observation.text"]]) {
      const error = await thrownBy(act);
      assert.ok(error instanceof claimgauge.ClaimgaugeError, String(error));
      assert.deepEqual([error.code, error.path], ["invalid_value", path], error.message);
    }
    assert.equal(claimgauge.claimsFromTools([write({}, new Uint8Array())])[0].contentHash, sha256(""));
  });

  test("hostile output: a list that is as long as it says and holds nothing ends nothing", { timeout: 20_000 }, async () => {
    const endless = [];
    endless.length = 2 ** 32 - 1;
    const calls = await thrownBy(() => claimgauge.claimsFromTools(endless));
    assert.deepEqual([calls.code, calls.path], ["missing_field", "calls.0"]);
    const trace = { ...traced([]), invocations: endless };
    const read = await thrownBy(() => claimgauge.checkOutput(outputOf(), { trace, tools: { t: true } }));
    assert.deepEqual([read.code, read.path], ["invalid_type", "trace.invocations"]);
    const within = async (issues) => {
      const schema = { "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) } };
      return (await claimgauge.checkOutput(outputOf(), { trace: traced([{}]), tools: { t: schema } })).errors;
    };
    assert.match((await within([{ message: "bad", path: endless }])).join(), /undefined\.undefined….*bad/);
    assert.match((await within(endless)).join(), /The schema threw/);
    const forEver = (function* () {
      for (;;) yield { message: "bad", path: (function* () { for (;;) yield ""; })() };
    })();
    // And the headline.
    assert.equal((await within(forEver)).length, 101);
  });

  test("hostile output: a trace that goes on meanwhile is held against schemas as it was", async () => {
    const schema = { type: "object", required: ["metres"] };
    const slow = (meanwhile) => ({
      "~standard": {
        version: 1, vendor: "test",
        validate: async (value) => {
          await new Promise((resolve) => setTimeout(resolve));
          meanwhile();
          return { value };
        },
      },
    });
    const trace = traced([1, { x: 1 }]);
    trace.invocations[0].tool = "slow";
    const { invocations } = trace;
    const ring = () => {
      invocations.shift();
      invocations.push({ ...invocations[0], output: { metres: 1 } });
    };
    for (const meanwhile of [ring, () => delete trace.invocations]) {
      trace.invocations = invocations;
      const tools = { slow: slow(meanwhile), t: schema };
      const result = await claimgauge.checkOutput(outputOf(), { trace, tools });
      assert.equal(result.pluginValidation?.valid, false, String(meanwhile));
      invocations.splice(0, 2, ...traced([1, { x: 1 }]).invocations);
      invocations[0].tool = "slow";
    }
  });

  test("hostile output: a validator that gives no result lets nothing pass", async () => {
    const check = async (given) => {
      const schema = { "~standard": { version: 1, vendor: "test", validate: () => given } };
      return (await claimgauge.checkOutput(outputOf(), { trace: traced([{}]), tools: { t: schema } })).valid;
    };
    for (const given of [true, false, 5, "bad", null, undefined, {}, [{ message: "bad" }], { issues: [{ message: "bad" }] }]) {
      assert.equal(await check(given), false, JSON.stringify(given));
    }
    for (const given of [{ value: undefined }, { value: 1, issues: undefined }]) {
      assert.equal(await check(given), true, JSON.stringify(given));
    }
  });

  test("hostile output: a signal is heard while schemas are read", async () => {
    const schemas = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`x#${at}`, { const: at }]));
    const error = await thrownBy(() => claimgauge.checkOutput(outputOf(), { schemas, signal: AbortSignal.timeout(30) }));
    assert.equal(error.code, "cancelled");
  });

  test("hostile output: what tools gave is not looked into where no schema asks", async () => {
    const trace = traced(Array.from({ length: 6000 }, () => Array.from({ length: 1000 }, (_, at) => at)));
    const { valid, errors } = await claimgauge.checkOutput(outputOf(), { trace });
    assert.ok(valid, errors.join("\n"));
  });

  test("hostile output: a schema that branches over and over comes to an end", async () => {
    const branch = (key) => ({ properties: { a: { $ref: "#" } }, required: [key] });
    const tools = { t: { anyOf: [branch("q"), branch("z")] } };
    for (const levels of [2, 18, 100]) {
      let output = {};
      for (let level = 0; level < levels; level += 1) output = { a: output };
      const trace = traced([output]);
      const start = process.cpuUsage();
      const { level, pluginValidation } = await claimgauge.checkOutput(outputOf(), { trace, tools });
      assert.deepEqual([level, pluginValidation.valid], [2, false]);
      assert.ok(pluginValidation.errors.length >= 1 && pluginValidation.errors.length <= 100);
      const took = process.cpuUsage(start).user / 1000;
      assert.ok(took < 5000, `${levels} levels: ${took} ms`);
    }
    const $defs = { a28: true };
    for (let level = 0; level < 28; level += 1) {
      const next = { $ref: `#/$defs/a${level + 1}` };
      $defs[`a${level}`] = { allOf: [next, next] };
    }
    const { code, path } = await thrownBy(() => claimgauge.checkOutput(outputOf(), { tools: { t: { $ref: "#/$defs/a0", $defs } } }));
    assert.deepEqual([code, path], ["schema_refused", "tools.t.$ref"]);
  });

  test("hostile output: items that are made to look alike are told apart soon", async () => {
    // All ways to cut one list into lists: a hash that forgets where a list ends is the same for each.
    const items = Array.from({ length: 2 ** 15 }, (_, cuts) => {
      const groups = [[0]];
      for (let at = 0; at < 15; at += 1) {
        if ((cuts >> at) & 1) groups.push([]);
        groups.at(-1).push(at + 1);
      }
      return groups;
    });
    const tools = { t: { uniqueItems: true } };
    const start = process.cpuUsage();
    assert.ok((await claimgauge.checkOutput(outputOf(), { trace: traced([items]), tools })).valid);
    const took = process.cpuUsage(start).user / 1000;
    assert.ok(took < 5000, `${took} ms`);
    assert.ok(!(await claimgauge.checkOutput(outputOf(), { trace: traced([[...items, items[7]]]), tools })).valid);
  });

  test("hostile output: more text than any engine joins gives a result", async () => {
    const snippet = "x".repeat(2_000_000);
    const claims = Array.from({ length: 300 }, (_, at) => edited(`f${at}`, snippet, "y"));
    const { level, structureValidation } = await claimgauge.checkOutput(outputOf(...claims), { basePath: where.base });
    const { errors } = structureValidation;
    assert.equal(level, 1);
    assert.deepEqual(errors.at(-1), {
      path: "claims.299.anchor.beforeSnippet", message: "Expected string, received more than can be read", category: "invalid_type",
    });
    assert.ok(errors.length < 300);
  });

  test("hostile output: millions of errors are told as far as they can be", async () => {
    const { valid, errors } = await claimgauge.checkOutput({ ...outputOf(), claims: new Array(3_000_000).fill(null) });
    assert.equal(valid, false);
    assert.ok(errors.length > 1000);
    const trace = traced(Array.from({ length: 2000 }, () => new Array(100).fill(1)));
    const tools = { t: { items: { type: "string" } } };
    const { pluginValidation } = await claimgauge.checkOutput(outputOf(), { trace, tools });
    const told = new Set(pluginValidation.errors.map(({ invocationId }) => invocationId));
    assert.deepEqual([told.size, pluginValidation.errors.length < 20_000], [2000, true]);
  });

  test("hostile output: half of a surrogate pair names no other file", async () => {
    where.write("\ufffd.txt", "text");
    const [claim] = [written("\ud800.txt", "text")];
    const { level, structureValidation } = await claimgauge.checkOutput(outputOf(claim), { basePath: where.base });
    assert.deepEqual([level, structureValidation.errors], [1, [
      { path: "claims.0.filePath", message: "Expected string, received half of a surrogate pair", category: "invalid_type" },
    ]]);
    for (const wrong of [edited("a", "\udc00", "b"), { kind: "command-executed", command: "\ud800", exitCode: 0 }]) {
      assert.equal((await claimgauge.checkOutput(outputOf(wrong), { basePath: where.base })).level, 1);
    }
    assert.deepEqual(await outcomes([written("\ufffd.txt", "text")]), [["passed", null]]);
    // Cut inside a character, as what is shortened often is.
    assert.ok((await claimgauge.checkOutput({ ...outputOf(), summary: "Did it \ud83d" })).valid);

    fs.mkdirSync(join(where.root, "\ufffd"));
    const call = { tool: "fs:write", args: { path: "\ud800.txt", content: "text" } };
    for (const act of [
      () => claimgauge.checkOutput(outputOf(), { basePath: join(where.root, "\ud800") }),
      () => claimgauge.claimsFromTools([call]),
    ]) {
      assert.equal((await thrownBy(act)).code, "lone_surrogate");
    }
  });

  test("hostile output: a path that ends as a folder's does names no file", async () => {
    where.write("a.txt", "text");
    where.write("b.txt", "text");
    const claims = [written("a.txt/", "text"), edited("b.txt/.", "te", "xt"), gone("a.txt//."), written("none/", "text")];
    const folder = ["failed", "Not a regular file"];
    assert.deepEqual(await outcomes([claims[0], claims[1]]), [folder, folder]);
    assert.deepEqual(await outcomes([claims[2]]), [["failed", "File still exists"]]);
    assert.deepEqual(await outcomes([claims[3]]), [["failed", "File does not exist"]]);
  });

  test("hostile output: the command line reads a FIFO that is written to, and waits for no other", async () => {
    const output = JSON.stringify(outputOf());
    const [late, empty, silent] = ["late", "empty", "silent"].map((name) => join(where.root, name));
    execFileSync("mkfifo", [late, empty, silent]);
    const cli = join(project.folder, "node_modules/.bin/claimgauge");
    const bash = (script) => new Promise((resolve) => {
      const child = spawn("bash", ["-c", script, cli, output, late], { stdio: ["ignore", "ignore", "pipe"] });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
      child.on("close", (code) => resolve([code, stderr]));
    });
    const interrupted = new Promise((resolve) => {
      const child = spawn(cli, ["check-output", silent], { stdio: "ignore" });
      setTimeout(() => child.kill("SIGINT"), 1000);
      child.on("close", (code, signal) => resolve(signal ?? code));
    });
    assert.deepEqual(await bash('"$0" check-output <(echo "$1")'), [0, ""]);
    assert.deepEqual(await bash('"$0" check-output <(sleep 1; echo "$1")'), [0, ""]);
    assert.deepEqual(await bash('"$0" check-output "$2" & (sleep 1; exec > "$2"; sleep 1; echo "$1"); wait $!'), [0, ""]);
    // The second where Node itself took that long to start.
    assert.ok([130, "SIGINT"].includes(await interrupted));
    const { code, stderr } = await project.cli(["check-output", empty]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /nobody writes/);
  });

  test("hostile output: a folder that is exchanged for each look leads to no file outside", async () => {
    fs.mkdirSync(join(where.root, "beyond"));
    fs.writeFileSync(join(where.root, "beyond/file"), "secret");
    where.write("swapped/file", "true");
    const [folder, aside] = ["swapped", "aside"].map((name) => join(where.base, name));
    let times = 0;
    /** As others see it who come in that moment alone. */
    const exchanged = (act) => {
      times += 1;
      fs.renameSync(folder, aside);
      fs.symlinkSync("../beyond", folder);
      try {
        return act();
      } finally {
        fs.unlinkSync(folder);
        fs.renameSync(aside, folder);
      }
    };
    const { lstatSync, openSync } = fs;
    const isIt = (path) => String(path).endsWith("swapped/file");
    fs.openSync = (path, ...more) => (isIt(path) ? exchanged(() => openSync(path, ...more)) : openSync(path, ...more));
    // Of the two looks, the last one is taken with numbers that are exact.
    fs.lstatSync = (path, options) => (isIt(path) && options ? exchanged(() => lstatSync(path, options)) : lstatSync(path, options));
    try {
      const [[outcome]] = await outcomes([written("swapped/file", "secret")]);
      // Where no system tells the path of what is open, this remains.
      if (process.platform === "linux") assert.deepEqual([outcome, times], ["inconclusive", 1]);
    } finally {
      Object.assign(fs, { lstatSync, openSync });
    }
    assert.deepEqual(await outcomes([written("swapped/file", "true")]), [["passed", null]]);
  });

  test("hostile output: a process that swaps without pause never has its file taken for the agent's", async () => {
    fs.mkdirSync(join(where.root, "outside"));
    fs.writeFileSync(join(where.root, "outside/a"), "secret");
    where.write("real/a", "true");
    fs.symlinkSync("real", join(where.base, "in"));
    const swapper = spawn(process.execPath, ["-e", `
      const fs = require("node:fs");
      const [base] = process.argv.slice(1);
      for (;;) for (const target of ["../outside", "real"]) {
        fs.symlinkSync(target, base + "/next");
        fs.renameSync(base + "/next", base + "/in");
      }
    `, where.base]);
    try {
      const seen = new Set();
      const both = ["Path escapes base directory", "Content hash mismatch"];
      // Until each has been met, and often besides: how soon that is nobody knows.
      for (let tries = 0; tries < 500 || !both.every((reason) => seen.has(reason)); tries += 1) {
        for (const [outcome, reason] of await outcomes([written("in/a", "secret")])) seen.add(outcome === "passed" ? outcome : reason);
      }
      assert.ok(!seen.has("passed"), [...seen].join());
    } finally {
      swapper.kill("SIGKILL");
      await new Promise((resolve) => swapper.once("exit", resolve));
    }
  });
});
