// The sample for Ray Data in docs/batches.md runs as it stands, on a local Ray: CLAIMGAUGE_RAY names a Python that has it,
// which `cargo xtask test --all` installs, else the one in the path is tried. Without one this is skipped, and says so.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { requests, verdictOn } from "./batch-engine.mjs";
import { install, source } from "./fixture.mjs";
import { say, serve } from "./scripted.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const python = process.env.CLAIMGAUGE_RAY ?? "python3";
const hasRay = await run(python, ["-c", "import ray.data"]).then(() => true, () => false);
const why = `${python} has no Ray: the sample for Ray Data was not run (\`cargo xtask test --all\` installs one, or name a Python in CLAIMGAUGE_RAY)`;
if (!hasRay) console.error(`SKIPPED: ${why}`);

test("the sample for Ray Data answers a plan", { skip: hasRay ? false : why, timeout: 300_000 }, async () => {
  const project = await install();
  const server = await serve((request, response) => say(response, verdictOn(request.json.messages.at(-1).content)));
  try {
    const lines = (await requests(root, 10)).map((request) => `${JSON.stringify(request)}\n`);
    await writeFile(join(project.folder, "requests.jsonl"), lines.join(""));
    await project.cli(["batch", "plan", "requests.jsonl", "--model", "m", "--out", "plan"]);
    const [, sample] = /^```python\n(.*?)^```/ms.exec(await source("docs/batches.md"));
    await writeFile(join(project.folder, "sample.py"), sample);
    const env = { ...process.env, JUDGE_URL: server.baseUrl, RAY_USAGE_STATS_ENABLED: "0" };
    await run(python, ["sample.py"], { cwd: project.folder, env, maxBuffer: 1 << 26 });
    const { code, stdout } = await project.cli(["batch", "merge", "plan"]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /20 lines of answers\.\nEvery question has its answer\./);
  } finally {
    await server.close();
    await project.remove();
  }
});
