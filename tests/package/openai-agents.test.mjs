// The guardrail for OpenAI's Agents SDK, with the SDK itself.
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { Agent, OutputGuardrailTripwireTriggered, Runner, tool } from "@openai/agents-core";

import { install, nodeModules, source, thrownBy, tsc } from "./fixture.mjs";

/** A model that calls the tool first, and then answers. */
const MODEL = (answer) => `({
  asked: 0,
  async getResponse() {
    this.asked += 1;
    const call = { type: "function_call", callId: "1", name: "read", status: "completed", arguments: "{}" };
    const message = { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: ${JSON.stringify(answer)} }] };
    const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2, inputTokensDetails: [], outputTokensDetails: [] };
    return { usage, output: [this.asked === 1 ? call : message] };
  },
})`;

describe("OpenAI Agents SDK", { timeout: 240_000 }, () => {
  let project, outputGuardrail, builtin;
  before(async () => {
    project = await install();
    ({ outputGuardrail } = await project.file("dist/node/node-openai-agents.mjs"));
    ({ builtin } = await project.file("dist/node/node-judges.mjs"));
    await mkdir(join(project.folder, "node_modules/@openai"));
    await symlink(join(nodeModules, "@openai/agents-core"), join(project.folder, "node_modules/@openai/agents-core"));
  });
  after(() => project.remove());

  const run = (answer, options, given = "The port is 8080") => {
    const parameters = { type: "object", properties: {}, required: [], additionalProperties: false };
    const read = tool({ name: "read", description: "Reads", parameters, strict: false, execute: async () => given });
    const guardrail = outputGuardrail({ judge: builtin(), ...options });
    const agent = new Agent({ name: "ports", model: (0, eval)(MODEL(answer)), tools: [read], outputGuardrails: [guardrail] });
    return new Runner({ tracingDisabled: true }).run(agent, "Which port?");
  };

  test("lets pass what rests on what tools gave", async () => {
    const { finalOutput, outputGuardrailResults } = await run("The port is 8080.");
    assert.equal(finalOutput, "The port is 8080.");
    const { checked, recommendation, claims } = outputGuardrailResults[0].output.outputInfo;
    assert.deepEqual([checked, recommendation, claims[0].status], [true, "PROCEED", "VERIFIED"]);
  });

  test("trips where it does not", async () => {
    const error = await thrownBy(() => run("The port is 9090."));
    assert.ok(error instanceof OutputGuardrailTripwireTriggered);
    assert.deepEqual(error.result.output.outputInfo.claims.map(({ status }) => status), ["UNSUPPORTED"]);
  });

  test("evidence of every shape is one text a result, or the caller's own", async () => {
    const reports = [];
    const onReport = (report) => reports.push(report.evidence.map(({ text, source }) => [text, source]));
    await run("The port is 8080.", { onReport }, [{ type: "text", text: "The port is 8080" }, { type: "text", text: "The host is localhost" }]);
    await run("The port is 8080.", { onReport, evidence: ({ agentOutput }) => [agentOutput] });
    assert.deepEqual(reports, [[["The port is 8080\nThe host is localhost", "read"]], [["The port is 8080.", null]]]);
  });

  test("what could not be checked says so; options are checked", async () => {
    const { outputGuardrailResults } = await run("Which one?");
    assert.deepEqual(outputGuardrailResults[0].output, { tripwireTriggered: false, outputInfo: { checked: false, reason: "no_claims" } });
    assert.deepEqual(await outputGuardrail({ judge: builtin() }).execute({ agentOutput: "The port is 1." }), { tripwireTriggered: false, outputInfo: { checked: false, reason: "no_evidence" } });
    assert.equal((await outputGuardrail({ judge: builtin(), evidence: () => ["x"] }).execute({ agentOutput: undefined })).outputInfo.reason, "no_claims");
    assert.equal((await thrownBy(() => outputGuardrail({}))).code, "missing_field");
    assert.equal((await thrownBy(() => outputGuardrail({ judge: builtin(), onStop: "throw" }))).code, "unknown_field");
  });

  test("the sample of docs/frameworks.md runs", async () => {
    const [, sample] = [...(await source("docs/frameworks.md")).matchAll(/^```js\n(.*?)^```/gms)].find(([, text]) => text.includes("frameworks/openai-agents"));
    await writeFile(join(project.folder, "model.mjs"), `export const agentModel = ${MODEL("The port is 8080.")};\n`);
    const { stdout, stderr } = await project.script(sample);
    assert.deepEqual([stdout, stderr], ["The port is 8080.\n", ""]);
  });

  test("the types fit the SDK's", async () => {
    await mkdir(join(project.folder, "types"));
    await writeFile(join(project.folder, "types/use.mts"), `
      import { Agent } from "@openai/agents-core";
      import { builtin } from "claimgauge/judges";
      import { outputGuardrail } from "claimgauge/frameworks/openai-agents";
      export const agent = new Agent({ name: "a", outputGuardrails: [outputGuardrail({ judge: builtin(), request: { profile: "code" } })] });
    `);
    const config = join(project.folder, "types/tsconfig.json");
    const compilerOptions = { module: "nodenext", target: "es2023", lib: ["es2023", "dom", "dom.iterable"], types: ["node"], typeRoots: [join(nodeModules, "@types")], strict: true, skipLibCheck: true, noEmit: true };
    await writeFile(config, JSON.stringify({ compilerOptions, files: ["use.mts"] }));
    await tsc("-p", config);
  });
});
