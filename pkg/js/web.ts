import start, * as glue from "../wasm/claimgauge.js";
import { checks, extra, main } from "./module.js";

main.from(async () => {
  await start();
  return glue;
});
checks.from(async () => {
  const checks = await import("../wasm/claimgauge_checks.js");
  await checks.default();
  return checks;
});
extra.from(async () => {
  const extra = await import("../wasm/claimgauge_extra.js");
  await extra.default();
  return extra;
});

export * from "./index.js";

/** Loads the module that lies beside this file. Call it once before anything else; again does nothing. */
export function init(): Promise<void> {
  return main.load();
}
