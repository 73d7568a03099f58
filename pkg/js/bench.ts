import { Lines } from "./cli/lines.js";
import { ClaimgaugeError } from "./error.js";
import { checks } from "./module.js";
import { telling } from "./options.js";
import type { Minimum, Report, SpanInput, Status, VerifyOptions, VerifyRequest } from "./types.js";
import { budgetOf, verifyWithin } from "./verify.js";

/** A claim with its evidence, and whether that supports it. What else it has may tell kinds of claims apart. */
export interface LabelledClaim {
  id?: string;
  claim: string;
  evidence: SpanInput[];
  label: 0 | 1 | boolean;
  [more: string]: unknown;
}

/** A share with its 95 % interval. */
export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** What labelled claims tell about a judge. */
export interface Calibration {
  supported: number;
  unsupported: number;
  /** For the full pass alone, for the delta that decided, and for each other null. */
  scores: { of: string; claims: number; auroc: Interval | null; balancedAccuracy: Interval | null }[];
  statuses: { status: Status; supported: number; unsupported: number }[];
  /** Thresholds that tell these claims apart best; null where all have one label. */
  fitted: { verified: Minimum; plausible: Minimum } | null;
}

export interface BenchOptions extends VerifyOptions {
  /** Told how many claims are judged. */
  onClaim?: (done: number) => void;
}

/** So many claims in a row that the judge cannot be asked about end a run. */
const MOST_LOST = 3;

/**
 * Judges labelled claims, each on its own evidence, and counts how well verdicts and deltas tell the
 * labels. Limits are those of the whole run. A claim that the run did not come to, or of which a question
 * was lost on the way to the judge, is not counted.
 */
export async function bench(
  cases: LabelledClaim[],
  request: Omit<VerifyRequest, "evidence" | "claims">,
  { onClaim, concurrency, ...options }: BenchOptions,
): Promise<Calibration> {
  const reports = new Map<LabelledClaim, Report>();
  // Shared, so that each case is taken once.
  const left = cases.values();
  let ended = false;
  let lost = 0;
  const budget = budgetOf(options);
  const work = async () => {
    for (const next of left) {
      if (ended) return;
      const { claim, evidence } = next;
      const report = await verifyWithin({ ...request, evidence, claims: [claim] }, { ...options, concurrency: 2 }, budget);
      const flags = report.claims.flatMap((one) => one.flags);
      // What ends one run would end each that follows.
      ended ||= flags.includes("stopped") || flags.includes("cancelled") || options.signal?.aborted === true;
      // What is left cannot be paid, but may be known.
      const isDear = flags.includes("capped");
      ended ||= isDear && !options.cache;
      lost = isLost(report) ? lost + 1 : 0;
      if (!ended && !isDear && lost === 0) reports.set(next, report);
      ended ||= lost >= MOST_LOST;
      telling(onClaim, () => reports.size, "onClaim");
    }
  };
  await checks.load();
  // Two questions are open for each claim.
  const workers = Math.min(Math.ceil((concurrency ?? 4) / 2), cases.length);
  await Promise.all(Array.from({ length: workers }, work));
  const claims = [...reports].flatMap(([{ label }, report]) => report.claims.map((one) => labelled(label, one)));
  const { profile, thresholds } = request;
  return checks.call((module) => module.calibrate({ profile, thresholds: thresholds ?? null, claims })) as Calibration;
}

/** Whether a question never reached the judge, or its answer never came back. */
function isLost({ claims }: Report): boolean {
  const passes = claims.flatMap(({ full, scrubbed, nulls }) => [full, scrubbed, ...nulls.map(({ pass }) => pass)]);
  return passes.some((pass) => pass?.error && checks.call((module) => module.isOnTheWay(pass.error?.code ?? "")));
}

function labelled(label: LabelledClaim["label"], { status, full, delta, scrubbed, nulls }: Report["claims"][number]): object {
  const seen = full?.verdict ? { verdict: full.verdict, confidence: full.confidence, support: full.support } : null;
  const others = nulls.map(({ mode, delta, pass }) => ({ mode, delta, support: pass.support }));
  return { supported: Boolean(label), status, full: seen, delta, scrubbed: scrubbed?.support ?? null, nulls: others };
}

/**
 * So many of the cases that each kind has its share, evenly over the file; `kind` gives what tells kinds
 * apart. The same every time.
 */
export function stratified(cases: LabelledClaim[], count: number, kind: (one: LabelledClaim) => string): LabelledClaim[] {
  const kinds = new Map<string, LabelledClaim[]>();
  for (const one of cases) {
    const same = kinds.get(kind(one));
    if (same === undefined) kinds.set(kind(one), [one]);
    else same.push(one);
  }
  const sorted = [...kinds.keys()].sort().flatMap((name) => kinds.get(name) ?? []);
  const step = sorted.length / Math.min(count, sorted.length);
  const chosen = new Set<LabelledClaim>();
  for (let at = step / 2; at < sorted.length; at += step) chosen.add(sorted[Math.floor(at)] as LabelledClaim);
  return cases.filter((one) => chosen.has(one));
}

/** The cases of a JSONL text; an error names the line. */
export function parseCases(text: string): LabelledClaim[] {
  const cases: LabelledClaim[] = [];
  for (const { line, number } of new Lines(text)) cases.push(parseCase(line, number));
  return cases;
}

function parseCase(line: string, number: number): LabelledClaim {
  const refuse = (message: string) => {
    const hint = 'A line is { "claim": "…", "evidence": ["…"], "label": 1 }: 1 where the evidence supports the claim, else 0.';
    return new ClaimgaugeError({ code: "invalid_value", message, path: `line ${number}`, hint });
  };
  let one: LabelledClaim;
  try {
    one = JSON.parse(line) as LabelledClaim;
  } catch {
    throw refuse("Expected an object as JSON");
  }
  const fits = typeof one?.claim === "string" && Array.isArray(one.evidence) && [0, 1, true, false].includes(one.label);
  if (!fits) throw refuse("Expected claim, evidence and label");
  return one;
}

const NAMES: Record<string, string> = { full: "full pass alone", delta: "delta" };

/** The calibration as a table of Markdown. */
export function table({ supported, unsupported, scores, statuses, fitted }: Calibration): string {
  const share = (one: Interval | null) =>
    one === null ? "n/a" : `${one.value.toFixed(3)} (${one.low.toFixed(3)} to ${one.high.toFixed(3)})`;
  const name = (of: string) => NAMES[of] ?? `delta, ${of}`;
  const minimum = ({ full, delta }: Minimum) => `full ${full.toFixed(2)}, delta ${delta.toFixed(2)}`;
  return [
    `${supported} ${supported === 1 ? "claim" : "claims"} that the evidence supports, ${unsupported} that it does not.`,
    "",
    "| | Claims | AUROC (95 % interval) | Balanced accuracy (95 % interval) |",
    "| --- | ---: | --- | --- |",
    ...scores.map(({ of, claims, auroc, balancedAccuracy }) => `| ${name(of)} | ${claims} | ${share(auroc)} | ${share(balancedAccuracy)} |`),
    "",
    "| Status | Supported | Not supported |",
    "| --- | ---: | ---: |",
    ...statuses.map((one) => `| ${one.status} | ${one.supported} | ${one.unsupported} |`),
    "",
    fitted === null
      ? "One label alone: no thresholds can be fitted."
      : `Thresholds that fit these claims: VERIFIED ${minimum(fitted.verified)}; PLAUSIBLE ${minimum(fitted.plausible)}.`,
    "",
  ].join("\n");
}
