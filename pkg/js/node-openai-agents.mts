export { outputGuardrail, toolOutputGuardrail } from "./node-openai-agents.js";
export type * from "./node-openai-agents.js";
