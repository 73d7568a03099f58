// What providers take as batches: one row each.
import type { Dialect } from "../judges/http.js";

/** The interfaces that have a batch form. */
export type BatchDialect = Extract<Dialect, "anthropic" | "openai" | "openai_responses">;

interface Form {
  /** Most requests in one file. */
  lines: number;
  /** Most bytes in one file. */
  bytes: number;
  /** A line's beginning, up to the request's body, which ends the line with a brace. */
  head(customId: string): string;
}

/** Of 200 and 256 MB what a few bytes around the lines leave, a megabyte being the smaller one. */
const [MB_200, MB_256] = [200_000_000, 256_000_000 - 1_000];

const openai = (url: string): Form => ({
  lines: 50_000,
  bytes: MB_200,
  head: (customId) => `{"custom_id":"${customId}","method":"POST","url":"${url}","body":`,
});

export const FORMS: Record<BatchDialect, Form> = {
  anthropic: { lines: 100_000, bytes: MB_256, head: (customId) => `{"custom_id":"${customId}","params":` },
  openai: openai("/v1/chat/completions"),
  openai_responses: openai("/v1/responses"),
};

/** Who is asked, as the manifest has it. */
export interface Asked {
  dialect: BatchDialect;
  model: string;
  temperature: number | null;
}

/** A batch is sent by somebody else. */
const NOWHERE = "https://batch.invalid/v1";

/** Whom a plan asks, and how. */
export interface Asking {
  plan: string;
  judge: Asked;
  /** Up to how many claims a question is about. */
  group: number;
  /** Parameters that are left out. */
  without: readonly string[];
}

/** The same as the core takes it. */
export function askedOf({ plan, judge, group, without }: Asking): Buffer {
  const { dialect, model, temperature } = judge;
  return Buffer.from(JSON.stringify({ plan, group, endpoint: { dialect, baseUrl: NOWHERE, model, temperature }, without }));
}
