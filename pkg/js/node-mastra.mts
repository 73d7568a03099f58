export { scorerSteps } from "./node-mastra.js";
export type * from "./node-mastra.js";
