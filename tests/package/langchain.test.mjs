// The judge and the middleware for LangChain.js, with LangChain itself.
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { AIMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { createAgent, createMiddleware, tool } from "langchain";

import { install, nodeModules, source, thrownBy, tsc } from "./fixture.mjs";

const REQUEST = { profile: "code", evidence: ["The port is 8080"], claims: ["The port is 8080"] };

/** LangChain's own chat model for tests, which gives what `answer` makes of the messages. */
const MODEL = `class extends FakeListChatModel {
  constructor(answer, fields = {}) {
    super({ responses: ["x"] });
    Object.assign(this, fields, { answer, asked: [] });
  }
  bindTools() {
    return this;
  }
  async _generate(messages, options) {
    this.asked.push({ messages, signal: options.signal });
    const message = await this.answer(messages);
    return { generations: [{ text: message.text, message }] };
  }
}`;
const Model = new Function("FakeListChatModel", `return ${MODEL}`)(FakeListChatModel);

describe("LangChain", { timeout: 240_000 }, () => {
  let project, langChain, checkAnswers, verify, builtin;
  before(async () => {
    project = await install();
    ({ langChain, checkAnswers } = await project.file("dist/node/node-langchain.mjs"));
    ({ verify } = await project.file("dist/node/node.mjs"));
    ({ builtin } = await project.file("dist/node/node-judges.mjs"));
    await symlink(join(nodeModules, "@langchain"), join(project.folder, "node_modules/@langchain"));
    await symlink(join(nodeModules, "langchain"), join(project.folder, "node_modules/langchain"));
  });
  after(() => project.remove());

  const judged = (messages) => {
    const content = /\[[A-Z]+_\d+\]/.test(messages[1].text) ? '{"verdict":"UNSURE","confidence":0.3}' : '{"verdict":"ENTAILED","confidence":0.95}';
    return new AIMessage({ content, usage_metadata: { input_tokens: 900, output_tokens: 20, total_tokens: 920 }, response_metadata: { finish_reason: "stop" } });
  };

  describe("a chat model as a judge", () => {
    test("judges, and is asked as its messages are", async () => {
      const model = new Model(judged, { model: "small", temperature: 0 });
      const judge = langChain(model);
      const { claims, cost } = await verify(REQUEST, { judge });
      assert.deepEqual([claims[0].status, claims[0].delta, claims[0].full.basis], ["VERIFIED", 0.65, "verbal"]);
      assert.deepEqual(cost, { calls: 2, promptTokens: 1800, completionTokens: 40 });
      assert.deepEqual([judge.name, judge.parameters], ["fake-list small", { kind: "fake-list", name: "small", temperature: 0 }]);
      const [{ messages, signal }] = model.asked;
      assert.deepEqual([messages.map(({ type }) => type), signal instanceof AbortSignal], [["system", "human"], true]);
    });

    test("that fails, is cut or is filtered, fails its pass; what is none is refused", async () => {
      const ended = (response_metadata) => new Model(() => new AIMessage({ content: '{"verdict":"ENTAILED","confidence":0.9', response_metadata }));
      for (const metadata of [{ finish_reason: "length" }, { stop_reason: "max_tokens" }, { finishReason: "MAX_TOKENS" }]) {
        const { claims } = await verify(REQUEST, { judge: langChain(ended(metadata)) });
        assert.deepEqual([claims[0].status, claims[0].full.attempts], ["INCONCLUSIVE", 3], JSON.stringify(metadata));
      }
      const filtered = await verify(REQUEST, { judge: langChain(ended({ finish_reason: "content_filter" })) });
      assert.equal(filtered.claims[0].full.error.code, "judge_refused");
      const failing = new Model(() => Promise.reject(Object.assign(new Error("no credit"), { status: 400 })));
      const { claims } = await verify(REQUEST, { judge: langChain(failing) });
      assert.deepEqual([claims[0].status, claims[0].full.error.message], ["INCONCLUSIVE", "The judge threw: no credit"]);
      for (const none of [null, {}, "openai:small"]) assert.match((await thrownBy(() => langChain(none))).message, /chat model of LangChain|"model" is missing/);
    });

    test("of which nobody knows the name is asked every time; parts of an answer are one text", async () => {
      const parts = new Model(() => new AIMessage({ content: [{ type: "reasoning", reasoning: "hm" }, { type: "text", text: '{"verdict":"UNSURE",' }, { type: "text", text: '"confidence":0.5}' }] }));
      const judge = langChain(parts);
      assert.equal(judge.parameters, null);
      assert.equal((await verify(REQUEST, { judge })).claims[0].full.verdict, "UNSURE");
    });
  });

  describe("the middleware", () => {
    const parameters = { type: "object", properties: {} };
    const read = (gives) => tool(async () => gives(), { name: "read", description: "Reads the server's notes", schema: parameters });
    const call = new AIMessage({ content: "I look.", tool_calls: [{ name: "read", args: {}, id: "1", type: "tool_call" }] });
    const agent = (answer, options = {}, gives = () => "The port is 8080") => {
      const model = new Model((messages) => (messages.some(({ type }) => type === "tool") ? answer : call));
      return createAgent({ model, tools: [read(gives)], middleware: [createMiddleware(checkAnswers({ judge: builtin(), ...options }))] });
    };
    const asked = { messages: [{ role: "user", content: "Which port?" }] };

    test("holds the last message against what tools gave, and leaves it what it is", async () => {
      const reports = [];
      const answer = new AIMessage({ id: "a1", content: [{ type: "text", text: "The port is 8080. The port is 9090." }], response_metadata: { own: 1 } });
      const { messages } = await agent(answer, { onReport: (report) => reports.push(report) }).invoke(asked);
      assert.deepEqual(messages.map(({ type }) => type), ["human", "ai", "tool", "ai"]);
      const last = messages.at(-1);
      assert.deepEqual([AIMessage.isInstance(last), last.id, last.text, last.response_metadata.own], [true, "a1", "The port is 8080. The port is 9090.", 1]);
      const { checked, recommendation, claims } = last.response_metadata.claimgauge;
      assert.deepEqual([checked, recommendation, claims.map(({ status }) => status)], [true, "STOP", ["VERIFIED", "UNSUPPORTED"]]);
      assert.deepEqual(reports[0].evidence.map(({ text, source }) => [text, source]), [["The port is 8080", "read"]]);
      assert.doesNotMatch(JSON.stringify(last), /lc_kwargs/);
    });

    test("throws where it is told to", async () => {
      const error = await thrownBy(() => agent(new AIMessage("The port is 9090."), { onStop: "throw" }).invoke(asked));
      assert.equal(error.code ?? error.cause?.code, "claims_unsupported");
      const { messages } = await agent(new AIMessage("The port is 8080."), { onStop: "throw" }).invoke(asked);
      assert.equal(messages.at(-1).response_metadata.claimgauge.recommendation, "PROCEED");
    });

    test("says where nothing could be checked, and loses no answer", async () => {
      const said = async (...args) => (await agent(...args).invoke(asked)).messages.at(-1).response_metadata?.claimgauge;
      assert.deepEqual(await said(new AIMessage("Which one?")), { checked: false, reason: "no_claims" });
      assert.deepEqual(await said(new AIMessage("The port is 8080."), {}, () => ""), { checked: false, reason: "no_evidence" });
      assert.equal((await said(new AIMessage("The port is 8080."), { claims: () => [""] })).reason, "refused");
      assert.equal((await said(new AIMessage("The port is 8080 \ud800."), {}, () => "The port is 8080 \udc00")).recommendation, "PROCEED");
      assert.equal(await said(new AIMessage("")), undefined);
    });

    test("a call that failed is no evidence, parts of a result are", async () => {
      const { afterAgent } = checkAnswers({ judge: builtin() });
      const messages = (tool) => [{ type: "human", content: "?" }, { type: "tool", name: "read", ...tool }, new AIMessage("The port is 8080.")];
      const said = async (tool) => (await afterAgent({ messages: messages(tool) })).messages[0].response_metadata.claimgauge;
      assert.deepEqual(await said({ status: "error", content: "The port is 8080" }), { checked: false, reason: "no_evidence" });
      assert.equal((await said({ content: [{ type: "text", text: "The port " }, { type: "text", text: "is 8080" }] })).recommendation, "PROCEED");
      assert.equal((await said({ content: [{ type: "json", json: { port: 8080 } }] })).checked, true);
      assert.equal(await afterAgent({ messages: [] }), undefined);
      assert.equal(await afterAgent({ messages: [{ type: "human", content: "The port is 1." }] }), undefined);
    });

    test("its options are checked", async () => {
      assert.equal((await thrownBy(() => checkAnswers({}))).code, "missing_field");
      assert.equal((await thrownBy(() => checkAnswers({ judge: builtin(), onStop: "pray" }))).path, "onStop");
    });
  });

  test("the samples of docs/frameworks.md run", async () => {
    const samples = [...(await source("docs/frameworks.md")).matchAll(/^```js\n(.*?)^```/gms)].map(([, sample]) => sample).filter((sample) => sample.includes("frameworks/langchain"));
    assert.equal(samples.length, 2);
    const module = (answer) => `
      import { AIMessage } from "@langchain/core/messages";
      import { FakeListChatModel } from "@langchain/core/utils/testing";
      const Model = ${MODEL};
      export const model = new Model(${answer});
    `;
    await writeFile(join(project.folder, "model.mjs"), module(`(messages) => new AIMessage(/\\[[A-Z]+_\\d+\\]/.test(messages[1].text) ? '{"verdict":"UNSURE","confidence":0.3}' : '{"verdict":"ENTAILED","confidence":0.95}')`));
    assert.deepEqual(await project.script(samples[0]), { stdout: "VERIFIED\n", stderr: "" });
    const call = '{ content: "", tool_calls: [{ name: "read", args: {}, id: "1", type: "tool_call" }] }';
    await writeFile(join(project.folder, "model.mjs"), module(`(messages) => new AIMessage(messages.some(({ type }) => type === "tool") ? "The port is 8080." : ${call})`));
    assert.deepEqual(await project.script(samples[1]), { stdout: "The port is 8080. PROCEED\n", stderr: "" });
  });

  test("the types fit LangChain's", async () => {
    await mkdir(join(project.folder, "types"));
    await writeFile(join(project.folder, "types/use.mts"), `
      import { FakeListChatModel } from "@langchain/core/utils/testing";
      import { createAgent, createMiddleware } from "langchain";
      import { checkAnswers, langChain } from "claimgauge/frameworks/langchain";
      const model = new FakeListChatModel({ responses: [] });
      const judge = langChain(model);
      export const agent = createAgent({ model, tools: [], middleware: [createMiddleware(checkAnswers({ judge, request: { profile: "code" } }))] });
      // @ts-expect-error: there is no such option
      checkAnswers({ judge, onstop: "throw" });
      // @ts-expect-error: a name is no model
      langChain("openai:small");
    `);
    const config = join(project.folder, "types/tsconfig.json");
    const compilerOptions = { module: "nodenext", target: "es2023", lib: ["es2023", "dom", "dom.iterable"], types: ["node"], typeRoots: [join(nodeModules, "@types")], strict: true, skipLibCheck: true, noEmit: true };
    await writeFile(config, JSON.stringify({ compilerOptions, files: ["use.mts"] }));
    await tsc("-p", config);
  });
});
