import { asAnswer, asJudge, atLeastOne, checkFields, checkOptions, judge as judgeOption } from "../options.js";
import type { Judge, JudgeAnswer, JudgeFunction, JudgeReply } from "../types.js";

/**
 * Asks a judge several times and lets most decide: a tie is UNSURE, the confidence is the median. For
 * judges that give no token probabilities; there the probability says more than samples do.
 */
export function sampled(judge: Judge | JudgeFunction, options: { samples?: number | null | undefined } = {}): Judge {
  checkOptions({ judge }, { judge: { ...judgeOption, required: true } });
  checkOptions(options, { samples: atLeastOne });
  const samples = options.samples ?? 3;
  const one = asJudge(judge);
  return {
    name: `sampled:${one.name}`,
    basis: "sampled",
    single: one.single,
    calls: samples * (one.calls ?? 1),
    parameters: one.parameters ? { samples, of: one.parameters } : null,
    async judge(request, { signal }) {
      const replies = await withSignals(signal, samples, (own) => one.judge(request, { signal: own }));
      return { text: "", samples: replies.flatMap(repliesIn) };
    },
  };
}

function repliesIn(reply: JudgeReply): NonNullable<JudgeAnswer["samples"]> {
  const answer = asAnswer(reply);
  if (answer.samples) return Array.from(answer.samples, checkedReply);
  const { text, cut, usage } = answer;
  return [{ text, cut: cut ?? false, usage: usage ?? null }];
}

/** Each is looked at, also one that is not there: a sparse array is as long as it says. */
function checkedReply<T>(reply: T, at: number): T {
  checkFields(reply, {}, `answer.samples.${at}`);
  return reply;
}

/** Does `act` so often at a time. Each has a signal of its own: Node warns of one that many listen to. */
async function withSignals<T>(signal: AbortSignal, count: number, act: (own: AbortSignal) => T | Promise<T>): Promise<T[]> {
  const own = Array.from({ length: count }, () => new AbortController());
  const cancel = () => own.forEach((one) => one.abort(signal.reason));
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await Promise.all(own.map(async (one) => act(one.signal)));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
