// Starts the playground, or says why it did not start.
import init from "./claimgauge-web.js";

init().catch((error) => {
  const trouble = document.getElementById("trouble");
  // A panic in the playground has written its own message by now.
  if (!trouble.hidden) return;
  trouble.textContent =
    `The playground could not be loaded. Reload the page; where that does not help, the browser may be too old or WebAssembly switched off. (${error})`;
  trouble.hidden = false;
  document.querySelector(".loading")?.remove();
});
