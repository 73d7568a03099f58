// Shows the demo that the address asks for: embed.html?example=worked&editable, or embed.html#example=worked.
// What stands behind # comes first, and may change while the page is open.
import "./claimgauge/dist/web/demo/index.js";

const demo = document.querySelector("claimgauge-demo");

function show() {
  const asked = new Map([...new URLSearchParams(location.search), ...new URLSearchParams(location.hash.slice(1))]);
  if (!asked.has("example")) asked.set("example", "worked");
  for (const name of ["example", "judge", "editable", "theme"]) {
    if (asked.has(name)) demo.setAttribute(name, asked.get(name));
    else demo.removeAttribute(name);
  }
}

addEventListener("hashchange", show);
show();
