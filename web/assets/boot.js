// The frame around the programs: shows the panel that the address names and starts it when it is first
// shown, opens dialogs, keeps what was typed in reach when a program has failed, and sees to it that the
// page works without a network. Each program is loaded when it is needed: nobody waits for one that is not.
const PROGRAMS = { app: "claimgauge-web", outputs: "claimgauge-outputs", drawer: "claimgauge-drawer" };
const PANELS = ["app", "outputs"];
// Where each of the others stands: what keeps it from being there is told in its place.
const PLACES = { outputs: "outputs", drawer: "drawer-place" };

const element = (id) => document.getElementById(id);
const started = new Map();
const sheets = new Map();
const failed = new Set();
let failures = 0;

// The places that lead to a panel: its own name, and everything inside it.
function named() {
  return location.hash.startsWith("#outputs") ? "outputs" : "app";
}

async function show() {
  const open = named();
  for (const id of PANELS) element(id).hidden = id !== open;
  for (const link of document.querySelectorAll("[data-panel]")) {
    if (link.dataset.panel === open) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  await start(open);
  // What reads a shared link is in the drawer's program; the page is who takes what it reads.
  if (location.hash.startsWith("#share=") && started.has(open)) await start("drawer");
}

/** Starts a program unless it has been; where it could not be loaded, the next time tries again. */
function start(id) {
  if (!started.has(id)) started.set(id, load(id));
  return started.get(id);
}

async function load(id) {
  const program = PROGRAMS[id];
  try {
    // Browsers keep a script that could not be loaded by its address. The first program's has to be its own, as its
    // parts import it.
    const again = failures && PLACES[id] ? `?again=${failures}` : "";
    // The module is on its way while its script is read.
    const wasm = fetch(`./${program}_bg.wasm`);
    const [{ default: init }] = await Promise.all([import(`./${program}.js${again}`), styled(id)]);
    await init({ module_or_path: wasm });
  } catch (error) {
    started.delete(id);
    failures += 1;
    if (PLACES[id]) return offerAgain(id);
    document.querySelector("dialog[open]")?.close();
    const trouble = element("trouble");
    // A panic in the playground has written its own message by now.
    if (!trouble.hidden) return;
    trouble.textContent =
      `The playground could not be loaded. Reload the page; where that does not help, the browser may be too old or WebAssembly switched off. (${error})`;
    trouble.hidden = false;
    document.querySelector("#app > .loading")?.remove();
  }
}

/** What is not the page's first has a place of its own, where it is tried again. */
function offerAgain(id) {
  const said = document.createElement("p");
  said.className = "loading";
  said.setAttribute("role", "alert");
  const again = document.createElement("button");
  again.type = "button";
  again.className = "link";
  again.textContent = "Try again";
  again.onclick = () => {
    said.textContent = "Loading …";
    start(id);
  };
  said.append("This part could not be loaded. Is there a network? ", again);
  element(PLACES[id]).replaceChildren(said);
  // A link has it started with nothing open.
  if (id === "drawer" && !element(id).open) element(id).showModal();
}

/** Resolves when the styles that a program has beside the page's are there; the first has none. */
function styled(id) {
  return id === "app" ? undefined : Promise.all(["results", id].map(sheet));
}

/** Resolves when a sheet is there; one that could not be loaded is tried again the next time. */
function sheet(name) {
  if (!sheets.has(name)) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = `./${name}.css`;
    const loaded = new Promise((resolve, reject) => {
      link.onload = resolve;
      link.onerror = () => {
        link.remove();
        sheets.delete(name);
        reject(new Error(`${link.href} is missing`));
      };
    });
    document.head.append(link);
    sheets.set(name, loaded);
  }
  return sheets.get(name);
}

/* Dialogs: the browser keeps the focus in an open one and closes it on Escape. */

function openDialog(id) {
  const dialog = element(id);
  if (dialog.open) return;
  dialog.showModal();
  if (id !== "drawer") return;
  if (failed.has(id)) return;
  if (started.has(id)) dispatchEvent(new Event("drawer-opened"));
  else start(id);
}

addEventListener("click", (event) => {
  const { target } = event;
  const opener = target.closest("[data-opens]");
  const note = target.closest(".pointer a")?.hash.slice(1);
  const field = note && document.querySelector(`[aria-describedby="${note}"]`);
  if (opener) openDialog(opener.dataset.opens);
  else if (field) {
    // It may lie in a fold. Its message is told at it.
    event.preventDefault();
    field.closest("details")?.setAttribute("open", "");
    field.focus();
    element(note).scrollIntoView({ block: "nearest" });
  }
  // What lies around an open dialog counts as the dialog itself.
  else if (target.closest("[data-closes]") || target.matches("dialog")) target.closest("dialog").close();
});

addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("textarea, select, input:not([type=radio], [type=checkbox])");
  if (event.key === "?" && !typing && !document.querySelector("dialog[open]")) openDialog("keys");
});

/* A program that has failed cannot be spoken to any more. What was typed is still in the fields. It has
   failed by a trap, or by an error that went through it and that nobody caught. */

const isOfProgram = (error) =>
  error instanceof WebAssembly.RuntimeError || /_bg\.wasm|wasm-function/.test(error?.stack);

/** Which program a fault is of: the innermost one, where they call each other. */
const programOf = (error) => error?.stack?.match(/claimgauge-\w+(?=\.js|_bg\.wasm)/)?.[0];

/** The drawer has a place of its own: when its program fails, the page works on. */
function giveUpDrawer() {
  if (failed.has("drawer")) return;
  failed.add("drawer");
  const place = element("drawer-place");
  // A panic has written its own message by now.
  if (place.childElementCount === 0 && place.textContent) return;
  place.textContent =
    "This part has run into a fault of its own and stopped. The page works on; reload it to have this part again.";
}

function rescue(error) {
  if (!isOfProgram(error)) return;
  if (programOf(error) === PROGRAMS.drawer) return giveUpDrawer();
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

addEventListener("error", ({ error }) => rescue(error));
addEventListener("unhandledrejection", ({ reason }) => rescue(reason));
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

// The program asks for it when a model file is picked.
globalThis.modelFile = () => import("./model-file.js");
// And for what its later part looks like.
globalThis.resultStyles = () => sheet("results");

addEventListener("hashchange", show);
// Where the browser keeps no files, the page needs its network.
show().then(keepFiles).catch(() => {});
