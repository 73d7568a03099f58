export { anthropic, builtin, gemini, ollama, openai, recorded } from "./node-judges.js";
export type * from "./node-judges.js";
