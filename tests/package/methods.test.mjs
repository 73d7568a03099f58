// The synchronous calls: the shared vectors through the package, and what happens to input that is none.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { failedInside, thrownBy, usePackage, vectors } from "./fixture.mjs";

describe("the methods", () => {
  let claimgauge, judges;
  usePackage((used) => ({ claimgauge, judges } = used));

  test("decide: all rows of decisions.json", async () => {
    const rows = await vectors("decisions.json");
    assert.equal(rows.length, 220);
    for (const [at, { profile, scrubbed, full, policy, delta, status, flags }] of rows.entries()) {
      const got = claimgauge.decide({ profile, scrubbed, full, policy });
      assert.deepEqual([got.delta, got.status, got.flags], [delta, status, flags], `row ${at}`);
    }
  });

  test("decide: null is absent, in a judgement and in a policy", () => {
    const full = { verdict: "ENTAILED", confidence: 0.9, reasoning: null, basis: null };
    const got = claimgauge.decide({ profile: "code", scrubbed: { verdict: "UNSURE", confidence: null }, full, policy: { on_unsure: null } });
    assert.deepEqual([got.status, got.delta, got.flags], ["INCONCLUSIVE", null, ["no_confidence"]]);
  });

  test("a reply that was cut inside a character is read", () => {
    const text = '{"verdict":"ENTAILED","confidence":0.9,"reasoning":"S0 smiles \ud83d';
    const { kind, verdict, confidence, reasoning } = claimgauge.readReply(text);
    assert.deepEqual([kind, verdict, confidence, reasoning], ["judgement", "ENTAILED", 0.9, "S0 smiles \ufffd"]);
  });

  test("readReply: all rows of replies.json", async () => {
    const rows = await vectors("replies.json");
    assert.equal(rows.length, 40);
    for (const { name, reply, want } of rows) {
      const got = claimgauge.readReply(reply);
      assert.deepEqual(Object.keys(got), ["kind", "verdict", "confidence", "reasoning", "revised"]);
      const wanted = { verdict: null, confidence: null, ...want };
      for (const [key, value] of Object.entries(wanted)) {
        assert.deepEqual(got[key], value, `${name}: ${key}`);
      }
    }
  });

  test("scrub and unscrub: offsets count as JavaScript does, and the text comes back", () => {
    const text = "𝒳 𝒴 users.email is VARCHAR(255) 🎉 users";
    const request = { profile: "strawberry", evidence: [{ text, source: "table users" }], claims: ["users.email is VARCHAR(255)"] };
    const scrubbed = claimgauge.scrub(request);
    assert.doesNotMatch(scrubbed.spans[0].text, /users|email|255/);
    assert.ok(scrubbed.replacements.length >= 5);
    for (const { field, start, end, text: original } of scrubbed.replacements) {
      assert.equal((field === "text" ? text : "table users").slice(start, end), original);
    }
    assert.equal(claimgauge.unscrub(scrubbed.spans[0].text, scrubbed), text);
    assert.equal(claimgauge.unscrub(scrubbed.spans[0].source, scrubbed, "S0"), "table users");
    // The result goes in again as it came out.
    const next = claimgauge.scrub({ ...request, previous: scrubbed });
    assert.deepEqual(next.spans, scrubbed.spans);
  });

  test("scrub: every case of scrub.json comes back", async () => {
    const cases = await vectors("scrub.json");
    assert.equal(cases.length, 90);
    for (const { profile, evidence, spans, claims, claim, glossary } of cases) {
      const given = (evidence ?? spans).map((span, at) => (typeof span === "string" ? { id: `S${at}`, text: span } : span));
      const scrubbed = claimgauge.scrub({ profile, evidence: given, claims: claims ?? (claim ? [claim] : []), glossary });
      scrubbed.spans.forEach(({ id, text }, at) => assert.equal(claimgauge.unscrub(text, scrubbed, id), given[at].text));
    }
  });

  test("profiles and presets are data", () => {
    const [strawberry] = claimgauge.profiles();
    assert.equal(claimgauge.profiles().length, 5);
    assert.deepEqual(strawberry.thresholds, { verified: { full: 0.8, delta: 0.3 }, plausible: { full: 0.6, delta: 0.15 } });
    assert.deepEqual(claimgauge.presets().find(({ name }) => name === "security-audit"), {
      name: "security-audit", profile: "security", trigger: "always",
    });
  });

  test("bad input gives an error with code and path, and the next call works", async () => {
    const deep = (levels) => {
      const top = {};
      let at = top;
      for (let level = 0; level < levels; level += 1) at = at.in = {};
      return top;
    };
    const cyclic = () => {
      const list = [];
      list.push(list);
      return list;
    };
    // Sixty arrays that hold the one before twice: small here, endless written out. Its text is what is soon too much.
    const doubled = () => Array.from({ length: 60 }).reduce((inner) => [inner, inner], "x".repeat(10_000_000));
    const revoked = () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    };
    const request = { profile: "code", evidence: ["x"], claims: ["y"] };
    class Evidence {
      text = "x";
    }
    const rows = [
      [null, "invalid_type", ""],
      [undefined, "invalid_type", ""],
      [42, "invalid_type", ""],
      ["x", "invalid_type", ""],
      [[], "invalid_type", ""],
      [() => request, "invalid_type", ""],
      [new Map(Object.entries(request)), "invalid_type", ""],
      [{}, "missing_field", "profile"],
      [{ ...request, evidence: undefined }, "missing_field", "evidence"],
      [{ ...request, evidence: null }, "invalid_type", "evidence"],
      [{ ...request, evidense: [] }, "unknown_field", "evidense"],
      [{ ...request, evidence: "x" }, "invalid_type", "evidence"],
      [{ ...request, evidence: new Set(["x"]) }, "invalid_type", "evidence"],
      [{ ...request, evidence: [1] }, "invalid_type", "evidence.0"],
      [{ ...request, evidence: [1n] }, "invalid_type", "evidence.0"],
      [{ ...request, evidence: [Symbol("x")] }, "invalid_type", "evidence.0"],
      [{ ...request, evidence: [new Date(0)] }, "invalid_type", "evidence.0"],
      [{ ...request, evidence: [new Evidence()] }, "invalid_type", "evidence.0"],
      [{ ...request, evidence: [new String("x")] }, "invalid_type", "evidence.0"],
      [{ ...request, evidence: [, "x"] }, "invalid_type", "evidence.0"],
      [{ ...request, evidence: [{ text: "x", txt: "y" }] }, "unknown_field", "evidence.0.txt"],
      [{ ...request, evidence: ["x", { id: "S0", text: "y" }] }, "duplicate_id", "evidence.1.id"],
      [{ ...request, evidence: ["a\ud800b"] }, "lone_surrogate", "evidence.0"],
      [{ ...request, glossary: { "\udc00": [] } }, "lone_surrogate", "glossary.\ufffd"],
      [{ ...request, glossary: { NOPE: ["x"] } }, "unknown_kind", "glossary.NOPE"],
      [{ ...request, glossary: new Map() }, "invalid_type", "glossary"],
      [{ ...request, ...JSON.parse('{"glossary":{"__proto__":["x"]}}') }, "unknown_field", "glossary.__proto__"],
      [JSON.parse('{"profile":"code","evidence":[],"claims":[],"__proto__":{"trigger":"always"}}'), "unknown_field", "__proto__"],
      [{ ...request, claims: [{ text: "x", confidence: NaN }] }, "not_finite", "claims.0.confidence"],
      [{ ...request, claims: [{ text: "x", confidence: -Infinity }] }, "not_finite", "claims.0.confidence"],
      [{ ...request, claims: [{ text: "x", confidence: 1.5 }] }, "invalid_value", "claims.0.confidence"],
      [{ ...request, claims: [{ text: "x", critical: "yes" }] }, "invalid_type", "claims.0.critical"],
      [{ ...request, claims: [" "] }, "invalid_value", "claims.0.text"],
      [{ ...request, kinds: ["TABLE", "NOPE"] }, "unknown_kind", "kinds.1"],
      [{ ...request, profile: "nope" }, "unknown_profile", "profile"],
      [{ ...request, get kinds() { throw new Error("no"); } }, "invalid_value", "kinds"],
      [new Proxy(request, { ownKeys: () => { throw new Error("no"); } }), "invalid_value", ""],
      [revoked(), "invalid_value", ""],
      [{ ...request, evidence: revoked() }, "invalid_type", "evidence"],
      [{ ...request, evidence: cyclic() }, "invalid_type", "evidence.0"],
      [{ ...request, more: cyclic() }, "cyclic", /^more(\.0)+$/],
      [{ ...request, evidence: deep(100_000) }, "too_deep", /^evidence(\.in)+$/],
      [{ ...request, claims: [deep(100_000)] }, "too_deep", /^claims\.0(\.in)+$/],
      [{ ...request, more: deep(100_000) }, "too_deep", /^more(\.in)+$/],
      [{ ...request, evidence: new Array(4e9) }, "too_large", "evidence"],
      [{ ...request, evidence: Array(100_001).fill("x") }, "too_large", "evidence"],
    ];
    const judge = judges.builtin();
    const methods = {
      scrub: (value) => claimgauge.scrub(value),
      verify: (value) => claimgauge.verify(value, { judge }),
    };
    for (const [method, call] of Object.entries(methods)) {
      for (const [at, [value, code, path]] of rows.entries()) {
        const error = await thrownBy(() => call(value));
        const where = `${method}, row ${at}: ${error.message}`;
        assert.ok(error instanceof claimgauge.ClaimgaugeError && error instanceof Error, where);
        assert.equal(error.name, "ClaimgaugeError", where);
        // A list in a list is no span, whether or not it ends.
        const codes = path === "evidence.0" && code === "invalid_type" ? [code, "cyclic"] : [code];
        assert.ok(codes.includes(error.code), `${where}: ${error.code}, not ${code}`);
        if (path instanceof RegExp) assert.match(error.path, path, where);
        else if (error.code === code) assert.equal(error.path, path, where);
        assert.ok(error.message.length > 10 && error.message.length < 300, where);
        assert.ok(error.hint === null || error.hint.length > 5, where);
        assert.equal((await call({ profile: "code", evidence: ["x"], claims: [] })).evidence?.length ?? 1, 1);
      }
    }
    const shared = await thrownBy(() => claimgauge.toMarkdown({ claims: doubled() }));
    assert.equal(shared.code, "too_large");
  });

  test("the other methods check their input too", async () => {
    const scrubbed = claimgauge.scrub({ profile: "code", evidence: ["x"] });
    // A short text that says a long name often.
    const long = claimgauge.scrub({ profile: "strawberry", evidence: [`see https://e.example/${"p".repeat(100_000)}`] });
    const often = long.replacements[0].placeholder.repeat(1000);
    const rows = [
      [() => claimgauge.decide({ profile: "code", scrubbed: { verdict: "MAYBE" }, full: null }), "invalid_value", "scrubbed.verdict"],
      [() => claimgauge.decide({ profile: "code", full: { verdict: "UNSURE", confidence: 2 } }), "invalid_value", "full.confidence"],
      [() => claimgauge.decide({ profile: "code", thresholds: { verified: { full: 0.1 } } }), "invalid_threshold", "thresholds.verified.full"],
      [() => claimgauge.readReply(null), "invalid_type", "text"],
      [() => claimgauge.unscrub("x", {}), "missing_field", "scrubbed.mode"],
      [() => claimgauge.unscrub(1, scrubbed), "invalid_type", "text"],
      [() => claimgauge.unscrub("x", scrubbed, 1), "invalid_type", "span"],
      [() => claimgauge.unscrub(often, long), "too_large", "text"],
      [() => claimgauge.unscrub("x", { ...scrubbed, replacements: [{ start: -1 }] }), "invalid_value", "scrubbed.replacements.0.start"],
      [() => claimgauge.toMarkdown({}), "invalid_value", "report"],
      [() => claimgauge.toMarkdown(new Date(0)), "invalid_type", "report"],
    ];
    for (const [act, code, path] of rows) {
      const error = await thrownBy(act);
      assert.ok(error instanceof claimgauge.ClaimgaugeError, String(error));
      assert.deepEqual([error.code, error.path], [code, path], error.message);
    }
  });

  test("an instance that fails costs one call", async () => {
    const error = await failedInside(claimgauge, "late");
    assert.ok(error instanceof claimgauge.ClaimgaugeError);
    assert.deepEqual([error.code, error.cause.message], ["internal", "late"]);
    assert.equal(claimgauge.scrub({ profile: "code", evidence: ["x"] }).spans[0].text, "x");
  });

  test("an exhausted stack leaves nothing broken behind", () => {
    const thrown = [];
    const dive = () => {
      try {
        dive();
      } catch {
        // Here, near the end of the stack, the call fails in one place or another.
        try {
          claimgauge.scrub({ profile: "code", evidence: ["x"], claims: ["y"] });
        } catch (error) {
          thrown.push(error);
          throw error;
        }
      }
    };
    try {
      dive();
    } catch {}
    assert.ok(thrown.length > 0 && thrown.every((error) => error instanceof Error));
    assert.equal(claimgauge.scrub({ profile: "code", evidence: ["x"] }).spans[0].text, "x");
  });

  test("reports: whatever stands anywhere in one, it is refused by its place or left alone", async () => {
    const request = { profile: "code", evidence: ["The port is 8080", "y"], claims: ["The port is 8080", "The port is 9"], nulls: ["identifiers", "no_evidence"] };
    const report = await claimgauge.verify(request, { judge: judges.recorded([{ claim: "C0", pass: "full", text: "ENTAILED 0.9" }]) });
    report.skipped.push({ claim: "x", reason: "manual" });
    const cycle = {};
    cycle.self = cycle;
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const throwing = Object.defineProperty({}, "x", { enumerable: true, get: () => assert.fail("read") });
    const noData = [Symbol("x"), () => {}, 10n, new Map(), new Date(0), NaN, Infinity, cycle, proxy, throwing, "\ud800"];
    const data = [undefined, null, 7, "x", [], {}, [null], [[7]]];
    const printers = { toMarkdown: claimgauge.toMarkdown, toOtelEvents: claimgauge.toOtelEvents, toLangfuseScores: (one) => claimgauge.toLangfuseScores(one, {}) };

    const places = [[]];
    for (const place of places) {
      const value = place.reduce((inner, key) => inner[key], report);
      if (typeof value === "object" && value !== null) places.push(...Object.keys(value).map((key) => [...place, key]));
    }
    const printed = {};
    const with_ = (place, value) => {
      const copy = { report: structuredClone(report) };
      const last = ["report", ...place].at(-1);
      ["report", ...place].slice(0, -1).reduce((inner, key) => inner[key], copy)[last] = value;
      return copy.report;
    };
    for (const place of places) {
      for (const [at, value] of [...noData, ...data].entries()) {
        for (const [name, print] of Object.entries(printers)) {
          const path = ["report", ...place].join(".");
          try {
            print(with_(place, value));
            printed[name] = [...(printed[name] ?? []), path];
            assert.ok(name !== "toMarkdown" || at >= noData.length, `${path} takes no data, the one at ${at}`);
          } catch (error) {
            assert.ok(error instanceof claimgauge.ClaimgaugeError, `${name}, ${path}: ${error}`);
            assert.notEqual(error.code, "internal", `${name}, ${path}: ${error}`);
            assert.match(error.path, /^report\b/, `${name}: ${error}`);
          }
        }
      }
    }
    assert.ok(Object.keys(printed).length === 3, "what is nobody's business is left alone");
    for (const [place, value] of [["claims.0.id", 7], ["claims.0.flags.0", 7], ["claims.0.full.reasoning", 7], ["skipped.0.claim", null], ["claims.0.nulls.0", 7], ["claims.1.full.error.code", null]]) {
      const error = await thrownBy(() => claimgauge.toMarkdown(with_(place.split("."), value)));
      assert.equal(error.path, `report.${place}`, String(error));
    }
  });
});
