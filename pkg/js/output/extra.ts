import { ClaimgaugeError, wordsOf } from "../error.js";
import { Loaded } from "../module.js";

/** What the second module exports: what is too large to be loaded by everyone. */
export interface Extra {
  schemaNew(id: number, schema: string, formats: boolean): void;
  schemaAnswer(id: number, output: string, parsed: boolean): unknown;
  schemaDispose(id: number): void;
  __wbg_reset_state(): void;
}

const extra = new Loaded<Extra>("The second module loads when it is first needed.");

let load: (() => Promise<Extra>) | undefined;
let loading: Promise<void> | undefined;

/** Says how the second module is loaded, if it is ever needed. */
export function provideExtra(loader: () => Promise<Extra>): void {
  load ??= loader;
}

/** Loads the second module, once. */
export function loadExtra(): Promise<void> {
  loading ??= start();
  return loading;
}

/** Calls the second module, which is loaded. */
export function callExtra<T>(run: (module: Extra) => T): T {
  return extra.call(run);
}

async function start(): Promise<void> {
  try {
    if (load === undefined) throw new Error("nothing says how");
    extra.provide(await load());
  } catch (cause) {
    // The next call tries again.
    loading = undefined;
    throw new ClaimgaugeError(
      {
        code: "load_failed",
        message: `Claimgauge's second module, for JSON Schema, cannot be loaded: ${wordsOf(cause)}`,
        hint: "claimgauge_extra_bg.wasm must lie beside its JavaScript.",
      },
      { cause },
    );
  }
}
