// What a claim costs of a judge, through the packed package and through its peers: the same claims, asked of a scripted
// server on this machine that counts calls and tokens.
// Arguments: the package's folder, the folder in which promptfoo is installed, where it could be.
//
// Lines that start with `figure`, or `no figure` and why, are for the gates.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { newerNode } from "../package/fixture.mjs";
import { countingServer } from "../support/counting.mjs";

const [npmPackage, frameworks] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const { getEncoding } = require("js-tiktoken");
const tokeniser = getEncoding("o200k_base");
const count = (text) => tokeniser.encode(text, "all").length;

const ITEMS = 20;
const items = readFileSync(new URL("../vectors/claims/seedstyle40.jsonl", import.meta.url), "utf8")
  .trim().split("\n").slice(0, ITEMS).map((line) => JSON.parse(line));

/** Peers are told a question to which the claims are the answer. */
const QUESTION = "What holds?";

const GROUPS = [
  { size: 1, about: "asked singly", gate: "" },
  { size: 4, about: "in groups of four on shared evidence", gate: "_grouped" },
];

const askers = [claimgauge(), await promptfoo(), autoevals()];
for (const { size, about, gate } of GROUPS) {
  console.log(`\n${ITEMS} claims of seedstyle40, ${about}${size > 1 ? " (each claim four times)" : ""}`);
  const costs = [];
  for (const asker of askers) costs.push(await costOrReason(asker, size));
  const [own] = costs;
  for (const [at, { name, id }] of askers.entries()) {
    const { calls, prompt, schemas, missing } = costs[at];
    if (missing) {
      console.log(`  ${name.padEnd(50)} NOT MEASURED: ${missing}`);
      console.log(`no figure to_${id}${gate}:${missing}`);
      continue;
    }
    const beside = schemas > 0 ? `, and ${schemas.toFixed(0)} of schemas and tools beside the messages` : "";
    console.log(`  ${name.padEnd(50)} ${calls.toFixed(2)} calls, ${prompt.toFixed(1).padStart(6)} prompt tokens a claim${beside}`);
    if (id) console.log(`figure to_${id}${gate}=${own.prompt / prompt}`);
  }
}
for (const asker of askers) asker.end?.();

/** A peer that fails is not measured; the package must not fail. */
async function costOrReason(asker, size) {
  if (asker.missing) return asker;
  try {
    return await costOf(asker, size);
  } catch (error) {
    if (!asker.id) throw error;
    return { missing: error.message };
  }
}

/** What a claim costs on average; what is asked must come to a judgement, or the server was not understood. */
async function costOf({ name, answer, ask }, size) {
  let claims;
  const server = await countingServer((json) => answer(json, claims), count);
  try {
    for (const { id, claim, evidence } of items) {
      claims = Array(size).fill(claim);
      const judged = await ask({ claims, evidence, size, baseUrl: server.baseUrl });
      if (!judged) throw new Error(`${name} made nothing of the replies about ${id}`);
    }
  } finally {
    await server.close();
  }
  const { calls, prompt, schemas } = server.sum;
  const all = ITEMS * size;
  return { calls: calls / all, prompt: prompt / all, schemas: schemas / all };
}

/** Both passes. */
function claimgauge() {
  const own = createRequire(join(npmPackage, "package.json"));
  const { verify, version } = own(join(npmPackage, "dist/node/node.js"));
  const { openai } = own(join(npmPackage, "dist/node/node-judges.js"));
  const verdict = { verdict: "ENTAILED", confidence: 0.9 };
  return {
    name: `claimgauge ${version}`,
    answer({ messages }) {
      const listed = messages.at(-1).content.split("\nClaims: ")[1];
      return JSON.stringify(listed ? { answers: JSON.parse(listed).map(({ id }) => ({ id, ...verdict })) } : verdict);
    },
    async ask({ claims, evidence, size, baseUrl }) {
      const request = { profile: "strawberry", evidence, claims, passes: "both" };
      const { claims: judged } = await verify(request, { judge: openai({ baseUrl, model: "scripted" }), group: size });
      return judged.every(({ scrubbed, full }) => scrubbed?.verdict === "ENTAILED" && full?.verdict === "ENTAILED");
    },
  };
}

/** One call for the statements of an answer, one for their verdicts. */
async function promptfoo() {
  const asker = { id: "promptfoo", name: "promptfoo, context-faithfulness" };
  const manifest = join(frameworks, "node_modules/promptfoo/package.json");
  const node = await newerNode().catch(() => null);
  if (!node || !existsSync(manifest)) return { ...asker, missing: "promptfoo could not be installed: npm's message stands above" };
  const script = fileURLToPath(new URL("promptfoo.mjs", import.meta.url));
  const child = spawn(node, [script, frameworks], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ...asker,
    name: `promptfoo ${JSON.parse(readFileSync(manifest, "utf8")).version}, context-faithfulness`,
    answer({ messages }, claims) {
      if (messages.at(-1).content.startsWith("Given a question and answer")) return claims.join("\n");
      const judged = claims.map((claim, at) => `${at + 1}. ${claim}\nExplanation: It stands there. Verdict: Yes.`);
      return `${judged.join("\n")}\nFinal verdict for each statement in order: ${claims.map(() => "Yes.").join(" ")}`;
    },
    async ask({ claims, evidence, baseUrl }) {
      child.stdin.write(`${JSON.stringify({ question: QUESTION, claims, evidence, baseUrl })}\n`);
      const { value, done } = await answers.next();
      return !done && JSON.parse(value);
    },
    end: () => child.stdin.end(),
  };
}

/** The same two calls, answered through tools. */
function autoevals() {
  const { Faithfulness } = require("autoevals");
  const { version } = JSON.parse(readFileSync(new URL("node_modules/autoevals/package.json", import.meta.url), "utf8"));
  return {
    id: "autoevals",
    name: `autoevals ${version}, Faithfulness`,
    answer({ tools: [{ function: { name } }] }, statements) {
      const judged = () => statements.map((statement) => ({ statement, reason: "It stands there.", verdict: 1 }));
      const given = name === "extract_statements" ? { statements } : { faithfulness: judged() };
      return { content: null, tool_calls: [{ id: "1", type: "function", function: { name, arguments: JSON.stringify(given) } }] };
    },
    async ask({ claims, evidence, baseUrl }) {
      const asked = { input: QUESTION, output: claims.join("\n"), context: evidence };
      const { score } = await Faithfulness({ ...asked, model: "scripted", openAiApiKey: "none", openAiBaseUrl: baseUrl });
      return score === 1;
    },
  };
}
