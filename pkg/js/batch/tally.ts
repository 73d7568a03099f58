// How often each reason was given.

/** So many reasons are told apart: a hostile file may hold as many as it has lines. */
const MOST_REASONS = 20;

/** Counts one more; `told` may be what JSON gave, and a reason may have any name. */
export function count(told: Record<string, number>, reason: string): void {
  const name = Object.hasOwn(told, reason) || Object.keys(told).length < MOST_REASONS ? reason : "Others";
  const value = Object.hasOwn(told, name) ? (told[name] as number) + 1 : 1;
  // An assignment would set the prototype, where that is the name.
  Object.defineProperty(told, name, { value, enumerable: true, writable: true, configurable: true });
}
