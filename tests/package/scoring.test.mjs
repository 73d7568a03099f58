// The scorer for Mastra and the assertion for promptfoo, each in its framework, which asks for a newer Node than the package does.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { install, newerNode, source, thrownBy } from "./fixture.mjs";

/** Where they are installed: they are too large for the suites' own packages. */
const FRAMEWORKS = process.env.CLAIMGAUGE_FRAMEWORKS ?? fileURLToPath(new URL("../../target/frameworks", import.meta.url));

describe("scoring frameworks", { timeout: 240_000 }, () => {
  let project, builtin, scorerSteps, assertion;
  before(async () => {
    project = await install();
    ({ builtin } = await project.file("dist/node/node-judges.mjs"));
    ({ scorerSteps } = await project.file("dist/node/node-mastra.mjs"));
    ({ assertion } = await project.file("dist/node/node-promptfoo.mjs"));
    for (const name of ["@mastra/core", "promptfoo"]) {
      const place = join(project.folder, "node_modules", name);
      await mkdir(dirname(place), { recursive: true });
      await symlink(join(FRAMEWORKS, "node_modules", name), place);
    }
  });
  after(() => project.remove());

  /** Runs a script on the newer Node; it prints a line of JSON last. */
  async function run(text) {
    const script = join(project.folder, "framework.mjs");
    await writeFile(script, text);
    // Nothing is told anybody, and nothing is kept where a user has it.
    const quiet = { HOME: project.folder, PROMPTFOO_CONFIG_DIR: join(project.folder, "kept"), PROMPTFOO_DISABLE_TELEMETRY: "1", PROMPTFOO_DISABLE_UPDATE: "1", PROMPTFOO_DISABLE_REMOTE_GENERATION: "1" };
    const { stdout } = await promisify(execFile)(await newerNode(), [script], { cwd: project.folder, env: { ...process.env, ...quiet } });
    return JSON.parse(stdout.trimEnd().split("\n").at(-1));
  }

  const sample = async (name) => [...(await source("docs/frameworks.md")).matchAll(/^```js\n(.*?)^```/gms)].map(([, text]) => text).find((text) => text.includes(`frameworks/${name}`));

  describe("Mastra", () => {
    const invocation = (result, more = {}) => ({ type: "tool-invocation", toolInvocation: { state: "result", toolName: "read", toolCallId: "1", args: {}, result, ...more } });
    const message = (...parts) => ({ id: "1", role: "assistant", createdAt: new Date(0), content: { format: 2, parts } });
    const text = (text) => ({ type: "text", text });
    before(async () => writeFile(join(project.folder, "scorer.mjs"), await sample("mastra")));

    /** What the sample's scorer says of these outputs. */
    const scored = (outputs) =>
      run(`
        import { grounded } from "./scorer.mjs";
        const found = [];
        for (const output of ${JSON.stringify(outputs)}) {
          const { score, reason } = await grounded.run({ input: { inputMessages: [] }, output: output ?? undefined });
          found.push([score, reason]);
        }
        console.log(JSON.stringify(found));
      `);

    test("the sample scores an agent's answer on what its tools gave", async () => {
      const [half, whole] = await scored([
        [message({ type: "step-start" }, invocation("The port is 8080"), text("The port is 8080. The port is 9090."))],
        [message(invocation({ port: 8080 })), message(text("The port is 8080."))],
      ]);
      assert.equal(half[0], 0.5);
      assert.match(half[1], /^STOP: The evidence does not support C1\./);
      assert.deepEqual([whole[0], whole[1].split(":")[0]], [1, "PROCEED"]);
    });

    test("what could not be checked scores nothing, and says so", async () => {
      const rows = [
        [[message(text("The port is 8080."))], "Not checked: no_evidence"],
        [[message(invocation("The port is 8080", { state: "call" }), text("The port is 8080."))], "Not checked: no_evidence"],
        [[message(invocation("The port is 8080"), text("Which one?"))], "Not checked: no_claims"],
        [[null, 7, { role: "assistant" }, { role: "assistant", content: null }, { content: { parts: [] } }], "Not checked: no_evidence"],
        [undefined, "Not checked: no_evidence"],
      ];
      assert.deepEqual(await scored(rows.map(([output]) => output)), rows.map(([, want]) => [0, want]));
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

    test("promptfoo takes it as the docs say, and counts each claim", async () => {
      const [, configuration] = /^```yaml\n(.*?)^```/ms.exec((await source("docs/frameworks.md")).split("## promptfoo")[1]);
      const [, context, type, value] = /context: (.*)\n.*type: (\S+)\n\s*value: (\S+)\n/s.exec(configuration);
      assert.equal(value, "file://grounded.mjs");
      const found = await run(`
        import promptfoo from "promptfoo";
        const prompts = ["The port is 8080.", "The port is 9090.", "Which one?"];
        const { results } = await promptfoo.evaluate(
          { prompts, providers: [async (prompt) => ({ output: prompt })], tests: [${JSON.stringify({ vars: { context }, assert: [{ type, value }] })}] },
          { cache: false, maxConcurrency: 1, showProgressBar: false },
        );
        console.log(JSON.stringify(results.map(({ success, score, gradingResult }) => [success, score, gradingResult.componentResults.map(({ reason }) => reason.split(":")[0])])));
      `);
      assert.deepEqual(found, [
        [true, 1, ["PROCEED", "VERIFIED"]],
        [false, 0, ["STOP", "UNSUPPORTED"]],
        [false, 0, ["Not checked"]],
      ]);
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
