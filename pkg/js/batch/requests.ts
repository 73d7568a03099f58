// The requests of a plan, one a line, as they came.
import { join } from "node:path";

import { ClaimgaugeError } from "../error.js";
import { checks } from "../module.js";
import type { VerifyRequest } from "../types.js";
import type { Given } from "./machine.js";
import { isBlank, linesOf, utf8Of } from "./lines.js";
import { INPUT } from "./manifest.js";

/** In bytes. */
const MOST_REQUEST = 64 * 1024 * 1024;

export interface RequestLine extends Given {
  start: number;
  /** Where the next line begins. */
  end: number;
  /** Does something with it; what is wrong names the file and the line. */
  within<T>(act: () => Promise<T>): Promise<T>;
  refuse(message: string, hint: string): ClaimgaugeError;
}

/** The requests of a plan's input from a place on; `name` is what errors call the file. */
export function* requestsOf(folder: string, name: string, from = { start: 0, number: 1 }): Generator<RequestLine> {
  for (const line of linesOf(join(folder, INPUT), MOST_REQUEST, from)) {
    if (isBlank(line)) continue;
    const refuse = (message: string, hint: string, code = "invalid_value") =>
      new ClaimgaugeError({ code, message: `${name}: line ${line.number}: ${message}`, path: "", hint });
    const bytes = utf8Of(line, MOST_REQUEST, refuse);
    const request = () => parse(bytes.toString(), refuse);
    const within = async <T>(act: () => Promise<T>): Promise<T> => {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof ClaimgaugeError) || error.message.startsWith(`${name}: line`)) throw error;
        const { code, path, hint } = error;
        const message = `${name}: line ${line.number}: ${path === "" ? "" : `${path}: `}${error.message}`;
        throw new ClaimgaugeError({ code, message, path: "", hint }, { cause: error });
      }
    };
    yield { bytes, request, line: line.number, start: line.start, end: line.end, within, refuse };
  }
}

async function parse(text: string, refuse: (message: string, hint: string) => ClaimgaugeError): Promise<VerifyRequest> {
  const hint = "Each line is one request: { profile, evidence, claims, … }.";
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch (error) {
    await checks.load();
    const broken = checks.call((module) => module.jsonError(text)) as { column: number; message: string } | null;
    throw refuse(`Not JSON: ${broken === null ? (error as Error).message : `${broken.message}`}`, hint);
  }
  // The rest is the core's to refuse.
  if (!Array.isArray((request as VerifyRequest | null)?.claims)) throw refuse("There is no list of claims", hint);
  return request as VerifyRequest;
}
