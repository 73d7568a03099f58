// An agent's run on a real project: tools that really write, edit, delete and run, their trace, the
// claims made of them. The true output passes; every tampered one fails at its claim.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { install } from "./fixture.mjs";
import { folder } from "./output-folder.mjs";

/** The tools of an agent, each of which leaves its call and its invocation behind. */
class Tools {
  calls = [];
  invocations = [];

  constructor(base) {
    this.base = base;
  }

  write(path, content) {
    writeFileSync(join(this.base, path), content);
    this.#did("fs:write", { path, content }, { status: "success" });
  }

  edit(path, oldText, newText) {
    const file = join(this.base, path);
    const was = readFileSync(file, "utf8");
    const after = was.replace(oldText, newText);
    writeFileSync(file, after);
    this.#did("fs:edit", { path, oldText, newText }, { status: "success", before: was, after });
  }

  delete(path) {
    rmSync(join(this.base, path));
    this.#did("fs:delete", { path }, { status: "success" });
  }

  run(command) {
    const { status, stdout } = spawnSync("sh", ["-c", command], { cwd: this.base, encoding: "utf8" });
    this.#did("shell:exec", { command }, { status: status === 0 ? "success" : "failed", output: { exitCode: status, stdout } });
  }

  #did(tool, args, { status, output, before, after }) {
    this.calls.push({ tool, args, status, output, before, after });
    this.invocations.push({ invocationId: `i${this.calls.length}`, tool, args, status, output, purpose: "execution" });
  }
}

describe("output of an agent", { timeout: 120_000 }, () => {
  let project, claimgauge, where, options, output;
  before(async () => {
    project = await install();
    claimgauge = project.require("claimgauge");
    where = folder();
    where.write("src/tide.js", `${"// a line before\n".repeat(40)}export const level = 3;\n${"// a line behind\n".repeat(40)}`);
    where.write("src/index.js", 'import { level } from "./tide.js";\nconsole.log(level);\n');
    where.write("src/old.js", "gone soon\n");
    const tools = new Tools(where.base);
    tools.write("notes.md", "# Tides\n\nHigh at six. 🎉\n");
    tools.edit("src/tide.js", "level = 3", "level = 4");
    tools.edit("src/index.js", "console.log(level);", "console.log(level + 1);");
    tools.delete("src/old.js");
    tools.run("test -f notes.md");
    tools.run("grep -q nothing notes.md");
    const trace = { traceId: "run-1", specialistId: "implementer", invocations: tools.invocations };
    options = { basePath: where.base, strict: true, trace, specialistId: "implementer" };
    output = {
      summary: "Wrote the notes, raised the level, cleaned up.",
      traceRef: "trace:run-1",
      claims: claimgauge.claimsFromTools(tools.calls),
    };
  });
  after(async () => {
    where.remove();
    await project.remove();
  });

  test("output of an agent: the true one passes", async () => {
    const result = await claimgauge.checkOutput(output, options);
    assert.deepEqual(result.errors, []);
    assert.deepEqual(result.filesystemValidation.claimResults.map(({ outcome }) => outcome), Array(6).fill("passed"));
    assert.deepEqual([result.level, result.unclaimed, result.claimless], [3, [], false]);
  });

  /** Every place in a value that holds text or a number. */
  function leaves(value, path = []) {
    if (typeof value !== "object") return [path];
    return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
  }

  function tampered(path, change) {
    const copy = structuredClone(output);
    const last = path.at(-1);
    const holder = path.slice(0, -1).reduce((at, key) => at[key], copy.claims);
    change(holder, last);
    return copy;
  }

  // What each field's tampering ends as, at level 3.
  const CATEGORIES = {
    afterSnippet: ["anchor_mismatch"],
    beforeSnippet: ["anchor_mismatch"],
    command: ["filesystem_mismatch"],
    contentHash: ["hash_mismatch"],
    exitCode: ["filesystem_mismatch"],
    // A file that was never there is not found; one that nobody deleted is not in the trace.
    filePath: ["file_not_found", "filesystem_mismatch"],
  };

  test("output of an agent: every field tampered with fails at its claim, with its category", async () => {
    const places = leaves(output.claims);
    assert.equal(places.length, 21);
    let tried = 0;
    for (const path of places) {
      const [index, field] = [Number(path[0]), path.at(-1)];
      const changes = [(holder, key) => {
        const value = holder[key];
        if (typeof value === "number") holder[key] = value + 1;
        else if (field === "contentHash") holder[key] = (value[0] === "0" ? "1" : "0") + value.slice(1);
        else holder[key] = `${value}X`;
      }, (holder, key) => delete holder[key], (holder, key) => (holder[key] = null)];
      for (const [at, change] of changes.entries()) {
        const result = await claimgauge.checkOutput(tampered(path, change), options);
        const what = `${path.join(".")}, change ${at}: ${result.errors.join("; ")}`;
        assert.equal(result.valid, false, what);
        if (at > 0 || field === "kind") {
          assert.equal(result.level, 1, what);
          assert.ok(result.structureValidation.errors.every((error) => error.path.startsWith(`claims.${index}.`)), what);
          assert.ok(["missing_field", "invalid_type"].includes(result.errorCategory), what);
        } else {
          assert.equal(result.level, 3, what);
          const failed = result.filesystemValidation.claimResults.filter(({ outcome }) => outcome !== "passed");
          assert.deepEqual(failed.map((one) => one.index), [index], what);
          assert.ok(CATEGORIES[field].includes(result.errorCategory), what);
          assert.equal(failed[0].category, result.errorCategory);
        }
        tried += 1;
      }
    }
    assert.equal(tried, 63);
  });

  test("output of an agent: a claim of another kind, a claim too many, a claim too few", async () => {
    for (const [at, { kind, filePath }] of output.claims.entries()) {
      if (filePath === undefined) continue;
      const kinds = ["file-write", "file-edit", "code-inserted", "file-delete"].filter((other) => other !== kind);
      for (const other of kinds) {
        // An insertion is an edit: the same proof holds.
        if (kind === "file-edit" && other === "code-inserted") continue;
        const copy = structuredClone(output);
        copy.claims[at].kind = other;
        const result = await claimgauge.checkOutput(copy, options);
        assert.equal(result.valid, false, `${kind} as ${other}`);
      }
    }
    const more = structuredClone(output);
    more.claims.push({ kind: "file-delete", filePath: "src/never.js" });
    assert.deepEqual((await claimgauge.checkOutput(more, options)).errors.slice(1), ["file-delete: No matching invocation in trace"]);
    const less = structuredClone(output);
    less.claims.splice(1, 1);
    const result = await claimgauge.checkOutput(less, options);
    assert.deepEqual([result.valid, result.unclaimed], [true, ["src/tide.js"]]);
  });

  test("output of an agent: a trace of another run or of another specialist fails at level 1", async () => {
    for (const other of [{ specialistId: "tester" }, { trace: { ...options.trace, traceId: "run-2" } }]) {
      const result = await claimgauge.checkOutput(output, { ...options, ...other });
      assert.deepEqual([result.level, result.structureValidation.errors[0].path], [1, "traceRef"]);
    }
    const ran = structuredClone(options.trace);
    ran.invocations.findLast(({ args }) => args.command === "test -f notes.md").output.exitCode = 1;
    const result = await claimgauge.checkOutput(output, { ...options, trace: ran });
    assert.deepEqual(result.errors.slice(1), ["command-executed: Exit code mismatch"]);
  });

  test("output of an agent: what happens to the files afterwards shows", async () => {
    const rows = [
      ["notes.md", "changed", 0, "hash_mismatch"],
      ["src/tide.js", "export const level = 3;\n", 1, "anchor_mismatch"],
      ["src/old.js", "back again\n", 3, "filesystem_mismatch"],
    ];
    for (const [path, content, index, category] of rows) {
      const file = join(where.base, path);
      let was;
      try {
        was = readFileSync(file);
      } catch {
        was = undefined;
      }
      writeFileSync(file, content);
      const result = await claimgauge.checkOutput(output, options);
      const failed = result.filesystemValidation.claimResults.filter(({ outcome }) => outcome === "failed");
      assert.deepEqual(failed.map((one) => [one.index, one.category]), [[index, category]]);
      if (was === undefined) rmSync(file);
      else writeFileSync(file, was);
    }
  });

  test("output of an agent: the command line says the same, here and from observations", async () => {
    const file = (name) => join(project.folder, name);
    const save = (name, value) => writeFileSync(file(name), JSON.stringify(value));
    save("output.json", output);
    save("trace.json", options.trace);
    const bad = structuredClone(output);
    bad.claims[0].contentHash = "0".repeat(64);
    save("bad.json", bad);
    save("schema.json", { type: "object", required: ["exitCode"], properties: { exitCode: { type: "integer" } } });
    save("narrow.json", { type: "object", properties: { exitCode: { const: 1 } } });
    save("remote.json", { $ref: "https://schemas.example/x.json" });

    const good = await project.cli(["check-output", "output.json", "--base", where.base, "--trace", "trace.json", "--strict", "--schema", "shell:exec=schema.json", "--specialist", "implementer"]);
    assert.deepEqual([good.code, good.stderr], [0, ""]);
    assert.match(good.stdout, /^PASSED {7}claims\.0 file-write notes\.md\n[^]*\nVALID\n$/);

    const tools = { "shell:exec": JSON.parse(readFileSync(file("schema.json"))) };
    for (const [name, value] of [["output.json", output], ["bad.json", bad]]) {
      const args = ["check-output", name, "--trace", "trace.json", "--strict", "--json", "--schema", "shell:exec=schema.json"];
      const here = await project.cli([...args, "--base", where.base]);
      const seen = await project.cli(["observe", name, "--base", where.base]);
      assert.deepEqual([seen.code, seen.stderr], [0, ""]);
      writeFileSync(file("observations.json"), seen.stdout);
      const there = await project.cli([...args, "--observations", "observations.json"]);
      assert.deepEqual(there, here);
      assert.equal(here.code, name === "bad.json" ? 1 : 0);
      assert.deepEqual(JSON.parse(here.stdout), await claimgauge.checkOutput(value, { ...options, tools, specialistId: undefined }));
    }
    const failed = await project.cli(["check-output", "-", "--base", where.base], { input: JSON.stringify(bad) });
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /^FAILED {7}claims\.0 file-write notes\.md: Content hash mismatch\n[^]*\nINVALID: Level 3/);
    const level2 = await project.cli(["check-output", "output.json", "--trace", "trace.json", "--schema", "shell:exec=narrow.json"]);
    assert.equal(level2.code, 1);
    assert.match(level2.stdout, /INVALID: Level 2 .*\n {2}shell:exec: exitCode: /);

    for (const [args, message] of [
      [["observe", "output.json"], /observe needs --base/],
      [["check-output", "output.json", "--base", "nowhere"], /basePath: .*no such file/],
      [["check-output", "output.json", "--schema", "x"], /--schema takes TOOL=VALUE/],
      [["check-output", "output.json", "--schema", "x=remote.json"], /tools\.x\.\$ref: Nothing is fetched/],
      [["check-output", "output.json", "--tool-kind", "x=fly"], /toolKinds\.x/],
      [["check-output", "output.json", "--observations", "trace.json"], /trace\.json: observations\.\w+: There is no option/],
      [["check-output", "output.json", "--base", ".", "--observations", "trace.json"], /not both/],
      [["check-output", "output.json", "--trace", "bad.json"], /trace\.\w+: Required/],
      [["check-output", "output.json", "--markdown"], /--markdown/],
    ]) {
      const { code, stdout, stderr } = await project.cli(args);
      assert.deepEqual([code, stdout], [2, ""], args.join(" "));
      assert.match(stderr, message);
    }
  });
});
