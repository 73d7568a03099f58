// Shows the panel that the address names and starts it when it is first shown, or says why it did
// not start. Each is a program of its own: nobody waits for one that is not open.
const PROGRAMS = { app: "claimgauge-web", outputs: "claimgauge-outputs" };

const started = new Set();

// The places that lead to a panel: its own name, and everything inside it.
function named() {
  return location.hash.startsWith("#outputs") ? "outputs" : "app";
}

function show() {
  const open = named();
  for (const id of Object.keys(PROGRAMS)) document.getElementById(id).hidden = id !== open;
  for (const link of document.querySelectorAll("[data-panel]")) {
    if (link.dataset.panel === open) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!started.has(open)) start(open);
}

async function start(id) {
  started.add(id);
  const program = PROGRAMS[id];
  try {
    // The module is on its way while its script is read.
    const wasm = fetch(`./${program}_bg.wasm`);
    const [{ default: init }] = await Promise.all([import(`./${program}.js`), styled(id)]);
    await init({ module_or_path: wasm });
  } catch (error) {
    started.delete(id);
    const trouble = document.getElementById("trouble");
    // A panic in the playground has written its own message by now.
    if (!trouble.hidden) return;
    trouble.textContent =
      `The playground could not be loaded. Reload the page; where that does not help, the browser may be too old or WebAssembly switched off. (${error})`;
    trouble.hidden = false;
    document.querySelector(`#${id} .loading`)?.remove();
  }
}

/** Resolves when the panel's own styles are there; the first panel has none. */
function styled(id) {
  if (id === "app") return undefined;
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = `./${id}.css`;
    link.onload = resolve;
    link.onerror = () => reject(new Error(`${link.href} is missing`));
    document.head.append(link);
  });
}

addEventListener("hashchange", show);
show();
