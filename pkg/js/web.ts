import start, * as glue from "../wasm/claimgauge.js";
import { ClaimgaugeError, wordsOf } from "./error.js";
import { provide } from "./module.js";
import { provideExtra } from "./output/extra.js";

provideExtra(async () => {
  const extra = await import("../wasm/claimgauge_extra.js");
  await extra.default();
  return extra;
});

export * from "./index.js";

let started: Promise<void> | undefined;

/** Loads the module that lies beside this file. Call it once before anything else; again does nothing. */
export function init(): Promise<void> {
  started ??= load();
  return started;
}

async function load(): Promise<void> {
  try {
    await start();
  } catch (cause) {
    // The next call tries again.
    started = undefined;
    throw new ClaimgaugeError(
      {
        code: "load_failed",
        message: `Claimgauge's module cannot be loaded: ${wordsOf(cause)}`,
        hint: "claimgauge_bg.wasm must be served beside its JavaScript, and a content security policy must allow 'wasm-unsafe-eval'.",
      },
      { cause },
    );
  }
  provide(glue);
}
