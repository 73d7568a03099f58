// What came of one claim.
import type { Atom, Finding, Pass, Status, Thresholds } from "../types.js";
import { two } from "../text.js";
import { el } from "./dom.js";
import { gauge } from "./gauge.js";

/** A sign beside the word: no status is told by colour alone. */
const SIGNS: Record<Status, string> = { VERIFIED: "✓", PLAUSIBLE: "≈", SUSPICIOUS: "!", UNSUPPORTED: "✕", INCONCLUSIVE: "?" };

export function finding(found: Finding, thresholds: Thresholds): Node {
  const { id, text, status, action, why, flags } = found;
  return el(
    "article",
    { class: `finding ${status.toLowerCase()}`, "aria-label": `Claim ${id}: ${status}` },
    el(
      "p",
      { class: "verdict" },
      el("span", { class: "status" }, el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[status]), " ", el("b", {}, status)),
      " ",
      el("span", { class: "action" }, action),
    ),
    el("p", { class: "claim" }, el("b", {}, id), " ", text),
    el("p", { class: "why" }, why),
    gauge(found, thresholds),
    el(
      "div",
      { class: "passes" },
      pass("Scrubbed pass", flags.includes("redacted_spans") ? "spans redacted" : "names taken out", found.scrubbed),
      pass("Full pass", "evidence as given", found.full),
    ),
    atoms(found.atoms),
    flags.length > 0 && el("p", { class: "notes" }, "Flags: ", ...flags.flatMap((flag) => [el("code", {}, flag), " "])),
  );
}

/** One judgement, or why there is none. */
function pass(title: string, about: string, given: Pass | null): Node {
  const { verdict, confidence, basis, reasoning, error, raw = [] } = given ?? {};
  return el(
    "div",
    { class: "pass", role: "group", "aria-label": title },
    el("p", { class: "pass-head" }, el("b", {}, title), ` ${about}`),
    given === null && el("p", {}, "Not asked."),
    verdict && el("p", { class: "judgement" }, el("b", {}, verdict), ` ${two(confidence)}`, basis && el("span", { class: "basis" }, ` ${basis}`)),
    reasoning && el("p", { class: "reasoning" }, reasoning),
    error && el("p", { class: "failed" }, `Failed: ${error.message}`),
    // What the judge said in place of a verdict; a recording says the same each time.
    ...(error ? [...new Set(raw)].map((text) => el("pre", {}, text)) : []),
  );
}

/** The second opinion. */
function atoms(all: Atom[]): Node | null {
  if (all.length === 0) return null;
  const items = all.map(({ text, grounded, span, rival }) => {
    const [name, sign, words] =
      rival !== null ? ["rival", "✕", `where the evidence has ${rival}`]
      : grounded ? ["found", "✓", `in ${span}`]
      : ["missing", "!", "not in the evidence"];
    return el("li", { class: name }, el("span", { "aria-hidden": "true" }, `${sign} `), el("code", {}, text), ` ${words}`);
  });
  return el("div", { class: "atoms", role: "group", "aria-label": "Second opinion" }, el("p", {}, el("b", {}, "Second opinion"), " terms and slots, not a reading"), el("ul", {}, ...items));
}
