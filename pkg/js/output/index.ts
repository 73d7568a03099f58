import { more } from "../module.js";
import type { SchemaRef } from "./types.js";

export { checkOutput } from "./check.js";
export { claimsFromTools, type ClaimsOptions, type ToolCall } from "./claims.js";
export {
  Metrics, type Aggregates, type ClaimCounts, type Comparison, type Counts, type Difference, type MetricsEvent,
  type MetricsSnapshot, type Share,
} from "./metrics.js";
export { withVerification, type Attempt, type RetryOptions, type Verified } from "./retry.js";
export type * from "./types.js";

/** The parts of `@scope/pkg/path#Name`, `pkg/path#Name` or `./path#Name`; null where it is none. */
export function parseSchemaRef(text: string): SchemaRef | null {
  return more.call((module) => module.parseSchemaRef(text)) as SchemaRef | null;
}
