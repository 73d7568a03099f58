// Modules that come as text inside the code. A bundler copies each file that a module names, whether anybody comes to need it or
// not; as text they are parts of the program that it loads when they are needed.
import { checks, extra } from "./module.js";

checks.from(async () => startText(await import("../wasm/claimgauge_checks.js"), await import("../wasm/claimgauge_checks_inline.js")));
extra.from(async () => startText(await import("../wasm/claimgauge_extra.js"), await import("../wasm/claimgauge_extra_inline.js")));

interface Text {
  default: string;
}

/** Starts a module without holding up the page. */
export async function startText<G extends { default(options: { module_or_path: BufferSource }): Promise<unknown> }>(glue: G, text: Text): Promise<G> {
  await glue.default({ module_or_path: decoded(text) });
  return glue;
}

/** Starts a module at once. */
export function startTextNow<G extends { initSync(options: { module: BufferSource }): unknown }>(glue: G, text: Text): G {
  glue.initSync({ module: decoded(text) });
  return glue;
}

function decoded({ default: base64 }: Text): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
