// The package gives what the same code gives on the machine itself: `cargo xtask test package` writes both.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";

import { install, thrownBy } from "./fixture.mjs";

describe("native and wasm", () => {
  let project, claimgauge, lines;
  before(async () => {
    project = await install();
    claimgauge = project.require("claimgauge");
    const { builtin } = project.require("claimgauge/judges");
    const judged = { ...claimgauge, verify: (request) => claimgauge.verify(request, { judge: builtin() }) };
    lines = (await readFile(process.env.CLAIMGAUGE_CALLS, "utf8")).trim().split("\n").map((line) => ({ ...JSON.parse(line), line }));
    for (const one of lines) one.make = () => judged[one.call](one.request);
  });
  after(() => project.remove());

  for (const call of ["scrub", "decide", "readReply", "verify"]) {
    test(`${call}: what random calls come to is the same`, async () => {
      const asked = lines.filter((one) => one.call === call);
      assert.equal(asked.length, 600);
      let given = 0;
      for (const { make, result, code, path, line } of asked) {
        if (code) {
          const refused = await thrownBy(make);
          assert.deepEqual({ code: refused.code, path: refused.path }, { code, path }, line);
        } else {
          assert.deepEqual(await make(), result, line);
          given += 1;
        }
      }
      assert.ok(given > 200, `${given} results`);
    });
  }

  test("random scrubs lead back to what was scrubbed", () => {
    const { unscrub } = claimgauge;
    let replaced = 0;
    for (const { call, request, code, make, line } of lines) {
      if (call !== "scrub" || code) continue;
      const got = make();
      replaced += got.replacements.length;
      for (const [at, { id, text }] of got.spans.entries()) {
        assert.equal(unscrub(text, got, id), request.evidence[at].text, line);
      }
      for (const { span, field, start, end, text } of got.replacements) {
        const original = request.evidence.find(({ id }) => id === span)[field];
        assert.equal(original.slice(start, end), text, line);
      }
    }
    assert.ok(replaced > 1000, `${replaced} replacements`);
  });
});
