// One instance for both kinds of module: this one has no code of its own.
export {
  ClaimgaugeError,
  JudgeError,
  decide,
  init,
  presets,
  profiles,
  readReply,
  scrub,
  toMarkdown,
  unscrub,
  verify,
  version,
} from "./node.js";
export type * from "./node.js";
