// How the modules are loaded where a file lies beside the code: the first one from there, the others as text when they are needed.
import start, * as glue from "../wasm/claimgauge.js";
import { main, more } from "./module.js";
import { startText } from "./web-text.js";

main.from(async () => {
  await start();
  return glue;
});
more.from(async () => startText(await import("../wasm/claimgauge_more.js"), await import("../wasm/claimgauge_more_inline.js")));
