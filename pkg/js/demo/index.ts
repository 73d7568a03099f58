// The custom element <claimgauge-demo>: importing this module defines it. Where there is no document, as on a
// server that renders pages, importing it does nothing.
import { ClaimgaugeDemo } from "./element.js";

if (globalThis.customElements?.get("claimgauge-demo") === undefined) {
  globalThis.customElements?.define("claimgauge-demo", ClaimgaugeDemo);
}

declare global {
  interface HTMLElementTagNameMap {
    "claimgauge-demo": ClaimgaugeDemo;
  }
}

export { ClaimgaugeDemo };
export type { DemoData, DemoJudge } from "./data.js";
