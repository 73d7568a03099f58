import * as glue from "../wasm/claimgauge.cjs";
import { batch, checks, extra, main, more, type More } from "./module.js";
import { provideFolders } from "./output/folder.js";
import type { Cache } from "./types.js";

main.provide(glue);
more.fromNow(() => require("../wasm/claimgauge_more.cjs") as More);
checks.from(() => import("../wasm/claimgauge_checks.cjs"));
batch.from(() => import("../wasm/claimgauge_batch.cjs"));
extra.from(() => import("../wasm/claimgauge_extra.cjs"));
// At the first use, as most programs look at no folder, and node:crypto alone takes a tenth of their start.
provideFolders((path) => (require("./output/node-files.js") as typeof import("./output/node-files.js")).folder(path));

export * from "./index.js";

/**
 * Keeps answers as files in a folder, which is made where it is not there. A file is named after the key
 * and begins with a checksum: what was damaged is as good as absent. Several processes may share it.
 */
export function directoryCache(folder: string): Cache {
  return (require("./directory-cache.js") as typeof import("./directory-cache.js")).directoryCache(folder);
}

/** In browsers this loads the module; here it is loaded by the import. */
export async function init(): Promise<void> {}
