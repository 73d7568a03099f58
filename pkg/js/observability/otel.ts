import { checkOptions, flag, text } from "../options.js";
import { checkReport } from "../report.js";
import type { Finding, Report } from "../types.js";

/** What an OpenTelemetry logger emits: `logger.emit(event)`. */
export interface OtelEvent {
  eventName: "gen_ai.evaluation.result";
  attributes: Record<string, string | number | string[]>;
}

export interface OtelOptions {
  /** The completion that the claims are from; where spans tell it, emit the events in the context of its span instead. */
  responseId?: string | null | undefined;
  /** Whether the claims' words and the judge's reasoning go along; false where absent. */
  content?: boolean | null | undefined;
}

/**
 * A report as events of OpenTelemetry's conventions for generative AI: for each claim one of its support, which is how
 * likely the evidence entails it, and one of its delta. The label of both is the claim's status.
 */
export function toOtelEvents(report: Report, options: OtelOptions = {}): OtelEvent[] {
  checkOptions(options, { responseId: text, content: flag });
  checkReport(report);
  return report.claims.flatMap((claim) => scoresOf(claim).map(({ name, value }) => event(report, claim, name, value, options)));
}

/** The numbers of a claim, by the name that tools know them by. */
export function scoresOf({ full, delta }: Finding): { name: string; value: number | null }[] {
  return [
    { name: "claimgauge.support", value: full?.support ?? null },
    { name: "claimgauge.delta", value: delta },
  ];
}

/** Why a pass of the claim failed; null where none did. */
export function errorOf({ full, scrubbed }: Finding): string | null {
  return full?.error?.code ?? scrubbed?.error?.code ?? null;
}

function event(report: Report, claim: Finding, name: string, value: number | null, { responseId, content }: OtelOptions): OtelEvent {
  const error = errorOf(claim);
  const reasoning = claim.full?.reasoning;
  return {
    eventName: "gen_ai.evaluation.result",
    attributes: {
      "gen_ai.evaluation.name": name,
      ...(value !== null && { "gen_ai.evaluation.score.value": value }),
      "gen_ai.evaluation.score.label": claim.status,
      "gen_ai.evaluation.explanation": claim.why,
      ...(responseId && { "gen_ai.response.id": responseId }),
      ...(error !== null && { "error.type": error }),
      "claimgauge.claim.id": claim.id,
      "claimgauge.profile": report.profile,
      "claimgauge.rule": claim.rule,
      "claimgauge.flags": claim.flags,
      "claimgauge.recommendation": report.recommendation,
      ...(content && { "claimgauge.claim.text": claim.text }),
      ...(content && reasoning && { "claimgauge.reasoning": reasoning }),
    },
  };
}
