// Prints the sizes that have a gate, as NAME=KB: of the package's first module by gzip, and of what the
// playground loads before anybody does anything by brotli. Arguments: the package's folder, the site's.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const [npmPackage, site] = process.argv.slice(2);
const module = readFileSync(join(npmPackage, "dist/wasm/claimgauge_bg.wasm"));
print("module_gzip", gzipSync(module, { level: 9 }).length);
if (site) {
  const loaded = firstLoad(site).map((name) => brotliCompressSync(readFileSync(join(site, name))).length);
  print("playground_brotli", loaded.reduce((sum, size) => sum + size));
}

function print(name, bytes) {
  console.log(`${name}=${bytes / 1000}`);
}

/** The page, the files that it names, and the module beside each script. */
function firstLoad(folder) {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const named = [...page.matchAll(/["'](?:\.?\/)?([\w./-]+\.(?:css|js|mjs|svg|wasm|woff2))["']/g)].map(([, name]) => name);
  const modules = named.map((name) => name.replace(/\.m?js$/, "_bg.wasm"));
  const files = new Set(["index.html", ...named, ...modules]);
  return [...files].filter((name) => existsSync(join(folder, name)));
}
