// Reports for tools that watch: events that OpenTelemetry's own SDK takes, scores in Langfuse's shape, no content
// unless it is asked for.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";

import { install, source, thrownBy } from "./fixture.mjs";

describe("observability", { timeout: 120_000 }, () => {
  let project, claimgauge, report;
  const request = {
    profile: "strawberry",
    evidence: ["users.email stores user email addresses, VARCHAR(255)"],
    claims: ["Table users contains field email", { id: "mine", text: "Nobody knows the zanzibar" }],
  };
  before(async () => {
    project = await install();
    claimgauge = project.require("claimgauge");
    const judge = ({ claim, pass }) => {
      if (claim === "mine" && pass === "full") throw new Error("no");
      return pass === "full" ? '{"verdict":"ENTAILED","confidence":0.95,"reasoning":"It says so of emails."}' : '{"verdict":"UNSURE","confidence":0.3}';
    };
    report = await claimgauge.verify(request, { judge });
  });
  after(() => project.remove());

  const emitted = (events) => {
    const exporter = new InMemoryLogRecordExporter();
    const logger = new LoggerProvider({ processors: [new SimpleLogRecordProcessor(exporter)] }).getLogger("claimgauge", claimgauge.version);
    events.forEach((event) => logger.emit(event));
    return exporter.getFinishedLogRecords();
  };

  test("OpenTelemetry's SDK exports each event as it was made", () => {
    const events = claimgauge.toOtelEvents(report, { responseId: "chatcmpl-7" });
    const records = emitted(events);
    assert.deepEqual(records.map(({ eventName, attributes }) => ({ eventName, attributes })), events);
    assert.ok(records.every(({ eventName, droppedAttributesCount }) => eventName === "gen_ai.evaluation.result" && droppedAttributesCount === 0));
    const [support, delta, failed] = records.map(({ attributes }) => attributes);
    const { why } = report.claims[0];
    assert.deepEqual(support, {
      "gen_ai.evaluation.name": "claimgauge.support",
      "gen_ai.evaluation.score.value": 0.95,
      "gen_ai.evaluation.score.label": "VERIFIED",
      "gen_ai.evaluation.explanation": why,
      "gen_ai.response.id": "chatcmpl-7",
      "claimgauge.claim.id": "C0",
      "claimgauge.profile": "strawberry",
      "claimgauge.rule": "scrubbed_unsure",
      "claimgauge.flags": ["scrubbed_unsure"],
      "claimgauge.recommendation": "GATHER_MORE_EVIDENCE",
    });
    assert.deepEqual([delta["gen_ai.evaluation.name"], delta["gen_ai.evaluation.score.value"]], ["claimgauge.delta", 0.65]);
    assert.deepEqual([failed["error.type"], failed["gen_ai.evaluation.score.label"], "gen_ai.evaluation.score.value" in failed], ["judge_failed", "INCONCLUSIVE", false]);
  });

  test("scores have Langfuse's shape", () => {
    const scores = claimgauge.toLangfuseScores(report, { traceId: "0af7651916cd43dd8448eb211c80319c", observationId: "b7ad6b7169203331", environment: "test" });
    assert.deepEqual(scores.map(({ name, value, dataType }) => [name, value, dataType]), [
      ["claimgauge.recommendation", "GATHER_MORE_EVIDENCE", "CATEGORICAL"],
      ["claimgauge.status", "VERIFIED", "CATEGORICAL"],
      ["claimgauge.support", 0.95, "NUMERIC"],
      ["claimgauge.delta", 0.65, "NUMERIC"],
      ["claimgauge.status", "INCONCLUSIVE", "CATEGORICAL"],
    ]);
    const known = ["comment", "dataType", "environment", "id", "metadata", "name", "observationId", "traceId", "value"];
    assert.ok(scores.every((score) => Object.keys(score).every((key) => known.includes(key)) && score.traceId && score.observationId));
    assert.equal(new Set(scores.map(({ id }) => id)).size, scores.length);
    assert.equal(scores[4].metadata.error, "judge_failed");
  });

  test("content goes along only where it is asked for", async () => {
    const words = /zanzibar|says so|VARCHAR|users/;
    const both = (options) => JSON.stringify([emitted(claimgauge.toOtelEvents(report, options)).map(({ attributes }) => attributes), claimgauge.toLangfuseScores(report, { traceId: "t", ...options })]);
    assert.doesNotMatch(both({}), words);
    assert.match(both({ content: true }), /zanzibar.*says so|says so.*zanzibar/s);
    const thrown = await thrownBy(() => claimgauge.toOtelEvents(report, { contents: true }));
    assert.deepEqual([thrown.code, thrown.path], ["unknown_field", "contents"]);
  });

  test("the samples of the documentation run", async () => {
    const samples = [...(await source("docs/observability.md")).matchAll(/^```js\n(.*?)^```/gms)].map(([, sample]) => sample);
    const printed = await Promise.all(samples.map((sample) => project.script(sample)));
    assert.deepEqual(printed.map(({ stderr }) => stderr), ["", ""]);
    assert.match(printed[0].stdout, /^VERIFIED\nVERIFIED\n$/);
    assert.match(printed[1].stdout, /^claimgauge\.recommendation PROCEED\nclaimgauge\.status VERIFIED\nclaimgauge\.support 0\./);
  });

  test("the command line writes both, as collectors and Langfuse read them", async () => {
    await writeFile(join(project.folder, "requests.jsonl"), `${JSON.stringify(request)}\n${JSON.stringify({ ...request, claims: [] })}\n`);
    const { code } = await project.cli(["verify", "requests.jsonl", "--json", "--otel", "events.jsonl", "--langfuse", "scores.jsonl"]);
    assert.notEqual(code, 2);
    const [events, scores] = await Promise.all(["events.jsonl", "scores.jsonl"].map(async (name) => (await readFile(join(project.folder, name), "utf8")).trim().split("\n").map((line) => JSON.parse(line))));
    assert.equal(events.length, 1);
    const [{ scope, logRecords }] = events[0].resourceLogs[0].scopeLogs;
    assert.deepEqual([scope.name, logRecords.length], ["claimgauge", 4]);
    for (const record of logRecords) {
      assert.match(record.timeUnixNano, /^\d{19}$/);
      assert.equal(record.eventName, "gen_ai.evaluation.result");
      const values = Object.fromEntries(record.attributes.map(({ key, value }) => [key, value]));
      assert.equal(typeof values["gen_ai.evaluation.name"].stringValue, "string");
      assert.equal(typeof values["gen_ai.evaluation.score.value"].doubleValue, "number");
      assert.ok(Array.isArray(values["claimgauge.flags"].arrayValue.values));
    }
    const traceId = createHash("sha256").update(JSON.stringify(request)).digest("hex").slice(0, 32);
    assert.ok(scores.slice(0, -1).every((score) => score.traceId === traceId));
    assert.equal(scores.at(-1).name, "claimgauge.recommendation");
    const wrong = await project.cli(["verify", "requests.jsonl", "--otel", "no/such/folder/x"]);
    assert.deepEqual([wrong.code, /no\/such\/folder\/x: it cannot be written/.test(wrong.stderr)], [2, true]);
    assert.equal((await project.cli(["verify", "requests.jsonl", "--content"])).code, 2);
  });

  test("what is read is not written over", async () => {
    const at = (name) => join(project.folder, name);
    const text = JSON.stringify(request);
    await writeFile(at("request.json"), text);
    await symlink(at("request.json"), at("link.json"));
    for (const [input, output] of [["request.json", "./request.json"], ["request.json", "link.json"], ["link.json", at("request.json")]]) {
      for (const option of ["--otel", "--langfuse"]) {
        const { code, stderr } = await project.cli(["verify", input, option, output]);
        assert.deepEqual([code, stderr.includes(`${output}: it is read`)], [2, true]);
      }
    }
    await symlink(at("round.json"), at("round.json"));
    const round = await project.cli(["verify", "request.json", "--otel", "round.json"]);
    assert.deepEqual([round.code, /round\.json: it cannot be written/.test(round.stderr)], [2, true]);
    const evidence = await project.cli(["verify", "--claim", "x", "--evidence", "request.json", "--otel", "request.json"]);
    assert.deepEqual([evidence.code, await readFile(at("request.json"), "utf8")], [2, text]);

    await writeFile(at("other"), "{}");
    const provider = ["--judge", "openai", "--base-url", "http://127.0.0.1:9/v1", "--model", "m"];
    for (const read of [["--thresholds", "other"], ["--profile-file", "other"], [...provider, "--api-key-file", "other"], ["--judge", "recorded:other"]]) {
      const { code, stderr } = await project.cli(["verify", "request.json", ...read, "--langfuse", "./other"]);
      assert.deepEqual([code, stderr.includes("./other: it is read"), await readFile(at("other"), "utf8")], [2, true, "{}"], stderr);
    }
  });

  test("a pipe is refused, as nobody may read it, and so is a folder", async () => {
    const at = (name) => join(project.folder, name);
    await writeFile(at("piped.json"), JSON.stringify(request));
    execFileSync("mkfifo", [at("fifo")]);
    await symlink(at("fifo"), at("to-fifo"));
    for (const [output, what] of [["fifo", "a device or a pipe"], ["to-fifo", "a device or a pipe"], [".", "a folder"]]) {
      const { code, stdout, stderr } = await project.cli(["verify", "piped.json", "--otel", output]);
      assert.deepEqual([code, stdout, stderr], [2, "", `claimgauge: ${output} is ${what} (Name another file.) [output_taken]\n`]);
    }
  });
});
