import { setMaxListeners } from "node:events";

import { clearProgress } from "./terminal.js";

/** Runs something that the user may interrupt; whether they did is told. A second interrupt ends the program. */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<{ result: T; aborted: boolean }> {
  const interrupt = new AbortController();
  // Every open question listens: many of them are no leak.
  setMaxListeners(0, interrupt.signal);
  const interrupted = () => interrupt.abort();
  process.once("SIGINT", interrupted);
  try {
    const result = await run(interrupt.signal);
    return { result, aborted: interrupt.signal.aborted };
  } finally {
    process.off("SIGINT", interrupted);
    clearProgress();
  }
}
