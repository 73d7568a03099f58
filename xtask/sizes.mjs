// Prints a module's size as it is stored and as it travels, and fails when the module is not valid.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

for (const path of process.argv.slice(2)) {
  const bytes = readFileSync(path);
  if (!WebAssembly.validate(bytes)) {
    console.error(`${path} is not a valid WebAssembly module`);
    process.exit(1);
  }
  const kb = (data) => `${(data.length / 1000).toFixed(1)} KB`;
  const travels = `gzip ${kb(gzipSync(bytes, { level: 9 }))}, brotli ${kb(brotliCompressSync(bytes))}`;
  console.log(`    ${basename(path)}: ${kb(bytes)}, ${travels}`);
}
