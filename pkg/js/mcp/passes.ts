// Verification whose judge is the host's own model: the questions are handed to it as a tool's answer, and what it
// says comes back as a tool's arguments. No key and no server is needed.
import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";

import { ClaimgaugeError } from "../error.js";
import { array, checkOptions, oneOf, requiredText, text, type Option } from "../options.js";
import type { JudgeRequest, Report, VerifyRequest } from "../types.js";
import { checkRequest, verify } from "../verify.js";
import { sizeOf, MOST_ANSWER } from "./answer.js";

/** More than these are not kept: the oldest goes. */
const MOST_RUNS = 16;

/** In UTF-16 units: what the claims of a run may rest on in all. Their passes are asked at once, so that the scrubbed ones come first. */
const MOST_TEXT = 32 * 1024 * 1024;

/** As long as ids are, and more passes than there are: for what an answer will take. */
const ID = "0".repeat(16);
const MOST_PASSES = 10_000_000;

/** A question that the host was shown or will be. */
interface Pass {
  id: string;
  question: JudgeRequest;
  isShown: boolean;
  answer(reply: string): void;
}

/** What the host is asked next. */
export interface Questions {
  /** Passes that are not answered yet, these among them. */
  left: number;
  /** What holds for all of these. */
  rules: string;
  passes: { id: string; prompt: string; rules?: string }[];
}

const confidence: Option = {
  expected: "number from 0 to 1",
  fits: (value) => typeof value === "number" && value >= 0 && value <= 1,
};
const verdict: Option = oneOf("ENTAILED", "CONTRADICTED", "UNSURE");
const ANSWER = {
  pass: requiredText,
  verdict: { ...verdict, required: true },
  confidence: { ...confidence, required: true },
  reasoning: text,
};

interface Answer {
  pass: string;
  verdict: string;
  confidence: number;
  reasoning?: string | null;
}

/** The runs that wait for their host. */
export class Runs {
  readonly #runs = new Map<string, HostRun>();

  async start(request: VerifyRequest): Promise<{ id: string; run: HostRun }> {
    await checkRequest(request);
    checkLengths(request);
    const run = new HostRun(request);
    await run.settled();
    run.checkSizes();
    const id = randomBytes(8).toString("hex");
    this.#runs.set(id, run);
    const [oldest] = this.#runs.keys();
    if (oldest !== undefined && this.#runs.size > MOST_RUNS) this.#end(oldest);
    return { id, run };
  }

  of(id: string): HostRun {
    const run = this.#runs.get(id);
    if (run !== undefined) return run;
    const hint = `Take the run that prepare_passes gave; the last ${MOST_RUNS} are kept.`;
    throw new ClaimgaugeError({ code: "unknown_run", message: "There is no such run", path: "run", hint });
  }

  close(): void {
    [...this.#runs.keys()].forEach((id) => this.#end(id));
  }

  #end(id: string): void {
    this.#runs.get(id)?.end();
    this.#runs.delete(id);
  }
}

export class HostRun {
  /** By ids that cannot be guessed: who names one was shown it. */
  readonly #open = new Map<string, Pass>();
  readonly #answered = new Map<string, string>();
  readonly #ended = new AbortController();
  readonly #done: Promise<void>;
  #report: Report | undefined;
  #wake = () => {};

  constructor(request: VerifyRequest) {
    const judge = {
      name: "host",
      basis: "verbal" as const,
      single: true,
      judge: (question: JudgeRequest, { signal }: { signal: AbortSignal }) => this.#ask(question, signal),
    };
    const options = { judge, signal: this.#ended.signal, concurrency: Number.MAX_SAFE_INTEGER };
    this.#done = verify(request, options).then((report) => {
      this.#report = report;
    });
    // Whoever waits for it hears of it; until then it is no failure of the program.
    this.#done.catch(() => {});
  }

  /** The report, when everything is answered. */
  get report(): Report | undefined {
    return this.#report;
  }

  /** Until there is a report or something to ask. */
  async settled(): Promise<void> {
    if (this.#open.size === 0) await Promise.race([this.#done, new Promise<void>((resolve) => (this.#wake = resolve))]);
    // What is asked at the same time comes along, also what `verify` pauses before.
    for (let round = 0; round < 3; round += 1) await setImmediate();
    if (this.#open.size === 0 && this.#report === undefined) await this.settled();
  }

  end(): void {
    this.#ended.abort();
  }

  /** Refuses what could never be asked, before anything is. */
  checkSizes(): void {
    for (const { question } of this.#open.values()) {
      const [rules = "", ...rest] = question.messages.map(({ content }) => content);
      if (sizeOf({ done: false, run: ID, left: MOST_PASSES, rules, passes: [{ id: ID, prompt: rest.join("\n\n") }] }) < MOST_ANSWER) continue;
      this.end();
      throw tooLong(question.claim);
    }
  }

  /**
   * What to ask next, as much as fits. The scrubbed passes come first: whoever has read the evidence as it is
   * cannot judge as if they had not.
   */
  next(more: object): Questions {
    const all = [...this.#open.values()];
    const first = all.filter(({ question }) => question.pass !== "full");
    const due = first.length > 0 ? first : all;
    const rules = due[0]?.question.messages[0]?.content ?? "";
    const passes: Questions["passes"] = [];
    for (const { id, question } of due) {
      const [system = "", ...rest] = question.messages.map(({ content }) => content);
      passes.push({ id, prompt: rest.join("\n\n"), ...(system !== rules && { rules: system }) });
      if (sizeOf({ ...more, left: all.length, rules, passes }) < MOST_ANSWER) continue;
      passes.pop();
      break;
    }
    passes.forEach(({ id }) => ((this.#open.get(id) as Pass).isShown = true));
    return { left: all.length, rules, passes };
  }

  /** Takes what the host says, all of it or nothing. The same answer may come twice, another one may not. */
  take(given: unknown): void {
    checkOptions({ answers: given }, { answers: { ...array, required: true } });
    const answers = (given as Answer[]).map((answer, at) => this.#checked(answer, `answers.${at}`));
    const fresh = new Map<string, string>();
    answers.forEach(({ pass, reply }, at) => {
      const before = this.#answered.get(pass) ?? fresh.get(pass);
      if (before !== undefined && before !== reply) {
        throw new ClaimgaugeError({ code: "answered_twice", message: "This pass has another answer already", path: `answers.${at}.pass` });
      }
      if (!this.#answered.has(pass)) fresh.set(pass, reply);
    });
    for (const [id, reply] of fresh) {
      this.#answered.set(id, reply);
      this.#open.get(id)?.answer(reply);
      this.#open.delete(id);
    }
  }

  #checked(answer: Answer, path: string): { pass: string; reply: string } {
    checkOptions(answer, ANSWER, path);
    const { pass, verdict, confidence, reasoning } = answer;
    if (!this.#answered.has(pass) && !this.#open.get(pass)?.isShown) {
      const hint = "Take the ids of the passes that this run gave.";
      throw new ClaimgaugeError({ code: "unknown_pass", message: "This run asked no such pass", path: `${path}.pass`, hint });
    }
    return { pass, reply: JSON.stringify({ verdict, confidence, reasoning: reasoning ?? "" }) };
  }

  #ask(question: JudgeRequest, signal: AbortSignal): Promise<string> {
    const id = randomBytes(6).toString("hex");
    return new Promise((resolve, reject) => {
      this.#open.set(id, { id, question, isShown: false, answer: resolve });
      signal.addEventListener("abort", () => reject(new Error("the run has ended")), { once: true });
      this.#wake();
    });
  }
}

/** Refuses what is far too long before its passes are written. */
function checkLengths({ evidence, claims }: VerifyRequest): void {
  const spans = evidence.map((span) => (typeof span === "string" ? { text: span } : span));
  const lengths = new Map(spans.map(({ id, text }, at) => [id ?? `S${at}`, text.length]));
  const sum = (ids: Iterable<string>) => [...ids].reduce((sum, id) => sum + (lengths.get(id) ?? 0), 0);
  const all = sum(lengths.keys());
  let left = MOST_TEXT;
  for (const claim of claims) {
    const { text, cites } = typeof claim === "string" ? { text: claim, cites: null } : claim;
    const length = cites?.length ? sum(new Set(cites)) : all;
    if (length > MOST_ANSWER) throw tooLong(text);
    left -= length;
  }
  if (left >= 0) return;
  throw new ClaimgaugeError({
    code: "too_long",
    message: `What the claims rest on is more than ${MOST_TEXT / 1024 / 1024} MB in all`,
    path: "claims",
    hint: "Give fewer claims at a time, or let each cite the spans that it rests on.",
  });
}

function tooLong(claim: string): ClaimgaugeError {
  return new ClaimgaugeError({
    code: "too_long",
    message: `What claim "${claim.slice(0, 60)}" rests on does not fit into an answer of ${MOST_ANSWER / 1000} KB`,
    path: "evidence",
    hint: "Give shorter evidence, or let each claim cite the spans that it rests on.",
  });
}
