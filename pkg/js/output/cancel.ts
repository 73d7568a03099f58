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
export const SLICE = 8;
