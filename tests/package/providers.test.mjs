// anthropic(), gemini(), ollama() and openai() with its responses: against a server that speaks each
// one's published shapes. What all judges over HTTP share stands in openai.test.mjs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { thrownBy, usePackage, vectors } from "./fixture.mjs";
import { send, useServers } from "./scripted.mjs";

const { request } = await vectors("worked_example.json");

const KEY = "sk-very-secret-0123456789";
const ENTAILED = '{"verdict":"ENTAILED","confidence":0.95}';
const UNSURE = '{"verdict":"UNSURE","confidence":0.3}';

/** Token probabilities of a reply, as OpenAI and Ollama list them. */
const tokens = (content) => {
  const [sure, other] = content === ENTAILED ? ["ENTAILED", "UNSURE"] : ["UNSURE", "ENTAILED"];
  const top_logprobs = [sure, other, "CONTRADICTED"].map((token, at) => ({ token, logprob: Math.log([0.8, 0.15, 0.05][at]) }));
  return [{ token: '{"verdict":"', logprob: 0, top_logprobs: [] }, { ...top_logprobs[0], top_logprobs }];
};

/**
 * What is known of each provider: the judge, where it asks, what its requests hold, what its replies
 * look like, and how it says that something is wrong.
 */
const PROVIDERS = {
  anthropic: {
    judge: ({ anthropic }, settings) => anthropic(settings),
    path: "/v1/messages",
    headers: { "x-api-key": KEY, "anthropic-version": "2023-06-01", "anthropic-dangerous-direct-browser-access": "true" },
    user: (json) => json.messages[0].content,
    system: (json) => json.system,
    schema: (json) => json.output_config?.format.schema,
    optional: "output_config",
    limits: (json) => [json.temperature, json.max_tokens],
    reply: (content, { cut } = {}) => ({
      type: "message",
      role: "assistant",
      content: [{ type: "thinking", thinking: "CONTRADICTED?", signature: "x" }, { type: "text", text: content }],
      stop_reason: cut ? "max_tokens" : "end_turn",
      usage: { input_tokens: 500, cache_creation_input_tokens: 0, cache_read_input_tokens: 400, output_tokens: 20 },
    }),
    refusal: { type: "message", content: [], stop_reason: "refusal", usage: { input_tokens: 900, output_tokens: 1 } },
    unauthorised: [401, { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } }],
    busy: [429, { type: "error", error: { type: "rate_limit_error", message: "Slow down" } }],
    down: [529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
    unknown: (name) => ({ type: "error", error: { type: "invalid_request_error", message: `${name}: Extra inputs are not permitted` } }),
  },
  gemini: {
    judge: ({ gemini }, settings) => gemini(settings),
    path: "/v1/models/small:generateContent",
    headers: { "x-goog-api-key": KEY },
    user: (json) => json.contents[0].parts[0].text,
    system: (json) => json.systemInstruction.parts[0].text,
    schema: (json) => json.generationConfig.responseJsonSchema,
    optional: "responseJsonSchema",
    limits: (json) => [json.generationConfig.temperature, json.generationConfig.maxOutputTokens],
    reply: (content, { cut } = {}) => ({
      candidates: [
        {
          content: { role: "model", parts: [{ text: "CONTRADICTED?", thought: true }, { text: content }] },
          finishReason: cut ? "MAX_TOKENS" : "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 15, thoughtsTokenCount: 5, totalTokenCount: 920 },
    }),
    refusal: { promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: { promptTokenCount: 900 } },
    unauthorised: [
      400,
      {
        error: {
          code: 400,
          message: "API key not valid. Please pass a valid API key.",
          status: "INVALID_ARGUMENT",
          details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
        },
      },
    ],
    busy: [429, { error: { code: 429, message: "Resource has been exhausted", status: "RESOURCE_EXHAUSTED" } }],
    down: [503, { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }],
    unknown: (name) => ({
      error: {
        code: 400,
        message: `Invalid JSON payload received. Unknown name "${name}" at 'generation_config': Cannot find field.`,
        status: "INVALID_ARGUMENT",
      },
    }),
  },
  ollama: {
    judge: ({ ollama }, settings) => ollama(settings),
    path: "/v1/api/chat",
    headers: { authorization: `Bearer ${KEY}` },
    user: (json) => json.messages[1].content,
    system: (json) => json.messages[0].content,
    schema: (json) => json.format,
    optional: "format",
    limits: (json) => [json.options?.temperature, json.options?.num_predict],
    probabilities: true,
    reply: (content, { cut, logprobs } = {}) => ({
      model: "small",
      message: { role: "assistant", content, thinking: "CONTRADICTED?" },
      done: true,
      done_reason: cut ? "length" : "stop",
      prompt_eval_count: 900,
      eval_count: 20,
      ...(logprobs && { logprobs: tokens(content) }),
    }),
    unauthorised: [401, { error: "unauthorized" }],
    busy: [429, { error: "too many requests" }],
    down: [503, { error: "server busy, please try again. maximum pending requests exceeded" }],
    unknown: (name) => ({ error: `invalid value for ${name}` }),
  },
  openai_responses: {
    judge: ({ openai }, settings) => openai({ ...settings, api: "responses" }),
    path: "/v1/responses",
    headers: { authorization: `Bearer ${KEY}` },
    user: (json) => json.input[1].content,
    system: (json) => json.input[0].content,
    schema: (json) => json.text?.format.schema,
    optional: "text.format",
    limits: (json) => [json.temperature, json.max_output_tokens],
    probabilities: true,
    reply: (content, { cut, logprobs } = {}) => ({
      object: "response",
      status: cut ? "incomplete" : "completed",
      incomplete_details: cut ? { reason: "max_output_tokens" } : null,
      error: null,
      output: [
        { type: "reasoning", summary: [] },
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: content, annotations: [], ...(logprobs && { logprobs: tokens(content) }) }],
        },
      ],
      usage: { input_tokens: 900, output_tokens: 20, total_tokens: 920 },
    }),
    refusal: { output: [{ type: "message", content: [{ type: "refusal", refusal: "I cannot help with that." }] }] },
    unauthorised: [401, { error: { message: "Incorrect API key provided", type: "invalid_request_error", code: "invalid_api_key" } }],
    busy: [429, { error: { message: "Rate limit reached", type: "requests", code: "rate_limit_exceeded" } }],
    down: [503, { error: { message: "The server is overloaded", type: "server_error" } }],
    unknown: (name) => ({ error: { message: "Unsupported parameter", type: "invalid_request_error", param: name } }),
  },
};

for (const [name, provider] of Object.entries(PROVIDERS)) {
  describe(name, { concurrency: true, timeout: 60_000 }, () => {
    let claimgauge, judges;
    const serve = useServers();
    usePackage((used) => ({ claimgauge, judges } = used));

    /** Verifies the worked example against a scripted server; one question at a time. */
    async function ask(script, settings = {}, { about = request, ...options } = {}) {
      const server = await serve(script);
      const { baseUrl } = server;
      const judge = provider.judge(judges, { baseUrl, apiKey: KEY, model: "small", ...settings });
      const report = await claimgauge.verify(about, { judge, concurrency: 1, ...options });
      const [claim] = report.claims;
      return { report, claim, requests: server.requests };
    }
    const content = ({ json }) => (/_1\]/.test(provider.user(json)) ? UNSURE : ENTAILED);
    const answer = (request, response, how) => send(response, 200, provider.reply(content(request), how));
    const once = { limits: { maxCalls: 1 } };

    test("asks as the interface wants it, and keeps the reply and the counts", async () => {
      const { report, claim, requests } = await ask(answer, { temperature: 0, maxTokens: 50 });
      assert.deepEqual([claim.status, claim.delta, claim.full.basis], ["VERIFIED", 0.65, "verbal"]);
      assert.deepEqual([claim.full.raw, claim.scrubbed.raw], [[ENTAILED], [UNSURE]]);
      assert.deepEqual(report.cost, { calls: 2, promptTokens: 1800, completionTokens: 40 });
      const [{ method, url, headers, json }] = requests;
      assert.deepEqual([method, url, headers["content-type"]], ["POST", provider.path, "application/json"]);
      for (const [header, value] of Object.entries(provider.headers)) assert.equal(headers[header], value);
      assert.deepEqual(provider.limits(json), [0, 50]);
      assert.deepEqual(Object.keys(provider.schema(json).properties), ["verdict", "confidence", "reasoning"]);
      assert.match(provider.system(json), /ENTAILED: /);
      assert.match(provider.user(json), /^<evidence .*\nClaim: "Table users [^\n]*$/s);
      assert.equal("stream" in json && json.stream, false);
    });

    test("sends no header that is not needed, and no key or temperature that is not set", async () => {
      const seen = [];
      const judge = provider.judge(judges, {
        baseUrl: "https://judge.example/v1/",
        model: "small",
        fetch: async (url, { headers, body }) => {
          seen.push({ url, headers, body });
          return new Response(JSON.stringify(provider.reply(content({ json: JSON.parse(body) }))));
        },
      });
      const { claims } = await claimgauge.verify(request, { judge, concurrency: 1 });
      assert.equal(claims[0].status, "VERIFIED");
      assert.equal(seen[0].url, `https://judge.example${provider.path}`);
      const { authorization, "x-api-key": _, "x-goog-api-key": __, ...others } = provider.headers;
      assert.deepEqual(Object.fromEntries(seen[0].headers), { "content-type": "application/json", ...others });
      assert.doesNotMatch(seen[0].body, /temperature/);
    });

    test("both passes have one basis", async () => {
      const both = ({ full, scrubbed }) => [full.basis, scrubbed.basis, full.confidence.toFixed(2), scrubbed.confidence.toFixed(2)];
      const { claim } = await ask((request, response) => answer(request, response, { logprobs: true }));
      assert.deepEqual(both(claim), provider.probabilities ? ["logprob", "logprob", "0.80", "0.80"] : ["verbal", "verbal", "0.95", "0.30"]);
      if (!provider.probabilities) return;
      // A server that has them, and one that refuses to be asked for them.
      const refusing = await ask((request, response) => {
        if (!("top_logprobs" in request.json)) return answer(request, response);
        send(response, 400, provider.unknown("top_logprobs"));
      });
      assert.deepEqual(both(refusing.claim), ["verbal", "verbal", "0.95", "0.30"]);
      assert.deepEqual(refusing.requests.map(({ json }) => "top_logprobs" in json), [true, false, false]);
      // One that has them once only.
      const changing = await ask((request, response, number) => answer(request, response, { logprobs: number === 0 }));
      assert.deepEqual([changing.claim.status, changing.claim.flags], ["INCONCLUSIVE", ["mixed_basis"]]);
    });

    test("a refused key stops the run and is not shown", async () => {
      const claims = Array.from({ length: 5 }, (_, at) => `users.email has length ${at}`);
      const [status, body] = provider.unauthorised;
      const { report, claim, requests } = await ask((_, response) => send(response, status, body), {}, { about: { ...request, claims } });
      assert.equal(requests.length, 1);
      assert.deepEqual([claim.full.error.code, claim.full.error.path], ["judge_unauthorized", "apiKey"]);
      assert.ok(report.claims.at(-1).flags.includes("stopped"));
      assert.equal(JSON.stringify(report).includes(KEY), false);
    });

    test("429 waits as long as the server says", async () => {
      const { claim, requests } = await ask((request, response, number) => {
        if (number > 0) return answer(request, response);
        send(response, ...provider.busy, { "retry-after": "1" });
      });
      assert.equal(claim.status, "VERIFIED");
      const waited = requests[1].time - requests[0].time;
      assert.ok(waited > 990 && waited < 4000, `waited ${waited} ms`);
    });

    test("a server that is down is asked again, and fails after four tries", async () => {
      const [status, body] = provider.down;
      const recovers = await ask((request, response, number) => (number === 0 ? send(response, status, body) : answer(request, response)));
      assert.deepEqual([recovers.claim.status, recovers.requests.length], ["VERIFIED", 3]);
      const { claim, requests } = await ask((_, response) => send(response, status, body), {}, once);
      assert.deepEqual([claim.full.error.code, requests.length], ["judge_unavailable", 4]);
      assert.match(claim.full.error.message, new RegExp(`HTTP ${status}.*${(body.error.message ?? body.error).slice(0, 12)}`));
    });

    if (provider.refusal) {
      test("a refusal is no verdict", async () => {
        const { claim, requests } = await ask((_, response) => send(response, 200, provider.refusal));
        assert.deepEqual([claim.status, claim.full.error.code, requests.length], ["INCONCLUSIVE", "judge_refused", 2]);
      });
    }

    test("a reply that was cut by length counts only with a whole object", async () => {
      const cut = '{"verdict":"ENTAILED","confidence":0.9';
      const { claim } = await ask((_, response) => send(response, 200, provider.reply(cut, { cut: true })));
      assert.deepEqual([claim.full.error.code, claim.full.attempts], ["judge_unreadable", 3]);
      const whole = await ask((request, response) => answer(request, response, { cut: true }));
      assert.equal(whole.claim.status, "VERIFIED");
    });

    test("structure that the model has not is left out from then on", async () => {
      const { claim, requests } = await ask((request, response) => {
        if (provider.schema(request.json) === undefined) return answer(request, response);
        send(response, 400, provider.unknown(provider.optional));
      });
      assert.equal(claim.status, "VERIFIED");
      assert.deepEqual(requests.map(({ json }) => provider.schema(json) !== undefined), [true, false, false]);
    });

    test("a web page is told as that, with the address that the interface usually has", async () => {
      const { claim, requests } = await ask((_, response) => send(response, 200, "<!doctype html>ENTAILED 1"), {}, once);
      const { error } = claim.full;
      assert.deepEqual([error.code, error.path, requests.length], ["judge_not_json", "baseUrl", 1]);
      assert.match(error.message, /web page/);
      assert.match(error.hint, /\/v1|:11434/);
    });

    test("a cut body is asked again, and is no answer", async () => {
      const { claim, requests } = await ask((_, response) => {
        const text = JSON.stringify(provider.reply(ENTAILED));
        response.writeHead(200, { "content-length": text.length + 10 }).write(text, () => response.destroy());
      }, {}, once);
      assert.deepEqual([claim.full.error.code, requests.length], ["judge_cut", 4]);
    });

    test("wrong settings are told before anything is asked", async () => {
      const rows = [
        [{}, "missing_field", "model"],
        [{ model: "m", baseUrl: "localhost" }, "invalid_value", "baseUrl"],
        [{ model: "m", baseUrl: "http://127.0.0.1", apiKey: "two\nlines" }, "invalid_value", "apiKey"],
        [{ model: "m", baseUrl: "http://127.0.0.1", temperatur: 0 }, "unknown_field", "temperatur"],
      ];
      for (const [settings, code, path] of rows) {
        const error = await thrownBy(() => provider.judge(judges, { baseUrl: "http://127.0.0.1", ...settings }));
        assert.deepEqual([error.code, error.path], [code, path]);
      }
    });
  });
}

describe("providers", () => {
  let claimgauge, judges;
  usePackage((used) => ({ claimgauge, judges } = used));

  test("a provider's own service is asked where no address is given", async () => {
    const homes = {
      anthropic: "https://api.anthropic.com/v1/messages",
      gemini: "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent",
      ollama: "http://127.0.0.1:11434/api/chat",
    };
    for (const [name, home] of Object.entries(homes)) {
      const urls = new Set();
      const fetch = async (url) => {
        urls.add(url);
        return new Response("{}");
      };
      await claimgauge.verify(request, { judge: judges[name]({ model: "m", fetch }) });
      assert.deepEqual([...urls], [home]);
    }
    assert.equal((await thrownBy(() => judges.openai({ model: "m" }))).path, "baseUrl");
    assert.equal((await thrownBy(() => judges.openai({ baseUrl: "http://127.0.0.1", model: "m", api: "completions" }))).path, "api");
  });

  test("a model of Anthropic's without structured output is given a tool", async () => {
    const { reply, unknown, user } = PROVIDERS.anthropic;
    const seen = [];
    const fetch = async (_, { body }) => {
      const json = JSON.parse(body);
      seen.push(json.tool_choice?.name ?? null);
      if (json.output_config) return new Response(JSON.stringify(unknown("output_config")), { status: 400 });
      const [verdict, confidence] = /_1\]/.test(user(json)) ? ["UNSURE", 0.3] : ["ENTAILED", 0.95];
      const { name, input_schema } = json.tools[0];
      assert.deepEqual(input_schema.required, ["verdict", "confidence"]);
      const content = [{ type: "text", text: "CONTRADICTED" }, { type: "tool_use", id: "t", name, input: { verdict, confidence } }];
      return new Response(JSON.stringify({ ...reply(""), content, stop_reason: "tool_use" }));
    };
    const { claims } = await claimgauge.verify(request, { judge: judges.anthropic({ model: "m", fetch }), concurrency: 1 });
    assert.deepEqual([claims[0].status, claims[0].delta], ["VERIFIED", 0.65]);
    assert.deepEqual(seen, [null, "judge", "judge"]);
  });
});
