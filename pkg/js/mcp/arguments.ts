// A tool's arguments: checked by name and type, as a model wrote them. What they hold is checked by what takes it.
import { isParsable } from "../json-guard.js";
import { checkOutput } from "../output/index.js";
import { openFolder } from "../output/folder.js";
import { ClaimgaugeError } from "../error.js";
import { checkOptions, oneOf, type Option } from "../options.js";
import type { FileHost, Observation } from "../output/types.js";

export type Arguments = Record<string, unknown>;

export const profileName: Option = oneOf("strawberry", "code", "documentation", "data", "security");
/** Left to the core, which says more about it. */
export const anything: Option = { expected: "a value", fits: () => true };
export const something: Option = { ...anything, required: true };

/** A tool's arguments, where lists and objects that came as JSON text are what that text says. */
export function checked(given: unknown, known: Record<string, Option>, lists: readonly string[]): Arguments {
  const parsed = Object.entries(given ?? {}).map(([name, value]) => [name, lists.includes(name) ? fromText(value) : value]);
  const made = Object.fromEntries(parsed) as Arguments;
  checkOptions(made, known);
  return made;
}

/** Some models hand in lists as JSON text. */
function fromText(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value) || !isParsable(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Most bytes of a file that is evidence. */
const MOST_FILE = 1024 * 1024;

/** Evidence with the texts of the files that it names. */
export async function withFiles(evidence: unknown, root: string | undefined): Promise<unknown> {
  if (!Array.isArray(evidence)) return evidence;
  const spans: unknown[] = [];
  for (const [at, span] of evidence.entries()) {
    const isFile = typeof span === "object" && span !== null && Object.hasOwn(span, "file");
    spans.push(isFile ? await fileSpan(span as Arguments, `evidence.${at}`, root) : span);
  }
  return spans;
}

async function fileSpan({ file, ...span }: Arguments, path: string, root: string | undefined): Promise<unknown> {
  if (typeof file !== "string") {
    throw new ClaimgaugeError({ code: "invalid_type", message: `Expected string, received ${typeof file}`, path: `${path}.file` });
  }
  if (Object.hasOwn(span, "text")) {
    throw new ClaimgaugeError({ code: "invalid_value", message: "Give a file or a text, not both", path });
  }
  return { ...span, text: await textOf(file, `${path}.file`, root), source: span["source"] ?? file };
}

/** The text of a file below the root, by the same rules as claims about files are checked. */
async function textOf(file: string, path: string, root: string | undefined): Promise<string> {
  const refuse = (message: string, hint?: string) => new ClaimgaugeError({ code: "file_refused", message, path, hint });
  if (root === undefined) throw refuse("This server reads no files", "It was started without --root; give the text itself.");
  const folder = openFolder(root);
  let seen: Observation | undefined;
  const host: FileHost = {
    base: folder.base,
    observe: async (look, context) => (seen = await folder.observe(look, context)),
  };
  const anchor = { beforeSnippet: "the text", afterSnippet: "is read", contentHash: "0" };
  const output = { summary: "read", traceRef: "trace:read", claims: [{ kind: "file-edit", filePath: file, anchor }] };
  const { filesystemValidation } = await checkOutput(output, { host, limits: { textBytes: MOST_FILE } });
  if (seen?.kind !== "file") throw refuse(filesystemValidation?.claimResults[0]?.reason ?? "It cannot be read");
  if (!(seen.text instanceof Uint8Array)) throw refuse(`It is larger than ${MOST_FILE} bytes`, "Give the part that matters as a text.");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(seen.text);
  } catch {
    throw refuse("It is not UTF-8");
  }
}
