// The command line: what goes where, and with which exit code it ends.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { install, vectors } from "./fixture.mjs";
import { judge, say, send, serve, useServers } from "./scripted.mjs";

describe("the command line", { concurrency: 2, timeout: 240_000 }, () => {
  let project, request;
  const server = useServers();
  const file = (name) => join(project.folder, name);
  before(async () => {
    project = await install();
    const example = await vectors("worked_example.json");
    request = example.request;
    await writeFile(file("request.json"), JSON.stringify(request));
    await writeFile(file("recording.json"), JSON.stringify(example.recording));
    await writeFile(file("broken.json"), '{\n  "profile": "code",\n  "evidence": [x]\n}\n');
    await writeFile(file("latin1.json"), Buffer.from([0x22, 0xe4, 0x22]));
    await writeFile(file("key"), "sk-from-a-file\n");
  });
  after(() => project.remove());

  test("verify prints a summary, the report as JSON, or its Markdown", async () => {
    const summary = await project.cli(["verify", "request.json"]);
    assert.deepEqual([summary.code, summary.stderr], [0, ""]);
    assert.match(summary.stdout, /^VERIFIED +C0: Table users.*\n.*delta 0\.\d\d.*\n\nPROCEED: .*\n$/);

    const json = await project.cli(["verify", "-", "--judge", "recorded:recording.json", "--json"], { input: JSON.stringify(request) });
    assert.deepEqual([json.code, json.stderr], [0, ""]);
    assert.equal(JSON.parse(json.stdout).claims[0].delta, 0.65);

    const markdown = await project.cli(["verify", "request.json", "--judge=recorded:recording.json", "--markdown", "--profile", "data"]);
    assert.equal(markdown.stdout, await vectors("worked_example.data.md"));
  });

  test("scrub prints the spans, or all of it as JSON", async () => {
    const spans = await project.cli(["scrub", "request.json"]);
    assert.deepEqual([spans.code, spans.stderr], [0, ""]);
    assert.match(spans.stdout, /^S0 \(database docs\): \[TABLE_1\]\.\[FIELD_1\] stores .*VARCHAR\(\[NUM_1\]\)$/m);
    const json = await project.cli(["scrub", "request.json", "--json"]);
    assert.equal(JSON.parse(json.stdout).spans.length, 2);
  });

  test("scrub shows what decides, and says for which claims that is nothing", async () => {
    const scrubbed = async (more) => {
      const { code, stdout, stderr } = await project.cli(["scrub", "-"], { input: JSON.stringify({ ...request, ...more }) });
      assert.equal(code, 0, stderr);
      return [stdout, stderr];
    };
    const [own] = await scrubbed({});
    assert.doesNotMatch(own, /REDACTED/);
    const [redacted] = await scrubbed({ nulls: ["redact_spans", "identifiers"] });
    assert.match(redacted, /^S0 .*: \[REDACTED\]\n/);
    assert.deepEqual(await scrubbed({ nulls: ["no_evidence"] }), ["", "claimgauge: The scrubbed pass is shown no evidence\n"]);
    const [, told] = await scrubbed({ claims: [...request.claims, { id: "W", text: "It is well known" }] });
    assert.equal(told, "claimgauge: Of W nothing was taken out: its scrubbed pass is shown [REDACTED] in place of each text\n");
  });

  test("a profile of the caller's own comes from a file, and what is wrong in it is told of that file", async () => {
    const profile = (pattern) => ({ extends: "code", kinds: [{ kind: "TICKET", patterns: [pattern] }] });
    await writeFile(file("own.json"), JSON.stringify(profile("[A-Z]{2,5}-\\d+")));
    await writeFile(file("bad.json"), JSON.stringify(profile("OPS-(\\d")));
    const input = JSON.stringify({ profile: "data", evidence: ["OPS-17 is closed"], claims: ["OPS-17 is closed"] });
    const scrubbed = await project.cli(["scrub", "-", "--profile-file", "own.json"], { input });
    assert.deepEqual(scrubbed, { code: 0, signal: null, stdout: "S0: [TICKET_1] is closed\n", stderr: "" });
    const verified = await project.cli(["verify", "-", "--profile-file", "own.json", "--json"], { input });
    assert.deepEqual([verified.code, JSON.parse(verified.stdout).claims[0].removed.gone], [0, 1], verified.stderr);
    for (const command of ["scrub", "verify"]) {
      const bad = await project.cli([command, "-", "--profile-file", "bad.json"], { input });
      assert.equal(bad.code, 2);
      assert.match(bad.stderr, /bad\.json: profile\.kinds\.0\.patterns\.0: Unclosed group at column 5: "\(\\\\d" \[invalid_pattern\]/);
    }
    const both = await project.cli(["scrub", "-", "--profile-file", "own.json", "--profile", "code"], { input });
    assert.deepEqual([both.code, both.stdout], [2, ""]);
  });

  describe("bench", () => {
    // The reply to a claim with "right" is sure of the full evidence, and not of the scrubbed.
    const judging = (request, response) => {
      const question = request.json.messages[1].content;
      if (question.includes("is right")) return judge(request, response);
      say(response, '{"verdict":"CONTRADICTED","confidence":0.9}');
    };
    const line = (at, label) => ({ id: `c${at}`, claim: `users.field${at} is ${label ? "right" : "wrong"}`, evidence: [`users.field${at} is here`], label });
    const lines = Array.from({ length: 12 }, (_, at) => line(at, at % 2));
    before(async () => {
      await writeFile(file("cases.jsonl"), lines.map((one) => `${JSON.stringify(one)}\n`).join("\n"));
      await writeFile(file("bad.jsonl"), `${JSON.stringify(lines[0])}\n{"claim":"x"}\n`);
    });

    test("tells how well the judge knows the labels, and fits thresholds that verify takes", async () => {
      const { baseUrl } = await server(judging);
      const asked = ["--judge", "openai", "--base-url", baseUrl, "--model", "small"];
      const { code, stdout, stderr } = await project.cli(["bench", "cases.jsonl", ...asked, "--null", "identifiers", "--null", "no_evidence", "--fit", "fitted.json"]);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /^6 claims that the evidence supports, 6 that it does not\.$/m);
      assert.match(stdout, /^\| full pass alone \| 12 \| 1\.000 \(0\.\d{3} to 1\.000\) \| 1\.000 \(0\.\d{3} to 1\.000\) \|$/m);
      assert.match(stdout, /^\| delta, no_evidence \| 12 \|/m);
      assert.match(stdout, /^\| VERIFIED \| 6 \| 0 \|$/m);
      const verified = await project.cli(["verify", "request.json", ...asked, "--thresholds", "fitted.json", "--json"]);
      assert.equal(verified.stderr, "");
      assert.equal(JSON.parse(verified.stdout).claims.length, 1);
    });

    test("a sample has every kind, and a second run asks nothing", async () => {
      const { baseUrl, requests } = await server(judging);
      const asked = ["bench", "cases.jsonl", "--judge", "openai", "--base-url", baseUrl, "--model", "small", "--sample", "4", "--cache", "answers", "--json"];
      const first = JSON.parse((await project.cli(asked)).stdout);
      assert.deepEqual([first.supported, first.unsupported], [2, 2]);
      const count = requests.length;
      assert.deepEqual(JSON.parse((await project.cli(asked)).stdout), first);
      assert.equal(requests.length, count);
    });

    test("a refused key ends it with what is done", async () => {
      const { baseUrl } = await server((request, response, number) =>
        number < 8 ? judging(request, response) : send(response, 401, { error: { message: "No" } }),
      );
      const { code, stdout, stderr } = await project.cli(["bench", "cases.jsonl", "--judge", "openai", "--base-url", baseUrl, "--model", "small", "--concurrency", "1", "--json"]);
      const { supported, unsupported } = JSON.parse(stdout);
      assert.deepEqual([code, supported + unsupported], [3, 4]);
      assert.match(stderr, /8 of 12 claims were not judged/);
    });

    test("a server that goes away ends it, and what was lost is not counted", async () => {
      let gone = true;
      const { baseUrl, requests } = await server((request, response, number) =>
        gone && number >= 4 ? send(response, 200, "<!doctype html>") : judging(request, response),
      );
      const asked = ["bench", "cases.jsonl", "--judge", "openai", "--base-url", baseUrl, "--model", "small", "--concurrency", "1", "--cache", "kept", "--json"];
      const first = await project.cli(asked);
      const { supported, unsupported } = JSON.parse(first.stdout);
      assert.deepEqual([first.code, supported + unsupported], [3, 2]);
      assert.match(first.stderr, /10 of 12 claims were not judged/);
      assert.ok(requests.length <= 4 + 3 * 2, `${requests.length} requests`);
      gone = false;
      const second = JSON.parse((await project.cli(asked)).stdout);
      assert.deepEqual([second.supported, second.unsupported], [6, 6]);
    });

    test("limits are those of the whole run, and what they left out is not counted", async () => {
      const { baseUrl, requests } = await server(judging);
      const asked = ["bench", "cases.jsonl", "--judge", "openai", "--base-url", baseUrl, "--model", "small", "--json"];
      const { code, stdout, stderr } = await project.cli([...asked, "--max-calls", "10", "--concurrency", "1"]);
      const { supported, unsupported } = JSON.parse(stdout);
      assert.deepEqual([code, requests.length, supported + unsupported], [3, 10, 5]);
      assert.match(stderr, /7 of 12 claims were not judged/);
      const none = await project.cli([...asked, "--max-tokens", "0", "--concurrency", "8"]);
      assert.deepEqual([none.code, requests.length], [3, 10]);
      // What is known costs nothing.
      const cached = [...asked, "--cache", "limited"];
      assert.equal((await project.cli([...cached, "--sample", "6"])).code, 0);
      const after = requests.length;
      const rest = await project.cli([...cached, "--max-calls", "0"]);
      assert.deepEqual([rest.code, requests.length], [3, after]);
      assert.match(rest.stderr, /6 of 12 claims were not judged/);
    });

    test("one claim is one claim", async () => {
      await writeFile(file("one.jsonl"), JSON.stringify(lines[1]));
      const { stdout } = await project.cli(["bench", "one.jsonl"]);
      assert.match(stdout, /^1 claim that the evidence supports, 0 that it does not\.$/m);
    });

    test("a file that cannot be written does not take the result along", async () => {
      const { code, stdout, stderr } = await project.cli(["bench", "cases.jsonl", "--fit", "no/such/fit.json"]);
      assert.deepEqual([code, stdout.split("\n")[0]], [2, "6 claims that the evidence supports, 6 that it does not."]);
      assert.match(stderr, /^claimgauge: no\/such\/fit\.json: it cannot be written: /);
    });

    test("neither what is read nor a pipe is written over", async () => {
      await writeFile(file("own.json"), JSON.stringify({ verified: { delta: 0.3, confidence: 0.7 } }));
      await writeFile(file("replies.json"), "[]");
      execFileSync("mkfifo", [file("fit.fifo")]);
      const rows = [
        ["./cases.jsonl", /it is read/], ["own.json", /it is read/, "--thresholds", "own.json"],
        ["replies.json", /it is read/, "--judge", "recorded:replies.json"],
        ["fit.fifo", /fit\.fifo is a device or a pipe .*\[output_taken\]/], [".", /\. is a folder .*\[output_taken\]/], ["-", /--fit takes a file/],
      ];
      const kept = () => Promise.all(["cases.jsonl", "own.json", "replies.json"].map((name) => readFile(file(name), "utf8")));
      const before = await kept();
      for (const [fit, why, ...more] of rows) {
        const { code, stdout, stderr } = await project.cli(["bench", "cases.jsonl", "--fit", fit, ...more]);
        assert.deepEqual([code, stdout], [2, ""], fit);
        assert.match(stderr, why);
      }
      assert.deepEqual(await kept(), before);
    });

    test("more open questions than claims are as many as there can be", async () => {
      const { code, stderr } = await project.cli(["bench", "cases.jsonl", "--concurrency", "999999999"]);
      assert.deepEqual([code, stderr], [0, ""]);
    });

    test("what is wrong with thresholds names their file", async () => {
      await writeFile(file("high.json"), '{ "verified": { "full": 1.5 } }');
      const { code, stderr } = await project.cli(["bench", "cases.jsonl", "--thresholds", "high.json"]);
      assert.equal(code, 2);
      assert.match(stderr, /^claimgauge: high\.json: thresholds\.verified\.full: /);
    });

    test("what is wrong with a line is told by its number", async () => {
      const { code, stdout, stderr } = await project.cli(["bench", "bad.jsonl"]);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /bad\.jsonl: .*line 2.*evidence/);
    });
  });

  test("an input without an end is refused", async () => {
    const { code, stderr } = await project.cli(["scrub", "/dev/zero"]);
    assert.equal(code, 2);
    assert.match(stderr, /^claimgauge: \/dev\/zero: larger than 128 MB \(.*claimgauge batch/);
  });

  test("no text of a request draws on the terminal or makes a line of its own", async () => {
    const id = "S\u001b[2J\nVERIFIED";
    const request = { profile: "code", evidence: [{ id, text: "one\u001b[31m\ntwo", source: id }], claims: [{ id, text: "users is one" }] };
    const commands = [["scrub"], ["verify"], ...["markdown", "github", "junit", "sarif", "json"].map((format) => ["verify", `--${format}`])];
    for (const command of commands) {
      const { stdout } = await project.cli([...command, "-"], { input: JSON.stringify(request) });
      assert.ok(stdout.length > 0, command.join(" "));
      assert.doesNotMatch(stdout, /[\0-\x08\x0b-\x1f\x7f-\x9f]|^VERIFIED/m, command.join(" "));
    }
  });

  test("files are found whatever they are called, but for names that are not UTF-8, of which that is told", async () => {
    const text = JSON.stringify({ ...request, claims: ["Table users contains field email with length 512"] });
    const names = ["-dash.json", "a\nVERIFIED b.json", " .json", "%0A::error::.json", "<a>&\"]]>.json", `${"n".repeat(250)}.json`, "端口 🙂.json"];
    for (const name of names) {
      await writeFile(file(name), text);
      const { code, stdout } = await project.cli(["verify", "--", name]);
      assert.equal(code, 1, name);
      assert.doesNotMatch(stdout, /^VERIFIED/m, name);
      for (const format of ["github", "junit", "sarif"]) {
        const named = (await project.cli(["verify", `--${format}`, "--", name])).stdout;
        assert.doesNotMatch(named, /^(VERIFIED|::error::)/m, name);
        if (format === "sarif") assert.equal(decodeURIComponent(JSON.parse(named).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri), name);
      }
    }
    for (const [name, message] of [["n".repeat(5000), /n: ENAMETOOLONG/], ["nowhere/x.json", /: there is no such file$/], ["request.json/x", /ENOTDIR/], ["bad\ufffd.json", /: there is no such file; where its name is not UTF-8, hand it in/]]) {
      const { code, stdout, stderr } = await project.cli(["verify", name]);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr.trimEnd(), message);
    }
  });

  test("1: STOP, or a status at or below --fail-on", async () => {
    const wrong = JSON.stringify({ ...request, claims: ["Table users contains field email with length 512"] });
    const stop = await project.cli(["verify", "-"], { input: wrong });
    assert.deepEqual([stop.code, stop.stdout.split(" ")[0]], [1, "UNSUPPORTED"]);
    const ended = [];
    for (const status of ["PLAUSIBLE", "VERIFIED"]) {
      const { code, stderr } = await project.cli(["verify", "request.json", "--fail-on", status]);
      ended.push([code, /--fail-on VERIFIED: 1 of 1 claims has/.test(stderr)]);
    }
    assert.deepEqual(ended, [[0, false], [1, true]]);
  });

  test("1: a status at or below --fail-on, also where the judge left another claim open", async () => {
    const { baseUrl } = await server((asked, response) => (asked.json.messages[1].content.includes("host") ? say(response, "I have seen it") : judge(asked, response)));
    const two = { ...request, claims: [...request.claims, "The host is users"], evidence: [...request.evidence] };
    const asked = ["verify", "-", "--judge", "openai", "--base-url", baseUrl, "--model", "m"];
    const [open, failing] = [await project.cli(asked, { input: JSON.stringify(two) }), await project.cli([...asked, "--fail-on", "VERIFIED"], { input: JSON.stringify(two) })];
    assert.deepEqual([open.code, failing.code], [3, 1]);
    const only = JSON.stringify({ ...two, claims: ["The host is users"] });
    assert.equal((await project.cli([...asked, "--fail-on", "VERIFIED"], { input: only })).code, 3);
  });

  test("2: whatever is a bug, a trap of a module too", async () => {
    await writeFile(file("bug.cjs"), 'Array.of = () => { throw new RangeError("broken"); };');
    await writeFile(file("other.cjs"), 'process.stdout.write = () => { throw new TypeError("broken"); };');
    for (const name of ["bug", "other"]) {
      const { code, stdout, stderr } = await project.cli(["scrub", "request.json"], { env: { NODE_OPTIONS: `--require ./${name}.cjs` } });
      assert.deepEqual([code, stdout], [2, ""], name);
      assert.match(stderr, name === "bug" ? /^claimgauge: The call failed inside: broken .*\[internal\]/ : /This is a bug, please report it: TypeError: broken/);
    }
  });

  test("2: bad usage and bad input, told on stderr with the place", async () => {
    const rows = [
      [[], /^$/],
      [["verfy", "x"], /no command "verfy"/],
      [["verify"], /Name a file, or - for the standard input, or give --claim and --evidence/],
      [["report"], /Name one FILE, or - for the standard input/],
      [["verify", "a.json", "b.json"], /Name one FILE/],
      [["help", "verfy"], /no command "verfy"/],
      [["verify", "request.json", "--json", "--sarif"], /Give one of --json and --sarif/],
      [["verify", "nowhere.json"], /nowhere\.json: there is no such file/],
      [["verify", "."], /it is a folder/],
      [["verify", "broken.json"], /broken\.json: not JSON: .* line 3 column 16/],
      [["verify", "latin1.json"], /latin1\.json: not UTF-8/],
      [["verify", "request.json", "--profile", "nope"], /profile: Unknown profile "nope" .*\[unknown_profile\]/],
      [["verify", "request.json", "--fail-on", "BAD"], /--fail-on takes one of/],
      [["verify", "request.json", "--judge", "magic"], /no judge "magic"/],
      [["verify", "request.json", "--judge", "openai"], /needs --base-url and --model/],
      [["verify", "request.json", "--judge", "openai", "--base-url", "here", "--model", "m"], /baseUrl: "here" is no http or https address/],
      [["verify", "request.json", "--judge", "anthropic"], /anthropic needs --model/],
      [["verify", "request.json", "--model", "m"], /--model is for --judge anthropic, gemini, ollama, openai, openai-responses/],
      [["verify", "request.json", "--samples", "3"], /--samples is for --judge anthropic/],
      [["verify", "request.json", "--judge", "recorded:request.json"], /request\.json: recordings: Expected array/],
      [["verify", "request.json", "--max-calls", "-1"], /--max-calls/],
      [["verify", "request.json", "--api-key", "sk"], /never an argument/],
      [["scrub", "request.json", "--markdown"], /--markdown/],
      [["verify", "request.json", "--profil", "code"], /Unknown option '--profil'; see claimgauge verify --help\.$/m],
      [["scrub", "recording.json"], /recording\.json: Expected object, received array/],
    ];
    for (const [args, message] of rows) {
      const { code, stdout, stderr } = await project.cli(args);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, message);
      assert.equal(/Usage/.test(stdout), args.length === 0);
    }
    const field = await project.cli(["verify", "-"], { input: '{"profile":"code","evidence":[],"claims":[{"txt":"x"}]}' });
    assert.equal(field.code, 2);
    assert.match(field.stderr, /the standard input: claims\.0\.txt: There is no field "txt"/);
  });

  test("a temperature is sent where it is given", async () => {
    const { baseUrl, requests } = await server(judge);
    const asked = ["verify", "request.json", "--judge", "openai", "--base-url", baseUrl, "--model", "small"];
    await project.cli(asked);
    await project.cli([...asked, "--temperature", "0"]);
    assert.deepEqual(requests.map(({ json }) => json.temperature), [undefined, undefined, 0, 0]);
    const { code, stderr } = await project.cli([...asked, "--temperature", "warm"]);
    assert.equal(code, 2);
    assert.match(stderr, /--temperature takes a number/);
  });

  test("a cache that can keep nothing is told before anything is asked", async () => {
    const { baseUrl, requests } = await server(judge);
    for (const place of ["request.json", "request.json/answers"]) {
      const { code, stderr } = await project.cli(["verify", "request.json", "--judge", "openai", "--base-url", baseUrl, "--model", "small", "--cache", place]);
      assert.equal(code, 2, place);
      assert.match(stderr, /No answers can be kept in "request\.json/);
    }
    assert.equal(requests.length, 0);
  });

  test("every provider is asked at its own path; what is known is not asked again", async () => {
    const paths = {
      anthropic: "/v1/messages",
      gemini: "/v1/models/m:generateContent",
      ollama: "/v1/api/chat",
      "openai-responses": "/v1/responses",
      openai: "/v1/chat/completions",
    };
    const { baseUrl, requests, close } = await serve((_, response) => send(response, 200, { choices: [{ message: { content: "ENTAILED 0.9" } }] }));
    for (const [name, path] of Object.entries(paths)) {
      await project.cli(["verify", "request.json", "--judge", name, "--base-url", baseUrl, "--model", "m"]);
      assert.equal(requests.at(-1).url, path);
    }
    const before = requests.length;
    const args = ["verify", "request.json", "--judge", "openai", "--base-url", baseUrl, "--model", "m", "--samples", "3", "--cache", "answers", "--json"];
    const first = JSON.parse((await project.cli(args)).stdout);
    const second = JSON.parse((await project.cli([...args, "--max-tokens", "0"])).stdout);
    assert.deepEqual([requests.length - before, first.cost.calls, second.cost.calls], [6, 6, 0]);
    assert.deepEqual(second.claims, first.claims);
    assert.equal(first.claims[0].full.basis, "sampled");
    await close();
  });

  test("3: the judge failed; the key is from the environment or a file", async () => {
    const { baseUrl, requests } = await server((request, response) =>
      request.headers.authorization === "Bearer sk-from-a-file" ? judge(request, response) : send(response, 401, {}),
    );
    const args = ["verify", "request.json", "--judge", "openai", "--base-url", baseUrl, "--model", "m"];
    const refused = await project.cli(args, { env: { CLAIMGAUGE_API_KEY: "sk-other" } });
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /apiKey: The judge refused the key .*\[judge_unauthorized\]/);
    assert.equal(requests[0].headers.authorization, "Bearer sk-other");
    assert.doesNotMatch(refused.stdout + refused.stderr, /sk-other/);
    const taken = await project.cli([...args, "--api-key-file", "key"]);
    assert.deepEqual([taken.code, taken.stderr], [0, ""]);
    await writeFile(join(project.folder, "empty.key"), " \n");
    const empty = await project.cli([...args, "--api-key-file", "empty.key"], { env: { CLAIMGAUGE_API_KEY: "sk-from-a-file" } });
    assert.deepEqual([empty.code, empty.stdout, empty.stderr], [2, "", "claimgauge: empty.key: there is no key in it\n"]);
  });

  test("130: interrupted, with what is done", async () => {
    const interrupted = async (signal) => {
      const { baseUrl, requests } = await server(() => {});
      const { code, stdout } = await project.cli(["verify", "request.json", "--judge", "openai", "--base-url", baseUrl, "--model", "m"], {
        started: (child) => {
          const timer = setInterval(() => {
            if (requests.length === 0) return;
            clearInterval(timer);
            child.kill(signal);
          }, 10);
        },
      });
      assert.deepEqual([signal, code], [signal, 130]);
      assert.match(stdout, /^INCONCLUSIVE C0/);
    };
    await Promise.all(["SIGHUP", "SIGINT", "SIGTERM"].map(interrupted));
  });

  test("130: interrupted among requests of which each is judged at once, and before the first", async () => {
    const COUNT = 20_000;
    const request = (at) => JSON.stringify({ profile: "documentation", evidence: [`The port is ${at}`], claims: [`The port is ${at}`] });
    await writeFile(file("many.jsonl"), Array.from({ length: COUNT }, (_, at) => request(at)).join("\n"));
    const cli = join(project.folder, "node_modules/.bin/claimgauge");
    const interrupted = async (signal) => {
      // A file is written to without a pause, unlike a pipe.
      const out = file(`${signal}.jsonl`);
      const output = await open(out, "w");
      const child = spawn(cli, ["verify", "many.jsonl", "--json"], { cwd: project.folder, stdio: ["ignore", output.fd, "ignore"] });
      const closed = new Promise((resolve) => child.on("close", (code) => resolve(code)));
      while (child.exitCode === null && (await stat(out)).size === 0) await sleep(10);
      child.kill(signal);
      assert.deepEqual([signal, await closed], [signal, 130]);
      await output.close();
      assert.ok((await readFile(out, "utf8")).trimEnd().split("\n").length < COUNT);
    };
    const waiting = async (signal) => {
      const fifo = file(`${signal}.fifo`);
      execFileSync("mkfifo", [fifo]);
      const child = spawn(cli, [signal === "SIGINT" ? "scrub" : "verify", fifo], { stdio: "ignore" });
      const closed = new Promise((resolve) => child.on("close", (code) => resolve(code)));
      // As soon as the command has opened it, too.
      const input = await open(fifo, "w");
      child.kill(signal);
      assert.deepEqual([signal, await closed], [signal, 130]);
      await input.close();
    };
    for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) await Promise.all([interrupted(signal), waiting(signal)]);
  });

  test("--help names the commands, --version the version", async () => {
    const help = await project.cli(["--help"]);
    assert.equal(help.code, 0);
    for (const word of ["verify", "check-output", "130"]) assert.ok(help.stdout.includes(word));
    assert.match((await project.cli(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
  });
});
