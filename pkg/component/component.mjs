// Makes a component of a module that carries its interfaces' types, and prints its size. It fails when the component
// would need anything from its host. Arguments: the module, the file to write.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { componentNew, componentWit } from "@bytecodealliance/jco-transpile/wasm-tools";

const [module, file] = process.argv.slice(2);
const component = await componentNew(readFileSync(module), []);
const imports = (await componentWit(component)).match(/^ *import (?!claimgauge:verify\/types@)\S+/gm);
if (imports) {
  console.error(`${file} imports ${imports.join(", ")}: the core must do without`);
  process.exit(1);
}
writeFileSync(file, component);
const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
console.log(`    ${file}: ${kb(component.length)}, gzip ${kb(gzipSync(component, { level: 9 }).length)}`);
