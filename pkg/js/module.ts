import { ClaimgaugeError, wordsOf, type ErrorFields } from "./error.js";

// What the binding crates export. Values are checked there, so here they are unknown.

/** What `claimgauge-pkg` exports: everyone loads it. */
export interface Main extends Instance {
  /** A search, or the result's text and the numbers of its replacements. */
  scrub(request: unknown, matches?: Uint32Array): unknown;
  unscrub(text: unknown, scrubbed: unknown, span: unknown): string;
  decide(request: unknown): unknown;
  estimate(request: unknown, group: number, matches?: Uint32Array): unknown;
  readReply(text: unknown): unknown;
  answerReadable(answer: unknown, messages: unknown, claims: string[]): boolean;
  verificationNew(id: number, request: unknown, group: number, matches?: Uint32Array): unknown;
  verificationPoll(id: number, most: number): unknown;
  verificationAtoms(id: number, request: string, atoms: unknown): void;
  verificationHandle(id: number, request: string, answer: unknown): void;
  verificationFail(id: number, request: string, failure: unknown): void;
  verificationStop(id: number, reason: unknown): void;
  verificationProgress(id: number): unknown;
  verificationDispose(id: number): void;
}

/** What `claimgauge-more` exports: what is synchronous and no part of a verification. */
export interface More extends Instance {
  toMarkdown(report: unknown): string;
  profile(chosen: unknown): unknown;
  profiles(): unknown;
  presets(): unknown;
  endpointCheck(endpoint: unknown): void;
  parseSchemaRef(text: unknown): unknown;
  snippet(text: unknown): unknown;
  sha256(bytes: Uint8Array): string;
  metricsEvent(event: unknown): unknown;
  metricsAggregates(snapshot: unknown): string;
  metricsCompare(snapshot: unknown, other: unknown): unknown;
  metricsMerge(snapshot: unknown, other: unknown): unknown;
}

/** What `claimgauge-checks` exports: our own judges, the second opinion, and the check of outputs. */
export interface Checks extends Instance {
  answerKey(judge: string, parameters: string, messages: unknown, structured: boolean): string;
  builtinReply(question: unknown): string;
  atoms(question: unknown): unknown;
  providerRequest(question: unknown): unknown;
  providerRead(response: unknown): unknown;
  languageModelCalls(question: unknown): unknown;
  languageModelIsAvailable(availability: string): boolean;
  languageModelRead(thrown: unknown): unknown;
  calibrate(request: unknown): unknown;
  isOnTheWay(code: string): boolean;
  jsonError(text: string): unknown;
  givenKeys(): string;
  checkNew(id: number, codes: Float64Array, texts: Uint8Array, traceCodes: Float64Array, traceTexts: Uint8Array, options: unknown): void;
  checkPoll(id: number, most: number): string;
  checkSchema(id: number, invocation: number, answer: unknown): void;
  checkObservation(id: number, path: string, seen: unknown, bytes?: Uint8Array): void;
  checkHashes(id: number, files: Uint8Array): void;
  checkText(id: number, path: string, sha256: string, bytes: Uint8Array): void;
  checkProgress(id: number): unknown;
  checkEvents(id: number, run: unknown): unknown;
  checkDispose(id: number): void;
  formsNew(id: number): void;
  formsUpdate(id: number, chunk: Uint8Array): void;
  formsFinish(id: number): unknown;
  formsDispose(id: number): void;
}

/** What `claimgauge-extra` exports: JSON Schema and patterns. */
export interface Extra extends Instance {
  schemaNew(id: number, schema: string, formats: boolean): void;
  schemaAnswer(id: number, output: string, parsed: boolean): unknown;
  schemaDispose(id: number): void;
  matches(search: unknown): Uint32Array;
}

/** What `claimgauge-batch` exports: requests of a batch, as text. */
export interface Batch extends Instance {
  search(request: Uint8Array): string;
  check(asked: Uint8Array): void;
  questions(request: Uint8Array, line: number, asked: Uint8Array, matches?: Uint32Array): Uint8Array;
  replay(request: Uint8Array, line: number, asked: Uint8Array, answers: Uint8Array, matches?: Uint32Array): Uint8Array;
  hear(dialect: string, answers: Uint8Array): string;
  answered(line: Uint8Array, plan: string): string;
  names(request: Uint8Array, line: number, plan: string, questions: Uint8Array): string;
}

interface Instance {
  /** Puts a new instance of the same module in the place of this one. */
  __wbg_reset_state(): void;
}

/** A module: how it is loaded, and what to do when its instance fails. */
export class Loaded<M extends Instance> {
  readonly #file: string;
  readonly #hint: string;
  #load: (() => M | Promise<M>) | undefined;
  #loadNow: (() => M) | undefined;
  #loading: Promise<void> | undefined;
  #current: M | undefined;
  #failed = false;

  /** `hint` is told to those who call it too early. */
  constructor(file: string, hint: string) {
    this.#file = file;
    this.#hint = hint;
  }

  /** Says how it is loaded, if it is ever needed. */
  from(load: () => M | Promise<M>): void {
    this.#load ??= load;
  }

  /** Says how the first call loads it, where that can be done at once. */
  fromNow(load: () => M): void {
    this.#loadNow ??= load;
  }

  /** Hands in the module. */
  provide(module: M): void {
    this.#current ??= module;
  }

  get isLoaded(): boolean {
    return this.#current !== undefined;
  }

  /** Loads it, once; after a failure the next call tries again. */
  load(): Promise<void> {
    this.#loading ??= this.#start();
    return this.#loading;
  }

  async #start(): Promise<void> {
    if (this.#current !== undefined) return;
    try {
      if (this.#load === undefined) throw new Error("nothing says how");
      this.provide(await this.#load());
    } catch (cause) {
      this.#loading = undefined;
      throw this.#notLoaded(cause);
    }
  }

  #startNow(load: () => M): M {
    try {
      return load();
    } catch (cause) {
      throw this.#notLoaded(cause);
    }
  }

  #notLoaded(cause: unknown): ClaimgaugeError {
    return new ClaimgaugeError(
      {
        code: "load_failed",
        message: `Claimgauge's module ${this.#file} cannot be loaded: ${wordsOf(cause)}`,
        hint: "All files of the package must lie where they lie in it; in browsers they must be served there, and a content security policy must allow 'wasm-unsafe-eval'.",
      },
      { cause },
    );
  }

  /**
   * Calls the module. What it refuses is thrown as a `ClaimgaugeError`. When the instance itself fails
   * (a trap, an exhausted stack), that is thrown with the code `internal`, and the next call gets a new
   * instance.
   */
  call<T>(run: (module: M) => T): T {
    if (this.#current === undefined && this.#loadNow !== undefined) {
      this.#current = this.#startNow(this.#loadNow);
    }
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

const INIT = "Call `await init()` once before anything else.";

/** What everyone loads. */
export const main = new Loaded<Main>("claimgauge_bg.wasm", INIT);

/** What the other synchronous functions call. */
export const more = new Loaded<More>("claimgauge_more_bg.wasm", INIT);

/** What a verification's second opinion, our own judges and the check of outputs load. */
export const checks = new Loaded<Checks>("claimgauge_checks_bg.wasm", "It is loaded by what needs it.");

/** What JSON Schemas and patterns load. */
export const extra = new Loaded<Extra>("claimgauge_extra_bg.wasm", "It is loaded by what needs it.");

/** What batches load; there are none in browsers. */
export const batch = new Loaded<Batch>("claimgauge_batch_bg.wasm", "It is loaded by what needs it.");

function isRefusal(thrown: unknown): thrown is ErrorFields {
  if (typeof thrown !== "object" || thrown === null || thrown instanceof Error) return false;
  const { code, message } = thrown as Partial<ErrorFields>;
  return typeof code === "string" && typeof message === "string";
}
