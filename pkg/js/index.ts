export { memoryCache } from "./cache.js";
export { ClaimgaugeError, JudgeError } from "./error.js";
export { decide, estimate, presets, profiles, readReply, scrub, toMarkdown, unscrub, version } from "./methods.js";
export * from "./observability/index.js";
export { Metrics, checkOutput, claimsFromTools, parseSchemaRef, withVerification } from "./output/index.js";
export type * from "./output/index.js";
export { loadPatterns } from "./patterns.js";
export { verify } from "./verify.js";
export type * from "./types.js";
