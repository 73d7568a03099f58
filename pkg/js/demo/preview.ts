// What the scrubbed pass sees: each placeholder in its place, and what it hides.
import type { Replacement, Scrubbed, Span } from "../types.js";
import { el } from "./dom.js";

/** How much is drawn: a page stays quick whatever is pasted. */
const MOST_CHARACTERS = 20_000;
const MOST_MARKS = 500;

/** Kinds that are alike have one colour; the word in the placeholder tells them apart. */
const FAMILIES: Record<string, string> = Object.fromEntries(
  Object.entries({
    data: "TABLE FIELD COL SCHEMA DB INDEX CONSTRAINT DTYPE",
    code: "CLASS FUNC METHOD VAR TYPE MODULE PKG",
    place: "PATH URL ENDPOINT LINE",
    setting: "CONFIG PARAM CMD VERSION",
    security: "CVE VULN ATTACK ALGO KEY SECRET PERM ROLE",
  }).flatMap(([family, kinds]) => kinds.split(" ").map((kind) => [kind, family])),
);

const WHY: Record<Replacement["why"], string> = {
  claim: "a claim names it",
  glossary: "the glossary names it",
  structure: "it stands where one stands",
  shape: "it looks like one",
  secret: "it is a secret, hidden in both passes",
};

const LEVELS = {
  whole: "as it is",
  form: "in another form",
  part: "as a part of a longer word",
  derived: "in something made from it",
};

/** The evidence as the scrubbed pass has it; `originals` are the same spans before. */
export function preview(originals: Pick<Span, "text" | "source">[], scrubbed: Scrubbed): Node {
  const lens = el("p", { class: "lens", "aria-live": "polite" });
  const marks = new Marks(lens);
  let left = MOST_CHARACTERS;
  const spans = scrubbed.spans.map(({ id }, at) => {
    const { text = "", source = null } = originals[at] ?? {};
    const own = scrubbed.replacements.filter((replacement) => replacement.span === id);
    const field = (name: Replacement["field"]) => own.filter((replacement) => replacement.field === name);
    const drawn = marks.cut(text, field("text"), left);
    left -= drawn.length;
    return el(
      "div",
      { class: "span" },
      el("p", { class: "span-head" }, el("b", {}, id), " ", ...marks.cut(source ?? "", field("source"), 200).nodes),
      el("p", { class: "span-text" }, ...drawn.nodes, drawn.length < text.length && el("i", {}, " … the rest is scrubbed too, and not drawn here")),
    );
  });
  const total = scrubbed.replacements.length;
  lens.append(total > 0 ? "Point at a placeholder, or move to it by keyboard, to see what it hides." : "Nothing here is named by a claim or an identifier of this profile.");
  const group = el("div", { class: "spans", role: "group", "aria-label": `Scrubbed evidence, ${total} replacements. Arrow keys move between placeholders.` }, ...spans);
  group.addEventListener("keydown", (event) => marks.step(event));
  const leaks = scrubbed.leaks.slice(0, 8).map(({ term, level }) => el("li", {}, el("code", {}, term), ` ${LEVELS[level]}`));
  const result = document.createDocumentFragment();
  result.append(group, lens);
  if (leaks.length > 0) result.append(el("div", { class: "leaks" }, el("b", {}, "Still readable"), el("ul", {}, ...leaks)));
  return result;
}

/** All placeholders of a preview: one stop on the way by Tab. */
class Marks {
  readonly #lens: HTMLElement;
  readonly #all: { mark: HTMLElement; replacement: Replacement }[] = [];

  constructor(lens: HTMLElement) {
    this.#lens = lens;
  }

  /** A text with marks in it, as far as it is drawn: nothing after the last mark that has room may be shown. */
  cut(text: string, replacements: Replacement[], most: number): { nodes: Node[]; length: number } {
    const nodes: Node[] = [];
    let at = 0;
    for (const replacement of replacements) {
      if (replacement.end > most || this.#all.length >= MOST_MARKS) return { nodes, length: at };
      nodes.push(new Text(text.slice(at, replacement.start)), this.#mark(replacement));
      at = replacement.end;
    }
    const end = Math.max(at, Math.min(most, text.length));
    nodes.push(new Text(text.slice(at, end)));
    return { nodes, length: end };
  }

  /** The arrow keys, Home and End move between placeholders. */
  step(event: KeyboardEvent): void {
    const here = this.#all.findIndex(({ mark }) => mark === event.target);
    const last = this.#all.length - 1;
    const next = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, Home: 0, End: last }[event.key];
    const to = this.#all[next ?? -1];
    if (here < 0 || to === undefined) return;
    event.preventDefault();
    this.#all.forEach(({ mark }) => (mark.tabIndex = mark === to.mark ? 0 : -1));
    to.mark.focus();
  }

  #mark(replacement: Replacement): HTMLElement {
    const { placeholder, kind, text } = replacement;
    // A button element would let a line break stand between it and the text that it touches.
    const mark = el(
      "span",
      { role: "button", class: `mark ${FAMILIES[kind] ?? "value"}`, "aria-label": `${placeholder} hides ${text}`, tabindex: this.#all.length === 0 ? "0" : "-1" },
      placeholder.replace(/^\[|\]$/g, ""),
    );
    for (const event of ["focus", "mouseenter", "click"]) mark.addEventListener(event, () => this.#look(placeholder));
    this.#all.push({ mark, replacement });
    return mark;
  }

  /** Says what a placeholder hides, and lights it up in all its places. */
  #look(placeholder: string): void {
    const places = this.#all.filter(({ replacement }) => replacement.placeholder === placeholder);
    this.#all.forEach(({ mark, replacement }) => mark.classList.toggle("lit", replacement.placeholder === placeholder));
    const forms = [...new Set(places.map(({ replacement }) => replacement.text))].slice(0, 6);
    const count = places.length === 1 ? "one place" : `${places.length} places`;
    const why = places[0] && WHY[places[0].replacement.why];
    this.#lens.replaceChildren(el("b", {}, placeholder), " hides ", ...forms.flatMap((form) => [el("q", {}, form), " "]), `in ${count}: ${why}.`);
  }
}
