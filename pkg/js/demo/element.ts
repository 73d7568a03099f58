import { ClaimgaugeError } from "../error.js";
import { checked, example, parsed, type DemoData, type DemoJudge } from "./data.js";
import { View } from "./view.js";

/** Where there is no document there is nothing to extend, and nothing to show. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * `<claimgauge-demo>`: what a scrub takes out of evidence, both judgements of each claim, and the delta.
 *
 * It shows the property `data`; without one the JSON in a child `<script type="application/json">`; without that
 * the example that the attribute `example` names. JSON stands in a child and not in an attribute, as there it
 * needs no escapes, may be long, and is no code to any content security policy. What else the element holds is
 * shown where it is not defined, or cannot be loaded.
 */
export class ClaimgaugeDemo extends Base {
  static readonly observedAttributes = ["example", "judge", "editable", "theme"];

  #data: DemoData | null = null;
  #view: View | undefined;
  #observer: MutationObserver | undefined;
  #loads = 0;

  /** What it shows in place of its JSON or example; null where it shows those. */
  get data(): DemoData | null {
    return this.#data;
  }

  set data(data: DemoData | null | undefined) {
    this.#data = data ?? null;
    void this.#load();
  }

  /** The name of the example that it shows. */
  get example(): string | null {
    return this.getAttribute("example");
  }

  set example(name: string | null) {
    this.#reflect("example", name);
  }

  /** Who answers, whatever the data says. */
  get judge(): DemoJudge | null {
    const judge = this.getAttribute("judge");
    return judge === "recorded" || judge === "builtin" ? judge : null;
  }

  set judge(judge: DemoJudge | null) {
    this.#reflect("judge", judge);
  }

  /** Whether evidence and claims can be edited. */
  get editable(): boolean {
    return this.hasAttribute("editable");
  }

  set editable(editable: boolean) {
    this.toggleAttribute("editable", editable);
  }

  /** Light or dark; null where it is as the page. */
  get theme(): "light" | "dark" | null {
    const theme = this.getAttribute("theme");
    return theme === "light" || theme === "dark" ? theme : null;
  }

  set theme(theme: "light" | "dark" | null) {
    this.#reflect("theme", theme);
  }

  connectedCallback(): void {
    this.#takeEarlyData();
    this.#observer ??= new MutationObserver(() => void this.#load());
    this.#observer.observe(this, { childList: true, characterData: true, subtree: true });
    const view = (this.#view ??= new View(this.attachShadow({ mode: "open" })));
    // A page that says nothing of schemes is light to the browser, whatever its reader prefers: then the reader decides.
    const silent = getComputedStyle(this).colorScheme === "normal" && document.querySelector("meta[name=color-scheme]") === null;
    view.followReader(silent);
    // What was edited stays where the element is only moved.
    if (view.hasData) view.follow();
    else void this.#load();
  }

  disconnectedCallback(): void {
    this.#observer?.disconnect();
    this.#view?.stop();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return;
    if (name === "example") void this.#load();
    else if (name !== "theme") this.#view?.set({ judge: this.judge, editable: this.editable });
  }

  async #load(): Promise<void> {
    const view = this.#view;
    if (!this.isConnected || view === undefined) return;
    const load = ++this.#loads;
    try {
      const data = await this.#read();
      if (load === this.#loads) await view.show(data, { judge: this.judge, editable: this.editable });
    } catch (error) {
      if (load === this.#loads) view.refuse(error);
    }
  }

  async #read(): Promise<DemoData> {
    if (this.#data !== null) return checked(this.#data);
    const json = this.querySelector('script[type="application/json"]');
    if (json !== null) return checked(parsed(json.textContent));
    if (this.example !== null) return example(this.example);
    throw new ClaimgaugeError({
      code: "no_data",
      message: "There is nothing to show",
      hint: 'Give the attribute example="worked", or a child <script type="application/json">.',
    });
  }

  /** A property that was set before the element was defined hides the accessor. */
  #takeEarlyData(): void {
    if (!Object.hasOwn(this, "data")) return;
    const early = this.data;
    Reflect.deleteProperty(this, "data");
    this.#data = early;
  }

  #reflect(name: string, value: string | null): void {
    if (value === null) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }
}
