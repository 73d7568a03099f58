// How long the built-in judge takes for a claim on 10 KB of evidence, through the packed package in Node.
// Arguments: the package's folder, the folder with the evidence and the claim.
//
// Lines that start with `figure` are for the gates.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [npmPackage, folder] = process.argv.slice(2);
const { builtin } = createRequire(import.meta.url)(join(npmPackage, "dist/node/node-judges.js"));
const { text, claim } = JSON.parse(readFileSync(join(folder, "builtin.json"), "utf8"));
const question = { spans: [{ id: "S0", text, source: null }], claimText: claim };
const judge = builtin();

const times = [];
for (let round = 0; round < 400; round += 1) {
  const start = performance.now();
  await judge.judge(question, {});
  times.push(performance.now() - start);
}
// The first calls load and compile the module.
const warm = times.slice(100).sort((a, b) => a - b);
const median = warm[warm.length >> 1];
console.log(`A claim on ${text.length} characters of evidence, through npm: ${median.toFixed(3)} ms`);
console.log(`figure builtin=${median}`);
