const { setImmediate: later } = globalThis as { setImmediate?: (run: () => void) => void };

/**
 * Lets everything else run: timers that are due, signals, input. Node's own way takes no time, but its first round may
 * come before theirs; browsers have none.
 */
async function others(): Promise<void> {
  if (later === undefined) return new Promise((resolve) => void setTimeout(resolve));
  for (let round = 0; round < 2; round += 1) await new Promise<void>((resolve) => later(resolve));
}

/** The turn of long work, which everything else waits for: no signal aborts what never pauses. */
export class Turn {
  readonly #slice: number;
  #since = performance.now();

  /** `slice` is how long, in milliseconds, it may keep everything else from running. */
  constructor(slice: number) {
    this.#slice = slice;
  }

  get isOver(): boolean {
    return performance.now() - this.#since > this.#slice;
  }

  /** Where the work may end early. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    await others();
    this.#since = performance.now();
  }
}
