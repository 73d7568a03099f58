import * as glue from "../wasm/claimgauge.cjs";
import { batch, checks, extra, main, more, type More } from "./module.js";
import { provideFolders } from "./output/folder.js";
import { folder } from "./output/node-files.js";

main.provide(glue);
more.fromNow(() => require("../wasm/claimgauge_more.cjs") as More);
checks.from(() => import("../wasm/claimgauge_checks.cjs"));
batch.from(() => import("../wasm/claimgauge_batch.cjs"));
extra.from(() => import("../wasm/claimgauge_extra.cjs"));
provideFolders(folder);

export { directoryCache } from "./directory-cache.js";
export * from "./index.js";

/** In browsers this loads the module; here it is loaded by the import. */
export async function init(): Promise<void> {}
