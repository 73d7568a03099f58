// Batches: what a plan is, that merged answers are what `verify` would have said, and what becomes of bad ones.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { answer, questions, requests, verdictOn } from "./batch-engine.mjs";
import { install } from "./fixture.mjs";

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
  const verified = (values) => Promise.all(values.map((request) => claimgauge.verify(request, { judge })));

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
});
