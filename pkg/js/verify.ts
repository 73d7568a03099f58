import { ClaimgaugeError, JudgeError, wordsOf } from "./error.js";
import { call } from "./module.js";
import { abortSignal, atLeastOne, callback, checkOptions, judge as judgeOption, notNegative, object } from "./options.js";
import type {
  Failure,
  Judge,
  JudgeAnswer,
  JudgeFunction,
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

/** How long, in milliseconds, judges that answer at once may keep everything else from running. */
const SLICE = 20;

/**
 * Asks the judge about every claim, once with the evidence as given and once with its identifiers
 * taken out, and says what the difference means.
 *
 * A judge that throws, or whose replies hold no verdict, fails its pass: it never gives one. When
 * `signal` aborts, the report comes at once, with what is done.
 */
export async function verify(request: VerifyRequest, options: VerifyOptions): Promise<Report> {
  checkOptions(options, {
    judge: { ...judgeOption, required: true },
    signal: abortSignal,
    onProgress: callback,
    concurrency: atLeastOne,
    limits: object,
  });
  checkOptions(options.limits ?? {}, { maxCalls: notNegative }, "limits");

  const judge = asJudge(options.judge);
  const concurrency = options.concurrency ?? CONCURRENCY;
  const maxCalls = options.limits?.maxCalls ?? Infinity;
  const { signal, onProgress } = options;

  const run = new Run(request);
  const judging = new AbortController();
  const settled: Settled[] = [];
  let calls = 0;
  let open = 0;
  let wake = () => {};

  const cancel = () => {
    judging.abort(signal?.reason);
    wake();
  };
  const ask = async (question: JudgeRequest) => {
    settled.push(await outcome(judge, question, judging.signal));
    wake();
  };

  try {
    signal?.addEventListener("abort", cancel, { once: true });
    let since = Date.now();
    onProgress?.(run.progress());
    for (;;) {
      if (signal?.aborted) {
        run.stop("cancelled");
      }
      const step = run.poll(Math.min(concurrency - open, maxCalls - calls));
      if (step.kind === "done") {
        return step.report;
      }
      if (step.kind === "ask") {
        open += step.requests.length;
        calls += step.requests.length;
        for (const question of step.requests) {
          void ask(question);
        }
      } else if (open === 0) {
        // Something is ready to be asked, and no call is left.
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
        onProgress?.(run.progress());
        if (Date.now() - since > SLICE) {
          await new Promise((resolve) => setTimeout(resolve));
          since = Date.now();
        }
      }
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    judging.abort();
    run.dispose();
  }
}

/** What came of one question. */
type Settled = { id: string; answer: JudgeAnswer } | { id: string; failure: Failure; stop: boolean };

type Step = { kind: "ask"; requests: JudgeRequest[] } | { kind: "done"; report: Report } | { kind: "wait" };

/** Never used twice: a number from before the instance failed must not name a run of the next one. */
let runs = 0;

/** The machine inside the module. */
class Run {
  readonly #id = ++runs;

  constructor(request: VerifyRequest) {
    call((module) => module.verificationNew(this.#id, request));
  }

  poll(most: number): Step {
    return call((module) => module.verificationPoll(this.#id, Math.min(most, MOST))) as Step;
  }

  settle(settled: Settled): void {
    if ("failure" in settled) {
      call((module) => module.verificationFail(this.#id, settled.id, settled.failure));
      return;
    }
    try {
      call((module) => module.verificationHandle(this.#id, settled.id, settled.answer));
    } catch (error) {
      if (!(error instanceof ClaimgaugeError) || !error.path.startsWith("answer")) {
        throw error;
      }
      this.settle({ id: settled.id, failure: toFailure(error), stop: false });
    }
  }

  stop(reason: "cancelled" | "capped" | "stopped"): void {
    call((module) => module.verificationStop(this.#id, reason));
  }

  progress(): Progress {
    return call((module) => module.verificationProgress(this.#id)) as Progress;
  }

  dispose(): void {
    call((module) => module.verificationDispose(this.#id));
  }
}

async function outcome(judge: Judge, question: JudgeRequest, signal: AbortSignal): Promise<Settled> {
  const { id } = question;
  try {
    const reply = await judge.judge(question, { signal });
    const answer = typeof reply === "string" ? { text: reply } : reply;
    if (answer === null || answer === undefined) {
      const hint = "An answer is a text, or { text, … }.";
      throw new JudgeError({ code: "judge_failed", message: `The judge gave ${answer}`, path: "answer", hint });
    }
    return { id, answer: { ...answer, basis: answer.basis ?? judge.basis, cut: answer.cut ?? false } };
  } catch (thrown) {
    return { id, ...failed(thrown) };
  }
}

/** Total: whatever a judge throws, a failure comes of it, or the run would wait for ever. */
function failed(thrown: unknown): { failure: Failure; stop: boolean } {
  try {
    if (thrown instanceof ClaimgaugeError) {
      return { failure: toFailure(thrown), stop: thrown instanceof JudgeError && thrown.stop };
    }
  } catch {
    // What it is cannot be asked.
  }
  const message = `The judge threw: ${wellFormed(wordsOf(thrown))}`;
  return { failure: { code: "judge_failed", message, path: null, hint: null }, stop: false };
}

function toFailure({ code, message, path, hint }: ClaimgaugeError): Failure {
  return {
    code: wellFormed(code || "judge_failed"),
    message: wellFormed(message),
    path: path === "" ? null : wellFormed(path),
    hint: hint === null ? null : wellFormed(hint),
  };
}

/** As text of whole characters, whatever a judge put there. */
function wellFormed(value: unknown): string {
  return new TextDecoder().decode(new TextEncoder().encode(String(value)));
}

function asJudge(judge: Judge | JudgeFunction): Judge {
  return typeof judge === "function" ? { name: judge.name, basis: "verbal", judge } : judge;
}
