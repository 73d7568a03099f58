// What the command line takes beside one request as JSON: JSON lines, Markdown, options.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { install } from "./fixture.mjs";
import { judge, send, serve } from "./scripted.mjs";

const SKILL = `---
name: port-notes
description: >
  Tells the server's ports.
  verification: what this says is no key
"allowed-tools": [Read, "Grep"]
verification:
  enabled: true   # as the team wants it
  profile: documentation
  trigger: "always"
  customThresholds:
    verified: { full: 0.9, delta: 0.1 }
    plausible:
      full: 0.5
      delta: 0.05
context: fork
---
# Port notes

## Evidence spans

- S4 (server.md): The port is 8080, and
  the host is \`localhost\`.

\`\`\`ts config.ts
const retries = 3;
## Claims
- no claim, as it stands in a fence
\`\`\`

## Claims

1. The port is 8080 [S4]
2. **C7**: There are 3 retries [S1]

### More

* The host is localhost [as is known]

## Notes

- The port is 1.
`;

describe("the command line's inputs", { concurrency: 2, timeout: 240_000 }, () => {
  let project;
  const file = (name) => join(project.folder, name);
  const request = (port, ...claims) => ({ profile: "code", evidence: [`The port is ${port}`], claims });
  before(async () => {
    project = await install();
    await writeFile(file("SKILL.md"), SKILL);
    await writeFile(file("server.md"), "The port is 8080.\n");
  });
  after(() => project.remove());

  const verified = async (args, options) => {
    const { code, stdout, stderr } = await project.cli(["verify", ...args, "--json"], options);
    return { code, stderr, report: stdout === "" ? null : JSON.parse(stdout) };
  };

  describe("Markdown", () => {
    test("has evidence and claims under their headings, and a skill's block is its wish", async () => {
      const { report, stderr } = await verified(["SKILL.md"]);
      assert.equal(stderr, "");
      assert.deepEqual([report.profile, report.trigger], ["documentation", "always"]);
      assert.deepEqual(report.evidence, [
        { id: "S4", text: "The port is 8080, and\nthe host is `localhost`.", source: "server.md" },
        { id: "S1", text: "const retries = 3;\n## Claims\n- no claim, as it stands in a fence", source: "ts config.ts" },
      ]);
      assert.deepEqual(report.claims.map(({ id, text }) => [id, text]), [
        ["C0", "The port is 8080"],
        ["C7", "There are 3 retries"],
        ["C2", "The host is localhost [as is known]"],
      ]);
    });

    test("the block's thresholds decide, and options stand above it", async () => {
      const lax = await verified(["-"], { input: SKILL.replace("full: 0.9, delta: 0.1", "full: 0.5, delta: 0.05") });
      const strict = await verified(["-", "--profile", "security"], { input: SKILL.replace("full: 0.9, delta: 0.1", "full: 1, delta: 1") });
      assert.equal(lax.report.claims[0].status, "VERIFIED");
      assert.deepEqual([strict.report.profile, strict.report.claims[0].status], ["security", "PLAUSIBLE"]);
    });

    test("a block without a trigger has that of its profile; a file without a block is a request", async () => {
      const conflict = await verified(["-"], { input: SKILL.replace('  trigger: "always"\n', "") });
      assert.deepEqual(conflict.report.skipped.map(({ reason }) => reason), ["no_conflict", "no_conflict", "no_conflict"]);
      await writeFile(file("plain.md"), SKILL.slice(SKILL.indexOf("# Port notes")).replaceAll("\n", "\r\n"));
      const plain = await verified(["plain.md"]);
      assert.deepEqual([plain.report.profile, plain.report.trigger, plain.report.claims.length], ["strawberry", "manual", 3]);
    });

    test("a block without a trigger has that of a profile from a file, too", async () => {
      const input = SKILL.replace('  trigger: "always"\n', "");
      for (const [profile, want] of [
        [{ extends: "documentation", trigger: "always" }, ["always", 3]],
        [{ extends: "documentation" }, ["on_conflict", 0]],
        [{ extends: "security" }, ["always", 3]],
      ]) {
        await writeFile(file("own.json"), JSON.stringify(profile));
        const { report } = await verified(["-", "--profile-file", "own.json"], { input });
        assert.deepEqual([report.trigger, report.claims.length], want, JSON.stringify(profile));
      }
      await writeFile(file("own.json"), '{ "extends": "cod" }');
      const bad = await project.cli(["verify", "-", "--profile-file", "own.json"], { input });
      assert.equal(bad.code, 2);
      assert.match(bad.stderr, /^claimgauge: own\.json: profile\.extends: Unknown profile "cod"/);
    });

    test("no line takes more time than it is long, whatever it is made of", async () => {
      const { readMarkdown } = await project.file("dist/node/cli/markdown.js");
      const long = (text) => text.repeat(Math.ceil(100_000 / text.length));
      const lines = [
        ...["# ", "~~~ ", "- ", "1. ", "S0 (", "- S0 (a): "].flatMap((start) => [" ", "\u2028", "# ", " #", "#", "[a", "[a,", "` ", "(", "**"].map((part) => `${start}${long(part)}x`)),
        `- x ${long("[a ")}`,
        `- x [${long("a,")}`,
        `# a\u2028${long(" ")}b`,
        long("- \n"),
        `${long("- C1: x\n")}${long("- y\n")}`,
        `---\nverification:\n  enabled: true\nx${long(" ")}y\n---\n`,
        `---\nx: ${long("a\"'")}\n---\n`,
        `---\nx: a${long('"\\')}\n---\n`,
      ];
      for (const line of lines) {
        const start = process.cpuUsage();
        readMarkdown(`\n## Evidence\n\n- x\n\n## Claims\n\n${line}\n`);
        try {
          readMarkdown(line);
        } catch {
          // What is wrong with it is told elsewhere; here it counts how soon.
        }
        // The processor's time, as others may be at work: what is quadratic takes minutes of it.
        const took = process.cpuUsage(start).user / 1000;
        assert.ok(took < 3000, `${took} ms for ${JSON.stringify(line.slice(0, 60))} …`);
      }
    });

    test("headings and fences end as they do in Markdown", async () => {
      const { readMarkdown } = await project.file("dist/node/cli/markdown.js");
      const { evidence, claims } = readMarkdown("##  Evidence ##\n~~~ a.md \n- x\n```\n~~~\n``` a`b\n## Claims#\n- y # z\n### More ###\n-\n#Claims\n# Other\n- w\n");
      assert.deepEqual(evidence.map(({ text, source }) => [text, source]), [["- x\n```", "a.md"], ["``` a`b", null]]);
      assert.deepEqual(claims.map(({ id, text }) => [id, text]), [["C0", "y # z"], ["C1", " #Claims"]]);
    });

    test("a claim may cite any number of spans", async () => {
      const { readMarkdown } = await project.file("dist/node/cli/markdown.js");
      const { claims } = readMarkdown(`# Evidence\n- x\n# Claims\n- y [ S0,${" S0 ,".repeat(1e6)}S0 ] \n- [S0]\n- z [S1]\n`);
      assert.deepEqual(claims.map(({ text, cites }) => [text, cites?.length]), [["y", 1e6 + 2], ["[S0]", undefined], ["z [S1]", undefined]]);
    });

    test("what is not enabled is not verified, and says so", async () => {
      const { code, stdout, stderr } = await project.cli(["verify", "-"], { input: SKILL.replace("enabled: true", "enabled: false") });
      assert.deepEqual([code, stdout, stderr], [0, "", "claimgauge: the standard input: its verification is not enabled\n"]);
    });

    test("what is wrong is told with its place", async () => {
      const rows = [
        [["enabled: true", "enabled: maybe"], /SKILL|input: verification\.enabled: Expected true or false, received string/],
        [["  enabled: true   # as the team wants it\n", ""], /verification\.enabled/],
        [["profile: documentation", "profile: docs"], /verification\.profile: Unknown profile "docs"/],
        [['trigger: "always"', "trigger: sometimes"], /verification\.trigger: Unknown value "sometimes"/],
        [['trigger: "always"', "triger: always"], /verification\.triger: There is no option "triger"/],
        [['trigger: "always"', "__proto__: { enabled: true }"], /There is no option "__proto__"/],
        [['trigger: "always"', "enabled: true"], /line 10: "enabled" is there twice/],
        [['trigger: "always"', "trigger: &a always"], /line 10: Expected a plain value/],
        [['trigger: "always"', "trigger: |\n    always"], /line 11: Expected one value, on one line/],
        [['trigger: "always"', ' trigger: "always"'], /line \d+: Expected /],
        [["full: 0.9, delta: 0.1 }", "full: 0.9, delta: 0.1"], /line 12: The value has no end/],
        [["full: 0.9", "full: 9"], /verification\.customThresholds\.verified\.full: Expected a number from 0 to 1/],
        [["context: fork\n---", "context: fork"], /line 1: The front matter has no end/],
        [["verification:\n  enabled", "verification: yes\n  enabled"], /line 8: Expected one value/],
        [['trigger: "always"', `trigger: ${"{a: ".repeat(9e4)}1${"}".repeat(9e4)}`], /: verification: Line 10 is nested deeper than 64 \[too_deep\]/],
        [['trigger: "always"', `trigger:${Array.from({ length: 2000 }, (_, at) => `\n${" ".repeat(at + 3)}a:`).join("")}`], /Line 74 is nested deeper than 64 \[too_deep\]/],
        [['trigger: "always"', `trigger: {${Array.from({ length: 2e5 }, (_, at) => `a${at}: 1`)}}`], /verification\.trigger: Expected string, received object/],
        [['trigger: "always"', `trigger: "${"\\a".repeat(4e6)}"`], /line 10: Not a text: "[\\a]+\n/],
      ];
      for (const [[from, to], message] of rows) {
        assert.ok(SKILL.includes(from), from);
        const { code, stdout, stderr } = await project.cli(["verify", "-"], { input: SKILL.replace(from, () => to) });
        assert.deepEqual([code, stdout], [2, ""], to);
        assert.match(stderr, message);
      }
    });

    test("scrub takes it too", async () => {
      const { code, stdout } = await project.cli(["scrub", "SKILL.md"]);
      assert.deepEqual([code, stdout.split("\n")[0]], [0, "S4 (server.md): The port is [VALUE_1], and"]);
    });
  });

  describe("options", () => {
    test("are a request by themselves, or more of a file's", async () => {
      const alone = await verified(["--claim", "The port is 8080", "--claim", "The port is 9090", "--evidence", "server.md"]);
      assert.deepEqual(alone.report.claims.map(({ status }) => status), ["VERIFIED", "UNSUPPORTED"]);
      assert.deepEqual([alone.code, alone.report.profile, alone.report.evidence[0].source], [1, "strawberry", "server.md"]);
      const more = await verified(["-", "--claim", "The host is localhost", "--evidence", "SKILL.md"], { input: JSON.stringify(request(8080, "The port is 8080")) });
      assert.deepEqual([more.report.claims.length, more.report.evidence.length], [2, 2]);
      const piped = await verified(["--claim", "The port is 8080", "--evidence", "-", "--profile", "data"], { input: "The port is 8080" });
      assert.deepEqual([piped.report.profile, piped.report.evidence[0].source], ["data", null]);
      const bare = await project.cli(["verify", "--claim", "The port is 8080"]);
      assert.deepEqual([bare.code, bare.stderr.includes("There is no evidence")], [1, true]);
    });

    test("leave it to the core to refuse what is no list; the standard input is one thing", async () => {
      const bad = await project.cli(["verify", "-", "--claim", "x"], { input: '{"profile":"code","evidence":[],"claims":{}}' });
      assert.equal(bad.code, 2);
      assert.match(bad.stderr, /claims: Expected array, received object/);
      const twice = await project.cli(["verify", "-", "--evidence", "-"], { input: "{}" });
      assert.match(twice.stderr, /the request or evidence, not both/);
    });
  });

  describe("JSON lines", () => {
    const lines = (...requests) => requests.map((one) => `${JSON.stringify(one)}\n`).join("\n");

    test("give a report a line, in order", async () => {
      const input = lines(request(8080, "The port is 8080"), request(8080, "The port is 9090"), request(1, "The port is 1"));
      await writeFile(file("requests.jsonl"), input);
      for (const args of [["requests.jsonl"], ["-"]]) {
        const { code, stdout, stderr } = await project.cli(["verify", ...args, "--json"], { input });
        assert.deepEqual([code, stderr], [1, ""]);
        const reports = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
        assert.deepEqual(reports.map(({ recommendation }) => recommendation), ["PROCEED", "STOP", "PROCEED"]);
      }
      const text = await project.cli(["verify", "requests.jsonl"]);
      assert.deepEqual(text.stdout.match(/^Line \d+$/gm), ["Line 1", "Line 3", "Line 5"]);
      const scrubbed = await project.cli(["scrub", "requests.jsonl", "--json"]);
      assert.equal(scrubbed.stdout.trimEnd().split("\n").length, 3);
    });

    test("one is one; a single object over lines is a request", async () => {
      await writeFile(file("one.jsonl"), lines(request(8080, "The port is 8080")));
      assert.equal((await project.cli(["verify", "one.jsonl", "--json"])).stdout.split("\n").length, 2);
      const pretty = await verified(["-"], { input: JSON.stringify(request(8080, "The port is 8080"), null, 2) });
      assert.equal(pretty.report.claims.length, 1);
    });

    test("what is wrong with one line is told before anything is asked", async () => {
      const { baseUrl, requests, close } = await serve(judge);
      const asked = ["--judge", "openai", "--base-url", baseUrl, "--model", "m"];
      const rows = [
        [`${lines(request(1, "a"))}{"profile":"code","evidence":["x"],"claims":[{"txt":"x"}]}\n`, /line 2: claims\.0\.txt: There is no field "txt"/],
        [`${lines(request(1, "a"))}{"profile":\n`, /line 2: not JSON/],
      ];
      for (const [input, message] of rows) {
        const { code, stdout, stderr } = await project.cli(["verify", "-", ...asked], { input });
        assert.deepEqual([code, stdout], [2, ""]);
        assert.match(stderr, message);
      }
      await writeFile(file("empty.jsonl"), "\n");
      assert.match((await project.cli(["verify", "empty.jsonl"])).stderr, /empty\.jsonl: there is no request in it/);
      assert.equal(requests.length, 0);
      await close();
    });

    test("a judge that fails for good ends the run, with the reports so far", async () => {
      const { baseUrl, requests, close } = await serve((request, response, number) =>
        number < 2 ? judge(request, response) : send(response, 401, {}),
      );
      const input = lines(request(1, "The port is 1"), request(2, "The port is 2"), request(3, "The port is 3"), request(4, "The port is 4"));
      const { code, stdout, stderr } = await project.cli(
        ["verify", "-", "--judge", "openai", "--base-url", baseUrl, "--model", "m", "--concurrency", "1", "--json"],
        { input },
      );
      assert.deepEqual([code, stdout.trimEnd().split("\n").length, requests.length], [3, 2, 3]);
      assert.match(stderr, /\[judge_unauthorized\]\n.*2 of 4 requests in the standard input were not judged: the judge has failed\n$/s);
      await close();
    });

    test("limits are those of the whole run", async () => {
      const { baseUrl, requests, close } = await serve(judge);
      const input = lines(request(1, "The port is 1"), request(2, "The port is 2"), request(3, "The port is 3"));
      const { stdout } = await project.cli(
        ["verify", "-", "--judge", "openai", "--base-url", baseUrl, "--model", "m", "--max-calls", "4", "--json"],
        { input },
      );
      const flags = stdout.trimEnd().split("\n").map((line) => JSON.parse(line).claims[0].flags.includes("capped"));
      assert.deepEqual([requests.length, flags], [4, [false, false, true]]);
      await close();
    });
  });

  describe("input that no command takes", () => {
    /** Hands in the beginning of an input that never ends; the command must not wait for the rest. */
    const begun = (args, beginning) =>
      new Promise((resolve, reject) => {
        const child = spawn(join(project.folder, "node_modules/.bin/claimgauge"), args, { cwd: project.folder });
        const output = { stdout: "", stderr: "" };
        for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (output[name] += text));
        child.stdin.on("error", () => {});
        child.on("error", reject).on("close", (code) => resolve({ code, ...output }));
        child.stdin.write(beginning);
      });
    const DEEP = `{"x":${"[".repeat(600)}`;
    const MANY = `{"x":[${"[],".repeat(5_100_000)}`;
    const COMMANDS = { verify: [], scrub: [], report: [], "check-output": [], observe: ["--base", "."], bench: [], hook: null };

    test("is refused as soon as it is seen: too deep, or too much", async () => {
      for (const [name, more] of Object.entries(COMMANDS)) {
        const { code, stdout, stderr } = await begun(more === null ? [name, "stop"] : [name, "-", ...more], `\n${DEEP}`);
        assert.deepEqual([code, stdout], [name === "hook" ? 0 : 2, ""], name);
        assert.match(stderr, /^claimgauge: (Nothing was checked: )?the standard input: line 2: nested deeper than 512\n$/, name);
      }
      const { code, stderr } = await begun(["verify", "-"], MANY);
      assert.equal(code, 2);
      assert.match(stderr, /line 1: more than 10000000 values\n$/);
    });

    test("is not read where its size is known", async () => {
      for (const name of ["large.json", "large.jsonl", "large.md"]) {
        await writeFile(file(name), "");
        await truncate(file(name), 128 * 1024 * 1024 + 1);
        const { code, stderr } = await project.cli(["verify", name]);
        assert.equal(code, 2);
        assert.match(stderr, new RegExp(`^claimgauge: ${name}: larger than 128 MB \\(Split it; .*claimgauge batch`));
      }
    });

    test("is none of it what is in texts, on lines of their own, or in Markdown", async () => {
      const { JsonGuard } = await project.file("dist/node/json-guard.js");
      const fine = [
        JSON.stringify({ x: `${"[{".repeat(600)}"\\${'\\"['.repeat(600)}` }),
        `${"[]\n".repeat(600)}${"[".repeat(512)}${"]".repeat(512)}`,
        '"\\\\"[]'.repeat(2),
      ];
      for (const text of fine) {
        const bytes = Buffer.from(text);
        // Wherever a piece ends.
        for (const size of [1, 2, 3, 7, bytes.length]) {
          const guard = new JsonGuard();
          for (let at = 0; at < bytes.length; at += size) assert.equal(guard.take(bytes.subarray(at, at + size)), undefined, `${size}: ${text.slice(0, 40)}`);
        }
      }
      const texts = JSON.stringify({ ...request(8080, "The port is 8080"), evidence: [`The port is 8080 ${"[".repeat(600)}`] });
      assert.equal((await project.cli(["verify", "-"], { input: texts })).code, 0);
      const markdown = `---\nx: y\n---\n## Evidence\n- The port is 8080 ${"[".repeat(600)}\n## Claims\n- The port is 8080\n`;
      assert.equal((await project.cli(["verify", "-"], { input: markdown })).code, 0);
    });

    test("is Markdown that is too long, or too many pieces", async () => {
      for (const [name, text, message] of [
        ["long.md", "x".repeat(16 * 1024 * 1024 + 1), /long\.md: 16777217 characters of Markdown are more than the limit of 16777216 /],
        ["claims.md", `## Claims\n${"- x\n".repeat(100_001)}`, /claims\.md: claims: 100001 pieces are more than the limit of 100000 /],
        ["evidence.md", `## Evidence\n${"- x\n".repeat(100_001)}`, /evidence\.md: evidence: 100001 pieces /],
      ]) {
        await writeFile(file(name), text);
        const { code, stderr } = await project.cli(["verify", name]);
        assert.equal(code, 2);
        assert.match(stderr, message);
      }
    });
  });
});
