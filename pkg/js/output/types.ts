import type { Metrics } from "./metrics.js";

/** What an agent says it did. Unknown keys are left out of the result. */
export interface SpecialistOutput {
  /** In words, at least one character. */
  summary: string;
  /** "trace:" and the id of the trace. */
  traceRef: string;
  claims?: OutputClaim[];
  artifacts?: Artifact[];
}

/** One thing that an agent says it did. */
export type OutputClaim =
  | { kind: "file-write"; filePath: string; /** SHA-256 of the bytes in hex, also with `sha256:`. */ contentHash: string }
  | { kind: "file-edit"; filePath: string; anchor: Anchor; editedRegion?: { start: number; end: number } }
  | { kind: "code-inserted"; filePath: string; anchor: Anchor }
  | { kind: "file-delete"; filePath: string }
  | { kind: "command-executed"; command: string; exitCode: number };

/** What stands around a change. */
export interface Anchor {
  beforeSnippet: Snippet;
  afterSnippet: Snippet;
  /** The hash of what lies between them, or of the whole file; strict mode looks at it. */
  contentHash: string;
}

/** A piece of a file's text, or a long one by its hash (with LF for each CRLF). */
export type Snippet = string | { sha256: string; length: number; head: string; tail: string };

export interface Artifact {
  kind: "code-snippet" | "summary" | "data";
  label: string;
  /** At most 1024 UTF-16 units; in strict mode bytes of UTF-8. */
  content: string;
  contentHash: string;
  sourceTool?: string;
}

/** The record of what an agent's tools did. Further keys are left alone. */
export interface ToolTrace {
  traceId: string;
  specialistId: string;
  invocations: Invocation[];
  sessionId?: string;
  createdAt?: string;
  completedAt?: string;
}

export interface Invocation {
  invocationId: string;
  tool: string;
  purpose: "execution" | "verification";
  status: "success" | "failed" | "timeout" | "error";
  args?: unknown;
  output?: unknown;
  argsHash?: string;
  timestamp?: string;
  evidenceRefs?: unknown[];
  digest?: unknown;
  error?: unknown;
  durationMs?: number;
}

/** What a tool does; `any` is a shell of which every command may account for every claim. */
export type Effect = "write" | "edit" | "delete" | "read" | "run" | "any";

/** A schema as zod (3.24 and newer), valibot, arktype and others give it: https://standardschema.dev */
export interface StandardSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

export interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly StandardIssue[] | undefined;
}

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A JSON Schema of draft 2020-12 or 7, complete in itself, or anything with the Standard Schema interface. */
export type Schema = StandardSchema | boolean | { readonly [keyword: string]: unknown };

export interface CheckOptions {
  /** The folder that claims are about (Node). Without it or `host`, claims about files are inconclusive. */
  basePath?: string | null | undefined;
  /** What looks at files, instead of `basePath`. */
  host?: FileHost | null | undefined;
  /** What the tools did. Without it there is no level 2. */
  trace?: ToolTrace | null | undefined;
  /** Whether the trace must account for every claim, and nothing may be inconclusive. */
  strict?: boolean | null | undefined;
  /** Tools and the schemas of what they give, or references to `schemas`. */
  tools?: { readonly [tool: string]: Schema | string } | null | undefined;
  /** The schemas that references lead to, by `pkg/path#Name`. */
  schemas?: { readonly [reference: string]: Schema } | null | undefined;
  /** Whether JSON Schema's `format` is held against values; else it is an annotation. */
  formats?: boolean | null | undefined;
  /** What tools do, beside `fs:write`, `fs:edit`, `fs:delete`, `fs:read` and `shell:exec`. */
  toolKinds?: { readonly [tool: string]: Effect } | null | undefined;
  /** Whose output it is: in strict mode the trace must be theirs. */
  specialistId?: string | null | undefined;
  /** Which task it was, for the metrics. */
  subtaskId?: string | null | undefined;
  /** Takes one event for each level that ran. */
  metrics?: Metrics | null | undefined;
  /** Cancels: the check rejects with the code `cancelled`. */
  signal?: AbortSignal | null | undefined;
  /** What it throws ends the check, which rejects with the code `callback_failed`. */
  onProgress?: ((progress: CheckProgress) => void) | null | undefined;
  limits?: {
    /** Most bytes of a file that is searched for snippets; 64 MiB where absent. Hashes have no limit. */
    textBytes?: number | null | undefined;
    /** How many files are open at a time; 8 where absent. */
    openFiles?: number | null | undefined;
  } | null | undefined;
}

export interface CheckProgress {
  /** Outputs of tools and files that are settled. */
  done: number;
  total: number;
  /** The large file that is being read; null between files. */
  file: { path: string; bytes: number; size: number } | null;
}

/** The result of all three levels. */
export interface CheckResult {
  valid: boolean;
  /** The level that failed, or 3. */
  level: 1 | 2 | 3;
  structureValidation: {
    valid: boolean;
    /** The output without unknown keys; null where it has not its shape. */
    output: SpecialistOutput | null;
    errors: { path: string; message: string; category: ErrorCategory }[];
  };
  pluginValidation?: {
    valid: boolean;
    checked: number;
    /** Tools without a schema. */
    unregistered: string[];
    errors: { toolName: string; invocationId: string; code: "SCHEMA_VALIDATION_FAILED"; path: string; message: string }[];
  };
  filesystemValidation?: {
    valid: boolean;
    /** One for each claim, in order. */
    claimResults: ClaimResult[];
    /** Files that the output both leaves there and deletes. */
    conflicts: { path: string; claims: number[] }[];
  };
  /** Files that the trace changed and no claim names; in strict mode. */
  unclaimed: string[];
  /** Whether the output claims nothing. */
  claimless: boolean;
  /** The category of the first error. */
  errorCategory?: ErrorCategory;
  /** A headline and a line for each error; empty where the output is valid. */
  errors: string[];
}

export interface ClaimResult {
  index: number;
  claim: OutputClaim;
  outcome: Outcome;
  /** Null where it passed or is trusted. */
  reason: string | null;
  hint: string | null;
  category: ErrorCategory | null;
}

export type Outcome = "passed" | "failed" | "inconclusive" | "superseded" | "trusted";

export type ErrorCategory =
  | "missing_field" | "invalid_type" | "schema_mismatch" | "hash_mismatch" | "anchor_mismatch"
  | "file_not_found" | "filesystem_mismatch" | "unknown";

/** What looks at files. */
export interface FileHost {
  /** The folder's own paths, so that absolute ones can be told; none where absent. */
  base?: Base | null | undefined;
  observe(look: Look, context: LookContext): Observation | Promise<Observation>;
}

export interface Base {
  paths: string[];
  /** Whether paths are read as Windows does. */
  windows: boolean;
}

/** A path to look at, and what about it. */
export interface Look {
  /**
   * Relative to the base, parted by "/"; empty for the base itself. It has ".." only where it must be followed
   * as it is written, because a part before may be a link: ".." goes on from where that leads.
   */
  path: string;
  /**
   * `entry`: whether anything is there, the last link not followed. Else the file behind the links, which
   * must lie inside the base: `hash` its size and SHA-256, `text` its bytes as well, `forms` the hashes
   * of its other forms.
   */
  want: "entry" | "forms" | "hash" | "text";
  /** A file with more bytes is not read for its text: its size alone is the answer. */
  textLimit: number;
}

export interface LookContext {
  signal: AbortSignal;
  /** Tells how far a large file is. */
  onBytes(bytes: number, size: number): void;
}

/** What is at a path. */
export type Observation =
  | { kind: "directory" }
  /** Behind its links the path lies outside the base. */
  | { kind: "escapes" }
  | FileSeen
  /** Asked for the entry: a link. Else: links in a circle. */
  | { kind: "link" }
  | { kind: "missing" }
  /** A device, a FIFO or a socket, which is never opened. */
  | { kind: "special" }
  | { kind: "unreadable"; why: string };

export interface FileSeen {
  kind: "file";
  size: number;
  /** In hex. */
  sha256?: string;
  text?: Uint8Array | string | { hex: string };
  forms?: Forms;
}

/** The hashes of a file in other forms. */
export interface Forms {
  lineEnding: string[];
  bom: string[];
  both: string[];
}

/** What was observed on one machine, for a check on another. */
export interface Observations {
  base: Base;
  files: { [path: string]: Observation };
}

/** A reference to a schema in its parts. */
export interface SchemaRef {
  packageName: string;
  modulePath: string;
  exportName: string;
}
