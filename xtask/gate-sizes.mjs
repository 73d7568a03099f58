// Prints the sizes that have a gate, as NAME=KB: of the package's first module and of the component by gzip, of all of the
// package's files, of which it tells how many there are, and of
// what the playground loads before anybody does anything by brotli. Arguments: the package's folder, the component, the
// site's folder.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** The programs of the panel that is shown first and of its scrub, which works in a worker from the start;
 * boot.js and the first run load the others. */
const FIRST = ["claimgauge-web.js", "worker.js"];

const [npmPackage, component, site] = process.argv.slice(2);
const module = readFileSync(join(npmPackage, "dist/wasm/claimgauge_bg.wasm"));
print("module_gzip", gzipSync(module, { level: 9 }).length);
const files = readdirSync(npmPackage, { recursive: true }).map((name) => statSync(join(npmPackage, name))).filter((one) => one.isFile());
print("package_unpacked", files.reduce((sum, { size }) => sum + size, 0));
console.log(`package_files=${files.length}`);
print("component_gzip", gzipSync(readFileSync(component), { level: 9 }).length);
if (site) {
  const loaded = firstLoad(site).map((name) => brotliCompressSync(readFileSync(join(site, name))).length);
  print("playground_brotli", loaded.reduce((sum, size) => sum + size));
}

function print(name, bytes) {
  console.log(`${name}=${bytes / 1000}`);
}

/** The page, the files that it names, the first panel's program, what their scripts import at once, and the
 * module beside each script. */
function firstLoad(folder) {
  const read = (name) => readFileSync(join(folder, name), "utf8");
  const there = (name) => existsSync(join(folder, name));
  const page = read("index.html");
  const names = [...page.matchAll(/["'](?:\.?\/)?([\w./-]+\.(?:css|js|svg|wasm|woff2))["']/g)].map(([, name]) => name);
  const files = new Set(["index.html", ...[...names, ...FIRST].filter(there)]);
  for (const name of files) {
    if (name.endsWith(".js")) {
      const imported = [...read(name).matchAll(/^\s*(?:import|export)\b[^;]*?["'](\.[^"']+\.js)["']/gm)];
      const beside = name.replace(/\.js$/, "_bg.wasm");
      [...imported.map(([, path]) => join(dirname(name), path)), beside].filter(there).forEach((file) => files.add(file));
    }
  }
  if (![...files].some((name) => name.endsWith(".wasm"))) {
    throw new Error(`${folder} has no module for ${FIRST[0]}: what the page loads first has another name`);
  }
  return [...files];
}
