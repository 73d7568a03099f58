// One request through the machine, with what is known of its questions.
import { ClaimgaugeError } from "../error.js";
import { batch, checks } from "../module.js";
import type { Failure, JudgeAnswer, JudgeRequest, Report, VerifyRequest } from "../types.js";
import { Run } from "../verify.js";
import { askedOf, type Asked, type BatchDialect, type Said } from "./forms.js";

export function loadMachine(): Promise<unknown> {
  return Promise.all([batch.load(), checks.load()]);
}

/** A request: the line that it is, and what the line says. */
export interface Given {
  text: string;
  request: VerifyRequest;
}

/** A question that is to be asked. */
export interface Question {
  /** The ids of the claims that it is about. */
  claims: string[];
  pass: JudgeRequest["pass"];
  mode: JudgeRequest["mode"];
  attempt: number;
  promptTokens: number;
  /** What is sent, as JSON. */
  body: string;
}

/** Whom a plan asks, and how. */
export interface Asking {
  judge: Asked;
  group: number;
  /** Parameters that are left out. */
  without: readonly string[];
}

/** What is known of the questions of one request, by their ids, and whether it was said to another that is the same. */
export type KnownOfOne = Map<string, [said: Said, cached: boolean]>;

export interface Replayed {
  report: Report;
  /** The same as JSON. */
  text: string;
  /** The ids of the questions that were asked and of which something is known. */
  known: string[];
  /** Why some of these are open all the same. */
  reasons: string[];
  /** Parameters that the provider refuses. */
  without: string[];
  /** What must be asked, or asked again, before the report is whole. */
  open: Question[];
}

/** What the request asks at first, before anything is answered. */
export async function firstQuestions({ text, request }: Given, { judge, group, without }: Asking): Promise<Question[]> {
  const asked = askedOf(judge, without);
  const lines = await attempt(() => batch.call((module) => module.questions(text, group, asked)));
  if (lines !== undefined) return questionsIn(lines.split("\n"), 0);
  const run = new Run();
  try {
    await run.start(request, group);
    const step = run.poll(Infinity);
    return step.kind === "ask" ? step.requests.map((question) => described(question, judge, without)) : [];
  } finally {
    run.dispose();
  }
}

/** Hands in all that is known; a claim of which an answer is missing is INCONCLUSIVE, with the flag `stopped`. */
export async function replay({ text, request }: Given, { judge, group, without }: Asking, known: KnownOfOne): Promise<Replayed> {
  const asked = askedOf(judge, without);
  const given = JSON.stringify(Object.fromEntries(known));
  const lines = (await attempt(() => batch.call((module) => module.replay(text, group, asked, given))))?.split("\n");
  if (lines === undefined) return replayHere(request, { judge, group, without }, known);
  const [report = "", told = ""] = lines;
  return { text: report, report: JSON.parse(report) as Report, ...(JSON.parse(told) as Pick<Replayed, "known" | "reasons" | "without">), open: questionsIn(lines, 2) };
}

/** What was said to a question, read. */
export type Heard =
  | { kind: "answer"; answer: JudgeAnswer }
  | { kind: "failure"; failure: Failure }
  | { kind: "again"; reason: string; without: string | null };

export function hear(dialect: BatchDialect, said: Said): Heard {
  return JSON.parse(batch.call((module) => module.hear(dialect, JSON.stringify(said)))) as Heard;
}

/**
 * What the quick way gives; undefined for a request that it does not take, such as one with patterns: the ordinary
 * way takes it, or says better what is wrong.
 */
async function attempt<T>(act: () => T): Promise<T | undefined> {
  try {
    return act();
  } catch (error) {
    if (error instanceof ClaimgaugeError && error.code !== "internal") return undefined;
    throw error;
  }
}

async function replayHere(request: VerifyRequest, { judge, group, without }: Asking, known: KnownOfOne): Promise<Replayed> {
  const run = new Run();
  const told: Pick<Replayed, "known" | "reasons" | "without"> = { known: [], reasons: [], without: [] };
  const open: JudgeRequest[] = [];
  try {
    await run.start(request, group);
    for (;;) {
      const step = run.poll(Infinity);
      if (step.kind === "done") {
        const questions = open.map((question) => described(question, judge, [...without, ...told.without]));
        return { report: step.report, text: JSON.stringify(step.report), ...told, open: questions };
      }
      if (step.kind === "wait") {
        run.stop("stopped");
        continue;
      }
      for (const question of step.requests) {
        run.ground(question);
        const [said, cached] = known.get(question.id) ?? [];
        if (said !== undefined) told.known.push(question.id);
        const heard = said === undefined ? undefined : hear(judge.dialect, said);
        if (heard?.kind === "answer") {
          run.settle({ id: question.id, answer: { ...heard.answer, cached: heard.answer.cached === true || cached === true } });
        } else if (heard?.kind === "failure") {
          run.settle({ id: question.id, failure: heard.failure, stop: false });
        } else {
          open.push(question);
          if (heard !== undefined) told.reasons.push(heard.reason);
          if (heard?.without) told.without.push(heard.without);
        }
      }
    }
  } finally {
    run.dispose();
  }
}

/** The questions in pairs of lines. */
function questionsIn(lines: string[], from: number): Question[] {
  const questions: Question[] = [];
  for (let at = from; at + 1 < lines.length; at += 2) {
    questions.push({ ...(JSON.parse(lines[at] as string) as Omit<Question, "body">), body: lines[at + 1] as string });
  }
  return questions;
}

function described(question: JudgeRequest, judge: Asked, without: readonly string[]): Question {
  const { pass, mode, attempt, promptTokens, claims, messages, schema } = question;
  const { endpoint } = JSON.parse(askedOf(judge, without)) as { endpoint: object };
  const asked = { endpoint, messages, structured: schema !== null, many: claims.length > 1, without };
  const { body } = checks.call((module) => module.providerRequest(asked)) as { body: string };
  return { pass, mode, attempt, promptTokens, claims: claims.map(({ id }) => id), body };
}
