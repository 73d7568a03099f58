import { checkOptions, oneOf, requiredText } from "../options.js";
import type { Judge } from "../types.js";
import { HTTP_OPTIONS, httpJudge, type HttpOptions } from "./http.js";

export interface OpenAiOptions extends HttpOptions {
  /** `chat`, for chat completions, where absent. */
  api?: "chat" | "responses" | null | undefined;
}

/** {@link HttpOptions}, where the provider's own service is asked if no address is given. */
export interface ProviderOptions extends Omit<HttpOptions, "baseUrl"> {
  baseUrl?: string | null | undefined;
}

/**
 * A model behind OpenAI's chat completions, which llama.cpp, vLLM, LM Studio, OpenRouter and many others
 * speak too, or behind OpenAI's responses.
 */
export function openai(options: OpenAiOptions): Judge {
  checkOptions(options, { ...HTTP_OPTIONS, baseUrl: requiredText, api: oneOf("chat", "responses") });
  return httpJudge(options.api === "responses" ? "openai_responses" : "openai", options);
}

/** A model of Anthropic's. */
export function anthropic(options: ProviderOptions): Judge {
  checkOptions(options, HTTP_OPTIONS);
  return httpJudge("anthropic", options);
}

/** A model behind Gemini's `generateContent`. */
export function gemini(options: ProviderOptions): Judge {
  checkOptions(options, HTTP_OPTIONS);
  return httpJudge("gemini", options);
}

/** A model that Ollama runs, here where no `baseUrl` is given. */
export function ollama(options: ProviderOptions): Judge {
  checkOptions(options, HTTP_OPTIONS);
  return httpJudge("ollama", options);
}
