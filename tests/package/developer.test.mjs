// The way of a developer of agents through the package, in an empty project, by what its README shows, and for hooks its docs, and nothing else.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { install, nodeModules } from "./fixture.mjs";
import { judge, serve } from "./scripted.mjs";

describe("a developer of agents", { timeout: 600_000 }, () => {
  let project, server, readme, samples;
  const text = (name) => readFile(join(project.package, name), "utf8");
  const fences = (markdown, language) => [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code);
  before(async () => {
    project = await install({ byNpm: true });
    server = await serve(judge);
    readme = await text("README.md");
    samples = fences(readme, "js");
  });
  after(async () => {
    await server?.close();
    await project?.remove();
  });

  /** A sample with the address of the server that stands for the user's own. */
  const at = (sample) => sample.replaceAll("http://127.0.0.1:8080/v1", server.baseUrl);

  /** Other packages that it names, as they are installed beside this one. */
  async function beside(scope, name) {
    await mkdir(join(project.folder, "node_modules", scope), { recursive: true });
    await symlink(join(nodeModules, scope, name), join(project.folder, "node_modules", scope, name));
  }

  /** Runs a line of a host's configuration, as the host does. */
  const sh = (line, input) =>
    new Promise((resolve) => {
      const env = { ...process.env, CLAUDE_PROJECT_DIR: "" };
      const child = execFile("sh", ["-c", line], { cwd: project.folder, env }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
      child.stdin.end(input === undefined ? "" : JSON.stringify(input));
    });

  test("installs one package, without dependencies and without running anything", async () => {
    assert.deepEqual((await readdir(join(project.folder, "node_modules"))).filter((name) => !name.startsWith(".")), ["claimgauge"]);
    const { dependencies, scripts } = project.require("claimgauge/package.json");
    assert.deepEqual([dependencies, scripts], [undefined, undefined]);
  });

  test("verifies claims with three judges", async () => {
    const [first, more] = samples;
    const builtin = await project.script(first);
    assert.equal(builtin.stderr, "");
    assert.match(builtin.stdout, /^(\S+) VERIFIED\n[^]*### RECOMMENDATION: /);
    const both = await project.script(at(more));
    assert.deepEqual(both, { stdout: "VERIFIED VERIFIED\n", stderr: "" });
    assert.deepEqual(server.requests.map(({ json }) => json.model), ["small", "small"]);
  });

  test("and on the command line", async () => {
    const [script] = fences(readme, "sh");
    const { code, stdout, stderr } = await sh(`set -e\n${at(script)}`);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.deepEqual(stdout.match(/^(VERIFIED|PROCEED)\b/gm), ["VERIFIED", "PROCEED", "VERIFIED", "PROCEED"]);
  });

  test("checks an output: what the README says is printed", async () => {
    const { stdout, stderr } = await project.script(samples[2]);
    assert.equal(stderr, "");
    assert.match(stdout, /file-write: Content hash mismatch/);
  });

  test("wires a guardrail", async () => {
    await beside("@openai", "agents-core");
    const sample = samples[3];
    const model = (answer) => `
      const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2, inputTokensDetails: [], outputTokensDetails: [] };
      let asked = 0;
      export const agentModel = {
        async getResponse() {
          asked += 1;
          const call = { type: "function_call", callId: "1", name: "read", status: "completed", arguments: "{}" };
          const message = { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: ${JSON.stringify(answer)} }] };
          return { usage, output: [asked === 1 ? call : message] };
        },
      };
    `;
    await writeFile(join(project.folder, "model.mjs"), model("The port is 8080."));
    assert.deepEqual(await project.script(sample), { stdout: "The port is 8080.\n", stderr: "" });
    await writeFile(join(project.folder, "model.mjs"), model("The port is 9090."));
    await assert.rejects(project.script(sample), /OutputGuardrailTripwireTriggered/);
  });

  test("runs the tools of an agent by the configuration in the README", async () => {
    await beside("@modelcontextprotocol", "server");
    await writeFile(join(project.folder, "server.md"), "The port is 8080.\n");
    const [configuration] = fences(readme, "json");
    assert.deepEqual(fences(await text("docs/mcp.md"), "json"), [configuration]);
    const { command, args } = JSON.parse(configuration).mcpServers.claimgauge;
    const client = new Client({ name: "tests", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command, args, cwd: project.folder, stderr: "pipe" }));
    try {
      const { structuredContent } = await client.callTool({
        name: "verify_claims",
        arguments: { claims: ["The port is 8080", "The port is 9090"], evidence: [{ file: "server.md" }], profile: "documentation" },
      });
      assert.deepEqual([structuredContent.recommendation, structuredContent.claims.map(({ status }) => status)], ["STOP", ["UNSUPPORTED", "VERIFIED"]]);
    } finally {
      await client.close();
    }
  });

  test("sets up the hooks of the docs: they block what does not hold, and nothing else", async () => {
    const [configuration] = fences(await text("docs/hooks.md"), "json");
    const { PostToolUse, Stop } = JSON.parse(configuration).hooks;
    const written = (content) => ({ hook_event_name: "PostToolUse", cwd: project.folder, tool_name: "Write", tool_input: { file_path: "server.md", content }, tool_response: { success: true } });
    await writeFile(join(project.folder, "server.md"), "The port is 8080.\n");
    const [{ hooks: [{ command }] }] = PostToolUse;
    assert.deepEqual(await sh(command, written("The port is 8080.\n")), { code: 0, stdout: "", stderr: "" });
    assert.equal((await sh(command, written("The port is 9090.\n"))).code, 2);
    const entries = [
      { type: "user", message: { role: "user", content: "Which port?" } },
      { type: "assistant", message: { role: "assistant", content: [{ type: "tool_use", id: "1", name: "Read", input: { file_path: "server.md" } }] } },
      { type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "The port is 8080." }] } },
      { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "## Claims\n\n- The port is 9090\n" }] } },
    ];
    await writeFile(join(project.folder, "turn.jsonl"), entries.map((entry) => JSON.stringify(entry)).join("\n"));
    const ended = await sh(Stop[0].hooks[0].command, { hook_event_name: "Stop", cwd: project.folder, transcript_path: join(project.folder, "turn.jsonl") });
    assert.equal(ended.code, 2, ended.stderr);
    assert.match(ended.stderr, /UNSUPPORTED: The port is 9090/);
  });
});
