// What verify and scrub are asked to do: a file of JSON, JSON lines or Markdown, options, or both.
import { profileOf } from "../methods.js";
import { ClaimgaugeError } from "../error.js";
import { isObject } from "../options.js";
import { Turn } from "../turn.js";
import type { SpanInput, VerifyRequest } from "../types.js";
import { checkRequest } from "../verify.js";
import { UsageError } from "./exit.js";
import { inFile, looksLikeJson, nameOf, parseJson, readJson, readText } from "./files.js";
import { FrontMatterError } from "./front-matter.js";
import { Lines } from "./lines.js";
import { readMarkdown } from "./markdown.js";
import { tell } from "./terminal.js";

export const REQUEST = {
  claim: { type: "string", multiple: true, value: "TEXT", help: "a claim; again for each. It is added to those of the file, if one is named" },
  evidence: { type: "string", multiple: true, value: "FILE", help: "a file that is evidence, - for the standard input; again for each" },
  profile: {
    type: "string",
    value: "NAME",
    help: "strawberry, code, documentation, data or security, instead of the request's; strawberry where there is no request to name one",
  },
  "profile-file": { type: "string", value: "F", help: "a profile of your own: { extends, kinds?, thresholds?, … }" },
} as const;

/** What these options and those of a judge say. */
export interface RequestValues {
  claim?: string[];
  evidence?: string[];
  profile?: string;
  "profile-file"?: string;
  thresholds?: string;
}

/** Where something stands, for those who annotate files. */
export interface Place {
  file: string;
  line: number | null;
}

export interface Given {
  /** As it came: the core checks it. A line is parsed each time, as all of them together may not fit into the memory. */
  request(): Promise<unknown>;
  /** The file; null where there is none that could be named. */
  file: string | null;
  /** The line of the request, or of a claim of it where that is known. */
  line(claim?: string): number | null;
  /** Does something with the request; what is wrong names its place. */
  within<T>(act: () => T | Promise<T>): Promise<T>;
}

export interface Requests {
  /** In order; none where a file does not want to be verified. */
  requests: Iterable<Given>;
  /** Whether each is a line of its own. */
  areLines: boolean;
}

/** What is asked: of JSON lines as many requests as there are lines, else one. */
export async function readRequests(file: string | undefined, values: RequestValues): Promise<Requests> {
  if (file === "-" && values.evidence?.includes("-")) throw new UsageError("The standard input is the request or evidence, not both");
  if (file === undefined) {
    if (!values.claim?.length && !values.evidence?.length) {
      throw new UsageError("Name a file, or - for the standard input, or give --claim and --evidence; see --help");
    }
    const request = await laidOver({ profile: "strawberry", evidence: [], claims: [] }, values);
    return { requests: [given(async () => request, null, values)], areLines: false };
  }
  const text = await readText(file, lookAt(file));
  if (isMarkdown(file, text)) return { requests: await fromMarkdown(file, text, values), areLines: false };
  const lay = await layerOf(values);
  const lines = asLines(file, text);
  if (lines === undefined) {
    const request = lay(await parseJson(text, file));
    return { requests: [given(async () => request, file, values)], areLines: false };
  }
  const requests = () => lines.map(({ line, number }) => given(async () => lay(await parseJson(line, file, number)), file, values, number));
  if (requests().next().done) throw new UsageError(`${nameOf(file)}: there is no request in it`);
  return { requests: { [Symbol.iterator]: requests }, areLines: true };
}

/** How long, in milliseconds, a file may keep the program from hearing an interrupt. */
export const SLICE = 20;

/** Refuses what is wrong with any of the requests before the first is asked about, and counts them. */
export async function checkAll(requests: Iterable<Given>): Promise<number> {
  let count = 0;
  const turn = new Turn(SLICE);
  // What is no JSON is found much sooner than what is no request.
  for (const { request } of requests) {
    await request();
    count += 1;
    if (turn.isOver) await turn.pause();
  }
  for (const { request, within } of requests) {
    const asked = await request();
    await within(() => checkRequest(asked));
  }
  return count;
}

function isMarkdown(file: string, text: string): boolean {
  return MARKDOWN_NAME.test(file) || /^---[ \t]*\r?\n/.test(text);
}

const MARKDOWN_NAME = /\.(md|markdown)$/i;
const DASH = 0x2d;

/** Looks at what comes in for a request. What is Markdown is so by its name, or begins with a dash, as no JSON of ours does. */
function lookAt(file: string): (chunk: Uint8Array) => void {
  const look = looksLikeJson(file);
  let isJson: boolean | undefined;
  return (chunk) => {
    isJson ??= !MARKDOWN_NAME.test(file) && chunk[0] !== DASH;
    if (isJson) look(chunk);
  };
}

/** The lines of JSON lines that are not blank; undefined where the text is one document. */
export function asLines(file: string, text: string): Lines | undefined {
  const lines = new Lines(text);
  if (/\.(jsonl|ndjson)$/i.test(file)) return lines;
  const [first, second] = lines;
  const areAlone = first !== undefined && second !== undefined && isJson(first.line) && !isJson(text);
  return areAlone ? lines : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function fromMarkdown(file: string, text: string, values: RequestValues): Promise<Given[]> {
  const { optIn, evidence, claims, lines } = await inFile(file, () => markdown(file, text));
  if (optIn?.enabled === false) {
    tell(`${nameOf(file)}: its verification is not enabled`);
    return [];
  }
  const { profile = "strawberry", trigger, customThresholds } = optIn ?? {};
  const wished = { profile, evidence, claims, ...(customThresholds !== undefined && { thresholds: customThresholds }) };
  const laid = (await laidOver(wished, values)) as VerifyRequest;
  const one = given(async () => laid, file, values);
  const own = { profile: values.profile === undefined && values["profile-file"] === undefined, thresholds: values.thresholds === undefined };
  const within: Given["within"] = (act) => one.within(() => (optIn === undefined ? act() : inBlock(own, act)));
  const request = optIn === undefined ? laid : { ...laid, trigger: trigger ?? (await within(() => profileOf(laid).trigger)) };
  return [{ ...one, request: async () => request, within, line: (claim) => lines.get(claim ?? "") ?? null }];
}

function markdown(file: string, text: string): ReturnType<typeof readMarkdown> {
  try {
    return readMarkdown(text);
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error;
    throw new UsageError(`${nameOf(file)}: line ${error.line}: ${error.message}`);
  }
}

/** What is wrong with a wish is told by its name in the block, unless an option stands above it. */
async function inBlock<T>(own: { profile: boolean; thresholds: boolean }, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ClaimgaugeError)) throw error;
    const names = { trigger: "trigger", ...(own.profile && { profile: "profile" }), ...(own.thresholds && { thresholds: "customThresholds" }) };
    const [part = ""] = /^\w*/.exec(error.path) ?? [];
    const path = Object.hasOwn(names, part) ? `verification.${names[part as keyof typeof names]}${error.path.slice(part.length)}` : error.path;
    throw new ClaimgaugeError({ code: error.code, message: error.message, path, hint: error.hint });
  }
}

function given(request: () => Promise<unknown>, file: string | null, values: RequestValues, line: number | null = null): Given {
  const parts = { profile: values["profile-file"], thresholds: values.thresholds };
  return {
    request,
    file: file === "-" ? null : file,
    line: () => line,
    within: (act) => inFile(file, act, { parts, line }),
  };
}

/** A request with what the command line says instead or besides. */
export async function laidOver(request: object, values: RequestValues): Promise<object> {
  return (await layerOf(values))(request) as object;
}

/** Lays what the command line says over requests, for which it reads its files once; what is no object is left to the core to refuse. */
async function layerOf(values: RequestValues): Promise<(request: unknown) => unknown> {
  const { profile, "profile-file": profileFile, thresholds, claim = [], evidence = [] } = values;
  if (profile !== undefined && profileFile !== undefined) {
    throw new UsageError("Give --profile or --profile-file, not both");
  }
  const spans: SpanInput[] = [];
  for (const file of evidence) {
    spans.push({ text: await readText(file), source: file === "-" ? null : file });
  }
  const instead = {
    ...(profile !== undefined && { profile }),
    ...(profileFile !== undefined && { profile: await readJson(profileFile) }),
    ...(thresholds !== undefined && { thresholds: await readJson(thresholds) }),
  };
  return (request) => {
    if (!isObject(request)) return request;
    return {
      ...request,
      ...instead,
      ...(claim.length > 0 && { claims: added(request, "claims", claim) }),
      ...(spans.length > 0 && { evidence: added(request, "evidence", spans) }),
    };
  };
}

/** A list of the request and more; what is no list is left to the core to refuse. */
function added(request: object, name: "claims" | "evidence", more: unknown[]): unknown {
  const list = (request as Record<string, unknown>)[name] ?? [];
  return Array.isArray(list) ? [...list, ...more] : list;
}
