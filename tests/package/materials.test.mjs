// The list of what is shipped is what CycloneDX's own schema wants.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Ajv } from "ajv";

const folder = join(dirname(fileURLToPath(import.meta.resolve("@cyclonedx/cyclonedx-library/package.json"))), "res/schema");
const schema = async (name) => JSON.parse(await readFile(join(folder, `${name}.SNAPSHOT.schema.json`), "utf8"));

test("the list of what is shipped is what CycloneDX wants, and holds crates and what the site carries of npm's", async () => {
  const list = JSON.parse(await readFile(process.env.CLAIMGAUGE_MATERIALS, "utf8"));
  // Formats such as that of a mail's address stand nowhere in it.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ["spdx", "jsf-0.82", "cryptography-defs"]) {
    ajv.addSchema(await schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  const fits = ajv.compile(await schema("bom-1.6"));
  assert.ok(fits(list), JSON.stringify(fits.errors));
  assert.ok(!fits({ ...list, components: [{ ...list.components[0], purl: 1 }] }));

  const purls = list.components.map(({ purl }) => purl);
  assert.ok(purls.length > 100, `${purls.length} components`);
  for (const part of ["pkg:cargo/claimgauge-core@", "pkg:cargo/leptos@", "pkg:npm/%40wllama/wllama@"]) {
    assert.equal(purls.filter((purl) => purl.startsWith(part)).length, 1, part);
  }
});
