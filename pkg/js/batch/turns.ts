// Long work in turns: the program hears an interrupt, shows how far it is, and loses little when it is killed.
import { ClaimgaugeError } from "../error.js";

/** In milliseconds. */
const PAUSE_EVERY = 50;
const AGREE_EVERY = 50;

/** At most this share of the time goes into agreeing. */
const AGREE_SHARE = 0.05;

export class Turns {
  #paused = Date.now();
  #agreeAt = Date.now() + AGREE_EVERY;
  #count = 0;

  /** `agree` puts what is done on the disk. */
  constructor(readonly signal: AbortSignal, readonly agree: () => void, readonly show: () => void) {}

  /** Called after each piece of work. */
  async take(): Promise<void> {
    this.#count += 1;
    // The clock is dearer than most pieces.
    if (this.#count % 16 !== 0) return;
    const now = Date.now();
    if (now - this.#paused < PAUSE_EVERY) return;
    this.#paused = now;
    this.show();
    await new Promise((resolve) => setImmediate(resolve));
    if (this.signal.aborted) {
      this.agree();
      throw interrupted();
    }
    if (now < this.#agreeAt) return;
    this.agree();
    const end = Date.now();
    this.#agreeAt = end + Math.max(AGREE_EVERY, (end - now) / AGREE_SHARE);
  }
}

export function interrupted(): ClaimgaugeError {
  return new ClaimgaugeError({ code: "cancelled", message: "Interrupted", hint: "The same command does what is left." });
}
