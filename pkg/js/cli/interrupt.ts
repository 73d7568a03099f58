import { setMaxListeners } from "node:events";

import { clearProgress } from "./terminal.js";

/** What asks a program to end. */
const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** Runs something that the user may interrupt; whether they did is told. A second interrupt ends the program. */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<{ result: T; aborted: boolean }> {
  const interrupt = new AbortController();
  // Every open question listens: many of them are no leak.
  setMaxListeners(0, interrupt.signal);
  const ignore = () => SIGNALS.forEach((signal) => process.off(signal, interrupted));
  const interrupted = () => {
    ignore();
    interrupt.abort();
  };
  SIGNALS.forEach((signal) => process.on(signal, interrupted));
  try {
    const result = await run(interrupt.signal);
    return { result, aborted: interrupt.signal.aborted };
  } finally {
    ignore();
    clearProgress();
  }
}
