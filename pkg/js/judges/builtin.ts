import { checks } from "../module.js";
import type { Judge } from "../types.js";

/**
 * The judge inside: a check of the claim's names, numbers and words against the evidence. It needs no
 * model, no key and no network, and understands no sentence.
 */
export function builtin(): Judge {
  return {
    name: "builtin",
    basis: "builtin",
    single: true,
    async judge({ spans, claimText }) {
      await checks.load();
      return checks.call((module) => module.builtinReply({ spans, claimText }));
    },
  };
}
