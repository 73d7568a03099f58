import { ClaimgaugeError } from "./error.js";
import { checks, main } from "./module.js";
import { toJson } from "./text.js";
import type { Cache, Judge, JudgeAnswer, JudgeRequest } from "./types.js";

/** How many answers {@link memoryCache} keeps: about 10 MB. */
const MOST = 10_000;

/** Keeps answers as long as the process or the page lives; the oldest go when there are 10,000. */
export function memoryCache(): Cache {
  const answers = new Map<string, string>();
  return {
    get: (key) => answers.get(key),
    set(key, answer) {
      answers.delete(key);
      answers.set(key, answer);
      if (answers.size > MOST) answers.delete(answers.keys().next().value as string);
    },
  };
}

/**
 * The answers of one judge to the questions of one run: each question is asked once, and not at all
 * where a cache holds its answer. Only for a judge that says what its answers depend on.
 */
export class Answers {
  readonly #judge: Judge;
  readonly #parameters: string;
  readonly #cache: Cache | undefined;
  readonly #asked = new Map<string, Promise<JudgeAnswer>>();

  constructor(judge: Judge, parameters: object, cache: Cache | null | undefined) {
    this.#judge = judge;
    this.#parameters = jsonOf(parameters);
    this.#cache = cache ?? undefined;
  }

  /** The answer, from where it is known, else from `ask`. What `ask` throws is thrown. */
  async answer(question: JudgeRequest, ask: () => Promise<JudgeAnswer>): Promise<JudgeAnswer> {
    const { messages, schema, attempt } = question;
    const key = checks.call((module) => module.answerKey(this.#judge.name, this.#parameters, messages, schema !== null));
    // Another attempt is there to get another answer to the same words.
    const place = `${key} ${attempt}`;
    const asked = this.#asked.get(place);
    if (asked !== undefined) {
      return { ...(await asked), cached: true };
    }
    const answer = this.#known(key, question).then((known) => known ?? this.#ask(key, question, ask));
    this.#asked.set(place, answer);
    return answer;
  }

  async #ask(key: string, question: JudgeRequest, ask: () => Promise<JudgeAnswer>): Promise<JudgeAnswer> {
    const answer = await ask();
    if (this.#cache !== undefined && isReadable(answer, question)) {
      try {
        await this.#cache.set(key, JSON.stringify(answer));
      } catch {
        // The answer is there; that it cannot be kept is no reason to lose it.
      }
    }
    return answer;
  }

  /** What the cache holds, if that is a readable answer. */
  async #known(key: string, question: JudgeRequest): Promise<JudgeAnswer | undefined> {
    try {
      const text = await this.#cache?.get(key);
      const answer = typeof text === "string" ? (JSON.parse(text) as JudgeAnswer) : undefined;
      return answer && isReadable(answer, question) ? { ...answer, cached: true } : undefined;
    } catch {
      return undefined;
    }
  }
}

function jsonOf(parameters: object): string {
  const text = toJson(parameters);
  if ("json" in text) return text.json;
  const message = `They are not what JSON can say: ${text.wrong}`;
  throw new ClaimgaugeError({ code: "invalid_value", message, path: "judge.parameters", hint: "They tell a cache what answers depend on: hand in data." });
}

/** Whether a verdict on each claim can be read in it; what is no answer at all is not readable either. */
function isReadable(answer: JudgeAnswer, { messages, claims }: JudgeRequest): boolean {
  const ids = claims.map((claim) => claim.id);
  try {
    return main.call((module) => module.answerReadable(answer, messages, ids));
  } catch {
    return false;
  }
}
