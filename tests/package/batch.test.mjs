// Batches: what a plan is, that merged answers are what `verify` would have said, and what becomes of bad ones.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { anthropicLine, answer, openaiLine, questions, requests, verdictOn } from "./batch-engine.mjs";
import { install } from "./fixture.mjs";
import { say, send, serve } from "./scripted.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const jsonl = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const lines = async (path) => (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");

describe("batches", { timeout: 240_000 }, () => {
  let project, given, claimgauge, at;
  let runs = 0;
  before(async () => {
    project = await install();
    claimgauge = project.require("claimgauge");
    given = await requests(root, 10);
  });
  after(() => project.remove());
  beforeEach(async () => {
    runs += 1;
    at = (...path) => join(project.folder, `batch ${runs}`, ...path);
    await mkdir(at(), { recursive: true });
  });

  const plan = async (values, ...options) => {
    await writeFile(at("requests.jsonl"), typeof values === "string" || Buffer.isBuffer(values) ? values : jsonl(values));
    return project.cli(["batch", "plan", at("requests.jsonl"), "--model", "m", "--out", at("plan"), ...options]);
  };
  const merge = async (...args) => {
    const { code, stdout, stderr } = await project.cli(["batch", "merge", at("plan"), ...args, "--json"]);
    return { code, stderr, summary: stdout === "" ? null : JSON.parse(stdout) };
  };
  const planned = async (folder = "plan") => {
    const all = [];
    for await (const question of questions(at(folder))) all.push(question);
    return all;
  };
  const reports = async () => (await lines(at("plan/reports.jsonl"))).map((line) => JSON.parse(line));
  /** What `verify` says where the judge answers as the batch does. */
  const judge = {
    name: "scripted",
    basis: "verbal",
    judge: ({ messages }) => ({ text: verdictOn(messages.at(-1).content), usage: { promptTokens: 900, completionTokens: 20 } }),
  };
  const verified = (values, options) => Promise.all(values.map((request) => claimgauge.verify(request, { judge, ...options })));

  test("merged answers are what verify would have said", async () => {
    assert.equal((await plan(given)).code, 0);
    await answer(at("plan"), at("plan/answers"), { lost: 0, doubled: 0, broken: 0 });
    const { code, summary, stderr } = await merge();
    assert.deepEqual([code, stderr], [0, ""]);
    assert.deepEqual(await reports(), await verified(given));
    assert.deepEqual([summary.complete, summary.requests, summary.cost.calls, summary.followUp], [true, 10, 20, null]);
  });

  test("each line is what the provider takes", async () => {
    await plan(given, "--temperature", "0");
    for (const [index, question] of (await planned()).entries()) {
      assert.deepEqual(Object.keys(question), ["custom_id", "method", "url", "body"]);
      assert.match(question.custom_id, new RegExp(`^cg-[0-9a-f]{10}-${Math.floor(index / 2) + 1}-0-${index % 2 ? "scrubbed" : "full"}-1$`));
      assert.deepEqual([question.method, question.url, question.body.model, question.body.temperature], ["POST", "/v1/chat/completions", "m", 0]);
    }
  });

  test("the same input gives the same bytes, and another one needs another folder", async () => {
    const first = await plan(given);
    const made = await tree(at("plan"));
    assert.deepEqual(await plan(given), first);
    assert.deepEqual(await tree(at("plan")), made);
    const other = await plan(given.slice(1));
    assert.equal(other.code, 2);
    assert.match(other.stderr, /holds a plan of other requests, for another judge, or by another version \(Name another folder with --out\.\) \[other_plan\]/);
    assert.deepEqual(await tree(at("plan")), made);
    assert.equal((await plan(given, "--group", "2")).code, 2);
  });

  test("whatever a request asks for, reports are those of verify", async () => {
    const [{ evidence, claims }, { claims: more }, { claims: yet }] = given;
    const all = [...claims, ...more, ...yet];
    const values = [
      { profile: "data", evidence, claims: all, passes: "as_needed" },
      { profile: "strawberry", evidence, claims: [{ id: "a/b+1-full", text: claims[0], cites: ["S0"] }, { id: "C9", text: more[0], cites: ["S7"] }] },
      { profile: "strawberry", evidence, claims: all, nulls: ["identifiers", "redact_spans", "no_evidence"] },
      { profile: "strawberry", evidence: ["The ticket is ACME-1234."], claims: ["The ticket is ACME-1234"], kinds: [{ kind: "TICKET", patterns: ["[A-Z]+-\\d+"] }] },
      { profile: "code", evidence, claims: [{ text: claims[0], confidence: 0.95 }, { text: more[0], confidence: 0.7 }], trigger: "on_medium_confidence" },
      { profile: "code", evidence, claims: [] },
      { profile: "security", evidence: ['The key is "sk-live-abcdefghijklmnopqrstuvwx"'], claims: ["The key is sk-live-abcdefghijklmnopqrstuvwx"], policy: { on_ungrounded: "cap" } },
    ];
    for (const group of [1, 2]) {
      await rm(at("plan"), { recursive: true, force: true });
      await rm(at("answers"), { recursive: true, force: true });
      assert.equal((await plan(values, "--group", String(group))).code, 0);
      let from = at("plan");
      for (let round = 1; from !== null; round += 1) {
        await answer(from, at("answers"), { seed: round, lost: 0, doubled: 0, broken: 0 });
        const { summary } = await merge(at("answers"));
        from = summary.followUp === null ? null : at("plan", summary.followUp.folder);
        assert.ok(round < 4);
      }
      assert.deepEqual(await reports(), await verified(values, { group }));
    }
  });

  test("what is the same is asked once, and answers all of it", async () => {
    const [one, two] = given;
    const both = { ...one, claims: [{ id: "mine", text: one.claims[0] }, one.claims[0]] };
    const values = [one, two, one, both];
    const { stdout } = await plan(values);
    assert.match(stdout, /^4 requests with 5 claims: 4 questions, as 6 others are the same\./);
    assert.equal((await planned()).length, 4);
    await answer(at("plan"), at("plan/answers"), { lost: 0, doubled: 0, broken: 0 });
    const { summary } = await merge();
    // Each report has cost what its claims cost; the batch has cost what was asked.
    const alone = await verified(values);
    assert.deepEqual(await reports(), alone);
    assert.deepEqual(alone.map(({ cost }) => cost.calls), [2, 2, 2, 4]);
    assert.deepEqual(summary.cost, { calls: 4, promptTokens: 3600, completionTokens: 80 });
  });

  test("files keep to the provider's limits", async () => {
    const folder = join(project.package, "dist/node/batch");
    const { FORMS } = project.require(join(folder, "forms.js"));
    assert.deepEqual([FORMS.openai.lines, FORMS.openai_responses.bytes, FORMS.anthropic.lines], [50_000, 200_000_000, 100_000]);
    assert.ok(FORMS.anthropic.bytes < 256_000_000);
    const { planBatch } = project.require(join(folder, "plan.js"));
    const make = (out) => planBatch({
      name: "x", input: [Buffer.from(jsonl(given))], folder: at(out), judge: { dialect: "openai", model: "m", temperature: null }, group: 1, without: [],
      prices: { read: 1, written: 2 }, signal: new AbortController().signal, onProgress() {},
    });
    const whole = await make("whole");
    const form = { ...FORMS.openai };
    try {
      FORMS.openai.lines = 7;
      const few = await make("few");
      assert.deepEqual(few.files.map((file) => file.lines), [7, 7, 6]);
      Object.assign(FORMS.openai, form, { bytes: 6_000 });
      const small = await make("small");
      assert.ok(small.files.length === 5 && small.files.every((file) => file.bytes <= 6_000), JSON.stringify(small.files));
      for (const [manifest, out] of [[whole, "whole"], [few, "few"], [small, "small"]]) {
        const texts = await Promise.all(manifest.files.map(({ name }) => readFile(at(out, name))));
        assert.deepEqual(texts.map((text) => createHash("sha256").update(text).digest("hex")), manifest.files.map((file) => file.sha256));
        assert.deepEqual(Buffer.concat(texts), await readFile(at("whole/requests-00001.jsonl")));
      }
      assert.equal(whole.estimate.money, Number(((whole.estimate.promptTokens + 2 * whole.estimate.completionTokens) / 1e6).toPrecision(3)));
    } finally {
      Object.assign(FORMS.openai, form);
    }
  });

  test("Anthropic's form, and what its results say", async () => {
    await plan(given, "--judge", "anthropic");
    const asked = await planned();
    assert.ok(asked.every(({ custom_id, params, ...rest }) => /^[a-zA-Z0-9_-]{1,64}$/.test(custom_id) && params.max_tokens > 0 && Object.keys(rest).length === 0));
    const errored = (type, message) => ({ type: "errored", error: { type: "error", error: { type, message } } });
    const odd = new Map([
      ["1-0-full-1", { type: "expired" }],
      ["2-0-full-1", { type: "canceled" }],
      ["3-0-full-1", errored("overloaded_error", "Overloaded")],
      ["4-0-full-1", errored("invalid_request_error", "No such thing")],
    ]);
    const answers = asked.map((question) => {
      const result = odd.get(question.custom_id.slice("cg-0123456789-".length));
      return result === undefined ? anthropicLine(question) : JSON.stringify({ custom_id: question.custom_id, result });
    });
    await mkdir(at("plan/answers"));
    await writeFile(at("plan/answers/a.jsonl"), answers.join("\n"));
    const { code, summary } = await merge();
    assert.equal(code, 3);
    assert.deepEqual(summary.followUp.reasons, {
      "The request is expired": 1, "The request is canceled": 1, "The provider was busy or failed (HTTP 529)": 1,
    });
    assert.deepEqual((await planned("plan/follow-up-1")).map((question) => question.custom_id), asked.filter((_, at) => [0, 2, 4].includes(at)).map((question) => question.custom_id));
    const statuses = (await reports()).map(({ claims: [{ status, flags }] }) => [status, ...flags].join(" "));
    assert.deepEqual(statuses.slice(0, 5), ["INCONCLUSIVE stopped", "INCONCLUSIVE stopped", "INCONCLUSIVE stopped", "INCONCLUSIVE judge_failed ungrounded", "VERIFIED scrubbed_unsure"]);
  });

  test("a bad day: what is lost, broken or unread is asked again until it is there", async () => {
    const values = await requests(root, 2_000);
    await plan(values);
    const counts = await answer(at("plan"), at("answers"), { unread: 10 });
    assert.ok(Object.values(counts).every((count) => count > 5), JSON.stringify(counts));
    const first = await merge(at("answers"));
    assert.equal(first.code, 3);
    const { unreadable, doubled, foreign, unasked } = first.summary.answers;
    assert.deepEqual([unreadable, doubled, foreign, unasked], [counts.broken, counts.doubled, 0, 0]);
    const again = await planned("plan/follow-up-1");
    assert.equal(again.length, counts.lost + counts.broken + counts.unread);
    const second = again.filter((question) => question.custom_id.endsWith("-2"));
    assert.equal(second.length, counts.unread);
    assert.ok(second.every(({ body }) => body.response_format === undefined && /only one line/.test(body.messages[0].content)));

    // The order of files and lines makes no difference, nor does another merge.
    const made = await tree(at("plan"));
    const names = (await readdir(at("answers"))).map((name) => at("answers", name));
    for (const name of names) await writeFile(name, `${(await lines(name)).reverse().join("\n")}\n`);
    await merge(...names.reverse());
    assert.deepEqual(await readFile(at("plan/reports.jsonl")), made.get("reports.jsonl"));

    await answer(at("plan/follow-up-1"), at("answers"), { seed: 2, lost: 0, doubled: 0, broken: 0 });
    const last = await merge(at("answers"));
    assert.deepEqual([last.code, last.summary.complete, last.summary.incomplete], [0, true, 0]);
    const statuses = (reports) => reports.map(({ claims }) => claims.map(({ status, delta }) => [status, delta]));
    assert.deepEqual(statuses(await reports()), statuses(await verified(values)));
  });

  test("answers that are not this plan's change nothing", async () => {
    await plan(given);
    const [question] = await planned();
    const own = question.custom_id;
    const plain = await answer(at("plan"), at("answers"), { lost: 0, doubled: 0, broken: 0 });
    await merge(at("answers"));
    const made = await readFile(at("plan/reports.jsonl"));
    const named = (custom_id, text) => openaiLine({ ...question, custom_id }, text);
    const wrong = '{"verdict":"CONTRADICTED","confidence":1}';
    const hostile = [
      ...["cg-0000000000-1-0-full-1", "request-1", "__proto__", "../../etc/passwd", own.replace(/-1-0-full-1$/, "-99-0-full-1"), `${own}x`, ` ${own}`, own.replace("-full-", "-null_x'-")].map((id) => named(id, wrong)),
      own.replace(/-1$/, "-9"), own.replace("-full-", "-null_redact_spans-"), own.replace("-1-0-", "-1-7-"),
    ].map((line) => (line.startsWith("{") ? line : named(line, wrong)));
    const broken = ["[]", "null", "7", "{", '{"custom_id":7}', `{"custom_id":"${own}","response"`, "\u0000", "x".repeat(17 * 1024 * 1024)];
    await writeFile(at("odd\u001b[31m\n.jsonl"), Buffer.concat([
      Buffer.from(`${[...hostile, ...broken].join("\n")}\n`), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(`\n  \r\n{"custom_id":"${own}"`),
    ]));
    const { code, summary, stderr } = await merge(at("answers"), at("odd\u001b[31m\n.jsonl"));
    assert.equal(code, 0);
    assert.deepEqual(await readFile(at("plan/reports.jsonl")), made);
    assert.deepEqual(
      { ...summary.answers, named: summary.answers.named.length },
      { lines: plain.asked + 21, unreadable: 10, foreign: 8, doubled: 0, unasked: 3, named: 18 },
    );
    assert.match(stderr, /line 19: The line is longer than 17 MB/);
    assert.match(stderr, /line 20: The line is not UTF-8/);
    assert.match(stderr, /line 23: not JSON: it breaks off at column 39/);
    assert.doesNotMatch(stderr, /struct|line 1 column/);
    assert.doesNotMatch(stderr, /\u001b/);
  });

  test("a last line that does not end is refused for what is wrong with it", async () => {
    await plan(given);
    const [{ custom_id }] = await planned();
    for (const [line, what] of [['{"custom_id":7}', "it has no custom_id"], [`{"custom_id":"${custom_id}","response":7}`, "no provider's answer: its response is of another kind"]]) {
      await writeFile(at("last.jsonl"), line);
      assert.match((await merge(at("last.jsonl"))).stderr, new RegExp(`last\\.jsonl: line 1: ${what}\n`));
    }
    // Nor is a whole one refused.
    await writeFile(at("last.jsonl"), openaiLine((await planned())[0]));
    assert.equal((await merge(at("last.jsonl"))).summary.answers.unreadable, 0);
  });

  test("a parameter is left out where the plan says so, or the provider refuses it", async () => {
    await plan(given, "--without", "logprobs");
    const asked = await planned();
    assert.ok(asked.every(({ body }) => !("logprobs" in body) && !("top_logprobs" in body) && "response_format" in body));
    const body = { error: { message: "Unsupported parameter: 'response_format'", param: "response_format", code: "unsupported_parameter" } };
    const answers = asked.map(({ custom_id }) => JSON.stringify({ custom_id, response: { status_code: 400, body }, error: null }));
    await mkdir(at("plan/answers"));
    await writeFile(at("plan/answers/a.jsonl"), answers.join("\n"));
    const { summary } = await merge();
    assert.deepEqual(summary.followUp.reasons, { "The provider refuses the parameter response_format": 20 });
    const again = await planned("plan/follow-up-1");
    assert.deepEqual(again.map((question) => question.custom_id), asked.map((question) => question.custom_id));
    assert.ok(again.every(({ body }) => !("logprobs" in body) && !("response_format" in body)));
  });

  test("what a request needs is not left out of a plan", async () => {
    const { code, stderr } = await plan(given, "--without", "messages");
    assert.equal(code, 2);
    assert.match(stderr, /without: Unknown parameter to leave out "messages" \(Use one of: .*logprobs/);
    assert.equal((await plan(given, "--without", "logprobs")).code, 0);
  });

  test("requests that were mended are planned in the same folder", async () => {
    // The bad line comes after a stretch that is on the disk by then.
    const many = await requests(root, 300);
    const { code, stderr } = await plan([...many, { ...given[0], claims: [""] }]);
    assert.equal(code, 2);
    assert.match(stderr, /line 301: claims\.0\.text/);
    assert.deepEqual((await readdir(at("plan"))).sort(), ["input.jsonl", "plan-state.json"]);
    assert.match((await plan([...many, "{"])).stderr, /line 302|line 301/);
    assert.equal((await plan(many)).code, 0);
    const mended = await tree(at("plan"));
    await rm(at("plan"), { recursive: true });
    await plan(many);
    assert.deepEqual(mended, await tree(at("plan")));
  });

  test("sizes are told in a unit that fits", async () => {
    assert.match((await plan(given)).stdout, /1 file to send, \d\d KB: /);
  });

  test("what is wrong is told with its file and line", async () => {
    const bad = (line) => Buffer.concat([Buffer.from(`${JSON.stringify(given[0])}\n\n`), Buffer.from(line), Buffer.from("\n")]);
    const rows = [
      ["{", /requests\.jsonl: line 3: Not JSON: .*\[invalid_value\]/],
      ["[]", /line 3: There is no list of claims/],
      [JSON.stringify({ ...given[0], claims: [""] }), /line 3: claims\.0\.text: A claim without words/],
      [JSON.stringify({ ...given[0], speed: 1 }), /line 3: speed: .*\[unknown_field\]/],
      [Buffer.from([0x22, 0xff, 0x22]), /line 3: The line is not UTF-8/],
    ];
    for (const [line, message] of rows) {
      await rm(at("plan"), { recursive: true, force: true });
      const { code, stdout, stderr } = await plan(bad(line));
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, message);
      assert.match(stderr, /^claimgauge: \S.*requests\.jsonl: line 3: /);
      assert.match((await merge()).stderr, /manifest\.json: there is no such file .*\[no_plan\]/);
    }
    await rm(at("plan"), { recursive: true });
    await plan(given);
    assert.match((await merge(at("nothing"))).stderr, /nothing: there is no such file or folder .*\[no_answers\]/);
    // What an earlier merge made stays.
    await writeFile(at("plan/reports.jsonl"), "of an earlier merge\n");
    assert.match((await merge()).stderr, /No answers are named, and `run` has written none .*\[no_answers\]/);
    assert.equal(await readFile(at("plan/reports.jsonl"), "utf8"), "of an earlier merge\n");
    await writeFile(at("file"), "");
    for (const [args, message] of [
      [["plan", at("requests.jsonl"), "--model", "m", "--out", at("file")], /file: it is no folder\n$/],
      [["plan", at("gone.jsonl"), "--model", "m", "--out", at("x")], /gone\.jsonl: there is no such file or folder\n$/],
      [["plan", at("plan"), "--model", "m", "--out", at("x")], /plan: it is a folder: name a file, or - for the standard input\n$/],
      [["plan", "/dev/zero", "--model", "m", "--out", at("x")], /zero: it is no regular file: name a file, or - for the standard input\n$/],
      [["plan", at("requests.jsonl"), "--out", at("x")], /needs --model and --out/],
      [["plan", at("requests.jsonl"), "--model", "m", "--out", at("x"), "--judge", "gemini"], /no batch form for the judge "gemini"/],
      [["plan"], /needs a file/],
      [["merge"], /needs the plan's folder/],
      [["fly", "x"], /There is no batch fly/],
      [["run", at("plan"), "--base-url", "http://127.0.0.1:1/v1", "--concurrency", "0"], /--concurrency takes/],
      [["run", at("plan"), "--model", "other"], /batch run takes no --model/],
      [["merge", at("plan"), "--concurrency", "2"], /batch merge takes no --concurrency/],
      [["plan", at("requests.jsonl"), "--model", "m", "--out", at("x"), "--otel", at("y")], /batch plan takes no --otel/],
    ]) {
      const { code, stderr } = await project.cli(["batch", ...args]);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, message);
    }
  });

  test("run asks a server, keeps what it said, and goes on after an interrupt", async () => {
    await plan([...given, given[0]]);
    let gate = () => {};
    const interrupt = async (child) => {
      while ((await lines(at("plan/answers/run.jsonl"))).length < 3) await sleep(10);
      child.kill("SIGINT");
    };
    const server = await serve((request, response, number) => {
      if (number === 5) gate();
      if (number === 2) return send(response, 503, "{}", { "retry-after": "0" });
      if (number > 5 && number < 9) return; // Never: they are interrupted.
      say(response, verdictOn(request.json.messages.at(-1).content));
    });
    try {
      const args = ["batch", "run", at("plan"), "--base-url", server.baseUrl, "--concurrency", "3"];
      const stopped = await project.cli(args, { started: (child) => (gate = () => interrupt(child)) });
      assert.equal(stopped.code, 130, stopped.stderr);
      const kept = await lines(at("plan/answers/run.jsonl"));
      assert.ok(kept.length >= 3 && kept.length < 20);
      await writeFile(at("plan/answers/run.jsonl"), `${kept.join("\n")}\n{"custom_id":"cg-`);
      const { code, stdout } = await project.cli(args);
      assert.deepEqual([code, /^(.*), (\d+) known before/.exec(stdout)?.[1]], [0, `${20 - kept.length} questions answered`]);
      assert.equal((await lines(at("plan/answers/run.jsonl"))).length, 20);
      const asked = server.requests.length;
      assert.match((await project.cli(args)).stdout, /^0 questions answered, 22 known before/);
      assert.equal(server.requests.length, asked);
      assert.equal((await merge()).code, 0);
      assert.deepEqual(await reports(), await verified([...given, given[0]]));
    } finally {
      await server.close();
    }
  });

  test("run keeps to its caps, and stops when the judge refuses the key", async () => {
    await plan(given);
    const server = await serve((request, response) => {
      if (request.headers.authorization === "Bearer wrong") return send(response, 401, '{"error":{"message":"no"}}');
      say(response, verdictOn(request.json.messages.at(-1).content));
    });
    try {
      const run = (key, ...more) => project.cli(["batch", "run", at("plan"), "--base-url", server.baseUrl, ...more], { env: { CLAIMGAUGE_API_KEY: key } });
      const refused = await run("wrong");
      assert.equal(refused.code, 3);
      assert.match(refused.stderr, /refused the key/);
      const before = server.requests.length;
      const capped = await run("right", "--max-calls", "6");
      assert.equal(capped.code, 3);
      assert.match(capped.stdout, /^6 questions answered, 0 known before.*reached its cap/s);
      assert.equal(server.requests.length - before, 6);
      assert.match((await run("right")).stdout, /^14 questions answered, 6 known before/);
    } finally {
      await server.close();
    }
  });
});

/** The files of a folder, by their path in it. */
async function tree(folder) {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  const paths = names.map((one) => join(one.parentPath ?? one.path, one.name)).sort();
  return new Map(await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path)])));
}
