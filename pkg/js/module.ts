import { ClaimgaugeError, wordsOf, type ErrorFields } from "./error.js";

/** What the binding crate exports. Its values are checked there, so here they are unknown. */
export interface Module {
  scrub(request: unknown): unknown;
  unscrub(text: unknown, scrubbed: unknown, span: unknown): string;
  decide(request: unknown): unknown;
  readReply(text: unknown): unknown;
  toMarkdown(report: unknown): string;
  profiles(): unknown;
  presets(): unknown;
  builtinReply(question: unknown): string;
  providerRequest(question: unknown): unknown;
  providerRead(response: unknown): unknown;
  jsonError(text: string): unknown;
  verificationNew(id: number, request: unknown): void;
  verificationPoll(id: number, most: number): unknown;
  verificationHandle(id: number, request: string, answer: unknown): void;
  verificationFail(id: number, request: string, failure: unknown): void;
  verificationStop(id: number, reason: unknown): void;
  verificationProgress(id: number): unknown;
  verificationDispose(id: number): void;
  /** Puts a new instance of the same module in the place of this one. */
  __wbg_reset_state(): void;
}

let current: Module | undefined;
let failed = false;

/** Hands in the module, once it is loaded. */
export function provide(module: Module): void {
  current ??= module;
}

/**
 * Calls the module. What it refuses is thrown as a `ClaimgaugeError`. When the instance itself fails
 * (a trap, an exhausted stack), that is thrown with the code `internal`, and the next call gets a new
 * instance.
 */
export function call<T>(run: (module: Module) => T): T {
  if (current === undefined) {
    throw new ClaimgaugeError({
      code: "not_initialised",
      message: "Claimgauge is not loaded yet",
      hint: "Call `await init()` once before anything else.",
    });
  }
  try {
    if (failed) {
      current.__wbg_reset_state();
      failed = false;
    }
    return run(current);
  } catch (thrown) {
    // First of all: where the stack is exhausted, the next call in here throws as well.
    failed = true;
    if (isRefusal(thrown)) {
      failed = false;
      throw new ClaimgaugeError(thrown);
    }
    throw new ClaimgaugeError(
      {
        code: "internal",
        message: `The call failed inside: ${wordsOf(thrown)}`,
        hint: "Unless the stack or the memory was exhausted this is a bug: please report it. The next call starts afresh.",
      },
      { cause: thrown },
    );
  }
}

function isRefusal(thrown: unknown): thrown is ErrorFields {
  if (typeof thrown !== "object" || thrown === null || thrown instanceof Error) return false;
  const { code, message } = thrown as Partial<ErrorFields>;
  return typeof code === "string" && typeof message === "string";
}
