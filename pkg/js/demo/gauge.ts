// The delta, drawn against what the profile asks for.
import type { Finding, Thresholds } from "../types.js";
import { two } from "../text.js";
import { el, svg } from "./dom.js";

/** An axis from 0 to 1 with both confidences and the delta between them; below it the delta by itself, beside
 * the least that each status asks for, where the delta decided. Places are percentages, so that text keeps its
 * size on any width. */
export function gauge({ scrubbed, full, delta, rule }: Finding, thresholds: Thresholds): Node | null {
  const without = scrubbed?.confidence ?? null;
  const withNames = full?.confidence ?? null;
  if (without === null && withNames === null) return null;
  const decided = rule.startsWith("delta_");
  const words = `Confidence ${two(without)} without the names, ${two(withNames)} with the evidence as given, delta ${two(delta)}.`;
  // Where both would be one blob they leave the axis.
  const aside = without !== null && withNames !== null && Math.abs(withNames - without) < 0.08 ? 8 : 0;
  return el(
    "figure",
    { class: decided ? "gauge" : "gauge unread" },
    el("figcaption", {}, el("span", { class: "delta-value" }, `Δ ${two(delta)}`), " ", decided ? "full minus scrubbed confidence" : `not what decided here: the rule is ${rule}`),
    svg(
      "svg",
      { role: "img", "aria-label": words },
      ...[0, 0.25, 0.5, 0.75, 1].map((value) => svg("text", { class: "scale", x: percent(value), y: "86", "text-anchor": anchor(value) }, String(value))),
      svg("rect", { class: "groove", x: "0", y: "37", width: "100%", height: "6", rx: "3" }),
      without !== null && withNames !== null &&
        svg("rect", { class: "between", x: percent(Math.min(without, withNames)), y: "35", width: percent(Math.abs(withNames - without)), height: "10" }),
      without !== null && dot("without", "scrubbed", without, 40 + aside, 66 + aside / 2),
      withNames !== null && dot("with", "full", withNames, 40 - aside, 20),
    ),
    decided && delta !== null && asked(delta, thresholds),
  );
}

function dot(name: string, label: string, value: number, y: number, labelY: number): Node {
  const text = svg("text", { class: "reading", x: percent(value), y: String(labelY), "text-anchor": anchor(value) }, `${label} ${two(value)}`);
  return svg("g", {}, svg("circle", { class: name, cx: percent(value), cy: String(y), r: "7" }), text);
}

/** The delta beside the least deltas. */
function asked(delta: number, { verified, plausible }: Thresholds): Node {
  const tick = (value: number) => svg("line", { class: "least", x1: percent(value), x2: percent(value), y1: "0", y2: "16" });
  const words = `Least delta here: ${two(plausible.delta)} for PLAUSIBLE, ${two(verified.delta)} for VERIFIED, at a full confidence of at least ${two(plausible.full)} and ${two(verified.full)}.`;
  return el(
    "div",
    { class: "asked" },
    svg(
      "svg",
      { "aria-hidden": "true" },
      svg("rect", { class: "groove", x: "0", y: "5", width: "100%", height: "6", rx: "3" }),
      svg("rect", { class: "between", x: "0", y: "3", width: percent(delta), height: "10" }),
      tick(plausible.delta),
      tick(verified.delta),
    ),
    el("p", {}, words),
  );
}

function percent(value: number): string {
  return `${(Math.min(Math.max(value, 0), 1) * 100).toFixed(3)}%`;
}

/** Where a label's text starts from, so that it stays inside the drawing. */
function anchor(value: number): string {
  return value < 0.2 ? "start" : value > 0.8 ? "end" : "middle";
}
