// One instance for both kinds of module: this one has no code of its own.
export {
  ClaimgaugeError,
  JudgeError,
  Metrics,
  checkOutput,
  claimsFromTools,
  decide,
  directoryCache,
  estimate,
  init,
  memoryCache,
  parseSchemaRef,
  presets,
  profiles,
  readReply,
  scrub,
  toMarkdown,
  unscrub,
  verify,
  version,
  withVerification,
} from "./node.js";
export type * from "./node.js";
