// What the command line prints for other tools, and where it prints it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { install, nodeModules } from "./fixture.mjs";

/** A claim that would break out of whatever it is printed into. */
const HOSTILE = "a <b> & \"c\" ]]> % \u0007\u001b[31m \u202e \ufffe\n::error::d, e:f | g";

describe("the command line's formats", { concurrency: 2, timeout: 240_000 }, () => {
  let project, validate;
  const file = (name) => join(project.folder, name);
  before(async () => {
    project = await install();
    // The schema with the validator that its package has for it.
    const require = createRequire(join(nodeModules, "@microsoft/jest-sarif/package.json"));
    const { $schema, ...schema } = require("./lib/schemas/sarif-2.1.0-rtm.5.json");
    assert.match($schema, /draft-04/);
    validate = new (require("ajv"))({ schemaId: "auto", unknownFormats: "ignore", logger: false }).compile(schema);
    const request = {
      profile: "code",
      evidence: ["The port is 8080", "Retries are 3 or 4"],
      claims: ["The port is 8080", "The port is 9090", { id: HOSTILE, text: HOSTILE }, { text: "The port is 8080", cites: ["nowhere"] }],
    };
    await writeFile(file("request.json"), JSON.stringify(request));
    const skipping = { ...request, trigger: "on_medium_confidence", claims: [{ text: "The port is 8080", confidence: 0.95 }] };
    await writeFile(file("requests.jsonl"), `${JSON.stringify(request)}\n${JSON.stringify(skipping)}\n`);
    await writeFile(file("a, b: c%.md"), "## Evidence\n- The port is 8080\n\n## Claims\n- The port is 8080\n- The port is 9090\n");
    for (const [name, args] of [["report.json", ["request.json"]], ["reports.jsonl", ["requests.jsonl"]]]) {
      await writeFile(file(name), (await project.cli(["verify", ...args, "--json"])).stdout);
    }
    await mkdir(file("project"));
    await writeFile(file("project/there.md"), "there\n");
    const claims = [
      { kind: "file-delete", filePath: "gone.md" },
      { kind: "file-delete", filePath: "there.md" },
      { kind: "file-delete", filePath: "../out.md" },
      { kind: "command-executed", command: HOSTILE, exitCode: 0 },
    ];
    await writeFile(file("output.json"), JSON.stringify({ summary: "x", traceRef: "trace:1", claims }));
    await writeFile(file("shapeless.json"), JSON.stringify({ summary: 1, [HOSTILE]: 2, claims: [{ kind: HOSTILE }] }));
  });
  after(() => project.remove());

  /** What each of these prints, in one format. */
  const everything = (format) => [
    ["verify", "request.json", format],
    ["verify", "requests.jsonl", format],
    ["verify", "a, b: c%.md", format],
    ["report", "reports.jsonl", format],
    ["check-output", "output.json", "--base", "project", format],
    ["check-output", "shapeless.json", format],
  ];

  const sarifProblems = (log) => (validate(log) ? [] : validate.errors.map(({ dataPath, message }) => `${dataPath} ${message}`));

  test("SARIF fits its schema and tells where", async () => {
    for (const args of everything("--sarif")) {
      const { stdout, stderr } = await project.cli(args);
      assert.equal(stderr.includes("bug"), false, stderr);
      assert.deepEqual(sarifProblems(JSON.parse(stdout)), [], args.join(" "));
    }
    const log = JSON.parse((await project.cli(["verify", "a, b: c%.md", "--sarif"])).stdout);
    const [result, ...more] = log.runs[0].results;
    assert.deepEqual([more.length, result.ruleId, result.level], [0, "unsupported", "error"]);
    assert.deepEqual(result.locations[0].physicalLocation, { artifactLocation: { uri: "a,%20b%3A%20c%25.md" }, region: { startLine: 6 } });
    const files = JSON.parse((await project.cli(["check-output", "output.json", "--base", "project", "--sarif"])).stdout);
    assert.deepEqual(files.runs[0].results.map((one) => one.locations[0].physicalLocation.artifactLocation.uri), ["project/there.md", "out.md"]);
    assert.notDeepEqual(sarifProblems({ ...log, version: "2" }), [], "the schema would take anything");
  });

  test("JUnit has the shape that build servers read, and its numbers are right", async () => {
    for (const args of everything("--junit")) {
      const { stdout } = await project.cli(args);
      checkJunit(parseXml(stdout));
    }
    const { stdout, code } = await project.cli(["verify", "requests.jsonl", "--junit"]);
    const root = parseXml(stdout);
    assert.deepEqual([code, root.attributes], [1, { name: "claimgauge", tests: "5", failures: "2", errors: "1" }]);
    const [first, second] = root.children;
    const ends = (suite) => suite.children.slice(1).map((one) => one.children[0].name);
    assert.deepEqual([first.attributes.name, ends(first), ends(second)], ["requests.jsonl:1", ["system-out", "failure", "failure", "error"], ["skipped"]]);
    // What XML cannot hold at all is replaced, all else comes back as it was.
    assert.equal(first.children[3].attributes.name, `${HOSTILE}: ${HOSTILE}`.replace(/[\u0007\u001b\u202e\ufffe]/g, "\ufffd"));
  });

  test("a status that fails the run fails in what is printed, too", async () => {
    await writeFile(file("plausible.json"), JSON.stringify({ profile: "security", evidence: ["The port is 8080"], claims: ["The port is 8080"] }));
    const [lax, strict] = [await project.cli(["verify", "plausible.json", "--junit"]), await project.cli(["verify", "plausible.json", "--junit", "--fail-on", "VERIFIED"])];
    assert.deepEqual([lax.code, strict.code], [0, 1]);
    assert.deepEqual([lax, strict].map(({ stdout }) => parseXml(stdout).attributes.failures), ["0", "1"]);
    const github = await project.cli(["verify", "plausible.json", "--github", "--fail-on", "VERIFIED"]);
    assert.match(github.stdout, /^::error file=plausible\.json,/);
  });

  test("GitHub's annotations are one command a line, whatever a claim says", async () => {
    for (const args of everything("--github")) {
      const { stdout } = await project.cli(args);
      for (const line of stdout.trimEnd().split("\n")) assert.match(line, /^::(error|warning|notice) (file=[^:,]+,)?(line=\d+,)?title=[^:,]+::/, args.join(" "));
    }
    for (const format of ["--github", "--junit", "--markdown"]) {
      const { stdout } = await project.cli(["verify", "request.json", format]);
      assert.deepEqual([stdout.includes("\ufffd"), stdout.includes("\u202e")], [true, false], format);
    }
    const { stdout } = await project.cli(["verify", "a, b: c%.md", "--github"]);
    const [annotation, end, ...more] = stdout.split("\n");
    assert.match(annotation, /^::error file=a%2C b%3A c%25\.md,line=6,title=UNSUPPORTED::C1: The port is 9090%0A/);
    assert.match(end, /^::notice title=a%2C b%3A c%25\.md::STOP: /);
    assert.deepEqual(more, [""]);
  });

  test("a kept report is printed as it would have been, with its exit code", async () => {
    for (const format of ["--json", "--markdown", "--junit", "--sarif", "--github"]) {
      const [kept, then] = [await project.cli(["report", "report.json", format]), await project.cli(["verify", "request.json", format])];
      const named = kept.stdout.replaceAll("report.json", "request.json");
      assert.deepEqual([kept.code, named], [then.code, then.stdout], format);
    }
    assert.equal((await project.cli(["report", "reports.jsonl", "--json"])).stdout, await readFile(file("reports.jsonl"), "utf8"));
    const piped = await project.cli(["report", "-", "--fail-on", "VERIFIED"], { input: await readFile(file("report.json"), "utf8") });
    assert.equal(piped.code, 1);
  });

  test("in SARIF no claim makes a link or takes an argument", async () => {
    const text = "see [this](https://x.example) and {0}, c:\\\\temp";
    const input = JSON.stringify({ profile: "code", evidence: ["The port is 8080"], claims: [{ id: "L", text: `The port is 9090, ${text}` }] });
    const { stdout } = await project.cli(["verify", "-", "--sarif"], { input });
    const log = JSON.parse(stdout);
    assert.deepEqual(sarifProblems(log), []);
    const { message } = log.runs[0].results[0];
    assert.match(message.text, /^L: The port is 9090, see \\\[this\\\]\(https:\/\/x\.example\) and \{\{0\}\}, c:\\\\\\\\temp\n/);
    // As a viewer reads it: escapes taken back, nothing left that is markup.
    const unescaped = message.text.replace(/\\([[\]\\])|\{\{|\}\}/g, (all, one) => one ?? all[0]);
    assert.ok(unescaped.startsWith(`L: The port is 9090, ${text}`), unescaped);
    assert.doesNotMatch(message.text, /(?<!\\)(?:\\\\)*[[\]]|(?<!\{)(?:\{\{)*\{(?!\{)/);
  });

  test("what is no report is refused", async () => {
    const report = JSON.parse(await readFile(file("report.json"), "utf8"));
    const rows = [
      ["{}", /report: The field "profile" is missing/],
      ["[]", /\[invalid_/],
      [JSON.stringify({ ...report, recommendation: "SURE" }), /\[invalid_value\]/],
      [JSON.stringify({ ...report, claims: [{}] }), /report/],
      [JSON.stringify({ ...report, claims: report.claims.map((one) => ({ ...one, flags: "none" })) }), /report/],
      [JSON.stringify({ ...report, claims: report.claims.map((one) => ({ ...one, full: { ...one.full, confidence: "high" } })) }), /report/],
      [JSON.stringify({ ...report, rationale: null }), /report/],
      ...[["full", { confidence: 7 }], ["scrubbed", { confidence: -0.1 }], ["delta", -1.5], ["delta", 1e308]].map(([name, value]) => [
        JSON.stringify({ ...report, claims: report.claims.map((one) => ({ ...one, [name]: value })) }),
        /report\.claims\.0\.\S+: Expected a number from (0|-1) to 1, received /,
      ]),
      [`${JSON.stringify(report)}\n{}\n`, /line 2: report/],
    ];
    for (const [input, message] of rows) {
      const { code, stderr } = await project.cli(["report", "-", "--junit"], { input });
      assert.equal(code, 2, input.slice(0, 200));
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /bug|at .*\.js:/);
    }
  });

  describe("where it is printed", () => {
    /** Runs a line of the shell in the project. */
    const sh = (line, env = {}) =>
      new Promise((resolve) => {
        const child = execFile("sh", ["-c", line], { cwd: project.folder, env: { ...process.env, ...env } }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
        child.stdin.end();
      });
    const CLI = "node_modules/.bin/claimgauge";

    // Elsewhere there is no /dev/full.
    if (process.platform === "linux") {
      test("a full disk is told in a line", async () => {
        for (const command of ["verify request.json", "scrub request.json --json", "--help", "report report.json --sarif", "check-output output.json --base project"]) {
          const { code, stderr } = await sh(`${CLI} ${command} > /dev/full`);
          assert.deepEqual([code, stderr], [2, "claimgauge: The output cannot be written: no space is left there\n"], command);
        }
      });
    }

    test("a reader that has enough is no failure; one of many requests is told", async () => {
      const one = await sh(`(${CLI} verify request.json --json; echo $? >&2) | true`);
      assert.equal(one.stderr, "1\n");
      const many = await sh(`(${CLI} verify requests.jsonl --json; echo $? >&2) | true`);
      assert.match(many.stderr, /^(claimgauge: 1 of 2 requests in requests\.jsonl was not judged: nobody reads the output any more\n)?1\n$/);
      const quiet = await sh(`${CLI} verify request.json 2>&-`);
      assert.equal(quiet.code, 1);
    });

    test("colours and progress are for terminals", async () => {
      await writeFile(file("terminal.cjs"), 'for (const name of ["stdout", "stderr"]) Object.defineProperty(process[name], "isTTY", { value: true });');
      const terminal = { NODE_OPTIONS: "--require ./terminal.cjs" };
      const [pipe, screen, plain] = [
        await project.cli(["verify", "request.json"], { env: { NO_COLOR: "" } }),
        await project.cli(["verify", "request.json"], { env: { ...terminal, NO_COLOR: "" } }),
        await project.cli(["verify", "request.json"], { env: { ...terminal, NO_COLOR: "1" } }),
      ];
      assert.doesNotMatch(pipe.stdout + pipe.stderr, /\u001b|\r/);
      assert.match(screen.stdout, /\u001b\[32mVERIFIED +\u001b\[0m/);
      assert.match(screen.stderr, /\r\u001b\[KJudging \[#{24}\] 6 of 6 passes/);
      assert.ok(screen.stderr.endsWith("\r\u001b[K"), "the bar is left on the screen");
      assert.doesNotMatch(plain.stdout, /\u001b/);
    });
  });
});

/** A document of XML as a tree; whatever is not well-formed is refused. */
function parseXml(text) {
  let rest = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, "");
  const take = (pattern) => {
    const found = pattern.exec(rest) ?? assert.fail(`expected ${pattern} at ${rest.slice(0, 80)}`);
    rest = rest.slice(found[0].length);
    return found;
  };
  const entities = { amp: "&", lt: "<", gt: ">", quot: '"' };
  const decode = (text) => {
    assert.doesNotMatch(text, /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|&(?!(amp|lt|gt|quot|#\d+);)/u);
    return text.replace(/&(?:(\w+)|#(\d+));/g, (_, name, number) => entities[name] ?? String.fromCodePoint(number));
  };
  const element = () => {
    const [, name, given, empty] = take(/^<([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/);
    const attributes = Object.fromEntries([...given.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key, decode(value)]));
    const children = [];
    let inside = "";
    if (empty === "") {
      for (;;) {
        inside += take(/^[^<]*/)[0];
        if (rest.startsWith("</")) break;
        children.push(element());
      }
      take(new RegExp(`^</${name}>`));
    }
    return { name, attributes, children, text: decode(inside) };
  };
  const root = element();
  assert.equal(rest, "\n");
  return root;
}

/** What the schemas of JUnit's reports have in common. */
function checkJunit({ name, attributes, children }) {
  const count = (suite, name) => suite.children.filter((one) => one.children.some((child) => child.name === name)).length;
  assert.deepEqual([name, Object.keys(attributes)], ["testsuites", ["name", "tests", "failures", "errors"]]);
  for (const key of ["tests", "failures", "errors"]) {
    assert.equal(Number(attributes[key]), children.reduce((sum, suite) => sum + Number(suite.attributes[key]), 0), key);
  }
  for (const suite of children) {
    const { name, attributes: { tests, failures, errors, skipped } } = suite;
    const [properties, ...cases] = suite.children;
    assert.deepEqual([name, properties.name, properties.children.map((one) => Object.keys(one.attributes))], ["testsuite", "properties", [["name", "value"]]]);
    assert.deepEqual([tests, failures, errors, skipped].map(Number), [cases.length, count(suite, "failure"), count(suite, "error"), count(suite, "skipped")]);
    for (const one of cases) {
      assert.deepEqual([one.name, Object.keys(one.attributes), one.children.length], ["testcase", ["classname", "name"], 1]);
      const [end] = one.children;
      const keys = { failure: ["type", "message"], error: ["type", "message"], skipped: ["message"], "system-out": [] };
      assert.deepEqual(Object.keys(end.attributes), keys[end.name]);
    }
  }
}
