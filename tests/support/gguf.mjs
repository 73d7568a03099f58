// A model file that is made here: llama.cpp loads and runs it as any other, and what it answers is known. Its layer does
// nothing, so that the next token depends on the last one alone: a table of pairs.

/** The reply, piece by piece; the verdict is one of three, with these logits. */
export const LOGITS = { ENTAILED: 4, CONTRADICTED: 2, UNSURE: 1 };
const OPEN = '{"verdict":"';
const CLOSE = '","confidence":0.5,"reasoning":""}';
const END = 2;
const BYTES = 3;
const OWN = BYTES + 256;
const SIZE = 288;

/** The file's bytes. */
export function tinyModel() {
  const labels = Object.keys(LOGITS);
  const own = [OPEN, CLOSE, ...labels];
  const [open, close] = [OWN, OWN + 1];
  const label = (at) => OWN + 2 + at;
  const byte = (at) => `<0x${at.toString(16).toUpperCase().padStart(2, "0")}>`;
  const tokens = ["<unk>", "<s>", "</s>", ...Array.from({ length: 256 }, (_, at) => byte(at)), ...own];
  while (tokens.length < SIZE) tokens.push(`<unused${tokens.length}>`);
  const types = tokens.map((_, at) => (at === 0 ? 2 : at < BYTES ? 3 : at < OWN ? 6 : at < OWN + own.length ? 1 : 5));

  // Each token has a dimension of its own, which the last norm makes sqrt(SIZE) long.
  const embedding = matrix((row, column) => (row === column ? 1 : 0));
  const after = (last) => {
    if (last === open) return labels.map((name, at) => [label(at), LOGITS[name]]);
    if (last >= label(0) && last < label(labels.length)) return [[close, 20]];
    return [[last === close ? END : open, 20]];
  };
  const output = new Float32Array(SIZE * SIZE);
  for (let last = 0; last < SIZE; last += 1) {
    for (const [next, logit] of after(last)) output[next * SIZE + last] = logit / Math.sqrt(SIZE);
  }
  const square = () => new Float32Array(SIZE * SIZE);
  const ones = () => new Float32Array(SIZE).fill(1);
  const narrow = () => ({ dims: [SIZE, 32], data: new Float32Array(SIZE * 32) });
  const full = (data) => ({ dims: [SIZE, SIZE], data });
  const vector = (data) => ({ dims: [SIZE], data });
  const tensors = {
    "token_embd.weight": full(embedding),
    "output_norm.weight": vector(ones()),
    "output.weight": full(output),
    "blk.0.attn_norm.weight": vector(ones()),
    "blk.0.attn_q.weight": full(square()),
    "blk.0.attn_k.weight": full(square()),
    "blk.0.attn_v.weight": full(square()),
    "blk.0.attn_output.weight": full(square()),
    "blk.0.ffn_norm.weight": vector(ones()),
    "blk.0.ffn_gate.weight": narrow(),
    "blk.0.ffn_up.weight": narrow(),
    "blk.0.ffn_down.weight": { dims: [32, SIZE], data: new Float32Array(SIZE * 32) },
  };
  return written(
    {
      "general.architecture": "llama",
      "general.name": "Tiny",
      "llama.context_length": 8192,
      "llama.embedding_length": SIZE,
      "llama.block_count": 1,
      "llama.feed_forward_length": 32,
      "llama.attention.head_count": 4,
      "llama.attention.head_count_kv": 4,
      "llama.rope.dimension_count": SIZE / 4,
      "llama.attention.layer_norm_rms_epsilon": new Float32Array([1e-12]),
      "llama.vocab_size": SIZE,
      "tokenizer.ggml.model": "llama",
      "tokenizer.ggml.tokens": tokens,
      "tokenizer.ggml.scores": new Float32Array(SIZE),
      "tokenizer.ggml.token_type": new Int32Array(types),
      "tokenizer.ggml.bos_token_id": 1,
      "tokenizer.ggml.eos_token_id": END,
      "tokenizer.ggml.unknown_token_id": 0,
      "tokenizer.ggml.add_space_prefix": false,
    },
    tensors,
  );
}

function matrix(value) {
  return Float32Array.from({ length: SIZE * SIZE }, (_, at) => value(Math.floor(at / SIZE), at % SIZE));
}

const TYPES = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 };

/** GGUF, version 3: metadata, then where each tensor is, then the tensors, each at a multiple of 32 bytes. */
function written(metadata, tensors) {
  const parts = [];
  const number = (size, set) => {
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    parts.push(Buffer.from(view.buffer));
  };
  const u32 = (value) => number(4, (view) => view.setUint32(0, value, true));
  const u64 = (value) => number(8, (view) => view.setBigUint64(0, BigInt(value), true));
  const string = (text) => {
    const bytes = Buffer.from(text);
    u64(bytes.length);
    parts.push(bytes);
  };
  const raw = (array) => parts.push(Buffer.from(array.buffer, array.byteOffset, array.byteLength));
  const value = (given) => {
    if (typeof given === "number") return u32(TYPES.uint32), u32(given);
    if (typeof given === "boolean") return u32(TYPES.bool), parts.push(Buffer.from([Number(given)]));
    if (typeof given === "string") return u32(TYPES.string), string(given);
    const kind = given instanceof Float32Array ? "float32" : given instanceof Int32Array ? "int32" : "string";
    if (kind === "float32" && given.length === 1) return u32(TYPES.float32), raw(given);
    u32(TYPES.array), u32(TYPES[kind]), u64(given.length);
    if (kind === "string") given.forEach(string);
    else raw(given);
  };

  parts.push(Buffer.from("GGUF"));
  u32(3), u64(Object.keys(tensors).length), u64(Object.keys(metadata).length);
  for (const [key, given] of Object.entries(metadata)) string(key), value(given);
  let offset = 0;
  for (const [name, { dims, data }] of Object.entries(tensors)) {
    string(name), u32(dims.length), dims.forEach(u64), u32(0), u64(offset);
    offset += Math.ceil(data.byteLength / 32) * 32;
  }
  const pad = () => parts.push(Buffer.alloc((32 - (parts.reduce((sum, part) => sum + part.length, 0) % 32)) % 32));
  pad();
  for (const { data } of Object.values(tensors)) raw(data), pad();
  return Buffer.concat(parts);
}
