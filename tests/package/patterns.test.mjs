// Kinds of the caller's own, with patterns: through the package.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { source, thrownBy, usePackage } from "./fixture.mjs";

const profile = (...patterns) => ({ extends: "code", kinds: ["PATH", { kind: "TICKET", patterns }] });
const TICKET = "[A-Z]{2,5}-\\d+";

describe("patterns", { timeout: 60_000 }, () => {
  let project, claimgauge, judges;
  usePackage((used) => ({ project, claimgauge, judges } = used));

  test("a synchronous call refuses them until they are loaded", async () => {
    const request = { profile: profile(TICKET), evidence: ["OPS-17 is closed"], claims: ["OPS-17 is closed"] };
    const script = `
      import { estimate, loadPatterns, scrub, verify } from "claimgauge";
      const request = ${JSON.stringify(request)};
      const told = [];
      for (const call of [scrub, estimate]) {
        try { call(request); } catch (error) { told.push([error.name, error.code, error.path, error.hint]); }
      }
      await loadPatterns();
      console.log(JSON.stringify({ told, text: scrub(request).spans[0].text, calls: estimate(request).calls }));
    `;
    const { stdout, stderr } = await project.script(script);
    assert.equal(stderr, "");
    const refusal = ["ClaimgaugeError", "patterns_not_loaded", "profile.kinds.1.patterns.0", "Call `await loadPatterns()` once before."];
    assert.deepEqual(JSON.parse(stdout), { told: [refusal, refusal], text: "[TICKET_1] is closed", calls: 2 });
  });

  test("verify loads them by itself", async () => {
    const script = `
      import { verify } from "claimgauge";
      const asked = [];
      const judge = ({ pass, messages }) => {
        asked.push(messages.at(-1).content.includes("[TICKET_1]"));
        return pass === "full" ? "ENTAILED 0.95" : "UNSURE 0.3";
      };
      const request = ${JSON.stringify({ profile: profile(TICKET), evidence: ["OPS-17 is closed"], claims: ["OPS-17 is closed"] })};
      const report = await verify(request, { judge });
      console.log(JSON.stringify([report.claims[0].status, report.profile, asked.sort(), report.scrub.replacements[0].kind]));
    `;
    const { stdout } = await project.script(script);
    assert.deepEqual(JSON.parse(stdout), ["VERIFIED", "custom", [false, true], "TICKET"]);
  });

  test("what was scrubbed comes back, with offsets as JavaScript counts", async () => {
    await claimgauge.loadPatterns();
    const text = "\u{1D4B3} \u{1F389} OPS-17 and \u8ba2\u5355, ops-17";
    const scrubbed = claimgauge.scrub({ profile: profile(TICKET, "\\p{Han}+"), evidence: [text] });
    assert.equal(scrubbed.spans[0].text, "\u{1D4B3} \u{1F389} [TICKET_1] and [TICKET_2], [TICKET_1]");
    for (const { start, end, text: original, kind } of scrubbed.replacements) {
      assert.deepEqual([text.slice(start, end), kind], [original, "TICKET"]);
    }
    assert.equal(claimgauge.unscrub(scrubbed.spans[0].text, scrubbed), text);
    const next = claimgauge.scrub({ profile: profile(TICKET), evidence: ["OPS-18, OPS-17"], previous: scrubbed });
    assert.equal(next.spans[0].text, "[TICKET_3], [TICKET_1]");
    assert.match(claimgauge.toMarkdown(await claimgauge.verify({ profile: profile(TICKET), evidence: [text], claims: ["OPS-17"] }, { judge: judges.builtin() })), /OPS-17/);
  });

  test("what is wrong is refused with its place, and the next call works", async () => {
    await claimgauge.loadPatterns();
    const rows = [
      [{ kinds: [{ kind: "TICKET", patterns: ["x", "a(b"] }] }, "invalid_pattern", "kinds.0.patterns.1", /column 2/],
      [{ profile: profile("(?<=a)b") }, "invalid_pattern", "profile.kinds.1.patterns.0", /Look-around/],
      [{ profile: profile("((a{1000}){1000}){1000}") }, "invalid_pattern", "profile.kinds.1.patterns.0", /too large/],
      [{ kinds: [{ kind: "Ticket", patterns: ["x"] }] }, "invalid_value", "kinds.0.kind", /Ticket/],
      [{ kinds: ["TICKET"] }, "unknown_kind", "kinds.0", /TICKET/],
      [{ kinds: [{ patterns: ["x"] }] }, "missing_field", "kinds.0.kind", /./],
      [{ kinds: [{ kind: "TICKET", pattern: "x" }] }, "unknown_field", "kinds.0.pattern", /./],
      [{ kinds: [{ kind: "TICKET", patterns: [/x/] }] }, "invalid_type", "kinds.0.patterns.0", /./],
      [{ kinds: [{ kind: "TICKET", patterns: ["\ud800"] }] }, "lone_surrogate", "kinds.0.patterns.0", /./],
      [{ kinds: [{ kind: "TICKET", patterns: Array(65).fill("x") }] }, "too_large", "kinds.0.patterns", /64/],
      [{ kinds: [{ kind: "TICKET", patterns: ["."] }], evidence: ["x".repeat(1_000_001)] }, "too_large", "kinds.0.patterns.0", /1000000/],
      [{ kinds: [{ kind: "TICKET" }], glossary: { TICKETS: ["x"] } }, "unknown_kind", "glossary.TICKETS", /./],
      [{ profile: { extends: "code", thresholds: { verified: { full: 2 } } } }, "invalid_threshold", "profile.thresholds.verified.full", /./],
      [{ profile: { extends: "kode" } }, "unknown_profile", "profile.extends", /kode/],
    ];
    for (const [part, code, path, message] of rows) {
      const request = { profile: "code", evidence: ["OPS-17"], claims: ["OPS-17 is one"], ...part };
      const calls = [() => claimgauge.scrub(request), () => claimgauge.verify(request, { judge: judges.builtin() })];
      for (const call of calls) {
        const error = await thrownBy(call);
        assert.ok(error instanceof claimgauge.ClaimgaugeError, String(error));
        assert.deepEqual([error.code, error.path], [code, path], error.message);
        assert.match(error.message, message);
      }
      assert.equal(claimgauge.scrub({ profile: profile(TICKET), evidence: ["OPS-17"] }).spans[0].text, "[TICKET_1]");
    }
  });

  test("a megabyte of evidence and a pattern that goes back come to an end", async () => {
    await claimgauge.loadPatterns();
    const evidence = ["a".repeat(1_000_000) + "b"];
    const since = process.cpuUsage();
    const { replacements } = claimgauge.scrub({ profile: profile("(a+)+$", "(x+x+)+y"), evidence });
    assert.equal(replacements.filter(({ kind }) => kind === "TICKET").length, 0);
    assert.ok(process.cpuUsage(since).user < 20_000_000);
  });

  test("the documentation's sample prints what the documentation says", async () => {
    const page = await source("docs/profiles.md");
    const [, section] = page.split("## Patterns");
    const [, sample] = /^```js\n(.*?)^```/ms.exec(section) ?? assert.fail("the section has no sample");
    const { stdout, stderr } = await project.script(sample);
    assert.equal(stderr, "");
    assert.ok(section.replace(/\s+/g, " ").includes(`It prints \`${stdout.trim()}\``), stdout);
  });
});
