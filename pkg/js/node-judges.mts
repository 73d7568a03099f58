export { anthropic, builtin, gemini, languageModel, ollama, openai, recorded, sampled } from "./node-judges.js";
export type * from "./node-judges.js";
