// What a report is to the tools that watch: lines for their files.
import { createHash } from "node:crypto";

import { version } from "../methods.js";
import type { Report } from "../types.js";
import { toLangfuseScores } from "./langfuse.js";
import { toOtelEvents } from "./otel.js";

/**
 * A line of OTLP's JSON, as collectors read it from files: the report's events, at a time in milliseconds. Nothing
 * where the report has no claims.
 */
export function otelLine(report: Report, content: boolean, time: number): string {
  const timeUnixNano = `${time}000000`;
  const records = toOtelEvents(report, { content }).map(({ eventName, attributes }) => ({
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber: INFO,
    eventName,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) })),
  }));
  if (records.length === 0) return "";
  const resource = { attributes: [{ key: "service.name", value: { stringValue: "claimgauge" } }] };
  const scopeLogs = [{ scope: { name: "claimgauge", version }, logRecords: records }];
  return `${JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] })}\n`;
}

const INFO = 9;

function valueOf(value: string | number | string[]): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { doubleValue: value };
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}

/** Lines with a score each, of the trace that {@link traceIdOf} names. */
export function langfuseLines(report: Report, request: unknown, content: boolean): string {
  const scores = toLangfuseScores(report, { traceId: traceIdOf(request), content });
  return scores.map((score) => `${JSON.stringify(score)}\n`).join("");
}

/** As Langfuse's SDKs make a trace's id of a seed, which is the request as JSON. */
export function traceIdOf(request: unknown): string {
  return createHash("sha256").update(JSON.stringify(request)).digest("hex").slice(0, 32);
}
