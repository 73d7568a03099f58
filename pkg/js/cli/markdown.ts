// A request as Markdown: evidence and claims under headings of these names, and in the front matter a
// `verification` block, as skill files have it.
import { checkOptions, object, text as isText, type Option } from "../options.js";
import type { ClaimInput, SpanInput } from "../types.js";
import { block, frontMatter, type Mapping, type Scalar } from "./front-matter.js";

/** A skill's own wish to be verified. */
export interface OptIn {
  enabled: boolean;
  profile?: string;
  trigger?: string;
  customThresholds?: object;
}

export interface MarkdownRequest {
  optIn: OptIn | undefined;
  evidence: Exclude<SpanInput, string>[];
  claims: Exclude<ClaimInput, string>[];
  /** In which line each claim begins, by its id. */
  lines: Map<string, number>;
}

const flag: Option = { expected: "true or false", fits: (value) => typeof value === "boolean", required: true };

export function readMarkdown(text: string): MarkdownRequest {
  const lines = text.split(/\r?\n/);
  const front = frontMatter(lines);
  const sections = sectionsOf(lines, front.end);
  const request: MarkdownRequest = { optIn: optIn(block("verification", front.lines)), evidence: [], claims: [], lines: new Map() };
  for (const piece of sections.evidence) {
    const { id, source, text } = labelled(piece.text, "S");
    request.evidence.push({ id: id ?? nextId("S", request.evidence), text, source: source ?? piece.label });
  }
  for (const piece of sections.claims.filter(({ kind }) => kind === "item")) {
    const { id = nextId("C", request.claims), text } = labelled(piece.text, "C");
    const [, claim = text, cited] = /^(.*\S)\s*\[(\s*[\w.-]+(?:\s*,\s*[\w.-]+)*\s*)\]\s*$/s.exec(text) ?? [];
    const cites = cited?.split(",").map((one) => one.trim());
    // In brackets may stand anything: they cite where all of it is evidence.
    const isCiting = cites?.every((one) => request.evidence.some((span) => span.id === one));
    request.claims.push({ id, text: (isCiting ? claim : text).replace(/\s+/g, " "), cites: isCiting ? cites : null });
    request.lines.set(id, piece.line);
  }
  return request;
}

function optIn(given: Mapping | undefined): OptIn | undefined {
  if (given === undefined) return undefined;
  const block = plain(given);
  checkOptions(block, { enabled: flag, profile: isText, trigger: isText, customThresholds: object }, "verification");
  return block as unknown as OptIn;
}

/** As an object without a prototype, as keys may be called anything. */
function plain(mapping: Mapping): { [key: string]: Scalar | object } {
  const entries = [...mapping].map(([key, value]) => [key, value instanceof Map ? plain(value) : value] as const);
  return Object.assign(Object.create(null), ...entries.map(([key, value]) => ({ [key]: value })));
}

/** The first free one; ids that were given come first. */
function nextId(letter: string, taken: readonly { id?: string | null | undefined }[]): string {
  let number = taken.length;
  while (taken.some(({ id }) => id === `${letter}${number}`)) number += 1;
  return `${letter}${number}`;
}

/** `S0 (source): text` in its parts, also with the id in bold. */
function labelled(text: string, letter: string): { id?: string; source?: string; text: string } {
  const [whole, id, source] = new RegExp(`^(?:\\*\\*)?(${letter}\\d+)(?:\\*\\*)?(?: \\(([^()\\n]*)\\))?:(?:\\*\\*)?\\s+`).exec(text) ?? [];
  if (whole === undefined || id === undefined) return { text };
  return { id, ...(source !== undefined && { source }), text: text.slice(whole.length) };
}

/** One list item, paragraph or fenced block. */
interface Piece {
  kind: "item" | "paragraph" | "fence";
  text: string;
  /** What stands behind a fence. */
  label: string | null;
  line: number;
}

const HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`]*?)\s*$/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s+(.*))?$/;

function sectionsOf(lines: readonly string[], start: number): { evidence: Piece[]; claims: Piece[] } {
  const found = { evidence: [] as Piece[], claims: [] as Piece[] };
  let section: { pieces: Piece[]; level: number } | undefined;
  let open: { piece: Piece; fence?: string } | undefined;
  const add = (kind: Piece["kind"], text: string, label: string | null, at: number): Piece => {
    const piece = { kind, text, label, line: at + 1 };
    section?.pieces.push(piece);
    return piece;
  };
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const [, fence, label = ""] = FENCE.exec(line) ?? [];
    if (open?.fence !== undefined) {
      const closes = fence !== undefined && label === "" && fence.startsWith(open.fence);
      if (closes) open = undefined;
      else open.piece.text += open.piece.text === "" ? line : `\n${line}`;
      continue;
    }
    if (fence !== undefined) {
      open = { piece: add("fence", "", label === "" ? null : label, at), fence };
      continue;
    }
    const [, marks, title = ""] = HEADING.exec(line) ?? [];
    if (marks !== undefined) {
      open = undefined;
      const name = { evidence: found.evidence, "evidence spans": found.evidence, claim: found.claims, claims: found.claims };
      const pieces = Object.hasOwn(name, title.toLowerCase()) ? name[title.toLowerCase() as keyof typeof name] : undefined;
      if (pieces !== undefined) section = { pieces, level: marks.length };
      else if (section !== undefined && marks.length <= section.level) section = undefined;
      continue;
    }
    const item = ITEM.exec(line);
    if (item !== null) open = { piece: add("item", item[1] ?? "", null, at) };
    else if (line.trim() === "") open = undefined;
    else if (open !== undefined) open.piece.text += `\n${line.trim()}`;
    else open = { piece: add("paragraph", line.trim(), null, at) };
  }
  return found;
}
