// The tools: what a host is told of each, and what it does. Nothing here knows the protocol.
import { checkOutput } from "../output/index.js";
import { loadAndCall } from "../patterns.js";
import { array, flag, object, requiredText } from "../options.js";
import { scrubBy } from "../scrubbed.js";
import type { CheckOptions } from "../output/types.js";
import type { Progress, Scrubbed, VerifyOptions, VerifyRequest } from "../types.js";
import { verify } from "../verify.js";
import { ofCheck, ofReport, ofScrub } from "./answer.js";
import { anything, checked, profileName, something, withFiles, type Arguments } from "./arguments.js";
import { Runs, type HostRun } from "./passes.js";

/** What is fixed when the server starts. */
export interface Fixed {
  /** The folder below which files may be looked at; none where absent. */
  root: string | undefined;
  /** Whom verify_claims asks, and how. */
  asking: Omit<VerifyOptions, "signal" | "onProgress">;
}

/** What a call has besides its arguments. */
export interface Call {
  signal: AbortSignal;
  onProgress(progress: Progress): void;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; properties: object; [keyword: string]: unknown };
  outputSchema: { type: "object"; [keyword: string]: unknown };
  annotations: { readOnlyHint: boolean; openWorldHint: boolean };
  call(given: unknown, call: Call): Promise<object>;
}

const TEXT = { type: "string" };
const WHOLE = { type: "boolean", description: "Give the whole result, however long" };
const EVIDENCE = {
  type: "array",
  description: "What claims may rest on: texts, or files below the server's root",
  items: {
    anyOf: [
      TEXT,
      {
        type: "object",
        properties: { id: TEXT, text: TEXT, file: { type: "string", description: "a path below the root, instead of a text" }, source: TEXT },
        additionalProperties: false,
      },
    ],
  },
};
const CLAIMS = {
  type: "array",
  description: "One falsifiable sentence each; cites are the ids of the spans that it rests on (S0, S1, … where they have none)",
  items: {
    anyOf: [
      TEXT,
      {
        type: "object",
        properties: { id: TEXT, text: TEXT, cites: { type: "array", items: TEXT }, critical: { type: "boolean" }, confidence: { type: "number" } },
        required: ["text"],
        additionalProperties: false,
      },
    ],
  },
};
const REQUEST = {
  claims: CLAIMS,
  evidence: EVIDENCE,
  profile: { type: "string", enum: ["strawberry", "code", "documentation", "data", "security"], description: "which names are taken out; strawberry where absent" },
  glossary: { type: "object", description: 'names that are identifiers, by kind: { "TABLE": ["users"] }', additionalProperties: { type: "array", items: TEXT } },
};
const POLICY = { type: "object", description: 'on_ungrounded: "cap" keeps a claim whose numbers or names are missing from being VERIFIED' };

const NUMBER_OR_NULL = { type: ["number", "null"] };
const FINDINGS = {
  verdict: { type: "string", description: "the worst status of a claim" },
  recommendation: TEXT,
  rationale: TEXT,
  summary: { type: "object" },
  claims: {
    type: "array",
    items: {
      type: "object",
      properties: { id: TEXT, status: TEXT, text: TEXT, why: TEXT, action: TEXT, delta: NUMBER_OR_NULL, flags: { type: "array", items: TEXT }, missing: { type: "array", items: TEXT } },
      required: ["id", "status", "text", "why", "action", "delta", "flags", "missing"],
    },
  },
  omitted: { type: "integer", description: "claims for which there was no room" },
  report: { type: "object" },
};
const PASSES = {
  done: { type: "boolean" },
  run: TEXT,
  left: { type: "integer", description: "passes that are not answered yet" },
  rules: { type: "string", description: "holds for each pass that has none of its own" },
  passes: {
    type: "array",
    items: { type: "object", properties: { id: TEXT, prompt: TEXT, rules: TEXT }, required: ["id", "prompt"] },
  },
};

const request = { claims: something, evidence: something, profile: profileName, glossary: object };
const LISTS = ["claims", "evidence", "glossary", "policy", "answers", "output", "trace", "toolKinds"];

export function toolsOf({ root, asking }: Fixed): { tools: Tool[]; close(): void } {
  const runs = new Runs();
  const requestOf = async ({ profile, claims, evidence, glossary, policy }: Arguments) =>
    ({
      profile: profile ?? "strawberry",
      evidence: await withFiles(evidence, root),
      claims: claims ?? [],
      glossary: glossary ?? null,
      ...(policy !== undefined && { policy }),
    }) as VerifyRequest;
  const stateOf = (id: string, run: HostRun, whole: boolean) => {
    if (run.report !== undefined) return ofReport(run.report, whole, { done: true, run: id });
    const state = { done: false, run: id };
    return { ...state, ...run.next(state) };
  };

  const tools: Tool[] = [
    {
      name: "verify_claims",
      title: "Verify claims",
      description:
        "Says of each claim whether it rests on the evidence: a judge sees it twice, with the evidence's names and without. " +
        "Give claims one by one, and only evidence that was really read. STOP means: do not state it.",
      inputSchema: { type: "object", properties: { ...REQUEST, policy: POLICY, whole: WHOLE }, required: ["claims", "evidence"], additionalProperties: false },
      outputSchema: { type: "object", properties: FINDINGS, required: ["verdict", "recommendation", "claims", "omitted"] },
      annotations: { readOnlyHint: true, openWorldHint: true },
      async call(given, { signal, onProgress }) {
        const { whole, ...args } = checked(given, { ...request, policy: object, whole: flag }, LISTS);
        return ofReport(await verify(await requestOf(args), { ...asking, signal, onProgress }), whole === true);
      },
    },
    {
      name: "scrub_evidence",
      title: "Scrub evidence",
      description: "Shows the evidence without what the claims name and without identifiers of the profile's kinds, and which parts of claims are left in it.",
      inputSchema: { type: "object", properties: { ...REQUEST, whole: WHOLE }, required: ["evidence"], additionalProperties: false },
      outputSchema: {
        type: "object",
        properties: { mode: TEXT, leaks: { type: "array" }, spans: { type: "array" }, removed: { type: "array" }, omitted: { type: "integer" } },
        required: ["leaks", "spans", "removed", "omitted"],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      async call(given) {
        const { whole, ...args } = checked(given, { ...request, claims: anything, whole: flag }, LISTS);
        const asked = await requestOf(args);
        return ofScrub(await loadAndCall<Scrubbed>((module, matches) => scrubBy(module, asked, matches)), whole === true);
      },
    },
    {
      name: "check_output",
      title: "Check what was done",
      description:
        "Holds an account of work, { summary, traceRef, claims }, against its shape and against the files below the server's root. " +
        "Claims are file-write, file-edit, code-inserted, file-delete and command-executed.",
      inputSchema: {
        type: "object",
        properties: {
          output: { type: "object", description: "{ summary, traceRef: \"trace:…\", claims?, artifacts? }" },
          trace: { type: "object", description: "the record of what the tools did" },
          strict: { type: "boolean", description: "the trace must account for every claim" },
          toolKinds: { type: "object", description: 'what tools of the trace do: { "Write": "write", "Bash": "run" }', additionalProperties: TEXT },
          whole: WHOLE,
        },
        required: ["output"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: {
          verdict: { type: "string", enum: ["VALID", "INVALID"] },
          recommendation: { type: "string", enum: ["PROCEED", "GATHER_MORE_EVIDENCE", "STOP"] },
          level: { type: "integer" },
          errors: { type: "array", items: TEXT },
          claims: { type: "array" },
          unclaimed: { type: "array", items: TEXT },
          claimless: { type: "boolean" },
          omitted: { type: "integer", description: "entries of the lists for which there was no room" },
          result: { type: "object" },
        },
        required: ["verdict", "recommendation", "level", "errors", "claims"],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      async call(given, { signal }) {
        const known = { output: anything, trace: object, strict: flag, toolKinds: object, whole: flag };
        const { output, whole, ...options } = checked(given, known, LISTS);
        return ofCheck(await checkOutput(output, { ...(options as CheckOptions), basePath: root ?? null, signal }), whole === true);
      },
    },
    {
      name: "prepare_passes",
      title: "Prepare passes for your own judgement",
      description:
        "For judging claims yourself, without a judge of the server: gives the passes to answer. Answer each from its own prompt alone, " +
        "as if you knew nothing else, best in a context of its own; then hand the answers to judge_passes.",
      inputSchema: { type: "object", properties: { ...REQUEST, policy: POLICY }, required: ["claims", "evidence"], additionalProperties: false },
      outputSchema: { type: "object", properties: { ...PASSES, ...FINDINGS }, required: ["done", "run"] },
      annotations: { readOnlyHint: true, openWorldHint: false },
      async call(given) {
        const { id, run } = await runs.start(await requestOf(checked(given, { ...request, policy: object }, LISTS)));
        return stateOf(id, run, false);
      },
    },
    {
      name: "judge_passes",
      title: "Judge the passes",
      description: "Takes answers to passes. Gives further passes until done is true, and then what to do about the claims.",
      inputSchema: {
        type: "object",
        properties: {
          run: { type: "string", description: "as prepare_passes gave it" },
          answers: {
            type: "array",
            items: {
              type: "object",
              properties: {
                pass: { type: "string", description: "the pass's id" },
                verdict: { type: "string", enum: ["ENTAILED", "CONTRADICTED", "UNSURE"] },
                confidence: { type: "number", minimum: 0, maximum: 1, description: "the probability that the verdict is right" },
                reasoning: TEXT,
              },
              required: ["pass", "verdict", "confidence"],
              additionalProperties: false,
            },
          },
          whole: WHOLE,
        },
        required: ["run", "answers"],
        additionalProperties: false,
      },
      outputSchema: { type: "object", properties: { ...PASSES, ...FINDINGS }, required: ["done", "run"] },
      annotations: { readOnlyHint: true, openWorldHint: false },
      async call(given) {
        const { run: id, answers, whole } = checked(given, { run: requiredText, answers: { ...array, required: true }, whole: flag }, LISTS);
        const run = runs.of(id as string);
        run.take(answers);
        await run.settled();
        return stateOf(id as string, run, whole === true);
      },
    },
  ];
  return { tools, close: () => runs.close() };
}
