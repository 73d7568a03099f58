// The `verification` block of a Markdown file's front matter. All other keys belong to someone else and are
// passed over unread, so no more of YAML is needed than mappings and scalars.
import { ClaimgaugeError } from "../error.js";

/** What is wrong, and in which line of the file. */
export class FrontMatterError extends Error {
  constructor(message: string, readonly line: number) {
    super(message);
  }
}

export type Scalar = string | number | boolean | null;
export type Mapping = Map<string, Scalar | Mapping>;

/** How deep mappings may stand in one another: as deep as the core takes values. */
const MOST_LEVELS = 64;

interface Line {
  indent: number;
  text: string;
  number: number;
}

/** The lines of a front matter, and where the file goes on after it. */
export function frontMatter(lines: readonly string[]): { lines: readonly string[]; end: number } {
  if (lines[0]?.trimEnd() !== "---") return { lines: [], end: 0 };
  const end = lines.findIndex((line, at) => at > 0 && /^(---|\.\.\.)\s*$/.test(line));
  if (end < 0) throw new FrontMatterError('The front matter has no end: a line "---" is missing', 1);
  return { lines: lines.slice(0, end), end: end + 1 };
}

/** The mapping under a top-level key; undefined where the key is not there. */
export function block(key: string, given: readonly string[]): Mapping | undefined {
  const lines = given.map(lineOf).filter((line) => line !== undefined);
  const found = lines.findIndex(({ indent, text }) => indent === 0 && entry(text)?.key === key);
  const head = lines[found];
  if (head === undefined) return undefined;
  const again = lines.slice(found + 1).find(({ indent, text }) => indent === 0 && entry(text)?.key === key);
  if (again !== undefined) throw new FrontMatterError(`"${key}" is there twice`, again.number);
  const end = lines.findIndex(({ indent }, at) => at > found && indent === 0);
  const value = valueOf(head, lines.slice(found + 1, end < 0 ? undefined : end), 0);
  if (!(value instanceof Map)) throw new FrontMatterError(`Expected keys under "${key}"`, head.number);
  return value;
}

function lineOf(given: string, at: number): Line | undefined {
  const text = withoutComment(given).trimEnd();
  const number = at + 1;
  return text.trim() === "" || at === 0 ? undefined : { indent: text.length - text.trimStart().length, text: text.trimStart(), number };
}

/** A comment begins at a `#` at the line's beginning or after a blank, outside quotes. */
function withoutComment(line: string): string {
  // Where one quote has no end, none of its kind behind it has one: that is not looked for again.
  const endless = new Set<string>();
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string;
    const isBehindText = at > 0 && /\S/.test(line[at - 1] as string);
    if (character === "#" && !isBehindText) return line.slice(0, at);
    if (character !== '"' && character !== "'") continue;
    const end = endless.has(character) ? -1 : closing(line, at);
    if (end >= 0) at = end;
    else if (isBehindText) endless.add(character);
    else return line;
  }
  return line;
}

/** Where the quote that opens here closes; -1 where it does not. A pattern would keep each step of its way, and long texts have many. */
function closing(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === text[open]) return at;
    if (text[open] === '"' && text[at] === "\\") at += 1;
  }
  return -1;
}

/** Each level takes some of the stack, which no text of somebody else's may use up. */
function checkLevel(level: number, line: number): void {
  if (level <= MOST_LEVELS) return;
  throw new ClaimgaugeError({ code: "too_deep", message: `Line ${line} is nested deeper than ${MOST_LEVELS}`, path: "verification" });
}

function entry(text: string): { key: string; rest: string } | undefined {
  const [, double, single, plain, rest = ""] = /^(?:"([^"\\]*)"\s*|'([^']*)'\s*|([^\s"'{[\]},#&*!|>%@`-][^:]*)):(?:\s+(.*))?$/s.exec(text) ?? [];
  const key = double ?? single ?? plain?.trimEnd();
  return key === undefined ? undefined : { key, rest };
}

/** What stands behind a key: on its line, or below it. */
function valueOf({ text, number }: Line, below: Line[], level: number): Scalar | Mapping {
  const rest = entry(text)?.rest ?? "";
  if (rest === "") return below.length === 0 ? null : mapping(below, level + 1);
  if (below[0] !== undefined) throw new FrontMatterError("Expected one value, on one line", below[0].number);
  return new Flow(rest, number).whole(level);
}

function mapping(lines: Line[], level: number): Mapping {
  const made: Mapping = new Map();
  const { indent, number } = lines[0] as Line;
  checkLevel(level, number);
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line;
    const found = entry(line.text);
    if (line.indent !== indent || found === undefined || line.text.includes("\t")) {
      throw new FrontMatterError("Expected a key and its value, as far to the right as the others, without tabs", line.number);
    }
    if (made.has(found.key)) throw new FrontMatterError(`"${found.key}" is there twice`, line.number);
    let end = at + 1;
    while (end < lines.length && (lines[end] as Line).indent > indent) end += 1;
    made.set(found.key, valueOf(line, lines.slice(at + 1, end), level));
    at = end;
  }
  return made;
}

/** Values on one line: scalars and `{ key: value }`. */
class Flow {
  #rest: string;

  constructor(text: string, readonly line: number) {
    this.#rest = text.trim();
  }

  whole(level: number): Scalar | Mapping {
    const value = this.#rest.startsWith("{") ? this.#mapping(level + 1) : this.#scalar(/^.*$/s);
    if (this.#rest !== "") throw this.#unexpected();
    return value;
  }

  #mapping(level: number): Mapping {
    checkLevel(level, this.line);
    const made: Mapping = new Map();
    this.#take(/^\{/);
    while (!this.#rest.startsWith("}")) {
      const key = String(this.#scalar(/^[^:,{}]*/));
      this.#take(/^:/);
      if (made.has(key)) throw new FrontMatterError(`"${key}" is there twice`, this.line);
      made.set(key, this.#rest.startsWith("{") ? this.#mapping(level + 1) : this.#scalar(/^[^,{}]*/));
      if (!this.#rest.startsWith("}")) this.#take(/^,/);
    }
    this.#take(/^\}/);
    return made;
  }

  #scalar(plain: RegExp): Scalar {
    const end = /^["']/.test(this.#rest) ? closing(this.#rest, 0) : -1;
    if (end < 0) return scalarOf(this.#take(plain).trim(), this.line);
    const text = this.#cut(this.#quoted(end) + 1);
    if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
    try {
      return JSON.parse(text) as string;
    } catch {
      throw new FrontMatterError(`Not a text: ${text.slice(0, 40)}`, this.line);
    }
  }

  /** Where a quoted text ends whose first quote closes here: two of them in single quotes are one. */
  #quoted(end: number): number {
    while (this.#rest[0] === "'" && this.#rest[end + 1] === "'") {
      const next = closing(this.#rest, end + 1);
      if (next < 0) break;
      end = next;
    }
    return end;
  }

  #take(what: RegExp): string {
    const [taken] = what.exec(this.#rest) ?? [];
    if (taken === undefined) throw this.#unexpected();
    return this.#cut(taken.length);
  }

  #cut(length: number): string {
    const taken = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length).trimStart();
    return taken;
  }

  #unexpected(): FrontMatterError {
    return new FrontMatterError(this.#rest === "" ? "The value has no end" : `Unexpected: ${this.#rest.slice(0, 40)}`, this.line);
  }
}

function scalarOf(text: string, line: number): Scalar {
  if (/^(true|True|TRUE)$/.test(text)) return true;
  if (/^(false|False|FALSE)$/.test(text)) return false;
  if (/^(|~|null|Null|NULL)$/.test(text)) return null;
  if (/^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (/^[[&*!|>%@`]/.test(text)) throw new FrontMatterError(`Expected a plain value, not ${text.slice(0, 40)}`, line);
  return text;
}
