// The package's tools over the Model Context Protocol, as the official client sees them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { install, nodeModules } from "./fixture.mjs";
import { judge, serve } from "./scripted.mjs";

const EXAMPLE = { claims: ["The port is 8080", "The port is 9090"], evidence: ["The port is 8080"], profile: "documentation" };

describe("mcp", { timeout: 240_000 }, () => {
  let project, missing, client;
  const clients = [];
  const file = (name) => join(project.folder, name);
  before(async () => {
    project = await install();
    missing = await project.cli(["mcp"]);
    await mkdir(file("node_modules/@modelcontextprotocol"), { recursive: true });
    await symlink(join(nodeModules, "@modelcontextprotocol/server"), file("node_modules/@modelcontextprotocol/server"));
    await mkdir(file("root/inside"), { recursive: true });
    await writeFile(file("root/inside/server.md"), "The port is 8080.\n");
    await writeFile(file("root/bytes"), Buffer.from([0xff, 0xfe]));
    await writeFile(file("secret.md"), "The word is swordfish.\n");
    await symlink(file("secret.md"), file("root/link.md"));
    client = await connect();
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await project.remove();
  });

  async function connect(args = ["--root", "root"]) {
    const client = new Client({ name: "tests", version: "1.0.0" });
    const command = file("node_modules/.bin/claimgauge");
    const transport = new StdioClientTransport({ command, args: ["mcp", ...args], cwd: project.folder, stderr: "pipe" });
    await client.connect(transport);
    clients.push(client);
    return client;
  }

  /** Calls a tool; the answer must be short and the same as text. */
  async function call(client, name, args, options) {
    const result = await client.callTool({ name, arguments: args }, options);
    assert.notEqual(result.isError, true, result.content[0].text);
    const { content, structuredContent } = result;
    assert.deepEqual(JSON.parse(content[0].text), structuredContent);
    if (!args.whole) assert.ok(Buffer.byteLength(JSON.stringify({ content, structuredContent })) < 20_000);
    return structuredContent;
  }

  /** The words with which a tool refuses its arguments. */
  async function refusal(client, name, args) {
    const { isError, content } = await client.callTool({ name, arguments: args });
    assert.equal(isError, true, JSON.stringify(args).slice(0, 200));
    assert.ok(content[0].text.length < 3000);
    assert.doesNotMatch(content[0].text, /bug|swordfish/);
    return content[0].text;
  }

  /** What a server of its own answers to these lines, so many of them. */
  async function spoken(lines, count) {
    const child = spawn(file("node_modules/.bin/claimgauge"), ["mcp"], { cwd: project.folder });
    const ended = new Promise((resolve) => child.on("close", resolve));
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => {
        output[name] += text;
        // Requests that are open when the input ends are not answered.
        if (output.stdout.split("\n").length > count) child.stdin.end();
      });
    }
    child.stdin.write(lines.map((line) => `${line}\n`).join(""));
    const code = await ended;
    return { code, stderr: output.stderr, answers: output.stdout.trimEnd().split("\n").map((line) => JSON.parse(line)) };
  }

  test("without the SDK it says what to install", () => {
    assert.deepEqual([missing.code, missing.stdout], [2, ""]);
    assert.match(missing.stderr, /^claimgauge: claimgauge mcp needs the official SDK .* npm install @modelcontextprotocol\/server\n$/);
  });

  test("five tools, each with the schema of what it takes and gives", async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ["verify_claims", "scrub_evidence", "check_output", "prepare_passes", "judge_passes"]);
    for (const { description, inputSchema, outputSchema } of tools) {
      assert.ok(description.length > 40);
      assert.equal(inputSchema.additionalProperties, false);
      assert.ok(outputSchema.required.length > 0);
      assert.deepEqual(Object.keys(inputSchema.properties).filter((name) => /root|judge|key|url|model/i.test(name)), []);
    }
  });

  test("verify_claims puts the verdict and what to do first, the worst claims next", async () => {
    const answer = await call(client, "verify_claims", EXAMPLE);
    assert.deepEqual(Object.keys(answer).slice(0, 2), ["verdict", "recommendation"]);
    assert.deepEqual([answer.verdict, answer.recommendation], ["UNSUPPORTED", "STOP"]);
    assert.deepEqual(answer.claims.map(({ id, missing }) => [id, missing]), [["C1", ["9090"]], ["C0", []]]);
    assert.equal(answer.report, undefined);
    const whole = await call(client, "verify_claims", { ...EXAMPLE, whole: true });
    assert.equal(whole.report.claims[1].full.verdict, "CONTRADICTED");
  });

  test("what does not fit is left out and counted", async () => {
    const claims = Array.from({ length: 400 }, (_, at) => ({ id: `c${at}`, text: `The port ${"\"quoted\" ".repeat(30)} is ${at}` }));
    const answer = await call(client, "verify_claims", { claims, evidence: ["The port is 399"] });
    assert.ok(answer.claims.length > 5 && answer.omitted === 400 - answer.claims.length, `${answer.claims.length}`);
    const scrubbed = await call(client, "scrub_evidence", { evidence: Array.from({ length: 50 }, (_, at) => `span ${at} `.repeat(200)) });
    assert.ok(scrubbed.spans.length > 0 && scrubbed.omitted === 50 - scrubbed.spans.length);
  });

  test("an answer is short in any script, and in its errors, leaks and paths too", async () => {
    const wide = (at, length) => `端口${at}${"漢字\"\\\\\u0001".repeat(length)}`;
    const many = (make) => Array.from({ length: 60 }, (_, at) => make(at));
    const claims = many((at) => ({ id: wide(at, 40), text: `端口是 ${wide(at, 40)}` }));
    const evidence = many((at) => ({ id: wide(at, 40), text: `${wide(at, 200)} ${claims[at].text}`, source: wide(at, 40) }));
    for (const name of ["verify_claims", "scrub_evidence"]) {
      const answer = await call(client, name, { claims, evidence, profile: "data" });
      assert.ok(answer.omitted > 0, name);
    }
    const shapeless = { summary: 1, claims: many(() => ({ kind: wide(1, 60) })), ...Object.fromEntries(many((at) => [wide(at, 60), 1])) };
    const told = await call(client, "check_output", { output: shapeless });
    assert.ok(told.errors.length > 5 && told.verdict === "INVALID");
    const trace = { traceId: "t", sessionId: "s", specialistId: "x", createdAt: "", invocations: many((at) => ({ invocationId: `${at}`, tool: "fs:write", args: { path: wide(at, 40), content: "x" }, argsHash: "", purpose: "execution", status: "success", timestamp: "", evidenceRefs: [] })) };
    const unclaimed = await call(client, "check_output", { output: { summary: "x", traceRef: "trace:t", claims: many((at) => ({ kind: "file-delete", filePath: wide(at, 50) })) }, trace, strict: true });
    assert.ok(unclaimed.claims.length > 0 && unclaimed.omitted > 0, JSON.stringify(unclaimed).slice(0, 300));
    assert.ok(Buffer.byteLength(await refusal(client, "verify_claims", { claims: ["x"], evidence: ["x"], [wide(1, 4000)]: 1 })) < 3000);
  });

  test("lists that come as JSON text are lists; a text that is none is refused", async () => {
    const text = { claims: JSON.stringify(EXAMPLE.claims), evidence: JSON.stringify([{ text: "The port is 8080" }]) };
    assert.equal((await call(client, "verify_claims", text)).summary.claims, 2);
    assert.match(await refusal(client, "verify_claims", { ...text, claims: "[not json" }), /claims: Expected array, received string/);
  });

  test("__proto__ is refused as any unknown argument is, however it is written, and the next call is heard", async () => {
    const own = (text) => JSON.parse(text);
    const refused = /^__proto__: There is no option "__proto__" \(The options are: claims, .*, whole\.\) \[unknown_field\]$/;
    assert.match(await refusal(client, "verify_claims", own('{"claims":["x"],"evidence":["x"],"__proto__":{"whole":true}}')), refused);
    assert.match(await refusal(client, "scrub_evidence", own('{"evidence":["x"],"__proto__":1}')), refused);
    assert.match(await refusal(client, "verify_claims", own('{"claims":[{"text":"x","__proto__":1}],"evidence":["x"]}')), /^claims\.0\.__proto__: .*\[unknown_field\]$/);
    assert.equal((await call(client, "verify_claims", { ...EXAMPLE, evidence: ["__proto__ and \u0001: the port is 8080"] })).claims.length, 2);
    // No client writes it so, but one could.
    const escaped = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"verify_claims","arguments":{"claims":["x"],"evidence":["x"],"\\u005f_proto__":1}}}';
    const { answers } = await spoken([escaped], 1);
    assert.deepEqual([answers[0].id, answers[0].result.isError], [7, true]);
    assert.match(answers[0].result.content[0].text, refused);
  });

  test("scrub_evidence shows what is left, and leaks", async () => {
    const { spans, leaks } = await call(client, "scrub_evidence", EXAMPLE);
    assert.match(spans[0].text, /^The port is \[\w+_1\]$/);
    assert.deepEqual(leaks, []);
  });

  describe("files", () => {
    test("below the root are evidence, with the path as their source", async () => {
      const { report } = await call(client, "verify_claims", { claims: ["The port is 8080"], evidence: [{ file: "inside/server.md" }], whole: true });
      assert.deepEqual(report.evidence, [{ id: "S0", text: "The port is 8080.\n", source: "inside/server.md" }]);
    });

    test("elsewhere are not, whatever the path looks like", async () => {
      const rows = [
        ["../secret.md", /escapes base directory/],
        ["inside/../../secret.md", /escapes base directory/],
        ["..\\secret.md", /escapes base directory/],
        [file("secret.md"), /escapes base directory/],
        ["link.md", /escapes base directory/],
        ["/etc/passwd", /escapes base directory/],
        ["inside\0/server.md", /./],
        ["inside", /Not a regular file/],
        ["nowhere.md", /does not exist/],
        ["bytes", /not UTF-8/],
        ["", /./],
      ];
      for (const [path, message] of rows) {
        const words = await refusal(client, "verify_claims", { claims: ["The word is swordfish"], evidence: [{ file: path }] });
        assert.match(words, message, path);
        assert.match(words, /evidence\.0\.file/, path);
      }
      assert.match(await refusal(client, "verify_claims", { claims: ["x"], evidence: [{ file: 1 }] }), /evidence\.0\.file: Expected string/);
      assert.match(await refusal(client, "verify_claims", { claims: ["x"], evidence: [{ file: "inside/server.md", text: "x" }] }), /not both/);
      const rootless = await connect([]);
      assert.match(await refusal(rootless, "verify_claims", { claims: ["x"], evidence: [{ file: "root/inside/server.md" }] }), /started without --root/);
    });

    test("are what check_output looks at", async () => {
      const claims = [{ kind: "file-delete", filePath: "gone.md" }, { kind: "file-delete", filePath: "inside/server.md" }, { kind: "file-delete", filePath: "../secret.md" }];
      const answer = await call(client, "check_output", { output: JSON.stringify({ summary: "x", traceRef: "trace:1", claims }) });
      assert.deepEqual(Object.keys(answer).slice(0, 2), ["verdict", "recommendation"]);
      assert.deepEqual([answer.verdict, answer.claims.map(({ index, outcome }) => [index, outcome])], ["INVALID", [[1, "failed"], [2, "failed"], [0, "passed"]]]);
      assert.equal((await call(client, "check_output", { output: null })).verdict, "INVALID");
      const traced = await call(client, "check_output", { output: { summary: "x", traceRef: "trace:1", claims: claims.slice(0, 1) }, strict: true });
      assert.equal(traced.verdict, "INVALID");
    });

    test("and what nobody looked at is no reason to proceed", async () => {
      const rootless = await connect([]);
      const command = { kind: "command-executed", command: "make", exitCode: 0 };
      const [gone, there] = ["gone.md", "inside/server.md"].map((filePath) => ({ kind: "file-delete", filePath }));
      for (const [one, claims, want] of [
        [client, [gone], "PROCEED"],
        [client, [gone, command], "PROCEED"],
        [client, [gone, there], "STOP"],
        [client, [], "GATHER_MORE_EVIDENCE"],
        [client, undefined, "GATHER_MORE_EVIDENCE"],
        [client, [command], "GATHER_MORE_EVIDENCE"],
        [rootless, [gone], "GATHER_MORE_EVIDENCE"],
      ]) {
        const answer = await call(one, "check_output", { output: { summary: "x", traceRef: "trace:1", claims } });
        assert.deepEqual([answer.recommendation, answer.verdict], [want, want === "STOP" ? "INVALID" : "VALID"], JSON.stringify(answer));
      }
    });
  });

  test("root and judge are no arguments; what is wrong is told by name, and the next call works", async () => {
    const rows = [
      [{ ...EXAMPLE, root: "/" }, /root: There is no option "root"/],
      [{ ...EXAMPLE, judge: "openai" }, /There is no option "judge"/],
      [JSON.parse('{"claims":["x"],"evidence":[{"text":"x","__proto__":{"id":"S7"}}]}'), /evidence\.0\.__proto__/],
      [JSON.parse('{"claims":["x"],"evidence":["x"],"glossary":{"__proto__":["x"]}}'), /glossary/],
      [{ ...EXAMPLE, constructor: 1 }, /There is no option "constructor"/],
      [{ ...EXAMPLE, profile: "__proto__" }, /profile/],
      [{ claims: 7, evidence: ["x"] }, /claims: Expected array/],
      [{ claims: ["x"], evidence: { 0: "x" } }, /evidence: Expected array/],
      [{ claims: ["x"] }, /The option "evidence" is missing/],
      [{ claims: [{ txt: "x" }], evidence: ["x"] }, /claims\.0\.txt/],
      [{ ...EXAMPLE, whole: "yes" }, /whole: Expected boolean/],
      [{ ...EXAMPLE, policy: { on_ungrounded: "maybe" } }, /policy\.on_ungrounded/],
      [{}, /is missing/],
      [undefined, /is missing/],
    ];
    for (const [args, message] of rows) {
      const { isError, content } = await client.callTool({ name: "verify_claims", arguments: args });
      assert.equal(isError, true, JSON.stringify(args));
      assert.match(content[0].text, message);
    }
    const inherited = JSON.parse('{"claims":["x"],"evidence":["x"],"__proto__":{"whole":true}}');
    assert.equal((await client.callTool({ name: "verify_claims", arguments: inherited })).structuredContent?.report, undefined);
    await assert.rejects(client.callTool({ name: "__proto__", arguments: {} }), /no tool|not found/i);
    assert.match(await refusal(client, "verify_claims", { claims: [{ text: "x", ["k".repeat(1_000_000)]: 1 }], evidence: ["x"] }), /claims\.0/);
    const huge = await call(client, "verify_claims", { claims: ["The port is 8080"], evidence: ["The port is 8080. ".repeat(100_000)] });
    assert.equal(huge.verdict, "VERIFIED");
  });

  test("a message that nobody would take is refused unparsed, and the next one is heard", async () => {
    const nested = (levels) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
    await assert.rejects(client.callTool({ name: "verify_claims", arguments: { claims: nested(600), evidence: ["x"] } }), /The message is nested deeper than 512/);
    assert.match(await refusal(client, "verify_claims", { claims: nested(400), evidence: ["x"] }), /claims\S*: The value is nested deeper than 64/);
    assert.match(await refusal(client, "verify_claims", { claims: JSON.stringify(nested(600)), evidence: ["x"] }), /claims: Expected array, received string/);
    assert.equal((await call(client, "verify_claims", EXAMPLE)).verdict, "UNSUPPORTED");
    // The SDK by itself would hang up at 10 MB.
    assert.equal((await call(client, "scrub_evidence", { evidence: ["word ".repeat(2_200_000)] })).omitted, 0);
  });

  test("messages come whole, however they are cut, and what is refused is told with its id", async () => {
    const { messagesOf } = await project.file("dist/node/mcp/messages.js");
    const deep = "[".repeat(600);
    const lines = [
      '{"jsonrpc":"2.0","id":1,"method":"x"}', "", "no JSON",
      `{"jsonrpc":"2.0","id":"a-2","method":"x","params":{"id":9,"x":${deep}}}`,
      `{"method":"x","params":{"id":9,"x":[${deep}]},"jsonrpc":"2.0","id":3}`,
      `{"method":"x","params":{"x":${deep},"id":"\\u0022"}}`, `{"id":{"id":4},"x":${deep}`,
      '{"jsonrpc":"2.0","id":5,"method":"y"}',
    ];
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    for (const size of [1, 7, 100, bytes.length]) {
      const refused = [];
      const whole = [];
      async function* pieces() {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      }
      for await (const message of messagesOf(pieces(), (wrong, id) => refused.push([wrong, id]))) whole.push(String(message));
      assert.deepEqual(whole, [lines[0], lines[1], lines[2], lines[7]].map((line) => `${line}\n`));
      assert.deepEqual(refused, ['"a-2"', "3", "null", "null"].map((id) => ["nested deeper than 512", id]));
    }
    async function* large() {
      yield Buffer.from('{"jsonrpc":"2.0","id":6,"x":"');
      for (let at = 0; at < 65; at += 1) yield Buffer.alloc(1024 * 1024, "x");
      yield Buffer.from('"}\n');
    }
    const refused = [];
    for await (const _ of messagesOf(large(), (...told) => refused.push(told))) assert.fail("it was taken");
    assert.deepEqual(refused, [["larger than 64 MB", "6"]]);
  });

  describe("passes of the host's own model", () => {
    // Sure of the full evidence, unsure of the scrubbed; of what is wrong sure that it is.
    const judged = ({ passes }) =>
      passes.map(({ id, prompt }) => {
        if (/\[\w+_\d+\]|\[REDACTED\]/.test(prompt)) return { pass: id, verdict: "UNSURE", confidence: 0.3 };
        return { pass: id, verdict: prompt.includes("9090") ? "CONTRADICTED" : "ENTAILED", confidence: 0.95, reasoning: "As it says" };
      });

    test("come scrubbed first, then full, then the verdict", async () => {
      const first = await call(client, "prepare_passes", EXAMPLE);
      assert.deepEqual([first.done, first.left, first.passes.length], [false, 4, 2]);
      assert.ok(first.passes.every(({ prompt }) => !prompt.includes('is 8080"}]\n</evidence')), "the evidence as it is was shown first");
      assert.match(first.rules, /ENTAILED: explicitly supported/);
      const second = await call(client, "judge_passes", { run: first.run, answers: judged(first) });
      assert.deepEqual([second.done, second.left, second.passes.length], [false, 2, 2]);
      const last = await call(client, "judge_passes", { run: first.run, answers: JSON.stringify(judged(second)) });
      assert.deepEqual(Object.keys(last).slice(0, 2), ["verdict", "recommendation"]);
      assert.deepEqual([last.done, last.verdict, last.recommendation, last.claims.map(({ id, delta }) => [id, delta])], [true, "UNSUPPORTED", "STOP", [["C1", 0.65], ["C0", 0.65]]]);
      // Once more the same: the host did not hear the first time.
      assert.deepEqual(await call(client, "judge_passes", { run: first.run, answers: judged(second) }), last);
      const { report } = await call(client, "judge_passes", { run: first.run, answers: [], whole: true });
      assert.deepEqual(report.claims.map(({ full }) => [full.basis, full.reasoning]), [["verbal", "As it says"], ["verbal", "As it says"]]);
    });

    test("may be answered one by one", async () => {
      let state = await call(client, "prepare_passes", EXAMPLE);
      const { run } = state;
      let calls = 0;
      for (; !state.done; calls += 1) {
        state = await call(client, "judge_passes", { run, answers: judged(state).slice(0, 1) });
      }
      assert.deepEqual([calls, state.recommendation], [4, "STOP"]);
    });

    test("take nothing that was not asked, and nothing twice", async () => {
      const first = await call(client, "prepare_passes", EXAMPLE);
      const other = await call(client, "prepare_passes", EXAMPLE);
      const [one, two] = judged(first);
      const { run } = first;
      const rows = [
        [{ run: "0123456789abcdef", answers: [one] }, /run: There is no such run .*\[unknown_run\]/],
        [{ run: "__proto__", answers: [one] }, /unknown_run/],
        [{ run: other.run, answers: [one] }, /answers\.0\.pass: This run asked no such pass .*\[unknown_pass\]/],
        [{ run, answers: [one, { ...two, pass: "C0/full/1" }] }, /answers\.1\.pass: .*unknown_pass/],
        [{ run, answers: [one, { ...two, pass: "constructor" }] }, /unknown_pass/],
        [{ run, answers: [one, { ...one, confidence: 0.9 }] }, /answers\.1\.pass: This pass has another answer already/],
        [{ run, answers: [{ ...one, verdict: "MAYBE" }] }, /answers\.0\.verdict: Expected "ENTAILED"/],
        [{ run, answers: [{ ...one, confidence: 1.5 }] }, /answers\.0\.confidence: Expected number from 0 to 1/],
        [{ run, answers: [{ ...one, confidence: "0.5" }] }, /answers\.0\.confidence/],
        [{ run, answers: [{ pass: one.pass, verdict: "UNSURE" }] }, /confidence/],
        [{ run, answers: [null] }, /answers\.0/],
        [{ run, answers: { 0: one } }, /answers: Expected array/],
        [{ run }, /answers/],
        [{ answers: [one] }, /run/],
      ];
      for (const [args, message] of rows) assert.match(await refusal(client, "judge_passes", args), message);
      // Nothing of what was refused was taken.
      assert.equal((await call(client, "judge_passes", { run, answers: [] })).left, 4);
      await call(client, "judge_passes", { run, answers: [one, one] });
      assert.equal((await call(client, "judge_passes", { run, answers: [one] })).left, 3);
      assert.match(await refusal(client, "judge_passes", { run, answers: [{ ...one, verdict: "ENTAILED" }] }), /answered_twice/);
    });

    test("fit into an answer, the rest comes later; evidence that never fits is refused", async () => {
      const claims = Array.from({ length: 12 }, (_, at) => `The port is ${8080 + at}`);
      const evidence = [`${claims.join(". ")}. ${"What is read here stays as it is. ".repeat(80)}`];
      let state = await call(client, "prepare_passes", { claims, evidence });
      const { run } = state;
      assert.ok(state.passes.length > 0 && state.passes.length < 12);
      for (let calls = 0; !state.done; calls += 1) {
        assert.ok(calls < 30);
        state = await call(client, "judge_passes", { run, answers: judged(state) });
      }
      assert.equal(state.summary.claims, 12);
      assert.match(await refusal(client, "prepare_passes", { claims, evidence: ["word ".repeat(10_000)] }), /does not fit .*\[too_long\]/);
    });

    test("are not written where they are too long, however many they would be", async () => {
      const many = Array.from({ length: 5000 }, (_, at) => `The port is ${at}`);
      const words = (length) => "What is read here stays. ".repeat(length / 25);
      assert.match(await refusal(client, "prepare_passes", { claims: many, evidence: [words(400_000)] }), /claim "The port is 0" .*\[too_long\]/);
      const cites = many.map((text, at) => ({ text, cites: at === 4999 ? ["S0", "long"] : ["S0"] }));
      assert.match(await refusal(client, "prepare_passes", { claims: cites, evidence: ["x", { id: "long", text: words(400_000) }] }), /claim "The port is 4999"/);
      assert.match(await refusal(client, "prepare_passes", { claims: many, evidence: [words(15_000)] }), /claims: What the claims rest on .* \(Give fewer claims .*\[too_long\]/);
    });

    test("without claims there is nothing to ask; old runs go", async () => {
      const nothing = await call(client, "prepare_passes", { claims: [], evidence: ["x"] });
      assert.deepEqual([nothing.done, nothing.recommendation], [true, "GATHER_MORE_EVIDENCE"]);
      for (let at = 0; at < 16; at += 1) await call(client, "prepare_passes", EXAMPLE);
      assert.match(await refusal(client, "judge_passes", { run: nothing.run, answers: [] }), /unknown_run/);
    });
  });

  test("progress is told where it is asked for; a call that is cancelled leaves the judge alone", async () => {
    const open = [];
    const waiting = [];
    let isPaced = true;
    const server = await serve((request, response) => {
      if (request.json.messages[1].content.includes("hang")) return open.push(response);
      if (!isPaced) return judge(request, response);
      waiting.push(() => judge(request, response));
      if (waiting.length === 4) waiting.shift()();
    });
    const judging = await connect(["--judge", "openai", "--base-url", server.baseUrl, "--model", "m"]);
    const seen = [];
    // The next question is answered when the progress of the one before was heard: what comes in one piece with the result is too late for
    // the client.
    const onprogress = ({ progress, total }) => {
      seen.push([progress, total]);
      if (progress > 0) waiting.shift()?.();
    };
    await call(judging, "verify_claims", EXAMPLE, { onprogress });
    isPaced = false;
    assert.ok(seen.length >= 3 && seen.every(([, total]) => total === 4), JSON.stringify(seen));
    assert.ok(seen.every(([progress], at) => at === 0 || progress > seen[at - 1][0]));

    const cancel = new AbortController();
    const hanging = judging.callTool({ name: "verify_claims", arguments: { claims: ["they hang"], evidence: ["they hang"] } }, { signal: cancel.signal });
    while (open.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    const closed = Promise.all(open.map((response) => new Promise((resolve) => response.on("close", resolve))));
    cancel.abort();
    await assert.rejects(hanging);
    await closed;
    assert.equal((await call(judging, "verify_claims", EXAMPLE)).recommendation, "PROCEED");
    await server.close();
  });

  test("hosts of the protocol before this one are served, and the end of the input is the end", async () => {
    const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "old", version: "1" } } };
    const list = [{ jsonrpc: "2.0", method: "notifications/initialized" }, { jsonrpc: "2.0", id: 2, method: "tools/list" }];
    const { code, stderr, answers } = await spoken([hello, ...list].map((message) => JSON.stringify(message)), 2);
    assert.deepEqual([code, stderr, answers[0].result.protocolVersion, answers[1].result.tools.length], [0, "", "2025-06-18", 5]);
  });

  test("a folder that is none, a judge that is none, a key as an argument", async () => {
    for (const args of [["--root", "nowhere"], ["--judge", "magic"], ["--api-key", "sk"], ["more.json"]]) {
      const { code, stdout } = await project.cli(["mcp", ...args]);
      assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    }
  });
});
