// The judge and the middleware for Vercel's AI SDK, with the SDK itself.
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { generateText, streamText, wrapLanguageModel } from "ai";
import { MockLanguageModelV3, MockLanguageModelV4, convertArrayToReadableStream } from "ai/test";

import { install, nodeModules, source, thrownBy, tsc } from "./fixture.mjs";

const REQUEST = { profile: "code", evidence: ["The port is 8080"], claims: ["The port is 8080"] };

describe("AI SDK", { timeout: 240_000 }, () => {
  let project, aiSdk, checkAnswers, verify, builtin;
  before(async () => {
    project = await install();
    ({ aiSdk, checkAnswers } = await project.file("dist/node/node-ai-sdk.mjs"));
    ({ verify } = await project.file("dist/node/node.mjs"));
    ({ builtin } = await project.file("dist/node/node-judges.mjs"));
    await symlink(join(nodeModules, "ai"), join(project.folder, "node_modules/ai"));
  });
  after(() => project.remove());

  const result = (text, more = {}) => ({
    content: [{ type: "reasoning", text: "hm" }, { type: "text", text }],
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 900 }, outputTokens: { total: 20 } },
    warnings: [],
    ...more,
  });
  const judged = ({ prompt }) =>
    result(/\[[A-Z]+_\d+\]/.test(prompt[1].content[0].text) ? '{"verdict":"UNSURE","confidence":0.3}' : '{"verdict":"ENTAILED","confidence":0.95}');

  describe("a model as a judge", () => {
    for (const Model of [MockLanguageModelV3, MockLanguageModelV4]) {
      test(`${Model.name} judges`, async () => {
        const model = new Model({ provider: "mock", modelId: "small", doGenerate: async (options) => judged(options) });
        const { claims, cost } = await verify(REQUEST, { judge: aiSdk(model, { temperature: 0 }) });
        assert.deepEqual([claims[0].status, claims[0].delta, claims[0].full.basis], ["VERIFIED", 0.65, "verbal"]);
        assert.deepEqual(cost, { calls: 2, promptTokens: 1800, completionTokens: 40 });
        const [{ prompt, temperature, responseFormat, abortSignal }] = model.doGenerateCalls;
        assert.deepEqual(prompt.map(({ role }) => role), ["system", "user"]);
        assert.deepEqual([temperature, responseFormat.type, responseFormat.schema.type, abortSignal instanceof AbortSignal], [0, "json", "object", true]);
      });
    }

    test("of an older kind counts and ends in plain numbers and words", async () => {
      const model = (finishReason) => ({
        provider: "old",
        modelId: "one",
        doGenerate: async () => ({ ...result('{"verdict":"ENTAILED","confidence":0.9'), finishReason, usage: { inputTokens: 900, outputTokens: 20 } }),
      });
      const cut = await verify(REQUEST, { judge: aiSdk(model("length")) });
      assert.deepEqual([cut.claims[0].status, cut.claims[0].full.attempts], ["INCONCLUSIVE", 3]);
      assert.equal(cut.cost.promptTokens, 5400);
      const filtered = await verify(REQUEST, { judge: aiSdk(model("content-filter")) });
      assert.equal(filtered.claims[0].full.error.code, "judge_refused");
    });

    test("that fails, fails its pass; what is none is refused", async () => {
      const model = new MockLanguageModelV4({ doGenerate: async () => Promise.reject(new Error("no credit")) });
      const { claims } = await verify(REQUEST, { judge: aiSdk(model) });
      assert.deepEqual([claims[0].status, claims[0].full.error.message], ["INCONCLUSIVE", "The judge threw: no credit"]);
      for (const none of [null, {}, "openai/small"]) assert.match((await thrownBy(() => aiSdk(none))).message, /language model of the AI SDK|"model" is missing/);
      assert.equal((await thrownBy(() => aiSdk(model, { warm: 1 }))).code, "unknown_field");
    });
  });

  describe("the middleware", () => {
    const messages = [
      { role: "user", content: "Which port?" },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "read", input: {} }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "read", output: { type: "text", value: "The port is 8080" } }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "list", output: { type: "json", value: { files: 3 } } }] },
    ];
    const answering = (answer, options = {}) =>
      wrapLanguageModel({ model: new MockLanguageModelV4({ doGenerate: async () => answer }), middleware: checkAnswers({ judge: builtin(), ...options }) });

    test("holds sentences against what tools gave", async () => {
      const reports = [];
      const text = "# Port\n\n- The port is 8080.\n- The port is 9090. Is that right?\n\n```\nconst x = 1;\n```\n";
      const { providerMetadata } = await generateText({ model: answering(result(text, { providerMetadata: { own: { x: 1 } } }), { onReport: (report) => reports.push(report) }), messages });
      const { checked, recommendation, claims } = providerMetadata.claimgauge;
      assert.deepEqual([checked, recommendation, claims.map(({ text, status }) => [text, status])], [
        true, "STOP", [["The port is 8080.", "VERIFIED"], ["The port is 9090.", "UNSUPPORTED"]],
      ]);
      assert.deepEqual([providerMetadata.own, reports.length], [{ x: 1 }, 1]);
      assert.deepEqual(reports[0].evidence.map(({ text, source }) => [text, source]), [["The port is 8080", "read"], ['{"files":3}', "list"]]);
    });

    test("throws where it is told to", async () => {
      const error = await thrownBy(() => generateText({ model: answering(result("The port is 9090."), { onStop: "throw" }), messages, maxRetries: 0 }));
      assert.equal((error.code ?? error.cause?.code), "claims_unsupported");
      const { text } = await generateText({ model: answering(result("The port is 8080."), { onStop: "throw" }), messages });
      assert.equal(text, "The port is 8080.");
    });

    test("says where nothing could be checked, and leaves calls of tools alone", async () => {
      const bare = await generateText({ model: answering(result("The port is 8080.")), prompt: "Which port?" });
      assert.deepEqual(bare.providerMetadata.claimgauge, { checked: false, reason: "no_evidence" });
      const asking = await generateText({ model: answering(result("Which one?")), messages });
      assert.deepEqual(asking.providerMetadata.claimgauge, { checked: false, reason: "no_claims" });
      const call = result("I look.", { finishReason: { unified: "tool-calls" } });
      call.content.push({ type: "tool-call", toolCallId: "2", toolName: "read", input: "{}" });
      const calling = await generateText({ model: answering(call), messages });
      assert.equal(calling.providerMetadata?.claimgauge, undefined);
    });

    test("no answer is lost because it cannot be checked; a wrong option is told", async () => {
      const half = messages.with(2, { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "re\udc00ad", output: { type: "text", value: "The port is 8080 \ud800" } }] });
      const { text, providerMetadata } = await generateText({ model: answering(result("The port is 8080 \ud83d.")), messages: half });
      assert.equal(text, "The port is 8080 \ud83d.");
      const { checked, recommendation, claims } = providerMetadata.claimgauge;
      assert.deepEqual([checked, recommendation, claims.map(({ text }) => text)], [true, "PROCEED", ["The port is 8080 \ufffd."]]);
      for (const options of [{ claims: () => [""] }, { evidence: () => ["\ud800"] }, { claims: () => Array(20_000).fill("The port is 8080") }]) {
        const refused = await generateText({ model: answering(result("The port is 8080."), { onStop: "throw", ...options }), messages });
        const { message, code, ...rest } = refused.providerMetadata.claimgauge;
        assert.deepEqual([refused.text, rest, typeof code], ["The port is 8080.", { checked: false, reason: "refused" }, "string"]);
        assert.ok(message.length > 5, message);
      }
      const wrong = await thrownBy(() => generateText({ model: answering(result("The port is 8080."), { request: { profile: "cod" } }), messages, maxRetries: 0 }));
      assert.equal(wrong.code ?? wrong.cause?.code, "unknown_profile");
    });

    test("takes claims and evidence of the caller's own", async () => {
      const options = { claims: () => ["The word is swordfish"], evidence: () => ["The word is swordfish"], request: { profile: "security" } };
      const { providerMetadata } = await generateText({ model: answering(result("x y z"), options), prompt: "x" });
      assert.equal(providerMetadata.claimgauge.claims[0].text, "The word is swordfish");
      assert.equal((await thrownBy(() => checkAnswers({}))).code, "missing_field");
      assert.equal((await thrownBy(() => checkAnswers({ judge: builtin(), onStop: "pray" }))).path, "onStop");
    });

    test("a stream comes as it is, and its last part has the result", async () => {
      const parts = ["The port ", "is 9090."].map((delta) => ({ type: "text-delta", id: "1", delta }));
      const stream = () => convertArrayToReadableStream([{ type: "stream-start", warnings: [] }, { type: "text-start", id: "1" }, ...parts, { type: "text-end", id: "1" }, { type: "finish", finishReason: { unified: "stop" }, usage: result("").usage }]);
      const model = (options = {}) => wrapLanguageModel({ model: new MockLanguageModelV4({ doStream: async () => ({ stream: stream() }) }), middleware: checkAnswers({ judge: builtin(), ...options }) });
      const streamed = streamText({ model: model(), messages });
      assert.equal(await streamed.text, "The port is 9090.");
      assert.equal((await streamed.providerMetadata).claimgauge.recommendation, "STOP");
      const words = [];
      const error = await thrownBy(async () => {
        for await (const part of streamText({ model: model({ onStop: "throw" }), messages }).fullStream) if (part.type === "text-delta") words.push(part.text);
      });
      assert.deepEqual([error.code, words], ["claims_unsupported", ["The port ", "is 9090."]]);
    });
  });

  test("the samples of docs/frameworks.md run", async () => {
    const samples = [...(await source("docs/frameworks.md")).matchAll(/^```js\n(.*?)^```/gms)].filter(([, sample]) => sample.includes("frameworks/ai-sdk"));
    assert.equal(samples.length, 2);
    const [judge, ...answers] = [
      `async ({ prompt }) => (/\\[[A-Z]+_\\d+\\]/.test(prompt[1].content[0].text) ? ${JSON.stringify(result('{"verdict":"UNSURE","confidence":0.3}'))} : ${JSON.stringify(result('{"verdict":"ENTAILED","confidence":0.95}'))})`,
      `async () => (${JSON.stringify(result("The port is 8080."))})`,
      `async () => (${JSON.stringify(result("The port is 9090."))})`,
    ];
    const run = async ([, sample], doGenerate) => {
      await writeFile(join(project.folder, "model.mjs"), `import { MockLanguageModelV4 } from "ai/test";\nexport const model = new MockLanguageModelV4({ doGenerate: ${doGenerate} });\n`);
      const { stdout, stderr } = await project.script(sample);
      assert.equal(stderr, "");
      return stdout;
    };
    assert.equal(await run(samples[0], judge), "VERIFIED\n");
    assert.deepEqual([await run(samples[1], answers[0]), await run(samples[1], answers[1])], ["The port is 8080. PROCEED\n", "The port is 9090. STOP\n"]);
  });

  test("the types fit the SDK's", async () => {
    await mkdir(join(project.folder, "types"));
    await writeFile(join(project.folder, "types/use.mts"), `
      import { type LanguageModel, wrapLanguageModel } from "ai";
      import { MockLanguageModelV3, MockLanguageModelV4 } from "ai/test";
      import { aiSdk, checkAnswers } from "claimgauge/frameworks/ai-sdk";
      aiSdk(new MockLanguageModelV3());
      const judge = aiSdk(new MockLanguageModelV4(), { temperature: 0 });
      export const model: LanguageModel = wrapLanguageModel({ model: new MockLanguageModelV4(), middleware: checkAnswers({ judge, request: { profile: "code" } }) });
      // @ts-expect-error: there is no such option
      checkAnswers({ judge, onstop: "throw" });
    `);
    const config = join(project.folder, "types/tsconfig.json");
    const compilerOptions = { module: "nodenext", target: "es2023", lib: ["es2023", "dom", "dom.iterable"], types: ["node"], typeRoots: [join(nodeModules, "@types")], strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true };
    await writeFile(config, JSON.stringify({ compilerOptions, files: ["use.mts"] }));
    await tsc("-p", config);
  });
});
