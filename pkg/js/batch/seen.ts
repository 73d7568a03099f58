// Which questions were planned already, in memory that does not grow with their number.
import type { Location } from "./plan-files.js";

const FIRST = 1 << 16;

/** So many places for 100 MB. What comes when they are taken is planned, even if it was planned before. */
const MOST = 1 << 23;

/** How full the table may be. */
const LOAD = 0.7;

/** Fingerprints and where the line is that has it; whether it is the same question, that line must tell. */
export class Seen {
  #fingerprints = new Uint32Array(FIRST);
  /** One more than the location; 0 where there is none. */
  #locations = new Float64Array(FIRST);
  #count = 0;

  /** The first location that `fits`, of those with the fingerprint. */
  find(fingerprint: number, fits: (location: Location) => boolean): Location | undefined {
    const mask = this.#locations.length - 1;
    for (let at = fingerprint & mask; this.#locations[at] !== 0; at = (at + 1) & mask) {
      const location = (this.#locations[at] as number) - 1;
      if (this.#fingerprints[at] === fingerprint && fits(location)) return location;
    }
    return undefined;
  }

  add(fingerprint: number, location: Location): void {
    if (this.#count >= this.#locations.length * LOAD && !this.#grow()) return;
    this.#put(fingerprint, location + 1);
    this.#count += 1;
  }

  #put(fingerprint: number, stored: number): void {
    const mask = this.#locations.length - 1;
    let at = fingerprint & mask;
    while (this.#locations[at] !== 0) at = (at + 1) & mask;
    this.#fingerprints[at] = fingerprint;
    this.#locations[at] = stored;
  }

  #grow(): boolean {
    if (this.#locations.length >= MOST) return false;
    const [fingerprints, locations] = [this.#fingerprints, this.#locations];
    this.#fingerprints = new Uint32Array(2 * locations.length);
    this.#locations = new Float64Array(2 * locations.length);
    locations.forEach((stored, at) => {
      if (stored !== 0) this.#put(fingerprints[at] as number, stored);
    });
    return true;
  }
}
