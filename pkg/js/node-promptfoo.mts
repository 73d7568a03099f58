export { assertion } from "./node-promptfoo.js";
export type * from "./node-promptfoo.js";
