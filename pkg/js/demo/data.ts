import { ClaimgaugeError, wordsOf } from "../error.js";
import type { Recording } from "../judges/recorded.js";
import { array, checkOptions, object, oneOf, text } from "../options.js";
import type { VerifyRequest } from "../types.js";

/** Who answers: the replies that came with the data, or the judge inside. */
export type DemoJudge = "recorded" | "builtin";

/** What a demo shows. */
export interface DemoData {
  title?: string | null | undefined;
  /** A sentence on what it shows. */
  about?: string | null | undefined;
  request: VerifyRequest;
  /** `recorded` where there is a recording, else `builtin`. */
  judge?: DemoJudge | null | undefined;
  /** Replies to this request. They answer for it alone: once a text is edited, the built-in judge does. */
  recording?: Recording[] | null | undefined;
}

/** Data that came as text. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new ClaimgaugeError(
      {
        code: "invalid_json",
        message: `The demo's data is no JSON: ${wordsOf(cause)}`,
        hint: 'Expected { "request": { "profile", "evidence", "claims" }, "recording", "title", "about" }.',
      },
      { cause },
    );
  }
}

/** Data as it was given. What is in the request and the recording is checked by those who read them. */
export function checked(data: unknown): DemoData {
  checkOptions(data, {
    title: text,
    about: text,
    request: { ...object, required: true },
    judge: oneOf("recorded", "builtin"),
    recording: array,
  });
  return data as DemoData;
}

/** An example that comes with the package. */
export async function example(name: string): Promise<DemoData> {
  const { default: examples } = await import("../../demo/examples.js");
  const found = examples.find((one) => one.name === name);
  if (found === undefined) {
    const names = examples.map((one) => one.name).join(", ");
    throw new ClaimgaugeError({
      code: "unknown_example",
      message: `There is no example "${name.slice(0, 60)}"`,
      path: "example",
      hint: `The examples are: ${names}.`,
    });
  }
  const { title, request, judge, recording } = found as typeof found & DemoData;
  return { title, about: found.lesson, request, judge, recording };
}
