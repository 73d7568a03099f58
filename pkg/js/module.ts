import { ClaimgaugeError, wordsOf, type ErrorFields } from "./error.js";

/** What the binding crate exports. Its values are checked there, so here they are unknown. */
export interface Module {
  scrub(request: unknown): unknown;
  unscrub(text: unknown, scrubbed: unknown, span: unknown): string;
  decide(request: unknown): unknown;
  estimate(request: unknown, group: number): unknown;
  readReply(text: unknown): unknown;
  toMarkdown(report: unknown): string;
  profiles(): unknown;
  presets(): unknown;
  builtinReply(question: unknown): string;
  answerKey(judge: string, parameters: string, messages: unknown, structured: boolean): string;
  answerReadable(answer: unknown, messages: unknown, claims: string[]): boolean;
  providerRequest(question: unknown): unknown;
  providerRead(response: unknown): unknown;
  jsonError(text: string): unknown;
  verificationNew(id: number, request: unknown, group: number): void;
  verificationPoll(id: number, most: number): unknown;
  verificationHandle(id: number, request: string, answer: unknown): void;
  verificationFail(id: number, request: string, failure: unknown): void;
  verificationStop(id: number, reason: unknown): void;
  verificationProgress(id: number): unknown;
  verificationDispose(id: number): void;
  checkNew(id: number, output: unknown, trace: unknown, options: unknown): void;
  checkPoll(id: number, most: number): string;
  checkSchema(id: number, invocation: number, answer: unknown): void;
  checkObservation(id: number, path: string, seen: unknown, bytes?: Uint8Array): void;
  checkFile(id: number, path: string, size: number, sha256: string | undefined, bytes: Uint8Array | undefined): void;
  checkProgress(id: number): unknown;
  checkEvents(id: number, run: unknown): unknown;
  checkDispose(id: number): void;
  formsNew(id: number): void;
  formsUpdate(id: number, chunk: Uint8Array): void;
  formsFinish(id: number): unknown;
  formsDispose(id: number): void;
  parseSchemaRef(text: unknown): unknown;
  snippet(text: unknown): unknown;
  sha256(bytes: Uint8Array): string;
  metricsEvent(event: unknown): unknown;
  metricsAggregates(snapshot: unknown): string;
  metricsCompare(snapshot: unknown, other: unknown): unknown;
  metricsMerge(snapshot: unknown, other: unknown): unknown;
  /** Puts a new instance of the same module in the place of this one. */
  __wbg_reset_state(): void;
}

/** A module, once it is loaded, and what to do when its instance fails. */
export class Loaded<M extends { __wbg_reset_state(): void }> {
  readonly #hint: string;
  #current: M | undefined;
  #failed = false;

  constructor(hint: string) {
    this.#hint = hint;
  }

  get isThere(): boolean {
    return this.#current !== undefined;
  }

  /** Hands in the module. */
  provide(module: M): void {
    this.#current ??= module;
  }

  /**
   * Calls the module. What it refuses is thrown as a `ClaimgaugeError`. When the instance itself fails
   * (a trap, an exhausted stack), that is thrown with the code `internal`, and the next call gets a new
   * instance.
   */
  call<T>(run: (module: M) => T): T {
    if (this.#current === undefined) {
      throw new ClaimgaugeError({
        code: "not_initialised",
        message: "Claimgauge is not loaded yet",
        hint: this.#hint,
      });
    }
    try {
      if (this.#failed) {
        this.#current.__wbg_reset_state();
        this.#failed = false;
      }
      return run(this.#current);
    } catch (thrown) {
      // First of all: where the stack is exhausted, the next call in here throws as well.
      this.#failed = true;
      if (isRefusal(thrown)) {
        this.#failed = false;
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
}

const main = new Loaded<Module>("Call `await init()` once before anything else.");

/** Hands in the module, once it is loaded. */
export function provide(module: Module): void {
  main.provide(module);
}

/** Calls the module: see `Loaded.call`. */
export function call<T>(run: (module: Module) => T): T {
  return main.call(run);
}

function isRefusal(thrown: unknown): thrown is ErrorFields {
  if (typeof thrown !== "object" || thrown === null || thrown instanceof Error) return false;
  const { code, message } = thrown as Partial<ErrorFields>;
  return typeof code === "string" && typeof message === "string";
}
