// Reads what is itself under test, an agent's output or a trace, as far as any shape looks into it, and
// writes it in a form that crosses at once: a call across for each key and text would be most of the time
// that a check takes. Whatever the value is, it is no error.
import { ClaimgaugeError } from "../error.js";
import { checks } from "../module.js";

/** A value on its way into the module, and what was read of it as plain data. */
export interface Given {
  /** What stands where, in the order of the walk. See `CODES`. */
  codes: Float64Array;
  /** All texts, one after the other, in UTF-8. */
  texts: Uint8Array;
  /** With whole characters only, without what JSON cannot say. */
  copy: unknown;
}

/** What each kind of value is written as. The module reads the same numbers. */
const CODES = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  nan: 4,
  /** Then the number. */
  number: 5,
  /** Then how many UTF-16 units of the texts it is. */
  text: 6,
  /** Then how many items follow. */
  array: 7,
  /** Then how many fields follow, each with the position of its key among the known ones before it. */
  object: 8,
  /** As a text; half of a surrogate pair in it became U+FFFD. */
  halved: 9,
  /** Further ones are the words for what JSON cannot say. */
  words: 10,
};

/** What JSON cannot say, as messages call it. The module has the same list. */
const WORDS = [
  "another value", "bigint", "date", "function", "infinity", "map", "more than can be read", "promise", "set", "symbol",
  "what cannot be read",
] as const;

/** What has a class of its own and shows no keys. */
const CLASSES = new Map<string, (typeof WORDS)[number]>([
  ["[object Date]", "date"], ["[object Map]", "map"], ["[object Promise]", "promise"], ["[object Set]", "set"],
]);

/** How many values are read: a small value in JavaScript that holds itself many times over is endless written out. */
const MAX_VALUES = 5_000_000;

/** How many UTF-16 units of text are read, one that stands at many places at each: no engine joins much more. */
const MAX_UNITS = 2 ** 28;

/** The keys that any shape has, and how deep any looks. */
interface Known {
  keys: Map<string, number>;
  depth: number;
}

let known: Known | undefined;

const encoder = new TextEncoder();

/** Reads a value as far as any shape looks into it. */
export function given(value: unknown): Given {
  known ??= read();
  let walk = new Walk(known, false);
  let copy = walk.value(value, 0);
  let texts = walk.texts.join("");
  if (!isWellFormed(texts)) {
    walk = new Walk(known, true);
    copy = walk.value(value, 0);
    texts = walk.texts.join("");
  }
  return { codes: new Float64Array(walk.codes), texts: encoder.encode(texts), copy };
}

function read(): Known {
  const { keys, depth } = JSON.parse(checks.call((module) => module.givenKeys())) as { keys: string[]; depth: number };
  return { keys: new Map(keys.map((key, at) => [key, at])), depth };
}

class Walk {
  readonly codes: number[] = [];
  readonly texts: string[] = [];
  readonly #known: Known;
  /** Whether each text is looked through for half of a surrogate pair. */
  readonly #mend: boolean;
  #left = MAX_VALUES;
  #units = MAX_UNITS;

  constructor(known: Known, mend: boolean) {
    this.#known = known;
    this.#mend = mend;
  }

  /** Writes a value and returns it as plain data; what JSON cannot say is not there. */
  value(value: unknown, depth: number): unknown {
    if (this.#left <= 0) return this.#word("more than can be read");
    this.#left -= 1;
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        return this.#number(value);
      case "boolean":
        this.codes.push(value ? CODES.true : CODES.false);
        return value;
      case "undefined":
        this.codes.push(CODES.undefined);
        return undefined;
      case "object":
        return value === null ? this.#null() : this.#readable(value, depth);
      default:
        return this.#word(typeof value as "bigint" | "function" | "symbol");
    }
  }

  #text(value: string): string | undefined {
    if (value.length > this.#units) return this.#word("more than can be read");
    this.#units -= value.length;
    const text = this.#mend ? whole(value) : value;
    this.codes.push(text === value ? CODES.text : CODES.halved, text.length);
    this.texts.push(text);
    return text;
  }

  #number(value: number): number {
    if (Number.isNaN(value)) this.codes.push(CODES.nan);
    else if (Number.isFinite(value)) this.codes.push(CODES.number, value);
    else this.#word("infinity");
    // No data has a negative zero.
    return value + 0;
  }

  #null(): null {
    this.codes.push(CODES.null);
    return null;
  }

  #word(word: (typeof WORDS)[number]): undefined {
    this.codes.push(CODES.words + WORDS.indexOf(word));
    return undefined;
  }

  /** A proxy or a getter may throw: what was written of its object is taken back. */
  #readable(value: object, depth: number): unknown {
    const [codes, texts] = [this.codes.length, this.texts.length];
    try {
      return Array.isArray(value) ? this.#array(value, depth) : this.#object(value as Record<string, unknown>, depth);
    } catch {
      this.codes.length = codes;
      this.texts.length = texts;
      return this.#word("what cannot be read");
    }
  }

  #array(array: unknown[], depth: number): unknown {
    const length = depth < this.#known.depth ? array.length : 0;
    // A sparse array is as long as it says.
    if (length > this.#left) return this.#word("more than can be read");
    this.codes.push(CODES.array, length);
    const copy = [];
    for (let at = 0; at < length; at += 1) copy.push(this.value(array[at], depth + 1));
    return copy;
  }

  #object(object: Record<string, unknown>, depth: number): unknown {
    const keys = Object.keys(object);
    // Keys that no shape has cost time too, each time that their object is met.
    this.#left -= keys.length;
    if (keys.length === 0) {
      const word = CLASSES.get(Object.prototype.toString.call(object));
      if (word !== undefined) return this.#word(word);
    }
    const copy: Record<string, unknown> = {};
    const count = this.codes.push(CODES.object, 0) - 1;
    if (depth < this.#known.depth) {
      for (const key of keys) {
        const known = this.#known.keys.get(key);
        if (known === undefined) continue;
        const field = object[key];
        // The same as an absent one.
        if (field === undefined) continue;
        this.codes.push(known);
        copy[key] = this.value(field, key === "output" ? this.#deep(field) : depth + 1);
        this.codes[count] = (this.codes[count] as number) + 1;
      }
    }
    return copy;
  }

  /** How deep what a tool gave counts: of an object only the fields are looked at, of a list nothing. */
  #deep(output: unknown): number {
    return Array.isArray(output) ? this.#known.depth : this.#known.depth - 1;
  }
}

function isWellFormed(text: string): boolean {
  // Where the engine is too old to be asked, each text is mended.
  return (text as { isWellFormed?: () => boolean }).isWellFormed?.() ?? false;
}

/** Whether a text is UTF-8's too: Node would ask the system for another file than the one that is named. */
export function isWhole(text: string): boolean {
  return whole(text) === text;
}

/** The error of a path or a command with half of a surrogate pair. */
export function halved(path: string): ClaimgaugeError {
  return new ClaimgaugeError({ code: "lone_surrogate", message: "The text holds half of a surrogate pair", path });
}

function whole(text: string): string {
  return new TextDecoder().decode(encoder.encode(text));
}
