// verify: the worked example end to end, and what judges, signals and limits do to a run.
import assert from "node:assert/strict";
import { readFile } from "node:fs";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";

import { failedInside, revoked, thrownBy, usePackage, vectors } from "./fixture.mjs";

const ENTAILED = '{"verdict":"ENTAILED","confidence":0.95}';
const UNSURE = '{"verdict":"UNSURE","confidence":0.3}';
const reply = ({ pass }) => (pass === "full" ? ENTAILED : UNSURE);

/** A request with so many claims, each about its own name. */
const claims = (count) => ({
  profile: "code",
  evidence: [Array.from({ length: count }, (_, at) => `The limit of queue_${at} is ${at + 100}.`).join(" ")],
  claims: Array.from({ length: count }, (_, at) => `The limit of queue_${at} is ${at + 100}`),
});

describe("verify", () => {
  let claimgauge, judges;
  usePackage((used) => ({ claimgauge, judges } = used));

  test("the worked example, recorded, gives exactly its Markdown", async () => {
    const { request, recording } = await vectors("worked_example.json");
    const progress = [];
    const judge = judges.recorded(recording);
    const report = await claimgauge.verify(request, { judge, onProgress: (at) => progress.push(at) });
    assert.equal(claimgauge.toMarkdown(report), await vectors("worked_example.strawberry.md"));
    // As JSON it is the same report.
    assert.equal(claimgauge.toMarkdown(JSON.parse(JSON.stringify(report))), claimgauge.toMarkdown(report));

    const [claim] = report.claims;
    assert.deepEqual([claim.status, claim.delta, claim.flags], ["VERIFIED", 0.65, ["scrubbed_unsure"]]);
    assert.deepEqual(claim.full.raw, [recording.find(({ pass }) => pass === "full").text]);
    assert.equal(claim.full.basis, "recorded");
    assert.deepEqual(report.cost, { calls: 2, promptTokens: 0, completionTokens: 0 });
    assert.deepEqual([progress[0], progress.at(-1)], [{ done: 0, total: 2 }, { done: 2, total: 2 }]);

    const data = await claimgauge.verify({ ...request, profile: "data" }, { judge });
    assert.equal(claimgauge.toMarkdown(data), await vectors("worked_example.data.md"));
  });

  test("the worked example with the built-in judge", async () => {
    const { request } = await vectors("worked_example.json");
    const { claims, recommendation } = await claimgauge.verify(request, { judge: judges.builtin() });
    assert.deepEqual([claims[0].status, claims[0].full.verdict, claims[0].full.basis], ["VERIFIED", "ENTAILED", "builtin"]);
    assert.equal(recommendation, "PROCEED");
    const wrong = { ...request, claims: ["Table users contains field email with data type VARCHAR and length 512"] };
    const report = await claimgauge.verify(wrong, { judge: judges.builtin() });
    assert.equal(report.recommendation, "STOP");
  });

  test("a second opinion stands in each finding, whatever the judge", async () => {
    const request = {
      profile: "code",
      evidence: ["heap_limit: 512", "stack_limit: 64"],
      claims: ["heap_limit is 512", "heap_limit is 64", { text: "heap_limit is 512 on Kafka", cites: ["S0"] }],
    };
    const judge = () => ENTAILED;
    for (const group of [1, 3]) {
      const { claims: findings } = await claimgauge.verify(request, { judge, group });
      const atoms = findings.map(({ atoms }) => atoms.map(({ text, span, rival }) => [text, span, rival]));
      assert.deepEqual(atoms, [
        [["heap_limit", "S0", null], ["512", "S0", null]],
        [["heap_limit", "S0", null], ["64", "S1", "512"]],
        [["heap_limit", "S0", null], ["512", "S0", null], ["Kafka", null, null]],
      ]);
      const second = ({ flags }) => flags.filter((flag) => flag === "ungrounded" || flag === "rival_value");
      assert.deepEqual(findings.map(second), [[], ["rival_value"], ["ungrounded"]]);
    }
    const sure = ({ pass }) => (pass === "full" ? ENTAILED : UNSURE);
    const policy = { on_ungrounded: "cap" };
    const capped = await claimgauge.verify({ ...request, policy }, { judge: sure });
    assert.deepEqual(capped.claims.map(({ status }) => status), ["VERIFIED", "PLAUSIBLE", "PLAUSIBLE"]);
  });

  test("a recording answers by claim and pass, attempt by attempt, with its basis", async () => {
    const { request } = await vectors("worked_example.json");
    const judge = judges.recorded([
      { claim: "C0", pass: "scrubbed", text: "no verdict at all" },
      { claim: "C0", pass: "scrubbed", text: "UNSURE 0.30" },
      { claim: "C0", pass: "full", text: ENTAILED, basis: "verbal" },
    ]);
    const [claim] = (await claimgauge.verify(request, { judge })).claims;
    assert.deepEqual(claim.scrubbed.raw, ["no verdict at all", "UNSURE 0.30"]);
    assert.deepEqual([claim.full.basis, claim.scrubbed.basis, claim.flags], ["verbal", "recorded", ["mixed_basis"]]);

    const missing = judges.recorded([{ claim: "C0", pass: "full", text: ENTAILED }]);
    const [without] = (await claimgauge.verify(request, { judge: missing })).claims;
    assert.deepEqual([without.status, without.scrubbed.error.code], ["INCONCLUSIVE", "recording_missing"]);
  });

  test("a token's probability is the confidence", async () => {
    const { request } = await vectors("worked_example.json");
    const tokens = (label, ...others) => {
      const top = [label, ...others].map((token, at) => ({ token, logprob: Math.log([0.8, 0.15, 0.05][at]) }));
      return [{ token: '{"verdict":"', logprob: 0, top: [] }, { ...top[0], top }];
    };
    const judge = judges.recorded([
      { claim: "C0", pass: "full", text: '{"verdict":"ENTAILED","confidence":1}', logprobs: tokens("ENTAILED", "UNSURE", "CONTRADICTED") },
      { claim: "C0", pass: "scrubbed", text: '{"verdict":"UNSURE","confidence":1}', logprobs: tokens("UNSURE", "ENTAILED", "CONTRADICTED") },
    ]);
    const [{ full }] = (await claimgauge.verify(request, { judge })).claims;
    assert.deepEqual([full.confidence.toFixed(6), full.basis], ["0.800000", "logprob"]);
  });

  test("at most so many questions are open at a time", async () => {
    for (const [concurrency, most] of [[undefined, 4], [1, 1], [7, 7]]) {
      let open = 0;
      let seen = 0;
      const judge = async (request) => {
        seen = Math.max(seen, (open += 1));
        await new Promise((resolve) => setTimeout(resolve, 1));
        open -= 1;
        return reply(request);
      };
      const report = await claimgauge.verify(claims(10), { judge, concurrency });
      assert.equal(report.summary.verified, 10);
      assert.equal(seen, most);
    }
  });

  test("a signal ends the run at once and keeps what is done", async () => {
    const cancel = new AbortController();
    let aborted = 0;
    // Answers about the first claim; then never, not even when it is told to stop.
    const judge = (request, { signal }) =>
      request.claim === "C0"
        ? reply(request)
        : new Promise(() => signal.addEventListener("abort", () => (aborted += 1)));
    const running = claimgauge.verify(claims(5), {
      judge,
      signal: cancel.signal,
      onProgress: ({ done }) => done === 2 && cancel.abort(),
    });
    const { claims: findings } = await running;
    assert.deepEqual(findings.map(({ status }) => status), ["VERIFIED", ...Array(4).fill("INCONCLUSIVE")]);
    findings.slice(1).forEach(({ flags }) => assert.ok(flags.includes("cancelled"), flags.join()));
    assert.ok(aborted > 0);

    let asked = 0;
    const before = await claimgauge.verify(claims(2), { judge: () => (asked += 1), signal: AbortSignal.abort() });
    assert.deepEqual([asked, before.summary.inconclusive, before.cost.calls], [0, 2, 0]);
  });

  test("what onProgress throws ends the run as its own fault, and what is open with it", async () => {
    for (const [thrown, words] of [["mine", "mine"], [undefined, "undefined"], [new RangeError("mine"), "mine"], [revoked({}), "something that cannot be read"]]) {
      for (const last of [0, 2]) {
        let aborted = 0;
        const judge = (request, { signal }) =>
          request.claim === "C0" ? reply(request) : new Promise(() => signal.addEventListener("abort", () => (aborted += 1)));
        const onProgress = ({ done }) => {
          if (done >= last) throw thrown;
        };
        const error = await thrownBy(() => claimgauge.verify(claims(3), { judge, onProgress }));
        assert.ok(error instanceof claimgauge.ClaimgaugeError);
        assert.deepEqual([error.code, error.path, error.message], ["callback_failed", "onProgress", `onProgress threw: ${words}`]);
        assert.ok(last === 0 || aborted > 0);
      }
    }
  });

  test("a signal is heard while judges answer at once", async () => {
    const signal = AbortSignal.timeout(60);
    const { summary } = await claimgauge.verify(claims(2000), { judge: reply, signal });
    assert.ok(summary.inconclusive > 0 && signal.aborted);
  });

  test("a signal is heard before the first question, however long the scrub took", async () => {
    const cancel = new AbortController();
    const evidence = ["a1, b_c.d/e ".repeat(30_000)];
    let asked = 0;
    setTimeout(() => cancel.abort(), 1);
    const { summary } = await claimgauge.verify({ profile: "strawberry", evidence, claims: ["a1 is b_c.d"] }, { judge: () => (asked += 1), signal: cancel.signal });
    assert.deepEqual([asked, summary.inconclusive], [0, 1]);
  });

  test("a judge that takes its time without a pause gives no verdict after the end", async () => {
    const work = (milliseconds) => {
      const end = performance.now() + milliseconds;
      while (performance.now() < end);
    };
    const ways = {
      timer: (cancel) => setTimeout(cancel, 1),
      // As the command line is interrupted.
      signal: (cancel) => process.once("SIGUSR2", cancel),
    };
    // From a timer, and from where files are read: the next round begins elsewhere.
    const begins = [(act) => setTimeout(act), (act) => readFile(process.execPath, act)];
    for (const [name, when] of Object.entries(ways)) {
      const judge = (request) => {
        if (name === "signal") process.kill(process.pid, "SIGUSR2");
        work(40);
        return reply(request);
      };
      for (const begin of begins) {
        const cancel = new AbortController();
        await new Promise(begin);
        when(() => cancel.abort());
        const { summary } = await claimgauge.verify(claims(1), { judge, signal: cancel.signal, concurrency: 1 });
        assert.deepEqual([name, summary.inconclusive], [name, 1]);
      }
    }
  });

  test("a cap ends the run when it is used up", async () => {
    let asked = 0;
    const judge = (request) => {
      asked += 1;
      return reply(request);
    };
    const report = await claimgauge.verify(claims(3), { judge, limits: { maxCalls: 3 } });
    assert.deepEqual([asked, report.cost.calls], [3, 3]);
    assert.deepEqual(report.claims.map(({ status }) => status), ["VERIFIED", "INCONCLUSIVE", "INCONCLUSIVE"]);
    assert.ok(report.claims[1].flags.includes("capped"));
    assert.ok(report.claims[1].full !== null, "what was asked stays");
    const enough = await claimgauge.verify(claims(3), { judge, limits: { maxCalls: 6 } });
    assert.equal(enough.summary.verified, 3);
  });

  test("a judge that fails gives a failed pass, never a verdict", async () => {
    const rows = [
      [() => { throw new Error("no luck"); }, "judge_failed", /no luck/],
      [() => Promise.reject("a text"), "judge_failed", /a text/],
      [() => Promise.reject(undefined), "judge_failed", /undefined/],
      [() => { throw Object.create(null); }, "judge_failed", /no Error/],
      [() => { throw new Error("half \ud800"); }, "judge_failed", /half \ufffd/],
      [() => { throw new claimgauge.JudgeError({ code: "mine", message: "Busy", path: "model", hint: "Wait." }); }, "mine", /^Busy$/],
      [() => null, "judge_failed", /null/],
      [() => 5, "missing_field", /text/],
      [() => ({ text: 5 }), "invalid_type", /string/],
      [() => ({ text: ENTAILED, verdict: "ENTAILED" }), "unknown_field", /verdict/],
      [() => "cut \ud83d", "judge_unreadable", /3 replies/],
      [() => "I cannot say", "judge_unreadable", /3 replies/],
      [() => ({ text: ENTAILED, usage: { promptTokens: 3 } }), "judge_failed", /cut by the server/],
    ];
    for (const [judge, code, message] of rows) {
      const report = await claimgauge.verify(claims(1), { judge });
      const [{ status, full, scrubbed }] = report.claims;
      assert.deepEqual([status, report.recommendation], ["INCONCLUSIVE", "GATHER_MORE_EVIDENCE"]);
      for (const pass of [full, scrubbed]) {
        assert.deepEqual([pass.verdict, pass.error.code], [null, code]);
        assert.match(pass.error.message, message);
      }
    }
  });

  test("a failure has a code, whatever stands in its place", async () => {
    for (const code of [{}, -Infinity, () => 1, "a\0b", [], "", "No key", null, "a".repeat(1000), Symbol("x")]) {
      const judge = () => {
        throw new claimgauge.JudgeError({ code, message: "bad" });
      };
      const { claims: [{ full }] } = await claimgauge.verify(claims(1), { judge });
      assert.deepEqual([full.error.code, full.error.message], ["judge_failed", "bad"]);
    }
  });

  test("of a judge's words as much is kept as of a reply that is too long", async () => {
    const long = "\u{1f600}".repeat(5_000_000);
    for (const thrown of [new Error(long), long, new claimgauge.JudgeError({ code: "mine", message: long, path: long, hint: long })]) {
      const report = await claimgauge.verify(claims(1), { judge: () => Promise.reject(thrown) });
      const { message, path, hint } = report.claims[0].full.error;
      for (const text of [message, path, hint]) assert.ok(text === null || /^.{200,1100}…$/su.test(text), text?.length);
      assert.ok(JSON.stringify(report).length < 20_000);
    }
  });

  test("a failure keeps the code that the system or a library gave it", async () => {
    for (const code of ["ECONNREFUSED", "rate-limited", "no_key"]) {
      const judge = () => {
        throw new claimgauge.JudgeError({ code, message: "bad" });
      };
      const { claims: [{ full }] } = await claimgauge.verify(claims(1), { judge });
      assert.equal(full.error.code, code);
    }
  });

  test("a signal that only says so by its event ends the run, too", async () => {
    const signal = new EventTarget();
    const judge = () => {
      setTimeout(() => signal.dispatchEvent(new Event("abort")));
      return new Promise(() => {});
    };
    const report = await claimgauge.verify(claims(2), { judge, signal });
    assert.ok(report.claims.every(({ flags }) => flags.includes("cancelled")));
  });

  test("what cannot be read may be thrown too, and the run ends", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const unreadable = Object.defineProperty(new Error(), "message", { get() { throw new Error("no"); } });
    const coded = new claimgauge.JudgeError({ code: Object.create(null), message: "no code" });
    for (const thrown of [proxy, unreadable, coded, Object.assign(() => {}, { toString: null })]) {
      const { claims: [claim] } = await claimgauge.verify(claims(1), { judge: () => { throw thrown; } });
      assert.deepEqual([claim.flags, claim.full.error.code], [["judge_failed"], "judge_failed"]);
    }
    const { claims: [{ full }] } = await claimgauge.verify(claims(1), { judge: () => undefined });
    assert.deepEqual([full.error.message, full.error.path], ["The judge gave undefined", "answer"]);
  });

  test("any number of questions may be open", async () => {
    for (const concurrency of [2 ** 32, Number.MAX_SAFE_INTEGER]) {
      const report = await claimgauge.verify(claims(1), { judge: reply, concurrency });
      assert.deepEqual(report.claims[0].flags, ["scrubbed_unsure"]);
    }
  });

  test("a judge may stop the run", async () => {
    const judge = () => {
      throw new claimgauge.JudgeError({ code: "no_key", message: "No key", stop: true });
    };
    const { claims: findings, cost } = await claimgauge.verify(claims(5), { judge, concurrency: 1 });
    assert.equal(cost.calls, 1);
    assert.equal(findings[0].full.error.code, "no_key");
    findings.forEach(({ flags }) => assert.ok(flags.includes("stopped") || flags.includes("judge_failed"), flags.join()));
  });

  test("options are checked by name", async () => {
    const judge = reply;
    const rows = [
      [undefined, "invalid_type", ""],
      [{}, "missing_field", "judge"],
      [{ judge: "builtin" }, "invalid_type", "judge"],
      [{ judge: { name: "x" } }, "invalid_type", "judge"],
      [{ judge, cache: {} }, "invalid_type", "cache"],
      [{ judge, concurrency: 0 }, "invalid_value", "concurrency"],
      [{ judge, concurrency: 1.5 }, "invalid_value", "concurrency"],
      [{ judge, signal: {} }, "invalid_type", "signal"],
      [{ judge, signal: { addEventListener() {} } }, "invalid_type", "signal"],
      [{ judge, get limits() { throw new Error("no"); } }, "invalid_value", ""],
      [{ judge, onProgress: 1 }, "invalid_value", "onProgress"],
      [{ judge, limits: { calls: 1 } }, "unknown_field", "limits.calls"],
      [{ judge, limits: new Map([["maxCalls", 1]]) }, "invalid_type", "limits"],
      [{ judge, limits: new Date() }, "invalid_type", "limits"],
      [Object.assign(new Map(), { judge }), "invalid_type", ""],
      [Promise.resolve({ judge }), "invalid_type", ""],
      [{ judge, limits: { maxCalls: -1 } }, "invalid_value", "limits.maxCalls"],
      [{ judge, limits: { maxPromptTokens: 0.5 } }, "invalid_value", "limits.maxPromptTokens"],
    ];
    for (const [options, code, path] of rows) {
      const error = await thrownBy(() => claimgauge.verify(claims(1), options));
      assert.ok(error instanceof claimgauge.ClaimgaugeError, String(error));
      assert.deepEqual([error.code, error.path], [code, path], error.message);
    }
    const waited = await thrownBy(() => claimgauge.verify(claims(1), Promise.resolve({ judge })));
    assert.deepEqual([waited.message, waited.hint], ["Expected object, received Promise", "Await it first."]);
    // Plain objects of another frame, and those without a class, are plain.
    const others = [runInNewContext("({})"), Object.create(null)].map((plain) => Object.assign(plain, { judge }));
    for (const options of others) assert.equal((await claimgauge.verify(claims(1), options)).summary.verified, 1);
    for (const [recordings, path] of [[{}, "recordings"], [[{ claim: "C0", pass: "fulll", text: "" }], "recordings.0.pass"]]) {
      assert.equal((await thrownBy(() => judges.recorded(recordings))).path, path);
    }
  });

  test("what a judge says of itself may be anything, and is refused with its place", async () => {
    const cyclic = {};
    cyclic.self = cyclic;
    let deep = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const no = () => {
      throw new Error("no");
    };
    const parameters = [cyclic, deep, { x: 1n }, { get x() { return no(); } }, { toJSON: no }, { toJSON() {} }, revoked({}), no];
    const own = (more) => ({ name: "x", basis: "verbal", judge: reply, ...more });
    for (const judge of parameters.map((parameters) => own({ parameters }))) {
      const error = await thrownBy(() => claimgauge.verify(claims(1), { judge }));
      assert.ok(error instanceof claimgauge.ClaimgaugeError, String(error));
      assert.deepEqual([error.code, error.path], ["invalid_value", "judge.parameters"], error.message);
    }
    const unreadable = Object.defineProperty(own(), "calls", { get: no });
    for (const [judge, code, path] of [[unreadable, "invalid_value", "judge"], [revoked(reply), "invalid_value", "judge"], [own({ calls: 1n }), "invalid_type", "judge.calls"],
      [own({ single: "no" }), "invalid_type", "judge.single"], [own({ basis: "guess" }), "invalid_type", "judge.basis"]]) {
      for (const call of [() => claimgauge.verify(claims(1), { judge }), () => claimgauge.estimate(claims(1), { judge }), () => judges.sampled(judge)]) {
        const error = await thrownBy(call);
        assert.ok(error instanceof claimgauge.ClaimgaugeError, String(error));
        assert.deepEqual([error.code, error.path], [code, path], error.message);
      }
    }
    const odd = new Proxy([], { get: () => "a" });
    for (const [recordings, path] of [[revoked([]), "recordings"], [[revoked({})], "recordings.0"], [odd, "recordings"]]) {
      const error = await thrownBy(() => judges.recorded(recordings));
      assert.deepEqual([error.code, error.path], ["invalid_value", path], error.message);
    }
    // Its other methods are as much its own as before.
    class Own {
      name = "own";
      basis = "verbal";
      #reply = reply;
      judge(request) {
        return this.#reply(request);
      }
    }
    assert.equal((await claimgauge.verify(claims(1), { judge: new Own() })).summary.verified, 1);
  });

  test("a list that is as long as it says and holds nothing is refused at once", { timeout: 20_000 }, async () => {
    const endless = [];
    endless.length = 2 ** 32 - 1;
    const error = await thrownBy(() => judges.recorded(endless));
    assert.deepEqual([error.code, error.path], ["invalid_type", "recordings.0"]);
    const judge = () => ({ text: ENTAILED, samples: endless });
    for (const [one, code] of [[judge, "too_large"], [judges.sampled(judge), "invalid_type"]]) {
      const { claims: [{ status, full }] } = await claimgauge.verify(claims(1), { judge: one });
      assert.deepEqual([status, full.error.code, full.error.path?.startsWith("answer.samples")], ["INCONCLUSIVE", code, true], full.error.message);
    }
  });

  test("an instance that fails takes its runs with it and no other", async () => {
    const judge = async (request) => {
      assert.equal((await failedInside(claimgauge, "late")).code, "internal");
      return reply(request);
    };
    const error = await thrownBy(() => claimgauge.verify(claims(1), { judge }));
    assert.equal(error.code, "stale_handle");
    assert.equal((await claimgauge.verify(claims(2), { judge: reply })).summary.verified, 2);
  });
});
