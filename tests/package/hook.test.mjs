// Hooks of coding agents: what blocks, what is only told, and that nothing else ever blocks.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { install } from "./fixture.mjs";
import { judge, say, send, serve } from "./scripted.mjs";

describe("hook", { concurrency: 2, timeout: 240_000 }, () => {
  let project;
  const file = (name) => join(project.folder, name);
  before(async () => {
    project = await install();
    await mkdir(file("project"));
    await writeFile(file("project/tides.md"), "High at six.\nLow at noon.\n");
    await writeFile(file("outside.md"), "elsewhere\n");
  });
  after(() => project.remove());

  async function hook(name, input, args = []) {
    const text = typeof input === "string" ? input : JSON.stringify(input);
    const { code, stdout, stderr } = await project.cli(["hook", name, ...args], { input: text, env: { CLAUDE_PROJECT_DIR: "" } });
    assert.equal(stdout, "");
    return { code, stderr };
  }

  describe("post-tool-use", () => {
    const written = (tool_name, tool_input, more = {}) => ({
      session_id: "abc123",
      transcript_path: "/nowhere/session.jsonl",
      cwd: file("project"),
      permission_mode: "default",
      hook_event_name: "PostToolUse",
      tool_name,
      tool_input,
      tool_response: { filePath: tool_input?.file_path, success: true },
      tool_use_id: "toolu_01",
      ...more,
    });
    const path = () => file("project/tides.md");

    test("lets pass what is on the disk", async () => {
      const rows = [
        written("Write", { file_path: path(), content: "High at six.\nLow at noon.\n" }),
        written("Edit", { file_path: path(), old_string: "High at one.", new_string: "High at six." }),
        written("Edit", { file_path: path(), old_string: "x", new_string: "" }),
        written("MultiEdit", { file_path: "tides.md", edits: [{ old_string: "a", new_string: "gone again" }, { old_string: "b", new_string: "Low at noon." }] }),
        written("Bash", { command: "rm -rf x" }),
        written("Write", { file_path: file("project/never.md"), content: "x" }, { tool_response: { success: false } }),
      ];
      for (const input of rows) assert.deepEqual(await hook("post-tool-use", input), { code: 0, stderr: "" }, JSON.stringify(input.tool_input));
    });

    test("blocks what is not, with the reasons", async () => {
      const rows = [
        [written("Write", { file_path: path(), content: "High at seven.\n" }), /^What was written or said does not hold:\n- .*tides\.md: Content hash mismatch\nLook at it again/],
        [written("Write", { file_path: path(), content: "High at six.\r\nLow at noon.\r\n" }), /Content hash mismatch \(.*line ending.*\)/i],
        [written("Write", { file_path: "never.md", content: "x" }), /- never\.md: File does not exist\n/],
        [written("Edit", { file_path: path(), old_string: "High at six.", new_string: "High at midnight, they say." }), /Neither anchor found/],
      ];
      for (const [input, message] of rows) {
        const { code, stderr } = await hook("post-tool-use", input);
        assert.equal(code, 2);
        assert.match(stderr, message);
      }
    });

    test("says so where the host does not tell whether the tool succeeded, and lets pass", async () => {
      for (const tool_response of [undefined, null]) {
        const told = await hook("post-tool-use", written("Write", { file_path: path(), content: "other" }, { tool_response }));
        assert.deepEqual(told, { code: 0, stderr: "claimgauge: Nothing was checked: the input has no tool_response, which says whether Write succeeded\n" });
      }
      assert.deepEqual(await hook("post-tool-use", written("Bash", { command: "ls" }, { tool_response: undefined })), { code: 0, stderr: "" });
    });

    test("the folder is --base, the project's, or where the host is", async () => {
      const input = { ...written("Write", { file_path: "tides.md", content: "other" }), cwd: undefined };
      assert.equal((await hook("post-tool-use", input, ["--base", "project"])).code, 2);
      const { code } = await project.cli(["hook", "post-tool-use"], { input: JSON.stringify(input), env: { CLAUDE_PROJECT_DIR: file("project") } });
      assert.equal(code, 2);
      const away = await hook("post-tool-use", written("Write", { file_path: file("outside.md"), content: "other" }));
      assert.equal(away.code, 0);
      assert.match(away.stderr, /outside\.md: not looked at, as it is outside of/);
    });
  });

  describe("stop", () => {
    let count = 0;
    const user = (content, more = {}) => ({ type: "user", message: { role: "user", content }, ...more });
    const said = (...content) => ({ type: "assistant", message: { role: "assistant", content } });
    const text = (text) => ({ type: "text", text });
    const use = (id, name, input) => said({ type: "tool_use", id, name, input });
    const gave = (id, content, more = {}) => user([{ type: "tool_result", tool_use_id: id, content, ...more }]);
    const write = (content, path = "tides.md") => ({ file_path: file(`project/${path}`), content });

    /** A transcript of these entries; lines that are texts stand there as they are. */
    async function transcript(...entries) {
      const path = file(`session-${(count += 1)}.jsonl`);
      await writeFile(path, entries.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry))).join("\n"));
      return { hook_event_name: "Stop", session_id: "abc123", transcript_path: path, cwd: file("project"), stop_hook_active: false };
    }

    const RIGHT = "High at six.\nLow at noon.\n";

    test("holds the turn's writes against the files: the last of each path counts", async () => {
      const input = await transcript(
        { type: "summary", summary: "Tides", leafUuid: "x" },
        user("An earlier turn"),
        use("t0", "Write", write("long ago", "never.md")),
        gave("t0", "ok"),
        user([text("Write the tides")]),
        use("t1", "Write", write("a first try")),
        gave("t1", [text("File created")]),
        use("t2", "Write", write(RIGHT)),
        gave("t2", "ok"),
        user("<system>kept by the host</system>", { isMeta: true }),
        use("t3", "Write", write("refused", "never.md")),
        gave("t3", "Permission denied", { is_error: true }),
        use("t4", "Write", write("interrupted", "never.md")),
        said(text("Done.")),
      );
      assert.deepEqual(await hook("stop", input), { code: 0, stderr: "" });
    });

    test("blocks where they differ, once", async () => {
      const input = await transcript(user("Write"), use("t1", "Write", write("something else\n")), gave("t1", "ok"), said(text("Done.")));
      const { code, stderr } = await hook("stop", input);
      assert.equal(code, 2);
      assert.match(stderr, /tides\.md: Content hash mismatch/);
      assert.deepEqual(await hook("stop", { ...input, stop_hook_active: true }), { code: 0, stderr: "" });
      assert.equal((await hook("stop", { ...input, hook_event_name: "SubagentStop" })).code, 2);
    });

    test("what a later command may have done is told and does not block", async () => {
      const input = await transcript(
        user("Write"),
        use("t1", "Write", write("unformatted\n")),
        gave("t1", "ok"),
        use("t2", "Bash", { command: "npx prettier --write ." }),
        gave("t2", "done"),
        said(text("Done.")),
      );
      const { code, stderr } = await hook("stop", input);
      assert.equal(code, 0);
      assert.match(stderr, /tides\.md: Content hash mismatch; Bash, called afterwards, may have done that/);
    });

    test("so is what any later call may have done that is not known to change nothing, also one that failed", async () => {
      const rows = [
        [[use("t2", "Bash", { command: "make format && false" }), gave("t2", "exit 1", { is_error: true })], 0],
        [[use("t2", "Bash", { command: "make format" })], 0],
        [[use("t2", "mcp__files__replace", { path: "tides.md" }), gave("t2", "Not allowed", { is_error: true })], 0],
        [[use("t2", "NotebookEdit", { notebook_path: "x.ipynb" }), gave("t2", "ok")], 0],
        [[use("t2", "Edit", { file_path: file("project/tides.md"), old_string: "unformatted", new_string: "" }), gave("t2", "ok")], 0],
        [[use("t2", "Read", { file_path: file("project/tides.md") }), gave("t2", RIGHT)], 2],
        [[use("t2", "Write", write("x", "never.md")), gave("t2", "Permission denied", { is_error: true })], 2],
        [[use("t2", "Write", write("elsewhere\n", "../outside.md")), gave("t2", "ok")], 2],
      ];
      for (const [later, want] of rows) {
        const { code, stderr } = await hook("stop", await transcript(user("Write"), use("t1", "Write", write("unformatted\n")), gave("t1", "ok"), ...later, said(text("Done."))));
        assert.equal(code, want, JSON.stringify(later[0]));
        assert.match(stderr, want === 0 ? /Content hash mismatch; \w+, called afterwards, may have done that/ : /Content hash mismatch\n/);
      }
      // What was called before it is no excuse.
      const before = await transcript(user("Write"), use("t0", "Bash", { command: "make" }), gave("t0", "ok"), use("t1", "Write", write("unformatted\n")), gave("t1", "ok"), said(text("Done.")));
      assert.equal((await hook("stop", before)).code, 2);
    });

    const CLAIMS = (port) => `All done.\n\n## Evidence\n\n- The port is ${port}\n\n## Claims\n\n- The port is ${port}\n`;
    const read = (port) => [user("Which port?"), use("t1", "Read", { file_path: "server.md" }), gave("t1", `The port is ${port}.`)];

    test("claims of the last message are judged on what the tools gave, not on the agent's own evidence", async () => {
      const right = await transcript(...read(8080), said(text(CLAIMS(8080))));
      assert.deepEqual(await hook("stop", right), { code: 0, stderr: "" });
      const wrong = await transcript(...read(8080), said(text(CLAIMS(9090))));
      const { code, stderr } = await hook("stop", wrong);
      assert.equal(code, 2);
      assert.match(stderr, /- UNSUPPORTED: The port is 9090: The full evidence contradicts/);
      assert.equal((await hook("stop", await transcript(...read(8080), said(text(`---\n${CLAIMS(9090)}`))))).code, 2);
      // The host's own word of the last message stands above the transcript's.
      assert.equal((await hook("stop", { ...wrong, last_assistant_message: CLAIMS(8080) })).code, 0);
    });

    test("what may stand in results that had no room does not block, what the others contradict does", async () => {
      const much = [use("t2", "Bash", { command: "cat log" }), gave("t2", "A line of the log\n".repeat(30_000))];
      const unseen = await hook("stop", await transcript(...read(8080), ...much, said(text(CLAIMS(8080)))));
      assert.equal(unseen.code, 0);
      assert.match(unseen.stderr, /UNSUPPORTED: The port is 8080: .*; it may stand in what had no room: 2 of the results of tools/);
      const [asked, ...later] = read(8080);
      assert.equal((await hook("stop", await transcript(asked, ...much, ...later, said(text(CLAIMS(9090)))))).code, 2);
    });

    test("entries are as hosts write them, with all that is beside what was said and done", async () => {
      const whole = (claimed, written) => {
        let count = 0;
        const entry = (type, message, more = {}) => ({
          parentUuid: count === 0 ? null : `u${count}`, isSidechain: false, userType: "external", cwd: file("project"), sessionId: "abc123", version: "2.1.0",
          gitBranch: "main", type, ...(message && { message }), uuid: `u${(count += 1)}`, timestamp: "2026-01-01T00:00:00.000Z", ...more,
        });
        const part = (content, stop_reason = null) => entry("assistant", { model: "m", id: "msg_1", type: "message", role: "assistant", content: [content], stop_reason, usage: { input_tokens: 1, output_tokens: 1 } }, { requestId: "req_1" });
        const result = (tool_use_id, content, toolUseResult) => entry("user", { role: "user", content: [{ tool_use_id, type: "tool_result", content }] }, { toolUseResult });
        return [
          { type: "file-history-snapshot", messageId: "m", snapshot: { trackedFileBackups: {} }, isSnapshotUpdate: false },
          { type: "queue-operation", operation: "enqueue", sessionId: "abc123" },
          entry("user", { role: "user", content: "Which port? Write down the tides." }),
          part({ type: "thinking", thinking: "I read it.", signature: "x" }),
          part({ type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "/srv/server.md" } }, "tool_use"),
          result("toolu_1", "     1\u2192The port is 8080.\n     2\u2192", { type: "text", file: { filePath: "/srv/server.md", content: "The port is 8080.\n", numLines: 2, startLine: 1, totalLines: 2 } }),
          entry("user", { role: "user", content: [{ type: "text", text: "<system-reminder>by the host</system-reminder>" }] }, { isMeta: true }),
          part({ type: "tool_use", id: "toolu_2", name: "Write", input: write(written) }, "tool_use"),
          result("toolu_2", "File created successfully at: tides.md", { type: "create", filePath: "tides.md", content: written, structuredPatch: [] }),
          entry("user", { role: "user", content: "A sub-agent's prompt" }, { isSidechain: true }),
          entry("assistant", { role: "assistant", content: [text("## Claims\n\n- The port is 1\n")] }, { isSidechain: true }),
          part(text(CLAIMS(claimed)), "end_turn"),
          entry("system", undefined, { subtype: "turn_duration", durationMs: 1 }),
        ];
      };
      assert.deepEqual(await hook("stop", await transcript(...whole(8080, RIGHT))), { code: 0, stderr: "" });
      const claimed = await hook("stop", await transcript(...whole(9090, RIGHT)));
      assert.deepEqual([claimed.code, claimed.stderr.match(/^- .*/gm).length], [2, 1]);
      assert.match(claimed.stderr, /- UNSUPPORTED: The port is 9090: /);
      const written = await hook("stop", await transcript(...whole(8080, "High at ten.\n")));
      assert.deepEqual([written.code, written.stderr.match(/^- .*/gm).length], [2, 1]);
      assert.match(written.stderr, /tides\.md: Content hash mismatch/);
    });

    test("a judge that is down lets pass, and is told; what the files say stands", async () => {
      const { baseUrl, close } = await serve((_, response) => send(response, 401, {}));
      const asked = ["--judge", "openai", "--base-url", baseUrl, "--model", "m"];
      const claims = await transcript(...read(8080), said(text(CLAIMS(9090))));
      const down = await hook("stop", claims, asked);
      assert.equal(down.code, 0);
      assert.match(down.stderr, /judge failed/);
      const both = await transcript(...read(8080), use("t2", "Write", write("other")), gave("t2", "ok"), said(text(CLAIMS(9090))));
      assert.equal((await hook("stop", both, asked)).code, 2);
      await close();
    });

    test("a judge that fails for one claim hides no other", async () => {
      const { baseUrl, close } = await serve((request, response) => (request.json.messages[1].content.includes("host") ? say(response, "I have seen it") : judge(request, response)));
      const asked = ["--judge", "openai", "--base-url", baseUrl, "--model", "m", "--profile", "security"];
      const claims = await transcript(...read(8080), said(text(`${CLAIMS(8080)}- The host is x\n`)));
      const [lax, strict] = [await hook("stop", claims, asked), await hook("stop", claims, [...asked, "--fail-on", "VERIFIED"])];
      assert.deepEqual([lax.code, strict.code], [0, 2]);
      for (const { stderr } of [lax, strict]) assert.match(stderr, /The judge failed, so nothing is said about 1 of 2 claims/);
      assert.match(strict.stderr, /- (VERIFIED|PLAUSIBLE): The port is 8080: /);
      await close();
    });

    test("a message that was written to hold a hook up does not", async () => {
      const lines = [`# ${" ".repeat(100_000)}x`, `\`\`\`${" ".repeat(100_000)}\``, `- x${" ".repeat(100_000)}\u2028y`];
      const input = JSON.stringify(await transcript(user("Say"), said(text(`Done.\n${lines.join("\n")}\n`))));
      // Of the processor's time: what takes more is ended.
      const code = await new Promise((resolve) => {
        const child = execFile("sh", ["-c", 'ulimit -t 20; exec "$0" hook stop', file("node_modules/.bin/claimgauge")], { cwd: project.folder }, (error) => resolve(error?.code ?? error?.signal ?? 0));
        child.stdin.end(input);
      });
      assert.equal(code, 0);
    });

    test("--fail-on blocks what is worse than it", async () => {
      const { baseUrl, close } = await serve(judge);
      const asked = ["--judge", "openai", "--base-url", baseUrl, "--model", "m", "--profile", "security"];
      const claims = await transcript(...read(8080), said(text(CLAIMS(8080))));
      const [lax, strict] = [await hook("stop", claims, asked), await hook("stop", claims, [...asked, "--fail-on", "VERIFIED"])];
      assert.deepEqual([lax.code, strict.code], [0, 2]);
      await close();
    });

    test("a transcript that is none, or odd, blocks nothing", async () => {
      const odd = await transcript(
        "",
        "before the turn nothing is looked at",
        user("Write"),
        "not JSON",
        "[1, 2]",
        "null",
        `{"a":${"[".repeat(100_000)}`,
        { type: "assistant" },
        { type: "assistant", message: null },
        { type: "assistant", message: { content: [null, 7, { type: "tool_use" }, { type: "tool_use", id: "x", name: 7, input: [] }] } },
        use("__proto__", "Write", { file_path: 7, content: "x" }),
        gave("__proto__", { toString: 1 }),
        use("t1", "__proto__", { file_path: "tides.md", content: "x" }),
        gave("t1", "ok"),
        use("t2", "Write", { file_path: "\ud800", content: "\ud800" }),
        gave("t2", "ok"),
        use("t3", "Write", { file_path: "../../../etc/passwd", content: "x" }),
        gave("t3", "ok"),
        use("t4", "MultiEdit", { file_path: "tides.md", edits: [null] }),
        gave("t4", "ok"),
        said(text("---\nverification: &x\n## Notes\n- a <b> ```")),
        '{"type":"assistant","message":{"content":[{"type":"text","te',
      );
      const { code, stderr } = await hook("stop", odd);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /5 lines of the transcript are no entries of one/);
      assert.match(stderr, /outside of|not looked at/);
      assert.doesNotMatch(stderr, /front matter/);
    });
  });

  test("whatever the host hands over, nothing but a finding blocks", async () => {
    const rows = ["", "{", "[]", "null", "7", "{}", '{"hook_event_name":{}}', '{"tool_name":"Write"}', '{"tool_name":"Write","tool_input":"x","cwd":7}', '{"transcript_path":"/nowhere.jsonl"}', '{"transcript_path":"/"}', '{"transcript_path":7}', '{"tool_name":"Write","tool_input":{"file_path":"a","content":"b"},"cwd":"/nowhere"}'];
    for (const input of rows) {
      for (const name of ["post-tool-use", "stop"]) {
        const { code, stderr } = await hook(name, input);
        assert.equal(code, 0, `${name}: ${input}`);
        assert.match(stderr, /^claimgauge: Nothing was checked: /, `${name}: ${input}`);
      }
    }
  });

  test("a hook that is misused says so to the user, without blocking", async () => {
    await writeFile(file("profile.json"), '{ "extends": "cod" }');
    await writeFile(file("thresholds.json"), '{ "verified": { "full": 9 } }');
    const rows = [
      ["nothing"], ["stop", "--nope"], ["stop", "--judge", "magic"], ["stop", "--fail-on", "BAD"], ["stop", "--api-key", "sk"],
      ["stop", "--profile", "cod"], ["stop", "--profile-file", "profile.json"], ["stop", "--profile-file", "nowhere.json"], ["stop", "--thresholds", "thresholds.json"],
      ["stop", "--judge", "openai", "--base-url", "nonsense", "--model", "m"],
    ];
    for (const args of rows) {
      const [name, ...more] = args;
      const { code, stderr } = await hook(name, "{}", more);
      assert.equal(code, 1, args.join(" "));
      assert.doesNotMatch(stderr, /Nothing was checked/);
    }
    assert.match((await hook("stop", "{}", ["--profile-file", "profile.json"])).stderr, /^claimgauge: profile\.json: profile\.extends: Unknown profile "cod"/);
    // Set up for another event: no host calls it with what it takes.
    assert.equal((await hook("stop", '{"hook_event_name":"PreToolUse"}')).code, 1);
    assert.equal((await project.cli(["hook"])).code, 1);
  });
});
