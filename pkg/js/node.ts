import * as glue from "../wasm/claimgauge.cjs";
import { provide } from "./module.js";

provide(glue);

export * from "./index.js";

/** In browsers this loads the module; here it is loaded by the import. */
export async function init(): Promise<void> {}
