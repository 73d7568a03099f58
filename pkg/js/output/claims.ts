import { ClaimgaugeError, wordsOf } from "../error.js";
import { more } from "../module.js";
import { array, checkBytes, checkOptions, object, oneOf, plainObject, requiredText, text as isText, type Option } from "../options.js";
import { halved, isWhole } from "./given.js";
import type { Anchor, Effect, OutputClaim, Snippet } from "./types.js";

/** One call of a tool, as a host has it when it made it: an invocation of a trace, and what it wrote. */
export interface ToolCall {
  /** `fs:write`, `fs:edit`, `fs:delete`, `shell:exec`, or a tool of `toolKinds`. */
  tool: string;
  args: {
    /** The file; `filePath`, `file` and `file_path` too. */
    path?: string;
    filePath?: string;
    file?: string;
    file_path?: string;
    /** What a write put there. */
    content?: string | Uint8Array;
    /** What an edit put there; `newString`, `new_string` and `replace` too. Needed where `after` is absent. */
    newText?: string;
    newString?: string;
    new_string?: string;
    /** With `search`; anything but a text is a tool's own switch. */
    replace?: unknown;
    /** What ran. */
    command?: string;
    [further: string]: unknown;
  };
  /** `success` where absent. A call that did not succeed claims nothing, except a command. */
  status?: string;
  /** What the call gave; of a command its exit code. */
  output?: unknown;
  /** The file's text before an edit, where the host has it. */
  before?: string;
  /** The file's content afterwards, where the host has it. With it an edit is anchored by its surroundings. */
  after?: string | Uint8Array;
}

export interface ClaimsOptions {
  /** What further tools do. */
  toolKinds?: { readonly [tool: string]: Effect } | null | undefined;
}

const EFFECTS: { readonly [tool: string]: Effect } = {
  "fs:write": "write",
  "fs:edit": "edit",
  "fs:delete": "delete",
  "fs:read": "read",
  "shell:exec": "run",
};

const effect = oneOf("write", "edit", "delete", "read", "run", "any");

const content: Option = {
  expected: "string or Uint8Array",
  fits: (value) => typeof value === "string" || value instanceof Uint8Array,
};

/** How much of the text around an edit becomes its anchor, in UTF-16 units. */
const AROUND = 400;

/**
 * The claims of what was done by these calls, with hashes and anchors: a model cannot compute SHA-256,
 * so the host that makes the calls claims for it. Calls of other tools, and what failed, claim nothing;
 * a command does where its exit code is known.
 */
export function claimsFromTools(calls: readonly ToolCall[], options: ClaimsOptions = {}): OutputClaim[] {
  try {
    return claimsOf(calls, options);
  } catch (thrown) {
    if (thrown instanceof ClaimgaugeError) throw thrown;
    // A getter, or a proxy.
    throw new ClaimgaugeError({ code: "invalid_value", message: `Reading it threw: ${wordsOf(thrown)}`, path: "calls" });
  }
}

function claimsOf(calls: readonly ToolCall[], options: ClaimsOptions): OutputClaim[] {
  checkOptions(options, { toolKinds: plainObject });
  const given = Object.entries(options.toolKinds ?? {});
  checkOptions(Object.fromEntries(given), Object.fromEntries(given.map(([tool]) => [tool, effect])), "toolKinds");
  checkOptions({ calls }, { calls: { ...array, required: true } });
  const kinds = new Map([...Object.entries(EFFECTS), ...given]);
  // Each is looked at, also one that is not there: a sparse array is as long as it says.
  return Array.from(calls, (one, at) => claimsOfOne(one, kinds, `calls.${at}`)).flat();
}

function claimsOfOne(one: ToolCall, kinds: ReadonlyMap<string, Effect>, path: string): OutputClaim[] {
  checkCall(one, path);
  const effect = kinds.get(one.tool);
  const succeeded = one.status === undefined || one.status === null || one.status === "success";
  if (effect === "run" || effect === "any") return ran(one, path);
  if (!succeeded) return [];
  if (effect === "write") return [written(one, path)];
  if (effect === "edit") return [edited(one, path)];
  if (effect === "delete") return [{ kind: "file-delete", filePath: pathOf(one, path) }];
  return [];
}

/** A call is an invocation of a trace: its further keys are left alone. */
function checkCall(one: ToolCall, path: string): void {
  if (typeof one !== "object" || one === null) throw missing(path, "a call of a tool");
  const { tool, args } = one;
  checkOptions({ tool, args }, { tool: requiredText, args: { ...object, required: true } }, path);
}

function ran({ args, output }: ToolCall, path: string): OutputClaim[] {
  const command = textOf(args.command, `${path}.args.command`).trim();
  const { exitCode } = (output ?? {}) as { exitCode?: unknown };
  return Number.isFinite(exitCode) ? [{ kind: "command-executed", command, exitCode: exitCode as number }] : [];
}

function written(one: ToolCall, path: string): OutputClaim {
  const content = one.after ?? one.args.content;
  if (content instanceof Uint8Array) checkBytes(content, `${path}.${content === one.after ? "after" : "args.content"}`);
  else if (typeof content !== "string") throw missing(`${path}.args.content`, "what was written");
  return { kind: "file-write", filePath: pathOf(one, path), contentHash: hash(content) };
}

function edited(one: ToolCall, path: string): OutputClaim {
  const filePath = pathOf(one, path);
  const { before, after: bytes, args: { newText, newString, new_string, replace } } = one;
  checkOptions({ before, after: bytes }, { before: isText, after: content }, path);
  checkOptions({ newText, newString, new_string }, { newText: isText, newString: isText, new_string: isText }, `${path}.args`);
  if (bytes instanceof Uint8Array) checkBytes(bytes, `${path}.after`);
  const after = bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : bytes ?? undefined;
  const text = newText ?? newString ?? new_string ?? (typeof replace === "string" ? replace : undefined);
  const place = after === undefined ? undefined : change(before ?? undefined, after, text);
  const anchor = after !== undefined && place !== undefined ? around(after, place) : inside(text ?? "");
  if (anchor === undefined) {
    throw missing(`${path}.after`, "the file's text after the edit: what was put there is too short to be found by itself");
  }
  return { kind: "file-edit", filePath, anchor };
}

/** Where the text differs from what it was, or where what was put there stands. */
function change(before: string | undefined, after: string, text: string | undefined): [number, number] | undefined {
  if (before === undefined) {
    const at = text === undefined || text === "" ? -1 : after.indexOf(text);
    return at < 0 ? undefined : [at, at + (text as string).length];
  }
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < most - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return [start, after.length - same];
}

/** The anchor of a change with some of the text around it. */
function around(text: string, [start, end]: [number, number]): Anchor | undefined {
  const from = whole(text, Math.max(start - AROUND, 0));
  const to = whole(text, Math.min(end + AROUND, text.length));
  // A snippet needs something to be found by: at an edge of the file a part of the change is taken.
  const first = Math.max(start, from + 1);
  const last = Math.min(end, to - 1);
  return first <= last ? cut(text, from, whole(text, first), whole(text, last), to) : inside(text.slice(from, to));
}

/** The anchor of a text that stands for itself: its first part, its last, and the hash of what is between. */
function inside(text: string): Anchor | undefined {
  const third = Math.max(Math.floor(text.length / 3), 1);
  return text.length < 2 ? undefined : cut(text, 0, whole(text, third), whole(text, Math.max(text.length - third, third)), text.length);
}

function cut(text: string, from: number, start: number, end: number, to: number): Anchor | undefined {
  if (from >= start || start > end || end >= to) return undefined;
  return {
    beforeSnippet: snippet(text.slice(from, start)),
    afterSnippet: snippet(text.slice(end, to)),
    contentHash: hash(text.slice(start, end)),
  };
}

/** A place between characters. */
function whole(text: string, at: number): number {
  const low = text.charCodeAt(at);
  const inCharacter = low >= 0xdc00 && low <= 0xdfff && at > 0;
  const inLineEnd = low === 10 && text.charCodeAt(at - 1) === 13;
  return inCharacter || inLineEnd ? at + 1 : at;
}

function snippet(text: string): Snippet {
  return more.call((module) => module.snippet(text)) as Snippet;
}

function hash(content: string | Uint8Array): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return more.call((module) => module.sha256(bytes));
}

function pathOf({ args }: ToolCall, path: string): string {
  return textOf(args.path ?? args.filePath ?? args.file ?? args.file_path, `${path}.args.path`);
}

function textOf(value: unknown, path: string): string {
  if (typeof value !== "string") throw missing(path, "a text");
  if (!isWhole(value)) throw halved(path);
  return value;
}

function missing(path: string, what: string): ClaimgaugeError {
  return new ClaimgaugeError({ code: "missing_field", message: `Expected ${what}`, path });
}
