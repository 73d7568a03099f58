// What the help of the commands and the docs show runs as it stands, and prints what they say.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";

import { install, nodeModules, source } from "./fixture.mjs";
import { judge, serve } from "./scripted.mjs";

/** Where the samples have a server of the user's own. */
const ADDRESS = "http://127.0.0.1:8080/v1";

describe("samples", { timeout: 240_000 }, () => {
  let project, server;
  before(async () => {
    project = await install();
    server = await serve(judge);
    // For the tools of an agent a user installs it.
    const sdk = join(project.folder, "node_modules/@modelcontextprotocol");
    await mkdir(sdk);
    await symlink(join(nodeModules, "@modelcontextprotocol/server"), join(sdk, "server"));
  });
  after(async () => {
    await server.close();
    await project.remove();
  });

  /** Runs a script of the shell, as a user would who has the package's commands in the path. */
  const sh = (script, cwd) =>
    new Promise((resolve) => {
      const env = { ...process.env, PATH: join(project.folder, "node_modules/.bin") + delimiter + process.env.PATH };
      const child = execFile("sh", ["-e", "-c", script.replaceAll(ADDRESS, server.baseUrl)], { cwd, env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
      child.stdin.end();
    });

  test("of the help of each command", async () => {
    const folder = join(project.folder, "help");
    await mkdir(join(folder, "project"), { recursive: true });
    const request = { profile: "code", evidence: ["The port is 8080"], claims: ["The port is 8080"] };
    const output = { summary: "x", traceRef: "trace:t", claims: [{ kind: "file-delete", filePath: "gone.md" }] };
    const invocation = { invocationId: "i", tool: "fs:delete", args: { path: "gone.md" }, purpose: "execution", status: "success" };
    const files = {
      "request.json": request,
      "output.json": output,
      "trace.json": { traceId: "t", sessionId: "s", specialistId: "x", createdAt: "", invocations: [{ ...invocation, argsHash: "", timestamp: "", evidenceRefs: [] }] },
    };
    for (const [name, value] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(value));
    const turn = { hook_event_name: "Stop", cwd: folder, transcript_path: join(folder, "turn.jsonl") };
    const called = { hook_event_name: "PostToolUse", cwd: folder, tool_name: "Write", tool_input: { file_path: "server.md", content: "The port is 8080.\n" }, tool_response: { success: true } };
    await writeFile(join(folder, "stop.json"), JSON.stringify(turn));
    await writeFile(join(folder, "turn.jsonl"), JSON.stringify({ type: "user", message: { content: "Hello" } }));
    await writeFile(join(folder, "write.json"), JSON.stringify(called));
    await writeFile(join(folder, "requests.jsonl"), `${JSON.stringify(request)}\n${JSON.stringify(request)}\n`);
    await writeFile(join(folder, "labelled.jsonl"), [1, 0].map((label) => `${JSON.stringify({ claim: `The port is ${label ? 80 : 81}`, evidence: ["The port is 80"], label })}\n`).join(""));
    await writeFile(join(folder, "server.md"), "The port is 8080.\n");
    await writeFile(join(folder, "SKILL.md"), "---\nverification:\n  enabled: true\n---\n## Claims\n- The port is 8080\n");

    const { stdout } = await project.cli(["--help"]);
    const [, listed] = /^Commands:\n(.*?)\n\n/ms.exec(stdout);
    const names = [...listed.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
    assert.ok(names.length >= 6);
    // What observe and verify write is what others of the samples read.
    const order = ["observe", "verify"];
    for (const name of names.sort((a, b) => order.indexOf(b) - order.indexOf(a))) {
      const help = await project.cli(["help", name]);
      assert.deepEqual(help, await project.cli([name, "--help"]));
      assert.match(help.stdout, new RegExp(`^claimgauge ${name}: .*\n\nUsage: claimgauge ${name}`));
      assert.ok(help.stdout.split("\n").every((line) => line.length <= 100 || line.startsWith("  claimgauge ")), name);
      const [, samples] = /^Samples:\n(.*?)\n\n/ms.exec(help.stdout);
      for (const line of samples.split("\n").filter((line) => !line.startsWith("  #"))) {
        const { code, stderr } = await sh(line, folder);
        assert.deepEqual([code, stderr], [0, ""], line);
      }
      if (name === "verify") {
        const kept = await sh("claimgauge verify request.json --json > report.json", folder);
        assert.equal(kept.code, 0);
      }
    }
    assert.ok(server.requests.length > 0);
  });

  for (const page of ["start", "command-line", "hooks", "batches"]) {
    test(`of docs/${page}.md`, async () => {
      const folder = join(project.folder, page);
      await mkdir(folder);
      const text = await source(`docs/${page}.md`);
      const blocks = [...text.matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?/gms)];
      assert.ok(blocks.length > 0);
      for (const [, script, shown] of blocks) {
        const { code, stdout, stderr } = await sh(script, folder);
        // What a hook says of its finding is for the agent.
        assert.equal(code, 0, `${script}${stderr}`);
        if (!script.includes("claimgauge hook")) assert.equal(stderr, "", script);
        if (shown !== undefined) assert.equal(stdout, shown, script);
      }
    });
  }

  for (const page of ["start", "verdicts", "outputs", "profiles"]) {
    test(`in JavaScript, of docs/${page}.md`, async () => {
      const samples = [...(await source(`docs/${page}.md`)).matchAll(/^```js\n(.*?)^```\n(?:\nIt prints.*?`(.*?)`)?/gms)];
      assert.ok(samples.length > 0);
      for (const [, sample, shown] of samples) {
        const { stdout, stderr } = await project.script(sample);
        assert.equal(stderr, "", sample);
        assert.ok(shown !== undefined && stdout.includes(shown), `${sample}It printed ${stdout}`);
      }
    });
  }
});
