// The guardrails for OpenAI's Agents SDK, with the SDK itself.
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { Agent, OutputGuardrailTripwireTriggered, Runner, ToolOutputGuardrailTripwireTriggered, tool } from "@openai/agents-core";
import { z } from "zod";

import { install, nodeModules, source, thrownBy, tsc } from "./fixture.mjs";

const NOTHING = { type: "object", properties: {}, required: [], additionalProperties: false };

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
  let project, outputGuardrail, toolOutputGuardrail, builtin;
  before(async () => {
    project = await install();
    ({ outputGuardrail, toolOutputGuardrail } = await project.file("dist/node/node-openai-agents.mjs"));
    ({ builtin } = await project.file("dist/node/node-judges.mjs"));
    await mkdir(join(project.folder, "node_modules/@openai"));
    await symlink(join(nodeModules, "@openai/agents-core"), join(project.folder, "node_modules/@openai/agents-core"));
    await symlink(join(nodeModules, "zod"), join(project.folder, "node_modules/zod"));
  });
  after(() => project.remove());

  const run = (answer, options, given = "The port is 8080") => {
    const read = tool({ name: "read", description: "Reads", parameters: NOTHING, strict: false, execute: async () => given });
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

  test("no output is lost because it cannot be checked", async () => {
    const { finalOutput, outputGuardrailResults } = await run("The port is 8080 \ud83d.", {}, "The port is 8080 \ud800");
    assert.equal(finalOutput, "The port is 8080 \ud83d.");
    assert.deepEqual(outputGuardrailResults[0].output.outputInfo.claims.map(({ text, status }) => [text, status]), [["The port is 8080 \ufffd.", "VERIFIED"]]);
    const refused = await run("The port is 8080.", { evidence: () => [{ text: "\ud800" }] });
    const { outputInfo, tripwireTriggered } = refused.outputGuardrailResults[0].output;
    assert.deepEqual([tripwireTriggered, outputInfo.checked, outputInfo.reason], [false, false, "refused"]);
  });

  test("what could not be checked says so; options are checked", async () => {
    const { outputGuardrailResults } = await run("Which one?");
    assert.deepEqual(outputGuardrailResults[0].output, { tripwireTriggered: false, outputInfo: { checked: false, reason: "no_claims" } });
    assert.deepEqual(await outputGuardrail({ judge: builtin() }).execute({ agentOutput: "The port is 1." }), { tripwireTriggered: false, outputInfo: { checked: false, reason: "no_evidence" } });
    assert.equal((await outputGuardrail({ judge: builtin(), evidence: () => ["x"] }).execute({ agentOutput: undefined })).outputInfo.reason, "no_claims");
    assert.equal((await thrownBy(() => outputGuardrail({}))).code, "missing_field");
    assert.equal((await thrownBy(() => outputGuardrail({ judge: builtin(), onStop: "throw" }))).code, "unknown_field");
  });

  describe("of what a tool gives", () => {
    const schema = { type: "object", required: ["port"], properties: { port: { type: "integer" } } };
    const gives = (output, options = {}, tools = { read: schema }) => {
      const guardrail = toolOutputGuardrail({ tools, ...options });
      const read = tool({ name: "read", description: "Reads", parameters: NOTHING, strict: false, execute: async () => output, outputGuardrails: [guardrail] });
      return new Runner({ tracingDisabled: true }).run(new Agent({ name: "ports", model: (0, eval)(MODEL("Done.")), tools: [read] }), "Which port?");
    };
    const given = ({ newItems }) => newItems.find(({ type }) => type === "tool_call_output_item").output;

    test("lets pass what fits its schema, and what has none", async () => {
      const fits = await gives({ port: 8080 });
      assert.deepEqual(given(fits), { port: 8080 });
      assert.deepEqual(fits.toolOutputGuardrailResults[0].output.outputInfo, { checked: true, errors: [] });
      const schemaless = await gives({ port: "none" }, {}, { other: schema });
      const nothing = await gives(null);
      assert.deepEqual(nothing.toolOutputGuardrailResults[0].output, { behavior: { type: "allow" }, outputInfo: { checked: false, errors: [] } });
      assert.deepEqual([given(schemaless), schemaless.toolOutputGuardrailResults[0].output.outputInfo], [{ port: "none" }, { checked: false, errors: [] }]);
    });

    test("keeps from the model what does not, or ends the run", async () => {
      for (const output of [{ port: "none" }, {}, "none", "", [8080]]) {
        const rejected = await gives(output);
        assert.match(String(given(rejected)), /^What read gave does not fit its schema, so do not rest on it: \S+/, JSON.stringify(output));
        assert.equal(rejected.toolOutputGuardrailResults[0].output.outputInfo.checked, true);
      }
      // The SDK says of it that the call of the tool failed.
      const { error } = await thrownBy(() => gives({ port: "none" }, { onMisfit: "throw" }));
      assert.ok(error instanceof ToolOutputGuardrailTripwireTriggered, String(error));
      assert.match(error.result.output.outputInfo.errors[0], /port/);
    });

    test("takes Standard Schemas; options are checked", async () => {
      const read = z.object({ port: z.number() });
      assert.deepEqual(given(await gives({ port: 8080 }, {}, { read })), { port: 8080 });
      assert.match(String(given(await gives({ port: "none" }, {}, { read }))), /does not fit its schema/);
      assert.equal((await thrownBy(() => toolOutputGuardrail({}))).code, "missing_field");
      assert.equal((await thrownBy(() => toolOutputGuardrail({ tools: {}, onMisfit: "pray" }))).path, "onMisfit");
      const { code, path } = await thrownBy(() => toolOutputGuardrail({ tools: { read: 7 } }).run({ toolCall: { name: "read", callId: "1" }, output: {} }));
      assert.deepEqual([typeof code, path], ["string", "tools.read"]);
    });
  });

  test("the samples of docs/frameworks.md run", async () => {
    const samples = [...(await source("docs/frameworks.md")).matchAll(/^```js\n(.*?)^```/gms)].map(([, text]) => text).filter((text) => text.includes("frameworks/openai-agents"));
    await writeFile(join(project.folder, "model.mjs"), `export const agentModel = ${MODEL("The port is 8080.")};\n`);
    const printed = [];
    for (const sample of samples) printed.push(await project.script(sample));
    assert.deepEqual(printed.map(({ stderr }) => stderr), ["", ""]);
    assert.equal(printed[0].stdout, "The port is 8080.\n");
    assert.match(printed[1].stdout, /^What read gave does not fit its schema, so do not rest on it: .*port/);
  });

  test("the types fit the SDK's", async () => {
    await mkdir(join(project.folder, "types"));
    await writeFile(join(project.folder, "types/use.mts"), `
      import { Agent, tool } from "@openai/agents-core";
      import { z } from "zod";
      import { builtin } from "claimgauge/judges";
      import { outputGuardrail, toolOutputGuardrail } from "claimgauge/frameworks/openai-agents";
      export const agent = new Agent({ name: "a", outputGuardrails: [outputGuardrail({ judge: builtin(), request: { profile: "code" } })] });
      export const read = tool({ name: "read", description: "Reads", parameters: z.object({}), execute: async () => "x", outputGuardrails: [toolOutputGuardrail({ tools: { read: true } })] });
    `);
    const config = join(project.folder, "types/tsconfig.json");
    const compilerOptions = { module: "nodenext", target: "es2023", lib: ["es2023", "dom", "dom.iterable"], types: ["node"], typeRoots: [join(nodeModules, "@types")], strict: true, skipLibCheck: true, noEmit: true };
    await writeFile(config, JSON.stringify({ compilerOptions, files: ["use.mts"] }));
    await tsc("-p", config);
  });
});
