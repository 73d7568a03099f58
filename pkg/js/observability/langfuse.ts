import { checkOptions, flag, text } from "../options.js";
import { checkReport } from "../report.js";
import type { Finding, Report } from "../types.js";
import { errorOf, scoresOf } from "./otel.js";

/** A score as Langfuse's `POST /api/public/scores`, and its SDKs, take it. */
export interface LangfuseScore {
  /** The same for the same claim and trace: sending it again replaces it. */
  id: string;
  traceId?: string;
  observationId?: string;
  sessionId?: string;
  name: string;
  value: number | string;
  dataType: "CATEGORICAL" | "NUMERIC";
  comment: string;
  environment?: string;
  metadata: Record<string, unknown>;
}

export interface LangfuseOptions {
  /** What is scored: a trace, and in it an observation, or a session. */
  traceId?: string | null | undefined;
  observationId?: string | null | undefined;
  sessionId?: string | null | undefined;
  environment?: string | null | undefined;
  /** Whether the claims' words and the judge's reasoning go along; false where absent. */
  content?: boolean | null | undefined;
}

/**
 * A report as Langfuse's scores: the recommendation, and of each claim its status, its support, which is how likely
 * the evidence entails it, and its delta. A number that is not known has no score.
 */
export function toLangfuseScores(report: Report, options: LangfuseOptions): LangfuseScore[] {
  checkOptions(options, { traceId: text, observationId: text, sessionId: text, environment: text, content: flag });
  checkReport(report);
  const { traceId, observationId, sessionId, environment, content } = options;
  const scored = {
    ...(traceId && { traceId }),
    ...(observationId && { observationId }),
    ...(sessionId && { sessionId }),
    ...(environment && { environment }),
  };
  const of = observationId ?? traceId ?? sessionId ?? "";
  const score = (what: string, name: string, value: number | string, comment: string, metadata: object): LangfuseScore => ({
    id: [of, what, name].filter((part) => part !== "").join("/"),
    ...scored,
    name,
    value,
    dataType: typeof value === "number" ? "NUMERIC" : "CATEGORICAL",
    comment,
    metadata: { profile: report.profile, ...metadata },
  });
  return [
    // The rationale names claims by their ids alone.
    score("", "claimgauge.recommendation", report.recommendation, report.rationale, {}),
    ...report.claims.flatMap((claim) => {
      const metadata = about(claim, content === true);
      const numbers = scoresOf(claim).flatMap(({ name, value }) => (value === null ? [] : [score(claim.id, name, value, claim.why, metadata)]));
      return [score(claim.id, "claimgauge.status", claim.status, claim.why, metadata), ...numbers];
    }),
  ];
}

function about(claim: Finding, content: boolean): object {
  const error = errorOf(claim);
  const reasoning = claim.full?.reasoning;
  return {
    claim: claim.id,
    rule: claim.rule,
    flags: claim.flags,
    ...(error !== null && { error }),
    ...(content && { text: claim.text }),
    ...(content && reasoning && { reasoning }),
  };
}
