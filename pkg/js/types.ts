/** The name of a built-in profile. */
export type ProfileName = "strawberry" | "code" | "documentation" | "data" | "security";

/** A kind of identifier: the word of its placeholder, as in `[TABLE_1]`. */
export type Kind =
  | "ALGO" | "ATTACK" | "CLASS" | "CMD" | "COL" | "CONFIG" | "CONSTRAINT" | "CVE" | "DATE" | "DB"
  | "DTYPE" | "ENDPOINT" | "FIELD" | "FUNC" | "ID" | "INDEX" | "KEY" | "LINE" | "METHOD" | "MODULE"
  | "NUM" | "PARAM" | "PATH" | "PERM" | "PKG" | "ROLE" | "SCHEMA" | "SECRET" | "STR" | "TABLE"
  | "TYPE" | "URL" | "VALUE" | "VAR" | "VERSION" | "VULN";

/** A kind as results name it: one of these, or the caller's own. */
export type KindName = Kind | (string & {});

/**
 * A kind with patterns that show its names. They are regular expressions in the syntax of the `regex` crate:
 * without look-around and back-references, so that they run in linear time. Where a pattern has a group called
 * `name`, what it holds is the name: `ticket (?<name>\d+)`.
 */
export interface KindPatterns {
  /** The word of its placeholders: capital letters, digits and underscores, at most 24. */
  kind: KindName;
  /** At most 64 in all, of at most 1,000 bytes. A kind without any is there for a glossary. */
  patterns?: string[] | null | undefined;
}

/** What the scrubbed pass is shown. */
export type Mode = "identifiers" | "redact_spans" | "no_evidence";

/** When claims are verified. */
export type Trigger = "always" | "manual" | "on_conflict" | "on_critical_claim" | "on_medium_confidence";

export type Verdict = "ENTAILED" | "CONTRADICTED" | "UNSURE";

/** Where a confidence came from. */
export type Basis = "verbal" | "logprob" | "sampled" | "builtin" | "recorded";

export type Status = "VERIFIED" | "PLAUSIBLE" | "SUSPICIOUS" | "UNSUPPORTED" | "INCONCLUSIVE";

export type Recommendation = "PROCEED" | "PROCEED_WITH_WARNINGS" | "GATHER_MORE_EVIDENCE" | "STOP";

/** What a reader should know beside the status. */
export type Flag =
  | "judge_failed" | "mixed_basis" | "no_confidence" | "conflict" | "both_low" | "needs_more_evidence"
  | "anomalous" | "scrubbed_unsure" | "prior_leak" | "redacted_spans" | "leak" | "secret_in_claim"
  | "ungrounded" | "rival_value" | "instruction_like" | "unknown_citation" | "cancelled" | "capped"
  | "stopped";

/** The row of the status table that decided; `not_judged` where the claim was never judged. */
export type Rule =
  | "pass_failed" | "contradicted" | "no_confidence" | "scrubbed_contradicted" | "both_low"
  | "both_unsure" | "full_unsure" | "full_low" | "scrubbed_unsure" | "delta_small" | "delta_large"
  | "delta_medium" | "not_judged";

/** A sign of confabulation. */
export type Indicator = "obvious_without_evidence" | "scrubbed_as_good" | "names_add_nothing" | "generic_pattern";

export type SkipReason =
  | "cached" | "exploratory" | "high_confidence" | "low_confidence" | "no_conflict" | "not_critical"
  | "time_sensitive";

/** The least full confidence and the least delta, each in [0, 1]. */
export interface Minimum {
  full: number;
  delta: number;
}

export interface Thresholds {
  verified: Minimum;
  plausible: Minimum;
}

/** What is left out is inherited from the profile. */
export interface ThresholdsInput {
  verified?: Partial<Minimum> | null | undefined;
  plausible?: Partial<Minimum> | null | undefined;
}

export interface Profile {
  name: string;
  kinds: Kind[];
  thresholds: Thresholds;
  /** The trigger of an opt-in that names none. */
  trigger: Trigger;
}

/** A profile of the caller's own; what it leaves out is inherited. */
export interface CustomProfile {
  extends: ProfileName;
  /** What reports call it; "custom" where absent. */
  name?: string | null | undefined;
  kinds?: (Kind | KindPatterns)[] | null | undefined;
  thresholds?: ThresholdsInput | null | undefined;
  trigger?: Trigger | null | undefined;
}

/** A profile and trigger for a known use. */
export interface Preset {
  name: string;
  profile: ProfileName;
  trigger: Trigger;
}

/** One piece of evidence. */
export interface Span {
  id: string;
  text: string;
  source: string | null;
}

/** A span as a request gives it: its text alone, or with an id ("S0", "S1", … where absent) and a source. */
export type SpanInput = string | { id?: string | null | undefined; text: string; source?: string | null | undefined };

/** A claim as a request gives it: one falsifiable sentence, or with more. */
export type ClaimInput =
  | string
  | {
      /** "C0", "C1", … where absent. */
      id?: string | null | undefined;
      text: string;
      /** Ids of the spans that it rests on; all where absent. */
      cites?: string[] | null | undefined;
      /** Whether it matters enough for the trigger `on_critical_claim`. */
      critical?: boolean | null | undefined;
      /** How sure the author is, in [0, 1]. */
      confidence?: number | null | undefined;
    };

/** Names that the caller says are identifiers, by kind; one of the caller's own stands among the `kinds`. */
export type Glossary = { [kind in KindName]?: string[] };

/** How the open rows of the status table are read. */
export interface Policy {
  on_conflict?: "unsupported" | "suspicious" | null | undefined;
  on_unsure?: "plausible" | "unsupported" | null | undefined;
  on_ungrounded?: "warn" | "cap" | null | undefined;
}

export interface ScrubRequest {
  profile: ProfileName | CustomProfile;
  evidence: SpanInput[];
  claims?: ClaimInput[] | null | undefined;
  /** Kinds instead of the profile's. Those with patterns need `await loadPatterns()` before. */
  kinds?: (Kind | KindPatterns)[] | null | undefined;
  glossary?: Glossary | null | undefined;
  /** `identifiers` where absent. */
  mode?: Mode | null | undefined;
  /** Whether secrets are taken out too; true where absent. */
  hideSecrets?: boolean | null | undefined;
  /** An earlier scrub: names keep their placeholders, new ones get the next numbers. */
  previous?: Scrubbed | null | undefined;
  /** Whether every replaced stretch is listed; true where absent. */
  replacements?: boolean | null | undefined;
}

export interface Scrubbed {
  mode: Mode;
  spans: Span[];
  replacements: Replacement[];
  leaks: Leak[];
  removed: Removed[];
}

/** One replaced stretch; `start` and `end` are offsets in the original, in UTF-16 units. */
export interface Replacement {
  span: string;
  field: "text" | "source";
  start: number;
  end: number;
  kind: KindName;
  placeholder: string;
  text: string;
  why: "claim" | "glossary" | "structure" | "shape" | "secret";
}

/** A token of a claim that survived in the scrubbed evidence. */
export interface Leak {
  claim: string;
  term: string;
  span: string;
  level: "whole" | "form" | "part" | "derived";
}

/** How many of a claim's terms the scrub took out. */
export interface Removed {
  claim: string;
  gone: number;
  of: number;
}

export interface Judgement {
  verdict: Verdict;
  /** In [0, 1]; null where the judge gave no number. */
  confidence?: number | null | undefined;
  reasoning?: string | null | undefined;
  /** `verbal` where absent. */
  basis?: Basis | null | undefined;
}

export interface DecideRequest {
  profile: ProfileName | CustomProfile;
  /** What the scrubbed pass gave; null where it failed. */
  scrubbed: Judgement | null;
  /** What the full pass gave; null where it failed. */
  full: Judgement | null;
  policy?: Policy | null | undefined;
  thresholds?: ThresholdsInput | null | undefined;
}

export interface Decision {
  status: Status;
  /** Full minus scrubbed confidence, in [-1, 1]; null where no delta can be formed. */
  delta: number | null;
  flags: Flag[];
  rule: Rule;
  /** One sentence, with the numbers. */
  why: string;
  /** What to do. */
  action: string;
}

/** What a reply says. All but `kind` and `revised` are null unless `kind` is `judgement`. */
export interface Reading {
  kind: "judgement" | "none" | "ambiguous";
  verdict: Verdict | null;
  confidence: number | null;
  reasoning: string | null;
  /** Whether an earlier object in the reply disagreed. */
  revised: boolean;
}

export interface VerifyRequest {
  profile: ProfileName | CustomProfile;
  evidence: SpanInput[];
  claims: ClaimInput[];
  thresholds?: ThresholdsInput | null | undefined;
  kinds?: (Kind | KindPatterns)[] | null | undefined;
  glossary?: Glossary | null | undefined;
  /** Which nulls are asked; the first decides the status. `["identifiers"]` where absent. */
  nulls?: Mode[] | null | undefined;
  /** `both` where absent; `as_needed` asks the scrubbed pass only where it can change the status. */
  passes?: "both" | "as_needed" | null | undefined;
  /** Whether secrets are hidden in both passes; true where absent. */
  hideSecrets?: boolean | null | undefined;
  policy?: Policy | null | undefined;
  /** Whether the caller can get more evidence. */
  moreEvidence?: boolean | null | undefined;
  /** Which claims are verified at all; every one where absent. */
  trigger?: Trigger | null | undefined;
  /** What the trigger looks at beside the claims. */
  context?: {
    confidence?: number | null | undefined;
    conflict?: boolean | null | undefined;
    cached?: boolean | null | undefined;
    exploratory?: boolean | null | undefined;
    timeSensitive?: boolean | null | undefined;
  } | null | undefined;
}

export interface Report {
  profile: string;
  trigger: Trigger;
  recommendation: Recommendation;
  rationale: string;
  /** How many claims of each status. */
  summary: {
    claims: number;
    verified: number;
    plausible: number;
    suspicious: number;
    unsupported: number;
    inconclusive: number;
    skipped: number;
  };
  claims: Finding[];
  skipped: { claim: string; reason: SkipReason }[];
  evidence: Span[];
  scrub: Scrubbed;
  cost: { calls: number; promptTokens: number; completionTokens: number };
  version: string;
}

export interface Finding extends Decision {
  id: string;
  text: string;
  /** Null where the pass was not asked. */
  scrubbed: Pass | null;
  /** Null where the pass was not asked. */
  full: Pass | null;
  /** How many of the claim's terms the scrub took out. */
  removed: { gone: number; of: number };
  indicators: Indicator[];
  /** The second opinion, whatever the judge: the claim's numbers, names and quotes. */
  atoms: Atom[];
  /** The nulls beside the one that decided. */
  nulls: { mode: Mode; pass: Pass; delta: number | null }[];
}

/** What a claim can be held to. */
export interface Atom {
  /** As the claim spells it, a number with its unit. */
  text: string;
  kind: AtomKind;
  /** Whether the full evidence holds it, in any form. */
  grounded: boolean;
  /** The id of the span that does. */
  span: string | null;
  /** The value that the evidence has in the place that the claim names, where that is another one. */
  rival: string | null;
}

export type AtomKind = "date" | "identifier" | "name" | "number" | "path" | "quote" | "version";

/** What came of one pass. */
export interface Pass {
  /** Null where the pass failed. */
  verdict: Verdict | null;
  /** In [0, 1]. */
  confidence: number | null;
  basis: Basis | null;
  /** P(ENTAILED), in [0, 1]. */
  support: number | null;
  reasoning: string | null;
  attempts: number;
  /** Every reply, as it came. */
  raw: string[];
  /** Why the pass failed. */
  error: Failure | null;
}

/** Why a judge gave no answer. */
export interface Failure {
  code: string;
  message: string;
  /** The setting at fault, such as `apiKey`. */
  path: string | null;
  hint: string | null;
}

/** Whatever answers a pass. */
export interface Judge {
  /** What it is called, model included. */
  name: string;
  /** Where its confidences come from, unless an answer says otherwise. */
  basis: Basis;
  /** How many requests it makes for one question; 1 where absent. */
  calls?: number | null | undefined;
  /** Whether it answers about one claim at a time only, whatever `group` says. */
  single?: boolean | null | undefined;
  /**
   * What its answers depend on beside the messages: address, model, temperature. A judge that says so is
   * asked only once about the same messages, and its answers can be kept in a cache.
   */
  parameters?: object | null | undefined;
  /** Answers, or throws: then the pass has failed. A `JudgeError` says more about why. */
  judge(request: JudgeRequest, options: { signal: AbortSignal }): JudgeReply | Promise<JudgeReply>;
}

/** A judge as a plain function; its basis is `verbal`. */
export type JudgeFunction = (
  request: JudgeRequest,
  options: { signal: AbortSignal },
) => JudgeReply | Promise<JudgeReply>;

/** The text alone, or with what the provider says of it. */
export type JudgeReply = string | JudgeAnswer;

/** One question. */
export interface JudgeRequest {
  id: string;
  /** The claim's id; the first one's where there are several. */
  claim: string;
  pass: "scrubbed" | "full" | "null";
  /** What the evidence was made into; null for the full pass. */
  mode: Mode | null;
  /** 1 for the full prompt, 2 and 3 for the simplified one. */
  attempt: number;
  messages: { role: "system" | "user"; content: string }[];
  /** About how many tokens the messages have. */
  promptTokens: number;
  /** The JSON schema that the reply must fit; null with the simplified prompt. */
  schema: object | null;
  /** The evidence of this pass. */
  spans: Span[];
  /** The claim; the first one where there are several. */
  claimText: string;
  /** Every claim that is asked about: more than one only where `group` asks for it. */
  claims: { id: string; text: string }[];
}

/** What a provider counted. */
export interface Usage {
  promptTokens?: number | null | undefined;
  completionTokens?: number | null | undefined;
}

export interface JudgeAnswer {
  /** The reply, as it came. */
  text: string;
  /** Where this reply's confidence comes from; the judge's basis where absent. */
  basis?: Basis | null | undefined;
  /** Whether the provider says that the reply was cut by length. */
  cut?: boolean | null | undefined;
  /** The reply's tokens with their probabilities: then the confidence is the verdict's probability. */
  logprobs?: TokenLogprob[] | null | undefined;
  usage?: Usage | null | undefined;
  /**
   * Several replies to the question, which are read instead of `text`: the verdict of most, a tie being
   * UNSURE, with the median of their confidences.
   */
  samples?: { text: string; cut?: boolean | null | undefined; usage?: Usage | null | undefined }[] | null | undefined;
  /** Whether it was known already, and so cost nothing. */
  cached?: boolean | null | undefined;
}

/** Keeps answers by key; a `Map` is one. What fails in it costs a question, never a run. */
export interface Cache {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  set(key: string, answer: string): unknown;
}

/** One token of a reply, its natural log probability, and the likeliest tokens at its place. */
export interface TokenLogprob {
  token: string;
  logprob: number;
  top: { token: string; logprob: number }[];
}

/** Passes that are answered or failed for good, and passes in all as far as is known. */
export interface Progress {
  done: number;
  total: number;
}

export interface VerifyOptions {
  /**
   * Whom to ask. When five questions in a row fail on the way there, or three get no answer in time, the run
   * stops: claims that are left are INCONCLUSIVE with the flag `stopped`.
   */
  judge: Judge | JudgeFunction;
  /** Cancels: `verify` resolves with what is done, at once or, in the midst of a long computation, behind its next step. */
  signal?: AbortSignal | null | undefined;
  /** What it throws ends the run, which rejects with the code `callback_failed`. */
  onProgress?: ((progress: Progress) => void) | null | undefined;
  /** How many questions are open at a time; 4 where absent. */
  concurrency?: number | null | undefined;
  /**
   * How many claims that rest on the same spans are asked about in one request each pass, up to 64; 1 where
   * absent. It saves most of the tokens; a claim that such a reply leaves out is asked about alone.
   */
  group?: number | null | undefined;
  /**
   * Where answers are looked for and kept, for judges with `parameters`. Failures and replies without a
   * verdict are never kept.
   */
  cache?: Cache | null | undefined;
  /** When one is reached, claims that are left are INCONCLUSIVE with the flag `capped`. */
  limits?: {
    /** Most requests to the judge. */
    maxCalls?: number | null | undefined;
    /** Most tokens that the judge reads: as it counts them, before that as they are likely. */
    maxPromptTokens?: number | null | undefined;
  } | null | undefined;
}

export interface EstimateOptions {
  /** Who would be asked: some ask more than once. */
  judge?: Judge | JudgeFunction | null | undefined;
  /** As `verify` would be told. */
  group?: number | null | undefined;
}

/** What a verification would ask. */
export interface Estimate {
  /** How many requests. */
  calls: number;
  /** About how many tokens they hold together. */
  promptTokens: number;
  /**
   * How far the true count of ordinary text may be from it, as a share of it. Encoded bytes, and scripts
   * that a model's tokeniser was not made for, may have twice as many and more.
   */
  tokenError: number;
  /** What would be asked, each question once, in order. */
  requests: {
    /** The ids of the claims that it is about. */
    claims: string[];
    pass: JudgeRequest["pass"];
    mode: Mode | null;
    promptTokens: number;
    messages: JudgeRequest["messages"];
  }[];
}
