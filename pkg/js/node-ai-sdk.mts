export { aiSdk, checkAnswers } from "./node-ai-sdk.js";
export type * from "./node-ai-sdk.js";
