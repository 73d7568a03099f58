// A request as Markdown: evidence and claims under headings of these names, and in the front matter a
// `verification` block, as skill files have it.
import { ClaimgaugeError } from "../error.js";
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

/** In UTF-16 units: far more than anybody writes by hand. */
const MOST_MARKDOWN = 16 * 1024 * 1024;

/** As many as the core takes of spans. */
const MOST_PIECES = 100_000;

export function readMarkdown(text: string): MarkdownRequest {
  if (text.length > MOST_MARKDOWN) throw tooLarge("", text.length, "characters of Markdown", MOST_MARKDOWN);
  const lines = text.split(/\r?\n/);
  const front = frontMatter(lines);
  const sections = sectionsOf(lines, front.end);
  const request: MarkdownRequest = { optIn: optIn(block("verification", front.lines)), evidence: [], claims: [], lines: new Map() };
  const spans = new Ids("S");
  for (const piece of sections.evidence) {
    const { id, source, text } = labelled(piece.text, "S");
    request.evidence.push({ id: spans.of(id), text, source: source ?? piece.label });
  }
  const cited = new Set<unknown>(request.evidence.map(({ id }) => id));
  const claims = new Ids("C");
  for (const piece of sections.claims.filter(({ kind }) => kind === "item")) {
    const { id: own, text } = labelled(piece.text, "C");
    const id = claims.of(own);
    const [claim, cites] = citing(text, cited);
    request.claims.push({ id, text: claim.replace(/\s+/g, " "), cites });
    request.lines.set(id, piece.line);
  }
  return request;
}

/** A claim without the brackets at its end, and the evidence that they name. */
function citing(text: string, known: ReadonlySet<unknown>): [claim: string, cites: string[] | null] {
  const whole = text.trimEnd();
  const open = whole.endsWith("]") ? whole.lastIndexOf("[") : -1;
  const claim = whole.slice(0, Math.max(open, 0)).trimEnd();
  const cites = whole.slice(open + 1, -1).split(",").map((one) => one.trim());
  // In brackets may stand anything: they cite where all of it is evidence.
  return claim !== "" && cites.every((one) => known.has(one)) ? [claim, cites] : [text, null];
}

function tooLarge(path: string, count: number, what: string, most: number): ClaimgaugeError {
  const message = `${count} ${what} are more than the limit of ${most}`;
  return new ClaimgaugeError({ code: "too_large", message, path, hint: "Split it, or take what is evidence into files of its own." });
}

function optIn(given: Mapping | undefined): OptIn | undefined {
  if (given === undefined) return undefined;
  const block = plain(given);
  checkOptions(block, { enabled: flag, profile: isText, trigger: isText, customThresholds: object }, "verification");
  return block as unknown as OptIn;
}

/** As an object without a prototype, as keys may be called anything. */
function plain(mapping: Mapping): { [key: string]: Scalar | object } {
  const made = Object.create(null) as { [key: string]: Scalar | object };
  for (const [key, value] of mapping) made[key] = value instanceof Map ? plain(value) : value;
  return made;
}

/** Ids of pieces: their own, or the first from their place on that none before has. */
class Ids {
  readonly #taken = new Set<string>();
  #places = 0;
  /** All from a place to here are taken, so that none is tried twice. */
  #next = 0;

  constructor(readonly letter: string) {}

  of(own: string | undefined): string {
    const id = own ?? this.#free();
    this.#taken.add(id);
    this.#places += 1;
    return id;
  }

  #free(): string {
    this.#next = Math.max(this.#next, this.#places);
    while (this.#taken.has(`${this.letter}${this.#next}`)) this.#next += 1;
    return `${this.letter}${this.#next}`;
  }
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

// What follows a mark is taken whole and looked at apart: a pattern that also looks for its end could try each
// beginning with each end, and lines come from whoever wrote the text.
const HEADING = /^(#{1,6})\s(.*)$/s;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s+(.*))?$/s;

/** A heading's level and its title, without the marks that may close it. */
function headingOf(line: string): { level: number; title: string } | undefined {
  const [, marks, rest] = HEADING.exec(line) ?? [];
  if (marks === undefined || rest === undefined) return undefined;
  let end = rest.trimEnd().length;
  while (rest[end - 1] === "#") end -= 1;
  return { level: marks.length, title: rest.slice(0, end).trim() };
}

/** What opens or closes a fenced block, and what stands behind it. */
function fenceOf(line: string): { marks: string; label: string } | undefined {
  const [, marks, rest] = FENCE.exec(line) ?? [];
  return marks === undefined || rest === undefined || rest.includes("`") ? undefined : { marks, label: rest.trim() };
}

function sectionsOf(lines: readonly string[], start: number): { evidence: Piece[]; claims: Piece[] } {
  const found = { evidence: [] as Piece[], claims: [] as Piece[] };
  let section: { pieces: Piece[]; level: number } | undefined;
  let open: { piece: Piece; fence?: string } | undefined;
  const add = (kind: Piece["kind"], text: string, label: string | null, at: number): Piece => {
    const piece = { kind, text, label, line: at + 1 };
    section?.pieces.push(piece);
    if (section !== undefined && section.pieces.length > MOST_PIECES) {
      throw tooLarge(section.pieces === found.claims ? "claims" : "evidence", section.pieces.length, "pieces", MOST_PIECES);
    }
    return piece;
  };
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const fence = fenceOf(line);
    if (open?.fence !== undefined) {
      const closes = fence?.label === "" && fence.marks.startsWith(open.fence);
      if (closes) open = undefined;
      else open.piece.text += open.piece.text === "" ? line : `\n${line}`;
      continue;
    }
    if (fence !== undefined) {
      open = { piece: add("fence", "", fence.label === "" ? null : fence.label, at), fence: fence.marks };
      continue;
    }
    const heading = headingOf(line);
    if (heading !== undefined) {
      open = undefined;
      const name = { evidence: found.evidence, "evidence spans": found.evidence, claim: found.claims, claims: found.claims };
      const title = heading.title.toLowerCase();
      const pieces = Object.hasOwn(name, title) ? name[title as keyof typeof name] : undefined;
      if (pieces !== undefined) section = { pieces, level: heading.level };
      else if (section !== undefined && heading.level <= section.level) section = undefined;
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
