// A provider's batch service that has a bad day: it answers a plan's questions in any order, in several files, loses
// some, answers some twice and breaks some lines. What it does depends on the seed alone.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, readdir } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** What the judge says to a prompt: sure of the full evidence, unsure of the scrubbed; of several claims, of each. */
export function verdictOn(prompt) {
  const isScrubbed = /\[[A-Z]+_\d+\]|\[REDACTED\]/.test(prompt.slice(0, prompt.lastIndexOf("</evidence")));
  const judgement = isScrubbed ? { verdict: "UNSURE", confidence: 0.3 } : { verdict: "ENTAILED", confidence: 0.95 };
  const [, claims] = /\nClaims: (.*)$/s.exec(prompt) ?? [];
  if (claims === undefined) return JSON.stringify(judgement);
  return JSON.stringify({ answers: JSON.parse(claims).map(({ id }) => ({ id, ...judgement })) });
}

/** A line of a plan as OpenAI answers it. */
export function openaiLine({ custom_id, body }, text = verdictOn(body.messages.at(-1).content)) {
  const message = { role: "assistant", content: text };
  const usage = { prompt_tokens: 900, completion_tokens: 20 };
  const response = { status_code: 200, request_id: `req-${custom_id}`, body: { object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }], usage } };
  return JSON.stringify({ id: `batch_req_${custom_id}`, custom_id, response, error: null });
}

/** A line of a plan as Anthropic answers it. */
export function anthropicLine({ custom_id, params }, text = verdictOn(params.messages.at(-1).content)) {
  const message = { id: "msg_1", type: "message", role: "assistant", content: [{ type: "text", text }], stop_reason: "end_turn", usage: { input_tokens: 900, output_tokens: 20 } };
  return JSON.stringify({ custom_id, result: { type: "succeeded", message } });
}

/** Numbers in [0, 1) that a seed and a name decide. */
export function chances(seed) {
  return (name) => createHash("sha256").update(`${seed} ${name}`).digest().readUInt32LE(0) / 2 ** 32;
}

/** The lines of the requests' files in a folder, one after another. */
export async function* questions(folder) {
  for (const name of (await readdir(folder)).filter((name) => /^requests-\d+\.jsonl$/.test(name)).sort()) {
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) yield JSON.parse(line);
  }
}

/**
 * Answers a folder of requests into files in `out`. Of a thousand lines `lost` never come, `doubled` come twice,
 * `broken` are cut, `unread` hold no verdict. The order is mixed within blocks, and the files take turns by chance.
 */
export async function answer(folder, out, { seed = 1, files = 3, lost = 10, doubled = 10, broken = 10, unread = 0, line = openaiLine, block = 20_000 } = {}) {
  await mkdir(out, { recursive: true });
  const streams = Array.from({ length: files }, (_, at) => createWriteStream(join(out, `answers-${seed}-${at + 1}.jsonl`)));
  const chance = chances(seed);
  const counts = { asked: 0, lost: 0, doubled: 0, broken: 0, unread: 0 };
  let held = [];
  const flush = async () => {
    held.sort((a, b) => a.order - b.order);
    for (const { order, text } of held) {
      const stream = streams[Math.floor(order * 1e6) % files];
      if (!stream.write(`${text}\n`)) await once(stream, "drain");
    }
    held = [];
  };
  for await (const question of questions(folder)) {
    counts.asked += 1;
    const luck = chance(question.custom_id) * 1000;
    const order = (luck * 7919) % 1;
    const fates = [["lost", lost], ["doubled", doubled], ["broken", broken], ["unread", unread]];
    let from = 0;
    const fate = fates.find(([, share]) => luck < (from += share))?.[0];
    if (fate !== undefined) counts[fate] += 1;
    if (fate === "lost") continue;
    const text = fate === "unread" ? line(question, "I would rather not say.") : line(question);
    held.push({ order, text: fate === "broken" ? text.slice(0, Math.floor(text.length * order)) : text });
    if (fate === "doubled") held.push({ order: (order + 0.37) % 1, text });
    if (held.length >= block) await flush();
  }
  await flush();
  await Promise.all(streams.map((stream) => new Promise((resolve) => stream.end(resolve))));
  return counts;
}

/** So many requests on the labelled claims, in all their kinds: every twentieth is one that was there, the others differ. */
export async function* requestsOf(root, count) {
  const read = async (name) => (await readFile(join(root, "tests/vectors", name), "utf8")).trim().split("\n");
  const labelled = (await read("claims/mutbench_a.jsonl")).map((line) => JSON.parse(line));
  const words = (await read("common_words.txt")).filter((word) => /^[a-z]{4,9}$/.test(word));
  for (let at = 0; at < count; at += 1) {
    const own = at % 20 === 19 ? at - 19 : at;
    const { claim, evidence } = labelled[own % labelled.length];
    const turn = Math.floor(own / labelled.length);
    // An ordinary word stays in the scrubbed pass, so that differs too.
    const more = turn === 0 ? [] : [`This is about ${words[turn % words.length]} and ${words[Math.floor(turn / words.length)]}.`];
    yield { profile: "strawberry", evidence: [...evidence, ...more], claims: [claim] };
  }
}

export async function requests(root, count) {
  const all = [];
  for await (const request of requestsOf(root, count)) all.push(request);
  return all;
}
