#!/usr/bin/env node
// The command line: which command, and with which exit code it ends.
import { ClaimgaugeError, version } from "../node.js";
import { COMMANDS, row, type Command, type Name } from "./command.js";
import { EXIT, UsageError } from "./exit.js";
import { sentence } from "./files.js";
import { print, tell } from "./terminal.js";

/** Each loads itself: none needs the others. */
const LOAD: { readonly [name in Name]: () => Promise<Command> } = {
  verify: async () => (await import("./verify.js")).verify,
  scrub: async () => (await import("./scrub.js")).scrub,
  report: async () => (await import("./report.js")).report,
  "check-output": async () => (await import("./check-output.js")).checkOutput,
  observe: async () => (await import("./check-output.js")).observe,
  hook: async () => (await import("./hook.js")).hook,
  mcp: async () => (await import("./mcp.js")).mcp,
  batch: async () => (await import("./batch.js")).batch,
  bench: async () => (await import("./bench.js")).bench,
};

const HELP = `claimgauge: measures whether a claim rests on its evidence

Usage: claimgauge COMMAND [FILE|-] [options]

Commands:
${Object.entries(COMMANDS).map(([name, does]) => row(name, does)).join("\n")}

claimgauge COMMAND --help tells its options, with samples.

  -h, --help          print this
  -V, --version       print the version

Exit codes:
  0    passed
  1    the recommendation is STOP, a status is at or below --fail-on, or an output is not valid
  2    bad usage or bad input, the output cannot be written, or a bug
  3    the judge or the network failed
  130  interrupted

A judge's key is read from CLAIMGAUGE_API_KEY or a file, never from an argument. NO_COLOR turns colours off.
`;

async function main([name, ...rest]: string[]): Promise<number> {
  const wantsHelp = rest.some((arg) => arg === "--help" || arg === "-h");
  if (name === undefined || name === "--help" || name === "-h" || (name === "help" && rest.length === 0)) {
    await print(HELP);
    return name === undefined ? EXIT.usage : EXIT.passed;
  }
  if (name === "--version" || name === "-V") {
    await print(`${version}\n`);
    return EXIT.passed;
  }
  const wanted = name === "help" ? rest[0] : name;
  if (wanted === undefined || !Object.hasOwn(LOAD, wanted)) throw new UsageError(`There is no command "${wanted}"; see claimgauge --help`);
  const command = await LOAD[wanted as Name]();
  if (name !== "help" && !wantsHelp) return command.run(rest);
  await print(command.help);
  return EXIT.passed;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    if (error instanceof ClaimgaugeError && error.code === "cancelled") {
      process.exitCode = EXIT.interrupted;
      return;
    }
    const known = error instanceof UsageError || error instanceof ClaimgaugeError;
    const message = error instanceof ClaimgaugeError ? sentence(error) : String((error as Error)?.message);
    tell(known ? message : `This is a bug, please report it: ${(error as Error)?.stack ?? message}`);
    process.exitCode = EXIT.usage;
  },
);
