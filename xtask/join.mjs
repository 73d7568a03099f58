// Joins what the package's entry for Node loads at once into one file, and leaves a line in the place of each: to find
// and read thirty small files takes Node longer than the module's compilation.
//
// Usage: node join.mjs FOLDER
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";

const folder = resolve(process.argv[2]);
const require = createRequire(join(folder, "node.js"));
require("./node.js");
// What is loaded by a first use alone is not in it, nor is the module's glue, which lies beside the module.
const files = Object.keys(require.cache).filter((path) => path.startsWith(join(folder, "/")));
const relativeTo = (from, path) => {
  const name = relative(from, path).replaceAll("\\", "/");
  return name.startsWith(".") ? name : `./${name}`;
};
const named = (path, from = folder) => JSON.stringify(relativeTo(from, path));

// One after the other, as each is asked for: they stay files to one another.
const entries = files.map((path) => `get ${named(path)}() { return require(${named(path)}); },`);
const joined = join(folder, "joined.js");
await build({
  stdin: { contents: `module.exports = {\n${entries.join("\n")}\n};\n`, resolveDir: folder },
  outfile: joined,
  // What it says of where a file was is the same wherever the package is made.
  absWorkingDir: folder,
  bundle: true,
  platform: "node",
  logLevel: "warning",
  plugins: [
    {
      name: "the others stay where they are",
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
          const file = resolve(resolveDir, path);
          return files.includes(file) ? undefined : { path: relativeTo(folder, file), external: true };
        }),
    },
  ],
});

for (const path of files) {
  // Node reads the names that a file exports from its text when it is imported.
  const names = Object.keys(require(path)).join(", ");
  const stub = `"use strict";\nconst joined = require(${named(joined, dirname(path))});\nmodule.exports = joined[${named(path)}];\n0 && (module.exports = { ${names} });\n`;
  writeFileSync(path, stub);
}
