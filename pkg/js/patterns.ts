import { ClaimgaugeError } from "./error.js";
import { extra, main, type Main } from "./module.js";

/** What is to be looked for before a request can be dealt with, and where. */
interface Search {
  patterns: { path: string; pattern: string }[];
  texts: string[];
}

/**
 * Loads what runs patterns. Synchronous calls with kinds that have patterns need it once before; `verify`
 * loads it by itself.
 */
export function loadPatterns(): Promise<void> {
  return extra.load();
}

/**
 * Calls the main module, which has no engine for patterns: where it answers with a search, that is done
 * and the call made again with what was found.
 */
export function callWithMatches<T>(run: (module: Main, matches?: Uint32Array) => unknown): T {
  const answer = main.call((module) => run(module));
  if (!isSearch(answer)) return answer as T;
  const { patterns } = answer.search;
  if (!extra.isLoaded) {
    throw new ClaimgaugeError({
      code: "patterns_not_loaded",
      path: patterns[0]?.path ?? "",
      message: "What runs patterns is not loaded yet",
      hint: "Call `await loadPatterns()` once before.",
    });
  }
  const matches = extra.call((module) => module.matches(answer.search));
  return main.call((module) => run(module, matches)) as T;
}

/** As `callWithMatches`, and loads what runs patterns when there are some. */
export async function loadAndCall<T>(run: (module: Main, matches?: Uint32Array) => unknown): Promise<T> {
  try {
    return callWithMatches(run);
  } catch (error) {
    if (!(error instanceof ClaimgaugeError) || error.code !== "patterns_not_loaded") throw error;
    await loadPatterns();
    return callWithMatches(run);
  }
}

function isSearch(answer: unknown): answer is { search: Search } {
  return typeof answer === "object" && answer !== null && "search" in answer;
}
