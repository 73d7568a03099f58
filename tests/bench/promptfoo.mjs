// Asks promptfoo's context-faithfulness, on the Node that it wants: for each line of JSON with `question`, `claims`,
// `evidence` and `baseUrl` it prints whether all claims passed.
// Argument: the folder in which it is installed.
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
// Nothing is told anybody, and nothing is kept where a user has it.
Object.assign(process.env, {
  PROMPTFOO_CONFIG_DIR: join(folder, "config"),
  PROMPTFOO_CACHE_ENABLED: "false",
  PROMPTFOO_DISABLE_TELEMETRY: "1",
  PROMPTFOO_DISABLE_UPDATE: "1",
  PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
});
const entry = createRequire(join(folder, "package.json")).resolve("promptfoo");
const { assertions } = (await import(pathToFileURL(entry))).default;

for await (const line of createInterface({ input: process.stdin })) {
  const { question, claims, evidence, baseUrl } = JSON.parse(line);
  const provider = { id: "openai:chat:scripted", config: { apiBaseUrl: baseUrl, apiKey: "none" } };
  const { pass } = await assertions.matchesContextFaithfulness(question, claims.join("\n"), evidence.join("\n"), 1, { provider });
  console.log(JSON.stringify(pass));
}
process.exit();
