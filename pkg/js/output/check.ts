import { ClaimgaugeError, wordsOf } from "../error.js";
import { checks } from "../module.js";
import { abortSignal, atLeastOne, callback, checkBytes, checkOptions, flag, notNegative, object, plainObject, readable, telling, text, type Option } from "../options.js";
import { Turn } from "../turn.js";
import { SLICE, stopIf, unlessAborted } from "./cancel.js";
import { openFolder } from "./folder.js";
import { given } from "./given.js";
import { Metrics } from "./metrics.js";
import { Schemas, type SchemaRequest } from "./schemas.js";
import type { Base, CheckOptions, CheckProgress, CheckResult, ClaimResult, FileHost, Look, Observation, SpecialistOutput } from "./types.js";

/** How many files are open at a time unless the caller says otherwise. */
const OPEN_FILES = 8;

/** How many files and outputs of tools the machine is asked about at once. */
const BATCH = 512;

/** Every option, and what it must be. */
export const CHECK_OPTIONS: Record<keyof CheckOptions, Option> = {
  basePath: text,
  host: { expected: "object with the function observe", fits: isHost },
  trace: object,
  strict: flag,
  tools: plainObject,
  schemas: plainObject,
  formats: flag,
  toolKinds: plainObject,
  specialistId: text,
  subtaskId: text,
  metrics: { expected: "Metrics", fits: Metrics.isMetrics },
  signal: abortSignal,
  onProgress: callback,
  limits: plainObject,
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
  | ({ kind: "done" } & Done)
  | { kind: "fit"; requests: SchemaRequest[] }
  | { kind: "observe"; looks: Look[] }
  | { kind: "wait" };

/** A result without what is here already. */
interface Done {
  result: CheckResult;
  /** Whether the checked output is the one that was given. */
  asGiven: boolean;
  /** The ways in which claims ended, and which of them each claim did. */
  endings: Omit<ClaimResult, "index" | "claim">[];
  claims: number[];
}

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

/** What the hosts' signal says when a check has ended: an error of its own would take longer than a small check. */
const OVER = "the check has ended";

const encoder = new TextEncoder();

/** Never used twice: a number from before the instance failed must not name a check of the next one. */
let count = 0;

/** One check on its way: asks what the machine asks, hands in what comes. */
class Check {
  readonly #id = ++count;
  readonly #options: CheckOptions;
  readonly #host: FileHost | undefined;
  readonly #schemas: Schemas;
  readonly #openFiles: number;
  /** Whether the host is one of this package: what it saw need not be checked. */
  readonly #ours: boolean;
  readonly #durations: [number, number, number] = [0, 0, 0];
  /** The output as plain data. */
  readonly #copy: unknown;
  /** What each invocation gave: the caller's trace may go on meanwhile. */
  readonly #outputs: unknown[];

  /** Tells hosts and schemas that nobody waits any more; made where one is asked. */
  #over: AbortController | undefined;
  #isOver = false;
  #open = 0;
  /** Files that were hashed and not handed in yet: path, size, SHA-256. */
  #hashed: [string, number, string][] = [];
  /** What a host threw at the machine: a bug of its own, or an observation that is none. */
  #failure: { thrown: unknown } | undefined;
  #wake = () => {};
  readonly #turn = new Turn(SLICE);

  constructor(output: unknown, options: CheckOptions, host: FileHost | undefined, schemas: Schemas) {
    this.#options = options;
    this.#host = host;
    this.#schemas = schemas;
    this.#ours = !isGiven(options.host);
    this.#openFiles = options.limits?.openFiles ?? OPEN_FILES;
    const start = performance.now();
    const { codes, texts, copy } = given(output);
    const trace = given(options.trace);
    this.#outputs = outputsOf(options.trace, trace.copy);
    this.#copy = copy;
    checks.call((module) => module.checkNew(this.#id, codes, texts, trace.codes, trace.texts, machineOptions(options, host)));
    this.#durations[0] = performance.now() - start;
  }

  async run(): Promise<CheckResult> {
    const { signal } = this.#options;
    const cancel = () => {
      this.#over?.abort(signal?.reason);
      this.#wake();
    };
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      this.#tell();
      for (;;) {
        await this.#pause();
        const step = this.#poll();
        switch (step.kind) {
          case "done":
            this.#record();
            return whole(step, this.#copy);
          case "fit":
            await this.#timed(1, () => this.#fit(step.requests));
            break;
          case "observe":
            await this.#timed(2, () => this.#observe(step.looks));
            break;
          case "wait":
            await this.#timed(2, () => this.#settled());
        }
      }
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#isOver = true;
      this.#over?.abort(OVER);
      checks.call((module) => module.checkDispose(this.#id));
    }
  }

  #poll(): Step {
    return JSON.parse(checks.call((module) => module.checkPoll(this.#id, BATCH))) as Step;
  }

  async #fit(requests: SchemaRequest[]): Promise<void> {
    for (const request of requests) {
      const answer = this.#schemas.answer(request, this.#outputs[request.invocation]);
      const told = isPromise(answer) ? await unlessAborted(answer, this.#signal()) : answer;
      checks.call((module) => module.checkSchema(this.#id, request.invocation, told));
      this.#tell();
      await this.#pause();
    }
  }

  /** Small files are seen at once; large ones are waited for, while others are looked at. */
  async #observe(looks: Look[]): Promise<void> {
    for (const look of looks) {
      while (this.#open >= this.#openFiles) {
        await this.#settled();
        await this.#pause();
      }
      let seen: Observation | Promise<Observation>;
      let isLater = false;
      try {
        seen = this.#see(look);
        isLater = isPromise(seen);
      } catch (thrown) {
        seen = unreadable(thrown);
      }
      if (isLater) {
        this.#open += 1;
        void this.#settle(look, seen);
      } else {
        this.#handle(look, seen as Observation);
      }
      if (this.#turn.isOver) await this.#pause();
    }
    this.#handIn();
  }

  #see(look: Look): Observation | Promise<Observation> {
    if (this.#host === undefined) {
      // Without a base nothing is asked about.
      return { kind: "unreadable", why: "nothing looks at files" };
    }
    const onBytes = (bytes: number, size: number) => {
      try {
        telling(this.#options.onProgress, () => ({ ...this.#progress(), file: { path: look.path, bytes, size } }));
      } catch (thrown) {
        // The caller's own failure, which says nothing about the file.
        this.#fail(thrown);
      }
    };
    return this.#host.observe(look, { signal: this.#signal(), onBytes });
  }

  async #settle(look: Look, later: Observation | Promise<Observation>): Promise<void> {
    // A host's own kind of promise may throw as soon as it is asked.
    const seen = await Promise.resolve(later).catch(unreadable);
    this.#open -= 1;
    if (this.#isOver) return;
    try {
      this.#handle(look, seen);
      this.#handIn();
    } catch (thrown) {
      this.#fail(thrown);
    }
    this.#wake();
  }

  #signal(): AbortSignal {
    this.#over ??= new AbortController();
    return this.#over.signal;
  }

  #fail(thrown: unknown): void {
    this.#failure ??= { thrown };
    this.#wake();
  }

  /** Until a file that is waited for is seen, or the check ends. */
  #settled(): Promise<void> {
    // What has ended it since the last pause could wake nobody yet.
    if (this.#failure !== undefined || this.#options.signal?.aborted) return Promise.resolve();
    return new Promise<void>((resolve) => (this.#wake = resolve));
  }

  #handle({ path }: Look, seen: Observation): void {
    if (this.#ours && seen.kind === "file" && seen.forms === undefined && seen.sha256 !== undefined) {
      const { size, sha256, text } = seen;
      if (text === undefined) this.#hashed.push([path, size, sha256]);
      else checks.call((module) => module.checkText(this.#id, path, sha256, text as Uint8Array));
    } else {
      const [told, bytes] = readable("observation", () => withoutBytes(seen));
      if (bytes !== undefined) checkBytes(bytes, "observation.text");
      checks.call((module) => module.checkObservation(this.#id, path, told, bytes));
    }
    // Whoever wants to be told is told of each file.
    if (isGiven(this.#options.onProgress)) this.#handIn();
    this.#tell();
  }

  /** Hands in what was hashed since the last time. */
  #handIn(): void {
    if (this.#hashed.length === 0) return;
    const files = encoder.encode(JSON.stringify(this.#hashed));
    this.#hashed = [];
    checks.call((module) => module.checkHashes(this.#id, files));
  }

  #tell(): void {
    telling(this.#options.onProgress, () => this.#progress());
  }

  #progress(): CheckProgress {
    return { ...(checks.call((module) => module.checkProgress(this.#id)) as { done: number; total: number }), file: null };
  }

  async #timed(level: 1 | 2, act: () => void | Promise<void>): Promise<void> {
    const start = performance.now();
    await act();
    this.#durations[level] += performance.now() - start;
  }

  async #pause(): Promise<void> {
    await this.#turn.pause();
    stopIf(this.#options.signal);
    if (this.#failure !== undefined) throw this.#failure.thrown;
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

/** The result with what the module left out of it. */
function whole({ result, asGiven, endings, claims: ended }: Done, given: unknown): CheckResult {
  if (asGiven) result.structureValidation.output = given as SpecialistOutput;
  const claims = result.structureValidation.output?.claims ?? [];
  const level = result.filesystemValidation;
  if (level !== undefined) {
    level.claimResults = claims.map((claim, index) => {
      const { outcome, reason, hint, category } = endings[ended[index] as number] as Done["endings"][number];
      return { index, claim, outcome, reason, hint, category };
    });
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

/** As many as were read. A trace that is none has no outputs: what is wrong with it is told by the machine. */
function outputsOf(trace: CheckOptions["trace"], copy: unknown): unknown[] {
  const { invocations } = (copy ?? {}) as { invocations?: unknown };
  try {
    return Array.isArray(invocations) ? invocations.map((_, at) => trace?.invocations?.[at]?.output) : [];
  } catch {
    return [];
  }
}

/** An observation without its text where that is bytes, which cross by themselves. */
function withoutBytes(seen: Observation): [unknown, Uint8Array?] {
  const isBytes = seen?.kind === "file" && seen.text instanceof Uint8Array;
  return isBytes ? [{ ...seen, text: undefined }, seen.text as Uint8Array] : [seen];
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
