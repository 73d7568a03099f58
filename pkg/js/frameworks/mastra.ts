// For Mastra: a scorer. What is used of it is written down here, so that nothing of it is needed.
import { callback, checkOptions } from "../options.js";
import type { SpanInput } from "../types.js";
import { ANSWER_OPTIONS, checkAnswer, spanOf, shareOf, type AnswerOptions, type CheckedAnswer } from "./answer.js";

export interface ScorerOptions extends AnswerOptions {
  /** What an output may rest on; what tools gave in the run where absent. */
  evidence?: ((run: MastraRun) => SpanInput[] | Promise<SpanInput[]>) | null | undefined;
}

/** A run as a scorer sees it: of an agent, the output is its messages. */
export interface MastraRun {
  input?: unknown;
  output: unknown;
}

/** What a step is handed. */
interface Step {
  run: MastraRun;
  results: { preprocessStepResult?: unknown };
}

/** The steps of a scorer, each under the name of the method of `createScorer` that takes it. */
export interface ScorerSteps {
  preprocess(step: { run: any }): Promise<CheckedAnswer>;
  generateScore(step: any): number;
  generateReason(step: any): string;
}

/**
 * The steps of a scorer: the score is the share of claims that rest on what tools gave, and 0 where nothing could be checked;
 * the reason says which.
 */
export function scorerSteps(options: ScorerOptions): ScorerSteps {
  checkOptions(options, { ...ANSWER_OPTIONS, evidence: callback });
  const checkedBy = ({ results }: Step) => results.preprocessStepResult as CheckedAnswer;
  return {
    preprocess: async ({ run }) => checkAnswer(textOf(run.output), await (options.evidence ?? toolResults)(run), options),
    generateScore(step: Step) {
      const answer = checkedBy(step);
      return answer.checked ? shareOf(answer.claims) : 0;
    },
    generateReason(step: Step) {
      const answer = checkedBy(step);
      if (!answer.checked) return `Not checked: ${answer.reason === "refused" ? answer.message : answer.reason}`;
      return `${answer.recommendation}: ${answer.rationale}`;
    },
  };
}

/** A message of an agent: its parts, in which tools may have given something. */
interface Message {
  role?: unknown;
  content?: { parts?: Part[]; content?: unknown } | string | null;
}

interface Part {
  type?: unknown;
  text?: unknown;
  toolInvocation?: { state?: unknown; toolName?: string; result?: unknown } | null;
}

function messagesOf(output: unknown): Message[] {
  return Array.isArray(output) ? output.filter((one) => typeof one === "object" && one !== null) : [];
}

function partsOf({ content }: Message): Part[] {
  return typeof content === "object" && content !== null && Array.isArray(content.parts) ? content.parts : [];
}

/** The agent's words, or an output that is text. */
function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  const texts = messagesOf(output).filter(({ role }) => role === "assistant").map((message) => {
    const words = partsOf(message).map(({ type, text }) => (type === "text" && typeof text === "string" ? text : ""));
    return typeof message.content === "string" ? message.content : words.join("");
  });
  return texts.filter((text) => text !== "").join("\n");
}

/** What tools gave, one span each. */
function toolResults({ output }: MastraRun): SpanInput[] {
  const calls = messagesOf(output).flatMap(partsOf).map(({ toolInvocation }) => toolInvocation);
  return calls.flatMap((call) => (call?.state === "result" && call.result !== undefined ? [spanOf(call.result, call.toolName)] : []));
}
