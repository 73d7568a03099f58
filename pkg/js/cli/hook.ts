import { checkFiles, claimsOf, isWrite, type Found } from "../hook/check.js";
import { lastTurn, type Call } from "../hook/transcript.js";
import { isObject } from "../options.js";
import type { Status, VerifyOptions } from "../types.js";
import { checkRequest, verify } from "../verify.js";
import { command, type Command } from "./command.js";
import { EXIT, UsageError, failsBy, notJudged } from "./exit.js";
import { inFile, readJson, readText } from "./files.js";
import { JUDGED, askingOf } from "./judge.js";
import { REQUEST, laidOver, type RequestValues } from "./requests.js";
import { oneLine, tell } from "./terminal.js";
import { FAIL_ON, status } from "./verify.js";

/** For a hook, 2 is what blocks: what is wrong with the hook itself must end otherwise, or it would trap the agent. */
const HOOK_EXIT = { passes: EXIT.passed, misused: 1, blocks: 2 };

const EVENTS: Record<string, { events: string[]; check(input: Input, how: How): Promise<Found> }> = {
  "post-tool-use": { events: ["PostToolUse"], check: postToolUse },
  stop: { events: ["Stop", "SubagentStop"], check: stop },
};

type Input = Record<string, unknown>;

type Values = Parameters<typeof askingOf>[0] & RequestValues;

interface How {
  base: string;
  failOn: Status | undefined;
  values: RequestValues;
  asking: Omit<VerifyOptions, "signal" | "onProgress">;
}

const hooked = command({
  name: "hook",
  operand: "post-tool-use|stop",
  operandRequired: true,
  about:
    "A coding agent's host calls it with JSON on the standard input, as Claude Code does for its events PostToolUse and Stop. What the " +
    "agent's tools wrote is held against the files; at the end of a turn also what it says under a heading Claims, against what its tools " +
    "gave. What does not hold is told on the standard error and blocks.\n\n" +
    "It lets pass where it cannot say: when the judge is down, when the input is none, and when the host is in a stop hook already.",
  options: {
    base: { type: "string", value: "DIR", help: "the folder of the files; else the environment's CLAUDE_PROJECT_DIR, else the input's cwd" },
    profile: { ...REQUEST.profile, help: "strawberry, code (default), documentation, data or security" },
    "profile-file": REQUEST["profile-file"],
    "fail-on": { ...FAIL_ON["fail-on"], help: "block a claim that has this status or a worse one, too; else UNSUPPORTED alone blocks" },
    ...JUDGED,
  },
  samples: [
    ["After each call of a tool that writes", "claimgauge hook post-tool-use < write.json"],
    ["At the end of a turn; claims that are SUSPICIOUS block, too", "claimgauge hook stop --fail-on SUSPICIOUS < stop.json"],
  ],
  exits: [
    ["0", "lets pass, with or without words"],
    ["1", "the hook is misused; this blocks nothing"],
    ["2", "blocks, with the reasons"],
  ],
  async act(values, name) {
    const hook = Object.hasOwn(EVENTS, name as string) ? EVENTS[name as string] : undefined;
    if (hook === undefined) throw new UsageError(`There is no hook "${name}": use ${Object.keys(EVENTS).join(" or ")}`);
    const failOn = status(values["fail-on"]);
    const asking = await settingsOf(values);
    const input = await orUnsaid(readJson("-"));
    if (!isObject(input)) throw new Unsaid("the input is no object");
    const event = input["hook_event_name"];
    if (typeof event === "string" && !hook.events.includes(event)) {
      throw new UsageError(`hook ${name} is for ${hook.events.join(" and ")}, and this is ${JSON.stringify(event)}`);
    }
    if (event !== undefined && typeof event !== "string") throw new Unsaid("the input's event is no text");
    const base = values.base ?? (process.env["CLAUDE_PROJECT_DIR"] || (typeof input["cwd"] === "string" ? input["cwd"] : process.cwd()));
    const { errors, notes } = await hook.check(input, { base, failOn, values, asking });
    notes.forEach(tell);
    if (errors.length === 0) return HOOK_EXIT.passes;
    process.stderr.write(`What was written or said does not hold:\n${errors.map((error) => `- ${oneLine(error)}\n`).join("")}`);
    process.stderr.write("Look at it again, and mend it or say what is so.\n");
    return HOOK_EXIT.blocks;
  },
});

/** Whom to ask. What is wrong with it, or with a profile or thresholds, is misuse, also where no claim would need them. */
async function settingsOf(values: Values): Promise<How["asking"]> {
  const sample = await laidOver({ profile: "code", evidence: ["x"], claims: ["x"] }, values);
  const parts = { profile: values["profile-file"], thresholds: values.thresholds };
  return inFile(
    null,
    async () => {
      await checkRequest(sample);
      return askingOf(values);
    },
    { parts },
  );
}

/** Nothing can be said, so it passes. */
class Unsaid extends Error {}

/** What is wrong with what the host hands over is no misuse by whoever set up the hook. */
async function orUnsaid<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: Error) => {
    throw new Unsaid(error.message);
  });
}

/** Whatever goes wrong in the hook itself blocks nothing. */
export const hook: Command = {
  help: hooked.help,
  async run(args) {
    try {
      return await hooked.run(args);
    } catch (thrown) {
      const words = thrown instanceof Error ? thrown.message : String(thrown);
      const isMisused = thrown instanceof UsageError;
      tell(isMisused ? words : `Nothing was checked: ${words}`);
      return isMisused ? HOOK_EXIT.misused : HOOK_EXIT.passes;
    }
  },
};

async function postToolUse(input: Input, { base }: How): Promise<Found> {
  const { tool_name: tool, tool_input: given, tool_response: response } = input;
  if (typeof tool !== "string" || !isObject(given)) throw new Unsaid("the input names no tool");
  if ((response === undefined || response === null) && isWrite(tool)) {
    throw new Unsaid(`the input has no tool_response, which says whether ${tool} succeeded`);
  }
  const failed = isObject(response) && (response["success"] === false || response["is_error"] === true);
  return checkFiles([{ tool, input: given, succeeded: !failed, result: "" }], base);
}

async function stop(input: Input, how: How): Promise<Found> {
  if (input["stop_hook_active"] === true) return { errors: [], notes: [] };
  if (typeof input["transcript_path"] !== "string") throw new Unsaid("the input names no transcript");
  const turn = lastTurn(await orUnsaid(readText(input["transcript_path"])));
  const files = await checkFiles(turn.calls, how.base);
  const said = await checkClaims(input["last_assistant_message"] ?? turn.message, turn.calls, how);
  const unreadable = turn.unreadable === 0 ? [] : [`${turn.unreadable} lines of the transcript are no entries of one`];
  return { errors: [...files.errors, ...said.errors], notes: [...unreadable, ...files.notes, ...said.notes] };
}

async function checkClaims(message: unknown, calls: Call[], { failOn, values, asking }: How): Promise<Found> {
  if (typeof message !== "string") return { errors: [], notes: [] };
  try {
    const { claims, evidence, left } = claimsOf(message, calls);
    if (claims.length === 0) return { errors: [], notes: [] };
    const request = (await laidOver({ profile: "code", evidence, claims }, values)) as Parameters<typeof verify>[0];
    const report = await verify(request, asking);
    const failing = report.claims.filter((claim) => claim.status === "UNSUPPORTED" || (claim.status !== "INCONCLUSIVE" && failsBy(claim, failOn)));
    const open = report.claims.filter(notJudged).length;
    const notes = open === 0 ? [] : [`The judge failed, so nothing is said about ${open} of ${report.claims.length} claims`];
    const words = ({ status, text, why }: (typeof failing)[number]) => `${status}: ${text}: ${why}`;
    // What stood in a result that had no room is not held against the agent; what another result says is.
    const unseen = failing.filter(({ full }) => left > 0 && full?.verdict !== "CONTRADICTED");
    notes.push(...unseen.map((claim) => `${words(claim)}; it may stand in what had no room: ${left} of the results of tools`));
    return { errors: failing.filter((claim) => !unseen.includes(claim)).map(words), notes };
  } catch (error) {
    // What the files say stands, whatever becomes of the claims.
    return { errors: [], notes: [`The claims were not checked: ${(error as Error).message}`] };
  }
}
