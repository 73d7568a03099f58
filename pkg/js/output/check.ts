import { ClaimgaugeError, wordsOf } from "../error.js";
import { checks } from "../module.js";
import { abortSignal, atLeastOne, callback, checkOptions, notNegative, object, text, type Option } from "../options.js";
import { stopIf, unlessAborted } from "./cancel.js";
import { openFolder } from "./folder.js";
import { Metrics } from "./metrics.js";
import { Schemas, type SchemaRequest } from "./schemas.js";
import type { Base, CheckOptions, CheckProgress, CheckResult, ClaimResult, FileHost, Look, Observation } from "./types.js";

/** How many files are open at a time unless the caller says otherwise. */
const OPEN_FILES = 8;

/** How long, in milliseconds, small files and schemas may keep everything else from running. */
const SLICE = 15;

const flag: Option = { expected: "boolean", fits: (value) => typeof value === "boolean" };

/** Every option, and what it must be. */
export const CHECK_OPTIONS: Record<keyof CheckOptions, Option> = {
  basePath: text,
  host: { expected: "object with the function observe", fits: isHost },
  trace: object,
  strict: flag,
  tools: object,
  schemas: object,
  formats: flag,
  toolKinds: object,
  specialistId: text,
  subtaskId: text,
  metrics: { expected: "Metrics", fits: Metrics.isMetrics },
  signal: abortSignal,
  onProgress: callback,
  limits: object,
};

/**
 * Checks what an agent says it did, in three levels: the shape of its output, what its tools gave
 * against their schemas, its claims against the files. They run in order and stop at the first that
 * fails. Whatever the output is, it gives a result.
 *
 * Rejects where the options are wrong, a schema is none, or `signal` aborts: half a check says nothing.
 */
export async function checkOutput(output: unknown, options: CheckOptions = {}): Promise<CheckResult> {
  checkOptions(options, CHECK_OPTIONS);
  checkOptions(options.limits ?? {}, { textBytes: notNegative, openFiles: atLeastOne }, "limits");
  if (isGiven(options.basePath) && isGiven(options.host)) {
    throw new ClaimgaugeError({ code: "invalid_value", path: "host", message: "Give basePath or host, not both" });
  }
  stopIf(options.signal);
  const host = isGiven(options.basePath) ? openFolder(options.basePath) : options.host ?? undefined;
  await checks.load();
  const schemas = await Schemas.read(options);
  try {
    return await new Check(output, options, host, schemas).run();
  } finally {
    schemas.dispose();
  }
}

type Step =
  | { kind: "done"; result: CheckResult; claims: Omit<ClaimResult, "index" | "claim">[] }
  | { kind: "fit"; requests: SchemaRequest[] }
  | { kind: "observe"; looks: Look[] }
  | { kind: "wait" };

/** What the machine inside the module reads. */
interface MachineOptions {
  strict: boolean | null | undefined;
  tools: { [tool: string]: string | true } | null;
  schemas: string[] | null;
  toolKinds: CheckOptions["toolKinds"];
  specialistId: string | null | undefined;
  base: Base | null;
  limits: { textBytes: number | null | undefined };
}

/** Never used twice: a number from before the instance failed must not name a check of the next one. */
let count = 0;

/** One check on its way: asks what the machine asks, hands in what comes. */
class Check {
  readonly #id = ++count;
  readonly #options: CheckOptions;
  readonly #host: FileHost | undefined;
  readonly #schemas: Schemas;
  readonly #openFiles: number;
  /** Whether the host is one of this package. */
  readonly #ours: boolean;
  /** Tells hosts that nobody waits any more. */
  readonly #over = new AbortController();
  readonly #durations: [number, number, number] = [0, 0, 0];

  #open = 0;
  /** What a host threw at the machine: a bug of its own, or an observation that is none. */
  #failure: { thrown: unknown } | undefined;
  #wake = () => {};
  #since = performance.now();

  constructor(output: unknown, options: CheckOptions, host: FileHost | undefined, schemas: Schemas) {
    this.#options = options;
    this.#host = host;
    this.#schemas = schemas;
    this.#ours = !isGiven(options.host);
    this.#openFiles = options.limits?.openFiles ?? OPEN_FILES;
    checks.call((module) => module.checkNew(this.#id, output, options.trace ?? undefined, machineOptions(options, host)));
    this.#durations[0] = performance.now() - this.#since;
  }

  async run(): Promise<CheckResult> {
    const { signal, onProgress } = this.#options;
    const cancel = () => {
      this.#over.abort(signal?.reason);
      this.#wake();
    };
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      onProgress?.(this.#progress());
      for (;;) {
        stopIf(signal);
        if (this.#failure !== undefined) throw this.#failure.thrown;
        const step = this.#poll();
        switch (step.kind) {
          case "done":
            this.#record();
            return whole(step.result, step.claims);
          case "fit":
            await this.#timed(1, () => this.#fit(step.requests));
            break;
          case "observe":
            await this.#timed(2, () => this.#observe(step.looks));
            break;
          case "wait":
            await this.#timed(2, () => new Promise<void>((resolve) => (this.#wake = resolve)));
        }
        await this.#yield();
      }
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#over.abort();
      checks.call((module) => module.checkDispose(this.#id));
    }
  }

  #poll(): Step {
    return JSON.parse(checks.call((module) => module.checkPoll(this.#id, this.#openFiles - this.#open))) as Step;
  }

  async #fit(requests: SchemaRequest[]): Promise<void> {
    for (const request of requests) {
      const output = this.#options.trace?.invocations[request.invocation]?.output;
      const answer = this.#schemas.answer(request, output);
      const told = isPromise(answer) ? await unlessAborted(answer, this.#over.signal) : answer;
      stopIf(this.#options.signal);
      checks.call((module) => module.checkSchema(this.#id, request.invocation, told));
    }
    this.#options.onProgress?.(this.#progress());
  }

  /** Small files are seen at once; large ones are waited for, while others are looked at. */
  #observe(looks: Look[]): void {
    for (const look of looks) {
      let seen: Observation | Promise<Observation>;
      try {
        seen = this.#see(look);
      } catch (thrown) {
        seen = unreadable(thrown);
      }
      if (isPromise(seen)) {
        this.#open += 1;
        void this.#settle(look, seen);
      } else {
        this.#handle(look, seen);
      }
    }
  }

  #see(look: Look): Observation | Promise<Observation> {
    if (this.#host === undefined) {
      // Without a base nothing is asked about.
      return { kind: "unreadable", why: "nothing looks at files" };
    }
    const onBytes = (bytes: number, size: number) => {
      try {
        this.#options.onProgress?.({ ...this.#progress(), file: { path: look.path, bytes, size } });
      } catch (thrown) {
        // The caller's own failure, which says nothing about the file.
        this.#failure ??= { thrown };
        this.#wake();
      }
    };
    return this.#host.observe(look, { signal: this.#over.signal, onBytes });
  }

  async #settle(look: Look, promise: Promise<Observation>): Promise<void> {
    const seen = await promise.then((found) => found, unreadable);
    this.#open -= 1;
    if (this.#over.signal.aborted) return;
    try {
      this.#handle(look, seen);
    } catch (thrown) {
      this.#failure ??= { thrown };
    }
    this.#wake();
  }

  #handle(look: Look, seen: Observation): void {
    if (this.#ours && seen.kind === "file" && seen.forms === undefined) {
      // What need not be checked crosses by itself.
      const { size, sha256, text: bytes } = seen;
      checks.call((module) => module.checkFile(this.#id, look.path, size, sha256, bytes as Uint8Array | undefined));
      this.#options.onProgress?.(this.#progress());
      return;
    }
    const bytes = seen?.kind === "file" && seen.text instanceof Uint8Array ? seen.text : undefined;
    const told = bytes === undefined ? seen : { ...seen, text: undefined };
    checks.call((module) => module.checkObservation(this.#id, look.path, told, bytes));
    this.#options.onProgress?.(this.#progress());
  }

  #progress(): CheckProgress {
    return { ...(checks.call((module) => module.checkProgress(this.#id)) as { done: number; total: number }), file: null };
  }

  async #timed(level: 1 | 2, act: () => void | Promise<void>): Promise<void> {
    const start = performance.now();
    await act();
    this.#durations[level] += performance.now() - start;
  }

  /** Lets everything else run: a signal cannot abort what never pauses. */
  async #yield(): Promise<void> {
    if (performance.now() - this.#since > SLICE) {
      await new Promise<void>((resolve) => later(resolve));
      this.#since = performance.now();
    }
  }

  #record(): void {
    const { metrics, specialistId, subtaskId, trace } = this.#options;
    if (!isGiven(metrics)) return;
    const run = {
      specialistId: specialistId ?? (typeof trace?.specialistId === "string" ? trace.specialistId : "unknown"),
      subtaskId,
      timestamp: Date.now(),
      durationsMs: this.#durations,
    };
    const events = checks.call((module) => module.checkEvents(this.#id, run)) as Parameters<Metrics["record"]>[0][];
    events.forEach((event) => metrics.record(event));
  }
}

/** Lets everything else run. Node's own way takes no time; browsers have none. */
const { setImmediate: later = setTimeout } = globalThis as { setImmediate?: (run: () => void) => void };

/** The result with what became of each claim; the claims are those of its output. */
function whole(result: CheckResult, outcomes: Omit<ClaimResult, "index" | "claim">[]): CheckResult {
  const claims = result.structureValidation.output?.claims ?? [];
  const level = result.filesystemValidation;
  if (level !== undefined) {
    level.claimResults = claims.map((claim, index) => ({ index, claim, ...(outcomes[index] as (typeof outcomes)[number]) }));
  }
  return result;
}

function machineOptions(options: CheckOptions, host: FileHost | undefined): MachineOptions {
  const tools = Object.entries(options.tools ?? {}).map(([tool, schema]) => [tool, typeof schema === "string" ? schema : true]);
  return {
    strict: options.strict,
    tools: Object.fromEntries(tools) as { [tool: string]: string | true },
    schemas: Object.keys(options.schemas ?? {}),
    toolKinds: options.toolKinds,
    specialistId: options.specialistId,
    base: host === undefined ? null : host.base ?? { paths: [], windows: false },
    limits: { textBytes: options.limits?.textBytes },
  };
}

function unreadable(thrown: unknown): Observation {
  return { kind: "unreadable", why: wordsOf(thrown) };
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null)?.then === "function";
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function isHost(value: unknown): boolean {
  return typeof value === "object" && value !== null && typeof (value as Partial<FileHost>).observe === "function";
}
