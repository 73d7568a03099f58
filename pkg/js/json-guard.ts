// Looks at JSON before it is parsed, as it comes in: what no command takes is refused before it takes time and memory.

/** Far deeper than what the core takes, which says more about what it refuses. */
const MOST_DEPTH = 512;

/** As many as the core takes in one request. */
const MOST_VALUES = 10_000_000;

const [QUOTE, BACKSLASH, LINE_FEED] = [0x22, 0x5c, 0x0a];
const [COMMA, BRACE, END_BRACE, BRACKET, END_BRACKET] = [0x2c, 0x7b, 0x7d, 0x5b, 0x5d];

/** Counts levels and values of a document, or of each of many on lines of their own. Whether it is JSON at all is not its business. */
export class JsonGuard {
  #depth = 0;
  #values = 0;
  #line = 1;
  #isInText = false;
  #isEscaped = false;

  /** What is wrong with it so far, and in which line. */
  take(bytes: Uint8Array): { line: number; wrong: string } | undefined {
    let [depth, values, line, isInText, isEscaped] = [this.#depth, this.#values, this.#line, this.#isInText, this.#isEscaped];
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === LINE_FEED) {
        // No text goes on behind it, and at the outermost level nothing needs to.
        isInText = isEscaped = false;
        line += 1;
        if (depth === 0) values = 0;
      } else if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) {
        isInText = true;
      } else if (byte === BRACE || byte === BRACKET) {
        depth += 1;
        values += 1;
        if (depth > MOST_DEPTH) return { line, wrong: `nested deeper than ${MOST_DEPTH}` };
      } else if (byte === COMMA) {
        values += 1;
      } else if ((byte === END_BRACE || byte === END_BRACKET) && depth > 0) {
        depth -= 1;
      }
      if (values > MOST_VALUES) return { line, wrong: `more than ${MOST_VALUES} values` };
    }
    [this.#depth, this.#values, this.#line, this.#isInText, this.#isEscaped] = [depth, values, line, isInText, isEscaped];
    return undefined;
  }
}

/** Whether a text is within what is parsed. */
export function isParsable(text: string): boolean {
  return new JsonGuard().take(Buffer.from(text)) === undefined;
}
