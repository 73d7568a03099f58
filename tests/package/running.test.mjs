// How a run ends when it cannot be finished: the judge is gone, the budget is spent, the user has enough.
// And several samples of one judge, which cost as many calls.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { thrownBy, usePackage, vectors } from "./fixture.mjs";
import { judge as verified, say, send, useServers } from "./scripted.mjs";

const { request } = await vectors("worked_example.json");

const ENTAILED = '{"verdict":"ENTAILED","confidence":0.95}';
const UNSURE = '{"verdict":"UNSURE","confidence":0.3}';

describe("a run", { concurrency: true, timeout: 60_000 }, () => {
  let project, claimgauge, judges;
  const serve = useServers();
  usePackage((used) => ({ project, claimgauge, judges } = used));

  const about = (count) => ({ ...request, claims: Array.from({ length: count }, (_, at) => `users.email has length ${at + 1}`) });
  const flagged = (report, flag) => report.claims.filter(({ flags }) => flags.includes(flag)).length;

  async function ask(script, { settings = {}, count = 20, ...options } = {}) {
    const server = await serve(script);
    const judge = judges.openai({ baseUrl: server.baseUrl, model: "small", ...settings });
    return { report: await claimgauge.verify(about(count), { judge, ...options }), requests: server.requests };
  }

  describe("in groups", () => {
    const grouped = (skip) => (request, response) => {
      const { messages } = request.json;
      const question = messages.at(-1).content;
      if (!question.includes("\nClaims: ")) return verified(request, response);
      const claims = JSON.parse(question.slice(question.indexOf("\nClaims: ") + 9));
      const verdict = question.includes("[FIELD_1]") ? { verdict: "UNSURE", confidence: 0.3 } : { verdict: "ENTAILED", confidence: 0.95 };
      const answers = claims.filter(({ id }) => !skip.includes(id)).map(({ id }) => ({ id, ...verdict }));
      say(response, JSON.stringify({ answers }));
    };

    test("claims on the same spans share their requests", async () => {
      const { report, requests } = await ask(grouped([]), { group: 8 });
      assert.deepEqual([requests.length, report.cost.calls], [6, 6]);
      assert.deepEqual(new Set(report.claims.map(({ status }) => status)), new Set(["VERIFIED"]));
      const [{ json: first }] = requests;
      const { schema } = first.response_format.json_schema;
      assert.deepEqual(schema.properties.answers.items.required, ["id", "verdict", "confidence"]);
    });

    test("a claim that is left out is asked about alone, and only whole answers are kept", async () => {
      const cache = new Map();
      const { report, requests } = await ask(grouped(["C1"]), { group: 4, count: 4, cache });
      assert.equal(requests.length, 4);
      assert.deepEqual(report.claims.map(({ status }) => status), Array(4).fill("VERIFIED"));
      assert.deepEqual(report.claims.map(({ full }) => full.attempts), [1, 2, 1, 1]);
      assert.equal(cache.size, 2);
    });

    test("judges that answer about one claim are asked about one", async () => {
      const sizes = [];
      const builtin = judges.builtin();
      const judge = { ...builtin, judge: (question, options) => (sizes.push(question.claims.length), builtin.judge(question, options)) };
      await claimgauge.verify(about(4), { judge, group: 4 });
      assert.deepEqual(sizes, Array(8).fill(1));
    });
  });

  const troubles = {
    "a storm of 429": ["judge_rate_limited", (_, response) => send(response, 429, { error: { message: "Slow down" } }, { "retry-after": "0" })],
    "a server that fails": ["judge_unavailable", (_, response) => send(response, 503, "oops", { "retry-after": "0" })],
    "a web page": ["judge_not_json", (_, response) => send(response, 200, "<!doctype html>")],
    "a body that breaks off": ["judge_cut", (_, response) => response.writeHead(200, { "content-length": 500 }).write('{"choices":[', () => response.destroy())],
  };
  for (const [name, [code, trouble]] of Object.entries(troubles)) {
    test(`${name} ends it after five questions in a row, and what is done stays`, async () => {
      // The first two questions are answered.
      const { report, requests } = await ask(
        (request, response, number) => (number < 2 ? verified(request, response) : trouble(request, response)),
        { concurrency: 1 },
      );
      assert.equal(report.claims[0].status, "VERIFIED");
      assert.deepEqual([report.cost.calls, report.claims[1].full.error.code], [7, code]);
      assert.ok(requests.length <= 2 + 5 * 4, `${requests.length} requests`);
      assert.ok(flagged(report, "stopped") >= 16, "the rest was not asked");
      assert.equal(report.recommendation, "GATHER_MORE_EVIDENCE");
    });
  }

  test("a hang ends it after three questions that were tried twice, with others still open", async () => {
    const { report, requests } = await ask(
      (request, response) => (request.json.messages[1].content.endsWith('length 1"') ? verified(request, response) : undefined),
      { settings: { timeoutMs: 4000 } },
    );
    assert.equal(report.claims[0].status, "VERIFIED");
    assert.ok(flagged(report, "stopped") > 10);
    // Four at a time, each twice, and one more for each that ended before the third: not five rounds of four tries.
    assert.ok(requests.length <= 2 + 2 * 4 + 2, `${requests.length} requests`);
    assert.equal(report.recommendation, "GATHER_MORE_EVIDENCE");
  });

  test("failures with answers between them end nothing", async () => {
    const { report } = await ask(
      (request, response, number) => (number % 2 ? verified(request, response) : send(response, 200, "<html>")),
      { concurrency: 1 },
    );
    assert.deepEqual([report.cost.calls, flagged(report, "stopped")], [40, 0]);
  });

  for (const [name, [, trouble]] of Object.entries(troubles)) {
    test(`after ${name} another run asks only what is missing`, async () => {
      const cache = new Map();
      let broken = true;
      let answered = 0;
      const server = await serve((request, response, number) => {
        if (broken && number >= 4) return trouble(request, response);
        answered += 1;
        verified(request, response);
      });
      const run = () => {
        const judge = judges.openai({ baseUrl: server.baseUrl, model: "small" });
        return claimgauge.verify(about(20), { judge, cache, concurrency: 1 });
      };
      const partial = await run();
      assert.deepEqual([partial.summary.verified, answered], [2, 4]);
      broken = false;
      const whole = await run();
      assert.deepEqual([whole.summary.verified, answered, whole.cost.calls], [20, 40, 36]);
    });
  }

  test("a report that ended early is finished from the cache", async () => {
    const cache = new Map();
    const settings = { baseUrl: "https://judge.example", model: "small" };
    let refuses = true;
    let calls = 0;
    const fetch = async (_, { body }) => {
      calls += 1;
      if (refuses && calls > 5) return new Response('{"error":{"message":"bad key"}}', { status: 401 });
      const content = /_1\]/.test(JSON.parse(body).messages[1].content) ? UNSURE : ENTAILED;
      return new Response(JSON.stringify({ choices: [{ message: { content } }] }));
    };
    const judge = () => judges.openai({ ...settings, fetch });
    const partial = await claimgauge.verify(about(6), { judge: judge(), cache, concurrency: 1 });
    assert.deepEqual([partial.summary.verified, calls], [2, 6]);
    refuses = false;
    const whole = await claimgauge.verify(about(6), { judge: judge(), cache, concurrency: 1 });
    assert.deepEqual([whole.summary.verified, calls, whole.cost.calls], [6, 6 + 7, 7]);
  });

  test("a signal ends 40 claims within a tenth of a second", async () => {
    const took = [];
    // The machine and the other tests may be busy: one of eight tries shows what the run takes.
    while (took.length < 8 && !took.some((time) => time < 100)) {
      const cancel = new AbortController();
      let aborted;
      const { report } = await ask(
        (request, response, number) => {
          if (number < 6) return verified(request, response);
          aborted ??= setTimeout(() => {
            aborted = performance.now();
            cancel.abort();
          }, 50);
        },
        { count: 40, signal: cancel.signal, cache: claimgauge.memoryCache() },
      );
      took.push(performance.now() - aborted);
      assert.ok(flagged(report, "cancelled") >= 36 && report.summary.verified >= 2);
    }
    assert.ok(Math.min(...took) < 100, `${took} ms`);
  });

  test("a cap on tokens ends it, by what the judge counted", async () => {
    const asked = [];
    const judge = (count) => async (question) => {
      asked.push(question);
      const text = question.pass === "full" ? ENTAILED : UNSURE;
      return count === undefined ? text : { text, usage: { promptTokens: count } };
    };
    const [{ promptTokens: likely }] = claimgauge.estimate(about(1)).requests;
    const run = async (count, maxPromptTokens) => {
      asked.length = 0;
      const report = await claimgauge.verify(about(10), { judge: judge(count), concurrency: 1, limits: { maxPromptTokens } });
      return [asked.length, flagged(report, "capped") > 0];
    };
    assert.deepEqual(await run(undefined, Math.ceil(likely * 4.5)), [4, true]);
    // Counted twice as many: half the questions.
    assert.deepEqual(await run(likely * 2, Math.ceil(likely * 4.5)), [2, true]);
    assert.deepEqual(await run(undefined, 0), [0, true]);
    assert.deepEqual(await run(undefined, likely * 40), [20, false]);
  });

  describe("of several samples", () => {
    const says = (...texts) => {
      let at = 0;
      return async () => ({ text: texts[at++ % texts.length], usage: { promptTokens: 900, completionTokens: 20 } });
    };

    test("most decide, the median is the confidence, every reply is kept and counted", async () => {
      const three = judges.sampled(says("ENTAILED 0.9", "CONTRADICTED 0.8", "ENTAILED 0.7"));
      const { claims, cost } = await claimgauge.verify(about(1), { judge: three, concurrency: 1 });
      const { verdict, confidence, basis, raw, attempts } = claims[0].full;
      assert.deepEqual([verdict, confidence, basis, attempts], ["ENTAILED", 0.8, "sampled", 1]);
      assert.deepEqual(raw, ["ENTAILED 0.9", "CONTRADICTED 0.8", "ENTAILED 0.7"]);
      assert.deepEqual([claims[0].scrubbed.basis, claims[0].delta], ["sampled", 0]);
      assert.deepEqual(cost, { calls: 6, promptTokens: 5400, completionTokens: 120 });

      const tie = judges.sampled(says("ENTAILED 0.9", "CONTRADICTED 0.8", "UNSURE 0.7"));
      const [{ full }] = (await claimgauge.verify(about(1), { judge: tie, concurrency: 1 })).claims;
      assert.deepEqual([full.verdict, full.confidence], ["UNSURE", 0.8]);
    });

    test("too few with a verdict are asked again, never guessed", async () => {
      const mumbles = judges.sampled(says("ENTAILED 0.9", "I cannot say", ""));
      const [{ status, full }] = (await claimgauge.verify(about(1), { judge: mumbles })).claims;
      assert.deepEqual([status, full.error.code, full.raw.length], ["INCONCLUSIVE", "judge_unreadable", 9]);
    });

    test("a sample that fails fails the pass", async () => {
      const failing = judges.sampled(({ pass }) => {
        if (pass === "full") throw new claimgauge.JudgeError({ code: "mine", message: "No" });
        return UNSURE;
      });
      const [{ full, scrubbed }] = (await claimgauge.verify(about(1), { judge: failing })).claims;
      assert.deepEqual([full.error.code, scrubbed.verdict], ["mine", "UNSURE"]);
    });

    test("a sample that is none is told as the judge's who gave it", async () => {
      for (const none of [null, undefined]) {
        const judge = () => none;
        const errors = await Promise.all([judge, judges.sampled(judge)].map(async (judge) => (await claimgauge.verify(about(1), { judge })).claims[0].full.error));
        assert.deepEqual(errors[1], errors[0]);
        assert.equal(errors[0].message, `The judge gave ${none}`);
      }
    });

    test("they cost as many calls, before and after, and are cached as one answer", async () => {
      const one = judges.openai({
        baseUrl: "https://judge.example",
        model: "small",
        fetch: async () => new Response(JSON.stringify({ choices: [{ message: { content: ENTAILED } }] })),
      });
      const five = judges.sampled(one, { samples: 5 });
      assert.equal(claimgauge.estimate(about(2), { judge: five }).calls, 20);
      const cache = new Map();
      const capped = await claimgauge.verify(about(2), { judge: five, cache, concurrency: 1, limits: { maxCalls: 14 } });
      assert.deepEqual([capped.cost.calls, flagged(capped, "capped")], [10, 1]);
      const rest = await claimgauge.verify(about(2), { judge: five, cache });
      assert.deepEqual([rest.cost.calls, rest.claims[0].full.raw.length], [10, 5]);
      assert.equal((await claimgauge.verify(about(2), { judge: judges.sampled(one), cache })).cost.calls, 12);
    });

    test("many at a time are no noise", async () => {
      const { stderr } = await project.script(`
        import { verify } from "claimgauge";
        import { openai, sampled } from "claimgauge/judges";
        const fetch = async () => new Response('{"choices":[{"message":{"content":"UNSURE 0.5"}}]}', { status: Math.random() < 0.2 ? 500 : 200 });
        const judge = sampled(openai({ baseUrl: "https://judge.example", model: "m", fetch }), { samples: 15 });
        await verify(${JSON.stringify(about(20))}, { judge, concurrency: 20 });
      `);
      assert.equal(stderr, "");
    });

    test("wrong options are told by name", async () => {
      const rows = [
        [[UNSURE], "invalid_type", "judge"],
        [[() => UNSURE, { samples: 0 }], "invalid_value", "samples"],
        [[() => UNSURE, { sample: 3 }], "unknown_field", "sample"],
      ];
      for (const [args, code, path] of rows) {
        const error = await thrownBy(() => judges.sampled(...args));
        assert.deepEqual([error.code, error.path], [code, path]);
      }
    });
  });
});
