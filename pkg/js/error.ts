/** What is wrong, where, and what to do about it. */
export interface ErrorFields {
  /** A stable code, snake_case. */
  code: string;
  message: string;
  /** The place in the input, dot-joined, empty at the root. */
  path?: string | null | undefined;
  /** What to do about it; null where the message says it all. */
  hint?: string | null | undefined;
}

/** Every error that Claimgauge throws. */
export class ClaimgaugeError extends Error {
  static {
    this.prototype.name = "ClaimgaugeError";
  }

  /** A stable code, snake_case. */
  readonly code: string;
  /** The place in the input, dot-joined (`evidence.2.id`), empty at the root. */
  readonly path: string;
  /** What to do about it; null where the message says it all. */
  readonly hint: string | null;

  constructor(fields: ErrorFields, options?: { cause?: unknown }) {
    super(fields.message, options);
    this.code = fields.code;
    this.path = fields.path ?? "";
    this.hint = fields.hint ?? null;
  }
}

/** Thrown by a judge that gave no answer: the pass fails with these words. */
export class JudgeError extends ClaimgaugeError {
  static {
    this.prototype.name = "JudgeError";
  }

  /** Whether no other question can fare better, such as after a refused key: the run stops. */
  readonly stop: boolean;

  constructor(fields: ErrorFields & { stop?: boolean | undefined }, options?: { cause?: unknown }) {
    super(fields, options);
    this.stop = fields.stop ?? false;
  }
}

/** What a thrown value says; anything may be thrown. */
export function wordsOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return String(thrown.message || thrown.name);
    return typeof thrown === "object" && thrown !== null ? "an object that is no Error" : String(thrown);
  } catch {
    // A proxy that is revoked, or a getter that throws.
    return "something that cannot be read";
  }
}
