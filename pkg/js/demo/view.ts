import { ClaimgaugeError, wordsOf } from "../error.js";
import { builtin } from "../judges/builtin.js";
import { recorded } from "../judges/recorded.js";
import { profileOf } from "../methods.js";
import { main, more } from "../module.js";
import { two } from "../text.js";
import type { Judge, Mode, Report, VerifyRequest } from "../types.js";
import { checkRequest, verify } from "../verify.js";
import "../web-modules.js";
import type { DemoData, DemoJudge } from "./data.js";
import { el } from "./dom.js";
import { fields, same, textsOf, withTexts, type Texts } from "./fields.js";
import { finding } from "./finding.js";
import { preview } from "./preview.js";
import { css } from "./style.js";

export interface Settings {
  judge: DemoJudge | null;
  editable: boolean;
}

/** How long, in milliseconds, typing rests before the demo follows. */
const PAUSE = 250;

/** One for all demos of a page, made with the first. */
let styles: CSSStyleSheet | undefined;

/** What stands in the element's shadow. */
export class View {
  readonly #frame = el("div", { class: "demo", role: "group", "aria-busy": "true" });
  readonly #head = el("header");
  readonly #given = el("div", { class: "given" });
  readonly #note = el("p", { class: "note" });
  readonly #trouble = el("div", { class: "trouble", role: "alert", hidden: true });
  readonly #preview = el("div", { class: "preview", role: "group", "aria-label": "What the scrubbed pass sees", hidden: true });
  readonly #results = el("div", { class: "results", role: "group", "aria-label": "Verdict", hidden: true });
  readonly #loading = el("p", { class: "loading" }, "Loading …");
  readonly #fallback = el("slot", { hidden: true });
  /** Read out after an edit; a page with many demos would talk at its start otherwise. */
  readonly #told = el("p", { class: "told", role: "status" });

  #data: DemoData | undefined;
  #settings: Settings = { judge: null, editable: false };
  #texts: Texts = { evidence: [], claims: [] };
  #turn = new AbortController();
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(root: ShadowRoot) {
    if (styles === undefined) {
      styles = new CSSStyleSheet();
      styles.replaceSync(css);
    }
    root.adoptedStyleSheets = [styles];
    const above = el("div", { class: "columns" }, this.#given, this.#preview);
    this.#frame.append(this.#head, this.#loading, above, this.#note, this.#trouble, this.#results, this.#told, this.#fallback);
    root.append(this.#frame);
  }

  /** Whether it shows something that it can go on with. */
  get hasData(): boolean {
    return this.#data !== undefined;
  }

  /** Whether light or dark is as the reader prefers, and not as the page is. */
  followReader(follow: boolean): void {
    this.#frame.classList.toggle("reader", follow);
  }

  /** Shows other data. */
  async show(data: DemoData, settings: Settings): Promise<void> {
    this.stop();
    this.#data = undefined;
    // A request that is none is refused here, with its place, before anything is drawn of it.
    const turn = this.#turn;
    await main.load();
    await checkRequest(data.request);
    if (turn.signal.aborted) return;
    this.#data = data;
    this.#texts = textsOf(data.request);
    this.#settings = settings;
    const title = data.title ?? "A claim and its evidence";
    this.#frame.setAttribute("aria-label", `Demo: ${title}`);
    this.#head.replaceChildren(el("p", { class: "title" }, title), ...(data.about ? [el("p", {}, data.about)] : []));
    this.#fill();
    await this.#run(false);
  }

  set(settings: Settings): void {
    const fill = settings.editable !== this.#settings.editable;
    this.#settings = settings;
    if (this.#data === undefined) return;
    if (fill) this.#fill();
    this.follow();
  }

  /** Judges anew what it shows. */
  follow(): void {
    void this.#run(false);
  }

  /** Ends what goes on. */
  stop(): void {
    this.#turn.abort();
    this.#turn = new AbortController();
    clearTimeout(this.#rest);
  }

  /** Says in words why there is nothing to show, and shows what the element holds in place of it. */
  refuse(error: unknown): void {
    this.stop();
    this.#data = undefined;
    for (const part of [this.#head, this.#given, this.#note]) part.replaceChildren();
    delete this.#note.dataset["for"];
    this.#fail(error);
    this.#fallback.hidden = false;
  }

  #fill(): void {
    if (this.#data === undefined) return;
    const edited = (texts: Texts) => {
      this.#texts = texts;
      this.#frame.setAttribute("aria-busy", "true");
      clearTimeout(this.#rest);
      this.#rest = setTimeout(() => void this.#run(true), PAUSE);
    };
    this.#given.replaceChildren(fields(this.#data.request, this.#texts, this.#settings.editable ? edited : null));
  }

  async #run(tell: boolean): Promise<void> {
    const data = this.#data;
    if (data === undefined) return;
    this.stop();
    const { signal } = this.#turn;
    const request = withTexts(data.request, this.#texts);
    try {
      const [report] = await Promise.all([verify(request, { judge: this.#judge(data), signal }), more.load()]);
      if (signal.aborted) return;
      this.#clear();
      this.#draw(request, report);
      if (tell) this.#told.replaceChildren(report.claims.map(({ id, status, delta }) => `Claim ${id}: ${status}, delta ${two(delta)}.`).join(" "));
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #draw(request: VerifyRequest, report: Report): void {
    const { thresholds } = profileOf(request);
    const redacted = report.claims.filter(({ flags }) => flags.includes("redacted_spans")).map(({ id }) => id);
    this.#preview.replaceChildren(
      el("p", { class: "label" }, "What the scrubbed pass sees"),
      shown(request.nulls?.[0] ?? "identifiers", report),
      ...(redacted.length > 0 ? [el("p", { class: "instead" }, `Of ${redacted.join(", ")} nothing was taken out: there it sees [REDACTED] in place of each text.`)] : []),
    );
    // Where the judge leaves every claim open, the evidence is not what is missing.
    const open = report.claims.every(({ status, rule }) => status === "INCONCLUSIVE" && rule !== "not_judged");
    const advised = open && report.claims.length > 0 ? "CHECK THE JUDGE" : report.recommendation.replaceAll("_", " ");
    const advice = el("p", { class: "advice" }, el("b", {}, advised), ` ${report.rationale}`);
    this.#results.replaceChildren(...report.claims.map((found) => finding(found, thresholds)), advice);
    this.#preview.hidden = false;
    this.#results.hidden = false;
  }

  /** A recording answers for the very texts that it was made of, and for no others. */
  #judge(data: DemoData): Judge {
    const wanted = this.#settings.judge ?? data.judge ?? (data.recording ? "recorded" : "builtin");
    const edited = !same(this.#texts, textsOf(data.request));
    const back = edited && el("button", { type: "button" }, "Take the changes back");
    if (back) back.addEventListener("click", () => this.#restore(data));
    const words =
      wanted === "builtin" ? "The built-in judge answers: it checks terms and slots, and reads no sentence."
      : edited ? "The text was changed. The recorded replies are for the text as it was, so the built-in judge answers now."
      : "Recorded replies answer: a judge gave them to exactly this evidence and these claims.";
    // The button keeps the focus while the words are the same.
    const key = `${wanted} ${edited}`;
    if (this.#note.dataset["for"] !== key) {
      this.#note.dataset["for"] = key;
      this.#note.replaceChildren(words, ...(back ? [" ", back] : []));
    }
    return wanted === "recorded" && !edited ? recorded(data.recording ?? []) : builtin();
  }

  /** What was seen before is of other texts, and goes. */
  #fail(error: unknown): void {
    this.#clear();
    const { message, path, hint } = error instanceof ClaimgaugeError ? error : { message: wordsOf(error), path: "", hint: null };
    const where = path === "" ? "" : ` (${path})`;
    this.#trouble.replaceChildren(el("p", {}, el("b", {}, "This demo cannot be shown. "), `${message}${where}.`), ...(hint ? [el("p", {}, hint)] : []));
    this.#trouble.hidden = false;
    this.#told.replaceChildren();
  }

  #clear(): void {
    this.#loading.remove();
    this.#frame.removeAttribute("aria-busy");
    this.#trouble.hidden = true;
    this.#fallback.hidden = true;
    this.#preview.hidden = true;
    this.#results.hidden = true;
  }

  #restore(data: DemoData): void {
    this.#texts = textsOf(data.request);
    this.#fill();
    this.#given.querySelector("textarea")?.focus();
    void this.#run(true);
  }
}

/** What decides is the first null. */
function shown(mode: Mode, { evidence, scrub }: Report): Node {
  if (mode === "identifiers") return preview(evidence, scrub);
  return el("p", { class: "instead" }, mode === "no_evidence" ? "No evidence at all." : "[REDACTED] in place of each text and its source.");
}
