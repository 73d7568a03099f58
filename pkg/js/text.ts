// What texts and numbers of other people need before they are handed on or shown.

/** As text of whole characters, whatever was put there. */
export function wellFormed(value: unknown): string {
  return String(value).replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Two decimals, half away from zero on the value rounded to 6, as reports print them. */
export function two(value: number | null | undefined): string {
  if (value === null || value === undefined) return "n/a";
  const hundredths = Math.round(Math.round(Math.abs(value) * 1e6) / 1e4);
  return `${value < 0 && hundredths > 0 ? "-" : ""}${(hundredths / 100).toFixed(2)}`;
}
