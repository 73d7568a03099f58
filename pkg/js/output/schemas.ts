import { ClaimgaugeError, wordsOf } from "../error.js";
import { extra } from "../module.js";
import { readable } from "../options.js";
import { toJson } from "../text.js";
import { Turn } from "../turn.js";
import { SLICE, stopIf } from "./cancel.js";
import type { CheckOptions, Schema, StandardIssue, StandardSchema } from "./types.js";

/** Whether a value fits a schema, as the machine is told. */
export type SchemaAnswer =
  | { kind: "fits" }
  | { kind: "misfits"; errors: { path: string; message: string }[] }
  | { kind: "not_found" }
  | { kind: "not_json" };

/** Which output is to be held against which schema; `parsed` asks about what its text is as JSON. */
export interface SchemaRequest {
  invocation: number;
  schema: { registered: string } | { tool: string };
  parsed: boolean;
}

/** The most errors that are told of one value, the longest message, and the longest path. */
const MAX_ERRORS = 100;
const MAX_MESSAGE = 400;
const MAX_PATH = 4000;

type Answer = (output: unknown, parsed: boolean) => SchemaAnswer | Promise<SchemaAnswer>;

/** The schemas of one check. */
export class Schemas {
  readonly #own = new Map<string, Answer>();
  readonly #registered = new Map<string, Answer>();
  readonly #compiled: number[] = [];

  /** Refuses what is no schema. JSON Schemas load the module that knows them. */
  static async read(options: CheckOptions): Promise<Schemas> {
    const schemas = new Schemas();
    const turn = new Turn(SLICE);
    const pause = async () => {
      await turn.pause();
      stopIf(options.signal);
    };
    try {
      for (const [name, schema] of entries(options.tools, "tools")) {
        await pause();
        if (typeof schema !== "string") {
          schemas.#own.set(name, await schemas.#read(schema, options, `tools.${name}`));
        }
      }
      for (const [name, schema] of entries(options.schemas, "schemas")) {
        await pause();
        schemas.#registered.set(name, await schemas.#read(schema, options, `schemas.${name}`));
      }
      return schemas;
    } catch (error) {
      schemas.dispose();
      throw error;
    }
  }

  answer({ schema, parsed }: SchemaRequest, output: unknown): SchemaAnswer | Promise<SchemaAnswer> {
    const answer = "tool" in schema ? this.#own.get(schema.tool) : this.#registered.get(schema.registered);
    return answer?.(output, parsed) ?? { kind: "not_found" };
  }

  dispose(): void {
    for (const id of this.#compiled.splice(0)) {
      extra.call((module) => module.schemaDispose(id));
    }
  }

  async #read(schema: Schema, options: CheckOptions, path: string): Promise<Answer> {
    if (readable(path, () => isStandard(schema))) {
      return (output, parsed) => standardAnswer(schema as StandardSchema, output, parsed);
    }
    if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null)) {
      throw refusal(path, "Expected a JSON Schema or a Standard Schema");
    }
    const text = toJson(schema);
    if ("wrong" in text) {
      throw refusal(path, `The schema is not what JSON can say: ${text.wrong}`);
    }
    await extra.load();
    const id = ++count;
    try {
      extra.call((module) => module.schemaNew(id, text.json, options.formats ?? false));
    } catch (error) {
      throw error instanceof ClaimgaugeError ? below(path, error) : error;
    }
    this.#compiled.push(id);
    return (output, parsed) => jsonAnswer(id, output, parsed);
  }
}

/** Never used twice: a number from before the instance failed must not name a schema of the next one. */
let count = 0;

function jsonAnswer(id: number, output: unknown, parsed: boolean): SchemaAnswer {
  const text = toJson(output);
  if ("wrong" in text) {
    return misfits([{ path: "", message: `The output is not what JSON can say: ${text.wrong}` }]);
  }
  return extra.call((module) => module.schemaAnswer(id, text.json, parsed)) as SchemaAnswer;
}

async function standardAnswer(schema: StandardSchema, output: unknown, parsed: boolean): Promise<SchemaAnswer> {
  let value = output;
  if (parsed) {
    try {
      value = JSON.parse(output as string);
    } catch {
      return { kind: "not_json" };
    }
  }
  try {
    const result: unknown = await schema["~standard"].validate(value);
    if (!isResult(result)) {
      return misfits([{ path: "", message: "The schema gave no result with a value or issues" }]);
    }
    const { issues } = result;
    if (issues === undefined || issues === null) return { kind: "fits" };
    return misfits(told(issues));
  } catch (thrown) {
    return misfits([{ path: "", message: `The schema threw: ${wordsOf(thrown)}` }]);
  }
}

/** A validator of another kind may give true or false, which is no answer here. */
function isResult(result: unknown): result is { issues?: Iterable<StandardIssue> | null } {
  return typeof result === "object" && result !== null && ("value" in result || "issues" in result);
}

function misfits(errors: { path: string; message: string }[]): SchemaAnswer {
  const short = (text: string) => (text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text);
  return { kind: "misfits", errors: errors.map(({ path, message }) => ({ path: whole(path), message: whole(short(message)) })) };
}

/** As many as are told: what a validator gives may have no end, and a sparse array is as long as it says. */
function told(issues: Iterable<StandardIssue>): { path: string; message: string }[] {
  const errors = [];
  for (const issue of issues) {
    errors.push({ path: dotted(issue), message: String(issue.message) });
    if (errors.length === MAX_ERRORS) break;
  }
  return errors;
}

function dotted({ path }: StandardIssue): string {
  const keys: string[] = [];
  let length = 0;
  for (const part of path ?? []) {
    const key = String(typeof part === "object" && part !== null ? part.key : part);
    length += key.length + 1;
    if (length > MAX_PATH) return `${keys.join(".")}…`;
    keys.push(key);
  }
  return keys.join(".");
}

/** As text of whole characters. */
function whole(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function entries<T>(given: { readonly [name: string]: T } | null | undefined, path: string): [string, T][] {
  return readable(path, () => Object.entries(given ?? {}));
}

function isStandard(schema: unknown): schema is StandardSchema {
  const isObject = typeof schema === "function" || (typeof schema === "object" && schema !== null);
  const standard = isObject ? (schema as Partial<StandardSchema>)["~standard"] : undefined;
  return typeof standard === "object" && standard !== null && typeof standard.validate === "function";
}

function refusal(path: string, message: string): ClaimgaugeError {
  return new ClaimgaugeError({ code: "schema_refused", message, path });
}

function below(path: string, { code, message, path: inner, hint }: ClaimgaugeError): ClaimgaugeError {
  return new ClaimgaugeError({ code, message, hint, path: inner === "" ? path : `${path}.${inner}` });
}
