// What a coding agent did in its turn, from the transcript that its host keeps: a message in each line. A transcript is
// written by a program and partly by a model: what has not the expected shape is passed over.

import { isParsable } from "../json-guard.js";
import { isObject } from "../options.js";

/** A tool that was called, and what came of it. */
export interface Call {
  tool: string;
  input: Record<string, unknown>;
  succeeded: boolean;
  /** What it gave, as text. */
  result: string;
}

export interface Turn {
  calls: Call[];
  /** What the agent said last. */
  message: string;
  /** Lines of it that are no entries: no JSON, or no object. */
  unreadable: number;
}

type Fields = Record<string, unknown>;

/** More entries than a turn has, of which the last ones count. */
const MOST_ENTRIES = 100_000;

/** Since what the user said last. */
export function lastTurn(transcript: string): Turn {
  const turn: Fields[] = [];
  let unreadable = 0;
  for (const line of linesFromTheEnd(transcript)) {
    const entry = parsed(line);
    if (entry !== undefined && isPrompt(entry)) break;
    if (entry === undefined) unreadable += 1;
    else turn.push(entry);
    if (turn.length + unreadable === MOST_ENTRIES) break;
  }
  turn.reverse();
  const blocks = turn.flatMap((entry) => blocksOf(entry).map((block): Fields => ({ ...block, by: entry["type"] })));

  const results = new Map<unknown, Fields>();
  for (const block of blocks) {
    if (block["by"] === "user" && block["type"] === "tool_result") results.set(block["tool_use_id"], block);
  }
  // A message that was streamed may be there in several lines.
  const calls = new Map<unknown, Call>();
  for (const block of blocks) {
    const { name, input, id } = block;
    if (block["by"] !== "assistant" || block["type"] !== "tool_use" || typeof name !== "string" || !isObject(input)) continue;
    const result = results.get(id);
    calls.set(id, { tool: name, input, succeeded: result !== undefined && result["is_error"] !== true, result: textOf(result?.["content"]) });
  }
  const said = turn.findLast((entry) => entry["type"] === "assistant" && !entry["isSidechain"] && messageText(entry) !== "");
  return { calls: [...calls.values()], message: said === undefined ? "" : messageText(said), unreadable };
}

/** Those that are not blank. Of a session of days the last turn is a small part. */
function* linesFromTheEnd(text: string): Generator<string> {
  for (let end = text.length; end >= 0; ) {
    const start = end === 0 ? -1 : text.lastIndexOf("\n", end - 1);
    const line = text.slice(start + 1, end);
    if (line.trim() !== "") yield line;
    end = start;
  }
}

function parsed(line: string): Fields | undefined {
  if (!isParsable(line)) return undefined;
  try {
    const entry: unknown = JSON.parse(line);
    return isObject(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** What the user said: not a tool's result, nor what the host itself put there. */
function isPrompt(entry: Fields): boolean {
  if (entry["type"] !== "user" || entry["isMeta"] === true || entry["isSidechain"] === true || entry["isCompactSummary"] === true) return false;
  const message = entry["message"];
  if (!isObject(message)) return false;
  return typeof message["content"] === "string" || !blocksOf(entry).some((block) => block["type"] === "tool_result");
}

function blocksOf(entry: Fields): Fields[] {
  const message = entry["message"];
  const content = isObject(message) ? message["content"] : undefined;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function messageText(entry: Fields): string {
  const message = entry["message"];
  return isObject(message) ? textOf(message["content"]) : "";
}

/** The text of a message's or a result's content. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.filter(isObject).map((block) => (block["type"] === "text" ? block["text"] : undefined));
  return texts.filter((text) => typeof text === "string").join("\n");
}
