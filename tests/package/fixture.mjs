// An empty project with the packed package in it: what a user has. Its path has a space and letters
// beyond ASCII.
import { execFile, spawn } from "node:child_process";
import { access, chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** Reads one of the shared vectors. */
export async function vectors(name) {
  const text = await readFile(join(root, "tests/vectors", name), "utf8");
  return name.endsWith(".json") ? JSON.parse(text) : text;
}

/** The text of a file of this project. */
export function source(path) {
  return readFile(join(root, path), "utf8");
}

/** The TypeScript compiler of the suites. */
export function tsc(...args) {
  return run(process.execPath, [join(root, "tests/node_modules/typescript/bin/tsc"), ...args]).catch((error) => {
    throw new Error(`tsc: ${error.stdout}${error.stderr}`);
  });
}

/** Where the suites' own packages lie, types among them. */
export const nodeModules = join(root, "tests/node_modules");

/** A Node for packages that ask for one newer than this may be: 22.22 or newer, this one where it is. */
export async function newerNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 22)) return process.execPath;
  const node = join(nodeModules, `node-${process.platform}-${process.arch}/bin/node`);
  await access(node);
  return node;
}

/** The packed package. */
export async function tarball() {
  return process.env.CLAIMGAUGE_TARBALL ?? join(root, `target/npm/claimgauge-${await version()}.tgz`);
}

/**
 * Installs the package; `remove` takes it away. npm takes seconds for it: `byNpm` is for those who look at what npm makes,
 * for all others the file is unpacked to where npm puts it.
 */
export async function install({ byNpm = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "claim gäuge-"));
  await writeFile(join(folder, "package.json"), "{}\n");
  const require = createRequire(join(folder, "index.js"));
  const package_ = join(folder, "node_modules/claimgauge");
  if (byNpm) {
    await run("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", await tarball()], { cwd: folder });
  } else {
    await mkdir(package_, { recursive: true });
    await run("tar", ["-xzf", await tarball(), "--strip-components=1"], { cwd: package_ });
    const { bin } = require("claimgauge/package.json");
    await chmod(join(package_, bin.claimgauge), 0o755);
    await mkdir(join(folder, "node_modules/.bin"));
    await symlink(join("../claimgauge", bin.claimgauge), join(folder, "node_modules/.bin/claimgauge"));
  }
  return {
    folder,
    package: package_,
    require,
    /** Imports one of the package's files, or with a dot-free name one of its entries. */
    file: (path) => import(pathToFileURL(join(package_, path)).href),
    /** Runs a script of ESM in the project and returns what it prints. */
    async script(text, ...flags) {
      const file = join(folder, `script-${Math.random().toString(36).slice(2)}.mjs`);
      await writeFile(file, text);
      const { stdout, stderr } = await run(process.execPath, [...flags, file], { cwd: folder });
      return { stdout, stderr };
    },
    /** Runs the command line; `started` is handed its process. */
    cli: (args, { input = "", env = {}, started = () => {} } = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(join(folder, "node_modules/.bin/claimgauge"), args, {
          cwd: folder,
          env: { ...process.env, CLAIMGAUGE_API_KEY: "", ...env },
        });
        const output = { stdout: "", stderr: "" };
        for (const name of ["stdout", "stderr"]) {
          child[name].setEncoding("utf8").on("data", (text) => (output[name] += text));
        }
        child.on("error", reject).on("close", (code, signal) => resolve({ code, signal, ...output }));
        child.stdin.end(input);
        started(child);
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** For the suite that calls it: the package is installed and loaded before, handed to `take`, and taken away after. */
export function usePackage(take) {
  let project;
  before(async () => {
    project = await install();
    take({ project, claimgauge: project.require("claimgauge"), judges: project.require("claimgauge/judges") });
  });
  after(() => project?.remove());
}

async function version() {
  return JSON.parse(await source("pkg/package.json")).version;
}

/**
 * The error of a scrub whose instance fails: what throws while the result is made is not expected there,
 * and nothing can be cleaned up.
 */
export async function failedInside({ scrub }, message) {
  const { of } = Array;
  Array.of = () => {
    throw new Error(message);
  };
  try {
    return await thrownBy(() => scrub({ profile: "code", evidence: ["x"] }));
  } finally {
    Array.of = of;
  }
}

/** What cannot even be asked what it is. */
export function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** The error that `act` throws or rejects with. */
export async function thrownBy(act) {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
