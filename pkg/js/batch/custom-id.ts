// The name by which a question goes to a provider and its answer comes back: `cg-PLAN-LINE-CLAIM-PASS-ATTEMPT`, and
// how many claims more it is about where there are any. It fits every provider's rule: 1 to 64 letters, digits, hyphens
// and underscores.
import type { VerifyRequest } from "../types.js";
import type { Question } from "./machine.js";

/** A question in its plan: its line, its first claim, the pass, the attempt, and how many claims more: `12-0-full-1`. */
export type QuestionKey = string;

const CUSTOM_ID = /^cg-([0-9a-f]{10})-((\d{1,10})-\d{1,6}-(?:full|scrubbed|null_[a-z_]{1,16})-\d(?:-\d{1,2})?)$/;

export function customId(plan: string, key: QuestionKey): string {
  return `cg-${plan}-${key}`;
}

/** Null for what was not made here. */
export function readCustomId(text: unknown): { plan: string; key: QuestionKey; line: number } | null {
  const match = typeof text === "string" ? CUSTOM_ID.exec(text) : null;
  return match === null ? null : { plan: match[1] as string, key: match[2] as QuestionKey, line: Number(match[3]) };
}

export function lineOf(key: QuestionKey): number {
  return Number.parseInt(key, 10);
}

/** What the questions of one request are called. */
export class Names {
  readonly #ids: string[];
  readonly #claims: Map<string, number>;

  constructor(readonly line: number, request: VerifyRequest) {
    this.#ids = request.claims.map((claim, at) => (typeof claim === "string" ? null : claim?.id) ?? `C${at}`);
    this.#claims = new Map(this.#ids.map((id, at) => [id, at]));
  }

  /** In the plan. */
  key({ claims, pass, mode, attempt }: Pick<Question, "claims" | "pass" | "mode" | "attempt">): QuestionKey {
    const named = pass === "null" ? `null_${mode}` : pass;
    const others = claims.length - 1;
    return `${this.line}-${this.#claims.get(claims[0] ?? "")}-${named}-${attempt}${others === 0 ? "" : `-${others}`}`;
  }

  /** In a run, where it may have this key. */
  id(key: QuestionKey): string {
    const [, claim, pass, attempt, others] = key.split("-");
    const named = (pass as string).replace(/^null_/, "null.");
    return `${this.#ids[Number(claim)]}/${named}/${attempt}${others === undefined ? "" : `+${others}`}`;
  }
}
