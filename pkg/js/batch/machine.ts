// One request through the machine, with the answers that are known.
import { Run, type Settled } from "../verify.js";
import type { JudgeRequest, Report, VerifyRequest } from "../types.js";

/** What came of a question, without its number in the run. */
export type Outcome = Settled extends infer S ? (S extends { id: string } ? Omit<S, "id"> : never) : never;

export interface Replayed {
  report: Report;
  /** What must be asked, or asked again, before the report is whole. */
  pending: JudgeRequest[];
}

/** What the request asks at first, before anything is answered. */
export async function firstQuestions(request: VerifyRequest, group: number): Promise<JudgeRequest[]> {
  const run = new Run();
  try {
    await run.start(request, group);
    const step = run.poll(Infinity);
    return step.kind === "ask" ? step.requests : [];
  } finally {
    run.dispose();
  }
}

/** Hands in every answer that is known; a claim of which one is missing is INCONCLUSIVE, with the flag `stopped`. */
export async function replay(
  request: VerifyRequest,
  group: number,
  known: (question: JudgeRequest) => Outcome | undefined,
): Promise<Replayed> {
  const run = new Run();
  const pending: JudgeRequest[] = [];
  try {
    await run.start(request, group);
    for (;;) {
      const step = run.poll(Infinity);
      if (step.kind === "done") return { report: step.report, pending };
      if (step.kind === "wait") {
        run.stop("stopped");
        continue;
      }
      for (const question of step.requests) {
        run.ground(question);
        const outcome = known(question);
        if (outcome === undefined) pending.push(question);
        else run.settle({ id: question.id, ...outcome } as Settled);
      }
    }
  } finally {
    run.dispose();
  }
}
