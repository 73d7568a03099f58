import { array, checkOptions, object } from "../options.js";
import { checkOutput } from "./check.js";
import { openFolder } from "./folder.js";
import { asJson } from "./node-files.js";
import type { CheckOptions, FileHost, FileSeen, Look, Observation, Observations } from "./types.js";

/** What a check of this output needs to know of the files, where the files are. */
export async function observe(
  output: unknown,
  basePath: string,
  options: Pick<CheckOptions, "limits" | "onProgress" | "signal"> = {},
): Promise<Observations> {
  const folder = openFolder(basePath);
  const files = new Map<string, Observation>();
  const host: FileHost = {
    base: folder.base,
    async observe(look, context) {
      const seen = await folder.observe(look, context);
      // A later look at the same path knows more than an earlier one.
      files.set(look.path, portable(seen));
      return seen;
    },
  };
  await checkOutput(output, { ...options, host });
  return { base: folder.base ?? { paths: [], windows: false }, files: Object.fromEntries(files) };
}

/** What looks at files that were observed elsewhere. */
export function observed(observations: Observations): FileHost {
  const path = "observations";
  checkOptions({ observations }, { observations: { ...object, required: true } });
  checkOptions(observations, { base: { ...object, required: true }, files: { ...object, required: true } }, path);
  checkOptions(observations.base, { paths: { ...array, required: true }, windows: aFlag }, `${path}.base`);
  const { base, files } = observations;
  return {
    base,
    observe: ({ path: at }: Look) => (Object.hasOwn(files, at) ? (files[at] as Observation) : NOT_OBSERVED),
  };
}

const NOT_OBSERVED: Observation = { kind: "unreadable", why: "it was not observed" };

const aFlag = { expected: "boolean", fits: (value: unknown) => typeof value === "boolean", required: true };

function portable(seen: Observation): Observation {
  return seen.kind === "file" && seen.text instanceof Uint8Array ? ({ ...seen, text: asJson(seen.text) } satisfies FileSeen) : seen;
}
