// A model file from the user's disk, run in the page by wllama (llama.cpp as a WebAssembly module). Loaded when that
// judge is chosen and a file picked, and not before. What it is asked and what it answers are OpenAI's chat
// completions as JSON, so that to the core it is one more server.
import { Wllama } from "./wllama/index.js";

/** The longest prompt with its reply, in tokens. */
const CONTEXT = 8192;

/** The module's memory has 32-bit addresses' worth of room, whatever the machine has. */
const MOST_BYTES = 4 * 1024 ** 3;

let model;
/** The number of the last file, or of the last wish for none. */
let wishes = 0;
/** Questions are answered one after the other: the model has all threads, and one context. */
let last = Promise.resolve();

const CANCELLED = "The loading was cancelled.";

/** Why there is no model, in words for people. */
class Refused extends Error {}

/**
 * Loads a file in place of the one before. `progress` is handed the share that has been read, from 0 to 1. Gives what
 * is known of the model, as JSON; rejects with words.
 */
export async function load(file, progress) {
  const wish = ++wishes;
  await free();
  await check(file);
  if (wish !== wishes) throw new Error(CANCELLED);
  const loading = new Wllama({ default: new URL("./wllama/wllama.wasm", import.meta.url).href }, { suppressNativeLog: true, logger: quiet });
  // Without what it needs it would load other files, from elsewhere.
  loading.setCompat(null);
  model = loading;
  let stop;
  const stopped = new Promise((_, reject) => (stop = reject));
  loading.stop = () => stop(new Refused(CANCELLED));
  const loaded = loading.loadModel([counted(file, progress)], { n_ctx: CONTEXT, n_parallel: 1, n_gpu_layers: 0 });
  try {
    await Promise.race([loaded, stopped]);
    // What llama.cpp refuses is no exception.
    if (!loading.getLoadedContextInfo().success) throw new Error("llama.cpp refuses it");
  } catch (error) {
    if (model === loading) model = undefined;
    // Where it has started no worker yet it does so, and ends it then; it may hang where that has failed.
    const exit = () => loading.exit().catch(none);
    void exit();
    void loaded.then(exit, exit);
    throw new Error(words(error, file));
  }
  loading.stop = undefined;
  return JSON.stringify({ name: named(loading, file), threads: loading.getNumThreads(), isolated: globalThis.crossOriginIsolated });
}

/** Ends what is on its way, and frees the memory. */
export async function unload() {
  wishes += 1;
  await free();
}

async function free() {
  const former = model;
  model = undefined;
  former?.stop?.();
  await former?.exit();
}

/** Answers a chat completion's body with its response, both JSON; rejects with words. */
export function complete(body, signal) {
  const asked = model;
  const answer = last.then(async () => {
    signal.throwIfAborted();
    if (asked === undefined || asked !== model) throw new Error("No model file is loaded.");
    try {
      return JSON.stringify(await asked.createChatCompletion({ ...JSON.parse(body), abortSignal: signal }));
    } catch (error) {
      throw new Error(words(error));
    }
  });
  last = answer.catch(() => {});
  return answer;
}

async function check(file) {
  const magic = new TextDecoder().decode(await file.slice(0, 4).arrayBuffer());
  if (magic !== "GGUF") throw new Error(`${file.name} is no GGUF file.`);
  if (file.size >= MOST_BYTES) {
    throw new Error(`${file.name} has ${(file.size / 1024 ** 3).toFixed(1)} GB; a page has room for less than 4 GB. Take a smaller model, or one that is quantised further.`);
  }
  if (!("Suspending" in WebAssembly)) {
    throw new Error("This browser cannot run model files: it lacks WebAssembly's JavaScript promise integration. Chromium 137 and newer have it.");
  }
}

/** The file, which tells how much of it has been read. */
function counted(file, progress) {
  let read = 0;
  const { slice } = Blob.prototype;
  return Object.defineProperty(file, "slice", {
    configurable: true,
    value(start, end, type) {
      read = Math.max(read, Math.min(end ?? file.size, file.size));
      progress(read / file.size);
      return slice.call(file, start, end, type);
    },
  });
}

function named(loaded, file) {
  return loaded.getModelMetadata().meta["general.name"] || file.name;
}

/** What went wrong, in words that help. */
function words(error, file) {
  const message = String(error?.message ?? error);
  if (error instanceof Refused) return message;
  if (/\b(memory|bad_alloc|allocat|out of bounds)/i.test(message)) {
    return "The model does not fit into the memory that this page may use. Take a smaller one, or close other pages.";
  }
  if (file) return `${file.name} cannot be loaded: ${message.replace(/[.]$/, "")}. It may be damaged, or of a kind that llama.cpp does not know.`;
  return `The model failed: ${message}`;
}

const none = () => {};
const quiet = { debug: none, log: none, warn: none, error: none };
