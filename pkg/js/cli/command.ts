// A command as data: its options, what the help says of each, and samples that the help shows and a test runs.
import { parseArgs, type ParseArgsConfig } from "node:util";

import { UsageError } from "./exit.js";
import { endable } from "./interrupt.js";

/** The commands, and what each does. */
export const COMMANDS = {
  verify: "judge the claims of a request",
  scrub: "take the identifiers out of evidence",
  report: "print a report that was kept",
  "check-output": "check what an agent says it did",
  observe: "print what check-output needs to know of the files, where they are",
  hook: "check a coding agent's work when its host calls",
  mcp: "serve the same as tools of a coding agent",
  batch: "judge any number of requests through a provider's batches",
  bench: "tell how well a judge and its deltas know claims whose labels you know",
} as const;

export type Name = keyof typeof COMMANDS;

/** One option. */
export interface Option {
  readonly type: "boolean" | "string";
  readonly multiple?: true;
  /** The word that stands for its value. */
  readonly value?: string;
  readonly help: string;
}

export interface Options {
  readonly [name: string]: Option;
}

/** What was given. */
export type Values<O extends Options> = {
  [name in keyof O]?: O[name]["type"] extends "boolean" ? boolean : O[name] extends { multiple: true } ? string[] : string;
};

export interface Command {
  readonly help: string;
  run(args: string[]): Promise<number>;
}

interface Spec<O extends Options> {
  readonly name: Name;
  /** What may stand beside the options, such as `[FILE|-]`; nothing where absent. */
  readonly operand?: string;
  /** Whether the operand must be there. */
  readonly operandRequired?: boolean;
  /** Whether there may be more of them. */
  readonly operandsMore?: boolean;
  readonly about: string;
  readonly options: O;
  /** A comment and the line that it is about. */
  readonly samples: readonly (readonly [about: string, line: string])[];
  readonly exits: readonly (readonly [code: string, meaning: string])[];
  /** Does it; the operand is undefined where it was left out. */
  act(values: Values<O>, operand: string | undefined, more: string[]): Promise<number>;
}

export const PASSED = ["0", "passed"] as const;
export const USAGE = ["2", "bad usage or bad input, the output cannot be written, or a bug"] as const;
export const JUDGE = ["3", "the judge or the network failed"] as const;
export const INTERRUPTED = ["130", "interrupted"] as const;

export function command<const O extends Options>(spec: Spec<O>): Command {
  return {
    help: helpOf(spec),
    run(args) {
      const { values, operand, more } = parse(args, spec);
      const act = () => spec.act(values, operand, more);
      return spec.exits.includes(INTERRUPTED) ? endable(act) : act();
    },
  };
}

function parse<O extends Options>(args: string[], { name, options, operand: word, operandRequired, operandsMore }: Spec<O>) {
  const known = Object.entries(options).map(([option, { type, multiple }]) => [option, { type, multiple: multiple ?? false }]);
  let parsed;
  try {
    parsed = parseArgs({ args, options: Object.fromEntries(known) as ParseArgsConfig["options"] & object, allowPositionals: true });
  } catch (error) {
    const hint = args.some((arg) => arg.startsWith("--api-key"))
      ? " A key is never an argument: put it into CLAIMGAUGE_API_KEY or a file."
      : "";
    // Node advises on arguments that begin with a dash, which is not what was meant.
    const why = (error as Error).message.replace(/\. To specify a positional argument.*|\.$/s, "");
    throw new UsageError(`${why}; see claimgauge ${name} --help.${hint}`);
  }
  const [operand, ...more] = parsed.positionals;
  if (word === undefined && operand !== undefined) {
    throw new UsageError(`claimgauge ${name} takes options alone, not "${operand}"; see claimgauge ${name} --help`);
  }
  if ((more.length > 0 && !operandsMore) || (operandRequired && operand === undefined)) {
    throw new UsageError(`Name one ${word?.replace(/[[\]]/g, "").replace("|-", ", or - for the standard input") ?? "thing"}; see claimgauge ${name} --help`);
  }
  return { operand, more, values: parsed.values as Values<O> };
}

/** Where what an option does begins, and how wide a line is. */
const COLUMN = 22;
const WIDTH = 100;

function helpOf<O extends Options>({ name, operand, about, options, samples, exits }: Spec<O>): string {
  const usage = ["claimgauge", name, operand, "[options]"].filter((part) => part !== undefined).join(" ");
  const lines = Object.entries(options).map(([option, { value, help }]) => row(`--${option}${value === undefined ? "" : ` ${value}`}`, help));
  return [
    `claimgauge ${name}: ${COMMANDS[name]}`,
    "",
    `Usage: ${usage}`,
    "",
    ...about.split("\n\n").flatMap((paragraph) => [wrap(paragraph, 0), ""]),
    "Options:",
    ...lines,
    row("-h, --help", "print this"),
    "",
    "Samples:",
    ...samples.flatMap(([what, line]) => [`  # ${what}`, `  ${line}`]),
    "",
    "Exit codes:",
    ...exits.map(([code, meaning]) => `  ${code.padEnd(5)}${meaning}`),
    "",
  ].join("\n");
}

/** An option and what it does, beside it or, where it is too long, below it. */
export function row(option: string, help: string): string {
  const text = wrap(help, COLUMN);
  const left = `  ${option}`;
  return left.length < COLUMN - 1 ? left.padEnd(COLUMN) + text.trimStart() : `${left}\n${text}`;
}

function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(" ".repeat(indent) + word);
  }
  return lines.join("\n");
}
