// The frame around the programs: shows the panel that the address names and starts it when it is first
// shown, and opens dialogs. Each program is loaded when it is needed: nobody waits for one that is not. What
// the frame itself does not need before a panel stands is in after.js, which comes then.
const PROGRAMS = { app: "claimgauge-web", outputs: "claimgauge-outputs", drawer: "claimgauge-drawer" };
const PANELS = ["app", "outputs"];
// Where each of the others stands: what keeps it from being there is told in its place.
const PLACES = { outputs: "outputs", drawer: "drawer-place" };

const element = (id) => document.getElementById(id);
const started = new Map();
const sheets = new Map();
let failures = 0;
// Whether it is said that the first program is not there.
let isMissing = false;

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
  const waits = document.querySelector("#app > .loading");
  if (waits) waits.hidden = false;
  try {
    // Browsers keep a script that could not be loaded by its address. The first program's has to be its own, as its
    // parts import it.
    const again = failures && PLACES[id] ? `?again=${failures}` : "";
    // The module is on its way while its script is read.
    const wasm = fetch(`./${program}_bg.wasm`);
    const [{ default: init }] = await Promise.all([import(`./${program}.js${again}`), styled(id)]);
    await init({ module_or_path: wasm });
    // What works now is not told to be missing.
    if (isMissing && PANELS.includes(id)) {
      element("trouble").hidden = true;
      isMissing = false;
    }
  } catch (error) {
    started.delete(id);
    failures += 1;
    if (PLACES[id]) return offerAgain(id);
    document.querySelector("dialog[open]")?.close();
    if (waits) waits.hidden = true;
    const trouble = element("trouble");
    // A panic in the playground has written its own message by now.
    if (!trouble.hidden) return;
    // Browsers throw that where a file does not come.
    const why = error instanceof TypeError
      ? "Is there a network? Then reload the page."
      : "The browser may be too old, or WebAssembly switched off.";
    trouble.textContent = `The playground could not be loaded. ${why} (${error})`;
    trouble.hidden = false;
    isMissing = true;
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
  // One that is in after.js.
  if (!dialog) return after().then((it) => it && openDialog(id));
  if (dialog.open) return;
  dialog.showModal();
  // Its program has failed.
  if (id !== "drawer" || dialog.dataset.failed) return;
  if (started.has(id)) dispatchEvent(new Event("drawer-opened"));
  else start(id);
}

addEventListener("click", ({ target }) => {
  const opener = target.closest("[data-opens]");
  if (opener) openDialog(opener.dataset.opens);
  // What lies around an open dialog counts as the dialog itself.
  else if (target.closest("[data-closes]") || target.matches("dialog")) target.closest("dialog").close();
});

/* What nobody waits for. */

let rest;

/** The rest of the frame; where it could not be loaded, the next time tries again. */
async function after() {
  rest ??= Promise.all([import("./after.js"), sheet("after")]);
  try {
    return (await rest)[0];
  } catch {
    rest = undefined;
  }
}

const rescue = async (error) => (await after())?.rescue(error, PROGRAMS);

addEventListener("error", ({ error }) => rescue(error));
addEventListener("unhandledrejection", ({ reason }) => rescue(reason));

// The program asks for it when a model file is picked.
globalThis.modelFile = () => import("./model-file.js");
// And for what its later part looks like.
globalThis.resultStyles = () => sheet("results");

addEventListener("hashchange", show);
show().then(after);
