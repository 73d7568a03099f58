import { ClaimgaugeError } from "../error.js";

/** Throws once the signal has aborted. */
export function stopIf(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) {
    throw new ClaimgaugeError(
      { code: "cancelled", message: "The check was cancelled", hint: "Half a check says nothing: start it again." },
      { cause: signal.reason },
    );
  }
}

/** What the promise gives, or the error that it was cancelled, whichever comes first. */
export async function unlessAborted<T>(promise: T | Promise<T>, signal: AbortSignal): Promise<T> {
  let cancel = () => {};
  const aborted = new Promise<never>((_, reject) => {
    cancel = () => {
      try {
        stopIf(signal);
      } catch (error) {
        reject(error as Error);
      }
    };
    signal.addEventListener("abort", cancel, { once: true });
    cancel();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** How long, in milliseconds, small files and schemas may keep everything else from running. */
const SLICE = 8;

/** Lets everything else run. Node's own way takes no time; browsers have none. */
const { setImmediate: later = setTimeout } = globalThis as { setImmediate?: (run: () => void) => void };

/** The turn of long work, which everything else waits for. */
export class Turn {
  #since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#since > SLICE;
  }

  /** Where the work may end early: a signal cannot abort what never pauses. */
  async pause(signal: AbortSignal | null | undefined): Promise<void> {
    if (this.isOver) {
      await new Promise<void>((resolve) => later(resolve));
      this.#since = performance.now();
    }
    stopIf(signal);
  }
}
