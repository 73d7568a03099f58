// For bundles, and wherever no file can lie beside the code: the modules come as text inside it.
import * as glue from "../wasm/claimgauge.js";
import wasm from "../wasm/claimgauge_inline.js";
import * as moreGlue from "../wasm/claimgauge_more.js";
import moreWasm from "../wasm/claimgauge_more_inline.js";
import { checks, extra, main, more } from "./module.js";

main.provide(start(glue, wasm));
more.fromNow(() => start(moreGlue, moreWasm));
checks.from(async () => {
  const { default: wasm } = await import("../wasm/claimgauge_checks_inline.js");
  return start(await import("../wasm/claimgauge_checks.js"), wasm);
});
extra.from(async () => {
  const { default: wasm } = await import("../wasm/claimgauge_extra_inline.js");
  return start(await import("../wasm/claimgauge_extra.js"), wasm);
});

export * from "./index.js";

/** Elsewhere this loads the module; here it is loaded by the import. */
export async function init(): Promise<void> {}

function start<G extends { initSync(options: { module: BufferSource }): unknown }>(glue: G, wasm: string): G {
  glue.initSync({ module: decoded(wasm) });
  return glue;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
