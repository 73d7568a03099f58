export { toLangfuseScores, type LangfuseOptions, type LangfuseScore } from "./langfuse.js";
export { toOtelEvents, type OtelEvent, type OtelOptions } from "./otel.js";
