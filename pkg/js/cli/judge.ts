// Whom to ask, and how: the options of every command that has a judge.
import { directoryCache } from "../directory-cache.js";
import { httpJudge, type Dialect } from "../judges/http.js";
import { builtin, recorded, sampled, type Recording } from "../judges/index.js";
import type { Judge } from "../types.js";
import type { Values } from "./command.js";
import { UsageError } from "./exit.js";
import { inFile, nameOf, readJson, readText } from "./files.js";

export const JUDGED = {
  judge: {
    type: "string",
    value: "JUDGE",
    help:
      "builtin (default), openai, openai-responses, anthropic, gemini, ollama, or recorded:FILE.json, a file of replies: " +
      '[{ "claim": "C0", "pass": "full", "text": "ENTAILED 0.9" }, …]; pass is full, scrubbed or null',
  },
  "base-url": {
    type: "string",
    value: "URL",
    help: "where the judge is, such as http://127.0.0.1:8080/v1; anthropic, gemini and ollama have an address of their own",
  },
  model: { type: "string", value: "NAME", help: "the model that is asked" },
  "api-key-file": {
    type: "string",
    value: "F",
    help: "a file that holds the judge's key; else the environment's CLAIMGAUGE_API_KEY. A key is never an argument, as others see those",
  },
  timeout: { type: "string", value: "SECONDS", help: "how long the judge may take for one answer (default: 60)" },
  temperature: { type: "string", value: "T", help: "0 for the same answers again; sent only where it is given" },
  samples: { type: "string", value: "N", help: "ask each question so often, and let most of the replies decide" },
  cache: { type: "string", value: "FOLDER", help: "keep answers there, and ask nothing that is known" },
  concurrency: { type: "string", value: "N", help: "how many questions are open at a time (default: 4)" },
  group: { type: "string", value: "N", help: "ask about up to so many claims in one request (default: 1)" },
  "max-calls": { type: "string", value: "N", help: "ask at most so many questions" },
  "max-tokens": { type: "string", value: "N", help: "let the judge read at most so many tokens" },
  thresholds: { type: "string", value: "F", help: "a file with { verified, plausible }, as bench --fit writes it" },
} as const;

type Asked = Values<typeof JUDGED>;

/** What speaks HTTP, and whether it must be told where. */
const PROVIDERS: Record<string, { dialect: Dialect; needsUrl?: true }> = {
  anthropic: { dialect: "anthropic" },
  gemini: { dialect: "gemini" },
  ollama: { dialect: "ollama" },
  openai: { dialect: "openai", needsUrl: true },
  "openai-responses": { dialect: "openai_responses", needsUrl: true },
};

/** Whom to ask, and how; what is sent over HTTP goes `without` these parameters. */
export async function askingOf(values: Asked, without: readonly string[] = []) {
  return {
    judge: await judgeOf(values, without),
    concurrency: whole("--concurrency", values.concurrency, 1),
    group: whole("--group", values.group, 1),
    cache: values.cache === undefined ? undefined : directoryCache(values.cache),
    limits: {
      maxCalls: whole("--max-calls", values["max-calls"], 0),
      maxPromptTokens: whole("--max-tokens", values["max-tokens"], 0),
    },
  };
}

async function judgeOf(values: Asked, without: readonly string[]): Promise<Judge> {
  const name = values.judge ?? "builtin";
  const provider = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  const foreign = (["base-url", "model", "api-key-file", "timeout", "temperature", "samples"] as const).find((option) => values[option] !== undefined);
  if (foreign !== undefined && provider === undefined) {
    throw new UsageError(`--${foreign} is for --judge ${Object.keys(PROVIDERS).join(", ")}`);
  }
  if (name === "builtin") {
    return builtin();
  }
  const file = recordingIn(name);
  if (file !== undefined) {
    const recordings = (await readJson(file)) as Recording[];
    return inFile(file, () => recorded(recordings));
  }
  if (provider === undefined) {
    throw new UsageError(`There is no judge "${name}": use builtin, ${Object.keys(PROVIDERS).join(", ")} or recorded:FILE.json`);
  }
  const { "base-url": baseUrl, model } = values;
  if (!model || (provider.needsUrl && !baseUrl)) {
    throw new UsageError(`--judge ${name} needs ${provider.needsUrl ? "--base-url and " : ""}--model`);
  }
  const apiKey = await keyOf(values["api-key-file"]);
  const seconds = whole("--timeout", values.timeout, 1);
  const samples = whole("--samples", values.samples, 1);
  const temperature = decimal("--temperature", values.temperature);
  const judge = httpJudge(provider.dialect, { baseUrl, model, apiKey, temperature, timeoutMs: seconds && seconds * 1000 }, without);
  return samples === undefined ? judge : sampled(judge, { samples });
}

/** The file of replies that a judge's name has. */
export function recordingIn(judge: string): string | undefined {
  return judge.startsWith(RECORDED) ? judge.slice(RECORDED.length) : undefined;
}

const RECORDED = "recorded:";

async function keyOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return process.env["CLAIMGAUGE_API_KEY"];
  const key = (await readText(file)).trim();
  if (key === "") throw new UsageError(`${nameOf(file)}: there is no key in it`);
  return key;
}

export function whole(option: string, value: string | undefined, least: number): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value) || Number(value) < least) {
    throw new UsageError(`${option} takes a whole number of at least ${least}, not "${value}"`);
  }
  return Number(value);
}

export function decimal(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(value)) {
    throw new UsageError(`${option} takes a number such as 0.7, not "${value}"`);
  }
  return Number(value);
}
