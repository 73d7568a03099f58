import { setMaxListeners } from "node:events";

import { EXIT } from "./exit.js";
import { clearProgress } from "./terminal.js";

/** What asks a program to end. */
const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** What an interrupt ends early, if there is something that can be. */
let running: AbortController | undefined;

/** Runs a command; an interrupt ends the program at once, but for what is `interruptible`. */
export async function endable<T>(run: () => Promise<T>): Promise<T> {
  SIGNALS.forEach((signal) => process.on(signal, interrupted));
  try {
    return await run();
  } finally {
    SIGNALS.forEach((signal) => process.off(signal, interrupted));
  }
}

function interrupted(): void {
  if (running !== undefined && !running.signal.aborted) {
    running.abort();
    return;
  }
  clearProgress();
  process.exit(EXIT.interrupted);
}

/** Runs something that the user may interrupt; whether they did is told. A second interrupt ends the program. */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<{ result: T; aborted: boolean }> {
  const interrupt = new AbortController();
  // Every open question listens: many of them are no leak.
  setMaxListeners(0, interrupt.signal);
  running = interrupt;
  try {
    const result = await run(interrupt.signal);
    return { result, aborted: interrupt.signal.aborted };
  } finally {
    running = undefined;
    clearProgress();
  }
}
