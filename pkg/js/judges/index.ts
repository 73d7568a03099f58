export { builtin } from "./builtin.js";
export { openai, type OpenAiOptions } from "./openai.js";
export { recorded, type Recording } from "./recorded.js";
