import { statSync } from "node:fs";

import { serve } from "../mcp/server.js";
import { PASSED, USAGE, command } from "./command.js";
import { EXIT, UsageError } from "./exit.js";
import { JUDGED, askingOf } from "./judge.js";

const { thresholds: _, ...ASKED } = JUDGED;

export const mcp = command({
  name: "mcp",
  about:
    "Speaks the Model Context Protocol on the standard input and output; a host starts it. Its tools are verify_claims, scrub_evidence, " +
    "check_output, and, where the host's own model judges, prepare_passes and judge_passes.\n\n" +
    "The judge and the root are fixed here; no tool's arguments change them. It needs the package @modelcontextprotocol/server beside this one.",
  options: {
    root: { type: "string", value: "DIR", help: "the folder below which tools may look at files; without it they look at none" },
    ...ASKED,
  },
  samples: [
    ["The built-in judge, and the files of a project", "claimgauge mcp --root project < /dev/null"],
    ["A server of your own as judge", "claimgauge mcp --judge openai --base-url http://127.0.0.1:8080/v1 --model small < /dev/null"],
  ],
  exits: [PASSED, USAGE],
  async act({ root, ...values }) {
    if (root !== undefined && !statSync(root, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`--root ${root}: there is no such folder`);
    await serve({ root, asking: await askingOf(values) });
    return EXIT.passed;
  },
});
