import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";

import { version } from "../../methods.js";
import { wellFormed } from "../../text.js";
import type { Place } from "../requests.js";
import type { Outcome, Suite } from "./outcome.js";

const LEVELS: Partial<Record<Outcome["level"], string>> = { error: "error", failure: "error", warning: "warning", note: "note" };

const RULES: Record<string, string> = {
  UNSUPPORTED: "The evidence does not support the claim",
  SUSPICIOUS: "The evidence may not be what the claim rests on",
  PLAUSIBLE: "The evidence supports the claim in part",
  VERIFIED: "The evidence is what the claim rests on",
  INCONCLUSIVE: "Nothing can honestly be said about the claim",
  FAILED: "What the agent says it did does not hold",
  UNCLAIMED: "The agent changed a file and does not say so",
};

/** SARIF 2.1.0: what does not hold, for code scanning. What holds is no result of it. */
export function sarif(suites: Suite[]): string {
  const outcomes = suites.flatMap(({ outcomes }) => outcomes).filter(({ level }) => level in LEVELS);
  const rules = [...new Set(outcomes.map(({ status }) => status))];
  const results = outcomes.map(({ name, status, level, message, place }) => ({
    ruleId: status.toLowerCase(),
    ruleIndex: rules.indexOf(status),
    level: LEVELS[level],
    message: { text: plain(`${name}\n${message}`) },
    ...(place !== null && { locations: [{ physicalLocation: physical(place) }] }),
  }));
  const driver = {
    name: "claimgauge",
    version,
    rules: rules.map((status) => ({ id: status.toLowerCase(), shortDescription: { text: RULES[status] ?? status } })),
  };
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** In a message, brackets make links, braces take arguments, and a backslash keeps them from doing so. */
function plain(text: string): string {
  return text.replace(/[[\]\\]/g, "\\$&").replace(/[{}]/g, "$&$&");
}

function physical({ file, line }: Place): object {
  const relative = wellFormed(file.replaceAll("\\", "/"));
  const uri = isAbsolute(file) ? pathToFileURL(file).href : encodeURI(relative).replace(/[?#:]/g, encodeURIComponent);
  return { artifactLocation: { uri }, ...(line !== null && { region: { startLine: line } }) };
}
