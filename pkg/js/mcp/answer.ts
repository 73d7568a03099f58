// What the tools answer: what to do first, then as much of the rest as fits.
import type { CheckResult } from "../output/types.js";
import type { Report, Scrubbed } from "../types.js";
import { STATUSES } from "../report.js";

/** Most bytes of an answer: a model reads all of it. */
export const MOST_ANSWER = 20_000;

/** What is given to the host, as data and as text. */
export interface ToolResult {
  [key: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
}

export function resultOf(answer: object): ToolResult {
  return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer as Record<string, unknown> };
}

export function sizeOf(answer: object): number {
  return Buffer.byteLength(JSON.stringify(resultOf(answer)));
}

/** Lists of which an answer holds as much as fits, what matters most first. */
type Lists = Record<string, unknown[]>;

/** The answer with as many entries of each list as fit; an earlier list takes its room before a later one. */
function fitting<L extends Lists, T extends object>(lists: L, make: (kept: L, omitted: number) => T): T {
  const kept = Object.fromEntries(Object.keys(lists).map((name) => [name, []])) as Lists;
  let omitted = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
  const made = () => make(kept as L, omitted);
  for (const [name, list] of Object.entries(lists)) {
    const all = omitted;
    const keep = (count: number) => {
      kept[name] = list.slice(0, count);
      omitted = all - count;
    };
    let [fits, tooMany] = [0, list.length + 1];
    while (tooMany - fits > 1) {
      const count = Math.floor((fits + tooMany) / 2);
      keep(count);
      if (sizeOf(made()) < MOST_ANSWER) fits = count;
      else tooMany = count;
    }
    keep(fits);
  }
  return made();
}

/** The beginning of a text in so many bytes of JSON. */
export function short(text: string, most: number): string {
  const bytes = (part: string) => Buffer.byteLength(JSON.stringify(part)) - 2;
  // No character takes less than a byte.
  if (text.length <= most && bytes(text) <= most) return text;
  let left = most - bytes("…");
  let end = 0;
  for (const character of text.slice(0, most)) {
    left -= bytes(character);
    if (left < 0) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

/** The worst claims come first: when not all fit, those must be seen. `more` stands in the answer, too. */
export function ofReport(report: Report, whole: boolean, more: object = {}): object {
  const sorted = [...report.claims].sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));
  const claims = sorted.map(({ id, status, text, why, action, delta, flags, atoms }) => ({
    id: short(id, 60),
    status,
    text: short(text, 200),
    why: short(why, 300),
    action,
    delta,
    flags,
    missing: atoms.filter(({ grounded }) => !grounded).slice(0, 5).map((atom) => short(atom.text, 60)),
  }));
  const make = ({ claims: kept }: { claims: typeof claims }, omitted: number) => ({
    verdict: sorted[0]?.status ?? "NOTHING_JUDGED",
    recommendation: report.recommendation,
    rationale: short(report.rationale, 800),
    summary: report.summary,
    claims: kept,
    omitted,
    ...more,
  });
  return whole ? { ...make({ claims }, 0), report } : fitting({ claims }, make);
}

export function ofScrub({ mode, spans, leaks, removed }: Scrubbed, whole: boolean): object {
  if (whole) return { mode, leaks, spans, removed, omitted: 0 };
  const told = {
    leaks: leaks.slice(0, MOST_BESIDE).map(({ claim, term, span, level }) => ({ claim: short(claim, 60), term: short(term, 60), span: short(span, 60), level })),
    // Of these nothing was taken out: that must be seen before what is left of the others.
    removed: [...removed].sort((a, b) => a.gone - b.gone).slice(0, MOST_BESIDE).map((one) => ({ ...one, claim: short(one.claim, 60) })),
    spans: spans.map(({ id, text, source }) => ({ id: short(id, 60), text: short(text, 4000), source: source && short(source, 120) })),
  };
  const untold = leaks.length - told.leaks.length + removed.length - told.removed.length;
  return fitting(told, (kept, omitted) => ({ mode, ...kept, omitted: omitted + untold }));
}

/** Most entries of a list that stands beside the one that was asked for. */
const MOST_BESIDE = 10;

const OUTCOMES = ["failed", "inconclusive", "trusted", "superseded", "passed"];

export function ofCheck(result: CheckResult, whole: boolean): object {
  const results = result.filesystemValidation?.claimResults ?? [];
  const claims = [...results]
    .sort((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome))
    .map(({ index, claim, outcome, reason, hint }) => {
      const about = "filePath" in claim ? claim.filePath : claim.command;
      return { index, kind: claim.kind, about: short(about, 200), outcome, reason: reason && short(reason, 300), hint: hint && short(hint, 300) };
    });
  const told = {
    errors: result.errors.slice(0, MOST_BESIDE).map((error) => short(error, 200)),
    claims,
    unclaimed: result.unclaimed.slice(0, MOST_BESIDE).map((path) => short(path, 200)),
  };
  const untold = result.errors.length - told.errors.length + result.unclaimed.length - told.unclaimed.length;
  const make = ({ errors, claims, unclaimed }: typeof told, omitted: number) => ({
    verdict: result.valid ? "VALID" : "INVALID",
    recommendation: adviceOn(result),
    level: result.level,
    errors,
    claims,
    unclaimed,
    claimless: result.claimless,
    omitted: omitted + untold,
  });
  return whole ? { ...make(told, 0), result } : fitting(told, make);
}

/** What nobody looked at is no reason to go on. */
function adviceOn({ valid, filesystemValidation }: CheckResult): "GATHER_MORE_EVIDENCE" | "PROCEED" | "STOP" {
  if (!valid) return "STOP";
  const outcomes = (filesystemValidation?.claimResults ?? []).map(({ outcome }) => outcome);
  return outcomes.includes("passed") && !outcomes.includes("inconclusive") ? "PROCEED" : "GATHER_MORE_EVIDENCE";
}
