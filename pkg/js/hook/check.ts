// What a hook finds: what an agent wrote is held against the files, what it claims against what its tools gave.
import { readMarkdown } from "../cli/markdown.js";
import { ClaimgaugeError } from "../error.js";
import { checkOutput, claimsFromTools } from "../output/index.js";
import type { OutputClaim, ToolCall } from "../output/index.js";
import { wellFormed } from "../text.js";
import type { ClaimInput, SpanInput } from "../types.js";
import type { Call } from "./transcript.js";

export interface Found {
  /** What the agent must mend. */
  errors: string[];
  /** What is only told: it was not looked at, or another may have done it. */
  notes: string[];
}

/** Tools that write. */
const WRITES: Record<string, (input: Call["input"]) => ToolCall["args"] | undefined> = {
  Write: ({ file_path, content }) => (typeof content === "string" ? at(file_path, { content }) : undefined),
  Edit: ({ file_path, new_string }) => edited(file_path, new_string),
  MultiEdit: ({ file_path, edits }) => edited(file_path, Array.isArray(edits) ? edits.at(-1)?.new_string : undefined),
};
/** Tools that change no file. Whatever is not known to be one may have, also where it failed. */
const READS = new Set([
  "AskUserQuestion", "BashOutput", "ExitPlanMode", "Glob", "Grep", "KillShell", "LS", "NotebookRead", "Read", "TodoRead", "TodoWrite",
  "WebFetch", "WebSearch",
]);

/** Whether what a tool of this name wrote can be looked for. */
export function isWrite(tool: string): boolean {
  return Object.hasOwn(WRITES, tool);
}

/** Whether a call may have changed files by more than what is claimed for it. */
function mayChange({ tool, succeeded }: Call, isClaimed: boolean): boolean {
  if (READS.has(tool) || isClaimed) return false;
  return succeeded || !isWrite(tool);
}

function at(path: unknown, args: ToolCall["args"]): ToolCall["args"] | undefined {
  return typeof path === "string" && path !== "" ? { path, ...args } : undefined;
}

/** A text of less than two characters cannot be found again. */
function edited(path: unknown, text: unknown): ToolCall["args"] | undefined {
  return typeof text === "string" && text.length >= 2 ? at(path, { newText: text }) : undefined;
}

/** Holds what these calls wrote against the files below the base. */
export async function checkFiles(calls: Call[], basePath: string): Promise<Found> {
  const found: Found = { errors: [], notes: [] };
  const claims: { claim: OutputClaim; index: number }[] = [];
  calls.forEach((call, index) => {
    const args = isWrite(call.tool) ? WRITES[call.tool]?.(call.input) : undefined;
    if (args === undefined || !call.succeeded) return;
    const effect = call.tool === "Write" ? "write" : "edit";
    try {
      const made = claimsFromTools([{ tool: call.tool, args }], { toolKinds: { [call.tool]: effect } });
      claims.push(...made.map((claim) => ({ claim, index })));
    } catch (error) {
      if (!(error instanceof ClaimgaugeError)) throw error;
      found.notes.push(`A call of ${call.tool} says nothing that could be checked: ${error.message}`);
    }
  });
  if (claims.length === 0) return found;

  const output = { summary: "What the tools wrote", traceRef: "trace:hook", claims: claims.map(({ claim }) => claim) };
  const { filesystemValidation, errors } = await checkOutput(output, { basePath });
  if (filesystemValidation === undefined) return { ...found, notes: [...found.notes, ...errors] };
  const claimed = new Set(claims.map(({ index }) => index));
  const lastChange = calls.findLastIndex((call, index) => mayChange(call, claimed.has(index)));
  filesystemValidation.claimResults.forEach(({ claim, outcome, reason, hint }, nth) => {
    if (!("filePath" in claim) || (outcome !== "failed" && outcome !== "inconclusive")) return;
    const words = `${claim.filePath}: ${reason}${hint === null ? "" : ` (${hint})`}`;
    if (reason === ESCAPE) found.notes.push(`${claim.filePath}: not looked at, as it is outside of ${basePath}`);
    else if (outcome === "inconclusive") found.notes.push(words);
    else if (lastChange > (claims[nth]?.index ?? 0)) found.notes.push(`${words}; ${calls[lastChange]?.tool}, called afterwards, may have done that`);
    else found.errors.push(words);
  });
  return found;
}

const ESCAPE = "Path escapes base directory";

/** Most characters of what tools gave that are evidence: the last ones. */
const MOST_EVIDENCE = 400_000;

/**
 * What the agent says under a heading Claims, and what its tools gave: an agent's own evidence section would prove
 * nothing. `left` is how many earlier results had no room.
 */
export function claimsOf(message: string, calls: Call[]): { claims: Exclude<ClaimInput, string>[]; evidence: SpanInput[]; left: number } {
  // A message has no front matter: a line at its beginning is one.
  const { claims } = readMarkdown(`\n${message}`);
  const evidence: SpanInput[] = [];
  let room = MOST_EVIDENCE;
  let left = 0;
  for (const { tool, input, succeeded, result } of [...calls].reverse()) {
    if (!succeeded || result === "" || isWrite(tool)) continue;
    if (result.length > room) left += 1;
    if (room <= 0) continue;
    const about = [input["file_path"], input["command"], input["pattern"], input["url"]].find((one) => typeof one === "string");
    evidence.unshift({ text: wellFormed(result.slice(0, room)), source: wellFormed(about === undefined ? tool : `${tool} ${about}`) });
    room -= result.length;
  }
  return { claims: claims.map(({ text }) => ({ text: wellFormed(text) })), evidence, left };
}
