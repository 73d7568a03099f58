import { atLeastOne, checkOptions, judge as judgeOption } from "../options.js";
import type { Judge, JudgeAnswer, JudgeFunction, JudgeReply } from "../types.js";

/**
 * Asks a judge several times and lets most decide: a tie is UNSURE, the confidence is the median. For
 * judges that give no token probabilities; there the probability says more than samples do.
 */
export function sampled(judge: Judge | JudgeFunction, options: { samples?: number | null | undefined } = {}): Judge {
  checkOptions({ judge }, { judge: { ...judgeOption, required: true } });
  checkOptions(options, { samples: atLeastOne });
  const samples = options.samples ?? 3;
  const one = typeof judge === "function" ? { name: judge.name, basis: "verbal" as const, judge } : judge;
  return {
    name: `sampled:${one.name}`,
    basis: "sampled",
    single: one.single,
    calls: samples * (one.calls ?? 1),
    parameters: one.parameters ? { samples, of: one.parameters } : null,
    async judge(request, { signal }) {
      const ask = () => one.judge(request, { signal: AbortSignal.any([signal]) });
      const replies = await Promise.all(Array.from({ length: samples }, ask));
      return { text: "", samples: replies.flatMap(repliesIn) };
    },
  };
}

function repliesIn(reply: JudgeReply): NonNullable<JudgeAnswer["samples"]> {
  const answer = typeof reply === "string" ? { text: reply } : reply;
  if (answer.samples) return answer.samples;
  const { text, cut, usage } = answer;
  return [{ text, cut: cut ?? false, usage: usage ?? null }];
}
