// For bundles, and wherever no file can lie beside the code: all modules come as text inside it.
import * as glue from "../wasm/claimgauge.js";
import * as text from "../wasm/claimgauge_inline.js";
import * as moreGlue from "../wasm/claimgauge_more.js";
import * as moreText from "../wasm/claimgauge_more_inline.js";
import { main, more } from "./module.js";
import { startTextNow } from "./web-text.js";

main.provide(startTextNow(glue, text));
more.fromNow(() => startTextNow(moreGlue, moreText));

export * from "./index.js";

/** Elsewhere this loads the module; here it is loaded by the import. */
export async function init(): Promise<void> {}
