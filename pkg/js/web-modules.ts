// How the modules are loaded where files lie beside the code: each from its own place.
import start, * as glue from "../wasm/claimgauge.js";
import { checks, extra, main, more } from "./module.js";

main.from(async () => {
  await start();
  return glue;
});
more.from(async () => {
  const more = await import("../wasm/claimgauge_more.js");
  await more.default();
  return more;
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
