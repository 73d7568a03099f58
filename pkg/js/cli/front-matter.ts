// The `verification` block of a Markdown file's front matter. All other keys belong to someone else and are
// passed over unread, so no more of YAML is needed than mappings and scalars.

/** What is wrong, and in which line of the file. */
export class FrontMatterError extends Error {
  constructor(message: string, readonly line: number) {
    super(message);
  }
}

export type Scalar = string | number | boolean | null;
export type Mapping = Map<string, Scalar | Mapping>;

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
  const value = valueOf(head, lines.slice(found + 1, end < 0 ? undefined : end));
  if (!(value instanceof Map)) throw new FrontMatterError(`Expected keys under "${key}"`, head.number);
  return value;
}

function lineOf(given: string, at: number): Line | undefined {
  const text = withoutComment(given).trimEnd();
  const number = at + 1;
  return text.trim() === "" || at === 0 ? undefined : { indent: text.length - text.trimStart().length, text: text.trimStart(), number };
}

const QUOTED = { '"': /"[^"\\]*(?:\\.[^"\\]*)*"/sy, "'": /'[^']*'/y };

/** A comment begins at a `#` at the line's beginning or after a blank, outside quotes. */
function withoutComment(line: string): string {
  // Where one quote has no end, none of its kind behind it has one: that is not looked for again.
  const endless = new Set<string>();
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string;
    const isBehindText = at > 0 && /\S/.test(line[at - 1] as string);
    if (character === "#" && !isBehindText) return line.slice(0, at);
    if (character !== '"' && character !== "'") continue;
    const quoted = QUOTED[character];
    quoted.lastIndex = at;
    if (!endless.has(character) && quoted.test(line)) at = quoted.lastIndex - 1;
    else if (isBehindText) endless.add(character);
    else return line;
  }
  return line;
}

function entry(text: string): { key: string; rest: string } | undefined {
  const [, double, single, plain, rest = ""] = /^(?:"([^"\\]*)"\s*|'([^']*)'\s*|([^\s"'{[\]},#&*!|>%@`-][^:]*)):(?:\s+(.*))?$/s.exec(text) ?? [];
  const key = double ?? single ?? plain?.trimEnd();
  return key === undefined ? undefined : { key, rest };
}

/** What stands behind a key: on its line, or below it. */
function valueOf({ text, number }: Line, below: Line[]): Scalar | Mapping {
  const rest = entry(text)?.rest ?? "";
  if (rest === "") return below.length === 0 ? null : mapping(below);
  if (below[0] !== undefined) throw new FrontMatterError("Expected one value, on one line", below[0].number);
  return new Flow(rest, number).whole();
}

function mapping(lines: Line[]): Mapping {
  const made: Mapping = new Map();
  const indent = (lines[0] as Line).indent;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line;
    const found = entry(line.text);
    if (line.indent !== indent || found === undefined || line.text.includes("\t")) {
      throw new FrontMatterError("Expected a key and its value, as far to the right as the others, without tabs", line.number);
    }
    if (made.has(found.key)) throw new FrontMatterError(`"${found.key}" is there twice`, line.number);
    let end = at + 1;
    while (end < lines.length && (lines[end] as Line).indent > indent) end += 1;
    made.set(found.key, valueOf(line, lines.slice(at + 1, end)));
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

  whole(): Scalar | Mapping {
    const value = this.#rest.startsWith("{") ? this.#mapping() : this.#scalar(/^.*$/s);
    if (this.#rest !== "") throw this.#unexpected();
    return value;
  }

  #mapping(): Mapping {
    const made: Mapping = new Map();
    this.#take(/^\{/);
    while (!this.#rest.startsWith("}")) {
      const key = String(this.#scalar(/^[^:,{}]*/));
      this.#take(/^:/);
      if (made.has(key)) throw new FrontMatterError(`"${key}" is there twice`, this.line);
      made.set(key, this.#rest.startsWith("{") ? this.#mapping() : this.#scalar(/^[^,{}]*/));
      if (!this.#rest.startsWith("}")) this.#take(/^,/);
    }
    this.#take(/^\}/);
    return made;
  }

  #scalar(plain: RegExp): Scalar {
    const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/;
    if (!quoted.test(this.#rest)) return scalarOf(this.#take(plain).trim(), this.line);
    const text = this.#take(quoted);
    if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
    try {
      return JSON.parse(text) as string;
    } catch {
      throw new FrontMatterError(`Not a text: ${text}`, this.line);
    }
  }

  #take(what: RegExp): string {
    const [taken] = what.exec(this.#rest) ?? [];
    if (taken === undefined) throw this.#unexpected();
    this.#rest = this.#rest.slice(taken.length).trimStart();
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
