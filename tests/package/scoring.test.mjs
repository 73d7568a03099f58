// The scorer for Mastra and the assertion for promptfoo. Neither framework is installed here, as Mastra alone has more
// than 200 MB and asks for a newer Node: what is held here is what their documentation says of a scorer's steps and of an assertion.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { install, source, thrownBy } from "./fixture.mjs";

/** The builder that @mastra/core/evals documents: steps run in order, each is handed what those before it gave. */
const CREATE_SCORER = `export const createScorer = ({ id }, steps = []) => {
  const step = (name) => (run) => createScorer({ id }, [...steps, [name, run]]);
  return {
    preprocess: step("preprocessStepResult"),
    generateScore: step("score"),
    generateReason: step("reason"),
    async run(run) {
      const results = {};
      for (const [name, act] of steps) results[name] = await act({ run, results, score: results.score });
      return { runId: "r", ...results };
    },
  };
};
`;

describe("scoring frameworks", { timeout: 240_000 }, () => {
  let project, builtin, scorerSteps, assertion;
  before(async () => {
    project = await install();
    ({ builtin } = await project.file("dist/node/node-judges.mjs"));
    ({ scorerSteps } = await project.file("dist/node/node-mastra.mjs"));
    ({ assertion } = await project.file("dist/node/node-promptfoo.mjs"));
    const core = join(project.folder, "node_modules/@mastra/core");
    await mkdir(core, { recursive: true });
    await writeFile(join(core, "package.json"), '{ "type": "module", "exports": { "./evals": "./evals.js" } }');
    await writeFile(join(core, "evals.js"), CREATE_SCORER);
  });
  after(() => project.remove());

  const sample = async (name) => [...(await source("docs/frameworks.md")).matchAll(/^```js\n(.*?)^```/gms)].map(([, text]) => text).find((text) => text.includes(`frameworks/${name}`));

  describe("Mastra", () => {
    const invocation = (result, more = {}) => ({ type: "tool-invocation", toolInvocation: { state: "result", toolName: "read", toolCallId: "1", args: {}, result, ...more } });
    const message = (...parts) => ({ id: "1", role: "assistant", createdAt: new Date(0), content: { format: 2, parts } });
    const text = (text) => ({ type: "text", text });
    let grounded;
    before(async () => {
      await writeFile(join(project.folder, "scorer.mjs"), await sample("mastra"));
      ({ grounded } = await import(join(project.folder, "scorer.mjs")));
    });

    test("the sample scores an agent's answer on what its tools gave", async () => {
      const output = [message({ type: "step-start" }, invocation("The port is 8080"), text("The port is 8080. The port is 9090."))];
      const { score, reason } = await grounded.run({ input: { inputMessages: [] }, output });
      assert.equal(score, 0.5);
      assert.match(reason, /^STOP: The evidence does not support C1\./);
      assert.deepEqual(await grounded.run({ output: [message(invocation({ port: 8080 })), message(text("The port is 8080."))] }).then(({ score, reason }) => [score, reason.split(":")[0]]), [1, "PROCEED"]);
    });

    test("what could not be checked scores nothing, and says so", async () => {
      const rows = [
        [[message(text("The port is 8080."))], "Not checked: no_evidence"],
        [[message(invocation("The port is 8080", { state: "call" }), text("The port is 8080."))], "Not checked: no_evidence"],
        [[message(invocation("The port is 8080"), text("Which one?"))], "Not checked: no_claims"],
        [[null, 7, { role: "assistant" }, { role: "assistant", content: null }, { content: { parts: [null].filter(Boolean) } }], "Not checked: no_evidence"],
        [undefined, "Not checked: no_evidence"],
      ];
      for (const [output, want] of rows) {
        const { score, reason } = await grounded.run({ output });
        assert.deepEqual([score, reason], [0, want], JSON.stringify(output));
      }
    });

    test("takes evidence of the caller's own, of an output that is text", async () => {
      const steps = scorerSteps({ judge: builtin(), evidence: ({ input }) => [input] });
      const preprocessStepResult = await steps.preprocess({ run: { input: "The port is 8080", output: "The port is 8080." } });
      assert.equal(steps.generateScore({ results: { preprocessStepResult } }), 1);
      const skipping = scorerSteps({ judge: builtin(), request: { trigger: "on_critical_claim" }, evidence: () => ["x"] });
      const skipped = await skipping.preprocess({ run: { output: "The port is 8080." } });
      assert.equal(skipping.generateScore({ results: { preprocessStepResult: skipped } }), 0);
      const refused = await scorerSteps({ judge: builtin(), claims: () => [""], evidence: () => ["x"] }).preprocess({ run: { output: "x" } });
      assert.equal(steps.generateScore({ results: { preprocessStepResult: refused } }), 0);
      assert.match(steps.generateReason({ results: { preprocessStepResult: refused } }), /^Not checked: \S+ /);
      assert.equal((await thrownBy(() => scorerSteps({}))).code, "missing_field");
    });
  });

  describe("promptfoo", () => {
    let grade;
    before(async () => {
      await writeFile(join(project.folder, "grounded.mjs"), await sample("promptfoo"));
      ({ default: grade } = await import(join(project.folder, "grounded.mjs")));
    });

    test("the sample passes what rests on the test's variables, and says of each claim why", async () => {
      const right = await grade("The port is 8080.", { vars: { context: "The port is 8080" } });
      assert.deepEqual([right.pass, right.score, right.reason.split(":")[0]], [true, 1, "PROCEED"]);
      const { pass, score, reason, componentResults } = await grade("The port is 8080. The port is 9090.", { vars: { evidence: ["The port is 8080", { text: "The host is localhost", source: "hosts" }] } });
      assert.deepEqual([pass, score, componentResults.map((one) => [one.pass, one.score])], [false, 0.5, [[true, 1], [false, 0]]]);
      assert.match(reason, /^STOP: /);
      assert.match(componentResults[1].reason, /^UNSUPPORTED: The port is 9090\.: /);
    });

    test("what could not be checked does not pass", async () => {
      for (const [output, context, want] of [
        ["The port is 8080.", { vars: {} }, "Not checked: no_evidence"],
        ["The port is 8080.", {}, "Not checked: no_evidence"],
        ["Which one?", { vars: { context: "x" } }, "Not checked: no_claims"],
        [undefined, { vars: { context: "x" } }, "Not checked: no_claims"],
      ]) assert.deepEqual(await grade(output, context), { pass: false, score: 0, reason: want });
      const whole = await grade({ port: 8080 }, { vars: { context: { port: 8080 } } });
      assert.equal(typeof whole.pass, "boolean");
      const own = assertion({ judge: builtin(), evidence: ({ vars }) => [vars.facts], claims: () => [""] });
      assert.match((await own("x", { vars: { facts: "y" } })).reason, /^Not checked: \S+ /);
      assert.equal((await thrownBy(() => assertion({ judge: builtin(), onStop: "throw" }))).code, "unknown_field");
    });
  });
});
