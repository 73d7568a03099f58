// What the page's frame needs only once a panel stands: the list of keys, what was typed in reach when a program has
// failed, the way to a message, and that the page works without a network. boot.js loads it then.
const PANELS = ["app", "outputs"];

const element = (id) => document.getElementById(id);

document.querySelector("main").insertAdjacentHTML(
  "beforebegin",
  `<p id="update" role="status" hidden>
    A new version of the playground is there.
    <button type="button" id="update-now" class="link">Take it: what you typed is kept</button>
  </p>`,
);
document.querySelector("main").insertAdjacentHTML(
  "afterbegin",
  `<section id="rescue" aria-label="What you typed" hidden>
    <label for="rescue-text">What you typed, to be copied</label>
    <textarea id="rescue-text" class="mono" rows="12" readonly></textarea>
    <div class="copies">
      <button type="button" id="rescue-copy" class="primary">Copy it</button>
      <button type="button" id="rescue-reload" class="quiet">Reload the page</button>
      <p id="rescue-told" class="aside" role="status"></p>
    </div>
  </section>`,
);
document.body.insertAdjacentHTML(
  "beforeend",
  `<dialog id="keys" aria-labelledby="keys-title">
    <header>
      <h2 id="keys-title">Keys</h2>
      <button type="button" class="quiet small" data-closes>Close</button>
    </header>
    <dl>
      <div><dt><kbd>Ctrl</kbd> <kbd>Enter</kbd></dt><dd>run both passes, or check</dd></div>
      <div><dt><kbd>Esc</kbd></dt><dd>cancel the run, close a dialog</dd></div>
      <div><dt><kbd>Ctrl</kbd> <kbd>Z</kbd></dt><dd>undo, outside of text fields</dd></div>
      <div><dt><kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>Z</kbd></dt><dd>redo</dd></div>
      <div><dt><kbd>Alt</kbd> <kbd>↑</kbd> <kbd>↓</kbd></dt><dd>move the span up or down</dd></div>
      <div><dt><kbd>?</kbd></dt><dd>this list</dd></div>
    </dl>
    <p class="aside">On a Mac, <kbd>⌘</kbd> does what <kbd>Ctrl</kbd> does.</p>
  </dialog>`,
);

addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("textarea, select, input:not([type=radio], [type=checkbox])");
  if (event.key === "?" && !typing && !document.querySelector("dialog[open]")) element("keys").showModal();
});

/* The way to a message leads to its field: that may lie in a fold, and its message is told at it. */

addEventListener("click", (event) => {
  const note = event.target.closest(".pointer a")?.hash.slice(1);
  const field = note && document.querySelector(`[aria-describedby="${note}"]`);
  if (!field) return;
  event.preventDefault();
  field.closest("details")?.setAttribute("open", "");
  field.focus();
  element(note).scrollIntoView({ block: "nearest" });
});

/* A program that has failed cannot be spoken to any more. What was typed is still in the fields. It has
   failed by a trap, or by an error that went through it and that nobody caught. */

const isOfProgram = (error) =>
  error instanceof WebAssembly.RuntimeError || /_bg\.wasm|wasm-function/.test(error?.stack);

/** Which program a fault is of: the innermost one, where they call each other. */
const programOf = (error) => error?.stack?.match(/claimgauge-\w+(?=\.js|_bg\.wasm)/)?.[0];

/** The drawer has a place of its own: when its program fails, the page works on. */
function giveUpDrawer() {
  const { dataset } = element("drawer");
  if (dataset.failed) return;
  dataset.failed = "true";
  const place = element("drawer-place");
  // A panic has written its own message by now.
  if (place.childElementCount === 0 && place.textContent) return;
  place.textContent =
    "This part has run into a fault of its own and stopped. The page works on; reload it to have this part again.";
}

/** Keeps what was typed in reach where an error is a program's end. */
export function rescue(error, programs) {
  if (!isOfProgram(error)) return;
  if (programOf(error) === programs.drawer) return giveUpDrawer();
  if (!element("rescue").hidden) return;
  document.querySelector("dialog[open]")?.close();
  const trouble = element("trouble");
  if (trouble.hidden) {
    trouble.textContent = `The playground has run into a fault of its own and stopped. (${error.message})`;
    trouble.hidden = false;
  }
  const fields = document.querySelectorAll("main textarea:not([readonly]), main input[type=text], main input[type=url]");
  const typed = [...fields].filter((field) => field.value && field.checkVisibility());
  const name = (field) => field.ariaLabel ?? field.labels[0]?.textContent.trim();
  const text = element("rescue-text");
  text.value = typed.map((field) => `${name(field)}:\n${field.value}\n`).join("\n");
  for (const id of PANELS) element(id).hidden = true;
  element("rescue").hidden = false;
  text.focus();
}

element("rescue-copy").onclick = async () => {
  const text = element("rescue-text");
  text.select();
  const copied = await navigator.clipboard?.writeText(text.value).then(() => true, () => false);
  element("rescue-told").textContent = copied ? "Copied." : "It is selected: copy it from there.";
};
element("rescue-reload").onclick = () => location.reload();

/* Without a network: sw.js keeps the page's own files, all of one version. */

async function keepFiles() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const registration = await workers.register("./sw.js");
  const offer = () => {
    if (workers.controller && registration.waiting) element("update").hidden = false;
  };
  offer();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  let known = workers.controller;
  workers.addEventListener("controllerchange", () => {
    if (known) location.reload();
    known = workers.controller;
  });
  element("update-now").onclick = () => registration.waiting?.postMessage("take over");
}

// Where the browser keeps no files, the page needs its network.
keepFiles().catch(() => {});
