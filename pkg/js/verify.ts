import { Answers } from "./cache.js";
import { ClaimgaugeError, JudgeError, wordsOf } from "./error.js";
import { checks, main } from "./module.js";
import {
  abortSignal,
  asAnswer,
  asJudge,
  atLeastOne,
  cache as cacheOption,
  callback,
  checkOptions,
  judge as judgeOption,
  notNegative,
  plainObject,
  telling,
} from "./options.js";
import { loadAndCall } from "./patterns.js";
import { wellFormed } from "./text.js";
import { Turn } from "./turn.js";
import type {
  Failure,
  Judge,
  JudgeAnswer,
  JudgeRequest,
  Progress,
  Report,
  VerifyOptions,
  VerifyRequest,
} from "./types.js";

/** How many questions are open at a time unless the caller says otherwise. */
const CONCURRENCY = 4;

/** How many questions are handed out at once at most: the module takes no larger number. */
const MOST = 2 ** 32 - 1;

/** How long, in milliseconds, what is computed between two answers may keep everything else from running. */
const SLICE = 20;

/** Of all verifications together: many that are short keep everything else from running as one does that is long. */
const turn = new Turn(SLICE);

/**
 * Asks the judge about every claim, once with the evidence as given and once with its identifiers
 * taken out, and says what the difference means.
 *
 * A judge that throws, or whose replies hold no verdict, fails its pass: it never gives one. When
 * `signal` aborts, the report comes with what is done, at once or behind the step that is being computed.
 */
export async function verify(request: VerifyRequest, options: VerifyOptions): Promise<Report> {
  return verifyWithin(request, options, budgetOf(options));
}

/** Refuses what `verify` would refuse of a request. */
export async function checkRequest(request: unknown): Promise<void> {
  if (turn.isOver) await turn.pause();
  const run = new Run();
  await run.take(request as VerifyRequest, 1);
  run.dispose();
}

/** What may be asked by these options; it refuses those that are none. */
export function budgetOf(options: VerifyOptions): Budget {
  checkOptions(options, {
    judge: { ...judgeOption, required: true },
    signal: abortSignal,
    onProgress: callback,
    concurrency: atLeastOne,
    group: atLeastOne,
    cache: cacheOption,
    limits: plainObject,
  });
  checkOptions(options.limits ?? {}, { maxCalls: notNegative, maxPromptTokens: notNegative }, "limits");
  return new Budget(asJudge(options.judge), options.limits);
}

/** As `verify`, within what several verifications may ask together. */
export async function verifyWithin(request: VerifyRequest, options: VerifyOptions, budget: Budget): Promise<Report> {
  const judge = asJudge(options.judge);
  const concurrency = options.concurrency ?? CONCURRENCY;
  const answers = judge.parameters ? new Answers(judge, judge.parameters, options.cache) : undefined;
  const { signal, onProgress } = options;

  const run = new Run();
  await run.start(request, groupOf(judge, options.group));
  const judging = new Judging();
  const settled: Settled[] = [];
  let open = 0;
  let wake = () => {};

  // A signal of the caller's own making may say so by its event alone.
  let cancelled = signal?.aborted ?? false;
  const cancel = () => {
    cancelled = true;
    judging.end(signal?.reason);
    wake();
  };
  const ask = async (question: JudgeRequest) => {
    const pay = () => budget.pay(question, () => answerOf(judge, question, judging));
    const one = await outcome(question, () => (answers === undefined ? pay() : answers.answer(question, pay)));
    // Where it took long to make, a signal that came meanwhile is heard first.
    if (turn.isOver) await turn.pause();
    if (judging.isEnded) return;
    settled.push(one);
    wake();
  };

  try {
    signal?.addEventListener("abort", cancel, { once: true });
    telling(onProgress, () => run.progress());
    for (;;) {
      if (turn.isOver) await turn.pause();
      if (cancelled) {
        // What was answered before is paid and done.
        settled.splice(0).forEach((one) => run.settle(one));
        run.stop("cancelled");
      }
      // When nothing can be paid any more, there may still be answers that are known.
      const step = run.poll(budget.spent && answers === undefined ? 0 : concurrency - open);
      if (step.kind === "done") {
        return step.report;
      }
      if (step.kind === "ask") {
        open += step.requests.length;
        for (const question of step.requests) {
          run.ground(question);
          if (turn.isOver) await turn.pause();
          if (cancelled) break;
        }
        // All at once: whoever answers may want to see them together.
        if (!cancelled) step.requests.forEach((question) => void ask(question));
      } else if (open === 0) {
        // What is left cannot be paid.
        run.stop("capped");
      } else {
        if (settled.length === 0) {
          await new Promise<void>((resolve) => (wake = resolve));
        }
        const done = settled.splice(0);
        open -= done.length;
        done.forEach((one) => run.settle(one));
        if (done.some((one) => "failure" in one && one.stop)) {
          run.stop("stopped");
        }
        telling(onProgress, () => run.progress());
      }
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    judging.end();
    run.dispose();
  }
}

/**
 * The questions that are with the judge. Each has a signal of its own: Node warns of one that many listen
 * to, and keeps what `AbortSignal.any` made of it.
 */
export class Judging {
  readonly #open = new Set<AbortController>();
  #ended = false;
  #reason: unknown;

  async ask<T>(judge: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    const own = new AbortController();
    if (this.#ended) own.abort(this.#reason);
    this.#open.add(own);
    try {
      return await judge(own.signal);
    } finally {
      this.#open.delete(own);
    }
  }

  /** Whether nobody waits for an answer any more. */
  get isEnded(): boolean {
    return this.#ended;
  }

  end(reason?: unknown): void {
    this.#ended = true;
    this.#reason = reason;
    this.#open.forEach((own) => own.abort(reason));
  }
}

/** What may still be asked. */
export class Budget {
  readonly #each: number;
  #calls: number;
  #promptTokens: number;

  constructor(judge: Judge, limits: VerifyOptions["limits"]) {
    this.#each = judge.calls ?? 1;
    this.#calls = limits?.maxCalls ?? Infinity;
    this.#promptTokens = limits?.maxPromptTokens ?? Infinity;
  }

  /** Whether a question was too dear: then nothing more is asked. */
  spent = false;

  /** Asks, where that can still be paid; tokens are reckoned as they are likely, then as they were counted. */
  async pay(question: JudgeRequest, ask: () => Promise<JudgeAnswer>): Promise<JudgeAnswer> {
    const likely = question.promptTokens * this.#each;
    this.spent ||= this.#calls < this.#each || this.#promptTokens < likely;
    if (this.spent) throw TOO_DEAR;
    this.#calls -= this.#each;
    this.#promptTokens -= likely;
    this.spent = this.#calls < this.#each;
    const answer = await ask();
    this.#promptTokens += likely - (counted(answer) ?? likely);
    return answer;
  }
}

/** How many tokens the judge says that it read. */
function counted({ usage, samples }: JudgeAnswer): number | undefined {
  let sum = 0;
  for (const reply of Array.isArray(samples) ? samples : [{ usage }]) {
    sum += reply?.usage?.promptTokens ?? NaN;
    // A sparse array is as long as it says.
    if (!Number.isFinite(sum)) return undefined;
  }
  return sum;
}

/** Thrown for a question that cannot be paid: it stays open until the run is stopped. */
export const TOO_DEAR = Symbol("too dear");

/** What came of one question. */
export type Settled =
  | { id: string; answer: JudgeAnswer }
  | { id: string; failure: Failure; stop: boolean }
  | { id: string; tooDear: true };

export type Step = { kind: "ask"; requests: JudgeRequest[] } | { kind: "done"; report: Report } | { kind: "wait" };

/** Never used twice: a number from before the instance failed must not name a run of the next one. */
let runs = 0;

/** The machine inside the module. */
export class Run {
  readonly #id = ++runs;

  async start(request: VerifyRequest, group: number): Promise<void> {
    await checks.load();
    await this.take(request, group);
  }

  async take(request: VerifyRequest, group: number): Promise<void> {
    await loadAndCall((module, matches) => module.verificationNew(this.#id, request, group, matches));
  }

  /** Gives the second opinion, before the judge is asked for the first time about the evidence as it is. */
  ground({ id, pass, attempt, spans, claims }: JudgeRequest): void {
    if (pass !== "full" || attempt > 1) return;
    const claimTexts = claims.map((claim) => claim.text);
    const atoms = checks.call((module) => module.atoms({ spans, claimTexts }));
    main.call((module) => module.verificationAtoms(this.#id, id, atoms));
  }

  poll(most: number): Step {
    return main.call((module) => module.verificationPoll(this.#id, Math.min(most, MOST))) as Step;
  }

  settle(settled: Settled): void {
    if ("tooDear" in settled) {
      return;
    }
    if ("failure" in settled) {
      main.call((module) => module.verificationFail(this.#id, settled.id, settled.failure));
      return;
    }
    try {
      main.call((module) => module.verificationHandle(this.#id, settled.id, settled.answer));
    } catch (error) {
      if (!(error instanceof ClaimgaugeError) || !error.path.startsWith("answer")) {
        throw error;
      }
      this.settle({ id: settled.id, failure: toFailure(error), stop: false });
    }
  }

  stop(reason: "cancelled" | "capped" | "stopped"): void {
    main.call((module) => module.verificationStop(this.#id, reason));
  }

  progress(): Progress {
    return main.call((module) => module.verificationProgress(this.#id)) as Progress;
  }

  dispose(): void {
    main.call((module) => module.verificationDispose(this.#id));
  }
}

async function outcome({ id }: JudgeRequest, answer: () => Promise<JudgeAnswer>): Promise<Settled> {
  try {
    return { id, answer: await answer() };
  } catch (thrown) {
    if (thrown === TOO_DEAR) return { id, tooDear: true };
    return { id, ...failed(thrown) };
  }
}

export async function answerOf(judge: Judge, question: JudgeRequest, judging: Judging): Promise<JudgeAnswer> {
  const reply = await judging.ask((signal) => judge.judge(question, { signal }));
  const answer = asAnswer(reply);
  return { ...answer, basis: answer.basis ?? judge.basis };
}

/** Total: whatever a judge throws, a failure comes of it, or the run would wait for ever. */
export function failed(thrown: unknown): { failure: Failure; stop: boolean } {
  try {
    if (thrown instanceof ClaimgaugeError) {
      return { failure: toFailure(thrown), stop: thrown instanceof JudgeError && thrown.stop };
    }
  } catch {
    // What it is cannot be asked.
  }
  const message = `The judge threw: ${words(wordsOf(thrown))}`;
  return { failure: { code: "judge_failed", message, path: null, hint: null }, stop: false };
}

function toFailure({ code, message, path, hint }: ClaimgaugeError): Failure {
  return {
    // Whoever wrote the judge may have put anything there.
    code: typeof code === "string" && /^[\w.:-]{1,100}$/.test(code) ? code : "judge_failed",
    message: words(message),
    path: path === "" ? null : words(path),
    hint: hint === null ? null : words(hint),
  };
}

/** More than a report keeps of it: what may be endless need not be handed on. */
const MOST_WORDS = 2048;

function words(value: unknown): string {
  return wellFormed(String(value).slice(0, MOST_WORDS));
}

/** How many claims are asked about in one request. */
export function groupOf(judge: Judge | null, group: number | null | undefined): number {
  return judge?.single ? 1 : Math.min(group ?? 1, MOST);
}
