// The package gives what the same code gives on the machine itself: `cargo xtask test package` writes both.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";

import { install, thrownBy } from "./fixture.mjs";

describe("native and wasm", () => {
  let project;
  before(async () => {
    project = await install();
  });
  after(() => project.remove());

  test("random scrubs come out alike", async () => {
    const { scrub, unscrub } = project.require("claimgauge");
    const lines = (await readFile(process.env.CLAIMGAUGE_SCRUBS, "utf8")).trim().split("\n");
    assert.equal(lines.length, 600);
    let replaced = 0;
    for (const line of lines) {
      const { request, result, code } = JSON.parse(line);
      if (code) {
        assert.equal((await thrownBy(() => scrub(request))).code, code, line);
        continue;
      }
      const got = scrub(request);
      assert.deepEqual(got, result, line);
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
