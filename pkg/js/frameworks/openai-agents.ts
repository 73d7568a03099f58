// For OpenAI's Agents SDK: guardrails for an agent's output and for what its tools give. What is used of the SDK is written down here, so that nothing of it is
// needed.
import { callback, checkOptions, flag, oneOf, plainObject } from "../options.js";
import { checkOutput } from "../output/index.js";
import type { Schema } from "../output/types.js";
import type { SpanInput } from "../types.js";
import { ANSWER_OPTIONS, checkAnswer, spanOf, type AnswerOptions, type CheckedAnswer } from "./answer.js";

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

export interface ToolOutputGuardrailOptions {
  /** Tools and the schemas of what they give: JSON Schemas, or what has the Standard Schema interface. */
  tools: { readonly [tool: string]: Schema };
  /** Whether JSON Schema's `format` is held against values; else it is an annotation. */
  formats?: boolean | null | undefined;
  /** `reject`, where absent, gives the model the errors in place of the output; `throw` ends the run. */
  onMisfit?: "reject" | "throw" | null | undefined;
}

/** What a guardrail of a tool is handed. */
export interface ToolOutputArgs {
  toolCall: { name: string; callId: string };
  output: unknown;
}

export interface ToolOutputGuardrail {
  type: "tool_output";
  name: string;
  run(given: ToolOutputArgs): Promise<{
    behavior: { type: "allow" } | { type: "rejectContent"; message: string } | { type: "throwException" };
    outputInfo: { checked: boolean; errors: string[] };
  }>;
}

/**
 * A guardrail for a tool's `outputGuardrails`: what it gave is held against its schema, as level 2 of `checkOutput` does. A tool
 * without a schema, or one that gave nothing, is let pass, and `outputInfo.checked` says so.
 */
export function toolOutputGuardrail(options: ToolOutputGuardrailOptions): ToolOutputGuardrail {
  checkOptions(options, { tools: { ...plainObject, required: true }, formats: flag, onMisfit: oneOf("reject", "throw") });
  const { tools, formats, onMisfit } = options;
  return {
    type: "tool_output",
    name: "claimgauge tool output",
    async run({ toolCall: { name, callId }, output }) {
      const invocation = { invocationId: callId, tool: name, purpose: "execution" as const, status: "success" as const, output };
      const trace = { traceId: "run", specialistId: "agent", invocations: [invocation] };
      const { pluginValidation } = await checkOutput({ summary: name, traceRef: "trace:run" }, { trace, tools, formats });
      const errors = (pluginValidation?.errors ?? []).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
      const outputInfo = { checked: (pluginValidation?.checked ?? 0) > 0, errors };
      if (errors.length === 0) return { behavior: { type: "allow" }, outputInfo };
      if (onMisfit === "throw") return { behavior: { type: "throwException" }, outputInfo };
      const message = `What ${name} gave does not fit its schema, so do not rest on it: ${errors.join("; ")}`;
      return { behavior: { type: "rejectContent", message }, outputInfo };
    },
  };
}

/** What tools gave, one span each. */
function toolResults({ details }: GuardrailArgs): SpanInput[] {
  const results = (details?.output ?? []).filter(({ type }) => type === "function_call_result") as ToolResult[];
  return results.map(({ name, output }) => {
    const parts = [output].flat().map((part) => (typeof part === "string" ? part : part?.text ?? JSON.stringify(part) ?? ""));
    return spanOf(parts.join("\n"), name);
  });
}

type Output = string | { text?: string };

interface ToolResult {
  name?: string;
  output: Output | Output[];
}
