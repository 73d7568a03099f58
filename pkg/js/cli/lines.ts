/** The lines of a text that are not blank, one by one: there may be more than fit into the memory. */
export class Lines {
  constructor(readonly text: string) {}

  *[Symbol.iterator](): Generator<{ line: string; number: number }> {
    let start = 0;
    for (let number = 1; start <= this.text.length; number += 1) {
      const found = this.text.indexOf("\n", start);
      const end = found < 0 ? this.text.length : found;
      const line = this.text.slice(start, end).trim();
      if (line !== "") yield { line, number };
      start = end + 1;
    }
  }

  *map<T>(make: (line: { line: string; number: number }) => T): Generator<T> {
    for (const line of this) yield make(line);
  }
}
