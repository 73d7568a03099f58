// What is written for tools that watch, beside the reports.
import { closeSync, openSync } from "node:fs";

import { writeAll } from "../batch/durable.js";
import type { Output } from "../batch/merge.js";
import { langfuseLines, otelLine } from "../observability/files.js";
import type { Report } from "../types.js";
import type { Values } from "./command.js";
import { UsageError } from "./exit.js";
import { areOne } from "./outputs.js";

export const OBSERVED = {
  otel: { type: "string", value: "FILE", help: "write OpenTelemetry's gen_ai.evaluation.result events there, as lines of OTLP's JSON" },
  langfuse: { type: "string", value: "FILE", help: "write Langfuse's scores there, a line each" },
  content: { type: "boolean", help: "let claims and reasoning go into --otel and --langfuse" },
} as const;

/** What is to be written. */
export function outputsOf({ otel, langfuse, content = false }: Values<typeof OBSERVED>): Output[] {
  if (content && otel === undefined && langfuse === undefined) throw new UsageError("--content is for --otel and --langfuse");
  if (otel !== undefined && langfuse !== undefined && areOne(otel, langfuse)) throw new UsageError("--otel and --langfuse take two files");
  if (otel === "-" || langfuse === "-") throw new UsageError("--otel and --langfuse take files: the standard output has the reports");
  const kind = content ? "with content" : "without content";
  return [
    ...(otel === undefined ? [] : [{ path: otel, kind: `otel ${kind}`, linesOf: (report: Report, _: unknown, time: number) => otelLine(report, content, time) }]),
    ...(langfuse === undefined ? [] : [{ path: langfuse, kind: `langfuse ${kind}`, linesOf: (report: Report, request: unknown) => langfuseLines(report, request, content) }]),
  ];
}

/** The files, written report by report. */
export class Observed {
  readonly #files: { file: number; output: Output }[];

  constructor(outputs: Output[]) {
    this.#files = outputs.map((output) => ({ output, file: attempt(output.path, () => openSync(output.path, "w", 0o600)) }));
  }

  add(report: Report, request: unknown): void {
    for (const { file, output } of this.#files) {
      attempt(output.path, () => writeAll(file, Buffer.from(output.linesOf(report, request, Date.now()))));
    }
  }

  end(): void {
    this.#files.forEach(({ file }) => closeSync(file));
  }
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new UsageError(`${path}: it cannot be written: ${(error as Error).message}`);
  }
}
