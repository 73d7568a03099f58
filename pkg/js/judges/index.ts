export { builtin } from "./builtin.js";
export type { HttpOptions } from "./http.js";
export {
  languageModel,
  type LanguageModelApi,
  type LanguageModelOptions,
  type LanguageModelSession,
} from "./language-model.js";
export { anthropic, gemini, ollama, openai, type OpenAiOptions, type ProviderOptions } from "./providers.js";
export { recorded, type Recording } from "./recorded.js";
export { sampled } from "./sampled.js";
