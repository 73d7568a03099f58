export { checkAnswers, langChain } from "./node-langchain.js";
export type * from "./node-langchain.js";
