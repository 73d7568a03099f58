// openai(): against a server that fails in every way, each with its outcome.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";

import { thrownBy, usePackage, vectors } from "./fixture.mjs";
import { judge, say, send, useServers } from "./scripted.mjs";

const { request } = await vectors("worked_example.json");

const KEY = "sk-very-secret-0123456789";

describe("openai", { concurrency: true, timeout: 60_000 }, () => {
  let claimgauge, judges;
  const serve = useServers();
  usePackage((used) => ({ claimgauge, judges } = used));

  /** Verifies the worked example against a scripted server. */
  async function ask(script, settings = {}, options = {}) {
    const server = await serve(script);
    const openai = judges.openai({ baseUrl: server.baseUrl, apiKey: KEY, model: "small", ...settings });
    const report = await claimgauge.verify(options.request ?? request, { judge: openai, ...options.verify });
    const [claim] = report.claims;
    return { report, claim, requests: server.requests };
  }

  const manyClaims = () => ({ ...request, claims: Array.from({ length: 10 }, (_, at) => `users.email has length ${at}`) });

  test("asks as OpenAI's interface wants it, and keeps the reply and the counts", async () => {
    const { report, claim, requests } = await ask(judge, { temperature: 0, maxTokens: 50 });
    assert.deepEqual([claim.status, claim.delta, claim.full.basis], ["VERIFIED", 0.65, "verbal"]);
    assert.deepEqual(claim.full.raw, ['{"verdict":"ENTAILED","confidence":0.95}']);
    assert.deepEqual(report.cost, { calls: 2, promptTokens: 1800, completionTokens: 40 });
    assert.equal(requests.length, 2);
    const [{ method, url, headers, json }] = requests;
    assert.deepEqual([method, url, headers.authorization], ["POST", "/v1/chat/completions", `Bearer ${KEY}`]);
    assert.deepEqual([json.model, json.temperature, json.max_tokens, json.stream], ["small", 0, 50, false]);
    assert.deepEqual(json.messages.map(({ role }) => role), ["system", "user"]);
    const { schema } = json.response_format.json_schema;
    assert.deepEqual(schema.required, ["verdict", "confidence"]);
    assert.deepEqual(Object.keys(schema.properties), ["verdict", "confidence", "reasoning"]);
  });

  test("sends no parameter and no key that is not set", async () => {
    const { requests } = await ask(judge, { apiKey: undefined });
    assert.equal("temperature" in requests[0].json || "max_tokens" in requests[0].json, false);
    assert.equal(requests[0].headers.authorization, undefined);
  });

  test("401 stops the run, names the key as the cause and does not show it", async () => {
    const script = (_, response) => send(response, 401, { error: { message: `Incorrect API key: ${KEY}`, code: "invalid_api_key" } });
    const { report, claim, requests } = await ask(script, {}, { request: manyClaims(), verify: { concurrency: 1 } });
    assert.equal(requests.length, 1);
    const { error } = claim.full;
    assert.deepEqual([error.code, error.path], ["judge_unauthorized", "apiKey"]);
    assert.match(error.message, /HTTP 401.*Incorrect API key: \[REDACTED\]/);
    assert.equal(JSON.stringify(report).includes(KEY), false);
    assert.ok(report.claims.at(-1).flags.includes("stopped"));
    assert.equal(report.summary.inconclusive, 10);
  });

  test("a redirect is not followed: neither key nor evidence reaches another host", async () => {
    const other = await serve(judge);
    for (const status of [302, 307]) {
      const { claim, requests } = await ask(
        (_, response) => send(response, status, "", { location: `${other.baseUrl}/chat/completions` }),
        {},
        { verify: { concurrency: 1 } },
      );
      assert.deepEqual([claim.status, claim.full.error.code, claim.full.error.path], ["INCONCLUSIVE", "judge_redirected", "baseUrl"]);
      assert.equal(requests.length, 1);
    }
    assert.equal(other.requests.length, 0);
  });

  test("a body without end is given up, and a key that a reply quotes is in no report", async () => {
    const endless = await ask((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => response.destroyed || response.write("x".repeat(1 << 20), more);
      more();
    }, {}, { verify: { concurrency: 1 } });
    assert.equal(endless.claim.full.error.code, "judge_too_large");

    const echo = await ask((_, response) => say(response, `{"verdict":"UNSURE","confidence":0.3,"reasoning":"I got ${KEY}"}`));
    assert.equal(JSON.stringify(echo.report).includes(KEY), false);
    assert.match(echo.claim.full.raw[0], /I got \[REDACTED\]/);
  });

  test("a key that a server escapes is in no report, error or cache", async () => {
    const key = "sk-aB3/dE6+gH9&jK";
    const escapes = {
      PHP: (text) => text.replaceAll("/", "\\/"),
      Go: (text) => text.replaceAll("&", "\\u0026"),
      HTML: (text) => text.replaceAll("&", "&amp;").replaceAll("+", "&#43;").replaceAll("/", "&#x2F;"),
      "another case": (text) => text.toUpperCase(),
      "a broken line": (text) => `${text.slice(0, 7)}\\r\\n  ${text.slice(7)}`,
      "all of it": (text) => Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    };
    for (const [name, escape] of Object.entries(escapes)) {
      const words = `Invalid key: ${escape(key)}`;
      const refused = await ask((_, response) => send(response, 401, `{"error":{"message":"${words}"}}`), { apiKey: key });
      assert.match(refused.claim.full.error.message, /Invalid key: \[REDACTED\]/, name);
      const kept = claimgauge.memoryCache();
      const cached = [];
      const cache = { get: kept.get, set: (at, answer) => kept.set(at, cached[cached.push(answer) - 1]) };
      const reply = `{"verdict":"ENTAILED","confidence":0.9,"reasoning":"${words}"}`;
      const tokens = [key.slice(0, 9), key.slice(9)].map((token) => ({ token, logprob: -0.1 }));
      const script = (_, response) => say(response, reply, { logprobs: { content: tokens } });
      const echo = await ask(script, { apiKey: key }, { verify: { cache } });
      assert.equal(echo.claim.full.reasoning, "Invalid key: [REDACTED]", name);
      assert.equal(cached.length, 2);
      for (const part of [key, escape(key), key.slice(0, 9), key.slice(9)]) {
        assert.ok(![JSON.stringify([refused.report, echo.report]), ...cached].some((text) => text.includes(part)), `${name}: ${part}`);
      }
    }
  });

  test("half of a surrogate pair, which is JSON when it is escaped, spoils no reply", async () => {
    const script = (_, response) => send(response, 200, '{"choices":[{"message":{"content":"\\ud83d ENTAILED 0.9"}}]}');
    const { claim } = await ask(script);
    assert.deepEqual([claim.full.verdict, claim.full.raw], ["ENTAILED", ["\ufffd ENTAILED 0.9"]]);
  });

  test("a time longer than any timer is no time-out", async () => {
    const { claim } = await ask(judge, { timeoutMs: 2 ** 40 });
    assert.equal(claim.status, "VERIFIED");
  });

  test("429 waits as long as the server says, in seconds or until a date", async () => {
    const waits = { seconds: "1", date: () => new Date(Date.now() + 3000).toUTCString() };
    for (const [name, wait] of Object.entries(waits)) {
      const { claim, requests } = await ask((request, response, number) => {
        if (number > 0) return judge(request, response);
        send(response, 429, { error: { message: "Slow down" } }, { "retry-after": typeof wait === "string" ? wait : wait() });
      }, {}, { verify: { concurrency: 1 } });
      assert.equal(claim.status, "VERIFIED", name);
      const waited = requests[1].time - requests[0].time;
      // Without the header the first wait is half a second at most; a date has no parts of a second.
      assert.ok(waited > (name === "seconds" ? 990 : 1900), `${name}: waited ${waited} ms`);
    }
  });

  test("parts of a second are waited for, too; what is neither a number nor a date of HTTP is ignored", async () => {
    const waits = { 0.5: 990, 1.5: 1490, "-5": 240, soon: 240, "2001-02-03": 240, "Sun Nov  6 08:49:37 1994": 0 };
    await Promise.all(Object.entries(waits).map(async ([wait, least]) => {
      const { requests } = await ask((request, response, number) => {
        if (number > 0) return judge(request, response);
        send(response, 429, "", { "retry-after": wait });
      }, {}, { verify: { concurrency: 1 } });
      const waited = requests[1].time - requests[0].time;
      assert.ok(waited > least, `${wait}: waited ${waited} ms`);
    }));
  });

  test("429 for want of credit is not asked again", async () => {
    const script = (_, response) => send(response, 429, { error: { message: "No credit", code: "insufficient_quota" } });
    const { claim, requests } = await ask(script, {}, { verify: { concurrency: 1 } });
    assert.deepEqual([claim.full.error.code, requests.length], ["judge_quota", 1]);
  });

  test("500 is asked again, and fails after four tries", async () => {
    const once = await ask((request, response, number) => (number === 0 ? send(response, 500, "oops") : judge(request, response)));
    assert.deepEqual([once.claim.status, once.requests.length], ["VERIFIED", 3]);
    const always = await ask((_, response) => send(response, 503, { error: "overloaded" }), {}, { verify: { limits: { maxCalls: 1 } } });
    assert.deepEqual([always.claim.full.error.code, always.requests.length], ["judge_unavailable", 4]);
    assert.match(always.claim.full.error.message, /HTTP 503.*overloaded/);
  });

  test("a hang ends with the time allowed", async () => {
    const started = performance.now();
    const { claim, requests } = await ask(() => {}, { timeoutMs: 2000 }, { verify: { limits: { maxCalls: 1 } } });
    assert.equal(claim.full.error.code, "judge_timeout");
    assert.ok(requests.length > 1, "asked again");
    // Unless it is told otherwise, one try is a minute.
    assert.ok(performance.now() - started < 50_000);
  });

  test("a body that hangs ends with the time allowed too", async () => {
    const script = (_, response) => response.writeHead(200, { "content-type": "application/json" }).write('{"choices":');
    const { claim } = await ask(script, { timeoutMs: 100 }, { verify: { limits: { maxCalls: 1 } } });
    assert.equal(claim.full.error.code, "judge_timeout");
  });

  test("a fetch that hears no signal ends with the time allowed too", async () => {
    const never = () => new Promise(() => {});
    const body = () => new ReadableStream({ pull: never, cancel: never });
    const endless = () => new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1 << 20)), cancel: never });
    const rows = { "no answer": [never, "judge_timeout"], "half a body": [async () => new Response(body()), "judge_timeout"], "too much": [async () => new Response(endless()), "judge_too_large"] };
    for (const [name, [fetch, code]] of Object.entries(rows)) {
      const { claim } = await ask(() => {}, { timeoutMs: 500, fetch }, { verify: { limits: { maxCalls: 1 } } });
      assert.equal(claim.full.error.code, code, name);
    }
  });

  test("a cut body is asked again, and is no answer", async () => {
    const cut = (response) => {
      // Even the part that came holds a verdict.
      const text = JSON.stringify({ choices: [{ message: { content: '{"verdict":"ENTAILED","confidence":1}' } }] });
      response.writeHead(200, { "content-length": text.length + 10 }).write(text, () => response.destroy());
    };
    const once = await ask((request, response, number) => (number === 0 ? cut(response) : judge(request, response)));
    assert.deepEqual([once.claim.status, once.requests.length], ["VERIFIED", 3]);
    const always = await ask((_, response) => cut(response), {}, { verify: { limits: { maxCalls: 1 } } });
    assert.deepEqual([always.claim.full.error.code, always.requests.length], ["judge_cut", 4]);
  });

  test("HTML instead of JSON is told as that, and not asked again", async () => {
    const script = (_, response) => send(response, 200, "<!doctype html><title>ENTAILED 1</title>", { "content-type": "text/html" });
    const { claim, requests } = await ask(script, {}, { verify: { limits: { maxCalls: 1 } } });
    const { error } = claim.full;
    assert.deepEqual([error.code, error.path, requests.length], ["judge_not_json", "baseUrl", 1]);
    assert.match(error.message, /web page/);
  });

  test("a refused parameter is left out from then on", async () => {
    const { claim, requests } = await ask((request, response) => {
      if (!request.json.response_format) return judge(request, response);
      send(response, 400, { error: { message: "'response_format' is not supported" } });
    }, {}, { verify: { concurrency: 1 } });
    assert.equal(claim.status, "VERIFIED");
    assert.deepEqual(requests.map(({ json }) => "response_format" in json), [true, false, false]);
  });

  test("a reply that was cut by length counts only with a whole object", async () => {
    const script = (_, response) => say(response, '{"verdict":"ENTAILED","confidence":0.9', { finish_reason: "length" });
    const { claim } = await ask(script);
    assert.deepEqual([claim.full.error.code, claim.full.attempts], ["judge_unreadable", 3]);
  });

  test("a server that is not there is unreachable", async () => {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    const openai = judges.openai({ baseUrl: `http://127.0.0.1:${port}/v1`, model: "small" });
    const report = await claimgauge.verify(request, { judge: openai, limits: { maxCalls: 1 } });
    const { error } = report.claims[0].full;
    // Of pages there is no word where there is none.
    assert.deepEqual([error.code, error.path, error.hint], ["judge_unreachable", "baseUrl", "Check the address and that the server runs."]);
  });

  test("a signal ends a request and a wait at once", async () => {
    const scripts = {
      request: () => {},
      wait: (response) => send(response, 429, "", { "retry-after": "30" }),
    };
    for (const [name, script] of Object.entries(scripts)) {
      const cancel = new AbortController();
      let aborted, closed;
      const gone = new Promise((resolve) => (closed = resolve));
      const { report } = await ask((_, response) => {
        response.on("close", closed);
        script(response);
        setTimeout(() => {
          aborted = performance.now();
          cancel.abort();
        }, 100);
      }, {}, { verify: { signal: cancel.signal, concurrency: 1 } });
      // The wait would be 30 seconds, the request a minute.
      assert.ok(performance.now() - aborted < 25_000, name);
      assert.ok(report.claims[0].flags.includes("cancelled"), name);
      await gone;
    }
  });

  test("wrong settings are told before anything is asked", async () => {
    const rows = [
      [{ model: "m" }, "missing_field", "baseUrl"],
      [{ baseUrl: "localhost:8080", model: "m" }, "invalid_value", "baseUrl"],
      [{ baseUrl: "http://127.0.0.1/v1", model: " " }, "invalid_value", "model"],
      [{ baseUrl: "http://127.0.0.1/v1", model: "m", apiKey: "two\nlines" }, "invalid_value", "apiKey"],
      [{ baseUrl: "http://127.0.0.1/v1", model: "m", temperatur: 0 }, "unknown_field", "temperatur"],
      [{ baseUrl: "http://127.0.0.1/v1", model: "m", timeoutMs: 0 }, "invalid_value", "timeoutMs"],
    ];
    for (const [settings, code, path] of rows) {
      const error = await thrownBy(() => judges.openai(settings));
      assert.ok(error instanceof claimgauge.ClaimgaugeError, String(error));
      assert.deepEqual([error.code, error.path], [code, path]);
      assert.equal(error.message.includes("two\nlines"), false);
    }
  });

  test("another fetch may be used", async () => {
    const seen = [];
    const openai = judges.openai({
      baseUrl: "https://judge.example/v1/",
      model: "small",
      fetch: async (url, { body }) => {
        seen.push(url);
        const content = /_1\]/.test(body) ? "UNSURE 0.3" : "ENTAILED 0.95";
        return new Response(JSON.stringify({ choices: [{ message: { content } }] }));
      },
    });
    const report = await claimgauge.verify(request, { judge: openai });
    assert.equal(report.claims[0].status, "VERIFIED");
    assert.deepEqual(seen, Array(2).fill("https://judge.example/v1/chat/completions"));
  });
});
