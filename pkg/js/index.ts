export { ClaimgaugeError, JudgeError } from "./error.js";
export { decide, presets, profiles, readReply, scrub, toMarkdown, unscrub, version } from "./methods.js";
export { verify } from "./verify.js";
export type * from "./types.js";
