import { loadAndCall } from "../patterns.js";
import { redactedInstead, scrubBy, scrubRequestOf } from "../scrubbed.js";
import { Turn } from "../turn.js";
import type { Scrubbed } from "../types.js";
import { INTERRUPTED, PASSED, USAGE, command } from "./command.js";
import { EXIT } from "./exit.js";
import { REQUEST, SLICE, readRequests } from "./requests.js";
import { harmless, oneLine, print, printJson, tell } from "./terminal.js";

export const scrub = command({
  name: "scrub",
  operand: "[FILE|-]",
  about:
    "Shows what the scrubbed pass of verify would be shown; a claim that cites is shown the cited spans alone. The request is what " +
    "verify takes; { profile, evidence } is enough. What its claims name goes, and what is an identifier of the profile's kinds, or what " +
    "the request's first null says. A part of a claim that is left is told as a leak, and a claim of which nothing goes as one whose " +
    "evidence is redacted.",
  options: {
    ...REQUEST,
    json: { type: "boolean", help: "print the whole result as JSON, with every replaced stretch; of JSON lines one line each" },
  },
  samples: [
    ["What would be taken out of a request", "claimgauge scrub request.json"],
    ["Of a text on the standard input, for what a claim names", 'claimgauge scrub --claim "The port is 8080" --evidence - --profile documentation < server.md'],
  ],
  exits: [PASSED, USAGE, INTERRUPTED],
  async act(values, file) {
    const { requests, areLines } = await readRequests(file, values);
    const turn = new Turn(SLICE);
    for (const { request, within } of requests) {
      if (turn.isOver) await turn.pause();
      const asked = scrubRequestOf(await request());
      const scrubbed = await within(() => loadAndCall<Scrubbed>((module, matches) => scrubBy(module, asked, matches)));
      if (values.json) await (areLines ? print(`${JSON.stringify(scrubbed)}\n`) : printJson(scrubbed));
      else await show(scrubbed);
    }
    return EXIT.passed;
  },
});

async function show(scrubbed: Scrubbed): Promise<void> {
  const { mode, spans, leaks } = scrubbed;
  if (mode === "no_evidence") tell("The scrubbed pass is shown no evidence");
  for (const { id, text, source } of spans) {
    const name = source === null ? id : `${id} (${source})`;
    await print(`${oneLine(name)}: ${harmless(text)}\n`);
  }
  for (const leak of leaks) {
    tell(`Leak (${leak.level}): "${leak.term}" of ${leak.claim} is left in ${leak.span}`);
  }
  for (const claim of redactedInstead(scrubbed)) {
    tell(`Of ${claim} nothing was taken out: its scrubbed pass is shown [REDACTED] in place of each text`);
  }
}
