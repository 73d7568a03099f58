import { main, more } from "./module.js";
import { asJudge, atLeastOne, checkOptions, judge } from "./options.js";
import { callWithMatches } from "./patterns.js";
import { checkReport } from "./report.js";
import { scrubBy } from "./scrubbed.js";
import { groupOf } from "./verify.js";
import type {
  Decision,
  DecideRequest,
  Estimate,
  EstimateOptions,
  Preset,
  Profile,
  Reading,
  Report,
  Scrubbed,
  ScrubRequest,
  VerifyRequest,
} from "./types.js";

/** The version of the package and of every report that it makes. */
export const version = "0.1.0";

/** Takes identifiers out of evidence: those that the claims name, and those of the profile's kinds. */
export function scrub(request: ScrubRequest): Scrubbed {
  return callWithMatches((module, matches) => scrubBy(module, request, matches));
}

/**
 * Puts identifiers back. The scrubbed text of a span (of `span`, where two read alike) becomes the
 * original again; in any other text each placeholder becomes the first form that it stood for.
 *
 * @throws ClaimgaugeError `too_large` where such a text would be longer than 64 MiB with its names.
 */
export function unscrub(text: string, scrubbed: Scrubbed, span?: string | null): string {
  return main.call((module) => module.unscrub(text, scrubbed, span));
}

/** The status of a claim of which the two passes gave these judgements. */
export function decide(request: DecideRequest): Decision {
  return main.call((module) => module.decide(request)) as Decision;
}

/**
 * What `verify` would ask, before anything is asked or paid for: how many requests, about how many
 * tokens, and every word. Replies that cannot be read are asked again, which is not in it.
 */
export function estimate(request: VerifyRequest, options: EstimateOptions = {}): Estimate {
  checkOptions(options, { judge, group: atLeastOne });
  const asked = options.judge ? asJudge(options.judge) : null;
  const each = asked?.calls ?? 1;
  const group = groupOf(asked, options.group);
  const one = callWithMatches<Estimate>((module, matches) => module.estimate(request, group, matches));
  return { ...one, calls: one.calls * each, promptTokens: one.promptTokens * each };
}

/** Reads a judge's reply: a judgement, none, or an ambiguous one. Never a default. */
export function readReply(text: string): Reading {
  return main.call((module) => module.readReply(text)) as Reading;
}

/** A report as Markdown, for people and pull requests. */
export function toMarkdown(report: Report): string {
  const markdown = more.call((module) => module.toMarkdown(report));
  // It looks at what it prints.
  checkReport(report);
  return markdown;
}

/** The built-in profiles. */
export function profiles(): Profile[] {
  return more.call((module) => module.profiles()) as Profile[];
}

/** The profile that a request means, with its thresholds; what comes of it is the core's to say. */
export function profileOf({ profile, thresholds }: Pick<VerifyRequest, "profile" | "thresholds">): Profile {
  return more.call((module) => module.profile({ profile, thresholds: thresholds ?? null })) as Profile;
}

/** Profiles and triggers for known uses. */
export function presets(): Preset[] {
  return more.call((module) => module.presets()) as Preset[];
}
