// For OpenAI's Agents SDK: an output guardrail. What is used of the SDK is written down here, so that nothing of it is
// needed.
import { callback, checkOptions } from "../options.js";
import type { SpanInput } from "../types.js";
import { ANSWER_OPTIONS, checkAnswer, type AnswerOptions, type CheckedAnswer } from "./answer.js";

export interface OutputGuardrailOptions extends AnswerOptions {
  /** What the output may rest on; what tools gave in the run where absent. */
  evidence?: ((given: GuardrailArgs) => SpanInput[] | Promise<SpanInput[]>) | null | undefined;
}

/** What a guardrail is handed. */
export interface GuardrailArgs {
  agentOutput: unknown;
  details?: { output?: readonly { type?: string | undefined }[] } | undefined;
}

export interface OutputGuardrail {
  name: string;
  execute(given: GuardrailArgs): Promise<{ tripwireTriggered: boolean; outputInfo: CheckedAnswer }>;
}

/**
 * A guardrail for an agent's `outputGuardrails`: its output is held against what tools gave in the run. It trips where
 * the recommendation is STOP; `outputInfo` has the result, also of an output that could not be checked.
 */
export function outputGuardrail(options: OutputGuardrailOptions): OutputGuardrail {
  checkOptions(options, { ...ANSWER_OPTIONS, evidence: callback });
  return {
    name: "claimgauge",
    async execute(given) {
      const { agentOutput } = given;
      const text = typeof agentOutput === "string" ? agentOutput : JSON.stringify(agentOutput) ?? "";
      const outputInfo = await checkAnswer(text, await (options.evidence ?? toolResults)(given), options);
      return { tripwireTriggered: outputInfo.checked && outputInfo.recommendation === "STOP", outputInfo };
    },
  };
}

/** What tools gave, one span each. */
function toolResults({ details }: GuardrailArgs): SpanInput[] {
  const results = (details?.output ?? []).filter(({ type }) => type === "function_call_result") as ToolResult[];
  return results.map(({ name, output }) => {
    const parts = [output].flat().map((part) => (typeof part === "string" ? part : part?.text ?? JSON.stringify(part) ?? ""));
    return { text: parts.join("\n"), source: name ?? null };
  });
}

type Output = string | { text?: string };

interface ToolResult {
  name?: string;
  output: Output | Output[];
}
